//! Modules that `run --save-kernels` writes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use gridloom_test_tools::spirv_val;

fn run(folder: &Path, more: &[&str]) -> Output {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/matmul.mlir");
    Command::new(env!("CARGO_BIN_EXE_gridloom"))
        .args(["run", program, "--save-kernels"])
        .arg(folder)
        .args(more)
        .output()
        .expect("the program can be started")
}

/// What the driver gets is a module of its own for the kernel, with what is known at launch: `compile` writes another.
#[test]
fn what_the_driver_gets_is_saved() {
    let folder = crate::scratch("saved-kernels").join("new");
    let output = run(&folder, &["--device=llvmpipe"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    let files = fs::read_dir(&folder).expect("the folder is made");
    let files: Vec<_> = files
        .map(|file| file.expect("it is listed").path())
        .collect();
    assert_eq!(files.len(), said.matches("kernel: @").count(), "{files:?}");
    assert!(!files.is_empty(), "{said}");
    for file in files {
        let name = file.file_stem().expect("a name").display();
        assert!(said.contains(&format!("kernel: @{name} ")), "{said}");
        let words = fs::read(&file).expect("it can be read");
        let checked = spirv_val().run(&["--target-env", "vulkan1.3", "-"], &words);
        checked.unwrap_or_else(|error| panic!("{error}"));
    }
}

/// A kernel that is there and not launched is told apart from loops that were not mapped.
#[test]
fn kernels_that_are_not_launched_are_told() {
    let file = crate::scratch("unlaunched").join("program.mlir");
    let program = "func.func @main(%x: memref<?xf32>) {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f32
      %n = memref.dim %x, %c0 : memref<?xf32>
      affine.for %i = 0 to %n {
        affine.store %one, %x[%i] : memref<?xf32>
      }
      return
    }";
    fs::write(&file, program).expect("it can be written");
    let said = |size: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_gridloom"))
            .arg("run")
            .arg(&file)
            .args(["--device=llvmpipe", "--no-specialize", "--arg", size])
            .output()
            .expect("the program can be started");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let (some, none) = (said("zeros[9]"), said("zeros[0]"));
    assert!(some.contains("kernel: @main_kernel0"), "{some}");
    assert!(none.contains("kernel: none was launched"), "{none}");
}

/// Where nothing runs on a device, nothing can be saved; where nothing can be saved, the run has no success.
#[test]
fn what_cannot_be_saved_is_told() {
    let folder = crate::scratch("unsaved-kernels");
    let of = |folder: &Path, device: &str| {
        let output = run(folder, &[device]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), said)
    };
    let (code, said) = of(&folder, "--device=cpu");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("runs on the embedded interpreter"), "{said}");
    let file = folder.join("file");
    fs::write(&file, "").expect("it can be written");
    let (code, said) = of(&file, "--device=llvmpipe");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("cannot be made"), "{said}");
    let taken = folder.join("matmul_kernel0.spv");
    fs::create_dir(taken).expect("it can be made");
    let (code, said) = of(&folder, "--device=llvmpipe");
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("matmul_kernel0.spv' cannot be written: it is a folder"),
        "{said}"
    );
}
