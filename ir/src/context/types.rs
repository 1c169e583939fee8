//! Types: immutable, interned, compared by id.

use crate::context::Parametric;

pub use super::float_kind::{FloatEncoding, FloatKind, SpecialValues};
use crate::context::attr::Attr;
use crate::context::dialect_registry::ElementOf;
use crate::context::{Context, Ident};

/// An interned type. Equal types of one context have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Type(pub(crate) u32);

/// The extent that stands for `?` in a shape, a stride or an offset
/// (the value MLIR uses: the least 64-bit integer).
pub const DYNAMIC: i64 = i64::MIN;

/// Signedness: how operations interpret the bits of an integer type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Signedness {
    /// `i32`: each operation decides.
    Signless,
    /// `si32`
    Signed,
    /// `ui32`
    Unsigned,
}

/// Contents of a [`Type`], by kind.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// `i32`, `si8`, `ui16`; widths from 0 to 2^24-1 bits.
    Integer {
        /// Width in bits.
        width: u32,
        /// Interpretation of the bits.
        signedness: Signedness,
    },
    /// `index`
    Index,
    /// `f32` and its kin.
    Float(FloatKind),
    /// `none`
    None,
    /// `(inputs) -> results`
    Function {
        /// Parameter types.
        inputs: Box<[Type]>,
        /// Result types.
        results: Box<[Type]>,
    },
    /// `tuple<…>`
    Tuple(Box<[Type]>),
    /// `complex<element>`
    Complex(Type),
    /// `vector<4x[8]xf32>`
    Vector {
        /// Extents; never [`DYNAMIC`].
        shape: Box<[i64]>,
        /// One flag per dimension: `[n]` is scalable.
        scalable: Box<[bool]>,
        /// Element type.
        element: Type,
    },
    /// `tensor<2x?xf32, encoding>`
    RankedTensor {
        /// Extents, [`DYNAMIC`] for `?`.
        shape: Box<[i64]>,
        /// Element type.
        element: Type,
        /// The encoding attribute, if any.
        encoding: Option<Attr>,
    },
    /// `tensor<*xf32>`
    UnrankedTensor {
        /// Element type.
        element: Type,
    },
    /// `memref<2x?xf32, layout, space>`
    MemRef(MemRefType),
    /// `memref<*xf32, space>`
    UnrankedMemRef {
        /// Element type.
        element: Type,
        /// Memory space; `None` is the default space 0.
        space: Option<Attr>,
    },
    /// A dialect's type with parameters, as its definition in
    /// [`crate::text::symbols`] has them.
    Parametric(Parametric),
    /// A type of a foreign dialect, `!dialect.body` or `!dialect<body>`, or one
    /// whose definition keeps it as text.
    Dialect {
        /// Dialect namespace.
        dialect: Ident,
        /// The text after the namespace: `.name<…>` in the pretty form,
        /// `<"…">` in the verbose one.
        body: Ident,
    },
}

/// A ranked memref: the payload of [`TypeKind::MemRef`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MemRefType {
    /// Extents, [`DYNAMIC`] for `?`.
    pub shape: Box<[i64]>,
    /// Element type.
    pub element: Type,
    /// The layout: an affine map or a strided layout; `None` is row-major
    /// identity. An identity map is never stored.
    pub layout: Option<Attr>,
    /// Memory space; `None` is the default space 0.
    pub space: Option<Attr>,
}

impl MemRefType {
    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Whether no extent is `?`.
    pub fn has_static_shape(&self) -> bool {
        self.shape.iter().all(|&d| d != DYNAMIC)
    }

    /// The product of the extents, if static and within `i64`.
    pub fn num_elements(&self) -> Option<i64> {
        self.shape.iter().try_fold(
            1i64,
            |n, &d| if d == DYNAMIC { None } else { n.checked_mul(d) },
        )
    }
}

/// The types that every context interns first, in this order, so that the most frequent ones cost
/// no look-up.
pub(crate) static FREQUENT: [TypeKind; 6] = [
    TypeKind::Index,
    signless(1),
    signless(32),
    signless(64),
    TypeKind::Float(FloatKind::F32),
    TypeKind::Float(FloatKind::F64),
];

const FREQUENT_INDEX: Type = Type(0);
const FREQUENT_I1: Type = Type(1);
const FREQUENT_I32: Type = Type(2);
const FREQUENT_I64: Type = Type(3);
const FREQUENT_F32: Type = Type(4);
const FREQUENT_F64: Type = Type(5);

const fn signless(width: u32) -> TypeKind {
    TypeKind::Integer {
        width,
        signedness: Signedness::Signless,
    }
}

/// Shorthands that build and intern types; all are cheap enough for inner loops except the ones
/// that take slices, which hash them.
impl Context {
    /// The signless integer type `i{width}`.
    pub fn int_type(&self, width: u32) -> Type {
        match width {
            1 => FREQUENT_I1,
            32 => FREQUENT_I32,
            64 => FREQUENT_I64,
            _ => self.intern_type(signless(width)),
        }
    }

    /// `i1`
    pub fn bool_type(&self) -> Type {
        self.int_type(1)
    }

    /// `index`
    pub fn index_type(&self) -> Type {
        FREQUENT_INDEX
    }

    /// A floating-point type.
    pub fn float_type(&self, kind: FloatKind) -> Type {
        match kind {
            FloatKind::F32 => FREQUENT_F32,
            FloatKind::F64 => FREQUENT_F64,
            _ => self.intern_type(TypeKind::Float(kind)),
        }
    }

    /// `none`
    pub fn none_type(&self) -> Type {
        self.intern_type(TypeKind::None)
    }

    /// `(inputs) -> results`
    pub fn function_type(&self, inputs: &[Type], results: &[Type]) -> Type {
        self.intern_type(TypeKind::Function {
            inputs: inputs.into(),
            results: results.into(),
        })
    }

    /// A vector of fixed extents.
    pub fn vector_type(&self, shape: &[i64], element: Type) -> Type {
        self.intern_type(TypeKind::Vector {
            shape: shape.into(),
            scalable: vec![false; shape.len()].into(),
            element,
        })
    }

    /// A vector type with these extents and scalable flags.
    pub fn scalable_vector_type(&self, shape: &[i64], scalable: &[bool], element: Type) -> Type {
        self.intern_type(TypeKind::Vector {
            shape: shape.into(),
            scalable: scalable.into(),
            element,
        })
    }

    /// A ranked tensor without encoding.
    pub fn tensor_type(&self, shape: &[i64], element: Type) -> Type {
        self.intern_type(TypeKind::RankedTensor {
            shape: shape.into(),
            element,
            encoding: None,
        })
    }

    /// Interns a dialect type with these parameters, which must match its definition.
    pub fn parametric_type(&self, dialect: &str, name: &str, params: &[Attr]) -> Type {
        self.intern_type(TypeKind::Parametric(Parametric {
            dialect: self.ident(dialect),
            name: self.ident(name),
            params: params.into(),
        }))
    }

    /// Whether some type made so far, and so perhaps of a value, is meant. A program has far fewer types
    /// than values: where none is meant, this takes a fraction of a search of a module.
    pub fn may_hold_type(&self, is_meant: impl Fn(Type) -> bool) -> bool {
        self.types.ids().any(|id| is_meant(Type(id)))
    }

    /// A memref in the default memory space with the identity layout.
    pub fn memref_type(&self, shape: &[i64], element: Type) -> Type {
        self.intern_type(TypeKind::MemRef(MemRefType {
            shape: shape.into(),
            element,
            layout: None,
            space: None,
        }))
    }
}

impl Type {
    /// Returns the interned contents of this type.
    pub fn kind(self, ctx: &Context) -> &TypeKind {
        ctx.type_kind(self)
    }

    /// Whether this is `index`, `i1`, `i32`, `i64`, `f32` or `f64`.
    pub fn is_frequent_scalar(self) -> bool {
        (self.0 as usize) < FREQUENT.len()
    }

    /// Whether this is `index`.
    pub fn is_index(self, _: &Context) -> bool {
        self == FREQUENT_INDEX
    }

    /// Returns the width of a signless integer type.
    pub fn signless_width(self, ctx: &Context) -> Option<u32> {
        match self.kind(ctx) {
            TypeKind::Integer {
                width,
                signedness: Signedness::Signless,
            } => Some(*width),
            _ => None,
        }
    }

    /// Returns the format of a floating-point type.
    pub fn float_kind(self, ctx: &Context) -> Option<FloatKind> {
        match self.kind(ctx) {
            TypeKind::Float(kind) => Some(*kind),
            _ => None,
        }
    }

    /// Returns MLIR's class name of a builtin type, such as `builtin.tensor`; empty for a dialect's
    /// own types.
    pub fn class(self, ctx: &Context) -> &'static str {
        match self.kind(ctx) {
            TypeKind::Integer { .. } => "builtin.integer",
            TypeKind::Index => "builtin.index",
            TypeKind::Float(_) => "builtin.float",
            TypeKind::None => "builtin.none",
            TypeKind::Function { .. } => "builtin.function",
            TypeKind::Tuple(_) => "builtin.tuple",
            TypeKind::Complex(_) => "builtin.complex",
            TypeKind::Vector { .. } => "builtin.vector",
            TypeKind::RankedTensor { .. } => "builtin.tensor",
            TypeKind::UnrankedTensor { .. } => "builtin.unranked_tensor",
            TypeKind::MemRef(_) => "builtin.memref",
            TypeKind::UnrankedMemRef { .. } => "builtin.unranked_memref",
            _ => "",
        }
    }

    /// Whether [`Type::class`] of this type is `class`, or one of the several classes that
    /// `tensor`, `memref` and `float` stand for.
    pub(crate) fn is_of_class(self, ctx: &Context, class: &str) -> bool {
        let own = self.class(ctx);
        own == class
            || match class {
                "tensor" => matches!(own, "builtin.tensor" | "builtin.unranked_tensor"),
                "memref" => matches!(own, "builtin.memref" | "builtin.unranked_memref"),
                "float" => own == "builtin.float",
                _ => false,
            }
    }

    /// Returns the contents of a ranked memref type.
    pub fn memref(self, ctx: &Context) -> Option<&MemRefType> {
        match self.kind(ctx) {
            TypeKind::MemRef(memref) => Some(memref),
            _ => None,
        }
    }

    /// Returns parameter and result types of a function type.
    pub fn function(self, ctx: &Context) -> Option<(&[Type], &[Type])> {
        match self.kind(ctx) {
            TypeKind::Function { inputs, results } => Some((inputs, results)),
            _ => None,
        }
    }

    /// Returns the parameters of the dialect type `dialect.name`; `None` for any other type.
    pub fn params<'c>(self, ctx: &'c Context, dialect: &str, name: &str) -> Option<&'c [Attr]> {
        match self.kind(ctx) {
            TypeKind::Parametric(def) => def.params_of(ctx, dialect, name),
            _ => None,
        }
    }

    /// Whether a vector may have elements of this type.
    pub fn is_vector_element(self, ctx: &Context) -> bool {
        match self.kind(ctx) {
            TypeKind::Integer { .. } | TypeKind::Index | TypeKind::Float(_) => true,
            _ => self.element_of(ctx).vectors,
        }
    }

    /// Whether a memref may have elements of this type.
    pub fn is_memref_element(self, ctx: &Context) -> bool {
        match self.kind(ctx) {
            TypeKind::Integer { .. }
            | TypeKind::Index
            | TypeKind::Float(_)
            | TypeKind::Complex(_)
            | TypeKind::Vector { .. }
            | TypeKind::MemRef(_)
            | TypeKind::UnrankedMemRef { .. } => true,
            _ => self.element_of(ctx).memrefs,
        }
    }

    /// Whether a tensor may have elements of this type.
    pub fn is_tensor_element(self, ctx: &Context) -> bool {
        !matches!(
            self.kind(ctx),
            TypeKind::Function { .. }
                | TypeKind::Tuple(_)
                | TypeKind::None
                | TypeKind::RankedTensor { .. }
                | TypeKind::UnrankedTensor { .. }
                | TypeKind::MemRef(_)
                | TypeKind::UnrankedMemRef { .. }
        )
    }

    /// The containers that take this type of a dialect for their elements.
    fn element_of(self, ctx: &Context) -> ElementOf {
        let (dialect, name) = match self.kind(ctx) {
            TypeKind::Parametric(def) => (ctx.str(def.dialect), ctx.str(def.name)),
            TypeKind::Dialect { dialect, body } => {
                // `.name` or `.name<…>`
                let body = ctx.str(*body).strip_prefix('.').unwrap_or_default();
                let name = body.split_once('<').map_or(body, |(name, _)| name);
                (ctx.str(*dialect), name)
            }
            _ => return ElementOf::NONE,
        };
        ctx.registry().element_of(dialect, name)
    }

    /// Returns the element type of a vector, tensor, memref or complex type.
    pub fn element(self, ctx: &Context) -> Option<Type> {
        match self.kind(ctx) {
            TypeKind::Vector { element, .. }
            | TypeKind::RankedTensor { element, .. }
            | TypeKind::UnrankedTensor { element }
            | TypeKind::UnrankedMemRef { element, .. }
            | TypeKind::Complex(element) => Some(*element),
            TypeKind::MemRef(memref) => Some(memref.element),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_types_have_constant_ids() {
        let ctx = crate::test_dialect::context();
        for (kind, ty) in FREQUENT.iter().cloned().zip([
            ctx.index_type(),
            ctx.bool_type(),
            ctx.int_type(32),
            ctx.int_type(64),
            ctx.float_type(FloatKind::F32),
            ctx.float_type(FloatKind::F64),
        ]) {
            assert_eq!(*ty.kind(&ctx), kind);
            assert_eq!(ctx.intern_type(kind), ty);
        }
    }
}
