//! `convert-llvm-intrinsics-to-math`: rewrites intrinsics of LLVM as the operations that compute the same.
//!
//! ```text
//! %y = llvm.intr.sqrt(%x) : (f32) -> f32             ⇒     %y = math.sqrt %x : f32
//! %r = llvm.intr.fmuladd(%a, %b, %c)                 ⇒     %p = arith.mulf %a, %b : f32
//!     : (f32, f32, f32) -> f32                             %r = arith.addf %p, %c : f32
//! ```
//!
//! Front ends of C leave them where `math` has no operation of its own, or where they lower to LLVM in parts. Upstream's
//! `convert-math-to-llvm` goes the other way.
//!
//! Always legal: what an intrinsic leaves open (`fmuladd` may round once or twice, counts of zero bits and the least
//! integer may be poison) is one of the results of the operation. Flags of fast math are permissions, which are not taken.

use gridloom_dialects::llvm::intrinsics as llvm;
use gridloom_dialects::vector::{self, VectorShape};
use gridloom_dialects::{arith, math};
use gridloom_ir::{AttrDict, Body, Builder, Context, OpId, OpName, Value};

/// The operation of the operands and result of an intrinsic that computes the same.
fn counterpart(intrinsic: OpName) -> Option<OpName> {
    Some(match intrinsic {
        llvm::ABS => math::ABSI,
        llvm::ACOS => math::ACOS,
        llvm::ASIN => math::ASIN,
        llvm::ATAN => math::ATAN,
        llvm::ATAN2 => math::ATAN2,
        llvm::CEIL => math::CEIL,
        llvm::COPYSIGN => math::COPYSIGN,
        llvm::COS => math::COS,
        llvm::COSH => math::COSH,
        llvm::CTLZ => math::CTLZ,
        llvm::CTPOP => math::CTPOP,
        llvm::CTTZ => math::CTTZ,
        llvm::EXP => math::EXP,
        llvm::EXP2 => math::EXP2,
        llvm::FABS => math::ABSF,
        llvm::FLOOR => math::FLOOR,
        llvm::FMA => math::FMA,
        llvm::LOG => math::LOG,
        llvm::LOG10 => math::LOG10,
        llvm::LOG2 => math::LOG2,
        llvm::MAXIMUM => arith::MAXIMUMF,
        llvm::MAXNUM => arith::MAXNUMF,
        llvm::MINIMUM => arith::MINIMUMF,
        llvm::MINNUM => arith::MINNUMF,
        llvm::NEARBYINT | llvm::RINT | llvm::ROUNDEVEN => math::ROUNDEVEN,
        llvm::POW => math::POWF,
        llvm::ROUND => math::ROUND,
        llvm::SIN => math::SIN,
        llvm::SINH => math::SINH,
        llvm::SMAX => arith::MAXSI,
        llvm::SMIN => arith::MINSI,
        llvm::SQRT => math::SQRT,
        llvm::TAN => math::TAN,
        llvm::TANH => math::TANH,
        llvm::TRUNC => math::TRUNC,
        llvm::UMAX => arith::MAXUI,
        llvm::UMIN => arith::MINUI,
        _ => return None,
    })
}

/// Rewrites the intrinsics of a function. Returns whether there were any.
pub fn convert_llvm_intrinsics(ctx: &Context, body: &mut Body) -> bool {
    let mut changed = false;
    for op in body.walk() {
        if let Some(name) = counterpart(body[op].name) {
            let data = &mut body[op];
            data.name = name;
            data.properties = AttrDict::EMPTY;
            changed = true;
            continue;
        }
        let result = match body[op].name {
            llvm::FMULADD => sum_of_product(ctx, body, op),
            llvm::POWI => power(ctx, body, op),
            _ => None,
        };
        if let Some(result) = result {
            body.replace_op(op, &[result]);
            changed = true;
        }
    }
    changed
}

/// The sum of `fmuladd`, which may be contracted with its product.
fn sum_of_product(ctx: &Context, body: &mut Body, op: OpId) -> Option<Value> {
    let [a, b, c] = body[op].operands[..] else {
        return None;
    };
    let mut builder = Builder::before(ctx, body, op);
    let product = builder.binary(arith::MULF, a, b);
    Some(builder.binary(arith::ADDF, product, c))
}

/// The result of `powi`, whose power is one integer for all elements of a vector.
fn power(ctx: &Context, body: &mut Body, op: OpId) -> Option<Value> {
    let [value, mut power] = body[op].operands[..] else {
        return None;
    };
    let (ty, power_ty) = (body.ty(value), body.ty(power));
    let mut b = Builder::before(ctx, body, op);
    if let Some(vector) = VectorShape::of(ctx, ty) {
        let powers = vector.with_element(ctx, power_ty);
        power = b.unary(vector::BROADCAST, &[power], powers);
    }
    Some(b.unary(math::FPOWI, &[value, power], ty))
}
