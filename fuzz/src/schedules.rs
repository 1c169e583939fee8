//! Random schedule texts: steps on the loops of a program.
//!
//! Whether a step is legal is not known here: gridloom refuses it and leaves the program as it is, or the
//! program still computes what it did.

use gridloom::codegen::pass::{PassOptions, Pipeline};
use gridloom::codegen::transform::affine_schedule::replay::{Names, names_of};
use gridloom::ir::text::{PrintOptions, print_module};
use gridloom::{Context, Module};

use crate::check::Failure;
use crate::random::Random;

/// Limit of the steps of a schedule.
const MAX_STEPS: usize = 5;

/// Number of steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Steps {
    /// Applied steps.
    pub applied: u64,
    /// Refused steps.
    pub refused: u64,
}

impl Steps {
    /// Adds other counts.
    pub fn add(&mut self, other: Steps) {
        self.applied += other.applied;
        self.refused += other.refused;
    }
}

/// Applies a random schedule; as long as it is refused, its last step is dropped. Returns its text.
///
/// # Errors
/// An error that is no refusal, or a refusal that changes the program.
pub fn apply(
    ctx: &Context,
    module: &mut Module,
    seed: u64,
    steps: &mut Steps,
) -> Result<String, Failure> {
    let mut random = Random::new(seed ^ 0x5c4e_d01e);
    let functions = names_of(ctx, module);
    let before = module.clone();
    let mut text = String::new();
    if functions.is_empty() {
        return Ok(text);
    }
    let names = random.pick(&functions).clone();
    let mut loops = names.loops.clone();
    for _ in 0..1 + random.below(MAX_STEPS) {
        let step = step(&mut random, &loops, &names);
        let longer = match text.is_empty() {
            true => format!("in @\"{}\": {step}", names.function),
            false => format!("{text}; {step}"),
        };
        let mut tried = before.clone();
        let mut pipeline = Pipeline::new();
        let options = PassOptions::default().with("steps", &longer);
        let added = pipeline.add("affine-schedule", &options);
        added.map_err(|error| Failure::new("a schedule is not read", error.to_string()))?;
        let Err(found) = pipeline.run(ctx, &mut tried, &mut ()) else {
            steps.applied += 1;
            text = longer;
            *module = tried;
            // Labels that the step may have created.
            for made in [".tile", ".strip", "#2", "#3"] {
                let made = format!("{}{made}", random.pick(&names.loops));
                loops.push(made);
            }
            continue;
        };
        let message = found.render(ctx);
        if !message.contains(&format!("step '{step}' is refused")) {
            return Err(Failure::new(
                "a schedule fails otherwise",
                format!("{longer}\n{message}"),
            ));
        }
        steps.refused += 1;
        let [old, new] = [&before, &tried].map(|m| print_module(ctx, m, &PrintOptions::default()));
        if old != new {
            let detail = format!("{longer}\n{message}\n{new}");
            return Err(Failure::new(
                "a refused schedule changes the program",
                detail,
            ));
        }
    }
    Ok(text)
}

/// Draws a step on loops that are mostly nested directly.
fn step(random: &mut Random, loops: &[String], names: &Names) -> String {
    let at = random.below(loops.len());
    let one = &loops[at];
    let two = match random.chance(75) {
        true => &loops[(at + 1) % loops.len()],
        false => random.pick(loops),
    };
    let number = random.between(2, 5);
    let pairs = two != one;
    match random.below(20) {
        0 if pairs => format!("tile({one}, {two}: {}, {number})", random.between(1, 4)),
        1 | 2 => format!("tile({one}: {number})"),
        3 | 4 if pairs => format!("interchange({one}, {two})"),
        5 => format!("reverse({one})"),
        6 if pairs => format!("skew({two} by {}*{one})", *random.pick(&[-2, -1, 2, 3])),
        7 => format!("shift({one} by {})", random.between(-9, 9)),
        8 | 9 if pairs => format!("fuse({one}, {two})"),
        10 => format!("distribute({one})"),
        11 => format!("split({one} at {})", random.between(-2, 6)),
        12 if pairs => format!("split({two} at {one})"),
        13 => format!("peel({one}: {})", *random.pick(&[1, 2, -1, -2])),
        14 => match random.chance(30) {
            true => format!("unroll({one})"),
            false => format!("unroll({one}: {number})"),
        },
        15 => format!("unroll-jam({one}: {number})"),
        16 => format!("strip-mine({one}: {number})"),
        17 if pairs => format!("coalesce({one}, {two})"),
        18 if !names.allocations.is_empty() => {
            let temporary = random.pick(&names.allocations);
            match random.chance(50) {
                true => format!("privatize({temporary})"),
                false => format!("privatize({temporary} in {one})"),
            }
        }
        19 => format!("normalize({one})"),
        _ => format!("parallelize({one})"),
    }
}
