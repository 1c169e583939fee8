//! Opcodes: which operation stands for which instruction. `OpFAdd` ⇔ `spirv.FAdd`, `OpAtomicFAddEXT` ⇔ `spirv.EXT.AtomicFAdd`, the instruction `Sin` of
//! `GLSL.std.450` ⇔ `spirv.GL.Sin`, `sin` of `OpenCL.std` ⇔ `spirv.CL.sin`.

use gridloom_ir::op::OpSignature;
use gridloom_ir::{Context, OpName};
use rspirv::grammar::{
    ExtInstOp, GLSL_STD_450_INSTRUCTION_TABLE, INSTRUCTION_TABLE, Instruction, InstructionTable,
    OPENCL_STD_100_INSTRUCTION_TABLE,
};
use rspirv::spirv::Word;

/// The suffixes of instructions that MLIR makes a prefix of.
const VENDORS: [&str; 5] = ["KHR", "EXT", "INTEL", "ARM", "NV"];

/// A set of extended instructions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum ExtendedSet {
    /// `GLSL.std.450`
    Glsl,
    /// `OpenCL.std`
    OpenCl,
}

impl ExtendedSet {
    pub(super) fn named(name: &str) -> Option<Self> {
        [ExtendedSet::Glsl, ExtendedSet::OpenCl]
            .into_iter()
            .find(|set| set.name() == name)
    }

    /// The name that `OpExtInstImport` has.
    pub(super) fn name(self) -> &'static str {
        match self {
            ExtendedSet::Glsl => "GLSL.std.450",
            ExtendedSet::OpenCl => "OpenCL.std",
        }
    }

    fn prefix(self) -> &'static str {
        match self {
            ExtendedSet::Glsl => "GL.",
            ExtendedSet::OpenCl => "CL.",
        }
    }

    fn table(self) -> &'static InstructionTable<ExtInstOp> {
        match self {
            ExtendedSet::Glsl => &GLSL_STD_450_INSTRUCTION_TABLE,
            ExtendedSet::OpenCl => &OPENCL_STD_100_INSTRUCTION_TABLE,
        }
    }

    /// The name of an instruction of the set.
    pub(super) fn instruction(self, number: Word) -> Option<&'static str> {
        let found = self
            .table()
            .iter()
            .find(|row| Word::from(row.opcode) == number);
        found.map(|row| row.opname)
    }
}

/// The operation of a core instruction, if MLIR has one.
pub(super) fn operation(ctx: &Context, opname: &str) -> Option<(OpName, &'static OpSignature)> {
    let vendor = VENDORS.iter().find_map(|vendor| {
        let stem = opname.strip_suffix(vendor)?;
        row(ctx, &format!("{vendor}.{stem}"))
    });
    row(ctx, opname).or(vendor)
}

/// The operation of an extended instruction, if MLIR has one.
pub(super) fn extended(
    ctx: &Context,
    set: ExtendedSet,
    opname: &str,
) -> Option<(OpName, &'static OpSignature)> {
    row(ctx, &format!("{}{opname}", set.prefix()))
}

/// The operation `spirv.NAME`, where it has a row.
pub(super) fn row(ctx: &Context, name: &str) -> Option<(OpName, &'static OpSignature)> {
    let name = ctx.op_name(&format!("spirv.{name}"));
    Some((name, ctx.op_signature(name)?))
}

/// An instruction that an operation stands for.
pub(super) enum Opcode {
    /// An instruction of the core.
    Core(&'static Instruction<'static>),
    /// Number of a set.
    Extended(ExtendedSet, Word),
}

/// The instruction that an operation `spirv.…` stands for.
pub(super) fn instruction(name: &str) -> Option<Opcode> {
    let name = name.strip_prefix("spirv.")?;
    for set in [ExtendedSet::Glsl, ExtendedSet::OpenCl] {
        if let Some(stem) = name.strip_prefix(set.prefix()) {
            let row = set.table().iter().find(|row| row.opname == stem)?;
            return Some(Opcode::Extended(set, row.opcode.into()));
        }
    }
    let opname = match name.split_once('.') {
        Some((vendor, stem)) if VENDORS.contains(&vendor) => format!("{stem}{vendor}"),
        Some(_) => return None,
        None => name.to_owned(),
    };
    let row = INSTRUCTION_TABLE.iter().find(|row| row.opname == opname)?;
    Some(Opcode::Core(row))
}

/// The attribute's name of a decoration: `NoContraction` ⇒ `no_contraction`, `FPFastMathMode` ⇒ `fp_fast_math_mode`.
pub(super) fn snake_case(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut out = String::with_capacity(name.len() + 4);
    for (at, &char) in chars.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| chars[before]);
        let starts = match (before, chars.get(at + 1)) {
            (Some(before), _) if before.is_ascii_lowercase() => true,
            (Some(before), Some(after)) => {
                before.is_ascii_uppercase() && after.is_ascii_lowercase()
            }
            _ => false,
        };
        if char.is_ascii_uppercase() && starts {
            out.push('_');
        }
        out.push(char.to_ascii_lowercase());
    }
    out
}
