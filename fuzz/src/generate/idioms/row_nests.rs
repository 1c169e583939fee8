//! Nests over linearized arrays: loops over rows and lengths, and subscripts of rows with guards where they are needed.

use super::linearized::{MOST, Rows};
use super::numbers::Number;
use super::{Counter, FOLDS};
use crate::affine::Expr;
use crate::generate::Generator;
use crate::program::{Bin, Block, Bound, Cond, IntPred, Op, Step, Var};
use crate::types::{Scalar, Type};

/// Elements of a guarded subscript that may be anything.
const GUARDED: i64 = 60;

/// Loops of a nest while it is drawn.
struct Loops {
    affine: bool,
    /// The upper bounds of all dimensions.
    ends: Vec<Number>,
    /// The counters so far.
    counters: Vec<Option<Number>>,
}

/// Test that an index is at least 0, below an extent, or both, or not much beyond.
struct Test {
    index: Number,
    extent: Number,
    sides: [Option<i64>; 2],
}

/// Subscript of an access, and what has to hold for it.
struct Place {
    array: usize,
    subscript: Number,
    tests: Vec<Test>,
    /// Whether the subscript has to be compared with the array's size.
    is_checked: bool,
}

impl Generator {
    /// Emits a nest.
    pub(super) fn row_nest(&mut self, rows: &mut Rows) {
        let rank = rows.lengths.len();
        let mut order: Vec<usize> = (0..rank).collect();
        if self.random.chance(20) {
            order.rotate_left(1);
        }
        let calls = rows.part.ranges.len();
        let ends = (0..rank).map(|dim| {
            let whole = match dim + 1 == rank && rows.is_in_part {
                true => rows.part.clone(),
                false => rows.lengths[dim].clone(),
            };
            let (op, by) = match self.random.below(20) {
                0 => (Bin::DivSI, 2),
                1..4 => (Bin::SubI, self.random.between(1, 2)),
                _ => return whole,
            };
            let by = self.fixed(by, calls);
            self.of_numbers(op, &whole, &by)
        });
        let ends = ends.collect();
        let mut loops = Loops {
            affine: self.random.chance(60),
            ends,
            counters: vec![None; rank],
        };
        self.row_loops(rows, &order, &mut loops);
    }

    fn row_loops(&mut self, rows: &mut Rows, order: &[usize], loops: &mut Loops) {
        let Some((&dim, inner)) = order.split_first() else {
            return self.row_body(rows, loops);
        };
        let end = loops.ends[dim].clone();
        let (lower, step) = (
            *self.random.pick(&[0, 0, 0, 0, 1, 2]),
            *self.random.pick(&[1, 1, 1, 1, 2, 4]),
        );
        let ranges: Vec<[i64; 2]> = { end.ranges.iter() }
            .map(|range| [lower, range[1] - 1])
            .collect();
        let affine = loops.affine;
        let counter = Counter {
            affine,
            lower: match affine {
                true => Bound::Affine(vec![Expr::Const(lower)]),
                false => Bound::Value(self.index(lower)),
            },
            upper: match affine {
                true => Bound::Affine(vec![Expr::Sym(end.var)]),
                false => Bound::Value(end.var),
            },
            step: match affine {
                true => Step::Known(step),
                false => Step::Value(self.index(step)),
            },
            range: (lower, end.reach()[1] - 1),
        };
        self.looped(counter, &[], |this, var, _| {
            loops.counters[dim] = Some(Number {
                var,
                ranges,
                expr: affine.then_some(Expr::Dim(var)),
            });
            this.row_loops(rows, inner, loops);
            Vec::new()
        });
    }

    /// Emits a store, mostly of what some elements combine to.
    fn row_body(&mut self, rows: &mut Rows, loops: &Loops) {
        let counters: Vec<Number> = loops.counters.iter().flatten().cloned().collect();
        let stored = self.row_place(rows, &counters);
        let element = rows.arrays[0].ty.element;
        let op = *self.random.pick(&FOLDS);
        let value = |this: &mut Self, rows: &mut Rows, live: &Place| {
            let mut value = this.converted(counters[0].var, element);
            for _ in 0..this.random.between(1, 2) {
                let mut place = this.row_place(rows, &counters);
                if this.random.chance(40) {
                    let again = live.subscript.clone();
                    (place.array, place.subscript) = (live.array, again);
                    (place.tests, place.is_checked) = (Vec::new(), false);
                }
                let loaded = this.guarded_row(rows, &place, Some(value), |this, rows| {
                    let mem = rows.arrays[place.array].clone();
                    Some(this.load_plain(&mem, &[place.subscript.var]))
                });
                if let Some(loaded) = loaded {
                    value = this.bin(op, value, loaded);
                }
            }
            value
        };
        self.guarded_row(rows, &stored, None, |this, rows| {
            let value = value(this, rows, &stored);
            let mem = rows.arrays[stored.array].clone();
            this.store_plain(value, &mem, &[stored.subscript.var]);
            None
        });
    }

    /// Emits a subscript of one of the arrays.
    fn row_place(&mut self, rows: &Rows, counters: &[Number]) -> Place {
        let array = self.random.below(2);
        let calls = rows.part.ranges.len();
        let mut dims: Vec<usize> = (0..rows.lengths.len()).collect();
        if self.random.chance(15) {
            // Another dimension has the role of the last one.
            dims.swap(0, 1);
        }
        let mut tests = Vec::new();
        let mut indices = Vec::new();
        for (role, &dim) in dims.iter().enumerate() {
            let extent = rows.lengths[dim].clone();
            let mut index = self.row_index(rows, &counters[dim], &extent, role == 0);
            let test = self.row_test(&mut index, &extent, calls);
            tests.extend(test);
            indices.push(index);
        }
        let is_expanded = self.random.chance(30);
        let mut subscript = indices[0].clone();
        for (at, &dim) in dims.iter().enumerate().skip(1) {
            let length = &rows.lengths[dim];
            if is_expanded {
                // i · (h · w) + j · w + k
                let product = { dims[at..].iter().skip(1) }
                    .fold(length.clone(), |product, &dim| {
                        self.of_numbers(Bin::MulI, &product, &rows.lengths[dim])
                    });
                let row = self.of_numbers(Bin::MulI, &indices[at - 1], &product);
                subscript = match at {
                    1 => row,
                    _ => self.of_numbers(Bin::AddI, &subscript, &row),
                };
                if at + 1 == dims.len() {
                    subscript = self.of_numbers(Bin::AddI, &subscript, &indices[at]);
                }
                continue;
            }
            subscript = self.of_numbers(Bin::MulI, &subscript, length);
            subscript = self.of_numbers(Bin::AddI, &subscript, &indices[at]);
        }
        if rows.has_offset[array] && self.random.chance(85) {
            subscript = self.of_numbers(Bin::AddI, &subscript, &rows.offset);
        }
        let is_checked = (0..calls).any(|call| {
            let [low, high] = subscript.ranges[call];
            subscript.is_in(call) && (low < 0 || high >= MOST)
        });
        if is_checked {
            subscript.clip(|_| [0, GUARDED - 1]);
        }
        subscript.expr = None;
        Place {
            array,
            subscript,
            tests,
            is_checked,
        }
    }

    /// Emits an index along a dimension: mostly the counter, or one beside it.
    fn row_index(
        &mut self,
        rows: &Rows,
        counter: &Number,
        extent: &Number,
        is_row: bool,
    ) -> Number {
        let calls = counter.ranges.len();
        match self.random.below(20) {
            0..4 => {
                let by = *self.random.pick(&[-2, -1, -1, 1, 1, 2]);
                let by = self.fixed(by, calls);
                self.of_numbers(Bin::AddI, counter, &by)
            }
            4 => {
                let one = self.fixed(1, calls);
                let last = self.of_numbers(Bin::SubI, extent, &one);
                self.of_numbers(Bin::SubI, &last, counter)
            }
            5 => {
                let (two, more) = (self.fixed(2, calls), self.random.between(0, 1));
                let twice = self.of_numbers(Bin::MulI, counter, &two);
                let more = self.fixed(more, calls);
                self.of_numbers(Bin::AddI, &twice, &more)
            }
            6 => {
                let (op, by) =
                    *self
                        .random
                        .pick(&[(Bin::DivSI, 2), (Bin::RemSI, 2), (Bin::RemSI, 3)]);
                let by = self.fixed(by, calls);
                self.of_numbers(op, counter, &by)
            }
            7 => {
                let two = self.fixed(2, calls);
                let half = self.of_numbers(Bin::DivSI, extent, &two);
                self.of_numbers(Bin::AddI, counter, &half)
            }
            8 | 9 if is_row => {
                let seven = self.index(rows.list.sizes[0] - 1);
                let at = self.bin(Bin::AndI, counter.var, seven);
                let loaded = self.load_plain(&rows.list, &[at]);
                Number {
                    var: self.converted(loaded, Scalar::Index),
                    ranges: { counter.ranges.iter() }
                        .map(|range| if range[0] <= range[1] { [0, 3] } else { [1, 0] })
                        .collect(),
                    expr: None,
                }
            }
            _ => counter.clone(),
        }
    }

    /// Draws the test of an index against its dimension, mostly where it needs one.
    fn row_test(&mut self, index: &mut Number, extent: &Number, calls: usize) -> Option<Test> {
        let is_needed = (0..calls).any(|call| {
            let [low, high] = index.ranges[call];
            index.is_in(call) && (low < 0 || high >= extent.ranges[call][0])
        });
        if !self.random.chance(if is_needed { 75 } else { 8 }) {
            return None;
        }
        let mut side = || match self.random.below(20) {
            0..2 => None,
            2..7 => Some(1),
            _ => Some(0),
        };
        let sides = [side(), side()];
        let test = Test {
            index: index.clone(),
            extent: extent.clone(),
            sides,
        };
        index.clip(|call| {
            let last = extent.ranges[call][1].saturating_sub(1);
            [
                sides[0].map_or(i64::MIN, |beyond| -beyond),
                sides[1].map_or(i64::MAX, |beyond| last.saturating_add(beyond)),
            ]
        });
        Some(test)
    }

    /// Emits what is done at a place, under its tests.
    fn guarded_row(
        &mut self,
        rows: &mut Rows,
        place: &Place,
        otherwise: Option<Var>,
        draw: impl FnOnce(&mut Self, &mut Rows) -> Option<Var>,
    ) -> Option<Var> {
        for (call, needed) in rows.needed[place.array].iter_mut().enumerate() {
            if place.subscript.is_in(call) {
                *needed = (*needed).max(place.subscript.ranges[call][1] + 1);
            }
        }
        let Some((cond, is_negated)) = self.row_condition(place) else {
            return draw(self, rows);
        };
        let block = |stmts, value: Option<Var>| Block {
            stmts,
            yields: value.into_iter().collect(),
        };
        let (stmts, value) = self.nested(|this| draw(this, rows));
        let types = value.map(|value| Type::Scalar(self.program.scalar(value)));
        let inside = block(stmts, value);
        let outside = otherwise.map(|value| match self.random.chance(30) {
            true => {
                let (stmts, value) = self.nested(|this| this.load_beyond(rows, place, value));
                block(stmts, Some(value))
            }
            false => block(Vec::new(), Some(value)),
        });
        let (then, otherwise) = match is_negated {
            true => (outside.unwrap_or_default(), Some(inside)),
            false => (inside, outside),
        };
        let op = Op::If {
            cond,
            then,
            otherwise,
        };
        let results = self.emit(op, types.into_iter().collect());
        self.add_to_scope(&results);
        results.first().copied()
    }

    /// Emits a load at the subscript of a place whose tests fail, if the array has such an element.
    fn load_beyond(&mut self, rows: &mut Rows, place: &Place, otherwise: Var) -> Var {
        let needed = &mut rows.needed[place.array];
        needed
            .iter_mut()
            .for_each(|needed| *needed = (*needed).max(GUARDED));
        let (mem, subscript) = (rows.arrays[place.array].clone(), place.subscript.var);
        let most = self.index(GUARDED);
        let inside = self.row_compared(IntPred::Ult, subscript, most, false);
        self.masked(inside, &[otherwise], |this| {
            vec![this.load_plain(&mem, &[subscript])]
        })[0]
    }

    /// Emits the condition of a place: a set where it is affine, or comparisons; and whether it is the opposite one.
    fn row_condition(&mut self, place: &Place) -> Option<(Cond, bool)> {
        let is_affine =
            !place.is_checked && place.tests.iter().all(|test| test.index.expr.is_some());
        if !place.tests.is_empty() && is_affine && self.random.chance(50) {
            let set = { place.tests.iter() }
                .flat_map(Test::set)
                .collect::<Vec<(Expr, bool)>>();
            return (!set.is_empty()).then_some((Cond::Set(set), false));
        }
        let is_negated = self.random.chance(15);
        let mut all = Vec::new();
        for test in &place.tests {
            let [low, high] = test.sides;
            if let Some(beyond) = low {
                let pred = *self.random.pick(&[IntPred::Sge, IntPred::Sgt]);
                let least = self.index(-beyond - i64::from(pred == IntPred::Sgt));
                all.push(self.row_compared(pred, test.index.var, least, is_negated));
            }
            if let Some(beyond) = high {
                let pred = if beyond > 0 {
                    IntPred::Sle
                } else {
                    IntPred::Slt
                };
                all.push(self.row_compared(pred, test.index.var, test.extent.var, is_negated));
            }
        }
        if place.is_checked {
            let most = self.index(GUARDED);
            all.push(self.row_compared(IntPred::Ult, place.subscript.var, most, is_negated));
        }
        let op = if is_negated { Bin::OrI } else { Bin::AndI };
        let all = { all.into_iter() }.reduce(|left, right| self.bin(op, left, right));
        all.map(|all| (Cond::Value(all), is_negated))
    }

    /// Emits a comparison, or its opposite, with either number first.
    fn row_compared(&mut self, pred: IntPred, left: Var, right: Var, is_negated: bool) -> Var {
        let pred = match (pred, is_negated) {
            (IntPred::Sge, true) => IntPred::Slt,
            (IntPred::Sgt, true) => IntPred::Sle,
            (IntPred::Slt, true) => IntPred::Sge,
            (IntPred::Sle, true) => IntPred::Sgt,
            (IntPred::Ult, true) => IntPred::Uge,
            (pred, _) => pred,
        };
        let turned = match pred {
            IntPred::Sge => IntPred::Sle,
            IntPred::Sgt => IntPred::Slt,
            IntPred::Slt => IntPred::Sgt,
            IntPred::Sle => IntPred::Sge,
            _ => pred,
        };
        let op = match turned != pred && self.random.chance(30) {
            true => Op::CmpI(turned, right, left),
            false => Op::CmpI(pred, left, right),
        };
        self.scalar(op, Scalar::I1)
    }
}

impl Test {
    /// The test as constraints of an integer set, if the index is affine.
    fn set(&self) -> Vec<(Expr, bool)> {
        let [low, high] = self.sides;
        let Some(index) = &self.index.expr else {
            return Vec::new();
        };
        let low = low.map(|beyond| index.clone().plus(beyond));
        let high = high.map(|beyond| {
            let extent = Expr::Sym(self.extent.var);
            let left = Expr::Add(Box::new(index.clone().times(-1)), Box::new(extent));
            left.plus(beyond - 1)
        });
        { low.into_iter().chain(high) }
            .map(|expr| (expr, false))
            .collect()
    }
}
