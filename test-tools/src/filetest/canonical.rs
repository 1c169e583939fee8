//! The test `canonical`: functions are canonicalized as `mlir-opt` does it.
//!
//! The two agree on operations and their order; where constants stand, and how often, is a matter of taste.
//! [`functions`] therefore writes each constant in the place of its uses.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::difference::same;
use super::header::{Header, Test};
use super::{GENERIC, Runner, mlir_opt_prints};

/// Aliases are numbered by their order in the whole text, which constants change.
const FLAGS: [&str; 2] = [GENERIC, "--mlir-print-local-scope"];

const CANONICALIZE: &str = "--canonicalize";

impl Runner {
    pub(super) fn canonical(&self, file: &str, test: &Test, header: &Header) -> Result<(), String> {
        let args = [&test.args[..], &[CANONICALIZE.to_owned()]].concat();
        let output = self.accepted("opt", file, &args, header)?;
        let again = self.reprint(&output, &args)?;
        same("what is canonicalized again", &output, &again)?;

        let ours = functions(&mlir_opt_prints(&output, &FLAGS)?);
        let theirs = mlir_opt_prints(&self.source(file)?, &[FLAGS[0], FLAGS[1], CANONICALIZE])?;
        let theirs = functions(&theirs);
        if ours.len() != theirs.len() {
            let [ours, theirs] = [ours.len(), theirs.len()];
            return Err(format!("{ours} functions are left, of mlir-opt's {theirs}"));
        }
        let known = |name: &&String| !ours.iter().any(|function| function.name == **name);
        if let Some(unknown) = header.differs.iter().find(known) {
            return Err(format!("there is no @{unknown} to differ"));
        }
        for (ours, theirs) in ours.iter().zip(&theirs) {
            let name = &ours.name;
            if !header.differs.contains(name) {
                same(&format!("@{name}"), &theirs.text, &ours.text)?;
            } else if ours == theirs {
                return Err(format!("@{name} does not differ"));
            }
        }
        Ok(())
    }
}

/// A symbol of a module and what it says.
#[derive(Debug, PartialEq)]
struct Function {
    name: String,
    text: String,
}

/// The symbols of a module that `mlir-opt` has printed in generic form, without aliases: values are numbered in the
/// order in which they appear, and instead of one that a constant defines stand its attribute and type.
fn functions(module: &str) -> Vec<Function> {
    let mut functions: Vec<Function> = Vec::new();
    let mut lines = Vec::new();
    for line in module.lines() {
        // What a module holds is indented by two blanks; so are the ends of regions.
        let begins = line.starts_with("  \"");
        if begins {
            finish(&mut functions, &mut lines);
            functions.push(Function {
                name: symbol_name(line).unwrap_or_default().to_owned(),
                text: String::new(),
            });
        }
        if !functions.is_empty() {
            // Names of values mean something in the operation only that nothing outside is used in.
            if is_isolated(line) {
                finish(&mut functions, &mut lines);
            }
            lines.push(line);
        }
    }
    finish(&mut functions, &mut lines);
    functions
}

/// Adds lines that share names of values to the function that is read.
fn finish(functions: &mut [Function], lines: &mut Vec<&str>) {
    if let Some(function) = functions.last_mut() {
        function.text.push_str(&inline_constants(lines));
    }
    lines.clear();
}

fn symbol_name(line: &str) -> Option<&str> {
    line.split_once("sym_name = \"")?.1.split('"').next()
}

fn is_isolated(line: &str) -> bool {
    let name = line.trim_start().strip_prefix('"');
    let name = name.and_then(|rest| rest.split('"').next());
    name.is_some_and(|name| name.ends_with(".func") || name.ends_with(".module"))
}

fn inline_constants(lines: &[&str]) -> String {
    let constants: HashMap<&str, String> = lines.iter().filter_map(|line| constant(line)).collect();
    let mut numbers = HashMap::new();
    let mut text = String::new();
    for line in lines.iter().filter(|line| constant(line).is_none()) {
        for piece in pieces(line) {
            let Some(value) = piece.strip_prefix('%') else {
                text.push_str(piece);
                continue;
            };
            match constants.get(value) {
                Some(constant) => text.push_str(constant),
                None => {
                    let next = numbers.len();
                    let number = *numbers.entry(value).or_insert(next);
                    // Writing to a string does not fail.
                    let _ = write!(text, "%{number}");
                }
            }
        }
        text.push('\n');
    }
    text
}

/// The value that a line defines as a constant, and the attribute and type of that:
/// `%NAME = "DIALECT.constant"() <{value = ATTRIBUTE}> : () -> TYPE`, or `"ub.poison"`.
fn constant(line: &str) -> Option<(&str, String)> {
    let (name, operation) = line.trim_start().strip_prefix('%')?.split_once(" = \"")?;
    let (kind, rest) = operation.split_once("\"()")?;
    let is_constant = kind.ends_with(".constant") || kind == "ub.poison";
    let (attribute, ty) = rest.rsplit_once(" : () -> ")?;
    is_constant.then(|| (name, format!("[{} : {ty}]", attribute.trim())))
}

/// The names of values in a line, and what stands between them. In strings there are none.
fn pieces(line: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut is_quoted, mut is_escaped) = (0, false, false);
    let mut in_name = false;
    for (at, c) in line.char_indices() {
        if in_name && !(c.is_alphanumeric() || "_$.-".contains(c)) {
            pieces.push(&line[start..at]);
            (start, in_name) = (at, false);
        }
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            '%' if !is_quoted => {
                pieces.push(&line[start..at]);
                (start, in_name) = (at, true);
            }
            _ => {}
        }
    }
    pieces.push(&line[start..]);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(body: &str) -> String {
        format!("\"builtin.module\"() ({{\n{body}}}) : () -> ()\n")
    }

    #[test]
    fn constants_stand_where_they_are_used() {
        let one = module(
            "  \"func.func\"() <{sym_name = \"f\"}> ({\n\
             ^bb0(%arg0: i32):\n\
             %0 = \"arith.constant\"() <{value = 7 : i32}> : () -> i32\n\
             %1:2 = \"a.b\"(%arg0, %0) {s = \"%0 \\\" %0\"} : (i32, i32) -> (i32, i32)\n\
             \"func.return\"(%1#1) : (i32) -> ()\n  }) : () -> ()\n",
        );
        let text = "  \"func.func\"() <{sym_name = \"f\"}> ({\n\
             ^bb0(%0: i32):\n\
             %1:2 = \"a.b\"(%0, [<{value = 7 : i32}> : i32]) {s = \"%0 \\\" %0\"} : (i32, i32) -> (i32, i32)\n\
             \"func.return\"(%1#1) : (i32) -> ()\n  }) : () -> ()\n}) : () -> ()\n";
        let expected = [Function {
            name: "f".into(),
            text: text.into(),
        }];
        assert_eq!(functions(&one), expected);
        // Twice and elsewhere, it is the same constant.
        let two = one.replace(
            "%1:2 =",
            "%7 = \"arith.constant\"() <{value = 7 : i32}> : () -> i32\n%1:2 =",
        );
        assert_eq!(
            functions(&two.replace("(%arg0, %0)", "(%arg0, %7)")),
            expected
        );
        assert_ne!(functions(&one.replace("= 7 :", "= 8 :")), expected);
        assert_ne!(functions(&one.replace("%1#1", "%1#0")), expected);
    }

    #[test]
    fn names_of_values_begin_anew_in_each_function() {
        let text = |first: &str, second: &str| {
            module(&format!(
                "  \"gpu.module\"() <{{sym_name = \"m\"}}> ({{\n\
                 \"gpu.func\"() ({{\n{first}\"a.b\"(%0) : (i32) -> ()\n}}) : () -> ()\n\
                 \"gpu.func\"() ({{\n{second}\"a.b\"(%0) : (i32) -> ()\n}}) : () -> ()\n  }}) : () -> ()\n"
            ))
        };
        let constant = "%0 = \"arith.constant\"() <{value = 7 : i32}> : () -> i32\n";
        let other = "%0 = \"a.c\"() : () -> i32\n";
        let made = functions(&text(constant, other));
        assert_eq!(made.len(), 1);
        assert!(
            made[0]
                .text
                .contains("\"a.b\"([<{value = 7 : i32}> : i32])")
        );
        assert!(made[0].text.contains("\"a.b\"(%0)"));
        assert_ne!(functions(&text(other, constant)), made);
    }
}
