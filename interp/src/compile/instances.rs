//! Compiler of dynamic instances: counts the iterations of loops that threads may run differently often, so that the
//! machine knows which threads are at a group operation in the same iteration.
//!
//! Functions without group operations, and without calls in a module that has some, count nothing.

use super::*;
use crate::code::Nest;
use crate::scalar::IntOp;

impl Compiler<'_> {
    /// Whether a function of the module has a group operation.
    fn has_groups(&self) -> bool {
        *self.has_groups.get_or_init(|| {
            let mut bodies = vec![self.module.body()];
            while let Some(body) = bodies.pop() {
                if body.may_hold_any(gpu_ops::is_collective) {
                    return true;
                }
                bodies.extend(body.walk().into_iter().filter_map(|op| body[op].isolated()));
            }
            false
        })
    }
}

impl FunctionCompiler<'_, '_> {
    /// Whether threads may wait for their group in this function or in one that it calls.
    pub(super) fn has_instances(&self) -> bool {
        let is_call = |name| matches!(name, func::CALL | func::CALL_INDIRECT);
        self.body.may_hold_any(gpu_ops::is_collective)
            || self.body.may_hold_any(is_call) && self.unit.has_groups()
    }

    /// Begins a counted loop at the next instruction.
    pub(super) fn begin_counting(&mut self) {
        if !self.counts {
            return;
        }
        let iteration = self.scalar_register();
        let src = self.constant(0);
        self.emit(Instr::Move {
            dst: iteration,
            src,
        });
        let start = self.here();
        self.loops.push(CountedLoop { start, iteration });
    }

    /// Counts an iteration of the innermost counted loop.
    pub(super) fn count_iteration(&mut self) {
        if !self.counts {
            return;
        }
        let Some(&CountedLoop { iteration, .. }) = self.loops.last() else {
            return;
        };
        let one = self.constant(1);
        self.emit(Instr::Int {
            op: IntOp::Add,
            width: 64,
            dst: iteration,
            a: iteration,
            b: one,
        });
    }

    pub(super) fn end_counting(&mut self) {
        if self.counts {
            self.loops.pop();
        }
    }

    /// Enters a region whose iterations nothing counts, if it is one. Returns whether it was in one before.
    pub(super) fn enter_uncounted(&mut self, is_unstructured: bool) -> bool {
        let outer = self.is_unstructured;
        self.is_unstructured |= is_unstructured;
        outer
    }

    /// Notes the loops around the next instruction.
    pub(super) fn note_nest(&mut self) {
        if !self.loops.is_empty() || self.is_unstructured {
            let nest = Nest {
                loops: self.loops.clone(),
                is_unstructured: self.is_unstructured,
            };
            let at = self.here();
            self.out.nests.push((at, nest));
        }
    }
}
