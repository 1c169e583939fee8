//! Bodies read later: by several threads, or when they are asked for.
//!
//! The regions of an operation isolated from above are a section, so that a
//! reader can step over them. What it leaves behind for each is enough to read
//! the section on its own, by any reader of the same file, with what the body
//! may say and what it is refused for being the same as in one go.

use super::decode::{Cursor, Read};
use super::read_ir::IrReader;
use crate::body::{Body, OpData, OpId};
use crate::context::Context;
use crate::dialect::builtin;
use crate::op::Traits;
use crate::threads;

/// Shorter ones are read sooner than noted, in bytes.
const MIN_SECTION: usize = 64;

/// Which bodies are read later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Which {
    None,
    /// All but those of symbol tables, which hold the others.
    OfFunctions,
    /// Those of what has a name in the outermost module.
    OfSymbols,
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

    /// Whether the body of an operation in so many regions is read later.
    pub fn takes(&self, op: &OpData, ctx: &Context, depth: u32, section: Cursor<'a>) -> bool {
        match self.which {
            Which::None => false,
            Which::OfFunctions => {
                section.left() >= MIN_SECTION && !op.name.has(Traits::SYMBOL_TABLE)
            }
            Which::OfSymbols => {
                let is_outside = match self.owners.len() {
                    // The first module met may be the outermost one.
                    0 => depth == 0 && op.name != builtin::MODULE,
                    1 => depth == 1,
                    _ => false,
                };
                is_outside && op.symbol_name(ctx).is_some()
            }
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

    /// Puts a body into the file where it belongs.
    fn put(&self, root: &mut Body, skipped: &Skipped<'a>, body: Body) {
        let way = self.ways[skipped.way as usize].iter();
        let place = way
            .chain([&skipped.owner])
            .try_fold(root, |around, &owner| around[owner].isolated_mut());
        // Whoever stepped over it came this way.
        debug_assert!(place.is_some());
        if let Some(place) = place {
            *place = body;
        }
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
            later.put(root, skipped, body?);
        }
        Ok(())
    }

    /// Reads what was stepped over elsewhere than in the `outermost` module,
    /// which is the whole file if there is none; gives the rest.
    pub fn read_elsewhere(
        &mut self,
        root: &mut Body,
        outermost: Option<OpId>,
    ) -> Read<Vec<Skipped<'a>>> {
        let later = std::mem::replace(&mut self.later, Later::new(Which::None));
        let mut rest = Vec::new();
        for &skipped in &later.list {
            if later.ways[skipped.way as usize].iter().eq(&outermost) {
                rest.push(skipped);
            } else {
                let body = self.skipped(&skipped)?;
                later.put(root, &skipped, body);
            }
        }
        Ok(rest)
    }

    /// Reads a body that was stepped over.
    pub fn skipped(&mut self, skipped: &Skipped<'a>) -> Read<Body> {
        self.start_over(skipped.within);
        self.body_of(skipped.section, skipped.regions)
    }
}
