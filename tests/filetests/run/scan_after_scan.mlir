// The values of the second scan begin anew with the result of the first one. Of 20000 elements, those of the first scan are
// i mod 11, the running maximum begins with 4 again where the element is 5; 19999 mod 11 is 1, so that it ends with 10. The
// second one takes the minimum of i mod 13 + 2 where that is 4 or less, else starts from the first one's result: at 19999 = 5 modulo 13 from 10.
//
// test: run --arg=zeros --arg=zeros --arg=zeros
// expect: arg 2 = [10, 10, 170872, 163064]
func.func @main(%maxima: memref<20000xi32>, %minima: memref<20000xi32>, %out: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  %four = arith.constant 4 : i32
  %five = arith.constant 5 : i32
  %first = affine.for %i = 0 to 20000 iter_args(%max = %zero) -> i32 {
    %place = affine.apply affine_map<(d0) -> (d0 mod 11)>(%i)
    %x = arith.index_cast %place : index to i32
    %begins = arith.cmpi eq, %x, %five : i32
    %greater = arith.maxsi %x, %max : i32
    %new = arith.select %begins, %four, %greater : i32
    affine.store %new, %maxima[%i] : memref<20000xi32>
    affine.yield %new : i32
  }
  %second = affine.for %i = 0 to 20000 iter_args(%min = %five) -> i32 {
    %place = affine.apply affine_map<(d0) -> (d0 mod 13 + 2)>(%i)
    %x = arith.index_cast %place : index to i32
    %goes_on = arith.cmpi sle, %x, %four : i32
    %less = arith.minsi %x, %min : i32
    %new = arith.select %goes_on, %less, %first : i32
    affine.store %new, %minima[%i] : memref<20000xi32>
    affine.yield %new : i32
  }
  affine.store %first, %out[0] : memref<4xi32>
  affine.store %second, %out[1] : memref<4xi32>
  affine.for %i = 0 to 20000 {
    %x = affine.load %maxima[%i] : memref<20000xi32>
    %sum_x = affine.load %out[2] : memref<4xi32>
    %new_x = arith.addi %sum_x, %x : i32
    affine.store %new_x, %out[2] : memref<4xi32>
    %y = affine.load %minima[%i] : memref<20000xi32>
    %sum_y = affine.load %out[3] : memref<4xi32>
    %new_y = arith.addi %sum_y, %y : i32
    affine.store %new_y, %out[3] : memref<4xi32>
  }
  return
}
