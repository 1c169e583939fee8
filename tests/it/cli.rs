//! The command line's own refusals: exit codes and messages.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs `gridloom`; its exit code and what it says on standard error.
fn refused(args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_gridloom"))
        .args(args)
        .output()
        .expect("the program can be started");
    assert!(output.stdout.is_empty(), "nothing is printed as a result");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), said)
}

#[test]
fn a_missing_file_is_named() {
    for command in ["opt", "compile", "run"] {
        let (code, said) = refused(&[command, "no/such/file.mlir"]);
        assert_eq!(code, Some(1), "{said}");
        assert!(
            said.contains("'no/such/file.mlir' cannot be read"),
            "{said}"
        );
    }
}

#[test]
fn wrong_usage_is_told_from_wrong_input() {
    let cases: [(&[&str], &str); 10] = [
        (&["rum"], "there is no command 'rum'"),
        (&[], "a command is needed"),
        (&["opt", "--no-such-pass", "x.mlir"], "'--no-such-pass'"),
        (
            &["run", "x.mlir", "--arg=zeroes"],
            "'zeroes' is not an argument",
        ),
        (
            &["compile", "x.mlir", "--emit=elf"],
            "--emit cannot be 'elf'",
        ),
        (&["compile", "x.mlir", "-O3"], "level cannot be '3'"),
        (
            &["run", "x.mlir", "-O1", "--database=d.txt"],
            "only -O2 takes",
        ),
        (
            &["run", "x.mlir", "--offload", "--no-offload"],
            "--offload and --no-offload contradict each other",
        ),
        (
            &["run", "x.mlir", "--thread-order=reverse", "--device=any"],
            "--thread-order runs the program on the interpreter",
        ),
        (
            &["run", "x.mlir", "--sanitize=race", "--device=any"],
            "--sanitize runs the program on the interpreter",
        ),
    ];
    for (args, message) in cases {
        let (code, said) = refused(args);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(message), "{said}");
    }
}

/// Remarks are printed by compile and run where they are asked for, and nowhere else.
#[test]
fn remarks_are_asked_for() {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/prefix_sum.mlir");
    for command in [&["compile"][..], &["run", "--device=cpu", "--offload"]] {
        let said = |flags: &[&str]| {
            let output = Command::new(env!("CARGO_BIN_EXE_gridloom"))
                .args([command, &[program], flags].concat())
                .output()
                .expect("the program can be started");
            assert!(output.status.success());
            String::from_utf8_lossy(&output.stderr).into_owned()
        };
        assert_eq!(said(&[]), "");
        assert!(said(&["--remarks"]).contains("remark: "));
    }
}

/// Runs `gridloom` on what lies in a file; what it prints.
pub fn accepted(args: &[&str]) -> Vec<u8> {
    let output = Command::new(env!("CARGO_BIN_EXE_gridloom"))
        .args(args)
        .output()
        .expect("the program can be started");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    output.stdout
}

/// A function of many, in text and in bytecode, of which only what it needs is
/// read.
#[test]
fn one_function_of_many_runs() {
    let program = "func.func @one(%x: memref<4xi32>) {
  call @add(%x) : (memref<4xi32>) -> ()
  return
}
func.func private @add(%x: memref<4xi32>) {
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xi32>
    %w = arith.addi %v, %v : i32
    affine.store %w, %x[%i] : memref<4xi32>
  }
  return
}
func.func @two(%x: memref<4xi32>) {
  return
}
";
    let text = std::env::temp_dir().join(format!("gridloom-many-{}.mlir", std::process::id()));
    let bytecode = text.with_extension("mlirbc");
    let path = |path: &std::path::Path| {
        path.to_str()
            .expect("the folder's name is UTF-8")
            .to_owned()
    };
    let (text, bytecode) = (path(&text), path(&bytecode));
    std::fs::write(&text, program).expect("the file can be written");
    accepted(&["opt", &text, "--emit-bytecode", "-o", &bytecode]);
    for file in [&text, &bytecode] {
        let run = ["run", file, "--entry=one", "--device=cpu", "--arg=iota"];
        let printed = String::from_utf8(accepted(&run)).expect("what is printed is UTF-8");
        assert!(printed.contains("[0, 2, 4, 6]"), "{printed}");
        let (code, said) = refused(&["run", file, "--entry=three", "--device=cpu"]);
        assert_eq!(code, Some(1));
        assert!(
            said.contains("there is no function '@three' to run"),
            "{said}"
        );
        std::fs::remove_file(file).expect("the file can be removed");
    }
}

#[test]
fn bytecode_is_read_like_text() {
    let text = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/matmul.mlir");
    let bytecode = std::env::temp_dir().join(format!("gridloom-{}.mlirbc", std::process::id()));
    let path = bytecode.to_str().expect("the folder's name is UTF-8");
    accepted(&["opt", text, "--emit-bytecode", "-o", path]);
    assert_eq!(accepted(&["opt", path]), accepted(&["opt", text]));
    assert_eq!(accepted(&["compile", path]), accepted(&["compile", text]));

    let mut bytes = std::fs::read(&bytecode).expect("the file has been written");
    bytes.truncate(20);
    std::fs::write(&bytecode, bytes).expect("the file can be written");
    let (code, said) = refused(&["opt", path]);
    std::fs::remove_file(&bytecode).expect("the file can be removed");
    assert_eq!(code, Some(1));
    assert!(said.starts_with(&format!("{path}: error: ")), "{said}");
    assert!(said.contains(", at offset 0x"), "{said}");
}

pub fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).expect("the folder can be written to");
    path.to_str().expect("the name is UTF-8").to_owned()
}

#[test]
fn values_are_shown_as_their_types_say() {
    let program = "func.func @f(%x: bf16) -> (bf16, f16, i7, i1) {
  %y = arith.addf %x, %x : bf16
  %h = arith.constant 0.1 : f16
  %i = arith.constant -3 : i7
  %t = arith.constant true
  return %y, %h, %i, %t : bf16, f16, i7, i1
}";
    let file = write(&crate::scratch("shown"), "shown.mlir", program);
    let printed = accepted(&["run", &file, "--device=cpu", "--arg=1.5"]);
    let printed = String::from_utf8(printed).expect("what is printed is UTF-8");
    for line in [
        "result 0: bf16 = 3",
        "result 1: f16 = 0.1",
        "result 2: i7 = -3",
        "result 3: i1 = true",
    ] {
        assert!(printed.lines().any(|l| l == line), "{line}\n{printed}");
    }
}

const DOUBLED: &str = "func.func @f(%x: memref<4xi32>) {
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xi32>
    %w = arith.addi %v, %v : i32
    affine.store %w, %x[%i] : memref<4xi32>
  }
  return
}";

const ENDLESS: &str = "func.func @f(%x: memref<4xi32>) {
  affine.for %i = 0 to 1000000000000000 {
    %v = affine.load %x[0] : memref<4xi32>
    %w = arith.muli %v, %v : i32
    affine.store %w, %x[0] : memref<4xi32>
  }
  return
}";

/// The names of what is in a folder.
fn entries(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let names = entries.map(|entry| entry.expect("its entries can be read").file_name());
    let mut names = Vec::from_iter(names.map(|name| name.to_string_lossy().into_owned()));
    names.sort();
    names
}

#[test]
fn outputs_are_there_whole_or_not_at_all() {
    let folder = crate::scratch("outputs");
    let file = write(&folder, "doubled.mlir", DOUBLED);
    let endless = write(&folder, "endless.mlir", ENDLESS);
    let save = format!("--save-arg=0=@{}", folder.join("x.npy").display());
    let (code, said) = refused(&["run", &endless, "--device=cpu", "--time-limit=0.05", &save]);
    assert_eq!(code, Some(4), "{said}");
    assert!(
        said.contains("endless.mlir:2:3: error: stopped here"),
        "{said}"
    );
    assert_eq!(entries(&folder), ["doubled.mlir", "endless.mlir"]);
    accepted(&["run", &file, "--device=cpu", "--arg=iota", &save]);
    assert_eq!(entries(&folder), ["doubled.mlir", "endless.mlir", "x.npy"]);
    // What is read-only is not replaced behind its owner's back.
    let saved = folder.join("x.npy");
    let mut permissions = fs::metadata(&saved).expect("it is there").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&saved, permissions).expect("they can be changed");
    let (code, said) = refused(&["run", &endless, "--device=cpu", &save]);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("cannot be written: it is read-only"),
        "{said}"
    );
}

/// Ctrl-C while a program runs.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_no_half_of_a_file() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    let folder = crate::scratch("interrupt");
    let endless = write(&folder, "endless.mlir", ENDLESS);
    let save = format!("--save-arg=0=@{}", folder.join("x.npy").display());
    let mut child = Command::new(env!("CARGO_BIN_EXE_gridloom"))
        .args([
            "run",
            &endless,
            "--device=cpu",
            "--offload",
            "--remarks",
            &save,
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    // A remark comes right before the run.
    let mut remark = String::new();
    let stderr = child.stderr.take().expect("it is piped");
    BufReader::new(stderr)
        .read_line(&mut remark)
        .expect("it says something");
    assert!(remark.contains("remark"), "{remark}");
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("'kill' is on every Unix").success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!(entries(&folder), ["endless.mlir"]);
}

/// The trace has a bar on the device for each launch, after the host compiled its kernel.
#[test]
fn a_profile_is_a_trace() {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/saxpy.mlir");
    let folder = crate::scratch("profile");
    let trace = folder.join("trace.json");
    let run = |device: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_gridloom"))
            .args(["run", program, "--device", device, "--profile"])
            .arg(&trace)
            .output()
            .expect("the program can be started");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let said = run("cpu");
    assert!(said.contains("--profile measures a device"), "{said}");
    assert!(!trace.exists());
    let said = run("llvmpipe");
    let text = fs::read_to_string(&trace).expect(&said);
    let trace: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let events = trace["traceEvents"].as_array().expect("it has events");
    let of = |row: u64| {
        let bars = events.iter().filter(|event| event["ph"] == "X");
        let bars: Vec<_> = bars.filter(|event| event["tid"] == row).collect();
        bars
    };
    let (host, device) = (of(1), of(2));
    let launches: Vec<_> = (device.iter())
        .filter(|event| event["args"]["workgroups"].is_array())
        .collect();
    assert!(!launches.is_empty(), "{text}");
    for launch in launches {
        let compile = format!(
            "compile {}",
            launch["name"].as_str().expect("it has a name")
        );
        let compiled = host.iter().find(|event| event["name"] == compile[..]);
        let compiled = compiled.unwrap_or_else(|| panic!("no {compile} in {text}"));
        let time = |event: &serde_json::Value, what: &str| event[what].as_f64().expect("a number");
        assert!(time(compiled, "ts") + time(compiled, "dur") <= time(launch, "ts"));
    }
    assert!(host.iter().any(|event| event["name"] == "upload"));
    fs::remove_dir_all(folder).expect("it is ours");
}

/// A temporary that the device writes before anything reads it stays there.
#[test]
fn temporaries_are_not_uploaded() {
    let text = "func.func @main(%x: memref<40x50xi32>, %y: memref<50x40xi64>) {
  %t = memref.alloc() : memref<40x50xi64>
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 50 {
      %v = affine.load %x[%i, %j] : memref<40x50xi32>
      %w = arith.extsi %v : i32 to i64
      affine.store %w, %t[%i, %j] : memref<40x50xi64>
    }
  }
  affine.for %i = 0 to 50 {
    affine.for %j = 0 to 40 {
      %v = affine.load %t[%j, %i] : memref<40x50xi64>
      %w = affine.load %t[39 - %j, %i] : memref<40x50xi64>
      %s = arith.addi %v, %w : i64
      affine.store %s, %y[%i, %j] : memref<50x40xi64>
    }
  }
  memref.dealloc %t : memref<40x50xi64>
  return
}";
    let folder = crate::scratch("temporaries");
    let (program, trace) = (folder.join("program.mlir"), folder.join("trace.json"));
    fs::write(&program, text).expect("the folder is there");
    let output = Command::new(env!("CARGO_BIN_EXE_gridloom"))
        .arg("run")
        .arg(&program)
        .args(["--device", "llvmpipe", "--check", "--profile"])
        .arg(&trace)
        .output()
        .expect("the program can be started");
    let said = String::from_utf8_lossy(&output.stderr);
    let text = fs::read_to_string(&trace).unwrap_or_else(|_| panic!("{said}"));
    let trace: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let events = trace["traceEvents"].as_array().expect("it has events");
    let uploads = events.iter().filter(|event| event["name"] == "upload");
    let bytes: Vec<u64> = uploads
        .filter_map(|event| event["args"]["bytes"].as_u64())
        .collect();
    // What the arguments hold before the run: 2000 elements of 4 and of 8 bytes.
    assert_eq!(bytes, [8_000, 16_000], "{text}");
    fs::remove_dir_all(folder).expect("it is ours");
}

/// `vector.print` writes what MLIR's runner (`mlir-runner` of LLVM 22) writes for the same program.
#[test]
fn vectors_are_printed_as_mlir_prints_them() {
    let text = r#"func.func @main() {
  %matrix = arith.constant dense<[[1, -2], [3, 4]]> : vector<2x2xi32>
  %bits = arith.constant dense<[true, false]> : vector<2xi1>
  %float = arith.constant 2.5 : f32
  %double = arith.constant 1.0e-7 : f64
  %long = arith.constant -7 : i64
  %index = arith.constant 9 : index
  %rank0 = arith.constant dense<5> : vector<i32>
  %half = arith.constant 1.5 : f16
  vector.print %matrix : vector<2x2xi32>
  vector.print %bits : vector<2xi1>
  vector.print %float : f32
  vector.print %double : f64 punctuation <comma>
  vector.print %long : i64 punctuation <open>
  vector.print %index : index punctuation <close>
  vector.print punctuation <newline>
  vector.print str "text 100%\0A"
  vector.print %rank0 : vector<i32>
  vector.print %half : f16
  return
}
"#;
    let folder = crate::scratch("prints");
    let file = write(&folder, "prints.mlir", text);
    let output = accepted(&["run", &file, "--device=cpu"]);
    let printed = String::from_utf8_lossy(&output);
    let expected = "( ( 1, -2 ), ( 3, 4 ) )\n( 1, 0 )\n2.5\n1e-07, -7( 9 )\n\
                    text 100%\n( 5 )\n1.5\n";
    assert!(printed.starts_with(expected), "{printed}");
}

/// An option that a command does not have: the error names the one that was meant, or how to list them.
#[test]
fn options_that_are_not_there_are_told_with_the_nearest() {
    let (code, said) = refused(&["run", "program.mlir", "--entyr=main"]);
    assert_eq!(code, Some(2));
    assert!(
        said.contains("'run' has no option '--entyr'; did you mean '--entry'?"),
        "{said}"
    );
    let (_, said) = refused(&["compile", "program.mlir", "--colour"]);
    let hint = "'compile' has no option '--colour'; 'gridloom compile --help' lists its options";
    assert!(said.contains(hint), "{said}");
    let (code, said) = refused(&["opt", "program.mlir", "--offload", "-O1"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("--offload=opt-level=1"), "{said}");
    let (code, said) = refused(&["explain", "program.mlir", "--json", "--schedule"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("leave one out"), "{said}");
}
