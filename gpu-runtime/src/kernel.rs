//! Kernel ABI: the description of a kernel by its compiler, and its check against a device.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::features::FeatureSet;
use crate::gpu::Gpu;

/// A compute kernel as its compiler describes it.
///
/// All resources are in descriptor set 0. Storage buffer `i` of a launch is binding `i`; a
/// uniform parameter block and the fault buffer, where there are any, take the next bindings, in
/// either order. There are no gaps: wgpu 30 renumbers the bindings of a set from 0, and a module
/// that passes through untouched would miss its buffers (lavapipe then reads nothing, SwiftShader
/// crashes).
///
/// The module's promises on Vulkan: logical addressing and the GLSL450 memory model, for wgpu
/// switches on neither physical storage pointers nor the Vulkan memory model; storage variables
/// that do not overlap; 8-bit storage not used (see [`FeatureSet`]).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KernelSource {
    /// The name used in messages and profiles.
    pub name: String,
    /// The SPIR-V module, in words.
    pub spirv: Vec<u32>,
    /// The entry point to launch.
    pub entry_point: String,
    /// Threads of a workgroup along x, y and z, as the module declares them.
    pub workgroup_size: [u32; 3],
    /// Bytes of workgroup memory the module declares.
    pub workgroup_memory: u32,
    /// The storage buffers: element `i` describes binding `i` of set 0.
    pub bindings: Vec<Binding>,
    /// The parameter block.
    pub params: ParamBlock,
    /// The binding of the fault buffer, for kernels that report faults. The runtime provides it:
    /// four `u32` words, zero at first. Word 0 becomes 1 + the site of the first fault (by
    /// compare-exchange with 0), word 1 counts faults, words 2 and 3 are the kernel's to use. See
    /// [`Fault`](crate::Fault).
    pub fault: Option<u32>,
    /// Features that the kernel needs.
    pub required: FeatureSet,
}

/// One storage buffer of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Binding {
    /// The kernel's access to the buffer. A binding that is [`Access::ReadOnly`] here must be
    /// `NonWritable` in the module, and the other way round.
    pub access: Access,
    /// The least size in bytes that the kernel relies on.
    pub min_size: u64,
}

/// Access of a kernel to a storage buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// The kernel only reads the buffer.
    ReadOnly,
    /// The kernel may write the buffer.
    ReadWrite,
}

/// Parameter block: the scalars, sizes, offsets and strides of a launch.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ParamBlock {
    /// The storage that the block reaches the kernel through.
    pub class: ParamClass,
    /// Size of the block in bytes, a multiple of 4; 0 exactly for [`ParamClass::None`].
    pub size: u32,
    /// For kernels that can be split: the byte offset of three consecutive `u32` fields to which
    /// the runtime writes the origin of the dispatch in workgroups (x, y, z). The kernel adds it
    /// to its workgroup id. Grids beyond the device's workgroups per dimension are then launched
    /// as several dispatches; without it they are refused.
    pub grid_origin: Option<u32>,
}

impl ParamBlock {
    /// No parameters.
    pub const NONE: Self = Self {
        class: ParamClass::None,
        size: 0,
        grid_origin: None,
    };

    /// `size` bytes of immediates, not splittable.
    pub const fn immediates(size: u32) -> Self {
        Self {
            class: ParamClass::Immediates,
            size,
            grid_origin: None,
        }
    }

    /// A uniform block of `size` bytes at `binding`, not splittable.
    pub const fn uniform(binding: u32, size: u32) -> Self {
        Self {
            class: ParamClass::Uniform { binding },
            size,
            grid_origin: None,
        }
    }

    /// The bytes the uniform binding covers: SPIR-V rounds block sizes up to 16.
    pub(crate) fn uniform_span(&self) -> u64 {
        u64::from(self.size).next_multiple_of(16)
    }
}

/// Storage that a parameter block reaches its kernel through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParamClass {
    /// No parameter block.
    None,
    /// A block in the push-constant storage class, at offset 0. Needs [`FeatureSet::IMMEDIATES`].
    Immediates,
    /// A uniform block in set 0.
    Uniform {
        /// Its binding, above those of the storage buffers.
        binding: u32,
    },
}

/// A kernel compiled for a device. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Kernel {
    pub(crate) inner: Arc<KernelInner>,
}

#[derive(Debug)]
pub(crate) struct KernelInner {
    pub(crate) id: u64,
    pub(crate) device: u64,
    pub(crate) source: KernelSource,
    pub(crate) pipeline: wgpu::ComputePipeline,
    pub(crate) layout: wgpu::BindGroupLayout,
    /// Four words that launches report faults to.
    pub(crate) fault: Option<wgpu::Buffer>,
}

impl Kernel {
    /// The name its source gave.
    pub fn name(&self) -> &str {
        &self.inner.source.name
    }

    /// The description it was made from; the SPIR-V words included.
    pub fn source(&self) -> &KernelSource {
        &self.inner.source
    }
}

impl KernelSource {
    /// Checks the description against itself and the device; what needs compilation comes later.
    pub(crate) fn check(&self, gpu: &Gpu) -> Result<()> {
        self.check_features(gpu)?;
        self.check_words()?;
        self.check_workgroup(gpu)?;
        self.check_bindings(gpu)?;
        self.check_params(gpu)
    }

    fn bad(&self, cause: impl Into<String>) -> Error {
        Error::BadKernel {
            kernel: self.name.clone(),
            cause: cause.into(),
        }
    }

    fn check_features(&self, gpu: &Gpu) -> Result<()> {
        let mut required = self.required;
        if self.params.class == ParamClass::Immediates {
            required |= FeatureSet::IMMEDIATES;
        }
        let missing = required - gpu.info.features;
        if missing.is_empty() {
            return Ok(());
        }
        Err(Error::MissingFeature {
            kernel: self.name.clone(),
            missing,
            device: gpu.info.to_string(),
        })
    }

    /// A driver handed something that is no SPIR-V at all may crash the process; this catches the
    /// mix-ups (empty, text, wrong byte order), not malformed modules.
    fn check_words(&self) -> Result<()> {
        const MAGIC: u32 = 0x0723_0203;
        const HEADER_WORDS: usize = 5;
        if self.spirv.len() < HEADER_WORDS || self.spirv.first() != Some(&MAGIC) {
            return Err(self.bad("its words do not begin with a SPIR-V header"));
        }
        if self.entry_point.is_empty() {
            return Err(self.bad("it names no entry point"));
        }
        Ok(())
    }

    fn check_workgroup(&self, gpu: &Gpu) -> Result<()> {
        let limits = &gpu.info.limits;
        let what = |part: &str| format!("kernel '{}': {part}", self.name);
        let smaller = "use a smaller workgroup";
        let sides = self.workgroup_size.iter().zip(limits.workgroup_size);
        for (axis, (&size, limit)) in ["x", "y", "z"].iter().zip(sides) {
            if size == 0 {
                return Err(self.bad(format!("its workgroup is empty along {axis}")));
            }
            gpu.check_limit(
                || what(&format!("workgroup size along {axis}")),
                size.into(),
                limit.into(),
                "maxComputeWorkgroupSize",
                smaller,
            )?;
        }
        // Each side is below 2^32 and was just checked against small limits; widened regardless.
        let threads: u128 = self.workgroup_size.iter().map(|&n| u128::from(n)).product();
        gpu.check_limit(
            || what("threads of a workgroup"),
            u64::try_from(threads).unwrap_or(u64::MAX),
            limits.workgroup_threads.into(),
            "maxComputeWorkgroupInvocations",
            smaller,
        )?;
        gpu.check_limit(
            || what("bytes of workgroup memory"),
            self.workgroup_memory.into(),
            limits.workgroup_memory.into(),
            "maxComputeSharedMemorySize",
            "use smaller tiles",
        )
    }

    fn check_bindings(&self, gpu: &Gpu) -> Result<()> {
        let buffers = self.bindings.len() as u64;
        gpu.check_limit(
            || format!("kernel '{}': number of storage buffers", self.name),
            buffers + u64::from(self.fault.is_some()),
            gpu.info.limits.storage_buffers.into(),
            "maxPerStageDescriptorStorageBuffers",
            "pass fewer buffers",
        )?;
        let uniform = match self.params.class {
            ParamClass::Uniform { binding } => Some(binding),
            ParamClass::None | ParamClass::Immediates => None,
        };
        let mut blocks: Vec<_> = uniform.into_iter().chain(self.fault).collect();
        blocks.sort_unstable();
        if (buffers..)
            .zip(&blocks)
            .all(|(free, &taken)| free == u64::from(taken))
        {
            return Ok(());
        }
        Err(self.bad(format!(
            "its parameter and fault blocks take bindings {blocks:?}; they have to follow the \
             {buffers} storage buffers without a gap"
        )))
    }

    fn check_params(&self, gpu: &Gpu) -> Result<()> {
        let ParamBlock {
            class,
            size,
            grid_origin,
        } = self.params;
        if (class == ParamClass::None) != (size == 0) || !size.is_multiple_of(4) {
            return Err(self.bad(format!(
                "a parameter block of {size} bytes is not valid: the size has to be a positive \
                 multiple of 4, or 0 with ParamClass::None"
            )));
        }
        if let Some(origin) = grid_origin
            && (!origin.is_multiple_of(4) || u64::from(origin) + 12 > u64::from(size))
        {
            return Err(self.bad("its grid origin lies outside of its parameter block"));
        }
        let limits = &gpu.info.limits;
        let (limit, limit_name) = match class {
            ParamClass::None => return Ok(()),
            ParamClass::Immediates => (limits.immediate_size.into(), "maxPushConstantsSize"),
            ParamClass::Uniform { .. } => (limits.uniform_binding_size, "maxUniformBufferRange"),
        };
        gpu.check_limit(
            || format!("kernel '{}': bytes of parameters", self.name),
            size.into(),
            limit,
            limit_name,
            "pass large blocks as a uniform, larger ones as a buffer",
        )
    }
}
