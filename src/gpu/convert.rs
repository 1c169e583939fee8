//! Element conversion between host and device formats.
//!
//! On the host an element takes its width rounded up to a power of two bytes; on the device one or
//! two 32-bit words (see `gridloom_spirv`'s ABI page). Where the formats agree, bytes are copied
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
    /// Bytes on the device: 4 or 8.
    pub bytes: usize,
}

impl DeviceFormat {
    /// The format of integers with the same bytes, if elements of 32 bits have these; device copies of both are one.
    pub fn canonical(self) -> DeviceFormat {
        match self.kind {
            ScalarKind::F32 => DeviceFormat {
                kind: ScalarKind::Int(32),
                ..self
            },
            _ => self,
        }
    }

    /// Whether the bytes of an element are the same on host and device.
    pub fn is_same_as_host(self) -> bool {
        self.kind.size() == self.bytes
    }

    /// Converts host bytes to device bytes. The error is an element that does not fit, which only
    /// an `index` can be.
    pub fn to_device(self, host: &[u8]) -> Result<Cow<'_, [u8]>, i64> {
        if self.is_same_as_host() {
            return Ok(Cow::Borrowed(host));
        }
        let mut out = Vec::with_capacity(host.len() / self.kind.size() * self.bytes);
        for chunk in host.chunks_exact(self.kind.size()) {
            let word = self.encode(read_word(chunk))?;
            out.extend_from_slice(&word.to_le_bytes()[..self.bytes]);
        }
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
        for (from, to) in device
            .chunks_exact(self.bytes)
            .zip(host.chunks_exact_mut(size))
        {
            let word = read_word(from);
            let value = match self.kind {
                ScalarKind::Int(width) => mask(sext(word, (self.bytes * 8) as u8) as u64, width),
                _ => word,
            };
            to.copy_from_slice(&value.to_le_bytes()[..size]);
        }
    }
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
        round_trip(ScalarKind::F16, 4, &[0x00, 0xbc]);
        round_trip(
            ScalarKind::Int(33),
            8,
            &[0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0],
        );
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
