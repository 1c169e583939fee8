//! Independence test: whether iterations touch different elements.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::scf;
use gridloom_ir::{OpId, OpName, Value};

use super::band::{Access, Band, RuntimeCondition, induction_var};
use super::form::{Poly, SubscriptForm, Variable};

/// Range between two polynomials.
struct Range {
    least: Poly,
    most: Poly,
}

/// Independence of the iterations in a memref: whether no two touch an element that one of them
/// writes.
pub(super) enum Apart {
    Always,
    /// Independent where these run-time conditions hold.
    Where(Vec<RuntimeCondition>),
}

/// Tests the iterations of a band for independence in a memref; `None` where that is not known.
pub(super) fn are_apart(band: &Band, memref: Value) -> Option<Apart> {
    let accesses: Vec<&Access> = (band.accesses.iter())
        .filter(|access| access.memref == memref)
        .collect();
    if is_compare_exchange(band, &accesses) {
        return Some(Apart::Always);
    }
    let mut conditions = band.conditions.clone();
    for (at, &first) in accesses.iter().enumerate() {
        for &second in &accesses[at..] {
            if !first.is_write && !second.is_write {
                continue;
            }
            for level in 0..band.levels.len() {
                conditions.extend(differ_at(band, first, second, level)?);
            }
        }
    }
    Some(Apart::Where(conditions))
}

/// Conditions under which two accesses touch different elements in iterations that agree in the
/// levels before `level`, and differ in it.
pub(super) fn differ_at(
    band: &Band,
    first: &Access,
    second: &Access,
    level: usize,
) -> Option<Vec<RuntimeCondition>> {
    let pairs = first.subscripts.iter().zip(&second.subscripts);
    let answers = pairs
        .filter_map(|(first, second)| differ_in(band, first.as_ref()?, second.as_ref()?, level));
    // One differing subscript suffices: the one with the fewest conditions.
    answers.min_by_key(Vec::len)
}

fn differ_in(
    band: &Band,
    first: &SubscriptForm,
    second: &SubscriptForm,
    level: usize,
) -> Option<Vec<RuntimeCondition>> {
    let agrees = |at: usize| {
        let variable = Variable::Level(at);
        first.factor(variable) == second.factor(variable)
    };
    if !(0..=level).all(agrees) {
        return None;
    }
    let mut conditions = Vec::new();
    let factor = magnitude(&first.factor(Variable::Level(level)), &mut conditions)?;
    let own = &band.levels[level];
    let least = factor.times(&own.granularity)?;
    let most = factor.times(&own.span)?;
    let distance = distance(band, first, second, level, &mut conditions)?;
    // Two such iterations are between `least` and `most` elements apart.
    let one = Poly::constant(1);
    let below = |x: &Poly, y: &Poly| y.minus(x)?.minus(&one);
    let beyond = [
        below(&most, &distance.least)?,
        below(&distance.most, &most.negated()?)?,
    ];
    if beyond.iter().any(is_natural) {
        return Some(conditions);
    }
    let within = [
        below(&distance.most, &least)?,
        below(&least.negated()?, &distance.least)?,
    ];
    if within
        .iter()
        .any(|poly| poly.as_constant().is_some_and(|number| number < 0))
    {
        return None;
    }
    let open = within.into_iter().filter(|poly| !is_natural(poly));
    let open: Vec<RuntimeCondition> = open.map(RuntimeCondition::Natural).collect();
    // Neighbouring iterations must be independent without a run-time condition.
    if !open.is_empty() && least.as_constant().is_some() {
        return None;
    }
    conditions.extend(open);
    Some(conditions)
}

fn is_natural(poly: &Poly) -> bool {
    poly.least().is_some_and(|least| least >= 0)
}

/// Bounds the distance of the second access from the first, without the contribution of `level`;
/// levels after it and inner loops may have any values.
fn distance(
    band: &Band,
    first: &SubscriptForm,
    second: &SubscriptForm,
    level: usize,
    conditions: &mut Vec<RuntimeCondition>,
) -> Option<Range> {
    let start = second.rest.minus(&first.rest)?;
    let mut range = Range {
        least: start.clone(),
        most: start,
    };
    for (form, is_second) in [(first, false), (second, true)] {
        for (&variable, factor) in &form.terms {
            let span = match variable {
                Variable::Level(at) if at <= level => continue,
                Variable::Level(at) => &band.levels[at].span,
                Variable::Inner(at) => &band.inner[at],
            };
            let way = magnitude(factor, conditions)?.times(span)?;
            let is_rising = !factor.is_falling();
            match is_rising == is_second {
                true => range.most = range.most.plus(&way)?,
                false => range.least = range.least.minus(&way)?,
            }
        }
    }
    Some(range)
}

/// The magnitude of a factor, whose sign becomes a run-time condition.
fn magnitude(factor: &Poly, conditions: &mut Vec<RuntimeCondition>) -> Option<Poly> {
    let magnitude = match factor.is_falling() {
        true => factor.negated()?,
        false => factor.clone(),
    };
    if !is_natural(&magnitude) {
        if magnitude.as_constant().is_some() {
            return None;
        }
        conditions.push(RuntimeCondition::Natural(magnitude.clone()));
    }
    Some(magnitude)
}

/// Matches the accesses of a memref as a compare-exchange of the elements `i` and `i ^ j`, done by
/// the iteration of one of them.
///
/// The partner of the partner is the counter itself, so that only these two iterations touch the two
/// elements, and the condition around the accesses holds in one of them at most.
fn is_compare_exchange(band: &Band, accesses: &[&Access]) -> bool {
    let (&[op], Some(first)) = (&band.loops[..], accesses.first()) else {
        return false;
    };
    let body = band.body;
    let counter = induction_var(body, op);
    CompareExchange::around(band, first.op, counter)
        .into_iter()
        .any(|exchange| {
            let is_side = |value: Value| value == counter || exchange.is_partner(band, value);
            (0..first.values.len()).any(|at| {
                accesses.iter().all(|access| {
                    let around = CompareExchange::around(band, access.op, counter);
                    around.contains(&exchange) && access.values[at].is_some_and(is_side)
                })
            })
        })
}

/// Compare-exchange: the condition under which one of the two partners `i` and `i ^ mask` runs.
#[derive(Clone, Copy, PartialEq, Eq)]
struct CompareExchange {
    condition: Value,
    counter: Value,
    mask: Value,
    /// Whether the counter has none of the mask's bits under the condition, so that adding the mask
    /// sets them.
    is_clear: bool,
}

impl CompareExchange {
    /// Matches the conditions around an operation. Several may have the form of one: beside the
    /// choice of the iteration, that of a direction asks for a bit of the counter.
    fn around(band: &Band, op: OpId, counter: Value) -> Vec<CompareExchange> {
        let body = band.body;
        let mut found = Vec::new();
        let mut inner = op;
        for around in body.ancestors(op).take_while(|&op| op != band.loops[0]) {
            let then = body.region_block(around, 0);
            if body[around].name == scf::IF && then.is_some() && body[inner].parent() == then {
                let condition = body[around].operands[0];
                found.extend(CompareExchange::by(band, condition, counter));
            }
            inner = around;
        }
        found
    }

    fn by(band: &Band, condition: Value, counter: Value) -> Option<CompareExchange> {
        let (ctx, body) = (band.ctx, band.body);
        let op = body.defining_op(condition)?;
        let &[left, right] = &body[op].operands[..] else {
            return None;
        };
        if body[op].name == arith::ANDI {
            let mut both = [left, right].into_iter();
            return both.find_map(|condition| match body.defining_op(condition) {
                // One level of conjunction, as of `a && b`.
                Some(op) if body[op].name == arith::CMPI => {
                    CompareExchange::by(band, condition, counter)
                }
                _ => None,
            });
        }
        if body[op].name != arith::CMPI {
            return None;
        }
        let predicate = CmpIOp(op).predicate(ctx, body);
        use CmpIPredicate::{Eq, Sgt, Slt, Ugt, Ult};
        if predicate == Eq {
            let zero = |value: Value| arith::constant_int(ctx, body, value) == Some(0);
            let masked = [(left, right), (right, left)]
                .into_iter()
                .find(|pair| zero(pair.1))?;
            let mask = masked_by(band, arith::ANDI, masked.0, counter)?;
            return Some(CompareExchange {
                condition,
                counter,
                mask,
                is_clear: true,
            });
        }
        if !matches!(predicate, Sgt | Slt | Ugt | Ult) {
            return None;
        }
        let partner = match (left == counter, right == counter) {
            (true, false) => right,
            (false, true) => left,
            _ => return None,
        };
        Some(CompareExchange {
            condition,
            counter,
            mask: masked_by(band, arith::XORI, partner, counter)?,
            is_clear: false,
        })
    }

    /// Whether a value is the partner: the counter with the bits of the mask flipped.
    fn is_partner(&self, band: &Band, value: Value) -> bool {
        let by = |name| masked_by(band, name, value, self.counter) == Some(self.mask);
        by(arith::XORI) || self.is_clear && (by(arith::ORI) || by(arith::ADDI))
    }
}

/// The other, loop-invariant operand of an operation `name` on the counter.
fn masked_by(band: &Band, name: OpName, value: Value, counter: Value) -> Option<Value> {
    let op = band.body.defining_op(value)?;
    let &[left, right] = &band.body[op].operands[..] else {
        return None;
    };
    let mask = match (left == counter, right == counter) {
        (true, false) => right,
        (false, true) => left,
        _ => return None,
    };
    (band.body[op].name == name && band.is_outside(mask)).then_some(mask)
}
