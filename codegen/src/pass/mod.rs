//! Passes, and pipelines of them.
//!
//! A pass is a free function with a plain struct of options; what stands here
//! is only what lets one be named in text, put in a row with others, and
//! watched. This crate reads no clock and prints nothing: an [`Observer`] that
//! wants times or dumps is called between passes.

mod functions;
mod options;
mod pipeline;
mod reader;
mod registry;

use gridloom_ir::{Body, Context, Diagnostics, Module};

use crate::analysis::globals::Globals;

pub(crate) use functions::threads_for;
pub use functions::{Anchor, Nesting};
pub use options::{OptionError, PassOptions};
pub use pipeline::Pipeline;
pub use reader::PipelineError;
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
    /// with the constants of the module that holds it, and cannot touch
    /// another's. Threads may run it on several at once; it
    /// must not matter in which order.
    Function(Box<FunctionPass>),
}

/// What a [`Pass::Module`] holds.
pub type ModulePass = dyn Fn(&Context, &mut Module) -> PassResult + Send + Sync;
/// What a [`Pass::Function`] holds.
pub type FunctionPass = dyn Fn(&Context, &mut Body, &Globals) -> PassResult + Send + Sync;

/// Called around every pass of a pipeline.
pub trait Observer {
    /// Whether it is to be called at all. If not, a function goes through all
    /// function passes in a row before they turn to the next one.
    fn watches(&self) -> bool {
        true
    }
    /// `pass` is about to run.
    fn before(&mut self, _pass: &str) {}
    /// `pass` has run.
    fn after(&mut self, _pass: &str, _ctx: &Context, _module: &Module, _changed: bool) {}
}

/// The observer that does nothing.
impl Observer for () {
    fn watches(&self) -> bool {
        false
    }
}
