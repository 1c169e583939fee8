//! Device check: runs programs on a Vulkan driver.

use gridloom::interp::FaultKind;
use gridloom::spirv::FpMode;
use gridloom::{DeviceWish, Elements, Program as Compiled, Session, SessionOptions};

use crate::check::Failure;
use crate::compare::compare;
use crate::eval::Outcome;
use crate::pass_options::TILES;
use crate::print::print;
use crate::program::{Input, Program};
use crate::types::Type;

/// Result of a program on a driver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ran {
    /// No part of the program was mapped to a kernel.
    HostOnly,
    /// The program launched kernels.
    Launched,
    /// The driver lacks a required feature, and gridloom reports it.
    Refused,
}

/// Opens the driver whose name contains `name`, for strict arithmetic; if it is refused for that,
/// for relaxed arithmetic, and then [`run`] skips programs with floats.
///
/// # Errors
/// There is no such driver, or it does not open.
pub fn open(name: &str) -> Result<Session, String> {
    let with = |fp| {
        let options = SessionOptions {
            fp,
            ..SessionOptions::default()
        };
        let session = Session::open(&DeviceWish::Named(name.to_owned()), options);
        session.map_err(|error| error.to_string())
    };
    with(FpMode::Strict).or_else(|why| match why.contains("strict") {
        true => with(FpMode::Relaxed),
        false => Err(why),
    })
}

/// Whether a program computes with floats anywhere.
fn has_floats(program: &Program) -> bool {
    program.types.iter().any(|ty| match ty {
        Type::Scalar(scalar) => scalar.is_float(),
        Type::MemRef(memref) => memref.element.is_float(),
    })
}

/// Compiles and runs a program as `gridloom run --fp strict` does. A program
/// with floats is refused where the session is not strict.
///
/// # Errors
/// The results differ from the evaluator's.
pub fn run(session: &Session, program: &Program, expected: &Outcome) -> Result<Ran, Failure> {
    if session.options().fp != FpMode::Strict && has_floats(program) {
        return Ok(Ran::Refused);
    }
    let ctx = gridloom::context();
    let text = print(program);
    let rendered = |found: gridloom::Diagnostics, what: &str| {
        let message = found.render(&ctx);
        let first = message.lines().next().unwrap_or_default().to_owned();
        let first = first
            .split_once("error: ")
            .map_or(first.clone(), |(_, rest)| rest.to_owned());
        Failure::new(format!("{what}: {first}"), message)
    };
    let module = gridloom::parse(&ctx, "program.mlir", text.as_bytes())
        .map_err(|found| rendered(found, "refused"))?;
    // A machine model would not tile nests that are mostly this small.
    let mut options = session.offload_options();
    let drawn = text.len();
    let is_modelled = program.has_long_array() && drawn % 4 != 3;
    if !is_modelled && let Ok(tiling) = TILES[drawn % TILES.len()].parse() {
        options.tiling = tiling;
        options.is_spread = (drawn / TILES.len()).is_multiple_of(2);
    }
    let compiled = Compiled::compile(&ctx, module, Some("main"), None)
        .map_err(|found| rendered(found, "does not compile"))?;
    let specs: Vec<gridloom::values::ArgSpec> = program
        .inputs
        .iter()
        .map(|input| gridloom::values::ArgSpec {
            fill: match input {
                Input::Scalar(_) => gridloom::values::Fill::Ones,
                Input::MemRef { .. } => gridloom::values::Fill::Zeros,
            },
            shape: match input {
                Input::Scalar(_) => None,
                Input::MemRef { sizes, .. } => Some(sizes.clone()),
            },
        })
        .collect();
    let mut inputs = if specs.is_empty() {
        Vec::new()
    } else {
        let inputs = compiled.inputs(&specs, |_| Err("no files".to_owned()));
        inputs.map_err(|why| Failure::new("harness: an argument", why))?
    };
    for (value, input) in inputs.iter_mut().zip(&program.inputs) {
        let bits = match input {
            Input::Scalar(bits) => std::slice::from_ref(bits),
            Input::MemRef { elements, .. } => elements,
        };
        value.elements = Elements::from_bits(value.kind(), bits.iter().copied());
    }
    // Compiles kernels for these inputs, or for any.
    let compiled = match (drawn / TILES.len() / 2).is_multiple_of(2) {
        true => compiled.specialized(&inputs),
        false => compiled,
    };
    let compiled = compiled
        .mapped(&options)
        .map_err(|found| rendered(found, "does not compile"))?;
    let outcome = match compiled.run(session, &inputs) {
        Ok(outcome) => outcome,
        Err(fault) => {
            return match &fault.kind {
                FaultKind::Unsupported(_) => Ok(Ran::Refused),
                _ => {
                    let message = fault.to_diagnostic().render(&ctx);
                    if message.contains("choose another device") {
                        return Ok(Ran::Refused);
                    }
                    Err(Failure::new("a fault on the driver", message))
                }
            };
        }
    };
    let got = Outcome {
        arguments: outcome
            .arguments
            .iter()
            .map(|value| match value.shape {
                Some(_) => value.elements.iter().collect(),
                None => Vec::new(),
            })
            .collect(),
        results: outcome
            .results
            .iter()
            .filter_map(|value| value.elements.get(0))
            .collect(),
        steps: 0,
    };
    compare(program, &got, expected)
        .map_err(|found| Failure::new(format!("wrong on the driver ({})", found.ty), found.text))?;
    Ok(match outcome.launches.is_empty() {
        true => Ran::HostOnly,
        false => Ran::Launched,
    })
}
