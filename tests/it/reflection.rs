//! Kernels launched with nothing but `compile --emit=json` and `compile --emit=spirv`.

use std::process::Command;

use gridloom::gpu_runtime::{
    Access, Binding, Device, DeviceOptions, FeatureSet, KernelSource, ParamBlock,
};
use serde_json::Value;

const SCALE: &str = "
func.func @scale(%x: memref<?xf32>, %s: memref<2xi64>, %a: f32) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<?xf32>
    %w = arith.mulf %v, %a : f32
    affine.store %w, %x[%i] : memref<?xf32>
  }
  return
}
";

/// What `gridloom compile` writes for a program.
fn compiled(source: &str, emit: &str) -> Vec<u8> {
    let path = std::env::temp_dir().join(format!("reflection-{}-{emit}.mlir", std::process::id()));
    std::fs::write(&path, source).expect("a temporary file can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_gridloom"))
        .arg("compile")
        .arg(&path)
        .arg(format!("--emit={emit}"))
        .output()
        .expect("the binary starts");
    std::fs::remove_file(&path).expect("it is still there");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}

/// The value of a formula such as `min((((size(0, 0) - 1) / 256) + 1), 65535)`, with the rest of the
/// text behind it.
fn evaluated<'t>(text: &'t str, size: &dyn Fn(i64, i64) -> i64) -> (i64, &'t str) {
    let operands = |rest: &'t str, middle: &str| {
        let (first, rest) = evaluated(rest, size);
        let rest = rest.strip_prefix(middle).expect("two operands");
        let (second, rest) = evaluated(rest, size);
        (first, second, rest.strip_prefix(')').expect("it is closed"))
    };
    if let Some(rest) = text.strip_prefix('(') {
        let (first, rest) = evaluated(rest, size);
        let (sign, rest) = rest[1..].split_at(1);
        let (second, rest) = evaluated(&rest[1..], size);
        let value = match sign {
            "+" => first + second,
            "-" => first - second,
            "*" => first * second,
            "/" => first / second,
            "%" => first % second,
            other => panic!("no operation {other}"),
        };
        return (value, rest.strip_prefix(')').expect("it is closed"));
    }
    for (name, of) in [
        ("min(", i64::min as fn(i64, i64) -> i64),
        ("max(", i64::max),
    ] {
        if let Some(rest) = text.strip_prefix(name) {
            let (first, second, rest) = operands(rest, ", ");
            return (of(first, second), rest);
        }
    }
    if let Some(rest) = text.strip_prefix("size(") {
        let (first, second, rest) = operands(rest, ", ");
        return (size(first, second), rest);
    }
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    (text[..end].parse().expect("a number"), &text[end..])
}

fn number(value: &Value) -> u32 {
    let number = value.as_u64().expect("a number");
    u32::try_from(number).expect("a small one")
}

#[test]
fn a_kernel_is_launched_from_its_description() {
    let json = compiled(SCALE, "json");
    let told: Value = serde_json::from_slice(&json).expect("it is JSON");
    let words: Vec<u32> = (compiled(SCALE, "spirv").chunks_exact(4))
        .map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
        .collect();
    let kernels = told["kernels"].as_array().expect("a list");
    let [kernel] = &kernels[..] else {
        panic!("one loop is one kernel: {told:#}");
    };
    assert_eq!(kernel["faults"], Value::Null);
    assert_eq!(told["features"], serde_json::json!([]));

    let values: Vec<f32> = (0..1003).map(|i| i as f32).collect();
    let (factor, count) = (-0.5f32, values.len());
    let launch = &kernel["launches"][0];
    let buffers = kernel["buffers"].as_array().expect("a list");
    let [buffer] = &buffers[..] else {
        panic!("one array is used: {told:#}");
    };
    assert_eq!(
        (number(&buffer["binding"]), &buffer["element"]["stored"]),
        (0, &"f32".into())
    );
    let given = &launch["arguments"][number(&buffer["argument"]) as usize];
    assert_eq!(given, "argument(0)");

    let size = |argument: i64, dimension: i64| {
        assert_eq!((argument, dimension), (0, 0));
        count as i64
    };
    let parameters = &kernel["parameters"];
    assert_eq!(parameters["class"], "immediates");
    let mut block = vec![0u8; number(&parameters["bytes"]) as usize];
    for member in parameters["members"].as_array().expect("a list") {
        let argument = launch["arguments"][number(&member["argument"]) as usize].as_str();
        let word = match (member["meaning"].as_str(), argument) {
            (Some("value"), Some("argument(2)")) => factor.to_le_bytes(),
            (Some("value"), Some(formula)) => (evaluated(formula, &size).0 as i32).to_le_bytes(),
            (Some("size"), Some("argument(0)")) => (count as i32).to_le_bytes(),
            other => panic!("{other:?}"),
        };
        let offset = number(&member["offset"]) as usize;
        block[offset..offset + 4].copy_from_slice(&word);
    }
    let three = |value: &Value| [0, 1, 2].map(|k| value[k].clone());
    let grid = three(&launch["grid"]).map(|formula| {
        let formula = formula.as_str().expect("a formula").to_owned();
        let (groups, rest) = evaluated(&formula, &size);
        assert_eq!(rest, "");
        u32::try_from(groups).expect("a small grid")
    });

    let choice = "llvmpipe".parse().expect("a name of a device");
    let device = Device::open(&choice, &DeviceOptions::default()).expect("lavapipe is there");
    let source = KernelSource {
        name: "scale".to_owned(),
        spirv: words,
        entry_point: kernel["name"].as_str().expect("a name").to_owned(),
        workgroup_size: three(&kernel["workgroup_size"]).map(|size| number(&size)),
        workgroup_memory: number(&kernel["workgroup_bytes"]),
        bindings: vec![Binding {
            access: Access::ReadWrite,
            min_size: u64::from(number(&buffer["min_bytes"])),
        }],
        params: ParamBlock::immediates(block.len() as u32),
        fault: None,
        required: FeatureSet::empty(),
    };
    assert_eq!(buffer["access"], "read_write");
    // SAFETY: the module comes from the compiler and is launched as it asks for.
    let made = unsafe { device.kernel(&source) }.expect("a kernel");
    let mut bytes: Vec<u8> = values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    let own = device.buffer_with(&bytes).expect("a buffer");
    device
        .launch(&made, grid, &[&own], &block)
        .expect("a launch");
    device.download(&own, 0, &mut bytes).expect("the result");
    let result = bytes
        .chunks_exact(4)
        .map(|word| f32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    let expected: Vec<f32> = values.iter().map(|value| value * factor).collect();
    assert_eq!(result.collect::<Vec<f32>>(), expected);
}
