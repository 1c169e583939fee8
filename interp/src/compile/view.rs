//! Compiler of the views of memory that `memref` makes: casts, subviews, transposes, reshapes.

use super::*;
use crate::code::{Extent, RegroupInfo, ShapeInfo, ViewInfo, add_row};
use gridloom_dialects::inherent;
use gridloom_ir::types::{DYNAMIC, MemRefType};

impl FunctionCompiler<'_, '_> {
    pub(super) fn reshape(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let [source, shape] = [data.operands[0], data.operands[1]];
        let ((src, _), (shape, shape_kind)) = (self.mem(source)?, self.mem(shape)?);
        let dst = self.define_mem(data.result(0))?;
        self.emit(Instr::Reshape {
            dst,
            src,
            shape,
            shape_kind,
        });
        Ok(())
    }

    /// Compiles `memref.extract_strided_metadata`: base buffer, offset, sizes and strides.
    pub(super) fn strided_metadata(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let (src, _) = self.mem(data.operands[0])?;
        let base = self.define_mem(data.result(0))?;
        let numbers = data.results().skip(1);
        let outs = numbers.map(|v| self.define_scalar(v));
        let outs: Vec<Reg> = outs.collect::<Compiled<_>>()?;
        let outs = self.span(&outs);
        self.emit(Instr::Metadata { base, src, outs });
        Ok(())
    }

    pub(super) fn checked_cast(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let (src, _) = self.mem(data.operands[0])?;
        let target = self.body.ty(data.result(0));
        let dst = self.define_mem(data.result(0))?;
        let Some(memref) = target.memref(self.ctx) else {
            // To an unranked memref: every descriptor fits.
            self.emit(Instr::MoveMem { dst, src });
            return Ok(());
        };
        let known = |value: i64| (value != DYNAMIC).then_some(value);
        let sizes = memref.shape.iter().map(|&size| known(size)).collect();
        let (strides, offset) = match memref.layout.map(|layout| layout.kind(self.ctx)) {
            Some(AttrKind::Strided { offset, strides }) => (
                Some(strides.iter().map(|&s| known(s)).collect()),
                known(*offset),
            ),
            _ => (None, None),
        };
        let info = add_row(
            &mut self.out.shapes,
            ShapeInfo {
                sizes,
                strides,
                offset,
                row_major: memref.layout.is_none(),
            },
        );
        self.emit(Instr::CheckShape { dst, src, info });
        Ok(())
    }

    /// Offsets, sizes or strides of a view: static values, with operands in place of `?`.
    pub(super) fn mixed(
        &mut self,
        list: Inherent<I64ArrayAttr>,
        dynamic: &[Value],
    ) -> Compiled<Vec<Extent>> {
        let known = self.get(list)?.unwrap_or_default();
        let mut dynamic = self.scalars(dynamic)?.into_iter();
        let mut extents = Vec::new();
        for value in known {
            extents.push(match value {
                DYNAMIC => match dynamic.next() {
                    Some(reg) => Extent::Reg(reg),
                    None => {
                        let name = list.name();
                        return self.error(format!("an operand is missing for '{name}'"));
                    }
                },
                known => Extent::Known(known),
            });
        }
        Ok(extents)
    }

    pub(super) fn strided_view(&mut self, op: OpId, is_subview: bool) -> Compiled {
        let data = &self.body[op];
        let (src, _) = self.mem(data.operands[0])?;
        let groups = self.segments()?;
        let [_, offsets, sizes, strides] = &groups[..] else {
            return self.error("a strided view has four operand groups");
        };
        let offsets = self.mixed(inherent::STATIC_OFFSETS, offsets)?;
        let sizes = self.mixed(inherent::STATIC_SIZES, sizes)?;
        let strides = self.mixed(inherent::STATIC_STRIDES, strides)?;
        let [source, view] =
            [data.operands[0], data.result(0)].map(|value| self.body.ty(value).memref(self.ctx));
        let kept = view.and_then(|view| {
            let steps = source.and_then(|source| source.strided_form(self.ctx));
            let steps = steps.map_or(Vec::new(), |(_, strides)| strides.to_vec());
            kept_dims(self.ctx, view, &sizes, &spans(&steps, &strides))
        });
        let Some(kept) = kept else {
            return self.error("the shape of the view does not follow from its sizes");
        };
        let info = add_row(
            &mut self.out.views,
            ViewInfo {
                offsets,
                sizes,
                strides,
                kept,
            },
        );
        let dst = self.define_mem(data.result(0))?;
        self.emit(if is_subview {
            Instr::SubView { dst, src, info }
        } else {
            Instr::Reinterpret { dst, src, info }
        });
        Ok(())
    }

    pub(super) fn byte_view(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let (src, _) = self.mem(data.operands[0])?;
        let shift = self.scalar(data.operands[1])?;
        let sizes = data.operands[2..].to_vec();
        let info = self.alloc_info(self.body.ty(data.result(0)), &sizes, false)?;
        let info = add_row(&mut self.out.allocs, info);
        let dst = self.define_mem(data.result(0))?;
        self.emit(Instr::ByteView {
            dst,
            src,
            shift,
            info,
        });
        Ok(())
    }

    pub(super) fn transpose(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let (src, _) = self.mem(data.operands[0])?;
        let map = self.map(inherent::PERMUTATION)?;
        let mut dims = Vec::new();
        for result in map.results(self.ctx) {
            match result.kind(self.ctx) {
                gridloom_ir::affine::AffineExprKind::Dim(dim) => dims.push(dim),
                _ => return self.error("'permutation' is no permutation"),
            }
        }
        let dims = self.span(&dims);
        let dst = self.define_mem(data.result(0))?;
        self.emit(Instr::Transpose { dst, src, dims });
        Ok(())
    }

    pub(super) fn regroup(&mut self, op: OpId, expand: bool) -> Compiled {
        let data = &self.body[op];
        let (src, _) = self.mem(data.operands[0])?;
        let groups = self.get(inherent::REASSOCIATION)?.unwrap_or(&[]);
        let index = |attr: &Attr| attr.as_i64(self.ctx).and_then(|i| usize::try_from(i).ok());
        let groups = groups.iter().map(|group| {
            group
                .as_array(self.ctx)
                .unwrap_or(&[])
                .iter()
                .filter_map(index)
                .collect()
        });
        let groups: Vec<Vec<usize>> = groups.collect();
        let sizes = if expand {
            self.mixed(inherent::STATIC_OUTPUT_SHAPE, &data.operands[1..])?
        } else {
            Vec::new()
        };
        let info = add_row(&mut self.out.regroups, RegroupInfo { groups, sizes });
        let dst = self.define_mem(data.result(0))?;
        self.emit(if expand {
            Instr::Expand { dst, src, info }
        } else {
            Instr::Collapse { dst, src, info }
        });
        Ok(())
    }
}

/// The static strides of a subview along the dimensions of its source, whose own
/// strides are `source`.
fn spans(source: &[i64], steps: &[Extent]) -> Vec<i64> {
    let span = |(&stride, &step): (&i64, &Extent)| match step {
        Extent::Known(step) if stride != DYNAMIC => stride.checked_mul(step).unwrap_or(DYNAMIC),
        _ => DYNAMIC,
    };
    source.iter().zip(steps).map(span).collect()
}

/// Source dimensions that remain in a view: those that are not dropped unit
/// ones. Where several unit dimensions might be the one that stays, the static
/// strides, `spans` along the source's dimensions, tell them apart. `None` when
/// the ranks cannot be matched.
fn kept_dims(
    ctx: &Context,
    view: &MemRefType,
    sizes: &[Extent],
    spans: &[i64],
) -> Option<Vec<usize>> {
    let rank = view.rank();
    if rank == sizes.len() {
        return Some((0..rank).collect());
    }
    let strides = view.strided_form(ctx).map(|(_, strides)| strides);
    let mut kept = Vec::new();
    for (dim, size) in sizes.iter().enumerate() {
        let wanted = view.shape.get(kept.len()).copied();
        let left = sizes.len() - dim;
        let needed = rank - kept.len();
        let fits = match (*size, wanted) {
            (_, None) => false,
            (Extent::Known(known), Some(wanted)) => known == wanted,
            (Extent::Reg(_), Some(wanted)) => wanted == DYNAMIC,
        };
        let stride = strides.as_ref().and_then(|all| all.get(kept.len()));
        let contradicts = match (spans.get(dim), stride) {
            (Some(&span), Some(&stride)) => span != stride && ![span, stride].contains(&DYNAMIC),
            _ => false,
        };
        // A unit dimension that also fits is kept only when it has to be.
        let droppable = *size == Extent::Known(1) && left > needed;
        if fits && !(droppable && (wanted != Some(1) || contradicts)) {
            kept.push(dim);
        } else if *size != Extent::Known(1) {
            return None;
        }
    }
    (kept.len() == rank).then_some(kept)
}
