//! Bands of strided loops: their counters as levels, and the subscripts of their accesses as forms.

use std::collections::{BTreeSet, HashMap};

use gridloom_dialects::affine;
use gridloom_dialects::{arith, memref, scf};
use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::op::Traits;
use gridloom_ir::{AffineExpr, Body, Context, OpId, Value};

use super::form::{Atom, MAX_MAGNITUDE, Poly, SubscriptForm, Variable};
use super::subscripts::power_of;

/// Level: a loop counter, or one of its two digits, by which iterations differ.
#[derive(Clone, Debug)]
pub(super) struct Level {
    /// Granularity: the level's values are multiples of this.
    pub(super) granularity: Poly,
    /// Span: the level's greatest value.
    pub(super) span: Poly,
}

/// An access of an element.
pub(super) struct Access {
    pub(super) op: OpId,
    pub(super) memref: Value,
    pub(super) is_write: bool,
    /// The subscripts as forms; `None` for one that has no form.
    pub(super) subscripts: Vec<Option<SubscriptForm>>,
    /// The subscripts that are SSA values.
    pub(super) values: Vec<Option<Value>>,
}

/// Run-time condition under which the forms hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum RuntimeCondition {
    /// A polynomial is not negative.
    Natural(Poly),
    /// A polynomial is positive.
    Positive(Poly),
    /// A polynomial is a power of two.
    PowerOfTwo(Poly),
}

impl RuntimeCondition {
    pub(super) fn poly(&self) -> &Poly {
        match self {
            RuntimeCondition::Natural(poly)
            | RuntimeCondition::Positive(poly)
            | RuntimeCondition::PowerOfTwo(poly) => poly,
        }
    }

    /// Whether the condition always holds.
    pub(super) fn is_given(&self) -> bool {
        match self {
            RuntimeCondition::Natural(poly) => poly.least().is_some_and(|least| least >= 0),
            RuntimeCondition::Positive(poly) => poly.least().is_some_and(|least| least > 0),
            RuntimeCondition::PowerOfTwo(poly) => poly.is_power(),
        }
    }
}

/// Band of perfectly nested loops, outermost first, with their accesses.
pub(super) struct Band<'a> {
    pub(super) ctx: &'a Context,
    pub(super) body: &'a Body,
    pub(super) loops: Vec<OpId>,
    /// Lower bound, upper bound and step of each loop.
    pub(super) bounds: Vec<[Poly; 3]>,
    pub(super) levels: Vec<Level>,
    /// Span of each inner loop's counter, from its lower bound on.
    pub(super) inner: Vec<Poly>,
    pub(super) accesses: Vec<Access>,
    pub(super) conditions: Vec<RuntimeCondition>,
    pub(super) forms: HashMap<Value, Option<SubscriptForm>>,
    /// Forms of integers of other types, modulo their range.
    pub(super) narrow: HashMap<Value, Option<SubscriptForm>>,
    /// Memrefs that iterations store to.
    pub(super) written: BTreeSet<Value>,
    /// Depth of the current walk through values and expressions.
    pub(super) depth: usize,
    /// First level and divisor of each counter that has two digits.
    pub(super) digits: HashMap<Value, Option<(usize, Poly)>>,
}

/// Limit of the operations in a loop.
const MAX_OPS: usize = 400;

impl<'a> Band<'a> {
    /// Analyses the accesses of some loops. `None` where they contain effects other than loads and
    /// stores, carry values, or have bounds that differ between iterations.
    pub(super) fn of(ctx: &'a Context, body: &'a Body, loops: &[OpId]) -> Option<Band<'a>> {
        let mut band = Band {
            ctx,
            body,
            loops: loops.to_vec(),
            bounds: Vec::new(),
            depth: 0,
            levels: Vec::new(),
            inner: Vec::new(),
            accesses: Vec::new(),
            conditions: Vec::new(),
            forms: HashMap::new(),
            narrow: HashMap::new(),
            written: BTreeSet::new(),
            digits: HashMap::new(),
        };
        let below = body.walk_op(loops[0]);
        if below.len() > MAX_OPS {
            return None;
        }
        let stores = below.iter().filter_map(|&op| written_by(body, op));
        band.written.extend(stores);
        for &op in loops {
            band.add_level(op)?;
        }
        for op in below {
            if !loops.contains(&op) {
                band.visit(op)?;
            }
        }
        Some(band)
    }

    /// Adds the levels of a loop of the band.
    fn add_level(&mut self, op: OpId) -> Option<()> {
        let (counter, [lower, upper, step]) = self.counter(op)?;
        let (lower, upper, step) = (lower.as_poly()?, upper.as_poly()?, step.as_poly()?);
        let last = upper.minus(lower)?.minus(&Poly::constant(1))?;
        self.bounds
            .push([lower.clone(), upper.clone(), step.clone()]);
        self.conditions
            .push(RuntimeCondition::Positive(step.clone()));
        self.need_small(lower, upper)?;
        let first = self.levels.len();
        match self.divisor(counter) {
            None => {
                self.levels.push(Level {
                    granularity: step.clone(),
                    span: last,
                });
                let own = SubscriptForm {
                    terms: [(Variable::Level(first), Poly::constant(1))].into(),
                    rest: lower.clone(),
                };
                self.forms.insert(counter, Some(own));
            }
            // Two digits `%i = h · q + r`, for a non-negative counter with step 1.
            Some(divisor) => {
                (step.as_constant() == Some(1)).then_some(())?;
                self.conditions
                    .push(RuntimeCondition::Natural(lower.clone()));
                self.conditions
                    .push(RuntimeCondition::Positive(divisor.clone()));
                self.levels.push(Level {
                    granularity: Poly::constant(1),
                    span: upper.minus(&Poly::constant(1))?,
                });
                self.levels.push(Level {
                    granularity: Poly::constant(1),
                    span: divisor.minus(&Poly::constant(1))?,
                });
                let own = SubscriptForm {
                    terms: [
                        (Variable::Level(first), divisor.clone()),
                        (Variable::Level(first + 1), Poly::constant(1)),
                    ]
                    .into(),
                    rest: Poly::default(),
                };
                self.forms.insert(counter, Some(own));
                self.digits.insert(counter, Some((first, divisor)));
            }
        }
        Some(())
    }

    /// Returns the number by which iterations divide a counter, if there is one.
    fn divisor(&mut self, counter: Value) -> Option<Poly> {
        let body = self.body;
        body.walk_op(self.loops[0]).into_iter().find_map(|op| {
            let [left, right] = body[op].operands[..] else {
                return None;
            };
            (left == counter)
                .then(|| self.divided_by(op, right))
                .flatten()
        })
    }

    /// The divisor of a quotient or remainder, from its second operand.
    pub(super) fn divided_by(&mut self, op: OpId, right: Value) -> Option<Poly> {
        let name = self.body[op].name;
        let is_division = matches!(
            name,
            arith::DIVUI | arith::DIVSI | arith::FLOORDIVSI | arith::REMUI | arith::REMSI
        );
        let is_of_bits = matches!(name, arith::SHRUI | arith::SHRSI | arith::ANDI);
        (is_division || is_of_bits).then_some(())?;
        let number = self.form(right)?.as_poly()?.clone();
        match name {
            arith::SHRUI | arith::SHRSI => power_of(&number),
            // A mask of the lower bits: a power of two minus one.
            arith::ANDI => {
                let is_mask = number.constant_term() == -1 && number.as_constant().is_none();
                is_mask.then(|| number.plus(&Poly::constant(1)))?
            }
            _ => Some(number),
        }
    }

    /// The counter of a loop without carried values, with its bounds and step.
    fn counter(&mut self, op: OpId) -> Option<(Value, [SubscriptForm; 3])> {
        let (ctx, body) = (self.ctx, self.body);
        if body[op].num_results() > 0 {
            return None;
        }
        match body[op].name {
            scf::FOR => {
                let l = scf::ForOp(op);
                let is_plain = !l.is_unsigned(ctx, body) && body.ty(l.lower(body)).is_index(ctx);
                is_plain.then_some(())?;
                let bounds = [l.lower(body), l.upper(body), l.step(body)];
                let [lower, upper, step] = bounds.map(|value| self.form(value));
                Some((induction_var(body, op), [lower?, upper?, step?]))
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
                Some((induction_var(body, op), [lower, upper, step]))
            }
            _ => None,
        }
    }

    fn visit(&mut self, op: OpId) -> Option<()> {
        let (ctx, body) = (self.ctx, self.body);
        let name = body[op].name;
        if let Some(access) = memref::Access::cast(body, op) {
            let values = access.indices(body);
            let subscripts = values.iter().map(|&value| self.form(value)).collect();
            self.accesses.push(Access {
                op,
                memref: access.memref(body),
                is_write: access.is_store,
                subscripts,
                values: values.iter().copied().map(Some).collect(),
            });
            return Some(());
        }
        if matches!(name, affine::LOAD | affine::STORE) {
            let access = affine::Access::cast(body, op)?;
            let map = access.map(ctx, body);
            let dims = map.num_dims(ctx);
            let operands = access.operands(body);
            let exprs = map.results(ctx).iter();
            let value = |expr: &AffineExpr| match expr.kind(ctx) {
                AffineExprKind::Dim(at) => operands.get(at as usize).copied(),
                AffineExprKind::Symbol(at) => operands.get(dims + at as usize).copied(),
                _ => None,
            };
            let values = exprs.clone().map(value).collect();
            let subscripts = exprs.map(|&expr| self.expr(expr, operands, dims)).collect();
            self.accesses.push(Access {
                op,
                memref: access.memref(body),
                is_write: access.is_store,
                subscripts,
                values,
            });
            return Some(());
        }
        match name {
            // The carried values of an inner loop are recomputed in each iteration.
            scf::FOR | affine::FOR => {
                self.add_inner(op);
                Some(())
            }
            scf::IF | affine::IF | scf::YIELD | affine::YIELD => Some(()),
            _ if name.has(Traits::PURE) && body[op].inline_regions().is_empty() => Some(()),
            _ => None,
        }
    }

    /// Adds the counter of an inner loop, if its bounds are the same in all iterations.
    fn add_inner(&mut self, op: OpId) {
        let counter = induction_var(self.body, op);
        let found = self.inner_form(op);
        self.forms.insert(counter, found);
    }

    fn inner_form(&mut self, op: OpId) -> Option<SubscriptForm> {
        let (_, [lower, upper, _]) = self.counter(op)?;
        let (lower, upper) = (lower.as_poly()?, upper.as_poly()?);
        let span = upper.minus(lower)?.minus(&Poly::constant(1))?;
        self.need_small(lower, upper)?;
        let variable = Variable::Inner(self.inner.len());
        self.inner.push(span);
        Some(SubscriptForm {
            terms: [(variable, Poly::constant(1))].into(),
            rest: lower.clone(),
        })
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

    /// The atoms of all forms.
    pub(super) fn atoms(&self) -> impl Iterator<Item = Atom> + '_ {
        let forms = self.forms.values().flatten();
        let of_forms = forms.flat_map(|form| {
            let factors = form.terms.values().flat_map(Poly::atoms);
            factors.chain(form.rest.atoms())
        });
        of_forms.chain(self.bounds.iter().flatten().flat_map(Poly::atoms))
    }

    /// Whether a value is defined in front of the band.
    pub(super) fn is_outside(&self, value: Value) -> bool {
        !self.body.is_defined_in(value, self.loops[0])
    }
}

/// The memref that an operation stores to.
fn written_by(body: &Body, op: OpId) -> Option<Value> {
    let plain = memref::Access::cast(body, op).filter(|access| access.is_store);
    let affine = affine::Access::cast(body, op).filter(|access| access.is_store);
    { plain.map(|access| access.memref(body)) }.or(affine.map(|access| access.memref(body)))
}

/// The induction variable of a loop of `scf` or `affine`.
pub(super) fn induction_var(body: &Body, op: OpId) -> Value {
    match body[op].name {
        scf::FOR => scf::ForOp(op).induction_var(body),
        _ => affine::ForOp(op).induction_var(body),
    }
}
