//! Schedule steps that change single loops, or pairs of them, each by the mechanism of the pass of
//! its name.

use gridloom_dialects::affine::ForOp;
use gridloom_ir::{Body, OpId};

use super::{StepRefusal, Target, labels};
use crate::analysis::loop_labels::allocation_labels;
use crate::transform::affine_index_set_splitting::{At, split_loop};
use crate::transform::affine_loop_coalescing::coalesce_nest;
use crate::transform::affine_loop_distribute::distribute_loop;
use crate::transform::affine_loop_fusion::fuse_pair;
use crate::transform::affine_loop_normalize::normalize_loop;
use crate::transform::affine_loop_strip_mine::strip_mine_loop;
use crate::transform::affine_loop_unroll::{UnrollOptions, unroll_loop};
use crate::transform::affine_loop_unroll_jam::jam_loop;
use crate::transform::affine_parallelize::parallelize_loop;
use crate::transform::affine_privatize::privatize_temporary;
use crate::transform::affine_schedule::text::SplitPoint;

impl Target<'_> {
    pub(super) fn fuse(&self, body: &mut Body, pair: [&String; 2]) -> Result<bool, StepRefusal> {
        let [first, second] = [self.find(body, pair[0])?, self.find(body, pair[1])?];
        let block = body[first.0].parent();
        let behind = std::iter::successors(body[first.0].next(), |&op| body[op].next());
        let between: Vec<OpId> = behind.take_while(|&op| op != second.0).collect();
        let is_behind = match between.last() {
            Some(&last) => body[last].next() == Some(second.0),
            None => body[first.0].next() == Some(second.0),
        };
        let Some(block) = block.filter(|_| is_behind) else {
            let why = "the second loop does not follow the first one in the same block";
            return Err(self.refused_at(body, second.0, why));
        };
        fuse_pair(
            self.ctx,
            body,
            self.globals,
            (block, [first, second], &between),
            self.start,
        )
    }

    pub(super) fn distribute(&self, body: &mut Body, of: &str) -> Result<bool, StepRefusal> {
        let l = self.find(body, of)?;
        distribute_loop(self.ctx, body, self.globals, l, self.start)
    }

    pub(super) fn split(
        &self,
        body: &mut Body,
        of: &str,
        at: &SplitPoint,
    ) -> Result<bool, StepRefusal> {
        let l = self.find(body, of)?;
        let at = match at {
            SplitPoint::Number(at) => At::Number(*at),
            SplitPoint::Counter(outer) => At::Counter(self.find(body, outer)?.induction_var(body)),
        };
        self.done(body, l, |body| split_loop(self.ctx, body, l, at))
    }

    /// Splits `count` iterations from the start or the end of a loop with constant bounds.
    pub(super) fn peel(&self, body: &mut Body, of: &str, count: i64) -> Result<bool, StepRefusal> {
        let l = self.find(body, of)?;
        let bounds = (l.constant_lower(self.ctx, body)).zip(l.constant_upper(self.ctx, body));
        let Some((lower, upper)) = bounds else {
            let why = "its bounds are not constant, so no iterations can be split off at its ends";
            return Err(self.refused_at(body, l.0, why));
        };
        let from = if count < 0 { upper } else { lower };
        // A saturated sum is outside of every loop's range.
        let at = from.saturating_add(count);
        self.done(body, l, |body| {
            split_loop(self.ctx, body, l, At::Number(at))
        })
    }

    pub(super) fn unroll(
        &self,
        body: &mut Body,
        of: &str,
        factor: Option<u64>,
    ) -> Result<bool, StepRefusal> {
        let l = self.find(body, of)?;
        let options = UnrollOptions {
            factor: factor.unwrap_or(1),
            full_threshold: factor.map_or(u64::MAX, |_| 0),
            up_to_factor: false,
            cleanup: false,
        };
        self.done(body, l, |body| {
            unroll_loop(self.ctx, body, l, options).map_err(|stays| stays.why())
        })
    }

    pub(super) fn unroll_jam(
        &self,
        body: &mut Body,
        of: &str,
        factor: u64,
    ) -> Result<bool, StepRefusal> {
        let l = self.find(body, of)?;
        jam_loop(self.ctx, body, self.globals, (l, factor), self.start)
    }

    pub(super) fn strip_mine(
        &self,
        body: &mut Body,
        of: &str,
        sizes: &[i64],
    ) -> Result<bool, StepRefusal> {
        let l = self.find(body, of)?;
        let outer = format!("{of}.strip");
        self.done(body, l, |body| {
            let made = strip_mine_loop(self.ctx, body, l, sizes)?;
            // The innermost loop keeps the old loop's label; the others count strips.
            let outside = made.split_last().map_or(&[][..], |(_, outside)| outside);
            for new in outside {
                labels::set(self.ctx, body, new.0, &outer);
            }
            Ok::<(), String>(())
        })
    }

    pub(super) fn coalesce(&self, body: &mut Body, of: &[String]) -> Result<bool, StepRefusal> {
        let nest = self.find_all(body, of)?;
        coalesce_nest(self.ctx, body, &nest, self.start)?;
        Ok(false)
    }

    pub(super) fn normalize(&self, body: &mut Body, of: &str) -> Result<bool, StepRefusal> {
        let l = self.find(body, of)?;
        self.done(body, l, |body| {
            normalize_loop(self.ctx, body, l.0).map(|_| ())
        })
    }

    pub(super) fn parallelize(&self, body: &mut Body, of: &str) -> Result<bool, StepRefusal> {
        let l = self.find(body, of)?;
        parallelize_loop(self.ctx, body, self.globals, l, self.start)
    }

    pub(super) fn privatize(
        &self,
        body: &mut Body,
        of: &str,
        inside: Option<&str>,
    ) -> Result<bool, StepRefusal> {
        let allocation = self.allocation(body, of)?;
        let inside = inside.map(|label| self.find(body, label)).transpose()?;
        privatize_temporary(
            self.ctx,
            body,
            self.globals,
            (allocation, inside),
            self.start,
        )
    }

    /// Finds an allocation by its name; the second one of a name is `t#2`, as with loops.
    fn allocation(&self, body: &Body, name: &str) -> Result<OpId, StepRefusal> {
        let known = allocation_labels(self.ctx, body);
        let found = known.iter().find(|(_, known)| known == name);
        found.map(|&(op, _)| op).ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(|(_, name)| &name[..]).collect();
            self.refused(match names[..] {
                [] => "there are no allocations".to_owned(),
                _ => format!(
                    "there is no allocation '{name}'; there are {}",
                    names.join(", ")
                ),
            })
        })
    }

    /// Applies a change that no dependence forbids, and converts its error to a refusal.
    fn done<W: std::fmt::Display>(
        &self,
        body: &mut Body,
        l: ForOp,
        change: impl FnOnce(&mut Body) -> Result<(), W>,
    ) -> Result<bool, StepRefusal> {
        let loc = body[l.0].loc;
        match change(body) {
            Ok(()) => Ok(false),
            Err(why) => Err(Box::new(self.refused(why).with_note(loc, "the loop"))),
        }
    }
}
