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
