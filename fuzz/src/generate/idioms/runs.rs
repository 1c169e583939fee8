//! Idioms of runs and searches: loops that carry a place to store at, the value and length of a run, and a sum, in
//! branches or without; and loops that end where they find an element.

use super::FOLDS;
use super::folds::CHUNKED;
use crate::affine::Expr;
use crate::generate::{Generator, MemVar, Role};
use crate::program::{Bin, Block, Cast, Cond, FloatPred, IntPred, Op, Var};
use crate::types::{Scalar, Type};

/// Trip count from which a scan of unknown length has several chunks.
const SEVERAL_CHUNKS: i64 = 1 << 11;

/// Length from which a search has blocks.
const SEARCHED: i64 = 1 << 13;

/// When an iteration stores, and advances the place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Store {
    /// Where a run ends, in a branch.
    InBranch,
    /// In every iteration, to be overwritten unless the place advances.
    Always,
}

/// Loop over runs.
struct Runs {
    store: Store,
    /// Whether a run ends where an element differs from the one before, else where it compares with a number.
    differs: bool,
    /// Whether the branch where a run goes on is the first one.
    is_inverted: bool,
    number: Var,
    fold: Bin,
    /// Whether prefixes of the fold are stored.
    scans: Option<MemVar>,
    /// Bins that are counted in.
    bins: Option<MemVar>,
    values: MemVar,
    lengths: MemVar,
}

impl Generator {
    /// Emits a loop over the runs of an array of integers that is read again and again.
    pub(super) fn runs(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let period = self.random.between(30, 90);
        let (count, upper) = match self.random.below(10) {
            0..2 => (period, self.upper(period)),
            2..8 => {
                let most = SEVERAL_CHUNKS + 300;
                let count = self.random.between(SEVERAL_CHUNKS - 900, most);
                (count, Expr::Dim(self.hidden(count, count)))
            }
            _ => (CHUNKED + period, Expr::Const(CHUNKED + period)),
        };
        let from = self.long(element, &[period]);
        let runs = self.draw_runs(element, count);
        let first = match self.random.chance(30) {
            true => self.load_at(&from, vec![Expr::Const(0)]),
            false => self.int(element, 3),
        };
        let (zero, start) = (self.index(0), self.value(element, 0));
        let one = self.int(element, 1);
        let inits = [zero, first, one, start];
        let ends = [Expr::Const(0), upper];
        let pitch = self.random.between(1, 5);
        let results = self.counted(ends, (0, count - 1), &inits, |this, iv, args| {
            let place = Expr::FloorDiv(Box::new(Expr::Dim(iv)), Box::new(Expr::Const(pitch)));
            let at = Expr::Mod(Box::new(place), Box::new(Expr::Const(period)));
            let x = this.load_at(&from, vec![at]);
            this.run_step(&runs, iv, args, x)
        });
        for array in [&runs.values, &runs.lengths] {
            let at = self.random.between(0, 40.min(count));
            let value = self.load_at(array, vec![Expr::Const(at)]);
            self.sink(value, sink);
        }
        let last = self.load_plain(&runs.values, &[results[0]]);
        for value in [last, results[0], results[1], results[2], results[3]] {
            self.sink(value, sink);
        }
        if let Some(bins) = &runs.bins {
            self.checksum(bins, sink);
        }
        if let Some(scans) = &runs.scans {
            let at = self.random.between(0, count - 1);
            let value = self.load_at(scans, vec![Expr::Const(at)]);
            self.sink(value, sink);
        }
    }

    fn draw_runs(&mut self, element: Scalar, count: i64) -> Runs {
        // One element more: the place is behind all that are stored.
        let filled = |this: &mut Self, count: i64| {
            let array = this.fresh(element, &[count]);
            let none = this.int(element, 0);
            this.times(count, &[], |this, iv, _| {
                this.store_at(none, &array, vec![Expr::Dim(iv)]);
                Vec::new()
            });
            array
        };
        let has_scans = self.random.chance(30).then_some(count);
        let has_bins = self.random.chance(40).then_some(4);
        Runs {
            store: *self
                .random
                .pick(&[Store::InBranch, Store::InBranch, Store::Always]),
            differs: self.random.chance(60),
            is_inverted: self.random.chance(50),
            number: self.int(element, 1),
            fold: *self.random.pick(&FOLDS),
            scans: has_scans.map(|count| filled(self, count)),
            bins: has_bins.map(|count| filled(self, count)),
            values: filled(self, count + 1),
            lengths: filled(self, count + 1),
        }
    }

    /// Emits an iteration, which carries the place, the element before, the length of the run and a fold.
    fn run_step(&mut self, runs: &Runs, iv: Var, args: &[Var], x: Var) -> Vec<Var> {
        let element = self.program.scalar(x);
        let &[place, last, length, sum] = args else {
            return args.to_vec();
        };
        if let Some(bins) = &runs.bins {
            self.count_bin(bins, x);
        }
        let folded = self.bin(runs.fold, sum, x);
        if let Some(scans) = &runs.scans {
            self.store_at(folded, scans, vec![Expr::Dim(iv)]);
        }
        let other = if runs.differs { last } else { runs.number };
        let pred = if runs.is_inverted {
            IntPred::Eq
        } else {
            IntPred::Ne
        };
        let test = self.compared(element, (FloatPred::Oeq, pred), [x, other]);
        let (one, step) = (self.int(element, 1), self.index(1));
        if runs.store == Store::Always {
            self.store_plain(x, &runs.values, &[place]);
        }
        let end = |this: &mut Self| {
            if runs.store == Store::InBranch {
                this.store_plain(last, &runs.values, &[place]);
                this.store_plain(length, &runs.lengths, &[place]);
            }
            let next = this.bin(Bin::AddI, place, step);
            vec![next, x, one]
        };
        let go_on = |this: &mut Self| vec![place, x, this.bin(Bin::AddI, length, one)];
        let types = [Scalar::Index, element, element].map(Type::Scalar).to_vec();
        let (first, second) = match runs.is_inverted {
            true => (self.nested(go_on), self.nested(end)),
            false => {
                let end = self.nested(end);
                (end, self.nested(go_on))
            }
        };
        let [then, otherwise] = [first, second].map(|(stmts, yields)| Block { stmts, yields });
        let op = Op::If {
            cond: Cond::Value(test),
            then,
            otherwise: Some(otherwise),
        };
        let next = self.emit(op, types);
        vec![next[0], next[1], next[2], folded]
    }

    /// Emits an increment of one of four bins.
    fn count_bin(&mut self, bins: &MemVar, x: Var) {
        let element = self.program.scalar(x);
        let mask = self.int(element, 3);
        let bin = self.bin(Bin::AndI, x, mask);
        let at = match element {
            Scalar::Index => bin,
            _ => {
                // Numbers of two bits would be negative.
                let word = self.converted(bin, Scalar::I64);
                let three = self.int(Scalar::I64, 3);
                let word = self.bin(Bin::AndI, word, three);
                self.scalar(Op::Cast(Cast::IndexCast, word), Scalar::Index)
            }
        };
        let before = self.load_plain(bins, &[at]);
        let one = self.int(element, 1);
        let after = self.bin(Bin::AddI, before, one);
        self.store_plain(after, bins, &[at]);
    }

    /// Emits a loop that ends at an element, or at the end of the array: of the sink, which may be an argument and
    /// so hold something everywhere, or of a long array.
    pub(super) fn search(&mut self, sink: &MemVar) {
        let (array, key) = match sink.sizes[..] {
            [size] => {
                let at = self.random.between(0, size - 1);
                let key = match self.random.chance(70) {
                    true => self.load_at(sink, vec![Expr::Const(at)]),
                    false => self.int(sink.ty.element, 77),
                };
                (sink.clone(), key)
            }
            _ => self.long_searched(),
        };
        let (element, count) = (array.ty.element, array.sizes[0]);
        let (step, zero) = (self.random.between(1, 3), self.index(0));
        let end = self.hidden(count, count);
        let from = self.random.between(0, 5);
        let (from, by) = (self.index(from), self.index(step));
        let types = [Scalar::Index, Scalar::Index];
        let mut args = Vec::new();
        let (stmts, cond) = self.nested(|this| {
            args = types
                .iter()
                .map(|&ty| this.argument(ty, Role::Plain, i64::MIN, i64::MAX))
                .collect();
            let more = this.scalar(Op::CmpI(IntPred::Slt, args[0], end), Scalar::I1);
            let no = this.scalar(Op::Const(0), Scalar::I1);
            let array = array.clone();
            let at = args[0];
            this.masked(more, &[no], |this| {
                let x = this.load_plain(&array, &[at]);
                vec![this.compared(element, (FloatPred::Une, IntPred::Ne), [x, key])]
            })[0]
        });
        let mut passed = Vec::new();
        let (body, yields) = self.nested(|this| {
            passed = types
                .iter()
                .map(|&ty| this.argument(ty, Role::Plain, i64::MIN, i64::MAX))
                .collect();
            let next = this.bin(Bin::AddI, passed[0], by);
            let down = this.bin(Bin::SubI, passed[1], by);
            vec![next, down]
        });
        let op = Op::While {
            carried: args.iter().copied().zip([from, zero]).collect(),
            before: Block {
                stmts,
                yields: args,
            },
            cond,
            passed,
            after: Block {
                stmts: body,
                yields,
            },
        };
        let results = self.emit(op, types.map(Type::Scalar).to_vec());
        for value in results {
            self.sink(value, sink);
        }
    }
    /// Emits a long array of equal elements but for one, and what that is.
    fn long_searched(&mut self) -> (MemVar, Var) {
        let count = SEARCHED + self.random.between(0, 300);
        let array = self.fresh(Scalar::I32, &[count]);
        let (found, key) = (
            self.random.between(0, count + 500),
            self.int(Scalar::I32, 77),
        );
        let none = self.int(Scalar::I32, 5);
        self.times(count, &[], |this, iv, _| {
            this.store_at(none, &array, vec![Expr::Dim(iv)]);
            Vec::new()
        });
        if found < count {
            self.store_at(key, &array, vec![Expr::Const(found)]);
        }
        (array, key)
    }
}
