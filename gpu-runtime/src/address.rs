//! Device addresses of buffers, for which wgpu has no call: this asks the driver itself, through the
//! handles that wgpu gives out.

use crate::gpu::Gpu;

/// The device address of a buffer that was made with one; `None` where the device is none of Vulkan's.
#[cfg(not(target_vendor = "apple"))]
pub(crate) fn of(gpu: &Gpu, buffer: &wgpu::Buffer) -> Option<u64> {
    use ash::vk;

    // SAFETY: buffer and device outlive this function, and their handles are only asked for an
    // address.
    let (buffer, device) = unsafe {
        let buffer = buffer.as_hal::<wgpu::hal::api::Vulkan>()?;
        let device = gpu.raw.as_hal::<wgpu::hal::api::Vulkan>()?;
        (buffer, device)
    };
    // SAFETY: as above.
    let raw = unsafe { buffer.raw_handle() };
    let asked = vk::BufferDeviceAddressInfo::default().buffer(raw);
    // SAFETY: drivers with the feature (see `Quirk::FastAddresses`) have Vulkan 1.2 or later, which has the call;
    // the device has addresses switched on with acceleration structures, and the buffer has the usage.
    Some(unsafe { device.raw_device().get_buffer_device_address(&asked) })
}

/// No addresses: this platform has no Vulkan.
#[cfg(target_vendor = "apple")]
pub(crate) fn of(_: &Gpu, _: &wgpu::Buffer) -> Option<u64> {
    None
}
