//! What the comments of a test file say.

use std::fmt;
use std::ops::Range;

/// What a test does; the table of the parent module explains each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Accepted.
    Verify,
    /// Refused as its annotations say, though `mlir-opt` accepts it.
    Stricter,
    /// Printed and read back.
    Roundtrip,
    /// Printed as `mlir-opt` prints it.
    Print,
    /// Canonicalized as `mlir-opt` does it.
    Canonical,
    /// Transformed, compared with an expectation.
    Opt,
    /// Transformed, valid after every pass.
    Stages,
    /// Compiled to valid SPIR-V.
    Spirv,
    /// Compiled to valid texts of other shading languages.
    Shaders,
    /// Translated to the `spirv` dialect, to SPIR-V and back.
    Translate,
    /// Executed on every device.
    Run,
    /// Transformed and executed, compared with the program as written.
    RunOpt,
    /// Compiled ahead of time and executed.
    RunCompiled,
    /// Its loops explained, compared with an expectation.
    Explain,
    /// Refused.
    Error,
}

impl Mode {
    const ALL: [(&'static str, Mode); 15] = [
        ("verify", Mode::Verify),
        ("stricter", Mode::Stricter),
        ("roundtrip", Mode::Roundtrip),
        ("print", Mode::Print),
        ("canonical", Mode::Canonical),
        ("opt", Mode::Opt),
        ("stages", Mode::Stages),
        ("spirv", Mode::Spirv),
        ("shaders", Mode::Shaders),
        ("translate", Mode::Translate),
        ("run", Mode::Run),
        ("run-opt", Mode::RunOpt),
        ("run-compiled", Mode::RunCompiled),
        ("explain", Mode::Explain),
        ("error", Mode::Error),
    ];

    /// Whether it runs a program.
    fn leaves_values(self) -> bool {
        matches!(self, Mode::Run | Mode::RunOpt | Mode::RunCompiled)
    }

    fn parse(word: &str) -> Option<Mode> {
        Mode::ALL
            .iter()
            .find(|(name, _)| *name == word)
            .map(|(_, mode)| *mode)
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Mode::ALL
            .iter()
            .find(|(_, mode)| mode == self)
            .map_or("", |(name, _)| name);
        f.write_str(name)
    }
}

/// One line `// test: MODE ARGS`.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// What to do.
    pub mode: Mode,
    /// Further arguments, separated by blanks in the file.
    pub args: Vec<String>,
    /// What a run must leave.
    pub values: Vec<Value>,
}

impl Test {
    /// Reads `MODE ARGS`.
    pub(super) fn parse(text: &str) -> Result<Test, String> {
        let mut args = words(text);
        let word = if args.is_empty() {
            String::new()
        } else {
            args.remove(0)
        };
        let mode = Mode::parse(&word).ok_or_else(|| format!("`{word}` is no mode of a test"))?;
        Ok(Test {
            mode,
            args,
            values: Vec::new(),
        })
    }
}

/// The words of a line; between double quotes, which are dropped, a blank is part of the word.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (number, part) in text.split('"').enumerate() {
        let is_quoted = number % 2 == 1;
        let mut pieces = part.split(|c: char| !is_quoted && c.is_whitespace());
        let first = pieces.next().unwrap_or_default();
        if let Some(last) = words.last_mut() {
            last.push_str(first);
        }
        words.extend(pieces.map(str::to_owned));
    }
    words.retain(|word| !word.is_empty());
    words
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
    Remark,
}

impl Severity {
    pub const ALL: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Remark];

    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "remark",
        }
    }
}

/// A diagnostic: an expected one, whose text is part of the message, or one that came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    /// Line and column, from 1; `None` where it concerns no place in the file.
    pub position: Option<(u32, u32)>,
    pub text: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.severity.name())?;
        if let Some((line, column)) = self.position {
            write!(f, "{line}:{column}: ")?;
        }
        f.write_str(&self.text)
    }
}

/// Where `run` leaves a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Argument(usize),
    Result(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Argument(index) => write!(f, "arg {index}"),
            Place::Result(index) => write!(f, "result {index}"),
        }
    }
}

/// What a place must hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    pub place: Place,
    /// The elements as written, in logical index order.
    pub elements: Vec<String>,
    /// The relative difference that is still right.
    pub tolerance: f64,
}

/// All that the comments say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// What to do with the file.
    pub tests: Vec<Test>,
    /// What must be said meanwhile.
    pub diagnostics: Vec<Diagnostic>,
    /// Devices on which `run` is left out, parts (`part N`, from 1) that `print` leaves out.
    pub exceptions: Vec<String>,
    /// Functions that `canonical` expects to come out otherwise than from `mlir-opt`.
    pub differs: Vec<String>,
    /// Functions that rely on promises about their arguments, which made-up ones do not keep.
    pub promises: Vec<String>,
    /// The status that `error` must see.
    pub exit: i32,
}

impl Header {
    /// Reads the comments of a file, wherever they stand.
    ///
    /// # Errors
    ///
    /// The line that is not understood, and what was expected.
    pub fn parse(source: &str) -> Result<Header, String> {
        let mut header = Header {
            exit: 1,
            ..Header::default()
        };
        // Tests that stand together share the values that follow them.
        let mut together = 0..0;
        for (number, line) in source.lines().enumerate() {
            header
                .line(line, &mut together)
                .map_err(|error| format!("line {}: {error}", number + 1))?;
        }
        let golden = |test: &&Test| matches!(test.mode, Mode::Opt | Mode::Spirv);
        if header.tests.iter().filter(golden).count() > 1 {
            return Err("a file has one .expected, and so one test `opt` or `spirv`".into());
        }
        Ok(header)
    }

    fn line(&mut self, line: &str, together: &mut Range<usize>) -> Result<(), String> {
        let Some(comment) = line.trim_start().strip_prefix("// ") else {
            return Ok(());
        };
        let Some((key, rest)) = comment.split_once(": ") else {
            return Ok(());
        };
        let rest = rest.trim();
        match key {
            "test" => {
                let after = self.tests.len();
                if together.start < together.end {
                    *together = after..after;
                }
                self.tests.push(Test::parse(rest)?);
            }
            "expect" => {
                together.end = self.tests.len();
                let value = value(rest)?;
                let mut runs = self.tests[together.clone()]
                    .iter_mut()
                    .filter(|test| test.mode.leaves_values())
                    .peekable();
                runs.peek().ok_or(
                    "`expect` stands below the `run`, `run-opt` or `run-compiled` that it is of",
                )?;
                runs.for_each(|run| run.values.push(value.clone()));
            }
            "exit" => self.exit = rest.parse().map_err(|_| "`exit` takes a number")?,
            "except" => self
                .exceptions
                .push(reasoned(rest).ok_or("`except` takes DEVICE: REASON or part N: REASON")?),
            "differs" => self.differs.push(function(key, rest)?),
            "promises" => self.promises.push(function(key, rest)?),
            _ => {
                let severity = Severity::ALL.into_iter().find(|s| s.name() == key);
                self.diagnostics
                    .extend(severity.map(|severity| diagnostic(severity, rest)));
            }
        }
        Ok(())
    }
}

/// `SUBJECT: REASON`, without the reason, which is for the reader.
fn reasoned(text: &str) -> Option<String> {
    let (subject, reason) = text.split_once(": ")?;
    (!reason.trim().is_empty()).then(|| subject.to_owned())
}

/// `@NAME: REASON`, of which the name.
fn function(key: &str, text: &str) -> Result<String, String> {
    let named = reasoned(text).and_then(|name| name.strip_prefix('@').map(str::to_owned));
    named.ok_or_else(|| format!("`{key}` takes @FUNCTION: REASON"))
}

/// `[LINE:COL: ]TEXT`
pub(super) fn diagnostic(severity: Severity, text: &str) -> Diagnostic {
    match positioned(text) {
        Some((position, text)) => Diagnostic {
            severity,
            position: Some(position),
            text: text.to_owned(),
        },
        None => Diagnostic {
            severity,
            position: None,
            text: text.to_owned(),
        },
    }
}

fn positioned(text: &str) -> Option<((u32, u32), &str)> {
    let (line, rest) = text.split_once(':')?;
    let (column, rest) = rest.split_once(':')?;
    Some((
        (line.parse().ok()?, column.parse().ok()?),
        rest.trim_start(),
    ))
}

/// `arg N = VALUES [within T]`
fn value(text: &str) -> Result<Value, String> {
    let form = "`expect` takes `arg N = VALUES` or `result N = VALUES`";
    let (place, values) = text.split_once('=').ok_or(form)?;
    let (kind, index) = place.trim().split_once(' ').ok_or(form)?;
    let index = index.trim().parse().map_err(|_| form)?;
    let place = match kind {
        "arg" => Place::Argument(index),
        "result" => Place::Result(index),
        _ => return Err(form.into()),
    };
    let (values, tolerance) = match values.split_once("within") {
        Some((values, tolerance)) => (
            values,
            tolerance
                .trim()
                .parse()
                .map_err(|_| "`within` takes a number")?,
        ),
        None => (values, 0.0),
    };
    let separators = |c: char| c.is_whitespace() || "[],".contains(c);
    let elements = values
        .split(separators)
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    Ok(Value {
        place,
        elements,
        tolerance,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_read_wherever_they_stand() {
        let source = "\
// Some words: not for us.
// test: run --entry f --arg zeros
// except: SwiftShader: no 64-bit floats
// differs: @f: it is known to end
// expect: arg 0 = [[1, -2.5], [nan, inf]] within 1e-6
func.func @f() {
  // test: error run
  // error: 3:4: no such thing: at all
  // remark: stays on the host
  // exit: 3
}
";
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let expected = Header {
            tests: vec![
                Test {
                    mode: Mode::Run,
                    args: words("--entry f --arg zeros"),
                    values: vec![Value {
                        place: Place::Argument(0),
                        elements: words("1 -2.5 nan inf"),
                        tolerance: 1e-6,
                    }],
                },
                Test {
                    mode: Mode::Error,
                    args: words("run"),
                    values: Vec::new(),
                },
            ],
            diagnostics: vec![
                Diagnostic {
                    severity: Severity::Error,
                    position: Some((3, 4)),
                    text: "no such thing: at all".into(),
                },
                Diagnostic {
                    severity: Severity::Remark,
                    position: None,
                    text: "stays on the host".into(),
                },
            ],
            exceptions: words("SwiftShader"),
            differs: words("f"),
            promises: Vec::new(),
            exit: 3,
        };
        assert_eq!(Header::parse(source), Ok(expected));
    }

    #[test]
    fn quotes_hold_words_together() {
        let expected = ["opt", "--a=b c", "--d"];
        assert_eq!(words("opt  --a=\"b c\" --d "), expected);
    }

    #[test]
    fn runs_that_stand_together_share_values() {
        let source = "\
// test: run --arg=0
// test: run --arg=1 --portable
// expect: result 0 = 5
// test: roundtrip
// test: run --arg=2
// expect: result 0 = 7
// expect: arg 0 = 2
";
        let header = Header::parse(source).unwrap();
        let numbers = |test: &Test| -> Vec<String> {
            let values = test.values.iter();
            values.flat_map(|value| value.elements.clone()).collect()
        };
        let numbers: Vec<Vec<String>> = header.tests.iter().map(numbers).collect();
        assert_eq!(numbers, [vec!["5"], vec!["5"], vec![], vec!["7", "2"]]);
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for (source, fragment) in [
            ("// test: rum", "`rum` is no mode"),
            ("\n// expect: arg = 1", "line 2: `expect` takes"),
            ("// expect: arg 0 = 1 within reason", "`within` takes"),
            ("// test: verify\n// expect: arg 0 = 1", "stands below"),
            ("// except: SwiftShader", "`except` takes"),
            ("// differs: f: a reason", "`differs` takes"),
            ("// promises: @f: ", "`promises` takes"),
            ("// exit: soon", "`exit` takes"),
            ("// test: opt --a\n// test: opt --b", "one .expected"),
        ] {
            let error = Header::parse(source).unwrap_err();
            assert!(error.contains(fragment), "{source}: {error}");
        }
    }
}
