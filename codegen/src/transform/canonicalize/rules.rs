//! Rewrites that other crates add to `canonicalize`, by the operation at their root.

use std::collections::HashMap;

use gridloom_ir::{Context, OpId, OpName};

use crate::transform::rewriter::Rewriter;

/// A rewrite of one operation, `op(…) ⇒ …`. Returns `Some(())` if it changed the program, which
/// it must do only where every result and fault stays the same. Each rewrite should bring the
/// operation closer to one canonical form; two that undo each other end at the bound on visits.
pub type Rule = fn(&mut Rewriter, OpId) -> Option<()>;

/// Rewrites by the name of their root operation. A program
/// [attaches](gridloom_ir::DialectRegistry::attach) them to the registry of its context.
#[derive(Clone, Default, Debug)]
pub struct Rules {
    by_root: HashMap<&'static str, Vec<Rule>>,
}

impl Rules {
    /// Adds a rewrite of operations named `root`, tried after those added before.
    pub fn add(&mut self, root: &'static str, rule: Rule) {
        self.by_root.entry(root).or_default().push(rule);
    }
}

/// Rewrites of one context, indexed by the id of their root operation.
pub(super) struct Index<'c> {
    by_root: HashMap<OpName, &'c [Rule]>,
}

impl<'c> Index<'c> {
    /// Indexes the rewrites attached to a context.
    pub(super) fn of(ctx: &'c Context) -> Self {
        let rules = ctx.interface::<Rules>();
        let roots = rules.into_iter().flat_map(|rules| &rules.by_root);
        let by_root = roots.map(|(root, rules)| (ctx.op_name(root), &rules[..]));
        Index {
            by_root: by_root.collect(),
        }
    }

    /// Tries each rewrite of the operation; `Some(())` if one fired.
    pub(super) fn apply(&self, rw: &mut Rewriter, op: OpId) -> Option<()> {
        if self.by_root.is_empty() {
            return None;
        }
        let rules = self.by_root.get(&rw.body()[op].name)?;
        rules.iter().find_map(|rule| rule(rw, op))
    }
}
