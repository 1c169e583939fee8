//! Work of a program: floating-point operations and bytes, counted from its loops.
//!
//! Operations are counted exactly: trip counts times operations, a loop whose counter bounds an
//! inner loop going through its iterations. `fma` is two operations, any other one.
//!
//! Bytes are what an ideal cache cannot save: for each nest at the top of a function the distinct
//! elements that it reads and those that it writes, an array's as the box around all its
//! subscripts. A loop whose counter no subscript below uses, such as one over time steps, repeats
//! the nests in it. Memory that a nest allocates itself does not count.

use std::collections::HashMap;

use gridloom_codegen::analysis::alias::{Root, root_of};
use gridloom_codegen::analysis::counter::{Counter, counters};
use gridloom_codegen::analysis::loop_kind::is_affine_loop;
use gridloom_dialects::{affine, arith, math, memref, scf};
use gridloom_interp::scalar_kind;
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::{AffineExpr, AffineMap, BlockId, Body, Context, Module, OpId, OpName, Value};
use serde::{Deserialize, Serialize};

use crate::HostValue;

/// Work of a program: operations and bytes, counted from its loops.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Debug)]
pub struct Work {
    /// Floating-point operations.
    pub flops: u64,
    /// Bytes read and written.
    pub bytes: u64,
}

/// Limit of the blocks visited; counting gives up beyond it.
const MOST_VISITS: u64 = 4_000_000;

/// Counts the work of function `entry` for some arguments; `None` where trip counts or accesses are
/// unknown.
pub fn work(ctx: &Context, module: &Module, entry: &str, inputs: &[HostValue]) -> Option<Work> {
    let name = ctx.ident(entry);
    let function = module.symbols(ctx).get(name)?;
    let body = module.body()[function].isolated()?;
    let block = body.entry()?;
    let mut count = Count {
        ctx,
        body,
        known: HashMap::new(),
        shapes: HashMap::new(),
        visits: 0,
    };
    for (&argument, input) in body[block].args.iter().zip(inputs) {
        if let Some(shape) = &input.shape {
            count.shapes.insert(argument, shape.clone());
        }
    }
    let flops = count.flops(block)?;
    let bytes = count.bytes_of_nests(block)?;
    Some(Work { flops, bytes })
}

/// Interval of a value's integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range {
    least: i64,
    most: i64,
}

struct Count<'a> {
    ctx: &'a Context,
    body: &'a Body,
    known: HashMap<Value, Range>,
    shapes: HashMap<Value, Vec<i64>>,
    visits: u64,
}

/// Bounding boxes that a nest reads and writes, by buffer.
type Boxes = HashMap<(Root, bool), (Vec<Range>, u64)>;

impl Count<'_> {
    /// Floating-point operations of one execution of a block.
    fn flops(&mut self, block: BlockId) -> Option<u64> {
        self.visits += 1;
        if self.visits > MOST_VISITS {
            return None;
        }
        let mut sum = 0_u64;
        for op in self.body.ops(block) {
            self.note(op);
            let name = self.body[op].name;
            sum = sum.checked_add(match name {
                _ if is_affine_loop(self.body, op) => {
                    let all: Vec<Counter> = counters(self.body, op).collect();
                    self.flops_of_loop(&all)?
                }
                affine::IF | scf::IF => {
                    let mut most = 0;
                    for block in self.blocks_of(op) {
                        most = self.flops(block)?.max(most);
                    }
                    most
                }
                _ if !self.body[op].inline_regions().is_empty() => return None,
                _ => self.flops_of(op),
            })?;
        }
        Some(sum)
    }

    fn flops_of(&self, op: OpId) -> u64 {
        let name = self.body[op].name;
        let is_float = self.body[op].results().next().is_some_and(|result| {
            let kind = scalar_kind(self.ctx, self.body.ty(result));
            kind.is_some_and(|kind| !matches!(kind, gridloom_interp::ScalarKind::Int(_)))
        });
        match name {
            math::FMA => 2,
            _ if is_float && is_arithmetic(name) => 1,
            _ => 0,
        }
    }

    fn flops_of_loop(&mut self, all: &[Counter]) -> Option<u64> {
        let Some((&counter, inner)) = all.split_first() else {
            return Some(0);
        };
        let block = counter.block(self.body);
        let (range, step) = (self.bounds(counter)?, counter.step(self.ctx, self.body));
        let iv = counter.induction_var(self.body);
        let trips = trips(range, step);
        let of_one = |count: &mut Self| match inner {
            [] => count.flops(block),
            _ => count.flops_of_loop(inner),
        };
        if trips == 0 {
            return Some(0);
        }
        if !self.bounds_a_loop(block, iv) {
            self.known.insert(iv, range);
            return of_one(self)?.checked_mul(trips);
        }
        let mut sum = 0_u64;
        let mut at = range.least;
        while at <= range.most {
            self.known.insert(
                iv,
                Range {
                    least: at,
                    most: at,
                },
            );
            sum = sum.checked_add(of_one(self)?)?;
            at = at.checked_add(step)?;
        }
        self.known.insert(iv, range);
        Some(sum)
    }

    /// Whether the bounds of an inner loop depend on a counter.
    fn bounds_a_loop(&self, block: BlockId, iv: Value) -> bool {
        let mut derived = vec![iv];
        for op in self.below(block) {
            let data = &self.body[op];
            if !data
                .operands
                .iter()
                .any(|operand| derived.contains(operand))
            {
                continue;
            }
            if is_affine_loop(self.body, op) {
                return true;
            }
            derived.extend(data.results());
        }
        false
    }

    /// The blocks of an operation's own regions.
    fn blocks_of(&self, op: OpId) -> Vec<BlockId> {
        let regions = self.body[op].inline_regions().iter();
        let blocks = regions.flat_map(|&region| self.body[region].blocks.iter());
        blocks.copied().collect()
    }

    /// The operations of a block, nested ones included.
    fn below(&self, block: BlockId) -> Vec<OpId> {
        let ops = self.body.ops(block);
        ops.flat_map(|op| self.body.walk_op(op)).collect()
    }

    /// Bytes of the consecutive nests of a block.
    fn bytes_of_nests(&mut self, block: BlockId) -> Option<u64> {
        let mut sum = 0_u64;
        for op in self.body.ops(block) {
            self.note(op);
            let repeats = self.repeats(op)?;
            sum = sum.checked_add(match repeats {
                Some((trips, block)) => self.bytes_of_nests(block)?.checked_mul(trips)?,
                None => {
                    let mut boxes = Boxes::new();
                    self.touch(op, op, &mut boxes)?;
                    bytes_of(&boxes)?
                }
            })?;
        }
        Some(sum)
    }

    /// Trip count and body of a loop that only repeats its body, since no subscript uses its
    /// counter.
    fn repeats(&mut self, op: OpId) -> Option<Option<(u64, BlockId)>> {
        let mut all = counters(self.body, op);
        let (Some(counter), None) = (all.next(), all.next()) else {
            return Some(None);
        };
        let block = counter.block(self.body);
        let mut derived = vec![counter.induction_var(self.body)];
        let mut has_loops = false;
        for inner in self.below(block) {
            has_loops |= is_affine_loop(self.body, inner);
            let data = &self.body[inner];
            if data
                .operands
                .iter()
                .any(|operand| derived.contains(operand))
            {
                if is_access(self.body, inner) {
                    return Some(None);
                }
                derived.extend(data.results());
            }
        }
        let range = self.bounds(counter)?;
        let trips = trips(range, counter.step(self.ctx, self.body));
        Some(has_loops.then_some((trips, block)))
    }

    /// Adds the accesses of an operation and of those nested in it.
    fn touch(&mut self, nest: OpId, op: OpId, boxes: &mut Boxes) -> Option<()> {
        self.note(op);
        for counter in counters(self.body, op) {
            let range = self.bounds(counter)?;
            if range.most < range.least {
                return Some(());
            }
            self.known.insert(counter.induction_var(self.body), range);
        }
        self.touch_one(nest, op, boxes)?;
        for block in self.blocks_of(op) {
            for inner in self.body.ops(block) {
                self.touch(nest, inner, boxes)?;
            }
        }
        Some(())
    }

    fn touch_one(&mut self, nest: OpId, op: OpId, boxes: &mut Boxes) -> Option<()> {
        let (ctx, body) = (self.ctx, self.body);
        let (array, is_store, found) = if let Some(access) = affine::Access::cast(body, op) {
            let found = self.subscripts(access.map(ctx, body), access.operands(body));
            (access.memref(body), access.is_store, found)
        } else if let Some(access) = memref::Access::cast(body, op) {
            let found = access
                .indices(body)
                .iter()
                .map(|i| self.known.get(i).copied());
            (access.memref(body), access.is_store, found.collect())
        } else {
            return Some(());
        };
        let shape = self.shape(array)?;
        let bytes = scalar_kind(ctx, body.ty(array).element(ctx)?)?.size() as u64;
        let root = root_of(ctx, body, array);
        if let Some(home) = body.defining_op(array)
            && body.is_ancestor(nest, home)
        {
            return Some(());
        }
        let whole = |&size: &i64| Range {
            least: 0,
            most: size - 1,
        };
        let found: Vec<Range> = shape
            .iter()
            .enumerate()
            .map(|(dim, size)| {
                found
                    .get(dim)
                    .copied()
                    .flatten()
                    .unwrap_or_else(|| whole(size))
            })
            .collect();
        let (kept, _) = boxes
            .entry((root, is_store))
            .or_insert_with(|| (found.clone(), bytes));
        for (kept, found) in kept.iter_mut().zip(&found) {
            kept.least = kept.least.min(found.least);
            kept.most = kept.most.max(found.most);
        }
        Some(())
    }

    fn subscripts(&self, map: AffineMap, operands: &[Value]) -> Vec<Option<Range>> {
        let results = map.results(self.ctx).iter();
        results
            .map(|&expr| self.range(expr, map, operands))
            .collect()
    }

    /// Records the known results of an operation.
    fn note(&mut self, op: OpId) {
        let (ctx, body) = (self.ctx, self.body);
        let exactly = |value| Range {
            least: value,
            most: value,
        };
        let found = match body[op].name {
            arith::CONSTANT => body[op].results().next().and_then(|value| {
                arith::constant_int(ctx, body, value).map(|number| (value, exactly(number)))
            }),
            memref::DIM => {
                let data = &body[op];
                let at = arith::constant_int(ctx, body, data.operands[1]);
                let shape = self.shape(data.operands[0]);
                let size = at
                    .zip(shape)
                    .and_then(|(at, shape)| shape.get(usize::try_from(at).ok()?).copied());
                size.map(|size| (body[op].result(0), exactly(size)))
            }
            affine::APPLY => {
                let apply = affine::ApplyOp(op);
                let map = apply.map(ctx, body);
                let found = self.subscripts(map, apply.operands(body));
                found
                    .first()
                    .copied()
                    .flatten()
                    .map(|range| (body[op].result(0), range))
            }
            memref::DISTINCT_OBJECTS | memref::CAST => {
                let data = &body[op];
                for (number, &array) in data.operands.iter().enumerate() {
                    if let Some(shape) = self.shape(array) {
                        self.shapes.insert(body[op].result(number), shape);
                    }
                }
                None
            }
            _ => None,
        };
        self.known.extend(found);
    }

    fn shape(&self, array: Value) -> Option<Vec<i64>> {
        if let Some(shape) = self.shapes.get(&array) {
            return Some(shape.clone());
        }
        let ty = self.body.ty(array).memref(self.ctx)?;
        if ty.has_static_shape() {
            return Some(ty.shape.to_vec());
        }
        // Dynamic sizes are operands of the allocation.
        let op = self.body.defining_op(array)?;
        let mut given = self.body[op].operands.iter();
        let is_alloc = matches!(self.body[op].name, memref::ALLOC | memref::ALLOCA);
        let sizes = ty.shape.iter().map(|&size| {
            if size != gridloom_ir::types::DYNAMIC {
                return Some(size);
            }
            let range = self.known.get(given.next()?)?;
            (range.least == range.most).then_some(range.least)
        });
        sizes.collect::<Option<_>>().filter(|_| is_alloc)
    }

    /// Interval of a counter: its first and last value.
    fn bounds(&self, counter: Counter) -> Option<Range> {
        let (ctx, body) = (self.ctx, self.body);
        let (lower, upper) = (counter.lower(ctx, body), counter.upper(ctx, body));
        let lowers: Option<Vec<Range>> = self
            .subscripts(lower.map, lower.operands)
            .into_iter()
            .collect();
        let uppers: Option<Vec<Range>> = self
            .subscripts(upper.map, upper.operands)
            .into_iter()
            .collect();
        // The greatest of the lower bounds, the least of the upper ones.
        let least = lowers?.iter().map(|range| range.least).max()?;
        let most = uppers?
            .iter()
            .map(|range| range.most)
            .min()?
            .checked_sub(1)?;
        Some(Range { least, most })
    }

    fn range(&self, expr: AffineExpr, map: AffineMap, operands: &[Value]) -> Option<Range> {
        let dims = map.num_dims(self.ctx);
        let of = |at: usize| self.known.get(operands.get(at)?).copied();
        let parts = |a: AffineExpr, b: AffineExpr| {
            Some((self.range(a, map, operands)?, self.range(b, map, operands)?))
        };
        match expr.kind(self.ctx) {
            AffineExprKind::Constant(value) => Some(Range {
                least: value,
                most: value,
            }),
            AffineExprKind::Dim(at) => of(at as usize),
            AffineExprKind::Symbol(at) => of(dims + at as usize),
            AffineExprKind::Binary(op, a, b) => {
                let (a, b) = parts(a, b)?;
                if op == AffineOp::Mod && a.least != a.most {
                    return (b.least == b.most).then_some(Range {
                        least: 0,
                        most: b.least - 1,
                    });
                }
                let mut ends = Vec::new();
                for a in [a.least, a.most] {
                    for b in [b.least, b.most] {
                        ends.push(op.fold(a, b)?);
                    }
                }
                Some(Range {
                    least: *ends.iter().min()?,
                    most: *ends.iter().max()?,
                })
            }
        }
    }
}

fn trips(range: Range, step: i64) -> u64 {
    let way = i128::from(range.most) - i128::from(range.least);
    if way < 0 {
        return 0;
    }
    u64::try_from(way / i128::from(step.max(1)) + 1).unwrap_or(u64::MAX)
}

fn bytes_of(boxes: &Boxes) -> Option<u64> {
    let mut sum = 0_u64;
    for (sides, bytes) in boxes.values() {
        let mut product = *bytes;
        for side in sides {
            product = product.checked_mul(trips(*side, 1))?;
        }
        sum = sum.checked_add(product)?;
    }
    Some(sum)
}

fn is_access(body: &Body, op: OpId) -> bool {
    affine::Access::cast(body, op).is_some() || memref::Access::cast(body, op).is_some()
}

/// Whether a float operation counts as arithmetic: selections, casts and constants do not.
fn is_arithmetic(name: OpName) -> bool {
    let arithmetic = [
        arith::ADDF,
        arith::SUBF,
        arith::MULF,
        arith::DIVF,
        arith::NEGF,
        arith::MAXIMUMF,
        arith::MINIMUMF,
        arith::MAXNUMF,
        arith::MINNUMF,
    ];
    arithmetic.contains(&name)
        || gridloom_dialects::signature(name).is_some_and(|op| op.name.starts_with("math."))
}

mod nest;
#[cfg(test)]
mod tests;

pub use nest::work_of_nest;
