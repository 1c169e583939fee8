// Sizes known at run time only, in bounds, in subscripts and in a guard.
//     for 0 <= i < n floordiv 2:   out[i] = x[n - 1 - i] + x[i + k]
//                                  and out[i] is negated where 2 * i + k >= n
//     Arguments: x, out (both n × i32), k (index, 0 <= k <= n / 2).

#far = affine_set<(d0)[s0, s1] : (d0 * 2 + s1 - s0 >= 0)>

func.func @symbols(%x: memref<?xi32>, %out: memref<?xi32>, %k: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %n = memref.dim %x, %c0 : memref<?xi32>
  affine.for %i = 0 to affine_map<()[s0] -> (s0 floordiv 2)>()[%n] {
    %a = affine.load %x[symbol(%n) - 1 - %i] : memref<?xi32>
    %b = affine.load %x[%i + symbol(%k)] : memref<?xi32>
    %c = arith.addi %a, %b : i32
    %d = affine.if #far(%i)[%n, %k] -> i32 {
      %negated = arith.subi %zero, %c : i32
      affine.yield %negated : i32
    } else {
      affine.yield %c : i32
    }
    affine.store %d, %out[%i] : memref<?xi32>
  }
  return
}
