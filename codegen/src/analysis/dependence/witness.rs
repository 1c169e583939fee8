//! Witnesses of dependences: a pair of iterations that touch the same element,
//! and the distance vector over all loops around both.
//!
//! A witness explains the yes or no of [`test`](Dependences::test): it is the point nearest to zero
//! of the polyhedron of all pairs, minimizing parameters first, then the counters of the earlier
//! iteration, then those of the later one.

use gridloom_dialects::scf;
use gridloom_ir::{AffineExpr, Body, OpId, Value};

use super::{CommonElement, Dependences, Question, Scope, is_counter};
use crate::analysis::access::Access;
use crate::analysis::counter::counters;
use crate::analysis::system::{Combination, Instance, Statements, System};
use crate::analysis::values::Atom;

/// A counter or a parameter with its value.
pub type Valued = (Atom, i64);

/// Witness: two iterations that touch the same element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// Parameters, fixed while the loop runs: sizes, arguments, loaded numbers.
    pub parameters: Vec<Valued>,
    /// The counters around the earlier access, outermost first.
    pub first: Vec<Valued>,
    /// The counters around the later one.
    pub second: Vec<Valued>,
    /// The coordinates of the element as the earlier access writes them, if they are affine.
    pub element: Vec<i64>,
}

/// Dependence between two accesses of a loop, with a witness.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WitnessedDependence {
    /// Distance vector: the counters of the loops around both accesses, outermost first, each with
    /// the least and the greatest distance between the two iterations; `None` where the distance is
    /// unbounded or unknown.
    pub distance: Vec<(Value, Option<i64>, Option<i64>)>,
    /// A pair of iterations, where one was found.
    pub witness: Option<Witness>,
}

impl Dependences<'_> {
    /// Dependence of an access in one iteration of `by` on another in a later one. `None` if they
    /// touch no common element, or if that is not known for any values of the parameters.
    pub fn witnessed_dependence(
        &mut self,
        by: OpId,
        [first, second]: [&Access; 2],
    ) -> Option<WitnessedDependence> {
        let scope = Scope::AcrossIterations(by);
        let CommonElement::Where(places) = self.common_coords(scope, &first.place, &second.place)
        else {
            return None;
        };
        let question = Question {
            scope,
            accesses: [first, second],
            domains: [self.domain_of(first.op), self.domain_of(second.op)],
            further: &Statements::new(),
            with_distance: true,
        };
        let coords = self.delinearised(&question, places.clone());
        let (common, doubt) = self.common_statements(&question, &coords);
        if doubt.is_some() {
            return None;
        }
        let shared = common_counters(self.values.body, by, [first.op, second.op]);
        let mut observed = self.distances(&shared);
        let element = places
            .iter()
            .map(|&(a, _)| Combination::of(a, Instance::First));
        observed.extend(element);
        let domains = question.domains.clone();
        let mut dependence: Option<WitnessedDependence> = None;
        for first in &domains[0].disjuncts {
            for second in &domains[1].disjuncts {
                let system = self.system_of(&question, &common, [first, second], &observed);
                let work = self.work(question.accesses[0].op);
                if work.is_spent() || !system.is_empty(work).is_no() {
                    continue;
                }
                let found = self.dependence_in(&question, &system, &shared, places.len());
                dependence = Some(match dependence {
                    None => found,
                    Some(before) => before.or(found),
                });
            }
        }
        dependence
    }

    /// Distance of the second instance from the first, for each counter.
    fn distances(&mut self, of: &[Value]) -> Vec<Combination> {
        let of = of.iter().map(|&iv| self.values.atom_expr(Atom::Value(iv)));
        let later =
            |iv: AffineExpr| Combination::of(iv, Instance::Second).plus(-1, iv, Instance::First);
        of.map(later).collect()
    }

    /// The dependence that one polyhedron of iteration pairs describes.
    fn dependence_in(
        &mut self,
        question: &Question,
        system: &System,
        counters: &[Value],
        coords: usize,
    ) -> WitnessedDependence {
        let op = question.accesses[0].op;
        let mut distance = Vec::with_capacity(counters.len());
        for (number, &counter) in counters.iter().enumerate() {
            let (least, most) = system.range(number, self.work(op)).exact_ends();
            distance.push((counter, least, most));
        }
        let witness = self.witness_in(question, system, counters.len()..counters.len() + coords);
        WitnessedDependence { distance, witness }
    }

    /// The point of a polyhedron nearest to zero, as a witness. `None` where a number other than a
    /// counter differs between the instances, such as a loaded one: nothing says that both values
    /// can occur.
    fn witness_in(
        &mut self,
        question: &Question,
        system: &System,
        element: std::ops::Range<usize>,
    ) -> Option<Witness> {
        let [first, second] = question.accesses.map(|access| access.op);
        let counters = [(first, Instance::First), (second, Instance::Second)];
        let counters = counters.map(|(op, instance)| self.counter_columns(system, op, instance));
        let mut parameters: Vec<(Atom, usize)> = Vec::new();
        for column in system.atom_columns() {
            let number = system.atom_in(column)?;
            let atom = self.values.atom(number);
            if counters.iter().flatten().any(|&(_, known)| known == column) {
                continue;
            }
            if is_counter(&self.values, atom) {
                continue;
            }
            let columns = [Instance::First, Instance::Second];
            let [here, there] = columns.map(|instance| system.column_of(number, instance));
            match atom {
                // These atoms stand for any element of a vector or of a call's access.
                Atom::Lane(..) | Atom::Touched(..) | Atom::Fresh(_) => {}
                _ if here == there => parameters.push((atom, column)),
                _ => return None,
            }
        }
        let order = parameters.iter().chain(counters.iter().flatten());
        let order: Vec<usize> = order.map(|&(_, column)| column).collect();
        let point = self.work(first).simplest_point(&system.poly, &order)?;
        let valued = |list: &[(Atom, usize)]| -> Vec<Valued> {
            list.iter()
                .map(|&(atom, column)| (atom, point[column]))
                .collect()
        };
        let coord = |form: &Option<_>| {
            let form: &gridloom_presburger::Affine = form.as_ref()?;
            form.value_at(&point).ok()
        };
        let coordinates: Option<Vec<i64>> = system.observed[element].iter().map(coord).collect();
        Some(Witness {
            parameters: valued(&parameters),
            first: valued(&counters[0]),
            second: valued(&counters[1]),
            element: coordinates.unwrap_or_default(),
        })
    }

    /// The counters of the loops around an operation, with their columns.
    fn counter_columns(
        &mut self,
        system: &System,
        op: OpId,
        instance: Instance,
    ) -> Vec<(Atom, usize)> {
        let around = counters_around(self.values.body, op).into_iter();
        let column = |counter| {
            let atom = Atom::Value(counter);
            let number = self.values.atom_number(atom);
            Some((atom, system.column_of(number, instance)?))
        };
        around.filter_map(column).collect()
    }
}

impl WitnessedDependence {
    /// Joins two dependences of the same accesses: the hull of their distances.
    fn or(self, other: WitnessedDependence) -> WitnessedDependence {
        let least = |a: Option<i64>, b: Option<i64>| a.zip(b).map(|(a, b)| a.min(b));
        let most = |a: Option<i64>, b: Option<i64>| a.zip(b).map(|(a, b)| a.max(b));
        let pairs = self.distance.into_iter().zip(other.distance);
        WitnessedDependence {
            distance: pairs
                .map(|(a, b)| (a.0, least(a.1, b.1), most(a.2, b.2)))
                .collect(),
            witness: self.witness.or(other.witness),
        }
    }
}

/// The counters of the loops around an operation, outermost first.
pub fn counters_around(body: &Body, op: OpId) -> Vec<Value> {
    let around = body.ancestors(op);
    let mut loops: Vec<OpId> = around.collect();
    loops.reverse();
    loops.iter().flat_map(|&op| counters_of(body, op)).collect()
}

/// The counters of a loop, outermost first.
pub fn counters_of(body: &Body, op: OpId) -> Vec<Value> {
    match body[op].name {
        scf::FOR => vec![scf::ForOp(op).induction_var(body)],
        _ => counters(body, op).map(|c| c.induction_var(body)).collect(),
    }
}

/// The counters of `by` and of the loops inside of it that enclose both operations.
fn common_counters(body: &Body, by: OpId, ops: [OpId; 2]) -> Vec<Value> {
    let [first, second] = ops.map(|op| counters_around(body, op));
    let outside = counters_around(body, by).len();
    let pairs = first.into_iter().zip(second).skip(outside);
    pairs.take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
}
