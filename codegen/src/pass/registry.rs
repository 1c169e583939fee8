//! Pass registry: all passes by name, in a table for each family.
//!
//! A row ([`PassInfo`]) has the name on the command line, the line of `--list-passes`, the options, and a constructor.

mod affine;
mod affine_loops;
mod general;

use super::options::{OptionError, PassOptions};
use super::{Pass, Pipeline};

/// A registered pass. The name is MLIR's where MLIR has the pass.
pub struct PassInfo {
    /// The name, as after `--` on the command line.
    pub name: &'static str,
    /// Summary line of `--list-passes`.
    pub summary: &'static str,
    /// Names of the options that the pass takes.
    pub options: &'static [&'static str],
    /// Builds the pass from its options.
    pub(super) make: fn(&PassOptions) -> Result<Made, OptionError>,
}

/// Name of the pass whose options are a schedule text.
pub(super) const SCHEDULE: &str = "affine-schedule";

/// Result of building a registered name with its options.
pub(super) enum Made {
    /// One pass.
    Pass(Pass),
    /// Several passes; an observer sees each.
    Pipeline(Pipeline),
}

/// All registered passes.
pub fn all_passes() -> impl Iterator<Item = &'static PassInfo> {
    FAMILIES.into_iter().flatten()
}

/// Finds a pass by its name.
pub fn find_pass(name: &str) -> Option<&'static PassInfo> {
    all_passes().find(|info| info.name == name)
}

/// Whether a pass has this name; usable in compile-time checks.
pub(super) const fn is_registered(name: &str) -> bool {
    let mut family = 0;
    while family < FAMILIES.len() {
        let passes = FAMILIES[family];
        let mut pass = 0;
        while pass < passes.len() {
            if is_same(passes[pass].name.as_bytes(), name.as_bytes()) {
                return true;
            }
            pass += 1;
        }
        family += 1;
    }
    false
}

/// Compares byte strings in constant evaluation, where `==` is not available.
const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut place = 0;
    while place < a.len() && place < b.len() && a[place] == b[place] {
        place += 1;
    }
    place == a.len() && place == b.len()
}

/// The tables, in the order of `--list-passes`.
static FAMILIES: [&[PassInfo]; 3] = [affine::PASSES, affine_loops::PASSES, general::PASSES];
