//! Idioms of nests: triangles, products, temporary rows, sums in a scalar, triangular systems,
//! coalesced loops.

use super::FOLDS;
use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{Bin, Block, Cond, Op, Var};

impl Generator {
    /// Emits a nest over the triangle below or above the diagonal, elementwise or summed by rows.
    pub(super) fn triangle(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let size = self.random.between(9, 35);
        let (a, b) = (
            self.long(element, &[size]),
            self.long(element, &[size, size]),
        );
        let (sums, below) = (self.random.chance(40), self.random.chance(60));
        let shift = self.random.between(0, 1);
        let c = self.long(element, &[size]);
        self.times(size, &[], |this, i, _| {
            let ends = match below {
                true => [Expr::Const(0), Expr::Dim(i).plus(shift)],
                false => [Expr::Dim(i).plus(shift), Expr::Const(size)],
            };
            let inits: Vec<Var> = (sums.then(|| this.int(element, 3))).into_iter().collect();
            let rows = this.counted(ends, (0, size - 1), &inits, |this, j, args| {
                let x = this.load_at(&a, vec![Expr::Dim(j)]);
                let y = this.load_at(&b, vec![Expr::Dim(i), Expr::Dim(j)]);
                let product = this.bin(Bin::MulI, x, y);
                match args {
                    [sum] => vec![this.bin(Bin::AddI, *sum, product)],
                    _ => {
                        let at = vec![Expr::Dim(i), Expr::Dim(j)];
                        this.store_at(product, &b, at);
                        Vec::new()
                    }
                }
            });
            if let [sum] = rows[..] {
                this.store_at(sum, &c, vec![Expr::Dim(i)]);
            }
            Vec::new()
        });
        self.checksum(if sums { &c } else { &b }, sink);
    }

    /// A product of matrices.
    pub(super) fn product(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let sizes = [
            [16, 16, 32],
            [32, 32, 8],
            [33, 17, 9],
            [64, 16, 8],
            [19, 35, 6],
            [8, 8, 70],
        ];
        let [m, n, k] = *self.random.pick(&sizes);
        let (a, b) = (self.long(element, &[m, k]), self.long(element, &[k, n]));
        let c = self.long(element, &[m, n]);
        self.sweep_all(&[m, n], &mut Vec::new(), &mut |this, at| {
            let (i, j) = (at[0], at[1]);
            let start = this.load_at(&c, vec![Expr::Dim(i), Expr::Dim(j)]);
            let sum = this.times(k, &[start], |this, l, args| {
                let x = this.load_at(&a, vec![Expr::Dim(i), Expr::Dim(l)]);
                let y = this.load_at(&b, vec![Expr::Dim(l), Expr::Dim(j)]);
                let product = this.bin(Bin::MulI, x, y);
                vec![this.bin(Bin::AddI, args[0], product)]
            });
            this.store_at(sum[0], &c, vec![Expr::Dim(i), Expr::Dim(j)]);
        });
        self.checksum(&c, sink);
    }

    /// Emits a scalar that only the first iteration stores before it is read.
    fn kept(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let (rows, op) = (self.random.between(3, 40), *self.random.pick(&FOLDS));
        let (b, t) = (self.long(element, &[rows]), self.fresh(element, &[1]));
        let start = self.value(element, 1);
        let first = || vec![Expr::Const(0)];
        self.times(rows, &[], |this, i, _| {
            let (stmts, ()) = this.nested(|this| this.store_at(start, &t, first()));
            let then = Block {
                stmts,
                yields: Vec::new(),
            };
            let op_if = Op::If {
                cond: Cond::Set(vec![(Expr::Dim(i), true)]),
                then,
                otherwise: None,
            };
            this.emit(op_if, Vec::new());
            let x = this.load_at(&t, first());
            let y = this.load_at(&b, vec![Expr::Dim(i)]);
            let value = this.bin(op, x, y);
            this.store_at(value, &b, vec![Expr::Dim(i)]);
            this.store_at(y, &t, first());
            Vec::new()
        });
        self.checksum(&b, sink);
    }

    /// Emits a row that each iteration recomputes, or that is kept from one to the next.
    pub(super) fn temporary(&mut self, sink: &MemVar) {
        if self.random.chance(35) {
            return self.kept(sink);
        }
        let element = sink.ty.element;
        let (rows, size) = (
            self.random.between(3, 12),
            self.random.between(-2, 9).max(1),
        );
        let (b, row) = (
            self.long(element, &[rows, size]),
            self.long(element, &[size]),
        );
        let (reads_first, some) = (self.random.chance(40), self.random.chance(30));
        let op = *self.random.pick(&FOLDS);
        self.times(rows, &[], |this, i, _| {
            let read = |this: &mut Self| {
                this.times(size, &[], |this, j, _| {
                    let x = this.load_at(&row, vec![Expr::Dim(j)]);
                    let y = this.load_at(&b, vec![Expr::Dim(i), Expr::Dim(j)]);
                    let value = this.bin(op, x, y);
                    this.store_at(value, &b, vec![Expr::Dim(i), Expr::Dim(j)]);
                    Vec::new()
                });
            };
            if reads_first {
                read(this);
            }
            let count = if some { size - 1 } else { size };
            this.times(count, &[], |this, j, _| {
                let y = this.load_at(&b, vec![Expr::Dim(i), Expr::Dim(j)]);
                let z = this.scattered(i, element);
                let value = this.bin(Bin::XorI, y, z);
                this.store_at(value, &row, vec![Expr::Dim(j)]);
                Vec::new()
            });
            if !reads_first {
                read(this);
            }
            Vec::new()
        });
        self.checksum(&b, sink);
    }

    /// Emits a scalar in memory that accumulates the sum for an element, as triangular solvers have
    /// it.
    pub(super) fn collected(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let size = self.random.between(6, 16);
        let (a, t) = (self.long(element, &[size, size]), self.long(element, &[1]));
        let from = self.random.pick(&[0, 1]).to_owned();
        let shift = self.random.between(0, 1);
        let element_of = |i: Var, j: Var| vec![Expr::Dim(i), Expr::Dim(j)];
        self.times(size, &[], |this, i, _| {
            this.times(size, &[], |this, j, _| {
                let start = this.load_at(&a, element_of(i, j));
                this.store_at(start, &t, vec![Expr::Const(0)]);
                let ends = [Expr::Const(0), Expr::Dim(i).plus(shift)];
                this.counted(ends, (0, size - 1), &[], |this, k, _| {
                    let sum = this.load_at(&t, vec![Expr::Const(0)]);
                    let x = this.load_at(&a, element_of(i, k));
                    let y = this.load_at(
                        &a,
                        if from == 0 {
                            element_of(k, j)
                        } else {
                            element_of(j, k)
                        },
                    );
                    let product = this.bin(Bin::MulI, x, y);
                    let sum = this.bin(Bin::SubI, sum, product);
                    this.store_at(sum, &t, vec![Expr::Const(0)]);
                    Vec::new()
                });
                let sum = this.load_at(&t, vec![Expr::Const(0)]);
                this.store_at(sum, &a, element_of(i, j));
                Vec::new()
            });
            Vec::new()
        });
        self.checksum(&a, sink);
    }

    /// Emits a triangular system, solved in place forwards or backwards; sums are in elements, or
    /// carried.
    pub(super) fn solve(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let size = self.random.between(8, 40);
        let (a, x) = (
            self.long(element, &[size, size]),
            self.long(element, &[size]),
        );
        let (mut shift, mut ahead) = (self.random.between(0, 1), self.random.between(0, 1));
        let (mut is_last, mut turned) = (self.random.chance(50), self.random.chance(30));
        let (is_backward, is_carried) = (size % 3 == 0, size % 2 == 0);
        if self.random.chance(40) {
            // The system that solvers have: sums are of elements that are solved already.
            (shift, ahead, is_last, turned) = (0, 0, true, false);
        }
        // The running sum is used in the subtrahend, so that order matters. It does not with `and`:
        // `s - (p & s)` is `s & ~p`.
        let is_seen = self.random.chance(20);
        let mirrored = |v: Var| Expr::Dim(v).times(-1).plus(size - 1);
        let place = |i: Var| match is_backward {
            true => mirrored(i),
            false => Expr::Dim(i),
        };
        self.times(size - ahead, &[], |this, i, _| {
            let ends = match is_backward {
                true => [mirrored(i).plus(1 - shift), Expr::Const(size)],
                false => [Expr::Const(0), Expr::Dim(i).plus(shift)],
            };
            let start = is_carried.then(|| this.load_at(&x, vec![place(i)]));
            let inits: Vec<Var> = start.into_iter().collect();
            let sums = this.counted(ends, (0, size - 1), &inits, |this, j, carried| {
                let sum = match carried {
                    [sum] => *sum,
                    _ => this.load_at(&x, vec![place(i)]),
                };
                let factor = this.load_at(&a, vec![place(i), Expr::Dim(j)]);
                let other = match (turned, is_backward) {
                    (true, _) => mirrored(j),
                    (false, true) => Expr::Dim(j).plus(-ahead),
                    (false, false) => Expr::Dim(j).plus(ahead),
                };
                let known = this.load_at(&x, vec![other]);
                let mut product = this.bin(Bin::MulI, factor, known);
                if is_seen {
                    product = this.bin(Bin::XorI, product, sum);
                }
                let sum = this.bin(Bin::SubI, sum, product);
                if is_carried {
                    return vec![sum];
                }
                this.store_at(sum, &x, vec![place(i)]);
                Vec::new()
            });
            if let [sum] = sums[..] {
                this.store_at(sum, &x, vec![place(i)]);
            }
            if is_last {
                let sum = this.load_at(&x, vec![place(i)]);
                let factor = this.load_at(&a, vec![place(i), place(i)]);
                let sum = this.bin(Bin::MulI, sum, factor);
                this.store_at(sum, &x, vec![place(i)]);
            }
            Vec::new()
        });
        self.checksum(&x, sink);
    }

    /// Emits an imperfect nest whose inner statement could have either loop outside, but for the
    /// outer statement.
    pub(super) fn crossed(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let size = self.random.between(4, 12);
        let (x, a, z) = (
            self.long(element, &[size]),
            self.long(element, &[size, size]),
            self.long(element, &[1]),
        );
        let (three, first) = (self.int(element, 3), self.random.chance(70));
        let collect = |this: &mut Self, i: Var| {
            let sum = this.load_at(&z, vec![Expr::Const(0)]);
            let sum = this.bin(Bin::MulI, sum, three);
            let value = this.load_at(&x, vec![Expr::Dim(i)]);
            let sum = this.bin(Bin::AddI, sum, value);
            this.store_at(sum, &z, vec![Expr::Const(0)]);
        };
        self.times(size, &[], |this, i, _| {
            if first {
                collect(this, i);
            }
            this.times(size, &[], |this, j, _| {
                let value = this.load_at(&x, vec![Expr::Dim(i)]);
                let value = this.bin(Bin::MulI, value, three);
                let other = this.load_at(&a, vec![Expr::Dim(i), Expr::Dim(j)]);
                let value = this.bin(Bin::SubI, value, other);
                this.store_at(value, &x, vec![Expr::Dim(i)]);
                Vec::new()
            });
            if !first {
                collect(this, i);
            }
            Vec::new()
        });
        self.checksum(&x, sink);
        self.checksum(&z, sink);
    }

    /// Emits a nest with run-time bounds, or one loop that counts all of its iterations.
    pub(super) fn coalesced(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let (rows, size) = (self.random.between(2, 9), self.random.between(2, 9));
        let b = self.long(element, &[rows, size]);
        if self.random.chance(50) {
            // An opaque size, possibly 0.
            let is_open_inside = self.random.chance(40);
            let [m, n] = [(rows, true), (size, is_open_inside)].map(|(size, is_open)| {
                let count = match self.random.below(10) {
                    _ if !is_open => return Expr::Const(size),
                    0..2 => 0,
                    // Exceeds the array, so that a test in front of the nest has to detect it.
                    2 => size + 2,
                    _ => size,
                };
                Expr::Dim(self.hidden(count, size))
            });
            let ends = |end: Expr| [Expr::Const(0), end];
            self.counted(ends(m), (0, rows - 1), &[], |this, i, _| {
                this.counted(ends(n), (0, size - 1), &[], |this, j, _| {
                    let at = vec![Expr::Dim(i), Expr::Dim(j)];
                    let value = this.load_at(&b, at.clone());
                    let more = this.scattered(i, element);
                    let value = this.bin(Bin::SubI, more, value);
                    this.store_at(value, &b, at);
                    Vec::new()
                });
                Vec::new()
            });
        } else {
            let cut = self.random.between(0, size - 1);
            let count = rows * size - cut;
            // Row sums make the loop carry dependences.
            let sums = (self.random.chance(50)).then(|| self.long(element, &[rows]));
            self.times(count, &[], |this, i, _| {
                let by = || Box::new(Expr::Const(size));
                let i = || Box::new(Expr::Dim(i));
                let row = Expr::FloorDiv(i(), by());
                let at = vec![row.clone(), Expr::Mod(i(), by())];
                let mut value = this.load_at(&b, at.clone());
                if let Some(sums) = &sums {
                    let sum = this.load_at(sums, vec![row.clone()]);
                    value = this.bin(Bin::AddI, sum, value);
                    this.store_at(value, sums, vec![row]);
                }
                let factor = this.int(element, 3);
                let value = this.bin(Bin::MulI, value, factor);
                this.store_at(value, &b, at);
                Vec::new()
            });
        }
        self.checksum(&b, sink);
    }
}
