//! The race detector: programs with a race and the same without.

mod loops;

use gridloom_interp::{AccessKind, Argument, FaultKind, Machine, Options, Race, ThreadOrder};
use gridloom_ir::text::parse_type;

use crate::{I32, ORDERS, parse};

/// Runs `@main` on 64 `i32`: the race found, and its message.
fn race_in(order: ThreadOrder, text: &str) -> Option<(Race, String)> {
    let ctx = gridloom_dialects::context();
    let module = parse(&ctx, text);
    let options = Options {
        checked: true,
        races: true,
        step_limit: Some(1_000_000),
        thread_order: order,
        ..Options::default()
    };
    let mut machine = Machine::new(&ctx, &module, "main", None, options)
        .unwrap_or_else(|found| panic!("{}", found.render(&ctx)));
    let ty = parse_type(&ctx, "memref<64xi32>").unwrap_or_else(|_| panic!("a type"));
    let memref = machine.allocate(ty, &[64]).unwrap();
    for position in 0..64 {
        let memory = machine.memory_mut();
        memory.write(&memref, position, I32, 1).unwrap();
    }
    let fault = machine.run(&[Argument::MemRef(I32, memref)]).err()?;
    let shown = fault.to_diagnostic().render(&ctx);
    let kind = match fault.kind {
        FaultKind::InKernel(inner) => inner.kind,
        other => other,
    };
    match kind {
        FaultKind::Race(race) => Some((*race, shown)),
        _ => panic!("{order:?}: {shown}\n{text}"),
    }
}

/// Whether the detector finds a race, which must not depend on the order.
fn races(text: &str) -> bool {
    let found = ORDERS.map(|order| race_in(order, text).is_some());
    assert!(found.iter().all(|&f| f == found[0]), "{found:?}\n{text}");
    found[0]
}

/// Text of `@main` with constants, and `body` in it.
fn host(body: &str) -> String {
    format!(
        "func.func @main(%m: memref<64xi32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
{body}
  return
}}"
    )
}

/// Text of a launch of 2 workgroups of 4 threads; `%at` is the thread's number in the grid.
fn kernel(attributions: &str, body: &str) -> String {
    host(&format!(
        "gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
           threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {attributions} {{
  %first = arith.muli %bx, %sx : index
  %at = arith.addi %first, %tx : index
{body}
  gpu.terminator
}}"
    ))
}

const STORE_AT: &str = "memref.store %one, %m[%at] : memref<64xi32>\n";
const STORE_0: &str = "memref.store %one, %m[%c0] : memref<64xi32>\n";
const LOAD_AT: &str = "%l = memref.load %m[%at] : memref<64xi32>\n";

#[test]
fn threads_that_write_elements_of_their_own_do_not_race() {
    assert!(!races(&kernel("", STORE_AT)));
    assert!(!races(&kernel("", &format!("{LOAD_AT}{STORE_AT}"))));
    // All threads read one element.
    assert!(!races(&kernel(
        "",
        "%l = memref.load %m[%c0] : memref<64xi32>"
    )));
}

#[test]
fn a_race_names_both_threads_and_both_places() {
    let text = kernel(
        "",
        "%t8 = arith.remui %tx, %c2 : index
  %same = arith.addi %first, %t8 : index
  memref.store %one, %m[%same] : memref<64xi32>",
    );
    let (race, shown) = race_in(ThreadOrder::Ascending, &text).unwrap();
    assert_eq!(race.access, AccessKind::Write);
    assert_eq!(race.who, "thread (2, 0, 0) of workgroup (0, 0, 0)");
    assert_eq!(race.earlier_who, "thread (0, 0, 0) of workgroup (0, 0, 0)");
    assert_eq!(race.index, Some(vec![0]));
    assert!(race.barrier_would_help);
    assert!(
        shown.starts_with("test.mlir:14:3: error: data race: thread (2, 0, 0) of"),
        "{shown}"
    );
    assert!(
        shown.contains("test.mlir:14:3: note: thread (0, 0, 0) of workgroup (0, 0, 0) writes it"),
        "{shown}"
    );
    assert!(shown.contains("note: launched from here"), "{shown}");
    // In reverse the last workgroup comes first, and thread 3 before thread 1.
    let (race, _) = race_in(ThreadOrder::Descending, &text).unwrap();
    assert_eq!(race.who, "thread (1, 0, 0) of workgroup (1, 0, 0)");
    assert_eq!(race.earlier_who, "thread (3, 0, 0) of workgroup (1, 0, 0)");
}

#[test]
fn a_barrier_orders_the_threads_of_a_workgroup_only() {
    // Thread t reads what its neighbour has written: 1 + t modulo 4.
    let neighbour = |between: &str, store: &str| {
        let body = format!(
            "{store}  {between}
  %n0 = arith.addi %tx, %c1 : index
  %n1 = arith.remui %n0, %sx : index
  %n2 = arith.addi %first, %n1 : index
  %l = memref.load %m[%n2] : memref<64xi32>"
        );
        kernel("", &body)
    };
    assert!(races(&neighbour("", STORE_AT)));
    assert!(!races(&neighbour("gpu.barrier", STORE_AT)));
    // Workgroup 1 reads what workgroup 0 writes: no barrier helps.
    let across = kernel(
        "",
        &format!("{STORE_AT} gpu.barrier\n %l = memref.load %m[%tx] : memref<64xi32>"),
    );
    assert!(races(&across));
    let (race, _) = race_in(ThreadOrder::Ascending, &across).unwrap();
    assert_eq!(race.who, "thread (0, 0, 0) of workgroup (1, 0, 0)");
    assert_eq!(race.earlier_who, "thread (0, 0, 0) of workgroup (0, 0, 0)");
    assert!(!race.barrier_would_help);
}

#[test]
fn a_read_is_remembered_past_later_ones() {
    // Each thread reads its neighbour's element, then writes its own: the
    // neighbour's read may be first, last or between.
    let text = |shift: &str| {
        kernel(
            "",
            &format!(
                "%n0 = arith.addi %tx, {shift} : index
  %n1 = arith.remui %n0, %sx : index
  %n2 = arith.addi %first, %n1 : index
  %x = memref.load %m[%n2] : memref<64xi32>
  {LOAD_AT}  {STORE_AT}"
            ),
        )
    };
    assert!(races(&text("%c1")));
    assert!(races(&text("%c2")));
    assert!(!races(&text("%c4")));
}

#[test]
fn workgroup_memory_is_shared_and_private_memory_is_not() {
    let rotated = |barrier: &str| {
        kernel(
            "workgroup(%w : memref<4xi32, #gpu.address_space<workgroup>>)",
            &format!(
                "{LOAD_AT}
  memref.store %l, %w[%tx] : memref<4xi32, #gpu.address_space<workgroup>>
  {barrier}
  %n0 = arith.addi %tx, %c1 : index
  %n1 = arith.remui %n0, %sx : index
  %v = memref.load %w[%n1] : memref<4xi32, #gpu.address_space<workgroup>>
  memref.store %v, %m[%at] : memref<64xi32>"
            ),
        )
    };
    assert!(!races(&rotated("gpu.barrier")));
    let first = race_in(ThreadOrder::Random(5), &rotated("gpu.barrier"));
    assert!(first.is_none());
    let private = kernel(
        "private(%p : memref<4xi32, #gpu.address_space<private>>)",
        "memref.store %one, %p[%c0] : memref<4xi32, #gpu.address_space<private>>
  %v = memref.load %p[%c0] : memref<4xi32, #gpu.address_space<private>>
  memref.store %v, %m[%at] : memref<64xi32>",
    );
    assert!(!races(&private));
    // Every thread fills the whole tile.
    let filled = kernel(
        "workgroup(%w : memref<4xi32, #gpu.address_space<workgroup>>)",
        "affine.for %k = 0 to 4 {
    memref.store %one, %w[%k] : memref<4xi32, #gpu.address_space<workgroup>>
  }",
    );
    assert!(races(&filled));
}

#[test]
fn what_a_thread_rewrites_between_two_barriers_is_found() {
    // Each thread reads after one barrier the element that another writes before the next.
    let tile = |second: &str| {
        kernel(
            "workgroup(%w : memref<4xi32, #gpu.address_space<workgroup>>)",
            &format!(
                "affine.for %k = 0 to 3 {{
    memref.store %one, %w[%tx] : memref<4xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %n0 = arith.addi %tx, %c1 : index
    %n1 = arith.remui %n0, %sx : index
    %v = memref.load %w[%n1] : memref<4xi32, #gpu.address_space<workgroup>>
    {second}
  }}"
            ),
        )
    };
    assert!(!races(&tile("gpu.barrier")));
    assert!(races(&tile("")));
}

#[test]
fn atomics_do_not_race_with_each_other() {
    let add = "%o = memref.atomic_rmw addi %one, %m[%c0] : (i32, memref<64xi32>) -> i32\n";
    let generic = "%g = memref.generic_atomic_rmw %m[%c0] : memref<64xi32> {
    ^bb0(%old: i32):
      %new = arith.addi %old, %one : i32
      memref.atomic_yield %new : i32
  }\n";
    assert!(!races(&kernel("", add)));
    assert!(!races(&kernel("", &format!("{add}{generic}"))));
    assert!(races(&kernel("", &format!("{add}{STORE_0}"))));
    let read = "%l0 = memref.load %m[%c0] : memref<64xi32>\n";
    assert!(races(&kernel("", &format!("{add}{read}"))));
}

#[test]
fn launches_and_host_code_come_one_after_the_other() {
    let launch = |name: &str| {
        format!(
            "gpu.launch blocks(%bx{name}, %by{name}, %bz{name}) in (%gx{name} = %c2, %gy{name} = %c1, %gz{name} = %c1)
         threads(%tx{name}, %ty{name}, %tz{name}) in (%sx{name} = %c4, %sy{name} = %c1, %sz{name} = %c1) {{
  %first = arith.muli %bx{name}, %sx{name} : index
  %at = arith.addi %first, %tx{name} : index
  %r = arith.subi %c8, %at : index
  %l = memref.load %m[%r] : memref<64xi32>
  gpu.terminator
}}\n"
        )
    };
    let writes = "affine.parallel (%i) = (0) to (64) {
  affine.store %one, %m[%i] : memref<64xi32>
}\n";
    let body = format!("{}{writes}{STORE_0}{}{writes}", launch("a"), launch("b"));
    assert!(!races(&host(&body)));
}

#[test]
fn views_share_the_memory_of_their_buffer() {
    // Rows of 8, each iteration its own, or two that overlap by one element.
    let rows = |stride: i64| {
        format!(
            "affine.parallel (%i) = (0) to (4) {{
  %start = affine.apply affine_map<(d0) -> (d0 * {stride})>(%i)
  %row = memref.subview %m[%start] [8] [1] : memref<64xi32> to memref<8xi32, strided<[1], offset: ?>>
  affine.for %j = 0 to 8 {{
    affine.store %one, %row[%j] : memref<8xi32, strided<[1], offset: ?>>
  }}
}}"
        )
    };
    assert!(!races(&host(&rows(8))));
    assert!(races(&host(&rows(7))));
    // Bytes of one i32 are not the bytes of another.
    let bytes = |index: &str, other: &str| {
        format!(
            "%b = memref.alloc() : memref<64xi8>
%words = memref.view %b[%c0][] : memref<64xi8> to memref<16xi32>
%byte = arith.constant 1 : i8
affine.parallel (%i) = (0) to (8) {{
  affine.store %one, %words[{index}] : memref<16xi32>
  affine.store %byte, %b[{other}] : memref<64xi8>
}}"
        )
    };
    assert!(!races(&host(&bytes("%i", "%i + 32"))));
    assert!(!races(&host(&bytes("%i", "%i * 4 + 3"))));
    assert!(races(&host(&bytes("%i", "%i * 4 + 4"))));
    assert!(races(&host(&bytes("%i", "%i"))));
}

#[test]
fn copies_and_frees_are_accesses_too() {
    let copy = |to: &str| {
        format!(
            "affine.parallel (%i) = (0) to (4) {{
  %from = memref.subview %m[32] [8] [1] : memref<64xi32> to memref<8xi32, strided<[1], offset: 32>>
  %start = affine.apply affine_map<(d0) -> ({to})>(%i)
  %row = memref.subview %m[%start] [8] [1] : memref<64xi32> to memref<8xi32, strided<[1], offset: ?>>
  memref.copy %from, %row : memref<8xi32, strided<[1], offset: 32>> to memref<8xi32, strided<[1], offset: ?>>
}}"
        )
    };
    assert!(!races(&host(&copy("d0 * 8"))));
    assert!(races(&host(&copy("d0 * 4"))));
    assert!(races(&host(&copy("d0 * 8 + 16"))));
    let free = |used: &str| {
        format!(
            "%a = memref.alloc() : memref<8xi32>
scf.parallel (%i) = (%c0) to (%c2) step (%c1) {{
  %own = memref.alloc() : memref<8xi32>
  memref.store %one, {used}[%i] : memref<8xi32>
  memref.dealloc %own : memref<8xi32>
  scf.reduce
}}
memref.dealloc %a : memref<8xi32>"
        )
    };
    assert!(!races(&host(&free("%own"))));
    assert!(!races(&host(&free("%a"))));
    let last = "%a = memref.alloc() : memref<8xi32>
scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
  memref.store %one, %a[%i] : memref<8xi32>
  %is_last = arith.cmpi eq, %i, %c1 : index
  scf.if %is_last {
    memref.dealloc %a : memref<8xi32>
  }
  scf.reduce
}";
    let (_, shown) = race_in(ThreadOrder::Ascending, &host(last)).unwrap();
    assert!(
        shown.contains("iteration (1) frees a buffer that iteration (0) writes"),
        "{shown}"
    );
}

#[test]
fn calls_and_memory_of_iterations_are_followed() {
    let text = |index: &str| {
        format!(
            "func.func private @set(%m: memref<64xi32>, %i: index) {{
  %one = arith.constant 1 : i32
  %own = memref.alloca() : memref<2xi32>
  %c0 = arith.constant 0 : index
  memref.store %one, %own[%c0] : memref<2xi32>
  memref.store %one, %m[{index}] : memref<64xi32>
  return
}}
{}",
            host(
                "affine.parallel (%i) = (0) to (8) {
  func.call @set(%m, %i) : (memref<64xi32>, index) -> ()
}"
            )
        )
    };
    assert!(!races(&text("%i")));
    assert!(races(&text("%c0")));
    let (_, shown) = race_in(ThreadOrder::Ascending, &text("%c0")).unwrap();
    assert!(shown.contains("called from here"), "{shown}");
}
