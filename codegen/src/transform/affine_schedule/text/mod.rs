//! Schedules as text: a list of steps, each a transformation of named loops.
//!
//! ```text
//! in @gemm: tile(i, j: 32, 32); interchange(i, j); unroll(k: 4)
//! ```
//!
//! docs/schedules.md has the grammar. A text that is read prints as an equal one, whatever its blanks
//! and comments were; no text makes the reader panic.

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
    /// The schedule of these steps, printed for its text.
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

    /// Location of a step, for diagnostics: the text becomes one of the context's sources.
    pub fn loc(&self, ctx: &Context, step: &PlacedStep) -> Loc {
        let source = ctx
            .sources()
            .add(&self.origin, self.source.as_bytes().into());
        // Where sources are full the message still names the step.
        source.map_or(Loc::UNKNOWN, |source| {
            let at = u32::try_from(step.at).unwrap_or(0);
            Loc::source(gridloom_ir::source::BytePos(source.start.0 + at))
        })
    }
}

/// Equal steps of the same functions, wherever they stand.
impl PartialEq for ScheduleText {
    fn eq(&self, other: &Self) -> bool {
        let key = |placed: &PlacedStep| (placed.function.clone(), placed.step.clone());
        let mine = self.steps.iter().map(key);
        mine.eq(other.steps.iter().map(key))
    }
}

/// A step and what it is applied to.
#[derive(Clone, Debug)]
pub struct PlacedStep {
    /// The function; without one, the only one that has loops.
    pub function: Option<String>,
    /// The step.
    pub step: Step,
    /// Byte of the text at which it begins.
    at: usize,
}

/// A transformation of named loops.
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
    /// `skew(j by 2*i)`: the counter of a loop grows by a multiple of that of another.
    Skew {
        /// The loop whose counter changes.
        of: String,
        /// The multiple.
        by: i64,
        /// The loop that it follows.
        along: String,
    },
    /// `shift(i by 3)`: the counter of a loop is greater by a number.
    Shift {
        /// The loop.
        of: String,
        /// The number.
        by: i64,
    },
    /// `fuse(i, k)`: two loops of a block become one.
    Fuse([String; 2]),
    /// `distribute(i)`: a loop around several statements becomes one around each, as far as
    /// dependences allow.
    Distribute(String),
    /// `split(i at 4)`, `split(i at k)`: the iterations of a loop in ranges.
    Split {
        /// The loop.
        of: String,
        /// Start of the next range.
        at: SplitPoint,
    },
    /// `peel(i: 2)`: the first iterations as a loop of their own; with `-2` the last.
    Peel {
        /// The loop.
        of: String,
        /// Iterations, negative from the end.
        count: i64,
    },
    /// `unroll(k: 4)`: so many iterations in a row; `unroll(k)`: all of them.
    Unroll {
        /// The loop.
        of: String,
        /// Iterations in a row.
        factor: Option<u64>,
    },
    /// `unroll-jam(i: 4)`: so many iterations side by side in the loops inside.
    UnrollJam {
        /// The loop.
        of: String,
        /// Iterations in a row.
        factor: u64,
    },
    /// `strip-mine(i: 8)`: a loop as a nest whose inner loops have these trip counts.
    StripMine {
        /// The loop.
        of: String,
        /// Trip counts, outermost first.
        sizes: Vec<i64>,
    },
    /// `coalesce(i, j)`: a perfect nest as one loop.
    Coalesce(Vec<String>),
    /// `normalize(i)`: a loop counts from 0 by 1.
    Normalize(String),
    /// `parallelize(i)`: a loop becomes `affine.parallel`.
    Parallelize(String),
    /// `privatize(t)`, `privatize(t in i)`: every iteration has a temporary of its own.
    Privatize {
        /// The temporary.
        of: String,
        /// The loop; without one, the innermost in which it is private.
        inside: Option<String>,
    },
}

/// The place at which a loop is split.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SplitPoint {
    /// Before this value of the counter.
    Number(i64),
    /// Around the iteration in which the counter is that of this loop around it.
    Counter(String),
}

/// Greatest size of a tile, factor or shift.
pub const MAX_NUMBER: i64 = 1 << 20;

/// Loops that one step names, at most.
pub const MAX_LOOPS: usize = 16;
