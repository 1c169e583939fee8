//! The `bufferization` dialect.

dialect_ops! {
    after super::tensor::END;
}
