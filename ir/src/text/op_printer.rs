//! What custom forms print with, beside types and attributes.

use super::print_affine::Leaves;
use super::print_op::{RegionStyle, region_count};
use super::printer::OpPrinter;
use crate::affine::{AffineMap, IntegerSet};
use crate::attr::{Attr, AttrDict, NamedAttr};
use crate::body::{BlockId, Body, OpId, Value};
use crate::types::Type;

impl OpPrinter<'_> {
    /// Text as it is.
    pub fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// A number.
    pub fn int_text(&mut self, value: i64) {
        self.number(value);
    }

    /// A line end and the indentation of the current depth.
    pub fn newline(&mut self) {
        self.out.push('\n');
        self.start_line();
    }

    /// `%name`
    pub fn value(&mut self, body: &Body, value: Value) {
        self.names.write(body, value, &mut self.out);
    }

    /// Values separated by commas.
    pub fn values(&mut self, body: &Body, values: &[Value]) {
        self.separated(values, |p, &value| p.value(body, value));
    }

    /// The types of values, separated by commas.
    pub fn types_of(&mut self, body: &Body, values: &[Value]) {
        self.separated(values, |p, &value| p.ty(body.ty(value)));
    }

    /// The types of an operation's results, separated by commas.
    pub fn result_types_of(&mut self, body: &Body, op: OpId) {
        let types: Vec<Type> = body[op].results().map(|v| body.ty(v)).collect();
        self.types(&types);
    }

    /// ` -> type` or ` -> (types)` after a form whose results may be absent.
    pub fn optional_arrow_types(&mut self, types: &[Type]) {
        if !types.is_empty() {
            self.out.push_str(" -> ");
            self.result_types(types);
        }
    }

    /// `%name: type {attrs} loc(…)`
    pub fn argument(&mut self, body: &Body, arg: Value, attrs: AttrDict) {
        self.value(body, arg);
        self.out.push_str(": ");
        self.ty(body.ty(arg));
        if !attrs.is_empty() {
            self.out.push(' ');
            self.dict(attrs.entries(self.ctx));
        }
        self.trailing_location(body[arg].loc);
    }

    /// `^bb1`
    pub fn successor(&mut self, block: BlockId) {
        self.names.write_block(block, &mut self.out);
    }

    /// `^bb1(%a, %b : type, type)`
    pub fn successor_with_operands(&mut self, body: &Body, block: BlockId, operands: &[Value]) {
        self.successor(block);
        if !operands.is_empty() {
            self.out.push('(');
            self.values(body, operands);
            self.out.push_str(" : ");
            self.types_of(body, operands);
            self.out.push(')');
        }
    }

    /// ` {…}`: attributes that the form does not spell. `elided` names
    /// inherent and discardable ones that it does spell; inherent ones with
    /// their default value are left out too.
    pub fn attr_dict(&mut self, body: &Body, op: OpId, elided: &[&str]) {
        let entries = self.unspelled(body, op, elided);
        if !entries.is_empty() {
            self.out.push(' ');
            self.dict(&entries);
        }
    }

    /// ` attributes {…}`
    pub fn attr_dict_with_keyword(&mut self, body: &Body, op: OpId, elided: &[&str]) {
        let entries = self.unspelled(body, op, elided);
        if !entries.is_empty() {
            self.out.push_str(" attributes ");
            self.dict(&entries);
        }
    }

    fn unspelled(&self, body: &Body, op: OpId, elided: &[&str]) -> Vec<NamedAttr> {
        let data = &body[op];
        if data.properties.is_empty() && data.attributes.is_empty() {
            return Vec::new();
        }
        let ctx = self.ctx;
        let defaults = match data.name.def() {
            Some(def) => &super::facts::of(ctx, data.name, def).defaults,
            None => &[][..],
        };
        let spelled = |name| {
            let text = ctx.str(name);
            elided.contains(&text) || matches!(text, "operandSegmentSizes" | "resultSegmentSizes")
        };
        let inherent = data.properties.entries(ctx).iter();
        let discardable = data.attributes.entries(ctx).iter();
        let mut entries: Vec<NamedAttr> = inherent
            .filter(|entry| !defaults.contains(entry))
            .chain(discardable)
            .filter(|entry| !spelled(entry.0))
            .copied()
            .collect();
        entries.sort_by(|a, b| ctx.str(a.0).cmp(ctx.str(b.0)));
        entries
    }

    /// Region `index` of the operation.
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
            empty_block: terminator,
        };
        self.region_with(body, op, index, style);
    }

    /// How many regions an operation has, in whichever body they lie.
    pub fn num_regions(&self, body: &Body, op: OpId) -> usize {
        region_count(body, op)
    }

    /// Prints with the names of the body that an isolated operation owns:
    /// for the arguments that its form spells before the region.
    pub fn with_names_of(&mut self, own: &Body, print: impl FnOnce(&mut Self)) {
        let names = super::value_names::ValueNames::of(self.ctx, own);
        let outer = std::mem::replace(&mut self.names, names);
        print(self);
        self.names = outer;
    }

    /// The results of a map with its operands in place of dimensions and
    /// symbols: `%i + 2, symbol(%n)`.
    pub fn map_of_values(&mut self, body: &Body, map: AffineMap, operands: &[Value]) {
        let leaves = Leaves::Values {
            body,
            operands,
            dims: map.num_dims(self.ctx),
            mark_symbols: true,
        };
        let ctx = self.ctx;
        self.separated(map.results(ctx), |p, &e| p.affine_expr(e, leaves));
    }

    /// `#map(%d)[%s]`: a map attribute with operands in brackets.
    pub fn map_with_operands(&mut self, body: &Body, map: AffineMap, operands: &[Value]) {
        self.attr(self.ctx.map_attr(map));
        self.dims_and_symbols_of(body, operands, map.num_dims(self.ctx));
    }

    /// `#set(%d)[%s]`
    pub fn set_with_operands(&mut self, body: &Body, set: IntegerSet, operands: &[Value]) {
        self.attr(self.ctx.set_attr(set));
        self.dims_and_symbols_of(body, operands, set.data(self.ctx).dims as usize);
    }

    /// `(%d)[%s]`
    pub fn dims_and_symbols_of(&mut self, body: &Body, operands: &[Value], dims: usize) {
        let (dims, symbols) = operands.split_at(dims.min(operands.len()));
        self.out.push('(');
        self.values(body, dims);
        self.out.push(')');
        if !symbols.is_empty() {
            self.out.push('[');
            self.values(body, symbols);
            self.out.push(']');
        }
    }

    /// A string in quotes.
    pub fn string(&mut self, text: &str) {
        self.quoted(text.as_bytes());
    }

    /// A symbol attribute's value or a `sym_name` string as `@name`.
    pub fn symbol_attr(&mut self, attr: Attr) {
        match attr.as_str(self.ctx) {
            Some(name) => self.symbol(self.ctx.ident(name)),
            None => self.attr(attr),
        }
    }
}
