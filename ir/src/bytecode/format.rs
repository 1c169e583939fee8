//! Constants of the bytecode format.

/// The magic number: `MLïR` in Latin-1.
pub(super) const MAGIC: &[u8] = b"ML\xefR";

/// The version written; also the newest one that can be read.
pub(super) const VERSION: u64 = 6;

/// The first version in which dialects may have versions.
pub(super) const DIALECT_VERSIONS: u64 = 1;
/// The first version in which regions of isolated operations are sections.
pub(super) const ISOLATED_SECTIONS: u64 = 2;
/// The first version with use-list orders.
pub(super) const USE_ORDERS: u64 = 3;
/// The first version in which block arguments may omit an unknown location, and
/// operation names are counted.
pub(super) const SHORT_ARGUMENTS: u64 = 4;
/// The first version in which inherent attributes are properties.
pub(super) const PROPERTIES: u64 = 5;
/// The first version in which segment sizes are plain numbers, not attributes.
pub(super) const SEGMENT_NUMBERS: u64 = 6;

/// The byte that pads to alignment.
pub(super) const PADDING: u8 = 0xCB;

/// The flag in a section's id byte for aligned data.
pub(super) const HAS_ALIGNMENT: u8 = 1 << 7;

/// The section ids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Section {
    Strings = 0,
    Dialects = 1,
    AttrTypes = 2,
    AttrTypeOffsets = 3,
    Ir = 4,
    Resources = 5,
    ResourceOffsets = 6,
    DialectVersion = 7,
    Properties = 8,
}

/// The number of section ids.
pub(super) const SECTIONS: usize = 9;

/// The bits of an operation's mask byte, which follows its name.
pub(super) mod has {
    pub const ATTRS: u8 = 1;
    pub const RESULTS: u8 = 1 << 1;
    pub const OPERANDS: u8 = 1 << 2;
    pub const SUCCESSORS: u8 = 1 << 3;
    pub const REGIONS: u8 = 1 << 4;
    pub const USE_ORDERS: u8 = 1 << 5;
    pub const PROPERTIES: u8 = 1 << 6;
}

/// The codes of the builtin dialect's attributes and locations.
pub(super) mod attr_code {
    pub const ARRAY: u64 = 0;
    pub const DICTIONARY: u64 = 1;
    pub const STRING: u64 = 2;
    pub const TYPED_STRING: u64 = 3;
    pub const FLAT_SYMBOL: u64 = 4;
    pub const SYMBOL: u64 = 5;
    pub const TYPE: u64 = 6;
    pub const UNIT: u64 = 7;
    pub const INTEGER: u64 = 8;
    pub const FLOAT: u64 = 9;
    pub const CALL_SITE_LOC: u64 = 10;
    pub const FILE_LINE_COL_LOC: u64 = 11;
    pub const FUSED_LOC: u64 = 12;
    pub const FUSED_LOC_WITH_METADATA: u64 = 13;
    pub const NAME_LOC: u64 = 14;
    pub const UNKNOWN_LOC: u64 = 15;
    pub const DENSE_RESOURCE: u64 = 16;
    pub const DENSE_ARRAY: u64 = 17;
    pub const DENSE: u64 = 18;
    pub const DENSE_STRINGS: u64 = 19;
    pub const SPARSE: u64 = 20;
    pub const DISTINCT: u64 = 21;
    pub const FILE_RANGE_LOC: u64 = 22;
}

/// The codes of the builtin dialect's types.
pub(super) mod type_code {
    use crate::types::FloatKind;

    /// Float types with a code of their own; the other ones have none.
    pub const FLOATS: [FloatKind; 6] = [
        FloatKind::BF16,
        FloatKind::F16,
        FloatKind::F32,
        FloatKind::F64,
        FloatKind::F80,
        FloatKind::F128,
    ];
    pub const FIRST_FLOAT: u64 = 3;
    pub const LAST_FLOAT: u64 = 8;
    pub const INTEGER: u64 = 0;
    pub const INDEX: u64 = 1;
    pub const FUNCTION: u64 = 2;
    pub const COMPLEX: u64 = 9;
    pub const MEMREF: u64 = 10;
    pub const MEMREF_IN_SPACE: u64 = 11;
    pub const NONE: u64 = 12;
    pub const TENSOR: u64 = 13;
    pub const TENSOR_WITH_ENCODING: u64 = 14;
    pub const TUPLE: u64 = 15;
    pub const UNRANKED_MEMREF: u64 = 16;
    pub const UNRANKED_MEMREF_IN_SPACE: u64 = 17;
    pub const UNRANKED_TENSOR: u64 = 18;
    pub const VECTOR: u64 = 19;
    pub const SCALABLE_VECTOR: u64 = 20;
}
