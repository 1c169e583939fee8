// A hand-written product that stages tiles of both factors in workgroup memory.
// test: run --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [19840, 19960, 20080, 20200, 20320, 20440, 20560, 20680, 20800, 20920, 21040, 21160, 21280, 21400, 21520, 21640, 50560, 50936, 51312, 51688, 52064, 52440, 52816, 53192, 53568, 53944, 54320, 54696, 55072, 55448, 55824, 56200, 81280, 81912, 82544, 83176, 83808, 84440, 85072, 85704, 86336, 86968, 87600, 88232, 88864, 89496, 90128, 90760, 112000, 112888, 113776, 114664, 115552, 116440, 117328, 118216, 119104, 119992, 120880, 121768, 122656, 123544, 124432, 125320, 142720, 143864, 145008, 146152, 147296, 148440, 149584, 150728, 151872, 153016, 154160, 155304, 156448, 157592, 158736, 159880, 173440, 174840, 176240, 177640, 179040, 180440, 181840, 183240, 184640, 186040, 187440, 188840, 190240, 191640, 193040, 194440, 204160, 205816, 207472, 209128, 210784, 212440, 214096, 215752, 217408, 219064, 220720, 222376, 224032, 225688, 227344, 229000, 234880, 236792, 238704, 240616, 242528, 244440, 246352, 248264, 250176, 252088, 254000, 255912, 257824, 259736, 261648, 263560, 265600, 267768, 269936, 272104, 274272, 276440, 278608, 280776, 282944, 285112, 287280, 289448, 291616, 293784, 295952, 298120, 296320, 298744, 301168, 303592, 306016, 308440, 310864, 313288, 315712, 318136, 320560, 322984, 325408, 327832, 330256, 332680, 327040, 329720, 332400, 335080, 337760, 340440, 343120, 345800, 348480, 351160, 353840, 356520, 359200, 361880, 364560, 367240, 357760, 360696, 363632, 366568, 369504, 372440, 375376, 378312, 381248, 384184, 387120, 390056, 392992, 395928, 398864, 401800, 388480, 391672, 394864, 398056, 401248, 404440, 407632, 410824, 414016, 417208, 420400, 423592, 426784, 429976, 433168, 436360, 419200, 422648, 426096, 429544, 432992, 436440, 439888, 443336, 446784, 450232, 453680, 457128, 460576, 464024, 467472, 470920, 449920, 453624, 457328, 461032, 464736, 468440, 472144, 475848, 479552, 483256, 486960, 490664, 494368, 498072, 501776, 505480, 480640, 484600, 488560, 492520, 496480, 500440, 504400, 508360, 512320, 516280, 520240, 524200, 528160, 532120, 536080, 540040]
func.func @product_by_workgroup_tiles(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  gpu.launch blocks(%bx, %by,%bz) in (%gx=%c2, %gy=%c2, %gz=%c1) threads(%tx, %ty,%tz) in (%sx=%c8, %sy=%c8, %sz=%c1) workgroup(%ta: memref<8x8xf32, #gpu.address_space<workgroup>>, %tb: memref<8x8xf32, #gpu.address_space<workgroup>>) {
    %z = arith.constant 0.0 : f32
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k8 = arith.constant 8 : index
    %k16 = arith.constant 16 : index
    %i = affine.apply affine_map<(b,t)->(b*8+t)>(%by, %ty)
    %j = affine.apply affine_map<(b,t)->(b*8+t)>(%bx, %tx)
    %r = scf.for %kk = %k0 to %k16 step %k8 iter_args(%acc=%z) -> f32 {
      %ka = arith.addi %kk, %tx : index
      %kb = arith.addi %kk, %ty : index
      %x = memref.load %a[%i, %ka] : memref<16x16xf32>
      %y = memref.load %b[%kb, %j] : memref<16x16xf32>
      memref.store %x, %ta[%ty, %tx] : memref<8x8xf32, #gpu.address_space<workgroup>>
      memref.store %y, %tb[%ty, %tx] : memref<8x8xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %s = scf.for %k = %k0 to %k8 step %k1 iter_args(%q=%acc) -> f32 {
        %u = memref.load %ta[%ty, %k] : memref<8x8xf32, #gpu.address_space<workgroup>>
        %v = memref.load %tb[%k, %tx] : memref<8x8xf32, #gpu.address_space<workgroup>>
        %p = arith.mulf %u, %v : f32
        %n = arith.addf %q, %p : f32
        scf.yield %n : f32
      }
      gpu.barrier
      scf.yield %s : f32
    }
    memref.store %r, %c[%i, %j] : memref<16x16xf32>
    gpu.terminator
  }
  return
}
