//! Locks.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks `mutex`. What it guards is consistent between any two statements, so a panic of another
/// thread does not spoil it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
