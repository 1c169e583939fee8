//! Memo of launches whose `index` values are proved to fit 32 bits.
//!
//! A program launches a kernel many times with the same grid and views, and perhaps with another number in a scalar,
//! such as the counter of a time loop. So a proof is kept for intervals of the scalars, which grow by doubling: a counter
//! up to `n` takes about `log2 n` proofs.

use gridloom_dialects::integer_range::{Interval, hull};
use gridloom_interp::{Argument, MemRef};
use gridloom_ir::body::{Body, Value};
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{Attr, Context};

use super::{LaunchConfig, Ranges, number, numbers_of};

/// Limit of the proofs kept of one kernel.
const MAX_PROOFS: usize = 8;

/// Least growth of an interval.
const GROWTH: i128 = 16;

/// Proofs by kernel.
#[derive(Debug, Default)]
pub struct NarrowLaunches {
    of_kernels: FxHashMap<Attr, Vec<NarrowLaunch>>,
}

impl NarrowLaunches {
    /// The first `index` value that may not fit 32 bits in a launch of a kernel, if there is one.
    pub fn first_wide_value(
        &mut self,
        ctx: &Context,
        (name, kernel): (Attr, &Body),
        launch: &LaunchConfig<'_>,
    ) -> Option<Value> {
        let proofs = self.of_kernels.entry(name).or_default();
        if proofs.iter().any(|proof| proof.covers(launch)) {
            return None;
        }
        let prove = |numbers: &Vec<Option<Interval>>| {
            Ranges::within(ctx, kernel, launch, numbers.clone()).first_wide_value()
        };
        let like = proofs.iter().position(|proof| proof.is_alike(launch));
        if let Some(like) = like {
            let grown = proofs[like].grown(launch);
            if prove(&grown).is_none() {
                proofs[like].numbers = grown;
                return None;
            }
        }
        let numbers = numbers_of(launch);
        let wide = prove(&numbers);
        if wide.is_none() {
            if proofs.len() == MAX_PROOFS {
                proofs.remove(0);
            }
            proofs.push(NarrowLaunch::of(launch, numbers));
        }
        wide
    }
}

/// Proof: all launches with this grid and views of these shapes, whose scalars are in these intervals, are narrow.
#[derive(Debug)]
struct NarrowLaunch {
    grid: [i64; 3],
    block: [i64; 3],
    /// Views by argument; `None` for a scalar. Which buffer they are of does not matter.
    views: Vec<Option<MemRef>>,
    /// Intervals of integers by argument; `None` for another argument.
    numbers: Vec<Option<Interval>>,
}

impl NarrowLaunch {
    fn of(launch: &LaunchConfig<'_>, numbers: Vec<Option<Interval>>) -> Self {
        let view = |argument: &Argument| match argument {
            Argument::MemRef(_, view) => Some(view.clone()),
            Argument::Scalar(..) => None,
        };
        NarrowLaunch {
            grid: launch.grid,
            block: launch.block,
            views: launch.arguments.iter().map(view).collect(),
            numbers,
        }
    }

    /// Whether a launch differs in scalars and buffers at most.
    fn is_alike(&self, launch: &LaunchConfig<'_>) -> bool {
        let is_same = |(known, argument): (&Option<MemRef>, &Argument)| match (known, argument) {
            (Some(known), Argument::MemRef(_, view)) => {
                (known.offset, &known.sizes, &known.strides)
                    == (view.offset, &view.sizes, &view.strides)
            }
            (None, Argument::Scalar(..)) => true,
            _ => false,
        };
        launch.part.is_none()
            && (self.grid, self.block) == (launch.grid, launch.block)
            && self.views.len() == launch.arguments.len()
            && self.views.iter().zip(launch.arguments).all(is_same)
    }

    fn covers(&self, launch: &LaunchConfig<'_>) -> bool {
        let is_in =
            |(known, argument): (&Option<Interval>, &Argument)| match (known, number(argument)) {
                (Some((least, most)), Some(number)) => (*least..=*most).contains(&number),
                (None, None) => true,
                _ => false,
            };
        self.is_alike(launch) && self.numbers.iter().zip(launch.arguments).all(is_in)
    }

    /// The intervals with the scalars of a launch, and beyond these as much as they span then.
    fn grown(&self, launch: &LaunchConfig<'_>) -> Vec<Option<Interval>> {
        let known = self.numbers.iter().zip(launch.arguments);
        let grown = known.map(|(&known, argument)| {
            let (known, number) = known.zip(number(argument))?;
            let (least, most) = hull(known, (number, number));
            let further = (most - least).max(GROWTH);
            Some(if number > known.1 {
                (least, most + further)
            } else if number < known.0 {
                (least - further, most)
            } else {
                known
            })
        });
        grown.collect()
    }
}

#[cfg(test)]
mod tests {
    use gridloom_interp::ScalarKind;

    use super::*;

    const KERNEL: &str = "gpu.module @m { gpu.func @k(%n: index, %m: i32) kernel {
        %c1000 = arith.constant 1000 : index
        %r = arith.muli %n, %c1000 : index
        %k = arith.index_cast %m : i32 to index
        %s = arith.addi %k, %c1000 : index
        gpu.return
    } }";

    /// Whether a launch is narrow: 1000 n and m + 1000 are `i32`.
    fn is_narrow(n: i64, m: i64) -> bool {
        i32::try_from(1000 * n).is_ok() && i32::try_from(m + 1000).is_ok()
    }

    #[test]
    fn launches_are_told_as_if_each_was_the_first() {
        let ctx = crate::context();
        let module = crate::parse(&ctx, "kernel.mlir", KERNEL.as_bytes()).expect("it parses");
        let inner = |body: &Body| {
            let op = body.walk().into_iter().next().expect("one operation");
            body[op].isolated().expect("with a body").clone()
        };
        let kernel = inner(&inner(module.body()));
        let name = ctx.bool_attr(true);
        let mut memo = NarrowLaunches::default();
        let is_told_narrow = |memo: &mut NarrowLaunches, n: i64, m: i64, grid: i64| {
            let arguments = [
                (ScalarKind::Int(64), n as u64),
                (ScalarKind::Int(32), u64::from(m as u32)),
            ]
            .map(|(kind, bits)| Argument::Scalar(kind, bits));
            let launch = LaunchConfig {
                grid: [grid, 1, 1],
                part: None,
                block: [8, 1, 1],
                arguments: &arguments,
            };
            memo.first_wide_value(&ctx, (name, &kernel), &launch)
                .is_none()
        };
        let counter = (0..300).map(|n| (n, 5));
        let back = (0..300).map(|n| (-n, n));
        for (n, m) in counter.chain(back) {
            assert!(is_told_narrow(&mut memo, n, m, 4), "n = {n}, m = {m}");
        }
        assert_eq!(memo.of_kernels[&name].len(), 1, "counters have one proof");
        let edge = i64::from(i32::MAX) / 1000;
        let far = [
            (edge, 0),
            (edge + 1, 0),
            (-edge - 2, 0),
            (1, i64::from(i32::MAX) - 1000),
            (1, i64::from(i32::MAX) - 999),
            (1, i64::from(i32::MIN)),
            (i64::MAX, 0),
            (i64::MIN, 0),
            (2, 2),
        ];
        for (n, m) in far {
            let is_narrow = n.checked_mul(1000).is_some() && is_narrow(n, m);
            assert_eq!(
                is_told_narrow(&mut memo, n, m, 4),
                is_narrow,
                "n = {n}, m = {m}"
            );
        }
        assert!(is_told_narrow(&mut memo, 7, 7, 5), "another grid");
    }
}
