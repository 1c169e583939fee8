//! Versions of a function that takes its arguments in another shape, and the function that chooses one.
//!
//! ```text
//! func.func @f(%a) {            func.func @f(%a) {
//!   BODY                          %ok = …
//! }                               scf.if %ok {
//!                                   %b = a view of %a
//!                         ⇒         func.call @f__shaped(%b)
//!                                 } else {
//!                                   func.call @f__plain(%a)
//!                                 }
//!                               }
//!                               func.func private @f__shaped(%b) { BODY, changed }
//!                               func.func private @f__plain(%a) { BODY }
//! ```

use std::collections::HashSet;

use gridloom_dialects::arith;
use gridloom_dialects::func::{self, CallOp};
use gridloom_dialects::memref::{Mixed, ReinterpretCastOp};
use gridloom_dialects::{inherent, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Builder, Context, Ident, InsertPoint, Module, OpId, Type, Value};

use super::affine_scope::is_top_level;
use crate::functions::free_name;
use crate::versions::install::add_version;
use crate::versions::serial_versions;

/// Limit of the operations that compute a value from arguments.
const MAX_SLICE: usize = 32;

/// Versions of a function while they are made: its body with other arguments, and the body that chooses one.
pub(super) struct ArgumentVersions {
    pub(super) version: Body,
    /// The function's body, with what the call of the version needs in front of the terminator.
    pub(super) dispatcher: Body,
    /// Values of the dispatcher for the arguments of the version.
    pub(super) passed: Vec<Value>,
    /// Whether the version may run, a value of the dispatcher; [`None`] where it always may.
    pub(super) holds: Option<Value>,
    /// Arguments that the version takes as row-major arrays: their number, and the sizes as values of the dispatcher.
    pub(super) shapes: Vec<(usize, Vec<Value>)>,
}

/// The functions of a module that may get versions: those that arguments describe by their types alone, but for versions that
/// run where arguments overlap.
pub(super) fn candidates(ctx: &Context, module: &Module) -> Vec<OpId> {
    let serial = serial_versions(ctx, module);
    let functions = module.ops().filter(|(_, op)| {
        let name = op.symbol_name(ctx);
        op.name == func::FUNC
            && op.attr(ctx, "arg_attrs").is_none()
            && !name.is_some_and(|name| serial.contains(&name))
    });
    functions.map(|(function, _)| function).collect()
}

/// Whether pure operations at the top of a function compute a value from arguments.
pub(super) fn is_computed_from_arguments(body: &Body, value: Value) -> bool {
    let mut slice = HashSet::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if !is_top_level(body, value) || slice.len() > MAX_SLICE {
            return false;
        }
        match body.defining_op(value) {
            Some(op) if body[op].name.has(Traits::PURE) && body[op].inline_regions().is_empty() => {
                if slice.insert(op) {
                    open.extend(body[op].operands.iter().copied());
                }
            }
            None if body.value_block(value) == body.entry() => {}
            _ => return false,
        }
    }
    true
}

impl ArgumentVersions {
    /// Versions that do not differ yet; [`None`] for a body of several blocks.
    pub(super) fn of(body: &Body) -> Option<ArgumentVersions> {
        let [block] = body.top_blocks().collect::<Vec<_>>()[..] else {
            return None;
        };
        Some(ArgumentVersions {
            version: body.clone(),
            dispatcher: body.clone(),
            passed: body[block].args.to_vec(),
            holds: None,
            shapes: Vec::new(),
        })
    }

    /// A builder in front of the terminator of the dispatcher.
    pub(super) fn at_end<'a>(&'a mut self, ctx: &'a Context) -> Option<Builder<'a>> {
        let end = self.dispatcher[self.dispatcher.entry()?].last()?;
        Some(Builder::before(ctx, &mut self.dispatcher, end))
    }

    /// Emits a test in the dispatcher.
    pub(super) fn require(&mut self, ctx: &Context, test: impl FnOnce(&mut Builder) -> Value) {
        let before = self.holds;
        let Some(mut b) = self.at_end(ctx) else {
            return;
        };
        let holds = test(&mut b);
        self.holds = Some(match before {
            Some(before) => b.binary(arith::ANDI, before, holds),
            None => holds,
        });
    }

    /// Adds the versions behind a function, which becomes the dispatcher. `suffixes` are those of the names of the version and
    /// of the function as it was.
    pub(super) fn install(
        mut self,
        ctx: &Context,
        module: &mut Module,
        function: OpId,
        suffixes: [&str; 2],
    ) -> Option<()> {
        let data = &module.body()[function];
        let name = ctx.str(data.symbol_name(ctx)?).to_owned();
        let ty = data.get(ctx, inherent::FUNCTION_TYPE)?;
        let (_, results) = ty.function(ctx)?;
        let taken: HashSet<Ident> = module.symbols(ctx).names().collect();
        let names = suffixes.map(|suffix| {
            let wanted = format!("{name}{suffix}");
            free_name(ctx, |name| taken.contains(&name), &wanted)
        });
        self.dispatch(ctx, names, results)?;
        if self.holds.is_some() {
            let original = module.body()[function].isolated()?.clone();
            add_version(ctx, module, function, names[1], original);
        }
        add_version(ctx, module, function, names[0], self.version);
        module.body_mut()[function].set_isolated(self.dispatcher);
        Some(())
    }

    /// Replaces the statements of the dispatcher by the call of a version.
    fn dispatch(&mut self, ctx: &Context, names: [Ident; 2], results: &[Type]) -> Option<()> {
        let entry = self.dispatcher.entry()?;
        let args = self.dispatcher[entry].args.to_vec();
        let ops: Vec<OpId> = self.dispatcher.ops(entry).collect();
        let (&end, statements) = ops.split_last()?;
        let mut needed = HashSet::new();
        let sizes = self.shapes.iter().flat_map(|(_, sizes)| sizes);
        let mut open: Vec<Value> = { self.passed.iter().chain(&self.holds).chain(sizes) }
            .copied()
            .collect();
        while let Some(value) = open.pop() {
            let def = self.dispatcher.defining_op(value);
            if let Some(def) = def.filter(|&def| needed.insert(def)) {
                open.extend(self.dispatcher[def].operands.iter().copied());
            }
        }
        let [version, original] = names;
        let shapes = std::mem::take(&mut self.shapes);
        let types: Vec<Type> = {
            let entry = self.version.entry()?;
            self.version[entry]
                .args
                .iter()
                .map(|&arg| self.version.ty(arg))
                .collect()
        };
        let passed = std::mem::take(&mut self.passed);
        let mut b = Builder::before(ctx, &mut self.dispatcher, end);
        let call = |b: &mut Builder, callee: Ident, operands: &[Value]| -> Vec<Value> {
            let call = CallOp::create(b, callee, operands, results);
            b.body[call.0].results().collect()
        };
        let call_version = |b: &mut Builder| {
            let mut operands = passed.clone();
            for (number, sizes) in &shapes {
                operands[*number] = row_major(b, operands[*number], sizes, types[*number]);
            }
            call(b, version, &operands)
        };
        let values = match self.holds {
            None => call_version(&mut b),
            Some(holds) => {
                let choice = scf::IfOp::create(&mut b, holds, results, true);
                let block = choice.then_block(b.body);
                b.set(InsertPoint::End(block));
                let values = call_version(&mut b);
                scf::yield_values(&mut b, block, &values);
                let block = choice.else_block(b.body)?;
                b.set(InsertPoint::End(block));
                let values = call(&mut b, original, &args);
                scf::yield_values(&mut b, block, &values);
                b.body[choice.0].results().collect()
            }
        };
        b.set(InsertPoint::Before(end));
        func::return_values(&mut b, &values);
        self.dispatcher.erase(end);
        // Users stand behind what they use.
        for &op in statements.iter().rev().filter(|op| !needed.contains(op)) {
            self.dispatcher.erase(op);
        }
        Some(())
    }
}

/// Emits a view of an array of one dimension as a row-major one of these sizes.
fn row_major(b: &mut Builder, array: Value, sizes: &[Value], ty: Type) -> Value {
    let mut strides = vec![Mixed::Constant(1)];
    let mut stride: Option<Value> = None;
    for &size in sizes.iter().skip(1).rev() {
        let next = match stride {
            None => size,
            Some(stride) => b.binary(arith::MULI, stride, size),
        };
        strides.push(Mixed::Value(next));
        stride = Some(next);
    }
    strides.reverse();
    let sizes: Vec<Mixed> = sizes.iter().map(|&size| Mixed::Value(size)).collect();
    ReinterpretCastOp::create(b, array, [&[Mixed::Constant(0)], &sizes, &strides], ty)
}
