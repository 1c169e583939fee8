//! The runtime beside plain wgpu code for the same work on the same device in the same process:
//! launches in a recorded loop, uploads, downloads; and strided copies beside contiguous ones.
//!
//! ```sh
//! cargo run --release -p gridloom-gpu-runtime --example beside_wgpu -- NAME
//! ```

use std::borrow::Cow;
use std::error::Error;
use std::time::{Duration, Instant};

use gridloom_gpu_runtime::{
    Access, Binding, Device, DeviceOptions, FeatureSet, KernelSource, ParamBlock, Strided,
};

/// Launches of the recorded loop, each dependent on the one before.
const LAUNCHES: u32 = 1000;

/// Bytes of a transfer.
const BYTES: usize = 64 << 20;

/// Repetitions of each side, in turns; the least time counts.
const RUNS: usize = 15;

/// Kernel that adds one to each of 64 numbers: its work is negligible beside the cost of a launch.
const STEP: &str = "
@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;
@compute @workgroup_size(64)
fn step(@builtin(global_invocation_id) at: vec3<u32>) { numbers[at.x] = numbers[at.x] + 1u; }
";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let name = std::env::args().nth(1).unwrap_or_default();
    let device = Device::open(&name.parse().unwrap_or_default(), &DeviceOptions::default())?;
    let plain = Plain::open(&device.info().name)?;
    println!("{}\n", device.info());
    println!("| work | runtime ms | plain wgpu ms | ratio |\n|---|---|---|---|");
    launches(&device, &plain)?;
    transfers(&device, &plain)?;
    println!(
        "\n| copy of {} MiB | ms | of the contiguous speed |",
        BYTES >> 20
    );
    println!("|---|---|---|");
    copies(&device)
}

/// Measures both sides in turns: the least time of each.
fn in_turns(
    mut ours: impl FnMut() -> Result<()>,
    mut theirs: impl FnMut() -> Result<()>,
) -> Result<[Duration; 2]> {
    let mut least = [Duration::MAX; 2];
    for _ in 0..RUNS {
        let start = Instant::now();
        ours()?;
        least[0] = least[0].min(start.elapsed());
        let start = Instant::now();
        theirs()?;
        least[1] = least[1].min(start.elapsed());
    }
    Ok(least)
}

fn row(work: &str, [ours, theirs]: [Duration; 2]) {
    let [ours, theirs] = [ours, theirs].map(|time| time.as_secs_f64() * 1e3);
    println!(
        "| {work} | {ours:.2} | {theirs:.2} | {:.2} |",
        ours / theirs
    );
}

/// Plain wgpu device, the peer of the measurements.
struct Plain {
    device: wgpu::Device,
    queue: wgpu::Queue,
}

impl Plain {
    fn open(name: &str) -> Result<Self> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
        descriptor.flags = wgpu::InstanceFlags::empty();
        let instance = wgpu::Instance::new(descriptor);
        let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
        let adapter = adapters.into_iter().find(|all| all.get_info().name == name);
        let adapter = adapter.ok_or("the device is gone")?;
        let (device, queue) =
            pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
                required_limits: adapter.limits(),
                memory_hints: wgpu::MemoryHints::Performance,
                ..Default::default()
            }))?;
        Ok(Plain { device, queue })
    }

    fn wait(&self) -> Result<()> {
        self.device.poll(wgpu::PollType::wait_indefinitely())?;
        Ok(())
    }

    fn buffer(&self, bytes: usize, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: bytes as u64,
            usage,
            mapped_at_creation: false,
        })
    }

    /// The pipeline of [`STEP`] and its binding of a buffer.
    fn step(&self, buffer: &wgpu::Buffer) -> (wgpu::ComputePipeline, wgpu::BindGroup) {
        let module = self
            .device
            .create_shader_module(wgpu::ShaderModuleDescriptor {
                label: None,
                source: wgpu::ShaderSource::Wgsl(Cow::Borrowed(STEP)),
            });
        let pipeline = self
            .device
            .create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: None,
                layout: None,
                module: &module,
                entry_point: Some("step"),
                compilation_options: Default::default(),
                cache: None,
            });
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: buffer.as_entire_binding(),
            }],
        });
        (pipeline, group)
    }
}

/// Measures a loop of launches, from the first call until all are done.
fn launches(device: &Device, plain: &Plain) -> Result<()> {
    let options = naga::back::spv::Options {
        lang_version: (1, 3),
        ..Default::default()
    };
    let module = naga::front::wgsl::parse_str(STEP)?;
    let (flags, all) = (
        naga::valid::ValidationFlags::all(),
        naga::valid::Capabilities::all(),
    );
    let info = naga::valid::Validator::new(flags, all).validate(&module)?;
    let source = KernelSource {
        name: "step".to_owned(),
        spirv: naga::back::spv::write_vec(&module, &info, &options, None)?,
        entry_point: "step".to_owned(),
        workgroup_size: [64, 1, 1],
        workgroup_memory: 0,
        bindings: vec![Binding {
            access: Access::ReadWrite,
            min_size: 256,
        }],
        params: ParamBlock::NONE,
        fault: None,
        required: FeatureSet::empty(),
    };
    // SAFETY: naga has validated the module, and the description says what stands in its source.
    let kernel = unsafe { device.kernel(&source) }?;
    let numbers = device.buffer_with(&[0; 256])?;
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let theirs = plain.buffer(256, usage);
    let (pipeline, group) = plain.step(&theirs);
    let least = in_turns(
        || {
            for _ in 0..LAUNCHES {
                device.launch(&kernel, [1, 1, 1], &[&numbers], &[])?;
            }
            Ok(device.wait()?)
        },
        || {
            let mut encoder = plain.device.create_command_encoder(&Default::default());
            let mut pass = encoder.begin_compute_pass(&Default::default());
            for _ in 0..LAUNCHES {
                pass.set_pipeline(&pipeline);
                pass.set_bind_group(0, &group, &[]);
                pass.dispatch_workgroups(1, 1, 1);
            }
            drop(pass);
            plain.queue.submit([encoder.finish()]);
            plain.wait()
        },
    )?;
    let mut seen = [0; 4];
    device.download(&numbers, 0, &mut seen)?;
    assert_eq!(u32::from_le_bytes(seen), LAUNCHES * RUNS as u32);
    row(&format!("{LAUNCHES} launches"), least);
    Ok(())
}

/// Measures an upload and a download of the same bytes.
fn transfers(device: &Device, plain: &Plain) -> Result<()> {
    let bytes: Vec<u8> = (0..BYTES).map(|at| (at % 251) as u8).collect();
    let ours = device.buffer_with(&bytes)?;
    let usage =
        wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
    let theirs = plain.buffer(BYTES, usage);
    let least = in_turns(
        || {
            device.upload(&ours, 0, &bytes)?;
            Ok(device.wait()?)
        },
        || {
            plain.queue.write_buffer(&theirs, 0, &bytes);
            plain.queue.submit([]);
            plain.wait()
        },
    )?;
    let size = BYTES >> 20;
    row(&format!("upload of {size} MiB"), least);

    let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
    let staging = plain.buffer(BYTES, usage);
    let (mut first, mut second) = (vec![0; BYTES], vec![0; BYTES]);
    let least = in_turns(
        || Ok(device.download(&ours, 0, &mut first)?),
        || {
            let mut encoder = plain.device.create_command_encoder(&Default::default());
            encoder.copy_buffer_to_buffer(&theirs, 0, &staging, 0, BYTES as u64);
            plain.queue.submit([encoder.finish()]);
            staging.map_async(wgpu::MapMode::Read, .., |_| {});
            plain.wait()?;
            second.copy_from_slice(&staging.get_mapped_range(..)?);
            staging.unmap();
            Ok(())
        },
    )?;
    assert!(
        first == bytes && second == bytes,
        "what went there comes back"
    );
    row(&format!("download of {size} MiB"), least);
    Ok(())
}

/// Measures strided copies between buffers: all of a buffer, rows out of a wider array, every other
/// column, and a transpose.
fn copies(device: &Device) -> Result<()> {
    const SIDE: u64 = 4096;
    assert_eq!(SIDE * SIDE * 4, BYTES as u64);
    let wide = device.buffer(2 * BYTES as u64)?;
    let target = device.buffer(BYTES as u64)?;
    const PACKED: [i64; 2] = [SIDE as i64, 1];
    let [row, _] = PACKED;
    let cases = [
        ("contiguous", PACKED),
        ("rows of a wider array", [2 * row, 1]),
        ("every other column", [2 * row, 2]),
        ("transpose", [1, row]),
    ];
    let mut contiguous = Duration::ZERO;
    for (name, strides) in cases {
        let mut least = Duration::MAX;
        for _ in 0..RUNS {
            let start = Instant::now();
            let side = |buffer, strides| Strided {
                buffer,
                offset: 0,
                strides,
            };
            let (from, to) = (side(&wide, &strides), side(&target, &PACKED));
            device.copy_strided(4, &[SIDE, SIDE], from, to)?;
            device.wait()?;
            least = least.min(start.elapsed());
        }
        if contiguous.is_zero() {
            contiguous = least;
        }
        let share = contiguous.as_secs_f64() / least.as_secs_f64();
        println!("| {name} | {:.2} | {share:.2} |", least.as_secs_f64() * 1e3);
    }
    Ok(())
}
