//! Whole programs before and after: the interpreter must find the same bits,
//! and `mlir-opt` must accept every stage.

use gridloom_codegen::pass::offload::stages;
use gridloom_codegen::pass::{Observer, Pipeline};
use gridloom_codegen::target::{OffloadOptions, ReductionShape};
use gridloom_dialects::func;
use gridloom_interp::{Argument, Machine, Options, ScalarKind};
use gridloom_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::verify::verify;
use gridloom_ir::{Context, Module};

use super::machine::in_every_order;
use super::nests::{EXTENT, Nest, Random};

const NESTS: u64 = 1200;

pub fn parse(ctx: &Context, text: &str) -> Module {
    parse_module(ctx, "program", text.as_bytes(), &ParseOptions::default())
        .unwrap_or_else(|errors| panic!("{}\n{text}", errors.render(ctx)))
}

/// [`run_sized`] for arrays whose sizes are all known.
fn run(ctx: &Context, module: &Module, entry: &str) -> Result<Vec<Vec<u8>>, String> {
    run_sized(ctx, module, entry, 0)
}

/// Runs `entry` on arrays of f32 filled with small numbers, with `size` for
/// every `?`, in every thread order; the bytes of all arrays afterwards, or the
/// fault.
pub fn run_sized(
    ctx: &Context,
    module: &Module,
    entry: &str,
    size: i64,
) -> Result<Vec<Vec<u8>>, String> {
    in_every_order(module, |options| {
        run_with(ctx, module, entry, size, options)
    })
}

fn run_with(
    ctx: &Context,
    module: &Module,
    entry: &str,
    size: i64,
    options: Options,
) -> Result<Vec<Vec<u8>>, String> {
    let mut machine =
        Machine::new(ctx, module, entry, None, options).map_err(|errors| errors.render(ctx))?;
    let function = module
        .symbols(ctx)
        .get(ctx.ident(entry))
        .expect("the entry");
    let (types, _) = func::FuncOp(function).signature(ctx, module.body());
    let mut arguments = Vec::new();
    let mut buffers = Vec::new();
    for &ty in types {
        let shape = &ty.memref(ctx).expect("arrays only").shape;
        let known = |&extent: &i64| if extent == DYNAMIC { size } else { extent };
        let shape: Vec<i64> = shape.iter().map(known).collect();
        let array = machine
            .allocate(ty, &shape)
            .map_err(|fault| format!("{fault:?}"))?;
        for k in 0..array.num_elements() as i64 {
            let value = ScalarKind::F32.from_f64((k * 37 % 101) as f64);
            let written = machine
                .memory_mut()
                .write(&array, k, ScalarKind::F32, value);
            written.map_err(|fault| format!("{fault:?}"))?;
        }
        buffers.push(array.alloc);
        arguments.push(Argument::MemRef(ScalarKind::F32, array));
    }
    machine
        .run(&arguments)
        .map_err(|fault| format!("{:?}", fault.kind))?;
    let bytes = buffers
        .iter()
        .map(|&id| machine.memory().get(id).map(|b| b.bytes().to_vec()));
    bytes
        .collect::<Result<_, _>>()
        .map_err(|fault| format!("{fault:?}"))
}

/// Collects what each pass leaves.
#[derive(Default)]
struct Stages {
    texts: Vec<(String, String)>,
    modules: Vec<(String, Module)>,
}

impl Observer for Stages {
    fn after(&mut self, pass: &str, ctx: &Context, module: &Module, changed: bool) {
        let found = verify(ctx, module);
        assert!(!found.has_errors(), "after {pass}:\n{}", found.render(ctx));
        if changed {
            let text = print_module(
                ctx,
                module,
                &PrintOptions {
                    generic: true,
                    ..PrintOptions::default()
                },
            );
            self.texts.push((pass.to_owned(), text));
            self.modules.push((pass.to_owned(), module.clone()));
        }
    }
}

fn offload(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> Stages {
    let mut seen = Stages::default();
    let result = stages(options).run(ctx, module, &mut seen);
    result.unwrap_or_else(|errors| panic!("{}", errors.render(ctx)));
    seen
}

#[test]
fn random_nests_compute_the_same_at_every_stage() {
    let mut launched = 0;
    let tiles = ["off", "4x2", "2x2x2", "3", "1x5", "8x4"];
    for seed in 0..NESTS {
        // Small workgroups and groups, so that nests of a few iterations have several.
        let options = OffloadOptions {
            max_threads: 8,
            workgroup: [[4, 1, 1], [4, 2, 1], [2, 2, 2]],
            tiling: tiles[seed as usize % tiles.len()].parse().expect("a tile"),
            is_spread: seed % 4 < 2,
            reassociate: false,
            reduction: ReductionShape {
                least: 2,
                lanes: 2,
                vector: 2,
                groups: 2,
                span: 4,
                direct: 3,
                band_lanes: 2,
                row_least: 0,
                chunk: 2,
                band_least: 2,
                shares: seed % 2 == 0,
            },
            ..OffloadOptions::gpu()
        };
        let nest = Nest::random(&mut Random::new(seed));
        let ctx = gridloom_dialects::context();
        let original = parse(&ctx, &nest.text());
        // Nests that leave their arrays fault in the interpreter.
        if !nest.run().leaving_accesses.is_empty() {
            continue;
        }
        let expected = run(&ctx, &original, "nest").expect("the nest runs");
        let mut module = original.clone();
        let seen = offload(&ctx, &mut module, &options);
        for (pass, module) in &seen.modules {
            let found = run(&ctx, module, "nest");
            assert_eq!(
                found.as_ref(),
                Ok(&expected),
                "seed {seed} after {pass}\n{}",
                nest.text()
            );
        }
        launched += usize::from(
            seen.modules
                .iter()
                .any(|(pass, _)| pass == "gpu-kernel-outlining"),
        );
    }
    assert!(launched > 50, "only {launched} nests were launched");
}

#[test]
fn random_nests_on_one_array_compute_the_same_after_every_pass() {
    let pipelines = [
        "affine-scalrep,inline",
        "affine-map-to-gpu,inline",
        "affine-loop-permute,affine-scalrep,inline,affine-map-to-gpu",
        "affine-loop-distribute,affine-scalrep,affine-map-to-gpu,canonicalize,cse,inline,offload",
        "offload,inline,canonicalize,cse,offload",
        "affine-map-to-gpu{tile=2x2 spread=false},inline",
        "affine-loop-permute,affine-scalrep,inline,affine-map-to-gpu{tile=4x3}",
    ];
    let mut versions = 0;
    for seed in 0..NESTS / 3 {
        let nest = Nest::random(&mut Random::new(seed));
        if !nest.run().leaving_accesses.is_empty() {
            continue;
        }
        let ctx = gridloom_dialects::context();
        let ty = format!("memref<{EXTENT}x{EXTENT}xf32>");
        let text = format!(
            "{}func.func @main(%m: {ty}) {{\n  \
             func.call @nest(%m, %m) : ({ty}, {ty}) -> ()\n  return\n}}\n",
            nest.text().replace("@nest", "private @nest")
        );
        let original = parse(&ctx, &text);
        let expected = run(&ctx, &original, "main").expect("the nest runs");
        for passes in pipelines {
            let pipeline = Pipeline::parse(passes).expect("the passes exist");
            let mut module = original.clone();
            let mut seen = Stages::default();
            let result = pipeline.run(&ctx, &mut module, &mut seen);
            result.unwrap_or_else(|errors| panic!("{}", errors.render(&ctx)));
            for (pass, module) in &seen.modules {
                let found = run(&ctx, module, "main");
                let what = format!("seed {seed} after {pass} of {passes}\n{text}");
                assert_eq!(found.as_ref(), Ok(&expected), "{what}");
            }
            let has_versions = |text: &String| text.contains("nest__distinct");
            versions += usize::from(seen.texts.iter().any(|(_, text)| has_versions(text)));
        }
    }
    assert!(versions > 50, "only {versions} nests got versions");
}

#[test]
fn mlir_opt_accepts_every_stage_of_random_nests() {
    let mlir_opt = gridloom_test_tools::mlir_opt();
    let mut file = String::new();
    for seed in 0..60 {
        let nest = Nest::random(&mut Random::new(seed));
        let ctx = gridloom_dialects::context();
        let mut module = parse(&ctx, &nest.text());
        for (pass, text) in offload(&ctx, &mut module, &OffloadOptions::gpu()).texts {
            file.push_str(&format!("// seed {seed} after {pass}\n{text}\n// -----\n"));
        }
    }
    let arguments = ["--split-input-file", "--allow-unregistered-dialect"];
    let output = mlir_opt.run(&arguments, file.as_bytes());
    assert!(output.is_ok(), "{}", output.unwrap_err());
}

#[test]
fn lowering_affine_keeps_every_result() {
    let pipeline = Pipeline::parse("lower-affine,canonicalize,cse").expect("the passes exist");
    for seed in 0..NESTS {
        let nest = Nest::random(&mut Random::new(seed));
        if !nest.run().leaving_accesses.is_empty() {
            continue;
        }
        let ctx = gridloom_dialects::context();
        let mut module = parse(&ctx, &nest.text());
        let expected = run(&ctx, &module, "nest").expect("the nest runs");
        pipeline
            .run(&ctx, &mut module, &mut ())
            .expect("the passes succeed");
        let text = print_module(&ctx, &module, &PrintOptions::default());
        assert!(!text.contains("affine."), "seed {seed}\n{text}");
        assert_eq!(
            run(&ctx, &module, "nest"),
            Ok(expected),
            "seed {seed}\n{}",
            nest.text()
        );
    }
}
