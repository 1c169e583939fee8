//! Vectors in kernels, on every device and through naga: accesses partly out of range, masks, and
//! operations that move lanes.

use crate::device::{Arg, Outcome, Target, bytes, on_each_target, run, words};

/// Text of a kernel `@m::@k` of one thread with these arguments and body.
fn kernel(args: &str, body: &str) -> String {
    format!(
        "module attributes {{gpu.container_module}} {{ gpu.module @m {{\n\
         gpu.func @k({args}) kernel attributes {{known_block_size = array<i32: 1, 1, 1>}} {{\n\
         {body}\n gpu.return }} }} }}\n"
    )
}

/// Runs a kernel of one thread on two buffers of words and a number.
fn apply(target: &Target, body: &str, x: &[i32], y: &[i32], n: i32) -> Outcome {
    let args = "%x: memref<?xi32>, %y: memref<?xi32>, %n: i32";
    let text = kernel(
        args,
        &format!("%at = arith.index_cast %n : i32 to index\n{body}"),
    );
    let (x_bytes, y_bytes) = (bytes(x), bytes(y));
    let args = [
        Arg::Memory(&x_bytes, &[x.len() as i64]),
        Arg::Memory(&y_bytes, &[y.len() as i64]),
        Arg::Word(n as u32),
    ];
    run(target, &text, [1, 1, 1], &args)
}

/// A vector access partly out of range is guarded by element, as scalar accesses are: a load gives
/// 0, a store does nothing, and it is one fault.
#[test]
fn guarded_vectors_are_guarded_by_element() {
    let body = "
      %zero = arith.constant 0 : index
      %v = vector.load %x[%at] : memref<?xi32>, vector<4xi32>
      vector.store %v, %y[%zero] : memref<?xi32>, vector<4xi32>
      %ten = arith.constant dense<10> : vector<4xi32>
      vector.store %ten, %x[%at] : memref<?xi32>, vector<4xi32>";
    on_each_target(|target| {
        for (at, loaded, left, faults) in [
            (0, [1, 2, 3, 4], [10, 10, 10, 10, 5, 6], 0),
            (2, [3, 4, 5, 6], [1, 2, 10, 10, 10, 10], 0),
            (4, [5, 6, 0, 0], [1, 2, 3, 4, 10, 10], 2),
            (-1, [0, 1, 2, 3], [10, 10, 10, 4, 5, 6], 2),
            (9, [0, 0, 0, 0], [1, 2, 3, 4, 5, 6], 2),
        ] {
            let outcome = apply(target, body, &[1, 2, 3, 4, 5, 6], &[-7; 4], at);
            assert_eq!(words(&outcome.memory[1]), loaded, "from {at}");
            assert_eq!(words(&outcome.memory[0]), left, "at {at}");
            let found: u32 = outcome.faults.iter().map(|fault| fault.1).sum();
            assert_eq!(found, faults, "at {at}");
        }
    });
}

/// Masked-off lanes access nothing, so they may be out of range.
#[test]
fn masked_lanes_are_not_accessed() {
    let body = "
      %zero = arith.constant 0 : index
      %four = arith.constant 4 : index
      %pass = arith.constant dense<9> : vector<4xi32>
      %mask = vector.create_mask %at : vector<4xi1>
      %v = vector.maskedload %x[%zero], %mask, %pass
          : memref<?xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
      vector.store %v, %y[%zero] : memref<?xi32>, vector<4xi32>
      vector.maskedstore %y[%four], %mask, %v : memref<?xi32>, vector<4xi1>, vector<4xi32>";
    on_each_target(|target| {
        let outcome = apply(target, body, &[1, 2], &[-7; 6], 2);
        assert_eq!(words(&outcome.memory[1]), [1, 2, 9, 9, 1, 2]);
        assert!(outcome.faults.is_empty(), "{:?}", outcome.faults);
    });
}

/// Operations that move lanes, and reductions, on 1, 2, 3, 4 and a computed 2.
#[test]
fn lanes_move() {
    let body = "
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c12 = arith.constant 12 : index
      %c16 = arith.constant 16 : index
      %c20 = arith.constant 20 : index
      %c24 = arith.constant 24 : index
      %nine = arith.constant 9 : i32
      %v = vector.load %x[%c0] : memref<?xi32>, vector<4xi32>
      %a = vector.insert %nine, %v[%at] : i32 into vector<4xi32>
      vector.store %a, %y[%c0] : memref<?xi32>, vector<4xi32>
      %e = vector.extract %v[%at] : i32 from vector<4xi32>
      %b = vector.broadcast %e : i32 to vector<4xi32>
      vector.store %b, %y[%c4] : memref<?xi32>, vector<4xi32>
      %p:4 = vector.to_elements %v : vector<4xi32>
      %q = vector.from_elements %p#3, %p#1 : vector<2xi32>
      %r = vector.from_elements %p#2, %p#0 : vector<2xi32>
      %c = vector.interleave %q, %r : vector<2xi32> -> vector<4xi32>
      vector.store %c, %y[%c8] : memref<?xi32>, vector<4xi32>
      %d = vector.shuffle %v, %q [4, 0, 5, 3] : vector<4xi32>, vector<2xi32>
      vector.store %d, %y[%c12] : memref<?xi32>, vector<4xi32>
      %f = vector.extract_strided_slice %v {offsets = [1], sizes = [3], strides = [1]}
          : vector<4xi32> to vector<3xi32>
      %g = vector.insert_strided_slice %r, %f {offsets = [1], strides = [1]}
          : vector<2xi32> into vector<3xi32>
      %h = vector.insert %e, %g[0] : i32 into vector<3xi32>
      vector.store %h, %y[%c16] : memref<?xi32>, vector<3xi32>
      %s = vector.reduction <add>, %v : vector<4xi32> into i32
      %m = vector.reduction <maxsi>, %v, %nine : vector<4xi32> into i32
      %t = vector.from_elements %s, %m : vector<2xi32>
      vector.store %t, %y[%c20] : memref<?xi32>, vector<2xi32>
      %more = arith.cmpi sgt, %v, %b : vector<4xi32>
      %u = arith.select %more, %v, %b : vector<4xi1>, vector<4xi32>
      vector.store %u, %y[%c24] : memref<?xi32>, vector<4xi32>";
    let expected = [
        1, 2, 9, 4, // 9 at 2
        3, 3, 3, 3, // the element at 2
        4, 3, 2, 1, // [4, 2] and [3, 1] interleaved
        4, 1, 2, 4, // the first of [4, 2], of v, the second, the last of v
        3, 3, 1, 0, // [2, 3, 4] with [3, 1] from 1 on and 3 in front; not written
        10, 9, 0, 0, // the sum; the greatest with 9; not written
        3, 3, 3, 4, // the greater of v and 3
    ];
    on_each_target(|target| {
        let outcome = apply(target, body, &[1, 2, 3, 4], &[0; 28], 2);
        assert_eq!(words(&outcome.memory[1]), expected);
        assert!(outcome.faults.is_empty(), "{:?}", outcome.faults);
    });
}
