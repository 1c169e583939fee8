//! `affine-parallelize`: loops that are proved parallel, as `affine.parallel`.
//!
//! ```text
//! affine.for %i = 0 to %n {            affine.parallel (%i) = (0) to (%n) {
//!   %y[%i] = f(%x[%i])           ⇒       %y[%i] = f(%x[%i])
//! ```
//!
//! Legal where no two iterations touch a common element with one of them writing, and
//! none hands a value to the next; other loops stay. Where that rests on arguments being
//! apart, the function checks it. `max-nested` bounds how many such loops stand within
//! each other; outer ones come first.

use gridloom_ir::attr::Int;
use gridloom_ir::dialect::affine::{self, ForOp};
use gridloom_ir::{AffineMap, Attr, Body, Builder, Context, InsertPoint, Module, OpId};

use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::parallel::verdict;
use crate::versions::change_functions;

/// Rewrites the parallel loops of the host functions of a module (see
/// [`change_functions`]). Returns whether there was one.
pub fn parallelize_loops(ctx: &Context, module: &mut Module, max_nested: usize) -> bool {
    let globals = Globals::of(ctx, module);
    let changed = change_functions(ctx, module, &globals, |body| {
        let (loops, relied) = parallel_loops(ctx, body, &globals, max_nested);
        // Inner ones first, so that a loop is moved when it is done.
        for &l in loops.iter().rev() {
            into_parallel(ctx, body, l);
        }
        (relied && !loops.is_empty(), !loops.is_empty())
    });
    changed.contains(&true)
}

fn parallel_loops(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    max_nested: usize,
) -> (Vec<ForOp>, bool) {
    let mut deps = Dependences::new(ctx, body, globals);
    let mut found: Vec<ForOp> = Vec::new();
    for op in body.walk() {
        let Some(l) = ForOp::cast(body, op) else {
            continue;
        };
        let around = found.iter().filter(|outer| body.is_ancestor(outer.0, op));
        if around.count() < max_nested && verdict(&mut deps, op).is_parallel() {
            found.push(l);
        }
    }
    let relied = deps.aliases.relied_on_arguments();
    (found, relied)
}

/// Makes a loop that carries no values an `affine.parallel`: for who has shown that its
/// iterations may run in any order.
pub(super) fn into_parallel(ctx: &Context, body: &mut Body, l: ForOp) {
    let statements: Vec<OpId> = body.ops(l.block(body)).collect();
    let (lower, upper) = (l.lower(ctx, body), l.upper(ctx, body));
    let maps = [lower.map, upper.map];
    let operands = [lower.operands, upper.operands].concat();
    let step = l.step(ctx, body);
    let counter = l.induction_var(body);
    let mut b = Builder::before(ctx, body, l.0);
    let group = |map: AffineMap| group_sizes(ctx, &[map.results(ctx).len()]);
    let state = b
        .state(affine::PARALLEL)
        .operands(&operands)
        .property(ctx, "lowerBoundsMap", ctx.map_attr(maps[0]))
        .property(ctx, "lowerBoundsGroups", group(maps[0]))
        .property(ctx, "upperBoundsMap", ctx.map_attr(maps[1]))
        .property(ctx, "upperBoundsGroups", group(maps[1]))
        .property(ctx, "steps", ctx.array_attr(&[ctx.i64_attr(step)]))
        .property(ctx, "reductions", ctx.array_attr(&[]));
    let band = b.create(state);
    let region = b.body.add_region(band);
    let block = b.body.add_block(region, &[ctx.index_type()]);
    let new = b.body[block].args[0];
    b.set(InsertPoint::End(block));
    for op in statements {
        b.body.detach(op);
        b.insert(op);
    }
    body.replace_values(|value| if value == counter { new } else { value });
    body.erase(l.0);
}

/// The attribute of the numbers of results that belong to each dimension of a band.
pub(super) fn group_sizes(ctx: &Context, sizes: &[usize]) -> Attr {
    let ty = ctx.tensor_type(&[sizes.len() as i64], ctx.int_type(32));
    let sizes: Vec<Int> = sizes.iter().map(|&size| Int::Small(size as i128)).collect();
    ctx.dense_ints_attr(ty, &sizes)
}
