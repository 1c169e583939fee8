// Products of vectors in loops that become kernels: a contraction over factors of another type than
// their sums, an outer product, reductions along one of two dimensions, a scan.
//
// Rows of a are (0, 1), (2, 3) and (4, 5); b is (0, 1). By hand: a·b is 1, 3, 5; the outer
// product of a row with itself, summed down its rows, is (x² + xy, xy + y²): (0, 1), (10, 15),
// (36, 45); the exclusive scan of a row from 100 is (100, 100 + x).
//
// test: run --arg=iota --arg=iota --arg=zeros --arg=zeros --arg=zeros
// expect: arg 2 = [1, 3, 5]
// expect: arg 3 = [0, 1, 10, 15, 36, 45]
// expect: arg 4 = [100, 100, 100, 102, 100, 104]
#row = affine_map<(d0) -> (d0)>
#sum = affine_map<(d0) -> ()>
func.func @products(%a: memref<3x2xf16>, %b: memref<2xf16>, %dots: memref<3xf32>,
                    %columns: memref<3x2xf16>, %scans: memref<3x2xf16>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<2xf16>
  %hundred = arith.constant dense<100.0> : vector<f16>
  affine.for %i = 0 to 3 {
    %x = affine.vector_load %a[%i, 0] : memref<3x2xf16>, vector<2xf16>
    %y = affine.vector_load %b[0] : memref<2xf16>, vector<2xf16>
    %dot = vector.contract {indexing_maps = [#row, #row, #sum], iterator_types = ["reduction"]}
      %x, %y, %zero : vector<2xf16>, vector<2xf16> into f32
    affine.store %dot, %dots[%i] : memref<3xf32>
    %square = vector.outerproduct %x, %x : vector<2xf16>, vector<2xf16>
    %down = vector.multi_reduction <add>, %square, %none [0] : vector<2x2xf16> to vector<2xf16>
    affine.vector_store %down, %columns[%i, 0] : memref<3x2xf16>, vector<2xf16>
    %scan, %last = vector.scan <add>, %x, %hundred {inclusive = false, reduction_dim = 0 : i64}
      : vector<2xf16>, vector<f16>
    affine.vector_store %scan, %scans[%i, 0] : memref<3x2xf16>, vector<2xf16>
  }
  return
}
