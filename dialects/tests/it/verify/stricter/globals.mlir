// test: stricter --allow-unregistered-dialect --split-input-file
// Initial values whose type, a tensor of memrefs, the custom form does not spell and no other text can.

// expected-error@+1 {{'memref.global' op invalid tensor element type}}
memref.global @g : memref<1xmemref<1xf32>> = dense_resource<r>

// -----

// expected-error@+1 {{'memref.global' op invalid tensor element type}}
memref.global @g : memref<0xmemref<1xf32>> = dense<>
