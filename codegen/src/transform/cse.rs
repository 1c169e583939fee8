//! `cse`: common subexpression elimination.
//!
//! ```text
//! %a = arith.addi %x, %y                      %a = arith.addi %x, %y
//! %b = arith.addi %y, %x             ⇒        … %a … %a …
//! … %a … %b …
//! ```
//!
//! An operation without effects and regions is replaced by an equal one that
//! dominates it. A load is replaced by an equal load of the same block if
//! nothing between them writes memory. Always legal.
//!
//! Only the entry block of a region is assumed to dominate the others. That
//! needs no dominator tree, and regions of several blocks are rare here.

use std::collections::HashMap;

use gridloom_ir::attr::AttrDict;
use gridloom_ir::op::Traits;
use gridloom_ir::{BlockId, Body, Context, OpId, OpName, RegionId, Type, Value};
use smallvec::SmallVec;

use super::canonicalize::is_exactly_commutative;
use crate::analysis::effects::{Effect, effect_of};

/// The value number of an operation: operations with equal keys compute the
/// same.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    name: OpName,
    operands: SmallVec<[Value; 4]>,
    properties: AttrDict,
    attributes: AttrDict,
    results: SmallVec<[Type; 2]>,
    /// For a load, its block and the number of writes to memory before it.
    memory: Option<(BlockId, u32)>,
}

/// Removes common subexpressions from a function body. Returns whether there
/// were any.
pub fn cse(ctx: &Context, body: &mut Body) -> bool {
    let mut search = Search {
        ctx,
        body,
        known: HashMap::new(),
        entered: Vec::new(),
        replaced: HashMap::new(),
        defaults: HashMap::new(),
        redundant: Vec::new(),
        writes: 0,
    };
    search.run();
    let Search {
        replaced,
        redundant,
        ..
    } = search;
    if !replaced.is_empty() {
        body.replace_values(|value| replaced.get(&value).copied().unwrap_or(value));
    }
    for &op in &redundant {
        body.erase(op);
    }
    !redundant.is_empty()
}

struct Search<'a> {
    ctx: &'a Context,
    body: &'a Body,
    /// The available operations: those of the open scopes.
    known: HashMap<Key, OpId>,
    /// The keys of `known` in the order of insertion.
    entered: Vec<Key>,
    /// Results of redundant operations and what replaces them; a replacement is
    /// never redundant itself.
    replaced: HashMap<Value, Value>,
    redundant: Vec<OpId>,
    /// The inherent attributes that operations of a name have by default.
    defaults: HashMap<OpName, AttrDict>,
    writes: u32,
}

/// A step of the traversal; the next one is last on the stack.
enum Step {
    Op(OpId),
    Region(RegionId),
    Block(BlockId),
    /// Closes a scope: forgets the operations entered since this length of
    /// `entered`.
    Close(usize),
}

impl Search<'_> {
    /// Traverses the body with a stack of its own: the input decides how deep
    /// regions nest.
    fn run(&mut self) {
        let regions = self.body.regions().iter().rev();
        let mut steps: Vec<Step> = regions.map(|&region| Step::Region(region)).collect();
        while let Some(step) = steps.pop() {
            match step {
                Step::Op(op) => {
                    self.visit(op);
                    let regions = self.body[op].inline_regions().iter().rev();
                    steps.extend(regions.map(|&region| Step::Region(region)));
                }
                Step::Region(region) => {
                    steps.push(Step::Close(self.entered.len()));
                    let Some((&entry, others)) = self.body[region].blocks.split_first() else {
                        continue;
                    };
                    steps.extend(others.iter().rev().map(|&block| Step::Block(block)));
                    self.open(entry, &mut steps);
                }
                Step::Block(block) => {
                    steps.push(Step::Close(self.entered.len()));
                    self.open(block, &mut steps);
                }
                Step::Close(length) => {
                    for key in self.entered.drain(length..) {
                        self.known.remove(&key);
                    }
                }
            }
        }
    }

    fn open(&mut self, block: BlockId, steps: &mut Vec<Step>) {
        let from = steps.len();
        steps.extend(self.body.ops(block).map(Step::Op));
        steps[from..].reverse();
    }

    fn visit(&mut self, op: OpId) {
        let data = &self.body[op];
        let memory = match effect_of(self.body, op) {
            Effect::Writes => {
                self.writes = self.writes.wrapping_add(1);
                return;
            }
            Effect::Allocates => return,
            Effect::Reads => match data.parent() {
                Some(block) => Some((block, self.writes)),
                None => return,
            },
            Effect::None => None,
        };
        if data.num_results() == 0
            || data.name.has(Traits::TERMINATOR)
            || !data.inline_regions().is_empty()
        {
            return;
        }
        let key = self.key(op, memory);
        match self.known.get(&key) {
            Some(&first) => {
                let pairs = data.results().zip(self.body[first].results());
                self.replaced.extend(pairs);
                self.redundant.push(op);
            }
            None => {
                self.entered.push(key.clone());
                self.known.insert(key, op);
            }
        }
    }

    fn key(&mut self, op: OpId, memory: Option<(BlockId, u32)>) -> Key {
        let properties = self.properties(op);
        let data = &self.body[op];
        let current = |value: &Value| self.replaced.get(value).copied().unwrap_or(*value);
        let mut operands: SmallVec<[Value; 4]> = data.operands.iter().map(current).collect();
        if is_exactly_commutative(self.ctx, self.body, op) {
            operands.sort_unstable();
        }
        Key {
            name: data.name,
            operands,
            properties,
            attributes: data.attributes,
            results: data.results().map(|result| self.body.ty(result)).collect(),
            memory,
        }
    }

    /// The inherent attributes of an operation: the defaults where it writes none.
    fn properties(&mut self, op: OpId) -> AttrDict {
        let (body, ctx) = (self.body, self.ctx);
        let data = &body[op];
        match data.properties.is_empty() {
            true => *(self.defaults.entry(data.name))
                .or_insert_with(|| ctx.default_properties(data.name)),
            false => data.properties,
        }
    }
}
