//! Fate of loops in the offload pipeline: which passes change a nest, and which loops become
//! dimensions of a grid.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};

use gridloom_ir::{Body, Context, Diagnostic, Diagnostics, Module, OpId};

use super::{Key, key, loops_around};
use crate::analysis::loop_kind::is_any_loop;
use crate::offload::plans_of;
use crate::pass::Observer;
use crate::pass::offload::stages_until;
use crate::target::OffloadOptions;

/// Fate of a loop in the pipeline.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Fate {
    /// The dimensions of the grid that it becomes: some of `x`, `y` and `z`, or nothing.
    pub grid: Vec<char>,
    /// The passes that change its nest, in order.
    pub passes: Vec<String>,
    /// Remarks of the pipeline on the loop.
    pub remarks: Vec<String>,
}

/// Fates of all loops of a module.
#[derive(Default)]
pub(super) struct Fates {
    grid: HashMap<Key, BTreeSet<char>>,
    passes: HashMap<Key, Vec<String>>,
    remarks: HashMap<Key, Vec<String>>,
}

impl Fates {
    /// Fate of one loop of a nest.
    pub(super) fn of(&mut self, at: &Key, nest: &Key) -> Fate {
        Fate {
            grid: self.grid.get(at).into_iter().flatten().copied().collect(),
            passes: self.passes.get(nest).cloned().unwrap_or_default(),
            remarks: self.remarks.get(at).cloned().unwrap_or_default(),
        }
    }

    fn note(&mut self, ctx: &Context, remark: &Diagnostic) {
        let messages = self.remarks.entry(key(ctx, remark.loc)).or_default();
        if !messages.contains(&remark.message) {
            messages.push(remark.message.clone());
        }
    }
}

/// Finds the fates of loops by running the pipeline up to the mapping on a copy of the program.
pub(super) fn fates(
    ctx: &Context,
    module: &Module,
    options: &OffloadOptions,
    nests: &HashMap<Key, Key>,
) -> Result<Fates, Diagnostics> {
    let options = OffloadOptions {
        verdicts: true,
        ..options.clone()
    };
    let mut module = module.clone();
    let mut watch = Watch {
        nests,
        before: HashMap::new(),
        fates: Fates::default(),
    };
    let remarks = stages_until("affine-map-to-gpu", &options).run(ctx, &mut module, &mut watch)?;
    let mut fates = watch.fates;
    for found in plans_of(ctx, &mut module, &options, |_, _| ()) {
        for (loc, dim) in found.grid {
            fates.grid.entry(key(ctx, loc)).or_default().insert(dim);
        }
        for remark in found.remarks.iter() {
            fates.note(ctx, remark);
        }
    }
    for remark in remarks.iter() {
        fates.note(ctx, remark);
    }
    Ok(fates)
}

/// Observer that records which passes change which nests.
struct Watch<'n> {
    /// The nest of each loop of the source.
    nests: &'n HashMap<Key, Key>,
    /// Structural hashes of each nest before the pass.
    before: HashMap<Key, BTreeSet<u64>>,
    fates: Fates,
}

impl Observer for Watch<'_> {
    fn after(&mut self, pass: &str, ctx: &Context, module: &Module, _changed: bool) {
        let now = self.forms(ctx, module);
        let before = std::mem::replace(&mut self.before, now);
        // Raising and folding change the form of every loop.
        if !pass.starts_with("affine-") || pass == "affine-mark-inbounds" {
            return;
        }
        for (nest, forms) in &self.before {
            if before.get(nest).is_some_and(|earlier| earlier != forms) {
                let passes = self.fates.passes.entry(nest.clone()).or_default();
                passes.push(pass.to_owned());
            }
        }
    }
}

impl Watch<'_> {
    /// The distinct structural hashes of each nest of the source: versions of a function repeat
    /// nests.
    fn forms(&self, ctx: &Context, module: &Module) -> HashMap<Key, BTreeSet<u64>> {
        let mut forms: HashMap<Key, BTreeSet<u64>> = HashMap::new();
        for (_, op) in module.ops() {
            let Some(body) = op.isolated() else { continue };
            for op in body.walk() {
                if !is_any_loop(body, op) || !loops_around(body, op).is_empty() {
                    continue;
                }
                if let Some(nest) = self.nests.get(&key(ctx, body[op].loc)) {
                    forms
                        .entry(nest.clone())
                        .or_default()
                        .insert(form(body, op));
                }
            }
        }
        forms
    }
}

/// Structural hash of a nest, without the numbers of its values.
fn form(body: &Body, root: OpId) -> u64 {
    let mut hasher = DefaultHasher::new();
    for op in body.walk_op(root) {
        let data = &body[op];
        data.name.hash(&mut hasher);
        data.loc.hash(&mut hasher);
        data.operands.len().hash(&mut hasher);
        data.num_results().hash(&mut hasher);
    }
    hasher.finish()
}
