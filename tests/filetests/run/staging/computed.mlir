// Staged elements that are computed once, where they are copied: conversions to wider types, a
// product with a number from outside, loads of one box that are converted alike, and ones that are
// not, of which the box holds what they load.
// test: run --map-for=gpu --entry=halves
// test: run --map-for=gpu --entry=bytes
// test: run --map-for=gpu --entry=doubles
// test: run --map-for=gpu --entry=scaled --arg=random:1[40x36] --arg=random:2[36x44] --arg=random:3[40x44] --arg=2.5
// test: run --map-for=gpu --entry=alike
// test: run --map-for=gpu --entry=different
func.func @halves(%a: memref<61x47xf16>, %b: memref<47x75xf16>, %c: memref<61x75xf32>) {
  affine.for %i = 0 to 61 {
    affine.for %j = 0 to 75 {
      affine.for %k = 0 to 47 {
        %x = affine.load %a[%i, %k] : memref<61x47xf16>
        %y = affine.load %b[%k, %j] : memref<47x75xf16>
        %z = affine.load %c[%i, %j] : memref<61x75xf32>
        %u = arith.extf %x : f16 to f32
        %v = arith.extf %y : f16 to f32
        %p = arith.mulf %u, %v : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<61x75xf32>
      }
    }
  }
  return
}
func.func @bytes(%a: memref<40x52xi8>, %b: memref<44x52xi8>, %c: memref<40x44xi32>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 44 {
      affine.for %k = 0 to 52 {
        %x = affine.load %a[%i, %k] : memref<40x52xi8>
        %y = affine.load %b[%j, %k] : memref<44x52xi8>
        %z = affine.load %c[%i, %j] : memref<40x44xi32>
        %u = arith.extsi %x : i8 to i32
        %v = arith.extui %y : i8 to i32
        %p = arith.muli %u, %v : i32
        %s = arith.addi %z, %p : i32
        affine.store %s, %c[%i, %j] : memref<40x44xi32>
      }
    }
  }
  return
}
func.func @doubles(%a: memref<38x36xf64>, %b: memref<36x50xf64>, %c: memref<38x50xf64>) {
  affine.for %i = 0 to 38 {
    affine.for %j = 0 to 50 {
      affine.for %k = 0 to 36 {
        %x = affine.load %a[%i, %k] : memref<38x36xf64>
        %y = affine.load %b[%k, %j] : memref<36x50xf64>
        %z = affine.load %c[%i, %j] : memref<38x50xf64>
        %p = arith.mulf %x, %y : f64
        %s = arith.addf %z, %p : f64
        affine.store %s, %c[%i, %j] : memref<38x50xf64>
      }
    }
  }
  return
}
func.func @scaled(%a: memref<40x36xf32>, %b: memref<36x44xf32>, %c: memref<40x44xf32>, %alpha: f32) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 44 {
      affine.for %k = 0 to 36 {
        %x = affine.load %a[%i, %k] : memref<40x36xf32>
        %y = affine.load %b[%k, %j] : memref<36x44xf32>
        %z = affine.load %c[%i, %j] : memref<40x44xf32>
        %m = arith.mulf %alpha, %x : f32
        %n = arith.negf %m : f32
        %p = arith.mulf %n, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<40x44xf32>
      }
    }
  }
  return
}
func.func @alike(%a: memref<42x40xf16>, %b: memref<40x40xf32>, %c: memref<40x40xf32>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      affine.for %k = 0 to 40 {
        %x0 = affine.load %a[%i, %k] : memref<42x40xf16>
        %x1 = affine.load %a[%i + 1, %k] : memref<42x40xf16>
        %y = affine.load %b[%k, %j] : memref<40x40xf32>
        %z = affine.load %c[%i, %j] : memref<40x40xf32>
        %u0 = arith.extf %x0 : f16 to f32
        %u1 = arith.extf %x1 : f16 to f32
        %u = arith.addf %u0, %u1 : f32
        %p = arith.mulf %u, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<40x40xf32>
      }
    }
  }
  return
}
func.func @different(%a: memref<42x40xi16>, %b: memref<40x40xi32>, %c: memref<40x40xi32>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      affine.for %k = 0 to 40 {
        %x0 = affine.load %a[%i, %k] : memref<42x40xi16>
        %x1 = affine.load %a[%i + 1, %k] : memref<42x40xi16>
        %y = affine.load %b[%k, %j] : memref<40x40xi32>
        %z = affine.load %c[%i, %j] : memref<40x40xi32>
        %u0 = arith.extsi %x0 : i16 to i32
        %u1 = arith.extui %x1 : i16 to i32
        %u = arith.addi %u0, %u1 : i32
        %p = arith.muli %u, %y : i32
        %s = arith.addi %z, %p : i32
        affine.store %s, %c[%i, %j] : memref<40x40xi32>
      }
    }
  }
  return
}
