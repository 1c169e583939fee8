//! Idiom of rings: neighbours around the ends of an array whose extent the run knows.

use super::FOLDS;
use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::Bin;

impl Generator {
    /// Emits a fold over neighbours in a ring, whose places are remainders by its size.
    pub(super) fn ring(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let size = self.random.between(1, 40);
        let [from, to] = [(); 2].map(|()| self.long(element, &[size]));
        let end = self.hidden(size, size);
        let count = self.random.between(1, 3);
        let reach = match self.random.chance(80) {
            true => 1,
            false => size.min(3),
        };
        let ends = [Expr::Const(0), Expr::Dim(end)];
        self.counted(ends, (0, size - 1), &[], |this, i, _| {
            let mut value = this.load_at(&to, vec![Expr::Dim(i)]);
            for _ in 0..count {
                let way = this.random.between(-reach, reach);
                let mut moved = this.moved(i, way);
                if way < 0 || this.random.chance(50) {
                    moved = this.bin(Bin::AddI, moved, end);
                }
                let remainder = *this.random.pick(&[Bin::RemSI, Bin::RemUI]);
                let place = this.bin(remainder, moved, end);
                let near = this.load_plain(&from, &[place]);
                let fold = *this.random.pick(&FOLDS);
                value = this.bin(fold, value, near);
            }
            this.store_at(value, &to, vec![Expr::Dim(i)]);
            Vec::new()
        });
        self.checksum(&to, sink);
    }
}
