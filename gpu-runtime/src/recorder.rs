//! The command stream of a device: launches and copies pile up and are submitted together.
//!
//! On software drivers one dispatch costs about 20 µs inside of a common pass and several times that as a
//! submission of its own, so nothing is submitted before somebody waits, reads, or enough has piled up.
//! wgpu orders commands by their use of buffers, within a pass and between submissions.

use crate::buffer::Window;
use crate::command::{Command, Launch, Params};
use crate::error::Result;
use crate::fault::{self, Fault};
use crate::gpu::Gpu;
use crate::kernel::{Kernel, ParamClass};
use crate::launch::{self, BindGroups, Tile};
use crate::mapping::{Mapping, readable};
use crate::timeline::{Profiler, is_timed};

/// Commands after which a submission is made without anybody asking, so that the device starts
/// to work. A profiled command takes two of at most 4,096 queries, which this stays below.
const MAX_COMMANDS: usize = 1024;

/// The same on hardware, which works beside the host: for the first submission after a wait, and the most to
/// which it doubles with each further one. Recording takes the host some 3 µs a command, in which a device without work
/// is idle, and a submission several times that. On an NVIDIA H200 sums of 64 Mi elements take 0.11 ms in a row by
/// submissions of 1,024 commands, 0.084 by 64 and 0.080 by 16; 500 steps of PolyBench's `fdtd-2d`, four launches
/// each, 8.2 ms, 4.0 and 4.6.
const COMMANDS_OF_HARDWARE: [usize; 2] = [16, 64];

/// Bytes of uniform parameters one submission can hold; no block is larger than 64 KiB.
const UNIFORM_BYTES: u64 = 256 << 10;

/// Command stream: commands recorded and not yet submitted, and faults and times not yet read.
#[derive(Debug)]
pub(crate) struct Recorder {
    commands: Vec<Command>,
    /// Number of commands at which they are submitted.
    most_commands: usize,
    immediates: Vec<u8>,
    uniforms: wgpu::Buffer,
    staged_uniforms: Vec<u8>,
    groups: BindGroups,
    /// Kernels launched since the last wait that may have reported faults.
    suspects: Vec<Kernel>,
    faults: Vec<Fault>,
    pub(crate) profiler: Profiler,
}

impl Recorder {
    pub(crate) fn new(gpu: &Gpu) -> Result<Self> {
        let uniforms = gpu.scoped("the parameter buffer", || {
            gpu.raw.create_buffer(&wgpu::BufferDescriptor {
                label: Some("parameters"),
                size: UNIFORM_BYTES,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        })?;
        Ok(Self {
            commands: Vec::new(),
            most_commands: limits(gpu)[0],
            immediates: Vec::new(),
            uniforms,
            staged_uniforms: Vec::new(),
            groups: BindGroups::default(),
            suspects: Vec::new(),
            faults: Vec::new(),
            profiler: Profiler::default(),
        })
    }

    /// Records a launch, split into dispatches as the kernel allows.
    pub(crate) fn launch(
        &mut self,
        gpu: &Gpu,
        kernel: &Kernel,
        grid: [u32; 3],
        windows: &[Window<'_>],
        params: &[u8],
    ) -> Result<()> {
        gpu.health.check()?;
        launch::check(gpu, kernel, windows, params)?;
        let tiles = launch::tiles(gpu, kernel, grid)?;
        if tiles.is_empty() {
            return Ok(());
        }
        let group = self.groups.get(gpu, kernel, windows, &self.uniforms)?;
        if kernel.inner.fault.is_some()
            && !self.suspects.iter().any(|k| k.inner.id == kernel.inner.id)
        {
            self.suspects.push(kernel.clone());
        }
        for tile in tiles {
            let params = self.stage_params(gpu, kernel, params, tile)?;
            let launch = Launch {
                kernel: kernel.clone(),
                group: group.clone(),
                params,
                grid: tile.size,
            };
            self.push(gpu, Command::Launch(launch))?;
        }
        Ok(())
    }

    /// Records `command`.
    pub(crate) fn push(&mut self, gpu: &Gpu, command: Command) -> Result<()> {
        gpu.health.check()?;
        self.commands.push(command);
        if self.commands.len() >= self.most_commands {
            let [_, most] = limits(gpu);
            self.most_commands = (self.most_commands * 2).min(most);
            self.submit(gpu)?;
        }
        Ok(())
    }

    /// Keeps the parameters of one dispatch until the submission.
    fn stage_params(
        &mut self,
        gpu: &Gpu,
        kernel: &Kernel,
        params: &[u8],
        tile: Tile,
    ) -> Result<Params> {
        let block = &kernel.inner.source.params;
        let staged = match block.class {
            ParamClass::None => return Ok(Params::None),
            ParamClass::Immediates => &mut self.immediates,
            ParamClass::Uniform { .. } => self.room_for_uniform(gpu, block.uniform_span())?,
        };
        let start = staged.len();
        staged.extend_from_slice(params);
        if let Some(field) = block.grid_origin {
            let field = start + field as usize;
            let bytes = tile.origin.map(u32::to_ne_bytes);
            // The field lies inside of the block, which is as long as `params`: both were checked.
            if let Some(slot) = staged.get_mut(field..field + 12) {
                slot.copy_from_slice(bytes.as_flattened());
            }
        }
        Ok(match block.class {
            // Below UNIFORM_BYTES.
            ParamClass::Uniform { .. } => Params::Uniform(start as u32),
            _ => Params::Immediates(start..staged.len()),
        })
    }

    /// The staged uniform parameters, padded so that a block of `span` bytes can be appended.
    fn room_for_uniform(&mut self, gpu: &Gpu, span: u64) -> Result<&mut Vec<u8>> {
        let align = |staged: &[u8]| (staged.len() as u64).next_multiple_of(gpu.uniform_alignment);
        if align(&self.staged_uniforms) + span > UNIFORM_BYTES {
            self.submit(gpu)?;
        }
        let start = align(&self.staged_uniforms) as usize;
        self.staged_uniforms.resize(start, 0);
        Ok(&mut self.staged_uniforms)
    }

    /// Hands what is recorded to the device, without waiting.
    pub(crate) fn submit(&mut self, gpu: &Gpu) -> Result<()> {
        if self.commands.is_empty() {
            return gpu.health.check();
        }
        let commands = std::mem::take(&mut self.commands);
        let immediates = std::mem::take(&mut self.immediates);
        let uniforms = std::mem::take(&mut self.staged_uniforms);
        gpu.scoped("submitting work", || {
            if !uniforms.is_empty() {
                // Blocks are multiples of 4 bytes at aligned offsets, as the queue demands.
                gpu.queue.write_buffer(&self.uniforms, 0, &uniforms);
            }
            let mut encoder = gpu.raw.create_command_encoder(&Default::default());
            self.profiler.begin(gpu, &commands);
            encode(gpu, &mut encoder, &commands, &immediates, &self.profiler);
            let profiled = self.profiler.end(gpu, &mut encoder);
            gpu.queue.submit([encoder.finish()]);
            profiled
        })?
    }

    /// Submits the recorded commands, requests `mapping` behind them, if given, and waits for all
    /// of it. Collects faults and times.
    pub(crate) fn finish<T>(
        &mut self,
        gpu: &Gpu,
        mapping: impl FnOnce(&Gpu) -> Result<T>,
    ) -> Result<T> {
        let suspects = std::mem::take(&mut self.suspects);
        let faults = self.stage_faults(gpu, &suspects)?;
        self.submit(gpu)?;
        [self.most_commands, _] = limits(gpu);
        let mapping = mapping(gpu)?;
        let faults = faults
            .map(|staging| Mapping::whole(gpu, &staging))
            .transpose()?;
        self.profiler.map(gpu)?;
        gpu.wait()?;
        if let Some(faults) = faults {
            self.faults.extend(faults.read(gpu, |words| {
                let reports = suspects
                    .iter()
                    .zip(words.chunks_exact(fault::BYTES as usize));
                reports
                    .filter_map(|(kernel, words)| Fault::read(kernel.name(), words))
                    .collect::<Vec<_>>()
            })?);
        }
        self.profiler.collect(gpu)?;
        Ok(mapping)
    }

    /// Records copies of the fault words of `suspects` into one readable buffer, and their reset.
    fn stage_faults(&mut self, gpu: &Gpu, suspects: &[Kernel]) -> Result<Option<wgpu::Buffer>> {
        if suspects.is_empty() {
            return Ok(None);
        }
        let staging = readable(gpu, suspects.len() as u64 * fault::BYTES)?;
        let buffers = suspects
            .iter()
            .filter_map(|kernel| kernel.inner.fault.as_ref());
        for (slot, buffer) in (0..).zip(buffers) {
            self.push(
                gpu,
                Command::Copy {
                    from: buffer.clone(),
                    from_offset: 0,
                    to: staging.clone(),
                    to_offset: slot * fault::BYTES,
                    bytes: fault::BYTES,
                },
            )?;
            self.push(
                gpu,
                Command::Clear {
                    buffer: buffer.clone(),
                    offset: 0,
                    bytes: fault::BYTES,
                },
            )?;
        }
        Ok(Some(staging))
    }

    /// The faults gathered so far.
    pub(crate) fn take_faults(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.faults)
    }

    /// Frees buffers that only cached bindings hold.
    pub(crate) fn release(&mut self) {
        self.groups.clear();
    }
}

/// The numbers of commands of the first submission after a wait, and of later ones.
fn limits(gpu: &Gpu) -> [usize; 2] {
    match gpu.info.is_software() {
        true => [MAX_COMMANDS; 2],
        false => COMMANDS_OF_HARDWARE,
    }
}

/// Encodes `commands` in order; neighbouring launches share a pass unless they are timed.
fn encode(
    gpu: &Gpu,
    encoder: &mut wgpu::CommandEncoder,
    commands: &[Command],
    immediates: &[u8],
    profiler: &Profiler,
) {
    let mut number = 0;
    let same_kind = |a: &Command, b: &Command| {
        !profiler.is_timing() && matches!((a, b), (Command::Launch(_), Command::Launch(_)))
    };
    for run in commands.chunk_by(same_kind) {
        if let [Command::Copy { .. } | Command::Clear { .. }] = run {
            profiler.stamp(gpu, encoder, number, false);
        }
        match run {
            [
                Command::Copy {
                    from,
                    from_offset,
                    to,
                    to_offset,
                    bytes,
                },
            ] => {
                encoder.copy_buffer_to_buffer(from, *from_offset, to, *to_offset, *bytes);
                profiler.stamp(gpu, encoder, number, true);
            }
            [
                Command::Clear {
                    buffer,
                    offset,
                    bytes,
                },
            ] => {
                encoder.clear_buffer(buffer, *offset, Some(*bytes));
                profiler.stamp(gpu, encoder, number, true);
            }
            launched => {
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                    label: None,
                    timestamp_writes: profiler.writes(number),
                });
                for command in launched {
                    if let Command::Launch(launch) = command {
                        dispatch(&mut pass, launch, immediates);
                    }
                }
            }
        }
        // At most MAX_COMMANDS.
        number += run.iter().filter(|command| is_timed(gpu, command)).count() as u32;
    }
}

fn dispatch(pass: &mut wgpu::ComputePass<'_>, launch: &Launch, immediates: &[u8]) {
    pass.set_pipeline(&launch.kernel.inner.pipeline);
    match &launch.params {
        Params::None => pass.set_bind_group(0, &launch.group, &[]),
        Params::Uniform(offset) => pass.set_bind_group(0, &launch.group, &[*offset]),
        Params::Immediates(range) => {
            pass.set_bind_group(0, &launch.group, &[]);
            pass.set_immediates(0, immediates.get(range.clone()).unwrap_or_default());
        }
    }
    let [x, y, z] = launch.grid;
    pass.dispatch_workgroups(x, y, z);
}
