//! Bodies read later, by several threads.
//!
//! The regions of an operation isolated from above are a section, so that a
//! reader can step over them. What it leaves behind for each is enough to read
//! the section on its own, by any reader of the same file, with what the body
//! may say and what it is refused for being the same as in one go.

use super::decode::{Cursor, Read};
use super::read_ir::IrReader;
use crate::body::{Body, OpId};
use crate::op::{OpName, Traits};
use crate::threads;

/// Shorter ones are read sooner than noted, in bytes.
const MIN_SECTION: usize = 64;

/// Which bodies are read later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Which {
    None,
    /// All but those of symbol tables, which hold the others.
    OfFunctions,
}

/// What is around the part that is being read.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Within {
    /// Regions.
    pub depth: u32,
    /// Values and blocks announced and not read yet: each takes a byte.
    pub pending: usize,
}

/// A body that has been stepped over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Skipped<'a> {
    /// The operation that owns it.
    pub owner: OpId,
    /// The place of the way to that in [`Later::ways`].
    way: u32,
    section: Cursor<'a>,
    regions: usize,
    within: Within,
}

/// The bodies that are read later.
pub(super) struct Later<'a> {
    which: Which,
    /// The operations around what is being read that own a body, outermost first.
    pub owners: Vec<OpId>,
    ways: Vec<Box<[OpId]>>,
    pub list: Vec<Skipped<'a>>,
}

impl<'a> Later<'a> {
    pub fn new(which: Which) -> Self {
        Later {
            which,
            owners: Vec::new(),
            ways: Vec::new(),
            list: Vec::new(),
        }
    }

    /// Whether the body of an operation that is being read is read later.
    pub fn takes(&self, name: OpName, section: Cursor<'a>) -> bool {
        match self.which {
            Which::None => false,
            Which::OfFunctions => section.left() >= MIN_SECTION && !name.has(Traits::SYMBOL_TABLE),
        }
    }

    /// Notes a body of so many regions.
    pub fn add(&mut self, owner: OpId, section: Cursor<'a>, regions: usize, within: Within) {
        if self.ways.last().is_none_or(|last| **last != *self.owners) {
            self.ways.push(self.owners.as_slice().into());
        }
        self.list.push(Skipped {
            owner,
            way: self.ways.len() as u32 - 1,
            section,
            regions,
            within,
        });
    }
}

impl<'a> IrReader<'a> {
    /// Reads the bodies stepped over in what has become of the file, on the
    /// threads of the context.
    pub fn read_later(&mut self, root: &mut Body) -> Read<()> {
        self.tables.share();
        let shared = &*self;
        let threads = shared.tables.ctx.threads();
        let read = |reader: &mut IrReader<'a>, skipped: &Skipped<'a>| reader.skipped(skipped);
        let bodies = threads::map(threads, &shared.later.list, || shared.fork(), read);
        let later = std::mem::replace(&mut self.later, Later::new(Which::None));
        for (skipped, body) in later.list.iter().zip(bodies) {
            let mut around = &mut *root;
            for &owner in &later.ways[skipped.way as usize] {
                match around[owner].isolated_mut() {
                    Some(inside) => around = inside,
                    None => return skipped.section.error("a body is nowhere"),
                }
            }
            if let Some(place) = around[skipped.owner].isolated_mut() {
                *place = body?;
            }
        }
        Ok(())
    }

    /// Reads a body that was stepped over.
    pub fn skipped(&mut self, skipped: &Skipped<'a>) -> Read<Body> {
        self.start_over(skipped.within);
        self.body_of(skipped.section, skipped.regions)
    }
}
