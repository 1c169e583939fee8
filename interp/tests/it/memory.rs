//! Views, layouts and copies.

use gridloom_interp::{FaultKind, Machine, Options};
use gridloom_ir::text::parse_type;

use crate::{INDEX, parse, results, run_on};

#[test]
fn a_subview_writes_through() {
    // Elements 1, 4, 7 of the buffer.
    let text = "func.func @main(%m: memref<9xi32>) {
      %v = memref.subview %m[1][3][3] : memref<9xi32> to memref<3xi32, strided<[3], offset: 1>>
      %five = arith.constant 5 : i32
      affine.for %i = 0 to 3 {
        affine.store %five, %v[%i] : memref<3xi32, strided<[3], offset: 1>>
      }
      return
    }";
    let got = run_on(text, "memref<9xi32>", &[0; 9]).unwrap();
    assert_eq!(got, [0, 5, 0, 0, 5, 0, 0, 5, 0]);
}

#[test]
fn a_copy_reads_everything_before_it_writes() {
    let text = "func.func @main(%m: memref<5xi32>) {
      %from = memref.subview %m[0][4][1] : memref<5xi32> to memref<4xi32, strided<[1]>>
      %to = memref.subview %m[1][4][1] : memref<5xi32> to memref<4xi32, strided<[1], offset: 1>>
      memref.copy %from, %to : memref<4xi32, strided<[1]>> to memref<4xi32, strided<[1], offset: 1>>
      return
    }";
    let got = run_on(text, "memref<5xi32>", &[1, 2, 3, 4, 5]).unwrap();
    assert_eq!(got, [1, 1, 2, 3, 4]);
}

#[test]
fn expanding_and_collapsing_keep_the_order() {
    let text = "func.func @main(%m: memref<6xi32>) {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %e = memref.expand_shape %m [[0, 1]] output_shape [2, 3] : memref<6xi32> into memref<2x3xi32>
      %v = memref.load %e[%c1, %c2] : memref<2x3xi32>
      %k = memref.collapse_shape %e [[0, 1]] : memref<2x3xi32> into memref<6xi32>
      memref.store %v, %k[%c1] : memref<6xi32>
      return
    }";
    let got = run_on(text, "memref<6xi32>", &[0, 1, 2, 3, 4, 5]).unwrap();
    assert_eq!(got, [0, 5, 2, 3, 4, 5]);
}

#[test]
fn a_layout_map_places_elements() {
    // Column-major: element (i, j) of a 2x3 memref lies at j*2 + i.
    let ctx = gridloom_dialects::context();
    let module = parse(&ctx, "func.func @main() { return }");
    let mut machine = Machine::new(&ctx, &module, "main", None, Options::default()).unwrap();
    let ty = parse_type(&ctx, "memref<2x3xf32, affine_map<(d0, d1) -> (d1, d0)>>").unwrap();
    let memref = machine.allocate(ty, &[2, 3]).unwrap();
    assert_eq!((memref.offset, &memref.strides[..]), (0, &[1, 2][..]));
    let ty = parse_type(&ctx, "memref<3xf32, affine_map<(d0) -> (d0 * 4 + 5)>>").unwrap();
    let memref = machine.allocate(ty, &[3]).unwrap();
    assert_eq!((memref.offset, &memref.strides[..]), (5, &[4][..]));
    // The buffer spans up to position 5 + 2 * 4: 14 elements of four bytes.
    assert_eq!(
        machine.memory().get(memref.alloc).unwrap().bytes().len(),
        56
    );
}

#[test]
fn sizes_and_metadata_are_those_of_the_view() {
    let text = "func.func @main() -> (index, index, index) {
      %n = arith.constant 10 : index
      %c0 = arith.constant 0 : index
      %m = memref.alloc(%n) : memref<?xf32>
      %v = memref.subview %m[4][3][2] : memref<?xf32> to memref<3xf32, strided<[2], offset: 4>>
      %base, %offset, %size, %stride = memref.extract_strided_metadata %v
        : memref<3xf32, strided<[2], offset: 4>> -> memref<f32>, index, index, index
      %d = memref.dim %m, %c0 : memref<?xf32>
      memref.dealloc %m : memref<?xf32>
      return %d, %offset, %stride : index, index, index
    }";
    assert_eq!(results(text).unwrap(), [10, 4, 2]);
}

#[test]
fn memory_is_bounded() {
    let ctx = gridloom_dialects::context();
    let module = parse(&ctx, "func.func @main() { return }");
    let options = Options {
        memory_limit: 1000,
        ..Options::default()
    };
    let mut machine = Machine::new(&ctx, &module, "main", None, options).unwrap();
    let first = machine.memory_mut().allocate(100, INDEX).unwrap();
    assert!(machine.memory_mut().allocate(26, INDEX).is_err());
    machine.memory_mut().free(first).unwrap();
    assert!(machine.memory_mut().allocate(125, INDEX).is_ok());
    assert!(machine.memory_mut().allocate(u64::MAX, INDEX).is_err());
}

#[test]
fn a_buffer_grows_and_shrinks_by_reallocation() {
    let text = |size: i64, read: i64| {
        format!(
            "func.func @main() -> i32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %five = arith.constant 5 : i32
  %size = arith.constant {size} : index
  %at = arith.constant {read} : index
  %m = memref.alloc() : memref<3xi32>
  memref.store %five, %m[%c0] : memref<3xi32>
  memref.store %five, %m[%c1] : memref<3xi32>
  memref.store %five, %m[%c2] : memref<3xi32>
  %n = memref.realloc %m(%size) : memref<3xi32> to memref<?xi32>
  %v = memref.load %n[%at] : memref<?xi32>
  memref.dealloc %n : memref<?xi32>
  return %v : i32
}}"
        )
    };
    assert_eq!(results(&text(5, 2)), Ok(vec![5]));
    assert_eq!(results(&text(1, 0)), Ok(vec![5]));
    // Elements of the enlarged part are not written, those of the part cut off are gone.
    let (kind, _) = results(&text(5, 3)).unwrap_err();
    assert_eq!(kind, FaultKind::Uninitialised);
    let (kind, _) = results(&text(1, 1)).unwrap_err();
    assert!(matches!(kind, FaultKind::OutOfBounds { .. }));
    let old = text(5, 2).replace(
        "memref.dealloc %n : memref<?xi32>",
        "memref.dealloc %m : memref<3xi32>",
    );
    let (kind, _) = results(&old).unwrap_err();
    assert!(matches!(kind, FaultKind::BadFree(_)), "{kind:?}");
}
