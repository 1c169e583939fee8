//! Folds of slices and shuffles of constants.

use crate::ub;
use crate::verified::{required, required_i64s};
use gridloom_ir::fold::{Elements, FoldCx, Folded};

use super::fold::{MAX_ELEMENTS, count, same_type, shape, splat};

/// A slice of a vector: its offsets and both shapes.
struct Place<'a> {
    offsets: Vec<i64>,
    part: &'a [i64],
    whole: &'a [i64],
}

impl<'a> Place<'a> {
    fn of(cx: &FoldCx, part: &'a [i64], whole: &'a [i64]) -> Option<Self> {
        let items = required(cx.ctx, cx.data(), "offsets").as_array(cx.ctx)?;
        let offsets: Option<Vec<i64>> = items.iter().map(|item| item.as_i64(cx.ctx)).collect();
        let mut offsets = offsets?;
        offsets.resize(whole.len(), 0);
        Some(Place {
            offsets,
            part,
            whole,
        })
    }

    /// The row-major index in the vector of element `number` of the slice. A
    /// slice of lower rank covers the trailing dimensions.
    fn element(&self, mut number: usize) -> usize {
        let new = self.whole.len() - self.part.len();
        let (mut at, mut stride) = (0, 1);
        for dim in (0..self.whole.len()).rev() {
            let mut index = self.offsets[dim] as usize;
            if dim >= new {
                let extent = self.part[dim - new] as usize;
                index += number % extent;
                number /= extent;
            }
            at += index * stride;
            stride *= self.whole[dim] as usize;
        }
        at
    }
}

/// `vector.extract_strided_slice`
pub(super) fn extract(cx: &FoldCx) -> Option<Folded> {
    let [source] = cx.operands()?;
    if let Some(folded) = same_type(cx).or_else(|| splat(cx)) {
        return Some(folded);
    }
    let (part, whole) = (shape(cx, cx.result_type(0)), shape(cx, cx.ty(source)));
    let constant = cx
        .constant(source)
        .filter(|_| count(part) <= MAX_ELEMENTS)?;
    let place = Place::of(cx, part, whole)?;
    let elements = (0..count(part)).map(|number| constant.element(place.element(number)));
    let elements: Option<Vec<u64>> = elements.collect();
    cx.elements(elements.map(Elements::Each))
}

/// `vector.insert_strided_slice`: a slice that covers the whole vector is the
/// result.
pub(super) fn insert(cx: &FoldCx) -> Option<Folded> {
    if let Some(folded) = same_type(cx) {
        return Some(folded);
    }
    let [part, target] = cx.operands()?;
    let shapes = [part, target].map(|value| shape(cx, cx.ty(value)));
    let all = count(shapes[1]);
    let (source, target) = (cx.constant(part)?, cx.constant(target)?);
    if all > MAX_ELEMENTS {
        return None;
    }
    let place = Place::of(cx, shapes[0], shapes[1])?;
    let elements: Option<Vec<u64>> = (0..all).map(|number| target.element(number)).collect();
    let mut elements = elements?;
    for number in 0..count(shapes[0]) {
        *elements.get_mut(place.element(number))? = source.element(number)?;
    }
    cx.elements(Some(Elements::Each(elements)))
}

/// `vector.shuffle`. A poison lane may take any value: the first element.
pub(super) fn shuffle(cx: &FoldCx) -> Option<Folded> {
    let [first, second] = cx.operands()?;
    let is_poison = |value| cx.maker(value, ub::POISON).is_some();
    if is_poison(first) && is_poison(second) {
        return cx.attr(ub::poison_attr(cx.ctx));
    }
    let constant = |value| match is_poison(value) {
        true => Some(None),
        false => cx.constant(value).map(Some),
    };
    let (a, b) = (constant(first)?, constant(second)?);
    let any = a.as_ref().or(b.as_ref())?.element(0);
    let &[length] = shape(cx, cx.ty(first)) else {
        return None;
    };
    let mask = required_i64s(cx.ctx, cx.data(), "mask");
    let pick = |&row: &i64| {
        let (from, row) = match row {
            ..0 => return any,
            row if row < length => (&a, row),
            row => (&b, row - length),
        };
        match from {
            Some(constant) => constant.element(row as usize),
            None => any,
        }
    };
    if mask.len() > MAX_ELEMENTS {
        return None;
    }
    let elements: Option<Vec<u64>> = mask.iter().map(pick).collect();
    cx.elements(elements.map(Elements::Each))
}
