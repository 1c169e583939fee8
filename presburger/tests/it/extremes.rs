//! Extreme points and enumeration against brute force.

use gridloom_presburger::{Affine, Extreme, IntegerPolyhedron, Space};

use crate::oracle::{Random, random_set, shapes};

#[test]
fn extremes_are_the_first_and_last_points() {
    let mut random = Random::new(31);
    let mut found = 0;
    for shape in shapes(true) {
        for _ in 0..6 {
            let (meaning, set) = random_set(&mut random, shape);
            let mut points = meaning.points();
            for point in &mut points {
                point.truncate(shape.dims);
            }
            points.sort();
            let expected = |point: Option<&Vec<i64>>| match point {
                Some(point) => Extreme::Point(point.clone()),
                None => Extreme::Empty,
            };
            assert_eq!(set.lexmin(), expected(points.first()), "{set}");
            assert_eq!(set.lexmax(), expected(points.last()), "{set}");
            found += usize::from(!points.is_empty());
        }
    }
    assert!(found > 50, "only {found} sets had points");
}

#[test]
fn a_set_without_dims_has_the_empty_point_or_none() {
    let mut set = IntegerPolyhedron::universe(Space::new(0, 1));
    assert_eq!(set.lexmin(), Extreme::Point(Vec::new()));
    set.add_equality(&Affine::from_parts(vec![2], 1))
        .expect("small");
    assert_eq!(set.lexmin(), Extreme::Empty);
}

#[test]
fn enumeration_lists_every_point_in_order() {
    let mut random = Random::new(32);
    for shape in shapes(true)
        .into_iter()
        .filter(|shape| shape.constraints >= 3)
    {
        let (meaning, set) = random_set(&mut random, shape);
        let expected = meaning.points();
        if expected.len() < 200 {
            assert_eq!(set.points(200), Some(expected), "{set}");
        }
    }
}

#[test]
fn endless_sets_are_not_enumerated() {
    let mut set = IntegerPolyhedron::universe(Space::new(1, 0));
    set.add_inequality(&Affine::var(0)).expect("small");
    assert_eq!(set.points(1000), None);
}
