//! Round trip of another compiler's SPIR-V through the `spirv` dialect: the results of a device
//! stay the same, and damaged words are refused, whatever is wrong with them.

use std::path::Path;

use gridloom_gpu_runtime::{
    Access, Binding, Device, DeviceChoice, DeviceOptions, FeatureSet, KernelSource, ParamBlock,
    devices,
};
use gridloom_ir::Loc;
use gridloom_spirv::dialect::{deserialize, serialize};
use gridloom_test_tools::{glslang, mlir_translate, spirv_opt, spirv_val};

use crate::device::{bytes, words};

const THREADS: u32 = 64;

/// Control flow: `break` and `continue` from inside of selections, a switch that falls through,
/// calls, a loop with its test at the end, and values of all of these that are used behind them.
const CONTROL: &str = "
int steps(int a, inout int b) {
  b += 1;
  for (int i = 0; i < a; i++) { if (i == 7) return b; b += i; }
  return b * 2;
}
void main() {
  uint id = gl_GlobalInvocationID.x;
  int sum = 0, last = 5;
  for (int i = 0; i < 20; i++) {
    if (data[id] == i) continue;
    if (data[id] > 50) { sum += 3; break; }
    for (int j = 0; j < i; ++j) {
      if (j * i > 50) { sum -= j; break; }
      if ((j & 1) == 1) { sum += 2; if (sum > 40) continue; sum += 1; }
      last = j + data[id];
    }
    switch (i & 3) {
      case 0: sum += 1; break;
      case 1: if (sum > 5) break; sum += 2;
      case 2: sum *= 3; continue;
      default: sum ^= 5;
    }
    sum += int(trunc(float(data[id]) * -0.75));
  }
  do { sum = sum - 7; if (sum == 3) break; } while (sum > 1000);
  int b = 4;
  sum += steps(sum & 15, b);
  while (true) { sum++; if (sum > 10 && b < 100) break; b += 3; if (b > 50) { break; } }
  data[id] = sum * 31 + b * 7 + last;
}";

/// Operations: vectors, matrices, tables, workgroup memory, packing, and an arctangent of two
/// arguments, which MLIR lacks.
const VALUES: &str = "
shared float tile[64];
const vec4 TABLE[3] = vec4[](vec4(1), vec4(2, 3, 4, 5), vec4(0.5));
void main() {
  uint id = gl_LocalInvocationID.x;
  float x = float(data[id]);
  tile[id] = x * 0.5 + TABLE[id % 3].z;
  barrier();
  float t = tile[63 - id];
  mat3 m = mat3(1, 2, 3, 0.5, t, 2, 1, 0, x);
  vec3 v = m * vec3(x, t, 1);
  v = mix(v, v.zyx, 0.25) + cross(v, vec3(1, 2, 3));
  float angle = atan(float(int(id) - 30), x - 20.0);
  uint packed = packHalf2x16(vec2(t, x));
  data[id] = int(v.x) + int(angle * 64.0) + int(packed & 255u) + bitCount(data[id]);
}";

/// Compiles a shader by glslang, and optimizes the words by `spirv-opt` with `passes`.
fn compiled(name: &str, body: &str, passes: &[&str]) -> Vec<u32> {
    let source = format!(
        "#version 450\nlayout(local_size_x = {THREADS}) in;\n\
         layout(set = 0, binding = 0) buffer Data {{ int data[]; }};\n{body}"
    );
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.spv"));
    let file = file.display().to_string();
    let to_file = [
        "--stdin",
        "-S",
        "comp",
        "-V",
        "--target-env",
        "vulkan1.1",
        "-o",
        &file,
    ];
    glslang()
        .run(&to_file, source.as_bytes())
        .unwrap_or_else(|error| panic!("{error}"));
    let words = std::fs::read(&file).expect("glslang has written it");
    let improve = [&["--target-env=vulkan1.1", "-", "-o", "-"], passes].concat();
    let words = spirv_opt()
        .run(&improve, &words)
        .unwrap_or_else(|error| panic!("{error}"));
    words
        .chunks_exact(4)
        .map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]]))
        .collect()
}

/// Passes that give words of different shapes: variables for everything, phis, one function without
/// dead code.
const PASSES: [&[&str]; 3] = [
    &["--strip-debug"],
    &["--inline-entry-points-exhaustive", "--ssa-rewrite"],
    &["-O"],
];

fn through_the_dialect(words: &[u32]) -> (String, Vec<u32>) {
    let ctx = gridloom_dialects::context();
    let module = deserialize(&ctx, words, None, Loc::UNKNOWN)
        .unwrap_or_else(|found| panic!("{}", found.render(&ctx)));
    let (op, data) = module.ops().next().expect("one spirv.module");
    let text = gridloom_ir::text::print_op(&ctx, module.body(), op, &Default::default());
    let words =
        serialize(&ctx, data).unwrap_or_else(|found| panic!("{}\n{text}", found.render(&ctx)));
    (text, words)
}

fn check(words: &[u32], text: &str) {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let checked = spirv_val().run(&["--target-env", "vulkan1.1", "-"], &bytes);
    checked.unwrap_or_else(|error| panic!("{error}\n{text}"));
}

/// Runs a kernel on 64 numbers.
fn run(device: &Device, words_of_kernel: &[u32]) -> Vec<i32> {
    let source = KernelSource {
        name: "main".to_owned(),
        spirv: words_of_kernel.to_vec(),
        entry_point: "main".to_owned(),
        workgroup_size: [THREADS, 1, 1],
        workgroup_memory: 4 * THREADS,
        bindings: vec![Binding {
            access: Access::ReadWrite,
            min_size: 4 * u64::from(THREADS),
        }],
        params: ParamBlock::NONE,
        fault: None,
        required: FeatureSet::empty(),
    };
    // SAFETY: the module passed the validator, and every thread accesses its own element of the
    // buffer.
    let kernel = unsafe { device.kernel(&source) }.unwrap_or_else(|error| panic!("{error}"));
    let numbers: Vec<i32> = (0..THREADS as i32).map(|i| (i * 37) % 61 - 4).collect();
    let buffer = device.buffer_with(&bytes(&numbers)).expect("a buffer");
    let launched = device.launch(&kernel, [1, 1, 1], &[&buffer], &[]);
    launched.unwrap_or_else(|error| panic!("{error}"));
    let mut out = vec![0; buffer.size() as usize];
    device.download(&buffer, 0, &mut out).expect("the results");
    words(&out)
}

#[test]
fn shaders_compute_the_same_behind_the_dialect() {
    let lavapipe = devices()
        .iter()
        .position(|info| info.name.contains("llvmpipe"));
    let lavapipe = DeviceChoice::Index(lavapipe.expect("run the tests by `cargo xtask test`"));
    let device = Device::open(&lavapipe, &DeviceOptions::default()).expect("it opens");
    for (name, body) in [("control", CONTROL), ("values", VALUES)] {
        for (number, passes) in PASSES.iter().enumerate() {
            let before = compiled(&format!("{name}{number}"), body, passes);
            let (text, after) = through_the_dialect(&before);
            check(&after, &text);
            let expected = run(&device, &before);
            assert_eq!(run(&device, &after), expected, "{name} {passes:?}\n{text}");
            // A second round trip changes nothing: the text is the same.
            let (again, _) = through_the_dialect(&after);
            assert_eq!(again, through_the_dialect(&through_the_dialect(&after).1).0);
        }
    }
}

#[test]
fn mlir_reads_what_is_read_of_shaders() {
    let words = compiled("read", VALUES, PASSES[2]);
    let (text, _) = through_the_dialect(&words);
    let theirs = mlir_translate()
        .run(
            &["--no-implicit-module", "--serialize-spirv"],
            text.as_bytes(),
        )
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    spirv_val()
        .run(&["--target-env", "vulkan1.1", "-"], &theirs)
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
}

#[test]
fn damaged_words_are_refused_or_read() {
    let ctx = gridloom_dialects::context();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let sources = [
        compiled("damaged", CONTROL, PASSES[1]),
        compiled("hurt", VALUES, PASSES[2]),
    ];
    let mut refused = 0;
    for round in 0..600 {
        let mut words = sources[round % 2].clone();
        for _ in 0..=round % 3 {
            let at = random() as usize % words.len();
            words[at] = match random() % 4 {
                0 => words[at] ^ 1 << (random() % 32),
                1 => random() as u32 % 300,
                2 => words[random() as usize % words.len()],
                _ => words[at].wrapping_add(1),
            };
        }
        if round % 7 == 0 {
            words.truncate(random() as usize % words.len());
        }
        match deserialize(&ctx, &words, None, Loc::UNKNOWN) {
            // A module that is read verifies, so it can be written; whether it has a meaning is not
            // checked.
            Ok(module) => drop(module.ops().next().map(|(_, data)| serialize(&ctx, data))),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 100, "only {refused} of 600 were refused");
}
