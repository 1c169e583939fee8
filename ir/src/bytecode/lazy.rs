//! Lazy modules: symbols are read on demand.

use std::collections::HashSet;

use super::decode::Read;
use super::deferred::{Defer, Skipped};
use super::read_ir::IrReader;
use super::{file_loc, open, refusal};
use crate::body::{Body, OpId};
use crate::context::{Context, Ident};
use crate::diag::Diagnostics;
use crate::hash::FxHashMap;
use crate::location::Loc;
use crate::module::{Module, references};
use crate::text::ParseOptions;

/// A bytecode module that reads a symbol when it is asked for, and skips the others: cheap if
/// little is needed of a large file.
///
/// ```
/// use gridloom_ir::bytecode::LazyModule;
/// use gridloom_ir::text::ParseOptions;
/// use gridloom_ir::{Context, Diagnostics, Module};
///
/// /// The function `name`, and what it refers to.
/// fn part(ctx: &Context, bytes: &[u8], name: &str) -> Result<Module, Diagnostics> {
///     let options = ParseOptions::default();
///     let mut module = LazyModule::open(ctx, "file", bytes, &options)?;
///     module.reach([ctx.ident(name)])?;
///     Ok(module.into_module())
/// }
/// ```
pub struct LazyModule<'a> {
    ctx: &'a Context,
    loc: Loc,
    module: Module,
    reader: IrReader<'a>,
    /// The unread bodies, by owner.
    skipped: FxHashMap<OpId, Skipped<'a>>,
    /// The symbols of the module.
    symbols: FxHashMap<Ident, Vec<OpId>>,
    /// The symbols read so far.
    reached: HashSet<Ident>,
}

impl<'a> LazyModule<'a> {
    /// Opens a file and reads all but the bodies of its outermost module's symbols. Errors in
    /// those, as [`read_module`](super::read_module) would report them, appear when they are
    /// read.
    ///
    /// # Errors
    /// The error in the part that is read, with its byte offset.
    pub fn open(
        ctx: &'a Context,
        name: &str,
        bytes: &'a [u8],
        options: &'a ParseOptions,
    ) -> Result<Self, Diagnostics> {
        let loc = file_loc(ctx, name);
        Self::read(ctx, bytes, options, loc).map_err(|corrupt| refusal(loc, *corrupt))
    }

    fn read(ctx: &'a Context, bytes: &'a [u8], options: &'a ParseOptions, loc: Loc) -> Read<Self> {
        let mut opened = open(ctx, bytes, options, Defer::OfSymbols)?;
        let outermost = opened.outermost();
        let skipped = opened.reader.read_elsewhere(&mut opened.body, outermost)?;
        let (module, reader) = opened.into_parts(loc);
        let body = module.body();
        let blocks = body.regions().iter().flat_map(|&r| &body[r].blocks);
        let ops: Vec<OpId> = blocks.flat_map(|&block| body.ops(block)).collect();
        let mut symbols: FxHashMap<Ident, Vec<OpId>> = FxHashMap::default();
        for &op in &ops {
            if let Some(name) = body[op].symbol_name(ctx) {
                symbols.entry(name).or_default().push(op);
            }
        }
        let mut lazy = LazyModule {
            ctx,
            loc,
            module,
            reader,
            skipped: skipped.into_iter().map(|body| (body.owner, body)).collect(),
            symbols,
            reached: HashSet::new(),
        };
        // Operations that are already there need the symbols that they refer to.
        let there = ops.iter().filter(|op| !lazy.skipped.contains_key(op));
        let names = there.flat_map(|&op| lazy.references(op)).collect();
        lazy.reach_all(names)?;
        Ok(lazy)
    }

    /// Whether the module has a symbol of this name.
    pub fn has_symbol(&self, name: Ident) -> bool {
        self.symbols.contains_key(&name)
    }

    /// Reads symbols and all they refer to, transitively. Ignores names that the module does not
    /// define.
    ///
    /// # Errors
    /// The error in the part that is read, with its byte offset. The module must not be used
    /// after an error.
    pub fn reach(&mut self, names: impl IntoIterator<Item = Ident>) -> Result<(), Diagnostics> {
        let found = self.reach_all(names.into_iter().collect());
        found.map_err(|corrupt| refusal(self.loc, *corrupt))
    }

    fn reach_all(&mut self, mut names: Vec<Ident>) -> Read<()> {
        while let Some(name) = names.pop() {
            if !self.reached.insert(name) {
                continue;
            }
            for op in self.symbols.get(&name).cloned().unwrap_or_default() {
                if let Some(skipped) = self.skipped.remove(&op) {
                    let inside = self.reader.skipped(&skipped)?;
                    if let Some(body) = self.module.body_mut()[op].isolated_mut() {
                        *body = inside;
                    }
                }
                names.extend(self.references(op));
            }
        }
        Ok(())
    }

    fn references(&self, op: OpId) -> HashSet<Ident> {
        references(self.ctx, self.module.body(), op)
    }

    /// The module, without the symbols that were never reached.
    pub fn into_module(self) -> Module {
        let mut module = self.module;
        let body: &mut Body = module.body_mut();
        let mut left_out: Vec<OpId> = self.skipped.into_keys().collect();
        left_out.sort_unstable();
        left_out.into_iter().for_each(|op| body.erase(op));
        module
    }
}

impl std::fmt::Debug for LazyModule<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LazyModule")
            .field("symbols", &self.symbols.len())
            .field("not read", &self.skipped.len())
            .finish_non_exhaustive()
    }
}
