//! `gpu-lower-dma`: lowers DMA transfers in kernels to loops of loads and stores.
//!
//! ```text
//! memref.dma_start %g[%i, %c0],          gpu.barrier
//!   %s[%c0], %n, %tag[%c0]         ⇒     scf.for %e = %thread to %n step %threads {
//! …                                        … %s[%e] = %g[%i * 64 + %e] …
//! memref.dma_wait %tag[%c0], %n          }
//!                                        …
//!                                        gpu.barrier
//! ```
//!
//! A transfer between memory that threads share is one of the whole workgroup: its threads move the
//! elements together, neighbours next to each other. Barriers order it after the threads' earlier
//! accesses, and before those after the wait; those that order nothing are left out ([`barriers`]).
//! All threads have to reach such a start and wait together and with the same
//! operands; where that is not proved, the kernel is left as it is, with a remark. A transfer with
//! a side in a thread's own memory is that thread's alone, and needs no barrier.
//!
//! For devices that gain from it, a transfer to workgroup memory is split: its elements are loaded at
//! the start and stored at the wait ([`plan`]):
//!
//! ```text
//! memref.dma_start %g[%i, %c0],          %x = %g[%i * 64 + %thread]
//!   %s[%c0], %n, %tag[%c0]
//! …                                ⇒     …
//! memref.dma_wait %tag[%c0], %n          %s[%thread] = %x
//!                                        gpu.barrier
//! ```
//!
//! The interpreter moves the elements at the wait. Between the start and
//! the wait, a program neither writes the source nor touches the destination, so that it
//! makes no difference to load them at the start and to store them at any place in between.
//!
//! Affine operations of kernels are lowered as well.

mod barriers;
mod eligible;
mod expand;
mod flow;
mod plan;
mod split;
mod tags;

use std::collections::{HashMap, HashSet};

use gridloom_dialects::memory_space::{MemorySpaces, SpaceKind, is_thread_private};
use gridloom_dialects::{affine, gpu, inherent, memref};
use gridloom_ir::{Body, Builder, Context, Diagnostic, Diagnostics, Module, OpId, Value};

use super::dma_transfer::{Place, Transfer, awaited_tag};
use super::kernels::{change_kernels, threads_of};
use super::mem2reg::promote_variables;
use crate::analysis::alias::{Root, root_of};
use crate::analysis::uniform::Uniformity;
use crate::transform::lower_affine::lower_affine;

use barriers::Emitted;
use plan::Plan;
use split::Splitter;
use tags::Matches;

/// Options of the pass.
#[derive(Clone, Default, Debug)]
pub struct DmaOptions {
    /// Meaning of named memory spaces.
    pub spaces: MemorySpaces,
    /// Whether transfers to workgroup memory are split: loaded at the start, stored at the wait.
    pub split: bool,
}

/// The sizes of the workgroups of a kernel, where they are known; their product is a number of threads.
type Block = Option<[i64; 3]>;

/// Lowers the transfers of all kernels of a module. Returns whether anything changed, and remarks
/// on those that stay, or move all elements at once though they might be split.
pub fn lower_dma(ctx: &Context, module: &mut Module, options: &DmaOptions) -> (bool, Diagnostics) {
    let (mut changed, mut remarks) = (false, Diagnostics::new());
    change_kernels(
        module,
        |inside, kernel| {
            let memory = Memory {
                spaces: &options.spaces,
                private: gpu::FuncOp(kernel).private_memory(ctx, inside).to_vec(),
                shared: gpu::FuncOp(kernel).workgroup_memory(ctx, inside).to_vec(),
            };
            (memory, known_block(ctx, inside, kernel))
        },
        |body, (memory, block)| {
            changed |= lower_kernel(ctx, body, &memory, (block, options.split), &mut remarks);
        },
    );
    (changed, remarks)
}

/// The sizes of the workgroups of a kernel, if they are known and their product is a number.
fn known_block(ctx: &Context, inside: &Body, kernel: OpId) -> Block {
    let block = inherent::known_block_size(ctx, &inside[kernel])?;
    let is_known = block.iter().all(|&size| size > 0) && threads_of(block).is_some();
    is_known.then_some(block)
}

/// Memory spaces of a kernel's memrefs.
struct Memory<'t> {
    spaces: &'t MemorySpaces,
    /// Memory attributions that are private to each thread.
    private: Vec<Value>,
    /// Memrefs that the threads of a workgroup share.
    shared: Vec<Value>,
}

impl Memory<'_> {
    /// Whether a root is a buffer that no other root can alias.
    fn is_buffer(&self, body: &Body, root: Root) -> bool {
        match root {
            Root::Global(_) => true,
            Root::Value(value) => match body.defining_op(value) {
                Some(op) => matches!(body[op].name, memref::ALLOC | memref::ALLOCA),
                // Parameters may alias each other; attributions never do.
                None => self.private.contains(&value) || self.shared.contains(&value),
            },
        }
    }
}

fn lower_kernel(
    ctx: &Context,
    body: &mut Body,
    memory: &Memory<'_>,
    (block, split): (Block, bool),
    remarks: &mut Diagnostics,
) -> bool {
    let is_affine = |name| {
        let def = gridloom_dialects::signature(name);
        def.is_some_and(|op| op.name.starts_with("affine."))
    };
    let is_transfer = |name| matches!(name, memref::DMA_START | memref::DMA_WAIT);
    if !body.may_hold_any(|name| is_transfer(name) || is_affine(name)) {
        return false;
    }
    let transfers = match Transfers::of(ctx, body, memory) {
        Ok(transfers) => transfers,
        Err(why) => {
            remarks.push(*why);
            return false;
        }
    };
    let mut changed = !(transfers.starts.is_empty() && transfers.waits.is_empty());
    let matches = Matches::of(ctx, body, memory, &transfers);
    let plan = match split {
        true => eligible::plan(ctx, body, (memory, block), &transfers, &matches, remarks),
        false => Plan::default(),
    };
    emit(ctx, body, (memory, block), (&transfers, &matches), &plan);
    erase_tags(body, &transfers);
    if body.walk().into_iter().any(|op| is_affine(body[op].name)) {
        changed |= lower_affine(ctx, body);
    }
    if !plan.slots.is_empty() {
        promote_variables(ctx, body);
    }
    changed
}

/// Emits the accesses and barriers of all transfers, and erases their starts and waits.
fn emit(
    ctx: &Context,
    body: &mut Body,
    (memory, block): (&Memory<'_>, Block),
    (transfers, matches): (&Transfers, &Matches),
    plan: &Plan,
) {
    let mut movers = HashMap::new();
    let mut barriers = barriers::before_starts(ctx, body, transfers);
    let variables = split::variables(ctx, body, plan);
    let mut splitter = Splitter {
        block,
        movers: &mut movers,
    };
    for flush in &plan.flushes {
        let mut b = Builder::before(ctx, body, flush.before);
        let slot = &plan.slots[flush.slot];
        splitter.flush(&mut b, flush, slot, &variables[flush.slot]);
    }
    for (number, start) in transfers.starts.iter().enumerate() {
        let mut b = Builder::before(ctx, body, start.op);
        match plan.slot_of(number) {
            Some(slot) => {
                let known = (&plan.slots[slot], &variables[slot]);
                splitter.load(&mut b, (number, start), known.0, known.1);
            }
            None => {
                let shape = (block, plan.width_of(number));
                expand::expand(&mut b, (number, start), shape, splitter.movers);
            }
        }
    }
    barriers.extend(barriers::before_waits(ctx, body, transfers));
    let emitted = Emitted {
        memory,
        transfers,
        matches,
        slots: &plan.slots,
        movers: &movers,
    };
    barriers::erase_needless(ctx, body, &emitted, barriers);
    let starts = transfers.starts.iter().map(|start| start.op);
    for op in starts.chain(transfers.waits.iter().map(|wait| wait.op)) {
        body.erase(op);
    }
}

/// Erases tags without uses but their deallocation: kernels have no heap.
fn erase_tags(body: &mut Body, transfers: &Transfers) {
    let tags: HashSet<OpId> = (transfers.starts.iter())
        .filter_map(|start| match start.tag_root {
            Root::Value(value) => body.defining_op(value),
            Root::Global(_) => None,
        })
        .filter(|&op| matches!(body[op].name, memref::ALLOC | memref::ALLOCA))
        .collect();
    if tags.is_empty() {
        return;
    }
    let mut frees: Vec<OpId> = Vec::new();
    let mut used: HashSet<OpId> = HashSet::new();
    for op in body.walk() {
        for &operand in &body[op].operands {
            match body.defining_op(operand).filter(|op| tags.contains(op)) {
                Some(_) if body[op].name == memref::DEALLOC => frees.push(op),
                Some(tag) => drop(used.insert(tag)),
                None => {}
            }
        }
    }
    for free in frees {
        let tag = body[free].operands.first().copied();
        if tag
            .and_then(|tag| body.defining_op(tag))
            .is_some_and(|op| !used.contains(&op))
        {
            body.erase(free);
        }
    }
    for &tag in tags.difference(&used) {
        body.erase(tag);
    }
}

/// A `dma_start`.
#[derive(Clone, Debug)]
struct Start {
    op: OpId,
    source: Place,
    target: Place,
    count: Value,
    /// Chunk stride and chunk length, in elements.
    stride: Option<(Value, Value)>,
    source_strided: bool,
    /// Whether the whole workgroup performs the transfer.
    group: bool,
    tag: Place,
    tag_root: Root,
}

/// A `dma_wait`.
#[derive(Clone, Debug)]
struct Wait {
    op: OpId,
    tag: Place,
    tag_root: Root,
    /// Whether the wait may be for a transfer of the workgroup.
    group: bool,
}

/// Transfers of a kernel.
#[derive(Default, Debug)]
struct Transfers {
    starts: Vec<Start>,
    waits: Vec<Wait>,
    /// The numbers of the starts and waits of the workgroup.
    group_starts: HashMap<OpId, usize>,
    group_waits: HashMap<OpId, usize>,
    /// The operations around them.
    around: HashSet<OpId>,
}

impl Transfers {
    /// Collects the transfers of a kernel; the error is why they cannot be lowered.
    fn of(ctx: &Context, body: &Body, memory: &Memory<'_>) -> Result<Self, Box<Diagnostic>> {
        let mut found = Transfers::default();
        let mut waits: Vec<(OpId, Place)> = Vec::new();
        for op in body.walk() {
            match body[op].name {
                memref::DMA_START | affine::DMA_START => {
                    found.starts.push(start(ctx, body, memory, op)?);
                }
                memref::DMA_WAIT | affine::DMA_WAIT => {
                    let tag = awaited_tag(ctx, body, op);
                    waits.push((op, tag.ok_or_else(|| stays(body, op, MALFORMED))?));
                }
                _ => {}
            }
        }
        let group: HashSet<Root> = found
            .starts
            .iter()
            .filter(|start| start.group)
            .map(|start| start.tag_root)
            .collect();
        let all_known = group.iter().all(|&root| memory.is_buffer(body, root));
        for (op, tag) in waits {
            let tag_root = root_of(ctx, body, tag.memref);
            let known = all_known && memory.is_buffer(body, tag_root);
            let group = !group.is_empty() && (!known || group.contains(&tag_root));
            found.waits.push(Wait {
                op,
                tag,
                tag_root,
                group,
            });
        }
        found.check_uniform(ctx, body)?;
        found.number(body);
        Ok(found)
    }

    /// Numbers the transfers of the workgroup.
    fn number(&mut self, body: &Body) {
        let starts = self.starts.iter().enumerate();
        let group = starts.filter(|(_, start)| start.group);
        self.group_starts = group.map(|(number, start)| (start.op, number)).collect();
        let waits = self.waits.iter().enumerate();
        let group = waits.filter(|(_, wait)| wait.group);
        self.group_waits = group.map(|(number, wait)| (wait.op, number)).collect();
        let ops = self.group_starts.keys().chain(self.group_waits.keys());
        self.around = ops.flat_map(|&op| body.ancestors(op)).collect();
    }

    /// The number of a start of the workgroup.
    fn start_of(&self, op: OpId) -> Option<usize> {
        self.group_starts.get(&op).copied()
    }

    /// The number of a wait of the workgroup.
    fn wait_of(&self, op: OpId) -> Option<usize> {
        self.group_waits.get(&op).copied()
    }

    /// Whether a wait of the workgroup stands in a region of an operation.
    fn has_wait(&self, body: &Body, around: OpId) -> bool {
        let mut waits = self.group_waits.keys();
        self.around.contains(&around) && waits.any(|&wait| body.is_ancestor(around, wait))
    }

    /// Checks that all threads reach the workgroup's transfers together.
    fn check_uniform(&self, ctx: &Context, body: &Body) -> Result<(), Box<Diagnostic>> {
        if !self.starts.iter().any(|start| start.group) {
            return Ok(());
        }
        if let Some(&region) = body.regions().first()
            && body[region].blocks.len() > 1
        {
            let first = self.starts[0].op;
            return Err(stays(
                body,
                first,
                "control flow between basic blocks may make the threads of a workgroup diverge",
            ));
        }
        let uniform = Uniformity::of(ctx, body);
        let starts = self.starts.iter().filter(|start| start.group);
        let waits = self.waits.iter().filter(|wait| wait.group);
        for op in starts
            .clone()
            .map(|start| start.op)
            .chain(waits.map(|wait| wait.op))
        {
            if let Some(around) = uniform.divergent_around(op) {
                let why = "not all threads of a workgroup may reach this transfer, which they \
                           carry out together";
                let here = body[around].loc;
                return Err(Box::new(
                    stays(body, op, why).with_note(here, "threads may diverge here"),
                ));
            }
        }
        for start in starts {
            let mut operands = body[start.op].operands.iter();
            if operands.any(|&operand| !uniform.is_uniform(operand)) {
                let why = "threads of a workgroup may start different transfers here, but all of \
                           them carry out one transfer together";
                return Err(stays(body, start.op, why));
            }
        }
        Ok(())
    }
}

const MALFORMED: &str = "its operands do not match its memrefs: run the verifier on the module";

fn stays(body: &Body, op: OpId, why: &str) -> Box<Diagnostic> {
    let message = format!("this transfer keeps its kernel on the host: {why}");
    Box::new(Diagnostic::remark(body[op].loc, message))
}

fn start(
    ctx: &Context,
    body: &Body,
    memory: &Memory<'_>,
    op: OpId,
) -> Result<Start, Box<Diagnostic>> {
    let Transfer {
        source,
        target,
        count,
        tag,
        stride,
    } = Transfer::of(ctx, body, op).ok_or_else(|| stays(body, op, MALFORMED))?;
    let memrefs = [source.memref, target.memref];
    for memref in memrefs {
        let form = body
            .ty(memref)
            .memref(ctx)
            .and_then(|ty| ty.strided_form(ctx));
        if form.is_none() {
            return Err(stays(body, op, "its memory has a layout without strides"));
        }
    }
    let [from, to] = memrefs.map(|memref| memory.spaces.of_type(ctx, body.ty(memref)).speed);
    let source_strided = match (stride, from, to) {
        (None, ..) => true,
        (_, Some(from), Some(to)) if from != to => from < to,
        _ => {
            return Err(stays(
                body,
                op,
                "its stride belongs to the slower memory, and the memory spaces do not say which \
                 that is; declare them with --memory-spaces",
            ));
        }
    };
    let private =
        |memref| is_thread_private(ctx, body, memory.spaces, Some(&memory.private), memref);
    let group = !memrefs.into_iter().any(private);
    // Named memory spaces are resolved on the host already.
    let known = MemorySpaces::default();
    let allocated = |memref| match root_of(ctx, body, memref) {
        Root::Value(value) => body.defining_op(value).is_some_and(|op| {
            let shared = known.of_type(ctx, body.ty(value)).kind == Some(SpaceKind::Workgroup);
            !(shared && body[op].name == memref::ALLOCA)
        }),
        Root::Global(_) => false,
    };
    if group && memrefs.into_iter().any(allocated) {
        let why = "it moves allocations of single threads, while threads of a workgroup carry it \
                   out together: use an attribution of the launch, or an alloca in workgroup \
                   memory";
        return Err(stays(body, op, why));
    }
    Ok(Start {
        op,
        source,
        target,
        count,
        stride,
        source_strided,
        group,
        tag_root: root_of(ctx, body, tag.memref),
        tag,
    })
}
