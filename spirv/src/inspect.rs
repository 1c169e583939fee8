//! Inspection of a module's words: header, instruction stream, and what a launch rests on.
//!
//! No driver sees these words, so this is no validator: it finds out whether bytes are a whole SPIR-V
//! module, and what that declares.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use rspirv::spirv::{Capability, Decoration, ExecutionMode, ExecutionModel, Op};

use crate::platform::SpirvVersion;

const MAGIC: u32 = 0x0723_0203;
const HEADER_WORDS: usize = 5;

/// Declarations of a SPIR-V module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleSummary {
    /// Version of the module.
    pub version: SpirvVersion,
    /// Capabilities that the module declares.
    pub capabilities: BTreeSet<Capability>,
    /// Extensions that the module declares.
    pub extensions: BTreeSet<String>,
    /// The threads of a workgroup, by the name of the entry point.
    pub entries: BTreeMap<String, [u32; 3]>,
    /// Bindings of variables in descriptor set 0.
    pub bindings: BTreeSet<u32>,
}

/// Rejection of words that are no SPIR-V module of kernels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InspectionError(String);

impl fmt::Display for InspectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InspectionError {}

type Inspected<T> = Result<T, InspectionError>;

fn error<T>(message: impl Into<String>) -> Inspected<T> {
    Err(InspectionError(message.into()))
}

/// Reads the declarations of a module.
///
/// # Errors
///
/// Words that are no SPIR-V of version 1.0 to 1.6, instructions that do not fill them, entry points
/// that are no kernels with a workgroup size.
pub fn inspect(words: &[u32]) -> Inspected<ModuleSummary> {
    let (version, bound) = header(words)?;
    let mut reader = Reader {
        bound,
        entries: Vec::new(),
        sizes: BTreeMap::new(),
        placed: BTreeMap::new(),
        in_set: BTreeSet::new(),
        is_inside: false,
        summary: ModuleSummary {
            version,
            capabilities: BTreeSet::new(),
            extensions: BTreeSet::new(),
            entries: BTreeMap::new(),
            bindings: BTreeSet::new(),
        },
    };
    let mut at = HEADER_WORDS;
    while let Some(&first) = words.get(at) {
        let length = (first >> 16) as usize;
        let instruction = words.get(at..at + length).filter(|words| !words.is_empty());
        let Some(instruction) = instruction else {
            return error(format!(
                "the instruction at word {at} says that it has {length} words, and {} are left",
                words.len() - at
            ));
        };
        let Some(op) = Op::from_u32(first & 0xffff) else {
            return error(format!("word {at} is no instruction of SPIR-V"));
        };
        reader.take(op, &instruction[1..])?;
        at += length;
    }
    reader.finish()
}

/// The version, and the bound of ids.
fn header(words: &[u32]) -> Inspected<(SpirvVersion, u32)> {
    let Some(&[magic, version, _, bound, schema]) = words.get(..HEADER_WORDS) else {
        return error("it is shorter than the header of a SPIR-V module");
    };
    if magic == MAGIC.swap_bytes() {
        return error("its words are in big-endian order");
    }
    if magic != MAGIC {
        return error("it does not begin with the magic number of SPIR-V");
    }
    let [0, minor, major, 0] = version.to_le_bytes() else {
        return error(format!(
            "its version {version:#x} is not a version of SPIR-V"
        ));
    };
    match SpirvVersion::new(minor) {
        Some(version) if major == 1 && schema == 0 && bound > 0 => Ok((version, bound)),
        _ => error(format!(
            "its header says version {major}.{minor}, bound {bound} and schema {schema}; versions \
             1.0 to 1.6 with schema 0 are known"
        )),
    }
}

struct Reader {
    bound: u32,
    /// Ids and names of entry points.
    entries: Vec<(u32, String)>,
    /// Workgroup sizes by entry point.
    sizes: BTreeMap<u32, [u32; 3]>,
    /// Bindings by variable.
    placed: BTreeMap<u32, u32>,
    /// The variables of descriptor set 0.
    in_set: BTreeSet<u32>,
    /// Whether a function has begun and not ended.
    is_inside: bool,
    summary: ModuleSummary,
}

impl Reader {
    fn take(&mut self, op: Op, operands: &[u32]) -> Inspected<()> {
        const LOCAL_SIZE: u32 = ExecutionMode::LocalSize as u32;
        const SET: u32 = Decoration::DescriptorSet as u32;
        const BINDING: u32 = Decoration::Binding as u32;
        match (op, operands) {
            (Op::Capability, &[number]) => {
                let Some(capability) = Capability::from_u32(number) else {
                    return error(format!("its capability {number} is not known"));
                };
                self.summary.capabilities.insert(capability);
            }
            (Op::Extension, name) => {
                let name = text(name)?;
                self.summary.extensions.insert(name);
            }
            (Op::EntryPoint, [model, id, name @ ..]) => {
                if *model != ExecutionModel::GLCompute as u32 {
                    return error("it has an entry point that is no compute kernel");
                }
                self.entries.push((self.id(*id)?, text(name)?));
            }
            (Op::ExecutionMode, &[entry, LOCAL_SIZE, x, y, z]) => {
                self.sizes.insert(entry, [x, y, z]);
            }
            (Op::Decorate, &[target, BINDING, binding]) => {
                self.placed.insert(self.id(target)?, binding);
            }
            (Op::Decorate, &[target, SET, 0]) => {
                self.in_set.insert(self.id(target)?);
            }
            (Op::Function, _) if !self.is_inside => self.is_inside = true,
            (Op::FunctionEnd, _) if self.is_inside => self.is_inside = false,
            (Op::Function | Op::FunctionEnd, _) => {
                return error("its OpFunction and OpFunctionEnd do not alternate");
            }
            (Op::Capability | Op::EntryPoint, _) => {
                return error(format!("its Op{op:?} has too few operands"));
            }
            _ => {}
        }
        Ok(())
    }

    fn id(&self, id: u32) -> Inspected<u32> {
        match (1..self.bound).contains(&id) {
            true => Ok(id),
            false => error(format!("id {id} is not below the bound {}", self.bound)),
        }
    }

    fn finish(mut self) -> Inspected<ModuleSummary> {
        if self.is_inside {
            return error("its last function has no end");
        }
        for (id, name) in self.entries {
            let Some(&size) = self.sizes.get(&id) else {
                return error(format!("its entry point '{name}' has no workgroup size"));
            };
            if self.summary.entries.insert(name.clone(), size).is_some() {
                return error(format!("it has two entry points '{name}'"));
            }
        }
        let placed = self
            .placed
            .iter()
            .filter(|(id, _)| self.in_set.contains(id));
        self.summary.bindings = placed.map(|(_, &binding)| binding).collect();
        Ok(self.summary)
    }
}

/// A literal string: bytes up to the first zero, in words of little-endian order.
fn text(words: &[u32]) -> Inspected<String> {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    let bytes: Vec<u8> = bytes.take_while(|&byte| byte != 0).collect();
    let is_ended = bytes.len() < words.len() * 4;
    match String::from_utf8(bytes) {
        Ok(text) if is_ended => Ok(text),
        _ => error("a name in it is not a UTF-8 string"),
    }
}
