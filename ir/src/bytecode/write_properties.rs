//! Encodes properties: the inherent attributes of operations.

use hashbrown::HashMap;

use super::encode::Encoder;
use super::format::VERSION;
use super::numbers::Numbers;
use super::properties::{Field, Form, layout};
use crate::attr::{Attr, AttrDict, AttrKind, NamedAttr};
use crate::context::OpName;

/// The index of an operation's properties, and their form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    /// `None` if there are none.
    pub number: Option<u32>,
    /// Whether the properties have the layout of a known operation; otherwise they are a
    /// dictionary.
    pub known: bool,
}

/// The section of properties being written, without duplicates.
#[derive(Default)]
pub(super) struct PropertyWriter {
    data: Encoder,
    numbers: HashMap<Vec<u8>, u32>,
    written: HashMap<(OpName, AttrDict), Written>,
    /// Cache by dictionary id: the result for the operation written last with
    /// it, which is nearly always the same operation.
    last: Vec<Option<(OpName, Written)>>,
    layouts: HashMap<OpName, Box<[Field]>>,
}

impl PropertyWriter {
    pub fn write(&mut self, numbers: &mut Numbers<'_>, name: OpName, dict: AttrDict) -> Written {
        let id = dict.0 as usize;
        if let Some(&Some((of, written))) = self.last.get(id)
            && of == name
        {
            return written;
        }
        let written = match self.written.get(&(name, dict)) {
            Some(&written) => written,
            None => self.write_new(numbers, name, dict),
        };
        if id >= self.last.len() {
            self.last.resize((id + 1).next_power_of_two(), None);
        }
        self.last[id] = Some((name, written));
        written
    }

    fn write_new(&mut self, numbers: &mut Numbers<'_>, name: OpName, dict: AttrDict) -> Written {
        let entries = dict.entries(numbers.ctx);
        let mut out = Encoder::default();
        let known = numbers.ctx.op_signature(name).is_some_and(|def| {
            let fields = self.layouts.entry(name);
            let fields = fields.or_insert_with(|| layout(numbers.ctx, def, VERSION).into());
            write_fields(numbers, &mut out, fields, entries).is_some()
        });
        if !known {
            out.bytes.clear();
            match entries {
                [] => {}
                // Properties that are no dictionary stand under the empty name.
                &[(name, value)] if numbers.ctx.str(name).is_empty() => {
                    out.index(numbers.attr(value));
                }
                _ => out.index(numbers.dict(dict)),
            }
        }
        let number = (!out.bytes.is_empty()).then(|| self.number(out.bytes));
        let written = Written { number, known };
        self.written.insert((name, dict), written);
        written
    }

    fn number(&mut self, bytes: Vec<u8>) -> u32 {
        let next = self.numbers.len() as u32;
        let data = &mut self.data;
        *self.numbers.entry(bytes).or_insert_with_key(|bytes| {
            data.count(bytes.len());
            data.raw(bytes);
            next
        })
    }

    /// Encodes the section.
    pub fn finish(self) -> Vec<u8> {
        let mut out = Encoder::default();
        out.count(self.numbers.len());
        out.raw(&self.data.bytes);
        out.bytes
    }
}

/// Encodes attributes in the layout of a known operation; `None` if the layout
/// lacks one of them, or requires one that is missing.
fn write_fields(
    numbers: &mut Numbers<'_>,
    out: &mut Encoder,
    fields: &[Field],
    entries: &[NamedAttr],
) -> Option<()> {
    let find = |field: &Field| entries.iter().find(|e| e.0 == field.name).map(|e| e.1);
    let mut used = 0;
    for field in fields {
        let value = find(field);
        used += usize::from(value.is_some());
        match field.form {
            Form::Required => out.index(numbers.attr(value?)),
            Form::Optional => match value {
                Some(value) => out.flagged(numbers.attr(value), true),
                None => out.varint(0),
            },
            Form::Bool => out.byte(value.is_some().into()),
            Form::Number => {
                let value = u32::try_from(value?.as_i64(numbers.ctx)?).ok()?;
                out.index(value);
            }
            Form::Segments(count) => {
                let sizes = segment_sizes(numbers, value?, count)?;
                write_segments(out, &sizes);
            }
        }
    }
    (used == entries.len()).then_some(())
}

fn segment_sizes(numbers: &Numbers<'_>, attr: Attr, count: usize) -> Option<Vec<u32>> {
    let AttrKind::DenseArray { .. } = attr.kind(numbers.ctx) else {
        return None;
    };
    let sizes = attr.as_i32_array(numbers.ctx)?;
    let sizes = sizes.into_iter().map(u32::try_from);
    let sizes: Vec<u32> = sizes.collect::<Result<_, _>>().ok()?;
    (sizes.len() == count).then_some(sizes)
}

/// Encodes all numbers, or, if at most half of them are nonzero, those with
/// their indices in the low bits.
fn write_segments(out: &mut Encoder, sizes: &[u32]) {
    let full = sizes.iter().filter(|size| **size != 0).count();
    let last = sizes.iter().rposition(|size| *size != 0).unwrap_or(0);
    if last > 256 || full > sizes.len() / 2 {
        out.flagged(sizes.len() as u32, false);
        for &size in sizes {
            out.index(size);
        }
        return;
    }
    out.flagged(full as u32, true);
    if full == 0 {
        return;
    }
    let bits = (last + 1).next_power_of_two().trailing_zeros();
    out.index(bits);
    for (index, &size) in (0..).zip(sizes).filter(|(_, size)| **size != 0) {
        out.varint(u64::from(size) << bits | index);
    }
}
