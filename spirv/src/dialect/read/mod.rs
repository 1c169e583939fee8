//! SPIR-V words to a `spirv.module`.
//!
//! Types, constants and decorations of the module come first, then what stands in the module as an operation, then the
//! functions, whose blocks [`flow`] sorts into constructs before [`function`] makes regions of them. All integers become
//! signless ones: no instruction that MLIR knows depends on the signedness of a type, and its operations want equal
//! types where SPIR-V takes types that differ in it only.

mod constants;
mod construct;
mod equivalents;
mod exits;
mod flow;
mod function;
mod globals;
mod instruction;
mod terminators;
mod types;
mod values;

use gridloom_dialects::inherent;
use gridloom_dialects::spirv::make;
use gridloom_ir::hash::{FxHashMap, FxHashSet};
use gridloom_ir::op::{AttrSyntax, OpSignature};
use gridloom_ir::text::store_case;
use gridloom_ir::verify::verify;
use gridloom_ir::{
    Attr, Body, Context, Diagnostic, Diagnostics, Ident, Loc, Module, OpState, Type,
};
use rspirv::binary::{Assemble, Disassemble};
use rspirv::dr;
use rspirv::spirv::{Op, Word};

use super::opcodes::{self, ExtendedSet};

type Reading<T> = Result<T, Box<Diagnostic>>;

/// Reads SPIR-V words into a module that holds one `spirv.module`, called `name` if that is given. Errors without a
/// place of their own are placed at `loc`.
///
/// # Errors
///
/// Words that are no SPIR-V module, and the first instruction, type or edge that the dialect has no form for.
pub fn deserialize(
    ctx: &Context,
    words: &[u32],
    name: Option<&str>,
    loc: Loc,
) -> Result<Module, Diagnostics> {
    let read = || -> Reading<Module> {
        if let Some(at) = cut_short(words) {
            let message = format!("not a SPIR-V module: the instruction at word {at} has no end");
            return Err(Box::new(Diagnostic::error(loc, message)));
        }
        let source = dr::load_words(words).map_err(|why| {
            Box::new(Diagnostic::error(
                loc,
                format!("not a SPIR-V module: {why}"),
            ))
        })?;
        Reader::new(ctx, &source, loc).module(name)
    };
    let module = read().map_err(|diagnostic| {
        let mut found = Diagnostics::new();
        found.push(*diagnostic);
        found
    })?;
    let wrong = verify(ctx, &module);
    if wrong.has_errors() {
        return Err(wrong.placed_at(loc));
    }
    Ok(module)
}

/// First malformed instruction: one without words, or with more than there are. The parser would
/// read a string in it beyond the end.
fn cut_short(words: &[u32]) -> Option<usize> {
    let mut at = HEADER_WORDS;
    while let Some(&first) = words.get(at) {
        let length = (first >> 16) as usize;
        if length == 0 || length > words.len() - at {
            return Some(at);
        }
        at += length;
    }
    None
}

const HEADER_WORDS: usize = 5;

/// A value of the module, which each function that uses it makes for itself.
enum Global {
    /// `spirv.Constant`
    Constant(Attr, Type),
    /// `spirv.CompositeConstruct` of other values, for constants that MLIR has no attribute for.
    Composite(Vec<Word>, Type),
    /// `spirv.Undef`
    Undef(Type),
    /// `spirv.mlir.referenceof`
    SpecConstant(Ident, Type),
    /// `spirv.mlir.addressof`
    Variable(Ident, Type),
}

/// A function's symbol and types.
struct Callee {
    name: Ident,
    params: Vec<Type>,
    result: Option<Type>,
}

struct Reader<'a> {
    ctx: &'a Context,
    source: &'a dr::Module,
    loc: Loc,
    /// Names that `OpName` gives.
    names: FxHashMap<Word, &'a str>,
    /// Files that `OpLine` names.
    files: FxHashMap<Word, Ident>,
    decorations: FxHashMap<Word, Vec<make::Decoration>>,
    /// Decorations of members, by struct and member.
    member_decorations: FxHashMap<(Word, u32), Vec<make::Decoration>>,
    sets: FxHashMap<Word, Option<ExtendedSet>>,
    types: FxHashMap<Word, Type>,
    /// Nesting depth of each type.
    depths: FxHashMap<Word, u32>,
    /// Types of functions: parameters and result.
    signatures: FxHashMap<Word, (Vec<Type>, Option<Type>)>,
    globals: FxHashMap<Word, Global>,
    functions: FxHashMap<Word, Callee>,
    /// The workgroup size, from the constant decorated `WorkgroupSize`.
    workgroup_size: [Option<u32>; 3],
    /// Symbols that are taken.
    symbols: FxHashSet<String>,
}

impl<'a> Reader<'a> {
    fn new(ctx: &'a Context, source: &'a dr::Module, loc: Loc) -> Self {
        Reader {
            ctx,
            source,
            loc,
            names: FxHashMap::default(),
            files: FxHashMap::default(),
            decorations: FxHashMap::default(),
            member_decorations: FxHashMap::default(),
            sets: FxHashMap::default(),
            types: FxHashMap::default(),
            depths: FxHashMap::default(),
            signatures: FxHashMap::default(),
            globals: FxHashMap::default(),
            functions: FxHashMap::default(),
            workgroup_size: [None; 3],
            symbols: FxHashSet::default(),
        }
    }

    fn module(mut self, name: Option<&str>) -> Reading<Module> {
        let ctx = self.ctx;
        let mut module = Module::new(self.loc);
        let block = module.block();
        let op = module.body_mut().create_op(self.module_state(name)?);
        let mut body = Body::new();
        let region = body.add_top_region();
        let inside = body.add_block(region, &[]);
        self.debug();
        self.annotations()?;
        for inst in &self.source.types_global_values {
            self.global(&mut body, inside, inst)?;
        }
        self.declare_functions()?;
        for function in &self.source.functions {
            let read = self.function(function)?;
            let op = read.attach(ctx, &mut body);
            body.append(inside, op);
        }
        self.entry_points(&mut body, inside)?;
        module.body_mut()[op].set_isolated(body);
        module.body_mut().append(block, op);
        Ok(module)
    }

    /// The operation around all others: addressing and memory model, version, capabilities, extensions.
    fn module_state(&self, name: Option<&str>) -> Reading<OpState> {
        let ctx = self.ctx;
        let (op, row) = self.row("module");
        let Some(model) = &self.source.memory_model else {
            return Err(self.error("the module has no OpMemoryModel"));
        };
        let mut state = OpState::new(op, self.loc);
        let attrs = ["addressing_model", "memory_model"];
        for (name, operand) in attrs.into_iter().zip(&model.operands) {
            let value = self.case(row, name, literal(operand), model)?;
            state = state.property(ctx, name, value);
        }
        let minor = self.source.header.as_ref().map_or(0, |h| h.version().1);
        if minor > 6 {
            let message = format!("SPIR-V 1.{minor} is newer than MLIR knows: 1.0 to 1.6");
            return Err(self.error(message));
        }
        let mut capabilities = Vec::new();
        for inst in &self.source.capabilities {
            let number = inst.operands.first().map_or(0, literal);
            match make::capability_name(number) {
                Some(name) => capabilities.push(name),
                None => return Err(self.refuse(inst, "MLIR does not know this capability")),
            }
        }
        let mut extensions = Vec::new();
        for inst in &self.source.extensions {
            match text(inst, 0) {
                Some(name) if make::knows_extension(name) => extensions.push(name),
                // The extension permits non-semantic instructions, all of which are dropped.
                Some("SPV_KHR_non_semantic_info") => {}
                _ => return Err(self.refuse(inst, "MLIR does not know this extension")),
            }
        }
        let vce = make::vce_attr(ctx, minor, &capabilities, &extensions);
        state = state.property(ctx, inherent::VCE_TRIPLE, vce);
        if let Some(name) = name {
            state = state.property(ctx, inherent::SYM_NAME, ctx.string_attr(name));
        }
        Ok(state)
    }

    /// Names and files.
    fn debug(&mut self) {
        for inst in &self.source.debug_names {
            if let (Op::Name, Some(id), Some(name)) =
                (inst.class.opcode, id_at(inst, 0), text(inst, 1))
            {
                self.names.insert(id, name);
            }
        }
        for inst in &self.source.debug_string_source {
            if let (Op::String, Some(id), Some(name)) =
                (inst.class.opcode, inst.result_id, text(inst, 0))
            {
                self.files.insert(id, self.ctx.ident(name));
            }
        }
        for inst in &self.source.ext_inst_imports {
            if let (Some(id), Some(name)) = (inst.result_id, text(inst, 0)) {
                self.sets.insert(id, ExtendedSet::named(name));
            }
        }
    }

    /// Unique symbol: `wanted`, or `wanted` with a number behind it where that is taken.
    fn symbol(&mut self, wanted: &str) -> Ident {
        let mut name = wanted.to_owned();
        let mut number = 0;
        while !self.symbols.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        self.ctx.ident(&name)
    }

    fn ty(&self, inst: &dr::Instruction, id: Word) -> Reading<Type> {
        let found = self.types.get(&id).copied();
        found.ok_or_else(|| self.refuse(inst, &format!("%{id} is no type that is declared before")))
    }

    fn result_type(&self, inst: &dr::Instruction) -> Reading<Type> {
        match inst.result_type {
            Some(id) => self.ty(inst, id),
            None => Err(self.refuse(inst, "it has no result type")),
        }
    }

    fn result_id(&self, inst: &dr::Instruction) -> Reading<Word> {
        let missing = || self.refuse(inst, "it has no result");
        inst.result_id.ok_or_else(missing)
    }

    /// The value of an integer constant.
    fn constant(&self, inst: &dr::Instruction, id: Word) -> Reading<u32> {
        let value = match self.globals.get(&id) {
            Some(Global::Constant(attr, _)) => attr.as_i64(self.ctx),
            _ => None,
        };
        let why = || format!("%{id} must be an integer constant, not one of a specialization");
        value
            .map(|value| value as u32)
            .ok_or_else(|| self.refuse(inst, &why()))
    }

    /// The row of an operation that the dialect always has.
    fn row(&self, name: &str) -> (gridloom_ir::OpName, &'static OpSignature) {
        match opcodes::row(self.ctx, name) {
            Some(found) => found,
            None => unreachable!("the registry of every caller has the spirv dialect"),
        }
    }

    /// A case of an enumeration as the attribute that a row declares under a name.
    fn case(
        &self,
        row: &OpSignature,
        name: &str,
        value: Word,
        inst: &dr::Instruction,
    ) -> Reading<Attr> {
        let def = row.attrs.iter().find(|def| def.name == name);
        let attr = match def.map(|def| def.syntax) {
            Some(AttrSyntax::Enum(def)) => store_case(self.ctx, def, i64::from(value)),
            _ => None,
        };
        attr.ok_or_else(|| self.refuse(inst, &format!("MLIR does not know {name} {value}")))
    }

    fn error(&self, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(self.loc, message))
    }

    /// Refusal of an instruction, which the message shows.
    fn refuse(&self, inst: &dr::Instruction, why: &str) -> Box<Diagnostic> {
        self.error(format!("{}: {why}", inst.disassemble()))
    }
}

/// The id at an operand.
fn id_at(inst: &dr::Instruction, index: usize) -> Option<Word> {
    inst.operands.get(index)?.id_ref_any()
}

/// The string at an operand.
fn text(inst: &dr::Instruction, index: usize) -> Option<&str> {
    match inst.operands.get(index)? {
        dr::Operand::LiteralString(text) => Some(text),
        _ => None,
    }
}

/// The word of a literal or of a case of an enumeration.
fn literal(operand: &dr::Operand) -> Word {
    let mut words = Vec::with_capacity(2);
    operand.assemble_into(&mut words);
    words.first().copied().unwrap_or(0)
}
