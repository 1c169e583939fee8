//! Float literals: the text of a bit pattern.

use std::fmt::Write as _;

use super::decimal::Decimal;
use crate::scalar::{decode_float, encode_float};
use crate::types::FloatKind;

/// Prints a literal that reads back as exactly these bits: six digits after the point where they
/// suffice, else the shortest that does, else hexadecimal.
pub(crate) fn to_text(kind: FloatKind, bits: u128) -> String {
    /// Significant digits of the short form.
    const SHORT: usize = 6;
    if let Some(value) = decode_float(kind, bits)
        && value.is_finite()
    {
        let reads_back = |decimal: &Decimal| {
            let read = decimal.nearest().copysign(value);
            encode_float(kind, read) == Some(bits)
        };
        let sign = if value.is_sign_negative() { "-" } else { "" };
        let short = Decimal::of(value.abs(), SHORT);
        if reads_back(&short) && (kind.width() <= 64 || is_short(value)) {
            return exponential(sign, &short, SHORT);
        }
        // log10(2) is about 59/196.
        let precision = 2 + significand_bits(kind) * 59 / 196;
        let decimal = Decimal::of(value.abs(), precision);
        if reads_back(&decimal)
            && let Some(text) = natural(sign, &decimal, precision)
        {
            return text;
        }
    }
    let digits = (kind.width() as usize).div_ceil(4);
    format!("0x{bits:0digits$X}")
}

/// Whether a literal of [`to_text`] is a hexadecimal bit pattern, which reads as an integer unless
/// its type follows.
pub(crate) fn is_bit_pattern(literal: &str) -> bool {
    literal.starts_with("0x")
}

/// Prints `1.250000e-01`: the digits, padded with zeros up to the precision and one more.
fn exponential(sign: &str, decimal: &Decimal, precision: usize) -> String {
    let mut text = String::with_capacity(16);
    text.push_str(sign);
    push_digits(&mut text, &decimal.digits[..1]);
    text.push('.');
    push_digits(&mut text, &decimal.digits[1..]);
    for _ in decimal.digits.len() - 1..precision {
        text.push('0');
    }
    text.push_str(if decimal.exponent < 0 { "e-" } else { "e+" });
    let size = decimal.exponent.unsigned_abs();
    if size < 10 {
        text.push('0');
    }
    // Writing to a String cannot fail.
    let _ = write!(text, "{size}");
    text
}

fn push_digits(text: &mut String, digits: &[u8]) {
    text.extend(digits.iter().copied().map(char::from));
}

/// Whether six digits are all that a number has: in a format wider than `f64` no others stand for
/// the same value as it.
fn is_short(value: f64) -> bool {
    Decimal::of(value.abs(), 40).digits.len() <= 6
}

/// Prints the digits that distinguish the values of a format: positional for small exponents, else
/// with the exponent. `None` where that has no point, so that it would read as an integer.
fn natural(sign: &str, decimal: &Decimal, precision: usize) -> Option<String> {
    /// Limit of zeros that pad a positional form.
    const MAX_PADDING: i32 = 3;
    let (digits, exponent) = (&decimal.digits[..], decimal.exponent);
    let count = digits.len() as i32;
    let padding = exponent - (count - 1);
    if (0..=MAX_PADDING).contains(&padding) && count + padding <= precision as i32 {
        return None;
    }
    let mut text = String::with_capacity(digits.len() + 8);
    text.push_str(sign);
    if padding < 0 && exponent >= 0 {
        let (whole, fraction) = digits.split_at(exponent as usize + 1);
        push_digits(&mut text, whole);
        text.push('.');
        push_digits(&mut text, fraction);
        return Some(text);
    }
    if padding < 0 && -exponent <= MAX_PADDING {
        text.push_str("0.");
        push_digits(&mut text, &b"00"[..(-exponent - 1) as usize]);
        push_digits(&mut text, digits);
        return Some(text);
    }
    let (first, rest) = digits.split_at(1);
    push_digits(&mut text, first);
    text.push('.');
    push_digits(&mut text, if rest.is_empty() { b"0" } else { rest });
    let mark = if exponent < 0 { '-' } else { '+' };
    // Writing to a String cannot fail.
    let _ = write!(text, "E{mark}{}", exponent.unsigned_abs());
    Some(text)
}

/// Bits of the significand, the hidden one included.
fn significand_bits(kind: FloatKind) -> usize {
    // The encoding of f80 counts its explicit leading bit as hidden, too.
    kind.encoding().fraction_bits as usize + 1
}
