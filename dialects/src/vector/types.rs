//! Type constraints and views of vector types.

use gridloom_ir::context::Context;
use gridloom_ir::op::TypeConstraint;
use gridloom_ir::types::{Type, TypeKind};
use gridloom_ir::verify::{Check, Checked};

/// Row-major strides of a vector of these extents.
pub fn row_major_strides(extents: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; extents.len()];
    for dim in (1..extents.len()).rev() {
        strides[dim - 1] = strides[dim] * extents[dim];
    }
    strides
}

/// The parts of a vector type.
#[derive(Clone, Copy, Debug)]
pub struct VectorShape<'c> {
    /// The extents; minima for scalable dimensions.
    pub shape: &'c [i64],
    /// Flags the scalable dimensions.
    pub scalable: &'c [bool],
    /// Element type.
    pub element: Type,
}

impl<'c> VectorShape<'c> {
    /// The parts, if the type is a vector.
    pub fn of(ctx: &'c Context, ty: Type) -> Option<VectorShape<'c>> {
        match ty.kind(ctx) {
            TypeKind::Vector {
                shape,
                scalable,
                element,
            } => Some(VectorShape {
                shape,
                scalable,
                element: *element,
            }),
            _ => None,
        }
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Whether any dimension is scalable.
    pub fn is_scalable(&self) -> bool {
        self.scalable.contains(&true)
    }

    /// The number of elements, with scalable dimensions at their minimum;
    /// saturates.
    pub fn num_elements(&self) -> i64 {
        let all = self.shape.iter();
        all.fold(1i64, |count, &extent| count.saturating_mul(extent))
    }

    /// This shape with another element type.
    pub fn with_element(&self, ctx: &Context, element: Type) -> Type {
        ctx.scalable_vector_type(self.shape, self.scalable, element)
    }

    /// The mask type of this shape.
    pub fn mask(&self, ctx: &Context) -> Type {
        self.with_element(ctx, ctx.bool_type())
    }

    /// The type of the dimensions from `first` on.
    pub fn tail(&self, ctx: &Context, first: usize) -> Type {
        ctx.scalable_vector_type(&self.shape[first..], &self.scalable[first..], self.element)
    }
}

/// The parts of an operand's or result's type, which the row requires to be a
/// vector.
pub(super) fn parts<'a>(check: &Check<'a>, ty: Type) -> VectorShape<'a> {
    let parts = VectorShape::of(check.ctx(), ty);
    parts.expect("the row demands a vector here")
}

/// The element type, or the type itself.
pub(super) fn element_or_self(ctx: &Context, ty: Type) -> Type {
    match ty.kind(ctx) {
        TypeKind::Complex(_) => ty,
        _ => ty.element(ctx).unwrap_or(ty),
    }
}

/// Checks that two types have the same element type, by `summary` in the
/// diagnostic.
pub(super) fn same_element(check: &Check, a: Type, b: Type, summary: &str) -> Checked {
    let ctx = check.ctx();
    let same = element_or_self(ctx, a) == element_or_self(ctx, b);
    check.ensure(same, format_args!("failed to verify that {summary}"))
}

/// The width of a type in bits by the default data layout; `None` for types of
/// other dialects.
pub(super) fn bits(ctx: &Context, ty: Type) -> Option<i64> {
    match ty.kind(ctx) {
        TypeKind::Integer { width, .. } => Some(i64::from(*width)),
        TypeKind::Float(kind) => Some(i64::from(kind.width())),
        TypeKind::Index => Some(64),
        TypeKind::Complex(part) => Some(2 * bits(ctx, *part)?),
        _ => None,
    }
}

/// Whether a type may be a vector element. Types of unknown dialects may be.
pub(super) fn can_be_element(ctx: &Context, ty: Type) -> bool {
    match ty.class(ctx) {
        "" => true,
        class => matches!(class, "builtin.integer" | "builtin.index" | "builtin.float"),
    }
}

fn vector_of(ctx: &Context, ty: Type, holds: impl Fn(VectorShape) -> bool) -> bool {
    VectorShape::of(ctx, ty).is_some_and(holds)
}

/// A vector of any rank, 0 included.
pub(super) const ANY_VECTOR: TypeConstraint =
    TypeConstraint::new("vector of any type values", |c, t| {
        vector_of(c, t, |_| true)
    })
    .class("builtin.vector");

/// A vector without scalable dimensions, of any rank.
pub(super) const FIXED_VECTOR: TypeConstraint =
    TypeConstraint::new("fixed-length vector of any type values", |c, t| {
        vector_of(c, t, |v| !v.is_scalable())
    })
    .class("builtin.vector");

/// A mask of any rank, 0 included.
pub(super) const ANY_MASK: TypeConstraint =
    TypeConstraint::new("vector of 1-bit signless integer values", |c, t| {
        vector_of(c, t, |v| v.element == c.bool_type())
    })
    .class("builtin.vector");

/// A mask of rank at least 1.
pub(super) const MASK: TypeConstraint =
    TypeConstraint::new("vector of 1-bit signless integer values", |c, t| {
        vector_of(c, t, |v| v.rank() > 0 && v.element == c.bool_type())
    })
    .class("builtin.vector");

/// A fixed-length mask of rank at least 1.
pub(super) const FIXED_MASK: TypeConstraint = TypeConstraint::new(
    "fixed-length vector of 1-bit signless integer values",
    |c, t| {
        vector_of(c, t, |v| {
            v.rank() > 0 && !v.is_scalable() && v.element == c.bool_type()
        })
    },
)
.class("builtin.vector");

/// A vector of floats, of any rank.
pub(super) const FLOATS: TypeConstraint =
    TypeConstraint::new("vector of floating-point values", |c, t| {
        vector_of(c, t, |v| v.element.float_kind(c).is_some())
    })
    .class("builtin.vector");

/// The index vector of a gather or scatter.
pub(super) const OFFSETS: TypeConstraint =
    TypeConstraint::new("vector of integer or index values", |c, t| {
        vector_of(c, t, |v| {
            v.rank() > 0
                && matches!(
                    v.element.kind(c),
                    TypeKind::Integer { .. } | TypeKind::Index
                )
        })
    })
    .class("builtin.vector");

/// The result of `vector.step`.
pub(super) const STEPS: TypeConstraint =
    TypeConstraint::new("vector of index values of ranks 1", |c, t| {
        vector_of(c, t, |v| v.rank() == 1 && v.element.is_index(c))
    })
    .class("builtin.vector");

/// The operand of `vector.print`. MLIR has no summary for it.
pub(super) const PRINTED: TypeConstraint = TypeConstraint::new("", |c, t| {
    matches!(
        t.kind(c),
        TypeKind::Vector { .. } | TypeKind::Integer { .. } | TypeKind::Index | TypeKind::Float(_)
    )
});

/// A scalable vector of rank 1. The summary is MLIR's.
pub(super) const SCALABLE_1D: TypeConstraint = TypeConstraint::new(" of ranks 1", |c, t| {
    vector_of(c, t, |v| v.rank() == 1 && v.is_scalable())
})
.class("builtin.vector");

/// A vector of rank 1. The summary is MLIR's.
pub(super) const VECTOR_1D: TypeConstraint =
    TypeConstraint::new(" of ranks 1", |c, t| vector_of(c, t, |v| v.rank() == 1))
        .class("builtin.vector");

/// A tensor or a ranked memref.
pub(super) const TENSOR_OR_MEMREF: TypeConstraint =
    TypeConstraint::new("Tensor or MemRef of any type values", |c, t| {
        matches!(
            t.kind(c),
            TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor { .. } | TypeKind::MemRef(_)
        )
    });

/// A shaped type.
pub(super) const SHAPED: TypeConstraint =
    TypeConstraint::new("shaped of any type values", |c, t| {
        !matches!(t.kind(c), TypeKind::Complex(_)) && t.element(c).is_some()
    });
