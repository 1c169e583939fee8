//! Values of the module, which the first block of a function makes where the function uses them.

use gridloom_dialects::inherent;
use gridloom_ir::{OpState, Type, Value};
use rspirv::dr;
use rspirv::spirv::Word;

use super::function::FunctionReader;
use super::{Global, Reading};

impl FunctionReader<'_, '_> {
    /// The instruction of the function that defines an id.
    pub(super) fn instruction_of(&self, id: Word) -> Option<&dr::Instruction> {
        let (node, _) = self.defs.get(&id)?;
        let mut insts = self.flow.nodes[*node].insts.iter();
        insts.find(|inst| inst.result_id == Some(id))
    }

    /// The value of an id: of the function, or of the module, which the first block makes then.
    pub(super) fn value(&mut self, inst: &dr::Instruction, id: Word) -> Reading<Value> {
        if let Some(&value) = self.values.get(&id) {
            return Ok(value);
        }
        let ctx = self.r.ctx;
        let state =
            |name: &str, ty: Type| OpState::new(self.r.row(name).0, self.r.loc).results(&[ty]);
        let state = match self.r.globals.get(&id) {
            Some(Global::Constant(attr, ty)) => {
                state("Constant", *ty).property(ctx, inherent::VALUE, *attr)
            }
            Some(Global::Undef(ty)) => state("Undef", *ty),
            Some(Global::SpecConstant(name, ty)) => state("mlir.referenceof", *ty).property(
                ctx,
                inherent::SPEC_CONST,
                ctx.symbol_attr(*name),
            ),
            Some(Global::Variable(name, ty)) => state("mlir.addressof", *ty).property(
                ctx,
                inherent::VARIABLE,
                ctx.symbol_attr(*name),
            ),
            Some(Global::Composite(parts, ty)) => {
                let state = state("CompositeConstruct", *ty);
                let parts = parts.iter().map(|&part| self.value(inst, part));
                state.operands(&parts.collect::<Reading<Vec<Value>>>()?)
            }
            None => {
                let why = format!("%{id} is no value that is known here");
                return Err(self.refuse(inst, &why));
            }
        };
        let value = self.first(state);
        self.values.insert(id, value);
        Ok(value)
    }

    /// Creates an operation in the first block, before those of the function.
    pub(super) fn first(&mut self, state: OpState) -> Value {
        let op = self.body.create_op(state);
        match self.prelude {
            Some(before) => self.body.insert_after(before, op),
            None => self.body.prepend(self.entry, op),
        }
        self.prelude = Some(op);
        self.body[op].result(0)
    }

    pub(super) fn undefined(&mut self, types: &[Type]) -> Vec<Value> {
        let mut values = Vec::with_capacity(types.len());
        for &ty in types {
            let value = match self.undefs.get(&ty) {
                Some(&value) => value,
                None => {
                    let state = OpState::new(self.r.row("Undef").0, self.r.loc).results(&[ty]);
                    let value = self.first(state);
                    self.undefs.insert(ty, value);
                    value
                }
            };
            values.push(value);
        }
        values
    }

    /// An `i32`.
    pub(super) fn int_constant(&mut self, value: i64) -> Value {
        let ctx = self.r.ctx;
        let ty = ctx.int_type(32);
        let state = OpState::new(self.r.row("Constant").0, self.r.loc)
            .results(&[ty])
            .property(ctx, inherent::VALUE, ctx.int_attr(ty, value));
        self.first(state)
    }
}
