//! Kernels: the cache, features, and descriptions that are refused.

use gridloom_gpu_runtime::{
    Access, Binding, Device, DeviceOptions, Error, FeatureSet, KernelSource, ParamBlock,
};

use crate::support::{add, compiled, kernel, on_each_device, on_each_device_with};

fn refused(device: &Device, source: &KernelSource) -> Error {
    // SAFETY: these sources are refused before their words reach a driver.
    unsafe { device.kernel(source) }.unwrap_err()
}

fn bad(device: &Device, source: &KernelSource) -> String {
    match refused(device, source) {
        Error::BadKernel { cause, .. } => cause,
        other => panic!("{other}"),
    }
}

#[test]
fn the_same_source_is_compiled_once() {
    on_each_device(|device| {
        let first = compiled(device, &add());
        let again = compiled(device, &add());
        assert!(std::ptr::eq(first.source(), again.source()));
        let mut other = add();
        other.bindings[0].min_size = 8;
        assert!(!std::ptr::eq(
            first.source(),
            compiled(device, &other).source()
        ));
    });
}

#[test]
fn f64_is_right_or_refused() {
    let wgsl = "
        @group(0) @binding(0) var<storage, read_write> x: array<f64>;
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            if id.x < arrayLength(&x) { x[id.x] = x[id.x] / 3.0lf; }
        }";
    let mut source = kernel("thirds", wgsl, "w", ParamBlock::NONE);
    source.required = FeatureSet::F64;
    on_each_device(|device| {
        let has = device.info().features.contains(FeatureSet::F64);
        assert_eq!(has, !device.info().driver.contains("SwiftShader"));
        if !has {
            let error = refused(device, &source);
            assert!(
                error
                    .to_string()
                    .starts_with("kernel 'thirds' needs 64-bit floats"),
                "{error}"
            );
            return;
        }
        let input: Vec<f64> = (0..50).map(f64::from).collect();
        let bytes: Vec<u8> = input.iter().flat_map(|x| x.to_ne_bytes()).collect();
        let x = device.buffer_with(&bytes).unwrap();
        let thirds = compiled(device, &source);
        device.launch(&thirds, [1, 1, 1], &[&x], &[]).unwrap();
        let mut bytes = vec![0; 400];
        device.download(&x, 0, &mut bytes).unwrap();
        let expected: Vec<u8> = input.iter().flat_map(|x| (x / 3.0).to_ne_bytes()).collect();
        assert_eq!(bytes, expected);
    });
}

#[test]
fn workgroups_beyond_the_device_are_refused() {
    on_each_device(|device| {
        let limits = device.info().limits;
        let mut source = add();
        source.workgroup_size = [limits.workgroup_size[0] + 1, 1, 1];
        let error = refused(device, &source).to_string();
        assert!(error.contains("workgroup size along x"), "{error}");
        source.workgroup_size = [limits.workgroup_size[0], limits.workgroup_size[1], 1];
        let error = refused(device, &source).to_string();
        assert!(error.contains("threads of a workgroup"), "{error}");
        source.workgroup_size = [1, 0, 1];
        assert_eq!(bad(device, &source), "its workgroup is empty along y");
        source.workgroup_size = [64, 1, 1];
        source.workgroup_memory = limits.workgroup_memory + 1;
        let error = refused(device, &source).to_string();
        assert!(error.contains("bytes of workgroup memory"), "{error}");
    });
}

#[test]
fn more_buffers_than_the_device_binds_are_refused() {
    on_each_device(|device| {
        let limit = device.info().limits.storage_buffers;
        let mut source = add();
        let binding = Binding {
            access: Access::ReadOnly,
            min_size: 0,
        };
        // The fault buffer counts towards the limit.
        source.bindings = vec![binding; limit as usize];
        source.fault = Some(limit);
        let error = refused(device, &source);
        assert!(
            matches!(error, Error::BeyondLimit { asked, .. } if asked == u64::from(limit) + 1),
            "{error}"
        );
    });
}

#[test]
fn contradictory_descriptions_are_refused() {
    let with = |change: fn(&mut KernelSource)| {
        let mut source = add();
        change(&mut source);
        source
    };
    let cases = [
        (
            with(|s| s.spirv.clear()),
            "its words do not begin with a SPIR-V header",
        ),
        (
            with(|s| s.spirv.iter_mut().for_each(|w| *w = w.swap_bytes())),
            "its words do not begin with a SPIR-V header",
        ),
        (with(|s| s.entry_point.clear()), "it names no entry point"),
        (
            with(|s| s.params = ParamBlock::uniform(2, 16)),
            "its parameter and fault blocks take bindings [2]; they have to follow the 3 storage \
             buffers without a gap",
        ),
        (
            with(|s| s.fault = Some(4)),
            "its parameter and fault blocks take bindings [4]; they have to follow the 3 storage \
             buffers without a gap",
        ),
        (
            with(|s| {
                s.params = ParamBlock::uniform(3, 16);
                s.fault = Some(3);
            }),
            "its parameter and fault blocks take bindings [3, 3]; they have to follow the 3 \
             storage buffers without a gap",
        ),
        (
            with(|s| s.params = ParamBlock::uniform(3, 0)),
            "a parameter block of 0 bytes is not valid: the size has to be a positive multiple of 4, \
             or 0 with ParamClass::None",
        ),
        (
            with(|s| s.params = ParamBlock::uniform(3, 6)),
            "a parameter block of 6 bytes is not valid: the size has to be a positive multiple of 4, \
             or 0 with ParamClass::None",
        ),
        (
            with(|s| {
                s.params = ParamBlock::uniform(3, 16);
                s.params.grid_origin = Some(8);
            }),
            "its grid origin lies outside of its parameter block",
        ),
    ];
    on_each_device(|device| {
        for (source, expected) in &cases {
            assert_eq!(&bad(device, source), expected);
        }
        let mut large = add();
        large.params = ParamBlock::uniform(3, u32::MAX - 3);
        let error = refused(device, &large).to_string();
        assert!(error.contains("bytes of parameters"), "{error}");
    });
}

#[test]
fn what_naga_does_not_read_is_an_error() {
    let portable = DeviceOptions {
        portable: true,
        ..Default::default()
    };
    on_each_device_with(&portable, |device| {
        let mut truncated = add();
        truncated.spirv.truncate(40);
        let cause = bad(device, &truncated);
        assert!(!cause.is_empty());
        let mut misnamed = add();
        misnamed.entry_point = "mine".to_owned();
        let cause = bad(device, &misnamed);
        assert!(cause.contains("entry point"), "{cause}");
        // The device still works.
        compiled(device, &add());
    });
}
