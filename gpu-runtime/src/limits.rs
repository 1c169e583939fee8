//! The limits of a device that kernels, buffers and launches are checked against.

/// Limits of a device; all sizes in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Greatest size of one buffer.
    pub buffer_size: u64,
    /// Greatest size of one storage buffer that a kernel can see.
    pub storage_binding_size: u64,
    /// The multiple of bytes in a buffer at which the part of it that a kernel sees may begin.
    pub storage_alignment: u64,
    /// Greatest size of one uniform parameter block; 64 KiB even where the device takes more.
    pub uniform_binding_size: u64,
    /// Greatest size of an immediate parameter block; 0 where there are none.
    pub immediate_size: u32,
    /// Storage buffers one kernel can bind, its fault buffer included.
    pub storage_buffers: u32,
    /// Workgroups of one dispatch along each dimension.
    pub workgroups_per_dimension: u32,
    /// Threads of a workgroup along each dimension.
    pub workgroup_size: [u32; 3],
    /// Threads of a workgroup altogether.
    pub workgroup_threads: u32,
    /// Workgroup memory of one kernel.
    pub workgroup_memory: u32,
    /// Least and greatest number of threads in a subgroup.
    pub subgroup_size: [u32; 2],
}

impl Limits {
    pub(crate) fn new(limits: &wgpu::Limits, info: &wgpu::AdapterInfo) -> Self {
        Self {
            buffer_size: limits.max_buffer_size,
            storage_binding_size: limits.max_storage_buffer_binding_size,
            storage_alignment: limits.min_storage_buffer_offset_alignment.into(),
            uniform_binding_size: limits.max_uniform_buffer_binding_size.min(64 << 10),
            immediate_size: limits.max_immediate_size,
            storage_buffers: limits.max_storage_buffers_per_shader_stage,
            workgroups_per_dimension: limits.max_compute_workgroups_per_dimension,
            workgroup_size: [
                limits.max_compute_workgroup_size_x,
                limits.max_compute_workgroup_size_y,
                limits.max_compute_workgroup_size_z,
            ],
            workgroup_threads: limits.max_compute_invocations_per_workgroup,
            workgroup_memory: limits.max_compute_workgroup_storage_size,
            subgroup_size: [info.subgroup_min_size, info.subgroup_max_size],
        }
    }
}
