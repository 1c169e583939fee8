//! Generator of functions of affine loops that differ in some extents and constants only.

use std::fmt::Write as _;

use super::Functions;

/// Generator of a sequence of such functions.
pub struct Repeating;

impl Functions for Repeating {
    fn function(&mut self, out: &mut String, number: usize) {
        function(out, number);
    }
}

/// Writes a matrix product, then a nest with non-trivial bounds, conditions and subscripts. Shapes
/// and constants recur with different periods.
fn function(out: &mut String, number: usize) {
    let (rows, shift, modulus) = (16 + number * 7 % 48, number % 5 + 1, number % 6 + 2);
    let inner = rows + 1;
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "func.func @product{number}(%a: memref<{rows}x{inner}xf32>, %b: memref<{inner}x{rows}xf32>, \
         %c: memref<{rows}x{rows}xf32>, %n: index, %factor: f32) {{
  %zero = arith.constant 0.000000e+00 : f32
  affine.for %i = 0 to {rows} {{
    affine.for %j = 0 to {rows} {{
      affine.store %zero, %c[%i, %j] : memref<{rows}x{rows}xf32>
      affine.for %k = 0 to {inner} {{
        %x = affine.load %a[%i, %k] : memref<{rows}x{inner}xf32>
        %y = affine.load %b[%k, %j] : memref<{inner}x{rows}xf32>
        %old = affine.load %c[%i, %j] : memref<{rows}x{rows}xf32>
        %xy = arith.mulf %x, %y : f32
        %new = arith.addf %old, %xy fastmath<contract> : f32
        affine.store %new, %c[%i, %j] : memref<{rows}x{rows}xf32>
      }}
    }}
  }}
  affine.for %i = 1 to min affine_map<()[s0] -> (s0, {last})>()[%n] step 2 {{
    affine.for %j = max affine_map<(d0) -> (d0 floordiv 4, d0 - {shift})>(%i) to {rows} {{
      affine.if affine_set<(d0, d1)[s0] : (d0 - d1 + {shift} >= 0, s0 - d0 - 1 >= 0)>(%i, %j)[%n] {{
        %at = affine.apply affine_map<(d0, d1) -> (d0 mod {modulus} + d1 * 2)>(%i, %j)
        %v = affine.load %c[%i - 1, %j] : memref<{rows}x{rows}xf32>
        %w = arith.mulf %v, %factor : f32
        affine.store %w, %c[%i, symbol(%n) + %j mod 8] : memref<{rows}x{rows}xf32>
        %wide = arith.index_cast %at : index to i64
        %twice = arith.addi %wide, %wide : i64
        %less = arith.cmpi slt, %wide, %twice : i64
      }}
    }}
  }}
  return
}}
",
        last = rows - 1,
    );
}
