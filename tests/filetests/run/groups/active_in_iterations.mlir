// Collective operations in loops that threads run differently often: the threads that are in the same iteration are active together,
// whatever their counters are. Of 48 threads, thread t runs 5 t mod 7 iterations of the first loop; in the second one, threads
// take turns; the third one is of Collatz numbers from t + 1 on, and counts lanes; the fourth one begins at t mod 3; the fifth one
// has a loop in it, and stands in a branch, as the last one does, whose length the run says. The values are Python's.
// test: run --arg=zeros --arg=6
// expect: arg 0 = [[0, 1380, 1045, 426, 1443, 1243, 768, 0, 1380, 1045, 426, 1443, 1243, 768, 0, 1380, 1045, 426, 1443, 1243, 768, 0, 1380, 1045, 426, 1443, 1243, 768, 0, 1380, 1045, 426, 2068, 1746, 1028, 0, 1946, 1427, 555, 2068, 1746, 1028, 0, 1946, 1427, 555, 2068, 1746], [5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976], [0, 31, 194, 61, 145, 215, 341, 90, 367, 170, 315, 235, 235, 352, 352, 118, 285, 372, 372, 194, 194, 329, 329, 253, 381, 253, 552, 361, 361, 361, 547, 145, 294, 196, 196, 269, 269, 269, 321, 128, 466, 128, 306, 229, 229, 229, 461, 170], [0, 14, 2, 2, 19, 5, 5, 0, 9, 9, 0, 14, 14, 2, 0, 19, 5, 0, 24, 9, 0, 0, 14, 2, 2, 19, 5, 5, 0, 9, 9, 0, 14, 14, 2, 0, 19, 5, 0, 24, 9, 0, 0, 14, 2, 2, 19, 5], [0, 85, 0, 0, 0, 70, 0, 0, 0, 50, 0, 0, 0, 29, 0, 0, 0, 11, 0, 0, 0, 0, 0, 0, 0, 91, 0, 0, 0, 85, 0, 0, 0, 70, 0, 0, 0, 50, 0, 0, 0, 29, 0, 0, 0, 11, 0, 0], [0, 0, 1305, 0, 0, 0, 0, 1305, 0, 0, 0, 0, 1305, 0, 0, 0, 0, 1305, 0, 0, 0, 0, 1305, 0, 0, 0, 0, 1305, 0, 0, 0, 0, 2370, 0, 0, 0, 0, 2370, 0, 0, 0, 0, 2370, 0, 0, 0, 0, 2370]]
// test: run --portable --arg=zeros --arg=6
// expect: arg 0 = [[0, 1380, 1045, 426, 1443, 1243, 768, 0, 1380, 1045, 426, 1443, 1243, 768, 0, 1380, 1045, 426, 1443, 1243, 768, 0, 1380, 1045, 426, 1443, 1243, 768, 0, 1380, 1045, 426, 2068, 1746, 1028, 0, 1946, 1427, 555, 2068, 1746, 1028, 0, 1946, 1427, 555, 2068, 1746], [5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976, 5904, 2976], [0, 31, 194, 61, 145, 215, 341, 90, 367, 170, 315, 235, 235, 352, 352, 118, 285, 372, 372, 194, 194, 329, 329, 253, 381, 253, 552, 361, 361, 361, 547, 145, 294, 196, 196, 269, 269, 269, 321, 128, 466, 128, 306, 229, 229, 229, 461, 170], [0, 14, 2, 2, 19, 5, 5, 0, 9, 9, 0, 14, 14, 2, 0, 19, 5, 0, 24, 9, 0, 0, 14, 2, 2, 19, 5, 5, 0, 9, 9, 0, 14, 14, 2, 0, 19, 5, 0, 24, 9, 0, 0, 14, 2, 2, 19, 5], [0, 85, 0, 0, 0, 70, 0, 0, 0, 50, 0, 0, 0, 29, 0, 0, 0, 11, 0, 0, 0, 0, 0, 0, 0, 91, 0, 0, 0, 85, 0, 0, 0, 70, 0, 0, 0, 50, 0, 0, 0, 29, 0, 0, 0, 11, 0, 0], [0, 0, 1305, 0, 0, 0, 0, 1305, 0, 0, 0, 0, 1305, 0, 0, 0, 0, 1305, 0, 0, 0, 0, 1305, 0, 0, 0, 0, 1305, 0, 0, 0, 0, 2370, 0, 0, 0, 0, 2370, 0, 0, 0, 0, 2370, 0, 0, 0, 0, 2370]]
func.func @main(%out: memref<6x48xi32>, %open: index) {
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%t, %ty, %tz) in (%sx = %c48, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c7 = arith.constant 7 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %hundred = arith.constant 100 : i32
    %k = arith.index_cast %t : index to i32
    %t5 = arith.muli %t, %c5 : index
    %trips = arith.remui %t5, %c7 : index

    %r0 = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (i32) {
      %s = gpu.subgroup_reduce add %k : (i32) -> (i32)
      %ii = arith.index_cast %i : index to i32
      %x = arith.addi %acc, %s : i32
      %y = arith.addi %x, %ii : i32
      scf.yield %y : i32
    }
    memref.store %r0, %out[%c0, %t] : memref<6x48xi32>

    %r1 = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %zero) -> (i32) {
      %sum = arith.addi %i, %t : index
      %odd = arith.remui %sum, %c2 : index
      %turn = arith.cmpi eq, %odd, %c0 : index
      %next = scf.if %turn -> i32 {
        %ii = arith.index_cast %i : index to i32
        %h = arith.muli %ii, %hundred : i32
        %v = arith.addi %h, %k : i32
        %s = gpu.all_reduce add %v {} : (i32) -> (i32)
        %x = arith.addi %acc, %s : i32
        scf.yield %x : i32
      } else {
        scf.yield %acc : i32
      }
      scf.yield %next : i32
    }
    memref.store %r1, %out[%c1, %t] : memref<6x48xi32>

    %start = arith.addi %k, %one : i32
    %r2:2 = scf.while (%n = %start, %acc = %zero) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi ne, %n, %one : i32
      scf.condition(%more) %n, %acc : i32, i32
    } do {
    ^bb0(%n: i32, %acc: i32):
      %s = gpu.subgroup_reduce add %one : (i32) -> (i32)
      %x = arith.addi %acc, %s : i32
      %odd = arith.remui %n, %two : i32
      %even = arith.cmpi eq, %odd, %zero : i32
      %h = arith.divui %n, %two : i32
      %n3 = arith.muli %n, %three : i32
      %n31 = arith.addi %n3, %one : i32
      %next = arith.select %even, %h, %n31 : i32
      scf.yield %next, %x : i32, i32
    }
    memref.store %r2#1, %out[%c2, %t] : memref<6x48xi32>

    %begin = arith.remui %t, %c3 : index
    %r3 = scf.for %i = %begin to %trips step %c1 iter_args(%acc = %zero) -> (i32) {
      %ii = arith.index_cast %i : index to i32
      %s = gpu.subgroup_reduce maxsi %ii : (i32) -> (i32)
      %x = arith.addi %acc, %s : i32
      scf.yield %x : i32
    }
    memref.store %r3, %out[%c3, %t] : memref<6x48xi32>

    %quarter = arith.remui %t, %c4 : index
    %is_first = arith.cmpi eq, %quarter, %c1 : index
    scf.if %is_first {
      %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (i32) {
        %end = arith.addi %i, %c1 : index
        %inner = scf.for %j = %c0 to %end step %c1 iter_args(%a = %acc) -> (i32) {
          %s = gpu.all_reduce add %one {} : (i32) -> (i32)
          %x = arith.addi %a, %s : i32
          scf.yield %x : i32
        }
        scf.yield %inner : i32
      }
      memref.store %r, %out[%c4, %t] : memref<6x48xi32>
    }

    %fifth = arith.remui %t, %c5 : index
    %is_third = arith.cmpi eq, %fifth, %c2 : index
    scf.if %is_third {
      %r = scf.for %i = %c0 to %open step %c1 iter_args(%acc = %zero) -> (i32) {
        %ii = arith.index_cast %i : index to i32
        %v = arith.muli %ii, %k : i32
        %s = gpu.subgroup_reduce add %v : (i32) -> (i32)
        %x = arith.addi %acc, %s : i32
        scf.yield %x : i32
      }
      memref.store %r, %out[%c5, %t] : memref<6x48xi32>
    }
    gpu.terminator
  }
  return
}
