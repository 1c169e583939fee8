//! What aliases of attributes and types stand for.

use super::lexer::Token;
use super::parser::{MAX_DEPTH, PResult, Parser};

/// Uses of aliases that one alias may stand for, counted all the way down.
const MAX_EXPANSION: u32 = 1 << 16;

/// What an alias stands for, written out.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Weight {
    pub(super) depth: u32,
    size: u32,
}

/// What an alias stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alias<T> {
    value: T,
    weight: Weight,
}

impl<T: Copy> Alias<T> {
    /// An alias of a location that names no other: an attribute, and the location that it is.
    pub(super) fn plain(value: T) -> Self {
        let weight = Weight { depth: 2, size: 1 };
        Alias { value, weight }
    }

    /// What it stands for.
    pub(crate) fn value(self) -> T {
        self.value
    }
}

/// Aliases. A few lines of them can stand for a text that is endless or
/// endlessly deep, which nothing that follows could walk or print.
impl Parser<'_> {
    /// Reads what an alias is defined as.
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

    /// What the alias used at `token` stands for. Its outermost `entered` levels
    /// are those that the cursor is in already.
    pub(crate) fn expand<T>(&mut self, alias: Alias<T>, token: Token, entered: u32) -> PResult<T> {
        let depth = self.depth + alias.weight.depth.saturating_sub(entered);
        let size = self.weight.size.saturating_add(alias.weight.size);
        if depth > MAX_DEPTH {
            let message =
                format!("with what the alias stands for, nested more than {MAX_DEPTH} levels deep");
            return Err(self.error_on(token, message));
        }
        // Only definitions multiply: what is used at the top adds up to the length of the file.
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
