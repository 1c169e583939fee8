//! Modules of several kernels, assembly text, other languages.

use gridloom_ir::Context;
use gridloom_spirv::{Language, Profile, TargetEnv, compile_module, disassemble, translate};
use gridloom_test_tools::in_path;

use crate::device::module;
use crate::support::{ALL_FEATURES, check};

const TWO_KERNELS: &str = "gpu.module @m {
  gpu.func @scale(%x: memref<?xf32>, %factor: f32) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.global_id x
    %v = memref.load %x[%i] : memref<?xf32>
    %w = arith.mulf %v, %factor : f32
    memref.store %w, %x[%i] : memref<?xf32>
    gpu.return
  }
  gpu.func @remainder(%x: memref<8xf32>, %y: memref<8xf32>) kernel
      attributes {known_block_size = array<i32: 8, 2, 1>} {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<8xf32>
    %b = memref.load %y[%i] : memref<8xf32>
    %c = arith.remf %a, %b : f32
    %inf = arith.constant 0x7F800000 : f32
    %less = arith.cmpf olt, %c, %inf : f32
    %d = arith.select %less, %c, %a : f32
    memref.store %d, %y[%i] : memref<8xf32>
    gpu.return
  }
}";

#[test]
fn one_module_holds_all_kernels() {
    let ctx = Context::new();
    let module = module(&ctx, TWO_KERNELS);
    for profile in [Profile::Native, Profile::Portable] {
        let env = TargetEnv {
            profile,
            features: ALL_FEATURES,
            ..TargetEnv::default()
        };
        let compiled = compile_module(&ctx, &module, "m", &env).expect("it compiles");
        check(&compiled.words, profile);
        let entries: Vec<(&str, [u32; 3])> = compiled
            .entries
            .iter()
            .map(|entry| (entry.name.as_str(), entry.workgroup_size))
            .collect();
        assert_eq!(entries, [("scale", [64, 1, 1]), ("remainder", [8, 2, 1])]);
        let bytes: Vec<u64> = compiled.entries[1]
            .abi
            .buffers
            .iter()
            .map(|b| b.min_bytes)
            .collect();
        assert_eq!(bytes, [32, 32]);
    }
}

#[test]
fn assembly_text_assembles() {
    let spirv_as = in_path("spirv-as").expect("spirv-as in PATH; run `cargo xtask setup`");
    let ctx = Context::new();
    let module = module(&ctx, TWO_KERNELS);
    let compiled = compile_module(&ctx, &module, "m", &TargetEnv::default()).expect("it compiles");
    let text = disassemble(&compiled.words).expect("a module");
    let mut command = std::process::Command::new(spirv_as);
    command.args(["--target-env", "spv1.3", "-o", "-", "-"]);
    let output = gridloom_test_tools::feed(&mut command, text.as_bytes()).expect("it runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}\n{text}");
    let words: Vec<u32> = output
        .stdout
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect();
    check(&words, Profile::Native);
    assert!(disassemble(&[1, 2, 3]).is_err());
}

#[test]
fn portable_modules_translate() {
    let ctx = Context::new();
    let module = module(&ctx, TWO_KERNELS);
    let env = TargetEnv {
        profile: Profile::Portable,
        params: gridloom_spirv::ParamsClass::Uniform,
        ..TargetEnv::default()
    };
    let compiled = compile_module(&ctx, &module, "m", &env).expect("it compiles");
    let marks = [
        (Language::Wgsl, "@compute"),
        (Language::Msl, "kernel void"),
        (Language::Hlsl, "numthreads"),
        (Language::Glsl, "local_size_x"),
    ];
    for (language, mark) in marks {
        let text = translate(&compiled.words, "scale", language)
            .unwrap_or_else(|error| panic!("{language:?}: {error}"));
        assert!(text.contains(mark), "{language:?}:\n{text}");
    }
    // What WGSL's own front end says of it.
    let text = translate(&compiled.words, "scale", Language::Wgsl).expect("as above");
    if let Err(error) = naga::front::wgsl::parse_str(&text) {
        panic!("{}", error.emit_to_string(&text));
    }
}
