//! Segments: divides the operands and results of an operation into the groups of its signature.

use std::ops::Range;

use smallvec::SmallVec;

use super::{OpData, Value};
use crate::attr::Attr;
use crate::attr_names;
use crate::context::signature::{Arity, OpSignature, ValueDef};
use crate::context::{Context, Ident, RowTraits, Traits};

/// Range of each operand or result group.
pub type Groups = SmallVec<[Range<usize>; 8]>;

impl OpSignature {
    /// Splits the operands of an operation into the groups of this row. `None`
    /// when their number does not fit, or the segment sizes are missing or do
    /// not add up.
    pub fn operand_groups(&self, ctx: &Context, op: &OpData) -> Option<Groups> {
        let sizes = self
            .traits
            .contains(Traits::ATTR_SIZED_OPERANDS)
            .then_some(attr_names::OPERAND_SEGMENT_SIZES);
        groups(ctx, op, self.operands, sizes, op.operands.len())
    }

    /// Returns the names of the segment-size attributes of this row, each with the groups it sizes.
    pub fn sized_groups(&self) -> impl Iterator<Item = (&'static str, &'static [ValueDef])> {
        let operands = (
            Traits::ATTR_SIZED_OPERANDS.in_row(),
            "operandSegmentSizes",
            self.operands,
        );
        let results = (
            RowTraits::ATTR_SIZED_RESULTS,
            "resultSegmentSizes",
            self.results,
        );
        let traits = self.traits;
        let sized = move |&(sized, ..): &(RowTraits, _, _)| traits.contains(sized);
        let all = [operands, results].into_iter().filter(sized);
        all.map(|(_, name, groups)| (name, groups))
    }

    /// Splits the results of an operation into the groups of this row.
    pub fn result_groups(&self, ctx: &Context, op: &OpData) -> Option<Groups> {
        let sizes = self
            .traits
            .contains(RowTraits::ATTR_SIZED_RESULTS)
            .then_some(attr_names::RESULT_SEGMENT_SIZES);
        groups(ctx, op, self.results, sizes, op.num_results())
    }
}

fn groups(
    ctx: &Context,
    op: &OpData,
    defs: &[ValueDef],
    sizes: Option<Ident>,
    total: usize,
) -> Option<Groups> {
    let listed = match sizes {
        Some(name) => Some(op.attr(ctx, name)?.as_i32_array(ctx)?),
        None => None,
    };
    if listed
        .as_ref()
        .is_some_and(|sizes| sizes.len() != defs.len())
    {
        return None;
    }
    let shared = shared_size(defs, total);
    let mut start = 0usize;
    let mut groups = Groups::new();
    for (index, def) in defs.iter().enumerate() {
        let size = match (&listed, def.arity) {
            (Some(sizes), _) => usize::try_from(sizes[index]).ok()?,
            (None, Arity::One) => 1,
            (None, Arity::Optional | Arity::Variadic) => shared?,
        };
        let end = start.checked_add(size)?;
        groups.push(start..end);
        start = end;
    }
    (start == total).then_some(groups)
}

/// Returns the size of each variadic group without segment sizes: these groups share what the
/// single ones leave in equal parts. (Nearly every row has one of them.)
fn shared_size(defs: &[ValueDef], total: usize) -> Option<usize> {
    let single = defs.iter().filter(|d| d.arity == Arity::One).count();
    let rest = total.checked_sub(single)?;
    let shared = defs.len() - single;
    (shared != 0 && rest % shared == 0).then(|| rest / shared)
}

impl OpData {
    /// Returns the operands of group `index` of an operation with `operandSegmentSizes`. Empty when
    /// the sizes are missing or do not fit: the verifier refuses such an operation.
    pub fn operand_segment(&self, ctx: &Context, index: usize) -> &[Value] {
        let sizes = self.attr(ctx, attr_names::OPERAND_SEGMENT_SIZES);
        let Some(sizes) = sizes.and_then(|sizes| sizes.i32_bytes(ctx)) else {
            return &[];
        };
        let (Some(before), Some(&own)) = (sizes.get(..index), sizes.get(index)) else {
            return &[];
        };
        let size = |bytes: [u8; 4]| i32::from_le_bytes(bytes).max(0) as usize;
        let start = before.iter().map(|&bytes| size(bytes)).sum();
        self.operands.get(start..start + size(own)).unwrap_or(&[])
    }

    /// Returns the operands of all groups of an operation with `N` of them; see
    /// [`OpData::operand_segment`].
    pub fn operand_segments<const N: usize>(&self, ctx: &Context) -> [&[Value]; N] {
        self.segments_of(ctx, self.attr(ctx, attr_names::OPERAND_SEGMENT_SIZES))
    }

    /// Divides the operands into groups of these sizes.
    pub fn segments_of<const N: usize>(&self, ctx: &Context, sizes: Option<Attr>) -> [&[Value]; N] {
        let sizes = sizes.and_then(|sizes| sizes.i32_bytes(ctx)).unwrap_or(&[]);
        let (mut rest, mut sizes) = (&self.operands[..], sizes.iter());
        std::array::from_fn(|_| {
            let size = sizes.next().map_or(0, |&size| i32::from_le_bytes(size));
            match rest.split_at_checked(size.max(0) as usize) {
                Some((own, others)) => {
                    rest = others;
                    own
                }
                None => &[],
            }
        })
    }

    /// Replaces the operands of group `index` and its `operandSegmentSizes`.
    pub fn set_operand_segment(&mut self, ctx: &Context, index: usize, values: &[Value]) {
        let name = attr_names::OPERAND_SEGMENT_SIZES;
        let sizes = self
            .attr(ctx, name)
            .and_then(|sizes| sizes.as_i32_array(ctx));
        let Some(mut sizes) = sizes.filter(|sizes| index < sizes.len()) else {
            return;
        };
        let start: usize = sizes[..index].iter().map(|&size| size as usize).sum();
        let end = start + sizes[index] as usize;
        let tail = self.operands[end..].to_vec();
        self.operands.truncate(start);
        self.operands.extend_from_slice(values);
        self.operands.extend_from_slice(&tail);
        sizes[index] = values.len() as i32;
        self.set_property(ctx, name, ctx.i32_array_attr(&sizes));
    }
}
