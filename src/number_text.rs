//! Number formatting.

use std::fmt;

use gridloom_interp::ScalarKind;

/// The shortest decimal that reads back as the same float, for kinds that Rust does not have.
pub(crate) fn shortest(kind: ScalarKind, bits: u64) -> String {
    let value = kind.to_f64(bits);
    // 9 digits distinguish all values of 24 bits of precision.
    let rounded = (0..9).map(|digits| format!("{value:.digits$e}").parse::<f64>());
    let found = rounded
        .filter_map(Result::ok)
        .find(|&rounded| kind.from_f64(rounded) == bits);
    float_text(found.unwrap_or(value))
}

/// The shortest decimal of a float that reads back, with an exponent where it would have many
/// zeros.
pub fn float_text<T: Copy + fmt::Display + fmt::LowerExp + Into<f64>>(value: T) -> String {
    let magnitude = value.into().abs();
    let is_plain = magnitude == 0.0 || (1e-5..1e16).contains(&magnitude) || !magnitude.is_finite();
    match is_plain {
        true => value.to_string(),
        false => format!("{value:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::float_text;

    #[test]
    fn floats_far_from_one_have_an_exponent() {
        assert_eq!(float_text(1.0e-40_f32), "1e-40");
        assert_eq!(float_text(-2.5e20_f64), "-2.5e20");
        assert_eq!(float_text(0.5_f32), "0.5");
        assert_eq!(float_text(1e15_f64), "1000000000000000");
        assert_eq!(float_text(-0.0_f32), "-0");
        assert_eq!(float_text(f64::INFINITY), "inf");
        assert_eq!(float_text(f32::NAN), "NaN");
    }
}
