//! Control flow.

use crate::{results, run_on};

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
