//! Pass options, derived from the seed of a program.

use gridloom::codegen::pass::PassOptions;
use gridloom::ir::scalar::sext;

use crate::program::{Input, Program};
use crate::types::Type;

/// Iterations of a thread along x, y and z.
pub(crate) const TILES: [&str; 6] = ["off", "4x2", "2x2x2", "3", "1x5", "8x4"];

/// Derives the options of a pass: various tiles, matrices and costs, since a machine model would
/// always choose the plainest ones for nests this small.
pub(crate) fn options(name: &str, seed: u64, program: &Program) -> PassOptions {
    let pick = |list: &[&str]| list[(seed / 24 % list.len() as u64) as usize].to_owned();
    let launch = pick(&LAUNCHES);
    let text = match name {
        "affine-data-copy-generate" => pick(&COPIES),
        "affine-loop-fusion" => pick(&FUSIONS),
        "affine-loop-unimodular" => pick(&MATRICES),
        "affine-parallelize" => pick(&["", "parallel-reductions", "max-nested=1"]),
        "affine-loop-normalize" => pick(&["", "promote-single-iter"]),
        "affine-loop-unroll-jam" => format!("unroll-jam-factor={}", 2 + seed / 24 % 4),
        "affine-loop-block" => format!("size={}", 2 + seed / 24 % 2),
        "affine-node-splitting" => "min-trips=1".to_owned(),
        "parallelize-searches" => pick(&["min-elements=1 block=3", "min-elements=2 block=20"]),
        "affine-parallelize-ranks" => format!("min-span={}", 1 + seed % 5),
        "affine-parallelize-scatters" => format!("min-trips={}", 1 + seed % 40),
        "affine-loop-distribute" => pick(&["", "min-rounds=1", "min-rounds=30"]),
        "affine-loop-tile" => pick(&LOOP_TILES),
        "affine-loop-wavefront" => format!("launch={launch}"),
        "affine-separate-reductions" => "launch=0".to_owned(),
        "affine-persistent-workgroup" => format!("fp=strict {}", pick(&PERSISTENT)),
        "affine-serial-nests" => {
            format!("target=cpu fp=strict least-serial={}", 1 + seed / 24 % 90)
        }
        "affine-version-short-loops" => pick(&[
            "target=cpu",
            "target=gathering-cpu",
            "target=slow-gathering-cpu",
        ]),
        "affine-super-vectorize" => pick(&VECTORS),
        "affine-loop-peel" => "always fp=strict".to_owned(),
        // The evaluator keeps the order of floats.
        "affine-imperfect-interchange"
        | "affine-permute-updates"
        | "affine-separate-prefix-sums"
        | "split-custom-reductions" => "fp=strict".to_owned(),
        "coalesce-sorted-ranges" => pick(&["min-iterations=1", "min-iterations=600"]),
        "affine-auto-schedule" => format!("fp=strict launch={launch}"),
        "affine-privatize-updates" => "target=cpu".to_owned(),
        "affine-parallelize-reductions" | "affine-parallelize-scans" => pick(&["", "target=cpu"]),
        "affine-map-to-gpu" => grid_options(program, seed),
        "specialize-function" => specialization(program, seed),
        "offload" => {
            let level = pick(&["", "", "", "opt-level=0 ", "opt-level=1 "]);
            let grid = grid_options(program, seed);
            let serial = pick(&["", "", "least-serial=60 "]);
            format!("{level}{serial}{grid} launch={launch} fp=strict")
        }
        _ => String::new(),
    };
    PassOptions::parse(&text).unwrap_or_default()
}

/// Sizes and values of some of the inputs, for specialization.
fn specialization(program: &Program, seed: u64) -> String {
    let inputs = program.inputs.iter().zip(&program.main().params);
    let words = inputs.enumerate().map(|(number, (input, &param))| {
        let is_told = (seed >> (number % 61)) & 3 != 3;
        let word = match (input, program.ty(param)) {
            (Input::MemRef { sizes, .. }, _) if !sizes.is_empty() => {
                let sizes: Vec<String> = sizes.iter().map(i64::to_string).collect();
                Some(sizes.join("x"))
            }
            (Input::Scalar(bits), Type::Scalar(scalar)) if !scalar.is_float() => {
                Some(sext(*bits, scalar.width() as u8).to_string())
            }
            _ => None,
        };
        word.filter(|_| is_told).unwrap_or_else(|| "_".to_owned())
    });
    let words: Vec<String> = words.collect();
    format!("function=main arguments={}", words.join(","))
}

/// Mapping options of `offload`. For long arrays the machine model has a choice, and mostly makes it.
fn grid_options(program: &Program, seed: u64) -> String {
    let is_modelled = program.has_long_array() && seed % 4 != 3;
    let tile = match is_modelled {
        true => String::new(),
        false => format!("tile={} ", TILES[(seed % 6) as usize]),
    };
    let spread = (seed / 6).is_multiple_of(2);
    let target = ["gpu", "cpu", "gathering-cpu", "slow-gathering-cpu"][(seed / 12 % 4) as usize];
    // Staging never pays in nests this small.
    let chunk = ["", " chunk=1", " chunk=2", " chunk=3"][(seed / 48 % 4) as usize];
    format!("target={target} {tile}spread={spread}{chunk}")
}

/// Matrices that interchange, reverse, skew and shift nests of one to three loops.
const MATRICES: [&str; 14] = [
    "matrix=1,1;1,0",
    "matrix=0,1;1,0",
    "matrix=1,0;1,1",
    "matrix=1,1;0,1",
    "matrix=-1",
    "matrix=1,0;0,-1 shift=0,5",
    "matrix=2,1;1,0",
    "matrix=1,0;-1,1",
    "matrix=1,2;1,1 shift=-3,1",
    "matrix=0,1,0;1,0,0;0,0,1",
    "matrix=1,1,1;1,0,0;0,1,0",
    "matrix=4,2,1;1,0,0;0,1,0",
    "matrix=1 shift=7",
    "matrix=3,1;-1,0",
];

/// Options of data copies to fast memory.
const COPIES: [&str; 5] = [
    "",
    "generate-dma",
    "generate-dma skip-non-unit-stride-loops fast-mem-capacity=1",
    "generate-dma fast-mem-space=0",
    "fast-mem-space=0 skip-non-unit-stride-loops",
];

/// Sizes of vectors, small enough for short loops.
const VECTORS: [&str; 5] = [
    "virtual-vector-size=2",
    "virtual-vector-size=2 vectorize-reductions",
    "virtual-vector-size=3 vectorize-reductions",
    "virtual-vector-size=2,2",
    "virtual-vector-size=4 test-fastest-varying=1",
];

/// Options of loop fusion.
const FUSIONS: [&str; 4] = [
    "",
    "fusion-maximal",
    "mode=producer fusion-maximal",
    "mode=sibling",
];

/// Options of loop tiling.
const LOOP_TILES: [&str; 10] = [
    "tile-size=1",
    "tile-size=2",
    "tile-size=3",
    "tile-sizes=4,2",
    "tile-sizes=1,3",
    "tile-size=7",
    "tile-sizes=2,1,2",
    "tile-size=2 separate",
    "tile-size=3 separate",
    "tile-sizes=1,3,2 separate",
];

/// Targets, and launch costs at which a loop becomes a persistent workgroup: nearly always, and by
/// the model.
const PERSISTENT: [&str; 4] = [
    "target=gpu launch=100000",
    "target=cpu launch=100000",
    "target=gpu launch=100000 max-threads=4",
    "target=cpu",
];

/// Launch costs: with small ones, wavefronts pay even in small nests.
const LAUNCHES: [&str; 4] = ["0", "1", "60", "400"];
