//! Loops, conditions and branches.

use super::{Generator, MAX_DEPTH, MAX_TRIPS, Role};
use crate::affine::Expr;
use crate::program::{Bin, Block, Bound, Cond, IntPred, Op, Step, Var};
use crate::types::{Scalar, Type};

/// A counter's bounds with the range of its values.
struct Counter {
    lower: Bound,
    upper: Bound,
    step: i64,
    low: i64,
    high: i64,
    trips: i64,
}

impl Generator {
    /// Draws some statements, most of them loops while there is room.
    pub(super) fn statements(&mut self, count: usize) {
        for _ in 0..count {
            self.statement();
        }
    }

    fn statement(&mut self) {
        let may_nest = self.budget > 0 && self.depth < MAX_DEPTH && self.trips < MAX_TRIPS;
        match self.random.below(34) {
            28.. if may_nest && self.depth < 2 => self.sweep(),
            0..9 if may_nest => self.affine_for(),
            9..12 if may_nest => self.affine_parallel(),
            12 if may_nest => self.scf_for(),
            13 if may_nest => self.affine_if(),
            14 if may_nest => self.scf_if(),
            15 if may_nest => self.scf_while(),
            16 if may_nest => self.scf_parallel(),
            17 if may_nest && self.depth == 0 => self.branch(),
            18 if may_nest && self.depth == 0 => self.cycle(),
            19 if may_nest => self.extreme(),
            20..22 => self.view(),
            22 => self.allocation(),
            23..25 if !self.callees.is_empty() => self.call(),
            _ => self.store(),
        }
    }

    /// A nest that computes each element of an array for itself, as programs for GPUs do.
    fn sweep(&mut self) {
        let whole = |mem: &&super::MemVar| {
            mem.writable && !mem.ty.is_unranked() && (1..=2).contains(&mem.sizes.len())
        };
        let targets: Vec<super::MemVar> = self.mems.iter().filter(whole).cloned().collect();
        if targets.is_empty() {
            return;
        }
        let mem = self.random.pick(&targets).clone();
        self.budget -= 1;
        let outer = self.trips;
        self.trips = self
            .trips
            .saturating_mul(mem.sizes.iter().product::<i64>().max(1));
        let mut ivs = Vec::new();
        let (stmts, ()) = self.nested(|this| {
            for &size in &mem.sizes {
                ivs.push(this.argument(Scalar::Index, Role::Dim, 0, (size - 1).max(0)));
            }
            let at: Vec<Expr> = ivs.iter().map(|&iv| Expr::Dim(iv)).collect();
            let value = this.value(mem.ty.element, 3);
            this.emit(
                Op::Store {
                    value,
                    mem: mem.var,
                    at: crate::program::At::Affine(at),
                },
                Vec::new(),
            );
        });
        self.trips = outer;
        let mut body = Block {
            stmts,
            yields: Vec::new(),
        };
        for (&iv, &size) in ivs.iter().zip(&mem.sizes).rev() {
            let op = Op::For {
                affine: true,
                iv,
                lower: Bound::Affine(vec![Expr::Const(0)]),
                upper: Bound::Affine(vec![Expr::Const(size)]),
                step: Step::Known(1),
                carried: Vec::new(),
                body,
            };
            let stmt = self.program.stmt(Vec::new(), op);
            body = Block {
                stmts: vec![stmt],
                yields: Vec::new(),
            };
        }
        self.out.extend(body.stmts);
    }

    /// The body of a loop or branch.
    fn body(&mut self) {
        self.budget -= 1;
        let count = 1 + self.random.below(2) + usize::from(self.depth < 2);
        self.statements(count);
        self.store();
    }

    /// The values of a scope, as a bound of a loop: an outer counter, a size, a symbol or a number.
    fn affine_bound(&mut self, near: i64) -> Expr {
        let mut expr = match self.random.below(10) {
            0..6 => Expr::Const(near),
            6..8 => self.expr(0),
            8 => self.expr(1),
            _ => self.expr(0).plus(near),
        };
        let (low, high) = self.range(&expr);
        // What is far away makes no loop, or one that does not end.
        if high - low > i128::from(self.extent) * 2 || (low - i128::from(near)).abs() > 40 {
            expr = Expr::Const(near);
        }
        expr
    }

    fn counter(&mut self) -> Counter {
        let start = *self.random.pick(&[0, 0, 0, 0, 1, 2, -3]);
        let length = *self.random.pick(&[
            self.extent,
            self.extent,
            self.extent,
            self.extent - 1,
            4,
            3,
            2,
            1,
            0,
        ]);
        let side = |this: &mut Self, near: i64| {
            let count = 1 + usize::from(this.random.chance(15));
            (0..count)
                .map(|_| this.affine_bound(near))
                .collect::<Vec<Expr>>()
        };
        let lower = side(self, start);
        let mut upper = side(self, start + length);
        if self.random.chance(8) {
            // At most one iteration.
            upper = lower
                .iter()
                .take(1)
                .cloned()
                .map(|expr| expr.plus(1))
                .collect();
            upper.push(self.affine_bound(start + length));
        }
        let range = |this: &Self, exprs: &[Expr], greatest: bool| {
            let ranges: Vec<(i128, i128)> = exprs.iter().map(|expr| this.range(expr)).collect();
            let lows = ranges.iter().map(|range| range.0);
            let highs = ranges.iter().map(|range| range.1);
            match greatest {
                true => (lows.max().unwrap_or(0), highs.max().unwrap_or(0)),
                false => (lows.min().unwrap_or(0), highs.min().unwrap_or(0)),
            }
        };
        let ((low, _), (_, high)) = (range(self, &lower, true), range(self, &upper, false));
        let step = *self.random.pick(&[1, 1, 1, 1, 2, 3]);
        let clamp = |value: i128| value.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        Counter {
            lower: Bound::Affine(lower),
            upper: Bound::Affine(upper),
            step,
            low: clamp(low),
            high: clamp((high - 1).max(low)),
            trips: clamp((high - low).max(1)) / step + 1,
        }
    }

    /// Types of what a loop or branch yields.
    fn yielded(&mut self, percent: usize) -> Vec<Scalar> {
        let count = if self.random.chance(percent) {
            1 + self.random.below(2)
        } else {
            0
        };
        (0..count).map(|_| self.any_scalar()).collect()
    }

    fn yields(&mut self, types: &[Scalar]) -> Vec<Var> {
        types.iter().map(|&ty| self.value(ty, 1)).collect()
    }

    fn loop_body(&mut self, trips: i64, types: &[Scalar], open: impl FnOnce(&mut Self)) -> Block {
        let outer = self.trips;
        self.trips = self.trips.saturating_mul(trips.max(1));
        let (stmts, yields) = self.nested(|this| {
            open(this);
            this.body();
            this.yields(types)
        });
        self.trips = outer;
        Block { stmts, yields }
    }

    fn affine_for(&mut self) {
        let counter = self.counter();
        let types = self.yielded(20);
        let inits = self.yields(&types);
        let mut iv = Var(0);
        let mut args = Vec::new();
        let body = self.loop_body(counter.trips, &types, |this| {
            iv = this.argument(Scalar::Index, Role::Dim, counter.low, counter.high);
            args = types
                .iter()
                .map(|&ty| this.argument(ty, Role::Plain, i64::MIN, i64::MAX))
                .collect();
        });
        let op = Op::For {
            affine: true,
            iv,
            lower: counter.lower,
            upper: counter.upper,
            step: Step::Known(counter.step),
            carried: args.into_iter().zip(inits).collect(),
            body,
        };
        let results = self.emit(op, types.into_iter().map(Type::Scalar).collect());
        self.add_to_scope(&results);
    }

    fn scf_for(&mut self) {
        let (low, high) = (
            self.random.between(-1, 2),
            self.random.between(0, self.extent),
        );
        let (lower, upper) = (self.index(low), self.index(high));
        let step = self.random.between(1, 2);
        let by = self.index(step);
        let types = self.yielded(30);
        let inits = self.yields(&types);
        let (mut iv, mut args) = (Var(0), Vec::new());
        let body = self.loop_body((high - low) / step + 1, &types, |this| {
            iv = this.argument(Scalar::Index, Role::Plain, low, (high - 1).max(low));
            args = types
                .iter()
                .map(|&ty| this.argument(ty, Role::Plain, i64::MIN, i64::MAX))
                .collect();
        });
        let op = Op::For {
            affine: false,
            iv,
            lower: Bound::Value(lower),
            upper: Bound::Value(upper),
            step: Step::Value(by),
            carried: args.into_iter().zip(inits).collect(),
            body,
        };
        let results = self.emit(op, types.into_iter().map(Type::Scalar).collect());
        self.add_to_scope(&results);
    }

    fn affine_parallel(&mut self) {
        let rank = 1 + self.random.below(2);
        let counters: Vec<Counter> = (0..rank).map(|_| self.counter()).collect();
        let trips = counters.iter().map(|counter| counter.trips).product();
        let ty = self.any_scalar();
        // MLIR reduces by signed and unsigned extrema only what is of a signed or unsigned type.
        let choices: &[Bin] = if ty.is_float() {
            &[Bin::MaximumF, Bin::MinimumF]
        } else {
            &[Bin::AddI, Bin::MulI, Bin::OrI, Bin::AndI]
        };
        let reductions = if ty != Scalar::Index && self.random.chance(20) {
            vec![*self.random.pick(choices)]
        } else {
            Vec::new()
        };
        let types = vec![ty; reductions.len()];
        let outer = self.parallel.clone();
        let mut ivs = Vec::new();
        let body = self.loop_body(trips, &types, |this| {
            for counter in &counters {
                ivs.push(this.argument(Scalar::Index, Role::Dim, counter.low, counter.high));
            }
            this.parallel.extend(&ivs);
        });
        self.parallel = outer;
        let (mut lower, mut upper, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        for counter in counters {
            lower.push(counter.lower);
            upper.push(counter.upper);
            steps.push(Step::Known(counter.step));
        }
        let op = Op::Parallel {
            affine: true,
            ivs,
            lower,
            upper,
            steps,
            reductions,
            body,
        };
        let results = self.emit(op, types.into_iter().map(Type::Scalar).collect());
        self.add_to_scope(&results);
    }

    fn scf_parallel(&mut self) {
        let high = self.random.between(0, self.extent);
        let [lower, upper, step] = [0, high, 1].map(|value| self.index(value));
        let outer = self.parallel.clone();
        let mut iv = Var(0);
        let body = self.loop_body(high, &[], |this| {
            iv = this.argument(Scalar::Index, Role::Plain, 0, (high - 1).max(0));
            this.parallel.push(iv);
        });
        self.parallel = outer;
        let op = Op::Parallel {
            affine: false,
            ivs: vec![iv],
            lower: vec![Bound::Value(lower)],
            upper: vec![Bound::Value(upper)],
            steps: vec![Step::Value(step)],
            reductions: Vec::new(),
            body,
        };
        self.emit(op, Vec::new());
    }

    fn branches(&mut self, types: &[Scalar], always: bool) -> (Block, Option<Block>) {
        let draw = |this: &mut Self| this.loop_body(1, types, |_| ());
        let then = draw(self);
        let other = always || !types.is_empty() || self.random.chance(40);
        (then, other.then(|| draw(self)))
    }

    fn affine_if(&mut self) {
        let count = 1 + usize::from(self.random.chance(25));
        let mut list = Vec::new();
        for _ in 0..count {
            let expr = self.expr(1);
            let (low, high) = self.range(&expr);
            let middle = i64::try_from((low + high) / 2).unwrap_or(0);
            let threshold = middle.saturating_add(self.random.between(-2, 2));
            let expr = expr.plus(threshold.checked_neg().unwrap_or(0));
            list.push((expr, self.random.chance(20)));
        }
        let types = self.yielded(20);
        let (then, otherwise) = self.branches(&types, false);
        let op = Op::If {
            cond: Cond::Set(list),
            then,
            otherwise,
        };
        let results = self.emit(op, types.into_iter().map(Type::Scalar).collect());
        self.add_to_scope(&results);
    }

    fn scf_if(&mut self) {
        let cond = self.value(Scalar::I1, 2);
        let types = self.yielded(25);
        let (then, otherwise) = self.branches(&types, false);
        let op = Op::If {
            cond: Cond::Value(cond),
            then,
            otherwise,
        };
        let results = self.emit(op, types.into_iter().map(Type::Scalar).collect());
        self.add_to_scope(&results);
    }

    fn branch(&mut self) {
        let cond = self.value(Scalar::I1, 2);
        let types = self.yielded(40);
        let (then, otherwise) = self.branches(&types, true);
        let op = Op::Branch {
            cond,
            then,
            otherwise: otherwise.unwrap_or_default(),
        };
        let results = self.emit(op, types.into_iter().map(Type::Scalar).collect());
        self.add_to_scope(&results);
    }

    /// A loop that counts a carried index up to a limit: its test and the rest of it.
    fn counting(&mut self) -> (Vec<Scalar>, Vec<Var>, i64) {
        let types: Vec<Scalar> = std::iter::once(Scalar::Index)
            .chain(self.yielded(60))
            .collect();
        let mut inits = vec![self.index(0)];
        for &ty in &types[1..] {
            inits.push(self.value(ty, 1));
        }
        (types, inits, self.random.between(0, self.extent))
    }

    fn limit_test(&mut self, counter: Var, limit: i64) -> Var {
        let limit = self.index(limit);
        self.scalar(Op::CmpI(IntPred::Slt, counter, limit), Scalar::I1)
    }

    /// The body of a counting loop, which yields the next count first.
    fn counting_body(&mut self, types: &[Scalar], limit: i64, role: Role) -> (Block, Vec<Var>) {
        let outer = self.trips;
        self.trips = self.trips.saturating_mul(limit.max(1));
        let mut args = Vec::new();
        let (stmts, yields) = self.nested(|this| {
            args.push(this.argument(Scalar::Index, role, 0, (limit - 1).max(0)));
            for &ty in &types[1..] {
                args.push(this.argument(ty, Role::Plain, i64::MIN, i64::MAX));
            }
            this.body();
            let one = this.index(1);
            let next = this.scalar(Op::Bin(Bin::AddI, args[0], one), Scalar::Index);
            let rest = this.yields(&types[1..]);
            [&[next], &rest[..]].concat()
        });
        self.trips = outer;
        (Block { stmts, yields }, args)
    }

    fn scf_while(&mut self) {
        let (types, inits, limit) = self.counting();
        let mut args = Vec::new();
        let (stmts, cond) = self.nested(|this| {
            for &ty in &types {
                args.push(this.argument(ty, Role::Plain, i64::MIN, i64::MAX));
            }
            this.limit_test(args[0], limit)
        });
        let before = Block {
            stmts,
            yields: args.clone(),
        };
        let (after, passed) = self.counting_body(&types, limit, Role::Plain);
        let op = Op::While {
            carried: args.into_iter().zip(inits).collect(),
            before,
            cond,
            passed,
            after,
        };
        let results = self.emit(op, types.into_iter().map(Type::Scalar).collect());
        self.add_to_scope(&results);
    }

    /// A loop of branches. Its blocks belong to the function, so the counter is a symbol in them.
    fn cycle(&mut self) {
        let (types, inits, limit) = self.counting();
        let (body, args) = self.counting_body(&types, limit, Role::Symbol);
        let (stmts, cond) = self.nested(|this| this.limit_test(args[0], limit));
        let op = Op::Cycle {
            carried: args.into_iter().zip(inits).collect(),
            head: Block {
                stmts,
                yields: Vec::new(),
            },
            cond,
            body,
        };
        let results = self.emit(op, types.into_iter().map(Type::Scalar).collect());
        self.add_to_scope(&results);
    }

    /// A loop at the ends of the 64-bit integers.
    fn extreme(&mut self) {
        let targets: Vec<super::MemVar> = self
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
            let at = crate::program::At::Affine(vec![place(Expr::Dim(iv))]);
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

    /// From one end of the integers towards the other in a few steps.
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

    /// A few steps from a symbol of an extreme value on, plus an outer counter where there is one.
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
