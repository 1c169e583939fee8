//! Alias expansion of attributes and types, and its limits.

use super::parser::{MAX_DEPTH, PResult, Parser};
use crate::lexer::Token;

/// Expansion limit: the uses of aliases that one alias may stand for, counted all the way down.
const MAX_EXPANSION: u32 = 1 << 16;

/// Size of an alias when expanded: nesting depth and number of aliases in it.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Weight {
    pub(super) depth: u32,
    size: u32,
}

/// Definition of an alias: its value and its expanded size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alias<T> {
    value: T,
    weight: Weight,
}

impl<T: Copy> Alias<T> {
    /// An alias of a location that names no other: depth 2, the attribute and its location.
    pub(super) fn plain(value: T) -> Self {
        let weight = Weight { depth: 2, size: 1 };
        Alias { value, weight }
    }

    /// The value it stands for.
    pub(crate) fn value(self) -> T {
        self.value
    }
}

/// Expansion limits. A few lines of aliases can stand for a text that is endlessly large or deep,
/// which no later stage could walk or print.
impl Parser<'_> {
    /// Reads the definition of an alias and measures it.
    pub(crate) fn alias<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> PResult<T>,
    ) -> PResult<Alias<T>> {
        let start = Weight {
            depth: self.depth,
            size: 1,
        };
        let outer = std::mem::replace(&mut self.weight, start);
        let value = read(self);
        let weight = Weight {
            depth: self.weight.depth - self.depth,
            size: self.weight.size,
        };
        self.weight = outer;
        Ok(Alias {
            value: value?,
            weight,
        })
    }

    /// Expands the alias used at `token`. The cursor has entered its outermost `entered` levels
    /// already.
    pub(crate) fn expand<T>(&mut self, alias: Alias<T>, token: Token, entered: u32) -> PResult<T> {
        let depth = self.depth + alias.weight.depth.saturating_sub(entered);
        let size = self.weight.size.saturating_add(alias.weight.size);
        if depth > MAX_DEPTH {
            let message =
                format!("with what the alias stands for, nested more than {MAX_DEPTH} levels deep");
            return Err(self.error_on(token, message));
        }
        // Only definitions multiply: uses outside of definitions add up to the length of the file
        // at most.
        if self.weight.size > 0 && size > MAX_EXPANSION {
            let message = format!("this definition stands for more than {MAX_EXPANSION} others");
            return Err(self.error_on(token, message));
        }
        self.weight.depth = self.weight.depth.max(depth);
        if self.weight.size > 0 {
            self.weight.size = size;
        }
        Ok(alias.value)
    }
}
