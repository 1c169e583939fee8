//! Masked extrema: compares in every iteration, with a candidate that is never taken where the mask is
//! false.
//!
//! ```text
//!                                            %y = scf.if %mask -> f32 {
//! %c = scf.if %mask -> i1 {                    %x = affine.load %a[%i]
//!   %x = affine.load %a[%i]                    scf.yield %x
//!   %b = arith.cmpf olt, %x, %best     ⇒     } else { scf.yield +∞ }
//!   scf.yield %b                             %c = arith.cmpf olt, %y, %best
//! } else { scf.yield %false }
//! %k = arith.select %c, %i, %at              %k = arith.select %c, %i, %at
//! ```
//!
//! The loop is then an argmin or argmax ([`arg_reduction`](crate::analysis::arg_reduction)), however its
//! candidates are masked: by a branch that yields the comparison (`mask[i] && x[i] < best`), by `arith.andi`, by a
//! branch that compares and selects, or by one that compares with an element that it then stores. What computes
//! the candidate stays in the branch.
//!
//! Legal where the comparison is the only one of the branch with what is best so far, and where the branch gives
//! without the mask what it gives if the comparison fails; where nothing that is moved behind it writes, but for
//! branches on the comparison; and where an element that is compared is there and holds something anyway. An
//! infinity loses each strict comparison, and NaN every one, so that the bits are those of the program.

use std::collections::HashSet;

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::arith::{self, select};
use gridloom_dialects::scf::{self, IfOp};
use gridloom_ir::{Attr, Body, Builder, Context, OpId, Type, Value};

use super::{Finder, is_beside_others};
use crate::analysis::arg_reduction::compare_select::CompareSelect;
use crate::analysis::arg_reduction::placeholder;
use crate::analysis::load_store::{is_load, is_store};
use crate::transform::element::Element;

/// Comparison with what is best so far under a mask.
pub(super) struct Masked {
    /// The branch on the mask, or the conjunction of mask and comparison.
    op: OpId,
    mask: Value,
    compare: CompareSelect,
    held: Value,
    /// Values of the branch that its operations behind the mask use, with what they are without it. The
    /// candidate is the first.
    passed: Vec<(Value, Attr)>,
    /// Operations of the branch that go behind it, in order.
    behind: Vec<OpId>,
    /// The values that replace the results.
    results: Vec<Value>,
    /// Loads that repeat that of the candidate where the comparison holds.
    again: Vec<OpId>,
}

impl Finder<'_> {
    /// Matches a masked comparison with a carried value or a kept element, and plans to unmask it.
    pub(super) fn masked(&self, op: OpId) -> Option<Masked> {
        let l = ForOp::cast(self.body, self.body.parent_op(op)?)?;
        match self.body[op].name {
            arith::ANDI => self.masked_conjunction(op, l),
            scf::IF => self.masked_branch(op, l),
            _ => None,
        }
    }

    fn masked_conjunction(&self, op: OpId, l: ForOp) -> Option<Masked> {
        let (ctx, body) = (self.ctx, self.body);
        let [x, y] = body[op].operands[..] else {
            return None;
        };
        let args = l.iter_args(body);
        { [(x, y), (y, x)].into_iter() }.find_map(|(mask, condition)| {
            let held = *args.iter().find(|&&arg| self.is_compared(condition, arg))?;
            let compare = CompareSelect::by(ctx, body, condition, held, true)?.of_all_floats();
            let never = compare.never_taken(ctx, body.ty(held))?;
            let is_other = !args.iter().any(|&arg| self.is_compared(mask, arg));
            is_other.then(|| Masked {
                op,
                mask,
                compare,
                held,
                passed: vec![(compare.candidate, never)],
                behind: Vec::new(),
                results: vec![condition],
                again: Vec::new(),
            })
        })
    }

    /// Whether a condition is the comparison of a value with another one.
    fn is_compared(&self, condition: Value, with: Value) -> bool {
        let compare = self.body.defining_op(condition).map(|op| &self.body[op]);
        compare.is_some_and(|compare| {
            matches!(compare.name, arith::CMPF | arith::CMPI) && compare.operands.contains(&with)
        })
    }

    fn masked_branch(&self, op: OpId, l: ForOp) -> Option<Masked> {
        let (ctx, body) = (self.ctx, self.body);
        let branch = IfOp(op);
        let otherwise = self.otherwise(op)?;
        let ops: Vec<OpId> = body.ops(branch.then_block(body)).collect();
        let (&end, ops) = ops.split_last()?;
        let mut late = Late::new(self, op, l);
        if !ops.iter().all(|&op| late.takes(op)) {
            return None;
        }
        let (condition, held) = late.compared?;
        let compare = CompareSelect::by(ctx, body, condition, held, true)?.of_all_floats();
        let never = compare.never_taken(ctx, body.ty(held))?;
        let mut passed = vec![(compare.candidate, never)];
        for value in late.used() {
            if value != compare.candidate {
                passed.push((value, placeholder(ctx, body.ty(value))?));
            }
        }
        let results = body[end].operands.to_vec();
        // Where the mask is off and the branch gives the candidate, it gives it as it is.
        let is_masked = |value: Value, other: Value| other == compare.candidate && value != other;
        let mut pairs = results.iter().zip(&otherwise);
        if !pairs.all(|(&value, &other)| late.is_without(value, other) && !is_masked(value, other))
        {
            return None;
        }
        Some(Masked {
            op,
            mask: branch.condition(body),
            compare,
            held,
            passed,
            again: self.loads_again(op, &results, condition, compare.candidate),
            behind: late.ops,
            results,
        })
    }

    /// Loads of the candidate's element in branches on the comparison that follow the masked branch.
    fn loads_again(
        &self,
        op: OpId,
        results: &[Value],
        condition: Value,
        candidate: Value,
    ) -> Vec<OpId> {
        let (ctx, body) = (self.ctx, self.body);
        let load = body.defining_op(candidate);
        let element = load.and_then(|load| Element::of(ctx, body, load));
        let Some(element) = element else {
            return Vec::new();
        };
        let is_it = |value: Value| {
            let mut given = body[op].results().zip(results);
            given.any(|(result, &yielded)| result == value && yielded == condition)
        };
        let mut found = Vec::new();
        let mut next = body[op].next();
        while let Some(branch) = next {
            if let Some(branch) = IfOp::cast(body, branch)
                && is_it(branch.condition(body))
            {
                let ops = body.ops(branch.then_block(body));
                let ops = ops.take_while(|&op| !may_write(body, op));
                found.extend(ops.filter(|&load| {
                    is_load(body, load) && Element::of(ctx, body, load).as_ref() == Some(&element)
                }));
            }
            if may_write(body, branch) || !self.is_quiet(branch) {
                break;
            }
            next = body[branch].next();
        }
        found
    }
}

/// Whether an operation may store, itself or in its regions.
fn may_write(body: &Body, op: OpId) -> bool {
    body.walk_op(op).iter().any(|&op| is_store(body, op))
}

/// The part of a masked branch that depends on what is best so far.
struct Late<'a> {
    finder: &'a Finder<'a>,
    branch: OpId,
    l: ForOp,
    /// Elements that branches of the branch store.
    stored: Vec<Element>,
    ops: Vec<OpId>,
    /// The results of `ops`, and the carried values.
    values: HashSet<Value>,
    /// The comparison, and what the candidate is compared with.
    compared: Option<(Value, Value)>,
}

impl<'a> Late<'a> {
    fn new(finder: &'a Finder<'a>, branch: OpId, l: ForOp) -> Self {
        let body = finder.body;
        let below = body.walk_op(branch).into_iter();
        let stores = below.filter(|&op| is_store(body, op));
        Late {
            finder,
            branch,
            l,
            stored: stores
                .filter_map(|op| Element::of(finder.ctx, body, op))
                .collect(),
            ops: Vec::new(),
            values: l.iter_args(body).iter().copied().collect(),
            compared: None,
        }
    }

    /// Adds an operation of the branch, in order, if it is late. Returns whether it may be either.
    fn takes(&mut self, op: OpId) -> bool {
        let (finder, body) = (self.finder, self.finder.body);
        let mut below = body.walk_op(op).into_iter();
        let uses_late = |op: OpId| {
            body[op]
                .operands
                .iter()
                .any(|value| self.values.contains(value))
        };
        if !below.any(uses_late) && !self.is_kept_load(op) {
            // What the late operations write comes after.
            let is_before = !self.ops.iter().any(|&late| may_write(body, late));
            return finder.is_quiet(op) && !may_write(body, op) && is_before;
        }
        let condition = body[op].operands.first().copied();
        let is_on_it = condition.is_some() && condition == self.compared.map(|(found, _)| found);
        let fits = match body[op].name {
            arith::CMPF | arith::CMPI if self.compared.is_none() => {
                let mut held = body[op].operands.iter().copied();
                let held = held.find(|value| self.values.contains(value));
                self.compared = held.map(|held| (body[op].result(0), held));
                held.is_some()
            }
            arith::SELECT => is_on_it,
            // Without the mask the comparison fails, and nothing else may run.
            scf::IF => is_on_it && finder.is_quiet(op) && finder.otherwise(op).is_some(),
            _ => self.is_kept_load(op),
        };
        self.ops.push(op);
        self.values.extend(body[op].results());
        fits
    }

    /// Whether an operation loads an element that the branch stores, and that is there in any iteration.
    fn is_kept_load(&self, op: OpId) -> bool {
        let (finder, body) = (self.finder, self.finder.body);
        let element = is_load(body, op).then(|| Element::of(finder.ctx, body, op));
        element.flatten().is_some_and(|element| {
            self.stored.contains(&element)
                && !is_beside_others(body, op)
                && finder.is_kept(self.l, &element)
                && finder.is_there(self.l, &element)
        })
    }

    /// Whether a value of the branch is `other` where the comparison fails.
    fn is_without(&self, value: Value, other: Value) -> bool {
        let body = self.finder.body;
        let Some((condition, _)) = self.compared else {
            return false;
        };
        if value == condition {
            let constant = arith::constant_value(self.finder.ctx, body, other);
            return constant == Some(self.finder.ctx.bool_attr(false));
        }
        let op = body.defining_op(value).filter(|op| self.ops.contains(op));
        let failed = op.and_then(|op| match body[op].name {
            arith::SELECT => body[op].operands.get(2).copied(),
            scf::IF => {
                let place = body[op].results().position(|result| result == value)?;
                self.finder.otherwise(op)?.get(place).copied()
            }
            _ => None,
        });
        value == other || failed == Some(other)
    }

    /// Values of the other part that the late operations use.
    fn used(&self) -> Vec<Value> {
        let body = self.finder.body;
        let mut found = Vec::new();
        for op in self.ops.iter().flat_map(|&op| body.walk_op(op)) {
            for &value in &body[op].operands {
                let is_early = body.is_defined_in(value, self.branch)
                    && !self.ops.iter().any(|&late| body.is_defined_in(value, late))
                    && !self.values.contains(&value);
                if is_early && !found.contains(&value) {
                    found.push(value);
                }
            }
        }
        found
    }
}

impl Masked {
    /// Splits the branch: what it passes, then the comparison in every iteration.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let values: Vec<Value> = self.passed.iter().map(|&(value, _)| value).collect();
        let types: Vec<Type> = values.iter().map(|&value| body.ty(value)).collect();
        let mut b = Builder::before(ctx, body, self.op);
        let others: Vec<Value> = (self.passed.iter().zip(&types))
            .map(|(&(_, never), &ty)| b.constant(never, ty))
            .collect();
        let is_branch = b.body[self.op].name == scf::IF;
        let given: Vec<Value> = if is_branch {
            let new = IfOp::create(&mut b, self.mask, &types, true);
            let then = IfOp(self.op).then_block(body);
            let ops: Vec<OpId> = body.ops(then).collect();
            let early = ops[..ops.len() - 1]
                .iter()
                .filter(|op| !self.behind.contains(op));
            for &op in early {
                body.detach(op);
                body.append(new.then_block(body), op);
            }
            let blocks = [Some(new.then_block(body)), new.else_block(body)];
            for (block, values) in blocks.into_iter().flatten().zip([&values, &others]) {
                let mut b = Builder::at_end(ctx, body, block, body[self.op].loc);
                b.create(b.state(scf::YIELD).operands(values));
            }
            body[new.0].results().collect()
        } else {
            vec![select(&mut b, self.mask, values[0], others[0])]
        };
        for &op in &self.behind {
            body.detach(op);
            body.insert_before(self.op, op);
            for op in body.walk_op(op) {
                body.replace_values_in(op, |value| {
                    let place = values.iter().position(|&passed| passed == value);
                    place.map_or(value, |place| given[place])
                });
            }
        }
        let old = body[self.compare.compare].result(0);
        let at = if is_branch {
            self.compare.compare
        } else {
            self.op
        };
        let mut b = Builder::before(ctx, body, at);
        let condition = self.compare.compare(&mut b, given[0], self.held);
        let results: Vec<Value> = body[self.op].results().collect();
        for (result, &value) in results.into_iter().zip(&self.results) {
            let value = if value == old { condition } else { value };
            body.replace_uses(result, value);
        }
        if is_branch {
            body.replace_uses(old, condition);
        }
        for &load in &self.again {
            body.replace_uses(body[load].result(0), given[0]);
            body.erase(load);
        }
        self.take_unmasked(body, condition, given[0]);
        body.erase(self.op);
        if body.uses().of(old).is_empty() {
            body.erase(self.compare.compare);
        }
    }

    /// Selects on the comparison take the candidate with the mask, by which the reduction is known.
    fn take_unmasked(&self, body: &mut Body, condition: Value, candidate: Value) {
        let users: Vec<OpId> = (body.uses().of(condition).iter())
            .map(|user| user.op)
            .filter(|&user| body[user].name == arith::SELECT)
            .collect();
        for user in users {
            if body[user].operands[1] == self.compare.candidate {
                body[user].operands[1] = candidate;
            }
        }
    }
}
