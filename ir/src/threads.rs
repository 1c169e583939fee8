//! Work sharing: maps a function over items on several threads.
//!
//! The function may affect its surroundings by interning only, whose ids no output shows: results
//! come in the order of the items, whichever thread made them and when.

use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

/// Stack size of a thread: room for the recursion of the deepest input that the parser accepts, in
/// unoptimised code.
const STACK: usize = 16 << 20;

/// Chunks that each thread takes its items in, about: some items take longer than others.
const PARTS: usize = 16;

/// Applies `work` to every item on up to `threads` threads, each with a state of its own. A panic
/// in one of them is passed on.
pub(crate) fn map<T: Sync, S, R: Send>(
    threads: usize,
    items: &[T],
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) -> R + Sync,
) -> Vec<R> {
    let shares = items.chunks(share(threads, items.len()));
    let work = |state: &mut S, share: &[T]| share.iter().map(|item| work(state, item)).collect();
    on_shares(threads, shares, start, work)
}

/// Applies `work` to every item, which it may change, on up to `threads` threads; returns the
/// results in the order of the items. A panic in one thread is passed on.
pub fn map_mut<T: Send, R: Send>(
    threads: usize,
    items: &mut [T],
    work: impl Fn(&mut T) -> R + Sync,
) -> Vec<R> {
    let shares = items.chunks_mut(share(threads, items.len()));
    let work = |(): &mut (), share: &mut [T]| share.iter_mut().map(&work).collect();
    on_shares(threads, shares, || (), work)
}

/// The chunk size: how many items a thread takes at once.
fn share(threads: usize, items: usize) -> usize {
    (items / (threads.max(1) * PARTS)).max(1)
}

fn on_shares<P: Send, S, R: Send>(
    threads: usize,
    shares: impl ExactSizeIterator<Item = P> + Send,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, P) -> Vec<R> + Sync,
) -> Vec<R> {
    let threads = threads.min(shares.len());
    let queue = Mutex::new(shares.enumerate());
    // The lock cannot be poisoned: nothing panics while it is held.
    let next = || {
        let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.next()
    };
    let run = || {
        let mut state = start();
        let mut parts = Vec::new();
        while let Some((number, share)) = next() {
            parts.push((number, work(&mut state, share)));
        }
        parts
    };
    let mut parts = thread::scope(|scope| {
        // Fewer threads do the work if the system has none left to give.
        let spawn = |_| {
            Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, run)
                .ok()
        };
        let others: Vec<_> = (1..threads).filter_map(spawn).collect();
        let mut parts = run();
        for other in others {
            match other.join() {
                Ok(more) => parts.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        parts
    });
    parts.sort_unstable_by_key(|&(number, _)| number);
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

    #[test]
    fn every_item_is_changed_once() {
        for threads in [1, 2, 7] {
            let mut items: Vec<u32> = (0..1_000).collect();
            let before = map_mut(threads, &mut items, |item| {
                std::mem::replace(item, *item + 1)
            });
            assert!(before.into_iter().eq(0..1_000));
            assert!(items.into_iter().eq(1..1_001));
        }
    }
}
