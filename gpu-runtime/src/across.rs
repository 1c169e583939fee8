//! Copies between buffers of different devices.

use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::Result;

/// Host memory that a copy takes at a time.
const CHUNK_BYTES: u64 = 16 << 20;

impl Device {
    /// Copies `bytes` bytes of `source`, a buffer of the device `from`, to `target`, a buffer of
    /// this device: after everything recorded on both, and through memory of the host, since
    /// devices share none. It waits for `from`. Where both are the same device, it is
    /// [`Device::copy`].
    ///
    /// # Errors
    ///
    /// [`Error::BadTransfer`](crate::Error::BadTransfer) when a range leaves its buffer or a buffer
    /// is not of its device; nothing is written then.
    pub fn copy_from(
        &self,
        from: &Device,
        source: &Buffer,
        source_offset: u64,
        target: &Buffer,
        target_offset: u64,
        bytes: u64,
    ) -> Result<()> {
        if self.is_same(from) {
            return self.copy(source, source_offset, target, target_offset, bytes);
        }
        const WHAT: &str = "copy between devices";
        source.check(from.gpu(), WHAT, source_offset, bytes)?;
        target.check(self.gpu(), WHAT, target_offset, bytes)?;
        // A chunk fits `usize`: it is far below 2^32.
        let mut chunk = vec![0; bytes.min(CHUNK_BYTES) as usize];
        let mut done = 0;
        while done < bytes {
            let count = (bytes - done).min(CHUNK_BYTES) as usize;
            from.download(source, source_offset + done, &mut chunk[..count])?;
            self.upload(target, target_offset + done, &chunk[..count])?;
            done += count as u64;
        }
        Ok(())
    }
}
