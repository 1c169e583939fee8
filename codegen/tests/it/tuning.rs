//! Tuned schedules: every point of the space of a nest leaves the same results, and an entry that
//! does not fit is told and not used.

use std::collections::BTreeMap;
use std::sync::Arc;

use gridloom_codegen::explain::spaces;
use gridloom_codegen::pass::offload::offload;
use gridloom_codegen::target::OffloadOptions;
use gridloom_codegen::target::tuning::{Choice, Entry, NestKey, Tuned};
use gridloom_ir::text::{PrintOptions, print_module};
use gridloom_ir::verify::verify;

use super::programs::{parse, run_sized};

/// A contraction, a stencil that leaves out the border, a triangle, a transposed sum of three loops.
const PROGRAMS: [(&str, &str, i64); 4] = [
    (
        "product",
        "func.func @product(%a: memref<18x40xf32>, %b: memref<40x22xf32>, %c: memref<18x22xf32>) {
           affine.for %i = 0 to 18 {
             affine.for %j = 0 to 22 {
               affine.for %k = 0 to 40 {
                 %x = affine.load %a[%i, %k] : memref<18x40xf32>
                 %y = affine.load %b[%k, %j] : memref<40x22xf32>
                 %z = affine.load %c[%i, %j] : memref<18x22xf32>
                 %p = arith.mulf %x, %y : f32
                 %s = arith.addf %z, %p : f32
                 affine.store %s, %c[%i, %j] : memref<18x22xf32>
               }
             }
           }
           return
         }",
        0,
    ),
    (
        "sweep",
        "func.func @sweep(%a: memref<19x70xf32>, %b: memref<19x70xf32>) {
           affine.for %i = 1 to 18 {
             affine.for %j = 1 to 69 {
               %l = affine.load %a[%i, %j - 1] : memref<19x70xf32>
               %r = affine.load %a[%i, %j + 1] : memref<19x70xf32>
               %u = affine.load %a[%i - 1, %j] : memref<19x70xf32>
               %x = arith.addf %l, %r : f32
               %y = arith.addf %x, %u : f32
               affine.store %y, %b[%i, %j] : memref<19x70xf32>
             }
           }
           return
         }",
        0,
    ),
    (
        "triangle",
        "func.func @triangle(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
           %c0 = arith.constant 0 : index
           %n = memref.dim %a, %c0 : memref<?x?xf32>
           affine.for %i = 0 to %n {
             affine.for %j = affine_map<(d0) -> (d0)>(%i) to %n {
               %x = affine.load %a[%i, %j] : memref<?x?xf32>
               %y = arith.addf %x, %x : f32
               affine.store %y, %b[%j, %i] : memref<?x?xf32>
             }
           }
           return
         }",
        13,
    ),
    (
        "turned",
        "func.func @turned(%a: memref<5x9x21xf32>, %b: memref<21x5x9xf32>) {
           affine.for %i = 0 to 5 {
             affine.for %j = 0 to 9 {
               affine.for %k = 0 to 21 {
                 %x = affine.load %a[%i, %j, %k] : memref<5x9x21xf32>
                 %y = affine.load %b[%k, %i, %j] : memref<21x5x9xf32>
                 %z = arith.addf %x, %y : f32
                 affine.store %z, %b[%k, %i, %j] : memref<21x5x9xf32>
               }
             }
           }
           return
         }",
        0,
    ),
];

/// Options with one entry.
fn tuned(options: &OffloadOptions, key: &NestKey, choice: Choice) -> OffloadOptions {
    let entry = Entry {
        choice,
        time: 1,
        untuned: 2,
        line: 7,
    };
    OffloadOptions {
        tuned: Some(Tuned {
            source: "tuning.txt".to_owned(),
            entries: Arc::new(BTreeMap::from([(key.clone(), entry)])),
        }),
        ..options.clone()
    }
}

#[test]
fn every_schedule_of_the_space_is_right() {
    for options in [OffloadOptions::cpu_driver(), OffloadOptions::gpu()] {
        let mut staged = 0;
        for (entry, text, size) in PROGRAMS {
            let ctx = gridloom_dialects::context();
            let original = parse(&ctx, text);
            let expected = run_sized(&ctx, &original, entry, size);
            assert!(expected.is_ok(), "{expected:?}");
            let found = spaces(&ctx, &original, &options).expect("it is mapped");
            // Open sizes give a nest a copy for those that its accesses do not fit.
            let space = found.first().expect("there is a nest");
            assert!(space.candidates.len() > 8, "{entry}");
            // The cheapest, and some of all kinds.
            let count = space.candidates.len();
            let places = (0..12).chain((12..count).step_by((count / 48).max(1)));
            let of_chunks = (0..count).filter(|&at| space.candidates[at].choice.chunk.is_some());
            for at in places.chain(of_chunks.step_by(7)).filter(|&at| at < count) {
                let choice = space.candidates[at].choice.clone();
                staged += usize::from(choice.chunk.is_some());
                let mut module = parse(&ctx, text);
                let with = tuned(&options, &space.key, choice.clone());
                let remarks = offload(&ctx, &mut module, &with).expect("it is mapped");
                assert!(verify(&ctx, &module).is_empty(), "{entry}: {choice}");
                let used = remarks.iter().any(|remark| {
                    remark
                        .message
                        .contains("uses the tuned schedule at tuning.txt:7")
                });
                assert!(
                    used || found.len() > 1,
                    "{entry}: {choice}: {}",
                    remarks.render(&ctx)
                );
                assert_eq!(
                    run_sized(&ctx, &module, entry, size),
                    expected,
                    "{entry}: {choice}"
                );
            }
        }
        // Staging is for GPUs.
        assert_eq!(staged > 0, options.workgroup_memory > 0);
    }
}

#[test]
fn names_do_not_matter_and_sizes_do() {
    let key = |text: &str| {
        let ctx = gridloom_dialects::context();
        let module = parse(&ctx, text);
        let spaces = spaces(&ctx, &module, &OffloadOptions::gpu()).expect("it is mapped");
        spaces[0].key.clone()
    };
    let text = PROGRAMS[0].1;
    let first = key(text);
    let renamed = text
        .replace("%x", "%other")
        .replace("@product", "@something");
    assert_eq!(key(&renamed), first);
    let larger = key(&text.replace("22", "23"));
    assert_eq!(larger.structure, first.structure);
    assert_ne!(larger.shapes, first.shapes);
    assert_ne!(
        key(&text.replace("arith.addf", "arith.subf")).structure,
        first.structure
    );
}

/// A band along the diagonal: far from a box, so no tile of it is legal.
const BANDED: &str = "
    func.func @banded(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
      %c0 = arith.constant 0 : index
      %n = memref.dim %a, %c0 : memref<?x?xf32>
      affine.for %i = 0 to %n {
        affine.for %j = affine_map<(d0) -> (d0)>(%i) to min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%i)[%n] {
          %x = affine.load %a[%i, %j] : memref<?x?xf32>
          %y = arith.addf %x, %x : f32
          affine.store %y, %b[%j, %i] : memref<?x?xf32>
        }
      }
      return
    }";

#[test]
fn an_entry_that_does_not_fit_is_told_and_not_used() {
    let options = OffloadOptions::cpu_driver();
    let ctx = gridloom_dialects::context();
    let text = BANDED;
    let module = parse(&ctx, text);
    let space = spaces(&ctx, &module, &options)
        .expect("it is mapped")
        .remove(0);
    let plain = {
        let mut module = parse(&ctx, text);
        offload(&ctx, &mut module, &options).expect("it is mapped");
        print_module(&ctx, &module, &PrintOptions::default())
    };
    let current = space.current.clone();
    let stale = [
        (
            Choice {
                order: vec![0, 0],
                ..current.clone()
            },
            "'order'",
        ),
        (
            Choice {
                order: vec![5],
                ..current.clone()
            },
            "'order'",
        ),
        (
            Choice {
                tile: vec![1],
                ..current.clone()
            },
            "'tile'",
        ),
        (
            Choice {
                tile: vec![1, i64::MAX],
                ..current.clone()
            },
            "'tile'",
        ),
        (
            Choice {
                tile: vec![2, 2],
                ..current.clone()
            },
            "cannot be tiled",
        ),
        (
            Choice {
                walk: [0, 1, 1],
                ..current.clone()
            },
            "'walk'",
        ),
        (
            Choice {
                walk: [i64::MAX; 3],
                ..current.clone()
            },
            "'walk'",
        ),
        (
            Choice {
                workgroup: [3, 1, 1],
                ..current.clone()
            },
            "'workgroup'",
        ),
        (
            Choice {
                workgroup: [512, 512, 512],
                ..current.clone()
            },
            "'workgroup'",
        ),
        (
            Choice {
                workgroup: [1, 1, 8],
                ..current.clone()
            },
            "'workgroup'",
        ),
        (
            Choice {
                lead: 3,
                ..current.clone()
            },
            "'lead'",
        ),
        (
            Choice {
                chunk: Some(16),
                ..current.clone()
            },
            "staged",
        ),
    ];
    for (choice, why) in stale {
        let mut module = parse(&ctx, text);
        let with = tuned(&options, &space.key, choice.clone());
        let remarks = offload(&ctx, &mut module, &with).expect("it is mapped");
        let said = remarks.render(&ctx);
        let expected = "the tuned schedule at tuning.txt:7 does not fit this loop nest";
        assert!(
            said.contains(expected) && said.contains(why),
            "{choice}: {said}"
        );
        assert_eq!(
            print_module(&ctx, &module, &PrintOptions::default()),
            plain,
            "{choice}"
        );
    }
}
