//! Idiom of linearized arrays: nests over arrays of one dimension and open size with the subscripts of rows, whose lengths are
//! arguments: of a function that is called with several lengths, or of `@main`. Rows may run into each other, all lie on
//! one, and go backwards.

use super::numbers::Number;
use crate::generate::{Generator, MemVar, Role};
use crate::program::{Bin, Input, Mixed, Op, Var};
use crate::types::{MemType, Scalar, Type};

/// Most elements of an array; what lies beyond is guarded.
pub(super) const MOST: i64 = 400;

/// Most elements of the list that names rows.
const LISTED: i64 = 8;

/// What the nests of a function work on.
pub(super) struct Rows {
    /// Trip count of the rows, then the lengths of the other dimensions.
    pub(super) lengths: Vec<Number>,
    /// What is used of the last dimension.
    pub(super) part: Number,
    pub(super) is_in_part: bool,
    pub(super) offset: Number,
    pub(super) has_offset: [bool; 2],
    pub(super) arrays: [MemVar; 2],
    /// Elements that each array has to have in each call.
    pub(super) needed: [Vec<i64>; 2],
    /// Numbers of rows.
    pub(super) list: MemVar,
}

/// Arguments of the calls, drawn before the nests.
struct Arguments {
    rank: usize,
    is_in_part: bool,
    word: Scalar,
    /// For each call the numbers: of rows, lengths, what is used, offset.
    values: Vec<Vec<i64>>,
}

impl Generator {
    /// Emits calls of a function with linearized arrays, or such nests on arguments of `@main`.
    pub(super) fn linearized(&mut self, sink: &MemVar) {
        let element = match sink.ty.element.is_float() {
            true => Scalar::I32,
            false => sink.ty.element,
        };
        let is_called = self.is_in_main && self.random.chance(60);
        let count = match is_called {
            true => self.random.between(2, 4),
            false => 1,
        };
        let arguments = self.row_arguments(count);
        match is_called {
            true => self.called_rows(element, &arguments, sink),
            false if self.is_in_main => self.own_rows(element, &arguments),
            false => self.stream(sink),
        }
    }

    fn row_arguments(&mut self, count: i64) -> Arguments {
        let rank = *self.random.pick(&[2, 2, 3]);
        let is_in_part = self.random.chance(50);
        let word = *self
            .random
            .pick(&[Scalar::Index, Scalar::Index, Scalar::I32, Scalar::I64]);
        let values = (0..count).map(|_| self.row_lengths(rank, is_in_part, word));
        Arguments {
            rank,
            is_in_part,
            word,
            values: values.collect(),
        }
    }

    /// Draws the numbers of one call.
    fn row_lengths(&mut self, rank: usize, is_in_part: bool, word: Scalar) -> Vec<i64> {
        let (rows, most) = if rank == 2 { (6, 9) } else { (4, 5) };
        let mut values = vec![match self.random.chance(5) {
            true => self.random.between(-1, 0),
            false => self.random.between(1, rows),
        }];
        for _ in 1..rank {
            values.push(match self.random.below(20) {
                0 | 1 => 0,
                2 | 3 => 1,
                4 => -self.random.between(1, 3),
                5 => values[0],
                _ => self.random.between(2, most),
            });
        }
        let length = values[rank - 1];
        let part = match self.random.below(10) {
            0..6 => length,
            6..8 => length + self.random.between(-1, 2),
            _ => self.random.between(0, most),
        };
        values.push(part);
        // A single row may have any length, of which few elements are used.
        if is_in_part && self.random.chance(8) {
            let wide = [1 << 62, i64::MIN, 1 << 40, 1 << 29];
            let narrow = [i64::from(i32::MAX), i64::from(i32::MIN), 1 << 29];
            values[0] = 1;
            values[rank - 1] = match word {
                Scalar::I32 => *self.random.pick(&narrow),
                _ => *self.random.pick(&wide),
            };
        }
        values.push(match self.random.chance(60) {
            true => 0,
            false => self.random.between(-2, 5),
        });
        values
    }

    /// Emits a function with nests, and calls of it.
    fn called_rows(&mut self, element: Scalar, arguments: &Arguments, sink: &MemVar) {
        let open = MemType {
            shape: Some(vec![None]),
            ..MemType::of(element, &[1])
        };
        let list = MemType::of(Scalar::I32, &[LISTED]);
        let mut types = vec![Type::MemRef(open.clone()); 2];
        types.push(Type::MemRef(list));
        let words = arguments.values[0].len();
        types.resize(types.len() + words, Type::Scalar(arguments.word));
        let mut needed = Default::default();
        let callee = self.beside(&types, |this, params| {
            needed = this.nests_of_rows(arguments, params);
        });
        let sizes = self.row_sizes(arguments, &needed);
        let longest = sizes
            .each_ref()
            .map(|sizes| sizes.iter().copied().max().unwrap_or(1));
        let arrays = longest.map(|size| self.long(element, &[size]));
        let numbers = (0..LISTED).map(|_| self.random.between(0, 3) as u64);
        let numbers = numbers.collect();
        let list = self.row_of_numbers(Scalar::I32, numbers, false);
        let call = |this: &mut Self, [x, y]: [&MemVar; 2], sizes: [Mixed; 2], words: Vec<Var>| {
            let [x, y] = [(x, sizes[0]), (y, sizes[1])].map(|(mem, size)| {
                let op = Op::Reinterpret {
                    mem: mem.var,
                    offset: Mixed::Known(0),
                    sizes: vec![size],
                    strides: vec![Mixed::Known(1)],
                };
                this.emit(op, vec![Type::MemRef(open.clone())])[0]
            });
            let args = [vec![x, y, list.var], words].concat();
            this.emit(Op::Call { callee, args }, Vec::new());
        };
        if self.random.chance(40) {
            // Calls stay calls where their arguments are loaded in a loop.
            let columns = arguments.values.iter().zip(0..);
            let table: Vec<u64> = columns
                .flat_map(|(values, at)| {
                    let sizes = sizes.each_ref().map(|sizes: &Vec<i64>| sizes[at]);
                    sizes.into_iter().chain(values.iter().copied())
                })
                .map(|number| number as u64)
                .collect();
            let width = table.len() as i64 / arguments.values.len() as i64;
            let table = self.row_of_numbers(Scalar::I64, table, false);
            let count = arguments.values.len() as i64;
            self.between(false, [0, count, 1], &[], |this, k, _| {
                let by = this.index(width);
                let start = this.bin(Bin::MulI, k, by);
                let mut words: Vec<Var> = (0..width)
                    .map(|column| {
                        let column = this.index(column);
                        let at = this.bin(Bin::AddI, start, column);
                        this.load_plain(&table, &[at])
                    })
                    .collect();
                let given = words.split_off(2);
                let sizes = [words[0], words[1]]
                    .map(|size| Mixed::Value(this.converted(size, Scalar::Index)));
                let given = { given.into_iter() }
                    .map(|word| this.converted(word, arguments.word))
                    .collect();
                call(this, arrays.each_ref(), sizes, given);
                Vec::new()
            });
        } else {
            for (at, values) in arguments.values.iter().enumerate() {
                let words = { values.iter() }
                    .map(|&value| match arguments.word {
                        Scalar::Index if self.random.chance(50) => self.hidden(value, value),
                        word => self.int(word, value),
                    })
                    .collect();
                let own = sizes.each_ref().map(|sizes| sizes[at]);
                // The arrays may be one, or change places.
                let [x, y] = &arrays;
                let chosen = match self.random.below(10) {
                    0 if own.iter().all(|&size| size <= longest[0]) => [x, x],
                    1 if own.iter().all(|&size| size <= longest[1]) => [y, y],
                    2 | 3 if own[0] <= longest[1] && own[1] <= longest[0] => [y, x],
                    _ => [x, y],
                };
                call(self, chosen, own.map(Mixed::Known), words);
            }
        }
        for array in &arrays {
            self.checksum(array, sink);
        }
    }

    /// Emits nests on arguments of `@main`.
    fn own_rows(&mut self, element: Scalar, arguments: &Arguments) {
        let open = MemType {
            shape: Some(vec![None]),
            ..MemType::of(element, &[1])
        };
        let mut params: Vec<Var> = (0..2)
            .map(|_| self.program.var(Type::MemRef(open.clone())))
            .collect();
        let list = MemType::of(Scalar::I32, &[LISTED]);
        params.push(self.program.var(Type::MemRef(list)));
        for &value in &arguments.values[0] {
            params.push(self.argument(arguments.word, Role::Symbol, value, value));
        }
        let needed = self.nests_of_rows(arguments, &params);
        for sizes in self.row_sizes(arguments, &needed) {
            let elements = (0..sizes[0]).map(|_| self.bits(element)).collect();
            self.program.inputs.push(Input::MemRef { sizes, elements });
        }
        let elements = (0..LISTED).map(|_| self.random.between(0, 3) as u64);
        let elements = elements.collect();
        self.program.inputs.push(Input::MemRef {
            sizes: vec![LISTED],
            elements,
        });
        for &value in &arguments.values[0] {
            let bits = value as u64 & arguments.word.mask();
            self.program.inputs.push(Input::Scalar(bits));
        }
        self.more_params.extend(params);
    }

    /// Draws the sizes of both arrays in each call: what is needed, whole rows, or some elements more.
    fn row_sizes(&mut self, arguments: &Arguments, needed: &[Vec<i64>; 2]) -> [Vec<i64>; 2] {
        needed.each_ref().map(|needed| {
            let each = needed.iter().zip(&arguments.values);
            each.map(|(&needed, values)| {
                let row = { values[1..arguments.rank].iter() }
                    .fold(1i64, |product, &length| product.saturating_mul(length));
                let row = row.clamp(1, MOST);
                let needed = needed.max(1);
                let whole = (needed + row - 1) / row * row;
                match self.random.below(7) {
                    0 | 1 => needed,
                    2 => needed + self.random.between(1, 5),
                    3 if whole <= MOST => whole + row * self.random.between(0, 1),
                    _ if whole <= MOST => whole,
                    _ => needed,
                }
            })
            .collect()
        })
    }

    /// Emits the nests of a function with these parameters. Returns how many elements its arrays need in each call.
    fn nests_of_rows(&mut self, arguments: &Arguments, params: &[Var]) -> [Vec<i64>; 2] {
        let calls = arguments.values.len();
        let array = |this: &Self, var: Var, size: i64| MemVar {
            var,
            ty: this.program.mem(var).clone(),
            sizes: vec![size],
            writable: true,
        };
        let mut numbers: Vec<Number> = Vec::new();
        for (at, &param) in params[3..].iter().enumerate() {
            let var = self.converted(param, Scalar::Index);
            let ranges = arguments.values.iter().map(|values| [values[at]; 2]);
            numbers.push(Number {
                var,
                ranges: ranges.collect(),
                expr: None,
            });
        }
        let [part, offset] = [0, 1].map(|at| numbers[arguments.rank + at].clone());
        numbers.truncate(arguments.rank);
        let mut rows = Rows {
            lengths: numbers,
            part,
            is_in_part: arguments.is_in_part,
            offset,
            has_offset: [30, 30].map(|percent| self.random.chance(percent)),
            arrays: [0, 1].map(|at| array(self, params[at], MOST)),
            needed: [0, 1].map(|_| vec![0; calls]),
            list: array(self, params[2], LISTED),
        };
        for _ in 0..*self.random.pick(&[1, 1, 2]) {
            self.row_nest(&mut rows);
        }
        rows.needed
    }
}
