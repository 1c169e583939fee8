//! Options of the offload policy: the target, its limits, and how loops are divided among its
//! threads.

use gridloom_dialects::memory_space::MemorySpaces;
use gridloom_ir::types::FloatKind;

use super::level::OptLevel;
use super::machine::{Machine, Tiling};
use super::tuning::Tuned;

/// Product `a * b + c` of an `m` by `k` and a `k` by `n` matrix that the threads of a subgroup compute
/// together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatrixProduct {
    /// Rows of `a`, `c` and the result.
    pub m: i64,
    /// Columns of `b`, `c` and the result.
    pub n: i64,
    /// Columns of `a` and rows of `b`.
    pub k: i64,
    /// Element type of `a` and `b`.
    pub factors: FloatKind,
    /// Element type of `c` and the result.
    pub sums: FloatKind,
}

/// Device that kernels are compiled for, where known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// Name of the device in messages.
    pub name: String,
    /// Whether the device has 64-bit floats.
    pub f64: bool,
    /// Whether the device has 64-bit integers.
    pub i64: bool,
    /// Whether the device has atomic updates of 64-bit integers.
    pub i64_atomic: bool,
    /// Limit of the workgroup memory of one kernel, in bytes.
    pub workgroup_memory: i64,
    /// Products of matrices that its subgroups compute together.
    pub matrices: Vec<MatrixProduct>,
    /// Limit of the storage buffers of one kernel; `None` where it is checked at launch.
    pub storage_buffers: Option<u32>,
}

/// Limits of unrolled loops inside of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unrolling {
    /// Rounds of a loop that become one.
    pub rounds: u64,
    /// Operations of such a round, for all iterations of a thread's tile.
    pub operations: u64,
    /// The same in nests that stream from memory, where the target maps these by a model of their own.
    pub streamed: u64,
}

impl Unrolling {
    /// No loop is unrolled.
    pub const NONE: Unrolling = Unrolling {
        rounds: 1,
        operations: 0,
        streamed: 0,
    };

    /// The limits for nests that stream from memory.
    pub fn of_streams(self) -> Unrolling {
        Unrolling {
            operations: self.streamed,
            ..self
        }
    }
}

/// Options of the offload policy: the target, and how loops are divided among its threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OffloadOptions {
    /// Passes of the pipeline that run; [`OffloadOptions::at_level`] sets it together with what depends
    /// on it.
    pub level: OptLevel,
    /// Limit of the threads of a workgroup; 256 is legal on every device.
    pub max_threads: i64,
    /// Preferred workgroup size along x, y and z, for grids of one, two and three dimensions.
    pub workgroup: [[i64; 3]; 3],
    /// Meaning of named memory spaces.
    pub spaces: MemorySpaces,
    /// The device; nests that it cannot run stay on the host. `None` allows everything.
    pub target: Option<Target>,
    /// Whether a nest that stays on the host because the device lacks a feature is an error.
    pub require_device: bool,
    /// Register tile of a thread.
    pub tiling: Tiling,
    /// Schedules tuned for the device, which take precedence over the cost model; `None` without a
    /// database.
    pub tuned: Option<Tuned>,
    /// Whether the tiles of a workgroup interleave along x; else each is one run of
    /// iterations.
    pub is_spread: bool,
    /// Limit of the rounds of a loop over windows along rows, with loops inside of it, up to which
    /// they are unrolled, so that tiles keep in registers what neighbouring windows share; 0 unrolls none.
    pub window: u64,
    /// The same for a loop that does not go along rows, such as the one around it.
    pub window_around: u64,
    /// Whether only windows along rows are unrolled: the others access vectors of neighbours in
    /// each round, and their loops cost little.
    pub row_windows: bool,
    /// Rounds of a thread's inner loops that are unrolled.
    pub unrolling: Unrolling,
    /// Number of points of a tile from which accesses outside of loops are rolled into a loop over
    /// the points, for drivers that take long to compile accesses; `None` where loops cost more.
    pub rolled: Option<usize>,
    /// Whether the workgroups of a grid of run-time size stride over iterations that 65,535 of them
    /// along a dimension do not cover. Else the grid has full size, and the launch is split into
    /// parts.
    pub walks_grid: bool,
    /// Number of workgroups beyond which the threads of parallel loops with bounds that are not affine run several
    /// iterations; `None` where workgroups cost next to nothing.
    pub most_workgroups: Option<i64>,
    /// Whether transfers to workgroup memory are split: loaded into registers at the start, stored at
    /// the wait. It hides latency where workgroup memory and loads in flight are hardware.
    pub splits_transfers: bool,
    /// Whether sums and products of floats may be regrouped (relaxed floats).
    pub reassociate: bool,
    /// Shape of parallel reductions.
    pub reduction: ReductionShape,
    /// Groups of threads and threads of a group that update data-dependent elements in private
    /// arrays; `None` where atomic updates are better.
    pub private_updates: Option<[i64; 2]>,
    /// Bytes of workgroup memory that a kernel may stage loads in; 0 stages none.
    pub workgroup_memory: i64,
    /// Chunk size of staged loops, in iterations, wherever staging is legal; `None` for the cost
    /// model's choice, which stages only where it pays.
    pub chunk: Option<i64>,
    /// Cost model of launches.
    pub launch_cost: LaunchCost,
    /// Shape of persistent workgroups, which run a whole loop with barriers between its steps.
    pub persistent: PersistentShape,
    /// Profitability threshold of loop nests that one thread runs in place of the host, in operations; `None` where a
    /// thread is no faster.
    pub serial_least: Option<i64>,
    /// Whether remarks cover every loop, not only affine loops that stay on the host.
    pub verdicts: bool,
    /// Whether nothing but kernels is wanted: host functions without one are dropped once nests are mapped.
    pub only_kernels: bool,
}

/// Reduction shape: how a reduction's iterations are distributed over threads. Groups of adjacent
/// threads each walk a span of their own; in it every thread takes a vector of adjacent iterations,
/// then the one that lies a whole group further on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReductionShape {
    /// Profitability threshold: loops with fewer iterations stay, where the number is known.
    pub least: i64,
    /// Threads that walk a span together: those that run in lockstep.
    pub lanes: i64,
    /// Adjacent iterations that a thread takes at once, each into a partial
    /// result of its own.
    pub vector: i64,
    /// Preferred number of groups for long loops.
    pub groups: i64,
    /// Iterations of a group's span where the trip count is unknown.
    pub span: i64,
    /// Limit of the partial results that one thread combines.
    pub direct: i64,
    /// Threads that share the reduction of one iteration of a parallel loop; 0 disables this.
    pub band_lanes: i64,
    /// Profitability threshold of rows whose loops the threads of a workgroup share: one thread takes
    /// a row with a loop of fewer iterations, where the number is known.
    pub row_least: i64,
    /// Rows in a chunk of a reduction across rows.
    pub chunk: i64,
    /// Profitability threshold of reductions in parallel loops: those with fewer iterations stay,
    /// where the number is known.
    pub band_least: i64,
    /// Whether a group is a workgroup that combines its partial results in workgroup memory.
    pub shares: bool,
}

/// Cost model of launches that depend on each other, so that none hides the cost of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaunchCost {
    /// Cost of a launch, in operations of the host.
    pub launch: i64,
    /// Threads that run at once, each as fast as the host.
    pub threads: i64,
}

impl LaunchCost {
    /// The time of a launch of `points` iterations that take `work` operations in all, in operations of the host.
    pub fn time(self, work: f64, points: f64) -> f64 {
        self.launch as f64 + work / points.min(self.threads as f64)
    }
}

/// Shape and costs of a persistent workgroup, in operations of the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PersistentShape {
    /// Limit of the threads.
    pub lanes: i64,
    /// Operations that all threads together complete in the time of one host operation.
    pub speed: i64,
    /// Operations that the threads of a launch complete in this time.
    pub launched: i64,
    /// Cost of a barrier.
    pub barrier: i64,
    /// Limit of the cost of a kernel: drivers abort kernels that run for seconds.
    pub most: i64,
}

impl PersistentShape {
    /// Host operations in the time of one operation of a single thread.
    pub fn slowness(self) -> f64 {
        self.lanes as f64 / self.speed as f64
    }
}

impl Target {
    /// Options of a GPU whose subgroups multiply matrices of 16-bit floats, with 32-bit sums.
    pub fn with_matrices() -> Self {
        Target {
            name: "a GPU with cooperative matrices".to_owned(),
            f64: true,
            i64: true,
            i64_atomic: true,
            workgroup_memory: 48 << 10,
            matrices: vec![MatrixProduct {
                m: 16,
                n: 16,
                k: 16,
                factors: FloatKind::F16,
                sums: FloatKind::F32,
            }],
            storage_buffers: None,
        }
    }
}

impl OffloadOptions {
    /// The matrix products that kernels may use: those of the target, unless strict floats fix the
    /// order of additions.
    pub fn products(&self) -> Vec<MatrixProduct> {
        let target = self.target.as_ref().filter(|_| self.reassociate);
        target.map_or(Vec::new(), |target| target.matrices.clone())
    }

    /// Returns the options for discrete and integrated GPUs.
    pub fn gpu() -> Self {
        OffloadOptions {
            level: OptLevel::O2,
            max_threads: 256,
            workgroup: [[256, 1, 1], [32, 8, 1], [32, 4, 2]],
            spaces: MemorySpaces::default(),
            target: None,
            require_device: false,
            tiling: Tiling::Model(Box::new(Machine::gpu())),
            tuned: None,
            is_spread: true,
            // Covers a 27-point stencil and a depthwise convolution of 5 by 5.
            window: 32,
            window_around: 32,
            row_windows: false,
            unrolling: Unrolling::NONE,
            rolled: None,
            walks_grid: true,
            most_workgroups: None,
            splits_transfers: true,
            reassociate: true,
            reduction: ReductionShape {
                least: 64,
                lanes: 256,
                vector: 4,
                groups: 256,
                span: 1 << 16,
                direct: 512,
                band_lanes: 32,
                // Half of the threads that run in lockstep would idle.
                row_least: 16,
                chunk: 32,
                band_least: 1 << 18,
                shares: true,
            },
            private_updates: None,
            // The least limit of any device, by WebGPU and Vulkan.
            workgroup_memory: 16 << 10,
            chunk: None,
            launch_cost: LaunchCost {
                launch: 500,
                threads: 1 << 12,
            },
            // One multiprocessor out of some hundred, whose threads wait for memory.
            persistent: PersistentShape {
                lanes: 256,
                speed: 64,
                launched: 1 << 12,
                barrier: 20,
                most: 1 << 26,
            },
            serial_least: None,
            verdicts: false,
            only_kernels: false,
        }
    }

    /// Returns the options for drivers on the CPU that cannot compile long kernel bodies: a thread
    /// computes one iteration.
    pub fn slow_compiler() -> Self {
        let shape = Self::cpu_driver().reduction;
        OffloadOptions {
            workgroup: [[64, 1, 1], [16, 4, 1], [16, 4, 1]],
            tiling: Tiling::Fixed(Vec::new()),
            // Each split costs another kernel.
            reduction: ReductionShape {
                band_lanes: 0,
                ..shape
            },
            ..Self::cpu_driver()
        }
    }

    /// Returns the options for drivers that run kernels on the CPU and gather the elements of all
    /// lanes in one instruction.
    pub fn gathering_cpu_driver() -> Self {
        OffloadOptions {
            tiling: Tiling::Model(Box::new(Machine::gathering_cpu_driver())),
            unrolling: Unrolling {
                rounds: 8,
                operations: 640,
                // Accesses of bound buffers are a branch for each lane: a round of more than eight loads
                // is slower than the loop. Measured on running sums and maxima of columns.
                streamed: 32,
            },
            // Neighbours in a vector access are gathered one by one.
            row_windows: false,
            ..Self::cpu_driver()
        }
    }

    /// Returns the options for such drivers on processors whose gathers wait for memory.
    pub fn slow_gathering_cpu_driver() -> Self {
        OffloadOptions {
            tiling: Tiling::Model(Box::new(Machine::slow_gathering_cpu_driver())),
            ..Self::gathering_cpu_driver()
        }
    }

    /// Returns the options for drivers that run kernels on the CPU.
    pub fn cpu_driver() -> Self {
        OffloadOptions {
            workgroup: [[8, 1, 1], [8, 1, 1], [8, 1, 1]],
            tiling: Tiling::Model(Box::new(Machine::cpu_driver())),
            is_spread: false,
            window: 32,
            // A window of 3 by 3, and of one of 5 by 5 the rows: compiled accesses are long, and more of them than
            // the caches of instructions hold cost more than a loop.
            window_around: 16,
            row_windows: true,
            rolled: Some(48),
            // Their compilers keep variables that a loop may change in memory around it.
            walks_grid: false,
            most_workgroups: Some(1024),
            splits_transfers: false,
            reduction: ReductionShape {
                least: 64,
                lanes: 8,
                vector: 4,
                groups: 64,
                span: 1 << 14,
                direct: 1024,
                band_lanes: 8,
                // Measured on lavapipe: a workgroup costs what it takes to compute some 90 elements.
                row_least: 96,
                chunk: 128,
                band_least: 1 << 18,
                shares: false,
            },
            private_updates: Some([64, 8]),
            // Their workgroup memory is no faster than other memory.
            workgroup_memory: 0,
            launch_cost: LaunchCost {
                launch: 1500,
                threads: 16,
            },
            // One core, whose lanes run in lockstep, and several. Measured on lavapipe: a launch in a loop of the host takes
            // 50 µs, an operation of a workgroup 0.35 ns.
            persistent: PersistentShape {
                lanes: 8,
                speed: 64,
                launched: 256,
                barrier: 5,
                most: 1 << 26,
            },
            // Measured on lavapipe: the host takes some 22 ns an operation, one thread 1 ns, and the driver 60 ms or more
            // to compile a kernel.
            serial_least: Some(1 << 21),
            ..Self::gpu()
        }
    }
}

impl Default for OffloadOptions {
    fn default() -> Self {
        Self::gpu()
    }
}
