//! Cooperative matrices: the products that a device computes.

use std::fmt;

/// Element type of a cooperative matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MatrixElement {
    /// 16-bit floats.
    F16,
    /// 32-bit floats.
    F32,
    /// 32-bit integers with a sign.
    I32,
    /// 32-bit integers without a sign.
    U32,
}

impl MatrixElement {
    fn of(element: wgpu::CooperativeScalarType) -> Self {
        match element {
            wgpu::CooperativeScalarType::F16 => Self::F16,
            wgpu::CooperativeScalarType::F32 => Self::F32,
            wgpu::CooperativeScalarType::I32 => Self::I32,
            wgpu::CooperativeScalarType::U32 => Self::U32,
        }
    }

    /// Returns the keyword: `f16`.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::F16 => "f16",
            Self::F32 => "f32",
            Self::I32 => "i32",
            Self::U32 => "u32",
        }
    }
}

/// Product `a * b + c` of an `m` by `k` and a `k` by `n` matrix that a subgroup computes together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MatrixProduct {
    /// Rows of `a`, `c` and the result.
    pub m: u32,
    /// Columns of `b`, `c` and the result.
    pub n: u32,
    /// Columns of `a` and rows of `b`.
    pub k: u32,
    /// Element type of `a` and `b`.
    pub factors: MatrixElement,
    /// Element type of `c` and the result.
    pub sums: MatrixElement,
}

impl fmt::Display for MatrixProduct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MatrixProduct { m, n, k, .. } = self;
        let (factors, sums) = (self.factors.keyword(), self.sums.keyword());
        write!(f, "{m}x{n}x{k} {factors} to {sums}")
    }
}

/// Returns the products of an adapter in the driver's order, each once. Those of other scopes than
/// a subgroup, and of types or sizes that wgpu has no name for, it leaves out.
pub(crate) fn products_of(adapter: &wgpu::Adapter) -> Vec<MatrixProduct> {
    let mut found: Vec<MatrixProduct> = Vec::new();
    for properties in adapter.cooperative_matrix_properties() {
        let product = MatrixProduct {
            m: properties.m_size,
            n: properties.n_size,
            k: properties.k_size,
            factors: MatrixElement::of(properties.ab_type),
            sums: MatrixElement::of(properties.cr_type),
        };
        if !found.contains(&product) {
            found.push(product);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_shown_by_their_sizes_and_types() {
        let product = MatrixProduct {
            m: 16,
            n: 8,
            k: 4,
            factors: MatrixElement::F16,
            sums: MatrixElement::F32,
        };
        assert_eq!(product.to_string(), "16x8x4 f16 to f32");
    }
}
