//! Rewrites as data: one rewrite, those of a family of operations, those that a program adds.

use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{OpId, OpName};

use crate::rewriter::Rewriter;

/// A rewrite of one operation, `op(…) ⇒ …`. Returns `Some(())` if it changed the program, which
/// it must do only where every result and fault stays the same. Each rewrite should bring the
/// operation closer to one canonical form; two that undo each other end at the bound on visits.
pub type Rule = fn(&mut Rewriter, OpId) -> Option<()>;

/// Rewrites of a family of operations, by root; those of one root are tried in order.
pub(super) type Family = &'static [(OpName, &'static [Rule])];

/// Rewrites by the name of their root operation. A program
/// [attaches](gridloom_ir::DialectRegistry::attach) them to the registry of its context.
#[derive(Clone, Default, Debug)]
pub struct Rules {
    pub(super) by_root: FxHashMap<&'static str, Vec<Rule>>,
}

impl Rules {
    /// Adds a rewrite of operations named `root`, tried after those added before and before those
    /// of gridloom.
    pub fn add(&mut self, root: &'static str, rule: Rule) {
        self.by_root.entry(root).or_default().push(rule);
    }
}
