//! Accesses of elements and their guards.
//!
//! An access that carries `gridloom.inbounds` is emitted as it is. Any other is guarded: each index
//! that the flag does not name is compared with its size, unsigned, so that negative ones fail too.
//! A load outside gives 0, a store outside does nothing, and both record their site. A bounds test
//! made earlier in the same block, or in one around it, is neither emitted nor recorded again.

use gridloom_dialects::gridloom;
use gridloom_ir::OpId;
use rspirv::spirv::{Op, Word};

use crate::faults::Test;
use crate::kernel::{Kernel, Lowering};
use crate::memory::{MemRef, read, write};
use crate::target::Bounds;
use crate::types::Reg;

/// Element access: a view, and for each dimension an index and whether it is known to be in range.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) view: MemRef,
    pub(crate) indices: Vec<Word>,
    pub(crate) in_bounds: Vec<bool>,
}

impl Access {
    /// The access of `op`, whose operand `first` is the memref and the indices follow.
    pub(crate) fn of(k: &mut Kernel<'_>, op: OpId, first: usize) -> Lowering<Access> {
        let end = k.body[op].operands.len();
        Access::between(k, op, first, end)
    }

    /// The access whose indices end before operand `end`.
    pub(crate) fn between(
        k: &mut Kernel<'_>,
        op: OpId,
        first: usize,
        end: usize,
    ) -> Lowering<Access> {
        let source = k.operand(op, first)?;
        let view = k.view(op, source)?;
        let operands = k.body[op].operands.get(first + 1..end);
        let operands = operands.ok_or_else(|| k.malformed(op))?;
        let indices: Vec<Word> = operands
            .iter()
            .map(|&index| k.value_word(op, index))
            .collect::<Lowering<_>>()?;
        if indices.len() != view.sizes.len() {
            return Err(k.malformed(op));
        }
        let rank = indices.len();
        let in_bounds = match k.env.bounds {
            Bounds::Off => vec![true; rank],
            Bounds::Guarded if k.unproved.contains(&view.base) => vec![false; rank],
            Bounds::Guarded => gridloom::in_bounds_dimensions(k.ctx, &k.body[op], rank),
        };
        Ok(Access {
            view,
            indices,
            in_bounds,
        })
    }

    /// Whether some index needs a bounds guard.
    pub(crate) fn is_guarded(&self) -> bool {
        self.in_bounds.contains(&false)
    }

    /// The condition that every index is in range; `None` when it always is.
    pub(crate) fn in_range(&self, k: &mut Kernel<'_>) -> Option<Word> {
        self.in_range_from(k, 0)
    }

    /// As [`Access::in_range`], of the last index alone.
    pub(crate) fn last_in_range(&self, k: &mut Kernel<'_>) -> Option<Word> {
        self.in_range_from(k, self.indices.len().saturating_sub(1))
    }

    fn in_range_from(&self, k: &mut Kernel<'_>, first: usize) -> Option<Word> {
        let reg = k.index_reg();
        let mut all = None;
        for dim in first..self.indices.len() {
            if self.in_bounds[dim] {
                continue;
            }
            let (index, size) = (self.indices[dim], self.view.sizes[dim]);
            let constants = (k.e.constant_value(index), k.e.constant_value(size));
            if matches!(constants, (Some(index), Some(size)) if (0..size).contains(&index)) {
                continue;
            }
            let one = k.e.test(reg, Op::ULessThan, &[index, size]);
            all = Some(match all {
                Some(others) => k.e.test(reg, Op::LogicalAnd, &[others, one]),
                None => one,
            });
        }
        all
    }

    /// The access of the element `lane` further along the last dimension.
    pub(crate) fn element(&self, k: &mut Kernel<'_>, lane: u32) -> Access {
        let mut access = self.clone();
        if let Some(last) = access.indices.last_mut() {
            let lane = k.index_const(lane.into());
            *last = k.index_add(*last, lane);
        }
        access
    }

    /// The element, or 0 where it is out of range.
    pub(crate) fn read_or_zero(&self, k: &mut Kernel<'_>) -> Word {
        self.guarded_read(k, None)
    }

    /// As [`Access::read_or_zero`]; records an out-of-range access as a fault of `op`.
    pub(crate) fn read_recorded(&self, k: &mut Kernel<'_>, op: OpId) -> Word {
        self.guarded_read(k, Some(op))
    }

    fn guarded_read(&self, k: &mut Kernel<'_>, fault: Option<OpId>) -> Word {
        let guard = self.enter(k);
        let value = read(k, self);
        match guard {
            Some(guard) => guard.leave_with(k, fault, self.view.element, value),
            None => value,
        }
    }

    /// Opens the selection of a guarded access; what is emitted next runs in range.
    pub(crate) fn enter(&self, k: &mut Kernel<'_>) -> Option<Guard> {
        if !self.is_guarded() {
            return None;
        }
        let known = k.faults.tested(&self.indices, &self.view.sizes);
        let in_range = match known {
            Some(in_range) => in_range,
            None => self.in_range(k)?,
        };
        let [inside, outside, merge] = [(); 3].map(|()| k.e.id());
        k.e.selection_merge(merge);
        k.e.branch_if(in_range, inside, outside);
        k.e.begin_block(inside);
        Some(Guard {
            outside,
            merge,
            addresses: k.shared_addresses.count(),
            test: known.is_none().then(|| Test {
                indices: self.indices.clone(),
                sizes: self.view.sizes.clone(),
                in_range,
            }),
        })
    }

    /// Writes the element, if it is in range.
    pub(crate) fn write_if_inside(&self, k: &mut Kernel<'_>, value: Word) {
        self.guarded_write(k, None, value);
    }

    /// As [`Access::write_if_inside`]; records an out-of-range access as a fault of `op`.
    pub(crate) fn write_recorded(&self, k: &mut Kernel<'_>, op: OpId, value: Word) {
        self.guarded_write(k, Some(op), value);
    }

    fn guarded_write(&self, k: &mut Kernel<'_>, fault: Option<OpId>, value: Word) {
        let guard = self.enter(k);
        write(k, self, value);
        if let Some(guard) = guard {
            guard.leave(k, fault);
        }
    }
}

/// The selection around a guarded access, open where the index is in range.
pub(crate) struct Guard {
    outside: Word,
    merge: Word,
    /// The number of shared addresses that are known outside.
    addresses: usize,
    /// The bounds test that this guard emitted; `None` where an earlier access made the same test.
    test: Option<Test>,
}

impl Guard {
    /// Closes the selection. Out of range is a fault of `fault`.
    pub(crate) fn leave(mut self, k: &mut Kernel<'_>, fault: Option<OpId>) {
        self.begin_outside(k, fault);
        k.e.branch(self.merge);
        k.e.begin_block(self.merge);
    }

    /// As [`Guard::leave`]; gives `value`, or 0 out of range.
    pub(crate) fn leave_with(
        mut self,
        k: &mut Kernel<'_>,
        fault: Option<OpId>,
        reg: Reg,
        value: Word,
    ) -> Word {
        let inside = self.begin_outside(k, fault);
        // A zero that is hidden from the driver is computed here.
        let (ty, zero) = (k.e.machine(reg), k.e.zero(reg));
        let outside = k.e.current_block();
        k.e.branch(self.merge);
        k.e.begin_block(self.merge);
        k.e.phi(ty, &[(value, inside), (zero, outside)])
    }

    /// Ends the in-range block, whose label it returns, and opens the out-of-range block, which
    /// records the fault.
    fn begin_outside(&mut self, k: &mut Kernel<'_>, fault: Option<OpId>) -> Word {
        let inside = k.e.current_block();
        k.e.branch(self.merge);
        k.shared_addresses.keep_first(self.addresses);
        k.e.begin_block(self.outside);
        if let (Some(op), Some(test)) = (fault, self.test.take()) {
            k.record_out_of_range(op);
            k.faults.note(test);
        }
        inside
    }
}

pub(crate) fn load(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let access = Access::of(k, op, 0)?;
    let value = access.read_recorded(k, op);
    k.set(op, value)
}

pub(crate) fn store(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let value = k.word(op, 0)?;
    let access = Access::of(k, op, 1)?;
    access.write_recorded(k, op, value);
    Ok(())
}
