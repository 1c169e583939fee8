// A convolution, NCHW, of constants C, F, H, W and windows of R by S, of any size: a thread holds 8 features of 8 columns that
// lie the threads of a workgroup apart. Features and columns beyond the ends are read as the last ones and not written.
@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read> weights: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(8)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let first = group.x * 64u + lane;
  let row = group.y;
  let feature = group.z * 8u;
  let width = W + S - 1u;
  let height = H + R - 1u;
  let window = C * R * S;
  let x0 = min(first + 0u, W - 1u);
  let x1 = min(first + 8u, W - 1u);
  let x2 = min(first + 16u, W - 1u);
  let x3 = min(first + 24u, W - 1u);
  let x4 = min(first + 32u, W - 1u);
  let x5 = min(first + 40u, W - 1u);
  let x6 = min(first + 48u, W - 1u);
  let x7 = min(first + 56u, W - 1u);
  let f0 = min(feature + 0u, F - 1u) * window; var s00 = 0.0; var s01 = 0.0; var s02 = 0.0; var s03 = 0.0; var s04 = 0.0; var s05 = 0.0; var s06 = 0.0; var s07 = 0.0;
  let f1 = min(feature + 1u, F - 1u) * window; var s10 = 0.0; var s11 = 0.0; var s12 = 0.0; var s13 = 0.0; var s14 = 0.0; var s15 = 0.0; var s16 = 0.0; var s17 = 0.0;
  let f2 = min(feature + 2u, F - 1u) * window; var s20 = 0.0; var s21 = 0.0; var s22 = 0.0; var s23 = 0.0; var s24 = 0.0; var s25 = 0.0; var s26 = 0.0; var s27 = 0.0;
  let f3 = min(feature + 3u, F - 1u) * window; var s30 = 0.0; var s31 = 0.0; var s32 = 0.0; var s33 = 0.0; var s34 = 0.0; var s35 = 0.0; var s36 = 0.0; var s37 = 0.0;
  let f4 = min(feature + 4u, F - 1u) * window; var s40 = 0.0; var s41 = 0.0; var s42 = 0.0; var s43 = 0.0; var s44 = 0.0; var s45 = 0.0; var s46 = 0.0; var s47 = 0.0;
  let f5 = min(feature + 5u, F - 1u) * window; var s50 = 0.0; var s51 = 0.0; var s52 = 0.0; var s53 = 0.0; var s54 = 0.0; var s55 = 0.0; var s56 = 0.0; var s57 = 0.0;
  let f6 = min(feature + 6u, F - 1u) * window; var s60 = 0.0; var s61 = 0.0; var s62 = 0.0; var s63 = 0.0; var s64 = 0.0; var s65 = 0.0; var s66 = 0.0; var s67 = 0.0;
  let f7 = min(feature + 7u, F - 1u) * window; var s70 = 0.0; var s71 = 0.0; var s72 = 0.0; var s73 = 0.0; var s74 = 0.0; var s75 = 0.0; var s76 = 0.0; var s77 = 0.0;
  var k = 0u;
  for (var c = 0u; c < C; c++) {
    for (var r = 0u; r < R; r++) {
      let from_row = (c * height + row + r) * width;
      for (var s = 0u; s < S; s++) {
        let at = from_row + s;
        let v0 = input[at + x0]; let v1 = input[at + x1]; let v2 = input[at + x2]; let v3 = input[at + x3]; let v4 = input[at + x4]; let v5 = input[at + x5]; let v6 = input[at + x6]; let v7 = input[at + x7];
        let w0 = weights[f0 + k]; s00 = w0 * v0 + s00; s01 = w0 * v1 + s01; s02 = w0 * v2 + s02; s03 = w0 * v3 + s03; s04 = w0 * v4 + s04; s05 = w0 * v5 + s05; s06 = w0 * v6 + s06; s07 = w0 * v7 + s07;
        let w1 = weights[f1 + k]; s10 = w1 * v0 + s10; s11 = w1 * v1 + s11; s12 = w1 * v2 + s12; s13 = w1 * v3 + s13; s14 = w1 * v4 + s14; s15 = w1 * v5 + s15; s16 = w1 * v6 + s16; s17 = w1 * v7 + s17;
        let w2 = weights[f2 + k]; s20 = w2 * v0 + s20; s21 = w2 * v1 + s21; s22 = w2 * v2 + s22; s23 = w2 * v3 + s23; s24 = w2 * v4 + s24; s25 = w2 * v5 + s25; s26 = w2 * v6 + s26; s27 = w2 * v7 + s27;
        let w3 = weights[f3 + k]; s30 = w3 * v0 + s30; s31 = w3 * v1 + s31; s32 = w3 * v2 + s32; s33 = w3 * v3 + s33; s34 = w3 * v4 + s34; s35 = w3 * v5 + s35; s36 = w3 * v6 + s36; s37 = w3 * v7 + s37;
        let w4 = weights[f4 + k]; s40 = w4 * v0 + s40; s41 = w4 * v1 + s41; s42 = w4 * v2 + s42; s43 = w4 * v3 + s43; s44 = w4 * v4 + s44; s45 = w4 * v5 + s45; s46 = w4 * v6 + s46; s47 = w4 * v7 + s47;
        let w5 = weights[f5 + k]; s50 = w5 * v0 + s50; s51 = w5 * v1 + s51; s52 = w5 * v2 + s52; s53 = w5 * v3 + s53; s54 = w5 * v4 + s54; s55 = w5 * v5 + s55; s56 = w5 * v6 + s56; s57 = w5 * v7 + s57;
        let w6 = weights[f6 + k]; s60 = w6 * v0 + s60; s61 = w6 * v1 + s61; s62 = w6 * v2 + s62; s63 = w6 * v3 + s63; s64 = w6 * v4 + s64; s65 = w6 * v5 + s65; s66 = w6 * v6 + s66; s67 = w6 * v7 + s67;
        let w7 = weights[f7 + k]; s70 = w7 * v0 + s70; s71 = w7 * v1 + s71; s72 = w7 * v2 + s72; s73 = w7 * v3 + s73; s74 = w7 * v4 + s74; s75 = w7 * v5 + s75; s76 = w7 * v6 + s76; s77 = w7 * v7 + s77;
        k++;
      }
    }
  }
  let to = row * W + first;
  if (feature + 0u < F) {
    let at = (feature + 0u) * H * W + to;
    if (first + 0u < W) { output[at + 0u] += s00; }
    if (first + 8u < W) { output[at + 8u] += s01; }
    if (first + 16u < W) { output[at + 16u] += s02; }
    if (first + 24u < W) { output[at + 24u] += s03; }
    if (first + 32u < W) { output[at + 32u] += s04; }
    if (first + 40u < W) { output[at + 40u] += s05; }
    if (first + 48u < W) { output[at + 48u] += s06; }
    if (first + 56u < W) { output[at + 56u] += s07; }
  }
  if (feature + 1u < F) {
    let at = (feature + 1u) * H * W + to;
    if (first + 0u < W) { output[at + 0u] += s10; }
    if (first + 8u < W) { output[at + 8u] += s11; }
    if (first + 16u < W) { output[at + 16u] += s12; }
    if (first + 24u < W) { output[at + 24u] += s13; }
    if (first + 32u < W) { output[at + 32u] += s14; }
    if (first + 40u < W) { output[at + 40u] += s15; }
    if (first + 48u < W) { output[at + 48u] += s16; }
    if (first + 56u < W) { output[at + 56u] += s17; }
  }
  if (feature + 2u < F) {
    let at = (feature + 2u) * H * W + to;
    if (first + 0u < W) { output[at + 0u] += s20; }
    if (first + 8u < W) { output[at + 8u] += s21; }
    if (first + 16u < W) { output[at + 16u] += s22; }
    if (first + 24u < W) { output[at + 24u] += s23; }
    if (first + 32u < W) { output[at + 32u] += s24; }
    if (first + 40u < W) { output[at + 40u] += s25; }
    if (first + 48u < W) { output[at + 48u] += s26; }
    if (first + 56u < W) { output[at + 56u] += s27; }
  }
  if (feature + 3u < F) {
    let at = (feature + 3u) * H * W + to;
    if (first + 0u < W) { output[at + 0u] += s30; }
    if (first + 8u < W) { output[at + 8u] += s31; }
    if (first + 16u < W) { output[at + 16u] += s32; }
    if (first + 24u < W) { output[at + 24u] += s33; }
    if (first + 32u < W) { output[at + 32u] += s34; }
    if (first + 40u < W) { output[at + 40u] += s35; }
    if (first + 48u < W) { output[at + 48u] += s36; }
    if (first + 56u < W) { output[at + 56u] += s37; }
  }
  if (feature + 4u < F) {
    let at = (feature + 4u) * H * W + to;
    if (first + 0u < W) { output[at + 0u] += s40; }
    if (first + 8u < W) { output[at + 8u] += s41; }
    if (first + 16u < W) { output[at + 16u] += s42; }
    if (first + 24u < W) { output[at + 24u] += s43; }
    if (first + 32u < W) { output[at + 32u] += s44; }
    if (first + 40u < W) { output[at + 40u] += s45; }
    if (first + 48u < W) { output[at + 48u] += s46; }
    if (first + 56u < W) { output[at + 56u] += s47; }
  }
  if (feature + 5u < F) {
    let at = (feature + 5u) * H * W + to;
    if (first + 0u < W) { output[at + 0u] += s50; }
    if (first + 8u < W) { output[at + 8u] += s51; }
    if (first + 16u < W) { output[at + 16u] += s52; }
    if (first + 24u < W) { output[at + 24u] += s53; }
    if (first + 32u < W) { output[at + 32u] += s54; }
    if (first + 40u < W) { output[at + 40u] += s55; }
    if (first + 48u < W) { output[at + 48u] += s56; }
    if (first + 56u < W) { output[at + 56u] += s57; }
  }
  if (feature + 6u < F) {
    let at = (feature + 6u) * H * W + to;
    if (first + 0u < W) { output[at + 0u] += s60; }
    if (first + 8u < W) { output[at + 8u] += s61; }
    if (first + 16u < W) { output[at + 16u] += s62; }
    if (first + 24u < W) { output[at + 24u] += s63; }
    if (first + 32u < W) { output[at + 32u] += s64; }
    if (first + 40u < W) { output[at + 40u] += s65; }
    if (first + 48u < W) { output[at + 48u] += s66; }
    if (first + 56u < W) { output[at + 56u] += s67; }
  }
  if (feature + 7u < F) {
    let at = (feature + 7u) * H * W + to;
    if (first + 0u < W) { output[at + 0u] += s70; }
    if (first + 8u < W) { output[at + 8u] += s71; }
    if (first + 16u < W) { output[at + 16u] += s72; }
    if (first + 24u < W) { output[at + 24u] += s73; }
    if (first + 32u < W) { output[at + 32u] += s74; }
    if (first + 40u < W) { output[at + 40u] += s75; }
    if (first + 48u < W) { output[at + 48u] += s76; }
    if (first + 56u < W) { output[at + 56u] += s77; }
  }
}
