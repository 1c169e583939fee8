// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// Bits of integers.

func.func @bits(%a0: i32, %a1: vector<4xi16>) {
  %0 = spirv.BitCount %a0 : i32
  %1 = spirv.BitCount %a1 : vector<4xi16>
  %2 = spirv.BitReverse %a0 : i32
  %3 = spirv.BitReverse %a1 : vector<4xi16>
  %4 = spirv.BitwiseAnd %a0, %a0 : i32
  %5 = spirv.BitwiseAnd %a1, %a1 : vector<4xi16>
  %6 = spirv.BitwiseOr %a0, %a0 : i32
  %7 = spirv.BitwiseOr %a1, %a1 : vector<4xi16>
  %8 = spirv.BitwiseXor %a0, %a0 : i32
  %9 = spirv.BitwiseXor %a1, %a1 : vector<4xi16>
  %10 = spirv.Not %a0 : i32
  %11 = spirv.Not %a1 : vector<4xi16>
  return
}

// -----

func.func @fields(%a: i32, %v: vector<3xi32>, %n: i8, %w: vector<3xi8>) {
  %0 = spirv.BitFieldInsert %a, %a, %n, %n : i32, i8, i8
  %1 = spirv.BitFieldInsert %v, %v, %n, %a : vector<3xi32>, i8, i32
  %2 = spirv.BitFieldSExtract %a, %n, %n : i32, i8, i8
  %3 = spirv.BitFieldUExtract %v, %n, %a : vector<3xi32>, i8, i32
  %4 = spirv.ShiftLeftLogical %a, %n : i32, i8
  %5 = spirv.ShiftRightArithmetic %v, %w : vector<3xi32>, vector<3xi8>
  %6 = spirv.ShiftRightLogical %v, %v {test.mark} : vector<3xi32>, vector<3xi32>
  return
}
