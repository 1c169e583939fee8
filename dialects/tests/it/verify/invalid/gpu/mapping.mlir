// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// expected-error-re@+1 {{expected {{.}}<}}
func.func private @f() attributes {test.a = #gpu<thread x>}
// -----
// expected-error-re@+1 {{expected {{.}}<}}
func.func private @f() attributes {test.a = #gpu.block}
// -----
// expected-error-re@+1 {{expected {{.}}>}}
func.func private @f() attributes {test.a = #gpu.thread<x, y>}
// -----
// expected-error-re@+1 {{expected {{.}},}}
func.func private @f() attributes {test.a = #gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0)>}
// -----
// expected-error@+1 {{duplicate or unknown struct parameter name: step}}
func.func private @f() attributes {test.a = #gpu.loop_dim_map<step = block_x>}

// -----

// expected-error@+2 {{failed to parse ParallelLoopDimMappingAttr parameter 'processor' which is to be a `::mlir::gpu::Processor`}}
// expected-error@+1 {{expected ::mlir::gpu::Processor to be one of: block_x, block_y, block_z, thread_x, thread_y, thread_z, sequential}}
func.func private @loop() attributes {a = #gpu.loop_dim_map<processor = lane_x, map = (d0) -> (d0), bound = (d0) -> (d0)>}
