//! Scans along rows: a workgroup walks each row tile by tile.
//!
//! ```text
//! affine.for %i = 0 to %m {                  affine.for %i = 0 to %m {
//!   affine.for %j = 0 to %n                    %tile, %own, %half = memref.alloc …
//!       iter_args(%acc = %z) {         ⇒       affine.for %t = 0 to (number of tiles) iter_args(%acc = %z) {
//!     … affine.store %y, %b[%i, %j]              … the scan of tile %t, from %acc      // tiles.rs
//!     affine.yield %y                            affine.yield %acc op %half[0] op %half[1] …
//! } }                                        } }
//! ```
//!
//! Each row is read and written once. What a row starts a tile from is the same in every thread, so that it needs no
//! memory. Other loops of the row are shared by the threads of the workgroup
//! (`affine_parallelize_reductions/row_sharing.rs`).

use gridloom_dialects::affine::{Bound, ForOp, LoadOp};
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId};

use super::blocks::Tiling;
use super::carried::recurrences;
use super::combine::Recurrence;
use super::scan_loop::{ScanLoop, has_safe_bounds, only_computes};
use super::tiles::Tiles;
use crate::analysis::load_store::is_store;
use crate::transform::affine_parallelize_reductions::Policy;
use crate::transform::emit_loops::{bound, close};
use crate::transform::unrolled_rows::row_of;

/// Limit of the iterations that a thread has of a tile: each is unrolled three times.
const MAX_EACH: i64 = 16;

/// Limit of the iterations that a thread loads at a time of a tile that may not be complete.
const MAX_ROW: i64 = 4;

/// Row scan: a scan that is one of the loops of a row.
pub(in crate::transform) struct RowScan {
    scan: ScanLoop,
    recurrence: Recurrence,
    tiling: Tiling,
}

/// Whether a loop has the form of a scan without segments.
pub(in crate::transform) fn scans(policy: &Policy, op: ForOp) -> bool {
    let (ctx, body) = (policy.deps.values.ctx, policy.deps.values.body);
    let uses = policy.deps.values.uses();
    let found = recurrences(ctx, body, &uses, op, policy.options.reassociate);
    found.is_some_and(|found| matches!(&found[..], [one] if one.unsegmented().is_some()))
}

impl RowScan {
    /// Plans a scan in a row of `threads` threads, in `bytes` of workgroup memory.
    pub(in crate::transform) fn plan(
        policy: &mut Policy,
        op: ForOp,
        threads: i64,
        bytes: i64,
    ) -> Option<RowScan> {
        let (ctx, body) = (policy.deps.values.ctx, policy.deps.values.body);
        let is_plain = |part: OpId| is_store(body, part) || only_computes(body, part);
        let mut below = body.walk_op(op.0).into_iter().filter(|&part| part != op.0);
        if !below.all(is_plain) || !policy.walks_rows(op) {
            return None;
        }
        let (uses, reassociate) = (policy.deps.values.uses(), policy.options.reassociate);
        let scan = ScanLoop::of(&mut policy.deps, &uses, op, reassociate)?;
        let recurrence = *scan.single()?;
        let is_small = row_of(body, op, 2) > 1;
        let length = op.constant_trip_count(ctx, body);
        let length = length.map(|length| i64::try_from(length).unwrap_or(i64::MAX));
        let ty = recurrence.ty;
        let tiling = Tiling::within(ctx, ty, threads, bytes, is_small)?.for_rows(length);
        has_safe_bounds(&mut policy.deps, op, tiling.span(), tiling.reach()).then_some(RowScan {
            scan,
            recurrence,
            tiling,
        })
    }

    /// Rewrites the loop in place.
    pub(in crate::transform) fn apply(&self, ctx: &Context, body: &mut Body) {
        let op = self.scan.op;
        let tiles = Tiles {
            scan: &self.scan,
            recurrence: self.recurrence,
            tiling: &self.tiling,
        };
        let count = self.scan.count(ctx, body, self.tiling.span());
        let mut b = Builder::before(ctx, body, op.0);
        let arrays = tiles.allocate(&mut b);
        let inits = op.inits(ctx, b.body).to_vec();
        let new = ForOp::create(&mut b, Bound::constant(ctx, 0), bound(&count), 1, &inits);
        let block = new.block(b.body);
        b.set(InsertPoint::End(block));
        let (number, carried) = (new.induction_var(b.body), new.iter_args(b.body)[0]);
        tiles.scan_tile(&mut b, &arrays, number, |_| carried);
        let mut next = carried;
        for part in 0..self.tiling.parts() {
            let sum = LoadOp::create(&mut b, arrays.sums.half, ctx.constant_map(part), &[]);
            next = tiles.combine(&mut b, next, sum);
        }
        let last = close(&mut b, new, &[next])[0];
        arrays.free(&mut b);
        body.replace_op(op.0, &[last]);
    }
}

impl Tiling {
    /// The tiles for rows of a length, if that is known: as few as possible, all about as large.
    fn for_rows(self, length: Option<i64>) -> Tiling {
        let most = self.each.min(MAX_EACH);
        let each = length.map_or(most, |length| {
            let all = (length.max(1) - 1) / self.threads + 1;
            let tiles = (all - 1) / most + 1;
            (all - 1) / tiles + 1
        });
        let is_full = length.is_some_and(|length| length % (each * self.threads) == 0);
        let is_small = self.row > 1;
        if is_full || !is_small || each <= MAX_ROW {
            let row = if is_small { each } else { 1 };
            return Tiling {
                each,
                row,
                is_full: is_full && is_small,
                ..self
            };
        }
        // Iterations behind the last whole row of an incomplete tile follow one by one.
        let rows = ((each - 1) / MAX_ROW + 1).min(most / MAX_ROW);
        Tiling {
            each: rows * MAX_ROW,
            row: MAX_ROW,
            ..self
        }
    }
}
