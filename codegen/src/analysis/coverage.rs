//! Coverage: whether the stores of an iteration have written every element that a load in it may
//! read.
//!
//! ```text
//!   read    = { (x, e) : the load runs at x, and reads element e }
//!   written = { (x, e) : some y, before x, at which a store runs and writes e }
//!   covered:  read \ written = ∅
//! ```
//!
//! `x` stands for all numbers of the load's iteration and for those that do not change in the
//! iteration of the loop in question; `y` for the counters of the loops around a store. `read` may
//! be too large, `written` must not: a store counts only where its domain is exactly known and
//! counters are all that its subscripts vary with. A load whose subscripts are not affine may read
//! any element. The same test says of other accesses whether all elements that one touches are touched
//! by others, before it or at any time ([`Order`]).

use gridloom_dialects::{affine, scf};
use gridloom_ir::{AffineExpr, Body, OpId, RegionId, Value};
use gridloom_presburger::{IntegerPolyhedron, Set, Space};

use super::budget::root_of_nest;
use super::counter::{Counter, counters};
use super::dependence::Dependences;
use super::domain::{Domain, domain, domain_inside, exact_counter_constraints, fitting};
use super::system::{Combination, Instance, Statements};
use super::values::{AffineValues, Atom};

/// Limit of the parts that all stores of a temporary have written before a load.
const MAX_PARTS: usize = 24;

/// Order of the covering accesses and the covered one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Before the covered one.
    Before,
    /// At any time in the iteration.
    Ever,
}

/// The extents of a memref, those that its type leaves open included.
pub fn extents_of(values: &mut AffineValues, memref: Value) -> Vec<AffineExpr> {
    let ty = values.body.ty(memref).memref(values.ctx);
    let rank = ty.map_or(0, |ty| ty.shape.len());
    (0..rank).map(|dim| values.extent(memref, dim)).collect()
}

/// Whether, in each iteration of `op`, `stores` write what `load` reads of a memory of these extents, in this
/// order. Unknown means no.
pub fn is_covered(
    deps: &mut Dependences,
    op: OpId,
    (stores, order): (&[OpId], Order),
    load: OpId,
    extents: &[AffineExpr],
) -> bool {
    let values = &mut deps.values;
    let elements = elements_read(values, load, extents.len());
    // An extent whose arithmetic may wrap around bounds nothing.
    let env = values.environment_at(load);
    let extents: Vec<Option<AffineExpr>> = extents.iter().copied().map(Some).collect();
    let extents = fitting(values, &extents, env);
    let stores = stores.iter();
    let known: Vec<Written> = stores
        .filter_map(|&store| Written::new(values, op, store))
        .collect();
    let read_when = domain(values, load);
    read_when.disjuncts.iter().all(|conjunction| {
        let values = &mut deps.values;
        let mut read = Statements::new();
        read.add_all(conjunction, Instance::Second);
        require_elements_of(&elements, &extents, &mut read);
        mention(values, op, &known, &mut read);
        let system = read.solve(values, |v, atom| is_fixed(v, op, atom), &[]);
        let columns = system.atoms().len();
        let mut written = Set::empty(Space::new(columns, 0));
        for store in &known {
            let orders = match order {
                Order::Before => orders(values.body, op, store.op, load),
                Order::Ever => vec![Vec::new()],
            };
            let parts = store.parts(values, (op, &orders), &elements, (&read, columns));
            parts.into_iter().for_each(|part| written.add(part));
        }
        if written.disjuncts().len() > MAX_PARTS {
            return false;
        }
        let work = deps.budgets.of(root_of_nest(deps.values.body, load));
        work.is_subset(&Set::from(system.poly), &written).is_yes()
    })
}

/// Requires the subscripts of a load to name an element: another access is an error of the program.
fn require_elements_of(
    elements: &[AffineExpr],
    extents: &[Option<AffineExpr>],
    read: &mut Statements,
) {
    for (&element, &extent) in elements.iter().zip(extents) {
        read.at_least_zero(Combination::of(element, Instance::Second));
        if let Some(extent) = extent {
            let below = Combination::of(extent, Instance::Second).offset(-1);
            read.at_least_zero(below.plus(-1, element, Instance::Second));
        }
    }
}

/// The element that a load reads: its subscripts, or unknown numbers where they are not affine or
/// may wrap around.
fn elements_read(values: &mut AffineValues, load: OpId, rank: usize) -> Vec<AffineExpr> {
    let known = subscripts(values, load);
    known.unwrap_or_else(|| {
        let fresh = (0..rank as u32).map(|number| values.atom_expr(Atom::Fresh(number)));
        fresh.collect()
    })
}

/// The subscripts of an affine access, none of which wraps around.
fn subscripts(values: &mut AffineValues, op: OpId) -> Option<Vec<AffineExpr>> {
    let (ctx, body) = (values.ctx, values.body);
    let access = affine::Access::cast(body, op)?;
    let indices = values.map_exprs(op, access.map(ctx, body), access.operands(body));
    let env = values.environment_at(op);
    fitting(values, &indices, env).into_iter().collect()
}

/// Store that runs at exactly known points of an iteration.
struct Written {
    op: OpId,
    /// The subscripts.
    elements: Vec<AffineExpr>,
    /// Domain inside of the loop in question.
    when: Domain,
}

impl Written {
    /// `None` where the points at which the store runs, or the elements, are not exactly known.
    fn new(values: &mut AffineValues, around: OpId, op: OpId) -> Option<Self> {
        let elements = subscripts(values, op)?;
        let loops = loops_around(values.body, around, op)?;
        for &(op, _) in &loops {
            for counter in counters(values.body, op) {
                exact_counter_constraints(values, counter)?;
            }
        }
        // The domain says nothing of a test of sizes around the store.
        let mut within = values.body.ancestors(op).take_while(|&o| o != around);
        if within.any(|test| is_test_of_sizes(values, test, op)) {
            return None;
        }
        let when = domain_inside(values, op, around);
        let store = Written { op, elements, when };
        let is_known = |&atom: &u32| {
            let atom = values.atom(atom);
            is_fixed(values, around, atom) || loops.iter().any(|&(_, iv)| atom == Atom::Value(iv))
        };
        (store.when.is_exact && store.atoms(values).iter().all(is_known)).then_some(store)
    }

    /// The atoms of the subscripts and of the domain.
    fn atoms(&self, values: &AffineValues) -> Vec<u32> {
        let constraints = self.when.disjuncts.iter().flatten().map(|c| c.expr);
        let mut atoms = Vec::new();
        for expr in self.elements.iter().copied().chain(constraints) {
            values.atoms_in(expr, &mut atoms);
        }
        atoms
    }

    /// The parts of `written` that are due to this store, over the first `columns` columns of what
    /// `read` states. What cannot be stated exactly is left out.
    fn parts(
        &self,
        values: &mut AffineValues,
        (around, orders): (OpId, &[Vec<(Value, bool)>]),
        elements: &[AffineExpr],
        (read, columns): (&Statements, usize),
    ) -> Vec<IntegerPolyhedron> {
        let mut found = Vec::new();
        for order in orders {
            for conjunction in &self.when.disjuncts {
                let mut own = Statements::new();
                own.add_all(conjunction, Instance::First);
                for (&written, &element) in self.elements.iter().zip(elements) {
                    let apart = Combination::of(written, Instance::First);
                    own.equal(apart.plus(-1, element, Instance::Second));
                }
                for &(counter, is_less) in order {
                    let counter = values.atom_expr(Atom::Value(counter));
                    let later = Combination::of(counter, Instance::Second);
                    let ahead = later.plus(-1, counter, Instance::First);
                    match is_less {
                        true => own.at_least_zero(ahead.offset(-1)),
                        false => own.equal(ahead),
                    }
                }
                let shared = |v: &AffineValues, atom| is_fixed(v, around, atom);
                if !own.solve(values, shared, &[]).complete {
                    continue;
                }
                let mut all = read.clone();
                all.append(&own);
                let system = all.solve(values, shared, &[]);
                let own_columns = columns..system.atoms().len();
                found.push(system.poly.project_out_dims(own_columns));
            }
        }
        found
    }
}

/// Mentions every atom of the stores that does not change in an iteration, so that it has a column
/// among those of the load and is not taken for one that may have any value.
fn mention(values: &mut AffineValues, around: OpId, stores: &[Written], list: &mut Statements) {
    for store in stores {
        for atom in store.atoms(values) {
            if is_fixed(values, around, values.atom(atom)) {
                let expr = values.ctx.affine_dim(atom);
                list.equal(Combination::default().plus(0, expr, Instance::Second));
            }
        }
    }
}

/// Whether an atom has one value in an iteration of the loop `around`: no loop stands between that
/// and the definition.
fn is_fixed(values: &AffineValues, around: OpId, atom: Atom) -> bool {
    if matches!(atom, Atom::Touched(..) | Atom::Lane(..)) {
        return false;
    }
    let block = values.atom_block(atom);
    if !values.block_is_inside(block, around) {
        return true;
    }
    let Some(parent) = block.and_then(|block| values.body.block_parent_op(block)) else {
        return false;
    };
    let up = |&op: &OpId| values.body.parent_op(op);
    std::iter::successors(Some(parent), up)
        .take_while(|&op| op != around)
        .all(|op| matches!(values.body[op].name, affine::IF | scf::IF))
}

/// Whether `op` is a test of sizes whose outcome no domain mentions, with `inner` inside of it.
fn is_test_of_sizes(values: &mut AffineValues, op: OpId, inner: OpId) -> bool {
    let body = values.body;
    let mut regions = body[op].inline_regions().iter();
    let holds = |region: RegionId| {
        let mut blocks = body[region].blocks.iter();
        blocks.any(|&block| body.ancestor_in_block(inner, block).is_some())
    };
    body[op].name == scf::IF
        && regions.any(|&region| holds(region) && values.is_range_test(op, region))
}

/// The loops around an operation inside of `around`, outermost first, with their counters; `None`
/// where other loops, or bands that may run in any order, stand between them.
fn loops_around(body: &Body, around: OpId, op: OpId) -> Option<Vec<(OpId, Value)>> {
    let mut loops = Vec::new();
    for parent in body.ancestors(op).take_while(|&parent| parent != around) {
        match body[parent].name {
            affine::FOR => {
                let counter: Option<Counter> = counters(body, parent).next();
                loops.push((parent, counter?.induction_var(body)));
            }
            scf::FOR => loops.push((parent, scf::ForOp(parent).induction_var(body))),
            affine::IF | scf::IF => {}
            _ => return None,
        }
    }
    loops.reverse();
    Some(loops)
}

/// The ways in which a point of `first` comes before one of `second` in an iteration of `around`:
/// conditions on the counters of the loops around both, each that they are equal (`false`) or that
/// the first one is less (`true`).
fn orders(body: &Body, around: OpId, first: OpId, second: OpId) -> Vec<Vec<(Value, bool)>> {
    let Some(loops) = loops_around(body, around, first) else {
        return Vec::new();
    };
    let is_common = |&&(op, _): &&(OpId, Value)| body.is_ancestor(op, second);
    let common: Vec<Value> = loops.iter().take_while(is_common).map(|l| l.1).collect();
    let innermost = (loops.iter().take_while(is_common).last()).map_or(around, |l| l.0);
    // The order of a loop that is not counted is not known.
    let between = body
        .ancestors(second)
        .skip_while(|&op| op != innermost)
        .take_while(|&op| op != around);
    let is_counted = between
        .into_iter()
        .all(|op| matches!(body[op].name, affine::FOR | scf::FOR | affine::IF | scf::IF));
    if !is_counted {
        return Vec::new();
    }
    let equal = |count: usize| common[..count].iter().map(|&iv| (iv, false));
    let mut orders: Vec<Vec<(Value, bool)>> = (0..common.len())
        .map(|depth| equal(depth).chain([(common[depth], true)]).collect())
        .collect();
    if stands_before(body, innermost, first, second) {
        orders.push(equal(common.len()).collect());
    }
    orders
}

/// Whether, in one iteration of the loop `around` both, `first` comes before `second`: it or what
/// it stands in comes before the other in a block that both are in.
fn stands_before(body: &Body, around: OpId, first: OpId, second: OpId) -> bool {
    let blocks = body.ancestors(first).take_while(|&op| op != around);
    for op in std::iter::once(first).chain(blocks) {
        let Some(block) = body[op].parent() else {
            return false;
        };
        let Some(other) = body.ancestor_in_block(second, block) else {
            continue;
        };
        return other != op && body.ops(block).take_while(|&o| o != other).any(|o| o == op);
    }
    false
}
