//! `canonicalize`: constants folded, dead code removed, branches and loops
//! with a known outcome resolved, constants moved into affine maps.
//!
//! ```text
//! %c4 = arith.constant 4 : index
//! %n = arith.addi %c4, %c4                           affine.for %i = 0 to 8 {
//! affine.for %i = 0 to %n {                   ⇒        affine.store %v, %a[%i + 4]
//!   affine.store %v, %a[%i + symbol(%c4)]            }
//! }
//! affine.for %i = 5 to 3 { … }
//! ```
//!
//! Always legal.

use std::collections::HashMap;

use gridloom_ir::affine::{AffineExpr, AffineExprKind, AffineMap};
use gridloom_ir::dialect::affine::{self, Bound, ForOp};
use gridloom_ir::dialect::{arith, memref, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{BlockId, Body, Builder, Context, OpId, OpName, Value};

use super::fold::{Folded, fold};

/// Rounds after which a body is left as it is; each round but the last
/// changes something, and real programs take three or four.
const MAX_ROUNDS: usize = 20;

/// Canonicalizes a body. Returns whether anything changed.
pub fn canonicalize(ctx: &Context, body: &mut Body) -> bool {
    for round in 0..MAX_ROUNDS {
        let folded = fold_all(ctx, body);
        let resolved = resolve_control(ctx, body);
        let simplified = simplify_maps(ctx, body);
        let removed = remove_dead(body);
        if !(folded || resolved || simplified || removed) {
            return round > 0;
        }
    }
    true
}

/// Folds every operation once, in program order.
fn fold_all(ctx: &Context, body: &mut Body) -> bool {
    let mut replaced: HashMap<Value, Value> = HashMap::new();
    for op in body.walk() {
        for operand in 0..body[op].operands.len() {
            let value = body[op].operands[operand];
            if let Some(&new) = replaced.get(&value) {
                body[op].operands[operand] = new;
            }
        }
        let is_foldable = body[op].name.has(Traits::PURE)
            && !body[op].name.has(Traits::CONSTANT_LIKE)
            && !body[op].name.has(Traits::TERMINATOR);
        if !is_foldable {
            continue;
        }
        let Some(folded) = fold(ctx, body, op) else {
            continue;
        };
        let result = body[op].result(0);
        let new = match folded {
            Folded::Value(value) => value,
            Folded::Constant(attr) => {
                let ty = body.ty(result);
                Builder::before(ctx, body, op).constant(attr, ty)
            }
        };
        if new != result {
            replaced.insert(result, new);
        }
    }
    if replaced.is_empty() {
        return false;
    }
    // Uses before the definition (other blocks) are still to be replaced.
    body.replace_values(|mut value| {
        while let Some(&new) = replaced.get(&value) {
            value = new;
        }
        value
    });
    true
}

/// Resolves conditionals on constants, and loops that never run.
fn resolve_control(ctx: &Context, body: &mut Body) -> bool {
    let mut changed = false;
    // Inner ones first: what is erased takes what it holds along.
    for op in body.walk().into_iter().rev() {
        let outcome = match body[op].name {
            affine::FOR if ForOp(op).constant_trip_count(ctx, body) == Some(0) => {
                Some(Outcome::Values(ForOp(op).inits(ctx, body).to_vec()))
            }
            scf::FOR => never_runs(ctx, body, scf::ForOp(op))
                .then(|| Outcome::Values(scf::ForOp(op).inits(body).to_vec())),
            scf::IF => {
                let condition = scf::IfOp(op).condition(body);
                let holds = arith::constant_int(ctx, body, condition);
                holds.map(|holds| branch(body, op, holds != 0))
            }
            affine::IF => known_condition(ctx, body, affine::IfOp(op)).map(|h| branch(body, op, h)),
            _ => None,
        };
        if let Some(outcome) = outcome {
            replace_by(body, op, outcome);
            changed = true;
        }
    }
    changed
}

enum Outcome {
    Values(Vec<Value>),
    Block(BlockId),
    Nothing,
}

fn branch(body: &Body, op: OpId, holds: bool) -> Outcome {
    match body.region_block(op, usize::from(!holds)) {
        Some(block) => Outcome::Block(block),
        None => Outcome::Nothing,
    }
}

fn never_runs(ctx: &Context, body: &Body, op: scf::ForOp) -> bool {
    let bound = |value| arith::constant_int(ctx, body, value);
    let (lower, upper) = (bound(op.lower(body)), bound(op.upper(body)));
    !op.is_unsigned(ctx, body) && lower.zip(upper).is_some_and(|(l, u)| l >= u)
}

/// Whether the condition holds, if it does not depend on its operands.
fn known_condition(ctx: &Context, body: &Body, op: affine::IfOp) -> Option<bool> {
    let mut all = true;
    for constraint in &op.set(ctx, body).data(ctx).constraints {
        let value = constraint.expr.as_constant(ctx);
        match (value, constraint.is_eq) {
            (Some(value), true) if value != 0 => return Some(false),
            (Some(value), false) if value < 0 => return Some(false),
            (Some(_), _) => {}
            (None, _) => all = false,
        }
    }
    all.then_some(true)
}

/// Puts values, or the statements of a block of the operation, in its place.
fn replace_by(body: &mut Body, op: OpId, outcome: Outcome) {
    let values = match outcome {
        Outcome::Nothing => Vec::new(),
        Outcome::Values(values) => values,
        Outcome::Block(block) => {
            let ops: Vec<OpId> = body.ops(block).collect();
            let Some((&last, statements)) = ops.split_last() else {
                return;
            };
            for &statement in statements {
                body.detach(statement);
                body.insert_before(op, statement);
            }
            body[last].operands.to_vec()
        }
    };
    let results: HashMap<Value, Value> = body[op].results().zip(values).collect();
    if !results.is_empty() {
        body.replace_values(|v| results.get(&v).copied().unwrap_or(v));
    }
    body.erase(op);
}

/// Moves constants, and the maps of `affine.apply`, into the maps that use
/// them, and drops inputs that a map does not use.
fn simplify_maps(ctx: &Context, body: &mut Body) -> bool {
    let mut changed = false;
    for op in body.walk() {
        changed |= match body[op].name {
            affine::FOR => {
                let op = ForOp(op);
                let (lower, upper) = (op.lower(ctx, body), op.upper(ctx, body));
                let lower = Simplified::of(ctx, body, lower.map, lower.operands);
                let upper = Simplified::of(ctx, body, upper.map, upper.operands);
                if let Some(new) = &lower {
                    op.set_lower(ctx, body, new.bound());
                }
                if let Some(new) = &upper {
                    op.set_upper(ctx, body, new.bound());
                }
                lower.is_some() || upper.is_some()
            }
            affine::LOAD => simplify_op(ctx, body, op, 1),
            affine::STORE => simplify_op(ctx, body, op, 2),
            affine::APPLY | affine::MIN | affine::MAX => simplify_op(ctx, body, op, 0),
            affine::IF => simplify_if(ctx, body, affine::IfOp(op)),
            _ => false,
        };
    }
    changed
}

/// An operation with a property `map` whose inputs start at operand `first`.
fn simplify_op(ctx: &Context, body: &mut Body, op: OpId, first: usize) -> bool {
    let Some(map) = body[op].attr(ctx, "map").and_then(|m| m.as_map(ctx)) else {
        return false;
    };
    let Some(new) = Simplified::of(ctx, body, map, &body[op].operands[first..]) else {
        return false;
    };
    body[op].set_property(ctx, "map", ctx.map_attr(new.map));
    body[op].operands.truncate(first);
    body[op].operands.extend(new.operands);
    true
}

fn simplify_if(ctx: &Context, body: &mut Body, op: affine::IfOp) -> bool {
    let data = op.set(ctx, body).data(ctx);
    let exprs: Vec<AffineExpr> = data.constraints.iter().map(|c| c.expr).collect();
    // A set is simplified as the map to its left sides.
    let map = ctx.affine_map(data.dims, data.symbols, &exprs);
    let Some(new) = Simplified::of(ctx, body, map, op.operands(body)) else {
        return false;
    };
    let new_data = new.map.data(ctx);
    let constraints: Vec<_> = (data.constraints.iter().zip(&new_data.results))
        .map(|(old, &expr)| gridloom_ir::affine::AffineConstraint { expr, ..*old })
        .collect();
    let set = ctx.integer_set(new_data.dims, new_data.symbols, &constraints);
    body[op.0].set_property(ctx, "condition", ctx.set_attr(set));
    body[op.0].operands = new.operands.into();
    true
}

/// A map with fewer or plainer inputs.
struct Simplified {
    map: AffineMap,
    operands: Vec<Value>,
}

impl Simplified {
    fn bound(&self) -> Bound<'_> {
        Bound {
            map: self.map,
            operands: &self.operands,
        }
    }

    /// `None` if nothing changes.
    fn of(ctx: &Context, body: &Body, map: AffineMap, operands: &[Value]) -> Option<Self> {
        let (dims, symbols) = operands.split_at_checked(map.num_dims(ctx))?;
        let mut inputs = Inputs {
            ctx,
            body,
            dims: Vec::new(),
            symbols: Vec::new(),
        };
        let dim_exprs: Vec<_> = dims.iter().map(|&v| inputs.dim(v)).collect();
        let symbol_exprs: Vec<_> = symbols.iter().map(|&v| inputs.symbol(v)).collect();
        let results = map
            .results(ctx)
            .iter()
            .map(|r| r.replace(ctx, &dim_exprs, &symbol_exprs));
        let results: Vec<AffineExpr> = results.collect();
        inputs
            .compact(&results)
            .filter(|new| new.map != map || new.operands != operands)
    }
}

/// The inputs of a map being simplified.
struct Inputs<'a> {
    ctx: &'a Context,
    body: &'a Body,
    dims: Vec<Value>,
    symbols: Vec<Value>,
}

impl Inputs<'_> {
    fn dim(&mut self, value: Value) -> AffineExpr {
        let (ctx, body) = (self.ctx, self.body);
        if let Some(number) = arith::constant_int(ctx, body, value) {
            return ctx.affine_const(number);
        }
        if let Some(composed) = self.composed(value) {
            return composed;
        }
        let number = position(&mut self.dims, value);
        ctx.affine_dim(number)
    }

    fn symbol(&mut self, value: Value) -> AffineExpr {
        if let Some(number) = arith::constant_int(self.ctx, self.body, value) {
            return self.ctx.affine_const(number);
        }
        let number = position(&mut self.symbols, value);
        self.ctx.affine_symbol(number)
    }

    /// The expression of an `affine.apply`, one level deep: the next round
    /// takes the next level.
    fn composed(&mut self, value: Value) -> Option<AffineExpr> {
        let (ctx, body) = (self.ctx, self.body);
        let op = body
            .defining_op(value)
            .filter(|&op| body[op].name == affine::APPLY)?;
        let map = body[op].attr(ctx, "map")?.as_map(ctx)?;
        let (dims, symbols) = body[op].operands.split_at_checked(map.num_dims(ctx))?;
        let result = *map.results(ctx).first()?;
        let dims: Vec<_> = dims
            .iter()
            .map(|&v| ctx.affine_dim(position(&mut self.dims, v)))
            .collect();
        let symbols = symbols
            .iter()
            .map(|&v| ctx.affine_symbol(position(&mut self.symbols, v)));
        let symbols: Vec<_> = symbols.collect();
        Some(result.replace(ctx, &dims, &symbols))
    }

    /// Drops inputs that no result uses and renumbers the others.
    fn compact(self, results: &[AffineExpr]) -> Option<Simplified> {
        let ctx = self.ctx;
        let (mut used_dims, mut used_symbols) = (
            vec![false; self.dims.len()],
            vec![false; self.symbols.len()],
        );
        let mut stack = results.to_vec();
        while let Some(expr) = stack.pop() {
            match expr.kind(ctx) {
                AffineExprKind::Dim(i) => *used_dims.get_mut(i as usize)? = true,
                AffineExprKind::Symbol(i) => *used_symbols.get_mut(i as usize)? = true,
                AffineExprKind::Constant(_) => {}
                AffineExprKind::Binary(_, l, r) => stack.extend([l, r]),
            }
        }
        let keep = |values: &[Value], used: &[bool]| -> Vec<Value> {
            let kept = values.iter().zip(used).filter(|(_, used)| **used);
            kept.map(|(&value, _)| value).collect()
        };
        let number = |used: &[bool], make: &dyn Fn(u32) -> AffineExpr| -> Vec<AffineExpr> {
            let mut next = 0;
            let numbers = used.iter().map(|&used| {
                next += u32::from(used);
                make(next.saturating_sub(1))
            });
            numbers.collect()
        };
        let dim_exprs = number(&used_dims, &|i| ctx.affine_dim(i));
        let symbol_exprs = number(&used_symbols, &|i| ctx.affine_symbol(i));
        let results: Vec<_> = results
            .iter()
            .map(|r| r.replace(ctx, &dim_exprs, &symbol_exprs))
            .collect();
        let (dims, symbols) = (
            keep(&self.dims, &used_dims),
            keep(&self.symbols, &used_symbols),
        );
        let map = ctx.affine_map(dims.len() as u32, symbols.len() as u32, &results);
        Some(Simplified {
            map,
            operands: [dims, symbols].concat(),
        })
    }
}

/// The position of a value in a list, to which it is added if need be.
fn position(values: &mut Vec<Value>, value: Value) -> u32 {
    let found = values.iter().position(|&v| v == value);
    let position = found.unwrap_or_else(|| {
        values.push(value);
        values.len() - 1
    });
    position as u32
}

/// Removes operations whose results nobody uses and that do nothing else.
pub fn remove_dead(body: &mut Body) -> bool {
    let mut counts = vec![0u32; body.value_capacity()];
    let ops = body.walk();
    for &op in &ops {
        for operand in &body[op].operands {
            counts[operand.index()] += 1;
        }
    }
    let mut changed = false;
    // Users come after what they use, so one pass backwards finds chains.
    for &op in ops.iter().rev() {
        let is_unused = body[op].results().all(|result| counts[result.index()] == 0);
        if !is_unused || body[op].parent().is_none() || !is_removable(body, op) {
            continue;
        }
        for below in body.walk_op(op) {
            for operand in &body[below].operands {
                counts[operand.index()] -= 1;
            }
        }
        body.erase(op);
        changed = true;
    }
    changed
}

/// Whether an operation does nothing but compute its results.
fn is_removable(body: &Body, root: OpId) -> bool {
    body.walk_op(root).into_iter().all(|op| {
        let name = body[op].name;
        let is_quiet = name.has(Traits::PURE)
            || matches!(
                name,
                affine::LOAD | memref::LOAD | memref::ALLOC | memref::ALLOCA
            )
            || name.has(Traits::RECURSIVE_EFFECTS) && always_ends(name);
        is_quiet && (op != root || !name.has(Traits::TERMINATOR))
    })
}

/// Whether an operation with regions ends if they do.
fn always_ends(name: OpName) -> bool {
    matches!(
        name,
        affine::FOR | affine::IF | affine::PARALLEL | scf::FOR | scf::IF
    )
}
