//! Context: the interner of types, attributes, affine expressions, names and locations, and the
//! owner of the sources.
//!
//! Interned data hold each other: a memref type an attribute as its layout, an attribute a type, a
//! location an attribute as metadata. Each kind has a module here.

use smallvec::SmallVec;

use self::affine::node::ExprNode;
use self::affine::{AffineMapData, IntegerSetData};
use self::attr::{Attr, AttrDict, AttrKind, NamedAttr};
use self::dialect_registry::DialectRegistry;
use self::location::{Loc, LocKind};
use self::source::SourceMap;
use self::types::{Type, TypeKind};
use crate::intern::Interner;

pub mod affine;
pub mod attr;
pub mod attr_names;
pub mod dialect_registry;
mod float_kind;
pub mod location;
mod op_name;
mod parametric;
pub mod signature;
pub mod source;
mod traits;
pub mod types;

pub use op_name::OpName;
pub use parametric::Parametric;
pub use traits::{RowTraits, Traits};

/// An interned string: a symbol, an attribute name, a dialect namespace.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Ident(pub(crate) u32);

/// Lookup key of the name interner: bytes that need not be UTF-8.
struct Bytes<'a>(&'a [u8]);

impl std::hash::Hash for Bytes<'_> {
    /// Hashes as `str` does: a key must meet the entry of the same text.
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write(self.0);
        state.write_u8(0xff);
    }
}

impl hashbrown::Equivalent<Box<str>> for Bytes<'_> {
    fn equivalent(&self, name: &Box<str>) -> bool {
        self.0 == name.as_bytes()
    }
}

/// Interns types, attributes, affine expressions, names and locations, and
/// keeps the sources for diagnostics.
///
/// It is [`Sync`] and append-only: any number of threads may read and intern
/// through `&Context`. Ids of one context mean nothing in another.
pub struct Context {
    strings: Interner<Box<str>>,
    op_names: Interner<Box<str>>,
    types: Interner<TypeKind>,
    attrs: Interner<AttrKind>,
    dicts: Interner<Box<[NamedAttr]>>,
    locs: Interner<LocKind>,
    pub(crate) exprs: Interner<ExprNode>,
    pub(crate) maps: Interner<AffineMapData>,
    pub(crate) sets: Interner<IntegerSetData>,
    sources: SourceMap,
    registry: DialectRegistry,
    threads: usize,
}

impl Context {
    /// An empty context that knows the dialects of a registry.
    pub fn new(registry: DialectRegistry) -> Self {
        let ctx = Self {
            strings: Interner::new(),
            op_names: Interner::new(),
            types: Interner::new(),
            attrs: Interner::new(),
            dicts: Interner::new(),
            locs: Interner::new(),
            exprs: Interner::new(),
            maps: Interner::new(),
            sets: Interner::new(),
            sources: SourceMap::default(),
            registry,
            threads: 1,
        };
        // Fixed ids: the frequent types and expressions, the empty dictionary, the unknown
        // location, the frequent names, and the known operations in table order.
        for kind in types::FREQUENT.iter().cloned() {
            ctx.types.intern_owned(kind);
        }
        for kind in affine::frequent::expressions() {
            ctx.affine_raw(kind);
        }
        affine::frequent::intern_attrs(&ctx);
        ctx.dicts.intern_owned(Box::new([]));
        ctx.locs.intern_owned(LocKind::Unknown);
        for name in attr_names::FIXED {
            ctx.ident(name);
        }
        for def in ctx.registry.ops() {
            ctx.op_names.intern(def.name, || def.name.into());
        }
        ctx
    }

    /// Thread budget of reading, verifying, passes and printing: one, unless
    /// [`Context::set_threads`] says otherwise.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Sets the thread budget of reading, verifying, passes and printing, at least one. The output
    /// is the same for any number.
    pub fn set_threads(&mut self, count: usize) {
        self.threads = count.max(1);
    }

    /// Whether some type or attribute kept as text satisfies `test`.
    pub(crate) fn any_foreign_text(&self, test: impl Fn(&str) -> bool) -> bool {
        let types = (0..self.types.len()).map(|id| match self.types.get(id as u32) {
            TypeKind::Dialect { body, .. } => Some(*body),
            _ => None,
        });
        let attrs = (0..self.attrs.len()).map(|id| match self.attrs.get(id as u32) {
            AttrKind::Dialect { body, .. } => Some(*body),
            _ => None,
        });
        let mut bodies = types.chain(attrs).flatten();
        bodies.any(|body| test(self.str(body)))
    }

    /// The sources that locations point into.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// Interns a string.
    pub fn ident(&self, text: &str) -> Ident {
        Ident(self.strings.intern(text, || text.into()))
    }

    /// The text of an identifier.
    pub fn str(&self, ident: Ident) -> &str {
        self.strings.get(ident.0)
    }

    /// The name of an operation, known or not, such as `arith.addi`.
    pub fn op_name(&self, name: &str) -> OpName {
        self.numbered(self.op_names.intern(name, || name.into()))
    }

    /// Finds the interned name of an operation; a known operation always has one.
    pub(crate) fn find_op(&self, name: &[u8]) -> Option<OpName> {
        let number = self.op_names.find(&Bytes(name))?;
        Some(self.numbered(number))
    }

    /// The name that was interned as number `number`. The names of rows came first.
    #[inline]
    fn numbered(&self, number: u32) -> OpName {
        match self.registry.names().get(number as usize) {
            Some(&name) => name,
            None => OpName::without_row(number),
        }
    }

    /// The text of an operation's name.
    pub fn op_name_str(&self, name: OpName) -> &str {
        self.op_names.get(name.index() as u32)
    }

    /// The dialects that this context knows.
    pub fn registry(&self) -> &DialectRegistry {
        &self.registry
    }

    /// Interns a type.
    pub fn intern_type(&self, kind: TypeKind) -> Type {
        Type(self.types.intern_owned(kind))
    }

    /// All types interned so far.
    pub(crate) fn types(&self) -> impl Iterator<Item = Type> + use<> {
        (0..self.types.len() as u32).map(Type)
    }

    /// Returns the contents of a type.
    pub fn type_kind(&self, ty: Type) -> &TypeKind {
        // Every context has these under the same ids.
        match types::FREQUENT.get(ty.0 as usize) {
            Some(kind) => kind,
            None => self.types.get(ty.0),
        }
    }

    /// Interns an attribute.
    pub fn intern_attr(&self, kind: AttrKind) -> Attr {
        Attr(self.attrs.intern_owned(kind))
    }

    /// Returns the contents of an attribute.
    pub fn attr_kind(&self, attr: Attr) -> &AttrKind {
        self.attrs.get(attr.0)
    }

    /// Interns a dictionary whose entries are sorted by name text and distinct.
    pub(crate) fn intern_dict(&self, sorted: &[NamedAttr]) -> AttrDict {
        AttrDict(self.dicts.intern(sorted, || sorted.into()))
    }

    /// Sorts entries with distinct names and interns them.
    pub(crate) fn attr_dict_of(&self, entries: &mut SmallVec<[NamedAttr; 4]>) -> AttrDict {
        if entries.is_empty() {
            return AttrDict::EMPTY;
        }
        if entries.len() > 1 {
            entries.sort_by(|a, b| self.str(a.0).cmp(self.str(b.0)));
        }
        self.intern_dict(entries)
    }

    pub(crate) fn dict_entries(&self, dict: AttrDict) -> &[NamedAttr] {
        self.dicts.get(dict.0)
    }

    /// Interns a location.
    pub fn intern_loc(&self, kind: LocKind) -> Loc {
        Loc(self.locs.intern_owned(kind))
    }

    pub(crate) fn loc_kind(&self, loc: Loc) -> &LocKind {
        self.locs.get(loc.0)
    }
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("types", &self.types.len())
            .field("attrs", &self.attrs.len())
            .finish_non_exhaustive()
    }
}
