//! Functions: blocks become regions of selections and loops.
//!
//! A chain of blocks that follow each other without a choice becomes one block. A construct stands in the chain at its
//! header and has as results the phis of its merge block and the values that are used behind it; the chain goes on with
//! the merge block. Where a selection branches farther out (`break` and `continue` in an `if`), it merges as well, with a
//! number that says where to, and a branch behind it goes there:
//!
//! ```text
//! %n = spirv.mlir.selection -> i32 { … ^m(%which: i32): spirv.mlir.merge %which : i32 }
//! %other = spirv.INotEqual %n, %one : i32
//! spirv.BranchConditional %other, ^behind, ^continue
//! ```

use gridloom_ir::hash::FxHashMap;
use gridloom_ir::op::OpDef;
use gridloom_ir::{
    Attr, BlockId, Body, Context, Diagnostic, Loc, OpId, OpName, OpState, RegionId, Type, Value,
};
use rspirv::dr;
use rspirv::spirv::{Op, Word};

use super::exits::Exits;
use super::flow::Flow;
use super::{Global, Reader, Reading, id_at, literal};

/// A function that was read: its operation, and its body.
pub(super) struct Made {
    state: OpState,
    body: Body,
}

impl Made {
    /// The operation, detached.
    pub(super) fn place(self, _: &Context, outer: &mut Body) -> OpId {
        let op = outer.create_op(self.state);
        outer[op].set_isolated(Box::new(self.body));
        op
    }
}

impl Reader<'_> {
    pub(super) fn function(&self, function: &dr::Function) -> Reading<Made> {
        let ctx = self.ctx;
        let def = function
            .def
            .as_ref()
            .ok_or_else(|| self.error("a function has no OpFunction"))?;
        let callee = self.functions.get(&self.result_id(def)?);
        let callee = callee.ok_or_else(|| self.refuse(def, "it is not declared"))?;
        if function.blocks.is_empty() {
            let why = "the dialect refuses functions of other modules: link the modules first, \
                       with 'spirv-link'";
            return Err(self.refuse(def, why));
        }
        let results: Vec<Type> = callee.result.into_iter().collect();
        let (name, row) = self.row("func");
        let control = def.operands.first().map_or(0, literal);
        let state = OpState::new(name, self.loc)
            .property(ctx, "sym_name", ctx.string_attr(ctx.str(callee.name)))
            .property(
                ctx,
                "function_type",
                ctx.type_attr(ctx.function_type(&callee.params, &results)),
            )
            .property(
                ctx,
                "function_control",
                self.case(row, "function_control", control, def)?,
            );
        if function.parameters.len() != callee.params.len() {
            return Err(self.refuse(def, "it has not as many parameters as its type"));
        }
        let wrong = |why: String| self.refuse(def, &why);
        let flow = Flow::of(&function.blocks).map_err(wrong)?;
        let exits = Exits::of(&flow).map_err(wrong)?;
        let mut body = Body::new();
        let region = body.add_top_region();
        let entry = body.add_block(region, &callee.params);
        let inlined = inlined_of(&flow);
        let mut inner = FunctionReader {
            r: self,
            members: members_of(&flow, &inlined),
            carried: exits.carried(&flow),
            inlined,
            flow,
            exits,
            body,
            entry,
            prelude: None,
            values: FxHashMap::default(),
            defs: FxHashMap::default(),
            undefs: FxHashMap::default(),
            loc: self.loc,
        };
        inner.run(function, region)?;
        Ok(Made {
            state,
            body: inner.body,
        })
    }
}

/// The blocks of each construct's region, and of the function (last), which get a block of their own.
fn members_of(flow: &Flow<'_>, inlined: &[bool]) -> Vec<Vec<usize>> {
    let mut members = vec![Vec::new(); flow.constructs.len() + 1];
    for number in 1..flow.nodes.len() {
        let is_there = flow.nodes[number].is_reachable || flow.is_continue(number);
        if is_there && !inlined[number] {
            let home = flow.home(number);
            members[home.unwrap_or(flow.constructs.len())].push(number);
        }
    }
    members
}

/// Which blocks go on a chain: they merge a construct, or only one branch without a choice leads to them.
fn inlined_of(flow: &Flow<'_>) -> Vec<bool> {
    let mut inlined = vec![false; flow.nodes.len()];
    for construct in &flow.constructs {
        inlined[construct.merge] = flow.home(construct.merge) == construct.parent;
    }
    for (number, is_inlined) in inlined.iter_mut().enumerate() {
        if flow.is_continue(number) || !flow.nodes[number].is_reachable {
            *is_inlined = false;
            continue;
        }
        let preds = flow.nodes[number].preds.iter();
        let mut forward =
            preds.filter(|&&pred| flow.nodes[pred].is_reachable && !flow.dominates(number, pred));
        if let (Some(&pred), None) = (forward.next(), forward.next()) {
            let last = flow.nodes[pred].insts.last();
            let is_plain = last.is_some_and(|last| last.class.opcode == Op::Branch);
            *is_inlined |= is_plain && flow.inside(pred) == flow.home(number);
        }
    }
    inlined
}

/// A region under construction.
struct Scope {
    construct: Option<usize>,
    region: RegionId,
    /// A loop's header.
    header: Option<(usize, BlockId)>,
    blocks: FxHashMap<usize, BlockId>,
    /// The block that leads back to a loop's header, which MLIR wants behind all others.
    latch: Option<BlockId>,
    merge: Option<BlockId>,
}

/// The start of an edge: a block, or the construct that it heads.
#[derive(Clone, Copy)]
struct From {
    node: usize,
    construct: Option<usize>,
}

pub(super) struct FunctionReader<'r, 'a> {
    pub(super) r: &'r Reader<'a>,
    flow: Flow<'r>,
    exits: Exits,
    members: Vec<Vec<usize>>,
    inlined: Vec<bool>,
    /// Ids that the continue block of a loop takes as arguments; see [`Exits::carried`].
    carried: FxHashMap<usize, Vec<Word>>,
    pub(super) body: Body,
    entry: BlockId,
    /// The last operation before those of the first block: constants and addresses.
    prelude: Option<OpId>,
    pub(super) values: FxHashMap<Word, Value>,
    /// The block and the type of each id of the function.
    defs: FxHashMap<Word, (usize, Type)>,
    undefs: FxHashMap<Type, Value>,
    /// The place that `OpLine` says.
    pub(super) loc: Loc,
}

impl FunctionReader<'_, '_> {
    fn run(&mut self, function: &dr::Function, region: RegionId) -> Reading<()> {
        for (index, inst) in function.parameters.iter().enumerate() {
            let value = self.body[self.entry].args[index];
            self.values.insert(self.r.result_id(inst)?, value);
        }
        for (number, node) in self.flow.nodes.iter().enumerate() {
            for inst in node.insts {
                if let (Some(id), Some(_)) = (inst.result_id, inst.result_type) {
                    let ty = match inst.class.opcode {
                        // A call of a function without result has a type and an id.
                        Op::FunctionCall => {
                            self.r.result_type(inst).unwrap_or(self.r.ctx.none_type())
                        }
                        _ => self.r.result_type(inst)?,
                    };
                    self.defs.insert(id, (number, ty));
                }
            }
        }
        let mut scope = Scope {
            construct: None,
            region,
            header: None,
            blocks: FxHashMap::default(),
            latch: None,
            merge: None,
        };
        self.add_members(&mut scope)?;
        self.chain(&mut scope, 0, self.entry, &[], false)?;
        self.members_of_scope(&mut scope)
    }

    /// Adds the blocks of a region, with their phis as arguments.
    fn add_members(&mut self, scope: &mut Scope) -> Reading<()> {
        let members = self.members_in(scope);
        // The continue block comes last, as MLIR wants it.
        let (last, first): (Vec<usize>, Vec<usize>) = members
            .into_iter()
            .partition(|&node| self.flow.is_continue(node));
        for node in first.into_iter().chain(last) {
            let types = self.phi_types(node)?;
            let block = self.body.add_block(scope.region, &types);
            scope.blocks.insert(node, block);
        }
        Ok(())
    }

    fn members_in(&self, scope: &Scope) -> Vec<usize> {
        self.members[scope.construct.unwrap_or(self.flow.constructs.len())].clone()
    }

    fn members_of_scope(&mut self, scope: &mut Scope) -> Reading<()> {
        for node in self.members_in(scope) {
            let block = scope.blocks[&node];
            let args = self.body[block].args.to_vec();
            let carried = self.carried.get(&node).cloned().unwrap_or_default();
            let before: Vec<Option<Value>> = carried
                .iter()
                .map(|id| self.values.get(id).copied())
                .collect();
            self.chain(scope, node, block, &args, false)?;
            // The arguments stand for the ids in this block only.
            for (id, value) in carried.into_iter().zip(before) {
                self.values.extend(value.map(|value| (id, value)));
            }
        }
        Ok(())
    }

    /// Reads a block and what follows it into `block`; `in_header` where a loop's header is read in its loop.
    fn chain(
        &mut self,
        scope: &mut Scope,
        start: usize,
        block: BlockId,
        phis: &[Value],
        in_header: bool,
    ) -> Reading<()> {
        let (mut node, mut block, mut phis) = (start, block, phis.to_vec());
        let mut in_header = in_header;
        loop {
            let next = match self.flow.loop_of(node).filter(|_| !in_header) {
                Some(construct) => {
                    let op = self.loop_op(construct, block, &phis)?;
                    self.behind(scope, construct, op, block)?
                }
                None => {
                    self.block(node, block, &phis)?;
                    match self.flow.nodes[node].heads.filter(|_| !in_header) {
                        Some(construct) => {
                            let op = self.selection_op(construct, block)?;
                            self.behind(scope, construct, op, block)?
                        }
                        None => self.leave(scope, node, block)?,
                    }
                }
            };
            match next {
                Some((on, at, values)) => (node, block, phis, in_header) = (on, at, values, false),
                None => return Ok(()),
            }
        }
    }

    /// Reads the instructions of a block but for its terminator.
    fn block(&mut self, node: usize, block: BlockId, phis: &[Value]) -> Reading<()> {
        self.loc = self.r.loc;
        let insts = self.flow.nodes[node].insts;
        let mut phis = phis.iter();
        for inst in &insts[..insts.len().saturating_sub(1)] {
            match inst.class.opcode {
                Op::Phi => {
                    let value = phis
                        .next()
                        .ok_or_else(|| self.refuse(inst, "it has no value"))?;
                    self.values.insert(self.r.result_id(inst)?, *value);
                }
                Op::LoopMerge | Op::SelectionMerge => {}
                _ => {
                    self.take_carried(node, &mut phis);
                    self.instruction(block, inst)?;
                }
            }
        }
        self.take_carried(node, &mut phis);
        Ok(())
    }

    /// Has the arguments behind those of the phis stand for the ids that they carry.
    fn take_carried(&mut self, node: usize, args: &mut std::slice::Iter<'_, Value>) {
        let ids = self.carried.get(&node).into_iter().flatten();
        self.values.extend(ids.copied().zip(args.copied()));
    }

    /// Reads a terminator that ends a chain, or that goes on with the block that it gives.
    fn leave(&mut self, scope: &mut Scope, node: usize, block: BlockId) -> Reading<Next> {
        let insts = self.flow.nodes[node].insts;
        let Some(last) = insts.last() else {
            return Err(self.r.error("a block has no terminator"));
        };
        if last.class.opcode == Op::Branch {
            let target = self.flow.nodes[node].succs[0];
            let values = self.incoming(node, target)?;
            if self.inlined[target] && self.flow.home(target) == scope.construct {
                return Ok(Some((target, block, values)));
            }
        }
        self.terminator(scope, node, block)?;
        Ok(None)
    }

    /// Ends a block with the terminator of `node`.
    fn terminator(&mut self, scope: &mut Scope, node: usize, block: BlockId) -> Reading<()> {
        let Some(last) = self.flow.nodes[node].insts.last() else {
            return Err(self.r.error("a block has no terminator"));
        };
        let from = From {
            node,
            construct: None,
        };
        let target = |s: &mut Self, scope: &mut Scope, id: Option<Word>| {
            let target = id.and_then(|id| s.flow.index.get(&id).copied());
            let target = target.ok_or_else(|| s.refuse(last, "it leads to no block"))?;
            let values = s.incoming(node, target)?;
            s.edge(scope, from, target, values)
        };
        match last.class.opcode {
            Op::Branch => {
                let edge = target(self, scope, id_at(last, 0))?;
                self.branch(block, edge);
            }
            Op::BranchConditional => {
                let condition = self.value(last, id_at(last, 0).unwrap_or(0))?;
                let then = target(self, scope, id_at(last, 1))?;
                let otherwise = target(self, scope, id_at(last, 2))?;
                let then = self.apart(scope, then, [&otherwise]);
                self.branch_if(block, condition, then, otherwise);
            }
            Op::Switch => {
                let selector = self.value(last, id_at(last, 0).unwrap_or(0))?;
                let default = target(self, scope, id_at(last, 1))?;
                let mut cases: Vec<(i64, Edge)> = Vec::new();
                for pair in last.operands.get(2..).unwrap_or_default().chunks(2) {
                    let [case, label] = pair else {
                        return Err(self.refuse(last, "a case has no block"));
                    };
                    let case = match case {
                        dr::Operand::LiteralBit64(bits) => *bits as i64,
                        other => i64::from(literal(other) as i32),
                    };
                    let edge = target(self, scope, label.id_ref_any())?;
                    let others = cases.iter().map(|(_, edge)| edge).chain([&default]);
                    let others: Vec<Edge> = others.cloned().collect();
                    cases.push((case, self.apart(scope, edge, &others)));
                }
                self.switch(block, selector, default, &cases);
            }
            // MLIR does not take it in the first block of a region.
            Op::Unreachable => {
                self.unreachable(scope, block);
            }
            _ => self.instruction(block, last)?,
        }
        Ok(())
    }

    /// The edge, through a block of its own where another one leads to the same block with other values: a phi takes one
    /// value of a block.
    fn apart<'e>(
        &mut self,
        scope: &Scope,
        edge: Edge,
        others: impl IntoIterator<Item = &'e Edge>,
    ) -> Edge {
        let mut others = others.into_iter();
        if !others.any(|other| other.0 == edge.0 && other.1 != edge.1) {
            return edge;
        }
        let between = self.body.add_block(scope.region, &[]);
        self.branch(between, edge);
        (between, Vec::new())
    }

    /// The values that the phis of `target` take from `node`.
    fn incoming(&mut self, node: usize, target: usize) -> Reading<Vec<Value>> {
        let label = self.flow.nodes[node].label;
        let insts = self.flow.nodes[target].insts.iter();
        let phis = insts.take_while(|inst| matches!(inst.class.opcode, Op::Phi | Op::Line));
        let mut values = Vec::new();
        for phi in phis.filter(|inst| inst.class.opcode == Op::Phi) {
            let pairs = (0..phi.operands.len() / 2).map(|pair| 2 * pair);
            let mut pairs = pairs.filter(|&at| id_at(phi, at + 1) == Some(label));
            let value = pairs.next().and_then(|at| id_at(phi, at));
            let value = value
                .ok_or_else(|| self.refuse(phi, &format!("it has no value for block %{label}")))?;
            values.push(self.value(phi, value)?);
        }
        for id in self.carried.get(&target).cloned().unwrap_or_default() {
            match self.values.get(&id) {
                Some(&value) => values.push(value),
                None => return Err(self.r.error(format!("%{id} is used where it is not known"))),
            }
        }
        Ok(values)
    }

    fn phi_types(&self, node: usize) -> Reading<Vec<Type>> {
        let insts = self.flow.nodes[node].insts.iter();
        let phis = insts.filter(|inst| inst.class.opcode == Op::Phi);
        let types = phis.map(|inst| self.r.result_type(inst));
        let mut types = types.collect::<Reading<Vec<Type>>>()?;
        let carried = self.carried.get(&node).into_iter().flatten();
        types.extend(carried.map(|id| self.defs[id].1));
        Ok(types)
    }

    /// The block that an edge leads to, and what it passes there.
    fn edge(
        &mut self,
        scope: &Scope,
        from: From,
        target: usize,
        values: Vec<Value>,
    ) -> Reading<Edge> {
        if let Some((_, block)) = scope.header.filter(|&(header, _)| header == target) {
            return Ok((block, values));
        }
        if let Some(&block) = scope.blocks.get(&target) {
            return Ok((block, values));
        }
        let (Some(construct), Some(merge)) = (scope.construct, scope.merge) else {
            let label = self.flow.nodes[target].label;
            return Err(self
                .r
                .error(format!("block %{label} is not where a branch looks for it")));
        };
        let is_merge = self.flow.constructs[construct].merge == target;
        if self.exits.targets[construct].is_empty() {
            return match is_merge {
                true => Ok((merge, values)),
                false => {
                    let label = self.flow.nodes[target].label;
                    Err(self
                        .r
                        .error(format!("the branch to block %{label} is not structured")))
                }
            };
        }
        // The phis of the merge block, values used behind, the number of the exit, the phis of each exit.
        let merge_node = self.flow.constructs[construct].merge;
        let mut args = match is_merge {
            true => values.clone(),
            false => self.undefined(&self.phi_types(merge_node)?),
        };
        for id in self.exits.values[construct].clone() {
            let (def, ty) = self.defs[&id];
            let is_known = self.flow.dominates(def, from.node)
                || from
                    .construct
                    .is_some_and(|inner| self.flow.is_within(self.flow.nodes[def].owner, inner));
            args.push(match self.values.get(&id).filter(|_| is_known) {
                Some(&value) => value,
                None => self.undefined(&[ty])[0],
            });
        }
        let exits = self.exits.targets[construct].clone();
        let number = exits.iter().position(|&exit| exit == target);
        let number = number.filter(|_| !is_merge).map_or(0, |at| at + 1);
        args.push(self.int_constant(number as i64));
        for (at, exit) in exits.into_iter().enumerate() {
            match at + 1 == number {
                true => args.extend(values.iter().copied()),
                false => args.extend(self.undefined(&self.phi_types(exit)?)),
            }
        }
        Ok((merge, args))
    }

    /// The types of a construct's results.
    fn result_types(&self, construct: usize) -> Reading<Vec<Type>> {
        let mut types = self.phi_types(self.flow.constructs[construct].merge)?;
        let values = self.exits.values[construct].iter();
        types.extend(values.map(|id| self.defs[id].1));
        if !self.exits.targets[construct].is_empty() {
            types.push(self.r.ctx.int_type(32));
            for &exit in &self.exits.targets[construct] {
                types.extend(self.phi_types(exit)?);
            }
        }
        Ok(types)
    }

    fn loop_op(&mut self, construct: usize, block: BlockId, phis: &[Value]) -> Reading<OpId> {
        let header = self.flow.constructs[construct].header;
        let op = self.construct_op(construct, "mlir.loop", "loop_control", block)?;
        let region = self.body.add_region(op);
        let entry = self.body.add_block(region, &[]);
        let types = self.phi_types(header)?;
        let first = self.body.add_block(region, &types);
        self.branch(entry, (first, phis.to_vec()));
        let args = self.body[first].args.to_vec();
        let mut scope = self.open(construct, region, Some((header, first)))?;
        self.chain(&mut scope, header, first, &args, true)?;
        self.close(&mut scope, construct)?;
        Ok(op)
    }

    fn selection_op(&mut self, construct: usize, block: BlockId) -> Reading<OpId> {
        let header = self.flow.constructs[construct].header;
        let loc = self.loc;
        let op = self.construct_op(construct, "mlir.selection", "selection_control", block)?;
        let region = self.body.add_region(op);
        let first = self.body.add_block(region, &[]);
        let mut scope = self.open(construct, region, None)?;
        self.loc = loc;
        self.terminator(&mut scope, header, first)?;
        self.close(&mut scope, construct)?;
        Ok(op)
    }

    fn construct_op(
        &mut self,
        construct: usize,
        name: &str,
        attr: &str,
        block: BlockId,
    ) -> Reading<OpId> {
        let ctx = self.r.ctx;
        let (name, row): (OpName, &OpDef) = self.r.row(name);
        let header = self.flow.nodes[self.flow.constructs[construct].header].insts;
        let inst = header.len().checked_sub(2).map(|at| &header[at]);
        let Some(inst) = inst else {
            return Err(self.r.error("a construct has no merge instruction"));
        };
        let control = self.flow.constructs[construct].control;
        let control: Attr = self.r.case(row, attr, control, inst)?;
        let mut state = OpState::new(name, self.loc).property(ctx, attr, control);
        state.results = self.result_types(construct)?.into();
        let op = self.body.create_op(state);
        self.body.append(block, op);
        Ok(op)
    }

    fn open(
        &mut self,
        construct: usize,
        region: RegionId,
        header: Option<(usize, BlockId)>,
    ) -> Reading<Scope> {
        let mut scope = Scope {
            construct: Some(construct),
            region,
            header,
            blocks: FxHashMap::default(),
            latch: None,
            merge: None,
        };
        self.add_members(&mut scope)?;
        let continues = self.flow.constructs[construct].continues;
        scope.latch = continues.and_then(|node| scope.blocks.get(&node).copied());
        if let Some((node, first)) = header
            && continues == Some(node)
        {
            // A loop of one block goes round through a block of its own.
            let types = self.phi_types(node)?;
            let latch = self.body.add_block(region, &types);
            let args = self.body[latch].args.to_vec();
            self.branch(latch, (first, args));
            (scope.latch, scope.header) = (Some(latch), Some((node, latch)));
        }
        let types = match self.exits.targets[construct].is_empty() {
            true => self.phi_types(self.flow.constructs[construct].merge)?,
            false => self.result_types(construct)?,
        };
        scope.merge = Some(self.body.add_block(region, &types));
        Ok(scope)
    }

    /// Reads the blocks of a region and ends it with the merge.
    fn close(&mut self, scope: &mut Scope, construct: usize) -> Reading<()> {
        self.members_of_scope(scope)?;
        let Some(merge) = scope.merge else {
            return Ok(());
        };
        let mut results = self.body[merge].args.to_vec();
        if self.exits.targets[construct].is_empty() {
            for id in &self.exits.values[construct] {
                let value = self.values.get(id).copied();
                let missing = || self.r.error(format!("%{id} is used where it is not known"));
                results.push(value.ok_or_else(missing)?);
            }
        }
        let state = OpState::new(self.r.row("mlir.merge").0, self.r.loc).operands(&results);
        let op = self.body.create_op(state);
        self.body.append(merge, op);
        // Blocks behind selections were added at the end; MLIR wants the continue block and the merge block there.
        for block in scope.latch.into_iter().chain([merge]) {
            let count = self.body[scope.region].blocks.len();
            self.body.move_block(block, scope.region, count - 1);
        }
        Ok(())
    }

    /// Goes on behind a construct: defines what left it, and branches to its exits.
    fn behind(
        &mut self,
        scope: &mut Scope,
        construct: usize,
        op: OpId,
        block: BlockId,
    ) -> Reading<Next> {
        let results: Vec<Value> = self.body[op].results().collect();
        let merge = self.flow.constructs[construct].merge;
        let (phis, rest) = results.split_at(self.phi_types(merge)?.len());
        let ids = self.exits.values[construct].clone();
        let (values, mut exit_values) = rest.split_at(ids.len());
        for (&id, &value) in ids.iter().zip(values) {
            self.values.insert(id, value);
        }
        let from = From {
            node: self.flow.constructs[construct].header,
            construct: Some(construct),
        };
        let mut block = block;
        let merges = self.flow.nodes[merge].is_reachable;
        let targets = self.exits.targets[construct].clone();
        let number = exit_values.first().copied();
        exit_values = exit_values.get(1..).unwrap_or_default();
        for (at, &target) in targets.iter().enumerate() {
            let (mine, others) = exit_values.split_at(self.phi_types(target)?.len());
            exit_values = others;
            let edge = self.edge(scope, from, target, mine.to_vec())?;
            if at + 1 == targets.len() && !merges {
                self.branch(block, edge);
                return Ok(None);
            }
            let here = self.int_constant(at as i64 + 1);
            let is_other = OpState::new(self.r.row("INotEqual").0, self.loc)
                .operands(&[number.unwrap_or(here), here])
                .results(&[self.r.ctx.bool_type()]);
            let is_other = self.body.create_op(is_other);
            self.body.append(block, is_other);
            let next = self.body.add_block(scope.region, &[]);
            let condition = self.body[is_other].result(0);
            // What follows comes first: MLIR 22 writes blocks in the order of branches, and id 0 for a result of a
            // construct in a phi that comes before it.
            self.branch_if(block, condition, (next, Vec::new()), edge);
            block = next;
        }
        if !merges {
            self.unreachable(scope, block);
            return Ok(None);
        }
        if self.inlined[merge] && self.flow.home(merge) == scope.construct {
            return Ok(Some((merge, block, phis.to_vec())));
        }
        let edge = self.edge(scope, from, merge, phis.to_vec())?;
        self.branch(block, edge);
        Ok(None)
    }

    fn unreachable(&mut self, scope: &Scope, block: BlockId) {
        let end = self.body.add_block(scope.region, &[]);
        self.branch(block, (end, Vec::new()));
        let state = OpState::new(self.r.row("Unreachable").0, self.loc);
        let op = self.body.create_op(state);
        self.body.append(end, op);
    }

    fn branch(&mut self, block: BlockId, (target, args): Edge) {
        let mut state = OpState::new(self.r.row("Branch").0, self.loc).operands(&args);
        state.successors = [target].into_iter().collect();
        let op = self.body.create_op(state);
        self.body.append(block, op);
    }

    fn branch_if(&mut self, block: BlockId, condition: Value, then: Edge, otherwise: Edge) {
        let ctx = self.r.ctx;
        let sizes = [1, then.1.len() as i32, otherwise.1.len() as i32];
        let operands: Vec<Value> = [condition]
            .into_iter()
            .chain(then.1)
            .chain(otherwise.1)
            .collect();
        let mut state = OpState::new(self.r.row("BranchConditional").0, self.loc)
            .operands(&operands)
            .property(ctx, "operandSegmentSizes", ctx.i32_array_attr(&sizes));
        state.successors = [then.0, otherwise.0].into_iter().collect();
        let op = self.body.create_op(state);
        self.body.append(block, op);
    }

    fn switch(&mut self, block: BlockId, selector: Value, default: Edge, cases: &[(i64, Edge)]) {
        use gridloom_ir::attr::Int;
        let ctx = self.r.ctx;
        let case_sizes: Vec<i32> = cases.iter().map(|(_, edge)| edge.1.len() as i32).collect();
        let sizes = [1, default.1.len() as i32, case_sizes.iter().sum()];
        let mut operands = vec![selector];
        operands.extend(&default.1);
        operands.extend(cases.iter().flat_map(|(_, edge)| &edge.1));
        let mut state = OpState::new(self.r.row("Switch").0, self.loc)
            .operands(&operands)
            .property(ctx, "operandSegmentSizes", ctx.i32_array_attr(&sizes))
            .property(
                ctx,
                "case_operand_segments",
                ctx.i32_array_attr(&case_sizes),
            );
        if !cases.is_empty() {
            let ty = ctx.vector_type(&[cases.len() as i64], self.body.ty(selector));
            let values = cases.iter().map(|(case, _)| Int::Small(i128::from(*case)));
            let values: Vec<Int> = values.collect();
            state = state.property(ctx, "literals", ctx.dense_ints_attr(ty, &values));
        }
        let targets = cases.iter().map(|(_, edge)| edge.0);
        state.successors = [default.0].into_iter().chain(targets).collect();
        let op = self.body.create_op(state);
        self.body.append(block, op);
    }

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
                state("Constant", *ty).property(ctx, "value", *attr)
            }
            Some(Global::Undef(ty)) => state("Undef", *ty),
            Some(Global::SpecConstant(name, ty)) => {
                state("mlir.referenceof", *ty).property(ctx, "spec_const", ctx.symbol_attr(*name))
            }
            Some(Global::Variable(name, ty)) => {
                state("mlir.addressof", *ty).property(ctx, "variable", ctx.symbol_attr(*name))
            }
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

    /// Makes an operation in the first block, before those of the function.
    pub(super) fn first(&mut self, state: OpState) -> Value {
        let op = self.body.create_op(state);
        match self.prelude {
            Some(before) => self.body.insert_after(before, op),
            None => self.body.prepend(self.entry, op),
        }
        self.prelude = Some(op);
        self.body[op].result(0)
    }

    fn undefined(&mut self, types: &[Type]) -> Vec<Value> {
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
            .property(ctx, "value", ctx.int_attr(ty, value));
        self.first(state)
    }

    /// An error at an instruction, at the place that `OpLine` says.
    pub(super) fn refuse(&self, inst: &dr::Instruction, why: &str) -> Box<Diagnostic> {
        let mut error = self.r.refuse(inst, why);
        error.loc = self.loc;
        error
    }
}

/// A block with what a branch passes to it.
type Edge = (BlockId, Vec<Value>);

/// The block that a chain goes on with, where, and the values of its phis; `None` where the chain ends.
type Next = Option<(usize, BlockId, Vec<Value>)>;
