//! Staging plan: the loads of a contraction that go through workgroup memory.
//!
//! The threads of a workgroup compute a block of iterations of the band, and each walks the
//! same sequential loop. Where a load moves with some of the band's loops only, several threads
//! load each element. A staged loop runs in chunks: before each, the workgroup copies what its
//! block of iterations loads in the chunk, an element once, and all threads read the copy.
//!
//! Legal where
//! - the nest stores to none of the staged arrays, so that a copy stays what memory holds;
//! - every iteration of the band runs the loop, and loops around it, as often as any other, so
//!   that all threads come to the barriers together: bounds vary with no loop of the band that the
//!   threads of a workgroup share;
//! - each subscript moves by one with the loops that it moves with, and no loop moves two
//!   subscripts, so that the elements of a block are a box and the program loads each of them;
//! - what the loop does besides can run for iterations beyond the last ones, whose threads come to
//!   the barriers too: it is pure, cannot fail, and loads nothing that varies with the band.
//!
//! Worth it where threads load a fraction of what they did. [`super::map`] carries it out.
//!
//! What the loop computes from one staged load alone, such as a conversion to wider floats, is
//! computed once when the element is copied.

mod array;
mod boxes;
mod choice;
mod computed;

use gridloom_dialects::affine::{self, ForOp, LoadOp};
use gridloom_dialects::arith;
use gridloom_ir::op::Traits;
use gridloom_ir::{BlockId, Context, OpId, Type, Value};

use super::plan::{BandLoop, Trips};
use crate::analysis::dependence::Dependences;
use crate::target::OffloadOptions;
pub use array::{StagedArray, StagedDim, StagedLoad};
pub(super) use choice::plan_staging;

/// Limit of the elements that a thread copies for a chunk: it holds those of the next chunk in
/// registers.
const MAX_COPIES: i64 = 32;

/// Limit of the operations of a chunk that is unrolled: the driver compiles all of them.
const MAX_UNROLLED: i64 = 2048;

/// Staging plan: loads of a nest that go through workgroup memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Staging {
    /// The operation of the band's innermost block that is the staged loop or contains it.
    pub statement: OpId,
    /// The staged loop, an `affine.for` with step 1.
    pub chunked: OpId,
    /// Iterations of the staged loop in a chunk.
    pub chunk: i64,
    /// The arrays, each a box of one memref.
    pub arrays: Vec<StagedArray>,
    /// Neighbouring iterations along x that stay together where the tiles of a workgroup
    /// interleave: a vector of elements.
    pub run: i64,
    /// Whether a whole chunk is unrolled instead of a loop.
    pub is_unrolled: bool,
}

/// Returns the iterations of each loop of a band that a workgroup computes.
pub fn sides(dims: &[Vec<usize>; 3], tile: &[i64], block: &[i64; 3]) -> Vec<i64> {
    let threads = |k: usize| {
        let own = dims.iter().position(|loops| loops[..] == [k]);
        own.map_or(1, |dim| block[dim])
    };
    (0..tile.len()).map(|k| tile[k] * threads(k)).collect()
}

/// Returns the loops of a band of which a workgroup of one plane computes one iteration: those along z without a tile.
fn loops_of_workgroups(dims: &[Vec<usize>; 3], tile: &[i64]) -> Vec<usize> {
    let along_z = dims[2].iter().copied();
    along_z.filter(|&k| tile[k] == 1).collect()
}

/// Plans the staging of a band in chunks of some size by workgroups of some shape, where that is
/// legal, whatever it gains.
pub(super) fn staging_of(
    deps: &mut Dependences,
    band: &[BandLoop],
    dims: &[Vec<usize>; 3],
    tile: &[i64],
    (chunk, block): (i64, [i64; 3]),
    options: &OffloadOptions,
) -> Option<Staging> {
    if options.workgroup_memory == 0 || dims[0].len() != 1 || dims[1].len() != 1 {
        return None;
    }
    // Staging supports workgroups of one plane of threads.
    if block[2] > 1 {
        return None;
    }
    let nest = Contraction::of(deps, band, &loops_of_workgroups(dims, tile))?;
    let arrays = nest.arrays(deps)?;
    let trips = ForOp(nest.chunked).constant_trip_count(deps.values.ctx, deps.values.body);
    if chunk < 1 || trips.is_some_and(|trips| i128::from(trips) < 2 * i128::from(chunk)) {
        return None;
    }
    let cost = nest.cost(&arrays, &sides(dims, tile, &block), (chunk, block))?;
    cost.is_possible(options)
        .then(|| nest.staging(deps, arrays, (chunk, tile), dims[0][0]))
}

/// Whether a chunk is short enough to be unrolled.
fn is_unrolled(operations: i64, chunk: i64, tile: &[i64]) -> bool {
    let points: i64 = tile.iter().product();
    points * chunk * operations <= MAX_UNROLLED
}

/// Cost of the copies into workgroup memory.
struct Cost {
    bytes: i64,
    /// Elements that a thread copies for a chunk.
    copies: i64,
}

impl Cost {
    fn is_possible(&self, options: &OffloadOptions) -> bool {
        self.bytes <= options.workgroup_memory && self.copies <= MAX_COPIES
    }
}

/// Contraction: a nest whose threads all run one sequential loop, each for its iteration of the
/// band.
pub(super) struct Contraction<'p> {
    pub(super) band: &'p [BandLoop],
    root: OpId,
    pub(super) statement: OpId,
    pub(super) chunked: OpId,
    /// Counters of the band.
    pub(super) counters: Vec<Value>,
    /// Counters of the loops around the staged loop, inside `statement`.
    around: Vec<Value>,
    /// Counters of the band that all threads of a workgroup have in common.
    common: Vec<Value>,
}

impl<'p> Contraction<'p> {
    /// Finds the staged loop of a band; `None` where threads may not come to it together. `common` are the loops of the
    /// band that are uniform within a workgroup.
    pub(super) fn of(
        deps: &mut Dependences,
        band: &'p [BandLoop],
        common: &[usize],
    ) -> Option<Self> {
        let (ctx, body) = (deps.values.ctx, deps.values.body);
        let root = band.first()?.counter.op;
        let is_box = |l: &BandLoop| {
            let ends = [l.counter.lower(ctx, body), l.counter.upper(ctx, body)];
            let mut operands = ends.iter().flat_map(|end| end.operands);
            let is_outside =
                |&value: &Value| !(deps.values).block_is_inside(body.value_block(value), root);
            l.is_exact && l.counter.step(ctx, body) == 1 && operands.all(is_outside)
        };
        if !band.iter().all(is_box) {
            return None;
        }
        let last = band.last()?.counter;
        for (l, next) in band.iter().zip(&band[1..]) {
            let ops = body.ops(l.counter.block(body));
            let mut others = ops.filter(|&op| {
                op != next.counter.op
                    && !body[op].name.has(Traits::TERMINATOR)
                    && body[op].name != arith::CONSTANT
            });
            if l.counter.op != next.counter.op && others.next().is_some() {
                return None;
            }
        }
        let mut block = last.block(body);
        // Scalar replacement puts a test around the loop that it runs at all.
        if let Some(test) = only_nested(deps, block).filter(|&op| body[op].name == affine::IF) {
            let is_alone =
                body[test].num_results() == 0 && affine::IfOp(test).else_block(body).is_none();
            let is_uniform = (body[test].operands.iter())
                .all(|&value| !(deps.values).block_is_inside(body.value_block(value), root));
            if !is_alone || !is_uniform || !only_computes(deps, block, test) {
                return None;
            }
            block = body.region_block(test, 0)?;
        }
        let statement = only_loop(deps, block)?;
        let (mut chunked, mut around) = (statement, Vec::new());
        while let Some(inner) = only_loop(deps, ForOp(chunked).block(body)) {
            around.push(ForOp(chunked).induction_var(body));
            chunked = inner;
        }
        let counters: Vec<Value> = (band.iter())
            .map(|l| l.counter.induction_var(body))
            .collect();
        let nest = Contraction {
            band,
            root,
            statement,
            chunked,
            common: common.iter().map(|&k| counters[k]).collect(),
            counters,
            around,
        };
        let is_plain = ForOp(chunked).step(ctx, body) == 1;
        (is_plain && nest.converges(deps) && nest.stores_after(deps)).then_some(nest)
    }

    /// Plans the staging in chunks of some size, where threads have such tiles.
    fn staging(
        &self,
        deps: &Dependences,
        arrays: Vec<StagedArray>,
        (chunk, tile): (i64, &[i64]),
        x: usize,
    ) -> Staging {
        let vectors = arrays.iter().map(StagedArray::vector);
        let runs = [vectors.min().unwrap_or(1), 2, 1].into_iter();
        Staging {
            statement: self.statement,
            chunked: self.chunked,
            chunk,
            is_unrolled: is_unrolled(self.operations(deps, &arrays), chunk, tile),
            arrays,
            run: runs.filter(|run| tile[x] % run == 0).max().unwrap_or(1),
        }
    }

    /// Counts the operations of an iteration of the staged loop, without loads and operations fused
    /// into copies.
    fn operations(&self, deps: &Dependences, arrays: &[StagedArray]) -> i64 {
        let body = deps.values.body;
        let ops = body.ops(ForOp(self.chunked).block(body));
        let computes = |op: &OpId| {
            let name = body[*op].name;
            let mut loads = arrays.iter().flat_map(|array| &array.loads);
            !name.has(Traits::TERMINATOR)
                && name != affine::LOAD
                && !loads.any(|load| load.computed.contains(op))
        };
        ops.filter(computes).count() as i64
    }

    /// Whether all threads of a workgroup, those beyond the last iteration included, can run the
    /// statement together.
    fn converges(&self, deps: &Dependences) -> bool {
        let body = deps.values.body;
        body.walk_op(self.statement).into_iter().all(|op| {
            let data = &body[op];
            match data.name {
                affine::FOR => {
                    let (ctx, l) = (deps.values.ctx, ForOp(op));
                    let ends = [l.lower(ctx, body), l.upper(ctx, body)];
                    let mut operands = ends.iter().flat_map(|end| end.operands);
                    operands.all(|&value| self.is_uniform(deps, value))
                }
                affine::LOAD => {
                    let staged = body[op].parent() == Some(ForOp(self.chunked).block(body));
                    staged || (data.operands.iter()).all(|&value| self.is_uniform(deps, value))
                }
                affine::YIELD => true,
                _ => cannot_fail(deps, op),
            }
        })
    }

    /// Whether all stores of the block around the statement come after it, and the block does
    /// nothing else than to load and compute.
    fn stores_after(&self, deps: &Dependences) -> bool {
        let body = deps.values.body;
        let Some(block) = body[self.statement].parent() else {
            return false;
        };
        let mut is_after = false;
        for op in body.ops(block) {
            is_after |= op == self.statement;
            let name = body[op].name;
            let is_fine = match name {
                _ if op == self.statement => true,
                affine::LOAD => width_of(deps, op).is_some(),
                affine::STORE => is_after,
                _ => name.has(Traits::TERMINATOR) || cannot_fail(deps, op),
            };
            if !is_fine {
                return false;
            }
        }
        true
    }

    /// Whether a value is uniform, the same for all threads of a workgroup: made outside of the
    /// nest, or a counter of a loop that they walk together or have one iteration of.
    pub(super) fn is_uniform(&self, deps: &Dependences, value: Value) -> bool {
        let body = deps.values.body;
        self.around.contains(&value)
            || self.common.contains(&value)
            || !(deps.values).block_is_inside(body.value_block(value), self.root)
    }

    /// Counts the staged loads of a thread in an iteration of the staged loop.
    fn loads_of(&self, tile: &[i64], arrays: &[StagedArray]) -> i64 {
        let loads = arrays.iter().map(|array| {
            let loops = array.dims.iter().flat_map(|dim| &dim.loops);
            let points: i64 = loops.map(|&k| tile[k]).product();
            points * array.loads.len() as i64
        });
        loads.sum()
    }

    /// Returns the cost of the copies for chunks of some size; `None` where that is beyond all
    /// bounds.
    fn cost(
        &self,
        arrays: &[StagedArray],
        sides: &[i64],
        (chunk, block): (i64, [i64; 3]),
    ) -> Option<Cost> {
        let threads: i64 = block.iter().product();
        let mut cost = Cost {
            bytes: 0,
            copies: 0,
        };
        for array in arrays {
            let elements = array.elements(sides, chunk)?;
            let unit = array.unit(sides, chunk);
            cost.bytes += array.bytes(sides, chunk);
            cost.copies += ((elements / unit - 1) / threads + 1) * unit;
        }
        // A block larger than the loop's trip count gains nothing.
        let is_filled = self.band.iter().zip(sides).all(|(l, &side)| match l.trips {
            Trips::Constant(trips) => side < 2 * trips,
            Trips::Least(..) => true,
        });
        is_filled.then_some(cost)
    }
}

/// Whether an operation can run with any operands: it computes scalars and does not divide.
pub(super) fn cannot_fail(deps: &Dependences, op: OpId) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let data = &body[op];
    let mut types = data.results().map(|result| body.ty(result));
    data.name.has(Traits::PURE)
        && !data.name.has(Traits::CONDITIONALLY_SPECULATABLE)
        && types.all(|ty| ty.is_index(ctx) || scalar_width(ctx, ty).is_some())
}

/// Returns the bit width of a load's element, if that is an integer or a float.
fn width_of(deps: &Dependences, load: OpId) -> Option<u32> {
    let body = deps.values.body;
    scalar_width(deps.values.ctx, body.ty(LoadOp(load).result(body)))
}

pub(super) fn scalar_width(ctx: &Context, ty: Type) -> Option<u32> {
    ty.signless_width(ctx)
        .or_else(|| ty.float_kind(ctx).map(|kind| kind.width()))
}

/// Whether all operations of a block except one compute scalars and cannot fail.
fn only_computes(deps: &Dependences, block: BlockId, but: OpId) -> bool {
    let body = deps.values.body;
    body.ops(block)
        .all(|op| op == but || body[op].name.has(Traits::TERMINATOR) || cannot_fail(deps, op))
}

/// Returns the loop of a block that has no other operation with regions; `None` otherwise.
fn only_loop(deps: &Dependences, block: BlockId) -> Option<OpId> {
    only_nested(deps, block).filter(|&op| deps.values.body[op].name == affine::FOR)
}

/// Returns the only operation with regions of a block.
fn only_nested(deps: &Dependences, block: BlockId) -> Option<OpId> {
    let body = deps.values.body;
    let mut nested = (body.ops(block)).filter(|&op| body[op].num_regions() > 0);
    let only = nested.next()?;
    nested.next().is_none().then_some(only)
}
