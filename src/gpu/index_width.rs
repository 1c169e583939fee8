//! Index width: whether `index` may be 32 bits wide in one launch of a kernel.
//!
//! Interval analysis with everything that is known at launch: the grid, the sizes and the scalars.
//! 32 bits are right when every `index` value the kernel computes lies within `i32`; then
//! arithmetic modulo 2^32 and modulo 2^64 give the same numbers. A value that the analysis cannot
//! bound needs 64 bits, and so does an operation that depends on more bits of an index than its
//! value: a loop that counts unsigned, a case beyond 32 bits. A register of 32 bits stands for the
//! 64-bit number with its sign; which makes conversions to wider integers and unsigned comparisons
//! correct.

use gridloom_dialects::integer_range::{self, Interval, common, of_counter};
use gridloom_dialects::{gpu, inherent, memref, scf};
use gridloom_interp::{Argument, MemRef, ScalarKind};
use gridloom_ir::body::{Body, OpId, Value, ValueDef};
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{Context, OpName};

use super::variant::Part;

pub mod memo;

const NARROW: Interval = (i32::MIN as i128, i32::MAX as i128);

/// Launch configuration: grid, workgroup and arguments of one launch.
#[derive(Debug)]
pub struct LaunchConfig<'a> {
    /// Workgroups.
    pub grid: [i64; 3],
    /// The part of the grid in question, if not the whole grid.
    pub part: Option<Part>,
    /// Threads of a workgroup.
    pub block: [i64; 3],
    /// The kernel's arguments.
    pub arguments: &'a [Argument],
}

/// Whether all element positions of a view fit 32 bits.
pub fn view_fits(view: &MemRef) -> bool {
    let strides = view.strides.iter().chain(&view.sizes).chain([&view.offset]);
    let narrow = strides.into_iter().all(|&v| fits((v.into(), v.into())));
    narrow && view.extent().is_none_or(|(low, high)| fits((low, high)))
}

fn fits((low, high): Interval) -> bool {
    NARROW.0 <= low && high <= NARROW.1
}

/// Intervals of a kernel's values in a launch.
pub struct Ranges<'a> {
    ctx: &'a Context,
    kernel: &'a Body,
    launch: &'a LaunchConfig<'a>,
    /// Intervals of integers by argument; `None` for another argument.
    numbers: Vec<Option<Interval>>,
    known: FxHashMap<Value, Interval>,
}

impl<'a> Ranges<'a> {
    /// The intervals in launches with these integers in place of the arguments.
    fn within(
        ctx: &'a Context,
        kernel: &'a Body,
        launch: &'a LaunchConfig<'a>,
        numbers: Vec<Option<Interval>>,
    ) -> Self {
        Ranges {
            ctx,
            kernel,
            launch,
            numbers,
            known: FxHashMap::default(),
        }
    }

    /// The intervals in a launch whose indices all fit 32 bits; `None` otherwise.
    pub fn of_narrow(
        ctx: &'a Context,
        kernel: &'a Body,
        launch: &'a LaunchConfig<'a>,
    ) -> Option<Self> {
        let mut ranges = Ranges::within(ctx, kernel, launch, numbers_of(launch));
        ranges.first_wide_value().is_none().then_some(ranges)
    }

    fn first_wide_value(&mut self) -> Option<Value> {
        self.arguments().or_else(|| {
            let ops = self.kernel.walk();
            ops.into_iter().find_map(|op| self.operation(op))
        })
    }

    /// Binds the kernel's parameters. Returns one that is too wide.
    fn arguments(&mut self) -> Option<Value> {
        let entry = self.kernel.entry()?;
        let args = self.kernel[entry].args.iter().zip(self.launch.arguments);
        for ((&arg, given), &numbers) in args.zip(&self.numbers) {
            if let Some(numbers) = numbers {
                let of_type = self.of_type(arg).unwrap_or(numbers);
                self.known.insert(arg, common(numbers, of_type));
                if self.kernel.ty(arg).is_index(self.ctx) && !fits(numbers) {
                    return Some(arg);
                }
            }
            if matches!(given, Argument::MemRef(_, view) if !view_fits(view)) {
                return Some(arg);
            }
        }
        None
    }

    /// Computes intervals of an operation's results and its regions' arguments. Pre-order visits
    /// definitions before uses, since kernels are structured.
    fn operation(&mut self, op: OpId) -> Option<Value> {
        let data = &self.kernel[op];
        if data.name == scf::INDEX_SWITCH {
            let cases = data.get(self.ctx, inherent::CASES);
            let narrow = |cases: Vec<i64>| cases.iter().all(|&c| fits((c.into(), c.into())));
            if !cases.is_some_and(narrow) {
                return data.operands.first().copied();
            }
        }
        if data.name == scf::FOR {
            let lower = self.of(data.operands[0]);
            let upper = self.of(data.operands[1]);
            let step = self.of(data.operands[2]);
            let iv = self
                .kernel
                .region_block(op, 0)
                .map(|block| self.kernel[block].args[0]);
            let unsigned = data.has_attr(self.ctx, inherent::UNSIGNED_CMP);
            let bounds = lower
                .zip(upper)
                .filter(|(l, u)| !unsigned || l.0 >= 0 && u.0 >= 0)
                .map(|(l, u)| of_counter(l, u, step));
            if let Some(wide) = iv.and_then(|iv| self.note(iv, bounds)) {
                return Some(wide);
            }
            // The counter takes one step past its last value before the loop test sees it.
            let past = bounds.zip(step).map(|(b, s)| (b.0, b.1 + s.1));
            let counts_index = iv.is_some_and(|iv| self.is_index(iv));
            if counts_index && !past.is_some_and(fits) {
                return iv;
            }
        }
        // By induction: a value that enters or leaves a region is checked itself, so it fits as
        // long as all values do.
        for &region in data.inline_regions() {
            let Some(block) = self.kernel[region].entry() else {
                continue;
            };
            let skip = usize::from(data.name == scf::FOR);
            for &arg in self.kernel[block].args.iter().skip(skip) {
                self.passed_on(arg);
            }
        }
        if !data.inline_regions().is_empty() || data.name == memref::LOAD {
            // A loaded element is checked when it is uploaded, or where a kernel computed it.
            data.results().for_each(|result| self.passed_on(result));
            return None;
        }
        if data.name == memref::EXTRACT_STRIDED_METADATA {
            let known = self.metadata(data.operands[0]);
            let mut results = data.results().enumerate();
            return results.find_map(|(number, result)| {
                let value = known.get(number.checked_sub(1)?);
                self.note(result, value.map(|&value| (value.into(), value.into())))
            });
        }
        let bounds = self.result(op);
        data.results().find_map(|result| self.note(result, bounds))
    }

    /// Whether a value is an index, or a vector of them.
    fn is_index(&self, value: Value) -> bool {
        let ty = self.kernel.ty(value);
        ty.element(self.ctx).unwrap_or(ty).is_index(self.ctx) && ty.memref(self.ctx).is_none()
    }

    fn passed_on(&mut self, value: Value) {
        if self.is_index(value) {
            self.known.insert(value, NARROW);
        }
    }

    /// Records an interval. Returns the value if it is an index that may be too wide.
    fn note(&mut self, value: Value, bounds: Option<Interval>) -> Option<Value> {
        if let Some(bounds) = bounds.filter(|&bounds| self.holds(value, bounds)) {
            self.known.insert(value, bounds);
        }
        (self.is_index(value) && !bounds.is_some_and(fits)).then_some(value)
    }

    /// Whether all numbers of an interval exist in a value's type. Integers wrap around, so
    /// intervals beyond those of the type are useless.
    fn holds(&self, value: Value, bounds: Interval) -> bool {
        match self.of_type(value) {
            Some((least, most)) => least <= bounds.0 && bounds.1 <= most,
            None => self.is_index(value),
        }
    }

    /// The interval of a value: the known one, else that of its type.
    pub fn of(&self, value: Value) -> Option<Interval> {
        let known = self.known.get(&value).copied();
        known.or_else(|| self.of_type(value))
    }

    fn of_type(&self, value: Value) -> Option<Interval> {
        integer_range::of_type(self.ctx, self.kernel.ty(value))
    }

    fn result(&self, op: OpId) -> Option<Interval> {
        let data = &self.kernel[op];
        match data.name {
            memref::DIM => self.dim(data.operands[0]),
            name => {
                let computed = integer_range::of_result(self.ctx, self.kernel, op, |v| self.of(v));
                computed.or_else(|| self.id(name, op))
            }
        }
    }

    /// Intervals of thread and workgroup ids and counts.
    fn id(&self, name: OpName, op: OpId) -> Option<Interval> {
        let (grid, block) = (self.launch.grid, self.launch.block);
        let known = [
            gpu::THREAD_ID,
            gpu::BLOCK_ID,
            gpu::BLOCK_DIM,
            gpu::GRID_DIM,
            gpu::GLOBAL_ID,
        ];
        let lanes = i128::from(gpu::SUBGROUP_LANES);
        let threads: i128 = block.iter().map(|&size| i128::from(size)).product();
        match name {
            gpu::LANE_ID => return Some((0, lanes - 1)),
            gpu::SUBGROUP_SIZE => return Some((lanes, lanes)),
            gpu::SUBGROUP_ID | gpu::NUM_SUBGROUPS => return Some((0, threads / lanes + 1)),
            _ if !known.contains(&name) => return None,
            _ => {}
        }
        let dim = self.kernel[op].get(self.ctx, inherent::DIMENSION)? as usize;
        let part = (self.launch.part).map(|part| (part.origin[dim], part.size[dim]));
        let (first, count) = part.unwrap_or((0, grid[dim]));
        let (first, count) = (i128::from(first), i128::from(count));
        let (grid, block) = (i128::from(grid[dim]), i128::from(block[dim]));
        let last = first + (count - 1).max(0);
        Some(match name {
            gpu::THREAD_ID => (0, (block - 1).max(0)),
            gpu::BLOCK_ID => (first, last),
            gpu::BLOCK_DIM => (block, block),
            gpu::GRID_DIM => (grid, grid),
            _ => (first * block, (last * block + block - 1).max(0)),
        })
    }

    /// The interval of a memref parameter's sizes, for any dimension.
    fn dim(&self, memref: Value) -> Option<Interval> {
        let ValueDef::Argument(block, index) = self.kernel[memref].def() else {
            return self.static_dims(memref);
        };
        if Some(block) != self.kernel.entry() {
            return self.static_dims(memref);
        }
        match self.launch.arguments.get(index as usize)? {
            Argument::MemRef(_, view) => {
                Some((0, view.sizes.iter().copied().max().unwrap_or(0).into()))
            }
            Argument::Scalar(..) => None,
        }
    }

    /// Offset, sizes and strides of a memref parameter; empty for another memref.
    fn metadata(&self, memref: Value) -> Vec<i64> {
        let ValueDef::Argument(block, index) = self.kernel[memref].def() else {
            return Vec::new();
        };
        match self.launch.arguments.get(index as usize) {
            Some(Argument::MemRef(_, view)) if Some(block) == self.kernel.entry() => {
                let lists = view.sizes.iter().chain(&view.strides);
                std::iter::once(view.offset).chain(lists.copied()).collect()
            }
            _ => Vec::new(),
        }
    }

    fn static_dims(&self, memref: Value) -> Option<Interval> {
        let memref = self.kernel.ty(memref).memref(self.ctx)?;
        let largest = memref.shape.iter().copied().max().unwrap_or(0);
        memref.has_static_shape().then_some((0, largest.into()))
    }
}

/// The integers among a launch's arguments.
fn numbers_of(launch: &LaunchConfig<'_>) -> Vec<Option<Interval>> {
    let point = |argument| number(argument).map(|number| (number, number));
    launch.arguments.iter().map(point).collect()
}

/// The integer that an argument is, as a signed number.
fn number(argument: &Argument) -> Option<i128> {
    match *argument {
        Argument::Scalar(ScalarKind::Int(width @ 2..), bits) => {
            Some(gridloom_interp::scalar::sext(bits, width).into())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
