//! The `index` dialect.

dialect_ops! {
    after super::vector::END;
}
