//! Workgroup memory: the capacity that every device has, and the bytes that an element takes there.

use gridloom_ir::{Context, Type};

/// Bytes of workgroup memory that every device has (WebGPU's and Vulkan's limit).
pub const LEAST_LIMIT: i64 = 16 << 10;

/// Upper bound of the bytes of an element in workgroup memory, where narrow elements take a whole
/// word.
pub fn element_bytes(ctx: &Context, ty: Type) -> i64 {
    let float = || Some(ty.float_kind(ctx)?.width());
    match ty.signless_width(ctx).or_else(float) {
        Some(..=32) => 4,
        _ => 8,
    }
}
