//! Dialect registry: the dialects whose operations, types and attributes a context knows.
//!
//! A crate of dialects makes a registry of its [`Tables`], whose rows have constant names. A program
//! adds its own dialects with [`DialectRegistry::register`] and gives the registry to
//! [`Context::new`](crate::Context::new). Rows of an added dialect have the numbers that follow
//! those of the tables, in the order of registration, so that a row is an array look-up for any
//! dialect.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use crate::context::{Context, OpName, RowTraits};
use crate::op::{FoldFn, OpDef};
use crate::symbols::{AttributeCheck, Symbols};
use crate::text::{OldOperations, OpSyntax};

/// The dialects that a registry begins with, and what they decide for all dialects.
#[derive(Clone, Copy, Debug)]
pub struct Tables {
    /// Rows; their position over all tables is the number in the constant
    /// [name](OpName::of_row). The first is that of the operation at the root of a file, with
    /// [`RowTraits::ROOT`](crate::context::RowTraits::ROOT).
    pub ops: &'static [&'static [OpDef]],
    /// Types and attributes.
    pub symbols: &'static [&'static Symbols],
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

/// Folds that do not stand in a row.
#[derive(Clone, Copy, Debug)]
pub struct CommonFolds {
    /// Tried before the row's fold.
    pub before: FoldFn,
    /// Tried where neither the row's fold nor its computation gave a result.
    pub after: FoldFn,
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

/// Data of another crate about dialects, such as rewrites of their operations, kept by type.
type Interfaces = HashMap<TypeId, Box<dyn Any + Send + Sync>>;

/// The dialects that a context knows.
pub struct DialectRegistry {
    base: Tables,
    rows: Vec<&'static OpDef>,
    /// The names of the rows.
    names: Vec<OpName>,
    /// Syntax cache, one slot a row; the first use in text fills it.
    syntax: Vec<OnceLock<Box<OpSyntax>>>,
    symbols: Vec<&'static Symbols>,
    checks: Vec<(&'static str, AttributeCheck)>,
    /// Dialects that refuse operations without a row.
    complete: Vec<&'static str>,
    interfaces: Interfaces,
}

impl DialectRegistry {
    /// A registry of these dialects.
    ///
    /// # Panics
    /// If the first row is not that of the [root](OpName::ROOT) of a file, if the constant has no
    /// row, or if there are more rows than names can number: the tables are wrong then, not a
    /// program.
    pub fn of_tables(base: Tables) -> DialectRegistry {
        let mut registry = DialectRegistry {
            base,
            rows: Vec::new(),
            names: Vec::new(),
            syntax: Vec::new(),
            symbols: base.symbols.to_vec(),
            checks: base.attribute_checks.to_vec(),
            complete: base.complete.to_vec(),
            interfaces: Interfaces::new(),
        };
        base.ops.iter().for_each(|table| registry.add_rows(table));
        let root = registry.rows.first().map(|row| row.traits);
        assert!(
            root.is_some_and(|traits| traits.contains(RowTraits::ROOT))
                && registry.names[0] == OpName::ROOT,
            "the first row is the root of a file"
        );
        assert!(
            registry.names.contains(&base.constant),
            "the operation of constants has a row"
        );
        registry
    }

    /// Adds rows, which have the next numbers.
    fn add_rows(&mut self, rows: &'static [OpDef]) {
        for row in rows {
            let name = OpName::of_row(self.rows.len() as u32, row.traits);
            self.names.push(name);
            self.rows.push(row);
            self.syntax.push(OnceLock::new());
        }
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
        for (index, def) in dialect.ops.iter().enumerate() {
            let prefixed = def.name.split_once('.');
            if prefixed.is_none_or(|(prefix, rest)| prefix != name || rest.is_empty()) {
                return fail(format!("`{}` is not named `{name}.…`", def.name));
            }
            if dialect.ops[..index].iter().any(|d| d.name == def.name) {
                return fail(format!("`{}` has two rows", def.name));
            }
        }
        if self.rows.len() + dialect.ops.len() > OpName::MAX_ROWS {
            return fail(format!(
                "a registry has at most {} operations",
                OpName::MAX_ROWS
            ));
        }
        self.add_rows(dialect.ops);
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

    /// The names of all operations with a row, in the order of their numbers.
    pub(crate) fn names(&self) -> &[OpName] {
        &self.names
    }

    /// The operation that makes a constant of an attribute.
    pub(crate) fn constant(&self) -> OpName {
        self.base.constant
    }

    /// Folds that do not stand in a row.
    pub(crate) fn common_folds(&self) -> CommonFolds {
        self.base.folds
    }

    /// Whether operations of this dialect without a row need no permission.
    pub(crate) fn is_open(&self, dialect: &str) -> bool {
        self.base.open.contains(&dialect)
    }

    /// Whether types of this dialect leave out its name inside each other.
    pub(crate) fn nests_short(&self, dialect: &str) -> bool {
        self.base.nests_short.contains(&dialect)
    }

    /// Returns the text of a diagnostic before the name of a type, or attribute, that the dialect
    /// does not define; `None` if the dialect has none of its own.
    pub(crate) fn unknown_symbol(&self, dialect: &str, is_type: bool) -> Option<&'static str> {
        let mut own = self.base.unknown_symbols.iter();
        let (_, [of_type, of_attribute]) = own.find(|(name, _)| *name == dialect)?;
        if is_type { *of_type } else { *of_attribute }
    }

    /// The operations of the older eras of text.
    pub(crate) fn old_operations(&self) -> &OldOperations {
        &self.base.old_operations
    }

    /// Whether a dialect of this name exists upstream.
    pub(crate) fn is_upstream(&self, dialect: &str) -> bool {
        self.base.upstream.binary_search(&dialect).is_ok()
    }

    /// Whether `mlir-opt` knows a dialect of this name.
    pub(crate) fn is_known_upstream(&self, dialect: &str) -> bool {
        // The dialect of mlir-opt's own tests.
        self.is_upstream(dialect) || dialect == "test"
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

/// Rows by name.
impl Context {
    /// Returns the row of a known operation.
    #[inline]
    pub fn op_def(&self, name: OpName) -> Option<&'static OpDef> {
        let row = name.has_row().then(|| name.index())?;
        self.registry().ops().get(row).copied()
    }

    /// Whether an operation is known and has all of these traits.
    #[inline]
    pub fn op_has(&self, name: OpName, traits: impl Into<RowTraits>) -> bool {
        self.op_def(name)
            .is_some_and(|def| def.traits.contains(traits))
    }

    /// The dialect of names without one directly inside an operation; empty if they need one.
    pub(crate) fn default_dialect(&self, name: OpName) -> &'static str {
        self.op_def(name).map_or("", |def| def.default_dialect)
    }

    /// The compiled syntax of a known operation.
    pub(crate) fn op_syntax(&self, name: OpName, compile: impl FnOnce() -> OpSyntax) -> &OpSyntax {
        self.registry().syntax[name.index()].get_or_init(|| Box::new(compile()))
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

/// Reason why a dialect was not registered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegistryError(String);

impl fmt::Display for RegistryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RegistryError {}
