//! Machine model: the costs and limits of a target for the cost model.

use std::str::FromStr;

/// Limit of the iterations of one loop in a tile.
const MAX_SIDE: i64 = 16;

/// Policy for the register tile of a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tiling {
    /// The cheapest tile by the cost model.
    Model(Box<Machine>),
    /// A fixed number of iterations along x, y and z, where that is possible.
    Fixed(Vec<i64>),
}

impl Tiling {
    /// Whether a thread computes one iteration of every nest.
    pub fn is_one_iteration(&self) -> bool {
        matches!(self, Tiling::Fixed(sizes) if sizes.iter().all(|&size| size == 1))
    }
}

/// Parses `8x2`, the iterations along x, y and z, or `off`, one iteration.
impl FromStr for Tiling {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "off" {
            return Ok(Tiling::Fixed(Vec::new()));
        }
        let size = |part: &str| {
            part.parse()
                .ok()
                .filter(|size| (1..=MAX_SIDE).contains(size))
        };
        let sizes: Option<Vec<i64>> = text.split('x').map(size).collect();
        let sizes = sizes.filter(|sizes| sizes.len() <= 3);
        sizes.map(Tiling::Fixed).ok_or_else(|| {
            format!("option 'tile' cannot be '{text}'; it is off, or up to three sizes from 1 to {MAX_SIDE}, as in 8x2")
        })
    }
}

/// Costs and limits of a target, in vector operations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    /// Threads that run in lockstep.
    pub lanes: i64,
    /// Threads that keep the machine busy.
    pub threads: i64,
    /// Values that a thread may hold at once.
    pub registers: i64,
    /// Operations of a kernel, which the driver has to compile.
    pub code: i64,
    /// Limits of the iterations of a tile, and of one loop in it, for bodies without a loop: each
    /// iteration holds its loads until its end.
    pub points: [i64; 2],
    /// Tiles that a thread computes one after the other, where each is short.
    pub span: i64,
    /// Cost of starting a thread.
    pub thread: i64,
    /// Cost of one more round of a loop.
    pub round: i64,
    /// Costs of an access by class: one element for all lanes, neighbours, and others.
    pub access: [i64; 3],
    /// The same for each element, where four neighbours are one access.
    pub wide: [i64; 3],
    /// Cost of each of several neighbouring elements that one lane accesses without a vector
    /// access; `None` where they cost as much as the neighbours of adjacent lanes.
    pub strided: Option<i64>,
    /// Loads that a thread can have in flight before it spills others.
    pub live: i64,
    /// Cost of a cache line of which a lane uses a part once.
    pub row: i64,
    /// Number of rows walked at once that doubles the cost of each.
    pub streams: i64,
    /// Cost of the memory transfer of an element. A body without loops has one for each array,
    /// which no tile saves.
    pub memory: i64,
    /// Cost that a larger tile has to save where the body has no loop, in percent.
    pub gain: i64,
    /// Candidate tile sizes of a loop, ascending. Those that are no power of 2 leave fewer lanes
    /// idle where a loop has few iterations.
    pub sides: &'static [i64],
    /// Candidate tile sizes of a loop, powers of 2, where an inner loop walks along rows of a large
    /// array and reads each element once: a tile that is wide has more of each page.
    pub page_sides: &'static [i64],
    /// Machine model of nests that stream from memory; `None` where memory makes no difference to accesses.
    pub streaming: Option<Box<Machine>>,
    /// Straight threads, without branches and loops; `None` where no thread gains from being straight.
    pub straight: Option<Straight>,
    /// Multiprocessor model; `None` where workgroup memory is no faster than other memory.
    pub multiprocessors: Option<&'static Multiprocessors>,
}

/// Straight threads of a target, where the elements that adjacent lanes load are one access in such threads only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Straight {
    /// Limit of the vectors that a thread loads.
    pub vectors: i64,
    /// Least number of loads for each store whose elements are no neighbours for adjacent lanes: other threads have these
    /// elements by gathers, and neighbours by vectors. Straight threads scatter what they store.
    ///
    /// On an Intel processor, sums of two arrays take straight threads 1.6 to 2.8 times as long as others, five-point stencils
    /// 2.4 times and pixels of three colours 1.7 to 2.5 times, but maxima of windows of 3 by 3 at a stride of 2 two thirds.
    pub strided_loads: i64,
}

/// Multiprocessor model of a target; each multiprocessor runs whole workgroups.
#[derive(PartialEq, Eq, Debug)]
pub struct Multiprocessors {
    /// Number of multiprocessors.
    pub count: i64,
    /// Operations of a multiprocessor in a cycle.
    pub lanes: i64,
    /// Fixed latency of a chunk of a staged loop, in cycles.
    pub latency: i64,
    /// Further latency of a chunk, in cycles, multiplied by the threads of a multiprocessor.
    pub waiting: i64,
    /// Registers of 32 bits that a thread has for elements.
    pub registers: i64,
    /// Cost of a vector read from workgroup memory.
    pub shared: i64,
    /// Cost of an element copied to workgroup memory.
    pub copy: i64,
    /// Cost of the barriers of a chunk, for each 32 threads of the workgroup.
    pub barrier: i64,
}

/// Measured model of a discrete GPU, a NVIDIA H200.
static DISCRETE: Multiprocessors = Multiprocessors {
    count: 132,
    lanes: 128,
    latency: 350,
    waiting: 64_000,
    registers: 200,
    shared: 5,
    copy: 5,
    barrier: 10,
};

impl Machine {
    /// Machine model of drivers that run a kernel on the CPU, with a lane as a part of a vector
    /// register. They fetch each lane's element by itself.
    pub fn cpu_driver() -> Self {
        Machine {
            lanes: 8,
            threads: 128,
            registers: 88,
            code: 420,
            points: [64, 8],
            span: 64,
            thread: 150,
            round: 6,
            access: [2, 8, 10],
            wide: [2, 5, 8],
            strided: None,
            live: 8,
            row: 60,
            streams: 4,
            memory: 0,
            gain: 3,
            sides: &[1, 2, 3, 4, 5, 6, 7, 8],
            page_sides: &[1, 2, 4, 8],
            streaming: None,
            straight: None,
            multiprocessors: None,
        }
    }

    /// Machine model of drivers that run a kernel on the CPU and gather the elements of all lanes in
    /// one instruction.
    pub fn gathering_cpu_driver() -> Self {
        Machine {
            // An access is a few instructions, where one without gathers is a hundred.
            code: 1500,
            registers: 120,
            round: 12,
            access: [2, 4, 5],
            wide: [2, 4, 5],
            live: 24,
            gain: 1,
            page_sides: &[1, 2, 4, 8, 16, 32],
            straight: Some(Straight {
                vectors: 128,
                strided_loads: 8,
            }),
            ..Self::cpu_driver()
        }
    }

    /// Machine model of such drivers on processors whose gathers wait for memory: nests that stream access elements lane by
    /// lane.
    pub fn slow_gathering_cpu_driver() -> Self {
        Machine {
            streaming: Some(Box::new(Self::cpu_driver())),
            straight: Some(Straight {
                vectors: 128,
                strided_loads: 0,
            }),
            ..Self::gathering_cpu_driver()
        }
    }

    /// Machine model of discrete and integrated GPUs.
    ///
    /// The costs of bodies without loops are fitted to copies, five-point and 27-point stencils and
    /// transpositions in 130 shapes of tiles and workgroups on an NVIDIA H200 under load, where one is
    /// 0.04 ns for a thousand threads: starting a thread costs as much as six loads of neighbours, an
    /// element of a vector three quarters of one, an element from memory six. Tiles of more than 16
    /// points, or 4 along one loop, were never the fastest.
    pub fn gpu() -> Self {
        Machine {
            lanes: 32,
            threads: 1 << 16,
            registers: 96,
            code: 1536,
            points: [16, 4],
            span: 1,
            thread: 24,
            round: 3,
            access: [2, 4, 16],
            wide: [2, 3, 6],
            strided: Some(8),
            live: 1 << 20,
            row: 24,
            streams: 16,
            memory: 24,
            gain: 5,
            sides: &[1, 2, 4, 8],
            page_sides: &[1, 2, 4, 8],
            streaming: None,
            straight: None,
            multiprocessors: Some(&DISCRETE),
        }
    }
}
