//! Arrays of NumPy as arguments: which element types a memref takes, and keeps.

use std::fs;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = "func.func @f(%a: memref<4xi8>, %b: memref<4xsi8>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xi8>
    %c50 = arith.constant 50 : i8
    %y = arith.addi %x, %c50 : i8
    affine.store %y, %a[%i] : memref<4xi8>
  }
  return
}";

/// A file of version 1.0 with four elements.
fn file(descr: &str, elements: &[u8]) -> Vec<u8> {
    let mut header =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (4,), }}").into_bytes();
    // Ten bytes stand before it, and all are a multiple of 64.
    header.resize(128 - 10 - 1, b' ');
    header.push(b'\n');
    let length = u16::try_from(header.len()).expect("it has 118 bytes");
    let start = [&b"\x93NUMPY\x01\x00"[..], &length.to_le_bytes()].concat();
    [start, header, elements.to_vec()].concat()
}

/// Runs a program with arrays; the output, and the saved first argument.
fn run(folder: &Path, program: &str, arrays: &[Vec<u8>]) -> (String, Option<Vec<u8>>) {
    let path = |name: &str| folder.join(name).display().to_string();
    fs::write(path("f.mlir"), program).expect("the folder can be written to");
    let names: Vec<String> = (0..arrays.len()).map(|n| format!("{n}.npy")).collect();
    for (name, array) in names.iter().zip(arrays) {
        fs::write(path(name), array).expect("the folder can be written to");
    }
    // It may not be there.
    let _ = fs::remove_file(path("out.npy"));
    let output = Command::new(env!("CARGO_BIN_EXE_gridloom"))
        .args(["run", &path("f.mlir"), "--device=cpu"])
        .args(names.iter().map(|name| format!("--arg=@{}", path(name))))
        .arg(format!("--save-arg=0=@{}", path("out.npy")))
        .output()
        .expect("the program can be started");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    (said, fs::read(path("out.npy")).ok())
}

/// 200 + 50 is 250, or -6; 255 + 50 is 49 with either sign.
#[test]
fn integers_without_a_sign_keep_that_of_their_file() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("arrays");
    fs::create_dir_all(&folder).expect("the folder can be made");
    let of_type = |descr| file(descr, &[200, 3, 255, 7]);
    for (descr, shown) in [("|u1", "[250, 53, 49, 57]"), ("|i1", "[-6, 53, 49, 57]")] {
        let (said, saved) = run(&folder, PROGRAM, &[descr, "|i1"].map(of_type));
        assert!(said.contains(shown), "{said}");
        let saved = saved.expect("it was saved");
        let header = String::from_utf8_lossy(&saved);
        assert!(header.contains(&format!("'{descr}'")), "{header}");
        assert_eq!(saved[saved.len() - 4..], [250, 53, 49, 57]);
    }
    // A type that says what sign its integers have takes no other.
    let (said, saved) = run(&folder, PROGRAM, &["|u1", "|u1"].map(of_type));
    let reason = "' holds uint8, and int8 is needed; in NumPy, array.astype('int8') converts it";
    assert!(said.contains("argument 1 (memref<4xsi8>): '"), "{said}");
    assert!(said.contains(reason), "{said}");
    assert!(saved.is_none());
}

/// Integers of four bits in a file of bytes: 7 + 1 wraps around to -8.
#[test]
fn integers_of_fewer_bits_are_whole_bytes_in_files() {
    let folder = crate::scratch("fewer_bits");
    let text = "func.func @f(%a: memref<4xi4>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xi4>
    %one = arith.constant 1 : i4
    %y = arith.addi %x, %one : i4
    affine.store %y, %a[%i] : memref<4xi4>
  }
  return
}";
    let (said, saved) = run(&folder, text, &[file("|i1", &[1, 0xf8, 7, 0xff])]);
    assert!(said.contains("[2, -7, -8, 0]"), "{said}");
    let saved = saved.expect("it was saved");
    assert!(String::from_utf8_lossy(&saved).contains("'|i1'"));
    assert_eq!(saved[saved.len() - 4..], [2, 0xf9, 0xf8, 0]);
    let (said, _) = run(&folder, text, &[file("|i1", &[1, 2, 3, 9])]);
    let reason = "' holds 9, which is no number of that type";
    assert!(said.contains("argument 0 (memref<4xi4>): '"), "{said}");
    assert!(said.contains(reason), "{said}");
}

/// Runs the program that adds the second number of each pair to the first, with an argument.
fn sums_of_pairs(folder: &Path, argument: &Path) -> String {
    let program = folder.join("pairs.mlir");
    let text = "func.func @f(%a: memref<4x2xf32>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i, 0] : memref<4x2xf32>
    %y = affine.load %a[%i, 1] : memref<4x2xf32>
    %sum = arith.addf %x, %y : f32
    affine.store %sum, %a[%i, 0] : memref<4x2xf32>
  }
  return
}";
    fs::write(&program, text).expect("the folder can be written to");
    let output = Command::new(env!("CARGO_BIN_EXE_gridloom"))
        .args(["run", &program.display().to_string(), "--device=cpu"])
        .arg(format!("--arg=@{}", argument.display()))
        .output()
        .expect("the program can be started");
    let said = [output.stdout, output.stderr].concat();
    String::from_utf8_lossy(&said).into_owned()
}

/// Programs with complex numbers have memrefs of pairs once they are compiled, and take the same files.
#[test]
fn a_memref_of_pairs_takes_complex_numbers() {
    let folder = crate::scratch("pairs");
    let numbers = [1.0f32, 10.0, 2.0, 20.0, 3.0, 30.0, 4.0, 40.0];
    let elements: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
    let complex = folder.join("complex.npy");
    fs::write(&complex, file("<c8", &elements)).expect("the folder can be written to");
    let said = sums_of_pairs(&folder, &complex);
    assert!(
        said.contains("[11, 10, 22, 20, ..., 40], sum 210"),
        "{said}"
    );
    // Of other parts.
    let wide = folder.join("wide.npy");
    fs::write(&wide, file("<c16", &[0; 64])).expect("the folder can be written to");
    let said = sums_of_pairs(&folder, &wide);
    assert!(
        said.contains("holds complex128, and float32 is needed"),
        "{said}"
    );
}

#[test]
#[cfg(unix)]
fn a_device_without_end_is_no_array() {
    let folder = crate::scratch("endless");
    let said = sums_of_pairs(&folder, Path::new("/dev/zero"));
    assert!(said.contains("'/dev/zero' is not an .npy file"), "{said}");
}
