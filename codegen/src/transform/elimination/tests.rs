use super::*;

fn form(factors: &[(u32, i64)], constant: i64) -> LinearForm {
    LinearForm {
        factors: factors.iter().copied().collect(),
        constant,
    }
}

/// A triangular nest: counters 0 and 1 (inner), values 8 and 9 from outside.
fn triangle() -> Elimination {
    Elimination {
        // 0 <= x < n, 0 <= y <= x, y < m
        known: vec![
            form(&[(0, 1)], 0),
            form(&[(0, -1), (8, 1)], -1),
            form(&[(1, 1)], 0),
            form(&[(1, -1), (0, 1)], 0),
            form(&[(1, -1), (9, 1)], -1),
        ],
        inner: BTreeMap::from([(0, 1), (1, 2)]),
    }
}

#[test]
fn bounds_hold_at_the_corner() {
    // 20 - x - y is least at x = y = n - 1, or at x = n - 1, y = m - 1.
    let bound = triangle().bound(&form(&[(0, -1), (1, -1)], 20));
    let wanted = [form(&[(8, -1), (9, -1)], 22), form(&[(8, -1)], 11)];
    assert!(bound.is_some_and(|bound| wanted.contains(&bound)));
    // 2 y + x - 3 is least at 0.
    assert_eq!(triangle().bound(&form(&[(0, 1), (1, 2)], -3)), None);
    assert_eq!(
        triangle().bound(&form(&[(0, 1), (1, 2)], 3)),
        Some(form(&[], 3))
    );
}

#[test]
fn bounds_imply_the_form_in_every_iteration() {
    let elimination = triangle();
    for (p, q, r) in [(1, 1, 5), (-1, 2, 7), (2, -3, 11), (-2, -1, 13), (1, -1, 0)] {
        let target = form(&[(0, p), (1, q)], r);
        let Some(bound) = elimination.bound(&target) else {
            continue;
        };
        for (n, m) in (0..8).flat_map(|n| (0..8).map(move |m| (n, m))) {
            if bound.factor(8) * n + bound.factor(9) * m + bound.constant < 0 {
                continue;
            }
            for (x, y) in (0..n).flat_map(|x| (0..=x.min(m - 1)).map(move |y| (x, y))) {
                assert!(p * x + q * y + r >= 0, "{target:?} at {x}, {y} of {n}, {m}");
            }
        }
    }
}
