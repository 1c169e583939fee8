//! Loads and stores of matrices, with their bounds checks.
//!
//! Lines of a matrix, its rows or with `transpose` its columns, lie `leadDimension` elements apart. An access
//! that is not proved in range is tested as a whole: outside, a load takes what lies at the begin of the
//! memory and a store does nothing, and both are faults.

use gridloom_dialects::inherent;
use gridloom_ir::{OpId, Value};
use rspirv::dr::Operand;
use rspirv::spirv::{CooperativeMatrixLayout, Op, StorageClass, Word};

use super::range::range;
use super::{element, lead, matrix, type_of};
use crate::access::Access;
use crate::halves;
use crate::kernel::{Kernel, Lowering};
use crate::memory::{self, Base, Encoding, Scope};
use crate::products::MatrixElement;
use crate::target::Bounds;
use crate::types::I32;
use crate::vector_memory::recorded;

/// Lines: how the rows or columns of a matrix lie in memory.
struct Lines {
    access: Access,
    /// Leading dimension: the distance of lines, in elements.
    lead: i64,
    /// Distance of the last element from the first one.
    extent: i64,
    is_transposed: bool,
}

impl Lines {
    /// Returns the lines of the matrix `value` that an operation accesses in operand `memref`.
    fn of(k: &mut Kernel<'_>, op: OpId, value: Value, memref: usize) -> Lowering<Lines> {
        let of = matrix(k, op, value)?;
        let access = Access::of(k, op, memref)?;
        let is_fit = match element(k, op, of.element)? {
            MatrixElement::F16 => {
                matches!(access.view.encoding, Encoding::Halves | Encoding::Packets)
            }
            MatrixElement::F32 => {
                let is_plain = access.view.encoding == Encoding::Plain;
                is_plain && access.view.element == crate::types::F32
            }
        };
        let is_shared = !matches!(
            access.view.base,
            Base::Array(_, Scope::Private) | Base::Vectors(..)
        );
        if !is_fit || !is_shared {
            let message = "a cooperative matrix is loaded from and stored to buffers and workgroup \
                           memory of its own element type that no atomic operation updates";
            return Err(k.refuse(op, message));
        }
        let is_transposed = k.body[op].get(k.ctx, inherent::TRANSPOSE).is_some();
        let (lines, length) = match is_transposed {
            true => (of.columns, of.rows),
            false => (of.rows, of.columns),
        };
        let lead = lead(k, op);
        let extent = (lines - 1).checked_mul(lead);
        let extent = extent.and_then(|extent| extent.checked_add(length - 1));
        let extent = extent.filter(|&extent| lead > 0 && i32::try_from(extent).is_ok());
        let extent = extent.ok_or_else(|| {
            k.refuse(
                op,
                "the lines of a matrix need a positive leadDimension that fits 32 bits",
            )
        })?;
        Ok(Lines {
            access,
            lead,
            extent,
            is_transposed,
        })
    }

    /// Whether range analysis proves that all of the matrix lies in the memory.
    fn is_proved(&self, k: &Kernel<'_>, op: OpId, memref: usize) -> bool {
        let view = &self.access.view;
        let constant = |word: &Word| k.e.constant_value(*word);
        let indices = k.body[op].operands.get(memref + 1..).unwrap_or_default();
        let mut last = i128::from(self.extent);
        let mut most = 0i128;
        for ((&index, size), stride) in indices.iter().zip(&view.sizes).zip(&view.strides) {
            let ends = (range(k, index), constant(size), constant(stride));
            let (Some((low, high)), Some(size), Some(stride)) = ends else {
                return false;
            };
            if low < 0 || high >= size || stride < 0 {
                return false;
            }
            last += i128::from(high) * i128::from(stride);
            most += i128::from(size - 1) * i128::from(stride);
        }
        last <= most
    }

    /// Emits the bounds check of the whole matrix, unless it is proved or switched off.
    fn in_range(&self, k: &mut Kernel<'_>, op: OpId, memref: usize) -> Option<Word> {
        if k.env.bounds == Bounds::Off || self.is_proved(k, op, memref) {
            return None;
        }
        let reg = k.index_reg();
        let view = &self.access.view;
        let mut all = k.e.bool_const(true);
        let (mut first, mut most) = (k.index_const(0), k.index_const(0));
        for (at, &index) in self.access.indices.iter().enumerate() {
            let (size, stride) = (view.sizes[at], view.strides[at]);
            let below = k.e.test(reg, Op::ULessThan, &[index, size]);
            all = k.e.test(reg, Op::LogicalAnd, &[all, below]);
            let term = k.index_mul(index, stride);
            first = k.index_add(first, term);
            let less = k.index_const(-1);
            let last = k.index_add(size, less);
            let term = k.index_mul(last, stride);
            most = k.index_add(most, term);
        }
        // Neither sum wraps around: the first one is at most the second one where all is true, and
        // the begin of the last element is that far from the end of the memory at least.
        let room = k.e.on(reg, Op::ISub, &[most, first]);
        let extent = k.index_const(self.extent);
        let fits = k.e.test(reg, Op::SGreaterThanEqual, &[room, extent]);
        Some(k.e.test(reg, Op::LogicalAnd, &[all, fits]))
    }

    /// Emits the memory operands of an access from element `linear` on: pointer, layout, stride.
    fn operands(&self, k: &mut Kernel<'_>, op: OpId, linear: Word) -> Lowering<[Word; 3]> {
        let view = &self.access.view;
        let mut lead = self.lead;
        let pointer = match (view.encoding, view.base) {
            (Encoding::Packets, Base::Array(variable, _)) => {
                lead /= i64::from(halves::PACKET);
                let ty = halves::packet_type(k.e);
                let index = k.index_to_i32(linear);
                let number = halves::packet_number(k, index);
                k.e.access(StorageClass::Workgroup, ty, variable, &[number])
            }
            (Encoding::Halves, base) => halves::pointer(k, base, linear).1,
            (_, Base::Array(variable, _) | Base::Vectors(variable, _)) => {
                let ty = k.e.float_type(32);
                let index = k.index_to_i32(linear);
                k.e.access(StorageClass::Workgroup, ty, variable, &[index])
            }
            (_, Base::Buffer(variable)) => {
                let ty = k.e.float_type(32);
                let zero = k.e.splat_int(I32, 0);
                let index = k.index_to_i32(linear);
                let class = k.e.buffer_class;
                k.e.access(class, ty, variable, &[zero, index])
            }
        };
        let layout = match self.is_transposed {
            true => CooperativeMatrixLayout::ColumnMajorKHR,
            false => CooperativeMatrixLayout::RowMajorKHR,
        };
        let layout = k.e.u32_const(layout as u32);
        let Ok(lead) = u32::try_from(lead) else {
            return Err(k.malformed(op));
        };
        Ok([pointer, layout, k.e.u32_const(lead)])
    }
}

/// Loads a matrix.
pub(super) fn load(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let result = k.result(op)?;
    let lines = Lines::of(k, op, result, 0)?;
    let mut linear = memory::linear(k, &lines.access);
    if let Some(in_range) = lines.in_range(k, op, 0) {
        recorded(k, op, in_range, |_| ());
        let (reg, begin) = (k.index_reg(), k.index_const(0));
        linear = k.e.select(reg, in_range, linear, begin);
    }
    let [pointer, layout, stride] = lines.operands(k, op, linear)?;
    let ty = type_of(k, op, result)?;
    let mut operands = [pointer, layout, stride].map(Operand::IdRef).to_vec();
    operands.extend(k.e.memory_operands(pointer));
    let value = k.e.instruction(Op::CooperativeMatrixLoadKHR, ty, &operands);
    k.set(op, value)
}

/// Stores a matrix.
pub(super) fn store(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let value = k.operand(op, 0)?;
    let lines = Lines::of(k, op, value, 1)?;
    let word = k.word(op, 0)?;
    let linear = memory::linear(k, &lines.access);
    let store = |k: &mut Kernel<'_>| -> Lowering<()> {
        let [pointer, layout, stride] = lines.operands(k, op, linear)?;
        let mut operands = [pointer, word, layout, stride].map(Operand::IdRef).to_vec();
        operands.extend(k.e.memory_operands(pointer));
        k.e.statement(Op::CooperativeMatrixStoreKHR, &operands);
        Ok(())
    };
    match lines.in_range(k, op, 1) {
        None => store(k),
        Some(in_range) => recorded(k, op, in_range, store).0,
    }
}
