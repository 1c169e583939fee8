//! `int-range-optimizations`: folds what the ranges of integers decide, and divides non-negative numbers unsigned.
//!
//! ```text
//! gpu.launch … threads(%t, …) in (… = %c8, …) {
//!   %a = arith.addi %t, %c99                            %a = arith.addi %t, %c99
//!   %n = arith.cmpi slt, %a, %c0                        %less = arith.cmpi ult, %a, %c100
//!   %b = arith.addi %a, %c100                    ⇒      %d = arith.subi %a, %c100
//!   %d = arith.select %n, %b, %a                        %r = arith.select %less, %a, %d
//!   %r = arith.remsi %d, %c100
//! ```
//!
//! Kernels compute subscripts with `floordiv` and `mod` from ids and counters, which are not negative: their ranges leave
//! neither a sign to test nor, near the ends of an array, more than one subtraction to do, nor do those of neighbours in front of the first
//! element, which are above the negative of the divisor. Divisions by powers of two stay
//! divisions, which devices shift.
//!
//! Ranges are those of the sizes of `gpu.launch`, of counters of `scf.for`, and of what `arith` computes of them
//! (`gridloom_dialects::integer_range`). Legal always: every value stays the same number.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::gpu::{self, LaunchOp};
use gridloom_dialects::integer_range::{Interval, of_counter, of_result, of_type};
use gridloom_dialects::{inherent, memref, scf};
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Builder, Context, OpId, OpName, Value};

use super::lower_affine::resolve;

/// Numbers of the 64 bits of an `index`.
const OF_INDEX: Interval = (i64::MIN as i128, i64::MAX as i128);

/// The greatest size of a launch, and so beyond all ids: SPIR-V counts them in 32 bits.
const MAX_SIZE: i128 = u32::MAX as i128;

/// Folds and simplifies operations of a body by the ranges of their operands. Returns whether there were any.
pub fn optimize_in_ranges(ctx: &Context, body: &mut Body) -> bool {
    let ranges = Ranges::of(ctx, body);
    let decided: Vec<(OpId, Simpler)> = (body.walk().into_iter())
        .filter_map(|op| Some((op, ranges.simpler(op)?)))
        .collect();
    if decided.is_empty() {
        return false;
    }
    let mut replaced: FxHashMap<Value, Value> = FxHashMap::default();
    for &(op, simpler) in &decided {
        let result = body[op].result(0);
        let value = simpler.apply(ctx, body, op);
        // Operations of an unreachable block may use each other's results.
        let value = value.map(|value| resolve(&replaced, value));
        if let Some(value) = value.filter(|&value| value != result) {
            replaced.insert(result, value);
        }
    }
    body.replace_values(|value| resolve(&replaced, value));
    for (op, _) in decided.into_iter().rev() {
        if replaced.contains_key(&body[op].result(0)) {
            body.erase(op);
        }
    }
    true
}

/// What an operation becomes.
#[derive(Clone, Copy)]
enum Simpler {
    /// This number.
    Constant(i64),
    /// One of its operands.
    Operand(usize),
    /// The operation of this name.
    Renamed(OpName),
    /// `lhs < rhs ? lhs : lhs - rhs`, the remainder of a dividend below twice the divisor, and above its negative.
    RemainderOfOneStep(CmpIPredicate),
    /// `lhs < rhs ? 0 : 1`, the quotient of a dividend below twice the divisor.
    QuotientOfOneStep,
}

impl Simpler {
    /// Changes the operation; or makes the value that replaces its result.
    fn apply(self, ctx: &Context, body: &mut Body, op: OpId) -> Option<Value> {
        if let Simpler::Renamed(name) = self {
            body[op].name = name;
            return None;
        }
        let operands = body[op].operands.to_vec();
        let ty = body.ty(body[op].result(0));
        let mut b = Builder::before(ctx, body, op);
        let number = |b: &mut Builder, value| b.constant(ctx.int_attr(ty, value), ty);
        let is_less =
            |b: &mut Builder, predicate| CmpIOp::create(b, predicate, operands[0], operands[1]);
        Some(match self {
            Simpler::Renamed(_) => return None,
            Simpler::Constant(value) => number(&mut b, value),
            Simpler::Operand(index) => operands[index],
            Simpler::RemainderOfOneStep(predicate) => {
                let less = is_less(&mut b, predicate);
                let rest = b.binary(arith::SUBI, operands[0], operands[1]);
                arith::select(&mut b, less, operands[0], rest)
            }
            Simpler::QuotientOfOneStep => {
                let less = is_less(&mut b, CmpIPredicate::Ult);
                let (zero, one) = (number(&mut b, 0), number(&mut b, 1));
                arith::select(&mut b, less, zero, one)
            }
        })
    }
}

/// Ranges of the integers of a body.
struct Ranges<'a> {
    ctx: &'a Context,
    body: &'a Body,
    known: FxHashMap<Value, Interval>,
}

impl<'a> Ranges<'a> {
    fn of(ctx: &'a Context, body: &'a Body) -> Self {
        let mut ranges = Ranges {
            ctx,
            body,
            known: FxHashMap::default(),
        };
        // Definitions come before uses, but for what blocks pass on, of which nothing is known.
        for op in body.walk() {
            ranges.visit(op);
        }
        ranges
    }

    fn visit(&mut self, op: OpId) {
        let (ctx, body) = (self.ctx, self.body);
        let data = &body[op];
        match data.name {
            gpu::LAUNCH => self.visit_launch(LaunchOp(op)),
            scf::FOR => {
                let [lower, upper, step] = [0, 1, 2].map(|index| self.range(data.operands[index]));
                let counter = body.region_block(op, 0).map(|block| body[block].args[0]);
                let unsigned = data.has_attr(ctx, inherent::UNSIGNED_CMP);
                if let (Some(counter), Some(lower), Some(upper)) = (counter, lower, upper)
                    && (!unsigned || lower.0 >= 0 && upper.0 >= 0)
                {
                    self.note(counter, of_counter(lower, upper, step));
                }
            }
            memref::DIM => self.note(data.result(0), (0, OF_INDEX.1)),
            gpu::THREAD_ID | gpu::BLOCK_ID | gpu::LANE_ID | gpu::SUBGROUP_ID => {
                self.note(data.result(0), (0, MAX_SIZE - 1));
            }
            gpu::BLOCK_DIM | gpu::GRID_DIM | gpu::SUBGROUP_SIZE | gpu::NUM_SUBGROUPS => {
                self.note(data.result(0), (0, MAX_SIZE));
            }
            arith::CMPI => {
                if let Some(holds) = self.comparison(CmpIOp(op)) {
                    self.note(data.result(0), (holds.into(), holds.into()));
                }
            }
            _ => {
                if let Some(range) = of_result(ctx, body, op, |value| self.range(value)) {
                    self.note(data.result(0), range);
                }
            }
        }
    }

    /// Notes the ranges of ids and sizes in the body of a launch. A launch with clusters has more of them.
    fn visit_launch(&mut self, launch: LaunchOp) {
        let args = launch.args(self.body);
        let sizes = launch.sizes(self.ctx, self.body);
        let groups = [
            (sizes.grid, args.block_id, args.grid_dim),
            (sizes.block, args.thread_id, args.block_dim),
        ];
        for (sizes, ids, dims) in groups {
            for ((size, id), dim) in sizes.into_iter().zip(ids).zip(dims) {
                let (_, most) = self.range(size).unwrap_or(OF_INDEX);
                let most = most.clamp(0, MAX_SIZE);
                self.note(id, (0, (most - 1).max(0)));
                self.note(dim, (0, most));
            }
        }
    }

    /// Notes the range of a value, which is useless where the value may wrap around.
    fn note(&mut self, value: Value, range: Interval) {
        let fits = |(least, most): Interval| least <= range.0 && range.1 <= most;
        if self.of_type(value).is_some_and(fits) {
            self.known.insert(value, range);
        }
    }

    fn of_type(&self, value: Value) -> Option<Interval> {
        let ty = self.body.ty(value);
        if ty.is_index(self.ctx) {
            return Some(OF_INDEX);
        }
        of_type(self.ctx, ty)
    }

    /// The range of a value: the known one, else that of its type.
    fn range(&self, value: Value) -> Option<Interval> {
        let known = self.known.get(&value).copied();
        known.or_else(|| self.of_type(value))
    }

    /// What a comparison says of all numbers in the ranges of its operands, if it says the same of all.
    fn comparison(&self, compare: CmpIOp) -> Option<bool> {
        let operands = &self.body[compare.0].operands;
        let (a, b) = (self.range(operands[0])?, self.range(operands[1])?);
        let predicate = compare.predicate(self.ctx, self.body);
        let is_bool = self.of_type(operands[0]) == Some((0, 1));
        let is_apart = a.1 < b.0 || b.1 < a.0;
        let is_same_number = a.0 == a.1 && a == b;
        use CmpIPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        match predicate {
            Eq | Ne if is_apart => return Some(predicate == Ne),
            Eq | Ne => return is_same_number.then_some(predicate == Eq),
            // The 1 of an i1 is -1 to these.
            Slt | Sle | Sgt | Sge if is_bool => return None,
            Ult | Ule | Ugt | Uge if a.0 < 0 || b.0 < 0 => return None,
            _ => {}
        }
        let (a, b, is_strict) = match predicate {
            Slt | Ult => (a, b, true),
            Sle | Ule => (a, b, false),
            Sgt | Ugt => (b, a, true),
            _ => (b, a, false),
        };
        let (always, never) = match is_strict {
            true => (a.1 < b.0, a.0 >= b.1),
            false => (a.1 <= b.0, a.0 > b.1),
        };
        (always || never).then_some(always)
    }

    /// What an operation becomes, if the ranges make it simpler.
    fn simpler(&self, op: OpId) -> Option<Simpler> {
        let data = &self.body[op];
        let is_candidate = data.num_results() == 1
            && data.inline_regions().is_empty()
            && !data.name.has(Traits::CONSTANT_LIKE);
        if !is_candidate {
            return None;
        }
        let is_pure = data.name.has(Traits::PURE) || is_division(data.name);
        if let Some(&(least, most)) = self.known.get(&data.result(0)).filter(|_| is_pure)
            && least == most
        {
            return Some(Simpler::Constant(i64::try_from(least).ok()?));
        }
        let operand = |index: usize| self.range(*data.operands.get(index)?);
        match data.name {
            arith::SELECT => match operand(0)? {
                (1, 1) => Some(Simpler::Operand(1)),
                (0, 0) => Some(Simpler::Operand(2)),
                _ => None,
            },
            arith::MINSI | arith::MAXSI if self.of_type(data.operands[0]) != Some((0, 1)) => {
                let (a, b) = (operand(0)?, operand(1)?);
                let (least, greatest) = match (a.1 <= b.0, b.1 <= a.0) {
                    (true, _) => (0, 1),
                    (_, true) => (1, 0),
                    _ => return None,
                };
                let is_min = data.name == arith::MINSI;
                Some(Simpler::Operand(if is_min { least } else { greatest }))
            }
            name if is_division(name) => simpler_division(name, operand(0)?, operand(1)?),
            _ => None,
        }
    }
}

/// Whether an operation is a division or a remainder.
fn is_division(name: OpName) -> bool {
    unsigned_division(name).is_some()
}

/// The operation that does for non-negative operands what a division or remainder does.
fn unsigned_division(name: OpName) -> Option<OpName> {
    Some(match name {
        arith::DIVSI | arith::FLOORDIVSI | arith::DIVUI => arith::DIVUI,
        arith::CEILDIVSI | arith::CEILDIVUI => arith::CEILDIVUI,
        arith::REMSI | arith::REMUI => arith::REMUI,
        _ => return None,
    })
}

/// What a division of numbers in some ranges becomes.
fn simpler_division(name: OpName, dividend: Interval, divisor: Interval) -> Option<Simpler> {
    let unsigned = unsigned_division(name)?;
    let is_number = divisor.0 == divisor.1 && !divisor.0.unsigned_abs().is_power_of_two();
    let is_one_step = is_number && divisor.0 > 0 && dividend.1 < 2 * divisor.0;
    if name == arith::REMSI && is_one_step && dividend.0 < 0 && dividend.0 > -divisor.0 {
        return Some(Simpler::RemainderOfOneStep(CmpIPredicate::Slt));
    }
    if dividend.0 < 0 || divisor.0 < 1 {
        return None;
    }
    if unsigned == arith::REMUI && dividend.1 < divisor.0 {
        return Some(Simpler::Operand(0));
    }
    if is_one_step {
        match unsigned {
            arith::REMUI => return Some(Simpler::RemainderOfOneStep(CmpIPredicate::Ult)),
            arith::DIVUI => return Some(Simpler::QuotientOfOneStep),
            _ => {}
        }
    }
    (name != unsigned).then_some(Simpler::Renamed(unsigned))
}
