//! The benchmark's kernels at small sizes.

use std::time::Duration;

use gridloom::bench::{self, KERNELS, Kernel, POLYBENCH, Precision, Size};
use gridloom::spirv::FpMode;
use gridloom::{DeviceWish, MapFor, Session, SessionOptions};

const OPTIONS: bench::Options = bench::Options {
    size: Size::Small,
    precision: Precision::Single,
    specialize: false,
    budget: Duration::ZERO,
};

fn lavapipe() -> Session {
    let wish = DeviceWish::Named("llvmpipe".to_owned());
    Session::open(&wish, SessionOptions::default()).expect("run the tests by `cargo xtask test`")
}

#[test]
fn every_kernel_is_right_on_lavapipe() {
    let session = lavapipe();
    for kernel in KERNELS {
        let row = bench::measure(kernel, &session, &OPTIONS);
        assert_eq!(row.errors, [""; 0], "{}", kernel.name);
        let times = [row.gridloom, row.rust];
        assert!(times.iter().all(Option::is_some), "{}", kernel.name);
        assert_eq!(
            row.by_hand.is_some(),
            kernel.peer.is_some(),
            "{}",
            kernel.name
        );
        assert!(row.work.is_some(), "{}", kernel.name);
    }
}

#[test]
fn every_kernel_for_gpus_is_right_on_lavapipe() {
    let wish = DeviceWish::Named("llvmpipe".to_owned());
    let options = SessionOptions {
        map_for: MapFor::Gpu,
        ..SessionOptions::default()
    };
    let session = Session::open(&wish, options).expect("run the tests by `cargo xtask test`");
    for kernel in KERNELS {
        let row = bench::measure(kernel, &session, &OPTIONS);
        assert_eq!(row.errors, [""; 0], "{}", kernel.name);
        assert_eq!(
            row.by_hand.is_some(),
            kernel.gpu_peer.is_some(),
            "{}",
            kernel.name
        );
    }
}

#[test]
fn every_kernel_is_right_on_the_interpreter() {
    let session = Session::open(&DeviceWish::Cpu, SessionOptions::default()).unwrap();
    for kernel in KERNELS {
        let row = bench::measure(kernel, &session, &OPTIONS);
        assert_eq!(row.errors, [""; 0], "{}", kernel.name);
        assert!(row.gridloom.is_some() && row.by_hand.is_none());
    }
}

const MINI: bench::Options = bench::Options {
    size: Size::Mini,
    precision: Precision::Single,
    specialize: false,
    budget: Duration::ZERO,
};

#[test]
fn polybench_is_right_on_lavapipe() {
    let session = lavapipe();
    for kernel in POLYBENCH {
        let row = bench::measure(kernel, &session, &MINI);
        assert_eq!(row.errors, [""; 0], "{}", kernel.name);
        // The naive mapping is checked, and timed only if its first run, compilation included, is quick.
        assert!(row.gridloom.is_some());
        assert!(row.work.is_some(), "{}", kernel.name);
    }
}

/// Every program of PolyBench in a data set and a precision, each result against the reference; with strict
/// floats also against the program as written, bit by bit.
fn polybench_is_right_on(device: &str, fp: FpMode, size: Size, precision: Precision) {
    let wish = DeviceWish::Named(device.to_owned());
    let options = SessionOptions {
        fp,
        ..SessionOptions::default()
    };
    let session = Session::open(&wish, options).expect("run the tests by `cargo xtask test`");
    let options = bench::Options {
        size,
        precision,
        ..MINI
    };
    let wrong = POLYBENCH.iter().filter_map(|kernel| {
        let why = bench::check(kernel, &session, &options).err()?;
        Some(format!("{} {size:?} {precision:?}: {why}", kernel.name))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn polybench_in_double_precision_and_odd_sizes_is_exact_on_lavapipe() {
    polybench_is_right_on("llvmpipe", FpMode::Strict, Size::Odd, Precision::Double);
}

#[test]
fn polybench_in_double_precision_is_right_on_lavapipe() {
    polybench_is_right_on("llvmpipe", FpMode::Relaxed, Size::Mini, Precision::Double);
}

#[test]
fn polybench_small_is_exact_on_lavapipe() {
    polybench_is_right_on("llvmpipe", FpMode::Strict, Size::Small, Precision::Single);
}

#[test]
fn polybench_in_odd_sizes_is_right_on_swiftshader() {
    polybench_is_right_on("SwiftShader", FpMode::Relaxed, Size::Odd, Precision::Single);
}

/// Two data sets, since the text of the larger one is made of that of the least.
#[test]
fn polybench_is_right_on_the_interpreter() {
    let session = Session::open(&DeviceWish::Cpu, SessionOptions::default()).unwrap();
    let small = [
        "2mm",
        "correlation",
        "covariance",
        "durbin",
        "nussinov",
        "jacobi-1d",
        "atax",
    ];
    for kernel in POLYBENCH {
        let row = bench::measure(kernel, &session, &MINI);
        assert_eq!(row.errors, [""; 0], "{}", kernel.name);
        if small.iter().any(|name| kernel.name.ends_with(name)) {
            let options = bench::Options {
                size: Size::Small,
                ..MINI
            };
            let row = bench::measure(kernel, &session, &options);
            assert_eq!(row.errors, [""; 0], "{} SMALL", kernel.name);
        }
    }
}

#[test]
fn what_is_wrong_is_not_timed() {
    let find = |name| KERNELS.iter().find(|kernel| kernel.name == name);
    let triad: &Kernel = find("triad").expect("a kernel of this name");
    let wrong = Kernel {
        reference: |arrays| {
            triad_of(arrays);
            arrays[0].floats_mut()[7] += 1.0;
        },
        ..*triad
    };
    let row = bench::measure(&wrong, &lavapipe(), &OPTIONS);
    assert_eq!((row.gridloom, row.by_hand, row.naive), (None, None, None));
    let said = row.errors.join("\n");
    assert!(
        said.contains("wrong result: argument 0: element 7 is "),
        "{said}"
    );
    assert!(said.contains("by hand: wrong result"), "{said}");
}

fn triad_of(arrays: &mut [bench::array::Array]) {
    let triad = KERNELS.iter().find(|kernel| kernel.name == "triad");
    if let Some(triad) = triad {
        (triad.reference)(arrays);
    }
}
