//! The command line's own refusals: exit codes and messages.

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
    let cases: [(&[&str], &str); 5] = [
        (&["rum"], "there is no command 'rum'"),
        (&[], "a command is needed"),
        (&["opt", "--no-such-pass", "x.mlir"], "'--no-such-pass'"),
        (
            &["run", "x.mlir", "--arg=zeroes"],
            "'zeroes' is no argument",
        ),
        (
            &["compile", "x.mlir", "--emit=elf"],
            "--emit cannot be 'elf'",
        ),
    ];
    for (args, message) in cases {
        let (code, said) = refused(args);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(message), "{said}");
    }
}

/// Runs `gridloom` on what lies in a file; what it prints.
fn accepted(args: &[&str]) -> Vec<u8> {
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
