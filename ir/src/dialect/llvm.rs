//! The `llvm` dialect.

dialect_ops! {
    after super::bufferization::END;
}
