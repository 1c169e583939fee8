//! Unions, differences and comparisons against brute force.

use gridloom_presburger::{Answer, Cardinality, Set};

use crate::oracle::{Meaning, Random, Shape, definite, grid, random_set, shapes};

/// A union of one or two random sets, and their meanings.
fn random_union(random: &mut Random, shape: Shape) -> (Vec<Meaning>, Set) {
    let (meaning, set) = random_set(random, shape);
    let (mut meanings, mut union) = (vec![meaning], Set::from(set));
    if random.one_in(2) {
        let (meaning, set) = random_set(random, shape);
        meanings.push(meaning);
        union.add(set);
    }
    (meanings, union)
}

fn has(meanings: &[Meaning], point: &[i64]) -> bool {
    meanings.iter().any(|meaning| meaning.has(point))
}

fn small_shapes() -> impl Iterator<Item = Shape> {
    shapes(true)
        .into_iter()
        .filter(|shape| shape.constraints <= 3 && shape.dims + shape.symbols <= 2)
}

#[test]
fn operations_act_point_by_point() {
    let mut random = Random::new(41);
    for shape in small_shapes() {
        let (left_meaning, left) = random_union(&mut random, shape);
        let (right_meaning, right) = random_union(&mut random, shape);
        let union = left.union(&right).simplify();
        let both = left.intersect(&right);
        let rest = left.subtract(&right).expect("locals are divisions");
        let outside = left.complement().expect("locals are divisions");
        for point in grid(shape.dims + shape.symbols, shape.half + 1) {
            let (l, r) = (has(&left_meaning, &point), has(&right_meaning, &point));
            assert_eq!(
                definite(union.contains(&point)),
                l || r,
                "{left} or {right}"
            );
            assert_eq!(
                definite(both.contains(&point)),
                l && r,
                "{left} and {right}"
            );
            assert_eq!(
                definite(rest.contains(&point)),
                l && !r,
                "{left} less {right}"
            );
            assert_eq!(definite(outside.contains(&point)), !l, "not {left}");
        }
    }
}

#[test]
fn subsets_are_recognised() {
    let mut random = Random::new(42);
    let (mut yes, mut no) = (0, 0);
    for shape in small_shapes() {
        for _ in 0..4 {
            let (left_meaning, left) = random_union(&mut random, shape);
            let (right_meaning, right) = random_union(&mut random, shape);
            let points = grid(shape.dims + shape.symbols, shape.half);
            let subset = points
                .iter()
                .all(|point| !has(&left_meaning, point) || has(&right_meaning, point));
            assert_eq!(
                definite(left.is_subset(&right)),
                subset,
                "{left} in {right}"
            );
            let both = left.intersect(&right);
            assert_eq!(both.is_subset(&left), Answer::Yes);
            match subset {
                true => yes += 1,
                false => no += 1,
            }
        }
    }
    assert!(yes > 20 && no > 20, "{yes} subsets, {no} not");
}

#[test]
fn equality_sees_through_different_descriptions() {
    let mut random = Random::new(43);
    for shape in small_shapes() {
        let (_, left) = random_union(&mut random, shape);
        let (_, right) = random_union(&mut random, shape);
        let rest = left.subtract(&right).expect("locals are divisions");
        let again = rest.union(&left.intersect(&right));
        assert_eq!(again.is_equal(&left), Answer::Yes, "{left}, {right}");
        assert_eq!(
            again.simplify().is_equal(&left),
            Answer::Yes,
            "{left}, {right}"
        );
    }
}

/// `∃e: d0 = 2e + 3f` with two free locals says nothing, but `d0 = 4e` does.
#[test]
fn locals_that_come_from_projection_can_be_complemented_when_determined() {
    use gridloom_presburger::{IntegerPolyhedron, Space};
    let mut pairs = IntegerPolyhedron::universe(Space::new(2, 0));
    pairs.add_equality_row(&[1, -4, 0]).expect("small");
    let multiples = Set::from(pairs.project_out_dims(1..2));
    let others = multiples.complement().expect("the local is d0 / 4");
    for value in -9..9 {
        assert_eq!(definite(others.contains(&[value])), value % 4 != 0);
    }

    let mut triples = IntegerPolyhedron::universe(Space::new(3, 0));
    triples.add_equality_row(&[1, -2, -3, 0]).expect("small");
    let all = Set::from(triples.project_out_dims(1..3));
    assert_eq!(all.is_equal(&Set::universe(Space::new(1, 0))), Answer::Yes);
}

/// Sets whose locals a projection left: `∃y: C(x, y)`, with `y` bounded by the rows or free.
#[test]
fn projections_are_complemented_point_by_point() {
    let mut random = Random::new(44);
    let (mut answered, mut split) = (0, 0);
    let projected = |shape: &Shape| shape.dims > 1 && shape.quotients < 2;
    let all = shapes(true).into_iter().filter(projected);
    for shape in all.flat_map(|shape| [shape; 12]) {
        let (meaning, set) = random_set(&mut random, shape);
        let kept = shape.dims - 1;
        let shadow = set.project_out_dims(kept..shape.dims);
        let form = shadow.division_form().expect("small");
        split += usize::from(form.disjuncts().len() > 1);
        let Some(outside) = Set::from(shadow).complement() else {
            continue;
        };
        answered += 1;
        let points = meaning.points();
        for point in grid(kept + shape.symbols, shape.half + 1) {
            let inside = points.iter().any(|whole| {
                whole[..kept] == point[..kept] && whole[shape.dims..] == point[kept..]
            });
            assert_eq!(definite(form.contains(&point)), inside, "{set}");
            assert_eq!(definite(outside.contains(&point)), !inside, "{set}");
        }
    }
    assert!(answered > 20 && split > 3, "{answered}, {split} in pieces");
}

/// `∃e: 5e <= d0 <= 7e` is neither a division nor eliminated by its real shadow.
#[test]
fn gaps_of_a_projection_are_known() {
    use gridloom_presburger::{IntegerPolyhedron, Space};
    let mut pairs = IntegerPolyhedron::universe(Space::new(2, 0));
    pairs.add_inequality_row(&[1, -5, 0]).expect("small");
    pairs.add_inequality_row(&[-1, 7, 0]).expect("small");
    let gaps = Set::from(pairs.project_out_dims(1..2));
    let outside = gaps.complement().expect("one local");
    for value in -20..40 {
        let inside = (-20..40).any(|e| 5 * e <= value && value <= 7 * e);
        assert_eq!(definite(gaps.contains(&[value])), inside, "{value}");
        assert_eq!(definite(outside.contains(&[value])), !inside, "{value}");
    }
    assert_eq!(Set::universe(Space::new(1, 0)).is_subset(&gaps), Answer::No);
}

#[test]
fn coalescing_keeps_the_points_and_joins_what_was_cut() {
    let mut random = Random::new(45);
    let mut joined = 0;
    for shape in small_shapes().flat_map(|shape| [shape; 4]) {
        let (left_meaning, left) = random_union(&mut random, shape);
        let (right_meaning, right) = random_union(&mut random, shape);
        let rest = left.subtract(&right).expect("locals are divisions");
        let again = rest.union(&left.intersect(&right)).simplify();
        let short = again.coalesce();
        joined += again.disjuncts().len() - short.disjuncts().len();
        let union = left.union(&right).coalesce();
        for point in grid(shape.dims + shape.symbols, shape.half + 1) {
            let (l, r) = (has(&left_meaning, &point), has(&right_meaning, &point));
            assert_eq!(definite(short.contains(&point)), l, "{left}, {right}");
            assert_eq!(definite(union.contains(&point)), l || r, "{left}, {right}");
        }
    }
    assert!(joined > 20, "{joined} disjuncts less");
}

#[test]
fn disjuncts_that_touch_become_one() {
    use gridloom_presburger::{Affine, IntegerPolyhedron, Space};
    // Even numbers of 0..4 and of 4..9.
    let evens = |low: i64, high: i64| {
        let mut set = IntegerPolyhedron::universe(Space::new(1, 0));
        let (low, high) = (Affine::constant(low), Affine::constant(high));
        set.add_half_open(&low, &Affine::var(0), &high)
            .expect("small");
        let rest = set.modulo(&Affine::var(0), 2).expect("small");
        set.add_equality(&rest).expect("small");
        set
    };
    let mut set = Set::from(evens(0, 4));
    set.add(evens(4, 9));
    let one = set.coalesce();
    assert_eq!(one.disjuncts().len(), 1, "{one}");
    for value in -2..12 {
        let inside = value % 2 == 0 && (0..9).contains(&value);
        assert_eq!(definite(one.contains(&[value])), inside);
    }
    // With 4 missing between them they stay two.
    let mut apart = Set::from(evens(0, 4));
    apart.add(evens(6, 9));
    assert_eq!(apart.coalesce().disjuncts().len(), 2);
}

#[test]
fn disjoint_pieces_have_every_point_once() {
    let mut random = Random::new(46);
    for shape in small_shapes() {
        let (meanings, set) = random_union(&mut random, shape);
        let pieces = set.disjoint().expect("locals are divisions");
        let mut points = 0;
        for point in grid(shape.dims + shape.symbols, shape.half) {
            let times = pieces.disjuncts().iter();
            let times = times
                .filter(|piece| definite(piece.contains(&point)))
                .count();
            assert_eq!(times, usize::from(has(&meanings, &point)), "{set}");
            points += times;
        }
        assert_eq!(
            set.cardinality(),
            Cardinality::Finite(points as u128),
            "{set}"
        );
    }
}

#[test]
fn sets_read_well() {
    use gridloom_presburger::{Affine, IntegerPolyhedron, Relation, Space};
    let mut set = IntegerPolyhedron::universe(Space::new(2, 1));
    assert_eq!(set.to_string(), "(d0, d1)[s0] : ()");
    set.add_inequality_row(&[1, -2, 0, 0]).expect("small");
    set.add_equality_row(&[-1, 0, 1, -3]).expect("small");
    let quotient = set.floordiv(&Affine::var(1), 4).expect("small");
    assert_eq!(
        set.to_string(),
        "(d0, d1)[s0] : exists e0 : (-d0 + s0 - 3 = 0, d0 - 2*d1 >= 0, \
         d1 - 4*e0 >= 0, -d1 + 4*e0 + 3 >= 0)"
    );
    assert_eq!(quotient.display_in(set.space()).to_string(), "e0");
    assert_eq!(Set::empty(set.space()).to_string(), "(d0, d1)[s0] : none");
    let before = Relation::lex_before(1, 0, 0);
    assert_eq!(before.to_string(), "(d0) -> (d1) : (-d0 + d1 - 1 >= 0)");
}
