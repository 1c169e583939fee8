//! Sinkable statements: those in front of an inner loop that its iterations may repeat.
//!
//! ```text
//! loop %i {                     loop %i {
//!   %v = load %a[%i]              loop %j {
//!   loop %j {            ⇒          %v = load %a[%i]
//!     … %v …                        … %v …
//! ```
//!
//! Legal where the statements are pure or load, and nothing below the inner loop writes an element that they load: each
//! iteration then finds what the statement found once. Past [`MAX_ACCESSES`] pairs of accesses the answer is no.

use gridloom_ir::OpId;
use gridloom_ir::op::Traits;

use super::access::{Access, accesses_below, accesses_of};
use super::dependence::{Dependences, Scope};
use super::load_store::is_load;
use super::parallel::MAX_ACCESSES;

/// Whether `statements`, which stand in front of the loop `inner` in the same block, can be repeated in its iterations.
pub fn can_repeat(deps: &mut Dependences, statements: &[OpId], inner: OpId) -> bool {
    let body = deps.values.body;
    let Some(block) = body[inner].parent() else {
        return false;
    };
    let mut loads = Vec::new();
    for &op in statements {
        if !is_load(body, op) && !body[op].name.has(Traits::PURE) {
            return false;
        }
        accesses_of(&mut deps.values, op, &mut loads);
    }
    are_unchanged(deps, &loads, inner, Scope::Block(block)) == Some(true)
}

/// Whether nothing below `root` writes, within `scope`, an element that `loads` read; `None` past
/// [`MAX_ACCESSES`] pairs of accesses.
pub fn are_unchanged(
    deps: &mut Dependences,
    loads: &[Access],
    root: OpId,
    scope: Scope,
) -> Option<bool> {
    if loads.is_empty() {
        return Some(true);
    }
    let below = accesses_below(&mut deps.values, root);
    let writes: Vec<_> = below.iter().filter(|access| access.is_write).collect();
    if loads.len() * writes.len() > MAX_ACCESSES {
        return None;
    }
    let mut pairs = (loads.iter()).flat_map(|load| writes.iter().map(move |&write| (load, write)));
    Some(pairs.all(|(load, write)| deps.test(scope, load, write).is_independent()))
}
