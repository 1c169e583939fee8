//! Transfers between vectors and shaped values: `vector.transfer_read`,
//! `vector.transfer_write`.

use super::attrs::BOOL_LIST;
use super::transfer_form::{parse_read, parse_write, print_read, print_write};
use super::types::{ANY_VECTOR, MASK, SHAPED, VectorShape, bits, can_be_element, parts};
use crate::verified::{required, required_map};
use gridloom_ir::affine::{AffineExprKind, AffineMap};
use gridloom_ir::body::{Body, OpId, Value};
use gridloom_ir::constraints::*;
use gridloom_ir::context::Context;
use gridloom_ir::op::{AttrDef, OpDef, Traits, ValueDef};
use gridloom_ir::text::attr_string;
use gridloom_ir::types::{Type, TypeKind};
use gridloom_ir::verify::{Check, Checked};

const INDICES: ValueDef = many("indices", INDEX);
const ATTRS: &[AttrDef] = &[attr("permutation_map", MAP), attr("in_bounds", BOOL_LIST)];

/// Reads the slice at the indices, permuted and broadcast by the map; elements
/// out of bounds or masked off are the padding.
pub(super) const TRANSFER_READ: OpDef = OpDef::new("vector.transfer_read")
    .with(Traits::ATTR_SIZED_OPERANDS)
    .operands(&[
        one("base", SHAPED),
        INDICES,
        one("padding", ANY),
        maybe("mask", MASK),
    ])
    .results(&[one("vector", ANY_VECTOR)])
    .attrs(ATTRS)
    .custom(parse_read, print_read)
    .verify_kind(verify_read);

/// Writes the slice at the indices; the result is the new tensor if the base is
/// one.
pub(super) const TRANSFER_WRITE: OpDef = OpDef::new("vector.transfer_write")
    .with(Traits::ATTR_SIZED_OPERANDS)
    .operands(&[
        one("valueToStore", ANY_VECTOR),
        one("base", SHAPED),
        INDICES,
        maybe("mask", MASK),
    ])
    .results(&[maybe("result", RANKED_TENSOR)])
    .attrs(ATTRS)
    .custom(parse_write, print_write)
    .verify_kind(verify_write);

/// The operands and attributes of a `vector.transfer_read` or `vector.transfer_write`.
pub struct TransferParts {
    /// Whether elements are read.
    pub is_read: bool,
    /// The vector that is read or written.
    pub vector: Value,
    /// The memref or tensor.
    pub base: Value,
    /// The start of the slice, an index for each dimension of the base.
    pub indices: Vec<Value>,
    /// The value read where the slice lies out of bounds.
    pub padding: Option<Value>,
    /// The lanes to transfer, all if there is none.
    pub mask: Option<Value>,
    /// Permutation map: the dimension of the base along which each dimension of the vector lies.
    pub map: AffineMap,
    /// For each dimension of the vector, whether it is promised to stay in bounds.
    pub in_bounds: Vec<bool>,
}

impl TransferParts {
    /// The parts of an operation; `None` if it is no transfer, or no sound one.
    pub fn of(ctx: &Context, body: &Body, op: OpId) -> Option<TransferParts> {
        let data = &body[op];
        let is_read = match data.name {
            super::TRANSFER_READ => true,
            super::TRANSFER_WRITE => false,
            _ => return None,
        };
        let first = usize::from(!is_read);
        let segment = |index| data.operand_segment(ctx, index);
        let padding = if is_read { segment(2).first() } else { None };
        let in_bounds = data.attr(ctx, "in_bounds")?.as_array(ctx)?;
        Some(TransferParts {
            is_read,
            vector: match is_read {
                true => data.result(0),
                false => *data.operands.first()?,
            },
            base: *segment(first).first()?,
            indices: segment(first + 1).to_vec(),
            padding: padding.copied(),
            mask: segment(3).first().copied(),
            map: data.attr(ctx, "permutation_map")?.as_map(ctx)?,
            in_bounds: in_bounds
                .iter()
                .map(|flag| flag.as_bool(ctx))
                .collect::<Option<_>>()?,
        })
    }
}

/// The shape and element type of the base, a memref or a ranked tensor.
pub(super) fn base_of(ctx: &Context, ty: Type) -> Option<(&[i64], Type)> {
    match ty.kind(ctx) {
        TypeKind::MemRef(memref) => Some((&memref.shape, memref.element)),
        TypeKind::RankedTensor { shape, element, .. } => Some((shape, *element)),
        _ => None,
    }
}

/// The default map of a transfer: the trailing dimensions, as many as the
/// vector has beyond those of the base's elements. `None` if the base has
/// fewer.
pub(super) fn minor_map(
    ctx: &Context,
    base: (&[i64], Type),
    vector: &VectorShape,
) -> Option<AffineMap> {
    let (shape, element) = base;
    let inner = VectorShape::of(ctx, element).map_or(0, |vector| vector.rank());
    let count = vector.rank().checked_sub(inner)?;
    let first = shape.len().checked_sub(count)?;
    let results: Vec<_> = (first..shape.len())
        .map(|dim| ctx.affine_dim(dim as u32))
        .collect();
    Some(ctx.affine_map(shape.len() as u32, 0, &results))
}

/// Whether a map projects to its trailing dimensions, in order.
pub(super) fn is_minor_identity(ctx: &Context, map: AffineMap) -> bool {
    let (dims, results) = (map.num_dims(ctx), map.results(ctx));
    let Some(first) = dims.checked_sub(results.len()) else {
        return false;
    };
    let mut dims = (first..dims).map(|dim| ctx.affine_dim(dim as u32));
    map.num_symbols(ctx) == 0 && results.iter().all(|&result| Some(result) == dims.next())
}

/// The mask type of a transfer: the vector's extents in the order of the base's
/// dimensions, without broadcast ones. `None` if the map is no projection or
/// does not fit the vector.
pub(super) fn mask_type(ctx: &Context, vector: &VectorShape, map: AffineMap) -> Option<Type> {
    let mut dims: Vec<(u32, i64, bool)> = Vec::new();
    for (index, result) in map.results(ctx).iter().enumerate() {
        match result.kind(ctx) {
            AffineExprKind::Constant(_) => {}
            AffineExprKind::Dim(dim) if dims.iter().any(|&(seen, ..)| seen == dim) => {}
            AffineExprKind::Dim(dim) => {
                dims.push((dim, *vector.shape.get(index)?, vector.scalable[index]));
            }
            _ => return None,
        }
    }
    if dims.is_empty() {
        return Some(ctx.vector_type(&[1], ctx.bool_type()));
    }
    dims.sort_by_key(|&(dim, ..)| dim);
    let shape: Vec<i64> = dims.iter().map(|&(_, extent, _)| extent).collect();
    let scalable: Vec<bool> = dims.iter().map(|&(.., scalable)| scalable).collect();
    Some(ctx.scalable_vector_type(&shape, &scalable, ctx.bool_type()))
}

/// The parts of a transfer that its verifier reads.
struct Transfer<'a> {
    base: Type,
    indices: usize,
    vector: VectorShape<'a>,
    mask: Option<Type>,
    map: AffineMap,
}

impl Transfer<'_> {
    /// Checks that reads and writes share.
    fn verify(&self, check: &Check) -> Checked {
        let ctx = check.ctx();
        let masked = check.data().attr(ctx, "masked").is_some();
        check.ensure(
            !masked,
            "masked attribute has been removed. Use in_bounds instead.",
        )?;
        let Some((shape, element)) = base_of(ctx, self.base) else {
            let message = "requires source to be a memref or ranked tensor type";
            return Err(check.error(message));
        };
        self.verify_elements(check, element)?;
        check.ensure(
            self.map.num_symbols(ctx) == 0,
            "requires permutation_map without symbols",
        )?;
        check.ensure(
            self.map.num_inputs(ctx) == shape.len(),
            "requires a permutation_map with input dims of the same rank as the source type",
        )?;
        self.verify_mask(check)?;
        let bounds = required(ctx, check.data(), "in_bounds");
        let bounds = bounds.as_array(ctx).map_or(0, <[_]>::len);
        check.ensure(
            self.map.results(ctx).len() == bounds,
            format_args!(
                "expects the in_bounds attr of same rank as permutation_map results: {} vs \
                 inBounds of size: {bounds}",
                attr_string(ctx, ctx.map_attr(self.map))
            ),
        )
    }

    /// Checks the number of indices; runs first, since other checks rely on it.
    fn verify_indices(&self, check: &Check) -> Checked {
        let rank = match self.base.kind(check.ctx()) {
            TypeKind::Vector { shape, .. } | TypeKind::RankedTensor { shape, .. } => shape.len(),
            TypeKind::MemRef(memref) => memref.rank(),
            _ => return Ok(()),
        };
        check.ensure(
            self.indices == rank,
            format_args!("requires {rank} indices"),
        )
    }

    /// Checks that the vector consists of whole elements of the base.
    fn verify_elements(&self, check: &Check, element: Type) -> Checked {
        let ctx = check.ctx();
        let inner = VectorShape::of(ctx, element);
        let minor = |shape: &[i64]| shape.last().copied().unwrap_or(1);
        let whole = |part: Option<i64>, of: &str| {
            let all = bits(ctx, self.vector.element);
            let all = all.map(|all| all.saturating_mul(minor(self.vector.shape)));
            let divides = match (all, part) {
                (Some(all), Some(part)) => part != 0 && all % part == 0,
                _ => true,
            };
            check.ensure(
                divides,
                format_args!(
                    "requires the bitwidth of the minor 1-D vector to be an integral multiple \
                     of the bitwidth of the {of}"
                ),
            )
        };
        let rank = match inner {
            Some(inner) => {
                let part = bits(ctx, inner.element);
                let part = part.map(|part| part.saturating_mul(minor(inner.shape)));
                whole(part, "minor 1-D vector of the source")?;
                let rank = self.vector.rank().checked_sub(inner.rank());
                rank.ok_or_else(|| {
                    check.error("requires source vector element and vector result ranks to match.")
                })?
            }
            None => {
                whole(bits(ctx, element), "source element type")?;
                self.vector.rank()
            }
        };
        check.ensure(
            self.map.results(ctx).len() == rank,
            "requires a permutation_map with result dims of the same rank as the vector type",
        )?;
        check.ensure(
            inner.is_none() || self.mask.is_none(),
            "does not support masks with vector element type",
        )
    }

    fn verify_mask(&self, check: &Check) -> Checked {
        let Some(mask) = self.mask else { return Ok(()) };
        match mask_type(check.ctx(), &self.vector, self.map) {
            // A later check reports what is wrong with the map.
            None => Ok(()),
            Some(expected) => check.ensure(
                mask == expected,
                format_args!(
                    "inferred mask type ('{}') and mask operand type ('{}') don't match",
                    check.show(expected),
                    check.show(mask)
                ),
            ),
        }
    }

    /// Checks that each result of the map is a distinct dimension or 0.
    fn verify_projection(&self, check: &Check) -> Checked {
        let ctx = check.ctx();
        let mut seen = Vec::new();
        for result in self.map.results(ctx) {
            match result.kind(ctx) {
                AffineExprKind::Constant(0) => {}
                AffineExprKind::Dim(dim) => {
                    check.ensure(
                        !seen.contains(&dim),
                        "requires a permutation_map that is a permutation (found one dim used \
                         more than once)",
                    )?;
                    seen.push(dim);
                }
                _ => {
                    return Err(check.error(
                        "requires a projected permutation_map (at most one dim or the zero \
                         constant can appear in each result)",
                    ));
                }
            }
        }
        Ok(())
    }
}

fn verify_read(check: &Check) -> Checked {
    let ctx = check.ctx();
    let data = check.data();
    let indices = data.operand_segment(ctx, 1).len();
    let transfer = Transfer {
        base: check.operand_type(0),
        indices,
        vector: parts(check, check.result_type(0)),
        mask: check.operand_types().nth(2 + indices),
        map: required_map(ctx, data, "permutation_map"),
    };
    transfer.verify_indices(check)?;
    transfer.verify(check)?;
    let padding = check.operand_type(1 + indices);
    let element = transfer.base.element(ctx).unwrap_or(padding);
    let message = match VectorShape::of(ctx, element) {
        Some(_) => "requires source element type and padding type to match.",
        None => {
            let message = "requires valid padding vector elemental type";
            check.ensure(can_be_element(ctx, padding), message)?;
            "requires formal padding and source of the same elemental type"
        }
    };
    check.ensure(padding == element, message)?;
    transfer.verify_projection(check)
}

/// Checks that a write to a tensor has a result and a write to memory has none.
fn verify_destination(check: &Check) -> Checked {
    let ctx = check.ctx();
    let base = check.operand_type(1);
    let outputs = usize::from(base.memref(ctx).is_none());
    let results = check.data().num_results();
    check.ensure(
        results == outputs,
        format_args!(
            "expected the number of tensor results ({results}) to be equal to the number of \
             output tensors ({outputs})"
        ),
    )?;
    let Some(result) = check.result_types().find(|&result| result != base) else {
        return Ok(());
    };
    Err(check.error(format!(
        "expected type of operand #1 ('{}') to match type of corresponding result ('{}')",
        check.show(base),
        check.show(result)
    )))
}

fn verify_write(check: &Check) -> Checked {
    let ctx = check.ctx();
    let data = check.data();
    let indices = data.operand_segment(ctx, 2).len();
    let transfer = Transfer {
        base: check.operand_type(1),
        indices,
        vector: parts(check, check.operand_type(0)),
        mask: check.operand_types().nth(2 + indices),
        map: required_map(ctx, data, "permutation_map"),
    };
    verify_destination(check)?;
    transfer.verify_indices(check)?;
    let results = transfer.map.results(ctx).iter();
    let broadcasts = results
        .filter(|result| result.as_constant(ctx) == Some(0))
        .count();
    check.ensure(broadcasts == 0, "should not have broadcast dimensions")?;
    transfer.verify(check)?;
    transfer.verify_projection(check)
}
