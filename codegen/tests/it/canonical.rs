//! `canonicalize` against `mlir-opt --canonicalize`: the same operations in
//! the same order come out of both. And against the interpreter, where it runs
//! the program.
//!
//! The programs lie in `tests/canonical/`. A function with the attribute
//! `differs = "why"` comes out otherwise, on purpose; it need only be valid.
//! One with the attribute `promises = "what"` relies on what its operations say
//! of their operands, which made-up arguments do not keep.
//! Constants have no place in the comparison: an operand is the constant.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use gridloom_codegen::pass::Pipeline;
use gridloom_ir::body::OpData;
use gridloom_ir::dialect::ub;
use gridloom_ir::fold::constant_attr;
use gridloom_ir::op::Traits;
use gridloom_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use gridloom_ir::verify::verify;
use gridloom_ir::{BlockId, Body, Context, Module, OpId, RegionId, Value};
use gridloom_test_tools::mlir_opt;

use super::machine::{entries, run};

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/canonical");
    let entries = fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn parse(ctx: &Context, file: &Path, text: &[u8]) -> Module {
    let module = parse_module(ctx, "", text, &ParseOptions::default());
    module.unwrap_or_else(|errors| panic!("{}: {}", file.display(), errors.render(ctx)))
}

/// What a body says, constants and names left out.
struct Shape<'a> {
    ctx: &'a Context,
    body: &'a Body,
    numbers: HashMap<Value, usize>,
    blocks: HashMap<BlockId, usize>,
    text: String,
}

fn shape(ctx: &Context, body: &Body) -> String {
    let mut shape = Shape {
        ctx,
        body,
        numbers: HashMap::new(),
        blocks: HashMap::new(),
        text: String::new(),
    };
    for &region in body.regions() {
        shape.region(region);
    }
    shape.text
}

impl Shape<'_> {
    fn define(&mut self, value: Value) -> usize {
        let number = self.numbers.len();
        *self.numbers.entry(value).or_insert(number)
    }

    fn region(&mut self, region: RegionId) {
        self.text.push_str("{\n");
        let blocks = self.body[region].blocks.to_vec();
        for &block in &blocks {
            let number = self.blocks.len();
            self.blocks.insert(block, number);
        }
        for block in blocks {
            let _ = write!(self.text, "^{}(", self.blocks[&block]);
            for &arg in &self.body[block].args {
                let number = self.define(arg);
                let _ = write!(self.text, "%{number}: {:?}, ", self.body.ty(arg));
            }
            self.text.push_str(")\n");
            let ops: Vec<OpId> = self.body.ops(block).collect();
            for op in ops {
                self.op(op);
            }
        }
        self.text.push_str("}\n");
    }

    fn op(&mut self, op: OpId) {
        let data = &self.body[op];
        if data.name.has(Traits::CONSTANT_LIKE) {
            return;
        }
        for result in data.results() {
            let number = self.define(result);
            let _ = write!(self.text, "%{number}: {:?} ", self.body.ty(result));
        }
        let _ = write!(self.text, "= {}(", self.ctx.op_name_str(data.name));
        for &operand in &data.operands {
            let _ = match constant_attr(self.ctx, self.body, operand) {
                Some(attr) => write!(self.text, "{attr:?}: {:?}, ", self.body.ty(operand)),
                None => write!(self.text, "%{:?}, ", self.numbers.get(&operand)),
            };
        }
        self.text.push(')');
        for successor in data.successors() {
            let _ = write!(self.text, " ^{:?}", self.blocks.get(successor));
        }
        for dict in [data.properties, data.attributes] {
            for &(name, value) in dict.entries(self.ctx) {
                let _ = write!(self.text, " {}={value:?}", self.ctx.str(name));
            }
        }
        self.text.push('\n');
        for &region in data.inline_regions() {
            self.region(region);
        }
    }
}

/// The functions of a module by name, with what they say.
fn shapes(ctx: &Context, module: &Module) -> Vec<(String, bool, String)> {
    let functions = module.ops().filter_map(|(_, op)| {
        let name = ctx.str(op.symbol_name(ctx)?).to_owned();
        let differs = op.attr(ctx, "differs").is_some();
        Some((name, differs, shape(ctx, op.isolated()?)))
    });
    functions.collect()
}

fn canonicalize(ctx: &Context, module: &mut Module) {
    let pass = Pipeline::parse("canonicalize").unwrap();
    pass.run(ctx, module, &mut ()).unwrap();
}

#[test]
fn canonical_form_is_that_of_mlir_opt() {
    let generic = PrintOptions {
        generic: true,
        ..PrintOptions::default()
    };
    let mut complaints = String::new();
    let mut functions = 0;
    for file in files() {
        let text = fs::read(&file).unwrap();
        let ctx = Context::new();
        let mut module = parse(&ctx, &file, &text);
        canonicalize(&ctx, &mut module);
        let found = verify(&ctx, &module);
        assert!(
            !found.has_errors(),
            "{}: {}",
            file.display(),
            found.render(&ctx)
        );
        let ours = print_module(&ctx, &module, &generic);
        canonicalize(&ctx, &mut module);
        let again = print_module(&ctx, &module, &generic);
        assert!(
            ours == again,
            "{}: not settled:\n{ours}\n{again}",
            file.display()
        );
        let flags = ["--mlir-print-op-generic"];
        let accepted = mlir_opt().run(&flags, ours.as_bytes());
        let accepted = accepted.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let flags = ["--canonicalize", "--mlir-print-op-generic"];
        let theirs = mlir_opt().run(&flags, &text);
        let theirs = theirs.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let [mine, other] =
            [&accepted, &theirs].map(|text| shapes(&ctx, &parse(&ctx, &file, text)));
        functions += mine.len();
        for ((name, differs, mine), (_, _, other)) in mine.iter().zip(&other) {
            if !differs && mine != other {
                let name = format!("{}: @{name}", file.display());
                let _ = writeln!(complaints, "{name}\nours:\n{mine}\nmlir-opt:\n{other}");
            }
            if *differs && mine == other {
                let _ = writeln!(complaints, "{}: @{name} does not differ", file.display());
            }
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
    assert!(functions > 20, "only {functions} functions");
}

/// Declarations without results as functions that do nothing, so that what
/// calls them runs.
fn with_bodies(text: &str) -> String {
    let defined = |line: &str| -> Option<String> {
        let rest = line.strip_prefix("func.func private @")?;
        let (name, types) = rest.split_once('(')?;
        let types = types.strip_suffix(')')?;
        let parameters = match (types, types.contains(',')) {
            ("", _) => String::new(),
            (_, true) => return None,
            (ty, false) => format!("%x: {ty}"),
        };
        Some(format!(
            "func.func private @{name}({parameters}) {{ return }}"
        ))
    };
    let lines = text
        .lines()
        .map(|line| defined(line).unwrap_or_else(|| line.to_owned()));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn canonical_form_computes_the_same() {
    let (mut ran, mut complaints) = (0, String::new());
    for file in files() {
        let text = with_bodies(&fs::read_to_string(&file).unwrap());
        let ctx = Context::new();
        let module = parse(&ctx, &file, text.as_bytes());
        let mut after = module.clone();
        canonicalize(&ctx, &mut after);
        let promises = |name: &str| {
            let mut ops = module.ops().map(|(_, op)| op);
            let named = |op: &OpData| op.symbol_name(&ctx).is_some_and(|s| ctx.str(s) == name);
            ops.any(|op| named(op) && op.attr(&ctx, "promises").is_some())
        };
        // Poison is any value: canonical form chooses another one than the machine.
        let undefined = |name: &str| {
            let mut ops = module.ops().map(|(_, op)| op);
            let named = |op: &OpData| op.symbol_name(&ctx).is_some_and(|s| ctx.str(s) == name);
            let has_poison = |body: &Body| {
                let mut ops = body.walk().into_iter();
                ops.any(|op| body[op].name == ub::POISON)
            };
            ops.any(|op| named(op) && op.isolated().is_some_and(has_poison))
        };
        for (name, types) in entries(&ctx, &module) {
            if promises(&name) || undefined(&name) {
                continue;
            }
            for seed in 0..6 {
                let Ok(before) = run(&ctx, &module, &name, &types, seed) else {
                    continue;
                };
                let found = run(&ctx, &after, &name, &types, seed);
                if found.as_ref() != Ok(&before) {
                    let file = file.display();
                    let _ = writeln!(complaints, "{file}: @{name}: {before:?}, then {found:?}");
                }
                ran += 1;
            }
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
    assert!(ran > 900, "only {ran} runs");
}
