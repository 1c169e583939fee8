//! Attributes of operations.

use super::decode::{Cursor, Read, fail};
use super::format::has;
use super::read_ir::IrReader;
use super::tables::{NameEntry, Tables};
use crate::attr::{AttrDict, AttrKind};
use crate::body::OpState;
use crate::op::{OpDef, OpName};
use crate::text::{Written, op_facts, refused_by_dialect, settle, takes_unregistered};

impl<'a> IrReader<'a> {
    /// Attributes and properties: inherent ones are among the latter since
    /// version 5, where whoever wrote the file knew the operation.
    pub(super) fn attributes(
        &mut self,
        data: &mut Cursor<'a>,
        mask: u8,
        state: &mut OpState,
        entry: NameEntry,
    ) -> Read<()> {
        let place = data.offset();
        let name = state.name;
        if mask & has::ATTRS != 0 {
            state.attributes = self.dictionary(data)?;
        }
        let given = mask & has::PROPERTIES != 0;
        let mut settled = false;
        if given && entry.registered == Some(true) {
            state.properties = self.properties.of_known(&mut self.tables, data, name)?;
            settled = true;
        } else if given {
            state.properties =
                self.properties
                    .of_unknown(&mut self.tables, data, entry.def.is_some())?;
        }
        let Some(def) = entry.def else {
            return Ok(());
        };
        if !given && state.attributes.is_empty() {
            state.properties = self.properties.default_of(&self.tables, name, def);
            return Ok(());
        }
        if settled && !self.any_inherent(name, def, state.attributes) {
            return Ok(());
        }
        self.settle_attributes(place, name, def, state)
    }

    fn any_inherent(&self, name: OpName, def: &'static OpDef, attributes: AttrDict) -> bool {
        if attributes.is_empty() {
            return false;
        }
        let ctx = self.tables.ctx;
        let inherent = &op_facts(ctx, name, def).inherent;
        let entries = attributes.entries(ctx);
        entries.iter().any(|(name, _)| inherent.contains(name))
    }

    fn settle_attributes(
        &self,
        place: usize,
        name: OpName,
        def: &'static OpDef,
        state: &mut OpState,
    ) -> Read<()> {
        let ctx = self.tables.ctx;
        let written = Written {
            name,
            properties: state.properties.entries(ctx),
            attributes: state.attributes.entries(ctx),
        };
        match settle(ctx, Some(op_facts(ctx, name, def)), written) {
            Ok(dicts) => {
                (state.properties, state.attributes) = (dicts.properties, dicts.attributes);
                Ok(())
            }
            Err(twice) => {
                let message = format!("attribute `{}` is given twice", ctx.str(twice));
                fail(place, message)
            }
        }
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

/// Refuses an operation that is not known where it may not stand.
pub(super) fn check_unregistered(tables: &Tables<'_>, place: usize, name: OpName) -> Read<()> {
    let name = tables.ctx.op_name_str(name);
    if let Some(message) = refused_by_dialect(name) {
        return fail(place, message);
    }
    if takes_unregistered(tables.options, name) {
        return Ok(());
    }
    let message = format!(
        "unknown operation `{name}`; operations of unknown dialects pass with \
         --allow-unregistered-dialect"
    );
    fail(place, message)
}
