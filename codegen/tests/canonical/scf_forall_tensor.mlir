// test: canonical
func.func private @make(tensor<2x3xf32>) -> tensor<2x3xf32>
func.func private @other(tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>

func.func @extents_stay(%part: tensor<1x6xf32>, %t: tensor<?x?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<?x?xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %part into %o[%i, 0] [1, 6] [1, 1]
        : tensor<1x6xf32> into tensor<?x?xf32>
    }
  }
  %d = tensor.dim %r, %c0 : tensor<?x?xf32>
  return %d : index
}

func.func @one_iteration(%t: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.forall (%i, %j) = (%c1, %c2) to (%c2, 5) step (2, 4) shared_outs(%o = %t) -> (tensor<8x8xf32>) {
    %p = tensor.extract_slice %o[%i, %j] [2, 3] [1, 1] : tensor<8x8xf32> to tensor<2x3xf32>
    %q = func.call @make(%p) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%i, %j] [2, 3] [1, 1]
        : tensor<2x3xf32> into tensor<8x8xf32>
    }
  }
  return %r : tensor<8x8xf32>
}

func.func @mapped(%t: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = scf.forall (%i, %j) = (1, 2) to (2, 3) step (2, 4) shared_outs(%o = %t) -> (tensor<8x8xf32>) {
    %p = tensor.extract_slice %o[%i, %j] [2, 3] [1, 1] : tensor<8x8xf32> to tensor<2x3xf32>
    %q = func.call @make(%p) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%i, %j] [2, 3] [1, 1]
        : tensor<2x3xf32> into tensor<8x8xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return %r : tensor<8x8xf32>
}

func.func @no_loop(%t: tensor<9xf32>, %p: tensor<3xf32>) -> tensor<9xf32> {
  %r = scf.forall () in () shared_outs(%o = %t) -> (tensor<9xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[2] [3] [1] : tensor<3xf32> into tensor<9xf32>
    }
  } {mapping = []}
  return %r : tensor<9xf32>
}

func.func @one_dimension_of_two(%t: tensor<8x8xf32>, %p: tensor<1x5xf32>) -> tensor<8x8xf32> {
  %c7 = arith.constant 7 : index
  %r = scf.forall (%i, %j) = (0, 3) to (%c7, 4) step (1, 1) shared_outs(%o = %t) -> (tensor<8x8xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i, %j] [1, 5] [1, 1]
        : tensor<1x5xf32> into tensor<8x8xf32>
    }
  }
  return %r : tensor<8x8xf32>
}

func.func @forgotten_extent(%t: tensor<4xi32>, %p: tensor<1xi32>) -> tensor<4xi32> {
  %u = tensor.cast %t : tensor<4xi32> to tensor<?xi32>
  %r = scf.forall (%i) in (4) shared_outs(%o = %u) -> (tensor<?xi32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i] [1] [1] : tensor<1xi32> into tensor<?xi32>
    }
  }
  %v = tensor.cast %r : tensor<?xi32> to tensor<4xi32>
  return %v : tensor<4xi32>
}

func.func @remembered_extent(%t: tensor<?xi32>, %p: tensor<1xi32>) -> tensor<?xi32> {
  %u = tensor.cast %t : tensor<?xi32> to tensor<4xi32>
  %r = scf.forall (%i) in (4) shared_outs(%o = %u) -> (tensor<4xi32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
    }
  }
  %v = tensor.cast %r : tensor<4xi32> to tensor<?xi32>
  return %v : tensor<?xi32>
}

// differs: @two_extents: mlir-opt exchanges the two tensors that are written to
func.func @two_extents(%p: tensor<2xf32>, %q: tensor<3xf32>, %t: tensor<12xf32>) -> (tensor<?xf32>, tensor<12xf32>) {
  %c6 = arith.constant 6 : index
  %e = tensor.empty(%c6) : tensor<?xf32>
  %r:2 = scf.forall (%i) in (3) shared_outs(%o = %e, %w = %t) -> (tensor<?xf32>, tensor<12xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %w[%i] [3] [1] : tensor<3xf32> into tensor<12xf32>
      tensor.parallel_insert_slice %p into %o[%i] [2] [1] : tensor<2xf32> into tensor<?xf32>
    }
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<12xf32>
}

func.func @read_only(%n: index, %k: index, %t: tensor<?xf32>, %u: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %r:2 = scf.forall (%i) in (%n) shared_outs(%a = %t, %b = %u) -> (tensor<?xf32>, tensor<?xf32>) {
    %p = tensor.extract_slice %a[%i] [%k] [1] : tensor<?xf32> to tensor<?xf32>
    %q = tensor.extract_slice %b[%i] [%k] [1] : tensor<?xf32> to tensor<?xf32>
    %v = func.call @other(%p, %q) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %b[%i] [%k] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

func.func @unread(%n: index, %k: index, %t: tensor<?xf32>, %u: tensor<?xf32>) -> tensor<?xf32> {
  %r:2 = scf.forall (%i) in (%n) shared_outs(%a = %t, %b = %u) -> (tensor<?xf32>, tensor<?xf32>) {
    %p = tensor.extract_slice %a[%i] [%k] [1] : tensor<?xf32> to tensor<?xf32>
    %q = tensor.extract_slice %b[%i] [%k] [1] : tensor<?xf32> to tensor<?xf32>
    %v = func.call @other(%p, %q) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %b[%i] [%k] [1] : tensor<?xf32> into tensor<?xf32>
      tensor.parallel_insert_slice %p into %a[%i] [%k] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }
  return %r#1 : tensor<?xf32>
}
