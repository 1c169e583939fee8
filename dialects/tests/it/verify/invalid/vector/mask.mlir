// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @constant_point_length() {
  // expected-error@+1 {{array attr must have length 1 for 0-D vectors}}
  %0 = vector.constant_mask [1, 1] : vector<i1>
  return
}

// -----

func.func @constant_point() {
  // expected-error@+1 {{mask dim size must be either 0 or 1 for 0-D vectors}}
  %0 = vector.constant_mask [2] : vector<i1>
  return
}

// -----

func.func @constant_rank() {
  // expected-error@+1 {{'vector.constant_mask' op must specify array attr of size equal vector result rank}}
  %0 = vector.constant_mask [1] : vector<4x4xi1>
  return
}

// -----

func.func @constant_size() {
  // expected-error@+1 {{'vector.constant_mask' op array attr of size out of bounds of vector result dimension size}}
  %0 = vector.constant_mask [1, 5] : vector<4x4xi1>
  return
}

// -----

func.func @constant_scalable() {
  // expected-error@+1 {{'vector.constant_mask' op only supports 'none set' or 'all set' scalable dimensions}}
  %0 = vector.constant_mask [2] : vector<[4]xi1>
  return
}

// -----

func.func @constant_zero() {
  // expected-error@+1 {{'vector.constant_mask' op expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim}}
  %0 = vector.constant_mask [0, 2] : vector<4x4xi1>
  return
}

// -----

func.func @constant_elements() {
  // expected-error@+1 {{'vector.constant_mask' op result #0 must be vector of 1-bit signless integer values, but got 'vector<4xi8>'}}
  %0 = vector.constant_mask [2] : vector<4xi8>
  return
}

// -----

func.func @create_point(%i: index) {
  // expected-error@+1 {{'vector.create_mask' op must specify exactly one operand for 0-D create_mask}}
  %0 = vector.create_mask %i, %i : vector<i1>
  return
}

// -----

func.func @create_rank(%i: index) {
  // expected-error@+1 {{'vector.create_mask' op must specify an operand for each result vector dimension}}
  %0 = vector.create_mask %i, %i : vector<4xi1>
  return
}

// -----

func.func @no_block(%m: vector<4xi1>) {
  // expected-error@+1 {{'vector.mask' op region #0 ('maskRegion') failed to verify constraint: region with 1 blocks}}
  "vector.mask"(%m) ({}) : (vector<4xi1>) -> ()
  return
}

// -----

func.func @two(%m: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.mask' op expects only one operation to mask}}
  vector.mask %m {
    %0 = vector.reduction <add>, %v : vector<4xf32> into f32
    %1 = vector.reduction <mul>, %v : vector<4xf32> into f32
    vector.yield
  } : vector<4xi1>
  return
}

// -----

func.func @yielded(%m: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.mask' op expects number of results to match mask region yielded values}}
  vector.mask %m { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1>
  return
}

// -----

func.func @not_maskable(%m: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.mask' op expects a MaskableOpInterface within the mask region}}
  %0 = vector.mask %m { arith.addf %v, %v : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return
}

// -----

func.func @results(%m: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.mask' op expects number of results to match maskable operation number of results}}
  vector.mask %m {
    %0 = vector.reduction <add>, %v : vector<4xf32> into f32
    vector.yield
  } : vector<4xi1>
  return
}

// -----

func.func @values(%m: vector<4xi1>, %v: vector<4xf32>, %f: f32) {
  // expected-error@+1 {{'vector.mask' op expects all the results from the MaskableOpInterface to match all the values returned by the terminator}}
  %0 = vector.mask %m {
    %1 = vector.reduction <add>, %v : vector<4xf32> into f32
    vector.yield %f : f32
  } : vector<4xi1> -> f32
  return
}

// -----

func.func @types(%m: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.mask' op expects result type to match maskable operation result type}}
  %0 = vector.mask %m { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f64
  return
}

// -----

func.func @mask(%m: vector<5xi1>, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.mask' op expects a 'vector<4xi1>' mask for the maskable operation}}
  %0 = vector.mask %m { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<5xi1> -> f32
  return
}

// -----

func.func @transposed(%m: vector<4x8xi1>, %v: vector<4x8xf32>, %b: memref<?x?xf32>, %i: index) {
  // expected-error@+1 {{'vector.mask' op expects a 'vector<8x4xi1>' mask for the maskable operation}}
  vector.mask %m { vector.transfer_write %v, %b[%i, %i] {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<4x8xf32>, memref<?x?xf32> } : vector<4x8xi1>
  return
}

// -----

func.func @passthru(%m: vector<4xi1>, %v: vector<4xf32>, %f: f32) {
  // expected-error@+1 {{'vector.mask' op doesn't expect a passthru argument for this maskable operation}}
  %0 = vector.mask %m, %f { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  return
}

// -----

func.func @passthru_type(%m: vector<4xi1>, %v: vector<4xf64>, %b: memref<?xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.mask' op expects passthru type to match result type}}
  %0 = "vector.mask"(%m, %v) ({
    %1 = vector.transfer_read %b[%i], %f : memref<?xf32>, vector<4xf32>
    vector.yield %1 : vector<4xf32>
  }) : (vector<4xi1>, vector<4xf64>) -> vector<4xf32>
  return
}

// -----

func.func @passthru_without_result(%m: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error@+1 {{custom op 'vector.mask' expects a result if passthru operand is provided}}
  vector.mask %m, %v { } : vector<4xi1>
  return
}

// -----

func.func @arguments(%m: vector<4xi1>) {
  // expected-error@+1 {{'vector.mask' op region should have no arguments}}
  "vector.mask"(%m) ({
  ^bb0(%x: index):
    "vector.yield"() : () -> ()
  }) : (vector<4xi1>) -> ()
  return
}

// -----

func.func @f(%m: vector<4xi1>) {
  // expected-error@+1 {{'vector.mask' op expects a non-empty block}}
  "vector.mask"(%m) ({
  ^bb0:
  }) : (vector<4xi1>) -> ()
  return
}
