//! Values that become two: complex numbers as their parts, wide integers as their halves.
//!
//! ```text
//! %w = scf.if %c -> complex<f32> { … yield %z }   ⇒   %u, %v = scf.if %c -> (f32, f32) { … yield %x, %y }
//! affine.store %w, %m[%i]                             affine.store %u, %m[%i, 0]; affine.store %v, %m[%i, 1]
//! ```
//!
//! The driver lowers what passes such values on, stores and loads them; [`Rules`] lower what computes with them.

use gridloom_dialects::{affine, arith, func, memref, ub};
use gridloom_ir::{Body, Builder, Context, Diagnostic, Diagnostics, OpId, OpName, Type, Value};

use super::accesses::{load_parts, store_parts};
use super::signature::expand_signature;
use super::{Compound, Expansion, UNCHANGED, blocks, expand_global, states_compound};
use crate::transform::value_splitting::{CALLS, PASSING, ValueParts};

/// Lowered result of an operation.
pub enum Lowered {
    /// A value of a type that stays.
    One(Value),
    /// Both parts of a value.
    Two([Value; 2]),
}

/// Rules of a kind of values that become two.
pub trait Rules: Sized {
    /// The kind.
    const COMPOUND: Compound;
    /// Advice of the diagnostic for an operation that cannot be lowered.
    const HELP: &'static str;

    /// Whether [`Rules::number`] lowers operations of this name that have such operands or results.
    fn computes(ctx: &Context, name: OpName) -> bool;

    /// Whether an operation that passes values on does nothing else with those that become two.
    fn only_passes(_ctx: &Context, _body: &Body, _op: OpId) -> bool {
        true
    }

    /// Lowers an operation, in front of it.
    ///
    /// # Errors
    /// The reason why it cannot be lowered.
    fn number(pairs: &mut Pairs<Self>, b: &mut Builder, op: OpId) -> Result<Lowered, String>;
}

/// Body being lowered.
pub struct Pairs<'l, R> {
    ctx: &'l Context,
    pub rules: R,
    memrefs: Expansion<'l>,
    numbers: ValueParts<'l>,
}

fn split<R: Rules>(ctx: &Context, ty: Type) -> Option<Vec<Type>> {
    R::COMPOUND.parts(ctx, ty).map(Vec::from)
}

impl<'l, R: Rules> Pairs<'l, R> {
    /// Starts the lowering of a body.
    pub fn new(ctx: &'l Context, rules: R) -> Self {
        Pairs {
            ctx,
            rules,
            memrefs: Expansion::new(ctx, R::COMPOUND),
            numbers: ValueParts::new(ctx, split::<R>),
        }
    }

    /// Lowers the body. Returns the errors.
    pub fn run(mut self, body: &mut Body) -> Diagnostics {
        let ops = body.walk();
        let blocks = blocks(body, &ops);
        if !self.memrefs.retype_all(body, &ops, &blocks) {
            return self.memrefs.errors;
        }
        for block in blocks {
            self.numbers.expand_arguments(body, block);
        }
        self.memrefs.collect_tags(body, &ops);
        for op in ops {
            self.lower(body, op);
        }
        let numbers = std::mem::take(&mut self.numbers.replaced);
        self.memrefs.replaced.append(numbers);
        self.memrefs.finish(body);
        self.memrefs.errors
    }

    /// Lowers an operation with such operands or results, or memrefs of them.
    fn lower(&mut self, body: &mut Body, op: OpId) {
        let ctx = self.ctx;
        let name = body[op].name;
        if states_compound(ctx, body, op, R::COMPOUND) {
            let outcome = match name {
                memref::GLOBAL => expand_global(ctx, body, op, R::COMPOUND),
                _ if expand_signature(ctx, &mut body[op], R::COMPOUND) => Ok(()),
                _ => Err("uses the memref in a type that cannot be rewritten".to_owned()),
            };
            return self.report(body, op, outcome);
        }
        if let Some(tag) = self.memrefs.awaited_tag(body, op) {
            return self.memrefs.scale_wait(body, op, tag);
        }
        let data = &body[op];
        let values: Vec<Value> = data
            .results()
            .chain(data.operands.iter().copied())
            .collect();
        let is_number = |value: &Value| R::COMPOUND.parts(ctx, body.ty(*value)).is_some();
        let has_numbers = values.iter().any(is_number);
        if !has_numbers && !values.iter().any(|&value| self.memrefs.is_changed(value)) {
            return;
        }
        if has_numbers && R::computes(ctx, name) {
            return self.lower_number(body, op);
        }
        match name {
            arith::SELECT if has_numbers => self.lower_select(body, op),
            memref::LOAD | affine::LOAD if has_numbers => {
                let parts = load_parts(&mut Builder::before(ctx, body, op), op);
                self.define(body[op].result(0), parts);
                body.erase(op);
            }
            memref::STORE | affine::STORE if has_numbers => {
                if let Some(parts) = self.parts_of(body, body[op].operands[0]) {
                    store_parts(&mut Builder::before(ctx, body, op), op, parts);
                }
                body.erase(op);
            }
            ub::POISON => self.lower_poison(body, op),
            _ if PASSING.contains(&name) || CALLS.contains(&name) => {
                match has_numbers && !R::only_passes(ctx, body, op) {
                    true => self.report(body, op, Err("counts in them".to_owned())),
                    false if has_numbers => self.numbers.pass_on(body, op),
                    false => {}
                }
            }
            arith::SELECT
            | func::CONSTANT
            | memref::LOAD
            | memref::STORE
            | affine::LOAD
            | affine::STORE => {}
            _ if UNCHANGED.contains(&name) => {}
            _ => {
                let outcome = (self.memrefs).view(&mut Builder::before(ctx, body, op), op);
                if let Ok(Some(value)) = outcome {
                    self.memrefs.replace(body[op].result(0), value);
                    body.erase(op);
                }
                self.report(body, op, outcome.map(|_| ()));
            }
        }
    }

    fn lower_number(&mut self, body: &mut Body, op: OpId) {
        let result = body[op].result(0);
        match R::number(self, &mut Builder::before(self.ctx, body, op), op) {
            Ok(Lowered::One(value)) => self.memrefs.replace(result, value),
            Ok(Lowered::Two(parts)) => self.define(result, parts),
            Err(why) => return self.memrefs.errors.error(body[op].loc, why),
        }
        body.erase(op);
    }

    fn lower_select(&mut self, body: &mut Body, op: OpId) {
        let [condition, yes, no] = [0, 1, 2].map(|at| body[op].operands[at]);
        if let (Some(yes), Some(no)) = (self.parts_of(body, yes), self.parts_of(body, no)) {
            let b = &mut Builder::before(self.ctx, body, op);
            let parts = select(b, condition, [yes, no]);
            self.define(body[op].result(0), parts);
        }
        body.erase(op);
    }

    fn report(&mut self, body: &Body, op: OpId, outcome: Result<(), String>) {
        if let Err(why) = outcome {
            let name = self.ctx.op_name_str(body[op].name);
            let noun = R::COMPOUND.noun();
            let message = format!("'{name}' of {noun} cannot be lowered: it {why}");
            let error = Diagnostic::error(body[op].loc, message).with_help(R::HELP);
            self.memrefs.errors.push(error);
        }
    }

    /// Lowers poison to poison in both parts.
    fn lower_poison(&mut self, body: &mut Body, op: OpId) {
        let result = body[op].result(0);
        let Some(types) = R::COMPOUND.parts(self.ctx, body.ty(result)) else {
            return;
        };
        let b = &mut Builder::before(self.ctx, body, op);
        let parts = types.map(|ty| b.unary(ub::POISON, &[], ty));
        self.define(result, parts);
        body.erase(op);
    }

    /// The parts of a value; `None` for values that stay one.
    pub fn parts_of(&mut self, body: &mut Body, value: Value) -> Option<[Value; 2]> {
        self.numbers.parts_of(body, value)?.try_into().ok()
    }

    fn define(&mut self, value: Value, parts: [Value; 2]) {
        self.numbers.define(value, parts.to_vec());
    }
}

/// Emits `arith.select` of both parts.
pub fn select(b: &mut Builder, condition: Value, [yes, no]: [[Value; 2]; 2]) -> [Value; 2] {
    [0, 1].map(|at| arith::select(b, condition, yes[at], no[at]))
}
