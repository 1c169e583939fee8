//! Table of the text form: what the reader and the printer know of operations, types and attributes.

use std::sync::OnceLock;

use super::legacy::OldOperations;
use super::op_form::OpForm;
use super::op_syntax::{self, OpSyntax};
use super::symbols::Symbols;
use crate::context::dialect_registry::DialectRegistry;
use crate::context::signature::OpSignature;
use crate::context::{Context, OpName};

/// A known operation in text: its form, and its compiled syntax.
#[derive(Debug)]
struct Row {
    form: &'static OpForm,
    /// Syntax cache; the first use in text fills it.
    syntax: OnceLock<Box<OpSyntax>>,
}

/// Table of the text form: rows by number, types and attributes by dialect.
#[derive(Debug)]
pub(crate) struct Forms {
    rows: Vec<Row>,
    symbols: Vec<&'static Symbols>,
    /// Dialects whose types leave out its name inside each other.
    nests_short: &'static [&'static str],
    /// Dialects that have words of their own for types and attributes that they do not define.
    unknown_symbols: &'static [(&'static str, [Option<&'static str>; 2])],
    old_operations: OldOperations,
}

impl Forms {
    pub(crate) fn new(
        nests_short: &'static [&'static str],
        unknown_symbols: &'static [(&'static str, [Option<&'static str>; 2])],
        old_operations: OldOperations,
    ) -> Forms {
        Forms {
            rows: Vec::new(),
            symbols: Vec::new(),
            nests_short,
            unknown_symbols,
            old_operations,
        }
    }

    /// Returns the table of a context.
    #[inline]
    pub(crate) fn of(ctx: &Context) -> &Forms {
        ctx.registry().table()
    }

    /// Adds the form of the next row.
    pub(crate) fn add_row(&mut self, form: &'static OpForm) {
        let syntax = OnceLock::new();
        self.rows.push(Row { form, syntax });
    }

    /// Adds the types and attributes of a dialect.
    pub(crate) fn add_symbols(&mut self, symbols: &'static Symbols) {
        self.symbols.push(symbols);
    }

    /// The form of a known operation.
    #[inline]
    pub(super) fn row(&self, name: OpName) -> Option<&'static OpForm> {
        let row = name.has_row().then(|| name.index())?;
        self.rows.get(row).map(|row| row.form)
    }

    /// The dialect of names without one directly inside an operation; empty if they need one.
    pub(super) fn default_dialect(&self, name: OpName) -> &'static str {
        self.row(name).map_or("", |form| form.default_dialect)
    }

    /// The compiled syntax of a known operation.
    pub(crate) fn syntax(
        &self,
        ctx: &Context,
        name: OpName,
        signature: &'static OpSignature,
    ) -> &OpSyntax {
        let row = &self.rows[name.index()];
        let compile = || Box::new(op_syntax::compile(ctx, signature, row.form));
        row.syntax.get_or_init(compile)
    }

    /// The types and attributes of a dialect that defines any, or says that it has none.
    pub(super) fn symbols(&self, dialect: &str) -> Option<&'static Symbols> {
        self.symbols.iter().copied().find(|s| s.dialect == dialect)
    }

    /// Whether types of this dialect leave out its name inside each other.
    pub(super) fn nests_short(&self, dialect: &str) -> bool {
        self.nests_short.contains(&dialect)
    }

    /// Returns the text of a diagnostic before the name of a type, or attribute, that the dialect
    /// does not define; `None` if the dialect has none of its own.
    pub(super) fn unknown_symbol(&self, dialect: &str, is_type: bool) -> Option<&'static str> {
        let mut own = self.unknown_symbols.iter();
        let (_, [of_type, of_attribute]) = own.find(|(name, _)| *name == dialect)?;
        if is_type { *of_type } else { *of_attribute }
    }

    /// The operations of the older eras of text.
    pub(super) fn old_operations(&self) -> &OldOperations {
        &self.old_operations
    }
}

/// Types and attributes by dialect.
impl DialectRegistry {
    /// The types and attributes of a dialect that defines any, or says that it has none.
    pub fn symbols(&self, dialect: &str) -> Option<&'static Symbols> {
        self.table::<Forms>().symbols(dialect)
    }

    /// Whether a dialect of this name has operations, types or attributes.
    pub(crate) fn has(&self, dialect: &str) -> bool {
        self.symbols(dialect).is_some() || self.has_ops(dialect)
    }
}
