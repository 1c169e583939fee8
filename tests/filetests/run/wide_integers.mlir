// Integers of more than 64 bits, in memory, in loops and calls, and all that computes with them. Expected is what Python's integers give.
//
// test: run --entry=generator --arg=zeros
// expect: arg 0 = [5, -1740290828500828355, -9009337863271798274, -4215279798096647090, -7023590906321422703, 1487225480836199790, -2421272249422748025, 3908675869946561698, -3788691602852815378, -7321341042070078322]
// test: run --entry=operations --arg=zeros
// expect: arg 0 = [[[1767071559805263668, 54756805833], [7657186144467654998, 54694311017], [-5553349902409470357, 16505872145], [4692759852750233669, 29671433], [-2925688292944970001, 54727134399], [-7618448145695203670, 54697462966], [4712128852136459333, 54725558425], [4712128852136459333, 54725558425], [4712128852136459333, 54725558425], [1751, 0], [-3580892914614383732, 11347296], [-447, 68719476735], [-2009651586529838186, 68693149729], [-448, 68719476735], [-447, 68719476735], [1752, 0], [-2945057292331195665, 31247407], [4712128852136459333, 54725558425], [4712128852136459333, 54725558425], [-2945057292331195665, 31247407], [0, 0], [1, 0], [0, 0], [0, 0], [1, 0], [51, 0], [0, 0], [0, 0], [-4712128852136459333, 13993918310], [-4176507210383887143, 0], [1900797532, 0], [-6867303336484274176, 61722517580], [4712128852136459333, 25]], [[-5710247810770547142, 4047793130], [-5710247810770547148, 4047793130], [1316000641397910181, 12143379392], [3, 0], [-5710247810770547145, 4047793130], [-5710247810770547148, 4047793130], [7026248452168457326, 8095586261], [6368248131469502235, 2023896565], [6368248131469502235, 2023896565], [-1903415936923515715, 1349264376], [0, 0], [-1903415936923515715, 1349264376], [0, 0], [-1903415936923515715, 1349264376], [-1903415936923515715, 1349264376], [-1903415936923515715, 1349264376], [-5710247810770547145, 4047793130], [3, 0], [-5710247810770547145, 4047793130], [3, 0], [0, 0], [0, 0], [1, 0], [0, 0], [1, 0], [52, 0], [4, 0], [0, 0], [-5710247810770547145, 4047793130], [5039009621232457764, 0], [1869694060, 0], [6368248202776281088, 2023896565], [-5710247810770547145, 68719476714]], [[-6418882230475948505, 25436192160], [-6418882230475948501, 25436192160], [-5608979612757654610, 17847092414], [-6418882230475948504, 25436192160], [-1, 68719476735], [6418882230475948503, 43283284575], [-9223372036854775808, 66013429524], [50872384321, 0], [50872384321, 0], [0, 0], [-6418882230475948503, 25436192160], [-6013930921616801556, 56001380655], [1, 0], [-6013930921616801557, 56001380655], [-6013930921616801556, 56001380655], [1, 0], [-6418882230475948503, 25436192160], [-2, 68719476735], [-2, 68719476735], [-6418882230475948503, 25436192160], [0, 0], [0, 0], [1, 0], [1, 0], [0, 0], [57, 0], [1, 0], [0, 0], [-6418882230475948503, 25436192160], [5050699527812717486, 0], [1891468208, 0], [6013923983655698432, 12718096080], [-6418882230475948503, 68719476704]], [[-1, 34359738367], [1, 34359738368], [0, 34359738368], [0, 34359738368], [-1, 68719476735], [-1, 34359738367], [0, 0], [34359738368, 0], [-34359738368, 68719476735], [0, 0], [0, 34359738368], [0, 34359738368], [0, 0], [0, 34359738368], [0, 34359738368], [1, 0], [-1, 68719476735], [0, 34359738368], [-1, 68719476735], [0, 34359738368], [0, 0], [1, 0], [0, 0], [1, 0], [0, 0], [1, 0], [0, 0], [99, 0], [0, 34359738368], [-4170333254945079296, 0], [1895825408, 0], [0, 51539607552], [0, 0]], [[1038419834999, 0], [-1038419834999, 68719476735], [0, 0], [0, 0], [1038419834999, 0], [1038419834999, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [1038419834999, 0], [0, 0], [1038419834999, 0], [0, 0], [0, 0], [1, 0], [0, 0], [1, 0], [0, 0], [0, 0], [100, 0], [100, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], [[-1, 1], [-1, 68719476735], [0, 68719476735], [0, 0], [-1, 1], [-1, 1], [0, 34359738368], [0, 0], [0, 0], [0, 0], [-1, 0], [0, 0], [-1, 0], [0, 0], [1, 0], [1, 0], [0, 1], [-1, 0], [0, 1], [-1, 0], [0, 0], [1, 0], [0, 0], [1, 0], [0, 0], [64, 0], [36, 0], [0, 0], [-1, 0], [4895412794951729152, 0], [1602224128, 0], [-9223372036854775808, 0], [-1, 0]]]
memref.global "private" constant @seeds : memref<3xi128> = dense<[1, -1, 170141183460469231731687303715884105727]>
memref.global "private" @increments : memref<2xi128> = dense<5>
func.func private @mix(%x: i128, %y: i128) -> (i128, i64) {
  %c = arith.constant 47026247687942121848144207491837523525 : i128
  %p = arith.muli %x, %c : i128
  %s = arith.addi %p, %y : i128
  %sh = arith.constant 64 : i128
  %h = arith.shrui %s, %sh : i128
  %hi = arith.trunci %h : i128 to i64
  %lo = arith.trunci %s : i128 to i64
  %r = arith.xori %hi, %lo : i64
  return %s, %r : i128, i64
}
func.func @generator(%out: memref<10xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %t = memref.get_global @seeds : memref<3xi128>
  %g = memref.get_global @increments : memref<2xi128>
  %b = memref.alloc() : memref<10xi128>
  %seed = memref.load %t[%c2] : memref<3xi128>
  %five = memref.load %g[%c1] : memref<2xi128>
  %fin = scf.for %i = %c0 to %c10 step %c1 iter_args(%s = %seed) -> (i128) {
    %n, %r = func.call @mix(%s, %five) : (i128, i128) -> (i128, i64)
    memref.store %r, %out[%i] : memref<10xi64>
    memref.store %n, %b[%i] : memref<10xi128>
    scf.yield %n : i128
  }
  %sv = memref.subview %b[2] [4] [2] : memref<10xi128> to memref<4xi128, strided<[2], offset: 2>>
  %x = memref.load %sv[%c1] : memref<4xi128, strided<[2], offset: 2>>
  %y = arith.cmpi slt, %x, %fin : i128
  %z = arith.select %y, %x, %fin : i128
  %w = scf.if %y -> i128 { scf.yield %z : i128 } else { scf.yield %five : i128 }
  %q = arith.trunci %w : i128 to i64
  memref.store %q, %out[%c0] : memref<10xi64>
  memref.dealloc %b : memref<10xi128>
  return
}

memref.global "private" constant @first : memref<6xi128> = dense<[
  122003312826609799601279071269261048901, -53931024670537405285773423506099155401, -159919150251856717159370224507846787543, 633825300114114700748351602688, 0, 18446744073709551615
]>
memref.global "private" constant @second : memref<6xi128> = dense<[
  576412935397727140511015663, 3, 1267650600228229401496703205374, 1267650600228229401496703205375, 1038419834999, 18446744073709551616
]>
memref.global "private" constant @amounts : memref<6xi128> = dense<[0, 1, 63, 64, 65, 99]>

func.func @operations(%out: memref<6x33x2xi64>) {
  %first = memref.get_global @first : memref<6xi128>
  %second = memref.get_global @second : memref<6xi128>
  %amounts = memref.get_global @amounts : memref<6xi128>
  %results = memref.alloc() : memref<6x33xi100>
  affine.for %i = 0 to 6 {
    %a128 = affine.load %first[%i] : memref<6xi128>
    %b128 = affine.load %second[%i] : memref<6xi128>
    %s128 = affine.load %amounts[%i] : memref<6xi128>
    %a = arith.trunci %a128 : i128 to i100
    %b = arith.trunci %b128 : i128 to i100
    %s = arith.trunci %s128 : i128 to i100
    %r0 = arith.addi %a, %b : i100
    %r1 = arith.subi %a, %b : i100
    %r2 = arith.muli %a, %b : i100
    %r3 = arith.andi %a, %b : i100
    %r4 = arith.ori %a, %b : i100
    %r5 = arith.xori %a, %b : i100
    %r6 = arith.shli %a, %s : i100
    %r7 = arith.shrui %a, %s : i100
    %r8 = arith.shrsi %a, %s : i100
    %r9 = arith.divui %a, %b : i100
    %r10 = arith.remui %a, %b : i100
    %r11 = arith.divsi %a, %b : i100
    %r12 = arith.remsi %a, %b : i100
    %r13 = arith.floordivsi %a, %b : i100
    %r14 = arith.ceildivsi %a, %b : i100
    %r15 = arith.ceildivui %a, %b : i100
    %r16 = arith.maxsi %a, %b : i100
    %r17 = arith.minsi %a, %b : i100
    %r18 = arith.maxui %a, %b : i100
    %r19 = arith.minui %a, %b : i100
    %p0 = arith.cmpi eq, %a, %b : i100
    %q0 = arith.extui %p0 : i1 to i100
    %p1 = arith.cmpi slt, %a, %b : i100
    %q1 = arith.extui %p1 : i1 to i100
    %p2 = arith.cmpi sge, %a, %b : i100
    %q2 = arith.extui %p2 : i1 to i100
    %p3 = arith.cmpi ult, %a, %b : i100
    %q3 = arith.extui %p3 : i1 to i100
    %p4 = arith.cmpi ugt, %a, %b : i100
    %q4 = arith.extui %p4 : i1 to i100
    %u_ctpop = math.ctpop %a : i100
    %u_ctlz = math.ctlz %a : i100
    %u_cttz = math.cttz %a : i100
    %u_absi = math.absi %a : i100
    %f = arith.sitofp %a : i100 to f64
    %g = arith.bitcast %f : f64 to i64
    %h = arith.extui %g : i64 to i100
    %f32 = arith.uitofp %a : i100 to f32
    %g32 = arith.bitcast %f32 : f32 to i32
    %h32 = arith.extui %g32 : i32 to i100
    %half = arith.constant 0.5 : f64
    %scaled = arith.mulf %f, %half : f64
    %back = arith.fptosi %scaled : f64 to i100
    %narrow = arith.trunci %a : i100 to i70
    %wide = arith.extsi %narrow : i70 to i100
    affine.store %r0, %results[%i, 0] : memref<6x33xi100>
    affine.store %r1, %results[%i, 1] : memref<6x33xi100>
    affine.store %r2, %results[%i, 2] : memref<6x33xi100>
    affine.store %r3, %results[%i, 3] : memref<6x33xi100>
    affine.store %r4, %results[%i, 4] : memref<6x33xi100>
    affine.store %r5, %results[%i, 5] : memref<6x33xi100>
    affine.store %r6, %results[%i, 6] : memref<6x33xi100>
    affine.store %r7, %results[%i, 7] : memref<6x33xi100>
    affine.store %r8, %results[%i, 8] : memref<6x33xi100>
    affine.store %r9, %results[%i, 9] : memref<6x33xi100>
    affine.store %r10, %results[%i, 10] : memref<6x33xi100>
    affine.store %r11, %results[%i, 11] : memref<6x33xi100>
    affine.store %r12, %results[%i, 12] : memref<6x33xi100>
    affine.store %r13, %results[%i, 13] : memref<6x33xi100>
    affine.store %r14, %results[%i, 14] : memref<6x33xi100>
    affine.store %r15, %results[%i, 15] : memref<6x33xi100>
    affine.store %r16, %results[%i, 16] : memref<6x33xi100>
    affine.store %r17, %results[%i, 17] : memref<6x33xi100>
    affine.store %r18, %results[%i, 18] : memref<6x33xi100>
    affine.store %r19, %results[%i, 19] : memref<6x33xi100>
    affine.store %q0, %results[%i, 20] : memref<6x33xi100>
    affine.store %q1, %results[%i, 21] : memref<6x33xi100>
    affine.store %q2, %results[%i, 22] : memref<6x33xi100>
    affine.store %q3, %results[%i, 23] : memref<6x33xi100>
    affine.store %q4, %results[%i, 24] : memref<6x33xi100>
    affine.store %u_ctpop, %results[%i, 25] : memref<6x33xi100>
    affine.store %u_ctlz, %results[%i, 26] : memref<6x33xi100>
    affine.store %u_cttz, %results[%i, 27] : memref<6x33xi100>
    affine.store %u_absi, %results[%i, 28] : memref<6x33xi100>
    affine.store %h, %results[%i, 29] : memref<6x33xi100>
    affine.store %h32, %results[%i, 30] : memref<6x33xi100>
    affine.store %back, %results[%i, 31] : memref<6x33xi100>
    affine.store %wide, %results[%i, 32] : memref<6x33xi100>
  }
  %word = arith.constant 64 : i100
  affine.for %i = 0 to 6 {
    affine.for %k = 0 to 33 {
      %r = affine.load %results[%i, %k] : memref<6x33xi100>
      %low = arith.trunci %r : i100 to i64
      %above = arith.shrui %r, %word : i100
      %high = arith.trunci %above : i100 to i64
      affine.store %low, %out[%i, %k, 0] : memref<6x33x2xi64>
      affine.store %high, %out[%i, %k, 1] : memref<6x33x2xi64>
    }
  }
  memref.dealloc %results : memref<6x33xi100>
  return
}
