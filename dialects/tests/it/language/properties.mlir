// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// Groups of operands whose sizes are not given are empty; properties that an
// operation has not are dropped.
%0 = "memref.alloc"() : () -> memref<4xf32>
%1 = "memref.alloc"() <{alignment = 8 : i64}> : () -> memref<4xf32>
%2 = "arith.constant"() <{value = 1 : i32, unknown = 2 : i32}> {kept} : () -> i32
"memref.assume_alignment"(%0) <{alignment = 8 : i32, more}> : (memref<4xf32>) -> memref<4xf32>

// -----

// What functions say of their arguments' memory.
func.func @writes(%a: tensor<4xf32> {bufferization.writable = false}, %b: tensor<4xf32> {bufferization.access = "read-write"}) {
  return
}
func.func private @reads(tensor<4xf32> {bufferization.access = "read"}, tensor<?xf32> {bufferization.buffer_layout = strided<[1]>})
%m = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
// -----
func.func @by_hand(%m: memref<4xf32>) {
  %0 = memref.alloca() {bufferization.manual_deallocation} : memref<4xf32>
  %1 = memref.realloc %m {bufferization.manual_deallocation} : memref<4xf32> to memref<8xf32>
  memref.dealloc %1 {bufferization.manual_deallocation} : memref<8xf32>
  %2 = bufferization.clone %0 {bufferization.manual_deallocation} : memref<4xf32> to memref<4xf32>
  %3 = gpu.alloc () {bufferization.manual_deallocation} : memref<4xf32>
  gpu.dealloc %3 {bufferization.manual_deallocation} : memref<4xf32>
  return
}
