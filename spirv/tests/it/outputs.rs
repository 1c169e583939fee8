//! Modules of several kernels, assembly text, other languages.

use gridloom_ir::Context;
use gridloom_spirv::{
    CompiledModule, EntryPoint, Extensions, Features, FloatControls, FpMode, Language, ParamsClass,
    Profile, Promise, TargetEnv, compile_all, compile_module, disassemble, kernels, translate,
};
use gridloom_test_tools::{glslang, in_path};

use crate::device::module;
use crate::support::{MOST_FEATURES, check};

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
    let ctx = gridloom_dialects::context();
    let module = module(&ctx, TWO_KERNELS);
    for profile in [Profile::Native, Profile::Portable] {
        let env = TargetEnv {
            profile,
            features: MOST_FEATURES,
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
    let ctx = gridloom_dialects::context();
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

/// What a text must contain, in each language.
type Marks<'a> = [(Language, &'a [&'a str]); 4];

fn portable(ctx: &Context, text: &str, features: Features) -> CompiledModule {
    let env = TargetEnv {
        profile: Profile::Portable,
        params: ParamsClass::Uniform,
        features,
        ..TargetEnv::default()
    };
    compile_module(ctx, &module(ctx, text), "m", &env).expect("it compiles")
}

/// GLSL has one entry point per file.
fn first_entry(language: Language, entries: &[EntryPoint]) -> &[EntryPoint] {
    match language {
        Language::Glsl => &entries[..1],
        _ => entries,
    }
}

/// Names, bindings and workgroup sizes are the same in all languages; only GLSL has no entry point
/// but `main`.
#[test]
fn every_language_has_the_same_interface() {
    let ctx = gridloom_dialects::context();
    let text = TWO_KERNELS.replace("@scale", "@scale_kernel0");
    let one = text.split("  gpu.func @remainder").next().expect("a text");
    let one = portable(&ctx, &format!("{one}}}"), Features::default());
    let two = portable(&ctx, &text, Features::default());
    let marks: Marks<'_> = [
        (
            Language::Wgsl,
            &[
                "@compute @workgroup_size(64, 1, 1) \nfn scale_kernel0(",
                "@group(0) @binding(0)",
                "@group(0) @binding(1)",
                "@group(0) @binding(2)",
            ],
        ),
        (
            Language::Msl,
            &[
                "kernel void scale_kernel0(",
                "[[buffer(0)]]",
                "[[buffer(1)]]",
                "[[buffer(2)]]",
            ],
        ),
        (
            Language::Hlsl,
            &[
                "[numthreads(64, 1, 1)]\nvoid scale_kernel0(",
                "register(u0)",
                "register(b1)",
                "register(u2)",
            ],
        ),
        (
            Language::Glsl,
            &[
                "local_size_x = 64, local_size_y = 1, local_size_z = 1",
                "void main(",
                "std430, binding = 0",
                "std140, binding = 1",
                "std430, binding = 2",
            ],
        ),
    ];
    for (language, marks) in marks {
        let compiled = if language == Language::Glsl {
            &one
        } else {
            &two
        };
        let text = translate(
            &compiled.words,
            &compiled.entries,
            language,
            Extensions::None,
        )
        .unwrap_or_else(|error| panic!("{language:?}: {error}"));
        for mark in marks {
            assert!(
                text.contains(mark),
                "{mark} is not in {language:?}:\n{text}"
            );
        }
        let entry = match language {
            Language::Glsl => "main",
            _ => "scale_kernel0",
        };
        let says = format!("// kernel scale_kernel0: entry point {entry}, workgroup 64 x 1 x 1\n");
        assert!(text.starts_with(&says), "{text}");
        assert!(!text.contains("fake"), "{language:?}:\n{text}");
        if language != Language::Glsl {
            assert!(text.contains(" remainder("), "{language:?}:\n{text}");
        }
    }
    let several = translate(&two.words, &two.entries, Language::Glsl, Extensions::None);
    let why = several.unwrap_err().to_string();
    assert!(why.contains("one entry point a file"), "{why}");
}

/// The text of kernels is valid: the front ends of the languages read it.
#[test]
fn texts_are_read_by_their_front_ends() {
    let ctx = gridloom_dialects::context();
    let grid = TWO_KERNELS.replace("%i = gpu.thread_id x", "%i = gpu.grid_dim x");
    for text in [TWO_KERNELS, &grid] {
        let compiled = portable(&ctx, text, Features::default());
        let written = |language| {
            let entries = first_entry(language, &compiled.entries);
            translate(&compiled.words, entries, language, Extensions::None)
        };
        let wgsl = written(Language::Wgsl).expect("it translates");
        if let Err(error) = naga::front::wgsl::parse_str(&wgsl) {
            panic!("{}", error.emit_to_string(&wgsl));
        }
        let hlsl = written(Language::Hlsl).expect("it translates");
        if hlsl.contains("ConstantBuffer<") {
            // `ConstantBuffer` is a template of newer shader models, which glslang does not know.
            continue;
        }
        let file = std::env::temp_dir().join(format!("gridloom-{}.spv", std::process::id()));
        for entry in ["scale", "remainder"] {
            let args = ["--stdin", "-S", "comp", "-D", "-V", "-e", entry, "-o"];
            let out = file.display().to_string();
            let read = glslang().run(&[&args[..], &[&out]].concat(), hlsl.as_bytes());
            read.unwrap_or_else(|error| panic!("{error}\n{hlsl}"));
        }
        // Every run above wrote the file.
        let _ = std::fs::remove_file(&file);
    }
}

/// Wide types are refused for languages that lack them, instead of a panic of the writer or text
/// that nobody reads.
#[test]
fn types_that_a_language_lacks_are_refused() {
    let kernel = |ty: &str, code: &str| {
        format!(
            "gpu.module @m {{ gpu.func @k(%x: memref<4x{ty}>) kernel attributes \
             {{known_block_size = array<i32: 4, 1, 1>}} {{\n%i = gpu.thread_id x\n\
             %v = memref.load %x[%i] : memref<4x{ty}>\n%w = {code} %v, %v : {ty}\n\
             memref.store %w, %x[%i] : memref<4x{ty}>\ngpu.return }} }}"
        )
    };
    let floats = kernel("f64", "arith.addf");
    let integers = kernel("i64", "arith.addi");
    let none = Extensions::None;
    let cases = [
        (
            &floats,
            Language::Wgsl,
            none,
            Some("WGSL has no 64-bit floats"),
        ),
        (&floats, Language::Wgsl, Extensions::Naga, None),
        (
            &floats,
            Language::Msl,
            none,
            Some("MSL has no 64-bit floats"),
        ),
        (&floats, Language::Hlsl, none, None),
        (&floats, Language::Glsl, none, None),
        (
            &integers,
            Language::Wgsl,
            none,
            Some("WGSL has no 64-bit integers"),
        ),
        (&integers, Language::Wgsl, Extensions::Naga, None),
        (&integers, Language::Msl, none, None),
        (&integers, Language::Hlsl, none, None),
        (
            &integers,
            Language::Glsl,
            none,
            Some("GLSL has no 64-bit integers"),
        ),
    ];
    for (text, language, extensions, refusal) in cases {
        let ctx = gridloom_dialects::context();
        let compiled = portable(&ctx, text, MOST_FEATURES);
        let written = translate(&compiled.words, &compiled.entries, language, extensions);
        match (written, refusal) {
            (Ok(text), None) => assert!(!text.is_empty()),
            (Err(error), Some(words)) => assert!(error.to_string().contains(words), "{error}"),
            (Ok(text), Some(words)) => panic!("not refused with {words:?}:\n{text}"),
            (Err(error), None) => panic!("{language:?}: {error}"),
        }
    }
}

/// Kernels of several functions in one module: shared parts are made once, and a kernel's
/// entry point has the name of its `gpu.module` as a prefix where its own is not unique.
#[test]
fn kernels_of_several_modules_share() {
    let kernel = |container: &str, name: &str| {
        format!(
            "gpu.module @{container} {{ gpu.func @{name}(%x: memref<4xf32>) kernel attributes \
             {{known_block_size = array<i32: 4, 1, 1>}} {{\n%i = gpu.thread_id x\n\
             %v = memref.load %x[%i] : memref<4xf32>\n%w = arith.addf %v, %v : f32\n\
             memref.store %w, %x[%i] : memref<4xf32>\ngpu.return }} }}\n"
        )
    };
    let text: String = [("a", "k"), ("b", "k"), ("c", "other")]
        .map(|(container, name)| kernel(container, name))
        .concat();
    let ctx = gridloom_dialects::context();
    let module = module(&ctx, &text);
    assert_eq!(kernels(&ctx, &module).len(), 3);
    let compiled = compile_all(&ctx, &module, &TargetEnv::default()).expect("it compiles");
    check(&compiled.words, Profile::Native);
    let names: Vec<&str> = compiled.entries.iter().map(|e| &e.name[..]).collect();
    assert_eq!(names, ["a.k", "b.k", "other"]);
    let text = disassemble(&compiled.words).expect("a module");
    let count = |op: &str| text.lines().filter(|line| line.contains(op)).count();
    let globals = (text.lines()).filter(|l| l.contains("OpVariable") && !l.contains(" Function"));
    assert_eq!(
        globals.count(),
        3,
        "a buffer, the faults and the thread's id:\n{text}"
    );
    assert_eq!(count("OpTypeRuntimeArray"), 1);
    assert_eq!(
        count("OpFunction "),
        4,
        "three kernels and one recorder of faults:\n{text}"
    );
}

/// Large loops of constant trip count get the hint not to be unrolled where the driver is slow at
/// unrolling them; small ones, and all on other drivers, do not. Nests count as a whole: of 30
/// trips around 30, the outer one alone stays. So do the nests of a kernel: one of 5 by 5 is 110
/// operations, and four of them come below the limit. Loops whose trip count has a bound at most ask
/// as well: drivers find the 5 of `min(%n, 5)`.
#[test]
fn loops_ask_not_to_be_unrolled() {
    let kernel = |outer: &str, inner: &str, nests: usize| {
        let nest = format!(
            "scf.for %j = %c0 to {outer} step %c1 {{\n\
             scf.for %i = %c0 to {inner} step %c1 {{\n\
             %v = memref.load %x[%i] : memref<64xf32>\n%w = arith.addf %v, %v : f32\n\
             memref.store %w, %x[%i] : memref<64xf32>\n}}\n}}\n"
        );
        format!(
            "gpu.module @m {{ gpu.func @k(%x: memref<64xf32>, %n: index) kernel attributes \
             {{known_block_size = array<i32: 1, 1, 1>}} {{\n\
             %c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n\
             %c5 = arith.constant 5 : index\n%c30 = arith.constant 30 : index\n\
             %m = arith.minsi %n, %c5 : index\n{}gpu.return }} }}",
            nest.repeat(nests)
        )
    };
    let cases = [
        (("%c30", "%c30", 1), true, 1),
        (("%c30", "%c30", 1), false, 0),
        (("%c5", "%c5", 1), true, 0),
        (("%c5", "%c5", 4), true, 0),
        (("%c5", "%c5", 6), true, 2),
        (("%c5", "%c5", 6), false, 0),
        (("%n", "%c30", 1), true, 1),
        (("%m", "%m", 1), true, 2),
        (("%m", "%m", 1), false, 0),
    ];
    for ((outer, inner, nests), keep_loops, expected) in cases {
        let ctx = gridloom_dialects::context();
        let env = TargetEnv {
            keep_loops,
            ..TargetEnv::default()
        };
        let module = module(&ctx, &kernel(outer, inner, nests));
        let compiled = compile_module(&ctx, &module, "m", &env).expect("it compiles");
        check(&compiled.words, Profile::Native);
        let text = disassemble(&compiled.words).expect("a module");
        let asked = text.matches("DontUnroll").count();
        assert_eq!(asked, expected, "{nests} of {outer}, {inner}:\n{text}");
    }
}

/// Float controls that a strict module declares, by the widths that it computes with.
#[test]
fn strict_modules_declare_float_controls() {
    let kernel = |ty: &str| {
        format!(
            "gpu.module @m {{ gpu.func @k(%x: memref<4x{ty}>) kernel attributes \
             {{known_block_size = array<i32: 4, 1, 1>}} {{\n%i = gpu.thread_id x\n\
             %v = memref.load %x[%i] : memref<4x{ty}>\n%w = arith.addf %v, %v : {ty}\n\
             memref.store %w, %x[%i] : memref<4x{ty}>\ngpu.return }} }}"
        )
    };
    let env = TargetEnv {
        fp: FpMode::Strict,
        features: MOST_FEATURES,
        float_controls: FloatControls::ALL,
        ..TargetEnv::default()
    };
    let modes = [
        "SignedZeroInfNanPreserve",
        "DenormPreserve",
        "RoundingModeRTE",
    ];
    for (ty, width) in [("f32", 32), ("f16", 32), ("f64", 64)] {
        let ctx = gridloom_dialects::context();
        let module = module(&ctx, &kernel(ty));
        let compiled = compile_module(&ctx, &module, "m", &env).expect("it compiles");
        check(&compiled.words, Profile::Native);
        let text = disassemble(&compiled.words).expect("a module");
        assert!(
            text.contains("OpExtension \"SPV_KHR_float_controls\""),
            "{text}"
        );
        for mode in modes {
            assert!(text.contains(&format!("OpCapability {mode}")), "{text}");
            assert!(text.contains(&format!(" {mode} {width}")), "{text}");
            assert!(!text.contains(&format!(" {mode} {}", 96 - width)), "{text}");
        }
        let mut none = env;
        none.float_controls.f32.denormals = Promise::None;
        none.float_controls.f64.specials = Promise::None;
        let refused = compile_module(&ctx, &module, "m", &none).unwrap_err();
        let message = refused.render(&ctx);
        let what = if width == 64 {
            "NaN, infinities"
        } else {
            "subnormal numbers"
        };
        assert!(message.contains(what), "{message}");
        let relaxed = TargetEnv {
            fp: FpMode::Relaxed,
            ..none
        };
        let compiled = compile_module(&ctx, &module, "m", &relaxed).expect("it compiles");
        let text = disassemble(&compiled.words).expect("a module");
        assert!(!text.contains("float_controls"), "{text}");
    }
}
