//! How nests are mapped: the shapes of grids, what stays on the host and what
//! is said about it, versions for arguments that overlap.

use gridloom_codegen::pass::offload::offload;
use gridloom_codegen::target::OffloadOptions;
use gridloom_codegen::target::machine::Tiling;
use gridloom_dialects::func;
use gridloom_ir::text::{PrintOptions, print_module};
use gridloom_ir::{Context, Diagnostics, Module};

use super::programs::{parse, run_sized};

fn offloaded(ctx: &Context, text: &str, options: &OffloadOptions) -> (Module, Diagnostics) {
    let mut module = parse(ctx, text);
    let remarks = offload(ctx, &mut module, options);
    let remarks = remarks.unwrap_or_else(|errors| panic!("{}", errors.render(ctx)));
    (module, remarks)
}

/// Checks that a program is mapped as a whole and computes the same offloaded, with `?` of each of
/// `sizes`, and returns the offloaded text. Remarks may tell of tiles, and of nothing else.
fn same_offloaded(text: &str, entry: &str, options: &OffloadOptions, sizes: &[i64]) -> String {
    let ctx = gridloom_dialects::context();
    let original = parse(&ctx, text);
    let (module, remarks) = offloaded(&ctx, text, options);
    let tells_tiles = |message: &str| message.starts_with("each thread of this loop nest computes");
    assert!(
        remarks.iter().all(|remark| tells_tiles(&remark.message)),
        "{}",
        remarks.render(&ctx)
    );
    for &size in sizes {
        let expected = run_sized(&ctx, &original, entry, size);
        assert!(expected.is_ok(), "{expected:?}");
        assert_eq!(
            run_sized(&ctx, &module, entry, size),
            expected,
            "size {size}"
        );
    }
    print_module(&ctx, &module, &PrintOptions::default())
}

const SMALL_SIZES: [i64; 6] = [0, 1, 2, 3, 7, 33];

#[test]
fn more_workgroups_than_devices_have_become_a_stride() {
    let options = OffloadOptions {
        workgroup: [[1, 1, 1]; 3],
        tiling: Tiling::Fixed(Vec::new()),
        ..OffloadOptions::gpu()
    };
    let text = "
        func.func @long(%a: memref<70000xf32>) {
          affine.for %i = 0 to 70000 {
            %x = affine.load %a[%i] : memref<70000xf32>
            %y = arith.addf %x, %x : f32
            affine.store %y, %a[%i] : memref<70000xf32>
          }
          return
        }";
    let printed = same_offloaded(text, "long", &options, &[0]);
    assert!(
        printed.contains("arith.constant 65535 : index"),
        "{printed}"
    );
    assert!(printed.contains("scf.for"), "{printed}");
}

#[test]
fn open_sizes_launch_nothing_when_empty_and_cover_everything_else() {
    let text = "
        func.func @open(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %m = memref.dim %a, %c0 : memref<?x?xf32>
          %n = memref.dim %a, %c1 : memref<?x?xf32>
          affine.for %i = 0 to %m step 2 {
            affine.for %j = affine_map<(d0) -> (d0)>(%i) to %n {
              %x = affine.load %a[%i, %j] : memref<?x?xf32>
              affine.store %x, %b[%j, %i] : memref<?x?xf32>
            }
          }
          return
        }";
    for options in [OffloadOptions::gpu(), OffloadOptions::cpu_driver()] {
        let printed = same_offloaded(text, "open", &options, &SMALL_SIZES);
        assert!(printed.contains("gpu.launch_func"), "{printed}");
    }
}

#[test]
fn loops_beyond_three_share_a_dimension() {
    // Dimensions longer than their loops, so that none collapse.
    let text = "
        func.func @five(%a: memref<3x4x6x5x8xf32>) {
          affine.for %i = 0 to 2 {
            affine.for %j = 0 to 3 {
              affine.for %k = 0 to 5 {
                affine.for %l = 0 to 4 {
                  affine.for %m = 0 to 7 {
                    %x = affine.load %a[%i, %j, %k, %l, %m] : memref<3x4x6x5x8xf32>
                    %y = arith.mulf %x, %x : f32
                    affine.store %y, %a[%i, %j, %k, %l, %m] : memref<3x4x6x5x8xf32>
                  }
                }
              }
            }
          }
          return
        }";
    let printed = same_offloaded(text, "five", &OffloadOptions::gpu(), &[0]);
    // 2 * 3 * 5 groups along z, for the three outer loops.
    assert!(printed.contains("arith.constant 30 : index"), "{printed}");
}

#[test]
fn a_workgroup_is_no_larger_than_asked_for() {
    let text = "
        func.func @wide(%a: memref<4096x4096xf32>) {
          %z = arith.constant 0.0 : f32
          affine.for %i = 0 to 4096 {
            affine.for %j = 0 to 4096 {
              affine.store %z, %a[%i, %j] : memref<4096x4096xf32>
            }
          }
          return
        }";
    for max_threads in [1, 64, 256] {
        let ctx = gridloom_dialects::context();
        let options = OffloadOptions {
            max_threads,
            ..OffloadOptions::gpu()
        };
        let (module, _) = offloaded(&ctx, text, &options);
        let printed = print_module(&ctx, &module, &PrintOptions::default());
        let (_, rest) = printed
            .split_once("known_block_size = array<i32: ")
            .expect("a kernel");
        let (sizes, _) = rest.split_once('>').expect("a closed list");
        let threads: i64 = sizes
            .split(", ")
            .map(|n| n.parse::<i64>().expect("a number"))
            .product();
        assert_eq!(threads, max_threads, "{sizes}");
    }
}

/// The remarks of a program, as text.
fn remarks(text: &str) -> String {
    let ctx = gridloom_dialects::context();
    let (_, remarks) = offloaded(&ctx, text, &OffloadOptions::gpu());
    remarks.render(&ctx)
}

#[test]
fn a_recurrence_is_reported_with_both_accesses() {
    let found = remarks(
        "func.func @f(%x: memref<64xf32>) {
           affine.for %i = 1 to 64 {
             %a = affine.load %x[%i - 1] : memref<64xf32>
             affine.store %a, %x[%i] : memref<64xf32>
           }
           return
         }",
    );
    assert!(
        found.contains("program:2:12: remark: this loop nest runs on the host"),
        "{found}"
    );
    assert!(found.contains("a flow dependence of distance 1"), "{found}");
    assert!(
        found.contains("program:4:14: note: an iteration writes here"),
        "{found}"
    );
    assert!(
        found.contains("note: and a later one reads the same element here"),
        "{found}"
    );
}

#[test]
fn calls_to_unknown_functions_are_reported() {
    let found = remarks(
        "func.func private @outside(f32)
         func.func @f(%x: memref<64xf32>) {
           affine.for %i = 0 to 64 {
             %a = affine.load %x[%i] : memref<64xf32>
             func.call @outside(%a) : (f32) -> ()
           }
           return
         }",
    );
    assert!(
        found.contains("it has 'func.call', an operation with unknown side effects"),
        "{found}"
    );
    assert!(
        found.contains("program:5:14: note: this operation"),
        "{found}"
    );
}

#[test]
fn large_scratch_memory_is_reported() {
    let found = remarks(
        "func.func @f(%x: memref<64xf32>) {
           affine.for %i = 0 to 64 {
             %s = memref.alloc() : memref<100000xf32>
             %a = affine.load %x[%i] : memref<64xf32>
             affine.store %a, %s[%i] : memref<100000xf32>
             %b = affine.load %s[2 * %i] : memref<100000xf32>
             affine.store %b, %x[%i] : memref<64xf32>
           }
           return
         }",
    );
    assert!(
        found.contains("or more than 4096 elements in all"),
        "{found}"
    );
}

#[test]
fn only_functions_that_rely_on_disjoint_arguments_get_versions() {
    let ctx = gridloom_dialects::context();
    let text = "
        func.func @two(%a: memref<64xf32>, %b: memref<64xf32>) {
          affine.for %i = 0 to 64 {
            %x = affine.load %a[%i] : memref<64xf32>
            affine.store %x, %b[%i] : memref<64xf32>
          }
          return
        }
        func.func @reads(%a: memref<64xf32>, %b: memref<64xf32>) -> memref<64xf32> {
          %own = memref.alloc() : memref<64xf32>
          affine.for %i = 0 to 64 {
            %x = affine.load %a[%i] : memref<64xf32>
            %y = affine.load %b[%i] : memref<64xf32>
            %z = arith.addf %x, %y : f32
            affine.store %z, %own[%i] : memref<64xf32>
          }
          return %own : memref<64xf32>
        }";
    let (module, _) = offloaded(&ctx, text, &OffloadOptions::gpu());
    let symbols = module.symbols(&ctx);
    let has = |name: &str| symbols.contains(ctx.ident(name));
    assert!(has("two__serial") && has("two_kernels"));
    assert!(has("reads_kernels") && !has("reads__serial"));
    assert!(has("two__distinct") && !has("reads__distinct"));
}

/// The functions of a module, by name.
fn functions(ctx: &Context, module: &Module) -> Vec<String> {
    let functions = module.ops().filter(|(_, op)| op.name == func::FUNC);
    let names = functions.filter_map(|(_, op)| op.symbol_name(ctx));
    names.map(|name| ctx.str(name).to_owned()).collect()
}

#[test]
fn a_second_run_makes_no_new_versions() {
    let ctx = gridloom_dialects::context();
    let text = "
        func.func @open(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %m = memref.dim %a, %c0 : memref<?x?xf32>
          %n = memref.dim %b, %c1 : memref<?x?xf32>
          affine.for %i = 0 to %m {
            affine.for %j = 0 to %n {
              %x = affine.load %a[%i, %j] : memref<?x?xf32>
              %y = affine.load %a[%i, %j] : memref<?x?xf32>
              %z = arith.addf %x, %y : f32
              affine.store %z, %b[%i, %j] : memref<?x?xf32>
              affine.store %x, %b[%i, %j] : memref<?x?xf32>
            }
          }
          return
        }";
    let (mut module, _) = offloaded(&ctx, text, &OffloadOptions::gpu());
    let once = functions(&ctx, &module);
    assert_eq!(once.len(), 3, "{once:?}");
    let again = offload(&ctx, &mut module, &OffloadOptions::gpu());
    assert!(again.is_ok());
    let twice = functions(&ctx, &module);
    // The version for disjoint arguments is inlined where it is called.
    assert!(twice.len() <= once.len(), "{twice:?}");
}

#[test]
fn a_nest_with_too_many_accesses_keeps_its_order_and_says_so() {
    let sums = |count: i64| -> String {
        let sum = |k| {
            format!(
                "%x{k} = affine.load %a[%i - 1, %j + {k}] : memref<64x400xf32>
                 %s{} = arith.addf %s{k}, %x{k} : f32\n",
                k + 1
            )
        };
        (0..count).map(sum).collect()
    };
    let nest = |count| {
        let sums = sums(count);
        remarks(&format!(
            "func.func @f(%a: memref<64x400xf32>) {{
               affine.for %i = 1 to 64 {{
                 affine.for %j = 1 to 64 {{
                   %s0 = affine.load %a[%i, %j - 1] : memref<64x400xf32>
                   {sums}
                   affine.store %s{count}, %a[%i, %j] : memref<64x400xf32>
                 }}
               }}
               return
             }}"
        ))
    };
    let told = "this loop nest keeps its order: it has 312 accesses, and dependences are computed between at most 300";
    let many = nest(310);
    assert_eq!(many.matches(told).count(), 1, "{many}");
    assert!(!nest(20).contains("keeps its order"));
}
