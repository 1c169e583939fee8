//! Shared state of an opened device.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::adapter::DeviceInfo;
use crate::error::{Error, Result};
use crate::features::FeatureSet;
use crate::health::Health;
use crate::options::DeviceOptions;
use crate::spares::Spares;

/// Opened device: its wgpu handles, limits and features.
#[derive(Debug)]
pub(crate) struct Gpu {
    pub(crate) id: u64,
    pub(crate) raw: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(crate) info: DeviceInfo,
    pub(crate) options: DeviceOptions,
    pub(crate) health: Arc<Health>,
    /// Memory of dropped buffers.
    pub(crate) spares: Arc<Spares>,
    /// The offset alignment of dynamic uniform bindings.
    pub(crate) uniform_alignment: u64,
}

impl Gpu {
    /// Fails with [`Error::BeyondLimit`] if `asked > limit`.
    pub(crate) fn check_limit(
        &self,
        what: impl FnOnce() -> String,
        asked: u64,
        limit: u64,
        limit_name: &'static str,
        remedy: &'static str,
    ) -> Result<()> {
        if asked <= limit {
            return Ok(());
        }
        Err(Error::BeyondLimit {
            what: what(),
            asked,
            limit,
            limit_name,
            device: self.info.to_string(),
            remedy,
        })
    }

    /// Runs calls into wgpu and returns the error they raise, see [`Health::scoped`].
    pub(crate) fn scoped<T>(&self, what: &str, work: impl FnOnce() -> T) -> Result<T> {
        self.health.scoped(&self.raw, what, work)
    }

    /// Waits until all submitted work has ended.
    pub(crate) fn wait(&self) -> Result<()> {
        self.wait_for(None)
    }

    /// Waits until a submission has ended; without one, all submitted work.
    pub(crate) fn wait_for(&self, submission: Option<wgpu::SubmissionIndex>) -> Result<()> {
        (self.health).wait(&self.raw, submission, self.options.timeout)
    }

    /// Whether the device has all of `features`.
    pub(crate) fn has(&self, features: FeatureSet) -> bool {
        self.info.features.contains(features)
    }

    /// Whether SPIR-V goes to the driver as it is, not through naga.
    pub(crate) fn passes_spirv_through(&self) -> bool {
        self.has(FeatureSet::PASSTHROUGH) && !self.options.portable
    }
}

/// A number that no other device, buffer or kernel of this process has.
pub(crate) fn unique_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
