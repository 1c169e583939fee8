//! Constructs: reads selections and loops as operations with a region, then the code behind them.

use gridloom_ir::hash::FxHashMap;
use gridloom_ir::op::OpSignature;
use gridloom_ir::{Attr, BlockId, OpId, OpName, OpState, RegionId, Type, Value};

use super::Reading;
use super::function::{From, FunctionReader, Next, Scope};

impl FunctionReader<'_, '_> {
    /// The types of a construct's results.
    pub(super) fn result_types(&self, construct: usize) -> Reading<Vec<Type>> {
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

    pub(super) fn loop_op(
        &mut self,
        construct: usize,
        block: BlockId,
        phis: &[Value],
    ) -> Reading<OpId> {
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

    pub(super) fn selection_op(&mut self, construct: usize, block: BlockId) -> Reading<OpId> {
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
        let (name, row): (OpName, &OpSignature) = self.r.row(name);
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

    /// Continues behind a construct: defines the values that left it, and branches to its exits.
    pub(super) fn behind(
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
            // The continuation is the first successor: MLIR 22 writes blocks in the order of
            // branches, and id 0 for a result of a construct in a phi that comes before it.
            self.branch_if(block, condition, (next, Vec::new()), edge);
            block = next;
        }
        if !merges {
            self.unreachable(scope, block);
            return Ok(None);
        }
        if self.inlined[merge] && self.flow.target_construct(merge) == scope.construct {
            return Ok(Some((merge, block, phis.to_vec())));
        }
        let edge = self.edge(scope, from, merge, phis.to_vec())?;
        self.branch(block, edge);
        Ok(None)
    }
}
