//! Pass options as text: `name=value name=value flag`.

use std::fmt;

use super::registry::{SCHEDULE, find_pass};

/// Options as written; the pass parses the values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassOptions {
    /// Names and values in the order written; a flag has the value `true`.
    entries: Vec<(String, String)>,
}

/// Option error: an option that its pass does not take, or a value that does not parse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError {
    message: String,
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for OptionError {}

impl PassOptions {
    /// Parses `name=value` pairs separated by blanks. Braces or quotes around a
    /// value let it hold blanks; they are dropped.
    ///
    /// # Errors
    /// A quote or brace that is not closed, an option without a name.
    pub fn parse(text: &str) -> Result<Self, OptionError> {
        let mut entries = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let end = rest
                .find(|c: char| c == '=' || c.is_whitespace())
                .unwrap_or(rest.len());
            let (name, tail) = rest.split_at(end);
            if name.is_empty() {
                return Err(OptionError::new(format!(
                    "expected an option name at '{rest}'"
                )));
            }
            let (value, tail) = match tail.strip_prefix('=') {
                Some(tail) => split_value(tail)?,
                None => ("true", tail),
            };
            entries.push((name.to_owned(), value.to_owned()));
            rest = tail.trim_start();
        }
        Ok(PassOptions { entries })
    }

    /// Parses the options of a pass. The options of `affine-schedule` are a schedule text, unless
    /// they begin with the name of one of its options.
    ///
    /// # Errors
    /// As of [`PassOptions::parse`].
    pub fn of_pass(pass: &str, text: &str) -> Result<Self, OptionError> {
        let names = find_pass(pass).map_or(&[][..], |info| info.options);
        let word = text.trim_start().split('=').next();
        let is_schedule = pass == SCHEDULE && !names.iter().any(|&name| word == Some(name));
        if !is_schedule {
            return PassOptions::parse(text);
        }
        Ok(PassOptions::default().with("steps", text))
    }

    /// Appends an option.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.entries.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Whether no option was given.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Refuses options that are not among `known`.
    ///
    /// # Errors
    /// Names the first unknown option, and the known ones.
    pub fn expect_only(&self, pass: &str, known: &[&str]) -> Result<(), OptionError> {
        let stranger = self.entries.iter().find(|e| !known.contains(&e.0.as_str()));
        let Some((name, _)) = stranger else {
            return Ok(());
        };
        let takes = match known {
            [] => "it takes none".to_owned(),
            _ => format!("it takes {}", known.join(", ")),
        };
        Err(OptionError::new(format!(
            "pass '{pass}' has no option '{name}'; {takes}"
        )))
    }

    /// The value of an option; the last one if it is given twice.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.entries.iter().rev().find(|e| e.0 == name);
        found.map(|e| e.1.as_str())
    }

    /// Parses the value of an option as `T`; `default` if it is missing.
    ///
    /// # Errors
    /// The value does not parse as `T`.
    pub fn read<T: std::str::FromStr>(&self, name: &str, default: T) -> Result<T, OptionError> {
        let Some(text) = self.get(name) else {
            return Ok(default);
        };
        let parsed = text.parse();
        parsed.map_err(|_| OptionError::new(format!("option '{name}' cannot be '{text}'")))
    }

    /// Whether a flag is set; not if it is missing. Its values are those of LLVM's command line.
    ///
    /// # Errors
    /// The value is no truth value.
    pub fn flag(&self, name: &str) -> Result<bool, OptionError> {
        match self.get(name) {
            None | Some("false" | "False" | "FALSE" | "0") => Ok(false),
            Some("true" | "True" | "TRUE" | "1") => Ok(true),
            Some(other) => Err(OptionError::new(format!(
                "option '{name}' cannot be '{other}'; it is true or false"
            ))),
        }
    }
}

impl OptionError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        OptionError {
            message: message.into(),
        }
    }
}

/// Splits `text` into the value at its start and the rest.
fn split_value(text: &str) -> Result<(&str, &str), OptionError> {
    let unclosed =
        |closing: char| OptionError::new(format!("the value '{text}' lacks its closing {closing}"));
    if let Some(inner) = text.strip_prefix('{') {
        let mut depth = 1usize;
        for (at, c) in inner.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok((&inner[..at], &inner[at + 1..]));
            }
        }
        return Err(unclosed('}'));
    }
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote) {
            let end = inner.find(quote).ok_or_else(|| unclosed(quote))?;
            return Ok((&inner[..end], &inner[end + 1..]));
        }
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    Ok(text.split_at(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_may_be_plain_braced_or_quoted() {
        let options = PassOptions::parse("a=1  flag b={x y} c=\"p q\"").unwrap();
        assert_eq!(options.get("a"), Some("1"));
        assert_eq!(options.get("flag"), Some("true"));
        assert_eq!(options.get("b"), Some("x y"));
        assert_eq!(options.get("c"), Some("p q"));
        assert_eq!(options.get("d"), None);
        assert_eq!(
            ["flag", "a", "d"].map(|name| options.flag(name)),
            [Ok(true), Ok(true), Ok(false)]
        );
        assert_eq!(options.read("a", 7u32), Ok(1));
        assert_eq!(options.read("d", 7u32), Ok(7));
    }

    #[test]
    fn mistakes_are_named() {
        assert!(PassOptions::parse("a={1").is_err());
        assert!(PassOptions::parse("=1").is_err());
        let options = PassOptions::parse("a=x").unwrap();
        let error = options.read("a", 7u32).unwrap_err();
        assert_eq!(error.to_string(), "option 'a' cannot be 'x'");
        let error = options.flag("a").unwrap_err();
        assert_eq!(
            error.to_string(),
            "option 'a' cannot be 'x'; it is true or false"
        );
        let error = options.expect_only("cse", &[]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "pass 'cse' has no option 'a'; it takes none"
        );
    }
}
