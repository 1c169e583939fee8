//! `cse`: the same pure computation once.
//!
//! ```text
//! %a = arith.muli %i, %n              %a = arith.muli %i, %n
//! scf.if %p {                    ⇒    scf.if %p {
//!   %b = arith.muli %i, %n
//!   use(%a, %b)                         use(%a, %a)
//! }                                   }
//! ```
//!
//! Legal for pure operations without regions where the first dominates the
//! second. Dominance is read off the nesting: of a region with several blocks,
//! each block is taken by itself.

use std::collections::HashMap;

use gridloom_ir::attr::AttrDict;
use gridloom_ir::op::Traits;
use gridloom_ir::{BlockId, Body, Context, OpId, OpName, Type, Value};

/// What makes two operations the same.
#[derive(PartialEq, Eq, Hash, Clone)]
struct Key {
    name: OpName,
    operands: Vec<Value>,
    properties: AttrDict,
    attributes: AttrDict,
    types: Vec<Type>,
}

enum Step {
    Block(BlockId),
    Op(OpId),
    /// What was met in a block is out of scope after it.
    Leave(usize),
}

/// Removes repeated computations of a body. Returns whether there were any.
pub fn cse(_ctx: &Context, body: &mut Body) -> bool {
    let mut met: HashMap<Key, OpId> = HashMap::new();
    let mut order: Vec<Key> = Vec::new();
    let mut replaced: HashMap<Value, Value> = HashMap::new();
    let mut stack: Vec<Step> = Vec::new();
    for &region in body.regions() {
        stack.extend(body[region].blocks.iter().map(|&block| Step::Block(block)));
    }
    stack.reverse();
    while let Some(step) = stack.pop() {
        match step {
            Step::Block(block) => {
                stack.push(Step::Leave(order.len()));
                let from = stack.len();
                stack.extend(body.ops(block).map(Step::Op));
                stack[from..].reverse();
            }
            Step::Leave(length) => {
                for key in order.drain(length..) {
                    met.remove(&key);
                }
            }
            Step::Op(op) => {
                for operand in &mut body[op].operands {
                    *operand = replaced.get(operand).copied().unwrap_or(*operand);
                }
                visit(body, op, &mut met, &mut order, &mut replaced);
                let blocks: Vec<BlockId> = (body[op].inline_regions().iter())
                    .flat_map(|&region| body[region].blocks.iter().copied())
                    .collect();
                stack.extend(blocks.into_iter().rev().map(Step::Block));
            }
        }
    }
    if replaced.is_empty() {
        return false;
    }
    // Blocks that come before in the text may use what was removed.
    body.replace_values(|value| replaced.get(&value).copied().unwrap_or(value));
    true
}

fn visit(
    body: &mut Body,
    op: OpId,
    met: &mut HashMap<Key, OpId>,
    order: &mut Vec<Key>,
    replaced: &mut HashMap<Value, Value>,
) {
    let data = &body[op];
    let is_candidate = data.name.has(Traits::PURE)
        && !data.name.has(Traits::TERMINATOR)
        && data.inline_regions().is_empty()
        && data.isolated().is_none()
        && data.num_results() > 0;
    if !is_candidate {
        return;
    }
    let mut operands = data.operands.to_vec();
    if data.name.has(Traits::COMMUTATIVE) {
        operands.sort_unstable();
    }
    let key = Key {
        name: data.name,
        operands,
        properties: data.properties,
        attributes: data.attributes,
        types: data.results().map(|r| body.ty(r)).collect(),
    };
    match met.get(&key) {
        Some(&first) => {
            let pairs: Vec<_> = body[op].results().zip(body[first].results()).collect();
            replaced.extend(pairs);
            body.erase(op);
        }
        None => {
            order.push(key.clone());
            met.insert(key, op);
        }
    }
}
