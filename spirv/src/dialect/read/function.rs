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

use gridloom_dialects::inherent;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{BlockId, Body, Context, Diagnostic, Loc, OpId, OpState, RegionId, Type, Value};
use rspirv::dr;
use rspirv::spirv::{Op, Word};

use super::exits::Exits;
use super::flow::Flow;
use super::{Reader, Reading, id_at, literal};

/// Function read from words: its operation, and its body.
pub(super) struct ReadFunction {
    state: OpState,
    body: Body,
}

impl ReadFunction {
    /// The operation, detached.
    pub(super) fn attach(self, _: &Context, outer: &mut Body) -> OpId {
        let op = outer.create_op(self.state);
        outer[op].set_isolated(self.body);
        op
    }
}

impl Reader<'_> {
    pub(super) fn function(&self, function: &dr::Function) -> Reading<ReadFunction> {
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
            .property(
                ctx,
                inherent::SYM_NAME,
                ctx.string_attr(ctx.str(callee.name)),
            )
            .property(
                ctx,
                inherent::FUNCTION_TYPE,
                ctx.type_attr(ctx.function_type(&callee.params, &results)),
            )
            .property(
                ctx,
                inherent::FUNCTION_CONTROL,
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
        Ok(ReadFunction {
            state,
            body: inner.body,
        })
    }
}

/// The blocks of each construct's region, and of the function (last), which get a block of their own.
fn members_of(flow: &Flow<'_>, inlined: &[bool]) -> Vec<Vec<usize>> {
    let mut members = vec![Vec::new(); flow.constructs.len() + 1];
    for (number, &is_inlined) in inlined.iter().enumerate().skip(1) {
        let is_there = flow.nodes[number].is_reachable || flow.is_continue(number);
        if is_there && !is_inlined {
            let construct = flow.target_construct(number);
            members[construct.unwrap_or(flow.constructs.len())].push(number);
        }
    }
    members
}

/// Returns which blocks are inlined in a chain: they merge a construct, or only one branch without
/// a choice leads to them.
fn inlined_of(flow: &Flow<'_>) -> Vec<bool> {
    let mut inlined = vec![false; flow.nodes.len()];
    for construct in &flow.constructs {
        inlined[construct.merge] = flow.target_construct(construct.merge) == construct.parent;
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
            *is_inlined |=
                is_plain && flow.terminator_construct(pred) == flow.target_construct(number);
        }
    }
    inlined
}

/// Region under construction, of a construct or of the function.
pub(super) struct Scope {
    pub(super) construct: Option<usize>,
    pub(super) region: RegionId,
    /// A loop's header.
    pub(super) header: Option<(usize, BlockId)>,
    pub(super) blocks: FxHashMap<usize, BlockId>,
    /// The block that leads back to a loop's header, which MLIR wants behind all others.
    pub(super) latch: Option<BlockId>,
    pub(super) merge: Option<BlockId>,
}

/// The start of an edge: a block, or the construct that it heads.
#[derive(Clone, Copy)]
pub(super) struct From {
    pub(super) node: usize,
    pub(super) construct: Option<usize>,
}

pub(super) struct FunctionReader<'r, 'a> {
    pub(super) r: &'r Reader<'a>,
    pub(super) flow: Flow<'r>,
    pub(super) exits: Exits,
    members: Vec<Vec<usize>>,
    pub(super) inlined: Vec<bool>,
    /// Ids that the continue block of a loop takes as arguments; see [`Exits::carried`].
    carried: FxHashMap<usize, Vec<Word>>,
    pub(super) body: Body,
    pub(super) entry: BlockId,
    /// Insertion point of constants and addresses: the last operation before those of the entry
    /// block.
    pub(super) prelude: Option<OpId>,
    pub(super) values: FxHashMap<Word, Value>,
    /// The block and the type of each id of the function.
    pub(super) defs: FxHashMap<Word, (usize, Type)>,
    pub(super) undefs: FxHashMap<Type, Value>,
    /// The source location of the last `OpLine`.
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
    pub(super) fn add_members(&mut self, scope: &mut Scope) -> Reading<()> {
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

    pub(super) fn members_of_scope(&mut self, scope: &mut Scope) -> Reading<()> {
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

    /// Reads the chain of blocks that begins at `start` into `block`; `in_header` where a loop's
    /// header is read in its loop.
    pub(super) fn chain(
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

    /// Maps loop-carried ids of constructs to the block arguments behind those of the phis.
    fn take_carried(&mut self, node: usize, args: &mut std::slice::Iter<'_, Value>) {
        let ids = self.carried.get(&node).into_iter().flatten();
        self.values.extend(ids.copied().zip(args.copied()));
    }

    /// Reads a terminator. Gives the block that the chain goes on with; `None` where the chain ends
    /// here.
    fn leave(&mut self, scope: &mut Scope, node: usize, block: BlockId) -> Reading<Next> {
        let insts = self.flow.nodes[node].insts;
        let Some(last) = insts.last() else {
            return Err(self.r.error("a block has no terminator"));
        };
        if last.class.opcode == Op::Branch {
            let target = self.flow.nodes[node].succs[0];
            let values = self.incoming(node, target)?;
            if self.inlined[target] && self.flow.target_construct(target) == scope.construct {
                return Ok(Some((target, block, values)));
            }
        }
        self.terminator(scope, node, block)?;
        Ok(None)
    }

    /// The values that the phis of `target` take from `node`.
    pub(super) fn incoming(&mut self, node: usize, target: usize) -> Reading<Vec<Value>> {
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

    pub(super) fn phi_types(&self, node: usize) -> Reading<Vec<Type>> {
        let insts = self.flow.nodes[node].insts.iter();
        let phis = insts.filter(|inst| inst.class.opcode == Op::Phi);
        let types = phis.map(|inst| self.r.result_type(inst));
        let mut types = types.collect::<Reading<Vec<Type>>>()?;
        let carried = self.carried.get(&node).into_iter().flatten();
        types.extend(carried.map(|id| self.defs[id].1));
        Ok(types)
    }

    /// The block that an edge leads to, and what it passes there.
    pub(super) fn edge(
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

    /// Refusal of an instruction, at the source location of the last `OpLine`.
    pub(super) fn refuse(&self, inst: &dr::Instruction, why: &str) -> Box<Diagnostic> {
        let mut error = self.r.refuse(inst, why);
        error.loc = self.loc;
        error
    }
}

/// Edge of the control flow: the target block, and the arguments passed to it.
pub(super) type Edge = (BlockId, Vec<Value>);

/// Continuation of a chain: the next node, the block that it is read into, and the values of its
/// phis; `None` where the chain ends.
pub(super) type Next = Option<(usize, BlockId, Vec<Value>)>;
