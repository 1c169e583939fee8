//! Idiom of scratch rows: an array of open size that each iteration of a loop fills before it reads it, allocated in the loop or
//! in front of it, and sometimes read behind the loop, or before it is filled.

use super::FOLDS;
use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{Bin, Op, Var};
use crate::types::{MemType, Scalar, Type};

impl Generator {
    /// Emits rows that go through a scratch row of open size.
    pub(super) fn scratch(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let (rows, size) = (self.random.between(2, 40), self.random.between(2, 40));
        let lower = *self.random.pick(&[0, 0, 1]);
        let end = self.hidden(size, size);
        let table = self.long(element, &[rows, size]);
        let is_inside = self.random.chance(50);
        let frees = self.random.chance(60);
        // In rare cases an iteration reads what the one before has left.
        let skipped = *self.random.pick(&[0, 0, 0, 0, 1]);
        let op = *self.random.pick(&FOLDS);
        let outside = (!is_inside).then(|| {
            let row = self.open_row(element, end, size);
            self.fill_row(&row, size);
            row
        });
        self.counted_to([lower, rows], &[], |this, i, _| {
            let row = match &outside {
                Some(row) => row.clone(),
                None => this.open_row(element, end, size),
            };
            let ends = [Expr::Const(0), Expr::Dim(end).plus(-skipped)];
            this.counted(ends, (0, size - 1), &[], |this, j, _| {
                let x = this.load_at(&table, vec![Expr::Dim(i), Expr::Dim(j)]);
                let y = this.scattered(i, element);
                let value = this.bin(Bin::XorI, x, y);
                this.store_at(value, &row, vec![Expr::Dim(j)]);
                Vec::new()
            });
            this.walk_row(&row, (size, end), op);
            let ends = [Expr::Const(0), Expr::Dim(end)];
            this.counted(ends, (0, size - 1), &[], |this, j, _| {
                let value = this.load_at(&row, vec![Expr::Dim(j)]);
                this.store_at(value, &table, vec![Expr::Dim(i), Expr::Dim(j)]);
                Vec::new()
            });
            if is_inside && frees {
                this.emit(Op::Dealloc(row.var), Vec::new());
            }
            Vec::new()
        });
        self.checksum(&table, sink);
        if let Some(row) = outside.filter(|_| self.random.chance(50)) {
            self.checksum(&row, sink);
        }
    }

    /// Emits a recurrence along a row, or updates of elements that data chooses.
    fn walk_row(&mut self, row: &MemVar, (size, end): (i64, Var), op: Bin) {
        let is_named = self.random.chance(30);
        let ends = [Expr::Const(1), Expr::Dim(end)];
        self.counted(ends, (1, size - 1), &[], |this, j, _| {
            let x = this.load_at(row, vec![Expr::Dim(j)]);
            if is_named {
                let at = Expr::Dim(j).times(3);
                let at = this.apply(Expr::Mod(Box::new(at), Box::new(Expr::Const(size))));
                let y = this.load_plain(row, &[at]);
                let value = this.bin(op, y, x);
                this.store_plain(value, row, &[at]);
            } else {
                let y = this.load_at(row, vec![Expr::Dim(j).plus(-1)]);
                let value = this.bin(op, x, y);
                this.store_at(value, row, vec![Expr::Dim(j)]);
            }
            Vec::new()
        });
    }

    fn fill_row(&mut self, row: &MemVar, size: i64) {
        self.times(size, &[], |this, j, _| {
            let value = this.scattered(j, row.ty.element);
            this.store_at(value, row, vec![Expr::Dim(j)]);
            Vec::new()
        });
    }

    /// Allocates a row of open size, uninitialized.
    fn open_row(&mut self, element: Scalar, end: Var, size: i64) -> MemVar {
        let ty = MemType {
            shape: Some(vec![None]),
            ..MemType::of(element, &[size])
        };
        let op = Op::Alloc {
            sizes: vec![end],
            stack: false,
        };
        let var = self.emit(op, vec![Type::MemRef(ty.clone())])[0];
        MemVar {
            var,
            ty,
            sizes: vec![size],
            writable: true,
        }
    }
}
