//! Errors of devices and of requests to them, each with cause and way out.

use std::time::Duration;

use crate::features::FeatureSet;

/// The result of every call of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// A refused request or a failed device.
///
/// Requests are checked against the limits and features of the device before they reach the
/// driver, so everything but [`Error::OutOfMemory`], [`Error::DeviceLost`], [`Error::TimedOut`]
/// and [`Error::Driver`] leaves the device as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No device of this machine matches the choice.
    #[error(
        "no GPU device matches '{wanted}' (found: {}); name one of those, or install a driver: \
         mesa-vulkan-drivers 25 or later has a software one that runs anywhere",
        list(found)
    )]
    NoDevice {
        /// The choice as the user would write it.
        wanted: String,
        /// The devices that are there.
        found: Vec<String>,
    },

    /// The driver is known to compute wrong results, and the caller did not ask for it regardless.
    #[error("{device} is refused: {why}; {remedy}")]
    KnownFault {
        /// Device and driver version.
        device: String,
        /// The defect.
        why: &'static str,
        /// The way out.
        remedy: &'static str,
    },

    /// The driver listed the device but would not open it.
    #[error("{device} cannot be opened: {cause}")]
    OpenFailed {
        /// Device and driver version.
        device: String,
        /// The driver's words.
        cause: String,
    },

    /// A kernel needs what the device does not have.
    #[error(
        "kernel '{kernel}' needs {missing}, which {device} does not have; choose another device \
         or other element types"
    )]
    MissingFeature {
        /// The kernel's name.
        kernel: String,
        /// The features that are not there.
        missing: FeatureSet,
        /// Device and driver version.
        device: String,
    },

    /// A request beyond a limit of the device.
    #[error("{what} asks for {asked} but {device} allows at most {limit} ({limit_name}); {remedy}")]
    BeyondLimit {
        /// The quantity, and who asked for it.
        what: String,
        /// The value asked for.
        asked: u64,
        /// The greatest value allowed.
        limit: u64,
        /// The limit's name as graphics interfaces spell it.
        limit_name: &'static str,
        /// Device and driver version.
        device: String,
        /// The way out.
        remedy: &'static str,
    },

    /// A kernel whose description is contradictory, or that the driver refuses.
    #[error("kernel '{kernel}' is not usable: {cause}")]
    BadKernel {
        /// The kernel's name.
        kernel: String,
        /// The reason.
        cause: String,
    },

    /// A launch that does not fit its kernel.
    #[error("launch of kernel '{kernel}' refused: {cause}")]
    BadLaunch {
        /// The kernel's name.
        kernel: String,
        /// The mismatch.
        cause: String,
    },

    /// One buffer bound twice with at least one writer: SPIR-V lets the driver assume that
    /// distinct storage variables never overlap, so the result would be undefined.
    #[error(
        "launch of kernel '{kernel}' binds the same buffer to {first} and {second}, one of them \
         written; bind it once and pass the offsets of its views"
    )]
    Aliased {
        /// The kernel's name.
        kernel: String,
        /// The lower binding index.
        first: u32,
        /// The higher binding index.
        second: u32,
    },

    /// A transfer or copy that leaves its buffer or does not fit its shape.
    #[error("{what} refused: {cause}")]
    BadTransfer {
        /// The operation.
        what: &'static str,
        /// The mismatch.
        cause: String,
    },

    /// The device has no memory left for this.
    #[error("{device} has no memory left for {what}; free buffers or use a smaller problem")]
    OutOfMemory {
        /// The purpose of the memory.
        what: String,
        /// Device and driver version.
        device: String,
    },

    /// The device is gone; its buffers are gone with it, and every later call fails like this.
    #[error(
        "{device} was lost: {reason}; its buffers are lost with it. A kernel that the driver \
         cannot handle or that runs too long is the usual cause: open the device again, and try \
         the interpreter or another driver"
    )]
    DeviceLost {
        /// Device and driver version.
        device: String,
        /// The driver's words.
        reason: String,
    },

    /// Submitted work did not end within [`DeviceOptions::timeout`](crate::options::DeviceOptions).
    #[error("{device} did not finish within {limit:?}; the work goes on, its results are unknown")]
    TimedOut {
        /// Device and driver version.
        device: String,
        /// The limit that passed.
        limit: Duration,
    },

    /// The graphics layer or the driver refused what our own checks let through.
    #[error("{what} failed in the driver of {device}: {cause}")]
    Driver {
        /// The operation.
        what: String,
        /// Device and driver version.
        device: String,
        /// The driver's words.
        cause: String,
    },
}

fn list(names: &[String]) -> String {
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}
