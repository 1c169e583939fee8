//! Mapping attributes of loops and memories to the parts of a launch: `#gpu.thread<x>`,
//! `#gpu.mask<3>`, `#gpu.loop_dim_map<…>`.

use super::attrs::ADDRESS_SPACE_CASES;
use crate::fields::{Field, Kind, parse_fields, print_fields};
use gridloom_ir::attr::{Attr, AttrKind, Int};
use gridloom_ir::context::Context;
use gridloom_ir::op::{EnumDef, EnumStorage};
use gridloom_ir::text::{BodyParser, OpPrinter, ParseFailed, Tok};
use gridloom_ir::types::{Signedness, Type, TypeKind};

type Parsed = Result<Attr, ParseFailed>;

const IDS: &[(&str, i64)] = &[
    ("x", 0),
    ("y", 1),
    ("z", 2),
    ("linear_dim_0", 3),
    ("linear_dim_1", 4),
    ("linear_dim_2", 5),
    ("linear_dim_3", 6),
    ("linear_dim_4", 7),
    ("linear_dim_5", 8),
    ("linear_dim_6", 9),
    ("linear_dim_7", 10),
    ("linear_dim_8", 11),
    ("linear_dim_9", 12),
];

/// Definition of an enumeration in angle brackets.
const fn bracketed(
    class: &'static str,
    record: &'static str,
    summary: &'static str,
    prefix: &'static str,
    cases: &'static [(&'static str, i64)],
) -> EnumDef {
    let storage = EnumStorage::Dialect("gpu", prefix, ">");
    EnumDef {
        angled: true,
        ..EnumDef::new(class, record, summary, storage, cases)
    }
}

/// Enumeration of the ids that a loop dimension may map to.
const fn id(record: &'static str, prefix: &'static str) -> EnumDef {
    bracketed("MappingId", record, "mapping id", prefix, IDS)
}

pub(super) static BLOCK: EnumDef = id("GPUBlockMappingAttr.block", ".block<");
pub(super) static LANE: EnumDef = id("GPULaneMappingAttr.lane", ".lane<");
pub(super) static THREAD: EnumDef = id("GPUThreadMappingAttr.thread", ".thread<");
pub(super) static WARP: EnumDef = id("GPUWarpMappingAttr.warp", ".warp<");
pub(super) static WARPGROUP: EnumDef = id("GPUWarpgroupMappingAttr.warpgroup", ".warpgroup<");
pub(super) static MEMORY_SPACE: EnumDef = bracketed(
    "AddressSpace",
    "GPUMemorySpaceMappingAttr.address_space",
    "GPU address space",
    ".memory_space<",
    ADDRESS_SPACE_CASES,
);

// ---- masks ----

/// The type that masks are stored in, `ui64`.
fn mask_type(ctx: &Context) -> Type {
    ctx.intern_type(TypeKind::Integer {
        width: 64,
        signedness: Signedness::Unsigned,
    })
}

/// Parses `<255>`: 64 bits, with a negative number sign-extended.
pub(super) fn parse_mask(p: &mut BodyParser<'_, '_>) -> Parsed {
    p.expect(Tok::Less)?;
    let place = p.place();
    let ty = mask_type(p.ctx());
    let bits = if p.eat_keyword("true") {
        u64::MAX
    } else if p.eat_keyword("false") {
        0
    } else if p.at(Tok::Minus) {
        p.integer("a mask")? as u64
    } else {
        let value = p.attribute_of(ty)?;
        match value.kind(p.ctx()) {
            AttrKind::Integer {
                ty: of,
                value: Int::Small(bits),
            } if *of == ty => *bits as u64,
            _ => return Err(p.error_at(place, "expected integer value")),
        }
    };
    p.expect(Tok::Greater)?;
    let mask = p.ctx().intern_attr(AttrKind::Integer {
        ty,
        value: Int::Small(bits.into()),
    });
    Ok(p.make_attr(&[mask]))
}

pub(super) fn print_mask(p: &mut OpPrinter<'_>, ctx: &Context, params: &[Attr]) {
    let mask = params.first().map(|mask| mask.kind(ctx));
    if let Some(AttrKind::Integer {
        value: Int::Small(bits),
        ..
    }) = mask
    {
        p.text(&format!("<{}>", *bits as u64));
    }
}

// ---- loops ----

static PROCESSORS: EnumDef = bracketed(
    "Processor",
    "ParallelLoopDimMappingAttr.processor",
    "processor for loop mapping",
    ".processor<",
    &[
        ("block_x", 0),
        ("block_y", 1),
        ("block_z", 2),
        ("thread_x", 3),
        ("thread_y", 4),
        ("thread_z", 5),
        ("sequential", 6),
    ],
);

const LOOP: &[Field] = &[
    Field::required("processor", Kind::Keyword(&PROCESSORS)).class("::mlir::gpu::Processor"),
    Field::required("map", Kind::Map),
    Field::required("bound", Kind::Map),
];

/// `<processor = thread_x, map = (d0) -> (d0), bound = (d0) -> (d0)>`
pub(super) fn parse_loop(p: &mut BodyParser<'_, '_>) -> Parsed {
    parse_fields(p, "ParallelLoopDimMappingAttr", LOOP)
}

pub(super) fn print_loop(p: &mut OpPrinter<'_>, ctx: &Context, params: &[Attr]) {
    print_fields(p, ctx, LOOP, params);
}
