//! Ranges and loop bounds against brute force.

use gridloom_presburger::{Affine, Division, IntegerPolyhedron, Scan, Space, ValueRange};

use crate::oracle::{Random, random_set, shapes};

#[test]
fn ranges_are_those_of_the_points() {
    let mut random = Random::new(21);
    let (mut exact, mut empty) = (0, 0);
    for shape in shapes(true) {
        for _ in 0..10 {
            let (meaning, set) = random_set(&mut random, shape);
            let width = meaning.outer;
            let coefficients: Vec<i64> = (0..width).map(|_| random.between(-3, 3)).collect();
            let form = Affine::from_parts(coefficients.clone(), 1);
            let values: Vec<i64> = meaning
                .points()
                .iter()
                .map(|point| 1 + (0..width).map(|i| coefficients[i] * point[i]).sum::<i64>())
                .collect();
            match set.range_of(&form) {
                ValueRange::Empty => {
                    assert!(values.is_empty(), "{set}");
                    empty += 1;
                }
                range => {
                    let expected = ValueRange::Between {
                        lower: values.iter().min().copied(),
                        upper: values.iter().max().copied(),
                        exact: true,
                    };
                    assert_eq!(range, expected, "{set}");
                    exact += 1;
                }
            }
        }
    }
    assert!(exact > 100 && empty > 100, "{exact} exact, {empty} empty");
}

#[test]
fn an_open_side_is_none_and_still_exact() {
    // d0 >= 3, d1 = 2*d0.
    let mut set = IntegerPolyhedron::universe(Space::new(2, 0));
    set.add_inequality_row(&[1, 0, -3]).expect("small");
    set.add_equality_row(&[2, -1, 0]).expect("small");
    let range = set.range_of(&Affine::var(1));
    let expected = ValueRange::Between {
        lower: Some(6),
        upper: None,
        exact: true,
    };
    assert_eq!(range, expected);
    assert_eq!(
        set.range_of(&Affine::from_parts(vec![2, -1], 5)).single(),
        Some(5)
    );
}

#[test]
fn the_scan_visits_each_point_once_in_order() {
    let mut random = Random::new(22);
    let mut exact = 0;
    for shape in shapes(true) {
        for _ in 0..5 {
            let (meaning, set) = random_set(&mut random, shape);
            let scan = set.scan();
            let visited = visit(&scan, shape.dims, shape.symbols, shape.half);
            let points = in_scan_order(meaning.points(), shape.dims);
            if scan.exact {
                assert_eq!(visited, points, "{set}");
                exact += 1;
            } else {
                assert!(points.iter().all(|point| visited.contains(point)), "{set}");
            }
        }
    }
    assert!(exact > 100, "only {exact} scans were exact");
}

/// Symbols outermost, as the loops are run for each value of them.
fn in_scan_order(mut points: Vec<Vec<i64>>, dims: usize) -> Vec<Vec<i64>> {
    points.sort_by_key(|point| (point[dims..].to_vec(), point[..dims].to_vec()));
    points
}

/// Runs the loops of a scan.
fn visit(scan: &Scan, dims: usize, symbols: usize, half: i64) -> Vec<Vec<i64>> {
    let mut visited = Vec::new();
    for values in crate::oracle::grid(symbols, half) {
        if !scan.guard.contains(&values).is_yes() {
            continue;
        }
        let mut point = vec![0; dims];
        point.extend(values);
        run_loop(scan, 0, &mut point, &mut visited);
    }
    visited
}

fn run_loop(scan: &Scan, depth: usize, point: &mut Vec<i64>, visited: &mut Vec<Vec<i64>>) {
    let Some(bounds) = scan.bounds.get(depth) else {
        visited.push(point.clone());
        return;
    };
    assert!(bounds.is_bounded());
    let floor = |bound: &Division| {
        let value = bound.numerator.value_at(point).expect("small");
        value.div_euclid(bound.divisor)
    };
    let ceil = |bound: &Division| {
        let value = bound.numerator.value_at(point).expect("small");
        -(-value).div_euclid(bound.divisor)
    };
    let lower = bounds.lowers.iter().map(ceil).max().expect("bounded");
    let upper = bounds.uppers.iter().map(floor).min().expect("bounded");
    for value in lower..=upper {
        point[depth] = value;
        run_loop(scan, depth + 1, point, visited);
    }
}
