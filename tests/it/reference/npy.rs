//! Reading and writing `.npy` files (NumPy's format, version 1.0, little endian).
//!
//! The command line has its own reader and writer. This one knows nothing of it
//! on purpose: a mistake shared by both sides of a comparison would go unseen.

use super::array::{Data, Tensor};
use std::{fs, io, path::Path};

/// The first eight bytes of a file of version 1.0.
const MAGIC: &[u8; 8] = b"\x93NUMPY\x01\x00";

/// Writes `tensor` to `path` in row-major order.
pub fn write(path: &Path, tensor: &Tensor) -> io::Result<()> {
    let shape: String = tensor
        .shape
        .iter()
        .map(|extent| format!("{extent}, "))
        .collect();
    let mut header = format!(
        "{{'descr': '{}', 'fortran_order': False, 'shape': ({shape}), }}",
        descr(&tensor.data)
    );
    // The format wants the elements to start at a multiple of 64 bytes, and the
    // header to end in a line feed; 10 bytes come before it.
    while (header.len() + 11) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let length = u16::try_from(header.len()).expect("a header of this writer is short");
    let mut bytes = MAGIC.to_vec();
    bytes.extend(length.to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(elements_to_bytes(&tensor.data));
    fs::write(path, bytes)
}

/// Reads the file at `path`, which must be row-major and of a type of [`Data`].
pub fn read(path: &Path) -> Result<Tensor, String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    parse(&bytes).map_err(|why| format!("{}: {why}", path.display()))
}

fn parse(bytes: &[u8]) -> Result<Tensor, String> {
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or("not a .npy file of version 1.0")?;
    let (length, rest) = rest.split_first_chunk::<2>().ok_or("no header length")?;
    let length = usize::from(u16::from_le_bytes(*length));
    let (header, elements) = rest.split_at_checked(length).ok_or("header cut short")?;
    let header = std::str::from_utf8(header).map_err(|_| "header is not text")?;
    if !header.contains("'fortran_order': False") {
        return Err("not in row-major order".into());
    }
    let descr = between(header, "'descr': '", "'").ok_or("no type")?;
    let shape = between(header, "'shape': (", ")").ok_or("no shape")?;
    let shape = shape
        .split(',')
        .map(str::trim)
        .filter(|extent| !extent.is_empty())
        .map(|extent| extent.parse().map_err(|_| format!("bad extent `{extent}`")))
        .collect::<Result<Vec<usize>, _>>()?;
    let data = elements_from_bytes(descr, elements)?;
    if shape.iter().product::<usize>() != count(&data) {
        return Err(format!("{} elements for the shape {shape:?}", count(&data)));
    }
    Ok(Tensor { shape, data })
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    Some(rest.split_once(after)?.0)
}

fn descr(data: &Data) -> &'static str {
    match data {
        Data::Bool(_) => "|b1",
        Data::I8(_) => "|i1",
        Data::I16(_) => "<i2",
        Data::I32(_) => "<i4",
        Data::I64(_) => "<i8",
        Data::F32(_) => "<f4",
        Data::F64(_) => "<f8",
    }
}

fn count(data: &Data) -> usize {
    match data {
        Data::Bool(v) => v.len(),
        Data::I8(v) => v.len(),
        Data::I16(v) => v.len(),
        Data::I32(v) => v.len(),
        Data::I64(v) => v.len(),
        Data::F32(v) => v.len(),
        Data::F64(v) => v.len(),
    }
}

fn elements_to_bytes(data: &Data) -> Vec<u8> {
    match data {
        Data::Bool(v) => v.iter().map(|&x| u8::from(x)).collect(),
        Data::I8(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
        Data::I16(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
        Data::I32(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
        Data::I64(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
        Data::F32(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
        Data::F64(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
    }
}

fn elements_from_bytes(descr: &str, bytes: &[u8]) -> Result<Data, String> {
    Ok(match descr {
        "|b1" => Data::Bool(chunks::<1>(bytes)?.map(|[x]| x != 0).collect()),
        "|i1" => Data::I8(chunks(bytes)?.map(i8::from_le_bytes).collect()),
        "<i2" => Data::I16(chunks(bytes)?.map(i16::from_le_bytes).collect()),
        "<i4" => Data::I32(chunks(bytes)?.map(i32::from_le_bytes).collect()),
        "<i8" => Data::I64(chunks(bytes)?.map(i64::from_le_bytes).collect()),
        "<f4" => Data::F32(chunks(bytes)?.map(f32::from_le_bytes).collect()),
        "<f8" => Data::F64(chunks(bytes)?.map(f64::from_le_bytes).collect()),
        other => return Err(format!("element type `{other}` is not one of these tests'")),
    })
}

fn chunks<const N: usize>(bytes: &[u8]) -> Result<impl Iterator<Item = [u8; N]>, String> {
    let (chunks, rest) = bytes.as_chunks::<N>();
    if !rest.is_empty() {
        return Err(format!(
            "{} bytes do not divide into elements of {N}",
            bytes.len()
        ));
    }
    Ok(chunks.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What NumPy 2.4 writes for `np.array([[1.5, -2.0, 3.25]], dtype=np.float32)`.
    #[test]
    fn a_file_of_numpy_is_read_and_written_alike() {
        let mut file = MAGIC.to_vec();
        file.extend([118, 0]);
        let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }";
        file.extend(format!("{header:<117}\n").as_bytes());
        file.extend([0, 0, 0xc0, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0x50, 0x40]);
        let tensor = parse(&file).expect("it is a good file");
        assert_eq!(tensor.shape, [1, 3]);
        assert!(matches!(&tensor.data, Data::F32(v) if v == &[1.5, -2.0, 3.25]));
        assert!(
            parse(&file[..file.len() - 1]).is_err(),
            "the last element is cut"
        );
        assert!(
            parse(&file[..file.len() - 4]).is_err(),
            "the last element is missing"
        );
    }
}
