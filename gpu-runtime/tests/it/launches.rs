//! Launches: results, order, parameters, and what is refused.

use std::time::Duration;

use gridloom_gpu_runtime::{
    Buffer, CommandTime, Device, DeviceChoice, DeviceOptions, Error, FeatureSet, HostWork, Kernel,
    KernelSource, ParamBlock, Timed, Window,
};

use crate::support::{
    add, bytes, compiled, floats, kernel, on_each_device, on_each_device_with, words,
};

fn adds_vectors(device: &Device) {
    let n = 1000;
    let a: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let b: Vec<f32> = (0..n).map(|i| 0.5 * i as f32).collect();
    let a = device.buffer_with(&bytes(&a)).unwrap();
    let b = device.buffer_with(&bytes(&b)).unwrap();
    let c = device.buffer(4 * n).unwrap();
    let add = compiled(device, &add());
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

/// Kernel `x[i] = x[i] * scale + i + add`, with the two parameters declared by `declaration`.
fn step(declaration: &str, params: ParamBlock) -> KernelSource {
    let wgsl = format!(
        "struct Params {{ scale: u32, add: u32 }}
        @group(0) @binding(0) var<storage, read_write> x: array<u32>;
        {declaration}
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
            if id.x < arrayLength(&x) {{ x[id.x] = x[id.x] * params.scale + id.x + params.add; }}
        }}"
    );
    kernel("step", &wgsl, "w", params)
}

fn step_by_uniform() -> KernelSource {
    step(
        "@group(0) @binding(1) var<uniform> params: Params;",
        ParamBlock::uniform(1, 8),
    )
}

fn step_by_immediates() -> KernelSource {
    step("var<immediate> params: Params;", ParamBlock::immediates(8))
}

/// Runs thousands of launches, each of which reads the result of the one before.
fn chain(device: &Device, source: &KernelSource) {
    const LAUNCHES: u32 = 2500;
    let x = device.buffer(4 * 100).unwrap();
    let step = compiled(device, source);
    for i in 0..LAUNCHES {
        device
            .launch(&step, [2, 1, 1], &[&x], &bytes(&[31, i]))
            .unwrap();
    }
    let expected: Vec<u32> = (0..100)
        .map(|at| {
            (0..LAUNCHES).fold(0, |x: u32, i| {
                x.wrapping_mul(31).wrapping_add(at).wrapping_add(i)
            })
        })
        .collect();
    assert_eq!(words(device, &x), expected);
}

#[test]
fn launches_in_a_row_see_each_others_results() {
    on_each_device(|device| {
        chain(device, &step_by_uniform());
        chain(device, &step_by_immediates());
    });
}

#[test]
fn launches_in_a_row_through_naga() {
    let portable = DeviceOptions {
        portable: true,
        ..Default::default()
    };
    on_each_device_with(&portable, |device| chain(device, &step_by_immediates()));
}

#[test]
fn immediates_are_refused_where_there_are_none() {
    let without = DeviceOptions {
        without: FeatureSet::IMMEDIATES,
        ..Default::default()
    };
    on_each_device_with(&without, |device| {
        // SAFETY: the kernel is refused before it is compiled.
        let error = unsafe { device.kernel(&step_by_immediates()) }.unwrap_err();
        let Error::MissingFeature { missing, .. } = error else {
            panic!("{error}");
        };
        assert_eq!(missing, FeatureSet::IMMEDIATES);
        chain(device, &step_by_uniform());
    });
}

#[test]
fn uploads_and_copies_keep_their_place_among_launches() {
    on_each_device(|device| {
        let x = device.buffer(16).unwrap();
        let kept = device.buffer(48).unwrap();
        let step = compiled(device, &step_by_uniform());
        for i in 0..3 {
            device.upload(&x, 0, &bytes(&[i, i, i, i])).unwrap();
            device
                .launch(&step, [1, 1, 1], &[&x], &bytes(&[10, 5]))
                .unwrap();
            device.copy(&x, 0, &kept, 16 * u64::from(i), 16).unwrap();
        }
        assert_eq!(
            words(device, &kept),
            [5, 6, 7, 8, 15, 16, 17, 18, 25, 26, 27, 28]
        );
    });
}

/// Kernel that adds 1 + the number of its workgroup, from an origin by which a large grid is split.
fn number(origin: Option<u32>) -> KernelSource {
    let wgsl = "
        struct Params { width: u32, origin_x: u32, origin_y: u32, origin_z: u32 }
        @group(0) @binding(0) var<storage, read_write> x: array<u32>;
        @group(0) @binding(1) var<uniform> params: Params;
        @compute @workgroup_size(1)
        fn main(@builtin(workgroup_id) id: vec3<u32>) {
            let at = (id.y + params.origin_y) * params.width + id.x + params.origin_x;
            x[at] += at + 1u;
        }";
    let mut source = kernel("number", wgsl, "w", ParamBlock::uniform(1, 16));
    source.workgroup_size = [1, 1, 1];
    source.params.grid_origin = origin;
    source
}

#[test]
fn a_grid_with_an_origin_is_split() {
    on_each_device(|device| {
        let limit = device.info().limits.workgroups_per_dimension;
        let (width, height) = (limit + 5, 3);
        let x = device.buffer(4 * u64::from(width * height)).unwrap();
        let number = compiled(device, &number(Some(4)));
        let params = bytes(&[width, 9, 9, 9]);
        device
            .launch(&number, [width, height, 1], &[&x], &params)
            .unwrap();
        assert!(words(device, &x).into_iter().eq(1..=width * height));
    });
}

#[test]
fn a_grid_without_an_origin_is_refused_beyond_the_limit() {
    on_each_device(|device| {
        let limit = device.info().limits.workgroups_per_dimension;
        let x = device.buffer(64).unwrap();
        let number = compiled(device, &number(None));
        for grid in [[limit + 1, 1, 1], [1, u32::MAX, 1], [1, 1, limit + 1]] {
            let error = device.launch(&number, grid, &[&x], &[0; 16]).unwrap_err();
            assert!(
                matches!(error, Error::BeyondLimit { limit: l, .. } if l == u64::from(limit)),
                "{error}"
            );
        }
    });
}

#[test]
fn an_empty_grid_does_nothing() {
    on_each_device(|device| {
        let x = device.buffer(4).unwrap();
        let number = compiled(device, &number(None));
        for grid in [[0, 1, 1], [1, 0, 1], [1, 1, 0]] {
            device.launch(&number, grid, &[&x], &[0; 16]).unwrap();
        }
        assert_eq!(words(device, &x), [0]);
    });
}

/// The cause of a [`Error::BadLaunch`].
fn refusal(device: &Device, kernel: &Kernel, buffers: &[&Buffer], params: &[u8]) -> String {
    match device.launch(kernel, [1, 1, 1], buffers, params) {
        Err(Error::BadLaunch { cause, .. }) => cause,
        other => panic!("{other:?}"),
    }
}

#[test]
fn arguments_that_do_not_fit_are_refused() {
    on_each_device(|device| {
        let add = compiled(device, &add());
        let step = compiled(device, &step_by_uniform());
        let some = || device.buffer(64).unwrap();
        let (a, b, c) = (some(), some(), some());
        let empty = device.buffer(0).unwrap();
        assert_eq!(
            refusal(device, &add, &[&a, &b], &[]),
            "it takes 3 buffers, 2 are given"
        );
        assert_eq!(
            refusal(device, &step, &[&a], &[0; 4]),
            "it takes 8 bytes of parameters, 4 are given"
        );
        assert_eq!(
            refusal(device, &add, &[&a, &empty, &c], &[]),
            "buffer 1 has 0 bytes, the kernel needs 4"
        );
    });
}

#[test]
fn what_belongs_to_another_device_is_refused() {
    on_each_device(|device| {
        let other = Device::open(&DeviceChoice::Auto, &DeviceOptions::default()).unwrap();
        let step = step_by_uniform();
        let (ours, theirs) = (compiled(device, &step), compiled(&other, &step));
        let foreign = other.buffer(64).unwrap();
        let buffer = device.buffer(64).unwrap();
        assert_eq!(
            refusal(device, &ours, &[&foreign], &[0; 8]),
            "buffer 0 belongs to another device"
        );
        assert_eq!(
            refusal(device, &theirs, &[&buffer], &[0; 8]),
            "the kernel was compiled for another device"
        );
        let error = device.copy(&foreign, 0, &buffer, 0, 4).unwrap_err();
        assert!(error.to_string().contains("another device"), "{error}");
    });
}

#[test]
fn one_buffer_twice_is_refused_when_written_and_taken_when_read() {
    on_each_device(|device| {
        let add = compiled(device, &add());
        let a = device.buffer_with(&bytes(&[1.5_f32; 16])).unwrap();
        let c = device.buffer(64).unwrap();
        device.launch(&add, [1, 1, 1], &[&a, &a, &c], &[]).unwrap();
        assert_eq!(floats(device, &c), [3.0; 16]);
        // A clone is the same buffer.
        let error = device
            .launch(&add, [1, 1, 1], &[&a, &c, &a.clone()], &[])
            .unwrap_err();
        let expected = Error::Aliased {
            kernel: "add".to_owned(),
            first: 0,
            second: 2,
        };
        assert_eq!(error, expected);
    });
}

/// The times are unknown, but not their order: commands run one after the other, and the host
/// reads after the device has written.
#[test]
fn a_profile_tells_copies_and_what_the_host_did() {
    on_each_device(|device| {
        device.set_profiling(true);
        let [x, y] = [0; 2].map(|_| device.buffer(4096).unwrap());
        device.upload(&x, 0, &[7; 4096]).unwrap();
        device.copy(&x, 0, &y, 0, 1024).unwrap();
        device.fill(&y, 1024, 512, &[0]).unwrap();
        let mut bytes = vec![0; 4096];
        device.download(&y, 0, &mut bytes).unwrap();
        let profile = device.take_timeline().unwrap();
        let work: Vec<_> = profile.host.iter().map(|h| h.work.clone()).collect();
        let expected = [
            HostWork::Upload(4096),
            HostWork::Download(4096),
            HostWork::Wait,
        ];
        assert_eq!(work, expected);
        let is_asked =
            |c: &&CommandTime| [Timed::Copy(1024), Timed::Fill(512)].contains(&c.command);
        let asked: Vec<_> = profile.commands.iter().filter(is_asked).collect();
        assert_eq!(asked.len(), 2);
        let both = FeatureSet::TIMESTAMPS | FeatureSet::COPY_TIMESTAMPS;
        let timed = device.info().features.contains(both);
        let ends = asked
            .iter()
            .map(|c| c.span.map(|s| (s.start, s.start + s.time)));
        let ends: Vec<_> = ends.collect();
        assert_eq!(ends[0].is_some(), timed);
        if let [Some((_, end)), Some((start, _))] = ends[..] {
            assert!(end <= start, "{ends:?}");
        }
        device.set_profiling(false);
        device.take_timeline().unwrap();
    });
}

#[test]
fn a_profile_has_every_launch() {
    on_each_device(|device| {
        let x = device.buffer(64).unwrap();
        let step = compiled(device, &step_by_uniform());
        let launch = || {
            device.launch(&step, [1, 1, 1], &[&x], &[0; 8]).unwrap();
        };
        launch();
        device.wait().unwrap();
        device.set_profiling(true);
        for _ in 0..1500 {
            launch();
        }
        let profile = device.take_timeline().unwrap();
        let launched = Timed::Launch {
            kernel: "step".to_owned(),
            grid: [1, 1, 1],
        };
        let launches = profile.commands.iter();
        let launches: Vec<_> = launches.filter(|c| c.command == launched).collect();
        assert_eq!(launches.len(), 1500);
        assert_eq!(profile.submissions, 2);
        assert!(!profile.wall.is_zero());
        let timed = device.info().features.contains(FeatureSet::TIMESTAMPS);
        for launch in &launches {
            assert_eq!(launch.span.is_some(), timed);
        }
        assert_eq!(profile.host.last().unwrap().work, HostWork::Wait);
        device.set_profiling(false);
        launch();
        assert_eq!(device.take_timeline().unwrap(), Default::default());
    });
}

#[test]
fn a_wait_beyond_its_limit_fails_and_the_device_lives_on() {
    let wgsl = "
        @group(0) @binding(0) var<storage, read_write> x: array<u32>;
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            var a = id.x + 1u;
            for (var i = 0u; i < 5000000u; i++) { a = a * 5u + (a >> 3u); }
            if id.x < arrayLength(&x) { x[id.x] = a; }
        }";
    let impatient = DeviceOptions {
        timeout: Some(Duration::ZERO),
        ..Default::default()
    };
    on_each_device_with(&impatient, |device| {
        let x = device.buffer(64).unwrap();
        let long = compiled(device, &kernel("long", wgsl, "w", ParamBlock::NONE));
        device.launch(&long, [1, 1, 1], &[&x], &[]).unwrap();
        let error = device.wait().unwrap_err();
        assert!(matches!(error, Error::TimedOut { .. }), "{error}");
        let error = device.download(&x, 0, &mut [0; 4]).unwrap_err();
        assert!(matches!(error, Error::TimedOut { .. }), "{error}");
        while let Err(error) = device.wait() {
            assert!(matches!(error, Error::TimedOut { .. }), "{error}");
            std::thread::yield_now();
        }
        let mut value = [0; 4];
        while device.download(&x, 0, &mut value).is_err() {}
        let expected = (0..5_000_000).fold(1u32, |a, _| a.wrapping_mul(5).wrapping_add(a >> 3));
        assert_eq!(u32::from_ne_bytes(value), expected);
    });
}

#[test]
fn threads_share_a_device() {
    on_each_device(|device| {
        let step = compiled(device, &step_by_uniform());
        // Large enough to be mapped on devices that map buffers.
        let shared = device.buffer_with(&[7; 100_000]).unwrap();
        let worker = &|seed: u32| {
            let x = device.buffer(40).unwrap();
            let mut seen = vec![0; 100_000];
            for i in 0..50 {
                device
                    .launch(&step, [1, 1, 1], &[&x], &bytes(&[seed, i]))
                    .unwrap();
                device.upload(&shared, 0, &[7; 100_000]).unwrap();
                device.download(&shared, 0, &mut seen).unwrap();
                assert!(seen.iter().all(|&byte| byte == 7));
            }
            let value = |at: u32| {
                (0..50).fold(0, |x: u32, i| {
                    x.wrapping_mul(seed).wrapping_add(at).wrapping_add(i)
                })
            };
            assert!(words(device, &x).into_iter().eq((0..10).map(value)));
        };
        std::thread::scope(|scope| {
            for seed in 3..7 {
                scope.spawn(move || worker(seed));
            }
        });
    });
}

#[test]
fn a_launch_sees_the_window_it_is_given() {
    let small = DeviceOptions {
        binding_limit: Some(1024),
        ..Default::default()
    };
    on_each_device_with(&small, |device| {
        let unit = device.info().limits.storage_alignment.max(256);
        let add = compiled(device, &add());
        let numbers = |first: u16| -> Vec<f32> { (first..first + 512).map(f32::from).collect() };
        let a = device.buffer_with(&bytes(&numbers(0))).unwrap();
        let b = device.buffer_with(&bytes(&numbers(1000))).unwrap();
        let c = device.buffer(2048).unwrap();
        let grid = [4, 1, 1];
        let window = |buffer, offset, bytes| Window {
            buffer,
            offset,
            bytes,
        };
        // The buffer is larger than a binding may be, so it needs a window.
        let error = device.launch(&add, grid, &[&a, &b, &c], &[]).unwrap_err();
        assert!(
            matches!(
                error,
                Error::BeyondLimit {
                    asked: 2048,
                    limit: 1024,
                    ..
                }
            ),
            "{error}"
        );
        let seen = [
            window(&a, unit, 1024),
            window(&b, 0, 1024),
            window(&c, 2 * unit, 1024),
        ];
        device.launch_windows(&add, grid, &seen, &[]).unwrap();
        let start = unit as usize / 4;
        let mut expected = vec![0.0; 512];
        for at in 0..256 {
            expected[2 * start + at] = (start + at + 1000 + at) as f32;
        }
        assert_eq!(floats(device, &c), expected);
        for wrong in [
            window(&a, 4, 1024),
            window(&a, 5 * unit, 1024),
            window(&a, u64::MAX - unit + 1, 1024),
            window(&a, 0, 0),
        ] {
            let seen = [wrong, window(&b, 0, 1024), window(&c, 0, 1024)];
            let error = device.launch_windows(&add, grid, &seen, &[]).unwrap_err();
            assert!(matches!(error, Error::BadLaunch { .. }), "{error}");
        }
    });
}
