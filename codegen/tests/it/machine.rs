//! Runs functions on the interpreter with made-up arguments.

use gridloom_dialects::{affine, gpu, scf};
use gridloom_interp::{Argument, Machine, MemRef, Options, ScalarKind, ThreadOrder, scalar_kind};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Context, Module, Type};

/// What a run leaves: the bytes of every memref argument, and the results.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    pub buffers: Vec<Vec<u8>>,
    pub results: Vec<u64>,
}

/// The names of the public functions that have a body, with their parameters.
pub fn entries(ctx: &Context, module: &Module) -> Vec<(String, Vec<Type>)> {
    let functions = module.ops().filter_map(|(_, op)| {
        let body = op.isolated()?;
        let entry = body.entry()?;
        let is_public = op.attr(ctx, "sym_visibility").is_none();
        let name = ctx.str(op.symbol_name(ctx)?).to_owned();
        let types = body[entry].args.iter().map(|&arg| body.ty(arg)).collect();
        (is_public && ctx.op_name_str(op.name) == "func.func").then_some((name, types))
    });
    functions.collect()
}

/// What `run` gives in ascending thread order. `Err` also when another order
/// gives something else, or two threads race: whatever claims to be parallel
/// must not depend on the order.
pub fn in_every_order<T: PartialEq + std::fmt::Debug>(
    module: &Module,
    run: impl Fn(Options) -> Result<T, String>,
) -> Result<T, String> {
    let expected = run(Options::default())?;
    if !has_threads(module) {
        return Ok(expected);
    }
    let runs = [
        (ThreadOrder::Descending, false),
        (ThreadOrder::Random(1), false),
        (ThreadOrder::Ascending, true),
    ];
    for (thread_order, sanitized) in runs {
        let options = Options {
            thread_order,
            races: sanitized,
            checked: sanitized,
            ..Options::default()
        };
        let what = format!("in order {thread_order:?}, sanitized: {sanitized}");
        let found = run(options).map_err(|fault| format!("{what}: {fault}"))?;
        if found != expected {
            return Err(format!("{what}: {found:?} instead of {expected:?}"));
        }
    }
    Ok(expected)
}

/// Whether anything in the module may run side by side.
fn has_threads(module: &Module) -> bool {
    let parallel = [
        affine::PARALLEL,
        scf::PARALLEL,
        scf::FORALL,
        gpu::LAUNCH,
        gpu::LAUNCH_FUNC,
    ];
    module.ops().any(|(_, data)| {
        data.isolated().is_some_and(|body| {
            body.walk()
                .into_iter()
                .any(|op| parallel.contains(&body[op].name))
        })
    })
}

/// Runs a function on arguments that depend on `seed` only, in every thread
/// order. `Err` says why it cannot be run so, or what fault it met.
pub fn run(
    ctx: &Context,
    module: &Module,
    name: &str,
    types: &[Type],
    seed: u64,
) -> Result<Outcome, String> {
    in_every_order(module, |options| {
        run_with(ctx, module, name, types, seed, options)
    })
}

fn run_with(
    ctx: &Context,
    module: &Module,
    name: &str,
    types: &[Type],
    seed: u64,
    options: Options,
) -> Result<Outcome, String> {
    let options = Options {
        step_limit: Some(3_000_000),
        ..options
    };
    let machine = Machine::new(ctx, module, name, None, options);
    let mut machine = machine.map_err(|errors| {
        errors
            .iter()
            .map(|e| e.message.clone())
            .collect::<Vec<_>>()
            .join("; ")
    })?;
    let mut random = Random(seed);
    let mut arguments = Vec::new();
    for &ty in types {
        arguments.push(argument(ctx, &mut machine, ty, seed, &mut random)?);
    }
    let results = machine
        .run(&arguments)
        .map_err(|fault| format!("{:?}", fault.kind))?;
    let mut buffers = Vec::new();
    for argument in &arguments {
        if let Argument::MemRef(_, memref) = argument {
            let memory = machine
                .memory()
                .get(memref.alloc)
                .map_err(|e| format!("{e:?}"))?;
            buffers.push(memory.bytes().to_vec());
        }
    }
    let results = results.iter().filter_map(|result| match result {
        Argument::Scalar(_, bits) => Some(*bits),
        Argument::MemRef(..) => None,
    });
    Ok(Outcome {
        buffers,
        results: results.collect(),
    })
}

/// Sizes are small and all `?` are alike, so that shapes that must agree do.
fn argument(
    ctx: &Context,
    machine: &mut Machine,
    ty: Type,
    seed: u64,
    random: &mut Random,
) -> Result<Argument, String> {
    let size = 1 + (seed % 9) as i64;
    if let Some(memref) = ty.memref(ctx) {
        let extents = memref
            .shape
            .iter()
            .map(|&d| if d == DYNAMIC { size } else { d });
        let extents: Vec<i64> = extents.collect();
        let kind = scalar_kind(ctx, memref.element).ok_or("an element type it has not")?;
        let view: MemRef = machine
            .allocate(ty, &extents)
            .map_err(|e| format!("{e:?}"))?;
        let memory = machine
            .memory_mut()
            .get_mut(view.alloc)
            .map_err(|e| format!("{e:?}"))?;
        for element in memory.bytes_mut().chunks_mut(kind.size()) {
            let bits = random.scalar(kind, size);
            element.copy_from_slice(&bits.to_le_bytes()[..kind.size()]);
        }
        return Ok(Argument::MemRef(kind, view));
    }
    let kind = scalar_kind(ctx, ty).ok_or("a parameter type it has not")?;
    let bits = match kind {
        ScalarKind::Int(2..) => size as u64,
        ScalarKind::Int(_) => random.scalar(kind, size) & 1,
        _ => random.scalar(kind, size),
    };
    Ok(Argument::Scalar(kind, bits))
}

/// xorshift64* (S. Vigna, "An experimental exploration of Marsaglia's
/// xorshift generators, scrambled", 2016).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        let mut x = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        self.0 = x;
        x.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Integers below `size`, so that they may serve as indices; floats from
    /// -4 to 4.
    fn scalar(&mut self, kind: ScalarKind, size: i64) -> u64 {
        match kind {
            ScalarKind::Int(_) => self.next() % (size as u64),
            _ => kind.from_f64((self.next() % 4097) as f64 / 512.0 - 4.0),
        }
    }
}
