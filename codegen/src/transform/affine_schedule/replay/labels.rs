//! Loop labels during the replay of a schedule.
//!
//! A label stands in the loop's location, `loc("…:i"(…))`, which passes preserve: copies of a loop
//! and its replacements have its label too. After each step, labels are made unique again; after
//! the last one, locations are restored.

use std::collections::HashSet;

use gridloom_ir::location::LocKind;
use gridloom_ir::{Body, Context, Loc, OpId};

use crate::analysis::loop_kind::is_any_loop;
use crate::analysis::loop_labels::{free_label, loop_labels};
use crate::transform::affine_guard_overflow::is_fallback;
use crate::transform::plans::is_inside;

/// Prefix of location names that are labels.
const PREFIX: &str = "gridloom.label:";

/// Labels the loops of a body.
pub(super) fn attach(ctx: &Context, body: &mut Body) {
    for (op, label) in loop_labels(ctx, body) {
        set(ctx, body, op, &label);
    }
}

/// Labels a loop, keeping its source location.
pub(super) fn set(ctx: &Context, body: &mut Body, op: OpId, label: &str) {
    body[op].loc = labelled(ctx, plain(ctx, body[op].loc), label);
}

fn labelled(ctx: &Context, loc: Loc, label: &str) -> Loc {
    let name = ctx.ident(&format!("{PREFIX}{label}"));
    ctx.intern_loc(LocKind::Name { name, child: loc })
}

/// Restores locations without labels.
pub(super) fn detach(ctx: &Context, body: &mut Body) {
    for op in body.walk() {
        body[op].loc = plain(ctx, body[op].loc);
    }
}

/// The source location of a loop, without its label.
pub(super) fn place(ctx: &Context, body: &Body, op: OpId) -> Loc {
    plain(ctx, body[op].loc)
}

/// A location without its label.
fn plain(ctx: &Context, loc: Loc) -> Loc {
    split(ctx, loc).map_or(loc, |(_, child)| child)
}

fn split(ctx: &Context, loc: Loc) -> Option<(&str, Loc)> {
    match loc.kind(ctx)? {
        LocKind::Name { name, child } => {
            let label = ctx.str(*name).strip_prefix(PREFIX)?;
            Some((label, *child))
        }
        _ => None,
    }
}

/// The label of a loop.
pub(super) fn label_of<'c>(ctx: &'c Context, body: &Body, op: OpId) -> Option<&'c str> {
    split(ctx, body[op].loc).map(|(label, _)| label)
}

/// The loops that have labels, in the order of the program.
pub(super) fn labels<'c>(ctx: &'c Context, body: &Body) -> Vec<(OpId, &'c str)> {
    let loops = body.walk().into_iter().filter(|&op| is_any_loop(body, op));
    loops
        .filter_map(|op| Some((op, label_of(ctx, body, op)?)))
        .collect()
}

/// Removes the labels of fallback nests, which run where the test of another one fails, and of
/// their loops.
pub(super) fn unlabel_fallbacks(ctx: &Context, body: &mut Body) {
    let labelled = labels(ctx, body);
    let fallbacks: HashSet<OpId> = (labelled.iter())
        .map(|&(op, _)| op)
        .filter(|&op| is_fallback(body, op))
        .collect();
    for (op, _) in labelled {
        if fallbacks.contains(&op) || is_inside(body, op, &fallbacks) {
            body[op].loc = plain(ctx, body[op].loc);
        }
    }
}

/// Makes labels unique: of loops with one label, the first in program order keeps it, others get
/// the next free number.
pub(super) fn number_duplicates(ctx: &Context, body: &mut Body) {
    let labelled = labels(ctx, body);
    let mut taken: HashSet<String> = labelled.iter().map(|(_, l)| (*l).to_owned()).collect();
    let mut seen: HashSet<&str> = HashSet::new();
    for (op, label) in labelled {
        if !seen.insert(label) {
            let free = free_label(&taken, label);
            set(ctx, body, op, &free);
            taken.insert(free);
        }
    }
}
