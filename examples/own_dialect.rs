//! A dialect of a program's own: `sat`, saturating bytes.
//!
//! Its rows have what those of gridloom's dialects have: declared forms, a type and an attribute
//! with parameters, a verifier, a folder, what the interpreter computes, and a canonicalization.

use gridloom::codegen::pass::Pipeline;
use gridloom::dialects::{self, arith};
use gridloom::ir::constraints::{INTEGER, attr, follows, one};
use gridloom::ir::fold::{FoldCx, Folded};
use gridloom::ir::op::{
    AttrConstraint, OpDef, RowTraits, Storage, Traits, TypeConstraint, TypeRule,
};
use gridloom::ir::scalar::Computation;
use gridloom::ir::symbols::{Parameter, SymbolDef, Symbols};
use gridloom::ir::text::{PrintOptions, print_module};
use gridloom::ir::{Attr, Context, Dialect, DialectRegistry, OpId, Type};
use gridloom::rewrite::{canonicalize::Rules, rewriter::Rewriter};
use gridloom::{DeviceWish, Elements, Program, Session, SessionOptions};

const BYTE: TypeConstraint =
    TypeConstraint::new("8-bit integer", |c, t| t.signless_width(c) == Some(8));
const BOX: TypeConstraint = TypeConstraint::new("box", |c, t| t.params(c, "sat", "box").is_some());
const RANGE: AttrConstraint = AttrConstraint {
    summary: "range of bytes",
    storage: Storage::Exact,
    check: |c, a| a.params(c, "sat", "range").is_some(),
};
const HOLDS: &[TypeRule] = &[follows("value", "box", inside, "a box holds its type")];
const BOUND: Parameter = Parameter::Integer("a byte");

static SYMBOLS: Symbols = Symbols {
    dialect: "sat",
    types: &[SymbolDef::list("box", &[Parameter::Type])],
    attrs: &[SymbolDef::list("range", &[BOUND, BOUND])],
};

static OPS: &[OpDef] = &[
    OpDef::new("sat.add")
        .operands(&[one("lhs", BYTE), one("rhs", BYTE)])
        .results(&[one("sum", BYTE)])
        .with_row(RowTraits::SAME_OPERANDS_AND_RESULT_TYPE)
        .format("$lhs `,` $rhs attr-dict `:` type($sum)")
        .computes(Computation::Words(|bytes| {
            bytes.iter().sum::<u64>().min(255)
        })),
    OpDef::new("sat.clamp")
        .operands(&[one("value", BYTE)])
        .results(&[one("clamped", BYTE)])
        .attrs(&[attr("range", RANGE)])
        .with_row(RowTraits::SAME_OPERANDS_AND_RESULT_TYPE.with(Traits::PURE.in_row()))
        .format("$value `:` type($clamped) `in` $range attr-dict")
        .verify_kind(|check| {
            let [low, high] = range(check.ctx(), check.data().attr(check.ctx(), "range"));
            let bytes = 0 <= low && low <= high && high <= 255;
            check.ensure(bytes, format_args!("{low} to {high} is no range of bytes"))
        }),
    OpDef::new("sat.box")
        .operands(&[one("value", INTEGER)])
        .results(&[one("box", BOX)])
        .with(Traits::PURE)
        .infer(HOLDS)
        .format("$value attr-dict `:` type($box)"),
    OpDef::new("sat.unbox")
        .operands(&[one("box", BOX)])
        .results(&[one("value", INTEGER)])
        .with(Traits::PURE)
        .infer(HOLDS)
        .format("$box attr-dict `:` type($box)")
        .fold(unbox_box),
];

/// The ends of a `#sat.range`.
fn range(ctx: &Context, attr: Option<Attr>) -> [i64; 2] {
    let params = attr.and_then(|attr| attr.params(ctx, "sat", "range"));
    let end = |index: usize| params.and_then(|params| params.get(index)?.as_i64(ctx));
    [0, 1].map(|index| end(index).unwrap_or(0))
}

fn inside(ctx: &Context, holder: Type) -> Option<Type> {
    holder.params(ctx, "sat", "box")?.first()?.as_type(ctx)
}

/// `unbox(box(x)) ⇒ x`
fn unbox_box(cx: &FoldCx) -> Option<Folded> {
    let boxed = cx.maker(cx.data().operands[0], cx.ctx.op_name("sat.box"))?;
    cx.value(boxed.operands[0])
}

/// `clamp(x, low, high) ⇒ minui(maxui(x, low), high)`
fn expand_clamp(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let (value, ty) = (rw.body()[op].operands[0], rw.look(op).result_type(0));
    let [low, high] = range(rw.ctx, rw.body()[op].attr(rw.ctx, "range"));
    let low = rw.splat(low as u64, ty, op)?;
    let high = rw.splat(high as u64, ty, op)?;
    let raised = rw.make(op, arith::MAXUI, &[value, low], ty);
    rw.remake(op, arith::MINUI, &[raised, high]);
    Some(())
}

/// The dialects of gridloom, and `sat`.
pub fn registry() -> DialectRegistry {
    let mut registry = dialects::registry();
    let added = registry.register(&Dialect::new(&SYMBOLS, OPS));
    added.expect("the rows are named `sat.…`, and no other dialect is");
    let mut rules = Rules::default();
    rules.add("sat.clamp", expand_clamp);
    registry.attach(rules);
    registry
}

/// Adds 60 and 120 to each byte, in between held to 70 up to 250.
pub const PROGRAM: &str = "
func.func @main(%x: memref<3xi8>) {
  affine.for %i = 0 to 3 {
    %v = affine.load %x[%i] : memref<3xi8>
    %c = arith.constant 60 : i8
    %sum = sat.add %v, %c : i8
    %constant = sat.add %c, %c : i8
    %box = sat.box %sum : !sat.box<i8>
    %value = sat.unbox %box : !sat.box<i8>
    %clamped = sat.clamp %value : i8 in #sat.range<70, 250>
    %all = sat.add %clamped, %constant : i8
    affine.store %all, %x[%i] : memref<3xi8>
  }
  return
}";

/// The canonical program, and what it makes of 0, 100, 200 on the interpreter.
pub fn run() -> Result<(String, Vec<u64>), Box<dyn std::error::Error>> {
    let ctx = Context::new(registry());
    let shown = |found: gridloom::Diagnostics| format!("{found:?}");
    let mut module = gridloom::parse(&ctx, "sat.mlir", PROGRAM.as_bytes()).map_err(shown)?;
    let pipeline = Pipeline::parse("builtin.module(func.func(canonicalize))")?;
    pipeline.run(&ctx, &mut module, &mut ()).map_err(shown)?;
    let text = print_module(&ctx, &module, &PrintOptions::default());
    let program = Program::compile(&ctx, module, None, None).map_err(shown)?;
    let session = Session::open(&DeviceWish::Cpu, SessionOptions::default())?;
    let mut inputs = program.inputs(&["zeros".parse()?], |path| Err(path.into()))?;
    inputs[0].elements = Elements::from_bits(inputs[0].kind(), [0, 100, 200]);
    let outcome = program.run(&session, &inputs);
    let outcome = outcome.map_err(|fault| format!("{fault:?}"))?;
    Ok((text, outcome.arguments[0].elements.iter().collect()))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (text, bytes) = run()?;
    println!("{text}{bytes:?}");
    Ok(())
}
