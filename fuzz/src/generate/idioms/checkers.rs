//! Idiom of checkerboards: a nest updates the elements of one colour, from neighbours that sometimes lie behind the
//! other end of the row.

use super::{Counter, FOLDS};
use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{Bin, Block, Bound, Cond, IntPred, Op, Step, Var};
use crate::types::Scalar;

/// How a nest leaves the other colours out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// An integer set.
    Set,
    /// The lower bound and the step of rows.
    Start,
    /// The same with values of `arith`.
    Values,
    /// A comparison of bits of the counters.
    Bits,
}

/// Checkerboard of several colours.
struct Board {
    form: Form,
    /// Elements that the nest updates, and those of neighbours, mostly the same ones.
    own: MemVar,
    other: MemVar,
    rows: i64,
    columns: i64,
    colours: i64,
    /// The number of an element's colour, before the remainder: factors of row and column, and an offset.
    factors: [i64; 2],
    offset: i64,
    /// Where rows begin, the step of their loop, and whether they go round.
    first: i64,
    step: i64,
    is_periodic: bool,
    op: Bin,
}

impl Generator {
    /// Emits updates of one colour, or of all colours in turn.
    pub(super) fn checkers(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let (rows, is_long) = (self.random.between(5, 8), self.random.chance(50));
        let columns = match is_long {
            true => self.random.between(37, 44),
            false => self.random.between(7, 13),
        };
        let own = self.long(element, &[rows, columns]);
        let other = match self.random.chance(60) {
            true => own.clone(),
            false => self.long(element, &[rows, columns]),
        };
        let is_periodic = self.random.chance(50);
        let board = Board {
            form: *self.random.pick(&[
                Form::Set,
                Form::Set,
                Form::Start,
                Form::Start,
                Form::Values,
                Form::Bits,
            ]),
            own,
            other,
            rows,
            columns,
            colours: *self.random.pick(&[2, 2, 2, 3, 3, 4, 5]),
            factors: [
                *self.random.pick(&[1, 1, 1, 2, -1, 3, 0]),
                *self.random.pick(&[1, 1, 1, 2, -1, 3]),
            ],
            offset: self.random.between(-5, 5),
            first: if is_periodic { 0 } else { 1 },
            step: *self.random.pick(&[1, 1, 1, 2]),
            is_periodic,
            op: *self.random.pick(&FOLDS),
        };
        let turns = match self.random.chance(50) {
            // Sometimes there is no element of the last colour.
            true => Some(board.colours + self.random.between(-1, 1)),
            false => None,
        };
        match turns {
            Some(turns) => {
                self.times(turns, &[], |this, colour, _| {
                    this.colour(&board, Some(colour));
                    Vec::new()
                });
            }
            None => self.colour(&board, None),
        }
        self.checksum(&board.own, sink);
    }

    /// Emits the nest of one colour.
    fn colour(&mut self, board: &Board, colour: Option<Var>) {
        let affine = match board.form {
            Form::Set | Form::Start => true,
            Form::Values => false,
            Form::Bits => self.random.chance(50),
        };
        let rest = self.random.between(0, board.colours);
        let rows = [1, board.rows - 1, 1];
        self.between(affine, rows, &[], |this, i, _| {
            match board.form {
                Form::Set => this.row_of_set(board, i, colour, rest),
                Form::Start => this.row_from_start(board, i, colour, rest),
                Form::Values => this.row_of_values(board, i, colour, rest),
                Form::Bits => this.row_of_bits(board, affine, i, colour),
            }
            Vec::new()
        });
    }

    /// The columns of a row, with this step.
    fn columns(board: &Board, step: i64) -> [i64; 3] {
        let end = match board.is_periodic {
            true => board.columns,
            false => board.columns - 1,
        };
        [board.first, end, step]
    }

    /// Emits a row in which an integer set leaves the other colours out.
    fn row_of_set(&mut self, board: &Board, i: Var, colour: Option<Var>, rest: i64) {
        let [by_row, by_column] = board.factors;
        let is_inequality = self.random.chance(25);
        let (is_beside, has_else) = (self.random.chance(12), self.random.chance(12));
        let also = self.random.chance(15);
        let columns = Self::columns(board, board.step);
        self.between(true, columns, &[], |this, j, _| {
            let number = sum(Expr::Dim(i).times(by_row), Expr::Dim(j).times(by_column));
            let number = number.plus(board.offset);
            let left = Expr::Mod(Box::new(number), Box::new(Expr::Const(board.colours)));
            let first = match (is_inequality, colour) {
                (true, _) if rest == 0 => (left.times(-1), false),
                (true, _) => (left.plus(-rest), false),
                (false, Some(colour)) => (sum(left, Expr::Dim(colour).times(-1)), true),
                (false, None) => (left.plus(-rest), true),
            };
            let mut set = vec![first];
            if also {
                set.push((Expr::Dim(j).plus(-3), false));
            }
            let (stmts, ()) = this.nested(|this| this.update_element(board, i, j));
            let block = |stmts| Block {
                stmts,
                yields: Vec::new(),
            };
            let otherwise = has_else.then(|| {
                let (stmts, ()) = this.nested(|this| this.touch(board, i, j));
                block(stmts)
            });
            let op = Op::If {
                cond: Cond::Set(set),
                then: block(stmts),
                otherwise,
            };
            this.emit(op, Vec::new());
            if is_beside {
                this.touch(board, i, j);
            }
            Vec::new()
        });
    }

    /// Emits `own[i, j] ^= 9`.
    fn touch(&mut self, board: &Board, i: Var, j: Var) {
        let nine = self.int(board.own.ty.element, 9);
        let value = self.load_plain(&board.own, &[i, j]);
        let value = self.bin(Bin::XorI, value, nine);
        self.store_plain(value, &board.own, &[i, j]);
    }

    /// Emits a row that begins at a residue of its number, and has the colours as its step.
    fn row_from_start(&mut self, board: &Board, i: Var, colour: Option<Var>, rest: i64) {
        let mut number = Expr::Dim(i).times(board.factors[0]).plus(rest);
        if let Some(colour) = colour {
            number = sum(number, Expr::Dim(colour));
        }
        let start = Expr::Mod(Box::new(number), Box::new(Expr::Const(board.colours)));
        let start = match self.random.below(6) {
            0..2 => start.times(-1).plus(board.first + board.colours - 1),
            2 => start.times(2).plus(board.first),
            _ => start.plus(board.first),
        };
        let step = match self.random.chance(80) {
            true => board.colours,
            false => board.step + 1,
        };
        let [first, end, _] = Self::columns(board, step);
        let counter = Counter {
            affine: true,
            lower: Bound::Affine(vec![start]),
            upper: Bound::Affine(vec![Expr::Const(end)]),
            step: Step::Known(step),
            range: (first, end - 1),
        };
        self.looped(counter, &[], |this, j, _| {
            this.update_element(board, i, j);
            Vec::new()
        });
    }

    /// Emits the same with values of `arith`.
    fn row_of_values(&mut self, board: &Board, i: Var, colour: Option<Var>, rest: i64) {
        let rest = self.index(rest + board.colours);
        let mut number = self.bin(Bin::AddI, i, rest);
        if let Some(colour) = colour {
            number = self.bin(Bin::AddI, number, colour);
        }
        let [first, end, step] = Self::columns(board, board.colours);
        let remainder = *self.random.pick(&[Bin::RemSI, Bin::RemUI]);
        let [by, begin, end_value] = [step, first, end].map(|number| self.index(number));
        let start = self.bin(remainder, number, by);
        let start = self.bin(Bin::AddI, start, begin);
        let counter = Counter {
            affine: false,
            lower: Bound::Value(start),
            upper: Bound::Value(end_value),
            step: Step::Value(by),
            range: (first, end - 1),
        };
        self.looped(counter, &[], |this, j, _| {
            this.update_element(board, i, j);
            Vec::new()
        });
    }

    /// Emits a row in which bits of the counters leave the other colours out.
    fn row_of_bits(&mut self, board: &Board, affine: bool, i: Var, colour: Option<Var>) {
        let form = self.random.below(6);
        let mask = *self.random.pick(&[1, 1, 1, 3]);
        let wanted = self.random.between(0, mask);
        let columns = Self::columns(board, board.step);
        self.between(affine, columns, &[], |this, j, _| {
            let mask = this.index(mask);
            let bits = match form {
                0..2 => {
                    let both = this.bin(Bin::XorI, i, j);
                    this.bin(Bin::AndI, both, mask)
                }
                2 => {
                    let [left, right] = [i, j].map(|side| this.bin(Bin::AndI, side, mask));
                    this.bin(Bin::XorI, left, right)
                }
                3 => {
                    let both = this.bin(Bin::AddI, i, j);
                    this.bin(Bin::AndI, both, mask)
                }
                _ => {
                    let colours = this.index(board.colours);
                    let both = this.bin(Bin::AddI, i, j);
                    this.bin(
                        if form == 4 { Bin::RemSI } else { Bin::RemUI },
                        both,
                        colours,
                    )
                }
            };
            let wanted = match colour {
                Some(colour) => colour,
                None => this.index(wanted),
            };
            let is_wanted = this.scalar(Op::CmpI(IntPred::Eq, bits, wanted), Scalar::I1);
            let (stmts, ()) = this.nested(|this| this.update_element(board, i, j));
            let op = Op::If {
                cond: Cond::Value(is_wanted),
                then: Block {
                    stmts,
                    yields: Vec::new(),
                },
                otherwise: None,
            };
            this.emit(op, Vec::new());
            Vec::new()
        });
    }

    /// Emits `own[i, j] = 7 * own[i, j] op other[i + a, p]`.
    fn update_element(&mut self, board: &Board, i: Var, j: Var) {
        let Board { own, other, .. } = board;
        let count = self.random.between(1, 2);
        let seven = self.int(own.ty.element, 7);
        let value = self.load_plain(own, &[i, j]);
        let mut value = self.bin(Bin::MulI, value, seven);
        for _ in 0..count {
            let (down, right) =
                *self
                    .random
                    .pick(&[(0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (-1, -1), (1, 1)]);
            let row = self.moved(i, down);
            let column = match board.is_periodic {
                true => self.neighbour(i, j, board.columns),
                false => self.moved(j, right),
            };
            let near = self.load_plain(other, &[row, column]);
            value = self.bin(board.op, value, near);
        }
        self.store_plain(value, own, &[i, j]);
    }

    pub(super) fn moved(&mut self, index: Var, by: i64) -> Var {
        if by == 0 {
            return index;
        }
        let by = self.index(by);
        self.bin(Bin::AddI, index, by)
    }

    /// Emits a column of a periodic row: what is beyond one end is wrapped around, mostly.
    fn neighbour(&mut self, i: Var, j: Var, size: i64) -> Var {
        let way = self.random.between(1, 3);
        match self.random.below(8) {
            // The next column or the one before, and the other end.
            0 | 1 => {
                let (last, next, pred, end) = *self.random.pick(&[
                    (size - 1, 1, IntPred::Eq, 0),
                    (size - 1, 1, IntPred::Sge, 0),
                    (0, -1, IntPred::Eq, size - 1),
                    (0, -1, IntPred::Sle, size - 1),
                    (1, -1, IntPred::Slt, size - 1),
                    (1, -1, IntPred::Sle, size - 1),
                    (size - 3, 1, IntPred::Sgt, 0),
                ]);
                let (next, end) = (self.moved(j, next), self.index(end));
                self.chosen((pred, j, last), end, next)
            }
            // A number that may be beyond an end, and the same around.
            2 | 3 => {
                let is_down = self.random.chance(50);
                let beyond = self.moved(j, if is_down { -way } else { way });
                let around = self.moved(beyond, if is_down { size } else { -size });
                match is_down {
                    true => self.chosen((IntPred::Slt, beyond, 0), around, beyond),
                    false => self.chosen((IntPred::Sge, beyond, size), around, beyond),
                }
            }
            4 => {
                let beyond = self.moved(j, if way == 1 { 1 } else { size - way });
                let by = self.index(size);
                let remainder = *self.random.pick(&[Bin::RemSI, Bin::RemUI]);
                self.bin(remainder, beyond, by)
            }
            // Columns below a limit move up, the others down, by what stays in the row.
            5 | 6 => {
                let limit = self.random.between(1, size - 1);
                let is_whole = self.random.chance(50);
                let [up, down] = [size - limit, limit].map(|most| match is_whole {
                    true => most,
                    false => self.random.between(0, most),
                });
                let (up, down) = (self.moved(j, up), self.moved(j, -down));
                match self.random.chance(50) {
                    true => self.chosen((IntPred::Slt, j, limit), up, down),
                    false => self.chosen((IntPred::Sge, j, limit), down, up),
                }
            }
            // One column is half a row away, or bits are combined.
            _ if self.random.chance(50) => {
                let half = size / 2;
                let far = self.moved(j, half);
                self.chosen((IntPred::Eq, j, half - 1), far, j)
            }
            _ => {
                let three = self.index(3);
                let [left, right] = [i, j].map(|side| self.bin(Bin::AndI, side, three));
                self.bin(Bin::XorI, left, right)
            }
        }
    }

    /// Emits a choice by a comparison of an index with a number.
    fn chosen(&mut self, (pred, index, with): (IntPred, Var, i64), yes: Var, no: Var) -> Var {
        let with = self.index(with);
        let (pred, left, right) = match (pred, self.random.chance(20)) {
            (IntPred::Slt, true) => (IntPred::Sgt, with, index),
            (IntPred::Sge, true) => (IntPred::Sle, with, index),
            _ => (pred, index, with),
        };
        let test = self.scalar(Op::CmpI(pred, left, right), Scalar::I1);
        self.scalar(Op::Select(test, yes, no), Scalar::Index)
    }
}

fn sum(left: Expr, right: Expr) -> Expr {
    Expr::Add(Box::new(left), Box::new(right))
}
