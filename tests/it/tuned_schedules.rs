//! Schedules that a tuner may choose: each computes what the program as written does, without a race between
//! threads and without an access out of range.

use std::sync::Arc;

use gridloom::codegen::offload::space::Candidate;
use gridloom::codegen::target::OffloadOptions;
use gridloom::codegen::target::tuning::{Entries, Entry, Tuned};
use gridloom::compare::{Tolerance, first_difference};
use gridloom::{DeviceWish, Program, RunOptions, Sanitize, Session, SessionOptions};

/// A convolution of several images: four loops share three dimensions of a grid, and three walk a window.
const CONVOLUTION: &str = "
func.func @conv(%in: memref<3x6x9x17xf32>, %w: memref<3x3x17x16xf32>, %out: memref<3x4x7x16xf32>) {
  affine.for %n = 0 to 3 {
    affine.for %y = 0 to 4 {
      affine.for %x = 0 to 7 {
        affine.for %f = 0 to 16 {
          affine.for %r = 0 to 3 {
            affine.for %s = 0 to 3 {
              affine.for %c = 0 to 17 {
                %a = affine.load %in[%n, %y + %r, %x + %s, %c] : memref<3x6x9x17xf32>
                %b = affine.load %w[%r, %s, %c, %f] : memref<3x3x17x16xf32>
                %o = affine.load %out[%n, %y, %x, %f] : memref<3x4x7x16xf32>
                %p = arith.mulf %a, %b : f32
                %q = arith.addf %o, %p : f32
                affine.store %q, %out[%n, %y, %x, %f] : memref<3x4x7x16xf32>
              }
            }
          }
        }
      }
    }
  }
  return
}";

/// Products of two grids of matrices, of which one is transposed.
const PRODUCTS: &str = "
func.func @products(%a: memref<2x3x19x33xf32>, %b: memref<2x3x21x33xf32>, %c: memref<2x3x19x21xf32>) {
  affine.for %g = 0 to 2 {
    affine.for %h = 0 to 3 {
      affine.for %i = 0 to 19 {
        affine.for %j = 0 to 21 {
          affine.for %k = 0 to 33 {
            %x = affine.load %a[%g, %h, %i, %k] : memref<2x3x19x33xf32>
            %y = affine.load %b[%g, %h, %j, %k] : memref<2x3x21x33xf32>
            %z = affine.load %c[%g, %h, %i, %j] : memref<2x3x19x21xf32>
            %p = arith.mulf %x, %y : f32
            %s = arith.addf %z, %p : f32
            affine.store %s, %c[%g, %h, %i, %j] : memref<2x3x19x21xf32>
          }
        }
      }
    }
  }
  return
}";

/// A matrix added to a transposed one.
const TRANSPOSE: &str = "
func.func @transpose(%a: memref<37x45xf32>, %b: memref<45x37xf32>) {
  affine.for %i = 0 to 37 {
    affine.for %j = 0 to 45 {
      %x = affine.load %a[%i, %j] : memref<37x45xf32>
      %y = affine.load %b[%j, %i] : memref<45x37xf32>
      %s = arith.addf %x, %y : f32
      affine.store %s, %a[%i, %j] : memref<37x45xf32>
    }
  }
  return
}";

/// The part of a symmetric product below its diagonal.
const TRIANGLE: &str = "
func.func @triangle(%a: memref<26x35xf32>, %c: memref<26x26xf32>) {
  affine.for %i = 0 to 26 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      affine.for %k = 0 to 35 {
        %x = affine.load %a[%i, %k] : memref<26x35xf32>
        %y = affine.load %a[%j, %k] : memref<26x35xf32>
        %z = affine.load %c[%i, %j] : memref<26x26xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<26x26xf32>
      }
    }
  }
  return
}";

/// Schedules of a nest that are run, of up to a thousand.
const MOST: usize = 80;

/// Runs the program by schedules from the whole of each nest's space, staged ones and others.
fn every_schedule_is_right(text: &str, options: OffloadOptions) {
    let ctx = gridloom::context();
    let module = gridloom::parse(&ctx, "program.mlir", text.as_bytes());
    let module = module.unwrap_or_else(|found| panic!("{}", found.render(&ctx)));
    let program = Program::compile(&ctx, module, None, None);
    let program = program.unwrap_or_else(|found| panic!("{}", found.render(&ctx)));
    let session = Session::open(&DeviceWish::Cpu, SessionOptions::default()).unwrap();
    let inputs = program.inputs(&[], |_| Err("no file".to_owned())).unwrap();
    let run = RunOptions {
        sanitize: Sanitize {
            race: true,
            bounds: true,
            ..Sanitize::default()
        },
        ..RunOptions::default()
    };
    let want = program.run_reference(&inputs, &run).unwrap();
    let mut count = 0;
    for space in program.spaces(&options).unwrap() {
        let is_staged = |candidate: &&Candidate| candidate.choice.chunk.is_some();
        let (staged, others): (Vec<_>, Vec<_>) = space.candidates.iter().partition(is_staged);
        for kind in [staged, others] {
            for candidate in kind.iter().step_by(kind.len().div_ceil(MOST / 2).max(1)) {
                let choice = candidate.choice.clone();
                let told = choice.to_string();
                let entry = Entry {
                    choice,
                    time: 1,
                    untuned: 1,
                    line: 0,
                };
                let mut entries = Entries::default();
                entries.insert(space.key.clone(), entry);
                let options = OffloadOptions {
                    tuned: Some(Tuned {
                        source: "the test".to_owned(),
                        entries: Arc::new(entries),
                    }),
                    ..options.clone()
                };
                let mapped = program.mapped(&options);
                let mapped =
                    mapped.unwrap_or_else(|found| panic!("{told}: {}", found.render(&ctx)));
                let got = mapped.run_with(&session, &inputs, &run);
                let got = got.unwrap_or_else(|fault| {
                    panic!("{told}: {}", fault.to_diagnostic().render(&ctx))
                });
                let tolerance = Tolerance::relaxed(&inputs, program.computes_in_single());
                let difference = first_difference(&got, &want, tolerance);
                assert_eq!(difference, None, "{told}");
                count += 1;
            }
        }
    }
    assert!(count > MOST / 4, "only {count} schedules were run");
}

#[test]
fn convolutions() {
    every_schedule_is_right(CONVOLUTION, OffloadOptions::gpu());
}

#[test]
fn products() {
    every_schedule_is_right(PRODUCTS, OffloadOptions::gpu());
}

#[test]
fn transposes() {
    every_schedule_is_right(TRANSPOSE, OffloadOptions::gpu());
}

#[test]
fn triangles() {
    every_schedule_is_right(TRIANGLE, OffloadOptions::gpu());
}

#[test]
fn convolutions_of_cpu_drivers() {
    every_schedule_is_right(CONVOLUTION, OffloadOptions::cpu_driver());
}
