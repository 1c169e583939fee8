//! Compiler of `dma_start` and `dma_wait` of `memref` and `affine`.
//!
//! In a kernel, a transfer between memory that threads share is one of the whole
//! workgroup: all its threads start it together and wait for it together, so each
//! of the two is a barrier as well. One with a side in a thread's own memory is
//! that thread's alone.

use super::*;
use crate::code::{DmaInfo, DmaPlace, add_row};
use gridloom_dialects::memory_space::{is_thread_private, launch_around};

/// The operands of a start by role, subscripts in registers.
struct Start {
    source: (Value, Vec<Reg>),
    target: (Value, Vec<Reg>),
    tag: (Value, Vec<Reg>),
    count: Value,
    stride: Option<(Value, Value)>,
}

impl FunctionCompiler<'_, '_> {
    pub(super) fn dma(&mut self, op: OpId) -> Compiled {
        match self.body[op].name {
            memref_ops::DMA_START => {
                let Some(parts) = memref_ops::DmaStartOp(op).parts(self.ctx, self.body) else {
                    return self.error(
                        "the operands do not match the memrefs: run the verifier \
                         on the module",
                    );
                };
                let mut place =
                    |place: memref_ops::Place<'_>| Ok((place.memref, self.scalars(place.indices)?));
                let start = Start {
                    source: place(parts.source)?,
                    target: place(parts.target)?,
                    tag: place(parts.tag)?,
                    count: parts.num_elements,
                    stride: parts.stride,
                };
                self.dma_start(op, start)
            }
            affine_ops::DMA_START => {
                let Some(parts) = affine_ops::DmaStartOp(op).parts(self.ctx, self.body) else {
                    return self.error(
                        "the operands do not match the memrefs: run the verifier \
                         on the module",
                    );
                };
                let mut place = |place: affine_ops::AffinePlace<'_>| {
                    Ok((place.memref, self.apply_map(place.map, place.operands)?))
                };
                let start = Start {
                    source: place(parts.source)?,
                    target: place(parts.target)?,
                    tag: place(parts.tag)?,
                    count: parts.num_elements,
                    stride: parts.stride,
                };
                self.dma_start(op, start)
            }
            affine_ops::DMA_WAIT => {
                let Some((tag, count)) = affine_ops::DmaWaitOp(op).parts(self.ctx, self.body)
                else {
                    return self.error(
                        "the operands do not match the tag: run the verifier on \
                         the module",
                    );
                };
                let index = self.apply_map(tag.map, tag.operands)?;
                self.dma_wait(tag.memref, &index, count)
            }
            _ => {
                let wait = memref_ops::DmaWaitOp(op);
                let tag = wait.tag(self.body);
                let index = self.scalars(tag.indices)?;
                self.dma_wait(tag.memref, &index, wait.num_elements(self.body))
            }
        }
    }

    fn dma_start(&mut self, op: OpId, start: Start) -> Compiled {
        let source_strided = match start.stride {
            Some(_) => self.source_is_slower(start.source.0, start.target.0)?,
            None => true,
        };
        let count = self.scalar(start.count)?;
        let stride = match start.stride {
            Some((stride, each)) => Some((self.scalar(stride)?, self.scalar(each)?)),
            None => None,
        };
        let [source, target, tag] = [start.source, start.target, start.tag];
        let kernel = self.container.is_some().then_some(&self.private[..]);
        let private = [source.0, target.0]
            .into_iter()
            .any(|memref| is_thread_private(self.ctx, self.body, self.unit.spaces, kernel, memref));
        let group = (kernel.is_some() || launch_around(self.body, op).is_some()) && !private;
        let ((_, kind), (_, other)) = (self.mem(source.0)?, self.mem(target.0)?);
        if kind != other {
            return self.error("a transfer moves elements of one type");
        }
        let (source, target) = (self.dma_place(source)?, self.dma_place(target)?);
        let tag = self.dma_place(tag)?;
        let info = add_row(
            &mut self.out.dmas,
            DmaInfo {
                kind,
                source,
                target,
                tag,
                count,
                stride,
                source_strided,
                group,
            },
        );
        if group {
            self.emit(Instr::Barrier);
        }
        self.emit(Instr::DmaStart { info });
        Ok(())
    }

    fn dma_wait(&mut self, tag: Value, index: &[Reg], count: Value) -> Compiled {
        let tag = self.dma_place((tag, index.to_vec()))?;
        let count = self.scalar(count)?;
        let info = add_row(&mut self.out.dma_waits, (tag, count));
        self.emit(Instr::DmaWait { info });
        Ok(())
    }

    fn dma_place(&mut self, (memref, index): (Value, Vec<Reg>)) -> Compiled<DmaPlace> {
        let (mem, kind) = self.mem(memref)?;
        let index = self.span(&index);
        Ok(DmaPlace { mem, kind, index })
    }

    /// Whether the stride of a transfer belongs to its source: it is that of the
    /// slower memory.
    fn source_is_slower(&mut self, source: Value, target: Value) -> Compiled<bool> {
        let [from, to] = [source, target].map(|memref| {
            let ty = self.body.ty(memref);
            self.unit.spaces.of_type(self.ctx, ty).speed
        });
        match (from, to) {
            (Some(from), Some(to)) if from != to => Ok(from < to),
            (Some(_), Some(_)) => self.error(
                "a strided transfer between memory of one space does not say which side the \
                 stride belongs to, which is that of the slower space; copy subviews with \
                 memref.copy instead",
            ),
            _ => self.error(
                "the stride of a transfer belongs to the slower memory, and it is not known which \
                 that is; declare the spaces with --memory-spaces",
            ),
        }
    }
}
