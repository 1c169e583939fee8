//! `affine-loop-untile`: joins the loops over tiles and over the points of a tile.
//!
//! ```text
//! affine.for %ti = 0 to %n step 32 {
//!   affine.for %tj = 0 to %m step 32 {
//!     affine.for %i = %ti to min(%ti + 32, %n) {              affine.for %i = 0 to %n {
//!       affine.for %j = %tj to min(%tj + 32, %m) {       ⇒      affine.for %j = 0 to %m {
//!         S(%i, %j)                                                S(%i, %j)
//! ```
//!
//! Tiles that a program brings were made for a cache. Mapping makes tiles of its own, for the target, of what the
//! loops were before.
//!
//! Where nothing stands between the two loops, the iterations stay in their order. Elsewhere the loop over points
//! moves out to that over tiles; legal where it is free, as for [permutation](super::affine_loop_permute). Points
//! count from the tile's first one, with no other use of the tile's counter, or from 0, where everything
//! depends on the sum of both counters alone. Other nests stay.

use gridloom_dialects::affine::{self, Bound, ForOp};
use gridloom_dialects::{arith, inherent};
use gridloom_ir::body::Uses;
use gridloom_ir::op::Traits;
use gridloom_ir::{AffineExpr, Body, Builder, Context, IrMapping, Module, OpId, Value};

use super::affine_loop_permute::{perfect_nest, rewrite_nest};
use super::compose::{Form, compose};
use super::emit_loops::{MapWithOperands, bound, copy_loop};
use super::plans::{Plans, change_by_plans};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::parallel::{MAX_ACCESSES, distinct_accesses, is_free};
use crate::analysis::values::{AffineValues, Atom};

/// Limit of the levels of tiles.
const MAX_LEVELS: usize = 4;

/// Joins loops over tiles in the host functions of a module. Returns whether anything changed.
pub fn untile_module(ctx: &Context, module: &mut Module) -> bool {
    change_by_plans(
        ctx,
        module,
        MAX_LEVELS,
        |body, globals| plan_body(ctx, body, globals),
        |plan, body| plan.apply(ctx, body),
    )
}

fn plan_body(ctx: &Context, body: &Body, globals: &Globals) -> Plans<Untiling> {
    let ops = body.walk();
    let is_of_tiles = |&op: &OpId| ForOp::cast(body, op).is_some_and(|l| l.step(ctx, body) > 1);
    if !ops.iter().any(is_of_tiles) {
        return (Vec::new(), false);
    }
    let mut deps = Dependences::new(ctx, body, globals);
    let uses = body.uses();
    let mut plans = Vec::new();
    let mut done: Vec<OpId> = Vec::new();
    for op in ops {
        let Some(root) = ForOp::cast(body, op).filter(|root| !done.contains(&root.0)) else {
            continue;
        };
        let (nest, before) = perfect_nest(&mut deps, root);
        done.extend(nest.iter().map(|l| l.0));
        plans.extend(Untiling::of(&mut deps, &uses, nest, before));
    }
    let relied = deps.aliases.relied_on_arguments();
    (plans, relied)
}

/// Loop over tiles with the loop over the points of a tile.
struct Tiles {
    /// Positions in the nest.
    tiles: usize,
    points: usize,
    /// Whether points count from 0 in each tile.
    from_zero: bool,
    /// Bound and step of the points of all tiles.
    upper: MapWithOperands,
    step: i64,
}

impl Tiles {
    fn of(
        values: &mut AffineValues,
        uses: &Uses,
        nest: &[ForOp],
        [tiles, points]: [usize; 2],
    ) -> Option<Tiles> {
        let (ctx, body) = (values.ctx, values.body);
        let (outer, inner) = (nest[tiles], nest[points]);
        let (size, step) = (outer.step(ctx, body), inner.step(ctx, body));
        let counter = outer.induction_var(body);
        let is_bound = inner.upper(ctx, body).operands.contains(&counter);
        if size <= 1
            || size % step != 0
            || !is_bound && !is_sum(values, uses, nest, [tiles, points])
        {
            return None;
        }
        let bounds = TileBounds::of(values, outer, inner)?;
        let from_zero = bounds.from_zero;
        let ends = bounds.joined_ends(values)?;
        let is_told = from_zero || !is_used_beside(values, uses, nest, [tiles, points]);
        let is_whole = !from_zero || is_sum(values, uses, nest, [tiles, points]);
        if !is_told || !is_whole {
            return None;
        }
        Some(Tiles {
            tiles,
            points,
            from_zero,
            upper: values.map_at(outer.0, &ends)?,
            step,
        })
    }
}

/// Bounds of a loop over tiles and of the loop over a tile's points, over atoms.
struct TileBounds {
    /// Atom of the tiles' counter, which is the first point of a tile.
    counter: u32,
    /// Points of a whole tile.
    size: i64,
    /// Bounds of the tiles' loop.
    lower: AffineExpr,
    upper: AffineExpr,
    from_zero: bool,
    /// Upper bounds of the points' loop, as points of all tiles.
    ends: Vec<AffineExpr>,
}

impl TileBounds {
    /// Reads the bounds, all of which fit 64 bits; `None` where points begin elsewhere than their tile.
    fn of(values: &mut AffineValues, outer: ForOp, inner: ForOp) -> Option<TileBounds> {
        let (ctx, body) = (values.ctx, values.body);
        let counter = values.atom_number(Atom::Value(outer.induction_var(body)));
        let first = ctx.affine_dim(counter);
        let [lower] = ends_of(values, outer, outer.lower(ctx, body))?[..] else {
            return None;
        };
        let [upper] = ends_of(values, outer, outer.upper(ctx, body))?[..] else {
            return None;
        };
        let [begin] = ends_of(values, inner, inner.lower(ctx, body))?[..] else {
            return None;
        };
        let from_zero = begin.as_constant(ctx) == Some(0);
        if !from_zero && begin != first {
            return None;
        }
        let mut ends = ends_of(values, inner, inner.upper(ctx, body))?;
        if from_zero {
            for end in &mut ends {
                *end = values.linear(ctx.affine_add(*end, first));
            }
        }
        let found = TileBounds {
            counter,
            size: outer.step(ctx, body),
            lower,
            upper,
            from_zero,
            ends,
        };
        let whole = found.end_of_whole_tile(values);
        let env = values.environment_at(inner.0);
        let all = [&found.ends[..], &[whole, upper, lower]].concat();
        let mut all = all.into_iter();
        all.all(|expr| values.fits(expr, env)).then_some(found)
    }

    /// The point behind a tile of which no bound cuts any.
    fn end_of_whole_tile(&self, values: &mut AffineValues) -> AffineExpr {
        let ctx = values.ctx;
        values.linear(ctx.affine_add(ctx.affine_dim(self.counter), ctx.affine_const(self.size)))
    }

    /// The upper bounds of a loop over the points of all tiles; `None` where that of one tile depends on its place
    /// otherwise than by its first point, or the end of the last tile is not known.
    fn joined_ends(&self, values: &mut AffineValues) -> Option<Vec<AffineExpr>> {
        let (ctx, size) = (values.ctx, self.size);
        let whole = self.end_of_whole_tile(values);
        let mut ends = self.ends.clone();
        ends.retain(|&end| end != whole);
        let is_fixed = |&end: &AffineExpr| values.coefficient(end, self.counter) == Some(0);
        if ends.len() == self.ends.len() || !ends.iter().all(is_fixed) {
            return None;
        }
        if ends.contains(&self.upper) {
            return Some(ends);
        }
        let span = values.linear(ctx.affine_sub(self.upper, self.lower));
        let divisor = span.largest_known_divisor(ctx);
        ends.push(match divisor.is_multiple_of(size.unsigned_abs()) {
            true => self.upper,
            false => {
                let (lower, upper) = (self.lower.as_constant(ctx)?, self.upper.as_constant(ctx)?);
                let tiles = upper.checked_sub(lower)?.checked_add(size - 1)? / size;
                ctx.affine_const(lower.checked_add(tiles.max(0).checked_mul(size)?)?)
            }
        });
        Some(ends)
    }
}

/// The results of a bound as expressions over atoms; `None` where one is not affine.
fn ends_of(values: &mut AffineValues, l: ForOp, bound: Bound) -> Option<Vec<AffineExpr>> {
    let exprs = values.map_exprs(l.0, bound.map, bound.operands);
    exprs
        .into_iter()
        .map(|expr| Some(values.linear(expr?)))
        .collect()
}

/// The operations below the loop over tiles, but for the loop over points and those that nothing needs.
fn others<'b>(
    body: &'b Body,
    uses: &'b Uses,
    nest: &[ForOp],
    [tiles, points]: [usize; 2],
) -> impl Iterator<Item = OpId> + use<'b> {
    let points = nest[points].0;
    let is_needed = |&op: &OpId| {
        let data = &body[op];
        let has_uses = data.results().any(|result| !uses.of(result).is_empty());
        has_uses || !data.name.has(Traits::PURE) || data.name.has(Traits::TERMINATOR)
    };
    let below = body.walk_op(nest[tiles].0).into_iter().skip(1);
    below.filter(move |&op| op != points).filter(is_needed)
}

/// Whether the counter of the tiles has a use other than the bounds of the loop over points.
fn is_used_beside(
    values: &AffineValues,
    uses: &Uses,
    nest: &[ForOp],
    [tiles, points]: [usize; 2],
) -> bool {
    let body = values.body;
    let counter = nest[tiles].induction_var(body);
    let mut users = others(body, uses, nest, [tiles, points]);
    users.any(|op| body[op].operands.contains(&counter))
}

/// Whether operations use both counters only in affine maps, and only the sum of both.
fn is_sum(
    values: &mut AffineValues,
    uses: &Uses,
    nest: &[ForOp],
    [tiles, points]: [usize; 2],
) -> bool {
    let (ctx, body) = (values.ctx, values.body);
    let both = [tiles, points].map(|at| nest[at].induction_var(body));
    let atoms = both.map(|counter| values.atom_number(Atom::Value(counter)));
    let mut users = others(body, uses, nest, [tiles, points]);
    users.all(|op| {
        let data = &body[op];
        if !data.operands.iter().any(|operand| both.contains(operand)) {
            return true;
        }
        let exprs = if let Some(access) = affine::Access::cast(body, op) {
            values.map_exprs(op, access.map(ctx, body), access.operands(body))
        } else if let Some(apply) = affine::ApplyOp::cast(body, op) {
            values.map_exprs(op, apply.map(ctx, body), &data.operands)
        } else {
            return false;
        };
        exprs.into_iter().all(|expr| {
            let factors = expr.map(|expr| atoms.map(|atom| values.coefficient(expr, atom)));
            matches!(factors, Some([Some(tile), Some(point)]) if tile == point)
        })
    })
}

/// Plan: a nest, with what becomes of its loops.
struct Untiling {
    nest: Vec<ForOp>,
    /// Operations before each inner loop, outermost first.
    before: Vec<OpId>,
    /// New order, as positions in `nest`.
    order: Vec<usize>,
    joined: Vec<Tiles>,
}

impl Untiling {
    fn of(
        deps: &mut Dependences,
        uses: &Uses,
        nest: Vec<ForOp>,
        before: Vec<OpId>,
    ) -> Option<Untiling> {
        let body = deps.values.body;
        let mut pairs: Vec<Tiles> = Vec::new();
        for points in 1..nest.len() {
            let is_taken = |at: usize| pairs.iter().any(|p| p.tiles == at || p.points == at);
            let mut tiles = (0..points).rev().filter(|&at| !is_taken(at));
            let found = tiles.find_map(|at| Tiles::of(&mut deps.values, uses, &nest, [at, points]));
            pairs.extend(found);
        }
        if pairs.is_empty() {
            return None;
        }
        let root = nest[0].0;
        let mut order: Vec<usize> = (0..nest.len()).collect();
        let mut accesses = None;
        for pair in &pairs {
            let Tiles { tiles, points, .. } = *pair;
            if points == tiles + 1 {
                continue;
            }
            let operands = &body[nest[points].0].operands;
            let mut passed = nest[tiles + 1..points]
                .iter()
                .map(|l| l.induction_var(body));
            if passed.any(|counter| operands.contains(&counter)) {
                continue;
            }
            let accesses = accesses.get_or_insert_with(|| distinct_accesses(deps, root));
            if accesses.len() > MAX_ACCESSES || !is_free(deps, root, nest[points].0, accesses) {
                continue;
            }
            order.retain(|&at| at != points);
            let place = order.iter().position(|&at| at == tiles)?;
            order.insert(place + 1, points);
        }
        pairs.retain(|pair| {
            let mut neighbours = order.windows(2);
            neighbours.any(|two| two == [pair.tiles, pair.points])
        });
        (!pairs.is_empty()).then_some(Untiling {
            nest,
            before,
            order,
            joined: pairs,
        })
    }

    fn apply(&self, ctx: &Context, body: &mut Body) {
        let is_point = |at: &usize| self.joined.iter().any(|pair| pair.points == *at);
        let order: Vec<usize> = (self.order.iter().copied())
            .filter(|at| !is_point(at))
            .collect();
        let nest = (&self.nest[..], &self.before[..]);
        let statements = rewrite_nest(ctx, body, nest, &order, |b, at, counters| {
            match self.joined.iter().find(|pair| pair.tiles == at) {
                None => copy_loop(b, self.nest[at], counters),
                Some(pair) => self.join(b, pair, counters),
            }
        });
        for op in statements {
            for inner in body.walk_op(op) {
                fold_zeros(ctx, body, inner);
            }
        }
    }

    /// Emits the loop over the points of all tiles.
    fn join(&self, b: &mut Builder, pair: &Tiles, counters: &mut IrMapping) -> ForOp {
        let ctx = b.ctx;
        let [tiles, points] = [pair.tiles, pair.points].map(|at| self.nest[at]);
        let zero = pair.from_zero.then(|| b.index_constant(0));
        let made = copy_loop(b, tiles, counters);
        let (map, operands) = &pair.upper;
        let operands: Vec<Value> = operands.iter().map(|&v| counters.value(v)).collect();
        made.set_upper(ctx, b.body, bound(&(*map, operands)));
        made.set_step(ctx, b.body, pair.step);
        // Of a sum, the tile's counter stands for all.
        let point = zero.unwrap_or_else(|| made.induction_var(b.body));
        counters.map(points.induction_var(b.body), point);
        made
    }
}

/// Composes the affine map of an access or `affine.apply` with the constants 0 among its operands, the last of which
/// are those of the map: analyses of subscripts then find one counter.
fn fold_zeros(ctx: &Context, body: &mut Body, op: OpId) {
    let is_meant = affine::Access::cast(body, op).is_some() || body[op].name == affine::APPLY;
    let Some(map) = body[op].get(ctx, inherent::MAP).filter(|_| is_meant) else {
        return;
    };
    let operands = body[op].operands.to_vec();
    let (others, inputs) = operands.split_at(operands.len().saturating_sub(map.num_inputs(ctx)));
    let is_zero = |&value: &Value| arith::constant_int(ctx, body, value) == Some(0);
    if !inputs.iter().any(is_zero) {
        return;
    }
    let (dims, symbols) = inputs.split_at(map.num_dims(ctx));
    let (inputs, scope) = ([dims, symbols], affine::scope_of(body, op));
    let results = map.results(ctx);
    if let Some(composed) = compose(ctx, body, results, inputs, scope, Form::Normal) {
        let [dims, symbols] = [&composed.dims, &composed.symbols].map(|all| all.len() as u32);
        let map = ctx.affine_map(dims, symbols, &composed.exprs);
        let kept = others.iter().copied();
        body[op].operands = kept.chain(composed.operands()).collect();
        body[op].set_property(ctx, inherent::MAP, ctx.map_attr(map));
    }
}
