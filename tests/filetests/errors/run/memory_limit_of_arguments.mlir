// test: error run --device=cpu --memory-limit=1MiB --arg=zeros --arg=zeros
// error: argument 1 (memref<150000xf32>): shape [150000] takes 600000 bytes, and the memory limit leaves 448576
func.func @f(%a: memref<150000xf32>, %b: memref<150000xf32>) {
  return
}
