//! The `spirv` dialect.

dialect_ops! {
    after super::llvm::END;
}
