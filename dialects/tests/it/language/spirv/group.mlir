// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// Operations of groups of invocations.

func.func @reductions(%i: i32, %w: vector<4xi64>, %f: f32, %v: vector<2xf16>, %b: i1) {
  %four = spirv.Constant 4 : i32
  %0 = spirv.GroupNonUniformBitwiseAnd <Workgroup> <Reduce> %i : i32 -> i32
  %1 = spirv.GroupNonUniformBitwiseAnd <Workgroup> <Reduce> %w : vector<4xi64> -> vector<4xi64>
  %2 = spirv.GroupNonUniformBitwiseAnd <Subgroup> <ClusteredReduce> %i cluster_size(%four) : i32, i32 -> i32
  %3 = spirv.GroupNonUniformBitwiseOr <Workgroup> <Reduce> %i : i32 -> i32
  %4 = spirv.GroupNonUniformBitwiseOr <Workgroup> <Reduce> %w : vector<4xi64> -> vector<4xi64>
  %5 = spirv.GroupNonUniformBitwiseOr <Subgroup> <ClusteredReduce> %i cluster_size(%four) : i32, i32 -> i32
  %6 = spirv.GroupNonUniformBitwiseXor <Workgroup> <Reduce> %i : i32 -> i32
  %7 = spirv.GroupNonUniformBitwiseXor <Workgroup> <Reduce> %w : vector<4xi64> -> vector<4xi64>
  %8 = spirv.GroupNonUniformBitwiseXor <Subgroup> <ClusteredReduce> %i cluster_size(%four) : i32, i32 -> i32
  %9 = spirv.GroupNonUniformIAdd <Workgroup> <Reduce> %i : i32 -> i32
  %10 = spirv.GroupNonUniformIAdd <Workgroup> <Reduce> %w : vector<4xi64> -> vector<4xi64>
  %11 = spirv.GroupNonUniformIAdd <Subgroup> <ClusteredReduce> %i cluster_size(%four) : i32, i32 -> i32
  %12 = spirv.GroupNonUniformIMul <Workgroup> <Reduce> %i : i32 -> i32
  %13 = spirv.GroupNonUniformIMul <Workgroup> <Reduce> %w : vector<4xi64> -> vector<4xi64>
  %14 = spirv.GroupNonUniformIMul <Subgroup> <ClusteredReduce> %i cluster_size(%four) : i32, i32 -> i32
  %15 = spirv.GroupNonUniformSMax <Workgroup> <Reduce> %i : i32 -> i32
  %16 = spirv.GroupNonUniformSMax <Workgroup> <Reduce> %w : vector<4xi64> -> vector<4xi64>
  %17 = spirv.GroupNonUniformSMax <Subgroup> <ClusteredReduce> %i cluster_size(%four) : i32, i32 -> i32
  %18 = spirv.GroupNonUniformSMin <Workgroup> <Reduce> %i : i32 -> i32
  %19 = spirv.GroupNonUniformSMin <Workgroup> <Reduce> %w : vector<4xi64> -> vector<4xi64>
  %20 = spirv.GroupNonUniformSMin <Subgroup> <ClusteredReduce> %i cluster_size(%four) : i32, i32 -> i32
  %21 = spirv.GroupNonUniformUMax <Workgroup> <Reduce> %i : i32 -> i32
  %22 = spirv.GroupNonUniformUMax <Workgroup> <Reduce> %w : vector<4xi64> -> vector<4xi64>
  %23 = spirv.GroupNonUniformUMax <Subgroup> <ClusteredReduce> %i cluster_size(%four) : i32, i32 -> i32
  %24 = spirv.GroupNonUniformUMin <Workgroup> <Reduce> %i : i32 -> i32
  %25 = spirv.GroupNonUniformUMin <Workgroup> <Reduce> %w : vector<4xi64> -> vector<4xi64>
  %26 = spirv.GroupNonUniformUMin <Subgroup> <ClusteredReduce> %i cluster_size(%four) : i32, i32 -> i32
  %27 = spirv.GroupNonUniformFAdd <Workgroup> <Reduce> %f : f32 -> f32
  %28 = spirv.GroupNonUniformFAdd <Workgroup> <Reduce> %v : vector<2xf16> -> vector<2xf16>
  %29 = spirv.GroupNonUniformFAdd <Subgroup> <ClusteredReduce> %f cluster_size(%four) : f32, i32 -> f32
  %30 = spirv.GroupNonUniformFMax <Workgroup> <Reduce> %f : f32 -> f32
  %31 = spirv.GroupNonUniformFMax <Workgroup> <Reduce> %v : vector<2xf16> -> vector<2xf16>
  %32 = spirv.GroupNonUniformFMax <Subgroup> <ClusteredReduce> %f cluster_size(%four) : f32, i32 -> f32
  %33 = spirv.GroupNonUniformFMin <Workgroup> <Reduce> %f : f32 -> f32
  %34 = spirv.GroupNonUniformFMin <Workgroup> <Reduce> %v : vector<2xf16> -> vector<2xf16>
  %35 = spirv.GroupNonUniformFMin <Subgroup> <ClusteredReduce> %f cluster_size(%four) : f32, i32 -> f32
  %36 = spirv.GroupNonUniformFMul <Workgroup> <Reduce> %f : f32 -> f32
  %37 = spirv.GroupNonUniformFMul <Workgroup> <Reduce> %v : vector<2xf16> -> vector<2xf16>
  %38 = spirv.GroupNonUniformFMul <Subgroup> <ClusteredReduce> %f cluster_size(%four) : f32, i32 -> f32
  %39 = spirv.GroupNonUniformLogicalAnd <Workgroup> <Reduce> %b : i1 -> i1
  %40 = spirv.GroupNonUniformLogicalAnd <Subgroup> <ClusteredReduce> %b cluster_size(%four) : i1, i32 -> i1
  %41 = spirv.GroupNonUniformLogicalOr <Workgroup> <Reduce> %b : i1 -> i1
  %42 = spirv.GroupNonUniformLogicalOr <Subgroup> <ClusteredReduce> %b cluster_size(%four) : i1, i32 -> i1
  %43 = spirv.GroupNonUniformLogicalXor <Workgroup> <Reduce> %b : i1 -> i1
  %44 = spirv.GroupNonUniformLogicalXor <Subgroup> <ClusteredReduce> %b cluster_size(%four) : i1, i32 -> i1
  return
}

// -----

func.func @uniform(%i: i32, %f: f32, %v: vector<2xf16>) {
  %0 = spirv.GroupFAdd <Workgroup> <InclusiveScan> %f : f32
  %1 = spirv.GroupFMax <Workgroup> <InclusiveScan> %v : vector<2xf16>
  %2 = spirv.GroupFMin <Workgroup> <InclusiveScan> %f : f32
  %3 = spirv.GroupIAdd <Workgroup> <InclusiveScan> %i : i32
  %4 = spirv.GroupSMax <Workgroup> <InclusiveScan> %i : i32
  %5 = spirv.GroupSMin <Workgroup> <InclusiveScan> %i : i32
  %6 = spirv.GroupUMax <Workgroup> <InclusiveScan> %i : i32
  %7 = spirv.GroupUMin <Workgroup> <InclusiveScan> %i : i32
  %8 = spirv.KHR.GroupFMul <Workgroup> <InclusiveScan> %f : f32
  %9 = spirv.KHR.GroupIMul <Workgroup> <InclusiveScan> %i : i32
  return
}

// -----

func.func @exchanges(%f: f32, %v: vector<2xi32>, %l: vector<3xi32>, %i: i32, %b: i1, %q: vector<4xi32>) {
  %c = spirv.Constant 4 : i32
  %0 = spirv.GroupBroadcast <Workgroup> %f, %l : f32, vector<3xi32>
  %1 = spirv.GroupBroadcast <Subgroup> %f, %i : f32, i32
  %2 = spirv.GroupNonUniformBroadcast <Subgroup> %v, %c : vector<2xi32>, i32
  %3 = spirv.GroupNonUniformShuffle <Subgroup> %f, %i : f32, i32
  %4 = spirv.GroupNonUniformShuffleDown <Subgroup> %v, %i : vector<2xi32>, i32
  %5 = spirv.GroupNonUniformShuffleUp <Subgroup> %b, %i : i1, i32
  %6 = spirv.GroupNonUniformShuffleXor <Subgroup> %f, %i {test.mark} : f32, i32
  %7 = spirv.GroupNonUniformRotateKHR <Subgroup> %f, %i : f32, i32 -> f32
  %8 = spirv.GroupNonUniformRotateKHR <Workgroup> %f, %i, cluster_size(%c) : f32, i32, i32 -> f32
  %9 = spirv.GroupNonUniformQuadSwap <Subgroup> %f %i : f32, i32
  return
}

// -----

func.func @votes(%b: i1, %f: f32, %q: vector<4xi32>) {
  %0 = spirv.GroupNonUniformAll <Subgroup> %b : i1
  %1 = spirv.GroupNonUniformAny <Subgroup> %b : i1
  %2 = spirv.GroupNonUniformAllEqual <Subgroup> %f : f32, i1
  %3 = spirv.GroupNonUniformBallot <Workgroup> %b : vector<4xi32>
  %4 = spirv.GroupNonUniformBallotBitCount <Subgroup> <Reduce> %q : vector<4xi32> -> i32
  %5 = spirv.GroupNonUniformBallotFindLSB <Subgroup> %q : vector<4xi32>, i32
  %6 = spirv.GroupNonUniformBallotFindMSB <Subgroup> %q : vector<4xi32>, i32
  %7 = spirv.GroupNonUniformElect <Workgroup> : i1
  %8 = spirv.KHR.SubgroupBallot %b : vector<4xi32>
  return
}
