"t.layouts"() : () -> (tensor<4xf32,>, memref<4xf32, affine_map<(d0) -> (d0 + 1)>, affine_map<(d0) -> (d0)>>, memref<4xf32, 0 : i32>)
"t.elements"() {a = dense<[1, 2]> : memref<2xi32>, b = sparse<[[0, 0]], [1]> : memref<3x4xi32>, c = sparse<[], []> : tensor<0xi32>} : () -> ()
// -----
"t.properties"() <"not a dictionary"> {a = @x: :@y} : () -> ()
"t.empty"() <{}> : () -> ()
// -----
#set = affine_set<(d0) : (d0 == 0)>
"t.aliases"() {a = #set, b = affine_map<(d0) -> (d0 - (d0 floordiv 4) * 4)>, c = loc("here"), d = distinct[7]<"x">} : () -> ()
