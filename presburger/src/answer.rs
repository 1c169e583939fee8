//! Three-valued answers: yes, no, unknown.

/// The answer to a question about a set.
///
/// "Unknown" means that a number left 64 bits or the work allowed ran out. It must never permit
/// anything: an unknown dependence is a dependence, an unknown bound is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Proved true.
    Yes,
    /// Proved false.
    No,
    /// Neither proved nor disproved.
    Unknown,
}

impl Answer {
    /// Whether the answer is a proved yes.
    pub fn is_yes(self) -> bool {
        self == Self::Yes
    }

    /// Whether the answer is a proved no.
    pub fn is_no(self) -> bool {
        self == Self::No
    }

    /// Yes if both are; no if one is no.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, Self::Yes) => Self::Yes,
            _ => Self::Unknown,
        }
    }

    /// No if both are; yes if one is yes.
    pub fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Yes, _) | (_, Self::Yes) => Self::Yes,
            (Self::No, Self::No) => Self::No,
            _ => Self::Unknown,
        }
    }
}
