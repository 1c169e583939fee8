//! `merge-adjacent-accesses`: merges loads and stores of neighbouring elements to vector accesses.
//!
//! ```text
//! %a = memref.load %m[%i, %j]                 %v = vector.load %m[%i, %j]
//! %j1 = arith.addi %j, %c1            ⇒       %a, %b = vector.to_elements %v
//! %b = memref.load %m[%i, %j1]
//! ```
//!
//! Four elements, else two; of 64-bit elements two. Legal for accesses of one block, all marked in
//! range (so that no subscript wraps between them), whose subscripts agree but for the last, along
//! which elements lie side by side, if no operation between the first and the last of them may
//! conflict: no write for loads, which move up to the first, no access for stores, which move down
//! to the last. Only runs that begin at a multiple of their length are merged, as far as that is
//! known (a size or stride that the type leaves open may be one): the lowering to kernels would
//! split the others again.

use gridloom_dialects::{arith, func, gpu, gridloom, memref, vector};
use gridloom_ir::body::OpData;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::scalar::residue::Residue;
use gridloom_ir::types::Type;
use gridloom_ir::{AffineExpr, BlockId, Body, Builder, Context, Module, OpId, Value};

use crate::analysis::access::{Access, accesses_of};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::effects::{Effect, effect_of};
use crate::analysis::multiples::Multiples;
use crate::transform::vector_elements::{from_elements, to_elements};

mod multiples;

/// Limit of the accesses between the ends of a run; with more, the run stays.
const MAX_BETWEEN: usize = 1024;

/// Limit of the dependence tests for one body.
const MAX_QUESTIONS: usize = 4096;

/// Merges the adjacent accesses of every host function, kernels inside of it included, and of every
/// kernel function. Returns whether there were any.
pub fn merge_in_module(ctx: &Context, module: &mut Module) -> bool {
    let globals = Globals::of(ctx, module);
    let mut changed = false;
    for (_, op) in module.body_mut().owners_mut() {
        changed |= match op.name {
            gpu::MODULE => op.isolated_mut().is_some_and(|kernels| {
                let merged = kernels.owners_mut().into_iter();
                let merged = merged.map(|(_, kernel)| merge_in_function(ctx, kernel, &globals));
                merged.fold(false, |any, one| any | one)
            }),
            _ => merge_in_function(ctx, op, &globals),
        };
    }
    changed
}

fn merge_in_function(ctx: &Context, op: &mut OpData, globals: &Globals) -> bool {
    let is_function = matches!(op.name, func::FUNC | gpu::FUNC);
    let body = op.isolated_mut().filter(|_| is_function);
    body.is_some_and(|body| merge_adjacent_accesses(ctx, body, globals))
}

/// Merges the adjacent accesses of a function body. Returns whether there were any.
fn merge_adjacent_accesses(ctx: &Context, body: &mut Body, globals: &Globals) -> bool {
    let runs = {
        let mut search = Search {
            ctx,
            body,
            deps: Dependences::new(ctx, body, globals),
            multiples: Multiples::default(),
            residues: FxHashMap::default(),
            depth: 0,
            questions: 0,
            runs: Vec::new(),
        };
        for block in blocks_of(body) {
            search.block(block);
        }
        search.runs
    };
    if runs.is_empty() {
        return false;
    }
    // Uses are rewritten once, for all runs.
    let mut replaced = vec![None; body.value_capacity()];
    for run in &runs {
        match run.is_store {
            true => merge_stores(ctx, body, run),
            false => merge_loads(ctx, body, run, &mut replaced),
        }
    }
    body.replace_values(|value| {
        replaced
            .get(value.index())
            .copied()
            .flatten()
            .unwrap_or(value)
    });
    for &op in runs.iter().flat_map(|run| &run.ops) {
        body.erase(op);
    }
    true
}

/// All blocks of a body.
fn blocks_of(body: &Body) -> Vec<BlockId> {
    let ops = body.walk();
    let inner = ops.iter().flat_map(|&op| body[op].inline_regions());
    let regions = body.regions().iter().chain(inner);
    regions
        .flat_map(|&r| body[r].blocks.iter().copied())
        .collect()
}

/// Run: accesses of neighbouring elements, by rising last subscript.
struct Run {
    is_store: bool,
    /// The accesses by element.
    ops: Vec<OpId>,
    /// The access that the merged one replaces.
    at: OpId,
    /// The number of the element that `at` accesses.
    lane: usize,
}

/// Group key of accesses that may be neighbours.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    is_store: bool,
    memref: Value,
    /// The subscripts, the last one without its constant.
    subscripts: Vec<AffineExpr>,
}

/// Candidate: an access of one element.
#[derive(Clone, Copy)]
struct Element {
    op: OpId,
    /// Position of the access in the block.
    position: usize,
    /// The constant of its last subscript.
    offset: i64,
}

struct Search<'a> {
    ctx: &'a Context,
    body: &'a Body,
    deps: Dependences<'a>,
    multiples: Multiples,
    residues: FxHashMap<Value, Residue>,
    /// Depth of the current residue search.
    depth: usize,
    questions: usize,
    runs: Vec<Run>,
}

impl Search<'_> {
    fn block(&mut self, block: BlockId) {
        let ops: Vec<OpId> = self.body.ops(block).collect();
        let mut groups: FxHashMap<Key, Vec<Element>> = FxHashMap::default();
        let mut order: Vec<Key> = Vec::new();
        for (position, &op) in ops.iter().enumerate() {
            if let Some((key, offset)) = self.element(op) {
                let group = groups.entry(key.clone()).or_default();
                if group.is_empty() {
                    order.push(key);
                }
                group.push(Element {
                    op,
                    position,
                    offset,
                });
            }
        }
        if !groups.values().any(|group| group.len() > 1) {
            return;
        }
        let effects: Vec<Effect> = ops.iter().map(|&op| self.effect_below(op)).collect();
        for key in order {
            let group = groups.remove(&key).unwrap_or_default();
            self.group(&key, group, &ops, &effects);
        }
    }

    /// The strongest memory effect of an operation and its regions.
    fn effect_below(&self, op: OpId) -> Effect {
        if self.body[op].inline_regions().is_empty() {
            return effect_of(self.body, op);
        }
        let all = self.body.walk_op(op);
        let effects = all.into_iter().map(|op| effect_of(self.body, op));
        effects.max().unwrap_or(Effect::None)
    }

    /// Key and last constant of an access that can be merged; `None` for others.
    fn element(&mut self, op: OpId) -> Option<(Key, i64)> {
        let access = memref::Access::cast(self.body, op)?;
        if !gridloom::is_in_bounds(self.ctx, &self.body[op]) {
            return None;
        }
        let memref = access.memref(self.body);
        let ty = self.body.ty(memref).memref(self.ctx)?;
        let (_, strides) = ty.strided_form(self.ctx)?;
        if strides.last() != Some(&1) || !is_mergeable(self.ctx, ty.element) {
            return None;
        }
        let mut subscripts = Vec::new();
        for &index in access.indices(self.body) {
            subscripts.push(self.deps.values.expr(index));
        }
        let (rest, offset) = subscripts.last()?.split_constant(self.ctx);
        *subscripts.last_mut()? = rest;
        let key = Key {
            is_store: access.is_store,
            memref,
            subscripts,
        };
        Some((key, offset))
    }

    /// Finds the runs of a group: of four elements, then of two among the remaining ones.
    fn group(&mut self, key: &Key, group: Vec<Element>, ops: &[OpId], effects: &[Effect]) {
        let Some(multiple) = self.multiple_of_place(key) else {
            return;
        };
        let element = self.body.ty(key.memref).element(self.ctx);
        let widest = element.map_or(1, |element| widest(self.ctx, element));
        let mut left = group;
        for width in [4, 2] {
            if width > widest || width > multiple {
                continue;
            }
            left = self.runs_of(width, key, left, ops, effects);
        }
    }

    /// Finds runs of `width` elements that begin at a multiple of it.
    fn runs_of(
        &mut self,
        width: i64,
        key: &Key,
        group: Vec<Element>,
        ops: &[OpId],
        effects: &[Effect],
    ) -> Vec<Element> {
        let mut open: FxHashMap<i64, Vec<Element>> = FxHashMap::default();
        let mut left = Vec::new();
        for element in group {
            let run = open.entry(element.offset.div_euclid(width)).or_default();
            // A second access of the same element begins a new run.
            if run.iter().any(|other| other.offset == element.offset) {
                left.append(run);
            }
            run.push(element);
            if run.len() < width as usize {
                continue;
            }
            let whole = std::mem::take(run);
            if self.is_undisturbed(key, &whole, ops, effects) {
                self.runs.push(run_of(key.is_store, whole));
            } else {
                left.extend(whole);
            }
        }
        left.extend(open.into_values().flatten());
        left.sort_by_key(|element| element.position);
        left
    }

    /// Whether no operation between the first and the last access of a run may conflict with them.
    fn is_undisturbed(
        &mut self,
        key: &Key,
        run: &[Element],
        ops: &[OpId],
        effects: &[Effect],
    ) -> bool {
        let positions = || run.iter().map(|element| element.position);
        let (Some(first), Some(last)) = (positions().min(), positions().max()) else {
            return false;
        };
        if last - first > MAX_BETWEEN {
            return false;
        }
        let least = if key.is_store {
            Effect::Reads
        } else {
            Effect::Writes
        };
        let between = first + 1..last;
        let matter = between.filter(|&at| effects[at] >= least);
        let others = matter.filter(|&at| run.iter().all(|element| element.position != at));
        let others: Vec<OpId> = others.map(|at| ops[at]).collect();
        others
            .into_iter()
            .all(|other| run.iter().all(|element| self.are_apart(element.op, other)))
    }

    /// Whether two operations of a block never touch the same element.
    fn are_apart(&mut self, element: OpId, other: OpId) -> bool {
        if !self.body[other].inline_regions().is_empty() {
            return false;
        }
        if self.differ_by_constant(element, other) {
            return true;
        }
        self.questions += 1;
        if self.questions > MAX_QUESTIONS {
            return false;
        }
        let Some(block) = self.body[element].parent() else {
            return false;
        };
        let [mut mine, mut theirs]: [Vec<Access>; 2] = Default::default();
        accesses_of(&mut self.deps.values, element, &mut mine);
        accesses_of(&mut self.deps.values, other, &mut theirs);
        let scope = Scope::Block(block);
        mine.iter()
            .all(|a| theirs.iter().all(|b| !self.deps.may_overlap(scope, a, b)))
    }

    /// Fast path: both are elements of one memref with packed layout, and a subscript differs by a
    /// constant.
    fn differ_by_constant(&mut self, a: OpId, b: OpId) -> bool {
        let accesses = [a, b].map(|op| memref::Access::cast(self.body, op));
        let [Some(a), Some(b)] = accesses else {
            return false;
        };
        let memref = a.memref(self.body);
        let packed = |ty: Type| ty.memref(self.ctx).is_some_and(|ty| ty.layout.is_none());
        if memref != b.memref(self.body) || !packed(self.body.ty(memref)) {
            return false;
        }
        let pairs = a.indices(self.body).iter().zip(b.indices(self.body));
        let pairs: Vec<(Value, Value)> = pairs.map(|(&a, &b)| (a, b)).collect();
        pairs.into_iter().any(|(a, b)| {
            let (a, b) = (self.deps.values.expr(a), self.deps.values.expr(b));
            let difference = self.ctx.affine_sub(a, b).as_constant(self.ctx);
            difference.is_some_and(|difference| difference != 0)
        })
    }
}

/// Whether elements of a type are adjacent on every device, each in one word or two.
pub(super) fn is_mergeable(ctx: &Context, element: Type) -> bool {
    element.float_kind(ctx).is_some() || element.signless_width(ctx).is_some()
}

/// The number of elements in 16 bytes on a device.
pub(super) fn widest(ctx: &Context, element: Type) -> i64 {
    let bits = match element.float_kind(ctx) {
        Some(kind) => kind.width(),
        None => element.signless_width(ctx).unwrap_or(64),
    };
    if bits > 32 { 2 } else { 4 }
}

/// The run of these accesses; merged loads go in place of the first, stores in place of the last.
fn run_of(is_store: bool, mut elements: Vec<Element>) -> Run {
    elements.sort_by_key(|element| element.offset);
    let places = elements.iter().enumerate();
    let place = |&(_, element): &(usize, &Element)| element.position;
    let at = if is_store {
        places.max_by_key(place)
    } else {
        places.min_by_key(place)
    };
    let (lane, at) = at.map_or((0, elements[0].op), |(lane, element)| (lane, element.op));
    Run {
        is_store,
        ops: elements.iter().map(|element| element.op).collect(),
        at,
        lane,
    }
}

/// Emits the subscripts of the run's first element from those of the access `run.at`.
fn first_indices(b: &mut Builder<'_>, run: &Run, indices: &[Value]) -> Vec<Value> {
    let mut indices = indices.to_vec();
    if let (Some(last), 1..) = (indices.last_mut(), run.lane) {
        let back = b.index_constant(-(run.lane as i64));
        *last = b.binary(arith::ADDI, *last, back);
    }
    indices
}

/// Merges the loads of a run into one and records the replacements of the results.
fn merge_loads(ctx: &Context, body: &mut Body, run: &Run, replaced: &mut [Option<Value>]) {
    let access = memref::Access {
        op: run.at,
        is_store: false,
    };
    let (memref, indices) = (access.memref(body), access.indices(body).to_vec());
    let results: Vec<Value> = run.ops.iter().map(|&op| body[op].result(0)).collect();
    let element = body.ty(results[0]);
    let ty = ctx.vector_type(&[run.ops.len() as i64], element);
    let mut b = Builder::before(ctx, body, run.at);
    let indices = first_indices(&mut b, run, &indices);
    let operands = [&[memref], &indices[..]].concat();
    let state = b.state(vector::LOAD).operands(&operands).results(&[ty]);
    let load = b.create(state);
    let whole = b.body[load].result(0);
    let parts = to_elements(&mut b, whole);
    gridloom::set_in_bounds(ctx, &mut body[load], true);
    for (result, part) in results.into_iter().zip(parts) {
        replaced[result.index()] = Some(part);
    }
}

/// Merges the stores of a run into one.
fn merge_stores(ctx: &Context, body: &mut Body, run: &Run) {
    let access = memref::Access {
        op: run.at,
        is_store: true,
    };
    let (memref, indices) = (access.memref(body), access.indices(body).to_vec());
    let values: Vec<Value> = run.ops.iter().map(|&op| body[op].operands[0]).collect();
    let ty = ctx.vector_type(&[values.len() as i64], body.ty(values[0]));
    let mut b = Builder::before(ctx, body, run.at);
    let indices = first_indices(&mut b, run, &indices);
    let whole = from_elements(&mut b, &values, ty);
    let operands = [&[whole, memref], &indices[..]].concat();
    let state = b.state(vector::STORE).operands(&operands);
    let store = b.create(state);
    gridloom::set_in_bounds(ctx, &mut body[store], true);
}
