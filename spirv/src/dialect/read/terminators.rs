//! Terminators: branches, switches, and the blocks between them that MLIR needs.

use gridloom_dialects::inherent;
use gridloom_ir::{BlockId, OpState, Value};
use rspirv::dr;
use rspirv::spirv::{Op, Word};

use super::function::{Edge, From, FunctionReader, Scope};
use super::{Reading, id_at, literal};

impl FunctionReader<'_, '_> {
    /// Ends a block with the terminator of `node`.
    pub(super) fn terminator(
        &mut self,
        scope: &mut Scope,
        node: usize,
        block: BlockId,
    ) -> Reading<()> {
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
                let then = self.split_edge(scope, then, [&otherwise]);
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
                    cases.push((case, self.split_edge(scope, edge, &others)));
                }
                self.switch(block, selector, default, &cases);
            }
            // MLIR refuses `spirv.Unreachable` in the first block of a region.
            Op::Unreachable => {
                self.unreachable(scope, block);
            }
            _ => self.instruction(block, last)?,
        }
        Ok(())
    }

    /// Splits an edge where another edge leads to the same block with other values: a phi takes one
    /// value for each predecessor.
    fn split_edge<'e>(
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

    pub(super) fn unreachable(&mut self, scope: &Scope, block: BlockId) {
        let end = self.body.add_block(scope.region, &[]);
        self.branch(block, (end, Vec::new()));
        let state = OpState::new(self.r.row("Unreachable").0, self.loc);
        let op = self.body.create_op(state);
        self.body.append(end, op);
    }

    pub(super) fn branch(&mut self, block: BlockId, (target, args): Edge) {
        let mut state = OpState::new(self.r.row("Branch").0, self.loc).operands(&args);
        state.successors = [target].into_iter().collect();
        let op = self.body.create_op(state);
        self.body.append(block, op);
    }

    pub(super) fn branch_if(
        &mut self,
        block: BlockId,
        condition: Value,
        then: Edge,
        otherwise: Edge,
    ) {
        let ctx = self.r.ctx;
        let sizes = [1, then.1.len() as i32, otherwise.1.len() as i32];
        let operands: Vec<Value> = [condition]
            .into_iter()
            .chain(then.1)
            .chain(otherwise.1)
            .collect();
        let mut state = OpState::new(self.r.row("BranchConditional").0, self.loc)
            .operands(&operands)
            .property(
                ctx,
                inherent::OPERAND_SEGMENT_SIZES,
                ctx.i32_array_attr(&sizes),
            );
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
            .property(
                ctx,
                inherent::OPERAND_SEGMENT_SIZES,
                ctx.i32_array_attr(&sizes),
            )
            .property(
                ctx,
                inherent::CASE_OPERAND_SEGMENTS,
                ctx.i32_array_attr(&case_sizes),
            );
        if !cases.is_empty() {
            let ty = ctx.vector_type(&[cases.len() as i64], self.body.ty(selector));
            let values = cases.iter().map(|(case, _)| Int::Small(i128::from(*case)));
            let values: Vec<Int> = values.collect();
            state = state.property(ctx, inherent::LITERALS, ctx.dense_ints_attr(ty, &values));
        }
        let targets = cases.iter().map(|(_, edge)| edge.0);
        state.successors = [default.0].into_iter().chain(targets).collect();
        let op = self.body.create_op(state);
        self.body.append(block, op);
    }
}
