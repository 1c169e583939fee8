//! Line cache: operations made from a cached line are those that the parser proper makes. A
//! comment at the end of each line keeps lines out of the cache, and changes nothing else.
use gridloom_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};

use crate::mlir_files;

/// Result of reading a text: the printed module or the diagnostics, with all locations.
fn outcome(text: &str) -> String {
    let ctx = gridloom_dialects::context();
    let options = ParseOptions {
        allow_unregistered: true,
    };
    // The module is not verified, so it is printed in generic form: custom forms may not fit it.
    let print = PrintOptions {
        generic: true,
        debuginfo: true,
        ..PrintOptions::default()
    };
    match parse_module(&ctx, "t.mlir", text.as_bytes(), &options) {
        // The text of an opaque type contains the comments.
        Ok(module) => print_module(&ctx, &module, &print)
            .replace(" //", "")
            .replace('\r', ""),
        Err(diagnostics) => {
            // A comment shifts the place of an error at the end of a line or of the text: columns
            // are left out, and lines at the end.
            let json = diagnostics.to_json(&ctx);
            let at_end = json.contains("the input ends");
            let place = |field: &&str| {
                let of_place = ["\"end_", "\"column"]
                    .iter()
                    .any(|name| field.starts_with(name));
                of_place || at_end && field.starts_with("\"line")
            };
            json.split(',').filter(|field| !place(field)).collect()
        }
    }
}

fn commented(text: &str) -> String {
    text.lines().map(|line| format!("{line} //\n")).collect()
}

/// A linear congruential generator, with the same numbers in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % end
    }
}

/// The text with a name, a digit or any other byte changed.
fn damaged(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let names: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'%').collect();
    if names.len() > 1 && random.below(2) == 0 {
        let name = |at: usize| {
            let rest = &text[at + 1..];
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            at..at + 1 + end.unwrap_or(rest.len())
        };
        let (from, to) = (random.below(names.len()), random.below(names.len()));
        let new = text[name(names[from])].bytes();
        bytes.splice(name(names[to]), new);
    } else if !bytes.is_empty() {
        let at = random.below(bytes.len());
        if bytes[at].is_ascii_graphic() {
            let other = b"0123456789fix%#<>[](){},:=-";
            bytes[at] = other[random.below(other.len())];
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[test]
fn line_cache_changes_nothing() {
    let rounds: usize =
        std::env::var("GRIDLOOM_LINE_CACHE").map_or(2, |n| n.parse().expect("a number"));
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let mut random = Random(1);
    let (mut parts, mut read) = (0, 0);
    let folders = ["language", "verify"].map(|name| mlir_files(&folder.join(name)));
    for file in folders.into_iter().flatten() {
        let text = std::fs::read_to_string(&file).expect("a text file");
        for part in text.split("// -----") {
            // Aliases have one definition.
            let twice =
                !part.starts_with(['#', '!']) && !part.contains("\n#") && !part.contains("\n!");
            for round in 0..rounds {
                let mut again = part.to_owned();
                for _ in 0..round {
                    again = damaged(&again, &mut random);
                }
                let text = match twice {
                    true => format!("{part}\n{again}\n"),
                    false => format!("{again}\n"),
                };
                let found = outcome(&text);
                parts += 1;
                read += usize::from(!found.starts_with('{') && !found.starts_with('['));
                assert_eq!(found, outcome(&commented(&text)), "{file:?}:\n{text}");
                if round == 0 {
                    let ends = text.replace('\n', "\r\n");
                    assert_eq!(
                        found,
                        outcome(&ends),
                        "{file:?} with two bytes at the ends of lines"
                    );
                }
            }
        }
    }
    assert!(
        parts > 1000 && read > 300,
        "{parts} texts, {read} of them read"
    );
}

/// A cached line does not match one in which a name is missing.
#[test]
fn what_has_no_name_is_refused() {
    let ctx = gridloom_dialects::context();
    let text = b"func.func @f() {
  affine.for %i = 0 to 8 {
  }
  affine.for % = 0 to 8 {
  }
  return
}
";
    let options = ParseOptions::default();
    assert!(parse_module(&ctx, "t.mlir", &text[..], &options).is_err());
}

/// The byte that stands for a name in a key of the cache is no byte of a text.
#[test]
fn bytes_that_are_not_ascii_are_no_names() {
    let ctx = gridloom_dialects::context();
    for byte in 0x80..=0xff {
        let mut text = b"func.func @f(%x: f32) {
  %a = arith.addf %x, %x : f32
  %b = arith.addf %x, ? : f32
  %c = arith.addf %x, %x : f32
  return
}
"
        .to_vec();
        let at = text.iter().position(|&b| b == b'?').expect("a place");
        text[at] = byte;
        let options = ParseOptions::default();
        assert!(parse_module(&ctx, "t.mlir", &text[..], &options).is_err());
    }
}
