//! `affine-collapse-dimensions`: makes one dimension of two adjacent ones that are always walked
//! together, and one loop of the two loops.
//!
//! ```text
//! affine.for %i = 0 to 17 {                 %b = memref.collapse_shape %a [[0, 1], [2]]
//!   affine.for %j = 0 to 23 {                   : memref<17x23x9xf32> into memref<391x9xf32>
//!     affine.for %k = 0 to 9 {        ⇒     affine.for %t = 0 to 391 {
//!       … affine.load %a[%i, %j, %k]          affine.for %k = 0 to 9 {
//!     }                                         … affine.load %b[%t, %k]
//!   }                                         }
//! }                                         }
//! ```
//!
//! A contraction over several indices is a product of matrices then, and an array of small rows one
//! long row, which tiles and vectors fit. Iterations keep their order, so that no dependence matters.
//!
//! Legal where
//!
//! - the outer loop does nothing but run the inner one; both count from 0 by 1 to constants;
//! - both counters are used by accesses alone, each of which has them as the subscripts of two adjacent
//!   dimensions and nowhere else, the inner dimension being as long as the inner loop;
//! - the memory is an argument or an allocation in row-major order that nothing but such accesses, all of
//!   the function, its size and its end mention: two shapes of one buffer in a kernel would tell
//!   analyses less than one does.
//!
//! One access that does not fit keeps its loops, these keep the other arrays that they access, and so on;
//! what remains is collapsed. It is done where the inner loop is short or does not fill vectors, in rounds
//! of pairs that have no loop in common. Sizes that only the run knows are collapsed in a version of the function ([`open`]).

mod open;

use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::{self, Bound, ForOp, LoadOp, StoreOp};
use gridloom_dialects::{inherent, memref};
use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::types::{DYNAMIC, TypeKind};
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, Value};

pub use open::collapse_open_dimensions;

use super::affine_loop_coalescing::perfect_inner;
use super::emit_loops::close;
use super::index_values::op_behind;
use crate::analysis::alias::is_view;
use crate::analysis::reduction::hands_on;

/// Limit of the rounds, of which each halves the loops of a group.
const MAX_ROUNDS: usize = 4;

/// Trip count from which an inner loop fills tiles by itself, if it fills vectors.
const LONG: i64 = 256;

/// Elements of the widest vectors and tiles' sides.
const VECTOR: i64 = 8;

/// Collapses dimensions of the arrays of a function. Returns whether it did.
pub fn collapse_dimensions(ctx: &Context, body: &mut Body) -> bool {
    let mut changed = false;
    for _ in 0..MAX_ROUNDS {
        let plan = Plan::of(ctx, body, Sizes::Constant);
        if plan.pairs.is_empty() {
            break;
        }
        plan.apply(ctx, body);
        changed = true;
    }
    changed
}

/// The sizes of the loops that are joined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sizes {
    Constant,
    /// One that only the run knows, and perhaps a constant one.
    Open,
}

/// Trip count of a loop.
#[derive(Clone, Copy)]
enum Trips {
    Constant(i64),
    Open(Value),
}

/// Two loops that may become one.
#[derive(Clone, Copy)]
struct Pair {
    outer: ForOp,
    inner: ForOp,
    trips: [Trips; 2],
}

/// Access of memory by a map of counters.
struct MapAccess {
    op: OpId,
    memref: Value,
    /// For each dimension but the last, the pair whose counters are its subscript and the next one.
    pairs: Vec<Option<usize>>,
}

/// Plan of one round: pairs of loops without common loops, and the dimension of each array that joins
/// with the next one.
struct Plan {
    pairs: Vec<Pair>,
    accesses: Vec<MapAccess>,
    /// Arrays, each with the first one of every two dimensions that join.
    joined: Vec<(Value, Vec<usize>)>,
}

impl Plan {
    fn of(ctx: &Context, body: &Body, sizes: Sizes) -> Plan {
        let mut pairs = match sizes {
            Sizes::Constant => pairs_of(ctx, body),
            Sizes::Open => open::pairs_of(ctx, body),
        };
        let none = Plan {
            pairs: Vec::new(),
            accesses: Vec::new(),
            joined: Vec::new(),
        };
        if pairs.is_empty() {
            return none;
        }
        agree(ctx, body, &mut pairs, sizes);
        // Of a chain of loops the inner two come first; what the choice leaves has to agree again.
        let mut taken: HashSet<OpId> = HashSet::new();
        let mut chosen = Vec::new();
        for pair in pairs.into_iter().rev() {
            let loops = [pair.outer.0, pair.inner.0];
            if loops.iter().all(|l| !taken.contains(l)) {
                taken.extend(loops);
                chosen.push(pair);
            }
        }
        let accesses = agree(ctx, body, &mut chosen, sizes);
        let mut joined: Vec<(Value, Vec<usize>)> = Vec::new();
        for access in &accesses {
            let dims = (0..access.pairs.len()).filter(|&dim| access.pairs[dim].is_some());
            let dims: Vec<usize> = dims.collect();
            if !dims.is_empty() && joined.iter().all(|(memref, _)| *memref != access.memref) {
                joined.push((access.memref, dims));
            }
        }
        Plan {
            pairs: chosen,
            accesses,
            joined,
        }
    }

    fn apply(&self, ctx: &Context, body: &mut Body) {
        for (memref, dims) in &self.joined {
            let Some(view) = collapse(ctx, body, *memref, dims) else {
                unreachable!("a planned array is an argument or has an operation behind its own");
            };
            let accesses = self.accesses.iter();
            for access in accesses.filter(|access| access.memref == *memref) {
                redirect(ctx, body, access.op, view, dims);
            }
        }
        for pair in &self.pairs {
            let [Trips::Constant(outer), Trips::Constant(inner)] = pair.trips else {
                continue;
            };
            pair.join(ctx, body, Bound::constant(ctx, outer * inner));
        }
    }
}

/// The pairs of loops of a function that may become one, outermost first.
fn pairs_of(ctx: &Context, body: &Body) -> Vec<Pair> {
    let loops = body.walk().into_iter();
    let pairs = loops.filter_map(|op| {
        let outer = ForOp::cast(body, op)?;
        let inner = perfect_inner(body, outer)?;
        let trips = [outer, inner].map(|l| {
            let is_plain = l.constant_lower(ctx, body) == Some(0) && l.step(ctx, body) == 1;
            l.constant_upper(ctx, body)
                .filter(|&end| is_plain && end > 0)
        });
        let [Some(around), Some(along)] = trips else {
            return None;
        };
        let pays = along < LONG || along % VECTOR != 0;
        around.checked_mul(along)?;
        (pays && hands_on(ctx, body, outer, inner)).then_some(Pair {
            outer,
            inner,
            trips: [around, along].map(Trips::Constant),
        })
    });
    pairs.collect()
}

/// Removes the pairs of loops that some access keeps apart, until all accesses of those that are left
/// agree. Returns the accesses of arrays that may get another shape.
fn agree(ctx: &Context, body: &Body, pairs: &mut Vec<Pair>, sizes: Sizes) -> Vec<MapAccess> {
    loop {
        let mut blocked: HashSet<usize> = HashSet::new();
        let mut numbers: HashMap<Value, Vec<usize>> = HashMap::new();
        for (number, pair) in pairs.iter().enumerate() {
            for l in [pair.outer, pair.inner] {
                numbers
                    .entry(l.induction_var(body))
                    .or_default()
                    .push(number);
            }
        }
        let accesses = accesses_of(ctx, body, pairs, &numbers, &mut blocked);
        // The dimensions of an array that every access joins.
        let mut common: HashMap<Value, Vec<bool>> = HashMap::new();
        for access in &accesses {
            let joins = access.pairs.iter().map(Option::is_some);
            match common.get_mut(&access.memref) {
                Some(all) => all.iter_mut().zip(joins).for_each(|(all, one)| *all &= one),
                None => drop(common.insert(access.memref, joins.collect())),
            }
        }
        let in_other_use = match sizes {
            Sizes::Constant => memory_in_other_use(body, &common),
            Sizes::Open => open::memory_in_other_use(ctx, body, &common),
        };
        for memref in in_other_use {
            if let Some(joins) = common.get_mut(&memref) {
                joins.fill(false);
            }
        }
        for access in &accesses {
            for (dim, pair) in access.pairs.iter().enumerate() {
                blocked.extend(pair.filter(|_| !common[&access.memref][dim]));
            }
        }
        if blocked.is_empty() {
            return accesses;
        }
        let mut number = 0;
        pairs.retain(|_| {
            number += 1;
            !blocked.contains(&(number - 1))
        });
    }
}

/// The plain accesses of a function, with the pairs in their subscripts; pairs whose counters anything
/// else uses are added to `blocked`.
fn accesses_of(
    ctx: &Context,
    body: &Body,
    pairs: &[Pair],
    numbers: &HashMap<Value, Vec<usize>>,
    blocked: &mut HashSet<usize>,
) -> Vec<MapAccess> {
    let mut accesses = Vec::new();
    for op in body.walk() {
        let counters = body[op].operands.iter();
        let mut used: HashSet<usize> = (counters.filter_map(|value| numbers.get(value)))
            .flatten()
            .copied()
            .collect();
        if matches!(body[op].name, affine::LOAD | affine::STORE)
            && let Some(access) = affine::Access::cast(body, op)
        {
            let memref = access.memref(body);
            let found = pairs_in(ctx, body, access, pairs, numbers);
            let is_value = access.is_store && numbers.contains_key(&body[op].operands[0]);
            if !is_value {
                used.retain(|pair| !found.contains(&Some(*pair)));
            }
            accesses.push(MapAccess {
                op,
                memref,
                pairs: found,
            });
        }
        blocked.extend(used);
    }
    accesses
}

/// For each dimension of an access but the last, the pair that is its subscript and the next one, and no
/// part of others.
fn pairs_in(
    ctx: &Context,
    body: &Body,
    access: affine::Access,
    pairs: &[Pair],
    numbers: &HashMap<Value, Vec<usize>>,
) -> Vec<Option<usize>> {
    let Some(ty) = body.ty(access.memref(body)).memref(ctx) else {
        return Vec::new();
    };
    let map = access.map(ctx, body);
    let (results, operands) = (map.results(ctx), access.operands(body));
    let counter = |dim: usize| match results[dim].kind(ctx) {
        AffineExprKind::Dim(d) => Some(operands[d as usize]),
        _ => None,
    };
    // Whether a subscript depends on a counter of a pair.
    let mentions = |dim: usize, pair: &Pair| {
        let counters = [pair.outer, pair.inner].map(|l| l.induction_var(body));
        results[dim].fold_parts(
            ctx,
            &mut |part, parts: Option<(bool, bool)>| match (part, parts) {
                (_, Some((left, right))) => left || right,
                (AffineExprKind::Dim(d), None) => counters.contains(&operands[d as usize]),
                (AffineExprKind::Symbol(s), None) => {
                    counters.contains(&operands[map.num_dims(ctx) + s as usize])
                }
                _ => false,
            },
        )
    };
    let rank = ty.rank();
    let is_plain = ty.layout.is_none() && is_whole(body, access.memref(body));
    (1..rank)
        .map(|dim| {
            let [outer, inner] = [counter(dim - 1)?, counter(dim)?];
            let mut found = numbers.get(&outer)?.iter().copied();
            let pair = found.find(|&pair| {
                let counters = [pairs[pair].outer, pairs[pair].inner];
                counters.map(|l| l.induction_var(body)) == [outer, inner]
            })?;
            let other = (0..rank).filter(|&other| other != dim - 1 && other != dim);
            let is_alone = !other.into_iter().any(|other| mentions(other, &pairs[pair]));
            let extents = [ty.shape[dim - 1], ty.shape[dim]];
            let fits = match pairs[pair].trips {
                [Trips::Constant(_), Trips::Constant(trips)] => {
                    extents[0] > 0 && extents[1] == trips
                }
                [_, Trips::Constant(trips)] if extents[1] != DYNAMIC => extents[1] == trips,
                // The run compares them.
                _ => extents[0] != 0,
            };
            (is_plain && is_alone && fits).then_some(pair)
        })
        .collect()
}

/// Whether a memref is a whole buffer: an argument of the function, an allocation, or an earlier shape
/// of one.
fn is_whole(body: &Body, memref: Value) -> bool {
    match body.defining_op(memref) {
        Some(op) => matches!(
            body[op].name,
            memref::ALLOC | memref::ALLOCA | memref::COLLAPSE_SHAPE
        ),
        None => {
            let block = body.value_block(memref);
            block.is_some() && block == body.top_blocks().next()
        }
    }
}

/// The arrays that views of them, loops, or operations in loops other than accesses mention.
fn memory_in_other_use(body: &Body, arrays: &HashMap<Value, Vec<bool>>) -> Vec<Value> {
    let mut found = Vec::new();
    for op in body.walk() {
        let is_access = matches!(body[op].name, affine::LOAD | affine::STORE);
        let is_inside = body
            .ancestors(op)
            .any(|around| body[around].name == affine::FOR);
        let is_harmless = match body[op].name {
            memref::DIM | memref::DEALLOC => true,
            _ => !is_view(body, op) && !is_inside && body[op].inline_regions().is_empty(),
        };
        if !is_access && !is_harmless {
            let operands = body[op].operands.iter();
            found.extend(operands.filter(|value| arrays.contains_key(value)));
        }
    }
    found
}

/// Emits the shape of a memref in which each of these dimensions joins with the next one, behind its
/// definition.
pub(super) fn collapse(
    ctx: &Context,
    body: &mut Body,
    memref: Value,
    dims: &[usize],
) -> Option<Value> {
    let ty = body.ty(memref).memref(ctx)?.clone();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for dim in 0..ty.rank() {
        match groups.last_mut() {
            Some(group) if dims.contains(&(dim - 1)) => group.push(dim),
            _ => groups.push(vec![dim]),
        }
    }
    let extents = groups.iter().map(|group| {
        let extents = group.iter().map(|&dim| ty.shape[dim]);
        let is_open = extents.clone().any(|extent| extent == DYNAMIC);
        if is_open { DYNAMIC } else { extents.product() }
    });
    let mut flat = ty.clone();
    flat.shape = extents.collect();
    let numbers = |group: &Vec<usize>| {
        let dims: Vec<_> = group.iter().map(|&dim| ctx.i64_attr(dim as i64)).collect();
        ctx.array_attr(&dims)
    };
    let groups: Vec<_> = groups.iter().map(numbers).collect();
    let next = op_behind(body, memref)?;
    let maker = body.defining_op(memref).unwrap_or(next);
    let loc = body[maker].loc;
    let mut b = Builder::new(ctx, body, InsertPoint::Before(next), loc);
    let result = ctx.intern_type(TypeKind::MemRef(flat));
    let state = b.state(memref::COLLAPSE_SHAPE).operands(&[memref]);
    let state =
        (state.results(&[result])).property(ctx, inherent::REASSOCIATION, ctx.array_attr(&groups));
    let op = b.create(state);
    Some(b.body[op].result(0))
}

/// Replaces an access by one of another shape, in which each of these dimensions joins with the next
/// one: the outer counter stands for both.
fn redirect(ctx: &Context, body: &mut Body, op: OpId, view: Value, dims: &[usize]) {
    let Some(access) = affine::Access::cast(body, op) else {
        return;
    };
    let map = access.map(ctx, body);
    let results = map.results(ctx).iter().enumerate();
    let kept = results.filter(|(dim, _)| *dim == 0 || !dims.contains(&(dim - 1)));
    let kept: Vec<_> = kept.map(|(_, &result)| result).collect();
    let counts = [map.num_dims(ctx), map.num_symbols(ctx)].map(|count| count as u32);
    let map = ctx.affine_map(counts[0], counts[1], &kept);
    let operands = access.operands(body).to_vec();
    let mut b = Builder::before(ctx, body, op);
    if access.is_store {
        let value = StoreOp(op).value(b.body);
        StoreOp::create(&mut b, value, view, map, &operands);
    } else {
        let value = LoadOp::create(&mut b, view, map, &operands);
        let old = b.body[op].result(0);
        b.body.replace_uses(old, value);
    }
    body.erase(op);
}

impl Pair {
    /// Rewrites both loops as one.
    fn join(&self, ctx: &Context, body: &mut Body, end: Bound) {
        let (outer, inner) = (self.outer, self.inner);
        let inits = outer.inits(ctx, body).to_vec();
        let args = inner.iter_args(body).to_vec();
        let yielded = inner.yielded(body).to_vec();
        let old = [outer, inner].map(|l| l.induction_var(body));
        let mut b = Builder::before(ctx, body, outer.0);
        let new = ForOp::create(&mut b, Bound::constant(ctx, 0), end, 1, &inits);
        let block = new.block(b.body);
        let counter = new.induction_var(b.body);
        let mut names = vec![(old[0], counter), (old[1], counter)];
        names.extend(args.into_iter().zip(new.iter_args(b.body).to_vec()));
        let named = |v: Value| names.iter().find(|n| n.0 == v).map_or(v, |n| n.1);
        for op in b.body.without_terminator(inner.block(b.body)) {
            b.body.detach(op);
            b.body.append(block, op);
            b.body.replace_values_in(op, named);
        }
        let yielded: Vec<Value> = yielded.into_iter().map(named).collect();
        let results = close(&mut b, new, &yielded);
        body.replace_op(outer.0, &results);
    }
}
