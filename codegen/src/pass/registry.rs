//! The registry: passes by name, in a table for each family.

mod affine;
mod general;

use super::options::{OptionError, PassOptions};
use super::{Pass, Pipeline};

/// A registered pass. The name is MLIR's where MLIR has the pass.
pub struct PassInfo {
    /// The name, as after `--` on the command line.
    pub name: &'static str,
    /// Summary line of `--list-passes`.
    pub summary: &'static str,
    /// The options it takes.
    pub options: &'static [&'static str],
    /// Builds the pass from its options.
    pub(super) make: fn(&PassOptions) -> Result<Made, OptionError>,
}

/// The pass whose options are a text of their own: the steps of a schedule.
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

/// The pass of that name.
pub fn find_pass(name: &str) -> Option<&'static PassInfo> {
    all_passes().find(|info| info.name == name)
}

/// Whether there is a pass of that name, for names that the compiler checks.
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

/// `a == b`, which constants cannot ask of strings.
const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut place = 0;
    while place < a.len() && place < b.len() && a[place] == b[place] {
        place += 1;
    }
    place == a.len() && place == b.len()
}

/// The tables, in the order of `--list-passes`.
static FAMILIES: [&[PassInfo]; 2] = [affine::PASSES, general::PASSES];
