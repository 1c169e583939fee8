//! Cooperative matrices, which no driver at hand has and no installed validator reads.
use gridloom_spirv::{
    CompiledKernel, Features, FpMode, MatrixElement, MatrixProduct, MatrixProducts, TargetEnv,
    compile_kernel, disassemble,
};

use crate::device::module;
use crate::support::MOST_FEATURES;

/// A product whose right factor goes through workgroup memory, added up in a loop.
const PRODUCT: &str = "gpu.module @m {
  gpu.func @k(%a: memref<16x64xf16>, %b: memref<64x16xf16>, %c: memref<16x16xf32>, %n: index)
      workgroup(%w: memref<16x24xf16, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %row = arith.divui %t, %c2 : index
    %half = arith.remui %t, %c2 : index
    %place = arith.muli %half, %c8 : index
    %z = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, \"COp\">
    %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%s = %z) -> (!gpu.mma_matrix<16x16xf32, \"COp\">) {
      %line = arith.addi %k, %row : index
      %v = vector.load %b[%line, %place] {gridloom.inbounds} : memref<64x16xf16>, vector<8xf16>
      vector.store %v, %w[%row, %place] {gridloom.inbounds}
        : memref<16x24xf16, #gpu.address_space<workgroup>>, vector<8xf16>
      gpu.barrier
      %x = gpu.subgroup_mma_load_matrix %a[%c0, %k] {leadDimension = 64 : index}
        : memref<16x64xf16> -> !gpu.mma_matrix<16x16xf16, \"AOp\">
      %y = gpu.subgroup_mma_load_matrix %w[%c0, %c0] {leadDimension = 24 : index}
        : memref<16x24xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, \"BOp\">
      %d = gpu.subgroup_mma_compute %x, %y, %s
        : !gpu.mma_matrix<16x16xf16, \"AOp\">, !gpu.mma_matrix<16x16xf16, \"BOp\">
          -> !gpu.mma_matrix<16x16xf32, \"COp\">
      gpu.barrier
      scf.yield %d : !gpu.mma_matrix<16x16xf32, \"COp\">
    }
    gpu.subgroup_mma_store_matrix %r, %c[%c0, STORE] {leadDimension = 16 : index}
      : !gpu.mma_matrix<16x16xf32, \"COp\">, memref<16x16xf32>
    gpu.return
  }
}";

const HALVES: MatrixProduct = MatrixProduct {
    m: 16,
    n: 16,
    k: 16,
    factors: MatrixElement::F16,
    sums: MatrixElement::F32,
};

fn env(products: &[MatrixProduct]) -> TargetEnv {
    let mut matrices = MatrixProducts::EMPTY;
    for &product in products {
        assert!(matrices.insert(product));
    }
    TargetEnv {
        features: Features {
            matrices,
            ..MOST_FEATURES
        },
        ..TargetEnv::default()
    }
}

fn compiled(text: &str, env: &TargetEnv) -> Result<CompiledKernel, String> {
    let ctx = gridloom_dialects::context();
    let module = module(&ctx, text);
    let kernel = compile_kernel(&ctx, &module, "m", "k", env);
    kernel.map_err(|errors| errors.render(&ctx))
}

fn text_of(kernel: &CompiledKernel) -> String {
    disassemble(&kernel.words).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_product_is_the_devices_own() {
    let env = env(&[HALVES]);
    let kernel = compiled(&PRODUCT.replace("STORE", "%c0"), &env);
    let kernel = kernel.unwrap_or_else(|error| panic!("{error}"));
    assert!(kernel.required.matrices.has(HALVES));
    // 16-bit floats have the layout of the host: 16 rows of 24 of them in workgroup memory.
    let packed = kernel.entry.abi.buffers.iter().map(|buffer| buffer.packed);
    assert_eq!(packed.collect::<Vec<_>>(), [true, true, false]);
    assert_eq!(kernel.entry.abi.buffers[0].min_bytes, 16 * 64 * 2);
    assert_eq!(kernel.entry.workgroup_bytes, 16 * 24 * 2);
    let text = text_of(&kernel);
    for declared in [
        "OpCapability CooperativeMatrixKHR",
        "OpCapability VulkanMemoryModel",
        "OpCapability Float16",
        "OpCapability StorageBuffer16BitAccess",
        "OpExtension \"SPV_KHR_cooperative_matrix\"",
        "OpExtension \"SPV_KHR_vulkan_memory_model\"",
        "OpMemoryModel Logical Vulkan",
    ] {
        assert!(text.contains(declared), "{declared} in\n{text}");
    }
    let count = |word: &str| text.matches(word).count();
    assert_eq!(count("OpCooperativeMatrixLoadKHR"), 2);
    assert_eq!(count("OpCooperativeMatrixMulAddKHR"), 1);
    assert_eq!(count("OpCooperativeMatrixStoreKHR"), 1);
    // The copy moves eight halves in 16 bytes, without a conversion. Only the buffer of results and
    // workgroup memory are written: their accesses take part in the order that barriers make.
    assert_eq!(count("OpFConvert"), 0);
    assert_eq!(count("NonPrivatePointer"), 3);
    // The loop carries the sum in a variable.
    assert_eq!(count("OpPhi"), 1);
    // Semantics of a barrier: acquire, release, buffers, workgroup memory, available, visible.
    let semantics = 0x8 | 0x40 | 0x100 | 0x2000 | 0x4000;
    assert!(text.contains(&format!(" {semantics}\n")), "{text}");
}

#[test]
fn a_place_that_may_be_outside_is_tested() {
    let env = env(&[HALVES]);
    let inside = compiled(&PRODUCT.replace("STORE", "%c0"), &env).expect("compiles");
    assert_eq!(inside.entry.abi.fault_binding, None);
    let open = compiled(&PRODUCT.replace("STORE", "%n"), &env).expect("compiles");
    assert!(open.entry.abi.fault_binding.is_some());
    assert_eq!(open.entry.abi.fault_sites.len(), 1);
}

#[test]
fn what_a_target_has_not_is_refused() {
    let text = PRODUCT.replace("STORE", "%c0");
    let said = |env: &TargetEnv| compiled(&text, env).expect_err("refused");
    assert!(said(&env(&[])).contains("has no cooperative matrices"));
    let other = MatrixProduct { n: 8, ..HALVES };
    let message = said(&env(&[other]));
    assert!(
        message.contains("it has 16x16 by 16x8 of f16, sums of f32"),
        "{message}"
    );
    let strict = TargetEnv {
        fp: FpMode::Strict,
        ..env(&[HALVES])
    };
    assert!(said(&strict).contains("strict floats do not permit"));
    let few = text.replace("i32: 32, 1, 1", "i32: 16, 1, 1");
    let message = compiled(&few, &env(&[HALVES])).expect_err("refused");
    assert!(message.contains("fewer than 32 threads"), "{message}");
}
