// test: canonical
func.func @sums(%x: i32, %y: i32, %z: index) -> (i32, i32, i32, i32, i32, i32, i32, i32, i32, index) {
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %a0 = arith.addi %x, %c3 : i32
  %a = arith.addi %c5, %a0 : i32
  %b0 = arith.subi %x, %c3 : i32
  %b = arith.addi %b0, %c5 : i32
  %c0 = arith.subi %c3, %x : i32
  %c = arith.addi %c0, %c5 : i32
  %d = arith.subi %a0, %c5 : i32
  %e = arith.subi %b0, %c5 : i32
  %f = arith.subi %c0, %c5 : i32
  %g = arith.subi %c5, %a0 : i32
  %h = arith.subi %c5, %b0 : i32
  %i = arith.subi %c5, %c0 : i32
  %m0 = arith.constant 7 : index
  %m1 = arith.addi %z, %m0 : index
  %m2 = arith.addi %m1, %m0 : index
  %m3 = arith.addi %m2, %m0 : index
  return %a, %b, %c, %d, %e, %f, %g, %h, %i, %m3 : i32, i32, i32, i32, i32, i32, i32, i32, i32, index
}

// differs: @sums_of_vectors: elements may differ from each other
func.func @sums_of_vectors(%x: vector<3xi16>) -> (vector<3xi16>, vector<3xi16>) {
  %c = arith.constant dense<[1, 2, 32767]> : vector<3xi16>
  %d = arith.constant dense<4> : vector<3xi16>
  %a0 = arith.addi %x, %c : vector<3xi16>
  %a = arith.addi %a0, %d : vector<3xi16>
  %b = arith.subi %d, %a0 : vector<3xi16>
  return %a, %b : vector<3xi16>, vector<3xi16>
}

func.func @flags_stay(%x: i8) -> (i8, i8, i8) {
  %c3 = arith.constant 3 : i8
  %c5 = arith.constant 5 : i8
  %a0 = arith.addi %x, %c3 overflow<nsw, nuw> : i8
  %a = arith.addi %a0, %c5 overflow<nsw, nuw> : i8
  %b = arith.addi %a0, %c5 overflow<nsw> : i8
  %m0 = arith.muli %x, %c3 overflow<nuw> : i8
  %m = arith.muli %m0, %c5 overflow<nuw> : i8
  return %a, %b, %m : i8, i8, i8
}

// differs: @flags_go: the constant wraps, so the sum may
func.func @flags_go(%x: i8) -> i8 {
  %c = arith.constant 100 : i8
  %a0 = arith.addi %x, %c overflow<nsw> : i8
  %a = arith.addi %a0, %c overflow<nsw> : i8
  return %a : i8
}

func.func @undone(%x: i32, %y: i32) -> (i32, i32, i32, i32, i32, i32, i32, i32, i32) {
  %d = arith.subi %x, %y : i32
  %a = arith.addi %d, %y : i32
  %b = arith.addi %y, %d : i32
  %s = arith.addi %x, %y : i32
  %c = arith.subi %s, %y : i32
  %e = arith.subi %s, %x : i32
  %f = arith.subi %d, %x : i32
  %m1 = arith.constant -1 : i32
  %n = arith.muli %y, %m1 : i32
  %g = arith.addi %x, %n : i32
  %h = arith.addi %n, %x : i32
  %o = arith.xori %x, %y : i32
  %p = arith.xori %o, %y : i32
  %q = arith.xori %o, %x : i32
  return %a, %b, %c, %e, %f, %g, %h, %p, %q : i32, i32, i32, i32, i32, i32, i32, i32, i32
}

func.func @identities(%x: i16) -> (i16, i16, i16, i16, i16, i16, i16, i16, i16, i16, i16, i16, i16, i16) {
  %c0 = arith.constant 0 : i16
  %c1 = arith.constant 1 : i16
  %m1 = arith.constant -1 : i16
  %a = arith.addi %c0, %x : i16
  %b = arith.subi %x, %x : i16
  %c = arith.muli %c1, %x : i16
  %d = arith.muli %x, %c0 : i16
  %e = arith.divsi %x, %c1 : i16
  %f = arith.remui %x, %c1 : i16
  %g = arith.andi %x, %m1 : i16
  %h = arith.ori %x, %m1 : i16
  %n = arith.xori %x, %m1 : i16
  %i = arith.andi %x, %n : i16
  %j = arith.ori %n, %x : i16
  %k = arith.shli %x, %c0 : i16
  %l = arith.ceildivui %x, %c1 : i16
  %y = arith.andi %x, %k : i16
  %o = arith.floordivsi %x, %c1 : i16
  %p = arith.shrsi %x, %c0 : i16
  return %a, %b, %c, %d, %e, %f, %g, %h, %i, %j, %l, %y, %o, %p : i16, i16, i16, i16, i16, i16, i16, i16, i16, i16, i16, i16, i16, i16
}

func.func @extrema(%x: i8) -> (i8, i8, i8, i8, i8, i8, i8, i8) {
  %least = arith.constant -128 : i8
  %most = arith.constant 127 : i8
  %zero = arith.constant 0 : i8
  %ones = arith.constant -1 : i8
  %a = arith.maxsi %x, %least : i8
  %b = arith.maxsi %x, %most : i8
  %c = arith.minsi %x, %most : i8
  %d = arith.minsi %least, %x : i8
  %e = arith.maxui %x, %zero : i8
  %f = arith.maxui %x, %ones : i8
  %g = arith.minui %x, %ones : i8
  %h = arith.minui %zero, %x : i8
  return %a, %b, %c, %d, %e, %f, %g, %h : i8, i8, i8, i8, i8, i8, i8, i8
}

func.func @constants() -> (i32, i32, i32, i32, i32, i32, vector<2xi8>, tensor<3xi64>, i1) {
  %a = arith.constant 7 : i32
  %b = arith.constant -2 : i32
  %0 = arith.divsi %a, %b : i32
  %1 = arith.floordivsi %a, %b : i32
  %2 = arith.ceildivsi %a, %b : i32
  %3 = arith.remsi %a, %b : i32
  %4 = arith.divui %b, %a : i32
  %5 = arith.shrsi %b, %a : i32
  %u = arith.constant dense<[100, 50]> : vector<2xi8>
  %v = arith.constant dense<[100, 6]> : vector<2xi8>
  %6 = arith.addi %u, %v : vector<2xi8>
  %s = arith.constant dense<[1, 2, 3]> : tensor<3xi64>
  %t = arith.constant dense<[3, 2, 1]> : tensor<3xi64>
  %7 = arith.addi %s, %t : tensor<3xi64>
  %8 = arith.cmpi ult, %a, %b : i32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : i32, i32, i32, i32, i32, i32, vector<2xi8>, tensor<3xi64>, i1
}

func.func @undefined(%x: i8) -> (i8, i8, i8, i8) {
  %zero = arith.constant 0 : i8
  %least = arith.constant -128 : i8
  %m1 = arith.constant -1 : i8
  %eight = arith.constant 8 : i8
  %a = arith.divsi %eight, %zero : i8
  %b = arith.divsi %least, %m1 : i8
  %c = arith.shli %least, %eight : i8
  %d = arith.remui %eight, %zero : i8
  return %a, %b, %c, %d : i8, i8, i8, i8
}

func.func @wide(%x: i32) -> (i32, i1, i32, i32, i32, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %a:2 = arith.addui_extended %x, %c0 : i32, i1
  %b:2 = arith.mulsi_extended %x, %c1 : i32
  %c:2 = arith.mului_extended %x, %c1 : i32
  %d:2 = arith.mulsi_extended %x, %c7 : i32
  %e:2 = arith.addui_extended %x, %c7 : i32, i1
  return %a#0, %a#1, %b#0, %b#1, %c#0, %c#1, %d#0, %e#0 : i32, i1, i32, i32, i32, i32, i32, i32
}

func.func @quotient_of_product(%x: i32, %y: i32) -> (i32, i32, i32) {
  %a = arith.muli %x, %y overflow<nuw> : i32
  %b = arith.divui %a, %y : i32
  %c = arith.muli %x, %y overflow<nsw> : i32
  %d = arith.divsi %c, %x : i32
  %e = arith.divui %c, %x : i32
  return %b, %d, %e : i32, i32, i32
}
