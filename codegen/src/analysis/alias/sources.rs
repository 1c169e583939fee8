//! Sources: the buffers that a root may be, by the paths that memrefs take from them to it.

use std::rc::Rc;

use gridloom_dialects::{gpu, inherent, memref};
use gridloom_ir::body::ValueDef;
use gridloom_ir::{BlockId, OpId, Value};
use smallvec::SmallVec;

use super::{Aliases, Base, MAX_STEPS, Root, incoming, is_view, stays_inside};

/// Buffer that a root may be.
pub(super) struct Source {
    pub(super) base: Base,
    /// Results of `memref.distinct_objects` at the start of the function that lie on the path.
    pub(super) separations: SmallVec<[(OpId, u32); 2]>,
}

impl Source {
    fn of(base: Base) -> Self {
        Source {
            base,
            separations: SmallVec::new(),
        }
    }
}

/// Way from a root to what it may be.
#[derive(Clone)]
struct Path {
    value: Value,
    /// Whether a view on it may reach beyond its source.
    leaves: bool,
    separations: SmallVec<[(OpId, u32); 2]>,
}

enum Step {
    Base(Base),
    /// The base, or what the value is.
    Either(Base, Value),
    /// Any of these values, to be followed further.
    Values(Vec<Value>),
}

impl Aliases<'_> {
    /// The buffers that a root may be, and by what each is separated from others; found once for each root.
    pub(super) fn sources(&self, root: Root) -> Rc<[Source]> {
        if let Some(known) = self.known.borrow().get(&root) {
            return Rc::clone(known);
        }
        let found: Rc<[Source]> = self.find_sources(root).into();
        self.known.borrow_mut().insert(root, Rc::clone(&found));
        found
    }

    fn find_sources(&self, root: Root) -> Vec<Source> {
        let value = match root {
            Root::Global(name) => return vec![Source::of(Base::Global(name))],
            Root::Value(value) => value,
        };
        let mut found = Vec::new();
        let mut seen = Vec::new();
        let mut stack = vec![Path {
            value,
            leaves: false,
            separations: SmallVec::new(),
        }];
        while let Some(mut path) = stack.pop() {
            let key = (path.value, path.leaves, path.separations.len());
            if seen.contains(&key) {
                continue;
            }
            seen.push(key);
            if seen.len() > MAX_STEPS {
                return vec![Source::of(Base::Unknown)];
            }
            self.note_separation(&mut path);
            match self.step(path.value) {
                Step::Base(base) => found.push(Source {
                    base,
                    separations: path.separations,
                }),
                Step::Either(base, value) => {
                    found.push(Source {
                        base,
                        separations: path.separations.clone(),
                    });
                    stack.push(Path { value, ..path });
                }
                Step::Values(values) => stack.extend(values.into_iter().map(|value| Path {
                    value,
                    ..path.clone()
                })),
            }
        }
        found
    }

    /// Notes what a value on a path says of separation: a `memref.distinct_objects` at the start of
    /// the function, of which there is one execution, so that values of any iterations are results
    /// of it; or a view that may reach beyond the elements that these are distinct in.
    fn note_separation(&self, path: &mut Path) {
        let ValueDef::Result(op, index) = self.body[path.value].def() else {
            return;
        };
        if is_view(self.body, op) {
            path.leaves |= !stays_inside(self.ctx, self.body, op);
        }
        let is_separation = self.body[op].name == memref::DISTINCT_OBJECTS;
        let block = self.body[op].parent();
        if is_separation && !path.leaves && block.is_some() && block == self.body.entry() {
            path.separations.push((op, index));
        }
    }

    fn step(&self, value: Value) -> Step {
        match self.body[value].def() {
            ValueDef::Result(op, index) => self.step_result(op, index as usize),
            ValueDef::Argument(block, _) => self.step_argument(value, block),
        }
    }

    fn step_result(&self, op: OpId, index: usize) -> Step {
        let body = self.body;
        let data = &body[op];
        match data.name {
            memref::ALLOC | memref::ALLOCA => Step::Base(Base::Allocation(op)),
            // The memory that was there, or new one.
            memref::REALLOC => match data.operands.first() {
                Some(&source) => Step::Either(Base::Allocation(op), source),
                None => Step::Base(Base::Unknown),
            },
            gpu::ALLOC if index == 0 => Step::Base(Base::Allocation(op)),
            memref::GET_GLOBAL => match data.attr(self.ctx, inherent::NAME) {
                Some(name) => Step::Base(Base::Global(name)),
                None => Step::Base(Base::Unknown),
            },
            memref::DISTINCT_OBJECTS => match data.operands.get(index) {
                Some(&operand) => Step::Values(vec![operand]),
                None => Step::Base(Base::Unknown),
            },
            _ if is_view(body, op) => Step::Values(data.operands[..1].to_vec()),
            _ => match incoming(self.ctx, body, data.result(index)) {
                Some(values) => Step::Values(values),
                None => Step::Base(Base::Unknown),
            },
        }
    }

    fn step_argument(&self, value: Value, block: BlockId) -> Step {
        if self.body.block_parent_op(block).is_none() {
            let is_entry = self.body.entry() == Some(block);
            return Step::Base(match is_entry {
                true => Base::Argument(value),
                false => Base::Unknown,
            });
        }
        match incoming(self.ctx, self.body, value) {
            Some(values) => Step::Values(values),
            None => Step::Base(Base::Unknown),
        }
    }
}
