//! DMA: asynchronous copies between elements that maps address, `affine.dma_start` and
//! `affine.dma_wait`. Neither has inherent attributes: the maps stand in the dictionary, and the
//! custom forms have no place for other attributes.

use smallvec::SmallVec;

use gridloom_ir::affine::AffineMap;
use gridloom_ir::body::{Body, OpData, OpId, Value};
use gridloom_ir::context::Context;
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::text::{Delimiter, OpParser, OpPrinter, Operand, Operands, ParseFailed, Tok};
use gridloom_ir::types::Type;
use gridloom_ir::verify::{Check, Checked};

use super::validity::{is_valid_dim, scope_of};

type Parsed<T = ()> = Result<T, ParseFailed>;

/// Map names of a start, in the order of the operands.
const START_MAPS: [&str; 3] = ["src_map", "dst_map", "tag_map"];
/// Map name of a wait.
const WAIT_MAPS: [&str; 1] = ["tag_map"];

/// Addressed element: a memref, and the map to the element's indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AffinePlace<'b> {
    /// The memref.
    pub memref: Value,
    /// The map, with one result for each dimension of the memref.
    pub map: AffineMap,
    /// The map's operands.
    pub operands: &'b [Value],
}

/// The operands of an `affine.dma_start` by role.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AffineDmaParts<'b> {
    /// The first element read.
    pub source: AffinePlace<'b>,
    /// The first element written.
    pub target: AffinePlace<'b>,
    /// The number of elements.
    pub num_elements: Value,
    /// The tag element that the wait names.
    pub tag: AffinePlace<'b>,
    /// The stride in elements, and the number of elements copied per stride.
    pub stride: Option<(Value, Value)>,
}

op_view! {
    /// `affine.dma_start`: begins a copy that a tag element identifies.
    DmaStartOp = super::DMA_START
}

impl DmaStartOp {
    /// The operands by role. `None` when a map is missing, or there are too few
    /// operands or too many.
    pub fn parts<'b>(self, ctx: &Context, body: &'b Body) -> Option<AffineDmaParts<'b>> {
        let (found, numbers) = places(ctx, &body[self.0], &START_MAPS)?;
        let [source, target, tag] = found[..] else {
            return None;
        };
        let (num_elements, stride) = match *numbers {
            [count] => (count, None),
            [count, stride, each] => (count, Some((stride, each))),
            _ => return None,
        };
        Some(AffineDmaParts {
            source,
            target,
            num_elements,
            tag,
            stride,
        })
    }
}

op_view! {
    /// `affine.dma_wait`: waits for the copy of a tag element.
    DmaWaitOp = super::DMA_WAIT
}

impl DmaWaitOp {
    /// The tag element and the number of elements; `None` when the map or
    /// operands are missing.
    pub fn parts<'b>(self, ctx: &Context, body: &'b Body) -> Option<(AffinePlace<'b>, Value)> {
        let (found, numbers) = places(ctx, &body[self.0], &WAIT_MAPS)?;
        Some((*found.first()?, *numbers.first()?))
    }
}

/// Addressed elements, and the operands after them.
type Places<'b> = (SmallVec<[AffinePlace<'b>; 3]>, &'b [Value]);

/// Splits operands into elements addressed by the maps of these names. `None` when a map is missing
/// or operands are too few.
fn places<'b>(ctx: &Context, data: &'b OpData, maps: &[&str]) -> Option<Places<'b>> {
    let mut rest = &data.operands[..];
    let mut places = SmallVec::new();
    for name in maps {
        let map = data.attr(ctx, name)?.as_map(ctx)?;
        let (&memref, after) = rest.split_first()?;
        let (operands, after) = after.split_at_checked(map.num_inputs(ctx))?;
        places.push(AffinePlace {
            memref,
            map,
            operands,
        });
        rest = after;
    }
    Some((places, rest))
}

// ---- custom forms ----

/// Parses `%memref[%i + 1, %j]` and stores the map under a name; adds no operands.
fn parse_place<'s>(p: &mut OpParser<'_, 's>, map: &str) -> Parsed<(Operand<'s>, Operands<'s>)> {
    let memref = p.operand()?;
    let (value, operands) = p.map_of_values(Delimiter::Square)?;
    let value = p.ctx().map_attr(value);
    p.set_attribute(map, value);
    Ok((memref, operands))
}

/// `%src[…], %dst[…], %tag[…], %count[, %stride, %each] : type, type, type`
pub(super) fn parse_start(p: &mut OpParser<'_, '_>) -> Parsed {
    let mut places = SmallVec::<[_; 3]>::new();
    for map in START_MAPS {
        places.push(parse_place(p, map)?);
        p.expect(Tok::Comma)?;
    }
    let mut numbers = Operands::from_slice(&[p.operand()?]);
    // Upstream takes a comma without a stride after it.
    if p.eat(Tok::Comma) {
        numbers.extend(p.operand_list(Delimiter::None)?);
    }
    if !matches!(numbers.len(), 1 | 3) {
        return Err(p.error_at(p.op_place(), "expected two stride related operands"));
    }
    p.expect(Tok::Colon)?;
    let mut types: SmallVec<[Type; 3]> = SmallVec::new();
    loop {
        types.push(p.ty()?);
        if !p.eat(Tok::Comma) {
            break;
        }
    }
    if types.len() != places.len() {
        return Err(p.error_at(p.op_place(), "expected three types"));
    }
    let index = p.ctx().index_type();
    for ((memref, operands), &ty) in places.iter().zip(&types) {
        p.add_operand(*memref, ty)?;
        p.add_operands(operands, index)?;
    }
    p.add_operands(&numbers, index)
}

/// `%tag[…], %count : type`
pub(super) fn parse_wait(p: &mut OpParser<'_, '_>) -> Parsed {
    let [map] = WAIT_MAPS;
    let (memref, operands) = parse_place(p, map)?;
    p.expect(Tok::Comma)?;
    let count = p.operand()?;
    let ty = p.colon_type()?;
    let index = p.ctx().index_type();
    p.add_operand(memref, ty)?;
    p.add_operands(&operands, index)?;
    p.add_operand(count, index)?;
    if ty.memref(p.ctx()).is_none() {
        return Err(p.error_at(p.op_place(), "expected tag to be of memref type"));
    }
    Ok(())
}

/// Prints either form: the elements, as many of the operands after them, the types.
fn print(p: &mut OpPrinter<'_>, body: &Body, places: &[AffinePlace<'_>], numbers: &[Value]) {
    for (nth, place) in places.iter().enumerate() {
        p.text(if nth == 0 { " " } else { ", " });
        p.value(place.memref);
        p.text("[");
        p.map_of_values(place.map, place.operands);
        p.text("]");
    }
    for &number in numbers {
        p.text(", ");
        p.value(number);
    }
    for (nth, place) in places.iter().enumerate() {
        p.text(if nth == 0 { " : " } else { ", " });
        p.ty(body.ty(place.memref));
    }
}

pub(super) fn print_start(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    if let Some((places, numbers)) = places(ctx, &body[op], &START_MAPS) {
        print(p, body, &places, numbers);
    }
}

pub(super) fn print_wait(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    if let Some((places, numbers)) = places(ctx, &body[op], &WAIT_MAPS) {
        print(p, body, &places, &numbers[..numbers.len().min(1)]);
    }
}

/// Whether the custom form round-trips: it spells these counts of numbers after the elements, all
/// of type `index`, and no attribute but the maps.
fn form_is_lossless(ctx: &Context, body: &Body, op: OpId, maps: &[&str], counts: &[usize]) -> bool {
    let data = &body[op];
    let attributes = data.attributes.entries(ctx).len() + data.properties.entries(ctx).len();
    places(ctx, data, maps).is_some_and(|(_, numbers)| {
        attributes == maps.len()
            && counts.contains(&numbers.len())
            && numbers.iter().all(|&value| body.ty(value).is_index(ctx))
    })
}

pub(super) fn start_form_is_lossless(ctx: &Context, body: &Body, op: OpId) -> bool {
    form_is_lossless(ctx, body, op, &START_MAPS, &[1, 3])
}

pub(super) fn wait_form_is_lossless(ctx: &Context, body: &Body, op: OpId) -> bool {
    form_is_lossless(ctx, body, op, &WAIT_MAPS, &[1])
}

// ---- rules ----

/// Checks that the maps are there, each memref operand is a memref, and the maps have operands.
/// Returns the elements and the operands after them.
fn verify_places<'b>(
    check: &'b Check,
    maps: &[&str],
    roles: &[&str],
) -> Result<Places<'b>, Diagnostic> {
    let (ctx, data) = (check.ctx(), check.data());
    let mut at = 0;
    for (name, role) in maps.iter().zip(roles) {
        let Some(map) = data.attr(ctx, name).and_then(|attr| attr.as_map(ctx)) else {
            return Err(check.error(format!("requires attribute '{name}'")));
        };
        if let Some(&memref) = data.operands.get(at) {
            check.ensure(
                check.body().ty(memref).memref(ctx).is_some(),
                format_args!("expected DMA {role} to be of memref type"),
            )?;
        }
        at += 1 + map.num_inputs(ctx);
    }
    places(ctx, data, maps).ok_or_else(|| check.error("incorrect number of operands"))
}

/// Checks that the operands of an element are valid dimensions and symbols; `what` and `user` name
/// them in messages.
fn verify_indices(check: &Check, place: &AffinePlace<'_>, what: &str, user: &str) -> Checked {
    let (ctx, body) = (check.ctx(), check.body());
    let scope = scope_of(body, check.op);
    for &index in place.operands {
        check.ensure(
            body.ty(index).is_index(ctx),
            format_args!("{what} to {user} must have 'index' type"),
        )?;
        check.ensure(
            scope.is_none_or(|scope| is_valid_dim(ctx, body, index, scope)),
            format_args!("{what} must be a valid dimension or symbol identifier"),
        )?;
    }
    Ok(())
}

pub(super) fn verify_start(check: &Check) -> Checked {
    let (places, numbers) = verify_places(check, &START_MAPS, &["source", "destination", "tag"])?;
    check.ensure(
        matches!(numbers.len(), 1 | 3),
        "incorrect number of operands",
    )?;
    for (place, what) in places.iter().zip(["src index", "dst index", "tag index"]) {
        verify_indices(check, place, what, "dma_start")?;
    }
    Ok(())
}

pub(super) fn verify_wait(check: &Check) -> Checked {
    let (places, numbers) = verify_places(check, &WAIT_MAPS, &["tag"])?;
    check.ensure(!numbers.is_empty(), "incorrect number of operands")?;
    for place in &places {
        verify_indices(check, place, "index", "dma_wait")?;
    }
    Ok(())
}
