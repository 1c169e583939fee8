//! Any number of threads, watched or not, makes the same of a module as one;
//! nested pipelines work where those of `mlir-opt` do.

use std::fmt::Write as _;

use gridloom_codegen::analysis::globals::ConstantGlobals;
use gridloom_codegen::pass::offload::stages;
use gridloom_codegen::pass::{Observer, Outcome, Pass, Pipeline, all_passes};
use gridloom_codegen::target::OffloadOptions;
use gridloom_ir::text::{PrintOptions, print_module};
use gridloom_ir::verify::verify;
use gridloom_ir::{Body, Context, Diagnostic, Diagnostics, Loc, Module};
use gridloom_test_tools::mlir_opt;

use super::files::programs;
use super::nests::{Nest, Random};
use super::programs::parse;

const GENERIC: PrintOptions = PrintOptions {
    generic: true,
    debuginfo: false,
    local_scope: false,
};

/// Writes down all that it sees.
#[derive(Default)]
struct Log(String);

impl Observer for Log {
    fn before(&mut self, pass: &str) {
        let _ = writeln!(self.0, "{pass}");
    }

    fn after(&mut self, pass: &str, ctx: &Context, module: &Module, changed: bool) {
        let text = print_module(ctx, module, &PrintOptions::default());
        let _ = writeln!(self.0, "{pass} {changed}\n{text}");
        self.0 += &verify(ctx, module).render(ctx);
    }
}

/// What is said and what is left, and the log of a watched run.
fn outcome(text: &str, pipeline: &Pipeline, threads: usize, watched: bool) -> (String, String) {
    let mut ctx = gridloom_dialects::context();
    ctx.set_threads(threads);
    let mut module = parse(&ctx, text);
    let mut log = Log::default();
    let said = match watched {
        true => pipeline.run(&ctx, &mut module, &mut log),
        false => pipeline.run(&ctx, &mut module, &mut ()),
    };
    let mut out = match said {
        Ok(said) => said.render(&ctx),
        // What a pipeline leaves that stopped depends on how far others went.
        Err(said) => return (said.render(&ctx), log.0),
    };
    out += &print_module(&ctx, &module, &PrintOptions::default());
    (out, log.0)
}

/// What all runs say and leave.
fn assert_same(text: &str, pipeline: &Pipeline) -> String {
    let (one, log) = outcome(text, pipeline, 1, true);
    let names: Vec<&str> = pipeline.names().collect();
    for (threads, watched) in [(1, false), (2, false), (5, false), (5, true)] {
        let (other, other_log) = outcome(text, pipeline, threads, watched);
        // The texts are long: a difference is shown by its place.
        let differs = one.lines().zip(other.lines()).position(|(a, b)| a != b);
        let what = format!("{names:?} with {threads} threads, watched: {watched}");
        assert_eq!(differs, None, "{what}");
        assert!(one == other, "{what}");
        assert!(!watched || log == other_log, "{what}: another log");
    }
    one
}

/// Random nests in functions of a module.
fn nests(seeds: std::ops::Range<u64>) -> String {
    let function = |seed: u64| {
        let text = Nest::random(&mut Random::new(seed)).text();
        text.replace("@nest", &format!("@nest{seed}"))
    };
    seeds.map(function).collect()
}

/// Functions beside each other, in modules in modules, and kernels.
fn many_functions() -> String {
    let kernels: String = (0..60)
        .map(|n| {
            format!(
                "gpu.func @k{n}(%m: memref<64xf32>) kernel {{
  %c0 = arith.constant {n} : index
  %c1 = arith.constant 1 : index
  %i = arith.addi %c0, %c1 : index
  %t = gpu.thread_id x
  %j = arith.addi %t, %i : index
  %k = arith.addi %i, %t : index
  %x = memref.load %m[%j] : memref<64xf32>
  memref.store %x, %m[%k] : memref<64xf32>
  gpu.return
}}
"
            )
        })
        .collect();
    format!(
        "{}module @inner {{\n{}module {{\n{}}}\n}}\ngpu.module @kernels {{\n{kernels}}}\n",
        nests(0..80),
        nests(80..120),
        nests(120..160)
    )
}

#[test]
fn every_pass_over_many_functions() {
    let text = many_functions();
    let mut remarks = 0;
    for info in all_passes() {
        let out = assert_same(&text, &Pipeline::parse(info.name).unwrap());
        remarks += out.matches("remark: ").count();
    }
    assert!(remarks > 30, "only {remarks} remarks");
    let nested = "builtin.module(func.func(canonicalize,cse),gpu.module(gpu.func(cse)),\
                  func.func(lower-affine,canonicalize,cse))";
    assert_same(&text, &Pipeline::parse(nested).unwrap());
}

#[test]
fn every_program_at_once() {
    let mut text = String::new();
    for file in programs() {
        let program = std::fs::read_to_string(file).unwrap();
        // Aliases stand outside of modules.
        let options = PrintOptions {
            local_scope: true,
            ..PrintOptions::default()
        };
        let ctx = gridloom_dialects::context();
        text += &print_module(&ctx, &parse(&ctx, &program), &options);
    }
    assert_same(&text, &Pipeline::parse("canonicalize,cse").unwrap());
    let lowered = "loop-invariant-code-motion,lower-affine,canonicalize,cse";
    assert_same(&text, &Pipeline::parse(lowered).unwrap());
    assert_same(&nests(0..100), &stages(&OffloadOptions::cpu_driver()));
}

/// A pass that remarks on every function but those that it `fails` on.
fn remarking(pipeline: &mut Pipeline, name: &'static str, fails: fn(&Body) -> bool) {
    let run = move |_: &Context, body: &mut Body, _: &ConstantGlobals| {
        let ops = body.walk();
        let loc = ops.first().map_or(Loc::UNKNOWN, |&op| body[op].loc);
        let mut diagnostics = Diagnostics::new();
        if fails(body) {
            diagnostics.error(loc, format!("{name} fails on {} operations", ops.len()));
            return Err(diagnostics);
        }
        diagnostics.push(Diagnostic::remark(loc, format!("{name} was here")));
        Ok(Outcome {
            changed: false,
            diagnostics,
        })
    };
    pipeline.push(name, Pass::Function(Box::new(run)));
}

#[test]
fn diagnostics_come_by_pass_then_by_function() {
    let odd = |body: &Body| body.walk().len() % 2 == 1;
    let text = nests(0..200);
    let mut pipeline = Pipeline::new();
    remarking(&mut pipeline, "first", |_| false);
    remarking(&mut pipeline, "second", |_| false);
    let said = assert_same(&text, &pipeline);
    assert!(said.rfind("first was here") < said.find("second was here"));
    // Functions that the third fails on must not keep the second from the others.
    remarking(&mut pipeline, "third", odd);
    remarking(&mut pipeline, "fourth", |_| true);
    let said = assert_same(&text, &pipeline);
    assert_eq!(said.matches("second was here").count(), 200);
    let failed = said.matches("third fails").count();
    assert!((1..200).contains(&failed), "{failed}");
    assert!(!said.contains("fourth"));
}

#[test]
fn nested_pipelines_reach_what_they_reach_in_mlir_opt() {
    let function = |form: &str, name: &str| {
        let (head, end) = match form {
            "gpu" => ("gpu.func", "gpu.return"),
            _ => ("func.func", "return"),
        };
        format!(
            "{head} @{name}(%x: i32, %m: memref<2xi32>) {{
  %a = arith.addi %x, %x : i32
  %b = arith.addi %x, %x : i32
  %c = arith.muli %a, %b : i32
  %i = arith.constant 1 : index
  memref.store %c, %m[%i] : memref<2xi32>
  {end}
}}\n"
        )
    };
    let text = format!(
        "{}module @inner {{\n{}gpu.module @k {{\n{}{}}}\n}}\ngpu.module @l {{\n{}{}}}\n",
        function("func", "a"),
        function("func", "b"),
        function("gpu", "c"),
        function("func", "d"),
        function("gpu", "e"),
        function("func", "f"),
    );
    let pipelines = [
        "builtin.module(cse)",
        "any(cse)",
        "builtin.module(any(cse))",
        "builtin.module(func.func(cse))",
        "builtin.module(gpu.func(cse))",
        "builtin.module(gpu.module(cse))",
        "builtin.module(gpu.module(gpu.func(cse)))",
        "builtin.module(gpu.module(func.func(cse)))",
        "builtin.module(builtin.module(cse))",
        "builtin.module(builtin.module(func.func(cse)))",
        "builtin.module(builtin.module(gpu.module(any(cse))))",
        "builtin.module(any(func.func(cse)))",
        "builtin.module(any(any(cse)))",
    ];
    let mlir_opt = mlir_opt();
    let print = |ctx: &Context, module: &Module| print_module(ctx, module, &GENERIC);
    for pipeline in pipelines {
        let ctx = gridloom_dialects::context();
        let mut module = parse(&ctx, &text);
        let passes = Pipeline::parse(pipeline).unwrap();
        passes.run(&ctx, &mut module, &mut ()).unwrap();
        let flag = format!("--pass-pipeline={pipeline}");
        let theirs = mlir_opt.run(&[&flag], text.as_bytes());
        let theirs = theirs.unwrap_or_else(|message| panic!("{pipeline}: {message}"));
        let theirs = print(&ctx, &parse(&ctx, &String::from_utf8(theirs).unwrap()));
        assert_eq!(print(&ctx, &module), theirs, "{pipeline}");
    }
}
