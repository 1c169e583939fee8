//! Two devices in one process: lavapipe computes, its result is copied to SwiftShader, which
//! computes on.

use gridloom::OffloadOptions;
use gridloom::codegen::pass::offload::offload;
use gridloom::gpu_runtime::{
    Access, Binding, Buffer, Device, DeviceOptions, Error, FeatureSet, Kernel, KernelSource,
    ParamBlock,
};
use gridloom::spirv::{self, TargetEnv};

/// Elements of the arrays.
const COUNT: usize = 3000;

/// `x[i] = x[i] OP a[i]`, of extents that are known, so that there are no parameters and no checks.
fn source(operation: &str) -> String {
    format!(
        "func.func @step(%x: memref<{COUNT}xi32>, %a: memref<{COUNT}xi32>) {{
           affine.for %i = 0 to {COUNT} {{
             %v = affine.load %x[%i] : memref<{COUNT}xi32>
             %w = affine.load %a[%i] : memref<{COUNT}xi32>
             %r = arith.{operation} %v, %w : i32
             affine.store %r, %x[%i] : memref<{COUNT}xi32>
           }}
           return
         }}"
    )
}

fn device(name: &str) -> Device {
    let choice = name.parse().expect("a name is a choice");
    Device::open(&choice, &DeviceOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The kernel of [`source`] on a device, and the workgroups of its launch.
fn kernel(device: &Device, operation: &str) -> (Kernel, [u32; 3]) {
    let ctx = gridloom::context();
    let module = gridloom::parse(&ctx, "step.mlir", source(operation).as_bytes());
    let mut module = module.unwrap_or_else(|found| panic!("{}", found.render(&ctx)));
    let options = OffloadOptions {
        tiling: "off".parse().expect("a tiling"),
        workgroup: [[64, 1, 1]; 3],
        ..OffloadOptions::default()
    };
    offload(&ctx, &mut module, &options).unwrap_or_else(|found| panic!("{}", found.render(&ctx)));
    let compiled = spirv::compile_all(&ctx, &module, &TargetEnv::default());
    let compiled = compiled.unwrap_or_else(|found| panic!("{}", found.render(&ctx)));
    let [entry] = &compiled.entries[..] else {
        panic!("one loop is one kernel");
    };
    assert!(entry.abi.fault_binding.is_none() && entry.abi.params.size == 0);
    let bindings = entry.abi.buffers.iter().map(|buffer| Binding {
        access: match buffer.read_only {
            true => Access::ReadOnly,
            false => Access::ReadWrite,
        },
        min_size: buffer.min_bytes,
    });
    let source = KernelSource {
        name: operation.to_owned(),
        spirv: compiled.words,
        entry_point: entry.name.clone(),
        workgroup_size: entry.workgroup_size,
        workgroup_memory: 0,
        bindings: bindings.collect(),
        params: ParamBlock::NONE,
        fault: None,
        required: FeatureSet::empty(),
    };
    // SAFETY: the module is our own compiler's, and the description is the one it gave.
    let kernel = unsafe { device.kernel(&source) }.unwrap_or_else(|error| panic!("{error}"));
    let groups = COUNT.div_ceil(entry.workgroup_size[0] as usize);
    (kernel, [groups as u32, 1, 1])
}

fn bytes(values: &[i32]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

fn values(device: &Device, buffer: &Buffer) -> Vec<i32> {
    let mut bytes = vec![0; buffer.size() as usize];
    device.download(buffer, 0, &mut bytes).expect("a download");
    let (words, _) = bytes.as_chunks::<4>();
    words.iter().map(|word| i32::from_le_bytes(*word)).collect()
}

#[test]
fn a_result_moves_from_one_device_to_another_and_back() {
    let (first, second) = (device("llvmpipe"), device("SwiftShader"));
    assert!(!first.is_same(&second));
    let start: Vec<i32> = (0..COUNT as i32).map(|i| i * i - 7 * i).collect();
    let other: Vec<i32> = (0..COUNT as i32).map(|i| 5 - i).collect();
    let on = |device: &Device| {
        let made = [&start, &other].map(|array| device.buffer_with(&bytes(array)));
        made.map(|buffer| buffer.expect("a small buffer"))
    };
    let ([x, a], [y, b]) = (on(&first), on(&second));
    let (multiply, grid) = kernel(&first, "muli");
    first
        .launch(&multiply, grid, &[&x, &a], &[])
        .expect("a launch");
    let size = x.size();
    // The launch is recorded only: the copy has to wait for it.
    second
        .copy_from(&first, &x, 0, &y, 0, size)
        .expect("a copy");
    let (subtract, grid) = kernel(&second, "subi");
    second
        .launch(&subtract, grid, &[&y, &b], &[])
        .expect("a launch");
    let wanted: Vec<i32> = (start.iter().zip(&other))
        .map(|(x, a)| x.wrapping_mul(*a).wrapping_sub(*a))
        .collect();
    assert_eq!(values(&second, &y), wanted);

    first
        .copy_from(&second, &y, 0, &x, 0, size)
        .expect("a copy");
    assert_eq!(values(&first, &x), wanted);
}

#[test]
fn ranges_of_any_alignment_are_copied_and_no_neighbour_changes() {
    let (first, second) = (device("llvmpipe"), device("SwiftShader"));
    let content: Vec<u8> = (0..=255).cycle().take(1000).collect();
    let source = first.buffer_with(&content).expect("a small buffer");
    for (from, to, count) in [(0, 0, 1000), (1, 2, 3), (5, 8, 991), (999, 0, 1), (8, 3, 0)] {
        let target = second.buffer_with(&[0xee; 1000]).expect("a small buffer");
        second
            .copy_from(&first, &source, from, &target, to, count)
            .expect("a copy");
        let mut wanted = vec![0xee; 1000];
        let [from, to, count] = [from, to, count].map(|n| n as usize);
        wanted[to..to + count].copy_from_slice(&content[from..from + count]);
        let mut seen = vec![0; 1000];
        second.download(&target, 0, &mut seen).expect("a download");
        assert_eq!(seen, wanted, "{from} {to} {count}");
    }
}

#[test]
fn what_is_not_there_is_not_copied() {
    let (first, second) = (device("llvmpipe"), device("SwiftShader"));
    let source = first.buffer_with(&[1; 64]).expect("a small buffer");
    let target = second.buffer_with(&[2; 64]).expect("a small buffer");
    let wrong = [
        second.copy_from(&first, &source, 60, &target, 0, 8),
        second.copy_from(&first, &source, 0, &target, u64::MAX, 8),
        second.copy_from(&first, &target, 0, &target, 0, 8),
        first.copy_from(&first, &source, 0, &target, 0, 8),
    ];
    for result in wrong {
        assert!(
            matches!(result, Err(Error::BadTransfer { .. })),
            "{result:?}"
        );
    }
    let mut seen = [0; 64];
    second.download(&target, 0, &mut seen).expect("a download");
    assert_eq!(seen, [2; 64]);
}
