//! Kernel ABI: the bindings, element formats, parameter block and fault buffer that a kernel and
//! its launcher agree on.
//!
//! Everything lies in descriptor set 0:
//!
//! | binding | what |
//! |---|---|
//! | `i` | the `i`-th memref argument, a storage buffer: a runtime array of device elements |
//! | number of memrefs | the parameter block, if it is a uniform buffer |
//! | the next one | the fault buffer, if some access is guarded or something is asserted |
//!
//! **Device elements** ([`DeviceElement`]): `f32`, `f64` and integers of
//! exactly 32 and 64 bits as they are; any other integer of fewer than 32
//! bits as one 32-bit word, sign-extended (`i1`: 0 or 1), of 33 to 63 bits as
//! one 64-bit word, sign-extended; `index` as an integer of the kernel's
//! index width; a float of fewer than 32 bits as a 32-bit word with the bits
//! zero-extended. The lanes of a vector follow each other. The host widens
//! and narrows when it uploads and downloads.
//!
//! **Packed elements**: where the target has 8- or 16-bit storage
//! ([`Features::storage8`](crate::Features::storage8)), elements of fewer than 32 bits take one or two
//! bytes each in a storage buffer, as on the host ([`BufferBinding::packed`]): integers
//! zero-extended, `i1` by its low bit. So do those of `f16` buffers in a kernel with cooperative matrices.
//!
//! **Views as vectors**: a buffer may be declared a second and third time at its binding, as an
//! array of `vec2` or `vec4` of device elements, where accesses of several elements are proved
//! aligned; all declarations are `Aliased` then. Such an access touches elements in range only,
//! so nobody who binds the buffer need know of it.
//!
//! **Parameter block** ([`ParamBlock`]): one member for every scalar argument
//! and every dynamic size, stride and offset of a memref argument, in
//! argument order (for a memref: offset, sizes, strides), at its natural
//! alignment, encoded like a device element. Sizes, strides and offsets count
//! elements. Memref arguments of static shape and layout have none.
//!
//! **Addresses**: where the target asks for them ([`TargetEnv::addresses`](crate::TargetEnv::addresses)),
//! the kernel reaches its buffers by their device addresses, which are members of the parameter block
//! behind each buffer's first argument ([`ParamSource::Address`]). A buffer that views in the kernel
//! may leave, such as subviews, has none. All buffers are bound, so that the launcher's API knows of them.
//!
//! **Fault buffer**: four 32-bit words, zeroed by the host before the launch.
//! Word 0 becomes the number, plus one, of some site that faulted
//! ([`KernelAbi::fault_sites`] says where it is); word 1 counts the faults,
//! modulo 2^32; words 2 and 3 stay 0.

use gridloom_ir::Loc;
use gridloom_ir::scalar::{FloatFormat, ScalarKind};
use gridloom_ir::types::FloatKind;

use crate::target::ParamsClass;

/// The format of one scalar on the device.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ElementKind {
    /// Boolean: a 32-bit word, 0 or 1.
    Bool,
    /// An integer of this width (2 to 64 bits), sign-extended to 4 or 8 bytes. `index` is one of 32
    /// or 64 bits.
    Int(u32),
    /// A float of fewer than 32 bits: a 32-bit word with its bits, zero-extended.
    Narrow(FloatKind),
    /// Single precision.
    F32,
    /// Double precision.
    F64,
}

impl ElementKind {
    /// Element kind of a float type that programs compute with.
    pub fn of_float(ty: FloatKind) -> Option<ElementKind> {
        let format = FloatFormat::of(ty)?;
        match format.kind {
            ScalarKind::F32 => Some(ElementKind::F32),
            ScalarKind::F64 => Some(ElementKind::F64),
            _ => format.is_narrow().then_some(ElementKind::Narrow(ty)),
        }
    }

    /// The format of a float; `None` for integers.
    pub fn float_format(self) -> Option<&'static FloatFormat> {
        match self {
            ElementKind::Bool | ElementKind::Int(_) => None,
            ElementKind::Narrow(ty) => FloatFormat::of(ty),
            ElementKind::F32 => ScalarKind::F32.float_format(),
            ElementKind::F64 => ScalarKind::F64.float_format(),
        }
    }

    /// Name of the scalar type: `i1`, `i12`, `bf16`.
    pub fn type_name(self) -> String {
        match (self, self.float_format()) {
            (_, Some(format)) => format.ty.keyword().to_owned(),
            (ElementKind::Int(bits), None) => format!("i{bits}"),
            (_, None) => "i1".to_owned(),
        }
    }

    /// Whether this is a float of fewer than 32 bits, which registers hold as an `f32`.
    pub fn is_narrow_float(self) -> bool {
        self.narrow_format().is_some()
    }

    /// The format of a float of fewer than 32 bits; `None` for every other kind.
    pub fn narrow_format(self) -> Option<&'static FloatFormat> {
        match self {
            ElementKind::Narrow(ty) => FloatFormat::of(ty),
            _ => None,
        }
    }

    /// Size in bytes in a packed buffer, which is that on the host: the width rounded up to a power of two bytes.
    pub fn packed_bytes(self) -> u32 {
        let bits = match self {
            ElementKind::Bool => 1,
            ElementKind::Int(bits) => bits,
            ElementKind::Narrow(ty) => ty.width(),
            ElementKind::F32 => 32,
            ElementKind::F64 => 64,
        };
        bits.div_ceil(8).next_power_of_two()
    }

    /// Size in bytes on the device, but for packed buffers.
    pub fn bytes(self) -> u32 {
        match self {
            ElementKind::F64 => 8,
            ElementKind::Int(bits) if bits > 32 => 8,
            _ => 4,
        }
    }
}

/// The format of one memref element on the device.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DeviceElement {
    /// The format of a lane.
    pub kind: ElementKind,
    /// Lanes that follow each other; 1 for a scalar.
    pub lanes: u32,
}

impl DeviceElement {
    /// Size in bytes on the device.
    pub fn bytes(self) -> u32 {
        self.kind.bytes() * self.lanes
    }
}

/// A storage buffer that a memref argument is bound to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BufferBinding {
    /// The number of the argument, counting all of the kernel.
    pub arg: u32,
    /// Binding number in set 0.
    pub binding: u32,
    /// The element type of the buffer.
    pub element: DeviceElement,
    /// Whether the elements take one or two bytes each, as on the host, and no words.
    pub packed: bool,
    /// The size in bytes up to the last element, where the argument's type
    /// says it: accesses proved in range rely on it. 0 for dynamic shapes.
    pub min_bytes: u64,
    /// Whether the kernel never writes to the buffer. Read-only buffers are declared so in the
    /// module, and must be bound so where naga translates it.
    pub read_only: bool,
}

impl BufferBinding {
    /// Size of an element in bytes on the device.
    pub fn element_bytes(self) -> u32 {
        element_bytes(self.element, self.packed)
    }
}

/// Size of an element in bytes on the device.
pub(crate) fn element_bytes(element: DeviceElement, packed: bool) -> u32 {
    match packed {
        true => element.kind.packed_bytes(),
        false => element.bytes(),
    }
}

/// Source of a member of the parameter block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ParamSource {
    /// The value of scalar argument `arg`.
    Scalar {
        /// Argument number.
        arg: u32,
    },
    /// The offset of memref argument `arg`.
    Offset {
        /// Argument number.
        arg: u32,
    },
    /// A size of memref argument `arg`.
    Size {
        /// Argument number.
        arg: u32,
        /// Dimension.
        dim: u32,
    },
    /// A stride of memref argument `arg`.
    Stride {
        /// Argument number.
        arg: u32,
        /// Dimension.
        dim: u32,
    },
    /// The device address of the buffer that is bound for memref argument `arg`.
    Address {
        /// Argument number.
        arg: u32,
    },
    /// This number, in the table by which workgroup ids become parameters
    /// ([`Specialization::uniform_ids`](crate::Specialization::uniform_ids)).
    Digit {
        /// The number.
        value: u32,
    },
}

/// Number of the entries of that table, whose members follow each other: the base of the digits.
pub const DIGITS: u32 = 16;

/// A member of the parameter block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Param {
    /// Byte offset in the block.
    pub offset: u32,
    /// Format.
    pub kind: ElementKind,
    /// The source of the member's value.
    pub source: ParamSource,
}

/// The parameter block.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ParamBlock {
    /// The storage class of the block.
    pub class: ParamsClass,
    /// Binding number, if it is a uniform buffer.
    pub binding: Option<u32>,
    /// Size in bytes: a multiple of 4 for immediates, of 16 for a uniform
    /// buffer; 0 when the kernel has no parameters, and then there is no block.
    pub size: u32,
    /// Members by rising offset.
    pub members: Vec<Param>,
}

/// Kernel ABI: all that a launch supplies.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct KernelAbi {
    /// Storage buffers by binding number.
    pub buffers: Vec<BufferBinding>,
    /// The parameter block.
    pub params: ParamBlock,
    /// Binding of the fault buffer, if some access is guarded or something is asserted.
    pub fault_binding: Option<u32>,
    /// The guarded accesses and the assertions, by site number.
    pub fault_sites: Vec<FaultSite>,
}

/// An operation that may record a fault.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FaultSite {
    /// The source location of the operation.
    pub loc: Loc,
    /// The message of a `cf.assert`; `None` is an access out of range.
    pub assertion: Option<String>,
}

/// Layout of the parameter block: assigns offsets.
#[derive(Clone, Default, Debug)]
pub(crate) struct ParamLayout {
    end: u32,
    pub(crate) members: Vec<Param>,
}

impl ParamLayout {
    /// Appends a member.
    pub(crate) fn add(&mut self, kind: ElementKind, source: ParamSource) {
        let offset = self.end.next_multiple_of(kind.bytes());
        self.end = offset + kind.bytes();
        self.members.push(Param {
            offset,
            kind,
            source,
        });
    }

    /// Size in bytes so far.
    pub(crate) fn size(&self) -> u32 {
        self.end
    }

    /// Storage class of the block: `wanted`, but a uniform buffer where the members exceed
    /// `immediate_bytes`.
    pub(crate) fn class(&self, wanted: ParamsClass, immediate_bytes: u32) -> ParamsClass {
        match wanted {
            ParamsClass::Immediates if self.end <= immediate_bytes => ParamsClass::Immediates,
            _ => ParamsClass::Uniform,
        }
    }

    /// Finishes the block: pads its size, and gives a uniform buffer its `binding`.
    pub(crate) fn finish(self, class: ParamsClass, binding: u32) -> ParamBlock {
        let (binding, unit) = match class {
            ParamsClass::Immediates => (None, 4),
            ParamsClass::Uniform => (Some(binding), 16),
        };
        ParamBlock {
            class,
            binding: binding.filter(|_| !self.members.is_empty()),
            size: self.end.next_multiple_of(unit),
            members: self.members,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_naturally_aligned() {
        let mut layout = ParamLayout::default();
        let source = |arg| ParamSource::Scalar { arg };
        layout.add(ElementKind::Bool, source(0));
        layout.add(ElementKind::F64, source(1));
        layout.add(ElementKind::Int(16), source(2));
        let block = layout.finish(ParamsClass::Uniform, 5);
        let offsets: Vec<u32> = block.members.iter().map(|m| m.offset).collect();
        assert_eq!(offsets, [0, 8, 16]);
        assert_eq!((block.size, block.binding), (32, Some(5)));
        let empty = ParamLayout::default().finish(ParamsClass::Uniform, 5);
        assert_eq!((empty.size, empty.binding), (0, None));
    }
}
