//! What kernels print, on the device and on the interpreter: by workgroup, thread, and order in the thread.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use gridloom_test_tools::driver_files;

/// Threads count down what they print, so that the order of printing is not that of the numbers.
const DOWN: &str = r#"
module attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    gpu.launch_func @m::@k blocks in (%c2, %c2, %c1) threads in (%c3, %c1, %c1)
    gpu.printf "done\n"
    return
  }
  gpu.module @m {
    gpu.func @k() kernel {
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      scf.for %i = %c0 to %c2 step %c1 {
        %left = arith.subi %c1, %i : index
        gpu.printf "%lld%lld%lld:%lld ", %by, %bx, %t, %left : index, index, index, index
      }
      %last = arith.cmpi eq, %t, %c2 : index
      scf.if %last {
        gpu.printf "\n"
      }
      gpu.return
    }
  }
}
"#;

fn run(name: &str, text: &str, args: &[&str]) -> Output {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.mlir"));
    fs::write(&file, text).expect("the folder is ours");
    Command::new(env!("CARGO_BIN_EXE_gridloom"))
        .arg("run")
        .arg(&file)
        .args(args)
        .env("VK_DRIVER_FILES", driver_files())
        .output()
        .expect("the program can be started")
}

#[test]
fn threads_print_in_their_order() {
    let expected = "000:1 000:0 001:1 001:0 002:1 002:0 \n\
                    010:1 010:0 011:1 011:0 012:1 012:0 \n\
                    100:1 100:0 101:1 101:0 102:1 102:0 \n\
                    110:1 110:0 111:1 111:0 112:1 112:0 \n\
                    done\n";
    for args in [
        &["--device", "llvmpipe", "--require-device", "--check"][..],
        &["--device", "llvmpipe", "--require-device", "--portable"],
        &["--device", "SwiftShader", "--require-device", "--check"],
        &["--device", "cpu"],
        &["--device", "cpu", "--thread-order", "reverse"],
        &["--device", "cpu", "--thread-order", "random:5"],
    ] {
        let output = run("down", DOWN, args);
        let (out, said) = (&output.stdout, String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{args:?}: {said}");
        let out = String::from_utf8_lossy(out);
        assert!(out.starts_with(expected), "{args:?}: {out}");
    }
}

/// 400,000 records of five words are more than 4 MiB hold.
#[test]
fn what_does_not_fit_is_told() {
    let text = r#"
module attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %many = arith.constant 6250 : index
    gpu.launch_func @m::@k blocks in (%many, %c1, %c1) threads in (%c64, %c1, %c1)
    return
  }
  gpu.module @m {
    gpu.func @k() kernel {
      %b = gpu.block_id x
      %t = gpu.thread_id x
      gpu.printf "%lld %lld\n", %b, %t : index, index
      gpu.return
    }
  }
}
"#;
    let output = run("many", text, &["--device", "llvmpipe"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains(":7:5: warning: the kernel printed more than the device keeps"),
        "{said}"
    );
    let out = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = out
        .lines()
        .take_while(|line| !line.starts_with("device"))
        .collect();
    // What is kept is whole, in order, and each line once.
    assert_eq!(lines.len(), ((1 << 20) - 1) / 5);
    let numbers = lines.iter().map(|line| {
        let (block, thread) = line.split_once(' ').expect("two numbers");
        let number = |word: &str| word.parse::<u64>().expect("a number");
        64 * number(block) + number(thread)
    });
    let numbers: Vec<u64> = numbers.collect();
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
}
