// C += A B of constants M, N, K: M at least 8, N at least 64. A's rows lie A_ROW apart, its columns A_COLUMN, so that it
// may lie transposed. A thread holds 8 rows of 8 scalars that lie the threads of a workgroup apart, since odd rows do not
// let vectors begin where they must.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(8)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  // Blocks at the ends reach back into their neighbours, whose elements they compute, too: each is written once, by its
  // own block.
  let row = min(group.y * 8u, M - 8u);
  let first = group.x * 64u;
  let column = min(first, N - 64u) + lane;
  var c00 = 0.0; var c01 = 0.0; var c02 = 0.0; var c03 = 0.0; var c04 = 0.0; var c05 = 0.0; var c06 = 0.0; var c07 = 0.0;
  var c10 = 0.0; var c11 = 0.0; var c12 = 0.0; var c13 = 0.0; var c14 = 0.0; var c15 = 0.0; var c16 = 0.0; var c17 = 0.0;
  var c20 = 0.0; var c21 = 0.0; var c22 = 0.0; var c23 = 0.0; var c24 = 0.0; var c25 = 0.0; var c26 = 0.0; var c27 = 0.0;
  var c30 = 0.0; var c31 = 0.0; var c32 = 0.0; var c33 = 0.0; var c34 = 0.0; var c35 = 0.0; var c36 = 0.0; var c37 = 0.0;
  var c40 = 0.0; var c41 = 0.0; var c42 = 0.0; var c43 = 0.0; var c44 = 0.0; var c45 = 0.0; var c46 = 0.0; var c47 = 0.0;
  var c50 = 0.0; var c51 = 0.0; var c52 = 0.0; var c53 = 0.0; var c54 = 0.0; var c55 = 0.0; var c56 = 0.0; var c57 = 0.0;
  var c60 = 0.0; var c61 = 0.0; var c62 = 0.0; var c63 = 0.0; var c64 = 0.0; var c65 = 0.0; var c66 = 0.0; var c67 = 0.0;
  var c70 = 0.0; var c71 = 0.0; var c72 = 0.0; var c73 = 0.0; var c74 = 0.0; var c75 = 0.0; var c76 = 0.0; var c77 = 0.0;
  for (var k = 0u; k < K; k++) {
    let at = k * N + column;
    let b0 = b[at + 0u]; let b1 = b[at + 8u]; let b2 = b[at + 16u]; let b3 = b[at + 24u]; let b4 = b[at + 32u]; let b5 = b[at + 40u]; let b6 = b[at + 48u]; let b7 = b[at + 56u];
    let a0 = a[(row + 0u) * A_ROW + k * A_COLUMN];
    c00 = a0 * b0 + c00; c01 = a0 * b1 + c01; c02 = a0 * b2 + c02; c03 = a0 * b3 + c03; c04 = a0 * b4 + c04; c05 = a0 * b5 + c05; c06 = a0 * b6 + c06; c07 = a0 * b7 + c07;
    let a1 = a[(row + 1u) * A_ROW + k * A_COLUMN];
    c10 = a1 * b0 + c10; c11 = a1 * b1 + c11; c12 = a1 * b2 + c12; c13 = a1 * b3 + c13; c14 = a1 * b4 + c14; c15 = a1 * b5 + c15; c16 = a1 * b6 + c16; c17 = a1 * b7 + c17;
    let a2 = a[(row + 2u) * A_ROW + k * A_COLUMN];
    c20 = a2 * b0 + c20; c21 = a2 * b1 + c21; c22 = a2 * b2 + c22; c23 = a2 * b3 + c23; c24 = a2 * b4 + c24; c25 = a2 * b5 + c25; c26 = a2 * b6 + c26; c27 = a2 * b7 + c27;
    let a3 = a[(row + 3u) * A_ROW + k * A_COLUMN];
    c30 = a3 * b0 + c30; c31 = a3 * b1 + c31; c32 = a3 * b2 + c32; c33 = a3 * b3 + c33; c34 = a3 * b4 + c34; c35 = a3 * b5 + c35; c36 = a3 * b6 + c36; c37 = a3 * b7 + c37;
    let a4 = a[(row + 4u) * A_ROW + k * A_COLUMN];
    c40 = a4 * b0 + c40; c41 = a4 * b1 + c41; c42 = a4 * b2 + c42; c43 = a4 * b3 + c43; c44 = a4 * b4 + c44; c45 = a4 * b5 + c45; c46 = a4 * b6 + c46; c47 = a4 * b7 + c47;
    let a5 = a[(row + 5u) * A_ROW + k * A_COLUMN];
    c50 = a5 * b0 + c50; c51 = a5 * b1 + c51; c52 = a5 * b2 + c52; c53 = a5 * b3 + c53; c54 = a5 * b4 + c54; c55 = a5 * b5 + c55; c56 = a5 * b6 + c56; c57 = a5 * b7 + c57;
    let a6 = a[(row + 6u) * A_ROW + k * A_COLUMN];
    c60 = a6 * b0 + c60; c61 = a6 * b1 + c61; c62 = a6 * b2 + c62; c63 = a6 * b3 + c63; c64 = a6 * b4 + c64; c65 = a6 * b5 + c65; c66 = a6 * b6 + c66; c67 = a6 * b7 + c67;
    let a7 = a[(row + 7u) * A_ROW + k * A_COLUMN];
    c70 = a7 * b0 + c70; c71 = a7 * b1 + c71; c72 = a7 * b2 + c72; c73 = a7 * b3 + c73; c74 = a7 * b4 + c74; c75 = a7 * b5 + c75; c76 = a7 * b6 + c76; c77 = a7 * b7 + c77;
  }
  if (row + 0u >= group.y * 8u) {
    let at = (row + 0u) * N + column;
    if (column + 0u >= first) { c[at + 0u] += c00; }
    if (column + 8u >= first) { c[at + 8u] += c01; }
    if (column + 16u >= first) { c[at + 16u] += c02; }
    if (column + 24u >= first) { c[at + 24u] += c03; }
    if (column + 32u >= first) { c[at + 32u] += c04; }
    if (column + 40u >= first) { c[at + 40u] += c05; }
    if (column + 48u >= first) { c[at + 48u] += c06; }
    if (column + 56u >= first) { c[at + 56u] += c07; }
  }
  if (row + 1u >= group.y * 8u) {
    let at = (row + 1u) * N + column;
    if (column + 0u >= first) { c[at + 0u] += c10; }
    if (column + 8u >= first) { c[at + 8u] += c11; }
    if (column + 16u >= first) { c[at + 16u] += c12; }
    if (column + 24u >= first) { c[at + 24u] += c13; }
    if (column + 32u >= first) { c[at + 32u] += c14; }
    if (column + 40u >= first) { c[at + 40u] += c15; }
    if (column + 48u >= first) { c[at + 48u] += c16; }
    if (column + 56u >= first) { c[at + 56u] += c17; }
  }
  if (row + 2u >= group.y * 8u) {
    let at = (row + 2u) * N + column;
    if (column + 0u >= first) { c[at + 0u] += c20; }
    if (column + 8u >= first) { c[at + 8u] += c21; }
    if (column + 16u >= first) { c[at + 16u] += c22; }
    if (column + 24u >= first) { c[at + 24u] += c23; }
    if (column + 32u >= first) { c[at + 32u] += c24; }
    if (column + 40u >= first) { c[at + 40u] += c25; }
    if (column + 48u >= first) { c[at + 48u] += c26; }
    if (column + 56u >= first) { c[at + 56u] += c27; }
  }
  if (row + 3u >= group.y * 8u) {
    let at = (row + 3u) * N + column;
    if (column + 0u >= first) { c[at + 0u] += c30; }
    if (column + 8u >= first) { c[at + 8u] += c31; }
    if (column + 16u >= first) { c[at + 16u] += c32; }
    if (column + 24u >= first) { c[at + 24u] += c33; }
    if (column + 32u >= first) { c[at + 32u] += c34; }
    if (column + 40u >= first) { c[at + 40u] += c35; }
    if (column + 48u >= first) { c[at + 48u] += c36; }
    if (column + 56u >= first) { c[at + 56u] += c37; }
  }
  if (row + 4u >= group.y * 8u) {
    let at = (row + 4u) * N + column;
    if (column + 0u >= first) { c[at + 0u] += c40; }
    if (column + 8u >= first) { c[at + 8u] += c41; }
    if (column + 16u >= first) { c[at + 16u] += c42; }
    if (column + 24u >= first) { c[at + 24u] += c43; }
    if (column + 32u >= first) { c[at + 32u] += c44; }
    if (column + 40u >= first) { c[at + 40u] += c45; }
    if (column + 48u >= first) { c[at + 48u] += c46; }
    if (column + 56u >= first) { c[at + 56u] += c47; }
  }
  if (row + 5u >= group.y * 8u) {
    let at = (row + 5u) * N + column;
    if (column + 0u >= first) { c[at + 0u] += c50; }
    if (column + 8u >= first) { c[at + 8u] += c51; }
    if (column + 16u >= first) { c[at + 16u] += c52; }
    if (column + 24u >= first) { c[at + 24u] += c53; }
    if (column + 32u >= first) { c[at + 32u] += c54; }
    if (column + 40u >= first) { c[at + 40u] += c55; }
    if (column + 48u >= first) { c[at + 48u] += c56; }
    if (column + 56u >= first) { c[at + 56u] += c57; }
  }
  if (row + 6u >= group.y * 8u) {
    let at = (row + 6u) * N + column;
    if (column + 0u >= first) { c[at + 0u] += c60; }
    if (column + 8u >= first) { c[at + 8u] += c61; }
    if (column + 16u >= first) { c[at + 16u] += c62; }
    if (column + 24u >= first) { c[at + 24u] += c63; }
    if (column + 32u >= first) { c[at + 32u] += c64; }
    if (column + 40u >= first) { c[at + 40u] += c65; }
    if (column + 48u >= first) { c[at + 48u] += c66; }
    if (column + 56u >= first) { c[at + 56u] += c67; }
  }
  if (row + 7u >= group.y * 8u) {
    let at = (row + 7u) * N + column;
    if (column + 0u >= first) { c[at + 0u] += c70; }
    if (column + 8u >= first) { c[at + 8u] += c71; }
    if (column + 16u >= first) { c[at + 16u] += c72; }
    if (column + 24u >= first) { c[at + 24u] += c73; }
    if (column + 32u >= first) { c[at + 32u] += c74; }
    if (column + 40u >= first) { c[at + 40u] += c75; }
    if (column + 48u >= first) { c[at + 48u] += c76; }
    if (column + 56u >= first) { c[at + 56u] += c77; }
  }
}
