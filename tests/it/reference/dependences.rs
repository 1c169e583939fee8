//! References of the test programs whose loops depend on each other in some
//! way: what they leave shows whether the order was kept.

use super::array::{Array, Random};
use super::{Case, Tolerance};

pub fn programs() -> Vec<Case> {
    let mut cases = vec![outer_carries(), inner_carries(), seidel(), distance_four()];
    cases.extend([
        in_place_reversal(),
        strides_apart(),
        last_write_wins(),
        one_iteration_writes(),
    ]);
    cases.extend([
        shared_temporary(),
        rank_zero(),
        after_inner(),
        histogram(),
        floyd(),
    ]);
    cases.extend([diagonal_carries(), lu(), cholesky(), power_iteration()]);
    cases
}

/// A tolerance for some tens of operations, one after the other, on numbers near 1.
const CLOSE: Tolerance = Tolerance::Close {
    absolute: 2e-6,
    relative: 2e-5,
};

fn outer_carries() -> Case {
    let mut random = Random::new(201);
    let before = random.fine_array([30, 101]);
    let mut a = before.map(f64::from);
    for i in 2..30 {
        for j in 0..100 {
            a[[i, j]] = 0.5 * a[[i - 1, j]] + 0.25 * a[[i - 2, j + 1]];
        }
    }
    Case::program("outer_carries").output_within(&before, &a.map(|x| x as f32), CLOSE)
}

fn inner_carries() -> Case {
    let mut random = Random::new(202);
    let before = random.fine_array([30, 37]);
    let mut a = before.map(f64::from);
    for i in 0..30 {
        for j in 1..37 {
            a[[i, j]] += 0.5 * a[[i, j - 1]];
        }
    }
    Case::program("inner_carries").output_within(&before, &a.map(|x| x as f32), CLOSE)
}

fn seidel() -> Case {
    let mut random = Random::new(203);
    let before = random.fine_array([24, 101]);
    let mut a = before.map(f64::from);
    for _ in 0..3 {
        for i in 1..23 {
            for j in 1..100 {
                let around = a[[i - 1, j]] + a[[i, j - 1]] + a[[i, j + 1]] + a[[i + 1, j]];
                a[[i, j]] = 0.25 * around;
            }
        }
    }
    Case::program("seidel").output_within(&before, &a.map(|x| x as f32), CLOSE)
}

fn distance_four() -> Case {
    let mut random = Random::new(204);
    let (x_before, y_before) = (
        random.int_array([100], -99, 99),
        random.int_array([100], -99, 99),
    );
    let (mut x, mut y) = (x_before.clone(), y_before.clone());
    for i in 4..100 {
        x[[i]] = x[[i - 4]] + y_before[[i]];
        y[[i]] += 1;
    }
    Case::program("distance_four")
        .output(&x_before, &x)
        .output(&y_before, &y)
}

fn in_place_reversal() -> Case {
    let mut random = Random::new(205);
    let before = random.int_array([101], -999, 999);
    let mut x = before.clone();
    for i in 0..101 {
        x[[i]] = x[[100 - i]] + 1;
    }
    Case::program("in_place_reversal").output(&before, &x)
}

fn strides_apart() -> Case {
    let mut random = Random::new(206);
    let (x_before, z_before) = (
        random.int_array([100], -99, 99),
        random.int_array([100], -99, 99),
    );
    let (mut x, mut z) = (x_before.clone(), z_before.clone());
    for i in 0..50 {
        x[[2 * i]] = x[[2 * i + 1]] + 1;
    }
    for i in 0..50 {
        z[[2 * i]] = z[[i]] + 1;
    }
    Case::program("strides_apart")
        .output(&x_before, &x)
        .output(&z_before, &z)
}

fn last_write_wins() -> Case {
    let mut random = Random::new(207);
    let a = random.int_array([25, 40], -99, 99);
    let (out_before, odd_before) = (
        random.int_array([40], -99, 99),
        random.int_array([20], -99, 99),
    );
    let (mut out, mut odd) = (out_before.clone(), odd_before.clone());
    for j in 0..40 {
        out[[j]] = a[[24, j]];
    }
    for j in 0..20 {
        odd[[j]] = a[[3, 2 * j + 1]];
    }
    Case::program("last_write_wins")
        .input(&a)
        .output(&out_before, &out)
        .output(&odd_before, &odd)
}

fn one_iteration_writes() -> Case {
    let mut random = Random::new(208);
    let a = random.int_array([40], -99, 99);
    let s_before = Array::filled([], 1000);
    let out_before = random.int_array([40], -99, 99);
    let mut out = out_before.clone();
    for i in 0..40 {
        let s = if i < 17 { 1000 } else { a[[17]] };
        out[[i]] = s + a[[i]];
    }
    Case::program("one_iteration_writes")
        .input(&a)
        .output(&s_before, &Array::filled([], a[[17]]))
        .output(&out_before, &out)
}

fn shared_temporary() -> Case {
    let mut random = Random::new(209);
    let (a, b) = (
        random.int_array([50], -99, 99),
        random.int_array([50], -99, 99),
    );
    let before = random.int_array([50], -99, 99);
    let mut out = before.clone();
    for i in 0..50 {
        out[[i]] = (a[[i]] + b[[i]]).pow(2);
    }
    Case::program("shared_temporary")
        .input(&a)
        .input(&b)
        .output(&Array::filled([], 1), &Array::filled([], a[[49]] + b[[49]]))
        .output(&before, &out)
}

fn rank_zero() -> Case {
    let mut random = Random::new(210);
    let a = random.int_array([13, 31], -99, 99);
    let before = random.int_array([13], -99, 99);
    let mut rows = Array::filled([13], 0);
    for i in 0..13 {
        for j in 0..31 {
            rows[[i]] += a[[i, j]];
        }
    }
    let total = 500 + a.elements().iter().sum::<i32>();
    Case::program("rank_zero")
        .input(&a)
        .output(&Array::filled([], 500), &Array::filled([], total))
        .output(&before, &rows)
}

fn after_inner() -> Case {
    let mut random = Random::new(211);
    let a_before = random.int_array([18, 22], -99, 99);
    let trail_before = random.int_array([18], -99, 99);
    let (mut a, mut trail, mut carry) = (a_before.clone(), trail_before.clone(), 11);
    for i in 0..18 {
        for j in 0..22 {
            a[[i, j]] += carry;
        }
        carry = a[[i, 3]] - a[[i, 20]];
        trail[[i]] = carry;
    }
    Case::program("after_inner")
        .output(&a_before, &a)
        .output(&Array::filled([], 11), &Array::filled([], carry))
        .output(&trail_before, &trail)
}

fn histogram() -> Case {
    let mut random = Random::new(212);
    let values = Array::generate([200], || random.bits() as i32);
    let before = random.int_array([16], 0, 99);
    let (mut counts, mut last) = (before.clone(), before.clone());
    for i in 0..200 {
        let bin = values[[i]] as u32 as usize % 16;
        counts[[bin]] += 1;
        last[[bin]] = i as i32;
    }
    Case::program("histogram")
        .input(&values)
        .output(&before, &counts)
        .output(&before, &last)
}

fn floyd() -> Case {
    let mut random = Random::new(213);
    let mut before = random.int_array([26, 26], 1, 1000);
    for i in 0..26 {
        before[[i, i]] = 0;
    }
    let mut d = before.clone();
    for k in 0..26 {
        for i in 0..26 {
            for j in 0..26 {
                d[[i, j]] = d[[i, j]].min(d[[i, k]] + d[[k, j]]);
            }
        }
    }
    Case::program("floyd").output(&before, &d)
}

fn diagonal_carries() -> Case {
    let mut random = Random::new(217);
    let before = random.int_array([40, 150], -99, 99);
    let mut a = before.clone();
    for i in 1..40 {
        for j in 1..149 {
            let above = i32::wrapping_add(a[[i - 1, j + 1]], a[[i - 1, j - 1]]);
            a[[i, j]] = a[[i, j]].wrapping_add(above);
        }
    }
    Case::program("diagonal_carries").output(&before, &a)
}

fn lu() -> Case {
    let mut random = Random::new(214);
    let before = random.fine_array([17, 17]);
    let mut a = before.map(f64::from);
    for i in 0..17 {
        a[[i, i]] += 20.0;
    }
    for k in 0..17 {
        for i in k + 1..17 {
            a[[i, k]] /= a[[k, k]];
            for j in k + 1..17 {
                a[[i, j]] -= a[[i, k]] * a[[k, j]];
            }
        }
    }
    Case::program("lu").output_within(&before, &a.map(|x| x as f32), CLOSE)
}

fn cholesky() -> Case {
    let mut random = Random::new(215);
    let before = random.fine_array([16, 16]);
    let mut a = before.map(f64::from);
    for i in 0..16 {
        a[[i, i]] += 20.0;
    }
    for i in 0..16 {
        for j in 0..=i {
            let dot: f64 = (0..j).map(|k| a[[i, k]] * a[[j, k]]).sum();
            let rest = a[[i, j]] - dot;
            a[[i, j]] = if i == j {
                rest.sqrt()
            } else {
                rest / a[[j, j]]
            };
        }
    }
    Case::program("cholesky").output_within(&before, &a.map(|x| x as f32), CLOSE)
}

fn power_iteration() -> Case {
    let mut random = Random::new(216);
    // All elements positive: the iteration settles at once and errors die out.
    let a = random.fine_array([28, 28]).map(|x| 1.25 + x);
    let before = random.fine_array([28]).map(|x| 1.25 + x);
    let (mut x, mut norm) = (before.map(f64::from), 0.0);
    for _ in 0..12 {
        let mut y = Array::filled([28], 0.0);
        for i in 0..28 {
            for j in 0..28 {
                y[[i]] += f64::from(a[[i, j]]) * x[[j]];
            }
        }
        norm = y.elements().iter().map(|y| y * y).sum::<f64>().sqrt();
        x = y.map(|y| y / norm);
    }
    Case::program("power_iteration")
        .input(&a)
        .output_within(&before, &x.map(|x| x as f32), CLOSE)
        .output_within(
            &Array::filled([], 0.0f32),
            &Array::filled([], norm as f32),
            CLOSE,
        )
}
