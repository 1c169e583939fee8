//! `--explain` and `gridloom tune` from the command line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const PRODUCT: &str = "\
func.func @product(%a: memref<64x48xf32>, %b: memref<48x80xf32>, %c: memref<64x80xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 80 {
      affine.for %k = 0 to 48 {
        %x = affine.load %a[%i, %k] : memref<64x48xf32>
        %y = affine.load %b[%k, %j] : memref<48x80xf32>
        %z = affine.load %c[%i, %j] : memref<64x80xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<64x80xf32>
      }
    }
  }
  return
}
";

/// An empty folder of one test, with the program in it.
fn folder(name: &str) -> PathBuf {
    let folder = crate::scratch(&format!("tuning-{name}"));
    fs::write(folder.join("product.mlir"), PRODUCT).expect("the program can be written");
    folder
}

/// Runs `gridloom` in a folder; `usual` is the database that it finds by itself.
fn gridloom(folder: &Path, usual: &str, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gridloom"))
        .current_dir(folder)
        .env("GRIDLOOM_DATABASE", usual)
        .args(args)
        .output()
        .expect("the program can be started")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn succeeded(output: Output) -> (String, String) {
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{out}{errors}");
    (out, errors)
}

#[test]
fn a_run_explains_its_kernels() {
    let folder = folder("explained");
    let run = ["run", "product.mlir", "--device=llvmpipe", "--explain"];
    let (out, _) = succeeded(gridloom(&folder, "none", &[&run[..], &["--json"]].concat()));
    let told: Value = serde_json::from_str(&out).expect("one JSON object");
    let [nest] = &told["nests"].as_array().expect("a list")[..] else {
        panic!("{out}");
    };
    assert_eq!(told["schema"], 1);
    assert_eq!(nest["place"]["line"], 2);
    // A product and a sum for each of 64 * 80 * 48 points; A, B and C are read and C is written.
    assert_eq!(nest["estimate"]["flops"], 2 * 64 * 80 * 48);
    assert_eq!(
        nest["estimate"]["bytes"],
        4 * (64 * 48 + 48 * 80 + 2 * 64 * 80)
    );
    assert_eq!(nest["iterations"], 64 * 80);
    assert_eq!(nest["kernel"]["launches"], 1);
    assert_eq!(nest["grid"][0]["dimension"], "y");
    assert_eq!(nest["grid"][1]["dimension"], "x");
    assert_eq!(nest["grid"][1]["place"]["line"], 3);
    assert_eq!(nest["schedule"]["origin"], "model");
    let seconds = nest["measured"]["seconds"]
        .as_f64()
        .expect("lavapipe has a clock");
    let rate = nest["measured"]["flops_per_second"]
        .as_f64()
        .expect("a number");
    assert!((rate * seconds / f64::from(2 * 64 * 80 * 48) - 1.0).abs() < 1e-9);
    let limiter = nest["model"]["limiter"].as_str().expect("a word");
    assert!(["bandwidth", "compute", "launch", "occupancy"].contains(&limiter));
    let shares = nest["model"]["shares"].as_object().expect("an object");
    let sum: f64 = shares.values().filter_map(Value::as_f64).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    assert!(nest["model"]["runner_up"]["cost"].is_number());

    let (out, _) = succeeded(gridloom(&folder, "none", &run));
    for line in [
        "     2 | affine.for %i = 0 to 64 {",
        "|   schedule ",
        "|   measured ",
        "time: ",
    ] {
        assert!(out.contains(line), "{line}: {out}");
    }
    let (out, errors) = succeeded(gridloom(
        &folder,
        "none",
        &["compile", "product.mlir", "--explain"],
    ));
    assert!(out.contains("gpu.launch_func"), "{out}");
    assert!(
        errors.contains("|   limiter ") && !errors.contains("measured"),
        "{errors}"
    );
}

/// Whether accesses are in range is asked of the sizes before either kernel of the loop.
#[test]
fn of_two_kernels_of_a_loop_the_one_that_ran_has_a_time() {
    let folder = folder("versions");
    let program = "\
func.func @scale(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<?xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %y[%i] : memref<?xf32>
  }
  return
}
";
    fs::write(folder.join("scale.mlir"), program).expect("it can be written");
    let run = |more: &[&str]| {
        let run = [
            "run",
            "scale.mlir",
            "--device=llvmpipe",
            "--explain",
            "--no-specialize",
        ];
        let args = ["--arg=random:1[64]", "--arg=zeros[64]", "--arg=64"];
        succeeded(gridloom(
            &folder,
            "none",
            &[&run[..], &args[..], more].concat(),
        ))
        .0
    };
    let told: Value = serde_json::from_str(&run(&["--json"])).expect("one JSON object");
    let nests = told["nests"].as_array().expect("a list");
    let mut launches: Vec<u64> = (nests.iter())
        .filter_map(|nest| nest["kernel"]["launches"].as_u64())
        .collect();
    launches.sort_unstable();
    assert_eq!(launches, [0, 1], "{told}");
    for nest in nests {
        let ran = nest["kernel"]["launches"] == 1;
        assert_eq!(nest["measured"].is_object(), ran, "{told}");
    }
    assert!(run(&[]).contains(", not launched in this run"));
}

#[test]
fn loops_around_a_nest_count_in_its_work() {
    let folder = folder("counted");
    let program = "\
func.func @triangle(%a: memref<40x40xf32>) {
  affine.for %i = 1 to 40 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %x = affine.load %a[%i - 1, %j] : memref<40x40xf32>
      %y = arith.addf %x, %x : f32
      affine.store %y, %a[%i, %j] : memref<40x40xf32>
    }
  }
  return
}
";
    fs::write(folder.join("triangle.mlir"), program).expect("it can be written");
    let run = [
        "run",
        "triangle.mlir",
        "--device=cpu",
        "--explain",
        "--json",
        "--map-for=gpu",
    ];
    let (out, _) = succeeded(gridloom(&folder, "none", &run));
    let told: Value = serde_json::from_str(&out).expect("one JSON object");
    // One sum for each of 1 + 2 + … + 39 points.
    let flops: u64 = (told["nests"].as_array().expect("a list").iter())
        .filter_map(|nest| nest["estimate"]["flops"].as_u64())
        .sum();
    assert_eq!(flops, 39 * 40 / 2, "{out}");
    assert_eq!(told["nests"][0]["measured"], Value::Null);
}

#[test]
fn what_tune_finds_is_used_and_right() {
    let folder = folder("tuned");
    let tune = [
        "tune",
        "product.mlir",
        "--device=llvmpipe",
        "--time-budget=4",
    ];
    let (out, _) = succeeded(gridloom(
        &folder,
        "none",
        &[&tune[..], &["--database=t/db"]].concat(),
    ));
    assert!(out.contains("reference: the interpreter\n"), "{out}");
    assert!(out.contains("nest product.mlir:2: "), "{out}");
    let database = fs::read_to_string(folder.join("t/db")).expect("it was written");
    assert!(database.starts_with("gridloom-tuning 1\n"), "{database}");

    // What is the fastest is the machine's affair: an entry of another tile, of which none of the
    // model's knows.
    let run = [
        "run",
        "product.mlir",
        "--device=llvmpipe",
        "--check",
        "--remarks",
    ];
    let devices = text(&gridloom(&folder, "none", &["devices"]).stdout);
    let entry = entry(
        &folder,
        "order=0,1 tile=2,3 walk=1,1,1 workgroup=4,2,1 lead=0 spread=yes",
    );
    fs::write(folder.join("db"), &entry).expect("it can be written");
    let used = "product.mlir:2:3: remark: this loop nest uses the tuned schedule at db:3";
    for args in [&[&run[..], &["--database=db"]].concat()[..], &run[..]] {
        let (out, errors) = succeeded(gridloom(&folder, "db", args));
        assert!(out.contains("check: equal to the interpreter"), "{out}");
        assert!(errors.contains(used), "{errors}{devices}");
        assert!(out.contains("workgroup 4x2x1"), "{out}");
    }
    let (_, errors) = succeeded(gridloom(&folder, "none", &run));
    assert!(!errors.contains("tuned"), "{errors}");
    // Ahead of time, where it is asked for.
    let compile = ["compile", "product.mlir", "--remarks"];
    let (_, errors) = succeeded(gridloom(&folder, "db", &compile));
    assert!(!errors.contains("tuned"), "{errors}");
    let compile = [&compile[..], &["--tuned-for=llvmpipe"]].concat();
    let (_, errors) = succeeded(gridloom(&folder, "db", &compile));
    assert!(errors.contains(used), "{errors}");
}

/// A database of one entry for the program on lavapipe, its key as `run` tells it.
fn entry(folder: &Path, schedule: &str) -> String {
    use gridloom::codegen::target::tuning::{Choice, Database, Entry};
    use gridloom::{DeviceWish, Program, Session, SessionOptions};
    let ctx = gridloom::context();
    let file = fs::read(folder.join("product.mlir")).expect("the program");
    let module = gridloom::parse(&ctx, "product.mlir", &file).expect("it is a program");
    let wish = DeviceWish::Named("llvmpipe".to_owned());
    let session = Session::open(&wish, SessionOptions::default()).expect("lavapipe");
    let program = Program::compile(&ctx, module, None, None).expect("it compiles");
    let spaces = program
        .spaces(&session.offload_options())
        .expect("it is mapped");
    let choice = Choice {
        order: vec![1, 0],
        ..spaces[0].current.clone()
    };
    let found = Entry {
        choice,
        time: 1,
        untuned: 1,
        line: 0,
    };
    let device = session.device().expect("a device").info().to_string();
    let mut database = Database::default();
    let entries = database.devices.entry(device).or_default();
    entries.insert(spaces[0].key.clone(), found);
    let text = database.to_string().replacen("\n\n", "\n", 1);
    let (before, _) = text.split_once(" order=").expect("an entry");
    format!("{before} {schedule} stage=no time=1ns untuned=1ns\n")
}

#[test]
fn a_stale_entry_is_told_and_a_broken_file_refused() {
    let folder = folder("stale");
    let run = [
        "run",
        "product.mlir",
        "--device=llvmpipe",
        "--remarks",
        "--database=db",
    ];
    let stale = entry(
        &folder,
        "order=0,1 tile=16,16 walk=1,1,1 workgroup=4,2,1 lead=0 spread=no",
    );
    fs::write(folder.join("db"), stale).expect("it can be written");
    let (_, errors) = succeeded(gridloom(&folder, "none", &run));
    let said = "product.mlir:2:3: remark: the tuned schedule at db:3 does not fit this loop nest";
    assert!(errors.contains(said), "{errors}");

    fs::write(folder.join("db"), "gridloom-tuning 1\ndevices\n").expect("it can be written");
    let tune = ["tune", "product.mlir", "--device=llvmpipe", "--database=db"];
    for args in [&run[..], &tune] {
        let output = gridloom(&folder, "none", args);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert_eq!(
            said,
            "db:2:1: error: a line begins with 'device' or 'nest', not with 'devices'\n"
        );
    }
    // Found by itself, it stops nobody.
    let (_, errors) = succeeded(gridloom(&folder, "db", &run[..3]));
    let said = "db:2:1: warning: a line begins with 'device' or 'nest', not with 'devices'; the tuning database is not";
    assert!(errors.contains(said), "{errors}");
    let other = [
        "run",
        "product.mlir",
        "--device=llvmpipe",
        "--database=nowhere",
    ];
    let output = gridloom(&folder, "none", &other);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("'nowhere' cannot be read"));
    // What it cannot measure.
    let output = gridloom(&folder, "x", &["tune", "product.mlir", "--device=cpu"]);
    assert_eq!(output.status.code(), Some(2));
}
