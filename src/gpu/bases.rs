//! Views of one buffer that begin at different bytes, such as those of an arena that a program plans its memory in.
//!
//! ```text
//! %x = memref.view %arena[0]                       %x at byte 0, offset 0
//! %y = memref.view %arena[4096]             ⇒      %y at byte 0, offset 1024
//! launch @k(%x, %y)                                launch @k(%x, %y), with the offset of %y as a parameter
//! ```
//!
//! A launch binds a buffer once, and a device copy begins at one byte. Views count from the beginning of the buffer instead where
//! a launch has several, or an earlier launch has left the copy there, so that the copy stays while launches take one view
//! after the other.

use std::borrow::Cow;

use gridloom_interp::{AllocId, Argument, MemRef, ScalarKind};

use super::Gpu;
use super::convert::DeviceFormat;

/// Bases of a launch's views: the places in device copies that they begin at.
enum Bases {
    /// Each buffer has one device copy, from where its views begin.
    Apart,
    /// Device copies begin with the buffers: these arguments replace those of the same numbers.
    Common(Vec<(u32, Argument)>),
    /// Two views of one buffer need different device copies.
    Unlike,
}

impl Gpu<'_> {
    /// The arguments of a launch, with views that begin with their buffers where these have one device copy, and notes which
    /// are others than their types say; `None` where two views of one buffer need different copies.
    pub(super) fn with_common_bases<'a>(
        &mut self,
        arguments: &'a [Argument],
    ) -> Option<Cow<'a, [Argument]>> {
        let copied_from = |alloc| self.copies.get(&alloc).map(|copy| copy.shown.base);
        let bases = Bases::of(arguments, copied_from);
        self.moved.clear();
        let mut arguments = Cow::Borrowed(arguments);
        match bases {
            Bases::Apart => {}
            Bases::Common(views) => {
                for (arg, view) in views {
                    arguments.to_mut()[arg as usize] = view;
                    self.moved.push(arg);
                }
            }
            Bases::Unlike => return None,
        }
        Some(arguments)
    }
}

impl Bases {
    /// Compares the views among each other, and with the bytes at which device copies begin.
    fn of(arguments: &[Argument], copied_from: impl Fn(AllocId) -> Option<usize>) -> Bases {
        let views = || {
            let numbered = (0..).zip(arguments);
            numbered.filter_map(|(arg, argument)| match argument {
                Argument::MemRef(kind, view) => Some((arg, *kind, view)),
                Argument::Scalar(..) => None,
            })
        };
        let mut moved = Vec::new();
        for (arg, kind, view) in views() {
            let mut others = views().filter(|other| other.2.alloc == view.alloc);
            let is_twice = others.any(|(_, other, place)| (other, place.base) != (kind, view.base));
            let is_elsewhere = copied_from(view.alloc).is_some_and(|base| base != view.base);
            if !is_twice && !is_elsewhere {
                continue;
            }
            let mut others = views().filter(|other| other.2.alloc == view.alloc);
            let are_alike = others.all(|(_, other, _)| canonical(other) == canonical(kind));
            match from_the_beginning(kind, view).filter(|_| are_alike) {
                Some(view) => moved.push((arg, Argument::MemRef(kind, view))),
                None if is_twice => return Bases::Unlike,
                None => {}
            }
        }
        match moved.is_empty() {
            true => Bases::Apart,
            false => Bases::Common(moved),
        }
    }
}

/// The kind of elements whose device copies are the same as of this one.
fn canonical(kind: ScalarKind) -> ScalarKind {
    let bytes = kind.size();
    DeviceFormat { kind, bytes }.canonical().kind
}

/// The view with its offset from the beginning of the buffer, if that is a number of elements.
fn from_the_beginning(kind: ScalarKind, view: &MemRef) -> Option<MemRef> {
    let size = kind.size();
    let elements = i64::try_from(view.base / size).ok()?;
    let offset = view.offset.checked_add(elements)?;
    view.base.is_multiple_of(size).then(|| MemRef {
        base: 0,
        offset,
        ..view.clone()
    })
}

#[cfg(test)]
mod tests {
    use gridloom_interp::Memory;

    use super::*;

    #[test]
    fn views_of_one_buffer_count_from_its_beginning() {
        let mut memory = Memory::new(1 << 20, false);
        let arena = memory.allocate(256, ScalarKind::Int(8)).unwrap();
        let view = |kind: ScalarKind, base: usize| {
            let view = MemRef {
                alloc: arena,
                base,
                offset: 1,
                sizes: [4].into_iter().collect(),
                strides: [1].into_iter().collect(),
            };
            Argument::MemRef(kind, view)
        };
        let offsets = |arguments: &[Argument], copied: Option<usize>| match Bases::of(
            arguments,
            |_| copied,
        ) {
            Bases::Apart => Some(Vec::new()),
            Bases::Unlike => None,
            Bases::Common(moved) => {
                let place = |(arg, argument): &(u32, Argument)| match argument {
                    Argument::MemRef(_, view) => (*arg, view.base, view.offset),
                    Argument::Scalar(..) => unreachable!("views are memrefs"),
                };
                Some(moved.iter().map(place).collect())
            }
        };
        let (f32, i32, f64) = (ScalarKind::F32, ScalarKind::Int(32), ScalarKind::F64);
        // One place of a buffer is enough for itself, and for as many views that begin there.
        assert_eq!(offsets(&[view(f32, 64), view(f32, 64)], None), Some(vec![]));
        assert_eq!(
            offsets(&[view(f32, 0), view(i32, 64)], None),
            Some(vec![(0, 0, 1), (1, 0, 17)])
        );
        // The copy of another launch begins elsewhere.
        assert_eq!(offsets(&[view(f64, 64)], Some(0)), Some(vec![(0, 0, 9)]));
        assert_eq!(offsets(&[view(f64, 64)], Some(64)), Some(vec![]));
        assert_eq!(offsets(&[view(f64, 4)], Some(0)), Some(vec![]));
        // Elements that overlap in part, and of different sizes.
        assert_eq!(offsets(&[view(f32, 0), view(f32, 2)], None), None);
        assert_eq!(offsets(&[view(f32, 0), view(f64, 64)], None), None);
    }
}
