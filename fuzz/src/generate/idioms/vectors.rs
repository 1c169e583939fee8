//! Idiom of vectors: loops that read and write several elements at once, in steps of as many or of others, along rows or columns,
//! in place or not, up to the end of an array or beyond it.

use super::FOLDS;
use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{At, Bin, Lanes, LanesForm, Op, Place, Var, VectorFold, VectorSink};
use crate::types::{Scalar, Type};

/// Operations whose order lanes may choose.
const REDUCTIONS: [Bin; 7] = [
    Bin::AddI,
    Bin::AddI,
    Bin::MulI,
    Bin::AndI,
    Bin::XorI,
    Bin::MaxSI,
    Bin::MinUI,
];

/// Subscript: a counter, and a number to add.
type At1 = (Var, i64);

/// Loops over the vectors of rows, with arrays of one shape.
struct Sweep {
    lanes: i64,
    rows: i64,
    columns: i64,
    step: i64,
    /// Distance of what is read from what is written.
    offset: i64,
    /// Whether vectors may reach beyond the end of a row.
    is_ragged: bool,
    /// Whether the inner loop is affine, and accesses are as far as there is such an operation.
    is_affine: bool,
    x: MemVar,
    y: MemVar,
    kind: Bin,
    padding: Var,
}

impl Generator {
    /// Emits a nest of loops over vectors.
    pub(super) fn vectors(&mut self, sink: &MemVar) {
        let element = match sink.ty.element {
            ty if ty.is_float() => Scalar::I32,
            ty => ty,
        };
        let lanes = *self.random.pick(&[2, 3, 4, 4, 4, 8]);
        let rows = *self.random.pick(&[1, 2, 5]);
        let columns = lanes * self.random.between(2, 9) + *self.random.pick(&[0, 0, 1, 2]);
        let x = self.long(element, &[rows, columns]);
        let y = match self.random.chance(40) {
            true => x.clone(),
            false => self.long(element, &[rows, columns]),
        };
        let offset = match self.random.chance(50) {
            true => 0,
            false => self.random.between(-lanes - 1, lanes + 1),
        };
        let steps = [lanes, lanes, lanes, 1, 2 * lanes, lanes - 1];
        let sweep = Sweep {
            lanes,
            rows,
            columns,
            step: *self.random.pick(&steps),
            offset,
            is_ragged: self.random.chance(40),
            is_affine: self.random.chance(70),
            x,
            y,
            kind: *self.random.pick(&FOLDS),
            padding: self.int(element, 7),
        };
        match self.random.below(4) {
            // Reductions of vectors are not of indices.
            0 if element != Scalar::Index => self.lane_sums(&sweep),
            1 => self.turned_vectors(&sweep),
            _ => self.along_rows(&sweep),
        }
        self.checksum(&sweep.y, sink);
    }

    /// Emits `y[r][i..] = x[r][i + offset..] op y[r][i..]`, or the like.
    fn along_rows(&mut self, sweep: &Sweep) {
        let splat = self.random.chance(30).then_some(sweep.padding);
        self.each_vector(sweep, &[], |this, r, i, _| {
            let mut from = vec![this.lanes_at(sweep, &sweep.x, [(r, 0), (i, sweep.offset)], 1)];
            match this.random.below(4) {
                0 => {}
                1 => from.push(this.first_of_row(sweep, r)),
                _ => from.push(this.lanes_at(sweep, &sweep.y, [(r, 0), (i, 0)], 1)),
            }
            let to = this.lanes_at(sweep, &sweep.y, [(r, 0), (i, 0)], 1);
            this.vector_fold(sweep, (from, splat), VectorSink::Memory(to));
            Vec::new()
        });
    }

    /// Emits sums of the lanes of a product, carried along each row and stored behind it.
    fn lane_sums(&mut self, sweep: &Sweep) {
        let reduction = *self.random.pick(&REDUCTIONS);
        self.each_vector(sweep, &[sweep.padding], |this, r, i, carried| {
            let x = this.lanes_at(sweep, &sweep.x, [(r, 0), (i, sweep.offset)], 1);
            let y = this.lanes_at(sweep, &sweep.y, [(r, 0), (i, 0)], 1);
            let sink = VectorSink::Reduced(reduction);
            let sum = this.vector_fold(sweep, (vec![x, y], None), sink);
            vec![this.bin(reduction, carried[0], sum[0])]
        });
    }

    /// Emits reads along columns and writes along rows, as a transposition has them, or the reverse.
    fn turned_vectors(&mut self, sweep: &Sweep) {
        let turned = self.long(sweep.x.ty.element, &[sweep.columns, sweep.rows]);
        let writes_columns = self.random.chance(40);
        self.each_vector(sweep, &[], |this, r, i, _| {
            let column = this.lanes_at(sweep, &turned, [(i, 0), (r, 0)], 0);
            let row = this.lanes_at(sweep, &sweep.y, [(r, 0), (i, 0)], 1);
            let (from, to) = match writes_columns {
                true => (row, column),
                false => (column, row),
            };
            this.vector_fold(sweep, (vec![from], None), VectorSink::Memory(to));
            Vec::new()
        });
        if writes_columns {
            self.times(sweep.rows, &[], |this, r, _| {
                let value = this.load_at(&turned, vec![Expr::Const(1), Expr::Dim(r)]);
                this.store_at(value, &sweep.y, vec![Expr::Dim(r), Expr::Const(0)]);
                Vec::new()
            });
        }
    }

    /// Emits the loops over rows and vectors. What the inner one carries is stored to the row's first element.
    fn each_vector(
        &mut self,
        sweep: &Sweep,
        inits: &[Var],
        draw: impl FnOnce(&mut Self, Var, Var, &[Var]) -> Vec<Var>,
    ) {
        let first = (-sweep.offset).max(0);
        let end = match sweep.is_ragged {
            true => sweep.columns,
            false => sweep.columns - sweep.lanes + 1 - sweep.offset.max(0),
        };
        let ends = [first, end, sweep.step];
        self.times(sweep.rows, &[], |this, r, _| {
            let draw = |this: &mut Self, i: Var, carried: &[Var]| draw(this, r, i, carried);
            let results = this.between(sweep.is_affine, ends, inits, draw);
            for result in results {
                this.store_at(result, &sweep.y, vec![Expr::Dim(r), Expr::Const(0)]);
            }
            Vec::new()
        });
    }

    fn vector_fold(
        &mut self,
        sweep: &Sweep,
        (from, splat): (Vec<Lanes>, Option<Var>),
        to: VectorSink,
    ) -> Vec<Var> {
        let types = match &to {
            VectorSink::Reduced(_) => vec![Type::Scalar(sweep.x.ty.element)],
            VectorSink::Memory(_) => Vec::new(),
        };
        let fold = VectorFold {
            lanes: sweep.lanes,
            from,
            padding: sweep.padding,
            kind: sweep.kind,
            splat,
            to,
        };
        let results = self.emit(Op::VectorFold(Box::new(fold)), types);
        self.add_to_scope(&results);
        results
    }

    /// A vector along a dimension of an array.
    fn lanes_at(&mut self, sweep: &Sweep, mem: &MemVar, at: [At1; 2], dim: usize) -> Lanes {
        let form = match sweep.is_ragged {
            true => LanesForm::Padded,
            false if dim == 1 && self.random.chance(60) => LanesForm::Whole,
            false => *self.random.pick(&[LanesForm::InBounds, LanesForm::Padded]),
        };
        let at = match sweep.is_affine && form == LanesForm::Whole {
            true => At::Affine(at.map(|(var, plus)| Expr::Dim(var).plus(plus)).to_vec()),
            false => At::Plain(at.map(|at| self.sum_of(sweep, at)).to_vec()),
        };
        Lanes {
            first: Place { mem: mem.var, at },
            dim: Some(dim),
            form,
        }
    }

    /// The first element of a row, in each lane.
    fn first_of_row(&mut self, sweep: &Sweep, r: Var) -> Lanes {
        let at = At::Plain(vec![r, self.index(0)]);
        Lanes {
            first: Place {
                mem: sweep.x.var,
                at,
            },
            dim: None,
            form: LanesForm::InBounds,
        }
    }

    fn sum_of(&mut self, sweep: &Sweep, (var, plus): At1) -> Var {
        match plus {
            0 => var,
            _ if sweep.is_affine => self.apply(Expr::Dim(var).plus(plus)),
            _ => {
                let plus = self.index(plus);
                self.bin(Bin::AddI, var, plus)
            }
        }
    }
}
