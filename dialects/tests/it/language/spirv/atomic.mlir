// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// Atomic updates and barriers.

func.func @updates(%p: !spirv.ptr<i32, StorageBuffer>, %v: i32, %q: !spirv.ptr<f32, StorageBuffer>, %f: f32) {
  %0 = spirv.AtomicAnd <Device> <None> %p, %v : !spirv.ptr<i32, StorageBuffer>
  %1 = spirv.AtomicIAdd <Workgroup> <AcquireRelease> %p, %v : !spirv.ptr<i32, StorageBuffer>
  %2 = spirv.AtomicISub <Device> <Acquire|UniformMemory> %p, %v {test.mark} : !spirv.ptr<i32, StorageBuffer>
  %3 = spirv.AtomicOr <Device> <None> %p, %v : !spirv.ptr<i32, StorageBuffer>
  %4 = spirv.AtomicSMax <Device> <None> %p, %v : !spirv.ptr<i32, StorageBuffer>
  %5 = spirv.AtomicSMin <Device> <None> %p, %v : !spirv.ptr<i32, StorageBuffer>
  %6 = spirv.AtomicUMax <Device> <None> %p, %v : !spirv.ptr<i32, StorageBuffer>
  %7 = spirv.AtomicUMin <Device> <None> %p, %v : !spirv.ptr<i32, StorageBuffer>
  %8 = spirv.AtomicXor <Device> <None> %p, %v : !spirv.ptr<i32, StorageBuffer>
  %9 = spirv.AtomicIDecrement <Device> <None> %p : !spirv.ptr<i32, StorageBuffer>
  %10 = spirv.AtomicIIncrement <Device> <None> %p : !spirv.ptr<i32, StorageBuffer>
  %11 = spirv.AtomicExchange <Workgroup> <Release> %p, %v : !spirv.ptr<i32, StorageBuffer>
  %12 = spirv.AtomicExchange <Workgroup> <Release> %q, %f : !spirv.ptr<f32, StorageBuffer>
  %13 = spirv.AtomicCompareExchange <Workgroup> <Release> <Acquire> %p, %v, %v : !spirv.ptr<i32, StorageBuffer>
  %14 = spirv.AtomicCompareExchangeWeak <Workgroup> <Release|AtomicCounterMemory> <Acquire> %p, %v, %v : !spirv.ptr<i32, StorageBuffer>
  %15 = spirv.EXT.AtomicFAdd <Device> <None> %q, %f : !spirv.ptr<f32, StorageBuffer>
  return
}

// -----

func.func @barriers() {
  spirv.ControlBarrier <Workgroup>, <Device>, <Acquire|UniformMemory>
  spirv.MemoryBarrier <Device>, <AcquireRelease|WorkgroupMemory> {test.mark}
  spirv.INTEL.ControlBarrierArrive <Workgroup> <Device> <Acquire|UniformMemory>
  spirv.INTEL.ControlBarrierWait <Workgroup> <Device> <Acquire|UniformMemory>
  return
}
