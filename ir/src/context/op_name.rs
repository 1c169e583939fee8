//! Names of operations, with the traits that code asks for without a context.

use super::{RowTraits, Traits};

/// The interned name of an operation. The names of operations with a row are constants
/// (`arith::ADDI`) of the crate that lists the rows, so that `match` works on them.
///
/// A name with a row carries its [`Traits`], so that they are
/// known where there is no context, as when a body makes an operation:
///
/// | bits | name with a row | name without |
/// |---|---|---|
/// | 31 | 1 | 0 |
/// | 30 – 16 | traits | number of the name |
/// | 15 – 0 | number of the row | number of the name |
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct OpName(pub(crate) u32);

/// Mark of a name with a row.
const HAS_ROW: u32 = 1 << 31;

/// Position of the traits.
const TRAITS: u32 = 16;

impl OpName {
    /// Row limit of a registry: what the bits of a name can number.
    pub(crate) const MAX_ROWS: usize = (1 << TRAITS) - 1;

    /// The operation at the root of a file, a `module`: the first row of every registry. It is the
    /// one operation that the core of the language makes by itself, since a text need not spell it.
    pub const ROOT: OpName = OpName::of_row(0, RowTraits::ROOT);

    /// The name of row number `row` of a registry, which has these traits.
    pub const fn of_row(row: u32, traits: RowTraits) -> OpName {
        assert!(
            row < Self::MAX_ROWS as u32,
            "a name has 16 bits for its row"
        );
        OpName(HAS_ROW | traits.carried().bits() << TRAITS | row)
    }

    /// The name of number `number` that has no row.
    pub(crate) fn without_row(number: u32) -> OpName {
        assert!(
            number < HAS_ROW,
            "2^31 names of operations do not fit memory"
        );
        OpName(number)
    }

    /// Whether the operation has a row.
    #[inline]
    pub const fn has_row(self) -> bool {
        self.0 & HAS_ROW != 0
    }

    /// A small number that names the operation in its context, for tables: the row's, if it has
    /// one.
    #[inline]
    pub const fn index(self) -> usize {
        let mask = if self.has_row() { !(!0 << TRAITS) } else { !0 };
        (self.0 & mask) as usize
    }

    /// Whether the operation has a row and all of these traits.
    /// [`Context::op_has`](crate::Context::op_has) knows those of rows as well.
    #[inline]
    pub const fn has(self, traits: Traits) -> bool {
        let wanted = HAS_ROW | traits.bits() << TRAITS;
        self.0 & wanted == wanted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_carry_traits() {
        let traits = Traits::TERMINATOR.with(Traits::SYMBOL);
        let name = OpName::of_row(7, traits.in_row().with(RowTraits::SINGLE_BLOCK));
        assert_eq!(name.index(), 7);
        assert!(name.has_row() && name.has(Traits::TERMINATOR) && name.has(Traits::NONE));
        assert!(!name.has(Traits::PURE) && !name.has(Traits::PURE.with(Traits::TERMINATOR)));
        // Its number looks like traits, but the name has no row.
        let unknown = OpName::without_row(u32::MAX >> 1);
        assert!(!unknown.has_row() && !unknown.has(Traits::TERMINATOR));
        assert_eq!(unknown.index(), (u32::MAX >> 1) as usize);
    }
}
