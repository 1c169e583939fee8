//! Generation of loops near the limits of 64-bit integers, where careless arithmetic on bounds and
//! counters wraps.

use super::control::Counter;
use super::{Generator, MemVar, Role};
use crate::affine::Expr;
use crate::program::{At, Bin, Block, Bound, Op, Step, Var};
use crate::types::Scalar;

impl Generator {
    /// Draws a loop near the limits of 64-bit integers.
    pub(super) fn extreme(&mut self) {
        let targets: Vec<MemVar> = self
            .mems
            .iter()
            .filter(|mem| {
                mem.writable && !mem.ty.is_unranked() && mem.sizes.len() == 1 && mem.sizes[0] >= 4
            })
            .cloned()
            .collect();
        if targets.is_empty() {
            return;
        }
        let mem = self.random.pick(&targets).clone();
        let wild = self.scalars.iter().find(|known| {
            known.ty == Scalar::Index
                && known.role == Role::Symbol
                && known.low == known.high
                && known.low.unsigned_abs() > 1 << 60
        });
        let (counter, place): (Counter, Box<dyn Fn(Expr) -> Expr>) = match wild.cloned() {
            Some(known) if self.random.chance(70) => self.around(known.var, known.low),
            _ => self.across(),
        };
        let outer = self.trips;
        self.trips = self.trips.saturating_mul(counter.trips);
        let mut iv = Var(0);
        let (stmts, ()) = self.nested(|this| {
            iv = this.argument(Scalar::Index, Role::Dim, counter.low, counter.high);
            let at = At::Affine(vec![place(Expr::Dim(iv))]);
            let ty = mem.ty.element;
            let value = this.value(ty, 1);
            let value = if this.random.chance(50) && !ty.is_float() {
                let old = this.scalar(
                    Op::Load {
                        mem: mem.var,
                        at: at.clone(),
                    },
                    ty,
                );
                this.scalar(Op::Bin(Bin::AddI, old, value), ty)
            } else {
                value
            };
            this.emit(
                Op::Store {
                    value,
                    mem: mem.var,
                    at,
                },
                Vec::new(),
            );
        });
        self.trips = outer;
        self.budget -= 1;
        let op = Op::For {
            affine: true,
            iv,
            lower: counter.lower,
            upper: counter.upper,
            step: Step::Known(counter.step),
            carried: Vec::new(),
            body: Block {
                stmts,
                yields: Vec::new(),
            },
        };
        self.emit(op, Vec::new());
    }

    /// A loop from one end of the integers towards the other in a few steps.
    fn across(&mut self) -> (Counter, Box<dyn Fn(Expr) -> Expr>) {
        let step = 1i64 << self.random.between(61, 62);
        let low = i64::MIN + self.random.between(0, 3);
        let high = *self.random.pick(&[i64::MAX, i64::MAX - 5, 0, 1 << 62]);
        let shift = 1i64 << (63 - step.trailing_zeros());
        let counter = Counter {
            lower: Bound::Affine(vec![Expr::Const(low)]),
            upper: Bound::Affine(vec![Expr::Const(high)]),
            step,
            low,
            high,
            trips: 8,
        };
        let place = move |iv| {
            let divided = Expr::FloorDiv(Box::new(iv), Box::new(Expr::Const(step)));
            Expr::Mod(Box::new(divided.plus(shift)), Box::new(Expr::Const(4)))
        };
        (counter, Box::new(place))
    }

    /// A loop of a few steps from a symbol of extreme value, plus an outer counter if there is one.
    fn around(&mut self, wild: Var, value: i64) -> (Counter, Box<dyn Fn(Expr) -> Expr>) {
        let outer = self
            .scalars
            .iter()
            .rev()
            .find(|known| known.role == Role::Dim && known.low == 0 && known.high < 16)
            .map(|known| known.var);
        let length = self.random.between(1, 4);
        let start = match outer {
            Some(outer) => Expr::Add(Box::new(Expr::Dim(outer)), Box::new(Expr::Sym(wild))),
            None => Expr::Sym(wild).plus(self.random.between(0, 1)),
        };
        let counter = Counter {
            lower: Bound::Affine(vec![start.clone()]),
            upper: Bound::Affine(vec![start.plus(length)]),
            step: 1,
            low: value.saturating_sub(1),
            high: value.saturating_add(20),
            trips: length,
        };
        let place = move |iv: Expr| {
            let mut at = Expr::Add(Box::new(iv), Box::new(Expr::Sym(wild).times(-1)));
            if let Some(outer) = outer {
                at = Expr::Add(Box::new(at), Box::new(Expr::Dim(outer).times(-1)));
            }
            at
        };
        (counter, Box::new(place))
    }
}
