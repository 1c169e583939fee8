//! Generation of views, size queries and copies.

use super::{Generator, MemVar, Role};
use crate::program::{Mixed, Op, Var};
use crate::types::{Layout, MemType, Scalar, Type};

/// Offset and strides of a type, where static.
fn placement(ty: &MemType) -> Option<(Option<i64>, Vec<Option<i64>>)> {
    match &ty.layout {
        Layout::Strided { offset, strides } => Some((*offset, strides.clone())),
        Layout::Identity => {
            let shape = ty.shape.as_ref()?;
            let mut strides = vec![Some(1); shape.len()];
            for dim in (1..shape.len()).rev() {
                strides[dim - 1] = strides[dim].zip(shape[dim]).map(|(a, b)| a * b);
            }
            Some((Some(0), strides))
        }
        Layout::Map(_) => None,
    }
}

impl Generator {
    /// Emits a view of existing memory, or another memory operation.
    pub(super) fn view(&mut self) {
        let kind = self.random.below(10);
        // Two-dimensional memrefs are rare; a transposition, and mostly a collapse, need one.
        let rank = match kind {
            6 => 2,
            7 if self.random.chance(60) => 2,
            _ => 0,
        };
        let Some(mem) = self.any_mem(rank) else {
            return;
        };
        match kind {
            0..3 => self.subview(&mem),
            3..5 => self.mem_cast(&mem),
            5 => self.reinterpret(&mem),
            6 => self.transpose(&mem),
            7 => self.regroup(&mem),
            8 => self.dim(&mem),
            _ => self.copy(&mem),
        }
    }

    /// Chooses a memref of at least `rank` dimensions.
    fn any_mem(&mut self, rank: usize) -> Option<MemVar> {
        let ranked: Vec<MemVar> = self
            .mems
            .iter()
            .filter(|mem| !mem.ty.is_unranked() && mem.sizes.len() >= rank)
            .cloned()
            .collect();
        (!ranked.is_empty()).then(|| self.random.pick(&ranked).clone())
    }

    fn new_view(&mut self, of: &MemVar, op: Op, ty: MemType, sizes: Vec<i64>) -> Var {
        let var = self.emit(op, vec![Type::MemRef(ty.clone())])[0];
        self.mems.push(MemVar {
            var,
            ty,
            sizes,
            writable: of.writable,
        });
        var
    }

    fn subview(&mut self, mem: &MemVar) {
        // The verifier accepts no offset into an empty memref.
        let Some((offset, strides)) = placement(&mem.ty).filter(|_| !mem.sizes.contains(&0)) else {
            return;
        };
        let rank = mem.sizes.len();
        let (mut offsets, mut sizes, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        let (mut shape, mut least) = (Vec::new(), Vec::new());
        let mut start = offset;
        let mut by = Vec::new();
        for (&size, &stride) in mem.sizes.iter().zip(&strides) {
            let step = if self.random.chance(20) { 2 } else { 1 };
            let at = self.random.between(0, (size / 3).max(0));
            let room = ((size - at + step - 1) / step).max(0);
            let count = if self.random.chance(20) {
                room.min(1)
            } else {
                (room - self.random.between(0, 2)).max(room.min(1))
            };
            let (at_text, known_at) = self.mixed(at);
            let (count_text, known_count) = self.mixed(count);
            offsets.push(at_text);
            sizes.push(count_text);
            steps.push(Mixed::Known(step));
            let before = start;
            start = start
                .zip(known_at)
                .zip(stride)
                .map(|((start, at), stride)| start + at * stride);
            if known_at == Some(0) {
                // The stride of an empty dimension does not matter.
                start = before;
            }
            by.push(stride.map(|stride| stride * step));
            shape.push(known_count);
            least.push(count);
        }
        let drops = self.random.chance(40);
        let kept: Vec<bool> = shape
            .iter()
            .map(|&size| !(drops && size == Some(1)))
            .collect();
        let keep = |dim: &usize| kept[*dim];
        let ty = MemType {
            element: mem.ty.element,
            shape: Some((0..rank).filter(keep).map(|dim| shape[dim]).collect()),
            layout: Layout::Strided {
                offset: start,
                strides: (0..rank).filter(keep).map(|dim| by[dim]).collect(),
            },
            space: 0,
        };
        let least = (0..rank).filter(keep).map(|dim| least[dim]).collect();
        let op = Op::SubView {
            mem: mem.var,
            offsets,
            sizes,
            strides: steps,
            kept: kept.clone(),
        };
        self.new_view(mem, op, ty, least);
    }

    /// A number as a constant, or as an opaque value.
    fn mixed(&mut self, value: i64) -> (Mixed, Option<i64>) {
        if self.random.chance(80) {
            return (Mixed::Known(value), Some(value));
        }
        let fits = |known: &&super::ScalarVar| {
            known.ty == Scalar::Index && known.low == value && known.high == value
        };
        let var = match self.scalars.iter().find(fits) {
            Some(known) => known.var,
            None => self.index(value),
        };
        (Mixed::Value(var), None)
    }

    /// `memref.cast`, to open sizes or layouts, or to an unranked memref and back.
    fn mem_cast(&mut self, mem: &MemVar) {
        if matches!(mem.ty.layout, Layout::Map(_)) {
            return;
        }
        let rank = mem.sizes.len();
        if self.random.chance(40) {
            let unranked = MemType {
                element: mem.ty.element,
                shape: None,
                layout: Layout::Identity,
                space: 0,
            };
            let op = Op::MemCast(mem.var);
            let var = self.emit(op, vec![Type::MemRef(unranked)])[0];
            self.new_view(mem, Op::MemCast(var), mem.ty.clone(), mem.sizes.clone());
            return;
        }
        let ty = match &mem.ty.layout {
            Layout::Identity if self.random.chance(50) => MemType {
                shape: Some(vec![None; rank]),
                ..mem.ty.clone()
            },
            _ => MemType {
                shape: Some(vec![None; rank]),
                layout: Layout::Strided {
                    offset: None,
                    strides: vec![None; rank],
                },
                ..mem.ty.clone()
            },
        };
        self.new_view(mem, Op::MemCast(mem.var), ty, mem.sizes.clone());
    }

    fn reinterpret(&mut self, mem: &MemVar) {
        let count: i64 = mem.sizes.iter().product();
        if mem.ty.layout != Layout::Identity || count < 2 {
            return;
        }
        let offset = self.random.between(0, count / 3);
        let stride = self.random.between(1, 2);
        let columns = ((count - offset) / 2 / stride).clamp(1, 6);
        let rows = (count - offset) / (columns * stride);
        let row = columns * stride;
        if rows < 1 {
            return;
        }
        let (offset, known) = self.mixed(offset);
        let ty = MemType {
            element: mem.ty.element,
            shape: Some(vec![Some(rows), Some(columns)]),
            layout: Layout::Strided {
                offset: known,
                strides: vec![Some(row), Some(stride)],
            },
            space: 0,
        };
        let op = Op::Reinterpret {
            mem: mem.var,
            offset,
            sizes: vec![Mixed::Known(rows), Mixed::Known(columns)],
            strides: vec![Mixed::Known(row), Mixed::Known(stride)],
        };
        self.new_view(mem, op, ty, vec![rows, columns]);
    }

    fn transpose(&mut self, mem: &MemVar) {
        let rank = mem.sizes.len();
        let Some((offset, strides)) = placement(&mem.ty).filter(|_| rank > 1) else {
            return;
        };
        let order: Vec<usize> = (0..rank).rev().collect();
        let shape = mem.ty.shape.clone().unwrap_or_default();
        let ty = MemType {
            element: mem.ty.element,
            shape: Some(order.iter().map(|&dim| shape[dim]).collect()),
            layout: Layout::Strided {
                offset,
                strides: order.iter().map(|&dim| strides[dim]).collect(),
            },
            space: 0,
        };
        let sizes = order.iter().map(|&dim| mem.sizes[dim]).collect();
        let op = Op::Transpose {
            mem: mem.var,
            order,
        };
        self.new_view(mem, op, ty, sizes);
    }

    /// `memref.collapse_shape` of all dimensions, or `memref.expand_shape` of one into two.
    fn regroup(&mut self, mem: &MemVar) {
        let Some(sizes) = mem
            .ty
            .known_sizes()
            .filter(|_| mem.ty.layout == Layout::Identity)
        else {
            return;
        };
        match sizes[..] {
            [] => {}
            [count] if count % 2 == 0 && count > 0 => {
                let parts = vec![count / 2, 2];
                let ty = MemType::of(mem.ty.element, &parts);
                let op = Op::Expand {
                    mem: mem.var,
                    groups: vec![vec![0, 1]],
                    sizes: parts.clone(),
                };
                self.new_view(mem, op, ty, parts);
            }
            [_] => {}
            _ => {
                let count = sizes.iter().product();
                let op = Op::Collapse {
                    mem: mem.var,
                    groups: vec![(0..sizes.len()).collect()],
                };
                let ty = MemType::of(mem.ty.element, &[count]);
                self.new_view(mem, op, ty, vec![count]);
            }
        }
    }

    fn dim(&mut self, mem: &MemVar) {
        if mem.sizes.is_empty() {
            return;
        }
        let which = self.random.below(mem.sizes.len());
        let dim = self.index(which as i64);
        let size = mem.sizes[which];
        let var = self.scalar(Op::Dim { mem: mem.var, dim }, Scalar::Index);
        self.bound(var, size, size);
        if self.depth > 0
            && let Some(known) = self.scalars.last_mut()
        {
            known.role = Role::Plain;
        }
    }

    fn copy(&mut self, mem: &MemVar) {
        let fits = |other: &&MemVar| {
            other.writable
                && other.var != mem.var
                && !other.ty.is_unranked()
                && other.ty.element == mem.ty.element
                && other.sizes == mem.sizes
        };
        let targets: Vec<Var> = self
            .mems
            .iter()
            .filter(fits)
            .map(|other| other.var)
            .collect();
        if !targets.is_empty() {
            let to = *self.random.pick(&targets);
            self.emit(Op::Copy { from: mem.var, to }, Vec::new());
        }
    }
}
