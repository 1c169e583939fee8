//! Resources: parses and prints the `{-# … #-}` sections of a file.

use std::fmt::Write as _;

use super::read::parser::{PResult, Parser};
use super::write::printer::OpPrinter;
use super::{ParseOptions, PrintOptions};
use crate::context::{Context, Ident};
use crate::hash::FxHashMap;
use crate::lexer::{Tok, hex_value, unescape};

/// All resources of a file.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Resources {
    /// Groups of dialects.
    pub dialect: Vec<Group>,
    /// Groups of others, such as tools.
    pub external: Vec<Group>,
}

/// Resource group of one dialect or tool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The dialect or tool.
    pub name: String,
    /// Keys and values.
    pub entries: Vec<(String, Value)>,
}

/// Value of a resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Bytes, to be aligned to a multiple of `alignment`.
    Blob {
        /// The alignment in bytes.
        alignment: u32,
        /// The bytes.
        data: Vec<u8>,
    },
    /// A flag.
    Bool(bool),
    /// Text, of any bytes.
    String(Vec<u8>),
}

impl Resources {
    /// Parses the text of the sections; `None` if it is malformed.
    pub fn parse(ctx: &Context, text: &str) -> Option<Resources> {
        let options = ParseOptions::default();
        let mut resources = Resources::default();
        if !text.is_empty() {
            let mut parser = Parser::new(ctx, text.as_bytes(), 0, &options);
            while !parser.at(Tok::Eof) {
                parser.resource_section(&mut resources).ok()?;
            }
        }
        Some(resources)
    }

    /// The text of a section, as MLIR spells it.
    pub fn print(&self, ctx: &Context) -> String {
        let kinds = [
            ("dialect_resources", &self.dialect),
            ("external_resources", &self.external),
        ];
        let full = kinds
            .iter()
            .filter(|(_, groups)| groups.iter().any(|g| !g.entries.is_empty()));
        let sections: Vec<String> = full
            .map(|(kind, groups)| format!("  {kind}: {{\n{}\n  }}", print_groups(ctx, groups)))
            .collect();
        match sections.is_empty() {
            true => String::new(),
            false => format!("{{-#\n{}\n#-}}", sections.join(",\n")),
        }
    }
}

fn print_groups(ctx: &Context, groups: &[Group]) -> String {
    let options = PrintOptions::default();
    let group = |group: &Group| {
        let entry = |(key, value): &(String, Value)| {
            let mut printer = OpPrinter::new(ctx, &options);
            printer.out.push_str("      ");
            printer.bare_or_quoted(key);
            printer.out.push_str(": ");
            match value {
                Value::Blob { alignment, data } => {
                    printer.out.push_str("\"0x");
                    for byte in alignment.to_le_bytes().iter().chain(data) {
                        let _ = write!(printer.out, "{byte:02X}");
                    }
                    printer.out.push('"');
                }
                Value::Bool(value) => printer.out.push_str(if *value { "true" } else { "false" }),
                Value::String(text) => printer.quoted(text),
            }
            printer.out.into_string()
        };
        let entries: Vec<String> = group.entries.iter().map(entry).collect();
        format!("    {}: {{\n{}\n    }}", group.name, entries.join(",\n"))
    };
    let full = groups.iter().filter(|group| !group.entries.is_empty());
    full.map(group).collect::<Vec<_>>().join(",\n")
}

/// Prints the section in `text` without the blobs that no printed attribute refers to; `used` lists
/// the keys of those that one does, in the order of the text.
pub(crate) fn printed(ctx: &Context, text: &str, used: &[Ident]) -> String {
    let Some(mut all) = Resources::parse(ctx, text) else {
        return text.to_owned();
    };
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    for &key in used {
        let next = places.len();
        places.entry(ctx.str(key)).or_insert(next);
    }
    for group in &mut all.dialect {
        group
            .entries
            .retain(|(key, _)| places.contains_key(&key[..]));
        group
            .entries
            .sort_by_key(|(key, _)| places.get(&key[..]).copied());
    }
    all.print(ctx)
}

impl<'s> Parser<'s> {
    /// `{-# kind: { group: { key: value } } #-}`
    pub(crate) fn resource_section(&mut self, out: &mut Resources) -> PResult<()> {
        self.expect(Tok::MetadataBegin)?;
        self.list_until(Tok::MetadataEnd, |p| {
            let token = p.tok;
            let word = p.metadata_key("identifier key in file metadata dictionary")?;
            match word {
                "dialect_resources" => p.resource_groups(true, &mut out.dialect),
                "external_resources" => p.resource_groups(false, &mut out.external),
                _ => {
                    let message = format!("unknown key '{word}' in file metadata dictionary");
                    Err(p.error_on(token, message))
                }
            }
        })
    }

    fn resource_groups(&mut self, of_dialects: bool, groups: &mut Vec<Group>) -> PResult<()> {
        self.expect(Tok::Colon)?;
        self.expect(Tok::LBrace)?;
        self.list_until(Tok::RBrace, |p| {
            let token = p.tok;
            let word = p.metadata_key("identifier key for 'resource' entry")?;
            if of_dialects && word != "builtin" {
                let message = if p.ctx.registry().is_upstream(word) {
                    format!("unexpected 'resource' section for dialect '{word}'")
                } else {
                    format!("dialect '{word}' is unknown")
                };
                return Err(p.error_on(token, message));
            }
            let at = groups.iter().position(|group| group.name == word);
            let at = at.unwrap_or_else(|| {
                groups.push(Group {
                    name: word.to_owned(),
                    entries: Vec::new(),
                });
                groups.len() - 1
            });
            p.resource_group(of_dialects, &mut groups[at].entries)
        })
    }

    fn resource_group(
        &mut self,
        of_dialect: bool,
        entries: &mut Vec<(String, Value)>,
    ) -> PResult<()> {
        self.expect(Tok::Colon)?;
        self.expect(Tok::LBrace)?;
        let keys = entries.iter().enumerate();
        let mut known: FxHashMap<String, usize> =
            keys.map(|(at, (key, _))| (key.clone(), at)).collect();
        self.list_until(Tok::RBrace, |p| {
            let key = p.resource_key()?;
            p.expect(Tok::Colon)?;
            let value = p.resource_value(&key, of_dialect)?;
            // The last of several values counts.
            match known.get(&key) {
                Some(&at) => entries[at].1 = value,
                None => {
                    known.insert(key.clone(), entries.len());
                    entries.push((key, value));
                }
            }
            Ok(())
        })
    }

    fn resource_key(&mut self) -> PResult<String> {
        let what = "identifier key for 'resource' entry";
        if self.at(Tok::String) {
            let key = self.utf8_string(what)?;
            return Ok(self.ctx.str(key).to_owned());
        }
        self.metadata_key(what).map(str::to_owned)
    }

    /// Takes a key of a section. A missing one is reported where it should stand, be it on a line
    /// of its own.
    fn metadata_key(&mut self, what: &str) -> PResult<&'s str> {
        match self.at(Tok::Bare) {
            true => self.expect_bare(what),
            false => Err(self.expected_here(what)),
        }
    }

    fn resource_value(&mut self, key: &str, is_blob: bool) -> PResult<Value> {
        let token = self.tok;
        if !is_blob && self.eat_keyword("true") {
            return Ok(Value::Bool(true));
        }
        if !is_blob && self.eat_keyword("false") {
            return Ok(Value::Bool(false));
        }
        let what = match is_blob {
            true => format!("expected hex string blob for key '{key}'"),
            false => format!("expected string value for key '{key}'"),
        };
        if !self.at(Tok::String) {
            return Err(self.error(what));
        }
        self.advance();
        let inside = self.slice(token.start + 1, token.end - 1);
        match inside.strip_prefix(b"0x") {
            Some(digits) => blob(digits, key).map_err(|why| self.error_on(token, why)),
            None if is_blob => Err(self.error_on(token, what)),
            None => Ok(Value::String(unescape(inside).into_owned())),
        }
    }
}

/// Decodes pairs of hexadecimal digits, the first four of which are the alignment.
fn blob(digits: &[u8], key: &str) -> Result<Value, String> {
    let what = format!("expected hex string blob for key '{key}'");
    let (pairs, rest) = digits.as_chunks::<2>();
    if !rest.is_empty() || !digits.iter().all(u8::is_ascii_hexdigit) {
        return Err(what);
    }
    let byte = |[high, low]: &[u8; 2]| hex_value(*high) << 4 | hex_value(*low);
    let bytes: Vec<u8> = pairs.iter().map(byte).collect();
    let Some((alignment, data)) = bytes.split_first_chunk() else {
        return Err(format!("{what} to encode alignment in first 4 bytes"));
    };
    let alignment = u32::from_le_bytes(*alignment);
    if alignment != 0 && !alignment.is_power_of_two() {
        return Err(format!(
            "{what} to encode alignment in first 4 bytes, but got non-power-of-2 value: \
             {alignment}"
        ));
    }
    let data = data.to_vec();
    Ok(Value::Blob { alignment, data })
}
