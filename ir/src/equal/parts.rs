//! Equality of attributes, types and locations up to the numbers of distinct attributes.
//!
//! The number of a distinct attribute tells it apart from the others of its module and has no other
//! meaning; printing numbers them anew.

use crate::attr::{Attr, AttrDict, AttrKind};
use crate::context::Context;
use crate::hash::FxHashMap;
use crate::location::{Loc, LocKind};
use crate::source::FilePlace;
use crate::types::{Type, TypeKind};

/// Correspondence between the attributes, types and locations of two modules.
pub(super) struct Parts<'a> {
    ctx: &'a Context,
    /// Distinct-attribute numbers of each module, with those of the other that they correspond to.
    distinct: [FxHashMap<u64, u64>; 2],
    attrs: FxHashMap<Attr, Attr>,
    types: FxHashMap<Type, Type>,
    locs: FxHashMap<Loc, Loc>,
}

impl<'a> Parts<'a> {
    pub(super) fn new(ctx: &'a Context) -> Self {
        Parts {
            ctx,
            distinct: Default::default(),
            attrs: FxHashMap::default(),
            types: FxHashMap::default(),
            locs: FxHashMap::default(),
        }
    }

    /// Whether two attributes are equal. One with a distinct attribute inside is walked even where
    /// the ids agree, so that its number is recorded.
    pub(super) fn attr(&mut self, a: Attr, b: Attr) -> bool {
        if let Some(&found) = self.attrs.get(&a) {
            return found == b;
        }
        let same = self.attr_kind(a.kind(self.ctx), b.kind(self.ctx));
        if same {
            self.attrs.insert(a, b);
        }
        same
    }

    fn attr_kind(&mut self, a: &AttrKind, b: &AttrKind) -> bool {
        use AttrKind as K;
        match (a, b) {
            (K::Distinct { id: p, value: a }, K::Distinct { id: q, value: b }) => {
                self.distinct(*p, *q) && self.attr(*a, *b)
            }
            (K::Array(a), K::Array(b)) => self.attrs(a, b),
            (K::Dict(a), K::Dict(b)) => self.dict(*a, *b),
            (K::Type(a), K::Type(b)) => self.ty(*a, *b),
            (K::Location(a), K::Location(b)) => self.loc(*a, *b),
            (K::Dense { ty: s, data: a }, K::Dense { ty: t, data: b }) => a == b && self.ty(*s, *t),
            (K::DenseResource { ty: s, key: a }, K::DenseResource { ty: t, key: b }) => {
                a == b && self.ty(*s, *t)
            }
            (K::String { value: a, ty: s }, K::String { value: b, ty: t }) => {
                a == b && self.any_type(*s, *t)
            }
            (K::Parametric { def: a, ty: s }, K::Parametric { def: b, ty: t }) => {
                let same = a.dialect == b.dialect && a.name == b.name;
                same && self.attrs(&a.params, &b.params) && self.any_type(*s, *t)
            }
            _ => a == b,
        }
    }

    fn distinct(&mut self, a: u64, b: u64) -> bool {
        let [there, back] = &mut self.distinct;
        *there.entry(a).or_insert(b) == b && *back.entry(b).or_insert(a) == a
    }

    fn attrs(&mut self, a: &[Attr], b: &[Attr]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| self.attr(a, b))
    }

    pub(super) fn dict(&mut self, a: AttrDict, b: AttrDict) -> bool {
        let (a, b) = (a.entries(self.ctx), b.entries(self.ctx));
        let mut pairs = a.iter().zip(b);
        a.len() == b.len() && pairs.all(|(p, q)| p.0 == q.0 && self.attr(p.1, q.1))
    }

    fn any_type(&mut self, a: Option<Type>, b: Option<Type>) -> bool {
        match (a, b) {
            (Some(a), Some(b)) => self.ty(a, b),
            _ => a == b,
        }
    }

    fn any_attr(&mut self, a: Option<Attr>, b: Option<Attr>) -> bool {
        match (a, b) {
            (Some(a), Some(b)) => self.attr(a, b),
            _ => a == b,
        }
    }

    pub(super) fn types(&mut self, a: &[Type], b: &[Type]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| self.ty(a, b))
    }

    /// Whether two types are equal.
    pub(super) fn ty(&mut self, a: Type, b: Type) -> bool {
        if let Some(&found) = self.types.get(&a) {
            return found == b;
        }
        let same = self.type_kind(a.kind(self.ctx), b.kind(self.ctx));
        if same {
            self.types.insert(a, b);
        }
        same
    }

    fn type_kind(&mut self, a: &TypeKind, b: &TypeKind) -> bool {
        use TypeKind as K;
        match (a, b) {
            (
                K::Function {
                    inputs: a,
                    results: p,
                },
                K::Function {
                    inputs: b,
                    results: q,
                },
            ) => self.types(a, b) && self.types(p, q),
            (K::Tuple(a), K::Tuple(b)) => self.types(a, b),
            (K::Complex(a), K::Complex(b)) => self.ty(*a, *b),
            (
                K::RankedTensor {
                    shape: a,
                    element: s,
                    encoding: p,
                },
                K::RankedTensor {
                    shape: b,
                    element: t,
                    encoding: q,
                },
            ) => a == b && self.ty(*s, *t) && self.any_attr(*p, *q),
            (K::UnrankedTensor { element: a }, K::UnrankedTensor { element: b }) => self.ty(*a, *b),
            (K::MemRef(a), K::MemRef(b)) => {
                a.shape == b.shape
                    && self.ty(a.element, b.element)
                    && self.any_attr(a.layout, b.layout)
                    && self.any_attr(a.space, b.space)
            }
            (
                K::UnrankedMemRef {
                    element: s,
                    space: a,
                },
                K::UnrankedMemRef {
                    element: t,
                    space: b,
                },
            ) => self.ty(*s, *t) && self.any_attr(*a, *b),
            (K::Parametric(a), K::Parametric(b)) => {
                let same = a.dialect == b.dialect && a.name == b.name;
                same && self.attrs(&a.params, &b.params)
            }
            _ => a == b,
        }
    }

    /// Whether two locations are equal.
    pub(super) fn loc(&mut self, a: Loc, b: Loc) -> bool {
        if let Some(&found) = self.locs.get(&a) {
            return found == b;
        }
        let same = match (a.kind(self.ctx), b.kind(self.ctx)) {
            (Some(a), Some(b)) => self.loc_kind(a, b),
            _ => {
                a == b
                    || self
                        .place(a)
                        .is_some_and(|place| self.place(b) == Some(place))
            }
        };
        if same {
            self.locs.insert(a, b);
        }
        same
    }

    /// Returns the line and column of a location that is a single point, packed or spelled out.
    fn place(&self, loc: Loc) -> Option<FilePlace> {
        let sources = self.ctx.sources();
        let Some(pos) = loc.source_pos() else {
            return match loc.kind(self.ctx)? {
                LocKind::FileRange { file, start, end } if start == end => Some(FilePlace {
                    file: *file,
                    line: start.0,
                    col: start.1,
                }),
                _ => None,
            };
        };
        if let Some(source) = sources.find(pos) {
            let line = source.line_at(pos);
            return Some(FilePlace {
                file: self.ctx.ident(&source.name),
                line: line.number,
                col: line.col,
            });
        }
        sources.find_places(pos)?.get(pos)
    }

    fn loc_kind(&mut self, a: &LocKind, b: &LocKind) -> bool {
        use LocKind as K;
        match (a, b) {
            (K::Name { name: a, child: p }, K::Name { name: b, child: q }) => {
                a == b && self.loc(*p, *q)
            }
            (
                K::CallSite {
                    callee: a,
                    caller: p,
                },
                K::CallSite {
                    callee: b,
                    caller: q,
                },
            ) => self.loc(*a, *b) && self.loc(*p, *q),
            (
                K::Fused {
                    locs: a,
                    metadata: p,
                },
                K::Fused {
                    locs: b,
                    metadata: q,
                },
            ) => {
                a.len() == b.len()
                    && a.iter().zip(b).all(|(&a, &b)| self.loc(a, b))
                    && self.any_attr(*p, *q)
            }
            _ => a == b,
        }
    }
}
