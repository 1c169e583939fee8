//! `affine-guard-overflow`: puts a nest whose index arithmetic may overflow 64 bits under a test
//! that excludes it, with a copy of the nest for the other case.
//!
//! ```text
//!                                              %in = %s is within ±2^40
//! affine.for %i = 0 to 8 {                     scf.if %in {
//!   affine.for %j = %i + %s to %i + %s + 2 {     affine.for %i = 0 to 8 { … }
//!     S(%i, %j)                          ⇒     } else {
//!   }                                            affine.for %i = 0 to 8 { … }
//! }                                            }
//! ```
//!
//! Always legal: both copies are the nest. It is done where the proof that a
//! bound, a condition or a subscript [fits](crate::analysis::interval) fails,
//! and succeeds once the numbers that the nest takes from outside are small, or that
//! of a test which [`affine-guard-bounds`](super::affine_guard_bounds) would make.
//! Analyses of the first copy then rest on an `scf.if` that stands
//! in the program. Nests that need no test, or that none helps, stay.

use gridloom_dialects::affine;
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::{gpu, memref, scf};
use gridloom_ir::{
    AffineExpr, Body, Builder, Context, InsertPoint, IrMapping, Loc, OpId, Type, Value,
};

use super::affine_guard_bounds::has_tests;
use super::atom_value::atom_value;
use crate::analysis::access::{Access, Place, accesses_of};
use crate::analysis::constant_nest::accesses_in_range;
use crate::analysis::counter::counters;
use crate::analysis::dependence::delinearise::{all_factors, products_fit};
use crate::analysis::dependence::{Congruence, Scope, is_close};
use crate::analysis::domain::{fitting, set_constraints};
use crate::analysis::interval::Interval;
use crate::analysis::values::{AffineValues, Atom};

/// Candidate limits for the size of values from outside; the first that suffices is taken. Conditions that C's `int` computes with
/// sizes of up to 2^30 say what they say of unbounded integers. Products of three sizes need 2^20, of four, as in batches of
/// images with channels, 2^15.
const LIMITS: [i64; 5] = [1 << 40, 1 << 31, 1 << 30, 1 << 20, 1 << 15];

/// Versions the outermost nests of a body that need an overflow test. Returns whether any did.
pub fn guard_overflow(ctx: &Context, body: &mut Body) -> bool {
    let mut values = AffineValues::new(ctx, body);
    let nests = outermost_nests(body).into_iter();
    let guards: Vec<Guard> = (nests.filter_map(|root| plan(&mut values, root))).collect();
    for guard in &guards {
        guard.apply(ctx, body);
    }
    !guards.is_empty()
}

/// Versions one nest of a body, if it needs an overflow test. An inner nest stays.
pub(super) fn guard_nest(ctx: &Context, body: &mut Body, root: OpId) {
    let is_inner = body.ancestors(root).any(|op| body[op].name == affine::FOR);
    let guard = match is_inner {
        true => None,
        false => plan(&mut AffineValues::new(ctx, body), root),
    };
    if let Some(guard) = guard {
        guard.apply(ctx, body);
    }
}

/// Whether a nest is the fallback copy, which runs where the overflow test of another one fails.
pub fn is_fallback(body: &Body, root: OpId) -> bool {
    // Conditions hoisted out of the nest may stand between the two copies.
    let mut top = root;
    let is_one_armed = |&op: &OpId| {
        matches!(body[op].name, affine::IF | scf::IF) && body.region_block(op, 1).is_none()
    };
    while let Some(around) = body.parent_op(top).filter(is_one_armed) {
        top = around;
    }
    let Some(parent) = body.parent_op(top).filter(|&op| body[op].name == scf::IF) else {
        return false;
    };
    let [Some(first), Some(second)] = [0, 1].map(|region| body.region_block(parent, region)) else {
        return false;
    };
    // A pass may have changed the first copy to another kind of loop, or to a kernel.
    let kinds = [
        affine::FOR,
        affine::PARALLEL,
        scf::FOR,
        scf::PARALLEL,
        gpu::LAUNCH,
    ];
    let loc = body[root].loc;
    let is_copy = |op: OpId| kinds.contains(&body[op].name) && body[op].loc == loc;
    body[top].parent() == Some(second)
        && loc != Loc::UNKNOWN
        && body
            .ops(first)
            .any(|op| body.walk_op(op).into_iter().any(is_copy))
}

/// The affine loops without an affine loop around.
pub(super) fn outermost_nests(body: &Body) -> Vec<OpId> {
    let mut found = Vec::new();
    let mut stack: Vec<OpId> = Vec::new();
    body.top_blocks()
        .for_each(|block| stack.extend(body.ops(block)));
    while let Some(op) = stack.pop() {
        match body[op].name {
            affine::FOR | affine::PARALLEL if is_fallback(body, op) => {}
            affine::FOR | affine::PARALLEL => found.push(op),
            gpu::LAUNCH | scf::PARALLEL | scf::FORALL => {}
            _ => stack.extend(body.blocks_of(op).flat_map(|block| body.ops(block))),
        }
    }
    found
}

/// Guard plan: a nest and the overflow test to put it under.
struct Guard {
    root: OpId,
    test: RangeTest,
}

/// Plans the guard of a nest; `values` makes no assumptions.
fn plan(values: &mut AffineValues, root: OpId) -> Option<Guard> {
    let nest = values.body.walk_op(root);
    if accesses_in_range(values.ctx, values.body, &nest).is_some() {
        return None;
    }
    let has_remainders = nest.iter().any(|&op| values.body[op].name == arith::REMSI);
    [[true, true], [false, true], [true, false], [false, false]]
        .into_iter()
        .map(|[tests, remainders]| Need { tests, remainders })
        .filter(|need| has_remainders || !need.remainders)
        .find_map(|need| {
            let limit = limit_for(values, root, need)?;
            let guard = |limit| Guard {
                root,
                test: outer_test(values.ctx, values.body, root, limit),
            };
            Some(limit.map(guard))
        })
        .flatten()
}

/// What has to fit 64 bits, besides the expressions that all analyses rely on.
#[derive(Clone, Copy)]
struct Need {
    /// Size tests that prove the accesses in range: that of
    /// `%a[%i * 2]` has twice the bound of `%i`. Without them a kernel checks every access
    /// ([`affine-guard-bounds`](super::affine_guard_bounds)).
    tests: bool,
    /// Dividends of subscripts that are remainders by numbers known only when the program runs:
    /// different iterations have different remainders then ([`Congruence`]).
    remainders: bool,
}

impl Need {
    fn is_met(self, values: &mut AffineValues, root: OpId) -> bool {
        // `affine-guard-bounds` does not test nests with results.
        let needs_tests = self.tests && values.body[root].num_results() == 0;
        all_fits(values, root)
            && (!needs_tests || has_tests(values, root))
            && (!self.remainders || remainders_fit(values, root))
    }
}

/// Whether no dividend of a subscript that is a remainder may wrap around.
fn remainders_fit(values: &mut AffineValues, root: OpId) -> bool {
    let ops = values.body.walk_op(root).into_iter();
    let accesses: Vec<Access> = ops.flat_map(|op| accesses(values, op)).collect();
    accesses.iter().all(|access| match &access.place {
        Place::Element { coords, .. } => coords.iter().all(|&coord| {
            Congruence::of(values, coord).is_none_or(|congruence| congruence.fits(values))
        }),
        _ => true,
    })
}

/// The greatest limit on values from outside under which a need is met: `Some(None)` where it needs
/// no limit, `None` where no limit suffices.
fn limit_for(values: &mut AffineValues, root: OpId, need: Need) -> Option<Option<i64>> {
    if need.is_met(values, root) {
        return Some(None);
    }
    let suffices = |&limit: &i64| {
        let mut values = AffineValues::new(values.ctx, values.body);
        values.assume_outside(root, within(limit));
        need.is_met(&mut values, root)
    };
    LIMITS.into_iter().find(suffices).map(Some)
}

/// The interval from `-limit` to `limit`.
pub(super) fn within(limit: i64) -> Interval {
    Interval {
        least: -i128::from(limit),
        most: limit.into(),
    }
}

/// Whether no expression that the analysis of a nest relies on may wrap around.
fn all_fits(values: &mut AffineValues, root: OpId) -> bool {
    let ops = values.body.walk_op(root);
    ops.into_iter().all(|op| op_fits(values, root, op))
}

fn op_fits(values: &mut AffineValues, root: OpId, op: OpId) -> bool {
    let (ctx, body) = (values.ctx, values.body);
    match body[op].name {
        affine::FOR | affine::PARALLEL => {
            let env = values.environment_at(op);
            let mut bounds = loop_bounds(values, op);
            bounds.extend(span(values, op, &bounds));
            fitting(values, &bounds, env).iter().all(Option::is_some)
        }
        affine::IF => {
            let branch = affine::IfOp(op);
            let set = branch.set(ctx, body);
            let constraints = set_constraints(values, op, set, branch.operands(body));
            constraints.iter().all(Option::is_some)
        }
        _ if affine::Access::cast(body, op).is_some() => accesses(values, op)
            .iter()
            .all(|access| access_fits(values, root, access)),
        memref::LOAD | memref::STORE => accesses(values, op)
            .iter()
            .all(|access| access_fits(values, root, access)),
        _ => true,
    }
}

fn loop_bounds(values: &mut AffineValues, op: OpId) -> Vec<Option<AffineExpr>> {
    let mut bounds = Vec::new();
    for counter in counters(values.body, op) {
        let lower = counter.lower(values.ctx, values.body);
        let upper = counter.upper(values.ctx, values.body);
        bounds.extend(values.map_exprs(op, lower.map, lower.operands));
        bounds.extend(values.map_exprs(op, upper.map, upper.operands));
    }
    bounds
}

/// The distance between the bounds of a loop that carries values: partial results of a reduction or
/// scan are counted by it.
fn span(
    values: &AffineValues,
    op: OpId,
    bounds: &[Option<AffineExpr>],
) -> Option<Option<AffineExpr>> {
    let &[Some(lower), Some(upper)] = bounds else {
        return None;
    };
    let is_carrying = values.body[op].num_results() > 0;
    is_carrying.then(|| Some(values.ctx.affine_sub(upper, lower)))
}

fn accesses(values: &mut AffineValues, op: OpId) -> Vec<Access> {
    let mut found = Vec::new();
    accesses_of(values, op, &mut found);
    found
}

/// Whether coordinates of an access that are equal modulo 2^64 are equal, so that they identify the
/// element.
fn access_fits(values: &mut AffineValues, root: OpId, access: &Access) -> bool {
    let Place::Element { coords, .. } = &access.place else {
        let (ctx, body) = (values.ctx, values.body);
        let Some(affine) = affine::Access::cast(body, access.op) else {
            return true;
        };
        let exprs = values.map_exprs(access.op, affine.map(ctx, body), affine.operands(body));
        return exprs.iter().all(Option::is_some);
    };
    let env = values.environment_at(access.op);
    let scope = Scope::AnyIterations(root);
    coords.iter().all(|&coord| {
        is_close(values, scope, [coord; 2], [env; 2]) && products_fit(values, coord, env)
    })
}

/// The range test of the values from outside a nest that its bounds, conditions and subscripts use.
fn outer_test(ctx: &Context, body: &Body, root: OpId, limit: i64) -> RangeTest {
    let mut values = AffineValues::new(ctx, body);
    // Under this assumption, every bound has an expression.
    values.assume_outside(root, within(limit));
    let mut used = Vec::new();
    for op in body.walk_op(root) {
        let exprs: Vec<AffineExpr> = match body[op].name {
            affine::FOR | affine::PARALLEL => {
                loop_bounds(&mut values, op).into_iter().flatten().collect()
            }
            affine::IF => {
                let branch = affine::IfOp(op);
                let set = branch.set(ctx, body);
                let constraints = set_constraints(&mut values, op, set, branch.operands(body));
                constraints.into_iter().flatten().map(|c| c.expr).collect()
            }
            _ => match accesses(&mut values, op).pop().map(|access| access.place) {
                Some(Place::Element { coords, .. }) => {
                    let factors = coords.iter().flat_map(|&c| all_factors(&mut values, c));
                    let mut exprs: Vec<AffineExpr> = factors.collect();
                    for congruence in coords
                        .iter()
                        .filter_map(|&c| Congruence::of(&mut values, c))
                    {
                        exprs.extend([congruence.dividend, congruence.divisor]);
                    }
                    exprs.extend(coords);
                    exprs
                }
                _ => Vec::new(),
            },
        };
        exprs
            .iter()
            .for_each(|&expr| values.atoms_in(expr, &mut used));
    }
    let is_outside = |&atom: &Atom| !values.block_is_inside(values.atom_block(atom), root);
    let atoms = used.iter().map(|&number| values.atom(number));
    let outside = atoms
        .filter(|atom| atom.anchor().is_some())
        .filter(is_outside);
    RangeTest::new(&mut AffineValues::new(ctx, body), root, outside, limit)
}

impl Guard {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        let root = self.root;
        let copy = body.clone_op(root, &mut IrMapping::new());
        let mut b = Builder::before(ctx, body, root);
        let Some(condition) = self.test.condition(&mut b) else {
            b.insert(copy);
            b.body.erase(copy);
            return;
        };
        put_under_test(&mut b, condition, root, copy);
    }
}

/// Puts a nest under a condition, and a copy of it under the opposite:
///
/// ```text
/// %r = NEST  ⇒  %r = scf.if %condition { NEST, scf.yield } else { COPY, scf.yield }
/// ```
pub(super) fn put_under_test(b: &mut Builder, condition: Value, root: OpId, copy: OpId) {
    let results: Vec<Value> = b.body[root].results().collect();
    let types: Vec<Type> = results.iter().map(|&result| b.body.ty(result)).collect();
    let test = scf::IfOp::create(b, condition, &types, true);
    let new: Vec<Value> = b.body[test.0].results().collect();
    b.body.replace_results(root, &new);
    b.body.detach(root);
    let blocks = [Some(test.then_block(b.body)), test.else_block(b.body)];
    for (block, nest) in blocks.into_iter().zip([root, copy]) {
        let Some(block) = block else { continue };
        b.set(InsertPoint::End(block));
        b.insert(nest);
        let results: Vec<Value> = b.body[nest].results().collect();
        scf::yield_values(b, block, &results);
    }
}

/// Range test: values from outside of a nest are at most `limit` in magnitude.
pub(super) struct RangeTest {
    /// The atoms to test: those not already known to be in range.
    atoms: Vec<Atom>,
    /// Greatest magnitude allowed.
    limit: i64,
}

impl RangeTest {
    /// Builds the test of those atoms that the nest's environment does not already bound.
    pub(super) fn new(
        values: &mut AffineValues,
        root: OpId,
        atoms: impl IntoIterator<Item = Atom>,
        limit: i64,
    ) -> Self {
        let env = values.environment_at(root);
        let is_open = |&atom: &Atom| {
            let number = values.atom_number(atom);
            let known = values.atom_interval(number, env);
            !known.is_within(within(limit))
        };
        let atoms = atoms.into_iter().filter(is_open).collect();
        RangeTest { atoms, limit }
    }

    /// Emits the test that all atoms are within the limit; `None` without atoms.
    pub(super) fn condition(&self, b: &mut Builder) -> Option<Value> {
        let mut tests = Vec::new();
        for &atom in &self.atoms {
            let Some(value) = atom_value(b, atom) else {
                continue;
            };
            let most = b.index_constant(self.limit);
            tests.push(CmpIOp::create(b, CmpIPredicate::Sle, value, most));
            if !matches!(atom, Atom::Extent(..)) {
                let least = b.index_constant(-self.limit);
                tests.push(CmpIOp::create(b, CmpIPredicate::Sge, value, least));
            }
        }
        tests.into_iter().reduce(|x, y| b.binary(arith::ANDI, x, y))
    }
}
