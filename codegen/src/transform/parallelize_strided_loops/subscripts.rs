//! Subscripts of a band: the forms of what its operations compute.

use gridloom_dialects::{affine, arith};
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::op::Traits;
use gridloom_ir::{AffineExpr, OpId, OpName, Value};

use super::band::{Band, RuntimeCondition};
use super::form::{SubscriptForm, Variable};
use crate::analysis::load_store::is_load;
use crate::transform::polynomial::{Atom, BOUND, MAX_MAGNITUDE, Poly};

/// Depth limit of the walk through values and expressions.
const MAX_DEPTH: usize = 64;

impl Band<'_> {
    /// The form of an index value.
    pub(super) fn form(&mut self, value: Value) -> Option<SubscriptForm> {
        if let Some(known) = self.forms.get(&value) {
            return known.clone();
        }
        // Recursion guard: in unreachable code an expression may use itself.
        self.forms.insert(value, None);
        let found = self.looked_through(value).filter(|form| self.fits(form));
        self.forms.insert(value, found.clone());
        found
    }

    fn looked_through(&mut self, value: Value) -> Option<SubscriptForm> {
        let is_outside = self.is_outside(value) && self.body.ty(value).is_index(self.ctx);
        self.depth += 1;
        let found = match self.depth < MAX_DEPTH {
            true => self.computed_form(value),
            false => None,
        };
        self.depth -= 1;
        // A value from in front of the loops is a single atom, however it is computed.
        let is_simple = |form: &SubscriptForm| form.rest.degree() <= 1 && self.fits(form);
        match found.filter(|form| !is_outside || is_simple(form)) {
            None if is_outside => Some(SubscriptForm::of(Poly::atom(Atom::Value(value)))),
            found => found,
        }
    }

    fn computed_form(&mut self, value: Value) -> Option<SubscriptForm> {
        let (ctx, body) = (self.ctx, self.body);
        if let Some(number) = arith::constant_int(ctx, body, value) {
            return Some(SubscriptForm::of(Poly::constant(number)));
        }
        if !body.ty(value).is_index(ctx) {
            return None;
        }
        let op = body.defining_op(value)?;
        if let Some(known) = self.loaded_in_front(op) {
            return Some(SubscriptForm::of(Poly::atom(Atom::Value(known))));
        }
        if body[op].name == arith::INDEX_CAST {
            return self.cast_form(body[op].operands[0]);
        }
        if let Some(power) = self.power(op) {
            return Some(SubscriptForm::of(Poly::atom(power)));
        }
        if body[op].name == affine::APPLY {
            let apply = affine::ApplyOp(op);
            let map = apply.map(ctx, body);
            let dims = map.num_dims(ctx);
            return self.expr(*map.results(ctx).first()?, &body[op].operands, dims);
        }
        let &[left, right] = &body[op].operands[..] else {
            return None;
        };
        if let Some(digit) = self.digit(op, left, right) {
            return Some(digit);
        }
        let (x, y) = (self.form(left)?, self.form(right)?);
        self.combined(body[op].name, &x, &y)
    }

    /// The value of a load in front of the band that equals one in it, where neither what is between nor the
    /// band itself writes the memref; other memrefs that the band writes are distinct from it.
    fn loaded_in_front(&self, load: OpId) -> Option<Value> {
        let body = self.body;
        let data = &body[load];
        let memref = *data.operands.first()?;
        let is_same_anywhere = is_load(body, load)
            && body.is_ancestor(self.loops[0], load)
            && data.operands.iter().all(|&value| self.is_outside(value))
            && !self.written.contains(&memref);
        is_same_anywhere.then_some(())?;
        let before = std::iter::successors(body[self.loops[0]].prev(), |&op| body[op].prev());
        { before }
            .take_while(|&op| is_load(body, op) || body[op].name.has(Traits::PURE))
            .find(|&op| {
                let other = &body[op];
                other.name == data.name
                    && other.operands == data.operands
                    && other.properties == data.properties
            })
            .map(|op| body[op].result(0))
    }

    /// The number of an integer of any type, where no number within the limit of forms wraps around.
    pub(super) fn exact_form(&mut self, value: Value) -> Option<SubscriptForm> {
        match self.body.ty(value).is_index(self.ctx) {
            true => self.form(value),
            false => self.cast_form(value),
        }
    }

    /// The form of an integer as an index: of one that is computed in narrow integers, where no number
    /// within the limit of forms wraps around.
    fn cast_form(&mut self, value: Value) -> Option<SubscriptForm> {
        let width = self.body.ty(value).signless_width(self.ctx)?;
        let form = self.narrow_form(value)?;
        (self.is_outside(value) || self.fits_signed(&form, width)).then_some(form)
    }

    /// The form of an integer that is not of `index` type, modulo its range.
    fn narrow_form(&mut self, value: Value) -> Option<SubscriptForm> {
        if let Some(known) = self.narrow.get(&value) {
            return known.clone();
        }
        self.narrow.insert(value, None);
        self.depth += 1;
        let found = match self.depth < MAX_DEPTH {
            true => self.computed_narrow_form(value),
            false => None,
        };
        self.depth -= 1;
        let found = found.filter(|form| self.fits(form));
        self.narrow.insert(value, found.clone());
        found
    }

    fn computed_narrow_form(&mut self, value: Value) -> Option<SubscriptForm> {
        let (ctx, body) = (self.ctx, self.body);
        if let Some(number) = arith::constant_int(ctx, body, value) {
            return Some(SubscriptForm::of(Poly::constant(number)));
        }
        if self.is_outside(value) {
            return Some(SubscriptForm::of(self.narrow_number(value, 0)));
        }
        let op = body.defining_op(value)?;
        if let Some(known) = self.loaded_in_front(op) {
            return Some(SubscriptForm::of(Poly::atom(Atom::Value(known))));
        }
        if let Some(power) = self.power(op) {
            return Some(SubscriptForm::of(Poly::atom(power)));
        }
        let data = &body[op];
        if data.name == arith::INDEX_CAST {
            let operand = data.operands[0];
            return body.ty(operand).is_index(ctx).then(|| self.form(operand))?;
        }
        let &[left, right] = &data.operands[..] else {
            return None;
        };
        if let Some(digit) = self.digit(op, left, right) {
            return Some(digit);
        }
        let (x, y) = (self.narrow_form(left)?, self.narrow_form(right)?);
        self.combined(data.name, &x, &y)
    }

    /// The number of a narrow integer from in front of the band: a power of two, or such a number and a constant.
    fn narrow_number(&self, value: Value, depth: usize) -> Poly {
        let (ctx, body) = (self.ctx, self.body);
        let found = body.defining_op(value).and_then(|op| {
            if let Some(power) = self.power(op) {
                return Some(Poly::atom(power));
            }
            let &[left, right] = &body[op].operands[..] else {
                return None;
            };
            let by = arith::constant_int(ctx, body, right).filter(|_| depth < MAX_DEPTH)?;
            let by = Poly::constant(by);
            match body[op].name {
                arith::ADDI => self.narrow_number(left, depth + 1).plus(&by),
                arith::SUBI => self.narrow_number(left, depth + 1).minus(&by),
                _ => None,
            }
        });
        let is_exact = |found: &Poly| {
            let form = SubscriptForm::of(found.clone());
            { body.ty(value).signless_width(ctx) }
                .is_some_and(|width| self.fits_signed(&form, width))
        };
        found
            .filter(is_exact)
            .unwrap_or_else(|| Poly::atom(Atom::Value(value)))
    }

    /// The power of two that an operation computes, with an exponent from in front of the band.
    fn power(&self, op: OpId) -> Option<Atom> {
        let data = &self.body[op];
        let is_power = data.name == arith::SHLI
            && arith::constant_int(self.ctx, self.body, data.operands[0]) == Some(1)
            && self.is_outside(data.operands[1])
            && arith::constant_int(self.ctx, self.body, data.operands[1]).is_none();
        is_power.then(|| Atom::Power(data.operands[1]))
    }

    /// The number by which iterations divide a counter, if there is one.
    pub(super) fn divisor(&mut self, counter: Value) -> Option<Poly> {
        let body = self.body;
        body.walk_op(self.loops[0]).into_iter().find_map(|op| {
            let [left, right] = body[op].operands[..] else {
                return None;
            };
            let is_own = self.counted_by(left) == counter;
            is_own.then(|| self.divided_by(op, right)).flatten()
        })
    }

    /// The counter behind a cast to 32 or more bits, which keeps the numbers within the limit of forms.
    pub(super) fn counted_by(&self, value: Value) -> Value {
        let (ctx, body) = (self.ctx, self.body);
        let source = body.defining_op(value).and_then(|op| {
            let is_wide = { body.ty(value).signless_width(ctx) }.is_some_and(|width| width >= 32);
            (body[op].name == arith::INDEX_CAST && is_wide).then(|| body[op].operands[0])
        });
        source.unwrap_or(value)
    }

    /// The divisor of a quotient or remainder, from its second operand.
    fn divided_by(&mut self, op: OpId, right: Value) -> Option<Poly> {
        let name = self.body[op].name;
        let is_division = matches!(
            name,
            arith::DIVUI | arith::DIVSI | arith::FLOORDIVSI | arith::REMUI | arith::REMSI
        );
        let is_of_bits = matches!(name, arith::SHRUI | arith::SHRSI | arith::ANDI);
        (is_division || is_of_bits).then_some(())?;
        let number = self.exact_form(right)?.as_poly()?.clone();
        match name {
            arith::SHRUI | arith::SHRSI => power_of(&number),
            // A mask of the lower bits: a power of two minus one.
            arith::ANDI => {
                let divisor = number.plus(&Poly::constant(1))?;
                match divisor.as_constant() {
                    Some(known) => (known.count_ones() == 1 && known > 1).then_some(divisor),
                    None => (number.constant_term() == -1).then_some(divisor),
                }
            }
            _ => Some(number),
        }
    }

    /// The level that the quotient or remainder of a counter is.
    fn digit(&mut self, op: OpId, left: Value, right: Value) -> Option<SubscriptForm> {
        let (first, divisor) = self.digits.get(&self.counted_by(left)).cloned()?;
        (self.divided_by(op, right)? == divisor).then_some(())?;
        let is_quotient = matches!(
            self.body[op].name,
            arith::DIVUI | arith::DIVSI | arith::FLOORDIVSI | arith::SHRUI | arith::SHRSI
        );
        if self.body[op].name == arith::ANDI {
            self.conditions.push(RuntimeCondition::PowerOfTwo(divisor));
        }
        let level = Variable::Level(first + usize::from(!is_quotient));
        Some(SubscriptForm {
            terms: [(level, Poly::constant(1))].into(),
            rest: Poly::default(),
        })
    }

    /// Whether a form fits 64 bits, for atoms and counters of magnitudes up to [`MAX_MAGNITUDE`].
    fn fits(&self, form: &SubscriptForm) -> bool {
        self.bound(form).is_some_and(|bound| bound < BOUND)
    }

    /// Whether a form fits a signed integer of so many bits, likewise; a counter is at most twice the limit
    /// from its lower bound.
    fn fits_signed(&self, form: &SubscriptForm, width: u32) -> bool {
        let limit = BOUND.min(1 << (width.clamp(2, 64) - 2));
        self.bound(form).is_some_and(|bound| bound < limit)
    }

    /// Upper bound of the magnitude of a form, for atoms and counters of magnitudes up to [`MAX_MAGNITUDE`]: a
    /// quotient times its divisor is at most the counter.
    fn bound(&self, form: &SubscriptForm) -> Option<i128> {
        let terms = { form.terms.iter() }.try_fold(0i128, |sum, (variable, factor)| {
            let of_counter = match variable {
                Variable::Level(at) => factor.divided(&self.levels.get(*at)?.weight),
                Variable::Inner(_) => None,
            };
            let bound = of_counter.as_ref().unwrap_or(factor).bound()?;
            sum.checked_add(bound.checked_mul(MAX_MAGNITUDE.into())?)
        });
        terms.and_then(|terms| terms.checked_add(form.rest.bound()?))
    }

    /// The sum, difference, product or union of bits of two forms.
    fn combined(
        &mut self,
        name: OpName,
        x: &SubscriptForm,
        y: &SubscriptForm,
    ) -> Option<SubscriptForm> {
        match name {
            arith::ADDI => x.plus(y),
            arith::SUBI => x.minus(y),
            arith::MULI => x.product(y),
            arith::SHLI => x.times(&power_of(y.as_poly()?)?),
            arith::ORI => self.union(x, y).or_else(|| self.union(y, x)),
            _ => None,
        }
    }

    /// The union of bits of two numbers that share none, which is their sum: multiples of a power of two and a number
    /// below it, or numbers without the bit of a power of two and this power.
    ///
    /// ```text
    /// h · q | r = h · q + r     for 0 <= r < h            2h · q + r | h = 2h · q + r + h     for 0 <= r < h
    /// ```
    fn union(&mut self, x: &SubscriptForm, y: &SubscriptForm) -> Option<SubscriptForm> {
        let one = Poly::constant(1);
        let (power, low, unit) = match y.as_poly() {
            // The bit of a power.
            Some(power) => {
                let unit = power.times(&Poly::constant(2))?;
                let is_high = |factor: &Poly| factor.divided(&unit).is_some();
                let mut low = x.clone();
                low.terms.retain(|_, factor| !is_high(factor));
                if is_high(&low.rest) {
                    low.rest = Poly::default();
                }
                (power.clone(), low, unit)
            }
            None => {
                let power = self.most(y)?.plus(&one)?;
                let unit = power.clone();
                let mut factors = x.terms.values().chain([&x.rest]);
                { factors.all(|factor| factor.divided(&unit).is_some()) }.then_some(())?;
                (power, y.clone(), unit)
            }
        };
        let (least, most) = (self.least(&low)?, self.most(&low)?);
        // Divided by a monomial, the power is one as well.
        unit.divided(&unit)?;
        let below = power.minus(&one)?.minus(&most)?;
        let of_run = [
            RuntimeCondition::Positive(power.clone()),
            RuntimeCondition::PowerOfTwo(power),
        ];
        // What a run decides of a number that no subscript needs would be in the way of all others.
        let is_within = RuntimeCondition::Natural(least).is_given()
            && RuntimeCondition::Natural(below).is_given();
        let is_possible = of_run
            .iter()
            .all(|condition| condition.is_given() || condition.poly().as_constant().is_none());
        (is_within && is_possible).then_some(())?;
        self.conditions.extend(of_run);
        x.plus(y)
    }

    /// The form of an affine expression.
    pub(super) fn expr(
        &mut self,
        expr: AffineExpr,
        operands: &[Value],
        dims: usize,
    ) -> Option<SubscriptForm> {
        self.depth += 1;
        let found = match self.depth < MAX_DEPTH {
            true => self.form_of_expr(expr, operands, dims),
            false => None,
        };
        self.depth -= 1;
        found
    }

    fn form_of_expr(
        &mut self,
        expr: AffineExpr,
        operands: &[Value],
        dims: usize,
    ) -> Option<SubscriptForm> {
        match expr.kind(self.ctx) {
            AffineExprKind::Constant(number) => Some(SubscriptForm::of(Poly::constant(number))),
            AffineExprKind::Dim(at) => self.form(*operands.get(at as usize)?),
            AffineExprKind::Symbol(at) => self.form(*operands.get(dims + at as usize)?),
            AffineExprKind::Binary(op, left, right) => {
                let (x, y) = (
                    self.expr(left, operands, dims)?,
                    self.expr(right, operands, dims)?,
                );
                let found = match op {
                    AffineOp::Add => x.plus(&y),
                    AffineOp::Mul => x.product(&y),
                    _ => None,
                };
                found.filter(|form| self.fits(form))
            }
        }
    }
}

/// The power of two with a constant, a value, or a value and a constant as exponent.
pub(super) fn power_of(number: &Poly) -> Option<Poly> {
    let small = |by: i64| {
        u32::try_from(by)
            .ok()
            .filter(|&by| by < MAX_MAGNITUDE.ilog2())
    };
    if let Some(by) = number.as_constant() {
        return Some(Poly::constant(1 << small(by)?));
    }
    let mut atoms = number.atoms();
    let atom = atoms.next().filter(|_| atoms.next().is_none())?;
    let by = number.constant_term();
    let Atom::Value(value) = atom else {
        return None;
    };
    let is_sum = number.minus(&Poly::constant(by))? == Poly::atom(atom);
    is_sum.then_some(())?;
    Poly::atom(Atom::Power(value)).times(&Poly::constant(1 << small(by)?))
}
