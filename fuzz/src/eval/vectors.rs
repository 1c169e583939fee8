//! Evaluation of elementwise folds of vectors.

use super::{Access, Frame, Machine, Undefined};
use crate::program::{Lanes, LanesForm, VectorFold, VectorSink};
use crate::scalar;
use crate::types::Scalar;

impl Machine<'_> {
    /// Reads all lanes before one is written. Returns the result of a reduction.
    pub(super) fn vector_fold(
        &mut self,
        frame: &Frame,
        fold: &VectorFold,
    ) -> Result<Option<u64>, Undefined> {
        let ty = self.program.scalar(fold.padding);
        let mut folded: Option<Vec<u64>> = None;
        for from in &fold.from {
            let lanes = self.lanes(frame, fold, from)?;
            folded = Some(match folded {
                None => lanes,
                Some(folded) => (folded.into_iter().zip(lanes))
                    .map(|(left, right)| scalar::binary(fold.kind, left, right, ty))
                    .collect::<Result<_, _>>()?,
            });
        }
        let mut lanes = folded.ok_or("a fold of nothing")?;
        if let Some(splat) = fold.splat {
            let splat = frame.bits(splat)?;
            for lane in &mut lanes {
                *lane = scalar::binary(fold.kind, *lane, splat, ty)?;
            }
        }
        match &fold.to {
            VectorSink::Reduced(kind) => Ok(Some(reduced((*kind, ty), &lanes)?)),
            VectorSink::Memory(to) => {
                for (lane, at) in self.subscripts_of(frame, fold, to)? {
                    let view = frame.view(to.first.mem)?;
                    self.memory.write(&view, &at, lanes[lane])?;
                    self.touch(&view, &at, Access::Write)?;
                }
                Ok(None)
            }
        }
    }

    fn lanes(
        &mut self,
        frame: &Frame,
        fold: &VectorFold,
        from: &Lanes,
    ) -> Result<Vec<u64>, Undefined> {
        let mut lanes = vec![frame.bits(fold.padding)?; fold.lanes as usize];
        let view = frame.view(from.first.mem)?;
        for (lane, at) in self.subscripts_of(frame, fold, from)? {
            lanes[lane] = self.memory.read(&view, &at)?;
            self.touch(&view, &at, Access::Read)?;
        }
        Ok(lanes)
    }

    /// The lanes that are moved, with their subscripts.
    fn subscripts_of(
        &self,
        frame: &Frame,
        fold: &VectorFold,
        lanes: &Lanes,
    ) -> Result<Vec<(usize, Vec<i64>)>, Undefined> {
        let first = self.subscript(frame, &lanes.first.at)?;
        let view = frame.view(lanes.first.mem)?;
        let mut all = Vec::new();
        for lane in 0..fold.lanes {
            let mut at = first.clone();
            if let Some(dim) = lanes.dim {
                at[dim] = at[dim].wrapping_add(lane);
                let is_beyond = !(0..view.sizes[dim]).contains(&at[dim]);
                if is_beyond && lanes.form == LanesForm::Padded {
                    continue;
                }
            }
            all.push((lane as usize, at));
        }
        Ok(all)
    }
}

fn reduced((kind, ty): (crate::program::Bin, Scalar), lanes: &[u64]) -> Result<u64, Undefined> {
    let (&first, rest) = lanes.split_first().ok_or("a reduction of nothing")?;
    let mut all = first;
    for &lane in rest {
        all = scalar::binary(kind, all, lane, ty)?;
    }
    Ok(all)
}
