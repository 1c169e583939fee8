//! Fast path: location aliases as printers write them, `#loc7 = loc("file":12:3)` on a line of
//! its own.
//!
//! A module with debug info has one for nearly every operation, and each is read twice: where it
//! is used first, since the definitions follow the module, and where it stands. They are matched
//! byte by byte and interned as locations, not as attributes. Whatever is spelled another way is
//! left to [`parse_loc`](crate::text::read::loc).

use crate::attr::{Attr, AttrKind};
use crate::location::{Loc, LocKind};
use crate::text::read::alias::Alias;
use crate::text::read::loc::alias_lines;
use crate::text::read::parser::Parser;

/// File, line and column of a plain location.
struct PlainLoc<'s> {
    file: &'s str,
    place: (u32, u32),
    /// Position after the definition.
    end: u32,
}

/// Parses the plain location defined by the alias whose name ends at byte `at`.
fn plain_loc(bytes: &[u8], at: u32) -> Option<PlainLoc<'_>> {
    let rest = bytes.get(at as usize..)?.strip_prefix(b" = loc(\"")?;
    let length = rest
        .iter()
        .position(|b| matches!(b, b'"' | b'\\' | b'\n'))?;
    let (file, rest) = rest.split_at(length);
    let (line, rest) = number(rest.strip_prefix(b"\":")?)?;
    let (column, rest) = number(rest.strip_prefix(b":")?)?;
    let rest = rest.strip_prefix(b")")?;
    let file = std::str::from_utf8(file).ok()?;
    let alone = matches!(rest, [] | [b'\n', ..]) && !file.is_empty();
    alone.then_some(PlainLoc {
        file,
        place: (line, column),
        end: (bytes.len() - rest.len()) as u32,
    })
}

/// Parses a number of at most nine digits; returns the text after it too.
fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let length = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    let (digits, rest) = bytes.split_at(length);
    let value = digits.iter().fold(0u32, |value, digit| {
        value.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'))
    });
    matches!(length, 1..=9).then_some((value, rest))
}

impl<'s> Parser<'s> {
    /// Resolves an alias of a plain location, wherever in the file it is defined.
    pub(in crate::text) fn plain_alias(&mut self, name: &'s [u8]) -> Option<Loc> {
        if let Some(&loc) = self.loc_aliases.get(name) {
            return Some(loc);
        }
        if self.legacy.on || self.attr_aliases.contains_key(name) {
            return None;
        }
        let bytes = self.bytes();
        let late = self.late_aliases.get_or_insert_with(|| alias_lines(bytes));
        let at = *late.get(name)?;
        let plain = plain_loc(bytes, at + 1 + name.len() as u32)?;
        Some(self.add_plain_alias(name, &plain))
    }

    /// Reads the rest of an alias definition whose name ends at byte `at`; returns false unless it
    /// defines a plain location.
    pub(in crate::text) fn plain_alias_definition(&mut self, name: &'s [u8], at: u32) -> bool {
        let Some(plain) = plain_loc(self.bytes(), at).filter(|_| !self.legacy.on) else {
            return false;
        };
        if !self.loc_aliases.contains_key(name) {
            self.add_plain_alias(name, &plain);
        }
        self.seek(plain.end);
        self.last_end = plain.end;
        true
    }

    fn add_plain_alias(&mut self, name: &'s [u8], plain: &PlainLoc) -> Loc {
        let loc = self.ctx.intern_loc(LocKind::FileRange {
            file: self.ctx.ident(plain.file),
            start: plain.place,
            end: plain.place,
        });
        self.loc_aliases.insert(name, loc);
        loc
    }

    /// Returns the attribute alias of this name, if it has been read.
    pub(in crate::text) fn attr_alias(&self, name: &[u8]) -> Option<Alias<Attr>> {
        let plain = |&loc: &Loc| Alias::plain(self.ctx.intern_attr(AttrKind::Location(loc)));
        let attr = self.attr_aliases.get(name).copied();
        attr.or_else(|| self.loc_aliases.get(name).map(plain))
    }

    /// Whether an attribute alias of this name has been read.
    pub(in crate::text) fn is_attr_alias(&self, name: &[u8]) -> bool {
        self.attr_aliases.contains_key(name) || self.loc_aliases.contains_key(name)
    }
}

#[cfg(test)]
mod tests {
    use super::plain_loc;
    use crate::text::{ParseOptions, PrintOptions, parse_module, print_module};

    /// Makes a module that uses aliases before and after their definitions, in other locations and
    /// as attributes; `gap` replaces the blank that printers write.
    fn text(gap: &str) -> String {
        let text = r#"
#early = loc("a b.c":3:4)
module {
  "test.function"() ({
  ^bb0(%a: i32 loc(#late)):
    %0 = add %a, %a {where = #early} : i32 loc(#both)
    %1 = add %a, %0 : i32 loc(#late)
    return loc(#early)
  }) {sym_name = "f"} : () -> () loc(#early)
} loc(#named)
#late = loc("é.mlir":123456789:0)
#both = loc(callsite(#late at #early))
#named = loc("name"(#late))
"#;
        text.replace(" = loc", &format!(" ={gap}loc"))
    }

    fn printed(text: &str) -> String {
        let ctx = crate::test_dialect::context();
        let module = parse_module(&ctx, "", text.as_bytes(), &ParseOptions::default());
        let module = module.expect("the text is sound");
        let options = PrintOptions {
            debuginfo: true,
            ..PrintOptions::default()
        };
        print_module(&ctx, &module, &options)
    }

    #[test]
    fn plain_locations_read_as_all_others() {
        let plain = printed(&text(" "));
        // Two blanks, unlike printers, take the slow path.
        assert_eq!(plain, printed(&text("  ")));
        assert!(plain.contains(r#".mlir":123456789:0)"#), "{plain}");
    }

    #[test]
    fn what_is_no_plain_location() {
        for text in [
            r#" = loc("":1:2)"#,
            r#" = loc("a\22":1:2)"#,
            r#" = loc("a":1:2 to 3:4)"#,
            r#" = loc("a":1:0x2)"#,
            r#" = loc("a":1234567890:2)"#,
            r#" = loc("a":1)"#,
            r#" = loc("a":1:2) // comment"#,
            r#"  = loc("a":1:2)"#,
            "= loc(\"a\n\":1:2)",
        ] {
            assert!(plain_loc(text.as_bytes(), 0).is_none(), "{text}");
        }
    }
}
