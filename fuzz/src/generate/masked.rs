//! Generation of masked vector loads and stores.

use super::{Generator, MemVar, Role};
use crate::program::{At, Bin, Block, Bound, IntPred, MaskedMove, Op, Step, Var};
use crate::types::{Layout, Scalar};

impl Generator {
    /// Emits a move of a vector from memory to memory, without unset lanes.
    pub(super) fn masked_move(&mut self) {
        if let Some(to) = self.pick_rows(|mem| mem.writable) {
            self.masked_move_to(&to);
        }
    }

    /// Emits a parallel loop that moves a vector to each row of an array, or a lane to each
    /// element, as GPU programs do.
    pub(super) fn masked_sweep(&mut self) {
        let Some(to) = self.pick_rows(|mem| mem.writable && mem.ty.rank() <= 2) else {
            return;
        };
        let count = to.sizes[0];
        let [lower, upper, step] = [0, count, 1].map(|value| self.index(value));
        self.budget -= 1;
        let outer = (self.trips, self.parallel.clone());
        self.trips = self.trips.saturating_mul(count);
        let (stmts, iv) = self.nested(|this| {
            let iv = this.argument(Scalar::Index, Role::Plain, 0, count - 1);
            this.parallel = vec![iv];
            this.masked_move_to(&to);
            iv
        });
        (self.trips, self.parallel) = outer;
        let op = Op::Parallel {
            affine: false,
            ivs: vec![iv],
            lower: vec![Bound::Value(lower)],
            upper: vec![Bound::Value(upper)],
            steps: vec![Step::Value(step)],
            reductions: Vec::new(),
            body: Block {
                stmts,
                yields: Vec::new(),
            },
        };
        self.emit(op, Vec::new());
    }

    /// Chooses an array of the kind with rows long enough for vectors.
    fn pick_rows(&mut self, kind: impl Fn(&MemVar) -> bool) -> Option<MemVar> {
        let fits = |mem: &&MemVar| holds_rows(mem) && kind(mem);
        let fitting: Vec<MemVar> = self.mems.iter().filter(fits).cloned().collect();
        (!fitting.is_empty()).then(|| self.random.pick(&fitting).clone())
    }

    /// Emits a masked move, often followed by unmasked accesses of the first lanes.
    fn masked_move_to(&mut self, to: &MemVar) {
        let element = to.ty.element;
        let other = |mem: &MemVar| mem.ty.element == element && mem.var != to.var;
        let from = self.pick_rows(other).unwrap_or_else(|| to.clone());
        let lanes = *self.random.pick(&[2, 3, 4, 4, 4, 8]);
        let passed = self.value(element, 0);
        let (from_at, read) = self.lanes_of(&from, lanes, false);
        let (to_at, write) = self.lanes_of(to, lanes, true);
        let op = Op::MaskedMove(MaskedMove {
            from: from.var,
            from_at: from_at.clone(),
            read,
            passed,
            to: to.var,
            to_at: to_at.clone(),
            write,
        });
        self.emit(op, Vec::new());
        if self.random.chance(50) {
            let load = Op::Load {
                mem: from.var,
                at: At::Plain(from_at),
            };
            let value = self.scalar(load, element);
            let store = Op::Store {
                value,
                mem: to.var,
                at: At::Plain(to_at),
            };
            self.emit(store, Vec::new());
        }
    }

    /// Draws the subscripts of the first lane, and for each lane whether it is set. The written
    /// vector mostly lies in the iteration's own row.
    fn lanes_of(&mut self, mem: &MemVar, lanes: i64, writes: bool) -> (Vec<Var>, Vec<Var>) {
        let (&size, rows) = mem.sizes.split_last().unwrap_or((&0, &[]));
        let own = match writes && self.random.chance(88) {
            true => self.parallel.clone(),
            false => Vec::new(),
        };
        let mut at: Vec<Var> = (rows.iter().enumerate())
            .map(|(dim, &size)| match own.get(dim) {
                Some(&iv) => iv,
                None => self.plain_index(size),
            })
            .collect();
        if let Some(&iv) = own.get(rows.len()) {
            at.push(iv);
            let set = (0..lanes).map(|lane| match lane {
                0 => self.value(Scalar::I1, 1),
                _ => self.scalar(Op::Const(0), Scalar::I1),
            });
            return (at, set.collect());
        }
        // Any index: lanes in the row are set, which no compiler can know.
        let first = match self.random.chance(40) {
            true => self.value(Scalar::Index, 1),
            false => self.plain_index(size),
        };
        at.push(first);
        let all_inside = (self.scalars.iter().find(|known| known.var == first))
            .is_some_and(|known| known.low >= 0 && known.high.saturating_add(lanes) <= size);
        let fits = all_inside && self.random.chance(60);
        let set = (0..lanes).map(|lane| match fits {
            true => self.value(Scalar::I1, 1),
            false => self.lane_in_range(first, lane, size),
        });
        let set = set.collect();
        (at, set)
    }

    /// Emits whether a lane lies in its row, sometimes with one more condition.
    fn lane_in_range(&mut self, first: Var, lane: i64, size: i64) -> Var {
        let (way, end) = (self.index(lane), self.index(size));
        let at = self.scalar(Op::Bin(Bin::AddI, first, way), Scalar::Index);
        let inside = self.scalar(Op::CmpI(IntPred::Ult, at, end), Scalar::I1);
        if self.random.chance(70) {
            return inside;
        }
        let also = self.value(Scalar::I1, 1);
        self.scalar(Op::Bin(Bin::AndI, inside, also), Scalar::I1)
    }
}

/// Whether neighbours along the last dimension are adjacent in memory, as vectors require.
fn holds_rows(mem: &MemVar) -> bool {
    let unit_stride = match &mem.ty.layout {
        Layout::Identity => true,
        Layout::Strided { strides, .. } => strides.last() == Some(&Some(1)),
        Layout::Map(_) => false,
    };
    unit_stride && mem.ty.rank() > 0 && !mem.sizes.contains(&0)
}
