//! Random loop nests with a second meaning: run iteration by iteration from
//! their own description, without any of the code under test.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

/// A small deterministic generator (SplitMix64), so that a failure repeats.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1) as u64) as i64
    }

    pub fn one_in(&mut self, n: i64) -> bool {
        self.between(1, n) == 1
    }
}

/// `Σ coefficient * loop variable + constant`, then perhaps `mod` or `floordiv`.
#[derive(Clone, Debug)]
pub struct Expr {
    coefficients: Vec<i64>,
    constant: i64,
    by: Option<(bool, i64)>,
}

impl Expr {
    fn random(random: &mut Random, vars: usize, size: i64) -> Self {
        let coefficient = |random: &mut Random| match random.one_in(2) {
            true => 0,
            false => random.between(-2, 2),
        };
        Expr {
            coefficients: (0..vars).map(|_| coefficient(random)).collect(),
            constant: random.between(-1, size),
            by: random
                .one_in(6)
                .then(|| (random.one_in(2), random.between(2, 4))),
        }
    }

    fn constant(value: i64) -> Self {
        Expr {
            coefficients: Vec::new(),
            constant: value,
            by: None,
        }
    }

    fn eval(&self, vars: &[i64]) -> i64 {
        let terms = self.coefficients.iter().zip(vars).map(|(c, v)| c * v);
        let sum = terms.sum::<i64>() + self.constant;
        match self.by {
            None => sum,
            Some((true, by)) => sum.rem_euclid(by),
            Some((false, by)) => sum.div_euclid(by),
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (k, c) in self.coefficients.iter().enumerate() {
            let _ = write!(text, "%i{k} * {c} + ");
        }
        match self.by {
            None => format!("{text}{}", self.constant),
            Some((true, by)) => format!("({text}{}) mod {by}", self.constant),
            Some((false, by)) => format!("({text}{}) floordiv {by}", self.constant),
        }
    }

    /// As a bound: `affine_map<(d0, …) -> (…)>(%i0, …)`.
    fn bound(&self, vars: usize) -> String {
        let dims: Vec<String> = (0..vars).map(|k| format!("d{k}")).collect();
        let args: Vec<String> = (0..vars).map(|k| format!("%i{k}")).collect();
        let body = self.text().replace("%i", "d");
        format!(
            "affine_map<({}) -> ({body})>({})",
            dims.join(", "),
            args.join(", ")
        )
    }
}

#[derive(Clone, Debug)]
enum Stmt {
    For {
        id: usize,
        lower: Expr,
        upper: Expr,
        step: i64,
        body: Vec<Stmt>,
    },
    If {
        condition: Expr,
        is_eq: bool,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    Access {
        id: usize,
        array: usize,
        is_write: bool,
        subscripts: [Expr; 2],
    },
}

/// Extent of both dimensions of every array.
pub const EXTENT: i64 = 9;

/// A function of one nest over two arrays.
#[derive(Debug)]
pub struct Nest {
    body: Vec<Stmt>,
    pub loops: usize,
    pub accesses: usize,
}

impl Nest {
    pub fn random(random: &mut Random) -> Self {
        let mut nest = Nest {
            body: Vec::new(),
            loops: 0,
            accesses: 0,
        };
        let depth = random.between(1, 3) as usize;
        nest.body = vec![nest.random_loop(random, 0, depth)];
        nest
    }

    fn random_loop(&mut self, random: &mut Random, vars: usize, depth: usize) -> Stmt {
        let id = self.loops;
        self.loops += 1;
        let lower = match vars > 0 && random.one_in(3) {
            true => Expr::random(random, vars, 2),
            false => Expr::constant(random.between(0, 2)),
        };
        let upper = match vars > 0 && random.one_in(3) {
            true => Expr::random(random, vars, 6),
            false => Expr::constant(random.between(1, 7)),
        };
        let step = if random.one_in(4) {
            random.between(2, 3)
        } else {
            1
        };
        let mut body = Vec::new();
        for _ in 0..random.between(1, 2) {
            body.push(self.random_statement(random, vars + 1));
        }
        if depth > 1 {
            let inner = self.random_loop(random, vars + 1, depth - 1);
            let at = random.between(0, body.len() as i64) as usize;
            body.insert(at, inner);
        }
        Stmt::For {
            id,
            lower,
            upper,
            step,
            body,
        }
    }

    fn random_statement(&mut self, random: &mut Random, vars: usize) -> Stmt {
        if random.one_in(6) {
            return Stmt::If {
                condition: Expr::random(random, vars, 4),
                is_eq: random.one_in(4),
                then: vec![self.random_access(random, vars)],
                otherwise: match random.one_in(2) {
                    true => vec![self.random_access(random, vars)],
                    false => Vec::new(),
                },
            };
        }
        self.random_access(random, vars)
    }

    fn random_access(&mut self, random: &mut Random, vars: usize) -> Stmt {
        let id = self.accesses;
        self.accesses += 1;
        Stmt::Access {
            id,
            array: usize::from(random.one_in(3)),
            is_write: random.one_in(2),
            subscripts: [0, 1].map(|_| Expr::random(random, vars, EXTENT - 2)),
        }
    }

    /// The numbers of the accesses in the order of the text.
    pub fn order(&self) -> Vec<usize> {
        let mut numbers = Vec::new();
        collect(&self.body, &mut numbers);
        numbers
    }

    /// The nest as MLIR. Loops are numbered in the order of the text.
    pub fn text(&self) -> String {
        let ty = format!("memref<{EXTENT}x{EXTENT}xf32>");
        self.text_in(&format!("func.func @nest(%a0: {ty}, %a1: {ty}) {{\n"))
    }

    /// The same, with the two arrays told apart.
    pub fn text_of_distinct_arrays(&self) -> String {
        let ty = format!("memref<{EXTENT}x{EXTENT}xf32>");
        self.text_in(&format!(
            "func.func @nest(%x: {ty}, %y: {ty}) {{\n  \
             %a0, %a1 = memref.distinct_objects %x, %y : {ty}, {ty}\n"
        ))
    }

    fn text_in(&self, head: &str) -> String {
        let ty = format!("memref<{EXTENT}x{EXTENT}xf32>");
        let mut text = head.to_owned();
        print(&mut text, &self.body, 0, None, &ty);
        text.push_str("  return\n}\n");
        text
    }

    /// Runs the nest and says which loops have iterations that touch a common
    /// element with one writing, and which accesses leave their array.
    pub fn run(&self) -> Enumeration {
        let mut found = Enumeration::default();
        let mut run = Run {
            found: &mut found,
            touched: HashMap::new(),
        };
        run.statements(&self.body, &mut Vec::new(), &mut Vec::new());
        found
    }
}

/// What enumeration finds.
#[derive(Default, Debug)]
pub struct Enumeration {
    pub carrying_loops: HashSet<usize>,
    pub leaving_accesses: HashSet<usize>,
}

/// Of a loop in one iteration of those around it: by element, the iterations
/// that read and wrote it.
type Touched = HashMap<(usize, Vec<i64>, usize, i64, i64), Vec<(i64, bool)>>;

struct Run<'a> {
    found: &'a mut Enumeration,
    touched: Touched,
}

impl Run<'_> {
    fn statements(&mut self, list: &[Stmt], vars: &mut Vec<i64>, loops: &mut Vec<usize>) {
        for statement in list {
            match statement {
                Stmt::For {
                    id,
                    lower,
                    upper,
                    step,
                    body,
                } => {
                    let (mut i, end) = (lower.eval(vars), upper.eval(vars));
                    loops.push(*id);
                    while i < end {
                        vars.push(i);
                        self.statements(body, vars, loops);
                        vars.pop();
                        i += step;
                    }
                    loops.pop();
                }
                Stmt::If {
                    condition,
                    is_eq,
                    then,
                    otherwise,
                } => {
                    let value = condition.eval(vars);
                    let holds = if *is_eq { value == 0 } else { value >= 0 };
                    self.statements(if holds { then } else { otherwise }, vars, loops);
                }
                Stmt::Access {
                    id,
                    array,
                    is_write,
                    subscripts,
                } => {
                    let [x, y] = [0, 1].map(|k| subscripts[k].eval(vars));
                    if !(0..EXTENT).contains(&x) || !(0..EXTENT).contains(&y) {
                        self.found.leaving_accesses.insert(*id);
                        continue;
                    }
                    for (depth, &l) in loops.iter().enumerate() {
                        let outer = vars[..depth].to_vec();
                        let met = self.touched.entry((l, outer, *array, x, y)).or_default();
                        let now = (vars[depth], *is_write);
                        if met.iter().any(|old| old.0 != now.0 && (old.1 || now.1)) {
                            self.found.carrying_loops.insert(l);
                        }
                        if !met.contains(&now) {
                            met.push(now);
                        }
                    }
                }
            }
        }
    }
}

/// `loaded` is the access whose value the next store takes along.
fn print(text: &mut String, list: &[Stmt], vars: usize, mut loaded: Option<usize>, ty: &str) {
    for statement in list {
        let _ = match statement {
            Stmt::For {
                lower,
                upper,
                step,
                body,
                ..
            } => {
                let (lower, upper) = (lower.bound(vars), upper.bound(vars));
                let _ = writeln!(
                    text,
                    "affine.for %i{vars} = {lower} to {upper} step {step} {{"
                );
                print(text, body, vars + 1, loaded, ty);
                writeln!(text, "}}")
            }
            Stmt::If {
                condition,
                is_eq,
                then,
                otherwise,
            } => {
                let dims: Vec<String> = (0..vars).map(|k| format!("d{k}")).collect();
                let args: Vec<String> = (0..vars).map(|k| format!("%i{k}")).collect();
                let (dims, args) = (dims.join(", "), args.join(", "));
                let body = condition.text().replace("%i", "d");
                let relation = if *is_eq { "==" } else { ">=" };
                let _ = writeln!(
                    text,
                    "affine.if affine_set<({dims}) : ({body} {relation} 0)>({args}) {{"
                );
                print(text, then, vars, loaded, ty);
                if !otherwise.is_empty() {
                    let _ = writeln!(text, "}} else {{");
                    print(text, otherwise, vars, loaded, ty);
                }
                writeln!(text, "}}")
            }
            Stmt::Access {
                id,
                array,
                is_write,
                subscripts,
            } => {
                let place = subscripts.each_ref().map(Expr::text).join(", ");
                if *is_write {
                    let value = print_value(text, *id, vars, loaded);
                    writeln!(text, "affine.store {value}, %a{array}[{place}] : {ty}")
                } else {
                    loaded = Some(*id);
                    writeln!(text, "%x{id} = affine.load %a{array}[{place}] : {ty}")
                }
            }
        };
    }
}

/// A value that tells iterations and stores apart, and carries what was loaded.
fn print_value(text: &mut String, id: usize, vars: usize, loaded: Option<usize>) -> String {
    let dims: Vec<String> = (0..vars).map(|k| format!("d{k}")).collect();
    let args: Vec<String> = (0..vars).map(|k| format!("%i{k}")).collect();
    let terms: Vec<String> = (0..vars).map(|k| format!("d{k} * {}", 7 * k + 3)).collect();
    let (dims, args, terms) = (dims.join(", "), args.join(", "), terms.join(" + "));
    let _ = writeln!(
        text,
        "%n{id} = affine.apply affine_map<({dims}) -> ({terms} + {id})>({args})"
    );
    let _ = writeln!(text, "%k{id} = arith.index_cast %n{id} : index to i32");
    let _ = writeln!(text, "%f{id} = arith.sitofp %k{id} : i32 to f32");
    let Some(loaded) = loaded else {
        return format!("%f{id}");
    };
    let _ = writeln!(text, "%s{id} = arith.addf %f{id}, %x{loaded} : f32");
    format!("%s{id}")
}

fn collect(list: &[Stmt], numbers: &mut Vec<usize>) {
    for statement in list {
        match statement {
            Stmt::For { body, .. } => collect(body, numbers),
            Stmt::If {
                then, otherwise, ..
            } => {
                collect(then, numbers);
                collect(otherwise, numbers);
            }
            Stmt::Access { id, .. } => numbers.push(*id),
        }
    }
}
