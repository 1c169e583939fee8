//! Parallel printing of functions, each group to a buffer of its own.

use std::sync::Arc;

use super::aliases::{Aliases, AssignedAliases};
use super::numbering::{Starts, ValueNames};
use super::out::Out;
use super::printer::OpPrinter;
use crate::body::{Body, OpId};
use crate::context::OpName;
use crate::context::{Context, Ident};
use crate::text::PrintOptions;
use crate::threads;

/// Threshold: fewer functions are printed sooner than threads start.
const MIN_FUNCTIONS: usize = 16;

/// Shared state that worker printers start from.
struct Fork<'a> {
    ctx: &'a Context,
    options: &'a PrintOptions,
    indent: usize,
    opens_dialect: Option<OpName>,
    names: Arc<ValueNames>,
    generic_starts: Option<Arc<Starts>>,
    aliases: Arc<AssignedAliases>,
}

/// Output of a worker for a group of functions.
struct Group {
    text: Out,
    resources: Vec<Ident>,
}

impl<'a> OpPrinter<'a> {
    /// Prints operations of a block, a line each, on several threads; returns false if it did
    /// nothing.
    pub(crate) fn print_with_threads(&mut self, body: &Body, ops: &[OpId]) -> bool {
        let threads = self.ctx.threads();
        let functions = ops.iter().filter(|&&op| body[op].isolated().is_some());
        // A printer without a sink is a worker itself.
        let fits = threads > 1 && self.sink.is_some() && !self.forms.holds_text();
        if !fits || functions.take(MIN_FUNCTIONS).count() < MIN_FUNCTIONS {
            return false;
        }
        // Few enough functions that the texts of all threads stay in the cache, many enough to be
        // worth a printer.
        let groups: Vec<&[OpId]> = ops.chunks(MIN_FUNCTIONS).collect();
        let fork = self.fork();
        let texts = threads::map(
            threads,
            &groups,
            || fork.printer(),
            |printer, group| printer.group(body, group),
        );
        for mut group in texts {
            self.hand_on();
            std::mem::swap(&mut self.out, &mut group.text);
            self.resources.extend(group.resources);
        }
        true
    }

    fn fork(&self) -> Fork<'a> {
        Fork {
            ctx: self.ctx,
            options: self.options,
            indent: self.indent,
            opens_dialect: self.opens_dialect,
            names: self.names.clone(),
            generic_starts: self.generic_starts.clone(),
            aliases: self.aliases.assigned(),
        }
    }

    fn group(&mut self, body: &Body, ops: &[OpId]) -> Group {
        for &op in ops {
            self.line(body, op);
        }
        Group {
            resources: std::mem::take(&mut self.resources),
            text: std::mem::take(&mut self.out),
        }
    }
}

impl Fork<'_> {
    /// Makes a worker's printer for operations of the current block.
    fn printer(&self) -> OpPrinter<'_> {
        OpPrinter {
            indent: self.indent,
            opens_dialect: self.opens_dialect,
            names: self.names.clone(),
            generic_starts: self.generic_starts.clone(),
            aliases: Aliases::of(self.aliases.clone()),
            ..OpPrinter::new(self.ctx, self.options)
        }
    }
}
