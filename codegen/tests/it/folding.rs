//! Folding against the interpreter: what an operation folds to is what the
//! interpreter computes, bit for bit, on operands picked to be awkward.

use std::fmt::Write as _;

use gridloom_codegen::analysis::globals::ConstantGlobals;
use gridloom_codegen::transform::canonicalize::canonicalize;
use gridloom_dialects::{arith, func, math};
use gridloom_interp::{Argument, Machine, Options, ScalarKind};
use gridloom_ir::scalar::Computation;
use gridloom_ir::text::{ParseOptions, parse_module};
use gridloom_ir::{Context, Module};

use super::machine::Random;

const INTS: [(&str, u8); 6] = [
    ("i1", 1),
    ("i7", 7),
    ("i16", 16),
    ("i32", 32),
    ("i64", 64),
    ("index", 64),
];

const FLOATS: [(&str, ScalarKind); 4] = [
    ("f16", ScalarKind::F16),
    ("bf16", ScalarKind::BF16),
    ("f32", ScalarKind::F32),
    ("f64", ScalarKind::F64),
];

const INT_OPS: [&str; 20] = [
    "addi",
    "subi",
    "muli",
    "divsi",
    "divui",
    "remsi",
    "remui",
    "ceildivsi",
    "ceildivui",
    "floordivsi",
    "andi",
    "ori",
    "xori",
    "shli",
    "shrsi",
    "shrui",
    "minsi",
    "minui",
    "maxsi",
    "maxui",
];

const FLOAT_OPS: [&str; 9] = [
    "addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf",
];

/// The functions of one operand in `math`, integer ones or float ones.
fn math_functions(is_wanted: fn(Computation) -> bool) -> Vec<&'static str> {
    let rows = math::OPS.iter();
    let wanted = rows.filter(|row| row.folds.computes.is_some_and(is_wanted));
    wanted.map(|row| row.signature.name).collect()
}

fn int_bits(random: &mut Random, width: u8) -> u64 {
    let bits = match random.next() % 8 {
        0 => 0,
        1 => 1,
        2 => u64::MAX,
        3 => 1 << (width - 1),
        4 => (1 << (width - 1)) - 1,
        5 => random.next() % 70,
        _ => random.next(),
    };
    gridloom_interp::scalar::mask(bits, width)
}

fn float_bits(random: &mut Random, kind: ScalarKind) -> u64 {
    let size = kind.size() as u8 * 8;
    let number = match random.next() % 12 {
        0 => 0.0,
        1 => -0.0,
        2 => 1.0,
        3 => -1.0,
        4 => f64::INFINITY,
        5 => f64::NAN,
        6 => (random.next() % 2048) as f64 / 8.0 - 128.0,
        // Limits of integers, and their neighbours.
        7 => (1u64 << (random.next() % 64)) as f64 - (random.next() % 2) as f64,
        // Next to nothing.
        8 => return random.next() % 5,
        _ => return gridloom_interp::scalar::mask(random.next(), size),
    };
    kind.from_f64(number)
}

/// A constant as text.
fn int_text(bits: u64, (ty, width): (&str, u8)) -> String {
    match width {
        1 => (bits != 0).to_string(),
        _ => format!("{} : {ty}", gridloom_interp::scalar::sext(bits, width)),
    }
}

fn float_text(bits: u64, (ty, kind): (&str, ScalarKind)) -> String {
    format!("0x{bits:0digits$X} : {ty}", digits = kind.size() * 2)
}

/// One function: its two operands as text (a parameter where there is none),
/// its operation, and the argument it is called with.
struct Case {
    text: String,
    argument: Option<Argument>,
}

struct Cases {
    random: Random,
    cases: Vec<Case>,
}

impl Cases {
    /// `operation` on constants: `(operands) -> results` is its type.
    fn on_constants(&mut self, operation: &str, constants: &[String], ty: &str, results: usize) {
        let mut body = String::new();
        for (k, constant) in constants.iter().enumerate() {
            let _ = writeln!(body, "  %c{k} = arith.constant {constant}");
        }
        let operands: Vec<String> = (0..constants.len()).map(|k| format!("%c{k}")).collect();
        self.push(operation, &operands, ty, results, "", body, None);
    }

    /// `operation` on its parameter and a constant, either way round, or on
    /// the parameter twice.
    fn on_parameter(
        &mut self,
        operation: &str,
        constant: &str,
        ty: &str,
        all: &str,
        bits: Argument,
    ) {
        let body = format!("  %c = arith.constant {constant}\n");
        let pick: [&str; 2] = match self.random.next() % 3 {
            0 => ["%x", "%c"],
            1 => ["%c", "%x"],
            _ => ["%x", "%x"],
        };
        let operands = pick.map(str::to_owned);
        self.push(
            operation,
            &operands,
            all,
            1,
            &format!("%x: {ty}"),
            body,
            Some(bits),
        );
    }

    #[allow(clippy::too_many_arguments)] // the parts of one line of text each
    fn push(
        &mut self,
        operation: &str,
        operands: &[String],
        ty: &str,
        results: usize,
        parameter: &str,
        body: String,
        argument: Option<Argument>,
    ) {
        let number = self.cases.len();
        let (_, result_types) = ty.split_once("->").unwrap();
        let result_types = result_types.trim().trim_matches(['(', ')']);
        let names: Vec<String> = (0..results).map(|k| format!("%r#{k}")).collect();
        let (name, properties) = operation.split_once(' ').unwrap_or((operation, ""));
        let name = match name.contains('.') {
            true => name.to_owned(),
            false => format!("arith.{name}"),
        };
        let text = format!(
            "func.func @f{number}({parameter}) -> ({result_types}) {{\n{body}  \
             %r:{results} = \"{name}\"({}) {properties} : {ty}\n  \
             return {} : {result_types}\n}}\n",
            operands.join(", "),
            names.join(", "),
        );
        self.cases.push(Case { text, argument });
    }

    fn integers(&mut self) {
        for int @ (ty, width) in INTS {
            let all = format!("({ty}, {ty}) -> {ty}");
            for op in INT_OPS {
                let [a, b] = [(); 2].map(|()| int_bits(&mut self.random, width));
                self.on_constants(op, &[int_text(a, int), int_text(b, int)], &all, 1);
                let x = Argument::Scalar(ScalarKind::Int(width), a);
                self.on_parameter(op, &int_text(b, int), ty, &all, x);
            }
            for op in ["addui_extended", "mulsi_extended", "mului_extended"] {
                let second = if op.starts_with('a') { "i1" } else { ty };
                let all = format!("({ty}, {ty}) -> ({ty}, {second})");
                let pair = [(); 2].map(|()| int_text(int_bits(&mut self.random, width), int));
                self.on_constants(op, &pair, &all, 2);
            }
            let all = format!("({ty}, {ty}) -> i1");
            for predicate in 0..10 {
                let [a, b] = [(); 2].map(|()| int_bits(&mut self.random, width));
                let op = format!("cmpi <{{predicate = {predicate} : i64}}>");
                self.on_constants(&op, &[int_text(a, int), int_text(b, int)], &all, 1);
                let x = Argument::Scalar(ScalarKind::Int(width), a);
                self.on_parameter(&op, &int_text(b, int), ty, &all, x);
            }
        }
    }

    fn floats(&mut self) {
        for float @ (ty, kind) in FLOATS {
            let all = format!("({ty}, {ty}) -> {ty}");
            for op in FLOAT_OPS {
                let [a, b] = [(); 2].map(|()| float_bits(&mut self.random, kind));
                self.on_constants(op, &[float_text(a, float), float_text(b, float)], &all, 1);
                // Identities hold for numbers; a NaN that goes in comes out
                // as some NaN.
                if !kind.to_f64(a).is_nan() {
                    let x = Argument::Scalar(kind, a);
                    self.on_parameter(op, &float_text(b, float), ty, &all, x);
                }
            }
            let a = float_bits(&mut self.random, kind);
            self.on_constants(
                "negf",
                &[float_text(a, float)],
                &format!("({ty}) -> {ty}"),
                1,
            );
            for predicate in 0..16 {
                let pair = [(); 2].map(|()| float_text(float_bits(&mut self.random, kind), float));
                let op = format!("cmpf <{{predicate = {predicate} : i64}}>");
                self.on_constants(&op, &pair, &format!("({ty}, {ty}) -> i1"), 1);
            }
        }
    }

    /// The functions of `math`.
    fn functions(&mut self) {
        for int @ (ty, width) in INTS {
            for op in math_functions(|row| matches!(row, Computation::IntUnary(_))) {
                let bits = int_text(int_bits(&mut self.random, width), int);
                self.on_constants(op, &[bits], &format!("({ty}) -> {ty}"), 1);
            }
            let pair = [(); 2].map(|()| int_text(int_bits(&mut self.random, width), int));
            self.on_constants("math.ipowi", &pair, &format!("({ty}, {ty}) -> {ty}"), 1);
        }
        for float @ (ty, kind) in FLOATS {
            let all = format!("({ty}) -> {ty}");
            let random = &mut self.random;
            let mut next = || float_text(float_bits(random, kind), float);
            let unary = math_functions(|row| matches!(row, Computation::FloatUnary(_)));
            let unary: Vec<_> = unary.into_iter().map(|op| (op, next())).collect();
            let binary =
                ["atan2", "powf", "copysign"].map(|op| (format!("math.{op}"), [next(), next()]));
            let three = [next(), next(), next()];
            for (op, constant) in unary {
                self.on_constants(op, &[constant], &all, 1);
            }
            for (op, pair) in binary {
                self.on_constants(&op, &pair, &format!("({ty}, {ty}) -> {ty}"), 1);
            }
            for op in ["math.fma", "math.clampf"] {
                self.on_constants(op, &three, &format!("({ty}, {ty}, {ty}) -> {ty}"), 1);
            }
            for op in ["isfinite", "isinf", "isnan", "isnormal"] {
                let bits = float_text(float_bits(&mut self.random, kind), float);
                self.on_constants(&format!("math.{op}"), &[bits], &format!("({ty}) -> i1"), 1);
            }
            let bits = float_text(float_bits(&mut self.random, kind), float);
            self.on_constants(
                "math.sincos",
                std::slice::from_ref(&bits),
                &format!("({ty}) -> ({ty}, {ty})"),
                2,
            );
            let power = int_text(int_bits(&mut self.random, 32), ("i32", 32));
            self.on_constants(
                "math.fpowi",
                &[bits, power],
                &format!("({ty}, i32) -> {ty}"),
                1,
            );
        }
    }

    fn conversions(&mut self) {
        for (from, width) in INTS {
            for (to, target) in INTS {
                let ops: &[&str] = match (from, to) {
                    ("index", "index") => &[],
                    ("index", _) | (_, "index") => &["index_cast", "index_castui"],
                    _ if width < target => &["extsi", "extui"],
                    _ if width > target => &["trunci"],
                    _ => &["bitcast"],
                };
                for op in ops {
                    let bits = int_text(int_bits(&mut self.random, width), (from, width));
                    self.on_constants(op, &[bits], &format!("({from}) -> {to}"), 1);
                }
            }
        }
        for float @ (float_ty, kind) in FLOATS {
            for int @ (ty, width) in INTS.into_iter().filter(|int| int.0 != "index") {
                for op in ["sitofp", "uitofp"] {
                    let bits = int_text(int_bits(&mut self.random, width), int);
                    self.on_constants(op, &[bits], &format!("({ty}) -> {float_ty}"), 1);
                }
                for op in ["fptosi", "fptoui"] {
                    let bits = float_text(float_bits(&mut self.random, kind), float);
                    self.on_constants(op, &[bits], &format!("({float_ty}) -> {ty}"), 1);
                }
                if usize::from(width) == kind.size() * 8 {
                    let bits = float_text(float_bits(&mut self.random, kind), float);
                    self.on_constants("bitcast", &[bits], &format!("({float_ty}) -> {ty}"), 1);
                    let bits = int_text(int_bits(&mut self.random, width), int);
                    self.on_constants("bitcast", &[bits], &format!("({ty}) -> {float_ty}"), 1);
                }
            }
            for other @ (other_ty, other_kind) in FLOATS {
                let bits = float_text(float_bits(&mut self.random, other_kind), other);
                let op = match other_kind.size().cmp(&kind.size()) {
                    std::cmp::Ordering::Less => "extf",
                    std::cmp::Ordering::Greater => "truncf",
                    std::cmp::Ordering::Equal => continue,
                };
                self.on_constants(op, &[bits], &format!("({other_ty}) -> {float_ty}"), 1);
            }
        }
    }
}

fn run(ctx: &Context, module: &Module, name: &str, case: &Case) -> Result<Vec<Argument>, String> {
    let mut machine = Machine::new(ctx, module, name, None, Options::default())
        .unwrap_or_else(|errors| panic!("{}\n{}", errors.render(ctx), case.text));
    let results = machine.run(case.argument.as_slice());
    results.map_err(|fault| format!("{:?}", fault.kind))
}

/// Whether nothing is left of the function but constants and its return.
fn is_folded(module: &Module, ctx: &Context, name: &str) -> bool {
    let function = module.symbols(ctx).get(ctx.ident(name)).unwrap();
    let body = module.body()[function].isolated().unwrap();
    let mut names = body.walk().into_iter().map(|op| body[op].name);
    names.all(|name| name == arith::CONSTANT || name == func::RETURN)
}

#[test]
fn folds_to_what_the_interpreter_computes() {
    let mut folded = 0;
    let mut total = 0;
    for seed in 0..24 {
        let random = Random(seed);
        let mut cases = Cases {
            random,
            cases: Vec::new(),
        };
        cases.integers();
        cases.floats();
        cases.functions();
        cases.conversions();
        let text: String = cases.cases.iter().map(|case| case.text.as_str()).collect();
        let ctx = gridloom_dialects::context();
        let module = parse_module(&ctx, "cases", text.as_bytes(), &ParseOptions::default());
        let module = module.unwrap_or_else(|errors| panic!("{}\n", errors.render(&ctx)));
        let mut after = module.clone();
        let functions: Vec<_> = after.ops().map(|(op, _)| op).collect();
        for function in functions {
            let body = after.body_mut()[function].isolated_mut().unwrap();
            canonicalize(&ctx, body, &ConstantGlobals::default());
        }
        for (number, case) in cases.cases.iter().enumerate() {
            let name = format!("f{number}");
            let expected = run(&ctx, &module, &name, case);
            let found = run(&ctx, &after, &name, case);
            assert_eq!(
                expected, found,
                "seed {seed}, argument {:?}\n{}",
                case.argument, case.text
            );
            total += 1;
            folded += usize::from(is_folded(&after, &ctx, &name));
        }
    }
    // The rest are divisions by zero, NaNs and functions of the parameter.
    assert!(folded * 2 > total, "{folded} of {total} folded");
}
