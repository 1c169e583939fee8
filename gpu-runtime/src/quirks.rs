//! Known defects of drivers, by name and version.
//!
//! One row for each defect or advice. A row of a defect applies to every version below the first good one, and to versions that
//! cannot be read; a row of what a driver does without a promise, to the versions that were seen to do it and later ones:
//! an unknown driver is not trusted more than a known bad one.

use crate::features::FeatureSet;

/// A known defect of a driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Quirk {
    /// Results are wrong without any error, so the device is refused unless
    /// [`DeviceOptions::allow_known_faults`](crate::options::DeviceOptions) is set.
    WrongResults {
        /// The symptom.
        why: &'static str,
        /// The way out.
        remedy: &'static str,
    },
    /// The driver takes these features and then computes nonsense; they are switched off.
    Pretended {
        /// The features that do not work.
        features: FeatureSet,
        /// The symptom.
        why: &'static str,
    },
    /// The driver sets subnormal floats to zero, so results of strict kernels are not those of
    /// IEEE arithmetic.
    FlushesDenormals {
        /// The symptom.
        why: &'static str,
    },
    /// The driver keeps subnormal floats although it does not promise to.
    KeepsDenormals,
    /// The driver takes sums with a constant zero for the other operand and -0.0 for 0.0, even
    /// where it is asked to keep the signs of zeros: kernels should hide such constants from it.
    FoldsZeros {
        /// The symptom.
        why: &'static str,
    },
    /// The driver unrolls loops of constant trip count whatever their body, and takes seconds to
    /// compile what comes of it: kernels for it should ask that loops stay loops.
    SlowUnrolling {
        /// The symptom.
        why: &'static str,
    },
    /// The driver converts floats to integers lane by lane: kernels for it should compute on the bits.
    ScalarConversions {
        /// The symptom.
        why: &'static str,
    },
    /// The driver is several times as fast where kernels reach buffers by device addresses.
    FastAddresses {
        /// The symptom.
        why: &'static str,
    },
    /// The driver gathers by device addresses on a processor whose gathers wait for memory: buffers that a
    /// kernel streams should be bound.
    SlowGathers {
        /// The symptom.
        why: &'static str,
    },
    /// The driver loads once for all lanes where it sees that they share an address, and makes vectors of such loads of
    /// neighbours: kernels should load what all lanes need there.
    UniformLoads {
        /// Threads of a subgroup for which this holds: a row of a workgroup is one.
        lanes: u32,
        /// The symptom.
        why: &'static str,
    },
    /// The driver makes vector instructions of a subgroup, so that its threads need not wait for each other, and compiles a
    /// control barrier to a switch of coroutines: kernels whose workgroup is one subgroup should do without.
    Lockstep {
        /// The symptom.
        why: &'static str,
    },
    /// The driver takes minutes and gigabytes to compile a long kernel body: threads should
    /// compute one iteration each.
    SlowCompiler {
        /// The symptom.
        why: &'static str,
    },
}

impl Quirk {
    /// Whether this row is a defect: wrong results or a missing feature, rather than advice.
    pub(crate) fn is_defect(&self) -> bool {
        use Quirk::{FlushesDenormals, Pretended, WrongResults};
        matches!(
            self,
            WrongResults { .. } | Pretended { .. } | FlushesDenormals { .. }
        )
    }

    /// The symptom in words; `None` for what users need not know.
    pub fn why(&self) -> Option<&'static str> {
        match self {
            Quirk::WrongResults { why, .. }
            | Quirk::Pretended { why, .. }
            | Quirk::FlushesDenormals { why }
            | Quirk::FoldsZeros { why }
            | Quirk::SlowUnrolling { why }
            | Quirk::ScalarConversions { why }
            | Quirk::FastAddresses { why }
            | Quirk::SlowGathers { why }
            | Quirk::UniformLoads { why, .. }
            | Quirk::Lockstep { why }
            | Quirk::SlowCompiler { why } => Some(why),
            Quirk::KeepsDenormals => None,
        }
    }
}

struct Row {
    /// A part of the driver's name, in lower case.
    driver: &'static str,
    /// The text before the version in the driver's description.
    version_after: &'static str,
    /// The vendor of the processor, for rows of drivers that run kernels on one kind of it.
    processor: Option<&'static str>,
    /// The first version that the row is about; none for all of them. What cannot be read is before it.
    since: Option<(u32, u32)>,
    /// The first version that is right; none when no version is.
    fixed_in: Option<(u32, u32)>,
    quirk: Quirk,
}

const ROWS: &[Row] = &[
    Row {
        driver: "llvmpipe",
        version_after: "Mesa ",
        processor: None,
        since: None,
        fixed_in: Some((25, 0)),
        quirk: Quirk::WrongResults {
            why: "lavapipe before Mesa 25 silently ends a thread after about 65,535 loop \
                  iterations, so long loops give wrong results",
            remedy: "install Mesa 25 or later (Debian 12: mesa-vulkan-drivers from \
                     bookworm-backports)",
        },
    },
    Row {
        driver: "llvmpipe",
        version_after: "Mesa ",
        processor: None,
        since: None,
        fixed_in: None,
        quirk: Quirk::SlowUnrolling {
            why: "lavapipe unrolls loops of up to 33 constant trips, and takes seconds to compile \
                  nests of them",
        },
    },
    Row {
        driver: "llvmpipe",
        version_after: "Mesa ",
        processor: None,
        since: None,
        fixed_in: None,
        quirk: Quirk::ScalarConversions {
            why: "lavapipe converts floats to integers lane by lane, with saturation; kernels \
                  compute on the bits instead",
        },
    },
    // Seen in the code that Mesa 25.0.7 makes: 16 loads of a float a thread take 11 ms for a million threads through
    // descriptors, 2.4 ms through addresses.
    Row {
        driver: "llvmpipe",
        version_after: "Mesa ",
        processor: None,
        since: Some((25, 0)),
        fixed_in: None,
        quirk: Quirk::FastAddresses {
            why: "lavapipe looks up a descriptor and branches for each lane of an access to a bound buffer, and \
                  gathers in one instruction by device addresses; kernels use these",
        },
    },
    // Seen in the code that Mesa 25.0.7 makes, and on Zen 4: a sum of two arrays in the cache takes 0.9 ns of CPU time an element
    // with such loads, 1.7 with gathers, 3.8 through descriptors.
    Row {
        driver: "llvmpipe",
        version_after: "Mesa ",
        processor: None,
        since: Some((25, 0)),
        fixed_in: None,
        quirk: Quirk::UniformLoads {
            lanes: 8,
            why: "lavapipe gathers what lanes load, but for addresses computed from launch parameters alone; kernels load what \
                  adjacent lanes need from such addresses",
        },
    },
    // Seen in the code that Mesa 25.0.7 makes: the softmax of 4,096 rows takes 13.2 ms of CPU time with control barriers of
    // 8 threads, 10.2 ms with barriers of memory alone.
    Row {
        driver: "llvmpipe",
        version_after: "Mesa ",
        processor: None,
        since: Some((25, 0)),
        fixed_in: None,
        quirk: Quirk::Lockstep {
            why: "lavapipe executes a subgroup by vector instructions, and suspends it at a control barrier; barriers of workgroups \
                  of one subgroup order memory only",
        },
    },
    // Seen on Zen 4, copies of 64 MiB by the same schedule: 6.8 ms through descriptors, 15.8 ms through addresses; sums 3.9
    // and 7.7 ms. On a Sapphire Rapids addresses are as fast or faster. In the first cache a gather takes as long as the
    // loads that it stands for on both.
    Row {
        driver: "llvmpipe",
        version_after: "Mesa ",
        processor: Some("AuthenticAMD"),
        since: Some((25, 0)),
        fixed_in: None,
        quirk: Quirk::SlowGathers {
            why: "the gathers of AMD processors take twice as long as loads of data that comes from memory; kernels \
                  bind the buffers that they stream",
        },
    },
    Row {
        driver: "llvmpipe",
        version_after: "Mesa ",
        processor: None,
        since: None,
        fixed_in: None,
        quirk: Quirk::FoldsZeros {
            why: "lavapipe takes 0.0 + x for x and -0.0 for 0.0 whatever it promises; strict \
                  kernels hide these constants from it",
        },
    },
    Row {
        driver: "llvmpipe",
        version_after: "Mesa ",
        processor: None,
        since: None,
        fixed_in: None,
        quirk: Quirk::KeepsDenormals,
    },
    // Seen on an H200: strict kernels with subnormal operands and results of `f32` and `f64`, and all programs of PolyBench,
    // are the interpreter's to the last bit. Relaxed kernels of `f32`, which ask for nothing, flush.
    Row {
        driver: "nvidia",
        version_after: "",
        processor: None,
        since: Some((580, 0)),
        fixed_in: None,
        quirk: Quirk::KeepsDenormals,
    },
    Row {
        driver: "swiftshader",
        version_after: "",
        processor: None,
        since: None,
        fixed_in: None,
        quirk: Quirk::FlushesDenormals {
            why: "SwiftShader flushes subnormal floats to zero, so strict floats are not \
                  bit-exact on it",
        },
    },
    Row {
        driver: "swiftshader",
        version_after: "",
        processor: None,
        since: None,
        fixed_in: None,
        quirk: Quirk::SlowCompiler {
            why: "SwiftShader takes minutes and gigabytes to compile a kernel of some hundred \
                  operations; its threads compute one iteration each",
        },
    },
    Row {
        driver: "swiftshader",
        version_after: "",
        processor: None,
        since: None,
        fixed_in: None,
        quirk: Quirk::Pretended {
            features: FeatureSet::F64
                .union(FeatureSet::F16)
                .union(FeatureSet::I64)
                .union(FeatureSet::F32_ATOMIC_ADD)
                .union(FeatureSet::I64_ATOMIC),
            why: "SwiftShader gives zeros for 64-bit and 16-bit floats, 64-bit integers and \
                  float atomics instead of failing",
        },
    },
];

/// The defects known of the driver called `driver` that describes itself as `description`, on a processor by `vendor`.
pub(crate) fn known(driver: &str, description: &str, vendor: &str) -> Vec<Quirk> {
    let driver = driver.to_lowercase();
    ROWS.iter()
        .filter(|row| driver.contains(row.driver) && row.applies(description, vendor))
        .map(|row| row.quirk)
        .collect()
}

impl Row {
    fn applies(&self, description: &str, vendor: &str) -> bool {
        let version = version(description, self.version_after);
        let is_reached = |since| version.is_some_and(|version| version >= since);
        let is_before = |good| version.is_none_or(|version| version < good);
        self.since.is_none_or(is_reached)
            && self.fixed_in.is_none_or(is_before)
            && self.processor.is_none_or(|processor| processor == vendor)
    }
}

/// The `major.minor` version that follows `marker` in `text`.
fn version(text: &str, marker: &str) -> Option<(u32, u32)> {
    let (_, rest) = text.split_once(marker)?;
    let mut parts = rest.split(|c: char| !c.is_ascii_digit());
    let major = parts.next()?.parse().ok()?;
    let minor = parts.next()?.parse().ok()?;
    Some((major, minor))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(driver: &str, description: &str) -> bool {
        known(driver, description, "")
            .iter()
            .any(|quirk| matches!(quirk, Quirk::WrongResults { .. }))
    }

    #[test]
    fn lavapipe_is_judged_by_its_mesa_version() {
        assert!(refused("llvmpipe", "Mesa 22.3.6 (LLVM 15.0.6)"));
        assert!(refused("llvmpipe", "Mesa 24.9.9"));
        assert!(!refused("llvmpipe", "Mesa 25.0.7-2~bpo12+1 (LLVM 15.0.6)"));
        assert!(!refused("llvmpipe", "Mesa 100.1.0"));
    }

    #[test]
    fn an_unreadable_version_is_taken_for_a_bad_one() {
        assert!(refused("llvmpipe", "git-1234"));
        assert!(refused("llvmpipe", "Mesa devel"));
    }

    #[test]
    fn swiftshader_loses_the_types_it_only_pretends_to_have() {
        let quirks = known("SwiftShader driver", "", "");
        let pretended = quirks.iter().find_map(|quirk| match quirk {
            Quirk::Pretended { features, .. } => Some(*features),
            _ => None,
        });
        let features = pretended.expect("a row of such features");
        assert!(features.contains(FeatureSet::F64 | FeatureSet::I64 | FeatureSet::F16));
        assert!(!features.contains(FeatureSet::I16));
    }

    #[test]
    fn a_row_since_a_version_is_for_no_older_and_no_unreadable_one() {
        assert_eq!(known("NVIDIA", "580.159.04", ""), [Quirk::KeepsDenormals]);
        assert_eq!(known("NVIDIA", "610.1", ""), [Quirk::KeepsDenormals]);
        assert_eq!(known("NVIDIA", "550.54.14", ""), []);
        assert_eq!(known("NVIDIA", "beta", ""), []);
    }

    #[test]
    fn a_row_of_a_processor_is_for_no_other() {
        let gathers_slowly = |driver, vendor| {
            let quirks = known(driver, "Mesa 25.0.7", vendor);
            (quirks.iter()).any(|quirk| matches!(quirk, Quirk::SlowGathers { .. }))
        };
        assert!(gathers_slowly("llvmpipe", "AuthenticAMD"));
        assert!(!gathers_slowly("llvmpipe", "GenuineIntel"));
        assert!(!gathers_slowly("llvmpipe", ""));
        assert!(!gathers_slowly("radv", "AuthenticAMD"));
    }

    #[test]
    fn only_seen_drivers_execute_in_lockstep() {
        let is_in_lockstep = |driver, description| {
            let quirks = known(driver, description, "");
            (quirks.iter()).any(|quirk| matches!(quirk, Quirk::Lockstep { .. }))
        };
        assert!(is_in_lockstep("llvmpipe", "Mesa 25.0.7"));
        assert!(!is_in_lockstep("llvmpipe", "Mesa 24.3.1"));
        assert!(!is_in_lockstep("SwiftShader driver", "5.0.0"));
        assert!(!is_in_lockstep("NVIDIA", "580.159.04"));
    }

    #[test]
    fn other_drivers_have_no_rows() {
        assert_eq!(known("AMD open-source driver", "2025.Q2.1", ""), []);
    }
}
