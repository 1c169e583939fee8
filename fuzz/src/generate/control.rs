//! Generation of loops, conditions and branches.

use super::{Generator, MAX_DEPTH, MAX_TRIPS, Role};
use crate::affine::Expr;
use crate::program::{Bin, Block, Bound, Cond, IntPred, Op, Step, Var};
use crate::types::{Scalar, Type};

/// Bounds of a counter, with the range of its values.
pub(super) struct Counter {
    pub(super) lower: Bound,
    pub(super) upper: Bound,
    pub(super) step: i64,
    pub(super) low: i64,
    pub(super) high: i64,
    pub(super) trips: i64,
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
        match self.random.below(39) {
            36.. if may_nest && self.depth == 0 => self.idiom(),
            28..30 if may_nest && self.depth < 2 => self.masked_sweep(),
            30.. if may_nest && self.depth < 2 => self.sweep(),
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
            25 => self.masked_move(),
            _ => self.store(),
        }
    }

    /// Draws a nest that computes each element of an array independently, as GPU programs do.
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

    /// Draws an affine loop bound: an outer counter, a size, a symbol or a number.
    fn affine_bound(&mut self, near: i64) -> Expr {
        let mut expr = match self.random.below(10) {
            0..6 => Expr::Const(near),
            6..8 => self.expr(0),
            8 => self.expr(1),
            _ => self.expr(0).plus(near),
        };
        let (low, high) = self.range(&expr);
        // A distant bound gives an empty loop, or one that never ends.
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

    /// Draws the result types of a loop or branch.
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

    /// Creates block arguments of these types, of unknown values.
    fn plain_arguments(&mut self, types: &[Scalar]) -> Vec<Var> {
        types
            .iter()
            .map(|&ty| self.argument(ty, Role::Plain, i64::MIN, i64::MAX))
            .collect()
    }

    /// Adds a loop or branch whose results have these types, and brings them into scope.
    fn emit_yielding(&mut self, op: Op, types: Vec<Scalar>) {
        let results = self.emit(op, types.into_iter().map(Type::Scalar).collect());
        self.add_to_scope(&results);
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
            args = this.plain_arguments(&types);
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
        self.emit_yielding(op, types);
    }

    fn scf_for(&mut self) {
        let (low, high) = (
            self.random.between(-1, 2),
            self.random.between(0, self.extent),
        );
        let (lower, mut upper) = (self.index(low), self.index(high));
        if self.random.chance(25) {
            // A negative number is large as an unsigned one.
            let other = self.random.between(-2, self.extent);
            let other = self.hidden(other, self.extent);
            upper = self.scalar(Op::Bin(Bin::MinUI, upper, other), Scalar::Index);
            self.bound(upper, 0, high);
        }
        let step = self.random.between(1, 2);
        let by = self.index(step);
        let types = self.yielded(30);
        let inits = self.yields(&types);
        let (mut iv, mut args) = (Var(0), Vec::new());
        let body = self.loop_body((high - low) / step + 1, &types, |this| {
            iv = this.argument(Scalar::Index, Role::Plain, low, (high - 1).max(low));
            args = this.plain_arguments(&types);
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
        self.emit_yielding(op, types);
    }

    fn affine_parallel(&mut self) {
        let rank = 1 + self.random.below(2);
        let counters: Vec<Counter> = (0..rank).map(|_| self.counter()).collect();
        let trips = counters.iter().map(|counter| counter.trips).product();
        let ty = self.any_scalar();
        // MLIR's signed and unsigned reductions require signed and unsigned types.
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
        self.emit_yielding(op, types);
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

    /// Draws an `if` with this condition, with results in `percent` cases of a hundred.
    fn conditional(&mut self, cond: Cond, percent: usize) {
        let types = self.yielded(percent);
        let (then, otherwise) = self.branches(&types, false);
        let op = Op::If {
            cond,
            then,
            otherwise,
        };
        self.emit_yielding(op, types);
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
        self.conditional(Cond::Set(list), 20);
    }

    fn scf_if(&mut self) {
        let cond = self.value(Scalar::I1, 2);
        self.conditional(Cond::Value(cond), 25);
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
        self.emit_yielding(op, types);
    }

    /// Draws a loop that counts a carried index up to a limit.
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
            args.extend(this.plain_arguments(&types[1..]));
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
            args = this.plain_arguments(&types);
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
        self.emit_yielding(op, types);
    }

    /// Draws a loop of branches. Its blocks belong to the function, so the counter is a symbol in
    /// them.
    fn cycle(&mut self) {
        let (types, inits, limit) = self.counting();
        let (body, args) = self.counting_body(&types, limit, Role::Symbol);
        let until = self.random.chance(40);
        let (stmts, cond) = self.nested(|this| {
            let goes_on = this.limit_test(args[0], limit);
            match until {
                false => goes_on,
                true => {
                    let yes = this.scalar(Op::Const(1), Scalar::I1);
                    this.scalar(Op::Bin(Bin::XorI, goes_on, yes), Scalar::I1)
                }
            }
        });
        let op = Op::Cycle {
            carried: args.into_iter().zip(inits).collect(),
            head: Block {
                stmts,
                yields: Vec::new(),
            },
            cond,
            until,
            body,
        };
        self.emit_yielding(op, types);
    }
}
