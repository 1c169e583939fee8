//! The older eras of the language: what the LangRef of 2019, 2020 and early
//! 2022 and the Rationale of 2020 describe and MLIR 22 spells otherwise.
//!
//! An old program becomes operations of today while it is read; nothing
//! behind the parser knows of it. The grammar of today calls into this module
//! at few points, all named after what they look for:
//!
//! | point | old spelling |
//! |---|---|
//! | a file's first comments | `// era: 2019` |
//! | top level | `##relation = …`, `!alias = type …` |
//! | an operation whose name is not known, or any once a file is old | `func`, `for`, `affine_apply`, `dim %A, 1`, `"addi"(…)` |
//! | an attribute that starts with `(` | `(d0)[s0] -> (d0 + s0)`, `(d0) : (d0 >= 0)` |
//! | in old files: attributes | `name: value`, `@f : type`, `opaque<…>`, `#d<"x">` |
//! | in old files: types | several layouts, `offset: 3, strides: [1]`, `hbm`, `!d<"x">`, `qi8<…>` |
//! | in old files: affine expressions | `floordiv(a, b)`; the right side of a division is positive |
//! | in old files: tokens | `/* … */`, `@$name` |
//!
//! A file counts as old from the first spelling on that only an older era
//! has. Files of today never meet more of this module than the look-ups that
//! would have ended in an error.

mod affine;
mod arith;
mod attrs;
mod bounds;
mod effects;
mod emit;
mod func;
mod llvm;
mod memory;
mod names;
mod operation;
mod schedule;
mod statements;
mod types;
mod views;

use crate::hash::FxHashMap;

use super::read::lexer::Tok;
use super::read::parser::Parser;
use crate::types::Type;

/// The languages of the documents, where they contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Era {
    /// LangRef of early 2019, and the commit that brings regions.
    Y2019,
    /// LangRef of January 2020 and Rationale of March 2020.
    Y2020,
    /// LangRef of early 2022.
    Y2022,
}

/// What the parser remembers of an old file.
#[derive(Default, Debug)]
pub(crate) struct State<'s> {
    /// Whether the file has turned out to be old.
    pub on: bool,
    /// Which era its first comments name.
    era: Option<Era>,
    /// The relations defined so far.
    relations: FxHashMap<&'s [u8], effects::Relation>,
    /// Symbols of the identity layouts that types were written with: a type
    /// with such a layout is the type without one.
    identities: FxHashMap<Type, usize>,
}

impl State<'_> {
    /// Whether the file may use what only the language of 2019 has. A file
    /// that does not name its era may use what any has.
    fn allows_2019(&self) -> bool {
        self.era.is_none_or(|era| era == Era::Y2019)
    }

    /// How many symbols the identity layout listed that `ty` was last written
    /// with.
    fn identity_symbols(&self, ty: Type) -> usize {
        self.identities.get(&ty).copied().unwrap_or(0)
    }
}

impl Parser<'_> {
    /// From here on the file is old.
    fn turn_legacy(&mut self) {
        self.legacy.on = true;
        self.lex_legacy();
    }

    /// Looks for `// era: YEAR` among the comments at the top of the file.
    pub(super) fn detect_era(&mut self) {
        for line in self.bytes().split(|&b| b == b'\n') {
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            let Some(comment) = line.strip_prefix(b"//") else {
                return;
            };
            self.legacy.era = match comment.trim_ascii() {
                b"era: 2019" => Some(Era::Y2019),
                b"era: 2020" => Some(Era::Y2020),
                b"era: 2022" => Some(Era::Y2022),
                _ => continue,
            };
            self.turn_legacy();
            self.seek(0);
            return;
        }
    }

    /// Whether the alias that is about to be defined may have a `.` in its
    /// name, as in 2019: `!avx.m128 = type …`. Stands after the name.
    pub(super) fn dotted_alias(&mut self) -> bool {
        let mut ahead = self.look_ahead();
        let word = ahead.next();
        let old = self.at(Tok::Equal) && self.text_of(word) == b"type";
        old && self.legacy.allows_2019()
    }

    /// `type` between the `=` of an alias definition and the type.
    pub(super) fn eat_type_keyword(&mut self) {
        if self.at_keyword("type") {
            self.turn_legacy();
            self.advance();
        }
    }
}
