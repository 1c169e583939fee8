//! `affine-data-copy-generate`: copies the part of a memref that a loop accesses to a buffer in
//! fast memory, redirects the loop to the buffer, and copies back what the loop writes.
//!
//! ```text
//!                                              %f = memref.alloc() : memref<16xf32, 1>
//!                                              for %x = 0 to 16 { %f[%x] = %a[%i * 16 + %x] }
//! for %j = 0 to 16 {                           for %j = 0 to 16 {
//!   … %a[%i * 16 + %j] …                 ⇒       … %f[%j] …
//! }                                            }
//!                                              for %x = 0 to 16 { %a[%i * 16 + %x] = %f[%x] }
//!                                              memref.dealloc %f
//! ```
//!
//! The buffer has the shape of the least known box around all accesses of the loop; those loops get
//! buffers that are outermost among the ones whose boxes have constant extents and fit the capacity.
//! With `generate-dma` transfers copy, the rows of a box in one with a stride where slow memory is
//! strided; what ends at the end of the memref, or is smaller than a transfer may be, is copied by
//! loops.
//!
//! Legal where no other access of the loop may mean the same memory, but for reads where the loop does
//! not write it, and nothing but loops and conditions stands around. What a box has beside the elements
//! that the loop writes is copied in before and back unchanged; of a memref that this function
//! allocates, all of that has to be written before. Other memrefs stay, with a remark.

pub(super) mod copies;
pub(super) mod initialised;
pub(super) mod region;

use std::collections::HashSet;

use gridloom_dialects::affine::{Access, ForOp};
use gridloom_dialects::vector::VectorShape;
use gridloom_dialects::{affine, gpu, memref, scf};
use gridloom_ir::scalar::scalar_kind;
use gridloom_ir::{
    BlockId, Body, Context, Diagnostic, Diagnostics, Module, OpId, OpName, Type, Value,
};

use self::copies::{Buffer, transfer_of};
use self::initialised::{is_filled, is_initialised};
use self::region::{OpenParts, Touch, region};
use super::plans::{Plans, change_with_remarks};
use crate::analysis::access::{Access as Effect, Place, accesses_below};
use crate::analysis::alias::{Alias, Base, Globals, root_of};
use crate::analysis::budget::{Budgets, root_of_nest};
use crate::analysis::dependence::Dependences;

/// Options of the pass, under MLIR's names.
#[derive(Clone, Copy, Debug)]
pub struct DataCopyOptions {
    /// `fast-mem-capacity`: bytes for the buffers of a loop.
    pub capacity: Option<u64>,
    /// `fast-mem-space`: the memory space of buffers.
    pub fast_space: i64,
    /// `slow-mem-space`: the memory space that is copied from and to.
    pub slow_space: i64,
    /// `tag-mem-space`: the memory space of the tags of transfers.
    pub tag_space: i64,
    /// `generate-dma`: transfers instead of loops.
    pub dma: bool,
    /// `min-dma-transfer`: the bytes from which on a transfer is one.
    pub min_transfer: u64,
    /// `skip-non-unit-stride-loops`: loops of other steps than 1 get no buffers.
    pub skip_strided: bool,
}

/// Buffers the loops of the host functions of a module. Returns whether there were any, and which
/// memrefs stay.
pub fn copy_data_module(
    ctx: &Context,
    module: &mut Module,
    options: DataCopyOptions,
) -> (bool, Diagnostics) {
    change_with_remarks(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals, options),
        |buffer: &Buffer, body| buffer.apply(ctx, body, [options.fast_space, options.tag_space]),
    )
}

fn plan_body(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: DataCopyOptions,
) -> (Plans<Buffer>, Diagnostics) {
    let mut search = Search {
        deps: Dependences::new(ctx, body, globals),
        budgets: Budgets::default(),
        options,
        plans: Vec::new(),
        remarks: Diagnostics::new(),
    };
    if let Some(op) = body
        .walk()
        .into_iter()
        .find(|&op| is_transfer(body[op].name))
    {
        let message =
            "no buffers are made in this function: its own DMA transfers may be in flight";
        search
            .remarks
            .push(Diagnostic::remark(body[op].loc, message));
    } else if let Some(entry) = body.entry() {
        search.block(entry);
    }
    let relied = search.deps.aliases.relied_on_arguments();
    ((search.plans, relied), search.remarks)
}

/// Whether an operation may start a transfer that runs beside what follows.
pub(super) fn is_transfer(name: OpName) -> bool {
    matches!(name, affine::DMA_START | memref::DMA_START | gpu::MEMCPY)
}

struct Search<'a> {
    deps: Dependences<'a>,
    budgets: Budgets,
    options: DataCopyOptions,
    plans: Vec<Buffer>,
    remarks: Diagnostics,
}

/// Refusal to buffer a memref around a loop.
enum Refusal {
    /// The memref cannot be buffered around this loop, but perhaps around one inside.
    Here(OpId, &'static str),
    /// The memref cannot be buffered around this loop, nor around any inside.
    Everywhere(OpId, &'static str),
}

impl<'a> Search<'a> {
    fn body(&self) -> &'a Body {
        self.deps.values.body
    }

    /// Buffers the loops of a block.
    fn block(&mut self, block: BlockId) {
        let body = self.body();
        for op in body.ops(block) {
            match body[op].name {
                affine::FOR => self.loop_at(ForOp(op)),
                affine::IF | scf::IF | scf::FOR | scf::WHILE => {
                    for region in body[op].inline_regions() {
                        body[*region]
                            .blocks
                            .iter()
                            .for_each(|&block| self.block(block));
                    }
                }
                // In others iterations may run side by side.
                _ => {}
            }
        }
    }

    fn loop_at(&mut self, l: ForOp) {
        let (ctx, body) = (self.deps.values.ctx, self.body());
        let block = l.block(body);
        let has_inner =
            (body.walk_op(l.0).into_iter()).any(|op| op != l.0 && body[op].name == affine::FOR);
        if self.options.skip_strided && l.step(ctx, body) != 1 {
            return self.block(block);
        }
        let accesses = accesses_below(&mut self.deps.values, l.0);
        let unknown = accesses
            .iter()
            .find(|access| access.place == Place::Anything);
        let mut found = Vec::new();
        let mut refused = Vec::new();
        match unknown {
            Some(access) => refused.push(Refusal::Here(
                access.op,
                "the side effects of an operation in the loop are unknown",
            )),
            None => {
                for memref in self.candidates(l) {
                    match self.judge(l, memref, &accesses) {
                        Ok(buffer) => found.push(buffer),
                        Err(refusal) => refused.push(refusal),
                    }
                }
            }
        }
        let bytes = found
            .iter()
            .try_fold(0u64, |sum, buffer| sum.checked_add(buffer.bytes?));
        let fits = match (self.options.capacity, bytes) {
            (None, _) => true,
            (Some(capacity), Some(bytes)) => bytes <= capacity,
            (Some(_), None) => false,
        };
        let is_better_inside = refused
            .iter()
            .any(|refusal| matches!(refusal, Refusal::Here(..)));
        if has_inner && (is_better_inside || !fits) {
            return self.block(block);
        }
        if fits {
            self.plans.extend(found);
        } else if let Some(buffer) = found.first() {
            refused.push(Refusal::Here(
                buffer.touches[0],
                "the buffers of the loop do not fit the fast memory",
            ));
        }
        for refusal in refused {
            let (Refusal::Here(op, why) | Refusal::Everywhere(op, why)) = refusal;
            let message = format!("this memref is not copied to fast memory: {why}");
            self.remarks.push(Diagnostic::remark(body[op].loc, message));
        }
    }

    /// The memrefs in slow memory that a loop accesses and that come from outside.
    fn candidates(&self, l: ForOp) -> Vec<Value> {
        let (ctx, body) = (self.deps.values.ctx, self.body());
        let mut found: Vec<Value> = Vec::new();
        let mut seen: HashSet<Value> = HashSet::new();
        for op in body.walk_op(l.0) {
            let Some(access) = Access::cast(body, op) else {
                continue;
            };
            let memref = access.memref(body);
            let is_outside = !self
                .deps
                .values
                .block_is_inside(body.value_block(memref), l.0);
            let space = body.ty(memref).memref(ctx).map(|ty| ty.space);
            let is_slow = match space {
                Some(None) => self.options.slow_space == 0,
                Some(Some(space)) => space.as_i64(ctx) == Some(self.options.slow_space),
                None => false,
            };
            if is_outside && is_slow && seen.insert(memref) {
                found.push(memref);
            }
        }
        found
    }

    /// The buffer of a memref around a loop.
    fn judge(&mut self, l: ForOp, memref: Value, accesses: &[Effect]) -> Result<Buffer, Refusal> {
        let (ctx, body) = (self.deps.values.ctx, self.body());
        let own: Vec<Access> = (body.walk_op(l.0).into_iter())
            .filter_map(|op| Access::cast(body, op))
            .filter(|access| access.memref(body) == memref)
            .collect();
        let ops: Vec<OpId> = own.iter().map(|access| access.op).collect();
        let is_written = own.iter().any(|access| access.is_store);
        if let Some(op) = self.other_name(l, memref, &ops, is_written, accesses) {
            let why = "another access of the loop may alias it";
            return Err(Refusal::Everywhere(op, why));
        }
        let work = self.budgets.of(root_of_nest(body, l.0));
        let values = &mut self.deps.values;
        let touches: Vec<Touch> = own
            .iter()
            .map(|&access| Touch::of(values, access))
            .collect();
        let here = |why| Refusal::Here(ops[0], why);
        let sides = region(values, l, memref, &touches, OpenParts::Refused, work).map_err(here)?;
        let is_read = own.iter().any(|access| !access.is_store);
        let copies_in = is_read || !is_filled(values, l, &touches, &sides);
        let bases = self.deps.aliases.bases(root_of(ctx, body, memref));
        let is_own = bases.iter().any(|base| matches!(base, Base::Allocation(_)));
        if copies_in && is_own && !is_initialised(values, l, memref, &touches, &sides) {
            let why = "the box around the elements that the loop accesses has some that may be \
                 uninitialized";
            return Err(here(why));
        }
        let extents: Vec<i64> = sides.iter().map(|side| side.extent).collect();
        let count = extents
            .iter()
            .try_fold(1i64, |all, &extent| all.checked_mul(extent));
        let count = count.ok_or_else(|| {
            here("the box around the elements that the loop accesses is too large")
        })?;
        let element = element_bytes(ctx, body, memref);
        let bytes = element.and_then(|bytes| bytes.checked_mul(count.unsigned_abs()));
        let transfer = match self.options.dma {
            true => transfer_of(ctx, body, memref, &sides, &self.options, element),
            false => None,
        };
        let buffer = Buffer::new(values, l, memref, &sides, transfer);
        let why = "the start of the box cannot be computed in front of the loop";
        let mut buffer = buffer.ok_or_else(|| here(why))?;
        buffer.touches = ops.clone();
        buffer.copies_in = copies_in;
        buffer.copies_out = is_written;
        buffer.bytes = bytes;
        Ok(buffer)
    }

    /// An access in a loop that may be of the memory of `memref` under another name, where that matters.
    fn other_name(
        &self,
        l: ForOp,
        memref: Value,
        own: &[OpId],
        is_written: bool,
        accesses: &[Effect],
    ) -> Option<OpId> {
        let values = &self.deps.values;
        let root = root_of(values.ctx, values.body, memref);
        // Values from outside are the same in all iterations.
        let shares = |block: Option<BlockId>| !values.block_is_inside(block, l.0);
        let others = accesses.iter().filter(|access| !own.contains(&access.op));
        let meets = |access: &&Effect| {
            let other = match &access.place {
                Place::Element { root, .. } | Place::Somewhere(root) => *root,
                Place::Anything => return true,
            };
            (is_written || access.is_write)
                && self.deps.aliases.relate(root, other, &shares) != Alias::No
        };
        { others }.find(meets).map(|access| access.op)
    }
}

/// Bytes of an element, if they are known.
fn element_bytes(ctx: &Context, body: &Body, memref: Value) -> Option<u64> {
    let element = body.ty(memref).element(ctx)?;
    let scalar = |ty: Type| u64::try_from(scalar_kind(ctx, ty)?.size()).ok();
    match VectorShape::of(ctx, element) {
        Some(vector) => {
            let lanes = vector.shape.iter().try_fold(1u64, |all, &extent| {
                all.checked_mul(u64::try_from(extent).ok()?)
            });
            scalar(vector.element)?.checked_mul(lanes?)
        }
        None => scalar(element),
    }
}
