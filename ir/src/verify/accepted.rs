//! Operations like one that was accepted.
//!
//! The row of an operation asks for its name, the types of its values, its
//! attributes, how many regions and successors it has, and sometimes what
//! stands around it: an operation that is like an accepted one in all of these
//! is accepted too. Programs repeat themselves, so that few are new.

use smallvec::SmallVec;

use super::Check;
use crate::hash::FxHashSet;

/// Kinds of operations remembered: a program without repetition is not to be
/// stored a second time.
const MAX_KINDS: usize = 1 << 14;

/// All that a row may ask of an operation, as numbers.
type Kind = SmallVec<[u32; 16]>;

/// The kinds of operations that their rows have accepted.
#[derive(Default)]
pub(super) struct Accepted {
    kinds: FxHashSet<Kind>,
}

impl Accepted {
    /// Whether an operation of this kind has been accepted.
    pub(super) fn contains(&self, kind: &Kind) -> bool {
        self.kinds.contains(&kind[..])
    }

    /// Remembers an accepted operation.
    pub(super) fn insert(&mut self, kind: Kind) {
        if self.kinds.len() < MAX_KINDS {
            self.kinds.insert(kind);
        }
    }
}

/// The kind of an operation.
pub(super) fn kind_of(check: &Check) -> Kind {
    let data = check.data();
    let needs_parent = data.name.def().is_some_and(|def| !def.parents.is_empty());
    let parent = needs_parent.then(|| check.parent()).flatten();
    let regions = match data.isolated() {
        Some(body) => body.regions().len(),
        None => data.inline_regions().len(),
    };
    let mut kind: Kind = SmallVec::from_slice(&[
        data.name.0,
        data.properties.0,
        data.attributes.0,
        parent.map_or(u32::MAX, |parent| parent.name().0),
        regions as u32,
        data.successors.len() as u32,
        data.num_results() as u32,
    ]);
    kind.extend(check.result_types().map(|ty| ty.0));
    kind.extend(check.operand_types().map(|ty| ty.0));
    kind
}
