//! Run summary, as `run` prints it.

use std::time::Duration;

use gridloom::float_text;
use gridloom::interp::ScalarKind;
use gridloom::ir::diag::place;
use gridloom::ir::text::type_string;
use gridloom::tune::kernel_name;
use gridloom::{Context, HostValue, Outcome, Program, Session};

/// Formats the device, the kernels, the time, and the values that the run changed; `offloaded` says
/// whether loops were mapped to kernels.
pub fn run(
    ctx: &Context,
    program: &Program<'_>,
    session: &Session,
    inputs: &[HostValue],
    outcome: &Outcome,
    offloaded: bool,
) -> String {
    let mut out = format!("device: {}\n", session.describe());
    for launch in &outcome.launches {
        let name = kernel_name(ctx, launch.kernel);
        let [gx, gy, gz] = launch.grid;
        let [bx, by, bz] = launch.block;
        let varies = if launch.varies { " at first" } else { "" };
        let times = if launch.count == 1 { "once" } else { "times" };
        let count = if launch.count == 1 {
            String::new()
        } else {
            format!("{} ", launch.count)
        };
        let place = place(ctx, launch.loc, 0);
        let place = place.map_or(String::new(), |place| {
            format!(" ({}:{})", place.file, place.start.0)
        });
        let host = match launch.here {
            0 => String::new(),
            here if here == launch.count => ", on the host (--remarks says why)".to_owned(),
            here => format!(", {here} of them on the host (--remarks says why)"),
        };
        out += &format!(
            "kernel: @{name}{place}, grid {gx}x{gy}x{gz}{varies}, workgroup {bx}x{by}x{bz}, \
             {count}{times}{host}\n"
        );
    }
    if outcome.launches.is_empty() {
        out += match offloaded {
            true if program.has_kernels() => {
                "kernel: none was launched: these arguments leave nothing to compute, or fail the tests of sizes and of \
                 shared memory in front of the mapped loops, which the host ran\n"
            }
            true if !program.has_loops() => {
                "kernel: none, the host ran it all: there is no loop to map\n"
            }
            true => "kernel: none, no loop was mapped: the host ran it all (--remarks says why)\n",
            false => "kernel: none, the program ran as written (--offload maps its loops)\n",
        };
    }
    out += &format!("time: {} in @{}\n", duration(outcome.time), program.entry());
    for (number, value) in outcome.results.iter().enumerate() {
        out += &format!("result {number}: {}\n", describe(ctx, value));
    }
    for (number, (before, after)) in inputs.iter().zip(&outcome.arguments).enumerate() {
        if before.elements != after.elements {
            out += &format!("argument {number}: {}\n", describe(ctx, after));
        }
    }
    out
}

/// Formats a few elements and a checksum of a value.
fn describe(ctx: &Context, value: &HostValue) -> String {
    const SHOWN: usize = 4;
    let show = |number: usize| value.show_element(number);
    let ty = type_string(ctx, value.ty);
    let Some(shape) = &value.shape else {
        return format!("{ty} = {}", show(0).unwrap_or_default());
    };
    let count = value.count();
    let mut elements: Vec<String> = (0..count.min(SHOWN)).filter_map(show).collect();
    if count > SHOWN {
        elements.push("...".to_owned());
        elements.extend(show(count - 1));
    }
    let sum: f64 = value.elements.iter().map(|bits| number(value, bits)).sum();
    let sum = match value.kind() {
        ScalarKind::Int(_) => sum.to_string(),
        _ => float_text(sum),
    };
    format!(
        "{ty}, shape {shape:?} = [{}], sum {sum}, checksum {:016x}",
        elements.join(", "),
        checksum(value.elements.iter())
    )
}

fn number(value: &HostValue, bits: u64) -> f64 {
    match value.kind() {
        ScalarKind::Int(width) if width == 1 || value.unsigned => bits as f64,
        kind => kind.to_f64(bits),
    }
}

/// FNV-1a checksum over the elements' bits, to compare runs by eye.
fn checksum(elements: impl Iterator<Item = u64>) -> u64 {
    elements
        .flat_map(|bits| bits.to_le_bytes())
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
}

/// Formats a duration with three digits.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        s => format!("{:.1} µs", s * 1e6),
    }
}
