//! Operation syntax: the text form's data about a known operation, compiled from its row when a
//! text of the context first uses it.

use super::format::Format;
use super::op_form::{Assembly, OpForm};
use super::{Forms, ParseFailed, ParseOptions, parse_attr_fragment};
use crate::attr::{Attr, AttrDict, NamedAttr};
use crate::attr_names;
use crate::context::OpName;
use crate::context::signature::{AttrDef, AttrSyntax, EnumDef, EnumStorage, OpSignature};
use crate::context::{Context, Ident};

/// Syntax of an operation, compiled from its row.
#[derive(Debug)]
pub(crate) struct OpSyntax {
    /// Names of inherent attributes: those of the row in its order, then the
    /// segment sizes.
    pub inherent: Box<[Ident]>,
    /// Inherent attributes that are enumerations.
    pub enums: Box<[(Ident, &'static EnumDef)]>,
    /// Inherent attributes that are flags: `unit` where they hold, else absent.
    pub flags: Box<[Ident]>,
    /// Defaults: values of inherent attributes that the text leaves out.
    pub defaults: Box<[NamedAttr]>,
    /// Segment sizes of groups that are all empty, for an operation that gives none.
    pub segments: Box<[NamedAttr]>,
    /// Old names of the segment sizes, each with its name today.
    pub old_segments: Box<[(Ident, Ident)]>,
    /// The inherent attributes of an operation that writes none.
    pub unwritten: AttrDict,
    /// The compiled declared form, or why it cannot be compiled.
    pub format: Option<Result<Format, String>>,
}

/// Returns the syntax of a known operation from the context's cache.
pub(crate) fn of<'c>(ctx: &'c Context, name: OpName, def: &'static OpSignature) -> &'c OpSyntax {
    Forms::of(ctx).syntax(ctx, name, def)
}

/// Compiles the syntax of an operation.
pub(super) fn compile(ctx: &Context, def: &'static OpSignature, form: &OpForm) -> OpSyntax {
    let mut inherent: Vec<Ident> = def.attrs.iter().map(|a| ctx.ident(a.name)).collect();
    inherent.extend(def.sized_groups().map(|(name, _)| ctx.ident(name)));
    // Groups without given sizes are empty.
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
            attr_names::OPERAND_SEGMENT_SIZES => "operand_segment_sizes",
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
        format: match form.assembly {
            Assembly::Declared(text) => Some(Format::compile(ctx, def, form.directives, text)),
            _ => None,
        },
    }
}

/// Checks that the declared form of a row compiles and that its attributes' defaults can be read:
/// for tests of a dialect, whose texts would fail where they use the row.
pub fn check_row(ctx: &Context, name: OpName) -> Result<(), String> {
    let def = ctx.op_signature(name).ok_or("the operation has no row")?;
    let syntax = of(ctx, name, def);
    if let Some(Err(why)) = &syntax.format {
        return Err(format!("{}: {why}", def.name));
    }
    let defaults = def.attrs.iter().filter(|attr| attr.default.is_some());
    match defaults.count() == syntax.defaults.len() {
        true => Ok(()),
        false => Err(format!("{}: a default is no attribute", def.name)),
    }
}

/// Parses an attribute that makes up a whole text.
pub(crate) fn parse_attr_text(ctx: &Context, text: &str) -> Result<Attr, ParseFailed> {
    let options = ParseOptions::default();
    parse_attr_fragment(ctx, text.as_bytes(), &options).map_err(|_| ParseFailed)
}

impl Context {
    /// Returns the inherent attributes of an operation that writes none: `fastmath<none>`, say.
    pub fn default_properties(&self, name: OpName) -> AttrDict {
        let defaults = self
            .op_signature(name)
            .map(|def| of(self, name, def).defaults.to_vec());
        self.attr_dict(defaults.unwrap_or_default())
    }
}
