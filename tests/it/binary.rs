//! `gpu.binary` objects that are damaged, or do not fit their program: refused before a device sees them.

use std::process::{Command, Stdio};

use gridloom_test_tools::feed;

const DOUBLE: &str = "
func.func @double(%x: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %x[%i] : memref<8xf32>
  }
  return
}
";

fn gridloom(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridloom"));
    command
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let output = feed(&mut command, input.as_bytes()).expect("the binary starts");
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

fn compiled() -> String {
    let (code, text, said) = gridloom(&["compile", "-"], DOUBLE);
    assert_eq!((code, &said[..]), (Some(0), ""));
    text
}

/// The error of a run of `text`, at the line of the `gpu.binary`.
fn refusal(text: &str) -> String {
    let (code, _, said) = gridloom(&["run", "-", "--device=cpu"], text);
    assert_eq!(code, Some(1), "{said}\nof:\n{text}");
    let line = text.lines().position(|line| line.contains("gpu.binary"));
    let line = line.expect("the program has a binary") + 1;
    assert!(said.starts_with(&format!("<stdin>:{line}:")), "{said}");
    said
}

/// The bytes of a string attribute as MLIR spells them, between which a byte can be changed.
fn spelled(literal: &str) -> Vec<String> {
    let mut bytes = Vec::new();
    let mut rest = literal;
    while let Some(first) = rest.chars().next() {
        let length = match rest.as_bytes().get(..2) {
            Some(b"\\\\" | b"\\\"") => 2,
            Some([b'\\', _]) => 3,
            _ => first.len_utf8(),
        };
        bytes.push(rest[..length].to_owned());
        rest = &rest[length..];
    }
    bytes
}

/// The text before a literal, the literal, and the text behind it.
fn around<'t>(text: &'t str, key: &str) -> (&'t str, &'t str, &'t str) {
    let start = text.find(key).expect("the object is there") + key.len();
    let mut end = start;
    while !text[end..].starts_with('"') {
        end += if text[end..].starts_with('\\') { 2 } else { 1 };
    }
    (&text[..start], &text[start..end], &text[end..])
}

#[test]
fn every_damaged_byte_is_found() {
    let text = compiled();
    for key in [", bin = \"", ", offload = \""] {
        let (before, literal, after) = around(&text, key);
        let bytes = spelled(literal);
        // Each run of the program takes its time: some bytes of header, middle and end stand for all.
        for at in [0, 1, 4, 5, 12, 20, 21, bytes.len() / 2, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            let other = if damaged[at] == "\\A5" {
                "\\5A"
            } else {
                "\\A5"
            };
            other.clone_into(&mut damaged[at]);
            let said = refusal(&format!("{before}{}{after}", damaged.concat()));
            assert!(said.contains("an object is damaged"), "{said}");
        }
        let said = refusal(&format!("{before}{after}"));
        assert!(said.contains("an object is damaged"), "{said}");
    }
}

/// Without the digest, as other tools write objects, each check speaks for itself.
#[test]
fn objects_are_checked_without_a_digest() {
    let text = compiled();
    let start = text
        .find("properties = {gridloom.fnv1a")
        .expect("it has a digest");
    let end = start + text[start..].find("}, ").expect("it is closed") + 3;
    let text = format!("{}{}", &text[..start], &text[end..]);
    assert_eq!(gridloom(&["run", "-", "--device=cpu"], &text).0, Some(0));

    let (before, literal, after) = around(&text, ", bin = \"");
    let bytes = spelled(literal);
    let changed = |at: usize, byte: &str| {
        let mut bytes = bytes.clone();
        byte.clone_into(&mut bytes[at]);
        format!("{before}{}{after}", bytes.concat())
    };
    let shortened = |length: usize| format!("{before}{}{after}", bytes[..length].concat());
    let cases = [
        (changed(0, "\\00"), "magic number"),
        (changed(5, "\\09"), "its header says version 1.9"),
        (changed(7, "\\01"), "is not a version of SPIR-V"),
        (shortened(7), "no whole number of words"),
        (shortened(16), "shorter than the header"),
        (shortened(bytes.len() - 4), "its last function has no end"),
        // The end, the return, and a word of the store before them.
        (
            shortened(bytes.len() - 12),
            "says that it has 3 words, and 2 are left",
        ),
        // An instruction of no words, and one of a number that none has.
        (changed(22, "\\00"), "says that it has 0 words"),
        (changed(21, "\\7F"), "no instruction of SPIR-V"),
        (changed(24, "\\7F"), "its capability 127 is not known"),
        (
            text.replace("[Shader", "[Linkage"),
            "declares capability Shader",
        ),
        (
            text.replace("<\"double_kernel0\"", "<\"other\""),
            "no entry point 'other'",
        ),
        (
            text.replace(
                "<\"double_kernel0\", (memref<8xf32>)",
                "<\"double_kernel0\", (memref<9xf32>)",
            ),
            "differs between its table and its source",
        ),
        (
            text.replace(
                "workgroup_size = array<i32: ",
                "workgroup_size = array<i32: 7",
            ),
            "another workgroup size",
        ),
        (
            text.replace(", offload = \"", ", assembly = \""),
            "has no object 'offload'",
        ),
        (
            text.replace("@double_kernels", "@others"),
            "something else than gpu.module @others",
        ),
    ];
    for (text, message) in cases {
        let said = refusal(&text);
        assert!(said.contains(message), "{said}, not {message}");
    }
    // A launch whose arguments are others than the kernel's.
    let other = text.replace(": memref<8xf32>", ": memref<9xf32>");
    let (code, _, said) = gridloom(&["run", "-", "--device=cpu"], &other);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("gpu.launch_func"), "{said}");
}

#[test]
fn strict_floats_come_too_late_for_a_binary() {
    let text = compiled();
    let (code, _, said) = gridloom(&["run", "-", "--device=cpu", "--fp=strict"], &text);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("compile --fp strict"), "{said}");
    let (code, _, said) = gridloom(&["run", "-", "--device=cpu"], &text);
    assert_eq!((code, said.contains("strict")), (Some(0), false), "{said}");
}
