//! `convert-complex-to-standard`: lowers complex numbers to their two parts.
//!
//! ```text
//! func.func @f(%z: complex<f32>,                func.func @f(%x: f32, %y: f32,
//!              %m: memref<?xcomplex<f32>>) { ⇒               %m: memref<?x2xf32>) {
//!   %w = complex.neg %z : complex<f32>            %u = arith.negf %x : f32
//!                                                 %v = arith.negf %y : f32
//!   affine.store %w, %m[%i]                       affine.store %u, %m[%i, 0]
//!                                                 affine.store %v, %m[%i, 1]
//! ```
//!
//! A value becomes two, in signatures, calls, branches and loops as well, and a memref gets an
//! innermost dimension for the part. So no later pass sees complex numbers: analyses see accesses
//! of disjoint elements, and kernels are those of plain floats. Functions such as `exp` are copies
//! of MLIR text ([`library`]), which documents special values.
//!
//! All or nothing: an operation or type without a counterpart, such as a tensor of complex numbers,
//! is an error, and the module is not changed.

mod accesses;
mod library;
mod numbers;
mod structure;

use gridloom_dialects::{affine, arith, func, memref, ub};
use gridloom_ir::{Body, Builder, Context, Diagnostic, Diagnostics, Module, OpId, Type, Value};

use super::compound_elements::{
    Compound, Expansion, UNCHANGED, blocks, expand_global, lower_module, part, states_compound,
};
use super::value_splitting::{CALLS, PASSING, ValueParts};
use library::Library;
use numbers::{Parts, select};

/// Lowers the complex numbers of a module. Returns whether it has any.
///
/// # Errors
/// The operations and types that have no counterpart.
pub fn convert_complex(ctx: &Context, module: &mut Module) -> Result<bool, Diagnostics> {
    let mut library = Library::default();
    lower_module(ctx, module, Compound::Complex, |body| {
        let mut lowering = Lowering::new(ctx, &mut library);
        lowering.run(body);
        lowering.memrefs.errors
    })
}

/// The memref type of parts for a memref type of complex numbers.
pub fn type_of_parts(ctx: &Context, ty: Type) -> Option<Type> {
    Compound::Complex.expanded(ctx, ty)
}

/// Body being lowered.
struct Lowering<'l> {
    ctx: &'l Context,
    library: &'l mut Library,
    memrefs: Expansion<'l>,
    numbers: ValueParts<'l>,
}

/// The types of the parts of a complex type.
fn two_parts(ctx: &Context, ty: Type) -> Option<Vec<Type>> {
    part(ctx, ty).map(|part| vec![part, part])
}

impl<'l> Lowering<'l> {
    fn new(ctx: &'l Context, library: &'l mut Library) -> Self {
        Lowering {
            ctx,
            library,
            memrefs: Expansion::new(ctx, Compound::Complex),
            numbers: ValueParts::new(ctx, two_parts),
        }
    }

    fn run(&mut self, body: &mut Body) {
        let ops = body.walk();
        let blocks = blocks(body, &ops);
        if !self.memrefs.retype_all(body, &ops, &blocks) {
            return;
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
    }

    /// Lowers an operation with complex operands or results, or memrefs of them.
    fn lower(&mut self, body: &mut Body, op: OpId) {
        let ctx = self.ctx;
        let name = body[op].name;
        if states_compound(ctx, body, op, Compound::Complex) {
            let outcome = match name {
                memref::GLOBAL => expand_global(ctx, body, op, Compound::Complex),
                _ if structure::expand_signature(ctx, &mut body[op]) => Ok(()),
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
        let is_number = |value: &Value| part(ctx, body.ty(*value)).is_some();
        let has_numbers = values.iter().any(is_number);
        if !has_numbers && !values.iter().any(|&value| self.memrefs.is_changed(value)) {
            return;
        }
        if ctx.op_name_str(name).starts_with("complex.") {
            return self.lower_number(body, op);
        }
        match name {
            arith::SELECT if has_numbers => self.lower_select(body, op),
            memref::LOAD | affine::LOAD if has_numbers => {
                let parts = self.load(&mut Builder::before(ctx, body, op), op);
                self.define(body[op].result(0), parts);
                body.erase(op);
            }
            memref::STORE | affine::STORE if has_numbers => {
                if let Some(parts) = self.parts_of(body, body[op].operands[0]) {
                    self.store(&mut Builder::before(ctx, body, op), op, parts);
                }
                body.erase(op);
            }
            ub::POISON => self.lower_poison(body, op),
            _ if PASSING.contains(&name) || CALLS.contains(&name) => {
                if has_numbers {
                    self.numbers.pass_on(body, op);
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
        match self.number(&mut Builder::before(self.ctx, body, op), op) {
            Ok(Parts::Number(value)) => self.memrefs.replace(result, value),
            Ok(Parts::Complex(parts)) => self.define(result, parts),
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
            let message = format!("'{name}' of complex numbers cannot be lowered: it {why}");
            let help = "take the numbers apart by 'complex.re' and 'complex.im' before it";
            (self.memrefs.errors).push(Diagnostic::error(body[op].loc, message).with_help(help));
        }
    }

    /// Lowers poison to poison in both parts.
    fn lower_poison(&mut self, body: &mut Body, op: OpId) {
        let result = body[op].result(0);
        let Some(ty) = part(self.ctx, body.ty(result)) else {
            return;
        };
        let b = &mut Builder::before(self.ctx, body, op);
        let parts = [0, 1].map(|_| b.unary(ub::POISON, &[], ty));
        self.define(result, parts);
        body.erase(op);
    }

    /// The parts of a complex value; `None` for other values.
    fn parts_of(&mut self, body: &mut Body, value: Value) -> Option<[Value; 2]> {
        self.numbers.parts_of(body, value)?.try_into().ok()
    }

    fn define(&mut self, value: Value, parts: [Value; 2]) {
        self.numbers.define(value, parts.to_vec());
    }
}

#[cfg(test)]
mod tests {
    use gridloom_ir::types::FloatKind;

    use super::library::Library;

    #[test]
    fn the_library_parses_for_every_format_and_width() {
        let ctx = gridloom_dialects::context();
        for kind in [FloatKind::F32, FloatKind::F64] {
            for width in 2..=64 {
                Library::default().check(&ctx, kind, width);
            }
        }
    }
}
