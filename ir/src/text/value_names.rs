//! What values and blocks are called in text, numbered as MLIR numbers them.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::attr::{AttrKind, Int};
use crate::body::{BlockId, Body, OpId, RegionId, Regions, Value, ValueDef};
use crate::context::Context;
use crate::dialect::{arith, gpu, memref};
use crate::types::{Signedness, TypeKind};

/// The names of one body.
#[derive(Clone, Default, Debug)]
pub(crate) struct ValueNames {
    names: Vec<Name>,
    strings: String,
    blocks: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
enum Name {
    /// Not reached by the walk: erased, or in no region.
    Unknown,
    /// `%3`
    Number(u32),
    /// `%arg3`
    Arg(u32),
    /// A range of `strings`.
    Text(u32, u32),
}

/// Counters and the names in use where a region starts.
#[derive(Clone, Copy)]
struct Scope {
    next_value: u32,
    next_arg: u32,
    next_conflict: u32,
    used: usize,
}

#[derive(Default)]
struct Namer {
    result: ValueNames,
    /// Names in use, with how often.
    used: HashMap<String, ()>,
    /// The same in order, so that leaving a scope can forget them.
    log: Vec<String>,
}

impl ValueNames {
    /// The names in the regions of `body`.
    pub(crate) fn of(ctx: &Context, body: &Body) -> ValueNames {
        body.prefetch();
        let mut namer = Namer::default();
        namer.result.names = vec![Name::Unknown; body.value_capacity()];
        namer.result.blocks = vec![u32::MAX; body.block_capacity()];
        let start = Scope {
            next_value: 0,
            next_arg: 0,
            next_conflict: 0,
            used: 0,
        };
        let mut pending: Vec<(RegionId, Scope)> = body
            .regions()
            .iter()
            .rev()
            .map(|&region| (region, start))
            .collect();
        // Nested regions start where the region around them has ended.
        while let Some((region, scope)) = pending.pop() {
            namer.forget_to(scope.used);
            let after = namer.region(ctx, body, region, scope);
            let from = pending.len();
            for &block in &body[region].blocks {
                for op in body.ops(block) {
                    if let Regions::Inline(regions) = &body[op].regions {
                        pending.extend(regions.iter().map(|&r| (r, after)));
                    }
                }
            }
            pending[from..].reverse();
        }
        namer.result
    }

    /// Appends the name of a value, `%` and result number included.
    pub(crate) fn write(&self, body: &Body, value: Value, out: &mut String) {
        out.push('%');
        let (first, number) = match body[value].def {
            ValueDef::Result(op, number) if body[op].num_results() > 1 => {
                (body[op].result(0), Some(number))
            }
            _ => (value, None),
        };
        self.write_name(first, out);
        if let Some(number) = number {
            let _ = write!(out, "#{number}");
        }
    }

    /// Appends the bare name of a value or of a group of results.
    pub(crate) fn write_name(&self, first: Value, out: &mut String) {
        match self.names.get(first.index()) {
            Some(Name::Number(number)) => push_number(out, *number),
            Some(Name::Arg(number)) => {
                out.push_str("arg");
                push_number(out, *number);
            }
            Some(&Name::Text(from, to)) => {
                out.push_str(self.strings.get(from as usize..to as usize).unwrap_or(""));
            }
            Some(Name::Unknown) | None => {
                let _ = write!(out, "detached{}", first.index());
            }
        }
    }

    /// Appends `^bb3`.
    pub(crate) fn write_block(&self, block: BlockId, out: &mut String) {
        out.push_str("^bb");
        match self.blocks.get(block.index()) {
            Some(&number) if number != u32::MAX => push_number(out, number),
            _ => {
                let _ = write!(out, "_detached{}", block.index());
            }
        }
    }
}

fn push_number(out: &mut String, number: u32) {
    if number < 10 {
        out.push((b'0' + number as u8) as char);
    } else {
        let _ = write!(out, "{number}");
    }
}

impl Namer {
    fn forget_to(&mut self, used: usize) {
        for name in self.log.drain(used..) {
            self.used.remove(&name);
        }
    }

    fn region(&mut self, ctx: &Context, body: &Body, region: RegionId, start: Scope) -> Scope {
        let mut scope = start;
        for (number, &block) in (0..).zip(&body[region].blocks) {
            self.result.blocks[block.index()] = number;
            for &arg in &body[block].args {
                let name = if number == 0 {
                    scope.next_arg += 1;
                    Name::Arg(scope.next_arg - 1)
                } else {
                    scope.next_value += 1;
                    Name::Number(scope.next_value - 1)
                };
                self.result.names[arg.index()] = name;
            }
            for op in body.ops(block) {
                if body[op].num_results() == 0 {
                    continue;
                }
                let first = body[op].result(0).index();
                let special = special_name(ctx, body, op);
                self.result.names[first] = match special {
                    Some(text) => self.unique(text, &mut scope),
                    None => {
                        scope.next_value += 1;
                        Name::Number(scope.next_value - 1)
                    }
                };
            }
        }
        scope.used = self.log.len();
        scope
    }

    fn unique(&mut self, text: String, scope: &mut Scope) -> Name {
        let mut name = text;
        if self.used.contains_key(&name) {
            let stem = name.len() + 1;
            name.push('_');
            loop {
                let _ = write!(name, "{}", scope.next_conflict);
                scope.next_conflict += 1;
                if !self.used.contains_key(&name) {
                    break;
                }
                name.truncate(stem);
            }
        }
        let from = self.result.strings.len() as u32;
        self.result.strings.push_str(&name);
        let to = self.result.strings.len() as u32;
        self.used.insert(name.clone(), ());
        self.log.push(name);
        Name::Text(from, to)
    }
}

/// The telling name that MLIR gives the result of some operations.
fn special_name(ctx: &Context, body: &Body, op: OpId) -> Option<String> {
    let data = &body[op];
    let fixed = match data.name {
        arith::CONSTANT => return Some(constant_name(ctx, body, op)),
        memref::ALLOC => "alloc",
        memref::ALLOCA => "alloca",
        memref::CAST => "cast",
        memref::COLLAPSE_SHAPE => "collapse_shape",
        memref::DIM => "dim",
        memref::EXPAND_SHAPE => "expand_shape",
        memref::MEMORY_SPACE_CAST => "memspacecast",
        memref::REINTERPRET_CAST => "reinterpret_cast",
        memref::RESHAPE => "reshape",
        memref::SUBVIEW => "subview",
        memref::TRANSPOSE => "transpose",
        memref::VIEW => "view",
        gpu::THREAD_ID | gpu::BLOCK_ID | gpu::BLOCK_DIM | gpu::GRID_DIM | gpu::GLOBAL_ID => {
            return indexed_name(ctx, body, op);
        }
        _ => return None,
    };
    Some(fixed.to_owned())
}

/// `thread_id_x` for `gpu.thread_id x`.
fn indexed_name(ctx: &Context, body: &Body, op: OpId) -> Option<String> {
    let data = &body[op];
    let AttrKind::Dialect { body: text, .. } = data.attr(ctx, "dimension")?.kind(ctx) else {
        return None;
    };
    let dimension = ctx.str(*text).strip_prefix("<dim ")?.strip_suffix('>')?;
    let mnemonic = ctx.op_name_str(data.name).strip_prefix("gpu.")?;
    Some(format!("{mnemonic}_{dimension}"))
}

/// `c5`, `c5_i32`, `true`, `cst`
fn constant_name(ctx: &Context, body: &Body, op: OpId) -> String {
    let value = body[op].attr(ctx, "value").map(|attr| attr.kind(ctx));
    let Some(AttrKind::Integer { ty, value }) = value else {
        return "cst".to_owned();
    };
    match ty.kind(ctx) {
        TypeKind::Index => format!("c{}", value.to_decimal()),
        TypeKind::Integer { width: 1, .. } => {
            let text = if *value == Int::Small(0) {
                "false"
            } else {
                "true"
            };
            text.to_owned()
        }
        TypeKind::Integer { width, signedness } => {
            let prefix = match signedness {
                Signedness::Signless => "",
                Signedness::Signed => "s",
                Signedness::Unsigned => "u",
            };
            format!("c{}_{prefix}i{width}", value.to_decimal())
        }
        _ => "cst".to_owned(),
    }
}
