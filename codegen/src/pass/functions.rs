//! Function-pass runner: runs passes on the functions of a module, on several threads.
//!
//! A function owns its body, so a pass may run on many functions at once; the
//! diagnostics are sorted afterwards. Consecutive passes run on one function
//! after the other, while it is in the cache.

use std::sync::Arc;

use gridloom_dialects::{func, gpu};
use gridloom_ir::{Body, Context, Diagnostics, Module, OpName, threads};

use super::{FunctionPass, Outcome, PassResult};
use crate::analysis::globals::ConstantGlobals;
use crate::functions::threads_for;

/// The anchors of a nested pipeline, from right under the outermost module
/// down.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Nesting(Vec<Anchor>);

/// An operation that can hold a pipeline (an anchor in `mlir-opt`'s syntax).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// Any operation isolated from above.
    Any,
    /// Operations of this name.
    Op(OpName),
}

impl Nesting {
    /// The nesting one level further down.
    #[must_use]
    pub(super) fn inside(&self, anchor: Anchor) -> Self {
        Nesting(self.0.iter().copied().chain([anchor]).collect())
    }

    /// Whether the pipeline is that of the outermost module.
    pub fn is_outermost(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the pipeline runs on the host functions of the outermost module.
    pub(super) fn is_host_functions(&self) -> bool {
        self.0 == [Anchor::Op(func::FUNC)]
    }

    /// The functions that the pipeline runs on, in the order of the text: those
    /// in the anchoring operations, or the anchors themselves.
    fn functions<'m>(&self, ctx: &Context, module: &'m mut Module) -> Vec<Function<'m>> {
        let mut found = Vec::new();
        add_functions(ctx, module.body_mut(), &self.0, &mut found);
        found
    }
}

/// A function's body, and the constant globals of the module around it.
struct Function<'m> {
    body: &'m mut Body,
    globals: Arc<ConstantGlobals>,
}

/// Recursion is safe: the verifier bounds how deep isolated operations nest.
fn add_functions<'m>(
    ctx: &Context,
    body: &'m mut Body,
    path: &[Anchor],
    found: &mut Vec<Function<'m>>,
) {
    let globals = Arc::new(ConstantGlobals::of(ctx, body));
    for (_, op) in body.owners_mut() {
        let name = op.name;
        let rest = match path {
            [] => path,
            [Anchor::Op(wanted), ..] if *wanted != name => continue,
            [_, rest @ ..] => rest,
        };
        let Some(inside) = op.isolated_mut() else {
            continue;
        };
        match name {
            func::FUNC | gpu::FUNC if rest.is_empty() => {
                let globals = Arc::clone(&globals);
                let function = Function {
                    body: inside,
                    globals,
                };
                found.extend(function.body.entry().is_some().then_some(function));
            }
            func::FUNC | gpu::FUNC => {}
            _ => add_functions(ctx, inside, rest, found),
        }
    }
}

/// Runs consecutive passes on every function. Returns the result of each pass,
/// up to the first that fails.
pub(super) fn run(
    ctx: &Context,
    module: &mut Module,
    nesting: &Nesting,
    passes: &[&FunctionPass],
) -> Vec<PassResult> {
    let mut functions = nesting.functions(ctx, module);
    let threads = threads_for(ctx, functions.iter().map(|function| &*function.body));
    let results = threads::map_mut(threads, &mut functions, |function| {
        through(ctx, function, passes)
    });

    let mut of_passes: Vec<Gathered> = passes.iter().map(|_| Gathered::default()).collect();
    for of_function in results {
        for (gathered, result) in of_passes.iter_mut().zip(of_function) {
            gathered.add(result);
        }
    }
    let mut results = Vec::new();
    for gathered in of_passes {
        results.push(gathered.into_result());
        if results.last().is_some_and(Result::is_err) {
            break;
        }
    }
    results
}

/// Runs passes on one function, up to the first that fails.
fn through(ctx: &Context, function: &mut Function, passes: &[&FunctionPass]) -> Vec<PassResult> {
    let mut results = Vec::with_capacity(passes.len());
    for pass in passes {
        results.push(pass(ctx, function.body, &function.globals));
        if results.last().is_some_and(Result::is_err) {
            break;
        }
    }
    results
}

/// The result of one pass, merged over functions.
#[derive(Default)]
struct Gathered {
    outcome: Outcome,
    errors: Diagnostics,
}

impl Gathered {
    fn add(&mut self, result: PassResult) {
        match result {
            Ok(outcome) => {
                self.outcome.changed |= outcome.changed;
                self.outcome.diagnostics.append(outcome.diagnostics);
            }
            Err(found) => self.errors.append(found),
        }
    }

    fn into_result(self) -> PassResult {
        if self.errors.has_errors() {
            return Err(self.errors);
        }
        Ok(self.outcome)
    }
}
