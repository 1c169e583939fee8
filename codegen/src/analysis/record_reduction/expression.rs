//! An iteration as expressions over the carried state and leaves, which do not depend on it.

use std::collections::HashSet;

use gridloom_dialects::arith::{self, CmpIPredicate};
use gridloom_ir::{Context, OpName, Type, Value};

/// Expression of an iteration. Operands are numbers of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A value of the state.
    Slot(usize),
    /// A value that does not depend on the state.
    Leaf(usize),
    /// A condition that is known.
    Bool(bool),
    /// `arith.select`, or one value of an `scf.if`.
    Select([usize; 3]),
    /// `arith.cmpi` or `arith.cmpf` with a predicate.
    Compare {
        /// The comparison.
        name: OpName,
        /// Number of the predicate.
        predicate: i64,
        /// What it compares.
        operands: [usize; 2],
    },
    /// An operation of two conditions.
    Logic(OpName, [usize; 2]),
    /// An extremum of two keys.
    Extremum(OpName, [usize; 2]),
    /// What a companion has accumulated, and a value that joins it.
    Accumulate(OpName, [usize; 2]),
}

impl Node {
    fn operands(&self) -> &[usize] {
        match self {
            Node::Slot(_) | Node::Leaf(_) | Node::Bool(_) => &[],
            Node::Select(all) => all,
            Node::Compare { operands, .. }
            | Node::Logic(_, operands)
            | Node::Extremum(_, operands)
            | Node::Accumulate(_, operands) => operands,
        }
    }

    /// The operands whose value the node may have or contain: no conditions.
    fn data(&self) -> &[usize] {
        match self {
            Node::Select(all) => &all[1..],
            Node::Compare { .. } | Node::Logic(..) => &[],
            _ => self.operands(),
        }
    }
}

/// The iteration of a loop.
#[derive(Clone)]
pub(super) struct Iteration {
    pub(super) slots: Vec<usize>,
    pub(super) types: Vec<Type>,
    pub(super) nodes: Vec<Node>,
    pub(super) next: Vec<usize>,
    pub(super) leaves: Vec<Value>,
    pub(super) leaf_types: Vec<Type>,
    /// An operation on floats that is not to be regrouped.
    pub(super) keeps_order: Option<OpName>,
}

/// What slots and leaves are for.
pub(super) struct Roles {
    /// The slots that are keys.
    pub(super) keys: Vec<usize>,
    /// The leaf that is a key.
    pub(super) key: usize,
    /// The type of keys.
    pub(super) ty: Type,
    pub(super) is_unsigned: bool,
    pub(super) is_float: bool,
    /// Whether comparisons find distinct keys equal: zeros of floats.
    pub(super) has_equals: bool,
    /// Leaves that go along with keys, each with its slots.
    pub(super) companions: Vec<(usize, Vec<usize>)>,
    /// The operations by which companions accumulate.
    pub(super) operations: Vec<(usize, OpName)>,
    /// Leaves that are conditions.
    pub(super) masks: Vec<usize>,
}

impl Iteration {
    /// The nodes that a node rests on, itself included; `follow` gives the operands to follow.
    fn below<'s>(&'s self, from: usize, follow: impl Fn(&'s Node) -> &'s [usize]) -> Vec<usize> {
        let mut seen = vec![from];
        let mut at = 0;
        while at < seen.len() {
            for &operand in follow(&self.nodes[seen[at]]) {
                if !seen.contains(&operand) {
                    seen.push(operand);
                }
            }
            at += 1;
        }
        seen
    }

    /// Parts whose slots do not depend on those of other parts.
    pub(super) fn components(&self) -> Vec<Iteration> {
        let count = self.slots.len();
        let mut part: Vec<usize> = (0..count).collect();
        for slot in 0..count {
            for node in self.below(self.next[slot], Node::operands) {
                let Node::Slot(other) = self.nodes[node] else {
                    continue;
                };
                let (from, to) = (part[other], part[slot]);
                part.iter_mut()
                    .filter(|p| **p == from)
                    .for_each(|p| *p = to);
            }
        }
        let mut parts = part.clone();
        parts.sort_unstable();
        parts.dedup();
        let members = |p: &usize| {
            let slots = (0..count).filter(|&slot| part[slot] == *p);
            self.only(&slots.collect::<Vec<_>>())
        };
        parts.iter().map(members).collect()
    }

    /// The iteration of some slots alone, with what their values rest on.
    fn only(&self, slots: &[usize]) -> Iteration {
        let mut used: Vec<usize> = (slots.iter())
            .flat_map(|&slot| self.below(self.next[slot], Node::operands))
            .collect();
        // Operands keep their places before their users.
        used.sort_unstable();
        used.dedup();
        let place = |node: usize| used.binary_search(&node).unwrap_or(0);
        let (mut leaves, mut leaf_types) = (Vec::new(), Vec::new());
        let nodes = used.iter().map(|&node| match self.nodes[node] {
            Node::Slot(slot) => Node::Slot(slots.iter().position(|&s| s == slot).unwrap_or(0)),
            Node::Leaf(leaf) => {
                leaves.push(self.leaves[leaf]);
                leaf_types.push(self.leaf_types[leaf]);
                Node::Leaf(leaves.len() - 1)
            }
            Node::Bool(holds) => Node::Bool(holds),
            Node::Select(all) => Node::Select(all.map(place)),
            Node::Compare {
                name,
                predicate,
                operands,
            } => Node::Compare {
                name,
                predicate,
                operands: operands.map(place),
            },
            Node::Logic(name, pair) => Node::Logic(name, pair.map(place)),
            Node::Extremum(name, pair) => Node::Extremum(name, pair.map(place)),
            Node::Accumulate(name, pair) => Node::Accumulate(name, pair.map(place)),
        });
        let nodes = nodes.collect();
        Iteration {
            slots: slots.iter().map(|&slot| self.slots[slot]).collect(),
            types: slots.iter().map(|&slot| self.types[slot]).collect(),
            nodes,
            next: slots.iter().map(|&slot| place(self.next[slot])).collect(),
            leaves,
            leaf_types,
            keeps_order: self.keeps_order,
        }
    }

    /// The roles of slots and leaves; `None` if one has two, or if what compares is not one leaf with keys of one type.
    pub(super) fn roles(&self, ctx: &Context) -> Option<Roles> {
        let is_key = self.keys()?;
        let keys: Vec<usize> = (0..self.slots.len()).filter(|&slot| is_key[slot]).collect();
        let mut key_leaves = HashSet::new();
        let mut masks = Vec::new();
        let mut companions: Vec<(usize, Vec<usize>)> = Vec::new();
        for (leaf, &ty) in self.leaf_types.iter().enumerate() {
            if ty == ctx.bool_type() {
                masks.push(leaf);
            }
        }
        for (slot, &next) in self.next.iter().enumerate() {
            let leaves = self.data_leaves(next);
            match is_key[slot] {
                true => key_leaves.extend(leaves),
                false => {
                    let &[leaf] = &leaves[..] else { return None };
                    match companions.iter_mut().find(|(of, _)| *of == leaf) {
                        Some((_, slots)) => slots.push(slot),
                        None => companions.push((leaf, vec![slot])),
                    }
                }
            }
        }
        for node in &self.nodes {
            if let Node::Compare { operands, .. } | Node::Extremum(_, operands) = node {
                operands
                    .iter()
                    .for_each(|&operand| key_leaves.extend(self.data_leaves(operand)));
            }
        }
        let mut key_leaves = key_leaves.into_iter();
        let (Some(key), None) = (key_leaves.next(), key_leaves.next()) else {
            return None;
        };
        let is_apart = companions
            .iter()
            .all(|(leaf, _)| *leaf != key && !masks.contains(leaf));
        let ty = self.leaf_types[key];
        let is_one = keys.iter().all(|&slot| self.types[slot] == ty) && !masks.contains(&key);
        let order = self.order(ty.float_kind(ctx).is_some())?;
        Some(Roles {
            operations: self.operations(&companions)?,
            keys,
            key,
            ty,
            is_unsigned: order.is_unsigned,
            is_float: ty.float_kind(ctx).is_some(),
            has_equals: order.has_equals,
            companions,
            masks,
        })
        .filter(|_| is_apart && is_one)
    }

    /// For each slot whether it is compared, or what is compared comes from it.
    fn keys(&self) -> Option<Vec<bool>> {
        let mut is_key = vec![false; self.slots.len()];
        let mark = |is_key: &mut Vec<bool>, node| {
            for below in self.below(node, Node::data) {
                if let Node::Slot(slot) = self.nodes[below] {
                    is_key[slot] = true;
                }
            }
        };
        for node in &self.nodes {
            if let Node::Compare { operands, .. } | Node::Extremum(_, operands) = node {
                operands
                    .iter()
                    .for_each(|&operand| mark(&mut is_key, operand));
            }
        }
        // What becomes a key is one, and what a key becomes.
        for _ in 0..self.slots.len() {
            for (slot, &next) in self.next.iter().enumerate() {
                let below = self.below(next, Node::data);
                let mut from = below.iter().map(|&node| self.nodes[node]);
                let comes_from = from.any(|node| matches!(node, Node::Slot(s) if is_key[s]));
                if is_key[slot] || comes_from {
                    is_key[slot] = true;
                    mark(&mut is_key, next);
                }
            }
        }
        let accumulates = |slot: usize| {
            let below = self.below(self.next[slot], Node::data);
            below
                .iter()
                .any(|&node| matches!(self.nodes[node], Node::Accumulate(..)))
        };
        let is_fine = (0..is_key.len()).all(|slot| !is_key[slot] || !accumulates(slot));
        is_fine.then_some(is_key)
    }

    fn data_leaves(&self, node: usize) -> Vec<usize> {
        let below = self.below(node, Node::data).into_iter();
        below
            .filter_map(|node| match self.nodes[node] {
                Node::Leaf(leaf) => Some(leaf),
                _ => None,
            })
            .collect()
    }

    /// The operation by which each companion accumulates, if it does; `None` if there are two.
    fn operations(&self, companions: &[(usize, Vec<usize>)]) -> Option<Vec<(usize, OpName)>> {
        let mut found = Vec::new();
        for (leaf, slots) in companions {
            let below = slots
                .iter()
                .flat_map(|&s| self.below(self.next[s], Node::data));
            let names = below.filter_map(|node| match self.nodes[node] {
                Node::Accumulate(name, _) => Some(name),
                _ => None,
            });
            let names: HashSet<OpName> = names.collect();
            if names.len() > 1 {
                return None;
            }
            found.extend(names.into_iter().map(|name| (*leaf, name)));
        }
        Some(found)
    }

    /// The order by which keys are compared; `None` where there is more than one.
    fn order(&self, is_float: bool) -> Option<Order> {
        let (mut signed, mut unsigned, mut compares, mut extrema) = (false, false, false, false);
        for node in &self.nodes {
            match *node {
                Node::Compare {
                    name: arith::CMPI,
                    predicate,
                    ..
                } => match CmpIPredicate::from_value(predicate)? {
                    CmpIPredicate::Eq | CmpIPredicate::Ne => {}
                    CmpIPredicate::Slt
                    | CmpIPredicate::Sle
                    | CmpIPredicate::Sgt
                    | CmpIPredicate::Sge => signed = true,
                    _ => unsigned = true,
                },
                Node::Compare { .. } => compares = true,
                Node::Extremum(arith::MAXSI | arith::MINSI, _) => signed = true,
                Node::Extremum(arith::MAXUI | arith::MINUI, _) => unsigned = true,
                Node::Extremum(..) => extrema = true,
                _ => {}
            }
        }
        // Comparisons find zeros equal that extrema of floats tell apart.
        let is_one = !(signed && unsigned || compares && extrema);
        is_one.then_some(Order {
            is_unsigned: unsigned,
            has_equals: is_float && compares,
        })
    }
}

struct Order {
    is_unsigned: bool,
    has_equals: bool,
}
