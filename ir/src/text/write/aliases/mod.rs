//! Alias assignment, as MLIR prints aliases.
//!
//! Maps, sets, locations, distinct attributes and long tuples get an alias. The number in it
//! depends on the other aliases, and its definition stands before the module. So aliases are
//! assigned before anything is printed: the [alias scan](super::alias_scan) visits all candidates
//! in the order of the text; an alias used in the definition of others comes first, then the one
//! visited first.

mod index;
mod visit;

use std::sync::Arc;

use super::printer::OpPrinter;
use crate::attr::{Attr, AttrDict, AttrKind};
use crate::body::OpData;
use crate::hash::{FxHashMap, FxHashSet};
use crate::location::Loc;
use crate::text::read::foreign;
use crate::types::Type;
use index::SymbolIndex;
pub(crate) use visit::has_names;
use visit::{Stem, is_long_tuple, stem_of};

/// Window of the linear search that precedes the index look-up.
const NEAR: usize = 4;

/// Alias candidate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Symbol {
    Attr(Attr),
    Type(Type),
    Loc(Loc),
}

impl From<Attr> for Symbol {
    fn from(attr: Attr) -> Self {
        Symbol::Attr(attr)
    }
}

impl From<Type> for Symbol {
    fn from(ty: Type) -> Self {
        Symbol::Type(ty)
    }
}

/// Candidate visited by the scan.
#[derive(Clone, Debug)]
struct Named {
    symbol: Symbol,
    stem: Stem,
    /// Rank of its first visit; `None` while it has only been printed in a place that does not
    /// count.
    visit: Option<u32>,
    /// Nesting depth of aliases in it, itself included.
    depth: u32,
    /// Whether its definition may follow the module.
    late: bool,
    /// Aliases used directly in its definition, as positions in `list`.
    within: Vec<u32>,
}

/// Aliases of one print, during the scan and after.
#[derive(Default, Debug)]
pub(crate) struct Aliases {
    /// Positions in `list`.
    index: SymbolIndex,
    list: Vec<Named>,
    /// Visit cache of things without an alias of their own: the nesting depth of aliases in them,
    /// and the outermost aliases.
    seen: FxHashMap<Symbol, (u32, Vec<u32>)>,
    visits: u32,
    /// While positive, printing does not count as a visit.
    silent: u32,
    /// Counts aliases and distinct numbers that the scan visits, repeated ones too.
    occurrences: usize,
    /// Candidates that the scan has printed in full, in case they get no alias.
    spelled: FxHashSet<Symbol>,
    /// Distinct attributes in the order of the scan.
    identities: Vec<u64>,
    assigned: Arc<AssignedAliases>,
    /// Search hint of [`Aliases::in_order`]: the position after the location printed last.
    next: usize,
}

/// Assigned aliases.
#[derive(Clone, Default, Debug)]
pub(crate) struct AssignedAliases {
    /// Positions in `names`.
    index: SymbolIndex,
    /// Candidates in the order of the scan, each with its alias.
    names: Vec<(Symbol, AliasName)>,
    /// Printed numbers of distinct attributes.
    identities: FxHashMap<u64, u64>,
    /// Whether distinct attributes keep the numbers that they were read with.
    as_read: bool,
}

/// Alias of a candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AliasName {
    /// A stem, and a number if that is positive.
    Numbered(&'static str, u32),
    /// No alias: printed in full.
    None,
}

impl OpPrinter<'_> {
    /// Prints the alias of an attribute; returns false if attributes of its kind have none.
    pub(crate) fn attr_alias(&mut self, attr: Attr) -> bool {
        if self.options.local_scope || stem_of(self.ctx, attr.kind(self.ctx)).is_none() {
            return false;
        }
        // A location attribute shares the alias of its location.
        let symbol = match attr.kind(self.ctx) {
            AttrKind::Location(loc) => Symbol::Loc(*loc),
            _ => Symbol::Attr(attr),
        };
        self.name_of(symbol, false);
        true
    }

    /// Prints the alias of a type; returns false if types of its kind have none.
    pub(crate) fn type_alias(&mut self, ty: Type) -> bool {
        if self.options.local_scope || !is_long_tuple(self.ctx, ty) {
            return false;
        }
        self.name_of(Symbol::Type(ty), false);
        true
    }

    /// Looks up the alias of the next operation's location, if locations are printed and have
    /// aliases.
    pub(crate) fn op_location(&mut self, loc: Loc) -> Option<AliasName> {
        let named = self.options.debuginfo && !self.options.local_scope;
        named.then(|| self.aliases.in_order(Symbol::Loc(loc)))
    }

    /// Prints the alias of a location; returns false if aliases are off.
    pub(crate) fn loc_alias(&mut self, loc: Loc) -> bool {
        if self.options.local_scope {
            return false;
        }
        self.name_of(Symbol::Loc(loc), true);
        true
    }

    /// Prints the number of a distinct attribute. Numbers are assigned in the order of the text.
    pub(crate) fn identity(&mut self, id: u64) {
        if self.scan.is_on() {
            self.aliases.occurrences += 1;
            self.aliases.identities.push(id);
            return;
        }
        let number = self.aliases.identity(id);
        self.out.push_number(number);
    }

    fn name_of(&mut self, symbol: Symbol, late: bool) {
        if self.scan.is_on() {
            self.visit_in_text(symbol, late);
            return;
        }
        let name = self.aliases.assigned.name(symbol);
        self.put_name(name, symbol, late);
    }

    /// Prints an alias, or in full the thing that has none.
    pub(crate) fn put_name(&mut self, name: AliasName, symbol: Symbol, bare: bool) {
        match name {
            AliasName::Numbered(stem, number) => {
                self.out.push_str(stem);
                if number > 0 {
                    self.out.push_number(number.into());
                }
            }
            AliasName::None => self.in_full(symbol, bare),
        }
    }

    /// Visits a candidate where the text would print its alias.
    fn visit_in_text(&mut self, symbol: Symbol, late: bool) {
        self.aliases.occurrences += 1;
        let at = self.record_candidate(symbol, late);
        // A candidate without an alias is printed in full here, with the numbers in it.
        let unvisited = self.aliases.list[at as usize].visit.is_none();
        if unvisited && self.aliases.spelled.insert(symbol) {
            self.in_full(symbol, late);
        }
    }

    /// The numbers of aliases and of resource uses that the scan has visited so far.
    pub(crate) fn scan_counts(&self) -> (usize, usize) {
        (self.aliases.occurrences, self.resources.len())
    }

    /// Prints without counting visits.
    pub(crate) fn silently(&mut self, print: impl FnOnce(&mut Self)) {
        self.aliases.silent += 1;
        print(self);
        self.aliases.silent -= 1;
    }

    /// Visits a location that is printed later.
    pub fn visit_loc(&mut self, loc: Loc, late: bool) {
        if self.scan.is_on() && self.options.debuginfo && !self.options.local_scope {
            self.record_candidate(Symbol::Loc(loc), late);
        }
    }

    /// Visits the attributes of an operation in the order of their names, as the generic form
    /// counts them.
    pub(crate) fn visit_attrs(&mut self, data: &OpData) {
        if !self.scan.is_on() || self.options.local_scope {
            return;
        }
        let (mut inherent, others) = (data.properties, data.attributes);
        if self.ctx.op_signature(data.name).is_none() {
            // The meaning of inherent attributes of unknown operations is unknown.
            inherent = AttrDict::EMPTY;
        }
        if others.is_empty() {
            for &(_, value) in inherent.entries(self.ctx) {
                self.visit_attr(value);
            }
            return;
        }
        let mut entries = inherent.entries(self.ctx).to_vec();
        entries.extend_from_slice(others.entries(self.ctx));
        entries.sort_by(|a, b| self.ctx.str(a.0).cmp(self.ctx.str(b.0)));
        for (_, value) in entries {
            self.visit_attr(value);
        }
    }

    fn visit_attr(&mut self, attr: Attr) {
        // Fast path for most attributes: they contain no alias.
        let plain = matches!(
            attr.kind(self.ctx),
            AttrKind::Unit
                | AttrKind::Integer { .. }
                | AttrKind::Float { .. }
                | AttrKind::String { ty: None, .. }
                | AttrKind::DenseArray { .. }
                | AttrKind::Symbol { .. }
        );
        if plain {
            return;
        }
        let symbol = Symbol::Attr(attr);
        if matches!(attr.kind(self.ctx), AttrKind::Map(_) | AttrKind::Set(_)) {
            self.record_candidate(symbol, false);
        } else {
            self.visit(symbol, false);
        }
    }

    /// Assigns the aliases of the scan and prints the definitions that stand before the module;
    /// returns those that follow it.
    pub(crate) fn early_definitions(&mut self) -> Vec<u32> {
        let order = self.aliases.assign();
        let list = std::mem::take(&mut self.aliases.list);
        let (late, early): (Vec<u32>, Vec<u32>) =
            order.iter().partition(|&&at| list[at as usize].late);
        let identities = std::mem::take(&mut self.aliases.identities);
        let is_distinct = |named: &Named| match named.symbol {
            Symbol::Attr(attr) => matches!(attr.kind(self.ctx), AttrKind::Distinct { .. }),
            _ => false,
        };
        // Attributes kept as text keep the numbers that they were read with, so all must.
        if (!identities.is_empty() || list.iter().any(is_distinct))
            && foreign::foreign_text_has_distinct(self.ctx)
        {
            self.aliases.keep_identities();
        }
        self.definitions(&early);
        for id in identities {
            self.aliases.identity(id);
        }
        late
    }

    /// Prints definitions `#name = …`, a line each.
    pub(crate) fn definitions(&mut self, order: &[u32]) {
        for &at in order {
            let (symbol, name) = self.aliases.assigned.names[at as usize];
            self.put_name(name, symbol, false);
            self.out.push_str(" = ");
            self.in_full(symbol, false);
            self.out.push('\n');
            self.hand_on_parts();
        }
    }

    /// Prints a candidate in full; a location with `loc(…)` around it unless it is `bare`.
    fn in_full(&mut self, symbol: Symbol, bare: bool) {
        match symbol {
            Symbol::Attr(attr) => self.attr_in_full(attr),
            Symbol::Type(ty) => self.type_in_full(ty),
            Symbol::Loc(loc) if bare => self.location_body(loc),
            Symbol::Loc(loc) => self.location(loc),
        }
    }
}

impl AssignedAliases {
    fn name(&self, symbol: Symbol) -> AliasName {
        let at = self.index.get(symbol);
        at.map_or(AliasName::None, |at| self.names[at as usize].1)
    }
}

impl Aliases {
    /// Makes distinct attributes keep the numbers that they were read with.
    pub(crate) fn keep_identities(&mut self) {
        self.assigned_mut().as_read = true;
    }

    /// Starts from aliases that are assigned already.
    pub(crate) fn of(assigned: Arc<AssignedAliases>) -> Self {
        Aliases {
            assigned,
            ..Aliases::default()
        }
    }

    /// The assigned aliases.
    pub(crate) fn assigned(&self) -> Arc<AssignedAliases> {
        self.assigned.clone()
    }

    /// Looks up an alias, searching first where the scan visited candidates after the one of the
    /// previous call.
    fn in_order(&mut self, symbol: Symbol) -> AliasName {
        let names = &self.assigned.names;
        // The scan may have visited locations of arguments between.
        let mut near = names.iter().enumerate().skip(self.next).take(NEAR);
        let found = near.find(|(_, (other, _))| *other == symbol);
        let at = found.map(|(at, _)| at);
        let at = at.or_else(|| self.assigned.index.get(symbol).map(|at| at as usize));
        let Some(at) = at else {
            return AliasName::None;
        };
        self.next = at + 1;
        names[at].1
    }

    fn assigned_mut(&mut self) -> &mut AssignedAliases {
        Arc::make_mut(&mut self.assigned)
    }

    /// Returns the printed number of a distinct attribute, a new one the first time.
    fn identity(&mut self, id: u64) -> u64 {
        if self.assigned.as_read {
            return id;
        }
        if let Some(&number) = self.assigned.identities.get(&id) {
            return number;
        }
        let identities = &mut self.assigned_mut().identities;
        let number = identities.len() as u64;
        identities.insert(id, number);
        number
    }

    /// Moves a definition, and all that it depends on, before the module.
    fn make_early(&mut self, at: u32) {
        if !self.list[at as usize].late {
            return;
        }
        let mut pending = vec![at];
        while let Some(at) = pending.pop() {
            let named = &mut self.list[at as usize];
            if named.late {
                named.late = false;
                pending.extend_from_slice(&named.within);
            }
        }
    }

    /// Assigns aliases; returns the order of definitions.
    fn assign(&mut self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.list.len() as u32).collect();
        // A candidate without a visit is printed in full.
        order.retain(|&at| self.list[at as usize].visit.is_some());
        order.sort_by_key(|&at| {
            let named = &self.list[at as usize];
            let is_attr = !matches!(named.symbol, Symbol::Type(_));
            (named.depth, is_attr, named.stem, named.visit)
        });
        let mut counts: FxHashMap<Stem, u32> = FxHashMap::default();
        let unnamed = self
            .list
            .iter()
            .map(|named| (named.symbol, AliasName::None));
        let mut names: Vec<_> = unnamed.collect();
        for &at in &order {
            let stem = self.list[at as usize].stem;
            let count = counts.entry(stem).or_insert(0);
            names[at as usize].1 = AliasName::Numbered(stem.text(), *count);
            *count += 1;
        }
        let index = std::mem::take(&mut self.index);
        let assigned = self.assigned_mut();
        (assigned.index, assigned.names) = (index, names);
        order
    }
}
