//! `dispatch-memref-choices`: makes a choice between memrefs one between accesses.
//!
//! ```text
//! %m = arith.select %c, %a, %b : memref<8xf32>        %v = scf.if %c -> f32 {
//! %v = memref.load %m[%i] : memref<8xf32>                %x = memref.load %a[%i]
//!                                                ⇒       scf.yield %x
//!                                                      } else {
//!                                                        … %b …
//!                                                      }
//! ```
//!
//! A memref that an `arith.select`, a conditional or a loop hands on becomes the number of one of the
//! memrefs that it may be, `i1` for two of them, and each access asks for the number. Kernels hold no
//! memrefs in variables, and the dependences of a loop are known only where it is known what it
//! accesses.
//!
//! Legal where all that a memref may be is defined before all choices, so that it can be accessed
//! wherever they are. On the host, only choices of an iteration are dispatched, between memrefs from in
//! front of the loop; memrefs that a loop of the host hands on stay, since launches take them. Poison is
//! any of them. What is neither an access nor a choice, such as a call or a view, keeps its memref, and
//! with it all that it may be.

use std::collections::HashMap;

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::{affine, gpu, memref, scf, ub, vector};
use gridloom_ir::body::{OpData, Use, Uses, ValueDef};
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, Loc, OpId, Type, Value};

use super::kernels::is_kernel;
use crate::analysis::forwarding::incoming;

/// Most memrefs that a choice is dispatched between.
const MAX_SOURCES: usize = 8;

/// Most accesses that a choice is dispatched at.
const MAX_ACCESSES: usize = 64;

/// Dispatches the choices of a function. Returns whether there were any.
pub fn dispatch_choices(ctx: &Context, body: &mut Body) -> bool {
    let mut made = HashMap::new();
    let choices = find(ctx, body);
    for choice in &choices {
        choice.apply(ctx, body, &mut made);
    }
    if !made.is_empty() {
        body.replace_values(|value| made.get(&value).copied().unwrap_or(value));
    }
    !choices.is_empty()
}

/// Memrefs that are handed on among each other, and their uses.
#[derive(Default)]
struct Choice {
    /// Memrefs that are chosen from: the possible values of all `chosen` ones.
    sources: Vec<Value>,
    /// Poison values among the sources.
    poison: Vec<Value>,
    /// Results and arguments that hold one of the sources.
    chosen: Vec<Value>,
    /// Operands that pass a chosen memref on to a further result or argument.
    handed_on: Vec<Use>,
    /// Operations that access a chosen memref.
    accesses: Vec<OpId>,
}

/// Whether an operation may hand a memref on.
fn may_hand_on(ctx: &Context, body: &Body, op: &OpData) -> bool {
    let mut memrefs = op
        .results()
        .filter(|&value| body.ty(value).memref(ctx).is_some());
    match op.name {
        scf::WHILE => true,
        arith::SELECT | affine::FOR | scf::FOR | affine::IF | scf::IF | scf::INDEX_SWITCH => {
            memrefs.next().is_some()
        }
        _ => false,
    }
}

fn find(ctx: &Context, body: &Body) -> Vec<Choice> {
    if !body.arena().any(|op| may_hand_on(ctx, body, op)) {
        return Vec::new();
    }
    let mut values = Vec::new();
    for op in body.walk() {
        values.extend(body[op].results());
        for &region in body[op].inline_regions() {
            let blocks = body[region].blocks.iter();
            values.extend(blocks.flat_map(|&block| body[block].args.iter().copied()));
        }
    }
    values.retain(|&value| body.ty(value).memref(ctx).is_some());
    let incoming: HashMap<Value, Vec<Value>> = (values.iter())
        .filter_map(|&value| Some((value, incoming(ctx, body, value)?)))
        .collect();
    if incoming.is_empty() {
        return Vec::new();
    }
    let mut groups = Groups::default();
    for (&value, from) in &incoming {
        groups.join(value, value);
        for &from in from {
            if incoming.contains_key(&from) {
                groups.join(value, from);
            }
        }
        if let Some(twin) = result_of(body, value) {
            groups.join(value, twin);
        }
    }
    let mut of_groups: HashMap<Value, Choice> = HashMap::new();
    let mut found = Vec::new();
    for value in values {
        let (Some(group), Some(from)) = (groups.of(value), incoming.get(&value)) else {
            continue;
        };
        let choice = of_groups.entry(group).or_insert_with(|| {
            found.push(group);
            Choice::default()
        });
        choice.chosen.push(value);
        for &from in from {
            let is_poison = |op: OpId| body[op].name == ub::POISON;
            let list = match body.defining_op(from).is_some_and(is_poison) {
                true => &mut choice.poison,
                false => &mut choice.sources,
            };
            if !incoming.contains_key(&from) && !list.contains(&from) {
                list.push(from);
            }
        }
    }
    let (uses, order, in_kernel) = (body.uses(), Order::of(body), is_kernel(body));
    let choices = found.iter().filter_map(|group| of_groups.remove(group));
    choices
        .filter_map(|choice| choice.with_uses(ctx, body, &uses))
        .filter(|choice| {
            (1..=MAX_SOURCES).contains(&choice.sources.len())
                && choice.accesses.len() <= MAX_ACCESSES
                && choice.may_be_dispatched(body, &order, in_kernel)
        })
        .collect()
}

/// The result of a loop that an argument of it becomes, or is in the last iteration.
fn result_of(body: &Body, arg: Value) -> Option<Value> {
    let ValueDef::Argument(block, index) = body[arg].def() else {
        return None;
    };
    let op = body.block_parent_op(block)?;
    let index = index as usize;
    let index = match body[op].name {
        scf::FOR | affine::FOR => index.checked_sub(1)?,
        scf::WHILE if block == scf::WhileOp(op).after(body) => index,
        _ => return None,
    };
    body[op].results().nth(index)
}

/// The result or argument that structured control flow or a select passes an operand on to.
fn receiver(body: &Body, at: Use) -> Option<Value> {
    let (data, operand) = (&body[at.op], at.operand as usize);
    let before = |op: OpId| {
        body[scf::WhileOp(op).before(body)]
            .args
            .get(operand)
            .copied()
    };
    let index = match data.name {
        arith::SELECT => operand.checked_sub(1)? / 2,
        scf::FOR | affine::FOR => operand.checked_sub(data.operands.len() - data.num_results())?,
        scf::WHILE => return before(at.op),
        scf::YIELD | affine::YIELD | scf::CONDITION => {
            let parent = body.parent_op(at.op)?;
            let index = match (data.name, body[parent].name) {
                (scf::CONDITION, _) => operand.checked_sub(1)?,
                (_, scf::WHILE) => return before(parent),
                (_, scf::FOR | scf::IF | scf::INDEX_SWITCH | affine::FOR | affine::IF) => operand,
                _ => return None,
            };
            return body[parent].results().nth(index);
        }
        _ => return None,
    };
    data.results().nth(index)
}

/// Whether an operation accesses memrefs, or asks for their sizes, and gives no memref.
fn is_access(ctx: &Context, body: &Body, op: OpId) -> bool {
    let name = body[op].name;
    let is_known = matches!(
        name,
        memref::LOAD
            | memref::STORE
            | memref::DIM
            | memref::ATOMIC_RMW
            | memref::GENERIC_ATOMIC_RMW
            | affine::LOAD
            | affine::STORE
            | affine::VECTOR_LOAD
            | affine::VECTOR_STORE
            | vector::LOAD
            | vector::STORE
            | vector::TRANSFER_READ
            | vector::TRANSFER_WRITE
            | vector::MASKEDLOAD
            | vector::MASKEDSTORE
    );
    let mut results = body[op].results();
    is_known
        && !name.has(Traits::TERMINATOR)
        && results.all(|result| body.ty(result).memref(ctx).is_none())
}

impl Choice {
    /// The choice with its uses; `None` where one is neither an access nor handed on.
    fn with_uses(mut self, ctx: &Context, body: &Body, uses: &Uses) -> Option<Self> {
        let may_be = (self.sources.iter())
            .chain(&self.poison)
            .chain(&self.chosen);
        for &value in may_be {
            let is_chosen = self.chosen.contains(&value);
            for &at in uses.of(value) {
                match receiver(body, at) {
                    Some(to) if self.chosen.contains(&to) => self.handed_on.push(at),
                    None if is_chosen && is_access(ctx, body, at.op) => self.accesses.push(at.op),
                    _ if is_chosen => return None,
                    _ => {}
                }
            }
        }
        self.accesses.sort_unstable();
        self.accesses.dedup();
        Some(self)
    }

    /// Whether what a memref may be is defined before all choices, and these are in a kernel or
    /// belong to an iteration of a loop of the host.
    fn may_be_dispatched(&self, body: &Body, order: &Order, in_kernel: bool) -> bool {
        self.chosen.iter().all(|&value| {
            let owner = || body.block_parent_op(body.value_block(value)?);
            let Some(chooser) = body.defining_op(value).or_else(owner) else {
                return false;
            };
            let anchor = match in_kernel {
                true => Some(chooser),
                false => loop_of_host(body, chooser),
            };
            let is_before =
                |anchor| (self.sources.iter()).all(|&source| order.is_before(body, source, anchor));
            anchor.is_some_and(is_before)
        })
    }

    fn apply(&self, ctx: &Context, body: &mut Body, made: &mut HashMap<Value, Value>) {
        let Some(entry) = body.entry() else {
            return;
        };
        let mut b = Builder::new(ctx, body, InsertPoint::Start(entry), Loc::UNKNOWN);
        let numbers: Vec<Value> = (0..self.sources.len() as i64)
            .map(|number| match self.sources.len() {
                0..=2 => b.constant(ctx.bool_attr(number == 0), ctx.bool_type()),
                _ => {
                    let ty = ctx.int_type(32);
                    b.constant(ctx.int_attr(ty, number), ty)
                }
            })
            .collect();
        let number_of = |value: Value| {
            let source = self.sources.iter().position(|&source| source == value);
            let source = source.or_else(|| self.poison.contains(&value).then_some(0));
            source.map(|source| numbers[source])
        };
        for at in &self.handed_on {
            let operand = &mut body[at.op].operands[at.operand as usize];
            if let Some(number) = number_of(*operand) {
                *operand = number;
            }
        }
        let number_type = body.ty(numbers[0]);
        for &value in &self.chosen {
            body.set_type(value, number_type);
        }
        let mut left = self.accesses.clone();
        while let Some(op) = left.pop() {
            let operand = body[op]
                .operands
                .iter()
                .find(|operand| self.chosen.contains(operand));
            let Some(&chosen) = operand else {
                continue;
            };
            let mut b = Builder::before(ctx, body, op);
            let results: Vec<Type> = b.body[op]
                .results()
                .map(|result| b.body.ty(result))
                .collect();
            let dispatch = Dispatch {
                op,
                chosen,
                results: &results,
                numbers: &numbers,
            };
            let values = dispatch.emit(&mut b, &self.sources, &mut left);
            made.extend(body[op].results().zip(values));
            body.erase(op);
        }
    }
}

/// The outermost loop around a choice that its iteration makes; `None` for a loop that hands memrefs
/// on, in launches, and outside of loops.
fn loop_of_host(body: &Body, chooser: OpId) -> Option<OpId> {
    let is_loop = |op: OpId| {
        matches!(
            body[op].name,
            scf::FOR | scf::WHILE | scf::PARALLEL | affine::FOR | affine::PARALLEL
        )
    };
    let around = || std::iter::successors(body.parent_op(chooser), |&op| body.parent_op(op));
    let in_launch = around().any(|op| body[op].name == gpu::LAUNCH);
    let outermost = around().filter(|&op| is_loop(op)).last();
    outermost.filter(|_| !in_launch && !is_loop(chooser))
}

/// Position of each operation in the text.
struct Order(HashMap<OpId, usize>);

impl Order {
    fn of(body: &Body) -> Self {
        let ops = body.walk().into_iter();
        Order(ops.enumerate().map(|(place, op)| (op, place)).collect())
    }

    /// Whether a value is defined before an operation, in a block around it or in the entry.
    fn is_before(&self, body: &Body, value: Value, op: OpId) -> bool {
        let home = body.value_block(value);
        let mut around = std::iter::successors(Some(op), |&op| body.parent_op(op));
        let beside = around.find(|&op| body[op].parent() == home);
        match (beside, body.defining_op(value)) {
            (Some(beside), Some(maker)) => self.0.get(&maker) < self.0.get(&beside),
            (Some(_), None) => true,
            (None, _) => home == body.entry(),
        }
    }
}

/// Access by a chosen memref.
struct Dispatch<'a> {
    op: OpId,
    chosen: Value,
    results: &'a [Type],
    numbers: &'a [Value],
}

impl Dispatch<'_> {
    /// Emits the access to the one of `sources` that is chosen, and returns its results. Copies are
    /// added to `copies`.
    fn emit(&self, b: &mut Builder, sources: &[Value], copies: &mut Vec<OpId>) -> Vec<Value> {
        let [first, others @ ..] = sources else {
            unreachable!("a choice has a source");
        };
        if others.is_empty() {
            let mut map = IrMapping::new();
            map.map(self.chosen, *first);
            let copy = b.body.clone_op(self.op, &mut map);
            copies.push(b.insert(copy));
            return b.body[copy].results().collect();
        }
        let is_first = match self.numbers.len() {
            0..=2 => self.chosen,
            many => {
                let number = self.numbers[many - sources.len()];
                CmpIOp::create(b, CmpIPredicate::Eq, self.chosen, number)
            }
        };
        let branch = scf::IfOp::create(b, is_first, self.results, true);
        let behind = b.point();
        for (region, sources) in [&sources[..1], others].into_iter().enumerate() {
            let Some(block) = b.body.region_block(branch.0, region) else {
                unreachable!("the condition was made with two blocks");
            };
            b.set(InsertPoint::End(block));
            let values = self.emit(b, sources, copies);
            scf::yield_values(b, block, &values);
        }
        b.set(behind);
        b.body[branch.0].results().collect()
    }
}

/// Union-find of values.
#[derive(Default)]
struct Groups {
    above: HashMap<Value, Value>,
}

impl Groups {
    /// The group of a value that has been joined with another.
    fn of(&self, value: Value) -> Option<Value> {
        let mut last = *self.above.get(&value)?;
        while let Some(&next) = self.above.get(&last).filter(|&&next| next != last) {
            last = next;
        }
        Some(last)
    }

    fn join(&mut self, one: Value, other: Value) {
        let [one, other] = [one, other].map(|value| match self.of(value) {
            Some(group) => group,
            None => {
                self.above.insert(value, value);
                value
            }
        });
        self.above.insert(one, other);
    }
}
