//! Types, constants and variables of a module.

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{BuiltIn, Capability, Decoration, Op, StorageClass, Word};

use super::{Emitter, Interface};
use crate::abi::DIGITS;
use crate::platform::SpirvVersion;

/// Scalar types of 1, 2, 4 … 64 bits, 0 where there is none yet. Nearly every instruction asks for
/// one, so that these cost no hash.
pub(super) type ScalarTypes = [Word; 7];

fn known_scalar(types: &ScalarTypes, bits: u32) -> Option<Word> {
    let known = *types.get(bits.trailing_zeros() as usize)?;
    (bits.is_power_of_two() && known != 0).then_some(known)
}

fn note_scalar(types: &mut ScalarTypes, bits: u32, id: Word) {
    let slot = types.get_mut(bits.trailing_zeros() as usize);
    if let Some(slot) = slot.filter(|_| bits.is_power_of_two()) {
        *slot = id;
    }
}

impl Emitter {
    /// A type or constant, made once; the flag says whether it was made now.
    pub(super) fn global(
        &mut self,
        op: Op,
        ty: Option<Word>,
        operands: Vec<Operand>,
    ) -> (Word, bool) {
        let key = Instruction::new(op, ty, None, operands);
        if let Some(&id) = self.globals.get(&key) {
            return (id, false);
        }
        let id = self.id();
        let mut inst = key.clone();
        inst.result_id = Some(id);
        self.module.types_global_values.push(inst);
        self.globals.insert(key, id);
        (id, true)
    }

    /// A type or constant whose operands are one or two words, made once. Most look-ups are of
    /// these, and their key takes no memory of its own.
    fn short_global(
        &mut self,
        op: Op,
        ty: Option<Word>,
        words: [u64; 2],
        operands: impl FnOnce() -> Vec<Operand>,
    ) -> Word {
        let key = (op, ty, words);
        if let Some(&id) = self.short_globals.get(&key) {
            return id;
        }
        let id = self.global(op, ty, operands()).0;
        self.short_globals.insert(key, id);
        id
    }

    /// A type of its own form, made once.
    pub(crate) fn global_type(&mut self, op: Op, operands: Vec<Operand>) -> Word {
        self.global(op, None, operands).0
    }

    pub(crate) fn void_type(&mut self) -> Word {
        self.global(Op::TypeVoid, None, vec![]).0
    }

    pub(crate) fn bool_type(&mut self) -> Word {
        self.global(Op::TypeBool, None, vec![]).0
    }

    pub(crate) fn int_type(&mut self, bits: u32, signed: bool) -> Word {
        if bits == 64 {
            self.capability(Capability::Int64);
        }
        let sign = u32::from(signed);
        if let Some(known) = known_scalar(&self.int_types[sign as usize], bits) {
            return known;
        }
        let id = self.short_global(Op::TypeInt, None, [bits.into(), sign.into()], || {
            [bits, sign].map(Operand::LiteralBit32).to_vec()
        });
        note_scalar(&mut self.int_types[sign as usize], bits, id);
        id
    }

    pub(crate) fn float_type(&mut self, bits: u32) -> Word {
        match bits {
            64 => {
                self.capability(Capability::Float64);
                self.floats.f64 = true;
            }
            16 => self.capability(Capability::Float16),
            _ => self.floats.f32 = true,
        }
        if let Some(known) = known_scalar(&self.float_types, bits) {
            return known;
        }
        let id = self.short_global(Op::TypeFloat, None, [bits.into(), 0], || {
            vec![Operand::LiteralBit32(bits)]
        });
        note_scalar(&mut self.float_types, bits, id);
        id
    }

    /// `lanes` of `element`; the element itself for one lane.
    pub(crate) fn vector_type(&mut self, element: Word, lanes: u32) -> Word {
        if lanes == 1 {
            return element;
        }
        self.short_global(Op::TypeVector, None, [element.into(), lanes.into()], || {
            vec![Operand::IdRef(element), Operand::LiteralBit32(lanes)]
        })
    }

    pub(crate) fn pointer_type(&mut self, class: StorageClass, to: Word) -> Word {
        self.short_global(Op::TypePointer, None, [class as u64, to.into()], || {
            vec![Operand::StorageClass(class), Operand::IdRef(to)]
        })
    }

    /// An array without explicit layout, for private and workgroup memory.
    pub(crate) fn array_type(&mut self, element: Word, length: u32) -> Word {
        let length = self.u32_const(length);
        let operands = vec![Operand::IdRef(element), Operand::IdRef(length)];
        self.global(Op::TypeArray, None, operands).0
    }

    /// The type of the table of digits in a parameter block, which no other array shares: it has a stride.
    pub(crate) fn digits_type(&mut self) -> Word {
        if let Some(id) = self.digits_type {
            return id;
        }
        let (word, length) = (self.int_type(32, false), self.u32_const(DIGITS));
        let operands = vec![Operand::IdRef(word), Operand::IdRef(length)];
        let id = self.id();
        let inst = Instruction::new(Op::TypeArray, None, Some(id), operands);
        self.module.types_global_values.push(inst);
        self.decorate(id, Decoration::ArrayStride, &[Operand::LiteralBit32(4)]);
        self.digits_type = Some(id);
        id
    }

    /// A runtime array with its stride, for storage buffers.
    pub(crate) fn runtime_array_type(&mut self, element: Word, stride: u32) -> Word {
        let operands = vec![Operand::IdRef(element)];
        let (id, new) = self.global(Op::TypeRuntimeArray, None, operands);
        if new {
            let stride = [Operand::LiteralBit32(stride)];
            self.decorate(id, Decoration::ArrayStride, &stride);
        }
        id
    }

    /// The variable of a resource, made once for all entry points that use an
    /// equal one: a module of many kernels has few variables, and what reads
    /// it need not look at all of them for each kernel.
    pub(crate) fn resource(&mut self, resource: Interface, name: &str) -> Word {
        if let Some(&variable) = self.interface.get(&resource) {
            return variable;
        }
        let block = self.block_type(&resource);
        let variable = self.global_variable(resource.class, block);
        if resource.read_only {
            // On the variable, not on the member: naga has one type for all
            // structures alike, and would mix up their decorations.
            self.decorate(variable, Decoration::NonWritable, &[]);
            self.read_only.insert(variable);
        }
        if let Some(binding) = resource.binding {
            self.bind(variable, binding);
        }
        self.name(variable, name);
        self.interface.insert(resource, variable);
        variable
    }

    /// The view of a buffer's variable as an array of `element`, vectors of `stride` bytes: a
    /// variable of the same binding. Both may be the same memory, so both are `Aliased`.
    pub(crate) fn aliased(&mut self, variable: Word, element: Word, stride: u32) -> Word {
        if let Some(view) = self.view_of_address(variable, element, stride) {
            return view;
        }
        if let Some(&view) = self.aliases.get(&(variable, element)) {
            return view;
        }
        let mut resources = self.interface.iter();
        let resource = resources.find(|&(_, &other)| other == variable);
        let Some(resource) = resource.map(|(resource, _)| resource.clone()) else {
            unreachable!("a buffer's variable is a resource")
        };
        let first = !self.aliases.keys().any(|&(other, _)| other == variable);
        if first {
            self.decorate(variable, Decoration::Aliased, &[]);
        }
        let array = self.runtime_array_type(element, stride);
        let binding = resource.binding.unwrap_or_default();
        let resource = Interface {
            members: vec![(array, 0)],
            ..resource
        };
        let view = self.resource(resource, &format!("buffer{binding}_vec{}", stride / 4));
        self.decorate(view, Decoration::Aliased, &[]);
        self.aliases.insert((variable, element), view);
        view
    }

    /// A new block structure with these members at these offsets. Structures
    /// are not shared: their decorations are part of the interface.
    pub(super) fn block_type(&mut self, resource: &Interface) -> Word {
        let id = self.id();
        let types = resource
            .members
            .iter()
            .map(|&(ty, _)| Operand::IdRef(ty))
            .collect();
        let inst = Instruction::new(Op::TypeStruct, None, Some(id), types);
        self.module.types_global_values.push(inst);
        let is_old = resource.is_buffer && resource.class == StorageClass::Uniform;
        let block = match is_old {
            true => Decoration::BufferBlock,
            false => Decoration::Block,
        };
        self.decorate(id, block, &[]);
        if resource.class == StorageClass::StorageBuffer {
            let extension = "SPV_KHR_storage_buffer_storage_class";
            self.extension_before(SpirvVersion::V1_3, extension);
        }
        for (member, &(_, offset)) in (0..).zip(&resource.members) {
            let operands = vec![
                Operand::IdRef(id),
                Operand::LiteralBit32(member),
                Operand::Decoration(Decoration::Offset),
                Operand::LiteralBit32(offset),
            ];
            let inst = Instruction::new(Op::MemberDecorate, None, None, operands);
            self.module.annotations.push(inst);
        }
        id
    }

    /// A module-scope variable.
    pub(crate) fn global_variable(&mut self, class: StorageClass, pointee: Word) -> Word {
        let ty = self.pointer_type(class, pointee);
        let id = self.id();
        let operands = vec![Operand::StorageClass(class)];
        let inst = Instruction::new(Op::Variable, Some(ty), Some(id), operands);
        self.module.types_global_values.push(inst);
        self.variables.insert(id);
        id
    }

    /// The input variable of a builtin, made once. All entry points of the
    /// module may list it in their interface.
    pub(crate) fn builtin(&mut self, builtin: BuiltIn, ty: Word) -> Word {
        if let Some(&id) = self.builtins.get(&builtin) {
            return id;
        }
        let id = self.global_variable(StorageClass::Input, ty);
        self.decorate(id, Decoration::BuiltIn, &[Operand::BuiltIn(builtin)]);
        self.builtins.insert(builtin, id);
        id
    }

    /// A scalar constant from its bits, `ty` being an integer or float type of
    /// `width` (32 or 64) bits.
    pub(crate) fn bits_const(&mut self, ty: Word, width: u32, bits: u64) -> Word {
        let bits = if width == 64 {
            bits
        } else {
            bits & 0xffff_ffff
        };
        self.short_global(Op::Constant, Some(ty), [bits, 0], || {
            vec![match width {
                64 => Operand::LiteralBit64(bits),
                _ => Operand::LiteralBit32(bits as u32),
            }]
        })
    }

    /// A signed or unsigned integer constant; `value` is taken modulo the width.
    pub(crate) fn int_const(&mut self, bits: u32, signed: bool, value: i64) -> Word {
        let ty = self.int_type(bits, signed);
        let id = self.bits_const(ty, bits, value as u64);
        let value = if bits == 32 {
            i64::from(value as i32)
        } else {
            value
        };
        self.constants.insert(id, value);
        id
    }

    pub(crate) fn u32_const(&mut self, value: u32) -> Word {
        self.int_const(32, false, value.into())
    }

    pub(crate) fn bool_const(&mut self, value: bool) -> Word {
        let ty = self.bool_type();
        let op = if value {
            Op::ConstantTrue
        } else {
            Op::ConstantFalse
        };
        self.global(op, Some(ty), vec![]).0
    }

    /// A constant vector; the part itself when there is one.
    pub(crate) fn composite_const(&mut self, ty: Word, parts: &[Word]) -> Word {
        match parts {
            [one] => *one,
            _ => {
                let operands = parts.iter().map(|&p| Operand::IdRef(p)).collect();
                self.global(Op::ConstantComposite, Some(ty), operands).0
            }
        }
    }

    /// The value of an integer constant made here, sign-extended from its width.
    pub(crate) fn constant_value(&self, id: Word) -> Option<i64> {
        self.constants.get(&id).copied()
    }
}
