//! Extreme points and enumeration against brute force.

use gridloom_presburger::{Affine, Extreme, IntegerPolyhedron, LexPiece, Space};

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
fn pieces_give_the_first_point_for_each_symbol() {
    let mut random = Random::new(33);
    let (mut answered, mut refused, mut split) = (0, 0, 0);
    for shape in shapes(true).into_iter().filter(|shape| shape.symbols == 1) {
        for _ in 0..2 {
            let (meaning, set) = random_set(&mut random, shape);
            let Some(pieces) = set.lexmin_pieces() else {
                refused += 1;
                continue;
            };
            answered += 1;
            split += usize::from(pieces.len() > 1);
            let points = meaning.points();
            for symbol in -shape.half - 1..=shape.half + 1 {
                let expected = points
                    .iter()
                    .filter(|point| point[shape.dims] == symbol)
                    .map(|point| point[..shape.dims].to_vec())
                    .min();
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
    assert!(
        answered > 2 * refused && split > 5,
        "{answered} answered, {split} of them in pieces, {refused} refused"
    );
}

/// The values of a piece for a symbol, if that is in its domain.
fn values_at(piece: &LexPiece, symbol: i64) -> Option<Vec<i64>> {
    let mut slice = piece.domain.clone();
    slice.fix(slice.space().symbol(0), symbol).expect("small");
    let point = slice.sample()?;
    let values = piece.values.iter().map(|value| value.value_at(&point));
    Some(values.collect::<Result<_, _>>().expect("small"))
}
