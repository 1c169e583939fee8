//! Warp regions: `gpu.warp_execute_on_lane_0` becomes a condition and exchanges between lanes.
//!
//! ```text
//! %r = gpu.warp_execute_on_lane_0(%lane)[32]        %all:32 = scf.if %is_first {
//!     -> (vector<1xf32>) {                            %v = …
//!   %v = … : vector<32xf32>                           … the elements of %v
//!   gpu.yield %v : vector<32xf32>            ⇒      } else { zeros }
//! }                                                 %first:32 = gpu.shuffle idx %all, 0
//!                                                   %r = … the one of %first at %lane …
//! ```
//!
//! The region's arguments are put together in the same manner, from the elements of each lane.
//! Values that are not distributed are those of lane 0. Legal for warps of up to
//! [`SUBGROUP_LANES`] lanes, a power of two, and values of integers and floats; others stay, and
//! running them is an error.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::gpu::{self, SUBGROUP_LANES};
use gridloom_dialects::vector::VectorShape;
use gridloom_dialects::{inherent, scf};
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, Type, Value};

use crate::analysis::reduction::neutral_element;
use crate::transform::vector_elements::{from_elements, to_elements};

/// Limit of the elements that one region exchanges.
const MAX_EXCHANGES: i64 = 1024;

/// Expands the warp regions of a body. Returns whether there were any.
pub(super) fn expand(ctx: &Context, body: &mut Body) -> bool {
    if !body.may_hold(gpu::WARP_EXECUTE_ON_LANE_0) {
        return false;
    }
    let mut changed = false;
    for op in body.walk() {
        if body[op].name == gpu::WARP_EXECUTE_ON_LANE_0
            && let Some(region) = WarpRegion::of(ctx, body, op)
        {
            region.expand(ctx, body);
            changed = true;
        }
    }
    changed
}

/// Value that the lanes of a warp hold together.
#[derive(Clone)]
struct Distributed {
    /// The type in the region.
    whole: Type,
    /// The type of what each lane has.
    part: Type,
    /// Positions in the whole of the elements of each lane; one lane where it is not distributed.
    positions: Vec<Vec<usize>>,
}

impl Distributed {
    /// `None` for types that lanes do not exchange.
    fn of(ctx: &Context, whole: Type, part: Type) -> Option<Distributed> {
        let element = element(ctx, whole);
        let is_number = element.is_index(ctx)
            || element.signless_width(ctx).is_some()
            || element.float_kind(ctx).is_some();
        let is_fixed = |ty| VectorShape::of(ctx, ty).is_none_or(|shape| !shape.is_scalable());
        if !is_number || !is_fixed(whole) || !is_fixed(part) {
            return None;
        }
        let shape = |ty| VectorShape::of(ctx, ty).map_or(&[][..], |shape| shape.shape);
        let (all, own) = (shape(whole), shape(part));
        let count = |shape: &[i64]| shape.iter().fold(1i64, |n, &d| n.saturating_mul(d));
        if count(all) > MAX_EXCHANGES || own.contains(&0) {
            return None;
        }
        let lanes: Vec<i64> = all.iter().zip(own).map(|(&all, &own)| all / own).collect();
        let positions = (0..count(&lanes)).map(|lane| {
            let lane = digits(lane, &lanes);
            let of_element = |element: i64| {
                let at = digits(element, own).into_iter().zip(own).zip(&lane);
                let at = at.map(|((at, own), lane)| lane * own + at);
                all.iter().zip(at).fold(0, |sum, (all, at)| sum * all + at) as usize
            };
            (0..count(own)).map(of_element).collect()
        });
        Some(Distributed {
            whole,
            part,
            positions: positions.collect(),
        })
    }

    fn num_elements(&self) -> usize {
        self.positions.iter().map(Vec::len).sum()
    }
}

/// A number in digits of mixed radix, the last of which is the fastest.
fn digits(mut number: i64, radices: &[i64]) -> Vec<i64> {
    let mut found = vec![0; radices.len()];
    for (digit, &radix) in found.iter_mut().zip(radices).rev() {
        *digit = number % radix;
        number /= radix;
    }
    found
}

fn element(ctx: &Context, ty: Type) -> Type {
    VectorShape::of(ctx, ty).map_or(ty, |shape| shape.element)
}

/// Warp region that can be expanded.
struct WarpRegion {
    op: OpId,
    args: Vec<Distributed>,
    results: Vec<Distributed>,
}

impl WarpRegion {
    fn of(ctx: &Context, body: &Body, op: OpId) -> Option<WarpRegion> {
        let size = body[op].attr(ctx, "warp_size")?.as_i64(ctx)?;
        let block = body.region_block(op, 0)?;
        let last = body[block].last()?;
        let distributed = |wholes: &[Value], parts: Vec<Value>| -> Option<Vec<Distributed>> {
            let pairs = wholes.iter().zip(parts);
            let of_pair = |(&whole, part)| Distributed::of(ctx, body.ty(whole), body.ty(part));
            pairs.map(of_pair).collect()
        };
        let args = distributed(&body[block].args, body[op].operands.get(1..)?.to_vec())?;
        let results = distributed(&body[last].operands, body[op].results().collect())?;
        let exchanged: usize = args
            .iter()
            .chain(&results)
            .map(Distributed::num_elements)
            .sum();
        let is_subgroup = size.count_ones() == 1 && (1..=SUBGROUP_LANES).contains(&size);
        (is_subgroup && exchanged as i64 <= MAX_EXCHANGES).then_some(WarpRegion {
            op,
            args,
            results,
        })
    }

    fn expand(self, ctx: &Context, body: &mut Body) {
        let (op, lane) = (self.op, body[self.op].operands[0]);
        let parts = body[op].operands[1..].to_vec();
        let mut b = Builder::before(ctx, body, op);
        let of_subgroup = b.create(b.state(gpu::LANE_ID).results(&[ctx.index_type()]));
        let of_subgroup = b.body[of_subgroup].result(0);
        let start = b.binary(arith::SUBI, of_subgroup, lane);
        let wholes: Vec<Value> = (self.args.iter().zip(parts))
            .map(|(arg, part)| gather(&mut b, start, arg, part))
            .collect();
        let first = self.on_first_lane(&mut b, lane, &wholes);
        let mut next = first.into_iter();
        let results: Vec<Value> = (self.results.iter())
            .map(|result| {
                let elements: Vec<Value> = next.by_ref().take(result.num_elements()).collect();
                hand_out(&mut b, (start, lane), result, &elements)
            })
            .collect();
        body.replace_op(op, &results);
    }

    /// Runs the region on lane 0. Returns the elements of what it yields, which are zeros on others.
    fn on_first_lane(&self, b: &mut Builder, lane: Value, args: &[Value]) -> Vec<Value> {
        let ctx = b.ctx;
        let block = b.body.region_block(self.op, 0);
        let block = block.expect("a planned region has a block");
        let inside = b.body[block].args.clone();
        for (&arg, &whole) in inside.iter().zip(args) {
            b.body.replace_uses(arg, whole);
        }
        let types: Vec<Type> = (self.results.iter())
            .flat_map(|result| vec![element(ctx, result.whole); result.num_elements()])
            .collect();
        let zero = b.index_constant(0);
        let is_first = CmpIOp::create(b, CmpIPredicate::Eq, lane, zero);
        let choice = scf::IfOp::create(b, is_first, &types, true);
        let behind = b.point();
        let arms = [0, 1].map(|region| b.body.region_block(choice.0, region));
        let [Some(then), Some(otherwise)] = arms else {
            unreachable!("the condition was made with two blocks");
        };
        let mut ops: Vec<OpId> = b.body.ops(block).collect();
        let end = ops.pop().expect("a planned region ends in a yield");
        for op in ops {
            b.body.detach(op);
            b.body.append(then, op);
        }
        b.set(InsertPoint::End(then));
        let yielded = b.body[end].operands.to_vec();
        let yielded: Vec<Value> = yielded
            .iter()
            .flat_map(|&value| to_elements(b, value))
            .collect();
        scf::yield_values(b, then, &yielded);
        b.set(InsertPoint::End(otherwise));
        let zeros: Vec<Value> = types.iter().map(|&ty| zero_of(b, ty)).collect();
        scf::yield_values(b, otherwise, &zeros);
        b.set(behind);
        b.body[choice.0].results().collect()
    }
}

/// Puts an argument together from the parts of all lanes of the warp that begins at lane `start` of
/// its subgroup.
fn gather(b: &mut Builder, start: Value, arg: &Distributed, part: Value) -> Value {
    let own = to_elements(b, part);
    let mut all = vec![own[0]; arg.num_elements()];
    for (lane, positions) in arg.positions.iter().enumerate() {
        for (&position, &element) in positions.iter().zip(&own) {
            all[position] = of_lane(b, element, start, lane as i64);
        }
    }
    from_elements(b, &all, arg.whole)
}

/// Gives each lane its part of a result of which the first one, at `start`, has `elements`.
fn hand_out(
    b: &mut Builder,
    (start, lane): (Value, Value),
    result: &Distributed,
    elements: &[Value],
) -> Value {
    let all: Vec<Value> = (elements.iter())
        .map(|&element| of_lane(b, element, start, 0))
        .collect();
    let mut lanes = result.positions.iter();
    let part_of = |positions: &Vec<usize>| positions.iter().map(|&at| all[at]).collect();
    let mut own: Vec<Value> = lanes.next().map(part_of).unwrap_or_default();
    for (number, positions) in lanes.enumerate() {
        let number = b.index_constant(number as i64 + 1);
        let is_it = CmpIOp::create(b, CmpIPredicate::Eq, lane, number);
        for (own, &at) in own.iter_mut().zip(positions) {
            let ty = b.body.ty(*own);
            *own = b.unary(arith::SELECT, &[is_it, all[at], *own], ty);
        }
    }
    from_elements(b, &own, result.part)
}

/// The value of lane `lane` of the warp that begins at lane `start` of its subgroup.
fn of_lane(b: &mut Builder, value: Value, start: Value, lane: i64) -> Value {
    let ctx = b.ctx;
    let ty = b.body.ty(value);
    let (word, long) = (ctx.int_type(32), ctx.int_type(64));
    let is_index = ty.is_index(ctx);
    let (passed, wide) = match is_index {
        true => (b.unary(arith::INDEX_CAST, &[value], long), long),
        false => (value, ty),
    };
    let lane = b.index_constant(lane);
    let lane = b.binary(arith::ADDI, start, lane);
    let width = b.index_constant(SUBGROUP_LANES);
    let [lane, width] = [lane, width].map(|v| b.unary(arith::INDEX_CAST, &[v], word));
    let mode = ctx.dialect_attr("gpu", "<shuffle_mode idx>");
    let state = b.state(gpu::SHUFFLE).operands(&[passed, lane, width]);
    let state = state.results(&[wide, ctx.int_type(1)]);
    let shuffle = b.create(state.property(ctx, inherent::GPU_SHUFFLE_MODE, mode));
    let found = b.body[shuffle].result(0);
    match is_index {
        true => b.unary(arith::INDEX_CAST, &[found], ty),
        false => found,
    }
}

/// Zero of an integer, float or index type.
fn zero_of(b: &mut Builder, ty: Type) -> Value {
    let sum = match ty.float_kind(b.ctx) {
        Some(_) => arith::ADDF,
        None => arith::ADDI,
    };
    match neutral_element(b.ctx, sum, ty) {
        Some(zero) => b.constant(zero, ty),
        None => unreachable!("a planned region yields numbers"),
    }
}
