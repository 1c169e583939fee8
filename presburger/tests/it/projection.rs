//! Projection against brute force.

use std::collections::HashSet;

use crate::oracle::{Random, definite, grid, random_set, shapes};

#[test]
fn eliminating_a_dim_loses_nothing_and_knows_when_it_gains() {
    let mut random = Random::new(11);
    let (mut exact, mut inexact) = (0, 0);
    for shape in shapes(true).into_iter().filter(|shape| shape.dims >= 2) {
        for _ in 0..12 {
            let (meaning, set) = random_set(&mut random, shape);
            let shadow: HashSet<Vec<i64>> = meaning
                .points()
                .into_iter()
                .map(|point| point[1..].to_vec())
                .collect();
            let mut columns: Vec<usize> = vec![0];
            columns.extend(meaning.outer..set.space().vars());
            let projection = set.eliminate(&columns);
            assert_eq!(projection.set.space().dims(), shape.dims - 1);
            assert_eq!(projection.set.space().locals(), 0);
            for point in grid(meaning.outer - 1, shape.half + 1) {
                let inside = definite(projection.set.contains(&point));
                if shadow.contains(&point) || projection.exact {
                    assert_eq!(inside, shadow.contains(&point), "{point:?} of {set}");
                }
            }
            match projection.exact {
                true => exact += 1,
                false => inexact += 1,
            }
        }
    }
    assert!(exact > 100 && inexact > 10, "{exact} exact, {inexact} not");
}

#[test]
fn projecting_to_locals_is_exact() {
    let mut random = Random::new(12);
    for shape in shapes(true).into_iter().filter(|shape| shape.dims >= 2) {
        let (meaning, set) = random_set(&mut random, shape);
        let shadow: HashSet<Vec<i64>> = meaning
            .points()
            .into_iter()
            .map(|mut point| {
                point.remove(1);
                point
            })
            .collect();
        let projected = set.project_out_dims(1..2);
        for point in grid(meaning.outer - 1, shape.half) {
            assert_eq!(
                definite(projected.contains(&point)),
                shadow.contains(&point),
                "{point:?} of {set}"
            );
        }
    }
}

#[test]
fn simplifying_keeps_every_point() {
    let mut random = Random::new(13);
    for shape in shapes(true) {
        for _ in 0..3 {
            let (meaning, set) = random_set(&mut random, shape);
            let simple = set.simplify();
            let rows = simple.equalities().len() + simple.inequalities().len();
            assert!(rows <= set.equalities().len() + set.inequalities().len());
            for point in grid(meaning.outer, shape.half + 1).into_iter().step_by(2) {
                assert_eq!(
                    definite(simple.contains(&point)),
                    meaning.has(&point),
                    "{point:?} of {set}, simplified {simple}"
                );
            }
        }
    }
}

#[test]
fn the_gist_means_the_same_inside_its_context() {
    let mut random = Random::new(14);
    let mut shorter = 0;
    for shape in shapes(true) {
        let (meaning, set) = random_set(&mut random, shape);
        let (outer_meaning, context) = random_set(&mut random, shape);
        let gist = set.gist(&context);
        let rows = gist.equalities().len() + gist.inequalities().len();
        let simple = set.simplify();
        shorter += usize::from(rows < simple.equalities().len() + simple.inequalities().len());
        for point in outer_meaning.points().into_iter().step_by(2) {
            assert_eq!(
                definite(gist.contains(&point)),
                meaning.has(&point),
                "{point:?}: {gist} is not the gist of {set} in {context}"
            );
        }
    }
    assert!(shorter > 20, "only {shorter} became shorter");
}
