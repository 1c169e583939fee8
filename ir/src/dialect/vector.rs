//! The `vector` dialect.

dialect_ops! {
    after super::gpu::END;
}
