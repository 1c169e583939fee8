//! Ids: typed, non-zero indices of operations, blocks, regions and values into their arenas.

use std::num::NonZeroU32;

macro_rules! entity {
    ($($(#[$doc:meta])* $name:ident, $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub(super) NonZeroU32);

        impl $name {
            /// The arena index, for side tables.
            pub fn index(self) -> usize {
                self.0.get() as usize - 1
            }

            /// Makes the id of index `len`. It is stored plus one, so that `Option` of an id is no
            /// larger than the id.
            pub(super) fn from_len(len: usize) -> Self {
                // Each entity stems from at least one byte of input, and inputs
                // are below 2^31 bytes.
                let id = u32::try_from(len + 1).ok().and_then(NonZeroU32::new);
                $name(id.expect("fewer than 2^32 - 1 entities in a body"))
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.index())
            }
        }
    )*};
}

entity! {
    /// An operation.
    OpId, "op";
    /// A block.
    BlockId, "block";
    /// A region.
    RegionId, "region";
    /// A value: a result or a block argument.
    Value, "v";
}

impl Value {
    /// Returns the value `n` after this one: the results of an operation are consecutive.
    pub(crate) fn offset(self, n: u32) -> Value {
        Value::from_len(self.index() + n as usize)
    }

    /// Makes the placeholder of a forward reference. Real ids count up from 0, placeholders down
    /// from the top of the upper half.
    pub(crate) fn placeholder(index: u32) -> Value {
        Value::from_len((u32::MAX - 1 - index) as usize)
    }

    /// Returns the index of a placeholder; `None` for a real value.
    pub(crate) fn placeholder_index(self) -> Option<u32> {
        let index = self.index() as u32;
        (index >= 1 << 31).then(|| u32::MAX - 1 - index)
    }
}
