//! Streamed buffers: those of which a launch accesses each element only a few times, in short loop bodies.
//!
//! Where the gathers of a processor wait for memory (`DeviceInfo::gathers_slowly`), a kernel that reaches such a
//! buffer by its address runs at the speed of the gathers. Bound, each access is a branch and a load for each lane,
//! which bodies of many accesses, and accesses to what is in the cache, pay for: these stay with the address. So do buffers
//! that only single elements are stored to, as long as the caches hold all of a launch's buffers.

use gridloom_dialects::vector::VectorShape;
use gridloom_dialects::{memref, scf, vector};
use gridloom_interp::Argument;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{BlockId, Body, Context, OpId, Value};

use super::index_width::{LaunchConfig, Ranges};

/// Limit of the accesses of one loop body to a streamed buffer, times how often the kernel accesses each element on
/// average. Measured: a bound buffer is the faster one at 8 (max pooling), 9 (layer normalization) and 16 (a transposed matrix
/// times a vector), the slower one at 28 (a five-point stencil) and 32 (the results of a depthwise convolution).
const MAX_ACCESSES: f64 = 16.0;

/// Limit of the elements of all buffers that the caches are taken to hold, a quarter of what the last cache of a processor has. Measured
/// on running sums along columns, where results are stored by address: 7 to 23 % faster up to 2^21 elements, 15 to 30 % slower from 2.4
/// million on.
const MAX_CACHED: f64 = (1 << 21) as f64;

/// The memref arguments of a kernel that a launch streams. An argument that is used for anything but loads and stores of
/// elements is not among them.
pub(super) fn streamed(ctx: &Context, kernel: &Body, launch: &LaunchConfig<'_>) -> Vec<u32> {
    let (Some(entry), Some(ranges)) = (kernel.entry(), Ranges::of_narrow(ctx, kernel, launch))
    else {
        return Vec::new();
    };
    let arguments = &kernel[entry].args;
    let mut walk = Walk {
        ctx,
        kernel,
        ranges,
        arguments: arguments.iter().copied().zip(0..).collect(),
        longest: vec![0.0; arguments.len()],
        waits: vec![false; arguments.len()],
    };
    let of_a_thread = walk.accesses(entry);
    let sizes = launch.grid.iter().chain(&launch.block);
    let threads: f64 = sizes.map(|&size| size as f64).product();
    let elements_of = |argument: &Argument| -> Option<f64> {
        match argument {
            Argument::MemRef(_, view) => Some(view.sizes.iter().map(|&size| size as f64).product()),
            _ => None,
        }
    };
    let all: f64 = launch.arguments.iter().filter_map(elements_of).sum();
    let is_streamed = |&arg: &usize| {
        let Some(elements) = launch.arguments.get(arg).and_then(elements_of) else {
            return false;
        };
        let waits = walk.waits[arg] || all > MAX_CACHED;
        waits && of_a_thread[arg] * threads * walk.longest[arg] <= MAX_ACCESSES * elements
    };
    let streamed = (0..arguments.len()).filter(is_streamed);
    streamed.map(|arg| arg as u32).collect()
}

/// Counts of the elements that a thread accesses.
struct Walk<'a> {
    ctx: &'a Context,
    kernel: &'a Body,
    ranges: Ranges<'a>,
    arguments: FxHashMap<Value, usize>,
    /// The most accesses of one block to each argument, loops inside aside.
    longest: Vec<f64>,
    /// Whether each argument is accessed otherwise than by stores of single elements: loads wait for memory, and a vector
    /// is one access of a bound buffer.
    waits: Vec<bool>,
}

impl Walk<'_> {
    /// The elements that one execution of a block accesses of each argument; infinitely many where that is unknown.
    fn accesses(&mut self, block: BlockId) -> Vec<f64> {
        let kernel = self.kernel;
        let mut all = vec![0.0; self.longest.len()];
        let mut here = all.clone();
        for op in kernel.ops(block) {
            for (number, operand) in kernel[op].operands.iter().enumerate() {
                let Some(&arg) = self.arguments.get(operand) else {
                    continue;
                };
                all[arg] += self.elements(op, number);
                here[arg] += 1.0;
                self.waits[arg] |= !matches!(kernel[op].name, memref::STORE | memref::DIM);
            }
            for (sum, more) in all.iter_mut().zip(self.below(op)) {
                *sum += more;
            }
        }
        for (longest, here) in self.longest.iter_mut().zip(here) {
            *longest = longest.max(here);
        }
        all
    }

    /// The elements that the regions of an operation access of each argument. Of branches the one with the most counts.
    fn below(&mut self, op: OpId) -> Vec<f64> {
        let mut most = vec![0.0; self.longest.len()];
        for &region in self.kernel[op].inline_regions() {
            let Some(block) = self.kernel[region].entry() else {
                continue;
            };
            for (most, count) in most.iter_mut().zip(self.accesses(block)) {
                *most = count.max(*most);
            }
        }
        let rounds = self.rounds(op);
        let in_rounds = |count: f64| if count == 0.0 { 0.0 } else { count * rounds };
        most.into_iter().map(in_rounds).collect()
    }

    /// The elements of an argument, an operand of an operation, that this accesses itself.
    fn elements(&self, op: OpId, operand: usize) -> f64 {
        let data = &self.kernel[op];
        let vector = match (data.name, operand) {
            (memref::LOAD, 0) | (memref::STORE, 1) => return 1.0,
            (vector::LOAD, 0) => data.result(0),
            (vector::STORE, 1) => data.operands[0],
            (memref::DIM, _) => return 0.0,
            _ => return f64::INFINITY,
        };
        let shape = VectorShape::of(self.ctx, self.kernel.ty(vector));
        shape.map_or(f64::INFINITY, |vector| {
            vector.shape.iter().map(|&size| size as f64).product()
        })
    }

    /// Trip count of an operation's regions. Of bounds that differ from thread to thread their middle counts.
    fn rounds(&self, op: OpId) -> f64 {
        let data = &self.kernel[op];
        match data.name {
            scf::IF | scf::INDEX_SWITCH | scf::EXECUTE_REGION => 1.0,
            scf::FOR => {
                let middle = |value: Value| {
                    let (least, most) = self.ranges.of(value)?;
                    Some((least as f64 + most as f64) / 2.0)
                };
                let [lower, upper, step] = [0, 1, 2].map(|number| middle(data.operands[number]));
                let rounds = (lower.zip(upper).zip(step))
                    .map(|((lower, upper), step)| ((upper - lower) / step).max(1.0));
                rounds.unwrap_or(f64::INFINITY)
            }
            _ => f64::INFINITY,
        }
    }
}

#[cfg(test)]
mod tests {
    use gridloom_interp::{MemRef, Memory, ScalarKind};

    use super::*;

    /// The streamed arguments of a kernel in a launch of a thread in each of `grid` workgroups, by their sizes. A buffer
    /// that the kernel leaves alone fills the caches.
    fn streamed_of(kernel: &str, grid: i64, sizes: &[&[i64]]) -> Vec<u32> {
        let sizes: Vec<&[i64]> = sizes.iter().copied().chain([&[1 << 21][..]]).collect();
        streamed_of_cached(kernel, grid, &sizes)
    }

    /// The same without such a buffer.
    fn streamed_of_cached(kernel: &str, grid: i64, sizes: &[&[i64]]) -> Vec<u32> {
        let text = format!("gpu.module @m {{ gpu.func @k{kernel} }}");
        let ctx = crate::context();
        let module = crate::parse(&ctx, "kernel.mlir", text.as_bytes()).expect("it parses");
        let inner = |body: &Body| {
            let op = body.walk().into_iter().next().expect("one operation");
            body[op].isolated().expect("with a body").clone()
        };
        let mut memory = Memory::new(1 << 24, false);
        let mut argument = |sizes: &&[i64]| {
            let alloc = memory.allocate(1, ScalarKind::F32).expect("it fits");
            let view = MemRef {
                alloc,
                base: 0,
                offset: 0,
                sizes: sizes.iter().copied().collect(),
                strides: sizes.iter().map(|_| 1).collect(),
            };
            Argument::MemRef(ScalarKind::F32, view)
        };
        let arguments: Vec<Argument> = sizes.iter().map(&mut argument).collect();
        let launch = LaunchConfig {
            grid: [grid, 1, 1],
            part: None,
            block: [1, 1, 1],
            arguments: &arguments,
        };
        streamed(&ctx, &inner(&inner(module.body())), &launch)
    }

    #[test]
    fn rows_are_streamed_and_what_all_rows_read_is_not() {
        let kernel = "(%m: memref<?x?xf32>, %x: memref<?xf32>, %n: memref<?xf32>) kernel {
          %row = gpu.block_id x
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %z = arith.constant 0.0 : f32
          %columns = memref.dim %m, %c1 : memref<?x?xf32>
          %sum = scf.for %k = %c0 to %columns step %c1 iter_args(%s = %z) -> f32 {
            %a = memref.load %m[%row, %k] : memref<?x?xf32>
            %b = memref.load %x[%k] : memref<?xf32>
            %p = arith.mulf %a, %b : f32
            %q = arith.addf %s, %p : f32
            scf.yield %q : f32
          }
          memref.store %sum, %n[%row] : memref<?xf32>
          gpu.return
        }";
        assert_eq!(
            streamed_of(kernel, 100, &[&[100, 64], &[64], &[100]]),
            [0, 2]
        );
        // The caches hold all: the sums are only stored.
        assert_eq!(
            streamed_of_cached(kernel, 100, &[&[100, 64], &[64], &[100]]),
            [0]
        );
        let by_vectors = "(%x: memref<?xf32>) kernel {
          %t = gpu.block_id x
          %v = arith.constant dense<1.0> : vector<4xf32>
          vector.store %v, %x[%t] : memref<?xf32>, vector<4xf32>
          gpu.return
        }";
        assert_eq!(streamed_of_cached(by_vectors, 100, &[&[400]]), [0]);
        // Of eight rows, each element of the vector is read eight times.
        assert_eq!(streamed_of(kernel, 8, &[&[8, 64], &[64], &[8]]), [0, 1, 2]);
    }

    #[test]
    fn of_branches_the_longer_one_counts_and_of_bounds_their_middle() {
        let kernel = "(%x: memref<?xf32>, %y: memref<?xf32>) kernel {
          %t = gpu.block_id x
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c8 = arith.constant 8 : index
          %from = arith.muli %t, %c8 : index
          %to = arith.addi %from, %c8 : index
          scf.for %i = %from to %to step %c1 {
            %all = arith.cmpi slt, %i, %c8 : index
            scf.if %all {
              %v = memref.load %x[%i] : memref<?xf32>
              memref.store %v, %y[%i] : memref<?xf32>
              memref.store %v, %y[%t] : memref<?xf32>
            } else {
              %v = memref.load %x[%i] : memref<?xf32>
              memref.store %v, %y[%t] : memref<?xf32>
            }
          }
          gpu.return
        }";
        assert_eq!(streamed_of(kernel, 100, &[&[800], &[800]]), [0, 1]);
        // 800 loads, one in a body; 1,600 stores, two in a body.
        assert_eq!(streamed_of(kernel, 100, &[&[50], &[200]]), [0, 1]);
        assert_eq!(streamed_of(kernel, 100, &[&[49], &[199]]), [0; 0]);
    }

    #[test]
    fn what_is_used_otherwise_or_accessed_unknown_times_is_not_streamed() {
        let kernel = "(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<?xf32>) kernel {
          %t = gpu.block_id x
          %c = arith.constant 0 : index
          %one = arith.constant 1.0 : f32
          %part = memref.subview %x[0] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1]>>
          memref.store %one, %part[%c] : memref<1xf32, strided<[1]>>
          scf.while : () -> () {
            %v = memref.load %y[%t] : memref<?xf32>
            %more = arith.cmpf olt, %v, %one : f32
            scf.condition(%more)
          } do {
            memref.store %one, %y[%t] : memref<?xf32>
            scf.yield
          }
          memref.store %one, %z[%t] : memref<?xf32>
          gpu.return
        }";
        assert_eq!(streamed_of(kernel, 9, &[&[9], &[9], &[9]]), [2]);
    }
}
