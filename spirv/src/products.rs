//! Products of cooperative matrices that a device computes.

/// Element type of a cooperative matrix.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MatrixElement {
    /// 16-bit floats.
    F16,
    /// 32-bit floats.
    F32,
}

/// Product `a * b + c` of an `m` by `k` and a `k` by `n` matrix that a subgroup computes together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MatrixProduct {
    /// Rows of `a`, `c` and the result: 8 or 16.
    pub m: u32,
    /// Columns of `b`, `c` and the result: 8 or 16.
    pub n: u32,
    /// Columns of `a` and rows of `b`: 8 or 16.
    pub k: u32,
    /// Element type of `a` and `b`.
    pub factors: MatrixElement,
    /// Element type of `c` and the result.
    pub sums: MatrixElement,
}

impl MatrixProduct {
    /// The bit of the product in a set; `None` for sizes that no set has.
    fn bit(self) -> Option<u32> {
        let sides = [self.m, self.n, self.k];
        let types = [self.factors, self.sums].map(|element| element == MatrixElement::F32);
        let is_small = sides.map(|side| side == 8);
        let has_sides = sides.iter().all(|side| matches!(side, 8 | 16));
        let flags = is_small.iter().chain(&types);
        let place = flags.fold(0, |place, &flag| place << 1 | u32::from(flag));
        has_sides.then_some(1 << place)
    }
}

/// Set of products: all combinations of sides of 8 and 16 and of element types fit in it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub struct MatrixProducts(u32);

impl MatrixProducts {
    /// None.
    pub const EMPTY: MatrixProducts = MatrixProducts(0);

    /// Adds a product. Returns whether a set can hold it.
    pub fn insert(&mut self, product: MatrixProduct) -> bool {
        let bit = product.bit();
        self.0 |= bit.unwrap_or(0);
        bit.is_some()
    }

    /// Whether a product is in the set.
    pub fn has(self, product: MatrixProduct) -> bool {
        product.bit().is_some_and(|bit| self.0 & bit != 0)
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all products of another set are in this one.
    pub fn contains(self, others: MatrixProducts) -> bool {
        others.0 & !self.0 == 0
    }

    /// The products, large ones first.
    pub fn iter(self) -> impl Iterator<Item = MatrixProduct> {
        const SIDES: [u32; 2] = [16, 8];
        const ELEMENTS: [MatrixElement; 2] = [MatrixElement::F16, MatrixElement::F32];
        let all = SIDES.into_iter().flat_map(move |m| {
            let columns = SIDES.into_iter();
            columns.flat_map(move |n| {
                SIDES.into_iter().flat_map(move |k| {
                    ELEMENTS.into_iter().flat_map(move |factors| {
                        ELEMENTS.into_iter().map(move |sums| MatrixProduct {
                            m,
                            n,
                            k,
                            factors,
                            sums,
                        })
                    })
                })
            })
        });
        all.filter(move |&product| self.has(product))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_each_product_apart() {
        let product = |m, factors, sums| MatrixProduct {
            m,
            n: 16,
            k: 8,
            factors,
            sums,
        };
        let half = product(16, MatrixElement::F16, MatrixElement::F32);
        let mut set = MatrixProducts::default();
        assert!(set.is_empty() && set.insert(half) && set.has(half));
        for other in [
            product(8, MatrixElement::F16, MatrixElement::F32),
            product(16, MatrixElement::F32, MatrixElement::F32),
            product(16, MatrixElement::F16, MatrixElement::F16),
            MatrixProduct { k: 16, ..half },
            MatrixProduct { n: 8, ..half },
        ] {
            assert!(!set.has(other), "{other:?}");
            let mut more = set;
            assert!(more.insert(other) && more.contains(set) && !set.contains(more));
            assert_eq!(more.iter().count(), 2);
        }
        assert_eq!(set.iter().collect::<Vec<_>>(), [half]);
        assert!(!set.insert(MatrixProduct { m: 32, ..half }));
    }
}
