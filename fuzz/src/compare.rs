//! Comparison of outcomes, bit by bit.

use crate::eval::Outcome;
use crate::program::{Input, Program};
use crate::scalar::same;
use crate::types::Scalar;

/// First difference of two outcomes.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Type of the differing values.
    pub ty: Scalar,
    /// Description of the difference.
    pub text: String,
}

/// Compares outcomes bit for bit; payloads of NaNs may differ.
///
/// # Errors
/// The first difference.
pub fn compare(program: &Program, got: &Outcome, expected: &Outcome) -> Result<(), Difference> {
    let main = program.main();
    for (number, (&param, input)) in main.params.iter().zip(&program.inputs).enumerate() {
        let Input::MemRef { .. } = input else {
            continue;
        };
        let ty = program.mem(param).element;
        let (left, right) = (&got.arguments[number], &expected.arguments[number]);
        if left.len() != right.len() {
            let text = format!(
                "argument {number} has {} elements, not {}",
                left.len(),
                right.len()
            );
            return Err(Difference { ty, text });
        }
        if let Some(at) = left.iter().zip(right).position(|(&a, &b)| !same(a, b, ty)) {
            let (left, right) = (shown(left[at], ty), shown(right[at], ty));
            let text =
                format!("argument {number}, element {at} is {left}, and should be {right} ({ty})");
            return Err(Difference { ty, text });
        }
    }
    for (number, &var) in main.body.yields.iter().enumerate() {
        let ty = program.scalar(var);
        let (left, right) = (got.results.get(number).copied(), expected.results[number]);
        if !left.is_some_and(|left| same(left, right, ty)) {
            let left = left.map_or("missing".to_owned(), |left| shown(left, ty));
            let text = format!(
                "result {number} is {left}, and should be {} ({ty})",
                shown(right, ty)
            );
            return Err(Difference { ty, text });
        }
    }
    Ok(())
}

fn shown(bits: u64, ty: Scalar) -> String {
    match ty.is_float() {
        true => format!("{:?} (0x{bits:x})", crate::scalar::to_f64(bits, ty)),
        false => crate::scalar::signed(bits, ty).to_string(),
    }
}
