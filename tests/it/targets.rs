//! Every example and every test program for every target, held against the target's validator.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use gridloom::codegen::pass::offload::offload;
use gridloom::codegen::target::{OffloadOptions, Target};
use gridloom::spirv::{self, Extensions, Language, Platform};
use gridloom::target::CompileTarget;
use gridloom::{Context, DeviceWish, Module, Program, Session, SessionOptions};
use gridloom_test_tools::{glslang, spirv_val};
use rspirv::binary::Parser;
use rspirv::dr::{Loader, Operand};
use rspirv::spirv::{Capability, Op};

fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found: Vec<PathBuf> = ["examples", "tests/programs"]
        .iter()
        .flat_map(|folder| fs::read_dir(root.join(folder)).expect("the folder is there"))
        .map(|entry| entry.expect("an entry can be read").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "mlir")
        })
        .collect();
    found.sort();
    assert!(found.len() > 60, "few programs were found");
    found
}

/// The program, mapped for a platform.
fn mapped(ctx: &Context, path: &Path, target: &CompileTarget) -> Module {
    let text = fs::read(path).expect("a program can be read");
    let name = path.display().to_string();
    let mut module =
        gridloom::parse(ctx, &name, &text).unwrap_or_else(|found| panic!("{}", found.render(ctx)));
    offload(ctx, &mut module, &target.offload_options())
        .unwrap_or_else(|found| panic!("{}", found.render(ctx)));
    module
}

/// Runs `test` on every program with a target, on all cores.
fn with_each_program(target: &CompileTarget, test: impl Fn(&Context, &Module, &str) + Sync) {
    let programs = programs();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = programs.len().div_ceil(threads);
    std::thread::scope(|scope| {
        for share in programs.chunks(share) {
            let test = &test;
            scope.spawn(move || {
                for path in share {
                    let ctx = gridloom::context();
                    let module = mapped(&ctx, path, target);
                    if !spirv::kernels(&ctx, &module).is_empty() {
                        test(&ctx, &module, &path.display().to_string());
                    }
                }
            });
        }
    });
}

/// The environment that spirv-val knows for a platform; its 2023 versions know no Vulkan 1.4,
/// which takes the SPIR-V of 1.3.
fn environment(platform: Platform) -> &'static str {
    match platform {
        Platform::Vulkan(4) => "vulkan1.3",
        Platform::Vulkan(_) => platform.name(),
        _ => "vulkan1.1",
    }
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn every_program_is_valid_for_every_vulkan_version() {
    for platform in Platform::ALL {
        if platform.language().is_some() {
            continue;
        }
        let target = CompileTarget::platform(platform);
        let environment = environment(platform);
        with_each_program(&target, |ctx, module, name| {
            let compiled = spirv::compile_all(ctx, module, &target.env)
                .unwrap_or_else(|found| panic!("{platform:?}: {}", found.render(ctx)));
            let wanted = ["--target-env", environment, "-"];
            if let Err(error) = spirv_val().run(&wanted, &bytes(&compiled.words)) {
                panic!("{name} for {platform:?}: {error}");
            }
            // Undefined in Vulkan where an operand is negative, which no validator sees.
            let text = spirv::disassemble(&compiled.words).expect("a module we made");
            assert!(
                !text.contains("OpSRem") && !text.contains("OpSMod"),
                "{name}:\n{text}"
            );
            capabilities_are_those_used(&compiled.words, name);
        });
    }
}

/// 64-bit types are declared where they occur, and nowhere else.
fn capabilities_are_those_used(words: &[u32], name: &str) {
    let mut loader = Loader::new();
    Parser::new(&bytes(words), &mut loader)
        .parse()
        .expect("a module");
    let module = loader.module();
    let declared: BTreeSet<Capability> = (module.capabilities.iter())
        .filter_map(|inst| match inst.operands.first() {
            Some(Operand::Capability(capability)) => Some(*capability),
            _ => None,
        })
        .collect();
    let mut used = BTreeSet::from([Capability::Shader]);
    for inst in &module.types_global_values {
        match (inst.class.opcode, inst.operands.first()) {
            (Op::TypeInt, Some(Operand::LiteralBit32(64))) => used.insert(Capability::Int64),
            (Op::TypeFloat, Some(Operand::LiteralBit32(64))) => used.insert(Capability::Float64),
            _ => false,
        };
    }
    assert_eq!(declared, used, "{name}");
}

#[test]
fn every_program_has_a_text_for_every_other_platform() {
    for platform in Platform::ALL {
        let Some(language) = platform.language() else {
            continue;
        };
        let target = CompileTarget::platform(platform);
        with_each_program(&target, |ctx, module, name| {
            for kernel in spirv::kernels(ctx, module) {
                let (container, kernel) = (ctx.str(kernel.container), ctx.str(kernel.name));
                let compiled = spirv::compile_kernel(ctx, module, container, kernel, &target.env)
                    .unwrap_or_else(|found| panic!("{platform:?}: {}", found.render(ctx)));
                let entries = [compiled.entry];
                let text = spirv::translate(&compiled.words, &entries, language, Extensions::None);
                let text = text.unwrap_or_else(|error| panic!("{name} for {platform:?}: {error}"));
                let stage = ["--stdin", "-S", "comp"];
                // No tool of Debian reads the others; HLSL is read by another test.
                if language == Language::Essl
                    && let Err(error) = glslang().run(&stage, text.as_bytes())
                {
                    panic!("{name}: {error}\nreading:\n{text}");
                }
            }
        });
    }
}

/// `gridloom compile` of a program; its status, output and messages.
fn compiled(source: &str, options: &[&str]) -> (Option<i32>, Vec<u8>, String) {
    let name = format!(
        "targets-{}-{:?}.mlir",
        std::process::id(),
        std::thread::current().id()
    );
    let path = std::env::temp_dir().join(name);
    fs::write(&path, source).expect("a temporary file can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_gridloom"))
        .arg("compile")
        .arg(&path)
        .args(options)
        .output()
        .expect("the binary starts");
    fs::remove_file(&path).expect("it is still there");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), output.stdout, said)
}

const DOUBLES: &str = "
func.func @doubles(%x: memref<64xf64>) {
  affine.for %i = 0 to 64 {
    %v = affine.load %x[%i] : memref<64xf64>
    %w = arith.addf %v, %v : f64
    affine.store %w, %x[%i] : memref<64xf64>
  }
  return
}
";

const SUM_OF_FOUR: &str = "
func.func @sum(%a: memref<64xf32>, %b: memref<64xf32>, %c: memref<64xf32>, %d: memref<64xf32>,
               %e: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %p = affine.load %a[%i] : memref<64xf32>
    %q = affine.load %b[%i] : memref<64xf32>
    %r = affine.load %c[%i] : memref<64xf32>
    %s = affine.load %d[%i] : memref<64xf32>
    %t = arith.addf %p, %q : f32
    %u = arith.addf %r, %s : f32
    %v = arith.addf %t, %u : f32
    affine.store %v, %e[%i] : memref<64xf32>
  }
  return
}
";

/// The SPIR-V version in the header of a module.
fn version(words: &[u8]) -> [u8; 2] {
    [words[6], words[5]]
}

#[test]
fn versions_are_those_of_the_targets() {
    let versions = [
        ("vulkan1.0", [1, 0]),
        ("vulkan1.1", [1, 3]),
        ("vulkan1.2", [1, 5]),
        ("vulkan1.3", [1, 6]),
        ("vulkan1.4", [1, 6]),
        ("webgpu", [1, 3]),
    ];
    let source = DOUBLES.replace("f64", "f32");
    for (target, wanted) in versions {
        let (code, words, said) = compiled(&source, &["--emit=spirv", "--target", target]);
        assert_eq!(code, Some(0), "{target}: {said}");
        assert_eq!(version(&words), wanted, "{target}");
    }
}

#[test]
fn a_nest_stays_on_the_host_where_the_target_lacks_something() {
    let cases = [
        (
            DOUBLES,
            "webgpu",
            "64-bit floats, which webgpu does not have",
        ),
        (DOUBLES, "metal", "64-bit floats, which metal does not have"),
        (
            SUM_OF_FOUR,
            "vulkan1.3",
            "5 memrefs, each of which takes a storage buffer, and vulkan1.3 has at most 4",
        ),
    ];
    for (source, target, lack) in cases {
        let (code, text, said) = compiled(source, &["--remarks", "--target", target]);
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains(lack), "{target}: {said}");
        let text = String::from_utf8_lossy(&text).into_owned();
        assert!(!text.contains("gpu.launch_func"), "{text}");
    }
    for target in ["webgpu", "dx12"] {
        let (_, text, said) = compiled(SUM_OF_FOUR, &["--remarks", "--target", target]);
        let text = String::from_utf8_lossy(&text).into_owned();
        assert!(text.contains("gpu.launch_func"), "{said}");
    }
}

const WIDE_LAUNCH: &str = "
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @wide(%x: memref<256xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %i = gpu.thread_id x
      %v = memref.load %x[%i] : memref<256xf32>
      memref.store %v, %x[%i] : memref<256xf32>
      gpu.return
    }
  }
  func.func @main(%x: memref<256xf32>) {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    gpu.launch_func @kernels::@wide blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1) args(%x : memref<256xf32>)
    return
  }
}
";

#[test]
fn a_kernel_beyond_the_limits_is_refused() {
    let (code, _, said) = compiled(WIDE_LAUNCH, &["--emit=spirv", "--target=vulkan1.0"]);
    assert_eq!(code, Some(1), "{said}");
    let wanted = "256 threads along x, and the target guarantees 128 only";
    assert!(said.contains(wanted), "{said}");
    let (code, _, said) = compiled(WIDE_LAUNCH, &["--emit=spirv", "--target=vulkan1.4"]);
    assert_eq!(code, Some(0), "{said}");
}

/// The program as a module with `#spirv.target_env`.
fn with_env(source: &str, env: &str) -> String {
    format!("module attributes {{spirv.target_env = #spirv.target_env<{env}>}} {{{source}}}")
}

#[test]
fn the_attribute_of_the_module_is_read_where_no_flag_is_given() {
    let old = "#spirv.vce<v1.0, [Shader], []>, #spirv.resource_limits<>";
    let source = with_env(&DOUBLES.replace("f64", "f32"), old);
    let (code, words, said) = compiled(&source, &["--emit=spirv"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(version(&words), [1, 0]);
    spirv_val()
        .run(&["--target-env", "vulkan1.0", "-"], &words)
        .unwrap_or_else(|error| panic!("{error}"));
    let (_, text, _) = compiled(&source, &["--emit=spirv-asm"]);
    assert!(String::from_utf8_lossy(&text).contains("BufferBlock"));

    let storage = old.replace("[]>", "[SPV_KHR_storage_buffer_storage_class]>");
    let source = with_env(&DOUBLES.replace("f64", "f32"), &storage);
    let (_, text, _) = compiled(&source, &["--emit=spirv-asm"]);
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(
        !text.contains("BufferBlock") && text.contains("StorageBuffer"),
        "{text}"
    );
    assert!(
        text.contains("SPV_KHR_storage_buffer_storage_class"),
        "{text}"
    );

    let (_, words, _) = compiled(&source, &["--emit=spirv", "--target=vulkan1.2"]);
    assert_eq!(version(&words), [1, 5], "the flag goes first");
}

#[test]
fn capabilities_that_the_attribute_leaves_out_are_lacking() {
    let plain = "#spirv.vce<v1.3, [Shader], []>, #spirv.resource_limits<>";
    let (code, _, said) = compiled(&with_env(DOUBLES, plain), &["--remarks"]);
    assert_eq!(code, Some(0), "{said}");
    let wanted = "64-bit floats, which the module's #spirv.target_env does not have";
    assert!(said.contains(wanted), "{said}");
    let wide = plain.replace("[Shader]", "[Shader, Float64]");
    let (code, _, said) = compiled(&with_env(DOUBLES, &wide), &["--emit=spirv"]);
    assert_eq!(code, Some(0), "{said}");
    let kernel = plain.replace("[Shader]", "[Kernel]");
    let (code, _, said) = compiled(&with_env(DOUBLES, &kernel), &["--emit=spirv"]);
    assert_eq!(code, Some(1));
    assert!(said.contains("no capability Shader"), "{said}");
}

#[test]
fn a_profile_of_a_device_is_a_target() {
    let gridloom = || Command::new(env!("CARGO_BIN_EXE_gridloom"));
    let output = gridloom()
        .args(["devices", "--json", "SwiftShader"])
        .output();
    let profile = output.expect("the binary starts").stdout;
    let path = std::env::temp_dir().join(format!("profile-{}.json", std::process::id()));
    fs::write(&path, &profile).expect("a temporary file can be written");
    let target = format!("--target={}", path.display());
    let (code, _, said) = compiled(DOUBLES, &["--remarks", &target]);
    assert_eq!(code, Some(0), "{said}");
    // SwiftShader has no 64-bit floats.
    assert!(said.contains("64-bit floats, which SwiftShader"), "{said}");

    let broken = String::from_utf8_lossy(&profile).replace("\"threads\"", "\"thread\"");
    fs::write(&path, broken).expect("a temporary file can be written");
    let (code, _, said) = compiled(DOUBLES, &[&target]);
    assert_eq!(code, Some(1));
    assert!(
        said.contains("it is not a device profile: missing field `threads`"),
        "{said}"
    );
    fs::remove_file(&path).expect("it is still there");

    let (code, _, said) = compiled(DOUBLES, &["--target=vulkan9"]);
    assert_eq!(code, Some(2));
    assert!(
        said.contains("--target cannot be 'vulkan9'; it takes vulkan1.0,"),
        "{said}"
    );
}

/// `A * B` of 16-bit floats.
const HALVES: &str = "
func.func @product(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %sum = affine.for %k = 0 to 64 iter_args(%acc = %zero) -> f32 {
        %x = affine.load %a[%i, %k] : memref<64x64xf16>
        %y = affine.load %b[%k, %j] : memref<64x64xf16>
        %p = arith.extf %x : f16 to f32
        %q = arith.extf %y : f16 to f32
        %product = arith.mulf %p, %q : f32
        %next = arith.addf %acc, %product : f32
        affine.yield %next : f32
      }
      affine.store %sum, %c[%i, %j] : memref<64x64xf32>
    }
  }
  return
}
";

#[test]
fn products_of_a_profile_are_used() {
    let gridloom = || Command::new(env!("CARGO_BIN_EXE_gridloom"));
    let output = gridloom().args(["devices", "--json", "llvmpipe"]).output();
    let profile = String::from_utf8(output.expect("the binary starts").stdout);
    let profile = profile.expect("a profile is text");
    assert!(profile.contains("\"matrices\": []"), "{profile}");
    let product = "\"matrices\": [{\"m\": 16, \"n\": 16, \"k\": 16, \"factors\": \"f16\", \
                   \"sums\": \"f32\"}]";
    let gpu = profile
        .replace("\"is_software\": true", "\"is_software\": false")
        .replace("\"matrices\": []", product);
    let path = std::env::temp_dir().join(format!("products-{}.json", std::process::id()));
    fs::write(&path, &gpu).expect("a temporary file can be written");
    let target = format!("--target={}", path.display());
    let (code, text, said) = compiled(HALVES, &["--emit=mlir", "--remarks", &target]);
    assert_eq!(code, Some(0), "{said}");
    let text = String::from_utf8_lossy(&text);
    assert!(text.contains("gpu.subgroup_mma_compute"), "{text}");
    assert!(
        said.contains("matrix units compute the sums of this loop nest"),
        "{said}"
    );
    // The order of additions is the program's.
    let (code, text, said) = compiled(HALVES, &["--emit=mlir", "--fp=strict", &target]);
    assert_eq!(code, Some(0), "{said}");
    assert!(!String::from_utf8_lossy(&text).contains("subgroup_mma"));
    // Profiles of earlier versions have no list.
    let old = profile.replace("\"matrices\": []", "\"other\": []");
    fs::write(&path, old).expect("a temporary file can be written");
    let (code, _, said) = compiled(HALVES, &["--emit=mlir", &target]);
    assert_eq!(code, Some(0), "{said}");
    fs::remove_file(&path).expect("it is still there");
}

#[test]
fn matrices_that_a_device_refuses_are_computed_on_the_host() {
    let ctx = gridloom::context();
    let module = gridloom::parse(&ctx, "halves.mlir", HALVES.as_bytes()).expect("it parses");
    let options = OffloadOptions {
        target: Some(Target::with_matrices()),
        ..OffloadOptions::gpu()
    };
    let program = Program::compile(&ctx, module, None, Some(&options)).expect("it compiles");
    // Lavapipe has no matrix units.
    let wish = DeviceWish::Named("llvmpipe".to_owned());
    let session = Session::open(&wish, SessionOptions::default());
    let session = session.expect("run the tests by `cargo xtask test`");
    let specs = ["ones", "ones", "zeros"].map(|spec| spec.parse().expect("a spec"));
    let inputs = program.inputs(&specs, |_| unreachable!("no files"));
    let outcome = program.run(&session, &inputs.expect("they fit"));
    let outcome = outcome.unwrap_or_else(|fault| panic!("{fault:?}"));
    let remarks: Vec<&str> = outcome.remarks.iter().map(|r| r.message.as_str()).collect();
    let is_told = |remark: &&str| remark.contains("runs on the host: ");
    assert!(remarks.iter().any(is_told), "{remarks:?}");
    // Each of 64 products is 1.
    let elements: Vec<u64> = outcome.arguments[2].elements.iter().collect();
    assert_eq!(elements, [u64::from(64f32.to_bits()); 64 * 64]);
}

#[test]
fn a_language_that_the_target_does_not_take_is_refused() {
    let source = DOUBLES.replace("f64", "f32");
    let cases = [
        ("wgsl", "vulkan1.1", "vulkan1.1 takes SPIR-V, not WGSL"),
        ("glsl", "metal", "metal takes MSL, not GLSL"),
    ];
    for (emit, target, wanted) in cases {
        let (code, _, said) = compiled(&source, &["--emit", emit, "--target", target]);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(wanted), "{said}");
    }
    let (code, text, said) = compiled(&source, &["--emit=glsl", "--target=opengl-es"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(String::from_utf8_lossy(&text).contains("#version 310 es"));
}

/// A shading language without 64-bit floats gets the kernels of the nests that have none.
#[test]
fn a_language_gets_the_nests_that_it_can_say() {
    let source = format!("{DOUBLES}{SUM_OF_FOUR}");
    for (language, kernels) in [("wgsl", 1), ("msl", 1), ("hlsl", 2)] {
        let (code, text, said) = compiled(&source, &["--remarks", "--emit", language]);
        assert_eq!(code, Some(0), "{said}");
        let text = String::from_utf8_lossy(&text);
        assert_eq!(text.matches(": entry point ").count(), kernels, "{text}");
        assert_eq!(
            said.contains("it has 64-bit floats"),
            kernels == 1,
            "{said}"
        );
    }
}
