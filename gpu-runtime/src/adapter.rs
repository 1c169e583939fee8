//! Adapters: the devices of this machine, and the choice among them.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::features::FeatureSet;
use crate::float_controls::FloatControls;
use crate::limits::Limits;
use crate::matrices::{MatrixProduct, products_of};
use crate::narrow_storage;
use crate::processor;
use crate::quirks::{self, Quirk};

/// Kind of device, in the order of preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeviceKind {
    /// A GPU with memory of its own.
    Discrete,
    /// A GPU that shares the host's memory.
    Integrated,
    /// A GPU seen through a virtual machine.
    Virtual,
    /// A kind that the driver does not say.
    Other,
    /// A driver that computes on the CPU, such as lavapipe or SwiftShader.
    Software,
}

impl fmt::Display for DeviceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Discrete => "discrete",
            Self::Integrated => "integrated",
            Self::Virtual => "virtual",
            Self::Other => "other",
            Self::Software => "software",
        })
    }
}

/// Adapter description: limits, features and quirks of a device before it is opened.
#[derive(Debug, Clone)]
pub struct DeviceInfo {
    /// The device's name.
    pub name: String,
    /// Backend: the graphics interface of the device: `vulkan`, `metal`, `dx12`.
    pub backend: String,
    /// The driver's name.
    pub driver: String,
    /// The driver's description of itself, its version included.
    pub version: String,
    /// The kind of device.
    pub kind: DeviceKind,
    /// Limits of the device.
    pub limits: Limits,
    /// Features of the device, less those that its driver only pretends to have.
    pub features: FeatureSet,
    /// Promises of the driver about floats.
    pub float_controls: FloatControls,
    /// Products of cooperative matrices that subgroups compute.
    pub matrices: Vec<MatrixProduct>,
    /// Known defects of the driver.
    pub quirks: Vec<Quirk>,
}

impl DeviceInfo {
    fn new(adapter: &wgpu::Adapter) -> Self {
        let info = adapter.get_info();
        let quirks = quirks::known(&info.driver, &info.driver_info, &processor::vendor());
        let kind = match info.device_type {
            wgpu::DeviceType::DiscreteGpu => DeviceKind::Discrete,
            wgpu::DeviceType::IntegratedGpu => DeviceKind::Integrated,
            wgpu::DeviceType::VirtualGpu => DeviceKind::Virtual,
            wgpu::DeviceType::Cpu => DeviceKind::Software,
            wgpu::DeviceType::Other => DeviceKind::Other,
        };
        let features = usable_features(adapter, kind, &quirks);
        let matrices = match features.contains(FeatureSet::MATRICES) {
            true => products_of(adapter),
            false => Vec::new(),
        };
        Self {
            features,
            matrices,
            float_controls: FloatControls::of(adapter),
            limits: Limits::new(&adapter.limits(), &info),
            backend: info.backend.to_str().to_owned(),
            name: info.name,
            driver: info.driver,
            version: info.driver_info,
            kind,
            quirks,
        }
    }

    /// Whether the driver computes on the CPU.
    pub fn is_software(&self) -> bool {
        self.kind == DeviceKind::Software
    }

    /// Whether this is a software driver of a version that is known to be correct and fast:
    /// lavapipe of Mesa 25 or later. Measured at 12 to 40 times the speed of the interpreter.
    pub fn is_trusted_software(&self) -> bool {
        self.is_software() && self.driver == "llvmpipe" && self.known_fault().is_none()
    }

    /// The error of a driver known to compute wrong results; `None` for other drivers.
    pub(crate) fn known_fault(&self) -> Option<Error> {
        self.quirks.iter().find_map(|quirk| match *quirk {
            Quirk::WrongResults { why, remedy } => Some(Error::KnownFault {
                device: self.to_string(),
                why,
                remedy,
            }),
            _ => None,
        })
    }

    /// The error of a driver known not to be bit-exact on strict floats; `None` for other drivers.
    pub(crate) fn strict_fault(&self) -> Option<Error> {
        let flushes = self.quirks.iter().find_map(|quirk| match *quirk {
            Quirk::FlushesDenormals { why } => Some(why),
            _ => None,
        });
        let promised = self.float_controls.f32;
        let why = match flushes {
            Some(why) => why,
            None if !promised.preserve_specials => {
                "strict floats need a driver that promises to keep NaN, infinities and the signs \
                 of zeros"
            }
            None if !promised.preserve_denormals && !self.keeps_denormals() => {
                "strict floats need a driver that promises to keep subnormal numbers"
            }
            None => return None,
        };
        Some(Error::KnownFault {
            device: self.to_string(),
            why,
            remedy: "use relaxed floats, another device, or the interpreter",
        })
    }

    /// Whether the driver keeps subnormal floats without promising it.
    pub fn keeps_denormals(&self) -> bool {
        self.quirks.contains(&Quirk::KeepsDenormals)
    }

    /// Whether the driver folds sums with constant zeros.
    pub fn folds_zeros(&self) -> bool {
        let is_it = |quirk: &Quirk| matches!(quirk, Quirk::FoldsZeros { .. });
        self.quirks.iter().any(is_it)
    }

    /// Whether the driver takes seconds to unroll loops of constant trip count.
    pub fn unrolls_slowly(&self) -> bool {
        let is_it = |quirk: &Quirk| matches!(quirk, Quirk::SlowUnrolling { .. });
        self.quirks.iter().any(is_it)
    }

    /// Whether the driver converts floats to integers lane by lane.
    pub fn converts_by_lane(&self) -> bool {
        let is_it = |quirk: &Quirk| matches!(quirk, Quirk::ScalarConversions { .. });
        self.quirks.iter().any(is_it)
    }

    /// Whether loads by device addresses wait for memory longer than others.
    pub fn gathers_slowly(&self) -> bool {
        let is_it = |quirk: &Quirk| matches!(quirk, Quirk::SlowGathers { .. });
        self.quirks.iter().any(is_it)
    }

    /// Whether the driver has vector loads of neighbouring elements whose addresses all lanes share.
    pub fn loads_uniformly(&self) -> bool {
        let is_it = |quirk: &Quirk| matches!(quirk, Quirk::UniformLoads { lanes, .. } if self.limits.subgroup_size == [*lanes; 2]);
        self.quirks.iter().any(is_it)
    }

    /// Most threads of a workgroup that is one subgroup whose threads execute every instruction together; 0 where no number
    /// is known.
    pub fn lockstep_threads(&self) -> u32 {
        let [least, most] = self.limits.subgroup_size;
        let is_it = |quirk: &Quirk| matches!(quirk, Quirk::Lockstep { .. });
        let is_known = least == most && self.quirks.iter().any(is_it);
        if is_known { most } else { 0 }
    }

    /// Whether the driver takes minutes to compile long kernel bodies.
    pub fn compiles_slowly(&self) -> bool {
        let is_it = |quirk: &Quirk| matches!(quirk, Quirk::SlowCompiler { .. });
        self.quirks.iter().any(is_it)
    }

    /// Whether `word`, with which a user chooses a device, matches this one: any part of its name,
    /// its driver or the driver's usual name, in any case.
    pub fn matches_name(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        // Mesa's software Vulkan driver calls itself llvmpipe, everybody else calls it lavapipe.
        let alias = if self.driver == "llvmpipe" {
            "lavapipe"
        } else {
            ""
        };
        [self.name.as_str(), self.driver.as_str(), alias]
            .iter()
            .any(|text| text.to_lowercase().contains(&word))
    }
}

impl fmt::Display for DeviceInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}", self.name, self.backend)?;
        if !self.version.is_empty() {
            write!(f, ", {}", self.version)?;
        }
        f.write_str(")")
    }
}

fn usable_features(adapter: &wgpu::Adapter, kind: DeviceKind, quirks: &[Quirk]) -> FeatureSet {
    let mut features = FeatureSet::from_wgpu(adapter.features()) | narrow_storage::of(adapter);
    for quirk in quirks {
        if let Quirk::Pretended {
            features: broken, ..
        } = quirk
        {
            features -= *broken;
        }
    }
    // On the other kinds a mappable buffer lies in host memory, and kernels would crawl over the
    // bus.
    if kind != DeviceKind::Software {
        features -= FeatureSet::MAPPABLE;
    }
    if !(quirks.iter()).any(|quirk| matches!(quirk, Quirk::FastAddresses { .. })) {
        features -= FeatureSet::ADDRESSES;
    }
    // Only Vulkan drivers read SPIR-V; the same flag means MSL or DXIL on the others.
    if adapter.get_info().backend != wgpu::Backend::Vulkan {
        features -= FeatureSet::PASSTHROUGH | FeatureSet::MATRICES | FeatureSet::ADDRESSES;
    }
    features
}

/// Choice of a device.
///
/// Read from text: `auto`, `gpu`, `#2` (a place in the list of [`devices`]), or any other word as
/// a part of a name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum DeviceChoice {
    /// The best there is: discrete before integrated before virtual before software.
    #[default]
    Auto,
    /// The best that is not a software driver.
    Hardware,
    /// The best that is not a software driver, else a software driver of a version that is known to be right (see
    /// [`DeviceInfo::is_trusted_software`]).
    Trusted,
    /// The first whose name or driver contains this, in any case.
    Name(String),
    /// The one at this place in the list of [`devices`].
    Index(usize),
}

impl FromStr for DeviceChoice {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        let index = text.strip_prefix('#').and_then(|rest| rest.parse().ok());
        Ok(match (text, index) {
            ("auto", _) => Self::Auto,
            ("gpu", _) => Self::Hardware,
            (_, Some(index)) => Self::Index(index),
            _ => Self::Name(text.to_owned()),
        })
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Hardware | Self::Trusted => f.write_str("gpu"),
            Self::Name(name) => f.write_str(name),
            Self::Index(index) => write!(f, "#{index}"),
        }
    }
}

/// The devices of this machine, best first.
pub fn devices() -> Vec<DeviceInfo> {
    adapters().into_iter().map(|(info, _)| info).collect()
}

/// The devices with the handles to open them. The order is the same on every call as long as the
/// drivers list theirs in the same order.
fn adapters() -> Vec<(DeviceInfo, wgpu::Adapter)> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
    // Validation layers would be looked for (and complained about) in debug builds only, and what
    // users run would not be what tests run.
    descriptor.flags = wgpu::InstanceFlags::empty();
    let instance = wgpu::Instance::new(descriptor);
    let mut found: Vec<_> = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()))
        .into_iter()
        .map(|adapter| (DeviceInfo::new(&adapter), adapter))
        .collect();
    // Within a kind, drivers with fewer defects come first, and Vulkan before another interface
    // to the same device, for it takes kernels as they are. The sort is stable.
    found.sort_by_key(|(info, _)| {
        let faulty = info.known_fault().is_some();
        let translated = !info.features.contains(FeatureSet::PASSTHROUGH);
        let lacking = info.quirks.iter().filter(|quirk| quirk.is_defect());
        (info.kind, faulty, lacking.count(), translated)
    });
    found
}

/// Chooses the device that matches `choice`.
pub(crate) fn choose(choice: &DeviceChoice) -> Result<(DeviceInfo, wgpu::Adapter)> {
    let all = adapters();
    let found = all.iter().map(|(info, _)| info.to_string()).collect();
    all.into_iter()
        .enumerate()
        .find(|(place, (info, _))| match choice {
            DeviceChoice::Auto => true,
            DeviceChoice::Trusted => !info.is_software() || info.is_trusted_software(),
            DeviceChoice::Hardware => !info.is_software(),
            DeviceChoice::Name(word) => info.matches_name(word),
            DeviceChoice::Index(index) => place == index,
        })
        .map(|(_, chosen)| chosen)
        .ok_or_else(|| Error::NoDevice {
            wanted: choice.to_string(),
            found,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_read_from_text() {
        let read = |text: &str| text.parse::<DeviceChoice>().unwrap();
        assert_eq!(read("auto"), DeviceChoice::Auto);
        assert_eq!(read("gpu"), DeviceChoice::Hardware);
        assert_eq!(read("#3"), DeviceChoice::Index(3));
        assert_eq!(read("#x"), DeviceChoice::Name("#x".to_owned()));
        assert_eq!(read("RTX"), DeviceChoice::Name("RTX".to_owned()));
    }

    #[test]
    fn real_devices_come_before_software() {
        assert!(DeviceKind::Discrete < DeviceKind::Integrated);
        assert!(DeviceKind::Integrated < DeviceKind::Virtual);
        assert!(DeviceKind::Other < DeviceKind::Software);
    }
}
