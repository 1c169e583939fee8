//! Where programs run: a GPU, or the embedded interpreter.

use gridloom_codegen::offload::OffloadOptions;
use gridloom_gpu_runtime as runtime;
use gridloom_spirv::{Bounds, FpMode};

/// The user's wish for a device.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum DeviceWish {
    /// A GPU if there is one that is not a software driver, else the
    /// interpreter.
    #[default]
    Auto,
    /// The embedded interpreter.
    Cpu,
    /// The device whose name contains this, software drivers included.
    Named(String),
}

impl From<&str> for DeviceWish {
    fn from(text: &str) -> Self {
        match text {
            "auto" => DeviceWish::Auto,
            "cpu" => DeviceWish::Cpu,
            name => DeviceWish::Named(name.to_owned()),
        }
    }
}

/// How programs run.
#[derive(Clone, Copy, Debug)]
pub struct SessionOptions {
    /// How floating-point operations may be evaluated.
    pub fp: FpMode,
    /// What happens on accesses not proved in range.
    pub bounds: Bounds,
    /// Go through naga even where the driver takes SPIR-V.
    pub portable: bool,
    /// Use a driver that is known to be wrong.
    pub allow_known_faults: bool,
}

impl Default for SessionOptions {
    fn default() -> Self {
        SessionOptions {
            fp: FpMode::Relaxed,
            bounds: Bounds::Guarded,
            portable: false,
            allow_known_faults: false,
        }
    }
}

impl SessionOptions {
    /// Whether floats must be to the last bit on the device.
    fn needs_strict_driver(&self) -> bool {
        self.fp == FpMode::Strict && !self.allow_known_faults
    }
}

/// An open device, or none.
#[derive(Debug)]
pub struct Session {
    device: Option<runtime::Device>,
    options: SessionOptions,
    /// Why there is no GPU, when one was looked for.
    fallback: Option<String>,
}

impl Session {
    /// Opens what is wished for.
    ///
    /// # Errors
    /// A named device that is not there, cannot be opened, or is not to the last
    /// bit under strict floats. `Auto` falls back
    /// to the interpreter only when there is no GPU at all; a GPU that fails
    /// to open is an error.
    pub fn open(wish: &DeviceWish, options: SessionOptions) -> Result<Self, runtime::Error> {
        let device_options = runtime::DeviceOptions {
            portable: options.portable,
            allow_known_faults: options.allow_known_faults,
            ..runtime::DeviceOptions::default()
        };
        let choice = match wish {
            DeviceWish::Cpu => {
                return Ok(Session {
                    device: None,
                    options,
                    fallback: None,
                });
            }
            DeviceWish::Auto => runtime::DeviceChoice::Hardware,
            DeviceWish::Named(name) => name.parse().unwrap_or_default(),
        };
        let opened = runtime::Device::open(&choice, &device_options);
        let opened = opened.and_then(|device| match device.strict_fault() {
            Some(fault) if options.needs_strict_driver() => Err(fault),
            _ => Ok(device),
        });
        match opened {
            Ok(device) => Ok(Session {
                device: Some(device),
                options,
                fallback: None,
            }),
            Err(runtime::Error::NoDevice { found, .. }) if *wish == DeviceWish::Auto => {
                let fallback = match found.is_empty() {
                    true => "no GPU driver found".to_owned(),
                    false => format!("no GPU found; --device takes {}", found.join(", ")),
                };
                Ok(Session {
                    device: None,
                    options,
                    fallback: Some(fallback),
                })
            }
            Err(error) => Err(error),
        }
    }

    /// The open device; `None` for the interpreter.
    pub fn device(&self) -> Option<&runtime::Device> {
        self.device.as_ref()
    }

    /// The options it was opened with.
    pub fn options(&self) -> &SessionOptions {
        &self.options
    }

    /// The mapping that suits the device.
    pub fn offload_options(&self) -> OffloadOptions {
        let software = self
            .device
            .as_ref()
            .is_none_or(|device| device.info().is_software());
        if software {
            OffloadOptions::cpu_driver()
        } else {
            OffloadOptions::gpu()
        }
    }

    /// What runs the kernels, in words.
    pub fn describe(&self) -> String {
        match (&self.device, &self.fallback) {
            (Some(device), _) => device.info().to_string(),
            (None, Some(why)) => format!("embedded interpreter ({why})"),
            (None, None) => "embedded interpreter".to_owned(),
        }
    }
}
