//! Sequential reductions: rewrites `scf.parallel` with `scf.reduce` as loops that carry the
//! combined values.
//!
//! ```text
//! %s = scf.parallel (%i, %j) = …           %s = scf.for %i = … iter_args(%a = %init) {
//!     init (%init) {                         %t = scf.for %j = … iter_args(%b = %a) {
//!   scf.reduce(%v) {                   ⇒       %c = arith.addf %b, %v
//!   ^bb0(%l, %r):                              scf.yield %c
//!     %c = arith.addf %l, %r                 }
//!     scf.reduce.return %c                   scf.yield %t
//! }}                                       }
//! ```
//!
//! Always legal: `scf.reduce` leaves the order of combination open.

use std::collections::HashMap;

use gridloom_dialects::scf;
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, Value};

/// Rewrites the reducing bands among `ops`, given in pre-order. Returns whether there was one.
pub(super) fn sequentialise(ctx: &Context, body: &mut Body, ops: &[OpId]) -> bool {
    let mut changed = false;
    // Inner bands first, so that a band is moved when it is rewritten.
    for &op in ops.iter().rev() {
        if let Some(band) = scf::ParallelOp::cast(body, op)
            && body[op].num_results() > 0
        {
            changed |= rewrite(ctx, body, band).is_some();
        }
    }
    changed
}

fn rewrite(ctx: &Context, body: &mut Body, band: scf::ParallelOp) -> Option<()> {
    let bounds = band.lower(ctx, body).iter().zip(band.upper(ctx, body));
    let bounds: Vec<[Value; 3]> = bounds
        .zip(band.steps(ctx, body))
        .map(|((&lower, &upper), &step)| [lower, upper, step])
        .collect();
    let (block, old_vars) = (band.block(body), band.induction_vars(body).to_vec());
    let mut carried = band.inits(ctx, body).to_vec();
    let attributes = body[band.0].attributes;
    let mut b = Builder::before(ctx, body, band.0);
    let mut loops: Vec<scf::ForOp> = Vec::new();
    for &[lower, upper, step] in &bounds {
        let op = scf::ForOp::create(&mut b, lower, upper, step, &carried);
        carried = op.iter_args(b.body).to_vec();
        b.set(InsertPoint::End(op.block(b.body)));
        loops.push(op);
    }
    let (&outer, &inner) = (loops.first()?, loops.last()?);
    b.body[outer.0].attributes = attributes;
    for pair in loops.windows(2) {
        let results: Vec<Value> = b.body[pair[1].0].results().collect();
        let block = pair[0].block(b.body);
        scf::yield_values(&mut b, block, &results);
    }
    let mut replaced: HashMap<Value, Value> = HashMap::new();
    let new_vars = loops.iter().map(|l| l.induction_var(body));
    replaced.extend(old_vars.iter().copied().zip(new_vars.collect::<Vec<_>>()));
    let to = inner.block(body);
    let reduce = band.reduce(body);
    body.move_statements(block, to, None);
    let given = body[reduce].operands.to_vec();
    let regions = body[reduce].inline_regions().to_vec();
    let mut combined = Vec::new();
    for ((region, value), &so_far) in regions.into_iter().zip(given).zip(&carried) {
        let block = body[region].entry()?;
        let last = body[block].last()?;
        let args = body[block].args.iter().copied();
        replaced.extend(args.zip([so_far, value]));
        body.move_statements(block, to, None);
        combined.push(*body[last].operands.first()?);
    }
    scf::yield_values(&mut Builder::before(ctx, body, band.0), to, &combined);
    let resolve = |mut value: Value| {
        while let Some(&next) = replaced.get(&value) {
            value = next;
        }
        value
    };
    body.replace_values_in(outer.0, resolve);
    let results: Vec<Value> = body[outer.0].results().collect();
    body.replace_op(band.0, &results);
    Some(())
}
