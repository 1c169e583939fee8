//! Slices: `vector.extract_strided_slice`, `vector.insert_strided_slice`, and
//! parts of scalable vectors.

use super::types::{SCALABLE_1D, VECTOR_1D, VectorShape, parts, same_element};
use crate::verified::required;
use gridloom_ir::constraints::*;
use gridloom_ir::op::{AttrDef, AttrSyntax, OpDef, Traits};
use gridloom_ir::verify::{Check, Checked};

/// Extracts the slice of `sizes` at `offsets`; trailing dimensions not listed
/// are taken completely.
pub(super) const EXTRACT_STRIDED_SLICE: OpDef = OpDef::new("vector.extract_strided_slice")
    .with(Traits::PURE)
    .operands(&[one("source", VECTOR)])
    .results(&[one("result", VECTOR)])
    .attrs(&[
        attr("offsets", I64_LIST),
        attr("sizes", I64_LIST),
        attr("strides", I64_LIST),
    ])
    .format("$source attr-dict `:` type($source) `to` type(results)")
    .verify_kind(verify_extract);

/// Replaces the slice at `offsets`.
pub(super) const INSERT_STRIDED_SLICE: OpDef = OpDef::new("vector.insert_strided_slice")
    .with(Traits::PURE)
    .operands(&[one("valueToStore", VECTOR), one("dest", VECTOR)])
    .results(&[one("result", VECTOR)])
    .attrs(&[attr("offsets", I64_LIST), attr("strides", I64_LIST)])
    .format("$valueToStore `,` $dest attr-dict `:` type($valueToStore) `into` type($dest)")
    .infer(&[same(
        &["dest", "result"],
        "all of {dest, result} have same type",
    )])
    .verify_kind(verify_insert);

const POSITION: AttrDef = attr("pos", I64_ATTR).spelled(AttrSyntax::Typed(|c| c.int_type(64)));

/// Extracts the part of a scalable vector at a position.
pub(super) const SCALABLE_EXTRACT: OpDef = OpDef::new("vector.scalable.extract")
    .with(Traits::PURE)
    .operands(&[one("source", SCALABLE_1D)])
    .results(&[one("result", VECTOR_1D)])
    .attrs(&[POSITION])
    .format("$source `[` $pos `]` attr-dict `:` type($result) `from` type($source)")
    .verify_kind(verify_scalable_extract);

/// Replaces the part of a scalable vector at a position.
pub(super) const SCALABLE_INSERT: OpDef = OpDef::new("vector.scalable.insert")
    .with(Traits::PURE)
    .operands(&[one("valueToStore", VECTOR_1D), one("dest", SCALABLE_1D)])
    .results(&[one("result", SCALABLE_1D)])
    .attrs(&[POSITION])
    .format(
        "$valueToStore `,` $dest `[` $pos `]` attr-dict \
         `:` type($valueToStore) `into` type($dest)",
    )
    .infer(&[same(
        &["dest", "result"],
        "all of {dest, result} have same type",
    )])
    .verify_kind(verify_scalable_insert);

/// A named list of numbers.
struct Numbers {
    name: &'static str,
    values: Vec<i64>,
}

impl Numbers {
    fn of(check: &Check, name: &'static str) -> Numbers {
        let list = required(check.ctx(), check.data(), name);
        let items = list.as_array(check.ctx()).unwrap_or_default();
        let values = items.iter().filter_map(|item| item.as_i64(check.ctx()));
        Numbers {
            name,
            values: values.collect(),
        }
    }

    /// Checks that the list is no longer than the vector's rank.
    fn fit(&self, check: &Check, rank: usize) -> Checked {
        check.ensure(
            self.values.len() <= rank,
            format_args!(
                "expected {} attribute of rank no greater than vector rank",
                self.name
            ),
        )
    }

    /// Checks that each entry is at least `min` and at most its extent plus
    /// `past`.
    fn confined(&self, check: &Check, shape: &[i64], min: i64, past: i64) -> Checked {
        for (index, (&value, &extent)) in self.values.iter().zip(shape).enumerate() {
            let end = extent.saturating_add(past);
            check.ensure(
                (min..end).contains(&value),
                format_args!(
                    "expected {} dimension {index} to be confined to [{min}, {end})",
                    self.name
                ),
            )?;
        }
        Ok(())
    }

    /// Checks that all entries are 1: other strides are not supported.
    fn ones(&self, check: &Check) -> Checked {
        check.ensure(
            self.values.iter().all(|&value| value == 1),
            format_args!("expected {} to be confined to [1, 2)", self.name),
        )
    }

    /// Checks that the slice ends within the vector.
    fn sum_confined(&self, check: &Check, other: &Numbers, shape: &[i64]) -> Checked {
        let pairs = self.values.iter().zip(&other.values);
        for (index, ((&a, &b), &extent)) in pairs.zip(shape).enumerate() {
            let end = extent.saturating_add(1);
            let sum = a.saturating_add(b);
            check.ensure(
                (0..end).contains(&sum),
                format_args!(
                    "expected sum({}, {}) dimension {index} to be confined to [1, {end})",
                    self.name, other.name
                ),
            )?;
        }
        Ok(())
    }
}

fn verify_extract(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (source, result) = (check.operand_type(0), check.result_type(0));
    let summary = "operand and result have same element type";
    same_element(check, source, result, summary)?;
    let source = parts(check, source);
    let offsets = Numbers::of(check, "offsets");
    let sizes = Numbers::of(check, "sizes");
    let strides = Numbers::of(check, "strides");
    let count = offsets.values.len();
    check.ensure(
        count == sizes.values.len() && count == strides.values.len(),
        "expected offsets, sizes and strides attributes of same size",
    )?;
    for list in [&offsets, &sizes, &strides] {
        list.fit(check, source.rank())?;
    }
    offsets.confined(check, source.shape, 0, 0)?;
    sizes.confined(check, source.shape, 1, 1)?;
    strides.ones(check)?;
    offsets.sum_confined(check, &sizes, source.shape)?;
    let mut shape = sizes.values.clone();
    shape.extend_from_slice(&source.shape[count..]);
    let expected = ctx.scalable_vector_type(&shape, source.scalable, source.element);
    check.ensure(
        result == expected,
        format_args!("expected result type to be '{}'", check.show(expected)),
    )?;
    for (index, &size) in sizes.values.iter().enumerate() {
        whole_if_scalable(
            check,
            index,
            source.scalable[index],
            size,
            source.shape[index],
        )?;
    }
    Ok(())
}

/// Checks that a scalable dimension is taken completely.
fn whole_if_scalable(
    check: &Check,
    index: usize,
    scalable: bool,
    size: i64,
    extent: i64,
) -> Checked {
    check.ensure(
        !scalable || size == extent,
        format_args!(
            "expected size at idx={index} to match the corresponding base size from the input \
             vector ({size} vs {extent})"
        ),
    )
}

fn verify_insert(check: &Check) -> Checked {
    let (source, dest) = (check.operand_type(0), check.operand_type(1));
    let summary = "operand #0 and result have same element type";
    same_element(check, source, check.result_type(0), summary)?;
    let (source, dest) = (parts(check, source), parts(check, dest));
    let offsets = Numbers::of(check, "offsets");
    let strides = Numbers::of(check, "strides");
    check.ensure(
        offsets.values.len() == dest.rank(),
        "expected offsets of same size as destination vector rank",
    )?;
    check.ensure(
        strides.values.len() == source.rank(),
        "expected strides of same size as source vector rank",
    )?;
    let Some(lead) = dest.rank().checked_sub(source.rank()) else {
        let message = "expected source rank to be no greater than destination rank";
        return Err(check.error(message));
    };
    offsets.confined(check, dest.shape, 0, 0)?;
    strides.ones(check)?;
    let mut sizes = vec![0; lead];
    sizes.extend_from_slice(source.shape);
    let sizes = Numbers {
        name: "source vector shape",
        values: sizes,
    };
    offsets.sum_confined(check, &sizes, dest.shape)?;
    for (index, &scalable) in source.scalable.iter().enumerate() {
        check.ensure(
            scalable == dest.scalable[lead + index],
            format_args!("mismatching scalable flags (at source vector idx={index})"),
        )?;
        let (size, extent) = (source.shape[index], dest.shape[lead + index]);
        whole_if_scalable(check, index, scalable, size, extent)?;
    }
    Ok(())
}

/// Checks that the position is a multiple of the part's length.
fn verify_position(check: &Check, part: &VectorShape, what: &str) -> Checked {
    let position = required(check.ctx(), check.data(), "pos").as_i64(check.ctx());
    let count = part.num_elements().max(1);
    check.ensure(
        position.is_some_and(|position| position % count == 0),
        format_args!("failed to verify that position is a multiple of the {what} length."),
    )
}

fn verify_scalable_extract(check: &Check) -> Checked {
    let (source, result) = (check.operand_type(0), check.result_type(0));
    let summary = "all of {source, result} have same element type";
    same_element(check, source, result, summary)?;
    verify_position(check, &parts(check, result), "result")
}

fn verify_scalable_insert(check: &Check) -> Checked {
    let (value, dest) = (check.operand_type(0), check.operand_type(1));
    let summary = "all of {valueToStore, dest} have same element type";
    same_element(check, value, dest, summary)?;
    verify_position(check, &parts(check, value), "source")
}
