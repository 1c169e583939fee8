//! `scf.forall`: bounds that are constants, dimensions of one iteration, and
//! loops without any.
//!
//! ```text
//! forall (%i) in (%c4)         ⇒  forall (%i) in (4)
//! forall (%i, %j) in (1, %n)   ⇒  forall (%j) in (%n), 0 for %i
//! ```

use gridloom_ir::dialect::memref::Mixed;
use gridloom_ir::{OpId, Value};

use super::control::inline_block;
use crate::transform::rewriter::Rewriter;

const LISTS: [&str; 3] = ["staticLowerBound", "staticUpperBound", "staticStep"];

/// Lower bounds, upper bounds and steps.
type Bounds = [Vec<Mixed>; 3];

fn bounds(rw: &Rewriter, op: OpId) -> Option<Bounds> {
    let data = &rw.body()[op];
    let list = |number: usize| {
        let constants = data.attr(rw.ctx, LISTS[number])?.as_i64_array(rw.ctx)?;
        Some(Mixed::zip(&constants, data.operand_segment(rw.ctx, number)))
    };
    Some([list(0)?, list(1)?, list(2)?])
}

/// One rule or another; `None` if none fits.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let before = bounds(rw, op)?;
    let known = before.clone().map(|list| {
        let number = |item: Mixed| match item {
            Mixed::Value(value) => rw.look(op).int(value).map_or(item, Mixed::Constant),
            constant => constant,
        };
        list.into_iter().map(number).collect::<Vec<_>>()
    });
    let trips: Vec<Option<i128>> = (0..known[0].len())
        .map(|dim| trips([known[0][dim], known[1][dim], known[2][dim]]))
        .collect();
    let outputs = rw.body()[op].operand_segment(rw.ctx, 3).to_vec();
    if trips.contains(&Some(0)) {
        rw.replace_op(op, &outputs);
        return Some(());
    }
    let single = |dim: usize| trips[dim] == Some(1);
    let all_single = (0..trips.len()).all(single);
    // With outputs, the one iteration has what only a loop may have.
    if all_single && !outputs.is_empty() {
        return (known != before).then(|| set_bounds(rw, op, &known, &outputs));
    }
    if !trips.contains(&Some(1)) {
        return (known != before).then(|| set_bounds(rw, op, &known, &outputs));
    }
    let block = rw.body().region_block(op, 0)?;
    let args = rw.body()[block].args.to_vec();
    let mut replaced = false;
    for (dim, &arg) in args.iter().take(trips.len()).enumerate() {
        if single(dim) && !rw.is_unused(arg) {
            let start = value_of(rw, op, known[0][dim])?;
            rw.replace(arg, start);
            replaced = true;
        }
    }
    // A mapping names each dimension, so all of them stay.
    let mapping = rw.body()[op].attr(rw.ctx, "mapping");
    if mapping.is_some() && !all_single {
        if known != before {
            set_bounds(rw, op, &known, &outputs);
            return Some(());
        }
        return replaced.then_some(());
    }
    if all_single {
        inline_block(rw, op, block, &[]);
        return Some(());
    }
    rw.retain_arguments(block, |index| index >= trips.len() || !single(index));
    let left = known.map(|list| {
        let items = list.into_iter().enumerate();
        items
            .filter(|&(dim, _)| !single(dim))
            .map(|(_, item)| item)
            .collect::<Vec<_>>()
    });
    set_bounds(rw, op, &left, &outputs);
    Some(())
}

/// The number of iterations of a dimension, if it is known; between equal
/// bounds there is none.
fn trips(bounds: [Mixed; 3]) -> Option<i128> {
    let [
        Mixed::Constant(lower),
        Mixed::Constant(upper),
        Mixed::Constant(step),
    ] = bounds
    else {
        return (bounds[0] == bounds[1]).then_some(0);
    };
    let [lower, upper, step] = [lower, upper, step].map(i128::from);
    (step > 0).then(|| ((upper - lower).max(0) + step - 1) / step)
}

fn value_of(rw: &mut Rewriter, op: OpId, item: Mixed) -> Option<Value> {
    match item {
        Mixed::Value(value) => Some(value),
        Mixed::Constant(number) => rw.splat(number as u64, rw.ctx.index_type(), op),
    }
}

fn set_bounds(rw: &mut Rewriter, op: OpId, bounds: &Bounds, outputs: &[Value]) {
    let ctx = rw.ctx;
    let (mut operands, mut sizes) = (Vec::new(), Vec::new());
    for (name, list) in LISTS.into_iter().zip(bounds) {
        let (numbers, values) = Mixed::unzip(list);
        sizes.push(values.len() as i32);
        operands.extend(values);
        rw.set_property(op, name, ctx.i64_array_attr(&numbers));
    }
    sizes.push(outputs.len() as i32);
    operands.extend_from_slice(outputs);
    rw.set_property(op, "operandSegmentSizes", ctx.i32_array_attr(&sizes));
    rw.set_operands(op, &operands);
}
