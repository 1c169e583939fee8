//! Functions printed by several threads.
//!
//! Each thread prints functions into texts of their own. Aliases are numbered by
//! their first use in the whole text, which no thread knows: it notes where
//! they stand, and they are filled in when the texts are joined.

use super::printer::OpPrinter;
use crate::attr::Attr;
use crate::body::{Body, OpId};
use crate::threads;

/// Fewer functions are printed sooner than threads start.
const MIN_FUNCTIONS: usize = 16;

/// Where an alias belongs that is not written yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AliasUse {
    at: usize,
    attr: Attr,
    is_set: bool,
}

impl OpPrinter<'_> {
    /// Prints operations of a block, a line each, by several threads; says
    /// whether it did.
    pub(crate) fn print_with_threads(&mut self, body: &Body, ops: &[OpId]) -> bool {
        let threads = self.ctx.threads();
        let functions = ops.iter().filter(|&&op| body[op].isolated().is_some());
        // The definitions of locations are numbered as they are met.
        let fits = threads > 1 && !self.options.debuginfo && self.alias_uses.is_none();
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
        let length = texts.iter().map(|(text, _)| text.len()).sum::<usize>();
        self.out.reserve(length + length / 16);
        for (text, uses) in texts {
            self.join(&text, &uses);
        }
        true
    }

    /// A printer for operations of the block at hand, which leaves aliases open.
    fn fork(&self) -> Self {
        let mut fork = OpPrinter::new(self.ctx, self.options);
        fork.indent = self.indent;
        fork.names = self.names.clone();
        fork.default_dialect = self.default_dialect;
        fork.alias_uses = Some(Vec::new());
        fork
    }

    fn group(&mut self, body: &Body, ops: &[OpId]) -> (String, Vec<AliasUse>) {
        for &op in ops {
            self.line(body, op);
        }
        let uses = self.alias_uses.replace(Vec::new());
        (std::mem::take(&mut self.out), uses.unwrap_or_default())
    }

    /// Notes an alias for later; says whether it did.
    pub(crate) fn leave_alias_open(&mut self, attr: Attr, is_set: bool) -> bool {
        let at = self.out.len();
        let Some(uses) = &mut self.alias_uses else {
            return false;
        };
        uses.push(AliasUse { at, attr, is_set });
        true
    }

    /// Appends a text with its aliases.
    fn join(&mut self, text: &str, uses: &[AliasUse]) {
        let mut from = 0;
        for open in uses {
            self.out.push_str(&text[from..open.at]);
            from = open.at;
            self.alias(open.attr, open.is_set);
        }
        self.out.push_str(&text[from..]);
    }
}
