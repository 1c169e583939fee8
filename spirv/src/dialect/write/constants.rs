//! Constants.

use gridloom_dialects::spirv::view::{element_type, num_elements};
use gridloom_ir::body::OpData;
use gridloom_ir::{Attr, AttrKind, Type, TypeKind};
use rspirv::dr::Operand;
use rspirv::spirv::{Op, Word};

use super::{Writer, Writing, refuse};

/// The most elements of a constant: a splat of more would take more words than a module may have.
const MAX_ELEMENTS: i64 = 1 << 16;

impl Writer<'_> {
    /// A constant `u32`.
    pub(super) fn int(&mut self, value: u32) -> Word {
        let operands = [32, 0].map(Operand::LiteralBit32).to_vec();
        let ty = self.unique(Op::TypeInt, None, operands);
        self.unique(Op::Constant, Some(ty), vec![Operand::LiteralBit32(value)])
    }

    /// The constant of an attribute.
    pub(super) fn constant(&mut self, op: &OpData, attr: Attr, ty: Type) -> Writing<Word> {
        if let Some(&id) = self.constants.get(&(attr, ty)) {
            return Ok(id);
        }
        let id = self.make_constant(op, attr, ty)?;
        self.constants.insert((attr, ty), id);
        Ok(id)
    }

    fn make_constant(&mut self, op: &OpData, attr: Attr, ty: Type) -> Writing<Word> {
        let ctx = self.ctx;
        match attr.kind(ctx) {
            AttrKind::Integer { .. } | AttrKind::Float { .. } => self.scalar(op, attr, ty, false),
            AttrKind::Array(items) => {
                let Some(element) = element_type(ctx, ty, 0) else {
                    return Err(refuse(op, "it is no constant of its type"));
                };
                let mut parts = Vec::with_capacity(items.len());
                for &item in items {
                    parts.push(self.constant(op, item, element)?);
                }
                self.composite(op, ty, &parts)
            }
            AttrKind::Dense { .. } => {
                let stored = attr.stored_elements(ctx);
                let mut elements = Elements {
                    splat: stored.len() == 1,
                    left: stored.iter(),
                };
                self.elements(op, ty, &mut elements)
            }
            _ => Err(refuse(
                op,
                "it is a constant of a kind that has no binary form here",
            )),
        }
    }

    /// A vector or (nested) array of the next elements.
    fn elements(&mut self, op: &OpData, ty: Type, elements: &mut Elements<'_>) -> Writing<Word> {
        let ctx = self.ctx;
        let scalar = !matches!(
            ty.kind(ctx),
            TypeKind::Vector { .. } | TypeKind::Parametric(_)
        );
        if scalar {
            let Some(attr) = elements.take() else {
                return Err(refuse(op, "it has fewer elements than its type"));
            };
            return self.scalar(op, attr, ty, false);
        }
        let count = num_elements(ctx, ty).filter(|count| (1..=MAX_ELEMENTS).contains(count));
        let Some((count, element)) = count.zip(element_type(ctx, ty, 0)) else {
            return Err(refuse(op, "it has too many elements, or none"));
        };
        let mut parts = Vec::new();
        for _ in 0..count {
            match (elements.splat, parts.first()) {
                (true, Some(&first)) => parts.push(first),
                _ => parts.push(self.elements(op, element, elements)?),
            }
        }
        self.composite(op, ty, &parts)
    }

    fn composite(&mut self, op: &OpData, ty: Type, parts: &[Word]) -> Writing<Word> {
        let ty = self.ty(op, ty)?;
        let operands = parts.iter().map(|&part| Operand::IdRef(part)).collect();
        Ok(self.unique(Op::ConstantComposite, Some(ty), operands))
    }

    /// A number or a Boolean; `open` for one that can be specialized.
    pub(super) fn scalar(
        &mut self,
        op: &OpData,
        attr: Attr,
        ty: Type,
        open: bool,
    ) -> Writing<Word> {
        let ctx = self.ctx;
        let id = self.ty(op, ty)?;
        let (opcode, operands) = match (ty.kind(ctx), attr.kind(ctx)) {
            (TypeKind::Integer { width: 1, .. }, AttrKind::Integer { .. }) => {
                let is_true = attr.as_i64(ctx).is_some_and(|value| value != 0);
                let opcode = match (is_true, open) {
                    (true, false) => Op::ConstantTrue,
                    (false, false) => Op::ConstantFalse,
                    (true, true) => Op::SpecConstantTrue,
                    (false, true) => Op::SpecConstantFalse,
                };
                (opcode, vec![])
            }
            (TypeKind::Integer { width, signedness }, AttrKind::Integer { value, .. }) => {
                use gridloom_ir::types::Signedness;
                let bytes = value.to_le_bytes(8);
                let bits = bytes.get(..8).and_then(|bytes| bytes.try_into().ok());
                let bits = u64::from_le_bytes(bits.unwrap_or_default());
                // A narrow literal is sign-extended to a word if its type is signed.
                let literal = match (*width, *signedness) {
                    (64, _) => Operand::LiteralBit64(bits),
                    (32, _) | (_, Signedness::Signed) => Operand::LiteralBit32(bits as u32),
                    (width, _) => Operand::LiteralBit32(bits as u32 & ((1 << width) - 1)),
                };
                (constant_op(open), vec![literal])
            }
            (TypeKind::Float(kind), AttrKind::Float { bits, .. }) => {
                let literal = match kind.width() {
                    64 => Operand::LiteralBit64(*bits as u64),
                    _ => Operand::LiteralBit32(*bits as u32),
                };
                (constant_op(open), vec![literal])
            }
            _ => return Err(refuse(op, "it is no constant of its type")),
        };
        Ok(match open {
            true => self.global(opcode, Some(id), operands),
            false => self.unique(opcode, Some(id), operands),
        })
    }
}

fn constant_op(open: bool) -> Op {
    match open {
        true => Op::SpecConstant,
        false => Op::Constant,
    }
}

/// Elements of a dense attribute in their order.
struct Elements<'e> {
    /// Whether all are the one that is stored.
    splat: bool,
    left: std::slice::Iter<'e, Attr>,
}

impl Elements<'_> {
    fn take(&mut self) -> Option<Attr> {
        match self.splat {
            true => self.left.as_slice().first().copied(),
            false => self.left.next().copied(),
        }
    }
}
