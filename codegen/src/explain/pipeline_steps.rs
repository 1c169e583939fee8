//! Schedule text of the offload pipeline: its passes as steps on named loops.
//!
//! The loops before and after each pass are compared by source location, which suggests steps.
//! Steps are listed only if replaying them on the pass's input gives the same module as the pass;
//! for other passes a comment says that no steps are known.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::func;
use gridloom_ir::equal::same_module;
use gridloom_ir::{Body, Context, Diagnostics, Module, OpId};

use super::{Key, key};
use crate::analysis::loop_kind::is_any_loop;
use crate::analysis::loop_labels::{allocation_labels, loop_labels};
use crate::pass::Observer;
use crate::pass::offload::stages_until;
use crate::target::OffloadOptions;
use crate::transform::affine_schedule::replay::replay;
use crate::transform::affine_schedule::text::{ScheduleText, SplitPoint, Step};
use crate::versions::DISTINCT_SUFFIX;

/// The schedule of the stages of `--offload` before the mapping, as text that `affine-schedule` reads:
/// a comment for each pass that changes loops, and its steps where these are known.
///
/// # Errors
/// The errors of a pass that fails.
pub fn schedule(
    ctx: &Context,
    module: &Module,
    options: &OffloadOptions,
) -> Result<String, Diagnostics> {
    let mut module = module.clone();
    let mut watch = Watch {
        given: functions(ctx, &module).into_keys().collect(),
        before: module.clone(),
        text: String::new(),
    };
    stages_until("affine-map-to-gpu", options).run(ctx, &mut module, &mut watch)?;
    Ok(watch.text)
}

/// Observer that describes each pass.
struct Watch {
    /// Names of the functions in the source program.
    given: HashSet<String>,
    /// The module in front of the pass.
    before: Module,
    text: String,
}

impl Observer for Watch {
    fn after(&mut self, pass: &str, ctx: &Context, module: &Module, changed: bool) {
        let is_step = pass.starts_with("affine-") && pass != "affine-mark-inbounds";
        if is_step && changed && !same_module(ctx, &self.before, module, false) {
            self.tell(pass, ctx, module);
        }
        self.before = module.clone();
    }
}

impl Watch {
    fn tell(&mut self, pass: &str, ctx: &Context, module: &Module) {
        let steps = self.steps(pass, ctx, module);
        let made = ScheduleText::of_steps(steps.clone());
        let mut replayed = self.before.clone();
        let is_same = !steps.is_empty()
            && replay(ctx, &mut replayed, &made).is_ok()
            && same_module(ctx, &replayed, module, false);
        if !is_same {
            self.text += &format!("// {pass}: no steps are known that do the same\n");
            return;
        }
        let told = steps.into_iter().map(|(name, step)| {
            // A schedule as a whole creates versions only at its end.
            let plain = name
                .as_ref()
                .and_then(|name| name.strip_suffix(DISTINCT_SUFFIX));
            let plain = plain
                .filter(|plain| self.given.contains(*plain))
                .map(str::to_owned);
            (plain.or(name), step)
        });
        let told = ScheduleText::of_steps(told.collect());
        self.text += &format!("// {pass}\n{told};\n");
    }

    /// The steps that a pass seems to have taken, in all functions.
    fn steps(&self, pass: &str, ctx: &Context, module: &Module) -> Vec<(Option<String>, Step)> {
        let (old, new) = (functions(ctx, &self.before), functions(ctx, module));
        let mut names: Vec<&String> = old.keys().collect();
        names.sort();
        let mut steps = Vec::new();
        for name in names {
            let version = format!("{name}{DISTINCT_SUFFIX}");
            let after = match old.contains_key(&version) {
                true => new.get(name),
                false => new.get(&version).or(new.get(name)),
            };
            let Some(after) = after else { continue };
            let forms = [
                LoopStructure::of(ctx, old[name]),
                LoopStructure::of(ctx, after),
            ];
            let found = match pass {
                "affine-loop-permute" => permutations(&forms),
                "affine-privatize" => privatizations(&forms),
                "affine-loop-strip-mine" => strips(&forms),
                "affine-loop-distribute" => distributions(&forms),
                "affine-index-set-splitting" => splits(&forms),
                "affine-fuse-kernels" | "affine-fuse-rows" => fusions(&forms),
                _ => Vec::new(),
            };
            steps.extend(found.into_iter().map(|step| (Some(name.clone()), step)));
        }
        steps
    }
}

/// The bodies of the host functions.
fn functions<'m>(ctx: &Context, module: &'m Module) -> HashMap<String, &'m Body> {
    let host = module.ops().filter(|(_, op)| op.name == func::FUNC);
    let bodies = host.filter_map(|(_, op)| Some((op.symbol_name(ctx)?, op.isolated()?)));
    bodies
        .map(|(name, body)| (ctx.str(name).to_owned(), body))
        .collect()
}

/// Loop structure of a function: its loops and allocations.
struct LoopStructure {
    loops: Vec<Looped>,
    /// Source position, label and closest enclosing loop of each allocation.
    allocations: Vec<(Key, String, Option<usize>)>,
}

/// Loop of a function, with its position in the structure.
struct Looped {
    key: Key,
    label: String,
    /// The loop around it.
    around: Option<usize>,
    trips: Option<u64>,
}

impl LoopStructure {
    fn of(ctx: &Context, body: &Body) -> LoopStructure {
        let labelled = loop_labels(ctx, body);
        let around = |op: OpId| {
            let up = body.ancestors(op);
            let outer = up.into_iter().find(|&op| is_any_loop(body, op))?;
            labelled.iter().position(|(l, _)| *l == outer)
        };
        let looped = |(op, label): &(OpId, String)| Looped {
            key: key(ctx, body[*op].loc),
            label: label.clone(),
            around: around(*op),
            trips: ForOp::cast(body, *op).and_then(|l| l.constant_trip_count(ctx, body)),
        };
        let allocations = allocation_labels(ctx, body).into_iter();
        LoopStructure {
            loops: labelled.iter().map(looped).collect(),
            allocations: allocations
                .map(|(op, label)| (key(ctx, body[op].loc), label, around(op)))
                .collect(),
        }
    }

    /// Chains of singly nested loops, from each outermost loop inwards.
    fn chains(&self) -> Vec<Vec<usize>> {
        let inside = |outer: Option<usize>| -> Vec<usize> {
            let all = 0..self.loops.len();
            all.filter(|&l| self.loops[l].around == outer).collect()
        };
        let mut starts = inside(None);
        let mut chains = Vec::new();
        while let Some(start) = starts.pop() {
            let mut chain = vec![start];
            let mut next = inside(Some(start));
            while let [only] = next[..] {
                chain.push(only);
                next = inside(Some(only));
            }
            starts.extend(next);
            chains.push(chain);
        }
        chains
    }

    /// The loops at a source position.
    fn at<'f>(&'f self, key: &'f Key) -> impl Iterator<Item = usize> + 'f {
        let all = 0..self.loops.len();
        all.filter(move |&l| self.loops[l].key == *key)
    }

    /// The counterpart of a loop in another structure: among several at one source position, that
    /// of the same rank.
    fn counterpart(&self, l: usize, other: &LoopStructure) -> Option<usize> {
        let key = &self.loops[l].key;
        let rank = self.at(key).take_while(|&before| before < l).count();
        other.at(key).nth(rank)
    }

    /// The loops that are duplicated in another structure, outermost ones only.
    fn multiplied(&self, other: &LoopStructure) -> Vec<usize> {
        let is_more = |l: usize| {
            let key = &self.loops[l].key;
            other.at(key).count() > self.at(key).count()
        };
        let around =
            |l: usize| std::iter::successors(self.loops[l].around, |&l| self.loops[l].around);
        let all = 0..self.loops.len();
        all.filter(|&l| is_more(l) && !around(l).any(is_more))
            .collect()
    }
}

fn permutations([before, after]: &[LoopStructure; 2]) -> Vec<Step> {
    let mut steps = Vec::new();
    for chain in before.chains() {
        // The permutation: positions in the chain, in their new order.
        let mut order: Vec<usize> = (0..chain.len()).collect();
        order.sort_by_key(|&at| before.counterpart(chain[at], after));
        let moved: Vec<usize> = (0..order.len()).filter(|&at| order[at] != at).collect();
        if let (Some(&first), Some(&last)) = (moved.first(), moved.last()) {
            let names = order[first..=last]
                .iter()
                .map(|&at| &before.loops[chain[at]].label);
            steps.push(Step::Permute(names.cloned().collect()));
        }
    }
    steps
}

fn privatizations([before, after]: &[LoopStructure; 2]) -> Vec<Step> {
    let place =
        |form: &LoopStructure, around: Option<usize>| around.map(|l| form.loops[l].key.clone());
    let mut steps = Vec::new();
    for (key, label, around) in &before.allocations {
        let moved = after.allocations.iter().find(|(now, _, _)| now == key);
        let inside = moved.and_then(|(_, _, now)| place(after, *now));
        if inside.is_some() && inside != place(before, *around) {
            let inside = inside.and_then(|key| before.at(&key).next());
            steps.push(Step::Privatize {
                of: label.clone(),
                inside: inside.map(|l| before.loops[l].label.clone()),
            });
        }
    }
    steps
}

fn strips([before, after]: &[LoopStructure; 2]) -> Vec<Step> {
    let multiplied = before.multiplied(after).into_iter();
    let step = |l: usize| {
        let sizes = after.at(&before.loops[l].key).skip(1);
        let sizes = sizes.map(|l| {
            after.loops[l]
                .trips
                .and_then(|trips| i64::try_from(trips).ok())
        });
        Some(Step::StripMine {
            of: before.loops[l].label.clone(),
            sizes: sizes.collect::<Option<_>>()?,
        })
    };
    multiplied.filter_map(step).collect()
}

fn distributions([before, after]: &[LoopStructure; 2]) -> Vec<Step> {
    let multiplied = before.multiplied(after).into_iter();
    let step = |l: usize| Step::Distribute(before.loops[l].label.clone());
    multiplied.map(step).collect()
}

/// Suggests splits at the counter of the outermost loop, which index-set splitting mostly makes.
fn splits([before, after]: &[LoopStructure; 2]) -> Vec<Step> {
    let multiplied = before.multiplied(after).into_iter();
    let step = |l: usize| {
        let around = std::iter::successors(before.loops[l].around, |&l| before.loops[l].around);
        let outermost = around.last()?;
        Some(Step::Split {
            of: before.loops[l].label.clone(),
            at: SplitPoint::Counter(before.loops[outermost].label.clone()),
        })
    };
    multiplied.filter_map(step).collect()
}

/// Suggests fusions: each loop that disappeared, with the nearest remaining one before it in the
/// same block.
fn fusions([before, after]: &[LoopStructure; 2]) -> Vec<Step> {
    let is_left = |l: usize| before.counterpart(l, after).is_some();
    let gone = (0..before.loops.len()).filter(|&l| {
        let around = before.loops[l].around;
        !is_left(l) && around.is_none_or(is_left)
    });
    let step = |l: usize| {
        let around = before.loops[l].around;
        let mut earlier = (0..l).rev().filter(|&e| before.loops[e].around == around);
        let into = earlier.find(|&e| is_left(e))?;
        let names = [into, l].map(|l| before.loops[l].label.clone());
        Some(Step::Fuse(names))
    };
    gone.filter_map(step).collect()
}
