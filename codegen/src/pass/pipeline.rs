//! Pipelines: passes in a row.

use gridloom_ir::{Context, Diagnostics, Module};

use super::functions::{self, Nesting};
use super::options::{OptionError, PassOptions};
use super::reader::{self, PipelineError};
use super::registry::{Made, find_pass};
use super::{FunctionPass, Observer, Pass, PassResult};

/// Passes in a row, ready to run.
#[derive(Default)]
pub struct Pipeline {
    steps: Vec<Step>,
}

/// A pass and where it works.
struct Step {
    name: String,
    pass: Pass,
    nesting: Nesting,
}

impl Pipeline {
    /// No passes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads `builtin.module(inline,func.func(canonicalize,cse))`.
    /// The outer `builtin.module(…)` may be left out. As in `mlir-opt`, what is
    /// nested works on operations right under the one around it:
    /// `gpu.module(gpu.func(cse))` on kernels. A function pass that is not
    /// nested in functions works on all of them, however deep.
    ///
    /// # Errors
    /// The place and what stands there: bad nesting, a pass that does not
    /// exist, an option that its pass does not take.
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
        reader::read(text)
    }

    /// Adds the pass of that name at the end; a name that stands for several
    /// passes, such as `offload`, adds them all. A function pass works on all
    /// functions, those of nested modules included.
    ///
    /// # Errors
    /// No pass of that name, or an option that it does not take.
    pub fn add(&mut self, name: &str, options: &PassOptions) -> Result<(), OptionError> {
        self.add_nested(name, options, &Nesting::default())
    }

    /// The same for functions in certain operations only. Passes that see the
    /// whole module cannot stand there.
    pub(super) fn add_nested(
        &mut self,
        name: &str,
        options: &PassOptions,
        nesting: &Nesting,
    ) -> Result<(), OptionError> {
        let info = find_pass(name)
            .ok_or_else(|| OptionError::new(format!("there is no pass '{name}'{}", hint(name))))?;
        options.expect_only(name, info.options)?;
        let first = self.steps.len();
        match (info.make)(options)? {
            Made::Pass(pass) => self.push(name, pass),
            Made::Pipeline(pipeline) => self.steps.extend(pipeline.steps),
        }
        for step in &mut self.steps[first..] {
            if matches!(step.pass, Pass::Module(_)) && !nesting.is_outermost() {
                let message = format!("'{name}' works on the outermost builtin.module only");
                return Err(OptionError::new(message));
            }
            step.nesting = nesting.clone();
        }
        Ok(())
    }

    /// Adds a pass that is not in the registry, or is made another way.
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

    /// Runs the passes one after the other and returns what they remarked.
    /// Function passes run on the threads of the context; what comes out is the
    /// same for any number of them, whether an observer watches or not.
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

/// How many steps at the start can be run as one: function passes for the same
/// functions, or a single one.
fn row_length(steps: &[Step]) -> usize {
    let alike = |pair: &[Step]| {
        let is_function_pass = |step: &Step| matches!(step.pass, Pass::Function(_));
        pair.iter().all(is_function_pass) && pair[0].nesting == pair[1].nesting
    };
    1 + steps.windows(2).take_while(|pair| alike(pair)).count()
}

/// Runs steps that [`row_length`] says are one; what each said, up to the first that fails.
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

/// "; did you mean …?" for a name that shares a good part with a known one.
fn hint(name: &str) -> String {
    let near = super::all_passes()
        .find(|info| info.name.contains(name) && name.len() > 3 || name.contains(info.name));
    near.map_or(String::new(), |info| {
        format!("; did you mean '{}'?", info.name)
    })
}
