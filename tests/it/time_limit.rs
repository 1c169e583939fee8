//! Time limit of runs whose kernels do not end.

use std::process::Command;

/// A launch whose threads wait for a number that nobody changes.
const ENDLESS: &str = "func.func @main(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%sx = %c1, %sy = %c1, %sz = %c1)
             threads(%tx, %ty, %tz) in (%ux = %c1, %uy = %c1, %uz = %c1) {
    %zero = arith.constant 0 : i32
    scf.while : () -> () {
      %x = memref.load %a[%tx] : memref<8xi32>
      %waits = arith.cmpi eq, %x, %zero : i32
      scf.condition(%waits)
    } do {
      memref.store %zero, %a[%tx] : memref<8xi32>
      scf.yield
    }
    gpu.terminator
  }
  return
}";

/// Nothing stops a kernel, so the process ends, and leaves no output behind.
#[test]
fn a_kernel_that_never_ends_ends_the_process() {
    let folder = crate::scratch("endless");
    let (file, saved) = (folder.join("endless.mlir"), folder.join("a.npy"));
    std::fs::write(&file, ENDLESS).expect("a file can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_gridloom"))
        .arg("run")
        .arg(&file)
        .args(["--device=llvmpipe", "--arg=zeros", "--time-limit=0.1"])
        .arg(format!("--save-arg=0=@{}", saved.display()))
        .output()
        .expect("the program can be started");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("exceeded its time limit"), "{said}");
    assert!(!saved.exists(), "{said}");
}
