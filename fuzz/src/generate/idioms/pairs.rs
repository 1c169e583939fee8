//! Idiom of pairs: nests over pairs of elements that update one array at both, as forces between bodies do.

use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{Bin, FloatPred, IntPred, Var};

/// Operations that update an element.
const UPDATES: [Bin; 5] = [Bin::AddI, Bin::AddI, Bin::SubI, Bin::XorI, Bin::MaxSI];

/// A nest over pairs.
struct Pairs {
    /// What terms are computed from, and what is updated.
    x: MemVar,
    f: MemVar,
    /// The updates of the first element of a pair and of the second one.
    ops: [Bin; 2],
    /// Whether some pairs update nothing, and whether others update one element alone.
    masked: bool,
    chooses: bool,
}

impl Generator {
    /// Emits a nest over pairs, sometimes with the sum of a row as a carried value.
    pub(super) fn pairs(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let size = self.random.between(8, 20);
        let pairs = Pairs {
            x: self.long(element, &[size]),
            f: self.long(element, &[size]),
            ops: [(); 2].map(|()| *self.random.pick(&UPDATES)),
            masked: self.random.chance(40),
            chooses: self.random.chance(40),
        };
        let carries = self.random.chance(30);
        self.counted_to([0, size], &[], |this, i, _| {
            let inits = match carries {
                true => vec![this.int(element, 0)],
                false => Vec::new(),
            };
            let end = Expr::Const(size);
            let ends = match this.random.below(10) {
                0..6 => [Expr::Dim(i).plus(1), end],
                6..8 => [Expr::Const(0), Expr::Dim(i)],
                8 => [Expr::Dim(i), end],
                _ => [Expr::Const(0), end],
            };
            let sums = this.counted(ends, (0, size - 1), &inits, |this, j, sums| {
                let term = this.pair(&pairs, [i, j], carries);
                sums.iter()
                    .map(|&sum| this.bin(Bin::AddI, sum, term))
                    .collect()
            });
            if let [sum] = sums[..] {
                this.update_at(&pairs.f, i, (Bin::AddI, sum));
            }
            Vec::new()
        });
        self.checksum(&pairs.f, sink);
    }

    /// Emits the updates of a pair, of its second element alone if `is_half`. Returns the term.
    fn pair(&mut self, pairs: &Pairs, [i, j]: [Var; 2], is_half: bool) -> Var {
        let element = pairs.x.ty.element;
        let [a, b] = [i, j].map(|at| self.load_at(&pairs.x, vec![Expr::Dim(at)]));
        let term = self.bin(Bin::MulI, a, b);
        let [first, second] = pairs.ops;
        let both = |this: &mut Self| {
            if !is_half {
                this.update_at(&pairs.f, i, (first, term));
            }
            if is_half || !pairs.chooses {
                this.update_at(&pairs.f, j, (second, term));
            }
            Vec::new()
        };
        if pairs.masked {
            let order = *self.random.pick(&[IntPred::Slt, IntPred::Ne]);
            let test = self.compared(element, (FloatPred::Olt, order), [a, b]);
            self.masked(test, &[], both);
        } else {
            both(self);
        }
        term
    }

    fn update_at(&mut self, array: &MemVar, at: Var, (op, term): (Bin, Var)) {
        let before = self.load_at(array, vec![Expr::Dim(at)]);
        let after = self.bin(op, before, term);
        self.store_at(after, array, vec![Expr::Dim(at)]);
    }
}
