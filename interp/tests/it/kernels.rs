//! Launches: threads, barriers, workgroup memory.

use gridloom_interp::{FaultKind, ThreadOrder};

use crate::{run_in, run_on};

#[test]
fn threads_know_where_they_are() {
    // 2 workgroups of 3 threads write 10 * workgroup + thread.
    let text = "func.func @main(%m: memref<6xi32>) {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c10 = arith.constant 10 : index
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %c3, %sy = %c1, %sz = %c1) {
        %first = arith.muli %bx, %sx : index
        %at = arith.addi %first, %tx : index
        %tens = arith.muli %bx, %c10 : index
        %value = arith.addi %tens, %tx : index
        %v = arith.index_cast %value : index to i32
        memref.store %v, %m[%at] : memref<6xi32>
        gpu.terminator
      }
      return
    }";
    let got = run_on(text, "memref<6xi32>", &[0; 6]).unwrap();
    assert_eq!(got, [0, 1, 2, 10, 11, 12]);
}

/// A reversal through workgroup memory is right only if every thread has
/// written before any reads.
fn reversal(barrier: &str) -> String {
    format!(
        "gpu.module @k {{
      gpu.func @reverse(%m: memref<4xi32>) workgroup(%w : memref<4xi32, 3>) kernel {{
        %t = gpu.thread_id x
        %c3 = arith.constant 3 : index
        %v = memref.load %m[%t] : memref<4xi32>
        memref.store %v, %w[%t] : memref<4xi32, 3>
        {barrier}
        %other = arith.subi %c3, %t : index
        %r = memref.load %w[%other] : memref<4xi32, 3>
        memref.store %r, %m[%t] : memref<4xi32>
        gpu.return
      }}
    }}
    func.func @main(%m: memref<4xi32>) {{
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      gpu.launch_func @k::@reverse blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%m : memref<4xi32>)
      return
    }}"
    )
}

#[test]
fn a_barrier_waits_for_the_whole_workgroup() {
    let got = run_on(&reversal("gpu.barrier"), "memref<4xi32>", &[1, 2, 3, 4]).unwrap();
    assert_eq!(got, [4, 3, 2, 1]);
}

#[test]
fn without_the_barrier_the_race_is_found() {
    // Thread 0 reads the element that thread 3 has not written.
    let (kind, shown) = run_on(&reversal(""), "memref<4xi32>", &[1, 2, 3, 4]).unwrap_err();
    let FaultKind::InKernel(inner) = kind else {
        panic!("{shown}")
    };
    assert_eq!(inner.kind, FaultKind::Uninitialised);
    assert!(shown.contains("note: launched from here"), "{shown}");
}

#[test]
fn a_barrier_that_some_threads_miss_is_a_fault() {
    let text = "func.func @main(%m: memref<4xi32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1) {
        %is_first = arith.cmpi eq, %tx, %c0 : index
        scf.if %is_first {
          gpu.barrier
        }
        gpu.terminator
      }
      return
    }";
    let (kind, _) = run_on(text, "memref<4xi32>", &[0; 4]).unwrap_err();
    assert_eq!(kind, FaultKind::BarrierDivergence);
}

#[test]
fn a_kernel_cannot_launch_itself() {
    let text = "gpu.module @k {
      gpu.func @again() kernel {
        %c1 = arith.constant 1 : index
        gpu.launch_func @k::@again blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        gpu.return
      }
    }
    func.func @main(%m: memref<4xi32>) {
      %c1 = arith.constant 1 : index
      gpu.launch_func @k::@again blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      return
    }";
    let (kind, shown) = run_on(text, "memref<4xi32>", &[0; 4]).unwrap_err();
    assert!(matches!(kind, FaultKind::InKernel(_)), "{shown}");
    assert!(shown.contains("a kernel cannot launch kernels"), "{shown}");
}

/// Program that appends the number of each thread to `%m`, in the order in which they run.
const ARRIVALS: &str = "func.func @main(%m: memref<7xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c3, %sy = %c1, %sz = %c1) {
    gpu.barrier
    %count = memref.load %m[%c0] : memref<7xi32>
    %place = arith.index_cast %count : i32 to index
    %behind = arith.addi %place, %c1 : index
    %next = arith.index_cast %behind : index to i32
    memref.store %next, %m[%c0] : memref<7xi32>
    %first = arith.muli %bx, %sx : index
    %number = arith.addi %first, %tx : index
    %v = arith.index_cast %number : index to i32
    memref.store %v, %m[%behind] : memref<7xi32>
    gpu.terminator
  }
  return
}";

#[test]
fn threads_take_the_order_they_are_given() {
    let run = |order| run_in(order, ARRIVALS, "memref<7xi32>", &[0; 7]).unwrap();
    assert_eq!(run(ThreadOrder::Ascending), [6, 0, 1, 2, 3, 4, 5]);
    assert_eq!(run(ThreadOrder::Descending), [6, 5, 4, 3, 2, 1, 0]);
    let orders = Vec::from_iter((0..20).map(|seed| run(ThreadOrder::Random(seed))));
    for order in &orders {
        // Workgroups run one after the other, each to its end.
        let mut numbers = order[1..].to_vec();
        assert!(numbers[..3].iter().all(|n| n / 3 == numbers[0] / 3));
        numbers.sort_unstable();
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5]);
    }
    assert!(orders.iter().any(|order| *order != orders[0]));
}
