//! Schedule text: a list of steps, each a transformation of named loops.
//!
//! ```text
//! in @gemm: tile(i, j: 32, 32); interchange(i, j); unroll(k: 4)
//! ```
//!
//! docs/schedules.md has the grammar. Parsing and printing is a round trip, apart from blanks and
//! comments; no text makes the parser panic.

mod parse;
mod print;
#[cfg(test)]
mod tests;

use gridloom_ir::{Context, Loc};

pub use parse::ScheduleError;

/// A schedule: steps in order, and the text they were read from.
#[derive(Clone, Debug)]
pub struct ScheduleText {
    /// The steps.
    pub steps: Vec<PlacedStep>,
    /// Name of the text in diagnostics: `schedule`, or that of its file.
    origin: String,
    /// The text itself.
    source: String,
}

impl ScheduleText {
    /// Builds the schedule of these steps, with their printed form as its text.
    pub fn of_steps(steps: Vec<(Option<String>, Step)>) -> Self {
        let place = |(function, step)| PlacedStep {
            function,
            step,
            at: 0,
        };
        let mut made = ScheduleText {
            steps: steps.into_iter().map(place).collect(),
            origin: "schedule".to_owned(),
            source: String::new(),
        };
        made.source = made.to_string();
        made
    }

    /// Location of a step, for diagnostics: the schedule's text becomes a source of the context.
    pub fn loc(&self, ctx: &Context, step: &PlacedStep) -> Loc {
        let source = ctx
            .sources()
            .add(&self.origin, self.source.as_bytes().into());
        // If no further source fits, the message still names the step.
        source.map_or(Loc::UNKNOWN, |source| {
            let at = u32::try_from(step.at).unwrap_or(0);
            Loc::source(gridloom_ir::source::BytePos(source.start.0 + at))
        })
    }
}

/// Compares steps and their functions, not their positions in the text.
impl PartialEq for ScheduleText {
    fn eq(&self, other: &Self) -> bool {
        let key = |placed: &PlacedStep| (placed.function.clone(), placed.step.clone());
        let mine = self.steps.iter().map(key);
        mine.eq(other.steps.iter().map(key))
    }
}

/// Step of a schedule, with the function that it applies to.
#[derive(Clone, Debug)]
pub struct PlacedStep {
    /// Name of the function; `None` for the only function with loops.
    pub function: Option<String>,
    /// The step.
    pub step: Step,
    /// Byte offset of the step in the text.
    at: usize,
}

/// Schedule step: a transformation of named loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// `tile(i, j: 32, 32)`: loops of one perfect nest, and iterations of each in a tile.
    Tile(Vec<(String, i64)>),
    /// `interchange(i, j)`: two loops of a perfect nest change places.
    Interchange([String; 2]),
    /// `permute(k, i, j)`: loops of a perfect nest take each other's places, in this order.
    Permute(Vec<String>),
    /// `reverse(i)`: a loop runs backward.
    Reverse(String),
    /// `skew(j by 2*i)`: adds a multiple of one loop's counter to that of another.
    Skew {
        /// The loop whose counter changes.
        of: String,
        /// The multiple.
        by: i64,
        /// The loop whose counter is added.
        along: String,
    },
    /// `shift(i by 3)`: adds a constant to the counter of a loop.
    Shift {
        /// The loop.
        of: String,
        /// The number.
        by: i64,
    },
    /// `fuse(i, k)`: two loops of a block become one.
    Fuse([String; 2]),
    /// `distribute(i)`: splits a loop around several statements into one around each, as far as
    /// dependences allow.
    Distribute(String),
    /// `split(i at 4)`, `split(i at k)`: splits the iterations of a loop into ranges.
    Split {
        /// The loop.
        of: String,
        /// Start of the next range.
        at: SplitPoint,
    },
    /// `peel(i: 2)`: splits the first iterations into a loop of their own; with `-2` the last.
    Peel {
        /// The loop.
        of: String,
        /// Number of iterations, negative from the end.
        count: i64,
    },
    /// `unroll(k: 4)`: unrolls a loop by a factor; `unroll(k)`: completely.
    Unroll {
        /// The loop.
        of: String,
        /// Unroll factor; `None` for complete unrolling.
        factor: Option<u64>,
    },
    /// `unroll-jam(i: 4)`: unrolls a loop by a factor, and fuses the copies of the loops inside.
    UnrollJam {
        /// The loop.
        of: String,
        /// Unroll factor.
        factor: u64,
    },
    /// `strip-mine(i: 8)`: turns a loop into a nest whose inner loops have these trip counts.
    StripMine {
        /// The loop.
        of: String,
        /// Trip counts, outermost first.
        sizes: Vec<i64>,
    },
    /// `coalesce(i, j)`: turns a perfect nest into one loop.
    Coalesce(Vec<String>),
    /// `normalize(i)`: rewrites a loop to count from 0 by 1.
    Normalize(String),
    /// `parallelize(i)`: turns a loop into `affine.parallel`.
    Parallelize(String),
    /// `privatize(t)`, `privatize(t in i)`: gives every iteration its own copy of a temporary.
    Privatize {
        /// The temporary.
        of: String,
        /// The loop; `None` for the innermost in which the temporary is private.
        inside: Option<String>,
    },
}

/// Split point of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SplitPoint {
    /// Before this value of the counter.
    Number(i64),
    /// Around the iteration whose counter equals that of this enclosing loop.
    Counter(String),
}

/// Limit of tile sizes, factors and shifts.
pub const MAX_NUMBER: i64 = 1 << 20;

/// Limit of the loops that one step names.
pub const MAX_LOOPS: usize = 16;
