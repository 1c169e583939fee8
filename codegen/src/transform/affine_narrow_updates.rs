//! `affine-narrow-updates`: computes what a loop carries, or an element that it updates, in the type that it is kept in.
//!
//! ```text
//! %w = arith.extsi %m : i8 to i32
//! %x = arith.extsi %v : i8 to i32               %n = arith.addi %m, %v : i8
//! %s = arith.addi %w, %x : i32          ⇒       affine.yield %n
//! %n = arith.trunci %s : i32 to i8
//! affine.yield %n
//! ```
//!
//! C promotes operands of narrow types to `int`, which hides that the update is a sum or an extremum. Always legal: the
//! lower bits of sums, differences, products and bitwise combinations are those of their operands, and numbers
//! extended alike are ordered as before: signed, or those extended by zeros unsigned. Overflow flags go, since
//! the narrow operation may wrap around. Operations on other values keep their type, and what
//! else uses the wide result still does.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate, select};
use gridloom_ir::body::Uses;
use gridloom_ir::{Body, Builder, Context, OpId, OpName, Type, Value};

use crate::analysis::load_store::{is_load, is_store};
use crate::transform::element::Element;

/// Limit of the chain of operations between the value and its update.
const MAX_CHAIN: usize = 8;

/// Narrows the updates of a function's loops. Returns whether there was one.
pub fn narrow_updates(ctx: &Context, body: &mut Body) -> bool {
    if !body.may_hold(affine::FOR) || !(body.may_hold(arith::EXTSI) || body.may_hold(arith::EXTUI))
    {
        return false;
    }
    let uses = body.uses();
    let mut plans: Vec<Plan> = Vec::new();
    let mut is_planned: HashSet<OpId> = HashSet::new();
    for op in body.walk() {
        for (old, new) in updates_of(ctx, body, op) {
            let narrowing = Narrowing { ctx, body, old };
            let update = body.defining_op(new);
            let update = update.and_then(|update| narrowing.update(update));
            for plan in narrowing.comparisons(&uses).into_iter().chain(update) {
                if is_planned.insert(plan.op()) {
                    plans.push(plan);
                }
            }
        }
    }
    let mut replaced: HashMap<Value, Value> = HashMap::new();
    for plan in &plans {
        let [old, new] = plan.write(ctx, body, &replaced);
        replaced.insert(old, new);
    }
    body.replace_values(|value| resolved(&replaced, value));
    !plans.is_empty()
}

/// The value that stands for another in the end.
fn resolved(replaced: &HashMap<Value, Value>, mut value: Value) -> Value {
    while let Some(&next) = replaced.get(&value) {
        value = next;
    }
    value
}

/// The updates that an operation ends: the old value and the new one, of an integer that a loop carries or of an element that
/// is stored.
fn updates_of(ctx: &Context, body: &Body, op: OpId) -> Vec<(Value, Value)> {
    let is_narrow = |&(old, _): &(Value, Value)| {
        let width = body.ty(old).signless_width(ctx);
        width.is_some_and(|width| (2..64).contains(&width))
    };
    if let Some(l) = ForOp::cast(body, op) {
        let carried = l.iter_args(body).iter().copied();
        return (carried.zip(l.yielded(body).iter().copied()))
            .filter(is_narrow)
            .collect();
    }
    if !is_store(body, op) {
        return Vec::new();
    }
    let stored = body[op].operands[0];
    let element = Element::of(ctx, body, op);
    let is_old = |&load: &OpId| Element::of(ctx, body, load) == element;
    let old = extended_loads(body, stored).into_iter().find(is_old);
    let pair = old.map(|load| (body[load].result(0), stored));
    pair.into_iter().filter(is_narrow).collect()
}

/// The loads whose elements are extended in the chain of operations behind a truncation.
fn extended_loads(body: &Body, value: Value) -> Vec<OpId> {
    let mut found = Vec::new();
    let truncation = body.defining_op(value);
    let truncation = truncation.filter(|&op| body[op].name == arith::TRUNCI);
    let mut open: Vec<(OpId, usize)> = truncation.map(|op| (op, 0)).into_iter().collect();
    while let Some((op, depth)) = open.pop() {
        for operand in &body[op].operands {
            let Some(inner) = body.defining_op(*operand) else {
                continue;
            };
            let is_extension = matches!(body[op].name, arith::EXTSI | arith::EXTUI);
            if is_extension && is_load(body, inner) {
                found.push(inner);
            } else if depth < MAX_CHAIN && found.len() < MAX_CHAIN && is_computation(body, inner) {
                open.push((inner, depth + 1));
            }
        }
    }
    found
}

/// Whether the chain of an update goes through an operation.
fn is_computation(body: &Body, op: OpId) -> bool {
    matches!(
        body[op].name,
        arith::ADDI
            | arith::SUBI
            | arith::MULI
            | arith::ANDI
            | arith::ORI
            | arith::XORI
            | arith::SELECT
            | arith::MAXSI
            | arith::MINSI
            | arith::MAXUI
            | arith::MINUI
            | arith::EXTSI
            | arith::EXTUI
    )
}

/// An integer in the narrow type.
#[derive(Debug)]
enum Narrow {
    /// A value that has it.
    Value(Value),
    Constant(i64),
    /// The lower bits of a wider value, where the update takes it.
    Lower(Value),
    Op(OpName, Box<[Narrow; 2]>),
    /// A choice between two integers, by a condition.
    Select(Value, Box<[Narrow; 2]>),
}

/// Plan of one operation in the narrow type.
#[derive(Debug)]
enum Plan {
    /// An update, with its type.
    Update(OpId, Type, Narrow),
    Compare(OpId, Type, CmpIPredicate, [Narrow; 2]),
}

/// Narrowing of what is computed of an old value.
struct Narrowing<'a> {
    ctx: &'a Context,
    body: &'a Body,
    old: Value,
}

/// How narrow numbers are extended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extension {
    Signed,
    Unsigned,
}

impl Narrowing<'_> {
    fn ty(&self) -> Type {
        self.body.ty(self.old)
    }

    /// The narrow number that a value extends, and how. A constant is one that either way may give.
    fn extended(&self, value: Value, by: Extension) -> Option<Narrow> {
        let (ctx, body) = (self.ctx, self.body);
        if let Some(number) = arith::constant_int(ctx, body, value) {
            let width = self.ty().signless_width(ctx)?;
            let range = match by {
                Extension::Signed => -(1i64 << (width - 1))..1i64 << (width - 1),
                Extension::Unsigned => 0..1i64 << width,
            };
            return range.contains(&number).then_some(Narrow::Constant(number));
        }
        let op = body.defining_op(value)?;
        let source = *body[op].operands.first()?;
        let name = match by {
            Extension::Signed => arith::EXTSI,
            Extension::Unsigned => arith::EXTUI,
        };
        (body[op].name == name && body.ty(source) == self.ty()).then_some(Narrow::Value(source))
    }

    /// Both operands of an operation, as narrow numbers that are extended alike.
    fn extended_alike(&self, op: OpId) -> Option<(Extension, [Narrow; 2])> {
        let &[l, r] = &self.body[op].operands[..] else {
            return None;
        };
        [Extension::Signed, Extension::Unsigned]
            .into_iter()
            .find_map(|by| Some((by, [self.extended(l, by)?, self.extended(r, by)?])))
    }

    /// Comparisons of the old value with a number that is extended as it is.
    fn comparisons(&self, uses: &Uses) -> Vec<Plan> {
        let body = self.body;
        let wide = uses.of(self.old).iter().map(|user| user.op);
        let wide = wide.filter(|&op| matches!(body[op].name, arith::EXTSI | arith::EXTUI));
        let users = wide.flat_map(|op| uses.of(body[op].result(0)).iter().map(|user| user.op));
        let compares = users.filter(|&op| body[op].name == arith::CMPI);
        let plan = |op: OpId| {
            let (by, sides) = self.extended_alike(op)?;
            let predicate = CmpIOp(op).predicate(self.ctx, body);
            let predicate = match by {
                Extension::Signed => predicate,
                Extension::Unsigned => predicate.unsigned(),
            };
            Some(Plan::Compare(op, self.ty(), predicate, sides))
        };
        compares.filter_map(plan).collect()
    }

    /// Narrows an update that truncates what is computed of the old value.
    fn update(&self, update: OpId) -> Option<Plan> {
        let is_truncation = self.body[update].name == arith::TRUNCI;
        let source = *self.body[update]
            .operands
            .first()
            .filter(|_| is_truncation)?;
        let (narrow, is_of_old) = self.narrow(source, 0)?;
        is_of_old.then_some(Plan::Update(update, self.ty(), narrow))
    }

    /// The lower bits of a wide value, and whether they are computed of the old value.
    fn narrow(&self, value: Value, depth: usize) -> Option<(Narrow, bool)> {
        let (ctx, body) = (self.ctx, self.body);
        let leaf = Some((Narrow::Lower(value), false));
        if let Some(number) = arith::constant_int(ctx, body, value) {
            return Some((Narrow::Constant(number), false));
        }
        let Some(op) = body.defining_op(value).filter(|_| depth < MAX_CHAIN) else {
            return leaf;
        };
        match (body[op].name, &body[op].operands[..]) {
            (arith::EXTSI | arith::EXTUI, &[source]) if body.ty(source) == self.ty() => {
                Some((Narrow::Value(source), source == self.old))
            }
            (
                name @ (arith::ADDI
                | arith::SUBI
                | arith::MULI
                | arith::ANDI
                | arith::ORI
                | arith::XORI),
                &[l, r],
            ) => {
                let (left, first) = self.narrow(l, depth + 1)?;
                let (right, second) = self.narrow(r, depth + 1)?;
                match first || second {
                    true => Some((Narrow::Op(name, Box::new([left, right])), true)),
                    false => leaf,
                }
            }
            (arith::SELECT, &[condition, l, r]) => {
                let (left, first) = self.narrow(l, depth + 1)?;
                let (right, second) = self.narrow(r, depth + 1)?;
                match first || second {
                    true => Some((Narrow::Select(condition, Box::new([left, right])), true)),
                    false => leaf,
                }
            }
            (name, _) if extremum(name, Extension::Signed).is_some() => {
                let Some((by, sides)) = self.extended_alike(op) else {
                    return leaf;
                };
                let is_old = |side: &Narrow| matches!(side, Narrow::Value(v) if *v == self.old);
                let is_of_old = sides.iter().any(is_old);
                Some((Narrow::Op(extremum(name, by)?, Box::new(sides)), is_of_old))
            }
            _ => leaf,
        }
    }
}

/// The extremum of narrow numbers that is extended to that of the extended ones.
fn extremum(name: OpName, by: Extension) -> Option<OpName> {
    Some(match (name, by) {
        (arith::MAXSI, Extension::Signed) => arith::MAXSI,
        (arith::MINSI, Extension::Signed) => arith::MINSI,
        (arith::MAXUI, _) | (arith::MAXSI, Extension::Unsigned) => arith::MAXUI,
        (arith::MINUI, _) | (arith::MINSI, Extension::Unsigned) => arith::MINUI,
        _ => return None,
    })
}

impl Plan {
    fn op(&self) -> OpId {
        match self {
            Plan::Update(op, ..) | Plan::Compare(op, ..) => *op,
        }
    }

    /// Emits the narrow operation in front of the old one. Returns both results, the old one first.
    fn write(
        &self,
        ctx: &Context,
        body: &mut Body,
        replaced: &HashMap<Value, Value>,
    ) -> [Value; 2] {
        let op = self.op();
        let mut b = Builder::before(ctx, body, op);
        let mut written = |narrow: &Narrow, ty| written(&mut b, narrow, ty, replaced);
        let new = match self {
            Plan::Update(_, ty, narrow) => written(narrow, *ty),
            Plan::Compare(_, ty, predicate, sides) => {
                let [l, r] = sides.each_ref().map(|side| written(side, *ty));
                CmpIOp::create(&mut b, *predicate, l, r)
            }
        };
        [body[op].result(0), new]
    }
}

/// Emits a narrow integer. Recursion is bounded by [`MAX_CHAIN`].
fn written(b: &mut Builder, narrow: &Narrow, ty: Type, replaced: &HashMap<Value, Value>) -> Value {
    match narrow {
        Narrow::Value(value) => resolved(replaced, *value),
        Narrow::Constant(number) => {
            let unused = i64::BITS - ty.signless_width(b.ctx).unwrap_or(i64::BITS);
            let number = b.ctx.int_attr(ty, number << unused >> unused);
            b.constant(number, ty)
        }
        Narrow::Lower(value) => b.unary(arith::TRUNCI, &[*value], ty),
        Narrow::Op(name, sides) => {
            let [l, r] = sides.each_ref().map(|side| written(b, side, ty, replaced));
            b.binary(*name, l, r)
        }
        Narrow::Select(condition, sides) => {
            let [yes, no] = sides.each_ref().map(|side| written(b, side, ty, replaced));
            select(b, resolved(replaced, *condition), yes, no)
        }
    }
}
