//! Representation of values in registers and in storage buffers.
//!
//! A register holds an integer of any width sign-extended to 32 or 64 bits
//! (the *canonical* form; every operation re-establishes it), an `i1` as a
//! SPIR-V boolean, and `f16`/`bf16` as an `f32` that the narrow format
//! represents exactly. Integers are signed in SPIR-V: it costs nothing
//! natively and makes translations readable; unsigned operations bitcast.

use gridloom_ir::types::Signedness;
use gridloom_ir::{Context, Type, TypeKind};
use rspirv::spirv::{Decoration, Op, Word};

use crate::abi::{DeviceElement, ElementKind};
use crate::emit::Emitter;
use crate::target::{Features, IndexWidth};

/// Type of a register: a scalar or a short vector.
pub(crate) type Reg = DeviceElement;

/// The boolean register.
pub(crate) const BOOL: Reg = scalar(ElementKind::Bool);
/// The `f32` register.
pub(crate) const F32: Reg = scalar(ElementKind::F32);
/// The `i32` register.
pub(crate) const I32: Reg = int(32);

/// A register of one lane.
pub(crate) const fn scalar(kind: ElementKind) -> Reg {
    Reg { kind, lanes: 1 }
}

/// An integer register.
pub(crate) const fn int(bits: u32) -> Reg {
    scalar(ElementKind::Int(bits))
}

impl DeviceElement {
    /// Returns a register with the same number of lanes of another kind.
    pub(crate) fn with(self, kind: ElementKind) -> Reg {
        Reg { kind, ..self }
    }

    /// The width of the integers this register holds, `i1` included.
    pub(crate) fn int_bits(self) -> Option<u32> {
        match self.kind {
            ElementKind::Bool => Some(1),
            ElementKind::Int(bits) => Some(bits),
            _ => None,
        }
    }

    /// Whether this holds floats of any format.
    pub(crate) fn is_float(self) -> bool {
        self.int_bits().is_none()
    }

    /// The width of the SPIR-V scalar that holds a lane; 32 for booleans too.
    pub(crate) fn machine_bits(self) -> u32 {
        match self.kind {
            ElementKind::F64 => 64,
            ElementKind::Int(bits) if bits > 32 => 64,
            _ => 32,
        }
    }

    /// Device features that a register of this type needs.
    pub(crate) fn features(self) -> Features {
        Features {
            f64: self.kind == ElementKind::F64,
            i64: self.int_bits().is_some_and(|bits| bits > 32),
            ..Features::default()
        }
    }
}

/// The register for a value of type `ty`; `None` where there is none.
pub(crate) fn register(ctx: &Context, index: IndexWidth, ty: Type) -> Option<Reg> {
    if let TypeKind::Vector {
        shape,
        scalable,
        element,
    } = ty.kind(ctx)
    {
        let lanes = match (&shape[..], &scalable[..]) {
            (&[lanes @ 1..=4], [false] | []) => lanes as u32,
            _ => return None,
        };
        let kind = scalar_kind(ctx, index, *element)?;
        return Some(Reg { kind, lanes });
    }
    scalar_kind(ctx, index, ty).map(scalar)
}

fn scalar_kind(ctx: &Context, index: IndexWidth, ty: Type) -> Option<ElementKind> {
    Some(match ty.kind(ctx) {
        TypeKind::Index => ElementKind::Int(index.bits()),
        TypeKind::Integer {
            width,
            signedness: Signedness::Signless,
        } => match width {
            1 => ElementKind::Bool,
            2..=64 => ElementKind::Int(*width),
            _ => return None,
        },
        TypeKind::Float(kind) => ElementKind::of_float(*kind)?,
        _ => return None,
    })
}

/// Types and constants of registers.
impl Emitter {
    /// The SPIR-V type of a register.
    pub(crate) fn machine(&mut self, reg: Reg) -> Word {
        let element = match reg.kind {
            ElementKind::Bool => self.bool_type(),
            ElementKind::Int(_) => self.int_type(reg.machine_bits(), true),
            ElementKind::F64 => self.float_type(64),
            _ => self.float_type(32),
        };
        self.vector_type(element, reg.lanes)
    }

    /// The unsigned SPIR-V type as wide as a register of integers or floats.
    pub(crate) fn unsigned(&mut self, reg: Reg) -> Word {
        let element = self.int_type(reg.machine_bits(), false);
        self.vector_type(element, reg.lanes)
    }

    /// The SPIR-V type of one lane in a storage buffer or the parameter block.
    pub(crate) fn stored(&mut self, kind: ElementKind) -> Word {
        match kind {
            ElementKind::F32 => self.float_type(32),
            ElementKind::F64 => self.float_type(64),
            kind => self.int_type(kind.bytes() * 8, true),
        }
    }

    /// An integer in every lane of a register of integers.
    pub(crate) fn splat_int(&mut self, reg: Reg, value: i64) -> Word {
        let one = match reg.kind {
            ElementKind::Bool => self.bool_const(value != 0),
            _ => self.int_const(reg.machine_bits(), true, value),
        };
        self.splat(reg, one)
    }

    /// An unsigned integer in every lane, as wide as the register.
    pub(crate) fn splat_unsigned(&mut self, reg: Reg, value: u64) -> Word {
        let one = self.int_const(reg.machine_bits(), false, value as i64);
        let ty = self.unsigned(reg);
        self.composite_const(ty, &vec![one; reg.lanes as usize])
    }

    /// A float in every lane of a register of floats. The value must be
    /// representable in the register's format.
    pub(crate) fn splat_float(&mut self, reg: Reg, value: f64) -> Word {
        let bits = match reg.kind {
            ElementKind::F64 => value.to_bits(),
            _ => (value as f32).to_bits().into(),
        };
        self.splat_float_bits(reg, value.is_finite(), bits)
    }

    /// The float with these bits, of `f64` or else of `f32`, in every lane.
    ///
    /// A constant that is not finite comes from its bits: assembly text has no
    /// word for it that every tool reads. Neither naga nor WGSL takes even a
    /// constant expression that gives one, so the portable profile reads the
    /// bits from a variable.
    pub(crate) fn splat_float_bits(&mut self, reg: Reg, finite: bool, bits: u64) -> Word {
        let width = reg.machine_bits();
        let sign = 1 << (width - 1);
        if self.hide_zeros && bits & !sign == 0 {
            let one = self.hidden_zero(reg.kind, bits == sign);
            return match reg.lanes {
                1 => one,
                lanes => self.on(reg, Op::CompositeConstruct, &vec![one; lanes as usize]),
            };
        }
        if finite {
            let ty = self.float_type(width);
            let one = self.bits_const(ty, width, bits);
            return self.splat(reg, one);
        }
        let word = self.int_type(width, false);
        let constant = self.int_const(width, false, bits as i64);
        let opaque = if self.portable {
            let variable = self.local_variable(word);
            self.store(variable, constant);
            self.load(word, variable)
        } else {
            constant
        };
        let one = self.of_bits(scalar(reg.kind), opaque);
        match reg.lanes {
            1 => one,
            lanes => self.on(reg, Op::CompositeConstruct, &vec![one; lanes as usize]),
        }
    }

    /// A constant in every lane.
    pub(crate) fn splat(&mut self, reg: Reg, one: Word) -> Word {
        let ty = self.machine(reg);
        self.composite_const(ty, &vec![one; reg.lanes as usize])
    }

    /// Zero of any kind.
    pub(crate) fn zero(&mut self, reg: Reg) -> Word {
        if reg.is_float() {
            self.splat_float(reg, 0.0)
        } else {
            self.splat_int(reg, 0)
        }
    }
}

/// Small typed operations.
impl Emitter {
    /// An operation whose result has the register's own type.
    pub(crate) fn on(&mut self, reg: Reg, op: Op, ids: &[Word]) -> Word {
        let ty = self.machine(reg);
        // naga's logical operators take scalars only: `a && b` ⇒ `a ? b : a`.
        match (op, ids) {
            (Op::LogicalAnd, &[a, b]) if self.portable && reg.lanes > 1 => {
                self.op(Op::Select, ty, &[a, b, a])
            }
            (Op::LogicalOr, &[a, b]) if self.portable && reg.lanes > 1 => {
                self.op(Op::Select, ty, &[a, a, b])
            }
            _ => self.op(op, ty, ids),
        }
    }

    /// An operation on lanes of `reg` that gives booleans.
    pub(crate) fn test(&mut self, reg: Reg, op: Op, ids: &[Word]) -> Word {
        self.on(reg.with(ElementKind::Bool), op, ids)
    }

    /// Lane by lane `condition ? a : b`.
    pub(crate) fn select(&mut self, reg: Reg, condition: Word, a: Word, b: Word) -> Word {
        self.on(reg, Op::Select, &[condition, a, b])
    }

    /// A floating-point operation; contraction is forbidden where
    /// [`Emitter::forbid_contraction`] says so.
    pub(crate) fn float(&mut self, reg: Reg, op: Op, ids: &[Word]) -> Word {
        let id = self.on(reg, op, ids);
        if self.forbid_contraction {
            self.decorate(id, Decoration::NoContraction, &[]);
        }
        id
    }

    /// The bits of a register of integers or floats as unsigned integers.
    pub(crate) fn bits_of(&mut self, reg: Reg, value: Word) -> Word {
        let ty = self.unsigned(reg);
        self.op(Op::Bitcast, ty, &[value])
    }

    /// A register of integers or floats from its bits.
    pub(crate) fn of_bits(&mut self, reg: Reg, bits: Word) -> Word {
        let ty = self.machine(reg);
        self.op(Op::Bitcast, ty, &[bits])
    }

    /// The canonical form of an integer: the low bits sign-extended.
    pub(crate) fn canonical(&mut self, reg: Reg, value: Word) -> Word {
        let spare = match reg.kind {
            ElementKind::Int(bits) => reg.machine_bits() - bits,
            _ => 0,
        };
        if spare == 0 {
            return value;
        }
        let spare = self.splat_int(reg, spare.into());
        let up = self.on(reg, Op::ShiftLeftLogical, &[value, spare]);
        self.on(reg, Op::ShiftRightArithmetic, &[up, spare])
    }

    /// The value of an integer register read as unsigned: zero-extended, and
    /// of unsigned type.
    pub(crate) fn zero_extended(&mut self, reg: Reg, value: Word) -> Word {
        let ty = self.unsigned(reg);
        let bits = self.op(Op::Bitcast, ty, &[value]);
        match reg.kind {
            ElementKind::Int(width) if width < reg.machine_bits() => {
                let mask = self.splat_unsigned(reg, (1u64 << width) - 1);
                self.op(Op::BitwiseAnd, ty, &[bits, mask])
            }
            _ => bits,
        }
    }

    /// Booleans as integers: `true` becomes `one`.
    pub(crate) fn bool_to_int(&mut self, reg: Reg, value: Word, one: i64) -> Word {
        let one = self.splat_int(reg, one);
        let zero = self.splat_int(reg, 0);
        self.select(reg, value, one, zero)
    }
}

#[cfg(test)]
mod tests {
    use gridloom_ir::types::FloatKind;

    use super::*;

    #[test]
    fn registers_of_types() {
        let ctx = gridloom_dialects::context();
        let of = |ty| register(&ctx, IndexWidth::Bits64, ty);
        assert_eq!(of(ctx.bool_type()), Some(BOOL));
        assert_eq!(of(ctx.index_type()), Some(int(64)));
        assert_eq!(of(ctx.int_type(7)), Some(int(7)));
        assert_eq!(of(ctx.int_type(65)), None);
        assert_eq!(of(ctx.float_type(FloatKind::F32)), Some(F32));
        assert_eq!(of(ctx.float_type(FloatKind::F80)), None);
        let vector = |n: i64| {
            ctx.intern_type(TypeKind::Vector {
                shape: Box::new([n]),
                scalable: Box::new([false]),
                element: ctx.int_type(32),
            })
        };
        assert_eq!(of(vector(4)), Some(Reg { lanes: 4, ..I32 }));
        assert_eq!(of(vector(5)), None);
    }
}
