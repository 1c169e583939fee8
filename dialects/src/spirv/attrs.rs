//! Attributes of the dialect beyond enumerations.

use super::enums;
use crate::fields::{Field, Kind, parse_fields, print_fields};
use gridloom_ir::attr::Attr;
use gridloom_ir::context::Context;
use gridloom_ir::op::EnumDef;
use gridloom_ir::symbols::SymbolDef;
use gridloom_ir::text::{BodyParser, Delimiter, OpPrinter, ParseFailed, Tok};

type Parsed = Result<Attr, ParseFailed>;

/// Defines an attribute whose body is a list of fields.
macro_rules! fields {
    ($name:literal, $record:literal, $fields:expr) => {
        SymbolDef::new(
            $name,
            |p| parse_fields(p, $record, $fields),
            |p, ctx, params| print_fields(p, ctx, $fields, params),
        )
    };
}

/// All attributes: enumerations first, then those with structure.
pub(super) const ATTRIBUTES: &[SymbolDef<Attr>] = &[
    SymbolDef::cases("addressing_model", &enums::ADDRESSING_MODEL),
    SymbolDef::cases("built_in", &enums::BUILT_IN),
    SymbolDef::cases("capability", &enums::CAPABILITY),
    SymbolDef::cases("client_api", &enums::CLIENT_API),
    SymbolDef::cases(
        "coop_matrix_layout_khr",
        &enums::COOPERATIVE_MATRIX_LAYOUT_KHR,
    ),
    SymbolDef::cases("coop_matrix_use_khr", &enums::COOPERATIVE_MATRIX_USE_KHR),
    SymbolDef::cases(
        "cooperative_matrix_operands_khr",
        &enums::COOPERATIVE_MATRIX_OPERANDS_KHR,
    ),
    SymbolDef::cases("decoration", &enums::DECORATION),
    SymbolDef::cases("device_type", &enums::DEVICE_TYPE),
    SymbolDef::cases("dim", &enums::DIM),
    SymbolDef::cases("execution_mode", &enums::EXECUTION_MODE),
    SymbolDef::cases("execution_model", &enums::EXECUTION_MODEL),
    SymbolDef::cases("ext", &enums::EXTENSION),
    SymbolDef::cases("f_p_encoding", &enums::FP_ENCODING),
    SymbolDef::cases("fastmath_mode", &enums::FP_FAST_MATH_MODE),
    SymbolDef::cases("fp_rounding_mode", &enums::FP_ROUNDING_MODE),
    SymbolDef::cases("function_control", &enums::FUNCTION_CONTROL),
    SymbolDef::cases("group_operation", &enums::GROUP_OPERATION),
    SymbolDef::cases("image_arrayed_info", &enums::IMAGE_ARRAYED_INFO),
    SymbolDef::cases("image_depth_info", &enums::IMAGE_DEPTH_INFO),
    SymbolDef::cases("image_format", &enums::IMAGE_FORMAT),
    SymbolDef::cases("image_operands", &enums::IMAGE_OPERANDS),
    SymbolDef::cases("image_sampler_use_info", &enums::IMAGE_SAMPLER_USE_INFO),
    SymbolDef::cases("image_sampling_info", &enums::IMAGE_SAMPLING_INFO),
    SymbolDef::cases("linkage_type", &enums::LINKAGE_TYPE),
    SymbolDef::cases("load_cache_control", &enums::LOAD_CACHE_CONTROL),
    SymbolDef::cases("loop_control", &enums::LOOP_CONTROL),
    SymbolDef::cases("matrixLayout", &enums::MATRIX_LAYOUT),
    SymbolDef::cases("memory_access", &enums::MEMORY_ACCESS),
    SymbolDef::cases("memory_model", &enums::MEMORY_MODEL),
    SymbolDef::cases("memory_semantics", &enums::MEMORY_SEMANTICS),
    SymbolDef::cases("opcode", &enums::OPCODE),
    SymbolDef::cases("packed_vector_format", &enums::PACKED_VECTOR_FORMAT),
    SymbolDef::cases("scope", &enums::SCOPE),
    SymbolDef::cases("selection_control", &enums::SELECTION_CONTROL),
    SymbolDef::cases("storage_class", &enums::STORAGE_CLASS),
    SymbolDef::cases("store_cache_control", &enums::STORE_CACHE_CONTROL),
    SymbolDef::cases("vendor", &enums::VENDOR),
    SymbolDef::cases("version", &enums::VERSION),
    fields!(
        "cache_control_load_intel",
        "SPIRV_CacheControlLoadINTELAttr",
        CACHE_CONTROL_LOAD
    ),
    fields!(
        "cache_control_store_intel",
        "SPIRV_CacheControlStoreINTELAttr",
        CACHE_CONTROL_STORE
    ),
    fields!(
        "coop_matrix_props_khr",
        "SPIRV_CooperativeMatrixPropertiesKHRAttr",
        COOP_MATRIX_KHR
    ),
    fields!(
        "coop_matrix_props_nv",
        "SPIRV_CooperativeMatrixPropertiesNVAttr",
        COOP_MATRIX_NV
    ),
    fields!(
        "entry_point_abi",
        "SPIRV_EntryPointABIAttr",
        ENTRY_POINT_ABI
    ),
    SymbolDef::new(
        "interface_var_abi",
        parse_interface_var,
        print_interface_var,
    ),
    fields!("linkage_attributes", "SPIRV_LinkageAttributesAttr", LINKAGE),
    fields!(
        "resource_limits",
        "SPIRV_ResourceLimitsAttr",
        RESOURCE_LIMITS
    ),
    SymbolDef::new("target_env", parse_target_env, print_target_env),
    SymbolDef::new("vce", parse_vce, print_vce),
];

const CACHE_CONTROL_LOAD: &[Field] = &[
    Field::required("cache_level", Kind::Int).class("unsigned"),
    Field::required(
        "load_cache_control",
        Kind::Keyword(&enums::LOAD_CACHE_CONTROL),
    ),
];

const CACHE_CONTROL_STORE: &[Field] = &[
    Field::required("cache_level", Kind::Int).class("unsigned"),
    Field::required(
        "store_cache_control",
        Kind::Keyword(&enums::STORE_CACHE_CONTROL),
    ),
];

const COOP_MATRIX_KHR: &[Field] = &[
    Field::required("m_size", Kind::Int).class("uint32_t"),
    Field::required("n_size", Kind::Int).class("uint32_t"),
    Field::required("k_size", Kind::Int).class("uint32_t"),
    Field::required("a_type", Kind::Type),
    Field::required("b_type", Kind::Type),
    Field::required("c_type", Kind::Type),
    Field::required("result_type", Kind::Type),
    Field::required("acc_sat", Kind::Bool),
    Field::required("scope", Kind::Enum(&enums::SCOPE)),
];

const COOP_MATRIX_NV: &[Field] = &[
    Field::required("m_size", Kind::Int),
    Field::required("n_size", Kind::Int),
    Field::required("k_size", Kind::Int),
    Field::required("a_type", Kind::Type),
    Field::required("b_type", Kind::Type),
    Field::required("c_type", Kind::Type),
    Field::required("result_type", Kind::Type),
    Field::required("scope", Kind::Enum(&enums::SCOPE)),
];

const ENTRY_POINT_ABI: &[Field] = &[
    Field::optional("workgroup_size", Kind::I32Array),
    Field::optional("subgroup_size", Kind::Int),
    Field::optional("target_width", Kind::Int),
];

const LINKAGE: &[Field] = &[
    Field::required("linkage_name", Kind::String),
    Field::required("linkage_type", Kind::Enum(&enums::LINKAGE_TYPE)),
];

const RESOURCE_LIMITS: &[Field] = &[
    Field::or("max_compute_shared_memory_size", Kind::Int, |c| {
        c.int_attr(c.int_type(64), 16384)
    }),
    Field::or("max_compute_workgroup_invocations", Kind::Int, |c| {
        c.int_attr(c.int_type(64), 128)
    }),
    Field::or("max_compute_workgroup_size", Kind::Array, |c| {
        let size = |n| c.int_attr(c.int_type(32), n);
        c.array_attr(&[size(128), size(128), size(64)])
    }),
    Field::or("subgroup_size", Kind::Int, |c| {
        c.int_attr(c.int_type(64), 32)
    }),
    Field::optional("min_subgroup_size", Kind::Int),
    Field::optional("max_subgroup_size", Kind::Int),
    Field::optional("cooperative_matrix_properties_khr", Kind::Array),
    Field::optional("cooperative_matrix_properties_nv", Kind::Array),
];

/// Parses a keyword of an enumeration; `what` names the enumeration in the
/// diagnostic.
fn keyword(p: &mut BodyParser<'_, '_>, def: &EnumDef, what: &str) -> Parsed {
    let place = p.place();
    let keyword = p.keyword(what)?;
    if def.cases.iter().any(|case| case.0 == keyword) {
        Ok(p.ctx().string_attr(keyword))
    } else {
        Err(p.error_at(place, format!("unknown {what}: {keyword}")))
    }
}

/// `<v1.3, [Shader], [SPV_KHR_16bit_storage]>`
fn parse_vce(p: &mut BodyParser<'_, '_>) -> Parsed {
    p.expect(Tok::Less)?;
    let version = keyword(p, &enums::VERSION, "version")?;
    p.expect(Tok::Comma)?;
    let capabilities = keywords(p, &enums::CAPABILITY, "capability")?;
    p.expect(Tok::Comma)?;
    let extensions = keywords(p, &enums::EXTENSION, "extension")?;
    p.expect(Tok::Greater)?;
    Ok(p.make_attr(&[version, capabilities, extensions]))
}

fn keywords(p: &mut BodyParser<'_, '_>, def: &EnumDef, what: &str) -> Parsed {
    let mut list = Vec::new();
    p.list(Delimiter::Square, |p| {
        list.push(keyword(p, def, what)?);
        Ok(())
    })?;
    Ok(p.ctx().array_attr(&list))
}

fn print_vce(p: &mut OpPrinter<'_>, ctx: &Context, params: &[Attr]) {
    p.text("<");
    for (index, param) in params.iter().enumerate() {
        p.text(if index > 0 { ", " } else { "" });
        match param.as_array(ctx) {
            Some(keywords) => {
                p.text("[");
                p.separated(keywords, |p, keyword| {
                    p.text(keyword.as_str(ctx).unwrap_or(""))
                });
                p.text("]");
            }
            None => p.text(param.as_str(ctx).unwrap_or("")),
        }
    }
    p.text(">");
}

/// `<(0, 1), StorageBuffer>`: descriptor set, binding and storage class.
fn parse_interface_var(p: &mut BodyParser<'_, '_>) -> Parsed {
    p.expect(Tok::Less)?;
    p.expect(Tok::LParen)?;
    let set = index(p, "missing descriptor set")?;
    p.expect(Tok::Comma)?;
    let binding = index(p, "missing binding")?;
    p.expect(Tok::RParen)?;
    let storage = if p.eat(Tok::Comma) {
        keyword(p, &enums::STORAGE_CLASS, "storage class")?
    } else {
        p.ctx().unit_attr()
    };
    p.expect(Tok::Greater)?;
    Ok(p.make_attr(&[set, binding, storage]))
}

fn index(p: &mut BodyParser<'_, '_>, missing: &str) -> Parsed {
    if !matches!(p.peek(), Tok::Integer | Tok::Minus) {
        return Err(p.error(missing));
    }
    let value = super::types::unsigned(p)?;
    Ok(super::types::number(p.ctx(), value))
}

fn print_interface_var(p: &mut OpPrinter<'_>, ctx: &Context, params: &[Attr]) {
    let [set, binding, storage] = params else {
        return;
    };
    p.text("<(");
    p.int_text(set.as_i64(ctx).unwrap_or(0));
    p.text(", ");
    p.int_text(binding.as_i64(ctx).unwrap_or(0));
    p.text(")");
    if let Some(storage) = storage.as_str(ctx) {
        p.text(", ");
        p.text(storage);
    }
    p.text(">");
}

/// Parses `<#spirv.vce<…>, api=Vulkan, NVIDIA:DiscreteGPU:123,
/// #spirv.resource_limits<…>>`. Unknown parts are stored as `unit`.
fn parse_target_env(p: &mut BodyParser<'_, '_>) -> Parsed {
    p.expect(Tok::Less)?;
    let triple = attribute_of_kind(p, "vce")?;
    p.expect(Tok::Comma)?;
    let ctx = p.ctx();
    let unit = ctx.unit_attr();
    let (mut api, mut device) = (unit, [unit; 3]);
    if p.eat_keyword("api") {
        p.expect(Tok::Equal)?;
        api = keyword(p, &enums::CLIENT_API, "client API")?;
        p.expect(Tok::Comma)?;
    }
    if p.at(Tok::Bare) {
        device = parse_device(p)?;
        p.expect(Tok::Comma)?;
    }
    let limits = attribute_of_kind(p, "resource_limits")?;
    p.expect(Tok::Greater)?;
    let known = |attr: Attr| match attr.as_str(ctx) {
        Some("Unknown") => unit,
        _ => attr,
    };
    let [vendor, kind, id] = device.map(known);
    // Printing omits what follows an unknown part, so parsing must not keep it.
    let kind = if vendor == unit { unit } else { kind };
    let id = if kind == unit { unit } else { id };
    Ok(p.make_attr(&[triple, known(api), vendor, kind, id, limits]))
}

/// `NVIDIA:DiscreteGPU:123`
fn parse_device(p: &mut BodyParser<'_, '_>) -> Result<[Attr; 3], ParseFailed> {
    let unit = p.ctx().unit_attr();
    let mut device = [keyword(p, &enums::VENDOR, "vendor")?, unit, unit];
    if p.eat(Tok::Colon) {
        device[1] = keyword(p, &enums::DEVICE_TYPE, "device type")?;
        if p.eat(Tok::Colon) {
            let id = super::types::unsigned(p)?;
            device[2] = super::types::number(p.ctx(), id);
        }
    }
    Ok(device)
}

fn attribute_of_kind(p: &mut BodyParser<'_, '_>, name: &str) -> Parsed {
    p.attribute_as(|attr, ctx| attr.params(ctx, "spirv", name).map(|_| attr))
}

fn print_target_env(p: &mut OpPrinter<'_>, ctx: &Context, params: &[Attr]) {
    let [triple, api, vendor, kind, id, limits] = params else {
        return;
    };
    p.text("<");
    p.attr(*triple);
    if let Some(api) = api.as_str(ctx) {
        p.text(", api=");
        p.text(api);
    }
    if let Some(vendor) = vendor.as_str(ctx) {
        p.text(", ");
        p.text(vendor);
        if let Some(kind) = kind.as_str(ctx) {
            p.text(":");
            p.text(kind);
            if let Some(id) = id.as_i64(ctx) {
                p.text(":");
                p.int_text(id);
            }
        }
    }
    p.text(", ");
    p.attr(*limits);
    p.text(">");
}
