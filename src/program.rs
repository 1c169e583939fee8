//! Compiled program, with typed inputs and outputs.

use std::sync::Mutex;

use gridloom_codegen::pass::{PassOptions, Pipeline};
use gridloom_codegen::target::OffloadOptions;
use gridloom_codegen::transform::specialize_function::KnownArgument;
use gridloom_codegen::transform::symbol_dce::retain_reached;
use gridloom_dialects::vector::VectorShape;
use gridloom_dialects::{affine, cf, func, gpu, inherent, scf};
use gridloom_interp::Options;
use gridloom_ir::diag::Diagnostics;
use gridloom_ir::types::{DYNAMIC, MemRefType};
use gridloom_ir::{Body, Context, Module, Type};

use crate::binary::extract;
use crate::compare::computes_in_single;
use crate::elements::{Elements, narrow};
use crate::entry::{check_parameters, choose_entry, make_public, of_scalars};
use crate::foreign::first_foreign;
use crate::gpu::Kernels;
use crate::host_value::{Class, HostValue, element_class, numpy_type};
use crate::layouts::{apply_layouts_in_steps, first_in_steps};
use crate::mapping::map;
use crate::npy::{self, Dtype};
use crate::specialization;
use crate::values::{ArgSpec, Fill, generate, parse_complex, parse_scalar};

/// Default size of a `?` dimension.
pub const DEFAULT_SIZE: i64 = 64;

/// Runs one pass on a module.
pub(crate) fn run_pass(
    ctx: &Context,
    module: &mut Module,
    (name, options): (&'static str, &str),
) -> Result<(), Diagnostics> {
    let mut pipeline = Pipeline::new();
    let options = PassOptions::parse(options).unwrap_or_default();
    if pipeline.add(name, &options).is_ok() {
        pipeline.run(ctx, module, &mut ())?;
    }
    Ok(())
}

/// Passes that lower operations without an interpreter instruction, in the reference as well.
const FOR_THE_INTERPRETER: [(&str, &str); 12] = [
    ("async-execute-in-order", ""),
    ("convert-libm-to-math", ""),
    ("convert-llvm-intrinsics-to-math", ""),
    ("lower-scalable-vectors", ""),
    ("expand-float-casts", ""),
    ("lower-aggregates", ""),
    ("gpu-expand-launches", ""),
    ("gpu-lower-mma", ""),
    ("lower-vector-elements", ""),
    ("convert-complex-to-standard", ""),
    ("arith-emulate-wide-int", ""),
    ("lower-vectors", "scope=host"),
];

/// The form of a program that is mapped: with MMA matrices where the target supports some; the
/// mapping lowers the others.
pub(crate) fn mappable(
    source: &Module,
    with_matrices: Option<&Module>,
    options: Option<&OffloadOptions>,
) -> Module {
    let has_products = options.is_some_and(|options| !options.products().is_empty());
    let kept = with_matrices.filter(|_| has_products);
    kept.unwrap_or(source).clone()
}

/// The compiled module with vectors in place of MMA matrices; `None` if there are no matrices.
pub(crate) fn emulated(ctx: &Context, compiled: &Module) -> Result<Option<Module>, Diagnostics> {
    if !has_matrices(compiled.body()) {
        return Ok(None);
    }
    let mut emulated = compiled.clone();
    run_pass(ctx, &mut emulated, ("gpu-lower-mma", ""))?;
    Ok(Some(emulated))
}

/// Whether a body, or one nested in it, multiplies MMA matrices.
fn has_matrices(body: &Body) -> bool {
    body.walk().into_iter().any(|op| {
        let data = &body[op];
        data.name == gpu::SUBGROUP_MMA_COMPUTE || data.isolated().is_some_and(has_matrices)
    })
}

/// Program: an entry function with everything that it reaches, as given and as compiled.
#[derive(Debug)]
pub struct Program<'c> {
    pub(crate) ctx: &'c Context,
    pub(crate) source: Module,
    /// The source with the MMA matrices of its kernels, if there are any.
    pub(crate) with_matrices: Option<Module>,
    pub(crate) compiled: Module,
    /// The compiled module without MMA matrices, if there are any: the interpreter runs its kernels
    /// where a device does not support them.
    pub(crate) emulated: Option<Module>,
    pub(crate) entry: String,
    pub(crate) parameters: Vec<Type>,
    pub(crate) results: Vec<Type>,
    /// Knowledge of each argument that holds for every run.
    pub(crate) known: Vec<KnownArgument>,
    /// Cache of device kernels, for the next run.
    pub(crate) kernels: Mutex<Option<Kernels>>,
    /// The compiler's decisions, with reasons.
    pub remarks: Diagnostics,
}

impl<'c> Program<'c> {
    /// Compiles `module` to run `entry`, or its only public function.
    ///
    /// # Errors
    /// There is no such function, or more than one to choose from; the
    /// compiler's own errors.
    pub fn compile(
        ctx: &'c Context,
        module: Module,
        entry: Option<&str>,
        options: Option<&OffloadOptions>,
    ) -> Result<Self, Diagnostics> {
        let mut errors = Diagnostics::new();
        let Some(entry) = choose_entry(ctx, &module, entry, &mut errors) else {
            return Err(errors);
        };
        let (parameters, results) = entry.1.clone();
        let mut compiled = module;
        extract(ctx, &mut compiled)?;
        retain_reached(ctx, &mut compiled, ctx.ident(&entry.0));
        make_public(ctx, &mut compiled, &entry.0);
        run_pass(ctx, &mut compiled, ("convert-bufferization-to-memref", ""))?;
        if let Some(foreign) = first_foreign(ctx, &compiled) {
            errors.push(foreign);
            return Err(errors);
        }
        if let Some(error) = first_in_steps(ctx, &compiled, &entry.0, &parameters) {
            errors.push(error);
            return Err(errors);
        }
        apply_layouts_in_steps(ctx, &mut compiled)?;
        let mut with_matrices = has_matrices(compiled.body()).then(|| compiled.clone());
        for pass in FOR_THE_INTERPRETER {
            run_pass(ctx, &mut compiled, pass)?;
            if let Some(kept) = &mut with_matrices
                && pass.0 != "gpu-lower-mma"
            {
                run_pass(ctx, kept, pass)?;
            }
        }
        check_parameters(ctx, &entry)?;
        let source = compiled;
        let mut compiled = mappable(&source, with_matrices.as_ref(), options);
        let known = specialization::of_any_run(ctx, &source, &entry.0);
        let mut remarks = Diagnostics::new();
        if options.is_none() {
            // Kernels in the input may have wrong in-bounds flags; `offload` recomputes them, too.
            run_pass(ctx, &mut compiled, ("affine-mark-inbounds", ""))?;
        }
        if let Some(options) = options {
            remarks = map(ctx, &mut compiled, &entry.0, &known, options)?;
        }
        let emulated = emulated(ctx, &compiled)?;
        Ok(Program {
            ctx,
            source,
            with_matrices,
            compiled,
            emulated,
            entry: entry.0,
            parameters: of_scalars(ctx, &parameters),
            results: of_scalars(ctx, &results),
            known,
            kernels: Mutex::default(),
            remarks,
        })
    }

    /// The entry function's name.
    pub fn entry(&self) -> &str {
        &self.entry
    }

    /// NumPy's type for values of `ty`; the error names a type that NumPy does not have.
    ///
    /// # Errors
    /// NumPy has no such type.
    pub fn array_type(&self, ty: Type) -> Result<Dtype, String> {
        let element = VectorShape::of(self.ctx, ty).map_or(ty, |vector| vector.element);
        let class = element_class(self.ctx, element)?;
        numpy_type(class.kind, class.unsigned, class.complex)
    }

    /// The types of the entry function's parameters.
    pub fn parameters(&self) -> &[Type] {
        &self.parameters
    }

    /// The types of the entry function's results.
    pub fn result_types(&self) -> &[Type] {
        &self.results
    }

    /// Whether host functions of the compiled module have loops.
    pub fn has_loops(&self) -> bool {
        let loops = [
            affine::FOR,
            affine::PARALLEL,
            scf::FOR,
            scf::FORALL,
            scf::PARALLEL,
            scf::WHILE,
            cf::BR,
            cf::COND_BR,
        ];
        let functions = (self.compiled.ops()).filter(|(_, op)| op.name == func::FUNC);
        let mut bodies = functions.filter_map(|(_, op)| op.isolated());
        // Folded loops stay in the arenas of a body.
        bodies.any(|body| body.walk().iter().any(|&op| loops.contains(&body[op].name)))
    }

    /// Whether the compiled module has kernels.
    pub fn has_kernels(&self) -> bool {
        let mut modules = self.compiled.ops().filter_map(|(_, op)| op.isolated());
        modules.any(|body| body.may_hold(gpu::FUNC))
    }

    /// Number of threads of the largest workgroup that a kernel promises; 0 where none does.
    pub fn largest_workgroup(&self) -> i64 {
        let modules = self.compiled.ops().filter_map(|(_, op)| op.isolated());
        let kernels = modules.flat_map(|body| body.walk().into_iter().map(move |op| &body[op]));
        let sizes = kernels.filter_map(|op| inherent::known_block_size(self.ctx, op));
        let threads = sizes.map(|size| size.iter().product());
        threads.max().unwrap_or(0)
    }

    /// The compiled module.
    pub fn compiled(&self) -> &Module {
        &self.compiled
    }

    /// Creates values for the parameters. Without any specification memrefs get `random` of
    /// differing seeds, scalars 1, and every `?` is [`DEFAULT_SIZE`]. `read` returns the contents
    /// of a named file.
    ///
    /// # Errors
    /// The wrong argument, the reason, and a correct form.
    pub fn inputs(
        &self,
        specs: &[ArgSpec],
        read: impl FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Vec<HostValue>, String> {
        self.inputs_within(specs, Options::default().memory_limit, read)
    }

    /// Like [`Program::inputs`], where all memrefs together have at most `limit` bytes.
    ///
    /// # Errors
    /// As [`Program::inputs`].
    pub fn inputs_within(
        &self,
        specs: &[ArgSpec],
        limit: u64,
        mut read: impl FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Vec<HostValue>, String> {
        let mut left = limit;
        let wanted = self.parameters.len();
        if !specs.is_empty() && specs.len() != wanted {
            let types: Vec<String> = self.parameters.iter().map(|&ty| self.show(ty)).collect();
            return Err(format!(
                "'@{}' takes {wanted} arguments ({}), not {}: write one --arg for each, in order",
                self.entry,
                types.join(", "),
                specs.len()
            ));
        }
        let default = |number: usize, ty: Type| match ty.memref(self.ctx) {
            Some(memref) => {
                let size = |&size: &i64| if size == DYNAMIC { DEFAULT_SIZE } else { size };
                let shape = memref.shape.iter().map(size).collect();
                ArgSpec {
                    fill: Fill::Random(number as u64 + 1),
                    shape: Some(shape),
                }
            }
            None => ArgSpec {
                fill: Fill::Ones,
                shape: None,
            },
        };
        self.parameters
            .iter()
            .enumerate()
            .map(|(number, &ty)| {
                let spec = specs
                    .get(number)
                    .cloned()
                    .unwrap_or_else(|| default(number, ty));
                let value = self.input(ty, &spec, &mut left, &mut read);
                value.map_err(|why| format!("argument {number} ({}): {why}", self.show(ty)))
            })
            .collect()
    }

    /// Whether the program as written computes in single precision or less.
    pub fn computes_in_single(&self) -> bool {
        computes_in_single(self.ctx, self.source.body())
    }

    fn show(&self, ty: Type) -> String {
        gridloom_ir::text::type_string(self.ctx, ty)
    }

    /// Whether a type is a memref of pairs, as memrefs of complex numbers are after lowering.
    fn holds_pairs(&self, ty: Type) -> bool {
        let memref = ty.memref(self.ctx);
        memref.is_some_and(|memref| memref.shape.last() == Some(&2))
    }

    fn input(
        &self,
        ty: Type,
        spec: &ArgSpec,
        left: &mut u64,
        read: &mut impl FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<HostValue, String> {
        let mut class = element_class(self.ctx, ty)?;
        let array = match &spec.fill {
            Fill::File(path) => Some(array_of(path, &mut class, self.holds_pairs(ty), read)?),
            _ => None,
        };
        let Class {
            kind,
            unsigned,
            complex,
            ..
        } = class;
        let Some(memref) = ty.memref(self.ctx) else {
            return Ok(HostValue {
                ty,
                unsigned,
                complex,
                shape: None,
                elements: scalar_elements(&class, &spec.fill, array)?,
            });
        };
        let shape = shape_of(memref, spec, array.as_ref())?;
        let size = |&size: &i64| u64::try_from(size).unwrap_or(0);
        let count = shape.iter().map(size).fold(1, u64::saturating_mul);
        let parts = 1 + u64::from(complex);
        let bytes = count.saturating_mul(parts * kind.size() as u64);
        *left = left.checked_sub(bytes).ok_or_else(|| {
            format!("shape {shape:?} takes {bytes} bytes, and the memory limit leaves {left}")
        })?;
        let count = usize::try_from(count)
            .map_err(|_| "its size exceeds the address space of this machine")?;
        let elements = match array {
            Some(array) => Elements::from_bytes(kind, array.bytes)
                .ok_or("the file's elements are of another size")?,
            None => generate(&spec.fill, kind, count, complex),
        };
        Ok(HostValue {
            ty,
            unsigned,
            complex,
            shape: Some(shape),
            elements,
        })
    }
}

/// Reads an array whose elements are of a class. The file decides whether integers that may have
/// either sign are unsigned. A file of complex numbers is one of pairs of floats, where `takes_pairs`.
fn array_of(
    path: &str,
    class: &mut Class,
    takes_pairs: bool,
    read: &mut impl FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<npy::Array, String> {
    let array = npy::read(read(path)?);
    let mut array = array.map_err(|why| format!("'{path}' is not an .npy file: {why}"))?;
    if takes_pairs && !class.complex && Some(array.dtype) == npy::Dtype::of_complex(class.kind) {
        array.dtype = numpy_type(class.kind, false, false)?;
        array.shape.push(2);
    }
    let dtype_of = |unsigned| numpy_type(class.kind, unsigned, class.complex);
    let dtype = dtype_of(class.unsigned)?;
    if array.dtype != dtype {
        if !class.signless || array.dtype != dtype_of(true)? {
            let are_bits = (class.kind.float_format()).is_some_and(|format| format.numpy == b'u');
            let way = match are_bits {
                true => "with the bits of each number".to_owned(),
                false => format!("in NumPy, array.astype('{dtype}') converts it"),
            };
            return Err(format!(
                "'{path}' holds {}, and {dtype} is needed; {way}",
                array.dtype
            ));
        }
        class.unsigned = true;
    }
    narrow(&mut array.bytes, class.kind, class.unsigned)
        .map_err(|number| format!("'{path}' holds {number}, which is no number of that type"))?;
    Ok(array)
}

/// The element of an argument that is a scalar.
fn scalar_elements(
    class: &Class,
    fill: &Fill,
    array: Option<npy::Array>,
) -> Result<Elements, String> {
    let &Class {
        kind,
        unsigned,
        complex,
        ..
    } = class;
    Ok(match (fill, array) {
        (Fill::File(_), Some(array)) => match array.shape.iter().product() {
            1i64 => Elements::from_bytes(kind, array.bytes)
                .ok_or("the file's element is of another size")?,
            _ => return Err(format!("a scalar is needed, not shape {:?}", array.shape)),
        },
        (Fill::Number(word), _) if complex => Elements::from_bits(kind, parse_complex(word, kind)?),
        (Fill::Number(word), _) => Elements::from_bits(kind, [parse_scalar(word, kind, unsigned)?]),
        (fill, _) => generate(fill, kind, 1, complex),
    })
}

/// The shape of an argument that is a memref: that of the file, of the specification, or of the
/// type.
fn shape_of(
    memref: &MemRefType,
    spec: &ArgSpec,
    array: Option<&npy::Array>,
) -> Result<Vec<i64>, String> {
    if let Fill::Number(word) = &spec.fill {
        return Err(format!(
            "'{word}' is a number, and a memref needs @file.npy, zeros, ones, iota or random"
        ));
    }
    let given = array.map(|array| &array.shape).or(spec.shape.as_ref());
    let Some(shape) = given
        .or(memref.has_static_shape().then_some(&memref.shape.to_vec()))
        .cloned()
    else {
        return Err(
            "the type leaves sizes open; give them behind the word, as in zeros[3x4]".to_owned(),
        );
    };
    let fits = |(have, want): (&i64, &i64)| *want == DYNAMIC || have == want;
    let same_rank = shape.len() == memref.rank();
    if !same_rank || !shape.iter().zip(&memref.shape).all(fits) {
        let of_file = match &spec.fill {
            Fill::File(path) => format!(" of '{path}'"),
            _ => String::new(),
        };
        return Err(format!("shape {shape:?}{of_file} does not fit the type"));
    }
    Ok(shape)
}
