//! Emptiness against brute force, and on systems known to be hard.

use gridloom_presburger::{Affine, Budget, Emptiness, IntegerPolyhedron, Space};

use crate::oracle::{Random, definite, grid, random_set, shapes};

#[test]
fn boxed_sets_are_empty_exactly_when_no_point_is_found() {
    let mut random = Random::new(1);
    let (mut empty, mut filled) = (0, 0);
    for shape in shapes(true) {
        for _ in 0..25 {
            let (meaning, set) = random_set(&mut random, shape);
            let points = meaning.points();
            match set.emptiness() {
                Emptiness::Empty => {
                    assert_eq!(points.first(), None, "{set}");
                    empty += 1;
                }
                Emptiness::NonEmpty(point) => {
                    let outer = &point[..meaning.outer];
                    assert!(meaning.has(outer), "{point:?} of {set}");
                    assert_eq!(meaning.with_quotients(outer), point, "{set}");
                    filled += 1;
                }
                Emptiness::Unknown => panic!("undecided: {set}"),
            }
        }
    }
    assert!(empty > 300 && filled > 300, "{empty} empty, {filled} not");
}

#[test]
fn unbounded_sets_are_decided_too() {
    let mut random = Random::new(2);
    let (mut empty, mut beyond) = (0, 0);
    for shape in shapes(false) {
        for _ in 0..25 {
            let (meaning, set) = random_set(&mut random, shape);
            match set.emptiness() {
                Emptiness::Empty => {
                    assert_eq!(meaning.points().first(), None, "{set}");
                    empty += 1;
                }
                Emptiness::NonEmpty(point) => {
                    assert!(meaning.has(&point[..meaning.outer]), "{point:?} of {set}");
                    beyond += usize::from(point.iter().any(|value| value.abs() > shape.half));
                }
                Emptiness::Unknown => panic!("undecided: {set}"),
            }
        }
    }
    assert!(
        empty > 50 && beyond > 50,
        "{empty} empty, {beyond} beyond the box"
    );
}

#[test]
fn membership_is_decided_through_the_locals() {
    let mut random = Random::new(3);
    for shape in shapes(true).into_iter().filter(|shape| shape.half <= 8) {
        let (meaning, set) = random_set(&mut random, shape);
        for point in grid(meaning.outer, shape.half + 1).into_iter().step_by(3) {
            assert_eq!(
                definite(set.contains(&point)),
                meaning.has(&point),
                "{point:?} in {set}"
            );
        }
    }
}

/// `27 <= 11x + 13y <= 45, -10 <= 7x - 9y <= 4` has rational points only (Pugh 1991).
#[test]
fn a_system_that_needs_splinters_is_empty() {
    let mut set = IntegerPolyhedron::universe(Space::new(2, 0));
    for row in [[11, 13, -27], [-11, -13, 45], [7, -9, 10], [-7, 9, 4]] {
        set.add_inequality_row(&row).expect("small");
    }
    assert_eq!(set.emptiness(), Emptiness::Empty);
}

/// The same system with `x = u - 2w` and `y = v + 3w`: a tube that runs between the
/// integer points for ever, which branching alone would follow.
#[test]
fn an_unbounded_tube_between_the_integers_is_empty() {
    let mut set = IntegerPolyhedron::universe(Space::new(3, 0));
    for row in [
        [11, 13, 17, -27],
        [-11, -13, -17, 45],
        [7, -9, -41, 10],
        [-7, 9, 41, 4],
    ] {
        set.add_inequality_row(&row).expect("small");
    }
    assert_eq!(set.emptiness(), Emptiness::Empty);
}

#[test]
fn numbers_beyond_64_bits_give_unknown_and_no_panic() {
    let big = i64::MAX;
    let mut set = IntegerPolyhedron::universe(Space::new(3, 0));
    set.add_equality_row(&[big, big - 1, 3, 1]).expect("fits");
    set.add_equality_row(&[big - 2, 5, big - 5, -7])
        .expect("fits");
    set.add_inequality_row(&[big - 12, -big, big - 4, big])
        .expect("fits");
    set.add_inequality_row(&[-big, big - 6, 1, -big])
        .expect("fits");
    assert_eq!(set.emptiness(), Emptiness::Unknown);
    assert!(set.add_inequality_row(&[i64::MIN, 0, 0, 0]).is_err());
    let form = Affine::from_parts(vec![big, big], big);
    assert!(form.plus(&form).is_err());
}

#[test]
fn a_budget_ends_the_work() {
    let mut set = IntegerPolyhedron::universe(Space::new(2, 0));
    for row in [[11, 13, -27], [-11, -13, 45], [7, -9, 10], [-7, 9, 4]] {
        set.add_inequality_row(&row).expect("small");
    }
    assert_eq!(set.emptiness_within(Budget::new(5)), Emptiness::Unknown);
}
