//! Buffers by device address: pointers made of integers, in place of variables with a binding.

use gridloom_ir::hash::FxHashMap;
use rspirv::spirv::{AddressingModel, Capability, MemoryModel, Op, StorageClass, Word};

use super::{Emitter, Interface, memory_model};
use crate::platform::SpirvVersion;

/// Pointers to buffers that have no variable.
#[derive(Default)]
pub(super) struct Addresses {
    /// Whether the module has physical addresses.
    enabled: bool,
    /// The integer that each pointer to a whole buffer is made of.
    of_buffers: FxHashMap<Word, Word>,
    /// Block types by the array in them and its stride.
    blocks: FxHashMap<Word, Word>,
    /// Alignments in bytes of pointers to elements, which every access has to state.
    alignments: FxHashMap<Word, u32>,
}

impl Addresses {
    /// The alignment of a pointer to an element of such a buffer.
    pub(super) fn alignment(&self, pointer: Word) -> Option<u32> {
        self.alignments.get(&pointer).copied()
    }
}

impl Emitter {
    /// Declares physical addresses of storage buffers.
    pub(crate) fn use_addresses(&mut self) {
        self.addresses.enabled = true;
        self.capability(Capability::PhysicalStorageBufferAddresses);
        self.extension_before(SpirvVersion::V1_5, "SPV_KHR_physical_storage_buffer");
        let model = AddressingModel::PhysicalStorageBuffer64;
        self.module.memory_model = Some(memory_model(model, MemoryModel::GLSL450));
    }

    /// Whether buffers are reached by their addresses.
    pub(crate) fn has_addresses(&self) -> bool {
        self.addresses.enabled
    }

    /// The pointer to a buffer of `element`s, `stride` bytes each, at an address in the open block.
    pub(crate) fn buffer_at(&mut self, address: Word, element: Word, stride: u32) -> Word {
        let array = self.runtime_array_type(element, stride);
        let block = match self.addresses.blocks.get(&array) {
            Some(&block) => block,
            None => {
                let block = self.block_type(&Interface {
                    class: StorageClass::PhysicalStorageBuffer,
                    is_buffer: true,
                    members: vec![(array, 0)],
                    binding: None,
                    read_only: false,
                });
                self.addresses.blocks.insert(array, block);
                block
            }
        };
        let ty = self.pointer_type(StorageClass::PhysicalStorageBuffer, block);
        let pointer = self.op(Op::Bitcast, ty, &[address]);
        self.addresses.of_buffers.insert(pointer, address);
        pointer
    }

    /// The storage class of a buffer.
    fn class_of_buffer(&self, buffer: Word) -> StorageClass {
        match self.addresses.of_buffers.contains_key(&buffer) {
            true => StorageClass::PhysicalStorageBuffer,
            false => self.buffer_class,
        }
    }

    /// The view of a buffer by address as an array of `element`; `None` for a variable.
    pub(super) fn view_of_address(
        &mut self,
        buffer: Word,
        element: Word,
        stride: u32,
    ) -> Option<Word> {
        let address = *self.addresses.of_buffers.get(&buffer)?;
        Some(self.buffer_at(address, element, stride))
    }

    /// The integer that the pointer to a buffer is made of; `None` for a variable.
    pub(crate) fn address_of(&self, buffer: Word) -> Option<Word> {
        self.addresses.of_buffers.get(&buffer).copied()
    }

    /// The pointer to an element of `bytes` bytes at an address.
    pub(crate) fn element_at(&mut self, address: Word, (ty, bytes): (Word, u32)) -> Word {
        let ty = self.pointer_type(StorageClass::PhysicalStorageBuffer, ty);
        let pointer = self.op(Op::Bitcast, ty, &[address]);
        self.addresses.alignments.insert(pointer, bytes);
        pointer
    }

    /// A pointer to element `index`, of `bytes` bytes, of a buffer.
    pub(crate) fn buffer_element(
        &mut self,
        buffer: Word,
        (ty, bytes): (Word, u32),
        index: Word,
    ) -> Word {
        let class = self.class_of_buffer(buffer);
        let zero = self.int_const(32, true, 0);
        let pointer = self.access(class, ty, buffer, &[zero, index]);
        if class == StorageClass::PhysicalStorageBuffer {
            self.addresses.alignments.insert(pointer, bytes);
        }
        pointer
    }
}
