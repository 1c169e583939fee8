//! Global instructions: those that become operations of the module. Variables, specialization
//! constants, entry points.

use gridloom_dialects::inherent;
use gridloom_dialects::spirv::make;
use gridloom_ir::attr::NamedAttr;
use gridloom_ir::{Attr, AttrKind, BlockId, Body, Ident, OpState, Type};
use rspirv::dr;
use rspirv::spirv::{BuiltIn, Decoration, ExecutionMode, Op, Word};

use super::constants::{bits, scalar};
use super::{Callee, Global, Reader, Reading, id_at, literal, text};

impl Reader<'_> {
    /// A type, constant or variable of the module.
    pub(super) fn global(
        &mut self,
        body: &mut Body,
        block: BlockId,
        inst: &dr::Instruction,
    ) -> Reading<()> {
        if self.type_inst(inst)? || matches!(inst.class.opcode, Op::Line | Op::NoLine) {
            return Ok(());
        }
        let id = self.result_id(inst)?;
        self.note_workgroup_size(inst, id)?;
        let global = match inst.class.opcode {
            Op::Variable => self.variable(body, block, inst)?,
            Op::SpecConstant | Op::SpecConstantTrue | Op::SpecConstantFalse => {
                let ty = self.result_type(inst)?;
                let value = match inst.class.opcode {
                    Op::SpecConstantTrue => Some(self.ctx.bool_attr(true)),
                    Op::SpecConstantFalse => Some(self.ctx.bool_attr(false)),
                    _ => scalar(self.ctx, ty, bits(inst)),
                };
                let value = value.ok_or_else(|| self.refuse(inst, "it is of no scalar type"))?;
                let number = self.decorations_of(id).find(|d| d.0 == SPEC_ID);
                let name = self.spec_constant(body, block, Some(id), value, number);
                Global::SpecConstant(name, ty)
            }
            Op::SpecConstantComposite => {
                let ty = self.result_type(inst)?;
                let ids: Vec<Word> = inst
                    .operands
                    .iter()
                    .filter_map(|o| o.id_ref_any())
                    .collect();
                let mut parts = Vec::with_capacity(ids.len());
                for part in ids {
                    parts.push(self.initializer(body, block, inst, part)?);
                }
                let name = self.spec_composite(body, block, Some(id), &parts, ty);
                Global::SpecConstant(name, ty)
            }
            _ => match self.constant_inst(inst)? {
                Some(global) => global,
                None => {
                    let why = "the dialect has no form for it in a module: 'spirv-opt \
                               --freeze-spec-const --fold-spec-const-op-composite' computes \
                               constants of specialization constants";
                    return Err(self.refuse(inst, why));
                }
            },
        };
        self.globals.insert(id, global);
        Ok(())
    }

    fn decorations_of(&self, id: Word) -> impl Iterator<Item = make::Decoration> {
        let list = self.decorations.get(&id).map_or(&[][..], Vec::as_slice);
        list.iter().copied()
    }

    /// Keeps a constant that is decorated as the workgroup size: it goes before the execution mode `LocalSize`, which the
    /// dialect knows alone.
    fn note_workgroup_size(&mut self, inst: &dr::Instruction, id: Word) -> Reading<()> {
        const BUILT_IN: u32 = Decoration::BuiltIn as u32;
        const WORKGROUP_SIZE: u32 = BuiltIn::WorkgroupSize as u32;
        let found = self
            .decorations_of(id)
            .find(|decoration| decoration.0 == BUILT_IN);
        let Some((_, built_in)) = found else {
            return Ok(());
        };
        let is_size = built_in == Some(WORKGROUP_SIZE);
        if is_size && inst.class.opcode == Op::ConstantComposite {
            for (axis, part) in (0..3).filter_map(|axis| Some((axis, id_at(inst, axis)?))) {
                self.workgroup_size[axis] = Some(self.constant(inst, part)?);
            }
            return Ok(());
        }
        if inst.class.opcode != Op::Variable {
            let why = "the dialect has no constants that are built in: say the workgroup size by \
                       the execution mode LocalSize, or make its specialization constants \
                       constants by 'spirv-opt --freeze-spec-const'";
            return Err(self.refuse(inst, why));
        }
        Ok(())
    }

    fn variable(
        &mut self,
        body: &mut Body,
        block: BlockId,
        inst: &dr::Instruction,
    ) -> Reading<Global> {
        let ctx = self.ctx;
        let (id, ty) = (self.result_id(inst)?, self.result_type(inst)?);
        let wanted = match self.names.get(&id) {
            Some(name) if !name.is_empty() => (*name).to_owned(),
            _ => self.default_name(id),
        };
        let name = self.symbol(&wanted);
        let mut state = OpState::new(self.row("GlobalVariable").0, self.loc);
        state = state
            .property(ctx, inherent::SYM_NAME, ctx.string_attr(ctx.str(name)))
            .property(ctx, inherent::TYPE, ctx.type_attr(ty));
        if let Some(initializer) = id_at(inst, 1) {
            let symbol = self.initializer(body, block, inst, initializer)?;
            state = state.property(ctx, inherent::INITIALIZER, ctx.symbol_attr(symbol));
        }
        const INHERENT: [&str; 4] = ["binding", "built_in", "descriptor_set", "location"];
        for (name, value) in self.decoration_attrs(inst, id)? {
            let is_inherent = INHERENT.contains(&ctx.str(name));
            let list = match is_inherent {
                true => &mut state.properties,
                false => &mut state.attributes,
            };
            *list = list.with(ctx, name, value);
        }
        let op = body.create_op(state);
        body.append(block, op);
        Ok(Global::Variable(name, ty))
    }

    /// Default name of a variable: `GlobalInvocationId` by its builtin, as MLIR's conversions name
    /// it, else by its id.
    fn default_name(&self, id: Word) -> String {
        const BUILT_IN: u32 = Decoration::BuiltIn as u32;
        let built_in = self.decorations_of(id).find(|d| d.0 == BUILT_IN);
        let name = built_in.and_then(|(_, number)| make::built_in_name(number?));
        match name {
            Some(name) => format!("__builtin__{name}__"),
            None => format!("spirv_var_{id}"),
        }
    }

    /// Symbol of the constant that initializes a variable. MLIR takes specialization constants
    /// only; one without a number is an ordinary constant, which nobody can specialize.
    fn initializer(
        &mut self,
        body: &mut Body,
        block: BlockId,
        inst: &dr::Instruction,
        id: Word,
    ) -> Reading<Ident> {
        let (attr, ty) = match self.globals.get(&id) {
            Some(Global::SpecConstant(name, _)) => return Ok(*name),
            Some(Global::Constant(attr, ty)) => (*attr, *ty),
            _ => return Err(self.refuse(inst, "MLIR has no such initializer")),
        };
        self.constant_symbol(body, block, inst, attr, ty)
    }

    fn constant_symbol(
        &mut self,
        body: &mut Body,
        block: BlockId,
        inst: &dr::Instruction,
        attr: Attr,
        ty: Type,
    ) -> Reading<Ident> {
        let ctx = self.ctx;
        let element = gridloom_dialects::spirv::view::element_type(ctx, ty, 0);
        let count = gridloom_dialects::spirv::view::num_elements(ctx, ty).unwrap_or(0);
        let parts = match attr.kind(ctx) {
            AttrKind::Integer { .. } | AttrKind::Float { .. } => {
                return Ok(self.spec_constant(body, block, None, attr, None));
            }
            AttrKind::Array(items) => items.to_vec(),
            _ => match &attr.stored_elements(ctx)[..] {
                [splat] if count > 1 => vec![*splat; usize::try_from(count).unwrap_or(0)],
                parts => parts.to_vec(),
            },
        };
        let Some(element) = element.filter(|_| !parts.is_empty()) else {
            return Err(self.refuse(inst, "MLIR has no such initializer"));
        };
        let mut symbols = Vec::with_capacity(parts.len());
        for part in parts {
            symbols.push(self.constant_symbol(body, block, inst, part, element)?);
        }
        Ok(self.spec_composite(body, block, None, &symbols, ty))
    }

    fn spec_constant(
        &mut self,
        body: &mut Body,
        block: BlockId,
        id: Option<Word>,
        value: Attr,
        number: Option<make::Decoration>,
    ) -> Ident {
        let ctx = self.ctx;
        let name = self.constant_name(id);
        let mut state = OpState::new(self.row("SpecConstant").0, self.loc)
            .property(ctx, inherent::SYM_NAME, ctx.string_attr(ctx.str(name)))
            .property(ctx, inherent::DEFAULT_VALUE, value);
        if let Some((_, Some(number))) = number {
            let number = ctx.int_attr(ctx.int_type(32), i64::from(number));
            state.attributes = state.attributes.with(ctx, ctx.ident("spec_id"), number);
        }
        let op = body.create_op(state);
        body.append(block, op);
        name
    }

    fn spec_composite(
        &mut self,
        body: &mut Body,
        block: BlockId,
        id: Option<Word>,
        parts: &[Ident],
        ty: Type,
    ) -> Ident {
        let ctx = self.ctx;
        let name = self.constant_name(id);
        let parts: Vec<Attr> = parts.iter().map(|&part| ctx.symbol_attr(part)).collect();
        let state = OpState::new(self.row("SpecConstantComposite").0, self.loc)
            .property(ctx, inherent::SYM_NAME, ctx.string_attr(ctx.str(name)))
            .property(ctx, inherent::TYPE, ctx.type_attr(ty))
            .property(ctx, inherent::CONSTITUENTS, ctx.array_attr(&parts));
        let op = body.create_op(state);
        body.append(block, op);
        name
    }

    fn constant_name(&mut self, id: Option<Word>) -> Ident {
        let named = id.and_then(|id| self.names.get(&id).copied());
        self.symbol(named.filter(|name| !name.is_empty()).unwrap_or("constant"))
    }

    /// The decorations of an id as attributes under MLIR's names: `binding = 0 : i32`, `non_writable`.
    pub(super) fn decoration_attrs(
        &self,
        inst: &dr::Instruction,
        id: Word,
    ) -> Reading<Vec<NamedAttr>> {
        const BUILT_IN: u32 = Decoration::BuiltIn as u32;
        let ctx = self.ctx;
        let mut attrs: Vec<NamedAttr> = Vec::new();
        for (number, value) in self.decorations_of(id) {
            let Some(name) = make::decoration_name(number) else {
                return Err(self.refuse(inst, &format!("MLIR does not know decoration {number}")));
            };
            let value = match (number, value) {
                (BUILT_IN, Some(value)) => match make::built_in_name(value) {
                    Some(name) => ctx.string_attr(name),
                    None => return Err(self.refuse(inst, "MLIR does not know what is built in")),
                },
                (_, Some(value)) => ctx.int_attr(ctx.int_type(32), i64::from(value as i32)),
                (_, None) => ctx.unit_attr(),
            };
            attrs.push((ctx.ident(&super::super::opcodes::snake_case(name)), value));
        }
        Ok(attrs)
    }

    /// The symbols and types of all functions, which may call those behind them.
    pub(super) fn declare_functions(&mut self) -> Reading<()> {
        for function in &self.source.functions {
            let Some(def) = &function.def else { continue };
            let id = self.result_id(def)?;
            let signature = id_at(def, 1).and_then(|id| self.signatures.get(&id));
            let Some((params, result)) = signature.cloned() else {
                return Err(self.refuse(def, "its type is not declared before"));
            };
            let mut entries = self.source.entry_points.iter();
            let entry = entries.find(|inst| id_at(inst, 1) == Some(id));
            let name = match (entry.and_then(|inst| text(inst, 2)), self.names.get(&id)) {
                (Some(entry), _) => entry.to_owned(),
                (None, Some(name)) if !name.is_empty() => (*name).to_owned(),
                _ => format!("spirv_fn_{id}"),
            };
            let name = match entry {
                // An entry point is called as its function, so its name goes before others.
                Some(inst) if !self.symbols.insert(name.clone()) => {
                    return Err(self.refuse(inst, "another symbol of the module has this name"));
                }
                Some(_) => self.ctx.ident(&name),
                None => self.symbol(&name),
            };
            let callee = Callee {
                name,
                params,
                result,
            };
            self.functions.insert(id, callee);
        }
        Ok(())
    }

    /// Entry points and execution modes.
    pub(super) fn entry_points(&self, body: &mut Body, block: BlockId) -> Reading<()> {
        let ctx = self.ctx;
        for inst in &self.source.entry_points {
            let callee = self.entry(inst, id_at(inst, 1))?;
            if Some(ctx.str(callee.name)) != text(inst, 2) {
                let why = "the dialect names an entry point as its function, which has one name";
                return Err(self.refuse(inst, why));
            }
            let variables = (3..inst.operands.len()).filter_map(|index| id_at(inst, index));
            let variables = variables.map(|id| match self.globals.get(&id) {
                Some(Global::Variable(name, _)) => Ok(ctx.symbol_attr(*name)),
                _ => Err(self.refuse(inst, "its interface is no list of variables")),
            });
            let variables = variables.collect::<Reading<Vec<Attr>>>()?;
            let (op, row) = self.row("EntryPoint");
            let model = inst.operands.first().map_or(0, literal);
            let model = self.case(row, "execution_model", model, inst)?;
            let state = OpState::new(op, self.loc)
                .property(ctx, inherent::EXECUTION_MODEL, model)
                .property(ctx, inherent::FN, ctx.symbol_attr(callee.name))
                .property(ctx, inherent::INTERFACE, ctx.array_attr(&variables));
            let op = body.create_op(state);
            body.append(block, op);
        }
        for inst in &self.source.execution_modes {
            if inst.class.opcode != Op::ExecutionMode {
                let why = "the dialect has no execution modes of ids: LocalSize takes numbers";
                return Err(self.refuse(inst, why));
            }
            let callee = self.entry(inst, id_at(inst, 0))?;
            let (op, row) = self.row("ExecutionMode");
            let number = inst.operands.get(1).map_or(0, literal);
            let mode = self.case(row, "execution_mode", number, inst)?;
            let values = inst.operands.get(2..).unwrap_or_default().iter();
            let mut values: Vec<Word> = values.map(literal).collect();
            if number == ExecutionMode::LocalSize as u32 {
                for (value, size) in values.iter_mut().zip(self.workgroup_size) {
                    *value = size.unwrap_or(*value);
                }
            }
            let int = ctx.int_type(32);
            let values = values
                .into_iter()
                .map(|value| ctx.int_attr(int, i64::from(value as i32)));
            let values: Vec<Attr> = values.collect();
            let state = OpState::new(op, self.loc)
                .property(ctx, inherent::FN, ctx.symbol_attr(callee.name))
                .property(ctx, inherent::EXECUTION_MODE, mode)
                .property(ctx, inherent::VALUES, ctx.array_attr(&values));
            let op = body.create_op(state);
            body.append(block, op);
        }
        Ok(())
    }

    fn entry(&self, inst: &dr::Instruction, id: Option<Word>) -> Reading<&Callee> {
        let found = id.and_then(|id| self.functions.get(&id));
        found.ok_or_else(|| self.refuse(inst, "there is no such function"))
    }
}

const SPEC_ID: u32 = Decoration::SpecId as u32;
