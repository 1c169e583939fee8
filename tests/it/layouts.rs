//! Layout maps: programs that `normalize-memrefs` has rewritten give what the same programs give without any layout.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

const TILES: &str = include_str!("../filetests/opt/normalize-memrefs/tiles.mlir");

fn gridloom(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridloom"));
    let output = command.args(args).output();
    output.expect("the program can be started")
}

/// What a run of a program prints of its arguments.
fn printed(program: &str, name: &str, args: &[&str]) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("layouts");
    fs::create_dir_all(&folder).expect("the folder can be made");
    let file = folder.join(name);
    fs::write(&file, program).expect("the folder can be written to");
    let file = file.display().to_string();
    let output = gridloom(&[&["run", &file, "--device=cpu"], args].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {said}");
    let printed = String::from_utf8_lossy(&output.stdout);
    let lines = printed.lines().filter(|line| line.starts_with("argument"));
    lines.collect::<Vec<_>>().join("\n")
}

fn normalized() -> String {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/filetests/opt/normalize-memrefs/tiles.mlir"
    );
    let output = gridloom(&["opt", "--normalize-memrefs", file]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The program with row-major memrefs.
fn without_layouts() -> String {
    let maps = [
        "#tile",
        "#rows",
        "#diagonals",
        "affine_map<(d0) -> (7 - d0)>",
    ];
    maps.iter().fold(TILES.to_owned(), |text, map| {
        text.replace(&format!(", {map}>"), ">")
    })
}

#[test]
fn elements_are_found_where_the_layout_puts_them() {
    let (with, without) = (normalized(), without_layouts());
    let runs: [&[&str]; 4] = [
        &["--entry=tiled", "--arg=random:1", "--arg=zeros"],
        &[
            "--entry=open",
            "--arg=random:1[10x6]",
            "--arg=zeros[10x6]",
            "--arg=10",
        ],
        &[
            "--entry=open",
            "--arg=random:1[0x6]",
            "--arg=zeros[0x6]",
            "--arg=0",
        ],
        &["--entry=backwards", "--arg=zeros"],
    ];
    for args in runs {
        let expected = printed(&without, "without.mlir", args);
        assert_eq!(printed(&with, "normalized.mlir", args), expected);
    }
}

/// Pairs of elements have one place: the second of each pair is stored last, after the loads of none.
#[test]
fn elements_of_one_place_are_one() {
    let output = printed(
        &normalized(),
        "shared.mlir",
        &["--entry=shared", "--arg=zeros"],
    );
    assert!(output.contains("[1, 1, 3, 3, ..., 7], sum 32"), "{output}");
}
