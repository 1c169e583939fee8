//! `affine-expand-index-ops`: expands linearization and delinearization of indices to `arith`, or
//! with `affine-expand-index-ops-as-affine` to `affine.apply`.
//!
//! ```text
//! %i, %j = affine.delinearize_index %x into (%m, 8)   ⇒   %i = affine.apply (x) -> (x floordiv 8)
//!                                                         %j = affine.apply (x) -> (x mod 8)
//! %x = affine.linearize_index [%i, %j] by (%m, 8)     ⇒   %x = affine.apply (i, j) -> (i * 8 + j)
//! ```
//!
//! The outermost size says nothing about the numbers. As `arith`, affine operations that take the result
//! for a dimension are lowered too, as by `lower-affine`:
//!
//! ```text
//! %i, %j = affine.delinearize_index %x into (4, 8)    ⇒   %i = arith.divsi …
//! %k = affine.apply (i) -> (i * 2)(%i)                    %k = arith.muli %i, %c2
//! affine.load %a[%k]                                      memref.load %a[%k]
//! ```
//!
//! `affine.parallel` and transfers cannot be lowered alone: where one of them may take the result, the
//! operation stays, with a remark. As `affine.apply` only where the indices can be dimensions and the
//! sizes symbols; others stay, with a remark.

use std::collections::HashSet;

use gridloom_dialects::affine::{self, ApplyOp, Bound, is_valid_dim, is_valid_symbol, scope_of};
use gridloom_dialects::inherent;
use gridloom_dialects::memref::Mixed;
use gridloom_ir::affine::AffineOp;
use gridloom_ir::{
    AffineExpr, AffineMap, Body, Builder, Context, Diagnostic, Diagnostics, OpId, RegionId, Value,
};

use super::affine_scope::restore_scope;
use super::joint_bounds::JointBounds;
use super::lower_affine::expand_results;

/// Expands the operations of a body to `arith`. Returns whether any were expanded, and remarks on
/// others.
pub fn expand_index_ops(ctx: &Context, body: &mut Body) -> (bool, Diagnostics) {
    let mut remarks = Diagnostics::new();
    let mut changed = false;
    let needed = needed_dimensions(body);
    let rigid = rigid_scopes(body);
    let mut lowered = HashSet::new();
    for op in index_ops(body) {
        let Some(index) = index_of(ctx, body, op) else {
            continue;
        };
        if needed.contains(&op) {
            let scope = scope_of(body, op);
            if rigid.contains(&scope) {
                let message = "this operation is not expanded: an affine operation uses its result \
                               as a dimension, which a result of arith cannot be there \
                               (affine-expand-index-ops-as-affine keeps it one)";
                remarks.push(Diagnostic::remark(body[op].loc, message));
                continue;
            }
            lowered.insert(scope);
        }
        let mut b = Builder::before(ctx, body, op);
        let (map, operands) = index.map(ctx);
        let new = expand_results(&mut b, map, &operands);
        body.replace_op(op, &new);
        changed = true;
    }
    if !lowered.is_empty() {
        let mut ops = body.walk();
        ops.retain(|&op| lowered.contains(&scope_of(body, op)));
        restore_scope(ctx, body, &ops);
    }
    (changed, remarks)
}

/// The affine scopes with an operation that takes dimensions and cannot be lowered alone.
fn rigid_scopes(body: &Body) -> HashSet<Option<RegionId>> {
    let ops = body.walk_named(|name| {
        matches!(
            name,
            affine::PARALLEL | affine::DMA_START | affine::DMA_WAIT
        )
    });
    ops.into_iter().map(|op| scope_of(body, op)).collect()
}

/// Linearizations and delinearizations whose results have to be affine dimensions, directly or
/// through others of the kind, where not every value can be one.
fn needed_dimensions(body: &Body) -> HashSet<OpId> {
    let uses = body.uses();
    let mut kept = HashSet::new();
    // Users come after definitions, so they are visited first.
    for op in index_ops(body).into_iter().rev() {
        let region = body[op].parent().and_then(|block| body[block].parent());
        let is_anything_valid = region.is_some() && region == scope_of(body, op);
        let mut users = body[op].results().flat_map(|result| uses.of(result));
        let is_needed = users.any(|user| match body[user.op].name {
            affine::DELINEARIZE_INDEX | affine::LINEARIZE_INDEX => kept.contains(&user.op),
            name => {
                gridloom_dialects::signature(name).is_none_or(|op| op.name.starts_with("affine."))
            }
        });
        if is_needed && !is_anything_valid {
            kept.insert(op);
        }
    }
    kept
}

/// Expands the operations of a body to `affine.apply`. Returns whether any were expanded, and
/// remarks on others.
pub fn expand_index_ops_as_affine(ctx: &Context, body: &mut Body) -> (bool, Diagnostics) {
    let mut remarks = Diagnostics::new();
    let mut changed = false;
    for op in index_ops(body) {
        let Some(index) = index_of(ctx, body, op) else {
            continue;
        };
        let scope = scope_of(body, op);
        let is_affine = scope.is_some_and(|scope| {
            let is_dim = |&value: &Value| is_valid_dim(ctx, body, value, scope);
            let is_symbol = |&value: &Value| is_valid_symbol(ctx, body, value, scope);
            index.dims.iter().all(is_dim) && index.symbols.iter().all(is_symbol)
        });
        if !is_affine {
            let message = "this operation is not expanded: affine.apply takes indices that are \
                           dimensions and sizes that are symbols (affine-expand-index-ops takes \
                           any)";
            remarks.push(Diagnostic::remark(body[op].loc, message));
            continue;
        }
        let (map, operands) = index.map(ctx);
        let operands = &operands;
        let joint = JointBounds::of(ctx, &[Bound { map, operands }]);
        let mut b = Builder::before(ctx, body, op);
        let new: Vec<Value> = (joint.exprs[0].iter())
            .map(|&expr| {
                let (map, operands) = joint.compact(ctx, &[expr]);
                ApplyOp::create(&mut b, map, &operands)
            })
            .collect();
        body.replace_op(op, &new);
        changed = true;
    }
    (changed, remarks)
}

/// The results of an operation over its indices and its sizes.
struct Index {
    dims: Vec<Value>,
    symbols: Vec<Value>,
    exprs: Vec<AffineExpr>,
}

impl Index {
    /// The map of all results, and its operands.
    fn map(&self, ctx: &Context) -> (AffineMap, Vec<Value>) {
        let (dims, symbols) = (self.dims.len() as u32, self.symbols.len() as u32);
        let operands = [&self.dims[..], &self.symbols[..]].concat();
        (ctx.affine_map(dims, symbols, &self.exprs), operands)
    }
}

/// The operations to rewrite.
fn index_ops(body: &Body) -> Vec<OpId> {
    body.walk_named(|name| matches!(name, affine::DELINEARIZE_INDEX | affine::LINEARIZE_INDEX))
}

fn index_of(ctx: &Context, body: &Body, op: OpId) -> Option<Index> {
    let data = &body[op];
    let (dims, values) = match data.name {
        affine::DELINEARIZE_INDEX => data.operands.split_at_checked(1)?,
        affine::LINEARIZE_INDEX => (data.operand_segment(ctx, 0), data.operand_segment(ctx, 1)),
        _ => return None,
    };
    let numbers = data.get(ctx, inherent::STATIC_BASIS)?;
    let mut symbols: Vec<Value> = Vec::new();
    let sizes = Mixed::zip(&numbers, values).into_iter();
    let sizes: Vec<AffineExpr> = sizes
        .map(|size| match size {
            Mixed::Constant(number) => ctx.affine_const(number),
            Mixed::Value(value) => {
                symbols.push(value);
                ctx.affine_symbol(symbols.len() as u32 - 1)
            }
        })
        .collect();
    let mut exprs: Vec<AffineExpr> = Vec::new();
    if data.name == affine::DELINEARIZE_INDEX {
        let inner = data.num_results().saturating_sub(1);
        let mut rest = ctx.affine_dim(0);
        for &size in sizes.iter().rev().take(inner) {
            exprs.push(ctx.affine_binary(AffineOp::Mod, rest, size));
            rest = ctx.affine_binary(AffineOp::FloorDiv, rest, size);
        }
        exprs.push(rest);
        exprs.reverse();
    } else {
        let inner = dims.len().saturating_sub(1);
        let sizes = &sizes[sizes.len().saturating_sub(inner)..];
        let parts = (0..dims.len() as u32).map(|number| ctx.affine_dim(number));
        let mut sum: Option<AffineExpr> = None;
        for (number, part) in parts.enumerate() {
            sum = Some(match sum {
                None => part,
                Some(sum) => ctx.affine_add(ctx.affine_mul(sum, sizes[number - 1]), part),
            });
        }
        exprs.push(sum.unwrap_or_else(|| ctx.affine_const(0)));
    }
    (exprs.len() == data.num_results() && sizes.len() + 1 >= dims.len()).then(|| Index {
        dims: dims.to_vec(),
        symbols,
        exprs,
    })
}
