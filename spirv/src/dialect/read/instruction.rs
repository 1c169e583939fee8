//! Instructions: reads each as the operation of its name.
//!
//! The operands of an instruction are, in their order: values, which are operands here too; scopes and memory semantics,
//! constants there and attributes here; cases of enumerations and literals, which are attributes. So the n-th of the
//! latter is the n-th inherent attribute of the row; an attribute that is a list takes all literals that are left.

use gridloom_dialects::inherent;
use gridloom_ir::location::LocKind;
use gridloom_ir::op::{AttrSyntax, OpSignature, Storage};
use gridloom_ir::text::store_case;
use gridloom_ir::{Attr, BlockId, OpName, OpState, Type, Value};
use rspirv::dr::{self, Operand};
use rspirv::spirv::Op;

use super::super::opcodes;
use super::function::FunctionReader;
use super::{Reading, id_at, literal};

impl FunctionReader<'_, '_> {
    /// Reads an instruction that is neither a phi nor a merge instruction nor a branch.
    pub(super) fn instruction(&mut self, block: BlockId, inst: &dr::Instruction) -> Reading<()> {
        match inst.class.opcode {
            Op::Line => self.line(inst),
            Op::NoLine => self.loc = self.r.loc,
            Op::Nop => {}
            Op::Variable => self.variable(block, inst)?,
            Op::FunctionCall => self.call(block, inst)?,
            Op::ExtInst => self.extended(block, inst)?,
            Op::CopyObject => self.alias(inst)?,
            Op::Bitcast if self.is_same_type(inst)? => self.alias(inst)?,
            // The promise that the indices are in range is dropped: MLIR has no form for it.
            Op::InBoundsAccessChain => self.generic(block, inst, "AccessChain", &inst.operands)?,
            Op::AtomicLoad | Op::AtomicStore => self.atomic(block, inst)?,
            _ => self.generic(block, inst, inst.class.opname, &inst.operands)?,
        }
        Ok(())
    }

    fn line(&mut self, inst: &dr::Instruction) {
        let file = id_at(inst, 0).and_then(|id| self.r.files.get(&id).copied());
        let number = |index: usize| inst.operands.get(index).map_or(0, literal);
        if let Some(file) = file {
            let start = (number(1), number(2));
            let kind = LocKind::FileRange {
                file,
                start,
                end: start,
            };
            self.loc = self.r.ctx.intern_loc(kind);
        }
    }

    /// Reads an instruction as an alias: its id gets the value of its operand.
    fn alias(&mut self, inst: &dr::Instruction) -> Reading<()> {
        let value = self.value(inst, id_at(inst, 0).unwrap_or(0))?;
        self.values.insert(self.r.result_id(inst)?, value);
        Ok(())
    }

    /// Whether result and operand have one type here, where all integers are signless.
    fn is_same_type(&mut self, inst: &dr::Instruction) -> Reading<bool> {
        let value = self.value(inst, id_at(inst, 0).unwrap_or(0))?;
        Ok(self.body.ty(value) == self.r.result_type(inst)?)
    }

    fn variable(&mut self, block: BlockId, inst: &dr::Instruction) -> Reading<()> {
        let ctx = self.r.ctx;
        let (name, row) = self.r.row("Variable");
        let class = inst.operands.first().map_or(0, literal);
        let class = self.r.case(row, "storage_class", class, inst)?;
        let mut state = OpState::new(name, self.loc).property(ctx, inherent::STORAGE_CLASS, class);
        if let Some(initializer) = id_at(inst, 1) {
            state = state.operands(&[self.value(inst, initializer)?]);
        }
        self.add(block, inst, state)
    }

    fn call(&mut self, block: BlockId, inst: &dr::Instruction) -> Reading<()> {
        let ctx = self.r.ctx;
        let callee = id_at(inst, 0).and_then(|id| self.r.functions.get(&id));
        let callee =
            callee.ok_or_else(|| self.refuse(inst, "the id that it calls is not a function"))?;
        let mut operands = Vec::with_capacity(inst.operands.len());
        for index in 1..inst.operands.len() {
            operands.push(self.value(inst, id_at(inst, index).unwrap_or(0))?);
        }
        let results: Vec<Type> = callee.result.into_iter().collect();
        let state = OpState::new(self.r.row("FunctionCall").0, self.loc)
            .operands(&operands)
            .results(&results)
            .property(ctx, inherent::CALLEE, ctx.symbol_attr(callee.name));
        let op = self.body.create_op(state);
        self.body.append(block, op);
        if let (Some(id), false) = (inst.result_id, results.is_empty()) {
            self.values.insert(id, self.body[op].result(0));
        }
        Ok(())
    }

    fn extended(&mut self, block: BlockId, inst: &dr::Instruction) -> Reading<()> {
        let set = id_at(inst, 0).and_then(|id| self.r.sets.get(&id).copied());
        let set = match set {
            Some(Some(set)) => set,
            // Non-semantic instructions compute nothing, so they are dropped.
            Some(None) if self.is_non_semantic(inst) => return Ok(()),
            _ => return Err(self.refuse(inst, "the dialect does not know these instructions")),
        };
        let number = inst.operands.get(1).map_or(0, literal);
        let opname = set.instruction(number).unwrap_or("?");
        let operands = inst.operands.get(2..).unwrap_or_default();
        if let Some((name, row)) = opcodes::extended(self.r.ctx, set, opname) {
            return self.operation(block, inst, (name, row), operands);
        }
        if self.equivalent(block, inst, opname, operands)? {
            return Ok(());
        }
        let why = format!(
            "the dialect has no operation for '{opname}' of {}",
            set.name()
        );
        Err(self.refuse(inst, &why))
    }

    fn is_non_semantic(&self, inst: &dr::Instruction) -> bool {
        let imports = self.r.source.ext_inst_imports.iter();
        let mut imports = imports.filter(|import| import.result_id == id_at(inst, 0));
        let name = imports.next().and_then(|import| super::text(import, 0));
        name.is_some_and(|name| name.starts_with("NonSemantic."))
    }

    /// Reads an instruction whose operation has the name that the naming rule gives.
    fn generic(
        &mut self,
        block: BlockId,
        inst: &dr::Instruction,
        opname: &str,
        operands: &[Operand],
    ) -> Reading<()> {
        match opcodes::operation(self.r.ctx, opname) {
            Some(found) => self.operation(block, inst, found, operands),
            None => {
                let why = format!("the dialect has no operation for Op{opname}");
                Err(self.refuse(inst, &why))
            }
        }
    }

    /// Builds an operation from operands of an instruction.
    fn operation(
        &mut self,
        block: BlockId,
        inst: &dr::Instruction,
        (name, row): (OpName, &OpSignature),
        operands: &[Operand],
    ) -> Reading<()> {
        let ctx = self.r.ctx;
        let mut state = OpState::new(name, self.loc);
        let mut values: Vec<Value> = Vec::with_capacity(operands.len());
        let mut attrs = row.attrs.iter();
        let mut rest = operands.iter();
        while let Some(operand) = rest.next() {
            let word = match operand {
                Operand::IdRef(id) => {
                    values.push(self.value(inst, *id)?);
                    continue;
                }
                Operand::IdScope(id) | Operand::IdMemorySemantics(id) => {
                    self.r.constant(inst, *id)?
                }
                other => literal(other),
            };
            let Some(def) = attrs.next() else {
                return Err(self.refuse(inst, "the operation has no form for one of its operands"));
            };
            let attr: Option<Attr> = match (def.syntax, def.constraint.storage) {
                (_, Storage::Array) => {
                    let words = [word].into_iter().chain(rest.by_ref().map(literal));
                    let int = ctx.int_type(32);
                    let items = words.map(|word| ctx.int_attr(int, i64::from(word as i32)));
                    Some(ctx.array_attr(&items.collect::<Vec<_>>()))
                }
                (AttrSyntax::Enum(cases), _) => store_case(ctx, cases, i64::from(word)),
                (AttrSyntax::Typed(ty), _) => Some(ctx.int_attr(ty(ctx), i64::from(word as i32))),
                _ => None,
            };
            let why = || format!("MLIR has no form for its {} {word}", def.name);
            let attr = attr.ok_or_else(|| self.refuse(inst, &why()))?;
            state = state.property(ctx, def.name, attr);
        }
        state.operands = values.into();
        self.add(block, inst, state)
    }

    /// Appends an operation with the type and the decorations of its instruction's result.
    pub(super) fn add(
        &mut self,
        block: BlockId,
        inst: &dr::Instruction,
        mut state: OpState,
    ) -> Reading<()> {
        if inst.result_type.is_some() {
            state = state.results(&[self.r.result_type(inst)?]);
        }
        if let Some(id) = inst.result_id {
            for (name, value) in self.r.decoration_attrs(inst, id)? {
                state.attributes = state.attributes.with(self.r.ctx, name, value);
            }
        }
        let op = self.body.create_op(state);
        self.body.append(block, op);
        if let (Some(id), Some(value)) = (inst.result_id, self.body[op].results().next()) {
            self.values.insert(id, value);
        }
        Ok(())
    }
}
