//! Refusals: kernels that cannot be compiled, and their messages.
use gridloom_spirv::{
    Features, FpMode, IndexWidth, Profile, TargetEnv, compile_kernel, compile_module,
};

use crate::device::module;
use crate::support::MOST_FEATURES;

/// The messages of compiling a kernel with this body.
fn messages(args: &str, body: &str, env: &TargetEnv) -> String {
    let text = format!(
        "gpu.module @m {{ gpu.func @k({args}) kernel attributes \
         {{known_block_size = array<i32: 1, 1, 1>}} {{\n{body}\ngpu.return }} }}"
    );
    errors_of(&text, env)
}

fn errors_of(text: &str, env: &TargetEnv) -> String {
    let ctx = gridloom_dialects::context();
    let module = module(&ctx, text);
    match compile_kernel(&ctx, &module, "m", "k", env) {
        Ok(_) => panic!("this compiles:\n{text}"),
        Err(errors) => errors.render(&ctx),
    }
}

/// Asserts that the message of the kernel has each of `words`.
fn refused(args: &str, body: &str, env: &TargetEnv, words: &[&str]) {
    let message = messages(args, body, env);
    for word in words {
        assert!(message.contains(word), "{word:?} is not in: {message}");
    }
    // Every refusal has a location.
    assert!(message.starts_with("test.mlir:"), "{message}");
}

#[test]
fn types_without_registers() {
    let env = TargetEnv::default();
    refused(
        "%x: memref<4xi128>",
        "",
        &env,
        &["cannot hold values", "64 bits"],
    );
    refused(
        "%x: memref<4xf64>",
        "",
        &env,
        &["lacks f64", "another device"],
    );
    refused("%x: i64", "", &env, &["lacks i64"]);
    refused("%x: vector<2xf32>", "", &env, &["pass its lanes"]);
}

#[test]
fn operations_without_lowering() {
    refused(
        "%x: memref<4xi32>",
        "%m = memref.alloc() : memref<4xi32>",
        &TargetEnv::default(),
        &["'memref.alloc' has no lowering", "on the host"],
    );
}

#[test]
fn layouts_that_are_no_strides() {
    refused(
        "%x: memref<4x4xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1, d0 mod 2)>>",
        "",
        &TargetEnv::default(),
        &["copy the memref to one with such a layout"],
    );
}

#[test]
fn scratch_memory_of_unknown_size() {
    refused(
        "%n: index",
        "%m = memref.alloca(%n) : memref<?xf32>",
        &TargetEnv::default(),
        &["static shape"],
    );
    refused(
        "",
        "%m = memref.alloca() : memref<2000000xf32>",
        &TargetEnv::default(),
        &["the allocations of a kernel are too large"],
    );
}

#[test]
fn memrefs_that_control_flow_chooses() {
    refused(
        "%a: memref<4xf32>, %b: memref<4xf32>, %c: i1",
        "%m = arith.select %c, %a, %b : memref<4xf32>",
        &TargetEnv::default(),
        &["memref"],
    );
}

#[test]
fn strict_kernels_hold_no_approximations() {
    let env = TargetEnv {
        fp: FpMode::Strict,
        ..TargetEnv::default()
    };
    refused(
        "%x: f32",
        "%y = math.sin %x : f32",
        &env,
        &["math.sin", "afn"],
    );
    refused(
        "%x: f32",
        "%y = math.fma %x, %x, %x : f32",
        &env,
        &["fused", "relaxed"],
    );
    let portable = TargetEnv {
        profile: Profile::Portable,
        ..env
    };
    refused("%x: f32", "", &portable, &["naga"]);
}

#[test]
fn a_wide_index_needs_wide_integers() {
    let env = TargetEnv {
        index_width: IndexWidth::Bits64,
        ..TargetEnv::default()
    };
    refused("%x: f32", "", &env, &["64-bit index"]);
}

#[test]
fn bits_of_doubles_need_wide_integers() {
    let env = TargetEnv {
        features: Features {
            i64: false,
            ..MOST_FEATURES
        },
        ..TargetEnv::default()
    };
    refused(
        "%x: f64",
        "%y = math.exp %x : f64",
        &env,
        &["64-bit integers"],
    );
}

#[test]
fn kernels_that_are_not_there_or_not_complete() {
    let ctx = gridloom_dialects::context();
    let text = "gpu.module @m { gpu.func @k() kernel { gpu.return } }";
    let module = module(&ctx, text);
    let env = TargetEnv::default();
    let missing = |gpu_module: &str, kernel: &str| {
        let compiled = compile_kernel(&ctx, &module, gpu_module, kernel, &env);
        compiled.map(|_| ()).unwrap_err().render(&ctx)
    };
    assert!(missing("m", "other").contains("no gpu.func @other"));
    assert!(missing("other", "k").contains("no gpu.module @other"));
    assert!(missing("m", "k").contains("known_block_size"));
    assert!(compile_module(&ctx, &module, "other", &env).is_err());
}

/// Regions nested deeper than the bound on recursion.
#[test]
fn regions_nest_only_so_deep() {
    let mut body = String::new();
    for _ in 0..200 {
        body += "scf.if %c {\n";
    }
    body += &"}\n".repeat(200);
    refused("%c: i1", &body, &TargetEnv::default(), &["nest deeper"]);
    let shallow = "scf.if %c {\n".repeat(100) + &"}\n".repeat(100);
    let text = format!(
        "gpu.module @m {{ gpu.func @k(%c: i1) kernel attributes \
         {{known_block_size = array<i32: 1, 1, 1>}} {{\n{shallow}\ngpu.return }} }}"
    );
    let ctx = gridloom_dialects::context();
    let module = module(&ctx, &text);
    assert!(compile_kernel(&ctx, &module, "m", "k", &TargetEnv::default()).is_ok());
}

/// Every kernel that is refused is reported.
#[test]
fn a_module_reports_each_kernel() {
    let kernel = |name: &str| {
        format!(
            "gpu.func @{name}(%x: memref<1xi128>) kernel attributes \
             {{known_block_size = array<i32: 1, 1, 1>}} {{ gpu.return }}\n"
        )
    };
    let text = format!("gpu.module @m {{ {} {} }}", kernel("a"), kernel("b"));
    let ctx = gridloom_dialects::context();
    let module = module(&ctx, &text);
    let errors = compile_module(&ctx, &module, "m", &TargetEnv::default()).unwrap_err();
    assert_eq!(errors.len(), 2);
}
