// Loops that end where they find something.
//
// test: run --entry=tested_first --arg=iota --arg=277777 --arg=300000
// expect: result 0 = 277777
// test: run --entry=tested_first --arg=iota --arg=-5 --arg=200001
// expect: result 0 = 200001
// test: run --map-for=gpu --entry=tested_first --arg=iota --arg=0 --arg=300000
// expect: result 0 = 0
// test: run --entry=tested_first --arg=iota --arg=0 --arg=-3
// expect: result 0 = 0
func.func @tested_first(%x: memref<300000xi32>, %key: i32, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no = arith.constant false
  %at = scf.while (%i = %c0) : (index) -> index {
    %more = arith.cmpi slt, %i, %n : index
    %goes_on = scf.if %more -> i1 {
      %v = memref.load %x[%i] : memref<300000xi32>
      %differs = arith.cmpi ne, %v, %key : i32
      scf.yield %differs : i1
    } else {
      scf.yield %no : i1
    }
    scf.condition(%goes_on) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  return %at : index
}

// As a front end leaves `for (int i = 0; i < n; i++) if (x[i] == key) { at = i; break; }`.
//
// test: run --entry=with_break --arg=iota[300000] --arg=262144 --arg=300000
// expect: result 0 = 262144
// test: run --entry=with_break --arg=iota[300000] --arg=300000 --arg=300000
// expect: result 0 = -1
// test: run --entry=with_break --arg=iota[0] --arg=3 --arg=0
// expect: result 0 = -1
func.func @with_break(%x: memref<?xi32>, %key: i32, %n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant -1 : i32
  %counter = memref.alloca() : memref<i32>
  %result = memref.alloca() : memref<i32>
  memref.store %none, %result[] : memref<i32>
  memref.store %zero, %counter[] : memref<i32>
  cf.br ^test
^test:
  %i = memref.load %counter[] : memref<i32>
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %j = memref.load %counter[] : memref<i32>
  %at = arith.index_cast %j : i32 to index
  %v = memref.load %x[%at] : memref<?xi32>
  %equal = arith.cmpi eq, %v, %key : i32
  cf.cond_br %equal, ^found, ^next
^found:
  %k = memref.load %counter[] : memref<i32>
  memref.store %k, %result[] : memref<i32>
  cf.br ^exit
^next:
  %l = memref.load %counter[] : memref<i32>
  %m = arith.addi %l, %one : i32
  memref.store %m, %counter[] : memref<i32>
  cf.br ^test
^exit:
  %r = memref.load %result[] : memref<i32>
  return %r : i32
}
