//! Operations as instructions; [`super::super::read`] says how their operands correspond.

use gridloom_dialects::inherent;
use gridloom_ir::body::OpData;
use gridloom_ir::constraints::attr_type;
use gridloom_ir::op::AttrDef;
use rspirv::dr::{Instruction, Operand};
use rspirv::grammar::{self, OperandKind, OperandQuantifier};
use rspirv::spirv::{Op, StorageClass, Word};

use super::super::opcodes::{self, Opcode};
use super::function::FunctionWriter;
use super::{Writing, refuse};

/// The `Aligned` bit of memory operands.
const ALIGNED: u32 = 2;

impl FunctionWriter<'_, '_> {
    /// Writes an operation that is neither a construct nor a branch.
    pub(super) fn instruction(&mut self, op: &OpData) -> Writing<()> {
        let ctx = self.ctx;
        let name = ctx.op_name_str(op.name);
        match name {
            "spirv.Constant" => {
                let value = op.get(ctx, inherent::VALUE);
                let Some(value) = value else {
                    return Err(refuse(op, "it has no value"));
                };
                let ty = match attr_type(ctx, value) {
                    Some(ty) if op.num_results() == 0 => ty,
                    _ => self.body.ty(op.result(0)),
                };
                let id = self.w.constant(op, value, ty)?;
                self.values.insert(op.result(0), id);
                Ok(())
            }
            "spirv.mlir.addressof" => {
                let id = self.w.referred(op, op.get(ctx, inherent::VARIABLE))?;
                self.values.insert(op.result(0), id);
                Ok(())
            }
            "spirv.mlir.referenceof" => {
                let id = self.w.referred(op, op.get(ctx, inherent::SPEC_CONST))?;
                self.values.insert(op.result(0), id);
                Ok(())
            }
            "spirv.Variable" => self.variable(op),
            "spirv.FunctionCall" => self.call(op),
            _ => match opcodes::instruction(name) {
                Some(Opcode::Extended(set, number)) => {
                    let set = self.w.set(set);
                    let mut operands =
                        vec![Operand::IdRef(set), Operand::LiteralExtInstInteger(number)];
                    operands.extend(self.ids(op).into_iter().map(Operand::IdRef));
                    self.emit(op, Op::ExtInst, operands)
                }
                Some(Opcode::Core(grammar)) => {
                    let operands = self.operands(op, grammar)?;
                    self.emit(op, grammar.opcode, operands)
                }
                None => Err(refuse(op, "SPIR-V has no instruction for it")),
            },
        }
    }

    fn ids(&mut self, op: &OpData) -> Vec<Word> {
        op.operands.iter().map(|&value| self.id_of(value)).collect()
    }

    fn variable(&mut self, op: &OpData) -> Writing<()> {
        let mut operands = vec![Operand::StorageClass(StorageClass::Function)];
        operands.extend(self.ids(op).into_iter().map(Operand::IdRef));
        self.emit(op, Op::Variable, operands)
    }

    fn call(&mut self, op: &OpData) -> Writing<()> {
        let callee = op.get(self.ctx, inherent::CALLEE);
        let callee = callee.and_then(|name| self.w.functions.get(&name).copied());
        let Some(callee) = callee else {
            return Err(refuse(op, "there is no such function"));
        };
        let ids = [callee].into_iter().chain(self.ids(op));
        let operands = ids.map(Operand::IdRef).collect();
        if op.num_results() > 0 {
            return self.emit(op, Op::FunctionCall, operands);
        }
        let void = self.w.unique(Op::TypeVoid, None, vec![]);
        let id = self.w.id();
        self.push(Instruction::new(
            Op::FunctionCall,
            Some(void),
            Some(id),
            operands,
        ));
        self.w.decorations(op, id, &[])
    }

    /// Adds an instruction with the type and the decorations of the operation's result.
    fn emit(&mut self, op: &OpData, opcode: Op, operands: Vec<Operand>) -> Writing<()> {
        let result = op.results().next();
        let Some(result) = result else {
            if let Some(&(name, _)) = op.attributes.entries(self.ctx).first() {
                let name = self.ctx.str(name);
                let why = format!("'{name}' decorates a result, and it has none");
                return Err(refuse(op, &why));
            }
            self.push(Instruction::new(opcode, None, None, operands));
            return Ok(());
        };
        let ty = self.w.ty(op, self.body.ty(result))?;
        let id = self.id_of(result);
        self.push(Instruction::new(opcode, Some(ty), Some(id), operands));
        self.w.decorations(op, id, &[])
    }

    /// The operands that the grammar of an instruction asks for.
    fn operands(
        &mut self,
        op: &OpData,
        grammar: &grammar::Instruction<'static>,
    ) -> Writing<Vec<Operand>> {
        let ctx = self.ctx;
        let row = ctx.op_signature(op.name);
        let mut attrs = row.map_or(&[][..], |row| row.attrs).iter();
        let mut ids = self.ids(op).into_iter();
        let mut operands = Vec::with_capacity(op.operands.len() + 2);
        for logical in grammar.operands {
            match (logical.kind, logical.quantifier) {
                (OperandKind::IdResultType | OperandKind::IdResult, _) => {}
                (OperandKind::IdRef, OperandQuantifier::ZeroOrMore) => {
                    operands.extend(ids.by_ref().map(Operand::IdRef));
                }
                (OperandKind::IdRef, quantifier) => match ids.next() {
                    Some(id) => operands.push(Operand::IdRef(id)),
                    None if quantifier == OperandQuantifier::ZeroOrOne => {}
                    None => return Err(refuse(op, "it has fewer operands than its instruction")),
                },
                (OperandKind::IdScope | OperandKind::IdMemorySemantics, _) => {
                    let value = match attrs.next() {
                        Some(def) => self.w.case(op, def.name)?,
                        None => None,
                    };
                    let Some(value) = value else {
                        return Err(refuse(op, "it has no scope or no semantics"));
                    };
                    operands.push(Operand::IdRef(self.w.int(value)));
                }
                (kind, quantifier) => {
                    let Some(def) = attrs.next() else { break };
                    let words = self.literals(op, def)?;
                    if words.is_empty() && quantifier == OperandQuantifier::One {
                        let why = format!("it has no attribute '{}'", def.name);
                        return Err(refuse(op, &why));
                    }
                    // In the assembled words, a case of an enumeration is its number.
                    operands.extend(words.iter().map(|&word| Operand::LiteralBit32(word)));
                    if kind == OperandKind::MemoryAccess {
                        let alignment = attrs.next();
                        if words.first().is_some_and(|bits| bits & ALIGNED != 0)
                            && let Some(def) = alignment
                        {
                            let bytes = self.literals(op, def)?;
                            operands.extend(bytes.into_iter().map(Operand::LiteralBit32));
                        }
                    }
                }
            }
        }
        // Operands of image operands, and of other bits.
        operands.extend(ids.map(Operand::IdRef));
        Ok(operands)
    }

    /// The words of an inherent attribute: none where it is absent.
    fn literals(&self, op: &OpData, def: &AttrDef) -> Writing<Vec<u32>> {
        let ctx = self.ctx;
        let list = op.attr(ctx, def.name).and_then(|attr| attr.as_array(ctx));
        if let Some(items) = list {
            let words = items
                .iter()
                .map(|item| item.as_i64(ctx).map(|item| item as u32));
            let words: Option<Vec<u32>> = words.collect();
            return words.ok_or_else(|| refuse(op, "one of its indices is no number"));
        }
        Ok(self.w.case(op, def.name)?.into_iter().collect())
    }
}
