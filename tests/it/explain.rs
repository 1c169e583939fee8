//! `gridloom explain`: the witnesses it shows, held against the subscripts of the program worked
//! out by hand.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

const FILE: &str = "tests/filetests/explain/verdicts.mlir";

type Counters = BTreeMap<String, i64>;

/// What the program says of the access in a line: the element it touches, given counters and
/// parameters, if it is in range.
fn element(line: u64, c: &Counters) -> Option<Vec<i64>> {
    let at = |name: &str| c[name];
    let within = |name: &str, low: i64, high: i64| low <= at(name) && at(name) < high;
    let in_dim = |k: i64| 0 <= k && k < c.get("dim(%arg0, 0)").copied().unwrap_or(i64::MAX);
    let (is_run, element) = match line {
        7 | 10 => {
            let [i, j] = match line {
                7 => [at("%i") - 1, at("%j") + 1],
                _ => [at("%i"), at("%j")],
            };
            (within("%i", 1, 64) && within("%j", 0, 63), vec![i, j])
        }
        52 => (
            within("%i", 0, 60) && in_dim(at("%i") + 3),
            vec![at("%i") + 3],
        ),
        53 => (within("%i", 0, 60) && in_dim(at("%i")), vec![at("%i")]),
        59 => {
            let k = at("%i") * 2 + at("%j");
            (within("%i", 0, 8) && within("%j", 0, 8) && k < 64, vec![k])
        }
        64 => (within("%i", 0, 60) && in_dim(at("%i")), vec![at("%i")]),
        65 => {
            let k = at("%i") + at("%n");
            (within("%i", 0, 60) && in_dim(k), vec![k])
        }
        68 => (
            within("%i", 5, at("%n")) && in_dim(at("%i") - 5),
            vec![at("%i") - 5],
        ),
        69 => (
            within("%i", 5, at("%n")) && in_dim(at("%i")),
            vec![at("%i")],
        ),
        79 | 80 => (within("%i", 0, 64), vec![]),
        _ => panic!("no line {line} was expected"),
    };
    is_run.then_some(element)
}

fn values(list: &Value) -> Counters {
    let list = list.as_array().expect("a list").iter();
    let entry = |v: &Value| {
        let name = v["name"].as_str().expect("a name").to_owned();
        (name, v["value"].as_i64().expect("a number"))
    };
    list.map(entry).collect()
}

fn explained() -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_gridloom"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["explain", "--json", FILE])
        .output()
        .expect("the program can be started");
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).expect("the output is JSON")
}

/// Both iterations of every witness run, touch the element it names, and come in order at a
/// distance that the vector allows.
#[test]
fn witnesses_are_iterations_that_meet() {
    let report = explained();
    let mut seen = Vec::new();
    for found in report["loops"].as_array().expect("a list") {
        for tie in found["dependences"].as_array().expect("a list") {
            let witness = &tie["witness"];
            if witness.is_null() {
                continue;
            }
            let parameters = values(&witness["parameters"]);
            let [source, sink] = ["source", "sink"].map(|end| {
                let line = tie[end]["line"].as_u64().expect("a line");
                let mut counters = values(&witness[end]);
                counters.extend(parameters.clone());
                seen.push(line);
                let named: Vec<i64> =
                    serde_json::from_value(witness["element"].clone()).expect("numbers");
                assert_eq!(element(line, &counters), Some(named), "line {line}: {tie}");
                counters
            });
            let vector = tie["distance"].as_array().expect("a list");
            let loops = &vector[0]["counter"].as_str().expect("a name");
            assert!(sink[*loops] > source[*loops], "{tie}");
            for entry in vector {
                let counter = entry["counter"].as_str().expect("a name");
                let distance = sink[counter] - source[counter];
                let least = entry["least"].as_i64().unwrap_or(i64::MIN);
                let most = entry["most"].as_i64().unwrap_or(i64::MAX);
                assert!((least..=most).contains(&distance), "{tie}");
            }
        }
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, [7, 10, 52, 53, 59, 64, 65, 68, 69, 79, 80]);
}

/// The form that docs/explain.md promises, where the text form says nothing of it.
#[test]
fn the_json_form_has_a_schema_and_places() {
    let report = explained();
    assert_eq!(report["schema"], 1);
    let first = &report["loops"][0];
    assert_eq!(first["function"], "skewed");
    assert_eq!(first["operation"], "affine.for");
    assert_eq!(first["verdict"], "sequential");
    assert_eq!(first["only_through"], "%arg0");
    assert_eq!(first["place"]["line"], 5);
    let sum = &report["loops"][2];
    assert_eq!(sum["verdict"], "reduction");
    assert_eq!(sum["reduction"]["through"], "memory");
    assert_eq!(sum["reduction"]["operators"][0], "arith.addf");
    let loops = report["loops"].as_array().expect("a list");
    let scaled = loops.iter().find(|found| found["place"]["line"] == 99);
    assert_eq!(scaled.expect("a parallel loop")["grid"][0], "x");
}
