//! Nests that copy elements between an array and a buffer.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::body::Uses;
use gridloom_ir::{AffineExpr, AffineMap, BlockId, OpId, Value};

use crate::analysis::values::{AffineValues, Atom};

/// Direction of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    /// From an array to the buffer.
    In,
    /// From the buffer to an array.
    Out,
}

/// Copy of elements between an array and a buffer: a nest of loops around a load and a store.
pub(super) struct Copy {
    /// The nest.
    pub(super) root: OpId,
    pub(super) array: Value,
    /// The access of the array.
    pub(super) access: OpId,
    /// The access of the buffer.
    pub(super) end: OpId,
    /// The element of the array that belongs to one of the buffer, whose subscripts are the atoms
    /// [`Atom::Fresh`].
    pub(super) coords: Vec<AffineExpr>,
    /// Whether each element of the array belongs to one element of the buffer at most.
    pub(super) is_injective: bool,
}

impl Copy {
    /// The copy that an access of a buffer is an end of: its nest stands in `block`, and each of its counters
    /// alone, with what does not change in it, is a subscript of the buffer.
    pub(super) fn of(
        values: &mut AffineValues,
        uses: &Uses,
        (block, end): (BlockId, OpId),
        direction: Direction,
    ) -> Option<Copy> {
        let body = values.body;
        let access = match direction {
            Direction::In => body.defining_op(affine::StoreOp::cast(body, end)?.value(body))?,
            Direction::Out => {
                let loaded = affine::LoadOp::cast(body, end)?.result(body);
                let user = uses.of(loaded).first()?.op;
                let store = affine::StoreOp::cast(body, user)?;
                (store.value(body) == loaded).then_some(store.0)?
            }
        };
        let is_single = |op: OpId| body[op].results().all(|value| uses.of(value).len() == 1);
        let is_copy = matches!(body[access].name, affine::LOAD | affine::STORE)
            && body[access].parent() == body[end].parent()
            && is_single(access)
            && (direction == Direction::In || is_single(end));
        let root = body.ancestor_in_block(end, block)?;
        if !is_copy || root == end {
            return None;
        }
        let below = body.ancestors(end).take_while(|&op| op != root);
        let mut counters = Vec::new();
        for op in below.chain([root]) {
            let counter = ForOp::cast(body, op)?.induction_var(body);
            counters.push(values.atom_number(Atom::Value(counter)));
        }
        let place = affine::Access::cast(body, access)?;
        let own = affine::Access::cast(body, end)?;
        if place.memref(body) == own.memref(body) {
            return None;
        }
        let of_buffer = subscripts(values, own)?;
        let of_array = subscripts(values, place)?;
        let known = inverse(values, root, &counters, &of_buffer)?;
        let coords: Vec<AffineExpr> = (of_array.iter())
            .map(|&expr| values.linear(values.with_atoms(expr, &known)))
            .collect();
        let array = place.memref(body);
        let is_fixed = coords.iter().all(|&expr| values.is_invariant(expr, root))
            && !body.is_defined_in(array, root);
        let is_injective = is_injective(values, &counters, &of_array);
        is_fixed.then_some(Copy {
            root,
            array,
            access,
            end,
            coords,
            is_injective,
        })
    }

    /// The element of the array for that of the buffer which `op` accesses; `None` where no affine operation
    /// can name it there.
    pub(super) fn element_at(
        &self,
        values: &mut AffineValues,
        op: OpId,
    ) -> Option<(AffineMap, Vec<Value>)> {
        let subscripts = subscripts(values, affine::Access::cast(values.body, op)?)?;
        let known: Vec<(u32, AffineExpr)> = (0..)
            .zip(subscripts)
            .map(|(number, subscript)| (values.atom_number(Atom::Fresh(number)), subscript))
            .collect();
        let exprs: Vec<AffineExpr> = (self.coords.iter())
            .map(|&expr| values.linear(values.with_atoms(expr, &known)))
            .collect();
        values.map_at(op, &exprs)
    }
}

fn subscripts(values: &mut AffineValues, access: affine::Access) -> Option<Vec<AffineExpr>> {
    let (map, operands) = (
        access.map(values.ctx, values.body),
        access.operands(values.body),
    );
    let exprs = values.map_exprs(access.op, map, operands);
    exprs.into_iter().collect()
}

/// The counters of a nest, for the element of the buffer with subscripts [`Atom::Fresh`].
fn inverse(
    values: &mut AffineValues,
    root: OpId,
    counters: &[u32],
    subscripts: &[AffineExpr],
) -> Option<Vec<(u32, AffineExpr)>> {
    let ctx = values.ctx;
    let mut known: Vec<(u32, AffineExpr)> = Vec::new();
    for (number, &subscript) in (0..).zip(subscripts) {
        let mut moving = Vec::new();
        for &counter in counters {
            match values.coefficient(subscript, counter)? {
                0 => {}
                factor => moving.push((counter, factor)),
            }
        }
        let rest = match moving[..] {
            [] => subscript,
            [(counter, 1)] => {
                let rest = values.linear(ctx.affine_sub(subscript, ctx.affine_dim(counter)));
                let element = values.atom_expr(Atom::Fresh(number));
                known.push((counter, ctx.affine_sub(element, rest)));
                rest
            }
            _ => return None,
        };
        if !values.is_invariant(rest, root) {
            return None;
        }
    }
    let is_known = |counter| known.iter().any(|&(known, _)| known == counter);
    let is_inverse = known.len() == counters.len() && counters.iter().all(|&c| is_known(c));
    is_inverse.then_some(known)
}

/// Whether each counter alone moves one of the subscripts.
fn is_injective(values: &AffineValues, counters: &[u32], subscripts: &[AffineExpr]) -> bool {
    let moves_alone = |counter: u32, subscript: AffineExpr| {
        counters.iter().all(|&other| {
            let factor = values.coefficient(subscript, other);
            factor.is_some_and(|factor| (factor != 0) == (other == counter))
        })
    };
    let is_told = |&counter: &u32| {
        subscripts
            .iter()
            .any(|&subscript| moves_alone(counter, subscript))
    };
    counters.iter().all(is_told)
}
