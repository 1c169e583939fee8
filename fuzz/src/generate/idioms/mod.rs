//! Idioms: common program patterns, on arrays long enough that passes transform their loops. Folds,
//! argmin and argmax, extrema with their number, the two best, scans, segmented scans, histograms, triangular nests, matrix products, scattered sums, searches by
//! rows, eliminations, recurrences beside folds, linear recurrences and clamped sums, temporaries, coalesced loops, sequential steps, run-time sizes,
//! checkerboards, periodic neighbours, loops over tables of offsets, streams, runs, searches for an element, scatters, C's promoted arithmetic,
//! numbers that are loaded again and again, stages of run-time strides, pairs, filters in place, compressed rows,
//! swaps and updates of named elements, heads of open sizes, elements that branches update, stepped views and layout maps, scratch rows of open size, arrays of open sizes, linearized arrays, pipelined transfers, launches with barriers, vectors, and transfers of windows.
//!
//! What they compute is exact in every order: integers wrap around, floats only have their extrema taken.

mod carried;
mod checkers;
mod compactions;
mod elimination;
mod folds;
mod heads;
mod launches;
mod lengths;
mod linearized;
mod nests;
mod numbers;
mod opened;
mod pairs;
mod parts;
mod promoted;
mod records;
mod recurrence;
mod rings;
mod row_nests;
mod rows;
mod runs;
mod scatters;
mod scratch;
mod segments;
mod stepped;
mod steps;
mod streams;
mod strides;
mod tables;
mod tiles;
mod transfers;
mod vectors;
mod windows;

use super::{Generator, MemVar, Role};
use crate::affine::Expr;
use crate::program::{At, Bin, Block, Bound, Cast, Op, Step, Var};
use crate::types::{MemType, Scalar, Type};

/// Operations of integer folds.
const FOLDS: [Bin; 10] = [
    Bin::AddI,
    Bin::AddI,
    Bin::SubI,
    Bin::MulI,
    Bin::AndI,
    Bin::OrI,
    Bin::XorI,
    Bin::MaxSI,
    Bin::MinUI,
    Bin::MinSI,
];

/// Bounds and step of a loop, and the range of its counter.
struct Counter {
    affine: bool,
    lower: Bound,
    upper: Bound,
    step: Step,
    range: (i64, i64),
}

impl Generator {
    /// Emits one idiom, whose result goes to existing memory.
    pub(in crate::generate) fn idiom(&mut self) {
        let is_sink = |mem: &&MemVar| {
            let has_elements = !mem.sizes.is_empty() && mem.sizes.iter().all(|&size| size > 0);
            mem.writable && !mem.ty.is_unranked() && has_elements && mem.ty.element != Scalar::I1
        };
        let sinks: Vec<MemVar> = self.mems.iter().filter(is_sink).cloned().collect();
        if sinks.is_empty() {
            return;
        }
        let sink = self.random.pick(&sinks).clone();
        self.budget -= 1;
        let element = sink.ty.element;
        // Those of loops in general have less of the numbers than of what passes rest on them.
        let kind = match self.random.chance(30) {
            true => self.random.between(7, 28) as usize,
            false => self.random.below(172),
        };
        match kind {
            0..2 => self.best(&sink),
            2 => self.best_in_memory(&sink),
            3 => self.running_best(&sink),
            4..7 => self.segments(&sink),
            37..41 => self.stream(&sink),
            58..60 => self.picked(&sink),
            73..75 => self.best_of_rows(&sink),
            85..97 => self.linearized(&sink),
            97..109 => self.transfers(&sink),
            109..121 => self.launched(&sink),
            121..133 => self.vectors(&sink),
            133..143 => self.windows(&sink),
            143..149 => self.records(&sink),
            _ if element.is_float() => self.best(&sink),
            149..154 => self.heads(&sink),
            154..157 => self.branched(&sink),
            157..162 => self.stepped_view(&sink),
            162..168 => self.parts(&sink),
            168..172 => self.ring(&sink),
            7 => self.scattered_sums(&sink),
            8 => self.rows(&sink),
            9 => self.nearest(&sink),
            10..12 => self.fold(&sink),
            12 => self.scan(&sink),
            13 => self.histogram(&sink),
            14 => self.triangle(&sink),
            15 => self.product(&sink),
            16 => self.temporary(&sink),
            17 => self.collected(&sink),
            18..20 => self.solve(&sink),
            20 => self.coalesced(&sink),
            21 => self.stepped(&sink),
            22 => self.overrun(&sink),
            23 => self.wrapped(&sink),
            24 => self.crossed(&sink),
            25..27 => self.eliminate(&sink),
            27..29 => self.recur(&sink),
            29..33 => self.checkers(&sink),
            33..36 => self.table(&sink),
            36 | 82 => self.opened(&sink),
            41..45 => self.runs(&sink),
            45..47 => self.search(&sink),
            47..51 => self.scatters(&sink),
            51..55 => self.carried(&sink),
            55..57 => self.fed_back(&sink),
            60..63 => self.promoted(&sink),
            57 => self.shares(&sink),
            66..69 => self.lengths(&sink),
            69..73 => self.strides(&sink),
            75..78 => self.pairs(&sink),
            78..82 => self.compact(&sink),
            83..85 => self.scratch(&sink),
            _ => self.flat(&sink),
        }
    }

    /// Emits a loop with step 1; `draw` returns the yielded values.
    fn counted(
        &mut self,
        [lower, upper]: [Expr; 2],
        (low, high): (i64, i64),
        inits: &[Var],
        draw: impl FnOnce(&mut Self, Var, &[Var]) -> Vec<Var>,
    ) -> Vec<Var> {
        let counter = Counter {
            affine: true,
            lower: Bound::Affine(vec![lower]),
            upper: Bound::Affine(vec![upper]),
            step: Step::Known(1),
            range: (low, high),
        };
        self.looped(counter, inits, draw)
    }

    /// Emits a loop; `draw` returns the yielded values.
    fn looped(
        &mut self,
        counter: Counter,
        inits: &[Var],
        draw: impl FnOnce(&mut Self, Var, &[Var]) -> Vec<Var>,
    ) -> Vec<Var> {
        let types: Vec<Scalar> = inits
            .iter()
            .map(|&init| self.program.scalar(init))
            .collect();
        let (low, high) = counter.range;
        let role = match counter.affine {
            true => Role::Dim,
            false => Role::Plain,
        };
        let outer = self.trips;
        self.trips = outer.saturating_mul((high - low + 1).max(1));
        let (stmts, (iv, args, yields)) = self.nested(|this| {
            let iv = this.argument(Scalar::Index, role, low, high.max(low));
            let args: Vec<Var> = (types.iter())
                .map(|&ty| this.argument(ty, Role::Plain, i64::MIN, i64::MAX))
                .collect();
            let yields = draw(this, iv, &args);
            (iv, args, yields)
        });
        self.trips = outer;
        let op = Op::For {
            affine: counter.affine,
            iv,
            lower: counter.lower,
            upper: counter.upper,
            step: counter.step,
            carried: args.into_iter().zip(inits.iter().copied()).collect(),
            body: Block { stmts, yields },
        };
        let results = self.emit(op, types.into_iter().map(Type::Scalar).collect());
        self.add_to_scope(&results);
        results
    }

    /// Emits a loop of `scf` between constants, or an affine one.
    fn between(
        &mut self,
        affine: bool,
        [lower, upper, step]: [i64; 3],
        inits: &[Var],
        draw: impl FnOnce(&mut Self, Var, &[Var]) -> Vec<Var>,
    ) -> Vec<Var> {
        let counter = match affine {
            true => Counter {
                affine,
                lower: Bound::Affine(vec![Expr::Const(lower)]),
                upper: Bound::Affine(vec![Expr::Const(upper)]),
                step: Step::Known(step),
                range: (lower, upper - 1),
            },
            false => {
                let [from, to, by] = [lower, upper, step].map(|number| self.index(number));
                Counter {
                    affine,
                    lower: Bound::Value(from),
                    upper: Bound::Value(to),
                    step: Step::Value(by),
                    range: (lower, upper - 1),
                }
            }
        };
        self.looped(counter, inits, draw)
    }

    /// Emits a loop of `scf` between two values, whose counter is at most `most`.
    fn up_to(
        &mut self,
        [lower, upper]: [Var; 2],
        most: i64,
        inits: &[Var],
        draw: impl FnOnce(&mut Self, Var, &[Var]) -> Vec<Var>,
    ) -> Vec<Var> {
        let counter = Counter {
            affine: false,
            lower: Bound::Value(lower),
            upper: Bound::Value(upper),
            step: Step::Value(self.index(1)),
            range: (0, most),
        };
        self.looped(counter, inits, draw)
    }

    /// Emits an `scf.while` that carries an integer from 0 to `most`, which bounds its iterations, too, while an operation on it
    /// says so; `draw` returns the next one.
    fn while_carrying(
        &mut self,
        first: Var,
        most: i64,
        goes_on: impl FnOnce(Var) -> Op,
        draw: impl FnOnce(&mut Self, Var) -> Var,
    ) {
        let ty = self.program.scalar(first);
        let outer = self.trips;
        self.trips = outer.saturating_mul(most);
        let (before, (arg, cond)) = self.nested(|this| {
            let arg = this.argument(ty, Role::Plain, 0, i64::MAX);
            (arg, this.scalar(goes_on(arg), Scalar::I1))
        });
        let (after, (passed, next)) = self.nested(|this| {
            let passed = this.argument(ty, Role::Plain, 0, most);
            (passed, draw(this, passed))
        });
        self.trips = outer;
        let block = |stmts, value| Block {
            stmts,
            yields: vec![value],
        };
        let op = Op::While {
            carried: vec![(arg, first)],
            before: block(before, arg),
            cond,
            passed: vec![passed],
            after: block(after, next),
        };
        self.emit(op, vec![Type::Scalar(ty)]);
    }

    /// Emits a loop from 0 to a constant.
    fn times(
        &mut self,
        count: i64,
        inits: &[Var],
        draw: impl FnOnce(&mut Self, Var, &[Var]) -> Vec<Var>,
    ) -> Vec<Var> {
        let ends = [Expr::Const(0), Expr::Const(count)];
        self.counted(ends, (0, count - 1), inits, draw)
    }

    /// Emits a loop from a constant to another one, the latter half the time as an opaque value.
    fn counted_to(
        &mut self,
        [lower, count]: [i64; 2],
        inits: &[Var],
        draw: impl FnOnce(&mut Self, Var, &[Var]) -> Vec<Var>,
    ) -> Vec<Var> {
        let ends = [Expr::Const(lower), self.upper(count)];
        self.counted(ends, (lower, count - 1), inits, draw)
    }

    fn load_at(&mut self, mem: &MemVar, at: Vec<Expr>) -> Var {
        self.load_from(mem, At::Affine(at))
    }

    fn store_at(&mut self, value: Var, mem: &MemVar, at: Vec<Expr>) {
        self.store_to(value, mem, At::Affine(at));
    }

    fn load_from(&mut self, mem: &MemVar, at: At) -> Var {
        self.scalar(Op::Load { mem: mem.var, at }, mem.ty.element)
    }

    fn store_to(&mut self, value: Var, mem: &MemVar, at: At) {
        let mem = mem.var;
        self.emit(Op::Store { value, mem, at }, Vec::new());
    }

    fn bin(&mut self, op: Bin, left: Var, right: Var) -> Var {
        let ty = self.program.scalar(left);
        self.scalar(Op::Bin(op, left, right), ty)
    }

    /// A constant of an integer type.
    fn int(&mut self, ty: Scalar, value: i64) -> Var {
        self.scalar(Op::Const(value as u64 & ty.mask()), ty)
    }

    /// A value that differs between iterations, and repeats sometimes.
    fn scattered(&mut self, iv: Var, ty: Scalar) -> Var {
        let (factor, range) = (
            *self.random.pick(&[1, 3, 5, 7, -3]),
            *self.random.pick(&[3, 8, 31, 127]),
        );
        let at = Expr::Dim(iv).times(factor).plus(self.random.between(-9, 9));
        let at = Expr::Mod(Box::new(at), Box::new(Expr::Const(range)));
        let number = self.apply(at.plus(-range / 2));
        if ty == Scalar::Index {
            return number;
        }
        let word = match ty.is_float() {
            true => Scalar::I32,
            false => ty,
        };
        let word = self.scalar(Op::Cast(Cast::IndexCast, number), word);
        match ty.is_float() {
            true => self.scalar(Op::Cast(Cast::SIToFP, word), ty),
            false => word,
        }
    }

    /// Allocates an uninitialized array.
    fn fresh(&mut self, element: Scalar, sizes: &[i64]) -> MemVar {
        self.buffer(element, sizes, 0)
    }

    /// Allocates an array in a memory space.
    fn buffer(&mut self, element: Scalar, sizes: &[i64], space: u8) -> MemVar {
        let ty = MemType {
            space,
            ..MemType::of(element, sizes)
        };
        self.allocated(ty, sizes)
    }

    /// Allocates an array of a type of constant sizes.
    fn allocated(&mut self, ty: MemType, sizes: &[i64]) -> MemVar {
        let op = Op::Alloc {
            sizes: Vec::new(),
            stack: false,
        };
        let var = self.emit(op, vec![Type::MemRef(ty.clone())])[0];
        MemVar {
            var,
            ty,
            sizes: sizes.to_vec(),
            writable: true,
        }
    }

    /// Allocates an array with differing elements.
    fn long(&mut self, element: Scalar, sizes: &[i64]) -> MemVar {
        let mem = self.fresh(element, sizes);
        self.sweep_all(sizes, &mut Vec::new(), &mut |this, at| {
            let iv = at[at.len() - 1];
            let mut value = this.scattered(iv, element);
            if at.len() > 1 && !element.is_float() {
                let other = this.scattered(at[0], element);
                value = this.bin(Bin::XorI, value, other);
            }
            let at = at.iter().map(|&iv| Expr::Dim(iv)).collect();
            this.store_at(value, &mem, at);
        });
        mem
    }

    /// Emits a nest over all elements of an array of these sizes.
    fn sweep_all(
        &mut self,
        sizes: &[i64],
        ivs: &mut Vec<Var>,
        draw: &mut dyn FnMut(&mut Self, &[Var]),
    ) {
        let Some((&size, rest)) = sizes.split_first() else {
            return draw(self, ivs);
        };
        self.times(size, &[], |this, iv, _| {
            ivs.push(iv);
            this.sweep_all(rest, ivs, draw);
            ivs.pop();
            Vec::new()
        });
    }

    /// Stores a value to the first element of the sink, or combines the two.
    fn sink(&mut self, value: Var, sink: &MemVar) {
        let element = sink.ty.element;
        let value = self.converted(value, element);
        let at: Vec<Expr> = sink.sizes.iter().map(|_| Expr::Const(0)).collect();
        let mut value = value;
        if !element.is_float() && self.random.chance(50) {
            let before = self.load_at(sink, at.clone());
            value = self.bin(Bin::XorI, before, value);
        }
        self.store_at(value, sink, at);
    }

    /// Converts an integer, or a float of this type, to the type `to`.
    fn converted(&mut self, value: Var, to: Scalar) -> Var {
        let from = self.program.scalar(value);
        let cast = match (from, to) {
            _ if from == to => return value,
            (Scalar::Index, _) if !to.is_float() => Cast::IndexCast,
            (_, Scalar::Index) => Cast::IndexCast,
            (Scalar::Index, _) => {
                let word = self.scalar(Op::Cast(Cast::IndexCast, value), Scalar::I32);
                return self.converted(word, to);
            }
            _ if to.is_float() => Cast::SIToFP,
            _ if from.width() < to.width() => Cast::ExtSI,
            _ => Cast::TruncI,
        };
        self.scalar(Op::Cast(cast, value), to)
    }

    /// Emits a checksum that depends on every element of an array, in order.
    fn checksum(&mut self, mem: &MemVar, sink: &MemVar) {
        let element = mem.ty.element;
        let start = self.int(element, 1);
        let mut at = Vec::new();
        let sum = self.checksum_of(mem, &mut at, start);
        self.sink(sum, sink);
    }

    fn checksum_of(&mut self, mem: &MemVar, at: &mut Vec<Var>, sum: Var) -> Var {
        let size = mem.sizes[at.len()];
        let results = self.times(size, &[sum], |this, iv, args| {
            at.push(iv);
            let sum = match at.len() == mem.sizes.len() {
                false => this.checksum_of(mem, at, args[0]),
                true => {
                    let place = at.iter().map(|&iv| Expr::Dim(iv)).collect();
                    let value = this.load_at(mem, place);
                    let factor = this.int(mem.ty.element, 5);
                    let sum = this.bin(Bin::MulI, args[0], factor);
                    this.bin(Bin::AddI, sum, value)
                }
            };
            at.pop();
            vec![sum]
        });
        results[0]
    }

    /// Draws the length of an array for loops; some are longer than a workgroup has threads.
    fn length(&mut self) -> i64 {
        match self.random.chance(30) {
            true => self.random.between(257, 600),
            false => self.random.between(64, 150),
        }
    }

    /// A loop bound with this value, half the time as an opaque value.
    fn upper(&mut self, count: i64) -> Expr {
        match self.random.chance(50) {
            true => Expr::Dim(self.hidden(count, count)),
            false => Expr::Const(count),
        }
    }

    /// An index with this value, at most `most`, that was stored and loaded, so that analyses know
    /// nothing about it.
    pub(in crate::generate) fn hidden(&mut self, value: i64, most: i64) -> Var {
        let mem = self.fresh(Scalar::Index, &[1]);
        let known = self.index(value);
        self.store_at(known, &mem, vec![Expr::Const(0)]);
        let load = self.load_at(&mem, vec![Expr::Const(0)]);
        self.bound(load, 0, most);
        load
    }
}
