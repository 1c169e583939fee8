//! Functions and blocks under construction.

use rspirv::dr::{Block, Instruction, Operand};
use rspirv::spirv::{
    Capability, ExecutionMode, ExecutionModel, FunctionControl, LoopControl, Op, SelectionControl,
    StorageClass, Word,
};

use super::{Emitter, Frame};
use crate::platform::SpirvVersion;

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

    /// Declares an execution mode of `SPV_KHR_float_controls` for floats of
    /// `width` bits in the entry point `function`.
    pub(crate) fn float_control(
        &mut self,
        function: Word,
        (mode, capability): (ExecutionMode, Capability),
        width: u32,
    ) {
        self.extension_before(SpirvVersion::V1_4, "SPV_KHR_float_controls");
        self.capability(capability);
        let operands = vec![
            Operand::IdRef(function),
            Operand::ExecutionMode(mode),
            Operand::LiteralBit32(width),
        ];
        let inst = Instruction::new(Op::ExecutionMode, None, None, operands);
        self.module.execution_modes.push(inst);
    }

    /// A variable of the innermost function.
    pub(crate) fn local_variable(&mut self, pointee: Word) -> Word {
        self.local(pointee, None)
    }

    /// A variable of the innermost function that starts as a constant.
    pub(crate) fn local_variable_of(&mut self, pointee: Word, constant: Word) -> Word {
        self.local(pointee, Some(constant))
    }

    fn local(&mut self, pointee: Word, initializer: Option<Word>) -> Word {
        let ty = self.pointer_type(StorageClass::Function, pointee);
        let id = self.id();
        let mut operands = vec![Operand::StorageClass(StorageClass::Function)];
        operands.extend(initializer.map(Operand::IdRef));
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
            // A place holds to the end of its block.
            frame.said = None;
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

    pub(super) fn push(&mut self, inst: Instruction) {
        self.note_line(inst.class.opcode);
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

    pub(crate) fn loop_merge(&mut self, merge: Word, continues: Word, control: LoopControl) {
        let control = Operand::LoopControl(control);
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
