//! Printer of operations, regions and blocks.

use smallvec::SmallVec;

use super::form_cache::Noted;
use super::printer::OpPrinter;
use crate::attr::AttrDict;
use crate::body::{BlockId, Body, OpData, OpId, RegionId, Regions};
use crate::context::Traits;
use crate::context::signature::AttrDef;
use crate::text::op_form::{Assembly, OpForm, no_region_arguments};
use crate::types::Type;

impl OpPrinter<'_> {
    /// Prints an operation, from its results to its location, without a line end.
    pub(crate) fn operation(&mut self, body: &Body, op: OpId) {
        let data = &body[op];
        let location = self.op_location(data.loc);
        if data.num_results() > 0 {
            self.names.write_results(data, &mut self.out);
            self.out.push_str(" = ");
        }
        self.form(body, op);
        self.trailing_location(data.loc, location);
    }

    /// Prints the form of an operation without the form cache.
    pub(super) fn form_in_full(&mut self, body: &Body, op: OpId) {
        let form = self.table.row(body[op].name);
        let lossless = |form: &&OpForm| {
            let check = form.custom_form_is_lossless;
            check.is_none_or(|lossless| lossless(self.ctx, body, op))
        };
        match form.filter(lossless).map(|form| form.assembly) {
            Some(Assembly::Custom { print, .. }) if !self.options.generic => {
                self.op_name(body, op);
                print(self, self.ctx, body, op);
            }
            Some(Assembly::Declared(_)) if !self.options.generic => self.declared_form(body, op),
            _ => self.generic_form(body, op),
        }
    }

    /// Prints the operation's name as a custom form begins.
    pub(crate) fn op_name(&mut self, body: &Body, op: OpId) {
        let name = self.ctx.op_name_str(body[op].name);
        let short = self.opens_dialect.and_then(|around| {
            let rest = name.strip_prefix(self.table.default_dialect(around))?;
            let rest = rest.strip_prefix('.')?;
            (!rest.contains('.')).then_some(rest)
        });
        self.out.push_str(short.unwrap_or(name));
    }

    /// Prints the generic form of an operation, without results and location.
    pub fn generic_form(&mut self, body: &Body, op: OpId) {
        let data = &body[op];
        let name = self.ctx.op_name_str(data.name);
        if self.ctx.op_signature(data.name).is_some() {
            self.out.push('"');
            self.out.push_str(name);
            self.out.push('"');
        } else {
            self.quoted(name.as_bytes());
        }
        self.out.push('(');
        self.values(&data.operands);
        self.out.push(')');
        if !data.successors().is_empty() {
            self.out.push('[');
            self.separated(data.successors(), |p, &block| p.successor(block));
            self.out.push(']');
        }
        if !data.properties.is_empty() {
            self.out.push_str(" <");
            self.silently(|p| p.properties(data));
            self.out.push('>');
        }
        let count = data.num_regions();
        if count > 0 {
            self.out.push_str(" (");
            for index in 0..count {
                if index > 0 {
                    self.out.push_str(", ");
                }
                self.region_with(body, op, index, RegionStyle::GENERIC);
            }
            self.out.push(')');
        }
        if !data.attributes.is_empty() {
            self.out.push(' ');
            self.silently(|p| p.dict(data.attributes.entries(p.ctx)));
        }
        self.out.push_str(" : ");
        let inputs: SmallVec<[Type; 8]> = data.operands.iter().map(|&v| body.ty(v)).collect();
        let results: SmallVec<[Type; 4]> = data.results().map(|v| body.ty(v)).collect();
        self.function_type(&inputs, &results);
        self.visit_attrs(data);
    }

    /// Prints the properties: a dictionary, or the single attribute without a name.
    fn properties(&mut self, data: &OpData) {
        let ctx = self.ctx;
        match data.properties.entries(ctx) {
            [(name, value)] if ctx.str(*name).is_empty() => self.attr(*value),
            entries => {
                let attrs = ctx.op_signature(data.name).map_or(&[][..], |def| def.attrs);
                let absent =
                    |attr: &&AttrDef| attr.is_plain_flag() && data.attr(ctx, attr.name).is_none();
                match attrs.iter().find(absent) {
                    Some(_) => {
                        let absent = attrs.iter().filter(absent);
                        let absent =
                            absent.map(|attr| (ctx.ident(attr.name), ctx.bool_attr(false)));
                        let all = ctx.attr_dict(absent.chain(entries.iter().copied()).collect());
                        self.dict(all.entries(ctx));
                    }
                    None => self.dict(entries),
                }
            }
        }
    }

    /// Prints region `index` of an operation, in the body it lies in.
    pub(crate) fn region_with(&mut self, body: &Body, op: OpId, index: usize, style: RegionStyle) {
        // The region is no part of the template around it.
        let (noted, start) = (self.forms.noted.take(), self.out.len());
        let name = body[op].name;
        let opens = (!self.table.default_dialect(name).is_empty()).then_some(name);
        let around = std::mem::replace(&mut self.opens_dialect, opens);
        match body[op].regions() {
            Regions::Isolated(own) => {
                if let Some(&region) = own.regions().get(index) {
                    self.isolated_region(own, region, style);
                }
            }
            Regions::Inline(regions) => {
                if let Some(&region) = regions.get(index) {
                    self.region_braces(body, region, style);
                }
            }
            Regions::None => {}
        }
        self.opens_dialect = around;
        self.forms.noted = noted;
        let region = Noted::Region(index, style);
        self.forms.note(start..self.out.len(), region);
    }

    /// Prints `{ … }` of an isolated operation, with the names of its body.
    fn isolated_region(&mut self, own: &Body, region: RegionId, style: RegionStyle) {
        if self.scan.is_on() {
            self.scan_isolated(own, region, style);
            return;
        }
        let outer = self.enter_names(own);
        self.region_braces(own, region, style);
        self.leave_names(own, outer);
    }

    /// Prints `{ … }`.
    fn region_braces(&mut self, body: &Body, region: RegionId, style: RegionStyle) {
        if self.scan.is_on() {
            self.scan_region(body, region, style);
            return;
        }
        self.out.push_str("{\n");
        let predecessors = self.predecessors(body, region);
        for (index, &block) in body[region].blocks.iter().enumerate() {
            let is_empty = body[block].first().is_none();
            let header = index > 0
                || style.empty_block && is_empty
                || style.entry_args && !body[block].args.is_empty();
            let known = predecessors.get(index).filter(|_| index > 0);
            self.block(body, block, header.then_some(known), style);
        }
        self.start_line();
        self.out.push('}');
    }

    /// Returns the predecessors of each block of a region with several, by number; a block counts
    /// once for each use of the successor.
    fn predecessors(&self, body: &Body, region: RegionId) -> Vec<Vec<BlockId>> {
        let blocks = &body[region].blocks;
        if blocks.len() < 2 {
            return Vec::new();
        }
        let mut all = vec![Vec::new(); blocks.len()];
        for &block in blocks {
            let Some(last) = body[block].last() else {
                continue;
            };
            for &next in body[last].successors() {
                let number = self.names.block_number(next);
                if let Some(list) = number.and_then(|number| all.get_mut(number as usize)) {
                    list.push(block);
                }
            }
        }
        all
    }

    /// Prints the comment behind a block's label.
    fn predecessor_comment(&mut self, list: &[BlockId]) {
        match list {
            [] => self.out.push_str("  // no predecessors"),
            [_] => self.out.push_str("  // pred: "),
            list => {
                self.out.push_str("  // ");
                self.number(list.len() as i64);
                self.out.push_str(" preds: ");
            }
        }
        self.separated(list, |p, &block| p.successor(block));
    }

    fn block(
        &mut self,
        body: &Body,
        block: BlockId,
        header: Option<Option<&Vec<BlockId>>>,
        style: RegionStyle,
    ) {
        if let Some(predecessors) = header {
            self.start_line();
            self.successor(block);
            if !body[block].args.is_empty() {
                self.out.push('(');
                self.separated(&body[block].args, |p, &arg| {
                    p.argument(body, arg, AttrDict::EMPTY);
                });
                self.out.push(')');
            }
            self.out.push(':');
            if let Some(list) = predecessors {
                self.predecessor_comment(list);
            }
            self.out.push('\n');
        }
        self.indent += 2;
        let printed = self.printed_ops(body, block, style);
        let functions = body[block]
            .first()
            .is_some_and(|op| body[op].isolated().is_some());
        if !functions || !self.print_with_threads(body, &printed.clone().collect::<Vec<_>>()) {
            printed.for_each(|op| self.line(body, op));
        }
        self.indent -= 2;
    }

    /// Returns the operations of a block that are printed.
    pub(super) fn printed_ops<'b>(
        &self,
        body: &'b Body,
        block: BlockId,
        style: RegionStyle,
    ) -> impl Iterator<Item = OpId> + Clone + use<'b> {
        let last = body[block].last().filter(|&last| {
            let data = &body[last];
            let bare = data.operands.is_empty()
                && data.attributes.is_empty()
                && no_region_arguments(self.ctx, body, last);
            bare && !style.terminator && self.ctx.op_has(data.name, Traits::TERMINATOR)
        });
        body.ops(block).take_while(move |&op| Some(op) != last)
    }

    /// Prints an operation on a line of its own.
    pub(crate) fn line(&mut self, body: &Body, op: OpId) {
        self.start_line();
        self.operation(body, op);
        self.out.push('\n');
        if !self.forms.holds_text() {
            self.hand_on_parts();
        }
    }
}

/// Choice of the parts of a region that are printed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RegionStyle {
    /// The entry block's arguments.
    pub entry_args: bool,
    /// The terminator.
    pub terminator: bool,
    /// The label of an entry block without operations.
    pub empty_block: bool,
}

impl RegionStyle {
    pub(crate) const GENERIC: RegionStyle = RegionStyle {
        entry_args: true,
        terminator: true,
        empty_block: true,
    };
}
