//! Aliases as MLIR prints them.
//!
//! Maps, sets, locations, distinct attributes and long tuples get a name. The
//! number in it depends on what else is named, so the text grows with gaps;
//! once all is printed, names are dealt out — what stands within others first,
//! then in the order of the first visit — and put into the gaps.

use super::printer::OpPrinter;
use crate::attr::{Attr, AttrDict, AttrKind};
use crate::body::OpData;
use crate::context::Context;
use crate::hash::FxHashMap;
use crate::location::{Loc, LocKind};
use crate::types::{Type, TypeKind};

/// Tuples with more types than this get a name.
const LONG_TUPLE: usize = 16;

/// Bytes in which a finished text is handed on.
const PART: usize = 1 << 16;

/// What can have a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Symbol {
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
enum Filling {
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
    what: Open,
}

#[derive(Clone, Copy, Debug)]
enum Open {
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
                self.defer(Open::Identity(id));
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
                self.out.push_str(&self.aliases.names[at as usize]);
            }
            return;
        }
        if self.aliases.mode == Mode::Defer {
            let silent = self.aliases.silent > 0;
            self.defer(Open::Name(symbol, silent));
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
            self.defer(Open::Visit(attr));
        }
    }

    fn defer(&mut self, what: Open) {
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
    pub(crate) fn join(&mut self, text: &str, deferred: &[Deferred]) {
        let mut from = 0;
        for open in deferred {
            self.out.push_str(&text[from..open.at]);
            from = open.at;
            match open.what {
                Open::Name(symbol, false) => self.name_of(symbol, false),
                Open::Name(symbol, true) => self.silently(|p| p.name_of(symbol, false)),
                Open::Identity(id) => self.identity(id),
                Open::Visit(attr) => self.visit_attr(attr),
            }
        }
        self.out.push_str(&text[from..]);
    }

    /// Meets whatever in `symbol`, itself included, has a name. Gives the
    /// depth of names in it, and the outermost of them.
    fn visit(&mut self, symbol: Symbol, late: bool) -> (u32, Vec<u32>) {
        let ctx = self.ctx;
        let named = match symbol {
            Symbol::Attr(attr) => match attr.kind(ctx) {
                AttrKind::Location(loc) => return self.visit(Symbol::Loc(*loc), late),
                kind => stem_of(ctx, kind).is_some(),
            },
            Symbol::Type(ty) => is_long_tuple(ctx, ty),
            Symbol::Loc(_) => true,
        };
        if named {
            let at = self.meet(symbol, late);
            return (self.aliases.list[at as usize].depth, vec![at]);
        }
        if let Some((depth, within)) = self.aliases.seen.get(&symbol).cloned() {
            if !late {
                within.iter().for_each(|&at| self.aliases.make_early(at));
            }
            return (depth, within);
        }
        let (depth, within) = self.visit_parts(symbol, late);
        let depth = if within.is_empty() { 0 } else { depth + 1 };
        if self.aliases.silent == 0 {
            self.aliases.seen.insert(symbol, (depth, within.clone()));
        }
        (depth, within)
    }

    fn visit_parts(&mut self, symbol: Symbol, late: bool) -> (u32, Vec<u32>) {
        let mut parts = Vec::new();
        match symbol {
            Symbol::Attr(attr) => attr_parts(self.ctx, attr, &mut parts),
            Symbol::Type(ty) => type_parts(self.ctx, ty, &mut parts),
            Symbol::Loc(loc) => loc_parts(self.ctx, loc, &mut parts),
        }
        let (mut depth, mut within) = (0, Vec::new());
        for part in parts {
            let (inner, names) = self.visit(part, late);
            depth = depth.max(inner);
            within.extend(names);
        }
        (depth, within)
    }

    /// The index of a named thing, which counts as visited now unless it has
    /// been before.
    fn meet(&mut self, symbol: Symbol, late: bool) -> u32 {
        let counts = self.aliases.silent == 0;
        if let Some(&at) = self.aliases.index.get(&symbol) {
            if !counts {
                if !late {
                    self.aliases.make_early(at);
                }
                return at;
            }
            let known = &mut self.aliases.list[at as usize];
            if known.visit.is_some() {
                if !late && known.late {
                    self.aliases.make_early(at);
                }
                return at;
            }
            known.late &= late;
            known.visit = Some(self.aliases.visits);
            self.aliases.visits += 1;
            // What stands in it is visited now, too.
            self.visit_parts(symbol, late);
            return at;
        }
        let at = self.aliases.list.len() as u32;
        let stem = self.stem(symbol);
        self.aliases.index.insert(symbol, at);
        self.aliases.list.push(Named {
            symbol,
            stem,
            visit: counts.then_some(self.aliases.visits),
            depth: 1,
            late,
            within: Vec::new(),
        });
        self.aliases.visits += u32::from(counts);
        let (depth, within) = self.visit_parts(symbol, late);
        let named = &mut self.aliases.list[at as usize];
        named.depth = depth + 1;
        named.within = within;
        at
    }

    fn stem(&self, symbol: Symbol) -> &'static str {
        match symbol {
            Symbol::Attr(attr) => stem_of(self.ctx, attr.kind(self.ctx)).unwrap_or("#attr"),
            Symbol::Type(_) => "!tuple",
            Symbol::Loc(_) => "#loc",
        }
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
            self.out.push_str(&body[from..gap.at]);
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
                sink(&self.out);
                self.out.clear();
            }
        }
        sink(&self.out);
        self.out.clear();
        sink(&body[from..]);
        drop(body);
        self.definitions(&order, true);
        sink(&self.out);
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
                Symbol::Loc(_) => {}
            }
            self.aliases.names[at as usize] = std::mem::take(&mut self.out);
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
        // What has not been visited is spelled out; locations are, inside others.
        let named = |at: &u32| {
            let named = &self.list[*at as usize];
            named.visit.is_some() || matches!(named.symbol, Symbol::Loc(_))
        };
        order.retain(named);
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

/// The stem of the name of attributes of this kind.
fn stem_of(ctx: &Context, kind: &AttrKind) -> Option<&'static str> {
    match kind {
        AttrKind::Map(_) => Some("#map"),
        AttrKind::Set(_) => Some("#set"),
        AttrKind::Location(_) => Some("#loc"),
        AttrKind::Distinct { value, .. } if *value.kind(ctx) != AttrKind::Unit => Some("#distinct"),
        _ => None,
    }
}

fn is_long_tuple(ctx: &Context, ty: Type) -> bool {
    matches!(ty.kind(ctx), TypeKind::Tuple(types) if types.len() > LONG_TUPLE)
}

/// What stands in an attribute.
fn attr_parts(ctx: &Context, attr: Attr, parts: &mut Vec<Symbol>) {
    match attr.kind(ctx) {
        AttrKind::Array(items) => parts.extend(items.iter().map(|&item| Symbol::Attr(item))),
        AttrKind::Dict(dict) => {
            let entries = dict.entries(ctx).iter();
            parts.extend(entries.map(|&(_, value)| Symbol::Attr(value)));
        }
        AttrKind::Type(ty)
        | AttrKind::Dense { ty, .. }
        | AttrKind::DenseResource { ty, .. }
        | AttrKind::Sparse { ty, .. } => parts.push(Symbol::Type(*ty)),
        AttrKind::Distinct { value, .. } => parts.push(Symbol::Attr(*value)),
        AttrKind::String { ty, .. } | AttrKind::Dialect { ty, .. } => {
            parts.extend(ty.map(Symbol::Type));
        }
        AttrKind::Parametric { def, ty } => {
            parts.extend(def.params.iter().map(|&param| Symbol::Attr(param)));
            parts.extend(ty.map(Symbol::Type));
        }
        _ => {}
    }
}

/// What stands in a type.
fn type_parts(ctx: &Context, ty: Type, parts: &mut Vec<Symbol>) {
    match ty.kind(ctx) {
        TypeKind::Function { inputs, results } => {
            parts.extend(inputs.iter().chain(results).map(|&ty| Symbol::Type(ty)));
        }
        TypeKind::Tuple(types) => parts.extend(types.iter().map(|&ty| Symbol::Type(ty))),
        TypeKind::Complex(element)
        | TypeKind::Vector { element, .. }
        | TypeKind::UnrankedTensor { element } => parts.push(Symbol::Type(*element)),
        TypeKind::RankedTensor {
            element, encoding, ..
        } => {
            parts.push(Symbol::Type(*element));
            parts.extend(encoding.map(Symbol::Attr));
        }
        TypeKind::MemRef(memref) => {
            parts.push(Symbol::Type(memref.element));
            parts.extend(memref.layout.map(Symbol::Attr));
            parts.extend(memref.space.map(Symbol::Attr));
        }
        TypeKind::UnrankedMemRef { element, space } => {
            parts.push(Symbol::Type(*element));
            parts.extend(space.map(Symbol::Attr));
        }
        TypeKind::Parametric(def) => {
            parts.extend(def.params.iter().map(|&param| Symbol::Attr(param)));
        }
        _ => {}
    }
}

/// What stands in a location.
fn loc_parts(ctx: &Context, loc: Loc, parts: &mut Vec<Symbol>) {
    match loc.kind(ctx) {
        Some(LocKind::Name { child, .. }) if *child != Loc::UNKNOWN => {
            parts.push(Symbol::Loc(*child));
        }
        Some(LocKind::CallSite { callee, caller }) => {
            parts.extend([Symbol::Loc(*callee), Symbol::Loc(*caller)]);
        }
        Some(LocKind::Fused { locs, metadata }) => {
            parts.extend(metadata.map(Symbol::Attr));
            parts.extend(locs.iter().map(|&loc| Symbol::Loc(loc)));
        }
        _ => {}
    }
}
