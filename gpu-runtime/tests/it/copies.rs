//! Strided copies and fills against a reference on the host.

use gridloom_gpu_runtime::{Buffer, Device, DeviceOptions, Error, FeatureSet, Strided};

use crate::support::{on_each_device, on_each_device_with};

/// One side of a copy as the reference sees it.
struct Side {
    offset: u64,
    strides: Vec<i64>,
}

impl Side {
    fn view<'a>(&'a self, buffer: &'a Buffer) -> Strided<'a> {
        Strided {
            buffer,
            offset: self.offset,
            strides: &self.strides,
        }
    }

    /// The byte offset of the element at `index`.
    fn at(&self, element: u32, index: &[u64]) -> usize {
        let steps = index.iter().zip(&self.strides);
        let place = steps.fold(self.offset as i64, |at, (&i, &stride)| {
            at + i as i64 * stride
        });
        place as usize * element as usize
    }
}

/// Every index of a box, last dimension fastest.
fn indices(sizes: &[u64]) -> Vec<Vec<u64>> {
    sizes.iter().fold(vec![vec![]], |all, &size| {
        let extend =
            |prefix: Vec<u64>| (0..size).map(move |i| prefix.iter().copied().chain([i]).collect());
        all.into_iter().flat_map(extend).collect()
    })
}

/// Reference copy, element by element, as if through a third buffer.
fn reference(element: u32, sizes: &[u64], from: (&[u8], &Side), to: (&mut [u8], &Side)) {
    let bytes = element as usize;
    let (source, from) = from;
    let (target, to) = to;
    let source = source.to_vec();
    for index in indices(sizes) {
        let (f, t) = (from.at(element, &index), to.at(element, &index));
        target[t..t + bytes].copy_from_slice(&source[f..f + bytes]);
    }
}

fn read(device: &Device, buffer: &Buffer) -> Vec<u8> {
    let mut bytes = vec![0; buffer.size() as usize];
    device.download(buffer, 0, &mut bytes).unwrap();
    bytes
}

/// A small linear congruential generator; its high bits are good enough to pick shapes.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % n
    }

    fn bytes(&mut self, n: u64) -> Vec<u8> {
        (0..n).map(|_| self.below(256) as u8).collect()
    }

    /// A layout in which no two elements of the box overlap: the dimensions in a random order, each
    /// stepping over the ones inside of it with some slack, some of them backwards.
    fn side(&mut self, sizes: &[u64]) -> (Side, u64) {
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, self.below(i as u64 + 1) as usize);
        }
        let mut strides = vec![0; sizes.len()];
        let (mut span, mut offset) = (1, self.below(4));
        let mut reach = offset + 1;
        for dimension in order {
            let stride = span + self.below(3) * self.below(2);
            let distance = stride * (sizes[dimension] - 1);
            span += distance;
            reach += distance;
            strides[dimension] = stride as i64;
            if self.below(4) == 0 {
                strides[dimension] = -strides[dimension];
                offset += distance;
            }
        }
        (Side { offset, strides }, reach)
    }
}

#[test]
fn random_boxes_copy_as_on_the_host() {
    on_each_device(|device| {
        let mut random = Random(7);
        for case in 0..150 {
            let element = [1, 2, 3, 4, 8, 12, 16][random.below(7) as usize];
            let rank = random.below(7) as usize;
            let sizes: Vec<u64> = (0..rank).map(|_| 1 + random.below(5)).collect();
            let (from, from_reach) = random.side(&sizes);
            let (to, to_reach) = random.side(&sizes);
            let (from_size, to_size) = (from_reach + random.below(3), to_reach + random.below(3));
            let source = random.bytes(from_size * u64::from(element));
            let mut target = random.bytes(to_size * u64::from(element));
            let source_buffer = device.buffer_with(&source).unwrap();
            let target_buffer = device.buffer_with(&target).unwrap();
            let (f, t) = (from.view(&source_buffer), to.view(&target_buffer));
            device.copy_strided(element, &sizes, f, t).unwrap();
            reference(element, &sizes, (&source, &from), (&mut target, &to));
            assert_eq!(
                read(device, &target_buffer),
                target,
                "case {case}: {sizes:?} of {element} bytes, {:?} to {:?}",
                from.strides,
                to.strides
            );
        }
    });
}

/// A box of more than a megabyte: bytes of an element, sizes, strides of both sides, and their offsets in elements.
type LargeBox = (u32, [u64; 2], [i64; 2], [i64; 2], [u64; 2]);

#[test]
fn large_boxes_copy_as_on_the_host() {
    on_each_device(|device| {
        let mut random = Random(11);
        let boxes: [LargeBox; 6] = [
            (4, [530, 540], [1, 530], [541, 1], [0, 1]),
            (4, [520, 523], [2 * 523, 2], [523, 1], [3, 0]),
            (2, [800, 801], [801, 1], [1604, 2], [1, 5]),
            (1, [1100, 1030], [1, 1100], [1031, 1], [2, 3]),
            (8, [400, 401], [-1, 400], [-401, 1], [399, 399 * 401]),
            (12, [300, 310], [310, 1], [1, 300], [0, 0]),
        ];
        for (element, sizes, from, to, offsets) in boxes {
            let side = |strides: [i64; 2], offset| Side {
                offset,
                strides: strides.to_vec(),
            };
            let (from, to) = (side(from, offsets[0]), side(to, offsets[1]));
            let reach = |side: &Side| {
                let steps = side.strides.iter().zip(sizes);
                let behind = steps.map(|(&stride, size)| stride.max(0) as u64 * (size - 1));
                (side.offset + behind.sum::<u64>() + 1) * u64::from(element)
            };
            let source = random.bytes(reach(&from));
            let mut target = random.bytes(reach(&to));
            let source_buffer = device.buffer_with(&source).unwrap();
            let target_buffer = device.buffer_with(&target).unwrap();
            let (f, t) = (from.view(&source_buffer), to.view(&target_buffer));
            device.copy_strided(element, &sizes, f, t).unwrap();
            reference(element, &sizes, (&source, &from), (&mut target, &to));
            let is_right = read(device, &target_buffer) == target;
            assert!(
                is_right,
                "{sizes:?} of {element} bytes, {:?} to {:?}",
                from.strides, to.strides
            );
        }
    });
}

#[test]
fn a_copy_larger_than_a_row_of_workgroups() {
    // Copied by the shader, and on software drivers by the host as well.
    let unmapped = DeviceOptions {
        without: FeatureSet::MAPPABLE,
        ..Default::default()
    };
    for options in [unmapped, DeviceOptions::default()] {
        on_each_device_with(&options, copy_many_rows);
    }
}

fn copy_many_rows(device: &Device) {
    // More rows than 65,535 workgroups of the copy shader have threads: each thread copies one row.
    let rows = 4_200_000;
    let source: Vec<u8> = (0..3 * rows).flat_map(|i: u32| i.to_ne_bytes()).collect();
    let from = device.buffer_with(&source).unwrap();
    let to = device.buffer(8 * u64::from(rows)).unwrap();
    let wide = Strided {
        buffer: &from,
        offset: 1,
        strides: &[3, 1],
    };
    let dense = Strided {
        buffer: &to,
        offset: 0,
        strides: &[2, 1],
    };
    device
        .copy_strided(4, &[u64::from(rows), 2], wide, dense)
        .unwrap();
    let result = read(device, &to);
    let (pairs, []) = result.as_chunks::<8>() else {
        panic!("a whole number of rows");
    };
    for (row, pair) in (0..).zip(pairs) {
        let expected = [3 * row + 1, 3 * row + 2].map(u32::to_ne_bytes);
        assert_eq!(pair, expected.as_flattened(), "row {row}");
    }
}

#[test]
fn copies_within_a_buffer_may_overlap() {
    on_each_device(|device| {
        let before: Vec<u8> = (0..64).collect();
        let buffer = device.buffer_with(&before).unwrap();
        device.copy(&buffer, 0, &buffer, 5, 40).unwrap();
        let mut expected = before.clone();
        expected.copy_within(0..40, 5);
        assert_eq!(read(device, &buffer), expected);

        // A 4×4 matrix of words, transposed in place.
        let buffer = device.buffer_with(&before).unwrap();
        let rows = Side {
            offset: 0,
            strides: vec![4, 1],
        };
        let columns = Side {
            offset: 0,
            strides: vec![1, 4],
        };
        device
            .copy_strided(4, &[4, 4], rows.view(&buffer), columns.view(&buffer))
            .unwrap();
        let mut expected = before.clone();
        reference(4, &[4, 4], (&before, &rows), (&mut expected, &columns));
        assert_eq!(read(device, &buffer), expected);
    });
}

/// Rows around the length from which each row gets a copy of its own.
#[test]
fn long_rows_copy_as_on_the_host() {
    on_each_device(|device| {
        let mut random = Random(3);
        for (element, columns, pad) in [
            (4, 255, 2),
            (4, 256, 1),
            (4, 700, 3),
            (1, 2048, 4),
            (1, 2047, 2),
            (8, 200, 1),
        ] {
            let sizes = [3, 4, columns];
            let row = (columns + pad) as i64;
            let from = Side {
                offset: pad,
                strides: vec![4 * row, row, 1],
            };
            // The target's rows are in reverse order.
            let to = Side {
                offset: 3 * row as u64,
                strides: vec![5 * row, -row, 1],
            };
            let size = 15 * row as u64 * u64::from(element);
            let (source, mut target) = (random.bytes(size), random.bytes(size));
            let source_buffer = device.buffer_with(&source).unwrap();
            let target_buffer = device.buffer_with(&target).unwrap();
            let (f, t) = (from.view(&source_buffer), to.view(&target_buffer));
            device.copy_strided(element, &sizes, f, t).unwrap();
            reference(element, &sizes, (&source, &from), (&mut target, &to));
            assert_eq!(
                read(device, &target_buffer),
                target,
                "{columns} of {element} bytes"
            );
        }
    });
}

#[test]
fn a_source_stride_of_zero_repeats() {
    on_each_device(|device| {
        let source: Vec<u8> = (1..=12).collect();
        let from = device.buffer_with(&source).unwrap();
        let to = device.buffer(4 * 3 * 5).unwrap();
        let row = Side {
            offset: 0,
            strides: vec![0, 1],
        };
        let matrix = Side {
            offset: 0,
            strides: vec![3, 1],
        };
        device
            .copy_strided(4, &[5, 3], row.view(&from), matrix.view(&to))
            .unwrap();
        assert_eq!(read(device, &to), source.repeat(5));
    });
}

#[test]
fn fills_repeat_their_element() {
    on_each_device(|device| {
        let before: Vec<u8> = (0..48).collect();
        for pattern in [
            &[7][..],
            &[0],
            &[1, 2],
            &[0; 4],
            &[1, 2, 3, 4],
            &[1, 2, 3, 4, 5, 6, 7, 8],
            &[9; 16],
        ] {
            let element = pattern.len();
            for (start, end) in [(element, 48 - element), (16, 32)] {
                let buffer = device.buffer_with(&before).unwrap();
                device
                    .fill(&buffer, start as u64, (end - start) as u64, pattern)
                    .unwrap();
                let mut expected = before.clone();
                for chunk in expected[start..end].chunks_mut(element) {
                    chunk.copy_from_slice(pattern);
                }
                assert_eq!(read(device, &buffer), expected, "{pattern:?}");
            }
        }
    });
}

#[test]
fn boxes_that_do_not_fit_are_refused() {
    on_each_device(|device| {
        let small = device.buffer(16).unwrap();
        let large = device.buffer(64).unwrap();
        let refuse = |element, sizes: &[u64], from: (u64, &[i64]), to: (u64, &[i64])| {
            let side = |buffer, (offset, strides)| Strided {
                buffer,
                offset,
                strides,
            };
            let copied = device.copy_strided(element, sizes, side(&large, from), side(&small, to));
            match copied {
                Err(Error::BadTransfer { cause, .. }) => cause,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(
            refuse(4, &[5], (0, &[1]), (0, &[1])),
            "elements 0 to 4 reach beyond a buffer of 4 elements"
        );
        assert_eq!(
            refuse(4, &[4], (2, &[-1]), (0, &[1])),
            "elements -1 to 2 reach beyond a buffer of 16 elements"
        );
        assert_eq!(
            refuse(4, &[2, 2], (0, &[1]), (0, &[2, 1])),
            "1 strides are given for 2 sizes"
        );
        assert_eq!(
            refuse(4, &[3], (0, &[1]), (0, &[0])),
            "elements of the destination overlap"
        );
        assert_eq!(
            refuse(0, &[1], (0, &[1]), (0, &[1])),
            "the element size is 0"
        );
        assert_eq!(
            refuse(4, &[1 << 40, 1 << 40], (0, &[0, 0]), (0, &[0, 0])),
            "the number of bytes does not fit 63 bits"
        );
        assert!(
            refuse(4, &[u64::MAX / 8], (0, &[i64::MAX]), (0, &[1]))
                .contains("reach beyond a buffer")
        );
        // An empty copy is accepted, even out of bounds.
        let nowhere = Strided {
            buffer: &small,
            offset: 1000,
            strides: &[1],
        };
        assert_eq!(device.copy_strided(4, &[0], nowhere, nowhere), Ok(()));
    });
}
