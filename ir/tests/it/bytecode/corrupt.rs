//! Files that are not what they should be.

use gridloom_ir::bytecode::{is_bytecode, read_module};
use gridloom_ir::text::{ParseOptions, PrintOptions, print_module};
use gridloom_ir::{Context, verify};

use super::{PARSE, bytecode_of, programs};

/// Reads a damaged file. What is still accepted can be verified and, if it is
/// right, printed.
fn survive(bytes: &[u8]) {
    let ctx = Context::new();
    let Ok(module) = read_module(&ctx, "damaged", bytes, &PARSE) else {
        return;
    };
    if !verify::verify(&ctx, &module).has_errors() {
        let options = PrintOptions {
            debuginfo: true,
            ..PrintOptions::default()
        };
        print_module(&ctx, &module, &options);
    }
}

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

/// The generator of splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

#[test]
fn every_truncation_is_refused() {
    for file in files().iter().take(4) {
        for end in 0..file.len() {
            let ctx = Context::new();
            let found = read_module(&ctx, "short", &file[..end], &PARSE);
            assert!(found.is_err(), "{end} of {} bytes", file.len());
        }
    }
}

#[test]
fn damage_is_survived() {
    let mut random = Random(1);
    let files = files();
    for _ in 0..4000 {
        let mut file = files[random.below(files.len())].clone();
        for _ in 0..1 + random.below(4) {
            let at = 4 + random.below(file.len() - 4);
            match random.below(4) {
                0 => file[at] = random.next() as u8,
                1 => file[at] ^= 1 << random.below(8),
                2 => {
                    file.remove(at);
                }
                _ => file.insert(at, random.next() as u8),
            }
        }
        survive(&file);
    }
}

fn message(bytes: &[u8]) -> String {
    let ctx = Context::new();
    let found = read_module(&ctx, "a.mlirbc", bytes, &ParseOptions::default());
    found
        .err()
        .map_or_else(String::new, |found| found.render(&ctx))
}

#[test]
fn errors_say_where() {
    assert_eq!(
        message(b""),
        "a.mlirbc: error: this is no bytecode, at offset 0x0\n"
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

#[test]
fn bytecode_is_told_from_text() {
    assert!(is_bytecode(&bytecode_of("module {}")));
    assert!(!is_bytecode(b"module {}"));
    assert!(!is_bytecode(b"ML"));
}
