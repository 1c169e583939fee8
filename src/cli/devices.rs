//! Command `gridloom devices`: lists the devices to run on.

use gridloom::gpu_runtime::{self, DeviceInfo};
use gridloom::target::DeviceProfile;

use super::{Failure, args, help, input};

pub fn run(parser: &mut lexopt::Parser) -> Result<(), Failure> {
    use lexopt::prelude::*;
    let (mut json, mut wanted) = (false, None);
    while let Some(arg) = parser.next()? {
        match arg {
            Long("help") | Short('h') => return input::print(help::DEVICES.as_bytes()),
            Long("json") => json = true,
            Value(name) if wanted.is_none() => wanted = Some(args::text(name)?),
            other => return Err(other.unexpected().into()),
        }
    }
    let mut all: Vec<(usize, DeviceInfo)> =
        gpu_runtime::devices().into_iter().enumerate().collect();
    if let Some(name) = &wanted {
        // Selects like `--device`.
        let first = all.iter().position(|(_, info)| info.matches_name(name));
        let Some(first) = first else {
            let message = format!("there is no device '{name}'; 'gridloom devices' lists all");
            return Err(Failure::Usage(message));
        };
        all = vec![all.swap_remove(first)];
    }
    if json {
        let profiles = all.iter().map(|(_, info)| DeviceProfile::new(info));
        let profiles: Vec<DeviceProfile> = profiles.collect();
        return input::print(DeviceProfile::to_json(&profiles).as_bytes());
    }
    let mut out = String::new();
    for (place, info) in all {
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
        if !info.matrices.is_empty() {
            let products = info.matrices.iter().map(ToString::to_string);
            let products: Vec<String> = products.collect();
            out += &format!("   matrix products {}\n", products.join(", "));
        }
        for quirk in &info.quirks {
            let Some(why) = quirk.why() else { continue };
            out += &format!("   note: {why}\n");
        }
    }
    if wanted.is_none() {
        out += "cpu embedded interpreter\n";
    }
    input::print(out.as_bytes())
}
