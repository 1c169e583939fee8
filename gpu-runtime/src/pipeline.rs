//! Pipelines: compiles a checked kernel description to the driver's objects.

use std::borrow::Cow;
use std::num::NonZeroU64;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::fault;
use crate::gpu::{Gpu, unique_id};
use crate::kernel::{Access, Kernel, KernelInner, KernelSource, ParamClass};

/// The code of a kernel.
pub(crate) enum Code<'a> {
    /// The words of the source itself, from a compiler.
    Spirv,
    /// A shader of this crate.
    Wgsl(&'a str),
}

/// Compiles `source`.
///
/// # Safety
///
/// With [`Code::Spirv`], the words are a valid module that stays within its buffers: they may
/// reach the driver unchecked.
pub(crate) unsafe fn compile(gpu: &Gpu, source: &KernelSource, code: Code<'_>) -> Result<Kernel> {
    let what = format!("compiling kernel '{}'", source.name);
    let compiled = gpu.scoped(&what, || {
        let layout = bind_group_layout(gpu, source);
        // SAFETY: handed on to the caller.
        let module = unsafe { module(gpu, source, code) };
        let pipeline = pipeline(gpu, source, &layout, &module);
        let fault = source.fault.map(|_| fault::buffer(&gpu.raw));
        (layout, pipeline, fault)
    });
    let (layout, pipeline, fault) = compiled.map_err(|error| match error {
        Error::Driver { cause, .. } => Error::BadKernel {
            kernel: source.name.clone(),
            cause,
        },
        other => other,
    })?;
    Ok(Kernel {
        inner: Arc::new(KernelInner {
            id: unique_id(),
            device: gpu.id,
            source: source.clone(),
            pipeline,
            layout,
            fault,
        }),
    })
}

fn bind_group_layout(gpu: &Gpu, source: &KernelSource) -> wgpu::BindGroupLayout {
    // Without a least size in the layout, wgpu compares each buffer with what a translated module
    // really needs; what the compiler asked for is checked at launch.
    let storage = |binding: u32, read_only: bool| {
        let ty = wgpu::BufferBindingType::Storage { read_only };
        entry(binding, ty, false, 0)
    };
    let mut entries: Vec<_> = (0..)
        .zip(&source.bindings)
        .map(|(i, b)| storage(i, b.access == Access::ReadOnly))
        .collect();
    if let ParamClass::Uniform { binding } = source.params.class {
        let ty = wgpu::BufferBindingType::Uniform;
        entries.push(entry(binding, ty, true, source.params.uniform_span()));
    }
    if let Some(binding) = source.fault {
        entries.push(storage(binding, false));
    }
    gpu.raw
        .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some(&source.name),
            entries: &entries,
        })
}

fn entry(
    binding: u32,
    ty: wgpu::BufferBindingType,
    has_dynamic_offset: bool,
    min_size: u64,
) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset,
            min_binding_size: NonZeroU64::new(min_size),
        },
        count: None,
    }
}

/// # Safety
///
/// As for [`compile`].
unsafe fn module(gpu: &Gpu, source: &KernelSource, code: Code<'_>) -> wgpu::ShaderModule {
    let label = Some(source.name.as_str());
    match code {
        Code::Wgsl(text) => gpu.raw.create_shader_module(wgpu::ShaderModuleDescriptor {
            label,
            source: wgpu::ShaderSource::Wgsl(Cow::Borrowed(text)),
        }),
        Code::Spirv if gpu.passes_spirv_through() => {
            let [x, y, z] = source.workgroup_size;
            let entry_points = [wgpu::PassthroughShaderEntryPoint {
                name: Cow::Borrowed(source.entry_point.as_str()),
                workgroup_size: (x, y, z),
            }];
            let descriptor = wgpu::ShaderModuleDescriptorPassthrough {
                label,
                entry_points: Cow::Borrowed(&entry_points),
                spirv: Some(Cow::Borrowed(&source.spirv)),
                ..Default::default()
            };
            // SAFETY: the caller vouches for the words.
            unsafe { gpu.raw.create_shader_module_passthrough(descriptor) }
        }
        Code::Spirv => {
            let descriptor = wgpu::ShaderModuleDescriptor {
                label,
                source: wgpu::ShaderSource::SpirV(Cow::Borrowed(&source.spirv)),
            };
            // Kernels carry the guards they need; naga's would come on top of every access, loop
            // and division.
            // SAFETY: the caller vouches that the module stays within its buffers.
            unsafe {
                gpu.raw.create_shader_module_trusted(
                    descriptor,
                    wgpu::ShaderRuntimeChecks::unchecked(),
                )
            }
        }
    }
}

fn pipeline(
    gpu: &Gpu,
    source: &KernelSource,
    layout: &wgpu::BindGroupLayout,
    module: &wgpu::ShaderModule,
) -> wgpu::ComputePipeline {
    let label = Some(source.name.as_str());
    let immediate_size = match source.params.class {
        ParamClass::Immediates => source.params.size,
        ParamClass::None | ParamClass::Uniform { .. } => 0,
    };
    let layout = gpu
        .raw
        .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: &[Some(layout)],
            immediate_size,
        });
    gpu.raw
        .create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label,
            layout: Some(&layout),
            module,
            entry_point: Some(&source.entry_point),
            compilation_options: wgpu::PipelineCompilationOptions {
                // Workgroup memory is undefined at first in SPIR-V too; the compiler's own code
                // writes what it reads.
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        })
}
