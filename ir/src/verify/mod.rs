//! The verifier: what every module must hold before anything else looks at it.
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
//! What an operation isolated from above sees is limited by construction: its
//! regions live in a body of their own.
//!
//! Operations are checked before those inside them, so that a check may rely
//! on the rows of the operation itself, never on those of other operations.

mod attribute;
mod block;
mod check;
mod dominance;
mod dominators;
mod edge;
mod near;
mod rest;
mod row;
mod traits;
mod visible;

pub use check::{Check, Scope};
pub use edge::End;
pub(crate) use row::verify_results_are;
pub(crate) use traits::compatible;

use rest::Rest;
use visible::Visible;

use std::ops::ControlFlow;

use crate::body::{Body, OpId, RegionId};
use crate::context::{Context, Ident};
use crate::diag::{Diagnostic, Diagnostics};
use crate::hash::FxHashMap;
use crate::location::Loc;
use crate::module::{Module, SymbolTable};
use crate::op::{Kind, Kinds, Traits};
use crate::threads;

/// More errors than this help nobody.
const MAX_ERRORS: usize = 64;

/// With fewer operations that own a body, threads are not worth starting.
const MIN_OWNERS: usize = 16;

/// Deepest nesting of operations isolated from above.
const MAX_ISOLATION: usize = 256;

/// Checks a whole module. The result is empty when it is sound; otherwise it
/// holds one error for each operation found wrong, up to 64.
pub fn verify(ctx: &Context, module: &Module) -> Diagnostics {
    let (root, op) = module.root();
    let scope = Scope::of(ctx, root, None);
    let mut run = Run::default();
    verify_op(&scope, op, &mut run);
    run.settle(|_| false);
    run.errors.with_early_first().with_follow_ups()
}

/// What a verifier keeps on its way.
#[derive(Default)]
struct Run {
    errors: Diagnostics,
    /// Kinds of operations that their rows have accepted.
    accepted: Kinds<Rest>,
    /// The kind of the operation at hand.
    kind: Kind,
    visible: Visible,
    held: Vec<Held>,
}

/// An error that is said only if nothing is wrong inside the operation.
#[derive(Debug)]
struct Held {
    op: OpId,
    error: Diagnostic,
    /// How many errors there were when it was found.
    before: usize,
}

impl Run {
    /// Says what is wrong with an operation, or holds it until it is known what
    /// is wrong inside.
    fn report(&mut self, check: &Check, error: Diagnostic) {
        let error = near::with_help(check, error);
        if error.late {
            let (op, before) = (check.op, self.errors.len());
            self.held.push(Held { op, error, before });
        } else {
            self.errors.push(error);
        }
    }

    /// Says the held errors of operations that do not go on, innermost first,
    /// unless something has been found wrong inside.
    fn settle(&mut self, goes_on: impl Fn(OpId) -> bool) {
        while self.held.last().is_some_and(|held| !goes_on(held.op)) {
            if let Some(held) = self.held.pop()
                && self.errors.len() == held.before
            {
                self.errors.push(held.error);
            }
        }
    }
}

/// What is wrong with an operation, said only if nothing is inside it.
pub(crate) fn late(checked: Checked) -> Checked {
    checked.map_err(Diagnostic::late)
}

/// What is wrong with an operation, if anything.
pub type Checked = Result<(), Diagnostic>;

/// Checks one operation, and everything in the body that it owns.
#[inline(always)]
fn verify_op<'a>(scope: &'a Scope<'a>, op: OpId, run: &mut Run) {
    let check = Check { scope, op };
    let has_kind = set_kind(&check, &mut run.kind);
    let rest = has_kind.then(|| run.accepted.get(&run.kind)).flatten();
    match rest {
        Some(rest) if rest.is_all(&check) => {
            if let Err(error) = rest.verify(&check) {
                run.report(&check, error);
            }
        }
        rest => verify_any(&check, has_kind, rest.is_some(), run),
    }
}

/// What the row of an operation asks of it, but for what stands inside; says
/// whether that is a kind.
#[inline(always)]
fn set_kind(check: &Check, kind: &mut Kind) -> bool {
    let def = check.name().def();
    let parent = match def.is_some_and(|def| !def.parents.is_empty()) {
        true => check.parent().map_or(u32::MAX, |parent| parent.name().0),
        false => u32::MAX,
    };
    match def.is_some_and(|def| def.traits.contains(Traits::SYMBOL)) {
        true => kind.set_symbol(check.ctx(), check.body(), check.op, parent),
        false => kind.set(check.body(), check.op, parent),
    }
}

/// Checks any operation, and everything in the body that it owns; `accepted`
/// says whether its row has accepted one of its kind, which is at hand if it
/// `has_kind`.
#[inline(never)]
fn verify_any<'a>(check: &Check<'a>, has_kind: bool, accepted: bool, run: &mut Run) {
    let &Check { scope, op } = check;
    // How its blocks end is asked first.
    if let Some(body) = check.data().isolated() {
        body.prefetch();
    }
    match verify_alone(check, accepted) {
        Ok(()) if has_kind && !accepted => run.accepted.insert(&run.kind, Rest::of(check)),
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
    // Ids mean something in their own body only.
    let outer = std::mem::take(&mut run.held);
    verify_body(&inner, run);
    run.held = outer;
}

/// Checks one operation, but not the ones inside it, nor what its row says
/// where that has been `accepted`.
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

/// Checks what an operation's row adds in code, or what is left of it where
/// one of its kind has been `accepted`.
fn verify_own(check: &Check, accepted: bool) -> Checked {
    match check.name().def() {
        Some(def) if accepted => rest::verify_each(check, def.verify_each),
        Some(def) => def.verify.map_or(Ok(()), |verify| verify(check)),
        None => Ok(()),
    }
}

fn verify_body<'a>(scope: &'a Scope<'a>, run: &mut Run) {
    let before = run.errors.len();
    // Bodies inside this one are walked meanwhile.
    let mut visible = std::mem::take(&mut run.visible);
    let threads = scope.ctx.threads();
    let doubtful = if threads > 1 && has_owners(scope.body) {
        verify_ops_on(threads, scope, run);
        visible.walk(scope.body, |_| ControlFlow::Continue(()))
    } else {
        visible.walk(scope.body, |op| {
            run.settle(|holder| is_inside(scope.body, op, holder));
            verify_op(scope, op, run);
            match run.errors.len() < MAX_ERRORS {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        })
    };
    run.settle(|_| false);
    run.errors.truncate(MAX_ERRORS);
    if run.errors.len() < MAX_ERRORS {
        let clash = scope.symbols.as_ref().is_some_and(SymbolTable::clashes);
        if clash && run.errors.len() == before {
            tell_clashes(scope, &mut run.errors);
        }
        if !doubtful.is_empty() {
            dominance::verify(scope, doubtful, &mut run.errors);
        }
    }
    run.visible = visible;
}

/// Whether enough operations of a body own bodies for threads to share them.
fn has_owners(body: &Body) -> bool {
    let owners = body.arena().filter(|op| op.isolated().is_some());
    owners.take(MIN_OWNERS).count() == MIN_OWNERS
}

/// Checks the operations of a body on several threads.
fn verify_ops_on<'a>(threads: usize, scope: &'a Scope<'a>, run: &mut Run) {
    let ops = scope.body.walk();
    let found = threads::map(threads, &ops, Run::default, |run, &op| {
        verify_op(scope, op, run);
        (std::mem::take(&mut run.errors), run.held.pop())
    });
    for (&op, (errors, held)) in ops.iter().zip(found) {
        run.settle(|holder| is_inside(scope.body, op, holder));
        if let Some(held) = held {
            let before = run.errors.len();
            run.held.push(Held { before, ..held });
        }
        run.errors.append(errors);
    }
}

/// Whether an operation is one in the regions of another of its body.
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

/// Reports each symbol of a body that is defined before.
fn tell_clashes(scope: &Scope, errors: &mut Diagnostics) {
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
