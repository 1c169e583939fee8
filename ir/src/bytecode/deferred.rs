//! Deferred bodies: skipped at first, then read by several threads or on
//! demand.
//!
//! The regions of an isolated operation form a section, so a reader can skip
//! it. A [`Skipped`] holds what any reader of the file needs to read that
//! section by itself, with the limits that it would have met in sequence, so
//! the outcome is the same.

use super::decode::{Cursor, Read};
use super::read_ir::IrReader;
use crate::body::{Body, OpData, OpId};
use crate::context::Context;
use crate::context::{OpName, Traits};
use crate::threads;

/// Sections shorter than this, in bytes, are read at once: deferring costs
/// more.
const MIN_SECTION: usize = 64;

/// Choice of the bodies that a reader defers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Defer {
    None,
    /// Bodies of functions and the like, but not of symbol tables, which contain the others.
    OfFunctions,
    /// Bodies of the symbols of the outermost module.
    OfSymbols,
}

/// The nesting limits at the current position.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Within {
    /// The depth of regions.
    pub depth: u32,
    /// Values and blocks announced but not read; each takes at least a byte of
    /// the file.
    pub pending: usize,
}

/// A deferred body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Skipped<'a> {
    /// The operation that owns it.
    pub owner: OpId,
    /// The index in [`DeferredBodies::paths`] of the operations that enclose
    /// the owner.
    path: u32,
    section: Cursor<'a>,
    regions: usize,
    within: Within,
}

/// The deferred bodies of a file.
pub(super) struct DeferredBodies<'a> {
    defer: Defer,
    /// The operations enclosing the current position that own a body, outermost
    /// first.
    pub owners: Vec<OpId>,
    paths: Vec<Box<[OpId]>>,
    pub list: Vec<Skipped<'a>>,
}

impl<'a> DeferredBodies<'a> {
    pub fn new(defer: Defer) -> Self {
        DeferredBodies {
            defer,
            owners: Vec::new(),
            paths: Vec::new(),
            list: Vec::new(),
        }
    }

    /// Whether to defer the body of an operation at this region depth.
    pub fn takes(&self, op: &OpData, ctx: &Context, depth: u32, section: Cursor<'a>) -> bool {
        match self.defer {
            Defer::None => false,
            Defer::OfFunctions => {
                section.left() >= MIN_SECTION && !ctx.op_has(op.name, Traits::SYMBOL_TABLE)
            }
            Defer::OfSymbols => {
                let is_outside = match self.owners.len() {
                    // The first module met may be the outermost one.
                    0 => depth == 0 && op.name != OpName::ROOT,
                    1 => depth == 1,
                    _ => false,
                };
                is_outside && op.symbol_name(ctx).is_some()
            }
        }
    }

    /// Adds a deferred body.
    pub fn add(&mut self, owner: OpId, section: Cursor<'a>, regions: usize, within: Within) {
        if self.paths.last().is_none_or(|last| **last != *self.owners) {
            self.paths.push(self.owners.as_slice().into());
        }
        self.list.push(Skipped {
            owner,
            path: self.paths.len() as u32 - 1,
            section,
            regions,
            within,
        });
    }

    /// Stores a body in its owner.
    fn put(&self, root: &mut Body, skipped: &Skipped<'a>, body: Body) {
        let path = self.paths[skipped.path as usize].iter();
        let place = path
            .chain([&skipped.owner])
            .try_fold(root, |around, &owner| around[owner].isolated_mut());
        // The path is the one by which the reader came.
        debug_assert!(place.is_some());
        if let Some(place) = place {
            *place = body;
        }
    }
}

impl<'a> IrReader<'a> {
    /// Reads the deferred bodies into the file's body `root`, on the threads of
    /// the context.
    pub fn read_deferred(&mut self, root: &mut Body) -> Read<()> {
        self.tables.share();
        let shared = &*self;
        let threads = shared.tables.ctx.threads();
        let read = |reader: &mut IrReader<'a>, skipped: &Skipped<'a>| reader.skipped(skipped);
        let bodies = threads::map(threads, &shared.deferred.list, || shared.fork(), read);
        let deferred = std::mem::replace(&mut self.deferred, DeferredBodies::new(Defer::None));
        for (skipped, body) in deferred.list.iter().zip(bodies) {
            deferred.put(root, skipped, body?);
        }
        Ok(())
    }

    /// Reads the deferred bodies outside the `outermost` module (which is the
    /// whole file, if there is one) and returns those inside it.
    pub fn read_elsewhere(
        &mut self,
        root: &mut Body,
        outermost: Option<OpId>,
    ) -> Read<Vec<Skipped<'a>>> {
        let deferred = std::mem::replace(&mut self.deferred, DeferredBodies::new(Defer::None));
        let mut rest = Vec::new();
        for &skipped in &deferred.list {
            if deferred.paths[skipped.path as usize].iter().eq(&outermost) {
                rest.push(skipped);
            } else {
                let body = self.skipped(&skipped)?;
                deferred.put(root, &skipped, body);
            }
        }
        Ok(rest)
    }

    /// Reads a deferred body.
    pub fn skipped(&mut self, skipped: &Skipped<'a>) -> Read<Body> {
        self.start_over(skipped.within);
        self.body_of(skipped.section, skipped.regions)
    }
}
