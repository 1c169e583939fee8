//! Buffers reached by device addresses, for drivers that are faster so.

use gridloom_spirv::{
    CompiledKernel, ParamSource, Profile, Specialization, TargetEnv, compile_kernel_for,
    disassemble,
};

use crate::device::module;
use crate::support::{MOST_FEATURES, check};

const KERNEL: &str = "gpu.module @m {
  gpu.func @k(%x: memref<64xf32>, %n: i32, %y: memref<64xf32>, %c: memref<?xi32>)
      kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %i = arith.muli %t, %c4 : index
    %v = vector.load %x[%i] {gridloom.inbounds} : memref<64xf32>, vector<4xf32>
    vector.store %v, %y[%i] {gridloom.inbounds} : memref<64xf32>, vector<4xf32>
    %a = memref.load %x[%t] {gridloom.inbounds} : memref<64xf32>
    memref.store %a, %y[%i] {gridloom.inbounds} : memref<64xf32>
    %o = memref.atomic_rmw addi %n, %c[%t] : (i32, memref<?xi32>) -> i32
    gpu.return
  }
}";

/// Kernel `@k` of a text for a profile, by addresses where it has them.
fn compiled(text: &str, profile: Profile) -> CompiledKernel {
    compiled_for(text, profile, &Specialization::default())
}

/// The same for launches of which more is known.
fn compiled_for(text: &str, profile: Profile, known: &Specialization) -> CompiledKernel {
    let env = TargetEnv {
        profile,
        features: MOST_FEATURES,
        addresses: true,
        ..TargetEnv::default()
    };
    let ctx = gridloom_dialects::context();
    let module = module(&ctx, text);
    let kernel = compile_kernel_for(&ctx, &module, "m", "k", &env, known);
    let kernel = kernel.unwrap_or_else(|errors| panic!("{}", errors.render(&ctx)));
    check(&kernel.words, profile);
    kernel
}

/// The arguments whose buffers a kernel reaches by address.
fn addresses_of(kernel: &CompiledKernel) -> Vec<u32> {
    let sources = kernel.entry.abi.params.members.iter();
    let address = |source| match source {
        ParamSource::Address { arg } => Some(arg),
        _ => None,
    };
    sources
        .filter_map(|member| address(member.source))
        .collect()
}

#[test]
fn accesses_go_through_pointers_that_are_parameters() {
    let kernel = compiled(KERNEL, Profile::Native);
    assert_eq!(addresses_of(&kernel), [0, 2, 3]);
    // They are bound all the same.
    assert_eq!(kernel.entry.abi.buffers.len(), 3);
    let text = disassemble(&kernel.words).unwrap_or_else(|error| panic!("{error}"));
    let count = |part: &str| text.matches(part).count();
    assert_eq!(count("Aligned 16"), 2, "{text}");
    // The fault buffer of the guarded update is the only variable.
    let is_variable = |line: &&str| line.contains("OpVariable") && line.contains("StorageBuffer");
    assert_eq!(text.lines().filter(is_variable).count(), 1, "{text}");
}

#[test]
fn a_buffer_that_views_may_leave_is_bound() {
    let text = "gpu.module @m {
      gpu.func @k(%x: memref<64xf32>, %y: memref<8x8xf32>, %n: index)
          kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
        %t = gpu.thread_id x
        %part = memref.subview %x[%n] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: ?>>
        %turned = memref.transpose %y (i, j) -> (j, i) : memref<8x8xf32> to memref<8x8xf32, strided<[1, 8]>>
        %v = memref.load %part[%t] : memref<8xf32, strided<[1], offset: ?>>
        memref.store %v, %turned[%t, %t] : memref<8x8xf32, strided<[1, 8]>>
        gpu.return
      }
    }";
    let kernel = compiled(text, Profile::Native);
    assert_eq!(addresses_of(&kernel), [1]);
}

#[test]
fn a_buffer_that_the_launch_wants_bound_is_a_variable() {
    let bound = |bound: &[u32], same_buffer: &[u32]| {
        let known = Specialization {
            bound: bound.to_vec(),
            same_buffer: same_buffer.to_vec(),
            ..Specialization::default()
        };
        addresses_of(&compiled_for(KERNEL, Profile::Native, &known))
    };
    assert_eq!(bound(&[2], &[]), [0, 3]);
    // Arguments of one buffer are one variable.
    assert_eq!(bound(&[2], &[0, 1, 0, 3]), [3]);
}

#[test]
fn the_portable_profile_does_without() {
    let kernel = compiled(KERNEL, Profile::Portable);
    assert_eq!(addresses_of(&kernel), []);
}
