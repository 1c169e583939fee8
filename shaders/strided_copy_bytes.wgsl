// Copies a strided box of bytes from one buffer to another; as strided_copy_words.wgsl, but
// strides and offsets are in bytes.
//
// Neighbouring bytes share a word and are written by different threads. Each thread clears and
// sets its own eight bits atomically, so the others in the word stay whatever the order.

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
@group(0) @binding(1) var<storage, read_write> to_words: array<atomic<u32>>;
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
    let value = (from_words[source / 4u] >> (8u * (source % 4u))) & 0xffu;
    let shift = 8u * (destination % 4u);
    atomicAnd(&to_words[destination / 4u], ~(0xffu << shift));
    atomicOr(&to_words[destination / 4u], value << shift);
}
