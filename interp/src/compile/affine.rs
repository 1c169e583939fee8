//! Compiler of `affine`: maps become integer arithmetic, loops counted loops.

use super::*;
use crate::scalar::{IntOp, IntPredicate};
use gridloom_dialects::inherent;
use gridloom_ir::AffineExpr;
use gridloom_ir::affine::{AffineExprKind, AffineOp};

impl FunctionCompiler<'_, '_> {
    pub(super) fn affine(&mut self, op: OpId) -> Compiled<bool> {
        let data = &self.body[op];
        match data.name {
            affine_ops::APPLY => {
                let results = self.applied(inherent::MAP, &data.operands)?;
                let slot = Slot::Scalar(results[0], ScalarKind::Int(64));
                self.slots[data.result(0).index()] = Some(slot);
            }
            affine_ops::MIN => self.extremum(op, IntOp::MinS)?,
            affine_ops::MAX => self.extremum(op, IntOp::MaxS)?,
            affine_ops::LOAD => {
                let index = self.applied(inherent::MAP, &data.operands[1..])?;
                self.load(data.operands[0], &index, data.result(0))?;
            }
            affine_ops::STORE => {
                let index = self.applied(inherent::MAP, &data.operands[2..])?;
                self.store(data.operands[0], data.operands[1], &index)?;
            }
            affine_ops::VECTOR_LOAD => {
                let index = self.applied(inherent::MAP, &data.operands[1..])?;
                self.vector_load(data.operands[0], &index, data.result(0))?;
            }
            affine_ops::VECTOR_STORE => {
                let index = self.applied(inherent::MAP, &data.operands[2..])?;
                self.vector_store(data.operands[0], data.operands[1], &index)?;
            }
            affine_ops::FOR => self.affine_for(op)?,
            affine_ops::IF => self.affine_if(op)?,
            affine_ops::PARALLEL => self.affine_parallel(op)?,
            affine_ops::DELINEARIZE_INDEX => self.delinearize(op)?,
            affine_ops::LINEARIZE_INDEX => self.linearize(op)?,
            affine_ops::PREFETCH => {}
            affine_ops::DMA_START | affine_ops::DMA_WAIT => self.dma(op)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Applies a map attribute to operands; gives the registers of its results.
    fn applied(&mut self, map: Inherent<AffineMapAttr>, operands: &[Value]) -> Compiled<Vec<Reg>> {
        let map = self.map(map)?;
        self.apply_map(map, operands)
    }

    pub(super) fn apply_map(&mut self, map: AffineMap, operands: &[Value]) -> Compiled<Vec<Reg>> {
        let operands = self.scalars(operands)?;
        if operands.len() != map.num_inputs(self.ctx) {
            return self.error("the number of operands does not match the affine map");
        }
        let (dims, symbols) = operands.split_at(map.num_dims(self.ctx));
        let (dims, symbols) = (dims.to_vec(), symbols.to_vec());
        let results = map.results(self.ctx).iter();
        Ok(results
            .map(|&expr| self.expr(expr, &dims, &symbols))
            .collect())
    }

    fn expr(&mut self, expr: AffineExpr, dims: &[Reg], symbols: &[Reg]) -> Reg {
        let ctx = self.ctx;
        expr.fold_parts(ctx, &mut |part, operands| match (part, operands) {
            (AffineExprKind::Binary(op, ..), Some((a, b))) => {
                let dst = self.scalar_register();
                let op = match op {
                    AffineOp::Add => IntOp::Add,
                    AffineOp::Mul => IntOp::Mul,
                    AffineOp::Mod => IntOp::Mod,
                    AffineOp::FloorDiv => IntOp::FloorDiv,
                    AffineOp::CeilDiv => IntOp::CeilDiv,
                };
                self.emit(Instr::Int {
                    op,
                    width: 64,
                    dst,
                    a,
                    b,
                });
                dst
            }
            (AffineExprKind::Dim(i), _) => dims[i as usize],
            (AffineExprKind::Symbol(i), _) => symbols[i as usize],
            (AffineExprKind::Constant(value), _) => self.constant(value as u64),
            (AffineExprKind::Binary(..), None) => unreachable!("an operation has operands"),
        })
    }

    fn extremum(&mut self, op: OpId, which: IntOp) -> Compiled {
        let data = &self.body[op];
        let map = self.map(inherent::MAP)?;
        let best = self.best_of(map, &data.operands, which)?;
        let slot = Slot::Scalar(best, ScalarKind::Int(64));
        self.slots[data.result(0).index()] = Some(slot);
        Ok(())
    }

    /// The least or greatest result of a map.
    fn best_of(&mut self, map: AffineMap, operands: &[Value], which: IntOp) -> Compiled<Reg> {
        let results = self.apply_map(map, operands)?;
        match self.extremum_of(&results, which) {
            Some(extremum) => Ok(extremum),
            None => self.error("the affine map has no results"),
        }
    }

    /// The least or greatest of several numbers; `None` of none.
    pub(super) fn extremum_of(&mut self, numbers: &[Reg], which: IntOp) -> Option<Reg> {
        let (&first, rest) = numbers.split_first()?;
        let extremum = rest.iter().fold(first, |a, &b| {
            let dst = self.scalar_register();
            self.emit(Instr::Int {
                op: which,
                width: 64,
                dst,
                a,
                b,
            });
            dst
        });
        Some(extremum)
    }

    fn affine_for(&mut self, op: OpId) -> Compiled {
        let groups = self.segments()?;
        let [lower, upper, inits] = &groups[..] else {
            return self.error("'affine.for' has three operand groups");
        };
        let (lower_map, upper_map) = (
            self.map(inherent::LOWER_BOUND_MAP)?,
            self.map(inherent::UPPER_BOUND_MAP)?,
        );
        let lb = self.best_of(lower_map, lower, IntOp::MaxS)?;
        let ub = self.best_of(upper_map, upper, IntOp::MinS)?;
        let step = self.get(inherent::STEP)?.unwrap_or(0);
        let step = self.constant(step as u64);
        self.counted_loop(op, lb, ub, step, inits, false, 64)
    }

    fn affine_if(&mut self, op: OpId) -> Compiled {
        let operands = self.body[op].operands.to_vec();
        let Some(set) = self.get(inherent::CONDITION)? else {
            return self.error("'condition' is no integer set");
        };
        self.two_way(op, |this| {
            let operands = this.scalars(&operands)?;
            let data = set.data(this.ctx);
            if operands.len() != (data.dims + data.symbols) as usize {
                return this.error("the number of operands does not match the integer set");
            }
            let (dims, symbols) = operands.split_at(data.dims as usize);
            let zero = this.constant(0);
            let mut misses = Vec::new();
            for constraint in &data.constraints {
                let a = this.expr(constraint.expr, dims, symbols);
                let pred = if constraint.is_eq {
                    IntPredicate::Eq
                } else {
                    IntPredicate::Sge
                };
                let cond = this.compare(pred, 64, a, zero);
                misses.push(this.emit(Instr::JumpIfNot { cond, to: 0 }));
            }
            Ok(misses)
        })
    }

    /// Basis of a linearization or delinearization: constants, or operands for `?`.
    fn basis(&mut self, dynamic: &[Value]) -> Compiled<Vec<Reg>> {
        let known = self.get(inherent::STATIC_BASIS)?.unwrap_or_default();
        let mut dynamic = self.scalars(dynamic)?.into_iter();
        let mut basis = Vec::new();
        for size in known {
            basis.push(match size {
                gridloom_ir::types::DYNAMIC => match dynamic.next() {
                    Some(reg) => reg,
                    None => return self.error("a basis element is missing"),
                },
                known => self.constant(known as u64),
            });
        }
        Ok(basis)
    }

    fn delinearize(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let mut rest = self.scalar(data.operands[0])?;
        let basis = self.basis(&data.operands[1..])?;
        let results: Vec<Value> = data.results().collect();
        // With an outer bound the basis has one element for each result. The outermost result is
        // the remaining quotient either way.
        let inner = basis[basis.len().saturating_sub(results.len().saturating_sub(1))..].to_vec();
        for (&result, &size) in results.iter().skip(1).rev().zip(inner.iter().rev()) {
            let dst = self.define_scalar(result)?;
            self.emit(Instr::Int {
                op: IntOp::Mod,
                width: 64,
                dst,
                a: rest,
                b: size,
            });
            let quotient = self.scalar_register();
            self.emit(Instr::Int {
                op: IntOp::FloorDivS,
                width: 64,
                dst: quotient,
                a: rest,
                b: size,
            });
            rest = quotient;
        }
        if let Some(&first) = results.first() {
            self.slots[first.index()] = Some(Slot::Scalar(rest, ScalarKind::Int(64)));
        }
        Ok(())
    }

    fn linearize(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let groups = self.segments()?;
        let [indices, dynamic] = &groups[..] else {
            return self.error("'affine.linearize_index' has two operand groups");
        };
        let indices = self.scalars(indices)?;
        let basis = self.basis(dynamic)?;
        let sizes = &basis[basis.len().saturating_sub(indices.len().saturating_sub(1))..];
        let mut sum = match indices.first() {
            Some(&first) => first,
            None => self.constant(0),
        };
        for (&index, &size) in indices.iter().skip(1).zip(sizes) {
            let (scaled, added) = (self.scalar_register(), self.scalar_register());
            self.emit(Instr::Int {
                op: IntOp::Mul,
                width: 64,
                dst: scaled,
                a: sum,
                b: size,
            });
            self.emit(Instr::Int {
                op: IntOp::Add,
                width: 64,
                dst: added,
                a: scaled,
                b: index,
            });
            sum = added;
        }
        self.slots[data.result(0).index()] = Some(Slot::Scalar(sum, ScalarKind::Int(64)));
        Ok(())
    }
}
