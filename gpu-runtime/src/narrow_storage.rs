//! Narrow storage: elements of 8 and 16 bits in storage buffers. wgpu does not know the former, and has the latter only
//! together with arithmetic, so this asks the driver itself and opens the device through wgpu's Vulkan layer.

use crate::features::FeatureSet;
#[cfg(not(target_vendor = "apple"))]
use crate::vulkan;

/// The features of narrow storage.
const NARROW: FeatureSet = FeatureSet::STORAGE8.union(FeatureSet::STORAGE16);

/// A device and its queue, or the reason why it cannot be opened.
type Opened = std::result::Result<(wgpu::Device, wgpu::Queue), wgpu::RequestDeviceError>;

/// Opens a device with `features`. Narrow storage leaves them where the driver takes everything but that.
pub(crate) fn open(
    adapter: &wgpu::Adapter,
    features: &mut FeatureSet,
    descriptor: &wgpu::DeviceDescriptor<'_>,
) -> Opened {
    if features.contains(FeatureSet::ADDRESSES) && !features.contains(FeatureSet::I16) {
        *features -= FeatureSet::STORAGE16;
    }
    if features.intersects(NARROW) {
        match with_storage(adapter, *features, descriptor) {
            Some(opened) => return opened,
            None => *features -= NARROW,
        }
    }
    pollster::block_on(adapter.request_device(descriptor))
}

/// Narrow storage of an adapter: none where it is no Vulkan driver of version 1.2, in which both are.
#[cfg(not(target_vendor = "apple"))]
pub(crate) fn of(adapter: &wgpu::Adapter) -> FeatureSet {
    use ash::vk;

    let mut bytes = vk::PhysicalDevice8BitStorageFeatures::default();
    let mut pairs = vk::PhysicalDevice16BitStorageFeatures::default();
    let mut small = vk::PhysicalDeviceShaderFloat16Int8Features::default();
    let all = vk::PhysicalDeviceFeatures2::default();
    let all = all.push_next(&mut bytes).push_next(&mut pairs);
    let mut all = all.push_next(&mut small);
    // SAFETY: instance and device belong together and are alive, and both are of Vulkan 1.2, which has this call and
    // these structures.
    let asked = vulkan::ask(adapter, |instance, device| unsafe {
        instance.get_physical_device_features2(device, &mut all);
    });
    if asked.is_none() {
        return FeatureSet::empty();
    }
    let has_pair_integers = all.features.shader_int16 != vk::FALSE;
    let mut found = FeatureSet::empty();
    // Kernels that reach buffers by addresses need the integers as well; devices have both or neither. wgpu switches on
    // those of 8 bits wherever they are.
    found.set(
        FeatureSet::STORAGE8,
        bytes.storage_buffer8_bit_access != vk::FALSE && small.shader_int8 != vk::FALSE,
    );
    found.set(
        FeatureSet::STORAGE16,
        pairs.storage_buffer16_bit_access != vk::FALSE && has_pair_integers,
    );
    found
}

/// No narrow storage: this platform has no Vulkan.
#[cfg(target_vendor = "apple")]
pub(crate) fn of(_: &wgpu::Adapter) -> FeatureSet {
    FeatureSet::empty()
}

/// Opens a Vulkan device as wgpu does, with the features that it leaves out; `None` where the driver refuses.
#[cfg(not(target_vendor = "apple"))]
fn with_storage(
    adapter: &wgpu::Adapter,
    features: FeatureSet,
    descriptor: &wgpu::DeviceDescriptor<'_>,
) -> Option<Opened> {
    use ash::vk;
    use wgpu::hal::api::Vulkan;
    use wgpu::hal::vulkan::CreateDeviceCallback;

    let mut bytes = vk::PhysicalDevice8BitStorageFeatures::default();
    bytes = bytes.storage_buffer8_bit_access(true);
    let mut pairs = vk::PhysicalDevice16BitStorageFeatures::default();
    pairs = pairs.storage_buffer16_bit_access(true);
    let has_bytes = features.contains(FeatureSet::STORAGE8);
    // wgpu asks for 16-bit storage itself together with 16-bit types, and no structure may be there twice.
    let is_asked_for = features.intersects(FeatureSet::F16 | FeatureSet::I16);
    let has_pairs = features.contains(FeatureSet::STORAGE16) && !is_asked_for;
    let added = (&mut bytes, &mut pairs);
    let add: Box<CreateDeviceCallback<'_>> = Box::new(move |args| {
        let mut info = std::mem::take(args.create_info);
        if has_bytes {
            info = info.push_next(added.0);
        }
        if has_pairs {
            info = info.push_next(added.1);
        }
        *args.create_info = info;
    });
    // SAFETY: the adapter outlives the call; the device is opened with features that it has, of which the callback
    // only adds some.
    let opened = unsafe {
        adapter.as_hal::<Vulkan>()?.open_with_callback(
            descriptor.required_features,
            &descriptor.required_limits,
            &descriptor.memory_hints,
            Some(add),
        )
    };
    // SAFETY: the device was opened from this adapter with the features of the descriptor.
    Some(unsafe { adapter.create_device_from_hal(opened.ok()?, descriptor) })
}

/// Opens nothing: this platform has no Vulkan.
#[cfg(target_vendor = "apple")]
fn with_storage(
    _: &wgpu::Adapter,
    _: FeatureSet,
    _: &wgpu::DeviceDescriptor<'_>,
) -> Option<Opened> {
    None
}
