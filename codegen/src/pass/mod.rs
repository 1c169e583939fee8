//! Passes, and pipelines of them.
//!
//! A pass is a free function with a plain struct of options. This module names
//! passes in text, runs them in sequence, and lets an [`Observer`] watch. The
//! crate reads no clock and prints nothing: times and dumps are the observer's
//! work.

mod functions;
mod makers;
pub mod offload;
mod options;
mod pipeline;
mod reader;
mod registry;
mod stages;

use gridloom_ir::{Body, Context, Diagnostics, Module};

use crate::analysis::globals::ConstantGlobals;

pub use functions::{Anchor, Nesting};
pub use options::{OptionError, PassOptions};
pub use pipeline::{OtherPasses, Pipeline};
pub use reader::PipelineError;
pub use registry::{PassInfo, all_passes, find_pass};

/// The result of a successful pass.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Whether the pass changed the program.
    pub changed: bool,
    /// Remarks and warnings.
    pub diagnostics: Diagnostics,
}

impl Outcome {
    /// The outcome of a pass without diagnostics.
    pub fn changed(changed: bool) -> Self {
        Outcome {
            changed,
            diagnostics: Diagnostics::new(),
        }
    }
}

/// The result of a pass: errors if it failed.
pub type PassResult = Result<Outcome, Diagnostics>;

/// A pass, its options applied.
pub enum Pass {
    /// Runs on the whole module.
    Module(Box<ModulePass>),
    /// Runs on one function's body at a time, of host functions and kernels
    /// alike, given the constant globals of the enclosing module; it cannot
    /// touch other functions. Threads may run it on several at once, so the
    /// order must not matter.
    Function(Box<FunctionPass>),
}

/// The closure of a [`Pass::Module`].
pub type ModulePass = dyn Fn(&Context, &mut Module) -> PassResult + Send + Sync;
/// The closure of a [`Pass::Function`].
pub type FunctionPass = dyn Fn(&Context, &mut Body, &ConstantGlobals) -> PassResult + Send + Sync;

/// Called around every pass of a pipeline.
pub trait Observer {
    /// Whether the observer wants to be called. If not, each function goes
    /// through consecutive function passes before the next function does.
    fn watches(&self) -> bool {
        true
    }
    /// Runs before each pass.
    fn before(&mut self, _pass: &str) {}
    /// Runs after each pass.
    fn after(&mut self, _pass: &str, _ctx: &Context, _module: &Module, _changed: bool) {}
}

/// The observer that is never called.
impl Observer for () {
    fn watches(&self) -> bool {
        false
    }
}
