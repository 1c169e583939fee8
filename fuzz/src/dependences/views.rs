//! Tracing of allocations, deallocations and views.

use std::rc::Rc;

use gridloom::dialects::memref;
use gridloom::ir::affine::AffineExprKind;
use gridloom::ir::attr::AttrKind;
use gridloom::ir::body::OpData;
use gridloom::ir::scalar::ScalarKind;
use gridloom::ir::types::DYNAMIC;
use gridloom::ir::{Attr, Type, TypeKind, Value};

use super::Untraced;
use super::machine::{Frame, Held, Machine};
use super::term::Datum;
use crate::eval::{Access, View, subscripts};
use crate::types::{Layout, MemType, Scalar};

/// The number, unless it is dynamic.
fn known(value: i64) -> Option<i64> {
    (value != DYNAMIC).then_some(value)
}

impl<'m> Machine<'m> {
    /// The memref type in terms of the fuzzer's own memory.
    pub fn mem_type(&self, ty: Type) -> Result<MemType, Untraced> {
        let Some(memref) = ty.memref(self.ctx) else {
            let TypeKind::UnrankedMemRef { element, .. } = ty.kind(self.ctx) else {
                return Err("a memref type was expected".to_owned());
            };
            return Ok(MemType {
                element: self.scalar_type(*element)?,
                shape: None,
                layout: Layout::Identity,
                space: 0,
            });
        };
        let rank = memref.rank();
        let layout = match memref.layout.map(|layout| layout.kind(self.ctx)) {
            None => Layout::Identity,
            Some(AttrKind::Strided { offset, strides }) => Layout::Strided {
                offset: known(*offset),
                strides: strides.iter().map(|&stride| known(stride)).collect(),
            },
            Some(_) => self.linear(memref.layout, rank)?,
        };
        Ok(MemType {
            element: self.scalar_type(memref.element)?,
            shape: Some(memref.shape.iter().map(|&size| known(size)).collect()),
            layout,
            space: 0,
        })
    }

    /// Layout of a linear layout map.
    fn linear(&self, layout: Option<Attr>, rank: usize) -> Result<Layout, Untraced> {
        let map = layout.and_then(|layout| layout.as_map(self.ctx));
        let map = map.filter(|map| map.num_inputs(self.ctx) == rank);
        let map = map.ok_or("a layout that is no map of the dimensions")?;
        let at = |place: &[i64]| map.eval(self.ctx, place).ok_or("a layout without a value");
        let origin = at(&vec![0; rank])?;
        let mut results: Vec<(Vec<i64>, i64)> =
            origin.iter().map(|&value| (Vec::new(), value)).collect();
        for dim in 0..rank {
            // A layout with quotients is not linear: it differs at one of these points.
            let mut place = vec![0; rank];
            place[dim] = 1;
            let first = at(&place)?;
            place[dim] = 977;
            let far = at(&place)?;
            for (k, result) in results.iter_mut().enumerate() {
                let factor = first[k] - result.1;
                if far[k] - result.1 != 977 * factor {
                    return Err("a layout that is not linear".to_owned());
                }
                result.0.push(factor);
            }
        }
        Ok(Layout::Map(results))
    }

    fn scalar_type(&self, ty: Type) -> Result<Scalar, Untraced> {
        Ok(match self.kind(ty)? {
            _ if self.element(ty) != ty => return Err("a memref of vectors".to_owned()),
            ScalarKind::Int(1) => Scalar::I1,
            ScalarKind::Int(8) => Scalar::I8,
            ScalarKind::Int(16) => Scalar::I16,
            ScalarKind::Int(32) => Scalar::I32,
            ScalarKind::Int(64) => Scalar::I64,
            ScalarKind::F16 => Scalar::F16,
            ScalarKind::BF16 => Scalar::BF16,
            ScalarKind::F32 => Scalar::F32,
            ScalarKind::F64 => Scalar::F64,
            _ => return Err("an element type of another width".to_owned()),
        })
    }

    /// Allocates memory of a type, with dynamic sizes from `sizes`.
    pub fn fresh(&mut self, ty: Type, sizes: &[i64]) -> Result<Rc<View>, Untraced> {
        let ty = self.mem_type(ty)?;
        let mut open = sizes.iter();
        let shape = ty.shape.clone().ok_or("an allocation without a rank")?;
        let sizes = shape
            .into_iter()
            .map(|size| size.or_else(|| open.next().copied()));
        let sizes: Option<Vec<i64>> = sizes.collect();
        Ok(Rc::new(
            self.memory
                .allocate(&ty, sizes.ok_or("a size is missing")?)?,
        ))
    }

    /// Reads static numbers, with dynamic ones from operands.
    fn mixed(
        &self,
        frame: &Frame<'m>,
        data: &OpData,
        name: &str,
        open: &[Value],
    ) -> Result<Vec<i64>, Untraced> {
        let numbers = self
            .attr(data, name)?
            .as_i64_array(self.ctx)
            .unwrap_or_default();
        let mut open = open.iter();
        let value = |number| match known(number) {
            Some(number) => Ok(number),
            None => frame.int(*open.next().ok_or("an operand is missing")?),
        };
        numbers.into_iter().map(value).collect()
    }

    /// Traces allocations, views and size queries.
    pub fn views(&mut self, frame: &mut Frame<'m>, data: &'m OpData) -> Result<(), Untraced> {
        let operands = &data.operands;
        let view = match data.name {
            memref::ALLOC | memref::ALLOCA => {
                let open = frame.ints(self.groups(data)?.first().copied().unwrap_or(&[]))?;
                self.fresh(frame.body.ty(data.result(0)), &open)?
            }
            memref::DEALLOC => return Ok(self.memory.free(&*frame.view(operands[0])?)?),
            memref::DIM => {
                let view = frame.view(operands[0])?;
                let dim = usize::try_from(frame.int(operands[1])?).unwrap_or(usize::MAX);
                let size = view.sizes.get(dim).ok_or("a dimension it has not")?;
                frame.set(data.result(0), Held::scalar(Datum::known(*size as u64)));
                return Ok(());
            }
            memref::DISTINCT_OBJECTS => {
                let views = frame.all(operands)?;
                self.set_results(frame, data, views);
                return Ok(());
            }
            memref::EXTRACT_STRIDED_METADATA => {
                let view = frame.view(operands[0])?;
                let (offset, strides) = view.layout();
                let numbers = [offset]
                    .into_iter()
                    .chain(view.sizes.iter().copied())
                    .chain(strides);
                let numbers = numbers.map(|number| Held::scalar(Datum::known(number as u64)));
                let base = view.reinterpreted(0, Vec::new(), Vec::new());
                let all = [Held::View(Rc::new(base))]
                    .into_iter()
                    .chain(numbers)
                    .collect();
                self.set_results(frame, data, all);
                return Ok(());
            }
            memref::EXTRACT_ALIGNED_POINTER_AS_INDEX => {
                let address = frame.view(operands[0])?.address();
                frame.set(data.result(0), Held::scalar(Datum::known(address)));
                return Ok(());
            }
            memref::CAST | memref::MEMORY_SPACE_CAST | memref::ASSUME_ALIGNMENT => {
                frame.view(operands[0])?
            }
            memref::GET_GLOBAL => self.global(data)?,
            memref::SUBVIEW | memref::REINTERPRET_CAST => self.strided(frame, data)?,
            memref::VIEW => {
                let source = frame.view(operands[0])?;
                let ty = self.mem_type(frame.body.ty(data.result(0)))?;
                let mut open = frame.ints(&operands[2..])?.into_iter();
                let shape = ty.shape.iter().flatten();
                let sizes: Option<Vec<i64>> =
                    shape.map(|size| size.or_else(|| open.next())).collect();
                let sizes = sizes.ok_or("a size is missing")?;
                Rc::new(
                    self.memory
                        .as_elements(&source, frame.int(operands[1])?, &ty, sizes)?,
                )
            }
            memref::TRANSPOSE => {
                let map = self.attr(data, "permutation")?.as_map(self.ctx);
                let map = map.ok_or("a permutation was expected")?;
                let dims = map
                    .results(self.ctx)
                    .iter()
                    .map(|expr| match expr.kind(self.ctx) {
                        AffineExprKind::Dim(dim) => Ok(dim as usize),
                        _ => Err("a permutation was expected".to_owned()),
                    });
                let dims: Vec<usize> = dims.collect::<Result<_, _>>()?;
                Rc::new(frame.view(operands[0])?.transposed(&dims))
            }
            memref::COLLAPSE_SHAPE | memref::EXPAND_SHAPE => self.regrouped(frame, data)?,
            _ => return Err(self.unknown(data)),
        };
        frame.set(data.result(0), Held::View(view));
        Ok(())
    }

    fn strided(&self, frame: &Frame<'m>, data: &'m OpData) -> Result<Rc<View>, Untraced> {
        let source = frame.view(data.operands[0])?;
        let groups = self.groups(data)?;
        let [_, offsets, sizes, strides] = groups[..] else {
            return Err(self.unknown(data));
        };
        let offsets = self.mixed(frame, data, "static_offsets", offsets)?;
        let fixed = self
            .attr(data, "static_sizes")?
            .as_i64_array(self.ctx)
            .unwrap_or_default();
        let sizes = self.mixed(frame, data, "static_sizes", sizes)?;
        let strides = self.mixed(frame, data, "static_strides", strides)?;
        if data.name == memref::REINTERPRET_CAST {
            let offset = offsets.first().copied().unwrap_or(0);
            return Ok(Rc::new(source.reinterpreted(offset, sizes, strides)));
        }
        let rank = self.mem_type(frame.body.ty(data.result(0)))?.rank();
        // Of several unit dimensions it may matter which ones are dropped, as strides would show.
        let units = fixed.iter().filter(|&&size| size == 1).count();
        let dropped = sizes.len() - rank;
        if dropped != 0 && dropped != units {
            return Err("a view that drops one of several unit dimensions".to_owned());
        }
        let kept: Vec<bool> = fixed
            .iter()
            .map(|&size| dropped == 0 || size != 1)
            .collect();
        let view = source.sub(&offsets, &sizes, &strides, &kept);
        Ok(Rc::new(view.map_err(|undefined| undefined.why.to_owned())?))
    }

    fn regrouped(&self, frame: &Frame<'m>, data: &'m OpData) -> Result<Rc<View>, Untraced> {
        let source = frame.view(data.operands[0])?;
        let groups = self.attr(data, "reassociation")?;
        let groups = groups
            .as_array(self.ctx)
            .unwrap_or(&[])
            .iter()
            .map(|group| {
                let dims = group.as_array(self.ctx).unwrap_or(&[]).iter();
                dims.filter_map(|dim| usize::try_from(dim.as_i64(self.ctx)?).ok())
                    .collect()
            });
        let groups: Vec<Vec<usize>> = groups.collect();
        let view = if data.name == memref::COLLAPSE_SHAPE {
            source.collapsed(&groups)?
        } else {
            let sizes = self.mixed(frame, data, "static_output_shape", &data.operands[1..])?;
            source.expanded(&groups, &sizes)?
        };
        Ok(Rc::new(view))
    }

    fn global(&mut self, data: &OpData) -> Result<Rc<View>, Untraced> {
        let name = self.attr(data, "name")?.as_flat_symbol(self.ctx);
        let name = name.ok_or("a global without a name")?;
        if let Some(view) = self.globals.get(&name) {
            return Ok(view.clone());
        }
        let global = self
            .function(self.ctx.str(name))
            .ok_or("the global is missing")?;
        let ty = self
            .attr(global, "type")?
            .as_type(self.ctx)
            .ok_or("a global without a type")?;
        let view = self.fresh(ty, &[])?;
        let element = ty.memref(self.ctx).map(|memref| memref.element);
        let kind = self.kind(element.ok_or("a global that is no memref")?)?;
        let value = self.attr(global, "initial_value")?;
        if !matches!(value.kind(self.ctx), AttrKind::Unit) {
            let values = self.constants(value, kind)?;
            let watches = std::mem::take(&mut self.watches);
            for (at, &bits) in subscripts(&view.sizes).iter().zip(values.iter().cycle()) {
                // Passes may find that nothing writes a global, and fold its elements.
                self.write(&view, at, Datum::known(bits), Access::Write)?;
            }
            self.watches = watches;
        }
        self.globals.insert(name, view.clone());
        Ok(view)
    }
}
