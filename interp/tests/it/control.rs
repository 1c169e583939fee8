//! Control flow.

use gridloom_interp::{Machine, Options, ThreadOrder};

use crate::{ORDERS, parse, results, results_in, run_in, run_on};

#[test]
fn loop_carried_values_are_assigned_at_once() {
    // Fibonacci by swapping: both values change in the same step.
    let text = "func.func @main() -> (i64, i64) {
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %a, %b = affine.for %i = 0 to 10 iter_args(%x = %zero, %y = %one) -> (i64, i64) {
        %sum = arith.addi %x, %y : i64
        affine.yield %y, %sum : i64, i64
      }
      return %a, %b : i64, i64
    }";
    assert_eq!(results(text).unwrap(), [55, 89]);
}

#[test]
fn a_loop_without_iterations_gives_its_initial_values() {
    let text = "func.func @main() -> i32 {
      %seven = arith.constant 7 : i32
      %r = affine.for %i = 5 to 5 iter_args(%x = %seven) -> (i32) {
        %y = arith.addi %x, %x : i32
        affine.yield %y : i32
      }
      return %r : i32
    }";
    assert_eq!(results(text).unwrap(), [7]);
}

#[test]
fn bounds_take_the_greatest_lower_and_the_least_upper() {
    // i from max(2, 3) to min(9, 7) by 2: 3 and 5.
    let text = "func.func @main(%m: memref<10xi32>) {
      %c3 = arith.constant 3 : index
      %c9 = arith.constant 9 : index
      %one = arith.constant 1 : i32
      affine.for %i = max affine_map<(d0) -> (2, d0)>(%c3) to min affine_map<(d0) -> (d0, 7)>(%c9) step 2 {
        affine.store %one, %m[%i] : memref<10xi32>
      }
      return
    }";
    let got = run_on(text, "memref<10xi32>", &[0; 10]).unwrap();
    assert_eq!(got, [0, 0, 0, 1, 0, 1, 0, 0, 0, 0]);
}

#[test]
fn affine_division_rounds_down_for_negative_numbers() {
    // -5 floordiv 3 = -2, -5 mod 3 = 1, -5 ceildiv 3 = -1.
    let text = "func.func @main() -> (index, index, index) {
      %n = arith.constant -5 : index
      %f = affine.apply affine_map<(d0) -> (d0 floordiv 3)>(%n)
      %m = affine.apply affine_map<(d0) -> (d0 mod 3)>(%n)
      %c = affine.apply affine_map<(d0) -> (d0 ceildiv 3)>(%n)
      return %f, %m, %c : index, index, index
    }";
    assert_eq!(results(text).unwrap(), [-2i64 as u64, 1, -1i64 as u64]);
}

#[test]
fn branches_pass_arguments() {
    // The sum of 1..=4 as a loop of blocks.
    let text = "func.func @main() -> i32 {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %five = arith.constant 5 : i32
      cf.br ^head(%one, %zero : i32, i32)
    ^head(%i: i32, %sum: i32):
      %more = arith.cmpi slt, %i, %five : i32
      cf.cond_br %more, ^body, ^done
    ^body:
      %next = arith.addi %i, %one : i32
      %total = arith.addi %sum, %i : i32
      cf.br ^head(%next, %total : i32, i32)
    ^done:
      return %sum : i32
    }";
    assert_eq!(results(text).unwrap(), [10]);
}

#[test]
fn functions_recurse() {
    let text = "func.func private @factorial(%n: i64) -> i64 {
      %one = arith.constant 1 : i64
      %base = arith.cmpi sle, %n, %one : i64
      cf.cond_br %base, ^end(%one : i64), ^more
    ^more:
      %less = arith.subi %n, %one : i64
      %rest = func.call @factorial(%less) : (i64) -> i64
      %product = arith.muli %n, %rest : i64
      cf.br ^end(%product : i64)
    ^end(%r: i64):
      return %r : i64
    }
    func.func @main() -> i64 {
      %six = arith.constant 6 : i64
      %r = call @factorial(%six) : (i64) -> i64
      return %r : i64
    }";
    assert_eq!(results(text).unwrap(), [720]);
}

#[test]
fn a_switch_takes_the_case_of_its_value() {
    let text = |value: i32| {
        format!(
            "func.func @main() -> i32 {{
      %v = arith.constant {value} : index
      %r = scf.index_switch %v -> i32
      case 2 {{
        %a = arith.constant 20 : i32
        scf.yield %a : i32
      }}
      case 5 {{
        %a = arith.constant 50 : i32
        scf.yield %a : i32
      }}
      default {{
        %a = arith.constant 99 : i32
        scf.yield %a : i32
      }}
      return %r : i32
    }}"
        )
    };
    for (value, want) in [(2, 20), (5, 50), (3, 99)] {
        assert_eq!(results(&text(value)).unwrap(), [want]);
    }
}

#[test]
fn a_parallel_reduction_starts_from_its_neutral_element() {
    let text = "func.func @main(%m: memref<4xi32>) {
      %least = affine.parallel (%i) = (0) to (4) reduce (\"mins\") -> i32 {
        %v = affine.load %m[%i] : memref<4xi32>
        affine.yield %v : i32
      }
      affine.store %least, %m[0] : memref<4xi32>
      return
    }";
    let got = run_on(text, "memref<4xi32>", &[4, -7, 9, 2]).unwrap();
    assert_eq!(got, [-7, -7, 9, 2]);
}

/// Order in which a kind of parallel loop ran its iterations, each as `%i * 10 + %j`.
fn arrivals(order: ThreadOrder, open: &str, close: &str) -> Vec<i32> {
    let text = format!(
        "func.func @main(%m: memref<7xi32>) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c5 = arith.constant 5 : index
      %c10 = arith.constant 10 : index
      {open}
        %count = memref.load %m[%c0] : memref<7xi32>
        %place = arith.index_cast %count : i32 to index
        %behind = arith.addi %place, %c1 : index
        %next = arith.index_cast %behind : index to i32
        memref.store %next, %m[%c0] : memref<7xi32>
        %tens = arith.muli %i, %c10 : index
        %number = arith.addi %tens, %j : index
        %v = arith.index_cast %number : index to i32
        memref.store %v, %m[%behind] : memref<7xi32>
      {close}
      return
    }}"
    );
    run_in(order, &text, "memref<7xi32>", &[0; 7]).unwrap()
}

#[test]
fn iterations_of_parallel_loops_take_the_order_they_are_given() {
    let loops = [
        (
            "scf.parallel (%i, %j) = (%c1, %c0) to (%c3, %c5) step (%c1, %c2) {",
            "scf.reduce }",
        ),
        (
            "affine.parallel (%i, %j) = (1, 0) to (3, 5) step (1, 2) {",
            "}",
        ),
        (
            "scf.forall (%i, %j) = (1, 0) to (%c3, 5) step (1, %c2) {",
            "}",
        ),
    ];
    for (open, close) in loops {
        let run = |order| arrivals(order, open, close);
        let ascending = [6, 10, 12, 14, 20, 22, 24];
        assert_eq!(run(ThreadOrder::Ascending), ascending, "{open}");
        assert_eq!(
            run(ThreadOrder::Descending),
            [6, 24, 22, 20, 14, 12, 10],
            "{open}"
        );
        let mut shuffled = run(ThreadOrder::Random(3));
        assert_ne!(shuffled, ascending, "{open}");
        shuffled[1..].sort_unstable();
        assert_eq!(shuffled, ascending, "{open}");
    }
}

/// Sums of floats depend on their order, so they keep the source's.
#[test]
fn reductions_of_floats_keep_their_order() {
    // 2^24 + 1 is 2^24 in f32; 1 + 1 + 2^24 is not.
    let text = "func.func @main() -> f32 {
      %sum = affine.parallel (%i) = (0) to (3) reduce (\"addf\") -> (f32) {
        %big = arith.constant 16777216.0 : f32
        %one = arith.constant 1.0 : f32
        %c2 = arith.constant 2 : index
        %is_last = arith.cmpi eq, %i, %c2 : index
        %v = arith.select %is_last, %big, %one : f32
        affine.yield %v : f32
      }
      return %sum : f32
    }";
    for order in ORDERS {
        let sum = results_in(order, text).unwrap();
        assert_eq!(sum, [u64::from(16777218f32.to_bits())], "{order:?}");
    }
}

#[test]
fn parallel_loops_free_what_their_iterations_allocate() {
    // 1000 iterations of 1 KiB each fit 8 KiB.
    let text = "func.func @main() {
      %c0 = arith.constant 0 : index
      affine.parallel (%i) = (0) to (1000) {
        %a = memref.alloca() : memref<256xi32>
        %v = arith.index_cast %i : index to i32
        memref.store %v, %a[%c0] : memref<256xi32>
      }
      return
    }";
    let ctx = gridloom_dialects::context();
    let module = parse(&ctx, text);
    let options = Options {
        memory_limit: 8 << 10,
        ..Options::default()
    };
    let mut machine = Machine::new(&ctx, &module, "main", None, options).unwrap();
    assert_eq!(machine.run(&[]), Ok(Vec::new()));
}
