//! Constants: `arith.constant`, and poison, undefined and zero values, all of which are 0.

use gridloom_dialects::{arith, inherent, llvm, ub};
use gridloom_ir::attr::{DenseData, Int};
use gridloom_ir::{Attr, AttrKind, OpId, OpName};
use rspirv::spirv::{Op, Word};

use crate::abi::ElementKind;
use crate::kernel::{Kernel, Lowering};
use crate::types::{self, Reg};

/// Lowers constants.
pub(crate) fn lower(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Lowering<bool> {
    if matches!(
        name,
        ub::POISON | llvm::MLIR_POISON | llvm::MLIR_UNDEF | llvm::MLIR_ZERO
    ) {
        let result = k.result(op)?;
        let reg = k.reg(op, result)?;
        let zero = k.constant(reg, 0);
        k.set(op, zero)?;
        return Ok(true);
    }
    if name != arith::CONSTANT {
        return Ok(false);
    }
    let result = k.result(op)?;
    let reg = k.reg(op, result)?;
    let attr = k.body[op].get(k.ctx, inherent::VALUE);
    let attr = attr.ok_or_else(|| k.malformed(op))?;
    let word = match attr.kind(k.ctx) {
        AttrKind::Dense { data, .. } => dense(k, op, reg, data)?,
        _ => {
            let bits = scalar_bits(k, attr).ok_or_else(|| k.malformed(op))?;
            k.constant(reg, bits)
        }
    };
    k.set(op, word)?;
    Ok(true)
}

/// The bits of an integer (sign-extended) or float attribute.
fn scalar_bits(k: &Kernel<'_>, attr: Attr) -> Option<u64> {
    match attr.kind(k.ctx) {
        AttrKind::Integer {
            value: Int::Small(value),
            ..
        } => Some(*value as u64),
        AttrKind::Float { bits, .. } => u64::try_from(*bits).ok(),
        _ => None,
    }
}

fn dense(k: &mut Kernel<'_>, op: OpId, reg: Reg, data: &DenseData) -> Lowering<Word> {
    let parts = parts(k, op, types::scalar(reg.kind), data, reg.lanes as usize)?;
    Ok(match parts[..] {
        [one] => one,
        _ => k.e.on(reg, Op::CompositeConstruct, &parts),
    })
}

/// The elements of a dense constant of `count` scalars.
fn parts(
    k: &mut Kernel<'_>,
    op: OpId,
    scalar: Reg,
    data: &DenseData,
    count: usize,
) -> Lowering<Vec<Word>> {
    let (bytes, splat) = match data {
        DenseData::Splat(bytes) => (bytes, true),
        DenseData::Raw(bytes) => (bytes, false),
        DenseData::Strings(_) => return Err(k.malformed(op)),
    };
    let lanes = if splat { 1 } else { count };
    if lanes == 0 || bytes.is_empty() || bytes.len() % lanes != 0 {
        return Err(k.malformed(op));
    }
    let chunks = bytes.chunks(bytes.len() / lanes);
    let parts: Vec<Word> = chunks
        .map(|chunk| {
            let bits = (chunk.iter().rev()).fold(0u64, |n, &b| (n << 8) | u64::from(b));
            k.constant(scalar, bits)
        })
        .collect();
    match parts[..] {
        [one] if splat => Ok(vec![one; count]),
        _ => Ok(parts),
    }
}

/// The elements of a vector constant that no register holds.
pub(crate) fn elements(
    k: &mut Kernel<'_>,
    op: OpId,
    scalar: Reg,
    count: usize,
) -> Lowering<Vec<Word>> {
    let attr = k.body[op].get(k.ctx, inherent::VALUE);
    match attr.map(|attr| attr.kind(k.ctx)) {
        Some(AttrKind::Dense { data, .. }) => parts(k, op, scalar, data, count),
        _ => Err(k.malformed(op)),
    }
}

impl Kernel<'_> {
    /// The value with these bits in every lane: bits of the float format, or
    /// an integer modulo its width.
    fn constant(&mut self, reg: Reg, bits: u64) -> Word {
        let value = match reg.kind {
            ElementKind::Bool => return self.e.splat_int(reg, (bits & 1) as i64),
            ElementKind::Int(width) => {
                let spare = 64 - width;
                return self.e.splat_int(reg, (bits << spare) as i64 >> spare);
            }
            ElementKind::F64 => {
                let finite = f64::from_bits(bits).is_finite();
                return self.e.splat_float_bits(reg, finite, bits);
            }
            ElementKind::F32 => {
                // As bits, so that a NaN keeps its payload.
                let finite = f32::from_bits(bits as u32).is_finite();
                return self.e.splat_float_bits(reg, finite, bits & 0xffff_ffff);
            }
            ElementKind::Narrow(_) => reg
                .kind
                .float_format()
                .map_or(f64::NAN, |format| format.kind.to_f64(bits)),
        };
        self.e.splat_float(reg, value)
    }
}
