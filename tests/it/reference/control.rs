//! References of the test programs about control flow that is not affine:
//! data-dependent loops, branches, calls, basic blocks, results.

use super::Case;
use super::array::{Array, Random};

pub fn programs() -> Vec<Case> {
    let mut cases = vec![scf_inside(), calls_in_loops(), until_small(), results()];
    cases.extend([0, 1, 4].map(counted_by_data));
    cases.extend(
        [(0, 100), (5, 200), (7, 300), (-1, 300)].map(|(mode, extra)| cfg_loop(mode, extra)),
    );
    cases
}

fn scf_inside() -> Case {
    let mut random = Random::new(401);
    let count = random.int_array([60], 0, 9);
    let before = random.int_array([60], -99, 99);
    let mut out = before.clone();
    for i in 0..60 {
        let n = count[[i]];
        let signed_digits = |s: i32| {
            let term = n + s * s;
            let digits = term % 7 + term / 7 % 7;
            if term % 2 == 1 { -digits } else { digits }
        };
        out[[i]] = if n == 0 {
            -1
        } else {
            (0..n).map(signed_digits).sum()
        };
    }
    Case::program("scf_inside")
        .input(&count)
        .output(&before, &out)
}

fn calls_in_loops() -> Case {
    let mut random = Random::new(402);
    let (before, ends_before) = (random.coarse_array([14, 17]), random.coarse_array([14]));
    let a = before.map(|x| 2.0 * x * x + x + 3.0);
    let mut ends = ends_before.clone();
    for i in 0..14 {
        ends[[i]] = a[[i, 0]] + a[[i, 16]];
    }
    Case::program("calls_in_loops")
        .output(&before, &a)
        .output(&ends_before, &ends)
}

fn until_small() -> Case {
    let mut random = Random::new(403);
    let before = random.fine_array([45]);
    let (mut x, mut steps) = (before.clone(), 0);
    // Halving is exact, and so is the comparison.
    while x.elements().iter().any(|x| x.abs() > 0.01) {
        x = x.map(|x| 0.5 * x);
        steps += 1;
    }
    assert!(steps > 3, "the loop is meant to run some times");
    Case::program("until_small")
        .output(&before, &x)
        .output(&Array::filled([], -1), &Array::filled([], steps))
}

fn counted_by_data(times: i32) -> Case {
    let mut random = Random::new(404);
    let before = random.int_array([11, 13], -99, 99);
    let mut a = before.clone();
    let all_s: i32 = (0..times).sum();
    for i in 0..11 {
        for j in 0..13 {
            a[[i, j]] += all_s * i as i32 - times * j as i32;
        }
    }
    Case::program("counted_by_data")
        .output(
            &Array::list(vec![times, 77]),
            &Array::list(vec![2 * times, 77]),
        )
        .output(&before, &a)
}

fn results() -> Case {
    let mut random = Random::new(405);
    let (x, y) = (random.coarse_array([44]), random.coarse_array([44]));
    let dot: f32 = (0..44).map(|i| x[[i]] * y[[i]]).sum();
    let positive = x.elements().iter().filter(|&&x| x > 0.0).count() as i32;
    Case::program("results")
        .input(&x)
        .input(&y)
        .result(&Array::filled([], dot))
        .result(&Array::filled([], positive))
        .result(&x.map(|x| 2.0 * x))
}

fn cfg_loop(mode: i32, extra: i32) -> Case {
    let mut random = Random::new(406);
    let before = random.int_array([30], -99, 99);
    // Doubling three times while adding 0, 1 and 2.
    let mut x = before.map(|x| 8 * x + 4);
    x[[0]] += extra;
    Case::program("cfg_loop").output(&before, &x).number(mode)
}
