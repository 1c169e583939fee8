//! gridloom: affine MLIR programs on any GPU.
//!
//! [`parse`] reads and checks a module, [`Program::compile`] maps its loops to
//! kernels, a [`Session`] holds the device they run on, and [`Program::run`]
//! runs the whole program, host code included.
//!
//! ```
//! use gridloom::{Context, DeviceWish, Program, Session, SessionOptions};
//!
//! let text = "
//!     func.func @double(%x: memref<4xi32>) {
//!       affine.for %i = 0 to 4 {
//!         %v = affine.load %x[%i] : memref<4xi32>
//!         %w = arith.addi %v, %v : i32
//!         affine.store %w, %x[%i] : memref<4xi32>
//!       }
//!       return
//!     }";
//! let ctx = gridloom::context();
//! let module = gridloom::parse(&ctx, "double.mlir", text.as_bytes()).unwrap();
//! let options = gridloom::OffloadOptions::default();
//! let program = Program::compile(&ctx, module, None, Some(&options)).unwrap();
//!
//! // `DeviceWish::Auto` takes a GPU if there is one.
//! let session = Session::open(&DeviceWish::Cpu, SessionOptions::default()).unwrap();
//! let specs = ["iota".parse().unwrap()];
//! let inputs = program.inputs(&specs, |path| Err(format!("no file '{path}'"))).unwrap();
//! let outcome = program.run(&session, &inputs).unwrap();
//! let elements: Vec<u64> = outcome.arguments[0].elements.iter().collect();
//! assert_eq!(elements, [0, 2, 4, 6]);
//! ```

pub mod bench;
pub mod binary;
pub mod compare;
pub mod conversions;
mod elements;
mod entry;
mod execution;
pub mod foreign;
mod gpu;
mod host_value;
pub mod layouts;
mod mapping;
pub mod npy;
mod number_text;
pub mod printed;
mod program;
pub mod reflection;
mod resident;
mod schedules;
mod session;
mod specialization;
pub mod target;
pub mod tune;
pub mod values;

pub use gridloom_codegen as codegen;
pub use gridloom_codegen::target::OffloadOptions;
pub use gridloom_dialects::{self as dialects, context};
pub use gridloom_gpu_runtime as gpu_runtime;
pub use gridloom_interp as interp;
pub use gridloom_interp::{Printer, StopFlag, StopReason, ThreadOrder};
pub use gridloom_ir as ir;
pub use gridloom_ir::{Context, Diagnostics, Module};
pub use gridloom_rewrite as rewrite;
pub use gridloom_spirv as spirv;

pub use elements::Elements;
pub use execution::{Outcome, RunOptions, Sanitize};
pub use host_value::HostValue;
pub use mapping::verify_mapped;
pub use number_text::float_text;
pub use program::{DEFAULT_SIZE, Program};
pub use resident::Resident;
pub use session::{DeviceWish, MapFor, Session, SessionOptions};

/// Reads a module from text or bytecode and verifies it. `name` is the name of the source in
/// diagnostics.
///
/// # Errors
/// All syntax errors of the input, or all verifier errors of the program.
pub fn parse(ctx: &Context, name: &str, input: &[u8]) -> Result<Module, Diagnostics> {
    let options = ir::text::ParseOptions::default();
    verified(ctx, ir::read_module(ctx, name, input, &options)?)
}

/// Reads and verifies the function `entry` and everything that it needs. Of bytecode nothing else
/// is read, so that the size of a library does not matter; text is read completely.
///
/// # Errors
/// All errors in the part that is read.
pub fn parse_entry(
    ctx: &Context,
    name: &str,
    input: &[u8],
    entry: &str,
) -> Result<Module, Diagnostics> {
    if !ir::bytecode::is_bytecode(input) {
        return parse(ctx, name, input);
    }
    let options = ir::text::ParseOptions::default();
    let mut module = ir::bytecode::LazyModule::open(ctx, name, input, &options)?;
    let entry = ctx.ident(entry);
    if !module.has_symbol(entry) {
        // The caller reports that the whole file has no such entry.
        return parse(ctx, name, input);
    }
    module.reach([entry])?;
    verified(ctx, module.into_module())
}

fn verified(ctx: &Context, module: Module) -> Result<Module, Diagnostics> {
    let found = ir::verify::verify(ctx, &module);
    if found.has_errors() {
        Err(found)
    } else {
        Ok(module)
    }
}
