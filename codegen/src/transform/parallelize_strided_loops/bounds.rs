//! Bounds of the loops in a band, and the ranges of forms over them.
//!
//! Bounds may depend on counters of the band's outer loops: `%j = %i to %i + %h` counts from 0 to `%h`, and
//! `%k = %j to %n step %m` from 0 to the greatest `%n - %j`, with a test that it is below `%n`. Of an upper bound
//! that is a minimum, one operand limits the loop, and the test asks for the others.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::{affine, scf};
use gridloom_ir::{Body, Builder, Context, OpId, Value};

use super::band::{Band, RuntimeCondition, Shift, induction_var};
use super::form::{SubscriptForm, Variable};
use super::test::magnitude;
use crate::transform::polynomial::{MAX_MAGNITUDE, Poly};

/// Range of a loop's counter.
pub(super) struct LoopRange {
    pub(super) lower: SubscriptForm,
    /// The greatest way from the lower bound to the upper one.
    pub(super) extent: Poly,
    pub(super) step: Poly,
    pub(super) shift: Option<Shift>,
}

impl LoopRange {
    /// The upper bound of a loop whose bounds are the same in all iterations.
    pub(super) fn end(&self) -> Option<Poly> {
        self.lower.as_poly()?.plus(&self.extent)
    }
}

impl Shift {
    /// Emits the counter of a shifted loop before `end`, and the test that it is below the upper bound. Returns it, and
    /// the end of what runs for it.
    pub(super) fn apply(
        self,
        ctx: &Context,
        body: &mut Body,
        (op, distance): (OpId, Value),
        end: OpId,
    ) -> (Value, OpId) {
        let [lower, upper] = [scf::ForOp(op).lower(body), scf::ForOp(op).upper(body)];
        let mut b = Builder::before(ctx, body, end);
        let counter = b.binary(arith::ADDI, lower, distance);
        if !self.is_cut {
            return (counter, end);
        }
        let is_in = CmpIOp::create(&mut b, CmpIPredicate::Slt, counter, upper);
        let test = scf::IfOp::create(&mut b, is_in, &[], false);
        let block = test.then_block(b.body);
        scf::yield_values(&mut b, block, &[]);
        (counter, body[block].last().unwrap_or(end))
    }
}

impl Band<'_> {
    /// The range of a loop without carried values.
    pub(super) fn range(&mut self, op: OpId) -> Option<LoopRange> {
        let (ctx, body) = (self.ctx, self.body);
        if body[op].num_results() > 0 {
            return None;
        }
        let (lower, uppers, step) = self.bound_forms(op)?;
        let step = step.as_poly()?.clone();
        let mut distances = uppers.iter().map(|upper| upper.as_ref()?.minus(&lower));
        let (distance, is_cut) = match (uppers.len(), distances.find_map(|distance| distance)?) {
            (1, distance) => (distance.clone(), distance.as_poly().is_none()),
            (_, distance) => (distance, true),
        };
        let is_shifted = is_cut || lower.as_poly().is_none();
        let extent = self.most(&distance)?;
        let (least, start) = (self.least(&lower)?, self.most(&lower)?);
        self.need_small(&least, &start.plus(&extent)?)?;
        let shift = match is_shifted {
            false => None,
            true => {
                // The bounds of an affine loop are no values.
                let l = scf::ForOp(op);
                (body[op].name == scf::FOR && !l.is_unsigned(ctx, body)).then_some(())?;
                Some(Shift { is_cut })
            }
        };
        Some(LoopRange {
            lower,
            extent,
            step,
            shift,
        })
    }

    /// Lower bound, upper bounds, the least of which holds, and step of a loop.
    fn bound_forms(
        &mut self,
        op: OpId,
    ) -> Option<(SubscriptForm, Vec<Option<SubscriptForm>>, SubscriptForm)> {
        let (ctx, body) = (self.ctx, self.body);
        match body[op].name {
            scf::FOR => {
                let l = scf::ForOp(op);
                let is_plain = !l.is_unsigned(ctx, body) && body.ty(l.lower(body)).is_index(ctx);
                is_plain.then_some(())?;
                let [lower, step] = [l.lower(body), l.step(body)].map(|value| self.form(value));
                let uppers = match minimum(ctx, body, l.upper(body)) {
                    Some(sides) if !self.is_outside(l.upper(body)) => sides.to_vec(),
                    _ => vec![l.upper(body)],
                };
                let uppers = { uppers.into_iter() }
                    .map(|upper| self.exact_form(upper))
                    .collect();
                Some((lower?, uppers, step?))
            }
            affine::FOR => {
                let l = affine::ForOp(op);
                let mut bound = |bound: affine::Bound| match bound.map.results(ctx) {
                    &[result] => {
                        let dims = bound.map.num_dims(ctx);
                        self.expr(result, bound.operands, dims)
                    }
                    _ => None,
                };
                let (lower, upper) = (bound(l.lower(ctx, body))?, bound(l.upper(ctx, body))?);
                let step = SubscriptForm::of(Poly::constant(l.step(ctx, body)));
                Some((lower, vec![Some(upper)], step))
            }
            _ => None,
        }
    }

    /// Adds the counter of an inner loop, where its lower bound and the distance to the upper one are known.
    pub(super) fn add_inner(&mut self, op: OpId) {
        let before = self.conditions.len();
        let found = self.inner_form(op);
        if found.is_none() {
            self.conditions.truncate(before);
        }
        self.forms.insert(induction_var(self.body, op), found);
    }

    fn inner_form(&mut self, op: OpId) -> Option<SubscriptForm> {
        let (lower, uppers, _) = self.bound_forms(op)?;
        let distance = { uppers.iter() }.find_map(|upper| upper.as_ref()?.minus(&lower))?;
        let extent = self.most(&distance)?;
        let (least, start) = (self.least(&lower)?, self.most(&lower)?);
        self.need_small(&least, &start.plus(&extent)?)?;
        let variable = Variable::Inner(self.inner.len());
        self.inner.push(extent.minus(&Poly::constant(1))?);
        let mut own = lower;
        own.terms.insert(variable, Poly::constant(1));
        Some(own)
    }

    /// The greatest number of a form over all iterations.
    pub(super) fn most(&mut self, form: &SubscriptForm) -> Option<Poly> {
        self.extreme(form, false)
    }

    /// The least number of a form over all iterations.
    pub(super) fn least(&mut self, form: &SubscriptForm) -> Option<Poly> {
        self.extreme(form, true)
    }

    fn extreme(&mut self, form: &SubscriptForm, is_least: bool) -> Option<Poly> {
        let mut sum = form.rest.clone();
        for (&variable, factor) in &form.terms {
            let distance = magnitude(factor, &mut self.conditions)?;
            if factor.is_falling() == is_least {
                let span = match variable {
                    Variable::Level(at) => &self.levels[at].span,
                    Variable::Inner(at) => &self.inner[at],
                };
                sum = match is_least {
                    false => sum.plus(&distance.times(span)?)?,
                    true => sum.minus(&distance.times(span)?)?,
                };
            }
        }
        Some(sum)
    }

    /// Adds the run-time condition that the bounds of a loop are within the limit of forms.
    fn need_small(&mut self, lower: &Poly, upper: &Poly) -> Option<()> {
        let most = Poly::constant(MAX_MAGNITUDE);
        for room in [lower.plus(&most)?, most.minus(upper)?] {
            match room.as_constant() {
                Some(room) => (room >= 0).then_some(())?,
                None => self.conditions.push(RuntimeCondition::Natural(room)),
            }
        }
        Some(())
    }
}

/// The operands of a minimum, of integers that `index` can hold: a cast to it keeps the order.
fn minimum(ctx: &Context, body: &Body, value: Value) -> Option<[Value; 2]> {
    let op = body.defining_op(value)?;
    match (body[op].name, &body[op].operands[..]) {
        (arith::MINSI, &[l, r]) => Some([l, r]),
        (arith::INDEX_CAST, &[source]) => {
            let width = body.ty(source).signless_width(ctx);
            let is_whole = body.ty(value).is_index(ctx) && width.is_some_and(|width| width <= 64);
            is_whole.then(|| minimum(ctx, body, source))?
        }
        _ => None,
    }
}
