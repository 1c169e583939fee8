//! Calls of functions that say what they touch.

use gridloom_codegen::analysis::alias::Globals;
use gridloom_codegen::analysis::dependence::Dependences;
use gridloom_codegen::analysis::parallel::{Reason, Verdict, verdict};
use gridloom_dialects::{affine, func};
use gridloom_ir::text::{ParseOptions, parse_module};

/// The verdict on each loop of the function with a body, outermost first.
fn verdicts(text: &str) -> Vec<Verdict> {
    let ctx = gridloom_dialects::context();
    let module = parse_module(&ctx, "test", text.as_bytes(), &ParseOptions::default());
    let module = module.unwrap_or_else(|errors| panic!("{}", errors.render(&ctx)));
    let errors = gridloom_ir::verify::verify(&ctx, &module);
    assert!(errors.is_empty(), "{}", errors.render(&ctx));
    let globals = Globals::of(&ctx, &module);
    let bodies = module.ops().filter(|(_, op)| op.name == func::FUNC);
    let body = bodies.filter_map(|(_, op)| op.isolated());
    let body = body.into_iter().find(|body| body.entry().is_some());
    let body = body.expect("a function has a body");
    let mut deps = Dependences::new(&ctx, body, &globals);
    let loops = body.walk().into_iter();
    let loops = loops.filter(|&op| body[op].name == affine::FOR);
    loops.map(|op| verdict(&mut deps, op)).collect()
}

fn parallel(text: &str) -> Vec<bool> {
    verdicts(text).iter().map(Verdict::is_parallel).collect()
}

/// A loop over `%i` that calls `@step(%a, %b, %i, %n)` with these clauses, on
/// two memrefs that share no element.
fn stepping(clauses: &str, arguments: &str) -> String {
    format!(
        "func @step(%a: memref<?xf32>, %b: memref<?xf32>, %i: index, %n: index)\n  {clauses}\n\
         func @f(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {{\n\
           %a, %b = memref.distinct_objects %x, %y : memref<?xf32>, memref<?xf32>\n\
           for %i = 0 to %n {{\n\
             call @step({arguments}) : (memref<?xf32>, memref<?xf32>, index, index) -> ()\n\
           }}\n\
           return\n\
         }}\n"
    )
}

const OWN_ELEMENT: &str = "reads: {%a (d0) -> (r0) : d0 - 1 <= r0 <= d0 + 1 (%i)} \
     writes: {%b (d0) -> (r0) : r0 == d0 (%i)} may_reads: may_writes:";

#[test]
fn sets_prove_a_loop_parallel() {
    assert_eq!(parallel(&stepping(OWN_ELEMENT, "%a, %b, %i, %n")), [true]);
}

#[test]
fn sets_tell_what_ties_iterations() {
    // Each call reads what its neighbours write.
    let verdicts = verdicts(&stepping(OWN_ELEMENT, "%b, %b, %i, %n"));
    let [Verdict::Sequential(Reason::Dependence { dependence, .. })] = &verdicts[..] else {
        panic!("{verdicts:?}");
    };
    assert!(
        format!("{dependence:?}").contains("proved: true"),
        "{dependence:?}"
    );
}

#[test]
fn without_all_four_sets_a_call_is_unknown() {
    for clauses in [
        "",
        "reads: {} writes: {} may_reads:",
        "writes: {%b (d0) -> (r0) : r0 == d0 (%i)}",
    ] {
        let verdicts = verdicts(&stepping(clauses, "%a, %b, %i, %n"));
        assert!(
            matches!(verdicts[..], [Verdict::Sequential(Reason::Opaque(_))]),
            "{clauses}: {verdicts:?}"
        );
    }
}

#[test]
fn what_may_be_written_counts_as_written_but_proves_nothing() {
    let clauses = "reads: writes: may_reads: may_writes: {%b () -> (r0) : r0 == 3 ()}";
    let verdicts = verdicts(&stepping(clauses, "%a, %b, %i, %n"));
    let [Verdict::Sequential(Reason::Dependence { dependence, .. })] = &verdicts[..] else {
        panic!("{verdicts:?}");
    };
    assert!(
        format!("{dependence:?}").contains("proved: false"),
        "{dependence:?}"
    );
}

#[test]
fn reads_alone_tie_nothing() {
    let clauses = "reads: {%a () -> (r0) : r0 >= 0 ()} writes: {} may_reads: may_writes:";
    assert_eq!(parallel(&stepping(clauses, "%a, %b, %i, %n")), [true]);
}

#[test]
fn tiles_are_told_apart_by_symbols() {
    // Call %i writes the elements 4 %i to 4 %i + 3, or up to 4 %i + 4.
    let clauses = |last: u32| {
        format!(
            "reads: writes: {{%b (d0) -> (r0) : 4 * d0 <= r0 <= 4 * d0 + {last} (%i)}} \
             may_reads: may_writes:"
        )
    };
    assert_eq!(parallel(&stepping(&clauses(3), "%a, %b, %i, %n")), [true]);
    assert_eq!(parallel(&stepping(&clauses(4), "%a, %b, %i, %n")), [false]);
    // Nothing is known of a symbol that is bound to nothing.
    let free = "reads: writes: {%b (d0)[s0] -> (r0) : r0 == d0 + s0 (%i)} may_reads: may_writes:";
    assert_eq!(parallel(&stepping(free, "%a, %b, %i, %n")), [false]);
    let bound = free.replace("(%i)}", "(%i)[%n]}");
    assert_eq!(parallel(&stepping(&bound, "%a, %b, %i, %n")), [true]);
}

#[test]
fn calls_and_accesses_meet() {
    // The loop itself reads what the call of another iteration writes.
    let program = |subscript: &str| {
        format!(
            "##own = (d0) -> (r0) : r0 == d0\n\
             func @put(%m: memref<64x64xf32>, %i: index)\n\
               reads: writes: {{%m, (d0) -> (r0, r1) : r0 == d0 (%i)}} may_reads: may_writes:\n\
             func @f(%x: memref<64x64xf32>, %y: memref<64xf32>) {{\n\
               %m, %out = memref.distinct_objects %x, %y : memref<64x64xf32>, memref<64xf32>\n\
               affine.for %i = 0 to 63 {{\n\
                 %v = affine.load %m[{subscript}, 5] : memref<64x64xf32>\n\
                 affine.store %v, %out[%i] : memref<64xf32>\n\
                 call @put(%m, %i) : (memref<64x64xf32>, index) -> ()\n\
               }}\n\
               return\n\
             }}\n"
        )
    };
    assert_eq!(parallel(&program("%i")), [true]);
    assert_eq!(parallel(&program("%i + 1")), [false]);
}

#[test]
fn a_relation_of_another_rank_says_only_which_memref() {
    let clauses = "reads: writes: {%b (d0) -> (r0, r1) : r0 == d0, r1 == d0 (%i)} \
         may_reads: may_writes:";
    assert_eq!(parallel(&stepping(clauses, "%a, %b, %i, %n")), [false]);
}

#[test]
fn an_attribute_that_is_not_well_formed_says_nothing() {
    let text = "func.func private @step(memref<?xf32>, index) attributes {gridloom.effects = {
        reads = [], may_reads = [], may_writes = [],
        writes = [{arg = 7, inputs = array<i64: 9>, symbols = array<i64>,
                   relation = affine_set<(d0) : (d0 >= 0)>}]}}
      func.func @f(%b: memref<?xf32>, %n: index) {
        affine.for %i = 0 to %n {
          func.call @step(%b, %i) : (memref<?xf32>, index) -> ()
        }
        return
      }";
    let verdicts = verdicts(text);
    assert!(
        matches!(verdicts[..], [Verdict::Sequential(Reason::Opaque(_))]),
        "{verdicts:?}"
    );
}
