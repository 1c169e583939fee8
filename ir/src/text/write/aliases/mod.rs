//! Aliases as MLIR prints them.
//!
//! Maps, sets, locations, distinct attributes and long tuples get a name. The
//! number in it depends on what else is named, and its definition stands before
//! the module. So names are dealt out before anything is printed: the
//! [alias scan](super::alias_scan) meets all that has one, in the order of the text;
//! what stands within others comes first, then what was visited first.

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

/// How far names are looked for in their order.
const NEAR: usize = 4;

/// What can have a name.
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

/// One named thing.
#[derive(Clone, Debug)]
struct Named {
    symbol: Symbol,
    stem: Stem,
    /// The rank of its first visit among all; `None` while it has only been
    /// printed in a place that does not count.
    visit: Option<u32>,
    /// How deep names stand in it, itself included.
    depth: u32,
    /// Whether its definition may follow the module.
    late: bool,
    /// Named things that stand in it.
    within: Vec<u32>,
}

/// The named things of one print.
#[derive(Default, Debug)]
pub(crate) struct Aliases {
    /// Positions in `list`.
    index: SymbolIndex,
    list: Vec<Named>,
    /// What stands in things without a name that have been visited: the depth
    /// of names, and the outermost of them.
    seen: FxHashMap<Symbol, (u32, Vec<u32>)>,
    visits: u32,
    /// While positive, what is printed does not count as visited.
    silent: u32,
    /// How many names and numbers the alias scan has met, each time anew.
    met: usize,
    /// What the alias scan has spelled out, in case it gets no name.
    spelled: FxHashSet<Symbol>,
    /// The distinct attributes that the alias scan has met, in their order.
    identities: Vec<u64>,
    dealt: Arc<Dealt>,
    /// The position of the location that was met after the one printed last.
    next: usize,
}

/// Names that have been dealt out.
#[derive(Clone, Default, Debug)]
pub(crate) struct Dealt {
    /// Positions in `names`.
    index: SymbolIndex,
    /// In the order in which the alias scan has met them.
    names: Vec<(Symbol, AliasName)>,
    /// Numbers of distinct attributes.
    identities: FxHashMap<u64, u64>,
    /// Whether distinct attributes keep the numbers that they were read with.
    as_read: bool,
}

/// What a thing is called.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AliasName {
    /// A stem and a number, if that is positive.
    Numbered(&'static str, u32),
    /// It is spelled out.
    None,
}

impl OpPrinter<'_> {
    /// Writes the name of an attribute that has one; says whether it did.
    pub(crate) fn attr_alias(&mut self, attr: Attr) -> bool {
        if self.options.local_scope || stem_of(self.ctx, attr.kind(self.ctx)).is_none() {
            return false;
        }
        // A location is one thing, as an attribute or otherwise.
        let symbol = match attr.kind(self.ctx) {
            AttrKind::Location(loc) => Symbol::Loc(*loc),
            _ => Symbol::Attr(attr),
        };
        self.name_of(symbol, false);
        true
    }

    /// Writes the name of a type that has one; says whether it did.
    pub(crate) fn type_alias(&mut self, ty: Type) -> bool {
        if self.options.local_scope || !is_long_tuple(self.ctx, ty) {
            return false;
        }
        self.name_of(Symbol::Type(ty), false);
        true
    }

    /// Finds the name of the location of the operation to be printed next, if
    /// locations are printed and have names.
    pub(crate) fn op_location(&mut self, loc: Loc) -> Option<AliasName> {
        let named = self.options.debuginfo && !self.options.local_scope;
        named.then(|| self.aliases.in_order(Symbol::Loc(loc)))
    }

    /// Writes the name of a location; says whether it did.
    pub(crate) fn loc_alias(&mut self, loc: Loc) -> bool {
        if self.options.local_scope {
            return false;
        }
        self.name_of(Symbol::Loc(loc), true);
        true
    }

    /// Writes the number of a distinct attribute: they are dealt out in the
    /// order of the text.
    pub(crate) fn identity(&mut self, id: u64) {
        if self.scan.is_on() {
            self.aliases.met += 1;
            self.aliases.identities.push(id);
            return;
        }
        let number = self.aliases.identity(id);
        self.out.push_number(number);
    }

    fn name_of(&mut self, symbol: Symbol, late: bool) {
        if self.scan.is_on() {
            self.meet_in_text(symbol, late);
            return;
        }
        let name = self.aliases.dealt.name(symbol);
        self.put_name(name, symbol, late);
    }

    /// Writes a name, or what it would stand for.
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

    /// Meets something in the place where its name is printed.
    fn meet_in_text(&mut self, symbol: Symbol, late: bool) {
        self.aliases.met += 1;
        let at = self.meet(symbol, late);
        // What gets no name is spelled out here, with the numbers in it.
        let unvisited = self.aliases.list[at as usize].visit.is_none();
        if unvisited && self.aliases.spelled.insert(symbol) {
            self.in_full(symbol, late);
        }
    }

    /// How many names and uses of resources the alias scan has met so far.
    pub(crate) fn marks(&self) -> (usize, usize) {
        (self.aliases.met, self.resources.len())
    }

    /// Prints with nothing counted as visited.
    pub(crate) fn silently(&mut self, print: impl FnOnce(&mut Self)) {
        self.aliases.silent += 1;
        print(self);
        self.aliases.silent -= 1;
    }

    /// Visits a location that is printed later.
    pub(crate) fn visit_loc(&mut self, loc: Loc, late: bool) {
        if self.scan.is_on() && self.options.debuginfo && !self.options.local_scope {
            self.meet(Symbol::Loc(loc), late);
        }
    }

    /// Visits the attributes of an operation in the order of their names, as
    /// the generic form counts them.
    pub(crate) fn visit_attrs(&mut self, data: &OpData) {
        if !self.scan.is_on() || self.options.local_scope {
            return;
        }
        let (mut inherent, others) = (data.properties, data.attributes);
        if data.name.def().is_none() {
            // Nobody knows what they are.
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
        // Most attributes are these.
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
            self.meet(symbol, false);
        } else {
            self.visit(symbol, false);
        }
    }

    /// Deals out the names of what the alias scan has met, and prints the
    /// definitions that stand before the module; gives those that follow it.
    pub(crate) fn early_definitions(&mut self) -> Vec<u32> {
        let order = self.aliases.deal();
        let list = std::mem::take(&mut self.aliases.list);
        let (late, early): (Vec<u32>, Vec<u32>) =
            order.iter().partition(|&&at| list[at as usize].late);
        let met = std::mem::take(&mut self.aliases.identities);
        let is_distinct = |named: &Named| match named.symbol {
            Symbol::Attr(attr) => matches!(attr.kind(self.ctx), AttrKind::Distinct { .. }),
            _ => false,
        };
        // What is kept as text keeps the numbers that it was read with.
        if (!met.is_empty() || list.iter().any(is_distinct)) && foreign::tells_identities(self.ctx)
        {
            self.aliases.keep_identities();
        }
        self.definitions(&early);
        for id in met {
            self.aliases.identity(id);
        }
        late
    }

    /// `#name = what it stands for`, a line each.
    pub(crate) fn definitions(&mut self, order: &[u32]) {
        for &at in order {
            let (symbol, name) = self.aliases.dealt.names[at as usize];
            self.put_name(name, symbol, false);
            self.out.push_str(" = ");
            self.in_full(symbol, false);
            self.out.push('\n');
            self.hand_on_parts();
        }
    }

    /// Something that can have a name, without it; a location with `loc(…)`
    /// around it unless it is `bare`.
    fn in_full(&mut self, symbol: Symbol, bare: bool) {
        match symbol {
            Symbol::Attr(attr) => self.attr_in_full(attr),
            Symbol::Type(ty) => self.type_in_full(ty),
            Symbol::Loc(loc) if bare => self.location_body(loc),
            Symbol::Loc(loc) => self.location(loc),
        }
    }
}

impl Dealt {
    fn name(&self, symbol: Symbol) -> AliasName {
        let at = self.index.get(symbol);
        at.map_or(AliasName::None, |at| self.names[at as usize].1)
    }
}

impl Aliases {
    /// Prints distinct attributes with the numbers that they were read with.
    pub(crate) fn keep_identities(&mut self) {
        self.deal_mut().as_read = true;
    }

    /// Names that have been dealt out before.
    pub(crate) fn of(dealt: Arc<Dealt>) -> Self {
        Aliases {
            dealt,
            ..Aliases::default()
        }
    }

    /// The names that have been dealt out.
    pub(crate) fn dealt(&self) -> Arc<Dealt> {
        self.dealt.clone()
    }

    /// The name of something that was likely met after what this was asked of
    /// before.
    fn in_order(&mut self, symbol: Symbol) -> AliasName {
        let names = &self.dealt.names;
        // Locations of arguments may have been met between.
        let mut near = names.iter().enumerate().skip(self.next).take(NEAR);
        let found = near.find(|(_, (other, _))| *other == symbol);
        let at = found.map(|(at, _)| at);
        let at = at.or_else(|| self.dealt.index.get(symbol).map(|at| at as usize));
        let Some(at) = at else {
            return AliasName::None;
        };
        self.next = at + 1;
        names[at].1
    }

    fn deal_mut(&mut self) -> &mut Dealt {
        Arc::make_mut(&mut self.dealt)
    }

    /// The number of a distinct attribute, a new one the first time.
    fn identity(&mut self, id: u64) -> u64 {
        if self.dealt.as_read {
            return id;
        }
        if let Some(&number) = self.dealt.identities.get(&id) {
            return number;
        }
        let identities = &mut self.deal_mut().identities;
        let number = identities.len() as u64;
        identities.insert(id, number);
        number
    }

    /// Puts a definition, and all that it needs, before the module.
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

    /// Deals out names; gives the order of definitions.
    fn deal(&mut self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.list.len() as u32).collect();
        // What has not been visited is spelled out.
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
        let dealt = self.deal_mut();
        (dealt.index, dealt.names) = (index, names);
        order
    }
}
