//! Tracing of loops and conditions.

use gridloom::dialects::{affine, scf};
use gridloom::ir::body::OpData;
use gridloom::ir::scalar::{Accumulate, IntOp, ScalarKind};
use gridloom::ir::{RegionId, Value};

use super::Untraced;
use super::machine::{Frame, Held, Machine};
use super::memory::accumulated;
use super::term::Datum;
use crate::eval::{Watch, subscripts};

/// Lower and upper bound and step of each loop of a nest.
struct Bounds {
    lower: Vec<i64>,
    upper: Vec<i64>,
    steps: Vec<i64>,
}

impl Bounds {
    /// The counters of each iteration, in execution order.
    fn points(&self) -> Result<Vec<Vec<i64>>, Untraced> {
        let mut trips = Vec::new();
        for ((&lower, &upper), &step) in self.lower.iter().zip(&self.upper).zip(&self.steps) {
            if step <= 0 {
                return Err("a step that is not positive".to_owned());
            }
            let span = i128::from(upper) - i128::from(lower);
            let trip = (span + i128::from(step) - 1) / i128::from(step);
            trips.push(i64::try_from(trip.max(0)).map_err(|_| "a long loop".to_owned())?);
        }
        let all = trips
            .iter()
            .try_fold(1i64, |product, &trip| product.checked_mul(trip));
        if all.is_none_or(|all| all > 1 << 18) {
            return Err("a long loop".to_owned());
        }
        let point = |numbers: &Vec<i64>| {
            let dims = numbers.iter().zip(&self.lower).zip(&self.steps);
            dims.map(|((number, lower), step)| lower.wrapping_add(number.wrapping_mul(*step)))
                .collect()
        };
        Ok(subscripts(&trips).iter().map(point).collect())
    }
}

impl<'m> Machine<'m> {
    /// Traces structured operations of `affine` and `scf`.
    pub fn control(&mut self, frame: &mut Frame<'m>, data: &'m OpData) -> Result<(), Untraced> {
        match data.name {
            affine::APPLY => {
                let map = self
                    .attr(data, "map")?
                    .as_map(self.ctx)
                    .ok_or("a map was expected")?;
                let values = self.applied(frame, map, &data.operands)?;
                self.set_data(frame, data.result(0), values);
                Ok(())
            }
            affine::MIN | affine::MAX => {
                let op = if data.name == affine::MIN {
                    IntOp::MinS
                } else {
                    IntOp::MaxS
                };
                let map = self
                    .attr(data, "map")?
                    .as_map(self.ctx)
                    .ok_or("a map was expected")?;
                let values = self.applied(frame, map, &data.operands)?.into_iter();
                let best = values.reduce(|a, b| {
                    let bits = op.eval(a.bits, b.bits, 64).unwrap_or(a.bits);
                    Datum::integer(op, 64, bits, a, b)
                });
                self.set_data(frame, data.result(0), best.into_iter().collect());
                Ok(())
            }
            affine::FOR => {
                let groups = self.groups(data)?;
                let [lower, upper, inits] = groups[..] else {
                    return Err(self.unknown(data));
                };
                let lower = self
                    .map_ints(frame, data, "lowerBoundMap", lower)?
                    .into_iter()
                    .max();
                let upper = self
                    .map_ints(frame, data, "upperBoundMap", upper)?
                    .into_iter()
                    .min();
                let step = self.attr(data, "step")?.as_i64(self.ctx);
                let (Some(lower), Some(upper), Some(step)) = (lower, upper, step) else {
                    return Err(self.unknown(data));
                };
                self.counted(frame, data, [lower, upper, step], inits)
            }
            scf::FOR => {
                if data.attr(self.ctx, "unsignedCmp").is_some() {
                    return Err(self.unknown(data));
                }
                let ty = frame.body.ty(data.operands[0]);
                let ScalarKind::Int(width) = self.kind(ty)? else {
                    return Err(self.unknown(data));
                };
                let mut bounds = [0; 3];
                for (bound, &value) in bounds.iter_mut().zip(&data.operands) {
                    *bound = gridloom::ir::scalar::sext(frame.datum(value)?.bits, width);
                }
                self.counted(frame, data, bounds, &data.operands[3..])
            }
            affine::IF => {
                let set = self
                    .attr(data, "condition")?
                    .as_set(self.ctx)
                    .ok_or("a set was expected")?;
                let at = frame.ints(&data.operands)?;
                let holds = set
                    .contains(self.ctx, &at)
                    .ok_or("a condition that overflows")?;
                self.two_way(frame, data, holds)
            }
            scf::IF => {
                // Inside of a branch the condition is a constant.
                let condition = data.operands[0];
                let tested = frame.datum(condition)?;
                frame.set(condition, Held::scalar(Datum::known(tested.bits)));
                self.two_way(frame, data, tested.bits & 1 != 0)?;
                frame.set(condition, Held::scalar(tested));
                Ok(())
            }
            scf::WHILE => self.while_loop(frame, data),
            scf::EXECUTE_REGION => {
                let region = self.inner(data, 0)?;
                let end = self.region(frame, region)?;
                let values = frame.all(&end.data.operands)?;
                self.set_results(frame, data, values);
                Ok(())
            }
            affine::PARALLEL => self.affine_parallel(frame, data),
            scf::PARALLEL => self.scf_parallel(frame, data),
            _ => self.memref(frame, data),
        }
    }

    fn inner(&self, data: &OpData, number: usize) -> Result<RegionId, Untraced> {
        let region = data.inline_regions().get(number).copied();
        region.ok_or_else(|| "a region is missing".to_owned())
    }

    /// Traces a loop with carried values.
    fn counted(
        &mut self,
        frame: &mut Frame<'m>,
        data: &'m OpData,
        [lower, upper, step]: [i64; 3],
        inits: &[Value],
    ) -> Result<(), Untraced> {
        let region = self.inner(data, 0)?;
        let entry = frame.body[region].entry().ok_or("a loop without a body")?;
        let mut carried = frame.all(inits)?;
        let bounds = Bounds {
            lower: vec![lower],
            upper: vec![upper],
            steps: vec![step],
        };
        for point in bounds.points()? {
            self.enter(frame, region, &point)?;
            let args = frame.body[entry].args[1..].to_vec();
            for (arg, value) in args.into_iter().zip(carried) {
                frame.set(arg, value);
            }
            let end = self.region(frame, region)?;
            carried = frame.all(&end.data.operands)?;
        }
        self.set_results(frame, data, carried);
        Ok(())
    }

    /// Sets the counters for an iteration.
    fn enter(
        &self,
        frame: &mut Frame<'m>,
        region: RegionId,
        point: &[i64],
    ) -> Result<(), Untraced> {
        let entry = frame.body[region].entry().ok_or("a loop without a body")?;
        let args = frame.body[entry].args.to_vec();
        for (arg, &value) in args.into_iter().zip(point) {
            let bits = match self.kind(frame.body.ty(arg))? {
                ScalarKind::Int(width) => gridloom::ir::scalar::mask(value as u64, width),
                _ => return Err("a counter that is no integer".to_owned()),
            };
            frame.set(arg, Held::scalar(Datum::known(bits)));
        }
        Ok(())
    }

    fn two_way(
        &mut self,
        frame: &mut Frame<'m>,
        data: &'m OpData,
        holds: bool,
    ) -> Result<(), Untraced> {
        let region = self.inner(data, usize::from(!holds));
        let taken = region
            .ok()
            .filter(|&region| frame.body[region].entry().is_some());
        let Some(region) = taken else {
            return Ok(());
        };
        let end = self.region(frame, region)?;
        let values = frame.all(&end.data.operands)?;
        self.set_results(frame, data, values);
        Ok(())
    }

    fn while_loop(&mut self, frame: &mut Frame<'m>, data: &'m OpData) -> Result<(), Untraced> {
        let (before, after) = (self.inner(data, 0)?, self.inner(data, 1)?);
        let mut values = frame.all(&data.operands)?;
        loop {
            self.pass_on(frame, before, values)?;
            let end = self.region(frame, before)?;
            let (condition, passed) = end.data.operands.split_first().ok_or("no condition")?;
            let goes_on = frame.int(*condition)? & 1 != 0;
            let passed = frame.all(passed)?;
            if !goes_on {
                self.set_results(frame, data, passed);
                return Ok(());
            }
            self.pass_on(frame, after, passed)?;
            let end = self.region(frame, after)?;
            values = frame.all(&end.data.operands)?;
        }
    }

    /// Sets the arguments of a region.
    fn pass_on(
        &self,
        frame: &mut Frame<'m>,
        region: RegionId,
        values: Vec<Held>,
    ) -> Result<(), Untraced> {
        let entry = frame.body[region]
            .entry()
            .ok_or("a region without a block")?;
        for (arg, value) in frame.body[entry].args.iter().copied().zip(values) {
            frame.set(arg, value);
        }
        Ok(())
    }

    /// Runs unordered iterations; `each` receives the terminator of each one.
    fn unordered(
        &mut self,
        frame: &mut Frame<'m>,
        region: RegionId,
        bounds: &Bounds,
        each: &mut dyn FnMut(&mut Self, &mut Frame<'m>, &'m OpData) -> Result<(), Untraced>,
    ) -> Result<(), Untraced> {
        self.watches.push(Watch::new(0));
        for point in bounds.points()? {
            self.enter(frame, region, &point)?;
            let end = self.region(frame, region)?;
            each(self, frame, end.data)?;
            if let Some(watch) = self.watches.last_mut() {
                watch.advance();
            }
        }
        self.watches.pop();
        Ok(())
    }

    fn affine_parallel(&mut self, frame: &mut Frame<'m>, data: &'m OpData) -> Result<(), Untraced> {
        let map = self.attr(data, "lowerBoundsMap")?.as_map(self.ctx);
        let inputs = map.ok_or("a map was expected")?.num_inputs(self.ctx);
        let (lower, upper) = data.operands.split_at(inputs);
        let lower = self.map_ints(frame, data, "lowerBoundsMap", lower)?;
        let upper = self.map_ints(frame, data, "upperBoundsMap", upper)?;
        let bounds = Bounds {
            lower: self.best(data, "lowerBoundsGroups", &lower, i64::max)?,
            upper: self.best(data, "upperBoundsGroups", &upper, i64::min)?,
            steps: self.int_list(data, "steps")?,
        };
        let kinds = self.int_list(data, "reductions")?;
        let mut left = Vec::new();
        for (result, number) in data.results().zip(kinds) {
            let how = Accumulate::from_number(number).ok_or_else(|| self.unknown(data))?;
            let kind = self.kind(frame.body.ty(result))?;
            left.push((how, kind, Datum::known(how.identity(kind))));
        }
        let region = self.inner(data, 0)?;
        self.unordered(frame, region, &bounds, &mut |this, frame, end| {
            for ((how, kind, value), &yielded) in left.iter_mut().zip(&end.operands) {
                let combined = accumulated(*how, *kind, *value, frame.datum(yielded)?);
                *value = combined.ok_or_else(|| this.unknown(data))?;
            }
            Ok(())
        })?;
        let values = left
            .into_iter()
            .map(|(.., value)| Held::scalar(value))
            .collect();
        self.set_results(frame, data, values);
        Ok(())
    }

    fn int_list(&self, data: &OpData, name: &str) -> Result<Vec<i64>, Untraced> {
        let list = self.attr(data, name)?.as_array(self.ctx).unwrap_or(&[]);
        Ok(list
            .iter()
            .filter_map(|item| item.as_i64(self.ctx))
            .collect())
    }

    /// The effective bound of each loop: the extremum of its group of bounds.
    fn best(
        &self,
        data: &OpData,
        name: &str,
        all: &[i64],
        best: fn(i64, i64) -> i64,
    ) -> Result<Vec<i64>, Untraced> {
        let mut sizes = self.constants(self.attr(data, name)?, ScalarKind::Int(32))?;
        // A splat gives every loop's group size.
        if let [size] = sizes[..]
            && size > 0
        {
            sizes = vec![size; all.len() / size as usize];
        }
        let mut rest = all;
        let mut bounds = Vec::new();
        for size in sizes {
            let (group, tail) = rest
                .split_at_checked(size as usize)
                .ok_or("bounds are missing")?;
            rest = tail;
            bounds.push(
                group
                    .iter()
                    .copied()
                    .reduce(best)
                    .ok_or("a loop without a bound")?,
            );
        }
        Ok(bounds)
    }

    fn scf_parallel(&mut self, frame: &mut Frame<'m>, data: &'m OpData) -> Result<(), Untraced> {
        let groups = self.groups(data)?;
        let [lower, upper, steps, inits] = groups[..] else {
            return Err(self.unknown(data));
        };
        let bounds = Bounds {
            lower: frame.ints(lower)?,
            upper: frame.ints(upper)?,
            steps: frame.ints(steps)?,
        };
        let mut left = frame.all(inits)?;
        let region = self.inner(data, 0)?;
        self.unordered(frame, region, &bounds, &mut |this, frame, end| {
            if end.name != scf::REDUCE {
                return Ok(());
            }
            let operands = frame.all(&end.operands)?;
            for (number, operand) in operands.into_iter().enumerate() {
                let combine = this.inner(end, number)?;
                this.pass_on(frame, combine, vec![left[number].clone(), operand])?;
                let end = this.region(frame, combine)?;
                left[number] = frame.get(end.data.operands[0])?;
            }
            Ok(())
        })?;
        self.set_results(frame, data, left);
        Ok(())
    }
}
