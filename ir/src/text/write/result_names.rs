//! Result names: the mnemonic names that MLIR gives the results of some operations.

use std::borrow::Cow;
use std::fmt::Write as _;

use smallvec::SmallVec;

use super::ty::type_string;
use crate::attr::{AttrKind, Int};
use crate::body::{Body, OpId, Value};
use crate::context::Context;
use crate::dialect::spirv::{composite, structure};
use crate::dialect::{arith, complex, func, gpu, index, memref, tensor, vector};
use crate::op::OpName;
use crate::types::TypeKind;

/// Returns the name of an operation's first result, unless that is a number.
pub(super) fn result_name(ctx: &Context, body: &Body, op: OpId) -> Option<Cow<'static, str>> {
    let data = &body[op];
    let told = match data.name {
        arith::CONSTANT => constant_name(ctx, body, op),
        arith::MULI => return scaled_name(ctx, body, op).map(Cow::Owned),
        complex::CONSTANT => "cst".into(),
        func::CONSTANT => "f".into(),
        index::CONSTANT => format!("idx{}", integer(ctx, body, op)?.to_decimal()).into(),
        index::BOOL_CONSTANT => bool_name(integer(ctx, body, op)?),
        gpu::THREAD_ID
        | gpu::BLOCK_ID
        | gpu::BLOCK_DIM
        | gpu::GRID_DIM
        | gpu::GLOBAL_ID
        | gpu::CLUSTER_ID
        | gpu::CLUSTER_DIM
        | gpu::CLUSTER_DIM_BLOCKS
        | gpu::CLUSTER_BLOCK_ID => return indexed_name(ctx, body, op).map(Cow::Owned),
        composite::CONSTANT => spirv_constant_name(ctx, body, op),
        structure::ADDRESS_OF => {
            let variable = data.attr(ctx, "variable")?.as_flat_symbol(ctx)?;
            sanitized(&format!("{}_addr", ctx.str(variable))).into()
        }
        vector::VSCALE => "vscale".into(),
        name => {
            let fixed = fixed_name(name);
            let group = || Some(result_groups(ctx, body, op).first()?.1);
            return fixed.or_else(group).map(Cow::Borrowed);
        }
    };
    Some(told)
}

/// Returns the fixed result name of operations on memrefs and tensors.
fn fixed_name(name: OpName) -> Option<&'static str> {
    Some(match name {
        memref::ALLOC => "alloc",
        memref::ALLOCA => "alloca",
        memref::ASSUME_ALIGNMENT => "assume_align",
        memref::CAST | tensor::CAST => "cast",
        memref::COLLAPSE_SHAPE => "collapse_shape",
        memref::DIM | tensor::DIM => "dim",
        memref::EXPAND_SHAPE => "expand_shape",
        memref::EXTRACT_ALIGNED_POINTER_AS_INDEX => "intptr",
        memref::MEMORY_SPACE_CAST => "memspacecast",
        memref::REINTERPRET_CAST => "reinterpret_cast",
        memref::RESHAPE | tensor::RESHAPE => "reshape",
        memref::SUBVIEW => "subview",
        memref::TRANSPOSE => "transpose",
        memref::VIEW => "view",
        tensor::COLLAPSE_SHAPE => "collapsed",
        tensor::CONCAT => "concat",
        tensor::EXPAND_SHAPE => "expanded",
        tensor::EXTRACT => "extracted",
        tensor::EXTRACT_SLICE => "extracted_slice",
        tensor::FROM_ELEMENTS => "from_elements",
        tensor::GATHER => "gather",
        tensor::GENERATE => "generated",
        tensor::INSERT => "inserted",
        tensor::INSERT_SLICE => "inserted_slice",
        tensor::PAD => "padded",
        tensor::RANK => "rank",
        tensor::SCATTER => "scatter",
        tensor::SPLAT => "splat",
        _ => return None,
    })
}

/// Returns the results that begin a group with a name of its own: operations whose rows divide
/// their results into several groups name each group that is not empty.
pub(super) fn result_groups(
    ctx: &Context,
    body: &Body,
    op: OpId,
) -> SmallVec<[(usize, &'static str); 4]> {
    let data = &body[op];
    let Some(def) = ctx.op_def(data.name).filter(|def| def.results.len() > 1) else {
        return SmallVec::new();
    };
    let groups = def.result_groups(ctx, data).unwrap_or_default();
    let named = groups.iter().zip(def.results);
    let named = named.filter(|(range, _)| !range.is_empty());
    named.map(|(range, def)| (range.start, def.name)).collect()
}

/// Names an id by its dimension: `thread_id_x` for `gpu.thread_id x`.
fn indexed_name(ctx: &Context, body: &Body, op: OpId) -> Option<String> {
    let data = &body[op];
    let AttrKind::Dialect { body: text, .. } = data.attr(ctx, "dimension")?.kind(ctx) else {
        return None;
    };
    let dimension = ctx.str(*text).strip_prefix("<dim ")?.strip_suffix('>')?;
    let mnemonic = ctx.op_name_str(data.name).strip_prefix("gpu.")?;
    Some(format!("{mnemonic}_{dimension}"))
}

/// Returns the number of an integer constant.
fn integer<'c>(ctx: &'c Context, body: &Body, op: OpId) -> Option<&'c Int> {
    match body[op].attr(ctx, "value")?.kind(ctx) {
        AttrKind::Integer { value, .. } => Some(value),
        _ => None,
    }
}

fn bool_name(value: &Int) -> Cow<'static, str> {
    let name = match *value == Int::Small(0) {
        true => "false",
        false => "true",
    };
    name.into()
}

/// Names a constant: `c5`, `c5_i32`, `true`, `cst`.
fn constant_name(ctx: &Context, body: &Body, op: OpId) -> Cow<'static, str> {
    let Some(value) = integer(ctx, body, op) else {
        return "cst".into();
    };
    let ty = body.ty(body[op].result(0));
    match ty.kind(ctx) {
        TypeKind::Integer { width: 1, .. } => bool_name(value),
        TypeKind::Integer { .. } => {
            format!("c{}_{}", value.to_decimal(), type_string(ctx, ty)).into()
        }
        _ => format!("c{}", value.to_decimal()).into(),
    }
}

/// Names a constant times `vector.vscale`: `c4_vscale`.
fn scaled_name(ctx: &Context, body: &Body, op: OpId) -> Option<String> {
    let data = &body[op];
    let &[lhs, rhs] = data.operands.as_slice() else {
        return None;
    };
    let made_by = |value: Value| body.defining_op(value);
    let base = |base: Value, scale: Value| {
        let scale = made_by(scale)?;
        let base = made_by(base)?;
        let constant = matches!(body[base].name, arith::CONSTANT | index::CONSTANT);
        let scales = constant && body[scale].name == vector::VSCALE;
        scales.then(|| integer(ctx, body, base)).flatten()
    };
    let base = base(lhs, rhs).or_else(|| base(rhs, lhs))?;
    Some(format!("c{}_vscale", base.to_decimal()))
}

/// Names a SPIR-V constant: `cst5_i32`, `cst_f32`, `cst_vec_4xf32`, `true`.
fn spirv_constant_name(ctx: &Context, body: &Body, op: OpId) -> Cow<'static, str> {
    let ty = body.ty(body[op].result(0));
    let mut name = "cst".to_owned();
    if let Some(value) = integer(ctx, body, op) {
        if matches!(ty.kind(ctx), TypeKind::Integer { width: 1, .. }) {
            return bool_name(value);
        }
        name.push_str(&value.to_decimal());
    }
    // Writing to a String cannot fail.
    let _ = match ty.kind(ctx) {
        TypeKind::Integer { .. } | TypeKind::Float(_) => write!(name, "_{}", type_string(ctx, ty)),
        TypeKind::Vector { shape, element, .. } => {
            let first = shape.first().copied().unwrap_or(1);
            write!(name, "_vec_{first}x{}", type_string(ctx, *element))
        }
        _ => Ok(()),
    };
    name.into()
}

/// Replaces characters that cannot stand after `%`, and a digit at the start.
fn sanitized(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for (at, byte) in name.bytes().enumerate() {
        let stands = byte.is_ascii_alphanumeric() || b"$._-".contains(&byte);
        if at == 0 && (byte.is_ascii_digit() || !stands && byte != b' ') {
            out.push('_');
        }
        match byte {
            _ if stands => out.push(byte.into()),
            b' ' => out.push('_'),
            // Writing to a String cannot fail.
            _ => {
                let _ = write!(out, "{byte:X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::sanitized;

    #[test]
    fn names_are_those_of_values() {
        for (name, expected) in [
            ("a b", "a_b"),
            ("a\u{1}\u{e9}", "a1C3A9"),
            (" 1", "_1"),
            ("-a", "-a"),
            ("1_addr", "_1_addr"),
            ("\u{11}1_addr", "_111_addr"),
            ("\u{e9}_addr", "_C3A9_addr"),
        ] {
            assert_eq!(sanitized(name), expected);
        }
    }
}
