//! Element-wise tests, each operation on many operands: thread `i` applies each operation to the
//! `i`-th operands.

use crate::device::{Arg, Target, run};

/// Type of operands or results.
#[derive(Clone, Copy, Debug)]
pub struct Ty {
    /// The type's spelling.
    pub name: &'static str,
    /// Bytes on the device: 4 or 8.
    pub bytes: usize,
}

/// The text of a kernel whose thread `i` runs `snippets` — which define `%r`
/// from `%a`, `%b` and `%c` — and stores the results of all of them.
pub fn kernel(operand: Ty, result: Ty, count: usize, snippets: &[String]) -> String {
    let total = count * snippets.len();
    let (ty, out) = (operand.name, result.name);
    let mut body = String::new();
    for (number, snippet) in snippets.iter().enumerate() {
        let scoped = snippet
            .replace("%r", &format!("%r{number}_"))
            .replace("%t", &format!("%t{number}_"));
        let base = number * count;
        body += &format!(
            "{scoped}\n%base{number} = arith.constant {base} : index\n\
             %at{number} = arith.addi %i, %base{number} : index\n\
             memref.store %r{number}_, %out[%at{number}] : memref<{total}x{out}>\n"
        );
    }
    format!(
        "module attributes {{gpu.container_module}} {{ gpu.module @m {{\n\
         gpu.func @k(%x: memref<{count}x{ty}>, %y: memref<{count}x{ty}>, %z: memref<{count}x{ty}>, \
         %out: memref<{total}x{out}>) kernel attributes {{known_block_size = array<i32: 32, 1, 1>}} {{\n\
         %i = gpu.global_id x\n\
         %n = arith.constant {count} : index\n\
         %in = arith.cmpi slt, %i, %n : index\n\
         scf.if %in {{\n\
         %a = memref.load %x[%i] : memref<{count}x{ty}>\n\
         %b = memref.load %y[%i] : memref<{count}x{ty}>\n\
         %c = memref.load %z[%i] : memref<{count}x{ty}>\n\
         {body}\
         }}\n gpu.return }} }} }}\n"
    )
}

/// Runs the snippets on operands, given by their bits on the device; returns the bits of each
/// snippet's results.
pub fn apply(
    target: &Target,
    (operand, result): (Ty, Ty),
    operands: &[[u64; 3]],
    snippets: &[String],
) -> Vec<Vec<u64>> {
    let text = kernel(operand, result, operands.len(), snippets);
    let column = |which: usize| -> Vec<u8> {
        let values = operands.iter().map(|row| row[which].to_le_bytes());
        values
            .flat_map(|bytes| bytes[..operand.bytes].to_vec())
            .collect()
    };
    let columns = [0, 1, 2].map(column);
    let out = vec![0xaa; operands.len() * snippets.len() * result.bytes];
    let args: Vec<Arg<'_>> = columns
        .iter()
        .chain([&out])
        .map(|bytes| Arg::Memory(bytes, &[]))
        .collect();
    let grid = [operands.len().div_ceil(32) as u32, 1, 1];
    let outcome = run(target, &text, grid, &args);
    assert!(outcome.faults.is_empty(), "{:?}", outcome.faults);
    outcome.memory[3]
        .chunks(operands.len() * result.bytes)
        .map(|list| list.chunks(result.bytes).map(to_u64).collect())
        .collect()
}

fn to_u64(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b))
}
