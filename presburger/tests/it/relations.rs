//! Relations against their pairs, listed one by one.

use std::collections::HashSet;

use gridloom_presburger::{Relation, UnionRelation};

use crate::oracle::{Random, Shape, definite, grid, random_set};

const HALF: i64 = 3;

type Pairs = HashSet<(Vec<i64>, Vec<i64>)>;

/// A random relation within a small box, and the list of its pairs.
fn random_relation(random: &mut Random, domain: usize, range: usize) -> (Pairs, Relation) {
    let shape = Shape {
        dims: domain + range,
        symbols: 0,
        quotients: usize::from(random.one_in(3)),
        constraints: 2,
        size: 3,
        half: HALF,
        boxed: true,
    };
    let (meaning, set) = random_set(random, shape);
    let pairs = meaning
        .points()
        .iter()
        .map(|point| (point[..domain].to_vec(), point[domain..].to_vec()))
        .collect();
    (pairs, Relation::from_pairs(domain, set))
}

fn assert_pairs(relation: &Relation, expected: &Pairs) {
    for x in grid(relation.domain_dims(), HALF) {
        for y in grid(relation.range_dims(), HALF) {
            let inside = definite(relation.contains(&x, &y, &[]));
            let pair = (x.clone(), y);
            assert_eq!(inside, expected.contains(&pair), "{pair:?} in {relation}");
        }
    }
}

#[test]
fn inverse_and_composition_act_pair_by_pair() {
    let mut random = Random::new(51);
    for (first, middle, last) in [(1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2), (1, 0, 1)] {
        for _ in 0..6 {
            let (left_pairs, left) = random_relation(&mut random, first, middle);
            let (right_pairs, right) = random_relation(&mut random, middle, last);
            let turned: Pairs = left_pairs.iter().cloned().map(|(x, y)| (y, x)).collect();
            assert_pairs(&left.inverse(), &turned);
            let mut composed = Pairs::new();
            for (x, y) in &left_pairs {
                for (_, z) in right_pairs.iter().filter(|(other, _)| other == y) {
                    composed.insert((x.clone(), z.clone()));
                }
            }
            assert_pairs(&left.compose(&right), &composed);
        }
    }
}

#[test]
fn domain_range_and_image_are_those_of_the_pairs() {
    let mut random = Random::new(52);
    for _ in 0..20 {
        let (pairs, relation) = random_relation(&mut random, 2, 1);
        let (points, set) = random_relation(&mut random, 2, 0);
        let (domain, range) = (relation.domain(), relation.range());
        let image = relation.apply(set.pairs());
        for x in grid(2, HALF) {
            let expected = pairs.iter().any(|(left, _)| *left == x);
            assert_eq!(definite(domain.contains(&x)), expected, "{relation}");
        }
        for y in grid(1, HALF) {
            let expected = pairs.iter().any(|(_, right)| *right == y);
            assert_eq!(definite(range.contains(&y)), expected, "{relation}");
            let expected = pairs
                .iter()
                .any(|(left, right)| *right == y && points.contains(&(left.clone(), Vec::new())));
            assert_eq!(
                definite(image.contains(&y)),
                expected,
                "{relation} of {set}"
            );
        }
    }
}

#[test]
fn the_order_is_split_by_depth() {
    let depths: Vec<Relation> = (0..2)
        .map(|depth| Relation::lex_before(2, depth, 0))
        .collect();
    for x in grid(2, 2) {
        for y in grid(2, 2) {
            let times = depths
                .iter()
                .filter(|relation| definite(relation.contains(&x, &y, &[])))
                .count();
            assert_eq!(times, usize::from(x < y), "{x:?} before {y:?}");
            let same = Relation::identity(2, 0).contains(&x, &y, &[]);
            assert_eq!(definite(same), x == y);
        }
    }
}

/// A union of two random relations, and its pairs.
fn random_union(random: &mut Random, domain: usize, range: usize) -> (Pairs, UnionRelation) {
    let (mut pairs, first) = random_relation(random, domain, range);
    let (more, second) = random_relation(random, domain, range);
    pairs.extend(more);
    let mut union = UnionRelation::from(first);
    union.add(second);
    (pairs, union)
}

fn assert_union(union: &UnionRelation, expected: &Pairs) {
    for x in grid(union.domain_dims(), HALF) {
        for y in grid(union.range_dims(), HALF) {
            let inside = definite(union.contains(&x, &y, &[]));
            assert_eq!(
                inside,
                expected.contains(&(x.clone(), y.clone())),
                "{x:?} -> {y:?}"
            );
        }
    }
}

#[test]
fn unions_of_relations_act_pair_by_pair() {
    let mut random = Random::new(65);
    for _ in 0..12 {
        let (left_pairs, left) = random_union(&mut random, 1, 1);
        let (right_pairs, right) = random_union(&mut random, 1, 1);
        let both = left_pairs.intersection(&right_pairs).cloned().collect();
        assert_union(&left.intersect(&right), &both);
        let either = left_pairs.union(&right_pairs).cloned().collect();
        assert_union(&left.union(&right).coalesce(), &either);
        let less = left_pairs.difference(&right_pairs).cloned().collect();
        assert_union(&left.subtract(&right).expect("small"), &less);
        let turned = left_pairs
            .iter()
            .map(|(x, y)| (y.clone(), x.clone()))
            .collect();
        assert_union(&left.inverse(), &turned);
        let through = |(x, y): &(Vec<i64>, Vec<i64>)| {
            let next = right_pairs.iter().filter(|(from, _)| from == y);
            next.map(|(_, z)| (x.clone(), z.clone()))
                .collect::<Vec<_>>()
        };
        let composed = left_pairs.iter().flat_map(through).collect();
        assert_union(&left.compose(&right), &composed);
        let ends: HashSet<_> = left_pairs.iter().map(|(_, y)| y.clone()).collect();
        let image = left.apply(&left.domain());
        for y in grid(1, HALF) {
            assert_eq!(definite(image.contains(&y)), ends.contains(&y));
        }
        assert!(definite(left.intersect(&right).is_subset(&left)));
        assert!(definite(
            left.intersect_range(&left.range()).is_equal(&left)
        ));
    }
}
