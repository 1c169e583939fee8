//! Legacy syntax: upgrades the older eras of the language, as the LangRefs of 2019, 2020 and early
//! 2022 and the Rationale of 2020 describe them, where MLIR 22 has another spelling.
//!
//! The reader turns an old program into operations of today; no code behind the parser knows of it.
//! This module has the old spellings of types, attributes, affine expressions and tokens. Operations
//! are those of dialects: [`OldOperations`] of the registry reads them.
//! The grammar of today calls into this module at few points, all named after what they look for:
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
//! A file counts as old from its first spelling on that only an older era has. For files of today
//! this module costs look-ups on paths that would have ended in an error.

mod affine;
mod attrs;
mod relations;
mod types;
mod values;

use crate::hash::FxHashMap;

use super::read::parser::{PResult, Parser};
use crate::body::{BlockId, OpId};
use crate::context::Context;
use crate::lexer::Tok;
use crate::types::Type;

pub use relations::Relation;

/// The operations of the older eras, which crates of dialects know.
#[derive(Clone, Copy, Debug)]
pub struct OldOperations {
    /// Whether this names an operation of an older era.
    pub is_old: fn(&str) -> bool,
    /// Reads an operation of an old file and appends its modern form to the block. The names of its
    /// results have been taken: those from this number on of [`Parser::result_names`].
    pub read: fn(&mut Parser<'_>, BlockId, usize) -> PResult<OpId>,
    /// The types that dialects once wrote in quotes, `!dialect<"type">`.
    pub quoted_types: &'static [(&'static str, QuotedType)],
}

/// Reads a type that a dialect once wrote in quotes. The error says what is wrong.
pub type QuotedType = fn(&Context, &str) -> Result<Type, String>;

/// Era: the language of a document, where the documents contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Era {
    /// LangRef of early 2019, and the commit that brings regions.
    Y2019,
    /// LangRef of January 2020 and Rationale of March 2020.
    Y2020,
    /// LangRef of early 2022.
    Y2022,
}

/// Legacy state of the parser.
#[derive(Default, Debug)]
pub(crate) struct State<'s> {
    /// Whether the file has turned out to be old.
    pub on: bool,
    /// The era that the file's first comments name.
    era: Option<Era>,
    /// The relations defined so far.
    relations: FxHashMap<&'s [u8], Relation>,
    /// Symbol counts of identity layouts, by the type written with one: such a type is the type
    /// without a layout.
    identities: FxHashMap<Type, usize>,
}

impl State<'_> {
    /// Whether the file may use syntax that only the language of 2019 has. A file that does not
    /// name its era may use syntax of any.
    fn allows_2019(&self) -> bool {
        self.era.is_none_or(|era| era == Era::Y2019)
    }
}

impl Parser<'_> {
    /// Whether the current token, which names no operation of today, names an old one. Marks the
    /// file as old then.
    pub(super) fn at_legacy_operation(&mut self) -> bool {
        let old = (self.forms.old_operations().is_old)(self.ascii());
        if old {
            self.turn_legacy();
        }
        old
    }

    /// Reads an operation of an old file, whose results' names have been taken: those from `first`
    /// on.
    pub(super) fn legacy_operation(&mut self, block: BlockId, first: usize) -> PResult<OpId> {
        (self.forms.old_operations().read)(self, block, first)
    }

    /// Returns the number of symbols in the identity layout that `ty` was last written with.
    pub fn identity_symbols(&self, ty: Type) -> usize {
        self.legacy.identities.get(&ty).copied().unwrap_or(0)
    }

    /// Marks the file as old from here on.
    fn turn_legacy(&mut self) {
        self.legacy.on = true;
        self.lex_legacy();
    }

    /// Finds `// era: YEAR` among the comments at the top of the file.
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

    /// Whether the alias being defined may have a `.` in its name, as in 2019: `!avx.m128 = type
    /// …`. The cursor stands after the name.
    pub(super) fn dotted_alias(&mut self) -> bool {
        let mut ahead = self.look_ahead();
        let word = ahead.next();
        let old = self.at(Tok::Equal) && self.text_of(word) == b"type";
        old && self.legacy.allows_2019()
    }

    /// Takes `type` between the `=` of an alias definition and the type.
    pub(super) fn eat_type_keyword(&mut self) {
        if self.at_keyword("type") {
            self.turn_legacy();
            self.advance();
        }
    }
}
