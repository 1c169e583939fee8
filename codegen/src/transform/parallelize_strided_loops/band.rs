//! Bands of strided loops: their counters as levels, and the subscripts of their accesses as forms.

use std::collections::{BTreeSet, HashMap};

use gridloom_dialects::affine;
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::{memref, scf};
use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::op::Traits;
use gridloom_ir::{AffineExpr, Body, Context, OpId, Value};

use super::form::{SubscriptForm, Variable};
use crate::transform::polynomial::{Atom, Poly};

/// Level: a loop counter, or one of its two digits, by which iterations differ.
#[derive(Clone, Debug)]
pub(super) struct Level {
    /// Granularity: the level's values are multiples of this.
    pub(super) granularity: Poly,
    /// Span: the level's greatest value.
    pub(super) span: Poly,
    /// The number that the level times is at most the counter: the divisor, where the level is a quotient.
    pub(super) weight: Poly,
}

/// Shift of a loop whose bounds depend on counters of loops around: it counts from 0.
#[derive(Clone, Copy)]
pub(super) struct Shift {
    /// Whether the loop is shorter in some iterations of the loops around.
    pub(super) is_cut: bool,
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

    /// Whether the condition holds at no sizes from 2 on, so that the loops would always run as they are.
    pub(super) fn is_hopeless(&self) -> bool {
        match self {
            RuntimeCondition::Natural(poly) => poly.is_hopeless(),
            RuntimeCondition::Positive(poly) => {
                { poly.minus(&Poly::constant(1)) }.is_some_and(|poly| poly.is_hopeless())
            }
            RuntimeCondition::PowerOfTwo(_) => false,
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
    /// Lower bound, upper bound and step of each loop; those of a shifted one count from 0.
    pub(super) bounds: Vec<[Poly; 3]>,
    /// The shift of each loop whose bounds depend on loops around.
    pub(super) shifts: Vec<Option<Shift>>,
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
    pub(super) digits: HashMap<Value, (usize, Poly)>,
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
            shifts: Vec::new(),
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
        band.drop_idle_digits();
        Some(band)
    }

    /// Takes the remainder of a counter for 0 where iterations with another one access nothing that is written, as under
    /// `if (i % m == 0)`.
    fn drop_idle_digits(&mut self) {
        let accesses = self.accesses.iter();
        let tied = accesses.filter(|access| self.written.contains(&access.memref));
        let tied: Vec<OpId> = tied.map(|access| access.op).collect();
        let remainders: Vec<usize> = self.digits.values().map(|(first, _)| first + 1).collect();
        for level in remainders {
            if tied.iter().all(|&op| self.is_multiple(op, level)) {
                self.levels[level].span = Poly::default();
            }
        }
    }

    /// Whether an access runs only where a remainder is 0.
    fn is_multiple(&mut self, access: OpId, level: usize) -> bool {
        let (ctx, body, root) = (self.ctx, self.body, self.loops[0]);
        let remainder = [(Variable::Level(level), Poly::constant(1))].into();
        let mut inner = access;
        for around in body.ancestors(access).take_while(|&op| op != root) {
            let then = body.region_block(around, 0);
            let test = { body[around].operands.first() }.and_then(|&test| body.defining_op(test));
            if body[around].name == scf::IF
                && body[inner].parent() == then
                && let Some(test) = test.filter(|&test| body[test].name == arith::CMPI)
                && CmpIOp(test).predicate(ctx, body) == CmpIPredicate::Eq
                && let &[left, right] = &body[test].operands[..]
                && arith::constant_int(ctx, body, right) == Some(0)
                && { self.exact_form(left) }
                    .is_some_and(|form| form.terms == remainder && form.rest == Poly::default())
            {
                return true;
            }
            inner = around;
        }
        false
    }

    /// Adds the levels of a loop of the band.
    fn add_level(&mut self, op: OpId) -> Option<()> {
        let range = self.range(op)?;
        let first = self.levels.len();
        let counter = induction_var(self.body, op);
        let zero = Poly::default();
        let (lower, upper) = match range.shift {
            None => (range.lower.as_poly()?.clone(), range.end()?),
            Some(_) => (zero, range.extent.clone()),
        };
        let step = range.step.clone();
        self.bounds
            .push([lower.clone(), upper.clone(), step.clone()]);
        self.shifts.push(range.shift);
        self.conditions
            .push(RuntimeCondition::Positive(step.clone()));
        let divisor = match range.shift {
            None => self.divisor(counter),
            Some(_) => None,
        };
        let one = Poly::constant(1);
        let unit = |span| Level {
            granularity: Poly::constant(1),
            span,
            weight: Poly::constant(1),
        };
        match divisor {
            None => {
                self.levels.push(Level {
                    granularity: step,
                    ..unit(range.extent.minus(&one)?)
                });
                let mut own = range.lower;
                own.terms.insert(Variable::Level(first), one);
                self.forms.insert(counter, Some(own));
            }
            // Two digits `%i = h · q + r`, for a non-negative counter with step 1.
            Some(divisor) => {
                (step.as_constant() == Some(1)).then_some(())?;
                self.conditions.push(RuntimeCondition::Natural(lower));
                self.conditions
                    .push(RuntimeCondition::Positive(divisor.clone()));
                self.levels.push(Level {
                    weight: divisor.clone(),
                    ..unit(upper.minus(&one)?)
                });
                self.levels.push(unit(divisor.minus(&one)?));
                let own = SubscriptForm {
                    terms: [
                        (Variable::Level(first), divisor.clone()),
                        (Variable::Level(first + 1), one),
                    ]
                    .into(),
                    rest: Poly::default(),
                };
                self.forms.insert(counter, Some(own));
                self.digits.insert(counter, (first, divisor));
            }
        }
        Some(())
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
            scf::WHILE | scf::CONDITION | scf::IF | affine::IF | scf::YIELD | affine::YIELD => {
                Some(())
            }
            _ if name.has(Traits::PURE) && body[op].inline_regions().is_empty() => Some(()),
            _ => None,
        }
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
