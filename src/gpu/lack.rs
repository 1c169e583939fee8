//! Lacks of a device: launches that it does not take, told apart from those that fail.
//!
//! A launch that the device lacks something for leaves it as it was, so the
//! machine can run it; a failure of the device ends the run.

use gridloom_gpu_runtime as runtime;
use gridloom_interp::{AccessError, FaultKind};
use gridloom_ir::Loc;
use gridloom_ir::diag::{Diagnostic, Diagnostics};

/// Why a launch does not happen on the device.
#[derive(Debug)]
pub enum Stop {
    /// The device lacks something; the machine can run the launch.
    Lack(Diagnostic),
    /// The run ends.
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

/// The compiler's refusal for this device: its first error, which has a place.
pub fn of_compiler(found: Diagnostics, device: &runtime::DeviceInfo) -> Stop {
    let mut first = (found.iter().next().cloned())
        .unwrap_or_else(|| Diagnostic::remark(Loc::UNKNOWN, "it cannot be compiled"));
    first.message = format!("{} ({device})", first.message);
    Stop::Lack(first)
}
