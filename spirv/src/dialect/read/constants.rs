//! Constants, as attributes where MLIR has one.

use gridloom_dialects::spirv::view::{element_type, is_spirv, num_elements};
use gridloom_ir::attr::DenseData;
use gridloom_ir::elements::element_bytes;
use gridloom_ir::{Attr, AttrKind, Context, Type, TypeKind};
use rspirv::dr;
use rspirv::spirv::{Op, Word};

use super::{Global, Reader, Reading};

/// The most elements that a null constant of an array is written out to.
const MAX_ZEROS: i64 = 1 << 12;

impl Reader<'_> {
    /// A constant of the module; `None` where the instruction is none.
    pub(super) fn constant_inst(&self, inst: &dr::Instruction) -> Reading<Option<Global>> {
        let ctx = self.ctx;
        let global = match inst.class.opcode {
            Op::ConstantTrue => Global::Constant(ctx.bool_attr(true), ctx.bool_type()),
            Op::ConstantFalse => Global::Constant(ctx.bool_attr(false), ctx.bool_type()),
            Op::Constant => {
                let ty = self.result_type(inst)?;
                let attr = scalar(ctx, ty, bits(inst));
                let attr = attr.ok_or_else(|| self.refuse(inst, "it is of no scalar type"))?;
                Global::Constant(attr, ty)
            }
            Op::ConstantComposite => {
                let ty = self.result_type(inst)?;
                let parts = inst
                    .operands
                    .iter()
                    .filter_map(|operand| operand.id_ref_any());
                let parts: Vec<Word> = parts.collect();
                match self.composite(ty, &parts) {
                    Some(attr) => Global::Constant(attr, ty),
                    None => Global::Composite(parts, ty),
                }
            }
            Op::ConstantNull => {
                let ty = self.result_type(inst)?;
                let attr = zero(ctx, ty, 0);
                let why = "the dialect has no null constant of such a type";
                Global::Constant(attr.ok_or_else(|| self.refuse(inst, why))?, ty)
            }
            Op::Undef => Global::Undef(self.result_type(inst)?),
            _ => return Ok(None),
        };
        Ok(Some(global))
    }

    /// The attribute of a vector or array of constants.
    fn composite(&self, ty: Type, parts: &[Word]) -> Option<Attr> {
        let ctx = self.ctx;
        let attrs = parts.iter().map(|id| match self.globals.get(id) {
            Some(Global::Constant(attr, _)) => Some(*attr),
            _ => None,
        });
        let attrs: Vec<Attr> = attrs.collect::<Option<_>>()?;
        match ty.kind(ctx) {
            TypeKind::Vector { element, .. } => dense(ctx, ty, *element, &attrs),
            _ if is_spirv(ctx, ty, "array") => Some(ctx.array_attr(&attrs)),
            _ => None,
        }
    }
}

/// The bits of an `OpConstant`.
pub(super) fn bits(inst: &dr::Instruction) -> u64 {
    match inst.operands.first() {
        Some(dr::Operand::LiteralBit32(bits)) => u64::from(*bits),
        Some(dr::Operand::LiteralBit64(bits)) => *bits,
        _ => 0,
    }
}

/// A number of these bits as an attribute.
pub(super) fn scalar(ctx: &Context, ty: Type, bits: u64) -> Option<Attr> {
    match ty.kind(ctx) {
        TypeKind::Integer { width, .. } if matches!(*width, 8 | 16 | 32 | 64) => {
            let unused = 64 - *width;
            Some(ctx.int_attr(ty, (bits as i64) << unused >> unused))
        }
        TypeKind::Float(kind) => {
            let width = kind.width();
            let bits = u128::from(bits) & (u128::MAX >> (128 - width));
            Some(ctx.intern_attr(AttrKind::Float { ty, bits }))
        }
        _ => None,
    }
}

/// `dense<[…]>` of scalar attributes.
fn dense(ctx: &Context, ty: Type, element: Type, parts: &[Attr]) -> Option<Attr> {
    let size = element_bytes(ctx, element)?;
    let mut bytes = Vec::with_capacity(parts.len() * size);
    for part in parts {
        match part.kind(ctx) {
            AttrKind::Integer { .. } => {
                let value = part.as_i64(ctx)?;
                bytes.extend_from_slice(value.to_le_bytes().get(..size)?);
            }
            AttrKind::Float { bits, .. } => {
                bytes.extend_from_slice(bits.to_le_bytes().get(..size)?);
            }
            _ => return None,
        }
    }
    let first = bytes.get(..size)?;
    let data = match bytes.chunks(size).all(|chunk| chunk == first) {
        true => DenseData::Splat(first.into()),
        false => DenseData::Raw(bytes.into()),
    };
    Some(ctx.intern_attr(AttrKind::Dense { ty, data }))
}

/// Zero of a type, where MLIR has an attribute for it. Recursion is bounded by the nesting of the arrays, each a type
/// that an instruction declares; `depth` bounds that.
fn zero(ctx: &Context, ty: Type, depth: u32) -> Option<Attr> {
    if depth > 16 {
        return None;
    }
    match ty.kind(ctx) {
        TypeKind::Integer { width: 1, .. } => Some(ctx.bool_attr(false)),
        TypeKind::Vector { element, .. } => {
            let data = DenseData::Splat(vec![0; element_bytes(ctx, *element)?].into());
            Some(ctx.intern_attr(AttrKind::Dense { ty, data }))
        }
        _ if is_spirv(ctx, ty, "array") => {
            let count = num_elements(ctx, ty).filter(|count| (1..=MAX_ZEROS).contains(count))?;
            let element = zero(ctx, element_type(ctx, ty, 0)?, depth + 1)?;
            Some(ctx.array_attr(&vec![element; usize::try_from(count).ok()?]))
        }
        _ => scalar(ctx, ty, 0),
    }
}
