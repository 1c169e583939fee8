//! Rule index: rewrites by the operation at their root, ours and those of other crates.

use std::sync::OnceLock;

use gridloom_dialects::{affine, scf};
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{Context, OpId, OpName};

use super::rules::{Family, Rule, Rules};
use super::{
    arith, branch, bufferization, calls, control, device, extremum, floats, globals, index, linear,
    maps, memory, structured, tensor, vector,
};
use crate::rewriter::Rewriter;

/// The families; where two name one root, the rewrites of the first are tried before.
const FAMILIES: [Family; 13] = [
    AFFINE,
    arith::RULES,
    floats::RULES,
    branch::RULES,
    structured::RULES,
    memory::RULES,
    tensor::RULES,
    bufferization::RULES,
    device::RULES,
    index::RULES,
    linear::RULES,
    calls::RULES,
    vector::RULES,
];

/// Rewrites of operations with affine maps: each composes the map, and lets the next rewrite see
/// the result.
const AFFINE: Family = &[
    (affine::APPLY, &[|rw, op| compose(rw, op, 0)]),
    (affine::DMA_START, &[memory::look_through_casts]),
    (affine::DMA_WAIT, &[memory::look_through_casts]),
    (
        affine::FOR,
        &[|rw, op| {
            maps::compose_for(rw, affine::ForOp(op));
            control::simplify_affine_for(rw, affine::ForOp(op));
            None
        }],
    ),
    (
        affine::IF,
        &[|rw, op| {
            maps::compose_if(rw, affine::IfOp(op));
            control::simplify_affine_if(rw, affine::IfOp(op));
            None
        }],
    ),
    (
        affine::LOAD,
        &[
            |rw, op| look_through_cast(rw, op, 0),
            globals::simplify_load,
        ],
    ),
    (
        affine::MAX,
        &[|rw, op| {
            extremum::simplify(rw, op);
            None
        }],
    ),
    (
        affine::MIN,
        &[|rw, op| {
            extremum::simplify(rw, op);
            None
        }],
    ),
    (
        affine::PARALLEL,
        &[|rw, op| {
            maps::compose_parallel(rw, affine::ParallelOp(op));
            None
        }],
    ),
    (affine::PREFETCH, &[|rw, op| look_through_cast(rw, op, 0)]),
    (affine::STORE, &[|rw, op| look_through_cast(rw, op, 1)]),
    (
        affine::VECTOR_LOAD,
        &[|rw, op| look_through_cast(rw, op, 0)],
    ),
    (
        affine::VECTOR_STORE,
        &[|rw, op| look_through_cast(rw, op, 1)],
    ),
    (
        scf::FOR,
        &[|rw, op| {
            control::simplify_scf_for(rw, scf::ForOp(op));
            None
        }],
    ),
    (
        scf::IF,
        &[|rw, op| {
            control::simplify_scf_if(rw, scf::IfOp(op));
            None
        }],
    ),
];

/// Composes the map whose operands begin at `first`.
fn compose(rw: &mut Rewriter, op: OpId, first: usize) -> Option<()> {
    maps::compose_map(rw, op, first);
    None
}

/// Looks through the cast that makes the memref at `place`, and composes the map that follows.
fn look_through_cast(rw: &mut Rewriter, op: OpId, place: usize) -> Option<()> {
    memory::look_through_cast(rw, op, place);
    compose(rw, op, place + 1)
}

/// Rewrites of gridloom's dialects by the index of their root's name.
fn own() -> &'static [Vec<Rule>] {
    static OWN: OnceLock<Vec<Vec<Rule>>> = OnceLock::new();
    OWN.get_or_init(|| {
        let mut by_root = Vec::new();
        for (root, rules) in FAMILIES.into_iter().flatten() {
            if by_root.len() <= root.index() {
                by_root.resize(root.index() + 1, Vec::new());
            }
            by_root[root.index()].extend_from_slice(rules);
        }
        by_root
    })
}

/// Rewrites of one context, by root.
pub(super) struct RuleIndex<'c> {
    own: &'static [Vec<Rule>],
    /// Rewrites attached to the context.
    added: FxHashMap<OpName, &'c [Rule]>,
}

impl<'c> RuleIndex<'c> {
    /// Indexes our rewrites and those attached to a context.
    pub(super) fn of(ctx: &'c Context) -> Self {
        let rules = ctx.interface::<Rules>();
        let roots = rules.into_iter().flat_map(|rules| &rules.by_root);
        let added = roots.map(|(root, rules)| (ctx.op_name(root), &rules[..]));
        RuleIndex {
            own: own(),
            added: added.collect(),
        }
    }

    /// Tries each rewrite of the operation; `Some(())` if one fired.
    pub(super) fn apply(&self, rw: &mut Rewriter, op: OpId) -> Option<()> {
        let root = rw.body()[op].name;
        let own = self.own.get(root.index()).map_or(&[][..], |rules| rules);
        let added = match self.added.is_empty() {
            true => &[][..],
            false => self.added.get(&root).copied().unwrap_or_default(),
        };
        added.iter().chain(own).find_map(|rule| rule(rw, op))
    }
}
