//! Random modules, deterministic by seed, for tests of round trips and of
//! damaged input.
//!
//! The modules are valid. Operations without rows have regions, blocks,
//! successors and, in graph regions, uses before definitions ([`foreign`]).
//! Known operations follow their rows: operands, attributes and results satisfy
//! the declared constraints, and the verifier accepts the operation
//! ([`known`]). Both have types, attributes and locations of all kinds
//! ([`values`], [`pool`]).

mod foreign;
mod known;
mod pool;
mod regions;
mod symbols;
mod values;

use gridloom_dialects::builtin;
use gridloom_ir::attr::AttrDict;
use gridloom_ir::context::Context;
use gridloom_ir::module::Module;
use gridloom_ir::op::OpSignature;
use gridloom_ir::text::resources::{Group, Resources, Value};
use gridloom_ir::verify::Scope;

/// Keys of resources that random attributes refer to.
const RESOURCES: [&str; 3] = ["blob", "odd key", "other_blob"];

/// A random module with about `size` operations.
pub fn random_module(ctx: &Context, seed: u64, size: usize) -> Module {
    let mut generator = Generator {
        ctx,
        state: seed ^ 0x5851_f42d_4c95_7f2d,
        left: size,
        named: 0,
        rows: known::rows(),
    };
    let mut module = Module::new(generator.file_location());
    module.metadata = generator.resources();
    let (block, mut body) = (module.block(), std::mem::take(module.body_mut()));
    let (root, op) = module.root();
    debug_assert!(root[op].name == builtin::MODULE);
    let scope = Scope::of(ctx, root, None);
    while generator.left > 0 {
        match generator.below(3) {
            0 => generator.graph_block(&mut body, block, &[], 0),
            _ => generator.symbols(&mut body, block, (&scope, op), 0),
        }
    }
    *module.body_mut() = body;
    module
}

struct Generator<'c> {
    ctx: &'c Context,
    state: u64,
    /// The number of operations still to generate.
    left: usize,
    /// The number of symbols named so far.
    named: usize,
    /// The rows of operations that may stand in a function, grouped by dialect.
    rows: Vec<Vec<&'static OpSignature>>,
}

impl Generator<'_> {
    /// The next number of the generator (SplitMix64).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..bound`.
    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One element of a list, which must not be empty.
    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A fresh symbol name.
    fn fresh_name(&mut self) -> String {
        self.named += 1;
        match self.below(8) {
            0 => format!("odd name {}", self.named),
            1 => format!("_.$-{}", self.named),
            _ => format!("f{}", self.named),
        }
    }

    /// A dictionary of attributes of no known dialect, nested `depth` deep.
    fn dict(&mut self, depth: u32) -> AttrDict {
        let names = ["a", "b", "dialect.c", "with blank", "z_$.9", "i32"];
        let count = self.below(4);
        self.entries(&names, count, depth)
    }

    /// A dictionary of attributes with a dialect's prefix.
    fn dialect_dict(&mut self) -> AttrDict {
        let count = self.below(3);
        self.entries(&["t.a", "t.b_$", "odd dialect.x y"], count, 1)
    }

    fn entries(&mut self, names: &[&str], count: usize, depth: u32) -> AttrDict {
        let mut entries = Vec::new();
        for _ in 0..count {
            let name = self.pick(names);
            entries.push((self.ctx.ident(name), self.attr(depth)));
        }
        self.ctx.attr_dict(entries)
    }

    /// The resource section with the keys of [`RESOURCES`].
    fn resources(&mut self) -> String {
        let blob = |g: &mut Self| Value::Blob {
            alignment: 1 << g.below(5),
            data: (0..g.below(40)).map(|_| g.next() as u8).collect(),
        };
        let own = RESOURCES.map(|key| (key.to_owned(), blob(self)));
        let others = vec![
            ("odd \"key".to_owned(), blob(self)),
            ("flag".to_owned(), Value::Bool(self.one_in(2))),
            ("text".to_owned(), Value::String(b"a \"b\" \xff".to_vec())),
        ];
        let group = |name: &str, entries| Group {
            name: name.to_owned(),
            entries,
        };
        let external = match self.one_in(2) {
            true => vec![group("tool", others)],
            false => Vec::new(),
        };
        let all = Resources {
            dialect: vec![group("builtin", own.into())],
            external,
        };
        all.print(self.ctx)
    }
}
