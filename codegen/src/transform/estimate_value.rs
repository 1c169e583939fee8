//! Materialization of estimates: emits the number that an estimate is in a run, as a float of 64 bits.

use std::collections::HashMap;

use gridloom_dialects::arith;
use gridloom_ir::types::FloatKind;
use gridloom_ir::{Builder, Value};

use super::atom_value::atom_value;
use crate::analysis::estimate::{Estimate, Fold, Rule};
use crate::analysis::reduction::float_attr;
use crate::analysis::values::Atom;

/// Emits two estimates; `None` where an atom is one that only an analysis introduces.
pub(super) fn estimate_values(b: &mut Builder, estimates: &[Estimate; 2]) -> Option<[Value; 2]> {
    let mut made = HashMap::new();
    let mut emitter = Emitter { b };
    let [one, other] = (estimates.each_ref()).map(|e| e.fold(&mut emitter, &mut made));
    Some([one?, other?])
}

struct Emitter<'e, 'b> {
    b: &'e mut Builder<'b>,
}

impl Fold for Emitter<'_, '_> {
    type Out = Option<Value>;

    fn number(&mut self, number: f64) -> Option<Value> {
        let b = &mut *self.b;
        let ty = b.ctx.float_type(FloatKind::F64);
        let attr = float_attr(b.ctx, ty, number)?;
        Some(b.constant(attr, ty))
    }

    fn atom(&mut self, atom: Atom) -> Option<Value> {
        let b = &mut *self.b;
        let index = atom_value(b, atom)?;
        let integer = b.unary(arith::INDEX_CAST, &[index], b.ctx.int_type(64));
        Some(b.unary(arith::SITOFP, &[integer], b.ctx.float_type(FloatKind::F64)))
    }

    fn both(&mut self, rule: Rule, parts: [Option<Value>; 2]) -> Option<Value> {
        let name = match rule {
            Rule::Sum => arith::ADDF,
            Rule::Product => arith::MULF,
            Rule::Quotient => arith::DIVF,
            Rule::Greatest => arith::MAXIMUMF,
            Rule::Least => arith::MINIMUMF,
        };
        let [Some(one), Some(other)] = parts else {
            return None;
        };
        Some(self.b.binary(name, one, other))
    }
}
