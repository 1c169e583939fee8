//! Function attributes for bufferization of arguments: `bufferization.writable`,
//! `bufferization.access`, `bufferization.buffer_layout`.

use crate::{gpu, memref};
use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::op::OpName;
use gridloom_ir::verify::Carrier;
use gridloom_ir::verify::{Check, Checked};

/// Operations that allocate or free memory.
const ALLOCATE_OR_FREE: [OpName; 7] = [
    memref::ALLOC,
    memref::ALLOCA,
    memref::DEALLOC,
    memref::REALLOC,
    gpu::ALLOC,
    gpu::DEALLOC,
    super::CLONE,
];

/// Checks an attribute whose name begins with `bufferization.`.
pub(crate) fn verify_attribute(
    check: &Check,
    carrier: Carrier,
    name: &str,
    value: Attr,
) -> Checked {
    match carrier {
        Carrier::Operation => verify_on_operation(check, name),
        Carrier::Argument(_) => verify_on_argument(check, name, value),
        Carrier::Result(_) => Ok(()),
    }
}

fn plain(check: &Check, message: impl Into<String>) -> Checked {
    Err(Diagnostic::error(check.data().loc, message))
}

fn verify_on_operation(check: &Check, name: &str) -> Checked {
    if name != "bufferization.manual_deallocation" {
        return plain(
            check,
            format!(
                "attribute '\"{name}\"' not supported as an op attribute by the bufferization \
                 dialect"
            ),
        );
    }
    check.ensure(
        ALLOCATE_OR_FREE.contains(&check.name()),
        "attribute 'bufferization.manual_deallocation' can be used only on ops that have an \
         allocation and/or free side effect",
    )
}

fn verify_on_argument(check: &Check, name: &str, value: Attr) -> Checked {
    let ctx = check.ctx();
    match name {
        "bufferization.writable" => {
            if value.as_bool(ctx).is_none() {
                return plain(
                    check,
                    format!("'{name}' is expected to be a boolean attribute"),
                );
            }
            let body = check.data().isolated();
            if body.is_some_and(|body| body.entry().is_none()) {
                return plain(check, format!("'{name}' is invalid on external functions"));
            }
            Ok(())
        }
        "bufferization.access" => match value.as_str(ctx) {
            None => plain(
                check,
                format!("'{name}' is expected to be a string attribute"),
            ),
            Some("none" | "read" | "write" | "read-write") => Ok(()),
            Some(_) => plain(check, format!("invalid value for '{name}'")),
        },
        "bufferization.buffer_layout" => match value.kind(ctx) {
            AttrKind::Map(_) | AttrKind::Strided { .. } => Ok(()),
            _ => plain(
                check,
                format!("'{name}' is expected to be a memref layout attribute"),
            ),
        },
        _ => plain(
            check,
            "attribute 'bufferization.buffer_layout' not supported as a region arg attribute by \
             the bufferization dialect",
        ),
    }
}
