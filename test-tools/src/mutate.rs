//! Damages programs at random, the same way for the same seed.

/// Texts that are at the edge of what something takes.
const EDGES: &[&str] = &[
    "0",
    "-1",
    "1",
    "2",
    "7",
    "63",
    "64",
    "65",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "99999999999999999999999",
    "0x7fc00000",
    "0x",
    "1.0e400",
    "1.5",
    "?",
    "x",
    "*",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    ",",
    ":",
    "=",
    "->",
    "\"",
    "//",
    "loc(\"a\":1:1)",
    "i0",
    "i1",
    "i8",
    "i64",
    "i65",
    "si8",
    "i16777216",
    "index",
    "f16",
    "f64",
    "f128",
    "tf32",
    "none",
    "vector<4xf32>",
    "vector<0xi1>",
    "tensor<?xf32>",
    "tensor<*xf32>",
    "memref<f32>",
    "memref<0xf32>",
    "memref<?x?xf32>",
    "memref<*xf32>",
    "memref<4xf32, strided<[-1], offset: 3>>",
    "memref<4294967296x4294967296xi64>",
    "memref<4xf32, 3>",
    "memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>",
    "complex<f32>",
    "tuple<i1, f32>",
    "() -> ()",
    "{a}",
    "{sym_visibility = \"private\"}",
    "affine_map<(d0) -> (d0)>",
    "affine_map<() -> ()>",
    "affine_set<() : (0 == 0)>",
    "mod",
    "floordiv",
    "ceildiv",
    "max",
    "min",
    "symbol(%n)",
    "dense<0>",
    "unit",
    "true",
    "^bb0:",
    "step 0",
    "step -1",
    "iter_args",
    "@f",
    "#a",
    "!t",
    "%0",
    "%0#1",
    "%arg0",
    "func.func @g() { return }",
    "affine.yield",
    "scf.yield",
    "gpu.barrier",
    "cf.br ^bb0",
    "\"test.op\"() : () -> ()",
    "builtin.module {",
    "func.func private @h(index) -> f32",
];

/// xorshift64* (S. Vigna, "An experimental exploration of Marsaglia's
/// xorshift generators, scrambled", 2016).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `end`; 0 where that is 0.
    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 11) as usize % end.max(1)
    }
}

/// An endless source of damaged programs.
pub struct Mutator<'a> {
    corpus: &'a [Vec<u8>],
    random: Random,
}

impl<'a> Mutator<'a> {
    /// Damages programs of `corpus`. The mutants of a seed are the same every
    /// time.
    pub fn new(corpus: &'a [Vec<u8>], seed: u64) -> Self {
        let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        Mutator { corpus, random }
    }

    /// The next mutant.
    pub fn mutant(&mut self) -> Vec<u8> {
        let mut tokens = tokens(self.any_program());
        // Most mutants are nearly right: those get the furthest.
        let changes = 1 + self.random.below(3) * self.random.below(3);
        if self.random.below(4) == 0 {
            let mut bytes = tokens.concat();
            for _ in 0..changes {
                self.change_bytes(&mut bytes);
            }
            return bytes;
        }
        for _ in 0..changes {
            self.change_tokens(&mut tokens);
        }
        tokens.concat()
    }

    /// The next mutant of what is not text: only bytes are changed.
    pub fn binary_mutant(&mut self) -> Vec<u8> {
        let mut bytes = self.any_program().to_vec();
        for _ in 0..1 + self.random.below(3) * self.random.below(3) {
            if self.random.below(8) == 0 {
                self.splice_bytes(&mut bytes);
            } else {
                self.change_bytes(&mut bytes);
            }
        }
        bytes
    }

    /// Puts a part of another program in the place of as much of this one.
    fn splice_bytes(&mut self, bytes: &mut [u8]) {
        let foreign = self.any_program();
        let from = self.random.below(foreign.len());
        let at = self.random.below(bytes.len());
        let length = self.random.below(64);
        let room = bytes[at..].iter_mut();
        for (to, &byte) in room.zip(&foreign[from..]).take(length) {
            *to = byte;
        }
    }

    fn any_program(&mut self) -> &'a [u8] {
        &self.corpus[self.random.below(self.corpus.len())]
    }

    fn change_bytes(&mut self, bytes: &mut Vec<u8>) {
        let at = self.random.below(bytes.len());
        match self.random.below(5) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] ^= 1 << self.random.below(8),
            2 if at < bytes.len() => bytes[at] = self.random.next() as u8,
            3 => {
                let to = (at + self.random.below(40)).min(bytes.len());
                let part = bytes[at..to].to_vec();
                let place = self.random.below(bytes.len());
                bytes.splice(place..place, part);
            }
            _ => {
                let to = (at + self.random.below(20)).min(bytes.len());
                bytes.drain(at..to);
            }
        }
    }

    fn change_tokens(&mut self, tokens: &mut Vec<Vec<u8>>) {
        let (at, other) = (
            self.random.below(tokens.len()),
            self.random.below(tokens.len()),
        );
        if tokens.is_empty() {
            return;
        }
        match self.random.below(9) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[other].clone()),
            2 => tokens.swap(at, other),
            3 | 4 => tokens[at] = tokens[other].clone(),
            5 | 6 => {
                let edge = EDGES[self.random.below(EDGES.len())];
                tokens[at] = edge.as_bytes().to_vec();
            }
            7 => {
                let foreign = self::tokens(self.any_program());
                tokens[at] = foreign[self.random.below(foreign.len())].clone();
            }
            _ => self.move_line(tokens),
        }
    }

    /// Copies, moves or removes a whole line, from this program or another.
    fn move_line(&mut self, tokens: &mut Vec<Vec<u8>>) {
        let own = tokens.concat();
        let mut lines: Vec<&[u8]> = own.split_inclusive(|&byte| byte == b'\n').collect();
        let foreign: Vec<&[u8]> = self
            .any_program()
            .split_inclusive(|&byte| byte == b'\n')
            .collect();
        let (from, to) = (
            self.random.below(lines.len()),
            self.random.below(lines.len()),
        );
        match self.random.below(4) {
            0 => drop(lines.remove(from)),
            1 => lines.insert(to, lines[from]),
            2 => lines.swap(from, to),
            _ => lines.insert(to, foreign[self.random.below(foreign.len())]),
        }
        *tokens = self::tokens(&lines.concat());
    }
}

/// Words, runs of blanks, and single other characters.
pub fn tokens(text: &[u8]) -> Vec<Vec<u8>> {
    let class = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'.' => 1,
        b' ' | b'\n' => 2,
        _ => 0,
    };
    let same = |&a: &u8, &b: &u8| class(a) == class(b) && class(a) != 0;
    text.chunk_by(same).map(<[u8]>::to_vec).collect()
}
