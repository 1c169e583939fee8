// A thread reverses its row in private memory and sums along it.
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [7, 13, 18, 22, 25, 27, 28, 28, 15, 29, 42, 54, 65, 75, 84, 92, 23, 45, 66, 86, 105, 123, 140, 156, 31, 61, 90, 118, 145, 171, 196, 220, 39, 77, 114, 150, 185, 219, 252, 284, 47, 93, 138, 182, 225, 267, 308, 348, 55, 109, 162, 214, 265, 315, 364, 412, 63, 125, 186, 246, 305, 363, 420, 476, 71, 141, 210, 278, 345, 411, 476, 540, 79, 157, 234, 310, 385, 459, 532, 604, 87, 173, 258, 342, 425, 507, 588, 668, 95, 189, 282, 374, 465, 555, 644, 732, 103, 205, 306, 406, 505, 603, 700, 796, 111, 221, 330, 438, 545, 651, 756, 860, 119, 237, 354, 470, 585, 699, 812, 924, 127, 253, 378, 502, 625, 747, 868, 988, 135, 269, 402, 534, 665, 795, 924, 1052, 143, 285, 426, 566, 705, 843, 980, 1116, 151, 301, 450, 598, 745, 891, 1036, 1180, 159, 317, 474, 630, 785, 939, 1092, 1244, 167, 333, 498, 662, 825, 987, 1148, 1308, 175, 349, 522, 694, 865, 1035, 1204, 1372, 183, 365, 546, 726, 905, 1083, 1260, 1436, 191, 381, 570, 758, 945, 1131, 1316, 1500, 199, 397, 594, 790, 985, 1179, 1372, 1564, 207, 413, 618, 822, 1025, 1227, 1428, 1628, 215, 429, 642, 854, 1065, 1275, 1484, 1692, 223, 445, 666, 886, 1105, 1323, 1540, 1756, 231, 461, 690, 918, 1145, 1371, 1596, 1820, 239, 477, 714, 950, 1185, 1419, 1652, 1884, 247, 493, 738, 982, 1225, 1467, 1708, 1948, 255, 509, 762, 1014, 1265, 1515, 1764, 2012]
func.func @private_row_of_a_thread(%a: memref<32x8xf32>, %o: memref<32x8xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by,%bz) in (%gx=%c1, %gy=%c1, %gz=%c1) threads(%tx, %ty,%tz) in (%sx=%c32, %sy=%c1, %sz=%c1) private(%p: memref<8xf32, #gpu.address_space<private>>) {
    affine.for %k = 0 to 8 {
      %v = memref.load %a[%tx, %k] : memref<32x8xf32>
      affine.store %v, %p[7 - %k] : memref<8xf32, #gpu.address_space<private>>
    }
    affine.for %k = 1 to 8 {
      %v = affine.load %p[%k] : memref<8xf32, #gpu.address_space<private>>
      %u = affine.load %p[%k - 1] : memref<8xf32, #gpu.address_space<private>>
      %w = arith.addf %u, %v : f32
      affine.store %w, %p[%k] : memref<8xf32, #gpu.address_space<private>>
    }
    affine.for %k = 0 to 8 {
      %v = affine.load %p[%k] : memref<8xf32, #gpu.address_space<private>>
      memref.store %v, %o[%tx, %k] : memref<32x8xf32>
    }
    gpu.terminator
  }
  return
}
