//! Location aliases, defined at the end of the file, as both programs print them.

use std::fmt::Write as _;

use crate::random::Random;

/// The aliases defined so far.
#[derive(Default)]
pub struct Locations {
    definitions: String,
    count: usize,
}

impl Locations {
    /// Creates a location. Returns the text that follows an operation.
    pub fn suffix(&mut self, random: &mut Random) -> String {
        let number = self.count;
        self.count += 1;
        let (line, column) = (random.between(1, 9_999), random.between(1, 120));
        let earlier =
            |random: &mut Random| random.below(number.min(500)) + number.saturating_sub(500);
        let text = match random.below(20) {
            0 if number > 0 => format!("\"value{}\"(#loc{})", line, earlier(random)),
            1 if number > 0 => format!(
                "callsite(#loc{} at #loc{})",
                earlier(random),
                earlier(random)
            ),
            2 if number > 1 => format!("fused[#loc{}, #loc{}]", number - 1, number - 2),
            _ => format!("\"source/unit{}.f90\":{line}:{column}", random.below(40)),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(self.definitions, "#loc{number} = loc({text})");
        format!(" loc(#loc{number})")
    }

    /// The definitions of all aliases.
    pub fn definitions(&self) -> &str {
        &self.definitions
    }
}
