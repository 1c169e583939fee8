//! Whether two accesses meet, and at what distance.
//!
//! Two instances of the iterations are put into one polyhedron: both lie in
//! the domains of their accesses, both touch the same element, and the scope
//! says which iterations of which loop are compared. If no integer point is
//! left, the accesses do not meet (P. Feautrier, "Dataflow analysis of array
//! and scalar references", 1991; here only existence is asked).

use std::collections::HashMap;
use std::rc::Rc;

use gridloom_ir::dialect::memref;
use gridloom_ir::{AffineExpr, BlockId, Body, Context, OpId};
use gridloom_presburger::Answer;

use super::access::{Access, CoordSpace, Place, linearise};
use super::alias::{Alias, Aliases, Globals, Root};
use super::domain::{Constraint, Domain, domain};
use super::system::{Combination, Instance, Statements};
use super::values::{AffineValues, Atom};

/// Which iterations are compared. Loops further out are in the same iteration;
/// loops further in are in any two iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// An earlier iteration of a loop with a later one.
    AcrossIterations(OpId),
    /// Iterations of a nest in which the counter of one of its loops is less
    /// with those in which it is greater, whatever the other counters are.
    AcrossNest {
        /// The outermost loop of the nest.
        root: OpId,
        /// The loop whose counter differs.
        by: OpId,
    },
    /// Any iteration of a loop with any other or itself.
    AnyIterations(OpId),
    /// One run of a block with itself.
    Block(BlockId),
}

impl Scope {
    /// The loop whose counter is less in the first instance.
    fn differing(self) -> Option<OpId> {
        match self {
            Scope::AcrossIterations(op) | Scope::AcrossNest { by: op, .. } => Some(op),
            Scope::AnyIterations(_) | Scope::Block(_) => None,
        }
    }

    /// Whether a value defined in `block` is the same in both instances.
    fn shares(self, values: &AffineValues, block: Option<BlockId>) -> bool {
        match self {
            Scope::AcrossIterations(op)
            | Scope::AnyIterations(op)
            | Scope::AcrossNest { root: op, .. } => !values.block_is_inside(block, op),
            Scope::Block(run) => block.is_none_or(|block| encloses(values.body, block, run)),
        }
    }
}

/// Whether `inner` is `outer` or lies in a region below it.
fn encloses(body: &Body, outer: BlockId, inner: BlockId) -> bool {
    let up = |&block: &BlockId| body.block_parent_op(block).and_then(|op| body[op].parent());
    std::iter::successors(Some(inner), up).any(|block| block == outer)
}

/// Whether one access depends on another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Dependence {
    /// They never touch the same element with one writing.
    Independent,
    /// They do, or it cannot be excluded.
    Dependent {
        /// Whether a common element was found; otherwise the subscripts, the
        /// memory or the effect are not known well enough.
        proved: bool,
        /// Least and greatest distance between the two iterations, in values
        /// of the induction variable, where known.
        distance: (Option<i64>, Option<i64>),
    },
}

impl Dependence {
    const UNKNOWN: Dependence = Dependence::Dependent {
        proved: false,
        distance: (None, None),
    };

    /// Whether there is none.
    pub fn is_independent(&self) -> bool {
        *self == Dependence::Independent
    }
}

/// Loops and conditions around two accesses beyond which the question is not
/// put: solvers take more than linear time.
const MAX_CONSTRAINTS: usize = 400;

/// Answers dependence questions about one body, which must not change
/// meanwhile.
pub struct Dependences<'a> {
    /// How index values are read.
    pub values: AffineValues<'a>,
    /// How memrefs are told apart.
    pub aliases: Aliases<'a>,
    /// Domains by block: all operations of a block have the same.
    domains: HashMap<BlockId, Rc<Domain>>,
}

impl<'a> Dependences<'a> {
    /// For a body whose module has these globals.
    pub fn new(ctx: &'a Context, body: &'a Body, globals: &'a Globals) -> Self {
        let mut values = AffineValues::new(ctx, body);
        values.callees = Some(globals.callees());
        Dependences {
            values,
            aliases: Aliases::new(ctx, body, globals),
            domains: HashMap::new(),
        }
    }

    /// Whether `second` in its iteration meets what `first` touched in its.
    pub fn test(&mut self, scope: Scope, first: &Access, second: &Access) -> Dependence {
        if !first.is_write && !second.is_write {
            return Dependence::Independent;
        }
        let coords = match self.common_coords(scope, &first.place, &second.place) {
            Meeting::Never => return Dependence::Independent,
            Meeting::Unknown => return Dependence::UNKNOWN,
            Meeting::Where(coords) => coords,
        };
        let domains = [self.domain_of(first.op), self.domain_of(second.op)];
        self.solve(scope, &coords, [first, second], domains)
    }

    fn domain_of(&mut self, op: OpId) -> Rc<Domain> {
        let values = &mut self.values;
        match values.body[op].parent() {
            Some(block) => {
                let known = self.domains.entry(block);
                known.or_insert_with(|| Rc::new(domain(values, op))).clone()
            }
            None => Rc::new(domain(values, op)),
        }
    }

    /// The coordinates that must be equal for the places to be one element.
    fn common_coords(&self, scope: Scope, first: &Place, second: &Place) -> Meeting {
        let (Some(a), Some(b)) = (root(first), root(second)) else {
            return Meeting::Unknown;
        };
        let shares = |block| scope.shares(&self.values, block);
        match self.aliases.relate(a, b, &shares) {
            Alias::No => return Meeting::Never,
            Alias::May => return Meeting::Unknown,
            Alias::Same => {}
        }
        if let Root::Value(value) = a {
            let block = self.values.body.value_block(value);
            if !shares(block) {
                // Another buffer in each instance: never the same if made
                // there, unknown if picked there.
                let body = self.values.body;
                let op = body.defining_op(value);
                let is_allocation =
                    op.is_some_and(|op| matches!(body[op].name, memref::ALLOC | memref::ALLOCA));
                let is_new = scope
                    .differing()
                    .is_some_and(|by| self.values.block_is_inside(block, by));
                return match is_allocation && is_new {
                    true => Meeting::Never,
                    false => Meeting::Unknown,
                };
            }
        }
        self.equal_places(first, second)
    }

    fn equal_places(&self, first: &Place, second: &Place) -> Meeting {
        let (
            Place::Element {
                root,
                space,
                coords,
            },
            Place::Element {
                space: other_space,
                coords: other_coords,
                ..
            },
        ) = (first, second)
        else {
            return Meeting::Unknown;
        };
        if space == other_space {
            let pairs = coords.iter().zip(other_coords);
            if pairs
                .into_iter()
                .any(|(&a, &b)| self.are_distinct_constants(a, b))
            {
                return Meeting::Never;
            }
            return match coords.len() == other_coords.len() {
                true => Meeting::Where(
                    coords
                        .iter()
                        .copied()
                        .zip(other_coords.iter().copied())
                        .collect(),
                ),
                false => Meeting::Unknown,
            };
        }
        let left = self.linear(*root, *space, coords);
        let right = self.linear(*root, *other_space, other_coords);
        match left.zip(right) {
            Some(pair) => Meeting::Where(vec![pair]),
            None => Meeting::Unknown,
        }
    }

    /// The common case of different rows or fields, without a solver.
    fn are_distinct_constants(&self, a: AffineExpr, b: AffineExpr) -> bool {
        let ctx = self.values.ctx;
        let pair = a.as_constant(ctx).zip(b.as_constant(ctx));
        pair.is_some_and(|(a, b)| a != b)
    }

    fn linear(&self, root: Root, space: CoordSpace, coords: &[AffineExpr]) -> Option<AffineExpr> {
        let (ctx, body) = (self.values.ctx, self.values.body);
        match (space, root) {
            (CoordSpace::Linear, _) => coords.first().copied(),
            (CoordSpace::Indices, Root::Value(value)) => {
                linearise(ctx, body.ty(value).memref(ctx)?, coords)
            }
            (CoordSpace::Indices, Root::Global(_)) => None,
        }
    }

    fn solve(
        &mut self,
        scope: Scope,
        coords: &[(AffineExpr, AffineExpr)],
        accesses: [&Access; 2],
        domains: [Rc<Domain>; 2],
    ) -> Dependence {
        let iv = self.induction_expr(scope);
        let distance =
            iv.map(|iv| Combination::of(iv, Instance::Second).plus(-1, iv, Instance::First));
        let mut result = Dependence::Independent;
        for first in &domains[0].disjuncts {
            for second in &domains[1].disjuncts {
                if first.len() + second.len() > MAX_CONSTRAINTS {
                    return Dependence::UNKNOWN;
                }
                let mut statements = Statements::new();
                statements.add_all(first, Instance::First);
                statements.add_all(second, Instance::Second);
                for &(a, b) in coords {
                    statements.equal(Combination::of(a, Instance::First).plus(
                        -1,
                        b,
                        Instance::Second,
                    ));
                }
                for (access, instance) in accesses
                    .into_iter()
                    .zip([Instance::First, Instance::Second])
                {
                    statements.add_all(&access.constraints, instance);
                    require_in_range(&mut statements, access, instance);
                }
                if let (Some(_), Some(distance)) = (scope.differing(), &distance) {
                    // Steps are positive, so later iterations have greater values.
                    statements.at_least_zero(distance.clone().offset(-1));
                }
                let observed: Vec<Combination> = distance.iter().cloned().collect();
                let system = statements.solve(
                    &self.values,
                    |values, atom| {
                        // Of what a call touches, each instance is any element.
                        !matches!(atom, Atom::Touched(..))
                            && scope.shares(values, values.atom_block(atom))
                    },
                    &observed,
                );
                let answer = system.is_empty();
                if answer != Answer::Yes {
                    let range = system.range(0);
                    let proved = answer == Answer::No && !accesses.iter().any(|a| a.may);
                    result = join(result, proved, (range.lower(), range.upper()));
                }
            }
        }
        result
    }

    /// The induction variable of the scope's loop.
    fn induction_expr(&mut self, scope: Scope) -> Option<AffineExpr> {
        let op = scope.differing()?;
        let block = self.values.body.region_block(op, 0)?;
        let &iv = self.values.body[block].args.first()?;
        Some(self.values.atom_expr(Atom::Value(iv)))
    }
}

/// An access out of range touches nothing.
fn require_in_range(statements: &mut Statements, access: &Access, instance: Instance) {
    for &(index, extent) in &access.guards {
        statements.at_least_zero(Combination::of(index, instance));
        let room = Combination::of(extent, instance).plus(-1, index, instance);
        statements.at_least_zero(room.offset(-1));
    }
}

fn join(found: Dependence, proved: bool, distance: (Option<i64>, Option<i64>)) -> Dependence {
    match found {
        Dependence::Independent => Dependence::Dependent { proved, distance },
        Dependence::Dependent {
            proved: before,
            distance: (lower, upper),
        } => Dependence::Dependent {
            proved: before || proved,
            distance: (
                lower.zip(distance.0).map(|(x, y)| x.min(y)),
                upper.zip(distance.1).map(|(x, y)| x.max(y)),
            ),
        },
    }
}

enum Meeting {
    Never,
    Unknown,
    /// Where these pairs are equal, first instance and second.
    Where(Vec<(AffineExpr, AffineExpr)>),
}

fn root(place: &Place) -> Option<Root> {
    match place {
        Place::Element { root, .. } | Place::Somewhere(root) => Some(*root),
        Place::Anything => None,
    }
}

/// Whether conditions and subscripts alone exclude that an operation's index
/// lies outside `0 <= index < extent`. See [`super::bounds`].
pub(super) fn is_excluded(
    values: &AffineValues,
    conjunction: &[Constraint],
    outside: Combination,
) -> Answer {
    let mut statements = Statements::new();
    statements.add_all(conjunction, Instance::First);
    statements.at_least_zero(outside);
    // One instance only, so sharing does not arise.
    statements.solve(values, |_, _| true, &[]).is_empty()
}
