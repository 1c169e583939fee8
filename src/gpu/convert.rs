//! Element conversion between host and device formats.
//!
//! On the host an element takes its width rounded up to a power of two bytes; on the device the same,
//! or one or two 32-bit words (see `gridloom_spirv`'s ABI page). Where the formats agree, bytes are copied
//! unchanged.

use std::borrow::Cow;

use gridloom_interp::ScalarKind;
use gridloom_interp::scalar::{mask, sext};

/// Device format of an element; `index` is `Int(64)` on the host and takes `index_bytes` on the
/// device.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DeviceFormat {
    /// Scalar kind on the host.
    pub kind: ScalarKind,
    /// Bytes on the device: 4 or 8, or those on the host.
    pub bytes: usize,
}

impl DeviceFormat {
    /// The format of integers with the same bytes; device copies of both are one.
    pub fn canonical(self) -> DeviceFormat {
        let size = self.kind.size();
        match (self.is_same_as_host(), size) {
            (true, 1 | 2 | 4) => DeviceFormat {
                kind: ScalarKind::Int(8 * size as u8),
                ..self
            },
            _ => self,
        }
    }

    /// Whether the bytes of an element are the same on host and device. Packed integers are zero-extended as on the host,
    /// those in words sign-extended.
    pub fn is_same_as_host(self) -> bool {
        let size = self.kind.size();
        let is_extended = match self.kind {
            ScalarKind::Int(width) => size > 2 && usize::from(width) != 8 * size,
            _ => false,
        };
        size == self.bytes && !is_extended
    }

    /// Converts host bytes to device bytes. The error is an element that does not fit, which only
    /// an `index` can be.
    pub fn to_device(self, host: &[u8]) -> Result<Cow<'_, [u8]>, i64> {
        if self.is_same_as_host() {
            return Ok(Cow::Borrowed(host));
        }
        let out = match (self.kind, self.kind.size(), self.bytes) {
            (ScalarKind::Int(1), 1, 4) => {
                converted(host, |[byte]| u32::from(byte & 1).to_le_bytes())
            }
            (ScalarKind::Int(width), 1, 4) => converted(host, |byte| {
                sign_extended(u8::from_le_bytes(byte).into(), width)
            }),
            (ScalarKind::Int(width), 2, 4) => converted(host, |pair| {
                sign_extended(u16::from_le_bytes(pair).into(), width)
            }),
            (_, 1, 4) => converted(host, |[byte]| [byte, 0, 0, 0]),
            (_, 2, 4) => converted(host, |[low, high]| [low, high, 0, 0]),
            _ => {
                let mut out = Vec::with_capacity(host.len() / self.kind.size() * self.bytes);
                for chunk in host.chunks_exact(self.kind.size()) {
                    let word = self.encode(read_word(chunk))?;
                    out.extend_from_slice(&word.to_le_bytes()[..self.bytes]);
                }
                out
            }
        };
        Ok(Cow::Owned(out))
    }

    /// Converts one scalar to its zero-extended device format; the error as above.
    pub fn encode(self, bits: u64) -> Result<u64, i64> {
        match self.kind {
            // i1 is 0 or 1, not its sign extension.
            ScalarKind::Int(1) => Ok(bits & 1),
            ScalarKind::Int(width) => {
                let value = sext(bits, width);
                let shown = sext(value as u64, (self.bytes * 8) as u8);
                if shown == value {
                    Ok(mask(value as u64, (self.bytes * 8) as u8))
                } else {
                    Err(value)
                }
            }
            _ => Ok(bits),
        }
    }

    /// Converts device bytes to host bytes.
    pub fn to_host(self, device: &[u8], host: &mut [u8]) {
        if self.is_same_as_host() {
            host.copy_from_slice(&device[..host.len()]);
            return;
        }
        let size = self.kind.size();
        let kept = match self.kind {
            ScalarKind::Int(width) => mask(u64::MAX, width) as u32,
            _ => u32::MAX,
        };
        match (size, self.bytes) {
            (1, 4) => convert(device, host, |word| {
                [(u32::from_le_bytes(word) & kept) as u8]
            }),
            (2, 4) => convert(device, host, |word| {
                ((u32::from_le_bytes(word) & kept) as u16).to_le_bytes()
            }),
            _ => {
                let device = device.chunks_exact(self.bytes);
                for (from, to) in device.zip(host.chunks_exact_mut(size)) {
                    let word = read_word(from);
                    let value = match self.kind {
                        ScalarKind::Int(width) => {
                            mask(sext(word, (self.bytes * 8) as u8) as u64, width)
                        }
                        _ => word,
                    };
                    to.copy_from_slice(&value.to_le_bytes()[..size]);
                }
            }
        }
    }
}

/// Converts all elements of a size to ones of another. Sizes are types, so that compilers vectorize it.
fn convert<const FROM: usize, const TO: usize>(
    from: &[u8],
    to: &mut [u8],
    element: impl Fn([u8; FROM]) -> [u8; TO],
) {
    let elements = from.as_chunks::<FROM>().0.iter();
    for (&from, to) in elements.zip(to.as_chunks_mut::<TO>().0) {
        *to = element(from);
    }
}

/// As [`convert`], into memory of its own.
fn converted<const FROM: usize, const TO: usize>(
    from: &[u8],
    element: impl Fn([u8; FROM]) -> [u8; TO],
) -> Vec<u8> {
    let mut out = vec![0; from.len() / FROM * TO];
    convert(from, &mut out, element);
    out
}

/// The word that stands for an integer of at most 16 bits.
fn sign_extended(bits: u32, width: u8) -> [u8; 4] {
    let above = 32 - u32::from(width);
    (((bits << above) as i32) >> above).to_le_bytes()
}

fn read_word(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |value, &byte| value << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(kind: ScalarKind, bytes: usize, host: &[u8]) -> Vec<u8> {
        let format = DeviceFormat { kind, bytes };
        let device = format.to_device(host).unwrap().into_owned();
        assert_eq!(device.len() / bytes, host.len() / kind.size());
        let mut back = vec![0xaa; host.len()];
        format.to_host(&device, &mut back);
        assert_eq!(back, host);
        device
    }

    #[test]
    fn narrow_integers_are_sign_extended_words() {
        let device = round_trip(ScalarKind::Int(8), 4, &[0x7f, 0x80]);
        assert_eq!(device, [0x7f, 0, 0, 0, 0x80, 0xff, 0xff, 0xff]);
        assert_eq!(
            round_trip(ScalarKind::Int(1), 4, &[1, 0]),
            [1, 0, 0, 0, 0, 0, 0, 0]
        );
        assert_eq!(
            round_trip(ScalarKind::Int(5), 4, &[0x0f, 0x10]),
            [0x0f, 0, 0, 0, 0xf0, 0xff, 0xff, 0xff]
        );
        let device = round_trip(ScalarKind::Int(16), 4, &[0xff, 0x7f, 0x00, 0x80]);
        assert_eq!(device, [0xff, 0x7f, 0, 0, 0x00, 0x80, 0xff, 0xff]);
        assert_eq!(
            round_trip(ScalarKind::F16, 4, &[0x00, 0xbc]),
            [0, 0xbc, 0, 0]
        );
        assert_eq!(
            round_trip(ScalarKind::Int(24), 4, &[0xfd, 0xff, 0xff, 0]),
            [0xfd, 0xff, 0xff, 0xff]
        );
        assert_eq!(
            round_trip(
                ScalarKind::Int(33),
                8,
                &[0xfe, 0xff, 0xff, 0xff, 1, 0, 0, 0],
            ),
            (-2i64).to_le_bytes()
        );
    }

    #[test]
    fn packed_elements_keep_their_bytes() {
        for (kind, bytes) in [
            (ScalarKind::Int(1), 1),
            (ScalarKind::Int(5), 1),
            (ScalarKind::Int(12), 2),
            (ScalarKind::BF16, 2),
        ] {
            assert_eq!(
                round_trip(kind, bytes, &[1, 0x10, 0x80, 0xff]),
                [1, 0x10, 0x80, 0xff]
            );
            let kind = DeviceFormat { kind, bytes }.canonical().kind;
            assert_eq!(kind, ScalarKind::Int(8 * bytes as u8));
        }
    }

    #[test]
    fn an_index_must_fit_the_device() {
        let format = DeviceFormat {
            kind: ScalarKind::Int(64),
            bytes: 4,
        };
        assert_eq!(format.encode(-5i64 as u64), Ok(0xffff_fffb));
        assert_eq!(format.encode(1 << 31), Err(1 << 31));
        assert_eq!(format.to_device(&(1i64 << 40).to_le_bytes()), Err(1 << 40));
    }
}
