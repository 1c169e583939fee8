//! Dependence analysis: its questions, against programs run iteration by iteration.

use gridloom_presburger::{Affine, Emptiness, IntegerPolyhedron, Relation, Space, ValueRange};

use crate::oracle::Random;

/// `for i in 0..m, j in 0..n` with accesses `a[w0*i + w1*j + w2]` and `a[r0*i + ..]`.
#[test]
fn dependences_by_depth_are_those_of_the_run() {
    let mut random = Random::new(61);
    let mut dependent = 0;
    for _ in 0..150 {
        let (m, n) = (random.between(1, 6), random.between(1, 6));
        let mut access = || [0; 3].map(|_| random.between(-3, 3));
        let (write, read) = (access(), access());
        let mut turns = IntegerPolyhedron::universe(Space::new(2, 0));
        for (column, extent) in [(0, m), (1, n)] {
            turns
                .add_half_open(
                    &Affine::constant(0),
                    &Affine::var(column),
                    &Affine::constant(extent),
                )
                .expect("small");
        }
        let relation = |[i, j, c]: [i64; 3]| {
            Relation::graph(&turns, &[Affine::from_parts(vec![i, j], c)]).expect("small")
        };
        let same = relation(write).compose(&relation(read).inverse());
        for depth in 0..2 {
            let found = same.intersect(&Relation::lex_before(2, depth, 0));
            let distances = distances(write, read, (m, n), depth);
            assert_eq!(found.is_empty(), distances.is_empty());
            match found.distance(depth) {
                ValueRange::Empty => assert!(distances.is_empty()),
                range => {
                    assert_eq!(range.lower(), distances.iter().min().copied());
                    assert_eq!(range.upper(), distances.iter().max().copied());
                    dependent += 1;
                }
            }
        }
    }
    assert!(dependent > 50, "only {dependent} dependences");
}

/// Reference: the dependence distances at a depth between an iteration that writes and a later one
/// that reads the same element, by trying all pairs of iterations.
fn distances(write: [i64; 3], read: [i64; 3], (m, n): (i64, i64), depth: usize) -> Vec<i64> {
    let turns: Vec<[i64; 2]> = (0..m).flat_map(|i| (0..n).map(move |j| [i, j])).collect();
    let element = |[a, b, c]: [i64; 3], [i, j]: [i64; 2]| a * i + b * j + c;
    let mut result = Vec::new();
    for &x in &turns {
        for &y in &turns {
            let meets = element(write, x) == element(read, y);
            let before = x[..depth] == y[..depth] && x[depth] < y[depth];
            if meets && before {
                result.push(y[depth] - x[depth]);
            }
        }
    }
    result
}

/// Tiles of 32 of an array of `n` elements: `t*32 + k` for `t < ceildiv(n, 32)` and
/// `k < min(32, n - 32*t)` never leaves the array, whatever `n` is.
#[test]
fn a_tiled_access_stays_in_bounds_for_every_size() {
    let space = Space::new(2, 1);
    let (tile, within, size) = (
        Affine::var(space.dim(0)),
        Affine::var(space.dim(1)),
        Affine::var(space.symbol(0)),
    );
    let zero = Affine::constant(0);
    let mut domain = IntegerPolyhedron::universe(space);
    let tiles = domain.ceildiv(&size, 32).expect("small");
    let start = tile.scaled(32).expect("small");
    let left = size.minus(&start).expect("small");
    domain.add_half_open(&zero, &tile, &tiles).expect("small");
    domain
        .add_half_open(&zero, &within, &Affine::constant(32))
        .expect("small");
    domain.add_lt(&within, &left).expect("small");
    let index = start.plus(&within).expect("small");

    let mut below = domain.clone();
    below.add_lt(&index, &zero).expect("small");
    assert!(below.is_empty());
    let mut above = domain.clone();
    above.add_le(&size, &index).expect("small");
    assert!(above.is_empty());

    // Without the min, the last tile does leave it.
    let mut careless = IntegerPolyhedron::universe(space);
    let tiles = careless.ceildiv(&size, 32).expect("small");
    careless.add_half_open(&zero, &tile, &tiles).expect("small");
    careless
        .add_half_open(&zero, &within, &Affine::constant(32))
        .expect("small");
    careless.add_le(&size, &index).expect("small");
    let Emptiness::NonEmpty(point) = careless.emptiness() else {
        panic!("the last tile of {careless}");
    };
    let (t, k, n) = (point[0], point[1], point[2]);
    assert!((0..32).contains(&k) && 32 * t < n && n <= 32 * t + k);
}

/// A matrix product's accumulation `c[i][j] += ..` over six counters and three sizes:
/// carried by the innermost loop alone.
#[test]
fn a_matrix_product_is_carried_by_its_reduction() {
    let mut turns = IntegerPolyhedron::universe(Space::new(3, 3));
    for dim in 0..3 {
        turns
            .add_half_open(
                &Affine::constant(0),
                &Affine::var(dim),
                &Affine::var(3 + dim),
            )
            .expect("small");
    }
    let writes = Relation::graph(&turns, &[Affine::var(0), Affine::var(1)]).expect("small");
    let again = writes.compose(&writes.inverse());
    let carried: Vec<bool> = (0..3)
        .map(|depth| {
            !again
                .intersect(&Relation::lex_before(3, depth, 3))
                .is_empty()
        })
        .collect();
    assert_eq!(carried, [false, false, true]);
}
