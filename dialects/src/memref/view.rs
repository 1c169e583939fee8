//! Views of memory: typed views and folds.

use crate::reshape::extents_follow;
use crate::verified::required_i64s;
use gridloom_ir::body::{Body, Value};
use gridloom_ir::builder::Builder;
use gridloom_ir::context::Context;
use gridloom_ir::fold::{FoldCx, Folded};
use gridloom_ir::op::OpName;
use gridloom_ir::types::{DYNAMIC, Type};

op_view! {
    /// `memref.cast`
    CastOp = super::CAST
}

impl CastOp {
    /// Creates a cast that adds or erases static information.
    pub fn create(b: &mut Builder, source: Value, ty: Type) -> Value {
        b.unary(super::CAST, &[source], ty)
    }

    /// The memref.
    pub fn source(self, body: &Body) -> Value {
        body[self.0].operands[0]
    }
}

/// An offset, size or stride: static, or an operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mixed {
    /// Static.
    Constant(i64),
    /// An `index` operand.
    Value(Value),
}

impl Mixed {
    /// Combines a static list, with [`DYNAMIC`] in place of operands, and the
    /// operands.
    pub fn zip(constants: &[i64], values: &[Value]) -> Vec<Mixed> {
        let mut values = values.iter();
        let mixed = constants.iter().map(|&constant| match constant {
            DYNAMIC => values
                .next()
                .map_or(Mixed::Constant(DYNAMIC), |&v| Mixed::Value(v)),
            known => Mixed::Constant(known),
        });
        mixed.collect()
    }

    /// Splits a list into the static list and the operands.
    pub fn unzip(mixed: &[Mixed]) -> (Vec<i64>, Vec<Value>) {
        let mut values = Vec::new();
        let constants = mixed.iter().map(|&item| match item {
            Mixed::Constant(value) => value,
            Mixed::Value(value) => {
                values.push(value);
                DYNAMIC
            }
        });
        (constants.collect(), values)
    }
}

op_view! {
    /// `memref.subview`: offsets, sizes and strides count elements of the
    /// source.
    SubViewOp = super::SUBVIEW
}

op_view! {
    /// `memref.reinterpret_cast`: offset, sizes and strides are those of the
    /// result, independent of the source's.
    ReinterpretCastOp = super::REINTERPRET_CAST
}

macro_rules! mixed_accessors {
    ($($view:ident = $name:expr;)*) => {$(
        impl $view {
            /// Creates the view; `lists` are offsets, sizes and strides.
            pub fn create(b: &mut Builder, source: Value, lists: [&[Mixed]; 3], ty: Type) -> Value {
                create_mixed(b, $name, source, lists, ty)
            }

            /// The memref.
            pub fn source(self, body: &Body) -> Value {
                body[self.0].operands[0]
            }

            /// The offsets.
            pub fn offsets(self, ctx: &Context, body: &Body) -> Vec<Mixed> {
                let constants = required_i64s(ctx, &body[self.0], "static_offsets");
                Mixed::zip(&constants, body[self.0].operand_segment(ctx, 1))
            }

            /// The sizes.
            pub fn sizes(self, ctx: &Context, body: &Body) -> Vec<Mixed> {
                let constants = required_i64s(ctx, &body[self.0], "static_sizes");
                Mixed::zip(&constants, body[self.0].operand_segment(ctx, 2))
            }

            /// The strides.
            pub fn strides(self, ctx: &Context, body: &Body) -> Vec<Mixed> {
                let constants = required_i64s(ctx, &body[self.0], "static_strides");
                Mixed::zip(&constants, body[self.0].operand_segment(ctx, 3))
            }
        }
    )*};
}

mixed_accessors! {
    SubViewOp = super::SUBVIEW;
    ReinterpretCastOp = super::REINTERPRET_CAST;
}

fn create_mixed(
    b: &mut Builder,
    name: OpName,
    source: Value,
    lists: [&[Mixed]; 3],
    ty: Type,
) -> Value {
    let ctx = b.ctx;
    let mut state = b.state(name).operands(&[source]).results(&[ty]);
    let mut segments = vec![1];
    for (name, list) in ["static_offsets", "static_sizes", "static_strides"]
        .into_iter()
        .zip(lists)
    {
        let (constants, values) = Mixed::unzip(list);
        state = state.property(ctx, name, ctx.i64_array_attr(&constants));
        segments.push(values.len() as i32);
        state.operands.extend(values);
    }
    let state = state.property(ctx, "operandSegmentSizes", ctx.i32_array_attr(&segments));
    let op = b.create(state);
    b.body[op].result(0)
}

op_view! {
    /// `memref.view`: a typed view of a byte buffer.
    ViewOp = super::VIEW
}

impl ViewOp {
    /// The byte buffer.
    pub fn source(self, body: &Body) -> Value {
        body[self.0].operands[0]
    }

    /// The byte offset of the view.
    pub fn byte_shift(self, body: &Body) -> Value {
        body[self.0].operands[1]
    }

    /// The size operands, one for each `?` of the result.
    pub fn sizes(self, body: &Body) -> &[Value] {
        &body[self.0].operands[2..]
    }
}

/// Folds a cast to its own type, and a chain of two back to the original type.
pub(super) fn fold_cast(cx: &FoldCx) -> Option<Folded> {
    let [source] = cx.operands()?;
    let ty = cx.result_type(0);
    if cx.ty(source) == ty {
        return cx.value(source);
    }
    let origin = *cx.maker(source, cx.data().name)?.operands.first()?;
    (cx.ty(origin) == ty).then(|| cx.value(origin))?
}

/// Folds `memref.rank` of a ranked memref.
pub(super) fn fold_rank(cx: &FoldCx) -> Option<Folded> {
    let [source] = cx.operands()?;
    cx.splat(cx.ty(source).memref(cx.ctx)?.rank() as u64)
}

/// Folds an identity `memref.transpose`.
pub(super) fn fold_transpose(cx: &FoldCx) -> Option<Folded> {
    let [source] = cx.operands()?;
    let map = cx.data().attr(cx.ctx, "permutation")?.as_map(cx.ctx)?;
    let same = map.is_identity(cx.ctx) && cx.ty(source) == cx.result_type(0);
    same.then(|| cx.value(source))?
}

/// Whether offset, shape and strides of a memref type are all static.
fn is_fully_static(ctx: &Context, ty: Type) -> bool {
    let known = |memref: &gridloom_ir::types::MemRefType| {
        let strided = memref.strided_form(ctx);
        memref.has_static_shape()
            && strided
                .is_some_and(|(offset, strides)| offset != DYNAMIC && !strides.contains(&DYNAMIC))
    };
    ty.memref(ctx).is_some_and(known)
}

/// Folds a `memref.subview` of everything, or one that covers another subview
/// completely.
pub(super) fn fold_subview(cx: &FoldCx) -> Option<Folded> {
    let (ctx, body, op) = (cx.ctx, cx.body, SubViewOp(cx.op));
    let source = op.source(body);
    if cx.ty(source) != cx.result_type(0) {
        return None;
    }
    if is_fully_static(ctx, cx.result_type(0)) {
        return cx.value(source);
    }
    let inner = SubViewOp::cast(body, body.defining_op(source)?)?;
    let all = |list: Vec<Mixed>, number| list.iter().all(|&item| item == Mixed::Constant(number));
    let whole = all(op.offsets(ctx, body), 0)
        && all(op.strides(ctx, body), 1)
        && op.sizes(ctx, body) == inner.sizes(ctx, body);
    whole.then(|| cx.value(source))?
}

/// Folds a `memref.view` of a whole byte buffer as bytes.
pub(super) fn fold_view(cx: &FoldCx) -> Option<Folded> {
    let op = ViewOp(cx.op);
    let source = op.source(cx.body);
    let same = cx.ty(source) == cx.result_type(0)
        && is_fully_static(cx.ctx, cx.result_type(0))
        && cx.is_int(op.byte_shift(cx.body), 0);
    same.then(|| cx.value(source))?
}

/// Folds a `memref.collapse_shape` without effect, and `collapse_shape
/// (expand_shape %m) ⇒ %m` by the same groups.
pub(super) fn fold_collapse_shape(cx: &FoldCx) -> Option<Folded> {
    fold_reshape(cx, super::EXPAND_SHAPE)
}

/// Folds a `memref.expand_shape` without effect, and `expand_shape
/// (collapse_shape %m) ⇒ %m` by the same groups if the dynamic extents are
/// determined: otherwise they may differ from those of `%m`.
pub(super) fn fold_expand_shape(cx: &FoldCx) -> Option<Folded> {
    let &source = cx.data().operands.first()?;
    let ty = cx.result_type(0).memref(cx.ctx)?;
    let groups = cx.data().attr(cx.ctx, "reassociation")?;
    let knows = cx.ty(source) == cx.result_type(0)
        || ty.has_static_shape()
        || extents_follow(cx, &ty.shape, groups);
    fold_reshape(cx, super::COLLAPSE_SHAPE).filter(|_| knows)
}

fn fold_reshape(cx: &FoldCx, inverse: OpName) -> Option<Folded> {
    let (ctx, source) = (cx.ctx, *cx.data().operands.first()?);
    if cx.ty(source) == cx.result_type(0) {
        return cx.value(source);
    }
    let maker = cx.maker(source, inverse)?;
    let origin = *maker.operands.first()?;
    let groups = |data: &gridloom_ir::body::OpData| data.attr(ctx, "reassociation");
    let same = cx.ty(origin) == cx.result_type(0) && groups(maker) == groups(cx.data());
    same.then(|| cx.value(origin))?
}
