//! Range analysis of indices: intervals from constants, thread numbers and loops.

use gridloom_dialects::gpu::{self, SUBGROUP_LANES};
use gridloom_dialects::{arith, inherent, scf};
use gridloom_ir::Value;

use crate::entry_point::threads_of;
use crate::kernel::Kernel;

/// Depth limit of the analysis, in operations.
const MAX_DEPTH: u32 = 24;

/// Returns the least and the greatest value that an index can have; `None` where that is unknown or
/// leaves 32 bits, in which a kernel may compute.
pub(super) fn range(k: &Kernel<'_>, value: Value) -> Option<(i64, i64)> {
    within(k, value, 0)
}

fn within(k: &Kernel<'_>, value: Value, depth: u32) -> Option<(i64, i64)> {
    let found = unchecked(k, value, depth)?;
    let fits = |end: i64| i32::try_from(end).is_ok();
    (fits(found.0) && fits(found.1)).then_some(found)
}

fn unchecked(k: &Kernel<'_>, value: Value, depth: u32) -> Option<(i64, i64)> {
    let body = k.body;
    if let Some(constant) = arith::constant_int(k.ctx, body, value) {
        return Some((constant, constant));
    }
    if depth == MAX_DEPTH {
        return None;
    }
    let of = |value: Value| within(k, value, depth + 1);
    let Some(op) = body.defining_op(value) else {
        return counted(k, value, depth);
    };
    let data = &body[op];
    let threads = k.workgroup_size.map(i64::from);
    let all = i64::try_from(threads_of(k.workgroup_size)).unwrap_or(i64::MAX);
    match (data.name, &data.operands[..]) {
        (gpu::THREAD_ID, _) => {
            let dimension = data.get(k.ctx, inherent::DIMENSION)? as usize;
            Some((0, threads.get(dimension)? - 1))
        }
        (gpu::SUBGROUP_ID, _) => Some((0, (all - 1) / SUBGROUP_LANES)),
        (gpu::LANE_ID, _) => Some((0, SUBGROUP_LANES - 1)),
        (arith::INDEX_CAST | arith::INDEX_CASTUI, &[a]) => of(a).filter(|&(low, _)| low >= 0),
        (arith::ADDI, &[a, b]) => {
            let ((a, b), (c, d)) = (of(a)?, of(b)?);
            Some((a + c, b + d))
        }
        (arith::SUBI, &[a, b]) => {
            let ((a, b), (c, d)) = (of(a)?, of(b)?);
            Some((a - d, b - c))
        }
        (arith::MULI, &[a, b]) => {
            let ((a, b), (c, d)) = (of(a)?, of(b)?);
            let ends = [a * c, a * d, b * c, b * d];
            Some((*ends.iter().min()?, *ends.iter().max()?))
        }
        (arith::SHLI, &[a, b]) => {
            let places = arith::constant_int(k.ctx, body, b)?;
            let factor = (0..31).contains(&places).then(|| 1i64 << places)?;
            let (low, high) = of(a)?;
            Some((low * factor, high * factor))
        }
        (arith::DIVUI | arith::DIVSI, &[a, b]) => {
            let divisor = arith::constant_int(k.ctx, body, b).filter(|&divisor| divisor > 0)?;
            let (low, high) = of(a).filter(|&(low, _)| low >= 0)?;
            Some((low / divisor, high / divisor))
        }
        (arith::REMUI | arith::REMSI, &[a, b]) => {
            let divisor = arith::constant_int(k.ctx, body, b).filter(|&divisor| divisor > 0)?;
            let (_, high) = of(a).filter(|&(low, _)| low >= 0)?;
            Some((0, high.min(divisor - 1)))
        }
        _ => None,
    }
}

/// Returns the range of a loop's counter.
fn counted(k: &Kernel<'_>, value: Value, depth: u32) -> Option<(i64, i64)> {
    let body = k.body;
    let block = body.value_block(value)?;
    let op = body.block_parent_op(block)?;
    let is_counter = body[op].name == scf::FOR && body[block].args.first() == Some(&value);
    let &[lower, upper, step, ..] = &body[op].operands[..] else {
        return None;
    };
    let step = arith::constant_int(k.ctx, body, step).filter(|&step| step > 0)?;
    if !is_counter || body[op].get(k.ctx, inherent::UNSIGNED_CMP).is_some() {
        return None;
    }
    let (low, first) = within(k, lower, depth + 1)?;
    let (_, end) = within(k, upper, depth + 1)?;
    let last = match low == first && low < end {
        true => low + (end - 1 - low) / step * step,
        false => end - 1,
    };
    Some((low, last.max(low)))
}
