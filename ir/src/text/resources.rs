//! The resources of a file: what its `{-# … #-}` sections say.

use std::fmt::Write as _;

use super::lexer::{Tok, hex_value, unescape};
use super::parser::{PResult, Parser};
use super::printer::OpPrinter;
use super::{ParseOptions, PrintOptions};
use crate::context::Context;

/// The largest alignment of a blob: a page.
const MAX_ALIGNMENT: u32 = 1 << 12;

/// All resources of a file.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Resources {
    /// Those of dialects, in a group each.
    pub dialect: Vec<Group>,
    /// Those of others, such as tools.
    pub external: Vec<Group>,
}

/// The resources of one dialect or tool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Group {
    pub name: String,
    pub entries: Vec<(String, Value)>,
}

/// What a resource holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    /// Bytes, which have to lie at a multiple of `alignment`.
    Blob {
        alignment: u32,
        data: Vec<u8>,
    },
    Bool(bool),
    String(Vec<u8>),
}

impl Resources {
    /// Reads the text of the sections; `None` if it is not as it must be.
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
            printer.out
        };
        let entries: Vec<String> = group.entries.iter().map(entry).collect();
        format!("    {}: {{\n{}\n    }}", group.name, entries.join(",\n"))
    };
    let full = groups.iter().filter(|group| !group.entries.is_empty());
    full.map(group).collect::<Vec<_>>().join(",\n")
}

impl Parser<'_> {
    /// `{-# kind: { group: { key: value } } #-}`
    fn resource_section(&mut self, out: &mut Resources) -> PResult<()> {
        self.expect(Tok::MetadataBegin)?;
        self.list_until(Tok::MetadataEnd, |p| {
            let kind = p.resource_key()?;
            p.expect(Tok::Colon)?;
            p.expect(Tok::LBrace)?;
            p.list_until(Tok::RBrace, |p| {
                let group = p.resource_group()?;
                match &kind[..] {
                    "dialect_resources" => out.dialect.push(group),
                    "external_resources" => out.external.push(group),
                    _ => return Err(p.error("this kind of resources is not known")),
                }
                Ok(())
            })
        })
    }

    fn resource_group(&mut self) -> PResult<Group> {
        let name = self.resource_key()?;
        self.expect(Tok::Colon)?;
        self.expect(Tok::LBrace)?;
        let mut entries = Vec::new();
        self.list_until(Tok::RBrace, |p| {
            let key = p.resource_key()?;
            p.expect(Tok::Colon)?;
            entries.push((key, p.resource_value()?));
            Ok(())
        })?;
        Ok(Group { name, entries })
    }

    fn resource_key(&mut self) -> PResult<String> {
        if self.at(Tok::String) {
            let key = self.utf8_string("a resource's name")?;
            return Ok(self.ctx.str(key).to_owned());
        }
        self.expect_bare("a resource's name").map(str::to_owned)
    }

    fn resource_value(&mut self) -> PResult<Value> {
        if self.eat_keyword("true") {
            return Ok(Value::Bool(true));
        }
        if self.eat_keyword("false") {
            return Ok(Value::Bool(false));
        }
        let token = self.expect(Tok::String)?;
        let inside = self.slice(token.start + 1, token.end - 1);
        let value = inside.strip_prefix(b"0x").and_then(blob);
        Ok(value.unwrap_or_else(|| Value::String(unescape(inside).into_owned())))
    }
}

/// Pairs of hexadecimal digits, the first four of which are the alignment.
fn blob(digits: &[u8]) -> Option<Value> {
    let (pairs, rest) = digits.as_chunks::<2>();
    if !rest.is_empty() || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let byte = |[high, low]: &[u8; 2]| hex_value(*high) << 4 | hex_value(*low);
    let bytes: Vec<u8> = pairs.iter().map(byte).collect();
    let (alignment, data) = bytes.split_first_chunk()?;
    let alignment = u32::from_le_bytes(*alignment);
    let data = data.to_vec();
    let sound = alignment == 0 || alignment.is_power_of_two() && alignment <= MAX_ALIGNMENT;
    sound.then_some(Value::Blob { alignment, data })
}
