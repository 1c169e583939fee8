// Every operation of the standard dialect that only its name sets apart from today's.
func @scalars(%a: i32, %f: f32) {
  %0 = absf %f : f32
  %1 = atan %f : f32
  %2 = ceilf %f : f32
  %3 = cos %f : f32
  %4 = exp %f : f32
  %5 = exp2 %f : f32
  %6 = floorf %f : f32
  %7 = log %f : f32
  %8 = log10 %f : f32
  %9 = log2 %f : f32
  %10 = negf %f : f32
  %11 = rsqrt %f : f32
  %12 = sin %f : f32
  %13 = sqrt %f : f32
  %14 = tanh %f : f32
  %15 = addf %f, %f : f32
  %16 = atan2 %f, %f : f32
  %17 = copysign %f, %f : f32
  %18 = divf %f, %f : f32
  %19 = mulf %f, %f : f32
  %20 = powf %f, %f : f32
  %21 = remf %f, %f : f32
  %22 = subf %f, %f : f32
  %23 = fmaf %f, %f, %f : f32
  %24 = addi %a, %a : i32
  %25 = and %a, %a : i32
  %26 = ceildivi_signed %a, %a : i32
  %27 = divi_signed %a, %a : i32
  %28 = divi_unsigned %a, %a : i32
  %29 = divis %a, %a : i32
  %30 = diviu %a, %a : i32
  %31 = floordivi_signed %a, %a : i32
  %32 = muli %a, %a : i32
  %33 = or %a, %a : i32
  %34 = remi_signed %a, %a : i32
  %35 = remi_unsigned %a, %a : i32
  %36 = remis %a, %a : i32
  %37 = remiu %a, %a : i32
  %38 = shift_left %a, %a : i32
  %39 = shift_right_signed %a, %a : i32
  %40 = shift_right_unsigned %a, %a : i32
  %41 = shlis %a, %a : i32
  %42 = signed_divi %a, %a : i32
  %43 = signed_remi %a, %a : i32
  %44 = subi %a, %a : i32
  %45 = unsigned_divi %a, %a : i32
  %46 = unsigned_remi %a, %a : i32
  %47 = xor %a, %a : i32
  %48 = std.addi %a, %a : i32
  %49 = bitcast %a : i32 to f32
  %50 = fpext %f : f32 to f64
  %51 = fptosi %f : f32 to i32
  %52 = fptoui %f : f32 to i32
  %53 = fptrunc %f : f32 to f16
  %54 = index_cast %a : i32 to index
  %55 = sexti %a : i32 to i64
  %56 = sitofp %a : i32 to f32
  %57 = trunci %a : i32 to i8
  %58 = uitofp %a : i32 to f32
  %59 = zexti %a : i32 to i64
  return
}
// today:
func.func @scalars(%a: i32, %f: f32) {
  %0 = math.absf %f : f32
  %1 = math.atan %f : f32
  %2 = math.ceil %f : f32
  %3 = math.cos %f : f32
  %4 = math.exp %f : f32
  %5 = math.exp2 %f : f32
  %6 = math.floor %f : f32
  %7 = math.log %f : f32
  %8 = math.log10 %f : f32
  %9 = math.log2 %f : f32
  %10 = arith.negf %f : f32
  %11 = math.rsqrt %f : f32
  %12 = math.sin %f : f32
  %13 = math.sqrt %f : f32
  %14 = math.tanh %f : f32
  %15 = arith.addf %f, %f : f32
  %16 = math.atan2 %f, %f : f32
  %17 = math.copysign %f, %f : f32
  %18 = arith.divf %f, %f : f32
  %19 = arith.mulf %f, %f : f32
  %20 = math.powf %f, %f : f32
  %21 = arith.remf %f, %f : f32
  %22 = arith.subf %f, %f : f32
  %23 = math.fma %f, %f, %f : f32
  %24 = arith.addi %a, %a : i32
  %25 = arith.andi %a, %a : i32
  %26 = arith.ceildivsi %a, %a : i32
  %27 = arith.divsi %a, %a : i32
  %28 = arith.divui %a, %a : i32
  %29 = arith.divsi %a, %a : i32
  %30 = arith.divui %a, %a : i32
  %31 = arith.floordivsi %a, %a : i32
  %32 = arith.muli %a, %a : i32
  %33 = arith.ori %a, %a : i32
  %34 = arith.remsi %a, %a : i32
  %35 = arith.remui %a, %a : i32
  %36 = arith.remsi %a, %a : i32
  %37 = arith.remui %a, %a : i32
  %38 = arith.shli %a, %a : i32
  %39 = arith.shrsi %a, %a : i32
  %40 = arith.shrui %a, %a : i32
  %41 = arith.shli %a, %a : i32
  %42 = arith.divsi %a, %a : i32
  %43 = arith.remsi %a, %a : i32
  %44 = arith.subi %a, %a : i32
  %45 = arith.divui %a, %a : i32
  %46 = arith.remui %a, %a : i32
  %47 = arith.xori %a, %a : i32
  %48 = arith.addi %a, %a : i32
  %49 = arith.bitcast %a : i32 to f32
  %50 = arith.extf %f : f32 to f64
  %51 = arith.fptosi %f : f32 to i32
  %52 = arith.fptoui %f : f32 to i32
  %53 = arith.truncf %f : f32 to f16
  %54 = arith.index_cast %a : i32 to index
  %55 = arith.extsi %a : i32 to i64
  %56 = arith.sitofp %a : i32 to f32
  %57 = arith.trunci %a : i32 to i8
  %58 = arith.uitofp %a : i32 to f32
  %59 = arith.extui %a : i32 to i64
  return
}
// -----
func @memory(%m: memref<8xf32>, %i: index, %f: f32, %c: i1) {
  assert %c, "it holds"
  assume_alignment %m, 16 : memref<8xf32>
  %0 = atomic_rmw addf %f, %m[%i] : (f32, memref<8xf32>) -> f32
  prefetch %m[%i], read, locality<3>, data : memref<8xf32>
  %1 = memref_cast %m : memref<8xf32> to memref<?xf32>
  %2 = load %1[%i] : memref<?xf32>
  store %2, %m[%i] : memref<8xf32>
  return
}
// today:
func.func @memory(%m: memref<8xf32>, %i: index, %f: f32, %c: i1) {
  cf.assert %c, "it holds"
  %a = memref.assume_alignment %m, 16 : memref<8xf32>
  %0 = memref.atomic_rmw addf %f, %m[%i] : (f32, memref<8xf32>) -> f32
  memref.prefetch %m[%i], read, locality<3>, data : memref<8xf32>
  %1 = memref.cast %m : memref<8xf32> to memref<?xf32>
  %2 = memref.load %1[%i] : memref<?xf32>
  memref.store %2, %m[%i] : memref<8xf32>
  return
}
