//! The `ub` dialect.

dialect_ops! {
    after super::index::END;
}
