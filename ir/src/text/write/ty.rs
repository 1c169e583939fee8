//! Printer of types.

use smallvec::SmallVec;

use super::printer::OpPrinter;
use crate::attr::Attr;
use crate::context::Context;
use crate::context::Parametric;
use crate::text::PrintOptions;
use crate::text::read::symbol::is_pretty;
use crate::text::symbols::{Form, Parameter};
use crate::types::{DYNAMIC, MemRefType, Signedness, Type, TypeKind};

/// Prints a type without aliases.
pub fn type_string(ctx: &Context, ty: Type) -> String {
    let options = PrintOptions {
        local_scope: true,
        ..PrintOptions::default()
    };
    let mut printer = OpPrinter::new(ctx, &options);
    printer.ty(ty);
    printer.out.into_string()
}

impl OpPrinter<'_> {
    /// Prints a type.
    pub fn ty(&mut self, ty: Type) {
        if let Some(range) = self.type_ranges.get(&ty) {
            self.out.push_str(&self.memo_text[range.clone()]);
            return;
        }
        let start = self.out.len();
        let counts = self.scan_counts();
        self.new_type(ty);
        // Not cached: a text with aliases or resources, which must be recorded at each use.
        if self.scan_counts() != counts {
            return;
        }
        let from = self.memo_text.len();
        self.memo_text.push_str(self.out.since(start));
        self.type_ranges.insert(ty, from..self.memo_text.len());
    }

    fn new_type(&mut self, ty: Type) {
        match ty.kind(self.ctx) {
            TypeKind::Integer { width, signedness } => {
                self.out.push_str(match signedness {
                    Signedness::Signless => "i",
                    Signedness::Signed => "si",
                    Signedness::Unsigned => "ui",
                });
                self.number((*width).into());
            }
            TypeKind::Index => self.out.push_str("index"),
            TypeKind::Float(kind) => self.out.push_str(kind.keyword()),
            TypeKind::None => self.out.push_str("none"),
            TypeKind::Function { inputs, results } => self.function_type(inputs, results),
            TypeKind::Tuple(_) => {
                if !self.type_alias(ty) {
                    self.type_in_full(ty);
                }
            }
            TypeKind::Complex(element) => {
                self.out.push_str("complex<");
                self.ty(*element);
                self.out.push('>');
            }
            TypeKind::Vector {
                shape,
                scalable,
                element,
            } => {
                self.out.push_str("vector<");
                for (&extent, &scalable) in shape.iter().zip(scalable) {
                    if scalable {
                        self.out.push('[');
                    }
                    self.number(extent);
                    self.out.push_str(if scalable { "]x" } else { "x" });
                }
                self.ty(*element);
                self.out.push('>');
            }
            TypeKind::RankedTensor {
                shape,
                element,
                encoding,
            } => {
                self.out.push_str("tensor<");
                self.shape(shape);
                self.ty(*element);
                if let Some(encoding) = encoding {
                    self.out.push_str(", ");
                    self.attr(*encoding);
                }
                self.out.push('>');
            }
            TypeKind::UnrankedTensor { element } => {
                self.out.push_str("tensor<*x");
                self.ty(*element);
                self.out.push('>');
            }
            TypeKind::MemRef(memref) => self.memref_type(memref),
            TypeKind::UnrankedMemRef { element, space } => {
                self.out.push_str("memref<*x");
                self.ty(*element);
                self.memory_space(*space);
                self.out.push('>');
            }
            TypeKind::Parametric(def) => {
                let symbols = self.table.symbols(self.ctx.str(def.dialect));
                let form = symbols.and_then(|s| s.ty(self.ctx.str(def.name)));
                self.out.push('!');
                self.parametric(def, form.map(|def| def.form));
            }
            TypeKind::Dialect { dialect, body } => {
                self.out.push('!');
                self.out.push_str(self.ctx.str(*dialect));
                self.out.push_str(self.ctx.str(*body));
            }
        }
    }

    /// Prints a tuple in full that has an alias.
    pub(crate) fn type_in_full(&mut self, ty: Type) {
        if let TypeKind::Tuple(types) = ty.kind(self.ctx) {
            self.out.push_str("tuple<");
            self.types(types);
            self.out.push('>');
        }
    }

    /// Prints `dialect.name<…>`, or `dialect<name …>` for a symbol without brackets.
    pub(crate) fn parametric<T>(&mut self, def: &Parametric, form: Option<Form<T>>) {
        let ctx = self.ctx;
        self.out.push_str(ctx.str(def.dialect));
        let start = self.out.len();
        self.out.push('.');
        self.out.push_str(ctx.str(def.name));
        match form {
            Some(Form::Parameters { print, .. }) => print(self, ctx, &def.params),
            Some(Form::List(list)) => self.parameters(list, &def.params),
            _ => (),
        }
        if !is_pretty(self.out.since(start + 1)) {
            self.out.replace(start, b'<');
            self.out.push('>');
        }
    }

    /// Prints a declared list of parameters, `<a, b>`.
    fn parameters(&mut self, list: &[Parameter], params: &[Attr]) {
        self.out.push('<');
        let params: SmallVec<[_; 4]> = list.iter().zip(params).collect();
        self.separated(&params, |p, &(parameter, &param)| {
            match (parameter, param.as_type(p.ctx)) {
                (Parameter::Type, Some(ty)) => p.ty(ty),
                (Parameter::Integer(_), _) => p.attr_untyped(param),
                _ => p.attr(param),
            }
        });
        self.out.push('>');
    }

    fn memref_type(&mut self, memref: &MemRefType) {
        self.out.push_str("memref<");
        self.shape(&memref.shape);
        self.ty(memref.element);
        if let Some(layout) = memref.layout {
            self.out.push_str(", ");
            self.attr(layout);
        }
        self.memory_space(memref.space);
        self.out.push('>');
    }

    fn memory_space(&mut self, space: Option<crate::Attr>) {
        if let Some(space) = space {
            self.out.push_str(", ");
            self.attr_brief(space);
        }
    }

    /// Prints extents, each followed by `x`.
    fn shape(&mut self, shape: &[i64]) {
        for &extent in shape {
            self.extent(extent);
            self.out.push('x');
        }
    }

    /// Prints a number, or `?`.
    pub fn extent(&mut self, extent: i64) {
        if extent == DYNAMIC {
            self.out.push('?');
        } else {
            self.number(extent);
        }
    }

    /// Prints types separated by commas.
    pub fn types(&mut self, types: &[Type]) {
        self.separated(types, |p, &ty| p.ty(ty));
    }

    /// Prints `(inputs) -> results`.
    pub fn function_type(&mut self, inputs: &[Type], results: &[Type]) {
        self.out.push('(');
        self.types(inputs);
        self.out.push_str(") -> ");
        self.result_types(results);
    }

    /// Prints one type bare, any other number (and a function type) in parentheses.
    pub fn result_types(&mut self, results: &[Type]) {
        match results {
            [ty] if ty.function(self.ctx).is_none() => self.ty(*ty),
            _ => {
                self.out.push('(');
                self.types(results);
                self.out.push(')');
            }
        }
    }

    /// Prints items separated by commas.
    pub fn separated<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            print(self, item);
        }
    }
}
