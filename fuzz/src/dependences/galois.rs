//! Galois ring: random points at which polynomials over the integers modulo 2^w are compared.
//!
//! The ring is Z/2^64[t] / (t^16 + t^5 + t^3 + t + 1), whose polynomial is irreducible modulo 2. It contains Z/2^64, and
//! modulo 2^w it contains Z/2^w, so that what holds of all integers of w bits by the laws of sums and products holds here.
//! Integers themselves would not do for points: a product of a hundred of them is 0 modulo 2^w more often than not. Here
//! one element in 65,536 has no inverse, and so two polynomials of degree d that differ meet at a random point with
//! probability d / 65,536 at most where they differ in their highest bit alone, and with far less otherwise.

use gridloom::ir::scalar::mask;

use crate::random::Random;

/// Degree of the ring over the integers.
const DEGREE: usize = 16;

/// Exponents of the modulus below the degree, each with coefficient 1.
const TAIL: [usize; 4] = [0, 1, 3, 5];

/// Number of coordinates that hold a byte of an atom's name each.
const NAMED: usize = 8;

/// Element of the ring: its coordinates, by powers of t.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Element([u64; DEGREE]);

/// A random number; those of different numbers look independent.
fn scattered(number: u64) -> u64 {
    Random::new(number).bits()
}

impl Element {
    /// The integer, as an element.
    pub fn constant(value: u64) -> Element {
        let mut coordinates = [0; DEGREE];
        coordinates[0] = value;
        Element(coordinates)
    }

    /// The point that stands for a value with this hash. The low bytes of its first coordinates are those of the hash,
    /// so that [`atom_of`](Self::atom_of) finds it.
    pub fn atom(hash: u64) -> Element {
        let names = hash.to_le_bytes();
        Element(std::array::from_fn(|k| {
            let random = scattered(hash.wrapping_add(scattered(k as u64)));
            match names.get(k) {
                Some(&name) => random << 8 | u64::from(name),
                None => random,
            }
        }))
    }

    /// The hash whose atom this is, modulo 2^width; unknown for less than a byte.
    pub fn atom_of(&self, width: u8) -> Option<u64> {
        if width < 8 {
            return None;
        }
        let names: [u8; NAMED] = std::array::from_fn(|k| self.0[k] as u8);
        let hash = u64::from_le_bytes(names);
        (Element::atom(hash).modulo(width) == self.modulo(width)).then_some(hash)
    }

    /// The integer that this is, modulo 2^width.
    pub fn constant_of(&self, width: u8) -> Option<u64> {
        let [first, rest @ ..] = self.modulo(width).0;
        rest.iter()
            .all(|&coordinate| coordinate == 0)
            .then_some(first)
    }

    /// The element modulo 2^width.
    pub fn modulo(&self, width: u8) -> Element {
        Element(self.0.map(|coordinate| mask(coordinate, width)))
    }

    pub fn plus(&self, other: &Element) -> Element {
        Element(std::array::from_fn(|k| self.0[k].wrapping_add(other.0[k])))
    }

    pub fn minus(&self, other: &Element) -> Element {
        Element(std::array::from_fn(|k| self.0[k].wrapping_sub(other.0[k])))
    }

    pub fn times(&self, other: &Element) -> Element {
        let mut product = [0u64; 2 * DEGREE - 1];
        for (k, &left) in self.0.iter().enumerate().filter(|(_, left)| **left != 0) {
            for (at, &right) in product[k..].iter_mut().zip(&other.0) {
                *at = at.wrapping_add(left.wrapping_mul(right));
            }
        }
        for k in (DEGREE..product.len()).rev() {
            for by in TAIL {
                product[k - DEGREE + by] = product[k - DEGREE + by].wrapping_sub(product[k]);
            }
        }
        Element(std::array::from_fn(|k| product[k]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_products_obey_the_laws_of_a_ring() {
        let [x, y, z] = [1, 2, 3].map(Element::atom);
        assert_eq!(x.times(&y), y.times(&x));
        assert_eq!(x.times(&y).times(&z), x.times(&y.times(&z)));
        assert_eq!(x.times(&y.plus(&z)), x.times(&y).plus(&x.times(&z)),);
        assert_eq!(x.minus(&y).plus(&y), x);
        assert_eq!(x.times(&Element::constant(1)), x);
    }

    #[test]
    fn the_modulus_is_irreducible() {
        // By Rabin's test: x^(2^16) = x, and x^(2^8) - x has an inverse, modulo 2.
        let frobenius = |times: usize| {
            let mut t = Element::constant(0);
            t.0[1] = 1;
            (0..times).fold(t, |power, _| power.times(&power).modulo(1))
        };
        assert_eq!(frobenius(16), frobenius(0));
        let difference = frobenius(8).minus(&frobenius(0)).modulo(1);
        // An element u of a ring with 2^16 elements has an inverse if it has one in the field: u^(2^16 - 1) = 1.
        let mut power = Element::constant(1);
        for _ in 0..(1u32 << 16) - 1 {
            power = power.times(&difference).modulo(1);
        }
        assert_eq!(power, Element::constant(1));
    }

    #[test]
    fn long_products_of_atoms_stay_apart() {
        let product = |from: u64| {
            (from..from + 600).fold(Element::constant(1), |product, name| {
                product.times(&Element::atom(scattered(name)))
            })
        };
        assert_ne!(product(0).modulo(8), product(1).modulo(8));
        assert_eq!(product(0).constant_of(8), None);
    }

    #[test]
    fn atoms_are_found_by_their_names() {
        for width in [8, 16, 32, 64] {
            let hash = scattered(u64::from(width));
            let [x, one] = [Element::atom(hash), Element::constant(1)];
            assert_eq!(x.atom_of(width), Some(hash));
            assert_eq!(x.plus(&one).atom_of(width), None);
            assert_eq!(x.plus(&one).minus(&x).constant_of(width), Some(1));
        }
    }
}
