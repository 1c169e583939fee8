//! Views of the dialect's types.

use gridloom_ir::attr::Attr;
use gridloom_ir::context::Context;
use gridloom_ir::types::{DYNAMIC, Type, TypeKind};

/// The pointee type of a `!spirv.ptr`.
pub fn pointee(ctx: &Context, ty: Type) -> Option<Type> {
    ty.params(ctx, "spirv", "ptr")?.first()?.as_type(ctx)
}

/// The storage class of a `!spirv.ptr`, such as `Function`.
pub fn storage_class(ctx: &Context, ty: Type) -> Option<&str> {
    ty.params(ctx, "spirv", "ptr")?.get(1)?.as_str(ctx)
}

/// Makes a `!spirv.ptr<pointee, storage>`.
pub fn pointer_type(ctx: &Context, pointee: Type, storage: &str) -> Type {
    let params = [ctx.type_attr(pointee), ctx.string_attr(storage)];
    ctx.parametric_type("spirv", "ptr", &params)
}

/// Whether a type is `!spirv.name<…>`.
pub fn is_spirv(ctx: &Context, ty: Type, name: &str) -> bool {
    ty.params(ctx, "spirv", name).is_some()
}

/// The parts of a `!spirv.image`.
#[derive(Clone, Copy, Debug)]
pub struct Image<'c> {
    /// The sampled type.
    pub element: Type,
    /// `Dim2D`, …
    pub dim: &'c str,
    /// `Arrayed` or `NonArrayed`.
    pub arrayed: &'c str,
    /// `SingleSampled` or `MultiSampled`.
    pub sampling: &'c str,
    /// `SamplerUnknown`, `NeedSampler` or `NoSampler`.
    pub sampler: &'c str,
}

impl<'c> Image<'c> {
    /// The image type, or the one in a sampled image type.
    pub fn of(ctx: &'c Context, ty: Type) -> Option<Image<'c>> {
        if let Some([image]) = ty.params(ctx, "spirv", "sampled_image") {
            return Image::of(ctx, image.as_type(ctx)?);
        }
        let params = ty.params(ctx, "spirv", "image")?;
        let keyword = |index: usize| params.get(index).and_then(|keyword| keyword.as_str(ctx));
        Some(Image {
            element: params.first()?.as_type(ctx)?,
            dim: keyword(1)?,
            arrayed: keyword(3)?,
            sampling: keyword(4)?,
            sampler: keyword(5)?,
        })
    }
}

/// The parts of a `!spirv.matrix`.
#[derive(Clone, Copy, Debug)]
pub struct Matrix {
    /// The type of an element.
    pub element: Type,
    /// Number of rows.
    pub rows: i64,
    /// Number of columns.
    pub columns: i64,
}

impl Matrix {
    /// The parts, if the type is a matrix.
    pub fn of(ctx: &Context, ty: Type) -> Option<Matrix> {
        let params = ty.params(ctx, "spirv", "matrix")?;
        let column = params.first()?.as_type(ctx)?;
        let TypeKind::Vector { shape, element, .. } = column.kind(ctx) else {
            return None;
        };
        Some(Matrix {
            element: *element,
            rows: *shape.first()?,
            columns: params.get(1)?.as_i64(ctx)?,
        })
    }
}

/// The parts of a `!spirv.coopmatrix`.
#[derive(Clone, Copy, Debug)]
pub struct CoopMatrix<'c> {
    /// The type of an element.
    pub element: Type,
    /// Number of rows.
    pub rows: i64,
    /// Number of columns.
    pub columns: i64,
    /// The scope of the invocations that share it: `Subgroup`, …
    pub scope: &'c str,
    /// `MatrixA`, `MatrixB` or `MatrixAcc`.
    pub purpose: &'c str,
}

impl<'c> CoopMatrix<'c> {
    /// The parts, if the type is a cooperative matrix.
    pub fn of(ctx: &'c Context, ty: Type) -> Option<CoopMatrix<'c>> {
        let params = ty.params(ctx, "spirv", "coopmatrix")?;
        Some(CoopMatrix {
            element: params.first()?.as_type(ctx)?,
            rows: params.get(1)?.as_i64(ctx)?,
            columns: params.get(2)?.as_i64(ctx)?,
            scope: params.get(3)?.as_str(ctx)?,
            purpose: params.get(4)?.as_str(ctx)?,
        })
    }
}

/// The extents and the element type of a cooperative matrix or a tensor; of one
/// without a rank the only extent is [`DYNAMIC`].
pub fn shaped(ctx: &Context, ty: Type) -> Option<(Vec<i64>, Type)> {
    if let Some(matrix) = CoopMatrix::of(ctx, ty) {
        return Some((vec![matrix.rows, matrix.columns], matrix.element));
    }
    let [element, extents] = ty.params(ctx, "spirv", "arm.tensor")? else {
        return None;
    };
    let mut extents = extents.as_i64_array(ctx)?;
    if extents.is_empty() {
        extents.push(DYNAMIC);
    }
    Some((extents, element.as_type(ctx)?))
}

/// Whether a type is a composite: vector, array, struct, matrix.
pub fn is_composite(ctx: &Context, ty: Type) -> bool {
    const NAMES: [&str; 6] = [
        "array",
        "rtarray",
        "struct",
        "matrix",
        "coopmatrix",
        "arm.tensor",
    ];
    let vector = match ty.kind(ctx) {
        TypeKind::Vector { shape, .. } => matches!(shape[..], [2 | 3 | 4 | 8 | 16]),
        _ => false,
    };
    vector || NAMES.iter().any(|name| is_spirv(ctx, ty, name))
}

/// The number of elements of a composite type, if it is known.
pub fn num_elements(ctx: &Context, ty: Type) -> Option<i64> {
    if let TypeKind::Vector { shape, .. } = ty.kind(ctx) {
        return shape
            .iter()
            .try_fold(1i64, |n, &extent| n.checked_mul(extent));
    }
    let counted = ["array", "matrix"].into_iter();
    let mut counted = counted.filter_map(|name| ty.params(ctx, "spirv", name));
    if let Some(params) = counted.next() {
        return params.get(1)?.as_i64(ctx);
    }
    let members = ty.params(ctx, "spirv", "struct")?.get(1)?;
    i64::try_from(members.as_array(ctx)?.len()).ok()
}

/// The type of element `index` of a composite type.
pub fn element_type(ctx: &Context, ty: Type, index: usize) -> Option<Type> {
    if let TypeKind::Vector { element, .. } = ty.kind(ctx) {
        return Some(*element);
    }
    if let Some(params) = ty.params(ctx, "spirv", "struct") {
        let member = params.get(1)?.as_array(ctx)?.get(index)?.as_type(ctx)?;
        return Some(match params.first()?.as_str(ctx) {
            Some(identifier) => unfold(ctx, member, identifier, ty),
            None => member,
        });
    }
    let TypeKind::Parametric(def) = ty.kind(ctx) else {
        return None;
    };
    let composite = is_composite(ctx, ty);
    def.params.first().filter(|_| composite)?.as_type(ctx)
}

/// Replaces references to a struct inside its own members by the struct.
fn unfold(ctx: &Context, ty: Type, identifier: &str, whole: Type) -> Type {
    let TypeKind::Parametric(def) = ty.kind(ctx) else {
        return ty;
    };
    let Some(params) = ty.params(ctx, "spirv", ctx.str(def.name)) else {
        return ty;
    };
    if let [name] = params
        && name.as_str(ctx) == Some(identifier)
        && is_spirv(ctx, ty, "struct")
    {
        return whole;
    }
    let param = |&attr: &Attr| unfold_param(ctx, attr, identifier, whole);
    let params: Vec<Attr> = params.iter().map(param).collect();
    ctx.parametric_type("spirv", ctx.str(def.name), &params)
}

fn unfold_param(ctx: &Context, param: Attr, identifier: &str, whole: Type) -> Attr {
    if let Some(ty) = param.as_type(ctx) {
        return ctx.type_attr(unfold(ctx, ty, identifier, whole));
    }
    match param.as_array(ctx) {
        Some(items) => {
            let item = |&attr: &Attr| unfold_param(ctx, attr, identifier, whole);
            let items: Vec<Attr> = items.iter().map(item).collect();
            ctx.array_attr(&items)
        }
        None => param,
    }
}
