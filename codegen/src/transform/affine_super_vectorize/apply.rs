//! Emission of the vectorized nest.

use std::collections::HashMap;

use gridloom_dialects::affine::{self, Access, Bound, ForOp};
use gridloom_dialects::{arith, inherent, vector};
use gridloom_ir::{
    AffineExpr, Body, Builder, Context, InsertPoint, IrMapping, OpId, OpName, Type, Value,
};

use super::judge::{Plan, Remainder, Treatment};
use crate::analysis::reduction::zero;
use crate::transform::emit_loops::{bound, close, go_behind};
use crate::transform::index_values::index_values;
use crate::transform::joint_bounds::JointBounds;

impl Plan {
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let root = self.nest[0];
        let mut b = Builder::before(ctx, body, root.0);
        let mut writer = Writer {
            plan: self,
            scalars: IrMapping::new(),
            lanes: HashMap::new(),
        };
        let inits = root.inits(ctx, b.body).to_vec();
        let partial: Vec<Value> = (self.reductions.iter())
            .map(|reduction| {
                let neutral = b.constant(reduction.neutral, reduction.ty);
                writer.spread(&mut b, neutral)
            })
            .collect();
        let lanes = writer.write_loop(&mut b, &self.nest, &partial);
        let whole: Vec<Value> = (self.reductions.iter().zip(lanes).zip(&inits))
            .map(|((reduction, lanes), &init)| {
                let state = b.state(vector::REDUCTION).operands(&[lanes]);
                let kind = kind_name(reduction.combine);
                let kind = ctx.dialect_attr("vector", &format!(".kind<{kind}>"));
                let state =
                    state
                        .results(&[reduction.ty])
                        .property(ctx, inherent::COMBINING_KIND, kind);
                let op = b.create(state);
                let part = b.body[op].result(0);
                b.binary(reduction.combine, init, part)
            })
            .collect();
        match self.remainder {
            Remainder::None => body.replace_op(root.0, &whole),
            Remainder::From(end) => add_remainder_loop(ctx, body, root, end, &whole),
        }
    }

    /// Upper bound of the vectorized loop, as a map over the operands of both bounds.
    fn end(&self, ctx: &Context, body: &Body, l: ForOp) -> (gridloom_ir::AffineMap, Vec<Value>) {
        match self.remainder {
            Remainder::None => {
                let upper = l.upper(ctx, body);
                (upper.map, upper.operands.to_vec())
            }
            Remainder::From(end) => {
                let joint = JointBounds::of(ctx, &[l.lower(ctx, body), l.upper(ctx, body)]);
                joint.compact(ctx, &[end])
            }
        }
    }
}

/// Turns the old loop into the remainder loop, over the iterations that fill no vector. Where the
/// old loop has no iterations, `end` may lie before its start, and the remainder must not begin
/// there.
fn add_remainder_loop(ctx: &Context, body: &mut Body, l: ForOp, end: AffineExpr, inits: &[Value]) {
    let joint = JointBounds::of(ctx, &[l.lower(ctx, body), l.upper(ctx, body)]);
    let starts = match l.constant_trip_count(ctx, body) {
        Some(_) => vec![end],
        None => vec![joint.exprs[0][0], end],
    };
    let (map, operands) = joint.compact(ctx, &starts);
    let operands = &operands;
    l.set_lower(ctx, body, Bound { map, operands });
    body[l.0].set_operand_segment(ctx, 2, inits);
}

/// Writer of a vectorized nest.
struct Writer<'p> {
    plan: &'p Plan,
    /// Map of uniform values, and of index values for the first lane.
    scalars: IrMapping,
    lanes: HashMap<Value, Value>,
}

impl Writer<'_> {
    /// Emits the loops of a nest and moves the builder behind them. Returns their results.
    fn write_loop(&mut self, b: &mut Builder, nest: &[ForOp], inits: &[Value]) -> Vec<Value> {
        let Some((&l, inner)) = nest.split_first() else {
            return Vec::new();
        };
        let ctx = b.ctx;
        let depth = self.plan.nest.len() - nest.len();
        let lower = l.lower(ctx, b.body);
        let lower = (lower.map, self.mapped(lower.operands));
        let (end, operands) = self.plan.end(ctx, b.body, l);
        let upper = (end, self.mapped(&operands));
        let size = self.plan.sizes[depth];
        let new = ForOp::create(b, bound(&lower), bound(&upper), size, inits);
        self.enter(b, l, new);
        if inner.is_empty() {
            self.statements(b, l);
        } else {
            self.write_loop(b, inner, &[]);
        }
        let yielded: Vec<Value> = l.yielded(b.body).to_vec();
        let yielded: Vec<Value> = yielded.iter().map(|&value| self.vector(b, value)).collect();
        close(b, new, &yielded)
    }

    /// Moves the builder into a new loop, and maps the old loop's counter and carried values.
    fn enter(&mut self, b: &mut Builder, old: ForOp, new: ForOp) {
        let block = new.block(b.body);
        b.set(InsertPoint::End(block));
        let (from, to) = (old.induction_var(b.body), new.induction_var(b.body));
        self.scalars.map(from, to);
        let pairs = old.iter_args(b.body).iter().zip(new.iter_args(b.body));
        self.lanes.extend(pairs.map(|(&from, &to)| (from, to)));
    }

    fn mapped(&self, values: &[Value]) -> Vec<Value> {
        values
            .iter()
            .map(|&value| self.scalars.value(value))
            .collect()
    }

    fn statements(&mut self, b: &mut Builder, l: ForOp) {
        let ops: Vec<OpId> = b.body.ops(l.block(b.body)).collect();
        for op in ops {
            match self.plan.treatments.get(&op) {
                Some(Treatment::Copied) => drop(b.insert_copy(op, &mut self.scalars)),
                Some(Treatment::Elementwise) => self.elementwise(b, op),
                Some(Treatment::Access(lanes)) => self.access(b, op, lanes),
                Some(Treatment::Loop) => self.inner_loop(b, ForOp(op)),
                // The terminator has no treatment: the caller writes another one.
                None => {}
            }
        }
    }

    fn inner_loop(&mut self, b: &mut Builder, l: ForOp) {
        let ctx = b.ctx;
        let (lower, upper) = (l.lower(ctx, b.body), l.upper(ctx, b.body));
        let (maps, step) = ([lower.map, upper.map], l.step(ctx, b.body));
        let operands = [self.mapped(lower.operands), self.mapped(upper.operands)];
        let inits = l.inits(ctx, b.body).to_vec();
        let inits: Vec<Value> = inits.iter().map(|&value| self.vector(b, value)).collect();
        let [lower, upper] = [0, 1].map(|number| Bound {
            map: maps[number],
            operands: &operands[number],
        });
        let new = ForOp::create(b, lower, upper, step, &inits);
        self.enter(b, l, new);
        self.statements(b, l);
        let yielded: Vec<Value> = l.yielded(b.body).to_vec();
        let yielded: Vec<Value> = yielded.iter().map(|&value| self.vector(b, value)).collect();
        let results = close(b, new, &yielded);
        self.lanes.extend(b.body[l.0].results().zip(results));
        go_behind(b, new.0);
    }

    /// The vector of a value.
    fn vector(&mut self, b: &mut Builder, value: Value) -> Value {
        match self.lanes.get(&value) {
            Some(&lanes) => lanes,
            None => {
                let scalar = self.scalars.value(value);
                self.spread(b, scalar)
            }
        }
    }

    /// Emits the broadcast of a scalar to all lanes.
    fn spread(&self, b: &mut Builder, scalar: Value) -> Value {
        let ty = self.vector_type(b, b.body.ty(scalar));
        b.unary(vector::BROADCAST, &[scalar], ty)
    }

    fn vector_type(&self, b: &Builder, element: Type) -> Type {
        b.ctx.vector_type(&self.plan.sizes, element)
    }

    fn elementwise(&mut self, b: &mut Builder, op: OpId) {
        let operands = b.body[op].operands.to_vec();
        let operands: Vec<Value> = operands
            .iter()
            .map(|&value| self.vector(b, value))
            .collect();
        let data = &b.body[op];
        let (name, properties, attributes) = (data.name, data.properties, data.attributes);
        let old: Vec<Value> = data.results().collect();
        let types: Vec<Type> = (old.iter())
            .map(|&value| self.vector_type(b, b.body.ty(value)))
            .collect();
        let new = b.create(b.state(name).operands(&operands).results(&types));
        b.body[new].properties = properties;
        b.body[new].attributes = attributes;
        self.lanes
            .extend(old.into_iter().zip(b.body[new].results()));
    }

    /// Emits a vector transfer, all of whose lanes are accesses of iterations.
    fn access(&mut self, b: &mut Builder, op: OpId, lanes: &[Option<usize>]) {
        let ctx = b.ctx;
        let access = Access {
            op,
            is_store: b.body[op].name == affine::STORE,
        };
        let memref = self.scalars.value(access.memref(b.body));
        let map = access.map(ctx, b.body);
        let operands = self.mapped(access.operands(b.body));
        let operands = &operands;
        let rank = map.results(ctx).len();
        let along: Vec<AffineExpr> = (lanes.iter())
            .map(|lane| match *lane {
                Some(dim) => ctx.affine_dim(dim as u32),
                None => ctx.affine_const(0),
            })
            .collect();
        let permutation = ctx.map_attr(ctx.affine_map(rank as u32, 0, &along));
        let in_bounds = ctx.array_attr(&vec![ctx.bool_attr(true); lanes.len()]);
        let stored = access.is_store.then(|| b.body[op].operands[0]);
        let stored = stored.map(|value| self.vector(b, value));
        let indices = index_values(b, Bound { map, operands });
        let state = match stored {
            Some(stored) => {
                let state = b.state(vector::TRANSFER_WRITE);
                let sizes = ctx.i32_array_attr(&[1, 1, rank as i32, 0]);
                state
                    .operands(&[&[stored, memref], &indices[..]].concat())
                    .property(ctx, inherent::OPERAND_SEGMENT_SIZES, sizes)
            }
            None => {
                let loaded = b.body.ty(b.body[op].result(0));
                let Some(padding) = zero(ctx, loaded) else {
                    return;
                };
                let padding = b.constant(padding, loaded);
                let ty = self.vector_type(b, loaded);
                let sizes = ctx.i32_array_attr(&[1, rank as i32, 1, 0]);
                let operands = [&[memref], &indices[..], &[padding]].concat();
                let state = b.state(vector::TRANSFER_READ).operands(&operands);
                state
                    .results(&[ty])
                    .property(ctx, inherent::OPERAND_SEGMENT_SIZES, sizes)
            }
        };
        let state = state
            .property(ctx, inherent::PERMUTATION_MAP, permutation)
            .property(ctx, inherent::IN_BOUNDS, in_bounds);
        let new = b.create(state);
        self.lanes
            .extend(b.body[op].results().zip(b.body[new].results()));
    }
}

/// The `vector.kind` that combines as an operation of `arith` does.
pub(super) fn kind_name(combine: OpName) -> &'static str {
    match combine {
        arith::MULI | arith::MULF => "mul",
        arith::MINSI => "minsi",
        arith::MINUI => "minui",
        arith::MAXSI => "maxsi",
        arith::MAXUI => "maxui",
        arith::MINIMUMF => "minimumf",
        arith::MAXIMUMF => "maximumf",
        arith::MINNUMF => "minnumf",
        arith::MAXNUMF => "maxnumf",
        arith::ANDI => "and",
        arith::ORI => "or",
        arith::XORI => "xor",
        _ => "add",
    }
}
