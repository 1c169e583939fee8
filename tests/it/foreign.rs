//! Programs of dialects above loops: the command that the refusal prints is run as it stands, and what comes of it runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use gridloom_test_tools::mlir_opt;

/// The sum of two matrices, doubled by a constant matrix: [[0, 2], [4, 6]] times [[2, 0], [0, 2]].
const LINALG: &str = "func.func @f(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant dense<[[2.0, 0.0], [0.0, 2.0]]> : tensor<2x2xf32>
  %sum = arith.addf %a, %b : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = linalg.matmul ins(%sum, %two : tensor<2x2xf32>, tensor<2x2xf32>) outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}";

/// The sum, and that added to itself.
const TOSA: &str = "func.func @f(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %sum = tosa.add %a, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = tosa.add %sum, %sum : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}";

/// The same by a loop of one round.
const TOSA_LOOP: &str = r#"func.func @f(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %sum = tosa.add %a, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %zero = "tosa.const"() {values = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = "tosa.const"() {values = dense<1> : tensor<i32>} : () -> tensor<i32>
  %n, %r = tosa.while_loop (%i = %zero, %x = %sum) : (tensor<i32>, tensor<2x2xf32>) -> (tensor<i32>, tensor<2x2xf32>) {
    %more = tosa.greater %one, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %more : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %x: tensor<2x2xf32>):
    %next = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %twice = tosa.add %x, %x : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    tosa.yield %next, %twice : tensor<i32>, tensor<2x2xf32>
  }
  return %r : tensor<2x2xf32>
}"#;

/// The sum of matrices of one shape, doubled.
const SHAPE: &str = "func.func @f(%a: tensor<?x2xf32>, %b: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %s = shape.shape_of %a : tensor<?x2xf32> -> tensor<2xindex>
  %t = shape.shape_of %b : tensor<?x2xf32> -> tensor<2xindex>
  %w = shape.cstr_eq %s, %t : tensor<2xindex>, tensor<2xindex>
  %r = shape.assuming %w -> tensor<?x2xf32> {
    %sum = arith.addf %a, %b : tensor<?x2xf32>
    %twice = arith.addf %sum, %sum : tensor<?x2xf32>
    shape.assuming_yield %twice : tensor<?x2xf32>
  }
  return %r : tensor<?x2xf32>
}";

/// A matrix in quarters.
const QUANT: &str =
    "func.func @f(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25>> {
  %r = quant.qcast %a : tensor<2x2xf32> to tensor<2x2x!quant.uniform<i8:f32, 0.25>>
  return %r : tensor<2x2x!quant.uniform<i8:f32, 0.25>>
}";

fn run(folder: &Path, file: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridloom"));
    command.args([
        "run",
        file,
        "--device=cpu",
        "--arg=iota[2x2]",
        "--arg=iota[2x2]",
    ]);
    let output = command.current_dir(folder).output();
    output.expect("the program can be started")
}

/// The command behind `help:` in a refusal.
fn command_in(messages: &str) -> Option<&str> {
    let mut lines = messages.lines();
    lines.find_map(|line| line.trim_start().strip_prefix("help: "))
}

#[test]
fn the_command_of_a_refusal_leads_to_a_program_that_runs() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("foreign");
    fs::create_dir_all(&folder).expect("the folder can be made");
    for text in [LINALG, TOSA, TOSA_LOOP, SHAPE, QUANT] {
        fs::write(folder.join("program.mlir"), text).expect("the folder can be written to");
        let refused = run(&folder, "program.mlir");
        let messages = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{messages}");
        assert_eq!(messages.matches("error: ").count(), 1, "{messages}");

        let command = command_in(&messages).expect("a command is told");
        let tool = mlir_opt().path().display().to_string();
        let command = command.replace("mlir-opt-22", &tool);
        let lowered = Command::new("sh")
            .args(["-c", &command])
            .current_dir(&folder)
            .output()
            .expect("a shell can be started");
        let said = String::from_utf8_lossy(&lowered.stderr);
        assert!(lowered.status.success(), "{command}\n{said}");

        let output = run(&folder, "lowered.mlir");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(printed.contains("= [0, 4, 8, 12], sum 24"), "{printed}");
    }
}

/// A run makes its arguments row-major, so that what bufferization leaves open of their layout keeps no loop from the grid.
#[test]
fn default_bufferized_boundaries_are_mapped() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/filetests/run/values/default_bufferized_boundaries.mlir"
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridloom"));
    command.args(["run", file, "--device=cpu", "--offload"]);
    let output = command.output().expect("the program can be started");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("kernel: @mm_kernel0 ("), "{printed}");
}
