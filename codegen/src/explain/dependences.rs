//! Findings on loops: the verdict on each, and the dependences that make loops sequential.

use std::collections::HashMap;

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::scf;
use gridloom_ir::{Body, Context, Diagnostic, Diagnostics, Loc, Module, OpId, Value};

use super::{Finding, Key, key};
use crate::analysis::access::{Access, Place};
use crate::analysis::alias::{Globals, Root};
use crate::analysis::arg_reduction::all_reductions_of;
use crate::analysis::dependence::witness::Valued;
use crate::analysis::dependence::{Dependence, Dependences, Scope};
use crate::analysis::loop_kind::{is_any_loop, is_counted_loop};
use crate::analysis::parallel::{
    MAX_ACCESSES, Reason, Verdict, conflict_in_memory, conflict_without, distinct_accesses,
    explained, verdict, why_not_excluded,
};
use crate::analysis::reduction::Refusal;
use crate::analysis::source_names::{atom_name, value_name};
use crate::pass::offload::{pipeline_of, stages_until};
use crate::target::OffloadOptions;
use crate::versions::change_functions;

/// Kind of a dependence: flow, anti or output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Flow dependence: the later access reads what the earlier one wrote.
    Flow,
    /// Anti-dependence: the later access overwrites what the earlier one read.
    Anti,
    /// Output dependence: the later access overwrites what the earlier one wrote.
    Output,
}

impl Kind {
    /// Name of the kind, for reports.
    pub fn label(self) -> &'static str {
        match self {
            Kind::Flow => "flow",
            Kind::Anti => "anti",
            Kind::Output => "output",
        }
    }
}

/// Dependence between iterations of a loop, as reported.
#[derive(Clone, Debug)]
pub struct Link {
    /// Kind of the dependence.
    pub kind: Kind,
    /// Whether the dependence goes through a carried value instead of memory.
    pub is_carried: bool,
    /// The access of the earlier iteration.
    pub source: Loc,
    /// The access of the later one.
    pub sink: Loc,
    /// The doubt that keeps the test from excluding it; `None` where the dependence is proved.
    pub doubt: Option<&'static str>,
    /// Distance vector: the loop itself and the inner loops around both accesses, each by its
    /// counter, with least and greatest distance where known.
    pub distance: Vec<(String, Option<i64>, Option<i64>)>,
    /// Two iterations that touch one element.
    pub witness: Option<Shown>,
}

/// Witness as reported, with names for its values.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Parameters: sizes and other values that are fixed while the loop runs.
    pub parameters: Vec<(String, i64)>,
    /// The counters of the earlier iteration, outermost first.
    pub source: Vec<(String, i64)>,
    /// The counters of the later one.
    pub sink: Vec<(String, i64)>,
    /// The coordinates of the element; none where they are not affine.
    pub element: Vec<i64>,
}

/// Operators of a reduction: operations, `argmin` and `argmax`, in the order of the values.
type Operators = Vec<&'static str>;

/// Limit of the dependences of a loop that are reported.
const MAX_LINKS: usize = 6;

/// Findings on all loops of a module, by source position.
pub(super) fn findings(
    ctx: &Context,
    module: &Module,
    options: &OffloadOptions,
) -> Result<HashMap<Key, Finding>, Diagnostics> {
    let mut raised = module.clone();
    stages_until("affine-parallel-to-for", options).run(ctx, &mut raised, &mut ())?;
    let mut reduced = raised.clone();
    let names = [
        "affine-parallel-to-for",
        "canonicalize",
        "affine-number-selections",
        "affine-if-conversion",
        "affine-scalrep",
        "affine-number-selections",
    ];
    pipeline_of(&names, options).run(ctx, &mut reduced, &mut ())?;
    let reductions = of_all_functions(ctx, &mut reduced, options, |finder, op| {
        let operators = finder.operators(op).ok()?;
        conflict_in_memory(&mut finder.deps, op)
            .is_none()
            .then_some(operators)
    });
    let reductions: HashMap<Key, Operators> = reductions.into_iter().collect();
    let found = of_all_functions(ctx, &mut raised, options, |finder, op| {
        Some(finder.finding(op, &reductions))
    });
    let mut findings: HashMap<Key, Finding> = HashMap::new();
    // If any copy of a loop is sequential, the finding on the loop is.
    for (at, finding) in found {
        let known = findings.entry(at).or_insert_with(|| finding.clone());
        if matches!(known, Finding::Parallel) {
            *known = finding;
        }
    }
    Ok(findings)
}

/// Results of `find` for the loops of all functions, by source position.
fn of_all_functions<R: Send>(
    ctx: &Context,
    module: &mut Module,
    options: &OffloadOptions,
    find: impl Fn(&mut Finder, OpId) -> Option<R> + Sync,
) -> Vec<(Key, R)> {
    let globals = Globals::of(ctx, module);
    let found = change_functions(ctx, module, &globals, |body| {
        let mut deps = Dependences::new(ctx, body, &globals);
        deps.values.reassociate = options.reassociate;
        let mut finder = Finder {
            ctx,
            body,
            deps,
            reassociate: options.reassociate,
        };
        let loops = body.walk().into_iter().filter(|&op| is_any_loop(body, op));
        let found: Vec<(Key, R)> = loops
            .filter_map(|op| Some((key(ctx, body[op].loc), find(&mut finder, op)?)))
            .collect();
        (false, found)
    });
    found.into_iter().flatten().collect()
}

struct Finder<'a> {
    ctx: &'a Context,
    body: &'a Body,
    deps: Dependences<'a>,
    reassociate: bool,
}

impl Finder<'_> {
    fn finding(&mut self, op: OpId, reductions: &HashMap<Key, Operators>) -> Finding {
        let body = self.body;
        let loc = body[op].loc;
        let is_stated = matches!(body[op].name, scf::PARALLEL | scf::FORALL);
        if is_stated && body[op].num_results() == 0 {
            return Finding::Parallel;
        }
        if body[op].name == scf::WHILE {
            let why = "sequential: its trip count is not known in advance";
            return sequential(Diagnostic::remark(loc, why), Vec::new(), 0, None);
        }
        let reason = match verdict(&mut self.deps, op) {
            Verdict::Parallel => return Finding::Parallel,
            Verdict::Sequential(reason) => reason,
        };
        if let Some(operators) = reductions.get(&key(self.ctx, loc)) {
            return Finding::Reduction {
                operators: operators.clone(),
                is_in_memory: body[op].num_results() == 0,
            };
        }
        let reason = match reason {
            Reason::CarriesValues(op) => match self.operators(op) {
                Err(Refusal::KeepsOrder(combine)) => Reason::KeepsOrder(combine),
                _ => Reason::CarriesValues(op),
            },
            reason => explained(&mut self.deps, op, reason),
        };
        let mut links = self.carried(op);
        let (in_memory, more) = self.links(op);
        links.extend(in_memory);
        let only = match &reason {
            Reason::Dependence { accesses, .. } => self.only_dependence(op, &accesses[0]),
            _ => None,
        };
        sequential(reason.remark(body, loc, "sequential"), links, more, only)
    }

    /// The buffer of an access, if all dependences of the loop go through it.
    fn only_dependence(&mut self, op: OpId, access: &Access) -> Option<String> {
        let (Place::Element { root, .. } | Place::Somewhere(root)) = access.place else {
            return None;
        };
        let Root::Value(buffer) = root else {
            return None;
        };
        let is_free = conflict_without(&mut self.deps, op, &[buffer]).is_none();
        is_free.then(|| value_name(self.ctx, self.body, buffer))
    }

    /// Returns the operators of a loop that is a reduction.
    fn operators(&self, op: OpId) -> Result<Operators, Refusal> {
        let plain = ForOp::cast(self.body, op).filter(|_| self.body[op].num_results() > 0);
        let plain = plain.ok_or(Refusal::Unknown)?;
        let found = all_reductions_of(
            self.ctx,
            self.body,
            &self.deps.values.uses(),
            plain,
            self.reassociate,
        )?;
        Ok(found.names())
    }

    /// Dependences through carried values: from the operation that computes one to its use an
    /// iteration later.
    fn carried(&self, op: OpId) -> Vec<Link> {
        let (ctx, body) = (self.ctx, self.body);
        let Some(plain) = ForOp::cast(body, op) else {
            return Vec::new();
        };
        let step = Some(plain.step(ctx, body));
        let counter = value_name(ctx, body, plain.induction_var(body));
        let uses = self.deps.values.uses();
        let block = plain.block(body);
        let yielded = body[block]
            .last()
            .map_or(&[][..], |last| &body[last].operands[..]);
        let pairs = plain.iter_args(body).iter().zip(yielded);
        let link = |(&arg, &value): (&Value, &Value)| Link {
            kind: Kind::Flow,
            is_carried: true,
            source: body
                .defining_op(value)
                .map_or(body[op].loc, |op| body[op].loc),
            sink: (uses.of(arg).first()).map_or(body[op].loc, |user| body[user.op].loc),
            doubt: None,
            distance: vec![(counter.clone(), step, step)],
            witness: None,
        };
        pairs.take(MAX_LINKS).map(link).collect()
    }

    /// Dependences through memory to report, and the number of further ones.
    fn links(&mut self, op: OpId) -> (Vec<Link>, usize) {
        let body = self.body;
        if !is_counted_loop(body, op) {
            return (Vec::new(), 0);
        }
        let accesses = distinct_accesses(&mut self.deps, op);
        if accesses.len() > MAX_ACCESSES {
            return (Vec::new(), 0);
        }
        let (mut links, mut more): (Vec<Link>, usize) = (Vec::new(), 0);
        for first in &accesses {
            for second in &accesses {
                let found = self.deps.test(Scope::AcrossIterations(op), first, second);
                let Dependence::Dependent { doubt, .. } = found else {
                    continue;
                };
                if links.len() >= MAX_LINKS {
                    more += 1;
                    continue;
                }
                links.push(self.link(op, [first, second], doubt.map(why_not_excluded)));
            }
        }
        (links, more)
    }

    fn link(&mut self, op: OpId, pair: [&Access; 2], doubt: Option<&'static str>) -> Link {
        let (ctx, body) = (self.ctx, self.body);
        let kind = match pair.map(|access| access.is_write) {
            [true, false] => Kind::Flow,
            [false, true] => Kind::Anti,
            _ => Kind::Output,
        };
        let witnessed = self.deps.witnessed_dependence(op, pair).unwrap_or_default();
        let named = |list: Vec<Valued>| -> Vec<(String, i64)> {
            let list = list.into_iter();
            list.map(|(atom, value)| (atom_name(ctx, body, atom), value))
                .collect()
        };
        let distance = witnessed.distance.into_iter();
        Link {
            kind,
            is_carried: false,
            source: body[pair[0].op].loc,
            sink: body[pair[1].op].loc,
            doubt,
            distance: distance
                .map(|(counter, least, most)| (value_name(ctx, body, counter), least, most))
                .collect(),
            witness: witnessed.witness.map(|witness| Shown {
                parameters: named(witness.parameters),
                source: named(witness.first),
                sink: named(witness.second),
                element: witness.element,
            }),
        }
    }
}

fn sequential(why: Diagnostic, links: Vec<Link>, more: usize, only: Option<String>) -> Finding {
    Finding::Sequential {
        why: Box::new(why),
        links,
        more,
        only,
    }
}
