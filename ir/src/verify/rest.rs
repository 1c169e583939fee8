//! What is left to ask of an operation when one of its kind has been accepted.

use super::{Check, Checked, attribute, block};
use crate::op::{OpDef, OpName, Traits, VerifyFn};

/// What is left to ask of the operations of a kind.
#[derive(Clone, Copy)]
pub(super) struct Rest {
    /// What their row has asked of each.
    each: Option<VerifyFn>,
    place: Place,
}

/// What must hold around operations of a kind for nothing but their own check
/// to find fault with them.
#[derive(Clone, Copy)]
enum Place {
    /// They stand anywhere.
    Anywhere,
    /// They end their block.
    Last,
    /// Their regions end in this operation and have arguments, or none.
    Around { terminator: OpName, arguments: bool },
    /// They end their block and pass what the blocks they lead to take.
    Branch,
    /// There is more to ask.
    Unknown,
}

impl Rest {
    /// What is left when an operation has been accepted.
    pub(super) fn of(check: &Check) -> Rest {
        let def = check.name().def();
        Rest {
            each: def.and_then(|def| def.verify_each),
            place: def.map_or(Place::Unknown, |def| Place::of(check, def)),
        }
    }

    /// Whether nothing but [`Rest::verify`] can find fault with an operation of
    /// the kind, as with nearly every one.
    #[inline(always)]
    pub(super) fn is_all(&self, check: &Check) -> bool {
        match self.place {
            Place::Anywhere => true,
            Place::Last => check.data().next().is_none(),
            Place::Around {
                terminator,
                arguments,
            } => ends_in(check, terminator, arguments),
            Place::Branch => block::verify_place(check).is_ok(),
            Place::Unknown => false,
        }
    }

    /// Asks an operation of the kind what is left of its own check.
    #[inline(always)]
    pub(super) fn verify(&self, check: &Check) -> Checked {
        verify_each(check, self.each)
    }
}

impl Place {
    fn of(check: &Check, def: &OpDef) -> Place {
        let data = check.data();
        if data.isolated().is_some()
            || def.traits.contains(Traits::SYMBOL)
            || def.traits.contains(Traits::SYMBOL_TABLE)
            || attribute::are_checked(check)
        {
            return Place::Unknown;
        }
        let last = def.traits.contains(Traits::TERMINATOR);
        match (data.num_regions(), def.terminator) {
            (0, _) if !data.successors().is_empty() => Place::Branch,
            (0, _) if last => Place::Last,
            (0, _) => Place::Anywhere,
            (_, Some(name)) if !last && data.successors().is_empty() => Place::Around {
                terminator: check.ctx().op_name(name),
                arguments: !def.traits.contains(Traits::NO_REGION_ARGUMENTS),
            },
            _ => Place::Unknown,
        }
    }
}

/// Whether each region of an operation is empty or one block that ends in this
/// terminator, which leads nowhere else.
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

/// Asks an operation, of whose kind one has been accepted, the part of its own
/// check that its row wants to be asked of each.
#[inline(always)]
pub(super) fn verify_each(check: &Check, each: Option<VerifyFn>) -> Checked {
    let checked = each.map_or(Ok(()), |verify| verify(check));
    debug_assert_eq!(
        checked,
        whole(check),
        "what is not asked of each follows from the kind"
    );
    checked
}

/// The whole of an operation's own check.
fn whole(check: &Check) -> Checked {
    let verify = check.name().def().and_then(|def| def.verify);
    verify.map_or(Ok(()), |verify| verify(check))
}
