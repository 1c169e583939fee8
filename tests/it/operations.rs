//! The table of operations: every operation of the dialects that run, on every engine.
//!
//! A line of `tests/operations/DIALECT.txt` is
//! `operation | types | operands | expected [: type] | snippet [| properties]`. The snippet computes `%r` from `%a`, `%b`
//! and `%c`; `$T` is the type, `$E` its element, `$R` the result's type and `$I` the type with `i32`
//! elements, and `;` ends a line. Where the type is a vector, operands are broadcast and the last element
//! of `%r` is looked at. Expected values are worked out by hand, those of `math` and `complex` by Python. A line
//! `operation ! reason [| properties]` says why none of the engines is asked. The first line of an operation ends
//! with MLIR's layout of its properties in bytecode, if it has any, which `dialects/tests/it/bytecode/properties.rs`
//! holds the row against. Each property that may be absent and has a meaning is set by some case of the operation.
//!
//! Each snippet is a kernel of one thread, and runs on the interpreter, as SPIR-V and in the portable
//! profile. What comes out is right or refused, and `docs/operations.md` is what came out:
//! `GRIDLOOM_BLESS=1 cargo xtask test every_operation` writes it anew.

mod properties;

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use gridloom::dialects;
use gridloom::interp::{Fault, FaultKind};
use gridloom::ir::diag::Severity;
use gridloom::ir::op::OpDef;
use gridloom::values::parse_scalar;
use gridloom::{
    DeviceWish, Diagnostics, HostValue, OffloadOptions, Program, RunOptions, Session,
    SessionOptions,
};

use properties::{check_properties, optional};

/// The dialects of the table, with their operations.
fn dialects() -> [(&'static str, Vec<&'static OpDef>); 11] {
    use dialects::{affine, arith, cf, complex, gpu, index, math, memref, scf, ub, vector};
    let rows = [
        ("arith", vec![arith::OPS]),
        ("math", vec![math::OPS]),
        ("index", vec![index::OPS]),
        ("complex", vec![complex::OPS]),
        ("vector", vec![vector::OPS]),
        ("memref", vec![memref::OPS]),
        ("scf", vec![scf::OPS]),
        ("cf", vec![cf::OPS]),
        ("affine", vec![affine::OPS]),
        ("gpu", vec![gpu::OPS, gpu::sparse::OPS]),
        ("ub", vec![ub::OPS]),
    ];
    rows.map(|(name, tables)| (name, tables.into_iter().flatten().collect()))
}

const ENGINES: [&str; 3] = ["interpreter", "SPIR-V", "portable"];

/// A line of a dialect's file.
#[derive(Debug)]
enum Line {
    Case(Case),
    /// No engine is asked, for a reason.
    Without {
        op: String,
        why: String,
    },
}

/// A snippet and what it computes.
#[derive(Debug)]
struct Case {
    op: String,
    types: Vec<String>,
    operands: Vec<String>,
    expected: String,
    /// The result's element type, where it is not that of the operands.
    result: Option<String>,
    snippet: String,
    /// The properties of the operation that may be absent and have a meaning; of its first case.
    properties: Vec<String>,
}

impl Line {
    fn parse(line: &str) -> Option<Line> {
        if let Some((op, why)) = line.split_once(" ! ") {
            let why = why.split(" | ").next().unwrap_or(why);
            let (op, why) = (op.to_owned(), why.to_owned());
            return Some(Line::Without { op, why });
        }
        let [op, types, operands, expected, snippet] =
            <[&str; 5]>::try_from(line.split(" | ").take(5).collect::<Vec<_>>()).ok()?;
        let (expected, result) = match expected.split_once(" : ") {
            Some((value, ty)) => (value, Some(ty.to_owned())),
            None => (expected, None),
        };
        Some(Line::Case(Case {
            op: op.to_owned(),
            types: types.split(' ').map(str::to_owned).collect(),
            operands: operands.split(", ").map(str::to_owned).collect(),
            expected: expected.to_owned(),
            result,
            snippet: snippet.to_owned(),
            properties: line.split(" | ").nth(5).map_or_else(Vec::new, optional),
        }))
    }
}

/// Shape in front of the element type of `vector<2x3xf32>`, and that type; of a scalar type the empty shape.
fn parts(ty: &str) -> (&str, &str) {
    let inner = ty
        .strip_prefix("vector<")
        .and_then(|ty| ty.strip_suffix('>'));
    inner
        .and_then(|inner| inner.rsplit_once('x'))
        .unwrap_or(("", ty))
}

fn with_element(ty: &str, element: &str) -> String {
    match parts(ty) {
        ("", _) => element.to_owned(),
        (shape, _) => format!("vector<{shape}x{element}>"),
    }
}

impl Case {
    fn result_element<'a>(&'a self, ty: &'a str) -> &'a str {
        self.result.as_deref().unwrap_or(parts(ty).1)
    }

    /// The program for a type: a kernel of one thread.
    fn program(&self, ty: &str) -> String {
        let (shape, element) = parts(ty);
        let result = self.result_element(ty);
        let snippet = (self.snippet.replace(';', "\n"))
            .replace("$T", ty)
            .replace("$E", element)
            .replace("$R", &with_element(ty, result))
            .replace("$I", &with_element(ty, "i32"));
        let mut body = String::new();
        for (number, name) in ["a", "b", "c"].iter().enumerate() {
            let _ = writeln!(body, "%at{number} = arith.constant {number} : index");
            let scalar = if shape.is_empty() { "" } else { "_scalar" };
            let _ = writeln!(
                body,
                "%{name}{scalar} = memref.load %operands[%at{number}] : memref<3x{element}>"
            );
            if !shape.is_empty() {
                let _ = writeln!(
                    body,
                    "%{name} = vector.broadcast %{name}_scalar : {element} to {ty}"
                );
            }
        }
        let _ = writeln!(body, "%yes = arith.constant true\n{snippet}");
        let mut last = "%r";
        if !shape.is_empty() {
            let place: Vec<String> = (shape.split('x'))
                .map(|size| (size.parse::<i64>().expect("a static extent") - 1).to_string())
                .collect();
            let vector = with_element(ty, result);
            let place = place.join(", ");
            let _ = writeln!(
                body,
                "%last = vector.extract %r[{place}] : {result} from {vector}"
            );
            last = "%last";
        }
        format!(
            "memref.global constant @table : memref<4xi32> = dense<[10, 20, 30, 40]>\n\
             func.func @f(%operands: memref<3x{element}>, %out: memref<1x{result}>) {{\n\
             %one = arith.constant 1 : index\n\
             gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)\n\
             threads(%tx, %ty, %tz) in (%sx = %one, %sy = %one, %sz = %one) {{\n\
             {body}memref.store {last}, %out[%at0] : memref<1x{result}>\n\
             gpu.terminator\n}}\nreturn\n}}\n"
        )
    }

    /// Whether a result is the expected one: integers to the bit, floats within what their
    /// precision and the accuracy of a driver's functions leave.
    fn is_right(&self, result: &HostValue) -> bool {
        use gridloom::interp::ScalarKind;
        let bits = result.elements.get(0).expect("an element");
        let tolerance = match result.kind() {
            ScalarKind::Int(_) => {
                let expected = parse_scalar(&self.expected, result.kind(), result.unsigned);
                return expected.is_ok_and(|expected| expected == bits);
            }
            ScalarKind::BF16 => 2e-2,
            ScalarKind::F16 => 2e-3,
            ScalarKind::F32 => 1e-5,
            ScalarKind::F64 => 1e-6,
            // Formats of at most 8 bits: the cases have results that they represent.
            _ => 0.0,
        };
        let expected: f64 = self.expected.parse().expect("a float in the file of cases");
        let value = result.kind().to_f64(bits);
        expected.is_nan() && value.is_nan()
            || (value - expected).abs() <= tolerance * expected.abs().max(0.1)
    }
}

fn refusal(found: &Diagnostics) -> String {
    let mut errors = found
        .iter()
        .filter(|found| found.severity == Severity::Error);
    errors
        .next()
        .map_or_else(String::new, |first| first.message.clone())
}

/// A refusal without the names of this kernel and device.
fn general(why: &str, session: &Session) -> String {
    let device = session.device().map(|device| device.info().to_string());
    let why = match device {
        Some(name) => why
            .replace(&format!(" ({name})"), "")
            .replace(&name, "the device"),
        None => why.to_owned(),
    };
    let why = why.trim_start_matches("kernel 'f_kernel0' cannot run on the device: ");
    let lines: Vec<&str> = why
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    match lines[..] {
        [first, .., last] => format!("{first} … {last}"),
        _ => lines.concat(),
    }
}

fn fault(fault: &Fault) -> String {
    match &fault.kind {
        FaultKind::Unsupported(found) => refusal(found),
        _ => fault.to_diagnostic().message,
    }
}

/// Runs a case; the error is why the engine refuses it. What is neither right nor refused goes to `wrong`.
fn run(case: &Case, ty: &str, session: &Session, wrong: &mut Vec<String>) -> Result<(), String> {
    let ctx = gridloom::context();
    let text = case.program(ty);
    let module = match gridloom::parse(&ctx, "case.mlir", text.as_bytes()) {
        Ok(module) => module,
        Err(found) => {
            wrong.push(format!("{}\n{text}", found.render(&ctx)));
            return Ok(());
        }
    };
    let on_device = session.device().is_some();
    let options = OffloadOptions {
        require_device: on_device,
        ..session.offload_options()
    };
    let program = Program::compile(&ctx, module, None, on_device.then_some(&options));
    let program = program.map_err(|found| refusal(&found))?;
    let specs = ["zeros".parse(), "zeros".parse()].map(|spec| spec.expect("a fill"));
    let mut inputs = program.inputs(&specs, |_| Err(String::new()))?;
    for (number, word) in case.operands.iter().enumerate() {
        let (kind, unsigned) = (inputs[0].kind(), inputs[0].unsigned);
        let bits = parse_scalar(word, kind, unsigned).expect("an operand");
        inputs[0].elements.set(number, bits);
    }
    let options = RunOptions {
        require_device: on_device,
        ..RunOptions::default()
    };
    let outcome = program.run_with(session, &inputs, &options);
    let outcome = outcome.map_err(|found| fault(&found))?;
    let result = &outcome.arguments[1];
    if !case.is_right(result) {
        let shown = result.show(result.elements.get(0).expect("an element"));
        wrong.push(format!(
            "{} of {ty} is {shown}, not {}, on the {}\n{text}",
            case.op,
            case.expected,
            session.describe()
        ));
    }
    Ok(())
}

/// What an engine says to all cases of an operation and type: nothing, or why it refuses.
type Verdicts = [Result<(), String>; 3];

/// Outcomes of a dialect's cases, by operation and type in the order of the file.
fn verdicts(
    cases: &[Case],
    sessions: &[Session; 3],
    wrong: &mut Vec<String>,
) -> BTreeMap<String, Vec<(String, Verdicts)>> {
    let mut found: BTreeMap<String, Vec<(String, Verdicts)>> = BTreeMap::new();
    for case in cases {
        for ty in &case.types {
            let these = sessions
                .each_ref()
                .map(|session| run(case, ty, session, wrong).map_err(|why| general(&why, session)));
            let rows = found.entry(case.op.clone()).or_default();
            match rows.iter_mut().find(|row| row.0 == *ty) {
                Some(row) => {
                    for (all, this) in row.1.iter_mut().zip(these) {
                        *all = std::mem::replace(all, Ok(())).and(this);
                    }
                }
                None => rows.push((ty.clone(), these)),
            }
        }
    }
    found
}

/// A dialect's part of the page.
fn section(
    (name, ops): (&str, &[&'static OpDef]),
    lines: Vec<Line>,
    sessions: &[Session; 3],
    wrong: &mut Vec<String>,
) -> String {
    let mut cases = Vec::new();
    let mut without = BTreeMap::new();
    for line in lines {
        match line {
            Line::Case(case) => cases.push(case),
            Line::Without { op, why } => drop(without.insert(op, why)),
        }
    }
    let known: HashSet<&str> = ops.iter().map(|op| op.signature.name).collect();
    let named = cases.iter().map(|case| &case.op).chain(without.keys());
    for op in named {
        assert!(known.contains(&op[..]), "there is no operation '{op}'");
    }
    check_properties(&cases);
    let verdicts = verdicts(&cases, sessions, wrong);
    let mut text = format!(
        "\n## {name}\n\n| operation | types | {} |\n|---|---|---|---|---|\n",
        ENGINES.join(" | ")
    );
    let mut reasons: Vec<String> = Vec::new();
    let mut names: Vec<&str> = known.into_iter().collect();
    names.sort_unstable();
    for op in names {
        let short = op.strip_prefix(name).map_or(op, |rest| &rest[1..]);
        if let Some(why) = without.get(op) {
            let _ = writeln!(text, "| `{short}` | | not asked: {why} | | |");
            continue;
        }
        let rows = (verdicts.get(op)).unwrap_or_else(|| panic!("'{op}' has no case in the file"));
        for (types, verdict) in merged(rows) {
            let cells = verdict
                .each_ref()
                .map(|verdict| cell(verdict, &mut reasons));
            let _ = writeln!(text, "| `{short}` | {types} | {} |", cells.join(" | "));
        }
    }
    for (number, reason) in reasons.iter().enumerate() {
        let lead = if number == 0 { "\n" } else { "" };
        let _ = writeln!(text, "{lead}{}. {reason}", number + 1);
    }
    text
}

fn cell(verdict: &Result<(), String>, reasons: &mut Vec<String>) -> String {
    let Err(why) = verdict else {
        return "runs".to_owned();
    };
    let place = reasons.iter().position(|reason| reason == why);
    let place = place.unwrap_or_else(|| {
        reasons.push(why.clone());
        reasons.len() - 1
    });
    format!("refused ({})", place + 1)
}

/// Types of equal outcome, in one row.
fn merged(rows: &[(String, Verdicts)]) -> Vec<(String, &Verdicts)> {
    let mut merged: Vec<(String, &Verdicts)> = Vec::new();
    for (ty, verdict) in rows {
        match merged.iter_mut().find(|row| row.1 == verdict) {
            Some(row) => row.0 += &format!(", `{ty}`"),
            None => merged.push((format!("`{ty}`"), verdict)),
        }
    }
    merged
}

const HEAD: &str = "\
# Operations and engines

What each operation of the dialects that run does on each engine, as tried: every `runs` is a program that was run
and gave the value worked out by other means, every `refused` names the error below the table. A refused operation of
a kernel is no error of a run: the kernel runs on the interpreter, and a remark says why (`--require-device` makes it
an error). Types stand for their kind: `vector<4xf32>` for vectors that one register of a device holds, `vector<8xf32>`
for longer ones, `vector<2x3xf32>` for those of higher rank.

- *interpreter*: the machine, which runs host code and is the reference of `--check`;
- *SPIR-V*: kernels as Vulkan takes them, on lavapipe;
- *portable*: kernels as naga takes them (`--portable`), on lavapipe.

This page is written by the test that holds it true, `tests/it/operations.rs`; the programs lie in `tests/operations/`.
";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn sessions() -> [Session; 3] {
    let device = DeviceWish::Named("llvmpipe".to_owned());
    let open = |wish: &DeviceWish, portable: bool| {
        let options = SessionOptions {
            portable,
            ..SessionOptions::default()
        };
        Session::open(wish, options).expect("run the tests by `cargo xtask test`")
    };
    [
        open(&DeviceWish::Cpu, false),
        open(&device, false),
        open(&device, true),
    ]
}

#[test]
fn every_operation_runs_or_is_refused_as_documented() {
    let sessions = sessions();
    let mut wrong = Vec::new();
    let mut page = HEAD.to_owned();
    for (name, ops) in dialects() {
        let path = root().join(format!("tests/operations/{name}.txt"));
        let file = std::fs::read_to_string(&path).expect("a file for each dialect");
        let parse = |line| Line::parse(line).unwrap_or_else(|| panic!("{name}: '{line}'"));
        let lines = file.lines().map(parse).collect();
        page += &section((name, &ops), lines, &sessions, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let path = root().join("docs/operations.md");
    if std::env::var_os("GRIDLOOM_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = (committed.lines().zip(page.lines())).find(|(old, new)| old != new);
    assert!(
        committed == page,
        "docs/operations.md is not what comes out (GRIDLOOM_BLESS=1 writes it): {differs:#?}"
    );
}
