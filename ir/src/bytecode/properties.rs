//! How the inherent attributes of a known operation lie in a file.
//!
//! MLIR generates code for each operation. What that code does follows from
//! the definition: attributes in the order of their names, a flag before those
//! that may be absent; then the properties that are no attributes; then the
//! segment sizes, which were an attribute among the others before version 6.

use crate::context::{Context, Ident};
use crate::op::{AttrDef, AttrSyntax, OpDef};

use super::format::{SEGMENT_NUMBERS, VERSION};

/// One inherent attribute.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub name: Ident,
    pub form: Form,
}

/// What stands for an inherent attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// The number of the attribute.
    Required,
    /// The number of the attribute and a flag below it, or 0.
    Optional,
    /// A byte: whether the unit attribute is there.
    Truth,
    /// The value of an attribute of type `i32`.
    Number,
    /// The values of an `array<i32: …>` of this length.
    Segments(usize),
}

/// The fields of an operation in order; none for operations without
/// properties.
pub(super) fn layout(ctx: &Context, def: &OpDef, version: u64) -> Vec<Field> {
    let fields = fields(def, version).into_iter();
    let named = fields.map(|(name, form)| Field {
        name: ctx.ident(name),
        form,
    });
    named.collect()
}

/// The same as text, in the version written.
pub(super) fn spelled(def: &OpDef) -> Vec<String> {
    let mark = |form| match form {
        Form::Required | Form::Segments(_) => "",
        Form::Optional => "?",
        Form::Truth | Form::Number => "#",
    };
    let fields = fields(def, VERSION).into_iter();
    fields
        .map(|(name, form)| format!("{name}{}", mark(form)))
        .collect()
}

fn fields(def: &OpDef, version: u64) -> Vec<(&'static str, Form)> {
    let form = |attr: &AttrDef| match attr.syntax {
        AttrSyntax::Unit if attr.plain => Form::Truth,
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
    // The sort is stable: what is no attribute stays in the row's order.
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
        Form::Truth | Form::Number => 1,
        Form::Segments(_) => 2,
    }
}
