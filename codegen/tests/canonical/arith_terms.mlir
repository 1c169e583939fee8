// test: canonical
func.func @terms(%x: i32, %y: i32) -> (i32, i32, i32, i32, i32, i32) {
  %0 = arith.subi %x, %x : i32
  %a = arith.addi %x, %y : i32
  %1 = arith.subi %a, %y : i32
  %2 = arith.subi %a, %x : i32
  %s = arith.subi %x, %y : i32
  %3 = arith.addi %s, %y : i32
  %4 = arith.addi %y, %s : i32
  %5 = arith.subi %s, %x : i32
  return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i32, i32, i32
}

func.func @by_one(%x: i32) -> (i32, i32, i32, i32, i32, i32, i32, i32) {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %0 = arith.divsi %x, %c1 : i32
  %1 = arith.divui %x, %c1 : i32
  %2 = arith.ceildivsi %x, %c1 : i32
  %3 = arith.floordivsi %x, %c1 : i32
  %4 = arith.remsi %x, %c1 : i32
  %5 = arith.remui %x, %c1 : i32
  %6 = arith.divsi %c0, %x : i32
  %7 = arith.ceildivui %x, %c1 : i32
  return %0, %1, %2, %3, %4, %5, %6, %7 : i32, i32, i32, i32, i32, i32, i32, i32
}

func.func @exact(%x: i32, %y: i32) -> (i32, i32) {
  %m = arith.muli %x, %y overflow<nsw> : i32
  %0 = arith.divsi %m, %y : i32
  %n = arith.muli %x, %y overflow<nuw> : i32
  %1 = arith.divui %n, %x : i32
  return %0, %1 : i32, i32
}

func.func @extended(%x: i32, %y: i32) -> (i32, i1, i32, i32, i32) {
  %0, %1 = arith.addui_extended %x, %y : i32, i1
  %2, %3 = arith.mulsi_extended %x, %y : i32
  %c0 = arith.constant 0 : i32
  %4, %5 = arith.mului_extended %x, %c0 : i32
  return %0, %1, %2, %4, %5 : i32, i1, i32, i32, i32
}

func.func @high_half(%x: i32, %y: i32) -> (i32, i32) {
  %c = arith.constant 32 : i64
  %a = arith.extsi %x : i32 to i64
  %b = arith.extsi %y : i32 to i64
  %m = arith.muli %a, %b : i64
  %s = arith.shrui %m, %c : i64
  %0 = arith.trunci %s : i64 to i32
  %d = arith.extui %x : i32 to i64
  %e = arith.extui %y : i32 to i64
  %n = arith.muli %d, %e : i64
  %u = arith.shrui %n, %c : i64
  %1 = arith.trunci %u : i64 to i32
  return %0, %1 : i32, i32
}

func.func @tensors(%t: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<2xf32>) {
  %z = arith.constant dense<0> : tensor<4xi32>
  %0 = arith.addi %t, %z : tensor<4xi32>
  %a = arith.constant dense<[1,2,3,4]> : tensor<4xi32>
  %1 = arith.addi %a, %a : tensor<4xi32>
  %f = arith.constant dense<[1.0,2.0]> : tensor<2xf32>
  %2 = arith.mulf %f, %f : tensor<2xf32>
  return %0, %1, %2 : tensor<4xi32>, tensor<4xi32>, tensor<2xf32>
}
