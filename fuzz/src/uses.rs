//! Tree walks: over the operands of a statement, and over the blocks and uses inside a block.

use crate::program::{At, Block, Bound, Cond, Mixed, Op, Place, Step, Var, VectorSink};

fn bounds_uses(bounds: &mut [Bound], f: &mut impl FnMut(&mut Var)) {
    for bound in bounds {
        match bound {
            Bound::Affine(exprs) => exprs.iter_mut().for_each(|expr| expr.uses(f)),
            Bound::Value(var) => f(var),
        }
    }
}

fn mixed_uses(list: &mut [Mixed], f: &mut impl FnMut(&mut Var)) {
    for mixed in list {
        if let Mixed::Value(var) = mixed {
            f(var);
        }
    }
}

impl Op {
    /// Calls `f` on each operand, without those of nested blocks.
    pub fn operands(&mut self, f: &mut impl FnMut(&mut Var)) {
        let step = |step: &mut Step, f: &mut dyn FnMut(&mut Var)| {
            if let Step::Value(var) = step {
                f(var);
            }
        };
        match self {
            Op::Const(_) | Op::GetGlobal(_) | Op::Barrier => {}
            Op::NegF(a)
            | Op::Cast(_, a)
            | Op::Dealloc(a)
            | Op::MemCast(a)
            | Op::AllReduce(_, a) => f(a),
            Op::Transpose { mem, .. } | Op::Collapse { mem, .. } | Op::Expand { mem, .. } => f(mem),
            Op::Bin(_, a, b)
            | Op::CmpI(_, a, b)
            | Op::CmpF(_, a, b)
            | Op::Dim { mem: a, dim: b }
            | Op::Copy { from: a, to: b } => [a, b].into_iter().for_each(f),
            Op::Select(a, b, c) => [a, b, c].into_iter().for_each(f),
            Op::Apply(expr) => expr.uses(f),
            Op::Extremum { exprs, .. } => exprs.iter_mut().for_each(|expr| expr.uses(f)),
            Op::Load { mem, at } => {
                f(mem);
                at.uses(f);
            }
            Op::Store { value, mem, at } => {
                f(value);
                f(mem);
                at.uses(f);
            }
            Op::MaskedMove(masked) => {
                [&mut masked.from, &mut masked.passed, &mut masked.to]
                    .into_iter()
                    .for_each(&mut *f);
                (masked.from_at.iter_mut())
                    .chain(&mut masked.read)
                    .chain(&mut masked.to_at)
                    .chain(&mut masked.write)
                    .for_each(f);
            }
            Op::Launch(launch) => {
                (launch.grid.iter_mut())
                    .chain(&mut launch.block)
                    .for_each(f);
            }
            Op::Atomic(update) => {
                f(&mut update.value);
                f(&mut update.mem);
                update.at.iter_mut().for_each(f);
            }
            Op::VectorFold(fold) => {
                fold.from.iter_mut().for_each(|lanes| lanes.first.uses(f));
                f(&mut fold.padding);
                fold.splat.iter_mut().for_each(&mut *f);
                if let VectorSink::Memory(lanes) = &mut fold.to {
                    lanes.first.uses(f);
                }
            }
            Op::DmaStart(transfer) => {
                let places = [&mut transfer.from, &mut transfer.to, &mut transfer.tag];
                places.into_iter().for_each(|place| place.uses(f));
                f(&mut transfer.count);
                if let Some((stride, each)) = &mut transfer.rows {
                    [stride, each].into_iter().for_each(f);
                }
            }
            Op::DmaWait { tag, count } => {
                tag.uses(f);
                f(count);
            }
            Op::For {
                lower,
                upper,
                step: by,
                carried,
                ..
            } => {
                bounds_uses(std::slice::from_mut(lower), f);
                bounds_uses(std::slice::from_mut(upper), f);
                step(by, f);
                carried.iter_mut().for_each(|(_, init)| f(init));
            }
            Op::Parallel {
                lower,
                upper,
                steps,
                ..
            } => {
                bounds_uses(lower, f);
                bounds_uses(upper, f);
                steps.iter_mut().for_each(|by| step(by, f));
            }
            Op::If { cond, .. } => match cond {
                Cond::Set(list) => list.iter_mut().for_each(|(expr, _)| expr.uses(f)),
                Cond::Value(var) => f(var),
            },
            Op::While { carried, .. } | Op::Cycle { carried, .. } => {
                carried.iter_mut().for_each(|(_, init)| f(init));
            }
            Op::Branch { cond, .. } => f(cond),
            Op::Call { args: list, .. } | Op::Alloc { sizes: list, .. } => {
                list.iter_mut().for_each(f);
            }
            Op::SubView {
                mem,
                offsets,
                sizes,
                strides,
                ..
            } => {
                f(mem);
                mixed_uses(offsets, f);
                mixed_uses(sizes, f);
                mixed_uses(strides, f);
            }
            Op::Reinterpret {
                mem,
                offset,
                sizes,
                strides,
            } => {
                f(mem);
                mixed_uses(std::slice::from_mut(offset), f);
                mixed_uses(sizes, f);
                mixed_uses(strides, f);
            }
            Op::ByteView { mem, shift, sizes } => {
                f(mem);
                f(shift);
                sizes.iter_mut().for_each(f);
            }
        }
    }

    /// The nested blocks.
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match self {
            Op::For { body, .. } | Op::Parallel { body, .. } => vec![body],
            Op::Launch(launch) => vec![&mut launch.body],
            Op::If {
                then, otherwise, ..
            } => std::iter::once(then).chain(otherwise.as_mut()).collect(),
            Op::While { before, after, .. } => vec![before, after],
            Op::Branch {
                then, otherwise, ..
            } => vec![then, otherwise],
            Op::Cycle { head, body, .. } => vec![head, body],
            _ => Vec::new(),
        }
    }

    /// Calls `f` on the values that terminators of the nested blocks use besides yields.
    pub fn inner_operands(&mut self, f: &mut impl FnMut(&mut Var)) {
        if let Op::While { cond, .. } | Op::Cycle { cond, .. } = self {
            f(cond);
        }
    }
}

impl Place {
    fn uses(&mut self, f: &mut impl FnMut(&mut Var)) {
        f(&mut self.mem);
        self.at.uses(f);
    }
}

impl At {
    fn uses(&mut self, f: &mut impl FnMut(&mut Var)) {
        match self {
            At::Affine(exprs) => exprs.iter_mut().for_each(|expr| expr.uses(f)),
            At::Plain(vars) => vars.iter_mut().for_each(f),
        }
    }
}

impl Block {
    /// Calls `f` on every use of a value in the block and in nested ones.
    pub fn uses(&mut self, f: &mut impl FnMut(&mut Var)) {
        for stmt in &mut self.stmts {
            stmt.op.operands(f);
            for block in stmt.op.blocks_mut() {
                block.uses(f);
            }
            stmt.op.inner_operands(f);
        }
        self.yields.iter_mut().for_each(f);
    }

    /// Calls `f` on the block and on every nested one.
    pub fn visit(&mut self, f: &mut impl FnMut(&mut Block)) {
        f(self);
        for stmt in &mut self.stmts {
            for block in stmt.op.blocks_mut() {
                block.visit(f);
            }
        }
    }
}
