//! Host part of a mapped nest: trip counts, the condition under which a kernel is launched, and the
//! sizes of the launch.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::gpu::{LaunchOp, LaunchSizes};
use gridloom_dialects::scf;
use gridloom_ir::{InsertPoint, Value};

use super::{MAX_GROUPS, Mapper};
use crate::analysis::values::Atom;
use crate::offload::plan::{BandLoop, Trips};
use crate::transform::atom_value::atom_value;
use crate::transform::lower_affine::expand;

/// Trip count: a constant, or a value on the host.
#[derive(Clone, Copy)]
pub(super) enum Count {
    Known(i64),
    Value(Value),
}

impl Count {
    /// Whether the count may be more than 1.
    pub(super) fn is_several(&self) -> bool {
        !matches!(self, Count::Known(..=1))
    }
}

/// Number of workgroups that keep the cores of a target busy on which threads walk spans.
const LEAST_GROUPS: i64 = 16;

impl Mapper<'_> {
    pub(super) fn value(&mut self, count: Count) -> Value {
        match count {
            Count::Known(value) => self.b.index_constant(value),
            Count::Value(value) => value,
        }
    }

    /// Emits the trip count of a loop on the host.
    pub(super) fn count(&mut self, l: &BandLoop) -> Count {
        let (exprs, atoms) = match &l.trips {
            Trips::Constant(value) => return Count::Known(*value),
            Trips::Least(exprs, atoms) => (exprs, atoms),
        };
        let values: Vec<Value> = atoms.iter().map(|&atom| self.atom(atom)).collect();
        let counts = expand(&mut self.b, exprs, &values, &[]);
        let least = counts
            .into_iter()
            .reduce(|x, y| self.b.binary(arith::MINSI, x, y));
        match least {
            Some(least) => Count::Value(least),
            None => Count::Known(0),
        }
    }

    /// Emits the number of tiles that cover the iterations of a loop, which has at least one.
    ///
    /// Spread tiles cover the iterations in blocks of one workgroup; the
    /// last block has no more tiles than iterations.
    pub(super) fn tiles(&mut self, k: usize) -> Count {
        let size = self.plan.tile[k];
        let pitch = self.plan.run_distance(k);
        match self.trips[k] {
            trips if size == 1 => trips,
            Count::Known(trips) if pitch == 1 => {
                let covered = trips.saturating_add(self.plan.lead(k));
                Count::Known((covered - 1).div_euclid(size) + 1)
            }
            Count::Known(trips) => {
                let whole = trips.div_euclid(size * pitch);
                let rest = trips - whole * size * pitch;
                Count::Known(whole * pitch + rest.min(pitch))
            }
            Count::Value(trips) if pitch == 1 => Count::Value(self.ceil_div(trips, size)),
            Count::Value(trips) => {
                let [all, pitch] = [size * pitch, pitch].map(|size| self.b.index_constant(size));
                let whole = self.b.binary(arith::DIVSI, trips, all);
                let covered = self.b.binary(arith::MULI, whole, all);
                let rest = self.b.binary(arith::SUBI, trips, covered);
                let rest = self.b.binary(arith::MINSI, rest, pitch);
                let whole = self.b.binary(arith::MULI, whole, pitch);
                Count::Value(self.b.binary(arith::ADDI, whole, rest))
            }
        }
    }

    /// `ceil(value / size)` of a positive value: `(value - 1) / size + 1`, which
    /// cannot overflow.
    pub(super) fn ceil_div(&mut self, value: Value, size: i64) -> Value {
        let [one, size] = [1, size].map(|number| self.b.index_constant(number));
        self.ceil_div_by(value, size, one)
    }

    /// The same by a positive value, where `one` is 1.
    fn ceil_div_by(&mut self, value: Value, size: Value, one: Value) -> Value {
        let last = self.b.binary(arith::SUBI, value, one);
        let last = self.b.binary(arith::DIVSI, last, size);
        self.b.binary(arith::ADDI, last, one)
    }

    pub(super) fn atom(&mut self, atom: Atom) -> Value {
        // Plans use values of the program only, so every atom has one.
        atom_value(&mut self.b, atom).unwrap_or_else(|| self.b.index_constant(0))
    }

    /// Guards the launch by the test that every loop has an iteration, where that is not known.
    pub(super) fn guard_launch(&mut self) {
        let open: Vec<Value> = (self.trips.iter())
            .filter_map(|count| match count {
                Count::Value(value) => Some(*value),
                Count::Known(_) => None,
            })
            .collect();
        let zero = self.b.index_constant(0);
        let mut tests: Vec<Value> = (open.into_iter())
            .map(|count| CmpIOp::create(&mut self.b, CmpIPredicate::Sgt, count, zero))
            .collect();
        for l in &self.plan.band {
            let (exprs, atoms) = &l.ordered;
            let values: Vec<Value> = atoms.iter().map(|&atom| self.atom(atom)).collect();
            for pair in expand(&mut self.b, exprs, &values, &[]).chunks_exact(2) {
                let test = CmpIOp::create(&mut self.b, CmpIPredicate::Slt, pair[0], pair[1]);
                tests.push(test);
            }
        }
        self.enter_if(tests);
    }

    /// Moves the insertion point into an `scf.if` on all of `tests`, if there are any.
    pub(super) fn enter_if(&mut self, tests: Vec<Value>) {
        let Some(condition) = self.all_of(tests) else {
            return;
        };
        let op = scf::IfOp::create(&mut self.b, condition, &[], false);
        let block = op.then_block(self.b.body);
        scf::yield_values(&mut self.b, block, &[]);
        self.b.set(InsertPoint::Start(block));
    }

    /// Emits the conjunction of `tests`, if there are any.
    pub(super) fn all_of(&mut self, tests: Vec<Value>) -> Option<Value> {
        let tests = tests.into_iter();
        tests.reduce(|x, y| self.b.binary(arith::ANDI, x, y))
    }

    /// Emits the product of the trip counts of some loops.
    pub(super) fn total(&mut self, loops: &[usize]) -> Count {
        let counts: Vec<Count> = loops.iter().map(|&k| self.counts[k]).collect();
        let product = counts.into_iter().reduce(|x, y| match (x, y) {
            (Count::Known(x), Count::Known(y)) if x.checked_mul(y).is_some() => Count::Known(x * y),
            _ => {
                let (x, y) = (self.value(x), self.value(y));
                Count::Value(self.b.binary(arith::MULI, x, y))
            }
        });
        product.unwrap_or(Count::Known(1))
    }

    /// Emits the spans along y and z where a thread shares its span among all dimensions: what an x of few steps leaves of it,
    /// in pieces as even as possible, as long as workgroups for all cores remain.
    ///
    /// ```text
    /// %steps = ceil(%x / 8), %left = max(min(22 / %steps, %y * %z / 16), 1)
    /// %span_y = %y in pieces of up to %left, %left_z = %left / %span_y, …
    /// ```
    pub(super) fn share_span(&mut self, totals: &[Count]) {
        let others = [1, 2].map(|dim| !matches!(totals[dim], Count::Known(..=1)));
        let Some(all) = self.plan.shared_span().filter(|_| others.contains(&true)) else {
            return;
        };
        let [x, y, z] = [0, 1, 2].map(|dim| self.value(totals[dim]));
        let [one, all, least] = [1, all, LEAST_GROUPS].map(|number| self.b.index_constant(number));
        let steps = self.ceil_div(x, self.plan.block[0]);
        let left = self.b.binary(arith::DIVSI, all, steps);
        // Beyond so many workgroups, more make no difference, and their product does not overflow.
        let most = self.b.index_constant(MAX_GROUPS);
        let [rows, planes] = [y, z].map(|count| self.b.binary(arith::MINSI, count, most));
        let groups = self.b.binary(arith::MULI, rows, planes);
        let groups = self.b.binary(arith::DIVSI, groups, least);
        let left = self.b.binary(arith::MINSI, left, groups);
        let mut left = self.b.binary(arith::MAXSI, left, one);
        for (dim, count) in [(1, y), (2, z)] {
            if !others[dim - 1] {
                continue;
            }
            let pieces = self.ceil_div_by(count, left, one);
            let span = self.ceil_div_by(count, pieces, one);
            left = self.b.binary(arith::DIVSI, left, span);
            self.spans[dim] = Count::Value(span);
        }
    }

    /// Emits the number of threads along a dimension that cover `total` tiles, each thread as many
    /// as the plan's span.
    pub(super) fn walkers(&mut self, dim: usize, total: Count) -> Count {
        let block = self.plan.block[dim];
        let span = match self.spans[dim] {
            Count::Known(span) => span,
            // Workgroups have one thread along such dimensions.
            Count::Value(span) => {
                let [total, one] = [total, Count::Known(1)].map(|count| self.value(count));
                return Count::Value(self.ceil_div_by(total, span, one));
            }
        };
        match total {
            total if span == 1 => total,
            // Rounds up to whole workgroups, since the threads of one interleave along its span.
            Count::Known(total) => Count::Known(((total - 1).div_euclid(span * block) + 1) * block),
            Count::Value(total) => {
                let groups = self.ceil_div(total, span * block);
                let size = self.b.index_constant(block);
                Count::Value(self.b.binary(arith::MULI, groups, size))
            }
        }
    }

    pub(super) fn launch(&mut self, totals: &[Count]) -> LaunchOp {
        let block = self.plan.block.map(|size| self.b.index_constant(size));
        let mut grid = block;
        for (dim, slot) in grid.iter_mut().enumerate() {
            let side = self.plan.threads_along(dim);
            *slot = self.groups(totals[dim], side);
        }
        LaunchOp::create(&mut self.b, LaunchSizes { grid, block })
    }

    /// Emits the number of workgroups for `total` threads, up to the limit.
    pub(super) fn groups(&mut self, total: Count, block: i64) -> Value {
        match total {
            Count::Known(total) => {
                let groups = total.max(0).unsigned_abs().div_ceil(block.unsigned_abs());
                let groups = i64::try_from(groups).unwrap_or(i64::MAX);
                let most = if self.plan.walks_grid {
                    MAX_GROUPS
                } else {
                    groups
                };
                self.b.index_constant(groups.min(most))
            }
            Count::Value(total) => {
                let groups = self.ceil_div(total, block);
                if !self.plan.walks_grid {
                    return groups;
                }
                let most = self.b.index_constant(MAX_GROUPS);
                self.b.binary(arith::MINSI, groups, most)
            }
        }
    }
}
