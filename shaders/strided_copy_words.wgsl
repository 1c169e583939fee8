// Copies a strided box of 32-bit words from one buffer to another.
//
// A thread copies a run of words along the last dimension: one on a GPU, so that neighbouring
// threads write neighbouring words (the host puts the densest dimension of the destination last),
// several on the CPU, where the divisions that find a thread's place cost more than the copy.
// Strides and offsets are in words and modulo 2^32, which is how negative strides are expressed.

struct Params {
    sizes: vec4<u32>,
    from_strides: vec4<u32>,
    to_strides: vec4<u32>,
    from_offset: u32,
    to_offset: u32,
    // Threads that have work: the product of the first three sizes and the runs of the last.
    count: u32,
    // Threads in one row of the grid.
    row: u32,
    // Units that a thread copies along the last dimension.
    run: u32,
}

@group(0) @binding(0) var<storage, read> from_words: array<u32>;
@group(0) @binding(1) var<storage, read_write> to_words: array<u32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) thread: vec3<u32>) {
    var rest = thread.y * params.row + thread.x;
    if rest >= params.count {
        return;
    }
    let runs = (params.sizes.w + params.run - 1u) / params.run;
    let start = (rest % runs) * params.run;
    rest /= runs;
    var source = params.from_offset + start * params.from_strides.w;
    var destination = params.to_offset + start * params.to_strides.w;
    for (var i = 0u; i < 3u; i++) {
        let dimension = 2u - i;
        let size = params.sizes[dimension];
        let position = rest % size;
        rest /= size;
        source += position * params.from_strides[dimension];
        destination += position * params.to_strides[dimension];
    }
    let end = min(start + params.run, params.sizes.w);
    for (var i = start; i < end; i++) {
        to_words[destination] = from_words[source];
        source += params.from_strides.w;
        destination += params.to_strides.w;
    }
}
