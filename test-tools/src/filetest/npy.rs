//! Reads `.npy` files and holds them against values written by hand.
//!
//! This is a reader of its own, apart from the one in gridloom, because it judges what gridloom writes.

use super::header::Value;

/// The elements of an array, in logical index order; of complex ones both parts in turn.
#[derive(Debug, PartialEq)]
enum Array {
    Integers(Vec<i128>),
    Floats { values: Vec<f64>, single: bool },
}

/// Whether the array in `bytes` holds the elements of `expected`.
pub fn check(bytes: &[u8], expected: &Value) -> Result<(), String> {
    let array = read(bytes)?;
    let count = match &array {
        Array::Integers(values) => values.len(),
        Array::Floats { values, .. } => values.len(),
    };
    if count != expected.elements.len() {
        return Err(format!(
            "{count} elements came, {} were expected",
            expected.elements.len()
        ));
    }
    for (index, text) in expected.elements.iter().enumerate() {
        let (fits, came) = match &array {
            Array::Integers(values) => {
                (text.parse() == Ok(values[index]), values[index].to_string())
            }
            Array::Floats { values, single } => {
                let came = values[index];
                (
                    same_float(came, parse_float(text, *single)?, expected.tolerance),
                    came.to_string(),
                )
            }
        };
        if !fits {
            return Err(format!("element {index} is {came}, not {text}"));
        }
    }
    Ok(())
}

/// A literal rounded as the program would round it: 0.1 means the `f32` nearest to it in an array of `f32`.
fn parse_float(text: &str, single: bool) -> Result<f64, String> {
    let parsed = if single {
        text.parse::<f32>().map(f64::from)
    } else {
        text.parse()
    };
    parsed.map_err(|_| format!("`{text}` is no number"))
}

fn same_float(came: f64, expected: f64, tolerance: f64) -> bool {
    if expected.is_nan() {
        return came.is_nan();
    }
    came == expected || (came - expected).abs() <= tolerance * expected.abs()
}

fn read(bytes: &[u8]) -> Result<Array, String> {
    let (header, data) = split(bytes).ok_or("not an .npy file")?;
    let kind = field(header, "'descr': '").ok_or("the header has no descr")?;
    if field(header, "'fortran_order': ").is_none_or(|order| !order.starts_with("False")) {
        return Err("the array is not in C order".into());
    }
    let kind = kind.split('\'').next().unwrap_or_default();
    let array = match kind {
        "|b1" | "|u1" => Array::Integers(each(data, |[byte]: [u8; 1]| byte.into())),
        "|i1" => Array::Integers(each(data, |b| i8::from_le_bytes(b).into())),
        "<i2" => Array::Integers(each(data, |b| i16::from_le_bytes(b).into())),
        "<u2" => Array::Integers(each(data, |b| u16::from_le_bytes(b).into())),
        "<i4" => Array::Integers(each(data, |b| i32::from_le_bytes(b).into())),
        "<u4" => Array::Integers(each(data, |b| u32::from_le_bytes(b).into())),
        "<i8" => Array::Integers(each(data, |b| i64::from_le_bytes(b).into())),
        "<u8" => Array::Integers(each(data, |b| u64::from_le_bytes(b).into())),
        // Expected values are written as the half-precision numbers that they are.
        "<f2" => Array::Floats {
            values: each(data, |b| half(u16::from_le_bytes(b))),
            single: false,
        },
        "<f4" | "<c8" => {
            let values = each(data, |b| f32::from_le_bytes(b).into());
            Array::Floats {
                values,
                single: true,
            }
        }
        "<f8" | "<c16" => Array::Floats {
            values: each(data, f64::from_le_bytes),
            single: false,
        },
        other => return Err(format!("elements of type {other} are not known here")),
    };
    Ok(array)
}

/// The number that half-precision bits stand for.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023) / 1024.0);
    sign * match exponent {
        0 => fraction * 2f64.powi(-14),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction) * 2f64.powi(exponent - 15),
    }
}

/// Header text and data: magic, version, length of the header, header.
fn split(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let rest = bytes.strip_prefix(b"\x93NUMPY")?;
    let (version, rest) = rest.split_at_checked(2)?;
    let (length, rest) = if version[0] == 1 {
        let (length, rest) = rest.split_first_chunk::<2>()?;
        (u16::from_le_bytes(*length) as usize, rest)
    } else {
        let (length, rest) = rest.split_first_chunk::<4>()?;
        (u32::from_le_bytes(*length) as usize, rest)
    };
    let (header, data) = rest.split_at_checked(length)?;
    Some((std::str::from_utf8(header).ok()?, data))
}

fn field<'a>(header: &'a str, start: &str) -> Option<&'a str> {
    header.split_once(start).map(|(_, rest)| rest)
}

fn each<const N: usize, T>(data: &[u8], decode: impl Fn([u8; N]) -> T) -> Vec<T> {
    data.as_chunks()
        .0
        .iter()
        .map(|chunk| decode(*chunk))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::header::Place;
    use super::*;

    fn file(kind: &str, data: &[u8]) -> Vec<u8> {
        let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': (2,), }}\n");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn value(elements: &[&str], tolerance: f64) -> Value {
        let elements = elements.iter().map(|&text| text.to_owned()).collect();
        Value {
            place: Place::Result(0),
            elements,
            tolerance,
        }
    }

    #[test]
    fn integers_are_exact() {
        let data = [(-5i64).to_le_bytes(), i64::MAX.to_le_bytes()].concat();
        let bytes = file("<i8", &data);
        assert_eq!(
            check(&bytes, &value(&["-5", "9223372036854775807"], 0.0)),
            Ok(())
        );
        assert!(check(&bytes, &value(&["-5", "9223372036854775806"], 1.0)).is_err());
        assert!(check(&bytes, &value(&["-5"], 0.0)).is_err());
    }

    #[test]
    fn floats_round_as_their_type_does() {
        let data = [0.1f32.to_le_bytes(), f32::NAN.to_le_bytes()].concat();
        let bytes = file("<f4", &data);
        assert_eq!(check(&bytes, &value(&["0.1", "nan"], 0.0)), Ok(()));
        assert!(check(&bytes, &value(&["0.10001", "nan"], 0.0)).is_err());
        assert_eq!(check(&bytes, &value(&["0.10001", "nan"], 1e-3)), Ok(()));
        assert!(check(&bytes, &value(&["nan", "nan"], 1e-3)).is_err());
    }

    #[test]
    fn foreign_bytes_are_refused() {
        assert!(check(b"PK", &value(&[], 0.0)).is_err());
        assert!(check(&file("<m8", &[]), &value(&[], 0.0)).is_err());
    }

    #[test]
    fn parts_of_complex_numbers_are_elements() {
        let bytes = file("<c8", &[1.5f32, -2.0].map(f32::to_le_bytes).concat());
        assert_eq!(check(&bytes, &value(&["1.5", "-2"], 0.0)), Ok(()));
        assert!(check(&bytes, &value(&["1.5", "2"], 0.0)).is_err());
    }
}
