//! `convert-bufferization-to-memref`: lowers `bufferization.clone` to an allocation and a copy, and
//! `bufferization.dealloc` to conditional frees.
//!
//! ```text
//!                                                      %n = memref.dim %x, %c0
//! %c = bufferization.clone %x                    ⇒     %c = memref.alloc(%n) : memref<?xf32>
//!     : memref<?xf32> to memref<?xf32>                 memref.copy %x, %c
//! ```
//!
//! Always legal: a clone may share its source's memory only where that is unobservable, so memory
//! of its own is always right; the owner of the clone frees it. A result with open strides is the
//! cast of a row-major allocation. A fixed offset, and fixed strides that are not those of rows,
//! have no such cast: such a clone stays.
//!
//! ```text
//!                                                      %p = pointer of %x,  %q = pointer of %y
//!                                                      %same = arith.cmpi eq, %p, %q
//! %o = bufferization.dealloc (%x) if (%c)        ⇒     %o = arith.andi %c, %same
//!     retain (%y)                                      %free = arith.andi %c, not %same
//!                                                      scf.if %free { memref.dealloc %x }
//! ```
//!
//! A memref is freed where its condition holds, unless it is one that is retained or was freed by an
//! earlier operand; a retained memref is owned afterwards where a memref that is the same was owned.
//! Memrefs are the same where their pointers are: every live buffer has one of its own.

use gridloom_dialects::arith::{CmpIOp, CmpIPredicate};
use gridloom_dialects::{arith, bufferization, memref, scf};
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, Value};

/// Rewrites the clones and deallocations of a function. Returns whether there were any.
pub fn convert_bufferization(ctx: &Context, body: &mut Body) -> bool {
    let mut changed = false;
    let is_meant = |name| matches!(name, bufferization::CLONE | bufferization::DEALLOC);
    for op in body.walk_named(is_meant) {
        match body[op].name {
            bufferization::CLONE => changed |= convert_clone(ctx, body, op).is_some(),
            bufferization::DEALLOC => {
                convert_dealloc(ctx, body, op);
                changed = true;
            }
            _ => {}
        }
    }
    changed
}

fn convert_dealloc(ctx: &Context, body: &mut Body, op: OpId) {
    let operands = body[op].operands.to_vec();
    let results: Vec<Value> = body[op].results().collect();
    // As many conditions as memrefs, and a result for each retained memref, as the verifier has it.
    let freed = operands.len().saturating_sub(results.len()) / 2;
    let (memrefs, conditions) = operands[..2 * freed].split_at(freed);
    let may_be_owned =
        |&(_, condition): &(Value, Value)| arith::constant_int(ctx, body, condition) != Some(0);
    let pairs = memrefs.iter().copied().zip(conditions.iter().copied());
    let pairs: Vec<(Value, Value)> = pairs.filter(may_be_owned).collect();
    let mut b = Builder::before(ctx, body, op);
    let owned: Vec<Owned> = (pairs.into_iter())
        .map(|(memref, condition)| Owned {
            memref,
            condition,
            pointer: pointer(&mut b, memref),
        })
        .collect();
    let retained: Vec<Value> = (operands[2 * freed..].iter())
        .map(|&memref| pointer(&mut b, memref))
        .collect();
    let mut still_owned = Vec::new();
    for &pointer in &retained {
        let mut any = b.constant(ctx.bool_attr(false), ctx.bool_type());
        for one in &owned {
            let same = CmpIOp::create(&mut b, CmpIPredicate::Eq, one.pointer, pointer);
            let same = b.binary(arith::ANDI, one.condition, same);
            any = b.binary(arith::ORI, any, same);
        }
        still_owned.push(any);
    }
    let goes: Vec<Value> = (0..owned.len())
        .map(|number| goes(&mut b, &owned[..=number], &retained))
        .collect();
    for (one, goes) in owned.iter().zip(goes) {
        let branch = scf::IfOp::create(&mut b, goes, &[], false);
        let (block, behind) = (branch.then_block(b.body), b.point());
        b.set(InsertPoint::End(block));
        b.create(b.state(memref::DEALLOC).operands(&[one.memref]));
        scf::yield_values(&mut b, block, &[]);
        b.set(behind);
    }
    for (result, owned) in results.into_iter().zip(still_owned) {
        body.replace_uses(result, owned);
    }
    body.erase(op);
}

/// Memref that is to be freed, whether it is owned, and its pointer.
struct Owned {
    memref: Value,
    condition: Value,
    pointer: Value,
}

/// Emits whether the last of these memrefs is freed: it is owned, and neither retained nor owned as
/// an earlier one.
fn goes(b: &mut Builder, owned: &[Owned], retained: &[Value]) -> Value {
    let Some((last, earlier)) = owned.split_last() else {
        unreachable!("asked of each memref with those before it");
    };
    let mut goes = last.condition;
    for &pointer in retained {
        let other = CmpIOp::create(b, CmpIPredicate::Ne, last.pointer, pointer);
        goes = b.binary(arith::ANDI, goes, other);
    }
    for one in earlier {
        let same = CmpIOp::create(b, CmpIPredicate::Eq, last.pointer, one.pointer);
        let twice = b.binary(arith::ANDI, same, one.condition);
        let yes = b.constant(b.ctx.bool_attr(true), b.ctx.bool_type());
        let once = b.binary(arith::XORI, twice, yes);
        goes = b.binary(arith::ANDI, goes, once);
    }
    goes
}

fn pointer(b: &mut Builder, memref: Value) -> Value {
    let pointer = memref::EXTRACT_ALIGNED_POINTER_AS_INDEX;
    b.unary(pointer, &[memref], b.ctx.index_type())
}

fn convert_clone(ctx: &Context, body: &mut Body, op: OpId) -> Option<()> {
    let (source, result) = (body[op].operands[0], body[op].result(0));
    let wanted = body.ty(result);
    let memref = wanted.memref(ctx)?;
    let (packed, shape) = (memref.row_major_origin(ctx)?, &memref.shape);
    let mut b = Builder::before(ctx, body, op);
    let sizes = memref::open_extents(&mut b, source, shape);
    let own = memref::AllocOp::create(&mut b, packed, &sizes);
    memref::CopyOp::create(&mut b, source, own);
    let clone = match packed == wanted {
        true => own,
        false => memref::CastOp::create(&mut b, own, wanted),
    };
    body.replace_uses(result, clone);
    body.erase(op);
    Some(())
}
