// Coordinates of a COO tensor: the levels of each entry lie side by side in one buffer, whose size is
// that of all of them, as MLIR's --sparse-storage-specifier-to-llvm has it. As a structure of arrays
// each level has a buffer.
//
// test: run --entry=together --arg=zeros
// expect: arg 0 = [0, 0, 1, 10, 2, 20]
// test: run --entry=apart --arg=zeros --arg=zeros
// expect: arg 0 = [0, 1, 2]
// expect: arg 1 = [0, 10, 20]
#coo = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton) }>
#soa = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa)) }>

func.func @together(%coordinates: memref<6xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %none = sparse_tensor.storage_specifier.init : !sparse_tensor.storage_specifier<#coo>
  %all = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %none) -> (!sparse_tensor.storage_specifier<#coo>) {
    %row = sparse_tensor.storage_specifier.get %s crd_mem_sz at 0 : !sparse_tensor.storage_specifier<#coo>
    memref.store %i, %coordinates[%row] : memref<6xindex>
    %behind_row = arith.addi %row, %c1 : index
    %t = sparse_tensor.storage_specifier.set %s crd_mem_sz at 0 with %behind_row : !sparse_tensor.storage_specifier<#coo>
    %column = sparse_tensor.storage_specifier.get %t crd_mem_sz at 1 : !sparse_tensor.storage_specifier<#coo>
    %j = arith.muli %i, %c10 : index
    memref.store %j, %coordinates[%column] : memref<6xindex>
    %behind_column = arith.addi %column, %c1 : index
    %u = sparse_tensor.storage_specifier.set %t crd_mem_sz at 1 with %behind_column : !sparse_tensor.storage_specifier<#coo>
    scf.yield %u : !sparse_tensor.storage_specifier<#coo>
  }
  return
}

func.func @apart(%rows: memref<3xindex>, %columns: memref<3xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %none = sparse_tensor.storage_specifier.init : !sparse_tensor.storage_specifier<#soa>
  %all = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %none) -> (!sparse_tensor.storage_specifier<#soa>) {
    %row = sparse_tensor.storage_specifier.get %s crd_mem_sz at 0 : !sparse_tensor.storage_specifier<#soa>
    memref.store %i, %rows[%row] : memref<3xindex>
    %behind_row = arith.addi %row, %c1 : index
    %t = sparse_tensor.storage_specifier.set %s crd_mem_sz at 0 with %behind_row : !sparse_tensor.storage_specifier<#soa>
    %column = sparse_tensor.storage_specifier.get %t crd_mem_sz at 1 : !sparse_tensor.storage_specifier<#soa>
    %j = arith.muli %i, %c10 : index
    memref.store %j, %columns[%column] : memref<3xindex>
    %behind_column = arith.addi %column, %c1 : index
    %u = sparse_tensor.storage_specifier.set %t crd_mem_sz at 1 with %behind_column : !sparse_tensor.storage_specifier<#soa>
    scf.yield %u : !sparse_tensor.storage_specifier<#soa>
  }
  return
}
