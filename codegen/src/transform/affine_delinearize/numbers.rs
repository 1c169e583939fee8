//! Numbers of a function: index values as polynomials in loop counters and numbers that arguments give.

use std::collections::{BTreeSet, HashMap};

use gridloom_dialects::affine::{self, ApplyOp};
use gridloom_dialects::arith;
use gridloom_dialects::scf;
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::{AffineExpr, Body, Context, OpId, Value};

use crate::analysis::counter::counters;
use crate::transform::argument_versions::is_computed_from_arguments;
use crate::transform::polynomial::{Atom, BOUND, MAX_MAGNITUDE, Poly};

/// Depth limit of the walk through values and expressions.
pub(super) const MAX_DEPTH: usize = 64;

/// Magnitude of signed integers of at most 32 bits.
const NARROW: i128 = 1 << 31;

/// The bounds of a loop counter: all of the lower ones hold, and all of the upper ones, which are exclusive.
#[derive(Clone, Default)]
pub(super) struct CounterBounds {
    pub(super) lower: Vec<Poly>,
    pub(super) upper: Vec<Poly>,
}

/// What an integer is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A loop counter.
    Counter(OpId),
    /// The quotient of a number and a positive constant, rounded towards zero.
    Quotient(Value, i64),
    /// The rest of such a division, of the sign of the number.
    Remainder(Value, i64),
    /// Computed from arguments at the top of the function.
    Given,
    /// A signed integer of at most 32 bits.
    Narrow,
    Unknown,
}

/// Cache of the numbers of one body.
pub(super) struct Numbers<'a> {
    pub(super) ctx: &'a Context,
    pub(super) body: &'a Body,
    polys: HashMap<Value, Poly>,
    kinds: HashMap<Value, Kind>,
    bounds: HashMap<Value, CounterBounds>,
    depth: usize,
    /// The numbers from arguments whose magnitude something rests on.
    pub(super) limited: BTreeSet<Value>,
}

impl<'a> Numbers<'a> {
    pub(super) fn new(ctx: &'a Context, body: &'a Body) -> Self {
        Numbers {
            ctx,
            body,
            polys: HashMap::new(),
            kinds: HashMap::new(),
            bounds: HashMap::new(),
            depth: 0,
            limited: BTreeSet::new(),
        }
    }

    /// An index value as a polynomial, equal to it modulo 2^64.
    pub(super) fn poly(&mut self, value: Value) -> Poly {
        if let Some(known) = self.polys.get(&value) {
            return known.clone();
        }
        let atom = Poly::atom(Atom::Value(value));
        // Recursion guard: in unreachable code a value may use itself.
        self.polys.insert(value, atom.clone());
        self.depth += 1;
        let found = match self.depth < MAX_DEPTH {
            true => self.computed(value),
            false => None,
        };
        self.depth -= 1;
        let found = found.unwrap_or(atom);
        self.polys.insert(value, found.clone());
        found
    }

    fn computed(&mut self, value: Value) -> Option<Poly> {
        let (ctx, body) = (self.ctx, self.body);
        body.ty(value).is_index(ctx).then_some(())?;
        if let Some(number) = arith::constant_int(ctx, body, value) {
            return Some(Poly::constant(number));
        }
        let op = body.defining_op(value)?;
        if body[op].name == affine::APPLY {
            let map = ApplyOp(op).map(ctx, body);
            let dims = map.num_dims(ctx);
            return self.expr(*map.results(ctx).first()?, &body[op].operands, dims);
        }
        let &[left, right] = &body[op].operands[..] else {
            return None;
        };
        match body[op].name {
            arith::ADDI => self.poly(left).plus(&self.poly(right)),
            arith::SUBI => self.poly(left).minus(&self.poly(right)),
            arith::MULI => self.poly(left).times(&self.poly(right)),
            _ => None,
        }
    }

    /// An affine expression of operands as a polynomial; [`None`] for one that divides.
    pub(super) fn expr(
        &mut self,
        expr: AffineExpr,
        operands: &[Value],
        dims: usize,
    ) -> Option<Poly> {
        self.depth += 1;
        let found = match self.depth < MAX_DEPTH {
            true => self.poly_of_expr(expr, operands, dims),
            false => None,
        };
        self.depth -= 1;
        found
    }

    fn poly_of_expr(&mut self, expr: AffineExpr, operands: &[Value], dims: usize) -> Option<Poly> {
        match expr.kind(self.ctx) {
            AffineExprKind::Constant(number) => Some(Poly::constant(number)),
            AffineExprKind::Dim(at) => Some(self.poly(*operands.get(at as usize)?)),
            AffineExprKind::Symbol(at) => Some(self.poly(*operands.get(dims + at as usize)?)),
            AffineExprKind::Binary(op, left, right) => {
                let left = self.expr(left, operands, dims)?;
                let right = self.expr(right, operands, dims)?;
                match op {
                    AffineOp::Add => left.plus(&right),
                    AffineOp::Mul => left.times(&right),
                    _ => None,
                }
            }
        }
    }

    pub(super) fn kind(&mut self, value: Value) -> Kind {
        if let Some(&known) = self.kinds.get(&value) {
            return known;
        }
        let found = self.find_kind(value);
        self.kinds.insert(value, found);
        found
    }

    fn find_kind(&self, value: Value) -> Kind {
        let (ctx, body) = (self.ctx, self.body);
        if !body.ty(value).is_index(ctx) {
            return Kind::Unknown;
        }
        if is_computed_from_arguments(body, value) {
            return Kind::Given;
        }
        if let Some(op) = body.defining_op(value) {
            let source = body[op].operands.first();
            let width = source.and_then(|&source| body.ty(source).signless_width(ctx));
            let divisor = { body[op].operands.get(1) }
                .and_then(|&divisor| arith::constant_int(ctx, body, divisor))
                .filter(|&divisor| divisor > 0);
            return match (body[op].name, source, divisor) {
                (arith::INDEX_CAST, ..) if width.is_some_and(|width| width <= 32) => Kind::Narrow,
                (arith::DIVSI, Some(&number), Some(by)) => Kind::Quotient(number, by),
                (arith::REMSI, Some(&number), Some(by)) => Kind::Remainder(number, by),
                _ => Kind::Unknown,
            };
        }
        let Some(op) = body
            .value_block(value)
            .and_then(|block| body.block_parent_op(block))
        else {
            return Kind::Unknown;
        };
        let is_counter = match body[op].name {
            scf::FOR => {
                let l = scf::ForOp(op);
                l.induction_var(body) == value && !l.is_unsigned(ctx, body)
            }
            _ => counters(body, op).any(|counter| counter.induction_var(body) == value),
        };
        match is_counter {
            true => Kind::Counter(op),
            false => Kind::Unknown,
        }
    }

    /// Whether all atoms of a polynomial are numbers that arguments give.
    pub(super) fn is_given(&mut self, poly: &Poly) -> bool {
        let mut atoms = poly.atoms();
        atoms.all(|atom| matches!(atom, Atom::Value(value) if self.kind(value) == Kind::Given))
    }

    /// Whether the given numbers in a polynomial are computed in front of an operation.
    pub(super) fn is_defined_at(&self, poly: &Poly, op: OpId) -> bool {
        let body = self.body;
        let top = std::iter::once(op).chain(body.ancestors(op)).last();
        poly.atoms().all(|atom| match atom {
            Atom::Value(value) => {
                let def = body.defining_op(value);
                // What is computed further inside is what the operation used itself.
                let def = def.filter(|&def| body.parent_op(def).is_none());
                def.is_none_or(|def| {
                    let mut behind = std::iter::successors(top, |&op| body[op].next());
                    !behind.any(|op| op == def)
                })
            }
            Atom::Power(_) => false,
        })
    }

    /// Whether a polynomial of given numbers and its intermediate results fit 64 bits, within the limits that the run tests.
    pub(super) fn is_exact(&mut self, poly: &Poly) -> bool {
        self.is_given(poly) && self.magnitude(poly).is_some_and(|most| most < BOUND)
    }

    /// Upper bound of the magnitude of a polynomial wherever it is computed; [`None`] where that is not known.
    pub(super) fn magnitude(&mut self, poly: &Poly) -> Option<i128> {
        poly.bound_by(|atom| match atom {
            Atom::Value(value) => self.magnitude_of(value),
            Atom::Power(_) => None,
        })
    }

    fn magnitude_of(&mut self, value: Value) -> Option<i128> {
        match self.kind(value) {
            Kind::Given => {
                self.limited.insert(value);
                Some(MAX_MAGNITUDE.into())
            }
            Kind::Narrow => Some(NARROW),
            Kind::Remainder(_, by) => Some(by.into()),
            Kind::Quotient(number, _) => {
                self.depth += 1;
                let poly = (self.depth < MAX_DEPTH).then(|| self.poly(number));
                let found = poly.and_then(|poly| self.magnitude(&poly));
                self.depth -= 1;
                found
            }
            Kind::Counter(op) => {
                let bounds = self.counter_bounds(value, op);
                let mut least = |polys: &[Poly]| {
                    let each = polys.iter().filter_map(|poly| self.magnitude(poly));
                    each.min()
                };
                Some(least(&bounds.lower)?.max(least(&bounds.upper)?))
            }
            Kind::Unknown => None,
        }
    }

    /// The bounds of a counter that the machine computes without wrapping around.
    pub(super) fn counter_bounds(&mut self, counter: Value, op: OpId) -> CounterBounds {
        if let Some(known) = self.bounds.get(&counter) {
            return known.clone();
        }
        self.bounds.insert(counter, CounterBounds::default());
        self.depth += 1;
        let mut found = match self.depth < MAX_DEPTH {
            true => self.bounds_of(counter, op).unwrap_or_default(),
            false => CounterBounds::default(),
        };
        self.depth -= 1;
        let mut is_exact = |poly: &Poly| self.magnitude(poly).is_some_and(|most| most < BOUND);
        found.lower.retain(&mut is_exact);
        found.upper.retain(&mut is_exact);
        self.bounds.insert(counter, found.clone());
        found
    }

    fn bounds_of(&mut self, counter: Value, op: OpId) -> Option<CounterBounds> {
        let (ctx, body) = (self.ctx, self.body);
        if body[op].name == scf::FOR {
            let l = scf::ForOp(op);
            return Some(CounterBounds {
                lower: self.sides(l.lower(body), arith::MAXSI),
                upper: self.sides(l.upper(body), arith::MINSI),
            });
        }
        let counter = counters(body, op).find(|other| other.induction_var(body) == counter)?;
        let mut polys = |bound: affine::Bound| {
            let dims = bound.map.num_dims(ctx);
            let results = bound.map.results(ctx).iter();
            let polys = results.filter_map(|&result| self.expr(result, bound.operands, dims));
            polys.collect::<Vec<Poly>>()
        };
        Some(CounterBounds {
            lower: polys(counter.lower(ctx, body)),
            upper: polys(counter.upper(ctx, body)),
        })
    }

    /// The operands of an extremum, or the value.
    fn sides(&mut self, value: Value, extremum: gridloom_ir::OpName) -> Vec<Poly> {
        let body = self.body;
        let op = body
            .defining_op(value)
            .filter(|&op| body[op].name == extremum);
        let own = [value];
        let sides = op.map_or(&own[..], |op| &body[op].operands);
        sides.iter().map(|&side| self.poly(side)).collect()
    }

    /// The factors of numbers in a polynomial that differ between iterations, of those that depend on sizes.
    pub(super) fn open_factors(&mut self, poly: &Poly) -> Vec<Poly> {
        let mut found = Vec::new();
        for atom in poly.atoms().collect::<BTreeSet<Atom>>() {
            let is_given = matches!(atom, Atom::Value(value) if self.kind(value) == Kind::Given);
            let factor = poly.split(atom).map(|[factor, _]| factor);
            let factor = factor.filter(|factor| !is_given && factor.as_constant().is_none());
            found.extend(factor.filter(|factor| self.is_given(factor)));
        }
        found
    }
}
