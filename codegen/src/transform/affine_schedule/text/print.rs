//! Printer of schedule texts, in the form that the parser accepts.

use std::fmt::{self, Display};

use super::parse::is_name;
use super::{PlacedStep, ScheduleText, SplitPoint, Step};

/// Prints `in @f: tile(i, j: 32, 32); interchange(i, j)`.
impl Display for ScheduleText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before: Option<&PlacedStep> = None;
        for placed in &self.steps {
            if before.is_some() {
                f.write_str("; ")?;
            }
            let function = placed.function.as_deref();
            match function {
                Some(name) if before.and_then(|b| b.function.as_deref()) != function => {
                    write!(f, "in {}: ", Symbol(name))?;
                }
                _ => {}
            }
            write!(f, "{}", placed.step)?;
            before = Some(placed);
        }
        Ok(())
    }
}

/// Symbol of a function, printed in quotes where necessary.
struct Symbol<'a>(&'a str);

impl Display for Symbol<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.0;
        if !name.is_empty() && name.chars().all(is_name) {
            return write!(f, "@{name}");
        }
        f.write_str("@\"")?;
        for c in name.chars() {
            if matches!(c, '"' | '\\') {
                f.write_str("\\")?;
            }
            write!(f, "{c}")?;
        }
        f.write_str("\"")
    }
}

/// Joins items with commas.
fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(", ")
}

/// Prints `skew(j by 2*i)`.
impl Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Tile(loops) => {
                let names = list(loops.iter().map(|(name, _)| name));
                let sizes = list(loops.iter().map(|(_, size)| size));
                write!(f, "tile({names}: {sizes})")
            }
            Step::Interchange([a, b]) => write!(f, "interchange({a}, {b})"),
            Step::Permute(loops) => write!(f, "permute({})", list(loops)),
            Step::Reverse(of) => write!(f, "reverse({of})"),
            Step::Skew { of, by: 1, along } => write!(f, "skew({of} by {along})"),
            Step::Skew { of, by, along } => write!(f, "skew({of} by {by}*{along})"),
            Step::Shift { of, by } => write!(f, "shift({of} by {by})"),
            Step::Fuse([a, b]) => write!(f, "fuse({a}, {b})"),
            Step::Distribute(of) => write!(f, "distribute({of})"),
            Step::Split { of, at } => match at {
                SplitPoint::Number(at) => write!(f, "split({of} at {at})"),
                SplitPoint::Counter(at) => write!(f, "split({of} at {at})"),
            },
            Step::Peel { of, count } => write!(f, "peel({of}: {count})"),
            Step::Unroll { of, factor: None } => write!(f, "unroll({of})"),
            Step::Unroll {
                of,
                factor: Some(factor),
            } => write!(f, "unroll({of}: {factor})"),
            Step::UnrollJam { of, factor } => write!(f, "unroll-jam({of}: {factor})"),
            Step::StripMine { of, sizes } => write!(f, "strip-mine({of}: {})", list(sizes)),
            Step::Coalesce(loops) => write!(f, "coalesce({})", list(loops)),
            Step::Normalize(of) => write!(f, "normalize({of})"),
            Step::Parallelize(of) => write!(f, "parallelize({of})"),
            Step::Privatize { of, inside: None } => write!(f, "privatize({of})"),
            Step::Privatize {
                of,
                inside: Some(inside),
            } => write!(f, "privatize({of} in {inside})"),
        }
    }
}
