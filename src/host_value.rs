//! Values of the host: arguments and results of programs, and the classes of their elements.

use std::borrow::Cow;

use gridloom_interp::scalar::{FloatFormat, sext};
use gridloom_interp::{ScalarKind, scalar_kind};
use gridloom_ir::types::Signedness;
use gridloom_ir::{Context, Type, TypeKind};

use crate::elements::{Elements, widened};
use crate::npy::{self, Dtype};
use crate::number_text::{float_text, shortest};

/// Host value: a scalar argument or result, or the contents of a memref in row-major order.
#[derive(Clone, PartialEq, Debug)]
pub struct HostValue {
    /// Type in the program.
    pub ty: Type,
    /// Whether integers are read as unsigned: those of an unsigned type, and those of a signless one
    /// that came from a file of unsigned numbers.
    pub unsigned: bool,
    /// Whether the type is complex; `kind` is then that of its parts.
    pub complex: bool,
    /// The shape of a memref; `None` for a scalar.
    pub shape: Option<Vec<i64>>,
    /// The elements; one for a scalar. A complex number has its real and its imaginary part in
    /// turn.
    pub elements: Elements,
}

impl HostValue {
    /// Kind of the scalar, of the elements, or of their parts.
    pub fn kind(&self) -> ScalarKind {
        self.elements.kind()
    }

    /// Number of elements; a complex one counts once.
    pub fn count(&self) -> usize {
        self.elements.len() / self.parts()
    }

    /// Numbers in [`HostValue::elements`] for each element: 2 for complex ones, else 1.
    pub fn parts(&self) -> usize {
        1 + usize::from(self.complex)
    }

    /// Formats element `number`, complex ones as `1.5-0.5i`; `None` past the end.
    pub fn show_element(&self, number: usize) -> Option<String> {
        let first = number.checked_mul(self.parts())?;
        let real = self.show(self.elements.get(first)?);
        if !self.complex {
            return Some(real);
        }
        let imaginary = self.show(self.elements.get(first + 1)?);
        let sign = if imaginary.starts_with('-') { "" } else { "+" };
        Some(format!("{real}{sign}{imaginary}i"))
    }

    /// Formats bits of the value's type: floats as the shortest decimal that reads back, integers
    /// signed unless [`HostValue::unsigned`].
    pub fn show(&self, bits: u64) -> String {
        match self.kind() {
            ScalarKind::Int(1) => (bits != 0).to_string(),
            ScalarKind::Int(_) if self.unsigned => bits.to_string(),
            ScalarKind::Int(width) => sext(bits, width).to_string(),
            ScalarKind::F32 => float_text(f32::from_bits(bits as u32)),
            ScalarKind::F64 => float_text(f64::from_bits(bits)),
            kind => shortest(kind, bits),
        }
    }

    /// The header of the value's `.npy` file, before the bytes of its elements; the error names a
    /// type that NumPy does not have.
    pub fn npy_header(&self) -> Result<Vec<u8>, String> {
        let dtype = numpy_type(self.kind(), self.unsigned, self.complex)?;
        Ok(npy::header(dtype, self.shape.as_deref().unwrap_or(&[])))
    }

    /// The bytes of the elements behind that header.
    pub fn npy_bytes(&self) -> Cow<'_, [u8]> {
        widened(&self.elements, self.unsigned)
    }
}

/// The `.npy` type of elements; the error says that NumPy has none.
pub(crate) fn numpy_type(kind: ScalarKind, unsigned: bool, complex: bool) -> Result<Dtype, String> {
    let dtype = if complex {
        Dtype::of_complex(kind)
    } else {
        Dtype::of(kind, unsigned)
    };
    dtype.ok_or_else(|| "NumPy has no element type of this width".to_owned())
}

/// Class of a scalar type, or of a memref's elements.
#[derive(Clone, Copy)]
pub(crate) struct Class {
    pub kind: ScalarKind,
    pub unsigned: bool,
    /// Whether the type leaves open what sign its integers have.
    pub signless: bool,
    /// Whether `kind` is that of the parts of complex numbers.
    pub complex: bool,
}

/// The class of values of a type; the error lists the supported types.
pub(crate) fn element_class(ctx: &Context, ty: Type) -> Result<Class, String> {
    let element = match ty.kind(ctx) {
        TypeKind::MemRef(memref) => memref.element,
        _ => ty,
    };
    let (element, complex) = match element.kind(ctx) {
        TypeKind::Complex(part) => (*part, true),
        _ => (element, false),
    };
    let signedness = match element.kind(ctx) {
        TypeKind::Integer { signedness, .. } => Some(*signedness),
        _ => None,
    };
    let class = |kind| Class {
        kind,
        unsigned: signedness == Some(Signedness::Unsigned),
        signless: signedness == Some(Signedness::Signless),
        complex,
    };
    scalar_kind(ctx, element).map(class).ok_or_else(|| {
        format!(
            "values of this type cannot be passed from outside; integers up to 64 bits, index, {}, complex numbers \
             and ranked memrefs of them can",
            FloatFormat::names()
        )
    })
}
