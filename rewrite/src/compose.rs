//! Composition of affine expressions: substitutes the `affine.apply`s and constants that their
//! operands are.
//!
//! ```text
//! %j = affine.apply (d0) -> (d0 + 1)(%i)
//! … (d0, d1, d2) -> (d0 * 2, d1 + d2)(%j, %c3, %i)   ⇒   … (d0) -> (d0 * 2 + 2, d0 + 3)(%i)
//! ```
//!
//! Results of `affine.apply` and constants are substituted, equal operands merge, unused ones go; a
//! dimension that is a valid symbol becomes a symbol. The expressions come in [normal
//! form](normal_form).

use gridloom_dialects::{affine, arith};
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{AffineExpr, Body, Context, RegionId, Value};

use super::normal::normal_form;

/// Affine expressions with their operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Composed {
    /// The expressions.
    pub exprs: Vec<AffineExpr>,
    /// The operands of their dimensions.
    pub dims: Vec<Value>,
    /// The operands of their symbols.
    pub symbols: Vec<Value>,
}

impl Composed {
    /// The operands: those of the dimensions, then those of the symbols.
    pub fn operands(&self) -> Vec<Value> {
        [&self.dims[..], &self.symbols[..]].concat()
    }
}

/// Form of the expressions that composition gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// In [normal form](normal_form), if they have one.
    Normal,
    /// As substitution builds them, not normalised.
    AsBuilt,
}

/// Size limit of expressions that are substituted, lest a chain of applications that use their
/// operand twice grow without bound.
const MAX_SIZE: usize = 400;

/// Composes expressions: substitutes operands until they are the fewest and simplest. `None` if
/// nothing changes.
///
/// An operand whose value would make a divisor zero or negative stays, since no map may have such a
/// divisor. A dimension that is a valid symbol in `scope`, the region of the affine scope around
/// the use, becomes a symbol.
pub fn compose(
    ctx: &Context,
    body: &Body,
    exprs: &[AffineExpr],
    [dims, symbols]: [&[Value]; 2],
    scope: Option<RegionId>,
    form: Form,
) -> Option<Composed> {
    let sizes: Vec<usize> = exprs.iter().map(|&e| size(ctx, e)).collect();
    if sizes.iter().any(|&size| size >= MAX_SIZE) {
        return None;
    }
    let used = used_operands(ctx, exprs, [dims.len(), symbols.len()]);
    let operands = [(dims, &used[0][..]), (symbols, &used[1][..])];
    let through = Substitution::new(ctx, body, operands, true).apply(ctx, exprs);
    let composed =
        through.or_else(|| Substitution::new(ctx, body, operands, false).apply(ctx, exprs))?;
    let mut composed = match scope {
        Some(scope) => demote(ctx, body, promote(ctx, body, composed, scope), scope),
        None => composed,
    };
    let (dims_left, symbols_left) = (composed.dims.len(), composed.symbols.len());
    for expr in &mut composed.exprs {
        *expr = to_form(ctx, *expr, [dims_left, symbols_left], form);
    }
    let same = composed.exprs == exprs && composed.dims == dims && composed.symbols == symbols;
    (!same).then_some(composed)
}

/// Turns dimensions whose operands are valid symbols into symbols, behind the symbols
/// that are there.
fn promote(ctx: &Context, body: &Body, mut composed: Composed, scope: RegionId) -> Composed {
    let is_symbol = |&value: &Value| affine::is_valid_symbol(ctx, body, value, scope);
    if !composed.dims.iter().any(is_symbol) {
        return composed;
    }
    let mut left = Vec::new();
    let mut names = Vec::new();
    for &value in &composed.dims {
        if !is_symbol(&value) {
            names.push(ctx.affine_dim(left.len() as u32));
            left.push(value);
            continue;
        }
        let known = composed.symbols.iter().position(|&symbol| symbol == value);
        let number = known.unwrap_or_else(|| {
            composed.symbols.push(value);
            composed.symbols.len() - 1
        });
        names.push(ctx.affine_symbol(number as u32));
    }
    let symbols: Vec<AffineExpr> = (0..composed.symbols.len() as u32)
        .map(|number| ctx.affine_symbol(number))
        .collect();
    let exprs = composed.exprs.iter();
    composed.exprs = exprs
        .map(|expr| expr.replace(ctx, &names, &symbols))
        .collect();
    composed.dims = left;
    composed
}

/// Turns symbols whose operands are valid dimensions only, as `affine.min` and `affine.max` take
/// them, into dimensions, behind the dimensions that are there. Changes nothing where a divisor
/// would hold a dimension.
fn demote(ctx: &Context, body: &Body, mut composed: Composed, scope: RegionId) -> Composed {
    let is_demoted = |&value: &Value| affine::is_mere_dim(ctx, body, value, scope);
    if !composed.symbols.iter().any(is_demoted) {
        return composed;
    }
    let (mut dims, mut left, mut names) = (composed.dims.clone(), Vec::new(), Vec::new());
    for &value in &composed.symbols {
        if !is_demoted(&value) {
            names.push(ctx.affine_symbol(left.len() as u32));
            left.push(value);
            continue;
        }
        let known = dims.iter().position(|&dim| dim == value);
        let number = known.unwrap_or_else(|| {
            dims.push(value);
            dims.len() - 1
        });
        names.push(ctx.affine_dim(number as u32));
    }
    let exprs = composed.exprs.iter();
    let exprs: Vec<_> = exprs.map(|expr| expr.replace(ctx, &[], &names)).collect();
    if exprs.iter().all(|&expr| divisors_are_valid(ctx, expr)) {
        composed = Composed {
            exprs,
            dims,
            symbols: left,
        };
    }
    composed
}

/// Simplifies an expression to the form asked for, or as far as possible where it has no normal
/// form.
fn to_form(ctx: &Context, expr: AffineExpr, [dims, symbols]: [usize; 2], form: Form) -> AffineExpr {
    if form == Form::AsBuilt {
        return expr;
    }
    if let Some(normal) = normal_form(ctx, expr, dims, symbols) {
        return normal;
    }
    let expr = in_order(ctx, expr).unwrap_or(expr);
    if is_zero_remainder(ctx, expr) {
        return ctx.affine_const(0);
    }
    expr
}

/// Sorts the terms of a sum: dimensions, then symbols, behind each its products with others, then
/// other expressions as they come, then the constant. `None` if a number gets too large.
fn in_order(ctx: &Context, expr: AffineExpr) -> Option<AffineExpr> {
    let (mut terms, mut constant) = (Vec::<(AffineExpr, i64)>::new(), 0i64);
    let mut stack = vec![(expr, 1i64)];
    while let Some((expr, factor)) = stack.pop() {
        match expr.kind(ctx) {
            AffineExprKind::Constant(value) => {
                constant = constant.checked_add(value.checked_mul(factor)?)?;
            }
            AffineExprKind::Binary(AffineOp::Add, lhs, rhs) => {
                stack.extend([(rhs, factor), (lhs, factor)]);
            }
            AffineExprKind::Binary(AffineOp::Mul, lhs, rhs) if rhs.as_constant(ctx).is_some() => {
                stack.push((lhs, factor.checked_mul(rhs.as_constant(ctx)?)?));
            }
            _ => {
                let (expr, own) = split_factors(ctx, expr);
                let factor = factor.checked_mul(own)?;
                match terms.iter_mut().find(|(term, _)| *term == expr) {
                    Some((_, known)) => *known = known.checked_add(factor)?,
                    None => terms.push((expr, factor)),
                }
            }
        }
    }
    let place = |expr: AffineExpr| match expr.kind(ctx) {
        AffineExprKind::Dim(number) => (0, number),
        AffineExprKind::Symbol(number) => (1, number),
        _ => (2, 0),
    };
    // Stable, so the other expressions stay as they came.
    terms.sort_by_key(|&(term, _)| match term.kind(ctx) {
        // An operation on two operands comes after its first operand alone.
        AffineExprKind::Binary(_, lhs, rhs) if place(lhs).0 < 2 && place(rhs).0 < 2 => {
            (place(lhs), Some(place(rhs)))
        }
        _ => (place(term), None),
    });
    let mut sum = ctx.affine_const(0);
    for (term, factor) in terms {
        sum = ctx.affine_add(sum, ctx.affine_mul(term, ctx.affine_const(factor)));
    }
    Some(ctx.affine_add(sum, ctx.affine_const(constant)))
}

/// Splits the constant factors off a product of two operands: `s0 * (s1 * 3)` is `s0 * s1` with the
/// factor 3.
fn split_factors(ctx: &Context, expr: AffineExpr) -> (AffineExpr, i64) {
    let split = |expr: AffineExpr| match expr.kind(ctx) {
        AffineExprKind::Binary(AffineOp::Mul, lhs, rhs) => match rhs.as_constant(ctx) {
            Some(factor) => (lhs, factor),
            None => (expr, 1),
        },
        _ => (expr, 1),
    };
    if let AffineExprKind::Binary(AffineOp::Mul, lhs, rhs) = expr.kind(ctx) {
        let ((lhs, a), (rhs, b)) = (split(lhs), split(rhs));
        if let Some(factor) = a.checked_mul(b).filter(|&factor| factor != 1) {
            return (ctx.affine_mul(lhs, rhs), factor);
        }
    }
    (expr, 1)
}

/// Whether this is `(e - e mod s) mod s`, which is 0 for every positive `s`.
fn is_zero_remainder(ctx: &Context, expr: AffineExpr) -> bool {
    let AffineExprKind::Binary(AffineOp::Mod, sum, by) = expr.kind(ctx) else {
        return false;
    };
    let mut stack = vec![sum];
    while let Some(term) = stack.pop() {
        match term.kind(ctx) {
            AffineExprKind::Binary(AffineOp::Add, lhs, rhs) => stack.extend([lhs, rhs]),
            AffineExprKind::Binary(AffineOp::Mul, rest, factor)
                if factor.as_constant(ctx) == Some(-1) =>
            {
                let AffineExprKind::Binary(AffineOp::Mod, whole, of) = rest.kind(ctx) else {
                    continue;
                };
                if of == by {
                    let others = in_order(ctx, ctx.affine_add(sum, rest));
                    let (Some(others), Some(whole)) = (others, in_order(ctx, whole)) else {
                        return false;
                    };
                    if others == whole {
                        return true;
                    }
                }
            }
            _ => {}
        }
    }
    false
}

/// Number of nodes, counted up to [`MAX_SIZE`].
fn size(ctx: &Context, expr: AffineExpr) -> usize {
    let mut stack = vec![expr];
    let mut nodes = 0;
    while let Some(expr) = stack.pop() {
        nodes += 1;
        if nodes >= MAX_SIZE {
            break;
        }
        if let AffineExprKind::Binary(_, l, r) = expr.kind(ctx) {
            stack.extend([l, r]);
        }
    }
    nodes
}

/// Whether a value is the result of an `affine.apply` small enough to be substituted.
fn is_through(ctx: &Context, body: &Body, value: Value) -> bool {
    let maker = body.defining_op(value);
    let op = maker.and_then(|maker| affine::ApplyOp::cast(body, maker));
    op.is_some_and(|op| match op.map(ctx, body).results(ctx) {
        &[result] => size(ctx, result) < MAX_SIZE,
        _ => false,
    })
}

/// Substitution of the operands of some expressions by expressions of other operands.
#[derive(Default)]
struct Substitution {
    dims: Vec<AffineExpr>,
    symbols: Vec<AffineExpr>,
    new_dims: Vec<Value>,
    new_symbols: Vec<Value>,
    dim_numbers: FxHashMap<Value, u32>,
    symbol_numbers: FxHashMap<Value, u32>,
}

impl Substitution {
    /// Substitutes constants, and results of `affine.apply` if `deep`. Each operand comes with a
    /// flag: whether an expression uses it.
    fn new(ctx: &Context, body: &Body, operands: [(&[Value], &[bool]); 2], deep: bool) -> Self {
        let mut substitution = Substitution::default();
        let kinds = operands.into_iter().zip([false, true]);
        // Operands of applications stand after operands that stay, as in `mlir-opt`.
        for ((values, used), is_symbol) in kinds.clone() {
            for (&value, _) in values.iter().zip(used).filter(|(_, used)| **used) {
                let is_constant = arith::constant_int(ctx, body, value).is_some();
                if !(is_constant || deep && is_through(ctx, body, value)) {
                    substitution.operand(ctx, value, is_symbol);
                }
            }
        }
        for ((values, used), is_symbol) in kinds {
            for (&value, &used) in values.iter().zip(used) {
                let expr = match arith::constant_int(ctx, body, value) {
                    // No expression names an unused operand.
                    _ if !used => ctx.affine_const(0),
                    Some(number) => ctx.affine_const(number),
                    None => (substitution.look_through(ctx, body, value, is_symbol))
                        .filter(|_| deep)
                        .unwrap_or_else(|| substitution.operand(ctx, value, is_symbol)),
                };
                let list = match is_symbol {
                    true => &mut substitution.symbols,
                    false => &mut substitution.dims,
                };
                list.push(expr);
            }
        }
        substitution
    }

    fn operand(&mut self, ctx: &Context, value: Value, is_symbol: bool) -> AffineExpr {
        let (numbers, values) = match is_symbol {
            true => (&mut self.symbol_numbers, &mut self.new_symbols),
            false => (&mut self.dim_numbers, &mut self.new_dims),
        };
        let number = *numbers.entry(value).or_insert_with(|| {
            values.push(value);
            values.len() as u32 - 1
        });
        match is_symbol {
            true => ctx.affine_symbol(number),
            false => ctx.affine_dim(number),
        }
    }

    /// The expression that an `affine.apply` computes for `value`, over the new operands.
    fn look_through(
        &mut self,
        ctx: &Context,
        body: &Body,
        value: Value,
        is_symbol: bool,
    ) -> Option<AffineExpr> {
        if !is_through(ctx, body, value) {
            return None;
        }
        let op = affine::ApplyOp::cast(body, body.defining_op(value)?)?;
        let map = op.map(ctx, body);
        let &[result] = map.results(ctx) else {
            return None;
        };
        let (dims, symbols) = op.operands(body).split_at(map.num_dims(ctx));
        let scope = affine::scope_of(body, op.0);
        // Operands of a symbol's computation are symbols, whichever list they stand in. A value
        // that is valid as neither may stand for a symbol, too, and its operands may be of either
        // kind.
        let stays_symbol =
            |v: Value| scope.is_none_or(|scope| affine::is_valid_symbol(ctx, body, v, scope));
        let dims: Vec<_> = dims
            .iter()
            .map(|&v| self.operand(ctx, v, is_symbol && stays_symbol(v)))
            .collect();
        let symbols: Vec<_> = symbols
            .iter()
            .map(|&v| self.operand(ctx, v, true))
            .collect();
        Some(result.replace(ctx, &dims, &symbols))
    }

    /// Applies the substitution; gives the expressions over the new operands, unused ones left out.
    /// `None` if they would grow beyond bounds or not be affine any more.
    fn apply(self, ctx: &Context, exprs: &[AffineExpr]) -> Option<Composed> {
        let mut composed = Vec::with_capacity(exprs.len());
        for &expr in exprs {
            if self.size_after(ctx, expr) >= MAX_SIZE {
                return None;
            }
            let expr = expr.replace(ctx, &self.dims, &self.symbols);
            if !divisors_are_valid(ctx, expr) {
                return None;
            }
            composed.push(expr);
        }
        Some(self.without_unused(ctx, &composed))
    }

    fn size_after(&self, ctx: &Context, expr: AffineExpr) -> usize {
        let mut stack = vec![expr];
        let mut nodes = 0;
        while let Some(expr) = stack.pop() {
            nodes += match expr.kind(ctx) {
                AffineExprKind::Dim(i) => self.dims.get(i as usize).map_or(1, |&e| size(ctx, e)),
                AffineExprKind::Symbol(i) => {
                    self.symbols.get(i as usize).map_or(1, |&e| size(ctx, e))
                }
                _ => 1,
            };
            if nodes >= MAX_SIZE {
                break;
            }
            if let AffineExprKind::Binary(_, l, r) = expr.kind(ctx) {
                stack.extend([l, r]);
            }
        }
        nodes
    }

    fn without_unused(self, ctx: &Context, exprs: &[AffineExpr]) -> Composed {
        let counts = [self.new_dims.len(), self.new_symbols.len()];
        let [dim_used, symbol_used] = used_operands(ctx, exprs, counts);
        let (dims, dim_exprs) = compact_operands(&self.new_dims, &dim_used, |i| ctx.affine_dim(i));
        let (symbols, symbol_exprs) =
            compact_operands(&self.new_symbols, &symbol_used, |i| ctx.affine_symbol(i));
        let exprs = exprs
            .iter()
            .map(|e| e.replace(ctx, &dim_exprs, &symbol_exprs));
        Composed {
            exprs: exprs.collect(),
            dims,
            symbols,
        }
    }
}

/// Finds the dimensions and symbols that some expressions use.
fn used_operands(
    ctx: &Context,
    exprs: &[AffineExpr],
    [dims, symbols]: [usize; 2],
) -> [Vec<bool>; 2] {
    let mut used = [vec![false; dims], vec![false; symbols]];
    let mut stack = exprs.to_vec();
    while let Some(expr) = stack.pop() {
        match expr.kind(ctx) {
            AffineExprKind::Dim(number) => used[0][number as usize] = true,
            AffineExprKind::Symbol(number) => used[1][number as usize] = true,
            AffineExprKind::Constant(_) => {}
            AffineExprKind::Binary(_, l, r) => stack.extend([l, r]),
        }
    }
    used
}

/// Keeps the used values; for each old value, gives the name of its place among them.
fn compact_operands(
    values: &[Value],
    used: &[bool],
    name: impl Fn(u32) -> AffineExpr,
) -> (Vec<Value>, Vec<AffineExpr>) {
    let mut kept = Vec::new();
    let mut names = Vec::new();
    for (&value, &used) in values.iter().zip(used) {
        // No expression names an unused value, so any name will do.
        names.push(name(kept.len() as u32));
        if used {
            kept.push(value);
        }
    }
    (kept, names)
}

/// Whether no divisor is a constant below 1, and divisors and one factor of each
/// product are free of dimensions.
fn divisors_are_valid(ctx: &Context, expr: AffineExpr) -> bool {
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        if let AffineExprKind::Binary(op, l, r) = expr.kind(ctx) {
            let divides = matches!(op, AffineOp::Mod | AffineOp::FloorDiv | AffineOp::CeilDiv);
            if divides && r.as_constant(ctx).is_some_and(|by| by < 1) {
                return false;
            }
            // An expression that stands for a symbol may contain dimensions.
            let [left, right] = [l, r].map(|side| side.is_symbolic_or_constant(ctx));
            if divides && !right || op == AffineOp::Mul && !(left || right) {
                return false;
            }
            stack.extend([l, r]);
        }
    }
    true
}
