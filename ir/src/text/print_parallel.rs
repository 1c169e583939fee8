//! Functions printed by several threads.
//!
//! Each thread prints functions into texts of their own. Aliases are numbered by
//! their first use in the whole text, which no thread knows: it notes where
//! they stand, and they are filled in when the texts are joined.

use super::aliases::Deferred;
use super::out::Out;
use super::printer::OpPrinter;
use crate::body::{Body, OpId};
use crate::context::Ident;
use crate::threads;

/// Fewer functions are printed sooner than threads start.
const MIN_FUNCTIONS: usize = 16;

/// What some functions have become.
struct Group {
    text: Out,
    deferred: Vec<Deferred>,
    resources: Vec<Ident>,
}

impl OpPrinter<'_> {
    /// Prints operations of a block, a line each, by several threads; says
    /// whether it did.
    pub(crate) fn print_with_threads(&mut self, body: &Body, ops: &[OpId]) -> bool {
        let threads = self.ctx.threads();
        let functions = ops.iter().filter(|&&op| body[op].isolated().is_some());
        // The definitions of locations are numbered as they are met.
        let fits = threads > 1 && !self.options.debuginfo && !self.defers_names();
        if !fits || functions.take(MIN_FUNCTIONS).count() < MIN_FUNCTIONS {
            return false;
        }
        // Few enough functions that the texts of all threads stay in the cache,
        // many enough to be worth a printer.
        let groups: Vec<&[OpId]> = ops.chunks(MIN_FUNCTIONS).collect();
        let shared = &*self;
        let texts = threads::map(
            threads,
            &groups,
            || shared.fork(),
            |printer, group| printer.group(body, group),
        );
        let length = texts.iter().map(|group| group.text.len()).sum::<usize>();
        self.out.reserve(length + length / 16);
        for group in texts {
            self.join(&group.text, &group.deferred);
            self.resources.extend(group.resources);
        }
        true
    }

    /// A printer for operations of the block at hand, which leaves aliases open.
    fn fork(&self) -> Self {
        let mut fork = OpPrinter::new(self.ctx, self.options);
        fork.indent = self.indent;
        fork.names = self.names.clone();
        fork.opens_dialect = self.opens_dialect;
        fork.generic_starts = self.generic_starts.clone();
        fork.defer_names();
        fork
    }

    fn group(&mut self, body: &Body, ops: &[OpId]) -> Group {
        for &op in ops {
            self.line(body, op);
        }
        Group {
            deferred: self.take_deferred(),
            resources: std::mem::take(&mut self.resources),
            text: std::mem::take(&mut self.out),
        }
    }
}
