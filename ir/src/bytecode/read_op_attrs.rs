//! Decodes the attributes of operations.

use super::decode::{Cursor, Read, fail};
use super::format::has;
use super::read_ir::IrReader;
use super::tables::{NameEntry, Tables};
use crate::attr::{AttrDict, AttrKind};
use crate::context::OpName;
use crate::context::signature::OpSignature;
use crate::text::{
    Dicts, WrittenAttrs, canonical_dicts, op_syntax, refused_by_dialect, takes_unregistered,
};

impl<'a> IrReader<'a> {
    /// Decodes attributes and properties. Since version 5, inherent attributes
    /// are properties if the producer knew the operation.
    pub(super) fn attributes(
        &mut self,
        data: &mut Cursor<'a>,
        mask: u8,
        entry: NameEntry,
    ) -> Read<Dicts> {
        let place = data.offset();
        let name = entry.name;
        let mut dicts = Dicts {
            properties: AttrDict::EMPTY,
            attributes: AttrDict::EMPTY,
        };
        if mask & has::ATTRS != 0 {
            dicts.attributes = self.dictionary(data)?;
        }
        let given = mask & has::PROPERTIES != 0;
        let mut canonical = false;
        if given && entry.registered == Some(true) {
            dicts.properties = self.properties.of_known(&mut self.tables, data, name)?;
            canonical = true;
        } else if given {
            dicts.properties =
                self.properties
                    .of_unknown(&mut self.tables, data, entry.def.is_some())?;
        }
        let Some(def) = entry.def else {
            return Ok(dicts);
        };
        if !given && dicts.attributes.is_empty() {
            dicts.properties = self.properties.default_of(&self.tables, name, def);
            return Ok(dicts);
        }
        if canonical && !self.any_inherent(name, def, dicts.attributes) {
            return Ok(dicts);
        }
        self.canonicalize_attributes(place, name, def, dicts)
    }

    fn any_inherent(&self, name: OpName, def: &'static OpSignature, attributes: AttrDict) -> bool {
        if attributes.is_empty() {
            return false;
        }
        let ctx = self.tables.ctx;
        let inherent = &op_syntax(ctx, name, def).inherent;
        let entries = attributes.entries(ctx);
        entries.iter().any(|(name, _)| inherent.contains(name))
    }

    fn canonicalize_attributes(
        &self,
        place: usize,
        name: OpName,
        def: &'static OpSignature,
        dicts: Dicts,
    ) -> Read<Dicts> {
        let ctx = self.tables.ctx;
        let written = WrittenAttrs {
            name,
            properties: dicts.properties.entries(ctx),
            attributes: dicts.attributes.entries(ctx),
        };
        canonical_dicts(ctx, Some(op_syntax(ctx, name, def)), written).or_else(|twice| {
            let message = format!("attribute `{}` is given twice", ctx.str(twice));
            fail(place, message)
        })
    }

    fn dictionary(&mut self, data: &mut Cursor<'a>) -> Read<AttrDict> {
        let place = data.offset();
        let attr = self.tables.attr(data)?;
        match attr.kind(self.tables.ctx) {
            AttrKind::Dict(dict) => Ok(*dict),
            _ => fail(place, "an operation's attributes must be a dictionary"),
        }
    }
}

/// Refuses an unknown operation where the options or its dialect do not allow
/// it.
pub(super) fn check_unregistered(tables: &Tables<'_>, place: usize, name: OpName) -> Read<()> {
    let name = tables.ctx.op_name_str(name);
    if let Some(message) = refused_by_dialect(tables.ctx, name) {
        return fail(place, message);
    }
    if takes_unregistered(tables.ctx, tables.options, name) {
        return Ok(());
    }
    let message = format!(
        "unknown operation `{name}`; operations of unknown dialects pass with \
         --allow-unregistered-dialect"
    );
    fail(place, message)
}
