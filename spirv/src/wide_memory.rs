//! Workgroup memory of vectors: arrays whose accesses are whole vectors where that is proved.
//!
//! ```text
//! %t: memref<8x132xf32, workgroup>             variable of 264 vec4
//! vector.load %t[%k, 4 * %x]             ⇒     one load of a vec4
//! memref.store %v, %t[%k, %i]            ⇒     a store of component %i & 3 of vector …
//! ```
//!
//! A variable of workgroup memory has one type, and a second one would be other memory. So an
//! array lies as vectors of 16 bytes where some access of it is of vectors, and each row holds
//! whole ones. Single elements are components of them. Refused for memory that anything but loads
//! and stores uses, and in the portable profile: naga has no pointers to components.

use gridloom_dialects::{memref, vector};
use gridloom_ir::body::OpData;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{Body, Context, OpName, Value};

use crate::abi::ElementKind;
use crate::layout::{self, Layout};
use crate::memory::is_workgroup;
use crate::target::{Profile, TargetEnv};
use crate::types;

/// Bytes of a vector.
const BYTES: u32 = 16;

/// Finds the workgroup memory of a kernel to declare as vectors, with the lanes of each.
pub(crate) fn wide_memory(ctx: &Context, func: &OpData, env: &TargetEnv) -> FxHashMap<Value, u32> {
    let Some(body) = func.isolated() else {
        return FxHashMap::default();
    };
    let is_wide = |name: OpName| matches!(name, vector::LOAD | vector::STORE);
    if env.profile == Profile::Portable || !body.may_hold_any(is_wide) {
        return FxHashMap::default();
    }
    let mut found: FxHashMap<Value, Option<u32>> = FxHashMap::default();
    for op in body.walk() {
        let data = &body[op];
        let accessed = match data.name {
            memref::LOAD | vector::LOAD => Some(0),
            memref::STORE | vector::STORE => Some(1),
            _ => None,
        };
        for (index, &value) in data.operands.iter().enumerate() {
            if body.ty(value).memref(ctx).is_none() {
                continue;
            }
            if accessed != Some(index) {
                found.insert(value, None);
            } else if is_wide(data.name) && !found.contains_key(&value) {
                found.insert(value, lanes(ctx, body, value, env));
            }
        }
    }
    (found.into_iter())
        .filter_map(|(value, lanes)| Some((value, lanes?)))
        .collect()
}

/// Lanes of the vectors that workgroup memory may lie as.
fn lanes(ctx: &Context, body: &Body, value: Value, env: &TargetEnv) -> Option<u32> {
    let ty = body.ty(value).memref(ctx)?;
    if !is_workgroup(ctx, ty.space?) {
        return None;
    }
    let element = types::register(ctx, env.index_width, ty.element)?;
    let is_whole = matches!(
        element.kind,
        ElementKind::F32 | ElementKind::F64 | ElementKind::Int(32 | 64)
    );
    if !is_whole || element.lanes != 1 {
        return None;
    }
    let lanes = BYTES / element.kind.bytes();
    let is_row_major = match layout::of(ctx, ty) {
        Ok(Layout::Permuted(order)) => order.iter().copied().eq(0..ty.shape.len()),
        _ => false,
    };
    let row = *ty.shape.last()?;
    (is_row_major && row > 0 && row % i64::from(lanes) == 0).then_some(lanes)
}
