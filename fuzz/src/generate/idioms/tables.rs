//! Idiom of tables: loops over small constant globals that hold offsets, as the directions of a lattice Boltzmann
//! method or of a stencil.

use super::FOLDS;
use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{At, Bin, Cast, Global, Op, Var};
use crate::types::{MemType, Scalar, Type};

/// Greatest offset in a table.
const REACH: i64 = 3;

/// What a loop over a table does at the offsets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Stores to an array that all iterations share.
    Store,
    /// Stores to a row of each entry.
    Rows,
    /// Updates elements.
    Update,
    /// Loads only.
    Load,
}

/// Loop over a table.
struct Table {
    offsets: MemVar,
    /// What is loaded, and what is stored to.
    x: MemVar,
    out: MemVar,
    /// Lower and upper bound, and step, of the loop.
    bounds: [i64; 3],
    count: i64,
    purpose: Purpose,
    op: Bin,
    /// Whether the table is read backwards.
    is_backward: bool,
    affine: bool,
    is_carried: bool,
}

impl Generator {
    /// Emits a nest around a loop over a table of offsets, which is sometimes no constant.
    pub(super) fn table(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let count = self.random.between(2, 9);
        let size = self.random.between(12, 30);
        let first = *self.random.pick(&[0, 0, 0, 1]);
        let step = *self.random.pick(&[1, 1, 2, 3]);
        let is_constant = self.random.chance(75);
        let purposes = [
            Purpose::Store,
            Purpose::Store,
            Purpose::Rows,
            Purpose::Update,
            Purpose::Load,
        ];
        let purpose = *self.random.pick(&purposes);
        let extents = match purpose {
            Purpose::Rows => vec![count, size],
            _ => vec![size],
        };
        let table = Table {
            offsets: self.offsets(count, is_constant),
            x: self.long(element, &[size]),
            out: self.long(element, &extents),
            bounds: [first, count, step],
            count,
            purpose,
            op: *self.random.pick(&FOLDS),
            is_backward: self.random.chance(20),
            affine: self.random.chance(60),
            is_carried: purpose == Purpose::Load || self.random.chance(40),
        };
        let changes = !is_constant && self.random.chance(70);
        if changes && self.random.chance(50) {
            self.change_offset(&table);
        }
        let inits = match table.is_carried {
            true => vec![self.value(element, 1)],
            false => Vec::new(),
        };
        let outer = self.random.chance(70);
        let results = self.between(outer, [REACH, size - REACH, 1], &inits, |this, i, args| {
            let results = this.between(table.affine, table.bounds, args, |this, k, args| {
                this.at_offset(&table, i, k, args)
            });
            if let ([sum], true) = (&results[..], outer) {
                this.store_at(*sum, &table.x, vec![Expr::Dim(i)]);
            }
            if changes && this.random.chance(50) {
                this.change_offset(&table);
            }
            results
        });
        for result in results {
            self.sink(result, sink);
        }
        self.checksum(&table.out, sink);
        self.checksum(&table.x, sink);
    }

    /// Adds a global of offsets, and emits what gives it.
    fn offsets(&mut self, count: i64, constant: bool) -> MemVar {
        let word = *self
            .random
            .pick(&[Scalar::Index, Scalar::I32, Scalar::I64, Scalar::I8]);
        let offsets = (0..count).map(|_| self.random.between(-REACH, REACH) as u64 & word.mask());
        let elements = offsets.collect();
        self.row_of_numbers(word, elements, constant)
    }

    /// Adds a global of one dimension, and emits what gives it.
    pub(super) fn row_of_numbers(
        &mut self,
        word: Scalar,
        elements: Vec<u64>,
        constant: bool,
    ) -> MemVar {
        let count = elements.len() as i64;
        let ty = MemType::of(word, &[count]);
        let number = self.program.globals.len();
        self.program.globals.push(Global {
            ty: ty.clone(),
            elements,
            constant,
        });
        let var = self.emit(Op::GetGlobal(number), vec![Type::MemRef(ty.clone())])[0];
        MemVar {
            var,
            ty,
            sizes: vec![count],
            writable: !constant,
        }
    }

    /// Emits another offset in a table.
    fn change_offset(&mut self, table: &Table) {
        let (offset, at) = (
            self.random.between(-REACH, REACH),
            self.random.between(0, table.count - 1),
        );
        let offset = self.int(table.offsets.ty.element, offset);
        self.store_at(offset, &table.offsets, vec![Expr::Const(at)]);
    }

    /// Emits an iteration over the table. Returns the values that it carries on.
    fn at_offset(&mut self, table: &Table, i: Var, k: Var, carried: &[Var]) -> Vec<Var> {
        let element = table.x.ty.element;
        let from = match table.is_backward {
            true => self.mirrored(k, table.count),
            false => k,
        };
        let offset = self.load_plain(&table.offsets, &[from]);
        let offset = match table.offsets.ty.element {
            Scalar::Index => offset,
            _ => self.scalar(Op::Cast(Cast::IndexCast, offset), Scalar::Index),
        };
        let place = self.bin(Bin::AddI, i, offset);
        let mut value = self.load_plain(
            &table.x,
            &[if table.purpose == Purpose::Load {
                place
            } else {
                i
            }],
        );
        let number = self.converted(k, element);
        value = self.bin(Bin::AddI, value, number);
        match table.purpose {
            Purpose::Store => self.store_plain(value, &table.out, &[place]),
            Purpose::Rows => self.store_plain(value, &table.out, &[k, place]),
            Purpose::Update => {
                let before = self.load_plain(&table.out, &[place]);
                let after = self.bin(table.op, before, value);
                self.store_plain(after, &table.out, &[place]);
            }
            Purpose::Load => {}
        }
        (carried.iter())
            .map(|&sum| self.bin(table.op, sum, value))
            .collect()
    }

    /// Emits the counter of the mirrored iteration.
    fn mirrored(&mut self, k: Var, count: i64) -> Var {
        let last = self.index(count - 1);
        self.bin(Bin::SubI, last, k)
    }

    /// Emits a load of `memref` at plain indices.
    pub(super) fn load_plain(&mut self, mem: &MemVar, at: &[Var]) -> Var {
        self.load_from(mem, At::Plain(at.to_vec()))
    }

    /// Emits a store of `memref` at plain indices.
    pub(super) fn store_plain(&mut self, value: Var, mem: &MemVar, at: &[Var]) {
        self.store_to(value, mem, At::Plain(at.to_vec()));
    }
}
