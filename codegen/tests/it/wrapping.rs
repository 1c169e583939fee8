//! What analyses say of index arithmetic near the ends of 64 bits, against
//! evaluation that wraps around as the machine does.

use std::collections::{HashMap, HashSet};

use gridloom_codegen::analysis::alias::Globals;
use gridloom_codegen::analysis::dependence::{Dependence, Dependences, Doubt, Scope};
use gridloom_codegen::analysis::parallel::{Reason, Verdict, verdict};
use gridloom_codegen::analysis::values::{AffineValues, Atom};
use gridloom_dialects::{affine, func};
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::text::{ParseOptions, parse_module};
use gridloom_ir::{AffineExpr, Body, Context, Module, OpId, OpName, Value};

use super::nests::Random;

fn parse(ctx: &Context, text: &str) -> Module {
    parse_module(ctx, "nest", text.as_bytes(), &ParseOptions::default())
        .unwrap_or_else(|errors| panic!("{}\n{text}", errors.render(ctx)))
}

fn function(module: &mut Module) -> &mut Body {
    let op = module
        .ops()
        .find(|(_, op)| op.name == func::FUNC)
        .map(|(op, _)| op);
    func::FuncOp(op.expect("a function")).body_mut(module.body_mut())
}

fn first_of(body: &Body, name: OpName) -> OpId {
    let ops = body.walk().into_iter();
    ops.into_iter()
        .find(|&op| body[op].name == name)
        .expect("one of that name")
}

/// What the machine computes: sums and products wrap around, divisions are of
/// the wrapped dividend.
fn wrapping(ctx: &Context, expr: AffineExpr, dims: &[i64], symbols: &[i64]) -> i64 {
    match expr.kind(ctx) {
        AffineExprKind::Constant(value) => value,
        AffineExprKind::Dim(i) => dims[i as usize],
        AffineExprKind::Symbol(i) => symbols[i as usize],
        AffineExprKind::Binary(op, l, r) => {
            let l = wrapping(ctx, l, dims, symbols);
            let r = wrapping(ctx, r, dims, symbols);
            match op {
                AffineOp::Add => l.wrapping_add(r),
                AffineOp::Mul => l.wrapping_mul(r),
                AffineOp::Mod => l.rem_euclid(r),
                AffineOp::FloorDiv => l.div_euclid(r),
                AffineOp::CeilDiv => l.div_euclid(r) + i64::from(l.rem_euclid(r) != 0),
            }
        }
    }
}

/// The value in unbounded integers; `None` where 128 bits do not hold it.
fn exact(ctx: &Context, expr: AffineExpr, atoms: &dyn Fn(u32) -> i64) -> Option<i128> {
    Some(match expr.kind(ctx) {
        AffineExprKind::Constant(value) => value.into(),
        AffineExprKind::Dim(i) => atoms(i).into(),
        AffineExprKind::Symbol(_) => unreachable!("expressions over atoms have no symbols"),
        AffineExprKind::Binary(op, l, r) => {
            let (l, r) = (exact(ctx, l, atoms)?, exact(ctx, r, atoms)?);
            match op {
                AffineOp::Add => l.checked_add(r)?,
                AffineOp::Mul => l.checked_mul(r)?,
                AffineOp::Mod => l.rem_euclid(r),
                AffineOp::FloorDiv => l.div_euclid(r),
                AffineOp::CeilDiv => -(-l).div_euclid(r),
            }
        }
    })
}

/// One of some numbers: small ones, and those where things wrap around.
fn number(random: &mut Random) -> i64 {
    const ALL: [i64; 13] = [
        0,
        1,
        -1,
        3,
        -7,
        64,
        1 << 31,
        1 << 40,
        -(1 << 40),
        1 << 62,
        i64::MAX,
        i64::MAX - 5,
        i64::MIN + 3,
    ];
    ALL[random.between(0, ALL.len() as i64 - 1) as usize]
}

/// An expression of `d0` and `s0` as text.
fn term(random: &mut Random, depth: u32) -> String {
    if depth == 0 {
        return match random.between(0, 2) {
            0 => "d0".to_owned(),
            1 => "s0".to_owned(),
            _ => number(random).to_string(),
        };
    }
    let inner = term(random, depth - 1);
    let positive = [2, 3, 8, 1i64 << 33][random.between(0, 3) as usize];
    match random.between(0, 5) {
        0 | 1 => format!("({inner} + {})", term(random, depth - 1)),
        2 => format!("({inner} * {})", number(random)),
        3 => format!("({inner} floordiv {positive})"),
        4 => format!("({inner} ceildiv {positive})"),
        _ => format!("({inner} mod {positive})"),
    }
}

#[test]
fn what_fits_is_what_the_machine_computes() {
    let (mut fitting, mut others, mut congruent) = (0, 0, 0);
    for seed in 0..1200 {
        let random = &mut Random::new(seed);
        let (least, most) = {
            let ends = [number(random), number(random)];
            (ends[0].min(ends[1]), ends[0].max(ends[1]))
        };
        let lower = number(random).min(i64::MAX - 64);
        let upper = lower + 1 + random.between(0, 59);
        let (first, second) = (term(random, 2), term(random, 2));
        let text = format!(
            "func.func @f(%s: index) {{
               %l = arith.constant {least} : index
               %m = arith.constant {most} : index
               %0 = arith.cmpi sge, %s, %l : index
               %1 = arith.cmpi sle, %s, %m : index
               %2 = arith.andi %0, %1 : i1
               scf.if %2 {{
                 affine.for %i = {lower} to {upper} {{
                   %v = affine.apply affine_map<(d0)[s0] -> ({first})>(%i)[%s]
                   %w = affine.apply affine_map<(d0, d1)[s0] -> ({second} + d1)>(%i, %v)[%s]
                   affine.for %j = %w to 7 {{ }}
                 }}
               }}
               return
             }}"
        );
        let ctx = gridloom_dialects::context();
        let mut module = parse(&ctx, &text);
        let body = function(&mut module);
        let applies: Vec<OpId> = body
            .walk()
            .into_iter()
            .filter(|&op| body[op].name == affine::APPLY)
            .collect();
        let inner = body
            .walk()
            .into_iter()
            .filter(|&op| body[op].name == affine::FOR)
            .nth(1);
        let inner = inner.expect("two loops");
        let outer = first_of(body, affine::FOR);
        let counter = affine::ForOp(outer).induction_var(body);
        let parameter = body[body.entry().expect("a body")].args[0];
        let mut values = AffineValues::new(&ctx, body);
        let env = values.environment_at(inner);
        let results = applies.iter().map(|&op| body[op].result(0));
        let exprs: Vec<(Value, AffineExpr)> = results.map(|v| (v, values.expr(v))).collect();
        for i in [lower, lower + 1, upper - 1]
            .into_iter()
            .filter(|i| *i < upper)
        {
            for s in [least, least.saturating_add(1).min(most), most] {
                // The machine runs both operations in turn.
                let mut known: HashMap<Value, i64> = HashMap::from([(counter, i), (parameter, s)]);
                for &op in &applies {
                    let apply = affine::ApplyOp(op);
                    let map = apply.map(&ctx, body);
                    let operands: Vec<i64> =
                        apply.operands(body).iter().map(|v| known[v]).collect();
                    let (dims, symbols) = operands.split_at(map.num_dims(&ctx));
                    let value = wrapping(&ctx, map.results(&ctx)[0], dims, symbols);
                    known.insert(body[op].result(0), value);
                }
                for &(value, expr) in &exprs {
                    let atom = |number: u32| match values.atom(number) {
                        Atom::Value(value) => known[&value],
                        other => panic!("{other:?} is not in the program"),
                    };
                    let Some(whole) = exact(&ctx, expr, &atom) else {
                        continue;
                    };
                    assert_eq!(
                        whole as i64, known[&value],
                        "modulo 2^64, seed {seed}, i = {i}, s = {s}\n{text}"
                    );
                    congruent += 1;
                    let interval = values.interval(expr, env);
                    let holds = interval.is_none_or(|v| v.least <= whole && whole <= v.most);
                    assert!(holds, "{whole} in {interval:?}, seed {seed}\n{text}");
                    match values.fits(expr, env) {
                        true => {
                            assert_eq!(whole, i128::from(known[&value]), "seed {seed}\n{text}");
                            fitting += 1;
                        }
                        false => others += 1,
                    }
                }
            }
        }
    }
    println!("{fitting} fit, {others} may not, {congruent} in all");
    assert!(fitting > 1000 && others > 1000, "both answers occur");
}

#[test]
fn loops_called_parallel_touch_no_element_twice_where_indices_wrap() {
    let (mut parallel, mut sequential) = (0, 0);
    for seed in 0..1500 {
        let random = &mut Random::new(seed);
        let step = [1i64, 2, 1 << 40, 1 << 58, 1 << 61, i64::MAX][random.between(0, 5) as usize];
        let lower = number(random);
        let count = i128::from(random.between(1, 20));
        let last = i128::from(lower) + i128::from(step) * count;
        let upper = i64::try_from(last).unwrap_or(i64::MAX);
        let factor =
            [1i64, -1, 2, 1 << 32, 1 << 59, 1 << 62, i64::MIN + 1][random.between(0, 6) as usize];
        let subscript = match random.between(0, 2) {
            0 => format!("d0 * {factor}"),
            1 => format!("d0 * {factor} + {}", number(random)),
            _ => format!(
                "(d0 * {factor} + {}) floordiv {}",
                number(random),
                1i64 << 57
            ),
        };
        let text = format!(
            "func.func @f(%a: memref<256xi32>, %x: i32) {{
               affine.for %i = {lower} to {upper} step {step} {{
                 %k = affine.apply affine_map<(d0) -> ({subscript})>(%i)
                 memref.store %x, %a[%k] : memref<256xi32>
               }}
               return
             }}"
        );
        let ctx = gridloom_dialects::context();
        let mut module = parse(&ctx, &text);
        let body = function(&mut module);
        let op = first_of(body, affine::FOR);
        let map = affine::ApplyOp(first_of(body, affine::APPLY)).map(&ctx, body);
        let mut touched = HashSet::new();
        let mut is_twice = false;
        let mut i = i128::from(lower);
        while i < i128::from(upper) {
            let index = wrapping(&ctx, map.results(&ctx)[0], &[i as i64], &[]);
            is_twice |= (0..256).contains(&index) && !touched.insert(index);
            i += i128::from(step);
        }
        let globals = Globals::default();
        let mut deps = Dependences::new(&ctx, body, &globals);
        match verdict(&mut deps, op).is_parallel() {
            true => {
                assert!(!is_twice, "seed {seed}\n{text}");
                parallel += 1;
            }
            false => sequential += 1,
        }
    }
    println!("{parallel} parallel, {sequential} sequential");
    assert!(parallel > 200 && sequential > 50, "both answers occur");
}

/// The reason why the first loop of a program is sequential.
fn reason(text: &str, left: Option<u64>) -> Reason {
    let ctx = gridloom_dialects::context();
    let mut module = parse(&ctx, text);
    let body = function(&mut module);
    let op = first_of(body, affine::FOR);
    let globals = Globals::default();
    let mut deps = Dependences::new(&ctx, body, &globals);
    if let Some(left) = left {
        deps.limit_work(left);
    }
    match verdict(&mut deps, op) {
        Verdict::Sequential(reason) => reason,
        Verdict::Parallel => panic!("parallel:\n{text}"),
    }
}

fn doubt(reason: &Reason) -> Option<Doubt> {
    match reason {
        Reason::Dependence {
            dependence: Dependence::Dependent { doubt, .. },
            ..
        } => *doubt,
        _ => panic!("{reason:?} is no dependence"),
    }
}

const ROWS: &str = "func.func @f(%a: memref<8x8xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 7 {
      %x = affine.load %a[%i, %j] : memref<8x8xf32>
      affine.store %x, %a[%j, %i] : memref<8x8xf32>
    }
  }
  return
}";

#[test]
fn without_work_left_the_answer_is_that_the_budget_is_used_up() {
    assert_eq!(doubt(&reason(ROWS, Some(0))), Some(Doubt::Budget));
    assert_eq!(doubt(&reason(ROWS, None)), None);
    let reason = reason(ROWS, Some(0));
    let ctx = gridloom_dialects::context();
    let mut module = parse(&ctx, ROWS);
    let body = function(&mut module);
    let remark = reason.remark(body, gridloom_ir::Loc::UNKNOWN, "this loop nest");
    assert!(
        remark.message.contains("exceeded its limit of work"),
        "{}",
        remark.message
    );
}

/// A chain of applications that use their operand twice: as trees, the
/// expressions would double with every link.
fn chain(links: usize) -> String {
    let mut text =
        "func.func @f(%a: memref<400xf32>, %x: f32) {\naffine.for %v0 = 0 to 4 {\n".to_owned();
    for k in 1..=links {
        let (before, by) = (k - 1, k + 2);
        text += &format!(
            "%v{k} = affine.apply affine_map<(d0, d1) -> ((d0 + d1) mod {by} + d0 floordiv 2)>(%v{before}, %v{before})\n"
        );
    }
    text + &format!("memref.store %x, %a[%v{links}] : memref<400xf32>\n}}\nreturn\n}}")
}

#[test]
fn chains_of_applications_take_bounded_work() {
    for links in [8, 60, 400] {
        let ctx = gridloom_dialects::context();
        let text = chain(links);
        let mut module = parse(&ctx, &text);
        let body = function(&mut module);
        let op = first_of(body, affine::FOR);
        let globals = Globals::default();
        let mut deps = Dependences::new(&ctx, body, &globals);
        // Whatever the answer is: it comes from few questions.
        let _ = verdict(&mut deps, op);
        assert!(
            deps.work_done() < 20_000_000,
            "{links} links: {}",
            deps.work_done()
        );
    }
}

#[test]
fn a_dependence_is_claimed_only_where_iterations_that_meet_are_known() {
    // The product of two numbers is not known to the analysis.
    let unknown = "func.func @f(%a: memref<64xf32>, %x: f32, %n: index) {
      affine.for %i = 0 to 64 {
        %k = arith.muli %i, %n : index
        memref.store %x, %a[%k] : memref<64xf32>
      }
      return
    }";
    assert!(matches!(
        doubt(&reason(unknown, None)),
        Some(Doubt::Value(Some(_)))
    ));
    let ctx = gridloom_dialects::context();
    let mut module = parse(&ctx, unknown);
    let body = function(&mut module);
    let op = first_of(body, affine::FOR);
    let globals = Globals::default();
    let mut deps = Dependences::new(&ctx, body, &globals);
    let accesses = gridloom_codegen::analysis::parallel::distinct_accesses(&mut deps, op);
    let [store] = &accesses[..] else {
        panic!("one access, not {accesses:?}");
    };
    let found = deps.explain(Scope::AcrossIterations(op), store, store);
    assert!(
        matches!(
            found,
            Dependence::Dependent {
                proved: false,
                distance: (None, None),
                ..
            }
        ),
        "{found:?}"
    );
}
