//! Reading of a loop's iteration as expressions.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::arith::{self, CmpFOp, CmpIOp};
use gridloom_dialects::scf;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, OpId, Value};

use super::expression::{Iteration, Node};
use crate::analysis::load_store::is_load;
use crate::analysis::reduction::combined_by;

/// Limit of the expressions of an iteration.
const MAX_NODES: usize = 64;

/// Limit of the depth of an expression.
const MAX_DEPTH: usize = 32;

impl Iteration {
    /// Reads the iteration of a loop as far as the values at `positions` need it.
    pub(super) fn of(
        ctx: &Context,
        body: &Body,
        l: ForOp,
        positions: &[usize],
    ) -> Option<Iteration> {
        let args = l.iter_args(body);
        let slots: Vec<Value> = positions.iter().map(|&at| args[at]).collect();
        if shows(body, l, positions, &slots) {
            return None;
        }
        let mut reader = Reader {
            ctx,
            body,
            dependent: dependent_values(body, l, args),
            may_repeat_loads: may_repeat_loads(body, l),
            slots: &slots,
            numbers: HashMap::new(),
            found: Iteration {
                slots: positions.to_vec(),
                types: slots.iter().map(|&slot| body.ty(slot)).collect(),
                nodes: Vec::new(),
                next: Vec::new(),
                leaves: Vec::new(),
                leaf_types: Vec::new(),
                keeps_order: None,
            },
        };
        for &at in positions {
            let next = reader.read(l.yielded(body)[at], 0)?;
            reader.found.next.push(next);
        }
        Some(reader.found)
    }
}

/// Whether an iteration shows a state before the last one: to another value that the loop carries, in memory, or by what it
/// does.
fn shows(body: &Body, l: ForOp, positions: &[usize], slots: &[Value]) -> bool {
    let dependent = dependent_values(body, l, slots);
    let depends = |&op: &OpId| (body[op].operands.iter()).any(|value| dependent.contains(value));
    let yields_others = (l.yielded(body).iter().enumerate())
        .any(|(at, value)| !positions.contains(&at) && dependent.contains(value));
    yields_others
        || body.walk_op(l.0).into_iter().skip(1).any(|op| {
            let name = body[op].name;
            let is_silent = is_load(body, op)
                || name.has(Traits::PURE)
                || name.has(Traits::TERMINATOR)
                || matches!(name, scf::IF | affine::IF);
            let around = body.ancestors(op).take_while(|&around| around != l.0);
            !is_silent && (depends(&op) || around.into_iter().any(|around| depends(&around)))
        })
}

/// The values of a loop's iteration that depend on some of those that it carries.
fn dependent_values(body: &Body, l: ForOp, carried: &[Value]) -> HashSet<Value> {
    let mut found: HashSet<Value> = carried.iter().copied().collect();
    // Operations stand before what they contain, and before their users.
    for op in body.walk_op(l.0).into_iter().skip(1) {
        if !body[op]
            .operands
            .iter()
            .any(|operand| found.contains(operand))
        {
            continue;
        }
        let around = body.ancestors(op).take_while(|&around| around != l.0);
        for op in around.chain([op]) {
            found.extend(body[op].results());
            // What a loop in the iteration carries is not followed further.
            let blocks = body[op]
                .inline_regions()
                .iter()
                .flat_map(|&r| &body[r].blocks);
            found.extend(blocks.flat_map(|&block| body[block].args.iter().copied()));
        }
    }
    found
}

/// Whether two loads of one element in an iteration load the same: it stores nothing.
fn may_repeat_loads(body: &Body, l: ForOp) -> bool {
    body.walk_op(l.0).into_iter().skip(1).all(|op| {
        let name = body[op].name;
        is_load(body, op)
            || name.has(Traits::PURE)
            || name.has(Traits::TERMINATOR)
            || matches!(name, scf::IF | scf::FOR | affine::IF | affine::FOR)
    })
}

struct Reader<'a> {
    ctx: &'a Context,
    body: &'a Body,
    dependent: HashSet<Value>,
    may_repeat_loads: bool,
    slots: &'a [Value],
    numbers: HashMap<Node, usize>,
    found: Iteration,
}

impl Reader<'_> {
    fn node(&mut self, node: Node) -> Option<usize> {
        if let Some(&number) = self.numbers.get(&node) {
            return Some(number);
        }
        let number = self.found.nodes.len();
        (number < MAX_NODES).then_some(())?;
        self.found.nodes.push(node);
        self.numbers.insert(node, number);
        Some(number)
    }

    fn read(&mut self, value: Value, depth: usize) -> Option<usize> {
        let (ctx, body) = (self.ctx, self.body);
        if let Some(slot) = self.slots.iter().position(|&slot| slot == value) {
            return self.node(Node::Slot(slot));
        }
        if !self.dependent.contains(&value) {
            return self.leaf(value);
        }
        let op = body.defining_op(value).filter(|_| depth < MAX_DEPTH)?;
        let operands = &body[op].operands;
        let name = body[op].name;
        match name {
            arith::SELECT => {
                let all = [operands[0], operands[1], operands[2]];
                let [c, x, y] = all.map(|operand| self.read(operand, depth + 1));
                self.node(Node::Select([c?, x?, y?]))
            }
            scf::IF => {
                let at = body[op].results().position(|result| result == value)?;
                let condition = self.read(operands[0], depth + 1)?;
                let arm = |region| {
                    let block = body.region_block(op, region)?;
                    let last = body[block].last()?;
                    body[last].operands.get(at).copied()
                };
                let (x, y) = (arm(0)?, arm(1)?);
                let x = self.read(x, depth + 1)?;
                let y = self.read(y, depth + 1)?;
                self.node(Node::Select([condition, x, y]))
            }
            arith::CMPI | arith::CMPF => {
                let predicate = match name {
                    arith::CMPI => CmpIOp(op).predicate(ctx, body) as i64,
                    _ => CmpFOp(op).predicate(ctx, body) as i64,
                };
                let operands = self.pair(op, depth)?;
                self.node(Node::Compare {
                    name,
                    predicate,
                    operands,
                })
            }
            arith::ANDI | arith::ORI | arith::XORI if body.ty(value) == ctx.bool_type() => {
                let pair = self.pair(op, depth)?;
                self.node(Node::Logic(name, pair))
            }
            arith::MAXSI
            | arith::MINSI
            | arith::MAXUI
            | arith::MINUI
            | arith::MAXIMUMF
            | arith::MINIMUMF
            | arith::MAXNUMF
            | arith::MINNUMF => {
                let pair = self.pair(op, depth)?;
                self.node(Node::Extremum(name, pair))
            }
            _ => self.accumulation(op, depth),
        }
    }

    fn pair(&mut self, op: OpId, depth: usize) -> Option<[usize; 2]> {
        let &[x, y] = &self.body[op].operands[..] else {
            return None;
        };
        Some([self.read(x, depth + 1)?, self.read(y, depth + 1)?])
    }

    /// A commutative operation of what a companion holds and a value of the iteration.
    fn accumulation(&mut self, op: OpId, depth: usize) -> Option<usize> {
        let &[x, y] = &self.body[op].operands[..] else {
            return None;
        };
        let is_dependent = [x, y].map(|operand| self.dependent.contains(&operand));
        let (held, joins, at) = match is_dependent {
            [true, false] => (x, y, 0),
            [false, true] => (y, x, 1),
            _ => return None,
        };
        let name = self.body[op].name;
        let (operation, keeps_order) = combined_by(self.ctx, &self.body[op], at)?;
        // A difference takes its operand away, where a record of a state would add.
        (operation == name).then_some(())?;
        if keeps_order {
            self.found.keeps_order = Some(operation);
        }
        let pair = [self.read(held, depth + 1)?, self.leaf(joins)?];
        self.node(Node::Accumulate(operation, pair))
    }

    /// A value that does not depend on what the loop carries.
    fn leaf(&mut self, value: Value) -> Option<usize> {
        let (ctx, body) = (self.ctx, self.body);
        let ty = body.ty(value);
        if ty == ctx.bool_type()
            && let Some(number) = arith::constant_int(ctx, body, value)
        {
            return self.node(Node::Bool(number != 0));
        }
        let known = (self.found.leaves.iter()).position(|&leaf| self.is_same(leaf, value));
        let leaf = known.unwrap_or_else(|| {
            self.found.leaves.push(value);
            self.found.leaf_types.push(ty);
            self.found.leaves.len() - 1
        });
        self.node(Node::Leaf(leaf))
    }

    /// Whether two values are one: loads of one element, or equal constants.
    fn is_same(&self, left: Value, right: Value) -> bool {
        let body = self.body;
        let (Some(a), Some(b)) = (body.defining_op(left), body.defining_op(right)) else {
            return left == right;
        };
        let is_repeated =
            body[a].name == arith::CONSTANT || is_load(body, a) && self.may_repeat_loads;
        left == right
            || is_repeated
                && body[a].name == body[b].name
                && body[a].operands == body[b].operands
                && body.ty(left) == body.ty(right)
                && body[a].properties == body[b].properties
    }
}
