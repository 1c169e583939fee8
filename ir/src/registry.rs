//! Dialect registry: the dialects whose operations, types and attributes a context knows.
//!
//! [`dialect::registry`](crate::dialect::registry) has those of this crate. A program adds its own
//! with [`DialectRegistry::register`] and gives the registry to
//! [`Context::with_registry`](crate::Context::with_registry). Rows of an added dialect have the
//! ids that follow those of this crate, in the order of registration, so that a row is an array
//! look-up for any dialect.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;

use crate::dialect::symbols::{AttributeCheck, Symbols};
use crate::op::{OpDef, Traits};

/// A dialect as a program adds it: rows of operations, types and attributes.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    /// Its name, types and attributes.
    pub symbols: &'static Symbols,
    /// Its operations; each name begins with the dialect's and a dot.
    pub ops: &'static [OpDef],
    /// Checks discardable attributes whose prefix is the dialect's name.
    pub check_attribute: Option<AttributeCheck>,
}

impl Dialect {
    /// A dialect that claims no discardable attributes.
    pub const fn new(symbols: &'static Symbols, ops: &'static [OpDef]) -> Dialect {
        Dialect {
            symbols,
            ops,
            check_attribute: None,
        }
    }
}

/// Data of another crate about dialects, such as rewrites of their operations, kept by type.
type Interfaces = HashMap<TypeId, Box<dyn Any + Send + Sync>>;

/// The dialects that a context knows.
pub struct DialectRegistry {
    rows: Vec<&'static OpDef>,
    symbols: Vec<&'static Symbols>,
    checks: Vec<(&'static str, AttributeCheck)>,
    /// Dialects that refuse operations without a row.
    complete: Vec<&'static str>,
    interfaces: Interfaces,
}

impl DialectRegistry {
    /// A registry of dialects that need no check: those of this crate. `rows` are in the order of
    /// their constant ids.
    pub(crate) fn of_tables(
        tables: &[&'static [OpDef]],
        symbols: &[&'static Symbols],
        checks: &[(&'static str, AttributeCheck)],
        complete: &[&'static str],
    ) -> DialectRegistry {
        DialectRegistry {
            rows: tables.iter().flat_map(|table| table.iter()).collect(),
            symbols: symbols.to_vec(),
            checks: checks.to_vec(),
            complete: complete.to_vec(),
            interfaces: Interfaces::new(),
        }
    }

    /// Adds a dialect. It refuses every operation that has no row.
    ///
    /// Fails, and adds nothing, if the name is no namespace or taken, if the name of an operation
    /// is not `dialect.mnemonic` or occurs twice, or if an operation is isolated from above:
    /// bodies are made without a context, and only rows of this crate can say so there.
    pub fn register(&mut self, dialect: &Dialect) -> Result<(), RegistryError> {
        let name = dialect.symbols.dialect;
        let fail = |what: String| Err(RegistryError(format!("dialect `{name}`: {what}")));
        if !crate::text::is_namespace(name) {
            return fail("the name is not made of letters, digits, `_` and `$`".into());
        }
        if self.has(name) {
            return fail("a dialect of this name is registered".into());
        }
        for (index, def) in dialect.ops.iter().enumerate() {
            let prefixed = def.name.split_once('.');
            if prefixed.is_none_or(|(prefix, rest)| prefix != name || rest.is_empty()) {
                return fail(format!("`{}` is not named `{name}.…`", def.name));
            }
            if dialect.ops[..index].iter().any(|d| d.name == def.name) {
                return fail(format!("`{}` has two rows", def.name));
            }
            if def.traits.contains(Traits::ISOLATED_FROM_ABOVE) {
                return fail(format!(
                    "`{}` is isolated from above, which only operations of gridloom can be",
                    def.name
                ));
            }
        }
        self.rows.extend(dialect.ops);
        self.symbols.push(dialect.symbols);
        let check = dialect.check_attribute;
        self.checks.extend(check.map(|check| (name, check)));
        self.complete.push(name);
        Ok(())
    }

    /// Adds data of type `T` that code above this crate finds through
    /// [`Context::interface`](crate::Context::interface); replaces data of the same type.
    pub fn attach<T: Any + Send + Sync>(&mut self, interface: T) {
        self.interfaces
            .insert(TypeId::of::<T>(), Box::new(interface));
    }

    pub(crate) fn interface<T: Any>(&self) -> Option<&T> {
        self.interfaces.get(&TypeId::of::<T>())?.downcast_ref()
    }

    /// The rows of all operations, in the order of their ids.
    pub fn ops(&self) -> &[&'static OpDef] {
        &self.rows
    }

    /// The types and attributes of a dialect that defines any, or says that it has none.
    pub fn symbols(&self, dialect: &str) -> Option<&'static Symbols> {
        self.symbols.iter().copied().find(|s| s.dialect == dialect)
    }

    /// The check of the discardable attributes that a dialect claims.
    pub(crate) fn attribute_check(&self, dialect: &str) -> Option<AttributeCheck> {
        let found = self.checks.iter().find(|entry| entry.0 == dialect);
        found.map(|entry| entry.1)
    }

    /// Whether every operation of this dialect has a row, so that an unknown one is an error.
    pub(crate) fn is_complete(&self, dialect: &str) -> bool {
        self.complete.contains(&dialect)
    }

    /// The sorted names of the dialects with known operations.
    pub fn dialects(&self) -> Vec<&'static str> {
        let names = self.rows.iter().filter_map(|def| def.name.split_once('.'));
        let mut names: Vec<_> = names.map(|(dialect, _)| dialect).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Whether a dialect of this name has operations, types or attributes.
    pub(crate) fn has(&self, dialect: &str) -> bool {
        let of = |def: &&OpDef| def.name.split_once('.').is_some_and(|(d, _)| d == dialect);
        self.symbols(dialect).is_some() || self.rows.iter().any(of)
    }
}

impl fmt::Debug for DialectRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DialectRegistry")
            .field("dialects", &self.dialects())
            .finish_non_exhaustive()
    }
}

/// Reason why a dialect was not registered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegistryError(String);

impl fmt::Display for RegistryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RegistryError {}
