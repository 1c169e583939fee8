//! Random types, attributes and locations.

use super::{Generator, RESOURCES};
use gridloom_ir::affine::{AffineConstraint, AffineExpr, AffineExprKind, AffineOp};
use gridloom_ir::attr::{Attr, AttrKind, DenseData, Int};
use gridloom_ir::elements::element_bytes;
use gridloom_ir::location::{Loc, LocKind};
use gridloom_ir::types::{DYNAMIC, FloatKind, MemRefType, Signedness, Type, TypeKind};

impl Generator<'_> {
    /// A type of nesting depth at most `depth`.
    pub(super) fn ty(&mut self, depth: u32) -> Type {
        if depth == 0 {
            return self.scalar();
        }
        let kind = match self.below(10) {
            0 => TypeKind::Tuple(self.types(depth, 20)),
            1 => TypeKind::Function {
                inputs: self.types(depth, 3),
                results: self.types(depth, 3),
            },
            2 => TypeKind::Complex(self.number_type()),
            3 => self.vector(),
            4 => TypeKind::RankedTensor {
                shape: self.shape(true),
                element: self.scalar(),
                encoding: self.encoding(depth - 1),
            },
            5 => TypeKind::UnrankedTensor {
                element: self.scalar(),
            },
            6 => self.memref(),
            7 => TypeKind::UnrankedMemRef {
                element: self.scalar(),
                space: None,
            },
            8 => {
                let bodies = [".plain", ".with<a, \"b>\", [c]>", "<not pretty>"];
                TypeKind::Dialect {
                    dialect: self.ctx.ident("foreign"),
                    body: self.ctx.ident(bodies[self.below(bodies.len())]),
                }
            }
            _ => return self.scalar(),
        };
        self.ctx.intern_type(kind)
    }

    pub(super) fn types(&mut self, depth: u32, most: usize) -> Box<[Type]> {
        let count = self.below(most);
        (0..count).map(|_| self.ty(depth - 1)).collect()
    }

    fn scalar(&mut self) -> Type {
        if self.one_in(6) {
            self.ctx.index_type()
        } else {
            self.number_type()
        }
    }

    fn number_type(&mut self) -> Type {
        if self.one_in(2) {
            let mut all = FloatKind::all();
            let kind = all
                .nth(self.below(all.len()))
                .expect("it is below the number of kinds");
            return self.ctx.float_type(kind);
        }
        if self.one_in(8) {
            return self.ctx.bool_type();
        }
        let widths = [2, 4, 7, 8, 16, 31, 32, 64, 65, 128, 200];
        let signs = [
            Signedness::Signless,
            Signedness::Signed,
            Signedness::Unsigned,
        ];
        self.ctx.intern_type(TypeKind::Integer {
            width: widths[self.below(widths.len())],
            signedness: signs[self.below(signs.len())],
        })
    }

    fn shape(&mut self, dynamic: bool) -> Box<[i64]> {
        let rank = self.below(4);
        let extent = |g: &mut Self| match g.below(4) {
            0 if dynamic => DYNAMIC,
            _ => g.below(4) as i64,
        };
        (0..rank).map(|_| extent(self)).collect()
    }

    /// An attribute that MLIR accepts as the encoding of a tensor, or none.
    fn encoding(&mut self, depth: u32) -> Option<Attr> {
        let attr = self.one_in(3).then(|| self.attr(depth))?;
        let refused = matches!(
            attr.kind(self.ctx),
            AttrKind::DenseArray { .. } | AttrKind::Distinct { .. }
        );
        (!refused).then_some(attr)
    }

    fn vector(&mut self) -> TypeKind {
        let rank = self.below(3);
        TypeKind::Vector {
            shape: (0..rank).map(|_| 1 + self.below(4) as i64).collect(),
            scalable: (0..rank).map(|_| self.one_in(3)).collect(),
            element: self.scalar(),
        }
    }

    fn memref(&mut self) -> TypeKind {
        let shape = self.shape(true);
        let strides = shape.iter().map(|_| self.below(5) as i64).collect();
        let layout = AttrKind::Strided { offset: 3, strides };
        TypeKind::MemRef(MemRefType {
            element: self.scalar(),
            layout: self.one_in(2).then(|| self.ctx.intern_attr(layout)),
            space: self.one_in(2).then(|| self.ctx.i64_attr(2)),
            shape,
        })
    }

    /// An attribute of nesting depth at most `depth`.
    pub(super) fn attr(&mut self, depth: u32) -> Attr {
        let last = if depth == 0 { 8 } else { 18 };
        let kind = match self.below(last) {
            0 => AttrKind::Unit,
            1 => return self.number(),
            2 => AttrKind::String {
                value: (0..self.below(6)).map(|_| self.next() as u8).collect(),
                ty: None,
            },
            3 => return self.ctx.bool_attr(self.one_in(2)),
            4 => {
                let (root, leaf) = (self.ctx.ident("root"), self.ctx.ident("odd name"));
                return self
                    .ctx
                    .nested_symbol_attr(root, &vec![leaf; self.below(3)]);
            }
            5 if self.one_in(2) => return self.set_of(2, 1),
            5 => {
                let results = self.below(3);
                return self.map_of(2, 1, results);
            }
            6 => AttrKind::DenseArray {
                element: self.ctx.int_type(16),
                data: (0..2 * self.below(5)).map(|_| self.next() as u8).collect(),
            },
            7 => {
                let bodies = [".plain", ".with<a, \"b>\", [c]>", "<not pretty>"];
                return self.ctx.dialect_attr("foreign", self.pick(&bodies));
            }
            8 => AttrKind::Type(self.ty(depth - 1)),
            9 => {
                let count = self.below(4);
                let items: Vec<Attr> = (0..count).map(|_| self.attr(depth - 1)).collect();
                return self.ctx.array_attr(&items);
            }
            10 => AttrKind::Dict(self.dict(depth - 1)),
            11 | 12 => return self.dense(),
            13 => self.sparse(),
            14 => AttrKind::DenseResource {
                ty: self.static_type(),
                key: self.ctx.ident(self.pick(&RESOURCES)),
            },
            15 => AttrKind::Distinct {
                // Identities must be unique, since each has one value.
                id: self.next() >> 40,
                value: self.attr(0),
            },
            16 => AttrKind::String {
                value: b"typed".as_slice().into(),
                ty: Some(self.ty(depth - 1)),
            },
            _ => AttrKind::Location(self.location(2)),
        };
        self.ctx.intern_attr(kind)
    }

    fn number(&mut self) -> Attr {
        let ty = self.scalar();
        let size = element_bytes(self.ctx, ty).unwrap_or(8);
        let bytes = self.element(ty, size);
        let attr = gridloom_ir::elements::element_attr(self.ctx, ty, &bytes);
        attr.unwrap_or_else(|| self.ctx.unit_attr())
    }

    /// The bytes of an element; bits beyond its width are zero or copies of the sign.
    fn element(&mut self, ty: Type, size: usize) -> Vec<u8> {
        let mut bytes: Vec<u8> = (0..size).map(|_| self.next() as u8).collect();
        match ty.kind(self.ctx) {
            TypeKind::Integer { width, signedness } => {
                let signed = *signedness != Signedness::Unsigned && *width != 1;
                Int::from_le_bytes(&bytes, *width, signed).to_le_bytes(size)
            }
            TypeKind::Float(FloatKind::F80) => {
                // A finite number, since other patterns have several spellings.
                bytes[7] |= 0x80;
                bytes[9] &= 0x3F;
                bytes[8] |= 1;
                bytes
            }
            TypeKind::Float(kind) => {
                let spare = 8 * size as u32 - kind.width();
                if let Some(last) = bytes.last_mut() {
                    *last &= 0xFFu8.checked_shr(spare).unwrap_or(0);
                }
                bytes
            }
            _ => bytes,
        }
    }

    /// A vector or tensor type with a static shape.
    fn static_type(&mut self) -> Type {
        let (shape, element) = (self.shape(false), self.scalar());
        match self.one_in(3) && !shape.contains(&0) {
            true => self.ctx.vector_type(&shape, element),
            false => self.ctx.tensor_type(&shape, element),
        }
    }

    /// A sparse tensor with two nonzero elements.
    fn sparse(&mut self) -> AttrKind {
        let (ctx, element) = (self.ctx, self.scalar());
        let size = element_bytes(ctx, element).unwrap_or(8);
        let [first, second] = [(); 2].map(|_| self.element(element, size));
        let data = match first == second {
            true => DenseData::Splat(first.into()),
            false => DenseData::Raw([first, second].concat().into()),
        };
        let indices = [[0, 1], [2, 3]]
            .concat()
            .into_iter()
            .map(Int::Small)
            .collect::<Vec<_>>();
        let places = ctx.tensor_type(&[2, 2], ctx.int_type(64));
        let ty = ctx.tensor_type(&[2], element);
        AttrKind::Sparse {
            ty: ctx.tensor_type(&[4, 5], element),
            indices: ctx.dense_ints_attr(places, &indices),
            values: ctx.intern_attr(AttrKind::Dense { ty, data }),
        }
    }

    /// The bytes of a number, or of both parts of a complex one.
    fn number_bytes(&mut self, element: Type, size: usize, complex: bool) -> Vec<u8> {
        let mut bytes = self.element(element, size);
        if complex {
            bytes.extend(self.element(element, size));
        }
        bytes
    }

    fn dense(&mut self) -> Attr {
        if self.one_in(8) {
            let ty = self.ctx.tensor_type(
                &[2],
                self.ctx.intern_type(TypeKind::Dialect {
                    dialect: self.ctx.ident("foreign"),
                    body: self.ctx.ident(".text"),
                }),
            );
            let data = DenseData::Strings(Box::new(["a \"b\"".into(), "c".into()]));
            return self.ctx.intern_attr(AttrKind::Dense { ty, data });
        }
        let (mut ty, mut complex) = (self.static_type(), false);
        let element = ty.element(self.ctx).unwrap_or(ty);
        let shape: Vec<i64> = match ty.kind(self.ctx) {
            TypeKind::Vector { shape, .. } | TypeKind::RankedTensor { shape, .. } => shape.to_vec(),
            _ => Vec::new(),
        };
        if !element.is_index(self.ctx) && self.one_in(6) {
            complex = true;
            let element = self.ctx.intern_type(TypeKind::Complex(element));
            ty = self.ctx.tensor_type(&shape, element);
        }
        let size = element_bytes(self.ctx, element).unwrap_or(8);
        let count: i64 = shape.iter().product();
        let first = self.number_bytes(element, size, complex);
        let data = if count == 0 {
            DenseData::Raw(Box::new([]))
        } else if count == 1 || self.one_in(2) {
            DenseData::Splat(first.into())
        } else {
            let mut other = first.clone();
            while other == first {
                other = self.number_bytes(element, size, complex);
            }
            let rest = (1..count).flat_map(|_| other.clone());
            DenseData::Raw(first.into_iter().chain(rest).collect())
        };
        self.ctx.intern_attr(AttrKind::Dense { ty, data })
    }

    /// An expression as the reader gives it: sums print without parentheses and
    /// read left-associatively.
    fn as_read(&self, mut expr: AffineExpr) -> AffineExpr {
        // Simplification may change how the text reads, so iterate to a fixpoint.
        for _ in 0..8 {
            let read = self.read_once(expr);
            if read == expr {
                return expr;
            }
            expr = read;
        }
        self.ctx.affine_const(0)
    }

    fn read_once(&self, expr: AffineExpr) -> AffineExpr {
        let AffineExprKind::Binary(op, lhs, rhs) = expr.kind(self.ctx) else {
            return expr;
        };
        if op != AffineOp::Add {
            let (lhs, rhs) = (self.read_once(lhs), self.read_once(rhs));
            return self.ctx.affine_binary(op, lhs, rhs);
        }
        let (mut terms, mut open) = (Vec::new(), vec![expr]);
        while let Some(part) = open.pop() {
            match part.kind(self.ctx) {
                AffineExprKind::Binary(AffineOp::Add, lhs, rhs) => open.extend([rhs, lhs]),
                _ => terms.push(self.read_once(part)),
            }
        }
        let sum = terms.into_iter().reduce(|a, b| self.ctx.affine_add(a, b));
        sum.unwrap_or(expr)
    }

    /// A map with this number of dimensions and symbols.
    pub(super) fn map_of(&mut self, dims: usize, symbols: usize, results: usize) -> Attr {
        let inputs = (dims as u32, symbols as u32);
        let results: Vec<AffineExpr> = (0..results)
            .map(|_| {
                let expr = self.expr(3, inputs);
                self.as_read(expr)
            })
            .collect();
        let map = self.ctx.affine_map(inputs.0, inputs.1, &results);
        self.ctx.map_attr(map)
    }

    /// A set with this number of dimensions and symbols.
    pub(super) fn set_of(&mut self, dims: usize, symbols: usize) -> Attr {
        let inputs = (dims as u32, symbols as u32);
        let count = 1 + self.below(3);
        let constraints: Vec<_> = (0..count)
            .map(|_| AffineConstraint {
                expr: {
                    let expr = self.expr(2, inputs);
                    self.as_read(expr)
                },
                is_eq: self.one_in(2),
            })
            .collect();
        let set = self.ctx.integer_set(inputs.0, inputs.1, &constraints);
        self.ctx.set_attr(set)
    }

    fn expr(&mut self, depth: u32, inputs: (u32, u32)) -> AffineExpr {
        let constant = |g: &mut Self| g.ctx.affine_const(1 + g.below(9) as i64);
        match self.below(if depth == 0 { 3 } else { 7 }) {
            0 if inputs.0 > 0 => self.ctx.affine_dim(self.below(inputs.0 as usize) as u32),
            1 if inputs.1 > 0 => self.ctx.affine_symbol(self.below(inputs.1 as usize) as u32),
            0..=2 => constant(self),
            3 | 4 => {
                let (lhs, rhs) = (self.expr(depth - 1, inputs), self.expr(depth - 1, inputs));
                match self.one_in(3) {
                    true => self.ctx.affine_sub(lhs, rhs),
                    false => self.ctx.affine_add(lhs, rhs),
                }
            }
            _ => {
                let all = [
                    AffineOp::Mul,
                    AffineOp::Mod,
                    AffineOp::FloorDiv,
                    AffineOp::CeilDiv,
                ];
                let (op, lhs) = (self.pick(&all), self.expr(depth - 1, inputs));
                let rhs = constant(self);
                self.ctx.affine_binary(op, lhs, rhs)
            }
        }
    }

    /// A location in a file.
    pub(super) fn file_location(&mut self) -> Loc {
        let start = (self.below(9) as u32, self.below(90) as u32);
        let end = match self.below(3) {
            0 => (start.0 + 1, 5),
            1 => (start.0, start.1 + 3),
            _ => start,
        };
        self.ctx.intern_loc(LocKind::FileRange {
            file: self.ctx.ident("some file.mlir"),
            start,
            end,
        })
    }

    /// A location of nesting depth at most `depth`.
    pub(super) fn location(&mut self, depth: u32) -> Loc {
        let kind = match self.below(if depth == 0 { 2 } else { 6 }) {
            0 => return Loc::UNKNOWN,
            1 => return self.file_location(),
            2 | 3 => LocKind::Name {
                name: self.ctx.ident("a \"name\""),
                child: self.location(depth - 1),
            },
            4 => LocKind::CallSite {
                callee: self.location(depth - 1),
                caller: self.location(depth - 1),
            },
            _ => {
                let count = self.below(4);
                let locs: Vec<Loc> = (0..count).map(|_| self.location(depth - 1)).collect();
                let metadata = self.one_in(2).then(|| self.attr(1));
                return self.ctx.fused_loc(&locs, metadata);
            }
        };
        self.ctx.intern_loc(kind)
    }
}
