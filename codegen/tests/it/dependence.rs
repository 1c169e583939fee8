//! The dependence analysis and the range proofs against enumeration.

use gridloom_codegen::analysis::alias::Globals;
use gridloom_codegen::analysis::bounds::mark_in_range;
use gridloom_codegen::analysis::dependence::Dependences;
use gridloom_codegen::analysis::parallel::verdict;
use gridloom_dialects::{affine, func, gridloom};
use gridloom_ir::text::{ParseOptions, parse_module};
use gridloom_ir::{Body, Context, Module, OpId};

use super::nests::{Nest, Random};

const NESTS: u64 = 1500;

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

fn of_names(body: &Body, names: &[gridloom_ir::OpName]) -> Vec<OpId> {
    let ops = body.walk().into_iter();
    ops.filter(|&op| names.contains(&body[op].name)).collect()
}

#[test]
fn loops_called_parallel_have_no_conflicts_and_few_others_are_missed() {
    let (mut parallel, mut missed, mut sequential) = (0, 0, 0);
    for seed in 0..NESTS {
        let nest = Nest::random(&mut Random::new(seed));
        let enumerated = nest.run();
        let ctx = gridloom_dialects::context();
        let mut module = parse(&ctx, &nest.text_of_distinct_arrays());
        let body = function(&mut module);
        let globals = Globals::default();
        let mut deps = Dependences::new(&ctx, body, &globals);
        let loops = of_names(body, &[affine::FOR]);
        assert_eq!(loops.len(), nest.loops);
        for (id, &op) in loops.iter().enumerate() {
            let is_parallel = verdict(&mut deps, op).is_parallel();
            let carries = enumerated.carrying_loops.contains(&id);
            assert!(
                !(is_parallel && carries),
                "seed {seed}: loop {id} is called parallel but carries a dependence\n{}",
                nest.text()
            );
            match (is_parallel, carries) {
                (true, _) => parallel += 1,
                (false, true) => sequential += 1,
                (false, false) => missed += 1,
            }
        }
    }
    println!("{parallel} parallel, {sequential} sequential, {missed} parallel but not proved");
    assert!(
        parallel > 500 && sequential > 500,
        "the nests exercise both answers"
    );
    assert!(
        missed * 100 <= parallel,
        "the analysis is exact on nearly all of these nests"
    );
}

#[test]
fn accesses_marked_in_range_never_leave_and_few_others_are_missed() {
    let (mut proved, mut missed, mut leaving) = (0, 0, 0);
    for seed in 0..NESTS {
        let nest = Nest::random(&mut Random::new(seed));
        let enumerated = nest.run();
        let ctx = gridloom_dialects::context();
        let mut module = parse(&ctx, &nest.text());
        let body = function(&mut module);
        mark_in_range(&ctx, body);
        let accesses = of_names(body, &[affine::LOAD, affine::STORE]);
        assert_eq!(accesses.len(), nest.accesses);
        for (&op, id) in accesses.iter().zip(nest.order()) {
            let marked = gridloom::is_in_bounds(&ctx, &body[op]);
            let leaves = enumerated.leaving_accesses.contains(&id);
            assert!(
                !(marked && leaves),
                "seed {seed}: access {id} leaves\n{}",
                nest.text()
            );
            match (marked, leaves) {
                (true, _) => proved += 1,
                (false, true) => leaving += 1,
                (false, false) => missed += 1,
            }
        }
    }
    println!("{proved} proved, {leaving} leaving, {missed} in range but not proved");
    assert!(
        proved > 500 && leaving > 500,
        "the nests exercise both answers"
    );
    assert!(
        missed * 100 <= proved,
        "the proofs succeed on nearly all of these nests"
    );
}

/// A nest in steps of `step` that copies tiles of 18 by 18 elements, element by element, from `columns` columns to the
/// right in the same memref.
fn unrolled_tiles(step: usize, columns: usize) -> String {
    let (mut loads, mut stores) = (String::new(), String::new());
    for (p, q) in (0..18).flat_map(|p| (0..18).map(move |q| (p, q))) {
        let source = q + columns;
        loads +=
            &format!("%v{p}_{q} = affine.load %a[%i + {p}, %j + {source}] : memref<200x400xf32>\n");
        stores +=
            &format!("affine.store %v{p}_{q}, %a[%i + {p}, %j + {q}] : memref<200x400xf32>\n");
    }
    format!(
        "func.func @tiles(%a: memref<200x400xf32>) {{
        affine.for %i = 0 to 180 step {step} {{
        affine.for %j = 0 to 180 step {step} {{
        {loads}{stores}
        }} }}
        return }}"
    )
}

#[test]
fn unrolled_tiles_are_compared_as_boxes() {
    let is_parallel = |step, columns| -> Vec<bool> {
        let ctx = gridloom_dialects::context();
        let mut module = parse(&ctx, &unrolled_tiles(step, columns));
        let body = function(&mut module);
        let globals = Globals::default();
        let mut deps = Dependences::new(&ctx, body, &globals);
        let loops = of_names(body, &[affine::FOR]).into_iter();
        loops
            .map(|op| verdict(&mut deps, op).is_parallel())
            .collect()
    };
    assert_eq!(is_parallel(18, 200), [true, true], "tiles are apart");
    assert_eq!(
        is_parallel(17, 200),
        [false, false],
        "tiles overlap by a row and a column"
    );
    assert_eq!(
        is_parallel(18, 18),
        [true, false],
        "the next tile of the row is read"
    );
    assert_eq!(is_parallel(18, 0), [true, true], "each tile reads itself");
}
