//! Printer of attributes.

use super::printer::OpPrinter;
use crate::attr::{Attr, AttrKind, DenseData, Int, NamedAttr};
use crate::context::{Context, Ident};
use crate::elements::{element_bytes, elements_of};
use crate::text::PrintOptions;
use crate::text::float;
use crate::types::{FloatKind, Type, TypeKind};

/// Capacity of the cache of attribute texts: a program repeats a few.
const MAX_KEPT: usize = 1 << 10;

/// Element limit of decimal spelling; longer arrays are printed as bytes in hexadecimal, as MLIR
/// does.
const MAX_SPELLED_ELEMENTS: usize = 100;

/// Whether the type of an attribute is written after it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Typed {
    Always,
    /// Unless a number has it by default.
    Unusual,
    Never,
}

/// Prints an attribute without aliases.
pub fn attr_string(ctx: &Context, attr: Attr) -> String {
    let options = PrintOptions {
        local_scope: true,
        ..PrintOptions::default()
    };
    let mut printer = OpPrinter::new(ctx, &options);
    printer.attr(attr);
    printer.out.into_string()
}

/// Prints an attribute without aliases; distinct attributes keep the numbers that they were read
/// with.
pub(in crate::text) fn attr_string_as_read(ctx: &Context, attr: Attr) -> String {
    let options = PrintOptions {
        local_scope: true,
        ..PrintOptions::default()
    };
    let mut printer = OpPrinter::new(ctx, &options);
    printer.aliases.keep_identities();
    printer.attr(attr);
    printer.out.into_string()
}

impl OpPrinter<'_> {
    /// Prints an attribute, with its type unless that is the default.
    pub fn attr(&mut self, attr: Attr) {
        self.attr_with(attr, Typed::Always);
    }

    /// Prints an attribute in a list: the types that numbers have by default are left out.
    pub fn attr_brief(&mut self, attr: Attr) {
        self.attr_with(attr, Typed::Unusual);
    }

    /// Prints an attribute without the type after it, for places where the type is known.
    pub fn attr_untyped(&mut self, attr: Attr) {
        self.attr_with(attr, Typed::Never);
    }

    fn attr_with(&mut self, attr: Attr, typed: Typed) {
        // Cached: these take long to spell, and contain no alias.
        if let AttrKind::Float { .. } | AttrKind::DenseArray { .. } = attr.kind(self.ctx) {
            if let Some(range) = self.attr_ranges.get(&(attr, typed)) {
                self.out.push_str(&self.memo_text[range.clone()]);
                return;
            }
            let start = self.out.len();
            self.new_attr(attr, typed);
            if self.attr_ranges.len() < MAX_KEPT {
                let from = self.memo_text.len();
                self.memo_text.push_str(self.out.since(start));
                self.attr_ranges
                    .insert((attr, typed), from..self.memo_text.len());
            }
            return;
        }
        self.new_attr(attr, typed);
    }

    fn new_attr(&mut self, attr: Attr, typed: Typed) {
        let ctx = self.ctx;
        match attr.kind(ctx) {
            AttrKind::Unit => self.out.push_str("unit"),
            AttrKind::Integer { ty, value } => self.integer_attr(*ty, value, typed),
            AttrKind::Float { ty, bits } => {
                let is_pattern = self.float_bits(*ty, *bits);
                // A bit pattern without its type would read as an integer.
                let usual = ty.float_kind(ctx) == Some(FloatKind::F64) && !is_pattern;
                self.number_type_after(*ty, usual, typed);
            }
            AttrKind::String { value, ty } => {
                self.quoted(value);
                self.optional_type_after(*ty, typed);
            }
            AttrKind::Type(ty) => self.ty(*ty),
            AttrKind::Array(items) => {
                self.out.push('[');
                self.separated(items, |p, &item| p.attr_brief(item));
                self.out.push(']');
            }
            AttrKind::Dict(dict) => self.dict(dict.entries(ctx)),
            AttrKind::Symbol { root, nested } => {
                self.symbol(*root);
                for name in nested {
                    self.out.push_str("::");
                    self.symbol(*name);
                }
            }
            AttrKind::Map(_) | AttrKind::Set(_) => {
                if !self.attr_alias(attr) {
                    self.map_or_set(attr);
                }
            }
            AttrKind::Dense { ty, data } => {
                self.out.push_str("dense<");
                self.dense_data(*ty, data);
                self.out.push('>');
                self.optional_type_after(Some(*ty), typed);
            }
            AttrKind::DenseArray { element, data } => self.dense_array(*element, data),
            AttrKind::DenseResource { ty, key } => {
                self.resources.push(*key);
                self.out.push_str("dense_resource<");
                self.bare_or_quoted(ctx.str(*key));
                self.out.push('>');
                self.optional_type_after(Some(*ty), typed);
            }
            AttrKind::Sparse {
                ty,
                indices,
                values,
            } => {
                self.out.push_str("sparse<");
                self.sparse_parts(*indices, *values);
                self.out.push('>');
                self.optional_type_after(Some(*ty), typed);
            }
            AttrKind::Strided { offset, strides } => {
                self.out.push_str("strided<[");
                self.separated(strides, |p, &stride| p.extent(stride));
                self.out.push(']');
                if *offset != 0 {
                    self.out.push_str(", offset: ");
                    self.extent(*offset);
                }
                self.out.push('>');
            }
            AttrKind::Distinct { id, value } => {
                if !self.attr_alias(attr) {
                    self.distinct(*id, *value);
                }
            }
            AttrKind::Location(loc) => {
                if !self.attr_alias(attr) {
                    self.location(*loc);
                }
            }
            AttrKind::Parametric { def, ty } => {
                let symbols = self.table.symbols(ctx.str(def.dialect));
                let form = symbols.and_then(|s| s.attr(ctx.str(def.name)));
                self.out.push('#');
                self.parametric(def, form.map(|def| def.form));
                self.optional_type_after(*ty, typed);
            }
            AttrKind::Dialect { dialect, body, ty } => {
                self.out.push('#');
                self.out.push_str(ctx.str(*dialect));
                self.out.push_str(ctx.str(*body));
                self.optional_type_after(*ty, typed);
            }
        }
    }

    /// Prints an attribute in full that has an alias.
    pub(crate) fn attr_in_full(&mut self, attr: Attr) {
        match attr.kind(self.ctx) {
            AttrKind::Distinct { id, value } => self.distinct(*id, *value),
            _ => self.map_or_set(attr),
        }
    }

    fn distinct(&mut self, id: u64, value: Attr) {
        self.out.push_str("distinct[");
        self.identity(id);
        self.out.push_str("]<");
        if !matches!(value.kind(self.ctx), AttrKind::Unit) {
            self.attr(value);
        }
        self.out.push('>');
    }

    fn type_after(&mut self, ty: Type) {
        self.out.push_str(" : ");
        self.ty(ty);
    }

    fn number_type_after(&mut self, ty: Type, usual: bool, typed: Typed) {
        if typed == Typed::Always || typed == Typed::Unusual && !usual {
            self.type_after(ty);
        }
    }

    fn optional_type_after(&mut self, ty: Option<Type>, typed: Typed) {
        if let Some(ty) = ty
            && typed != Typed::Never
        {
            self.type_after(ty);
        }
    }

    /// Prints `@name`.
    pub fn symbol(&mut self, name: Ident) {
        self.out.push('@');
        self.bare_or_quoted(self.ctx.str(name));
    }

    fn integer_attr(&mut self, ty: Type, value: &Int, typed: Typed) {
        if ty == self.ctx.bool_type() {
            let text = if *value == Int::Small(0) {
                "false"
            } else {
                "true"
            };
            self.out.push_str(text);
            return;
        }
        self.int(value);
        let usual = ty.signless_width(self.ctx) == Some(64);
        self.number_type_after(ty, usual, typed);
    }

    fn int(&mut self, value: &Int) {
        match value {
            Int::Small(v) if i64::try_from(*v).is_ok() => self.number(*v as i64),
            value => self.out.push_str(&value.to_decimal()),
        }
    }

    /// Prints a float; returns whether as a bit pattern.
    fn float_bits(&mut self, ty: Type, bits: u128) -> bool {
        let Some(kind) = ty.float_kind(self.ctx) else {
            return false;
        };
        let literal = float::to_text(kind, bits);
        self.out.push_str(&literal);
        float::is_bit_pattern(&literal)
    }

    /// Prints `{name = value, unit}`.
    pub(crate) fn dict(&mut self, entries: &[NamedAttr]) {
        self.out.push('{');
        self.separated(entries, |p, &(name, value)| {
            p.bare_or_quoted(p.ctx.str(name));
            if !matches!(value.kind(p.ctx), AttrKind::Unit) {
                p.out.push_str(" = ");
                p.attr(value);
            }
        });
        self.out.push('}');
    }

    // ---- elements ----

    fn dense_data(&mut self, ty: Type, data: &DenseData) {
        let element = elements_of(self.ctx, ty).map(|(_, element)| element);
        let size = element.and_then(|element| element_bytes(self.ctx, element));
        match (data, size) {
            (DenseData::Raw(bytes), Some(size)) if bytes.len() / size > MAX_SPELLED_ELEMENTS => {
                if element == Some(self.ctx.bool_type()) {
                    self.hex_string(&pack_bits(bytes));
                } else {
                    self.hex_string(bytes);
                }
            }
            _ => self.spelled_data(ty, data),
        }
    }

    /// Prints the elements one by one, however many there are.
    fn spelled_data(&mut self, ty: Type, data: &DenseData) {
        let Some((shape, element)) = elements_of(self.ctx, ty) else {
            return;
        };
        let size = element_bytes(self.ctx, element).unwrap_or(1);
        let empty = shape.contains(&0);
        match data {
            DenseData::Splat(bytes) => self.element(element, bytes),
            _ if empty => {}
            DenseData::Strings(strings) if strings.len() == 1 => self.quoted(strings[0].as_bytes()),
            DenseData::Raw(bytes) => {
                let mut items = bytes.chunks(size);
                self.nested_lists(&shape, &mut |p| {
                    p.element(element, items.next().unwrap_or(&[]));
                });
            }
            DenseData::Strings(strings) => {
                let mut items = strings.iter();
                self.nested_lists(&shape, &mut |p| {
                    p.quoted(items.next().map_or(b"", |s| s.as_bytes()));
                });
            }
        }
    }

    fn hex_string(&mut self, bytes: &[u8]) {
        const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
        self.out.push_str("\"0x");
        for &byte in bytes {
            self.out.push(DIGITS[usize::from(byte >> 4)] as char);
            self.out.push(DIGITS[usize::from(byte & 15)] as char);
        }
        self.out.push('"');
    }

    /// Prints one list a dimension. Recurses once a dimension, which types bound.
    fn nested_lists(&mut self, shape: &[i64], item: &mut impl FnMut(&mut Self)) {
        let Some((&extent, rest)) = shape.split_first() else {
            item(self);
            return;
        };
        self.out.push('[');
        for index in 0..extent {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.nested_lists(rest, item);
        }
        self.out.push(']');
    }

    fn element(&mut self, ty: Type, bytes: &[u8]) {
        match ty.kind(self.ctx) {
            TypeKind::Complex(part) => {
                let (real, imaginary) = bytes.split_at(bytes.len() / 2);
                self.out.push('(');
                self.element(*part, real);
                self.out.push(',');
                self.element(*part, imaginary);
                self.out.push(')');
            }
            TypeKind::Float(_) => {
                let mut bits = [0; 16];
                bits[..bytes.len().min(16)].copy_from_slice(&bytes[..bytes.len().min(16)]);
                self.float_bits(ty, u128::from_le_bytes(bits));
            }
            TypeKind::Integer { width: 1, .. } => {
                self.out
                    .push_str(if bytes == [0] { "false" } else { "true" });
            }
            TypeKind::Integer { width, signedness } => {
                let signed = *signedness != crate::types::Signedness::Unsigned;
                self.int(&Int::from_le_bytes(bytes, *width, signed));
            }
            _ => self.int(&Int::from_le_bytes(bytes, 64, true)),
        }
    }

    /// Prints `indices, values`, each as in `dense`; nothing where there are none.
    fn sparse_parts(&mut self, indices: Attr, values: Attr) {
        let (AttrKind::Dense { ty, data }, AttrKind::Dense { ty: of, data: all }) =
            (indices.kind(self.ctx), values.kind(self.ctx))
        else {
            return;
        };
        if matches!(data, DenseData::Raw(bytes) if bytes.is_empty()) {
            return;
        }
        // One number is a splat over the numbers of a single index only.
        let one = matches!(ty.kind(self.ctx), TypeKind::RankedTensor { shape, .. } if matches!(shape[..], [1, _]));
        match (data, ty.element(self.ctx)) {
            (DenseData::Splat(bytes), Some(element)) if !one => {
                let TypeKind::RankedTensor { shape, .. } = ty.kind(self.ctx) else {
                    return;
                };
                self.nested_lists(shape, &mut |p| p.element(element, bytes));
            }
            _ => self.spelled_data(*ty, data),
        }
        self.out.push_str(", ");
        self.dense_data(*of, all);
    }

    fn dense_array(&mut self, element: Type, data: &[u8]) {
        self.out.push_str("array<");
        self.ty(element);
        if !data.is_empty() {
            self.out.push_str(": ");
            self.dense_array_elements(element, data);
        }
        self.out.push('>');
    }

    /// Prints the elements of a dense array, separated by commas.
    pub(crate) fn dense_array_elements(&mut self, element: Type, data: &[u8]) {
        let size = element_bytes(self.ctx, element).unwrap_or(1);
        for (index, chunk) in data.chunks(size).enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.element(element, chunk);
        }
    }
}

/// Packs eight elements to a byte, the first one lowest.
fn pack_bits(elements: &[u8]) -> Vec<u8> {
    let byte = |chunk: &[u8]| {
        let bits = chunk.iter().enumerate();
        bits.fold(0, |byte, (at, bit)| byte | (bit & 1) << at)
    };
    elements.chunks(8).map(byte).collect()
}
