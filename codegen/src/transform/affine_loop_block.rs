//! `affine-loop-block`: blocks a loop whose inner loops begin at its counter, so that a
//! factorization gets its blocked form.
//!
//! ```text
//! affine.for %k = 0 to %n {                       affine.for %t = 0 to %n step 32 {
//!   affine.for %i = %k + 1 to %n {                  affine.for %k = %t to min(%t + 32, %n) {
//!     %a[%i, %k] /= %a[%k, %k]                        … with %i and %j below min(%t + 32, %n)
//!   }                                               }
//!   affine.for %i = %k + 1 to %n {                  affine.for %i = %t + 32 to %n {
//!     affine.for %j = %k + 1 to %n {                  affine.for %k = %t to min(%t + 32, %n) {
//!       %a[%i, %j] -= %a[%i, %k] * %a[%k, %j]           %a[%i, %k] /= %a[%k, %k]
//!     }                                                 affine.for %j = %k + 1 to %t + 32 { … }
//!   }                                                 }
//! }                                           ⇒     }
//!                                                   affine.for %j = %t + 32 to %n {
//!                                                     … with %k and %i below %t + 32
//!                                                   }
//!                                                   affine.for %i = %t + 32 to %n {
//!                                                     affine.for %k = %t to min(%t + 32, %n) {
//!                                                       affine.for %j = %t + 32 to %n {
//!                                                         %a[%i, %j] -= %a[%i, %k] * %a[%k, %j]
//!                                                       }
//!                                                     }
//!                                                   }
//!                                                 }
//! ```
//!
//! As it was, each iteration of `%k` is some launches and touches all of what is left of the array
//! for one multiply-add an element. Blocked, 32 iterations are four launches, and most of the work
//! is a product of matrices, whose operands stay in registers. It is strip-mining, index-set
//! splitting of the inner loops at the end of the block, distribution and interchange, in one step
//! since none of them pays alone (S. Carr and K. Kennedy, "Compiler blockability of numerical
//! algorithms", 1992).
//!
//! The inner loops split each statement into pieces ([`pieces`]): those of its instances whose
//! counters are in the block, beyond it, or before it. Pieces that depend on each other in one block
//! both ways stay together; groups of them run one after the other ([`groups`]). All iterations of
//! an element keep their order, so that floats are the same bit by bit.
//!
//! A nest by rows, in which each element collects its sum at once, gets a common outermost counter
//! first, as `affine-imperfect-interchange` would give it if that paid alone: conditions whether an
//! inner counter equals an outer one are split off, and sums collected in their elements.
//!
//! Legal where no group comes before one that it depends on, which their order ensures; where in a
//! group, of the instances of one iteration of `%k`, those of later pieces come after those of earlier ones
//! that they depend on; and where instances that depend on each other have the same counter of the
//! group's outermost loop. Refused are nests that `affine-imperfect-interchange` refuses too:
//! values that pass between statements and cannot be computed again, steps, other conditions, bounds
//! whose factors are not 1 or -1.
//!
//! Done where every group that leaves the block has a parallel outermost loop, some piece has two
//! loops outside of the block (a matrix product: otherwise one workgroup with barriers does as
//! well), and no loop of the nest as it was is parallel all the way.

use std::num::NonZeroU32;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::gpu;
use gridloom_ir::{AffineExpr, Body, Builder, Context, IrMapping, Module, OpId};

use super::affine_imperfect_interchange::edges::edges_of;
use super::affine_imperfect_interchange::plan_interchange;
use super::affine_imperfect_interchange::statement::{Statement, statements_of};
use super::affine_index_set_splitting::conditions::split_at_conditions;
use super::affine_scalar_demotion::demote_body;
use super::emit_loops::{bound, owned};
use super::plans::joined;
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::parallel::verdict;
use crate::analysis::values::Atom;
use crate::versions::change_functions;
use groups::{Grouping, groups_of};
use pieces::{Block, Piece, pieces_of};
use write::BlockedNest;

mod groups;
mod pieces;
mod write;

/// Iterations of a block that `offload` takes.
///
/// More of them make fewer launches and less traffic of the matrix product, and the part in one
/// workgroup longer.
pub const BLOCK_SIZE: NonZeroU32 = NonZeroU32::new(32).unwrap();

/// Blocks of an iteration count below which a loop stays as it is.
const MIN_BLOCKS: u64 = 4;

/// Blocks the loops in the host functions of a module, `size` iterations each. Returns whether
/// anything changed.
pub fn block_module(ctx: &Context, module: &mut Module, size: NonZeroU32) -> bool {
    let size = i64::from(size.get());
    let globals = Globals::of(ctx, module);
    let found = change_functions(ctx, module, &globals, |draft| {
        let (mut relied, mut changed) = (false, false);
        for l in candidates(ctx, draft, size) {
            let as_it_is = blocked(ctx, draft, &globals, l, size);
            let found = as_it_is.or_else(|| interchanged(ctx, draft, &globals, l, size));
            if let Some((body, relies)) = found {
                *draft.edit() = body;
                changed = true;
                relied |= relies;
            }
        }
        (relied, (changed, Default::default()))
    });
    joined(found).0
}

/// The outermost loops, and those in loops around several nests, that may be factorizations by the
/// shape of their bounds.
fn candidates(ctx: &Context, body: &Body, size: i64) -> Vec<ForOp> {
    let mut found: Vec<ForOp> = Vec::new();
    for op in body.walk() {
        let Some(l) = ForOp::cast(body, op) else {
            continue;
        };
        let is_inside = |around: OpId| {
            let name = body[around].name;
            matches!(name, affine::PARALLEL | gpu::LAUNCH)
                || found.iter().any(|found| found.0 == around)
        };
        if !body.ancestors(op).any(is_inside) && is_candidate(ctx, body, l, size) {
            found.push(l);
        }
    }
    found
}

fn is_candidate(ctx: &Context, body: &Body, l: ForOp, size: i64) -> bool {
    let trips = l.constant_trip_count(ctx, body);
    let is_short = trips.is_some_and(|trips| trips < MIN_BLOCKS * size.unsigned_abs());
    if l.step(ctx, body) != 1 || body[l.0].num_results() > 0 || is_short {
        return false;
    }
    // Two loops in one another, with bounds that are counters.
    let trails = |op: OpId| {
        ForOp::cast(body, op).is_some_and(|inner| {
            let (lower, upper, _) = inner.operands(ctx, body);
            let mut operands = lower.operands.iter().chain(upper.operands);
            operands.any(|&operand| body.is_defined_in(operand, l.0))
        })
    };
    let mut inner = body.walk_op(l.0).into_iter().skip(1);
    inner.any(|op| {
        let within = |around: &OpId| *around != l.0;
        trails(op) && body.ancestors(op).take_while(within).any(trails)
    })
}

/// The body with this loop blocked, and whether that relies on disjoint arguments; `None` where
/// it does not pay or cannot be shown legal.
fn blocked(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    l: ForOp,
    size: i64,
) -> Option<(Body, bool)> {
    let mut deps = Dependences::new(ctx, body, globals);
    let around = body.ancestors(l.0);
    let mut loops = around.filter(|&op| body[op].name == affine::FOR);
    if loops.any(|op| verdict(&mut deps, op).is_parallel()) || verdict(&mut deps, l.0).is_parallel()
    {
        return None;
    }
    let mut body = body.clone();
    let tiles = strip_mine(ctx, &mut body, l, size)?;
    let mut deps = Dependences::new(ctx, &body, globals);
    let nest = plan(&mut deps, tiles, l, size)?;
    let relies = deps.aliases.relied_on_arguments();
    nest.write(ctx, &mut body);
    Some((body, relies))
}

/// [`blocked`], once the nest has a common outermost counter.
fn interchanged(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    l: ForOp,
    size: i64,
) -> Option<(Body, bool)> {
    let mut body = body.clone();
    let mut relied = false;
    if split_at_conditions(ctx, &mut body, l) {
        relied |= demote_body(ctx, &mut body, globals);
    }
    let mut deps = Dependences::new(ctx, &body, globals);
    let plan = plan_interchange(&mut deps, l)?;
    relied |= deps.aliases.relied_on_arguments();
    let outermost = plan.apply(ctx, &mut body);
    let (body, relies) = blocked(ctx, &body, globals, outermost, size)?;
    Some((body, relied || relies))
}

/// Puts a loop into one over blocks of `size` iterations, which is returned.
fn strip_mine(ctx: &Context, body: &mut Body, l: ForOp, size: i64) -> Option<ForOp> {
    let (upper_map, mut operands) = owned(l.upper(ctx, body));
    let mut b = Builder::before(ctx, body, l.0);
    let blocks = l.create_like(&mut b, &IrMapping::new(), &[]);
    blocks.set_step(ctx, b.body, size);
    let block = blocks.block(b.body);
    let first = blocks.induction_var(b.body);
    affine::yield_values(&mut b, block, &[]);
    body.detach(l.0);
    body.prepend(block, l.0);
    let (dims, symbols) = (upper_map.num_dims(ctx), upper_map.num_symbols(ctx));
    let first_dim = u32::try_from(dims).ok()?;
    let end = ctx.affine_add(ctx.affine_dim(first_dim), ctx.affine_const(size));
    let ends: Vec<AffineExpr> = upper_map
        .results(ctx)
        .iter()
        .copied()
        .chain([end])
        .collect();
    operands.insert(dims, first);
    l.set_lower(ctx, body, bound(&(ctx.identity_map(1), vec![first])));
    let symbols = u32::try_from(symbols).ok()?;
    let ends = ctx.affine_map(first_dim.checked_add(1)?, symbols, &ends);
    l.set_upper(ctx, body, bound(&(ends, operands)));
    Some(blocks)
}

/// Plans the groups of the nest `root`, a strip of `size` iterations in the loop `blocks`.
fn plan(deps: &mut Dependences, blocks: ForOp, root: ForOp, size: i64) -> Option<BlockedNest> {
    let statements = statements_of(deps, root)?;
    let edges = edges_of(deps, root, &statements, false);
    let first = Atom::Value(blocks.induction_var(deps.values.body));
    let block = Block {
        root,
        first: deps.values.atom_number(first),
        size,
    };
    let mut grouping = Grouping {
        deps,
        block: &block,
        statements: &statements,
        edges: &edges,
    };
    let wholes: Vec<Piece> = Piece::wholes(&statements);
    let all: Vec<usize> = (0..wholes.len()).collect();
    let pairs = grouping.piece_edges(&wholes);
    if grouping.parallel_loops(&wholes, &all, &pairs).is_some() {
        return None;
    }
    let pieces = pieces_of(&mut grouping.deps.values, &block, &statements)?;
    let is_product = |piece: &Piece| piece.outside().count() > 1;
    if !pieces.iter().any(is_product) {
        return None;
    }
    let groups = groups_of(&mut grouping, &pieces)?;
    BlockedNest::of(&mut deps.values, &block, statements, pieces, groups)
}
