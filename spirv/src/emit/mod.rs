//! A thin layer over rspirv's data representation: ids, types and constants
//! without duplicates, functions and blocks under construction.
//!
//! `rspirv::dr::Builder` is not used because its calls fail where no block is
//! open; here a frame always has an open block, so emission cannot fail.

mod addresses;
mod encode;
mod functions;
mod globals;
mod interface;
mod lines;

use std::collections::BTreeSet;

use gridloom_ir::hash::{FxHashMap, FxHashSet};
use gridloom_ir::scalar::residue::Residue;
use rspirv::binary::Assemble;
use rspirv::dr::{Instruction, Module, ModuleHeader, Operand};
use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, GlslStd450Op, MemoryAccess, MemoryModel,
    MemorySemantics, Op, Scope, StorageClass, Word,
};

use crate::platform::SpirvVersion;
use crate::target::{Profile, TargetEnv};
use addresses::Addresses;
use globals::ScalarTypes;
use interface::{OfFunction, References};
use lines::Line;

/// A function under construction.
#[derive(Default)]
struct Frame {
    /// The function's id.
    id: Word,
    /// Instructions of the function, without its variables.
    words: Vec<Word>,
    /// Position of the variables in `words`: behind the label of the entry block.
    first: usize,
    variables: Vec<Word>,
    /// Loop phis without a back edge so far, and the position in `words` of that edge's two words.
    open_phis: Vec<(Word, usize)>,
    references: OfFunction,
    /// The label of the open block.
    label: Word,
    /// The source location of the instructions to come.
    line: Option<Line>,
    /// The source location of the last `OpLine` in the open block.
    last_line: Option<Line>,
}

/// The widths of floats that code computes with.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct FloatWidths {
    pub(crate) f32: bool,
    pub(crate) f64: bool,
}

impl FloatWidths {
    /// The union of two sets of widths.
    pub(crate) fn or(self, other: FloatWidths) -> FloatWidths {
        FloatWidths {
            f32: self.f32 || other.f32,
            f64: self.f64 || other.f64,
        }
    }
}

/// A resource of a kernel's interface: equal ones are one variable, whichever
/// entry points use it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Interface {
    pub(crate) class: StorageClass,
    /// Whether the resource is a storage buffer, which SPIR-V before 1.3 has in the class of
    /// uniforms.
    pub(crate) is_buffer: bool,
    /// Types and byte offsets of the members of the block.
    pub(crate) members: Vec<(Word, u32)>,
    /// Binding in descriptor set 0; none for immediates.
    pub(crate) binding: Option<u32>,
    pub(crate) read_only: bool,
}

/// A module under construction.
pub(crate) struct Emitter {
    /// All but the functions.
    module: Module,
    /// The words of finished functions.
    functions: Vec<Word>,
    /// References of finished functions, as entry points list them from SPIR-V 1.4 on.
    references: References,
    /// The ids of module-scope variables.
    variables: FxHashSet<Word>,
    next_id: Word,
    /// Types and constants already made, by their instruction without id.
    globals: FxHashMap<Instruction, Word>,
    /// Interner of globals with one or two words of operands, keyed by these.
    short_globals: FxHashMap<(Op, Option<Word>, [u64; 2]), Word>,
    /// The types of integers without and with a sign.
    int_types: [ScalarTypes; 2],
    float_types: ScalarTypes,
    /// The values of integer constants (sign-extended), by id.
    constants: FxHashMap<Word, i64>,
    builtins: FxHashMap<BuiltIn, Word>,
    /// The type of the table of digits.
    digits_type: Option<Word>,
    /// Powers of two that integers are multiples of, by id; see `alignment`.
    pub(crate) multiples: FxHashMap<Word, u32>,
    /// Integers as sums of others modulo a power of two, by id.
    pub(crate) residues: FxHashMap<Word, Residue>,
    /// The lanes that vectors were made of.
    pub(crate) lanes_of: FxHashMap<Word, Vec<Word>>,
    /// The vectors that lanes were extracted from.
    pub(crate) vector_of: FxHashMap<Vec<Word>, Word>,
    /// Views of buffers as vectors, by the buffer's variable and the vector type.
    aliases: FxHashMap<(Word, Word), Word>,
    capabilities: BTreeSet<Capability>,
    extensions: BTreeSet<&'static str>,
    /// The strings of source files, by name.
    files: FxHashMap<String, Word>,
    /// Interner of resources: variables that entry points share.
    pub(super) interface: FxHashMap<Interface, Word>,
    /// The functions that record faults, by the fault buffer's variable.
    pub(crate) fault_recorders: FxHashMap<Word, Word>,
    /// Float widths used since this was last cleared.
    pub(crate) floats: FloatWidths,
    glsl: Option<Word>,
    /// Innermost last: a helper function may be begun inside another.
    frames: Vec<Frame>,
    /// Version of the module.
    version: SpirvVersion,
    /// The storage class of storage buffers.
    pub(crate) buffer_class: StorageClass,
    /// Whether the module must pass naga.
    pub(crate) portable: bool,
    /// Whether loops of our own ask not to be unrolled.
    pub(crate) keep_loops: bool,
    /// Whether float constants 0.0 and -0.0 are hidden from the driver.
    pub(crate) hide_zeros: bool,
    /// Whether floating-point operations are decorated `NoContraction`.
    pub(crate) forbid_contraction: bool,
    /// Whether the module has the Vulkan memory model.
    vulkan_memory: bool,
    /// Buffers that the module does not write to.
    read_only: FxHashSet<Word>,
    /// Pointers to memory that threads share, where accesses have to say that.
    shared: FxHashSet<Word>,
    /// Buffers reached by device addresses.
    addresses: Addresses,
}

fn memory_model(addressing: AddressingModel, model: MemoryModel) -> Instruction {
    let operands = vec![
        Operand::AddressingModel(addressing),
        Operand::MemoryModel(model),
    ];
    Instruction::new(Op::MemoryModel, None, None, operands)
}

impl Emitter {
    pub(crate) fn new(env: &TargetEnv) -> Self {
        let mut module = Module::new();
        module.memory_model = Some(memory_model(AddressingModel::Logical, MemoryModel::GLSL450));
        Emitter {
            module,
            functions: Vec::new(),
            references: References::default(),
            variables: FxHashSet::default(),
            next_id: 1,
            globals: FxHashMap::default(),
            short_globals: FxHashMap::default(),
            int_types: Default::default(),
            float_types: Default::default(),
            constants: FxHashMap::default(),
            builtins: FxHashMap::default(),
            digits_type: None,
            multiples: FxHashMap::default(),
            residues: FxHashMap::default(),
            lanes_of: FxHashMap::default(),
            vector_of: FxHashMap::default(),
            aliases: FxHashMap::default(),
            capabilities: BTreeSet::from([Capability::Shader]),
            extensions: BTreeSet::new(),
            interface: FxHashMap::default(),
            fault_recorders: FxHashMap::default(),
            floats: FloatWidths::default(),
            files: FxHashMap::default(),
            glsl: None,
            frames: Vec::new(),
            version: env.version,
            buffer_class: match env.has_storage_class() {
                true => StorageClass::StorageBuffer,
                false => StorageClass::Uniform,
            },
            portable: env.profile == Profile::Portable,
            keep_loops: env.keep_loops,
            hide_zeros: false,
            forbid_contraction: false,
            vulkan_memory: false,
            read_only: FxHashSet::default(),
            shared: FxHashSet::default(),
            addresses: Addresses::default(),
        }
    }

    /// Declares the Vulkan memory model instead of GLSL's. Under it, an access takes part in what
    /// barriers order only where it says so (`NonPrivatePointer`), and a barrier says that it makes
    /// writes available and visible.
    pub(crate) fn use_vulkan_memory_model(&mut self) {
        self.vulkan_memory = true;
        self.capability(Capability::VulkanMemoryModel);
        self.extension_before(SpirvVersion::V1_5, "SPV_KHR_vulkan_memory_model");
        self.module.memory_model =
            Some(memory_model(AddressingModel::Logical, MemoryModel::Vulkan));
    }

    /// The scope of all threads of the device, for atomic operations.
    pub(crate) fn device_scope(&mut self) -> Word {
        if self.vulkan_memory {
            self.capability(Capability::VulkanMemoryModelDeviceScope);
        }
        self.u32_const(Scope::Device as u32)
    }

    /// The semantics of a barrier of the workgroup: what its threads wrote to buffers and workgroup
    /// memory is visible among them.
    pub(crate) fn barrier_semantics(&self) -> MemorySemantics {
        let semantics = MemorySemantics::ACQUIRE_RELEASE
            | MemorySemantics::UNIFORM_MEMORY
            | MemorySemantics::WORKGROUP_MEMORY;
        match self.vulkan_memory {
            true => semantics | MemorySemantics::MAKE_AVAILABLE | MemorySemantics::MAKE_VISIBLE,
            false => semantics,
        }
    }

    /// The memory operands of an access through a pointer.
    pub(crate) fn memory_operands(&self, pointer: Word) -> Vec<Operand> {
        if let Some(bytes) = self.addresses.alignment(pointer) {
            let aligned = Operand::MemoryAccess(MemoryAccess::ALIGNED);
            return vec![aligned, Operand::LiteralBit32(bytes)];
        }
        match self.shared.contains(&pointer) {
            true => vec![Operand::MemoryAccess(MemoryAccess::NON_PRIVATE_POINTER)],
            false => Vec::new(),
        }
    }

    /// The finished module.
    pub(crate) fn finish(mut self) -> Vec<Word> {
        self.module.capabilities = self
            .capabilities
            .iter()
            .map(|&capability| {
                let operands = vec![Operand::Capability(capability)];
                Instruction::new(Op::Capability, None, None, operands)
            })
            .collect();
        self.module.extensions = self
            .extensions
            .iter()
            .map(|&name| {
                let operands = vec![Operand::LiteralString(name.into())];
                Instruction::new(Op::Extension, None, None, operands)
            })
            .collect();
        let mut header = ModuleHeader::new(self.next_id);
        header.set_version(1, self.version.minor());
        if self.version >= SpirvVersion::V1_4 {
            self.references.list_in(&mut self.module.entry_points);
        }
        self.module.header = Some(header);
        let mut words = self.module.assemble();
        words.append(&mut self.functions);
        words
    }

    /// A fresh id.
    pub(crate) fn id(&mut self) -> Word {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// Declares a capability.
    pub(crate) fn capability(&mut self, capability: Capability) {
        self.capabilities.insert(capability);
    }

    /// Declares an extension.
    pub(crate) fn extension(&mut self, name: &'static str) {
        self.extensions.insert(name);
    }

    /// Declares an extension that is a part of SPIR-V from a version on.
    pub(crate) fn extension_before(&mut self, version: SpirvVersion, name: &'static str) {
        if self.version < version {
            self.extension(name);
        }
    }

    /// Whether a capability has been declared.
    pub(crate) fn uses(&self, capability: Capability) -> bool {
        self.capabilities.contains(&capability)
    }

    /// Names an id for people and for translations.
    pub(crate) fn name(&mut self, id: Word, name: &str) {
        let operands = vec![Operand::IdRef(id), Operand::LiteralString(name.into())];
        let inst = Instruction::new(Op::Name, None, None, operands);
        self.module.debug_names.push(inst);
    }

    /// Decorates an id.
    pub(crate) fn decorate(&mut self, id: Word, decoration: Decoration, extra: &[Operand]) {
        let mut operands = vec![Operand::IdRef(id), Operand::Decoration(decoration)];
        operands.extend_from_slice(extra);
        let inst = Instruction::new(Op::Decorate, None, None, operands);
        self.module.annotations.push(inst);
    }
}

/// Instructions in the open block.
impl Emitter {
    /// An instruction without a result.
    pub(crate) fn statement(&mut self, op: Op, operands: &[Operand]) {
        self.push(op, [None; 2], operands);
    }

    /// An instruction without a result whose operands are all ids.
    pub(crate) fn statement_of_ids(&mut self, op: Op, ids: &[Word]) {
        let ids: Vec<Operand> = ids.iter().map(|&id| Operand::IdRef(id)).collect();
        self.statement(op, &ids);
    }

    /// Part number `index` of a composite.
    pub(crate) fn extract(&mut self, ty: Word, composite: Word, index: u32) -> Word {
        let operands = [Operand::IdRef(composite), Operand::LiteralBit32(index)];
        self.instruction(Op::CompositeExtract, ty, &operands)
    }

    /// An instruction with a result.
    pub(crate) fn instruction(&mut self, op: Op, ty: Word, operands: &[Operand]) -> Word {
        let id = self.id();
        self.push(op, [Some(ty), Some(id)], operands);
        id
    }

    /// An instruction whose operands are all ids.
    pub(crate) fn op(&mut self, op: Op, ty: Word, ids: &[Word]) -> Word {
        let id = self.id();
        self.push_ids(op, [ty, id], ids);
        id
    }

    /// An instruction of the GLSL.std.450 set.
    pub(crate) fn glsl(&mut self, op: GlslStd450Op, ty: Word, ids: &[Word]) -> Word {
        let set = match self.glsl {
            Some(set) => set,
            None => self.import_glsl(),
        };
        let mut operands = vec![
            Operand::IdRef(set),
            Operand::LiteralExtInstInteger(op as u32),
        ];
        operands.extend(ids.iter().map(|&id| Operand::IdRef(id)));
        self.instruction(Op::ExtInst, ty, &operands)
    }

    fn import_glsl(&mut self) -> Word {
        let id = self.id();
        let operands = vec![Operand::LiteralString("GLSL.std.450".into())];
        let inst = Instruction::new(Op::ExtInstImport, None, Some(id), operands);
        self.module.ext_inst_imports.push(inst);
        self.glsl = Some(id);
        id
    }

    pub(crate) fn load(&mut self, ty: Word, pointer: Word) -> Word {
        let how = self.memory_operands(pointer);
        if how.is_empty() {
            return self.op(Op::Load, ty, &[pointer]);
        }
        let mut operands = vec![Operand::IdRef(pointer)];
        operands.extend(how);
        self.instruction(Op::Load, ty, &operands)
    }

    pub(crate) fn store(&mut self, pointer: Word, value: Word) {
        let mut operands = [pointer, value].map(Operand::IdRef).to_vec();
        operands.extend(self.memory_operands(pointer));
        self.statement(Op::Store, &operands);
    }

    /// A pointer to a part of what `base` points to.
    pub(crate) fn access(
        &mut self,
        class: StorageClass,
        pointee: Word,
        base: Word,
        indices: &[Word],
    ) -> Word {
        let ty = self.pointer_type(class, pointee);
        let mut ids = vec![base];
        ids.extend_from_slice(indices);
        let pointer = self.op(Op::AccessChain, ty, &ids);
        let is_shared = matches!(class, StorageClass::StorageBuffer | StorageClass::Workgroup);
        if self.vulkan_memory && is_shared && !self.read_only.contains(&base) {
            self.shared.insert(pointer);
        }
        pointer
    }
}
