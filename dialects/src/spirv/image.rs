//! Image reads, writes and sampling.

#![allow(missing_docs)] // Each constant is the operation that its row names.

use super::constraints::*;
use super::form::{parse_image_operands, print_image_operands};
use super::image_check::*;
use gridloom_ir::constraints::{follows, many, one};
use gridloom_ir::context::Context;
use gridloom_ir::op::{AttrDef, OpDef, Traits, ValueDef};
use gridloom_ir::text::Tok;
use gridloom_ir::text::format::Directive;
use gridloom_ir::types::Type;

/// `["Lod"]`
static OPERANDS: &[Directive] =
    &[
        Directive::new("ImageOperands", parse_image_operands, print_image_operands)
            .starts(|p, _| p.at(Tok::LSquare)),
    ];

const SAMPLED: ValueDef = one("sampled_image", SAMPLED_IMAGE);
const ARGUMENTS: ValueDef = many("operand_arguments", ANY_SPIRV);
const OPTIONAL: &[AttrDef] = &[IMAGE_OPERANDS.optional()];

/// A sampled read.
const fn sample(name: &'static str, attrs: &'static [AttrDef]) -> OpDef {
    OpDef::new(name)
        .operands(const { &[SAMPLED, one("coordinate", FLOAT_LIKE), ARGUMENTS] })
        .results(const { &[one("result", INT_OR_FLOAT_QUAD)] })
        .attrs(attrs)
        .directives(const { &[OPERANDS] })
        .format(
            "$sampled_image `,` $coordinate custom<ImageOperands>($image_operands) \
             ( `,` $operand_arguments^ )? attr-dict `:` type($sampled_image) `,` \
             type($coordinate) ( `,` type($operand_arguments)^ )? `->` type($result)",
        )
}

/// A sampled read with a depth comparison.
const fn compare(name: &'static str) -> OpDef {
    sample(name, OPTIONAL).format(
        "$sampled_image `,` $coordinate `,` $dref custom<ImageOperands>($image_operands) \
         ( `,` $operand_arguments^ )? attr-dict `:` type($sampled_image) `,` \
         type($coordinate) `,` type($dref) ( `,` type($operand_arguments)^ )? \
         `->` type($result)",
    )
}

/// A read of a texel.
const fn texel(name: &'static str) -> OpDef {
    OpDef::new(name)
        .attrs(OPTIONAL)
        .directives(const { &[OPERANDS] })
        .format(
            "$image `,` $coordinate custom<ImageOperands>($image_operands) \
         ( `,` $operand_arguments^ )? attr-dict `:` type($image) `,` type($coordinate) \
         ( `,` type($operand_arguments)^ )? `->` type($result)",
        )
}

fn image_of(ctx: &Context, ty: Type) -> Option<Type> {
    ty.params(ctx, "spirv", "sampled_image")?
        .first()?
        .as_type(ctx)
}

dialect_ops! {
    after super::group::END;
    IMAGE = OpDef::new("spirv.Image")
        .with(Traits::PURE)
        .operands(&[SAMPLED])
        .results(&[one("result", super::constraints::IMAGE)])
        .infer(&[follows(
            "result",
            "sampled_image",
            image_of,
            "type of 'result' matches image type of 'sampled_image'",
        )])
        .format("$sampled_image attr-dict `:` type($sampled_image)");
    DREF_GATHER = compare("spirv.ImageDrefGather")
        .with(Traits::PURE)
        .operands(&[SAMPLED, one("coordinate", FLOAT_LIKE), one("dref", FLOAT32), ARGUMENTS])
        .verify_kind(verify_dref_gather);
    FETCH = texel("spirv.ImageFetch")
        .operands(&[
            one("image", super::constraints::IMAGE),
            one("coordinate", INT_LIKE),
            ARGUMENTS,
        ])
        .results(&[one("result", FLOAT_OR_INT_QUAD)])
        .verify_kind(verify_fetch);
    QUERY_SIZE = OpDef::new("spirv.ImageQuerySize")
        .with(Traits::PURE)
        .operands(&[one("image", super::constraints::IMAGE)])
        .results(&[one("result", INT_LIKE)])
        .format("$image attr-dict `:` type($image) `->` type($result)")
        .verify_kind(verify_query_size);
    READ = texel("spirv.ImageRead")
        .operands(&[
            one("image", super::constraints::IMAGE),
            one("coordinate", FLOAT_OR_INT_LIKE),
            ARGUMENTS,
        ])
        .results(&[one("result", FLOAT_OR_INT_LIKE)])
        .verify_kind(verify_read);
    SAMPLE_EXPLICIT_LOD = sample("spirv.ImageSampleExplicitLod", &[IMAGE_OPERANDS])
        .operands(&[SAMPLED, one("coordinate", FLOAT_OR_INT_LIKE), ARGUMENTS])
        .verify_kind(verify_sample_explicit);
    SAMPLE_IMPLICIT_LOD =
        sample("spirv.ImageSampleImplicitLod", OPTIONAL).verify_kind(verify_sample_implicit);
    SAMPLE_PROJ_DREF_IMPLICIT_LOD = compare("spirv.ImageSampleProjDrefImplicitLod")
        .operands(&[
            SAMPLED,
            one("coordinate", FLOAT_OR_INT_LIKE),
            one("dref", FLOAT32),
            ARGUMENTS,
        ])
        .results(&[one("result", INTEGER_OR_FLOAT)])
        .verify_kind(verify_sample_proj);
    WRITE = texel("spirv.ImageWrite")
        .operands(&[
            one("image", super::constraints::IMAGE),
            one("coordinate", FLOAT_OR_INT_LIKE),
            one("texel", FLOAT_OR_INT_LIKE),
            ARGUMENTS,
        ])
        .format(
            "$image `,` $coordinate `,` $texel custom<ImageOperands>($image_operands) \
             ( `,` $operand_arguments^ )? attr-dict `:` type($image) `,` type($coordinate) `,` \
             type($texel) ( `,` type($operand_arguments)^ )?",
        )
        .verify_kind(verify_write);
}
