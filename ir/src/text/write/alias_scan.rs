//! Alias scan: the pass before printing that finds everything with an alias.
//!
//! Alias definitions stand before the module. For a text to be handed on as it grows, the aliases
//! must be assigned before: the scan walks all that will be printed, in the order of the text, and
//! visits attributes, types and locations that get an alias. It skips operations without any, and
//! of operations whose kind it has scanned before it visits only the regions. It prints the others
//! and drops their text.

use std::ops::Range;

use super::aliases::has_names;
use super::form_cache::Noted;
use super::numbering::{Counts, address_of};
use super::op::RegionStyle;
use super::printer::OpPrinter;
use crate::attr::{Attr, AttrDict, AttrKind};
use crate::body::{BlockId, Body, OpId, RegionId};
use crate::body::{Kind, Kinds};
use crate::hash::{FxHashMap, FxHashSet};
use crate::types::Type;

/// State of an alias scan.
#[derive(Default, Debug)]
pub(crate) struct AliasScan {
    on: bool,
    /// Types that contain an alias.
    types: FxHashSet<Type>,
    /// Scan state of each dictionary, by its number.
    dicts: Vec<DictScan>,
    /// Regions that the form of a kind prints, as a range of `regions`.
    kinds: Kinds<Range<u32>>,
    regions: Vec<(usize, RegionStyle)>,
    /// Values defined in the current body so far, and whether other bodies lie in it.
    counts: Counts,
    has_inner: bool,
    /// Value counts of bodies without others in them, by address.
    leaves: FxHashMap<usize, Counts>,
}

/// Scan state of a dictionary.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum DictScan {
    #[default]
    Unknown,
    /// Without aliases, or with all of them visited.
    Done,
    HasAliases,
}

impl AliasScan {
    /// Whether printing is a scan, whose text is dropped.
    pub(crate) fn is_on(&self) -> bool {
        self.on
    }

    /// Value counts of bodies without others in them, by address. Only the generic form needs them.
    pub(crate) fn leaves(&self) -> &FxHashMap<usize, Counts> {
        &self.leaves
    }

    fn set(&mut self, dict: AttrDict, names: DictScan) {
        let index = dict.0 as usize;
        if self.dicts.len() <= index {
            self.dicts.resize(index + 1, DictScan::Unknown);
        }
        self.dicts[index] = names;
    }
}

impl OpPrinter<'_> {
    /// Scans an operation and all in it.
    pub(crate) fn scan_module(&mut self, body: &Body, op: OpId) {
        self.scan.on = true;
        let types = self.ctx.types();
        self.scan.types = types.filter(|ty| self.type_has_names(*ty)).collect();
        self.visit_loc(body[op].loc, true);
        self.scan_form(body, op);
        self.resources.clear();
        self.scan.on = false;
    }

    /// Scans an operation without its location.
    pub(super) fn scan_form(&mut self, body: &Body, op: OpId) {
        let named = self.may_name(body, op);
        let regions = body[op].num_regions();
        // The generic form prints all regions, a custom form perhaps not.
        if !named && (regions == 0 || self.options.generic) {
            for index in 0..regions {
                self.region_with(body, op, index, RegionStyle::GENERIC);
            }
            return;
        }
        let mut kind = Kind::default();
        if !self.kind_of(body, op, &mut kind) {
            self.scan_in_full(body, op);
            return;
        }
        if let Some(regions) = self.scan.kinds.get(&kind) {
            for at in regions.clone() {
                let (index, style) = self.scan.regions[at as usize];
                self.region_with(body, op, index, style);
            }
            return;
        }
        self.forms.noted = Some(Vec::new());
        self.scan_in_full(body, op);
        if let Some(noted) = self.forms.noted.take() {
            let first = self.scan.regions.len() as u32;
            let printed = noted.into_iter().filter_map(|(_, what)| match what {
                Noted::Region(index, style) => Some((index, style)),
                Noted::Value(_) => None,
            });
            self.scan.regions.extend(printed);
            let printed = first..self.scan.regions.len() as u32;
            self.scan.kinds.insert(&kind, printed);
        }
    }

    fn scan_in_full(&mut self, body: &Body, op: OpId) {
        let start = self.out.len();
        self.form_in_full(body, op);
        self.out.truncate(start);
        if self.options.generic {
            // The generic form has visited all attributes whose meaning is known.
            let data = &body[op];
            self.scan.set(data.attributes, DictScan::Done);
            if self.ctx.op_signature(data.name).is_some() {
                self.scan.set(data.properties, DictScan::Done);
            }
        }
    }

    /// Scans a region of the body that an isolated operation owns.
    pub(super) fn scan_isolated(&mut self, own: &Body, region: RegionId, style: RegionStyle) {
        own.prefetch();
        let counts = std::mem::take(&mut self.scan.counts);
        self.scan.has_inner = false;
        self.scan_region(own, region, style);
        let counts = std::mem::replace(&mut self.scan.counts, counts);
        let has_inner = std::mem::replace(&mut self.scan.has_inner, true);
        if self.options.generic && !has_inner && own.regions().len() == 1 {
            self.scan.leaves.insert(address_of(own), counts);
        }
    }

    /// Scans the printed parts of a region.
    pub(super) fn scan_region(&mut self, body: &Body, region: RegionId, style: RegionStyle) {
        for (index, &block) in body[region].blocks.iter().enumerate() {
            let args = &body[block].args;
            self.scan.counts.add_args(index, args.len());
            if index > 0 || style.entry_args {
                self.scan_arguments(body, block);
            }
            for op in self.printed_ops(body, block, style) {
                let data = &body[op];
                self.scan.counts.add_op(data);
                self.visit_loc(data.loc, true);
                self.scan_form(body, op);
            }
        }
    }

    fn scan_arguments(&mut self, body: &Body, block: BlockId) {
        if self.options.debuginfo || !self.scan.types.is_empty() {
            let start = self.out.len();
            for &arg in &body[block].args {
                self.argument(body, arg, AttrDict::EMPTY);
            }
            self.out.truncate(start);
        }
    }

    /// Whether the form of an operation may print an alias that has not been visited.
    fn may_name(&mut self, body: &Body, op: OpId) -> bool {
        let data = &body[op];
        let form = self.table.row(data.name);
        let spelled = form.is_some_and(|form| form.spells_attrs);
        (!spelled || self.options.generic) && self.dict_may_name(data.properties)
            || self.dict_may_name(data.attributes)
            || !self.scan.types.is_empty() && self.types_may_name(body, op)
    }

    fn types_may_name(&self, body: &Body, op: OpId) -> bool {
        let operands = body[op].operands.iter().copied();
        let mut values = body[op].results().chain(operands);
        values.any(|value| self.scan.types.contains(&body.ty(value)))
    }

    #[inline]
    fn dict_may_name(&mut self, dict: AttrDict) -> bool {
        match self.scan.dicts.get(dict.0 as usize) {
            Some(DictScan::Done) => false,
            Some(DictScan::HasAliases) => true,
            Some(DictScan::Unknown) | None => self.new_dict_may_name(dict),
        }
    }

    #[cold]
    fn new_dict_may_name(&mut self, dict: AttrDict) -> bool {
        let mut entries = dict.entries(self.ctx).iter();
        let named = entries.any(|&(_, value)| self.attr_has_names(value));
        let names = if named {
            DictScan::HasAliases
        } else {
            DictScan::Done
        };
        self.scan.set(dict, names);
        named
    }

    fn attr_has_names(&self, attr: Attr) -> bool {
        match attr.kind(self.ctx) {
            AttrKind::Type(ty) => self.scan.types.contains(ty),
            _ => has_names(self.ctx, attr.into(), self.options.local_scope),
        }
    }

    fn type_has_names(&self, ty: Type) -> bool {
        has_names(self.ctx, ty.into(), self.options.local_scope)
    }
}
