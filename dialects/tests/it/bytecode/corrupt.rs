//! Corrupt bytecode: damaged files are refused.
use gridloom_ir::bytecode::{is_bytecode, read_module};
use gridloom_ir::text::{ParseOptions, PrintOptions, print_module};

use super::{PARSE, bytecode_of, programs};

fn files() -> Vec<Vec<u8>> {
    let wanted = [
        "attributes.mlir",
        "locations.mlir",
        "types.mlir",
        "structure.mlir",
        "matmul.mlir",
        "gpu",
    ];
    let chosen = programs()
        .into_iter()
        .filter(|program| wanted.iter().any(|name| program.name.contains(name)));
    let files: Vec<Vec<u8>> = chosen.map(|program| bytecode_of(&program.text)).collect();
    assert!(files.len() >= 8);
    files
}

#[test]
fn every_truncation_is_refused() {
    for file in files().iter().take(4) {
        for end in 0..file.len() {
            let ctx = gridloom_dialects::context();
            let found = read_module(&ctx, "short", &file[..end], &PARSE);
            assert!(found.is_err(), "{end} of {} bytes", file.len());
        }
    }
}

fn message(bytes: &[u8]) -> String {
    let ctx = gridloom_dialects::context();
    let found = read_module(&ctx, "a.mlirbc", bytes, &ParseOptions::default());
    found
        .err()
        .map_or_else(String::new, |found| found.render(&ctx))
}

#[test]
fn errors_say_where() {
    assert_eq!(
        message(b""),
        "a.mlirbc: error: this is not MLIR bytecode, at offset 0x0\n"
    );
    assert_eq!(
        message(b"ML\xefR\x0f"),
        "a.mlirbc: error: bytecode version 7 is newer than 6, at offset 0x4\n"
    );
    assert_eq!(
        message(b"ML\xefR\x0dme"),
        "a.mlirbc: error: the data ends too early, at offset 0x7\n"
    );
    assert_eq!(
        message(b"ML\xefR\x0dme\0\x17\x01"),
        "a.mlirbc: error: invalid section 23, at offset 0x8\n"
    );
    assert_eq!(
        message(b"ML\xefR\x0dme\0\x00\x03\x01"),
        "a.mlirbc: error: section 1 is missing, at offset 0xb\n"
    );
    let unknown = bytecode_of("\"far.off\"() : () -> ()");
    assert!(message(&unknown).contains("unknown operation `far.off`"));
}

/// Attributes without a name do not exist in text: of the files in which one byte of a valid file
/// is another small number, none may have one.
#[test]
fn attributes_have_names() {
    let good = bytecode_of(r#""a.b"() {q = ""} : () -> ()"#);
    let mut refused = 0;
    for at in 0..good.len() {
        // Numbers of one byte are odd.
        for byte in (1..32).step_by(2) {
            let mut file = good.clone();
            file[at] = byte;
            let ctx = gridloom_dialects::context();
            match read_module(&ctx, "a", &file, &PARSE) {
                Ok(module) => {
                    let text = print_module(&ctx, &module, &PrintOptions::default());
                    assert!(!text.contains("{\"\" "), "byte {at} is {byte}: {text}");
                }
                Err(found) => {
                    let message = found.render(&ctx);
                    let nameless = "an attribute's name cannot be empty, at offset 0x";
                    refused += usize::from(message.contains(nameless));
                }
            }
        }
    }
    assert!(refused > 0);
}

#[test]
fn bytecode_is_told_from_text() {
    assert!(is_bytecode(&bytecode_of("module {}")));
    assert!(!is_bytecode(b"module {}"));
    assert!(!is_bytecode(b"ML"));
}
