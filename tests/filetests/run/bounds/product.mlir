// A product of open sizes that suffice, and one with tiles that jut out. Values from a program of three loops in Python.
// test: run --arg=iota[9x5] --arg=iota[5x11] --arg=zeros[9x11]
// expect: arg 2 = [330, 340, 350, 360, 370, 380, 390, 400, 410, 420, 430, 880, 915, 950, 985, 1020, 1055, 1090, 1125, 1160, 1195, 1230, 1430, 1490, 1550, 1610, 1670, 1730, 1790, 1850, 1910, 1970, 2030, 1980, 2065, 2150, 2235, 2320, 2405, 2490, 2575, 2660, 2745, 2830, 2530, 2640, 2750, 2860, 2970, 3080, 3190, 3300, 3410, 3520, 3630, 3080, 3215, 3350, 3485, 3620, 3755, 3890, 4025, 4160, 4295, 4430, 3630, 3790, 3950, 4110, 4270, 4430, 4590, 4750, 4910, 5070, 5230, 4180, 4365, 4550, 4735, 4920, 5105, 5290, 5475, 5660, 5845, 6030, 4730, 4940, 5150, 5360, 5570, 5780, 5990, 6200, 6410, 6620, 6830]
// test: stages --offload=target=cpu
// test: stages --offload=target=gpu
func.func @gemm(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %c, %c0 : memref<?x?xf32>
  %n = memref.dim %c, %c1 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.for %l = 0 to %k {
        %x = affine.load %a[%i, %l] : memref<?x?xf32>
        %y = affine.load %b[%l, %j] : memref<?x?xf32>
        %z = affine.load %c[%i, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
