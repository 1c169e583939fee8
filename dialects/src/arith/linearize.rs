//! Row-major linearization: the number of a place in a box, innermost dimension fastest.

use gridloom_ir::body::Value;
use gridloom_ir::builder::Builder;

/// Emits the linear index of a place in a box, by Horner's rule: its outermost index, then the extent of each further
/// dimension with the index there.
///
/// ```text
/// %z, [(%height, %y), (%width, %x)]   ⇒   (%z * %height + %y) * %width + %x
/// ```
///
/// This is the linear id of a thread in its workgroup; `block id, [(block dim, thread id)]` is its global id in the grid.
pub fn linearize(b: &mut Builder, outermost: Value, inner: &[(Value, Value)]) -> Value {
    inner.iter().fold(outermost, |number, &(extent, index)| {
        let before = b.binary(super::MULI, number, extent);
        b.binary(super::ADDI, before, index)
    })
}
