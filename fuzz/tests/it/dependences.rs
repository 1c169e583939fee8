//! The checker of dependences against programs whose dependences are worked out by hand.

use gridloom::Context;
use gridloom_fuzz::dependences::{Counts, Trace};
use gridloom_fuzz::program::Input;

/// A function of one array of eight zeros, whose wrong results therefore look like the right ones.
fn trace(ctx: &Context, body: &str) -> Trace {
    let text = format!("func.func @main(%a: memref<8xi32>) {{\n{body}\n  return\n}}");
    let module = gridloom::parse(ctx, "test.mlir", text.as_bytes())
        .unwrap_or_else(|found| panic!("{}", found.render(ctx)));
    let input = Input::MemRef {
        sizes: vec![8],
        elements: vec![0; 8],
    };
    Trace::of(ctx, &module, &[input]).unwrap()
}

/// What is broken where `before` becomes `after`; empty for nothing.
fn broken(before: &str, after: &str) -> String {
    let ctx = gridloom::context();
    let kept = trace(&ctx, before).keeps(&ctx, &trace(&ctx, after));
    kept.err()
        .map_or(String::new(), |broken| broken.kind.to_owned())
}

const SHIFT: &str = "affine.for %i = 0 to 7 {
  %x = affine.load %a[%i] : memref<8xi32>
  affine.store %x, %a[%i + 1] : memref<8xi32>
}";

#[test]
fn dependences_of_a_run_are_counted() {
    // Iteration i reads what iteration i - 1 wrote, but for the first; nothing is read before it is
    // written, or written twice.
    let ctx = gridloom::context();
    let counts = Counts {
        flow: 6,
        anti: 0,
        output: 0,
    };
    assert_eq!(trace(&ctx, SHIFT).counts, counts);
}

#[test]
fn a_lost_flow_is_seen_where_all_values_are_equal() {
    let reversed = "affine.for %i = 0 to 7 {
      %x = affine.load %a[6 - %i] : memref<8xi32>
      affine.store %x, %a[7 - %i] : memref<8xi32>
    }";
    assert_eq!(broken(SHIFT, reversed), "a flow dependence is lost");
    let forwarded = "%x = affine.load %a[0] : memref<8xi32>
    affine.for %i = 0 to 7 {
      affine.store %x, %a[%i + 1] : memref<8xi32>
    }";
    assert_eq!(broken(SHIFT, forwarded), "");
}

#[test]
fn writes_that_change_places_are_seen() {
    // The last write is the same, and nobody reads the two before it.
    let write = |value: &str| {
        format!(
            "%{value} = affine.load %a[{value}] : memref<8xi32>
            affine.store %{value}, %a[0] : memref<8xi32>\n"
        )
    };
    let (b, c, d) = (write("1"), write("2"), write("3"));
    assert_eq!(broken(&[&*b, &c, &d].concat(), &[&*b, &d].concat()), "");
    let turned = broken(&[&*b, &c, &d].concat(), &[&*c, &b, &d].concat());
    assert_eq!(turned, "an output dependence is turned around");
}

#[test]
fn iterations_that_nothing_orders_are_seen() {
    let parallel = SHIFT.replace(
        "affine.for %i = 0 to 7",
        "affine.parallel (%i) = (0) to (7)",
    );
    assert_eq!(broken(SHIFT, &parallel), "unordered accesses");
}

#[test]
fn sums_may_be_regrouped_and_other_chains_may_not() {
    let fold = |operation: &str, order: [&str; 3]| {
        let loads: String = (0..4)
            .map(|k| format!("%{k} = affine.load %a[{k}] : memref<8xi32>\n"))
            .collect();
        let [x, y, z] = order;
        format!(
            "{loads}%s = arith.{operation} %0, %{x} : i32
            %t = arith.{operation} %s, %{y} : i32
            %u = arith.{operation} %t, %{z} : i32
            affine.store %u, %a[5] : memref<8xi32>"
        )
    };
    let (there, back) = (["1", "2", "3"], ["3", "2", "1"]);
    assert_eq!(broken(&fold("addi", there), &fold("addi", back)), "");
    let changed = broken(&fold("shli", there), &fold("shli", back));
    assert_eq!(changed, "a flow dependence is lost");
}

#[test]
fn what_is_subtracted_counts_as_a_part_of_a_sum() {
    let load = |k: u32| format!("%x{k} = affine.load %a[{k}] : memref<8xi32>\n");
    let loads = [load(0), load(1), load(2)].concat();
    let stores = |text: &str, value: &str| {
        format!(
            "{loads}%c = arith.constant -3 : i32\n{text}\naffine.store %{value}, %a[5] : memref<8xi32>"
        )
    };
    let twice = "%s = arith.subi %c, %x0 : i32
        %t = arith.subi %c, %s : i32";
    assert_eq!(broken(&stores(twice, "t"), &stores("", "x0")), "");
    let there = "%s = arith.subi %x0, %x1 : i32
        %t = arith.subi %s, %x2 : i32";
    let back = "%s = arith.subi %x0, %x2 : i32
        %t = arith.subi %s, %x1 : i32";
    assert_eq!(broken(&stores(there, "t"), &stores(back, "t")), "");
    let turned = "%s = arith.subi %x1, %x0 : i32
        %t = arith.subi %s, %x2 : i32";
    let changed = broken(&stores(there, "t"), &stores(turned, "t"));
    assert_eq!(changed, "a flow dependence is lost");
}

#[test]
fn a_selection_of_what_is_compared_is_an_extremum() {
    let program = |text: &str| {
        format!(
            "%x = affine.load %a[0] : memref<8xi32>\n%y = affine.load %a[1] : memref<8xi32>\n{text}\n\
             affine.store %s, %a[5] : memref<8xi32>"
        )
    };
    let selected = |predicate: &str, values: &str| {
        program(&format!(
            "%c = arith.cmpi {predicate}, %x, %y : i32\n%s = arith.select %c, {values} : i32"
        ))
    };
    let least = program("%s = arith.minsi %y, %x : i32");
    assert_eq!(broken(&selected("slt", "%x, %y"), &least), "");
    assert_eq!(broken(&selected("sge", "%y, %x"), &least), "");
    let lost = "a flow dependence is lost";
    assert_eq!(broken(&selected("sgt", "%x, %y"), &least), lost);
    assert_eq!(broken(&selected("ult", "%x, %y"), &least), lost);
    assert_eq!(broken(&selected("slt", "%x, %x"), &least), lost);
}
