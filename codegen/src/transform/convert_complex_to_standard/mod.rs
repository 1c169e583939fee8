//! `convert-complex-to-standard`: complex numbers as their two parts.
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
//! innermost dimension for the part. So nothing behind this pass knows complex numbers: analyses see
//! accesses of disjoint elements, and kernels are those of plain floats. Functions such as `exp` are
//! copies of MLIR text ([`library`]), which says what it does with special values.
//!
//! All or nothing: what has no counterpart, such as a tensor of complex numbers, is an error at the
//! operation, and the module is left as it was.

mod library;
mod memory;
mod numbers;
mod structure;
mod transfers;
mod types;

use std::collections::{HashMap, HashSet};

use gridloom_ir::dialect::{affine, arith, func, gpu, memref, ub};
use gridloom_ir::text::type_string;
use gridloom_ir::{
    BlockId, Body, Builder, Context, Diagnostic, Diagnostics, Loc, Module, OpId, OpState, Type,
    Value,
};

use library::Library;
use numbers::{Parts, select};
use types::part;
pub use types::{has_complex, type_of_parts};

/// Lowers the complex numbers of a module. Returns whether it has any.
///
/// # Errors
/// The operations and types that have no counterpart.
pub fn convert_complex(ctx: &Context, module: &mut Module) -> Result<bool, Diagnostics> {
    if !is_needed(ctx, module) {
        return Ok(false);
    }
    let mut lowered = module.clone();
    let mut library = Library::default();
    let mut errors = Diagnostics::new();
    let mut bodies = vec![lowered.body_mut()];
    while let Some(body) = bodies.pop() {
        let mut lowering = Lowering::new(ctx, &mut library);
        lowering.run(body);
        errors.append(lowering.errors);
        let owners = body.owners_mut().into_iter();
        bodies.extend(owners.filter_map(|(_, op)| op.isolated_mut()));
    }
    if errors.has_errors() {
        return Err(errors);
    }
    *module = lowered;
    Ok(true)
}

/// Whether a module has complex numbers.
fn is_needed(ctx: &Context, module: &Module) -> bool {
    let mut bodies = vec![module.body()];
    while let Some(body) = bodies.pop() {
        for op in body.walk() {
            let data = &body[op];
            let mut values = data.results().chain(data.operands.iter().copied());
            if values.any(|value| has_complex(ctx, body.ty(value))) || names_complex(ctx, body, op)
            {
                return true;
            }
            bodies.extend(data.isolated());
        }
    }
    false
}

/// Whether a function or a global has complex numbers in the type that it states.
fn names_complex(ctx: &Context, body: &Body, op: OpId) -> bool {
    let name = match body[op].name {
        func::FUNC | gpu::FUNC => "function_type",
        memref::GLOBAL => "type",
        _ => return false,
    };
    let ty = body[op].attr(ctx, name).and_then(|ty| ty.as_type(ctx));
    ty.is_some_and(|ty| has_complex(ctx, ty))
}

/// The state of a body under change.
struct Lowering<'l> {
    ctx: &'l Context,
    library: &'l mut Library,
    /// What stands for each complex value.
    parts: HashMap<Value, [Value; 2]>,
    /// What stood for a complex value that was used before its definition was reached.
    early: HashMap<Value, [Value; 2]>,
    /// The types that values other than complex ones had, where they have another now.
    old: HashMap<Value, Type>,
    /// What takes the place of each value that goes.
    replaced: HashMap<Value, Value>,
    /// The tag arrays of transfers of complex numbers.
    tags: HashSet<Value>,
    errors: Diagnostics,
}

impl<'l> Lowering<'l> {
    fn new(ctx: &'l Context, library: &'l mut Library) -> Self {
        Lowering {
            ctx,
            library,
            parts: HashMap::new(),
            early: HashMap::new(),
            old: HashMap::new(),
            replaced: HashMap::new(),
            tags: HashSet::new(),
            errors: Diagnostics::new(),
        }
    }

    fn run(&mut self, body: &mut Body) {
        let ops = body.walk();
        let regions = (ops.iter()).flat_map(|&op| body[op].inline_regions());
        let blocks: Vec<BlockId> = (body.regions().iter().chain(regions))
            .flat_map(|&region| body[region].blocks.iter().copied())
            .collect();
        for &op in &ops {
            let loc = body[op].loc;
            for value in body[op].results() {
                self.retype(body, value, loc);
            }
        }
        for &block in &blocks {
            let args = body[block].args.to_vec();
            for value in args {
                let loc = body[value].loc;
                self.retype(body, value, loc);
            }
        }
        if self.errors.has_errors() {
            return;
        }
        for block in blocks {
            self.expand_arguments(body, block);
        }
        self.collect_tags(body, &ops);
        for op in ops {
            self.lower(body, op);
        }
        if !self.errors.has_errors() {
            self.finish(body);
        }
    }

    /// Gives a value that is no complex number itself its new type.
    fn retype(&mut self, body: &mut Body, value: Value, loc: Loc) {
        let ty = body.ty(value);
        if !has_complex(self.ctx, ty) || part(self.ctx, ty).is_some() {
            return;
        }
        match type_of_parts(self.ctx, ty) {
            Some(new) => {
                body.set_type(value, new);
                self.old.insert(value, ty);
            }
            None => {
                let ty = type_string(self.ctx, ty);
                let message = format!("complex numbers inside '{ty}' cannot be lowered");
                let help = "keep them in memrefs of static or strided layout: bufferize tensors, \
                            and rank what is unranked";
                self.errors
                    .push(Diagnostic::error(loc, message).with_help(help));
            }
        }
    }

    /// Lowers an operation that a complex number, or a memref of them, goes into or comes out of.
    fn lower(&mut self, body: &mut Body, op: OpId) {
        let ctx = self.ctx;
        let name = body[op].name;
        if names_complex(ctx, body, op) {
            let outcome = match name {
                memref::GLOBAL => memory::global(ctx, body, op),
                _ if structure::expand_signature(ctx, &mut body[op]) => Ok(()),
                _ => Err("has a type without a counterpart".to_owned()),
            };
            return self.report(body, op, outcome);
        }
        if self.is_wait(body, op) {
            return transfers::double_wait(ctx, body, op);
        }
        let data = &body[op];
        let values: Vec<Value> = data
            .results()
            .chain(data.operands.iter().copied())
            .collect();
        let is_number = |value: &Value| part(ctx, body.ty(*value)).is_some();
        let has_numbers = values.iter().any(is_number);
        if !has_numbers && !values.iter().any(|&value| self.is_changed(value)) {
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
            _ if structure::PASSING.contains(&name) => {
                if has_numbers {
                    self.pass_on(body, op);
                }
            }
            arith::SELECT
            | func::CONSTANT
            | memref::LOAD
            | memref::STORE
            | affine::LOAD
            | affine::STORE => {}
            _ if memory::UNCHANGED.contains(&name) => {}
            _ => {
                let outcome = self.view(&mut Builder::before(ctx, body, op), op);
                if let Ok(Some(value)) = outcome {
                    self.replace(body[op].result(0), value);
                    body.erase(op);
                }
                self.report(body, op, outcome.map(|_| ()));
            }
        }
    }

    fn lower_number(&mut self, body: &mut Body, op: OpId) {
        let result = body[op].result(0);
        match self.number(&mut Builder::before(self.ctx, body, op), op) {
            Ok(Parts::Number(value)) => self.replace(result, value),
            Ok(Parts::Complex(parts)) => self.define(result, parts),
            Err(why) => return self.errors.error(body[op].loc, why),
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
            self.errors
                .push(Diagnostic::error(body[op].loc, message).with_help(help));
        }
    }

    /// The parts of a complex value; `None` for another. Blocks need not stand in the order in which
    /// they run, so the definition may still be to come: then values stand in that [`Self::finish`]
    /// replaces.
    fn parts_of(&mut self, body: &mut Body, value: Value) -> Option<[Value; 2]> {
        if let Some(&parts) = self.parts.get(&value) {
            return Some(parts);
        }
        let part = part(self.ctx, body.ty(value))?;
        let parts = *self.early.entry(value).or_insert_with(|| {
            [0, 1].map(|_| {
                // Never inserted into a block.
                let op = body.create_op(OpState::new(ub::POISON, Loc::UNKNOWN).results(&[part]));
                body[op].result(0)
            })
        });
        Some(parts)
    }

    fn define(&mut self, value: Value, parts: [Value; 2]) {
        for (early, part) in self.early.remove(&value).into_iter().flatten().zip(parts) {
            self.replaced.insert(early, part);
        }
        self.parts.insert(value, parts);
    }

    /// Has `new` take the place of `value`, whose old type it inherits.
    fn replace(&mut self, value: Value, new: Value) {
        if let Some(&ty) = self.old.get(&value) {
            self.old.insert(new, ty);
        }
        self.replaced.insert(value, new);
    }

    fn is_changed(&self, value: Value) -> bool {
        self.old.contains_key(&value)
    }

    /// The type of a value before this pass.
    fn old_type(&self, body: &Body, value: Value) -> Type {
        self.old.get(&value).copied().unwrap_or(body.ty(value))
    }

    /// Puts everything in the place of what it replaces.
    fn finish(&mut self, body: &mut Body) {
        let replaced = &self.replaced;
        let mut circular = false;
        body.replace_values(|value| {
            let chain = std::iter::successors(Some(value), |value| replaced.get(value).copied());
            // A value of unreachable code may be defined by itself.
            let mut chain = chain.take(replaced.len() + 2);
            let (steps, last) = chain.by_ref().enumerate().last().unwrap_or((0, value));
            circular |= steps > replaced.len();
            last
        });
        if circular {
            let loc = body.walk().first().map_or(Loc::UNKNOWN, |&op| body[op].loc);
            let message = "a complex number is defined by itself in code that never runs";
            self.errors.push(
                Diagnostic::error(loc, message).with_help("remove that code, as canonicalize does"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use gridloom_ir::types::FloatKind;

    use super::library::Library;

    #[test]
    fn the_library_parses_for_every_format_and_width() {
        let ctx = gridloom_ir::Context::new();
        for kind in [FloatKind::F32, FloatKind::F64] {
            for width in 2..=64 {
                Library::default().check(&ctx, kind, width);
            }
        }
    }
}
