//! What the fuzzer's own parts promise.

use gridloom_fuzz::affine::Expr;
use gridloom_fuzz::check::{load, passes};
use gridloom_fuzz::eval::{RACE, evaluate};
use gridloom_fuzz::generate::generate;
use gridloom_fuzz::print::print;
use gridloom_fuzz::program::{
    At, Bin, Block, Bound, Function, Input, Op, Program, Step, Stmt, Var,
};
use gridloom_fuzz::reduce::reduce;
use gridloom_fuzz::repair::repaired;
use gridloom_fuzz::types::{MemType, Scalar, Type};
use std::collections::HashSet;

/// `for i in 0..4 { a[write(i)] = a[read(i)] + 1 }`, parallel or not.
fn loop_over(parallel: bool, read: i64, write: impl Fn(Expr) -> Expr) -> Program {
    let mut program = Program::default();
    let ty = MemType::of(Scalar::I32, &[8]);
    let a = program.var(Type::MemRef(ty));
    let index = program.var(Type::Scalar(Scalar::Index));
    let [loaded, one, sum] = [0; 3].map(|_| program.var(Type::Scalar(Scalar::I32)));
    let at = |expr| At::Affine(vec![expr]);
    let body = [
        (
            vec![loaded],
            Op::Load {
                mem: a,
                at: at(Expr::Dim(index).plus(read)),
            },
        ),
        (vec![one], Op::Const(1)),
        (vec![sum], Op::Bin(Bin::AddI, loaded, one)),
        (
            vec![],
            Op::Store {
                value: sum,
                mem: a,
                at: at(write(Expr::Dim(index))),
            },
        ),
    ];
    let stmts: Vec<Stmt> = body
        .into_iter()
        .map(|(results, op)| program.stmt(results, op))
        .collect();
    let body = Block {
        stmts,
        yields: Vec::new(),
    };
    let (lower, upper) = (
        Bound::Affine(vec![Expr::Const(0)]),
        Bound::Affine(vec![Expr::Const(4)]),
    );
    let op = if parallel {
        Op::Parallel {
            affine: true,
            ivs: vec![index],
            lower: vec![lower],
            upper: vec![upper],
            steps: vec![Step::Known(1)],
            reductions: Vec::new(),
            body,
        }
    } else {
        Op::For {
            affine: true,
            iv: index,
            lower,
            upper,
            step: Step::Known(1),
            carried: Vec::new(),
            body,
        }
    };
    let stmt = program.stmt(Vec::new(), op);
    program.functions.push(Function {
        name: "main".to_owned(),
        public: true,
        params: vec![a],
        body: Block {
            stmts: vec![stmt],
            yields: Vec::new(),
        },
    });
    program.inputs.push(Input::MemRef {
        sizes: vec![8],
        elements: (0..8).collect(),
    });
    program
}

#[test]
fn sequential_loops_carry_values() {
    let outcome = evaluate(&loop_over(false, 0, |i| i.plus(1))).unwrap();
    assert_eq!(outcome.arguments[0], [0, 1, 2, 3, 4, 5, 6, 7]);
    let shifted = evaluate(&loop_over(false, 1, |i| i)).unwrap();
    assert_eq!(shifted.arguments[0], [2, 3, 4, 5, 4, 5, 6, 7]);
}

#[test]
fn iterations_that_meet_are_a_race() {
    let run_loop = |read, write: fn(Expr) -> Expr| evaluate(&loop_over(true, read, write));
    assert!(run_loop(0, |i| i).is_ok());
    assert!(run_loop(4, |i| i).is_ok(), "what is read is not written");
    assert_eq!(run_loop(1, |i| i).unwrap_err().why, RACE);
    assert_eq!(run_loop(0, |i| i.times(0)).unwrap_err().why, RACE);
}

#[test]
fn accesses_beyond_the_array_have_no_meaning() {
    let found = evaluate(&loop_over(false, 5, |i| i)).unwrap_err();
    assert_eq!(found.why, "access out of range");
}

#[test]
fn a_wrong_result_is_seen_and_made_small() {
    let (program, expected) = (1..)
        .find_map(|seed| {
            let found = repaired(generate(seed))?;
            found
                .1
                .arguments
                .first()
                .is_some_and(|a| !a.is_empty())
                .then_some(found)
        })
        .unwrap();
    let ctx = gridloom::context();
    let loaded = load(&ctx, &print(&program)).unwrap();
    assert_eq!(passes(&loaded, &program, &expected, &[], 1), Ok(()));
    let mut wrong = expected.clone();
    wrong.arguments[0][0] ^= 1;
    let failure = passes(&loaded, &program, &wrong, &[], 1).unwrap_err();
    assert!(failure.kind.starts_with("wrong"), "{failure:?}");

    // A program that stores is enough of a failure here.
    let stores = |program: &Program| {
        let mut program = program.clone();
        let mut found = false;
        for function in &mut program.functions {
            function.body.visit(&mut |block| {
                found |= block
                    .stmts
                    .iter()
                    .any(|stmt| matches!(stmt.op, Op::Store { .. }));
            });
        }
        found
    };
    let small = reduce(program, &mut |program| {
        evaluate(program).is_ok() && stores(program)
    });
    let text = print(&small);
    assert!(text.lines().count() < 12, "{text}");
}

#[test]
fn programs_hold_every_kind_of_operation() {
    let mut found = HashSet::new();
    // One in some 250 programs collapses dimensions.
    for seed in 1..1000 {
        let Some((mut program, _)) = repaired(generate(seed)) else {
            continue;
        };
        let mut kinds = Vec::new();
        for function in &mut program.functions {
            function.body.visit(&mut |block| {
                let names = block.stmts.iter().map(|stmt| format!("{:?}", stmt.op));
                kinds.extend(names.map(|name| {
                    let end = name.find(|c: char| !c.is_alphanumeric());
                    name[..end.unwrap_or(name.len())].to_owned()
                }));
            });
        }
        found.extend(kinds);
    }
    for kind in [
        "Const",
        "Bin",
        "NegF",
        "CmpI",
        "CmpF",
        "Select",
        "Cast",
        "Apply",
        "Extremum",
        "Load",
        "Store",
        "For",
        "Parallel",
        "If",
        "While",
        "Branch",
        "Cycle",
        "Call",
        "Alloc",
        "Dealloc",
        "GetGlobal",
        "Dim",
        "Copy",
        "MemCast",
        "SubView",
        "Reinterpret",
        "Transpose",
        "Collapse",
        "Expand",
        "ByteView",
    ] {
        assert!(found.contains(kind), "no program has {kind}");
    }
}

#[test]
fn a_seed_is_a_program() {
    let text = |seed| print(&generate(seed));
    assert_eq!(text(7), text(7));
    assert_ne!(text(7), text(8));
    // Each value is defined once.
    let program = generate(7);
    let mut defined: HashSet<Var> = HashSet::new();
    for mut function in program.functions {
        function.body.visit(&mut |block| {
            for stmt in &block.stmts {
                assert!(stmt.results.iter().all(|&var| defined.insert(var)));
            }
        });
    }
}
