//! Evaluation of loops, branches and calls.

use super::{CALL_DEPTH, Frame, Machine, Undefined, Value, extremum, identity};
use crate::eval::race::Watch;
use crate::program::{Bin, Block, Bound, Cond, Op, Step, Stmt, Var};
use crate::scalar;
use crate::types::Scalar;

/// Side of a loop's range that a bound is on.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Lower,
    Upper,
}

impl Machine<'_> {
    pub(super) fn control(&mut self, frame: &mut Frame, stmt: &Stmt) -> Result<(), Undefined> {
        let values = match &stmt.op {
            Op::For {
                iv,
                lower,
                upper,
                step,
                carried,
                body,
                ..
            } => {
                let mut values = initial(frame, carried)?;
                for i in counter(range(frame, (lower, upper, *step))?) {
                    frame.set(*iv, Value::Bits(i));
                    assign(frame, carried, values);
                    values = self.block(frame, body)?;
                }
                values
            }
            Op::Parallel { .. } => return self.parallel(frame, stmt),
            Op::If {
                cond,
                then,
                otherwise,
            } => {
                let taken = match holds(frame, cond)? {
                    true => Some(then),
                    false => otherwise.as_ref(),
                };
                match taken {
                    Some(block) => self.block(frame, block)?,
                    None => Vec::new(),
                }
            }
            Op::Branch {
                cond,
                then,
                otherwise,
            } => {
                let taken = if frame.bits(*cond)? != 0 {
                    then
                } else {
                    otherwise
                };
                self.block(frame, taken)?
            }
            Op::While {
                carried,
                before,
                cond,
                passed,
                after,
            } => self.while_loop(frame, (carried, before, *cond), (passed, after))?,
            Op::Cycle {
                carried,
                head,
                cond,
                until,
                body,
            } => {
                let mut values = initial(frame, carried)?;
                loop {
                    assign(frame, carried, values);
                    self.block(frame, head)?;
                    if (frame.bits(*cond)? == 0) != *until {
                        break carried
                            .iter()
                            .map(|pair| frame.get(pair.0))
                            .collect::<Result<_, _>>()?;
                    }
                    values = self.block(frame, body)?;
                }
            }
            Op::Call { callee, args } => {
                let args: Result<Vec<Value>, Undefined> =
                    args.iter().map(|&arg| frame.get(arg)).collect();
                debug_assert!(self.depth <= CALL_DEPTH);
                self.call(*callee, args?)?
            }
            _ => return Err(Undefined::new("an operation that is not known")),
        };
        for (&result, value) in stmt.results.iter().zip(values) {
            frame.set(result, value);
        }
        Ok(())
    }

    fn while_loop(
        &mut self,
        frame: &mut Frame,
        (carried, before, cond): (&[(Var, Var)], &Block, Var),
        (passed, after): (&[Var], &Block),
    ) -> Result<Vec<Value>, Undefined> {
        let mut values = initial(frame, carried)?;
        loop {
            assign(frame, carried, values);
            let given = self.block(frame, before)?;
            if frame.bits(cond)? == 0 {
                return Ok(given);
            }
            for (&var, value) in passed.iter().zip(given) {
                frame.set(var, value);
            }
            values = self.block(frame, after)?;
        }
    }

    fn parallel(&mut self, frame: &mut Frame, stmt: &Stmt) -> Result<(), Undefined> {
        let Op::Parallel {
            ivs,
            lower,
            upper,
            steps,
            reductions,
            body,
            ..
        } = &stmt.op
        else {
            return Ok(());
        };
        let mut ranges = Vec::new();
        for ((low, high), &step) in lower.iter().zip(upper).zip(steps) {
            ranges.push(range(frame, (low, high, step))?);
        }
        let types: Vec<Scalar> = stmt
            .results
            .iter()
            .map(|&var| self.program.scalar(var))
            .collect();
        let pairs = reductions.iter().zip(&types);
        let mut sums: Vec<u64> = pairs.map(|(&op, &ty)| identity(op, ty)).collect();
        self.watches.push(Watch::new(stmt.id));
        let mut at: Vec<i128> = ranges.iter().map(|range| range.0.into()).collect();
        let mut is_left = ranges.iter().all(|range| range.0 < range.1);
        while is_left {
            for (&iv, &i) in ivs.iter().zip(&at) {
                frame.set(iv, Value::Bits(i as u64));
            }
            if let Some(watch) = self.watches.last_mut() {
                watch.advance();
            }
            let yielded = self.block(frame, body)?;
            self.reduce(&mut sums, reductions, &types, &yielded)?;
            is_left = advance(&mut at, &ranges);
        }
        self.watches.pop();
        for (&result, bits) in stmt.results.iter().zip(sums) {
            frame.set(result, Value::Bits(bits));
        }
        Ok(())
    }

    fn reduce(
        &self,
        sums: &mut [u64],
        reductions: &[Bin],
        types: &[Scalar],
        yielded: &[Value],
    ) -> Result<(), Undefined> {
        for (number, value) in yielded.iter().enumerate() {
            if let Value::Bits(bits) = value {
                sums[number] =
                    scalar::binary(reductions[number], sums[number], *bits, types[number])?;
            }
        }
        Ok(())
    }
}

/// Moves to the next point of a box, the last dimension fastest. Returns false at the end.
fn advance(at: &mut [i128], ranges: &[Range]) -> bool {
    for (i, &(low, high, step)) in at.iter_mut().zip(ranges).rev() {
        *i += i128::from(step);
        if *i < i128::from(high) {
            return true;
        }
        *i = low.into();
    }
    false
}

/// Lower bound, upper bound and step of a loop.
pub(super) type Range = (i64, i64, i64);

pub(super) fn range(
    frame: &Frame,
    (lower, upper, step): (&Bound, &Bound, Step),
) -> Result<Range, Undefined> {
    let low = bound(frame, lower, Side::Lower)?;
    let high = bound(frame, upper, Side::Upper)?;
    Ok((low, high, step_of(frame, step)?))
}

/// The values of a loop's counter.
pub(super) fn counter((low, high, step): Range) -> impl Iterator<Item = u64> {
    // In 128 bits the counter cannot wrap before it reaches the bound.
    let counter = (i128::from(low)..i128::from(high)).step_by(step as usize);
    counter.map(|i| i as u64)
}

pub(super) fn initial(frame: &Frame, carried: &[(Var, Var)]) -> Result<Vec<Value>, Undefined> {
    carried.iter().map(|pair| frame.get(pair.1)).collect()
}

pub(super) fn assign(frame: &mut Frame, carried: &[(Var, Var)], values: Vec<Value>) {
    for (pair, value) in carried.iter().zip(values) {
        frame.set(pair.0, value);
    }
}

/// Evaluates a bound: a single one wraps as the machine does; the extremum of several is taken of
/// unbounded integers.
fn bound(frame: &Frame, bound: &Bound, side: Side) -> Result<i64, Undefined> {
    match bound {
        Bound::Value(var) => frame.int(*var),
        Bound::Affine(exprs) => match &exprs[..] {
            [one] => Ok(frame.affine(one)?.value),
            _ => extremum(frame, exprs, side == Side::Lower),
        },
    }
}

fn step_of(frame: &Frame, step: Step) -> Result<i64, Undefined> {
    let step = match step {
        Step::Known(value) => value,
        Step::Value(var) => frame.int(var)?,
    };
    match step {
        1.. => Ok(step),
        _ => Err(Undefined::new("a step that is not positive")),
    }
}

pub(super) fn holds(frame: &Frame, cond: &Cond) -> Result<bool, Undefined> {
    match cond {
        Cond::Value(var) => Ok(frame.bits(*var)? != 0),
        Cond::Set(list) => {
            let mut all = true;
            for (expr, equal) in list {
                let value = frame.exact(expr)?;
                all &= if *equal { value == 0 } else { value >= 0 };
            }
            Ok(all)
        }
    }
}
