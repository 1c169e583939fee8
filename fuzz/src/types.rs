//! Types of the programs.

use std::fmt;

/// Element and scalar types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // MLIR's names
pub enum Scalar {
    I1,
    I8,
    I16,
    I32,
    I64,
    Index,
    F16,
    BF16,
    F32,
    F64,
}

impl Scalar {
    /// Every type.
    pub const ALL: [Scalar; 10] = [
        Scalar::I1,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::Index,
        Scalar::F16,
        Scalar::BF16,
        Scalar::F32,
        Scalar::F64,
    ];

    /// Bits of a value; an index has 64.
    pub fn width(self) -> u32 {
        match self {
            Scalar::I1 => 1,
            Scalar::I8 => 8,
            Scalar::I16 | Scalar::F16 | Scalar::BF16 => 16,
            Scalar::I32 | Scalar::F32 => 32,
            Scalar::I64 | Scalar::Index | Scalar::F64 => 64,
        }
    }

    /// Bytes of an element in memory.
    pub fn bytes(self) -> usize {
        self.width().div_ceil(8) as usize
    }

    /// Whether this is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::BF16 | Scalar::F32 | Scalar::F64)
    }

    /// The bits that a value of this type can have set.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.width())
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scalar::I1 => "i1",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::Index => "index",
            Scalar::F16 => "f16",
            Scalar::BF16 => "bf16",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        })
    }
}

/// Layout of a memref's elements in its buffer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Layout {
    /// Row-major without gaps.
    Identity,
    /// `strided<[…], offset: …>`; `None` is `?`.
    Strided {
        /// Elements before the first one.
        offset: Option<i64>,
        /// Stride of each dimension, in elements.
        strides: Vec<Option<i64>>,
    },
    /// Affine map: for each result a factor of each dimension, and a constant; none negative.
    Map(Vec<(Vec<i64>, i64)>),
}

/// A memref type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MemType {
    /// Type of the elements.
    pub element: Scalar,
    /// The sizes, `None` for `?`; no shape for an unranked memref.
    pub shape: Option<Vec<Option<i64>>>,
    /// Layout of the elements in the buffer.
    pub layout: Layout,
    /// Memory space.
    pub space: u8,
}

impl MemType {
    /// A type with known sizes and the identity layout.
    pub fn of(element: Scalar, sizes: &[i64]) -> Self {
        MemType {
            element,
            shape: Some(sizes.iter().copied().map(Some).collect()),
            layout: Layout::Identity,
            space: 0,
        }
    }

    /// Number of dimensions; 0 for an unranked memref.
    pub fn rank(&self) -> usize {
        self.shape.as_ref().map_or(0, Vec::len)
    }

    /// Whether the memref is unranked.
    pub fn is_unranked(&self) -> bool {
        self.shape.is_none()
    }

    /// The sizes, if all are static.
    pub fn known_sizes(&self) -> Option<Vec<i64>> {
        self.shape.as_ref()?.iter().copied().collect()
    }
}

/// Prints a number, or `?`.
pub(crate) fn open(value: Option<i64>) -> String {
    value.map_or_else(|| "?".to_owned(), |value| value.to_string())
}

impl fmt::Display for MemType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(shape) = &self.shape else {
            return write!(f, "memref<*x{}>", self.element);
        };
        f.write_str("memref<")?;
        for &size in shape {
            write!(f, "{}x", open(size))?;
        }
        write!(f, "{}", self.element)?;
        match &self.layout {
            Layout::Identity => {}
            Layout::Strided { offset, strides } => {
                let strides: Vec<String> = strides.iter().map(|&stride| open(stride)).collect();
                write!(f, ", strided<[{}]", strides.join(", "))?;
                if *offset != Some(0) {
                    write!(f, ", offset: {}", open(*offset))?;
                }
                f.write_str(">")?;
            }
            Layout::Map(results) => {
                let dims: Vec<String> = (0..shape.len()).map(|k| format!("d{k}")).collect();
                let results: Vec<String> = results
                    .iter()
                    .map(|(factors, constant)| {
                        let terms = factors
                            .iter()
                            .zip(&dims)
                            .filter(|(factor, _)| **factor != 0);
                        let terms: Vec<String> = terms
                            .map(|(factor, dim)| format!("{dim} * {factor}"))
                            .collect();
                        format!("{} + {constant}", terms.join(" + "))
                    })
                    .map(|text| text.strip_prefix(" + ").map(str::to_owned).unwrap_or(text))
                    .collect();
                write!(
                    f,
                    ", affine_map<({}) -> ({})>",
                    dims.join(", "),
                    results.join(", ")
                )?;
            }
        }
        match self.space {
            0 => f.write_str(">"),
            space => write!(f, ", {space}>"),
        }
    }
}

/// The type of a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Type {
    Scalar(Scalar),
    MemRef(MemType),
}

impl Type {
    /// The scalar type.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Type::Scalar(scalar) => Some(*scalar),
            Type::MemRef(_) => None,
        }
    }

    /// The memref type.
    pub fn memref(&self) -> Option<&MemType> {
        match self {
            Type::MemRef(memref) => Some(memref),
            Type::Scalar(_) => None,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Scalar(scalar) => scalar.fmt(f),
            Type::MemRef(memref) => memref.fmt(f),
        }
    }
}
