// Copies a strided box of 32-bit words from one buffer to another.
//
// A thread copies one word. Thread numbers count through the box with the last dimension fastest;
// the host orders the dimensions so that neighbouring threads write neighbouring words. Strides
// and offsets are in words and modulo 2^32, which is how negative strides are expressed.

struct Params {
    sizes: vec4<u32>,
    from_strides: vec4<u32>,
    to_strides: vec4<u32>,
    from_offset: u32,
    to_offset: u32,
    // The product of the sizes.
    count: u32,
    // Threads in one row of the grid.
    row: u32,
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
    var source = params.from_offset;
    var destination = params.to_offset;
    for (var i = 0u; i < 4u; i++) {
        let dimension = 3u - i;
        let size = params.sizes[dimension];
        let position = rest % size;
        rest /= size;
        source += position * params.from_strides[dimension];
        destination += position * params.to_strides[dimension];
    }
    to_words[destination] = from_words[source];
}
