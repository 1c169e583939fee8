//! Vulkan driver of an adapter, for what wgpu does not tell of it.

use ash::vk;

/// Calls `ask` with the driver's handles; `None` where there is no Vulkan driver of version 1.2, which has the structures of
/// what is asked for.
pub(crate) fn ask<T>(
    adapter: &wgpu::Adapter,
    ask: impl FnOnce(&ash::Instance, vk::PhysicalDevice) -> T,
) -> Option<T> {
    // SAFETY: the adapter outlives this function, and its handle is only asked.
    let hal = unsafe { adapter.as_hal::<wgpu::hal::api::Vulkan>() }?;
    let instance = hal.shared_instance();
    let version = hal.physical_device_capabilities().properties().api_version;
    let is_recent = instance.instance_api_version().min(version) >= vk::API_VERSION_1_2;
    is_recent.then(|| ask(instance.raw_instance(), hal.raw_physical_device()))
}
