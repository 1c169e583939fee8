// test: canonical
func.func @only_dimension(%m: memref<?xindex>) {
  affine.for %i = 0 to 10 {
    %0 = affine.min affine_map<()[s0] -> (s0 + 1)>()[%i]
    memref.store %0, %m[%i] : memref<?xindex>
    %1 = affine.max affine_map<(d0)[s0] -> (d0 + s0, d0 + s0)>(%i)[%i]
    memref.store %1, %m[%i] : memref<?xindex>
  }
  return
}

func.func @loaded(%m: memref<?xindex>) {
  affine.for %i = 0 to 10 {
    %0 = memref.load %m[%i] : memref<?xindex>
    %1 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%0]
    %2 = affine.apply affine_map<()[s0] -> (s0 * 2 + 1)>()[%1]
    memref.store %2, %m[%2] : memref<?xindex>
  }
  return
}

func.func @neither(%m: memref<?xindex>) {
  affine.for %i = 0 to 10 {
    %0 = memref.load %m[%i] : memref<?xindex>
    %1 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %0)
    %2 = affine.min affine_map<(d0)[s0] -> (d0 + s0, s0)>(%i)[%1]
    memref.store %2, %m[%1] : memref<?xindex>
  }
  return
}

func.func @loop(%n: index, %m: memref<?xindex>) {
  scf.for %i = %n to %n step %n {
    %0 = affine.apply affine_map<()[s0] -> (s0 * 4)>()[%i]
    %1 = affine.apply affine_map<(d0)[s0] -> (d0 + s0 + 1)>(%0)[%i]
    memref.store %1, %m[%0] : memref<?xindex>
  }
  return
}
