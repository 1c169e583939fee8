//! A `spirv.module` to SPIR-V words.
//!
//! Types and constants are made once and where they are first used; symbols are written in the order in which they need
//! each other. [`function`] turns regions back into blocks with merge instructions.

mod constants;
mod function;
mod globals;
mod instruction;
mod types;

use gridloom_dialects::inherent;
use gridloom_dialects::spirv::make;
use gridloom_ir::body::OpData;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::op::AttrSyntax;
use gridloom_ir::text::load_case;
use gridloom_ir::{Attr, Body, Context, Diagnostic, Diagnostics, Ident, OpId, SymbolTable, Type};
use rspirv::binary::Assemble;
use rspirv::dr::{self, Instruction, Operand};
use rspirv::spirv::{AddressingModel, Capability, Decoration, MemoryModel, Op, Word};

use super::opcodes::{self, ExtendedSet};

type Writing<T> = Result<T, Box<Diagnostic>>;

/// Writes a `spirv.module`, an operation that verifies, as SPIR-V words.
///
/// # Errors
///
/// The first operation, type or attribute that SPIR-V has no instruction for.
pub fn serialize(ctx: &Context, op: &OpData) -> Result<Vec<u32>, Diagnostics> {
    let written = match op.isolated() {
        Some(body) => Writer::new(ctx, body).module(op),
        None => Err(Box::new(Diagnostic::error(op.loc, "it is no spirv.module"))),
    };
    written.map_err(|diagnostic| {
        let mut found = Diagnostics::new();
        found.push(*diagnostic);
        found
    })
}

struct Writer<'a> {
    ctx: &'a Context,
    body: &'a Body,
    symbols: SymbolTable,
    module: dr::Module,
    next: Word,
    /// Interner of types, constants and extended instruction sets, of which SPIR-V allows one
    /// declaration each.
    unique: FxHashMap<Instruction, Word>,
    types: FxHashMap<Type, Word>,
    constants: FxHashMap<(Attr, Type), Word>,
    /// Symbols that are written, or are being written (`None`).
    written: FxHashMap<Ident, Option<Word>>,
    functions: FxHashMap<Ident, Word>,
    /// Number of symbols being written.
    depth: u32,
}

impl<'a> Writer<'a> {
    fn new(ctx: &'a Context, body: &'a Body) -> Self {
        Writer {
            ctx,
            body,
            symbols: SymbolTable::of(ctx, body),
            module: dr::Module::new(),
            next: 1,
            unique: FxHashMap::default(),
            types: FxHashMap::default(),
            constants: FxHashMap::default(),
            written: FxHashMap::default(),
            functions: FxHashMap::default(),
            depth: 0,
        }
    }

    fn module(mut self, op: &OpData) -> Writing<Vec<u32>> {
        let ctx = self.ctx;
        let minor = self.requirements(op)?;
        let [addressing, memory] = ["addressing_model", "memory_model"].map(|n| self.case(op, n));
        let models = addressing?
            .and_then(AddressingModel::from_u32)
            .zip(memory?.and_then(MemoryModel::from_u32));
        let Some((addressing, memory)) = models else {
            return Err(refuse(
                op,
                "its addressing or memory model does not exist in SPIR-V",
            ));
        };
        let operands = vec![
            Operand::AddressingModel(addressing),
            Operand::MemoryModel(memory),
        ];
        self.module.memory_model = Some(Instruction::new(Op::MemoryModel, None, None, operands));
        let body = self.body;
        let ops: Vec<OpId> = body
            .entry()
            .map(|block| body.ops(block).collect())
            .unwrap_or_default();
        let is_function = |op: OpId| ctx.op_name_str(body[op].name) == "spirv.func";
        for &op in ops.iter().filter(|&&op| is_function(op)) {
            if let Some(name) = body[op].symbol_name(ctx) {
                let id = self.id();
                self.functions.insert(name, id);
            }
        }
        for op in ops {
            self.member(&body[op])?;
        }
        let mut header = dr::ModuleHeader::new(self.next);
        header.set_version(1, minor);
        self.module.header = Some(header);
        Ok(self.module.assemble())
    }

    /// An operation of the module.
    fn member(&mut self, op: &'a OpData) -> Writing<()> {
        match self.ctx.op_name_str(op.name) {
            "spirv.func" => self.function(op),
            "spirv.GlobalVariable" | "spirv.SpecConstant" | "spirv.SpecConstantComposite" => {
                match op.symbol_name(self.ctx) {
                    Some(name) => self.symbol(op, name).map(|_| ()),
                    None => Err(refuse(op, "it has no name")),
                }
            }
            "spirv.EntryPoint" => self.entry_point(op),
            "spirv.ExecutionMode" => self.execution_mode(op),
            _ => Err(refuse(op, "it has no binary form here")),
        }
    }

    /// Capabilities and extensions; gives the minor version.
    fn requirements(&mut self, op: &OpData) -> Writing<u8> {
        let vce = op.get(self.ctx, inherent::VCE_TRIPLE);
        let vce = vce.and_then(|vce| make::vce_parts(self.ctx, vce));
        let Some((minor, capabilities, extensions)) = vce else {
            let why = "a module without 'requires #spirv.vce<…>' says no version: 'mlir-opt \
                       --spirv-update-vce' finds out what it needs";
            return Err(refuse(op, why));
        };
        for name in capabilities {
            let number = make::capability_number(name);
            let Some(capability) = number.and_then(Capability::from_u32) else {
                return Err(refuse(op, &format!("SPIR-V has no capability '{name}'")));
            };
            let operands = vec![Operand::Capability(capability)];
            let inst = Instruction::new(Op::Capability, None, None, operands);
            self.module.capabilities.push(inst);
        }
        for name in extensions {
            let operands = vec![Operand::LiteralString(name.to_owned())];
            let inst = Instruction::new(Op::Extension, None, None, operands);
            self.module.extensions.push(inst);
        }
        Ok(minor)
    }

    fn id(&mut self) -> Word {
        let id = self.next;
        self.next += 1;
        id
    }

    /// Interns a type or constant.
    fn unique(&mut self, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> Word {
        let key = Instruction::new(op, ty, None, operands);
        if let Some(&id) = self.unique.get(&key) {
            return id;
        }
        let id = self.global(op, ty, key.operands.clone());
        self.unique.insert(key, id);
        id
    }

    /// Adds a type, constant or variable.
    fn global(&mut self, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> Word {
        let id = self.id();
        let inst = Instruction::new(op, ty, Some(id), operands);
        self.module.types_global_values.push(inst);
        id
    }

    fn set(&mut self, set: ExtendedSet) -> Word {
        let operands = vec![Operand::LiteralString(set.name().to_owned())];
        let key = Instruction::new(Op::ExtInstImport, None, None, operands);
        if let Some(&id) = self.unique.get(&key) {
            return id;
        }
        let id = self.id();
        let mut inst = key.clone();
        inst.result_id = Some(id);
        self.module.ext_inst_imports.push(inst);
        self.unique.insert(key, id);
        id
    }

    fn name(&mut self, id: Word, name: &str) {
        let operands = vec![Operand::IdRef(id), Operand::LiteralString(name.to_owned())];
        let inst = Instruction::new(Op::Name, None, None, operands);
        self.module.debug_names.push(inst);
    }

    fn decorate(&mut self, id: Word, decoration: Decoration, literal: Option<u32>) {
        let mut operands = vec![Operand::IdRef(id), Operand::Decoration(decoration)];
        operands.extend(literal.map(Operand::LiteralBit32));
        let inst = Instruction::new(Op::Decorate, None, None, operands);
        self.module.annotations.push(inst);
    }

    /// The decorations that an operation's attributes spell, except for those in `others`.
    fn decorations(&mut self, op: &OpData, id: Word, others: &[&str]) -> Writing<()> {
        let ctx = self.ctx;
        let lists = [op.attributes, op.properties];
        // Inherent attributes that are decorations: those of variables.
        const INHERENT: [&str; 4] = ["binding", "built_in", "descriptor_set", "location"];
        for (list, inherent) in lists.into_iter().zip([false, true]) {
            for &(name, value) in list.entries(ctx) {
                let name = ctx.str(name);
                if others.contains(&name) || inherent && !INHERENT.contains(&name) {
                    continue;
                }
                let number = (0..u32::from(u16::MAX)).find(|&number| {
                    make::decoration_name(number).is_some_and(|n| opcodes::snake_case(n) == name)
                });
                let decoration = number.and_then(Decoration::from_u32);
                let Some(decoration) = decoration else {
                    return Err(refuse(op, &format!("'{name}' is no decoration of SPIR-V")));
                };
                let literal = match value.as_str(ctx) {
                    Some(text) => make::built_in_number(text),
                    None => value.as_i64(ctx).map(|value| value as u32),
                };
                let is_unit = value == ctx.unit_attr();
                if literal.is_none() && !is_unit {
                    let message = format!("the value of '{name}' has no binary form here");
                    return Err(refuse(op, &message));
                }
                self.decorate(id, decoration, literal);
            }
        }
        Ok(())
    }

    /// The number of a case that an inherent attribute holds; `None` where it is absent.
    fn case(&self, op: &OpData, name: &str) -> Writing<Option<u32>> {
        let ctx = self.ctx;
        let row = ctx.op_signature(op.name);
        let def = row.and_then(|row| row.attrs.iter().find(|def| def.name == name));
        let (Some(def), Some(attr)) = (def, op.attr(ctx, name)) else {
            return Ok(None);
        };
        let value = match def.syntax {
            AttrSyntax::Enum(cases) => load_case(ctx, cases, attr),
            _ => attr.as_i64(ctx),
        };
        match value {
            Some(value) => Ok(Some(value as u32)),
            None => Err(refuse(
                op,
                &format!("its attribute '{name}' is of another kind"),
            )),
        }
    }
}

/// An error at an operation.
fn refuse(op: &OpData, why: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(
        op.loc,
        format!("cannot be written as SPIR-V: {why}"),
    ))
}
