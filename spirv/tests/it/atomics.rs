//! Atomic updates by the device's own instructions, which no driver at hand has all of.
use gridloom_spirv::{Profile, TargetEnv, compile_kernel, disassemble};

use crate::device::module;
use crate::support::{MOST_FEATURES, check};

const UPDATES: &str = "gpu.module @m {
  gpu.func @k(%f: memref<4xf32>, %g: memref<4xf32>, %l: memref<4xi64>)
      workgroup(%w: memref<1xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = arith.constant 1.0 : f32
    %n = arith.constant 1 : i64
    %a = memref.atomic_rmw addf %x, %f[%c0] : (f32, memref<4xf32>) -> f32
    %b = memref.atomic_rmw addf %x, %g[%c0] : (f32, memref<4xf32>) -> f32
    %c = memref.atomic_rmw maximumf %x, %g[%c0] : (f32, memref<4xf32>) -> f32
    %d = memref.atomic_rmw addi %n, %l[%c0] : (i64, memref<4xi64>) -> i64
    %e = memref.atomic_rmw addf %x, %w[%c0]
      : (f32, memref<1xf32, #gpu.address_space<workgroup>>) -> f32
    gpu.return
  }
}";

/// How often each atomic instruction occurs.
fn counts(features: gridloom_spirv::Features) -> [usize; 3] {
    let env = TargetEnv {
        features,
        ..TargetEnv::default()
    };
    let ctx = gridloom_dialects::context();
    let module = module(&ctx, UPDATES);
    let kernel = compile_kernel(&ctx, &module, "m", "k", &env);
    let kernel = kernel.unwrap_or_else(|errors| panic!("{}", errors.render(&ctx)));
    check(&kernel.words, Profile::Native);
    let text = disassemble(&kernel.words).unwrap_or_else(|error| panic!("{error}"));
    ["OpAtomicFAddEXT", "OpAtomicIAdd", "OpAtomicCompareExchange"]
        .map(|name| text.matches(name).count())
}

#[test]
fn floats_are_added_by_the_device_in_buffers_that_nothing_else_updates() {
    // Sum and maximum of %g exchange words, and so do updates of workgroup memory.
    assert_eq!(counts(MOST_FEATURES), [1, 1, 3]);
    let without = gridloom_spirv::Features {
        f32_atomic_add: false,
        ..MOST_FEATURES
    };
    assert_eq!(counts(without), [0, 1, 4]);
}
