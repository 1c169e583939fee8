//! `scf.forall`: makes constant bounds static, drops dimensions of one
//! iteration and loops of none, and drops outputs that are never written or
//! never read.
//!
//! ```text
//! forall (%i) in (%c4)         ⇒  forall (%i) in (4)
//! forall (%i, %j) in (1, %n)   ⇒  forall (%j) in (%n), 0 for %i
//! ```

use gridloom_dialects::memref::Mixed;
use gridloom_dialects::{inherent, tensor};
use gridloom_ir::op::{I64ArrayAttr, Inherent};
use gridloom_ir::{BlockId, OpId, Type, Value};

use super::build::create;
use super::control::inline_block;
use super::slices::{assemble, lists};
use super::tensor::only_erases_extents;
use crate::rewriter::Rewriter;

const LISTS: [Inherent<I64ArrayAttr>; 3] = [
    inherent::STATIC_LOWER_BOUND,
    inherent::STATIC_UPPER_BOUND,
    inherent::STATIC_STEP,
];

/// Lower bounds, upper bounds and steps.
type Bounds = [Vec<Mixed>; 3];

/// The operands and the body of a loop.
struct Loop {
    op: OpId,
    block: BlockId,
    bounds: Bounds,
    outputs: Vec<Value>,
}

impl Loop {
    fn of(rw: &Rewriter, op: OpId) -> Option<Loop> {
        let data = &rw.body()[op];
        let list = |number: usize| {
            let constants = data.get(rw.ctx, LISTS[number])?;
            Some(Mixed::zip(&constants, data.operand_segment(rw.ctx, number)))
        };
        Some(Loop {
            op,
            block: rw.body().region_block(op, 0)?,
            bounds: [list(0)?, list(1)?, list(2)?],
            outputs: data.operand_segment(rw.ctx, 3).to_vec(),
        })
    }

    /// The block arguments of the outputs, which follow the induction
    /// variables.
    fn output_args(&self, rw: &Rewriter) -> Vec<Value> {
        rw.body()[self.block].args[self.bounds[0].len()..].to_vec()
    }

    /// The slices that every iteration inserts into the outputs; `None` if the
    /// terminator holds another operation.
    fn writes(&self, rw: &Rewriter) -> Option<Vec<OpId>> {
        let body = rw.body();
        let last = body[self.block].last()?;
        let writes: Vec<OpId> = body.ops(body.region_block(last, 0)?).collect();
        let is_write = |&op: &OpId| body[op].name == tensor::PARALLEL_INSERT_SLICE;
        writes.iter().all(is_write).then_some(writes)
    }
}

/// Tries each rewrite; `Some(())` if one fired.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let forall = Loop::of(rw, op)?;
    let known = forall.bounds.clone().map(|list| {
        let number = |item: Mixed| match item {
            Mixed::Value(value) => rw.look(op).int(value).map_or(item, Mixed::Constant),
            constant => constant,
        };
        list.into_iter().map(number).collect::<Vec<_>>()
    });
    if known != forall.bounds {
        set_bounds(rw, op, &known, &forall.outputs);
        return Some(());
    }
    let trips: Vec<Option<i128>> = (0..known[0].len())
        .map(|dim| trips([known[0][dim], known[1][dim], known[2][dim]]))
        .collect();
    if trips.contains(&Some(0)) {
        rw.replace_op(op, &forall.outputs);
        return Some(());
    }
    look_through_output_casts(rw, &forall)
        .or_else(|| drop_outputs(rw, &forall))
        .or_else(|| drop_unit_dimensions(rw, &forall, &trips))
}

/// `forall (%i, %j) = (%a, %b) to (%a + 1, %n) { … } ⇒ forall (%j) = (%b) to (%n) { … %a for %i …
/// }`; a loop of one iteration is inlined.
fn drop_unit_dimensions(rw: &mut Rewriter, forall: &Loop, trips: &[Option<i128>]) -> Option<()> {
    let single = |dim: usize| trips[dim] == Some(1);
    let all_single = (0..trips.len()).all(single);
    let args = rw.body()[forall.block].args.to_vec();
    let mut replaced = None;
    for (dim, &arg) in args.iter().take(trips.len()).enumerate() {
        if single(dim) && !rw.is_unused(arg) {
            let start = value_of(rw, forall.op, forall.bounds[0][dim])?;
            rw.replace(arg, start);
            replaced = Some(());
        }
    }
    // A mapping has an entry for each dimension, so none may go.
    let mapping = rw.body()[forall.op].attr(rw.ctx, inherent::MAPPING);
    let is_mapped = mapping.is_some_and(|mapping| mapping.as_array(rw.ctx) != Some(&[]));
    if is_mapped {
        return replaced;
    }
    if all_single {
        return run_once(rw, forall).or(replaced);
    }
    if !trips.contains(&Some(1)) {
        return None;
    }
    rw.retain_arguments(forall.block, |index| index >= trips.len() || !single(index));
    let left = forall.bounds.clone().map(|list| {
        let items = list.into_iter().enumerate();
        items
            .filter(|&(dim, _)| !single(dim))
            .map(|(_, item)| item)
            .collect::<Vec<_>>()
    });
    set_bounds(rw, forall.op, &left, &forall.outputs);
    Some(())
}

/// `forall (%i) = (0) to (1) { … parallel_insert_slice … } ⇒ … insert_slice …`: a loop of one
/// iteration is inlined.
fn run_once(rw: &mut Rewriter, forall: &Loop) -> Option<()> {
    let (op, block) = (forall.op, forall.block);
    if forall.outputs.is_empty() {
        inline_block(rw, op, block, &[]);
        return Some(());
    }
    let writes = forall.writes(rw)?;
    let args = forall.output_args(rw);
    let last = rw.body()[block].last()?;
    let mut results = forall.outputs.clone();
    for write in writes {
        let slices = lists(rw, write, 2)?;
        let [source, dest] = *rw.body()[write].operands.first_chunk()?;
        let number = args.iter().position(|&arg| arg == dest)?;
        let ty = rw.body().ty(dest);
        let (operands, properties) = assemble(rw.ctx, &[source, results[number]], &slices);
        let new = create(
            rw,
            last,
            tensor::INSERT_SLICE,
            &operands,
            &[ty],
            &properties,
        );
        results[number] = rw.body()[new].result(0);
    }
    for (arg, &output) in args.into_iter().zip(&forall.outputs) {
        rw.replace(arg, output);
    }
    let inner: Vec<OpId> = rw.body().ops(block).filter(|&op| op != last).collect();
    for inner in inner {
        rw.move_before(op, inner);
    }
    rw.replace_op(op, &results);
    Some(())
}

/// `%r = forall … shared_outs(%o = %t) { … } ⇒ %t` for an output that no iteration writes, and one
/// whose result is unused.
fn drop_outputs(rw: &mut Rewriter, forall: &Loop) -> Option<()> {
    let writes = forall.writes(rw)?;
    let args = forall.output_args(rw);
    let results: Vec<Value> = rw.body()[forall.op].results().collect();
    let target = |rw: &Rewriter, write: OpId| rw.body()[write].operands.get(1).copied();
    let keep: Vec<bool> = (args.iter().zip(&results))
        .map(|(&arg, &result)| {
            let is_written = writes.iter().any(|&write| target(rw, write) == Some(arg));
            is_written && !rw.is_unused(result)
        })
        .collect();
    if !keep.contains(&false) {
        return None;
    }
    for (number, _) in keep.iter().enumerate().filter(|&(_, &keep)| !keep) {
        for &write in &writes {
            if target(rw, write) == Some(args[number]) {
                rw.erase(write);
            }
        }
        rw.replace(results[number], forall.outputs[number]);
        rw.replace(args[number], forall.outputs[number]);
    }
    let vars = forall.bounds[0].len();
    rw.retain_arguments(forall.block, |index| index < vars || keep[index - vars]);
    let left = forall.outputs.iter().zip(&keep);
    let left: Vec<Value> = left.filter(|&(_, &keep)| keep).map(|(&v, _)| v).collect();
    let operands = rw.body()[forall.op].operands.to_vec();
    let new = rw.rebuild(forall.op, &operands, &keep);
    set_bounds(rw, new, &forall.bounds, &left);
    Some(())
}

/// `forall … shared_outs(%o = cast %t) ⇒ cast (forall … shared_outs(%o = %t))` for a cast that only
/// erases extents: inserting slices changes none.
fn look_through_output_casts(rw: &mut Rewriter, forall: &Loop) -> Option<()> {
    forall.writes(rw)?;
    let source = |value: Value| {
        let cast = rw.look(forall.op).maker(value, tensor::CAST)?;
        let source = *cast.operands.first()?;
        let [from, to] = [source, value].map(|value| rw.body().ty(value));
        only_erases_extents(rw.ctx, from, to).then_some(source)
    };
    let sources: Vec<Option<Value>> = forall.outputs.iter().map(|&value| source(value)).collect();
    if sources.iter().all(Option::is_none) {
        return None;
    }
    let args = forall.output_args(rw);
    let results: Vec<Value> = rw.body()[forall.op].results().collect();
    let outputs = forall.outputs.iter().zip(&sources);
    let outputs: Vec<Value> = outputs.map(|(&v, source)| source.unwrap_or(v)).collect();
    let types: Vec<Type> = outputs.iter().map(|&value| rw.body().ty(value)).collect();
    let count = types.len();
    for (number, &arg) in args.iter().enumerate() {
        let new = rw.add_argument(forall.block, types[number], forall.op);
        retype(rw, forall.block, arg, new)?;
    }
    let vars = forall.bounds[0].len();
    rw.retain_arguments(forall.block, |index| index < vars || index >= vars + count);
    let operands = rw.body()[forall.op].operands.to_vec();
    // Old and new results exist side by side until the old ones are replaced.
    let both = rw.rebuild_with(forall.op, &operands, &vec![true; count], &types);
    let after = rw.body()[both].next()?;
    for (number, &result) in results.iter().enumerate() {
        let [old, mut new] = [number, count + number].map(|n| rw.body()[both].result(n));
        let ty = rw.body().ty(result);
        if ty != types[number] {
            new = rw.make(after, tensor::CAST, &[new], ty);
        }
        rw.replace(old, new);
    }
    let keep: Vec<bool> = (0..2 * count).map(|index| index >= count).collect();
    let new = rw.rebuild(both, &operands, &keep);
    set_bounds(rw, new, &forall.bounds, &outputs);
    Some(())
}

/// Replaces an argument by one of another type: insertions write to the new
/// one, all other users get a cast of it.
fn retype(rw: &mut Rewriter, block: BlockId, old: Value, new: Value) -> Option<()> {
    let ty = rw.body().ty(old);
    if rw.body().ty(new) == ty {
        rw.replace(old, new);
        return Some(());
    }
    for user in rw.users(old) {
        let data = &rw.body()[user];
        if data.name == tensor::PARALLEL_INSERT_SLICE && data.operands.get(1) == Some(&old) {
            let mut operands = data.operands.to_vec();
            operands[1] = new;
            rw.set_operands(user, &operands);
        }
    }
    if !rw.is_unused(old) {
        let first = rw.body()[block].first()?;
        let cast = rw.make(first, tensor::CAST, &[new], ty);
        rw.replace(old, cast);
    }
    Some(())
}

/// The trip count of a dimension, if it is known; it is 0 between equal bounds.
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
    rw.set_property(
        op,
        inherent::OPERAND_SEGMENT_SIZES,
        ctx.i32_array_attr(&sizes),
    );
    rw.set_operands(op, &operands);
}
