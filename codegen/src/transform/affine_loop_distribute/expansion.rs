//! Array expansion: distributes a loop over contractions and the statements between them, and passes
//! the values that one piece computes and another uses through arrays.
//!
//! ```text
//! affine.for %i = 0 to %m {                  affine.for %i = 0 to %m {
//!   %z = affine.for %j … { … }                 %z = affine.for %j … { … }
//!   affine.for %e = 0 to %d {                  affine.store %z, %t[%i]
//!     affine.for %j = 0 to %n {         ⇒    }
//!       S(%i, %e, %j, %z)                    affine.for %i = 0 to %m {
//!     }                                        %z = affine.load %t[%i]
//!   }                                          affine.for %e = 0 to %d { … }
//! }                                          }
//! ```
//!
//! Attention over rows is such a loop: distributed, each product has a band of rows and columns whose
//! tiles share their loads; inside the loop over rows it is a product of a vector and a matrix.
//!
//! Legal where the loop is parallel: the pieces keep their order, and each iteration has its own array
//! elements, indexed by the induction variables of the parallel loops directly around. Done for pieces
//! that are a parallel loop around another loop with a load that is invariant in the distributed loop, or
//! with much work where the loops around have few iterations, too few for a thread each ([`few`](super::few));
//! the statements between such pieces stay together. Refused for values of types that memory cannot
//! hold and for extents that depend on the surrounding loops.

use gridloom_dialects::affine::{ForOp, LoadOp, StoreOp};
use gridloom_ir::{AffineMap, Body, Builder, Context, OpId, Value};

use super::few::{Rounds, are_few, is_worth_a_grid};
use super::{has_parallel_loop, loop_depth};
use crate::analysis::access::{accesses_below, accesses_of};
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::parallel::verdict;
use crate::analysis::reduction::is_repeatable;
use crate::analysis::repeatable::are_unchanged;
use crate::analysis::stride::stride;
use crate::analysis::values::Atom;
use crate::transform::auxiliary_arrays::{Extent, allocate, anchor, can_hold};

/// Most values that one distribution expands.
const MAX_VALUES: usize = 8;

/// Most elements of an array of constant extents.
const MAX_ELEMENTS: i64 = 1 << 24;

/// Values to be expanded to arrays with an element for each iteration of the loops around.
pub(super) struct Expansion {
    values: Vec<Value>,
    /// The loop and the parallel ones directly around, outermost first.
    pub(super) around: Vec<ForOp>,
    extents: Vec<Extent>,
}

impl Expansion {
    /// Plans the expansion of values that a loop computes; [`None`] if memory cannot hold one.
    pub(super) fn of(deps: &mut Dependences, op: ForOp, values: Vec<Value>) -> Option<Expansion> {
        let (ctx, body) = (deps.values.ctx, deps.values.body);
        let can_store = values.iter().all(|&value| can_hold(ctx, body.ty(value)));
        let is_possible = values.len() <= MAX_VALUES && can_store;
        let (around, extents) = loops_around(deps, op).filter(|_| is_possible)?;
        Some(Expansion {
            values,
            around,
            extents,
        })
    }
}

/// Pieces of a distributed parallel loop, and the values that pass between them.
pub(super) struct Expanded {
    pub(super) pieces: Vec<Vec<OpId>>,
    pub(super) expansion: Expansion,
}

/// Groups the statements of a parallel loop into pieces, where a test has found few iterations around with so many
/// rounds in each, if there is one.
pub(super) fn plan_expanded(
    deps: &mut Dependences,
    op: ForOp,
    statements: &[OpId],
    tested: Option<&Rounds>,
) -> Option<Expanded> {
    let groups = groups(deps, op, statements, tested);
    if groups.len() < 2 {
        return None;
    }
    let mut values = Vec::new();
    let mut pieces = Vec::new();
    for group in &groups {
        let (repeated, needed) =
            frontier(deps.values.body, op, group, |def| can_repeat(deps, op, def))?;
        for value in needed {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        pieces.push([repeated, group.clone()].concat());
    }
    let body = deps.values.body;
    let is_used = |group: &Vec<OpId>| {
        let mut statements = group.iter();
        statements.any(|&s| {
            let mut results = body[s].results();
            !is_repeatable(body, s) || results.any(|v| values.contains(&v))
        })
    };
    let used: Vec<bool> = groups.iter().map(is_used).collect();
    let mut used = used.into_iter();
    pieces.retain(|_| used.next().unwrap_or(true));
    if pieces.len() < 2 {
        return None;
    }
    let expansion = Expansion::of(deps, op, values)?;
    Some(Expanded { pieces, expansion })
}

/// Statement groups: each contraction alone, the statements between two contractions together.
fn groups(
    deps: &mut Dependences,
    op: ForOp,
    statements: &[OpId],
    tested: Option<&Rounds>,
) -> Vec<Vec<OpId>> {
    let mut groups: Vec<Vec<OpId>> = vec![Vec::new()];
    for &statement in statements {
        if is_contraction(deps, op, statement, tested) {
            groups.push(vec![statement]);
            groups.push(Vec::new());
        } else if let Some(group) = groups.last_mut() {
            group.push(statement);
        }
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// Whether a statement is a nest that becomes part of a grid and whose loads are reused across
/// iterations of the distributed loop.
fn is_contraction(
    deps: &mut Dependences,
    op: ForOp,
    statement: OpId,
    tested: Option<&Rounds>,
) -> bool {
    let body = deps.values.body;
    if loop_depth(body, statement) < 2 || !has_parallel_loop(deps, statement) {
        return false;
    }
    let is_long = is_worth_a_grid(deps, statement);
    if is_long && is_among_few(deps, op) {
        return true;
    }
    if let Some(tested) = tested {
        let around = parallel_loops_around(deps, op);
        let own = Rounds::of_deepest(deps.values.ctx, body, around[0], statement);
        if is_long || own.is_some_and(|own| own.is_like(tested)) {
            return true;
        }
    }
    let counter = op.induction_var(body);
    let counter = deps.values.atom_number(Atom::Value(counter));
    let accesses = accesses_below(&mut deps.values, statement);
    let mut loads = accesses.iter().filter(|access| !access.is_write);
    loads.any(|load| stride(deps, load, counter) == Some(0))
}

/// Whether a loop and the parallel ones directly around it have few iterations.
fn is_among_few(deps: &mut Dependences, op: ForOp) -> bool {
    loops_around(deps, op).is_some_and(|(around, _)| are_few(deps, &around))
}

/// The loop with the parallel loops directly around it, outermost first.
pub(super) fn parallel_loops_around(deps: &mut Dependences, op: ForOp) -> Vec<ForOp> {
    let body = deps.values.body;
    let mut around = vec![op];
    let mut at = op.0;
    while let Some(parent) = body.parent_op(at).and_then(|op| ForOp::cast(body, op)) {
        if !verdict(deps, parent.0).is_parallel() {
            break;
        }
        around.push(parent);
        at = parent.0;
    }
    around.reverse();
    around
}

/// The loop with the parallel loops directly around it, outermost first, and the extents of an array
/// with an element for each iteration.
fn loops_around(deps: &mut Dependences, op: ForOp) -> Option<(Vec<ForOp>, Vec<Extent>)> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let around = parallel_loops_around(deps, op);
    let mut beyond = body.ancestors(around[0].0);
    if beyond.any(|op| is_affine_loop(body, op) && verdict(deps, op).is_parallel()) {
        return None;
    }
    let mut elements = 1i64;
    let mut extents = Vec::new();
    for l in &around {
        let upper = l.upper(ctx, body);
        let is_named = |&value: &Value| !body.is_defined_in(value, around[0].0);
        let begins_at_zero = l.constant_lower(ctx, body) == Some(0);
        if !begins_at_zero
            || upper.map.results(ctx).len() != 1
            || !upper.operands.iter().all(is_named)
        {
            return None;
        }
        extents.push(match l.constant_upper(ctx, body) {
            Some(extent) => {
                elements = elements.checked_mul(extent.max(1))?;
                Extent::Constant(extent.max(1))
            }
            None => Extent::Count((upper.map, upper.operands.to_vec())),
        });
    }
    (elements <= MAX_ELEMENTS).then_some((around, extents))
}

/// Inputs of a group from other statements of the loop: the statements that it recomputes, in order, and
/// the values that it does not, of statements that `can_repeat` rejects; `None` where it has no answer.
pub(super) fn frontier(
    body: &Body,
    op: ForOp,
    group: &[OpId],
    mut can_repeat: impl FnMut(OpId) -> Option<bool>,
) -> Option<(Vec<OpId>, Vec<Value>)> {
    let block = op.block(body);
    let mut repeated: Vec<OpId> = Vec::new();
    let mut values: Vec<Value> = Vec::new();
    let mut stack: Vec<OpId> = group.to_vec();
    while let Some(statement) = stack.pop() {
        for below in body.walk_op(statement) {
            for &operand in &body[below].operands {
                let def = (body.defining_op(operand))
                    .filter(|&def| body[def].parent() == Some(block))
                    .filter(|def| !group.contains(def) && !repeated.contains(def));
                let Some(def) = def else { continue };
                if can_repeat(def)? {
                    repeated.push(def);
                    stack.push(def);
                } else if !values.contains(&operand) {
                    values.push(operand);
                }
            }
        }
    }
    let in_order = body.ops(block).filter(|op| repeated.contains(op));
    Some((in_order.collect(), values))
}

/// Whether a statement computes the same values in a later piece, not so if it depends on loops or on memory that
/// the loop writes; [`None`] where the proof would have to
/// compare too many accesses.
fn can_repeat(deps: &mut Dependences, op: ForOp, def: OpId) -> Option<bool> {
    let body = deps.values.body;
    if !is_repeatable(body, def) {
        return Some(false);
    }
    let mut loads = Vec::new();
    accesses_of(&mut deps.values, def, &mut loads);
    are_unchanged(deps, &loads, op.0, Scope::Block(op.block(body)))
}

/// Arrays of an expansion while the pieces are written.
pub(super) struct Arrays<'a> {
    expansion: &'a Expansion,
    arrays: Vec<Value>,
    map: AffineMap,
}

impl Expansion {
    /// Whether all extents of its arrays are constants.
    pub(super) fn is_constant(&self) -> bool {
        let mut extents = self.extents.iter();
        extents.all(|extent| matches!(extent, Extent::Constant(_)))
    }

    /// Allocates an array for each value before the outermost loop, of constant extents before the
    /// sequential loops around it as well.
    pub(super) fn allocate(&self, ctx: &Context, body: &mut Body) -> Arrays<'_> {
        let types: Vec<_> = self.values.iter().map(|&value| body.ty(value)).collect();
        let arrays = match self.around.first() {
            Some(&outer) if self.is_constant() => {
                let anchor = anchor(body, outer, true);
                allocate(ctx, body, anchor, &types, &self.extents)
            }
            Some(outer) => allocate(ctx, body, outer.0, &types, &self.extents),
            None => Vec::new(),
        };
        Arrays {
            expansion: self,
            arrays,
            map: ctx.identity_map(self.around.len() as u32),
        }
    }
}

impl Arrays<'_> {
    /// Subscripts of the element that belongs to the current iteration of a copy of the loop.
    fn place(&self, body: &Body, counter: Value) -> Vec<Value> {
        let around = &self.expansion.around;
        // The last of `around` is the distributed loop itself.
        let outer = around.iter().take(around.len().saturating_sub(1));
        let counters = outer.map(|l| l.induction_var(body));
        counters.chain([counter]).collect()
    }

    /// Stores the values that are results of a statement; `copy` names a value in the piece.
    pub(super) fn store(
        &self,
        b: &mut Builder,
        results: &[Value],
        counter: Value,
        copy: impl Fn(Value) -> Value,
    ) {
        let place = self.place(b.body, counter);
        for (value, &array) in self.expansion.values.iter().zip(&self.arrays) {
            if results.contains(value) {
                StoreOp::create(b, copy(*value), array, self.map, &place);
            }
        }
    }

    /// Loads all values. Returns pairs of a value and the load that replaces it.
    pub(super) fn load_all(&self, b: &mut Builder, counter: Value) -> Vec<(Value, Value)> {
        let place = self.place(b.body, counter);
        let all = self.expansion.values.iter().zip(&self.arrays);
        all.map(|(&value, &array)| (value, LoadOp::create(b, array, self.map, &place)))
            .collect()
    }

    /// Loads the values that a piece uses without computing them.
    pub(super) fn load(
        &self,
        b: &mut Builder,
        piece: &[OpId],
        counter: Value,
    ) -> Vec<(Value, Value)> {
        let place = self.place(b.body, counter);
        let mut loaded = Vec::new();
        for (&value, &array) in self.expansion.values.iter().zip(&self.arrays) {
            let is_own = (b.body)
                .defining_op(value)
                .is_some_and(|def| piece.contains(&def));
            let uses = |&statement: &OpId| {
                let below = b.body.walk_op(statement);
                let mut below = below.into_iter();
                below.any(|op| b.body[op].operands.contains(&value))
            };
            if !is_own && piece.iter().any(uses) {
                loaded.push((value, LoadOp::create(b, array, self.map, &place)));
            }
        }
        loaded
    }
}
