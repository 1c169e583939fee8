//! Work shared out to threads.
//!
//! What is shared out has no effect on its surroundings but interning, whose
//! ids no output shows: results come in the order of the items, whichever
//! thread made them and when.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Builder};

/// Room for the recursion of the deepest input that the parser accepts, with
/// code that is not optimised.
const STACK: usize = 16 << 20;

/// Each thread takes its items in about this many parts, since some take longer
/// than others.
const PARTS: usize = 16;

/// `work` on every item, by up to `threads` threads, each with a state of its
/// own. A panic in one of them is passed on.
pub(crate) fn map<T: Sync, S, R: Send>(
    threads: usize,
    items: &[T],
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let share = (items.len() / (threads * PARTS)).max(1);
    let run = || {
        let mut state = start();
        let mut parts = Vec::new();
        loop {
            let from = next.fetch_add(share, Ordering::Relaxed);
            let Some(rest) = items.get(from..).filter(|rest| !rest.is_empty()) else {
                return parts;
            };
            let part = rest.iter().take(share).map(|item| work(&mut state, item));
            parts.push((from, part.collect::<Vec<R>>()));
        }
    };
    let mut parts = thread::scope(|scope| {
        // Where the system has no further thread to give, fewer do the work.
        let spawn = |_| {
            Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, run)
                .ok()
        };
        let others: Vec<_> = (1..threads.min(items.len())).filter_map(spawn).collect();
        let mut parts = run();
        for other in others {
            match other.join() {
                Ok(more) => parts.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        parts
    });
    parts.sort_unstable_by_key(|&(from, _)| from);
    parts.into_iter().flat_map(|(_, part)| part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<u32> = (0..1_000).collect();
        for threads in [1, 2, 7] {
            let doubled = map(threads, &items, || (), |(), item| item * 2);
            assert!(doubled.iter().zip(&items).all(|(&d, &item)| d == item * 2));
            assert_eq!(doubled.len(), items.len());
        }
        assert!(map(4, &[], || (), |(), item: &u32| *item).is_empty());
    }
}
