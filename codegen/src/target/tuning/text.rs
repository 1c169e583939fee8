//! Text form of a tuning database.
//!
//! ```text
//! gridloom-tuning 1
//! device llvmpipe (LLVM 19.1.7, 256 bits) (Vulkan, Mesa 25.0.7)
//! nest 5f0c2ac14e5b9d31 shapes=-1,1024,? order=1,0 tile=8,4 walk=1,1,1 workgroup=8,1,1 lead=0 spread=no stage=no time=712000ns untuned=803000ns
//! ```
//!
//! A line each; fields in this order, one space between them. Empty lines and those that begin with
//! `#` are skipped. docs/tuning.md explains the fields.

use std::fmt;
use std::str::FromStr;

use super::{Choice, Database, Entry, NestKey};

/// Version of the format; other versions are refused.
const VERSION: u32 = 1;

/// First word of the file.
const MAGIC: &str = "gridloom-tuning";

/// Limit of the numbers in a list.
const MAX_LIST: usize = 4096;

/// Syntax error in the text of a database, with its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// The message.
    pub message: String,
}

/// Prints `3:17: error: …`, to follow the name of the file and a colon.
impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: error: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for TextError {}

pub(super) fn print(database: &Database, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(f, "{MAGIC} {VERSION}")?;
    for (device, entries) in &database.devices {
        writeln!(f, "\ndevice {device}")?;
        for (key, entry) in entries {
            writeln!(
                f,
                "nest {key} {} time={}ns untuned={}ns",
                entry.choice, entry.time, entry.untuned
            )?;
        }
    }
    Ok(())
}

pub(super) fn parse(text: &str) -> Result<Database, TextError> {
    let lines = (1..).zip(text.lines());
    let lines = lines.map(|(number, line)| Line::new(number, line));
    let mut lines = lines.filter(|line| !line.is_blank_or_comment());
    let Some(mut header) = lines.next() else {
        return Err(Line::new(1, "").error(&beginning()));
    };
    header.header()?;
    let mut database = Database::default();
    let mut device = None;
    for mut line in lines {
        match line.word() {
            "device" => device = Some(line.device(&mut database)?),
            "nest" => line.nest(&mut database, device.as_deref())?,
            other => {
                let message = format!(
                    "a line begins with 'device' or 'nest', not with '{}'",
                    shortened(other)
                );
                return Err(line.error_at_word(&message));
            }
        }
    }
    Ok(database)
}

fn beginning() -> String {
    format!("a tuning database begins with '{MAGIC} {VERSION}'")
}

/// The first characters of a word, for messages.
fn shortened(word: &str) -> String {
    word.chars().take(40).collect()
}

/// Line parser, word by word.
struct Line<'t> {
    number: u32,
    whole: &'t str,
    rest: &'t str,
    /// Byte offset of the latest word.
    word: usize,
}

impl<'t> Line<'t> {
    fn new(number: u32, whole: &'t str) -> Self {
        Line {
            number,
            whole,
            rest: whole,
            word: 0,
        }
    }

    fn is_blank_or_comment(&self) -> bool {
        self.whole.trim().is_empty() || self.whole.starts_with('#')
    }

    /// The next word, empty at the end.
    fn word(&mut self) -> &'t str {
        let rest = self.rest.trim_start();
        self.word = self.whole.len() - rest.len();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        word
    }

    fn error(&self, message: &str) -> TextError {
        self.error_at(0, message)
    }

    fn error_at_word(&self, message: &str) -> TextError {
        self.error_at(self.word, message)
    }

    fn error_at(&self, column: usize, message: &str) -> TextError {
        TextError {
            line: self.number,
            column: u32::try_from(column + 1).unwrap_or(u32::MAX),
            message: message.to_owned(),
        }
    }

    /// Checks the first line.
    fn header(&mut self) -> Result<(), TextError> {
        if self.word() != MAGIC {
            return Err(self.error_at_word(&beginning()));
        }
        let version = self.word();
        if version.parse() == Ok(VERSION) && self.rest.trim().is_empty() {
            return Ok(());
        }
        let message = format!(
            "this file has version '{}', and this gridloom reads version {VERSION}; tune again \
             into another file",
            shortened(version)
        );
        Err(self.error_at_word(&message))
    }

    /// Parses the rest of `device NAME`, and adds the device. Returns its name.
    fn device(&mut self, database: &mut Database) -> Result<String, TextError> {
        let name = self.rest.trim();
        if name.is_empty() {
            return Err(self.error("the name of the device is missing"));
        }
        if database.devices.contains_key(name) {
            let message =
                "this device is named a second time; put all its entries below its first line";
            return Err(self.error(message));
        }
        database.devices.insert(name.to_owned(), Default::default());
        Ok(name.to_owned())
    }

    /// Parses the rest of `nest KEY FIELDS`, and adds the entry to a device.
    fn nest(&mut self, database: &mut Database, device: Option<&str>) -> Result<(), TextError> {
        let (key, entry) = self.entry()?;
        let entries = device.and_then(|name| database.devices.get_mut(name));
        let Some(entries) = entries else {
            return Err(self.error("a line 'nest' has no device: write 'device NAME' above it"));
        };
        if let Some(other) = entries.get(&key) {
            let message = format!(
                "this nest already has an entry, in line {}; remove one of them",
                other.line
            );
            return Err(self.error(&message));
        }
        entries.insert(key, entry);
        Ok(())
    }

    /// Parses the fields of an entry.
    fn entry(&mut self) -> Result<(NestKey, Entry), TextError> {
        let word = self.word();
        let structure = match word.len() {
            16 => u64::from_str_radix(word, 16).ok(),
            _ => None,
        };
        let structure = structure
            .filter(|_| word.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .ok_or_else(|| self.error_at_word("the hash of a nest has 16 hexadecimal digits"))?;
        let key = NestKey {
            structure,
            shapes: self.extents()?,
        };
        let choice = Choice {
            order: self.numbers("order")?,
            tile: self.numbers("tile")?,
            walk: self.three("walk")?,
            workgroup: self.three("workgroup")?,
            lead: self.number("lead")?,
            is_spread: self.flag("spread")?,
            chunk: match self.field("stage")? {
                "no" => None,
                chunk => Some(self.parsed("stage", chunk)?),
            },
        };
        let entry = Entry {
            choice,
            time: self.time("time")?,
            untuned: self.time("untuned")?,
            line: self.number,
        };
        match self.word() {
            "" => Ok((key, entry)),
            _ => Err(self.error_at_word("an entry ends with 'untuned'")),
        }
    }

    /// Parses the next field, which has to have this name. Returns its value.
    fn field(&mut self, name: &str) -> Result<&'t str, TextError> {
        let word = self.word();
        match word.split_once('=') {
            Some((found, value)) if found == name => Ok(value),
            _ => Err(self.error_at_word(&format!("the field '{name}=' is expected here"))),
        }
    }

    /// Parses a non-negative number.
    fn parsed<T: FromStr>(&self, name: &str, text: &str) -> Result<T, TextError> {
        let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|_| is_plain);
        number.ok_or_else(|| {
            let text = shortened(text);
            self.error_at_word(&format!(
                "'{name}' cannot be '{text}'; it takes non-negative integers"
            ))
        })
    }

    fn number(&mut self, name: &str) -> Result<i64, TextError> {
        let value = self.field(name)?;
        self.parsed(name, value)
    }

    fn numbers<T: FromStr>(&mut self, name: &str) -> Result<Vec<T>, TextError> {
        let value = self.field(name)?;
        let parts = value.split(',').take(MAX_LIST);
        parts.map(|part| self.parsed(name, part)).collect()
    }

    fn three(&mut self, name: &str) -> Result<[i64; 3], TextError> {
        let numbers: Vec<i64> = self.numbers(name)?;
        let three = <[i64; 3]>::try_from(numbers);
        three.map_err(|_| self.error_at_word(&format!("'{name}' has three numbers")))
    }

    fn flag(&mut self, name: &str) -> Result<bool, TextError> {
        match self.field(name)? {
            "yes" => Ok(true),
            "no" => Ok(false),
            _ => Err(self.error_at_word(&format!("'{name}' is yes or no"))),
        }
    }

    fn extents(&mut self) -> Result<Vec<Option<i64>>, TextError> {
        let value = self.field("shapes")?;
        if value == "-" {
            return Ok(Vec::new());
        }
        let size = |part: &str| match part {
            "?" => Ok(None),
            // The bounds of a loop may be negative.
            part => match part.strip_prefix('-') {
                Some(digits) => self.parsed("shapes", digits).map(|n: i64| Some(-n)),
                None => self.parsed("shapes", part).map(Some),
            },
        };
        value.split(',').take(MAX_LIST).map(size).collect()
    }

    /// Parses a time such as `1200ns`.
    fn time(&mut self, name: &str) -> Result<u64, TextError> {
        let value = self.field(name)?;
        match value.strip_suffix("ns") {
            Some(number) => self.parsed(name, number),
            None => Err(self.error_at_word(&format!("'{name}' is in nanoseconds, as in 1200ns"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "gridloom-tuning 1

device a device (Vulkan, driver 1.2)
nest 00000000000000ff shapes=- order=0 tile=8 walk=4,1,1 workgroup=8,1,1 lead=3 spread=no stage=no time=10ns untuned=20ns
nest 5f0c2ac14e5b9d31 shapes=-1,1024,? order=1,0 tile=8,4 walk=1,1,1 workgroup=16,16,1 lead=0 spread=yes stage=16 time=712000ns untuned=803000ns

device another
";

    #[test]
    fn what_is_printed_is_read_back() {
        let database = Database::parse(TEXT).unwrap();
        assert_eq!(database.to_string(), TEXT);
        let entries = &database.devices["a device (Vulkan, driver 1.2)"];
        let (key, entry) = entries.iter().nth(1).unwrap();
        assert_eq!(key.shapes, [Some(-1), Some(1024), None]);
        assert_eq!(entry.choice.order, [1, 0]);
        assert_eq!(
            (entry.choice.chunk, entry.choice.is_spread),
            (Some(16), true)
        );
        assert_eq!(
            (entry.time, entry.untuned, entry.line),
            (712_000, 803_000, 5)
        );
        assert!(database.devices["another"].is_empty());
    }

    #[test]
    fn comments_and_empty_lines_are_passed_over() {
        let text = format!("# one\n\n{}", TEXT.replace("device a", "# two\ndevice a"));
        let database = Database::parse(&text).unwrap();
        assert_eq!(database.to_string(), TEXT);
    }

    #[test]
    fn mistakes_have_their_place() {
        let at = |from: &str, to: &str| {
            let error = Database::parse(&TEXT.replacen(from, to, 1)).unwrap_err();
            (error.line, error.column, error.message)
        };
        let (line, column, message) = at("tile=8 ", "tile=x ");
        assert_eq!((line, column), (4, 40));
        assert_eq!(
            message,
            "'tile' cannot be 'x'; it takes non-negative integers"
        );
        assert!(
            at("gridloom-tuning 1", "gridloom-tuning 2")
                .2
                .contains("version '2'")
        );
        assert_eq!(at("gridloom-tuning 1", "something").0, 1);
        assert!(at("walk=4,1,1", "walk=4,1").2.contains("three numbers"));
        assert!(
            at("device a device (Vulkan, driver 1.2)\n", "")
                .2
                .contains("has no device")
        );
        assert!(at("lead=3", "lead=-3").2.contains("'-3'"));
        assert!(at("time=10ns", "time=10").2.contains("nanoseconds"));
        assert!(at("untuned=20ns", "untuned=20ns more=1").2.contains("ends"));
        assert!(at("00000000000000ff", "+0000000000000ff").2.contains("16"));
        assert!(
            at("device another", "device a device (Vulkan, driver 1.2)")
                .2
                .contains("a second time")
        );
        assert!(at("spread=no", "spread=1").2.contains("yes or no"));
        assert!(
            at("tile=8 ", "tile=99999999999999999999 ")
                .2
                .contains("non-negative integers")
        );
        let twice = TEXT.replace(
            "5f0c2ac14e5b9d31 shapes=-1,1024,? order=1,0 tile=8,4",
            "00000000000000ff shapes=- order=0 tile=1",
        );
        assert_eq!(Database::parse(&twice).unwrap_err().line, 5);
        assert!(Database::parse("").is_err());
    }

    /// Arbitrarily damaged texts are parsed or refused, without panic.
    #[test]
    fn damaged_texts_do_not_panic() {
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % below.max(1)
        };
        let pieces = [
            "=", ",", "é", "\n", " ", "9", "?", "nest ", "device ", "-", "\0", "ns",
        ];
        for _ in 0..4000 {
            let mut text: Vec<char> = TEXT.chars().collect();
            for _ in 0..=random(4) {
                let at = random(text.len());
                let end = (at + random(9)).min(text.len());
                text.splice(at..end, pieces[random(pieces.len())].chars());
            }
            let text: String = text.into_iter().collect();
            if let Ok(database) = Database::parse(&text) {
                let again = Database::parse(&database.to_string()).unwrap();
                assert_eq!(again.to_string(), database.to_string());
            }
        }
    }
}
