//! Barriers of workgroups whose threads execute every instruction together.

use gridloom_spirv::{Profile, TargetEnv, compile_kernel, disassemble};

use crate::device::module;
use crate::support::{MOST_FEATURES, check};

/// How many control barriers and memory barriers a kernel has that reverses the elements of a workgroup.
fn barriers(threads: u32, profile: Profile, lockstep_threads: u32) -> [usize; 2] {
    let text = format!(
        "gpu.module @m {{
  gpu.func @k(%x: memref<{threads}xf32>) workgroup(%w: memref<{threads}xf32, 3>) kernel attributes {{known_block_size = array<i32: {threads}, 1, 1>}} {{
    %t = gpu.thread_id x
    %last = arith.constant {last} : index
    %v = memref.load %x[%t] : memref<{threads}xf32>
    memref.store %v, %w[%t] : memref<{threads}xf32, 3>
    gpu.barrier
    %other = arith.subi %last, %t : index
    %u = memref.load %w[%other] : memref<{threads}xf32, 3>
    memref.store %u, %x[%t] : memref<{threads}xf32>
    gpu.return
  }}
}}",
        last = threads - 1
    );
    let env = TargetEnv {
        profile,
        features: MOST_FEATURES,
        lockstep_threads,
        ..TargetEnv::default()
    };
    let ctx = gridloom_dialects::context();
    let module = module(&ctx, &text);
    let kernel = compile_kernel(&ctx, &module, "m", "k", &env);
    let kernel = kernel.unwrap_or_else(|errors| panic!("{}", errors.render(&ctx)));
    check(&kernel.words, profile);
    let text = disassemble(&kernel.words).unwrap_or_else(|error| panic!("{error}"));
    ["OpControlBarrier", "OpMemoryBarrier"].map(|op| text.matches(op).count())
}

#[test]
fn threads_in_lockstep_do_not_wait() {
    assert_eq!(barriers(8, Profile::Native, 8), [0, 1]);
    assert_eq!(barriers(4, Profile::Native, 8), [0, 1]);
}

#[test]
fn threads_of_several_subgroups_wait() {
    assert_eq!(barriers(16, Profile::Native, 8), [1, 0]);
    assert_eq!(barriers(8, Profile::Native, 4), [1, 0]);
}

#[test]
fn threads_of_which_nothing_is_known_wait() {
    assert_eq!(barriers(1, Profile::Native, 0), [1, 0]);
    assert_eq!(barriers(8, Profile::Portable, 8), [1, 0]);
}
