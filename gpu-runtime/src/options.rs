//! Options of opening a device.

use std::time::Duration;

use crate::features::FeatureSet;

/// Options of opening a device.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeviceOptions {
    /// Send kernels through naga even where the driver reads SPIR-V, as on other backends.
    pub portable: bool,
    /// Open a device whose driver is known to compute wrong results.
    pub allow_known_faults: bool,
    /// Features to do without although the device has them, as if it were a lesser one.
    pub without: FeatureSet,
    /// The most bytes of a storage buffer that a kernel sees at once, where that is less than the
    /// device's own limit, as if it were a lesser one.
    pub binding_limit: Option<u64>,
    /// Time after which one wait fails with [`Error::TimedOut`](crate::Error::TimedOut); waits for
    /// ever when `None`.
    pub timeout: Option<Duration>,
}
