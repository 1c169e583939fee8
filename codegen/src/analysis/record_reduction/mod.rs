//! Record reductions: loops that carry several values which compare, such as a maximum with its count or the two largest.
//!
//! ```text
//! %r:2 = affine.for %i = 0 to %n iter_args(%m = %least, %c = %zero) -> (i32, i32) {
//!   %x = affine.load %a[%i]
//!   if %x > %m { %x, 1 } else if %x == %m { %m, %c + 1 } else { %m, %c }
//! ```
//!
//! An iteration inserts a record into the carried state: a key, and what goes with it (an index, an amount). The state is
//! made of the keys and companions of records before, so that two partial states combine by the loop's own
//! iteration: the records of the later part are inserted into the earlier state. In the example, `(m', c')` is inserted as `c'` records
//! of the key `m'`.
//!
//! That this is right is not matched but proved, for each loop, from the law
//!
//! ```text
//! combine(s, insert(t, e)) = insert(combine(s, t), e)        combine(s, neutral) = s
//! ```
//!
//! for all states `s`, all states `t` that iterations reach from the neutral one, and all records `e`: by induction, the combination
//! is what the loop computes (a list homomorphism; Gibbons, "The third homomorphism theorem", 1996). An iteration only compares
//! and selects keys, so that their order alone decides: the law is checked for all orders of the keys in it, each with NaN
//! ([`law`]). What is only selected or accumulated along stands for itself. Where records also commute, iterations may be shared in
//! any way, else parts are of adjacent iterations and combined in their order.
//!
//! Loops whose neutral element takes part (`x >= m` with an index) or that start again behind a NaN (`not (x <= m)`)
//! keep the law with a mark beside the state: that it has no record yet, or has started again.

mod expression;
mod law;
mod reader;

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::arith;
use gridloom_ir::body::Uses;
use gridloom_ir::{Attr, Body, Context, Type, Value};

use super::reduction::{Refusal, neutral_element, reduction_nest, zero};
pub use expression::Node;
use expression::{Iteration, Roles};

/// Limit of the keys of a state: the law is checked for all their orders.
const MAX_KEYS: usize = 2;

/// Limit of the ways to read a state as records that are tried.
const MAX_READINGS: usize = 64;

/// A reduction of several carried values by the insertion of records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordReduction {
    /// Positions of the state's values among the carried ones.
    pub slots: Vec<usize>,
    /// Types of the state's values.
    pub types: Vec<Type>,
    /// Neutral values, from which partial states start.
    pub neutral: Vec<Attr>,
    /// The iteration as expressions, operands before their users.
    pub nodes: Vec<Node>,
    /// The next value of each slot: a node.
    pub next: Vec<usize>,
    /// The records of a state in the order in which they are inserted: for each leaf of the expressions its source.
    pub records: Vec<Vec<Source>>,
    /// Whether parts have to be of adjacent iterations, and combined in their order.
    pub is_in_order: bool,
    /// The mark beside the state, if it needs one.
    pub mark: Option<Mark>,
}

/// Source of a leaf's value when a record of a state is inserted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A value of the state.
    Slot(usize),
    /// A constant of a type.
    Constant(Attr, Type),
}

/// Mark beside a state, a number: 0 without records, 1 with some, 2 once it has started again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The key of an iteration that starts again where it is NaN.
    pub restart: Option<Value>,
}

/// The record reductions of the values at `positions` that a loop carries, one for each set of values that depend on each other.
///
/// # Errors
/// A value that is carried otherwise, or whose order has to stay.
pub fn record_reductions_of(
    ctx: &Context,
    body: &Body,
    uses: &Uses,
    op: ForOp,
    positions: &[usize],
    reassociate: bool,
) -> Result<Vec<RecordReduction>, Refusal> {
    let nest = reduction_nest(ctx, body, op);
    let inner = nest[nest.len() - 1];
    // Outer loops of the nest only pass the values on.
    let is_handed_on = |&position: &usize| {
        nest.windows(2).all(|pair| {
            let users = uses.of(pair[0].iter_args(body)[position]);
            matches!(users, [user] if user.op == pair[1].0)
        })
    };
    if !positions.iter().all(is_handed_on) {
        return Err(Refusal::Unknown);
    }
    let whole = Iteration::of(ctx, body, inner, positions).ok_or(Refusal::Unknown)?;
    let mut found = Vec::new();
    for iteration in whole.components() {
        found.push(reduction(ctx, body, inner, iteration, reassociate)?);
    }
    Ok(found)
}

fn reduction(
    ctx: &Context,
    body: &Body,
    inner: ForOp,
    iteration: Iteration,
    reassociate: bool,
) -> Result<RecordReduction, Refusal> {
    let roles = iteration.roles(ctx).ok_or(Refusal::Unknown)?;
    if roles.keys.len() > MAX_KEYS {
        return Err(Refusal::Unknown);
    }
    if let Some(operation) = iteration.keeps_order.filter(|_| !reassociate) {
        return Err(Refusal::KeepsOrder(operation));
    }
    let candidate = iteration.leaves[roles.key];
    let is_ahead = body.value_block(candidate) == Some(inner.block(body));
    let attempts = roles.neutral_keys(ctx).into_iter().flat_map(|key| {
        let readings = readings(&iteration, &roles, key).unwrap_or_default();
        readings.into_iter().map(move |reading| (key, reading))
    });
    for (key, reading) in attempts.take(MAX_READINGS) {
        let Some(proof) = law::prove(&iteration, &roles, &reading, is_ahead) else {
            continue;
        };
        let neutral = (iteration.types.iter().enumerate()).map(|(slot, &ty)| {
            match roles.keys.contains(&slot) {
                true => Some(key.0),
                false => roles.idle(ctx, slot, ty),
            }
        });
        return Ok(RecordReduction {
            neutral: neutral.collect::<Option<_>>().ok_or(Refusal::Unknown)?,
            records: reading
                .sources(ctx, &iteration, &roles)
                .ok_or(Refusal::Unknown)?,
            is_in_order: proof.is_in_order,
            mark: proof.needs_mark.then_some(Mark {
                restart: proof.restarts.then_some(candidate),
            }),
            slots: iteration.slots,
            types: iteration.types,
            nodes: iteration.nodes,
            next: iteration.next,
        });
    }
    Err(Refusal::Unknown)
}

/// Neutral key: its attribute, and its number in the model of the proof.
type NeutralKey = (Attr, f64);

/// Reading of a state as records, in the order of their insertion.
#[derive(Clone, Debug)]
struct Reading {
    /// For each record and leaf the slot that the leaf's value comes from; a leaf without a slot is a mask or has its idle
    /// value.
    records: Vec<Vec<Option<usize>>>,
    /// What masks are when a record is inserted.
    masks: bool,
    /// Number of the neutral key.
    neutral: f64,
}

impl Reading {
    fn sources(
        &self,
        ctx: &Context,
        iteration: &Iteration,
        roles: &Roles,
    ) -> Option<Vec<Vec<Source>>> {
        let source = |(leaf, slot): (usize, &Option<usize>)| {
            let ty = iteration.leaf_types[leaf];
            Some(match slot {
                Some(slot) => Source::Slot(*slot),
                None if roles.masks.contains(&leaf) => {
                    let holds = super::reduction::int_attr(ctx, ty, self.masks.into())?;
                    Source::Constant(holds, ty)
                }
                None => Source::Constant(roles.idle_leaf(ctx, leaf, ty)?, ty),
            })
        };
        let record = |record: &Vec<Option<usize>>| record.iter().enumerate().map(source).collect();
        self.records.iter().map(record).collect()
    }
}

/// The readings of a state: keys in any order, and each companion beside any of them.
fn readings(
    iteration: &Iteration,
    roles: &Roles,
    (_, neutral): NeutralKey,
) -> Option<Vec<Reading>> {
    let count = roles.keys.len();
    let mut records: Vec<Vec<Vec<Option<usize>>>> = vec![Vec::new()];
    // The columns: which slot each record takes for a leaf.
    for leaf in 0..iteration.leaves.len() {
        let slots = match leaf == roles.key {
            true => roles.keys.clone(),
            false => (roles.companions.iter())
                .find(|(of, _)| *of == leaf)
                .map_or(Vec::new(), |(_, slots)| slots.clone()),
        };
        let columns = columns(&slots, count)?;
        records = records
            .into_iter()
            .flat_map(|known| {
                columns.iter().map(move |column| {
                    let mut known = known.clone();
                    known.push(column.clone());
                    known
                })
            })
            .take(MAX_READINGS)
            .collect();
    }
    let masks: &[bool] = if roles.masks.is_empty() {
        &[true]
    } else {
        &[true, false]
    };
    let reading = |columns: &Vec<Vec<Option<usize>>>, masks| Reading {
        records: (0..count)
            .map(|record| columns.iter().map(|column| column[record]).collect())
            .collect(),
        masks,
        neutral,
    };
    let all = masks
        .iter()
        .flat_map(|&masks| records.iter().map(move |columns| (columns, masks)));
    Some(
        all.map(|(columns, masks)| reading(columns, masks))
            .collect(),
    )
}

/// The ways to give each of `count` records one of these slots, all of which are used; `None` if there are more slots.
fn columns(slots: &[usize], count: usize) -> Option<Vec<Vec<Option<usize>>>> {
    let padded: Vec<Option<usize>> = (slots.iter().map(|&slot| Some(slot)))
        .chain(std::iter::repeat(None))
        .take(count)
        .collect();
    if slots.len() > count {
        return None;
    }
    let mut all = vec![padded.clone()];
    // With two records at most, there are two orders.
    if count == 2 && padded[0] != padded[1] {
        all.push(vec![padded[1], padded[0]]);
    }
    Some(all)
}

impl Roles {
    /// The value of a slot beside the keys before any record: the neutral element of what it accumulates, or 0.
    fn idle(&self, ctx: &Context, slot: usize, ty: Type) -> Option<Attr> {
        let leaf = (self.companions.iter())
            .find(|(_, slots)| slots.contains(&slot))?
            .0;
        self.idle_leaf(ctx, leaf, ty)
    }

    fn idle_leaf(&self, ctx: &Context, leaf: usize, ty: Type) -> Option<Attr> {
        match self.operations.iter().find(|(of, _)| *of == leaf) {
            Some(&(_, operation)) => neutral_element(ctx, operation, ty),
            None => zero(ctx, ty),
        }
    }

    /// The least and the greatest number of the keys' type, and NaN.
    fn neutral_keys(&self, ctx: &Context) -> Vec<NeutralKey> {
        let [most, least] = match (self.is_float, self.is_unsigned) {
            (true, _) => [arith::MINIMUMF, arith::MAXIMUMF],
            (false, true) => [arith::MINUI, arith::MAXUI],
            (false, false) => [arith::MINSI, arith::MAXSI],
        };
        let key = |operation, number| Some((neutral_element(ctx, operation, self.ty)?, number));
        // Whatever is compared with NaN by an unordered comparison takes its place.
        let nan = key(arith::MAXNUMF, f64::NAN).filter(|_| self.is_float);
        let all = [key(least, 0.0), key(most, law::GREATEST), nan];
        all.into_iter().flatten().collect()
    }
}
