// The Hough transform, as C computes it with an image and an accumulator in one dimension: bins are chosen through floats, and
// subscripts in `int` with sizes that are arguments. Each column of 3 pixels counts in the bin of its abscissa.
// test: run --entry=hough --arg=4 --arg=3 --arg=2 --arg=6 --arg=1 --arg=ones[12] --arg=ones[2] --arg=zeros[2] --arg=zeros[12]
// expect: arg 8 = [0, 3, 3, 3, 3, 0, 0, 3, 3, 3, 3, 0]
// test: run --entry=hough --arg=0 --arg=3 --arg=2 --arg=6 --arg=1 --arg=ones[12] --arg=ones[2] --arg=zeros[2] --arg=ones[3]
// expect: arg 8 = [1, 1, 1]
func.func @hough(%w: i32, %hh: i32, %nt: i32, %r: i32, %off: i32, %img: memref<?xi8>, %cs: memref<?xf32>, %sn: memref<?xf32>, %acc: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i8
  %one = arith.constant 1 : i32
  %w1 = arith.index_cast %w : i32 to index
  %h1 = arith.index_cast %hh : i32 to index
  %t1 = arith.index_cast %nt : i32 to index
  scf.for %y = %c0 to %h1 step %c1 {
    %y32 = arith.index_cast %y : index to i32
    scf.for %x = %c0 to %w1 step %c1 {
      %x32 = arith.index_cast %x : index to i32
      %yw = arith.muli %y32, %w : i32
      %k = arith.addi %yw, %x32 : i32
      %ki = arith.index_cast %k : i32 to index
      %px = memref.load %img[%ki] : memref<?xi8>
      %on = arith.cmpi ne, %px, %z : i8
      scf.if %on {
        %xf = arith.sitofp %x32 : i32 to f32
        %yf = arith.sitofp %y32 : i32 to f32
        scf.for %t = %c0 to %t1 step %c1 {
          %t32 = arith.index_cast %t : index to i32
          %ct = memref.load %cs[%t] : memref<?xf32>
          %st = memref.load %sn[%t] : memref<?xf32>
          %p = arith.mulf %xf, %ct : f32
          %q = arith.mulf %yf, %st : f32
          %s = arith.addf %p, %q : f32
          %ri = arith.fptosi %s : f32 to i32
          %rho = arith.addi %ri, %off : i32
          %tr = arith.muli %t32, %r : i32
          %ai = arith.addi %tr, %rho : i32
          %aii = arith.index_cast %ai : i32 to index
          %o = memref.load %acc[%aii] : memref<?xi32>
          %n = arith.addi %o, %one : i32
          memref.store %n, %acc[%aii] : memref<?xi32>
        }
      }
    }
  }
  return
}
