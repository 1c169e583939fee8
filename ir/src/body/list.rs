//! Id lists optimized for length 0 and 1.

use std::ops::Deref;

/// A list of ids in 16 bytes: inline up to one id, on the heap beyond. Block
/// arguments and blocks of regions, of which there are very many, are such
/// lists.
#[derive(Clone)]
pub struct IdList<T>(Repr<T>);

// A `Vec` stored inline would make each list half as large again.
#[allow(clippy::box_collection)]
#[derive(Clone)]
enum Repr<T> {
    Empty,
    One(T),
    Many(Box<Vec<T>>),
}

/// The initial capacity on the heap: allocators hand out no less than 24 bytes.
const FIRST_ROOM: usize = 6;

impl<T> Default for IdList<T> {
    fn default() -> Self {
        IdList(Repr::Empty)
    }
}

impl<T: Copy> IdList<T> {
    /// Appends an id.
    pub fn push(&mut self, id: T) {
        match &mut self.0 {
            Repr::Empty => self.0 = Repr::One(id),
            Repr::One(first) => {
                let mut list = Vec::with_capacity(FIRST_ROOM);
                list.extend([*first, id]);
                self.0 = Repr::Many(Box::new(list));
            }
            Repr::Many(list) => list.push(id),
        }
    }

    /// Inserts an id at `index`. Panics past the end.
    pub fn insert(&mut self, index: usize, id: T) {
        let mut list = self.to_vec();
        list.insert(index, id);
        *self = list.into_iter().collect();
    }

    /// Keeps the ids for which `fits` holds.
    pub fn retain(&mut self, fits: impl FnMut(&T) -> bool) {
        let mut list = self.to_vec();
        list.retain(fits);
        *self = list.into_iter().collect();
    }
}

impl<T> Deref for IdList<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        match &self.0 {
            Repr::Empty => &[],
            Repr::One(id) => std::slice::from_ref(id),
            Repr::Many(list) => list,
        }
    }
}

impl<T: Copy> FromIterator<T> for IdList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(ids: I) -> Self {
        let mut list = IdList::default();
        for id in ids {
            list.push(id);
        }
        list
    }
}

impl<'a, T> IntoIterator for &'a IdList<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: std::fmt::Debug> std::fmt::Debug for IdList<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self[..].fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_and_shrinks_like_a_list() {
        let mut list = IdList::default();
        assert!(list.is_empty());
        for id in 1..=3 {
            list.push(id);
        }
        list.insert(1, 9);
        assert_eq!(list[..], [1, 9, 2, 3]);
        list.retain(|&id| id == 9);
        assert_eq!(list[..], [9]);
        list.insert(0, 8);
        assert_eq!(list[..], [8, 9]);
    }

    #[test]
    fn lists_are_small() {
        assert_eq!(size_of::<IdList<crate::BlockId>>(), 16);
    }
}
