// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// except: part 4: mlir-opt drops the storage class that it needs to read them
// Variables, loads, stores and pointers into what they point to.

func.func @accesses(%p: !spirv.ptr<vector<4xf32>, StorageBuffer>) {
  %0 = spirv.Load "StorageBuffer" %p : vector<4xf32>
  %1 = spirv.Load "StorageBuffer" %p ["Aligned", 16] {test.mark} : vector<4xf32>
  %2 = spirv.Load "StorageBuffer" %p ["Volatile|Aligned", 4] : vector<4xf32>
  %3 = spirv.Load "StorageBuffer" %p ["Nontemporal"] : vector<4xf32>
  spirv.Store "StorageBuffer" %p, %0 : vector<4xf32>
  spirv.Store "StorageBuffer" %p, %1 ["Volatile"] : vector<4xf32>
  spirv.Store "StorageBuffer" %p, %2 ["Aligned", 8] : vector<4xf32>
  return
}

// -----

func.func @variables() {
  %c = spirv.Constant 1.0 : f32
  %0 = spirv.Variable : !spirv.ptr<f32, Function>
  %1 = spirv.Variable init(%c) : !spirv.ptr<f32, Function>
  %2 = spirv.Variable init(%c) {restrict} : !spirv.ptr<f32, Function>
  spirv.CopyMemory "Function" %0, "Function" %1 : f32
  spirv.CopyMemory "Function" %0, "Function" %1 ["Aligned", 4], ["Volatile"] : f32
  spirv.CopyMemory "Function" %0, "Function" %1 ["Aligned", 4], ["Aligned", 8] : f32
  return
}

// -----

func.func @chains(%p: !spirv.ptr<!spirv.struct<(f32, !spirv.array<4 x vector<2xi32>>)>, Uniform>, %i: i64,
    %q: !spirv.ptr<f32, CrossWorkgroup>, %r: !spirv.ptr<!spirv.rtarray<!spirv.matrix<2 x vector<3xf32>>>, StorageBuffer>,
    %list: !spirv.ptr<!spirv.struct<list, (f32, !spirv.ptr<!spirv.struct<list>, Generic>)>, Generic>) {
  %c0 = spirv.Constant 0 : i32
  %c1 = spirv.Constant 1 : i32
  %0 = spirv.AccessChain %p[%c0] : !spirv.ptr<!spirv.struct<(f32, !spirv.array<4 x vector<2xi32>>)>, Uniform>, i32 -> !spirv.ptr<f32, Uniform>
  %1 = spirv.AccessChain %p[%c1, %i, %c0] {test.mark} : !spirv.ptr<!spirv.struct<(f32, !spirv.array<4 x vector<2xi32>>)>, Uniform>, i32, i64, i32 -> !spirv.ptr<i32, Uniform>
  %2 = spirv.PtrAccessChain %q[%i] : !spirv.ptr<f32, CrossWorkgroup>, i64 -> !spirv.ptr<f32, CrossWorkgroup>
  %3 = spirv.InBoundsPtrAccessChain %r[%i %i, %i] : !spirv.ptr<!spirv.rtarray<!spirv.matrix<2 x vector<3xf32>>>, StorageBuffer>, i64, i64, i64 -> !spirv.ptr<vector<3xf32>, StorageBuffer>
  %4 = spirv.AccessChain %list[%c1] : !spirv.ptr<!spirv.struct<list, (f32, !spirv.ptr<!spirv.struct<list>, Generic>)>, Generic>, i32 -> !spirv.ptr<!spirv.ptr<!spirv.struct<list, (f32, !spirv.ptr<!spirv.struct<list>, Generic>)>, Generic>, Generic>
  return
}

// -----

func.func @blocks(%p: !spirv.ptr<i32, StorageBuffer>, %v: vector<3xi32>, %i: i32) {
  %0 = spirv.INTEL.SubgroupBlockRead %p : !spirv.ptr<i32, StorageBuffer> -> i32
  %1 = spirv.INTEL.SubgroupBlockRead %p : !spirv.ptr<i32, StorageBuffer> -> vector<3xi32>
  spirv.INTEL.SubgroupBlockWrite "StorageBuffer" %p, %v : vector<3xi32>
  spirv.INTEL.SubgroupBlockWrite "StorageBuffer" %p, %i : i32
  return
}
