//! Straight threads: every thread computes the iterations of a full tile, without a branch around them.
//!
//! ```text
//! affine.for %i = 0 to 100 {            %first = %block * 16                      // tiles of 2 iterations, 8 lanes
//!   %x = load %a[%i]             ⇒      %begin = min(%first, 84)
//!   store %x, %b[%i]                    %i0 = %begin + %lane, %i1 = %begin + 8 + %lane
//! }                                     %x0 = load %a[%i0], %x1 = load %a[%i1]
//!                                       scf.if %i0 >= %first { store %x0, %b[%i0] } …
//! ```
//!
//! A workgroup that would extend beyond the last iteration begins further back: it computes some iterations again that another
//! workgroup has, and stores none of these.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::gpu::LaunchArgs;
use gridloom_ir::Value;

use super::{Count, Mapper};
use crate::offload::jam::Jam;
use crate::offload::variance::Mask;

/// Iteration of a loop that a straight thread computes.
pub(super) struct Place {
    /// Number of the iteration, counted from the first one of the loop.
    number: Value,
    /// Whether the thread stores what it computes; `None` where it always does.
    stores: Option<Value>,
}

impl Mapper<'_> {
    /// The number of the thread's row of lanes, where the rows of a workgroup lie along x.
    pub(super) fn row_of_lanes(&mut self, args: &LaunchArgs) -> Value {
        let rows = self.b.index_constant(self.plan.block[1]);
        arith::linearize(&mut self.b, args.block_id[0], &[(rows, args.thread_id[1])])
    }

    /// The places of a straight thread along a loop, whose `tile` it is.
    pub(super) fn straight_places(&mut self, k: usize, tile: Option<Value>) -> Vec<Place> {
        let size = self.plan.tile[k];
        let lanes = self.lanes[0].filter(|_| self.plan.dims[0] == [k]);
        let first = match (lanes, self.starts[0]) {
            (Some(_), Some(start)) => self.scaled(start, size),
            _ => match tile {
                Some(tile) => self.scaled(tile, size),
                None => self.b.index_constant(0),
            },
        };
        let width = if lanes.is_some() {
            self.plan.block[0]
        } else {
            1
        };
        let mut begin = first;
        if let Count::Known(trips) = self.trips[k]
            && self.is_cut(k)
        {
            let last = self.b.index_constant(trips - size * width);
            begin = self.b.binary(arith::MINSI, first, last);
        }
        let mut places = Vec::new();
        for place in 0..size {
            let offset = self.b.index_constant(place * width);
            let mut number = self.b.binary(arith::ADDI, begin, offset);
            if let Some(lane) = lanes {
                number = self.b.binary(arith::ADDI, number, lane);
            }
            let stores = (begin != first)
                .then(|| CmpIOp::create(&mut self.b, CmpIPredicate::Sge, number, first));
            places.push(Place { number, stores });
        }
        places
    }

    /// The counters of a straight thread along a loop whose lower bound is `low`.
    pub(super) fn straight_points(&mut self, k: usize, low: Value, step: i64) -> Vec<Value> {
        let numbers: Vec<Value> = self.places[k].iter().map(|place| place.number).collect();
        let numbers = numbers.into_iter();
        let counters = numbers.map(|number| {
            let offset = self.scaled(number, step);
            self.b.binary(arith::ADDI, low, offset)
        });
        counters.collect()
    }

    /// Masks the stores of the points of a tile whose iterations are stored elsewhere.
    pub(super) fn mask_stores(&mut self, jam: &mut Jam) {
        let (mut masked, mut rows): (Mask, Vec<Vec<Value>>) = (0, Vec::new());
        for (k, places) in self.places.iter().enumerate() {
            let tests: Vec<Value> = places.iter().filter_map(|place| place.stores).collect();
            if !tests.is_empty() {
                masked |= 1 << k;
                rows.push(tests);
            }
        }
        if masked != 0 {
            let stores = self.at_points(None, &rows);
            jam.set_stores(masked, stores.into_iter().flatten().collect());
        }
    }
}
