//! Generation of functions, calls, globals and inputs.

use super::{Callee, Generator, MemVar, Param, Role};
use crate::program::{Bin, Block, Cond, Function, Global, Input, IntPred, Mixed, Op, Var};
use crate::types::{Layout, MemType, Scalar, Type};

impl Generator {
    /// Draws the whole program.
    pub(super) fn program(&mut self) {
        if self.is_of_idioms {
            return self.main();
        }
        for _ in 0..self.random.below(3) {
            self.global();
        }
        for number in 0..self.random.below(4) {
            self.function(number);
        }
        self.main();
    }

    fn global(&mut self) {
        let sizes = match self.random.below(4) {
            0 => vec![2, 3],
            1 => vec![self.extent, 2],
            _ => vec![self.extent],
        };
        let element = self.any_scalar();
        let count = sizes.iter().product::<i64>();
        let elements = (0..count).map(|_| self.bits(element)).collect();
        let layout = self.fresh_layout(&sizes);
        self.program.globals.push(Global {
            ty: MemType {
                layout,
                ..MemType::of(element, &sizes)
            },
            elements,
            constant: self.random.chance(40),
        });
    }

    /// Emits `memref.get_global` for all globals.
    fn get_globals(&mut self) {
        for number in 0..self.program.globals.len() {
            if self.random.chance(40) {
                continue;
            }
            let global = &self.program.globals[number];
            let (ty, constant) = (global.ty.clone(), global.constant);
            let var = self.emit(Op::GetGlobal(number), vec![Type::MemRef(ty.clone())])[0];
            self.mems.push(MemVar {
                var,
                sizes: ty.known_sizes().unwrap_or_default(),
                ty,
                writable: !constant,
            });
        }
    }

    /// Draws a one-dimensional memref parameter of a type that callers can create.
    fn mem_param(&mut self) -> Param {
        let extent = self.extent;
        let element = if self.random.chance(85) {
            self.preferred_element
        } else {
            self.any_scalar()
        };
        let (shape, layout) = match self.random.below(10) {
            0..3 => (Some(vec![Some(extent)]), Layout::Identity),
            3..5 => (Some(vec![None]), Layout::Identity),
            5..7 => {
                let layout = Layout::Strided {
                    offset: None,
                    strides: vec![None],
                };
                (Some(vec![None]), layout)
            }
            _ => (None, Layout::Identity),
        };
        let ty = MemType {
            element,
            shape,
            layout,
            space: 0,
        };
        Param::Mem(ty, extent.min(4 + extent / 2))
    }

    fn function(&mut self, number: usize) {
        let mut params: Vec<Param> = (0..1 + self.random.below(3))
            .map(|_| self.mem_param())
            .collect();
        if self.random.chance(60) {
            params.push(Param::Scalar(Scalar::Index, 0, self.extent.min(4) - 1));
        }
        if self.random.chance(40) {
            params.push(Param::Scalar(self.any_scalar(), i64::MIN, i64::MAX));
        }
        // Recursive functions are not inlined.
        let recursive = self.random.chance(25);
        if recursive {
            params.push(Param::Scalar(Scalar::I32, 0, 1));
        }
        let result = self.random.chance(40).then(|| self.any_scalar());
        self.begin();
        let vars = self.params(&params);
        self.budget = 3;
        let count = 1 + self.random.below(3);
        self.statements(count);
        self.store();
        if recursive {
            self.recursion(number, &params, &vars, result);
        }
        let yields = result.map(|ty| self.value(ty, 1)).into_iter().collect();
        let body = Block {
            stmts: std::mem::take(&mut self.out),
            yields,
        };
        self.program.functions.push(Function {
            name: format!("f{number}"),
            public: self.random.chance(25),
            params: vars,
            body,
        });
        self.callees.push(Callee { params, result });
    }

    fn begin(&mut self) {
        self.out.clear();
        self.scalars.clear();
        self.mems.clear();
        self.trips = 1;
        self.get_globals();
    }

    fn params(&mut self, params: &[Param]) -> Vec<Var> {
        let mut vars = Vec::new();
        for param in params {
            vars.push(match param {
                Param::Scalar(ty, low, high) => self.argument(*ty, Role::Symbol, *low, *high),
                Param::Mem(ty, least) => {
                    let var = self.program.var(Type::MemRef(ty.clone()));
                    self.mems.push(MemVar {
                        var,
                        ty: ty.clone(),
                        sizes: vec![*least],
                        writable: true,
                    });
                    var
                }
            });
        }
        for var in vars.clone() {
            self.ranked(var);
        }
        vars
    }

    /// Casts an unranked parameter to the type that all callers pass.
    fn ranked(&mut self, var: Var) {
        let known = self
            .mems
            .iter()
            .find(|mem| mem.var == var && mem.ty.is_unranked());
        let Some(mem) = known.cloned() else {
            return;
        };
        let ty = MemType {
            shape: Some(vec![None]),
            ..mem.ty
        };
        let cast = self.emit(Op::MemCast(var), vec![Type::MemRef(ty.clone())])[0];
        self.mems.push(MemVar {
            var: cast,
            ty,
            sizes: mem.sizes,
            writable: true,
        });
    }

    /// Emits `if depth > 0, call self with depth - 1`.
    fn recursion(&mut self, number: usize, params: &[Param], vars: &[Var], result: Option<Scalar>) {
        let Some((&depth, rest)) = vars.split_last() else {
            return;
        };
        let zero = self.scalar(Op::Const(0), Scalar::I32);
        let cond = self.scalar(Op::CmpI(IntPred::Sgt, depth, zero), Scalar::I1);
        let mut args = rest.to_vec();
        if args.len() > 1
            && self.random.chance(50)
            && let (Param::Mem(a, _), Param::Mem(b, _)) = (&params[0], &params[1])
            && a == b
        {
            args.swap(0, 1);
        }
        let (stmts, ()) = self.nested(|this| {
            let one = this.scalar(Op::Const(1), Scalar::I32);
            args.push(this.scalar(Op::Bin(Bin::SubI, depth, one), Scalar::I32));
            this.emit(
                Op::Call {
                    callee: number,
                    args: args.clone(),
                },
                result.map(Type::Scalar).into_iter().collect(),
            );
        });
        let then = Block {
            stmts,
            yields: Vec::new(),
        };
        self.emit(
            Op::If {
                cond: Cond::Value(cond),
                then,
                otherwise: None,
            },
            Vec::new(),
        );
    }

    /// Emits a call of an existing function, often with the same memory twice.
    pub(super) fn call(&mut self) {
        let callee = self.random.below(self.callees.len());
        let signature = self.callees[callee].clone();
        let mut args = Vec::new();
        let mut before: Option<MemVar> = None;
        for param in &signature.params {
            let arg = match param {
                Param::Scalar(Scalar::Index, 0, high) => Some(self.plain_index(high + 1)),
                Param::Scalar(ty, low, high) if (*low, *high) == (0, 1) && *ty == Scalar::I32 => {
                    let depth = self.random.below(2) as u64;
                    Some(self.scalar(Op::Const(depth), *ty))
                }
                Param::Scalar(ty, ..) => Some(self.value(*ty, 1)),
                Param::Mem(ty, least) => self.mem_argument(ty, *least, &mut before),
            };
            match arg {
                Some(arg) => args.push(arg),
                None => return,
            }
        }
        let types = signature.result.map(Type::Scalar).into_iter().collect();
        let results = self.emit(Op::Call { callee, args }, types);
        self.add_to_scope(&results);
    }

    /// Chooses a memref argument for a parameter type; `before` is the memref behind the last one.
    fn mem_argument(
        &mut self,
        ty: &MemType,
        least: i64,
        before: &mut Option<MemVar>,
    ) -> Option<Var> {
        let fits = |mem: &MemVar| {
            mem.writable
                && mem.ty.element == ty.element
                && mem.ty.rank() == 1
                && !matches!(mem.ty.layout, Layout::Map(_))
                && mem.sizes[0] >= least
        };
        let fitting: Vec<MemVar> = self.mems.iter().filter(|mem| fits(mem)).cloned().collect();
        let again = before
            .clone()
            .filter(|mem| fits(mem) && self.random.chance(60));
        let mem = match again {
            Some(mem) => mem,
            None if fitting.is_empty() => return None,
            None => self.random.pick(&fitting).clone(),
        };
        *before = Some(mem.clone());
        if mem.ty == *ty {
            return Some(mem.var);
        }
        let identity = mem.ty.layout == Layout::Identity;
        match (&ty.layout, ty.shape.as_deref()) {
            (Layout::Strided { .. }, _) => Some(self.strided_argument(&mem, ty, least)),
            (_, None) => {
                let open = MemType {
                    shape: Some(vec![None]),
                    ..ty.clone()
                };
                let ranked = identity.then(|| self.cast_to(mem.var, &open))?;
                Some(self.cast_to(ranked, ty))
            }
            (_, Some([Some(size)])) if identity && mem.sizes[0] == *size => {
                Some(self.cast_to(mem.var, ty))
            }
            (_, Some([None])) if identity => Some(self.cast_to(mem.var, ty)),
            _ => None,
        }
    }

    fn cast_to(&mut self, mem: Var, ty: &MemType) -> Var {
        self.emit(Op::MemCast(mem), vec![Type::MemRef(ty.clone())])[0]
    }

    /// A part of an array, as a type with unknown layout.
    fn strided_argument(&mut self, mem: &MemVar, ty: &MemType, least: i64) -> Var {
        let size = mem.sizes[0];
        if self.random.chance(30) {
            return self.cast_to(mem.var, ty);
        }
        let count = self.random.between(least, size);
        let offset = self.random.between(0, size - count);
        let (start, stride) = match &mem.ty.layout {
            Layout::Strided { offset, strides } => (*offset, strides[0]),
            _ => (Some(0), Some(1)),
        };
        let part = MemType {
            shape: Some(vec![Some(count)]),
            layout: Layout::Strided {
                offset: start
                    .zip(stride)
                    .map(|(start, stride)| start + offset * stride),
                strides: vec![stride],
            },
            ..ty.clone()
        };
        let op = Op::SubView {
            mem: mem.var,
            offsets: vec![Mixed::Known(offset)],
            sizes: vec![Mixed::Known(count)],
            strides: vec![Mixed::Known(1)],
            kept: vec![true],
        };
        let view = self.emit(op, vec![Type::MemRef(part)])[0];
        self.cast_to(view, ty)
    }

    /// Draws a function that `@main` calls, with parameters of these types. Returns its number.
    pub(super) fn beside(
        &mut self,
        params: &[Type],
        draw: impl FnOnce(&mut Self, &[Var]),
    ) -> usize {
        let outer = (
            std::mem::take(&mut self.out),
            std::mem::take(&mut self.scalars),
            std::mem::take(&mut self.mems),
        );
        let vars: Vec<Var> = { params.iter() }
            .map(|ty| match ty {
                Type::Scalar(scalar) => self.argument(*scalar, Role::Symbol, i64::MIN, i64::MAX),
                Type::MemRef(_) => self.program.var(ty.clone()),
            })
            .collect();
        draw(self, &vars);
        let body = Block {
            stmts: std::mem::take(&mut self.out),
            yields: Vec::new(),
        };
        (self.out, self.scalars, self.mems) = outer;
        let number = self.program.functions.len();
        self.program.functions.push(Function {
            name: format!("rows{number}"),
            public: self.random.chance(50),
            params: vars,
            body,
        });
        number
    }

    fn main(&mut self) {
        self.begin();
        self.is_in_main = true;
        let mut params = Vec::new();
        for number in 0..2 + self.random.below(3) {
            let var = self.main_memref(number < 2);
            params.push(var);
        }
        for _ in 0..1 + self.random.below(2) {
            let value = match self.random.below(10) {
                0..6 => self.random.between(0, self.extent),
                6 => i64::MAX - self.random.between(0, 9),
                7 => i64::MIN + self.random.between(0, 9),
                8 => self.random.between(-3, 40),
                _ => *self
                    .random
                    .pick(&[1 << 31, -(1 << 31), 1 << 32, (1 << 31) - 1, -1]),
            };
            self.program.inputs.push(Input::Scalar(value as u64));
            params.push(self.argument(Scalar::Index, Role::Symbol, value, value));
        }
        for _ in 0..self.random.below(3) {
            let ty = self.any_scalar();
            let bits = self.bits(ty);
            self.program.inputs.push(Input::Scalar(bits));
            let known = if ty == Scalar::Index {
                bits as i64
            } else {
                i64::MIN
            };
            let high = if ty == Scalar::Index { known } else { i64::MAX };
            params.push(self.argument(ty, Role::Symbol, known, high));
        }
        self.budget = 5;
        self.views_of_byte_arguments();
        match self.is_of_idioms {
            true => (0..2).for_each(|_| self.idiom()),
            false => {
                let count = 3 + self.random.below(4);
                self.statements(count);
            }
        }
        let types: Vec<Scalar> = (0..self.random.below(2))
            .map(|_| self.any_scalar())
            .collect();
        let yields = types.iter().map(|&ty| self.value(ty, 1)).collect();
        let body = Block {
            stmts: std::mem::take(&mut self.out),
            yields,
        };
        params.append(&mut self.more_params);
        self.program.functions.push(Function {
            name: "main".to_owned(),
            public: true,
            params,
            body,
        });
    }

    /// Emits views as elements of the arguments that are rows of bytes. The bytes of these need not be
    /// whole elements.
    fn views_of_byte_arguments(&mut self) {
        let is_row = |mem: &&MemVar| {
            let holds_bytes = mem.ty.element == Scalar::I8 && mem.ty.layout == Layout::Identity;
            holds_bytes && mem.sizes.len() == 1 && mem.sizes[0] >= 32
        };
        let rows: Vec<MemVar> = self.mems.iter().filter(is_row).cloned().collect();
        for row in rows {
            self.byte_views(row.var, row.sizes[0]);
        }
    }

    fn main_memref(&mut self, usual: bool) -> Var {
        let (element, sizes) = if usual {
            (self.preferred_element, vec![self.extent])
        } else if self.random.chance(15) {
            (Scalar::I8, vec![self.random.between(60, 67)])
        } else {
            (self.any_scalar(), self.fresh_sizes())
        };
        let layout = if usual && self.random.chance(85) {
            Layout::Identity
        } else {
            self.fresh_layout(&sizes)
        };
        let opens = layout == Layout::Identity && self.random.chance(25);
        let shape = sizes.iter().map(|&size| (!opens).then_some(size)).collect();
        let ty = MemType {
            element,
            shape: Some(shape),
            layout,
            space: 0,
        };
        let count = sizes.iter().product::<i64>();
        let elements = (0..count).map(|_| self.bits(element)).collect();
        self.program.inputs.push(Input::MemRef {
            sizes: sizes.clone(),
            elements,
        });
        let var = self.program.var(Type::MemRef(ty.clone()));
        self.mems.push(MemVar {
            var,
            ty,
            sizes,
            writable: true,
        });
        var
    }
}
