//! Matrix plan: contractions that the matrix units of a device compute.
//!
//! A contraction is a parallel nest in whose iterations one loop sums products of two loads:
//!
//! ```text
//! for (%i, %j, …)                       rows: the loop that moves the left factor only
//!   for %k = … iter_args(%s)            columns: the loop that moves the right factor only
//!     %s + extf(%a[…]) * extf(%b[…])    depth: the summing loop, which moves both
//! ```
//!
//! Legal where
//! - all threads come to the summing loop together, as for staged loads ([`super::staging`]), and the nest
//!   stores to neither factor, so that copies stay what memory holds;
//! - the products are those of the factors' elements widened to the type of the sum, in which the device has
//!   such products: they are exact then, and only the order of the additions changes, which the float mode
//!   leaves open;
//! - the loops have constant numbers of iterations, and what else an iteration does can run after its sum.
//!
//! Subscripts may be in any order. Where neighbours in memory are neighbours along rows, columns or depth, and
//! lines begin at multiples of eight elements, eight are copied at once; else each by itself.
//! [`super::map`] carries a plan out.

use std::fmt;

use gridloom_dialects::affine::{self, ForOp, LoadOp};
use gridloom_dialects::{arith, gridloom};
use gridloom_ir::types::{DYNAMIC, FloatKind};
use gridloom_ir::{OpId, Value};

use super::plan::{BandLoop, NestPlan, Trips};
use super::staging::Contraction;
use crate::analysis::dependence::Dependences;
use crate::analysis::values::Atom;
use crate::target::machine::Tiling;
use crate::target::{MatrixProduct, OffloadOptions};

/// Packet: the number of elements that one access copies.
pub const PACKET: i64 = 8;

/// Padding between lines of a copy in workgroup memory, in elements: it puts the lines into
/// different banks.
pub const PADDING: i64 = 8;

/// Threads of a subgroup.
const LANES: i64 = gridloom_dialects::gpu::SUBGROUP_LANES;

/// Limit of the workgroups along a dimension.
const MAX_GROUPS: i64 = super::map::MAX_GROUPS;

/// Least share of the grid's multiply-adds that the program asks for: the others are padding.
const LEAST_USED: f64 = 0.4;

/// Matrix plan: a nest whose sums the matrix units of a device compute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matrices {
    /// The summing loop.
    pub summing: OpId,
    /// Trip count of the summing loop.
    pub depth: i64,
    /// Shape and element types of the multiply-add that a subgroup computes.
    pub product: MatrixProduct,
    /// The loops of the band (positions in it) that run along the rows and along the columns of the
    /// sums.
    pub sides: [usize; 2],
    /// Trip count of each loop of the band.
    pub trips: Vec<i64>,
    /// The factors: the one that moves along rows, and the one that moves along columns.
    pub factors: [Factor; 2],
    /// Tile of a workgroup: its sums along rows and columns.
    pub block: [i64; 2],
    /// Tile of a subgroup: its sums along rows and columns.
    pub part: [i64; 2],
    /// Iterations of the summing loop in a chunk.
    pub chunk: i64,
}

/// Factor of a contraction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Factor {
    /// The operation that loads the factor.
    pub load: OpId,
    /// Whether lines of copies in workgroup memory run along the depth, else along rows or columns.
    pub is_along_depth: bool,
    /// Whether copies move [`PACKET`] elements at once, else one.
    pub is_wide: bool,
}

/// Division of the work: sums of a workgroup and of a subgroup, and the chunk.
struct Division {
    block: [i64; 2],
    part: [i64; 2],
    chunk: i64,
}

/// Divisions that the planner tries, those with the most reuse first.
const DIVISIONS: [Division; 5] = [
    Division {
        block: [128, 256],
        part: [64, 64],
        chunk: 32,
    },
    Division {
        block: [128, 128],
        part: [64, 32],
        chunk: 32,
    },
    Division {
        block: [64, 64],
        part: [32, 32],
        chunk: 32,
    },
    Division {
        block: [32, 32],
        part: [16, 16],
        chunk: 32,
    },
    Division {
        block: [16, 16],
        part: [16, 16],
        chunk: 16,
    },
];

impl Matrices {
    /// Returns the number of threads of a workgroup.
    pub fn threads(&self) -> i64 {
        threads(self.block, self.part)
    }

    /// Returns the number of workgroups along columns, along rows, and for the other loops.
    pub fn groups(&self) -> [i64; 3] {
        let [rows, columns] = [0, 1].map(|side| {
            let trips = self.trips[self.sides[side]];
            (trips - 1) / self.block[side] + 1
        });
        let others = (0..self.trips.len()).filter(|k| !self.sides.contains(k));
        let batch = others.fold(1i64, |all, k| all.saturating_mul(self.trips[k]));
        [columns, rows, batch]
    }

    /// Returns the number of lines of a factor's copies, and the length of each in elements.
    pub fn lines(&self, factor: usize) -> [i64; 2] {
        match self.factors[factor].is_along_depth {
            true => [self.block[factor], self.chunk],
            false => [self.chunk, self.block[factor]],
        }
    }

    /// Bytes of workgroup memory for the copies of both factors and a matrix of sums for each
    /// subgroup.
    fn bytes(&self) -> i64 {
        let copies = [0, 1].map(|factor| {
            let [lines, length] = self.lines(factor);
            lines * (length + PADDING) * 2
        });
        let sums = self.product.m * self.product.n * 4;
        copies.iter().sum::<i64>() + self.threads() / LANES * sums
    }

    /// Returns the share of the grid's multiply-adds that the program asks for.
    fn used(&self) -> f64 {
        let share = |needed: i64, unit: i64| {
            let whole = ((needed - 1) / unit + 1) * unit;
            needed as f64 / whole as f64
        };
        let sides = [0, 1].map(|side| share(self.trips[self.sides[side]], self.block[side]));
        sides[0] * sides[1] * share(self.depth, self.chunk)
    }

    /// Returns the cost of the nest in multiply-adds, those included that idle subgroups could
    /// compute.
    fn cost(&self, threads: i64) -> f64 {
        let groups: i64 = self.groups().iter().product();
        let at_once = (threads / self.threads()).max(1);
        let rounds = (groups - 1) / at_once + 1;
        let [rows, columns] = self.part.map(|side| side as f64);
        // Each product of a subgroup's sums loads a row and a column of matrices.
        let loads = 1.0 + 8.0 / rows + 8.0 / columns;
        (rounds * at_once * self.block[0] * self.block[1]) as f64 * loads
    }
}

/// `128x128 of a workgroup, 64x32 of a subgroup, 32 iterations at a time`.
impl fmt::Display for Matrices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([rows, columns], [part_rows, part_columns]) = (self.block, self.part);
        write!(
            f,
            "{rows}x{columns} of a workgroup, {part_rows}x{part_columns} of a subgroup, {} \
             iterations at a time",
            self.chunk
        )
    }
}

fn threads(block: [i64; 2], part: [i64; 2]) -> i64 {
    block[0] / part[0] * (block[1] / part[1]) * LANES
}

/// Plans a nest as a contraction for matrix units, where the target has such and that is worth it.
pub(super) fn plan_matrices(
    deps: &mut Dependences,
    plan: &NestPlan,
    options: &OffloadOptions,
) -> Option<Matrices> {
    let products = options.products();
    let Tiling::Model(machine) = &options.tiling else {
        return None;
    };
    if products.is_empty() || plan.phases.is_some() {
        return None;
    }
    let found = Sums::of(deps, &plan.band)?;
    let product = products.into_iter().find(|product| {
        let sides = [product.m, product.n, product.k];
        sides == [16; 3] && (product.factors, product.sums) == (found.kind, FloatKind::F32)
    })?;
    let sides = found.sides(deps, plan)?;
    let factors = [0, 1].map(|side| found.factor(deps, side, &sides));
    let [Some(rows), Some(columns)] = factors else {
        return None;
    };
    let target = options.target.as_ref()?;
    let divided = |division: &Division| {
        let matrices = Matrices {
            summing: found.nest.chunked,
            depth: found.depth,
            product,
            sides: [sides[0].0, sides[1].0],
            trips: found.trips.clone(),
            factors: [rows.clone(), columns.clone()],
            block: division.block,
            part: division.part,
            chunk: division.chunk,
        };
        let groups = matrices.groups();
        let has_room = matrices.bytes() <= target.workgroup_memory
            && matrices.threads() <= options.max_threads
            && groups.iter().all(|&groups| groups <= MAX_GROUPS);
        has_room.then_some(matrices)
    };
    let fitting = DIVISIONS.iter().filter_map(divided);
    let useful = fitting.filter(|matrices| matrices.used() >= LEAST_USED);
    useful.min_by(|a, b| a.cost(machine.threads).total_cmp(&b.cost(machine.threads)))
}

/// Candidate nest: sums of products, before its sides and its tiles are chosen.
struct Sums<'p> {
    nest: Contraction<'p>,
    depth: i64,
    trips: Vec<i64>,
    /// Element type of the factors.
    kind: FloatKind,
    loads: [OpId; 2],
}

/// Loop along a side of the sums, and the load that moves with it.
type Side = (usize, OpId);

impl<'p> Sums<'p> {
    fn of(deps: &mut Dependences, band: &'p [BandLoop]) -> Option<Self> {
        let trips = band.iter().map(|l| match l.trips {
            Trips::Constant(trips) => Some(trips),
            Trips::Least(..) => None,
        });
        let trips: Vec<i64> = trips.collect::<Option<_>>()?;
        let nest = Contraction::of(deps, band, &[])?;
        let (ctx, body) = (deps.values.ctx, deps.values.body);
        let innermost = band.last()?.counter.block(body);
        if nest.statement != nest.chunked || body[nest.chunked].parent() != Some(innermost) {
            return None;
        }
        let summing = ForOp(nest.chunked);
        let depth = summing.signed_trip_count(ctx, body)?;
        let (kind, loads) = products_in(deps, summing)?;
        (depth > 0).then_some(Sums {
            nest,
            depth,
            trips,
            kind,
            loads,
        })
    }

    /// Returns the atom of a loop's counter: of the band, or of the summing loop for `None`.
    fn atom(&self, deps: &mut Dependences, k: Option<usize>) -> u32 {
        let counter = match k {
            Some(k) => self.nest.counters[k],
            None => ForOp(self.nest.chunked).induction_var(deps.values.body),
        };
        deps.values.atom_number(Atom::Value(counter))
    }

    /// The loops along rows and columns: the longest of those that move only the left or only the
    /// right factor. Adjacent threads store along columns.
    fn sides(&self, deps: &mut Dependences, plan: &NestPlan) -> Option<[Side; 2]> {
        let body = deps.values.body;
        let mut found: [Option<usize>; 2] = [None; 2];
        for k in 0..self.trips.len() {
            let moves = self.loads.map(|load| {
                let operands = LoadOp(load).operands(body);
                operands.contains(&self.nest.counters[k])
            });
            let own = match moves {
                [true, false] => 0,
                [false, true] => 1,
                _ => continue,
            };
            if found[own].is_none_or(|other| self.trips[other] < self.trips[k]) {
                found[own] = Some(k);
            }
        }
        let [Some(first), Some(second)] = found else {
            return None;
        };
        let sides = [(first, self.loads[0]), (second, self.loads[1])];
        Some(match plan.dims[0] == [first] {
            true => [sides[1], sides[0]],
            false => sides,
        })
    }

    /// The factor along a side; `None` where the nest may store to its array, or where its loads
    /// are not proved in range.
    fn factor(&self, deps: &mut Dependences, side: usize, sides: &[Side; 2]) -> Option<Factor> {
        let (ctx, body) = (deps.values.ctx, deps.values.body);
        let (own, load) = sides[side];
        let memref = LoadOp(load).memref(body);
        let is_kept = self.nest.is_uniform(deps, memref)
            && self.nest.is_never_stored(deps, memref)
            && gridloom::is_in_bounds(ctx, &body[load]);
        let operands = LoadOp(load).operands(body);
        let counter = ForOp(self.nest.chunked).induction_var(body);
        let is_known = |&value: &Value| {
            value == counter
                || self.nest.counters.contains(&value)
                || self.nest.is_uniform(deps, value)
        };
        if !is_kept || !operands.iter().all(is_known) {
            return None;
        }
        let [by_side, by_depth] = [Some(own), None].map(|k| self.is_contiguous(deps, load, k));
        Some(Factor {
            load,
            is_along_depth: by_side.is_none(),
            is_wide: by_side.or(by_depth).unwrap_or(false),
        })
    }

    /// Whether neighbouring iterations of a loop, of the band or the summing one, load neighbours in memory;
    /// and then whether lines of them begin and end at multiples of a packet.
    fn is_contiguous(&self, deps: &mut Dependences, load: OpId, k: Option<usize>) -> Option<bool> {
        let (ctx, body) = (deps.values.ctx, deps.values.body);
        let op = LoadOp(load);
        let ty = body.ty(op.memref(body)).memref(ctx)?;
        let exprs = deps
            .values
            .map_exprs(load, op.map(ctx, body), op.operands(body));
        let exprs: Vec<_> = exprs.into_iter().collect::<Option<_>>()?;
        let atom = self.atom(deps, k);
        let (&last, others) = exprs.split_last()?;
        let moves_last = others
            .iter()
            .all(|&expr| deps.values.coefficient(expr, atom) == Some(0))
            && deps.values.coefficient(last, atom) == Some(1);
        if !moves_last || ty.layout.is_some() {
            return None;
        }
        let (rest, constant) = last.split_constant(deps.values.ctx);
        let own = deps.values.atom_expr(deps.values.atom(atom));
        let row = *ty.shape.last()?;
        let (first, trips) = match k {
            Some(k) => {
                let lower = self.nest.band[k].counter.lower(ctx, body);
                (lower.map.as_single_constant(ctx)?, self.trips[k])
            }
            None => {
                let lower = ForOp(self.nest.chunked).lower(ctx, body);
                (lower.map.as_single_constant(ctx)?, self.depth)
            }
        };
        let is_multiple = |value: i64| value % PACKET == 0;
        let is_aligned = rest == own
            && row != DYNAMIC
            && is_multiple(row)
            && is_multiple(trips)
            && first.checked_add(constant).is_some_and(is_multiple);
        Some(is_aligned)
    }
}

/// Returns the two loads whose products a loop sums, and their element type, if it does nothing
/// else.
fn products_in(deps: &Dependences, summing: ForOp) -> Option<(FloatKind, [OpId; 2])> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let block = summing.block(body);
    let &[_, sum] = &body[block].args[..] else {
        return None;
    };
    let ops: Vec<OpId> = body.ops(block).collect();
    let (&last, ops) = ops.split_last()?;
    let made = |value: Value, name| {
        let op = body.defining_op(value)?;
        (body[op].name == name && ops.contains(&op)).then_some(op)
    };
    let &[yielded] = &body[last].operands[..] else {
        return None;
    };
    let added = made(yielded, arith::ADDF)?;
    let terms = &body[added].operands;
    let term = match (terms.first()?, terms.get(1)?) {
        (&a, &b) if a == sum => b,
        (&a, &b) if b == sum => a,
        _ => return None,
    };
    let product = made(term, arith::MULF)?;
    let factors = body[product].operands.iter().map(|&factor| {
        let widened = made(factor, arith::EXTF)?;
        made(*body[widened].operands.first()?, affine::LOAD)
    });
    let loads: Vec<OpId> = factors.collect::<Option<_>>()?;
    let loads = <[OpId; 2]>::try_from(loads).ok()?;
    let kinds = loads.map(|load| body.ty(body[load].result(0)).float_kind(ctx));
    let is_single = body.ty(sum).float_kind(ctx) == Some(FloatKind::F32);
    // The body holds two loads, two conversions, a product and a sum.
    let is_all = ops.len() == 6 && loads[0] != loads[1];
    match kinds {
        [Some(a), Some(b)] if a == b && is_single && is_all => Some((a, loads)),
        _ => None,
    }
}
