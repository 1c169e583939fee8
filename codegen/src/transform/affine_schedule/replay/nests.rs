//! Schedule steps that reorder a perfect nest, each by one affine schedule.

use std::collections::HashSet;

use gridloom_dialects::affine::ForOp;
use gridloom_ir::{Body, Loc, Value};

use super::{StepRefusal, Target, labels};
use crate::analysis::access::Access;
use crate::analysis::dependence::Dependences;
use crate::analysis::loop_labels::free_label;
use crate::analysis::source_names::{atom_name, value_name};
use crate::analysis::values::Atom;
use crate::transform::affine_loop_permute::perfect_nest;
use crate::transform::affine_loop_tile::tiled;
use crate::transform::affine_schedule::text::Step;
use crate::transform::affine_schedule::{Nest, Refusal, Schedule, reschedule};

/// Limit of the loops of a nest that are reordered.
const MAX_DEPTH: usize = 6;

/// Band: the loops of a perfect nest, from the outermost to the innermost that a step names.
struct Band {
    nest: Vec<ForOp>,
    /// Positions of the loops that the step names, in the step's order.
    named: Vec<usize>,
}

/// New order: its schedule, and for each new loop the old one whose label it gets, with a suffix.
struct Order {
    schedule: Option<Schedule>,
    names: Vec<(usize, &'static str)>,
}

impl Target<'_> {
    /// Reorders the perfect nest of the loops that a step names, as the step says.
    pub(super) fn reorder<'n>(
        &self,
        body: &mut Body,
        step: &Step,
        named: impl IntoIterator<Item = &'n String>,
    ) -> Result<bool, StepRefusal> {
        let loops = self.find_all(body, named)?;
        let mut deps = Dependences::new(self.ctx, body, self.globals);
        let band = self.band(&mut deps, &loops)?;
        let root = band.nest[0];
        let order = order(step, &band);
        let Some(schedule) = order.schedule else {
            let why = match step {
                Step::Tile(loops) if loops.iter().all(|&(_, size)| size == 1) => {
                    "all of its tile sizes are 1, so it changes nothing"
                }
                _ => "its sizes, factors or shifts are too large",
            };
            return Err(self.refused_at(body, root.0, why));
        };
        let old: Vec<(String, Loc)> = (band.nest.iter())
            .map(|&l| (self.label(body, l), labels::place(self.ctx, body, l.0)))
            .collect();
        let plan = Nest::new(&mut deps, root, band.nest.len())
            .and_then(|nest| reschedule(&mut deps, nest, &schedule));
        let plan = plan.map_err(|why| {
            let mut refused = why.remark(body, body[root.0].loc, self.start);
            if let Refusal::Violates(accesses, _) = &why
                && let Some(example) = self.example(&mut deps, &band.nest, accesses)
            {
                refused = refused.with_note(body[accesses[1].op].loc, example);
            }
            Box::new(refused.with_note(body[root.0].loc, "the loop"))
        })?;
        let relied = deps.aliases.relied_on_arguments();
        let loops = plan.apply(self.ctx, body);
        labels::unlabel_fallbacks(self.ctx, body);
        let made: HashSet<_> = loops.iter().map(|l| l.0).collect();
        let others = labels::labels(self.ctx, body).into_iter();
        let others = others.filter(|(op, _)| !made.contains(op));
        let mut taken: HashSet<String> = others.map(|(_, label)| label.to_owned()).collect();
        for (l, (of, suffix)) in loops.iter().zip(order.names) {
            let (label, loc) = &old[of];
            let label = free_label(&taken, &format!("{label}{suffix}"));
            body[l.0].loc = *loc;
            labels::set(self.ctx, body, l.0, &label);
            taken.insert(label);
        }
        Ok(relied)
    }

    /// Example of a dependence: its distance and two dependent iterations, as in "distance (i: 1,
    /// j: -1), for example from (i = 1, j = 1) to (i = 2, j = 0)".
    fn example(
        &self,
        deps: &mut Dependences,
        nest: &[ForOp],
        [first, second]: &[Access; 2],
    ) -> Option<String> {
        let mut dependences = nest
            .iter()
            .filter_map(|l| deps.witnessed_dependence(l.0, [first, second]));
        let dependence = dependences.find(|found| found.witness.is_some())?;
        let body = deps.values.body;
        let counter = |value: Value| {
            let op = body
                .value_block(value)
                .and_then(|b| body.block_parent_op(b));
            let label = op.and_then(|op| labels::label_of(self.ctx, body, op));
            label.map_or_else(|| value_name(self.ctx, body, value), str::to_owned)
        };
        let joined = |parts: Vec<String>| parts.join(", ");
        let distance = dependence.distance.iter().map(|&(value, least, most)| {
            let range = match (least, most) {
                (Some(least), Some(most)) if least == most => least.to_string(),
                (Some(least), Some(most)) => format!("{least} to {most}"),
                (Some(least), None) => format!("{least} or more"),
                (None, Some(most)) => format!("{most} or less"),
                (None, None) => "any".to_owned(),
            };
            format!("{}: {range}", counter(value))
        });
        let distance = joined(distance.collect());
        let witness = dependence.witness?;
        let [from, to] = [&witness.first, &witness.second].map(|values| {
            let values = values.iter().map(|&(atom, number)| match atom {
                Atom::Value(value) => format!("{} = {number}", counter(value)),
                atom => format!("{} = {number}", atom_name(self.ctx, body, atom)),
            });
            joined(values.collect())
        });
        Some(format!(
            "the distance is ({distance}), for example from ({from}) to ({to})"
        ))
    }

    /// The perfect nest around some loops.
    fn band(&self, deps: &mut Dependences, loops: &[ForOp]) -> Result<Band, StepRefusal> {
        let body = deps.values.body;
        let holds_all = |outer: &&ForOp| loops.iter().all(|l| body.is_ancestor(outer.0, l.0));
        let Some(&root) = loops.iter().find(holds_all) else {
            let op = loops.first().map(|l| l.0);
            let why = "the loops are not nested in each other";
            return Err(op.map_or_else(|| self.refused(why), |op| self.refused_at(body, op, why)));
        };
        let (mut nest, _) = perfect_nest(deps, root);
        let mut named = Vec::new();
        for &l in loops {
            let Some(at) = nest.iter().position(|inner| inner.0 == l.0) else {
                let (inner, outer) = (self.label(body, l), self.label(body, root));
                let why = format!(
                    "'{inner}' is not nested perfectly in '{outer}': only {} of the loops are, without \
                     statements between that cannot move inwards",
                    nest.len()
                );
                return Err(self.refused_at(body, l.0, why));
            };
            named.push(at);
        }
        let depth = named.iter().max().map_or(1, |&deepest| deepest + 1);
        if depth > MAX_DEPTH {
            let why = format!("{depth} loops are more than the {MAX_DEPTH} that get another order");
            return Err(self.refused_at(body, root.0, why));
        }
        nest.truncate(depth);
        Ok(Band { nest, named })
    }
}

/// The order that a step specifies.
fn order(step: &Step, band: &Band) -> Order {
    let depth = band.nest.len();
    let mut rows: Vec<Vec<i64>> = (0..depth)
        .map(|k| (0..depth).map(|j| i64::from(j == k)).collect())
        .collect();
    let mut shifts = vec![0; depth];
    let mut names: Vec<(usize, &'static str)> = (0..depth).map(|k| (k, "")).collect();
    match (step, &band.named[..]) {
        (Step::Tile(loops), named) => {
            let mut sizes = vec![1; depth];
            for (&at, (_, size)) in named.iter().zip(loops) {
                sizes[at] = *size;
            }
            let tiles = (0..depth).filter(|&k| sizes[k] > 1).map(|k| (k, ".tile"));
            return Order {
                schedule: tiled(&sizes),
                names: tiles.chain(names).collect(),
            };
        }
        (&Step::Skew { by, .. }, &[of, along]) => rows[of][along] = by,
        (Step::Reverse(_), &[of]) => rows[of][of] = -1,
        (&Step::Shift { by, .. }, &[of]) => shifts[of] = by,
        (Step::Interchange(_), &[a, b]) => {
            rows.swap(a, b);
            names.swap(a, b);
        }
        (_, named) => {
            let mut places = named.to_vec();
            places.sort_unstable();
            let old = (rows.clone(), names.clone());
            for (&to, &from) in places.iter().zip(named) {
                rows[to].clone_from(&old.0[from]);
                names[to] = old.1[from];
            }
        }
    }
    Order {
        schedule: Schedule::unimodular(&rows, &shifts),
        names,
    }
}
