//! Functions and blocks under construction.

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{
    Capability, ExecutionMode, ExecutionModel, FunctionControl, LoopControl, Op, SelectionControl,
    StorageClass, Word,
};

use super::encode::{encode, encode_ids};
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
        let mut frame = Frame {
            id,
            ..Frame::default()
        };
        let control = Operand::FunctionControl(FunctionControl::NONE);
        let operands = [control, Operand::IdRef(ty)];
        encode(
            &mut frame.words,
            Op::Function,
            [Some(result), Some(id)],
            &operands,
        );
        let ids: Vec<Word> = params.iter().map(|_| self.id()).collect();
        for (&ty, &id) in params.iter().zip(&ids) {
            encode_ids(&mut frame.words, Op::FunctionParameter, [ty, id], &[]);
        }
        self.frames.push(frame);
        let entry = self.id();
        self.begin_block(entry);
        if let Some(frame) = self.frames.last_mut() {
            frame.first = frame.words.len();
        }
        (id, ids)
    }

    /// Ends the innermost function, whose last block is terminated.
    pub(crate) fn end_function(&mut self) {
        let Some(mut frame) = self.frames.pop() else {
            return;
        };
        encode(&mut frame.words, Op::FunctionEnd, [None; 2], &[]);
        let (head, rest) = frame.words.split_at(frame.first);
        for part in [head, &frame.variables, rest] {
            self.functions.extend_from_slice(part);
        }
        self.references.add(frame.id, frame.references);
        if self.frames.is_empty() {
            // Facts on values of the function, which nothing outside refers to.
            self.multiples.clear();
        }
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
        if let Some(frame) = self.frames.last_mut() {
            encode(
                &mut frame.variables,
                Op::Variable,
                [Some(ty), Some(id)],
                &operands,
            );
        }
        id
    }

    /// Opens the block `label`; the one before has been terminated.
    pub(crate) fn begin_block(&mut self, label: Word) {
        if let Some(frame) = self.frames.last_mut() {
            frame.label = label;
            // `OpLine` holds to the end of its block.
            frame.last_line = None;
            encode(&mut frame.words, Op::Label, [None, Some(label)], &[]);
        }
    }

    /// The label of the open block.
    pub(crate) fn current_block(&self) -> Word {
        self.frames.last().map_or(0, |frame| frame.label)
    }

    /// Appends an instruction to the open block.
    pub(super) fn push(&mut self, op: Op, result: [Option<Word>; 2], operands: &[Operand]) {
        self.note_line(op);
        self.append(op, result, operands);
    }

    /// Appends an instruction whose result and operands are all ids.
    pub(super) fn push_ids(&mut self, op: Op, result: [Word; 2], operands: &[Word]) {
        self.note_line(op);
        self.note_references(op, operands.iter().copied());
        if let Some(frame) = self.frames.last_mut() {
            encode_ids(&mut frame.words, op, result, operands);
        }
    }

    fn append(&mut self, op: Op, result: [Option<Word>; 2], operands: &[Operand]) {
        let ids = operands.iter().filter_map(|operand| match operand {
            Operand::IdRef(id) => Some(*id),
            _ => None,
        });
        self.note_references(op, ids);
        if let Some(frame) = self.frames.last_mut() {
            encode(&mut frame.words, op, result, operands);
        }
    }

    /// Notes the globals and functions that an instruction refers to, for interfaces of entry
    /// points.
    fn note_references(&mut self, op: Op, ids: impl Iterator<Item = Word> + Clone) {
        if self.version < SpirvVersion::V1_4 {
            return;
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.references.note(op, ids, &self.variables);
        }
    }

    fn terminate(&mut self, op: Op, operands: &[Operand]) {
        self.append(op, [None; 2], operands);
    }

    pub(crate) fn ret(&mut self) {
        self.terminate(Op::Return, &[]);
    }

    pub(crate) fn ret_value(&mut self, value: Word) {
        self.terminate(Op::ReturnValue, &[Operand::IdRef(value)]);
    }

    pub(crate) fn branch(&mut self, to: Word) {
        self.terminate(Op::Branch, &[Operand::IdRef(to)]);
    }

    pub(crate) fn branch_if(&mut self, condition: Word, then: Word, otherwise: Word) {
        let ids = [condition, then, otherwise].map(Operand::IdRef);
        self.terminate(Op::BranchConditional, &ids);
    }

    pub(crate) fn selection_merge(&mut self, merge: Word) {
        let control = Operand::SelectionControl(SelectionControl::NONE);
        self.statement(Op::SelectionMerge, &[Operand::IdRef(merge), control]);
    }

    pub(crate) fn loop_merge(&mut self, merge: Word, continues: Word, control: LoopControl) {
        let control = Operand::LoopControl(control);
        let operands = [Operand::IdRef(merge), Operand::IdRef(continues), control];
        self.statement(Op::LoopMerge, &operands);
    }

    /// Phi of the open block, from pairs of a value and the block that it comes from.
    pub(crate) fn phi(&mut self, ty: Word, incoming: &[(Word, Word)]) -> Word {
        let operands: Vec<Word> = incoming.iter().flat_map(|&(v, b)| [v, b]).collect();
        self.op(Op::Phi, ty, &operands)
    }

    /// Phi of a loop's header. The value along the back edge is known only after the body
    /// ([`Emitter::add_back_edge`]).
    pub(crate) fn loop_phi(&mut self, ty: Word, value: Word, block: Word) -> Word {
        let id = self.op(Op::Phi, ty, &[value, block, 0, 0]);
        if let Some(frame) = self.frames.last_mut() {
            frame.open_phis.push((id, frame.words.len() - 2));
        }
        id
    }

    /// Adds the value that comes along the back edge to a phi of [`Emitter::loop_phi`].
    pub(crate) fn add_back_edge(&mut self, phi: Word, value: Word, block: Word) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        // The innermost loop ends first.
        if let Some(at) = frame.open_phis.iter().rposition(|&(open, _)| open == phi) {
            let (_, place) = frame.open_phis.remove(at);
            frame.words[place..place + 2].copy_from_slice(&[value, block]);
        }
    }
}
