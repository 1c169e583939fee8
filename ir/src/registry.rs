//! Registration of dialects: takes the rows of dialects apart into the tables of a
//! [`DialectRegistry`].
//!
//! A crate of dialects makes a registry of its [`Tables`], whose rows have constant names. A program
//! adds its own dialects with [`DialectRegistry::register`] and gives the registry to
//! [`Context::new`](crate::Context::new). Rows of an added dialect have the numbers that follow
//! those of the tables, in the order of registration, so that a row is an array look-up for any
//! dialect.

use std::fmt;

use crate::context::dialect_registry::{Namespaces, is_namespace};
use crate::context::{OpName, RowTraits};
use crate::fold::Folds;
use crate::op::OpDef;
use crate::text::symbols::Symbols;
use crate::text::{Forms, OldOperations};
use crate::verify::{AttributeCheck, Checks};

pub use crate::context::dialect_registry::{DialectRegistry, ElementOf};
pub use crate::fold::CommonFolds;

/// The dialects that a registry begins with, and what they decide for all dialects.
#[derive(Clone, Copy, Debug)]
pub struct Tables {
    /// Rows; their position over all tables is the number in the constant
    /// [name](OpName::of_row). The first is that of the operation at the root of a file, with
    /// [`RowTraits::ROOT`](crate::context::RowTraits::ROOT).
    pub ops: &'static [&'static [OpDef]],
    /// Types and attributes.
    pub symbols: &'static [&'static Symbols],
    /// Types that vectors or memrefs may have for elements and that no table of `symbols` defines:
    /// dialect, name, and in what.
    pub elements: &'static [(&'static str, &'static str, ElementOf)],
    /// Checks of the discardable attributes that a dialect claims, by its name.
    pub attribute_checks: &'static [(&'static str, AttributeCheck)],
    /// Dialects that refuse operations without a row.
    pub complete: &'static [&'static str],
    /// Dialects whose operations without a row need no permission of the reader's options.
    pub open: &'static [&'static str],
    /// Dialects whose types leave out its name inside each other: `!llvm.ptr` is `ptr` there.
    pub nests_short: &'static [&'static str],
    /// Dialects that have words of their own for what they do not define, as upstream: what stands
    /// before the name of a type, and before that of an attribute.
    pub unknown_symbols: &'static [(&'static str, [Option<&'static str>; 2])],
    /// The operation that folding and [`Builder::constant`](crate::Builder::constant) make of an
    /// attribute, its `value`.
    pub constant: OpName,
    /// Folds of operations of any dialect, beside those of their rows.
    pub folds: CommonFolds,
    /// The operations of the older eras of text.
    pub old_operations: OldOperations,
    /// The sorted names of the dialects that exist upstream, whether they have rows or not: their
    /// types and attributes travel as text, those of others are errors.
    pub upstream: &'static [&'static str],
}

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

impl DialectRegistry {
    /// A registry of these dialects.
    ///
    /// # Panics
    /// If the first row is not that of the [root](OpName::ROOT) of a file, if the constant has no
    /// row, or if there are more rows than names can number: the tables are wrong then, not a
    /// program.
    pub fn of_tables(base: Tables) -> DialectRegistry {
        let namespaces = Namespaces {
            complete: base.complete.to_vec(),
            open: base.open,
            upstream: base.upstream,
        };
        let mut registry = DialectRegistry::new(base.constant, namespaces);
        registry.attach(Forms::new(
            base.nests_short,
            base.unknown_symbols,
            base.old_operations,
        ));
        registry.attach(Checks::new(base.attribute_checks));
        registry.attach(Folds::new(base.folds));
        base.ops.iter().for_each(|rows| registry.add_rows(rows));
        base.symbols.iter().for_each(|of| registry.add_symbols(of));
        for &(dialect, name, of) in base.elements {
            registry.add_element(dialect, name, of);
        }
        let root = registry.ops().first().map(|root| root.traits);
        assert!(
            root.is_some_and(|traits| traits.contains(RowTraits::ROOT))
                && registry.names()[0] == OpName::ROOT,
            "the first row is the root of a file"
        );
        assert!(
            registry.names().contains(&base.constant),
            "the operation of constants has a row"
        );
        registry
    }

    /// Adds rows, which have the next numbers in each table.
    fn add_rows(&mut self, rows: &'static [OpDef]) {
        for row in rows {
            self.add_signature(&row.signature);
            self.table_mut::<Forms>().add_row(&row.form);
            self.table_mut::<Checks>().add_row(&row.checks);
            self.table_mut::<Folds>().add_row(row.folds);
        }
    }

    /// Adds the types and attributes of a dialect.
    fn add_symbols(&mut self, symbols: &'static Symbols) {
        for ty in symbols.types {
            if let Some(shape) = ty.shape {
                self.add_shape(symbols.dialect, ty.name, shape);
            }
            if ty.element_of != ElementOf::NONE {
                self.add_element(symbols.dialect, ty.name, ty.element_of);
            }
        }
        self.table_mut::<Forms>().add_symbols(symbols);
    }

    /// Adds a dialect. It refuses every operation that has no row.
    ///
    /// Fails, and adds nothing, if the name is no namespace or taken, if the name of an operation
    /// is not `dialect.mnemonic` or occurs twice, or if there are too many operations.
    pub fn register(&mut self, dialect: &Dialect) -> Result<(), RegistryError> {
        let name = dialect.symbols.dialect;
        let fail = |what: String| Err(RegistryError(format!("dialect `{name}`: {what}")));
        if !is_namespace(name) {
            return fail("the name is not made of letters, digits, `_` and `$`".into());
        }
        if self.has(name) {
            return fail("a dialect of this name is registered".into());
        }
        let names = || dialect.ops.iter().map(|row| row.signature.name);
        for (index, op) in names().enumerate() {
            let prefixed = op.split_once('.');
            if prefixed.is_none_or(|(prefix, rest)| prefix != name || rest.is_empty()) {
                return fail(format!("`{op}` is not named `{name}.…`"));
            }
            if names().take(index).any(|before| before == op) {
                return fail(format!("`{op}` has two rows"));
            }
        }
        if self.ops().len() + dialect.ops.len() > OpName::MAX_ROWS {
            return fail(format!(
                "a registry has at most {} operations",
                OpName::MAX_ROWS
            ));
        }
        self.add_rows(dialect.ops);
        self.add_symbols(dialect.symbols);
        if let Some(check) = dialect.check_attribute {
            self.table_mut::<Checks>().add_attribute_check(name, check);
        }
        self.namespaces.complete.push(name);
        Ok(())
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
