//! Buffers and transfers.

use gridloom_gpu_runtime::{Buffer, Device, DeviceOptions, Error, FeatureSet};

use crate::support::{on_each_device, on_each_device_with};

/// Runs `test` with and without buffers that the host can map.
fn both_ways(test: impl Fn(&Device)) {
    on_each_device(&test);
    let staged = DeviceOptions {
        without: FeatureSet::MAPPABLE,
        ..Default::default()
    };
    on_each_device_with(&staged, test);
}

fn pattern(bytes: usize) -> Vec<u8> {
    (0..bytes).map(|i| (i % 251) as u8).collect()
}

fn all(device: &Device, buffer: &Buffer) -> Vec<u8> {
    let mut bytes = vec![0xee; buffer.size() as usize];
    device.download(buffer, 0, &mut bytes).unwrap();
    bytes
}

#[test]
fn what_goes_up_comes_down() {
    both_ways(|device| {
        for size in [0, 1, 2, 3, 4, 5, 7, 16, 33, 65_537, 200_000] {
            let bytes = pattern(size);
            let buffer = device.buffer_with(&bytes).unwrap();
            assert_eq!(buffer.size(), size as u64);
            assert_eq!(all(device, &buffer), bytes);
        }
    });
}

#[test]
fn transfers_larger_than_the_staging_memory_come_in_parts() {
    both_ways(|device| {
        let bytes = pattern((64 << 20) + 12);
        let buffer = device.buffer_with(&bytes).unwrap();
        assert!(all(device, &buffer) == bytes);
    });
}

#[test]
fn the_staging_ring_keeps_the_order_of_uploads_and_launches() {
    both_ways(|device| {
        // The upload takes several parts of the ring, has an odd end, and starts in the middle of
        // the buffer.
        let bytes = pattern((40 << 20) + 7);
        let buffer = device.buffer_with(&bytes).unwrap();
        let copy = device.buffer(buffer.size()).unwrap();
        for round in 0..3_u8 {
            let other: Vec<u8> = bytes.iter().map(|byte| byte.wrapping_add(round)).collect();
            device.upload(&buffer, 0, &other).unwrap();
            device
                .copy(&buffer, 0, &copy, 0, buffer.size() & !3)
                .unwrap();
            device.upload(&buffer, 4, &vec![round; 5 << 20]).unwrap();
            let mut read = vec![0; 36 << 20];
            device.download(&copy, 4, &mut read).unwrap();
            assert!(read == other[4..4 + read.len()]);
            device.download(&buffer, 0, &mut read).unwrap();
            let end = 4 + (5 << 20);
            assert!(read[..4] == other[..4] && read[4..end].iter().all(|&byte| byte == round));
            assert!(read[end..] == other[end..read.len()]);
        }
    });
}

#[test]
fn new_buffers_are_zero() {
    both_ways(|device| {
        for size in [1, 64, 100_001] {
            let buffer = device.buffer(size).unwrap();
            assert!(all(device, &buffer).iter().all(|&byte| byte == 0));
        }
    });
}

#[test]
fn transfers_at_any_offset_touch_only_their_range() {
    both_ways(|device| {
        for (offset, size) in [(0, 1), (1, 1), (3, 2), (5, 9), (4, 6), (8, 4), (11, 12)] {
            let mut expected = pattern(23);
            let buffer = device.buffer_with(&expected).unwrap();
            let new = vec![0xaa; size];
            device.upload(&buffer, offset as u64, &new).unwrap();
            expected[offset..offset + size].copy_from_slice(&new);
            assert_eq!(all(device, &buffer), expected, "{size} bytes at {offset}");
            let mut part = vec![0; size + 1];
            let start = offset.min(22 - size);
            device.download(&buffer, start as u64, &mut part).unwrap();
            assert_eq!(part, expected[start..=start + size]);
        }
    });
}

#[test]
fn ranges_outside_of_a_buffer_are_refused() {
    on_each_device(|device| {
        let buffer = device.buffer(10).unwrap();
        let outside = |result: Result<(), Error>| {
            assert!(
                matches!(result, Err(Error::BadTransfer { .. })),
                "{result:?}"
            );
        };
        outside(device.upload(&buffer, 8, &[0; 3]));
        outside(device.upload(&buffer, u64::MAX, &[0; 1]));
        outside(device.upload(&buffer, 11, &[]));
        outside(device.download(&buffer, 0, &mut [0; 11]));
        outside(device.copy(&buffer, 9, &buffer, 0, 2));
        outside(device.copy(&buffer, 0, &buffer, 9, u64::MAX));
        outside(device.fill(&buffer, 0, 12, &[0; 4]));
        outside(device.fill(&buffer, 2, 8, &[0; 4]));
        outside(device.fill(&buffer, 0, 9, &[0; 3]));
        assert_eq!(device.upload(&buffer, 10, &[]), Ok(()));
    });
}

#[test]
fn buffers_beyond_the_device_are_refused() {
    on_each_device(|device| {
        let limit = device.info().limits.buffer_size;
        for size in [limit + 1, 1 << 50, u64::MAX] {
            let error = device.buffer(size).unwrap_err();
            assert!(
                matches!(error, Error::BeyondLimit { asked, .. } if asked == size),
                "{error}"
            );
        }
    });
}
