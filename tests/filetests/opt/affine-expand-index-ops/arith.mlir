// test: opt --affine-expand-index-ops --canonicalize
// test: run-opt --entry=apart --arg=zeros --arg=47 --arg=4
// expect: arg 0 = [3, 3, 2]
// test: run-opt --entry=apart --arg=zeros --arg=-1 --arg=4
// expect: arg 0 = [-1, 3, 2]
// test: run-opt --entry=together --arg=3 --arg=3 --arg=2 --arg=4
// expect: result 0 = 47

// 47 = (3 * 4 + 3) * 3 + 2, and -1 = (-1 * 4 + 3) * 3 + 2.
func.func @apart(%a: memref<3xindex>, %x: index, %m: index) {
  %i:3 = affine.delinearize_index %x into (8, %m, 3) : index, index, index
  affine.store %i#0, %a[0] : memref<3xindex>
  affine.store %i#1, %a[1] : memref<3xindex>
  affine.store %i#2, %a[2] : memref<3xindex>
  return
}

func.func @together(%i: index, %j: index, %k: index, %m: index) -> index {
  %x = affine.linearize_index [%i, %j, %k] by (%m, 3) : index
  return %x : index
}
