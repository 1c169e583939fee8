// Storage specifiers of sparse tensors, which say how much of the buffers is in use: two entries are
// appended to a row that grows, as MLIR's code generation for sparse tensors does it.
//
// test: run --entry=main --arg=zeros --arg=zeros
// expect: arg 0 = [4, 6, 0, 0]
// expect: arg 1 = [8, 2, 2]
// test: roundtrip
#row = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
#slice = #sparse_tensor.encoding<{ map = (d0 : #sparse_tensor<slice(1, 4, 1)>) -> (d0 : compressed) }>

func.func @main(%coordinates: memref<4xindex>, %sizes: memref<3xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %0 = sparse_tensor.storage_specifier.init : !sparse_tensor.storage_specifier<#row>
  %1 = sparse_tensor.storage_specifier.set %0 lvl_sz at 0 with %c8 : !sparse_tensor.storage_specifier<#row>
  %2 = sparse_tensor.storage_specifier.set %1 pos_mem_sz at 0 with %c2 : !sparse_tensor.storage_specifier<#row>
  %3 = scf.for %i = %c0 to %c2 step %c1 iter_args(%row = %2) -> (!sparse_tensor.storage_specifier<#row>) {
    %twice = arith.muli %i, %c2 : index
    %at = arith.addi %twice, %c4 : index
    %more = func.call @append(%coordinates, %row, %at) : (memref<4xindex>, !sparse_tensor.storage_specifier<#row>, index) -> !sparse_tensor.storage_specifier<#row>
    scf.yield %more : !sparse_tensor.storage_specifier<#row>
  }
  %levels = sparse_tensor.storage_specifier.get %3 lvl_sz at 0 : !sparse_tensor.storage_specifier<#row>
  %used = sparse_tensor.storage_specifier.get %3 crd_mem_sz at 0 : !sparse_tensor.storage_specifier<#row>
  memref.store %levels, %sizes[%c0] : memref<3xindex>
  memref.store %used, %sizes[%c1] : memref<3xindex>
  // A specifier made of another has its offsets and strides, not its sizes.
  %4 = sparse_tensor.storage_specifier.init : !sparse_tensor.storage_specifier<#slice>
  %5 = sparse_tensor.storage_specifier.set %4 dim_offset at 0 with %c2 : !sparse_tensor.storage_specifier<#slice>
  %6 = sparse_tensor.storage_specifier.set %5 val_mem_sz with %c8 : !sparse_tensor.storage_specifier<#slice>
  %7 = sparse_tensor.storage_specifier.init with %6 : from !sparse_tensor.storage_specifier<#slice> to !sparse_tensor.storage_specifier<#slice>
  %offset = sparse_tensor.storage_specifier.get %7 dim_offset at 0 : !sparse_tensor.storage_specifier<#slice>
  %values = sparse_tensor.storage_specifier.get %7 val_mem_sz : !sparse_tensor.storage_specifier<#slice>
  %both = arith.addi %offset, %values : index
  memref.store %both, %sizes[%c2] : memref<3xindex>
  return
}

func.func private @append(%coordinates: memref<4xindex>, %row: !sparse_tensor.storage_specifier<#row>, %at: index) -> !sparse_tensor.storage_specifier<#row> {
  %c1 = arith.constant 1 : index
  %used = sparse_tensor.storage_specifier.get %row crd_mem_sz at 0 : !sparse_tensor.storage_specifier<#row>
  memref.store %at, %coordinates[%used] : memref<4xindex>
  %more = arith.addi %used, %c1 : index
  %grown = sparse_tensor.storage_specifier.set %row crd_mem_sz at 0 with %more : !sparse_tensor.storage_specifier<#row>
  return %grown : !sparse_tensor.storage_specifier<#row>
}
