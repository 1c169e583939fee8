//! Visits of the alias scan: finds the aliases in attributes, types and locations.

use super::{Named, Symbol};
use crate::attr::{Attr, AttrKind};
use crate::context::Context;
use crate::location::{Loc, LocKind};
use crate::text::write::printer::OpPrinter;
use crate::types::{Type, TypeKind};

/// Length limit of a tuple without an alias.
const LONG_TUPLE: usize = 16;

/// Stem: the word before the number of an alias. Sorted by text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Stem {
    Tuple,
    Attr,
    Distinct,
    Loc,
    Map,
    Set,
}

impl Stem {
    /// The word with its sigil.
    pub(super) fn text(self) -> &'static str {
        match self {
            Stem::Tuple => "!tuple",
            Stem::Attr => "#attr",
            Stem::Distinct => "#distinct",
            Stem::Loc => "#loc",
            Stem::Map => "#map",
            Stem::Set => "#set",
        }
    }
}

impl OpPrinter<'_> {
    /// Visits all candidates in `symbol`, itself included. Returns the nesting depth of aliases in
    /// it, and the outermost of them.
    pub(super) fn visit(&mut self, symbol: Symbol, late: bool) -> (u32, Vec<u32>) {
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
            let at = self.record_candidate(symbol, late);
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

    /// Records a candidate and returns its position. It counts as visited now unless it has been
    /// before.
    pub(super) fn record_candidate(&mut self, symbol: Symbol, late: bool) -> u32 {
        let counts = self.aliases.silent == 0;
        if let Some(at) = self.aliases.index.get(symbol) {
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
            // The parts of the symbol are visited now, too.
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

    fn stem(&self, symbol: Symbol) -> Stem {
        match symbol {
            Symbol::Attr(attr) => stem_of(self.ctx, attr.kind(self.ctx)).unwrap_or(Stem::Attr),
            Symbol::Type(_) => Stem::Tuple,
            Symbol::Loc(_) => Stem::Loc,
        }
    }
}

/// Whether a symbol, itself included, contains an alias or the number of a distinct attribute. A
/// scope of its own prints no alias.
pub(crate) fn has_names(ctx: &Context, symbol: Symbol, local_scope: bool) -> bool {
    let mut parts = Vec::new();
    match symbol {
        Symbol::Attr(attr) => match attr.kind(ctx) {
            AttrKind::Distinct { .. } => return true,
            kind if !local_scope && stem_of(ctx, kind).is_some() => return true,
            // The text of a parameter may print aliases that no visit counts.
            AttrKind::Parametric { def, ty } => {
                parts.extend(def.params.iter().map(|&param| Symbol::Attr(param)));
                parts.extend(ty.map(Symbol::Type));
            }
            AttrKind::Sparse {
                ty,
                indices,
                values,
            } => {
                parts.extend([indices, values].map(|&part| Symbol::Attr(part)));
                parts.push(Symbol::Type(*ty));
            }
            AttrKind::Location(loc) => parts.push(Symbol::Loc(*loc)),
            _ => attr_parts(ctx, attr, &mut parts),
        },
        Symbol::Type(ty) if !local_scope && is_long_tuple(ctx, ty) => return true,
        Symbol::Type(ty) => type_parts(ctx, ty, &mut parts),
        Symbol::Loc(loc) => loc_parts(ctx, loc, &mut parts),
    }
    let mut parts = parts.into_iter();
    parts.any(|part| has_names(ctx, part, local_scope))
}

/// Returns the alias stem of attributes of this kind.
pub(super) fn stem_of(ctx: &Context, kind: &AttrKind) -> Option<Stem> {
    match kind {
        AttrKind::Map(_) => Some(Stem::Map),
        AttrKind::Set(_) => Some(Stem::Set),
        AttrKind::Location(_) => Some(Stem::Loc),
        AttrKind::Distinct { value, .. } if *value.kind(ctx) != AttrKind::Unit => {
            Some(Stem::Distinct)
        }
        _ => None,
    }
}

pub(super) fn is_long_tuple(ctx: &Context, ty: Type) -> bool {
    matches!(ty.kind(ctx), TypeKind::Tuple(types) if types.len() > LONG_TUPLE)
}

/// Collects the direct parts of an attribute.
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
            // MLIR keeps a map parameter as a map, not as an attribute.
            let is_attr = |param: &&Attr| !matches!(param.kind(ctx), AttrKind::Map(_));
            let params = def.params.iter().filter(is_attr);
            parts.extend(params.map(|&param| Symbol::Attr(param)));
            parts.extend(ty.map(Symbol::Type));
        }
        _ => {}
    }
}

/// Collects the direct parts of a type.
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

/// Collects the direct parts of a location.
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
