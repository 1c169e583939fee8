//! Workgroup ids that kernels look up digit by digit, so that a driver sees them to be the same for all threads.

use gridloom_spirv::{
    CompiledKernel, DIGITS, Param, ParamSource, Profile, Specialization, TargetEnv,
    compile_kernel_for, disassemble,
};

use crate::device::module;
use crate::support::{MOST_FEATURES, check};

const KERNEL: &str = "gpu.module @m {
  gpu.func @k(%x: memref<9x64xf32>, %n: i32) kernel attributes {known_block_size = array<i32: 8, 2, 1>} {
    %b = gpu.block_id x
    %row = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %u = memref.load %x[%row, %b] {gridloom.inbounds} : memref<9x64xf32>
    %next = arith.addi %b, %c1 : index
    %v = memref.load %x[%row, %next] {gridloom.inbounds} : memref<9x64xf32>
    %s = arith.addf %u, %v : f32
    %t = gpu.thread_id x
    %z = gpu.thread_id z
    memref.store %s, %x[%z, %t] {gridloom.inbounds} : memref<9x64xf32>
    gpu.return
  }
}";

/// The kernel for grids whose ids along x have so many digits.
fn compiled(uniform_ids: Option<[u32; 3]>) -> CompiledKernel {
    compiled_text(KERNEL, uniform_ids)
}

/// Kernel `@k` of a text.
fn compiled_text(text: &str, uniform_ids: Option<[u32; 3]>) -> CompiledKernel {
    let env = TargetEnv {
        features: MOST_FEATURES,
        addresses: true,
        ..TargetEnv::default()
    };
    let known = Specialization {
        uniform_ids,
        ..Specialization::default()
    };
    let ctx = gridloom_dialects::context();
    let module = module(&ctx, text);
    let kernel = compile_kernel_for(&ctx, &module, "m", "k", &env, &known);
    let kernel = kernel.unwrap_or_else(|errors| panic!("{}", errors.render(&ctx)));
    check(&kernel.words, Profile::Native);
    kernel
}

#[test]
fn the_table_of_digits_ends_the_parameter_block() {
    let kernel = compiled(Some([2, 1, 1]));
    let members = &kernel.entry.abi.params.members;
    let digit = |param: &Param| match param.source {
        ParamSource::Digit { value } => Some((param.offset, value)),
        _ => None,
    };
    let table: Vec<(u32, u32)> = members.iter().filter_map(digit).collect();
    // An address of 8 bytes and a number of 4 stand in front.
    let wanted: Vec<(u32, u32)> = (0..DIGITS).map(|value| (12 + 4 * value, value)).collect();
    assert_eq!(table, wanted);
    assert_eq!(members.len(), 2 + wanted.len());
    let others = compiled(None);
    assert!(
        others
            .entry
            .abi
            .params
            .members
            .iter()
            .all(|param| digit(param).is_none())
    );
}

#[test]
fn each_digit_is_a_load_from_the_table() {
    let loads = |digits: u32| {
        let kernel = compiled(Some([digits, 1, 1]));
        let text = disassemble(&kernel.words).unwrap_or_else(|error| panic!("{error}"));
        text.matches("OpShiftRightLogical").count()
    };
    // The row of the workgroup is one digit.
    assert_eq!([loads(1), loads(3)], [2, 4]);
}

#[test]
fn threads_of_a_row_are_the_lanes_of_a_subgroup() {
    let text = |uniform_ids| {
        let kernel = compiled(uniform_ids);
        disassemble(&kernel.words).unwrap_or_else(|error| panic!("{error}"))
    };
    assert!(text(Some([1, 1, 1])).contains("BuiltIn SubgroupLocalInvocationId"));
    assert!(!text(None).contains("SubgroupLocalInvocationId"));
}

#[test]
fn elements_a_constant_apart_share_an_address() {
    let text = |uniform_ids| {
        let kernel = compiled(uniform_ids);
        disassemble(&kernel.words).unwrap_or_else(|error| panic!("{error}"))
    };
    // An index becomes one of 64 bits once for both loads, and once for the store.
    let extended = |uniform_ids| text(uniform_ids).matches("OpSConvert").count();
    assert_eq!([extended(Some([1, 1, 1])), extended(None)], [2, 0]);
}

/// The accesses share an address, which the first of them would compute where only some threads come by.
#[test]
fn an_address_of_a_guarded_access_is_computed_again_behind_it() {
    let text = "gpu.module @m {
      gpu.func @k(%x: memref<64xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
        %minus = arith.constant -3 : index
        %t = gpu.thread_id x
        %before = arith.addi %t, %minus : index
        %v = memref.load %x[%before] : memref<64xf32>
        memref.store %v, %x[%t] {gridloom.inbounds} : memref<64xf32>
        gpu.return
      }
    }";
    // Compiling validates it: what is defined in one block dominates its uses in others.
    compiled_text(text, Some([1, 1, 1]));
}
