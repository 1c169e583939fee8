//! Residual checks: those that each operation still needs once one of its kind
//! was verified.

use super::{Check, Checked, VerifyFn, attribute, block};
use crate::context::signature::OpSignature;
use crate::context::{OpName, RowTraits, Traits};

/// The residual checks of a kind.
#[derive(Clone, Copy)]
pub(super) struct Residual {
    /// The part of the row's verifier that runs for each operation.
    each: Option<VerifyFn>,
    place: Surroundings,
}

/// Conditions that the surroundings of an operation must satisfy for the residual verifier
/// to suffice.
#[derive(Clone, Copy)]
enum Surroundings {
    /// Anything will do.
    Anywhere,
    /// The operation must end its block.
    Last,
    /// Each region must be empty or one block with this terminator; with block
    /// arguments only if `arguments`.
    Around { terminator: OpName, arguments: bool },
    /// The operation must end its block and pass what its successors take.
    Branch,
    /// Operations of this kind need the full verifier.
    Unknown,
}

impl Residual {
    /// The residual checks of the kind of an accepted operation.
    pub(super) fn of(check: &Check) -> Residual {
        let def = check.def();
        Residual {
            each: check.row().and_then(|row| row.verify_each),
            place: def.map_or(Surroundings::Unknown, |def| Surroundings::of(check, def)),
        }
    }

    /// Whether [`Residual::verify`] suffices for an operation of the kind, as
    /// for nearly every one.
    #[inline(always)]
    pub(super) fn suffices(&self, check: &Check) -> bool {
        match self.place {
            Surroundings::Anywhere => true,
            Surroundings::Last => check.data().next().is_none(),
            Surroundings::Around {
                terminator,
                arguments,
            } => ends_in(check, terminator, arguments),
            Surroundings::Branch => block::verify_place(check).is_ok(),
            Surroundings::Unknown => false,
        }
    }

    /// Runs the residual verifier.
    #[inline(always)]
    pub(super) fn verify(&self, check: &Check) -> Checked {
        verify_each(check, self.each)
    }
}

impl Surroundings {
    fn of(check: &Check, def: &OpSignature) -> Surroundings {
        let data = check.data();
        if data.isolated().is_some()
            || def.traits.contains(Traits::SYMBOL)
            || def.traits.contains(Traits::SYMBOL_TABLE)
            || attribute::are_checked(check)
        {
            return Surroundings::Unknown;
        }
        let last = def.traits.contains(Traits::TERMINATOR);
        match (data.num_regions(), def.terminator) {
            (0, _) if !data.successors().is_empty() => Surroundings::Branch,
            (0, _) if last => Surroundings::Last,
            (0, _) => Surroundings::Anywhere,
            (_, Some(name)) if !last && data.successors().is_empty() => Surroundings::Around {
                terminator: check.ctx().op_name(name),
                arguments: !def.traits.contains(RowTraits::NO_REGION_ARGUMENTS),
            },
            _ => Surroundings::Unknown,
        }
    }
}

/// Whether each region is empty or one block that ends in this terminator,
/// without successors.
fn ends_in(check: &Check, terminator: OpName, arguments: bool) -> bool {
    let body = check.body();
    let mut regions = check.data().inline_regions().iter();
    regions.all(|&region| match body[region].blocks[..] {
        [] => true,
        [block] => {
            let last = body[block].last().map(|last| &body[last]);
            last.is_some_and(|last| last.name == terminator && last.successors().is_empty())
                && (arguments || body[block].args.is_empty())
        }
        _ => false,
    })
}

/// Runs the per-operation part of the row's verifier; debug builds check that
/// the whole of it agrees.
#[inline(always)]
pub(super) fn verify_each(check: &Check, each: Option<VerifyFn>) -> Checked {
    let checked = each.map_or(Ok(()), |verify| verify(check));
    debug_assert_eq!(
        checked,
        verify_whole(check),
        "what is not asked of each follows from the kind"
    );
    checked
}

/// Runs the whole verifier of the row.
fn verify_whole(check: &Check) -> Checked {
    let verify = check.row().and_then(|row| row.verify);
    verify.map_or(Ok(()), |verify| verify(check))
}
