//! Launches that a device does not support, as opposed to launches that fail.
//!
//! An unsupported launch changes nothing, so the interpreter can run it; a failure of the device
//! ends the run.

use gridloom_gpu_runtime as runtime;
use gridloom_interp::{AccessError, FaultKind};
use gridloom_ir::Loc;
use gridloom_ir::diag::{Diagnostic, Diagnostics};

/// Reason why a launch does not run on the device.
#[derive(Debug)]
pub enum Stop {
    /// The device does not support the launch; the interpreter can run it.
    Lack(Diagnostic),
    /// The run ends with a fault.
    Fault(FaultKind),
}

impl From<FaultKind> for Stop {
    fn from(kind: FaultKind) -> Self {
        Stop::Fault(kind)
    }
}

impl From<AccessError> for Stop {
    fn from(error: AccessError) -> Self {
        Stop::Fault(error.into())
    }
}

impl From<runtime::Error> for Stop {
    fn from(error: runtime::Error) -> Self {
        use runtime::Error::{BadKernel, BeyondLimit, MissingFeature, OutOfMemory};
        match error {
            MissingFeature { .. } | BeyondLimit { .. } | BadKernel { .. } | OutOfMemory { .. } => {
                Stop::Lack(Diagnostic::remark(Loc::UNKNOWN, error.to_string()))
            }
            failed => Stop::Fault(super::device_error(failed)),
        }
    }
}

/// Converts the compiler's errors for this device: the first one, which has a location.
pub fn of_compiler(found: Diagnostics, device: &runtime::DeviceInfo) -> Stop {
    let mut first = (found.iter().next().cloned())
        .unwrap_or_else(|| Diagnostic::remark(Loc::UNKNOWN, "it cannot be compiled"));
    first.message = format!("{} ({device})", first.message);
    Stop::Lack(first)
}
