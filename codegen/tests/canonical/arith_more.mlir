// test: canonical
func.func @selects(%c: i1, %x: i32, %y: i32) -> (i1, i32, i32) {
  %t = arith.constant true
  %f = arith.constant false
  %0 = arith.select %c, %t, %f : i1
  %1 = arith.select %t, %x, %y : i32
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %2 = arith.select %c, %zero, %one : i32
  return %0, %1, %2 : i1, i32, i32
}

func.func @same(%x: i32, %y: i32) -> (i1, i1, i1, i1) {
  %0 = arith.cmpi eq, %x, %x : i32
  %1 = arith.cmpi slt, %x, %x : i32
  %2 = arith.cmpi uge, %x, %x : i32
  %a = arith.addi %x, %y : i32
  %3 = arith.cmpi eq, %a, %x : i32
  return %0, %1, %2, %3 : i1, i1, i1, i1
}

func.func @beyond(%x: i8) -> (i8, i8) {
  %c100 = arith.constant 100 : i8
  %c50 = arith.constant 50 : i8
  %0 = arith.addi %c100, %c50 : i8
  %1 = arith.addi %c100, %c50 overflow<nsw> : i8
  return %0, %1 : i8, i8
}

func.func @rests() -> (f32, f32, i32, f32) {
  %a = arith.constant 5.5 : f32
  %b = arith.constant -2.0 : f32
  %0 = arith.remf %a, %b : f32
  %1 = arith.divf %a, %b : f32
  %2 = arith.fptosi %a : f32 to i32
  %c = arith.constant 7 : i32
  %3 = arith.sitofp %c : i32 to f32
  return %0, %1, %2, %3 : f32, f32, i32, f32
}

func.func @bits(%x: i32) -> (f32, i32, vector<2xf32>) {
  %c = arith.constant 1065353216 : i32
  %0 = arith.bitcast %c : i32 to f32
  %1 = arith.bitcast %x : i32 to i32
  %v = arith.constant dense<1065353216> : vector<2xi32>
  %2 = arith.bitcast %v : vector<2xi32> to vector<2xf32>
  return %0, %1, %2 : f32, i32, vector<2xf32>
}

func.func @no_numbers(%x: f32) -> (f32, f32, f32) {
  %nan = arith.constant 0x7FC00000 : f32
  %0 = arith.maximumf %x, %nan : f32
  %1 = arith.maxnumf %x, %nan : f32
  %2 = arith.minnumf %x, %nan : f32
  return %0, %1, %2 : f32, f32, f32
}

func.func @twice(%a: f32) -> f32 {
  %z = arith.constant 2.0 : f32
  %0 = arith.mulf %z, %a : f32
  %1 = arith.mulf %0, %z : f32
  return %1 : f32
}

func.func @indices(%x: index) -> (index, index, index, index) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %0 = arith.addi %x, %c4 : index
  %1 = arith.addi %0, %c8 : index
  %2 = arith.muli %x, %c4 : index
  %3 = arith.muli %2, %c8 : index
  %4 = arith.divui %c8, %c4 : index
  %5 = arith.subi %x, %c4 : index
  %6 = arith.addi %5, %c4 : index
  return %1, %3, %4, %6 : index, index, index, index
}

func.func @unsigned(%x: i8) -> (f64, i8) {
  %0 = arith.uitofp %x : i8 to f32
  %1 = arith.extf %0 : f32 to f64
  %2 = arith.fptoui %0 : f32 to i8
  return %1, %2 : f64, i8
}
