//! Locations: the source places that operations come from.
//!
//! Almost every location is "here in this file". Such a one is packed into the id itself as a
//! global byte position and costs no interning; line and column are worked out on request.

use std::collections::HashSet;

use crate::context::attr::Attr;
use crate::context::source::BytePos;
use crate::context::{Context, Ident};

const SOURCE_BIT: u32 = 1 << 31;

/// An interned location, or a position in one of the context's sources: a byte
/// of a text, or one of the [`Places`](crate::source::Places) of a bytecode
/// file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Loc(pub(crate) u32);

impl Loc {
    /// `loc(unknown)`
    pub const UNKNOWN: Loc = Loc(0);

    /// A position in one of the context's sources.
    pub fn source(pos: BytePos) -> Loc {
        Loc(SOURCE_BIT | pos.0)
    }

    /// The source position, if this is one.
    pub fn source_pos(self) -> Option<BytePos> {
        (self.0 & SOURCE_BIT != 0).then_some(BytePos(self.0 & !SOURCE_BIT))
    }

    /// Returns the contents of this location, unless it is a source position.
    pub fn kind(self, ctx: &Context) -> Option<&LocKind> {
        self.source_pos().is_none().then(|| ctx.loc_kind(self))
    }
}

impl Context {
    /// `fused<metadata>[…]`, simplified as upstream does it: a fused location within with the same
    /// metadata counts by its parts, unknown and repeated locations not at all, and one alone
    /// without metadata stands for itself.
    pub fn fused_loc(&self, locs: &[Loc], metadata: Option<Attr>) -> Loc {
        let mut parts: Vec<Loc> = Vec::new();
        let mut seen = HashSet::new();
        let mut add = |loc: Loc| {
            if loc != Loc::UNKNOWN && seen.insert(loc) {
                parts.push(loc);
            }
        };
        for &loc in locs {
            match loc.kind(self) {
                Some(LocKind::Fused { locs, metadata: of }) if *of == metadata => {
                    locs.iter().copied().for_each(&mut add);
                }
                _ => add(loc),
            }
        }
        match (&parts[..], metadata) {
            ([], None) => return Loc::UNKNOWN,
            ([only], None) => return *only,
            ([], Some(_)) => parts.push(Loc::UNKNOWN),
            _ => {}
        }
        let locs = parts.into();
        self.intern_loc(LocKind::Fused { locs, metadata })
    }
}

/// Contents of a [`Loc`] that is no source position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LocKind {
    /// `unknown`
    Unknown,
    /// `"file":line:col` or a range `"file":l:c to l:c`.
    FileRange {
        /// File name.
        file: Ident,
        /// One-based start line and column.
        start: (u32, u32),
        /// End line and column; equal to `start` for a point.
        end: (u32, u32),
    },
    /// `"name"(child)`
    Name {
        /// The name.
        name: Ident,
        /// Location of the named thing; [`Loc::UNKNOWN`] when not written.
        child: Loc,
    },
    /// `callsite(callee at caller)`
    CallSite {
        /// Callee location.
        callee: Loc,
        /// Caller location.
        caller: Loc,
    },
    /// `fused<metadata>[…]`
    Fused {
        /// The fused locations.
        locs: Box<[Loc]>,
        /// The metadata, if any.
        metadata: Option<Attr>,
    },
}
