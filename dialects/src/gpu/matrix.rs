//! MMA matrices, `!gpu.mma_matrix`: distributed over the lanes of a subgroup.

use gridloom_ir::Attr;
use gridloom_ir::constraints::{attr, is_case_of};
use gridloom_ir::context::Context;
use gridloom_ir::op::{
    AttrConstraint, AttrDef, AttrSyntax, EnumDef, EnumStorage, Storage, TypeConstraint,
};
use gridloom_ir::text::{BodyParser, ParseFailed, Tok, case_name, load_case, type_string};
use gridloom_ir::types::{FloatKind, Signedness, Type, TypeKind};

/// Any MMA matrix.
pub(super) const MATRIX: TypeConstraint =
    TypeConstraint::new("MMAMatrix type", |c, t| element_keyword(c, t).is_some());

/// Matrix that can be stored.
pub(super) const STORED_MATRIX: TypeConstraint = TypeConstraint::new(
    "gpu.mma_matrix of 8-bit signed integer or 8-bit unsigned integer or 32-bit signless integer or 16-bit float or 32-bit float or 64-bit float values",
    MATRIX.check,
);

/// Factor of a product.
pub(super) const MATRIX_FACTOR: TypeConstraint = TypeConstraint::new(
    "gpu.mma_matrix of 8-bit signed integer or 8-bit unsigned integer or 16-bit float or 32-bit float or 64-bit float values",
    |c, t| {
        matches!(
            element_keyword(c, t),
            Some("si8" | "ui8" | "f16" | "f32" | "f64")
        )
    },
);

/// Accumulator of a product.
pub(super) const MATRIX_SUM: TypeConstraint = TypeConstraint::new(
    "gpu.mma_matrix of 32-bit signless integer or 16-bit float or 32-bit float or 64-bit float values",
    |c, t| matches!(element_keyword(c, t), Some("i32" | "f16" | "f32" | "f64")),
);

/// Element type of a matrix.
pub(super) const MATRIX_ELEMENT: TypeConstraint = TypeConstraint::new(
    "8-bit signed integer or 8-bit unsigned integer or 32-bit signless integer or 16-bit float or 32-bit float",
    |c, t| match t.kind(c) {
        TypeKind::Integer {
            width: 8,
            signedness,
        } => *signedness != Signedness::Signless,
        TypeKind::Integer { width, signedness } => {
            *width == 32 && *signedness == Signedness::Signless
        }
        TypeKind::Float(kind) => matches!(kind, FloatKind::F16 | FloatKind::F32),
        _ => false,
    },
);

/// Memref that a matrix is loaded from or stored to.
pub(super) const MATRIX_MEMREF: TypeConstraint = TypeConstraint::new(
    "memref of 8-bit signless integer or 32-bit signless integer or 16-bit float or 32-bit float or 64-bit float or vector of 8-bit signless integer or 32-bit signless integer or 16-bit float or 32-bit float or 64-bit float values of ranks 1 values",
    |c, t| {
        t.memref(c)
            .is_some_and(|memref| is_matrix_memory(c, memref.element))
    },
);

fn is_matrix_memory(ctx: &Context, ty: Type) -> bool {
    let scalar = |ty: Type| match ty.kind(ctx) {
        TypeKind::Float(kind) => {
            matches!(kind, FloatKind::F16 | FloatKind::F32 | FloatKind::F64)
        }
        _ => matches!(ty.signless_width(ctx), Some(8 | 32)),
    };
    match ty.kind(ctx) {
        TypeKind::Vector { shape, element, .. } => shape.len() == 1 && scalar(*element),
        _ => scalar(ty),
    }
}

/// `<16x8xf32, "COp">` after `!gpu.mma_matrix`, kept as text.
pub(super) fn parse_matrix(p: &mut BodyParser<'_, '_>) -> Result<Type, ParseFailed> {
    p.expect(Tok::Less)?;
    let place = p.place();
    let shape = p.extents(false)?;
    let &[rows, columns] = &shape[..] else {
        return Err(p.error_at(place, "MMAMatrixType must have exactly two dimensions"));
    };
    let place = p.place();
    let element = p.ty()?;
    p.expect(Tok::Comma)?;
    let role_place = p.place();
    let role = p.string("the role of the matrix")?;
    p.expect(Tok::Greater)?;
    let ctx = p.ctx();
    let role = ctx.str(role);
    if !matches!(role, "AOp" | "BOp" | "COp") {
        let message = "operand expected to be one of AOp, BOp or COp";
        return Err(p.error_at(role_place, message));
    }
    if !is_matrix_element(ctx, element) {
        let message = "MMAMatrixType elements must be SI8, UI8, I32, F16, F32, or F64";
        return Err(p.error_at(place, message));
    }
    let element = type_string(ctx, element);
    let body = format!(".mma_matrix<{rows}x{columns}x{element}, \"{role}\">");
    Ok(ctx.intern_type(TypeKind::Dialect {
        dialect: ctx.ident("gpu"),
        body: ctx.ident(&body),
    }))
}

fn is_matrix_element(ctx: &Context, ty: Type) -> bool {
    match ty.kind(ctx) {
        TypeKind::Integer { width, signedness } => {
            *width == 8 && *signedness != Signedness::Signless
                || *width == 32 && *signedness == Signedness::Signless
        }
        TypeKind::Float(kind) => {
            matches!(kind, FloatKind::F16 | FloatKind::F32 | FloatKind::F64)
        }
        _ => false,
    }
}

/// Shape and element type of an MMA matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MmaMatrix {
    /// Number of rows.
    pub rows: i64,
    /// Number of columns.
    pub columns: i64,
    /// The element type; integers of 8 bits have a sign or none.
    pub element: Type,
    /// The role in a product.
    pub role: MatrixRole,
}

/// Role of a matrix in a product `a * b + c`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatrixRole {
    /// The left factor.
    A,
    /// The right factor.
    B,
    /// The sum and the result.
    C,
}

impl MmaMatrix {
    /// The parts, if the type is an MMA matrix of a fixed shape.
    pub fn of(ctx: &Context, ty: Type) -> Option<MmaMatrix> {
        let parts = matrix_parts(ctx, ty)?;
        Some(MmaMatrix {
            rows: parts.rows.parse().ok()?,
            columns: parts.columns.parse().ok()?,
            element: matrix_element(ctx, ty)?,
            role: match parts.role {
                "AOp" => MatrixRole::A,
                "BOp" => MatrixRole::B,
                "COp" => MatrixRole::C,
                _ => return None,
            },
        })
    }
}

/// Fields of the type `!gpu.mma_matrix<16x8xf32, "COp">`.
pub(super) struct Parts<'a> {
    /// The number of rows.
    pub(super) rows: &'a str,
    /// The number of columns.
    pub(super) columns: &'a str,
    /// The element type, as text.
    element: &'a str,
    /// The role in a product: `AOp`, `BOp` or `COp`.
    pub(super) role: &'a str,
}

/// Splits a matrix type into its fields.
pub(super) fn matrix_parts(ctx: &Context, ty: Type) -> Option<Parts<'_>> {
    let TypeKind::Dialect { dialect, body } = ty.kind(ctx) else {
        return None;
    };
    if ctx.str(*dialect) != "gpu" {
        return None;
    }
    let parameters = ctx.str(*body).strip_prefix(".mma_matrix<")?;
    let (shaped, role) = parameters.strip_suffix('>')?.split_once(',')?;
    let (rows, rest) = shaped.split_once('x')?;
    let (columns, element) = rest.split_once('x')?;
    Some(Parts {
        rows,
        columns,
        element: element.trim(),
        role: role.trim().trim_matches('"'),
    })
}

fn element_keyword(ctx: &Context, ty: Type) -> Option<&str> {
    matrix_parts(ctx, ty).map(|parts| parts.element)
}

/// Returns the element type of a matrix type.
pub(super) fn matrix_element(ctx: &Context, ty: Type) -> Option<Type> {
    let int = |width, signedness| ctx.intern_type(TypeKind::Integer { width, signedness });
    Some(match element_keyword(ctx, ty)? {
        "si8" => int(8, Signedness::Signed),
        "ui8" => int(8, Signedness::Unsigned),
        "i32" => ctx.int_type(32),
        "f16" => ctx.float_type(FloatKind::F16),
        "f32" => ctx.float_type(FloatKind::F32),
        "f64" => ctx.float_type(FloatKind::F64),
        _ => return None,
    })
}

pub(super) static OPERATIONS: EnumDef = EnumDef {
    class: "MMAElementwiseOp",
    record: "MMAElementWiseAttr",
    summary: "elementwise operation to apply to mma matrix",
    cases: &[
        ("addf", 0),
        ("mulf", 1),
        ("subf", 2),
        ("maxf", 3),
        ("minf", 4),
        ("divf", 5),
        ("addi", 6),
        ("muli", 7),
        ("subi", 8),
        ("divs", 9),
        ("divu", 10),
        ("negatef", 11),
        ("negates", 12),
        ("extf", 13),
    ],
    storage: EnumStorage::Dialect("gpu", "<mma_element_wise ", ">"),
    bits: false,
    angled: false,
};

/// Elementwise operation on a matrix.
pub(super) const MATRIX_OPERATION: AttrDef = attr(
    "opType",
    AttrConstraint {
        summary: "elementwise operation to apply to mma matrix",
        storage: Storage::Exact,
        check: |c, a| is_case_of(c, a, &OPERATIONS),
    },
)
.spelled(AttrSyntax::Enum(&OPERATIONS));

/// The keyword of an operation on each element of a matrix, which its attribute `opType` is: `addf`.
pub fn elementwise_keyword(ctx: &Context, operation: Attr) -> Option<String> {
    let case = load_case(ctx, &OPERATIONS, operation)?;
    case_name(&OPERATIONS, case).map(|name| name.to_string())
}

/// The type of a matrix of floats.
pub fn matrix_type(
    ctx: &Context,
    [rows, columns]: [i64; 2],
    element: FloatKind,
    role: MatrixRole,
) -> Type {
    let role = match role {
        MatrixRole::A => "AOp",
        MatrixRole::B => "BOp",
        MatrixRole::C => "COp",
    };
    let element = element.keyword();
    let body = format!(".mma_matrix<{rows}x{columns}x{element}, \"{role}\">");
    ctx.intern_type(TypeKind::Dialect {
        dialect: ctx.ident("gpu"),
        body: ctx.ident(&body),
    })
}
