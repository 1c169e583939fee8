//! Emission of the fused loops.

use std::collections::HashMap;

use gridloom_dialects::affine::{self, Bound, ForOp};
use gridloom_ir::{AffineExpr, Body, Builder, Context, InsertPoint, IrMapping, Value};

use super::Refusal;
use crate::analysis::dependence::Dependences;
use crate::transform::emit_loops::{MapWithOperands, bound, counter_after};
use crate::transform::map_inputs::Inputs;

/// Two loops, or nests, that become one at the place of the second.
pub(super) enum Fusion {
    /// Nests with the same bounds.
    Nests([Vec<ForOp>; 2]),
    /// Loops of step 1 whose ranges differ by constants.
    Shifted([ForOp; 2], Pieces),
}

impl Fusion {
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        match self {
            Fusion::Nests([first, second]) => fuse_nests(body, first, second),
            Fusion::Shifted(pair, pieces) => pieces.apply(ctx, body, *pair),
        }
    }
}

/// Moves the statements of the second nest behind those of the first, and the result to the place
/// of the second.
pub(in crate::transform) fn fuse_nests(body: &mut Body, first: &[ForOp], second: &[ForOp]) {
    let counters: HashMap<Value, Value> = (first.iter().zip(second))
        .map(|(to, from)| (from.induction_var(body), to.induction_var(body)))
        .collect();
    let [into, from] = [first, second].map(|nest| nest[nest.len() - 1].block(body));
    let end = body[into].last();
    for op in body.without_terminator(from) {
        body.detach(op);
        match end {
            Some(end) => body.insert_before(end, op),
            None => body.append(into, op),
        }
        body.replace_values_in(op, |v| counters.get(&v).copied().unwrap_or(v));
    }
    body.detach(first[0].0);
    body.insert_before(second[0].0, first[0].0);
    body.erase(second[0].0);
}

/// Pieces of a shifted fusion, on a time axis with iteration `x` of the second loop at `x + shift`:
/// the part that runs alone first, the common part, and the part that runs alone last.
pub(super) struct Pieces {
    shift: i64,
    pieces: Vec<Piece>,
}

/// Loop of a shifted fusion that runs one of the two loops, with its counter, or both, with the
/// counter of the first.
struct Piece {
    members: &'static [usize],
    lower: Vec<Edge>,
    upper: Vec<Edge>,
}

/// Edge of a piece: a bound of one of the two loops, with an offset.
#[derive(Clone, Copy)]
struct Edge {
    of: usize,
    side: Side,
    by: i64,
}

/// Side of a loop's range: lower or upper bound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Lower,
    Upper,
}

/// Limit of the difference of two bounds for which separate loops before and after are made.
const MAX_DIFFERENCE: i64 = 1 << 20;

/// Bounds of the two loops over atoms, and their distances.
struct Ranges {
    shift: i64,
    lower: [AffineExpr; 2],
    upper: [AffineExpr; 2],
    /// Iterations between the start of the first loop and that of the second.
    delay: i64,
    /// Iterations between the end of the first loop and that of the second.
    overhang: i64,
}

impl Ranges {
    fn of(deps: &mut Dependences, pair: [ForOp; 2], shift: i64) -> Option<Ranges> {
        let (ctx, body) = (deps.values.ctx, deps.values.body);
        if pair.iter().any(|l| l.step(ctx, body) != 1) {
            return None;
        }
        let mut single = |l: ForOp, bound: Bound| match deps.values.map_exprs(
            l.0,
            bound.map,
            bound.operands,
        )[..]
        {
            [expr] => expr,
            _ => None,
        };
        let [a, b] = pair;
        let lower = [
            single(a, a.lower(ctx, body))?,
            single(b, b.lower(ctx, body))?,
        ];
        let upper = [
            single(a, a.upper(ctx, body))?,
            single(b, b.upper(ctx, body))?,
        ];
        let behind = |[first, second]: [AffineExpr; 2]| {
            let difference = ctx.affine_sub(second, first).as_constant(ctx)?;
            (difference.abs() <= MAX_DIFFERENCE).then_some(difference + shift)
        };
        Some(Ranges {
            shift,
            lower,
            upper,
            delay: behind(lower)?,
            overhang: behind(upper)?,
        })
    }

    /// Whether the two loops are known not to overlap in time.
    fn are_apart(&self, ctx: &Context) -> bool {
        let (late, short) = (usize::from(self.delay >= 0), usize::from(self.overhang < 0));
        let distance = ctx.affine_sub(self.upper[short], self.lower[late]);
        let shifts = self.shift * (short as i64 - late as i64);
        distance
            .as_constant(ctx)
            .is_some_and(|distance| distance + shifts <= 0)
    }

    /// The edge at which loop `at` begins or ends, for a loop that counts from `origin`: a bound of
    /// either loop, whichever can be offset within 64 bits.
    fn edge(
        &self,
        deps: &mut Dependences,
        pair: [ForOp; 2],
        (at, side): (usize, Side),
        origin: i64,
    ) -> Option<Edge> {
        let (bounds, behind) = match side {
            Side::Lower => (self.lower, self.delay),
            Side::Upper => (self.upper, self.overhang),
        };
        // Distance of this edge from that of the first loop, and of the second.
        let distances = match at {
            0 => [0, self.shift - behind],
            _ => [behind, self.shift],
        };
        let mut candidates = [0, 1].map(|of| Edge {
            of,
            side,
            by: distances[of] - origin,
        });
        candidates.sort_by_key(|edge| edge.by.abs());
        let ctx = deps.values.ctx;
        candidates.into_iter().find(|edge| {
            let env = deps.values.environment_at(pair[edge.of].0);
            let moved = ctx.affine_add(bounds[edge.of], ctx.affine_const(edge.by));
            deps.values.fits(bounds[edge.of], env) && deps.values.fits(moved, env)
        })
    }
}

impl Pieces {
    /// Plans the pieces of a pair of loops.
    pub(super) fn plan(
        deps: &mut Dependences,
        pair: [ForOp; 2],
        shift: i64,
    ) -> Result<Pieces, Refusal> {
        let ranges = Ranges::of(deps, pair, shift).ok_or(Refusal::Bounds)?;
        if ranges.are_apart(deps.values.ctx) {
            return Err(Refusal::Policy);
        }
        let late = usize::from(ranges.delay >= 0);
        let short = usize::from(ranges.overhang < 0);
        let (lo, hi) = ((late, Side::Lower), (short, Side::Upper));
        let mut wanted: Vec<Wanted> = Vec::new();
        if ranges.delay != 0 {
            let early = 1 - late;
            wanted.push((
                &ALONE[early],
                vec![(early, Side::Lower)],
                vec![(early, Side::Upper), lo],
            ));
        }
        wanted.push((&BOTH, vec![lo], vec![hi]));
        if ranges.overhang != 0 {
            let long = 1 - short;
            wanted.push((&ALONE[long], vec![hi, lo], vec![(long, Side::Upper)]));
        }
        let mut pieces = Vec::new();
        for (members, lower, upper) in wanted {
            let origin = if *members == [1] { shift } else { 0 };
            let mut edges = |sides: Vec<(usize, Side)>| -> Option<Vec<Edge>> {
                let sides = sides.into_iter();
                sides
                    .map(|side| ranges.edge(deps, pair, side, origin))
                    .collect()
            };
            pieces.push(Piece {
                members,
                lower: edges(lower).ok_or(Refusal::Bounds)?,
                upper: edges(upper).ok_or(Refusal::Bounds)?,
            });
        }
        Ok(Pieces { shift, pieces })
    }

    fn apply(&self, ctx: &Context, body: &mut Body, pair: [ForOp; 2]) {
        let [first, second] = pair;
        let mut b = Builder::before(ctx, body, second.0);
        b.loc = b.body[first.0].loc;
        for piece in &self.pieces {
            piece.build(&mut b, pair, self.shift);
            b.set(InsertPoint::Before(second.0));
        }
        body.erase(first.0);
        body.erase(second.0);
    }
}

/// Piece to be planned: the loops that it runs, and its lower and upper edges.
type Wanted = (&'static [usize], Vec<(usize, Side)>, Vec<(usize, Side)>);

static ALONE: [[usize; 1]; 2] = [[0], [1]];
static BOTH: [usize; 2] = [0, 1];

impl Piece {
    fn build(&self, b: &mut Builder, pair: [ForOp; 2], shift: i64) {
        let lower = joined(b, pair, &self.lower, true);
        let upper = joined(b, pair, &self.upper, false);
        let new = ForOp::create(b, bound(&lower), bound(&upper), 1, &[]);
        let (block, counter) = (new.block(b.body), new.induction_var(b.body));
        b.set(InsertPoint::End(block));
        for &member in self.members {
            let l = pair[member];
            let is_behind = member == 1 && self.members.len() == 2;
            let own = counter_after(b, counter, if is_behind { -shift } else { 0 });
            let mut map = IrMapping::new();
            map.map(l.induction_var(b.body), own);
            let statements = l.statements(b.body);
            b.insert_copies(&statements, &mut map);
        }
        affine::yield_values(b, block, &[]);
    }
}

/// Bound map of a piece: the greatest of the lower edges, or the least of the upper ones.
fn joined(b: &Builder, pair: [ForOp; 2], edges: &[Edge], is_lower: bool) -> MapWithOperands {
    let ctx = b.ctx;
    let mut inputs = Inputs::new(ctx);
    let mut results: Vec<AffineExpr> = Vec::new();
    for edge in edges {
        let l = pair[edge.of];
        let bound = match edge.side {
            Side::Lower => l.lower(ctx, b.body),
            Side::Upper => l.upper(ctx, b.body),
        };
        let exprs = inputs.import(bound, &IrMapping::new());
        results.extend(exprs.into_iter().map(|e| inputs.plus(e, edge.by)));
    }
    let constants: Option<Vec<i64>> = results.iter().map(|e| e.as_constant(ctx)).collect();
    if let Some(constants) = constants {
        let tightest = match is_lower {
            true => constants.into_iter().max(),
            false => constants.into_iter().min(),
        };
        results = tightest.map(|c| ctx.affine_const(c)).into_iter().collect();
    }
    inputs.finish(&results)
}
