//! Peers: hand-written WGSL kernels that run beside gridloom's, on the same device, in the same
//! process, from the same contents.
//!
//! A shader becomes SPIR-V by naga, without the checks that naga adds for foreign shaders, and goes
//! to the device as gridloom's own kernels do, so that only the kernels differ.

use std::time::{Duration, Instant};

use gridloom_gpu_runtime as runtime;
use naga::AddressSpace;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};

use super::array::Array;

/// Hand-written kernel: a shader, and the plan of its launches.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// WGSL without the constants of [`Plan::constants`], which are declared before it.
    pub shader: &'static str,
    /// The launches for arguments of these shapes.
    pub plan: fn(&[Vec<u32>]) -> Plan,
}

/// Launch plan of a hand-written kernel.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Plan {
    /// Constants of the shader, of type `u32`.
    pub constants: Vec<(&'static str, u32)>,
    /// Size of each scratch buffer, in 32-bit words.
    pub scratch: Vec<u32>,
    /// The launches in order.
    pub launches: Vec<Launch>,
}

/// One launch of a hand-written kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// Name of the entry point.
    pub entry: &'static str,
    /// Workgroups.
    pub grid: [u32; 3],
    /// Indices of the buffers bound to 0, 1, …: arguments first, then scratch buffers.
    pub buffers: Vec<usize>,
}

/// Hand-written kernel on a device, with its buffers.
#[derive(Debug)]
pub struct Loaded<'d> {
    device: &'d runtime::Device,
    buffers: Vec<runtime::Buffer>,
    launches: Vec<(runtime::Kernel, [u32; 3], Vec<usize>)>,
}

impl<'d> Loaded<'d> {
    /// Compiles the shader and fills the buffers.
    ///
    /// # Errors
    /// An error of the shader, the device or the driver.
    pub fn new(
        device: &'d runtime::Device,
        name: &str,
        peer: &Peer,
        arguments: &[Array],
    ) -> Result<Self, String> {
        let sizes = |array: &Array| array.shape.iter().map(|&size| size as u32).collect();
        let shapes: Vec<Vec<u32>> = arguments.iter().map(sizes).collect();
        let plan = (peer.plan)(&shapes);
        let shader = Shader::read(peer.shader, &plan.constants)?;
        let mut loaded = Loaded {
            device,
            buffers: Vec::new(),
            launches: Vec::new(),
        };
        for array in arguments {
            let buffer = device.buffer_with(&array.bytes()).map_err(message)?;
            loaded.buffers.push(buffer);
        }
        for &size in &plan.scratch {
            let buffer = device.buffer(u64::from(size) * 4).map_err(message)?;
            loaded.buffers.push(buffer);
        }
        for launch in plan.launches {
            if launch.buffers.iter().any(|&at| at >= loaded.buffers.len()) {
                return Err(format!(
                    "'{}' names a buffer that does not exist",
                    launch.entry
                ));
            }
            let source = shader.kernel(name, launch.entry)?;
            // SAFETY: naga has validated the module; the shader is one of ours, whose accesses
            // stay within the arguments of the shapes that its plan was made for.
            let kernel = unsafe { device.kernel(&source) }.map_err(message)?;
            loaded.launches.push((kernel, launch.grid, launch.buffers));
        }
        Ok(loaded)
    }

    /// Launches the whole plan once and waits for the device.
    ///
    /// # Errors
    /// The device failed.
    pub fn run(&self) -> Result<Duration, String> {
        self.run_in_a_row(1)
    }

    /// Launches the whole plan `times` times and waits once.
    ///
    /// # Errors
    /// The device failed.
    pub fn run_in_a_row(&self, times: usize) -> Result<Duration, String> {
        let start = Instant::now();
        for (kernel, grid, places) in self
            .launches
            .iter()
            .cycle()
            .take(times * self.launches.len())
        {
            let buffers: Vec<&runtime::Buffer> =
                places.iter().map(|&place| &self.buffers[place]).collect();
            self.device
                .launch(kernel, *grid, &buffers, &[])
                .map_err(message)?;
        }
        self.device.wait().map_err(message)?;
        Ok(start.elapsed())
    }

    /// Copies the arguments from the device.
    ///
    /// # Errors
    /// The device failed.
    pub fn read(&self, arguments: &mut [Array]) -> Result<(), String> {
        for (array, buffer) in arguments.iter_mut().zip(&self.buffers) {
            let mut bytes = vec![0; array.len() * 4];
            self.device
                .download(buffer, 0, &mut bytes)
                .map_err(message)?;
            array.set_bytes(&bytes);
        }
        Ok(())
    }
}

fn message(error: runtime::Error) -> String {
    error.to_string()
}

/// Parsed shader: WGSL that naga has read.
struct Shader {
    module: naga::Module,
    info: ModuleInfo,
}

impl Shader {
    fn read(text: &str, constants: &[(&str, u32)]) -> Result<Self, String> {
        let header: String = constants
            .iter()
            .map(|(name, value)| format!("const {name}: u32 = {value}u;\n"))
            .collect();
        let text = header + text;
        let module =
            naga::front::wgsl::parse_str(&text).map_err(|error| error.emit_to_string(&text))?;
        let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
            .validate(&module)
            .map_err(|error| error.emit_to_string(&text))?;
        Ok(Shader { module, info })
    }

    /// Builds the kernel of one entry point.
    fn kernel(&self, name: &str, entry: &str) -> Result<runtime::KernelSource, String> {
        use naga::back::spv::{self, ZeroInitializeWorkgroupMemoryMode};
        let entries = self.module.entry_points.iter();
        let (number, point) = entries
            .enumerate()
            .find(|(_, point)| point.name == entry)
            .ok_or_else(|| format!("the shader of '{name}' has no entry point '{entry}'"))?;
        let options = spv::Options {
            lang_version: (1, 3),
            flags: spv::WriterFlags::empty(),
            bounds_check_policies: naga::proc::BoundsCheckPolicies::default(),
            zero_initialize_workgroup_memory: ZeroInitializeWorkgroupMemoryMode::None,
            force_loop_bounding: false,
            emit_int_div_checks: false,
            ..spv::Options::default()
        };
        let only = spv::PipelineOptions {
            shader_stage: naga::ShaderStage::Compute,
            entry_point: entry.to_owned(),
        };
        let spirv = spv::write_vec(&self.module, &self.info, &options, Some(&only))
            .map_err(|error| format!("'{name}': {error}"))?;
        Ok(runtime::KernelSource {
            name: format!("{name} by hand: {entry}"),
            spirv,
            entry_point: entry.to_owned(),
            workgroup_size: point.workgroup_size,
            workgroup_memory: 0,
            bindings: self.bindings(number),
            params: runtime::ParamBlock::NONE,
            fault: None,
            required: runtime::FeatureSet::empty(),
        })
    }

    /// The storage buffers that an entry point uses, by binding.
    fn bindings(&self, entry: usize) -> Vec<runtime::Binding> {
        let info = self.info.get_entry_point(entry);
        let mut found = Vec::new();
        for (handle, variable) in self.module.global_variables.iter() {
            let (AddressSpace::Storage { access }, Some(at)) = (variable.space, variable.binding)
            else {
                continue;
            };
            if info[handle].is_empty() {
                continue;
            }
            let access = match access.contains(naga::StorageAccess::STORE) {
                true => runtime::Access::ReadWrite,
                false => runtime::Access::ReadOnly,
            };
            let min_size = 4;
            found.push((at.binding, runtime::Binding { access, min_size }));
        }
        found.sort_by_key(|(binding, _)| *binding);
        found.into_iter().map(|(_, binding)| binding).collect()
    }
}
