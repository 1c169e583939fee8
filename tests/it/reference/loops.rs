//! References of the test programs about the shape of loops: bounds, steps,
//! guards, depth, several nests, values carried along.

use super::array::{Array, Random};
use super::{Case, Tolerance};

pub fn programs() -> Vec<Case> {
    let mut cases = vec![steps(), negative_bounds(), tiled_bounds(), banded()];
    cases.extend([
        k_outermost(),
        k_middle(),
        parallel_nest(),
        parallel_reduce(),
    ]);
    cases.extend([
        euclid(),
        branches(),
        six_deep(),
        empty_loops(),
        long_line(),
        wide_rows(),
    ]);
    cases.extend([sibling_nests(), running_totals(), argmax(), softmax()]);
    cases.extend([(0, 0), (1, 0), (2, 1), (41, 0), (41, 20), (64, 7)].map(|(n, k)| symbols(n, k)));
    cases
}

fn sibling_nests() -> Case {
    let mut random = Random::new(101);
    let (a, before) = (random.coarse_array([20, 37]), random.coarse_array([37, 20]));
    let mut out = before.clone();
    for i in 0..20 {
        for j in 0..37 {
            let t = a[[i, j]] + 1.0;
            out[[j, i]] = t * t - 3.0 * j as f32;
        }
    }
    Case::program("sibling_nests")
        .input(&a)
        .output(&before, &out)
}

fn steps() -> Case {
    let mut random = Random::new(102);
    let (a, before) = (random.coarse_array([50, 40]), random.coarse_array([50, 40]));
    let mut out = before.clone();
    for i in (2..50).step_by(3) {
        for j in (1..39).step_by(5) {
            out[[i, j]] = a[[i, j]] + a[[i - 2, j + 1]];
        }
    }
    Case::program("steps").input(&a).output(&before, &out)
}

fn negative_bounds() -> Case {
    let mut random = Random::new(103);
    let (a, before) = (random.coarse_array([21]), random.coarse_array([21, 28]));
    let mut out = before.clone();
    for i in -10i32..=10 {
        for j in (-7i32..=20).step_by(4) {
            let value = a[[(10 - i) as usize]] * i as f32 + j as f32;
            out[[(i + 10) as usize, (20 - j) as usize]] = value;
        }
    }
    Case::program("negative_bounds")
        .input(&a)
        .output(&before, &out)
}

fn tiled_bounds() -> Case {
    let mut random = Random::new(104);
    let (a, before) = (random.fine_array([50, 45]), random.fine_array([50, 45]));
    Case::program("tiled_bounds")
        .input(&a)
        .output(&before, &a.map(|x| 2.0 * x))
}

fn banded() -> Case {
    let mut random = Random::new(105);
    let (a, x) = (random.coarse_array([40, 40]), random.coarse_array([40]));
    let before = random.coarse_array([40]);
    let mut y = Array::filled([40], 0.0);
    for i in 0..40usize {
        for j in 0..40 {
            if j + 3 >= i && j < i + 3 {
                y[[i]] += a[[i, j]] * x[[j]];
            }
        }
    }
    Case::program("banded")
        .input(&a)
        .input(&x)
        .output(&before, &y)
}

/// `c + a b` for `c` of 19 × 23, the factors 21 wide and high.
fn add_product(a: &Array<f32, 2>, b: &Array<f32, 2>, c: &Array<f32, 2>) -> Array<f32, 2> {
    let mut sum = c.clone();
    for i in 0..19 {
        for j in 0..23 {
            for k in 0..21 {
                sum[[i, j]] += a[[i, k]] * b[[k, j]];
            }
        }
    }
    sum
}

fn k_outermost() -> Case {
    let mut random = Random::new(106);
    let (a, b) = (random.coarse_array([19, 21]), random.coarse_array([21, 23]));
    let before = random.coarse_array([19, 23]);
    let after = add_product(&a, &b, &before);
    Case::program("k_outermost")
        .input(&a)
        .input(&b)
        .output(&before, &after)
}

fn k_middle() -> Case {
    let mut random = Random::new(107);
    let (a, b) = (random.coarse_array([19, 21]), random.coarse_array([21, 23]));
    let before = random.coarse_array([19, 23]);
    let after = add_product(&a, &b, &Array::filled([19, 23], 0.0));
    Case::program("k_middle")
        .input(&a)
        .input(&b)
        .output(&before, &after)
}

fn parallel_nest() -> Case {
    let mut random = Random::new(108);
    let (a, before) = (random.coarse_array([30, 41]), random.coarse_array([30, 41]));
    let mut out = before.clone();
    for i in 1..30 {
        for j in (2..41).step_by(2) {
            out[[i, j]] = a[[i, j]] - 1.0;
        }
    }
    Case::program("parallel_nest")
        .input(&a)
        .output(&before, &out)
}

fn parallel_reduce() -> Case {
    let mut random = Random::new(109);
    let a = random.coarse_array([12, 50]);
    let before = random.coarse_array([12]);
    let mut sums = Array::filled([12], 0.0);
    let mut peaks = Array::filled([12], f32::NEG_INFINITY);
    for i in 0..12 {
        for j in 0..50 {
            sums[[i]] += a[[i, j]];
            peaks[[i]] = peaks[[i]].max(a[[i, j]]);
        }
    }
    Case::program("parallel_reduce")
        .input(&a)
        .output(&before, &sums)
        .output(&before, &peaks)
}

fn euclid() -> Case {
    let mut random = Random::new(110);
    let table = random.int_array([34], -1000, 1000);
    let before = random.int_array([100, 6], -1000, 1000);
    let mut out = before.clone();
    // Through floating point, where the sign of an operand plays no part.
    let down = |x: i32, y: i32| (f64::from(x) / f64::from(y)).floor() as i32;
    let up = |x: i32, y: i32| (f64::from(x) / f64::from(y)).ceil() as i32;
    let modulo = |x: i32, y: i32| x - y * down(x, y);
    for i in 0..100 {
        let d = i as i32 - 50;
        out[[i, 0]] = table[[modulo(d, 7) as usize]];
        out[[i, 1]] = table[[(down(d, 3) + 17) as usize]];
        out[[i, 2]] = table[[(up(d, 4) + 13) as usize]];
        out[[i, 3]] = modulo(d * 5 + 3, 11) - down(d, 8);
        out[[i, 4]] = modulo(d, 5).min(d + 7);
        out[[i, 5]] = up(d, 6).max(-3).max(2 * d);
    }
    Case::program("euclid").input(&table).output(&before, &out)
}

fn symbols(n: usize, k: usize) -> Case {
    let mut random = Random::new(111);
    let (x, before) = (
        random.int_array([n], -1000, 1000),
        random.int_array([n], -1000, 1000),
    );
    let mut out = before.clone();
    for i in 0..n / 2 {
        let sum = x[[n - 1 - i]] + x[[i + k]];
        out[[i]] = if 2 * i + k >= n { -sum } else { sum };
    }
    Case::program("symbols")
        .input(&x)
        .output(&before, &out)
        .number(k)
}

fn branches() -> Case {
    let mut random = Random::new(112);
    let a = random.fine_array([25, 29]);
    let (before_l, before_u) = (random.fine_array([25, 29]), random.fine_array([25, 29]));
    let (mut lower, mut upper) = (before_l.clone(), before_u.clone());
    for i in 0..25 {
        for j in 0..29 {
            if j <= i {
                lower[[i, j]] = a[[i, j]];
            } else if j == i + 1 {
                upper[[i, j]] = -a[[i, j]];
            } else {
                upper[[i, j]] = a[[i, j]];
            }
        }
    }
    Case::program("branches")
        .input(&a)
        .output(&before_l, &lower)
        .output(&before_u, &upper)
}

fn six_deep() -> Case {
    let mut random = Random::new(113);
    let (image, filter) = (
        random.coarse_array([2, 4, 7, 7]),
        random.coarse_array([3, 4, 3]),
    );
    let before = random.coarse_array([2, 3, 5, 7]);
    let mut out = before.clone();
    for n in 0..2 {
        for k in 0..3 {
            for y in 0..5 {
                for x in 0..7 {
                    for c in 0..4 {
                        for r in 0..3 {
                            out[[n, k, y, x]] += image[[n, c, y + r, x]] * filter[[k, c, r]];
                        }
                    }
                }
            }
        }
    }
    Case::program("six_deep")
        .input(&image)
        .input(&filter)
        .output(&before, &out)
}

fn empty_loops() -> Case {
    let mut random = Random::new(114);
    let none = random.int_array([0, 5], 0, 10);
    let (kept, once) = (random.int_array([9], 10, 20), random.int_array([9], 10, 20));
    let mut once_after = once.clone();
    once_after[[4]] = 3;
    Case::program("empty_loops")
        .input(&none)
        .output(&kept, &Array::filled([9], 7))
        .output(&once, &once_after)
}

fn long_line() -> Case {
    let mut random = Random::new(115);
    let x = random.int_array([200_003], i32::MIN, i32::MAX);
    let mut out = x.clone();
    for i in 0..200_003 {
        out[[i]] ^= 3 * i as i32;
    }
    Case::program("long_line")
        .input(&x)
        .output(&Array::filled([200_003], -1), &out)
}

fn wide_rows() -> Case {
    let mut random = Random::new(116);
    let a = random.int_array([40, 4096], -1000, 1000);
    let mut boxes = Array::filled([3, 2, 5, 9], 0);
    for w in 0..3 {
        for z in 0..2 {
            for y in 0..5 {
                for x in 0..9 {
                    boxes[[w, z, y, x]] = (1000 * w + 100 * z + 10 * y + x) as i32;
                }
            }
        }
    }
    Case::program("wide_rows")
        .input(&a)
        .output(&Array::filled([40, 4096], 0), &a.map(|x| x + 1))
        .output(&Array::filled([3, 2, 5, 9], -1), &boxes)
}

fn running_totals() -> Case {
    let mut random = Random::new(117);
    let a = random.int_array([26, 31], -100, 100);
    let before = random.int_array([26, 31], -100, 100);
    let mut out = before.clone();
    for i in 0..26 {
        for j in 0..31 {
            out[[i, j]] = (0..=j).map(|k| a[[i, k]]).sum();
        }
    }
    Case::program("running_totals")
        .input(&a)
        .output(&before, &out)
}

fn argmax() -> Case {
    let mut random = Random::new(118);
    // Few distinct values, so that the largest stands in several places.
    let a = random.int_array([33, 29], -5, 5).map(|x| x as f32);
    let mut best = Array::filled([33], 0.0);
    let mut place = Array::filled([33], 0);
    for i in 0..33 {
        for j in 0..29 {
            if j == 0 || a[[i, j]] > best[[i]] {
                best[[i]] = a[[i, j]];
                place[[i]] = j as i32;
            }
        }
    }
    Case::program("argmax")
        .input(&a)
        .output(&Array::filled([33], 0.5), &best)
        .output(&Array::filled([33], -7), &place)
}

fn softmax() -> Case {
    let mut random = Random::new(119);
    let a = random.fine_array([21, 34]).map(|x| 5.0 * x);
    let before = random.fine_array([21, 34]);
    let mut out = before.clone();
    for i in 0..21 {
        // Without taking off the peak first: these inputs do not overflow.
        let sum: f64 = (0..34).map(|j| f64::from(a[[i, j]]).exp()).sum();
        for j in 0..34 {
            out[[i, j]] = (f64::from(a[[i, j]]).exp() / sum) as f32;
        }
    }
    // The exponential of a device may be off by (3 + 2|x|) units in the last
    // place (Vulkan's precision table), |x| up to 10 here.
    let tolerance = Tolerance::Close {
        absolute: 1e-9,
        relative: 1e-5,
    };
    Case::program("softmax")
        .input(&a)
        .output_within(&before, &out, tolerance)
}
