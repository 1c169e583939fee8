//! Alias analysis of memrefs.
//!
//! A memref value leads through views back to its *root*, and a root to the *bases* it may be:
//! allocations, globals, arguments. Two arguments may be the same memory. What separates them is
//! `memref.distinct_objects`: the results of one execution of it never share an element.
//! [`Aliases`] records whether an answer relied on one at the start of the function (see
//! [`Aliases::relied_on_arguments`]).

mod escape;
mod sources;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gridloom_dialects::{arith, inherent, memref};
use gridloom_ir::body::ValueDef;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::scalar::scalar_kind;
use gridloom_ir::{Attr, BlockId, Body, Context, OpId, Value};
use smallvec::SmallVec;

pub use escape::Globals;

use self::sources::Source;
use super::forwarding::{Handover, handovers, incoming};

/// Base: the allocation, global or argument that a root points into.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// Argument of the function.
    Argument(Value),
    /// Memory of an `alloc`, `alloca` or `realloc`.
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
    /// Both are views of one buffer.
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
    /// The sources of roots that were asked about.
    known: RefCell<FxHashMap<Root, Rc<[Source]>>>,
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
            known: RefCell::default(),
        }
    }

    /// Whether an answer so far relied on a `memref.distinct_objects` at the
    /// top level of the function, where arguments are separated.
    pub fn relied_on_arguments(&self) -> bool {
        self.relied_on_arguments.get()
    }

    /// Sets the record back to what [`Self::relied_on_arguments`] said before answers that decide only what is worth doing.
    pub fn restore_reliance(&self, before: bool) {
        self.relied_on_arguments.set(before);
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
        let (left, right) = (self.sources(a), self.sources(b));
        let mut pairs = left.iter().flat_map(|l| right.iter().map(move |r| (l, r)));
        let is_apart = pairs.all(|(l, r)| self.are_apart(l, r))
            || self.is_fresh(a, b, shares)
            || self.is_fresh(b, a, shares);
        match is_apart {
            true => Alias::No,
            false => Alias::May,
        }
    }

    /// Whether one root is an allocation that runs after the other value is defined, so that the
    /// value is older memory: what the last iteration allocated and a loop carries into this one, say.
    fn is_fresh(&self, made: Root, older: Root, shares: &dyn Fn(Option<BlockId>) -> bool) -> bool {
        let (Root::Value(made), Root::Value(older)) = (made, older) else {
            return false;
        };
        let body = self.body;
        let is_allocation = |&op: &OpId| matches!(body[op].name, memref::ALLOC | memref::ALLOCA);
        let Some(made) = body.defining_op(made).filter(is_allocation) else {
            return false;
        };
        // Another run of the block allocates again, and may be given what this run made.
        if !shares(body[made].parent()) {
            return false;
        }
        let Some(block) = body.value_block(older) else {
            return false;
        };
        let Some(around) = body.ancestor_in_block(made, block) else {
            return false;
        };
        match body.defining_op(older) {
            None => true,
            Some(op) => {
                let mut behind = std::iter::successors(body[op].next(), |&op| body[op].next());
                behind.any(|op| op == around)
            }
        }
    }

    /// Whether two sources are distinct, by their bases or since the start of the function
    /// separates them.
    fn are_apart(&self, a: &Source, b: &Source) -> bool {
        if self.are_distinct(a.base, b.base) {
            return true;
        }
        let mut pairs =
            (a.separations.iter()).flat_map(|l| b.separations.iter().map(move |r| (l, r)));
        let is_separated = pairs.any(|(l, r)| l.0 == r.0 && l.1 != r.1);
        if is_separated {
            self.relied_on_arguments.set(true);
        }
        is_separated
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
        self.sources(root)
            .iter()
            .map(|source| source.base)
            .collect()
    }

    /// Whether two values are carried by one loop that only permutes its memrefs: what it yields is
    /// a permutation of what it carries (in an `scf.while`, what the condition passes on too), and
    /// it starts with distinct buffers. Then no two of them are the same in one iteration.
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
        let Some(handovers) = handovers(self.ctx, self.body, op) else {
            return false;
        };
        // The orbit of `a` under the permutation must hold `b`'s whole orbit too,
        // so all memrefs of the loop take part.
        let memrefs = |values: &[Value]| -> Vec<Value> {
            let is_memref = |value: &&Value| self.body.ty(**value).memref(self.ctx).is_some();
            values.iter().filter(is_memref).copied().collect()
        };
        for Handover { passed, args } in &handovers.steps {
            let (mut passed, mut args) = (memrefs(passed), memrefs(args));
            passed.sort_unstable();
            args.sort_unstable();
            if passed != args {
                return false;
            }
        }
        let inits: Vec<Root> = memrefs(handovers.inits)
            .into_iter()
            .map(|init| root_of(self.ctx, self.body, init))
            .collect();
        // All initial values belong to one run of the loop, so every block is shared.
        (0..inits.len())
            .all(|x| (0..x).all(|y| self.relate(inits[x], inits[y], &|_| true) == Alias::No))
    }
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
        let begins_inside = ty.first_element(ctx)? >= 0;
        let size = scalar_kind(ctx, ty.element)?.size() as i64;
        begins_inside.then(|| end.checked_mul(size))?
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
