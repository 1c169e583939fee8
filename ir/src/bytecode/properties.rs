//! The layout of a known operation's properties in a file.
//!
//! MLIR generates this code for each operation, but it follows from the
//! definition: attributes sorted by name, optional ones with a flag; then
//! properties that are no attributes; then segment sizes, which were an
//! attribute like the others before version 6.

use crate::context::signature::{AttrDef, AttrSyntax, OpSignature};
use crate::context::{Context, Ident};

use super::format::{SEGMENT_NUMBERS, VERSION};

/// The encoding of one inherent attribute.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub name: Ident,
    pub form: Form,
}

/// Encoding of an inherent attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// The index of the attribute.
    Required,
    /// The index of the attribute above a flag, or 0 if absent.
    Optional,
    /// A byte that tells whether the unit attribute is present.
    Bool,
    /// The value of an `i32` attribute.
    Number,
    /// The elements of an `array<i32: …>` of this length.
    Segments(usize),
}

/// The fields of an operation in file order; empty for operations without
/// properties.
pub(super) fn layout(ctx: &Context, def: &OpSignature, version: u64) -> Vec<Field> {
    let fields = fields(def, version).into_iter();
    let named = fields.map(|(name, form)| Field {
        name: ctx.ident(name),
        form,
    });
    named.collect()
}

/// The fields as text, in the version written.
pub(super) fn spelled(def: &OpSignature) -> Vec<String> {
    let mark = |form| match form {
        Form::Required | Form::Segments(_) => "",
        Form::Optional => "?",
        Form::Bool | Form::Number => "#",
    };
    let fields = fields(def, VERSION).into_iter();
    fields
        .map(|(name, form)| format!("{name}{}", mark(form)))
        .collect()
}

fn fields(def: &OpSignature, version: u64) -> Vec<(&'static str, Form)> {
    let form = |attr: &AttrDef| match attr.syntax {
        AttrSyntax::Unit if attr.plain => Form::Bool,
        _ if attr.plain => Form::Number,
        _ if attr.optional || attr.default.is_some() => Form::Optional,
        _ => Form::Required,
    };
    let mut fields: Vec<_> = def.attrs.iter().map(|a| (a.name, form(a))).collect();
    let segments = def.sized_groups();
    fields.extend(segments.map(|(name, groups)| (name, Form::Segments(groups.len()))));
    if version < SEGMENT_NUMBERS {
        for (_, form) in &mut fields {
            if let Form::Segments(_) = form {
                *form = Form::Required;
            }
        }
    }
    // The sort is stable, so properties that are no attributes stay in the
    // row's order.
    fields.sort_by(
        |(a, form_a), (b, form_b)| match (rank(*form_a), rank(*form_b)) {
            (0, 0) => a.cmp(b),
            (a, b) => a.cmp(&b),
        },
    );
    fields
}

fn rank(form: Form) -> u32 {
    match form {
        Form::Required | Form::Optional => 0,
        Form::Bool | Form::Number => 1,
        Form::Segments(_) => 2,
    }
}
