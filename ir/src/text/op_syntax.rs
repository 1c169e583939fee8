//! What the text form needs to know about a known operation, worked out from
//! its row when the operation is first met in a context.

use super::format::Format;
use super::{ParseFailed, ParseOptions, parse_attr_fragment};
use crate::attr::{Attr, AttrDict, NamedAttr};
use crate::context::{Context, Ident};
use crate::names;
use crate::op::{Assembly, AttrDef, AttrSyntax, EnumDef, EnumStorage, OpDef, OpName};

/// Compiled from an operation's row.
#[derive(Debug)]
pub(crate) struct OpSyntax {
    /// Names of inherent attributes: those of the row in its order, then the
    /// segment sizes.
    pub inherent: Box<[Ident]>,
    /// Inherent attributes that are enumerations.
    pub enums: Box<[(Ident, &'static EnumDef)]>,
    /// Inherent attributes that are truth values: `unit` where they hold, else
    /// absent.
    pub flags: Box<[Ident]>,
    /// Values of inherent attributes that are absent from the text.
    pub defaults: Box<[NamedAttr]>,
    /// The sizes of groups that are all empty, which stand where none are given.
    pub segments: Box<[NamedAttr]>,
    /// What the sizes were called before, and are called now.
    pub old_segments: Box<[(Ident, Ident)]>,
    /// What inherent attributes are when none are written.
    pub unwritten: AttrDict,
    /// The compiled declared form, or why it cannot be compiled.
    pub format: Option<Result<Format, String>>,
}

/// The syntax of a known operation.
pub(crate) fn of<'c>(ctx: &'c Context, name: OpName, def: &'static OpDef) -> &'c OpSyntax {
    ctx.op_syntax(name, || compile(ctx, def))
}

fn compile(ctx: &Context, def: &'static OpDef) -> OpSyntax {
    let mut inherent: Vec<Ident> = def.attrs.iter().map(|a| ctx.ident(a.name)).collect();
    inherent.extend(def.sized_groups().map(|(name, _)| ctx.ident(name)));
    // Groups whose sizes are not given are empty.
    let segments = def.sized_groups();
    let segments = segments
        .map(|(name, groups)| (ctx.ident(name), ctx.i32_array_attr(&vec![0; groups.len()])));
    let default = |a: &AttrDef| {
        let value = parse_attr_text(ctx, a.default?).ok()?;
        Some((ctx.ident(a.name), value))
    };
    let enumeration = |a: &AttrDef| match a.syntax {
        // Integers have one spelling already.
        AttrSyntax::Enum(def) if !matches!(def.storage, EnumStorage::Integer(_)) => {
            Some((ctx.ident(a.name), def))
        }
        _ => None,
    };
    let defaults: Box<[NamedAttr]> = def.attrs.iter().filter_map(default).collect();
    let segments: Box<[NamedAttr]> = segments.collect();
    let unwritten = defaults.iter().chain(&segments).copied().collect();
    let old_segments = segments.iter().map(|&(name, _)| {
        let old = match name {
            names::OPERAND_SEGMENT_SIZES => "operand_segment_sizes",
            _ => "result_segment_sizes",
        };
        (ctx.ident(old), name)
    });
    let old_segments = old_segments.collect();
    let flags = def.attrs.iter().filter(|attr| attr.is_plain_flag());
    OpSyntax {
        flags: flags.map(|attr| ctx.ident(attr.name)).collect(),
        inherent: inherent.into(),
        enums: def.attrs.iter().filter_map(enumeration).collect(),
        defaults,
        segments,
        old_segments,
        unwritten: ctx.attr_dict(unwritten),
        format: match def.assembly {
            Assembly::Declared(text) => Some(Format::compile(ctx, def, text)),
            _ => None,
        },
    }
}

/// The attribute that a whole text spells.
pub(crate) fn parse_attr_text(ctx: &Context, text: &str) -> Result<Attr, ParseFailed> {
    let options = ParseOptions::default();
    parse_attr_fragment(ctx, text.as_bytes(), &options).map_err(|_| ParseFailed)
}

impl Context {
    /// The inherent attributes that an operation has where nothing says
    /// otherwise: `fastmath<none>`, say.
    pub fn default_properties(&self, name: OpName) -> AttrDict {
        let defaults = name.def().map(|def| of(self, name, def).defaults.to_vec());
        self.attr_dict(defaults.unwrap_or_default())
    }
}
