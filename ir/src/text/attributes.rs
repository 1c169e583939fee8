//! Attribute canonicalisation: moves inherent attributes to the properties, fills defaults in, and
//! gives enumerations and flags one spelling, whichever way the text or the bytecode wrote them.

use smallvec::SmallVec;

use super::format::canonical;
use super::op_syntax;
use crate::attr::{AttrDict, NamedAttr};
use crate::context::OpName;
use crate::context::signature::OpSignature;
use crate::context::{Context, Ident};
use crate::text::OpSyntax;

/// Canonical dictionaries of an operation: inherent and discardable attributes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dicts {
    pub properties: AttrDict,
    pub attributes: AttrDict,
}

/// Attributes of an operation as written, before canonicalisation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct WrittenAttrs<'a> {
    pub name: OpName,
    pub properties: &'a [NamedAttr],
    pub attributes: &'a [NamedAttr],
}

/// Canonicalises the attributes as written; `syntax` is that of a known operation. The error is a
/// name that both lists have.
pub(crate) fn canonical_dicts(
    ctx: &Context,
    syntax: Option<&OpSyntax>,
    written: WrittenAttrs<'_>,
) -> Result<Dicts, Ident> {
    let mut properties = SmallVec::from_slice(written.properties);
    let mut attributes = SmallVec::from_slice(written.attributes);
    let clash = syntax.and_then(|syntax| {
        let (properties, attributes) = (&mut properties, &mut attributes);
        canonicalize_attributes(ctx, syntax, properties, attributes)
    });
    match clash {
        Some(name) => Err(name),
        None => Ok(Dicts {
            properties: ctx.attr_dict_of(&mut properties),
            attributes: ctx.attr_dict_of(&mut attributes),
        }),
    }
}

/// Canonicalises the properties of a known operation for which these attributes are given.
pub fn canonical_properties(
    ctx: &Context,
    name: OpName,
    def: &'static OpSignature,
    given: &[NamedAttr],
) -> AttrDict {
    let mut properties = SmallVec::from_slice(given);
    // A single list has no clash.
    canonicalize_attributes(
        ctx,
        op_syntax::of(ctx, name, def),
        &mut properties,
        &mut SmallVec::new(),
    );
    ctx.attr_dict_of(&mut properties)
}

/// Moves inherent attributes from the discardable dictionary to the properties; returns a name that
/// both have.
fn split_attributes(
    syntax: &OpSyntax,
    properties: &mut SmallVec<[NamedAttr; 4]>,
    attributes: &mut SmallVec<[NamedAttr; 4]>,
) -> Option<Ident> {
    let mut clash = None;
    attributes.retain(|&mut (name, value)| {
        if !syntax.inherent.contains(&name) {
            return true;
        }
        if properties.iter().any(|p| p.0 == name) {
            clash = Some(name);
        }
        properties.push((name, value));
        false
    });
    clash
}

/// Canonicalises the attributes of a known operation: inherent ones to the properties, enumerations
/// to one spelling, flags to `unit` or absence, defaults filled in. Returns a name that both lists
/// have.
fn canonicalize_attributes(
    ctx: &Context,
    syntax: &OpSyntax,
    properties: &mut SmallVec<[NamedAttr; 4]>,
    attributes: &mut SmallVec<[NamedAttr; 4]>,
) -> Option<Ident> {
    for &(old, name) in &syntax.old_segments {
        let Some(at) = attributes.iter().position(|entry| entry.0 == old) else {
            continue;
        };
        let (_, sizes) = attributes.remove(at);
        if !properties.iter().any(|entry| entry.0 == name) {
            properties.push((name, sizes));
        }
    }
    let clash = match attributes.is_empty() {
        true => None,
        false => split_attributes(syntax, properties, attributes),
    };
    for (name, def) in &syntax.enums {
        if let Some(entry) = properties.iter_mut().find(|p| p.0 == *name) {
            entry.1 = canonical(ctx, def, entry.1);
        }
    }
    for flag in &syntax.flags {
        let Some(at) = properties.iter().position(|p| p.0 == *flag) else {
            continue;
        };
        match properties[at].1.as_bool(ctx) {
            Some(true) => properties[at].1 = ctx.unit_attr(),
            Some(false) => drop(properties.remove(at)),
            None => {}
        }
    }
    for &(name, value) in syntax.defaults.iter().chain(&syntax.segments) {
        if !properties.iter().any(|p| p.0 == name) {
            properties.push((name, value));
        }
    }
    clash
}
