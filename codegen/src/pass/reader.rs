//! Pipeline parser: reads text such as `builtin.module(func.func(canonicalize,cse))`.

use std::fmt;

use gridloom_dialects::{builtin, func, gpu};

use super::functions::{Anchor, Nesting};
use super::options::PassOptions;
use super::pipeline::{OtherPasses, Pipeline};

/// A pipeline that cannot be parsed, with the byte offset of the error.
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

/// The bound on nesting. It exceeds what the anchors allow and keeps recursion well
/// within the stack.
const MAX_DEPTH: usize = 16;

/// Parses a pipeline; see [`Pipeline::parse`].
pub(super) fn read(text: &str, others: &OtherPasses) -> Result<Pipeline, PipelineError> {
    let mut reader = Reader {
        text,
        at: 0,
        others,
    };
    let mut pipeline = Pipeline::new();
    let outermost = Place {
        nesting: Nesting::default(),
        in_function: false,
        depth: 0,
    };
    reader.list(&mut pipeline, &outermost)?;
    match reader.peek() {
        None => Ok(pipeline),
        Some(c) => Err(reader.error(format!("unexpected '{c}'"))),
    }
}

/// Nesting of anchors at the parser's position.
struct Place {
    nesting: Nesting,
    /// Functions hold no nested pipelines.
    in_function: bool,
    depth: usize,
}

impl Place {
    /// The place inside `name(…)`; `None` if `name` is no anchor here.
    fn inside(&self, name: &str) -> Option<Place> {
        let anchor = match name {
            _ if self.in_function => return None,
            "any" => Anchor::Any,
            "builtin.module" => Anchor::Op(builtin::MODULE),
            "gpu.module" => Anchor::Op(gpu::MODULE),
            "func.func" => Anchor::Op(func::FUNC),
            "gpu.func" => Anchor::Op(gpu::FUNC),
            _ => return None,
        };
        // The outermost anchor is the module of the file itself.
        let is_outermost = self.depth == 0 && matches!(name, "any" | "builtin.module");
        Some(Place {
            nesting: match is_outermost {
                true => Nesting::default(),
                false => self.nesting.inside(anchor),
            },
            in_function: matches!(name, "func.func" | "gpu.func"),
            depth: self.depth + 1,
        })
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// Factory of passes that the registry does not build.
    others: &'a OtherPasses<'a>,
}

impl<'a> Reader<'a> {
    fn error(&self, message: impl Into<String>) -> PipelineError {
        PipelineError {
            at: self.at,
            message: message.into(),
        }
    }

    /// The text from the current position on.
    fn remaining(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        let rest = self.remaining();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_blanks();
        self.remaining().chars().next()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    /// Parses `element (, element)*`, possibly empty.
    fn list(&mut self, pipeline: &mut Pipeline, place: &Place) -> Result<(), PipelineError> {
        if place.depth > MAX_DEPTH {
            return Err(self.error("the pipeline is nested too deeply"));
        }
        if matches!(self.peek(), None | Some(')')) {
            return Ok(());
        }
        loop {
            self.element(pipeline, place)?;
            if !self.eat(',') {
                return Ok(());
            }
        }
    }

    /// Parses `name`, `name{options}` or `anchor(list)`.
    fn element(&mut self, pipeline: &mut Pipeline, place: &Place) -> Result<(), PipelineError> {
        self.skip_blanks();
        let start = self.at;
        let end = self
            .remaining()
            .find(|c: char| ",(){}".contains(c) || c.is_whitespace());
        self.at += end.unwrap_or(self.remaining().len());
        let name = &self.text[start..self.at];
        if name.is_empty() {
            return Err(self.error("expected the name of a pass"));
        }
        if self.eat('(') {
            let Some(inside) = place.inside(name) else {
                self.at = start;
                return Err(self.error(format!("'{name}' cannot hold a pipeline here")));
            };
            self.list(pipeline, &inside)?;
            return match self.eat(')') {
                true => Ok(()),
                false => Err(self.error("expected ')'")),
            };
        }
        let options = self.options(name)?;
        let added = pipeline.add_nested_with(name, &options, &place.nesting, self.others);
        added.map_err(|error| PipelineError {
            at: start,
            message: error.to_string(),
        })
    }

    /// Parses the options of a pass.
    fn options(&mut self, pass: &str) -> Result<PassOptions, PipelineError> {
        let start = self.at;
        if !self.eat('{') {
            return Ok(PassOptions::default());
        }
        let mut depth = 1usize;
        let body = self.at;
        for (offset, c) in self.remaining().char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.at = body + offset + 1;
                let text = &self.text[body..body + offset];
                return PassOptions::of_pass(pass, text).map_err(|error| PipelineError {
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
        let of_functions = "builtin.module(func.func(affine-loop-tile{tile-size=32},canonicalize))";
        assert_eq!(
            names(of_functions).unwrap(),
            ["affine-loop-tile", "canonicalize"]
        );
        assert!(names("").unwrap().is_empty());
    }

    #[test]
    fn pipelines_that_mlir_prints_are_read() {
        // From `mlir-opt --dump-pass-pipeline`.
        let text = "builtin.module(
  canonicalize{  max-iterations=10 max-num-rewrites=-1 region-simplify=normal test-convergence=false top-down=true},
  inline{default-pipeline=canonicalize inlining-threshold=4294967295 max-iterations=4 },
  func.func(mem2reg{region-simplify=true})
)";
        assert_eq!(names(text).unwrap(), ["canonicalize", "inline", "mem2reg"]);
        let error = |text| names(text).unwrap_err();
        assert!(error("canonicalize{region-simplify=disabled}").contains("cannot be 'disabled'"));
        assert!(error("inline{inlining-threshold=10}").contains("every call is inlined"));
        assert!(error("inline{default-pipeline=cse}").contains("can only be canonicalize"));
    }

    #[test]
    fn mistakes_are_located() {
        let error = |text| names(text).unwrap_err();
        assert!(error("any(lower-affine").contains("at byte 16: expected ')'"));
        assert!(error("lower-affin").contains("did you mean 'lower-affine'?"));
        let misplaced = "runs on the outermost builtin.module only";
        assert!(error("func.func(gpu-kernel-outlining)").contains(misplaced));
        assert!(error("builtin.module(builtin.module(inline))").contains(misplaced));
        assert!(error("lower-affine{x=1}").contains("has no option 'x'"));
        assert!(error("func.func(offload)").contains(misplaced));
        assert!(error("gpu.module(gpu.func(affine-loop-tile))").contains(misplaced));
        assert!(error("func.func(any(cse))").contains("'any' cannot hold a pipeline here"));
        assert!(error("lower-affine)").contains("unexpected ')'"));
        assert!(error(&"builtin.module(".repeat(50)).contains("too deeply"));
    }
}
