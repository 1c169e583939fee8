//! The `scf` dialect as structured control flow.
//!
//! Values that come out of a branch or go round a loop are phis. Every loop
//! has one exit, at the test, and one back edge from a continue block of its
//! own:
//!
//! ```text
//! before → header(phis) → test ⇄ body … → continue → header
//!                           └→ merge
//! ```

mod loop_control;
pub(crate) use loop_control::Unrolled;

use gridloom_dialects::{gpu, inherent, scf};
use gridloom_ir::{BlockId, OpId, OpName, Value};
use rspirv::spirv::{LoopControl, Op, Word};

use crate::alignment;
use crate::kernel::{Kernel, Lowered, Lowering};
use crate::matrix::carried::Carried;
use crate::types::Reg;
use loop_control::loop_control;

/// Lowers structured control flow.
pub(crate) fn lower(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Lowering<bool> {
    match name {
        scf::IF => if_op(k, op)?,
        scf::FOR => for_op(k, op)?,
        scf::WHILE => while_op(k, op)?,
        scf::EXECUTE_REGION => {
            let block = only_block(k, op, 0)?;
            let values = region(k, op, block)?;
            define_results(k, op, &values);
        }
        scf::INDEX_SWITCH => index_switch(k, op)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// The block of a region that has exactly one.
fn only_block(k: &Kernel<'_>, op: OpId, index: usize) -> Lowering<BlockId> {
    let region = k.body[op].inline_regions().get(index);
    match region.map(|&region| &k.body[region].blocks[..]) {
        Some([block]) => Ok(*block),
        Some([_, ..]) => Err(k.refuse(
            op,
            "a region of several blocks has no lowering: use structured control flow (scf)",
        )),
        _ => Err(k.malformed(op)),
    }
}

/// Lowers a block that ends in `scf.yield`; gives what it yields.
fn region(k: &mut Kernel<'_>, op: OpId, block: BlockId) -> Lowering<Vec<Word>> {
    let last = k.block(block)?;
    if k.body[last].name != scf::YIELD {
        return Err(k.malformed(op));
    }
    value_words(k, last, &k.body[last].operands)
}

fn value_words(k: &mut Kernel<'_>, op: OpId, values: &[Value]) -> Lowering<Vec<Word>> {
    values
        .iter()
        .map(|&value| k.value_word(op, value))
        .collect()
}

fn define_results(k: &mut Kernel<'_>, op: OpId, words: &[Word]) {
    for (result, &word) in k.body[op].results().zip(words) {
        k.define(result, Lowered::Reg(word));
    }
}

/// The registers of an operation's results, but for those that are carried in variables.
fn other_registers(k: &mut Kernel<'_>, op: OpId, carried: &Carried) -> Lowering<Vec<Reg>> {
    let results: Vec<Value> = k.body[op].results().collect();
    let others = carried.others(&results);
    others.into_iter().map(|value| k.reg(op, value)).collect()
}

fn result_registers(k: &mut Kernel<'_>, op: OpId) -> Lowering<Vec<Reg>> {
    let results: Vec<Value> = k.body[op].results().collect();
    results.into_iter().map(|value| k.reg(op, value)).collect()
}

fn if_op(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let condition = k.word(op, 0)?;
    let carried = Carried::of(k, op)?;
    let registers = other_registers(k, op, &carried)?;
    let then_block = only_block(k, op, 0)?;
    let else_block = match k.body.region_block(op, 1) {
        Some(_) => Some(only_block(k, op, 1)?),
        None => None,
    };
    let [then, otherwise, merge] = [(); 3].map(|()| k.e.id());
    k.e.selection_merge(merge);
    let otherwise_target = if else_block.is_some() {
        otherwise
    } else {
        merge
    };
    k.e.branch_if(condition, then, otherwise_target);
    k.e.begin_block(then);
    let mut sides = vec![carried_side(k, op, then_block, merge, &carried)?];
    if let Some(block) = else_block {
        k.e.begin_block(otherwise);
        sides.push(carried_side(k, op, block, merge, &carried)?);
    }
    k.e.begin_block(merge);
    let merged = merged_values(k, op, &registers, &sides)?;
    let results: Vec<Value> = k.body[op].results().collect();
    carried.define(k, &results, &merged);
    Ok(())
}

/// Lowers a side of a selection that merges in `merge`; stores the values that are carried in
/// variables.
fn carried_side(
    k: &mut Kernel<'_>,
    op: OpId,
    block: BlockId,
    merge: Word,
    carried: &Carried,
) -> Lowering<Side> {
    let values = region(k, op, block)?;
    carried.store(k, &values);
    let from = k.e.current_block();
    k.e.branch(merge);
    Ok((carried.others(&values), from))
}

/// Side of a selection: its values and the block they come from.
type Side = (Vec<Word>, Word);

fn side(k: &mut Kernel<'_>, op: OpId, block: BlockId, merge: Word) -> Lowering<Side> {
    let values = region(k, op, block)?;
    let from = k.e.current_block();
    k.e.branch(merge);
    Ok((values, from))
}

/// Defines the results of a selection by phis over its sides.
fn merge_values(k: &mut Kernel<'_>, op: OpId, registers: &[Reg], sides: &[Side]) -> Lowering<()> {
    let merged = merged_values(k, op, registers, sides)?;
    define_results(k, op, &merged);
    Ok(())
}

/// The phis over the sides of a selection.
fn merged_values(
    k: &mut Kernel<'_>,
    op: OpId,
    registers: &[Reg],
    sides: &[Side],
) -> Lowering<Vec<Word>> {
    if !registers.is_empty() && sides.len() < 2 {
        return Err(k.malformed(op));
    }
    let mut merged = Vec::with_capacity(registers.len());
    for (number, &reg) in registers.iter().enumerate() {
        let mut incoming = Vec::with_capacity(sides.len());
        for (values, from) in sides {
            let value = *values.get(number).ok_or_else(|| k.malformed(op))?;
            incoming.push((value, *from));
        }
        let ty = k.e.machine(reg);
        merged.push(k.e.phi(ty, &incoming));
    }
    Ok(merged)
}

/// A loop under construction.
pub(crate) struct Loop {
    header: Word,
    continues: Word,
    merge: Word,
    /// The loop-carried values.
    pub(crate) phis: Vec<Word>,
}

impl Loop {
    /// Opens the header with a phi for each initial value, and after it the
    /// block of the test.
    pub(crate) fn begin(k: &mut Kernel<'_>, initial: &[(Reg, Word)], control: LoopControl) -> Loop {
        let [header, test, continues, merge] = [(); 4].map(|()| k.e.id());
        let before = k.e.current_block();
        k.e.branch(header);
        k.e.begin_block(header);
        let mut phis = Vec::with_capacity(initial.len());
        for &(reg, value) in initial {
            let ty = k.e.machine(reg);
            phis.push(k.e.loop_phi(ty, value, before));
        }
        k.e.loop_merge(merge, continues, control);
        k.e.branch(test);
        k.e.begin_block(test);
        Loop {
            header,
            continues,
            merge,
            phis,
        }
    }

    /// Emits the loop test: branches to the body where `condition` holds, else to the merge block.
    pub(crate) fn test(&self, k: &mut Kernel<'_>, condition: Word) {
        let body = k.e.id();
        k.e.branch_if(condition, body, self.merge);
        k.e.begin_block(body);
    }

    /// Leaves a loop of unknown length behind an iteration of a thread with faults, where the host would have stopped: a load
    /// that is out of range gives 0, and with zeros the loop may never end. Threads that wait for each other stay together.
    fn leave_after_faults(&self, k: &mut Kernel<'_>, op: OpId) {
        let waits = |&op: &OpId| {
            let name = k.body[op].name;
            name == gpu::BARRIER || gpu::is_collective(name)
        };
        if k.body.walk_op(op).iter().any(waits) {
            return;
        }
        let Some(has_faults) = k.has_faults() else {
            return;
        };
        let [leaves, stays] = [(); 2].map(|()| k.e.id());
        k.e.selection_merge(stays);
        k.e.branch_if(has_faults, leaves, stays);
        k.e.begin_block(leaves);
        k.e.branch(self.merge);
        k.e.begin_block(stays);
    }

    /// Ends the body: opens the continue block.
    pub(crate) fn begin_continue(&self, k: &mut Kernel<'_>) {
        k.e.branch(self.continues);
        k.e.begin_block(self.continues);
    }

    /// Closes the loop: branches back with the next loop-carried values, and opens the merge block.
    pub(crate) fn end(&self, k: &mut Kernel<'_>, next: &[Word]) {
        let from = k.e.current_block();
        k.e.branch(self.header);
        for (&phi, &value) in self.phis.iter().zip(next) {
            k.e.add_back_edge(phi, value, from);
        }
        k.e.begin_block(self.merge);
    }
}

/// The bounds of a `scf.for`.
struct Bounds {
    reg: Reg,
    lower: Word,
    upper: Word,
    step: Word,
    less: Op,
    /// Whether counting past the upper bound may wrap around.
    may_wrap: bool,
}

impl Bounds {
    fn of(k: &mut Kernel<'_>, op: OpId) -> Lowering<Bounds> {
        let first = k.operand(op, 0)?;
        let reg = k.reg(op, first)?;
        let [lower, upper, step] = [k.word(op, 0)?, k.word(op, 1)?, k.word(op, 2)?];
        let unsigned = k.body[op].has_attr(k.ctx, inherent::UNSIGNED_CMP);
        if k.e.constant_value(step).is_some_and(|step| step <= 0) {
            return Err(k.refuse(op, "the step of a loop must be positive"));
        }
        if unsigned && reg.int_bits() != Some(reg.machine_bits()) {
            return Err(k.refuse(op, "an unsigned loop needs a counter of 32 or 64 bits"));
        }
        let is_index = k.body.ty(first).is_index(k.ctx);
        let may_wrap = unsigned || !(is_index || ends_below_limit(k, reg, upper, step));
        Ok(Bounds {
            reg,
            lower,
            upper,
            step,
            less: if unsigned {
                Op::ULessThan
            } else {
                Op::SLessThan
            },
            may_wrap,
        })
    }
}

/// Whether `upper + step` is known to fit: then the counter never wraps.
fn ends_below_limit(k: &Kernel<'_>, reg: Reg, upper: Word, step: Word) -> bool {
    let limit = match reg.int_bits() {
        Some(bits @ 2..=64) => i64::MAX >> (64 - bits),
        _ => return false,
    };
    let sum = match (k.e.constant_value(upper), k.e.constant_value(step)) {
        (Some(upper), Some(step)) => upper.checked_add(step),
        _ => None,
    };
    sum.is_some_and(|sum| sum <= limit)
}

fn for_op(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let bounds = Bounds::of(k, op)?;
    let block = only_block(k, op, 0)?;
    let matrices = Carried::of(k, op)?;
    let registers = other_registers(k, op, &matrices)?;
    let inits = k.body[op].operands.get(3..).unwrap_or_default();
    let inits = value_words(k, op, inits)?;
    let args = k.body[block].args.clone();
    let results: Vec<Value> = k.body[op].results().collect();
    if args.len() != results.len() + 1 || inits.len() != results.len() {
        return Err(k.malformed(op));
    }
    matrices.store(k, &inits);
    let carried = registers.iter().copied().zip(matrices.others(&inits));
    let mut initial: Vec<(Reg, Word)> = vec![(bounds.reg, bounds.lower)];
    initial.extend(carried);
    let count = initial.len();
    if bounds.may_wrap {
        let enter =
            k.e.test(bounds.reg, bounds.less, &[bounds.lower, bounds.upper]);
        initial.push((crate::types::BOOL, enter));
    }
    let control = loop_control(k, op);
    let around = Loop::begin(k, &initial, control);
    let counter = around.phis[0];
    alignment::note_counter(k.e, counter, bounds.lower, bounds.step);
    let again = match around.phis.get(count) {
        Some(&again) => again,
        None => k.e.test(bounds.reg, bounds.less, &[counter, bounds.upper]),
    };
    around.test(k, again);
    k.define(args[0], Lowered::Reg(counter));
    matrices.define(k, &args[1..], &around.phis[1..count]);
    let yielded = region(k, op, block)?;
    matrices.store(k, &yielded);
    around.begin_continue(k);
    let counted = k.e.on(bounds.reg, Op::IAdd, &[counter, bounds.step]);
    let mut next = vec![k.e.canonical(bounds.reg, counted)];
    next.extend(matrices.others(&yielded));
    if bounds.may_wrap {
        next.push(another_step_fits(k, &bounds, counter));
    }
    around.end(k, &next);
    matrices.define(k, &results, &around.phis[1..count]);
    Ok(())
}

/// Whether the counter stays below the upper bound after another step. Compares the step with the
/// distance to the bound, since the sum may wrap: the distance is positive here, and exact when
/// read as unsigned.
fn another_step_fits(k: &mut Kernel<'_>, bounds: &Bounds, counter: Word) -> Word {
    let left = k.e.on(bounds.reg, Op::ISub, &[bounds.upper, counter]);
    k.e.test(bounds.reg, Op::ULessThan, &[bounds.step, left])
}

fn while_op(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let before = only_block(k, op, 0)?;
    let after = only_block(k, op, 1)?;
    let inits = value_words(k, op, &k.body[op].operands)?;
    let args = k.body[before].args.clone();
    if args.len() != inits.len() {
        return Err(k.malformed(op));
    }
    let mut initial = Vec::with_capacity(args.len());
    for (&arg, &init) in args.iter().zip(&inits) {
        initial.push((k.reg(op, arg)?, init));
    }
    let around = Loop::begin(k, &initial, LoopControl::NONE);
    for (&arg, &phi) in args.iter().zip(&around.phis) {
        k.define(arg, Lowered::Reg(phi));
    }
    let condition = k.block(before)?;
    if k.body[condition].name != scf::CONDITION {
        return Err(k.malformed(op));
    }
    let mut passed = value_words(k, condition, &k.body[condition].operands)?.into_iter();
    let go_on = passed.next().ok_or_else(|| k.malformed(op))?;
    let passed: Vec<Word> = passed.collect();
    around.test(k, go_on);
    for (&arg, &word) in k.body[after].args.clone().iter().zip(&passed) {
        k.define(arg, Lowered::Reg(word));
    }
    let next = region(k, op, after)?;
    around.leave_after_faults(k, op);
    around.begin_continue(k);
    around.end(k, &next);
    define_results(k, op, &passed);
    Ok(())
}

/// `scf.index_switch` as a chain of two-sided selections: cases are few, and
/// every consumer agrees on these.
fn index_switch(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let value = k.word(op, 0)?;
    let registers = result_registers(k, op)?;
    let cases = k.body[op].get(k.ctx, inherent::CASES);
    let cases = cases.ok_or_else(|| k.malformed(op))?;
    let reg = k.index_reg();
    // Region 0 is the default, region i + 1 belongs to case i.
    let mut merges = Vec::with_capacity(cases.len());
    for (number, &case) in cases.iter().enumerate() {
        let case = k.index_const(case);
        let equal = k.e.test(reg, Op::IEqual, &[value, case]);
        let [then, otherwise, merge] = [(); 3].map(|()| k.e.id());
        k.e.selection_merge(merge);
        k.e.branch_if(equal, then, otherwise);
        k.e.begin_block(then);
        let block = only_block(k, op, number + 1)?;
        let side = side(k, op, block, merge)?;
        merges.push((merge, side));
        k.e.begin_block(otherwise);
    }
    let block = only_block(k, op, 0)?;
    let mut values = region(k, op, block)?;
    while let Some((merge, side)) = merges.pop() {
        let from = k.e.current_block();
        k.e.branch(merge);
        k.e.begin_block(merge);
        merge_values(k, op, &registers, &[side, (values, from)])?;
        let results: Vec<Value> = k.body[op].results().collect();
        values = value_words(k, op, &results)?;
    }
    define_results(k, op, &values);
    Ok(())
}
