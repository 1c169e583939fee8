//! Builder: an insertion cursor that creates operations at one place of a body.

use crate::attr::Attr;
use crate::attr_names;
use crate::body::{BlockId, Body, OpId, OpState, Value};
use crate::clone::IrMapping;
use crate::context::Context;
use crate::context::OpName;
use crate::location::Loc;
use crate::types::Type;

/// Insertion point of a [`Builder`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InsertPoint {
    /// At the end of a block.
    End(BlockId),
    /// Before an operation.
    Before(OpId),
    /// At the start of a block; a run of insertions comes out in order.
    Start(BlockId),
}

/// Inserts operations, one after the other, at one place.
#[derive(Debug)]
pub struct Builder<'a> {
    /// The context of the body.
    pub ctx: &'a Context,
    /// The body that the builder inserts into.
    pub body: &'a mut Body,
    /// The location given to new operations.
    pub loc: Loc,
    at: InsertPoint,
}

impl<'a> Builder<'a> {
    /// A builder at `at`.
    pub fn new(ctx: &'a Context, body: &'a mut Body, at: InsertPoint, loc: Loc) -> Self {
        let mut builder = Builder { ctx, body, loc, at };
        builder.set(at);
        builder
    }

    /// A builder at the end of a block.
    pub fn at_end(ctx: &'a Context, body: &'a mut Body, block: BlockId, loc: Loc) -> Self {
        Self::new(ctx, body, InsertPoint::End(block), loc)
    }

    /// A builder before an operation, with its location.
    pub fn before(ctx: &'a Context, body: &'a mut Body, op: OpId) -> Self {
        let loc = body[op].loc;
        Self::new(ctx, body, InsertPoint::Before(op), loc)
    }

    /// Moves the cursor.
    pub fn set(&mut self, at: InsertPoint) {
        self.at = match at {
            InsertPoint::Start(block) => match self.body[block].first() {
                Some(first) => InsertPoint::Before(first),
                None => InsertPoint::End(block),
            },
            other => other,
        };
    }

    /// The current insertion point.
    pub fn point(&self) -> InsertPoint {
        self.at
    }

    /// Inserts a detached operation.
    pub fn insert(&mut self, op: OpId) -> OpId {
        match self.at {
            InsertPoint::End(block) | InsertPoint::Start(block) => self.body.append(block, op),
            InsertPoint::Before(anchor) => self.body.insert_before(anchor, op),
        }
        op
    }

    /// Creates and inserts an operation.
    pub fn create(&mut self, state: OpState) -> OpId {
        let op = self.body.create_op(state);
        self.insert(op)
    }

    /// Inserts a copy of an operation of this body, regions included, as MLIR's `OpBuilder::clone` does: operands are
    /// mapped, and `map` gets what the copy defines. Returns the copy.
    pub fn insert_copy(&mut self, op: OpId, map: &mut IrMapping) -> OpId {
        let copy = self.body.clone_op(op, map);
        self.insert(copy)
    }

    /// Inserts copies of operations, in order, each mapped by those before ([`Builder::insert_copy`]).
    pub fn insert_copies(&mut self, ops: &[OpId], map: &mut IrMapping) {
        for &op in ops {
            self.insert_copy(op, map);
        }
    }

    /// An operation state of this name with the builder's location.
    pub fn state(&self, name: OpName) -> OpState {
        OpState::new(name, self.loc)
    }

    /// Creates an operation of one result and returns the result.
    pub fn unary(&mut self, name: OpName, operands: &[Value], result: Type) -> Value {
        let op = self.create(self.state(name).operands(operands).results(&[result]));
        self.body[op].result(0)
    }

    /// Creates an operation of two operands whose result has their type.
    pub fn binary(&mut self, name: OpName, lhs: Value, rhs: Value) -> Value {
        let ty = self.body.ty(lhs);
        self.unary(name, &[lhs, rhs], ty)
    }

    /// The constant `value` of type `ty`, by the operation that the registry names:
    /// `arith.constant value`.
    pub fn constant(&mut self, value: Attr, ty: Type) -> Value {
        let name = self.ctx.registry().constant();
        let state = self
            .state(name)
            .results(&[ty])
            .property(self.ctx, attr_names::VALUE, value);
        let op = self.create(state);
        self.body[op].result(0)
    }

    /// `arith.constant value : index`
    pub fn index_constant(&mut self, value: i64) -> Value {
        self.constant(self.ctx.index_attr(value), self.ctx.index_type())
    }
}
