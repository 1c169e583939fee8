//! The `tensor` dialect: creation, slices and reshapes of tensor values.

use crate::slice::{OFFSETS_SIZES_STRIDES, i64_list};
use gridloom_ir::constraints::*;
use gridloom_ir::context::Context;
use gridloom_ir::op::{AttrSyntax, OpDef, Traits, ValueDef};
use gridloom_ir::types::{Type, TypeKind};

mod check;
mod check_gather;
mod check_shape;
mod check_slice;
mod fold;
mod fold_shape;
pub(crate) mod kind;

use kind::*;

/// An operation without effects.
const fn pure(name: &'static str) -> OpDef {
    OpDef::new(name).with(Traits::PURE)
}

/// The element type of a tensor.
fn element(ctx: &Context, ty: Type) -> Option<Type> {
    ty.element(ctx)
}

/// The element type, once for each element of a tensor.
fn elements(ctx: &Context, ty: Type) -> Option<Vec<Type>> {
    let TypeKind::RankedTensor { shape, element, .. } = ty.kind(ctx) else {
        return None;
    };
    let count = shape.iter().try_fold(1i64, |n, &d| n.checked_mul(d))?;
    // A text cannot hold more operands than this.
    let count = u32::try_from(count).ok()?;
    Some(vec![*element; count as usize])
}

/// The operands of a slice insertion.
const INSERTION: &[ValueDef] = &[
    one("source", RANKED_TENSOR),
    one("dest", RANKED_TENSOR),
    many("offsets", INDEX),
    many("sizes", INDEX),
    many("strides", INDEX),
];

const INSERTION_FORMAT: &str = "$source `into` $dest `` \
    custom<DynamicIndexList>($offsets, $static_offsets) \
    custom<DynamicIndexList>($sizes, $static_sizes) \
    custom<DynamicIndexList>($strides, $static_strides) \
    attr-dict `:` type($source) `into` type($dest)";

dialect_ops! {
    after super::complex::END;
    /// `tensor.bitcast`: reinterprets the bits of each element.
    BITCAST = pure("tensor.bitcast")
        .operands(&[one("source", NUMBER_TENSOR)])
        .results(&[one("dest", NUMBER_TENSOR)])
        .format("$source attr-dict `:` type($source) `to` type($dest)")
        .verify_kind(check::verify_bitcast)
        .fold(fold::fold_bitcast);
    /// `tensor.cast`: adds or erases static information in the type.
    CAST = pure("tensor.cast")
        .result_name("cast")
        .operands(&[one("source", TENSOR)])
        .results(&[one("dest", TENSOR)])
        .format("$source attr-dict `:` type($source) `to` type($dest)")
        .verify_kind(check::verify_cast)
        .fold(fold::fold_cast);
    /// `tensor.collapse_shape`: reshapes to fewer dimensions.
    COLLAPSE_SHAPE = pure("tensor.collapse_shape")
        .result_name("collapsed")
        .operands(&[one("src", TENSOR)])
        .results(&[one("result", TENSOR)])
        .attrs(&[attr("reassociation", REASSOCIATION)])
        .format("$src $reassociation attr-dict `:` type($src) `into` type($result)")
        .verify_kind(check_shape::verify_collapse_shape)
        .fold(fold_shape::fold_regroup);
    /// `tensor.concat`: concatenates along a dimension.
    CONCAT = pure("tensor.concat")
        .result_name("concat")
        .operands(&[many("inputs", RANKED_TENSOR)])
        .results(&[one("result", RANKED_TENSOR)])
        .attrs(&[attr("dim", I64_ATTR).spelled(AttrSyntax::Typed(|c| c.int_type(64)))])
        .format("`dim` `(` $dim `)` $inputs attr-dict `:` functional-type(operands, results)")
        .verify_kind(check_shape::verify_concat)
        .fold(fold::fold_concat);
    /// `tensor.dim`: the extent of a dimension.
    DIM = pure("tensor.dim")
        .result_name("dim")
        .with(Traits::CONDITIONALLY_SPECULATABLE)
        .operands(&[one("source", SIZED_TENSOR), one("index", INDEX)])
        .results(&[one("result", INDEX)])
        .format("attr-dict $source `,` $index `:` type($source)")
        .fold(fold::fold_dim);
    /// `tensor.empty`: a tensor of unspecified elements.
    EMPTY = pure("tensor.empty")
        .operands(&[many("dynamicSizes", INDEX)])
        .results(&[one("result", RANKED_TENSOR)])
        .format("`(`$dynamicSizes`)` attr-dict `:` type($result)")
        .verify_kind(check::verify_empty);
    /// `tensor.expand_shape`: reshapes to more dimensions.
    EXPAND_SHAPE = pure("tensor.expand_shape")
        .result_name("expanded")
        .operands(&[one("src", TENSOR), many("output_shape", INDEX)])
        .results(&[one("result", TENSOR)])
        .attrs(&[
            attr("reassociation", REASSOCIATION),
            i64_list("static_output_shape"),
        ])
        .format("$src $reassociation `output_shape` \
            custom<DynamicIndexList>($output_shape, $static_output_shape) \
            attr-dict `:` type($src) `into` type($result)")
        .verify_kind(check_shape::verify_expand_shape)
        .fold(fold_shape::fold_regroup);
    /// `tensor.extract`: extracts an element.
    EXTRACT = pure("tensor.extract")
        .result_name("extracted")
        .operands(&[one("tensor", RANKED_TENSOR), many("indices", INDEX)])
        .results(&[one("result", ANY)])
        .infer(&[follows(
            "result",
            "tensor",
            element,
            "result type matches element type of tensor",
        )])
        .format("$tensor `[` $indices `]` attr-dict `:` type($tensor)")
        .verify_kind(check::verify_extract)
        .fold(fold::fold_extract);
    /// `tensor.extract_slice`: extracts a slice.
    EXTRACT_SLICE = pure("tensor.extract_slice")
        .result_name("extracted_slice")
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(&[
            one("source", RANKED_TENSOR),
            many("offsets", INDEX),
            many("sizes", INDEX),
            many("strides", INDEX),
        ])
        .results(&[one("result", RANKED_TENSOR)])
        .attrs(OFFSETS_SIZES_STRIDES)
        .format("$source `` custom<DynamicIndexList>($offsets, $static_offsets) \
            custom<DynamicIndexList>($sizes, $static_sizes) \
            custom<DynamicIndexList>($strides, $static_strides) \
            attr-dict `:` type($source) `to` type($result)")
        .verify_kind(check_slice::verify_extract_slice)
        .fold(fold_shape::fold_extract_slice);
    /// `tensor.from_elements`: a tensor from its elements.
    FROM_ELEMENTS = pure("tensor.from_elements")
        .result_name("from_elements")
        .operands(&[many("elements", ANY)])
        .results(&[one("result", STATIC_TENSOR)])
        .infer(&[gridloom_ir::op::TypeRule::ListFrom {
            target: "elements",
            source: "result",
            rule: elements,
            summary: "operand types match result element type",
        }])
        .format("$elements attr-dict `:` type($result)")
        .fold(fold::fold_from_elements);
    /// `tensor.gather`: gathers slices at indices.
    GATHER = pure("tensor.gather")
        .result_name("gather")
        .operands(&[one("source", RANKED_TENSOR), one("indices", INDEX_TENSOR)])
        .results(&[one("result", RANKED_TENSOR)])
        .attrs(&[i64_list("gather_dims"), flag("unique")])
        .format("$source `[` $indices `]` `gather_dims` `(` $gather_dims `)` \
            (`unique` $unique^)? attr-dict `:` functional-type(operands, results)")
        .verify_kind(check_gather::verify_gather)
        .fold(fold_shape::fold_gather);
    /// `tensor.generate`: a tensor whose elements a region computes.
    GENERATE = OpDef::new("tensor.generate")
        .result_name("generated")
        .with(Traits::RECURSIVE_EFFECTS)
        .operands(&[many("dynamicExtents", INDEX)])
        .results(&[one("result", RANKED_TENSOR)])
        .regions(1)
        .terminator("tensor.yield")
        .format("$dynamicExtents $body attr-dict `:` type($result)")
        .verify(check::verify_generate);
    /// `tensor.insert`: replaces an element.
    INSERT = pure("tensor.insert")
        .result_name("inserted")
        .operands(&[one("scalar", ANY), one("dest", RANKED_TENSOR), many("indices", INDEX)])
        .results(&[one("result", RANKED_TENSOR)])
        .infer(&[
            follows("result", "dest", |_, ty| Some(ty), "result type matches type of dest"),
            follows("scalar", "dest", element, "scalar type matches element type of dest"),
        ])
        .format("$scalar `into` $dest `[` $indices `]` attr-dict `:` type($dest)")
        .verify_kind(check::verify_insert)
        .fold(fold::fold_insert);
    /// `tensor.insert_slice`: replaces a slice.
    INSERT_SLICE = pure("tensor.insert_slice")
        .result_name("inserted_slice")
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(INSERTION)
        .results(&[one("result", RANKED_TENSOR)])
        .attrs(OFFSETS_SIZES_STRIDES)
        .infer(&[follows("result", "dest", |_, ty| Some(ty), "expected result type to match dest type")])
        .format(INSERTION_FORMAT)
        .verify_kind(check_slice::verify_insert_slice)
        .fold(fold_shape::fold_insert_slice);
    /// `tensor.pad`: pads a tensor on all sides.
    PAD = pure("tensor.pad")
        .result_name("padded")
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(&[one("source", RANKED_TENSOR), many("low", INDEX), many("high", INDEX)])
        .results(&[one("result", RANKED_TENSOR)])
        .attrs(&[i64_list("static_low"), i64_list("static_high"), flag("nofold")])
        .regions(1)
        .terminator("tensor.yield")
        .format("$source (`nofold` $nofold^)? \
            `low` `` custom<DynamicIndexList>($low, $static_low) \
            `high` `` custom<DynamicIndexList>($high, $static_high) \
            $region attr-dict `:` type($source) `to` type($result)")
        .printed_if(check_slice::pad_form_is_lossless)
        .verify(check_slice::verify_pad)
        .fold(fold_shape::fold_pad);
    /// `tensor.parallel_insert_slice`: inserts the slice of one thread of a
    /// parallel loop.
    PARALLEL_INSERT_SLICE = OpDef::new("tensor.parallel_insert_slice")
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(INSERTION)
        .attrs(OFFSETS_SIZES_STRIDES)
        .format(INSERTION_FORMAT)
        .verify(check_slice::verify_parallel_insert_slice);
    /// `tensor.rank`: the number of dimensions.
    RANK = pure("tensor.rank")
        .result_name("rank")
        .operands(&[one("tensor", TENSOR)])
        .results(&[one("result", INDEX)])
        .format("$tensor attr-dict `:` type($tensor)")
        .fold(fold::fold_rank);
    /// `tensor.reshape`: reshapes to a shape given as a tensor.
    RESHAPE = pure("tensor.reshape")
        .result_name("reshape")
        .operands(&[one("source", TENSOR), one("shape", SHAPE_TENSOR)])
        .results(&[one("result", TENSOR)])
        .format("$source `(` $shape `)` attr-dict `:` functional-type(operands, results)")
        .verify_kind(check_shape::verify_reshape)
        .fold(fold_shape::fold_reshape);
    /// `tensor.scatter`: replaces slices at indices.
    SCATTER = pure("tensor.scatter")
        .result_name("scatter")
        .operands(&[
            one("source", RANKED_TENSOR),
            one("dest", RANKED_TENSOR),
            one("indices", INDEX_TENSOR),
        ])
        .results(&[one("result", RANKED_TENSOR)])
        .attrs(&[i64_list("scatter_dims"), flag("unique")])
        .format("$source `into` $dest `[` $indices `]` `scatter_dims` `(` $scatter_dims `)` \
            (`unique` $unique^)? attr-dict `:` functional-type(operands, results)")
        .verify_kind(check_gather::verify_scatter);
    /// `tensor.splat`: a tensor with one value in all elements.
    SPLAT = pure("tensor.splat")
        .result_name("splat")
        .operands(&[one("input", ANY), many("dynamicSizes", INDEX)])
        .results(&[one("aggregate", RANKED_TENSOR)])
        .infer(&[follows(
            "input",
            "aggregate",
            element,
            "operand type matches element type of result",
        )])
        .format("$input (`[` $dynamicSizes^ `]`)? attr-dict `:` type($aggregate)")
        .verify_kind(check::verify_splat)
        .fold(fold::fold_splat);
    /// `tensor.yield`: terminates a region with its value.
    YIELD = pure("tensor.yield")
        .with(Traits::RETURN_LIKE)
        .with(Traits::TERMINATOR)
        .operands(&[one("value", ANY)])
        .parents(&["tensor.generate", "tensor.pad"])
        .format("$value attr-dict `:` type($value)");
}
