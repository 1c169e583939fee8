//! `hoist-recurrences`: computes the values that an inner loop carries in front of the loops around, where each of their
//! iterations would compute the same ones.
//!
//! ```text
//!                                                   %w = memref.alloc(%h)
//!                                                   scf.for %j = 0 to %h iter_args(%r = %one) {
//!                                                     %w[%j] = %r
//!                                                     scf.yield %r * %root
//!                                                   }
//! scf.for %i = 0 to %n step %m {                    scf.for %i = 0 to %n step %m {
//!   scf.for %j = 0 to %h iter_args(%r = %one) {       scf.for %j = 0 to %h {
//!     S(%i, %j, %r)                           ⇒         S(%i, %j, %w[%j])
//!     scf.yield %r * %root                            }
//!   }                                               }
//! }
//! ```
//!
//! The roots of unity of an FFT are such values, `w = 1; for (j …) { …; w = w * root; }` in each block: with them in memory, all
//! iterations of the nest are independent.
//!
//! Legal where the bounds, the initial values and all that the carried values are computed from are the same in all
//! iterations of the loops around, and the operations have no effects. Done where the loop around has a run-time step, as blocks have;
//! loops whose results are used stay, since they reduce something.

use std::cell::OnceCell;
use std::collections::HashSet;

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::{memref, scf};
use gridloom_ir::body::Uses;
use gridloom_ir::op::Traits;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, OpId, Value};

use super::affine_guard_overflow::is_fallback;
use super::auxiliary_arrays::can_hold;
use super::emit_loops::go_behind;
use super::loop_invariant_code_motion::is_speculatable;
use super::raise_to_affine::host_ops;
use super::raise_to_affine::induction::{hoist, is_invariant};

/// Hoists the recurrences of a host function. Returns whether there was one.
pub fn hoist_recurrences(ctx: &Context, body: &mut Body) -> bool {
    if !body.may_hold(scf::FOR) {
        return false;
    }
    let uses = OnceCell::new();
    let plans: Vec<Recurrence> = host_ops(body)
        .into_iter()
        .filter_map(|op| plan(ctx, body, &uses, op))
        .collect();
    for plan in &plans {
        plan.apply(ctx, body);
    }
    !plans.is_empty()
}

/// Recurrence of an inner loop that the loop `root` around repeats.
struct Recurrence {
    root: OpId,
    inner: scf::ForOp,
    /// The operations that compute the next values, in order.
    slice: Vec<OpId>,
    /// Values from outside of the inner loop that these use.
    inputs: Vec<Value>,
}

/// Plans the recurrence of a loop; `uses` are those of the body, once a loop asks for them.
fn plan(ctx: &Context, body: &Body, uses: &OnceCell<Uses>, op: OpId) -> Option<Recurrence> {
    let inner = (body[op].name == scf::FOR).then_some(scf::ForOp(op))?;
    let root = body
        .parent_op(op)
        .filter(|&root| body[root].name == scf::FOR)?;
    let has_open_step = arith::constant_int(ctx, body, scf::ForOp(root).step(body)).is_none();
    let args = inner.iter_args(body);
    let is_small = args.iter().all(|&arg| can_hold(ctx, body.ty(arg)));
    let is_plain = !args.is_empty()
        && is_small
        && arith::constant_int(ctx, body, inner.step(body)) == Some(1)
        && body.ty(inner.lower(body)).is_index(ctx)
        && !inner.is_unsigned(ctx, body)
        && body.ty(scf::ForOp(root).lower(body)).is_index(ctx)
        && !scf::ForOp(root).is_unsigned(ctx, body)
        && !body.ancestors(op).any(|op| is_fallback(body, op));
    let has_uses = || {
        let uses = uses.get_or_init(|| body.uses());
        body[op].results().any(|result| !uses.of(result).is_empty())
    };
    if !has_open_step || !is_plain || has_uses() {
        return None;
    }
    let block = inner.block(body);
    let mut known: HashSet<Value> = body[block].args.iter().copied().collect();
    let (mut slice, mut inputs) = (HashSet::new(), Vec::new());
    let mut open: Vec<Value> = body[body[block].last()?].operands.to_vec();
    while let Some(value) = open.pop() {
        if !known.insert(value) {
            continue;
        }
        let def = body
            .defining_op(value)
            .filter(|&def| body[def].parent() == Some(block));
        match def {
            Some(def) => {
                let is_function = body[def].name.has(Traits::PURE) && body[def].num_regions() == 0;
                // The loop around may have no iterations.
                (is_function && is_speculatable(ctx, body, def)).then_some(())?;
                slice.insert(def);
                open.extend(body[def].operands.iter().copied());
            }
            None => inputs.push(value),
        }
    }
    let bounds = [inner.lower(body), inner.upper(body), inner.step(body)];
    inputs.extend(bounds);
    inputs.extend(inner.inits(body).iter().copied());
    let is_fixed = |&value: &Value| is_invariant(ctx, body, root, value, 0);
    inputs.iter().all(is_fixed).then_some(())?;
    let ops = body.ops(block).filter(|op| slice.contains(op)).collect();
    Some(Recurrence {
        root,
        inner,
        slice: ops,
        inputs,
    })
}

impl Recurrence {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        for &value in &self.inputs {
            hoist(body, self.root, value);
        }
        let inner = self.inner;
        let bounds = [inner.lower(body), inner.upper(body), inner.step(body)];
        let [lower, upper, step] = bounds;
        let inits = inner.inits(body).to_vec();
        let mut b = Builder::before(ctx, body, self.root);
        // A nest without iterations needs no memory, whatever the inner bounds are.
        let (from, to) = (
            scf::ForOp(self.root).lower(b.body),
            scf::ForOp(self.root).upper(b.body),
        );
        let runs = CmpIOp::create(&mut b, CmpIPredicate::Slt, from, to);
        let zero = b.index_constant(0);
        let count = b.binary(arith::SUBI, upper, lower);
        let count = b.binary(arith::MAXSI, count, zero);
        let count = arith::select(&mut b, runs, count, zero);
        let end = b.binary(arith::ADDI, lower, count);
        let arrays: Vec<Value> = inits
            .iter()
            .map(|&init| {
                let ty = ctx.memref_type(&[DYNAMIC], b.body.ty(init));
                memref::AllocOp::create(&mut b, ty, &[count])
            })
            .collect();
        let table = scf::ForOp::create(&mut b, lower, end, step, &inits);
        self.fill(&mut b, table, &arrays, lower);
        go_behind(&mut b, self.root);
        for &array in &arrays {
            b.create(b.state(memref::DEALLOC).operands(&[array]));
        }
        self.read(ctx, body, bounds, &arrays);
    }

    /// Emits the body of the loop that computes the values: it stores those of an iteration, and computes the next ones.
    fn fill(&self, b: &mut Builder, table: scf::ForOp, arrays: &[Value], lower: Value) {
        let from = self.inner.block(b.body);
        let (block, counter) = (table.block(b.body), table.induction_var(b.body));
        let own = b.body[block].args.to_vec();
        b.set(InsertPoint::End(block));
        let at = b.binary(arith::SUBI, counter, lower);
        for (&array, &value) in arrays.iter().zip(&own[1..]) {
            memref::StoreOp::create(b, value, array, &[at]);
        }
        let mut map = IrMapping::new();
        for (&old, &new) in b.body[from].args.to_vec().iter().zip(&own) {
            map.map(old, new);
        }
        for &op in &self.slice {
            b.insert_copy(op, &mut map);
        }
        let end = b.body[from].last();
        let next = end.map_or(Vec::new(), |end| b.body[end].operands.to_vec());
        let next: Vec<Value> = next.into_iter().map(|value| map.value(value)).collect();
        scf::yield_values(b, block, &next);
    }

    /// Rewrites the inner loop as one that carries nothing and loads the values.
    fn read(
        &self,
        ctx: &Context,
        body: &mut Body,
        [lower, upper, step]: [Value; 3],
        arrays: &[Value],
    ) {
        let (old, from) = (self.inner.0, self.inner.block(body));
        let attributes = body[old].attributes;
        let mut b = Builder::before(ctx, body, old);
        let new = scf::ForOp::create(&mut b, lower, upper, step, &[]);
        b.body[new.0].attributes = attributes;
        let (block, counter) = (new.block(b.body), new.induction_var(b.body));
        b.set(InsertPoint::End(block));
        let at = b.binary(arith::SUBI, counter, lower);
        let mut values = vec![counter];
        for &array in arrays {
            values.push(memref::LoadOp::create(&mut b, array, &[at]));
        }
        let old_values = b.body[from].args.to_vec();
        for (&old, new) in old_values.iter().zip(values) {
            b.body.replace_uses(old, new);
        }
        if let Some(end) = b.body[from].last() {
            b.body.erase(end);
        }
        b.body.move_ops(from, block);
        scf::yield_values(&mut b, block, &[]);
        body.erase(old);
    }
}
