//! Functions: regions become blocks with merge instructions.
//!
//! A block of a region is a block of the function, and ends early at each selection or loop in it: a selection's first
//! block goes on in the same block, a loop begins with its header. What follows is the block that merges it. Phis are the
//! arguments of blocks; what they take is known once all branches are written.

use gridloom_dialects::inherent;
use gridloom_ir::body::OpData;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{BlockId, Body, Context, OpId, Value};
use rspirv::dr::{self, Instruction, Operand};
use rspirv::spirv::{FunctionControl, LoopControl, Op, SelectionControl, Word};

use super::{Writer, Writing, refuse};

impl<'a> Writer<'a> {
    pub(super) fn function(&mut self, op: &'a OpData) -> Writing<()> {
        let ctx = self.ctx;
        let ty = op.get(ctx, inherent::FUNCTION_TYPE);
        let signature = ty.and_then(|ty| ty.function(ctx));
        let name = op.symbol_name(ctx);
        let (Some((inputs, results)), Some(name), Some(body)) = (signature, name, op.isolated())
        else {
            return Err(refuse(op, "it has no name, type or body"));
        };
        let Some(entry) = body.entry() else {
            return Err(refuse(
                op,
                "a function of another module has no binary form here",
            ));
        };
        let lists = ["arg_attrs", "res_attrs", "linkage_attributes"];
        if !op.attributes.is_empty() || lists.iter().any(|list| op.attr(ctx, list).is_some()) {
            let why = "the interface of a function must be lowered to variables: 'mlir-opt \
                       --spirv-lower-abi-attrs' does that";
            return Err(refuse(op, why));
        }
        let (result, ty) = self.signature(op, inputs, results)?;
        let id = self.functions.get(&name).copied().unwrap_or(0);
        self.name(id, ctx.str(name));
        let control = self
            .case(op, "function_control")?
            .and_then(FunctionControl::from_bits);
        let control = control.unwrap_or(FunctionControl::NONE);
        let operands = vec![Operand::FunctionControl(control), Operand::IdRef(ty)];
        let mut function = dr::Function::new();
        function.def = Some(Instruction::new(
            Op::Function,
            Some(result),
            Some(id),
            operands,
        ));
        let mut inner = FunctionWriter {
            ctx,
            body,
            w: self,
            values: FxHashMap::default(),
            labels: FxHashMap::default(),
            edges: FxHashMap::default(),
            phis: Vec::new(),
            variables: Vec::new(),
            blocks: Vec::new(),
            label: 0,
            insts: Vec::new(),
            depth: 0,
        };
        for &arg in &body[entry].args {
            let id = inner.id_of(arg);
            let ty = inner.w.ty(op, body.ty(arg))?;
            let inst = Instruction::new(Op::FunctionParameter, Some(ty), Some(id), vec![]);
            function.parameters.push(inst);
        }
        inner.run(op, entry)?;
        function.blocks = inner.blocks;
        function.end = Some(Instruction::new(Op::FunctionEnd, None, None, vec![]));
        self.module.functions.push(function);
        Ok(())
    }
}

pub(super) struct FunctionWriter<'w, 'a> {
    pub(super) ctx: &'a Context,
    pub(super) body: &'a Body,
    pub(super) w: &'w mut Writer<'a>,
    pub(super) values: FxHashMap<Value, Word>,
    labels: FxHashMap<BlockId, Word>,
    /// Incoming edges by the block's label: the branching block, and the values that it passes.
    edges: FxHashMap<Word, Vec<(Word, Vec<Value>)>>,
    /// Phis without operands: label, place, number of the argument.
    phis: Vec<(Word, usize, usize, usize)>,
    variables: Vec<Instruction>,
    blocks: Vec<dr::Block>,
    /// The open block.
    label: Word,
    insts: Vec<Instruction>,
    depth: u32,
}

impl FunctionWriter<'_, '_> {
    fn run(&mut self, op: &OpData, entry: BlockId) -> Writing<()> {
        let label = self.label_of(entry);
        self.begin(label);
        self.block(entry, None)?;
        for block in self.order(entry, None) {
            self.own_block(op, block, None)?;
        }
        self.complete_phis(op)?;
        if let Some(first) = self.blocks.first_mut() {
            first.instructions.splice(0..0, self.variables.drain(..));
        }
        Ok(())
    }

    /// Dominance order of a region's blocks but the first, without the merge block.
    fn order(&self, first: BlockId, merge: Option<BlockId>) -> Vec<BlockId> {
        let Some(region) = self.body[first].parent() else {
            return Vec::new();
        };
        let blocks = &self.body[region].blocks;
        let mut order = Vec::with_capacity(blocks.len());
        let mut seen: gridloom_ir::hash::FxHashSet<BlockId> = [first].into_iter().collect();
        seen.extend(merge);
        let mut stack = vec![(first, 0)];
        while let Some((block, next)) = stack.last_mut() {
            let last = self.body[*block].last();
            let succs = last.map_or(&[][..], |last| self.body[last].successors());
            // The last successor first, so that the first comes first in the reversed order.
            let succ = succs.len().checked_sub(*next + 1).map(|at| succs[at]);
            match succ {
                Some(succ) => {
                    *next += 1;
                    if seen.insert(succ) {
                        stack.push((succ, 0));
                    }
                }
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
        order.reverse();
        let unreachable = blocks.iter().filter(|block| !seen.contains(block));
        order.extend(unreachable);
        order.retain(|&block| block != first);
        order
    }

    /// Writes a block that begins with its own label.
    fn own_block(
        &mut self,
        op: &OpData,
        block: BlockId,
        merge: Option<Instruction>,
    ) -> Writing<()> {
        let label = self.label_of(block);
        self.begin(label);
        self.begin_phis(op, block)?;
        self.block(block, merge)
    }

    fn begin_phis(&mut self, op: &OpData, block: BlockId) -> Writing<()> {
        let label = self.label_of(block);
        for (number, &arg) in self.body[block].args.iter().enumerate() {
            let ty = self.w.ty(op, self.body.ty(arg))?;
            let id = self.id_of(arg);
            let place = (self.blocks.len(), self.insts.len());
            self.phis.push((label, place.0, place.1, number));
            self.insts
                .push(Instruction::new(Op::Phi, Some(ty), Some(id), vec![]));
        }
        Ok(())
    }

    /// Writes the operations of a block into the open one; `merge` goes before the terminator, or before the first
    /// construct inside.
    fn block(&mut self, block: BlockId, mut merge: Option<Instruction>) -> Writing<()> {
        let ops: Vec<OpId> = self.body.ops(block).collect();
        for op in ops {
            let data = &self.body[op];
            match self.ctx.op_name_str(data.name) {
                "spirv.mlir.selection" | "spirv.mlir.loop" => {
                    if let Some(merge) = merge.take() {
                        let on = self.w.id();
                        self.insts.push(merge);
                        self.end(Op::Branch, vec![Operand::IdRef(on)]);
                        self.begin(on);
                    }
                    self.construct(op)?;
                }
                "spirv.Branch" | "spirv.BranchConditional" | "spirv.Switch" => {
                    self.insts.extend(merge.take());
                    self.branch(data)?;
                }
                "spirv.mlir.merge" => {}
                _ => {
                    let is_end = self.body[block].last() == Some(op);
                    if is_end {
                        // A return behind a merge instruction: nothing merges there.
                        merge = None;
                    }
                    self.instruction(data)?;
                    if is_end {
                        self.close();
                    }
                }
            }
        }
        Ok(())
    }

    fn construct(&mut self, op: OpId) -> Writing<()> {
        let data = &self.body[op];
        self.depth += 1;
        if self.depth > super::super::MAX_DEPTH {
            let why = format!(
                "selections and loops are nested deeper than {}",
                super::super::MAX_DEPTH
            );
            return Err(refuse(data, &why));
        }
        let region = data.inline_regions().first();
        let blocks = region.map_or(&[][..], |&region| &self.body[region].blocks);
        let is_loop = self.ctx.op_name_str(data.name) == "spirv.mlir.loop";
        let merge = match (is_loop, blocks) {
            // Nothing inside, nothing to write.
            (_, []) => {
                self.depth -= 1;
                return Ok(());
            }
            (true, [entry, header, .., latch, merge]) => {
                self.loop_blocks(data, [*entry, *header, *latch, *merge])?
            }
            (false, [first, .., merge]) => self.selection_blocks(data, *first, *merge)?,
            _ => {
                return Err(refuse(
                    data,
                    "it has no header, or no continue or merge block",
                ));
            }
        };
        let label = self.label_of(merge);
        self.begin(label);
        self.begin_phis(data, merge)?;
        let last = self.body[merge].last();
        let merged = last.map_or(&[][..], |last| &self.body[last].operands);
        for (result, &value) in data.results().zip(merged) {
            let id = self.id_of(value);
            self.values.insert(result, id);
        }
        self.depth -= 1;
        Ok(())
    }

    fn loop_blocks(
        &mut self,
        op: &OpData,
        [entry, header, latch, merge]: [BlockId; 4],
    ) -> Writing<BlockId> {
        let [to_header, to_latch, to_merge] = [header, latch, merge].map(|b| self.label_of(b));
        let control = self
            .w
            .case(op, "loop_control")?
            .and_then(LoopControl::from_bits);
        let operands = vec![
            Operand::IdRef(to_merge),
            Operand::IdRef(to_latch),
            Operand::LoopControl(control.unwrap_or(LoopControl::NONE)),
        ];
        let inst = Instruction::new(Op::LoopMerge, None, None, operands);
        if let Some(last) = self.body[entry].last() {
            let passed = self.body[last].operands.to_vec();
            self.edges
                .entry(to_header)
                .or_default()
                .push((self.label, passed));
        }
        self.end(Op::Branch, vec![Operand::IdRef(to_header)]);
        self.own_block(op, header, Some(inst))?;
        for block in self.order(header, Some(merge)) {
            if block != entry {
                self.own_block(op, block, None)?;
            }
        }
        Ok(merge)
    }

    fn selection_blocks(
        &mut self,
        op: &OpData,
        first: BlockId,
        merge: BlockId,
    ) -> Writing<BlockId> {
        let control = self.w.case(op, "selection_control")?;
        let control = control.and_then(SelectionControl::from_bits);
        let operands = vec![
            Operand::IdRef(self.label_of(merge)),
            Operand::SelectionControl(control.unwrap_or(SelectionControl::NONE)),
        ];
        let last = self.body[first].last();
        let chooses = last.is_some_and(|last| {
            let name = self.ctx.op_name_str(self.body[last].name);
            matches!(name, "spirv.BranchConditional" | "spirv.Switch")
        });
        let inst = Instruction::new(Op::SelectionMerge, None, None, operands);
        self.block(first, chooses.then_some(inst))?;
        for block in self.order(first, Some(merge)) {
            self.own_block(op, block, None)?;
        }
        Ok(merge)
    }

    fn branch(&mut self, op: &OpData) -> Writing<()> {
        let ctx = self.ctx;
        let targets = op.successors();
        let labels: Vec<Word> = targets
            .iter()
            .map(|&target| self.label_of(target))
            .collect();
        let mut passed: Vec<Vec<Value>> = Vec::with_capacity(targets.len());
        let mut operands = Vec::new();
        let opcode = match self.ctx.op_name_str(op.name) {
            "spirv.Branch" => {
                passed.push(op.operands.to_vec());
                operands.extend(labels.iter().map(|&label| Operand::IdRef(label)));
                Op::Branch
            }
            "spirv.BranchConditional" => {
                passed.extend([1, 2].map(|group| op.operand_segment(ctx, group).to_vec()));
                operands.push(Operand::IdRef(self.id_of(op.operands[0])));
                operands.extend(labels.iter().map(|&label| Operand::IdRef(label)));
                let weights = op.get(ctx, inherent::BRANCH_WEIGHTS);
                let weights = weights
                    .and_then(|list| list.as_array(ctx))
                    .unwrap_or_default();
                let weights = weights.iter().filter_map(|weight| weight.as_i64(ctx));
                operands.extend(weights.map(|weight| Operand::LiteralBit32(weight as u32)));
                Op::BranchConditional
            }
            _ => {
                self.switch(op, &labels, &mut operands, &mut passed);
                Op::Switch
            }
        };
        for (&label, values) in labels.iter().zip(passed) {
            let edges = self.edges.entry(label).or_default();
            match edges.iter().find(|(from, _)| *from == self.label) {
                Some((_, others)) if *others != values => {
                    let why = "two of its successors are one block that takes different values: \
                               give each a block of its own";
                    return Err(refuse(op, why));
                }
                Some(_) => {}
                None => edges.push((self.label, values)),
            }
        }
        self.end(opcode, operands);
        Ok(())
    }

    fn switch(
        &mut self,
        op: &OpData,
        labels: &[Word],
        operands: &mut Vec<Operand>,
        passed: &mut Vec<Vec<Value>>,
    ) {
        let ctx = self.ctx;
        operands.push(Operand::IdRef(self.id_of(op.operands[0])));
        operands.extend(labels.first().map(|&label| Operand::IdRef(label)));
        passed.push(op.operand_segment(ctx, 1).to_vec());
        let literals = op.get(ctx, inherent::LITERALS);
        let literals = literals
            .map(|list| list.stored_elements(ctx))
            .unwrap_or_default();
        let sizes = op.get(ctx, inherent::CASE_OPERAND_SEGMENTS);
        let sizes = sizes.unwrap_or_default();
        let is_wide = self.body.ty(op.operands[0]).signless_width(ctx) == Some(64);
        let mut rest = op.operand_segment(ctx, 2);
        for (index, &label) in labels.iter().skip(1).enumerate() {
            // A splat stores equal literals once.
            let literal = literals.get(index).or(literals.first());
            let literal = literal.and_then(|literal| literal.as_i64(ctx)).unwrap_or(0);
            operands.push(match is_wide {
                true => Operand::LiteralBit64(literal as u64),
                false => Operand::LiteralBit32(literal as u32),
            });
            operands.push(Operand::IdRef(label));
            let size = sizes.get(index).map_or(0, |&size| size.max(0) as usize);
            let (mine, others) = rest.split_at(size.min(rest.len()));
            passed.push(mine.to_vec());
            rest = others;
        }
    }

    /// Completes the operands of phis; one of a block that nothing leads to is undefined.
    fn complete_phis(&mut self, op: &OpData) -> Writing<()> {
        for (label, block, at, number) in std::mem::take(&mut self.phis) {
            let edges = self.edges.get(&label).cloned().unwrap_or_default();
            let mut operands = Vec::with_capacity(2 * edges.len());
            for (from, values) in edges {
                let Some(&value) = values.get(number) else {
                    return Err(refuse(op, "a branch in it passes too few values"));
                };
                operands.extend([self.id_of(value), from].map(Operand::IdRef));
            }
            let inst = self
                .blocks
                .get_mut(block)
                .and_then(|b| b.instructions.get_mut(at));
            if let Some(inst) = inst {
                let opcode = match operands.is_empty() {
                    true => Op::Undef,
                    false => Op::Phi,
                };
                *inst = Instruction::new(opcode, inst.result_type, inst.result_id, operands);
            }
        }
        Ok(())
    }

    /// The id of a value; a constant or an address has one before it is used.
    pub(super) fn id_of(&mut self, value: Value) -> Word {
        if let Some(&id) = self.values.get(&value) {
            return id;
        }
        let id = self.w.id();
        self.values.insert(value, id);
        id
    }

    fn label_of(&mut self, block: BlockId) -> Word {
        if let Some(&label) = self.labels.get(&block) {
            return label;
        }
        let label = self.w.id();
        self.labels.insert(block, label);
        label
    }

    pub(super) fn push(&mut self, inst: Instruction) {
        match inst.class.opcode {
            Op::Variable => self.variables.push(inst),
            _ => self.insts.push(inst),
        }
    }

    fn begin(&mut self, label: Word) {
        self.label = label;
        self.insts.clear();
    }

    fn end(&mut self, op: Op, operands: Vec<Operand>) {
        self.insts.push(Instruction::new(op, None, None, operands));
        self.close();
    }

    /// Ends the open block, whose terminator is there.
    fn close(&mut self) {
        self.blocks.push(dr::Block {
            label: Some(Instruction::new(Op::Label, None, Some(self.label), vec![])),
            instructions: std::mem::take(&mut self.insts),
        });
    }
}
