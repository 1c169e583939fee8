//! A thin layer over rspirv's data representation: ids, types and constants
//! without duplicates, functions and blocks under construction.
//!
//! `rspirv::dr::Builder` is not used because its calls fail where no block is
//! open; here a frame always has an open block, so emission cannot fail.

use std::collections::{BTreeSet, HashMap};

use rspirv::binary::Assemble;
use rspirv::dr::{Block, Function, Instruction, Module, ModuleHeader, Operand};
use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel,
    FunctionControl, GlslStd450Op, LoopControl, MemoryModel, Op, SelectionControl, StorageClass,
    Word,
};

/// A function under construction.
#[derive(Default)]
struct Frame {
    function: Function,
    variables: Vec<Instruction>,
    block: Block,
    label: Word,
}

/// A module under construction.
pub(crate) struct Emitter {
    module: Module,
    next_id: Word,
    /// Types and constants already made, by their instruction without id.
    globals: HashMap<Instruction, Word>,
    /// The values of integer constants (sign-extended), by id.
    constants: HashMap<Word, i64>,
    builtins: HashMap<BuiltIn, Word>,
    capabilities: BTreeSet<Capability>,
    glsl: Option<Word>,
    /// Innermost last: a helper function may be begun inside another.
    frames: Vec<Frame>,
    /// Whether the module must pass naga.
    pub(crate) portable: bool,
    /// Whether floating-point operations are decorated `NoContraction`.
    pub(crate) forbid_contraction: bool,
}

impl Emitter {
    pub(crate) fn new(portable: bool) -> Self {
        let mut module = Module::new();
        module.memory_model = Some(Instruction::new(
            Op::MemoryModel,
            None,
            None,
            vec![
                Operand::AddressingModel(AddressingModel::Logical),
                Operand::MemoryModel(MemoryModel::GLSL450),
            ],
        ));
        Emitter {
            module,
            next_id: 1,
            globals: HashMap::new(),
            constants: HashMap::new(),
            builtins: HashMap::new(),
            capabilities: BTreeSet::from([Capability::Shader]),
            glsl: None,
            frames: Vec::new(),
            portable,
            forbid_contraction: false,
        }
    }

    /// The finished module.
    pub(crate) fn finish(mut self) -> Vec<Word> {
        self.module.capabilities = self
            .capabilities
            .iter()
            .map(|&capability| {
                let operands = vec![Operand::Capability(capability)];
                Instruction::new(Op::Capability, None, None, operands)
            })
            .collect();
        let mut header = ModuleHeader::new(self.next_id);
        header.set_version(1, 3);
        self.module.header = Some(header);
        self.module.assemble()
    }

    /// A fresh id.
    pub(crate) fn id(&mut self) -> Word {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// Declares a capability.
    pub(crate) fn capability(&mut self, capability: Capability) {
        self.capabilities.insert(capability);
    }

    /// Whether a capability has been declared.
    pub(crate) fn uses(&self, capability: Capability) -> bool {
        self.capabilities.contains(&capability)
    }

    /// Names an id for people and for translations.
    pub(crate) fn name(&mut self, id: Word, name: &str) {
        let operands = vec![Operand::IdRef(id), Operand::LiteralString(name.into())];
        let inst = Instruction::new(Op::Name, None, None, operands);
        self.module.debug_names.push(inst);
    }

    /// Decorates an id.
    pub(crate) fn decorate(&mut self, id: Word, decoration: Decoration, extra: &[Operand]) {
        let mut operands = vec![Operand::IdRef(id), Operand::Decoration(decoration)];
        operands.extend_from_slice(extra);
        let inst = Instruction::new(Op::Decorate, None, None, operands);
        self.module.annotations.push(inst);
    }
}

/// Types and constants.
impl Emitter {
    /// A type or constant, made once; the flag says whether it was made now.
    fn global(&mut self, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> (Word, bool) {
        let key = Instruction::new(op, ty, None, operands);
        if let Some(&id) = self.globals.get(&key) {
            return (id, false);
        }
        let id = self.id();
        let mut inst = key.clone();
        inst.result_id = Some(id);
        self.module.types_global_values.push(inst);
        self.globals.insert(key, id);
        (id, true)
    }

    pub(crate) fn void_type(&mut self) -> Word {
        self.global(Op::TypeVoid, None, vec![]).0
    }

    pub(crate) fn bool_type(&mut self) -> Word {
        self.global(Op::TypeBool, None, vec![]).0
    }

    pub(crate) fn int_type(&mut self, bits: u32, signed: bool) -> Word {
        if bits == 64 {
            self.capability(Capability::Int64);
        }
        let operands = vec![
            Operand::LiteralBit32(bits),
            Operand::LiteralBit32(signed.into()),
        ];
        self.global(Op::TypeInt, None, operands).0
    }

    pub(crate) fn float_type(&mut self, bits: u32) -> Word {
        if bits == 64 {
            self.capability(Capability::Float64);
        }
        let operands = vec![Operand::LiteralBit32(bits)];
        self.global(Op::TypeFloat, None, operands).0
    }

    /// `lanes` of `element`; the element itself for one lane.
    pub(crate) fn vector_type(&mut self, element: Word, lanes: u32) -> Word {
        if lanes == 1 {
            return element;
        }
        let operands = vec![Operand::IdRef(element), Operand::LiteralBit32(lanes)];
        self.global(Op::TypeVector, None, operands).0
    }

    pub(crate) fn pointer_type(&mut self, class: StorageClass, to: Word) -> Word {
        let operands = vec![Operand::StorageClass(class), Operand::IdRef(to)];
        self.global(Op::TypePointer, None, operands).0
    }

    /// An array without explicit layout, for private and workgroup memory.
    pub(crate) fn array_type(&mut self, element: Word, length: u32) -> Word {
        let length = self.u32_const(length);
        let operands = vec![Operand::IdRef(element), Operand::IdRef(length)];
        self.global(Op::TypeArray, None, operands).0
    }

    /// A runtime array with its stride, for storage buffers.
    pub(crate) fn runtime_array_type(&mut self, element: Word, stride: u32) -> Word {
        let operands = vec![Operand::IdRef(element)];
        let (id, new) = self.global(Op::TypeRuntimeArray, None, operands);
        if new {
            let stride = [Operand::LiteralBit32(stride)];
            self.decorate(id, Decoration::ArrayStride, &stride);
        }
        id
    }

    /// A new block structure with these members at these offsets. Structures
    /// are not shared: their decorations are part of the interface.
    pub(crate) fn block_type(&mut self, members: &[(Word, u32)]) -> Word {
        let id = self.id();
        let types = members.iter().map(|&(ty, _)| Operand::IdRef(ty)).collect();
        let inst = Instruction::new(Op::TypeStruct, None, Some(id), types);
        self.module.types_global_values.push(inst);
        self.decorate(id, Decoration::Block, &[]);
        for (member, &(_, offset)) in (0..).zip(members) {
            let operands = vec![
                Operand::IdRef(id),
                Operand::LiteralBit32(member),
                Operand::Decoration(Decoration::Offset),
                Operand::LiteralBit32(offset),
            ];
            let inst = Instruction::new(Op::MemberDecorate, None, None, operands);
            self.module.annotations.push(inst);
        }
        id
    }

    /// A module-scope variable.
    pub(crate) fn global_variable(&mut self, class: StorageClass, pointee: Word) -> Word {
        let ty = self.pointer_type(class, pointee);
        let id = self.id();
        let operands = vec![Operand::StorageClass(class)];
        let inst = Instruction::new(Op::Variable, Some(ty), Some(id), operands);
        self.module.types_global_values.push(inst);
        id
    }

    /// The input variable of a builtin, made once. All entry points of the
    /// module may list it in their interface.
    pub(crate) fn builtin(&mut self, builtin: BuiltIn, ty: Word) -> Word {
        if let Some(&id) = self.builtins.get(&builtin) {
            return id;
        }
        let id = self.global_variable(StorageClass::Input, ty);
        self.decorate(id, Decoration::BuiltIn, &[Operand::BuiltIn(builtin)]);
        self.builtins.insert(builtin, id);
        id
    }

    /// A scalar constant from its bits, `ty` being an integer or float type of
    /// `width` (32 or 64) bits.
    pub(crate) fn bits_const(&mut self, ty: Word, width: u32, bits: u64) -> Word {
        let literal = if width == 64 {
            Operand::LiteralBit64(bits)
        } else {
            Operand::LiteralBit32(bits as u32)
        };
        self.global(Op::Constant, Some(ty), vec![literal]).0
    }

    /// A signed or unsigned integer constant; `value` is taken modulo the width.
    pub(crate) fn int_const(&mut self, bits: u32, signed: bool, value: i64) -> Word {
        let ty = self.int_type(bits, signed);
        let id = self.bits_const(ty, bits, value as u64);
        let value = if bits == 32 {
            i64::from(value as i32)
        } else {
            value
        };
        self.constants.insert(id, value);
        id
    }

    pub(crate) fn u32_const(&mut self, value: u32) -> Word {
        self.int_const(32, false, value.into())
    }

    pub(crate) fn bool_const(&mut self, value: bool) -> Word {
        let ty = self.bool_type();
        let op = if value {
            Op::ConstantTrue
        } else {
            Op::ConstantFalse
        };
        self.global(op, Some(ty), vec![]).0
    }

    /// A constant vector; the part itself when there is one.
    pub(crate) fn composite_const(&mut self, ty: Word, parts: &[Word]) -> Word {
        match parts {
            [one] => *one,
            _ => {
                let operands = parts.iter().map(|&p| Operand::IdRef(p)).collect();
                self.global(Op::ConstantComposite, Some(ty), operands).0
            }
        }
    }

    /// The value of an integer constant made here, sign-extended from its width.
    pub(crate) fn constant_value(&self, id: Word) -> Option<i64> {
        self.constants.get(&id).copied()
    }
}

/// Functions and blocks.
impl Emitter {
    /// Begins a function and its entry block; returns its id and its
    /// parameters'. Functions may be begun while another is open.
    pub(crate) fn begin_function(&mut self, result: Word, params: &[Word]) -> (Word, Vec<Word>) {
        let mut signature = vec![Operand::IdRef(result)];
        signature.extend(params.iter().map(|&p| Operand::IdRef(p)));
        let ty = self.global(Op::TypeFunction, None, signature).0;
        let id = self.id();
        let mut frame = Frame::default();
        frame.function.def = Some(Instruction::new(
            Op::Function,
            Some(result),
            Some(id),
            vec![
                Operand::FunctionControl(FunctionControl::NONE),
                Operand::IdRef(ty),
            ],
        ));
        let ids: Vec<Word> = params.iter().map(|_| self.id()).collect();
        for (&ty, &id) in params.iter().zip(&ids) {
            let inst = Instruction::new(Op::FunctionParameter, Some(ty), Some(id), vec![]);
            frame.function.parameters.push(inst);
        }
        self.frames.push(frame);
        let entry = self.id();
        self.begin_block(entry);
        (id, ids)
    }

    /// Ends the innermost function, whose last block is terminated.
    pub(crate) fn end_function(&mut self) {
        let Some(mut frame) = self.frames.pop() else {
            return;
        };
        if let Some(entry) = frame.function.blocks.first_mut() {
            entry.instructions.splice(0..0, frame.variables);
        }
        frame.function.end = Some(Instruction::new(Op::FunctionEnd, None, None, vec![]));
        self.module.functions.push(frame.function);
    }

    /// Declares a compute entry point.
    pub(crate) fn entry_point(
        &mut self,
        function: Word,
        name: &str,
        interface: &[Word],
        workgroup_size: [u32; 3],
    ) {
        let mut operands = vec![
            Operand::ExecutionModel(ExecutionModel::GLCompute),
            Operand::IdRef(function),
            Operand::LiteralString(name.into()),
        ];
        operands.extend(interface.iter().map(|&id| Operand::IdRef(id)));
        let inst = Instruction::new(Op::EntryPoint, None, None, operands);
        self.module.entry_points.push(inst);
        let mut operands = vec![
            Operand::IdRef(function),
            Operand::ExecutionMode(ExecutionMode::LocalSize),
        ];
        operands.extend(workgroup_size.map(Operand::LiteralBit32));
        let inst = Instruction::new(Op::ExecutionMode, None, None, operands);
        self.module.execution_modes.push(inst);
    }

    /// A variable of the innermost function.
    pub(crate) fn local_variable(&mut self, pointee: Word) -> Word {
        let ty = self.pointer_type(StorageClass::Function, pointee);
        let id = self.id();
        let operands = vec![Operand::StorageClass(StorageClass::Function)];
        let inst = Instruction::new(Op::Variable, Some(ty), Some(id), operands);
        if let Some(frame) = self.frames.last_mut() {
            frame.variables.push(inst);
        }
        id
    }

    /// Opens the block `label`; the one before has been terminated.
    pub(crate) fn begin_block(&mut self, label: Word) {
        if let Some(frame) = self.frames.last_mut() {
            frame.label = label;
            frame.block = Block {
                label: Some(Instruction::new(Op::Label, None, Some(label), vec![])),
                instructions: Vec::new(),
            };
        }
    }

    /// The label of the open block.
    pub(crate) fn current_block(&self) -> Word {
        self.frames.last().map_or(0, |frame| frame.label)
    }

    fn push(&mut self, inst: Instruction) {
        if let Some(frame) = self.frames.last_mut() {
            frame.block.instructions.push(inst);
        }
    }

    fn terminate(&mut self, op: Op, operands: Vec<Operand>) {
        if let Some(frame) = self.frames.last_mut() {
            let mut block = std::mem::take(&mut frame.block);
            block
                .instructions
                .push(Instruction::new(op, None, None, operands));
            frame.function.blocks.push(block);
        }
    }

    pub(crate) fn ret(&mut self) {
        self.terminate(Op::Return, vec![]);
    }

    pub(crate) fn ret_value(&mut self, value: Word) {
        self.terminate(Op::ReturnValue, vec![Operand::IdRef(value)]);
    }

    pub(crate) fn branch(&mut self, to: Word) {
        self.terminate(Op::Branch, vec![Operand::IdRef(to)]);
    }

    pub(crate) fn branch_if(&mut self, condition: Word, then: Word, otherwise: Word) {
        let ids = [condition, then, otherwise].map(Operand::IdRef);
        self.terminate(Op::BranchConditional, ids.to_vec());
    }

    pub(crate) fn selection_merge(&mut self, merge: Word) {
        let control = Operand::SelectionControl(SelectionControl::NONE);
        self.statement(Op::SelectionMerge, vec![Operand::IdRef(merge), control]);
    }

    pub(crate) fn loop_merge(&mut self, merge: Word, continues: Word) {
        let control = Operand::LoopControl(LoopControl::NONE);
        let operands = vec![Operand::IdRef(merge), Operand::IdRef(continues), control];
        self.statement(Op::LoopMerge, operands);
    }

    /// The value that came along with control: pairs of value and block.
    pub(crate) fn phi(&mut self, ty: Word, incoming: &[(Word, Word)]) -> Word {
        let operands = incoming
            .iter()
            .flat_map(|&(value, block)| [Operand::IdRef(value), Operand::IdRef(block)])
            .collect();
        self.instruction(Op::Phi, ty, operands)
    }

    /// Adds an edge to a phi of the terminated block `header`: the back edge
    /// of a loop, whose value is known only when the body is there.
    pub(crate) fn add_incoming(&mut self, header: Word, phi: Word, value: Word, block: Word) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let blocks = frame.function.blocks.iter_mut().rev();
        let mut headers =
            blocks.filter(|b| b.label.as_ref().and_then(|l| l.result_id) == Some(header));
        let instructions = headers.next().map(|b| b.instructions.iter_mut());
        let phi = instructions.and_then(|mut i| i.find(|inst| inst.result_id == Some(phi)));
        if let Some(inst) = phi {
            inst.operands.push(Operand::IdRef(value));
            inst.operands.push(Operand::IdRef(block));
        }
    }
}

/// Instructions in the open block.
impl Emitter {
    /// An instruction without a result.
    pub(crate) fn statement(&mut self, op: Op, operands: Vec<Operand>) {
        self.push(Instruction::new(op, None, None, operands));
    }

    /// An instruction without a result whose operands are all ids.
    pub(crate) fn statement_of_ids(&mut self, op: Op, ids: &[Word]) {
        self.statement(op, ids.iter().map(|&id| Operand::IdRef(id)).collect());
    }

    /// Part number `index` of a composite.
    pub(crate) fn extract(&mut self, ty: Word, composite: Word, index: u32) -> Word {
        let operands = vec![Operand::IdRef(composite), Operand::LiteralBit32(index)];
        self.instruction(Op::CompositeExtract, ty, operands)
    }

    /// An instruction with a result.
    pub(crate) fn instruction(&mut self, op: Op, ty: Word, operands: Vec<Operand>) -> Word {
        let id = self.id();
        self.push(Instruction::new(op, Some(ty), Some(id), operands));
        id
    }

    /// An instruction whose operands are all ids.
    pub(crate) fn op(&mut self, op: Op, ty: Word, ids: &[Word]) -> Word {
        let operands = ids.iter().map(|&id| Operand::IdRef(id)).collect();
        self.instruction(op, ty, operands)
    }

    /// An instruction of the GLSL.std.450 set.
    pub(crate) fn glsl(&mut self, op: GlslStd450Op, ty: Word, ids: &[Word]) -> Word {
        let set = match self.glsl {
            Some(set) => set,
            None => self.import_glsl(),
        };
        let mut operands = vec![
            Operand::IdRef(set),
            Operand::LiteralExtInstInteger(op as u32),
        ];
        operands.extend(ids.iter().map(|&id| Operand::IdRef(id)));
        self.instruction(Op::ExtInst, ty, operands)
    }

    fn import_glsl(&mut self) -> Word {
        let id = self.id();
        let operands = vec![Operand::LiteralString("GLSL.std.450".into())];
        let inst = Instruction::new(Op::ExtInstImport, None, Some(id), operands);
        self.module.ext_inst_imports.push(inst);
        self.glsl = Some(id);
        id
    }

    pub(crate) fn load(&mut self, ty: Word, pointer: Word) -> Word {
        self.op(Op::Load, ty, &[pointer])
    }

    pub(crate) fn store(&mut self, pointer: Word, value: Word) {
        let operands = vec![Operand::IdRef(pointer), Operand::IdRef(value)];
        self.statement(Op::Store, operands);
    }

    /// A pointer to a part of what `base` points to.
    pub(crate) fn access(
        &mut self,
        class: StorageClass,
        pointee: Word,
        base: Word,
        indices: &[Word],
    ) -> Word {
        let ty = self.pointer_type(class, pointee);
        let mut ids = vec![base];
        ids.extend_from_slice(indices);
        self.op(Op::AccessChain, ty, &ids)
    }
}
