// Searches that stop where they find something, as compilers of other languages leave them: loops of
// blocks with two ways out, a value of the loop used behind it, and two ways back.
//
// Row r of a 4x8 matrix is 8 r + c, so the first element above 10 is number 8 for row 0, which means none,
// 3 for row 1 and 0 for the others; found[r] is its value, or -1. skipped[r] sums the even elements of the
// row: 8 r + 0, 2, 4, 6 is 32 r + 12.
//
// test: run --arg=iota --arg=zeros --arg=zeros --arg=zeros
// expect: arg 1 = [8, 3, 0, 0]
// expect: arg 2 = [-1, 11, 16, 24]
// expect: arg 3 = [12, 44, 76, 108]
func.func @search(%a: memref<4x8xi32>, %at: memref<4xindex>, %found: memref<4xi32>,
                  %skipped: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %ten = arith.constant 10 : i32
  %none = arith.constant -1 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.parallel (%r) = (%c0) to (%c4) step (%c1) {
    scf.execute_region {
      cf.br ^head(%c0 : index)
    ^head(%c: index):
      %in = arith.cmpi slt, %c, %c8 : index
      cf.cond_br %in, ^body, ^exhausted
    ^body:
      %v = memref.load %a[%r, %c] : memref<4x8xi32>
      %above = arith.cmpi sgt, %v, %ten : i32
      cf.cond_br %above, ^hit(%v : i32), ^next
    ^next:
      %d = arith.addi %c, %c1 : index
      cf.br ^head(%d : index)
    ^exhausted:
      memref.store %none, %found[%r] : memref<4xi32>
      cf.br ^done
    ^hit(%w: i32):
      memref.store %w, %found[%r] : memref<4xi32>
      cf.br ^done
    ^done:
      memref.store %c, %at[%r] : memref<4xindex>
      scf.yield
    }
    scf.execute_region {
      cf.br ^head(%c0, %zero : index, i32)
    ^head(%c: index, %sum: i32):
      %in = arith.cmpi slt, %c, %c8 : index
      cf.cond_br %in, ^body, ^done
    ^body:
      %v = memref.load %a[%r, %c] : memref<4x8xi32>
      %d = arith.addi %c, %c1 : index
      %bit = arith.andi %v, %one : i32
      %odd = arith.cmpi eq, %bit, %one : i32
      cf.cond_br %odd, ^head(%d, %sum : index, i32), ^add
    ^add:
      %more = arith.addi %sum, %v : i32
      cf.br ^head(%d, %more : index, i32)
    ^done:
      memref.store %sum, %skipped[%r] : memref<4xi32>
      scf.yield
    }
  }
  return
}
