//! Verifiers of image operations.

use super::image::SAMPLE_PROJ_DREF_IMPLICIT_LOD;
use super::image::{SAMPLE_EXPLICIT_LOD, SAMPLE_IMPLICIT_LOD};
use super::scope::plain_error;
use super::view::{Image, num_elements};
use gridloom_ir::types::{Type, TypeKind};
use gridloom_ir::verify::{Check, Checked};

/// The image operand bits that mlir-opt verifies.
const BIAS: i64 = 1;
const LOD: i64 = 2;
const GRAD: i64 = 4;

fn require(check: &Check, holds: bool, summary: &str) -> Checked {
    check.ensure(holds, format_args!("failed to verify that {summary}"))
}

fn image<'a>(check: &Check<'a>) -> Option<Image<'a>> {
    Image::of(check.ctx(), check.operand_type(0))
}

/// Whether the elements of a value have the image's sampled type.
fn matches_image(check: &Check, ty: Type, image: &Image) -> bool {
    let element = ty.element(check.ctx()).unwrap_or(ty);
    element == image.element || image.element == check.ctx().none_type()
}

fn verify_result(check: &Check, image: &Image) -> Checked {
    let fits = matches_image(check, check.result_type(0), image);
    require(
        check,
        fits,
        "the result component type must match the image sampled type",
    )
}

fn verify_single_sampled(check: &Check, image: &Image) -> Checked {
    require(
        check,
        image.sampling == "SingleSampled",
        "the MS operand of the underlying image type must be SingleSampled",
    )
}

fn verify_not_buffer(check: &Check, image: &Image) -> Checked {
    require(
        check,
        image.dim != "Buffer",
        "the Dim operand of the underlying image must not be Buffer",
    )
}

fn verify_storage(check: &Check, image: &Image) -> Checked {
    require(
        check,
        matches!(image.sampler, "SamplerUnknown" | "NoSampler"),
        "the sampled operand of the underlying image must be SamplerUnknown or NoSampler",
    )
}

pub(super) fn verify_dref_gather(check: &Check) -> Checked {
    let Some(image) = image(check) else {
        return Ok(());
    };
    require(
        check,
        matches!(image.dim, "Dim2D" | "Cube" | "Rect"),
        "the Dim operand of the underlying image must be Dim2D or Cube or Rect",
    )?;
    verify_single_sampled(check, &image)?;
    verify_result(check, &image)?;
    verify_operands(check, &image, 3)
}

pub(super) fn verify_fetch(check: &Check) -> Checked {
    let Some(image) = image(check) else {
        return Ok(());
    };
    require(
        check,
        image.dim != "Cube",
        "the Dim operand of the underlying image must not be Cube",
    )?;
    require(
        check,
        image.sampler == "NeedSampler",
        "the sampled operand of the underlying image must be NeedSampler",
    )?;
    verify_result(check, &image)?;
    verify_operands(check, &image, 2)
}

pub(super) fn verify_read(check: &Check) -> Checked {
    let Some(image) = image(check) else {
        return Ok(());
    };
    verify_storage(check, &image)?;
    verify_result(check, &image)?;
    verify_operands(check, &image, 2)
}

pub(super) fn verify_write(check: &Check) -> Checked {
    let Some(image) = image(check) else {
        return Ok(());
    };
    verify_storage(check, &image)?;
    require(
        check,
        image.dim != "SubpassData",
        "the Dim operand of the underlying image must not be SubpassData",
    )?;
    require(
        check,
        matches_image(check, check.operand_type(2), &image),
        "the texel component type must match the image sampled type",
    )?;
    verify_operands(check, &image, 3)
}

pub(super) fn verify_sample_implicit(check: &Check) -> Checked {
    let Some(image) = image(check) else {
        return Ok(());
    };
    verify_not_buffer(check, &image)?;
    verify_single_sampled(check, &image)?;
    verify_result(check, &image)?;
    verify_operands(check, &image, 2)
}

pub(super) fn verify_sample_explicit(check: &Check) -> Checked {
    let Some(image) = image(check) else {
        return Ok(());
    };
    verify_not_buffer(check, &image)?;
    verify_single_sampled(check, &image)?;
    verify_result(check, &image)?;
    require(
        check,
        bits(check).is_some_and(|bits| bits & (LOD | GRAD) != 0),
        "either Lod or Grad image operands must be present",
    )?;
    verify_operands(check, &image, 2)
}

pub(super) fn verify_sample_proj(check: &Check) -> Checked {
    let Some(image) = image(check) else {
        return Ok(());
    };
    verify_not_buffer(check, &image)?;
    verify_single_sampled(check, &image)?;
    require(
        check,
        image.element == check.result_type(0),
        "type of 'result' matches image type of 'sampled_image'",
    )?;
    verify_operands(check, &image, 3)
}

/// The image operands as bits.
fn bits(check: &Check) -> Option<i64> {
    let value = check.data().attr(check.ctx(), "image_operands")?;
    gridloom_ir::text::load_case(check.ctx(), &super::enums::IMAGE_OPERANDS, value)
}

/// Verifies the arguments of the image operands, which start at operand `first`
/// in the order of the bits.
fn verify_operands(check: &Check, image: &Image, first: usize) -> Checked {
    let arguments: Vec<Type> = check.operand_types().skip(first).collect();
    let fail = |message: &str| Err(plain_error(check, message));
    let Some(bits) = bits(check) else {
        if arguments.is_empty() {
            return Ok(());
        }
        return fail(
            "the Image Operands should encode what operands follow, as per Image Operands",
        );
    };
    if bits & LOD != 0 && bits & GRAD != 0 {
        return fail("it is invalid to set both the Lod and Grad bits");
    }
    let mut rest = &arguments[..];
    if bits & BIAS != 0 {
        rest = verify_bias(check, image, rest)?;
    }
    if bits & LOD != 0 {
        rest = verify_lod(check, image, rest)?;
    }
    if bits & GRAD != 0 {
        rest = verify_grad(check, image, rest)?;
    }
    if !rest.is_empty() {
        return fail("too many image operand arguments have been provided");
    }
    Ok(())
}

type Rest<'t> = Result<&'t [Type], gridloom_ir::diag::Diagnostic>;

fn is_float(check: &Check, ty: Type) -> bool {
    ty.float_kind(check.ctx()).is_some()
}

fn verify_common(check: &Check, image: &Image, what: &str) -> Checked {
    if !matches!(image.dim, "Dim1D" | "Dim2D" | "Dim3D" | "Cube") {
        let message = format!(
            "{what} must only be used with an image type that has a dim operand of \
             1D, 2D, 3D, or Cube"
        );
        return Err(plain_error(check, message));
    }
    if image.sampling != "SingleSampled" {
        let message =
            format!("{what} must only be used with an image type that has a MS operand of 0");
        return Err(plain_error(check, message));
    }
    Ok(())
}

fn verify_bias<'t>(check: &Check, image: &Image, rest: &'t [Type]) -> Rest<'t> {
    let fail = |message: &str| Err(plain_error(check, message));
    if !matches!(
        check.name(),
        SAMPLE_IMPLICIT_LOD | SAMPLE_PROJ_DREF_IMPLICIT_LOD
    ) {
        return fail("Bias is only valid with implicit-lod instructions");
    }
    let [bias, rest @ ..] = rest else {
        return fail("Bias operand requires 1 argument");
    };
    if !is_float(check, *bias) {
        return fail("Bias must be a floating-point type scalar");
    }
    verify_common(check, image, "Bias")?;
    Ok(rest)
}

fn verify_lod<'t>(check: &Check, image: &Image, rest: &'t [Type]) -> Rest<'t> {
    let fail = |message: &str| Err(plain_error(check, message));
    // mlir-opt's message says that fetches accept Lod, but its verifier rejects
    // them. This matches the verifier.
    if check.name() != SAMPLE_EXPLICIT_LOD {
        return fail("Lod is only valid with explicit-lod and fetch instructions");
    }
    let [lod, rest @ ..] = rest else {
        return fail("Lod operand requires 1 argument");
    };
    if !is_float(check, *lod) {
        return fail("for sampling operations, Lod must be a floating-point type scalar");
    }
    verify_common(check, image, "Lod")?;
    Ok(rest)
}

fn verify_grad<'t>(check: &Check, image: &Image, rest: &'t [Type]) -> Rest<'t> {
    let ctx = check.ctx();
    let fail = |message: &str| Err(plain_error(check, message));
    if check.name() != SAMPLE_EXPLICIT_LOD {
        return fail("Grad is only valid with explicit-lod instructions");
    }
    let [dx, dy, rest @ ..] = rest else {
        return fail("Grad operand requires 2 arguments (scalars or vectors)");
    };
    if image.sampling != "SingleSampled" {
        return fail("Grad must only be used with an image type that has a MS operand of 0");
    }
    let length = |ty: Type| match ty.kind(ctx) {
        TypeKind::Vector { .. } => num_elements(ctx, ty),
        _ => None,
    };
    let layers = i64::from(image.arrayed == "Arrayed");
    let wanted = length(check.operand_type(1)).map_or(1, |count| count - layers);
    let given = match (length(*dx), length(*dy)) {
        (Some(x), Some(y)) if x == y => x,
        (Some(_), Some(_)) => -1,
        _ if is_float(check, *dx) && is_float(check, *dy) => 1,
        _ => {
            return fail("Grad arguments must be a scalar or vector of floating-point type");
        }
    };
    if given != wanted {
        return fail(
            "number of components of each Grad argument must equal the number of components in \
             coordinate, minus the array layer component, if present",
        );
    }
    let element_is_float = |ty: Type| is_float(check, ty.element(ctx).unwrap_or(ty));
    if !element_is_float(*dx) || !element_is_float(*dy) {
        return fail("Grad arguments must be a vector of floating-point type");
    }
    Ok(rest)
}

pub(super) fn verify_query_size(check: &Check) -> Checked {
    let Some(image) = image(check) else {
        return Ok(());
    };
    let fail = |message: &str| Err(plain_error(check, message));
    let mut wanted = match image.dim {
        "Dim1D" | "Buffer" => 1,
        "Dim2D" | "Cube" | "Rect" => 2,
        "Dim3D" => 3,
        _ => {
            return fail(
                "the Dim operand of the image type must be 1D, 2D, 3D, Buffer, Cube, or Rect",
            );
        }
    };
    let sampled = image.sampling != "MultiSampled"
        && !matches!(image.sampler, "SamplerUnknown" | "NoSampler");
    if sampled && !matches!(image.dim, "Buffer" | "Rect") {
        return fail(
            "if Dim is 1D, 2D, 3D, or Cube, it must also have either an MS of 1 or a Sampled of \
             0 or 2",
        );
    }
    wanted += i64::from(image.arrayed == "Arrayed");
    let result = check.result_type(0);
    let found = match result.kind(check.ctx()) {
        TypeKind::Vector { .. } => num_elements(check.ctx(), result).unwrap_or(1),
        _ => 1,
    };
    if wanted != found {
        return fail(&format!(
            "expected the result to have {wanted} component(s), but found {found} component(s)"
        ));
    }
    Ok(())
}
