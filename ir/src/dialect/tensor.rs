//! The `tensor` dialect.

dialect_ops! {
    after super::complex::END;
}
