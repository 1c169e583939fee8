//! Formulas of values that a host function computes, in terms of its arguments.

use gridloom_dialects::memref::{self, DimOp};
use gridloom_dialects::{arith, inherent};
use gridloom_ir::body::ValueDef;
use gridloom_ir::{Body, Context, OpId, OpName, Value};

/// Limit of the operations in a formula; longer ones are omitted.
const MAX_SIZE: usize = 64;

/// Formula writer for the values of one host function.
pub(super) struct Formulas<'a> {
    ctx: &'a Context,
    body: &'a Body,
}

impl<'a> Formulas<'a> {
    pub(super) fn new(ctx: &'a Context, body: &'a Body) -> Self {
        Formulas { ctx, body }
    }

    /// Formula of an integer: `argument(N)`, `size(N, D)` and numbers, with `+ - * / %`, where `/`
    /// and `%` truncate, `min(a, b)` and `max(a, b)`. `None` for a value without a formula.
    pub(super) fn scalar(&self, value: Value) -> Option<String> {
        let mut left = MAX_SIZE;
        self.term(value, &mut left)
    }

    /// Origin of an argument of a kernel: `argument(N)`, a buffer that the host allocates, a global,
    /// or a scalar.
    pub(super) fn argument(&self, value: Value) -> Option<String> {
        if self.body.ty(value).memref(self.ctx).is_none() {
            return self.scalar(value);
        }
        let source = self.source(value);
        if let Some(number) = self.argument_number(source) {
            return Some(format!("argument({number})"));
        }
        let op = self.body.defining_op(source)?;
        match self.body[op].name {
            memref::ALLOC | memref::ALLOCA => Some("allocated".to_owned()),
            memref::GET_GLOBAL => {
                let name = self.body[op].get(self.ctx, inherent::NAME)?;
                Some(format!("global({})", self.ctx.str(name)))
            }
            _ => None,
        }
    }

    /// The memref behind any `memref.distinct_objects`.
    fn source(&self, mut value: Value) -> Value {
        for _ in 0..MAX_SIZE {
            let ValueDef::Result(op, index) = self.body[value].def() else {
                break;
            };
            let is_separated = self.body[op].name == memref::DISTINCT_OBJECTS;
            match self.body[op].operands.get(index as usize) {
                Some(&operand) if is_separated => value = operand,
                _ => break,
            }
        }
        value
    }

    /// The number of a value among the arguments of the function.
    fn argument_number(&self, value: Value) -> Option<usize> {
        let entry = self.body.entry()?;
        self.body[entry].args.iter().position(|&arg| arg == value)
    }

    /// Formula of an operand, of at most `left` operations.
    fn term(&self, value: Value, left: &mut usize) -> Option<String> {
        *left = left.checked_sub(1)?;
        if let Some(number) = self.argument_number(value) {
            return Some(format!("argument({number})"));
        }
        if let Some(constant) = arith::constant_int(self.ctx, self.body, value) {
            return Some(constant.to_string());
        }
        let op = self.body.defining_op(value)?;
        let name = self.body[op].name;
        match name {
            memref::DIM => self.size(op),
            arith::INDEX_CAST => self.term(*self.body[op].operands.first()?, left),
            _ => {
                let [first, second] = self.body[op].operands[..] else {
                    return None;
                };
                let (open, middle, close) = spelling(name)?;
                let first = self.term(first, left)?;
                let second = self.term(second, left)?;
                Some(format!("{open}{first}{middle}{second}{close}"))
            }
        }
    }

    /// Formula `size(N, D)` of an argument.
    fn size(&self, op: OpId) -> Option<String> {
        let op = DimOp(op);
        let dimension = op.constant_index(self.ctx, self.body)?;
        let number = self.argument_number(self.source(op.source(self.body)))?;
        Some(format!("size({number}, {dimension})"))
    }
}

/// Spelling of an operation: the text before, between and after its two operands.
fn spelling(name: OpName) -> Option<(&'static str, &'static str, &'static str)> {
    Some(match name {
        arith::ADDI => ("(", " + ", ")"),
        arith::SUBI => ("(", " - ", ")"),
        arith::MULI => ("(", " * ", ")"),
        arith::DIVSI | arith::DIVUI => ("(", " / ", ")"),
        arith::REMSI | arith::REMUI => ("(", " % ", ")"),
        arith::MINSI => ("min(", ", ", ")"),
        arith::MAXSI => ("max(", ", ", ")"),
        _ => return None,
    })
}
