//! `explain`: reports for each loop of a program whether it is parallel, why not, and how the
//! offload pipeline maps it.
//!
//! A loop is identified by its source location, which passes keep. Three forms of the program are
//! analysed: raised to affine loops, for which loops are parallel and for the dependences of the
//! others; after scalar replacement, for which of these are reductions; and in front of the
//! mapping, for which loops become dimensions of a grid.
//!
//! [`schedules`] gives the schedule of each nest that becomes a kernel, with its reasons, and
//! [`spaces`] the schedules that it could have.
//!
//! Nothing here changes the program that is compiled, and no rewrite relies on it.

mod dependences;
mod fate;
mod kernel_schedules;
mod pipeline_steps;

use std::collections::HashMap;

use gridloom_dialects::func;
use gridloom_ir::diag::{Diagnostic, place};
use gridloom_ir::{Body, Context, Diagnostics, Ident, Loc, Module, OpId, OpName};

use crate::analysis::loop_kind::is_any_loop;
use crate::analysis::loop_labels::loop_labels;
use crate::target::OffloadOptions;
pub use dependences::{Kind, Link, Shown};
pub use fate::Fate;
pub use kernel_schedules::{NestReport, schedules, spaces};
pub use pipeline_steps::schedule;

/// Explanation of one loop.
#[derive(Clone, Debug)]
pub struct LoopReport {
    /// Location of the loop.
    pub loc: Loc,
    /// The operation.
    pub name: OpName,
    /// The function around it.
    pub function: Option<Ident>,
    /// The label of the loop in its function: `i`, or `i#2` for the second loop whose counter is
    /// `i`. Schedules use this name.
    pub label: String,
    /// Nesting depth: number of loops around it.
    pub depth: usize,
    /// Finding on its iterations.
    pub finding: Finding,
    /// Fate in the pipeline.
    pub fate: Fate,
}

/// Finding on the iterations of a loop: parallel, reduction or sequential.
#[derive(Clone, Debug)]
pub enum Finding {
    /// The iterations are independent.
    Parallel,
    /// The iterations are independent but for values combined by associative operations.
    Reduction {
        /// The operators by name; `argmin` and `argmax` where values are selected together with an
        /// extremum.
        operators: Vec<&'static str>,
        /// Whether the source carries the value in an element of memory, not in `iter_args`.
        is_in_memory: bool,
    },
    /// The iterations run one after the other.
    Sequential {
        /// The reason, as a remark whose message begins with "sequential".
        why: Box<Diagnostic>,
        /// The first few dependences between its iterations.
        links: Vec<Link>,
        /// Number of further dependences.
        more: usize,
        /// The only buffer whose accesses keep the iterations from being independent.
        only: Option<String>,
    },
    /// Constant folding removes the loop: it runs once, never, or without effect.
    Folded,
}

/// Source position of an operation: file, line and column.
type Key = Option<(String, (u32, u32))>;

fn key(ctx: &Context, loc: Loc) -> Key {
    place(ctx, loc, 1).map(|at| (at.file, at.start))
}

/// Loop of the source program.
struct Listed {
    key: Key,
    loc: Loc,
    name: OpName,
    function: Option<Ident>,
    label: String,
    depth: usize,
    /// Source position of the outermost loop around it.
    nest: Key,
}

/// Explains the loops of every function, in the order of the source.
///
/// # Errors
/// The errors of a pass that fails.
pub fn explain(
    ctx: &Context,
    module: &Module,
    options: &OffloadOptions,
) -> Result<Vec<LoopReport>, Diagnostics> {
    let listed = list(ctx, module);
    let mut findings = dependences::findings(ctx, module, options)?;
    let nests: HashMap<Key, Key> = (listed.iter())
        .map(|l| (l.key.clone(), l.nest.clone()))
        .collect();
    let mut fates = fate::fates(ctx, module, options, &nests)?;
    let reports = listed.into_iter().map(|l| LoopReport {
        loc: l.loc,
        name: l.name,
        function: l.function,
        label: l.label,
        depth: l.depth,
        finding: findings.remove(&l.key).unwrap_or(Finding::Folded),
        fate: fates.of(&l.key, &l.nest),
    });
    Ok(reports.collect())
}

/// The loops of all functions.
fn list(ctx: &Context, module: &Module) -> Vec<Listed> {
    let mut found = Vec::new();
    for (_, op) in module.ops().filter(|(_, op)| op.name == func::FUNC) {
        let Some(body) = op.isolated() else { continue };
        let function = op.symbol_name(ctx);
        for (op, label) in loop_labels(ctx, body) {
            let around = loops_around(body, op);
            let outermost = around.last().copied().unwrap_or(op);
            found.push(Listed {
                key: key(ctx, body[op].loc),
                loc: body[op].loc,
                name: body[op].name,
                function,
                label,
                depth: around.len(),
                nest: key(ctx, body[outermost].loc),
            });
        }
    }
    found
}

/// The loops around an operation, innermost first.
fn loops_around(body: &Body, op: OpId) -> Vec<OpId> {
    let around = body.ancestors(op);
    around.filter(|&op| is_any_loop(body, op)).collect()
}
