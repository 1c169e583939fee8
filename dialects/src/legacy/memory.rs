//! Old operations on memrefs, tensors and vectors.

use super::emit::{Emit, Parts};
use gridloom_ir::affine::is_static;
use gridloom_ir::attr::{Attr, NamedAttr};
use gridloom_ir::body::Value;
use gridloom_ir::text::PResult;
use gridloom_ir::text::{Tok, Token};
use gridloom_ir::types::{DYNAMIC, Type, TypeKind};

// ---- dim, rank ----

/// `dim %A, 1 : type`, and the later form with a value for the number.
pub(super) fn custom_dim(e: &mut Emit<'_, '_>) -> PResult<()> {
    let operand = e.p.operand()?;
    e.p.expect(Tok::Comma)?;
    let token = e.p.tok;
    if e.p.at(Tok::Percent) {
        let index = e.p.operand()?;
        let attrs = e.attrs()?;
        e.p.expect(Tok::Colon)?;
        let ty = e.p.ty()?;
        let source = e.p.resolve(operand, ty)?;
        let index = e.p.resolve(index, e.ctx().index_type())?;
        e.end_of_text()?;
        return dim(e, source, index, &attrs);
    }
    let number = e.p.signed_integer("the number of a dimension")?;
    let attrs = e.attrs()?;
    e.p.expect(Tok::Colon)?;
    let ty = e.p.ty()?;
    let source = e.p.resolve(operand, ty)?;
    e.end_of_text()?;
    constant_dim(e, source, (number, token), &attrs)
}

/// `"dim"(%A) {index: 1} : (type) -> index`
pub(super) fn generic_dim(e: &mut Emit<'_, '_>, mut parts: Parts) -> PResult<()> {
    let number = parts.take(e.ctx(), "index").and_then(|a| a.as_i64(e.ctx()));
    match (&parts.operands[..], number) {
        (&[source], Some(number)) => {
            let token = e.token;
            constant_dim(e, source, (number, token), &parts.attrs)
        }
        (&[source, index], None) => dim(e, source, index, &parts.attrs),
        _ => Err(e.error("`dim` has one operand and the attribute `index`")),
    }
}

fn constant_dim(
    e: &mut Emit<'_, '_>,
    source: Value,
    (number, token): (i64, Token),
    attrs: &[NamedAttr],
) -> PResult<()> {
    if let Some(rank) = rank(e, e.p.value_type(source))
        && usize::try_from(number).ok().is_none_or(|n| n >= rank)
    {
        let message = format!("there is no dimension {number} in a shape of rank {rank}");
        return Err(e.p.error_on(token, message));
    }
    let index = e.index_constant(number)?;
    dim(e, source, index, attrs)
}

fn dim(e: &mut Emit<'_, '_>, source: Value, index: Value, attrs: &[NamedAttr]) -> PResult<()> {
    let name = by_type(e, source, "memref.dim", "tensor.dim")?;
    let attrs = e.named(attrs);
    let ty = e.ctx().index_type();
    e.result_op(name, &[source, index], &[ty], &attrs)
}

/// `rank %A : type`
pub(super) fn custom_rank(e: &mut Emit<'_, '_>) -> PResult<()> {
    let operand = e.p.operand()?;
    let attrs = e.attrs()?;
    e.p.expect(Tok::Colon)?;
    let ty = e.p.ty()?;
    let source = e.p.resolve(operand, ty)?;
    e.end_of_text()?;
    make_rank(e, source, &attrs)
}

pub(super) fn generic_rank(e: &mut Emit<'_, '_>, parts: Parts) -> PResult<()> {
    match parts.operands[..] {
        [source] => make_rank(e, source, &parts.attrs),
        _ => Err(e.error("`rank` has one operand")),
    }
}

fn make_rank(e: &mut Emit<'_, '_>, source: Value, attrs: &[NamedAttr]) -> PResult<()> {
    let name = by_type(e, source, "memref.rank", "tensor.rank")?;
    let attrs = e.named(attrs);
    let ty = e.ctx().index_type();
    e.result_op(name, &[source], &[ty], &attrs)
}

/// Chooses between the operation for memrefs and the one for tensors.
fn by_type(
    e: &mut Emit<'_, '_>,
    value: Value,
    memref: &'static str,
    tensor: &'static str,
) -> PResult<&'static str> {
    match e.p.value_type(value).kind(e.ctx()) {
        TypeKind::MemRef(_) | TypeKind::UnrankedMemRef { .. } => Ok(memref),
        TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor { .. } => Ok(tensor),
        _ => Err(e.error("the operand is neither a memref nor a tensor")),
    }
}

/// Returns the rank of a shaped type, if it has one.
fn rank(e: &Emit<'_, '_>, ty: Type) -> Option<usize> {
    match ty.kind(e.ctx()) {
        TypeKind::MemRef(memref) => Some(memref.rank()),
        TypeKind::RankedTensor { shape, .. } | TypeKind::Vector { shape, .. } => Some(shape.len()),
        _ => None,
    }
}

// ---- allocation ----

pub(super) fn custom_alloc(e: &mut Emit<'_, '_>) -> PResult<()> {
    custom_allocation(e, "memref.alloc")
}

pub(super) fn custom_alloca(e: &mut Emit<'_, '_>) -> PResult<()> {
    custom_allocation(e, "memref.alloca")
}

/// `alloc(%d)[%s] : memref<…>` or `alloc memref<…>(%d)[%s]`, in both of which the word `memref` may
/// be missing.
fn custom_allocation(e: &mut Emit<'_, '_>, name: &str) -> PResult<()> {
    let type_first = !e.p.at(Tok::LParen);
    let mut ty = None;
    if type_first {
        ty = Some(memref_type(e)?);
    }
    let (dims, symbols) = e.dims_and_symbols()?;
    let attrs = e.attrs()?;
    let ty = match ty {
        Some(ty) => ty,
        None => {
            e.p.expect(Tok::Colon)?;
            memref_type(e)?
        }
    };
    let dims = e.indices(&dims)?;
    let symbols = e.indices(&symbols)?;
    e.end_of_text()?;
    allocation(e, name, (&dims, &symbols), ty, &attrs)
}

/// `memref<…>` or `<…>`
fn memref_type(e: &mut Emit<'_, '_>) -> PResult<Type> {
    let token = e.p.tok;
    let ty = match e.p.at(Tok::Less) {
        true => e.p.memref_body()?,
        false => e.p.ty()?,
    };
    match ty.memref(e.ctx()) {
        Some(_) => Ok(ty),
        None => Err(e.p.error_on(token, "expected a ranked memref type")),
    }
}

pub(super) fn generic_alloc(e: &mut Emit<'_, '_>, parts: Parts) -> PResult<()> {
    generic_allocation(e, parts, "memref.alloc")
}

pub(super) fn generic_alloca(e: &mut Emit<'_, '_>, parts: Parts) -> PResult<()> {
    generic_allocation(e, parts, "memref.alloca")
}

/// The generic form of an allocation: operands for sizes come before those for symbols.
fn generic_allocation(e: &mut Emit<'_, '_>, mut parts: Parts, name: &str) -> PResult<()> {
    let ctx = e.ctx();
    let &[ty] = &parts.results[..] else {
        return Err(e.error("an allocation has one result"));
    };
    let Some(memref) = ty.memref(ctx) else {
        return Err(e.error("an allocation gives a ranked memref"));
    };
    parts.take(ctx, "operandSegmentSizes");
    let dynamic = memref.shape.iter().filter(|&&d| !is_static(d)).count();
    let split = dynamic.min(parts.operands.len());
    let (dims, symbols) = parts.operands.split_at(split);
    allocation(e, name, (dims, symbols), ty, &parts.attrs)
}

fn allocation(
    e: &mut Emit<'_, '_>,
    name: &str,
    (dims, symbols): (&[Value], &[Value]),
    ty: Type,
    attrs: &[NamedAttr],
) -> PResult<()> {
    let ctx = e.ctx();
    let has_layout = ty.memref(ctx).is_some_and(|memref| memref.layout.is_some());
    let mut symbols = symbols;
    if !has_layout && !symbols.is_empty() {
        let listed = e.p.identity_symbols(ty);
        if listed != symbols.len() {
            let message = format!(
                "{} symbol(s) are given, but the layout lists {listed}",
                symbols.len()
            );
            return Err(e.error(message));
        }
        // An identity layout is stored as none, so that it binds no symbols.
        symbols = &[];
    }
    let operands = [dims, symbols].concat();
    let sizes = ctx.i32_array_attr(&[dims.len() as i32, symbols.len() as i32]);
    let mut attrs = e.named(attrs);
    attrs.push(("operandSegmentSizes", sizes));
    e.result_op(name, &operands, &[ty], &attrs)
}

/// `alloc_static(0x1232a00) : memref<…>`
pub(super) fn custom_alloc_static(e: &mut Emit<'_, '_>) -> PResult<()> {
    e.p.expect(Tok::LParen)?;
    let address = e.p.signed_integer("an address")?;
    e.p.expect(Tok::RParen)?;
    let mut attrs = e.attrs()?;
    e.p.expect(Tok::Colon)?;
    let ty = memref_type(e)?;
    e.end_of_text()?;
    let name = e.ctx().ident("address");
    attrs.push((name, e.ctx().i64_attr(address)));
    alloc_static(e, ty, &attrs)
}

pub(super) fn generic_alloc_static(e: &mut Emit<'_, '_>, parts: Parts) -> PResult<()> {
    match parts.results[..] {
        [ty] if ty.memref(e.ctx()).is_some() => alloc_static(e, ty, &parts.attrs),
        _ => Err(e.error("`alloc_static` gives a ranked memref")),
    }
}

fn alloc_static(e: &mut Emit<'_, '_>, ty: Type, attrs: &[NamedAttr]) -> PResult<()> {
    let ctx = e.ctx();
    let Some(memref) = ty.memref(ctx) else {
        return Err(e.error("`alloc_static` gives a ranked memref"));
    };
    let map = memref.layout.and_then(|layout| layout.as_map(ctx));
    if !memref.has_static_shape() || map.is_some_and(|map| map.num_symbols(ctx) > 0) {
        let message = "`alloc_static` is for static shapes and layouts without symbols; \
                       use `alloc`";
        return Err(e.error(message));
    }
    let attrs = e.named(attrs);
    e.unregistered_op("legacy.alloc_static", &[], &[ty], &attrs)
}

// ---- accesses ----

/// `store %v, %m[%i] : memref<…>`, also `store %v to %m[%i]`
pub(super) fn custom_store(e: &mut Emit<'_, '_>) -> PResult<()> {
    let value = e.p.operand()?;
    comma_or_to(e)?;
    let memref = e.p.operand()?;
    let indices = e.operands(Tok::LSquare, Tok::RSquare)?;
    let attrs = e.attrs()?;
    e.p.expect(Tok::Colon)?;
    let ty = memref_type(e)?;
    let element = ty.element(e.ctx()).unwrap_or(ty);
    let mut operands = vec![e.p.resolve(value, element)?, e.p.resolve(memref, ty)?];
    operands.extend(e.indices(&indices)?);
    e.end_of_text()?;
    let attrs = e.named(&attrs);
    e.result_op("memref.store", &operands, &[], &attrs)
}

pub(super) fn generic_store(e: &mut Emit<'_, '_>, parts: Parts) -> PResult<()> {
    let attrs = e.named(&parts.attrs);
    e.result_op("memref.store", &parts.operands, &parts.results, &attrs)
}

fn comma_or_to(e: &mut Emit<'_, '_>) -> PResult<()> {
    match e.p.eat_keyword("to") || e.p.eat(Tok::Comma) {
        true => Ok(()),
        false => Err(e.p.expected("`,` or `to`")),
    }
}

/// `extract_element %v[%i, %j] : type`
pub(super) fn custom_extract(e: &mut Emit<'_, '_>) -> PResult<()> {
    let source = e.p.operand()?;
    let indices = e.operands(Tok::LSquare, Tok::RSquare)?;
    let attrs = e.attrs()?;
    e.p.expect(Tok::Colon)?;
    let ty = e.p.ty()?;
    let source = e.p.resolve(source, ty)?;
    let indices = e.indices(&indices)?;
    e.end_of_text()?;
    extract(e, source, &indices, &attrs)
}

pub(super) fn generic_extract(e: &mut Emit<'_, '_>, parts: Parts) -> PResult<()> {
    match parts.operands.split_first() {
        Some((&source, indices)) => extract(e, source, indices, &parts.attrs),
        None => Err(e.error("`extract_element` has a tensor or vector as its operand")),
    }
}

fn extract(
    e: &mut Emit<'_, '_>,
    source: Value,
    indices: &[Value],
    attrs: &[NamedAttr],
) -> PResult<()> {
    let ctx = e.ctx();
    let ty = e.p.value_type(source);
    if let Some(rank) = rank(e, ty)
        && rank != indices.len()
    {
        let message = format!("{rank} indices are needed, not {}", indices.len());
        return Err(e.error(message));
    }
    let mut attrs = e.named(attrs);
    let mut operands = vec![source];
    let (name, element) = match ty.kind(ctx) {
        TypeKind::Vector { element, .. } => {
            let all_dynamic = ctx.i64_array_attr(&vec![DYNAMIC; indices.len()]);
            attrs.push(("static_position", all_dynamic));
            ("vector.extract", *element)
        }
        TypeKind::RankedTensor { element, .. } => ("tensor.extract", *element),
        TypeKind::UnrankedTensor { element } => {
            // The length of the index list is the rank.
            let ranked = ctx.intern_type(TypeKind::RankedTensor {
                shape: vec![DYNAMIC; indices.len()].into(),
                element: *element,
                encoding: None,
            });
            let cast = e.op("tensor.cast", &[source], &[ranked], &[])?;
            operands = vec![e.p.body[cast].result(0)];
            ("tensor.extract", *element)
        }
        _ => return Err(e.error("the operand is neither a tensor nor a vector")),
    };
    operands.extend(indices);
    e.result_op(name, &operands, &[element], &attrs)
}

// ---- casts ----

/// `memref_cast %m : type to type`, likewise `tensor_cast`
pub(super) fn custom_cast(e: &mut Emit<'_, '_>) -> PResult<()> {
    let operand = e.p.operand()?;
    let attrs = e.attrs()?;
    e.p.expect(Tok::Colon)?;
    let from = e.p.ty()?;
    e.p.expect_keyword("to")?;
    let to = e.p.ty()?;
    let source = e.p.resolve(operand, from)?;
    e.end_of_text()?;
    cast(e, source, to, &attrs)
}

pub(super) fn generic_cast(e: &mut Emit<'_, '_>, parts: Parts) -> PResult<()> {
    match (&parts.operands[..], &parts.results[..]) {
        (&[source], &[to]) => cast(e, source, to, &parts.attrs),
        _ => Err(e.error("a cast has one operand and one result")),
    }
}

fn cast(e: &mut Emit<'_, '_>, source: Value, to: Type, attrs: &[NamedAttr]) -> PResult<()> {
    let name = by_type(e, source, "memref.cast", "tensor.cast")?;
    let attrs = e.named(attrs);
    e.result_op(name, &[source], &[to], &attrs)
}

/// `tensor_load %m : memref<…>`
pub(super) fn custom_tensor_load(e: &mut Emit<'_, '_>) -> PResult<()> {
    let operand = e.p.operand()?;
    let attrs = e.attrs()?;
    e.p.expect(Tok::Colon)?;
    let ty = e.p.ty()?;
    let source = e.p.resolve(operand, ty)?;
    e.end_of_text()?;
    tensor_load(e, source, &attrs)
}

pub(super) fn generic_tensor_load(e: &mut Emit<'_, '_>, parts: Parts) -> PResult<()> {
    match parts.operands[..] {
        [source] => tensor_load(e, source, &parts.attrs),
        _ => Err(e.error("`tensor_load` has one operand")),
    }
}

fn tensor_load(e: &mut Emit<'_, '_>, source: Value, attrs: &[NamedAttr]) -> PResult<()> {
    let Some(tensor) = tensor_of(e, e.p.value_type(source)) else {
        return Err(e.error("the operand of `tensor_load` is a memref"));
    };
    let attrs = e.named(attrs);
    e.result_op("bufferization.to_tensor", &[source], &[tensor], &attrs)
}

/// `tensor_store %t, %m : memref<…>` or `tensor_store %t to %m : memref<…>`
pub(super) fn custom_tensor_store(e: &mut Emit<'_, '_>) -> PResult<()> {
    let source = e.p.operand()?;
    comma_or_to(e)?;
    let target = e.p.operand()?;
    let attrs = e.attrs()?;
    e.p.expect(Tok::Colon)?;
    let token = e.p.tok;
    let ty = e.p.ty()?;
    let Some(tensor) = tensor_of(e, ty) else {
        return Err(e.p.error_on(token, "expected a memref type"));
    };
    let operands = [e.p.resolve(source, tensor)?, e.p.resolve(target, ty)?];
    e.end_of_text()?;
    tensor_store(e, &operands, &attrs)
}

pub(super) fn generic_tensor_store(e: &mut Emit<'_, '_>, parts: Parts) -> PResult<()> {
    tensor_store(e, &parts.operands, &parts.attrs)
}

fn tensor_store(e: &mut Emit<'_, '_>, operands: &[Value], attrs: &[NamedAttr]) -> PResult<()> {
    let mut attrs: Vec<(&str, Attr)> = e.named(attrs);
    attrs.push(("writable", e.ctx().unit_attr()));
    let name = "bufferization.materialize_in_destination";
    e.result_op(name, operands, &[], &attrs)
}

/// The tensor type with a memref's shape and elements.
fn tensor_of(e: &Emit<'_, '_>, memref: Type) -> Option<Type> {
    let kind = match memref.kind(e.ctx()) {
        TypeKind::MemRef(memref) => TypeKind::RankedTensor {
            shape: memref.shape.clone(),
            element: memref.element,
            encoding: None,
        },
        TypeKind::UnrankedMemRef { element, .. } => TypeKind::UnrankedTensor { element: *element },
        _ => return None,
    };
    Some(e.ctx().intern_type(kind))
}
