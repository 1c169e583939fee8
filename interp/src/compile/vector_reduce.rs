//! Compiler of `vector` reductions and products.

use super::shape::each_index;
use super::*;
use crate::code::Reg;
use crate::scalar::{Accumulate, FloatOp, IntOp};
use gridloom_dialects::inherent;
use gridloom_dialects::vector::{self, row_major_strides};
use gridloom_ir::affine::AffineExprKind;

/// The most products of a contraction: each is an instruction.
const MAX_PRODUCTS: usize = 1 << 18;

impl FunctionCompiler<'_, '_> {
    pub(super) fn vector_reduce(&mut self, op: OpId) -> Compiled<bool> {
        match self.body[op].name {
            vector::REDUCTION => self.reduction(op)?,
            vector::MULTI_REDUCTION => self.multi_reduction(op)?,
            vector::OUTERPRODUCT => self.outerproduct(op)?,
            vector::CONTRACT => self.contract(op)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Combining function of the current operation; addition where it names none.
    fn combining(&mut self, kind: ScalarKind) -> Compiled<Accumulate> {
        let name = match self.current.get(self.ctx, inherent::COMBINING_KIND) {
            Some(attr) => vector::combining_kind(self.ctx, attr),
            None => Some("add"),
        };
        self.combining_by(name, kind)
    }

    /// The combining function with this keyword on elements of this kind.
    pub(super) fn combining_by(
        &mut self,
        name: Option<&str>,
        kind: ScalarKind,
    ) -> Compiled<Accumulate> {
        let float = !matches!(kind, ScalarKind::Int(_));
        let found = name.and_then(|name| Accumulate::from_keyword(name, float));
        match found {
            Some(kind) => Ok(kind),
            None => self.error("the elements cannot be combined in this way"),
        }
    }

    /// Compiles a reduction: combines the initial value, if there is one, and the elements from
    /// first to last.
    fn reduction(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let source = self.lanes(data.operands[0])?;
        let how = self.combining(source.kind)?;
        let mut regs = source.regs.into_iter();
        let mut sum = match data.operands.get(1) {
            Some(&initial) => Some(self.scalar(initial)?),
            None => regs.next(),
        };
        for reg in regs {
            sum = sum.map(|sum| self.combined(how, source.kind, sum, reg));
        }
        match sum {
            Some(sum) => self.set_lanes(data.result(0), &[sum]),
            None => self.error("a vector without elements has no reduction"),
        }
    }

    fn multi_reduction(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let source = self.lanes(data.operands[0])?;
        let how = self.combining(source.kind)?;
        let reduced = self.get(inherent::REDUCTION_DIMS)?;
        let reduced = reduced.unwrap_or_default();
        let kept: Vec<usize> = (0..source.shape.len())
            .filter(|&dim| !reduced.contains(&(dim as i64)))
            .collect();
        let extents: Vec<usize> = kept.iter().map(|&dim| source.shape[dim]).collect();
        let strides = row_major_strides(&extents);
        let mut into = Vec::new();
        each_index(&source.shape, |index| {
            let parts = kept.iter().zip(&strides);
            into.push(
                parts
                    .map(|(&dim, stride)| index[dim] * stride)
                    .sum::<usize>(),
            );
        });
        let mut regs = self.lanes(data.operands[1])?.regs;
        for (at, reg) in into.into_iter().zip(source.regs) {
            regs[at] = self.combined(how, source.kind, regs[at], reg);
        }
        self.set_lanes(data.result(0), &regs)
    }

    /// `a * b` combined into `acc`; a sum of floats is one fused operation, as upstream
    /// lowers it.
    fn multiplied(&mut self, how: Accumulate, kind: ScalarKind, acc: Reg, a: Reg, b: Reg) -> Reg {
        if let Accumulate::Float(FloatOp::Add) = how {
            let dst = self.scalar_register();
            self.emit(Instr::Fma {
                kind,
                dst,
                a,
                b,
                c: acc,
            });
            return dst;
        }
        let product = self.product(kind, a, b);
        self.combined(how, kind, acc, product)
    }

    fn product(&mut self, kind: ScalarKind, a: Reg, b: Reg) -> Reg {
        let times = match kind {
            ScalarKind::Int(_) => Accumulate::Int(IntOp::Mul),
            _ => Accumulate::Float(FloatOp::Mul),
        };
        self.combined(times, kind, a, b)
    }

    fn outerproduct(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let (lhs, rhs) = (self.lanes(data.operands[0])?, self.lanes(data.operands[1])?);
        let how = self.combining(lhs.kind)?;
        let acc = match data.operands.get(2) {
            Some(&acc) => Some(self.lanes(acc)?.regs),
            None => None,
        };
        let mut regs = Vec::new();
        for &a in &lhs.regs {
            for &b in &rhs.regs {
                regs.push(match &acc {
                    Some(acc) => self.multiplied(how, lhs.kind, acc[regs.len()], a, b),
                    None => self.product(lhs.kind, a, b),
                });
            }
        }
        self.set_lanes(data.result(0), &regs)
    }

    fn contract(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        if data.operands.len() > 3 {
            return self.error("the interpreter does not mask contractions");
        }
        let [lhs, rhs, acc] = [0, 1, 2].map(|index| data.operands[index]);
        let (lhs, rhs, acc) = (self.lanes(lhs)?, self.lanes(rhs)?, self.lanes(acc)?);
        if lhs.kind != acc.kind || rhs.kind != acc.kind {
            return self.error("the interpreter contracts elements of one type only");
        }
        let how = self.combining(acc.kind)?;
        let maps = self.get(inherent::INDEXING_MAPS)?;
        let maps: Vec<AffineMap> = maps
            .unwrap_or_default()
            .iter()
            .filter_map(|map| map.as_map(self.ctx))
            .collect();
        let [lhs_map, rhs_map, acc_map] = maps[..] else {
            return self.error("a contraction has three maps");
        };
        let Some(lhs_dims) = self.dims_of(lhs_map) else {
            return self.error("the maps of a contraction are projected permutations");
        };
        let (Some(rhs_dims), Some(acc_dims)) = (self.dims_of(rhs_map), self.dims_of(acc_map))
        else {
            return self.error("the maps of a contraction are projected permutations");
        };
        let mut extents = vec![1; lhs_map.num_dims(self.ctx)];
        for (dims, shape) in [(&lhs_dims, &lhs.shape), (&rhs_dims, &rhs.shape)] {
            for (&dim, &size) in dims.iter().zip(shape) {
                extents[dim] = size;
            }
        }
        let products = extents
            .iter()
            .fold(1usize, |n, &size| n.saturating_mul(size));
        if products > MAX_PRODUCTS {
            return self.error(format!(
                "the interpreter does not run contractions of more than {MAX_PRODUCTS} products"
            ));
        }
        let at = |dims: &[usize], shape: &[usize], point: &[usize]| -> usize {
            let parts = dims.iter().zip(row_major_strides(shape));
            parts.map(|(&dim, stride)| point[dim] * stride).sum()
        };
        let mut steps = Vec::new();
        each_index(&extents, |point| {
            steps.push((
                at(&lhs_dims, &lhs.shape, point),
                at(&rhs_dims, &rhs.shape, point),
                at(&acc_dims, &acc.shape, point),
            ));
        });
        let mut regs = acc.regs;
        for (a, b, c) in steps {
            regs[c] = self.multiplied(how, acc.kind, regs[c], lhs.regs[a], rhs.regs[b]);
        }
        self.set_lanes(data.result(0), &regs)
    }

    /// The dimension that each result of a map is; `None` where some result is no dimension.
    fn dims_of(&self, map: AffineMap) -> Option<Vec<usize>> {
        let results = map.results(self.ctx).iter();
        results
            .map(|expr| match expr.kind(self.ctx) {
                AffineExprKind::Dim(dim) => Some(dim as usize),
                _ => None,
            })
            .collect()
    }
}
