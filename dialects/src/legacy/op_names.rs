//! Old operation names, and the readers that upgrade them.

use super::emit::{Emit, Parts};
use super::{apply, arith, func, memory, schedule, statements, views};
use gridloom_ir::text::PResult;

/// Upgrade of an old operation.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// A rename: the operation of this name is spelled alike.
    Renamed(&'static str),
    /// A reader of its own.
    Own {
        /// Reads the custom form; its name has been taken.
        custom: fn(&mut Emit<'_, '_>) -> PResult<()>,
        /// Converts the parts of the generic form; `None` where the generic form is that of today,
        /// or there never was one.
        generic: Option<fn(&mut Emit<'_, '_>, Parts) -> PResult<()>>,
    },
}

/// Finds the upgrade of an old operation name. Names of today are here too where the older form has
/// syntax that today's reader lacks.
pub(super) fn find(name: &str) -> Option<Form> {
    let name = name.strip_prefix("std.").unwrap_or(name);
    renamed(name).map(Form::Renamed).or_else(|| own(name))
}

fn renamed(name: &str) -> Option<&'static str> {
    let (_, today) = RENAMED.iter().find(|(old, _)| *old == name)?;
    Some(today)
}

/// Operations that changed only their name.
static RENAMED: &[(&str, &str)] = &[
    ("absf", "math.absf"),
    ("addf", "arith.addf"),
    ("addi", "arith.addi"),
    ("affine.terminator", "affine.yield"),
    ("and", "arith.andi"),
    ("assert", "cf.assert"),
    ("assume_alignment", "memref.assume_alignment"),
    ("atan", "math.atan"),
    ("atan2", "math.atan2"),
    ("atomic_rmw", "memref.atomic_rmw"),
    ("bitcast", "arith.bitcast"),
    ("br", "cf.br"),
    ("br_cond", "cf.cond_br"),
    ("call", "func.call"),
    ("call_indirect", "func.call_indirect"),
    ("ceildivi_signed", "arith.ceildivsi"),
    ("ceilf", "math.ceil"),
    ("cond_br", "cf.cond_br"),
    ("copysign", "math.copysign"),
    ("cos", "math.cos"),
    ("dealloc", "memref.dealloc"),
    ("divf", "arith.divf"),
    ("divi_signed", "arith.divsi"),
    ("divi_unsigned", "arith.divui"),
    ("divis", "arith.divsi"),
    ("diviu", "arith.divui"),
    ("dma_start", "memref.dma_start"),
    ("dma_wait", "memref.dma_wait"),
    ("exp", "math.exp"),
    ("exp2", "math.exp2"),
    ("floordivi_signed", "arith.floordivsi"),
    ("floorf", "math.floor"),
    ("fmaf", "math.fma"),
    ("fpext", "arith.extf"),
    ("fptosi", "arith.fptosi"),
    ("fptoui", "arith.fptoui"),
    ("fptrunc", "arith.truncf"),
    ("index_cast", "arith.index_cast"),
    ("load", "memref.load"),
    ("log", "math.log"),
    ("log10", "math.log10"),
    ("log2", "math.log2"),
    ("module", "builtin.module"),
    ("mulf", "arith.mulf"),
    ("muli", "arith.muli"),
    ("negf", "arith.negf"),
    ("or", "arith.ori"),
    ("powf", "math.powf"),
    ("prefetch", "memref.prefetch"),
    ("remf", "arith.remf"),
    ("remi_signed", "arith.remsi"),
    ("remi_unsigned", "arith.remui"),
    ("remis", "arith.remsi"),
    ("remiu", "arith.remui"),
    ("return", "func.return"),
    ("rsqrt", "math.rsqrt"),
    ("sexti", "arith.extsi"),
    ("shift_left", "arith.shli"),
    ("shift_right_signed", "arith.shrsi"),
    ("shift_right_unsigned", "arith.shrui"),
    ("shlis", "arith.shli"),
    ("signed_divi", "arith.divsi"),
    ("signed_remi", "arith.remsi"),
    ("sin", "math.sin"),
    ("sitofp", "arith.sitofp"),
    ("sqrt", "math.sqrt"),
    ("subf", "arith.subf"),
    ("subi", "arith.subi"),
    ("tanh", "math.tanh"),
    ("trunci", "arith.trunci"),
    ("uitofp", "arith.uitofp"),
    ("unsigned_divi", "arith.divui"),
    ("unsigned_remi", "arith.remui"),
    ("xor", "arith.xori"),
    ("zexti", "arith.extui"),
];

fn own(name: &str) -> Option<Form> {
    let both = |custom, generic| {
        Some(Form::Own {
            custom,
            generic: Some(generic),
        })
    };
    let custom = |custom| {
        Some(Form::Own {
            custom,
            generic: None,
        })
    };
    match name {
        "func" | "builtin.func" => custom(func::custom),
        "for" | "affine.for" => custom(statements::custom_for),
        "if" | "affine.if" => custom(statements::custom_if),
        "yield" | "affine.yield" => custom(statements::custom_yield),
        "affine_apply" | "affine.apply" => both(apply::custom_apply, apply::generic_apply),
        "mldim" => custom(schedule::custom_tree),
        "dim" | "memref.dim" | "tensor.dim" => both(memory::custom_dim, memory::generic_dim),
        "rank" => both(memory::custom_rank, memory::generic_rank),
        "alloc" | "memref.alloc" => both(memory::custom_alloc, memory::generic_alloc),
        "alloca" | "memref.alloca" => both(memory::custom_alloca, memory::generic_alloca),
        "alloc_static" => both(memory::custom_alloc_static, memory::generic_alloc_static),
        "store" => both(memory::custom_store, memory::generic_store),
        "memref_cast" | "tensor_cast" | "memref.cast" | "tensor.cast" => {
            both(memory::custom_cast, memory::generic_cast)
        }
        "reshape" => both(views::custom_reshape, views::generic_reshape),
        "view" => both(views::custom_view, views::generic_view),
        "extract_element" => both(memory::custom_extract, memory::generic_extract),
        "tensor_load" | "memref.tensor_load" => {
            both(memory::custom_tensor_load, memory::generic_tensor_load)
        }
        "tensor_store" | "memref.tensor_store" => {
            both(memory::custom_tensor_store, memory::generic_tensor_store)
        }
        "constant" => both(arith::custom_constant, arith::generic_constant),
        "cmpi" | "arith.cmpi" => both(arith::custom_cmpi, arith::generic_cmpi),
        "cmpf" | "arith.cmpf" => both(arith::custom_cmpf, arith::generic_cmpf),
        "select" => both(arith::custom_select, arith::generic_select),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_lead_to_is_known() {
        let ctx = crate::context();
        for (old, today) in RENAMED {
            assert!(ctx.op_name(today).has_row(), "{old} -> {today}");
        }
        assert!(RENAMED.is_sorted());
        assert!(find("divi").is_none());
        assert!(matches!(
            find("std.addi"),
            Some(Form::Renamed("arith.addi"))
        ));
    }
}
