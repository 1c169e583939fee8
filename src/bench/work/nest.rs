//! Work of one nest of a function: the sum over all its executions in one call.

use gridloom_codegen::analysis::counter::{Counter, counters};
use gridloom_codegen::analysis::loop_kind::is_affine_loop;
use gridloom_dialects::{affine, scf};
use gridloom_ir::{BlockId, Body, Context, OpId};

use super::{Boxes, Count, Range, Work, bytes_of, trips};
use crate::HostValue;

/// Limit of the loops and branches around a nest.
const MAX_DEPTH: usize = 64;

/// The work of the nest at `root` in one call of the function of this body for some arguments,
/// those of memrefs where they are known; `None` where trip counts or accesses are unknown.
/// Branches around it are taken to be entered.
pub fn work_of_nest(ctx: &Context, body: &Body, root: OpId, inputs: &[HostValue]) -> Option<Work> {
    let block = body.entry()?;
    let mut count = Count {
        ctx,
        body,
        known: Default::default(),
        shapes: Default::default(),
        visits: 0,
    };
    let arguments = &body[block].args;
    if arguments.len() == inputs.len() {
        for (&argument, input) in arguments.iter().zip(inputs) {
            if let Some(shape) = &input.shape {
                count.shapes.insert(argument, shape.clone());
            }
        }
    }
    let parents = std::iter::successors(Some(root), |&op| body.parent_op(op));
    let mut path: Vec<OpId> = parents.collect();
    path.reverse();
    (path.len() <= MAX_DEPTH).then(|| count.along(block, &path))?
}

impl Work {
    fn plus(self, other: Work) -> Option<Work> {
        Some(Work {
            flops: self.flops.checked_add(other.flops)?,
            bytes: self.bytes.checked_add(other.bytes)?,
        })
    }

    fn times(self, count: u64) -> Option<Work> {
        Some(Work {
            flops: self.flops.checked_mul(count)?,
            bytes: self.bytes.checked_mul(count)?,
        })
    }
}

impl Count<'_> {
    /// Work of the last operation of a path, in one execution of the block of the first.
    fn along(&mut self, block: BlockId, path: &[OpId]) -> Option<Work> {
        self.visits += 1;
        let (&next, rest) = path.split_first()?;
        for op in self.body.ops(block) {
            if op == next {
                break;
            }
            self.note(op);
        }
        let all: Vec<Counter> = counters(self.body, next).collect();
        let Some(&inner) = rest.first() else {
            let mut boxes = Boxes::new();
            self.touch(next, next, &mut boxes)?;
            let bytes = bytes_of(&boxes)?;
            let flops = self.flops_of_loop(&all)?;
            return Some(Work { flops, bytes });
        };
        if is_affine_loop(self.body, next) {
            return self.along_loop(&all, rest);
        }
        if !matches!(self.body[next].name, affine::IF | scf::IF) {
            return None;
        }
        let block = (self.blocks_of(next).into_iter())
            .find(|&block| self.body[inner].parent() == Some(block))?;
        self.along(block, rest)
    }

    /// Sums the work over the iterations of a loop around the nest.
    fn along_loop(&mut self, all: &[Counter], rest: &[OpId]) -> Option<Work> {
        let Some((&counter, others)) = all.split_first() else {
            return Some(Work::default());
        };
        let block = counter.block(self.body);
        let (range, step) = (self.bounds(counter)?, counter.step(self.ctx, self.body));
        let iv = counter.induction_var(self.body);
        let count = trips(range, step);
        let at = |count: &mut Self, place: i64| {
            let exactly = Range {
                least: place,
                most: place,
            };
            count.known.insert(iv, exactly);
            match others {
                [] => count.along(block, rest),
                _ => count.along_loop(others, rest),
            }
        };
        if count == 0 {
            return Some(Work::default());
        }
        // The size of a box does not depend on its position, unless the counter bounds a loop.
        if !self.bounds_a_loop(block, iv) {
            return at(self, range.least)?.times(count);
        }
        let mut sum = Work::default();
        let mut place = range.least;
        while place <= range.most {
            if self.visits > super::MOST_VISITS {
                return None;
            }
            sum = sum.plus(at(self, place)?)?;
            place = place.checked_add(step)?;
        }
        Some(sum)
    }
}
