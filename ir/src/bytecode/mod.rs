//! MLIR bytecode: reader and writer.
//!
//! The format is MLIR's, in the version that MLIR 22 writes: a sequence of
//! sections for strings, dialects and operation names, attributes and types,
//! properties, resources, and the operations, which refer to entries of these
//! tables by index. All versions from 0 on can be read.
//!
//! Attributes, types and locations of the builtin dialect have binary
//! encodings; those of other dialects are text. The layout of a known
//! operation's inherent attributes follows from its row.

use crate::body::{BlockId, Body, OpId};
use crate::context::Context;
use crate::context::signature::OpSignature;
use crate::diag::Diagnostics;
use crate::location::{Loc, LocKind};
use crate::module::Module;
use crate::text::resources::Resources;
use crate::text::{ParseOptions, into_module, outermost};

mod budget;
mod decode;
mod deferred;
mod encode;
mod entries;
mod format;
mod lazy;
mod lines;
mod numbers;
mod properties;
mod read_attr;
mod read_dense;
mod read_ir;
mod read_loc;
mod read_op_attrs;
mod read_properties;
mod read_type;
mod resources;
mod strings;
mod tables;
mod write_attr;
mod write_ir;
mod write_properties;
mod write_type;

pub use lazy::LazyModule;

use decode::{Corrupt, Cursor, Read, fail};
use deferred::Defer;
use encode::Encoder;
use format::{MAGIC, SECTIONS, Section, VERSION};
use numbers::Numbers;
use read_ir::IrReader;
use read_properties::Properties;
use resources::{ResourceSections, ResourceWriter};
use tables::{TableSections, Tables};
use write_ir::IrWriter;

/// Files shorter than this, in bytes, are read on one thread: starting others
/// costs more.
const MIN_SHARED: usize = 1 << 15;

/// The producer string of our files.
const PRODUCER: &str = concat!("gridloom ", env!("CARGO_PKG_VERSION"));

/// Whether the bytes start with the bytecode magic number.
pub fn is_bytecode(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Reads a module. If the only top-level operation is a `module`, that is the
/// result; otherwise the operations are wrapped in one. Errors call the file
/// `name` and tell the byte offset.
pub fn read_module(
    ctx: &Context,
    name: &str,
    bytes: &[u8],
    options: &ParseOptions,
) -> Result<Module, Diagnostics> {
    let loc = file_loc(ctx, name);
    read_file(ctx, bytes, options, loc).map_err(|corrupt| refusal(loc, *corrupt))
}

/// The location of a whole file.
fn file_loc(ctx: &Context, name: &str) -> Loc {
    let place = (0, 0);
    ctx.intern_loc(LocKind::FileRange {
        file: ctx.ident(name),
        start: place,
        end: place,
    })
}

/// The diagnostic for a corrupt file.
fn refusal(loc: Loc, Corrupt { offset, message }: Corrupt) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    diagnostics.error(loc, format!("{message}, at offset {offset:#x}"));
    diagnostics
}

/// Encodes a verified module as bytecode.
///
/// Omits resources of dialects other than `builtin`, since no attribute can
/// name them, and a resource section that MLIR would refuse.
pub fn write_module(ctx: &Context, module: &Module) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_module_to(ctx, module, &mut |part| bytes.extend_from_slice(part));
    bytes
}

/// Encodes a verified module and hands the bytes to `sink` in parts; needs less
/// memory than [`write_module`].
pub fn write_module_to(ctx: &Context, module: &Module, sink: &mut dyn FnMut(&[u8])) {
    let resources = Resources::parse(ctx, &module.metadata).unwrap_or_default();
    let mut numbers = Numbers::new(ctx, ResourceWriter::new(resources));
    let mut ir = IrWriter::new(&mut numbers);
    let (root, op) = module.root();
    ir.file(root, op);
    let (ir, properties) = (ir.out, ir.properties.finish());
    let tables = write_attr::write_attrs_and_types(&mut numbers);

    let Numbers {
        mut strings,
        mut names,
        resources,
        ..
    } = numbers;
    let builtin = names.dialect("builtin");
    let mut out = Encoder::default();
    out.raw(MAGIC);
    out.varint(VERSION);
    out.raw(PRODUCER.as_bytes());
    out.byte(0);
    out.section(Section::Dialects, &names.finish(&mut strings));
    out.section(Section::AttrTypeOffsets, &tables.offsets.bytes);
    let data = [tables.attrs, tables.types].map(|data| data.bytes);
    out.long_section(Section::AttrTypes, data, sink);
    out.long_section(Section::Ir, [ir.bytes], sink);
    resources.write(&mut out, &mut strings, builtin);
    out.section(Section::Strings, &strings.finish());
    out.section(Section::Properties, &properties);
    sink(&out.bytes);
}

/// The names of an operation's inherent attributes in file order. `?` marks
/// optional ones, `#` those encoded as plain numbers or booleans.
pub fn property_layout(def: &OpSignature) -> Vec<String> {
    properties::spelled(def)
}

fn read_file(ctx: &Context, bytes: &[u8], options: &ParseOptions, loc: Loc) -> Read<Module> {
    if ctx.threads() > 1 && bytes.len() >= MIN_SHARED {
        let opened = open(ctx, bytes, options, Defer::OfFunctions);
        let read = opened.and_then(|mut opened| {
            opened.reader.read_deferred(&mut opened.body)?;
            Ok(opened)
        });
        // On an error, one thread reads again, so that the message is always
        // the same.
        if let Ok(opened) = read {
            return Ok(opened.into_module(loc));
        }
    }
    let opened = open(ctx, bytes, options, Defer::None)?;
    Ok(opened.into_module(loc))
}

/// A file that has been read, deferred bodies aside.
struct Opened<'a> {
    reader: IrReader<'a>,
    body: Body,
    block: BlockId,
    metadata: String,
}

impl<'a> Opened<'a> {
    fn into_module(self, loc: Loc) -> Module {
        self.into_parts(loc).0
    }

    fn into_parts(self, loc: Loc) -> (Module, IrReader<'a>) {
        let mut module = into_module(self.body, self.block, loc);
        module.metadata = self.metadata;
        (module, self.reader)
    }

    /// The operation that is the whole module, if the file has only one.
    fn outermost(&self) -> Option<OpId> {
        outermost(&self.body, self.block)
    }
}

/// Reads a file, deferring the bodies that `defer` selects.
fn open<'a>(
    ctx: &'a Context,
    bytes: &'a [u8],
    options: &'a ParseOptions,
    defer: Defer,
) -> Read<Opened<'a>> {
    let mut file = Cursor::new(bytes);
    if bytes.len() >= 1 << 31 {
        return fail(0, "a bytecode file must be smaller than 2 GiB");
    }
    if file.bytes(MAGIC.len() as u64).ok() != Some(MAGIC) {
        return fail(0, "this is not MLIR bytecode");
    }
    let place = file.offset();
    let version = file.varint()?;
    if version > VERSION {
        let message = format!("bytecode version {version} is newer than {VERSION}");
        return fail(place, message);
    }
    // The producer string, null-terminated.
    while file.byte()? != 0 {}
    let sections = Sections::read(&mut file)?;
    let mut tables = Tables::read(
        ctx,
        options,
        version,
        TableSections {
            strings: sections.get(Section::Strings)?,
            dialects: sections.get(Section::Dialects)?,
            offsets: sections.get(Section::AttrTypeOffsets)?,
            attr_types: sections.get(Section::AttrTypes)?,
            size: bytes.len(),
        },
    )?;
    let mut metadata = String::new();
    if let Some(offsets) = sections.find(Section::ResourceOffsets) {
        let data = sections.get(Section::Resources)?;
        let read = resources::read(&mut tables, ResourceSections { offsets, data })?;
        metadata = read.print(ctx);
    }
    let properties = Properties::read(ctx, sections.find(Section::Properties))?;
    let mut reader = IrReader::new(tables, properties, defer);
    let (body, block) = reader.read(sections.get(Section::Ir)?)?;
    Ok(Opened {
        reader,
        body,
        block,
        metadata,
    })
}

/// The sections of a file by id, each at most once.
struct Sections<'a> {
    found: [Option<Cursor<'a>>; SECTIONS],
    end: usize,
}

impl<'a> Sections<'a> {
    fn read(file: &mut Cursor<'a>) -> Read<Self> {
        let mut found = [None; SECTIONS];
        while !file.at_end() {
            let place = file.offset();
            let (id, data) = file.section()?;
            if found[usize::from(id)].replace(data).is_some() {
                return fail(place, format!("section {id} occurs twice"));
            }
        }
        let end = file.offset();
        Ok(Sections { found, end })
    }

    fn find(&self, section: Section) -> Option<Cursor<'a>> {
        self.found[section as usize]
    }

    fn get(&self, section: Section) -> Read<Cursor<'a>> {
        match self.find(section) {
            Some(data) => Ok(data),
            None => fail(self.end, format!("section {} is missing", section as u8)),
        }
    }
}
