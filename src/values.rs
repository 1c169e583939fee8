//! Argument values: converts `--arg` specifications to elements.

use gridloom_interp::ScalarKind;
use gridloom_interp::scalar::{FloatFormat, mask};

use crate::elements::Elements;

/// Contents of an argument.
#[derive(Clone, PartialEq, Debug)]
pub enum Fill {
    /// A number, as written.
    Number(String),
    /// The contents of an `.npy` file.
    File(String),
    /// 0 everywhere.
    Zeros,
    /// 1 everywhere.
    Ones,
    /// 0, 1, 2, … in row-major order, wrapping in narrow types.
    Iota,
    /// Pseudo-random numbers from this seed: floats uniform in [-1, 1),
    /// integers of more than one bit in 0..=9, booleans of both kinds.
    Random(u64),
}

/// An argument specification: a fill, and the sizes for a memref's `?`s.
#[derive(Clone, PartialEq, Debug)]
pub struct ArgSpec {
    /// Contents of the argument.
    pub fill: Fill,
    /// `[3x4]` after the fill: the shape, where the type leaves it open.
    pub shape: Option<Vec<i64>>,
}

impl std::str::FromStr for ArgSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix('@') {
            return Ok(ArgSpec {
                fill: Fill::File(path.to_owned()),
                shape: None,
            });
        }
        let (word, shape) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
            Some((word, shape)) => (word, Some(parse_shape(shape)?)),
            None => (text, None),
        };
        let fill = match word {
            "zeros" => Fill::Zeros,
            "ones" => Fill::Ones,
            "iota" => Fill::Iota,
            "random" => Fill::Random(0),
            _ => match word.strip_prefix("random:").map(str::parse) {
                Some(Ok(seed)) => Fill::Random(seed),
                Some(Err(_)) => return Err(format!("the seed in '{text}' is not a number")),
                None if looks_like_number(word) => Fill::Number(word.to_owned()),
                None => {
                    return Err(format!(
                        "'{text}' is not an argument; write a number, @file.npy, zeros, ones, \
                         iota or \
                         random:SEED, each with a shape such as [3x4] behind it where the type \
                         leaves sizes open"
                    ));
                }
            },
        };
        Ok(ArgSpec { fill, shape })
    }
}

fn looks_like_number(word: &str) -> bool {
    split_complex(word).is_some()
        || word.parse::<f64>().is_ok()
        || matches!(word, "true" | "false")
        || parse_integer(word).is_some()
}

fn parse_shape(text: &str) -> Result<Vec<i64>, String> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let size = |part: &str| part.trim().parse().ok().filter(|&size: &i64| size >= 0);
    let sizes: Option<Vec<i64>> = text.split('x').map(size).collect();
    sizes.ok_or_else(|| {
        format!(
            "'[{text}]' is not a shape; write sizes with x between, as in \
             [3x4]"
        )
    })
}

fn parse_integer(word: &str) -> Option<i128> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, word),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if negative { -value } else { value })
}

/// Parses a written number to the bits of a scalar type.
pub fn parse_scalar(word: &str, kind: ScalarKind, unsigned: bool) -> Result<u64, String> {
    let ScalarKind::Int(width) = kind else {
        let value: f64 = word
            .parse()
            .map_err(|_| format!("'{word}' is not a number"))?;
        // Rounds once, from the decimal text to the type itself.
        return Ok(match kind {
            ScalarKind::F32 => {
                let value: f32 = word
                    .parse()
                    .map_err(|_| format!("'{word}' is not a number"))?;
                value.to_bits().into()
            }
            _ => kind.from_f64(value),
        });
    };
    let value = match word {
        "true" => Some(1),
        "false" => Some(0),
        _ => parse_integer(word),
    };
    let value = value.ok_or_else(|| format!("'{word}' is not an integer"))?;
    let (low, high) = match (width, unsigned) {
        (1, _) => (0, 1),
        (_, true) => (0, (1i128 << width) - 1),
        (_, false) => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
    };
    if !(low..=high).contains(&value) {
        return Err(format!(
            "{value} does not fit {width} bits ({low} to {high})"
        ));
    }
    Ok(mask(value as u64, width))
}

/// Splits `1.5-0.5i`, `2i` or `-3` into the text of its parts; accepts NumPy's `j` as well. `None`
/// if it is no complex number with an imaginary part.
fn split_complex(word: &str) -> Option<(&str, &str)> {
    let inner = word.strip_suffix(['i', 'j'])?;
    // A sign after an exponent's `e` does not separate the parts.
    let bytes = inner.as_bytes();
    let is_sign =
        |&at: &usize| matches!(bytes[at], b'+' | b'-') && !matches!(bytes[at - 1], b'e' | b'E');
    let (real, imaginary) = match (1..bytes.len()).rev().find(is_sign) {
        Some(at) => inner.split_at_checked(at)?,
        None => ("0", inner),
    };
    let is_number = |part: &str| part.parse::<f64>().is_ok();
    (is_number(real) && is_number(imaginary)).then_some((real, imaginary))
}

/// Parses a written complex number to the bits of both parts.
pub fn parse_complex(word: &str, kind: ScalarKind) -> Result<[u64; 2], String> {
    let (real, imaginary) = split_complex(word).unwrap_or((word, "0"));
    Ok([
        parse_scalar(real, kind, false)?,
        parse_scalar(imaginary, kind, false)?,
    ])
}

/// Generates the elements of a fill without text or file, in row-major order. A complex element has
/// its two parts in turn, both random for random fills, else with imaginary part 0.
pub fn generate(fill: &Fill, kind: ScalarKind, count: usize, complex: bool) -> Elements {
    if !complex {
        return generate_real(fill, kind, count);
    }
    match fill {
        Fill::Random(_) => generate_real(fill, kind, count.saturating_mul(2)),
        _ => {
            let real = generate_real(fill, kind, count);
            Elements::from_bits(kind, real.iter().flat_map(|real| [real, 0]))
        }
    }
}

fn generate_real(fill: &Fill, kind: ScalarKind, count: usize) -> Elements {
    let number = |value: u64| match kind {
        ScalarKind::Int(width) => mask(value, width),
        _ => kind.from_f64(value as f64),
    };
    match fill {
        Fill::Ones => Elements::from_bits(kind, std::iter::repeat_n(number(1), count)),
        Fill::Iota => Elements::from_bits(kind, (0..count as u64).map(number)),
        Fill::Random(seed) => {
            let mut random = SplitMix(*seed);
            Elements::from_bits(kind, (0..count).map(|_| random.element(kind)))
        }
        Fill::Zeros | Fill::Number(_) | Fill::File(_) => Elements::zeros(kind, count),
    }
}

/// Random number generator: Steele, Lea and Flood's SplitMix64, small and the same on every
/// machine.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn element(&mut self, kind: ScalarKind) -> u64 {
        let bits = self.next();
        match kind {
            ScalarKind::Int(1) => bits >> 63,
            ScalarKind::Int(width) => mask((bits >> 32) % 10, width),
            // 11 bits make steps that are exact even in half precision.
            kind if kind.float_format().is_some_and(FloatFormat::is_narrow) => {
                kind.from_f64((bits >> 53) as f64 / 1024.0 - 1.0)
            }
            _ => kind.from_f64((bits >> 40) as f64 / f64::from(1 << 23) - 1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_read() {
        let read = |text: &str| text.parse::<ArgSpec>();
        assert_eq!(read("zeros").unwrap().fill, Fill::Zeros);
        assert_eq!(read("random:7[3x4]").unwrap().shape, Some(vec![3, 4]));
        assert_eq!(
            read("@a[1].npy").unwrap().fill,
            Fill::File("a[1].npy".to_owned())
        );
        assert_eq!(read("-1.5").unwrap().fill, Fill::Number("-1.5".to_owned()));
        assert!(read("random:x").unwrap_err().contains("seed"));
        assert!(read("zeros[3y]").unwrap_err().contains("[3x4]"));
        assert!(read("zeroes").unwrap_err().contains("iota"));
    }

    #[test]
    fn numbers_fit_their_type() {
        assert_eq!(parse_scalar("-1", ScalarKind::Int(8), false), Ok(0xff));
        assert_eq!(parse_scalar("255", ScalarKind::Int(8), true), Ok(255));
        assert!(parse_scalar("128", ScalarKind::Int(8), false).is_err());
        assert!(parse_scalar("1.5", ScalarKind::Int(32), false).is_err());
        assert_eq!(
            parse_scalar("0.1", ScalarKind::F32, false),
            Ok(0.1f32.to_bits().into())
        );
    }

    #[test]
    fn complex_numbers_read() {
        let bits = |x: f64, y: f64| Ok([x.to_bits(), y.to_bits()]);
        let read = |word| parse_complex(word, ScalarKind::F64);
        assert_eq!(read("1.5-0.5i"), bits(1.5, -0.5));
        assert_eq!(read("-1e-3+2e+1j"), bits(-0.001, 20.0));
        assert_eq!(read("-2i"), bits(0.0, -2.0));
        assert_eq!(read("3"), bits(3.0, 0.0));
        assert!(read("1+i+").is_err() && read("i").is_err() && read("é+1i").is_err());
        let fill = "1.5-0.5i".parse::<ArgSpec>().unwrap().fill;
        assert_eq!(fill, Fill::Number("1.5-0.5i".to_owned()));
    }

    #[test]
    fn random_numbers_keep_their_range() {
        let floats = generate(&Fill::Random(1), ScalarKind::F32, 1000, false);
        let values = floats.iter().map(|bits| f32::from_bits(bits as u32));
        assert!(values.clone().all(|v| (-1.0..1.0).contains(&v)));
        assert!(values.clone().any(|v| v < -0.9) && values.clone().any(|v| v > 0.9));
        let ints = generate(&Fill::Random(2), ScalarKind::Int(32), 1000, false);
        assert!(
            (0..=9).all(|digit| ints.iter().any(|v| v == digit)) && ints.iter().all(|v| v <= 9)
        );
    }
}
