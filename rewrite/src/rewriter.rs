//! The rewriter: in-place rewriting of a body with a worklist.
//!
//! A [`Rewriter`] keeps the use lists of a body up to date while it changes, so
//! that a replacement costs what it touches, and a worklist of the operations
//! worth visiting again.

use std::collections::VecDeque;

use gridloom_dialects::{arith, inherent, ub};
use gridloom_ir::attr_names::{self, AttrName};
use gridloom_ir::fold::{Elements, FoldCx, FoldResult};
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::op::Traits;
use gridloom_ir::{Attr, BlockId, Body, Context, OpId, OpName, OpState, Type, Value};

use smallvec::SmallVec;

use crate::globals::ConstantGlobals;

mod structure;

/// The identity of a constant: equal keys are merged.
type ConstantKey = (OpName, Attr, Type);

/// Users of a value: most have few, and these lie in the table itself.
type Users = SmallVec<[OpId; 4]>;

/// A body under rewriting; every change goes through it.
pub struct Rewriter<'a> {
    /// The context of the body.
    pub ctx: &'a Context,
    /// The constant globals of the module, where rewrites may read them.
    pub globals: Option<&'a ConstantGlobals>,
    body: &'a mut Body,
    /// Candidate users of each value: all that use it now, and perhaps some
    /// that no longer do.
    users: Vec<Users>,
    /// The number of uses of each value.
    counts: Vec<u32>,
    queue: VecDeque<OpId>,
    queued: Vec<bool>,
    erased: Vec<bool>,
    changed: bool,
    constants: FxHashMap<ConstantKey, OpId>,
    /// The last of the gathered constants at the head of the entry block.
    last_constant: Option<OpId>,
}

impl<'a> Rewriter<'a> {
    /// A rewriter with all operations of the body on the worklist, in order.
    pub fn new(ctx: &'a Context, body: &'a mut Body) -> Self {
        let mut rewriter = Self::of(ctx, body);
        rewriter.begin_round();
        rewriter
    }

    /// A rewriter with nothing on the worklist.
    pub(crate) fn of(ctx: &'a Context, body: &'a mut Body) -> Self {
        let mut rewriter = Rewriter {
            ctx,
            globals: None,
            users: vec![Users::new(); body.value_capacity()],
            counts: vec![0; body.value_capacity()],
            queue: VecDeque::new(),
            queued: vec![false; body.op_capacity()],
            erased: vec![false; body.op_capacity()],
            changed: false,
            constants: FxHashMap::default(),
            last_constant: None,
            body,
        };
        for op in rewriter.body.walk() {
            rewriter.note_operands(op);
        }
        rewriter
    }

    /// Puts all operations of the body on the worklist, which must be empty, in order; no constant is
    /// gathered. Returns the [walk](Body::walk) of the body.
    pub(crate) fn begin_round(&mut self) -> Vec<OpId> {
        self.constants.clear();
        self.last_constant = None;
        let order = self.body.walk();
        self.queue.clear();
        self.queue.extend(&order);
        self.queued.fill(false);
        order.iter().for_each(|op| self.queued[op.index()] = true);
        order
    }

    /// The body in its current state.
    pub fn body(&self) -> &Body {
        self.body
    }

    /// The folding context of an operation, to match the operations that define
    /// its operands.
    pub fn look(&self, op: OpId) -> FoldCx<'_> {
        FoldCx {
            ctx: self.ctx,
            body: self.body,
            op,
        }
    }

    /// Whether anything has changed so far.
    pub fn changed(&self) -> bool {
        self.changed
    }

    /// Takes the flag whether anything has changed since it was last taken.
    pub(crate) fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Pushes an operation on the worklist, unless it is there.
    pub fn push(&mut self, op: OpId) {
        let queued = &mut self.queued[op.index()];
        if !std::mem::replace(queued, true) {
            self.queue.push_back(op);
        }
    }

    /// Pops the next operation off the worklist.
    pub fn pop(&mut self) -> Option<OpId> {
        while let Some(op) = self.queue.pop_front() {
            self.queued[op.index()] = false;
            if !self.erased[op.index()] {
                return Some(op);
            }
        }
        None
    }

    /// Whether a value has no uses.
    pub fn is_unused(&self, value: Value) -> bool {
        self.counts[value.index()] == 0
    }

    /// The users of a value, each once.
    pub fn users(&self, value: Value) -> Vec<OpId> {
        let uses = |op: &OpId| !self.erased[op.index()] && self.body[*op].operands.contains(&value);
        let mut users: Vec<OpId> = self.users[value.index()]
            .iter()
            .copied()
            .filter(uses)
            .collect();
        users.sort_unstable();
        users.dedup();
        users
    }

    /// Replaces all uses of `old` by `new`.
    pub fn replace(&mut self, old: Value, new: Value) {
        if old == new {
            return;
        }
        for op in std::mem::take(&mut self.users[old.index()]) {
            if self.erased[op.index()] {
                continue;
            }
            let mut found = 0;
            for operand in &mut self.body[op].operands {
                if *operand == old {
                    *operand = new;
                    found += 1;
                }
            }
            if found > 0 {
                self.counts[new.index()] += found;
                self.users[new.index()].push(op);
                self.changed = true;
                self.push(op);
            }
        }
        self.counts[old.index()] = 0;
        self.revisit_definition(old);
    }

    /// Replaces the results of an operation and erases it.
    pub fn replace_op(&mut self, op: OpId, values: &[Value]) {
        let results: Vec<Value> = self.body[op].results().collect();
        for (old, &new) in results.into_iter().zip(values) {
            self.replace(old, new);
        }
        self.erase(op);
    }

    /// Erases an operation with its regions; its results must be unused.
    pub fn erase(&mut self, op: OpId) {
        if self.last_constant == Some(op) {
            self.last_constant = self.body[op].prev();
        }
        if let Some(key) = self.constant_key(op)
            && self.constants.get(&key) == Some(&op)
        {
            self.constants.remove(&key);
        }
        for below in self.body.walk_op(op) {
            self.erased[below.index()] = true;
            let operands = std::mem::take(&mut self.body[below].operands);
            self.drop_uses(&operands);
        }
        if let Some(parent) = self.body.parent_op(op) {
            self.push(parent);
        }
        self.body.erase(op);
        self.changed = true;
    }

    /// Replaces the operands of an operation.
    pub fn set_operands(&mut self, op: OpId, operands: &[Value]) {
        let old = std::mem::replace(&mut self.body[op].operands, operands.into());
        self.note_operands(op);
        self.drop_uses(&old);
        self.changed = true;
        self.push(op);
    }

    /// Sets an inherent attribute.
    pub fn set_property(&mut self, op: OpId, name: impl AttrName, value: Attr) {
        self.body[op].set_property(self.ctx, name, value);
        self.changed = true;
        self.push(op);
    }

    /// Creates an operation before `anchor`.
    pub fn create_before(&mut self, anchor: OpId, state: OpState) -> OpId {
        let op = self.body.create_op(state);
        self.body.insert_before(anchor, op);
        self.register(op);
        op
    }

    /// Creates an operation of one result before `anchor`, with its location
    /// and with default inherent attributes; returns the result.
    pub fn make(&mut self, anchor: OpId, name: OpName, operands: &[Value], ty: Type) -> Value {
        let mut state = OpState::new(name, self.body[anchor].loc)
            .operands(operands)
            .results(&[ty]);
        state.properties = self.ctx.default_properties(name);
        let op = self.create_before(anchor, state);
        self.body[op].result(0)
    }

    /// Replaces an operation of one result by a new one of the same type.
    pub fn remake(&mut self, op: OpId, name: OpName, operands: &[Value]) -> Value {
        let ty = self.body.ty(self.body[op].result(0));
        let value = self.make(op, name, operands, ty);
        self.replace_op(op, &[value]);
        value
    }

    /// A constant of this type with the same bits in every element; `None` for
    /// types without constants.
    pub fn splat(&mut self, bits: u64, ty: Type, like: OpId) -> Option<Value> {
        self.elements(Elements::Splat(bits), ty, like)
    }

    /// A constant of this type; `None` for types without constants.
    pub fn elements(&mut self, elements: Elements, ty: Type, like: OpId) -> Option<Value> {
        let FoldResult::Constant(value, ty) = elements.into_result(self.ctx, ty)? else {
            return None;
        };
        Some(self.constant(value, ty, like))
    }

    /// A constant of the dialect of `like`: `index.constant` for `index`, else
    /// `arith.constant`. Reuses a gathered constant, or creates one before
    /// `like`, which the next round gathers.
    pub fn constant(&mut self, value: Attr, ty: Type, like: OpId) -> Value {
        let name = self.constant_name(self.body[like].name, value, ty);
        if let Some(&known) = self.constants.get(&(name, value, ty)) {
            return self.body[known].result(0);
        }
        let loc = self.body[like].loc;
        let state =
            OpState::new(name, loc)
                .results(&[ty])
                .property(self.ctx, attr_names::VALUE, value);
        let op = self.body.create_op(state);
        self.body.insert_before(like, op);
        self.register(op);
        self.body[op].result(0)
    }

    /// The operation that makes a constant: operations of `index` fold to
    /// constants of `index`, poison is `ub.poison`.
    fn constant_name(&self, like: OpName, value: Attr, ty: Type) -> OpName {
        if value == ub::poison_attr(self.ctx) {
            return ub::POISON;
        }
        let is_of_index = self.ctx.op_name_str(like).starts_with("index.");
        let name = match (
            is_of_index,
            ty.is_index(self.ctx),
            ty == self.ctx.bool_type(),
        ) {
            (true, true, _) => self.ctx.op_name("index.constant"),
            (true, _, true) => self.ctx.op_name("index.bool.constant"),
            _ => arith::CONSTANT,
        };
        if name.has(Traits::CONSTANT_LIKE) {
            name
        } else {
            arith::CONSTANT
        }
    }

    /// Moves every constant to the head of the entry block and merges equal
    /// ones. A moved constant goes before those that are there, as in
    /// `mlir-opt`.
    pub fn gather_constants(&mut self) {
        let order = self.body.walk();
        self.gather_constants_of(&order);
    }

    /// Gathers constants, given the [walk](Body::walk) of the body.
    pub(crate) fn gather_constants_of(&mut self, order: &[OpId]) {
        for &op in order {
            let Some(key) = self.constant_key(op) else {
                continue;
            };
            match self.constants.get(&key) {
                Some(&first) => {
                    let value = self.body[first].result(0);
                    self.replace_op(op, &[value]);
                }
                None => {
                    self.constants.insert(key, op);
                    self.place_constant(op);
                }
            }
        }
    }

    /// Moves an operation before `anchor`.
    pub fn move_before(&mut self, anchor: OpId, op: OpId) {
        self.body.detach(op);
        self.body.insert_before(anchor, op);
        self.changed = true;
    }

    /// Moves an operation to the end of a block.
    pub fn move_to_end(&mut self, block: BlockId, op: OpId) {
        self.body.detach(op);
        self.body.append(block, op);
        self.changed = true;
    }

    /// Replaces the successors of a terminator.
    pub fn set_successors(&mut self, op: OpId, successors: &[BlockId]) {
        self.body[op].set_successors(successors);
        self.changed = true;
        self.push(op);
    }

    /// Grows the use lists to cover new values.
    fn make_room(&mut self) {
        self.users
            .resize_with(self.body.value_capacity(), Users::new);
        self.counts.resize(self.body.value_capacity(), 0);
    }

    fn register(&mut self, op: OpId) {
        self.make_room();
        self.queued.resize(self.body.op_capacity(), false);
        self.erased.resize(self.body.op_capacity(), false);
        self.note_operands(op);
        self.push(op);
        self.changed = true;
    }

    fn note_operands(&mut self, op: OpId) {
        for &operand in &self.body[op].operands {
            self.counts[operand.index()] += 1;
            let users = &mut self.users[operand.index()];
            if users.last() != Some(&op) {
                users.push(op);
            }
        }
    }

    fn drop_uses(&mut self, operands: &[Value]) {
        for &operand in operands {
            self.counts[operand.index()] -= 1;
            if self.is_unused(operand) {
                self.revisit_definition(operand);
            }
        }
    }

    /// Pushes the operation that defines a value, or whose region has it as an
    /// argument.
    fn revisit_definition(&mut self, value: Value) {
        let body = &self.body;
        let op = body
            .defining_op(value)
            .or_else(|| body.block_parent_op(body.value_block(value)?));
        if let Some(op) = op.filter(|op| !self.erased[op.index()]) {
            self.push(op);
        }
    }

    /// The identity of a constant; `None` if it has discardable attributes,
    /// which merging would lose.
    fn constant_key(&self, op: OpId) -> Option<ConstantKey> {
        let data = &self.body[op];
        if !data.name.has(Traits::CONSTANT_LIKE) {
            return None;
        }
        let value = data.get(self.ctx, inherent::VALUE)?;
        let plain = data.attributes.is_empty() && data.num_results() == 1;
        plain.then(|| (data.name, value, self.body.ty(data.result(0))))
    }

    /// Places a constant among those at the head of the entry block: it stays
    /// if it already follows them, else it goes before them.
    fn place_constant(&mut self, op: OpId) {
        let in_place = self.body[op].parent() == self.body.entry()
            && self.body[op].prev() == self.last_constant;
        if !in_place {
            self.body.detach(op);
            self.place_first(op);
        } else {
            self.last_constant = Some(op);
        }
    }

    /// Moves a constant to the head of the entry block.
    fn place_first(&mut self, op: OpId) {
        let Some(entry) = self.body.entry() else {
            return;
        };
        self.body.prepend(entry, op);
        self.changed = true;
        self.last_constant.get_or_insert(op);
    }
}
