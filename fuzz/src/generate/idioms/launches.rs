//! Idiom of kernels written by hand: `gpu.launch` whose threads share memory of the workgroup between barriers, reduce and scan
//! in it, go through tiles of an array, and update numbers atomically.

use super::FOLDS;
use crate::affine::Expr;
use crate::generate::{Generator, MemVar, Role};
use crate::program::{At, Bin, Block, Cond, IntPred, Launch, Op, Update, Var};
use crate::types::{MemType, Scalar, Type};

/// Operations whose order threads may choose.
const UPDATES: [Bin; 8] = [
    Bin::AddI,
    Bin::AddI,
    Bin::AndI,
    Bin::OrI,
    Bin::XorI,
    Bin::MaxSI,
    Bin::MinUI,
    Bin::MinSI,
];

/// Shapes of a workgroup.
const BLOCKS: [[i64; 3]; 11] = [
    [1, 1, 1],
    [4, 1, 1],
    [7, 1, 1],
    [8, 1, 1],
    [16, 1, 1],
    [32, 1, 1],
    [33, 1, 1],
    [64, 1, 1],
    [4, 4, 1],
    [3, 5, 1],
    [4, 2, 2],
];

/// Shapes of a grid.
const GRIDS: [[i64; 3]; 5] = [[1, 1, 1], [2, 1, 1], [3, 1, 1], [2, 2, 1], [1, 2, 2]];

/// Kernel at hand.
struct Kernel {
    /// Threads of a workgroup, and of the launch.
    threads: i64,
    all: i64,
    /// Number of the thread in its workgroup, in the launch, and of the workgroup.
    local: Expr,
    global: Expr,
    group: Expr,
    /// Whether accesses are affine.
    is_affine: bool,
    /// An element for each thread, all of them written.
    input: MemVar,
    /// An element for each thread but the last few.
    output: MemVar,
    /// A number for each workgroup, which threads update.
    counts: MemVar,
    /// Memory of the workgroup: an element for each thread, and some that threads update.
    shared: MemVar,
    bins: MemVar,
    /// Memory of the thread.
    private: MemVar,
}

impl Generator {
    /// Emits a launch, sometimes several times in turn between two arrays.
    pub(super) fn launched(&mut self, sink: &MemVar) {
        let element = match sink.ty.element {
            ty if ty.is_float() => Scalar::I32,
            ty => ty,
        };
        let (block, grid) = (*self.random.pick(&BLOCKS), *self.random.pick(&GRIDS));
        let threads: i64 = block.iter().product();
        let groups: i64 = grid.iter().product();
        let all = threads * groups;
        let rest = match self.random.chance(40) {
            true => self.random.between(1, 3).min(all - 1),
            false => 0,
        };
        let (x, y) = (
            self.long(element, &[all]),
            self.long(element, &[all - rest]),
        );
        let counts = self.long(element, &[groups]);
        let arrays = [x, y, counts];
        let sizes = [grid, block].map(|shape| {
            let is_open = self.random.chance(25);
            shape.map(|size| match is_open {
                true => self.hidden(size, size),
                false => self.index(size),
            })
        });
        let rounds = *self.random.pick(&[1, 1, 1, 2, 3]);
        self.times(rounds, &[], |this, _, _| {
            this.launch(&arrays, sizes, [grid, block]);
            Vec::new()
        });
        for mem in &arrays[1..] {
            self.checksum(mem, sink);
        }
    }

    fn launch(&mut self, arrays: &[MemVar; 3], sizes: [[Var; 3]; 2], shapes: [[i64; 3]; 2]) {
        let element = arrays[0].ty.element;
        let threads = shapes[1].iter().product();
        let attribution = |this: &mut Self, size: i64, space: u8| {
            let ty = MemType {
                space,
                ..MemType::of(element, &[size])
            };
            MemVar {
                var: this.program.var(Type::MemRef(ty.clone())),
                ty,
                sizes: vec![size],
                writable: true,
            }
        };
        let shared = attribution(self, threads, 3);
        let bins = attribution(self, 4, 3);
        let private = attribution(self, 4, 5);
        let attributions = [&shared, &bins, &private].map(|mem| mem.var);
        let (stmts, ids) = self.nested(|this| {
            let [grid, block] = shapes;
            let id = |this: &mut Self, shape: [i64; 3]| {
                shape.map(|size| this.argument(Scalar::Index, Role::Symbol, 0, size - 1))
            };
            let size = |this: &mut Self, shape: [i64; 3]| {
                shape.map(|size| this.argument(Scalar::Index, Role::Symbol, size, size))
            };
            let ids = [
                id(this, grid),
                id(this, block),
                size(this, grid),
                size(this, block),
            ];
            let [group, local] =
                [(ids[0], grid), (ids[1], block)].map(|(ids, shape)| linear(ids, shape));
            let [x, y, counts] = arrays.clone();
            let kernel = Kernel {
                threads,
                all: threads * grid.iter().product::<i64>(),
                global: Expr::Add(
                    Box::new(group.clone().times(threads)),
                    Box::new(local.clone()),
                ),
                local,
                group,
                is_affine: this.random.chance(40),
                input: x,
                output: y,
                counts,
                shared,
                bins,
                private,
            };
            this.kernel(&kernel);
            ids
        });
        let [shared, bins, private] = attributions;
        let launch = Launch {
            grid: sizes[0],
            block: sizes[1],
            ids,
            shared: vec![shared, bins],
            private: vec![private],
            body: Block {
                stmts,
                yields: Vec::new(),
            },
        };
        self.emit(Op::Launch(Box::new(launch)), Vec::new());
    }

    /// Emits what a thread does: a value goes through some phases.
    fn kernel(&mut self, kernel: &Kernel) {
        let at = self.place_of(kernel, &kernel.global);
        let mut value = self.load_from(&kernel.input, at);
        for _ in 0..self.random.between(1, 4) {
            value = self.phase(kernel, value);
        }
        let count = kernel.output.sizes[0];
        if count == kernel.all && self.random.chance(70) {
            let at = self.place_of(kernel, &kernel.global);
            return self.store_to(value, &kernel.output, at);
        }
        let number = self.apply(kernel.global.clone());
        self.only_below(number, count, |this| {
            let at = this.place_of(kernel, &kernel.global);
            this.store_to(value, &kernel.output, at);
        });
    }

    fn phase(&mut self, kernel: &Kernel, value: Var) -> Var {
        match self.random.below(9) {
            0..2 => self.exchanged(kernel, value),
            2 => self.reduced(kernel, value),
            3 => self.scanned(kernel, value),
            4 => self.tiled(kernel, value),
            5 => self.for_some_groups(kernel, value),
            6 => self.through_private(kernel, value),
            // Atomic updates and reductions of workgroups are not of indices.
            _ if kernel.shared.ty.element == Scalar::Index => self.exchanged(kernel, value),
            7 => self.counted_in_bins(kernel, value),
            _ => {
                let op = *self.random.pick(&UPDATES);
                let all = self.scalar(Op::AllReduce(op, value), kernel.shared.ty.element);
                self.folded(value, all)
            }
        }
    }

    /// Emits a store to an element of the workgroup's memory, and a load of another one behind a barrier.
    fn exchanged(&mut self, kernel: &Kernel, value: Var) -> Var {
        let [own, other] = [0; 2].map(|_| self.turned(kernel));
        let at = self.place_of(kernel, &own);
        self.store_to(value, &kernel.shared, at);
        self.barrier();
        let at = self.place_of(kernel, &other);
        let other = self.load_from(&kernel.shared, at);
        self.often_barrier();
        self.folded(value, other)
    }

    /// The workgroup's threads in another order.
    fn turned(&mut self, kernel: &Kernel) -> Expr {
        let (local, threads) = (kernel.local.clone(), kernel.threads);
        match self.random.below(3) {
            0 => local,
            1 => local.times(-1).plus(threads - 1),
            _ => {
                let turned = local.plus(self.random.between(1, 5));
                Expr::Mod(Box::new(turned), Box::new(Expr::Const(threads)))
            }
        }
    }

    /// Emits a reduction in a tree, whose result all threads load.
    fn reduced(&mut self, kernel: &Kernel, value: Var) -> Var {
        let op = *self.random.pick(&UPDATES);
        let local = self.apply(kernel.local.clone());
        self.store_to(value, &kernel.shared, At::Plain(vec![local]));
        self.barrier();
        let steps = i64::from(u64::BITS - (kernel.threads as u64 - 1).leading_zeros());
        let is_rolled = self.random.chance(60);
        let step = |this: &mut Self, half: Var| {
            // Threads whose partner there is.
            let partner = this.bin(Bin::AddI, local, half);
            let [is_first, is_there] = [(local, half), (partner, this.index(kernel.threads))]
                .map(|(left, right)| this.scalar(Op::CmpI(IntPred::Ult, left, right), Scalar::I1));
            let both = this.bin(Bin::AndI, is_first, is_there);
            this.only_if(both, |this| {
                let [own, other] =
                    [local, partner].map(|at| this.load_from(&kernel.shared, At::Plain(vec![at])));
                let sum = this.bin(op, own, other);
                this.store_to(sum, &kernel.shared, At::Plain(vec![local]));
            });
            this.barrier();
        };
        match is_rolled {
            true => {
                let (first, one) = (self.index(1 << (steps - 1).max(0)), self.index(1));
                let affine = self.random.chance(50);
                self.between(affine, [0, steps, 1], &[first], |this, _, halves| {
                    step(this, halves[0]);
                    vec![this.bin(Bin::ShrUI, halves[0], one)]
                });
            }
            false => (0..steps).rev().for_each(|level| {
                let half = self.index(1 << level);
                step(self, half);
            }),
        }
        let first = self.index(0);
        let all = self.load_from(&kernel.shared, At::Plain(vec![first]));
        self.often_barrier();
        self.folded(value, all)
    }

    /// Emits an inclusive scan, each step of which reads, meets and writes.
    fn scanned(&mut self, kernel: &Kernel, value: Var) -> Var {
        let op = *self.random.pick(&FOLDS);
        let local = self.apply(kernel.local.clone());
        let own = || At::Plain(vec![local]);
        self.store_to(value, &kernel.shared, own());
        self.barrier();
        let mut distance = 1;
        while distance < kernel.threads {
            let way = self.index(distance);
            let is_behind = self.scalar(Op::CmpI(IntPred::Uge, local, way), Scalar::I1);
            let before = self.load_from(&kernel.shared, own());
            let sum = self.when(is_behind, before, |this| {
                let place = this.bin(Bin::SubI, local, way);
                let other = this.load_from(&kernel.shared, At::Plain(vec![place]));
                this.bin(op, other, before)
            });
            self.barrier();
            self.store_to(sum, &kernel.shared, own());
            self.barrier();
            distance *= 2;
        }
        let last = self.load_from(&kernel.shared, own());
        self.often_barrier();
        last
    }

    /// Emits a loop over tiles of the input, each of which the threads load together.
    fn tiled(&mut self, kernel: &Kernel, value: Var) -> Var {
        let tiles = kernel.all / kernel.threads;
        let (op, span) = (*self.random.pick(&FOLDS), kernel.threads.min(6));
        let results = self.times(tiles, &[value], |this, tile, carried| {
            let from = Expr::Dim(tile).times(kernel.threads);
            let from = Expr::Add(Box::new(from), Box::new(kernel.local.clone()));
            let from = this.place_of(kernel, &from);
            let own = this.place_of(kernel, &kernel.local);
            let element = this.load_from(&kernel.input, from);
            this.store_to(element, &kernel.shared, own);
            this.barrier();
            let sums = this.times(span, &[carried[0]], |this, k, sums| {
                let at = this.place_of(kernel, &Expr::Dim(k));
                let factor = this.load_from(&kernel.shared, at);
                vec![this.bin(op, sums[0], factor)]
            });
            this.often_barrier();
            sums
        });
        results[0]
    }

    /// Emits atomic updates of the workgroup's bins, or of the number that it has in an array.
    fn counted_in_bins(&mut self, kernel: &Kernel, value: Var) -> Var {
        let element = self.program.scalar(value);
        let op = *self.random.pick(&UPDATES);
        if self.random.chance(40) {
            let at = vec![self.apply(kernel.group.clone())];
            let mem = kernel.counts.var;
            self.emit(
                Op::Atomic(Update {
                    kind: op,
                    value,
                    mem,
                    at,
                }),
                Vec::new(),
            );
            return value;
        }
        let bins = kernel.bins.sizes[0];
        let local = self.apply(kernel.local.clone());
        let zero = self.int(element, 0);
        self.only_below(local, bins, |this| {
            this.store_to(zero, &kernel.bins, At::Plain(vec![local]));
        });
        if kernel.threads < bins {
            let rest = self.index(0);
            self.up_to_bins(kernel, zero, rest);
        }
        self.barrier();
        let mask = self.int(element, bins - 1);
        let bin = self.bin(Bin::AndI, value, mask);
        let bin = self.converted(bin, Scalar::Index);
        // Narrow numbers are signed.
        let mask = self.index(bins - 1);
        let bin = self.bin(Bin::AndI, bin, mask);
        let mem = kernel.bins.var;
        self.emit(
            Op::Atomic(Update {
                kind: op,
                value,
                mem,
                at: vec![bin],
            }),
            Vec::new(),
        );
        self.barrier();
        let count = self.load_from(&kernel.bins, At::Plain(vec![bin]));
        self.often_barrier();
        self.folded(value, count)
    }

    /// Emits the first thread's stores to all bins, for workgroups with fewer threads than bins.
    fn up_to_bins(&mut self, kernel: &Kernel, zero: Var, first: Var) {
        let local = self.apply(kernel.local.clone());
        let is_first = self.scalar(Op::CmpI(IntPred::Eq, local, first), Scalar::I1);
        self.only_if(is_first, |this| {
            let ends = [kernel.threads, kernel.bins.sizes[0], 1];
            this.between(false, ends, &[], |this, bin, _| {
                this.store_to(zero, &kernel.bins, At::Plain(vec![bin]));
                Vec::new()
            });
        });
    }

    /// Emits a phase that some workgroups have, and others have not.
    fn for_some_groups(&mut self, kernel: &Kernel, value: Var) -> Var {
        let (group, one) = (self.apply(kernel.group.clone()), self.index(1));
        let is_among = self.scalar(Op::CmpI(IntPred::Slt, group, one), Scalar::I1);
        self.when(is_among, value, |this| this.exchanged(kernel, value))
    }

    /// Emits stores to the thread's memory, and a load of one of the elements.
    fn through_private(&mut self, kernel: &Kernel, value: Var) -> Var {
        let size = kernel.private.sizes[0];
        self.times(size, &[], |this, k, _| {
            let more = this.scattered(k, kernel.private.ty.element);
            let more = this.bin(Bin::XorI, value, more);
            this.store_to(more, &kernel.private, At::Plain(vec![k]));
            Vec::new()
        });
        let at = Expr::Mod(Box::new(kernel.global.clone()), Box::new(Expr::Const(size)));
        let at = self.place_of(kernel, &at);
        self.load_from(&kernel.private, at)
    }

    fn folded(&mut self, value: Var, other: Var) -> Var {
        let op = *self.random.pick(&FOLDS);
        self.bin(op, value, other)
    }

    fn barrier(&mut self) {
        self.emit(Op::Barrier, Vec::new());
    }

    /// Emits the barrier in front of the next phase, which some of them can do without.
    fn often_barrier(&mut self) {
        if self.random.chance(90) {
            self.barrier();
        }
    }

    fn place_of(&mut self, kernel: &Kernel, at: &Expr) -> At {
        match kernel.is_affine {
            true => At::Affine(vec![at.clone()]),
            false => At::Plain(vec![self.apply(at.clone())]),
        }
    }

    /// Emits statements for numbers below a constant.
    fn only_below(&mut self, number: Var, end: i64, draw: impl FnOnce(&mut Self)) {
        let end = self.index(end);
        let is_below = self.scalar(Op::CmpI(IntPred::Slt, number, end), Scalar::I1);
        self.only_if(is_below, draw);
    }

    fn only_if(&mut self, condition: Var, draw: impl FnOnce(&mut Self)) {
        let (stmts, ()) = self.nested(draw);
        let op = Op::If {
            cond: Cond::Value(condition),
            then: Block {
                stmts,
                yields: Vec::new(),
            },
            otherwise: None,
        };
        self.emit(op, Vec::new());
    }

    /// Emits a choice between a value and another one that statements compute.
    fn when(&mut self, condition: Var, value: Var, draw: impl FnOnce(&mut Self) -> Var) -> Var {
        let ty = self.program.scalar(value);
        let (stmts, result) = self.nested(draw);
        let then = Block {
            stmts,
            yields: vec![result],
        };
        let otherwise = Some(Block {
            stmts: Vec::new(),
            yields: vec![value],
        });
        let cond = Cond::Value(condition);
        self.scalar(
            Op::If {
                cond,
                then,
                otherwise,
            },
            ty,
        )
    }
}

/// Number of a thread or a workgroup, x the fastest.
fn linear(ids: [Var; 3], shape: [i64; 3]) -> Expr {
    let [x, y, z] = ids.map(Expr::Dim);
    let rows = Expr::Add(
        Box::new(y.times(shape[0])),
        Box::new(z.times(shape[0] * shape[1])),
    );
    Expr::Add(Box::new(x), Box::new(rows))
}
