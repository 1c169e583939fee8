//! Elements of one and two bytes in buffers, on targets with 8- and 16-bit storage.

use gridloom_spirv::{
    CompiledKernel, Features, IndexWidth, Profile, TargetEnv, compile_kernel, disassemble,
};

use crate::device::module;
use crate::support::{MOST_FEATURES, check};

/// Accesses of a buffer of `TY`: single elements, vectors at every place in a word, and an atomic update.
const KERNEL: &str = "gpu.module @m {
  gpu.func @k(%x: memref<64xTY>, %y: memref<?xTY>, %at: index)
      kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %i = arith.muli %t, %c4 : index
    %next = arith.addi %i, %c1 : index
    %a = vector.load %x[%i] {gridloom.inbounds} : memref<64xTY>, vector<4xTY>
    %b = vector.load %x[%next] {gridloom.inbounds} : memref<64xTY>, vector<3xTY>
    %c = vector.load %x[%at] : memref<64xTY>, vector<4xTY>
    vector.store %a, %y[%i] {gridloom.inbounds} : memref<?xTY>, vector<4xTY>
    vector.store %b, %y[%next] : memref<?xTY>, vector<3xTY>
    vector.store %c, %y[%at] : memref<?xTY>, vector<4xTY>
    %d = memref.load %x[%t] {gridloom.inbounds} : memref<64xTY>
    memref.store %d, %y[%at] : memref<?xTY>
    %o = memref.atomic_rmw assign %d, %y[%t] : (TY, memref<?xTY>) -> TY
    gpu.return
  }
}";

fn compiled(ty: &str, env: &TargetEnv) -> CompiledKernel {
    let ctx = gridloom_dialects::context();
    let module = module(&ctx, &KERNEL.replace("TY", ty));
    let kernel = compile_kernel(&ctx, &module, "m", "k", env);
    let kernel = kernel.unwrap_or_else(|errors| panic!("{}", errors.render(&ctx)));
    check(&kernel.words, env.profile);
    kernel
}

fn text(kernel: &CompiledKernel) -> String {
    disassemble(&kernel.words).unwrap_or_else(|error| panic!("{error}"))
}

/// Bytes of an element in the buffers, and whether the module declares 8- and 16-bit storage.
fn storage(ty: &str, env: &TargetEnv) -> (Vec<u32>, [bool; 2]) {
    let kernel = compiled(ty, env);
    let text = text(&kernel);
    let declared = ["StorageBuffer8BitAccess", "StorageBuffer16BitAccess"]
        .map(|capability| text.contains(capability));
    assert_eq!(
        [kernel.required.storage8, kernel.required.storage16],
        declared
    );
    let buffers = kernel.entry.abi.buffers.iter();
    (
        buffers.map(|buffer| buffer.element_bytes()).collect(),
        declared,
    )
}

#[test]
fn elements_take_the_bytes_that_they_have_on_the_host() {
    let types = [
        ("i1", 1),
        ("i5", 1),
        ("i8", 1),
        ("f8E4M3FN", 1),
        ("f4E2M1FN", 1),
        ("i9", 2),
        ("i16", 2),
        ("f16", 2),
        ("bf16", 2),
        ("i17", 4),
        ("f32", 4),
    ];
    for addresses in [false, true] {
        for index_width in [IndexWidth::Bits32, IndexWidth::Bits64] {
            let env = TargetEnv {
                features: MOST_FEATURES,
                addresses,
                index_width,
                ..TargetEnv::default()
            };
            for (ty, bytes) in types {
                let (found, declared) = storage(ty, &env);
                assert_eq!((ty, &found[..]), (ty, &[bytes; 2][..]));
                assert_eq!((ty, declared), (ty, [bytes == 1, bytes == 2]));
            }
        }
    }
}

#[test]
fn without_storage_of_their_size_and_for_naga_elements_take_words() {
    let lesser = Features {
        storage8: false,
        ..MOST_FEATURES
    };
    let without = TargetEnv {
        features: lesser,
        ..TargetEnv::default()
    };
    assert_eq!(storage("i8", &without), (vec![4; 2], [false; 2]));
    assert_eq!(storage("i16", &without), (vec![2; 2], [false, true]));
    let portable = TargetEnv {
        profile: Profile::Portable,
        features: MOST_FEATURES,
        ..TargetEnv::default()
    };
    assert_eq!(storage("i8", &portable), (vec![4; 2], [false; 2]));
}

#[test]
fn whole_words_are_one_access() {
    let env = TargetEnv {
        features: MOST_FEATURES,
        ..TargetEnv::default()
    };
    let text = text(&compiled("i8", &env));
    // One word of the aligned vector, the elements of the others, and those of the guarded one again where some is out of
    // range. The update exchanges a word, and so does what records faults.
    let count = |part: &str| text.matches(part).count();
    assert_eq!(count("OpSConvert"), 3 + 4 + 4 + 1, "{text}");
    assert_eq!(count("OpAtomicCompareExchange"), 2, "{text}");
}
