//! Copy shaders: the kernels that copy strided boxes.

use std::sync::OnceLock;

use crate::error::Result;
use crate::features::FeatureSet;
use crate::gpu::Gpu;
use crate::kernel::{Access, Binding, Kernel, KernelSource, ParamBlock};
use crate::pipeline::{self, Code};

/// Threads of a workgroup of the copy shaders.
pub(crate) const WORKGROUP: u32 = 64;

/// The copy shaders of a device, compiled when first needed.
#[derive(Debug, Default)]
pub(crate) struct Copiers {
    words: OnceLock<Kernel>,
    bytes: OnceLock<Kernel>,
}

impl Copiers {
    /// The shader that copies units of `unit` bytes.
    pub(crate) fn get(&self, gpu: &Gpu, unit: Unit) -> Result<Kernel> {
        let (slot, name, text) = match unit {
            Unit::Word => (
                &self.words,
                "strided_copy_words",
                include_str!("../../shaders/strided_copy_words.wgsl"),
            ),
            Unit::Byte => (
                &self.bytes,
                "strided_copy_bytes",
                include_str!("../../shaders/strided_copy_bytes.wgsl"),
            ),
        };
        if let Some(kernel) = slot.get() {
            return Ok(kernel.clone());
        }
        let bind = |access| Binding {
            access,
            min_size: 0,
        };
        let source = KernelSource {
            name: name.to_owned(),
            spirv: Vec::new(),
            entry_point: "main".to_owned(),
            workgroup_size: [WORKGROUP, 1, 1],
            workgroup_memory: 0,
            bindings: vec![bind(Access::ReadOnly), bind(Access::ReadWrite)],
            params: ParamBlock::uniform(2, 68),
            fault: None,
            required: FeatureSet::empty(),
        };
        // SAFETY: our own shader, with naga's bounds checks.
        let kernel = unsafe { pipeline::compile(gpu, &source, Code::Wgsl(text)) }?;
        // Two threads may compile it; either result is good.
        Ok(slot.get_or_init(|| kernel).clone())
    }
}

/// Unit that a thread of a copy shader moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Word,
    Byte,
}

impl Unit {
    pub(crate) fn bytes(self) -> u64 {
        match self {
            Self::Word => 4,
            Self::Byte => 1,
        }
    }
}
