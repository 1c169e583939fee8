//! Foreign dialects, above or below loops: the MLIR passes that lower them to dialects that run
//! here.

use gridloom_ir::diag::{Diagnostic, Diagnostics, place};
use gridloom_ir::{Context, Module, OpName, Type, TypeKind, Value};

/// Way to lower a dialect to loops.
enum Way {
    /// Command line, with `FILE` for the file's name.
    Command(&'static str),
    /// No lowering exists; with advice.
    None(&'static str),
}

/// Command that lowers tensors to affine loops, after some passes of `mlir-opt`.
macro_rules! to_affine_loops {
    ($($first:literal)?) => {
        concat!(
            "mlir-opt-22 FILE ",
            $($first, " --canonicalize ",)?
            "--convert-elementwise-to-linalg --convert-tensor-to-linalg \
             --one-shot-bufferize=\"bufferize-function-boundaries \
             function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops\" \
             --convert-linalg-to-affine-loops -o lowered.mlir"
        )
    };
}

const FROM_LINALG: &str = to_affine_loops!();

const FROM_SHAPE: &str = to_affine_loops!("--convert-shape-constraints --convert-shape-to-std");

const FROM_QUANT: &str = to_affine_loops!("--lower-quant-ops --strip-func-quant-types");

const FROM_TOSA: &str = "mlir-opt-22 FILE --pass-pipeline=\"builtin.module(func.func(\
    tosa-optional-decompositions,tosa-infer-shapes,tosa-make-broadcastable,tosa-to-scf,\
    tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith{include-apply-rescale=true},tosa-to-tensor),\
    convert-elementwise-to-linalg,convert-tensor-to-linalg,\
    one-shot-bufferize{bufferize-function-boundaries \
    function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops},\
    func.func(convert-linalg-to-affine-loops))\" -o lowered.mlir";

const FROM_STABLEHLO: &str = "stablehlo-opt FILE --stablehlo-legalize-to-linalg | mlir-opt-22 \
    --convert-elementwise-to-linalg --one-shot-bufferize=\"bufferize-function-boundaries \
    function-boundary-type-conversion=identity-layout-map\" --convert-linalg-to-affine-loops \
    -o lowered.mlir";

const FROM_TORCH: &str = "torch-mlir-opt FILE \
    --pass-pipeline=\"builtin.module(torch-backend-to-linalg-on-tensors-backend-pipeline)\" | \
    mlir-opt-22 --one-shot-bufferize=\"bufferize-function-boundaries \
    function-boundary-type-conversion=identity-layout-map\" --convert-linalg-to-affine-loops \
    -o lowered.mlir";

/// The pass applies the transform script, and removes it from the module.
const BY_SCRIPT: &str = "mlir-opt-22 FILE --transform-interpreter \
    --test-transform-dialect-erase-schedule -o transformed.mlir";

const FROM_SPARSE_TENSOR: &str = "mlir-opt-22 FILE --sparse-assembler=direct-out \
    --linalg-generalize-named-ops --sparsification-and-bufferization --convert-linalg-to-loops -o lowered.mlir";

const FOR_THREADS: &str = "it hands loops to threads of the host, or to other compilers: run the \
    program as it was before the passes that bring this dialect in, since its loops become kernels \
    as they are";

const FOR_ASYNC_RUNTIME: &str = "of its dialect, async.execute, async.await and groups run; functions, \
    coroutines and the runtime do not: run the program as it was before --async-func-to-async-runtime, \
    --async-to-async-runtime and --async-parallel-for, and make an async.func a func.func";

const FOR_OTHER_DEVICES: &str = "it is specific to the devices of one vendor: run the program as \
                                 it was \
    before the passes that lower to this dialect";

/// No pass decomposes `linalg.softmax`, but a transform script does.
const FROM_SOFTMAX: &str = concat!(
    "echo 'module attributes {transform.with_named_sequence} { \
     transform.named_sequence @__transform_main(%module: !transform.any_op) { \
     %found = transform.structured.match ops{[\"linalg.softmax\"]} in %module : (!transform.any_op) -> !transform.any_op \
     %parts = transform.structured.decompose_interface %found : (!transform.any_op) -> !transform.any_op \
     transform.yield } }' > decompose.mlir && ",
    to_affine_loops!(
        "--transform-preload-library=transform-library-paths=decompose.mlir --transform-interpreter"
    )
);

const BY_LOWER_PACK: &str = "no pass of MLIR lowers it but a transform script, by \
    transform.structured.lower_pack and lower_unpack, which mlir-opt-22 --transform-interpreter applies";

const BY_EXTRACTS: &str = "no pass of MLIR lowers it: write it as a linalg.generic or a tensor.generate with \
    tensor.extract in it, or loops with tensor.insert";

const TENSOR_GLOBAL: &str = "it is a tensor of a model that its functions share; where none uses it, as the seed in programs \
    of torch-mlir, mlir-opt-22 --symbol-dce removes it, else make it a memref.global";

const BELOW_LOOPS: &str = "it is of a lower level than loops and cannot be raised to them: run \
                           the program as \
    it was before the passes that lower to this dialect";

const DIALECTS: &[(&str, Way)] = &[
    ("linalg", Way::Command(FROM_LINALG)),
    ("tensor", Way::Command(FROM_LINALG)),
    ("bufferization", Way::Command(FROM_LINALG)),
    ("shape", Way::Command(FROM_SHAPE)),
    ("quant", Way::Command(FROM_QUANT)),
    ("tosa", Way::Command(FROM_TOSA)),
    ("stablehlo", Way::Command(FROM_STABLEHLO)),
    ("torch", Way::Command(FROM_TORCH)),
    ("transform", Way::Command(BY_SCRIPT)),
    ("sparse_tensor", Way::Command(FROM_SPARSE_TENSOR)),
    ("ml_program", Way::None(TENSOR_GLOBAL)),
    ("async", Way::None(FOR_ASYNC_RUNTIME)),
    ("omp", Way::None(FOR_THREADS)),
    ("acc", Way::None(FOR_THREADS)),
    ("nvgpu", Way::None(FOR_OTHER_DEVICES)),
    ("amdgpu", Way::None(FOR_OTHER_DEVICES)),
    ("xegpu", Way::None(FOR_OTHER_DEVICES)),
    ("amx", Way::None(FOR_OTHER_DEVICES)),
    ("x86vector", Way::None(FOR_OTHER_DEVICES)),
    ("arm_neon", Way::None(FOR_OTHER_DEVICES)),
    ("arm_sve", Way::None(FOR_OTHER_DEVICES)),
    ("arm_sme", Way::None(FOR_OTHER_DEVICES)),
    ("llvm", Way::None(BELOW_LOOPS)),
    ("spirv", Way::None(BELOW_LOOPS)),
    ("nvvm", Way::None(BELOW_LOOPS)),
    ("rocdl", Way::None(BELOW_LOOPS)),
    ("emitc", Way::None(BELOW_LOOPS)),
];

/// Operations that the way of their dialect leaves as they are.
const OPERATIONS: &[(&str, Way)] = &[
    ("linalg.softmax", Way::Command(FROM_SOFTMAX)),
    ("linalg.pack", Way::None(BY_LOWER_PACK)),
    ("linalg.unpack", Way::None(BY_LOWER_PACK)),
    ("tensor.gather", Way::None(BY_EXTRACTS)),
    ("tensor.scatter", Way::None(BY_EXTRACTS)),
];

/// Beginnings of the names of operations that run though their dialect does not; operations with rows are
/// meant.
const RUN: [&str; 6] = [
    "async.",
    "llvm.extractvalue",
    "llvm.insertvalue",
    "llvm.intr.",
    "llvm.mlir.",
    "sparse_tensor.storage_specifier.",
];

/// Whether an operation runs though its dialect is foreign.
fn runs(ctx: &Context, operation: OpName) -> bool {
    let name = ctx.op_name_str(operation);
    operation.has_row() && RUN.iter().any(|runs| name.starts_with(runs))
}

/// The way to lower an operation: its own, or that of its dialect.
fn way(operation: &str) -> Option<&'static Way> {
    let (dialect, _) = operation.split_once('.')?;
    find(OPERATIONS, operation).or_else(|| find(DIALECTS, dialect))
}

fn find(rows: &'static [(&str, Way)], wanted: &str) -> Option<&'static Way> {
    let row = rows.iter().find(|(name, _)| *name == wanted);
    row.map(|(_, way)| way)
}

/// Error for the foreign name `name` at the location of `start`.
fn explained(ctx: &Context, mut start: Diagnostic, name: &str, way: &Way) -> Diagnostic {
    start.message = match way {
        Way::Command(BY_SCRIPT) => {
            format!("'{name}' is a script of transformations, which gridloom does not apply")
        }
        Way::Command(_) => {
            format!("gridloom does not run '{name}': lower it to loops with MLIR's passes first")
        }
        Way::None(why) => format!("'{name}' does not run: {why}"),
    };
    if let Way::Command(command) = way {
        let file = place(ctx, start.loc, 1).map_or("FILE".to_owned(), |place| place.file);
        let file = if file == "<stdin>" { "-" } else { &file };
        start = start.with_help(command.replace("FILE", file));
    }
    start
}

/// Summarizes errors on foreign dialects: one error for a text that cannot be read because of them;
/// all errors where another one comes first.
pub fn summarised(ctx: &Context, found: Diagnostics) -> Diagnostics {
    let Some(first) = found.iter().next() else {
        return found;
    };
    let foreign = |error: &Diagnostic| {
        let name = operation_at(ctx, error)?;
        let way = way(&name).filter(|_| !runs(ctx, ctx.op_name(&name)))?;
        Some((error.loc, name, way))
    };
    let Some(first) = foreign(first) else {
        return found;
    };
    // The way of a dialect would leave such an operation, which would be refused again.
    let left = |(_, name, _): &(_, String, _)| find(OPERATIONS, name).is_some();
    let (loc, name, way) = (found.iter().filter_map(foreign))
        .find(left)
        .unwrap_or(first);
    let start = Diagnostic::error(loc, String::new());
    let mut one = Diagnostics::new();
    one.push(explained(ctx, start, &name, way));
    one
}

/// Name of the operation at the location of an error.
fn operation_at(ctx: &Context, error: &Diagnostic) -> Option<String> {
    let place = place(ctx, error.loc, 0)?;
    let line = place.line?.bytes;
    let column = |column: u32| column.saturating_sub(1) as usize;
    let (from, to) = (column(place.start.1), column(place.end.1));
    let token = std::str::from_utf8(line.get(from..to)?).ok()?;
    Some(token.trim_matches('"').to_owned())
}

/// Error for the first operation of a foreign dialect, or with tensor values. An operation that the way of its dialect leaves comes
/// before others: what that way makes of a program would be refused again.
pub fn first_foreign(ctx: &Context, module: &Module) -> Option<Diagnostic> {
    let of_operation = || foreign(ctx, module, |name| find(OPERATIONS, name).is_some());
    of_operation().or_else(|| foreign(ctx, module, |_| true))
}

/// Error for the first foreign operation whose name is meant.
fn foreign(ctx: &Context, module: &Module, is_meant: impl Fn(&str) -> bool) -> Option<Diagnostic> {
    for (_, data) in module.ops() {
        let Some(body) = data.isolated() else {
            continue;
        };
        for op in body
            .walk()
            .into_iter()
            .filter(|&op| is_meant(ctx.op_name_str(body[op].name)))
        {
            let name = ctx.op_name_str(body[op].name);
            if let Some(way) = way(name).filter(|_| !runs(ctx, body[op].name)) {
                let start = Diagnostic::error(body[op].loc, String::new());
                return Some(explained(ctx, start, name, way));
            }
            let is_tensor = |value: Value| is_tensor(ctx, body.ty(value));
            let mut values = body[op].operands.iter().copied().chain(body[op].results());
            if values.any(is_tensor) {
                let start = Diagnostic::error(body[op].loc, String::new());
                let name = format!("{name} on tensors");
                return Some(explained(ctx, start, &name, &Way::Command(FROM_LINALG)));
            }
        }
    }
    None
}

fn is_tensor(ctx: &Context, ty: Type) -> bool {
    matches!(
        ty.kind(ctx),
        TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor { .. }
    )
}
