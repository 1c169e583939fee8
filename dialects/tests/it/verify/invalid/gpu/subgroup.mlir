// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  // expected-error@+1 {{'gpu.rotate' op offset must be in the range [0, 16)}}
  %0, %1 = gpu.rotate %f, 16, 16 : f32
  return
}
// -----
func.func @f(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  // expected-error@+1 {{'gpu.rotate' op attribute 'offset' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0}}
  %0, %1 = gpu.rotate %f, -1, 16 : f32
  return
}
// -----
func.func @f(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  // expected-error@+1 {{'gpu.rotate' op attribute 'width' failed to satisfy constraint: 32-bit signless integer attribute whose value is a power of two > 0}}
  %0, %1 = gpu.rotate %f, 1, 15 : f32
  return
}
// -----
func.func @f(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  // expected-error@+1 {{'gpu.rotate' op operand #0 must be Integer or Float or fixed-length vector of Integer or Float values of ranks 1, but got 'vector<2x2xf32>'}}
  %0, %1 = gpu.rotate %w2, 1, 16 : vector<2x2xf32>
  return
}
// -----
func.func @f(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  // expected-error@+1 {{'gpu.shuffle' op operand #0 must be Integer or Float or fixed-length vector of Integer or Float values of ranks 1, but got 'vector<[4]xf32>'}}
  %0, %1 = gpu.shuffle xor %ws, %l, %l : vector<[4]xf32>
  return
}
// -----
func.func @f(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  // expected-error@+1 {{'gpu.subgroup_broadcast' op lane can only be specified for `specific_lane` broadcast}}
  %0 = gpu.subgroup_broadcast %f, first_active_lane %l : f32
  return
}
// -----
func.func @f(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  // expected-error@+1 {{'gpu.subgroup_broadcast' op lane must be specified for `specific_lane` broadcast}}
  %0 = gpu.subgroup_broadcast %f, specific_lane : f32
  return
}
// -----
func.func @f(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  // expected-error@+1 {{`and` reduction operation is not compatible with type 'f32'}}
  %0 = gpu.subgroup_reduce and %f : (f32) -> f32
  return
}
// -----
func.func @f(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  // expected-error@+1 {{`maxnumf` reduction operation is not compatible with type 'i32'}}
  %0 = gpu.subgroup_reduce maxnumf %v : (i32) -> i32
  return
}
// -----
func.func @f(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  // expected-error@+1 {{'gpu.subgroup_reduce' op cluster size 3 is not a power of two}}
  %0 = gpu.subgroup_reduce add %v cluster(size = 3) : (i32) -> i32
  return
}
// -----
func.func @f(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  // expected-error@+1 {{'gpu.subgroup_reduce' op cluster stride 3 is not a power of two}}
  %0 = gpu.subgroup_reduce add %v cluster(size = 4, stride = 3) : (i32) -> i32
  return
}
// -----
func.func @f(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  // expected-error@+1 {{'gpu.subgroup_reduce' op operand #0 must be Integer or Float or fixed-length vector of Integer or Float values of ranks 1, but got 'vector<2x2xf32>'}}
  %0 = gpu.subgroup_reduce add %w2 : (vector<2x2xf32>) -> vector<2x2xf32>
  return
}
// -----
func.func @f(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  // expected-error@+1 {{'gpu.subgroup_reduce' op cluster stride can only be specified if cluster size is specified}}
  %0 = "gpu.subgroup_reduce"(%v) <{op = #gpu<all_reduce_op add>, cluster_stride = 2 : i32}> : (i32) -> i32
  return
}
// -----
func.func @f(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  // expected-error@+1 {{'gpu.subgroup_reduce' op requires the same type for all operands and results}}
  %0 = "gpu.subgroup_reduce"(%v) <{op = #gpu<all_reduce_op add>}> : (i32) -> i64
  return
}
// -----
func.func @f(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  // expected-error@+1 {{expected either an op attribute or a non-empty body}}
  %0 = gpu.all_reduce %f {
 } : (f32) -> f32
  return
}
// -----
func.func @f(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  // expected-error@+1 {{expected two region arguments}}
  %0 = gpu.all_reduce %f {
 ^bb(%a: f32):
 gpu.yield %a : f32
 } : (f32) -> f32
  return
}
// -----
func.func @f(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  // expected-error@+1 {{incorrect region argument type}}
  %0 = gpu.all_reduce %f {
 ^bb(%a: f32, %b: i32):
 gpu.yield %a : f32
 } : (f32) -> f32
  return
}
// -----
func.func @f(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  // expected-error@+1 {{expected one gpu.yield operand}}
  %0 = gpu.all_reduce %f {
 ^bb(%a: f32, %b: f32):
 gpu.yield
 } : (f32) -> f32
  return
}
// -----
func.func @f(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  // expected-error@+1 {{`and` reduction operation is not compatible with type 'f32'}}
  %0 = gpu.all_reduce and %f {
 } : (f32) -> f32
  return
}

// -----

func.func @nothing_yielded(%f: f32) {
  // expected-error@+1 {{expected gpu.yield op in region}}
  %r = gpu.all_reduce %f {
  ^bb0(%a: f32, %b: f32):
    "test.end"() : () -> ()
  } : (f32) -> f32
  return
}

// -----

func.func @unknown_reduction(%f: f32) {
  // expected-error@+1 {{custom op 'gpu.subgroup_reduce' invalid op kind}}
  %r = gpu.subgroup_reduce most %f : (f32) -> f32
  return
}

// -----

func.func @no_reduction(%f: f32) {
  // expected-error@+1 {{'gpu.subgroup_reduce' op requires attribute 'op'}}
  %r = gpu.subgroup_reduce %f : (f32) -> f32
  return
}

// -----

func.func @width() {
  // expected-error@+1 {{custom op 'gpu.subgroup_size' invalid kind of type specified: expected builtin.index, but found 'i32'}}
  %r = gpu.subgroup_size : i32
  return
}
// -----
func.func @f(%s: vector<1xsi8>) {
  // expected-error@+1 {{'gpu.subgroup_reduce' op operand #0 must be Integer or Float or fixed-length vector of Integer or Float values of ranks 1, but got 'vector<1xsi8>'}}
  %0 = gpu.subgroup_reduce add %s uniform : (vector<1xsi8>) -> vector<1xsi8>
  return
}
// -----
func.func @f(%s: si32) {
  // expected-error@+1 {{'gpu.all_reduce' op operand #0 must be Integer or Float, but got 'si32'}}
  %0 = gpu.all_reduce add %s {} : (si32) -> si32
  return
}
