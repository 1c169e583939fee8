//! Intervals of the counters of loops and launches.

use gridloom_dialects::{affine, gpu, scf};
use gridloom_ir::Value;

use super::{AffineValues, Environment, Interval, MAX_TRIPS};
use crate::analysis::counter::{Counter, counters};
use crate::analysis::domain::counted_step;

impl AffineValues<'_> {
    /// Interval of a loop counter: between its bounds, and no further from the lower one than the
    /// limit of trips allows.
    pub(super) fn counter_interval(&mut self, value: Value, env: Environment) -> Option<Interval> {
        let (ctx, body) = (self.ctx, self.body);
        let block = body.value_block(value)?;
        let op = body.block_parent_op(block)?;
        let position = body[block].args.iter().position(|&arg| arg == value)?;
        let (lower, uppers, step) = match body[op].name {
            affine::FOR | affine::PARALLEL => {
                let counter = counters(body, op).nth(position)?;
                let upper = counter.upper(ctx, body);
                let uppers = self.map_exprs_under(env, upper.map, upper.operands);
                let lower = self.lower_interval(counter, env);
                (lower, uppers, counter.step(ctx, body))
            }
            scf::FOR if position == 0 => {
                let op = scf::ForOp(op);
                let Some(step) = counted_step(self, op) else {
                    return self.interval_with_open_step(op, env);
                };
                let lower = self.operand_interval(op.0, 0, env);
                let upper = self.expr(op.upper(body));
                (lower.unwrap_or(Interval::MACHINE), vec![Some(upper)], step)
            }
            gpu::LAUNCH => return self.launch_interval(gpu::LaunchOp(op), position, env),
            _ => return None,
        };
        let mut most = Interval::MACHINE.most - 1;
        for upper in uppers.into_iter().flatten() {
            if let Some(interval) = self.interval(upper, env)
                && interval.is_within(Interval::MACHINE)
            {
                most = most.min(interval.most - 1);
            }
        }
        let step = i128::from(step);
        let last = lower.most + (MAX_TRIPS - 1) * step;
        let mut most = most.min(last).max(lower.least);
        if lower.least == lower.most && step > 0 {
            // The counter is a number of steps past the one number that it begins with.
            most -= (most - lower.least) % step;
        }
        Some(Interval {
            least: lower.least,
            most,
        })
    }

    /// Interval of the counter of an `scf.for` whose step is no constant: between its bounds, where
    /// the step is positive and cannot lead past the last number.
    fn interval_with_open_step(&mut self, op: scf::ForOp, env: Environment) -> Option<Interval> {
        let (ctx, body) = (self.ctx, self.body);
        let is_index = body.ty(op.lower(body)).is_index(ctx) && !op.is_unsigned(ctx, body);
        let mut bound = |operand| self.operand_interval(op.0, operand, env);
        let (lower, upper, step) = (bound(0)?, bound(1)?, bound(2)?);
        let is_short = upper.most - 1 + step.most <= Interval::MACHINE.most;
        (is_index && step.least > 0 && is_short).then_some(Interval {
            least: lower.least,
            most: lower.least.max(upper.most - 1),
        })
    }

    /// Interval of the ids and sizes that a `gpu.launch` gives its body, from its operands.
    fn launch_interval(
        &mut self,
        op: gpu::LaunchOp,
        position: usize,
        env: Environment,
    ) -> Option<Interval> {
        let sizes = op.sizes(self.ctx, self.body);
        let sizes = [sizes.grid, sizes.block].concat();
        let size = self.expr(*sizes.get(position % sizes.len())?);
        let natural = Interval {
            least: 0,
            most: i32::MAX.into(),
        };
        let size = self.interval(size, env)?.meet(natural);
        match position / sizes.len() {
            0 => Some(Interval {
                least: 0,
                most: (size.most - 1).max(0),
            }),
            1 => Some(size),
            _ => None,
        }
    }

    /// Interval of a loop's effective lower bound, the greatest result of its map.
    pub(super) fn lower_interval(&mut self, op: Counter, env: Environment) -> Interval {
        let lower = op.lower(self.ctx, self.body);
        let results = self.map_exprs_under(env, lower.map, lower.operands);
        let mut all: Option<Interval> = None;
        for result in results {
            let interval = result.and_then(|result| self.interval(result, env));
            let interval = interval
                .filter(|interval| interval.is_within(Interval::MACHINE))
                .unwrap_or(Interval::MACHINE);
            all = Some(match all {
                None => interval,
                Some(all) => Interval {
                    least: all.least.max(interval.least),
                    most: all.most.max(interval.most),
                },
            });
        }
        all.unwrap_or(Interval::MACHINE)
    }
}
