//! Compiler of group operations: reductions, shuffles and barriers of a workgroup or subgroup.
//!
//! Each becomes a gathering, at which every thread that is active contributes a value and waits for the others,
//! and code that picks one of the gathered values, or combines them in the order of the threads.

use super::*;
use crate::code::{IdKind, PickKind};
use crate::scalar::Accumulate;
use crate::scalar::IntOp;
use gridloom_dialects::inherent;

impl FunctionCompiler<'_, '_> {
    pub(super) fn group(&mut self, op: OpId) -> Compiled<bool> {
        match self.body[op].name {
            gpu_ops::LANE_ID => self.group_id(op, IdKind::Lane)?,
            gpu_ops::SUBGROUP_ID => self.group_id(op, IdKind::Subgroup)?,
            gpu_ops::NUM_SUBGROUPS => self.group_id(op, IdKind::Subgroups)?,
            gpu_ops::SUBGROUP_SIZE => self.group_id(op, IdKind::SubgroupSize)?,
            gpu_ops::ALL_REDUCE => self.all_reduce(op)?,
            gpu_ops::SUBGROUP_REDUCE => self.subgroup_reduce(op)?,
            gpu_ops::SHUFFLE => self.shuffle_lanes(op)?,
            gpu_ops::ROTATE => self.rotate_lanes(op)?,
            gpu_ops::SUBGROUP_BROADCAST => self.broadcast_lane(op)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn group_id(&mut self, op: OpId, kind: IdKind) -> Compiled {
        let dst = self.define_scalar(self.body[op].result(0))?;
        self.emit(Instr::Id { kind, dim: 0, dst });
        Ok(())
    }

    fn id_register(&mut self, kind: IdKind) -> Reg {
        let dst = self.scalar_register();
        self.emit(Instr::Id { kind, dim: 0, dst });
        dst
    }

    fn all_reduce(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let src = self.scalar(data.operands[0])?;
        let kind = self.kind_of(data.operands[0])?;
        let threads = self.id_register(IdKind::Threads);
        let first = self.constant(0);
        let range = Range {
            first,
            end: threads,
            step: self.constant(1),
        };
        self.gather(src, true);
        let sum = match self.body.region_block(op, 0) {
            Some(block) => self.folded(range, |this, sum, next| {
                let args = this.body[block].args.to_vec();
                let slots = [Slot::Scalar(sum, kind), Slot::Scalar(next, kind)];
                for (arg, slot) in args.into_iter().zip(slots) {
                    this.slots[arg.index()] = Some(slot);
                }
                let region = this.body[op].inline_regions().first().copied();
                let yielded = this.single_block(region)?;
                match yielded[..] {
                    [value] => this.scalar(value),
                    _ => this.error("the region gives one value"),
                }
            })?,
            None => {
                let how = self.group_kind(kind)?;
                self.folded(range, |this, sum, next| {
                    Ok(this.combined(how, kind, sum, next))
                })?
            }
        };
        self.set_lanes(data.result(0), &[sum])
    }

    fn subgroup_reduce(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let source = self.lanes(data.operands[0])?;
        let how = self.group_kind(source.kind)?;
        let range = self.cluster(data)?;
        let mut sums = Vec::new();
        for src in source.regs {
            self.gather(src, false);
            let sum = self.folded(range, |this, sum, next| {
                Ok(this.combined(how, source.kind, sum, next))
            })?;
            sums.push(sum);
        }
        self.set_lanes(data.result(0), &sums)
    }

    /// The lanes that a lane is reduced with: all of its subgroup, or `size` of them that lie
    /// `stride` apart.
    fn cluster(&mut self, data: &OpData) -> Compiled<Range> {
        let lanes = self.id_register(IdKind::Lanes);
        let stride = data.get(self.ctx, inherent::CLUSTER_STRIDE).unwrap_or(1);
        let Some(size) = data.get(self.ctx, inherent::CLUSTER_SIZE) else {
            return Ok(Range {
                first: self.constant(0),
                end: lanes,
                step: self.constant(1),
            });
        };
        if size < 1 || stride < 1 || size.saturating_mul(stride) > gpu_ops::SUBGROUP_LANES {
            return self.error("a cluster is not larger than the subgroup of 32 lanes");
        }
        let lane = self.id_register(IdKind::Lane);
        let (span, stride) = (
            self.constant((size * stride) as u64),
            self.constant(stride as u64),
        );
        let past = self.int(IntOp::RemU, 64, lane, span);
        let base = self.int(IntOp::Sub, 64, lane, past);
        let place = self.int(IntOp::RemU, 64, lane, stride);
        let first = self.int(IntOp::Add, 64, base, place);
        let end = self.int(IntOp::Add, 64, base, span);
        let end = self.int(IntOp::MinS, 64, end, lanes);
        Ok(Range {
            first,
            end,
            step: stride,
        })
    }

    /// Has a thread contribute a value to its subgroup, or to the whole workgroup.
    fn gather(&mut self, src: Reg, whole: bool) {
        self.note_nest();
        let uniform = self.current.has_attr(self.ctx, inherent::UNIFORM);
        self.emit(Instr::Gather {
            src,
            whole,
            uniform,
        });
    }

    /// Combines the gathered values of the active threads of a range in its order. One of them is the thread itself.
    fn folded(
        &mut self,
        range: Range,
        combine: impl FnOnce(&mut Self, Reg, Reg) -> Compiled<Reg>,
    ) -> Compiled<Reg> {
        let [sum, next, at, active, has_sum] = [(); 5].map(|()| self.scalar_register());
        let none = self.constant(0);
        for (dst, src) in [(has_sum, none), (at, range.first)] {
            self.emit(Instr::Move { dst, src });
        }
        let (ub, step, unsigned) = (range.end, range.step, false);
        let enter = self.emit(Instr::LoopEnter {
            iv: at,
            ub,
            step,
            exit: 0,
            unsigned,
        });
        let body = self.here();
        self.emit(Instr::Gathered {
            dst: next,
            lane: at,
            active,
        });
        let (cond, to) = (active, 0);
        let is_inactive = self.emit(Instr::JumpIfNot { cond, to });
        let (cond, to) = (has_sum, 0);
        let is_first = self.emit(Instr::JumpIfNot { cond, to });
        let src = combine(self, sum, next)?;
        self.emit(Instr::Move { dst: sum, src });
        let done = self.emit(Instr::Jump { to: 0 });
        self.patch(is_first);
        for (dst, src) in [(sum, next), (has_sum, active)] {
            self.emit(Instr::Move { dst, src });
        }
        self.patch(is_inactive);
        self.patch(done);
        self.emit(Instr::LoopNext {
            iv: at,
            ub,
            step,
            body,
            unsigned,
        });
        self.patch(enter);
        Ok(sum)
    }

    fn shuffle_lanes(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let (offset, width) = (
            self.scalar(data.operands[1])?,
            self.scalar(data.operands[2])?,
        );
        let kind = match self.get(inherent::GPU_SHUFFLE_MODE)? {
            Some("xor") => PickKind::Xor,
            Some("up") => PickKind::Up,
            Some("down") => PickKind::Down,
            Some("idx") => PickKind::Idx,
            _ => return self.error("unknown mode of a shuffle"),
        };
        self.shuffle_from(op, Source::Lane(kind), offset, width)
    }

    fn rotate_lanes(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let offset = data.get(self.ctx, inherent::OFFSET).unwrap_or(0);
        let width = data.get(self.ctx, inherent::WIDTH).unwrap_or(0);
        let (offset, width) = (self.constant(offset as u64), self.constant(width as u64));
        self.shuffle_from(op, Source::Lane(PickKind::Rotate), offset, width)
    }

    fn broadcast_lane(&mut self, op: OpId) -> Compiled {
        let (source, lane) = match self.body[op].operands.get(1) {
            Some(&lane) => (Source::Lane(PickKind::Idx), self.scalar(lane)?),
            None => (Source::FirstActive, self.constant(0)),
        };
        let width = self.constant(gpu_ops::SUBGROUP_LANES as u64);
        self.shuffle_from(op, source, lane, width)
    }

    /// Compiles a shuffle: the values of another lane, and whether that lane is active, as the second
    /// result; the thread's own values where it is not.
    fn shuffle_from(&mut self, op: OpId, from: Source, offset: Reg, width: Reg) -> Compiled {
        let data = &self.body[op];
        let source = self.lanes(data.operands[0])?;
        let valid = match data.num_results() {
            2 => self.define_scalar(data.result(1))?,
            _ => self.scalar_register(),
        };
        let lane = self.scalar_register();
        if let Source::Lane(kind) = from {
            self.emit(Instr::Pick {
                kind,
                lane,
                valid,
                offset,
                width,
            });
        }
        let active = self.scalar_register();
        let mut values = Vec::new();
        for src in source.regs {
            let [dst, other] = [(); 2].map(|()| self.scalar_register());
            self.gather(src, false);
            if let Source::FirstActive = from {
                self.emit(Instr::FirstActive { dst: lane });
            }
            self.emit(Instr::Gathered {
                dst: other,
                lane,
                active,
            });
            self.emit(Instr::Select {
                dst,
                cond: active,
                a: other,
                b: src,
            });
            values.push(dst);
        }
        let both = self.int(IntOp::And, 1, valid, active);
        self.emit(Instr::Move {
            dst: valid,
            src: both,
        });
        self.set_lanes(data.result(0), &values)
    }

    fn group_kind(&mut self, kind: ScalarKind) -> Compiled<Accumulate> {
        let name = self.current.get(self.ctx, inherent::GPU_REDUCTION);
        self.combining_by(name, kind)
    }
}

/// Lane that a lane takes a value from.
#[derive(Clone, Copy)]
enum Source {
    /// Lane that a shuffle picks.
    Lane(PickKind),
    /// Least active lane of the subgroup.
    FirstActive,
}

/// Strided range of lanes: from the first, `step` apart, below the end.
#[derive(Clone, Copy)]
struct Range {
    first: Reg,
    end: Reg,
    step: Reg,
}
