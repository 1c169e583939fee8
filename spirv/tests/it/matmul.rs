//! Matrix product: the most important kernel, built by hand.

use gridloom_dialects::{arith, gpu, memref, scf};
use gridloom_ir::body::OpData;
use gridloom_ir::types::{DYNAMIC, FloatKind};
use gridloom_ir::{BlockId, Body, Builder, Context, Loc, OpId, OpName, OpState, Value};
use gridloom_spirv::{
    Bounds, FloatControls, FpMode, IndexWidth, ParamSource, ParamsClass, Profile, TargetEnv,
    disassemble,
};

use crate::support::{MOST_FEATURES, compile_valid};

/// Builds `c[i, j] += Σ a[i, k] * b[k, j]` for dynamic sizes, one thread an element.
fn matmul(ctx: &Context) -> (Body, OpId) {
    let mut outer = Body::new();
    let region = outer.add_top_region();
    let block = outer.add_block(region, &[]);
    let matrix = ctx.memref_type(&[DYNAMIC, DYNAMIC], ctx.float_type(FloatKind::F32));
    let args = [matrix, matrix, matrix];
    let state = OpState::new(gpu::FUNC, Loc::UNKNOWN)
        .property(ctx, "sym_name", ctx.string_attr("matmul"))
        .property(
            ctx,
            "function_type",
            ctx.type_attr(ctx.function_type(&args, &[])),
        )
        .property(ctx, "known_block_size", ctx.i32_array_attr(&[16, 4, 1]));
    let func = outer.create_op(state);
    outer.append(block, func);
    let body = outer[func].isolated_mut().expect("gpu.func is isolated");
    let region = body.add_top_region();
    let entry = body.add_block(region, &args);
    let args: Vec<Value> = body[entry].args.to_vec();
    let mut b = Builder::at_end(ctx, body, entry, Loc::UNKNOWN);
    let [i, j] = ["y", "x"].map(|dim| {
        let attr = ctx.dialect_attr("gpu", &format!("<dim {dim}>"));
        let state = b.state(gpu::GLOBAL_ID).results(&[ctx.index_type()]);
        let op = b.create(state.property(ctx, "dimension", attr));
        b.body[op].result(0)
    });
    let [zero, one] = [0, 1].map(|n| b.index_constant(n));
    let rows = b.unary(memref::DIM, &[args[2], zero], ctx.index_type());
    let columns = b.unary(memref::DIM, &[args[2], one], ctx.index_type());
    let inner = b.unary(memref::DIM, &[args[0], one], ctx.index_type());
    let below = |b: &mut Builder<'_>, x: Value, n: Value| {
        let state = b.state(arith::CMPI).operands(&[x, n]);
        let slt = ctx.i64_attr(2);
        let op = b.create(
            state
                .results(&[ctx.bool_type()])
                .property(ctx, "predicate", slt),
        );
        b.body[op].result(0)
    };
    let in_rows = below(&mut b, i, rows);
    let in_columns = below(&mut b, j, columns);
    let inside = b.binary(arith::ANDI, in_rows, in_columns);
    let guard = b.create(b.state(scf::IF).operands(&[inside]));
    let then = add_block(b.body, guard, &[]);
    b.body.add_region(guard);
    terminate(&mut b, entry, gpu::RETURN, &[]);

    let f32 = ctx.float_type(FloatKind::F32);
    let mut b = Builder::at_end(ctx, b.body, then, Loc::UNKNOWN);
    let init = b.unary(memref::LOAD, &[args[2], i, j], f32);
    let state = b.state(scf::FOR).operands(&[zero, inner, one, init]);
    let around = b.create(state.results(&[f32]));
    let sum = b.body[around].result(0);
    b.create(b.state(memref::STORE).operands(&[sum, args[2], i, j]));
    terminate(&mut b, then, scf::YIELD, &[]);

    let each = add_block(b.body, around, &[ctx.index_type(), f32]);
    let (k, so_far) = (b.body[each].args[0], b.body[each].args[1]);
    let mut b = Builder::at_end(ctx, b.body, each, Loc::UNKNOWN);
    let x = b.unary(memref::LOAD, &[args[0], i, k], f32);
    let y = b.unary(memref::LOAD, &[args[1], k, j], f32);
    let product = b.binary(arith::MULF, x, y);
    let next = b.binary(arith::ADDF, so_far, product);
    terminate(&mut b, each, scf::YIELD, &[next]);
    (outer, func)
}

fn add_block(body: &mut Body, op: OpId, args: &[gridloom_ir::Type]) -> BlockId {
    let region = body.add_region(op);
    body.add_block(region, args)
}

fn terminate(b: &mut Builder<'_>, block: BlockId, name: OpName, operands: &[Value]) {
    let state = b.state(name).operands(operands);
    let op = b.body.create_op(state);
    b.body.append(block, op);
}

fn with_func(test: impl Fn(&Context, &OpData)) {
    let ctx = gridloom_dialects::context();
    let (body, func) = matmul(&ctx);
    test(&ctx, &body[func]);
}

#[test]
fn matmul_is_valid_for_every_target() {
    with_func(|ctx, func| {
        for profile in [Profile::Native, Profile::Portable] {
            for index_width in [IndexWidth::Bits32, IndexWidth::Bits64] {
                for params in [ParamsClass::Immediates, ParamsClass::Uniform] {
                    for bounds in [Bounds::Guarded, Bounds::Off] {
                        let env = TargetEnv {
                            profile,
                            index_width,
                            params,
                            bounds,
                            fp: FpMode::Relaxed,
                            features: MOST_FEATURES,
                            ..TargetEnv::default()
                        };
                        compile_valid(ctx, func, &env);
                    }
                }
            }
        }
    });
}

#[test]
fn the_abi_lists_buffers_and_sizes() {
    with_func(|ctx, func| {
        let compiled = compile_valid(ctx, func, &TargetEnv::default());
        let abi = &compiled.entry.abi;
        assert_eq!(compiled.entry.name, "matmul");
        assert_eq!(compiled.entry.workgroup_size, [16, 4, 1]);
        let read_only: Vec<bool> = abi.buffers.iter().map(|b| b.read_only).collect();
        assert_eq!(read_only, [true, true, false]);
        let sources: Vec<ParamSource> = abi.params.members.iter().map(|m| m.source).collect();
        let expected: Vec<ParamSource> = (0..3)
            .flat_map(|arg| (0..2).map(move |dim| ParamSource::Size { arg, dim }))
            .collect();
        assert_eq!(sources, expected);
        assert_eq!((abi.params.size, abi.params.binding), (24, None));
        assert_eq!(abi.fault_binding, Some(3));
        // The guard of the element that is read and written is tested once.
        assert_eq!(abi.fault_sites.len(), 3);
        assert!(!compiled.required.i64 && !compiled.required.f64);
    });
}

#[test]
fn only_strict_kernels_forbid_contraction() {
    with_func(|ctx, func| {
        for (fp, forbidden) in [(FpMode::Strict, true), (FpMode::Relaxed, false)] {
            let env = TargetEnv {
                fp,
                float_controls: FloatControls::ALL,
                ..TargetEnv::default()
            };
            let compiled = compile_valid(ctx, func, &env);
            let text = disassemble(&compiled.words).expect("a module");
            assert_eq!(text.contains("NoContraction"), forbidden);
        }
    });
}
