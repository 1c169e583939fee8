//! Subscripts of a band: the forms of what its operations compute.

use gridloom_dialects::{affine, arith};
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::op::Traits;
use gridloom_ir::{AffineExpr, OpId, OpName, Value};

use super::band::{Band, RuntimeCondition};
use super::form::{Atom, Poly, SubscriptForm, Variable};
use crate::analysis::load_store::is_load;

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
        let found = self.looked_through(value).filter(SubscriptForm::fits);
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
        let is_simple = |form: &SubscriptForm| form.rest.degree() <= 1 && form.fits();
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
        if let Some(Some((first, divisor))) = self.digits.get(&left).cloned()
            && self.divided_by(op, right) == Some(divisor.clone())
        {
            let is_quotient = matches!(
                body[op].name,
                arith::DIVUI | arith::DIVSI | arith::FLOORDIVSI | arith::SHRUI | arith::SHRSI
            );
            if body[op].name == arith::ANDI {
                self.conditions.push(RuntimeCondition::PowerOfTwo(divisor));
            }
            let level = Variable::Level(first + usize::from(!is_quotient));
            return Some(SubscriptForm {
                terms: [(level, Poly::constant(1))].into(),
                rest: Poly::default(),
            });
        }
        let (x, y) = (self.form(left)?, self.form(right)?);
        match body[op].name {
            arith::SHLI => {
                let by = y.as_poly()?.clone();
                x.times(&power_of(&by)?)
            }
            name => combined(name, &x, &y),
        }
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

    /// The form of an integer as an index: of one that is computed in narrow integers, where no number
    /// within the limit of forms wraps around.
    fn cast_form(&mut self, value: Value) -> Option<SubscriptForm> {
        let width = self.body.ty(value).signless_width(self.ctx)?;
        let form = self.narrow_form(value)?;
        (self.is_outside(value) || form.fits_signed(width)).then_some(form)
    }

    /// The form of an integer that is not of `index` type, modulo its range.
    fn narrow_form(&mut self, value: Value) -> Option<SubscriptForm> {
        if let Some(known) = self.narrow.get(&value) {
            return known.clone();
        }
        self.narrow.insert(value, None);
        let found = self.computed_narrow_form(value);
        let found = found.filter(SubscriptForm::fits);
        self.narrow.insert(value, found.clone());
        found
    }

    fn computed_narrow_form(&mut self, value: Value) -> Option<SubscriptForm> {
        let (ctx, body) = (self.ctx, self.body);
        if let Some(number) = arith::constant_int(ctx, body, value) {
            return Some(SubscriptForm::of(Poly::constant(number)));
        }
        if self.is_outside(value) {
            return Some(SubscriptForm::of(Poly::atom(Atom::Value(value))));
        }
        let op = body.defining_op(value)?;
        if let Some(known) = self.loaded_in_front(op) {
            return Some(SubscriptForm::of(Poly::atom(Atom::Value(known))));
        }
        let data = &body[op];
        if data.name == arith::INDEX_CAST {
            let operand = data.operands[0];
            return body.ty(operand).is_index(ctx).then(|| self.form(operand))?;
        }
        if !matches!(data.name, arith::ADDI | arith::SUBI | arith::MULI) {
            return None;
        }
        let &[left, right] = &data.operands[..] else {
            return None;
        };
        self.depth += 1;
        let forms = match self.depth < MAX_DEPTH {
            true => self.narrow_form(left).zip(self.narrow_form(right)),
            false => None,
        };
        self.depth -= 1;
        let (x, y) = forms?;
        combined(data.name, &x, &y)
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
                found.filter(SubscriptForm::fits)
            }
        }
    }
}

/// The sum, difference or product of two forms.
fn combined(name: OpName, x: &SubscriptForm, y: &SubscriptForm) -> Option<SubscriptForm> {
    match name {
        arith::ADDI => x.plus(y),
        arith::SUBI => x.minus(y),
        arith::MULI => x.product(y),
        _ => None,
    }
}

/// The power of two with a constant or a value as exponent.
pub(super) fn power_of(number: &Poly) -> Option<Poly> {
    if let Some(by) = number.as_constant() {
        let by = u32::try_from(by).ok().filter(|&by| by < 28)?;
        return Some(Poly::constant(1 << by));
    }
    let mut atoms = number.atoms();
    let atom = atoms.next().filter(|_| atoms.next().is_none())?;
    match atom {
        Atom::Value(value) if *number == Poly::atom(atom) => Some(Poly::atom(Atom::Power(value))),
        _ => None,
    }
}
