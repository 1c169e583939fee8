//! Work estimates: how often loops run, and the operations that they take.

use gridloom_dialects::scf;
use gridloom_ir::OpId;
use gridloom_ir::op::Traits;

use super::bounds::most_of;
use super::counter::{Counter, counters};
use super::values::AffineValues;

/// Number of operations that one execution of an operation takes, those in loops multiplied by the
/// trip count; `None` where one is unknown.
pub fn work_of(values: &mut AffineValues, op: OpId) -> Option<f64> {
    work_where(values, op, None)
}

/// Like [`work_of`], with one iteration of each loop whose trip count is unknown.
pub fn known_work_of(values: &mut AffineValues, op: OpId) -> f64 {
    work_where(values, op, Some(1.0)).unwrap_or(0.0)
}

/// Like [`work_of`], with so many iterations of each loop whose trip count is unknown.
pub fn work_assuming(values: &mut AffineValues, op: OpId, trips: f64) -> f64 {
    work_where(values, op, Some(trips)).unwrap_or(0.0)
}

fn work_where(values: &mut AffineValues, op: OpId, unknown: Option<f64>) -> Option<f64> {
    let body = values.body;
    let mut sum = 0.0;
    // A work list replaces recursion, since the input chooses how deep nests are.
    let mut stack: Vec<(OpId, f64)> = vec![(op, 1.0)];
    while let Some((op, times)) = stack.pop() {
        let name = body[op].name;
        let is_free = name.has(Traits::TERMINATOR) || name.has(Traits::CONSTANT_LIKE);
        sum += times * f64::from(u8::from(!is_free));
        if body[op].inline_regions().is_empty() {
            continue;
        }
        let times = times * trips_of(values, op).or(unknown)?;
        let below = body.blocks_of(op).flat_map(|block| body.ops(block));
        stack.extend(below.map(|op| (op, times)));
    }
    Some(sum)
}

/// Mean execution count of an operation's blocks, from the bounds of a loop.
pub fn trips_of(values: &mut AffineValues, op: OpId) -> Option<f64> {
    let body = values.body;
    let mut product = 1.0;
    let mut all = counters(body, op).peekable();
    if all.peek().is_none() && body[op].name == scf::FOR {
        return None;
    }
    for counter in all {
        product *= trips_of_counter(values, counter)?;
    }
    Some(product)
}

/// Mean of the least and the greatest trip count along a counter.
pub fn trips_of_counter(values: &mut AffineValues, counter: Counter) -> Option<f64> {
    let (least, most) = extremes(values, counter)?;
    Some((least + most) / 2.0)
}

/// The greatest trip count along a counter.
pub fn most_trips(values: &mut AffineValues, counter: Counter) -> Option<f64> {
    extremes(values, counter).map(|(_, most)| most)
}

fn extremes(values: &mut AffineValues, counter: Counter) -> Option<(f64, f64)> {
    let (ctx, body) = (values.ctx, values.body);
    let env = values.environment_at(counter.op);
    let step = counter.step(ctx, body) as f64;
    let (lower, upper) = (counter.lower(ctx, body), counter.upper(ctx, body));
    let lowers = values.map_exprs(counter.op, lower.map, lower.operands);
    let uppers = values.map_exprs(counter.op, upper.map, upper.operands);
    let mut found: Option<(f64, f64)> = None;
    for low in &lowers {
        for high in &uppers {
            let way = ctx.affine_sub((*high)?, (*low)?);
            let Some(range) = values.interval(way, env) else {
                continue;
            };
            // Of a loop inside of a block, only both loops together are short.
            let most = most_of(values, counter.op, way).unwrap_or(range.most);
            let [least, most] = [range.least, most].map(|way| (way.max(0) as f64 / step).ceil());
            found = Some(match found {
                Some((l, m)) => (l.min(least), m.min(most)),
                None => (least, most),
            });
        }
    }
    // A larger trip count stems from a bound that is unknown, since no kernel could run it.
    found.filter(|&(_, most)| most < 1e9)
}
