//! Checker of dependences: whether what a pass has made keeps every dependence of a concrete run.
//!
//! [`Trace::of`] evaluates a module of gridloom's IR on given arguments with a small evaluator of its own, and notes
//! each statement instance: a write with the [`term`] of what it writes, which says from which elements, as which
//! earlier writes have left them, it was computed. [`Trace::keeps`] holds two traces against each other:
//!
//! - flow: each element of an argument, and each result, ends as the same term, so every read that
//!   matters met the write it met before;
//! - anti and output: the writes to an element of an argument come in the order they had. Some may be missing, as
//!   a value that is kept in a register is not written each time, but none is new, and no two have changed places.
//!   What a sum that may be regrouped goes through on its way is left out;
//! - no two accesses that depend on each other are unordered: in iterations of one parallel loop, or in threads of a
//!   launch.
//!
//! Bits that happen to be equal hide nothing here: a sequence of writes that is wrong is seen although each writes 0.
//! It shares no code with the analyses of `codegen`, and of the interpreter only what scalar
//! operations compute. `fuzz/README.md` says what it does not see.

mod control;
mod launch;
mod machine;
mod memory;
mod scalars;
pub mod term;
mod transfers;
mod views;

use std::collections::BTreeMap;

use gridloom::ir::Loc;
use gridloom::{Context, Module};

use crate::program::Input;

/// Why a module is not traced: it does what the evaluator does not know, or is undefined.
pub type Untraced = String;

/// Why a run ends at an access that a pass has marked as one in bounds.
pub const MARKED: &str = "an access that is marked in bounds is out of range";

/// Dependences of a run, by kind: pairs of accesses of one element, the second of which follows
/// the first without a write between them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// A write and a read.
    pub flow: u64,
    /// A read and a write.
    pub anti: u64,
    /// Two writes.
    pub output: u64,
}

/// A write to an element of an argument.
#[derive(Clone, Copy, Debug)]
struct Write {
    term: u64,
    /// Whether the order of the parts of what is written may differ.
    is_regroupable: bool,
    loc: Loc,
}

/// The statement instances of one run.
#[derive(Clone, Default, Debug)]
pub struct Trace {
    /// For each byte of an argument at which an element was written: its writes in order.
    writes: BTreeMap<(usize, usize), Vec<Write>>,
    /// The term that each element of the arguments ends with.
    left: Vec<Vec<u64>>,
    /// The terms of the results.
    results: Vec<u64>,
    /// The bits that each element of the arguments ends with.
    pub bits: Vec<Vec<u64>>,
    /// How many dependences there are.
    pub counts: Counts,
    /// Two accesses that nothing orders.
    unordered: Option<Loc>,
}

/// A dependence that is not kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// Which kind.
    pub kind: &'static str,
    /// Where, in words.
    pub text: String,
}

impl Trace {
    /// Runs `@main` of a module.
    ///
    /// # Errors
    /// The module does something that the evaluator does not know.
    pub fn of(ctx: &Context, module: &Module, inputs: &[Input]) -> Result<Trace, Untraced> {
        machine::run(ctx, module, inputs)
    }

    /// Checks that `after` keeps the dependences of this trace. Both were made with the same inputs.
    ///
    /// # Errors
    /// The first dependence that is not kept.
    pub fn keeps(&self, ctx: &Context, after: &Trace) -> Result<(), Broken> {
        if let Some(loc) = after.unordered {
            return Err(Broken {
                kind: "unordered accesses",
                text: format!(
                    "the access at {} depends on one that nothing orders it with",
                    line(ctx, loc)
                ),
            });
        }
        for (argument, (before, after)) in self.left.iter().zip(&after.left).enumerate() {
            if let Some(at) = before.iter().zip(after).position(|(a, b)| a != b) {
                return Err(Broken {
                    kind: "a flow dependence is lost",
                    text: format!(
                        "element {at} of argument {argument} is computed from other values"
                    ),
                });
            }
        }
        if self.results != after.results {
            return Err(Broken {
                kind: "a flow dependence is lost",
                text: "a result is computed from other values".to_owned(),
            });
        }
        for (place, later) in &after.writes {
            let earlier = self.writes.get(place).map_or(&[][..], |list| &list[..]);
            in_order(ctx, *place, earlier, later)?;
        }
        Ok(())
    }
}

/// Checks that the writes of one element come in the order they had.
fn in_order(
    ctx: &Context,
    (argument, byte): (usize, usize),
    before: &[Write],
    after: &[Write],
) -> Result<(), Broken> {
    if before.iter().chain(after).any(|write| write.is_regroupable) {
        return Ok(());
    }
    let mut rest = before.iter();
    let mut last = None;
    for write in after {
        // What is written again as it is, by a copy back, changes nothing.
        if last == Some(write.term) || rest.any(|earlier| earlier.term == write.term) {
            last = Some(write.term);
            continue;
        }
        let kind = match before.iter().any(|earlier| earlier.term == write.term) {
            true => "an output dependence is turned around",
            false => "a write that was none",
        };
        let text = format!(
            "the write at {} to byte {byte} of argument {argument}, which had {} writes",
            line(ctx, write.loc),
            before.len().saturating_sub(1)
        );
        return Err(Broken { kind, text });
    }
    Ok(())
}

/// Line of a location, in words.
fn line(ctx: &Context, loc: Loc) -> String {
    let source = loc
        .source_pos()
        .and_then(|pos| Some((ctx.sources().find(pos)?, pos)));
    match source {
        Some((source, pos)) => format!("line {}", source.line_at(pos).number),
        None => "an unknown line".to_owned(),
    }
}
