//! Dialect registry: the dialects that a context knows.
//!
//! What a row says lies in tables by the number of the row, one for each module that asks: the
//! [signatures](OpSignature) here; what the reader and the printer, the verifier and folding need in
//! tables of theirs, which the registry keeps by their type without knowing them. So a module of the
//! core names only those below it. [`mod@crate::registry`] fills all of them.

use std::any::{Any, TypeId};
use std::fmt;

use super::signature::OpSignature;
use super::types::Type;
use super::{Context, OpName, RowTraits};

/// Returns extents and element type of a type with elements; one without a rank has the only extent
/// [`DYNAMIC`](super::types::DYNAMIC).
pub type ShapeOf = fn(&Context, Type) -> Option<(Vec<i64>, Type)>;

/// The containers that take a dialect's type for their elements, as MLIR's
/// `VectorElementTypeInterface` and `MemRefElementTypeInterface` say of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementOf {
    /// Vectors.
    pub vectors: bool,
    /// Memrefs.
    pub memrefs: bool,
}

impl ElementOf {
    /// None.
    pub const NONE: ElementOf = ElementOf {
        vectors: false,
        memrefs: false,
    };
    /// Vectors alone.
    pub const VECTORS: ElementOf = ElementOf {
        vectors: true,
        memrefs: false,
    };
    /// Memrefs alone.
    pub const MEMREFS: ElementOf = ElementOf {
        vectors: false,
        memrefs: true,
    };
    /// Vectors and memrefs.
    pub const BOTH: ElementOf = ElementOf {
        vectors: true,
        memrefs: true,
    };
}

/// Names of dialects, by what holds for all that they define.
#[derive(Clone, Debug)]
pub(crate) struct Namespaces {
    /// Dialects that refuse operations without a row.
    pub complete: Vec<&'static str>,
    /// Dialects whose operations without a row need no permission of the reader's options.
    pub open: &'static [&'static str],
    /// The sorted names of the dialects that exist upstream.
    pub upstream: &'static [&'static str],
}

/// The dialects that a context knows.
pub struct DialectRegistry {
    signatures: Vec<&'static OpSignature>,
    /// The names of the rows.
    names: Vec<OpName>,
    /// The operation that makes a constant of an attribute.
    constant: OpName,
    pub(crate) namespaces: Namespaces,
    /// The types with elements: dialect, name, and what tells their shape.
    shapes: Vec<(&'static str, &'static str, ShapeOf)>,
    /// The types that may be elements: dialect, name, and of what.
    elements: Vec<(&'static str, &'static str, ElementOf)>,
    /// Data of other modules and crates, by type: few, so that a walk over them is a fast look-up.
    interfaces: Vec<(TypeId, Box<dyn Any + Send + Sync>)>,
}

impl DialectRegistry {
    /// A registry without rows.
    pub(crate) fn new(constant: OpName, namespaces: Namespaces) -> DialectRegistry {
        DialectRegistry {
            signatures: Vec::new(),
            names: Vec::new(),
            constant,
            namespaces,
            shapes: Vec::new(),
            elements: Vec::new(),
            interfaces: Vec::new(),
        }
    }

    /// Adds a signature, which has the next number.
    pub(crate) fn add_signature(&mut self, signature: &'static OpSignature) {
        let number = self.signatures.len() as u32;
        self.names.push(OpName::of_row(number, signature.traits));
        self.signatures.push(signature);
    }

    /// Adds what tells the shape of a type with elements.
    pub(crate) fn add_shape(&mut self, dialect: &'static str, name: &'static str, of: ShapeOf) {
        self.shapes.push((dialect, name, of));
    }

    /// Adds a type that may be an element.
    pub(crate) fn add_element(&mut self, dialect: &'static str, name: &'static str, of: ElementOf) {
        self.elements.push((dialect, name, of));
    }

    /// Adds data of type `T` that other code finds through [`Context::interface`]; replaces data of
    /// the same type.
    pub fn attach<T: Any + Send + Sync>(&mut self, interface: T) {
        match self.interface_mut() {
            Some(place) => *place = interface,
            None => self
                .interfaces
                .push((TypeId::of::<T>(), Box::new(interface))),
        }
    }

    pub(crate) fn interface<T: Any>(&self) -> Option<&T> {
        let mut all = self.interfaces.iter();
        let (_, found) = all.find(|(id, _)| *id == TypeId::of::<T>())?;
        found.downcast_ref()
    }

    pub(crate) fn interface_mut<T: Any>(&mut self) -> Option<&mut T> {
        let mut all = self.interfaces.iter_mut();
        let (_, found) = all.find(|(id, _)| *id == TypeId::of::<T>())?;
        found.downcast_mut()
    }

    /// The table of a module of the core.
    pub(crate) fn table<T: Any>(&self) -> &T {
        // No other function makes a registry.
        self.interface()
            .expect("`of_tables` gives each module of the core its table")
    }

    /// As [`table`](Self::table), to add rows.
    pub(crate) fn table_mut<T: Any>(&mut self) -> &mut T {
        self.interface_mut()
            .expect("`of_tables` gives each module of the core its table")
    }

    /// The signatures of all operations, in the order of their ids.
    pub fn ops(&self) -> &[&'static OpSignature] {
        &self.signatures
    }

    /// The names of all operations with a row, in the order of their numbers.
    pub(crate) fn names(&self) -> &[OpName] {
        &self.names
    }

    /// The operation that makes a constant of an attribute.
    pub(crate) fn constant(&self) -> OpName {
        self.constant
    }

    /// Whether operations of this dialect without a row need no permission.
    pub(crate) fn is_open(&self, dialect: &str) -> bool {
        self.namespaces.open.contains(&dialect)
    }

    /// Whether a dialect of this name exists upstream.
    pub(crate) fn is_upstream(&self, dialect: &str) -> bool {
        self.namespaces.upstream.binary_search(&dialect).is_ok()
    }

    /// Whether `mlir-opt` knows a dialect of this name.
    pub(crate) fn is_known_upstream(&self, dialect: &str) -> bool {
        // The dialect of mlir-opt's own tests.
        self.is_upstream(dialect) || dialect == "test"
    }

    /// Whether every operation of this dialect has a row, so that an unknown one is an error.
    pub(crate) fn is_complete(&self, dialect: &str) -> bool {
        self.namespaces.complete.contains(&dialect)
    }

    /// The function that gives the shape of a type; `None` if it has no elements.
    pub(super) fn shape_of(&self, dialect: &str, name: &str) -> Option<ShapeOf> {
        let mut all = self.shapes.iter();
        let found = all.find(|entry| entry.1 == name && entry.0 == dialect)?;
        Some(found.2)
    }

    /// The containers that take a type for their elements.
    pub(super) fn element_of(&self, dialect: &str, name: &str) -> ElementOf {
        let mut all = self.elements.iter();
        let found = all.find(|entry| entry.1 == name && entry.0 == dialect);
        found.map_or(ElementOf::NONE, |entry| entry.2)
    }

    /// The sorted names of the dialects with known operations.
    pub fn dialects(&self) -> Vec<&'static str> {
        let names = self.signatures.iter();
        let names = names.filter_map(|signature| signature.name.split_once('.'));
        let mut names: Vec<_> = names.map(|(dialect, _)| dialect).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Whether a dialect of this name has operations.
    pub(crate) fn has_ops(&self, dialect: &str) -> bool {
        let dialect_of = |signature: &&OpSignature| signature.name.split_once('.').map(|(d, _)| d);
        let mut dialects = self.signatures.iter().filter_map(dialect_of);
        dialects.any(|name| name == dialect)
    }
}

/// Signatures by name.
impl Context {
    /// Returns the signature of a known operation.
    #[inline]
    pub fn op_signature(&self, name: OpName) -> Option<&'static OpSignature> {
        let row = name.has_row().then(|| name.index())?;
        self.registry().ops().get(row).copied()
    }

    /// Whether an operation is known and has all of these traits.
    #[inline]
    pub fn op_has(&self, name: OpName, traits: impl Into<RowTraits>) -> bool {
        self.op_signature(name)
            .is_some_and(|signature| signature.traits.contains(traits))
    }

    /// The data of type `T` that was attached to the registry.
    pub fn interface<T: Any>(&self) -> Option<&T> {
        self.registry().interface()
    }
}

/// Whether a dialect may have this name.
pub(crate) fn is_namespace(name: &str) -> bool {
    let is_part = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'$';
    let first = name.bytes().next();
    first.is_some_and(|b| !b.is_ascii_digit()) && name.bytes().all(is_part)
}

impl fmt::Debug for DialectRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DialectRegistry")
            .field("dialects", &self.dialects())
            .finish_non_exhaustive()
    }
}
