//! Options of the offload policy: the target, its limits, and how loops are cut for it.

use gridloom_dialects::memory_space::MemorySpaces;
use gridloom_ir::types::FloatKind;

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

/// The device that kernels are made for, where that is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// Name of the device in messages.
    pub name: String,
    /// Whether it has 64-bit floats.
    pub f64: bool,
    /// Whether it has 64-bit integers.
    pub i64: bool,
    /// Whether it updates 64-bit integers atomically.
    pub i64_atomic: bool,
    /// Bytes of workgroup memory of one kernel, at most.
    pub workgroup_memory: i64,
    /// Products of matrices that its subgroups compute together.
    pub matrices: Vec<MatrixProduct>,
    /// Storage buffers of one kernel, at most; `None` where a launch asks the device.
    pub storage_buffers: Option<u32>,
}

/// Options of the offload policy: the target and how loops are cut for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OffloadOptions {
    /// Most threads of a workgroup; 256 is legal on every device.
    pub max_threads: i64,
    /// Threads along x, y and z that are wanted for grids of one, two and
    /// three dimensions.
    pub workgroup: [[i64; 3]; 3],
    /// Meaning of named memory spaces.
    pub spaces: MemorySpaces,
    /// The device: what it lacks stays on the host. `None` allows everything.
    pub target: Option<Target>,
    /// A nest that stays on the host for what the device lacks is an error.
    pub require_device: bool,
    /// Register tile of a thread.
    pub tiling: Tiling,
    /// Schedules tuned for the device, which go before the choice of the model; `None` without a
    /// database.
    pub tuned: Option<Tuned>,
    /// Whether the tiles of a workgroup interleave along x; else each is one run of
    /// iterations.
    pub is_spread: bool,
    /// Rounds of the loops over an iteration's windows up to which they are unrolled, so that tiles
    /// keep in registers what neighbouring windows share; 0 leaves them loops.
    pub window: u64,
    /// Whether windows are unrolled only where they go along rows: others are vectors of neighbours
    /// in each round, whose loops cost little.
    pub row_windows: bool,
    /// Points of a tile from which on what they load or store outside of loops is a loop over the
    /// points, for drivers that take long to compile accesses; `None` where loops cost more.
    pub rolled: Option<usize>,
    /// Whether the workgroups of a grid whose size only a run knows walk over what 65,535 of them along a
    /// dimension do not cover. Else the grid is as large as it takes, and who launches it cuts it into parts.
    pub walks_grid: bool,
    /// Whether sums and products of floats may be regrouped (relaxed floats).
    pub reassociate: bool,
    /// Cut of loops that reduce.
    pub reduction: ReductionShape,
    /// Groups of threads and threads of a group that update elements which data chooses, each in
    /// arrays of its own; `None` where atomic updates are better.
    pub private_updates: Option<[i64; 2]>,
    /// Bytes of workgroup memory that a kernel may stage loads in; 0 stages none.
    pub workgroup_memory: i64,
    /// Iterations of a staged loop in a chunk, where staging is legal at all; `None` leaves that to
    /// the model, which stages only what is worth it.
    pub chunk: Option<i64>,
    /// Cost of wavefronts.
    pub wavefront: WavefrontCost,
    /// Loops that one workgroup runs, its steps apart by barriers.
    pub persistent: PersistentShape,
    /// Remarks say of every loop what becomes of it, not only of affine loops that
    /// stay on the host.
    pub verdicts: bool,
}

/// Distribution of a reduction's iterations over threads: groups of adjacent threads
/// each walk a span of their own, and in it every thread takes a vector of
/// adjacent iterations, then one that is a whole group further on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReductionShape {
    /// Iterations below which a loop is left alone, where they are known.
    pub least: i64,
    /// Threads that walk a span together: those that run in lockstep.
    pub lanes: i64,
    /// Adjacent iterations that a thread takes at once, each into a partial
    /// result of its own.
    pub vector: i64,
    /// Groups wanted for long loops.
    pub groups: i64,
    /// Iterations of a group's span where the number of all is not known.
    pub span: i64,
    /// Partial results that one thread combines, at most.
    pub direct: i64,
    /// Threads that share the reduction of one iteration of a parallel loop; 0
    /// leaves these alone.
    pub band_lanes: i64,
    /// Rows in a chunk of a reduction across rows.
    pub chunk: i64,
    /// Iterations below which reductions in parallel loops are left alone, where
    /// they are known.
    pub band_least: i64,
    /// Whether the threads of a group are a workgroup that combines their partial results in its own
    /// memory.
    pub shares: bool,
}

/// Costs of a sequence of dependent launches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WavefrontCost {
    /// A launch, in operations of the host.
    pub launch: i64,
    /// Threads that run at once, each as fast as the host.
    pub threads: i64,
}

/// Shape and costs of a persistent workgroup, in operations of the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PersistentShape {
    /// Threads, at most.
    pub lanes: i64,
    /// Operations of all threads together in the time of one of the host.
    pub speed: i64,
    /// Operations of the host in the time of one of a thread alone.
    pub slowness: i64,
    /// A barrier.
    pub barrier: i64,
    /// A kernel, at most: drivers end what runs for seconds.
    pub most: i64,
}

impl Target {
    /// A GPU whose subgroups multiply matrices of 16-bit floats, with sums of 32 bits.
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
    /// The products of matrices that kernels may use: those of the target, where the order in which
    /// it adds is not the program's concern.
    pub fn products(&self) -> Vec<MatrixProduct> {
        let target = self.target.as_ref().filter(|_| self.reassociate);
        target.map_or(Vec::new(), |target| target.matrices.clone())
    }

    /// Returns the options for discrete and integrated GPUs.
    pub fn gpu() -> Self {
        OffloadOptions {
            max_threads: 256,
            workgroup: [[256, 1, 1], [32, 8, 1], [32, 4, 2]],
            spaces: MemorySpaces::default(),
            target: None,
            require_device: false,
            tiling: Tiling::Model(Machine::gpu()),
            tuned: None,
            is_spread: true,
            // A 27-point stencil and a depthwise convolution of 5 by 5.
            window: 32,
            row_windows: false,
            rolled: None,
            walks_grid: true,
            reassociate: true,
            reduction: ReductionShape {
                least: 64,
                lanes: 256,
                vector: 4,
                groups: 256,
                span: 1 << 16,
                direct: 512,
                band_lanes: 32,
                chunk: 128,
                band_least: 1 << 18,
                shares: true,
            },
            private_updates: None,
            // Least limit of a device, by WebGPU and Vulkan.
            workgroup_memory: 16 << 10,
            chunk: None,
            wavefront: WavefrontCost {
                launch: 500,
                threads: 1 << 12,
            },
            // One of some hundred multiprocessors, whose threads wait for memory.
            persistent: PersistentShape {
                lanes: 256,
                speed: 64,
                slowness: 4,
                barrier: 20,
                most: 1 << 26,
            },
            verdicts: false,
        }
    }

    /// Returns the options for drivers on the CPU that cannot compile long kernel bodies: a thread
    /// computes one iteration.
    pub fn slow_compiler() -> Self {
        let shape = Self::cpu_driver().reduction;
        OffloadOptions {
            workgroup: [[64, 1, 1], [16, 4, 1], [16, 4, 1]],
            tiling: Tiling::Fixed(Vec::new()),
            // Each cut is one more kernel.
            reduction: ReductionShape {
                band_lanes: 0,
                ..shape
            },
            ..Self::cpu_driver()
        }
    }

    /// Returns the options for drivers that run kernels on the CPU.
    pub fn cpu_driver() -> Self {
        OffloadOptions {
            workgroup: [[8, 1, 1], [8, 1, 1], [8, 1, 1]],
            tiling: Tiling::Model(Machine::cpu_driver()),
            is_spread: false,
            window: 32,
            row_windows: true,
            rolled: Some(48),
            // Their compilers keep all that a loop may change in memory around it.
            walks_grid: false,
            reduction: ReductionShape {
                least: 64,
                lanes: 8,
                vector: 4,
                groups: 64,
                span: 1 << 14,
                direct: 1024,
                band_lanes: 8,
                chunk: 128,
                band_least: 1 << 18,
                shares: false,
            },
            private_updates: Some([64, 8]),
            // Their workgroup memory is memory like all other.
            workgroup_memory: 0,
            wavefront: WavefrontCost {
                launch: 1500,
                threads: 16,
            },
            // One core, whose lanes run in step.
            persistent: PersistentShape {
                lanes: 8,
                speed: 8,
                slowness: 1,
                barrier: 20,
                most: 1 << 26,
            },
            ..Self::gpu()
        }
    }
}

impl Default for OffloadOptions {
    fn default() -> Self {
        Self::gpu()
    }
}
