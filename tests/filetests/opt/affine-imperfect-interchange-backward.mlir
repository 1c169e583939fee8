// test: opt --affine-imperfect-interchange
// test: run-opt --entry=backward --arg=random:1 --arg=random:2
// test: run-opt --entry=open --arg=random:1[9x9] --arg=random:2[9]
// test: run-opt --entry=open --arg=random:1[1x1] --arg=random:2[1]
// test: run-opt --entry=open --arg=random:1[0x0] --arg=random:2[0]
// test: run-opt --entry=from_below --arg=random:1[9x9] --arg=random:2[9]
// test: run-opt --entry=seen --arg=random:1 --arg=random:2

// Backward substitution by rows. The divisor's place is taken by a factor, so that integers will do. The time
// of the update is 15 - %j, and an element collects its terms in another order: those of the greatest %j come
// first.
func.func @backward(%u: memref<16x16xi32>, %x: memref<16xi32>) {
  %x_apart, %u_apart = memref.distinct_objects %x, %u : memref<16xi32>, memref<16x16xi32>
  affine.for %i = 0 to 16 {
    affine.for %j = affine_map<(d0) -> (16 - d0)>(%i) to 16 {
      %s = affine.load %x_apart[15 - %i] : memref<16xi32>
      %a = affine.load %u_apart[15 - %i, %j] : memref<16x16xi32>
      %b = affine.load %x_apart[%j] : memref<16xi32>
      %p = arith.muli %a, %b : i32
      %d = arith.subi %s, %p : i32
      affine.store %d, %x_apart[15 - %i] : memref<16xi32>
    }
    %s = affine.load %x_apart[15 - %i] : memref<16xi32>
    %a = affine.load %u_apart[15 - %i, 15 - %i] : memref<16x16xi32>
    %q = arith.muli %s, %a : i32
    affine.store %q, %x_apart[15 - %i] : memref<16xi32>
  }
  return
}

// The size is a number that only the run knows.
func.func @open(%u: memref<?x?xi32>, %x: memref<?xi32>) {
  %x_apart, %u_apart = memref.distinct_objects %x, %u : memref<?xi32>, memref<?x?xi32>
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  affine.for %k = 0 to %n {
    affine.for %j = affine_map<(d0)[s0] -> (s0 - d0)>(%k)[%n] to %n {
      %s = affine.load %x_apart[symbol(%n) - 1 - %k] : memref<?xi32>
      %a = affine.load %u_apart[symbol(%n) - 1 - %k, %j] : memref<?x?xi32>
      %b = affine.load %x_apart[%j] : memref<?xi32>
      %p = arith.muli %a, %b : i32
      %d = arith.subi %s, %p : i32
      affine.store %d, %x_apart[symbol(%n) - 1 - %k] : memref<?xi32>
    }
    %s = affine.load %x_apart[symbol(%n) - 1 - %k] : memref<?xi32>
    %a = affine.load %u_apart[symbol(%n) - 1 - %k, symbol(%n) - 1 - %k] : memref<?x?xi32>
    %q = arith.muli %s, %a : i32
    affine.store %q, %x_apart[symbol(%n) - 1 - %k] : memref<?xi32>
  }
  return
}

// The inner loop counts down as well: elements keep the order in which they collect.
func.func @from_below(%u: memref<?x?xi32>, %x: memref<?xi32>) {
  %x_apart, %u_apart = memref.distinct_objects %x, %u : memref<?xi32>, memref<?x?xi32>
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %s = affine.load %x_apart[symbol(%n) - 1 - %i] : memref<?xi32>
      %a = affine.load %u_apart[symbol(%n) - 1 - %i, symbol(%n) - 1 - %j] : memref<?x?xi32>
      %b = affine.load %x_apart[symbol(%n) - 1 - %j] : memref<?xi32>
      %p = arith.muli %a, %b : i32
      %d = arith.subi %s, %p : i32
      affine.store %d, %x_apart[symbol(%n) - 1 - %i] : memref<?xi32>
    }
    %s = affine.load %x_apart[symbol(%n) - 1 - %i] : memref<?xi32>
    %a = affine.load %u_apart[symbol(%n) - 1 - %i, symbol(%n) - 1 - %i] : memref<?x?xi32>
    %q = arith.muli %s, %a : i32
    affine.store %q, %x_apart[symbol(%n) - 1 - %i] : memref<?xi32>
  }
  return
}

// The sum so far goes into every step, which is no reduction: the nest stays.
func.func @seen(%u: memref<16x16xi32>, %x: memref<16xi32>) {
  %x_apart, %u_apart = memref.distinct_objects %x, %u : memref<16xi32>, memref<16x16xi32>
  affine.for %i = 0 to 16 {
    affine.for %j = affine_map<(d0) -> (16 - d0)>(%i) to 16 {
      %s = affine.load %x_apart[15 - %i] : memref<16xi32>
      %a = affine.load %u_apart[15 - %i, %j] : memref<16x16xi32>
      %b = affine.load %x_apart[%j] : memref<16xi32>
      %p = arith.muli %s, %b : i32
      %q = arith.subi %p, %a : i32
      %d = arith.subi %s, %q : i32
      affine.store %d, %x_apart[15 - %i] : memref<16xi32>
    }
    %s = affine.load %x_apart[15 - %i] : memref<16xi32>
    %a = affine.load %u_apart[15 - %i, 15 - %i] : memref<16x16xi32>
    %q = arith.muli %s, %a : i32
    affine.store %q, %x_apart[15 - %i] : memref<16xi32>
  }
  return
}
