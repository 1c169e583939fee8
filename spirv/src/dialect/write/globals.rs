//! Symbols of the module: variables, specialization constants, entry points.

use gridloom_dialects::inherent;
use gridloom_ir::body::OpData;
use gridloom_ir::constraints::attr_type;
use gridloom_ir::{Attr, Ident};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Decoration, ExecutionMode, ExecutionModel, Op, Word};

use super::{Writer, Writing, refuse};

impl Writer<'_> {
    /// The id of the variable or constant that an attribute names.
    pub(super) fn referred(&mut self, op: &OpData, attr: Option<Attr>) -> Writing<Word> {
        let name = attr.and_then(|attr| attr.as_flat_symbol(self.ctx));
        match name {
            Some(name) => self.symbol(op, name),
            None => Err(refuse(op, "it names no symbol")),
        }
    }

    /// The id of a variable or constant, which is written where it is first asked for. Recursion ends, since a symbol
    /// that needs itself is refused, and is as deep as constants are nested.
    pub(super) fn symbol(&mut self, op: &OpData, name: Ident) -> Writing<Word> {
        match self.written.get(&name) {
            Some(Some(id)) => return Ok(*id),
            Some(None) => return Err(refuse(op, "it needs itself")),
            None => {}
        }
        let shown = self.ctx.str(name);
        let Some(found) = self.symbols.get(name) else {
            return Err(refuse(op, &format!("there is no symbol @{shown}")));
        };
        if self.depth > 255 {
            return Err(refuse(op, "constants are nested deeper than 255"));
        }
        self.written.insert(name, None);
        self.depth += 1;
        let body = self.body;
        let found = &body[found];
        let id = match self.ctx.op_name_str(found.name) {
            "spirv.GlobalVariable" => self.variable(found)?,
            "spirv.SpecConstant" => self.spec_constant(found)?,
            "spirv.SpecConstantComposite" => self.spec_composite(found)?,
            _ => return Err(refuse(op, &format!("@{shown} is no variable or constant"))),
        };
        self.depth -= 1;
        self.name(id, shown);
        self.written.insert(name, Some(id));
        Ok(id)
    }

    fn variable(&mut self, op: &OpData) -> Writing<Word> {
        let ctx = self.ctx;
        let ty = op.get(ctx, inherent::TYPE);
        let class = ty.and_then(|ty| gridloom_dialects::spirv::view::storage_class(ctx, ty));
        let (Some(ty), Some(class)) = (ty, class) else {
            return Err(refuse(op, "it has no pointer type"));
        };
        if op.has_attr(ctx, inherent::LINKAGE_ATTRIBUTES) {
            return Err(refuse(op, "linkage has no binary form here"));
        }
        let mut operands = vec![Operand::StorageClass(self.storage_class(op, class)?)];
        if let Some(initializer) = op.get(ctx, inherent::INITIALIZER) {
            operands.push(Operand::IdRef(self.referred(op, Some(initializer))?));
        }
        let ty = self.ty(op, ty)?;
        let id = self.global(Op::Variable, Some(ty), operands);
        self.decorations(op, id, &[])?;
        Ok(id)
    }

    fn spec_constant(&mut self, op: &OpData) -> Writing<Word> {
        let ctx = self.ctx;
        let value = op.get(ctx, inherent::DEFAULT_VALUE);
        let Some((value, ty)) = value.and_then(|value| Some((value, attr_type(ctx, value)?)))
        else {
            return Err(refuse(op, "it has no value of a scalar type"));
        };
        let id = self.scalar(op, value, ty, true)?;
        if let Some(number) = op.get(ctx, inherent::SPEC_ID) {
            self.decorate(id, Decoration::SpecId, Some(number as u32));
        }
        self.decorations(op, id, &["spec_id"])?;
        Ok(id)
    }

    fn spec_composite(&mut self, op: &OpData) -> Writing<Word> {
        let ctx = self.ctx;
        let parts = op.get(ctx, inherent::CONSTITUENTS).unwrap_or_default();
        let mut operands = Vec::with_capacity(parts.len());
        for &part in parts {
            operands.push(Operand::IdRef(self.referred(op, Some(part))?));
        }
        let Some(ty) = op.get(ctx, inherent::TYPE) else {
            return Err(refuse(op, "it has no type"));
        };
        let ty = self.ty(op, ty)?;
        let id = self.global(Op::SpecConstantComposite, Some(ty), operands);
        self.decorations(op, id, &[])?;
        Ok(id)
    }

    /// The function that an attribute `fn` names.
    fn entry(&self, op: &OpData) -> Writing<(Word, Ident)> {
        let name = op.get(self.ctx, inherent::FN);
        let found = name.and_then(|name| Some((*self.functions.get(&name)?, name)));
        found.ok_or_else(|| refuse(op, "there is no such function"))
    }

    pub(super) fn entry_point(&mut self, op: &OpData) -> Writing<()> {
        let ctx = self.ctx;
        let (function, name) = self.entry(op)?;
        let model = self.case(op, "execution_model")?;
        let Some(model) = model.and_then(ExecutionModel::from_u32) else {
            return Err(refuse(op, "SPIR-V has no such execution model"));
        };
        let mut operands = vec![
            Operand::ExecutionModel(model),
            Operand::IdRef(function),
            Operand::LiteralString(ctx.str(name).to_owned()),
        ];
        for &variable in op.get(ctx, inherent::INTERFACE).unwrap_or_default() {
            operands.push(Operand::IdRef(self.referred(op, Some(variable))?));
        }
        let inst = Instruction::new(Op::EntryPoint, None, None, operands);
        self.module.entry_points.push(inst);
        Ok(())
    }

    pub(super) fn execution_mode(&mut self, op: &OpData) -> Writing<()> {
        let ctx = self.ctx;
        let (function, _) = self.entry(op)?;
        let mode = self.case(op, "execution_mode")?;
        let Some(mode) = mode.and_then(ExecutionMode::from_u32) else {
            return Err(refuse(op, "SPIR-V has no such execution mode"));
        };
        let mut operands = vec![Operand::IdRef(function), Operand::ExecutionMode(mode)];
        let values = op.get(ctx, inherent::VALUES).unwrap_or_default();
        let values = values.iter().filter_map(|value| value.as_i64(ctx));
        operands.extend(values.map(|value| Operand::LiteralBit32(value as u32)));
        let inst = Instruction::new(Op::ExecutionMode, None, None, operands);
        self.module.execution_modes.push(inst);
        Ok(())
    }
}
