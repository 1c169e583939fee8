// test: canonical
func.func @nested(%p: i1, %q: i1, %x: i32, %y: i32) -> (i32, i32, i32, i32) {
  %a = arith.select %q, %x, %y : i32
  %0 = arith.select %p, %a, %y : i32
  %b = arith.select %q, %y, %x : i32
  %1 = arith.select %p, %b, %y : i32
  %2 = arith.select %p, %x, %a : i32
  %3 = arith.select %p, %x, %b : i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}

func.func @by_comparison(%x: i32, %y: i32) -> (i32, i32, i1, i1) {
  %e = arith.cmpi eq, %x, %y : i32
  %0 = arith.select %e, %x, %y : i32
  %n = arith.cmpi ne, %x, %y : i32
  %1 = arith.select %n, %x, %y : i32
  %t = arith.constant true
  %f = arith.constant false
  %2 = arith.select %e, %t, %f : i1
  %3 = arith.select %e, %f, %t : i1
  return %0, %1, %2, %3 : i32, i32, i1, i1
}

// differs: @by_vectors: vectors are negated, too
func.func @by_vectors(%c: vector<4xi1>, %v: vector<4xi32>, %w: vector<4xi32>) -> (vector<4xi32>, vector<4xi32>, vector<4xi32>) {
  %m = arith.constant dense<[true, false, true, false]> : vector<4xi1>
  %a = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %b = arith.constant dense<[5, 6, 7, 8]> : vector<4xi32>
  %0 = arith.select %m, %a, %b : vector<4xi1>, vector<4xi32>
  %t = arith.constant dense<true> : vector<4xi1>
  %1 = arith.select %t, %v, %w : vector<4xi1>, vector<4xi32>
  %n = arith.xori %c, %t : vector<4xi1>
  %2 = arith.select %n, %v, %w : vector<4xi1>, vector<4xi32>
  return %0, %1, %2 : vector<4xi32>, vector<4xi32>, vector<4xi32>
}

func.func @of_poison(%x: i32) -> (i32, i32, f32) {
  %p = ub.poison : i32
  %0 = arith.addi %x, %p : i32
  %1 = arith.muli %p, %p : i32
  %q = ub.poison : f32
  %2 = arith.negf %q : f32
  return %0, %1, %2 : i32, i32, f32
}

func.func @or_poison(%x: i32, %c: i1) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %0 = arith.divsi %x, %c0 : i32
  %p = ub.poison : i32
  %1 = arith.select %c, %x, %p : i32
  return %0, %1 : i32, i32
}

// One operation as it is.
func.func @ones_and_zeros(%c: vector<4xi1>) -> (vector<4xi32>, vector<4xi32>) {
  %zero = arith.constant dense<0> : vector<4xi32>
  %one = arith.constant dense<1> : vector<4xi32>
  %a = arith.select %c, %one, %zero : vector<4xi1>, vector<4xi32>
  %b = arith.select %c, %zero, %one : vector<4xi1>, vector<4xi32>
  return %a, %b : vector<4xi32>, vector<4xi32>
}
