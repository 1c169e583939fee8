//! Generation of allocations and their layouts.

use super::{Generator, MemVar, Role};
use crate::affine::Expr;
use crate::program::{At, Block, Bound, Op, Step, Var};
use crate::types::{Layout, MemType, Scalar, Type};

impl Generator {
    /// Draws a layout for an allocation of these sizes.
    pub(super) fn fresh_layout(&mut self, sizes: &[i64]) -> Layout {
        let rank = sizes.len();
        if rank == 0 || !self.random.chance(14) {
            return Layout::Identity;
        }
        let unit = |dim: usize| (0..rank).map(|k| i64::from(k == dim)).collect::<Vec<i64>>();
        if self.random.chance(40) {
            let mut strides = vec![Some(1); rank];
            let mut stride = self.random.between(1, 2);
            for dim in (0..rank).rev() {
                strides[dim] = Some(stride);
                stride *= sizes[dim].max(1) + self.random.between(0, 1);
            }
            return Layout::Strided {
                offset: Some(self.random.between(0, 2)),
                strides,
            };
        }
        Layout::Map(match self.random.below(3) {
            // Transposed layout.
            0 => (0..rank).rev().map(|dim| (unit(dim), 0)).collect(),
            // Every second element, after a gap.
            1 => (0..rank)
                .map(|dim| {
                    let factor = if dim + 1 == rank { 2 } else { 1 };
                    (
                        unit(dim).iter().map(|k| k * factor).collect(),
                        i64::from(dim + 1 == rank),
                    )
                })
                .collect(),
            // Linearized by hand.
            _ => {
                let mut factors = vec![1; rank];
                for dim in (1..rank).rev() {
                    factors[dim - 1] = factors[dim] * sizes[dim].max(1);
                }
                vec![(factors, 0)]
            }
        })
    }

    /// Draws sizes of an array of one to three dimensions.
    pub(super) fn fresh_sizes(&mut self) -> Vec<i64> {
        let extent = self.extent;
        match self.random.below(20) {
            0 => vec![],
            1 => vec![0, 3],
            2 => vec![2, 3, 4],
            3..6 => vec![4, extent],
            6 => vec![extent, 3],
            7 => vec![1, extent],
            8..10 => vec![extent + 3],
            _ => vec![extent],
        }
    }

    /// Emits an allocation that is initialized, and freed at the end or not.
    pub(super) fn allocation(&mut self) {
        if self.random.chance(12) {
            return self.byte_buffer();
        }
        let sizes = self.fresh_sizes();
        let element = self.any_scalar();
        let layout = self.fresh_layout(&sizes);
        let opens = matches!(layout, Layout::Identity) && self.random.chance(30);
        let (mut shape, mut dynamic) = (Vec::new(), Vec::new());
        for &size in &sizes {
            if opens && self.random.chance(60) {
                dynamic.push(self.index(size));
                shape.push(None);
            } else {
                shape.push(Some(size));
            }
        }
        let ty = MemType {
            element,
            shape: Some(shape),
            layout,
            space: 0,
        };
        let stack = self.random.chance(35);
        let var = self.allocate(ty, sizes, dynamic, stack);
        if !stack && self.depth > 0 && self.random.chance(60) {
            // No use may follow the deallocation.
            let mem = self.mems.pop();
            self.mems.extend(mem.clone());
            self.store();
            self.emit(Op::Dealloc(var), Vec::new());
            self.mems.retain(|known| known.var != var);
        }
    }

    fn allocate(&mut self, ty: MemType, sizes: Vec<i64>, dynamic: Vec<Var>, stack: bool) -> Var {
        let op = Op::Alloc {
            sizes: dynamic,
            stack,
        };
        let var = self.emit(op, vec![Type::MemRef(ty.clone())])[0];
        let mem = MemVar {
            var,
            ty,
            sizes,
            writable: true,
        };
        if self.random.chance(94) {
            self.fill(&mem);
        }
        self.mems.push(mem);
        var
    }

    /// Emits a nest that writes every element.
    fn fill(&mut self, mem: &MemVar) {
        let value = self.value(mem.ty.element, 0);
        let mut ivs = Vec::new();
        for &size in &mem.sizes {
            ivs.push(self.program.var(Type::Scalar(Scalar::Index)));
            // The stored values get a known range.
            self.scalars.push(super::ScalarVar {
                var: ivs[ivs.len() - 1],
                ty: Scalar::Index,
                role: Role::Plain,
                low: 0,
                high: (size - 1).max(0),
            });
        }
        let known = self.scalars.len() - ivs.len();
        self.scalars.truncate(known);
        let at = At::Affine(ivs.iter().map(|&iv| Expr::Dim(iv)).collect());
        let store = Op::Store {
            value,
            mem: mem.var,
            at,
        };
        let mut inner = self.program.stmt(Vec::new(), store);
        for (&iv, &size) in ivs.iter().zip(&mem.sizes).rev() {
            let op = Op::For {
                affine: true,
                iv,
                lower: Bound::Affine(vec![Expr::Const(0)]),
                upper: Bound::Affine(vec![Expr::Const(size)]),
                step: Step::Known(1),
                carried: Vec::new(),
                body: Block {
                    stmts: vec![inner],
                    yields: Vec::new(),
                },
            };
            inner = self.program.stmt(Vec::new(), op);
        }
        self.out.push(inner);
    }

    /// Emits a byte buffer, and views of it as elements.
    fn byte_buffer(&mut self) {
        let bytes = 64;
        let buffer = self.allocate(
            MemType::of(Scalar::I8, &[bytes]),
            vec![bytes],
            Vec::new(),
            false,
        );
        self.byte_views(buffer, bytes);
    }

    /// Emits one or two views of a buffer of so many bytes as elements.
    pub(super) fn byte_views(&mut self, buffer: Var, bytes: i64) {
        let element = match self.preferred_element {
            Scalar::I1 | Scalar::Index => Scalar::I32,
            element => element,
        };
        let size = element.bytes() as i64;
        for _ in 0..1 + self.random.below(2) {
            let count = self.random.between(1, bytes / size / 2);
            let shift = self.random.between(0, bytes / size - count) * size;
            let shift = self.index(shift);
            let (shape, sizes) = if self.random.chance(40) {
                (vec![None], vec![self.index(count)])
            } else {
                (vec![Some(count)], Vec::new())
            };
            let ty = MemType {
                element,
                shape: Some(shape),
                layout: Layout::Identity,
                space: 0,
            };
            let op = Op::ByteView {
                mem: buffer,
                shift,
                sizes,
            };
            let var = self.emit(op, vec![Type::MemRef(ty.clone())])[0];
            self.mems.push(MemVar {
                var,
                ty,
                sizes: vec![count],
                writable: true,
            });
        }
    }
}
