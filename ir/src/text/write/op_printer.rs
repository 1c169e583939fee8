//! Operation printer: the interface on which custom forms are printed, beside types and attributes.

use std::sync::Arc;

use smallvec::SmallVec;

use super::affine::Leaves;
use super::form_cache::Noted;
use super::numbering::{ValueNames, address_of};
use super::op::RegionStyle;
use super::printer::OpPrinter;
use crate::affine::{AffineExprKind, AffineMap};
use crate::attr::{Attr, AttrDict, NamedAttr};
use crate::attr_names;
use crate::body::{BlockId, Body, OpId, Value};
use crate::context::{Context, Ident};
use crate::types::Type;

impl OpPrinter<'_> {
    /// Prints text as it is.
    pub fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Prints a number.
    pub fn int_text(&mut self, value: i64) {
        self.number(value);
    }

    /// Prints a line end and the indentation of the current depth.
    pub fn newline(&mut self) {
        self.forms.give_up();
        self.out.push('\n');
        self.start_line();
    }

    /// Prints `%name`.
    pub fn value(&mut self, value: Value) {
        if self.scan.is_on() {
            return;
        }
        let start = self.out.len();
        self.names.write(value, &mut self.out);
        self.forms.note(start..self.out.len(), Noted::Value(value));
    }

    /// Prints values separated by commas.
    pub fn values(&mut self, values: &[Value]) {
        self.separated(values, |p, &value| p.value(value));
    }

    /// Prints the types of values, separated by commas.
    pub fn types_of(&mut self, body: &Body, values: &[Value]) {
        self.separated(values, |p, &value| p.ty(body.ty(value)));
    }

    /// Prints the types of an operation's results, separated by commas.
    pub fn result_types_of(&mut self, body: &Body, op: OpId) {
        let types: Vec<Type> = body[op].results().map(|v| body.ty(v)).collect();
        self.types(&types);
    }

    /// Prints ` -> type` or ` -> (types)` after a form whose results may be absent.
    pub fn optional_arrow_types(&mut self, types: &[Type]) {
        if !types.is_empty() {
            self.out.push_str(" -> ");
            self.result_types(types);
        }
    }

    /// Prints `%name: type {attrs} loc(…)`.
    pub fn argument(&mut self, body: &Body, arg: Value, attrs: AttrDict) {
        self.value(arg);
        self.out.push_str(": ");
        self.ty(body.ty(arg));
        if !attrs.is_empty() {
            self.out.push(' ');
            self.silently(|p| p.dict(attrs.entries(p.ctx)));
        }
        self.block_argument_location(body[arg].loc);
    }

    /// Prints ` loc(…)` of a block argument, if locations are printed.
    pub fn argument_location(&mut self, body: &Body, arg: Value) {
        self.block_argument_location(body[arg].loc);
    }

    /// Prints `^bb1`.
    pub fn successor(&mut self, block: BlockId) {
        self.names.write_block(block, &mut self.out);
    }

    /// Prints `^bb1(%a, %b : type, type)`.
    pub fn successor_with_operands(&mut self, body: &Body, block: BlockId, operands: &[Value]) {
        self.successor(block);
        if !operands.is_empty() {
            self.out.push('(');
            self.values(operands);
            self.out.push_str(" : ");
            self.types_of(body, operands);
            self.out.push(')');
        }
    }

    /// Prints ` {…}`: attributes that the form does not spell. `spelled` names inherent and
    /// discardable ones that it does; inherent ones with their default value are left out too.
    pub fn attr_dict(&mut self, body: &Body, op: OpId, spelled: &[&str]) {
        self.attr_dict_where(body, op, "", |ctx, name| spelled.contains(&ctx.str(name)));
    }

    /// Prints ` attributes {…}`.
    pub fn attr_dict_with_keyword(&mut self, body: &Body, op: OpId, spelled: &[&str]) {
        self.attr_dict_where(body, op, " attributes", |ctx, name| {
            spelled.contains(&ctx.str(name))
        });
    }

    /// Prints the dictionary after `before`, without the attributes in `spelled`.
    pub fn attr_dict_of(&mut self, body: &Body, op: OpId, spelled: &[Ident], before: &str) {
        self.attr_dict_where(body, op, before, |_, name| spelled.contains(&name));
    }

    /// Prints the discardable attributes alone after `before`.
    pub(crate) fn discardable_dict_of(&mut self, body: &Body, op: OpId, before: &str) {
        let entries = body[op].attributes.entries(self.ctx);
        if !entries.is_empty() {
            self.out.push_str(before);
            self.out.push(' ');
            self.dict(entries);
        }
    }

    /// Prints ` <{…}>`: the inherent attributes that are neither in `spelled` nor hold their
    /// default value.
    pub(crate) fn prop_dict_of(&mut self, body: &Body, op: OpId, spelled: &[Ident]) {
        let entries = self.inherent_unspelled(body, op, |_, name| spelled.contains(&name));
        if !entries.is_empty() {
            self.out.push_str(" <");
            self.dict(&entries);
            self.out.push('>');
        }
    }

    fn attr_dict_where(
        &mut self,
        body: &Body,
        op: OpId,
        before: &str,
        spelled: impl Fn(&Context, Ident) -> bool,
    ) {
        let ctx = self.ctx;
        let data = &body[op];
        let is_spelled = |entry: &NamedAttr| {
            matches!(
                entry.0,
                attr_names::OPERAND_SEGMENT_SIZES | attr_names::RESULT_SEGMENT_SIZES
            ) || spelled(ctx, entry.0)
        };
        if data.attributes.is_empty() && data.properties.entries(ctx).iter().all(is_spelled) {
            return;
        }
        let mut entries = self.inherent_unspelled(body, op, &spelled);
        let discardable = body[op].attributes.entries(ctx).iter();
        entries.extend(discardable.filter(|entry| !spelled(ctx, entry.0)).copied());
        if entries.is_empty() {
            return;
        }
        entries.sort_by(|a, b| ctx.str(a.0).cmp(ctx.str(b.0)));
        self.out.push_str(before);
        self.out.push(' ');
        self.dict(&entries);
    }

    /// Returns inherent attributes that do not hold their default value and that a form does not
    /// spell.
    fn inherent_unspelled(
        &self,
        body: &Body,
        op: OpId,
        spelled: impl Fn(&Context, Ident) -> bool,
    ) -> SmallVec<[NamedAttr; 4]> {
        let data = &body[op];
        let ctx = self.ctx;
        let defaults = match ctx.op_signature(data.name) {
            _ if data.properties.is_empty() => &[][..],
            Some(def) => &self.table.syntax(ctx, data.name, def).defaults,
            None => &[][..],
        };
        let inherent = data.properties.entries(ctx).iter();
        inherent
            .filter(|entry| !defaults.contains(entry))
            .filter(|entry| {
                !matches!(
                    entry.0,
                    attr_names::OPERAND_SEGMENT_SIZES | attr_names::RESULT_SEGMENT_SIZES
                )
            })
            .filter(|entry| !spelled(ctx, entry.0))
            .copied()
            .collect()
    }

    /// Prints region `index` of the operation.
    pub fn region(
        &mut self,
        body: &Body,
        op: OpId,
        index: usize,
        entry_args: bool,
        terminator: bool,
    ) {
        let style = RegionStyle {
            entry_args,
            terminator,
            empty_block: false,
        };
        self.region_with(body, op, index, style);
    }

    /// Returns the number of an operation's regions, in whichever body they lie.
    pub fn num_regions(&self, body: &Body, op: OpId) -> usize {
        body[op].num_regions()
    }

    /// Prints with the names of the body that an isolated operation owns: for the arguments that
    /// its form spells before the region.
    pub fn with_names_of(&mut self, own: &Body, print: impl FnOnce(&mut Self)) {
        let outer = self.enter_names(own);
        print(self);
        self.leave_names(own, outer);
    }

    /// Switches to the names of an isolated body; returns the current ones.
    pub(crate) fn enter_names(&mut self, own: &Body) -> Arc<ValueNames> {
        if self.scan.is_on() {
            return self.names.clone();
        }
        let key = address_of(own);
        let names = match self.kept_names.take() {
            Some((body, names)) if body == key => names,
            kept => {
                // Reuse the memory of the last table, which nothing else refers to.
                let mut names = kept.map(|(_, names)| names).unwrap_or_default();
                let new = Arc::make_mut(&mut names);
                match &self.generic_starts {
                    Some(starts) => {
                        let start = starts.get(&key).copied().unwrap_or_default();
                        self.namer.generic(new, own, start);
                    }
                    None => {
                        let around = self.names.around(own);
                        self.namer.custom(new, self.ctx, own, &around);
                    }
                }
                names
            }
        };
        std::mem::replace(&mut self.names, names)
    }

    /// Switches back, and caches the names: a function's form needs them for its parameters and
    /// again for its region.
    pub(crate) fn leave_names(&mut self, own: &Body, outer: Arc<ValueNames>) {
        let names = std::mem::replace(&mut self.names, outer);
        if self.scan.is_on() {
            return;
        }
        self.kept_names = Some((address_of(own), names));
    }

    /// Prints the results of a map with its operands in place of dimensions and symbols: `%i + 2,
    /// symbol(%n)`.
    pub fn map_of_values(&mut self, map: AffineMap, operands: &[Value]) {
        let leaves = Leaves::Values {
            operands,
            dims: map.num_dims(self.ctx),
            mark_symbols: true,
        };
        let ctx = self.ctx;
        let dims = operands.get(..map.num_dims(ctx)).unwrap_or(&[]);
        self.separated(map.results(ctx), |p, &expr| match expr.kind(ctx) {
            // Fast path for a single dimension, which most are.
            AffineExprKind::Dim(index) if let Some(&value) = dims.get(index as usize) => {
                p.value(value);
            }
            _ => p.affine_expr(expr, leaves),
        });
    }

    /// Prints `#map(%d)[%s]`: a map or set attribute with operands in brackets; `dims` of them are
    /// dimensions.
    pub fn attr_with_operands(&mut self, attr: Attr, operands: &[Value], dims: usize) {
        self.attr(attr);
        self.dims_and_symbols_of(operands, dims);
    }

    /// Prints `(%d)[%s]`.
    pub fn dims_and_symbols_of(&mut self, operands: &[Value], dims: usize) {
        let (dims, symbols) = operands.split_at(dims.min(operands.len()));
        self.out.push('(');
        self.values(dims);
        self.out.push(')');
        if !symbols.is_empty() {
            self.out.push('[');
            self.values(symbols);
            self.out.push(']');
        }
    }

    /// Prints a dictionary with its braces.
    pub fn dictionary(&mut self, dict: AttrDict) {
        self.dict(dict.entries(self.ctx));
    }

    /// Prints a string in quotes.
    pub fn string(&mut self, text: &str) {
        self.quoted(text.as_bytes());
    }

    /// Prints a symbol attribute or a `sym_name` string as `@name`.
    pub fn symbol_attr(&mut self, attr: Attr) {
        match attr.as_str(self.ctx) {
            Some(name) => {
                self.out.push('@');
                self.bare_or_quoted(name);
            }
            None => self.attr(attr),
        }
    }
}

/// Whether region `index` ends with an operation `terminator` without operands and attributes,
/// which the form then leaves out.
pub(crate) fn is_bare_terminator(
    ctx: &Context,
    body: &Body,
    op: OpId,
    index: usize,
    terminator: Option<&str>,
) -> bool {
    let (body, regions) = body[op].regions_in(body);
    let Some(name) = terminator else { return false };
    let last = regions
        .get(index)
        .and_then(|&region| body[region].blocks.last())
        .and_then(|&block| body[block].last());
    last.is_some_and(|last| {
        let data = &body[last];
        ctx.op_name_str(data.name) == name && data.operands.is_empty() && data.attributes.is_empty()
    })
}
