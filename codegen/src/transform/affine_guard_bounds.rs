//! `affine-guard-bounds`: puts a nest whose accesses are in range for some sizes only under a test
//! of the sizes, with a copy of the nest for other sizes.
//!
//! ```text
//!                                              %ok = dim %a >= %n          // all tests
//!                                              scf.if %ok {
//! affine.for %i = 0 to %n {                      affine.for %i = 0 to %n { … }
//!   %x = affine.load %a[%i]             ⇒      }
//!   …                                          %not = arith.cmpi eq, %ok, false
//! }                                            scf.if %not {
//!                                                affine.for %i = 0 to %n { … }
//!                                              }
//! ```
//!
//! Always legal: both copies are the nest, and exactly one runs. In the first
//! one `affine-mark-inbounds` proves the accesses from the `scf.if` around them.
//! The second one is for the sizes that fail: its accesses are checked one by
//! one. Its condition says nothing to the analyses, which would else look at as
//! many cases as there are tests.
//!
//! A test is a bound of `index` or `extent - 1 - index` over the nest's
//! iterations in numbers from outside ([`elimination`](super::elimination)).
//! An access without such a bound, such as one at a loaded index, keeps its check in both copies. Where most of the accesses
//! in the innermost loops are such, the nest stays as it is: a second kernel would be made for little.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::{gridloom, scf};
use gridloom_ir::{
    AffineExpr, Body, Builder, Context, InsertPoint, IrMapping, Loc, Module, OpId, Value,
};

use super::affine_guard_overflow::outermost_nests;
use super::atom_value::atom_value;
use super::elimination::{Elimination, LinearForm};
use super::lower_affine::expand;
use super::plans::change_by_plans;
use crate::analysis::access::{Access, accesses_of};
use crate::analysis::bounds::{is_excluded, is_in_range};
use crate::analysis::budget::{Budgets, Work, root_of_nest};
use crate::analysis::constant_nest::accesses_in_range;
use crate::analysis::domain::domain;
use crate::analysis::loop_kind::is_any_loop;
use crate::analysis::system::{Combination, Instance};
use crate::analysis::values::{AffineValues, Atom};

/// Limit of the tests of a nest; one that needs more stays as it is.
const MAX_TESTS: usize = 32;

/// Versions the outermost nests of a module's host functions that benefit from a size test. Returns
/// whether there was one.
pub fn guard_module(ctx: &Context, module: &mut Module) -> bool {
    let plans = |body: &Body| {
        let mut values = AffineValues::new(ctx, body);
        let roots = outermost_nests(body).into_iter();
        roots.filter_map(|root| plan(&mut values, root)).collect()
    };
    change_by_plans(
        ctx,
        module,
        1,
        |body, _| (plans(body), false),
        |guard, body| guard.apply(ctx, body),
    )
}

/// Whether a nest is the checked copy that runs where the size test of another one fails, which is
/// in the `scf.if` right before.
pub fn is_checked_copy(body: &Body, root: OpId) -> bool {
    let is_if = |op: &OpId| body[*op].name == scf::IF;
    let Some(parent) = body.parent_op(root).filter(is_if) else {
        return false;
    };
    let Some(before) = body[parent].prev().filter(is_if) else {
        return false;
    };
    let is_opposite = body
        .defining_op(body[parent].operands[0])
        .is_some_and(|test| {
            body[test].name == arith::CMPI && body[test].operands[0] == body[before].operands[0]
        });
    let (name, loc) = (body[root].name, body[root].loc);
    let is_copy = |op: OpId| body[op].name == name && body[op].loc == loc;
    // Versions for sizes may stand in between.
    is_opposite && loc != Loc::UNKNOWN && body.walk_op(before).into_iter().any(is_copy)
}

/// Guard plan: a nest and the size tests to put it under.
struct Guard {
    root: OpId,
    tests: Vec<Test>,
}

/// Size test `left >= right`, both of which fit 64 bits.
#[derive(PartialEq, Eq)]
struct Test {
    left: AffineExpr,
    right: AffineExpr,
    /// Atoms that the dimensions of both expressions stand for.
    atoms: Vec<Atom>,
}

fn plan(values: &mut AffineValues, root: OpId) -> Option<Guard> {
    let body = values.body;
    if body[root].num_results() > 0 || is_checked_copy(body, root) {
        return None;
    }
    if accesses_in_range(values.ctx, body, &body.walk_op(root)).is_some() {
        return None;
    }
    let needs = Needs::of_nest(values, root)?;
    needs.pays().then_some(Guard {
        root,
        tests: needs.tests,
    })
}

/// Whether tests of sizes prove the accesses of a nest in range, or none is needed.
pub(super) fn has_tests(values: &mut AffineValues, root: OpId) -> bool {
    Needs::of_nest(values, root).is_some_and(|needs| needs.unproved.is_empty())
}

/// What the accesses of a nest need to be in range.
#[derive(Default)]
struct Needs {
    tests: Vec<Test>,
    /// For each access that tests of sizes prove, the number of loops around it.
    proved: Vec<usize>,
    /// For each access that none proves, the number of loops around it.
    unproved: Vec<usize>,
}

impl Needs {
    /// The needs of a nest; `None` where more tests than the limit would be needed.
    fn of_nest(values: &mut AffineValues, root: OpId) -> Option<Needs> {
        let body = values.body;
        let mut budgets = Budgets::default();
        let mut needs = Needs::default();
        for op in body.walk_op(root) {
            if !gridloom::is_element_access(body[op].name) {
                continue;
            }
            let mut found = Vec::new();
            accesses_of(values, op, &mut found);
            let work = budgets.of(root_of_nest(body, op));
            let [access] = &found[..] else { continue };
            if is_in_range(values, access, work) {
                continue;
            }
            let depth = body
                .ancestors(op)
                .filter(|&op| is_any_loop(body, op))
                .count();
            let Some(tests) = tests_of(values, root, access, work) else {
                needs.unproved.push(depth);
                continue;
            };
            needs.proved.push(depth);
            for test in tests {
                if !needs.tests.contains(&test) {
                    needs.tests.push(test);
                }
            }
            if needs.tests.len() > MAX_TESTS {
                return None;
            }
        }
        Some(needs)
    }

    /// Whether the tests are worth a second kernel: of the accesses in the innermost loops, which run most often, at least half
    /// need no check then.
    fn pays(&self) -> bool {
        let deepest = self.proved.iter().chain(&self.unproved).max();
        let count = |depths: &[usize]| {
            depths
                .iter()
                .filter(|&depth| Some(depth) == deepest)
                .count()
        };
        !self.tests.is_empty() && count(&self.proved) >= count(&self.unproved)
    }
}

/// Size tests that prove an access in range in all iterations of a nest; `None` where bounds over
/// values from outside the nest do not suffice.
fn tests_of(
    values: &mut AffineValues,
    root: OpId,
    access: &Access,
    work: &mut Work,
) -> Option<Vec<Test>> {
    let env = values.environment_at(access.op);
    let guards = access.guards.as_ref()?;
    let mut tests = Vec::new();
    for conjunction in domain(values, access.op).disjuncts {
        let holds = conjunction.iter().chain(&access.constraints);
        let elimination = Elimination::new(values, root, holds.copied());
        for &(index, extent) in guards {
            if !values.fits(index, env) || !values.fits(extent, env) {
                return None;
            }
            let ctx = values.ctx;
            let behind = ctx.affine_add(ctx.affine_sub(extent, index), ctx.affine_const(-1));
            for expr in [index, behind] {
                let holds = [&conjunction[..], &access.constraints];
                let below = Combination::default().plus(-1, expr, Instance::First);
                if is_excluded(values, holds, below.offset(-1), work).is_yes() {
                    continue;
                }
                let mut bound = elimination.bound(&LinearForm::of(values, expr)?)?;
                if bound.is_never_negative(values) {
                    continue;
                }
                if bound.is_always_negative() || !bound.is_from_outside(values, root) {
                    return None;
                }
                let test = test_of(values, root, &bound).or_else(|| {
                    // A stronger test, which needs no more than 64 bits.
                    bound.constant = bound.constant.min(0);
                    test_of(values, root, &bound)
                })?;
                if !tests.contains(&test) {
                    tests.push(test);
                }
            }
        }
    }
    Some(tests)
}

/// Writes `bound >= 0` as a comparison that does not wrap around. One side is 0 where the other
/// fits: a comparison of a number with a constant only tells the analyses that it is small. A sum
/// of sizes that may leave 64 bits is split, as in `%a - %b >= %c - 1` for `%a - %b - %c + 1`.
fn test_of(values: &mut AffineValues, root: OpId, bound: &LinearForm) -> Option<Test> {
    let env = values.environment_at(root);
    let ctx = values.ctx;
    let (more, less) = bound.sides(ctx)?;
    let constant = bound.constant;
    let negated = constant.checked_neg()?;
    let choices = [
        [
            ctx.affine_add(ctx.affine_sub(more, less), ctx.affine_const(constant)),
            ctx.affine_const(0),
        ],
        [more, ctx.affine_add(less, ctx.affine_const(negated))],
        [ctx.affine_add(more, ctx.affine_const(constant)), less],
    ];
    let mut fit = |sides: &[AffineExpr; 2]| sides.iter().all(|&side| values.fits(side, env));
    let sides = match choices.into_iter().find(|sides| fit(sides)) {
        Some(sides) => sides,
        None => bound.splits(ctx).into_iter().find(|sides| fit(sides))?,
    };
    let (exprs, atoms) = values.compact(&sides);
    Some(Test {
        left: exprs[0],
        right: exprs[1],
        atoms,
    })
}

impl Guard {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        let root = self.root;
        let copy = body.clone_op(root, &mut IrMapping::new());
        let mut b = Builder::before(ctx, body, root);
        let tests: Vec<Value> = self
            .tests
            .iter()
            .filter_map(|test| test.emit(&mut b))
            .collect();
        let all = tests.into_iter().reduce(|x, y| b.binary(arith::ANDI, x, y));
        let Some(condition) = all else {
            // The atoms of tests have values.
            b.insert(copy);
            b.body.erase(copy);
            return;
        };
        let no = b.constant(ctx.bool_attr(false), ctx.bool_type());
        let fails = CmpIOp::create(&mut b, CmpIPredicate::Eq, condition, no);
        // The two `scf.if` are adjacent, so that [`is_checked_copy`] recognizes the second.
        let [passes, fails] =
            [condition, fails].map(|condition| scf::IfOp::create(&mut b, condition, &[], false));
        b.body.detach(root);
        for (branch, nest) in [(passes, root), (fails, copy)] {
            let block = branch.then_block(b.body);
            scf::yield_values(&mut b, block, &[]);
            b.set(InsertPoint::Start(block));
            b.insert(nest);
        }
    }
}

impl Test {
    fn emit(&self, b: &mut Builder) -> Option<Value> {
        let atoms: Option<Vec<Value>> =
            self.atoms.iter().map(|&atom| atom_value(b, atom)).collect();
        let sides = expand(b, &[self.left, self.right], &atoms?, &[]);
        let &[left, right] = &sides[..] else {
            return None;
        };
        Some(CmpIOp::create(b, CmpIPredicate::Sge, left, right))
    }
}
