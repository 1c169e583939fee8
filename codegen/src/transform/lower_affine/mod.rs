//! `lower-affine`: lowers `affine` to `scf`, `arith` and `memref`.
//!
//! ```text
//! affine.for %i = max #lb(%n) to min #ub(%n)      scf.for %i = %l to %u step %c2 {
//!     step 2 {                              ⇒       %k = arith.addi %i, %c1 : index
//!   %v = affine.load %a[%i + 1]                     %v = memref.load %a[%k]
//! }                                               }
//! ```
//!
//! Always legal. `floordiv`, `ceildiv` and `mod` become sequences that are right for negative
//! operands, on top of `arith.divsi` and `arith.remsi`. An access keeps its discardable attributes,
//! such as `gridloom.inbounds`. `affine.parallel` becomes sequential loops.

mod expr;

use gridloom_dialects::inherent;
use gridloom_dialects::{affine, arith, memref, scf};
use gridloom_ir::attr_names;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{AffineMap, Body, Builder, Context, OpId, OpName, Value};

pub(super) use expr::expand_set;
pub use expr::{expand, expand_results};

use crate::transform::affine_parallel_to_for::parallel_to_for;

/// Lowers every affine operation of a body. Returns whether there was one.
///
/// Operations of the dialect without a lowering (index linearisation) are
/// left as they are.
pub fn lower_affine(ctx: &Context, body: &mut Body) -> bool {
    let loops_made = parallel_to_for(ctx, body, None);
    let ops = body.walk();
    lower_each(ctx, body, &ops, None).1 || loops_made
}

/// Like [`lower_affine`], for the operations below one operation.
pub fn lower_affine_below(ctx: &Context, body: &mut Body, root: OpId) -> bool {
    let loops_made = parallel_to_for(ctx, body, Some(root));
    let ops = body.walk_op(root);
    lower_each(ctx, body, &ops[1..], Some(root)).1 || loops_made
}

/// Lowers one operation, without those in its regions. Returns the replacements of its results, if
/// there are any; their uses in the body are rewritten.
pub(crate) fn lower_op(ctx: &Context, body: &mut Body, op: OpId) -> FxHashMap<Value, Value> {
    lower_each(ctx, body, &[op], None).0
}

/// Lowers operations, whose results are used below `root`, if that is given,
/// and nowhere else: looking for them in the whole body for each of its nests
/// would take the square of its size.
fn lower_each(
    ctx: &Context,
    body: &mut Body,
    ops: &[OpId],
    root: Option<OpId>,
) -> (FxHashMap<Value, Value>, bool) {
    let mut lowering = Lowering {
        ctx,
        body,
        replaced: FxHashMap::default(),
        changed: false,
    };
    for &op in ops {
        lowering.lower(op);
    }
    let Lowering {
        replaced, changed, ..
    } = lowering;
    match root {
        _ if replaced.is_empty() => {}
        Some(root) => body.replace_values_in(root, |value| resolve(&replaced, value)),
        None => body.replace_values(|value| resolve(&replaced, value)),
    }
    (replaced, changed)
}

/// Follows replacements of `value` to the last one: what replaced a result may itself be
/// the result of an operation lowered later.
pub(super) fn resolve(replaced: &FxHashMap<Value, Value>, mut value: Value) -> Value {
    while let Some(&next) = replaced.get(&value) {
        value = next;
    }
    value
}

struct Lowering<'a> {
    ctx: &'a Context,
    body: &'a mut Body,
    /// Results of erased operations. Uses are rewritten once, at the end.
    replaced: FxHashMap<Value, Value>,
    changed: bool,
}

impl Lowering<'_> {
    fn lower(&mut self, op: OpId) {
        let name = self.body[op].name;
        match name {
            affine::FOR => self.lower_for(affine::ForOp(op)),
            affine::IF => self.lower_if(affine::IfOp(op)),
            affine::YIELD => self.lower_yield(op),
            affine::APPLY => self.lower_apply(op, None),
            affine::MIN => self.lower_apply(op, Some(arith::MINSI)),
            affine::MAX => self.lower_apply(op, Some(arith::MAXSI)),
            affine::LOAD => self.lower_access(op, memref::LOAD, 1),
            affine::STORE => self.lower_access(op, memref::STORE, 2),
            affine::PREFETCH => self.lower_access(op, memref::PREFETCH, 1),
            affine::DMA_START | affine::DMA_WAIT => self.lower_dma(op),
            affine::VECTOR_LOAD => self.lower_access(op, self.ctx.op_name("vector.load"), 1),
            affine::VECTOR_STORE => self.lower_access(op, self.ctx.op_name("vector.store"), 2),
            _ => {}
        }
    }

    /// Lowers the terminator of a lowered operation. A band that stays, since it has no dimension
    /// or a reduction without a neutral element, keeps its own.
    fn lower_yield(&mut self, op: OpId) {
        let parent = self.body.parent_op(op);
        if parent.is_some_and(|parent| self.body[parent].name == affine::PARALLEL) {
            return;
        }
        self.body[op].name = scf::YIELD;
        self.changed = true;
    }

    fn builder(&mut self, op: OpId) -> Builder<'_> {
        Builder::before(self.ctx, self.body, op)
    }

    /// Lowers `affine.dma_start` and `affine.dma_wait` to those of `memref`, which take `index`
    /// operands only.
    fn lower_dma(&mut self, op: OpId) {
        let (ctx, body) = (self.ctx, &*self.body);
        let (places, numbers, name) = if body[op].name == affine::DMA_START {
            let Some(parts) = affine::DmaStartOp(op).parts(ctx, body) else {
                return;
            };
            let stride = parts.stride.into_iter().flat_map(|(a, b)| [a, b]);
            let numbers: Vec<Value> = [parts.num_elements].into_iter().chain(stride).collect();
            let places = vec![parts.source, parts.target, parts.tag];
            (places, numbers, memref::DMA_START)
        } else {
            let Some((tag, count)) = affine::DmaWaitOp(op).parts(ctx, body) else {
                return;
            };
            (vec![tag], vec![count], memref::DMA_WAIT)
        };
        let fits = places.iter().all(|place| {
            let rank = body.ty(place.memref).memref(ctx).map(|ty| ty.rank());
            rank == Some(place.map.results(ctx).len())
        });
        if !fits || numbers.iter().any(|&value| !body.ty(value).is_index(ctx)) {
            return;
        }
        let places: Vec<_> = places
            .into_iter()
            .map(|place| (place.memref, place.map, place.operands.to_vec()))
            .collect();
        let mut b = self.builder(op);
        let mut operands = Vec::new();
        let last = places.len() - 1;
        for (number, (memref, map, inputs)) in places.into_iter().enumerate() {
            // In a start, the number of elements precedes the tag.
            if number == last && last > 0 {
                operands.push(numbers[0]);
            }
            let index = expand_results(&mut b, map, &inputs);
            operands.push(memref);
            operands.extend(index);
        }
        operands.extend(if last > 0 {
            &numbers[1..]
        } else {
            &numbers[..]
        });
        b.create(b.state(name).operands(&operands));
        self.replace(op, &[]);
    }

    /// Replaces an operation's results by `new` and erases it.
    fn replace(&mut self, old: OpId, new: &[Value]) {
        let results = self.body[old].results();
        self.replaced.extend(results.zip(new.iter().copied()));
        self.body.erase(old);
        self.changed = true;
    }

    fn lower_for(&mut self, op: affine::ForOp) {
        let ctx = self.ctx;
        let (lower, upper) = (op.lower(ctx, self.body), op.upper(ctx, self.body));
        let (lower_map, lower_operands) = (lower.map, lower.operands.to_vec());
        let (upper_map, upper_operands) = (upper.map, upper.operands.to_vec());
        let inits = op.inits(ctx, self.body).to_vec();
        let step = op.step(ctx, self.body);
        let block = op.block(self.body);
        let types: Vec<_> = inits.iter().map(|&init| self.body.ty(init)).collect();

        let attributes = self.body[op.0].attributes;
        let mut b = self.builder(op.0);
        let lower = expand_best(&mut b, arith::MAXSI, lower_map, &lower_operands);
        let upper = expand_best(&mut b, arith::MINSI, upper_map, &upper_operands);
        let step = b.index_constant(step);
        let operands = [&[lower, upper, step], &inits[..]].concat();
        let mut state = b.state(scf::FOR).operands(&operands).results(&types);
        state.attributes = attributes;
        let new = b.create(state);
        let region = self.body.add_region(new);
        self.body.move_block(block, region, 0);
        let results: Vec<Value> = self.body[new].results().collect();
        self.replace(op.0, &results);
    }

    fn lower_if(&mut self, op: affine::IfOp) {
        let set = op.set(self.ctx, self.body);
        let operands = op.operands(self.body).to_vec();
        let types: Vec<_> = self.body[op.0].results().map(|r| self.body.ty(r)).collect();
        let blocks = [Some(op.then_block(self.body)), op.else_block(self.body)];

        let mut b = self.builder(op.0);
        let condition = expr::expand_set(&mut b, set, &operands);
        let state = b.state(scf::IF).operands(&[condition]).results(&types);
        let new = b.create(state);
        for block in blocks {
            let region = self.body.add_region(new);
            if let Some(block) = block {
                self.body.move_block(block, region, 0);
            }
        }
        let results: Vec<Value> = self.body[new].results().collect();
        self.replace(op.0, &results);
    }

    /// Lowers `affine.apply`, or a minimum or maximum by folding its results with `best`.
    fn lower_apply(&mut self, op: OpId, best: Option<OpName>) {
        let Some(map) = self.body[op].get(self.ctx, inherent::MAP) else {
            return;
        };
        let operands = self.body[op].operands.to_vec();
        let mut b = self.builder(op);
        let value = expand_best(&mut b, best.unwrap_or(arith::MAXSI), map, &operands);
        self.replace(op, &[value]);
    }

    /// Lowers an access whose map operands start at operand `first`.
    fn lower_access(&mut self, op: OpId, name: OpName, first: usize) {
        let ctx = self.ctx;
        let data = &self.body[op];
        let Some(map) = data.get(ctx, inherent::MAP) else {
            return;
        };
        let inputs = data.operands[first..].to_vec();
        let mut b = self.builder(op);
        let indices = expand_results(&mut b, map, &inputs);
        // In place: accesses are most of the lowered operations, and keep their results.
        let data = &mut self.body[op];
        data.name = name;
        data.operands.truncate(first);
        data.operands.extend(indices);
        data.properties = data.properties.without(ctx, attr_names::MAP);
        self.changed = true;
    }
}

/// Emits all results of `map`, folded into one by `best`.
pub(crate) fn expand_best(
    b: &mut Builder,
    best: OpName,
    map: AffineMap,
    operands: &[Value],
) -> Value {
    let results = expand_results(b, map, operands);
    let folded = results.into_iter().reduce(|x, y| b.binary(best, x, y));
    // The verifier refuses a map without results in these places.
    folded.unwrap_or_else(|| b.index_constant(0))
}
