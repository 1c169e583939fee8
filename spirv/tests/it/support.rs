//! Helpers of the tests: features, compilation with validation.

use gridloom_ir::Context;
use gridloom_ir::body::OpData;
use gridloom_spirv::{
    CompiledKernel, Features, MatrixProducts, Profile, TargetEnv, check_portable, compile_func,
    disassemble,
};

/// Device features, all but exact division and cooperative matrices.
pub const MOST_FEATURES: Features = Features {
    f64: true,
    i64: true,
    i64_atomic: true,
    f32_atomic_add: true,
    exact_division: false,
    matrices: MatrixProducts::EMPTY,
    storage8: true,
    storage16: true,
};

/// Compiles a kernel for a target, and validates the module by `spirv-val`, in the portable profile
/// by naga too. Panics with the module's text where either refuses it.
pub fn compile_valid(ctx: &Context, func: &OpData, env: &TargetEnv) -> CompiledKernel {
    let compiled =
        compile_func(ctx, func, env).unwrap_or_else(|errors| panic!("{}", errors.render(ctx)));
    check(&compiled.words, env.profile);
    assert!(env.features.contains(compiled.required));
    compiled
}

/// Validates a module by the validators of its profile, and looks for what these let pass: signed
/// remainders, which are undefined in Vulkan where an operand is negative.
pub fn check(words: &[u32], profile: Profile) {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let text = disassemble(words).expect("a module we made");
    let checked = gridloom_test_tools::spirv_val().run(&["--target-env", "vulkan1.1", "-"], &bytes);
    if let Err(error) = checked {
        panic!("{error}\n{text}");
    }
    assert!(
        !text.contains("OpSRem") && !text.contains("OpSMod"),
        "{text}"
    );
    if profile == Profile::Portable
        && let Err(error) = check_portable(words)
    {
        panic!("{error}\n{text}");
    }
}
