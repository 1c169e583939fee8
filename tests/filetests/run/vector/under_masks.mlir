// Operations under masks: transfers, a sum, a contraction, with a value passed through where nothing is
// set, and what computes nothing.
//
// Of each row of 5 from 0, the first n = 3 elements: moved by a transfer, -1 in the others; summed from
// 100 on; summed squares. Row 0: 0 + 1 + 2 = 3 and 0 + 1 + 4 = 5; row 1: 5 + 6 + 7 = 18 and
// 25 + 36 + 49 = 110.
//
// test: run --arg=iota --arg=zeros --arg=zeros --arg=zeros --arg=3
// expect: arg 1 = [0, 1, 2, -1, -1, 5, 6, 7, -1, -1]
// expect: arg 2 = [103, 118]
// expect: arg 3 = [5, 110]
#row = affine_map<(d0) -> (d0)>
#sum = affine_map<(d0) -> ()>
func.func @under_masks(%a: memref<2x5xf32>, %moved: memref<2x5xf32>, %sums: memref<2xf32>,
                       %squares: memref<2xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %hundred = arith.constant 100.0 : f32
  %none = arith.constant dense<-1.0> : vector<5xf32>
  %mask = vector.create_mask %n : vector<5xi1>
  affine.for %i = 0 to 2 {
    %x = vector.mask %mask, %none {
      vector.transfer_read %a[%i, %c0], %zero {in_bounds = [true]} : memref<2x5xf32>, vector<5xf32>
    } : vector<5xi1> -> vector<5xf32>
    vector.transfer_write %x, %moved[%i, %c0] {in_bounds = [true]} : vector<5xf32>, memref<2x5xf32>
    %all = vector.load %a[%i, %c0] : memref<2x5xf32>, vector<5xf32>
    %sum = vector.mask %mask {
      vector.reduction <add>, %all, %hundred : vector<5xf32> into f32
    } : vector<5xi1> -> f32
    affine.store %sum, %sums[%i] : memref<2xf32>
    %square = vector.mask %mask {
      vector.contract {indexing_maps = [#row, #row, #sum], iterator_types = ["reduction"]}
        %all, %all, %zero : vector<5xf32>, vector<5xf32> into f32
    } : vector<5xi1> -> f32
    affine.store %square, %squares[%i] : memref<2xf32>
  }
  return
}
