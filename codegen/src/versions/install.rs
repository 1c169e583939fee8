//! The functions that replace one with versions: the dispatcher and both versions.

use gridloom_dialects::func::{self, CallOp};
use gridloom_dialects::{arith, gridloom, inherent, scf};
use gridloom_ir::body::OpData;
use gridloom_ir::hash::FxHashSet;
use gridloom_ir::{Body, Builder, Context, Ident, InsertPoint, Module, OpId, OpState, Type, Value};

use super::footprint::{Footprint, emit_footprint};
use super::{DISTINCT_SUFFIX, Separation};
use crate::functions::free_name;

/// Versions that replace a function.
pub(super) struct Versions {
    pub(super) separation: Separation,
    pub(super) distinct: Body,
    pub(super) serial: Body,
}

impl Versions {
    /// Adds the two versions right behind `function`, whose new body selects one; `names` are the
    /// symbols in use.
    pub(super) fn install(
        self,
        ctx: &Context,
        module: &mut Module,
        names: &mut FxHashSet<Ident>,
        function: OpId,
    ) {
        let Some(name) = module.body()[function].symbol_name(ctx) else {
            return;
        };
        let name = ctx.str(name).to_owned();
        let mut add = |suffix: &str, body: Body| {
            let wanted = format!("{name}{suffix}");
            let version = free_name(ctx, |name| names.contains(&name), &wanted);
            names.insert(version);
            add_version(ctx, module, function, version, body);
            version
        };
        let serial = add("__serial", self.serial);
        let distinct = add(DISTINCT_SUFFIX, self.distinct);
        let dispatcher = dispatcher(
            ctx,
            &module.body()[function],
            &self.separation,
            [distinct, serial],
        );
        module.body_mut()[function].set_isolated(dispatcher);
    }
}

/// Adds a private function like `function` with another name and body, whose entry may have other arguments, right
/// behind it.
pub(crate) fn add_version(
    ctx: &Context,
    module: &mut Module,
    function: OpId,
    name: Ident,
    version: Body,
) {
    let body = module.body_mut();
    let data = &body[function];
    let ty = data.get(ctx, inherent::FUNCTION_TYPE);
    let results = ty.and_then(|ty| ty.function(ctx)).unwrap_or_default().1;
    let entry = version
        .entry()
        .map_or(&[][..], |entry| &version[entry].args);
    let inputs: Vec<Type> = entry.iter().map(|&arg| version.ty(arg)).collect();
    let ty = ctx.type_attr(ctx.function_type(&inputs, results));
    let mut state = OpState::new(func::FUNC, data.loc);
    let name = ctx.string_attr(ctx.str(name));
    state.properties = data.properties.with(ctx, ctx.ident("sym_name"), name);
    state.attributes = data.attributes;
    let private = ctx.string_attr("private");
    state = state.property(ctx, inherent::SYM_VISIBILITY, private);
    state = state.property(ctx, inherent::FUNCTION_TYPE, ty);
    let op = body.create_op(state);
    body[op].set_isolated(version);
    body.insert_after(function, op);
}

/// Builds the dispatcher: a body that calls the first of two functions where the arguments are
/// disjoint, else the second.
fn dispatcher(
    ctx: &Context,
    function: &OpData,
    separation: &Separation,
    [distinct, serial]: [Ident; 2],
) -> Body {
    let mut body = Body::default();
    let region = body.add_top_region();
    let ty = function.get(ctx, inherent::FUNCTION_TYPE);
    let (inputs, results) = ty.and_then(|ty| ty.function(ctx)).unwrap_or_default();
    let block = body.add_block(region, inputs);
    let args = body[block].args.to_vec();
    let mut b = Builder::at_end(ctx, &mut body, block, function.loc);
    let condition = are_disjoint(&mut b, &args, separation);
    let choice = scf::IfOp::create(&mut b, condition, results, true);
    let blocks = [Some(choice.then_block(b.body)), choice.else_block(b.body)];
    for (block, callee) in blocks.into_iter().flatten().zip([distinct, serial]) {
        b.set(InsertPoint::End(block));
        let call = CallOp::create(&mut b, callee, &args, results);
        if callee == serial {
            gridloom::set_overlapping_call(ctx, &mut b.body[call.0]);
        }
        let values: Vec<Value> = b.body[call.0].results().collect();
        scf::yield_values(&mut b, block, &values);
    }
    b.set(InsertPoint::End(block));
    let values: Vec<Value> = b.body[choice.0].results().collect();
    func::return_values(&mut b, &values);
    body
}

/// Emits whether the separated arguments are disjoint.
fn are_disjoint(b: &mut Builder, args: &[Value], separation: &Separation) -> Value {
    let mut footprints: Vec<Option<Footprint>> = Vec::new();
    let mut all: Option<Value> = None;
    let require = |b: &mut Builder, all: &mut Option<Value>, holds: Value| {
        *all = Some(match *all {
            Some(before) => b.binary(arith::ANDI, before, holds),
            None => holds,
        });
    };
    for (k, &arg) in args.iter().enumerate() {
        let is_meant = separation.written.contains(&k) || separation.read.contains(&k);
        let footprint = is_meant.then(|| emit_footprint(b, arg)).flatten();
        if let Some(fits) = footprint.as_ref().and_then(Footprint::fits) {
            require(b, &mut all, fits);
        }
        footprints.push(footprint);
    }
    for (x, y) in separation.pairs() {
        // Arguments without a footprint are not part of a separation.
        if let (Some(x), Some(y)) = (&footprints[x], &footprints[y]) {
            let disjoint = x.is_disjoint_from(b, y);
            require(b, &mut all, disjoint);
        }
    }
    all.unwrap_or_else(|| b.constant(b.ctx.bool_attr(false), b.ctx.bool_type()))
}
