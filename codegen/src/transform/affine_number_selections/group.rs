//! Groups of selections: carried values that the same iterations replace.

use gridloom_dialects::arith::{self, CmpIPredicate};
use gridloom_dialects::scf;
use gridloom_ir::{Body, OpId, Value};

use super::selection::{Branch, Finder, Selection, Term, Test, comparison};
use crate::analysis::arg_reduction::placeholder;
use crate::analysis::dependence::Dependences;
use crate::analysis::load_store::is_load;
use crate::transform::element::Element;
use crate::transform::speculation::may_run_anyway;

/// Carried values that the same iterations replace.
pub(super) struct Group {
    pub(super) members: Vec<Selection>,
    /// The conditions without the tests.
    pub(super) conditions: Vec<Term>,
    /// Tests that a carried value is still unset. The first iteration is taken where there is one, else the
    /// last.
    pub(super) tests: Vec<Test>,
}

impl Group {
    /// The member at a position among the carried values.
    pub(super) fn member(&self, at: usize) -> Option<&Selection> {
        self.members.iter().find(|member| member.at == at)
    }

    /// Whether a term is one of the tests.
    pub(super) fn is_test(&self, term: Term) -> bool {
        self.tests.iter().any(|test| test.term == term)
    }

    /// Whether an operand holds a carried value, a test or a condition for one of the members.
    fn uses(&self, body: &Body, op: OpId, operand: usize) -> bool {
        let is_test = |test: &Test| body.defining_op(test.term.0) == Some(op);
        self.members.iter().any(|member| member.uses(op, operand)) || self.tests.iter().any(is_test)
    }
}

/// The groups of a loop's selections that may get numbers.
pub(super) fn groups_of(deps: &mut Dependences, candidates: Candidates<'_, '_>) -> Vec<Group> {
    let Candidates { finder, mut groups } = candidates;
    loop {
        let check = |group| Check {
            finder,
            groups: &groups,
            group,
        };
        let legal: Vec<bool> = (groups.iter())
            .map(|group| {
                check(group).is_legal(deps) && check(group).unsafe_operation(deps).is_none()
            })
            .collect();
        if !legal.contains(&false) {
            return groups;
        }
        let mut legal = legal.into_iter();
        groups.retain(|_| legal.next() == Some(true));
    }
}

/// Groups of a loop's selections before they are checked.
pub(super) struct Candidates<'a, 'b> {
    finder: &'a Finder<'b>,
    groups: Vec<Group>,
}

impl<'a, 'b> Candidates<'a, 'b> {
    /// The groups of selections at positions that fulfil a condition.
    pub(super) fn of(finder: &'a Finder<'b>, is_wanted: impl Fn(usize) -> bool) -> Self {
        let count = finder.op.iter_args(finder.body).len();
        let wanted = (0..count).filter(|&at| is_wanted(at));
        let (flags, others): (Vec<Selection>, Vec<Selection>) = wanted
            .filter_map(|at| finder.selection(at))
            .partition(|one| one.value.is_none());
        Candidates {
            finder,
            groups: joined(finder, others, flags),
        }
    }

    /// An operation under a test that may not run in iterations that fail it, where nothing else keeps its group from
    /// getting numbers.
    pub(super) fn unsafe_operation(&self, deps: &mut Dependences) -> Option<OpId> {
        self.groups.iter().find_map(|group| {
            let check = Check {
                finder: self.finder,
                groups: &self.groups,
                group,
            };
            check.is_legal(deps).then(|| check.unsafe_operation(deps))?
        })
    }
}

/// Groups selections by their conditions. A flag `flag | hit` belongs to what is taken where `!flag & hit`.
fn joined(finder: &Finder<'_>, others: Vec<Selection>, mut flags: Vec<Selection>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for one in others {
        let (tests, conditions): (Vec<Term>, Vec<Term>) =
            (one.terms().into_iter()).partition(|&term| finder.test(term).is_some());
        let tests: Vec<Test> = tests.iter().filter_map(|&term| finder.test(term)).collect();
        let is_same = |group: &&mut Group| {
            are_same(&group.conditions, &conditions) && are_same(&group.tests, &tests)
        };
        match groups.iter_mut().find(is_same) {
            Some(group) => group.members.push(one),
            None => groups.push(Group {
                members: vec![one],
                conditions,
                tests,
            }),
        }
    }
    // Where the flag was set before the loop, it stays so, whether the group takes it or not; which other tests may
    // keep it from.
    let is_own = |group: &Group, flag: &Selection| {
        !group.tests.is_empty()
            && group.tests.iter().all(|test| test.at == flag.at)
            && are_same(&flag.terms(), &group.conditions)
    };
    let (sets, mut groups): (Vec<Group>, Vec<Group>) = groups
        .into_iter()
        .partition(|group| sets_flag(finder, group));
    flags.extend(sets.into_iter().flat_map(|group| group.members));
    for flag in flags {
        match groups.iter_mut().find(|group| is_own(group, &flag)) {
            Some(group) => group.members.push(flag),
            // A disjunction is a reduction as it is.
            None if flag.value.is_none() => {}
            None => groups.push(Group {
                conditions: flag.terms(),
                tests: Vec::new(),
                members: vec![flag],
            }),
        }
    }
    groups
}

/// Whether a group sets one flag to a constant, whatever it was before.
fn sets_flag(finder: &Finder<'_>, group: &Group) -> bool {
    let (ctx, body) = (finder.ctx, finder.body);
    let [member] = &group.members[..] else {
        return false;
    };
    let is_flag = body.ty(finder.op.iter_args(body)[member.at]) == ctx.bool_type();
    let is_constant = |value: Value| arith::constant_value(ctx, body, value).is_some();
    is_flag && group.tests.is_empty() && member.value.is_some_and(is_constant)
}

/// Whether two lists hold the same, in whatever order.
fn are_same<T: PartialEq>(left: &[T], right: &[T]) -> bool {
    left.iter().all(|one| right.contains(one)) && right.iter().all(|one| left.contains(one))
}

/// Check of one group beside the others.
struct Check<'a> {
    finder: &'a Finder<'a>,
    groups: &'a [Group],
    group: &'a Group,
}

impl<'a> Check<'a> {
    fn is_legal(&self, deps: &mut Dependences) -> bool {
        let (body, args) = (self.finder.body, self.finder.op.iter_args(self.finder.body));
        let is_own = |value: Value| {
            let mut users = self.finder.uses.of(value).iter();
            users.all(|user| {
                let mut groups = self.groups.iter();
                groups.any(|group| group.uses(body, user.op, user.operand as usize))
            })
        };
        let members = &self.group.members;
        let are_own = members.iter().all(|member| {
            let is_scalar = placeholder(self.finder.ctx, body.ty(args[member.at])).is_some();
            is_scalar && is_own(args[member.at])
        });
        are_own
            && self.test_results().into_iter().all(is_own)
            && self.group.tests.iter().all(|&test| self.is_set(deps, test))
            && members.iter().all(|member| self.gives_members(member))
    }

    /// The results of tests and of what joins them, which other operations must not see.
    fn test_results(&self) -> Vec<Value> {
        let (body, group) = (self.finder.body, self.group);
        let args = self.finder.op.iter_args(body);
        let mut found: Vec<Value> = Vec::new();
        for test in &group.tests {
            // A flag that is its own test is checked as a carried value.
            found.extend(Some(test.term.0).filter(|value| !args.contains(value)));
        }
        let tested: Vec<Value> = group.tests.iter().map(|test| test.term.0).collect();
        let joins: Vec<OpId> = (group.members.iter())
            .flat_map(|member| member.joins.iter().copied())
            .collect();
        // Joins are listed from the whole condition inwards, each behind those that use it.
        for &join in joins.iter().rev() {
            let mut operands = body[join].operands.iter();
            if operands.any(|value| tested.contains(value) || found.contains(value)) {
                found.push(body[join].result(0));
            }
        }
        found
    }

    /// Whether what is taken is proved to fail a test, so that nothing is taken behind it.
    fn is_set(&self, deps: &mut Dependences, test: Test) -> bool {
        let carried = self.finder.op.iter_args(self.finder.body)[test.at];
        if let Some(member) = self.group.member(test.at) {
            return fails(deps, test, carried, member.value);
        }
        // What every iteration sets in which the conditions hold, whether something has been taken or not.
        let mut others = self.groups.iter();
        others.any(|other| {
            other.tests.is_empty()
                && are_same(&other.conditions, &self.group.conditions)
                && other
                    .member(test.at)
                    .is_some_and(|member| fails(deps, test, carried, member.value))
        })
    }

    /// The branches of a member whose condition loses tests.
    fn freed(&self, member: &'a Selection) -> impl Iterator<Item = &'a Branch> {
        let is_test = |&term: &Term| self.group.is_test(term);
        member
            .branches()
            .filter(move |branch| branch.terms.iter().any(is_test))
    }

    /// Whether branches whose condition loses tests give nothing but members of groups, which all lose them: what comes
    /// from the other side would be taken too rarely.
    fn gives_members(&self, member: &'a Selection) -> bool {
        let members = || self.groups.iter().flat_map(|group| &group.members);
        let mut branches = self.freed(member);
        branches.all(|branch| {
            (0..self.finder.body[branch.op].num_results()).all(|result| {
                members().any(|member| {
                    let mut branches = member.branches();
                    branches.any(|other| {
                        (other.op, other.taken, other.result) == (branch.op, branch.taken, result)
                    })
                })
            })
        })
    }

    /// An operation of a branch whose condition loses tests that may not run in iterations that fail them.
    fn unsafe_operation(&self, deps: &mut Dependences) -> Option<OpId> {
        let body = self.finder.body;
        let members = self.group.members.iter();
        let branches = members.flat_map(|member| self.freed(member));
        { branches }.find_map(|branch| {
            let mut inside = body.walk_op(branch.op).into_iter();
            inside.find(|&op| op != branch.op && !self.may_run(deps, op, branch.op))
        })
    }

    /// Whether an operation of a branch may run whether its condition holds or not.
    fn may_run(&self, deps: &mut Dependences, op: OpId, branch: OpId) -> bool {
        let (ctx, body) = (self.finder.ctx, self.finder.body);
        let is_structure = matches!(body[op].name, scf::IF | scf::YIELD);
        is_structure
            || may_run_anyway(deps, op, branch)
            || is_load(body, op) && {
                let element = Element::of(ctx, body, op);
                let before = std::iter::successors(body[branch].prev(), |&op| body[op].prev());
                { before }
                    .any(|other| is_load(body, other) && Element::of(ctx, body, other) == element)
            }
    }
}

/// Whether a test of `carried` is proved to fail for a value; for `true` where that is [`None`].
fn fails(deps: &mut Dependences, test: Test, carried: Value, value: Option<Value>) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    if test.term.0 == carried {
        let is_true = match value {
            Some(value) => arith::constant_int(ctx, body, value).map(|number| number != 0),
            None => Some(true),
        };
        return is_true == Some(!test.term.1);
    }
    let Some(((predicate, limit), value)) = comparison(ctx, body, test, carried).zip(value) else {
        return false;
    };
    let value = deps.values.integer_interval(value);
    let limit = deps.values.integer_interval(limit);
    match predicate {
        CmpIPredicate::Slt => value.least >= limit.most,
        CmpIPredicate::Sle => value.least > limit.most,
        CmpIPredicate::Sgt => value.most <= limit.least,
        CmpIPredicate::Sge => value.most < limit.least,
        CmpIPredicate::Eq => value.least > limit.most || value.most < limit.least,
        CmpIPredicate::Ne => {
            value.least == value.most && limit.least == limit.most && value.least == limit.least
        }
        _ => false,
    }
}
