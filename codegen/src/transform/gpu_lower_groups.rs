//! `gpu-lower-groups`: lowers collective operations of a workgroup or subgroup to exchanges through
//! workgroup memory.
//!
//! ```text
//!                                               gpu.barrier
//!                                               memref.store %x, %shared[%number]
//! %s = gpu.all_reduce add %x {}       ⇒         gpu.barrier
//!                                               %first = memref.load %shared[%c0]
//!                                               %s = scf.for %k = %c1 to %threads iter_args(%sum = %first) {
//!                                                 %y = memref.load %shared[%k]
//!                                                 … %sum + %y …
//!                                               }
//! ```
//!
//! A subgroup is [`gpu::SUBGROUP_LANES`] threads of successive numbers on every device, and values
//! are combined in the order of the threads, so that a program has the same result on every device.
//! The first barrier keeps a thread from overwriting a value that others have yet to read.
//!
//! Legal where the workgroup's size is known and all of its threads reach the operation together,
//! for a subgroup's operation too, since barriers are of the whole workgroup. Operations leave branches
//! and loops that only some threads run, with a predicate that says whether the thread is active at the operation; threads
//! exchange their predicates beside their values then. Where that does not do, the kernel is not lowered, with a remark.

mod converge;
mod lanes;
mod loops;
mod place;

use std::collections::HashMap;

use gridloom_dialects::affine;
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::gpu::{self, Dimension, IdOp, SUBGROUP_LANES};
use gridloom_dialects::inherent;
use gridloom_dialects::memref::{AllocaOp, LoadOp};
use gridloom_dialects::vector::VectorShape;
use gridloom_ir::op::{Inherent, IntegerAttr};
use gridloom_ir::types::{MemRefType, TypeKind};
use gridloom_ir::{Body, Builder, Context, Diagnostic, Diagnostics, Module, OpId, Type, Value};

use self::converge::{Collectives, converge};
use self::lanes::split_vectors;
use self::place::{Combining, Place, ThreadSet};
use super::kernels::{change_kernels, threads_of};
use super::lower_affine::lower_affine;
use crate::analysis::uniform::Uniformity;

/// Lowers the group operations of all kernels of a module. Returns whether anything changed, and
/// remarks on those that stay.
pub fn lower_groups(ctx: &Context, module: &mut Module) -> (bool, Diagnostics) {
    let (mut changed, mut remarks) = (false, Diagnostics::new());
    change_kernels(
        module,
        |inside, kernel| inherent::known_block_size(ctx, &inside[kernel]),
        |body, sizes| match lower_kernel(ctx, body, sizes) {
            Ok(lowered) => changed |= lowered,
            Err(why) => remarks.push(*why),
        },
    );
    (changed, remarks)
}

fn lower_kernel(
    ctx: &Context,
    body: &mut Body,
    sizes: Option<[i64; 3]>,
) -> Result<bool, Box<Diagnostic>> {
    if !body.may_hold_any(gpu::is_collective) {
        return Ok(false);
    }
    let ops = body.walk();
    let ops: Vec<OpId> = (ops.into_iter())
        .filter(|&op| gpu::is_collective(body[op].name))
        .collect();
    let Some(&first) = ops.first() else {
        return Ok(false);
    };
    let threads = sizes.and_then(threads_of);
    let Some((sizes, threads)) = sizes.zip(threads) else {
        return Err(stays(
            body,
            first,
            "the size of its workgroups is not known",
        ));
    };
    // A kernel that stays needs its operations in their branches.
    let mut draft = body.clone();
    if diverge_in_affine(ctx, body, &ops) {
        lower_affine(ctx, &mut draft);
    }
    let ops = split_vectors(ctx, &mut draft, ops);
    let mut all = Collectives::new(ops);
    converge(ctx, &mut draft, &mut all);
    check(ctx, &draft, &all.ops)?;
    let mut group = Group {
        sizes,
        threads,
        shared: HashMap::new(),
        predicates: None,
    };
    for op in all.ops {
        group.lower(ctx, &mut draft, op, all.predicated.contains(&op));
    }
    *body = draft;
    Ok(true)
}

/// Whether threads may diverge in affine control flow around one of some operations.
fn diverge_in_affine(ctx: &Context, body: &Body, ops: &[OpId]) -> bool {
    let is_in_affine = |&op: &OpId| {
        let mut around = std::iter::successors(Some(op), |&op| body.parent_op(op));
        around.any(|op| {
            let name = body[op].name;
            matches!(name, affine::FOR | affine::IF | affine::PARALLEL)
        })
    };
    let ops: Vec<OpId> = ops.iter().copied().filter(is_in_affine).collect();
    let diverges =
        |uniform: Uniformity| ops.iter().any(|&op| uniform.divergent_around(op).is_some());
    !ops.is_empty() && diverges(Uniformity::of(ctx, body))
}

fn stays(body: &Body, op: OpId, why: &str) -> Box<Diagnostic> {
    let message = format!("this operation keeps its kernel on the host: {why}");
    Box::new(Diagnostic::remark(body[op].loc, message))
}

/// Checks that all collective operations can be lowered.
fn check(ctx: &Context, body: &Body, ops: &[OpId]) -> Result<(), Box<Diagnostic>> {
    let uniform = Uniformity::of(ctx, body);
    for &op in ops {
        if let Some(around) = uniform.divergent_around(op) {
            let why = "not all threads of a workgroup may reach this operation, for which they \
                       wait for each other";
            let here = body[around].loc;
            return Err(Box::new(
                stays(body, op, why).with_note(here, "threads may diverge here"),
            ));
        }
        if VectorShape::of(ctx, body.ty(body[op].result(0))).is_some() {
            return Err(stays(
                body,
                op,
                "vectors of this type are not exchanged through workgroup memory",
            ));
        }
        if body[op].name == gpu::SUBGROUP_REDUCE
            && let Some((size, stride)) = clusters(ctx, body, op)
            && (size < 1 || stride < 1 || size.saturating_mul(stride) > SUBGROUP_LANES)
        {
            let why = "its clusters are larger than the subgroup of 32 lanes";
            return Err(stays(body, op, why));
        }
        let is_several = |&region: &gridloom_ir::RegionId| body[region].blocks.len() > 1;
        if body[op].inline_regions().iter().any(is_several) {
            return Err(stays(body, op, "its region has several blocks"));
        }
    }
    Ok(())
}

/// Number of lanes in a cluster of a subgroup's reduction, and how far apart they lie.
fn clusters(ctx: &Context, body: &Body, op: OpId) -> Option<(i64, i64)> {
    let size = body[op].get(ctx, inherent::CLUSTER_SIZE)?;
    let stride = body[op].get(ctx, inherent::CLUSTER_STRIDE).unwrap_or(1);
    Some((size, stride))
}

/// Workgroup of a kernel, with its exchange buffers.
struct Group {
    sizes: [i64; 3],
    threads: i64,
    /// Workgroup memory for one value of each thread, by element type.
    shared: HashMap<Type, Value>,
    /// Workgroup memory for the predicate of each thread.
    predicates: Option<Value>,
}

impl Group {
    fn lower(&mut self, ctx: &Context, body: &mut Body, op: OpId, is_predicated: bool) {
        let results: Vec<Value> = body[op].results().collect();
        let name = body[op].name;
        let element = body.ty(body[op].operands[0]);
        let shared = match self.shared.get(&element) {
            Some(&shared) => shared,
            None => self.shared_memory(ctx, body, element),
        };
        self.shared.insert(element, shared);
        let predicate = match is_predicated {
            true => body[op].operands.pop(),
            false => None,
        };
        let predicate = predicate.map(|active| {
            let word = ctx.int_type(32);
            let shared = (self.predicates).unwrap_or_else(|| self.shared_memory(ctx, body, word));
            self.predicates = Some(shared);
            (active, shared)
        });
        let mut b = Builder::before(ctx, body, op);
        let number = self.number(&mut b);
        let place = Place {
            number,
            shared,
            predicate,
        };
        place.hand_in(&mut b, op);
        let new = match name {
            gpu::ALL_REDUCE => {
                let range = ThreadSet {
                    first: b.index_constant(0),
                    end: b.index_constant(self.threads),
                    step: b.index_constant(1),
                };
                vec![place.reduced(&mut b, op, &range, Combining::Operation)]
            }
            gpu::SUBGROUP_REDUCE => {
                let range = self.cluster(&mut b, op, number);
                vec![place.reduced(&mut b, op, &range, Combining::Operation)]
            }
            // The first lane is active where all are.
            gpu::SUBGROUP_BROADCAST
                if place.predicate.is_some() && b.body[op].operands.len() == 1 =>
            {
                let range = self.subgroup(&mut b, number);
                vec![place.reduced(&mut b, op, &range, Combining::First)]
            }
            _ => self.picked(&mut b, op, &place),
        };
        for (&result, new) in results.iter().zip(new) {
            body.replace_uses(result, new);
        }
        body.erase(op);
    }

    /// Emits the linear id of the thread in its workgroup.
    fn number(&self, b: &mut Builder) -> Value {
        let [x, y, z] = Dimension::ALL.map(|dim| IdOp::create(b, gpu::THREAD_ID, dim));
        let [width, height] = [self.sizes[0], self.sizes[1]].map(|size| b.index_constant(size));
        arith::linearize(b, z, &[(height, y), (width, x)])
    }

    /// Emits the number of the first thread of the thread's subgroup.
    fn first_lane(&self, b: &mut Builder, number: Value) -> Value {
        let lanes = b.index_constant(SUBGROUP_LANES);
        let lane = b.binary(arith::REMUI, number, lanes);
        b.binary(arith::SUBI, number, lane)
    }

    /// Emits the number after the last thread of the subgroup that begins at `first`.
    fn end_of_subgroup(&self, b: &mut Builder, first: Value) -> Value {
        let (lanes, threads) = (
            b.index_constant(SUBGROUP_LANES),
            b.index_constant(self.threads),
        );
        let end = b.binary(arith::ADDI, first, lanes);
        b.binary(arith::MINSI, end, threads)
    }

    /// Emits the threads of the thread's subgroup.
    fn subgroup(&self, b: &mut Builder, number: Value) -> ThreadSet {
        let first = self.first_lane(b, number);
        let end = self.end_of_subgroup(b, first);
        let step = b.index_constant(1);
        ThreadSet { first, end, step }
    }

    /// Emits the threads that one is reduced with: its subgroup, or its cluster.
    fn cluster(&self, b: &mut Builder, op: OpId, number: Value) -> ThreadSet {
        let Some((size, stride)) = clusters(b.ctx, b.body, op) else {
            return self.subgroup(b, number);
        };
        let first = self.first_lane(b, number);
        let end = self.end_of_subgroup(b, first);
        let [span, step] = [size * stride, stride].map(|number| b.index_constant(number));
        // Subgroups begin at multiples of the span, which is a power of two of up to 32 lanes.
        let past = b.binary(arith::REMUI, number, span);
        let base = b.binary(arith::SUBI, number, past);
        let place = b.binary(arith::REMUI, number, step);
        let behind = b.binary(arith::ADDI, base, span);
        ThreadSet {
            first: b.binary(arith::ADDI, base, place),
            end: b.binary(arith::MINSI, end, behind),
            step,
        }
    }

    /// Allocates workgroup memory of one element for each thread, at the head of the kernel.
    fn shared_memory(&self, ctx: &Context, body: &mut Body, element: Type) -> Value {
        let space = gpu::workgroup_space(ctx);
        let ty = ctx.intern_type(TypeKind::MemRef(MemRefType {
            shape: [self.threads].into(),
            element,
            layout: None,
            space: Some(space),
        }));
        let first = body.entry().and_then(|entry| body[entry].first());
        match first {
            Some(first) => AllocaOp::create(&mut Builder::before(ctx, body, first), ty, &[]),
            // The kernel contains the collective operation, so it has a first one.
            None => unreachable!("an empty kernel has no group operation"),
        }
    }

    /// Emits a shuffle: the value of another lane and whether that exists; the thread's own value
    /// where it does not.
    fn picked(&self, b: &mut Builder, op: OpId, place: &Place) -> Vec<Value> {
        let (index, word) = (b.ctx.index_type(), b.ctx.int_type(32));
        let first = self.first_lane(b, place.number);
        let end = self.end_of_subgroup(b, first);
        let lane = b.binary(arith::SUBI, place.number, first);
        let lanes = b.binary(arith::SUBI, end, first);
        // In the width of the offset, an overflowing sum is negative, and names no lane.
        let [lane, lanes] = [lane, lanes].map(|v| b.unary(arith::INDEX_CAST, &[v], word));
        let operand = |b: &Builder, number: usize| b.body[op].operands.get(number).copied();
        let (offset, width) = match b.body[op].name {
            gpu::ROTATE => (
                int_attr(b, op, inherent::OFFSET),
                int_attr(b, op, inherent::WIDTH),
            ),
            _ => {
                let offset = operand(b, 1).unwrap_or_else(|| int32(b, 0));
                let width = operand(b, 2).unwrap_or_else(|| int32(b, SUBGROUP_LANES));
                (offset, width)
            }
        };
        // Each `width` neighbouring lanes shuffle among themselves.
        let part = match arith::constant_int(b.ctx, b.body, width) {
            _ if b.body[op].name == gpu::ROTATE => int32(b, 0),
            Some(width) if width >= SUBGROUP_LANES => int32(b, 0),
            _ => {
                let one = int32(b, 1);
                let width = b.binary(arith::MAXSI, width, one);
                let place = b.binary(arith::REMUI, lane, width);
                b.binary(arith::SUBI, lane, place)
            }
        };
        let from = match b.body[op].get(b.ctx, inherent::GPU_SHUFFLE_MODE) {
            Some("xor") => b.binary(arith::XORI, lane, offset),
            Some("up") => b.binary(arith::SUBI, lane, offset),
            Some("down") => b.binary(arith::ADDI, lane, offset),
            _ if b.body[op].name == gpu::ROTATE => {
                let far = b.binary(arith::ADDI, lane, offset);
                let from = b.binary(arith::REMUI, far, width);
                let takes_part = CmpIOp::create(b, CmpIPredicate::Slt, lane, width);
                let none = int32(b, -1);
                b.unary(arith::SELECT, &[takes_part, from, none], word)
            }
            _ => b.binary(arith::ADDI, part, offset),
        };
        let end = b.binary(arith::ADDI, part, width);
        let end = b.binary(arith::MINSI, end, lanes);
        let not_before = CmpIOp::create(b, CmpIPredicate::Sge, from, part);
        let not_after = CmpIOp::create(b, CmpIPredicate::Slt, from, end);
        let valid = b.binary(arith::ANDI, not_before, not_after);
        let from = b.unary(arith::SELECT, &[valid, from, lane], word);
        let from = b.unary(arith::INDEX_CAST, &[from], index);
        // The index is a lane number; the mask lets bounds analysis see that.
        let mask = b.index_constant(SUBGROUP_LANES - 1);
        let from = b.binary(arith::ANDI, from, mask);
        let from = b.binary(arith::ADDI, first, from);
        let found = LoadOp::create(b, place.shared, &[from]);
        let Some(active) = place.is_active(b, from) else {
            return vec![found, valid];
        };
        let own = b.body[op].operands[0];
        let found = arith::select(b, active, found, own);
        vec![found, b.binary(arith::ANDI, valid, active)]
    }
}

fn int32(b: &mut Builder, value: i64) -> Value {
    let ty = b.ctx.int_type(32);
    let value = b.ctx.int_attr(ty, value);
    b.constant(value, ty)
}

fn int_attr(b: &mut Builder, op: OpId, attr: Inherent<IntegerAttr>) -> Value {
    let value = b.body[op].get(b.ctx, attr);
    int32(b, value.unwrap_or(0))
}
