// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// What custom forms cannot tell is printed in generic form. mlir-opt prints custom forms that lose it, so that no
// `test: print` stands here.

func.func @copies(%a: memref<8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>, %i: index, %n: i32) {
  "affine.dma_start"(%a, %i, %b, %i, %t, %n) {src_map = affine_map<(d0) -> (d0)>, dst_map = affine_map<(d0) -> (d0)>, tag_map = affine_map<() -> (0)>} : (memref<8xf32>, index, memref<8xf32, 1>, index, memref<1xi32>, i32) -> ()
  "affine.dma_wait"(%t, %n) {tag_map = affine_map<() -> (0)>} : (memref<1xi32>, i32) -> ()
  "affine.dma_wait"(%t, %i) {tag_map = affine_map<() -> (0)>, more = 1 : i8} : (memref<1xi32>, index) -> ()
  return
}

// -----

func.func @no_coordinates(%i: index) {
  "affine.delinearize_index"(%i) <{static_basis = array<i64>}> : (index) -> ()
  return
}

// -----

func.func @prefetch(%m: memref<8xf32>, %i: index) {
  "memref.prefetch"(%m, %i) <{isDataCache = true, isWrite = false, localityHint = 3 : i32}> {more} : (memref<8xf32>, index) -> ()
  return
}

// -----

func.func @lines() -> f32 {
  "vector.print"() : () -> ()
  %x = "a.b"() : () -> f32
  vector.print
  return %x : f32
}

// -----

func.func @scalable(%a: vector<[4]xf32>, %s: f32) -> vector<4xf32> {
  %r = "vector.outerproduct"(%a, %s) <{kind = #vector.kind<add>}> : (vector<[4]xf32>, f32) -> vector<4xf32>
  return %r : vector<4xf32>
}

// -----

func.func @more_padding_than_said(%t: tensor<4xf32>, %c: f32, %i: index) -> tensor<6xf32> {
  %r = "tensor.pad"(%t, %i) <{operandSegmentSizes = array<i32: 1, 0, 1>, static_high = array<i64: 1>, static_low = array<i64: 1>}> ({
  ^bb0(%a: index):
    "tensor.yield"(%c) : (f32) -> ()
  }) : (tensor<4xf32>, index) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

func.func @attributes(%v: vector<4xf32>, %x: f32, %p: !spirv.ptr<i32, StorageBuffer>, %i: i32) {
  %0 = "spirv.Constant"() <{value = 1.0 : f32}> {more} : () -> f32
  %1 = "spirv.CompositeExtract"(%v) <{indices = [0 : i32]}> {more} : (vector<4xf32>) -> f32
  %2 = "spirv.CompositeInsert"(%x, %v) <{indices = [0 : i32]}> {more} : (f32, vector<4xf32>) -> vector<4xf32>
  "spirv.INTEL.SubgroupBlockWrite"(%p, %i) {more} : (!spirv.ptr<i32, StorageBuffer>, i32) -> ()
  return
}

// -----

func.func @initializer() {
  %x = spirv.Constant 1 : i64
  %0 = "spirv.Variable"(%x) <{storage_class = #spirv.storage_class<Function>}> : (i64) -> !spirv.ptr<f32, Function>
  spirv.Return
}

// -----

func.func @alignment(%p: !spirv.ptr<i32, Function>, %c: !spirv.coopmatrix<16x16xf32, Subgroup, MatrixAcc>, %s: i32) {
  "spirv.KHR.CooperativeMatrixStore"(%p, %c, %s) <{alignment = 2 : i32, matrix_layout = #spirv.coop_matrix_layout_khr<RowMajor>}> : (!spirv.ptr<i32, Function>, !spirv.coopmatrix<16x16xf32, Subgroup, MatrixAcc>, i32) -> ()
  return
}

// -----

func.func @waits_for_no_token_of_its_own(%t: !gpu.async.token, %n: index) {
  "gpu.launch"(%t, %n, %n, %n, %n, %n, %n) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
  ^bb0(%a: index, %b: index, %c: index, %d: index, %e: index, %f: index, %g: index, %h: index, %i: index, %j: index, %k: index, %l: index):
    "gpu.terminator"() : () -> ()
  }) {workgroup_attributions = 0 : i64} : (!gpu.async.token, index, index, index, index, index, index) -> ()
  return
}

// -----

func.func @no_indices(%p: !spirv.ptr<vector<4xf16>, Function>) {
  %0 = "spirv.AccessChain"(%p) : (!spirv.ptr<vector<4xf16>, Function>) -> !spirv.ptr<vector<4xf16>, Function>
  return
}

// -----

func.func @groups() {
  "affine.parallel"() <{lowerBoundsGroups = dense<1> : vector<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (8)>}> ({
  ^bb0(%i: index):
    affine.yield
  }) : () -> ()
  return
}
// -----
func.func @initial_value_of_another_type(%i: index, %f: f32, %n: i32) {
  %0 = "scf.parallel"(%i, %i, %i, %n) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^bb0(%k: index):
    scf.reduce(%f : f32) {
    ^bb0(%a: f32, %b: f32):
      scf.reduce.return %a : f32
    }
  }) : (index, index, index, i32) -> f32
  return
}
// -----
// A number that is none, and attributes that the forms have no place for.
spirv.module Logical GLSL450 {
  "spirv.SpecConstant"() <{default_value = 1 : i32, sym_name = "a"}> {spec_id = [1]} : () -> ()
  "spirv.SpecConstant"() <{default_value = 1 : i32, sym_name = "b"}> {other} : () -> ()
  "spirv.SpecConstantComposite"() <{type = !spirv.array<1 x i32>, sym_name = "c", constituents = [@a]}> {other} : () -> ()
}
// -----
func.func @masks_nothing(%m: vector<8xi1>, %p: vector<8xf32>, %q: f32) {
  %0 = "vector.mask"(%m, %q) ({
    "vector.yield"(%p) : (vector<8xf32>) -> ()
  }) : (vector<8xi1>, f32) -> vector<8xf32>
  "vector.mask"(%m, %q) ({
    "vector.yield"() : () -> ()
  }) : (vector<8xi1>, f32) -> ()
  return
}
// -----
func.func @switches(%i: index) {
  scf.index_switch %i
  case 0 {
  ^bb0(%x: i32):
    scf.yield
  }
  default {
  }
  return
}
// -----
func.func @copies(%i: index, %m: memref<8xf32>, %tag: memref<1xi32>) {
  "memref.dma_start"(%m, %i, %m, %i, %i, %tag, %i) {other} : (memref<8xf32>, index, memref<8xf32>, index, index, memref<1xi32>, index) -> ()
  return
}
// -----
func.func @combines(%i: index) {
  "scf.forall"(%i) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: -9223372036854775808>, staticStep = array<i64: 1>}> ({
  ^bb0(%t: index):
    "scf.forall.in_parallel"() ({
    ^bb0(%x: i32):
    }) : () -> ()
  }) : (index) -> ()
  return
}
// -----
func.func @structured(%c: i1) {
  spirv.mlir.loop {
  ^bb0(%x: i32):
    spirv.Branch ^header
  ^header:
    spirv.Branch ^continue
  ^continue:
    spirv.Branch ^header
  ^merge:
    spirv.mlir.merge
  }
  spirv.mlir.selection {
  ^bb0(%x: i32):
    spirv.BranchConditional %c, ^then, ^merge
  ^then:
    spirv.Branch ^merge
  ^merge:
    spirv.mlir.merge
  }
  return
}
