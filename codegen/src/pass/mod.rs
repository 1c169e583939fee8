//! Passes, and pipelines of them.
//!
//! A pass is a free function with a plain struct of options; what stands here
//! is only what lets one be named in text, put in a row with others, and
//! watched. This crate reads no clock and prints nothing: an [`Observer`] that
//! wants times or dumps is called between passes.

mod options;
mod pipeline;
mod registry;

use gridloom_ir::dialect::{func, gpu};
use gridloom_ir::{Body, Context, Diagnostics, Module, OpId};

pub use options::{OptionError, PassOptions};
pub use pipeline::{Anchor, Pipeline, PipelineError};
pub use registry::{PassInfo, all_passes, find_pass};

/// What a pass did.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Whether the program is another one now.
    pub changed: bool,
    /// Remarks and warnings.
    pub diagnostics: Diagnostics,
}

impl Outcome {
    /// The outcome of a pass that has nothing to say.
    pub fn changed(changed: bool) -> Self {
        Outcome {
            changed,
            diagnostics: Diagnostics::new(),
        }
    }
}

/// What a pass returns: errors if it could not do its work.
pub type PassResult = Result<Outcome, Diagnostics>;

/// A pass with its options filled in.
pub enum Pass {
    /// Sees the whole module.
    Module(Box<ModulePass>),
    /// Sees one function's body at a time, host functions and kernels alike,
    /// and cannot touch another's.
    Function(Box<FunctionPass>),
}

/// What a [`Pass::Module`] holds.
pub type ModulePass = dyn Fn(&Context, &mut Module) -> PassResult + Send + Sync;
/// What a [`Pass::Function`] holds.
pub type FunctionPass = dyn Fn(&Context, &mut Body) -> PassResult + Send + Sync;

/// Called around every pass of a pipeline.
pub trait Observer {
    /// `pass` is about to run.
    fn before(&mut self, _pass: &str) {}
    /// `pass` has run.
    fn after(&mut self, _pass: &str, _ctx: &Context, _module: &Module, _changed: bool) {}
}

/// The observer that does nothing.
impl Observer for () {}

impl Pass {
    /// Runs the pass on a module; a function pass on every function of it.
    ///
    /// # Errors
    /// What the pass found wrong, for all functions.
    pub fn run(&self, ctx: &Context, module: &mut Module) -> PassResult {
        match self {
            Pass::Module(run) => run(ctx, module),
            Pass::Function(run) => on_functions(module.body_mut(), |body| run(ctx, body)),
        }
    }
}

/// Runs `run` on the body of every function of a module, those of its
/// `gpu.module`s included.
fn on_functions(module: &mut Body, mut run: impl FnMut(&mut Body) -> PassResult) -> PassResult {
    let mut total = Outcome::default();
    let mut errors = Diagnostics::new();
    for_each_function(module, &mut |body| match run(body) {
        Ok(outcome) => {
            total.changed |= outcome.changed;
            total.diagnostics.append(outcome.diagnostics);
        }
        Err(found) => errors.append(found),
    });
    if errors.has_errors() {
        return Err(errors);
    }
    Ok(total)
}

/// Calls `visit` with the body of every `func.func` and `gpu.func` that has one.
fn for_each_function(module: &mut Body, visit: &mut impl FnMut(&mut Body)) {
    let Some(entry) = module.entry() else { return };
    let ops: Vec<OpId> = module.ops(entry).collect();
    for op in ops {
        let name = module[op].name;
        let Some(body) = module[op].isolated_mut() else {
            continue;
        };
        match name {
            func::FUNC | gpu::FUNC if body.entry().is_some() => visit(body),
            // `gpu.module` does not nest in itself, so this goes one level deep.
            gpu::MODULE => for_each_kernel(body, visit),
            _ => {}
        }
    }
}

fn for_each_kernel(module: &mut Body, visit: &mut impl FnMut(&mut Body)) {
    let Some(entry) = module.entry() else { return };
    let ops: Vec<OpId> = module.ops(entry).collect();
    for op in ops {
        if module[op].name != gpu::FUNC {
            continue;
        }
        if let Some(body) = module[op].isolated_mut().filter(|b| b.entry().is_some()) {
            visit(body);
        }
    }
}
