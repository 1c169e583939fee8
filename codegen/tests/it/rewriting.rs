//! Random programs before and after `canonicalize`: it ends, reaches a fixpoint, and
//! the interpreter finds the same results.

use std::fmt::Write as _;

use gridloom_codegen::analysis::globals::ConstantGlobals;
use gridloom_codegen::transform::canonicalize::canonicalize;
use gridloom_interp::{Argument, Machine, Options, ScalarKind};
use gridloom_ir::text::{PrintOptions, print_module};
use gridloom_ir::verify::verify;
use gridloom_ir::{Context, Module};

use super::machine::Random;
use super::programs::parse;

const TYPES: [(&str, u8); 5] = [
    ("i1", 1),
    ("i8", 8),
    ("i32", 32),
    ("i64", 64),
    ("index", 64),
];

const BINARY: [&str; 20] = [
    "addi",
    "subi",
    "muli",
    "andi",
    "ori",
    "xori",
    "minsi",
    "maxsi",
    "minui",
    "maxui",
    "shli",
    "shrsi",
    "shrui",
    "divui",
    "divsi",
    "remsi",
    "remui",
    "floordivsi",
    "addi",
    "subi",
];

const PREDICATES: [&str; 10] = [
    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
];

/// Writes a function of one parameter of each type, which returns one value
/// of each.
struct Writer {
    random: Random,
    text: String,
    names: usize,
    /// The values in scope, by the number of their type.
    values: [Vec<String>; 5],
}

impl Writer {
    fn pick(&mut self, ty: usize) -> String {
        let values = &self.values[ty];
        // Recent ones more often, so that operations feed each other.
        let recent = values.len().min(1 + (self.random.next() % 6) as usize);
        values[values.len() - 1 - (self.random.next() as usize % recent)].clone()
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("%v{}", self.names)
    }

    fn define(&mut self, ty: usize, operation: &str) {
        let name = self.name();
        let _ = writeln!(self.text, "{name} = {operation}");
        self.values[ty].push(name);
    }

    fn operation(&mut self, depth: u32) {
        let ty = (self.random.next() % 5) as usize;
        let (spelled, width) = TYPES[ty];
        match self.random.next() % 16 {
            0..2 => {
                let numbers = [0, 1, -1, 2, 7, 31, 100];
                let number = numbers[(self.random.next() % 7) as usize];
                let constant = match width {
                    1 => format!("arith.constant {}", number & 1 == 1),
                    _ => format!("arith.constant {number} : {spelled}"),
                };
                self.define(ty, &constant);
            }
            2..8 => {
                let op = BINARY[(self.random.next() % 20) as usize];
                let (a, b) = (self.pick(ty), self.pick(ty));
                self.define(ty, &format!("arith.{op} {a}, {b} : {spelled}"));
            }
            8..10 => {
                let predicate = PREDICATES[(self.random.next() % 10) as usize];
                let (a, b) = (self.pick(ty), self.pick(ty));
                self.define(0, &format!("arith.cmpi {predicate}, {a}, {b} : {spelled}"));
            }
            10..12 => {
                let (c, a, b) = (self.pick(0), self.pick(ty), self.pick(ty));
                self.define(ty, &format!("arith.select {c}, {a}, {b} : {spelled}"));
            }
            12..14 => self.conversion(ty),
            14 if depth > 0 => self.branches(depth - 1, ty),
            15 if depth > 0 => self.looped(depth - 1, ty),
            _ => {}
        }
    }

    fn conversion(&mut self, from: usize) {
        let to = (self.random.next() % 5) as usize;
        let op = match (from, to) {
            (4, 4) | (0, 4) | (4, 0) => return,
            (4, _) | (_, 4) => ["index_cast", "index_castui"][(self.random.next() % 2) as usize],
            _ if from < to => ["extsi", "extui"][(self.random.next() % 2) as usize],
            _ if from > to => "trunci",
            _ => return,
        };
        let a = self.pick(from);
        self.define(
            to,
            &format!("arith.{op} {a} : {} to {}", TYPES[from].0, TYPES[to].0),
        );
    }

    /// Operations of their own scope, and the value that they end with.
    fn block(&mut self, depth: u32, ty: usize, ending: &str) {
        let before = self.values.each_ref().map(Vec::len);
        for _ in 0..self.random.next() % 8 {
            self.operation(depth);
        }
        let last = self.pick(ty);
        let _ = writeln!(self.text, "{ending} {last} : {}", TYPES[ty].0);
        for (values, length) in self.values.iter_mut().zip(before) {
            values.truncate(length);
        }
    }

    fn branches(&mut self, depth: u32, ty: usize) {
        let (name, condition) = (self.name(), self.pick(0));
        let _ = writeln!(
            self.text,
            "{name} = scf.if {condition} -> {} {{",
            TYPES[ty].0
        );
        self.block(depth, ty, "scf.yield");
        self.text.push_str("} else {\n");
        self.block(depth, ty, "scf.yield");
        self.text.push_str("}\n");
        self.values[ty].push(name);
    }

    fn looped(&mut self, depth: u32, ty: usize) {
        let [name, from, to, step, counter, carried] = [(); 6].map(|()| self.name());
        let init = self.pick(ty);
        let bounds = [
            (&from, self.random.next() % 3),
            (&to, self.random.next() % 5),
        ];
        for (name, number) in bounds {
            let _ = writeln!(self.text, "{name} = arith.constant {number} : index");
        }
        let _ = writeln!(
            self.text,
            "{step} = arith.constant {} : index",
            1 + self.random.next() % 3
        );
        let spelled = TYPES[ty].0;
        let _ = writeln!(
            self.text,
            "{name} = scf.for {counter} = {from} to {to} step {step} iter_args({carried} = {init}) \
             -> {spelled} {{"
        );
        let before = self.values.each_ref().map(Vec::len);
        self.values[4].push(counter);
        self.values[ty].push(carried);
        self.block(depth, ty, "scf.yield");
        for (values, length) in self.values.iter_mut().zip(before) {
            values.truncate(length);
        }
        self.text.push_str("}\n");
        self.values[ty].push(name);
    }
}

/// A program with a branch in the middle, so that blocks are looked at, too.
fn program(seed: u64) -> String {
    let names = ["%a", "%b", "%c", "%d", "%e"];
    let mut writer = Writer {
        random: Random(seed),
        text: String::new(),
        names: 0,
        values: names.map(|name| vec![name.to_owned()]),
    };
    for _ in 0..12 {
        writer.operation(2);
    }
    let (condition, x, y) = (writer.pick(0), writer.pick(2), writer.pick(2));
    let _ = writeln!(
        writer.text,
        "cf.cond_br {condition}, ^left({x} : i32), ^right\n^left(%p: i32):"
    );
    let before = writer.values.each_ref().map(Vec::len);
    writer.values[2].push("%p".to_owned());
    writer.block(1, 2, "cf.br ^end(");
    let _ = writeln!(
        writer.text,
        "^right:\ncf.br ^end({y} : i32)\n^end(%q: i32):"
    );
    for (values, length) in writer.values.iter_mut().zip(before) {
        values.truncate(length);
    }
    writer.values[2].push("%q".to_owned());
    for _ in 0..12 {
        writer.operation(2);
    }
    let results: Vec<String> = (0..5).map(|ty| writer.pick(ty)).collect();
    let text = writer.text.replace("cf.br ^end( ", "cf.br ^end(");
    let lines =
        text.lines().map(
            |line| match line.starts_with("cf.br ^end(%") && !line.ends_with(')') {
                true => format!("{line})\n"),
                false => format!("{line}\n"),
            },
        );
    format!(
        "func.func @main(%a: i1, %b: i8, %c: i32, %d: i64, %e: index) -> (i1, i8, i32, i64, index) {{\n{}\
         return {} : i1, i8, i32, i64, index\n}}\n",
        lines.collect::<String>(),
        results.join(", ")
    )
}

fn run(ctx: &Context, module: &Module, seed: u64) -> Result<Vec<Argument>, String> {
    let options = Options {
        step_limit: Some(100_000),
        ..Options::default()
    };
    let machine = Machine::new(ctx, module, "main", None, options);
    let mut machine = machine.map_err(|errors| errors.render(ctx))?;
    let mut random = Random(seed);
    let arguments = TYPES.map(|(_, width)| {
        let bits = random.next() >> (random.next() % 64);
        let kind = ScalarKind::Int(width);
        Argument::Scalar(kind, gridloom_interp::scalar::mask(bits, width))
    });
    machine
        .run(&arguments)
        .map_err(|fault| format!("{:?}", fault.kind))
}

#[test]
fn random_programs_reach_a_fixpoint_and_compute_the_same() {
    let (mut ran, mut smaller) = (0, 0);
    for seed in 0..800 {
        let text = program(seed);
        let ctx = gridloom_dialects::context();
        let mut module = parse(&ctx, &text);
        let before: Vec<_> = (0..4).map(|k| run(&ctx, &module, seed * 4 + k)).collect();
        let function = module.ops().next().unwrap().0;
        let size = |module: &Module| module.body()[function].isolated().unwrap().walk().len();
        let size_before = size(&module);
        let body = module.body_mut()[function].isolated_mut().unwrap();
        canonicalize(&ctx, body, &ConstantGlobals::default());
        let found = verify(&ctx, &module);
        assert!(
            !found.has_errors(),
            "seed {seed}: {}\n{text}",
            found.render(&ctx)
        );
        let shown = || print_module(&ctx, &module, &PrintOptions::default());
        for (k, before) in before.iter().enumerate() {
            // A fault before (a division by zero) allows anything after.
            if before.is_ok() {
                let after = run(&ctx, &module, seed * 4 + k as u64);
                assert_eq!(*before, after, "seed {seed}\n{text}\n{}", shown());
                ran += 1;
            }
        }
        smaller += usize::from(size(&module) < size_before);
        let fixpoint = shown();
        let body = module.body_mut()[function].isolated_mut().unwrap();
        canonicalize(&ctx, body, &ConstantGlobals::default());
        let again = print_module(&ctx, &module, &PrintOptions::default());
        assert_eq!(fixpoint, again, "seed {seed}\n{text}");
    }
    assert!(ran > 300, "only {ran} runs were without a fault");
    assert!(smaller > 500, "only {smaller} programs became smaller");
}
