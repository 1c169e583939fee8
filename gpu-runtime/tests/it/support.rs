//! Devices and kernels for the tests.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use gridloom_gpu_runtime::{
    Access, Binding, Buffer, Device, DeviceChoice, DeviceOptions, FeatureSet, Kernel, KernelSource,
    ParamBlock, devices,
};

/// Opens every device of the machine and hands each to `test`.
pub fn on_each_device(test: impl Fn(&Device)) {
    on_each_device_with(&DeviceOptions::default(), test);
}

/// As [`on_each_device`], with options.
pub fn on_each_device_with(options: &DeviceOptions, test: impl Fn(&Device)) {
    let found = devices();
    assert!(
        !found.is_empty(),
        "these tests need a Vulkan driver: run them by `cargo xtask test`, which provides software \
         ones, or set VK_DRIVER_FILES"
    );
    for (place, info) in found.iter().enumerate() {
        let device = Device::open(&DeviceChoice::Index(place), options)
            .unwrap_or_else(|error| panic!("{error}"));
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| test(&device))) {
            eprintln!("on {info}");
            resume_unwind(panic);
        }
    }
}

/// SPIR-V words of a WGSL shader, made by naga: these tests do not depend on our own compiler.
pub fn spirv(wgsl: &str) -> Vec<u32> {
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    let module = naga::front::wgsl::parse_str(wgsl).expect("a correct shader");
    let info = Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(&module)
        .expect("a valid shader");
    let options = naga::back::spv::Options {
        lang_version: (1, 3),
        ..Default::default()
    };
    naga::back::spv::write_vec(&module, &info, &options, None).expect("SPIR-V")
}

/// A kernel called `main` with workgroups of 64 threads. `access` has one letter a buffer: `r` or
/// `w`.
pub fn kernel(name: &str, wgsl: &str, access: &str, params: ParamBlock) -> KernelSource {
    let bindings = access
        .chars()
        .map(|letter| Binding {
            access: match letter {
                'r' => Access::ReadOnly,
                _ => Access::ReadWrite,
            },
            min_size: 4,
        })
        .collect();
    KernelSource {
        name: name.to_owned(),
        spirv: spirv(wgsl),
        entry_point: "main".to_owned(),
        workgroup_size: [64, 1, 1],
        workgroup_memory: 0,
        bindings,
        params,
        fault: None,
        required: FeatureSet::empty(),
    }
}

/// Compiles one of the test kernels.
pub fn compiled(device: &Device, source: &KernelSource) -> Kernel {
    // SAFETY: the words come from naga and check their own bounds, and the tests describe them
    // as they are or expect a refusal.
    unsafe { device.kernel(source) }.unwrap_or_else(|error| panic!("{error}"))
}

/// `c = a + b`.
pub fn add() -> KernelSource {
    let wgsl = "
        @group(0) @binding(0) var<storage, read> a: array<f32>;
        @group(0) @binding(1) var<storage, read> b: array<f32>;
        @group(0) @binding(2) var<storage, read_write> c: array<f32>;
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            if id.x < arrayLength(&c) { c[id.x] = a[id.x] + b[id.x]; }
        }";
    kernel("add", wgsl, "rrw", ParamBlock::NONE)
}

/// The bytes of 32-bit numbers.
pub fn bytes<T: Copy + Into<Word>>(values: &[T]) -> Vec<u8> {
    values.iter().flat_map(|&v| v.into().0).collect()
}

/// The bytes of a 32-bit number.
pub struct Word(pub [u8; 4]);

impl From<f32> for Word {
    fn from(value: f32) -> Self {
        Self(value.to_ne_bytes())
    }
}

impl From<u32> for Word {
    fn from(value: u32) -> Self {
        Self(value.to_ne_bytes())
    }
}

/// All of a buffer, as 32-bit integers.
pub fn words(device: &Device, buffer: &Buffer) -> Vec<u32> {
    let mut bytes = vec![0; buffer.size() as usize];
    device.download(buffer, 0, &mut bytes).unwrap();
    let (words, []) = bytes.as_chunks() else {
        panic!("a whole number of words");
    };
    words.iter().map(|&word| u32::from_ne_bytes(word)).collect()
}

/// All of a buffer, as 32-bit floats.
pub fn floats(device: &Device, buffer: &Buffer) -> Vec<f32> {
    words(device, buffer)
        .into_iter()
        .map(f32::from_bits)
        .collect()
}
