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

    /// The closest operation around `op` that threads may enter divergently; `None` if all threads
    /// of a workgroup reach `op` together.
    pub fn divergent_around(&self, op: OpId) -> Option<OpId> {
        let mut at = op;
        while let Some(parent) = self.body.parent_op(at) {
            if !self.is_together(parent) {
                return Some(parent);
            }
            at = parent;
        }
        None
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
            scf::IF | affine::IF | scf::INDEX_SWITCH => {
                data.operands.iter().all(|&v| self.is_uniform(v))
            }
            memref::ALLOCA_SCOPE | scf::EXECUTE_REGION => true,
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
            (true, scf::FOR | affine::FOR | scf::IF | affine::IF) => self.carried(op, &mut found),
            (true, _) => found.extend(data.results()),
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

    /// Collects the divergent results and arguments among the values that a loop carries or a
    /// branch yields.
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
