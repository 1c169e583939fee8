//! The verifier's view of an operation and its surroundings.

use std::sync::{Mutex, PoisonError};

use super::{Checked, Checks, OpChecks, verify_alone};
use crate::body::{Body, OpData, OpId, Value, ValueDef};
use crate::context::signature::OpSignature;
use crate::context::{Context, Ident};
use crate::context::{OpName, RowTraits, Traits};
use crate::diag::Diagnostic;
use crate::hash::FxHashMap;
use crate::module::SymbolTable;
use crate::text::type_string;
use crate::types::Type;

/// A body under verification, linked to the enclosing bodies.
#[derive(Debug)]
pub struct Scope<'a> {
    pub(super) ctx: &'a Context,
    pub(super) body: &'a Body,
    pub(super) checks: &'a Checks,
    /// The operation that owns the body, and its scope.
    pub(super) outer: Option<(&'a Scope<'a>, OpId)>,
    /// The symbols of the body, if its owner is a symbol table.
    pub(super) symbols: Option<SymbolTable>,
    /// Symbol tables of operations of the body, made on first look-up.
    pub(super) tables: Mutex<FxHashMap<OpId, SymbolTable>>,
    pub(super) depth: usize,
}

/// An operation under verification; its methods answer the queries of checks.
#[derive(Clone, Copy, Debug)]
pub struct Check<'a> {
    pub(super) scope: &'a Scope<'a>,
    /// The operation.
    pub op: OpId,
}

impl<'a> Check<'a> {
    /// The context.
    pub fn ctx(&self) -> &'a Context {
        self.scope.ctx
    }

    /// The body the operation is in.
    pub fn body(&self) -> &'a Body {
        self.scope.body
    }

    /// The operation's fields.
    pub fn data(&self) -> &'a OpData {
        &self.scope.body[self.op]
    }

    /// The type of operand `index`.
    pub fn operand_type(&self, index: usize) -> Type {
        self.body().ty(self.data().operands[index])
    }

    /// The types of the operands.
    pub fn operand_types(&self) -> impl ExactSizeIterator<Item = Type> + Clone + use<'a> {
        self.types_of(&self.data().operands)
    }

    /// The types of values.
    pub fn types_of<'v>(
        &self,
        values: &'v [Value],
    ) -> impl ExactSizeIterator<Item = Type> + Clone + use<'a, 'v> {
        let body = self.body();
        values.iter().map(move |&value| body.ty(value))
    }

    /// The type of result `index`.
    pub fn result_type(&self, index: usize) -> Type {
        self.body().ty(self.data().result(index))
    }

    /// The types of the results.
    pub fn result_types(&self) -> impl ExactSizeIterator<Item = Type> + Clone + use<'a> {
        let body = self.body();
        self.data().results().map(move |value| body.ty(value))
    }

    /// An error on this operation: `'arith.addi' op message`.
    pub fn error(&self, message: impl AsRef<str>) -> Diagnostic {
        let data = self.data();
        let name = self.ctx().op_name_str(data.name);
        Diagnostic::error(data.loc, format!("'{name}' op {}", message.as_ref()))
    }

    /// Fails with `message` unless a condition holds. Pass composed messages as
    /// `format_args!`, so that they are formatted only on failure.
    pub fn ensure(&self, holds: bool, message: impl std::fmt::Display) -> Checked {
        if holds {
            Ok(())
        } else {
            Err(self.error(message.to_string()))
        }
    }

    /// A type as text, for diagnostics.
    pub fn show(&self, ty: Type) -> String {
        type_string(self.ctx(), ty)
    }

    /// The enclosing operation, isolated or not, and its body.
    pub fn parent(&self) -> Option<Check<'a>> {
        match self.body().parent_op(self.op) {
            Some(op) => Some(Check { op, ..*self }),
            None => self.scope.owner(),
        }
    }

    /// The closest enclosing operation that `fits`.
    pub fn ancestor(&self, fits: impl Fn(&OpData) -> bool) -> Option<Check<'a>> {
        let mut at = self.parent()?;
        while !fits(at.data()) {
            at = at.parent()?;
        }
        Some(at)
    }

    /// The operation that defines a value.
    pub fn definition(&self, value: Value) -> Option<Check<'a>> {
        match self.body()[value].def() {
            ValueDef::Result(op, _) => Some(Check { op, ..*self }),
            ValueDef::Argument(..) => None,
        }
    }

    /// The operation's name.
    pub fn name(&self) -> OpName {
        self.data().name
    }

    /// The signature of the operation, if it is known.
    pub fn def(&self) -> Option<&'static OpSignature> {
        self.ctx().op_signature(self.name())
    }

    /// The part of the operation's row that the verifier runs, if it is known.
    #[inline]
    pub(super) fn row(&self) -> Option<&'static OpChecks> {
        self.scope.checks.row(self.name())
    }

    /// Whether the operation is known and has all of these traits.
    pub fn has(&self, traits: impl Into<RowTraits>) -> bool {
        self.ctx().op_has(self.name(), traits)
    }

    /// Resolves a flat symbol in the closest enclosing symbol table.
    pub fn lookup(&self, symbol: Ident) -> Option<Check<'a>> {
        let scope = self.scope.symbol_scope()?;
        let op = scope.symbols.as_ref()?.get(symbol)?;
        Some(Check { scope, op })
    }

    /// Resolves a symbol in the body of an enclosing operation.
    pub fn member_of(&self, owner: &Check<'a>, symbol: Ident) -> Option<Check<'a>> {
        let mut scope = self.scope;
        loop {
            let (outer, op) = scope.outer?;
            if op == owner.op && std::ptr::eq(outer, owner.scope) {
                let op = scope.symbols.as_ref()?.get(symbol)?;
                return Some(Check { scope, op });
            }
            scope = outer;
        }
    }

    /// Resolves a symbol in the body that this operation owns. Its symbol table is
    /// built once.
    pub fn holds(&self, symbol: Ident) -> Option<(&'a Body, OpId)> {
        let body = self.data().isolated()?;
        let tables = self.scope.tables.lock();
        let mut tables = tables.unwrap_or_else(PoisonError::into_inner);
        let table = tables
            .entry(self.op)
            .or_insert_with(|| SymbolTable::of(self.ctx(), body));
        Some((body, table.get(symbol)?))
    }
}

impl<'a> Scope<'a> {
    /// The scope of a body inside its owner.
    pub fn of(ctx: &'a Context, body: &'a Body, outer: Option<(&'a Scope<'a>, OpId)>) -> Scope<'a> {
        let holds_symbols = |(scope, op): (&Scope, OpId)| {
            let name = scope.body[op].name;
            scope.ctx.op_has(name, Traits::SYMBOL_TABLE)
        };
        Scope {
            ctx,
            body,
            checks: outer.map_or_else(|| Checks::of(ctx), |(scope, _)| scope.checks),
            outer,
            symbols: outer
                .is_some_and(holds_symbols)
                .then(|| SymbolTable::of(ctx, body)),
            tables: Mutex::default(),
            depth: outer.map_or(0, |(scope, _)| scope.depth + 1),
        }
    }

    /// The body.
    pub fn body(&self) -> &'a Body {
        self.body
    }

    /// Whether an operation verifies by itself, ignoring nested operations and the
    /// dominance of its operands.
    pub fn accepts(&self, op: OpId) -> bool {
        verify_alone(&Check { scope: self, op }, false).is_ok()
    }

    /// The operation that owns this body.
    pub(super) fn owner(&self) -> Option<Check<'a>> {
        let (scope, op) = self.outer?;
        Some(Check { scope, op })
    }

    /// The closest enclosing scope with a symbol table.
    pub(super) fn symbol_scope(&'a self) -> Option<&'a Scope<'a>> {
        let mut scope = self;
        while scope.symbols.is_none() {
            scope = scope.outer?.0;
        }
        Some(scope)
    }
}
