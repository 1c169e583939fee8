// Division, remainder, shifts and masks, as arith has them and as lower-affine writes them.
// test: opt --raise-to-affine --canonicalize
// test: run-opt --entry=natural --arg=random:1[100] --arg=6
// test: run-opt --entry=any_sign --arg=random:1[9] --arg=6 --arg=6
// test: run-opt --entry=wraps --arg=random:1[400] --arg=6 --arg=6
// test: run-opt --entry=lowered --arg=random:1[9] --arg=6 --arg=6
func.func @natural(%a: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = arith.divsi %i, %c4 : index
    %1 = arith.remui %i, %c7 : index
    %2 = arith.shrui %i, %c1 : index
    %3 = arith.shli %i, %c4 : index
    %4 = arith.andi %i, %c7 : index
    %5 = memref.load %a[%0] : memref<?xf32>
    %6 = memref.load %a[%1] : memref<?xf32>
    %7 = memref.load %a[%2] : memref<?xf32>
    memref.store %5, %a[%3] : memref<?xf32>
    memref.store %6, %a[%4] : memref<?xf32>
    memref.store %7, %a[%i] : memref<?xf32>
  }
  return
}

// The counter may be negative: arith truncates, and only its own rounding division is affine.
func.func @any_sign(%a: memref<?xf32>, %m: index, %n: index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %m to %n step %c1 {
    %0 = arith.divsi %i, %c4 : index
    %1 = arith.floordivsi %i, %c4 : index
    %2 = arith.ceildivsi %i, %c4 : index
    %3 = arith.remsi %i, %c4 : index
    %4 = memref.load %a[%0] : memref<?xf32>
    %5 = memref.load %a[%1] : memref<?xf32>
    memref.store %4, %a[%2] : memref<?xf32>
    memref.store %5, %a[%3] : memref<?xf32>
  }
  return
}

// A product that may wrap around is affine, a quotient of it is not.
func.func @wraps(%a: memref<?xf32>, %n: index, %s: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = arith.muli %s, %c4 : index
    %1 = arith.addi %0, %i : index
    %2 = arith.floordivsi %1, %c4 : index
    %3 = memref.load %a[%1] : memref<?xf32>
    memref.store %3, %a[%2] : memref<?xf32>
  }
  return
}

// floordiv, ceildiv and mod as upstream's lower-affine writes them.
func.func @lowered(%a: memref<?xf32>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c-1 = arith.constant -1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %m to %n step %c1 {
    %0 = arith.cmpi slt, %i, %c0 : index
    %1 = arith.subi %c-1, %i : index
    %2 = arith.select %0, %1, %i : index
    %3 = arith.divsi %2, %c3 : index
    %4 = arith.subi %c-1, %3 : index
    %floor = arith.select %0, %4, %3 : index
    %5 = arith.cmpi sle, %i, %c0 : index
    %6 = arith.subi %c0, %i : index
    %7 = arith.subi %i, %c1 : index
    %8 = arith.select %5, %6, %7 : index
    %9 = arith.divsi %8, %c3 : index
    %10 = arith.subi %c0, %9 : index
    %11 = arith.addi %9, %c1 : index
    %ceil = arith.select %5, %10, %11 : index
    %12 = arith.remsi %i, %c3 : index
    %13 = arith.cmpi slt, %12, %c0 : index
    %14 = arith.addi %12, %c3 : index
    %mod = arith.select %13, %14, %12 : index
    %15 = memref.load %a[%floor] : memref<?xf32>
    %16 = memref.load %a[%ceil] : memref<?xf32>
    memref.store %15, %a[%mod] : memref<?xf32>
    memref.store %16, %a[%i] : memref<?xf32>
  }
  return
}
