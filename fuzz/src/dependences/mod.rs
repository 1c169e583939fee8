//! Dependence checker: whether a transformed module keeps every dependence of a concrete run.
//!
//! [`Trace::of`] evaluates a module of gridloom's IR on given arguments with a small evaluator of
//! its own, and notes each statement instance: a write with the [`term`] of what it writes, which
//! says from which elements, as which earlier writes have left them, it was computed.
//! [`Trace::keeps`] compares two traces:
//!
//! - flow: each element of an argument, and each result, ends as the same term, so every read that
//!   matters sees the same write as before;
//! - anti and output: the writes to an element of an argument come in the order they had. Some may
//!   be missing, as a value that is kept in a register is not written each time, but none is new,
//!   and no two have changed places. Intermediate values of a regroupable sum do not count;
//! - no two accesses that depend on each other are unordered: in iterations of one parallel loop, or in threads of a
//!   launch.
//!
//! Equal bits hide nothing here: a wrong sequence of writes is found even if each writes 0. It
//! shares no code with the analyses of `codegen`, and of the interpreter only what scalar
//! operations compute. `fuzz/README.md` lists what it cannot find.

mod control;
mod galois;
mod integers;
mod launch;
mod machine;
mod memory;
mod scalars;
mod shadows;
pub mod term;
mod transfers;
mod views;

use std::collections::BTreeMap;

use gridloom::ir::Loc;
use gridloom::{Context, Module};

use crate::program::Input;

/// Reason why a module is not traced: an unsupported operation, or undefined behaviour.
pub type Untraced = String;

/// Reason of a run that ends at an access which a pass has wrongly marked in bounds.
pub const MARKED: &str = "an access that is marked in bounds is out of range";

/// Number of dependences of a run, by kind: pairs of accesses to one element without a write
/// between them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Flow dependences: a write, then a read.
    pub flow: u64,
    /// Anti-dependences: a read, then a write.
    pub anti: u64,
    /// Output dependences: two writes.
    pub output: u64,
}

/// Write to an element of an argument.
#[derive(Clone, Copy, Debug)]
struct Write {
    term: u64,
    /// Whether the written value is a regroupable combination.
    is_regroupable: bool,
    loc: Loc,
}

/// Trace: the statement instances of one run.
#[derive(Clone, Default, Debug)]
pub struct Trace {
    /// Writes in order, for each byte of an argument at which a written element begins.
    writes: BTreeMap<(usize, usize), Vec<Write>>,
    /// Final term of each element of the arguments.
    left: Vec<Vec<u64>>,
    /// The terms of the results.
    results: Vec<u64>,
    /// Final bits of each element of the arguments.
    pub bits: Vec<Vec<u64>>,
    /// Number of dependences.
    pub counts: Counts,
    /// Location of an access in conflict with a concurrent one.
    unordered: Option<Loc>,
}

/// Violated dependence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// Kind of the dependence.
    pub kind: &'static str,
    /// Description of the violation.
    pub text: String,
}

impl Trace {
    /// Traces a run of a module's `@main`.
    ///
    /// # Errors
    /// The module is not traced, for this reason.
    pub fn of(ctx: &Context, module: &Module, inputs: &[Input]) -> Result<Trace, Untraced> {
        machine::run(ctx, module, inputs)
    }

    /// Checks that `after` keeps the dependences of this trace. Both were made with the same inputs.
    ///
    /// # Errors
    /// The first violated dependence.
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

/// Checks that the writes of one element keep their order.
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
        // A repeated write of an earlier value, by a copy back, changes nothing.
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
