//! Float formats: bit patterns from and to `f64`, and text.

use crate::types::FloatKind;

/// What a format does beyond its finite numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Special {
    /// Infinities and NaNs in the top exponent, as IEEE 754.
    Ieee,
    /// One NaN, all ones after the sign; no infinity.
    NanAllOnes,
    /// One NaN, minus zero's pattern; no infinity, no minus zero.
    NanMinusZero,
    /// Neither NaN nor infinity.
    None,
}

/// A binary format: sign, exponent, mantissa.
struct Layout {
    exponent_bits: u32,
    mantissa_bits: u32,
    bias: i32,
    special: Special,
}

fn layout(kind: FloatKind) -> Layout {
    let ieee = |exponent_bits: u32, mantissa_bits| Layout {
        exponent_bits,
        mantissa_bits,
        bias: (1 << (exponent_bits - 1)) - 1,
        special: Special::Ieee,
    };
    let other = |exponent_bits, mantissa_bits, bias, special| Layout {
        exponent_bits,
        mantissa_bits,
        bias,
        special,
    };
    use Special::{NanAllOnes, NanMinusZero, None};
    match kind {
        FloatKind::F16 => ieee(5, 10),
        FloatKind::BF16 => ieee(8, 7),
        FloatKind::TF32 => ieee(8, 10),
        FloatKind::F32 => ieee(8, 23),
        FloatKind::F64 => ieee(11, 52),
        // Without the explicit leading bit, which `encode` and `decode` add.
        FloatKind::F80 => ieee(15, 63),
        FloatKind::F128 => ieee(15, 112),
        FloatKind::F8E5M2 => ieee(5, 2),
        FloatKind::F8E4M3 => ieee(4, 3),
        FloatKind::F8E3M4 => ieee(3, 4),
        FloatKind::F8E4M3FN => other(4, 3, 7, NanAllOnes),
        FloatKind::F8E5M2FNUZ => other(5, 2, 16, NanMinusZero),
        FloatKind::F8E4M3FNUZ => other(4, 3, 8, NanMinusZero),
        FloatKind::F8E4M3B11FNUZ => other(4, 3, 11, NanMinusZero),
        FloatKind::F6E3M2FN => other(3, 2, 3, None),
        FloatKind::F6E2M3FN => other(2, 3, 1, None),
        FloatKind::F4E2M1FN => other(2, 1, 1, None),
        FloatKind::F8E8M0FNU => other(8, 0, 127, NanAllOnes),
    }
}

/// The bit pattern of a value in a format, rounded to nearest, ties to even.
/// A format without infinity and NaN takes its largest number for larger ones.
/// `None` where the format has nothing for a value: a negative one in
/// `f8E8M0FNU`, an infinity or NaN in a format without.
pub(crate) fn encode(kind: FloatKind, value: f64) -> Option<u128> {
    if kind == FloatKind::F64 {
        return Some(value.to_bits().into());
    }
    if kind == FloatKind::F32 {
        return Some((value as f32).to_bits().into());
    }
    if kind == FloatKind::F8E8M0FNU {
        return encode_scale(value);
    }
    let l = layout(kind);
    let (m, e) = (l.mantissa_bits, l.exponent_bits);
    let sign = u128::from(value.is_sign_negative()) << (m + e);
    let top = (1u128 << e) - 1;
    let mantissa_mask = (1u128 << m) - 1;
    let overflow = match l.special {
        Special::Ieee => Some(sign | top << m),
        Special::NanAllOnes => Some(sign | top << m | mantissa_mask),
        Special::NanMinusZero => Some(1 << (m + e)),
        Special::None => None,
    };
    let bits = if value.is_nan() {
        match l.special {
            Special::Ieee => Some(sign | top << m | 1u128 << (m - 1)),
            _ => overflow,
        }
    } else if value.is_infinite() {
        overflow
    } else {
        let rounded = round(&l, value.abs());
        let largest = match l.special {
            Special::Ieee => (top << m) - 1,
            Special::NanAllOnes => (top << m | mantissa_mask) - 1,
            Special::NanMinusZero | Special::None => top << m | mantissa_mask,
        };
        if rounded > largest && l.special == Special::None {
            Some(sign | largest)
        } else if rounded > largest {
            overflow
        } else if rounded == 0 && l.special == Special::NanMinusZero {
            Some(0)
        } else {
            Some(sign | rounded)
        }
    }?;
    Some(if kind == FloatKind::F80 {
        add_leading_bit(bits)
    } else {
        bits
    })
}

/// `f80` spells the leading bit of the significand.
fn add_leading_bit(bits: u128) -> u128 {
    let fraction = bits & ((1 << 63) - 1);
    let exponent = bits >> 63;
    let leading = u128::from(exponent & 0x7fff != 0);
    exponent << 64 | leading << 63 | fraction
}

/// Exponent and mantissa fields of a value that is neither negative nor
/// special. The carry of rounding runs into the exponent, as it should; a
/// result past the largest number is the caller's to see.
fn round(l: &Layout, value: f64) -> u128 {
    if value == 0.0 {
        return 0;
    }
    let bits = value.to_bits();
    let (mut exponent, mut fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    if exponent == 0 {
        // A subnormal: shift its leading one into place.
        let shift = fraction.leading_zeros() as i32 - 11;
        fraction <<= shift;
        exponent = 1 - shift;
    } else {
        fraction |= 1 << 52;
    }
    // value = fraction * 2^(exponent - 1075), with fraction in 2^52..2^53.
    let biased = exponent - 1023 + l.bias;
    let significand = u128::from(fraction) << 64;
    // Bits to drop so that the leading one lands just above the mantissa, or
    // lower for a subnormal result.
    let drop = 64 + 52 - l.mantissa_bits as i32 + (1 - biased).max(0);
    if drop > 120 {
        return 0;
    }
    let kept = significand >> drop;
    let rest = significand & ((1u128 << drop) - 1);
    let half = 1u128 << (drop - 1);
    let up = rest > half || rest == half && kept & 1 == 1;
    let mantissa = kept + u128::from(up);
    if biased >= 1 {
        // The leading one adds 1 to the exponent field.
        ((biased as u128 - 1) << l.mantissa_bits) + mantissa
    } else {
        mantissa
    }
}

/// Powers of two only: rounds to the nearest one, up in the middle; what is
/// smaller than all of them is the smallest.
fn encode_scale(value: f64) -> Option<u128> {
    if value.is_nan() || value.is_infinite() {
        return Some(0xff);
    }
    if value < 0.0 {
        return None;
    }
    let bits = value.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let exponent = (bits >> 52) as i64 - 1023 + 127;
    let up = fraction >= 1 << 51;
    let rounded = exponent + i64::from(up);
    Some(rounded.clamp(0, 255) as u128)
}

/// The least normal number of a format, or any of `f64` for formats that
/// reach further down.
pub(crate) fn least_normal(kind: FloatKind) -> f64 {
    let l = layout(kind);
    match kind {
        // All of them are.
        FloatKind::F8E8M0FNU => 2f64.powi(-l.bias),
        FloatKind::F80 | FloatKind::F128 => f64::from_bits(1),
        _ => 2f64.powi(1 - l.bias),
    }
}

/// The value of a bit pattern; `None` if `f64` cannot hold it exactly.
pub(crate) fn decode(kind: FloatKind, bits: u128) -> Option<f64> {
    match kind {
        FloatKind::F64 => return Some(f64::from_bits(bits as u64)),
        FloatKind::F32 => return Some(f32::from_bits(bits as u32).into()),
        FloatKind::F8E8M0FNU if bits == 0xff => return Some(f64::NAN),
        FloatKind::F8E8M0FNU => return Some(2f64.powi(bits as i32 - 127)),
        _ => {}
    }
    let l = layout(kind);
    let (m, e) = (l.mantissa_bits, l.exponent_bits);
    let bits = if kind == FloatKind::F80 {
        let leading = bits >> 63 & 1;
        let exponent = bits >> 64 & 0x7fff;
        if (exponent != 0) != (leading != 0) {
            return None;
        }
        bits >> 64 << 63 | bits & ((1 << 63) - 1)
    } else {
        bits
    };
    let negative = bits >> (m + e) & 1 == 1;
    let exponent = (bits >> m & ((1 << e) - 1)) as i32;
    let mantissa = bits & ((1u128 << m) - 1);
    let top = (1 << e) - 1;
    let special = match l.special {
        Special::Ieee if exponent == top => Some(if mantissa == 0 {
            f64::INFINITY
        } else {
            f64::NAN
        }),
        Special::NanAllOnes if exponent == top && mantissa == (1 << m) - 1 => Some(f64::NAN),
        Special::NanMinusZero if negative && exponent == 0 && mantissa == 0 => Some(f64::NAN),
        _ => None,
    };
    let magnitude = match special {
        Some(value) => value,
        None => {
            let (significand, exponent) = if exponent == 0 {
                (mantissa, 1)
            } else {
                (mantissa | 1 << m, exponent)
            };
            scale(significand, exponent - l.bias - m as i32)?
        }
    };
    Some(if negative { -magnitude } else { magnitude })
}

/// `significand * 2^exponent`, if `f64` holds it exactly.
fn scale(significand: u128, exponent: i32) -> Option<f64> {
    if significand == 0 {
        return Some(0.0);
    }
    let zeros = significand.trailing_zeros();
    let (odd, exponent) = (significand >> zeros, exponent + zeros as i32);
    if odd >= 1 << 53 || !(-1074..=1023).contains(&exponent) {
        return None;
    }
    // In two steps, since 2^-1074 times an odd number may pass through a
    // range where one factor alone is subnormal.
    let half = exponent / 2;
    let value = odd as f64 * 2f64.powi(half) * 2f64.powi(exponent - half);
    (value.is_finite() && value != 0.0).then_some(value)
}

/// A literal that reads back as exactly these bits: six digits after the
/// point where they suffice, else the shortest that does, else hexadecimal.
pub(crate) fn to_text(kind: FloatKind, bits: u128) -> String {
    let reads_back =
        |text: &str| text.parse().ok().and_then(|value| encode(kind, value)) == Some(bits);
    if let Some(value) = decode(kind, bits)
        && value.is_finite()
    {
        let text = exponential(value);
        if reads_back(&text) && (kind.width() <= 64 || is_short(value)) {
            return text;
        }
        if let Some(text) = natural(kind, value).filter(|text| reads_back(text)) {
            return text;
        }
    }
    let digits = (kind.width() as usize).div_ceil(4);
    format!("0x{bits:0digits$X}")
}

/// `1.250000e-01`: six significant digits, and a zero after them.
fn exponential(value: f64) -> String {
    /// Significant digits.
    const PRECISION: usize = 6;
    let (mut digits, exponent) = decimal(value.abs(), PRECISION);
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let mark = if exponent < 0 { '-' } else { '+' };
    let size = exponent.unsigned_abs();
    let rest = digits.split_off(1);
    format!("{sign}{digits}.{rest:0<PRECISION$}e{mark}{size:02}")
}

/// Whether six digits are all that a number has: in a format wider than `f64`
/// no others stand for the same value as it.
fn is_short(value: f64) -> bool {
    decimal(value.abs(), 40).0.len() <= 6
}

/// As many digits as tell the values of the format apart, trailing zeros left
/// out: positional for small exponents, else with the exponent. `None` where
/// that has no point, so that it would read as an integer.
fn natural(kind: FloatKind, value: f64) -> Option<String> {
    /// Zeros that a positional form may be padded with.
    const MAX_PADDING: i32 = 3;
    // log10(2) is about 59/196.
    let precision = 2 + significand_bits(kind) * 59 / 196;
    let (digits, exponent) = decimal(value.abs(), precision);
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let count = digits.len() as i32;
    let padding = exponent - (count - 1);
    if (0..=MAX_PADDING).contains(&padding) && count + padding <= precision as i32 {
        return None;
    }
    if padding < 0 && exponent >= 0 {
        let (whole, fraction) = digits.split_at(exponent as usize + 1);
        return Some(format!("{sign}{whole}.{fraction}"));
    }
    if padding < 0 && -exponent <= MAX_PADDING {
        let zeros = "0".repeat((-exponent - 1) as usize);
        return Some(format!("{sign}0.{zeros}{digits}"));
    }
    let (first, rest) = digits.split_at(1.min(digits.len()));
    let rest = if rest.is_empty() { "0" } else { rest };
    let mark = if exponent < 0 { '-' } else { '+' };
    let size = exponent.unsigned_abs();
    Some(format!("{sign}{first}.{rest}E{mark}{size}"))
}

/// The first significant digits of a number that is neither negative nor
/// special, trailing zeros left out, and the exponent of the first one: as LLVM
/// finds them, which rounds up in the middle, and cuts off the digits that it is
/// sure not to need before it rounds.
fn decimal(value: f64, precision: usize) -> (String, i32) {
    if value == 0.0 {
        return ("0".to_owned(), 0);
    }
    // value = odd * 2^power; in decimal, odd * 5^-power with -power digits after
    // the point.
    let bits = value.to_bits();
    let (field, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let (odd, power) = match field {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, field - 1075),
    };
    let zeros = odd.trailing_zeros();
    let (odd, power) = (odd >> zeros, power + zeros as i32);
    let places = (-power).max(0);
    let active = (odd as f64).log2() + f64::from(power.max(0)) + f64::from(places) * 5f64.log2();
    let active = active.floor() as usize + 1;
    let (mut digits, mut exponent) = leading_digits(value, precision + 30, places);
    let total = (exponent + 1 + places) as usize;
    let needed = (precision * 196).div_ceil(59);
    let surplus = active.saturating_sub(needed) * 59 / 196;
    digits.truncate(total - surplus.min(total - 1));
    if digits.len() > precision {
        let up = digits[precision] >= b'5';
        digits.truncate(precision);
        if up {
            while digits.last() == Some(&b'9') {
                digits.pop();
            }
            match digits.last_mut() {
                Some(digit) => *digit += 1,
                None => {
                    digits.push(b'1');
                    exponent += 1;
                }
            }
        }
    }
    while digits.len() > 1 && digits.last() == Some(&b'0') {
        digits.pop();
    }
    (digits.into_iter().map(char::from).collect(), exponent)
}

/// At least `count` leading digits of a number, none rounded, or all of them,
/// and the exponent of the first. It has `places` digits after the point.
fn leading_digits(value: f64, count: usize, places: i32) -> (Vec<u8>, i32) {
    /// More than any `f64` has.
    const ALL: usize = 800;
    let take = |count: usize| {
        let text = format!("{:.*e}", count - 1, value);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let digits: Vec<u8> = mantissa.bytes().filter(|&c| c != b'.').collect();
        (digits, exponent.parse::<i32>().unwrap_or(0))
    };
    let (digits, exponent) = take(count);
    let all = (exponent + 1 + places) as usize <= count;
    // The last digit is rounded; that shows in those before only where they
    // have become zeros.
    if all || digits.iter().rev().take(8).any(|&digit| digit != b'0') {
        return (digits, exponent);
    }
    take(ALL)
}

/// Bits of the significand, the hidden one included.
fn significand_bits(kind: FloatKind) -> usize {
    match kind {
        FloatKind::F16 | FloatKind::TF32 => 11,
        FloatKind::BF16 => 8,
        FloatKind::F32 => 24,
        FloatKind::F64 => 53,
        FloatKind::F80 => 64,
        FloatKind::F128 => 113,
        FloatKind::F8E3M4 => 5,
        FloatKind::F8E5M2 | FloatKind::F8E5M2FNUZ | FloatKind::F6E3M2FN => 3,
        FloatKind::F8E4M3
        | FloatKind::F8E4M3FN
        | FloatKind::F8E4M3FNUZ
        | FloatKind::F8E4M3B11FNUZ
        | FloatKind::F6E2M3FN => 4,
        FloatKind::F4E2M1FN => 2,
        FloatKind::F8E8M0FNU => 1,
    }
}
