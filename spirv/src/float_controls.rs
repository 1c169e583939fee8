//! Float controls: the execution modes by which a kernel forbids what Vulkan lets a driver do: take
//! `x * 0.0` for 0 and `0.0 + x` for `x`, flush subnormal numbers, and round sums either way.

use rspirv::spirv::{BuiltIn, Capability, ExecutionMode, Op, Word};

use crate::abi::ElementKind;
use crate::emit::{Emitter, FloatWidths};
use crate::target::{FloatControl, FloatControls, Promise};
use crate::types;

/// Declares for the entry point `function` what its driver keeps on request,
/// of the widths it computes with.
///
/// # Errors
///
/// Where the driver does not promise something: then no strict kernel is right
/// on it.
pub(crate) fn declare(
    e: &mut Emitter,
    function: Word,
    floats: FloatWidths,
    promised: &FloatControls,
) -> Result<(), String> {
    if floats.f32 {
        declare_width(e, function, 32, promised.f32)?;
    }
    if floats.f64 {
        declare_width(e, function, 64, promised.f64)?;
    }
    Ok(())
}

/// Declares for the entry point of a relaxed kernel that NaN, infinities and signs of zeros
/// count, of the widths of which its driver keeps them on request: relaxed floats may round
/// otherwise, but `x / 0.0` stays infinite.
pub(crate) fn declare_specials(
    e: &mut Emitter,
    function: Word,
    floats: FloatWidths,
    promised: &FloatControls,
) {
    let mode = (
        ExecutionMode::SignedZeroInfNanPreserve,
        Capability::SignedZeroInfNanPreserve,
    );
    for (used, promise, width) in [
        (floats.f32, promised.f32.specials, 32),
        (floats.f64, promised.f64.specials, 64),
    ] {
        if used && promise == Promise::OnRequest {
            e.float_control(function, mode, width);
        }
    }
}

fn declare_width(
    e: &mut Emitter,
    function: Word,
    width: u32,
    promised: FloatControl,
) -> Result<(), String> {
    let modes = [
        (
            promised.specials,
            ExecutionMode::SignedZeroInfNanPreserve,
            Capability::SignedZeroInfNanPreserve,
        ),
        (
            promised.denormals,
            ExecutionMode::DenormPreserve,
            Capability::DenormPreserve,
        ),
        (
            promised.rounding,
            ExecutionMode::RoundingModeRTE,
            Capability::RoundingModeRTE,
        ),
    ];
    for (promise, mode, capability) in modes {
        match promise {
            Promise::None => return Err(refusal(mode, width)),
            Promise::Kept => {}
            Promise::OnRequest => e.float_control(function, (mode, capability), width),
        }
    }
    Ok(())
}

fn refusal(mode: ExecutionMode, width: u32) -> String {
    let what = match mode {
        ExecutionMode::SignedZeroInfNanPreserve => "NaN, infinities and the signs of zeros",
        ExecutionMode::DenormPreserve => "subnormal numbers",
        _ => "rounding to nearest",
    };
    format!(
        "strict floats need a driver that keeps {what}, and this one does not promise it for \
         {width}-bit floats ({mode:?}): use relaxed floats, another device, or the interpreter"
    )
}

impl Emitter {
    /// A zero of a float register's format that the driver cannot tell from
    /// other numbers: the number of a workgroup is below 2^31, and no driver
    /// we hide zeros from knows it.
    pub(crate) fn hidden_zero(&mut self, kind: ElementKind, negative: bool) -> Word {
        let variable = self.workgroup_id();
        let word = self.int_type(32, false);
        let vector = self.vector_type(word, 3);
        let all = self.load(vector, variable);
        let number = self.extract(word, all, 0);
        let places = self.u32_const(31);
        let mut bits = self.op(Op::ShiftRightLogical, word, &[number, places]);
        let reg = types::scalar(kind);
        if reg.machine_bits() == 64 {
            let wide = self.unsigned(reg);
            bits = self.op(Op::UConvert, wide, &[bits]);
        }
        if negative {
            let ty = self.unsigned(reg);
            let sign = self.splat_unsigned(reg, 1 << (reg.machine_bits() - 1));
            bits = self.op(Op::BitwiseOr, ty, &[bits, sign]);
        }
        self.of_bits(reg, bits)
    }

    /// The variable of the workgroup's number.
    pub(crate) fn workgroup_id(&mut self) -> Word {
        let word = self.int_type(32, false);
        let vector = self.vector_type(word, 3);
        self.builtin(BuiltIn::WorkgroupId, vector)
    }
}
