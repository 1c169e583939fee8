//! Idiom of layouts: nests over all elements of a view of every second or third row and column, and of an array that lies in
//! memory transposed or padded.

use super::FOLDS;
use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{Mixed, Op};
use crate::types::{Layout, MemType, Scalar, Type};

impl Generator {
    /// Emits updates of a view by an array with a layout map, from which they are read again.
    pub(super) fn stepped_view(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let sizes = [(); 2].map(|()| self.random.between(3, 12));
        let whole = self.long(element, &sizes);
        let (at, steps) = (
            [(); 2].map(|()| self.random.between(0, 2)),
            [(); 2].map(|()| self.random.between(1, 3)),
        );
        let counts = [0, 1].map(|dim| (sizes[dim] - at[dim] + steps[dim] - 1) / steps[dim]);
        let view = self.view_of(&whole, (at, counts, steps));
        let laid = self.laid(element, &counts);
        let op = *self.random.pick(&FOLDS);
        self.sweep_all(&counts, &mut Vec::new(), &mut |this, at| {
            let at: Vec<Expr> = at.iter().map(|&iv| Expr::Dim(iv)).collect();
            let value = this.load_at(&view, at.clone());
            this.store_at(value, &laid, at);
        });
        self.sweep_all(&counts, &mut Vec::new(), &mut |this, ivs| {
            let at: Vec<Expr> = ivs.iter().map(|&iv| Expr::Dim(iv)).collect();
            let value = this.load_at(&laid, at.clone());
            let other = this.scattered(ivs[1], element);
            let value = this.bin(op, value, other);
            this.store_at(value, &view, at);
        });
        self.checksum(&whole, sink);
    }

    /// Emits a view of an array's rows and columns: the first ones, how many, and the steps.
    fn view_of(
        &mut self,
        whole: &MemVar,
        (at, counts, steps): ([i64; 2], [i64; 2], [i64; 2]),
    ) -> MemVar {
        let row = whole.sizes[1];
        let ty = MemType {
            layout: Layout::Strided {
                offset: Some(at[0] * row + at[1]),
                strides: vec![Some(row * steps[0]), Some(steps[1])],
            },
            ..MemType::of(whole.ty.element, &counts)
        };
        let [offsets, sizes, strides] =
            [at, counts, steps].map(|numbers| numbers.map(Mixed::Known).to_vec());
        let op = Op::SubView {
            mem: whole.var,
            offsets,
            sizes,
            strides,
            kept: vec![true; 2],
        };
        let var = self.emit(op, vec![Type::MemRef(ty.clone())])[0];
        MemVar {
            var,
            ty,
            sizes: counts.to_vec(),
            writable: true,
        }
    }

    /// Allocates an array whose elements lie transposed, or with gaps.
    fn laid(&mut self, element: Scalar, sizes: &[i64; 2]) -> MemVar {
        let map = match self.random.below(3) {
            0 => vec![(vec![0, 1], 0), (vec![1, 0], 0)],
            1 => vec![(vec![1, 0], 1), (vec![0, 2], 0)],
            _ => vec![(vec![1, 1], 0), (vec![0, 1], 0)],
        };
        let ty = MemType {
            layout: Layout::Map(map),
            ..MemType::of(element, sizes)
        };
        self.allocated(ty, sizes)
    }
}
