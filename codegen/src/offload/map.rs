//! The mechanism: a planned nest becomes a `gpu.launch`.
//!
//! ```text
//! affine.for %i = 0 to %n {                 %total = …                       // host
//!   affine.for %j = 0 to 100 {              %some = arith.cmpi sgt, %total, %c0
//!     S(%i, %j)                        ⇒    scf.if %some {
//!   }                                         gpu.launch blocks(…) threads(…) {
//! }                                             %idx = %bx * 16 + %tx
//!                                               %j = 0 + %idx
//!                                               %in = arith.cmpi slt, %j, %c100
//!                                               scf.if %in { … S(%i, %j) … }
//! ```
//!
//! The grid covers the greatest number of iterations that each loop can have;
//! threads beyond a loop's actual bounds do nothing. A dimension that may need
//! more workgroups than devices have strides over its range instead. Nothing
//! is launched when a loop has no iterations.

use gridloom_ir::dialect::affine;
use gridloom_ir::dialect::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_ir::dialect::gpu::{self, LaunchArgs, LaunchOp, LaunchSizes};
use gridloom_ir::dialect::{memref, scf};
use gridloom_ir::{AffineMap, Body, Builder, Context, InsertPoint, OpId, OpName, Value};

use super::plan::{BandLoop, NestPlan, Trips};
use crate::analysis::counter::Counter;
use crate::analysis::values::Atom;
use crate::transform::lower_affine::{expand, expand_results, lower_affine_below};

/// Workgroups that every device takes in one dimension (WebGPU's limit).
pub const MAX_GROUPS: i64 = 65_535;

/// Carries out a plan that was made for this body. Returns the launch.
///
/// The caller has checked that a kernel can hold the nest.
pub fn map_nest(ctx: &Context, body: &mut Body, plan: &NestPlan) -> LaunchOp {
    let root = plan.band[0].counter.op;
    let mut mapper = Mapper {
        plan,
        b: Builder::before(ctx, body, root),
        counts: Vec::new(),
    };
    mapper.counts = plan.band.iter().map(|l| mapper.count(l)).collect();
    mapper.guard_launch();
    let totals: Vec<Count> = plan.dims.iter().map(|loops| mapper.total(loops)).collect();
    let launch = mapper.launch(&totals);
    mapper.fill(launch, &totals);
    body.erase(root);
    own_scratch(body, launch.0);
    lower_affine_below(ctx, body, launch.0);
    launch
}

/// A number of iterations.
#[derive(Clone, Copy)]
enum Count {
    Known(i64),
    Value(Value),
}

struct Mapper<'a> {
    plan: &'a NestPlan,
    b: Builder<'a>,
    /// Iterations of each loop of the band.
    counts: Vec<Count>,
}

impl Mapper<'_> {
    fn value(&mut self, count: Count) -> Value {
        match count {
            Count::Known(value) => self.b.index_constant(value),
            Count::Value(value) => value,
        }
    }

    /// The iterations of a loop, computed on the host.
    fn count(&mut self, l: &BandLoop) -> Count {
        let (exprs, atoms) = match &l.trips {
            Trips::Constant(value) => return Count::Known(*value),
            Trips::Least(exprs, atoms) => (exprs, atoms),
        };
        let values: Vec<Value> = atoms.iter().map(|&atom| self.atom(atom)).collect();
        let counts = expand(&mut self.b, exprs, &values, &[]);
        let least = counts
            .into_iter()
            .reduce(|x, y| self.b.binary(arith::MINSI, x, y));
        match least {
            Some(least) => Count::Value(least),
            None => Count::Known(0),
        }
    }

    fn atom(&mut self, atom: Atom) -> Value {
        match atom {
            Atom::Value(value) => value,
            Atom::Extent(memref, dim) => {
                let dim = self.b.index_constant(dim.into());
                memref::DimOp::create(&mut self.b, memref, dim)
            }
            // Plans speak of the program's values only.
            Atom::Fresh(_) | Atom::Touched(..) | Atom::Lane(..) => self.b.index_constant(0),
        }
    }

    /// Puts what follows under the condition that every loop has an iteration,
    /// unless that is known.
    fn guard_launch(&mut self) {
        let open: Vec<Value> = (self.counts.iter())
            .filter_map(|count| match count {
                Count::Value(value) => Some(*value),
                Count::Known(_) => None,
            })
            .collect();
        let zero = self.b.index_constant(0);
        let mut tests: Vec<Value> = (open.into_iter())
            .map(|count| CmpIOp::create(&mut self.b, CmpIPredicate::Sgt, count, zero))
            .collect();
        for l in &self.plan.band {
            let (exprs, atoms) = &l.ordered;
            let values: Vec<Value> = atoms.iter().map(|&atom| self.atom(atom)).collect();
            for pair in expand(&mut self.b, exprs, &values, &[]).chunks_exact(2) {
                let test = CmpIOp::create(&mut self.b, CmpIPredicate::Slt, pair[0], pair[1]);
                tests.push(test);
            }
        }
        self.enter_if(tests);
    }

    /// Moves into an `scf.if` on all of `tests`, if there are any.
    fn enter_if(&mut self, tests: Vec<Value>) {
        let all = tests
            .into_iter()
            .reduce(|x, y| self.b.binary(arith::ANDI, x, y));
        let Some(condition) = all else { return };
        let op = scf::IfOp::create(&mut self.b, condition, &[], false);
        let block = op.then_block(self.b.body);
        scf::yield_values(&mut self.b, block, &[]);
        self.b.set(InsertPoint::Start(block));
    }

    /// The product of the iterations of some loops.
    fn total(&mut self, loops: &[usize]) -> Count {
        let counts: Vec<Count> = loops.iter().map(|&k| self.counts[k]).collect();
        let product = counts.into_iter().reduce(|x, y| match (x, y) {
            (Count::Known(x), Count::Known(y)) if x.checked_mul(y).is_some() => Count::Known(x * y),
            _ => {
                let (x, y) = (self.value(x), self.value(y));
                Count::Value(self.b.binary(arith::MULI, x, y))
            }
        });
        product.unwrap_or(Count::Known(1))
    }

    fn launch(&mut self, totals: &[Count]) -> LaunchOp {
        let block = self.plan.block.map(|size| self.b.index_constant(size));
        let mut grid = block;
        for (dim, slot) in grid.iter_mut().enumerate() {
            *slot = self.groups(totals[dim], self.plan.block[dim]);
        }
        LaunchOp::create(&mut self.b, LaunchSizes { grid, block })
    }

    /// Workgroups for `total` threads, as many as there may be.
    fn groups(&mut self, total: Count, block: i64) -> Value {
        match total {
            Count::Known(total) => {
                let groups = total.max(0).unsigned_abs().div_ceil(block.unsigned_abs());
                let groups = i64::try_from(groups).unwrap_or(MAX_GROUPS);
                self.b.index_constant(groups.min(MAX_GROUPS))
            }
            Count::Value(total) => {
                // The total is positive here, and `(total - 1) / block + 1` cannot overflow.
                let one = self.b.index_constant(1);
                let size = self.b.index_constant(block);
                let last = self.b.binary(arith::SUBI, total, one);
                let last = self.b.binary(arith::DIVSI, last, size);
                let groups = self.b.binary(arith::ADDI, last, one);
                let most = self.b.index_constant(MAX_GROUPS);
                self.b.binary(arith::MINSI, groups, most)
            }
        }
    }

    /// Writes the body of the launch: ids, loops over what the grid does not
    /// cover, induction variables, guards, and the nest's own statements.
    fn fill(&mut self, launch: LaunchOp, totals: &[Count]) {
        let block = launch.block(self.b.body);
        gpu::terminate(&mut self.b, block);
        self.b.set(InsertPoint::Start(block));
        let args = launch.args(self.b.body);
        let mut positions: Vec<Option<Value>> = vec![None; self.plan.band.len()];
        let mut covered = vec![false; self.plan.band.len()];
        let dims = &self.plan.dims;
        for (dim, loops) in dims.iter().enumerate() {
            if loops.is_empty() {
                continue;
            }
            let (index, in_range) = self.global_index(&args, dim, totals[dim]);
            self.delinearise(loops, index, &mut positions);
            for &k in loops {
                covered[k] = in_range;
            }
        }
        self.nest(&positions, &covered);
    }

    /// The thread's place along a dimension, and whether it is below the total
    /// for certain.
    fn global_index(&mut self, args: &LaunchArgs, dim: usize, total: Count) -> (Value, bool) {
        let size = self.plan.block[dim];
        let index = match size {
            1 => args.block_id[dim],
            _ => {
                let size = self.b.index_constant(size);
                let first = self.b.binary(arith::MULI, args.block_id[dim], size);
                self.b.binary(arith::ADDI, first, args.thread_id[dim])
            }
        };
        if let Count::Known(total) = total
            && total <= size.saturating_mul(MAX_GROUPS)
        {
            return (index, total % size == 0);
        }
        let end = self.value(total);
        let size = self.b.index_constant(size);
        let stride = self.b.binary(arith::MULI, args.grid_dim[dim], size);
        let op = scf::ForOp::create(&mut self.b, index, end, stride, &[]);
        let block = op.block(self.b.body);
        scf::yield_values(&mut self.b, block, &[]);
        self.b.set(InsertPoint::Start(block));
        (op.induction_var(self.b.body), true)
    }

    /// Splits a place into one position for each loop, innermost fastest.
    fn delinearise(&mut self, loops: &[usize], index: Value, positions: &mut [Option<Value>]) {
        let mut rest = index;
        for (n, &k) in loops.iter().enumerate().rev() {
            if n == 0 {
                positions[k] = Some(rest);
                break;
            }
            // Threads have places from 0, so truncation is the floor.
            let count = self.value(self.counts[k]);
            positions[k] = Some(self.b.binary(arith::REMSI, rest, count));
            rest = self.b.binary(arith::DIVSI, rest, count);
        }
    }

    /// Induction variables from positions, guards, and the statements.
    fn nest(&mut self, positions: &[Option<Value>], covered: &[bool]) {
        let plan = self.plan;
        let mut tests = Vec::new();
        for (k, l) in plan.band.iter().enumerate() {
            let (iv, below) = self.induction(l, positions[k]);
            if !(l.is_exact && covered[k]) {
                tests.push(below);
            }
            let op = l.counter.op;
            let old = l.counter.induction_var(self.b.body);
            self.b
                .body
                .replace_values_in(op, |v| if v == old { iv } else { v });
            let inner = plan.band.get(k + 1).map(|next| next.counter.op);
            if inner == Some(op) {
                // The statements belong to the last counter of their loop.
                continue;
            }
            let statements = self.statements(l.counter, inner);
            let is_quiet = statements
                .iter()
                .all(|&op| self.b.body[op].name == arith::CONSTANT);
            if !is_quiet || inner.is_none() {
                self.enter_if(std::mem::take(&mut tests));
            }
            for op in statements {
                self.b.body.detach(op);
                self.b.insert(op);
            }
        }
    }

    /// `lower + position * step`, and whether it is below the upper bound.
    fn induction(&mut self, l: &BandLoop, position: Option<Value>) -> (Value, Value) {
        let ctx = self.b.ctx;
        let counter = l.counter;
        let (lower, upper) = (
            counter.lower(ctx, self.b.body),
            counter.upper(ctx, self.b.body),
        );
        let (lower_map, lower_operands) = (lower.map, lower.operands.to_vec());
        let (upper_map, upper_operands) = (upper.map, upper.operands.to_vec());
        let step = counter.step(ctx, self.b.body);
        let low = self.best(arith::MAXSI, lower_map, &lower_operands);
        let high = self.best(arith::MINSI, upper_map, &upper_operands);
        // Every loop of the band has a dimension.
        let mut way = position.unwrap_or(low);
        if step != 1 {
            let step = self.b.index_constant(step);
            way = self.b.binary(arith::MULI, way, step);
        }
        let iv = match lower_map.as_single_constant(ctx) {
            Some(0) => way,
            _ => self.b.binary(arith::ADDI, low, way),
        };
        let below = CmpIOp::create(&mut self.b, CmpIPredicate::Slt, iv, high);
        (iv, below)
    }

    fn best(&mut self, name: OpName, map: AffineMap, operands: &[Value]) -> Value {
        let results = expand_results(&mut self.b, map, operands);
        let best = results.into_iter().reduce(|x, y| self.b.binary(name, x, y));
        best.unwrap_or_else(|| self.b.index_constant(0))
    }

    /// What a loop does itself: not the terminator, nor the loop inside.
    fn statements(&self, op: Counter, inner: Option<OpId>) -> Vec<OpId> {
        let body = &self.b.body;
        let ops = body.ops(op.block(body));
        ops.filter(|&op| body[op].name != affine::YIELD && Some(op) != inner)
            .collect()
    }
}

/// Scratch arrays of a thread: what was allocated in an iteration becomes the
/// thread's own memory, which needs no freeing.
fn own_scratch(body: &mut Body, launch: OpId) {
    for op in body.walk_op(launch) {
        match body[op].name {
            memref::ALLOC => body[op].name = memref::ALLOCA,
            memref::DEALLOC => body.erase(op),
            _ => {}
        }
    }
}
