//! Idiom of recurrences beside reductions: each element depends on its neighbours, as the scores of an alignment or a
//! sweep in place do, and the nest folds what it computes.

use super::FOLDS;
use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{Bin, Var};

/// Memory of a recurrence.
struct Table {
    /// Elements by both counters.
    scores: MemVar,
    /// Elements by one counter: each step of the other one overwrites them.
    row: MemVar,
    weights: MemVar,
    /// What the nest folds its values into.
    best: MemVar,
    size: i64,
    /// Whether the loops carry what they fold.
    carries: bool,
}

impl Generator {
    /// Emits a nest of two loops around a recurrence and a fold.
    pub(super) fn recur(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let size = self.random.between(6, 11);
        let table = Table {
            scores: self.long(element, &[size + 2, size + 2]),
            row: self.long(element, &[size + 2]),
            weights: self.long(element, &[size + 2]),
            best: self.long(element, &[2]),
            size,
            carries: self.random.chance(30),
        };
        let inits = match table.carries {
            true => vec![self.value(element, 1)],
            false => Vec::new(),
        };
        let first = self.random.between(1, 2);
        let ends = || [Expr::Const(first), Expr::Const(size + 1)];
        let results = self.counted(ends(), (first, size), &inits, |this, i, args| {
            this.counted(ends(), (first, size), args, |this, j, args| {
                this.recur_once(&table, [i, j], args)
            })
        });
        for result in results {
            self.sink(result, sink);
        }
        for mem in [&table.scores, &table.row, &table.best] {
            self.checksum(mem, sink);
        }
    }

    /// Emits an iteration. Returns the values that it carries on.
    fn recur_once(&mut self, table: &Table, [i, j]: [Var; 2], carried: &[Var]) -> Vec<Var> {
        let Table { scores, row, .. } = table;
        let place = |down: i64, right: i64| vec![Expr::Dim(i).plus(down), Expr::Dim(j).plus(right)];
        let in_row = self.random.chance(20);
        let old = match in_row {
            true => self.load_at(row, vec![Expr::Dim(j)]),
            false => self.load_at(scores, place(0, 0)),
        };
        let mut new = match in_row {
            true => self.load_at(row, vec![Expr::Dim(j).plus(-1)]),
            false => self.load_at(scores, place(0, -1)),
        };
        for (down, right) in [(-1, 0), (-1, -1), (1, 0), (0, 1), (-1, 1)] {
            if self
                .random
                .chance(if right == 0 && down < 0 { 90 } else { 25 })
            {
                let neighbour = self.load_at(scores, place(down, right));
                let op = *self
                    .random
                    .pick(&[Bin::AddI, Bin::SubI, Bin::MaxSI, Bin::XorI]);
                new = self.bin(op, new, neighbour);
            }
        }
        let stores_first = self.random.chance(70);
        let store = |this: &mut Self| match in_row {
            true => this.store_at(new, row, vec![Expr::Dim(j)]),
            false => this.store_at(new, scores, place(0, 0)),
        };
        if stores_first {
            store(self);
        }
        let folded = self.fold_beside(table, [i, j], [old, new], carried);
        if !stores_first {
            store(self);
        }
        if self.random.chance(15) {
            // Another element of the same memory, or the same one again.
            let (down, right) = *self.random.pick(&[(0, 0), (0, 0), (1, -1), (-1, 0)]);
            self.store_at(old, scores, place(down, right));
        }
        folded
    }

    /// Emits the fold of a value of the iteration.
    fn fold_beside(
        &mut self,
        table: &Table,
        [i, j]: [Var; 2],
        [old, new]: [Var; 2],
        carried: &[Var],
    ) -> Vec<Var> {
        let taken = match self.random.below(6) {
            0..3 => new,
            3 => self.bin(Bin::SubI, new, old),
            4 => old,
            _ => {
                let [left, right] =
                    [i, j].map(|at| self.load_at(&table.weights, vec![Expr::Dim(at)]));
                self.bin(Bin::MulI, left, right)
            }
        };
        let op = *self.random.pick(&FOLDS);
        if table.carries {
            return carried
                .iter()
                .map(|&held| self.bin(op, held, taken))
                .collect();
        }
        // Some folds collect in an element of the recurrence.
        let (mem, at) = match self.random.chance(8) {
            true => (
                &table.scores,
                vec![Expr::Const(table.size / 2), Expr::Const(0)],
            ),
            false => (&table.best, vec![Expr::Const(self.random.between(0, 1))]),
        };
        let held = self.load_at(mem, at.clone());
        let folded = self.bin(op, held, taken);
        self.store_at(folded, mem, at);
        Vec::new()
    }
}
