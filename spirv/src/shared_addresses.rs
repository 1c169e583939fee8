//! Addresses of elements a constant apart: one address that they share, and a constant of 64 bits for each.
//!
//! A driver that loads once for all lanes makes a vector load of loads whose addresses it sees to differ by the size of an element.
//! Of indices of 32 bits, which are extended first, it does not see that.

use gridloom_dialects::arith;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{OpId, OpName};
use rspirv::spirv::{Op, Word};

use crate::access::Access;
use crate::kernel::Kernel;
use crate::memory::{Base, Encoding, buffer_lane, linear};
use crate::types;

/// Indices as sums with constants, and the addresses without these.
#[derive(Default)]
pub(crate) struct SharedAddresses {
    /// Sums of another index and a constant.
    sums: FxHashMap<Word, (Word, i64)>,
    /// Addresses by the buffer, and by the offset, the strides and the indices, each computed where it dominates the place where
    /// code is being emitted.
    of: FxHashMap<Key, Word>,
    /// The keys of these, in the order in which they were computed.
    order: Vec<Key>,
}

/// A buffer, and an offset, strides and indices in it.
type Key = (Word, Vec<Word>);

impl SharedAddresses {
    /// The number of addresses known here.
    pub(crate) fn count(&self) -> usize {
        self.order.len()
    }

    /// Forgets all but the first addresses: the others were computed in code that does not always run.
    pub(crate) fn keep_first(&mut self, count: usize) {
        for key in self.order.drain(count.min(self.order.len())..) {
            self.of.remove(&key);
        }
    }
}

impl Kernel<'_> {
    /// Notes that an operation just lowered adds a constant to an index.
    pub(crate) fn note_constant_sum(&mut self, op: OpId, name: OpName) {
        if name != arith::ADDI || self.known.uniform_ids.is_none() {
            return;
        }
        let (Ok(a), Ok(b), Ok(result)) = (self.word(op, 0), self.word(op, 1), self.result(op))
        else {
            return;
        };
        let Ok(sum) = self.value_word(op, result) else {
            return;
        };
        let (base, constant) = match (self.e.constant_value(a), self.e.constant_value(b)) {
            (None, Some(constant)) => (a, constant),
            (Some(constant), None) => (b, constant),
            _ => return,
        };
        let (base, more) = self
            .shared_addresses
            .sums
            .get(&base)
            .copied()
            .unwrap_or((base, 0));
        self.shared_addresses
            .sums
            .insert(sum, (base, constant.wrapping_add(more)));
    }

    /// Whether [`Kernel::shared_pointer`] has a pointer to an element.
    pub(crate) fn has_shared_pointer(&self, access: &Access) -> bool {
        let view = &access.view;
        let is_plain = matches!(
            view.encoding,
            Encoding::Plain | Encoding::Words | Encoding::Packed
        );
        let is_scalar = is_plain && view.element.lanes == 1;
        let is_by_address =
            matches!(view.base, Base::Buffer(buffer) if self.e.address_of(buffer).is_some());
        self.known.uniform_ids.is_some() && self.is_in_own_block() && is_scalar && is_by_address
    }

    /// The pointer to an element in the kernel's own block, with the type pointed to; `None` where it has no address of its own.
    pub(crate) fn shared_pointer(&mut self, access: &Access) -> Option<(Word, Word)> {
        let view = &access.view;
        if !self.has_shared_pointer(access) {
            return None;
        }
        let Base::Buffer(buffer) = view.base else {
            return None;
        };
        let address = self.e.address_of(buffer)?;
        let (ty, bytes) = buffer_lane(self, view);
        let (indices, offset) = self.without_constants(access);
        let access = Access {
            indices,
            ..access.clone()
        };
        let base = self.shared_address(&access, (buffer, address), bytes);
        let long = types::int(64);
        let offset = self.e.splat_int(long, offset.wrapping_mul(bytes.into()));
        let there = self.e.on(long, Op::IAdd, &[base, offset]);
        Some((ty, self.e.element_at(there, (ty, bytes))))
    }

    /// The indices of an access without the constants that they add, and what these amount to, in elements. An index along a
    /// stride that is a parameter stays whole.
    fn without_constants(&mut self, access: &Access) -> (Vec<Word>, i64) {
        let mut offset = 0i64;
        let indices = access.indices.iter().zip(&access.view.strides);
        let indices = indices.map(|(&index, &stride)| {
            let Some(stride) = self.e.constant_value(stride) else {
                return index;
            };
            let (base, constant) = match self.e.constant_value(index) {
                Some(constant) => (self.index_const(0), constant),
                None => self
                    .shared_addresses
                    .sums
                    .get(&index)
                    .copied()
                    .unwrap_or((index, 0)),
            };
            offset = offset.wrapping_add(constant.wrapping_mul(stride));
            base
        });
        (indices.collect(), offset)
    }

    /// The address of an access to a buffer at `address` whose elements have so many bytes.
    fn shared_address(
        &mut self,
        access: &Access,
        (buffer, address): (Word, Word),
        bytes: u32,
    ) -> Word {
        let view = &access.view;
        let place = [view.offset]
            .into_iter()
            .chain(view.strides.iter().copied());
        let key = (
            buffer,
            place.chain(access.indices.iter().copied()).collect(),
        );
        if let Some(&base) = self.shared_addresses.of.get(&key) {
            return base;
        }
        let linear = linear(self, access);
        let long = types::int(64);
        let wide = match self.index_reg() == long {
            true => linear,
            false => self.e.on(long, Op::SConvert, &[linear]),
        };
        let size = self.e.splat_int(long, bytes.into());
        let wide = self.e.on(long, Op::IMul, &[wide, size]);
        let base = self.e.on(long, Op::IAdd, &[address, wide]);
        self.shared_addresses.order.push(key.clone());
        self.shared_addresses.of.insert(key, base);
        base
    }
}
