//! `memref.view`: typed memory in workgroup or private memory of bytes.
//!
//! A variable has one type, so bytes become the variables that their views ask for:
//!
//! ```text
//! %raw: memref<512xi8>
//! %a = memref.view %raw[0][]   : … to memref<64xf32>   ⇒  variable of 64 f32
//! %b = memref.view %raw[256][] : … to memref<64xi32>   ⇒  variable of 64 i32
//! ```
//!
//! Views that may overlap share a variable, and have to be of one element type; nothing may
//! access the bytes themselves. Where a shift or a size is computed, a view that leaves the bytes
//! has no elements, and its accesses are guarded whatever was proved of them.

use std::ops::Range;

use gridloom_dialects::{arith, memref};
use gridloom_ir::body::OpData;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::scalar::FloatFormat;
use gridloom_ir::types::{DYNAMIC, MemRefType, TypeKind};
use gridloom_ir::{Body, Context, OpId, Type, Value};
use rspirv::spirv::{Op, Word};

use crate::kernel::{Kernel, Lowered, Lowering};
use crate::memory::{Encoding, Form, MemRef, Scope};
use crate::params;

/// The memory of bytes that a kernel views as other types.
#[derive(Debug, Default)]
pub(crate) struct ByteViews {
    /// Base buffer of each view, or the reason why it has none.
    views: FxHashMap<OpId, Result<usize, &'static str>>,
    groups: Vec<Group>,
    /// Scope of memory of bytes, by its value and by casts of it; `None` until the memory is
    /// declared. No variable stands for these values.
    sources: FxHashMap<Value, Option<Scope>>,
}

/// Views that may overlap: a variable of one element type.
#[derive(Debug)]
struct Group {
    root: Value,
    bytes: Range<i64>,
    element: Type,
    width: i64,
    /// Values of the views, whose accesses may be proved in range.
    values: Vec<Value>,
    variable: Option<MemRef>,
}

const NOT_SCRATCH: &str = "a 'memref.view' in a kernel needs workgroup or private memory of a \
                           constant number of bytes: pass other memory in with the type it is \
                           used as";
const BYTES_USED: &str = "a kernel accesses memory both as bytes and through a view of another \
                          type: use separate memory for the bytes";
const MIXED: &str = "views of one memory of bytes by different types may overlap in a kernel: shift \
                     them apart by constants, or give them one type";
const BAD_TYPE: &str =
    "a view of bytes in a kernel has to be row-major, and of integers or floats of 8 to 64 bits";

impl ByteViews {
    /// Finds the memory of bytes of a kernel and its views.
    pub(crate) fn of(ctx: &Context, func: &OpData, body: &Body) -> ByteViews {
        let mut found = ByteViews::default();
        if !body.may_hold(memref::VIEW) {
            return found;
        }
        let views: Vec<OpId> = (body.walk().into_iter())
            .filter(|&op| body[op].name == memref::VIEW)
            .collect();
        if views.is_empty() {
            return found;
        }
        let params = params::parameter_count(ctx, func);
        let mut roots: FxHashMap<Value, Vec<OpId>> = FxHashMap::default();
        for view in views {
            match root_of(ctx, body, params, body[view].operands[0]) {
                Some(root) => roots.entry(root).or_default().push(view),
                None => drop(found.views.insert(view, Err(NOT_SCRATCH))),
            }
        }
        let mut roots: Vec<(Value, Vec<OpId>)> = roots.into_iter().collect();
        roots.sort_by_key(|(root, _)| *root);
        for (root, views) in roots {
            if let Err(why) = found.add(ctx, body, root, &views) {
                found
                    .views
                    .extend(views.iter().map(|&view| (view, Err(why))));
            }
        }
        found
    }

    /// Groups the views of one memory of bytes.
    fn add(
        &mut self,
        ctx: &Context,
        body: &Body,
        root: Value,
        views: &[OpId],
    ) -> Result<(), &'static str> {
        let sources = casts_of(body, root)?;
        let total = body.ty(root).memref(ctx).and_then(|ty| ty.num_elements());
        let total = total.ok_or(NOT_SCRATCH)?;
        let spans = views.iter().map(|&op| span(ctx, body, op, total));
        let mut spans: Vec<Span> = spans.collect::<Result<_, _>>()?;
        spans.sort_by_key(|span| (span.bytes.start, span.bytes.end));
        let first = self.groups.len();
        let mut placed = Vec::new();
        for span in spans {
            let is_new = self.groups[first..]
                .last()
                .is_none_or(|group| group.bytes.end <= span.bytes.start);
            if is_new {
                self.groups.push(Group {
                    root,
                    bytes: span.bytes.clone(),
                    element: span.element,
                    width: span.width,
                    values: Vec::new(),
                    variable: None,
                });
            }
            let number = self.groups.len() - 1;
            let group = &mut self.groups[number];
            let distance = span.bytes.start - group.bytes.start;
            if group.element != span.element || distance % group.width != 0 {
                self.groups.truncate(first);
                return Err(MIXED);
            }
            group.bytes.end = group.bytes.end.max(span.bytes.end);
            group.values.push(body[span.op].result(0));
            placed.push((span.op, Ok(number)));
        }
        self.views.extend(placed);
        self.sources
            .extend(sources.into_iter().map(|value| (value, None)));
        Ok(())
    }

    /// Notes the scope of memory of bytes; `false` where `value` is none that only views use.
    pub(crate) fn take(&mut self, value: Value, scope: Scope) -> bool {
        match self.sources.get_mut(&value) {
            Some(known) => {
                *known = Some(scope);
                true
            }
            None => false,
        }
    }

    /// Whether a value is memory of bytes that only views use, or a cast of it.
    pub(crate) fn is_source(&self, value: Value) -> bool {
        self.sources.contains_key(&value)
    }
}

/// The memory of bytes that a value is, behind casts: an attribution or an allocation.
fn root_of(ctx: &Context, body: &Body, params: usize, mut value: Value) -> Option<Value> {
    while let Some(op) = body.defining_op(value) {
        match body[op].name {
            memref::CAST => value = body[op].operands[0],
            memref::ALLOCA => break,
            _ => return None,
        }
    }
    let is_parameter = body.defining_op(value).is_none()
        && (body.entry()).is_none_or(|entry| {
            let mut attributions = body[entry].args.iter().skip(params);
            !attributions.any(|&arg| arg == value)
        });
    let ty = body.ty(value).memref(ctx)?;
    let is_bytes = ty.element.signless_width(ctx) == Some(8) && ty.layout.is_none();
    (is_bytes && ty.has_static_shape() && !is_parameter).then_some(value)
}

/// The memory and all casts of it, which nothing but views and casts may use.
fn casts_of(body: &Body, root: Value) -> Result<Vec<Value>, &'static str> {
    let mut sources = vec![root];
    for op in body.walk() {
        let uses = |value: &Value| sources.contains(value);
        if !body[op].operands.iter().any(uses) {
            continue;
        }
        match body[op].name {
            memref::VIEW => {}
            memref::CAST => sources.push(body[op].result(0)),
            _ => return Err(BYTES_USED),
        }
    }
    Ok(sources)
}

/// Byte range that a view may cover, in its memory of bytes.
struct Span {
    op: OpId,
    bytes: Range<i64>,
    element: Type,
    width: i64,
}

fn span(ctx: &Context, body: &Body, op: OpId, total: i64) -> Result<Span, &'static str> {
    let ty = body.ty(body[op].result(0)).memref(ctx).ok_or(BAD_TYPE)?;
    let width = byte_width(ctx, ty.element).filter(|_| ty.layout.is_none());
    let width = width.ok_or(BAD_TYPE)?;
    let shift = arith::constant_int(ctx, body, body[op].operands[1]);
    let length = ty.num_elements().and_then(|count| count.checked_mul(width));
    let start = shift.unwrap_or(0);
    let end = match (shift, length) {
        (Some(shift), Some(length)) => shift.checked_add(length).ok_or(NOT_SCRATCH)?,
        _ => total,
    };
    if start < 0 || end > total || start > end {
        return Err("a 'memref.view' in a kernel reaches beyond the memory that it views");
    }
    Ok(Span {
        op,
        bytes: start..end,
        element: ty.element,
        width,
    })
}

/// Bytes of an element in memory of bytes, as the executor lays it out.
fn byte_width(ctx: &Context, ty: Type) -> Option<i64> {
    match ty.kind(ctx) {
        TypeKind::Index => Some(8),
        TypeKind::Float(kind) => Some(FloatFormat::of(*kind)?.kind.size() as i64),
        _ => match ty.signless_width(ctx)? {
            width @ (8 | 16 | 32 | 64) => Some(i64::from(width) / 8),
            _ => None,
        },
    }
}

/// Lowers `memref.view`.
pub(crate) fn lower(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let group = match k.byte_views.views.get(&op) {
        Some(Ok(group)) => *group,
        Some(&Err(why)) => return Err(k.refuse(op, why)),
        None => return Err(k.malformed(op)),
    };
    let variable = variable_of(k, op, group)?;
    let Group { bytes, width, .. } = &k.byte_views.groups[group];
    let (first, width, count) = (bytes.start, *width, (bytes.end - bytes.start) / *width);
    let result = k.result(op)?;
    let Some(ty) = k.body.ty(result).memref(k.ctx) else {
        return Err(k.malformed(op));
    };
    let mut operands = k.body[op].operands.iter().skip(2).copied();
    let mut sizes = Vec::new();
    for &size in ty.shape.iter() {
        sizes.push(match size {
            DYNAMIC => {
                let operand = operands.next().ok_or_else(|| k.malformed(op))?;
                k.value_word(op, operand)?
            }
            size => k.index_const(size),
        });
    }
    let shift = k.body[op].operands[1];
    let mut view = MemRef { ..variable };
    match arith::constant_int(k.ctx, k.body, shift) {
        Some(shift) => view.offset = k.index_const((shift - first) / width),
        None => {
            let shift = k.value_word(op, shift)?;
            let first = k.index_const(-first);
            let distance = k.index_add(shift, first);
            let width = k.index_const(width);
            let reg = k.index_reg();
            view.offset = k.e.on(reg, Op::SDiv, &[distance, width]);
            let back = k.index_mul(view.offset, width);
            let is_even = k.e.test(reg, Op::IEqual, &[back, distance]);
            keep_if(k, &mut sizes, is_even);
        }
    }
    let order: Vec<usize> = (0..sizes.len()).collect();
    if sizes
        .iter()
        .chain([&view.offset])
        .any(|&word| k.e.constant_value(word).is_none())
    {
        within(k, &mut sizes, view.offset, count);
        k.unproved.push(view.base);
    }
    view.strides = k.packed_strides(&sizes, &order);
    view.sizes = sizes;
    k.define(result, Lowered::MemRef(view));
    Ok(())
}

/// Empties a view that leaves the variable of `count` elements: its sizes become 0.
fn within(k: &mut Kernel<'_>, sizes: &mut [Word], offset: Word, count: i64) {
    let reg = k.index_reg();
    let [zero, most] = [0, count].map(|number| k.index_const(number));
    let mut fits = k.e.test(reg, Op::ULessThanEqual, &[offset, most]);
    let mut elements = k.index_const(1);
    for &size in sizes.iter() {
        // At least 1, and never beyond `most`, so no product wraps around.
        let limit = k.e.on(reg, Op::SDiv, &[most, elements]);
        let is_small = k.e.test(reg, Op::ULessThanEqual, &[size, limit]);
        fits = k.e.test(reg, Op::LogicalAnd, &[fits, is_small]);
        let more = k.e.test(reg, Op::INotEqual, &[size, zero]);
        let more = k.e.test(reg, Op::LogicalAnd, &[more, is_small]);
        let product = k.e.on(reg, Op::IMul, &[elements, size]);
        elements = k.e.select(reg, more, product, elements);
    }
    let rest = k.e.on(reg, Op::ISub, &[most, offset]);
    let is_inside = k.e.test(reg, Op::SLessThanEqual, &[elements, rest]);
    fits = k.e.test(reg, Op::LogicalAnd, &[fits, is_inside]);
    keep_if(k, sizes, fits);
}

/// Zeroes sizes unless the condition holds.
fn keep_if(k: &mut Kernel<'_>, sizes: &mut [Word], condition: Word) {
    let reg = k.index_reg();
    let zero = k.index_const(0);
    for size in sizes {
        *size = k.e.select(reg, condition, *size, zero);
    }
}

/// The variable of a group, made at its first view.
fn variable_of(k: &mut Kernel<'_>, op: OpId, number: usize) -> Lowering<MemRef> {
    let group = &k.byte_views.groups[number];
    if let Some(variable) = &group.variable {
        return Ok(variable.clone());
    }
    let Some(scope) = k.byte_views.sources.get(&group.root).copied().flatten() else {
        return Err(k.malformed(op));
    };
    let ty = MemRefType {
        shape: [(group.bytes.end - group.bytes.start) / group.width].into(),
        element: group.element,
        layout: None,
        space: None,
    };
    let as_words = group
        .values
        .iter()
        .any(|value| k.word_memory.contains(value));
    let (loc, element) = (k.body[op].loc, group.element);
    let element = k.reg_at(loc, element)?;
    let form = Form {
        element,
        encoding: Encoding::words(as_words),
        lanes: 1,
    };
    let variable = k.scratch(loc, &ty, form, scope)?;
    k.byte_views.groups[number].variable = Some(variable.clone());
    Ok(variable)
}
