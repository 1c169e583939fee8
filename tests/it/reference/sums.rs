//! References of the examples that reduce or scan: `row_sum`, `total_sum`,
//! `prefix_sum`. All sums are of few enough multiples of 1/64 to be exact.

use super::array::{Array, Random};
use super::{Case, SMALL_SIZES};

pub fn examples() -> Vec<Case> {
    let mut cases = vec![row_sum(512, 300), total_sum(400, 250), prefix_sum(4096)];
    for n in SMALL_SIZES {
        cases.extend([row_sum(n, n), total_sum(n, n), prefix_sum(n)]);
    }
    cases.extend([
        row_sum(0, 7),
        row_sum(7, 0),
        row_sum(1, 301),
        row_sum(67, 1),
    ]);
    cases.extend([
        total_sum(0, 7),
        total_sum(7, 0),
        total_sum(1, 2000),
        total_sum(2000, 1),
    ]);
    cases
}

fn row_sum(m: usize, n: usize) -> Case {
    let mut random = Random::new(21);
    let (a, before) = (random.coarse_array([m, n]), random.coarse_array([m]));
    let mut after = Array::filled([m], 0.0);
    for i in 0..m {
        for j in 0..n {
            after[[i]] += a[[i, j]];
        }
    }
    Case::example("row_sum", &[(512, m as i64), (300, n as i64)])
        .input(&a)
        .output(&before, &after)
}

fn total_sum(m: usize, n: usize) -> Case {
    let mut random = Random::new(22);
    let a = random.coarse_array([m, n]);
    let before = Array::filled([], 99.0f32);
    let after = Array::filled([], a.elements().iter().sum::<f32>());
    Case::example("total_sum", &[(400, m as i64), (250, n as i64)])
        .input(&a)
        .output(&before, &after)
}

fn prefix_sum(n: usize) -> Case {
    let mut random = Random::new(23);
    let before = random.coarse_array([n]);
    let mut after = before.clone();
    for i in 1..n {
        after[[i]] = before[[i]] + after[[i - 1]];
    }
    Case::example("prefix_sum", &[(4096, n as i64)]).output(&before, &after)
}
