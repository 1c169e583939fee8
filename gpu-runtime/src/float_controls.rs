//! Float controls: a Vulkan driver's promises about floats beyond the rules for all.
//!
//! wgpu asks nobody about `VkPhysicalDeviceFloatControlsProperties`, so this
//! asks the driver itself, through the handles that wgpu gives out. The
//! execution modes the answer permits are part of Vulkan 1.2, in which wgpu
//! opens every device that has it; an older one would need an extension
//! switched on, and is taken to promise nothing.

/// The promises for floats of one width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct FloatControl {
    /// `SignedZeroInfNanPreserve`: NaN, infinities and the signs of zeros count.
    pub preserve_specials: bool,
    /// `DenormPreserve`: subnormal numbers are not flushed to zero.
    pub preserve_denormals: bool,
    /// `RoundingModeRTE`: to nearest, ties to even.
    pub round_to_even: bool,
}

/// The promises of a driver. Without any where SPIR-V does not reach a Vulkan
/// driver untouched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct FloatControls {
    /// For 32-bit floats.
    pub f32: FloatControl,
    /// For 64-bit floats.
    pub f64: FloatControl,
}

impl FloatControls {
    /// Queries the driver of an adapter.
    #[cfg(not(target_vendor = "apple"))]
    pub(crate) fn of(adapter: &wgpu::Adapter) -> FloatControls {
        use ash::vk;

        let mut found = vk::PhysicalDeviceFloatControlsProperties::default();
        let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut found);
        // SAFETY: instance and device belong together and are alive, and both
        // are of Vulkan 1.2, which has this call and this structure.
        let asked = crate::vulkan::ask(adapter, |instance, device| unsafe {
            instance.get_physical_device_properties2(device, &mut all);
        });
        if asked.is_none() {
            return FloatControls::default();
        }
        FloatControls {
            f32: FloatControl {
                preserve_specials: found.shader_signed_zero_inf_nan_preserve_float32 != 0,
                preserve_denormals: found.shader_denorm_preserve_float32 != 0,
                round_to_even: found.shader_rounding_mode_rte_float32 != 0,
            },
            f64: FloatControl {
                preserve_specials: found.shader_signed_zero_inf_nan_preserve_float64 != 0,
                preserve_denormals: found.shader_denorm_preserve_float64 != 0,
                round_to_even: found.shader_rounding_mode_rte_float64 != 0,
            },
        }
    }

    /// No promises: this platform has no Vulkan.
    #[cfg(target_vendor = "apple")]
    pub(crate) fn of(_: &wgpu::Adapter) -> FloatControls {
        FloatControls::default()
    }
}
