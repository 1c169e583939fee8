//! Row-major order of the elements of a vector.

/// Visits every index in row-major order.
pub(super) fn each_index(shape: &[usize], mut visit: impl FnMut(&[usize])) {
    let count: usize = shape.iter().product();
    let mut index = vec![0; shape.len()];
    for number in 0..count {
        let mut rest = number;
        for (at, &size) in index.iter_mut().zip(shape).rev() {
            *at = rest % size;
            rest /= size;
        }
        visit(&index);
    }
}
