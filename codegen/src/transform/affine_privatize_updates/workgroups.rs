//! Privatized updates by workgroups: each workgroup updates copies of arrays in its memory, and
//! adds these to the arrays at the end.
//!
//! ```text
//! affine.for %i = 0 to %n {            affine.parallel (%g) = (0) to (256) {
//!   %b = …                               %own = memref.alloc() : memref<256xi32>
//!   %x = memref.load %h[%b]              affine.parallel (%p) = (0) to (256) {
//!   %y = arith.addi %x, %one               affine.for %k = %p to 256 step 256 { store %zero, %own[%k] }
//!   memref.store %y, %h[%b]      ⇒       }
//! }                                      affine.parallel (%p) = (0) to (256) {
//!                                          affine.for %i = 256 * %g + %p to %n step 65536 {
//!                                            %b = …
//!                                            memref.atomic_rmw addi %one, %own[%b]
//!                                        } }
//!                                        affine.parallel (%p) = (0) to (256) {
//!                                          affine.for %k = %p to 256 step 256 {
//!                                            %sum = affine.load %own[%k]
//!                                            memref.atomic_rmw addi %sum, %h[%k]
//!                                      } } }
//! ```
//!
//! The mapping gives a workgroup to each iteration of the outer band (`offload::phases`). Done where all
//! copies fit workgroup memory and the updates are many more than what the copies add.

use gridloom_dialects::affine::{self, Bound, ForOp, LoadOp, StoreOp};
use gridloom_dialects::memref;
use gridloom_ir::affine::AffineOp;
use gridloom_ir::{AffineMap, Body, Builder, Context, InsertPoint, IrMapping, OpId, Value};

use super::{Array, LEAST_SHARE, UNKNOWN_ELEMENTS, arrays_of, copy, has_safe_rows, is_outermost};
use crate::analysis::dependence::Dependences;
use crate::analysis::reduction::is_repeatable;
use crate::analysis::workgroup_memory::{LEAST_LIMIT, element_bytes};
use crate::target::OffloadOptions;
use crate::transform::affine_atomic_updates::Update;
use crate::transform::affine_parallelize_reductions::row_sharing::may_be_shared;
use crate::transform::emit_loops::{close, go_behind, open_band};
use crate::transform::map_inputs::Inputs;
use crate::transform::unrolled_rows::{Rows, row_of};

/// Workgroups for each group of a reduction, whose threads do not wait for atomic updates. Of 64 Mi
/// keys a histogram takes 0.14 ms by 256 workgroups on an NVIDIA H200, 0.08 by 1,024, and 0.09 by
/// 2,048.
const WORKGROUPS_OF_A_GROUP: i64 = 4;

/// Number of workgroups for a loop of unknown trip count.
const UNKNOWN_WORKGROUPS: i64 = 64;

/// Plan of a loop whose updates go to copies of workgroups.
pub(super) struct ByWorkgroups {
    root: ForOp,
    updates: Vec<Update>,
    arrays: Vec<Array>,
    workgroups: i64,
    /// Threads of a workgroup.
    threads: i64,
    /// Row length: iterations that a thread takes at a time, each as far from the last as there are
    /// threads in all.
    row: i64,
}

/// Plans the copies of workgroups for the updates of a loop.
pub(super) fn plan(
    deps: &mut Dependences,
    root: ForOp,
    updates: Vec<Update>,
    options: &OffloadOptions,
) -> Option<ByWorkgroups> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let threads = options.reduction.lanes.min(options.max_threads);
    if threads < 2 || !is_outermost(ctx, body, root) {
        return None;
    }
    let arrays = arrays_of(ctx, body, root, &updates)?;
    let (mut elements, mut bytes) = (0, 0);
    for array in &arrays {
        elements += array.size();
        bytes += array.size() * element_bytes(ctx, array.element);
        let is_word = may_be_shared(ctx, array.element);
        let is_wide = element_bytes(ctx, array.element) > 4;
        let has_wide = (options.target.as_ref()).is_none_or(|target| target.i64_atomic);
        if !is_word || is_wide && !has_wide {
            return None;
        }
    }
    if bytes > LEAST_LIMIT {
        return None;
    }
    let trips = root.constant_trip_count(ctx, body);
    let most = match trips {
        // Each workgroup adds as many elements as its copies have.
        Some(trips) => i64::try_from(trips).ok()? / (LEAST_SHARE * elements.max(1)),
        None if elements <= UNKNOWN_ELEMENTS => UNKNOWN_WORKGROUPS,
        None => return None,
    };
    let workgroups = (options.reduction.groups * WORKGROUPS_OF_A_GROUP).min(most);
    if workgroups < 2 {
        return None;
    }
    let all = workgroups.checked_mul(threads)?;
    let row = row_of(body, root, options.reduction.vector);
    let way = all.checked_mul(row)?;
    let row = if has_safe_rows(deps, root, way) {
        row
    } else {
        1
    };
    Some(ByWorkgroups {
        root,
        updates,
        arrays,
        workgroups,
        threads,
        row,
    })
}

impl ByWorkgroups {
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let updates: Vec<OpId> = (self.updates.iter())
            .map(|update| update.apply(ctx, body))
            .collect();
        let mut b = Builder::before(ctx, body, self.root.0);
        let (_, group) = open_band(&mut b, Bound::constant(ctx, self.workgroups));
        let own: Vec<Value> = (self.arrays.iter())
            .map(|array| {
                let ty = ctx.memref_type(&array.shape, array.element);
                memref::AllocOp::create(&mut b, ty, &[])
            })
            .collect();
        self.for_all_elements(&mut b, |b, array, map, place| {
            let neutral = b.constant(self.arrays[array].neutral, self.arrays[array].element);
            StoreOp::create(b, neutral, own[array], map, &[place]);
        });
        self.update(&mut b, &updates, group, &own);
        self.for_all_elements(&mut b, |b, array, map, place| {
            let sum = LoadOp::create(b, own[array], map, &[place]);
            let results = map.results(ctx).to_vec();
            let indices: Vec<Value> = (results.iter())
                .map(|&result| {
                    let map = ctx.affine_map(1, 0, &[result]);
                    affine::ApplyOp::create(b, map, &[place])
                })
                .collect();
            let array = &self.arrays[array];
            array.combination.update(b, sum, array.memref, &indices);
        });
        for &own in &own {
            b.create(b.state(memref::DEALLOC).operands(&[own]));
        }
        body.erase(self.root.0);
    }

    /// Emits the band in which each thread takes its share of the elements of each array. `each`
    /// takes the array, and the map from an element's number to subscripts.
    fn for_all_elements(
        &self,
        b: &mut Builder,
        each: impl Fn(&mut Builder, usize, AffineMap, Value),
    ) {
        let ctx = b.ctx;
        let (band, thread) = open_band(b, Bound::constant(b.ctx, self.threads));
        for (number, array) in self.arrays.iter().enumerate() {
            let lower = Bound {
                map: ctx.identity_map(1),
                operands: &[thread],
            };
            let end = Bound::constant(ctx, array.size());
            let new = ForOp::create(b, lower, end, self.threads, &[]);
            b.set(InsertPoint::End(new.block(b.body)));
            let place = new.induction_var(b.body);
            each(b, number, subscripts(ctx, &array.shape), place);
            close(b, new, &[]);
        }
        go_behind(b, band.0);
    }

    /// Writes the band in which each thread updates the copies in its share of the iterations.
    fn update(&self, b: &mut Builder, updates: &[OpId], group: Value, own: &[Value]) {
        let ctx = b.ctx;
        let (band, thread) = open_band(b, Bound::constant(b.ctx, self.threads));
        let mut inputs = Inputs::new(ctx);
        let (group, thread) = (inputs.dim(group), inputs.dim(thread));
        let names = IrMapping::new();
        let low = inputs.import(self.root.lower(ctx, b.body), &names)[0];
        let upper = inputs.import(self.root.upper(ctx, b.body), &names)[0];
        let place = ctx.affine_add(inputs.times(group, self.threads), thread);
        let all = self.workgroups * self.threads;
        // Loads of all iterations of a row come first, so that none waits for an update.
        let statements = self.root.statements(b.body);
        let loads = statements
            .iter()
            .take_while(|&&op| is_repeatable(b.body, op));
        let stages = statements.split_at(loads.count());
        let write = |b: &mut Builder, rows: &Rows| {
            let mut names = vec![IrMapping::new(); rows.row as usize];
            rows.write_in_stages(b, 2, |b, stage, iteration, iv| {
                let names = &mut names[iteration];
                names.map(self.root.induction_var(b.body), iv);
                let statements = if stage == 0 { stages.0 } else { stages.1 };
                self.statements(b, (statements, updates), names, own);
            });
        };
        let rows = Rows {
            lower: inputs.finish(&[ctx.affine_add(low, place)]),
            // A row begins only where its last iteration is in the loop.
            upper: inputs.finish(&[inputs.plus(upper, -(self.row - 1) * all)]),
            pitch: self.row * all,
            step: all,
            row: self.row,
        };
        write(b, &rows);
        if self.row > 1 {
            // All threads have equally many rows, or one more.
            let first = ctx.affine_add(low, place);
            let way = ctx.affine_sub(upper, first);
            let left = inputs.plus(way, -(self.row - 1) * all);
            let taken = inputs.by(AffineOp::CeilDiv, left, self.row * all);
            let behind = ctx.affine_add(first, inputs.times(taken, self.row * all));
            let rest = Rows {
                lower: inputs.finish(&[behind, first]),
                upper: inputs.finish(&[upper]),
                pitch: all,
                step: all,
                row: 1,
            };
            write(b, &rest);
        }
        go_behind(b, band.0);
    }

    /// Clones statements of an iteration, of which `updates` go to the workgroup's arrays.
    fn statements(
        &self,
        b: &mut Builder,
        (statements, updates): (&[OpId], &[OpId]),
        names: &mut IrMapping,
        own: &[Value],
    ) {
        copy(b, statements, names, |body, _, (old, new)| {
            if !updates.contains(&old) {
                return;
            }
            // The memref is the first operand, or follows the accumulated value.
            let at = usize::from(body[new].name == memref::ATOMIC_RMW);
            let operands = &mut body[new].operands;
            let array = (self.arrays.iter()).position(|array| array.memref == operands[at]);
            if let Some(array) = array {
                operands[at] = own[array];
            }
        });
    }
}

/// The map from the number of an element, in row-major order, to its subscripts.
fn subscripts(ctx: &Context, shape: &[i64]) -> AffineMap {
    let mut left = ctx.affine_dim(0);
    let mut results = Vec::new();
    for (dim, &extent) in shape.iter().enumerate().rev() {
        let extent = ctx.affine_const(extent);
        // The outermost subscript is the remaining quotient.
        results.push(match dim {
            0 => left,
            _ => ctx.affine_binary(AffineOp::Mod, left, extent),
        });
        left = ctx.affine_binary(AffineOp::FloorDiv, left, extent);
    }
    results.reverse();
    ctx.affine_map(1, 0, &results)
}
