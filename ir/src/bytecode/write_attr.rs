//! Encodes attributes, locations and types.

use super::encode::Encoder;
use super::format::attr_code as code;
use super::lines::Lines;
use super::numbers::{Item, Numbers};
use super::write_type::type_dialect;
use crate::attr::{Attr, AttrDict, AttrKind, DenseData, Int};
use crate::context::{Context, Ident};
use crate::elements::{element_bytes, elements_of};
use crate::location::{Loc, LocKind};
use crate::source::FilePlace;
use crate::text::attr_string;
use crate::types::{Type, TypeKind};

/// The encoded attributes, or the encoded types.
#[derive(Default)]
struct Written {
    data: Encoder,
    count: usize,
    /// Runs of entries of one dialect: the dialect, their number, and the end
    /// of their lengths.
    groups: Vec<(u32, usize, usize)>,
    lengths: Encoder,
}

impl Written {
    /// Adds the entry whose data starts at `start`; `custom` tells whether it
    /// is in the dialect's binary encoding.
    fn push(&mut self, start: usize, dialect: u32, custom: bool) {
        let length = self.data.bytes.len() - start;
        self.lengths.flagged(length as u32, custom);
        self.count += 1;
        let end = self.lengths.bytes.len();
        match self.groups.last_mut() {
            Some(group) if group.0 == dialect => (group.1, group.2) = (group.1 + 1, end),
            _ => self.groups.push((dialect, 1, end)),
        }
    }

    fn offsets(&self, out: &mut Encoder) {
        let mut start = 0;
        for &(dialect, count, end) in &self.groups {
            out.index(dialect);
            out.count(count);
            out.raw(&self.lengths.bytes[start..end]);
            start = end;
        }
    }
}

/// The contents of the sections of attributes and types.
pub(super) struct AttrsAndTypes {
    pub offsets: Encoder,
    pub attrs: Encoder,
    /// The types follow the attributes in the same section.
    pub types: Encoder,
}

/// Encodes all numbered attributes and types, including those numbered on the
/// way.
pub(super) fn write_attrs_and_types(numbers: &mut Numbers<'_>) -> AttrsAndTypes {
    let (mut attrs, mut types) = (Written::default(), Written::default());
    let mut lines = Lines::default();
    let builtin = numbers.names.dialect("builtin");
    loop {
        if let Some(item) = numbers.next_item() {
            let start = attrs.data.bytes.len();
            let foreign = write_item(numbers, &mut lines, &mut attrs.data, item);
            attrs.push(start, foreign.unwrap_or(builtin), foreign.is_none());
        } else if let Some(&ty) = numbers.types.get(types.count) {
            let start = types.data.bytes.len();
            let own = super::write_type::write_type(numbers, &mut types.data, ty);
            let dialect = type_dialect(numbers.ctx, ty);
            let dialect = numbers.names.dialect(dialect);
            types.push(start, dialect, own);
        } else {
            break;
        }
    }
    let mut offsets = Encoder::default();
    offsets.count(attrs.count);
    offsets.count(types.count);
    attrs.offsets(&mut offsets);
    types.offsets(&mut offsets);
    AttrsAndTypes {
        offsets,
        attrs: attrs.data,
        types: types.data,
    }
}

/// Encodes an entry. Returns the dialect if it is encoded as text.
fn write_item(
    numbers: &mut Numbers<'_>,
    lines: &mut Lines,
    out: &mut Encoder,
    item: Item,
) -> Option<u32> {
    match item {
        Item::Loc(loc) => write_loc(numbers, lines, out, loc),
        Item::Name(name) => {
            out.varint(code::STRING);
            let text = numbers.ctx.str(name).as_bytes();
            out.index(numbers.strings.number(text));
        }
        Item::Symbol(name) => {
            out.varint(code::FLAT_SYMBOL);
            out.index(numbers.name(name));
        }
        Item::Dict(dict) => write_dict(numbers, out, dict),
        Item::Attr(attr) => return write_attr(numbers, out, attr),
    }
    None
}

fn write_dict(numbers: &mut Numbers<'_>, out: &mut Encoder, dict: AttrDict) {
    let entries = dict.entries(numbers.ctx);
    out.varint(code::DICTIONARY);
    out.count(entries.len());
    for &(name, value) in entries {
        out.index(numbers.name(name));
        out.index(numbers.attr(value));
    }
}

fn write_attr(numbers: &mut Numbers<'_>, out: &mut Encoder, attr: Attr) -> Option<u32> {
    let ctx = numbers.ctx;
    match attr.kind(ctx) {
        AttrKind::Unit => out.varint(code::UNIT),
        AttrKind::Integer { ty, value } => {
            out.varint(code::INTEGER);
            out.index(numbers.ty(*ty));
            let width = match ty.kind(ctx) {
                TypeKind::Integer { width, .. } => *width,
                _ => 64,
            };
            write_bits(out, value, width);
        }
        AttrKind::Float { ty, bits } => {
            out.varint(code::FLOAT);
            out.index(numbers.ty(*ty));
            let width = ty.float_kind(ctx).map_or(64, |kind| kind.width());
            write_bits(out, &Int::Small(*bits as i128), width);
        }
        AttrKind::String { value, ty } => {
            out.varint(if ty.is_some() {
                code::TYPED_STRING
            } else {
                code::STRING
            });
            out.index(numbers.strings.number(value));
            if let Some(ty) = ty {
                out.index(numbers.ty(*ty));
            }
        }
        AttrKind::Type(ty) => {
            out.varint(code::TYPE);
            out.index(numbers.ty(*ty));
        }
        AttrKind::Array(items) => {
            out.varint(code::ARRAY);
            out.count(items.len());
            for &item in items {
                out.index(numbers.attr(item));
            }
        }
        AttrKind::Dict(dict) => write_dict(numbers, out, *dict),
        AttrKind::Symbol { root, nested } => write_symbol(numbers, out, *root, nested),
        AttrKind::Dense { ty, data } => write_dense(numbers, out, *ty, data),
        AttrKind::DenseArray { element, data } => {
            out.varint(code::DENSE_ARRAY);
            out.index(numbers.ty(*element));
            let size = element_bytes(ctx, *element).unwrap_or(1);
            out.count(data.len() / size);
            out.count(data.len());
            out.raw(data);
        }
        AttrKind::DenseResource { ty, key } => {
            out.varint(code::DENSE_RESOURCE);
            out.index(numbers.ty(*ty));
            out.index(numbers.resources.number(ctx.str(*key)));
        }
        AttrKind::Sparse {
            ty,
            indices,
            values,
        } => {
            out.varint(code::SPARSE);
            out.index(numbers.ty(*ty));
            out.index(numbers.attr(*indices));
            out.index(numbers.attr(*values));
        }
        AttrKind::Distinct { value, .. } => {
            out.varint(code::DISTINCT);
            out.index(numbers.attr(*value));
        }
        AttrKind::Map(_)
        | AttrKind::Set(_)
        | AttrKind::Strided { .. }
        | AttrKind::Location(_)
        | AttrKind::Parametric { .. }
        | AttrKind::Dialect { .. } => {
            out.raw(attr_string(ctx, attr).as_bytes());
            out.byte(0);
            return Some(numbers.names.dialect(attr_dialect(ctx, attr)));
        }
    }
    None
}

fn attr_dialect(ctx: &Context, attr: Attr) -> &str {
    match attr.kind(ctx) {
        AttrKind::Dialect { dialect, .. } => ctx.str(*dialect),
        AttrKind::Parametric { def, .. } => ctx.str(def.dialect),
        _ => "builtin",
    }
}

fn write_symbol(numbers: &mut Numbers<'_>, out: &mut Encoder, root: Ident, nested: &[Ident]) {
    out.varint(code::SYMBOL);
    out.index(numbers.name(root));
    out.count(nested.len());
    for &name in nested {
        out.index(numbers.symbol(name));
    }
}

/// Encodes the low `width` bits of a number.
fn write_bits(out: &mut Encoder, value: &Int, width: u32) {
    let count = width.div_ceil(64).max(1) as usize;
    let mut words = value.words(count);
    words.truncate(count);
    let kept = width - 64 * (count as u32 - 1);
    if let Some(top) = words.last_mut()
        && kept < 64
    {
        *top &= (1 << kept) - 1;
    }
    if width <= 8 {
        return out.byte(words[0] as u8);
    }
    if width <= 64 {
        return out.signed(words[0] as i64);
    }
    let zeros = words.iter().rev().take_while(|word| **word == 0).count();
    words.truncate(count - zeros);
    out.count(words.len());
    for word in words {
        out.signed(word as i64);
    }
}

fn write_dense(numbers: &mut Numbers<'_>, out: &mut Encoder, ty: Type, data: &DenseData) {
    let ctx = numbers.ctx;
    if let DenseData::Strings(strings) = data {
        out.varint(code::DENSE_STRINGS);
        out.index(numbers.ty(ty));
        out.byte(if strings.len() == 1 { 3 } else { 1 });
        for string in strings {
            out.index(numbers.strings.number(string.as_bytes()));
        }
        return;
    }
    out.varint(code::DENSE);
    out.index(numbers.ty(ty));
    let is_bool = elements_of(ctx, ty).is_some_and(|(_, element)| {
        matches!(element.kind(ctx), TypeKind::Integer { width: 1, .. })
    });
    match data {
        DenseData::Splat(byte) if is_bool => {
            out.count(1);
            out.byte(if byte[..] == [0] { 0 } else { 0xFF });
        }
        DenseData::Raw(bytes) if is_bool => {
            out.count(bytes.len().div_ceil(8));
            for chunk in bytes.chunks(8) {
                let bits = chunk.iter().enumerate();
                out.byte(bits.fold(0, |byte, (at, bit)| byte | (bit & 1) << at));
            }
        }
        DenseData::Splat(bytes) | DenseData::Raw(bytes) => {
            out.count(bytes.len());
            out.raw(bytes);
        }
        DenseData::Strings(_) => {}
    }
}

fn write_loc(numbers: &mut Numbers<'_>, lines: &mut Lines, out: &mut Encoder, loc: Loc) {
    let Some(kind) = loc.kind(numbers.ctx) else {
        return match lines.find(numbers.ctx, loc) {
            Some(FilePlace { file, line, col }) => {
                out.varint(code::FILE_LINE_COL_LOC);
                out.index(numbers.name(file));
                out.index(line);
                out.index(col);
            }
            None => out.varint(code::UNKNOWN_LOC),
        };
    };
    match kind {
        LocKind::Unknown => out.varint(code::UNKNOWN_LOC),
        LocKind::FileRange { file, start, end } => write_range(numbers, out, *file, *start, *end),
        LocKind::Name { name, child } => {
            out.varint(code::NAME_LOC);
            out.index(numbers.name(*name));
            out.index(numbers.loc(*child));
        }
        LocKind::CallSite { callee, caller } => {
            out.varint(code::CALL_SITE_LOC);
            out.index(numbers.loc(*callee));
            out.index(numbers.loc(*caller));
        }
        LocKind::Fused { locs, metadata } => {
            out.varint(match metadata {
                None => code::FUSED_LOC,
                Some(_) => code::FUSED_LOC_WITH_METADATA,
            });
            out.count(locs.len());
            for &loc in locs {
                out.index(numbers.loc(loc));
            }
            if let Some(metadata) = metadata {
                out.index(numbers.attr(*metadata));
            }
        }
    }
}

fn write_range(
    numbers: &mut Numbers<'_>,
    out: &mut Encoder,
    file: Ident,
    start: (u32, u32),
    end: (u32, u32),
) {
    let point = start == end;
    out.varint(if point {
        code::FILE_LINE_COL_LOC
    } else {
        code::FILE_RANGE_LOC
    });
    out.index(numbers.name(file));
    let (line, col) = start;
    let numbers: &[u32] = match end {
        _ if point => &[line, col],
        (end_line, end_col) if end_line == line => &[3, line, col, end_col],
        (end_line, end_col) => &[4, line, col, end_line, end_col],
    };
    for &number in numbers {
        out.index(number);
    }
}
