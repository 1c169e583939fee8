//! The `complex` dialect: arithmetic on complex numbers.

use crate::arith::{FASTMATH, OPTIONAL_FASTMATH};
use gridloom_ir::constraints::*;
use gridloom_ir::context::Context;
use gridloom_ir::op::{
    AttrConstraint, OpDef, RowTraits, Storage, Traits, TypeConstraint, ValueDef,
};
use gridloom_ir::symbols::{SymbolDef, Symbols};
use gridloom_ir::types::{Type, TypeKind};

mod check;
mod fold;
mod number;

const ELEMENTWISE: Traits = Traits::ELEMENTWISE.with(Traits::PURE);
const UNIFORM: RowTraits = ELEMENTWISE
    .in_row()
    .with(RowTraits::SAME_OPERANDS_AND_RESULT_TYPE);

/// The element type of a complex type.
fn element(ctx: &Context, ty: Type) -> Option<Type> {
    match ty.kind(ctx) {
        TypeKind::Complex(element) => Some(*element),
        _ => None,
    }
}

const FLOAT: TypeConstraint =
    TypeConstraint::new("floating-point", |c, t| t.float_kind(c).is_some()).class("float");

const SIGNLESS: TypeConstraint =
    TypeConstraint::new("signless integer", |c, t| t.signless_width(c).is_some())
        .class("builtin.integer");

const COMPLEX: TypeConstraint =
    TypeConstraint::new("complex-type", |c, t| element(c, t).is_some()).class("builtin.complex");

const COMPLEX_FLOAT: TypeConstraint =
    TypeConstraint::new("complex type with floating-point elements", |c, t| {
        element(c, t).is_some_and(|element| element.float_kind(c).is_some())
    })
    .class("builtin.complex");

const ARRAY: AttrConstraint = AttrConstraint {
    summary: "array attribute",
    storage: Storage::Exact,
    check: |c, a| a.as_array(c).is_some(),
};

const PAIR: &[ValueDef] = &[one("lhs", COMPLEX_FLOAT), one("rhs", COMPLEX_FLOAT)];

/// A unary operation on one type.
const fn unary(name: &'static str) -> OpDef {
    part(name)
        .with_row(RowTraits::SAME_OPERANDS_AND_RESULT_TYPE)
        .results(const { &[one("result", COMPLEX_FLOAT)] })
}

/// A binary operation on one type.
const fn binary(name: &'static str) -> OpDef {
    OpDef::new(name)
        .with_row(UNIFORM)
        .operands(PAIR)
        .results(const { &[one("result", COMPLEX_FLOAT)] })
        .attrs(const { &[FASTMATH] })
        .format("$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)")
}

/// An operation on one complex number; rows add the result.
const fn part(name: &'static str) -> OpDef {
    OpDef::new(name)
        .with(ELEMENTWISE)
        .operands(const { &[one("complex", COMPLEX_FLOAT)] })
        .attrs(const { &[FASTMATH] })
        .format("$complex (`fastmath` `` $fastmath^)? attr-dict `:` type($complex)")
}

const fn comparison(name: &'static str) -> OpDef {
    OpDef::new(name)
        .with(ELEMENTWISE)
        .operands(PAIR)
        .results(const { &[one("result", I1)] })
        .infer(const { &[same(&["lhs", "rhs"], "all of {lhs, rhs} have same type")] })
        .format("$lhs `,` $rhs attr-dict `:` type($lhs)")
}

/// The attributes of the dialect.
pub(crate) static SYMBOLS: Symbols = Symbols {
    dialect: "complex",
    types: &[],
    attrs: &[SymbolDef::new("number", number::parse, number::print)],
};

dialect_ops! {
    after super::ub::END;
    /// `complex.abs`: absolute value.
    ABS = part("complex.abs")
        .results(&[one("result", FLOAT)])
        .infer(&[follows("result", "complex", element, "complex element type matches result type")]);
    /// `complex.add`: sum.
    ADD = binary("complex.add").fold(fold::fold_add);
    /// `complex.angle`: the angle of its direction.
    ANGLE = part("complex.angle")
        .results(&[one("result", FLOAT)])
        .infer(&[follows("result", "complex", element, "complex element type matches result type")]);
    /// `complex.atan2`: angle of the point (rhs, lhs).
    ATAN2 = binary("complex.atan2");
    /// `complex.bitcast`: reinterprets the bits between complex and other
    /// number types.
    BITCAST = OpDef::new("complex.bitcast")
        .with(Traits::PURE)
        .operands(&[one("operand", ANY)])
        .results(&[one("result", ANY)])
        .format("$operand attr-dict `:` type($operand) `to` type($result)")
        .verify_kind(check::verify_bitcast)
        .fold(fold::fold_bitcast);
    /// `complex.conj`: the complex conjugate.
    CONJ = unary("complex.conj").fold(fold::fold_conj);
    /// `complex.constant`: a number known at compile time.
    CONSTANT = OpDef::new("complex.constant")
        .result_name("cst")
        .with(Traits::PURE)
        .with(Traits::CONSTANT_LIKE)
        .results(&[one("complex", COMPLEX)])
        .attrs(&[attr("value", ARRAY)])
        .format("$value attr-dict `:` type($complex)")
        .verify_kind(check::verify_constant);
    /// `complex.cos`: cosine.
    COS = unary("complex.cos");
    /// `complex.create`: a complex number from real and imaginary part.
    CREATE = OpDef::new("complex.create")
        .with(Traits::PURE)
        .operands(&[one("real", FLOAT), one("imaginary", FLOAT)])
        .results(&[one("complex", COMPLEX_FLOAT)])
        .infer(&[
            same(&["real", "imaginary"], "all of {real, imaginary} have same type"),
            follows("real", "complex", element, "complex element type matches real operand type"),
            follows("imaginary", "complex", element, "complex element type matches imaginary operand type"),
        ])
        .format("$real `,` $imaginary attr-dict `:` type($complex)")
        .fold(fold::fold_create);
    /// `complex.div`: quotient.
    DIV = binary("complex.div");
    /// `complex.eq`: whether two numbers are equal.
    EQ = comparison("complex.eq");
    /// `complex.exp`: power of e.
    EXP = unary("complex.exp");
    /// `complex.expm1`: power of e less one.
    EXPM1 = unary("complex.expm1");
    /// `complex.im`: imaginary part.
    IM = part("complex.im")
        .results(&[one("imaginary", FLOAT)])
        .infer(&[follows("imaginary", "complex", element, "complex element type matches result type")])
        .fold(fold::fold_im);
    /// `complex.log`: natural logarithm.
    LOG = unary("complex.log");
    /// `complex.log1p`: natural logarithm of the operand plus one.
    LOG1P = unary("complex.log1p");
    /// `complex.mul`: product.
    MUL = binary("complex.mul");
    /// `complex.neg`: negation.
    NEG = unary("complex.neg").fold(fold::fold_neg);
    /// `complex.neq`: whether two numbers differ.
    NEQ = comparison("complex.neq");
    /// `complex.pow`: power.
    POW = binary("complex.pow");
    /// `complex.powi`: power with an integer exponent.
    POWI = OpDef::new("complex.powi")
        .with(ELEMENTWISE)
        .with_row(RowTraits::SAME_SHAPE)
        .operands(&[one("lhs", COMPLEX_FLOAT), one("rhs", SIGNLESS)])
        .results(&[one("result", COMPLEX_FLOAT)])
        .attrs(&[OPTIONAL_FASTMATH])
        .infer(&[same(&["lhs", "result"], "all of {lhs, result} have same type")])
        .format("$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result) `,` type($rhs)");
    /// `complex.re`: real part.
    RE = part("complex.re")
        .results(&[one("real", FLOAT)])
        .infer(&[follows("real", "complex", element, "complex element type matches result type")])
        .fold(fold::fold_re);
    /// `complex.rsqrt`: reciprocal of the square root.
    RSQRT = unary("complex.rsqrt");
    /// `complex.sign`: the number divided by its absolute value.
    SIGN = unary("complex.sign");
    /// `complex.sin`: sine.
    SIN = unary("complex.sin");
    /// `complex.sqrt`: square root.
    SQRT = unary("complex.sqrt");
    /// `complex.sub`: difference.
    SUB = binary("complex.sub").fold(fold::fold_sub);
    /// `complex.tan`: tangent.
    TAN = unary("complex.tan");
    /// `complex.tanh`: hyperbolic tangent.
    TANH = unary("complex.tanh");
}
