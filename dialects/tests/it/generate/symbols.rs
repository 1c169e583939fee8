//! Random symbols: host and device functions, nested modules, globals.

use super::Generator;
use super::known::Filler;
use super::pool::{Pool, Side};
use gridloom_dialects::{builtin, func, gpu, memref, spirv};
use gridloom_ir::attr::{Attr, AttrDict, AttrKind};
use gridloom_ir::body::{BlockId, Body, OpId, OpState, Value};
use gridloom_ir::context::{Context, Ident};
use gridloom_ir::op::{OpName, Traits};
use gridloom_ir::types::Type;
use gridloom_ir::verify::Scope;

/// The bound on nested modules.
const MAX_DEPTH: u32 = 2;

impl<'c> Generator<'c> {
    /// Appends symbols to the block of a symbol table, whose body `owner` owns.
    pub(super) fn symbols(
        &mut self,
        body: &mut Body,
        block: BlockId,
        owner: (&Scope, OpId),
        depth: u32,
    ) {
        let name = owner.0.body()[owner.1].name;
        match (name, self.below(8)) {
            (spirv::structure::MODULE, _) => {
                self.function(body, block, owner, spirv::structure::FUNC)
            }
            (gpu::MODULE, _) => self.function(body, block, owner, gpu::FUNC),
            (_, 0) => self.declaration(body, block),
            (_, 1) => self.global(body, block, owner),
            (_, 2) if depth < MAX_DEPTH => {
                let all = [builtin::MODULE, gpu::MODULE, spirv::structure::MODULE];
                let name = self.pick(&all);
                self.module(body, block, owner, name, depth);
            }
            _ => self.function(body, block, owner, func::FUNC),
        }
    }

    /// Appends a symbol table with symbols in it.
    fn module(
        &mut self,
        body: &mut Body,
        block: BlockId,
        owner: (&Scope, OpId),
        name: OpName,
        depth: u32,
    ) {
        let ctx = self.ctx;
        let mut state = OpState::new(name, self.location(1));
        if name != spirv::structure::MODULE || self.one_in(2) {
            let symbol = self.fresh_name();
            state = state.property(ctx, "sym_name", ctx.string_attr(&symbol));
        }
        if name == spirv::structure::MODULE {
            let models = [
                ("addressing_model", ".addressing_model<Logical>"),
                ("memory_model", ".memory_model<GLSL450>"),
            ];
            for (key, value) in models {
                state = state.property(ctx, key, ctx.dialect_attr("spirv", value));
            }
        }
        if self.one_in(2) {
            state.attributes = self.dialect_dict();
        }
        let op = body.create_op(state);
        body.append(block, op);
        let mut inner = Body::new();
        let region = inner.add_top_region();
        let inside = inner.add_block(region, &[]);
        let scope = Scope::of(ctx, body, Some(owner));
        for _ in 0..1 + self.below(2) {
            self.symbols(&mut inner, inside, (&scope, op), depth + 1);
        }
        if let Some(own) = body[op].isolated_mut() {
            *own = inner;
        }
    }

    /// Appends a function declaration.
    fn declaration(&mut self, body: &mut Body, block: BlockId) {
        let ctx = self.ctx;
        let (inputs, results) = (self.types(2, 3), self.types(2, 3));
        let ty = ctx.function_type(&inputs, &results);
        let symbol = self.fresh_name();
        let mut state = self.signature(func::FUNC, &symbol, ty, [inputs.len(), results.len()]);
        state = state.property(ctx, "sym_visibility", ctx.string_attr("private"));
        let op = body.create_op(state);
        body.append(block, op);
        if let Some(own) = body[op].isolated_mut() {
            own.add_top_region();
        }
    }

    /// A function without a body: symbol, type, attributes.
    fn signature(&mut self, name: OpName, symbol: &str, ty: Type, counts: [usize; 2]) -> OpState {
        let ctx = self.ctx;
        let mut state = OpState::new(name, self.location(2));
        let symbol = ctx.string_attr(symbol);
        if name == gpu::FUNC {
            state.attributes = state.attributes.with(ctx, ctx.ident("sym_name"), symbol);
            let none = ctx.i64_attr(0);
            state.attributes =
                state
                    .attributes
                    .with(ctx, ctx.ident("workgroup_attributions"), none);
        } else {
            state = state.property(ctx, "sym_name", symbol);
        }
        state = state.property(ctx, "function_type", ctx.type_attr(ty));
        if name == spirv::structure::FUNC {
            let control = ctx.dialect_attr("spirv", ".function_control<None>");
            return state.property(ctx, "function_control", control);
        }
        for (key, count) in ["arg_attrs", "res_attrs"].into_iter().zip(counts) {
            if count > 0 && self.one_in(4) {
                let dicts: Vec<AttrDict> = (0..count).map(|_| self.dialect_dict()).collect();
                // The reader drops a list of empty dictionaries.
                if dicts.iter().all(|dict| dict.is_empty()) {
                    continue;
                }
                let dicts = dicts
                    .into_iter()
                    .map(|dict| ctx.intern_attr(AttrKind::Dict(dict)));
                let dicts: Vec<Attr> = dicts.collect();
                state = state.property(ctx, key, ctx.array_attr(&dicts));
            }
        }
        state
    }

    /// Appends a function definition.
    fn function(&mut self, body: &mut Body, block: BlockId, owner: (&Scope, OpId), name: OpName) {
        let ctx = self.ctx;
        let empty = ctx.function_type(&[], &[]);
        // A placeholder name: nothing refers to it before it is complete.
        let state = self.signature(name, "unfinished", empty, [0, 0]);
        let op = body.create_op(state);
        body.append(block, op);
        let mut inner = Body::new();
        let (inputs, results) = {
            let scope = Scope::of(ctx, body, Some(owner));
            self.fill_function(&mut inner, (&scope, op), name)
        };
        let (symbol, ty) = (self.fresh_name(), ctx.function_type(&inputs, &results));
        let state = self.signature(name, &symbol, ty, [inputs.len(), results.len()]);
        body[op].properties = state.properties;
        body[op].attributes = state.attributes;
        if let Some(own) = body[op].isolated_mut() {
            *own = inner;
        }
    }

    /// Fills a function's body; returns the types of its parameters and results.
    fn fill_function(
        &mut self,
        inner: &mut Body,
        owner: (&Scope, OpId),
        name: OpName,
    ) -> (Vec<Type>, Vec<Type>) {
        let region = inner.add_top_region();
        let entry = inner.add_block(region, &[]);
        let side = match name == spirv::structure::FUNC {
            true => Side::Spirv,
            false => Side::Host,
        };
        let pool = Pool::new(self, side);
        let callees = callees(self.ctx, owner.0.body(), owner.1);
        let mut filler = Filler {
            g: self,
            body: inner,
            owner,
            side,
            pool,
            entry,
        };
        let mut visible: Vec<Value> = Vec::new();
        let last = match side == Side::Host && filler.g.one_in(4) {
            true => filler.branches(region, entry, &mut visible, 0),
            false => entry,
        };
        for _ in 0..2 {
            filler.fill(last, &mut visible, 0);
        }
        for (symbol, ty) in callees {
            if name == func::FUNC && filler.g.one_in(3) {
                filler.call(last, symbol, ty, &mut visible);
            }
        }
        let count = if side == Side::Host {
            filler.g.below(3)
        } else {
            filler.g.below(2)
        };
        let results: Vec<Type> = (0..count)
            .filter_map(|_| match visible.is_empty() {
                true => None,
                false => {
                    let value = filler.g.pick(&visible);
                    Some(filler.body.ty(value))
                }
            })
            .collect();
        let end = match (name, results.is_empty()) {
            (gpu::FUNC, _) => "gpu.return",
            (spirv::structure::FUNC, true) => "spirv.Return",
            (spirv::structure::FUNC, false) => "spirv.ReturnValue",
            _ => "func.return",
        };
        filler.end(last, end, &results, &visible, 0);
        filler.prune(0);
        let args = filler.body[entry].args.iter();
        let inputs = args.map(|&arg| filler.body.ty(arg)).collect();
        (inputs, results)
    }

    /// Appends a `memref.global`, driven by its row.
    fn global(&mut self, body: &mut Body, block: BlockId, owner: (&Scope, OpId)) {
        let pool = Pool::new(self, Side::Host);
        let Some(def) = gridloom_dialects::signature(memref::GLOBAL) else {
            return;
        };
        debug_assert!(def.traits.contains(Traits::SYMBOL));
        let mut filler = Filler {
            g: self,
            body,
            owner,
            side: Side::Host,
            pool,
            entry: block,
        };
        (0..24).find_map(|_| filler.known(def, block, &[], 0));
    }
}

impl Filler<'_, '_, '_> {
    /// Appends a call of a function with this type.
    fn call(&mut self, block: BlockId, symbol: Ident, ty: Type, visible: &mut Vec<Value>) {
        let ctx = self.g.ctx;
        let Some((inputs, results)) = ty.function(ctx) else {
            return;
        };
        let mut state = OpState::new(func::CALL, self.g.location(2))
            .results(results)
            .property(ctx, "callee", ctx.symbol_attr(symbol));
        for &input in inputs {
            let value = self.value(input, block, visible);
            state.operands.push(value);
        }
        let op = self.body.create_op(state);
        self.body.append(block, op);
        visible.extend(self.body[op].results());
    }
}

/// The functions of a body in order, except `but`: symbol and type.
fn callees(ctx: &Context, body: &Body, but: OpId) -> Vec<(Ident, Type)> {
    let blocks = body.regions().iter();
    let blocks = blocks.flat_map(|&region| &body[region].blocks);
    let callee = |op: OpId| {
        let data = &body[op];
        let ty = data.attr(ctx, "function_type")?.as_type(ctx)?;
        (data.name == func::FUNC && op != but).then_some((data.symbol_name(ctx)?, ty))
    };
    let ops = blocks.flat_map(|&block| body.ops(block));
    ops.filter_map(callee).collect()
}
