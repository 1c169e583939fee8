//! Alias analysis of memrefs.
//!
//! A memref value leads through views back to its *root*, and a root to the *bases* it may be:
//! allocations, globals, arguments. Two arguments may be the same memory. What separates them is
//! `memref.distinct_objects`: the results of one execution of it never share an element.
//! [`Aliases`] records whether an answer relied on one at the start of the function (see
//! [`Aliases::relied_on_arguments`]).

use std::cell::Cell;

use gridloom_dialects::{affine, arith, func, inherent, memref, scf};
use gridloom_ir::body::ValueDef;
use gridloom_ir::hash::FxHashSet;
use gridloom_ir::scalar::scalar_kind;
use gridloom_ir::{Attr, BlockId, Body, Context, Module, OpId, Value};
use smallvec::SmallVec;

use super::access::is_memref;
use super::callee::Callees;

/// Base: the allocation, global or argument that a root points into.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// Argument of the function.
    Argument(Value),
    /// Memory of an `alloc` or `alloca`.
    Allocation(OpId),
    /// A global.
    Global(Attr),
    /// Unknown memory: the result of a call, or an argument of a block.
    Unknown,
}

/// Alias result: whether two memrefs may share memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alias {
    /// Their memory never overlaps.
    No,
    /// Their memory may overlap.
    May,
    /// They are views of one buffer.
    Same,
}

/// The root of a memref: the value or global at the start of its chain of views.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Root {
    /// A value that is no view.
    Value(Value),
    /// A global, by its symbol.
    Global(Attr),
}

/// Alias analysis of the memrefs of one body.
pub struct Aliases<'a> {
    ctx: &'a Context,
    body: &'a Body,
    globals: &'a Globals,
    relied_on_arguments: Cell<bool>,
}

/// Escape summary of a module, for the alias analysis of a function: the globals that never escape,
/// since they are only loaded from, stored to and copied; and the accesses that declarations of
/// functions state.
#[derive(Clone, Default, Debug)]
pub struct Globals {
    kept_apart: FxHashSet<Attr>,
    callees: Callees,
}

impl Globals {
    /// Summarizes all functions of a module, if it declares a global.
    pub fn of(ctx: &Context, module: &Module) -> Self {
        let declares = module.ops().any(|(_, op)| op.name == memref::GLOBAL);
        let mut met = FxHashSet::default();
        let mut passed_on = FxHashSet::default();
        for (_, op) in module.ops().filter(|_| declares) {
            let Some(body) = op.isolated() else { continue };
            if op.name != func::FUNC || !body.may_hold(memref::GET_GLOBAL) {
                continue;
            }
            for op in body.walk() {
                for (position, &operand) in body[op].operands.iter().enumerate() {
                    let Some(Root::Global(name)) = global_root(ctx, body, operand) else {
                        continue;
                    };
                    met.insert(name);
                    if !stays_put(body, op, position) {
                        passed_on.insert(name);
                    }
                }
            }
        }
        Globals {
            kept_apart: met.difference(&passed_on).copied().collect(),
            callees: Callees::of(ctx, module),
        }
    }

    /// Declared effects of the module's functions without a body.
    pub fn callees(&self) -> &Callees {
        &self.callees
    }

    fn is_kept_apart(&self, name: Attr) -> bool {
        self.kept_apart.contains(&name)
    }
}

fn global_root(ctx: &Context, body: &Body, value: Value) -> Option<Root> {
    if !is_memref(ctx, body, value) {
        return None;
    }
    let mut value = value;
    for _ in 0..MAX_STEPS {
        let op = body.defining_op(value)?;
        value = match body[op].name {
            memref::GET_GLOBAL => return body[op].attr(ctx, inherent::NAME).map(Root::Global),
            _ if is_view(body, op) => *body[op].operands.first()?,
            _ => separated_from(body, value)?,
        };
    }
    None
}

/// Whether a use of a memref as operand `position` creates no alias of it. Storing the memref
/// itself does create one.
fn stays_put(body: &Body, op: OpId, position: usize) -> bool {
    let is_stored = position == 0 && matches!(body[op].name, affine::STORE | memref::STORE);
    if is_stored {
        return false;
    }
    is_view(body, op)
        || matches!(
            body[op].name,
            memref::DISTINCT_OBJECTS
                | affine::LOAD
                | affine::STORE
                | memref::LOAD
                | memref::STORE
                | memref::COPY
                | memref::DIM
        )
}

/// Limit of a chain of views and carried memrefs: the analysis gives up on longer ones.
const MAX_STEPS: usize = 200;

impl<'a> Aliases<'a> {
    /// Creates the analysis of a body, which must not change while it is used.
    pub fn new(ctx: &'a Context, body: &'a Body, globals: &'a Globals) -> Self {
        Aliases {
            ctx,
            body,
            globals,
            relied_on_arguments: Cell::new(false),
        }
    }

    /// Whether an answer so far relied on a `memref.distinct_objects` at the
    /// top level of the function, where arguments are separated.
    pub fn relied_on_arguments(&self) -> bool {
        self.relied_on_arguments.get()
    }

    /// Alias query for two roots, each in its own instance of the iterations. `shares` says of a
    /// block whether both instances are in the same run of it.
    pub fn relate(&self, a: Root, b: Root, shares: &dyn Fn(Option<BlockId>) -> bool) -> Alias {
        if a == b {
            return Alias::Same;
        }
        if let (Root::Value(a), Root::Value(b)) = (a, b)
            && (self.are_separated(a, b, shares) || self.are_permuted(a, b, shares))
        {
            return Alias::No;
        }
        let (left, right) = (self.bases(a), self.bases(b));
        let pairs = left
            .iter()
            .flat_map(|l| right.iter().map(move |r| (*l, *r)));
        for (l, r) in pairs {
            if !self.are_distinct(l, r) {
                return Alias::May;
            }
        }
        Alias::No
    }

    fn are_distinct(&self, a: Base, b: Base) -> bool {
        match (a, b) {
            (Base::Unknown, _) | (_, Base::Unknown) => false,
            (Base::Argument(_), Base::Argument(_)) => false,
            (Base::Argument(_), Base::Global(name)) | (Base::Global(name), Base::Argument(_)) => {
                self.globals.is_kept_apart(name)
            }
            _ => a != b,
        }
    }

    /// Whether two values are, or are views of, different results of one
    /// execution of a `memref.distinct_objects`.
    fn are_separated(&self, a: Value, b: Value, shares: &dyn Fn(Option<BlockId>) -> bool) -> bool {
        let (left, right) = (self.separations(a), self.separations(b));
        let separates = |&(op, index): &(OpId, u32)| {
            shares(self.body[op].parent())
                && right
                    .iter()
                    .any(|&(other, position)| other == op && position != index)
        };
        let Some(&(op, _)) = left.iter().find(|&found| separates(found)) else {
            return false;
        };
        let block = self.body[op].parent();
        if block.is_some() && block == self.body.entry() {
            self.relied_on_arguments.set(true);
        }
        true
    }

    /// The results of `memref.distinct_objects` that a value is a view of. The walk stops at views
    /// that may reach beyond the elements of their source.
    fn separations(&self, mut value: Value) -> SmallVec<[(OpId, u32); 4]> {
        let mut found = SmallVec::new();
        for _ in 0..MAX_STEPS {
            let ValueDef::Result(op, index) = self.body[value].def() else {
                break;
            };
            let operands = &self.body[op].operands;
            let source = match self.body[op].name {
                memref::DISTINCT_OBJECTS => {
                    found.push((op, index));
                    operands.get(index as usize)
                }
                _ if is_view(self.body, op) && stays_inside(self.ctx, self.body, op) => {
                    operands.first()
                }
                _ => None,
            };
            match source {
                Some(&source) => value = source,
                None => break,
            }
        }
        found
    }

    /// The buffers that a root may be.
    pub fn bases(&self, root: Root) -> Vec<Base> {
        let mut found = Vec::new();
        let mut seen = Vec::new();
        let mut stack = Vec::new();
        match root {
            Root::Global(name) => return vec![Base::Global(name)],
            Root::Value(value) => stack.push(value),
        }
        while let Some(value) = stack.pop() {
            if seen.contains(&value) {
                continue;
            }
            seen.push(value);
            if seen.len() > MAX_STEPS {
                return vec![Base::Unknown];
            }
            match self.step(value) {
                Step::Base(base) => found.push(base),
                Step::Values(values) => stack.extend(values),
            }
        }
        found
    }

    fn step(&self, value: Value) -> Step {
        match self.body[value].def() {
            ValueDef::Result(op, index) => self.step_result(op, index as usize),
            ValueDef::Argument(block, index) => self.step_argument(value, block, index as usize),
        }
    }

    fn step_result(&self, op: OpId, index: usize) -> Step {
        let body = self.body;
        let data = &body[op];
        match data.name {
            memref::ALLOC | memref::ALLOCA => Step::Base(Base::Allocation(op)),
            memref::GET_GLOBAL => match data.attr(self.ctx, inherent::NAME) {
                Some(name) => Step::Base(Base::Global(name)),
                None => Step::Base(Base::Unknown),
            },
            arith::SELECT => Step::Values(data.operands[1..].to_vec()),
            memref::DISTINCT_OBJECTS => match data.operands.get(index) {
                Some(&operand) => Step::Values(vec![operand]),
                None => Step::Base(Base::Unknown),
            },
            _ if is_view(body, op) => Step::Values(data.operands[..1].to_vec()),
            affine::FOR | scf::FOR => match carried(self.ctx, body, op, index) {
                Some(pair) => Step::Values(pair.to_vec()),
                None => Step::Base(Base::Unknown),
            },
            affine::IF | scf::IF => {
                let regions = 0..data.inline_regions().len();
                let blocks = regions.filter_map(|r| body.region_block(op, r));
                let yields = blocks.filter_map(|block| body[block].last());
                let values = yields.map(|last| body[last].operands.get(index).copied());
                match values.collect::<Option<Vec<_>>>() {
                    Some(values) => Step::Values(values),
                    None => Step::Base(Base::Unknown),
                }
            }
            _ => Step::Base(Base::Unknown),
        }
    }

    fn step_argument(&self, value: Value, block: BlockId, index: usize) -> Step {
        let Some(op) = self.body.block_parent_op(block) else {
            let is_entry = self.body.entry() == Some(block);
            return Step::Base(match is_entry {
                true => Base::Argument(value),
                false => Base::Unknown,
            });
        };
        let pair = match self.body[op].name {
            affine::FOR | scf::FOR => index
                .checked_sub(1)
                .and_then(|index| carried(self.ctx, self.body, op, index)),
            _ => None,
        };
        match pair {
            Some(pair) => Step::Values(pair.to_vec()),
            None => Step::Base(Base::Unknown),
        }
    }

    /// Whether two values are carried by one loop that only permutes its memrefs: what it yields is
    /// a permutation of what it carries, and it starts with distinct buffers. Then no two of them
    /// are the same in one iteration.
    fn are_permuted(&self, a: Value, b: Value, shares: &dyn Fn(Option<BlockId>) -> bool) -> bool {
        let (ValueDef::Argument(block, i), ValueDef::Argument(other, j)) =
            (self.body[a].def(), self.body[b].def())
        else {
            return false;
        };
        let Some(op) = self
            .body
            .block_parent_op(block)
            .filter(|_| block == other && i != j && shares(Some(block)))
        else {
            return false;
        };
        if !matches!(self.body[op].name, affine::FOR | scf::FOR) {
            return false;
        }
        let carried_args: Vec<Value> = self.body[block].args.iter().skip(1).copied().collect();
        let pairs: Option<Vec<[Value; 2]>> = (0..carried_args.len())
            .map(|index| carried(self.ctx, self.body, op, index))
            .collect();
        let Some(pairs) = pairs else { return false };
        // The orbit of `a` under the permutation must hold `b`'s whole orbit too,
        // so all memrefs of the loop take part.
        let memrefs: Vec<usize> = (0..pairs.len())
            .filter(|&k| self.body.ty(carried_args[k]).memref(self.ctx).is_some())
            .collect();
        let mut yielded: Vec<Value> = memrefs.iter().map(|&k| pairs[k][1]).collect();
        let mut args: Vec<Value> = memrefs.iter().map(|&k| carried_args[k]).collect();
        yielded.sort_unstable();
        args.sort_unstable();
        if yielded != args {
            return false;
        }
        let inits: Vec<Root> = memrefs
            .iter()
            .map(|&k| root_of(self.ctx, self.body, pairs[k][0]))
            .collect();
        // All initial values belong to one run of the loop, so every block is shared.
        (0..inits.len())
            .all(|x| (0..x).all(|y| self.relate(inits[x], inits[y], &|_| true) == Alias::No))
    }
}

enum Step {
    Base(Base),
    /// Any of these values, to be followed further.
    Values(Vec<Value>),
}

/// Initial and yielded value of the `index`-th value that a counted loop carries.
fn carried(ctx: &Context, body: &Body, op: OpId, index: usize) -> Option<[Value; 2]> {
    let inits = match body[op].name {
        affine::FOR => affine::ForOp(op).inits(ctx, body),
        _ => scf::ForOp(op).inits(body),
    };
    let block = body.region_block(op, 0)?;
    let last = body[block].last()?;
    Some([*inits.get(index)?, *body[last].operands.get(index)?])
}

/// Whether an operation's result is a view of its first operand.
pub fn is_view(body: &Body, op: OpId) -> bool {
    matches!(
        body[op].name,
        memref::CAST
            | memref::SUBVIEW
            | memref::VIEW
            | memref::REINTERPRET_CAST
            | memref::EXPAND_SHAPE
            | memref::COLLAPSE_SHAPE
            | memref::TRANSPOSE
            | memref::RESHAPE
            | memref::MEMORY_SPACE_CAST
            | memref::ASSUME_ALIGNMENT
    )
}

/// The operand of `memref.distinct_objects` that this result is another name of.
pub fn separated_from(body: &Body, value: Value) -> Option<Value> {
    let ValueDef::Result(op, index) = body[value].def() else {
        return None;
    };
    let is_separation = body[op].name == memref::DISTINCT_OBJECTS;
    let operand = body[op].operands.get(index as usize).copied();
    operand.filter(|_| is_separation)
}

/// Whether every element of a view is one of its source. A view built from a base and given offsets
/// and strides may leave its source, unless its type excludes it.
fn stays_inside(ctx: &Context, body: &Body, view: OpId) -> bool {
    if !matches!(body[view].name, memref::REINTERPRET_CAST | memref::VIEW) {
        return true;
    }
    let Some(&source) = body[view].operands.first() else {
        return false;
    };
    let bytes_of = |value: Value| {
        let ty = body.ty(value).memref(ctx)?;
        let end = ty.buffer_extent(ctx)?;
        let is_forward = ty
            .strided_form(ctx)
            .is_some_and(|(offset, strides)| offset >= 0 && strides.iter().all(|&s| s >= 0));
        let size = scalar_kind(ctx, ty.element)?.size() as i64;
        is_forward.then(|| end.checked_mul(size))?
    };
    let is_dense = |value: Value| {
        let ty = body.ty(value).memref(ctx);
        ty.is_some_and(|ty| ty.layout.is_none())
    };
    let shift = match body[view].name {
        memref::VIEW => match body[view].operands.get(1) {
            Some(&shift) => arith::constant_int(ctx, body, shift),
            None => None,
        },
        _ => Some(0),
    };
    let room = bytes_of(source).filter(|_| is_dense(source));
    let needs = bytes_of(body[view].result(0)).zip(shift.filter(|&shift| shift >= 0));
    let needs = needs.and_then(|(bytes, shift)| bytes.checked_add(shift));
    room.zip(needs).is_some_and(|(room, needs)| needs <= room)
}

/// Root of a memref: the value or global that its chain of views starts at.
///
/// The walk stops at a view that may leave the elements of a result of `memref.distinct_objects`,
/// since disjointness is promised for these elements only.
pub fn root_of(ctx: &Context, body: &Body, memref: Value) -> Root {
    let mut value = memref;
    let mut leaving = None;
    // SSA chains end; in dead code they may go round, hence the bound.
    for _ in 0..MAX_STEPS {
        let Some(op) = body.defining_op(value) else {
            break;
        };
        if body[op].name == memref::GET_GLOBAL
            && let Some(name) = body[op].attr(ctx, inherent::NAME)
        {
            return Root::Global(name);
        }
        match body[op].operands.first() {
            Some(&source) if is_view(body, op) => {
                if !stays_inside(ctx, body, op) {
                    leaving = Some(value);
                }
                value = source;
            }
            _ => break,
        }
    }
    match leaving {
        Some(view) if separated_from(body, value).is_some() => Root::Value(view),
        _ => Root::Value(value),
    }
}
