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

use std::hash::{BuildHasher, BuildHasherDefault};

use gridloom_ir::attr::AttrDict;
use gridloom_ir::hash::{FxHashMap, FxHasher};
use gridloom_ir::op::Traits;
use gridloom_ir::{BlockId, Body, Context, OpId, OpName, RegionId, Value};
use hashbrown::HashTable;
use smallvec::SmallVec;

use super::canonicalize::is_exactly_commutative;
use crate::analysis::effects::{Effect, effect_of};

/// An available operation. Operations compute the same where name, operands, attributes, types of
/// the results and `memory` are equal; these are read from the body, which keeps the table small.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Available {
    op: OpId,
    hash: u64,
    /// The inherent attributes: the defaults where the operation writes none.
    properties: AttrDict,
    memory: Memory,
}

/// Memory state of a load: its block and the number of writes to memory before it.
type Memory = Option<(BlockId, u32)>;

/// Removes common subexpressions from a function body. Returns whether there
/// were any.
pub fn cse(ctx: &Context, body: &mut Body) -> bool {
    let mut search = Search {
        ctx,
        body,
        known: HashTable::new(),
        entered: Vec::new(),
        replaced: vec![None; body.value_capacity()],
        defaults: FxHashMap::default(),
        redundant: Vec::new(),
        writes: 0,
    };
    search.run();
    let Search {
        replaced,
        redundant,
        ..
    } = search;
    if !redundant.is_empty() {
        body.replace_values(|value| replaced[value.index()].unwrap_or(value));
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
    known: HashTable<Available>,
    /// The entries of `known` in the order of insertion.
    entered: Vec<Available>,
    /// Replacement of each value, by its index: that of a redundant operation. A replacement is
    /// never redundant itself.
    replaced: Vec<Option<Value>>,
    redundant: Vec<OpId>,
    /// The inherent attributes that operations of a name have by default.
    defaults: FxHashMap<OpName, AttrDict>,
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
                    for gone in self.entered.drain(length..) {
                        if let Ok(entry) = self.known.find_entry(gone.hash, |known| *known == gone)
                        {
                            entry.remove();
                        }
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
        let operands = self.operands(op);
        let properties = self.properties(op);
        let hash = self.hash(op, &operands, properties, memory);
        let body = self.body;
        let known = self.known.find(hash, |known| {
            let (first, this) = (&body[known.op], &body[op]);
            let types = |op: OpId| body[op].results().map(|result| body.ty(result));
            (known.memory, first.name, first.attributes) == (memory, this.name, this.attributes)
                && known.properties == properties
                && self.operands(known.op) == operands
                && types(known.op).eq(types(op))
        });
        match known.map(|known| known.op) {
            Some(first) => {
                for (result, same) in body[op].results().zip(body[first].results()) {
                    self.replaced[result.index()] = Some(same);
                }
                self.redundant.push(op);
            }
            None => {
                let available = Available {
                    op,
                    hash,
                    properties,
                    memory,
                };
                self.entered.push(available);
                self.known
                    .insert_unique(hash, available, |known| known.hash);
            }
        }
    }

    fn hash(&self, op: OpId, operands: &[Value], properties: AttrDict, memory: Memory) -> u64 {
        let data = &self.body[op];
        let key = (data.name, operands, properties, data.attributes, memory);
        BuildHasherDefault::<FxHasher>::default().hash_one(key)
    }

    /// The operands of an operation after all replacements so far; sorted for a commutative one.
    fn operands(&self, op: OpId) -> SmallVec<[Value; 4]> {
        let current = |value: &Value| self.replaced[value.index()].unwrap_or(*value);
        let mut operands: SmallVec<[Value; 4]> =
            self.body[op].operands.iter().map(current).collect();
        if is_exactly_commutative(self.ctx, self.body, op) {
            operands.sort_unstable();
        }
        operands
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
