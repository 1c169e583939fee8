//! The mapping for discrete GPUs, by inspection: which nests are staged in workgroup memory, and
//! what the threads of a warp touch at once. A small evaluator of its own reads the kernel's text.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use gridloom::OffloadOptions;
use gridloom::codegen::pass::offload::offload;
use gridloom::ir::text::{PrintOptions, print_module};

/// The program mapped for GPUs, as text, and the lines of the nests that are staged.
fn mapped(source: &str) -> (String, BTreeSet<usize>) {
    let ctx = gridloom::context();
    let mut module = gridloom::parse(&ctx, "a.mlir", source.as_bytes()).expect("it is a program");
    let options = OffloadOptions::gpu();
    let remarks = offload(&ctx, &mut module, &options).expect("it is mapped");
    let text = remarks.render(&ctx);
    let staged = text
        .lines()
        .filter(|line| line.contains("workgroup memory"));
    let lines = staged.map(|line| {
        let place = line
            .strip_prefix("a.mlir:")
            .and_then(|rest| rest.split(':').next());
        place
            .and_then(|line| line.parse().ok())
            .expect("a remark has a line")
    });
    let lines = lines.collect();
    (print_module(&ctx, &module, &PrintOptions::default()), lines)
}

/// The functions of a file test, each with the line of its first loop.
fn nests(source: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = source.lines().collect();
    let functions = lines.iter().enumerate().filter_map(|(at, line)| {
        let name = line.strip_prefix("func.func @")?.split('(').next()?;
        let first = lines[at..]
            .iter()
            .position(|line| line.contains("affine.for"))?;
        Some((name.to_owned(), at + first + 1))
    });
    functions.collect()
}

#[test]
fn products_are_staged_and_what_is_not_legal_is_not() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests/run/staging");
    let expected = [
        (
            "product.mlir",
            vec!["odd", "open", "transposed", "inner_part"],
        ),
        ("window.mlir", vec!["batch", "convolution", "neighbours"]),
        (
            "computed.mlir",
            vec!["halves", "bytes", "doubles", "scaled", "alike", "different"],
        ),
        ("refused.mlir", vec![]),
    ];
    for (file, names) in expected {
        let source = fs::read_to_string(root.join(file)).expect("the file test is there");
        let (_, staged) = mapped(&source);
        let found: Vec<String> = (nests(&source).into_iter())
            .filter(|(_, line)| staged.contains(line))
            .map(|(name, _)| name)
            .collect();
        assert_eq!(found, names, "{file}");
    }
}

const PRODUCT: &str = "
func.func @gemm(%a: memref<4096x4096xf32>, %b: memref<4096x4096xf32>, %c: memref<4096x4096xf32>) {
  affine.for %i = 0 to 4096 {
    affine.for %j = 0 to 4096 {
      affine.for %k = 0 to 4096 {
        %x = affine.load %a[%i, %k] : memref<4096x4096xf32>
        %y = affine.load %b[%k, %j] : memref<4096x4096xf32>
        %z = affine.load %c[%i, %j] : memref<4096x4096xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<4096x4096xf32>
      }
    }
  }
  return
}
";

/// Memory access of a kernel: the elements that the threads of one warp touch.
struct Touched {
    is_store: bool,
    is_shared: bool,
    /// Elements that a lane touches.
    width: i64,
    /// For each lane, the place of the first one in the array as one number.
    places: Vec<i64>,
}

/// What the threads of the first warp of workgroup (2, 3) touch, access by access. Loops are in
/// their first iteration.
fn touched(kernel: &str, block: [i64; 3]) -> Vec<Touched> {
    let mut lanes: Vec<HashMap<String, i64>> = vec![HashMap::new(); 32];
    let mut found = Vec::new();
    for line in kernel.lines().map(str::trim) {
        let words: Vec<&str> = (line.split([' ', ',']))
            .filter(|word| !word.is_empty())
            .collect();
        let (is_load, is_store) = (
            line.contains("memref.load") || line.contains("vector.load"),
            line.starts_with("memref.store") || line.starts_with("vector.store"),
        );
        if is_load || is_store {
            let (indices, rest) = between(line, '[', ']');
            let (shape, _) = between(rest, '<', '>');
            let extents: Vec<i64> = (shape.split('x'))
                .map_while(|extent| extent.parse().ok())
                .collect();
            let indices: Vec<&str> = indices.split(',').map(str::trim).collect();
            let place = |values: &HashMap<String, i64>| {
                let pairs = indices.iter().zip(&extents);
                pairs.fold(0, |sum, (index, extent)| sum * extent + values[*index])
            };
            found.push(Touched {
                is_store,
                is_shared: line.contains("workgroup"),
                width: if line.ends_with("vector<4xf32>") {
                    4
                } else {
                    1
                },
                places: lanes.iter().map(place).collect(),
            });
            continue;
        }
        for (lane, values) in lanes.iter_mut().enumerate() {
            let thread = [lane as i64 % block[0], lane as i64 / block[0], 0];
            if let [name, "=", operation, rest @ ..] = &words[..]
                && let Some(value) = evaluated(operation, rest, values, thread)
            {
                values.insert((*name).to_owned(), value);
            }
            // `%r = scf.for %k = %low to …`, or the same without results.
            if let Some(at) = words.iter().position(|word| *word == "scf.for") {
                let low = values[words[at + 3]];
                values.insert(words[at + 1].to_owned(), low);
            }
        }
    }
    found
}

fn between(text: &str, open: char, close: char) -> (&str, &str) {
    let start = text.find(open).expect("it has indices and a type") + 1;
    let end = start + text[start..].find(close).expect("it is closed");
    (&text[start..end], &text[end..])
}

/// The value of an index computation; `None` for what computes no index.
fn evaluated(
    operation: &str,
    operands: &[&str],
    values: &HashMap<String, i64>,
    thread: [i64; 3],
) -> Option<i64> {
    let dimension = |ids: [i64; 3]| {
        let at = ["x", "y", "z"].iter().position(|name| *name == operands[0]);
        at.map(|at| ids[at])
    };
    let operand = |k: usize| values.get(*operands.get(k)?).copied();
    match operation {
        "arith.constant" => operands[0].parse().ok(),
        "gpu.thread_id" => dimension(thread),
        "gpu.block_id" => dimension([2, 3, 0]),
        "arith.addi" => Some(operand(0)? + operand(1)?),
        "arith.subi" => Some(operand(0)? - operand(1)?),
        "arith.muli" => Some(operand(0)? * operand(1)?),
        "arith.divui" | "arith.divsi" => Some(operand(0)? / operand(1)?),
        "arith.remui" | "arith.remsi" => Some(operand(0)? % operand(1)?),
        "arith.minsi" => Some(operand(0)?.min(operand(1)?)),
        _ => None,
    }
}

impl Touched {
    /// The elements that some lanes touch.
    fn elements(&self, lanes: &[i64]) -> BTreeSet<i64> {
        let elements = lanes.iter().flat_map(|&place| place..place + self.width);
        elements.collect()
    }

    /// Rounds that shared memory of 32 banks takes, where a round serves as many lanes as touch 32
    /// elements: the most elements in one bank.
    fn bank_rounds(&self) -> usize {
        let lanes = self.places.chunks(32 / self.width as usize);
        let rounds = lanes.map(|lanes| {
            let elements = self.elements(lanes);
            let bank = |bank: i64| elements.iter().filter(|place| *place % 32 == bank).count();
            (0..32).map(bank).max().unwrap_or(0)
        });
        rounds.max().unwrap_or(0)
    }

    /// Sectors of 32 bytes that an access to global memory moves.
    fn sectors(&self) -> usize {
        let elements = self.elements(&self.places);
        let sectors: BTreeSet<i64> = elements.iter().map(|place| place / 8).collect();
        sectors.len()
    }
}

#[test]
fn a_large_product_has_the_tiles_that_discrete_gpus_want() {
    let (text, staged) = mapped(PRODUCT);
    assert_eq!(staged.into_iter().collect::<Vec<_>>(), [3]);
    // 128 x 128 iterations a workgroup, of 128 threads with 16 x 8 iterations each.
    assert!(
        text.contains("blocks in (%c32, %c32, %c1) threads in (%c16, %c8, %c1)"),
        "{text}"
    );
    let kernel = text
        .find("gpu.func")
        .map(|at| &text[at..])
        .expect("a kernel");
    assert_eq!(
        kernel.matches("gpu.barrier").count(),
        2,
        "no chunk is left over"
    );
    // 128 sums and the next chunk of both arrays stay in registers, of which a thread has 255.
    let carried = kernel.lines().find_map(|line| {
        let (results, _) = line.trim().split_once(" = scf.for")?;
        results.split_once(':')?.1.parse::<usize>().ok()
    });
    assert_eq!(carried, Some(128 + 16));

    let accesses = touched(kernel, [16, 8, 1]);
    let of = |is_shared: bool, is_store: bool| {
        let those = accesses.iter();
        let those = those
            .filter(move |access| access.is_shared == is_shared && access.is_store == is_store);
        those.collect::<Vec<_>>()
    };
    let widths = |is_shared, is_store| -> Vec<i64> {
        let those = of(is_shared, is_store).into_iter();
        those.map(|access| access.width).collect()
    };
    // For 128 products a thread reads 16 + 8 elements, in each of the 8 iterations of a chunk, which
    // stand one after the other; for a chunk it copies 8 * (128 + 128) / 128; all by four.
    assert_eq!(widths(true, false), [4; 8 * 6]);
    assert_eq!(widths(true, true), [4; 4]);
    for access in of(true, false).into_iter().chain(of(true, true)) {
        assert_eq!(access.bank_rounds(), 1, "{:?}", access.places);
    }
    // Before the loop and in it 8 elements of %a, whose neighbours are those of four rows of
    // workgroup memory, and two vectors of %b; 32 vectors of %c come and go.
    let loaded = widths(false, false);
    let vectors = loaded.iter().filter(|&&width| width == 4).count();
    assert_eq!((loaded.len() - vectors, vectors), (2 * 8, 32 + 2 * 2));
    assert_eq!(widths(false, true), [4; 32]);
    // 32 lanes of 4 bytes need four sectors.
    for access in of(false, false).into_iter().chain(of(false, true)) {
        let least = 4 * access.width as usize;
        assert!(access.sectors() <= least, "{:?}", access.places);
    }
}
