//! Faults that kernels report.

use gridloom_gpu_runtime::{Fault, KernelSource, ParamBlock};

use crate::support::{bytes, compiled, kernel, on_each_device};

/// Kernel that faults at every `x[i]` that is not 0: the site is the value, the details are the
/// index and the value.
fn guard(name: &str) -> KernelSource {
    let wgsl = "
        @group(0) @binding(0) var<storage, read> x: array<u32>;
        @group(0) @binding(1) var<storage, read_write> fault: array<atomic<u32>, 4>;
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            if id.x >= arrayLength(&x) || x[id.x] == 0u { return; }
            if atomicCompareExchangeWeak(&fault[0], 0u, x[id.x] + 1u).exchanged {
                atomicStore(&fault[2], id.x);
                atomicStore(&fault[3], x[id.x]);
            }
            atomicAdd(&fault[1], 1u);
        }";
    let mut source = kernel(name, wgsl, "r", ParamBlock::NONE);
    source.fault = Some(1);
    source
}

fn fault(kernel: &str, site: u32, count: u32, details: [u32; 2]) -> Fault {
    Fault {
        kernel: kernel.to_owned(),
        site,
        count,
        details,
    }
}

#[test]
fn faults_are_reported_once_with_their_kernel() {
    on_each_device(|device| {
        let (one, two) = (guard("one"), guard("two"));
        let (one, two) = (compiled(device, &one), compiled(device, &two));
        let good = device.buffer(64).unwrap();
        let bad = device.buffer_with(&bytes(&[0, 0, 0, 7])).unwrap();
        let worse = device.buffer_with(&bytes(&[9; 20])).unwrap();
        let launch = |kernel, x| device.launch(kernel, [1, 1, 1], &[x], &[]).unwrap();

        launch(&one, &good);
        device.wait().unwrap();
        assert_eq!(device.take_faults(), []);

        launch(&one, &bad);
        launch(&one, &good);
        launch(&two, &good);
        launch(&one, &bad);
        device.wait().unwrap();
        assert_eq!(device.take_faults(), [fault("one", 7, 2, [3, 7])]);
        assert_eq!(device.take_faults(), []);

        // Faults are reported again after the reset, by a download too, and kept until they are
        // taken.
        launch(&two, &bad);
        device.download(&good, 0, &mut [0; 64]).unwrap();
        launch(&two, &worse);
        device.wait().unwrap();
        let faults = device.take_faults();
        let [first, second] = &faults[..] else {
            panic!("{faults:?}");
        };
        assert_eq!(*first, fault("two", 7, 1, [3, 7]));
        assert_eq!((second.site, second.count), (9, 20));
        assert!(second.details[0] < 20, "{second:?}");
    });
}
