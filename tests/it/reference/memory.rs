//! References of the test programs about memory: views and aliases, layouts,
//! scratch arrays, module variables, arrays of `index`.

use super::Case;
use super::array::{Array, Random};

pub fn programs() -> Vec<Case> {
    let mut cases = vec![
        overlapping_views(),
        views_passed_on(),
        reinterpreted(),
        transposed_aliases(),
        scratch(),
    ];
    cases.extend([
        global_constants(),
        same_array_twice(),
        column_layout(),
        index_elements(),
    ]);
    cases.extend([ping_pong(true), ping_pong(false)]);
    cases
}

fn overlapping_views() -> Case {
    let mut random = Random::new(301);
    let before = random.int_array([64], -9, 9);
    let mut x = before.clone();
    for i in 0..63 {
        x[[i + 1]] += x[[i]];
    }
    for i in 0..32 {
        x[[2 * i]] = 3 * x[[2 * i + 1]];
    }
    Case::program("overlapping_views").output(&before, &x)
}

fn views_passed_on() -> Case {
    let mut random = Random::new(302);
    let before = random.int_array([16, 24], -9, 9);
    let mut a = before.clone();
    let mut out = Array::filled([6, 9], 0);
    for i in 0..6 {
        for j in 0..9 {
            a[[5 + i, 3 + 2 * j]] += (100 * i + j) as i32;
            out[[i, j]] = a[[5 + i, 3 + 2 * j]];
        }
    }
    Case::program("views_passed_on")
        .output(&before, &a)
        .output(&Array::filled([6, 9], -1), &out)
}

fn reinterpreted() -> Case {
    let mut random = Random::new(303);
    let before = random.int_array([48], -99, 99);
    let mut flat = before.clone();
    for i in 0..6 {
        for j in 0..i {
            flat[[8 * j + i]] = flat[[8 * i + j]];
        }
    }
    Case::program("reinterpreted").output(&before, &flat)
}

fn transposed_aliases() -> Case {
    let mut random = Random::new(308);
    let before = random.int_array([70, 70], -99, 99);
    let mut m = before.clone();
    for i in 0..70 {
        for j in 0..70 {
            m[[j, i]] = m[[i, j]] + 1;
        }
    }
    Case::program("transposed_aliases").output(&before, &m)
}

fn scratch() -> Case {
    let mut random = Random::new(304);
    let (a, before) = (random.fine_array([45, 7]), random.fine_array([45, 7]));
    let mut out = before.clone();
    for i in 0..45 {
        let mut row: Vec<f32> = (0..7).map(|j| a[[i, j]]).collect();
        row.sort_by(f32::total_cmp);
        for j in 0..7 {
            out[[i, j]] = row[j];
        }
    }
    Case::program("scratch").input(&a).output(&before, &out)
}

fn global_constants() -> Case {
    let weights = [[1.0, 2.0, 3.0], [-4.0, 0.5, 0.25]];
    let offsets = [10.0, 20.0, 30.0];
    let mut out = Array::filled([10, 12], 0.0f32);
    for i in 0..10 {
        for j in 0..12 {
            out[[i, j]] = weights[i % 2][j % 3] * 2.0 + offsets[j % 3];
        }
    }
    Case::program("global_constants")
        .output(&Array::filled([10, 12], -1.0f32), &out)
        .output(&Array::filled([], -1), &Array::filled([], 15))
}

fn same_array_twice() -> Case {
    let mut random = Random::new(305);
    let (x_before, y_before) = (
        random.int_array([50], -99, 99),
        random.int_array([50], -99, 99),
    );
    let (mut x, mut y) = (x_before.clone(), y_before.clone());
    for i in 1..50 {
        x[[i]] = x[[0]] + i as i32;
        y[[i]] = x[[0]] + i as i32;
    }
    Case::program("same_array_twice")
        .output(&x_before, &x)
        .output(&y_before, &y)
}

fn column_layout() -> Case {
    let mut random = Random::new(306);
    let a = random.int_array([13, 5], -99, 99);
    let before = random.int_array([13, 5], -99, 99);
    Case::program("column_layout")
        .input(&a)
        .output(&before, &a.map(|x| 2 * x))
        .output(&before, &a.map(|x| 3 * x))
}

fn index_elements() -> Case {
    let before = Array::filled([53], -1i64);
    // 53 is prime, so multiples of 20 visit every position once.
    let order = Array::list((0..53).map(|i| (20 * i + 7) % 53).collect());
    let (mut out, mut far) = (before.clone(), before.clone());
    for i in 0..53 {
        out[[i]] = order[[order[[i]] as usize]];
        far[[i]] = 3 * order[[i]] - 2 * i as i64;
    }
    Case::program("index_elements")
        .input(&order)
        .output(&before, &out)
        .output(&before, &far)
}

fn ping_pong(choose: bool) -> Case {
    let mut random = Random::new(307);
    let (a_before, b_before) = (random.int_array([40], -9, 9), random.int_array([40], -9, 9));
    let mut pair = [a_before.clone(), b_before.clone()];
    for step in 0..7 {
        let (from, to) = (pair[step % 2].clone(), &mut pair[(step + 1) % 2]);
        for i in 1..39 {
            to[[i]] = from[[i - 1]] + from[[i]] + from[[i + 1]];
        }
    }
    pair[usize::from(!choose)][[0]] = -1;
    let [a, b] = pair;
    Case::program("ping_pong")
        .output(&a_before, &a)
        .output(&b_before, &b)
        .number(u8::from(choose))
}
