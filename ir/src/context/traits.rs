//! Traits: properties that operations have in common.
//!
//! Code asks for most of them where there is no context, so that names of operations carry them:
//! [`Traits`]. Those that only reader, printer and verifier ask for stand in the row alone:
//! [`RowTraits`]. Two types, so that no name is asked for a trait that it does not carry.

/// A set of traits that [names](super::OpName) carry. They are MLIR's where MLIR has the trait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traits(u32);

/// The traits of a row: those that its name carries, and others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowTraits(u32);

macro_rules! traits {
    ($set:ident: $($(#[$doc:meta])* $name:ident = $bit:expr;)*) => {
        impl $set {
            /// The empty set.
            pub const NONE: $set = $set(0);
            $($(#[$doc])* pub const $name: $set = $set(1 << $bit);)*
        }
    };
}

traits! { Traits:
    /// Has no side effects. Speculatable too, unless [`Traits::CONDITIONALLY_SPECULATABLE`] says
    /// otherwise.
    PURE = 0;
    /// Operands commute.
    COMMUTATIVE = 1;
    /// Ends a block.
    TERMINATOR = 2;
    /// Regions see no value from above; the operation owns its body.
    ISOLATED_FROM_ABOVE = 3;
    /// Regions hold a symbol table.
    SYMBOL_TABLE = 4;
    /// Defines a symbol through `sym_name`.
    SYMBOL = 5;
    /// Result is a compile-time constant (`value` holds it).
    CONSTANT_LIKE = 6;
    /// Applies element by element to vectors and tensors.
    ELEMENTWISE = 7;
    /// Effects are exactly those of the nested operations.
    RECURSIVE_EFFECTS = 8;
    /// Undefined for some operands (a division by zero), so that a pass may not move it to where
    /// the program would not have run it.
    CONDITIONALLY_SPECULATABLE = 9;
    /// Frees `alloca`s of its regions on exit.
    AUTOMATIC_ALLOCATION_SCOPE = 10;
    /// Opens a scope for affine symbols and stack allocations.
    AFFINE_SCOPE = 11;
    /// Leaves the enclosing function-like operation.
    RETURN_LIKE = 12;
    /// Operands are an `operandSegmentSizes`-delimited list of groups.
    ATTR_SIZED_OPERANDS = 13;
    /// Regions are graph regions: order and dominance do not matter.
    GRAPH_REGION = 14;
}

traits! { RowTraits:
    /// Regions have no terminator.
    NO_TERMINATOR = 15;
    /// Each region has at most one block.
    SINGLE_BLOCK = 16;
    /// Results are a `resultSegmentSizes`-delimited list of groups.
    ATTR_SIZED_RESULTS = 17;
    /// All operands and results have one type.
    SAME_OPERANDS_AND_RESULT_TYPE = 18;
    /// All operands have one type.
    SAME_TYPE_OPERANDS = 19;
    /// Same shape of operands and results, element types may differ.
    SAME_SHAPE = 20;
    /// The entry blocks of regions have no arguments.
    NO_REGION_ARGUMENTS = 21;
    /// Operands and results have one element type.
    SAME_ELEMENT_TYPE = 22;
}

/// The traits of names have the lower bits of a set.
const CARRIED: u32 = (1 << 15) - 1;

impl Traits {
    /// The set as a row has it.
    pub const fn in_row(self) -> RowTraits {
        RowTraits(self.0)
    }

    /// The union of both sets.
    pub const fn with(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }

    /// Whether all traits of `other` are in this set.
    pub const fn contains(self, other: Traits) -> bool {
        self.0 & other.0 == other.0
    }

    /// The bits that a name has for the set, below 2^15.
    pub(super) const fn bits(self) -> u32 {
        self.0
    }
}

impl RowTraits {
    /// Traits of the operation at the root of a file, the first row of a registry.
    pub const ROOT: RowTraits = Traits::AFFINE_SCOPE
        .with(Traits::GRAPH_REGION)
        .with(Traits::ISOLATED_FROM_ABOVE)
        .with(Traits::SYMBOL)
        .with(Traits::SYMBOL_TABLE)
        .in_row()
        .with(RowTraits::NO_REGION_ARGUMENTS)
        .with(RowTraits::NO_TERMINATOR)
        .with(RowTraits::SINGLE_BLOCK);

    /// The traits that the name carries.
    pub const fn carried(self) -> Traits {
        Traits(self.0 & CARRIED)
    }

    /// The union of both sets.
    pub const fn with(self, other: RowTraits) -> RowTraits {
        RowTraits(self.0 | other.0)
    }

    /// Whether all of these traits are in this set.
    #[inline]
    pub fn contains(self, other: impl Into<RowTraits>) -> bool {
        let other = other.into();
        self.0 & other.0 == other.0
    }
}

impl From<Traits> for RowTraits {
    #[inline]
    fn from(traits: Traits) -> RowTraits {
        traits.in_row()
    }
}
