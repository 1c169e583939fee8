//! Marks: scatters that store one value, whichever iteration stores. They need no order, only to be atomic.
//!
//! ```text
//! memref.store %true, %seen[%k]   ⇒   memref.atomic_rmw assign %true, %seen[%k]
//! ```

use gridloom_dialects::memref;
use gridloom_ir::scalar::Accumulate;
use gridloom_ir::types::FloatKind;
use gridloom_ir::{Body, Builder, Context, OpId, Type};

use super::array_of;
use crate::analysis::update::is_set_once;
use crate::transform::affine_atomic_updates::write::accumulate;

/// Number of bits of the widest element that every device exchanges atomically.
const WORD: u32 = 32;

/// Whether scatters store one value to each array, of a type that every device exchanges atomically.
pub(super) fn are_marks(ctx: &Context, body: &Body, scatters: &[OpId]) -> bool {
    let value = |store: OpId| memref::StoreOp(store).value(body);
    scatters.iter().all(|&store| {
        let of_array =
            (scatters.iter()).filter(|&&other| array_of(body, other) == array_of(body, store));
        is_set_once(body, value(store))
            && is_exchanged(ctx, body.ty(value(store)))
            && of_array
                .into_iter()
                .all(|&other| value(other) == value(store))
    })
}

fn is_exchanged(ctx: &Context, element: Type) -> bool {
    element.float_kind(ctx) == Some(FloatKind::F32)
        || (element.signless_width(ctx)).is_some_and(|bits| bits <= WORD && bits.is_multiple_of(8))
}

/// Makes the stores of marks atomic.
pub(super) fn make_atomic(ctx: &Context, body: &mut Body, marks: &[OpId]) {
    for &mark in marks {
        let store = memref::StoreOp(mark);
        let (memref, indices) = (store.memref(body), store.indices(body).to_vec());
        let value = store.value(body);
        let mut b = Builder::before(ctx, body, mark);
        // `AtomicRMWKind` of MLIR has this kind.
        let Some(kind) = Accumulate::Assign.number() else {
            continue;
        };
        accumulate(&mut b, kind, value, memref, &indices);
        body.erase(mark);
    }
}
