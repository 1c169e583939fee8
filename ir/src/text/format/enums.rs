//! Enumeration attributes: keywords in custom forms, attributes in the dictionary.

use std::borrow::Cow;

use smallvec::SmallVec;

use crate::attr::{Attr, AttrKind};
use crate::context::Context;
use crate::context::signature::{EnumDef, EnumStorage};
use crate::text::Tok;

/// Spells the cases that make up a value: one name, or the names of its bits with the separator
/// between them.
pub fn case_name(def: &EnumDef, value: i64) -> Option<Cow<'static, str>> {
    if let Some((name, _)) = def.cases.iter().find(|(_, v)| *v == value) {
        return Some((*name).into());
    }
    if !def.bits {
        return None;
    }
    let bits = def.cases.iter().filter(|(_, v)| v.count_ones() == 1);
    let (mut text, mut seen) = (String::new(), 0);
    for (name, bit) in bits.filter(|(_, bit)| value & bit != 0) {
        if !text.is_empty() {
            text.push_str(def.storage.separator());
        }
        text.push_str(name);
        seen |= bit;
    }
    (seen == value).then_some(text.into())
}

/// Parses the text that [`case_name`] prints, blanks allowed.
pub fn case_value(def: &EnumDef, text: &str) -> Option<i64> {
    let single = |name: &str| {
        let found = def.cases.iter().find(|(n, _)| *n == name);
        found.map(|(_, value)| *value)
    };
    if !def.bits {
        return single(text.trim());
    }
    text.split(def.storage.separator().trim())
        .map(|name| single(name.trim()))
        .try_fold(0, |all, value| Some(all | value?))
}

/// Spells what a diagnostic expects where no case stands; `attribute` is the operation's name for
/// the attribute.
pub(crate) fn expected_cases(def: &EnumDef, attribute: &str) -> String {
    let names: Vec<_> = def.cases.iter().map(|case| case.0).collect();
    let names = names.join(", ");
    match def.storage.dialect() {
        Some((dialect, ..)) => {
            format!(
                "expected ::mlir::{dialect}::{} to be one of: {names}",
                def.class
            )
        }
        None => format!(
            "expected string or keyword containing one of the following enum values for \
             attribute '{attribute}' [{names}]"
        ),
    }
}

/// The follow-up message where a parameter of a dialect attribute cannot be read.
pub(crate) fn unread_parameter(def: &EnumDef) -> Option<String> {
    let (dialect, ..) = def.storage.dialect()?;
    let (record, parameter) = def.record.split_once('.').unwrap_or((def.record, "value"));
    let class = def.class;
    Some(format!(
        "failed to parse {record} parameter '{parameter}' which is to be a \
         `::mlir::{dialect}::{class}`"
    ))
}

/// The separator token between the names of bits.
pub(crate) fn separator(def: &EnumDef) -> Tok {
    match def.storage.separator() {
        "|" => Tok::Bar,
        _ => Tok::Comma,
    }
}

/// Wraps the value of an enumeration in the attribute that stores it; `None` where no case has the
/// value.
pub fn store(ctx: &Context, def: &EnumDef, value: i64) -> Option<Attr> {
    match def.storage {
        EnumStorage::Integer(width) => Some(ctx.int_attr(ctx.int_type(width), value)),
        EnumStorage::Dialect(dialect, prefix, suffix)
        | EnumStorage::Joined(dialect, prefix, suffix, _) => {
            let name = case_name(def, value)?;
            let mut body: SmallVec<[u8; 64]> = SmallVec::new();
            for part in [prefix, &*name, suffix] {
                body.extend_from_slice(part.as_bytes());
            }
            Some(ctx.dialect_attr(dialect, std::str::from_utf8(&body).ok()?))
        }
        EnumStorage::String => Some(ctx.string_attr(&case_name(def, value)?)),
    }
}

/// Unwraps the value that an attribute stores.
pub fn load(ctx: &Context, def: &EnumDef, attr: Attr) -> Option<i64> {
    match (def.storage, attr.kind(ctx)) {
        (EnumStorage::Integer(_), _) => attr.as_i64(ctx),
        (EnumStorage::String, _) => case_value(def, attr.as_str(ctx)?),
        (storage, AttrKind::Dialect { dialect, body, .. }) => {
            let (name, prefix, suffix) = storage.dialect()?;
            if ctx.str(*dialect) != name {
                return None;
            }
            let text = ctx.str(*body).strip_prefix(prefix)?;
            case_value(def, text.strip_suffix(suffix)?)
        }
        _ => None,
    }
}

/// Canonical form of an attribute among those of equal meaning: `#arith.fastmath<contract, nnan>`
/// has blanks and order to choose.
pub(crate) fn canonical(ctx: &Context, def: &EnumDef, attr: Attr) -> Attr {
    load(ctx, def, attr)
        .and_then(|value| store(ctx, def, value))
        .unwrap_or(attr)
}
