//! Unroll-and-jam of parallel loops: one thread computes a tile of iterations.
//!
//! ```text
//! %z = affine.load %c[%i, %j]                   %z0 = affine.load %c[%i, %j0]
//! %s = affine.for %k = 0 to %n                  %z1 = affine.load %c[%i, %j1]
//!     iter_args(%acc = %z) {                    %s:2 = affine.for %k = 0 to %n
//!   %x = affine.load %a[%i, %k]        ⇒            iter_args(%acc0 = %z0, %acc1 = %z1) {
//!   %y = affine.load %b[%k, %j]                   %x = affine.load %a[%i, %k]
//!   …                                             %y0 = affine.load %b[%k, %j0]
//! }                                               %y1 = affine.load %b[%k, %j1]
//! affine.store %s, %c[%i, %j]                     …
//!                                               }
//!                                               affine.store %s#0, %c[%i, %j0]
//!                                               affine.store %s#1, %c[%i, %j1]
//! ```
//!
//! Each operation is repeated for the points of the tile that it
//! [varies](super::variance) with, before the next one is. A loop or branch
//! that runs alike at all points is jammed and carries the values of all of
//! them; a loop of other lengths is [split]; any other is repeated as a whole. That is legal because the loops of
//! the band are parallel: iterations may go side by side in any way, and none
//! stores what another loads.
//!
//! Points may be equal: a tile that juts out over the last iteration repeats its first point. Both
//! instances of an operation come one after the other, so they see the same memory and store the
//! same values. That is so except in a region that is repeated as a whole and loads what it stores;
//! [`repeats_alike`] finds these. Accesses outside of loops may be [rolled].

mod rolled;
pub(super) mod split;

use gridloom_dialects::{affine, inherent, memref, scf};
use gridloom_ir::body::OpState;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{BlockId, Body, Builder, Context, InsertPoint, OpId, OpName, Type, Value};
use smallvec::{SmallVec, smallvec};

use super::map::staged::chunks::zero;
use super::variance::{Mask, Shape, Variance, shape};
use crate::analysis::loop_kind::is_counted_loop;
pub use rolled::Steps;
use split::can_split;

/// Position of an iteration in its tile: for each loop of the band, counted from 0.
pub type Point = SmallVec<[usize; 4]>;

/// Domain mask: which points of a tile are iterations.
struct Domain {
    /// Loops along which some points are no iterations.
    loops: Mask,
    /// Whether each point of these loops is an iteration.
    is_in: Vec<Value>,
    /// Whether all points are iterations, where that is worth a branch.
    all: Option<Value>,
    /// Whether loads run at all points.
    masks_stores_only: bool,
}

/// Writes the instances of operations for all points of a tile.
pub struct Jam<'a> {
    variance: &'a Variance,
    /// Number of points along each loop of the band.
    tile: &'a [usize],
    /// Copies of each value, one for each point that it varies with.
    copies: FxHashMap<Value, Vec<Value>>,
    /// Domain mask, where some points may not be iterations.
    domain: Option<Domain>,
    /// Rule by which a counter follows from the place in a tile.
    steps: FxHashMap<Value, Steps>,
    /// Number of points from which accesses outside of loops go through arrays ([rolled]).
    rolled: Option<usize>,
    /// Whether the writer is inside a loop below the band.
    in_loop: bool,
}

impl<'a> Jam<'a> {
    /// Creates the writer for a tile with `tile[k]` points along loop `k` of the band.
    pub fn new(variance: &'a Variance, tile: &'a [usize]) -> Self {
        Jam {
            variance,
            tile,
            copies: FxHashMap::default(),
            domain: None,
            steps: FxHashMap::default(),
            rolled: None,
            in_loop: false,
        }
    }

    /// Sets the values of a counter at the points along its loop.
    pub fn set_counter(&mut self, counter: Value, copies: Vec<Value>) {
        self.copies.insert(counter, copies);
    }

    /// Masks the points of two loops that are no iterations: loads and stores that vary with both
    /// loops run at points of the domain only. Operations that vary with one of the loops run
    /// anyway, since every counter is that of some iteration. Where `all` is given and holds, all
    /// points run without tests. Loads from memory that the launch itself allocates are not masked.
    pub fn set_domain(&mut self, loops: Mask, is_in: Vec<Value>, all: Option<Value>) {
        self.domain = Some(Domain {
            loops,
            is_in,
            all,
            masks_stores_only: false,
        });
    }

    /// Masks the points of some loops at which nothing may be stored; the counters of these are those of other iterations.
    pub fn set_stores(&mut self, loops: Mask, is_in: Vec<Value>) {
        self.domain = Some(Domain {
            loops,
            is_in,
            all: None,
            masks_stores_only: true,
        });
    }

    /// Copy of a value at the first point.
    pub fn first(&self, value: Value) -> Value {
        self.copy(value, &self.origin())
    }

    /// Writes the instances of an operation for all points.
    pub fn write(&mut self, b: &mut Builder, op: OpId) {
        if self.is_rolled(b.ctx, b.body, op) {
            return self.roll(b, op);
        }
        self.instantiate(b, op, &self.origin(), 0);
    }

    /// The first point of the tile.
    fn origin(&self) -> Point {
        smallvec![0; self.tile.len()]
    }

    fn copy(&self, value: Value, at: &[usize]) -> Value {
        let copies = self.copies.get(&value);
        let place = place(self.tile, self.variance.of(value), at);
        copies
            .and_then(|copies| copies.get(place).copied())
            .unwrap_or(value)
    }

    /// The points that agree with `at` except in the loops of `mask`, in order.
    fn points(&self, mask: Mask, at: &[usize]) -> Vec<Point> {
        let mut points = vec![Point::from_slice(at)];
        for (k, &size) in self.tile.iter().enumerate() {
            if mask >> k & 1 == 0 {
                continue;
            }
            let mut longer = Vec::with_capacity(points.len() * size);
            for point in &points {
                for place in 0..size {
                    longer.push(point.clone());
                    if let Some(point) = longer.last_mut() {
                        point[k] = place;
                    }
                }
            }
            points = longer;
        }
        points
    }

    /// Number of points that differ in the loops of a mask.
    fn count(&self, mask: Mask) -> usize {
        let loops = self.tile.iter().enumerate();
        let varied = loops.filter(|(k, _)| mask >> k & 1 == 1);
        varied.map(|(_, &size)| size).product()
    }

    /// Records the copies of a value, one for each of `points`.
    fn note(&mut self, value: Value, points: &[Point], copies: impl Iterator<Item = Value>) {
        let mask = self.variance.of(value);
        let tile = self.tile;
        let size = self.count(mask);
        let list = self.copies.entry(value).or_default();
        list.resize(size, value);
        for (point, copy) in points.iter().zip(copies) {
            list[place(tile, mask, point)] = copy;
        }
    }

    /// Writes the instances of an operation for all points that agree with `at`
    /// in the loops of `fixed`.
    fn instantiate(&mut self, b: &mut Builder, op: OpId, at: &[usize], fixed: Mask) {
        let points = self.points(self.variance.of_op(b.body, op) & !fixed, at);
        if points.len() > 1 && can_split(b.ctx, b.body, op) {
            return self.split_loop(b, affine::ForOp(op), at, fixed);
        }
        let is_leaf = b.body[op].inline_regions().is_empty();
        if let Some(all) = self.domain.as_ref().and_then(|domain| domain.all)
            && points.len() > 1
            && is_leaf
            && self.test_of(b, op, at).is_some()
        {
            return self.tested_instances(b, op, all, &points);
        }
        let fixed = fixed | self.variance.of_op(b.body, op);
        for point in &points {
            match is_leaf {
                true => self.instance(b, op, point),
                false => self.region_instance(b, op, point, fixed),
            }
        }
    }

    /// Writes an operation without regions for one point.
    fn instance(&mut self, b: &mut Builder, op: OpId, at: &[usize]) {
        let operands = self.operands_at(b.body, op, at);
        let results = b.body[op].results().map(|v| b.body.ty(v)).collect();
        let copy = match self.test_of(b, op, at) {
            Some(test) => tested(b, op, operands, results, test),
            None => shell(b, op, operands, results),
        };
        let pairs: Vec<_> = b.body[op].results().zip(b.body[copy].results()).collect();
        for (result, copy) in pairs {
            self.note(result, &[Point::from_slice(at)], std::iter::once(copy));
        }
    }

    /// The operands of an operation at a point.
    fn operands_at(&self, body: &Body, op: OpId, at: &[usize]) -> SmallVec<[Value; 4]> {
        let operands = body[op].operands.iter();
        operands.map(|&value| self.copy(value, at)).collect()
    }

    /// Writes the instances of an access: without tests where all points are iterations.
    ///
    /// ```text
    /// %z:2 = scf.if %all { yield load %c[%i, %j0], load %c[%i, %j1] } else {
    ///   %z0 = scf.if %in0 { yield load %c[%i, %j0] } else { yield 0 } …
    /// ```
    fn tested_instances(&mut self, b: &mut Builder, op: OpId, all: Value, points: &[Point]) {
        let types: Vec<Type> = b.body[op].results().map(|v| b.body.ty(v)).collect();
        let every: Vec<Type> = points.iter().flat_map(|_| types.clone()).collect();
        let branch = scf::IfOp::create(b, all, &every, true);
        let resume = b.point();
        let blocks = [Some(branch.then_block(b.body)), branch.else_block(b.body)];
        for (side, block) in blocks.into_iter().flatten().enumerate() {
            b.set(InsertPoint::End(block));
            let mut yielded = Vec::with_capacity(every.len());
            for point in points {
                let operands = self.operands_at(b.body, op, point);
                let test = self.test_of(b, op, point).filter(|_| side == 1);
                let copy = match test {
                    Some(test) => tested(b, op, operands, types.clone(), test),
                    None => shell(b, op, operands, types.clone()),
                };
                yielded.extend(b.body[copy].results());
            }
            scf::yield_values(b, block, &yielded);
        }
        b.set(resume);
        let results: Vec<Value> = b.body[op].results().collect();
        let mut copies = b.body[branch.0].results().collect::<Vec<_>>().into_iter();
        for point in points {
            for &result in &results {
                self.note(result, std::slice::from_ref(point), copies.by_ref().take(1));
            }
        }
    }

    /// The mask of an access: the condition that its point is an iteration; `None` if it needs no
    /// test.
    fn test_of(&self, b: &Builder, op: OpId, at: &[usize]) -> Option<Value> {
        let domain = self.domain.as_ref()?;
        let varied = self.variance.of_op(b.body, op) & domain.loops;
        let accessed = match b.body[op].name {
            affine::LOAD | memref::LOAD if domain.masks_stores_only => return None,
            affine::LOAD | memref::LOAD => 0,
            affine::STORE | memref::STORE => 1,
            _ => return None,
        };
        let memref = b.body[op].operands.get(accessed).copied()?;
        let made = b.body.defining_op(memref);
        // Workgroup-memory copies of arrays are readable at any point.
        let is_own = made.is_some_and(|made| b.body[made].name == memref::ALLOCA)
            && b.body
                .ty(memref)
                .memref(b.ctx)
                .is_some_and(|ty| ty.space.is_some());
        let place = place(self.tile, domain.loops, at);
        let is_tested = varied == domain.loops && !is_own;
        domain.is_in.get(place).copied().filter(|_| is_tested)
    }

    /// Writes an operation with regions for one point of the loops that it is
    /// repeated for, jammed over the others.
    fn region_instance(&mut self, b: &mut Builder, op: OpId, at: &[usize], fixed: Mask) {
        let control = match shape(b.ctx, b.body, op) {
            Shape::Structured(control) => control,
            Shape::Opaque => b.body[op].operands.len(),
        };
        let source: Vec<Value> = b.body[op].operands.to_vec();
        let results: Vec<Value> = b.body[op].results().collect();
        let points: Vec<Vec<Point>> = (results.iter())
            .map(|&result| self.points(self.variance.of(result) & !fixed, at))
            .collect();
        let (first, carried) = source.split_at(control);
        let mut operands: Vec<Value> = first.iter().map(|&v| self.copy(v, at)).collect();
        for (&init, points) in carried.iter().zip(&points) {
            operands.extend(points.iter().map(|point| self.copy(init, point)));
        }
        let types = results.iter().zip(&points);
        let types = types
            .flat_map(|(&result, points)| points.iter().map(move |_| result))
            .map(|result| b.body.ty(result))
            .collect();
        let carried = operands.len() - control;
        let copy = shell(b, op, operands.into(), types);
        if b.body[op].name == affine::FOR {
            resize_inits(b.ctx, b.body, copy, carried);
        }
        let regions = b.body[op].inline_regions().to_vec();
        let resume = b.point();
        let is_branch = matches!(b.body[op].name, affine::IF | scf::IF);
        let around = self.in_loop;
        self.in_loop |= !is_branch;
        for region in regions {
            let made = b.body.add_region(copy);
            let blocks: Vec<BlockId> = b.body[region].blocks.iter().copied().collect();
            for block in blocks {
                let new = b.body.add_block(made, &[]);
                self.arguments(b, (block, new), results.len(), &points, at);
                self.block(b, (block, new), &points, at, fixed);
            }
        }
        self.in_loop = around;
        b.set(resume);
        let mut copies: Vec<Value> = b.body[copy].results().collect();
        for (&result, points) in results.iter().zip(&points) {
            let rest = copies.split_off(points.len());
            self.note(result, points, copies.into_iter());
            copies = rest;
        }
    }

    /// Adds the arguments of a block: the counters unchanged, then each carried value once for each
    /// point.
    fn arguments(
        &mut self,
        b: &mut Builder,
        (from, to): (BlockId, BlockId),
        results: usize,
        points: &[Vec<Point>],
        at: &[usize],
    ) {
        let args = b.body[from].args.clone();
        let is_loop = b
            .body
            .block_parent_op(from)
            .is_some_and(|op| is_counted_loop(b.body, op) && args.len() == results + 1);
        for (index, &arg) in args.iter().enumerate() {
            let (ty, loc) = (b.body[arg].ty, b.body[arg].loc);
            let here = [Point::from_slice(at)];
            let points = match is_loop && index > 0 {
                true => &points[index - 1],
                false => &here[..],
            };
            let made: Vec<Value> = (points.iter())
                .map(|_| b.body.add_argument(to, ty, loc))
                .collect();
            self.note(arg, points, made.into_iter());
        }
    }

    /// Writes the operations of a block, and its terminator with the values of all points.
    fn block(
        &mut self,
        b: &mut Builder,
        (from, to): (BlockId, BlockId),
        points: &[Vec<Point>],
        at: &[usize],
        fixed: Mask,
    ) {
        b.set(InsertPoint::End(to));
        let ops: Vec<OpId> = b.body.ops(from).collect();
        for op in ops {
            let data = &b.body[op];
            if !matches!(data.name, affine::YIELD | scf::YIELD)
                || data.operands.len() != points.len()
            {
                // All points take a branch together where no loop is fixed.
                match fixed == 0 && !self.in_loop && self.is_rolled(b.ctx, b.body, op) {
                    true => self.roll(b, op),
                    false => self.instantiate(b, op, at, fixed),
                }
                continue;
            }
            let yielded = data.operands.clone();
            let mut operands = Vec::new();
            for (&value, points) in yielded.iter().zip(points) {
                operands.extend(points.iter().map(|point| self.copy(value, point)));
            }
            match b.body.block_parent_op(to).map(|op| b.body[op].name) {
                // The terminator of a split `affine.for`, whose parts are `scf.for`.
                Some(scf::FOR) => scf::yield_values(b, to, &operands),
                _ => drop(shell(b, op, operands.into(), Vec::new())),
            }
        }
    }
}

/// Linear number of a point among the points that differ in the loops of a mask.
fn place(tile: &[usize], mask: Mask, at: &[usize]) -> usize {
    let loops = tile.iter().zip(at).enumerate();
    loops
        .filter(|(k, _)| mask >> k & 1 == 1)
        .fold(0, |place, (_, (&size, &at))| place * size + at)
}

/// Clones an operation with other operands and results, without its regions.
pub(super) fn shell(
    b: &mut Builder,
    op: OpId,
    operands: SmallVec<[Value; 4]>,
    results: Vec<Type>,
) -> OpId {
    let data = &b.body[op];
    let state = OpState {
        name: data.name,
        loc: data.loc,
        properties: data.properties,
        attributes: data.attributes,
        operands,
        results: results.into(),
        successors: Default::default(),
    };
    b.create(state)
}

/// Clones an access under a condition; where it fails, a load gives zero.
fn tested(
    b: &mut Builder,
    op: OpId,
    operands: SmallVec<[Value; 4]>,
    results: Vec<Type>,
    test: Value,
) -> OpId {
    let branch = scf::IfOp::create(b, test, &results, !results.is_empty());
    let resume = b.point();
    let then = branch.then_block(b.body);
    b.set(InsertPoint::End(then));
    let copy = shell(b, op, operands, results.clone());
    let loaded: Vec<Value> = b.body[copy].results().collect();
    scf::yield_values(b, then, &loaded);
    if let Some(other) = branch.else_block(b.body) {
        b.set(InsertPoint::End(other));
        let zeros: Vec<Value> = results.iter().map(|&ty| zero(b, ty)).collect();
        scf::yield_values(b, other, &zeros);
    }
    b.set(resume);
    branch.0
}

/// Resizes the list of values that an `affine.for` carries.
fn resize_inits(ctx: &Context, body: &mut Body, op: OpId, inits: usize) {
    let lower = affine::ForOp(op).lower(ctx, body).map.data(ctx);
    let upper = affine::ForOp(op).upper(ctx, body).map.data(ctx);
    let sizes = [
        (lower.dims + lower.symbols) as i32,
        (upper.dims + upper.symbols) as i32,
        inits as i32,
    ];
    let attr = ctx.i32_array_attr(&sizes);
    body[op].set_property(ctx, inherent::OPERAND_SEGMENT_SIZES, attr);
}

/// Whether running a point twice leaves the same memory: each region that is repeated for points of
/// `tiled` loops stores nothing or loads nothing. The region of the domain `test` is not repeated.
pub fn repeats_alike(
    body: &Body,
    root: OpId,
    variance: &Variance,
    tiled: Mask,
    test: Option<OpId>,
) -> bool {
    let ops = body.walk_op(root);
    let mut repeated = ops[1..].iter().filter(|&&op| {
        let data = &body[op];
        !data.inline_regions().is_empty()
            && Some(op) != test
            && variance.of_op(body, op) & tiled != 0
    });
    repeated.all(|&op| {
        let below = body.walk_op(op);
        let has = |names: [OpName; 2]| below.iter().any(|&op| names.contains(&body[op].name));
        let stores = has([affine::STORE, memref::STORE]);
        let loads = has([affine::LOAD, memref::LOAD]);
        !stores || !loads
    })
}
