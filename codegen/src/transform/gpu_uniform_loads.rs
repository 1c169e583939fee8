//! `gpu-uniform-loads`: threads of a workgroup load the elements of all of them, from addresses that they share.
//!
//! ```text
//!                                        %x0 = memref.load %a[%base]
//! %i = arith.addi %base, %thread_id_x    %i1 = arith.addi %base, %c1
//! %x = memref.load %a[%i]           ⇒    %x1 = memref.load %a[%i1] …
//!                                        %own = arith.cmpi eq, %lane_id, %c1
//!                                        %s1 = arith.select %own, %x1, %x0 …
//! ```
//!
//! lavapipe loads once for all lanes where a kernel shows that the address is the same, and its compiler makes one vector load of
//! those of neighbouring elements; another load gathers. It takes an address for the same where it is computed from
//! launch parameters alone, outside of branches and loops.
//!
//! Kernels with loops stay: most of their loads stand there, and how these are best made depends on other things.
//!
//! A load of a vector that lies in memory one element behind the other is as many loads.
//!
//! Legal in the block of the kernel itself for workgroups of one row of up to [`LANES`] threads, or several rows of that many: every thread runs the load, so
//! all the elements are in range. A thread uses its own element alone, which it loads where it did before; the others of its row, which run in
//! lockstep with it, store none in between.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::gpu::{self, Dimension, IdOp};
use gridloom_dialects::vector::{self, VectorShape};
use gridloom_dialects::{gridloom, inherent, memref, scf};
use gridloom_ir::hash::{FxHashMap, FxHashSet};
use gridloom_ir::op::Traits;
use gridloom_ir::{BlockId, Body, Builder, Context, InsertPoint, Loc, Module, OpId, Value};

use super::kernels::change_kernels;
use super::vector_elements::from_elements;

/// Limit of the threads of a workgroup: the lanes that run in lockstep.
pub const LANES: i64 = 8;

/// Limit of the rows of lanes in a workgroup.
const MAX_ROWS: i64 = 16;

/// Limit of the loads of a kernel that are rewritten, each of which becomes one for every thread.
const MAX_LOADS: usize = 256;

/// Rewrites the loads of all kernels of a module whose workgroups are rows of lanes. Returns whether there were any.
pub fn share_loads_of_kernels(ctx: &Context, module: &mut Module) -> bool {
    let mut changed = false;
    let block = |body: &Body, kernel: OpId| inherent::known_block_size(ctx, &body[kernel]);
    change_kernels(module, block, |body, block| {
        let Some(block) = block else { return };
        changed |= share_loads(ctx, body, block);
    });
    changed
}

/// Rewrites the loads of a kernel with workgroups of `block` threads. Returns whether there were any.
pub fn share_loads(ctx: &Context, body: &mut Body, block: [i64; 3]) -> bool {
    let [lanes, rows, 1] = block else {
        return false;
    };
    if !(2..=LANES).contains(&lanes) || rows > 1 && lanes != LANES || rows > MAX_ROWS {
        return false;
    }
    let Some(entry) = body.entry() else {
        return false;
    };
    let is_loop = |op: &OpId| matches!(body[*op].name, scf::FOR | scf::WHILE | scf::PARALLEL);
    if body.walk().iter().any(is_loop) {
        return false;
    }
    let mut sharing = Sharing {
        lanes,
        places: FxHashMap::default(),
        sums: FxHashMap::default(),
        products: FxHashMap::default(),
        loaded: FxHashMap::default(),
        tests: Vec::new(),
    };
    let (mut count, mut replaced) = (0, FxHashMap::default());
    for op in body.ops(entry).collect::<Vec<OpId>>() {
        match body[op].name {
            memref::LOAD | vector::LOAD
                if count < MAX_LOADS && gridloom::is_in_bounds(ctx, &body[op]) =>
            {
                if let Some(value) = sharing.load(ctx, body, op) {
                    replaced.insert(body[op].result(0), value);
                    count += 1;
                }
            }
            memref::LOAD | vector::LOAD => {}
            _ => {
                sharing.note(ctx, body, op);
                if !body[op].name.has(Traits::PURE) {
                    sharing.loaded.clear();
                }
            }
        }
    }
    if replaced.is_empty() {
        return false;
    }
    body.replace_values(|value| replaced.get(&value).copied().unwrap_or(value));
    for op in body.ops(entry).collect::<Vec<OpId>>() {
        let is_load = matches!(body[op].name, memref::LOAD | vector::LOAD);
        if is_load && replaced.contains_key(&body[op].result(0)) {
            body.erase(op);
        }
    }
    order_by_use(body, entry);
    true
}

/// Moves what the kernel's block computes and loads before its first other effect to where it is used: what is computed of an
/// element stands behind the load of it, so that registers are enough for what is between. Loads behind an effect, which may
/// write what they load, leave the order as it is.
fn order_by_use(body: &mut Body, entry: BlockId) {
    let ops: Vec<OpId> = body.ops(entry).collect();
    let is_free = |body: &Body, op: OpId| {
        body[op].inline_regions().is_empty()
            && (body[op].name == memref::LOAD || body[op].name.has(Traits::PURE))
    };
    let free = ops.iter().take_while(|&&op| is_free(body, op)).count();
    let (before, after) = ops.split_at(free);
    let loads = |&op: &OpId| body[op].name == memref::LOAD;
    if after.iter().any(loads) {
        return;
    }
    let Some(&anchor) = after.first() else { return };
    let mut left: FxHashSet<OpId> = before.iter().copied().collect();
    let mut order = Vec::with_capacity(before.len());
    for &user in after {
        for op in body.walk_op(user) {
            visit_operands(body, op, &mut left, &mut order);
        }
    }
    for op in order {
        body.detach(op);
        body.insert_before(anchor, op);
    }
    // Nothing uses the rest.
    for &op in before.iter().rev().filter(|op| left.contains(op)) {
        body.erase(op);
    }
}

/// Appends to `order` the operations of `left` that an operation needs, each behind those that it needs itself.
fn visit_operands(body: &Body, user: OpId, left: &mut FxHashSet<OpId>, order: &mut Vec<OpId>) {
    let mut pending = vec![(user, true)];
    while let Some((op, is_new)) = pending.pop() {
        if !is_new {
            order.push(op);
            continue;
        }
        if op != user {
            if !left.remove(&op) {
                continue;
            }
            pending.push((op, false));
        }
        let defined = body[op].operands.iter().rev();
        let defined = defined.filter_map(|&value| body.defining_op(value));
        pending.extend(defined.filter(|op| left.contains(op)).map(|op| (op, true)));
    }
}

/// Place of an element as a lane sees it: `base + constant + lane · stride`, where the base is the same for all lanes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    base: Option<Value>,
    constant: i64,
    stride: i64,
}

impl Place {
    /// The number of the lane.
    const LANE: Place = Place {
        base: None,
        constant: 0,
        stride: 1,
    };

    fn constant(constant: i64) -> Place {
        Place {
            base: None,
            constant,
            stride: 0,
        }
    }

    /// A value that is the same for all lanes.
    fn plain(value: Value) -> Place {
        Place {
            base: Some(value),
            constant: 0,
            stride: 0,
        }
    }
}

/// Rewriter of a kernel's loads: the places that its integers stand for, and the operations emitted so far.
struct Sharing {
    lanes: i64,
    /// Integers that are the same for all lanes, or differ by a stride.
    places: FxHashMap<Value, Place>,
    /// Sums by what they add.
    sums: FxHashMap<(Value, Result<Value, i64>), Value>,
    /// Products by what they multiply.
    products: FxHashMap<(Value, i64), Value>,
    /// Elements loaded since memory was last written, by memref and subscripts.
    loaded: FxHashMap<(Value, Vec<Place>), Value>,
    /// Whether a thread is that of each lane but the first.
    tests: Vec<Value>,
}

impl Sharing {
    /// Notes the place that the result of an operation stands for, if it is known.
    fn note(&mut self, ctx: &Context, body: &mut Body, op: OpId) {
        if body[op].num_results() != 1 || !body[op].inline_regions().is_empty() {
            return;
        }
        let result = body[op].result(0);
        if let Some(place) = self.place_of(ctx, body, op, result) {
            self.places.insert(result, place);
        }
    }

    fn place_of(
        &mut self,
        ctx: &Context,
        body: &mut Body,
        op: OpId,
        result: Value,
    ) -> Option<Place> {
        if let Some(constant) = arith::constant_int(ctx, body, result) {
            return Some(Place::constant(constant));
        }
        let name = body[op].name;
        if let Some(id) = IdOp::cast(body, op) {
            return match name {
                gpu::THREAD_ID if id.dimension(ctx, body) == Dimension::X => Some(Place::LANE),
                gpu::THREAD_ID | gpu::BLOCK_ID | gpu::BLOCK_DIM => Some(Place::plain(result)),
                _ => None,
            };
        }
        let operands = body[op].operands.to_vec();
        let places: Option<Vec<Place>> = (operands.iter())
            .map(|&value| self.place(body, value))
            .collect();
        let places = places.filter(|_| name.has(Traits::PURE))?;
        match (name, &places[..]) {
            (arith::ADDI, &[x, y]) if body.ty(result) == ctx.index_type() => {
                let is_whole = x == Place::plain(operands[0]) && y == Place::plain(operands[1]);
                Some(match is_whole {
                    true => Place::plain(result),
                    false => self.added(ctx, body, op, x, y),
                })
            }
            (arith::SUBI, &[x, y])
                if body.ty(result) == ctx.index_type() && (x.stride, y.stride) != (0, 0) =>
            {
                let minus = self.scaled(ctx, body, op, y, -1);
                Some(self.added(ctx, body, op, x, minus))
            }
            (arith::MULI, &[x, y])
                if body.ty(result) == ctx.index_type() && (x.stride, y.stride) != (0, 0) =>
            {
                let (x, by) = if y.stride == 0 { (x, y) } else { (y, x) };
                let is_constant = (by.base, by.stride) == (None, 0);
                is_constant.then(|| self.scaled(ctx, body, op, x, by.constant))
            }
            _ => (places.iter().all(|place| place.stride == 0)).then(|| Place::plain(result)),
        }
    }

    /// The sum of two places, of which what is the same for all lanes is computed in front of `op`.
    fn added(&mut self, ctx: &Context, body: &mut Body, op: OpId, x: Place, y: Place) -> Place {
        let base = match (x.base, y.base) {
            (Some(x), Some(y)) => Some(self.sum(ctx, body, op, x, Ok(y))),
            (one, other) => one.or(other),
        };
        Place {
            base,
            constant: x.constant.wrapping_add(y.constant),
            stride: x.stride.wrapping_add(y.stride),
        }
    }

    /// A multiple of a place, of which what is the same for all lanes is computed in front of `op`.
    fn scaled(&mut self, ctx: &Context, body: &mut Body, op: OpId, x: Place, by: i64) -> Place {
        Place {
            base: (x.base).map(|base| self.product(ctx, body, op, base, by)),
            constant: x.constant.wrapping_mul(by),
            stride: x.stride.wrapping_mul(by),
        }
    }

    /// The place that a value stands for; `None` where it is unknown. Arguments of the kernel are the same for all lanes.
    fn place(&self, body: &Body, value: Value) -> Option<Place> {
        match body.defining_op(value) {
            None => Some(Place::plain(value)),
            Some(_) => self.places.get(&value).copied(),
        }
    }

    /// The sum of a value and another one, or a constant, in front of `op`.
    fn sum(
        &mut self,
        ctx: &Context,
        body: &mut Body,
        op: OpId,
        x: Value,
        y: Result<Value, i64>,
    ) -> Value {
        *self.sums.entry((x, y)).or_insert_with(|| {
            let mut b = Builder::before(ctx, body, op);
            let y = y.unwrap_or_else(|constant| b.index_constant(constant));
            b.binary(arith::ADDI, x, y)
        })
    }

    /// The product of a value and a constant, in front of `op`.
    fn product(&mut self, ctx: &Context, body: &mut Body, op: OpId, x: Value, by: i64) -> Value {
        *self.products.entry((x, by)).or_insert_with(|| {
            let mut b = Builder::before(ctx, body, op);
            let by = b.index_constant(by);
            b.binary(arith::MULI, x, by)
        })
    }

    /// Writes the loads of all lanes in front of a load, and returns what the thread itself loads; `None` where the place of an
    /// element is unknown, or the same for all lanes.
    fn load(&mut self, ctx: &Context, body: &mut Body, op: OpId) -> Option<Value> {
        let (&memref, subscripts) = body[op].operands.split_first()?;
        // Memory of the workgroup and of threads is not loaded by address.
        let ty = body.ty(memref).memref(ctx)?;
        if body.defining_op(memref).is_some() || ty.space.is_some() {
            return None;
        }
        let places: Vec<Place> = (subscripts.iter())
            .map(|&subscript| self.place(body, subscript))
            .collect::<Option<_>>()?;
        if places.iter().all(|place| place.stride == 0) {
            return None;
        }
        if body[op].name == memref::LOAD {
            return self.own_element(ctx, body, op, memref, &places);
        }
        let result = body.ty(body[op].result(0));
        let &[length] = VectorShape::of(ctx, result)?.shape else {
            return None;
        };
        if VectorShape::of(ctx, result)?.element != ty.element {
            return None;
        }
        let own: Vec<Value> = (0..length)
            .map(|at| {
                let mut there = places.clone();
                let last = there.last_mut()?;
                last.constant = last.constant.wrapping_add(at);
                self.own_element(ctx, body, op, memref, &there)
            })
            .collect::<Option<_>>()?;
        let mut b = Builder::before(ctx, body, op);
        Some(from_elements(&mut b, &own, result))
    }

    /// The element at the thread's own place, of those at the places of all lanes.
    fn own_element(
        &mut self,
        ctx: &Context,
        body: &mut Body,
        op: OpId,
        memref: Value,
        places: &[Place],
    ) -> Option<Value> {
        let mut own = None;
        for lane in 0..self.lanes {
            let there: Vec<Place> = (places.iter())
                .map(|place| Place {
                    constant: place.constant.wrapping_add(place.stride.wrapping_mul(lane)),
                    stride: 0,
                    ..*place
                })
                .collect();
            let element = self.element(ctx, body, op, memref, there);
            own = Some(match own {
                None => element,
                Some(others) => {
                    let test = self.test(ctx, body, lane);
                    let mut b = Builder::before(ctx, body, op);
                    arith::select(&mut b, test, element, others)
                }
            });
        }
        own
    }

    /// An element at a place that is the same for all lanes.
    fn element(
        &mut self,
        ctx: &Context,
        body: &mut Body,
        op: OpId,
        memref: Value,
        places: Vec<Place>,
    ) -> Value {
        if let Some(&element) = self.loaded.get(&(memref, places.clone())) {
            return element;
        }
        let mut operands = vec![memref];
        for place in &places {
            operands.push(match place.base {
                Some(base) if place.constant == 0 => base,
                Some(base) => self.sum(ctx, body, op, base, Err(place.constant)),
                None => Builder::before(ctx, body, op).index_constant(place.constant),
            });
        }
        let element = body.ty(memref).memref(ctx).map(|ty| ty.element);
        let mut b = Builder::before(ctx, body, op);
        let state = b.state(memref::LOAD).operands(&operands);
        let load = b.create(state.results(element.as_slice()));
        gridloom::set_in_bounds(ctx, &mut body[load], true);
        let element = body[load].result(0);
        self.loaded.insert((memref, places), element);
        element
    }

    /// Whether the thread is that of a lane, which the entry of the kernel tells.
    fn test(&mut self, ctx: &Context, body: &mut Body, lane: i64) -> Value {
        let place = lane as usize - 1;
        if self.tests.is_empty() {
            let Some(entry) = body.entry() else {
                unreachable!("a kernel has a block")
            };
            let mut b = Builder::at_end(ctx, body, entry, Loc::UNKNOWN);
            b.set(InsertPoint::Start(entry));
            let own = IdOp::create(&mut b, gpu::THREAD_ID, Dimension::X);
            for lane in 1..self.lanes {
                let number = b.index_constant(lane);
                self.tests
                    .push(CmpIOp::create(&mut b, CmpIPredicate::Eq, own, number));
            }
        }
        self.tests[place]
    }
}
