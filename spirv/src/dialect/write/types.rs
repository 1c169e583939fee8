//! Types.

use gridloom_dialects::spirv::make;
use gridloom_dialects::spirv::view::{
    CoopMatrix, element_type, is_spirv, num_elements, pointee, storage_class,
};
use gridloom_ir::body::OpData;
use gridloom_ir::types::{FloatKind, Signedness};
use gridloom_ir::{Type, TypeKind};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{
    self, CooperativeMatrixUse, Decoration, Dim, FPEncoding, ImageFormat, Op, Scope, StorageClass,
    Word,
};

use super::{Writer, Writing, refuse};

impl Writer<'_> {
    /// The id of a type; `op` is where an error is placed. Recursion is bounded by the nesting of types, which the
    /// reader of the text bounds.
    pub(super) fn ty(&mut self, op: &OpData, ty: Type) -> Writing<Word> {
        if let Some(&id) = self.types.get(&ty) {
            return Ok(id);
        }
        let id = self.make_type(op, ty)?;
        self.types.insert(ty, id);
        Ok(id)
    }

    fn make_type(&mut self, op: &OpData, ty: Type) -> Writing<Word> {
        let ctx = self.ctx;
        Ok(match ty.kind(ctx) {
            TypeKind::None => self.unique(Op::TypeVoid, None, vec![]),
            TypeKind::Integer { width: 1, .. } => self.unique(Op::TypeBool, None, vec![]),
            TypeKind::Integer { width, signedness } => {
                let is_signed = u32::from(*signedness == Signedness::Signed);
                let operands = [*width, is_signed].map(Operand::LiteralBit32);
                self.unique(Op::TypeInt, None, operands.to_vec())
            }
            TypeKind::Float(kind) => {
                let operands = match kind {
                    FloatKind::BF16 => vec![
                        Operand::LiteralBit32(16),
                        Operand::FPEncoding(FPEncoding::BFloat16KHR),
                    ],
                    FloatKind::F16 | FloatKind::F32 | FloatKind::F64 => {
                        vec![Operand::LiteralBit32(kind.width())]
                    }
                    _ => return Err(refuse(op, "SPIR-V has no floats of this kind")),
                };
                self.unique(Op::TypeFloat, None, operands)
            }
            TypeKind::Vector { element, .. } => {
                let lanes = self.count(op, ty)?;
                let operands = vec![
                    Operand::IdRef(self.ty(op, *element)?),
                    Operand::LiteralBit32(lanes),
                ];
                self.unique(Op::TypeVector, None, operands)
            }
            _ => self.dialect_type(op, ty)?,
        })
    }

    fn dialect_type(&mut self, op: &OpData, ty: Type) -> Writing<Word> {
        let ctx = self.ctx;
        if let (Some(to), Some(class)) = (pointee(ctx, ty), storage_class(ctx, ty)) {
            let class = self.storage_class(op, class)?;
            let to = self.ty(op, to)?;
            let operands = vec![Operand::StorageClass(class), Operand::IdRef(to)];
            return Ok(self.unique(Op::TypePointer, None, operands));
        }
        if is_spirv(ctx, ty, "struct") {
            return self.structure(op, ty);
        }
        if let Some((element, numbers)) = make::image_parts(ctx, ty) {
            return self.image(op, element, numbers);
        }
        if let Some([image]) = ty.params(ctx, "spirv", "sampled_image")
            && let Some(image) = image.as_type(ctx)
        {
            let image = self.ty(op, image)?;
            return Ok(self.unique(Op::TypeSampledImage, None, vec![Operand::IdRef(image)]));
        }
        if let Some(matrix) = CoopMatrix::of(ctx, ty) {
            return self.coop_matrix(op, &matrix);
        }
        let Some(element) = element_type(ctx, ty, 0) else {
            return Err(refuse(
                op,
                "SPIR-V has no such type, or it has no binary form here",
            ));
        };
        let element = self.ty(op, element)?;
        if is_spirv(ctx, ty, "matrix") {
            let columns = self.count(op, ty)?;
            let operands = vec![Operand::IdRef(element), Operand::LiteralBit32(columns)];
            return Ok(self.unique(Op::TypeMatrix, None, operands));
        }
        let stride = |name| {
            ty.params(ctx, "spirv", name)
                .and_then(|p| p.last()?.as_i64(ctx))
        };
        let (id, stride) = if is_spirv(ctx, ty, "rtarray") {
            let id = self.global(Op::TypeRuntimeArray, None, vec![Operand::IdRef(element)]);
            (id, stride("rtarray"))
        } else if is_spirv(ctx, ty, "array") {
            let count = self.count(op, ty)?;
            let count = self.int(count);
            let operands = vec![Operand::IdRef(element), Operand::IdRef(count)];
            (self.global(Op::TypeArray, None, operands), stride("array"))
        } else {
            return Err(refuse(op, "one of its types has no binary form here"));
        };
        if let Some(stride) = stride.filter(|&stride| stride != 0) {
            self.decorate(id, Decoration::ArrayStride, Some(stride as u32));
        }
        Ok(id)
    }

    fn count(&self, op: &OpData, ty: Type) -> Writing<u32> {
        let count = num_elements(self.ctx, ty).and_then(|count| u32::try_from(count).ok());
        count.ok_or_else(|| refuse(op, "one of its types is too large"))
    }

    pub(super) fn storage_class(&self, op: &OpData, name: &str) -> Writing<StorageClass> {
        let number = make::storage_class_number(name);
        let class = number.and_then(StorageClass::from_u32);
        class.ok_or_else(|| refuse(op, &format!("SPIR-V has no storage class '{name}'")))
    }

    fn structure(&mut self, op: &OpData, ty: Type) -> Writing<Word> {
        let Some((members, decorations)) = make::struct_parts(self.ctx, ty) else {
            return Err(refuse(
                op,
                "a struct that holds itself has no binary form here",
            ));
        };
        let mut operands = Vec::with_capacity(members.len());
        for member in &members {
            operands.push(Operand::IdRef(self.ty(op, member.ty)?));
        }
        let id = self.global(Op::TypeStruct, None, operands);
        for (index, member) in (0..).zip(&members) {
            let offset = member.offset.map(|o| (Decoration::Offset as u32, Some(o)));
            for (decoration, literal) in offset.into_iter().chain(member.decorations.clone()) {
                let mut operands = vec![
                    Operand::IdRef(id),
                    Operand::LiteralBit32(index),
                    Operand::Decoration(self.decoration(op, decoration)?),
                ];
                operands.extend(literal.map(Operand::LiteralBit32));
                let inst = Instruction::new(Op::MemberDecorate, None, None, operands);
                self.module.annotations.push(inst);
            }
        }
        for (decoration, literal) in decorations {
            let decoration = self.decoration(op, decoration)?;
            self.decorate(id, decoration, literal);
        }
        Ok(id)
    }

    fn decoration(&self, op: &OpData, number: u32) -> Writing<Decoration> {
        let found = Decoration::from_u32(number);
        found.ok_or_else(|| refuse(op, "a struct of it has a decoration that SPIR-V has not"))
    }

    fn image(&mut self, op: &OpData, element: Type, numbers: [u32; 6]) -> Writing<Word> {
        let [dim, depth, arrayed, multisampled, sampled, format] = numbers;
        let named = Dim::from_u32(dim).zip(ImageFormat::from_u32(format));
        let Some((dim, format)) = named else {
            return Err(refuse(op, "SPIR-V has no such image"));
        };
        let mut operands = vec![Operand::IdRef(self.ty(op, element)?), Operand::Dim(dim)];
        let flags = [depth, arrayed, multisampled, sampled];
        operands.extend(flags.map(Operand::LiteralBit32));
        operands.push(Operand::ImageFormat(format));
        Ok(self.unique(Op::TypeImage, None, operands))
    }

    fn coop_matrix(&mut self, op: &OpData, matrix: &CoopMatrix<'_>) -> Writing<Word> {
        let numbers = make::coop_matrix_numbers(matrix);
        let numbers = numbers.filter(|&(scope, purpose)| {
            Scope::from_u32(scope).is_some() && CooperativeMatrixUse::from_u32(purpose).is_some()
        });
        let extents = [matrix.rows, matrix.columns].map(|extent| u32::try_from(extent).ok());
        let (Some((scope, purpose)), [Some(rows), Some(columns)]) = (numbers, extents) else {
            return Err(refuse(op, "SPIR-V has no such cooperative matrix"));
        };
        let mut operands = vec![Operand::IdRef(self.ty(op, matrix.element)?)];
        operands.push(Operand::IdScope(self.int(scope)));
        for number in [rows, columns, purpose] {
            operands.push(Operand::IdRef(self.int(number)));
        }
        Ok(self.unique(Op::TypeCooperativeMatrixKHR, None, operands))
    }

    /// The type of a function.
    pub(super) fn signature(
        &mut self,
        op: &OpData,
        inputs: &[Type],
        results: &[Type],
    ) -> Writing<(spirv::Word, spirv::Word)> {
        let result = match results {
            [] => self.unique(Op::TypeVoid, None, vec![]),
            [ty] => self.ty(op, *ty)?,
            _ => return Err(refuse(op, "a function has one result at most")),
        };
        let mut operands = vec![Operand::IdRef(result)];
        for &input in inputs {
            operands.push(Operand::IdRef(self.ty(op, input)?));
        }
        Ok((result, self.unique(Op::TypeFunction, None, operands)))
    }
}
