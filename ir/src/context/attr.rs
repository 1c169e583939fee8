//! Attributes: immutable, interned, compared by id.

use smallvec::SmallVec;

use crate::context::Parametric;
use crate::context::affine::{AffineMap, IntegerSet, frequent};
use crate::context::location::Loc;
use crate::context::types::{Type, TypeKind};
use crate::context::{Context, Ident};

/// An interned attribute. Equal attributes of one context have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Attr(pub(crate) u32);

/// An interned dictionary: entries sorted by name, names distinct.
/// [`AttrDict::EMPTY`] costs nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AttrDict(pub(crate) u32);

impl AttrDict {
    /// The dictionary without entries.
    pub const EMPTY: AttrDict = AttrDict(0);
}

/// One named attribute.
pub type NamedAttr = (Ident, Attr);

/// Integer of any width in two's complement.
///
/// Values that fit `i128` are always [`Int::Small`], so equality is structural.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Int {
    /// A value within `i128`, sign-extended.
    Small(i128),
    /// A value beyond `i128`: little-endian words, the top bit is the sign; at least three words
    /// and no redundant sign word.
    Big(Box<[u64]>),
}

/// Element storage of a dense attribute.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DenseData {
    /// Every element equals the one stored: raw little-endian bytes of it.
    Splat(Box<[u8]>),
    /// All elements in row-major order, each padded to whole bytes
    /// (`i1` takes one byte, 0 or 1; complex elements are two parts).
    Raw(Box<[u8]>),
    /// String elements.
    Strings(Box<[Box<str>]>),
}

/// Contents of an [`Attr`], by kind.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AttrKind {
    /// `unit`
    Unit,
    /// `5 : i32`, and `true`/`false` as values of type `i1` (0 and 1).
    /// The value is sign-extended for signless and signed types and
    /// zero-extended for unsigned types and `i1`.
    Integer {
        /// Integer or index type.
        ty: Type,
        /// The value.
        value: Int,
    },
    /// `1.5 : f32`: the bit pattern in the format of `ty`.
    Float {
        /// Float type.
        ty: Type,
        /// Bit pattern, zero-extended.
        bits: u128,
    },
    /// `"text"` or `"text" : type`. Bytes, since MLIR strings need not be UTF-8.
    String {
        /// The bytes.
        value: Box<[u8]>,
        /// The type spelled after it; `None` where the text has none.
        ty: Option<Type>,
    },
    /// A type used as an attribute.
    Type(Type),
    /// `[a, b]`
    Array(Box<[Attr]>),
    /// `{a = 1, b}`
    Dict(AttrDict),
    /// `@root::@nested`
    Symbol {
        /// The outermost symbol.
        root: Ident,
        /// The path below it.
        nested: Box<[Ident]>,
    },
    /// `affine_map<…>`
    Map(AffineMap),
    /// `affine_set<…>`
    Set(IntegerSet),
    /// `dense<…> : type`
    Dense {
        /// Vector or ranked tensor type with a static shape.
        ty: Type,
        /// The elements.
        data: DenseData,
    },
    /// `array<i32: 1, 2>`
    DenseArray {
        /// `i1`, an integer type of whole bytes, or a float type.
        element: Type,
        /// Little-endian elements; `i1` takes one byte each.
        data: Box<[u8]>,
    },
    /// `dense_resource<key> : type`
    DenseResource {
        /// Shaped type.
        ty: Type,
        /// Key in the resource section.
        key: Ident,
    },
    /// `sparse<indices, values> : type`
    Sparse {
        /// Shaped type with a static shape.
        ty: Type,
        /// A dense attribute of 64-bit indices.
        indices: Attr,
        /// A dense attribute of the element type.
        values: Attr,
    },
    /// `strided<[s0, s1], offset: o>`, with [`crate::types::DYNAMIC`] for `?`.
    Strided {
        /// Offset in elements.
        offset: i64,
        /// Strides in elements, outermost first.
        strides: Box<[i64]>,
    },
    /// `distinct[3]<value>`
    Distinct {
        /// The identity; unique in its module.
        id: u64,
        /// The value that the number makes distinct.
        value: Attr,
    },
    /// A location used as an attribute: `loc(…)`.
    Location(Loc),
    /// A dialect's attribute with parameters, as its definition in
    /// [`crate::text::symbols`] has them.
    Parametric {
        /// The definition of the attribute, and its parameters.
        def: Parametric,
        /// The type of a typed attribute; `None` for one without.
        ty: Option<Type>,
    },
    /// An attribute of a foreign dialect, `#dialect.body` or `#dialect<body>`,
    /// or one whose definition keeps it as text.
    Dialect {
        /// Dialect namespace.
        dialect: Ident,
        /// The text after the namespace: `.name<…>` in the pretty form,
        /// `<"…">` in the verbose one.
        body: Ident,
        /// The type spelled after it; `None` where the text has none.
        ty: Option<Type>,
    },
}

impl Attr {
    /// Returns the interned contents of this attribute.
    pub fn kind(self, ctx: &Context) -> &AttrKind {
        ctx.attr_kind(self)
    }

    /// Returns the parameters of the dialect attribute `dialect.name`; `None` for any other
    /// attribute.
    pub fn params<'c>(self, ctx: &'c Context, dialect: &str, name: &str) -> Option<&'c [Attr]> {
        match self.kind(ctx) {
            AttrKind::Parametric { def, .. } => def.params_of(ctx, dialect, name),
            _ => None,
        }
    }

    /// Returns the value of an integer attribute that fits `i64`.
    pub fn as_i64(self, ctx: &Context) -> Option<i64> {
        match self.kind(ctx) {
            AttrKind::Integer {
                value: Int::Small(v),
                ..
            } => i64::try_from(*v).ok(),
            _ => None,
        }
    }

    /// Returns the value of an `i1` attribute.
    pub fn as_bool(self, ctx: &Context) -> Option<bool> {
        match self.kind(ctx) {
            AttrKind::Integer {
                ty,
                value: Int::Small(v),
            } if *ty == ctx.bool_type() => Some(*v != 0),
            _ => None,
        }
    }

    /// Whether this can be a memory space: a number, a string, a dictionary, or an attribute of a
    /// dialect that upstream defines.
    pub fn is_memory_space(self, ctx: &Context) -> bool {
        match self.kind(ctx) {
            AttrKind::Integer { .. }
            | AttrKind::Dict(_)
            | AttrKind::Parametric { .. }
            | AttrKind::String { .. } => true,
            AttrKind::Dialect { dialect, .. } => ctx.registry().is_upstream(ctx.str(*dialect)),
            _ => false,
        }
    }

    /// Whether this is the number 0, the default memory space, which types leave out.
    pub fn is_default_memory_space(self, ctx: &Context) -> bool {
        matches!(self.kind(ctx), AttrKind::Integer { value, .. } if *value == Int::Small(0))
    }

    /// Returns the text of a UTF-8 string attribute.
    pub fn as_str(self, ctx: &Context) -> Option<&str> {
        match self.kind(ctx) {
            AttrKind::String { value, .. } => std::str::from_utf8(value).ok(),
            _ => None,
        }
    }

    /// Returns the type that a type attribute holds.
    pub fn as_type(self, ctx: &Context) -> Option<Type> {
        match self.kind(ctx) {
            AttrKind::Type(ty) => Some(*ty),
            _ => None,
        }
    }

    /// Returns the affine map that this attribute holds.
    pub fn as_map(self, ctx: &Context) -> Option<AffineMap> {
        match self.kind(ctx) {
            AttrKind::Map(map) => Some(*map),
            _ => None,
        }
    }

    /// Returns the integer set that this attribute holds.
    pub fn as_set(self, ctx: &Context) -> Option<IntegerSet> {
        match self.kind(ctx) {
            AttrKind::Set(set) => Some(*set),
            _ => None,
        }
    }

    /// Returns the elements of an array attribute.
    pub fn as_array(self, ctx: &Context) -> Option<&[Attr]> {
        match self.kind(ctx) {
            AttrKind::Array(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the symbol of a flat reference `@name`.
    pub fn as_flat_symbol(self, ctx: &Context) -> Option<Ident> {
        match self.kind(ctx) {
            AttrKind::Symbol { root, nested } if nested.is_empty() => Some(*root),
            _ => None,
        }
    }

    /// Returns the elements of `array<i32: …>`.
    pub fn as_i32_array(self, ctx: &Context) -> Option<SmallVec<[i32; 8]>> {
        let bytes = self.i32_bytes(ctx)?;
        Some(bytes.iter().map(|b| i32::from_le_bytes(*b)).collect())
    }

    /// Returns the elements of `array<i32: …>` as little-endian bytes.
    pub(crate) fn i32_bytes(self, ctx: &Context) -> Option<&[[u8; 4]]> {
        match self.kind(ctx) {
            AttrKind::DenseArray { element, data } if element.signless_width(ctx) == Some(32) => {
                Some(data.as_chunks().0)
            }
            _ => None,
        }
    }

    /// Returns the elements of `array<i64: …>`.
    pub fn as_i64_array(self, ctx: &Context) -> Option<Vec<i64>> {
        match self.kind(ctx) {
            AttrKind::DenseArray { element, data } if element.signless_width(ctx) == Some(64) => {
                Some(
                    data.as_chunks()
                        .0
                        .iter()
                        .map(|b| i64::from_le_bytes(*b))
                        .collect(),
                )
            }
            _ => None,
        }
    }
}

/// Shorthands that build and intern common attributes.
impl Context {
    /// `unit`
    pub fn unit_attr(&self) -> Attr {
        self.intern_attr(AttrKind::Unit)
    }

    /// `value : ty` for an integer or index type. The caller has checked that the value fits the
    /// type.
    pub fn int_attr(&self, ty: Type, value: i64) -> Attr {
        self.intern_attr(AttrKind::Integer {
            ty,
            value: Int::Small(value.into()),
        })
    }

    /// `value : index`
    pub fn index_attr(&self, value: i64) -> Attr {
        frequent::step_attr(value).unwrap_or_else(|| self.int_attr(self.index_type(), value))
    }

    /// `value : i64`
    pub fn i64_attr(&self, value: i64) -> Attr {
        self.int_attr(self.int_type(64), value)
    }

    /// `true` or `false`
    pub fn bool_attr(&self, value: bool) -> Attr {
        self.int_attr(self.bool_type(), value.into())
    }

    /// `"value"`
    pub fn string_attr(&self, value: &str) -> Attr {
        self.intern_attr(AttrKind::String {
            value: value.as_bytes().into(),
            ty: None,
        })
    }

    /// A type as an attribute.
    pub fn type_attr(&self, ty: Type) -> Attr {
        self.intern_attr(AttrKind::Type(ty))
    }

    /// `[…]`
    pub fn array_attr(&self, items: &[Attr]) -> Attr {
        self.intern_attr(AttrKind::Array(items.into()))
    }

    /// `@name`
    pub fn symbol_attr(&self, name: Ident) -> Attr {
        self.intern_attr(AttrKind::Symbol {
            root: name,
            nested: Box::new([]),
        })
    }

    /// `@root::@leaf`
    pub fn nested_symbol_attr(&self, root: Ident, nested: &[Ident]) -> Attr {
        self.intern_attr(AttrKind::Symbol {
            root,
            nested: nested.into(),
        })
    }

    /// `affine_map<…>`
    pub fn map_attr(&self, map: AffineMap) -> Attr {
        frequent::map_attr(map).unwrap_or_else(|| self.intern_attr(AttrKind::Map(map)))
    }

    /// `affine_set<…>`
    pub fn set_attr(&self, set: IntegerSet) -> Attr {
        self.intern_attr(AttrKind::Set(set))
    }

    /// `array<i32: …>`
    pub fn i32_array_attr(&self, items: &[i32]) -> Attr {
        let data = items.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.intern_attr(AttrKind::DenseArray {
            element: self.int_type(32),
            data,
        })
    }

    /// `array<i64: …>`
    pub fn i64_array_attr(&self, items: &[i64]) -> Attr {
        let data = items.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.intern_attr(AttrKind::DenseArray {
            element: self.int_type(64),
            data,
        })
    }

    /// Interns a dialect attribute with these parameters, which must match its definition.
    pub fn parametric_attr(&self, dialect: &str, name: &str, params: &[Attr]) -> Attr {
        let def = Parametric {
            dialect: self.ident(dialect),
            name: self.ident(name),
            params: params.into(),
        };
        self.intern_attr(AttrKind::Parametric { def, ty: None })
    }

    /// The pretty dialect attribute `#dialect.body`, such as
    /// `#gpu.address_space<workgroup>` for `("gpu", ".address_space<workgroup>")`.
    pub fn dialect_attr(&self, dialect: &str, body: &str) -> Attr {
        self.intern_attr(AttrKind::Dialect {
            dialect: self.ident(dialect),
            body: self.ident(body),
            ty: None,
        })
    }

    /// Sorts entries by name and interns them. When a name occurs twice the
    /// first one wins; the parser refuses duplicates before it comes here.
    pub fn attr_dict(&self, mut entries: Vec<NamedAttr>) -> AttrDict {
        if entries.is_empty() {
            return AttrDict::EMPTY;
        }
        entries.sort_by(|a, b| self.str(a.0).cmp(self.str(b.0)));
        entries.dedup_by_key(|e| e.0);
        self.intern_dict(&entries)
    }
}

impl AttrDict {
    /// The entries, sorted by name.
    pub fn entries(self, ctx: &Context) -> &[NamedAttr] {
        ctx.dict_entries(self)
    }

    /// Whether there are no entries.
    pub fn is_empty(self) -> bool {
        self == AttrDict::EMPTY
    }

    /// The entry called `name`.
    pub fn get(self, ctx: &Context, name: Ident) -> Option<Attr> {
        self.entries(ctx).iter().find(|e| e.0 == name).map(|e| e.1)
    }

    /// The dictionary with `name` set to `value`.
    #[must_use]
    pub fn with(self, ctx: &Context, name: Ident, value: Attr) -> AttrDict {
        let mut entries: SmallVec<[NamedAttr; 8]> = self.entries(ctx).into();
        match entries.iter_mut().find(|e| e.0 == name) {
            Some(entry) => entry.1 = value,
            None => {
                let text = ctx.str(name);
                let place = entries.partition_point(|e| ctx.str(e.0) < text);
                entries.insert(place, (name, value));
            }
        }
        ctx.intern_dict(&entries)
    }

    /// The dictionary without `name`.
    #[must_use]
    pub fn without(self, ctx: &Context, name: Ident) -> AttrDict {
        let entries = self
            .entries(ctx)
            .iter()
            .copied()
            .filter(|e| e.0 != name)
            .collect();
        ctx.attr_dict(entries)
    }
}

impl TypeKind {
    /// Whether attributes of this type are integers.
    pub fn is_int_or_index(&self) -> bool {
        matches!(self, TypeKind::Integer { .. } | TypeKind::Index)
    }
}
