//! Pipelines: sequences of passes, run over a module with an observer between them.
//!
//! ```text
//! builtin.module(func.func(canonicalize,cse),inline)
//! ```
//!
//! Consecutive function passes are one group, which a function goes through as a whole unless the observer wants to see the
//! module after each of them.

use gridloom_ir::{Context, Diagnostics, Module};

use super::functions::{self, Nesting};
use super::options::{OptionError, PassOptions};
use super::reader::{self, PipelineError};
use super::registry::{Made, find_pass};
use super::{FunctionPass, Observer, Pass, PassResult};

/// A sequence of passes, ready to run.
#[derive(Default)]
pub struct Pipeline {
    steps: Vec<Step>,
}

/// Factory of passes that the registry does not build: makes a module pass from its name and
/// options; [`None`] for other names.
pub type OtherPasses<'a> = dyn Fn(&str, &PassOptions) -> Option<Result<Pass, OptionError>> + 'a;

/// Module passes that MLIR runs on one `func.func` at a time, so that its pipelines nest them there. Here they ask the module
/// what functions and globals of it do with memory, and change all its host functions.
const ON_FUNCTIONS_IN_MLIR: [&str; 9] = [
    "affine-data-copy-generate",
    "affine-loop-fusion",
    "affine-loop-invariant-code-motion",
    "affine-loop-tile",
    "affine-loop-unroll-jam",
    "affine-parallelize",
    "affine-pipeline-data-transfer",
    "affine-scalrep",
    "affine-super-vectorize",
];

fn outermost_only(name: &str) -> OptionError {
    OptionError::new(format!(
        "pass '{name}' runs on the outermost builtin.module only: write it at the top level of \
         the pipeline"
    ))
}

/// A pass and the operations it runs on.
struct Step {
    name: String,
    pass: Pass,
    nesting: Nesting,
}

impl Pipeline {
    /// An empty pipeline.
    pub fn new() -> Self {
        Self::default()
    }

    /// Parses a pipeline such as `builtin.module(inline,func.func(canonicalize,cse))`.
    /// The outer `builtin.module(…)` is optional. As in `mlir-opt`, a nested
    /// pipeline runs on operations right under the enclosing anchor:
    /// `gpu.module(gpu.func(cse))` runs on kernels. A function pass outside any
    /// `func.func(…)` runs on all functions, however deep. Passes that MLIR runs on functions
    /// may stand in `func.func(…)` of the outermost module, also where they look at the whole module here.
    ///
    /// # Errors
    /// Wrong nesting, an unknown pass, or an option that its pass does not take; with the
    /// position.
    ///
    /// ```
    /// use gridloom_codegen::pass::Pipeline;
    ///
    /// let text = "builtin.module(func.func(lower-affine),gpu-kernel-outlining)";
    /// let pipeline = Pipeline::parse(text)?;
    /// assert_eq!(pipeline.names().collect::<Vec<_>>(), ["lower-affine", "gpu-kernel-outlining"]);
    /// # Ok::<(), gridloom_codegen::pass::PipelineError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, PipelineError> {
        reader::read(text, &|_, _| None)
    }

    /// Like [`Pipeline::parse`], with a factory of passes that the registry does not build.
    ///
    /// # Errors
    /// Those of [`Pipeline::parse`] and of `others`.
    pub fn parse_with(text: &str, others: &OtherPasses) -> Result<Self, PipelineError> {
        reader::read(text, others)
    }

    /// Appends the pass of that name; a name for several passes, such as `offload`, appends them
    /// all. A function pass runs on all functions, those of nested modules included.
    ///
    /// # Errors
    /// No pass of that name, or an option that it does not take.
    pub fn add(&mut self, name: &str, options: &PassOptions) -> Result<(), OptionError> {
        self.add_nested(name, options, &Nesting::default())
    }

    /// Like [`Pipeline::add`], but runs function passes only on functions under these anchors and
    /// refuses module passes there.
    pub(super) fn add_nested(
        &mut self,
        name: &str,
        options: &PassOptions,
        nesting: &Nesting,
    ) -> Result<(), OptionError> {
        self.add_nested_with(name, options, nesting, &|_, _| None)
    }

    /// Like [`Pipeline::add_nested`], with a factory of passes that the registry does not build.
    pub(super) fn add_nested_with(
        &mut self,
        name: &str,
        options: &PassOptions,
        nesting: &Nesting,
        others: &OtherPasses,
    ) -> Result<(), OptionError> {
        if let Some(pass) = others(name, options).transpose()? {
            if !nesting.is_outermost() {
                return Err(outermost_only(name));
            }
            self.push(name, pass);
            return Ok(());
        }
        let info = find_pass(name)
            .ok_or_else(|| OptionError::new(format!("there is no pass '{name}'{}", hint(name))))?;
        options.expect_only(name, info.options)?;
        let first = self.steps.len();
        match (info.make)(options)? {
            Made::Pass(pass) => self.push(name, pass),
            Made::Pipeline(pipeline) => self.steps.extend(pipeline.steps),
        }
        for step in &mut self.steps[first..] {
            let may_stand_here = nesting.is_outermost()
                || nesting.is_host_functions() && ON_FUNCTIONS_IN_MLIR.contains(&name);
            if matches!(step.pass, Pass::Module(_)) && !may_stand_here {
                return Err(outermost_only(name));
            }
            step.nesting = nesting.clone();
        }
        Ok(())
    }

    /// Appends a pass that the registry does not build.
    pub fn push(&mut self, name: &str, pass: Pass) {
        self.steps.push(Step {
            name: name.to_owned(),
            pass,
            nesting: Nesting::default(),
        });
    }

    /// The names of the passes in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().map(|step| step.name.as_str())
    }

    /// Whether there are no passes.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Runs the passes in order and returns their remarks and warnings. Function passes run on the
    /// threads of the context; the result does not depend on their number or on the observer.
    ///
    /// # Errors
    /// The diagnostics up to and including those of the pass that failed.
    pub fn run(
        &self,
        ctx: &Context,
        module: &mut Module,
        observer: &mut dyn Observer,
    ) -> Result<Diagnostics, Diagnostics> {
        let mut diagnostics = Diagnostics::new();
        let watches = observer.watches();
        let mut steps = &self.steps[..];
        while let Some(first) = steps.first() {
            let (row, rest) = steps.split_at(if watches { 1 } else { row_length(steps) });
            steps = rest;
            if watches {
                observer.before(&first.name);
            }
            for result in run_row(row, ctx, module) {
                match result {
                    Ok(outcome) => {
                        diagnostics.append(outcome.diagnostics);
                        if watches {
                            observer.after(&first.name, ctx, module, outcome.changed);
                        }
                    }
                    Err(errors) => {
                        diagnostics.append(errors);
                        return Err(diagnostics);
                    }
                }
            }
        }
        Ok(diagnostics)
    }
}

/// The length of the leading run of steps that may run function by function: function passes with
/// the same nesting, or a single step.
fn row_length(steps: &[Step]) -> usize {
    let alike = |pair: &[Step]| {
        let is_function_pass = |step: &Step| matches!(step.pass, Pass::Function(_));
        pair.iter().all(is_function_pass) && pair[0].nesting == pair[1].nesting
    };
    1 + steps.windows(2).take_while(|pair| alike(pair)).count()
}

/// Runs a row that [`row_length`] measured. Returns the result of each pass, up to the first that
/// fails.
fn run_row(row: &[Step], ctx: &Context, module: &mut Module) -> Vec<PassResult> {
    let mut passes: Vec<&FunctionPass> = Vec::with_capacity(row.len());
    for step in row {
        match &step.pass {
            Pass::Module(run) => return vec![run(ctx, module)],
            Pass::Function(run) => passes.push(run),
        }
    }
    let nesting = row.first().map(|step| step.nesting.clone());
    functions::run(ctx, module, &nesting.unwrap_or_default(), &passes)
}

/// Suggestion for an unknown name, "; did you mean …?", if it is similar to a known one.
fn hint(name: &str) -> String {
    let near = super::all_passes()
        .find(|info| info.name.contains(name) && name.len() > 3 || name.contains(info.name));
    near.map_or(String::new(), |info| {
        format!("; did you mean '{}'?", info.name)
    })
}
