//! Uniformity analysis: which values all threads of a workgroup agree on.
//!
//! A value is divergent when it depends on a thread's id, on memory or on anything unknown. The
//! analysis propagates divergence to a fixed point; every other value is uniform. Iterations of a
//! loop count: all threads that are in the same iteration of the loops around agree.

use gridloom_dialects::{affine, gpu, memref, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, OpId, RegionId, Value};

/// Limit of the rounds of the fixed-point iteration; past it every value counts as divergent.
const MAX_ROUNDS: usize = 64;

/// The divergent values of a kernel.
#[derive(Debug)]
pub struct Uniformity<'b> {
    ctx: &'b Context,
    body: &'b Body,
    divergent: Vec<bool>,
}

impl<'b> Uniformity<'b> {
    /// Analyses the body of a kernel, whose arguments are the same for every thread.
    pub fn of(ctx: &'b Context, body: &'b Body) -> Self {
        let mut this = Uniformity {
            ctx,
            body,
            divergent: vec![false; body.value_capacity()],
        };
        let ops = body.walk();
        // Threads may come to a block that is not the first one on different ways.
        for &region in body.regions() {
            for &block in body[region].blocks.iter().skip(1) {
                for &arg in &body[block].args {
                    this.mark(arg);
                }
            }
        }
        // Values only ever become divergent, so this ends; a value that goes from one
        // carried value to the next takes a round each.
        for _ in 0..MAX_ROUNDS {
            let changed = ops
                .iter()
                .fold(false, |changed, &op| this.visit(op) | changed);
            if !changed {
                return this;
            }
        }
        this.divergent.fill(true);
        this
    }

    /// Whether a value is the same for all threads of a workgroup.
    pub fn is_uniform(&self, value: Value) -> bool {
        !self.divergent[value.index()]
    }

    /// The closest operation around `op` that threads may enter divergently, up to the launch; the
    /// outermost one where the kernel has several blocks. `None` if all threads of a workgroup reach
    /// `op` together.
    pub fn divergent_around(&self, op: OpId) -> Option<OpId> {
        let mut at = op;
        while let Some(parent) = self.body.parent_op(at) {
            if !self.is_together(parent) {
                return Some(parent);
            }
            if self.body[parent].name == gpu::LAUNCH {
                return None;
            }
            at = parent;
        }
        let mut regions = self.body.regions().iter();
        regions
            .any(|&region| self.body[region].blocks.len() > 1)
            .then_some(at)
    }

    /// Whether threads that reach an operation together execute its regions together.
    fn is_together(&self, op: OpId) -> bool {
        let data = &self.body[op];
        let one_block = |&region: &RegionId| self.body[region].blocks.len() <= 1;
        if !data.inline_regions().iter().all(one_block) {
            return false;
        }
        match data.name {
            // Only bounds and step decide; carried values may diverge.
            scf::FOR => data.operands.iter().take(3).all(|&v| self.is_uniform(v)),
            affine::FOR => {
                let inits = affine::ForOp(op).inits(self.ctx, self.body).len();
                let bounds = data.operands.len().saturating_sub(inits);
                data.operands[..bounds].iter().all(|&v| self.is_uniform(v))
            }
            scf::WHILE => self.is_uniform(scf::WhileOp(op).condition(self.body).0),
            scf::IF | affine::IF | scf::INDEX_SWITCH => {
                data.operands.iter().all(|&v| self.is_uniform(v))
            }
            memref::ALLOCA_SCOPE | scf::EXECUTE_REGION | gpu::LAUNCH => true,
            _ => false,
        }
    }

    fn mark(&mut self, value: Value) -> bool {
        !std::mem::replace(&mut self.divergent[value.index()], true)
    }

    /// Marks the values that an operation makes divergent. Returns whether any was new.
    fn visit(&mut self, op: OpId) -> bool {
        let data = &self.body[op];
        let regions = data.inline_regions();
        if regions.is_empty() {
            let agrees = agrees_on_results(self.body, op)
                && data.operands.iter().all(|&value| self.is_uniform(value));
            let results: Vec<Value> = data.results().collect();
            return !agrees && results.into_iter().fold(false, |new, v| self.mark(v) | new);
        }
        let mut found: Vec<Value> = Vec::new();
        match (self.is_together(op), data.name) {
            // The result is the same for all threads that come together.
            (_, gpu::ALL_REDUCE) => {
                let blocks = regions.iter().flat_map(|&region| &self.body[region].blocks);
                found.extend(blocks.flat_map(|&block| self.body[block].args.iter().copied()));
            }
            (true, gpu::LAUNCH) => {
                let args = gpu::LaunchOp(op).args(self.body);
                found.extend(args.thread_id);
            }
            (true, scf::WHILE) => self.passed_on(scf::WhileOp(op), &mut found),
            (true, _) => self.carried(op, &mut found),
            (false, _) => {
                found.extend(data.results());
                for &region in regions {
                    for &block in &self.body[region].blocks {
                        found.extend(self.body[block].args.iter().copied());
                    }
                }
            }
        }
        found.into_iter().fold(false, |new, v| self.mark(v) | new)
    }

    /// Collects the divergent results and arguments among the values that an `scf.while` carries: its
    /// first region gets the initial values and what the second one yields, the second one and the
    /// results get what the condition passes on.
    fn passed_on(&self, op: scf::WhileOp, found: &mut Vec<Value>) {
        let body = self.body;
        let (before, after) = (&body[op.before(body)].args, &body[op.after(body)].args);
        for sources in [op.inits(body), op.yielded(body)] {
            self.follow(sources, before, found);
        }
        let (_, passed) = op.condition(body);
        let results: Vec<Value> = body[op.0].results().collect();
        self.follow(passed, after, found);
        self.follow(passed, &results, found);
    }

    /// Collects the targets whose sources are divergent.
    fn follow(&self, sources: &[Value], targets: &[Value], found: &mut Vec<Value>) {
        let pairs = sources.iter().zip(targets);
        found.extend(
            pairs
                .filter(|pair| !self.is_uniform(*pair.0))
                .map(|pair| *pair.1),
        );
    }

    /// Collects the divergent results and arguments among the values that a loop carries or a
    /// region yields.
    fn carried(&self, op: OpId, found: &mut Vec<Value>) {
        let data = &self.body[op];
        let results: Vec<Value> = data.results().collect();
        let is_loop = matches!(data.name, scf::FOR | affine::FOR);
        let inits = &data.operands[data.operands.len().saturating_sub(results.len())..];
        for &region in data.inline_regions() {
            let Some(block) = self.body[region].entry() else {
                continue;
            };
            let Some(last) = self.body[block].last() else {
                continue;
            };
            let yielded = &self.body[last].operands;
            let args = &self.body[block].args;
            for (number, &result) in results.iter().enumerate() {
                let value = yielded.get(number);
                let init = inits.get(number).filter(|_| is_loop);
                let arg = args.get(number + 1).filter(|_| is_loop);
                let mut sources = value.into_iter().chain(init).chain(arg);
                if sources.any(|&value| !self.is_uniform(value)) {
                    found.push(result);
                    found.extend(arg);
                }
            }
        }
    }
}

/// Whether an operation gives all threads the same results from the same operands.
fn agrees_on_results(body: &Body, op: OpId) -> bool {
    let name = body[op].name;
    match name {
        gpu::BLOCK_ID | gpu::BLOCK_DIM | gpu::GRID_DIM => true,
        gpu::THREAD_ID | gpu::GLOBAL_ID | gpu::LANE_ID | gpu::SUBGROUP_ID => false,
        // The memref may differ between threads, but its sizes do not.
        memref::DIM | memref::RANK => true,
        memref::ALLOC | memref::ALLOCA => true,
        _ => {
            let foreign =
                gridloom_dialects::signature(name).is_some_and(|op| op.name.starts_with("gpu."));
            name.has(Traits::PURE) && !foreign
        }
    }
}
