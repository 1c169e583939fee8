//! Types and decorations.

use gridloom_dialects::spirv::make;
use gridloom_dialects::spirv::view::pointer_type;
use gridloom_ir::Type;
use gridloom_ir::types::FloatKind;
use rspirv::dr;
use rspirv::spirv::{Decoration, FPEncoding, Op, Word};

use super::{Reader, Reading, id_at, literal};

/// The deepest nesting of structures in SPIR-V's universal limits.
const MAX_NESTING: u32 = 255;

impl Reader<'_> {
    /// Collects the decorations of all ids.
    pub(super) fn annotations(&mut self) -> Reading<()> {
        for inst in &self.source.annotations {
            let target = id_at(inst, 0).unwrap_or(0);
            let literals = |first: usize| -> Reading<make::Decoration> {
                let rest = inst.operands.get(first..).unwrap_or_default();
                match rest {
                    [decoration] => Ok((literal(decoration), None)),
                    [_, dr::Operand::LiteralString(_)] => {
                        Err(self.refuse(inst, "linkage and strings have no form in the dialect"))
                    }
                    [decoration, value] => Ok((literal(decoration), Some(literal(value)))),
                    _ => Err(self.refuse(inst, "a decoration of several values has no form")),
                }
            };
            match inst.class.opcode {
                Op::Decorate => {
                    let decoration = literals(1)?;
                    self.decorations.entry(target).or_default().push(decoration);
                }
                Op::MemberDecorate => {
                    let member = inst.operands.get(1).map_or(0, literal);
                    let decoration = literals(2)?;
                    let of_member = self.member_decorations.entry((target, member));
                    of_member.or_default().push(decoration);
                }
                _ => {
                    let why = "the dialect has no decoration groups and no ids as decorations: \
                               'spirv-opt --flatten-decorations' resolves groups";
                    return Err(self.refuse(inst, why));
                }
            }
        }
        Ok(())
    }

    fn decoration(&self, id: Word, wanted: Decoration) -> Option<u32> {
        let list = self.decorations.get(&id)?;
        let found = list.iter().find(|(number, _)| *number == wanted as u32);
        found.and_then(|(_, value)| *value)
    }

    /// Refuses types that are nested deeper than SPIR-V allows.
    fn check_depth(&mut self, inst: &dr::Instruction) -> Reading<()> {
        let parts = inst
            .operands
            .iter()
            .filter_map(|operand| operand.id_ref_any());
        let depths = parts.filter_map(|id| self.depths.get(&id).copied());
        let depth = depths.max().unwrap_or(0) + 1;
        if depth > MAX_NESTING {
            return Err(self.refuse(inst, "types are nested deeper than 255"));
        }
        self.depths.extend(inst.result_id.map(|id| (id, depth)));
        Ok(())
    }

    /// Declares a type; `false` where the instruction is none.
    pub(super) fn type_inst(&mut self, inst: &dr::Instruction) -> Reading<bool> {
        let ctx = self.ctx;
        if inst.class.opcode.is_type() {
            self.check_depth(inst)?;
        }
        let number = |index: usize| inst.operands.get(index).map_or(0, literal);
        let part = |index: usize| self.ty(inst, id_at(inst, index).unwrap_or(0));
        let id = self.result_id(inst);
        let ty = match inst.class.opcode {
            Op::TypeVoid => ctx.none_type(),
            Op::TypeBool => ctx.bool_type(),
            Op::TypeInt => ctx.int_type(number(0)),
            Op::TypeFloat => self.float(inst)?,
            Op::TypeVector => ctx.vector_type(&[i64::from(number(1))], part(0)?),
            Op::TypeMatrix => make::matrix_type(ctx, part(0)?, number(1)),
            Op::TypeArray => {
                let count = self.constant(inst, id_at(inst, 1).unwrap_or(0))?;
                let stride = self.decoration(id?, Decoration::ArrayStride);
                let ty = make::array_type(ctx, part(0)?, count, stride.unwrap_or(0));
                self.types.insert(self.result_id(inst)?, ty);
                return Ok(true);
            }
            Op::TypeRuntimeArray => {
                let stride = self.decoration(id?, Decoration::ArrayStride);
                let ty = make::runtime_array_type(ctx, part(0)?, stride.unwrap_or(0));
                self.types.insert(self.result_id(inst)?, ty);
                return Ok(true);
            }
            Op::TypeStruct => self.structure(inst)?,
            Op::TypePointer => match make::storage_class_name(number(0)) {
                Some(class) => pointer_type(ctx, part(1)?, class),
                None => return Err(self.refuse(inst, "MLIR does not know this storage class")),
            },
            Op::TypeFunction => {
                let ids = (0..inst.operands.len()).filter_map(|index| id_at(inst, index));
                let types = ids.map(|id| self.ty(inst, id));
                let mut types = types.collect::<Reading<Vec<Type>>>()?;
                if types.is_empty() {
                    return Err(self.refuse(inst, "it has no result type"));
                }
                let result = Some(types.remove(0)).filter(|&ty| ty != ctx.none_type());
                self.signatures.insert(id?, (types, result));
                return Ok(true);
            }
            Op::TypeImage => {
                let numbers = [1, 2, 3, 4, 5, 6].map(number);
                let image = make::image_type(ctx, part(0)?, numbers);
                image.ok_or_else(|| self.refuse(inst, "MLIR does not know this kind of image"))?
            }
            Op::TypeSampledImage => {
                let image = ctx.type_attr(part(0)?);
                ctx.parametric_type("spirv", "sampled_image", &[image])
            }
            Op::TypeCooperativeMatrixKHR => {
                let mut numbers = [0; 4];
                for (index, number) in numbers.iter_mut().enumerate() {
                    *number = self.constant(inst, id_at(inst, index + 1).unwrap_or(0))?;
                }
                let [scope, rows, columns, purpose] = numbers;
                let ty = make::coop_matrix_type(ctx, part(0)?, [rows, columns], scope, purpose);
                ty.ok_or_else(|| self.refuse(inst, "MLIR does not know this scope or use"))?
            }
            op if op.is_type() => {
                return Err(self.refuse(inst, "the dialect has no such type"));
            }
            _ => return Ok(false),
        };
        self.types.insert(id?, ty);
        Ok(true)
    }

    fn float(&self, inst: &dr::Instruction) -> Reading<Type> {
        let kind = match inst.operands[..] {
            [dr::Operand::LiteralBit32(16)] => FloatKind::F16,
            [dr::Operand::LiteralBit32(32)] => FloatKind::F32,
            [dr::Operand::LiteralBit32(64)] => FloatKind::F64,
            [
                dr::Operand::LiteralBit32(16),
                dr::Operand::FPEncoding(FPEncoding::BFloat16KHR),
            ] => FloatKind::BF16,
            _ => return Err(self.refuse(inst, "the dialect has no floats of this kind")),
        };
        Ok(self.ctx.float_type(kind))
    }

    fn structure(&self, inst: &dr::Instruction) -> Reading<Type> {
        let id = self.result_id(inst)?;
        let mut members = Vec::with_capacity(inst.operands.len());
        for (index, operand) in (0..).zip(&inst.operands) {
            let ty = self.ty(inst, operand.id_ref_any().unwrap_or(0))?;
            let mut decorations = self.member_decorations.get(&(id, index)).cloned();
            let list = decorations.get_or_insert_default();
            let is_offset = |(number, _): &make::Decoration| *number == Decoration::Offset as u32;
            let offset = list.iter().find(|decoration| is_offset(decoration));
            let offset = offset.and_then(|&(_, value)| value);
            list.retain(|decoration| !is_offset(decoration));
            list.sort_unstable();
            members.push(make::Member {
                ty,
                offset,
                decorations: std::mem::take(list),
            });
        }
        let own = self.decorations.get(&id).map_or(&[][..], Vec::as_slice);
        let ty = make::struct_type(self.ctx, &members, own);
        ty.ok_or_else(|| {
            let why = "MLIR does not know one of its decorations, or some of its members have \
                       an offset and others none";
            self.refuse(inst, why)
        })
    }
}
