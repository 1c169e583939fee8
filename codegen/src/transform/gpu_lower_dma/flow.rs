//! Flow graph of a kernel's memory accesses, transfers and barriers.

use std::collections::HashMap;

use gridloom_dialects::memory_space::{MemorySpaces, is_thread_private};
use gridloom_dialects::{affine, gpu, memref, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{BlockId, Body, Context, OpId, Value};

use super::tags::repeats;
use super::{Memory, Transfers};
use crate::analysis::alias::{Root, root_of};
use crate::analysis::effects::{Effect, effect_of};

/// Memory that threads share, as far as accesses to it are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Shared {
    /// A buffer of the workgroup.
    Workgroup(Value),
    /// Everything outside of the workgroup.
    Global,
    /// Any memory.
    Any,
}

/// Access to shared memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Touch {
    pub(super) memory: Shared,
    pub(super) writes: bool,
}

impl Touch {
    /// Whether accesses of two threads may conflict.
    pub(super) fn conflicts(self, other: Touch) -> bool {
        let is_same = match (self.memory, other.memory) {
            (Shared::Any, _) | (_, Shared::Any) => true,
            (mine, theirs) => mine == theirs,
        };
        is_same && (self.writes || other.writes)
    }
}

/// Transfer that an access belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Mover {
    /// Of the start with this number, at the start.
    Start(usize),
    /// Of this slot, after the start.
    Slot(usize),
}

/// Event at a node of the control flow graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    /// Nothing: control flow meets.
    Join,
    Access(Touch, Option<Mover>),
    Barrier(OpId),
    Start(usize),
    Wait(usize),
}

/// Edge to a node; with the operation whose next iteration it begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) to: usize,
    pub(super) repeats: Option<OpId>,
}

#[derive(Debug)]
pub(super) struct Node {
    pub(super) event: Event,
    pub(super) next: Vec<Edge>,
    pub(super) before: Vec<Edge>,
}

/// The flow graph. Paths of the graph are a superset of those that threads take.
#[derive(Default, Debug)]
pub(super) struct Flow {
    pub(super) nodes: Vec<Node>,
}

impl Flow {
    /// The graph of a kernel whose transfers stand beside the accesses that perform them.
    pub(super) fn of(
        ctx: &Context,
        body: &Body,
        memory: &Memory<'_>,
        transfers: &Transfers,
        movers: &HashMap<OpId, Mover>,
    ) -> Flow {
        let mut builder = FlowBuilder {
            ctx,
            body,
            memory,
            transfers,
            movers,
            flow: Flow::default(),
        };
        let mut last = builder.node(Event::Join);
        for block in body.top_blocks() {
            last = builder.block(block, last);
        }
        builder.flow
    }
}

struct FlowBuilder<'a> {
    ctx: &'a Context,
    body: &'a Body,
    memory: &'a Memory<'a>,
    transfers: &'a Transfers,
    movers: &'a HashMap<OpId, Mover>,
    flow: Flow,
}

impl FlowBuilder<'_> {
    fn node(&mut self, event: Event) -> usize {
        self.flow.nodes.push(Node {
            event,
            next: Vec::new(),
            before: Vec::new(),
        });
        self.flow.nodes.len() - 1
    }

    fn edge(&mut self, from: usize, to: usize, repeats: Option<OpId>) {
        self.flow.nodes[from].next.push(Edge { to, repeats });
        self.flow.nodes[to].before.push(Edge { to: from, repeats });
    }

    /// Adds a block behind a node. Returns its last node.
    fn block(&mut self, block: BlockId, from: usize) -> usize {
        let ops: Vec<OpId> = self.body.ops(block).collect();
        let mut last = from;
        for op in ops {
            for event in self.events(op) {
                let node = self.node(event);
                self.edge(last, node, None);
                last = node;
            }
            if !self.body[op].inline_regions().is_empty() {
                last = self.regions(op, last);
            }
        }
        last
    }

    /// Adds the regions of an operation: any of them, in any order and number for one that repeats.
    fn regions(&mut self, op: OpId, from: usize) -> usize {
        let blocks: Vec<BlockId> = self.body.blocks_of(op).collect();
        let exit = self.node(Event::Join);
        let again = repeats(self.body, op) || blocks.len() > self.body[op].inline_regions().len();
        let always = matches!(
            self.body[op].name,
            scf::EXECUTE_REGION | memref::ALLOCA_SCOPE | scf::INDEX_SWITCH
        ) || (matches!(self.body[op].name, scf::IF | affine::IF) && blocks.len() == 2);
        if again || !always || blocks.is_empty() {
            self.edge(from, exit, None);
        }
        let (mut heads, mut ends) = (Vec::new(), Vec::new());
        for block in blocks {
            let head = self.node(Event::Join);
            self.edge(from, head, None);
            heads.push(head);
            let end = self.block(block, head);
            self.edge(end, exit, None);
            ends.push(end);
        }
        if again {
            for &end in &ends {
                for &head in &heads {
                    self.edge(end, head, Some(op));
                }
            }
        }
        exit
    }

    /// The events of an operation itself.
    fn events(&self, op: OpId) -> Vec<Event> {
        let (body, data) = (self.body, &self.body[op]);
        match data.name {
            gpu::BARRIER => return vec![Event::Barrier(op)],
            memref::DMA_START | affine::DMA_START => {
                return (self.transfers.start_of(op).map(Event::Start))
                    .into_iter()
                    .collect();
            }
            memref::DMA_WAIT | affine::DMA_WAIT => {
                return (self.transfers.wait_of(op).map(Event::Wait))
                    .into_iter()
                    .collect();
            }
            gpu::PRINTF | memref::DEALLOC => return Vec::new(),
            _ => {}
        }
        if data.name.has(Traits::TERMINATOR) || is_structure(body, op) {
            return Vec::new();
        }
        let writes = match (memref::Access::cast(body, op), effect_of(body, op)) {
            (Some(access), _) => access.is_store,
            (None, Effect::Writes) => true,
            (None, Effect::Reads) => false,
            (None, _) => return Vec::new(),
        };
        let mover = self.movers.get(&op).copied();
        let operands = data.operands.iter();
        let memrefs: Vec<Value> = (operands.copied())
            .filter(|&value| body.ty(value).memref(self.ctx).is_some())
            .collect();
        let mut touched: Vec<Shared> = match memrefs.is_empty() {
            true => vec![Shared::Any],
            false => memrefs
                .iter()
                .filter_map(|&memref| self.shared(memref))
                .collect(),
        };
        touched.dedup();
        let touches = touched.into_iter().map(|memory| Touch { memory, writes });
        touches.map(|touch| Event::Access(touch, mover)).collect()
    }

    /// The shared memory of a memref; `None` for that of a thread.
    fn shared(&self, memref: Value) -> Option<Shared> {
        let spaces = MemorySpaces::default();
        let private = Some(&self.memory.private[..]);
        if is_thread_private(self.ctx, self.body, &spaces, private, memref) {
            return None;
        }
        match root_of(self.ctx, self.body, memref) {
            Root::Value(root) if self.memory.shared.contains(&root) => {
                Some(Shared::Workgroup(root))
            }
            Root::Value(root) => match self.body.defining_op(root) {
                Some(op) if self.body[op].name == memref::ALLOCA => Some(Shared::Workgroup(root)),
                // A parameter of the kernel.
                None if self.body.top_blocks().next() == self.body.value_block(root) => {
                    Some(Shared::Global)
                }
                _ => Some(Shared::Any),
            },
            Root::Global(_) => Some(Shared::Any),
        }
    }
}

/// Whether an operation touches memory only through its regions.
fn is_structure(body: &Body, op: OpId) -> bool {
    matches!(
        body[op].name,
        scf::FOR
            | scf::IF
            | scf::WHILE
            | scf::INDEX_SWITCH
            | scf::EXECUTE_REGION
            | affine::FOR
            | affine::IF
            | memref::ALLOCA_SCOPE
    )
}
