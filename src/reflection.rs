//! Reflection: what a user's own program needs to know to launch the kernels of a SPIR-V module.
//!
//! `gridloom compile --emit=json` writes it; docs/reflection.md documents each field and how to
//! launch a kernel with it.

mod formula;

use std::collections::HashMap;

use gridloom_dialects::func;
use gridloom_dialects::gpu::{self, LaunchFuncOp};
use gridloom_ir::types::FloatKind;
use gridloom_ir::{Attr, Context, Loc, Module};
use gridloom_spirv::{
    BufferBinding, CompiledModule, ElementKind, EntryPoint, Features, IndexWidth, KernelId, Param,
    ParamSource, ParamsClass, TargetEnv,
};
use serde::Serialize;

use formula::Formulas;

/// Version of the JSON format: it changes where a field changes its meaning or is removed.
const SCHEMA: u32 = 1;

/// Description of a SPIR-V module and of the launches of its kernels.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Reflection {
    schema: u32,
    /// Width of `index` in kernels, in bits.
    index_bits: u32,
    /// Device features that the module needs.
    features: Vec<&'static str>,
    /// Assumptions that every launch has to fulfil.
    assumptions: Vec<String>,
    kernels: Vec<Kernel>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Kernel {
    /// Name of the entry point.
    name: String,
    workgroup_size: [u32; 3],
    workgroup_bytes: u64,
    buffers: Vec<Buffer>,
    parameters: Option<Parameters>,
    faults: Option<Faults>,
    launches: Vec<Launch>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Buffer {
    binding: u32,
    /// Number of the kernel's argument, counting all.
    argument: u32,
    access: &'static str,
    element: Element,
    /// Minimal size in bytes; 0 where sizes are launch parameters.
    min_bytes: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Element {
    /// Scalar type in the program.
    format: String,
    /// Representation on the device.
    stored: &'static str,
    lanes: u32,
    bytes: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Parameters {
    class: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    binding: Option<u32>,
    bytes: u32,
    members: Vec<Member>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Member {
    offset: u32,
    format: String,
    stored: &'static str,
    meaning: &'static str,
    argument: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    dimension: Option<u32>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Faults {
    binding: u32,
    bytes: u32,
    /// Locations of checked accesses and assertions, by site number.
    sites: Vec<Option<Place>>,
    /// Message of each site; null where the site is no assertion.
    messages: Vec<Option<String>>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Place {
    file: String,
    line: u32,
    column: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Launch {
    /// Name of the host function that launches the kernel.
    function: Option<String>,
    place: Option<Place>,
    /// Workgroups along x, y and z as formulas; null where no formula expresses them.
    grid: [Option<String>; 3],
    /// Origin of each argument of the kernel.
    arguments: Vec<Option<String>>,
}

impl Reflection {
    /// Describes `compiled`, which was compiled from `kernels` of a module, in the same order, for
    /// a target.
    pub fn new(
        ctx: &Context,
        module: &Module,
        kernels: &[KernelId],
        compiled: &CompiledModule,
        target: &TargetEnv,
    ) -> Self {
        let entries = kernels.iter().zip(&compiled.entries);
        let index_bits = match target.index_width {
            IndexWidth::Bits32 => 32,
            IndexWidth::Bits64 => 64,
        };
        let mut assumptions = vec![
            "a buffer that a kernel writes shares no memory with its other buffers".to_owned(),
        ];
        if index_bits == 32 {
            let index = "sizes, strides and places of elements stay below 2147483648";
            assumptions.push(index.to_owned());
        }
        let mut launches = launches(ctx, module);
        let mut launches_of = |kernel: &KernelId| {
            let symbol = ctx.nested_symbol_attr(kernel.container, &[kernel.name]);
            launches.remove(&symbol).unwrap_or_default()
        };
        Reflection {
            schema: SCHEMA,
            index_bits,
            features: Features::default().missing(compiled.required),
            assumptions,
            kernels: entries
                .map(|(kernel, entry)| Kernel {
                    launches: launches_of(kernel),
                    ..kernel_of(ctx, entry)
                })
                .collect(),
        }
    }

    /// Formats the description as JSON, with a line end.
    pub fn to_json(&self) -> String {
        // Strings and numbers always have a JSON form.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Formats reflection as comments, in lines that begin with `mark`: grids, locations of checked
    /// accesses, and assumptions, which entry points do not express.
    pub fn to_comments(&self, mark: &str) -> String {
        let mut lines = Vec::new();
        for kernel in &self.kernels {
            for launch in &kernel.launches {
                let sizes = launch.grid.iter();
                let sizes = sizes.map(|size| size.as_deref().unwrap_or("computed by the host"));
                let sizes: Vec<&str> = sizes.collect();
                lines.push(format!(
                    "kernel {}: grid {}",
                    kernel.name,
                    sizes.join(" x ")
                ));
            }
            let sites = kernel.faults.iter().flat_map(|faults| &faults.sites);
            for (number, site) in sites.enumerate() {
                if let Some(Place { file, line, column }) = site {
                    let name = &kernel.name;
                    lines.push(format!(
                        "kernel {name}: fault {number} at {file}:{line}:{column}"
                    ));
                }
            }
        }
        let assumptions = self
            .assumptions
            .iter()
            .map(|text| format!("assumes that {text}"));
        lines.extend(assumptions);
        lines
            .iter()
            .map(|line| format!("{mark} {line}\n"))
            .collect()
    }
}

fn kernel_of(ctx: &Context, entry: &EntryPoint) -> Kernel {
    let block = &entry.abi.params;
    let parameters = (block.size > 0).then(|| Parameters {
        class: match block.class {
            ParamsClass::Immediates => "immediates",
            ParamsClass::Uniform => "uniform",
        },
        binding: block.binding,
        bytes: block.size,
        members: block.members.iter().map(member_of).collect(),
    });
    let faults = entry.abi.fault_binding.map(|binding| Faults {
        binding,
        bytes: 16,
        sites: (entry.abi.fault_sites.iter())
            .map(|site| place_of(ctx, site.loc))
            .collect(),
        messages: (entry.abi.fault_sites.iter())
            .map(|site| site.assertion.clone())
            .collect(),
    });
    Kernel {
        name: entry.name.clone(),
        workgroup_size: entry.workgroup_size,
        workgroup_bytes: entry.workgroup_bytes,
        buffers: entry.abi.buffers.iter().map(buffer_of).collect(),
        parameters,
        faults,
        launches: Vec::new(),
    }
}

fn buffer_of(buffer: &BufferBinding) -> Buffer {
    let kind = buffer.element.kind;
    Buffer {
        binding: buffer.binding,
        argument: buffer.arg,
        access: if buffer.read_only {
            "read"
        } else {
            "read_write"
        },
        element: Element {
            format: kind.type_name(),
            stored: match buffer.packed {
                true => packed(kind),
                false => stored(kind),
            },
            lanes: buffer.element.lanes,
            bytes: buffer.element_bytes(),
        },
        min_bytes: buffer.min_bytes,
    }
}

fn member_of(member: &Param) -> Member {
    let (meaning, argument, dimension) = match member.source {
        ParamSource::Scalar { arg } => ("value", arg, None),
        ParamSource::Offset { arg } => ("offset", arg, None),
        ParamSource::Size { arg, dim } => ("size", arg, Some(dim)),
        ParamSource::Stride { arg, dim } => ("stride", arg, Some(dim)),
        ParamSource::Address { arg } => ("address", arg, None),
        ParamSource::Digit { value } => ("digit", value, None),
    };
    Member {
        offset: member.offset,
        format: member.kind.type_name(),
        stored: stored(member.kind),
        meaning,
        argument,
        dimension,
    }
}

/// Device representation of a scalar; `abi.rs` of the crate `spirv` defines it.
fn stored(kind: ElementKind) -> &'static str {
    match kind {
        ElementKind::Bool => "u32",
        ElementKind::Int(bits) if bits > 32 => "i64",
        ElementKind::Int(_) => "i32",
        ElementKind::F64 => "f64",
        kind if kind.is_narrow_float() => "u32",
        _ => "f32",
    }
}

/// Representation of a scalar in a buffer of packed elements.
fn packed(kind: ElementKind) -> &'static str {
    match (kind, kind.packed_bytes()) {
        (ElementKind::Int(8), _) => "i8",
        (ElementKind::Int(16), _) => "i16",
        (ElementKind::Narrow(FloatKind::F16), _) => "f16",
        // Bits, zero-extended.
        (_, 1) => "u8",
        _ => "u16",
    }
}

fn place_of(ctx: &Context, loc: Loc) -> Option<Place> {
    let at = gridloom_ir::diag::place(ctx, loc, 1)?;
    let (line, column) = at.start;
    Some(Place {
        file: at.file,
        line,
        column,
    })
}

/// Launches of kernels by the host functions of a module, by kernel symbol; one walk finds them
/// all.
fn launches(ctx: &Context, module: &Module) -> HashMap<Attr, Vec<Launch>> {
    let mut found: HashMap<Attr, Vec<Launch>> = HashMap::new();
    for (_, data) in module.ops().filter(|(_, data)| data.name == func::FUNC) {
        let Some(body) = data.isolated() else {
            continue;
        };
        let formulas = Formulas::new(ctx, body);
        for op in body
            .walk()
            .into_iter()
            .filter(|&op| body[op].name == gpu::LAUNCH_FUNC)
        {
            let launch = LaunchFuncOp(op);
            let arguments = launch.args(ctx, body).iter();
            found
                .entry(launch.kernel(ctx, body))
                .or_default()
                .push(Launch {
                    function: data.symbol_name(ctx).map(|name| ctx.str(name).to_owned()),
                    place: place_of(ctx, body[op].loc),
                    grid: (launch.sizes(ctx, body).grid).map(|size| formulas.scalar(size)),
                    arguments: arguments.map(|&value| formulas.argument(value)).collect(),
                });
        }
    }
    found
}
