//! `convert-index-to-arith`: rewrites `index` operations as `arith` operations on `index`.
//!
//! ```text
//! %s = index.add %a, %b                     %s = arith.addi %a, %b : index
//! %c = index.cmp slt(%a, %b)          ⇒     %c = arith.cmpi slt, %a, %b : index
//! %i = index.casts %x : i32 to index        %i = arith.index_cast %x : i32 to index
//! %w = index.sizeof                         %w = arith.constant 64 : index
//! ```
//!
//! Always legal where `index` has 64 bits, as it has here even if a kernel stores it in fewer: the
//! operations of both dialects then compute the same. Analyses and kernels need to know one
//! spelling only.

use gridloom_dialects::{arith, index, inherent};
use gridloom_ir::{Body, Context, OpId, OpName};

/// Rewrites all `index` operations of a function. Returns whether there were any.
pub fn convert_index(ctx: &Context, body: &mut Body) -> bool {
    let mut changed = false;
    for op in body.walk_named(|name| counterpart(name).is_some()) {
        if let Some(name) = counterpart(body[op].name) {
            rename(ctx, body, op, name);
            changed = true;
        }
    }
    changed
}

fn rename(ctx: &Context, body: &mut Body, op: OpId, name: OpName) {
    let data = &mut body[op];
    match data.name {
        index::CMP => {
            let predicate = index::predicate(ctx, data).map_or(0, |predicate| predicate.number());
            data.properties = data.properties.without(ctx, ctx.ident("pred"));
            data.set_property(ctx, inherent::PREDICATE, ctx.i64_attr(predicate));
        }
        index::SIZEOF => data.set_property(ctx, inherent::VALUE, ctx.index_attr(64)),
        _ => {}
    }
    data.name = name;
}

fn counterpart(name: OpName) -> Option<OpName> {
    Some(match name {
        index::ADD => arith::ADDI,
        index::SUB => arith::SUBI,
        index::MUL => arith::MULI,
        index::DIVS => arith::DIVSI,
        index::DIVU => arith::DIVUI,
        index::CEILDIVS => arith::CEILDIVSI,
        index::CEILDIVU => arith::CEILDIVUI,
        index::FLOORDIVS => arith::FLOORDIVSI,
        index::REMS => arith::REMSI,
        index::REMU => arith::REMUI,
        index::AND => arith::ANDI,
        index::OR => arith::ORI,
        index::XOR => arith::XORI,
        index::SHL => arith::SHLI,
        index::SHRS => arith::SHRSI,
        index::SHRU => arith::SHRUI,
        index::MINS => arith::MINSI,
        index::MINU => arith::MINUI,
        index::MAXS => arith::MAXSI,
        index::MAXU => arith::MAXUI,
        index::CASTS => arith::INDEX_CAST,
        index::CASTU => arith::INDEX_CASTUI,
        index::CMP => arith::CMPI,
        index::CONSTANT | index::BOOL_CONSTANT | index::SIZEOF => arith::CONSTANT,
        _ => return None,
    })
}
