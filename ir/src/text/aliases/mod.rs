//! Aliases as MLIR prints them.
//!
//! Maps, sets, locations, distinct attributes and long tuples get a name. The
//! number in it depends on what else is named, so the text grows with gaps;
//! once all is printed, names are dealt out — what stands within others first,
//! then in the order of the first visit — and put into the gaps.

mod visit;

use super::out::Out;
use super::printer::OpPrinter;
use crate::attr::{Attr, AttrDict, AttrKind};
use crate::body::OpData;
use crate::hash::FxHashMap;
use crate::location::Loc;
use crate::types::Type;
use visit::{is_long_tuple, stem_of};

/// Bytes in which a finished text is handed on.
const PART: usize = 1 << 16;

/// What can have a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Symbol {
    Attr(Attr),
    Type(Type),
    Loc(Loc),
}

/// One named thing.
#[derive(Clone, Debug)]
struct Named {
    symbol: Symbol,
    stem: &'static str,
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

/// A place in the text where something is to be filled in.
#[derive(Clone, Copy, Debug)]
struct Gap {
    at: usize,
    what: Filling,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Filling {
    /// The name of a named thing.
    Name(u32),
    /// The number of a distinct attribute, an entry of `gap_identities`.
    Identity(u32),
}

/// How names are printed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Mode {
    /// As gaps.
    #[default]
    Collect,
    /// Known.
    Final,
    /// Left to the printer that this one works for.
    Defer,
}

/// What a printer leaves to the one that it works for, at a place of its text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deferred {
    at: usize,
    what: Left,
}

/// Something that is put into the text in the end.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Open {
    Gap(Filling),
    Left(Left),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Left {
    /// A name, and whether it is put without counting as visited.
    Name(Symbol, bool),
    Identity(u64),
    /// Nothing is put.
    Visit(Attr),
}

/// The named things of one print.
#[derive(Default, Debug)]
pub(crate) struct Aliases {
    index: FxHashMap<Symbol, u32>,
    list: Vec<Named>,
    /// What stands in things without a name that have been visited: the depth
    /// of names, and the outermost of them.
    seen: FxHashMap<Symbol, (u32, Vec<u32>)>,
    gaps: Vec<Gap>,
    /// The distinct attributes of gaps.
    gap_identities: Vec<u64>,
    visits: u32,
    /// While positive, what is printed does not count as visited.
    silent: u32,
    mode: Mode,
    /// Numbers dealt to distinct attributes.
    identities: FxHashMap<u64, u32>,
    names: Vec<String>,
    /// How often a final name has been put.
    names_put: usize,
    deferred: Vec<Deferred>,
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
        let at = self.out.len();
        match self.aliases.mode {
            // Without names, all is written where it is met.
            Mode::Collect if self.options.local_scope => {}
            Mode::Collect => {
                let what = Filling::Identity(self.aliases.gap_identities.len() as u32);
                self.aliases.gap_identities.push(id);
                self.aliases.gaps.push(Gap { at, what });
                return;
            }
            Mode::Defer => {
                self.defer(Left::Identity(id));
                return;
            }
            Mode::Final => {}
        }
        let number = self.aliases.identity(id);
        self.number(number.into());
    }

    fn name_of(&mut self, symbol: Symbol, late: bool) {
        if self.aliases.mode == Mode::Final {
            if let Some(&at) = self.aliases.index.get(&symbol) {
                self.aliases.names_put += 1;
                let name = self.aliases.names[at as usize].as_str();
                // A location that got no name stands bare within others.
                let bare = name.strip_prefix("loc(").filter(|_| late);
                let bare = bare.and_then(|name| name.strip_suffix(')'));
                self.out.push_str(bare.unwrap_or(name));
            }
            return;
        }
        if self.aliases.mode == Mode::Defer {
            let silent = self.aliases.silent > 0;
            self.defer(Left::Name(symbol, silent));
            return;
        }
        let at = self.meet(symbol, late);
        let gap = Gap {
            at: self.out.len(),
            what: Filling::Name(at),
        };
        self.aliases.gaps.push(gap);
    }

    /// How many gaps, names and uses of resources there are so far.
    pub(crate) fn marks(&self) -> (usize, usize, usize) {
        let put = self.aliases.names_put + self.aliases.deferred.len();
        (self.aliases.gaps.len(), put, self.resources.len())
    }

    /// Prints with nothing counted as visited.
    pub(crate) fn silently(&mut self, print: impl FnOnce(&mut Self)) {
        self.aliases.silent += 1;
        print(self);
        self.aliases.silent -= 1;
    }

    /// Visits a location that is printed later.
    pub(crate) fn visit_loc(&mut self, loc: Loc, late: bool) {
        if self.options.debuginfo && !self.options.local_scope {
            self.meet(Symbol::Loc(loc), late);
        }
    }

    /// Visits the attributes of an operation in the order of their names, as
    /// the generic form counts them.
    pub(crate) fn visit_attrs(&mut self, data: &OpData) {
        if self.options.local_scope {
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
        if self.aliases.mode == Mode::Collect {
            if matches!(attr.kind(self.ctx), AttrKind::Map(_) | AttrKind::Set(_)) {
                self.meet(symbol, false);
            } else {
                self.visit(symbol, false);
            }
        } else if self
            .aliases
            .seen
            .insert(symbol, Default::default())
            .is_none()
        {
            self.defer(Left::Visit(attr));
        }
    }

    fn defer(&mut self, what: Left) {
        let at = self.out.len();
        self.aliases.deferred.push(Deferred { at, what });
    }

    /// Leaves names to the printer that this one works for.
    pub(crate) fn defer_names(&mut self) {
        self.aliases.mode = Mode::Defer;
    }

    /// Whether names are left to another printer.
    pub(crate) fn defers_names(&self) -> bool {
        self.aliases.mode == Mode::Defer
    }

    /// What has been left to do.
    pub(crate) fn take_deferred(&mut self) -> Vec<Deferred> {
        std::mem::take(&mut self.aliases.deferred)
    }

    /// Appends a text with what has been left to do in it.
    pub(crate) fn join(&mut self, text: &Out, deferred: &[Deferred]) {
        let mut from = 0;
        for open in deferred {
            self.out.push_part(text, from..open.at);
            from = open.at;
            match open.what {
                Left::Name(symbol, false) => self.name_of(symbol, false),
                Left::Name(symbol, true) => self.silently(|p| p.name_of(symbol, false)),
                Left::Identity(id) => self.identity(id),
                Left::Visit(attr) => self.visit_attr(attr),
            }
        }
        self.out.push_part(text, from..text.len());
    }

    /// Hands the whole text to `sink` part by part: definitions, what has been
    /// printed with its gaps filled, late definitions. A long text is never in
    /// memory twice.
    pub(crate) fn with_definitions(&mut self, sink: &mut dyn FnMut(&str)) {
        let order = self.aliases.deal();
        let body = std::mem::take(&mut self.out);
        self.aliases.mode = Mode::Final;
        self.spell_unnamed();
        self.definitions(&order, false);
        let mut from = 0;
        for gap in std::mem::take(&mut self.aliases.gaps) {
            self.out.push_part(&body, from..gap.at);
            from = gap.at;
            match gap.what {
                Filling::Name(at) => self.out.push_str(&self.aliases.names[at as usize]),
                Filling::Identity(at) => {
                    let id = self.aliases.gap_identities[at as usize];
                    let number = self.aliases.identity(id);
                    self.number(number.into());
                }
            }
            if self.out.len() >= PART {
                self.hand_on(sink);
            }
        }
        self.hand_on(sink);
        sink(body.since(from));
        drop(body);
        self.definitions(&order, true);
        self.hand_on(sink);
    }

    /// Hands on what has been printed.
    fn hand_on(&mut self, sink: &mut dyn FnMut(&str)) {
        sink(self.out.as_str());
        self.out.clear();
    }

    /// What stands in the gaps of things that got no name, inner ones first.
    fn spell_unnamed(&mut self) {
        let unnamed = |at: &u32| self.aliases.names[*at as usize].is_empty();
        let mut unnamed: Vec<u32> = (0..self.aliases.list.len() as u32)
            .filter(unnamed)
            .collect();
        unnamed.sort_by_key(|&at| self.aliases.list[at as usize].depth);
        for at in unnamed {
            match self.aliases.list[at as usize].symbol {
                Symbol::Attr(attr) => self.attr_in_full(attr),
                Symbol::Type(ty) => self.type_in_full(ty),
                Symbol::Loc(loc) => self.location(loc),
            }
            self.aliases.names[at as usize] = std::mem::take(&mut self.out).into_string();
        }
    }

    fn definitions(&mut self, order: &[u32], late: bool) {
        for &at in order {
            let named = &self.aliases.list[at as usize];
            if named.late != late {
                continue;
            }
            let symbol = named.symbol;
            self.out.push_str(&self.aliases.names[at as usize]);
            self.out.push_str(" = ");
            match symbol {
                Symbol::Attr(attr) => self.attr_in_full(attr),
                Symbol::Type(ty) => self.type_in_full(ty),
                Symbol::Loc(loc) => self.location(loc),
            }
            self.out.push('\n');
        }
    }
}

impl Aliases {
    fn identity(&mut self, id: u64) -> u32 {
        let next = self.identities.len() as u32;
        *self.identities.entry(id).or_insert(next)
    }

    /// How many gaps there are so far, and how much is left to another printer.
    pub(crate) fn opened(&self) -> (usize, usize) {
        (self.gaps.len(), self.deferred.len())
    }

    /// What has been left open since then, and where. That something has been
    /// visited counts once.
    pub(crate) fn opened_since(
        &self,
        (gaps, deferred): (usize, usize),
    ) -> impl Iterator<Item = (usize, Open)> {
        let gaps = self.gaps[gaps..].iter();
        let gaps = gaps.map(|gap| (gap.at, Open::Gap(gap.what)));
        let left = self.deferred[deferred..].iter();
        let left = left.filter(|left| !matches!(left.what, Left::Visit(_)));
        gaps.chain(left.map(|left| (left.at, Open::Left(left.what))))
    }

    /// Leaves open at this place what has been left open before elsewhere.
    pub(crate) fn leave_open(&mut self, at: usize, what: Open) {
        match what {
            Open::Gap(what) => self.gaps.push(Gap { at, what }),
            Open::Left(what) => self.deferred.push(Deferred { at, what }),
        }
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

    /// Deals out names; gives the order of their definitions.
    fn deal(&mut self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.list.len() as u32).collect();
        order.sort_by_key(|&at| {
            let named = &self.list[at as usize];
            let is_attr = !matches!(named.symbol, Symbol::Type(_));
            (named.depth, is_attr, named.stem, named.visit)
        });
        // What has not been visited is spelled out.
        order.retain(|&at| self.list[at as usize].visit.is_some());
        self.names = vec![String::new(); self.list.len()];
        let mut counts: FxHashMap<&str, u32> = FxHashMap::default();
        for &at in &order {
            let stem = self.list[at as usize].stem;
            let count = counts.entry(stem).or_insert(0);
            self.names[at as usize] = match *count {
                0 => stem.to_owned(),
                count => format!("{stem}{count}"),
            };
            *count += 1;
        }
        order
    }
}
