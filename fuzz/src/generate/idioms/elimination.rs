//! Idiom of eliminations: loops inside of one begin or end at its counter, as in factorizations.

use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{Bin, Var};

/// Matrix and vector of an elimination.
struct Arrays {
    a: MemVar,
    x: MemVar,
    /// Steps; the arrays are larger by the greatest shift of a subscript.
    size: i64,
    /// Whether loops begin behind the step, and elements are those of a factorization.
    is_plain: bool,
}

impl Generator {
    /// Emits an elimination: in each step, statements update the pivot, its row or column, and the
    /// rows and columns that follow or precede it.
    pub(super) fn eliminate(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let size = self.random.between(8, 13);
        let arrays = Arrays {
            a: self.long(element, &[size + 1, size + 1]),
            x: self.long(element, &[size + 1]),
            size,
            is_plain: self.random.chance(60),
        };
        let (first, statements) = (self.random.between(0, 1), self.random.between(2, 4));
        let ends = [Expr::Const(first), Expr::Const(size)];
        self.counted(ends, (first, size - 1), &[], |this, k, _| {
            for _ in 0..statements {
                let depth = *this.random.pick(&[0, 1, 1, 2, 2]);
                this.update_around(&arrays, depth, &mut vec![k]);
            }
            Vec::new()
        });
        self.checksum(&arrays.a, sink);
        self.checksum(&arrays.x, sink);
    }

    /// Emits loops of this depth around a statement of the step, the first of the counters.
    fn update_around(&mut self, arrays: &Arrays, depth: usize, counters: &mut Vec<Var>) {
        if counters.len() > depth {
            return self.update(arrays, counters);
        }
        let (step, outer) = (counters[0], counters[counters.len() - 1]);
        let end = Expr::Const(arrays.size);
        let ends = match self.random.below(10) {
            0..8 if arrays.is_plain => [Expr::Dim(step).plus(1), end],
            _ if arrays.is_plain => [Expr::Dim(step).plus(1), Expr::Dim(outer).plus(1)],
            0..6 => [Expr::Dim(step).plus(1), end],
            6 => [Expr::Dim(step), end],
            7 => [Expr::Const(0), Expr::Dim(step)],
            8 => [Expr::Dim(outer), end],
            _ => [Expr::Dim(step).plus(1), Expr::Dim(outer).plus(1)],
        };
        self.counted(ends, (0, arrays.size - 1), &[], |this, counter, _| {
            counters.push(counter);
            this.update_around(arrays, depth, counters);
            counters.pop();
            Vec::new()
        });
    }

    /// Emits `place = place - l * u`, where `l` and `u` are mostly in the row and column of the pivot.
    fn update(&mut self, arrays: &Arrays, counters: &[Var]) {
        let Arrays { a, x, .. } = arrays;
        let k = counters[0];
        let own = counters[1..].to_vec();
        let (place, [left, right]) = match own[..] {
            [i, j] => ((a, [i, j]), [(a, [i, k]), (a, [k, j])]),
            [i] if self.random.chance(40) => ((x, [i, i]), [(a, [i, k]), (x, [k, k])]),
            [i] if self.random.chance(50) => ((a, [k, i]), [(a, [k, k]), (x, [i, i])]),
            [i] => ((a, [i, k]), [(a, [k, k]), (x, [i, i])]),
            _ => ((a, [k, k]), [(a, [k, k]), (x, [k, k])]),
        };
        let others = match arrays.is_plain {
            true => &[],
            false => counters,
        };
        let value = self.load_placed(place, &[]);
        let left = self.load_placed(left, others);
        let right = self.load_placed(right, others);
        let product = self.bin(Bin::MulI, left, right);
        let value = self.bin(Bin::SubI, value, product);
        let at = subscripts(place);
        self.store_at(value, place.0, at);
    }

    /// Loads an element, seldom another one of the counters `others`.
    fn load_placed(&mut self, (mem, at): (&MemVar, [Var; 2]), others: &[Var]) -> Var {
        let mut at = subscripts((mem, at));
        if !others.is_empty() && self.random.chance(15) {
            let dim = self.random.below(at.len());
            at[dim] = Expr::Dim(*self.random.pick(others)).plus(self.random.between(0, 1));
        }
        self.load_at(mem, at)
    }
}

/// As many of the counters as the array has dimensions.
fn subscripts((mem, at): (&MemVar, [Var; 2])) -> Vec<Expr> {
    let rank = mem.sizes.len();
    at[..rank]
        .iter()
        .map(|&counter| Expr::Dim(counter))
        .collect()
}
