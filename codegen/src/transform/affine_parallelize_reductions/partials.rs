//! Subscripts of partial results in their arrays.

use gridloom_dialects::affine;
use gridloom_ir::{AffineMap, Builder, Context, Value};

/// Elements of the partial results for one iteration of the loops around a nest.
pub(super) struct Cell {
    /// Map from the counters of the loops around, then a thread's number where there is one, to
    /// subscripts.
    pub(super) map: AffineMap,
    pub(super) counters: Vec<Value>,
}

impl Cell {
    /// The elements of a nest without loops around: one for each thread.
    pub(super) fn of_nest(ctx: &Context) -> Cell {
        Cell {
            map: ctx.affine_map(1, 0, &[ctx.affine_dim(0)]),
            counters: Vec::new(),
        }
    }

    /// Stores a value in the element of each array.
    pub(super) fn store(
        &self,
        b: &mut Builder,
        values: &[Value],
        arrays: &[Value],
        place: Option<Value>,
    ) {
        let operands = self.operands(place);
        for (&value, &array) in values.iter().zip(arrays) {
            affine::StoreOp::create(b, value, array, self.map, &operands);
        }
    }

    /// Loads the element of each array.
    pub(super) fn load(
        &self,
        b: &mut Builder,
        arrays: &[Value],
        place: Option<Value>,
    ) -> Vec<Value> {
        let operands = self.operands(place);
        let load = |&array| affine::LoadOp::create(b, array, self.map, &operands);
        arrays.iter().map(load).collect()
    }

    fn operands(&self, place: Option<Value>) -> Vec<Value> {
        self.counters.iter().copied().chain(place).collect()
    }
}
