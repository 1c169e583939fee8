//! Parser of schedule texts.

use std::fmt;

use super::{MAX_LOOPS, MAX_NUMBER, PlacedStep, ScheduleText, SplitPoint, Step};
use crate::analysis::loop_labels::plain_name;

/// Syntax error of a schedule text, with its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScheduleError {
    origin: String,
    line: usize,
    column: usize,
    message: String,
}

impl ScheduleError {
    /// One-based line and column of the error; columns count bytes.
    pub fn position(&self) -> (usize, usize) {
        (self.line, self.column)
    }
}

impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ScheduleError {
            origin,
            line,
            column,
            message,
        } = self;
        write!(f, "{origin}:{line}:{column}: {message}")
    }
}

impl std::error::Error for ScheduleError {}

/// The names of all steps, for messages.
const STEPS: &str = "tile, interchange, permute, reverse, skew, shift, fuse, distribute, split, peel, unroll, \
                     unroll-jam, strip-mine, coalesce, normalize, parallelize, privatize";

/// Limit of the length of a schedule, in bytes.
const MAX_LENGTH: usize = 1 << 20;

impl ScheduleText {
    /// Reads a schedule; `origin` names the text in diagnostics.
    ///
    /// # Errors
    /// The syntax error and its position.
    pub fn parse(origin: &str, text: &str) -> Result<Self, ScheduleError> {
        let mut reader = Reader { text, at: 0 };
        let steps = match text.len() {
            ..=MAX_LENGTH => reader.steps(),
            _ => Err(Wrong {
                at: 0,
                message: format!("a schedule has up to {MAX_LENGTH} bytes"),
            }),
        };
        let steps = steps.map_err(|wrong| wrong.located(origin, text))?;
        Ok(ScheduleText {
            steps,
            origin: origin.to_owned(),
            source: text.to_owned(),
        })
    }
}

/// An error at a byte of the text.
struct Wrong {
    at: usize,
    message: String,
}

impl Wrong {
    fn located(self, origin: &str, text: &str) -> ScheduleError {
        let before = &text.as_bytes()[..self.at.min(text.len())];
        let start = before.iter().rposition(|&b| b == b'\n');
        ScheduleError {
            origin: origin.to_owned(),
            line: before.iter().filter(|&&b| b == b'\n').count() + 1,
            column: before.len() - start.map_or(0, |at| at + 1) + 1,
            message: self.message,
        }
    }
}

type Read<T> = Result<T, Wrong>;

struct Reader<'a> {
    text: &'a str,
    /// Byte offset of the next character; always a character boundary.
    at: usize,
}

impl<'a> Reader<'a> {
    fn remaining(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn wrong<T>(&self, message: impl Into<String>) -> Read<T> {
        Err(Wrong {
            at: self.at,
            message: message.into(),
        })
    }

    /// Skips blanks and comments. Returns the next character.
    fn peek(&mut self) -> Option<char> {
        loop {
            let rest = self.remaining();
            self.at += rest.len() - rest.trim_start().len();
            let rest = self.remaining();
            if !rest.starts_with("//") {
                return rest.chars().next();
            }
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    /// The next token, for error messages.
    fn found(&mut self) -> String {
        match self.peek() {
            None => "the end".to_owned(),
            Some(c) => format!("'{}'", c.escape_debug()),
        }
    }

    fn eat(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        self.at += if is_next { wanted.len_utf8() } else { 0 };
        is_next
    }

    fn expect(&mut self, wanted: char) -> Read<()> {
        if self.eat(wanted) {
            return Ok(());
        }
        let found = self.found();
        self.wrong(format!("expected '{wanted}', not {found}"))
    }

    /// Takes the characters that `is_part` accepts.
    fn take(&mut self, is_part: impl Fn(char) -> bool) -> &'a str {
        let rest = self.remaining();
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// A word of letters and dashes.
    fn word(&mut self) -> &'a str {
        self.peek();
        self.take(|c| c.is_ascii_alphabetic() || c == '-')
    }

    fn expect_word(&mut self, wanted: &str) -> Read<()> {
        self.peek();
        let start = self.at;
        if self.word() == wanted {
            return Ok(());
        }
        self.at = start;
        let found = self.found();
        self.wrong(format!("expected '{wanted}', not {found}"))
    }

    fn steps(&mut self) -> Read<Vec<PlacedStep>> {
        let mut steps = Vec::new();
        let mut function: Option<String> = None;
        while self.peek().is_some() {
            if self.eat(';') {
                continue;
            }
            let at = self.at;
            let word = self.word();
            if word == "in" {
                function = Some(self.symbol()?);
                self.expect(':')?;
                continue;
            }
            let step = self.step(word, at)?;
            steps.push(PlacedStep {
                function: function.clone(),
                step,
                at,
            });
            if self.peek().is_some() {
                self.expect(';')?;
            }
        }
        Ok(steps)
    }

    fn step(&mut self, word: &str, at: usize) -> Read<Step> {
        if self.peek() != Some('(') {
            self.at = at;
            let found = match word {
                "" => self.found(),
                word => format!("'{word}'"),
            };
            return self.wrong(format!(
                "expected a step such as 'tile(i: 32)', not {found}"
            ));
        }
        self.expect('(')?;
        let step = match word {
            "tile" => self.tile()?,
            "interchange" => Step::Interchange(self.pair()?),
            "permute" => Step::Permute(self.names(2)?),
            "reverse" => Step::Reverse(self.name()?),
            "skew" => self.skew()?,
            "shift" => {
                let of = self.name()?;
                self.expect_word("by")?;
                let by = self.number(-MAX_NUMBER..=MAX_NUMBER)?;
                Step::Shift { of, by }
            }
            "fuse" => Step::Fuse(self.pair()?),
            "distribute" => Step::Distribute(self.name()?),
            "split" => self.split()?,
            "peel" => {
                let (of, count) = self.sized(-MAX_NUMBER..=MAX_NUMBER)?;
                Step::Peel { of, count }
            }
            "unroll" => self.unroll()?,
            "unroll-jam" => {
                let (of, factor) = self.sized(2..=MAX_NUMBER)?;
                let factor = factor.unsigned_abs();
                Step::UnrollJam { of, factor }
            }
            "strip-mine" => {
                let of = self.name()?;
                self.expect(':')?;
                let sizes = self.numbers(2..=MAX_NUMBER)?;
                Step::StripMine { of, sizes }
            }
            "coalesce" => Step::Coalesce(self.names(2)?),
            "normalize" => Step::Normalize(self.name()?),
            "parallelize" => Step::Parallelize(self.name()?),
            "privatize" => self.privatize()?,
            other => {
                self.at = at;
                return self.wrong(format!("there is no step '{other}'; there are {STEPS}"));
            }
        };
        self.expect(')')?;
        Ok(step)
    }

    fn tile(&mut self) -> Read<Step> {
        let loops = self.names(1)?;
        self.expect(':')?;
        let at = self.at;
        let sizes = self.numbers(1..=MAX_NUMBER)?;
        if sizes.len() != loops.len() {
            self.at = at;
            let (loops, sizes) = (loops.len(), sizes.len());
            return self.wrong(format!(
                "there must be one size for each loop, not {sizes} sizes for {loops} loops"
            ));
        }
        Ok(Step::Tile(loops.into_iter().zip(sizes).collect()))
    }

    fn skew(&mut self) -> Read<Step> {
        let of = self.name()?;
        self.expect_word("by")?;
        let is_number = (self.peek()).is_some_and(|c| c.is_ascii_digit() || c == '-');
        let mut by = 1;
        if is_number {
            by = self.number(-MAX_NUMBER..=MAX_NUMBER)?;
            self.expect('*')?;
        }
        self.peek();
        let at = self.at;
        let along = self.name()?;
        if along == of {
            self.at = at;
            return self.wrong(format!("loop '{of}' cannot be skewed along itself"));
        }
        Ok(Step::Skew { of, by, along })
    }

    fn split(&mut self) -> Read<Step> {
        let of = self.name()?;
        self.expect_word("at")?;
        let is_number = (self.peek()).is_some_and(|c| c.is_ascii_digit() || c == '-');
        let at = match is_number {
            true => SplitPoint::Number(self.number(i64::MIN..=i64::MAX)?),
            false => SplitPoint::Counter(self.name()?),
        };
        Ok(Step::Split { of, at })
    }

    fn unroll(&mut self) -> Read<Step> {
        let of = self.name()?;
        if !self.eat(':') {
            return Ok(Step::Unroll { of, factor: None });
        }
        let factor = self.number(2..=MAX_NUMBER)?.unsigned_abs();
        Ok(Step::Unroll {
            of,
            factor: Some(factor),
        })
    }

    fn privatize(&mut self) -> Read<Step> {
        let of = self.name()?;
        let mut inside = None;
        if self.peek() != Some(')') {
            self.expect_word("in")?;
            inside = Some(self.name()?);
        }
        Ok(Step::Privatize { of, inside })
    }

    /// Parses `i: 4`.
    fn sized(&mut self, range: std::ops::RangeInclusive<i64>) -> Read<(String, i64)> {
        let of = self.name()?;
        self.expect(':')?;
        self.peek();
        let at = self.at;
        let number = self.number(range)?;
        if number == 0 {
            self.at = at;
            return self.wrong("a size of 0 iterations cannot be used; write 1 or more");
        }
        Ok((of, number))
    }

    /// Parses two different names.
    fn pair(&mut self) -> Read<[String; 2]> {
        let at = self.at;
        let names = self.names(2)?;
        match <[String; 2]>::try_from(names) {
            Ok(pair) => Ok(pair),
            Err(names) => {
                self.at = at;
                self.wrong(format!("this step takes two loops, not {}", names.len()))
            }
        }
    }

    /// Parses different names divided by commas, at least `least` of them.
    fn names(&mut self, least: usize) -> Read<Vec<String>> {
        let mut names: Vec<String> = Vec::new();
        loop {
            self.peek();
            let at = self.at;
            let name = self.name()?;
            if names.contains(&name) {
                self.at = at;
                return self.wrong(format!("loop '{name}' is named twice"));
            }
            names.push(name);
            if names.len() > MAX_LOOPS {
                self.at = at;
                return self.wrong(format!("a step takes up to {MAX_LOOPS} loops"));
            }
            if !self.eat(',') {
                break;
            }
        }
        if names.len() < least {
            return self.wrong(format!("this step takes at least {least} loops"));
        }
        Ok(names)
    }

    /// Parses a label of a loop or the name of a value: `i`, `%i`, `i.tile`, `i#2`, `i#2.tile`,
    /// `%0`.
    fn name(&mut self) -> Read<String> {
        self.peek();
        let start = self.at;
        let is_value = self.eat('%');
        let first = self.remaining().chars().next();
        let is_start = |c: char| match is_value {
            true => is_name(c),
            false => c.is_ascii_alphabetic() || "_$.".contains(c),
        };
        if !first.is_some_and(is_start) {
            self.at = start;
            let found = self.found();
            return self.wrong(format!("expected the name of a loop, not {found}"));
        }
        self.take(is_name);
        // The tiles of the second loop i are `i#2.tile`.
        while self.remaining().starts_with('#') {
            self.at += 1;
            if self.take(|c| c.is_ascii_digit()).is_empty() {
                return self.wrong("expected a number behind '#'");
            }
            self.take(is_name);
        }
        Ok(plain_name(&self.text[start..self.at]).to_owned())
    }

    fn numbers(&mut self, range: std::ops::RangeInclusive<i64>) -> Read<Vec<i64>> {
        let mut numbers = vec![self.number(range.clone())?];
        while self.eat(',') {
            numbers.push(self.number(range.clone())?);
        }
        Ok(numbers)
    }

    fn number(&mut self, range: std::ops::RangeInclusive<i64>) -> Read<i64> {
        self.peek();
        let start = self.at;
        self.eat('-');
        self.take(|c| c.is_ascii_digit());
        let text = &self.text[start..self.at];
        if text.is_empty() || text == "-" {
            self.at = start;
            let found = self.found();
            return self.wrong(format!("expected a number, not {found}"));
        }
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.map_or_else(
            || {
                let (least, most) = (range.start(), range.end());
                self.at = start;
                self.wrong(format!("{text} is not from {least} to {most}"))
            },
            Ok,
        )
    }

    /// Parses `@name` or `@"any name"`, with `\` before quotes and backslashes.
    fn symbol(&mut self) -> Read<String> {
        self.expect('@')?;
        if !self.remaining().starts_with('"') {
            let name = self.take(is_name);
            return match name {
                "" => self.wrong("expected the name of a function"),
                name => Ok(name.to_owned()),
            };
        }
        let start = self.at;
        let mut name = String::new();
        let mut is_escaped = false;
        for (at, c) in self.remaining().char_indices().skip(1) {
            match c {
                _ if is_escaped => {
                    name.push(c);
                    is_escaped = false;
                }
                '\\' => is_escaped = true,
                '"' => {
                    self.at = start + at + 1;
                    return Ok(name);
                }
                c => name.push(c),
            }
        }
        self.wrong("this name has no closing quotation mark")
    }
}

/// Whether a character may follow the first one of a name.
pub(super) fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_$.-".contains(c)
}
