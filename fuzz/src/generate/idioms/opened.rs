//! Idiom of open dimensions: a nest over arrays all of whose sizes are open, in a function that is called with arrays as long as
//! its loops, and with longer ones.

use super::FOLDS;
use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{Bin, Op, Var};
use crate::types::{MemType, Scalar, Type};

/// Number of dimensions.
const RANK: usize = 3;

impl Generator {
    /// Emits calls of a function with a nest over open arrays.
    pub(super) fn opened(&mut self, sink: &MemVar) {
        if !self.is_in_main {
            return self.scratch(sink);
        }
        let element = sink.ty.element;
        let open = MemType {
            shape: Some(vec![None; RANK]),
            ..MemType::of(element, &[1; RANK])
        };
        let mut types = vec![Type::MemRef(open.clone()); 2];
        types.resize(2 + RANK, Type::Scalar(Scalar::Index));
        let ends_at_sizes = self.random.chance(40);
        let callee = self.beside(&types, |this, params| {
            let arrays = [0, 1].map(|at| MemVar {
                var: params[at],
                ty: open.clone(),
                sizes: vec![1; RANK],
                writable: true,
            });
            let ends = { (0..).zip(&params[2..]) }.map(|(dim, &end)| match ends_at_sizes {
                true => {
                    let (mem, dim) = (params[0], this.index(dim));
                    this.scalar(Op::Dim { mem, dim }, Scalar::Index)
                }
                false => end,
            });
            let ends: Vec<Var> = ends.collect();
            this.open_nest(&arrays, &ends, &mut Vec::new());
        });
        for _ in 0..self.random.between(2, 3) {
            let trips = [0; RANK].map(|_| self.random.between(1, 6));
            let arrays = [!ends_at_sizes, true].map(|may_be_longer| {
                let sizes = trips.map(|trips| match may_be_longer && self.random.chance(30) {
                    true => trips + self.random.between(1, 2),
                    false => trips,
                });
                self.long(element, &sizes)
            });
            let views = arrays.each_ref().map(|array| {
                let ty = Type::MemRef(open.clone());
                self.emit(Op::MemCast(array.var), vec![ty])[0]
            });
            let ends = trips.map(|end| self.hidden(end, end));
            let args = [&views[..], &ends[..]].concat();
            self.emit(Op::Call { callee, args }, Vec::new());
            self.checksum(&arrays[1], sink);
        }
    }

    /// Emits the loops of the nest from some depth on.
    fn open_nest(&mut self, arrays: &[MemVar; 2], ends: &[Var], counters: &mut Vec<Var>) {
        let Some(&end) = ends.get(counters.len()) else {
            let at: Vec<Expr> = counters.iter().map(|&iv| Expr::Dim(iv)).collect();
            let [x, y] = arrays
                .each_ref()
                .map(|array| self.load_at(array, at.clone()));
            let op = *self.random.pick(&FOLDS);
            let value = self.bin(op, x, y);
            let number = self.converted(counters[0], arrays[0].ty.element);
            let value = self.bin(Bin::AddI, value, number);
            return self.store_at(value, &arrays[1], at);
        };
        let bounds = [Expr::Const(0), Expr::Sym(end)];
        self.counted(bounds, (0, 7), &[], |this, iv, _| {
            counters.push(iv);
            this.open_nest(arrays, ends, counters);
            counters.pop();
            Vec::new()
        });
    }
}
