//! Eligibility: which transfers are split, and how their elements are distributed.
//!
//! A transfer from outside of the workgroup to a buffer of the workgroup is split where the size of
//! the workgroup and a bound of the count are known, so that each thread keeps few elements from
//! the start to the wait. Threads access vectors where chunks, count and first elements are known
//! multiples of their length.

use gridloom_dialects::memory_space::SpaceKind;
use gridloom_dialects::{arith, memref};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Body, Context, Diagnostic, Diagnostics, OpId, Type, Value};

use super::plan::{Candidate, MAX_KEPT, Plan, Refusal, Share};
use super::tags::{Matches, repeats};
use super::{Block, Memory, Start, Transfers};
use crate::analysis::alias::{Root, root_of};
use crate::analysis::multiples::{Multiples, power_of_two};
use crate::analysis::values::AffineValues;
use crate::transform::dma_transfer::Place;
use crate::transform::merge_adjacent_accesses::{is_mergeable, widest};

/// Limit of the single elements of one transfer that a thread keeps.
const MAX_ELEMENTS: i64 = 16;

/// Limit of the vectors of one transfer that a thread keeps.
const MAX_VECTORS: i64 = 8;

/// Bounds of counts past this one are those of their type.
const MAX_COUNT: i64 = 1 << 30;

/// Limit of the loops around a transfer. The plan walks a loop several times for each time it walks
/// the one around.
const MAX_DEPTH: usize = 6;

/// Plans the split transfers of a kernel. Remarks say why others are not split.
pub(super) fn plan(
    ctx: &Context,
    body: &Body,
    (memory, block): (&Memory<'_>, Block),
    transfers: &Transfers,
    matches: &Matches,
    remarks: &mut Diagnostics,
) -> Plan {
    let mut search = Search {
        values: AffineValues::new(ctx, body),
        multiples: Multiples::of_affine_loops(),
        memory,
        block,
        depth: transfers.depth(body),
    };
    let mut candidates = Vec::new();
    let mut widths = Vec::new();
    for (number, start) in transfers.starts.iter().enumerate() {
        widths.push(search.width(start));
        if !start.group || !search.enters_workgroup(start) {
            continue;
        }
        match search.candidate(number, start) {
            Ok(candidate) => candidates.push(candidate),
            Err(why) => remarks.push(whole(body, start.op, &why)),
        }
    }
    let mut plan = Plan::of(body, transfers, matches, candidates);
    plan.widths = widths;
    for &(start, refusal) in &plan.refused {
        let why = match refusal {
            Refusal::Apart => "its wait stands in another region of control flow".to_owned(),
            Refusal::Crowded => format!(
                "each thread would keep more than {MAX_KEPT} elements of its kernel's transfers in \
                 registers"
            ),
        };
        remarks.push(whole(body, transfers.starts[start].op, &why));
    }
    plan
}

fn whole(body: &Body, op: OpId, why: &str) -> Diagnostic {
    let message = format!("the elements of this transfer move at its start: {why}");
    Diagnostic::remark(body[op].loc, message)
}

impl Transfers {
    /// The greatest number of loops around a transfer of the workgroup.
    fn depth(&self, body: &Body) -> usize {
        let ops = self.group_starts.keys().chain(self.group_waits.keys());
        let loops = |&op: &OpId| body.ancestors(op).filter(|&op| repeats(body, op)).count();
        ops.map(loops).max().unwrap_or(0)
    }
}

struct Search<'a> {
    values: AffineValues<'a>,
    multiples: Multiples,
    memory: &'a Memory<'a>,
    block: Block,
    /// The greatest number of loops around a transfer.
    depth: usize,
}

impl Search<'_> {
    /// Whether a transfer is from outside of the workgroup to a buffer of it.
    fn enters_workgroup(&self, start: &Start) -> bool {
        let [source, target] = [&start.source, &start.target].map(|place| self.is_shared(place));
        !source && target
    }

    fn is_shared(&self, place: &Place) -> bool {
        let (ctx, body) = (self.values.ctx, self.values.body);
        let space = self.memory.spaces.of_type(ctx, body.ty(place.memref));
        let root = root_of(ctx, body, place.memref);
        let is_attribution =
            matches!(root, Root::Value(root) if self.memory.shared.contains(&root));
        is_attribution || space.kind == Some(SpaceKind::Workgroup)
    }

    /// Plans the split of a start among threads; the error says why it stays whole.
    fn candidate(&mut self, number: usize, start: &Start) -> Result<Candidate, String> {
        let (ctx, body) = (self.values.ctx, self.values.body);
        if self.depth > MAX_DEPTH {
            return Err(format!(
                "more than {MAX_DEPTH} loops stand around transfers of its kernel"
            ));
        }
        let threads = self
            .threads()
            .ok_or("the size of its workgroup is not known")?;
        let (target, element) = self.buffer(start).ok_or(
            "its destination is not known to be part of a workgroup buffer of constant size with \
             elements of the same type",
        )?;
        if !is_mergeable(ctx, element) && element != ctx.index_type() {
            return Err("its elements are neither integers nor floats".into());
        }
        let count = arith::constant_int(ctx, body, start.count);
        let most = self
            .bound(start)
            .ok_or("its number of elements has no known bound")?;
        let width = self.width(start);
        let each = threads.saturating_mul(width);
        let accesses = most / each + i64::from(most % each != 0);
        let (limit, what) = match width {
            1 => (MAX_ELEMENTS, "elements"),
            _ => (MAX_VECTORS, "vectors"),
        };
        if accesses > limit {
            return Err(format!(
                "each thread would keep {accesses} {what} of it in registers, and the limit is {limit}"
            ));
        }
        Ok(Candidate {
            start: number,
            target,
            element,
            share: Share {
                threads,
                width,
                accesses,
                count,
            },
        })
    }

    /// The workgroup buffer of a start's destination and the type of its elements, if the buffer has
    /// no layout and the destination's elements lie in it as its own.
    fn buffer(&self, start: &Start) -> Option<(Value, Type)> {
        let (ctx, body) = (self.values.ctx, self.values.body);
        let mut root = start.target.memref;
        while let Some(op) = body.defining_op(root) {
            let is_known = matches!(
                body[op].name,
                memref::SUBVIEW
                    | memref::CAST
                    | memref::EXPAND_SHAPE
                    | memref::COLLAPSE_SHAPE
                    | memref::TRANSPOSE
            );
            if !is_known {
                break;
            }
            root = *body[op].operands.first()?;
        }
        let is_buffer = match body.defining_op(root) {
            Some(op) => {
                let entry = body.top_blocks().next();
                body[op].name == memref::ALLOCA && body[op].parent() == entry
            }
            None => self.memory.shared.contains(&root),
        };
        let ty = body.ty(root).memref(ctx)?;
        let is_plain = ty.layout.is_none() && !ty.shape.contains(&DYNAMIC);
        let element = body.ty(start.target.memref).element(ctx)?;
        let is_known = is_buffer && is_plain && ty.element == element;
        is_known.then_some((root, element))
    }

    /// An upper bound of the number of elements.
    fn bound(&mut self, start: &Start) -> Option<i64> {
        let expr = self.values.expr(start.count);
        let env = self.values.environment_at(start.op);
        let interval = self.values.interval(expr, env)?;
        let most = i64::try_from(interval.most).ok()?.max(0);
        (most <= MAX_COUNT).then_some(most)
    }

    /// The number of threads of the workgroup, if it is known.
    fn threads(&self) -> Option<i64> {
        Some(self.block?.iter().product())
    }

    /// The number of adjacent elements that a thread moves in one access: as many as all threads get
    /// that many of, and as both sides are known to be multiples of.
    fn width(&mut self, start: &Start) -> i64 {
        let (ctx, body) = (self.values.ctx, self.values.body);
        let count = arith::constant_int(ctx, body, start.count);
        let element = body.ty(start.target.memref).element(ctx);
        let element = element.filter(|&element| start.group && is_mergeable(ctx, element));
        let (Some(count), Some(threads), Some(element)) = (count, self.threads(), element) else {
            return 1;
        };
        let chunks = start.stride.map(|(stride, chunk)| {
            let known = |value| arith::constant_int(ctx, body, value);
            [stride, chunk].map(|value| known(value).map_or(1, power_of_two))
        });
        let places = [&start.source, &start.target].map(|place| self.multiple(start.op, place));
        let multiple = (places.into_iter())
            .chain(chunks.into_iter().flatten())
            .chain([power_of_two(count)])
            .min()
            .unwrap_or(1);
        let widest = widest(ctx, element).min(multiple);
        let fits = |width: &i64| *width <= widest && threads.saturating_mul(*width) <= count;
        [4, 2].into_iter().find(fits).unwrap_or(1)
    }

    /// A known power of two that divides the position of a place in its buffer.
    fn multiple(&mut self, op: OpId, place: &Place) -> i64 {
        let (ctx, body) = (self.values.ctx, self.values.body);
        let form = body
            .ty(place.memref)
            .memref(ctx)
            .and_then(|ty| ty.strided_form(ctx));
        let Some((offset, strides)) = form else {
            return 1;
        };
        if offset == DYNAMIC || strides.contains(&DYNAMIC) {
            return 1;
        }
        let exprs = place.exprs(&mut self.values, op);
        let mut all = power_of_two(offset);
        for (expr, &stride) in exprs.into_iter().zip(&strides) {
            let Some(expr) = expr else {
                return 1;
            };
            let here = self.multiples.of(&mut self.values, expr);
            all = all.min(here.saturating_mul(power_of_two(stride)));
        }
        all
    }
}
