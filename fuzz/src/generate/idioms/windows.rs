//! Idiom of windows: transfers of rows that lie apart in an array to a buffer and back, in loops over the windows of the array,
//! each waited for at once or while the one before is used.

use super::FOLDS;
use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{At, Bin, Block, Cond, Op, Place, Transfer};
use crate::types::Scalar;

/// Arrays of windows, and the buffers that they pass through.
struct Windows {
    /// Rows and columns of a window, and how many there are down and across.
    shape: [i64; 2],
    counts: [i64; 2],
    /// Rows of the array from one row of the window to the next.
    skip: i64,
    /// Columns of the array; those behind the last window are in none.
    width: i64,
    /// Whether the array has one dimension, and whether subscripts are values.
    is_flat: bool,
    is_plain: bool,
    source: MemVar,
    result: MemVar,
    buffer: MemVar,
    sent: MemVar,
    tags: MemVar,
    /// Elements that move, which may leave out the end of the last row.
    count: i64,
    slots: i64,
    op: Bin,
}

impl Generator {
    /// Emits the loops over all windows of an array.
    pub(super) fn windows(&mut self, sink: &MemVar) {
        let windows = self.windows_of(sink);
        let is_pipelined = windows.slots > 1;
        self.times(windows.counts[0], &[], |this, down, _| {
            if is_pipelined {
                this.start_window(&windows, [&Expr::Dim(down), &Expr::Const(0)]);
            }
            this.times(windows.counts[1], &[], |this, across, _| {
                let own = [Expr::Dim(down), Expr::Dim(across)];
                match is_pipelined {
                    true => this.start_next(&windows, &own),
                    false => this.start_window(&windows, [&own[0], &own[1]]),
                }
                this.use_window(&windows, &own);
                Vec::new()
            });
            Vec::new()
        });
        self.checksum(&windows.result, sink);
    }

    fn windows_of(&mut self, sink: &MemVar) -> Windows {
        let element = match sink.ty.element {
            ty if ty.is_float() => Scalar::I32,
            ty => ty,
        };
        let shape = [self.random.between(1, 4), self.random.between(2, 5)];
        let counts = [self.random.between(1, 3), self.random.between(1, 4)];
        let skip = *self.random.pick(&[1, 1, 1, 2]);
        let width = shape[1] * counts[1] + *self.random.pick(&[0, 0, 3]);
        let rows = shape[0] * counts[0] * skip;
        let is_flat = self.random.chance(40);
        let sizes = match is_flat {
            true => vec![rows * width],
            false => vec![rows, width],
        };
        let slots = *self.random.pick(&[1, 2, 2, 3]);
        let space = *self.random.pick(&[1, 3, 3]);
        let left_out = match self.random.chance(25) {
            true => self.random.between(1, shape[1] - 1),
            false => 0,
        };
        let source = self.long(element, &sizes);
        let is_in_place = slots == 1 && self.random.chance(30);
        let buffer = self.buffer(element, &[slots, shape[0], shape[1]], space);
        if left_out > 0 {
            self.sweep_all(&buffer.sizes.clone(), &mut Vec::new(), &mut |this, at| {
                let zero = this.int(element, 3);
                let at = at.iter().map(|&iv| Expr::Dim(iv)).collect();
                this.store_at(zero, &buffer, at);
            });
        }
        Windows {
            shape,
            counts,
            skip,
            width,
            is_flat,
            is_plain: self.random.chance(25),
            result: match is_in_place {
                true => source.clone(),
                false => self.long(element, &sizes),
            },
            source,
            buffer,
            sent: self.buffer(element, &shape, space),
            tags: self.fresh(Scalar::I32, &[slots + 1]),
            count: shape[0] * shape[1] - left_out,
            slots,
            op: *self.random.pick(&FOLDS),
        }
    }

    /// Emits the start of the next window across, if there is one.
    fn start_next(&mut self, windows: &Windows, [down, across]: &[Expr; 2]) {
        let next = across.clone().plus(1);
        let (stmts, ()) = self.nested(|this| this.start_window(windows, [down, &next]));
        let op = Op::If {
            cond: Cond::Set(vec![(next.times(-1).plus(windows.counts[1] - 1), false)]),
            then: Block {
                stmts,
                yields: Vec::new(),
            },
            otherwise: None,
        };
        self.emit(op, Vec::new());
    }

    fn start_window(&mut self, windows: &Windows, at: [&Expr; 2]) {
        let slot = self.slot_of(windows, at[1]);
        let from = self.window_at(windows, &windows.source, at);
        let to = vec![slot.clone(), Expr::Const(0), Expr::Const(0)];
        let to = self.subscripted(windows, &windows.buffer, to);
        let tag = self.subscripted(windows, &windows.tags, vec![slot]);
        self.start_rows(windows, (from, to, tag));
    }

    /// Emits the wait for a window, what becomes of its elements, and the transfer of these to the result.
    fn use_window(&mut self, windows: &Windows, own: &[Expr; 2]) {
        let slot = self.slot_of(windows, &own[1]);
        let count = self.index(windows.count);
        let tag = self.subscripted(windows, &windows.tags, vec![slot.clone()]);
        self.emit(Op::DmaWait { tag, count }, Vec::new());
        let sends = self.random.chance(60);
        let [height, width] = windows.shape;
        self.times(height, &[], |this, r, _| {
            this.times(width, &[], |this, c, _| {
                let [r, c] = [r, c].map(Expr::Dim);
                let mirrored = c.clone().times(-1).plus(width - 1);
                let [one, other] = [c.clone(), mirrored]
                    .map(|c| this.load_at(&windows.buffer, vec![slot.clone(), r.clone(), c]));
                let value = this.bin(windows.op, one, other);
                match sends {
                    true => this.store_at(value, &windows.sent, vec![r, c]),
                    false => {
                        let at = this.element_in(windows, own, [r, c]);
                        this.store_at(value, &windows.result, at);
                    }
                }
                Vec::new()
            });
            Vec::new()
        });
        if !sends {
            return;
        }
        let from = vec![Expr::Const(0), Expr::Const(0)];
        let from = self.subscripted(windows, &windows.sent, from);
        let to = self.window_at(windows, &windows.result, [&own[0], &own[1]]);
        let tag = vec![Expr::Const(windows.slots)];
        let tag = self.subscripted(windows, &windows.tags, tag);
        self.start_rows(windows, (from, to, tag.clone()));
        self.emit(Op::DmaWait { tag, count }, Vec::new());
    }

    /// Emits the start of a transfer whose rows lie apart in the array.
    fn start_rows(&mut self, windows: &Windows, (from, to, tag): (Place, Place, Place)) {
        let numbers = [
            windows.count,
            windows.skip * windows.width,
            windows.shape[1],
        ];
        let [count, stride, each] = numbers.map(|number| self.index(number));
        let transfer = Transfer {
            from,
            to,
            tag,
            count,
            rows: Some((stride, each)),
        };
        self.emit(Op::DmaStart(transfer), Vec::new());
    }

    fn slot_of(&mut self, windows: &Windows, across: &Expr) -> Expr {
        match windows.slots {
            1 => Expr::Const(0),
            slots => Expr::Mod(Box::new(across.clone()), Box::new(Expr::Const(slots))),
        }
    }

    /// The first element of a window in an array.
    fn window_at(&mut self, windows: &Windows, mem: &MemVar, own: [&Expr; 2]) -> Place {
        let zero = || Expr::Const(0);
        let at = self.element_in(windows, &own.map(Clone::clone), [zero(), zero()]);
        self.subscripted(windows, mem, at)
    }

    /// The subscripts of an element of a window.
    fn element_in(&mut self, windows: &Windows, own: &[Expr; 2], inner: [Expr; 2]) -> Vec<Expr> {
        let [r, c] = inner;
        let sum = |left: Expr, right: Expr| Expr::Add(Box::new(left), Box::new(right));
        let row = own[0].clone().times(windows.shape[0] * windows.skip);
        let row = sum(row, r.times(windows.skip));
        let column = sum(own[1].clone().times(windows.shape[1]), c);
        match windows.is_flat {
            true => vec![sum(row.times(windows.width), column)],
            false => vec![row, column],
        }
    }

    fn subscripted(&mut self, windows: &Windows, mem: &MemVar, at: Vec<Expr>) -> Place {
        let at = match windows.is_plain {
            true => At::Plain(at.into_iter().map(|expr| self.apply(expr)).collect()),
            false => At::Affine(at),
        };
        Place { mem: mem.var, at }
    }
}
