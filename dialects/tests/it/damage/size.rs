//! Large inputs of the items that take the most memory for their bytes.
use gridloom_ir::bytecode::write_module;
use gridloom_ir::text::parse_module;
use gridloom_ir::verify::verify;

use super::memory::peak_of;
use super::{PARSE, allowed};

/// Size of each text in bytes, about.
const SIZE: usize = 1 << 20;

/// Constant part of the memory limit of these texts: less than in [`allowed`], where it would hide
/// the part that grows with the size.
const FREE: usize = 4 << 20;

/// Reads and verifies. Returns the peak memory, and whether the input was accepted.
fn peak_memory(bytes: &[u8]) -> (usize, bool) {
    let (accepted, peak) = peak_of(|| {
        let ctx = gridloom_dialects::context();
        match super::read(&ctx, bytes) {
            Some(module) => {
                verify(&ctx, &module);
                true
            }
            None => false,
        }
    });
    (peak, accepted)
}

/// Texts of short items: the text before all of them, the item, the text behind. `$` is the item's
/// number, around the items how many there are.
const DENSE: [[&str; 3]; 10] = [
    // Refused at the start of a long line.
    ["func.func private 1f(", "i1,", "i1)"],
    ["", "\"a.b\"():()->()\n", ""],
    ["\"a.b\"()({\n", "^a$:\n", "\"a.c\"():()->()}):()->()"],
    ["\"a.b\"()(", "{},", "{}):()->()"],
    [
        "\"a.b\"()({\n^a(",
        "%$:i1,",
        "%z:i1):\n\"a.c\"():()->()}):()->()",
    ],
    ["%a:$=\"a.b\"():()->(", "i1,", "i1)"],
    ["\"a.b\"(){a=[", "1,", "1]}:()->()"],
    ["\"a.b\"(){a=dense<[", "1,", "1]>:tensor<$xi64>}:()->()"],
    ["func.func private @f(", "i1,", "i1)"],
    ["", "#a$=$\n", ""],
];

#[test]
fn dense_text_is_within_bounds() {
    for [before, item, after] in DENSE {
        let mut text = before.to_owned();
        let mut count = 1;
        while text.len() < SIZE {
            text.push_str(&item.replace('$', &count.to_string()));
            count += 1;
        }
        text.push_str(after);
        let text = match before.contains('$') || after.contains('$') {
            true => {
                let number = count.to_string();
                let (before, after) = (before.replace('$', &number), after.replace('$', &number));
                format!("{before}{}{after}", item.repeat(count - 1))
            }
            false => text,
        };
        let (peak, accepted) = peak_memory(text.as_bytes());
        eprintln!("{item:?}: {accepted} {} x", peak / text.len());
        assert!(
            peak <= 16 * text.len() + FREE,
            "{item:?}: {peak} bytes for {}",
            text.len()
        );
    }
}

/// Bytecode has operations of three bytes. Files beyond the memory limit are refused.
#[test]
fn dense_bytecode_is_within_bounds() {
    let one = bytecode("\"a.b\"() : () -> () loc(unknown)\n", 100_000);
    let many = bytecode("\"a.b\"() : () -> () loc(unknown)\n", 1_000_000);
    for (bytes, passes) in [(one, true), (many, false)] {
        let (peak, accepted) = peak_memory(&bytes);
        let size = bytes.len();
        assert!(peak <= allowed(size), "{peak} bytes for {size}");
        assert_eq!(accepted, passes, "{size} bytes");
    }
}

fn bytecode(line: &str, count: usize) -> Vec<u8> {
    let ctx = gridloom_dialects::context();
    let text = line.repeat(count);
    let module = parse_module(&ctx, "lines", text.as_bytes(), &PARSE).expect("it is right");
    write_module(&ctx, &module)
}
