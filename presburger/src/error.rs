//! Errors of building a set.

use std::fmt;

/// Error of building a set.
///
/// Questions about a finished set never fail: they answer "unknown" instead
/// (see [`Answer`](crate::Answer) and [`Emptiness`](crate::Emptiness)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A coefficient left the range of 64-bit integers. The caller has to treat
    /// whatever it wanted to know about the set as unknown.
    Overflow,
    /// A division or remainder by a constant that is zero or negative. The
    /// affine language defines both for positive divisors only.
    DivisorNotPositive(i64),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overflow => {
                f.write_str("a coefficient does not fit 64 bits; treat the question as undecided")
            }
            Self::DivisorNotPositive(divisor) => write!(
                f,
                "division by {divisor}: the divisor of floordiv, ceildiv and mod must be a positive constant"
            ),
        }
    }
}

impl std::error::Error for Error {}
