//! The `complex` dialect.

dialect_ops! {
    after super::ub::END;
}
