//! Caches of the reader, since programs repeat themselves.
//!
//! Nothing outside of this folder depends on the contents of a cache: a hit gives the answer that
//! the reader would compute. None is ever invalidated: every key holds all that the answer follows
//! from, and what entries refer to is interned for good. A cache lives as long as its parser; a
//! bounded one takes no entries beyond its capacity, and one with [a hit budget](crate::hit_budget) turns
//! itself off in a file that repeats too little.
//!
//! | cache | key | answer | CPU time without it |
//! |---|---|---|---|
//! | [`lines`] | a line but for its SSA names, which of these are the same, the types of their values | an operation without regions, made of the values that the line names | +46 % (`repeating`), +6 % (`mixed`) |
//! | [`region_lines`] | the same, of a line that opens a region | what stands before the first region, from where the form goes on | +30 % (`repeating`) |
//! | [`texts`] | the text of a type or an attribute in angle brackets that means the same everywhere | the type, the attribute | +5 % on each |
//! | [`locations`] | the name of a location alias | the location, read without tokens | +15 % (`located`) |
//!
//! Times are those of reading, verifying and printing the files of `cargo xtask bench-ir`, on one
//! thread. Caches of canonical dictionaries, of names of operations, of enumerations and of segment
//! sizes were here before and made no difference that could be measured.
//!
//! `dialects/tests/it/line_cache.rs` reads each text with and without the first two.

pub(super) mod lines;
mod locations;
pub(super) mod region_lines;
pub(super) mod texts;

use lines::LineCache;
use texts::TextCache;

use crate::attr::Attr;
use crate::types::Type;

/// All caches of a parser.
#[derive(Default)]
pub(in crate::text) struct Caches<'s> {
    /// Type cache, by text.
    pub(super) types: TextCache<'s, Type>,
    /// Attribute cache, by text.
    pub(super) attrs: TextCache<'s, Attr>,
    /// Line cache, and the header cache of operations with regions.
    pub(super) lines: LineCache,
}
