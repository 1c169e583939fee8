//! The comment at the head of a translation: how a kernel is launched.

use std::fmt::Write;

use crate::EntryPoint;
use crate::abi::{DeviceElement, ElementKind, ParamSource};

/// Writes the comment for one entry point, called `called` in the text.
pub(super) fn write(out: &mut String, entry: &EntryPoint, called: &str) {
    let [x, y, z] = entry.workgroup_size;
    line(
        out,
        format_args!(
            "kernel {}: entry point {called}, workgroup {x} x {y} x {z}",
            entry.name
        ),
    );
    for buffer in &entry.abi.buffers {
        let access = if buffer.read_only {
            "read"
        } else {
            "read and written"
        };
        line(
            out,
            format_args!(
                "  binding {}: argument {}, {} in storage, {access}",
                buffer.binding,
                buffer.arg,
                element(buffer.element)
            ),
        );
    }
    let params = &entry.abi.params;
    if let Some(binding) = params.binding {
        line(
            out,
            format_args!(
                "  binding {binding}: parameters, uniform, {} bytes",
                params.size
            ),
        );
        for member in &params.members {
            let what = match member.source {
                ParamSource::Scalar { arg } => format!("argument {arg}"),
                ParamSource::Offset { arg } => format!("offset of argument {arg}"),
                ParamSource::Size { arg, dim } => format!("size {dim} of argument {arg}"),
                ParamSource::Stride { arg, dim } => format!("stride {dim} of argument {arg}"),
                ParamSource::Address { arg } => format!("device address of argument {arg}"),
                ParamSource::Digit { value } => format!("the number {value}"),
            };
            line(
                out,
                format_args!("    byte {}: {what}, {}", member.offset, kind(member.kind)),
            );
        }
    }
    if let Some(binding) = entry.abi.fault_binding {
        line(
            out,
            format_args!("  binding {binding}: faults, 4 words of 0 in storage, written"),
        );
    }
}

/// Writes the comment on the constant buffer of the number of workgroups in HLSL.
pub(super) fn write_grid_size(out: &mut String, register: u32) {
    line(
        out,
        format_args!("register b{register}: the number of workgroups in x, y and z, 3 words"),
    );
}

/// Writes the comment on the buffer of buffer sizes in MSL.
pub(super) fn write_sizes(out: &mut String, slot: u32) {
    line(
        out,
        format_args!("buffer {slot}: the bytes of each storage buffer, as in _mslBufferSizes"),
    );
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "// {text}");
}

fn element(element: DeviceElement) -> String {
    match element.lanes {
        1 => kind(element.kind),
        lanes => format!("{lanes} x {}", kind(element.kind)),
    }
}

/// Name of an element's storage format (see the page of `abi`).
fn kind(kind: ElementKind) -> String {
    match kind {
        ElementKind::Bool => "i1 as a word".to_owned(),
        ElementKind::Int(bits) if bits < 32 => "an integer sign-extended to i32".to_owned(),
        ElementKind::Int(33..64) => "an integer sign-extended to i64".to_owned(),
        other => match other.narrow_format() {
            Some(narrow) => {
                let (name, bits) = (narrow.ty.keyword(), narrow.bits());
                format!("{name} in the low {bits} bits of a word")
            }
            None => other.type_name(),
        },
    }
}
