//! The policy: which loops become a grid, and which way round.
//!
//! A [`NestPlan`] is data. [`super::map`] carries it out and decides nothing.

use gridloom_ir::dialect::affine;
use gridloom_ir::dialect::memref;
use gridloom_ir::op::Traits;
use gridloom_ir::{AffineExpr, OpId};

use super::OffloadOptions;
use crate::analysis::access::{Access, CoordSpace, Place, accesses_below, accesses_of, linearise};
use crate::analysis::alias::Root;
use crate::analysis::counter::{Counter, counters, is_loop};
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::domain::counter_constraints;
use crate::analysis::parallel::verdict;
use crate::analysis::system::{Combination, Instance, Statements};
use crate::analysis::values::Atom;

/// How many iterations a loop of a band has at most.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trips {
    /// Known now.
    Constant(i64),
    /// The least of these, known when the nest is reached: expressions over
    /// the atoms, which all lie outside the nest.
    Least(Vec<AffineExpr>, Vec<Atom>),
}

/// A counter that becomes a dimension of the grid, or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BandLoop {
    /// The counter; those of one `affine.parallel` stand in a row.
    pub counter: Counter,
    /// Its iterations, over all iterations of the loops around it.
    pub trips: Trips,
    /// Whether every iteration of the loops around has that many.
    pub is_exact: bool,
}

/// What becomes of a nest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NestPlan {
    /// Counters of parallel loops, outermost first, each loop the only one in
    /// the one before.
    pub band: Vec<BandLoop>,
    /// The loops (positions in the band) behind grid dimensions x, y and z;
    /// several in one dimension are linearised, outermost first.
    pub dims: [Vec<usize>; 3],
    /// Threads of a workgroup.
    pub block: [i64; 3],
}

/// Plans the nest whose outermost loop is `root`, which is parallel. `None` if
/// no bound on its iterations is known, or if it never runs.
pub fn plan_nest(deps: &mut Dependences, root: OpId, options: &OffloadOptions) -> Option<NestPlan> {
    let mut band = band_loops(deps, root, &[])?;
    while let Some(inner) = extension(deps, band.last()?.counter) {
        let Some(next) = band_loops(deps, inner, &band) else {
            break;
        };
        band.extend(next);
    }
    if band
        .iter()
        .any(|l| matches!(l.trips, Trips::Constant(..=0)))
    {
        return None;
    }
    let dims = assign_dims(deps, root, &band);
    let block = block_size(&band, &dims, options);
    Some(NestPlan { band, dims, block })
}

/// The parallel loop that is all a loop does, but for statements before it
/// that each thread can repeat.
fn extension(deps: &mut Dependences, outer: Counter) -> Option<OpId> {
    let body = deps.values.body;
    let block = outer.block(body);
    let ops: Vec<OpId> = body.ops(block).collect();
    let (&last, rest) = ops.split_last()?;
    let (&inner, before) = rest.split_last()?;
    let is_last = is_loop(body, inner) && body[last].name.has(Traits::TERMINATOR);
    if !is_last || !verdict(deps, inner).is_parallel() {
        return None;
    }
    let mut loads = Vec::new();
    for &op in before {
        let is_load = matches!(body[op].name, affine::LOAD | memref::LOAD);
        if !is_load && !body[op].name.has(Traits::PURE) {
            return None;
        }
        accesses_of(&mut deps.values, op, &mut loads);
    }
    // Every thread loads again what was loaded once: none may have changed it.
    let scope = Scope::Block(block);
    let below = accesses_below(&mut deps.values, inner);
    for load in &loads {
        for write in below.iter().filter(|access| access.is_write) {
            if !deps.test(scope, load, write).is_independent() {
                return None;
            }
        }
    }
    Some(inner)
}

/// All counters of a loop; `None` if there are none, or one without a bound.
fn band_loops(deps: &mut Dependences, op: OpId, outer: &[BandLoop]) -> Option<Vec<BandLoop>> {
    let all = counters(deps.values.body, op).map(|counter| band_loop(deps, counter, outer));
    let loops: Vec<BandLoop> = all.collect::<Option<_>>()?;
    (!loops.is_empty()).then_some(loops)
}

fn band_loop(deps: &mut Dependences, op: Counter, outer: &[BandLoop]) -> Option<BandLoop> {
    let values = &mut deps.values;
    let (ctx, body) = (values.ctx, values.body);
    let (lower, upper) = (op.lower(ctx, body), op.upper(ctx, body));
    let lowers = values.map_exprs(lower.map, lower.operands);
    let uppers = values.map_exprs(upper.map, upper.operands);
    let step = ctx.affine_const(op.step(ctx, body));
    let root = outer.first().map_or(op.op, |l| l.counter.op);
    let mut bounds = Vec::new();
    let mut is_exact = true;
    for &low in &lowers {
        for &high in &uppers {
            let way = ctx.affine_sub(high, low);
            if deps.values.is_invariant(way, root) {
                bounds.push(way);
            } else {
                is_exact = false;
                bounds.extend(hull(deps, way, root, outer));
            }
        }
    }
    if bounds.is_empty() {
        return None;
    }
    let ceil = gridloom_ir::affine::AffineOp::CeilDiv;
    let trips: Vec<AffineExpr> = bounds
        .iter()
        .map(|&way| ctx.affine_binary(ceil, way, step))
        .collect();
    let constant = trips.iter().filter_map(|t| t.as_constant(ctx)).min();
    let all_constant = trips.iter().all(|t| t.as_constant(ctx).is_some());
    let trips = match constant {
        Some(least) if all_constant => Trips::Constant(least.max(0)),
        _ => {
            let (exprs, atoms) = deps.values.compact(&trips);
            Trips::Least(exprs, atoms)
        }
    };
    Some(BandLoop {
        counter: op,
        trips,
        is_exact,
    })
}

/// Upper bounds of an expression over all iterations of the band so far, in
/// values known outside of the nest.
fn hull(
    deps: &mut Dependences,
    expr: AffineExpr,
    root: OpId,
    outer: &[BandLoop],
) -> Vec<AffineExpr> {
    let values = &mut deps.values;
    let ctx = values.ctx;
    let target = values.atom_expr(Atom::Fresh(0));
    let target_atom = values.atom_number(Atom::Fresh(0));
    let mut statements = Statements::new();
    statements.equal(Combination::of(target, Instance::First).plus(-1, expr, Instance::First));
    for l in outer {
        let constraints = counter_constraints(values, l.counter);
        statements.add_all(&constraints, Instance::First);
    }
    let observed = [Combination::of(target, Instance::First)];
    let values = &deps.values;
    let system = statements.solve(values, |_, _| true, &observed);
    if let Some(most) = system.range(0).upper() {
        return vec![ctx.affine_const(most)];
    }
    let is_inside = |column: usize| match system.atom_in(column) {
        Some(number) => values.block_is_inside(values.atom_block(values.atom(number)), root),
        // A local: a quotient.
        None => true,
    };
    let columns = 0..system.poly.space().vars();
    let (gone, kept): (Vec<usize>, Vec<usize>) = columns.partition(|&c| is_inside(c));
    let Some(position) = kept
        .iter()
        .position(|&c| system.atom_in(c) == Some(target_atom))
    else {
        return Vec::new();
    };
    let projection = system.poly.eliminate(&gone).set;
    let bounds = projection.var_bounds(position);
    let floor = gridloom_ir::affine::AffineOp::FloorDiv;
    let exprs = bounds.uppers.iter().filter_map(|bound| {
        let mut sum = ctx.affine_const(bound.numerator.constant_term());
        for (column, &factor) in bound.numerator.coefficients().iter().enumerate() {
            if factor != 0 {
                let atom = ctx.affine_dim(system.atom_in(*kept.get(column)?)?);
                sum = ctx.affine_add(sum, ctx.affine_mul(atom, ctx.affine_const(factor)));
            }
        }
        Some(ctx.affine_binary(floor, sum, ctx.affine_const(bound.divisor)))
    });
    exprs.collect()
}

/// Adjacent threads of x should touch adjacent elements, so the loop that most
/// accesses are contiguous in goes there; the others follow, inner ones first.
fn assign_dims(deps: &mut Dependences, root: OpId, band: &[BandLoop]) -> [Vec<usize>; 3] {
    let accesses = accesses_below(&mut deps.values, root);
    let scores: Vec<i64> = band
        .iter()
        .map(|l| contiguity(deps, l, &accesses))
        .collect();
    // The last of equals, which is the innermost.
    let best = (0..band.len()).max_by_key(|&k| (scores[k], k)).unwrap_or(0);
    let mut rest: Vec<usize> = (0..band.len()).filter(|&k| k != best).collect();
    let y = rest.pop();
    [vec![best], y.into_iter().collect(), rest]
}

/// Stands for the stride along a dimension whose extent is not known.
const FAR: i64 = 1 << 20;

/// How much a loop gains from being the one that adjacent threads differ in.
fn contiguity(deps: &mut Dependences, l: &BandLoop, accesses: &[Access]) -> i64 {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let iv = deps
        .values
        .atom_number(Atom::Value(l.counter.induction_var(body)));
    let step = l.counter.step(ctx, body);
    let mut score = 0;
    for access in accesses {
        let weight = 1 << (2 * loops_between(deps, access.op, l.counter.op).min(10));
        score += match stride(deps, access, iv).and_then(|s| s.checked_mul(step)) {
            Some(1 | -1) => 4 * weight,
            Some(0) => weight,
            _ => 0,
        };
    }
    score
}

/// Loops around an operation, up to `outer`.
fn loops_between(deps: &Dependences, op: OpId, outer: OpId) -> u32 {
    let body = deps.values.body;
    let parents = std::iter::successors(body.parent_op(op), |&op| body.parent_op(op));
    let below = parents.take_while(|&op| op != outer);
    below.filter(|&op| is_loop(body, op)).count() as u32
}

/// How far apart in memory two neighbouring iterations' elements are.
fn stride(deps: &Dependences, access: &Access, iv: u32) -> Option<i64> {
    let values = &deps.values;
    let Place::Element {
        root,
        space,
        coords,
    } = &access.place
    else {
        return None;
    };
    if *space == CoordSpace::Linear {
        return values.coefficient(*coords.first()?, iv);
    }
    let ty = match root {
        Root::Value(value) => values.body.ty(*value).memref(values.ctx)?,
        Root::Global(_) => return None,
    };
    if let Some(linear) = linearise(values.ctx, ty, coords) {
        return values.coefficient(linear, iv);
    }
    let mut sum = 0i64;
    for (k, &coord) in coords.iter().rev().enumerate() {
        let unit = if k == 0 { 1 } else { FAR };
        sum = sum.checked_add(values.coefficient(coord, iv)?.checked_mul(unit)?)?;
    }
    Some(sum)
}

/// Threads of a workgroup: as many along x as there is work for, the rest
/// along y and z, never more than the options allow.
fn block_size(band: &[BandLoop], dims: &[Vec<usize>; 3], options: &OffloadOptions) -> [i64; 3] {
    let extent = |dim: usize| match &dims[dim][..] {
        [] => 1,
        [one] => match band[*one].trips {
            Trips::Constant(trips) => trips,
            Trips::Least(..) => i64::MAX,
        },
        // Linearised dimensions are not tiled.
        _ => 1,
    };
    let used = dims.iter().filter(|loops| !loops.is_empty()).count();
    let wanted = options.workgroup[used.saturating_sub(1).min(2)];
    let mut left = options.max_threads.max(1);
    let mut block = [1; 3];
    for dim in 0..3 {
        let most = wanted[dim].min(left).max(1);
        block[dim] = power_of_two_up_to(extent(dim), most);
        left /= block[dim];
    }
    block
}

/// The least power of two that is at least `extent`, but at most `most`.
fn power_of_two_up_to(extent: i64, most: i64) -> i64 {
    let mut size = 1;
    while size < extent && size * 2 <= most {
        size *= 2;
    }
    size
}
