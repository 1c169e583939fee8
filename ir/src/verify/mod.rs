//! The verifier: invariants that every other part of the compiler relies on.
//!
//! - Every operation has the operands, results, attributes, regions and
//!   successors that its row declares, and keeps the relations its row and
//!   traits state; then its own invariants hold.
//! - Every block that needs a terminator ends in one, and nothing else in it
//!   is one. Branches pass what the target block takes.
//! - Every use is dominated by its definition, except in graph regions.
//! - Every symbol is defined once in its table, and references lead to what
//!   the referring operation needs.
//!
//! Isolation from above needs no check: the regions of an isolated operation
//! live in a body of their own.
//!
//! An operation is checked before those nested in it, so a check may rely on
//! the row of its own operation, never on those of others.

mod attribute;
mod block;
mod check;
mod checks;
mod dominance;
mod dominators;
mod edge;
mod residual;
mod row;
mod suggest;
mod traits;
mod visible;

pub use check::{Check, Scope};
pub(crate) use checks::Checks;
pub use checks::{AttributeCheck, Carrier, OpChecks, Relation, VerifyFn, holds};
pub use edge::End;
pub use row::verify_results_are;
pub use traits::compatible;

use residual::Residual;
use visible::Visible;

use std::ops::ControlFlow;

use crate::body::{Body, OpId, RegionId};
use crate::body::{Kind, Kinds};
use crate::context::Traits;
use crate::context::{Context, Ident};
use crate::diag::{Diagnostic, Diagnostics};
use crate::hash::FxHashMap;
use crate::hit_budget::HitBudget;
use crate::location::Loc;
use crate::module::{Module, SymbolTable};
use crate::threads;

/// The bound on errors: more than this help nobody.
const MAX_ERRORS: usize = 64;

/// Below this number of operations with a body of their own, starting threads
/// costs more than it gains.
const MIN_OWNERS: usize = 16;

/// The bound on nesting of operations isolated from above.
const MAX_ISOLATION: usize = 256;

/// Verifies a module. Returns no diagnostics if it is valid; otherwise one
/// error for each invalid operation, up to 64.
pub fn verify(ctx: &Context, module: &Module) -> Diagnostics {
    let (root, op) = module.root();
    let scope = Scope::of(ctx, root, None);
    let mut run = Run::default();
    verify_op(&scope, op, &mut run);
    run.report_deferred(|_| false);
    run.errors.with_early_first().with_follow_ups()
}

/// The state of a verification.
#[derive(Default)]
struct Run {
    errors: Diagnostics,
    /// Cache: kinds of operations that their rows have accepted, with the
    /// checks each further operation of the kind still needs.
    accepted: Kinds<Residual>,
    hit_budget: HitBudget,
    /// Scratch space for the kind of the current operation.
    kind: Kind,
    visible: Visible,
    deferred: Vec<Deferred>,
}

/// A deferred error: reported only if nothing nested in its operation is
/// invalid.
#[derive(Debug)]
struct Deferred {
    op: OpId,
    error: Diagnostic,
    /// The number of errors when it was found.
    before: usize,
}

impl Run {
    /// Reports an error, or defers it until the nested operations have been
    /// checked.
    fn report(&mut self, check: &Check, error: Diagnostic) {
        let error = suggest::with_help(check, error);
        if error.late {
            let (op, before) = (check.op, self.errors.len());
            self.deferred.push(Deferred { op, error, before });
        } else {
            self.errors.push(error);
        }
    }

    /// Reports the deferred errors of operations that the walk has left,
    /// innermost first, unless something nested was invalid.
    fn report_deferred(&mut self, is_open: impl Fn(OpId) -> bool) {
        while self
            .deferred
            .last()
            .is_some_and(|deferred| !is_open(deferred.op))
        {
            if let Some(deferred) = self.deferred.pop()
                && self.errors.len() == deferred.before
            {
                self.errors.push(deferred.error);
            }
        }
    }
}

/// Marks an error as one to defer: reported only if nothing nested is invalid.
pub fn late(checked: Checked) -> Checked {
    checked.map_err(Diagnostic::late)
}

/// The result of a check.
pub type Checked = Result<(), Diagnostic>;

/// Verifies an operation and the body that it owns.
#[inline(always)]
fn verify_op<'a>(scope: &'a Scope<'a>, op: OpId, run: &mut Run) {
    let check = Check { scope, op };
    let has_kind = run.hit_budget.is_left() && set_kind(&check, &mut run.kind);
    let residual = has_kind.then(|| run.accepted.get(&run.kind)).flatten();
    match residual {
        Some(residual) if residual.suffices(&check) => {
            run.hit_budget.hit();
            if let Err(error) = residual.verify(&check) {
                run.report(&check, error);
            }
        }
        residual => verify_any(&check, has_kind, residual.is_some(), run),
    }
}

/// Sets `kind` to the key under which the row's checks of this operation are
/// cached. Returns whether operations like it can be cached.
#[inline(always)]
fn set_kind(check: &Check, kind: &mut Kind) -> bool {
    let def = check.def();
    let parent = match def.is_some_and(|def| !def.parents.is_empty()) {
        true => check.parent().map_or(u32::MAX, |parent| parent.name().0),
        false => u32::MAX,
    };
    match def.is_some_and(|def| def.traits.contains(Traits::SYMBOL)) {
        true => kind.set_symbol(check.ctx(), check.body(), check.op, parent),
        false => kind.set(check.body(), check.op, parent),
    }
}

/// Verifies any operation and the body that it owns, without the fast path.
/// `accepted`: the cache knows its kind; `has_kind`: its kind can be cached.
#[inline(never)]
fn verify_any<'a>(check: &Check<'a>, has_kind: bool, accepted: bool, run: &mut Run) {
    let &Check { scope, op } = check;
    // The checks of this operation read the ends of its blocks.
    if let Some(body) = check.data().isolated() {
        body.prefetch();
    }
    match verify_alone(check, accepted) {
        Ok(()) if has_kind && !accepted => {
            run.hit_budget.miss();
            run.accepted.insert(&run.kind, Residual::of(check));
        }
        Ok(()) => {}
        Err(error) => run.report(check, error),
    }
    let Some(body) = check.data().isolated() else {
        return;
    };
    if scope.depth == MAX_ISOLATION {
        run.errors
            .push(check.error("nests deeper than 256 isolated operations"));
        return;
    }
    let inner = Scope::of(scope.ctx, body, Some((scope, op)));
    // Ids are valid in their own body only.
    let outer = std::mem::take(&mut run.deferred);
    verify_body(&inner, run);
    run.deferred = outer;
}

/// Verifies one operation without its nested ones; skips what its row decides
/// if its kind has been `accepted`.
fn verify_alone(check: &Check, accepted: bool) -> Checked {
    attribute::verify(check)?;
    if !accepted {
        row::verify(check)?;
    }
    block::verify_regions(check)?;
    let ends = late(block::verify_ends(check));
    if ends.is_err() && block::has_empty_block(check) {
        return ends;
    }
    if let Err(error) = verify_own(check, accepted) {
        return if error.late {
            ends.and(Err(error))
        } else {
            Err(error)
        };
    }
    ends?;
    block::verify_symbol_place(check)?;
    block::verify_symbol_table(check)?;
    if !accepted {
        row::verify_inferred_results(check)?;
    }
    Ok(())
}

/// Runs the verifier of the operation's row, or only its per-operation part if
/// the kind has been `accepted`.
fn verify_own(check: &Check, accepted: bool) -> Checked {
    match check.row() {
        Some(row) if accepted => residual::verify_each(check, row.verify_each),
        Some(row) => row.verify.map_or(Ok(()), |verify| verify(check)),
        None => Ok(()),
    }
}

fn verify_body<'a>(scope: &'a Scope<'a>, run: &mut Run) {
    let before = run.errors.len();
    // Verifying nested bodies uses `run.visible` in between.
    let mut visible = std::mem::take(&mut run.visible);
    let threads = scope.ctx.threads();
    let doubtful = if threads > 1 && has_owners(scope.body) {
        verify_ops_on(threads, scope, run);
        visible.walk(scope.body, |_| ControlFlow::Continue(()))
    } else {
        visible.walk(scope.body, |op| {
            run.report_deferred(|holder| is_inside(scope.body, op, holder));
            verify_op(scope, op, run);
            match run.errors.len() < MAX_ERRORS {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        })
    };
    run.report_deferred(|_| false);
    run.errors.truncate(MAX_ERRORS);
    if run.errors.len() < MAX_ERRORS {
        let clash = scope.symbols.as_ref().is_some_and(SymbolTable::clashes);
        if clash && run.errors.len() == before {
            report_redefinitions(scope, &mut run.errors);
        }
        if !doubtful.is_empty() {
            dominance::verify(scope, doubtful, &mut run.errors);
        }
    }
    run.visible = visible;
}

/// Whether enough operations own bodies for threads to pay off.
fn has_owners(body: &Body) -> bool {
    let owners = body.arena().filter(|op| op.isolated().is_some());
    owners.take(MIN_OWNERS).count() == MIN_OWNERS
}

/// Verifies the operations of a body on several threads.
fn verify_ops_on<'a>(threads: usize, scope: &'a Scope<'a>, run: &mut Run) {
    let ops = scope.body.walk();
    let found = threads::map(threads, &ops, Run::default, |run, &op| {
        verify_op(scope, op, run);
        (std::mem::take(&mut run.errors), run.deferred.pop())
    });
    for (&op, (errors, deferred)) in ops.iter().zip(found) {
        run.report_deferred(|holder| is_inside(scope.body, op, holder));
        if let Some(deferred) = deferred {
            let before = run.errors.len();
            run.deferred.push(Deferred { before, ..deferred });
        }
        run.errors.append(errors);
    }
}

/// Whether `holder` encloses an operation of the same body.
fn is_inside(body: &Body, op: OpId, holder: OpId) -> bool {
    let mut at = body.parent_op(op);
    while let Some(parent) = at {
        if parent == holder {
            return true;
        }
        at = body.parent_op(parent);
    }
    false
}

/// Reports redefinitions of symbols in a body.
fn report_redefinitions(scope: &Scope, errors: &mut Diagnostics) {
    let mut seen: FxHashMap<Ident, Loc> = FxHashMap::default();
    let blocks = scope.body.regions().iter();
    for &block in blocks.flat_map(|&region: &RegionId| &scope.body[region].blocks) {
        for op in scope.body.ops(block) {
            let data = &scope.body[op];
            let Some(name) = data.symbol_name(scope.ctx) else {
                continue;
            };
            if let Some(&first) = seen.get(&name) {
                let message = format!("redefinition of symbol named '{}'", scope.ctx.str(name));
                let note = "see existing symbol definition here";
                errors.push(Diagnostic::error(data.loc, message).with_note(first, note));
                continue;
            }
            seen.insert(name, data.loc);
        }
    }
}
