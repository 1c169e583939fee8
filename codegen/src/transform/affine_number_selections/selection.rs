//! Matcher for selections: conditionals and selects, one in the other, that give a carried value or what takes its
//! place.
//!
//! ```text
//! %s = scf.if %hit -> index {
//!   %u = arith.cmpi eq, %found, %c0
//!   %t = arith.select %u, %i, %p            the value %i, where %hit and %u hold, in place of %p
//!   scf.yield %t
//! } else {
//!   scf.yield %p
//! }
//! ```

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::scf;
use gridloom_ir::body::Uses;
use gridloom_ir::{BlockId, Body, Context, OpId, Value};

/// Limit of the operations that select one value and make its condition.
const MAX_STEPS: usize = 32;

/// A condition, and the value that it has to have.
pub(super) type Term = (Value, bool);

/// Selection of a carried value.
#[derive(Clone)]
pub(super) struct Selection {
    /// Position among the carried values.
    pub(super) at: usize,
    /// The value taken; `None` for a flag `carried | hit`, which takes `true`.
    pub(super) value: Option<Value>,
    /// The loop's block and the branches inside of it that lead to the value, from outside.
    pub(super) levels: Vec<Level>,
    /// Selects, whose results take the place of the carried value.
    pub(super) selects: Vec<OpId>,
    /// Operations that join and negate conditions.
    pub(super) joins: Vec<OpId>,
    /// Operands of selects and branches that hold the carried value, or a condition.
    slots: Vec<(OpId, usize)>,
}

/// The part of a selection in one block.
#[derive(Clone, Default)]
pub(super) struct Level {
    /// Conditions of selects.
    pub(super) terms: Vec<Term>,
    /// The branch that the value comes from.
    pub(super) branch: Option<Branch>,
}

/// A branch of an `scf.if` that gives what a selection takes; the other one gives the carried value.
#[derive(Clone)]
pub(super) struct Branch {
    pub(super) op: OpId,
    /// Number of the result.
    pub(super) result: usize,
    /// Number of the branch's region.
    pub(super) taken: usize,
    /// The conditions under which the branch is taken.
    pub(super) terms: Vec<Term>,
}

impl Selection {
    /// All conditions under which the value is taken.
    pub(super) fn terms(&self) -> Vec<Term> {
        let branches = self.branches().flat_map(|branch| &branch.terms);
        let selects = self.levels.iter().flat_map(|level| &level.terms);
        selects.chain(branches).copied().collect()
    }

    /// The branches that lead to the value, from outside.
    pub(super) fn branches(&self) -> impl Iterator<Item = &Branch> {
        self.levels.iter().filter_map(|level| level.branch.as_ref())
    }

    /// Whether an operand of an operation holds the carried value or one of the conditions.
    pub(super) fn uses(&self, op: OpId, operand: usize) -> bool {
        self.joins.contains(&op) || self.slots.contains(&(op, operand))
    }
}

/// Test that a carried value is still unset.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Test {
    pub(super) term: Term,
    /// Position of the carried value.
    pub(super) at: usize,
}

pub(super) struct Finder<'a> {
    pub(super) ctx: &'a Context,
    pub(super) body: &'a Body,
    pub(super) uses: &'a Uses,
    /// The loop whose iterations select.
    pub(super) op: ForOp,
    /// The outermost loop of its nest.
    pub(super) root: ForOp,
}

impl<'a> Finder<'a> {
    /// Looks at the innermost loop of a nest.
    pub(super) fn new(
        ctx: &'a Context,
        body: &'a Body,
        uses: &'a Uses,
        nest: &[ForOp],
    ) -> Option<Self> {
        let (&op, &root) = (nest.last()?, nest.first()?);
        Some(Finder {
            ctx,
            body,
            uses,
            op,
            root,
        })
    }

    /// Matches the selection of the carried value at a position.
    pub(super) fn selection(&self, at: usize) -> Option<Selection> {
        let (body, block) = (self.body, self.op.block(self.body));
        let (carried, next) = (self.op.iter_args(body)[at], self.op.yielded(body)[at]);
        let mut found = Selection {
            at,
            value: None,
            levels: vec![Level::default()],
            selects: Vec::new(),
            joins: Vec::new(),
            slots: Vec::new(),
        };
        if let Some(hit) = self.combined_flag(carried, next) {
            let op = body.defining_op(next)?;
            found.levels[0].terms = self.terms((hit, true), &mut found.joins)?;
            found.selects.push(op);
            found.slots = vec![(op, 0), (op, 1)];
            return Some(found);
        }
        let value = self.follow(&mut found, carried, next, block)?;
        found.value = Some(value);
        (value != carried && !found.terms().is_empty()).then_some(found)
    }

    /// The other operand of `carried | hit`.
    fn combined_flag(&self, carried: Value, next: Value) -> Option<Value> {
        let body = self.body;
        let op = self.own(next, self.op.block(body))?;
        let is_flag = body[op].name == arith::ORI && body.ty(carried) == self.ctx.bool_type();
        match body[op].operands[..] {
            [left, right] if is_flag && left == carried && right != carried => Some(right),
            [left, right] if is_flag && right == carried && left != carried => Some(left),
            _ => None,
        }
    }

    /// Follows selects and branches from the end of a block to the value taken.
    fn follow(
        &self,
        found: &mut Selection,
        carried: Value,
        mut next: Value,
        mut block: BlockId,
    ) -> Option<Value> {
        let body = self.body;
        let mut steps = 0;
        while let Some(op) = self.own(next, block) {
            steps += 1;
            if steps > MAX_STEPS {
                return None;
            }
            if self.uses.of(next).len() != 1 {
                break;
            }
            let inner = match body[op].name {
                arith::SELECT if body.ty(body[op].operands[0]) == self.ctx.bool_type() => {
                    let value = self.through_select(found, carried, op)?;
                    value.map(|value| (value, block))
                }
                scf::IF => self.through_branch(found, carried, next, op)?,
                _ => None,
            };
            let Some(inner) = inner else {
                break;
            };
            (next, block) = inner;
        }
        Some(next)
    }

    /// Follows a select between the carried value and another one, to that; `Some(None)` where it is no such select.
    fn through_select(
        &self,
        found: &mut Selection,
        carried: Value,
        op: OpId,
    ) -> Option<Option<Value>> {
        let [condition, yes, no] = self.body[op].operands[..] else {
            return None;
        };
        let holds = match (yes == carried, no == carried) {
            (false, true) => true,
            (true, false) => false,
            _ => return Some(None),
        };
        found.selects.push(op);
        found.slots.extend([(op, 0), (op, 1 + usize::from(holds))]);
        let terms = self.terms((condition, holds), &mut found.joins)?;
        found.levels.last_mut()?.terms.extend(terms);
        Some(Some(if holds { yes } else { no }))
    }

    /// Follows a result of a conditional one of whose branches gives the carried value, to what the other one gives and
    /// its block; `Some(None)` where it is no such conditional.
    fn through_branch(
        &self,
        found: &mut Selection,
        carried: Value,
        next: Value,
        op: OpId,
    ) -> Option<Option<(Value, BlockId)>> {
        let body = self.body;
        let result = body[op].results().position(|result| result == next)?;
        let ends = [0, 1].map(|region| body[body.region_block(op, region)?].last());
        let [Some(yes), Some(no)] = ends else {
            return None;
        };
        let given = [yes, no].map(|end| body[end].operands[result]);
        let taken = match given.map(|value| value == carried) {
            [false, true] => 0,
            [true, false] => 1,
            _ => return Some(None),
        };
        let other_end = [yes, no][1 - taken];
        found.slots.extend([(op, 0), (other_end, result)]);
        let condition = *body[op].operands.first()?;
        found.levels.last_mut()?.branch = Some(Branch {
            op,
            result,
            taken,
            terms: self.terms((condition, taken == 0), &mut found.joins)?,
        });
        found.levels.push(Level::default());
        Some(Some((given[taken], body.region_block(op, taken)?)))
    }

    /// The operation of a block that makes a value.
    fn own(&self, value: Value, block: BlockId) -> Option<OpId> {
        let op = self.body.defining_op(value)?;
        (self.body[op].parent() == Some(block)).then_some(op)
    }

    /// The terms of a condition, which may be a conjunction or the negation of a disjunction; `joins` gets the
    /// operations that join and negate them.
    fn terms(&self, whole: Term, joins: &mut Vec<OpId>) -> Option<Vec<Term>> {
        let (ctx, body) = (self.ctx, self.body);
        let (mut terms, mut open) = (Vec::new(), vec![whole]);
        let mut steps = 0;
        while let Some((value, holds)) = open.pop() {
            steps += 1;
            if steps > MAX_STEPS {
                return None;
            }
            let op = body.defining_op(value);
            let op = op
                .filter(|&op| body.is_defined_in(value, self.op.0) && body[op].operands.len() == 2);
            let is_true =
                |value: Value| arith::constant_int(ctx, body, value).is_some_and(|n| n != 0);
            match op.map(|op| (op, body[op].name)) {
                Some((op, arith::ANDI)) if holds => {
                    joins.push(op);
                    open.extend(body[op].operands.iter().map(|&value| (value, true)));
                }
                Some((op, arith::ORI)) if !holds => {
                    joins.push(op);
                    open.extend(body[op].operands.iter().map(|&value| (value, false)));
                }
                Some((op, arith::XORI)) if is_true(body[op].operands[1]) => {
                    joins.push(op);
                    open.push((body[op].operands[0], !holds));
                }
                _ if terms.contains(&(value, holds)) => {}
                _ => terms.push((value, holds)),
            }
        }
        Some(terms)
    }

    /// The test of a carried value that a term is: a comparison with what is the same in all iterations, or a
    /// carried flag itself.
    pub(super) fn test(&self, term: Term) -> Option<Test> {
        let body = self.body;
        let args = self.op.iter_args(body);
        let position = |value: Value| args.iter().position(|&arg| arg == value);
        if let Some(at) = position(term.0) {
            return Some(Test { term, at });
        }
        let op = body.defining_op(term.0)?;
        if body[op].name != arith::CMPI || !body.is_defined_in(term.0, self.op.0) {
            return None;
        }
        let [left, right] = body[op].operands[..] else {
            return None;
        };
        let (at, other) = match (position(left), position(right)) {
            (Some(at), None) => (at, right),
            (None, Some(at)) => (at, left),
            _ => return None,
        };
        let is_constant = arith::constant_value(self.ctx, body, other).is_some();
        let is_fixed = is_constant || !body.is_defined_in(other, self.root.0);
        is_fixed.then_some(Test { term, at })
    }
}

/// The comparison `carried PREDICATE limit` that a test makes; [`None`] where it is a carried flag itself.
pub(super) fn comparison(
    ctx: &Context,
    body: &Body,
    test: Test,
    carried: Value,
) -> Option<(CmpIPredicate, Value)> {
    let op = body.defining_op(test.term.0)?;
    let [left, right] = body[op].operands[..] else {
        return None;
    };
    let predicate = CmpIOp(op).predicate(ctx, body);
    let (predicate, limit) = match left == carried {
        true => (predicate, right),
        false => (predicate.mirrored(), left),
    };
    let predicate = match test.term.1 {
        true => predicate,
        false => predicate.inverse(),
    };
    Some((predicate, limit))
}
