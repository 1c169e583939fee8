//! Table: the elements that a nest of two loops stores, and their neighbours.
//!
//! Each subscript of the store is `a i + b j + c` for the counters `i`, `j` of the two loops and a `c` that is the same in
//! all iterations: `s[i, j]` has a subscript for each, `s[800 i + j]` one for both.

use gridloom_dialects::affine::{ForOp, LoadOp, StoreOp};
use gridloom_ir::{Body, Context, OpId, Value};

use crate::transform::elimination::gcd;
use crate::transform::linear_form::LinearForm;

/// Limit of a stride: subscripts leave 64 bits only after more iterations than any run has.
const MAX_STRIDE: u64 = 1 << 20;

/// Neighbour of the stored element that a sum loads, by the iteration that stores it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Neighbour {
    Own,
    Above,
    Before,
    Corner,
}

/// Table: the elements that a nest of two loops stores.
pub(super) struct Table<'a> {
    pub(super) ctx: &'a Context,
    pub(super) body: &'a Body,
    pub(super) loops: [ForOp; 2],
    pub(super) store: StoreOp,
    /// Strides of each subscript: its step from one iteration of each loop to the next.
    strides: Vec<[i64; 2]>,
}

impl<'a> Table<'a> {
    pub(super) fn of(
        ctx: &'a Context,
        body: &'a Body,
        loops: [ForOp; 2],
        store: StoreOp,
    ) -> Option<Table<'a>> {
        let operands = store.operands(body);
        let ty = body.ty(store.memref(body)).memref(ctx)?;
        if ty.layout.is_some() || body.is_defined_in(store.memref(body), loops[0].0) {
            return None;
        }
        let counters = loops.map(|l| l.induction_var(body));
        let is_fixed =
            |value: &Value| counters.contains(value) || !body.is_defined_in(*value, loops[0].0);
        if !operands.iter().all(is_fixed) {
            return None;
        }
        let map = store.map(ctx, body);
        let dims = map.data(ctx).dims as usize;
        let strides = map.results(ctx).iter().map(|&subscript| {
            let form = LinearForm::of(ctx, subscript, dims, operands, counters)?;
            let mut strides = [0; 2];
            for ((stride, factor), l) in strides.iter_mut().zip(form.factors).zip(loops) {
                let distance = factor.checked_mul(l.step(ctx, body).into())?;
                let distance = i64::try_from(distance).ok();
                *stride = distance.filter(|distance| distance.unsigned_abs() <= MAX_STRIDE)?;
            }
            Some(strides)
        });
        Some(Table {
            ctx,
            body,
            loops,
            store,
            strides: strides.collect::<Option<_>>()?,
        })
    }

    /// Whether all iterations store different elements, and none that iterations of one more row in front, and of as many
    /// more columns, would.
    ///
    /// Iterations that are `(x, y)` apart meet where `a x + b y = 0` for all subscripts. With two independent
    /// subscripts, there is no such `(x, y)` but `(0, 0)`; with one, it is a multiple of `(b, -a) / gcd(a, b)`, and no
    /// two iterations are that far apart if there are fewer rows than `|b| / gcd`, or fewer columns than `|a| / gcd`.
    pub(super) fn has_distinct_elements(&self, columns_before: u64) -> bool {
        let crossed = |one: &[i64; 2], other: &[i64; 2]| one[0] * other[1] != one[1] * other[0];
        let Some(one) = self.strides.iter().find(|strides| **strides != [0; 2]) else {
            return false;
        };
        if self.strides.iter().any(|other| crossed(one, other)) {
            return true;
        }
        let [rows, columns] = self
            .loops
            .map(|l| l.constant_trip_count(self.ctx, self.body));
        let [along_rows, along_columns] = one.map(i64::unsigned_abs);
        let common = gcd(along_rows, along_columns);
        let are_fewer = |trips: Option<u64>, more: u64, period: u64| {
            trips
                .and_then(|trips| trips.checked_add(more))
                .is_some_and(|trips| trips <= period)
        };
        along_rows > 0
            && along_columns > 0
            && (are_fewer(columns, columns_before, along_rows / common)
                || are_fewer(rows, 1, along_columns / common))
    }

    /// The neighbour that an `affine.load` in the inner loop reads, if it reads the table.
    pub(super) fn neighbour(&self, op: OpId) -> Option<(LoadOp, Neighbour)> {
        let (ctx, body) = (self.ctx, self.body);
        let load = LoadOp::cast(body, op)?;
        let [from, to] = [load.map(ctx, body), self.store.map(ctx, body)];
        let ([a, b], is_same) = (
            [from.data(ctx), to.data(ctx)],
            load.memref(body) == self.store.memref(body)
                && load.operands(body) == self.store.operands(body),
        );
        if !is_same || (a.dims, a.symbols) != (b.dims, b.symbols) {
            return None;
        }
        let distances = a.results.iter().zip(&b.results).map(|(&from, &to)| {
            let ((from, start), (to, end)) = (from.split_constant(ctx), to.split_constant(ctx));
            end.checked_sub(start).filter(|_| from == to)
        });
        let distances: Vec<i64> = distances.collect::<Option<_>>()?;
        let which = [
            (Neighbour::Own, [0, 0]),
            (Neighbour::Above, [1, 0]),
            (Neighbour::Before, [0, 1]),
            (Neighbour::Corner, [1, 1]),
        ];
        let is_back = |&(_, back): &(Neighbour, [i64; 2])| {
            let mut pairs = distances.iter().zip(&self.strides);
            pairs.all(|(&distance, stride)| distance == back[0] * stride[0] + back[1] * stride[1])
        };
        let (which, _) = which.into_iter().find(is_back)?;
        Some((load, which))
    }
}
