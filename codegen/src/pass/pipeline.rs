//! Pipelines: passes in a row, as text and run.

use std::fmt;

use gridloom_ir::{Context, Diagnostics, Module};

use super::options::{OptionError, PassOptions};
use super::registry::{Made, find_pass};
use super::{Observer, Pass};

/// Which operation a nested pipeline stands under.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// `builtin.module`
    Module,
    /// `func.func`, or `gpu.module(gpu.func(…))`
    Function,
}

/// Passes in a row, ready to run.
#[derive(Default)]
pub struct Pipeline {
    passes: Vec<(String, Pass)>,
}

/// A pipeline that cannot be read, with the byte of the text it stops at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineError {
    at: usize,
    message: String,
}

impl PipelineError {
    /// Byte offset in the pipeline text.
    pub fn offset(&self) -> usize {
        self.at
    }
}

impl fmt::Display for PipelineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "in the pass pipeline, at byte {}: {}",
            self.at, self.message
        )
    }
}

impl std::error::Error for PipelineError {}

/// Deeper nesting than the anchors allow is refused well before the stack is at risk.
const MAX_DEPTH: usize = 16;

impl Pipeline {
    /// No passes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads `builtin.module(cse,func.func(canonicalize,affine-scalrep{…}))`.
    /// The outer `builtin.module(…)` may be left out.
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
        let mut reader = Reader { text, at: 0 };
        let mut pipeline = Pipeline::new();
        reader.list(&mut pipeline, Anchor::Module, 0)?;
        match reader.peek() {
            None => Ok(pipeline),
            Some(c) => Err(reader.error(format!("unexpected '{c}'"))),
        }
    }

    /// Adds the pass of that name at the end; a name that stands for several
    /// passes, such as `offload`, adds them all.
    ///
    /// # Errors
    /// No pass of that name, or an option that it does not take.
    pub fn add(&mut self, name: &str, options: &PassOptions) -> Result<(), OptionError> {
        let info = find_pass(name)
            .ok_or_else(|| OptionError::new(format!("there is no pass '{name}'{}", hint(name))))?;
        options.expect_only(name, info.options)?;
        match (info.make)(options)? {
            Made::Pass(pass) => self.push(name, pass),
            Made::Pipeline(pipeline) => self.passes.extend(pipeline.passes),
        }
        Ok(())
    }

    /// Adds a pass that is not in the registry, or is made another way.
    pub fn push(&mut self, name: &str, pass: Pass) {
        self.passes.push((name.to_owned(), pass));
    }

    /// The names of the passes in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.passes.iter().map(|(name, _)| name.as_str())
    }

    /// Whether there are no passes.
    pub fn is_empty(&self) -> bool {
        self.passes.is_empty()
    }

    /// Runs the passes one after the other and returns what they remarked.
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
        for (name, pass) in &self.passes {
            observer.before(name);
            match pass.run(ctx, module) {
                Ok(outcome) => {
                    diagnostics.append(outcome.diagnostics);
                    observer.after(name, ctx, module, outcome.changed);
                }
                Err(errors) => {
                    diagnostics.append(errors);
                    return Err(diagnostics);
                }
            }
        }
        Ok(diagnostics)
    }
}

/// "; did you mean …?" for a name that shares a good part with a known one.
fn hint(name: &str) -> String {
    let near = super::all_passes()
        .find(|info| info.name.contains(name) && name.len() > 3 || name.contains(info.name));
    near.map_or(String::new(), |info| {
        format!("; did you mean '{}'?", info.name)
    })
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn error(&self, message: impl Into<String>) -> PipelineError {
        PipelineError {
            at: self.at,
            message: message.into(),
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_blanks();
        self.rest().chars().next()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    /// `element (, element)*`, possibly nothing.
    fn list(
        &mut self,
        pipeline: &mut Pipeline,
        anchor: Anchor,
        depth: usize,
    ) -> Result<(), PipelineError> {
        if depth > MAX_DEPTH {
            return Err(self.error("the pipeline is nested too deeply"));
        }
        if matches!(self.peek(), None | Some(')')) {
            return Ok(());
        }
        loop {
            self.element(pipeline, anchor, depth)?;
            if !self.eat(',') {
                return Ok(());
            }
        }
    }

    /// `name`, `name{options}` or `anchor(list)`.
    fn element(
        &mut self,
        pipeline: &mut Pipeline,
        anchor: Anchor,
        depth: usize,
    ) -> Result<(), PipelineError> {
        self.skip_blanks();
        let start = self.at;
        let end = self
            .rest()
            .find(|c: char| ",(){}".contains(c) || c.is_whitespace());
        self.at += end.unwrap_or(self.rest().len());
        let name = &self.text[start..self.at];
        if name.is_empty() {
            return Err(self.error("expected the name of a pass"));
        }
        if self.eat('(') {
            let inner = match (name, anchor) {
                ("builtin.module" | "any", Anchor::Module) => Anchor::Module,
                ("gpu.module", Anchor::Module) => Anchor::Module,
                ("func.func" | "gpu.func", _) => Anchor::Function,
                _ => {
                    self.at = start;
                    return Err(self.error(format!("'{name}' cannot hold a pipeline here")));
                }
            };
            self.list(pipeline, inner, depth + 1)?;
            return match self.eat(')') {
                true => Ok(()),
                false => Err(self.error("expected ')'")),
            };
        }
        let options = self.options()?;
        let before = pipeline.passes.len();
        pipeline
            .add(name, &options)
            .map_err(|error| PipelineError {
                at: start,
                message: error.to_string(),
            })?;
        let added = &pipeline.passes[before..];
        let is_module_pass = added
            .iter()
            .any(|(_, pass)| matches!(pass, Pass::Module(_)));
        if anchor == Anchor::Function && is_module_pass {
            self.at = start;
            let message = format!("'{name}' works on a builtin.module, not on a function");
            return Err(self.error(message));
        }
        Ok(())
    }

    fn options(&mut self) -> Result<PassOptions, PipelineError> {
        let start = self.at;
        if !self.eat('{') {
            return Ok(PassOptions::default());
        }
        let mut depth = 1usize;
        let body = self.at;
        for (offset, c) in self.rest().char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.at = body + offset + 1;
                let text = &self.text[body..body + offset];
                return PassOptions::parse(text).map_err(|error| PipelineError {
                    at: start,
                    message: error.to_string(),
                });
            }
        }
        self.at = start;
        Err(self.error("expected '}'"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Result<Vec<String>, String> {
        let pipeline = Pipeline::parse(text).map_err(|error| error.to_string())?;
        Ok(pipeline.names().map(str::to_owned).collect())
    }

    #[test]
    fn nested_pipelines_are_flattened_in_order() {
        let text = "builtin.module( gpu-kernel-outlining , func.func(lower-affine,affine-parallel-to-for) )";
        let expected = [
            "gpu-kernel-outlining",
            "lower-affine",
            "affine-parallel-to-for",
        ];
        assert_eq!(names(text).unwrap(), expected);
        assert_eq!(names("lower-affine").unwrap(), ["lower-affine"]);
        assert!(names("").unwrap().is_empty());
    }

    #[test]
    fn mistakes_are_located() {
        let error = |text| names(text).unwrap_err();
        assert!(error("any(lower-affine").contains("at byte 16: expected ')'"));
        assert!(error("lower-affin").contains("did you mean 'lower-affine'?"));
        assert!(error("func.func(gpu-kernel-outlining)").contains("not on a function"));
        assert!(error("lower-affine{x=1}").contains("has no option 'x'"));
        assert!(error("func.func(offload)").contains("not on a function"));
        assert!(error("lower-affine)").contains("unexpected ')'"));
        assert!(error(&"func.func(".repeat(50)).contains("too deeply"));
    }
}
