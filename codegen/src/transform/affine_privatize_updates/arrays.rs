//! Arrays whose updates go to private copies.

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::memref;
use gridloom_ir::attr::Attr;
use gridloom_ir::{Body, Context, Type, Value};

use super::MAX_ELEMENTS;
use crate::transform::affine_atomic_updates::{Combination, Update};

/// Array that the loop updates.
pub(super) struct Array {
    pub memref: Value,
    pub shape: Vec<i64>,
    /// Elements of a private copy behind the last one of each dimension.
    pub margins: Vec<i64>,
    pub element: Type,
    pub combination: Combination,
    pub neutral: Attr,
}

impl Array {
    /// Number of elements, at most [`MAX_ELEMENTS`].
    pub fn size(&self) -> i64 {
        self.shape.iter().product()
    }

    /// The shape of a private copy.
    pub fn padded(&self) -> Vec<i64> {
        let margins = self.shape.iter().zip(&self.margins);
        margins.map(|(extent, margin)| extent + margin).collect()
    }
}

/// The arrays of the updates; `None` if one of them cannot be copied.
pub(super) fn arrays_of(
    ctx: &Context,
    body: &Body,
    root: ForOp,
    updates: &[Update],
) -> Option<Vec<Array>> {
    let mut arrays: Vec<Array> = Vec::new();
    for update in updates {
        let memref = memref::StoreOp(update.store).memref(body);
        if arrays.iter().all(|array| array.memref != memref) {
            arrays.push(array_of(ctx, body, root, update, memref)?);
        }
    }
    Some(arrays)
}

/// The array of an update; `None` if threads cannot have copies of it.
fn array_of(
    ctx: &Context,
    body: &Body,
    root: ForOp,
    update: &Update,
    memref: Value,
) -> Option<Array> {
    let ty = body.ty(memref).memref(ctx)?;
    let is_outside = !body.is_defined_in(memref, root.0);
    let is_static = ty.layout.is_none() && ty.shape.iter().all(|&extent| extent > 0);
    let size = ty
        .shape
        .iter()
        .try_fold(1i64, |size, &extent| size.checked_mul(extent));
    if !is_outside || !is_static || size.is_none_or(|size| size > MAX_ELEMENTS) {
        return None;
    }
    Some(Array {
        memref,
        shape: ty.shape.to_vec(),
        margins: vec![0; ty.shape.len()],
        element: update.element,
        combination: update.combination,
        neutral: update.combination.neutral(ctx, update.element)?,
    })
}
