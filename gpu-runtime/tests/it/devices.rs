//! Finding and choosing devices.

use gridloom_gpu_runtime::{Device, DeviceChoice, DeviceOptions, Error, devices};

fn open(choice: &DeviceChoice) -> Result<Device, Error> {
    Device::open(choice, &DeviceOptions::default())
}

#[test]
fn devices_are_listed_best_first() {
    let kinds: Vec<_> = devices().iter().map(|info| info.kind).collect();
    assert!(!kinds.is_empty());
    assert!(kinds.is_sorted());
}

#[test]
fn auto_takes_the_first_and_a_name_any() {
    let listed = devices();
    let auto = open(&DeviceChoice::Auto).unwrap();
    assert_eq!(auto.info().name, listed[0].name);
    for info in &listed {
        let name = DeviceChoice::Name(info.name.to_uppercase());
        assert_eq!(open(&name).unwrap().info().name, info.name);
        if info.driver == "llvmpipe" {
            let usual = DeviceChoice::Name("lavapipe".to_owned());
            assert_eq!(open(&usual).unwrap().info().driver, "llvmpipe");
        }
    }
}

#[test]
fn hardware_is_never_software() {
    match open(&DeviceChoice::Hardware) {
        Ok(device) => assert!(!device.info().is_software()),
        Err(error) => {
            assert!(matches!(error, Error::NoDevice { .. }), "{error}");
            assert!(devices().iter().all(|info| info.is_software()));
        }
    }
}

#[test]
fn a_choice_that_nothing_answers_lists_what_is_there() {
    let listed: Vec<_> = devices().iter().map(ToString::to_string).collect();
    for choice in [
        DeviceChoice::Name("abacus".to_owned()),
        DeviceChoice::Index(99),
    ] {
        let Err(Error::NoDevice { wanted, found }) = open(&choice) else {
            panic!("{choice}");
        };
        assert_eq!(wanted, choice.to_string());
        assert_eq!(found, listed);
    }
}
