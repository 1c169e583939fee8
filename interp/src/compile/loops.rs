//! Compiler of counted and conditional loops of `scf`, whose instructions `affine` shares.

use super::*;
use gridloom_dialects::inherent;

impl FunctionCompiler<'_, '_> {
    pub(super) fn scf_for(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let [lb, ub, step] = [0, 1, 2].map(|i| data.operands[i]);
        let (lb, ub, step) = (self.scalar(lb)?, self.scalar(ub)?, self.scalar(step)?);
        let unsigned = data.has_attr(self.ctx, inherent::UNSIGNED_CMP);
        let width = self.width_of(data.operands[0])?;
        // Bounds narrower than a register are compared sign-extended.
        let (lb, ub, step) = if width < 64 && !unsigned {
            (
                self.widened(lb, width),
                self.widened(ub, width),
                self.widened(step, width),
            )
        } else {
            (lb, ub, step)
        };
        self.counted_loop(op, lb, ub, step, &data.operands[3..], unsigned, width)
    }

    pub(super) fn widened(&mut self, src: Reg, width: u8) -> Reg {
        let dst = self.scalar_register();
        let (from, to) = (ScalarKind::Int(width), ScalarKind::Int(64));
        self.emit(Instr::Cast {
            cast: crate::scalar::Cast::IntSign,
            from,
            to,
            dst,
            src,
        });
        dst
    }

    /// Compiles a loop whose region has the induction variable and the iteration arguments; the
    /// results are the last iteration arguments.
    #[allow(clippy::too_many_arguments)] // the parts of a counted loop
    pub(super) fn counted_loop(
        &mut self,
        op: OpId,
        lb: Reg,
        ub: Reg,
        step: Reg,
        inits: &[Value],
        unsigned: bool,
        width: u8,
    ) -> Compiled {
        let data = &self.body[op];
        let Some(block) = self.body.region_block(op, 0) else {
            return self.error("the loop has no body");
        };
        let args = self.body[block].args.to_vec();
        let inits = self.slots_of(inits)?;
        let iv = self.define_scalar(args[0])?;
        let carried: Vec<Slot> = args[1..]
            .iter()
            .map(|&arg| self.define(arg))
            .collect::<Compiled<_>>()?;
        self.moves(&inits, &carried)?;
        // The counter is kept apart from the induction variable the body sees
        // when that is narrower.
        let counter = if width < 64 {
            self.scalar_register()
        } else {
            iv
        };
        self.emit(Instr::Move {
            dst: counter,
            src: lb,
        });
        self.begin_counting();
        let enter = self.emit(Instr::LoopEnter {
            iv: counter,
            ub,
            step,
            exit: 0,
            unsigned,
        });
        let body = self.here();
        self.count_iteration();
        if width < 64 {
            let (from, to) = (ScalarKind::Int(64), ScalarKind::Int(width));
            let cast = crate::scalar::Cast::IntZero;
            self.emit(Instr::Cast {
                cast,
                from,
                to,
                dst: iv,
                src: counter,
            });
        }
        let scope = self.opens_scope(op);
        if scope {
            self.emit(Instr::ScopeEnter);
        }
        let region = self.body[op].inline_regions().first().copied();
        let yielded = self.single_block(region)?;
        let yielded = self.slots_of(&yielded)?;
        self.moves(&yielded, &carried)?;
        if scope {
            self.emit(Instr::ScopeExit);
        }
        self.emit(Instr::LoopNext {
            iv: counter,
            ub,
            step,
            body,
            unsigned,
        });
        self.patch(enter);
        self.end_counting();
        for (result, slot) in data.results().zip(carried) {
            self.slots[result.index()] = Some(slot);
        }
        Ok(())
    }

    pub(super) fn scf_while(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let (Some(before), Some(after)) =
            (self.body.region_block(op, 0), self.body.region_block(op, 1))
        else {
            return self.error("'scf.while' has two regions");
        };
        let inits = self.slots_of(&data.operands)?;
        let args = |this: &mut Self, block: BlockId| -> Compiled<Vec<Slot>> {
            let args = this.body[block].args.to_vec();
            args.iter().map(|&arg| this.define(arg)).collect()
        };
        let before_args = args(self, before)?;
        let after_args = args(self, after)?;
        self.moves(&inits, &before_args)?;
        self.begin_counting();
        let start = self.here();
        self.count_iteration();
        let condition = self.block(before)?;
        let Some(condition) = condition.filter(|&op| self.body[op].name == scf::CONDITION) else {
            return self.error("the first region of 'scf.while' ends with 'scf.condition'");
        };
        let operands = self.body[condition].operands.to_vec();
        let cond = self.scalar(operands[0])?;
        let passed = self.slots_of(&operands[1..])?;
        // The values reach both the results and the second region.
        self.moves(&passed, &after_args)?;
        let exit = self.emit(Instr::JumpIfNot { cond, to: 0 });
        let region = self.body[after].parent();
        let yielded = self.single_block(region)?;
        let yielded = self.slots_of(&yielded)?;
        self.moves(&yielded, &before_args)?;
        self.emit(Instr::Jump { to: start });
        self.patch(exit);
        self.end_counting();
        for (result, slot) in data.results().zip(after_args) {
            self.slots[result.index()] = Some(slot);
        }
        Ok(())
    }
}
