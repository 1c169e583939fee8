//! Extreme points and enumeration against brute force.

use gridloom_presburger::{Affine, Cardinality, Extreme, IntegerPolyhedron, LexPiece, Space};

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

#[test]
fn pieces_give_the_first_and_last_point_for_each_symbol() {
    let mut random = Random::new(33);
    let (mut answered, mut refused, mut split) = (0, 0, 0);
    for shape in shapes(true).into_iter().filter(|shape| shape.symbols == 1) {
        for _ in 0..2 {
            let (meaning, set) = random_set(&mut random, shape);
            let points = meaning.points();
            for (pieces, last) in [(set.lexmin_pieces(), false), (set.lexmax_pieces(), true)] {
                let Some(pieces) = pieces else {
                    refused += 1;
                    continue;
                };
                answered += 1;
                split += usize::from(pieces.len() > 1);
                for symbol in -shape.half - 1..=shape.half + 1 {
                    let here = points.iter().filter(|point| point[shape.dims] == symbol);
                    let values = here.map(|point| point[..shape.dims].to_vec());
                    let expected = if last { values.max() } else { values.min() };
                    let found: Vec<Vec<i64>> = pieces
                        .iter()
                        .filter_map(|piece| values_at(piece, symbol))
                        .collect();
                    assert_eq!(found.is_empty(), expected.is_none(), "{set} at {symbol}");
                    for values in found {
                        assert_eq!(Some(values), expected, "{set} at {symbol}");
                    }
                }
            }
        }
    }
    assert!(
        answered > 10 * refused && split > 5,
        "{answered} answered, {split} of them in pieces, {refused} refused"
    );
}

/// The least multiple of 3 from `s0` on that is 1 modulo 4 lies up to 11 above `s0`.
#[test]
fn minima_above_all_bounds_are_found() {
    let mut set = IntegerPolyhedron::universe(Space::new(1, 1));
    set.add_inequality_row(&[1, -1, 0]).expect("small");
    for (divisor, rest) in [(3, 0), (4, 1)] {
        let remainder = set.modulo(&Affine::var(0), divisor).expect("small");
        set.add_eq(&remainder, &Affine::constant(rest))
            .expect("small");
    }
    let pieces = set.lexmin_pieces().expect("twelve gaps at most");
    for symbol in -15..15 {
        let expected = (symbol..).find(|d: &i64| d.rem_euclid(12) == 9);
        let found: Vec<_> = pieces
            .iter()
            .filter_map(|piece| values_at(piece, symbol))
            .collect();
        assert!(!found.is_empty(), "at {symbol}");
        for values in found {
            assert_eq!(Some(values[0]), expected, "at {symbol}");
        }
    }
}

#[test]
fn points_are_counted() {
    let mut random = Random::new(34);
    for shape in shapes(true) {
        let (meaning, set) = random_set(&mut random, shape);
        let count = meaning.points().len() as u128;
        assert_eq!(set.cardinality(), Cardinality::Finite(count), "{set}");
    }
}

#[test]
fn large_and_endless_sets_are_counted() {
    let mut set = IntegerPolyhedron::universe(Space::new(3, 0));
    for column in 0..3 {
        let (low, high) = (Affine::constant(0), Affine::constant(1_000_000_000));
        let form = Affine::var(column);
        set.add_half_open(&low, &form, &high).expect("small");
    }
    // d0 = 2*d1
    set.add_equality_row(&[1, -2, 0, 0]).expect("small");
    let count = 500_000_000_u128 * 1_000_000_000;
    assert_eq!(set.cardinality(), Cardinality::Finite(count));
    let mut line = IntegerPolyhedron::universe(Space::new(1, 0));
    assert_eq!(line.cardinality(), Cardinality::Infinite);
    line.add_inequality_row(&[-1, 0]).expect("small");
    assert_eq!(line.cardinality(), Cardinality::Infinite);
    line.add_inequality_row(&[1, -1]).expect("small");
    assert_eq!(line.cardinality(), Cardinality::Finite(0));
}

#[test]
fn bounding_boxes_hold_the_points_and_no_more() {
    let mut random = Random::new(35);
    for shape in shapes(true) {
        let (meaning, set) = random_set(&mut random, shape);
        let points = meaning.points();
        let Some(sides) = set.bounding_box() else {
            assert!(points.is_empty(), "{set}");
            continue;
        };
        for (column, side) in sides.iter().enumerate() {
            let values = || points.iter().map(|point| point[column]);
            assert_eq!(side.exact_ends(), (values().min(), values().max()), "{set}");
        }
        for dim in 0..shape.dims {
            let bounds = set.dim_bounds(dim);
            for point in &points {
                let outer = &point[shape.dims..];
                let value = |form: &Affine| form.value_at(outer).expect("small");
                for lower in &bounds.lowers {
                    assert!(
                        point[dim] * lower.divisor >= value(&lower.numerator),
                        "{set}"
                    );
                }
                for upper in &bounds.uppers {
                    assert!(
                        point[dim] * upper.divisor <= value(&upper.numerator),
                        "{set}"
                    );
                }
            }
        }
    }
}

/// The values of a piece for a symbol; `None` outside of its domain.
fn values_at(piece: &LexPiece, symbol: i64) -> Option<Vec<i64>> {
    let mut slice = piece.domain.clone();
    slice.fix(slice.space().symbol(0), symbol).expect("small");
    let point = slice.sample()?;
    let values = piece.values.iter().map(|value| value.value_at(&point));
    Some(values.collect::<Result<_, _>>().expect("small"))
}
