//! Coefficients up to the limits of 64 bits: every answer right or unknown, no panic.

use gridloom_presburger::{
    Affine, Answer, Budget, Emptiness, Extreme, IntegerPolyhedron, Set, Space, ValueRange, VarKind,
};

use crate::oracle::Random;

/// Mostly small numbers, some huge, some just at the limits.
fn number(random: &mut Random) -> i64 {
    match random.between(0, 9) {
        0..=3 => 0,
        4..=6 => random.between(-4, 4),
        7 => random.between(-(1 << 40), 1 << 40),
        8 => random.between(-(1 << 61), 1 << 61),
        _ => [i64::MAX, i64::MIN, i64::MIN + 1, i64::MAX - 1][random.between(0, 3) as usize],
    }
}

fn form(random: &mut Random, columns: usize) -> Affine {
    Affine::from_parts(
        (0..columns).map(|_| number(random)).collect(),
        number(random),
    )
}

/// A random set with every constraint that does not overflow.
fn random_set(random: &mut Random) -> IntegerPolyhedron {
    let mut set = IntegerPolyhedron::universe(Space::new(2, 1));
    for _ in 0..random.between(0, 2) {
        let numerator = form(random, set.space().vars());
        // An overflow adds no local; the set without it is as good a test.
        let _ = set.floordiv(&numerator, number(random).max(1));
    }
    for _ in 0..random.between(1, 6) {
        let form = form(random, set.space().vars());
        let _ = match random.one_in(4) {
            true => set.add_equality(&form),
            false => set.add_inequality(&form),
        };
    }
    set
}

/// Whether a point with a value for every column satisfies all constraints. The sums of
/// a few products of 64-bit numbers may leave 128 bits only in theory: the test would
/// panic, not pass.
fn satisfies(set: &IntegerPolyhedron, point: &[i64]) -> bool {
    let value = |row: &[i64]| -> i128 {
        let point = point.iter().map(|&x| i128::from(x)).chain([1]);
        row.iter().zip(point).map(|(&c, x)| i128::from(c) * x).sum()
    };
    set.equalities().all(|row| value(row) == 0) && set.inequalities().all(|row| value(row) >= 0)
}

#[test]
fn no_operation_panics_and_no_answer_is_wrong() {
    let mut random = Random::new(71);
    let (mut known, mut unknown) = (0, 0);
    for _ in 0..600 {
        let set = random_set(&mut random);
        let other = random_set(&mut random);
        let emptiness = set.emptiness_within(Budget::new(20_000));
        let point = match &emptiness {
            Emptiness::NonEmpty(point) => {
                assert!(satisfies(&set, point), "{point:?} in {set}");
                Some(point.clone())
            }
            _ => None,
        };
        match emptiness {
            Emptiness::Unknown => unknown += 1,
            _ => known += 1,
        }
        check_against_point(&set, point.as_deref(), &mut random);
        let union = Set::from(set.clone()).union(&other.clone().into());
        let _ = union
            .subtract(&set.clone().into())
            .map(|rest| rest.simplify());
        let _ = union.to_string();
        let _ = set.gist(&other);
        let _ = set.points(20);
    }
    assert!(known > 150 && unknown > 40, "{known} known, {unknown} not");
}

/// Everything derived from a set that has a point must have room for that point.
fn check_against_point(set: &IntegerPolyhedron, point: Option<&[i64]>, random: &mut Random) {
    let space = set.space();
    let outer = space.dims() + space.symbols();
    let form = form(random, outer);
    let range = set.range_of(&form);
    let shadow = set.eliminate_locals().set;
    let simple = set.simplify();
    let first = set.lexmin();
    let scan = set.scan();
    assert_eq!(scan.guard.space().count(VarKind::Symbol), space.symbols());
    let Some(point) = point else {
        return;
    };
    let (inside, outside) = (&point[..outer], Answer::No);
    assert_ne!(set.contains(inside), outside, "{inside:?} in {set}");
    assert_ne!(shadow.contains(inside), outside, "{inside:?} in {shadow}");
    assert_ne!(simple.contains(inside), outside, "{inside:?} in {simple}");
    assert_ne!(first, Extreme::Empty, "{set}");
    assert_ne!(range, ValueRange::Empty, "{set}");
    if let Ok(value) = form.value_at(point) {
        assert!(range.lower().is_none_or(|lower| lower <= value), "{set}");
        assert!(range.upper().is_none_or(|upper| upper >= value), "{set}");
    }
}
