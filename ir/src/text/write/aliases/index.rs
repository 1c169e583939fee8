//! Symbol index: finds the position of a symbol in the list of aliased things.

use super::Symbol;
use crate::hash::FxHashMap;

/// Position table of symbols. Ids of attributes and locations are dense, and the scan visits
/// symbols nearly in the order of their ids: tables of them take less time and memory than hashing
/// does, where nearly every operation has a location or a map of its own.
#[derive(Clone, Default, Debug)]
pub(super) struct SymbolIndex {
    /// Positions plus one by id; 0 for none.
    attrs: Vec<u32>,
    locs: Vec<u32>,
    /// Positions plus one of types and of positions in sources.
    others: FxHashMap<Symbol, u32>,
}

impl SymbolIndex {
    /// Returns the position of a symbol.
    pub(super) fn get(&self, symbol: Symbol) -> Option<u32> {
        let slot = match symbol {
            Symbol::Attr(attr) => self.attrs.get(attr.0 as usize),
            Symbol::Loc(loc) if loc.source_pos().is_none() => self.locs.get(loc.0 as usize),
            _ => self.others.get(&symbol),
        };
        slot.and_then(|at| at.checked_sub(1))
    }

    /// Sets the position of a symbol.
    pub(super) fn insert(&mut self, symbol: Symbol, at: u32) {
        let (table, id) = match symbol {
            Symbol::Attr(attr) => (&mut self.attrs, attr.0 as usize),
            Symbol::Loc(loc) if loc.source_pos().is_none() => (&mut self.locs, loc.0 as usize),
            _ => {
                self.others.insert(symbol, at + 1);
                return;
            }
        };
        if table.len() <= id {
            table.resize(id + 1, 0);
        }
        table[id] = at + 1;
    }
}
