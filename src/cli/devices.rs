//! `gridloom devices`: what there is to run on.

use gridloom::gpu_runtime;

use super::{Failure, help, input};

pub fn run(parser: &mut lexopt::Parser) -> Result<(), Failure> {
    use lexopt::prelude::*;
    match parser.next()? {
        None => {}
        Some(Long("help") | Short('h')) => return input::print(help::DEVICES.as_bytes()),
        Some(other) => return Err(other.unexpected().into()),
    }
    let mut out = String::new();
    for (place, info) in gpu_runtime::devices().into_iter().enumerate() {
        let limits = &info.limits;
        out += &format!("#{place} {info}\n");
        out += &format!("   {}; {}\n", info.kind, info.features);
        out += &format!(
            "   buffers up to {} MiB, bindings {} MiB; workgroups of up to {} threads with {} KiB\n",
            limits.buffer_size >> 20,
            limits.storage_binding_size >> 20,
            limits.workgroup_threads,
            limits.workgroup_memory >> 10
        );
        for quirk in &info.quirks {
            let Some(why) = quirk.why() else { continue };
            out += &format!("   note: {why}\n");
        }
    }
    out += "cpu embedded interpreter\n";
    input::print(out.as_bytes())
}
