//! Races between the iterations of parallel loops, in each other and in kernels.

use gridloom_interp::{AccessKind, ThreadOrder};

use super::{STORE_0, host, kernel, race_in, races};

/// Text of a parallel loop over `%i` of each dialect, with `body` in it.
fn loops(body: &str) -> Vec<String> {
    let loops = [
        ("affine.parallel (%i) = (0) to (8) {", "}"),
        (
            "scf.parallel (%i) = (%c0) to (%c8) step (%c1) {",
            "scf.reduce }",
        ),
        ("scf.forall (%i) in (8) {", "}"),
    ];
    let text = |(open, close): &(&str, &str)| host(&format!("{open}\n{body}\n{close}"));
    loops.iter().map(text).collect()
}

fn all_race(texts: &[String]) -> bool {
    let found = Vec::from_iter(texts.iter().map(|text| races(text)));
    assert!(found.iter().all(|&f| f == found[0]), "{found:?}");
    found[0]
}

#[test]
fn iterations_of_parallel_loops_race_like_threads() {
    assert!(!all_race(&loops(
        "memref.store %one, %m[%i] : memref<64xi32>"
    )));
    assert!(all_race(&loops(STORE_0)));
    let shifted = "%n = arith.addi %i, %c1 : index
  %v = memref.load %m[%n] : memref<64xi32>
  memref.store %v, %m[%i] : memref<64xi32>";
    assert!(all_race(&loops(shifted)));
    for text in loops(shifted) {
        let (race, shown) = race_in(ThreadOrder::Ascending, &text).unwrap();
        assert_eq!(race.who, "iteration (1)");
        assert_eq!(race.earlier_who, "iteration (0)");
        assert_eq!(race.earlier, AccessKind::Read);
        assert!(
            shown.contains("iteration (1) writes element [1] that iteration (0) reads"),
            "{shown}"
        );
    }
}

#[test]
fn nested_loops_race_on_the_level_that_runs_side_by_side() {
    // Iterations of the outer loop all write the same row, through an inner
    // parallel loop that is right by itself.
    let row = "affine.parallel (%i) = (0) to (4) {
  affine.parallel (%j) = (0) to (8) {
    affine.store %one, %m[%j] : memref<64xi32>
  }
}";
    assert!(races(&host(row)));
    let (race, _) = race_in(ThreadOrder::Ascending, &host(row)).unwrap();
    assert_eq!(race.who, "iteration (1)");
    let sequential = row.replacen(
        "affine.parallel (%i) = (0) to (4)",
        "affine.for %i = 0 to 4",
        1,
    );
    assert!(!races(&host(&sequential)));
    let own = row.replace("%m[%j]", "%m[%i * 8 + %j]");
    assert!(!races(&host(&own)));
    // The next iteration of the outer loop writes the element that the inner loop has read.
    let read = "affine.parallel (%i) = (0) to (4) {
  affine.store %one, %m[%i + 3] : memref<64xi32>
  affine.parallel (%j) = (0) to (1) {
    %v = affine.load %m[%i + 4] : memref<64xi32>
  }
  affine.parallel (%j) = (0) to (2) {
    %v = affine.load %m[%j + 40] : memref<64xi32>
  }
}";
    assert!(races(&host(read)));
    assert!(!races(&host(&read.replace("%i + 4]", "%i + 3]"))));
    // Two inner loops of one iteration come one after the other.
    let phases = "affine.parallel (%i) = (0) to (2) {
  affine.parallel (%j) = (0) to (8) {
    affine.store %one, %m[%i * 8 + %j] : memref<64xi32>
  }
  affine.parallel (%j) = (0) to (8) {
    %v = affine.load %m[%i * 8 - %j + 7] : memref<64xi32>
  }
}";
    assert!(!races(&host(phases)));
}

#[test]
fn parallel_loops_in_kernels_are_levels_of_their_own() {
    let body = |index: &str, barrier: &str| {
        format!(
            "scf.parallel (%k) = (%c0) to (%c4) step (%c1) {{
    %eight = arith.muli %at, %c4 : index
    %own = arith.addi %eight, %k : index
    memref.store %one, %m[{index}] : memref<64xi32>
    {barrier}
    scf.reduce
  }}"
        )
    };
    assert!(!races(&kernel("", &body("%own", ""))));
    assert!(races(&kernel("", &body("%eight", ""))));
    assert!(races(&kernel("", &body("%k", ""))));
    // A thread may wait inside of a parallel loop.
    assert!(!races(&kernel("", &body("%own", "gpu.barrier"))));
}

/// Random programs of one element and few iterations, against a test of every pair of iterations.
#[test]
fn random_loops_race_where_their_accesses_meet() {
    let mut state = 1u64;
    let mut random = |limit: u64| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) % limit
    };
    let mut found = [0, 0];
    for _ in 0..300 {
        // Accesses a·i + b·j + c of an outer parallel and an inner loop.
        let inner_parallel = random(2) == 0;
        let accesses = Vec::from_iter((0..2 + random(2)).map(|_| {
            let write = random(2) == 0;
            (write, [random(4), random(4), random(6)])
        }));
        let mut body = String::new();
        for (number, (write, [a, b, c])) in accesses.iter().enumerate() {
            let at = format!("%m[%i * {a} + %j * {b} + {c}] : memref<64xi32>\n");
            body += &match write {
                true => format!("affine.store %one, {at}"),
                false => format!("%v{number} = affine.load {at}"),
            };
        }
        let inner = match inner_parallel {
            true => "affine.parallel (%j) = (0) to (3)",
            false => "affine.for %j = 0 to 3",
        };
        let text = host(&format!(
            "affine.parallel (%i) = (0) to (4) {{\n{inner} {{\n{body}}}\n}}"
        ));
        let touched = Vec::from_iter((0..12).flat_map(|at| {
            let (i, j) = (at / 3, at % 3);
            accesses
                .iter()
                .map(move |(write, [a, b, c])| (i, j, a * i + b * j + c, *write))
        }));
        let expected = touched.iter().any(|x| {
            touched.iter().any(|y| {
                let apart = x.0 != y.0 || inner_parallel && x.1 != y.1;
                apart && x.2 == y.2 && (x.3 || y.3)
            })
        });
        assert_eq!(races(&text), expected, "{text}");
        found[usize::from(expected)] += 1;
    }
    assert!(found.iter().all(|&n| n > 30), "{found:?}");
}
