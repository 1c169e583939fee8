//! Random kernel schedules, each drawn from the search space of its nest.

use std::sync::Arc;

use gridloom::codegen::explain::spaces;
use gridloom::codegen::pass::offload::offload;
use gridloom::codegen::target::OffloadOptions;
use gridloom::codegen::target::tuning::{Entries, Entry, Tuned};
use gridloom::{Context, Module};

use crate::check::Failure;
use crate::random::Random;

/// Maps a module's nests by random entries of a tuning database, for GPUs or for CPU drivers. Returns the
/// schedules.
///
/// # Errors
/// The compiler refuses the program.
pub fn apply(ctx: &Context, module: &mut Module, seed: u64) -> Result<String, Failure> {
    let mut random = Random::new(seed ^ 0x7a9e_d5c1);
    let options = match random.below(4) {
        0 => OffloadOptions::cpu_driver(),
        _ => OffloadOptions::gpu(),
    };
    let refused = |found: gridloom::Diagnostics| Failure::new("offload fails", found.render(ctx));
    let mut entries = Entries::default();
    let mut text = Vec::new();
    for space in spaces(ctx, module, &options).map_err(refused)? {
        if space.candidates.is_empty() {
            continue;
        }
        let choice = random.pick(&space.candidates).choice.clone();
        text.push(choice.to_string());
        let entry = Entry {
            choice,
            time: 1,
            untuned: 1,
            line: 0,
        };
        entries.insert(space.key, entry);
    }
    let options = OffloadOptions {
        tuned: Some(Tuned {
            source: "random entries".to_owned(),
            entries: Arc::new(entries),
        }),
        ..options
    };
    offload(ctx, module, &options).map_err(refused)?;
    Ok(text.join(" and "))
}
