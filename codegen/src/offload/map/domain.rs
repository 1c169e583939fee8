//! Tiles of a band with a domain test: full tiles, empty tiles, and partial ones.
//!
//! ```text
//! scf.if %some {
//!   scf.if %all {
//!     S(%i, %j) S(%i, %j + 1) … S(%i + 7, %j + 7)
//!   } else {
//!     scf.for %p = 0 to 8 step 4 { scf.for %q = 0 to 8 step 4 {
//!       %in0 = … // whether (%i + %p, %j + %q) is in the domain, and so on
//!       %c0 = scf.if %in0 { yield load %c[…] } else { yield 0 }
//!       …
//!       scf.if %in0 { store %s0, %c[…] }
//! ```
//!
//! The first two tests are made for the box of the whole workgroup, so that its threads branch
//! uniformly. A constraint is a sum of multiples of counters: it is least, and greatest, at a
//! corner of the box.
//!
//! A partial tile runs all its points together. A row without a point in the domain takes the
//! counter of another row that has one, and so does a column: operations that depend on the row
//! alone then run for a row that the program runs them for. Loads and stores that depend on both
//! are guarded by the test of their point.

use gridloom_dialects::affine::IfOp;
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::gpu::LaunchArgs;
use gridloom_dialects::scf;
use gridloom_ir::op::Traits;
use gridloom_ir::{InsertPoint, OpId, Value};

use super::{Count, Mapper};
use crate::offload::domain_test::DomainTest;
use crate::offload::jam::Jam;
use crate::offload::variance::Mask;
use crate::transform::lower_affine::expand;

/// Counters of a loop at the first and the last of the workgroup's iterations.
type Ends = [Value; 2];

impl Mapper<'_> {
    /// Writes the tiles of a band with a domain test.
    pub(super) fn tiles_in_domain(
        &mut self,
        test: &DomainTest,
        args: &LaunchArgs,
        tiles: &[Option<Value>],
        mut covered: Vec<bool>,
    ) {
        let plan = self.plan;
        let loops = 0..plan.band.len();
        let ragged: Vec<bool> = loops.clone().map(|k| self.is_ragged(k)).collect();
        let mut whole = Vec::new();
        let ends: Option<Vec<Ends>> = loops
            .map(|k| {
                let (ends, is_whole) = self.ends(k, tiles[k]?, args);
                whole.extend(is_whole.filter(|_| ragged[k]));
                Some(ends)
            })
            .collect();
        let Some(ends) = ends else { return };
        let some = self.corners(test, &ends, true);
        self.enter_if(some);
        whole.extend(self.corners(test, &ends, false));
        let Some(all) = self.all_of(whole) else {
            return;
        };
        let op = scf::IfOp::create(&mut self.b, all, &[], true);
        let blocks = [Some(op.then_block(self.b.body)), op.else_block(self.b.body)];
        for block in blocks.into_iter().flatten() {
            scf::yield_values(&mut self.b, block, &[]);
        }
        self.b.set(InsertPoint::Start(op.then_block(self.b.body)));
        let first: Vec<Option<Value>> = (tiles.iter().enumerate())
            .map(|(k, &tile)| tile.map(|tile| self.first_of_tile(k, tile)))
            .collect();
        (covered.iter_mut().zip(&ragged)).for_each(|(covered, &ragged)| *covered |= ragged);
        self.nest(&first, &covered, &sizes(&plan.tile));
        if let Some(other) = op.else_block(self.b.body) {
            self.b.set(InsertPoint::Start(other));
            let first = tiles.iter().enumerate();
            let first = first
                .map(|(k, &tile)| tile.map(|tile| self.first_of_tile(k, tile)))
                .collect();
            self.part_of_tile(test, first, &covered, &ragged);
        }
    }

    /// The counters at the first and the last iteration that the thread's workgroup has of a loop,
    /// and whether the workgroup's part is complete, where that is not known.
    fn ends(&mut self, k: usize, tile: Value, args: &LaunchArgs) -> (Ends, Option<Value>) {
        let plan = self.plan;
        let dim = plan.dims.iter().position(|loops| loops[..] == [k]);
        let threads = dim.map_or(1, |dim| plan.block[dim]);
        let (start, side) = match dim.filter(|_| threads > 1) {
            Some(dim) => {
                let start = self.b.binary(arith::SUBI, tile, args.thread_id[dim]);
                (start, threads.saturating_mul(plan.tile[k]))
            }
            None => (tile, plan.tile[k]),
        };
        let size = self.b.index_constant(plan.tile[k]);
        let first = self.b.binary(arith::MULI, start, size);
        let offset = self.b.index_constant(side - 1);
        let mut last = self.b.binary(arith::ADDI, first, offset);
        let mut is_whole = None;
        if !matches!(self.trips[k], Count::Known(trips) if trips % side == 0) {
            is_whole = Some(self.is_inside(k, first, offset));
            let trips = self.value(self.trips[k]);
            let one = self.b.index_constant(1);
            let end = self.b.binary(arith::SUBI, trips, one);
            last = self.b.binary(arith::MINSI, last, end);
        }
        let ends = [first, last].map(|iteration| self.counter_at(k, iteration));
        (ends, is_whole)
    }

    /// Emits the counter of an iteration.
    fn counter_at(&mut self, k: usize, iteration: Value) -> Value {
        let counter = self.plan.band[k].counter;
        let (step, lower) = (
            counter.step(self.b.ctx, self.b.body),
            counter.lower(self.b.ctx, self.b.body),
        );
        let (map, operands) = (lower.map, lower.operands.to_vec());
        let step = self.b.index_constant(step);
        let offset = self.b.binary(arith::MULI, iteration, step);
        let low = self.best(arith::MAXSI, map, &operands);
        self.b.binary(arith::ADDI, low, offset)
    }

    /// Emits whether each constraint holds at the corner of a box where it is greatest, or where it
    /// is least.
    fn corners(&mut self, test: &DomainTest, ends: &[Ends], greatest: bool) -> Vec<Value> {
        let constraints = test.factors.iter().enumerate();
        let corner = |(number, factors): (usize, &Vec<i64>)| {
            let counters: Vec<Value> = (factors.iter().zip(ends))
                .map(|(&factor, ends)| ends[usize::from((factor > 0) == greatest)])
                .collect();
            self.constraint(test, number, &counters)
        };
        constraints.map(corner).collect()
    }

    /// Emits whether a constraint holds for given counters of the band.
    fn constraint(&mut self, test: &DomainTest, number: usize, counters: &[Value]) -> Value {
        let branch = IfOp(test.op);
        let data = branch.set(self.b.ctx, self.b.body).data(self.b.ctx);
        let own = |value: &Value| {
            let place = self.counters.iter().position(|counter| counter == value);
            place.map_or(*value, |place| counters[place])
        };
        let operands: Vec<Value> = branch.operands(self.b.body).iter().map(own).collect();
        let (dims, symbols) = operands.split_at(data.dims as usize);
        let expr = data.constraints[number].expr;
        let value = expand(&mut self.b, &[expr], dims, symbols)[0];
        let zero = self.b.index_constant(0);
        CmpIOp::create(&mut self.b, CmpIPredicate::Sge, value, zero)
    }

    /// Writes the points of a partial tile that are in the domain, some at a time.
    fn part_of_tile(
        &mut self,
        test: &DomainTest,
        mut first: Vec<Option<Value>>,
        covered: &[bool],
        ragged: &[bool],
    ) {
        let plan = self.plan;
        for (k, first) in first.iter_mut().enumerate() {
            if let Some(first) = first
                && (plan.part[k] < plan.tile[k] || ragged[k])
            {
                *first = self.walk_tile(k, *first, ragged[k]);
            }
        }
        let sizes = sizes(&plan.part);
        let (mut points, mut tests) = (Vec::new(), Vec::new());
        for k in 0..plan.band.len() {
            let (counters, below) = self.induction((k, sizes[k]), first[k], None);
            points.push(counters);
            if !covered[k] {
                tests.push(below);
            }
        }
        self.enter_if(tests);
        let is_varied = |k: usize| {
            sizes[k] > 1 && (ragged[k] || test.factors.iter().any(|factors| factors[k] != 0))
        };
        let varied: Vec<usize> = (0..sizes.len()).filter(|&k| is_varied(k)).collect();
        let places = places(&sizes, &varied);
        let mut is_in = Vec::new();
        for place in &places {
            is_in.extend(self.is_in_domain(test, &points, place, &varied, (ragged, &first)));
        }
        let any = self.any_of(&is_in);
        self.enter_if(any.into_iter().collect());
        for &k in &varied {
            points[k] = self.shared_counters(k, &points[k], &places, &is_in);
        }
        let Some(variance) = self.variance.clone() else {
            return;
        };
        let mut jam = Jam::new(&variance, &sizes);
        for (&counter, points) in self.counters.iter().zip(points) {
            jam.set_counter(counter, points);
        }
        if varied.len() > 1 {
            let mask = varied.iter().fold(0, |mask: Mask, k| mask | 1 << k);
            jam.set_domain(mask, is_in, None);
        }
        for op in self.tested_statements(test) {
            jam.write(&mut self.b, op);
        }
    }

    /// Emits whether the point at a place is an iteration and in the domain.
    fn is_in_domain(
        &mut self,
        test: &DomainTest,
        points: &[Vec<Value>],
        place: &[usize],
        varied: &[usize],
        (ragged, first): (&[bool], &[Option<Value>]),
    ) -> Option<Value> {
        let counters = points.iter().zip(place);
        let counters: Vec<Value> = counters.map(|(points, &place)| points[place]).collect();
        let mut tests: Vec<Value> = (0..test.factors.len())
            .map(|number| self.constraint(test, number, &counters))
            .collect();
        for &k in varied {
            if let Some(first) = first[k]
                && ragged[k]
            {
                let offset = place[k] as i64 * self.plan.run_distance(k);
                let offset = self.b.index_constant(offset);
                tests.push(self.is_inside(k, first, offset));
            }
        }
        self.all_of(tests)
    }

    /// The counters of a loop in a partial tile, where a place without iterations in the domain
    /// takes the counter of a place that has one.
    fn shared_counters(
        &mut self,
        k: usize,
        counters: &[Value],
        places: &[Vec<usize>],
        is_in: &[Value],
    ) -> Vec<Value> {
        let mut used = Vec::new();
        for place in 0..counters.len() {
            let here = places.iter().zip(is_in).filter(|(at, _)| at[k] == place);
            let here: Vec<Value> = here.map(|(_, &flag)| flag).collect();
            used.extend(self.any_of(&here));
        }
        let mut other = counters[0];
        for (&counter, &is_used) in counters.iter().zip(&used).rev() {
            other = arith::select(&mut self.b, is_used, counter, other);
        }
        (counters.iter().zip(&used))
            .map(|(&counter, &is_used)| arith::select(&mut self.b, is_used, counter, other))
            .collect()
    }

    fn any_of(&mut self, flags: &[Value]) -> Option<Value> {
        let flags = flags.iter().copied();
        flags.reduce(|x, y| self.b.binary(arith::ORI, x, y))
    }

    /// Statements of the innermost loop of a band, with the body of the domain test in place of the
    /// test.
    pub(super) fn tested_statements(&self, test: &DomainTest) -> Vec<OpId> {
        let body = &self.b.body;
        let inside = IfOp(test.op).then_block(body);
        let around = body[test.op].parent().into_iter();
        around
            .flat_map(|block| body.ops(block))
            .filter(|&op| op != test.op)
            .chain(body.ops(inside))
            .filter(|&op| !body[op].name.has(Traits::TERMINATOR))
            .collect()
    }
}

/// Tile extents as numbers of points.
pub(super) fn sizes(tile: &[i64]) -> Vec<usize> {
    let sizes = tile.iter();
    sizes
        .map(|&size| usize::try_from(size).unwrap_or(1))
        .collect()
}

/// Places of a tile that differ in some loops, the last of these fastest.
fn places(sizes: &[usize], loops: &[usize]) -> Vec<Vec<usize>> {
    let mut places = vec![vec![0; sizes.len()]];
    for &k in loops {
        let with = |place: Vec<usize>| {
            (0..sizes[k]).map(move |at| {
                let mut place = place.clone();
                place[k] = at;
                place
            })
        };
        places = places.into_iter().flat_map(with).collect();
    }
    places
}
