//! Rewriting of array expansion: versions of the loop, batches of iterations, the allocation for one, and accesses to an iteration's
//! part.
//!
//! The number of iterations of a batch is a constant, so that the loop over batches steps by it and its counter is affine. Where the
//! types leave sizes open, the loop has a version for each of a few numbers, which runs where a batch of so many takes no more
//! than the budget; for even larger arrays it stays as it was.
//!
//! ```text
//! scf.if %row <= BUDGET / min(%m, 16384) { batches of 16384 }
//! else { scf.if %row <= BUDGET / min(%m, 1024) { batches of 1024 } else { the loop } }
//! ```

use gridloom_dialects::affine::{self, ApplyOp, ForOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::memref;
use gridloom_ir::affine::AffineOp;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, OpId, Value};

use super::extents::open_extents;
use super::{BATCHES, BUDGET, Expansion, MAX_STEP};
use crate::analysis::loop_kind::is_counted_loop;
use crate::analysis::workgroup_memory::element_bytes;
use crate::transform::affine_guard_overflow::put_under_test;
use crate::transform::affine_privatize::{Sizes, Temporary, temporary_of};
use crate::transform::affine_scope::is_top_level;
use crate::transform::array_parts::Part;
use crate::transform::emit_loops::{MapWithOperands, bound, owned};
use crate::transform::map_inputs::Inputs;

/// Array that is expanded: the temporary, and the extents that its type leaves open.
struct Array {
    temporary: Temporary,
    open: Vec<Value>,
}

/// Innermost extent of expanded arrays.
#[derive(Clone, Copy)]
enum Parts {
    Constant(i64),
    Computed(Value),
}

impl Expansion {
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        match self.row {
            Some(row) => self.expand(ctx, body, (BUDGET / row.max(1)).max(1), None),
            None => self.make_versions(ctx, body),
        }
    }

    /// Makes versions of the loop by the iterations of a batch.
    fn make_versions(&self, ctx: &Context, body: &mut Body) {
        let mut b = self.at_top(ctx, body);
        let trips = self.trips(&mut b);
        let row = self.emit_row(&mut b);
        let known = self.op.signed_trip_count(ctx, body);
        let mut version = self.clone();
        for (number, size) in BATCHES.into_iter().enumerate() {
            if number > 0 && known.is_some_and(|trips| trips <= size) {
                break;
            }
            let root = version.op.0;
            let mut b = version.at_top(ctx, body);
            let most = self.most_in_batch(ctx, b.body, size);
            let (most, budget) = (b.index_constant(most), b.index_constant(BUDGET));
            let size_of_batch = b.binary(arith::MINSI, trips, most);
            let limit = b.binary(arith::DIVSI, budget, size_of_batch);
            let is_small = CmpIOp::create(&mut b, CmpIPredicate::Sle, row, limit);
            b.set(InsertPoint::Before(root));
            let copy = b.body.clone_op(root, &mut IrMapping::new());
            let pairs = b.body.walk_op(root).into_iter().zip(b.body.walk_op(copy));
            let copies: FxHashMap<OpId, OpId> = pairs.collect();
            put_under_test(&mut b, is_small, root, copy);
            let next = version.mapped(body, &copies);
            version.expand(ctx, body, size, Some(trips));
            version = next;
        }
    }

    /// The expansion of a copy of the loop.
    fn mapped(&self, body: &Body, copies: &FxHashMap<OpId, OpId>) -> Expansion {
        let temporaries = |all: &[Temporary]| -> Vec<Temporary> {
            all.iter().map(|t| t.mapped(body, copies)).collect()
        };
        let live_outs = self.live_outs.iter();
        Expansion {
            op: ForOp(copies.get(&self.op.0).copied().unwrap_or(self.op.0)),
            moved: temporaries(&self.moved),
            expanded: temporaries(&self.expanded),
            live_outs: live_outs
                .map(|(array, is_expanded)| (array.mapped(copies), *is_expanded))
                .collect(),
            row: self.row,
        }
    }

    /// A builder at the top level in front of the loop.
    fn at_top<'a>(&self, ctx: &'a Context, body: &'a mut Body) -> Builder<'a> {
        let loc = body[self.op.0].loc;
        let top = body.ancestors(self.op.0).last().unwrap_or(self.op.0);
        let mut b = Builder::before(ctx, body, top);
        b.loc = loc;
        b
    }

    /// Expands the arrays for batches of at most so many iterations; `trips` is the trip count of the loop where it has been
    /// emitted.
    fn expand(&self, ctx: &Context, body: &mut Body, most: i64, trips: Option<Value>) {
        let most = self.most_in_batch(ctx, body, most);
        let arrays = self.arrays(ctx, body);
        let parts = self.parts(ctx, body, most, trips);
        let slot = self.make_batches(ctx, body, most);
        for array in &arrays {
            let Some(expanded) = self.allocate(ctx, body, array, parts) else {
                continue;
            };
            let part = Part {
                array: expanded,
                operands: &[slot],
                subscripts: &[ctx.affine_dim(0)],
                is_outermost: false,
            };
            redirect(ctx, body, &array.temporary, &part);
        }
    }

    /// The iterations of a batch, of which the loop over batches may step by no more than [`MAX_STEP`] where its trips are not known.
    fn most_in_batch(&self, ctx: &Context, body: &Body, most: i64) -> i64 {
        match self.op.signed_trip_count(ctx, body) {
            Some(_) => most,
            None => most.min(MAX_STEP / self.op.step(ctx, body)).max(1),
        }
    }

    /// Gives each iteration its arrays, and returns those that are to be expanded, with extents that are computed at the top level.
    fn arrays(&self, ctx: &Context, body: &mut Body) -> Vec<Array> {
        let mut names = IrMapping::new();
        let mut arrays: Vec<Array> = Vec::new();
        for (array, is_expanded) in &self.live_outs {
            let memref = array.accesses.array;
            let open = open_extents(&mut self.at_top(ctx, body), memref, &mut names);
            let private = array.privatize(ctx, body, &open);
            let private = private.filter(|_| *is_expanded);
            let private =
                private.and_then(|op| temporary_of(ctx, body, &body.uses(), (op, Sizes::Any)));
            arrays.extend(private.map(|temporary| Array { temporary, open }));
        }
        for temporary in &self.moved {
            let ty = body.ty(temporary.accesses.array);
            let mut b = Builder::before(ctx, body, self.op.0);
            b.set(InsertPoint::Start(self.op.block(b.body)));
            let own = memref::AllocaOp::create(&mut b, ty, &[]);
            let part = Part {
                array: own,
                operands: &[],
                subscripts: &[],
                is_outermost: false,
            };
            redirect(ctx, body, temporary, &part);
        }
        for temporary in &self.expanded {
            let memref = temporary.accesses.array;
            let open = open_extents(&mut self.at_top(ctx, body), memref, &mut names);
            let temporary = temporary.clone();
            arrays.push(Array { temporary, open });
        }
        arrays
    }

    /// Emits the number of parts of an expanded array: no more than the loop has iterations, where its bounds are known in front of it.
    fn parts(&self, ctx: &Context, body: &mut Body, most: i64, trips: Option<Value>) -> Parts {
        if let Some(trips) = self.op.signed_trip_count(ctx, body) {
            return Parts::Constant(trips.clamp(1, most));
        }
        let (lower, upper) = (self.op.lower(ctx, body), self.op.upper(ctx, body));
        let mut operands = lower.operands.iter().chain(upper.operands);
        if !operands.all(|&value| is_top_level(body, value)) {
            return Parts::Constant(most);
        }
        let mut b = self.at_top(ctx, body);
        let trips = trips.unwrap_or_else(|| self.trips(&mut b));
        let limit = b.index_constant(most);
        Parts::Computed(b.binary(arith::MINSI, trips, limit))
    }

    /// Emits the trip count of the loop, or 1 where it is less.
    fn trips(&self, b: &mut Builder) -> Value {
        let ends = [self.op.lower(b.ctx, b.body), self.op.upper(b.ctx, b.body)];
        let [low, high] = ends
            .map(owned)
            .map(|(map, operands)| ApplyOp::create(b, map, &operands));
        let distance = b.binary(arith::SUBI, high, low);
        let step = b.index_constant(self.op.step(b.ctx, b.body));
        let trips = b.binary(arith::CEILDIVSI, distance, step);
        let one = b.index_constant(1);
        b.binary(arith::MAXSI, trips, one)
    }

    /// Makes a loop over batches around the loop, unless it has but one. Returns the number of an iteration in its batch.
    ///
    /// `for i = lo to hi ⇒ for g = lo to hi step batch { for i = g to min(hi, g + batch) }`
    fn make_batches(&self, ctx: &Context, body: &mut Body, most: i64) -> Value {
        let (op, step) = (self.op, self.op.step(ctx, body));
        let is_one = op
            .signed_trip_count(ctx, body)
            .is_some_and(|trips| trips <= most);
        let mut inputs = Inputs::new(ctx);
        let begin = match is_one {
            true => inputs.import(op.lower(ctx, body), &IrMapping::new())[0],
            false => {
                // The planner has checked that the end of a batch fits.
                let batch = most.saturating_mul(step);
                let base = self.put_into_batches(ctx, body, batch);
                inputs.dim(base)
            }
        };
        let counter = inputs.dim(op.induction_var(body));
        let distance = ctx.affine_sub(counter, begin);
        let (map, operands) = inputs.finish(&[inputs.by(AffineOp::FloorDiv, distance, step)]);
        let mut b = Builder::before(ctx, body, op.0);
        b.loc = b.body[op.0].loc;
        b.set(InsertPoint::Start(op.block(b.body)));
        ApplyOp::create(&mut b, map, &operands)
    }

    fn put_into_batches(&self, ctx: &Context, body: &mut Body, batch: i64) -> Value {
        let op = self.op;
        let (lower, upper) = (owned(op.lower(ctx, body)), owned(op.upper(ctx, body)));
        let mut b = Builder::before(ctx, body, op.0);
        b.loc = b.body[op.0].loc;
        let outer = ForOp::create(&mut b, bound(&lower), bound(&upper), batch, &[]);
        let base = outer.induction_var(b.body);
        let mut inputs = Inputs::new(ctx);
        let first = inputs.dim(base);
        let high = inputs.import(op.upper(ctx, b.body), &IrMapping::new())[0];
        let upper = inputs.finish(&[high, inputs.plus(first, batch)]);
        let lower: MapWithOperands = (ctx.identity_map(1), vec![base]);
        let block = outer.block(b.body);
        b.body.detach(op.0);
        b.set(InsertPoint::End(block));
        b.insert(op.0);
        op.set_lower(ctx, b.body, bound(&lower));
        op.set_upper(ctx, b.body, bound(&upper));
        affine::yield_values(&mut b, block, &[]);
        base
    }

    /// Allocates an expanded array in front of the loops around, and frees it behind.
    fn allocate(
        &self,
        ctx: &Context,
        body: &mut Body,
        array: &Array,
        parts: Parts,
    ) -> Option<Value> {
        let ty = (body.ty(array.temporary.accesses.array)).memref(ctx)?;
        let (mut shape, element) = (ty.shape.to_vec(), ty.element);
        let mut sizes = array.open.clone();
        shape.push(match parts {
            Parts::Constant(size) => size,
            Parts::Computed(size) => {
                sizes.push(size);
                DYNAMIC
            }
        });
        let anchor = outermost_loop(body, self.op.0);
        let mut b = Builder::before(ctx, body, anchor);
        let expanded = memref::AllocOp::create(&mut b, ctx.memref_type(&shape, element), &sizes);
        let free = b.state(memref::DEALLOC).operands(&[expanded]);
        let free = b.body.create_op(free);
        b.body.insert_after(anchor, free);
        Some(expanded)
    }

    /// Emits the bytes of an iteration's part of all expanded arrays; more than [`BUDGET`] for one with a negative extent, which
    /// only a loop without iterations may have.
    fn emit_row(&self, b: &mut Builder) -> Value {
        let ctx = b.ctx;
        let live_outs = self.live_outs.iter().filter(|array| array.1);
        let temporaries = self.expanded.iter().map(|t| t.accesses.array);
        let mut names = IrMapping::new();
        let (one, limit) = (b.index_constant(1), b.index_constant(BUDGET + 1));
        let mut row = b.index_constant(0);
        for array in temporaries.chain(live_outs.map(|array| array.0.accesses.array)) {
            let Some(ty) = b.body.ty(array).memref(ctx) else {
                continue;
            };
            let known = ty.shape.iter().filter(|&&extent| extent != DYNAMIC);
            let bytes = known.fold(element_bytes(ctx, ty.element), |all, &extent| {
                all.saturating_mul(extent)
            });
            let mut bytes = b.index_constant(bytes.min(BUDGET + 1));
            for extent in open_extents(b, array, &mut names) {
                // Without a sign a negative extent is too large; of two factors up to the limit, the product fits.
                let bounded = b.binary(arith::MINUI, extent, limit);
                let bounded = b.binary(arith::MAXUI, bounded, one);
                let product = b.binary(arith::MULI, bytes, bounded);
                bytes = b.binary(arith::MINUI, product, limit);
            }
            row = b.binary(arith::ADDI, row, bytes);
        }
        row
    }
}

/// Has the accesses to a temporary go to a part of another array, and erases it where no others are left.
fn redirect(ctx: &Context, body: &mut Body, temporary: &Temporary, part: &Part) {
    let mut replaced: FxHashMap<Value, Value> = FxHashMap::default();
    for access in temporary.accesses.iter() {
        replaced.extend(part.access(ctx, body, access));
        body.erase(access);
    }
    body.replace_values(|value| replaced.get(&value).copied().unwrap_or(value));
    let uses = body.uses();
    let is_free = |op: OpId| body[op].name == memref::DEALLOC;
    let left: Vec<OpId> = { uses.of(temporary.accesses.array).iter() }
        .map(|user| user.op)
        .collect();
    if left.iter().all(|&op| is_free(op)) {
        left.into_iter().for_each(|op| body.erase(op));
        body.erase(temporary.op);
    }
}

/// The outermost of the loops directly around a loop, or itself: the arrays of conditions that do not hold are not allocated.
fn outermost_loop(body: &Body, op: OpId) -> OpId {
    let is_loop = |&op: &OpId| is_counted_loop(body, op);
    let around = body.ancestors(op).take_while(is_loop);
    around.last().unwrap_or(op)
}
