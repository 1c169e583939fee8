// test: canonical
// Affine expressions as sums of operands and quotients.

func.func @remainders(%n: index, %m: memref<?xi32>) {
  affine.for %i = 0 to %n {
    // The factor that both sides have is taken out.
    %a = affine.load %m[(%i * 2) mod 8] : memref<?xi32>
    affine.store %a, %m[(%i * 6 + 9) floordiv 12] : memref<?xi32>
    affine.store %a, %m[(%i * 6 + 4) ceildiv 4] : memref<?xi32>
    // Nothing to take out.
    affine.store %a, %m[%i mod 8] : memref<?xi32>
    affine.store %a, %m[(%i * 3 + 1) mod 8] : memref<?xi32>
    // A multiple of the divisor.
    affine.store %a, %m[(%i * 8 + 16) mod 4 + %i] : memref<?xi32>
  }
  return
}

func.func @cancels(%n: index, %x: index, %m: memref<?xi32>, %v: i32) {
  affine.for %i = 0 to %n {
    %low = affine.apply affine_map<(d0) -> (d0 mod 8)>(%i)
    %high = affine.apply affine_map<(d0) -> (d0 floordiv 8)>(%i)
    %whole = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 8)>(%low, %high)
    affine.store %v, %m[%whole] : memref<?xi32>
    %part = affine.apply affine_map<(d0) -> ((d0 * 2) mod 8)>(%i)
    affine.store %v, %m[%part + (%i floordiv 4) * 8] : memref<?xi32>
    affine.store %v, %m[(%i - symbol(%x) + symbol(%x)) floordiv 16] : memref<?xi32>
    affine.store %v, %m[symbol(%x) + %i * 2 - symbol(%x) * 3 - %i] : memref<?xi32>
  }
  return
}

func.func @nested(%n: index, %m: memref<?xi32>, %v: i32) {
  affine.for %i = 0 to %n {
    affine.store %v, %m[((%i * 4 + 2) floordiv 6) mod 10] : memref<?xi32>
    affine.store %v, %m[((%i mod 12) * 2) floordiv 8 + %i floordiv 4] : memref<?xi32>
    affine.store %v, %m[((%i ceildiv 2) * 2 + 4) mod 6] : memref<?xi32>
  }
  return
}

func.func @bounds(%n: index, %k: index, %m: memref<?xi32>, %v: i32) {
  affine.for %i = affine_map<(d0) -> ((d0 * 2) mod 8)>(%n) to affine_map<(d0, d1) -> ((d0 + d1 - d0 * 3) * 2)>(%n, %k) {
    affine.for %j = max affine_map<(d0)[s0] -> (d0 * 3 - s0 - d0, 0)>(%i)[%k] to min affine_map<(d0)[s0] -> ((d0 * 4) mod 6, s0)>(%i)[%n] {
      affine.store %v, %m[%j] : memref<?xi32>
    }
    affine.parallel (%p, %q) = (0, 0) to ((%i * 2) mod 8, 4) {
      affine.store %v, %m[%p + %q * 2 - %p] : memref<?xi32>
    }
  }
  return
}

// A remainder lies between zero and its divisor, whatever it is of.
func.func @remainder_of_symbol(%n: index, %m: memref<?xi32>, %v: i32) {
  affine.for %i = affine_map<()[s0] -> ((s0 mod 3) floordiv 8)>()[%n] to 8 {
    affine.store %v, %m[%i] : memref<?xi32>
  }
  affine.for %i = 0 to min affine_map<()[s0] -> (8, s0 mod 4 + 9)>()[%n] {
    affine.store %v, %m[%i] : memref<?xi32>
  }
  affine.for %i = -9 to min affine_map<()[s0] -> ((s0 mod 3) mod 4, -1)>()[%n] {
    affine.store %v, %m[%i + 9] : memref<?xi32>
  }
  return
}

func.func @least(%n: index, %k: index) -> (index, index) {
  %a = affine.min affine_map<(d0, d1) -> ((d0 * 2) mod 8, d1 - d0 + d1)>(%n, %k)
  %b = affine.max affine_map<(d0)[s0] -> ((d0 * 6) floordiv 4, s0)>(%n)[%k]
  return %a, %b : index, index
}

// Operands that are only named count for nothing.
func.func @unused_first(%a: index, %b: index, %c: index) -> index {
  %x = affine.apply affine_map<(d0, d1, d2)[s0] -> (d2 - d1 + s0 ceildiv 8)>(%a, %b, %a)[%c]
  return %x : index
}

// A set takes the form only where something is put into it.
func.func @sets(%n: index, %m: memref<?xi32>, %v: i32) {
  affine.for %i = 0 to %n {
    affine.if affine_set<(d0) : ((d0 * 2) mod 8 - 1 >= 0)>(%i) {
      affine.store %v, %m[%i] : memref<?xi32>
    }
    %twice = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    affine.if affine_set<(d0) : (d0 mod 8 - 1 >= 0)>(%twice) {
      affine.store %v, %m[%i] : memref<?xi32>
    }
  }
  return
}
