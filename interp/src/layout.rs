//! Layouts: offsets and strides of fresh buffers.

use gridloom_ir::types::{DYNAMIC, MemRefType};
use gridloom_ir::{AttrKind, Context};
use smallvec::SmallVec;

use crate::code::{Extent, Layout};
use crate::memref::row_major_strides;

/// Value of an extent: known, or read from its register.
pub(crate) fn extent(extent: Extent, scalars: &[u64]) -> i64 {
    match extent {
        Extent::Known(value) => value,
        Extent::Reg(reg) => scalars[reg as usize] as i64,
    }
}

/// Layout of a caller's buffer whose type leaves strides or the offset dynamic, as bufferization
/// does at function boundaries: the offset is 0 and open strides are row-major, beyond what known
/// strides reach where these are not.
pub(crate) fn open_layout(ctx: &Context, memref: &MemRefType, sizes: &[i64]) -> Option<Layout> {
    let AttrKind::Strided { offset, strides } = memref.layout?.kind(ctx) else {
        return None;
    };
    if *offset != DYNAMIC && !strides.contains(&DYNAMIC) {
        return None;
    }
    let offset = if *offset == DYNAMIC { 0 } else { *offset };
    let plain = row_major_strides(sizes);
    let agrees = |(&known, &plain): (&i64, &i64)| known == DYNAMIC || known == plain;
    if strides.iter().zip(&plain).all(agrees) {
        let strides = plain.to_vec();
        return Some(Layout::Strided { offset, strides });
    }
    let dims = || strides.iter().zip(sizes);
    let known = dims().filter(|&(&stride, _)| stride != DYNAMIC);
    let mut reach = known.fold(1i64, |reach, (&stride, &size)| {
        let distance = stride.saturating_abs().saturating_mul((size - 1).max(0));
        reach.saturating_add(distance)
    });
    let mut strides = strides.clone();
    for (stride, &size) in strides.iter_mut().zip(sizes).rev() {
        if *stride == DYNAMIC {
            *stride = reach;
            reach = reach.saturating_mul(size.max(1));
        }
    }
    let strides = strides.to_vec();
    Some(Layout::Strided { offset, strides })
}

/// Offset and strides of a shape under a layout.
pub(crate) fn place(layout: &Layout, sizes: &[i64]) -> (i64, SmallVec<[i64; 4]>) {
    match layout {
        Layout::RowMajor => (0, row_major_strides(sizes)),
        Layout::Strided { offset, strides } => (*offset, strides.iter().copied().collect()),
        Layout::Linear {
            coefficients,
            constants,
        } => {
            // Extent of each result over the index box.
            let reach = |row: &Vec<i64>, constant: i64| {
                let spans = row.iter().zip(sizes);
                let sum = spans.fold(constant, |sum, (&coefficient, &size)| {
                    sum.saturating_add(coefficient.saturating_mul((size - 1).max(0)))
                });
                sum.saturating_add(1)
            };
            let physical: Vec<i64> = coefficients
                .iter()
                .zip(constants)
                .map(|(row, &c)| reach(row, c))
                .collect();
            let outer = row_major_strides(&physical);
            let offset = constants
                .iter()
                .zip(&outer)
                .fold(0i64, |sum, (&c, &stride)| {
                    sum.saturating_add(c.saturating_mul(stride))
                });
            let stride = |dim: usize| {
                coefficients
                    .iter()
                    .zip(&outer)
                    .fold(0i64, |sum, (row, &stride)| {
                        sum.saturating_add(row[dim].saturating_mul(stride))
                    })
            };
            (offset, (0..sizes.len()).map(stride).collect())
        }
    }
}
