//! Proof that a reading of a state as records combines partial states (see [`super`]).
//!
//! Keys are numbers of a model, in all orders that those of two states and a record can have; the neutral key and NaN are
//! among them. An iteration cannot tell other numbers of the same order apart. Where comparisons find distinct keys equal (zeros
//! of both signs), each key has an identity of its own, which has to come out the same. A companion is the multiset of
//! what it has accumulated, so that any commutative and associative operation is covered.

use gridloom_dialects::arith;
use gridloom_ir::scalar::{IntPredicate, float_compare};

use super::Reading;
use super::expression::{Iteration, Node, Roles};

/// What was proved of a reading.
pub(super) struct Proof {
    pub(super) is_in_order: bool,
    /// Whether states without records need a mark.
    pub(super) needs_mark: bool,
    /// Whether a NaN starts the state again.
    pub(super) restarts: bool,
}

/// Limit of the slots, and of the leaves: each has a token.
const MAX_VALUES: usize = 5;

/// Limit of the orders of keys that iterations reach.
const MAX_REACHED: usize = 64;

/// Number of a neutral key that is the greatest.
pub(super) const GREATEST: f64 = 1e6;

/// Token of what stands beside a neutral key and nothing accumulates.
const PLACEHOLDER: u64 = 1 << 60;

/// Value of the model.
#[derive(Clone, Copy, Debug)]
enum Model {
    Key {
        number: f64,
        identity: u8,
    },
    /// A multiset of tokens: 4 bits count each.
    Companion(u64),
    Condition(bool),
}

impl PartialEq for Model {
    fn eq(&self, other: &Model) -> bool {
        match (self, other) {
            (
                Model::Key {
                    number: a,
                    identity: i,
                },
                Model::Key {
                    number: b,
                    identity: j,
                },
            ) => i == j && (a == b || a.is_nan() && b.is_nan()),
            (Model::Companion(a), Model::Companion(b)) => a == b,
            (Model::Condition(a), Model::Condition(b)) => a == b,
            _ => false,
        }
    }
}

/// Proves the law for a reading, with a mark beside the state if it does not hold without. `may_restart`: whether the key of
/// an iteration is at hand, so that it can be tested for NaN.
pub(super) fn prove(
    iteration: &Iteration,
    roles: &Roles,
    reading: &Reading,
    may_restart: bool,
) -> Option<Proof> {
    if iteration.slots.len() > MAX_VALUES || iteration.leaves.len() > MAX_VALUES {
        return None;
    }
    let law = Law {
        iteration,
        roles,
        reading,
        has_nan: roles.is_float,
    };
    if law.holds(false, false)? {
        return Some(Proof {
            is_in_order: !law.commutes()?,
            needs_mark: false,
            restarts: false,
        });
    }
    let may_restart = may_restart && law.has_nan;
    let restarts = match law.holds(true, false)? {
        true => false,
        false => (may_restart && law.starts_again()? && law.holds(true, true)?).then_some(true)?,
    };
    Some(Proof {
        is_in_order: true,
        needs_mark: true,
        restarts,
    })
}

struct Law<'a> {
    iteration: &'a Iteration,
    roles: &'a Roles,
    reading: &'a Reading,
    has_nan: bool,
}

impl Law<'_> {
    /// Whether the law holds; with a mark, states without records are combined by it, and with `restarts`, NaN is.
    fn holds(&self, has_mark: bool, restarts: bool) -> Option<bool> {
        let neutral = self.neutral();
        let has_nan = self.has_nan;
        if !has_mark {
            for state in self.states(&self.numbers(self.roles.keys.len() + 1, 0, has_nan)) {
                if self.combine(&state, &neutral)? != state {
                    return Some(false);
                }
            }
        }
        let keys = self.roles.keys.len();
        let nans = has_nan && !restarts;
        for reached in std::iter::once(None).chain(self.reached(nans)?.into_iter().map(Some)) {
            let ranks = self.ranks(reached.as_deref().unwrap_or(&[]));
            let gap = keys + 2;
            let later = match &reached {
                None => neutral.clone(),
                Some(numbers) => {
                    let spread = |n: f64| if self.is_rank(n) { n * gap as f64 } else { n };
                    self.state(5, &numbers.iter().map(|&n| spread(n)).collect::<Vec<_>>())
                }
            };
            let is_without = has_mark && reached.is_none();
            for state in self.states(&self.numbers(gap, ranks, has_nan)) {
                let combined = match is_without {
                    true => state.clone(),
                    false => self.combine(&state, &later)?,
                };
                for record in self.inputs(&self.numbers(gap, ranks, nans), 10) {
                    if !is_first_of_its_order(&[&state[..], &record].concat(), gap, ranks) {
                        continue;
                    }
                    let right = self.insert(&combined, &record)?;
                    let left = self.combine(&state, &self.insert(&later, &record)?)?;
                    if left != right {
                        return Some(false);
                    }
                }
            }
        }
        Some(true)
    }

    /// Whether what follows a NaN does not depend on what was before.
    fn starts_again(&self) -> Option<bool> {
        let neutral = self.neutral();
        for record in self.inputs(&[f64::NAN], 10) {
            let again = self.insert(&neutral, &record)?;
            for state in self.states(&self.numbers(self.roles.keys.len() + 1, 0, true)) {
                if self.insert(&state, &record)? != again {
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    /// Whether the order of records does not matter.
    fn commutes(&self) -> Option<bool> {
        let numbers = self.numbers(self.roles.keys.len() + 3, 0, self.has_nan);
        let (first, second) = (self.inputs(&numbers, 10), self.inputs(&numbers, 5));
        for state in self.states(&numbers) {
            for a in &first {
                let after = self.insert(&state, a)?;
                for b in &second {
                    let other = self.insert(&self.insert(&state, b)?, a)?;
                    if self.insert(&after, b)? != other {
                        return Some(false);
                    }
                }
            }
        }
        Some(true)
    }

    /// The keys that iterations reach from the neutral state, by rank.
    fn reached(&self, has_nan: bool) -> Option<Vec<Vec<f64>>> {
        let start = vec![self.neutral_number(); self.roles.keys.len()];
        let (mut work, mut reached) = (vec![start], Vec::new());
        while let Some(numbers) = work.pop() {
            let ranks = self.ranks(&numbers);
            let doubled = numbers
                .iter()
                .map(|&n| if self.is_rank(n) { n * 2.0 } else { n });
            let state = self.state(5, &doubled.collect::<Vec<_>>());
            for record in self.inputs(&self.numbers(2, ranks, has_nan), 10) {
                let next = self.by_rank(&self.insert(&state, &record)?)?;
                let is_same = |known: &Vec<f64>| {
                    let mut pairs = known.iter().zip(&next);
                    pairs.all(|(a, b)| a == b || a.is_nan() && b.is_nan())
                };
                if !reached.iter().any(is_same) {
                    reached.push(next.clone());
                    work.push(next);
                }
                if reached.len() > MAX_REACHED {
                    return None;
                }
            }
        }
        Some(reached)
    }

    /// The keys of a state, each by its rank among them.
    fn by_rank(&self, state: &[Model]) -> Option<Vec<f64>> {
        let keys = (self.roles.keys.iter()).map(|&slot| match state[slot] {
            Model::Key { number, .. } => Some(number),
            _ => None,
        });
        let keys: Vec<f64> = keys.collect::<Option<_>>()?;
        let mut order: Vec<f64> = keys.iter().copied().filter(|&n| self.is_rank(n)).collect();
        order.sort_by(f64::total_cmp);
        order.dedup();
        let rank = |n: f64| match order.iter().position(|&other| other == n) {
            Some(at) => at as f64 + 1.0,
            None => n,
        };
        Some(keys.into_iter().map(rank).collect())
    }

    fn ranks(&self, numbers: &[f64]) -> usize {
        let ranks = numbers.iter().filter(|&&n| self.is_rank(n));
        ranks.fold(0.0, |most: f64, &n| most.max(n)) as usize
    }

    fn neutral_number(&self) -> f64 {
        self.reading.neutral
    }

    fn is_rank(&self, number: f64) -> bool {
        !number.is_nan() && number != self.neutral_number()
    }

    /// The numbers of keys around so many ranks, with room for `gap - 1` between two.
    fn numbers(&self, gap: usize, ranks: usize, has_nan: bool) -> Vec<f64> {
        let own = (1..=(ranks + 1) * gap).map(|n| n as f64);
        let neutral = Some(self.neutral_number()).filter(|n| !n.is_nan());
        let others = [neutral, has_nan.then_some(f64::NAN)];
        own.chain(others.into_iter().flatten()).collect()
    }

    fn key(&self, number: f64, identity: u8) -> Model {
        let is_told = self.roles.has_equals && number != self.neutral_number();
        Model::Key {
            number,
            identity: if is_told { identity } else { 0 },
        }
    }

    fn neutral(&self) -> Vec<Model> {
        let slots = 0..self.iteration.slots.len();
        slots
            .map(|slot| match self.roles.keys.contains(&slot) {
                true => self.key(self.neutral_number(), 0),
                false => {
                    let mut all = self.roles.companions.iter();
                    let leaf = all.find(|(_, slots)| slots.contains(&slot));
                    self.idle(leaf.map_or(0, |(leaf, _)| *leaf))
                }
            })
            .collect()
    }

    fn idle(&self, leaf: usize) -> Model {
        let accumulates = self.roles.operations.iter().any(|(of, _)| *of == leaf);
        Model::Companion(if accumulates { 0 } else { PLACEHOLDER })
    }

    /// A state with these keys, whose tokens begin at `first`.
    fn state(&self, first: usize, keys: &[f64]) -> Vec<Model> {
        let mut numbers = keys.iter();
        (0..self.iteration.slots.len())
            .map(|slot| match self.roles.keys.contains(&slot) {
                true => self.key(
                    numbers.next().copied().unwrap_or(0.0),
                    (first + slot + 1) as u8,
                ),
                false => Model::Companion(1 << (4 * (first + slot))),
            })
            .collect()
    }

    /// The states with keys of these numbers.
    fn states(&self, numbers: &[f64]) -> Vec<Vec<Model>> {
        let mut keys: Vec<Vec<f64>> = vec![Vec::new()];
        for _ in &self.roles.keys {
            let longer =
                |known: Vec<f64>| numbers.iter().map(move |&n| [&known[..], &[n]].concat());
            keys = keys.into_iter().flat_map(longer).collect();
        }
        keys.iter().map(|keys| self.state(0, keys)).collect()
    }

    /// The leaves of records with keys of these numbers, whose tokens begin at `first`.
    fn inputs(&self, numbers: &[f64], first: usize) -> Vec<Vec<Model>> {
        let masks = &self.roles.masks;
        let mut all = Vec::new();
        for &number in numbers {
            for chosen in 0..1u32 << masks.len() {
                let leaf = |leaf: usize| match masks.iter().position(|&mask| mask == leaf) {
                    Some(at) => Model::Condition(chosen >> at & 1 == 1),
                    None if leaf == self.roles.key => self.key(number, (first + 32) as u8),
                    None => Model::Companion(1 << (4 * (first + leaf))),
                };
                all.push((0..self.iteration.leaves.len()).map(leaf).collect());
            }
        }
        all
    }

    /// Inserts the records of `later` into `state`.
    fn combine(&self, state: &[Model], later: &[Model]) -> Option<Vec<Model>> {
        let mut combined = state.to_vec();
        for record in &self.reading.records {
            let leaves = record.iter().enumerate().map(|(leaf, slot)| match slot {
                Some(slot) => later[*slot],
                None if self.roles.masks.contains(&leaf) => Model::Condition(self.reading.masks),
                None => self.idle(leaf),
            });
            combined = self.insert(&combined, &leaves.collect::<Vec<_>>())?;
        }
        Some(combined)
    }

    /// The state after an iteration with these leaves; `None` for what the model does not know.
    fn insert(&self, state: &[Model], leaves: &[Model]) -> Option<Vec<Model>> {
        let mut values: Vec<Model> = Vec::with_capacity(self.iteration.nodes.len());
        for node in &self.iteration.nodes {
            let value = value_of(node, &values, state, leaves)?;
            values.push(value);
        }
        Some(
            self.iteration
                .next
                .iter()
                .map(|&node| values[node])
                .collect(),
        )
    }
}

/// Whether keys among the ranks of a state are the least numbers in their order: no number between two ranks is left out.
fn is_first_of_its_order(values: &[Model], gap: usize, ranks: usize) -> bool {
    let numbers = || {
        values.iter().filter_map(|value| match value {
            Model::Key { number, .. } if (1.0..GREATEST).contains(number) => Some(*number as usize),
            _ => None,
        })
    };
    let is_rank = |n: usize| n.is_multiple_of(gap) && n / gap <= ranks;
    numbers().all(|n| n == 1 || is_rank(n) || is_rank(n - 1) || numbers().any(|m| m == n - 1))
}

fn value_of(node: &Node, values: &[Model], state: &[Model], leaves: &[Model]) -> Option<Model> {
    let numbers = |[a, b]: [usize; 2]| match (values[a], values[b]) {
        (Model::Key { number: a, .. }, Model::Key { number: b, .. }) => Some((a, b)),
        _ => None,
    };
    Some(match *node {
        Node::Slot(slot) => state[slot],
        Node::Leaf(leaf) => leaves[leaf],
        Node::Bool(holds) => Model::Condition(holds),
        Node::Select([condition, x, y]) => match values[condition] {
            Model::Condition(holds) => values[if holds { x } else { y }],
            _ => return None,
        },
        Node::Compare {
            name,
            predicate,
            operands,
        } => {
            let (a, b) = numbers(operands)?;
            Model::Condition(match name {
                arith::CMPI => IntPredicate::from_number(predicate)?.eval(a as u64, b as u64, 64),
                _ => float_compare(u8::try_from(predicate).ok()?, a, b),
            })
        }
        Node::Logic(name, [a, b]) => match (values[a], values[b]) {
            (Model::Condition(a), Model::Condition(b)) => Model::Condition(match name {
                arith::ANDI => a && b,
                arith::ORI => a || b,
                _ => a != b,
            }),
            _ => return None,
        },
        Node::Extremum(name, pair) => {
            let (a, b) = numbers(pair)?;
            let is_most = matches!(
                name,
                arith::MAXSI | arith::MAXUI | arith::MAXIMUMF | arith::MAXNUMF
            );
            let nan_wins = matches!(name, arith::MAXIMUMF | arith::MINIMUMF);
            let takes_first = match (a.is_nan(), b.is_nan()) {
                (true, _) => nan_wins,
                (_, true) => !nan_wins,
                _ => (a >= b) == is_most,
            };
            values[pair[usize::from(!takes_first)]]
        }
        Node::Accumulate(_, [held, joins]) => match (values[held], values[joins]) {
            (Model::Companion(a), Model::Companion(b)) => Model::Companion(a + b),
            _ => return None,
        },
    })
}
