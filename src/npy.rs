//! NumPy's `.npy` file format, versions 1 to 3: reads and writes arrays of numbers.
//!
//! The header is a Python dictionary of three entries, so a small reader of
//! our own is a fraction of what the crates for it bring (a parser generator
//! and an integer library among them).
//!
//! Format: <https://numpy.org/neps/nep-0001-npy-format.html>.

use gridloom_interp::ScalarKind;

/// An array in logical (row-major) order.
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    /// Extents along each dimension.
    pub shape: Vec<i64>,
    /// NumPy's element type: a kind letter (`f`, `i`, `u`, `b`, `c`) and a size in bytes.
    pub dtype: Dtype,
    /// The elements in little-endian order of bytes; complex ones are real and imaginary part in
    /// turn.
    pub bytes: Vec<u8>,
}

/// A NumPy element type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dtype {
    /// Kind letter: `f`, `i`, `u`, `b` or `c`.
    pub kind: u8,
    /// Size in bytes.
    pub size: usize,
}

impl std::fmt::Display for Dtype {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bits = self.size * 8;
        match self.kind {
            b'f' => write!(f, "float{bits}"),
            b'i' => write!(f, "int{bits}"),
            b'u' => write!(f, "uint{bits}"),
            b'c' => write!(f, "complex{bits}"),
            _ => f.write_str("bool"),
        }
    }
}

impl Dtype {
    /// The NumPy type that holds elements of this kind: `i1` is bool, `i4` int8, `bf16`
    /// uint16, `index` int64; `None` where NumPy has no such width.
    pub fn of(kind: ScalarKind, unsigned: bool) -> Option<Dtype> {
        let integer = if unsigned { b'u' } else { b'i' };
        let letter = match kind {
            ScalarKind::Int(1) => b'b',
            ScalarKind::Int(2..=64) => integer,
            kind => kind.float_format()?.numpy,
        };
        Some(Dtype {
            kind: letter,
            size: kind.size(),
        })
    }

    /// The NumPy type of complex numbers whose parts are of this kind.
    pub fn of_complex(kind: ScalarKind) -> Option<Dtype> {
        let size = match kind {
            ScalarKind::F32 => 8,
            ScalarKind::F64 => 16,
            _ => return None,
        };
        Some(Dtype { kind: b'c', size })
    }

    /// Numbers in an element: two for complex ones, else one.
    fn parts(self) -> usize {
        1 + usize::from(self.kind == b'c')
    }
}

/// The first bytes of every file.
pub const MAGIC: &[u8] = b"\x93NUMPY";

/// Reads an array, reusing the memory of the file; the error describes a malformed file.
pub fn read(mut file: Vec<u8>) -> Result<Array, String> {
    let Header {
        shape,
        dtype,
        big_endian,
        fortran,
        data,
    } = read_header(&file)?;
    file.drain(..data);
    let mut bytes = file;
    if big_endian {
        let part = dtype.size / dtype.parts();
        bytes.chunks_exact_mut(part).for_each(<[u8]>::reverse);
    }
    if dtype.kind == b'b' {
        // NumPy treats every byte but 0 as true.
        bytes
            .iter_mut()
            .for_each(|byte| *byte = u8::from(*byte != 0));
    }
    if fortran && shape.len() > 1 {
        bytes = from_column_major(&shape, dtype.size, &bytes);
    }
    Ok(Array {
        shape,
        dtype,
        bytes,
    })
}

/// Header of a file: the layout of the array.
struct Header {
    shape: Vec<i64>,
    dtype: Dtype,
    big_endian: bool,
    /// Whether elements are in column-major order.
    fortran: bool,
    /// Position of the first element in the file.
    data: usize,
}

fn read_header(file: &[u8]) -> Result<Header, String> {
    let rest = file
        .strip_prefix(MAGIC)
        .ok_or("it does not start like an .npy file")?;
    let (&[major, _minor], rest) = rest
        .split_first_chunk::<2>()
        .ok_or("it ends inside the header")?;
    let (length, rest) = match major {
        1 => rest
            .split_first_chunk::<2>()
            .map(|(length, rest)| (usize::from(u16::from_le_bytes(*length)), rest)),
        2 | 3 => rest
            .split_first_chunk::<4>()
            .map(|(length, rest)| (u32::from_le_bytes(*length) as usize, rest)),
        other => return Err(format!("format version {other} is not known")),
    }
    .ok_or("it ends inside the header")?;
    let (header, data) = rest
        .split_at_checked(length)
        .ok_or("it ends inside the header")?;
    let header = std::str::from_utf8(header).map_err(|_| "its header is not text")?;
    let descr = entry(header, "descr").ok_or("its header has no 'descr'")?;
    let (dtype, big_endian) = parse_descr(descr)?;
    let fortran = match entry(header, "fortran_order").map(str::trim_start) {
        Some(value) if value.starts_with("True") => true,
        Some(value) if value.starts_with("False") => false,
        _ => return Err("its header has no 'fortran_order'".to_owned()),
    };
    let shape = parse_shape(entry(header, "shape").ok_or("its header has no 'shape'")?)?;
    let count = shape
        .iter()
        .try_fold(1usize, |n, &d| n.checked_mul(d as usize));
    let wanted = count.and_then(|count| count.checked_mul(dtype.size));
    if wanted != Some(data.len()) {
        return Err(format!(
            "its shape {shape:?} does not fit the {} bytes of data it has",
            data.len()
        ));
    }
    Ok(Header {
        shape,
        dtype,
        big_endian,
        fortran,
        data: file.len() - data.len(),
    })
}

/// Finds the text after `'name':` in a header dictionary.
fn entry<'h>(header: &'h str, name: &str) -> Option<&'h str> {
    let quoted = [format!("'{name}'"), format!("\"{name}\"")];
    let at = quoted
        .iter()
        .find_map(|quoted| Some(header.find(quoted)? + quoted.len()))?;
    header[at..].trim_start().strip_prefix(':')
}

/// Parses an element type such as `'<f4'`.
fn parse_descr(text: &str) -> Result<(Dtype, bool), String> {
    let text = text.trim_start();
    let quoted = text
        .get(1..)
        .and_then(|rest| rest.split(['\'', '"']).next());
    let descr = quoted.filter(|_| text.starts_with(['\'', '"']));
    let descr = descr.ok_or("its elements are records, which a memref cannot hold")?;
    let bytes = descr.as_bytes();
    let known = |order: u8, kind: u8| b"<>|=".contains(&order) && b"fiubc".contains(&kind);
    match bytes {
        [order, kind, size @ ..] if known(*order, *kind) => {
            let size = std::str::from_utf8(size)
                .ok()
                .and_then(|size| size.parse().ok());
            let sizes: &[usize] = if *kind == b'c' {
                &[8, 16]
            } else {
                &[1, 2, 4, 8]
            };
            let size = size.filter(|size| sizes.contains(size));
            let size = size.ok_or_else(|| format!("its element type '{descr}' is not known"))?;
            Ok((Dtype { kind: *kind, size }, *order == b'>'))
        }
        _ => Err(format!("its element type '{descr}' is not known")),
    }
}

/// Parses a shape: `(3, 4)`, `(3,)` or `()`.
fn parse_shape(text: &str) -> Result<Vec<i64>, String> {
    let inner = text
        .trim_start()
        .strip_prefix('(')
        .and_then(|rest| rest.split(')').next());
    let inner = inner.ok_or("its shape is not a tuple")?;
    let parts = inner
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty());
    parts
        .map(|part| match part.parse::<i64>() {
            Ok(size) if size >= 0 => Ok(size),
            _ => Err(format!("'{part}' in its shape is not a size")),
        })
        .collect()
}

/// Reorders elements of `size` bytes from column-major to row-major order.
fn from_column_major(shape: &[i64], size: usize, bytes: &[u8]) -> Vec<u8> {
    let mut strides = vec![1usize; shape.len()];
    for dim in 1..shape.len() {
        strides[dim] = strides[dim - 1] * shape[dim - 1] as usize;
    }
    let mut out = Vec::with_capacity(bytes.len());
    for row_major in 0..bytes.len() / size {
        let mut outer = row_major;
        let mut at = 0;
        for dim in (0..shape.len()).rev() {
            at += outer % shape[dim] as usize * strides[dim];
            outer /= shape[dim] as usize;
        }
        out.extend_from_slice(&bytes[at * size..][..size]);
    }
    out
}

/// Writes the header of an array whose elements follow in row-major order, least byte first:
/// version 1.0.
pub fn header(dtype: Dtype, shape: &[i64]) -> Vec<u8> {
    let Dtype { kind, size } = dtype;
    let order = if size == 1 { '|' } else { '<' };
    let sizes: Vec<String> = shape.iter().map(i64::to_string).collect();
    let comma = if sizes.len() == 1 { "," } else { "" };
    let shape = format!("({}{comma})", sizes.join(", "));
    let kind = char::from(kind);
    let mut header =
        format!("{{'descr': '{order}{kind}{size}', 'fortran_order': False, 'shape': {shape}, }}");
    // Magic, version, length and header together fill a multiple of 64 bytes.
    let unpadded = MAGIC.len() + 4 + header.len() + 1;
    header.push_str(&" ".repeat(unpadded.next_multiple_of(64) - unpadded));
    header.push('\n');
    let mut out = MAGIC.to_vec();
    out.extend([1, 0]);
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    out
}

/// Writes an array.
pub fn write(array: &Array) -> Vec<u8> {
    let mut out = header(array.dtype, &array.shape);
    out.extend_from_slice(&array.bytes);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        let mut out = b"\x93NUMPY\x01\x00".to_vec();
        out.extend((header.len() as u16).to_le_bytes());
        out.extend(header.as_bytes());
        out.extend(data);
        out
    }

    #[test]
    fn reads_what_numpy_writes() {
        // numpy.save of array([[1, 2], [3, 4]], '>i2') in Fortran order.
        let header = "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 2), }\n";
        let array = read(file(header, &[0, 1, 0, 3, 0, 2, 0, 4])).unwrap();
        assert_eq!(array.shape, [2, 2]);
        assert_eq!(array.bytes, [1, 0, 2, 0, 3, 0, 4, 0]);
        assert_eq!(array.dtype.to_string(), "int16");
    }

    #[test]
    fn parts_of_big_endian_complex_numbers_are_turned() {
        let header = "{'descr': '>c8', 'fortran_order': False, 'shape': (), }\n";
        let array = read(file(header, &[1, 2, 3, 4, 5, 6, 7, 8])).unwrap();
        assert_eq!(array.bytes, [4, 3, 2, 1, 8, 7, 6, 5]);
    }

    #[test]
    fn complex_parts_stay_together() {
        // numpy.save of asfortranarray([[1+2j, 3+4j], [5+6j, 7+8j]], '<c8').
        let header = "{'descr': '<c8', 'fortran_order': True, 'shape': (2, 2), }\n";
        let data: Vec<u8> = [1f32, 2., 5., 6., 3., 4., 7., 8.]
            .iter()
            .flat_map(|part| part.to_le_bytes())
            .collect();
        let array = read(file(header, &data)).unwrap();
        let parts: Vec<u8> = [1f32, 2., 3., 4., 5., 6., 7., 8.]
            .iter()
            .flat_map(|part| part.to_le_bytes())
            .collect();
        assert_eq!(array.bytes, parts);
        assert_eq!(array.dtype.to_string(), "complex64");
        assert_eq!(read(write(&array)), Ok(array));
    }

    #[test]
    fn every_byte_but_0_is_true() {
        // numpy.save of array([0, 1, 2, 128, 255], uint8).view(bool).
        let header = "{'descr': '|b1', 'fortran_order': False, 'shape': (5,), }\n";
        let array = read(file(header, &[0, 1, 2, 128, 255])).unwrap();
        assert_eq!(array.bytes, [0, 1, 1, 1, 1]);
    }

    #[test]
    fn writes_what_it_reads() {
        for shape in [vec![], vec![3], vec![0, 4], vec![2, 1, 3]] {
            let count = shape.iter().product::<i64>() as u8;
            let dtype = Dtype {
                kind: b'f',
                size: 4,
            };
            let array = Array {
                shape,
                dtype,
                bytes: (0..4 * count).collect(),
            };
            assert_eq!(read(write(&array)), Ok(array));
        }
    }

    #[test]
    fn says_what_is_wrong() {
        let header = |descr: &str, shape: &str| {
            format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}}}")
        };
        let message = |bytes: &[u8]| read(bytes.to_vec()).unwrap_err();
        assert!(message(b"PK").contains("does not start like"));
        assert!(message(b"\x93NUMPY\x01\x00\xff").contains("ends inside"));
        assert!(message(&file(&header("'<c4'", "()"), &[0; 4])).contains("'<c4'"));
        assert!(message(&file(&header("'<f4'", "(2,)"), &[0; 4])).contains("[2]"));
        assert!(message(&file(&header("'<f4'", "(-2,)"), &[0; 4])).contains("'-2'"));
        let huge = header("'<f8'", "(4611686018427387904, 4)");
        assert!(message(&file(&huge, &[])).contains("does not fit"));
    }
}
