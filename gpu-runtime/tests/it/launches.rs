//! Launches: results, order, parameters, and what is refused.

use gridloom_gpu_runtime::{Device, DeviceOptions};

use crate::support::{add, bytes, floats, on_each_device, on_each_device_with};

fn adds_vectors(device: &Device) {
    let n = 1000;
    let a: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let b: Vec<f32> = (0..n).map(|i| 0.5 * i as f32).collect();
    // SAFETY: naga's module, with its own bounds check.
    let add = unsafe { device.kernel(&add()) }.unwrap();
    let (a, b) = (bytes(&a), bytes(&b));
    let (a, b) = (
        device.buffer_with(&a).unwrap(),
        device.buffer_with(&b).unwrap(),
    );
    let c = device.buffer(4 * n).unwrap();
    device.launch(&add, [16, 1, 1], &[&a, &b, &c], &[]).unwrap();
    let expected: Vec<f32> = (0..n).map(|i| 1.5 * i as f32).collect();
    assert_eq!(floats(device, &c), expected);
}

#[test]
fn vectors_add() {
    on_each_device(adds_vectors);
}

#[test]
fn vectors_add_through_naga() {
    let portable = DeviceOptions {
        portable: true,
        ..Default::default()
    };
    on_each_device_with(&portable, |device| {
        assert!(!device.passes_spirv_through());
        adds_vectors(device);
    });
}
