//! Comparison of `gridloom-presburger` with isl: random sets and relations go through every
//! operation, and isl's Python bindings compare the results.
//!
//! Here the sets are drawn and gridloom's answers written, one question a line, in isl's notation;
//! `compare.py` asks isl the same and compares sets as sets. `fuzz/README.md` has the command and
//! what came of it.

mod draw;
mod notation;

use std::io::{BufWriter, Write};
use std::process::{Command, ExitCode, Stdio};

use gridloom_presburger::{
    Cardinality, Extreme, IntegerPolyhedron, LexPiece, Relation, Set, UnionRelation, ValueRange,
};

use crate::random::Random;
use draw::Shape;
use notation::{show, show_map, show_pieces};

/// Python program that asks isl.
const COMPARE: &str = include_str!("compare.py");

/// Draws `count` sets and compares the results of operations on them; the interpreter is
/// `GRIDLOOM_PYTHON`, or `python3`, and needs `islpy`.
pub fn run(count: u64, seed: u64) -> ExitCode {
    let python = std::env::var_os("GRIDLOOM_PYTHON").unwrap_or_else(|| "python3".into());
    let child = Command::new(&python)
        .args(["-c", COMPARE])
        .stdin(Stdio::piped())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => {
            eprintln!("{} does not start: {error}", python.to_string_lossy());
            return ExitCode::from(2);
        }
    };
    let Some(input) = child.stdin.take() else {
        return ExitCode::from(2);
    };
    let mut input = BufWriter::new(input);
    // Two sets for each case. If the other process ends early, its status reports it.
    let written = (0..count.div_ceil(2)).try_for_each(|case| {
        let mut questions = Questions::default();
        questions.ask(seed.wrapping_add(case));
        input.write_all(questions.text.as_bytes())
    });
    drop(written.and_then(|()| input.flush()));
    drop(input);
    match child.wait() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{}: {error}", python.to_string_lossy());
            ExitCode::from(2)
        }
    }
}

/// Questions, one a line: `case, operation, operands, answer`, separated by tabs. The answer `?` is
/// "unknown".
#[derive(Default)]
struct Questions {
    text: String,
    case: u64,
}

impl Questions {
    fn line(&mut self, operation: &str, operands: &[&str], answer: Option<String>) {
        let answer = answer.unwrap_or_else(|| "?".to_owned());
        let operands = operands.join("\t");
        let case = self.case;
        self.text
            .push_str(&format!("{case}\t{operation}\t{operands}\t{answer}\n"));
    }

    /// Asks all questions about the sets of one seed.
    fn ask(&mut self, seed: u64) {
        self.case = seed;
        let mut random = Random::new(seed);
        let shape = Shape::draw(&mut random);
        let (first, second) = (shape.set(&mut random), shape.set(&mut random));
        self.ask_sets(&first, &second);
        self.ask_polyhedron(&first.disjuncts()[0], &second.disjuncts()[0]);
        self.ask_relations(&first, &second, random.below(shape.dims + 1));
    }

    fn ask_sets(&mut self, first: &Set, second: &Set) {
        let (a, b) = (&*show(first), &*show(second));
        self.line("empty", &[a], answer(first.emptiness().answer()));
        self.line("subset", &[a, b], answer(first.is_subset(second)));
        self.line("equal", &[a, b], answer(first.is_equal(second)));
        self.line("intersect", &[a, b], Some(show(&first.intersect(second))));
        let union = first.union(second);
        self.line("union", &[a, b], Some(show(&union.simplify())));
        self.line("union", &[a, b], Some(show(&union.coalesce())));
        self.line(
            "subtract",
            &[a, b],
            first.subtract(second).as_ref().map(show),
        );
        self.line("complement", &[a], first.complement().as_ref().map(show));
        let disjoint = union.disjoint();
        self.line("union", &[a, b], disjoint.as_ref().map(show));
        let context = &second.disjuncts()[0];
        let (gist, context) = (first.gist(context), Set::from(context.clone()));
        let both = gist.intersect(&context);
        self.line("intersect", &[a, &show(&context)], Some(show(&both)));
        let count = match first.cardinality() {
            Cardinality::Finite(count) => Some(count.to_string()),
            Cardinality::Infinite => Some("infinite".to_owned()),
            Cardinality::Unknown => None,
        };
        self.line("count", &[a], count);
        let sides = first.bounding_box().map(|sides| {
            let shown = sides.iter().map(show_range).collect::<Option<Vec<_>>>();
            shown.map(|sides| sides.join(" "))
        });
        self.line(
            "box",
            &[a],
            sides.unwrap_or_else(|| Some("empty".to_owned())),
        );
    }

    fn ask_polyhedron(&mut self, set: &IntegerPolyhedron, other: &IntegerPolyhedron) {
        let dims = set.space().dims();
        let all = Set::from(set.clone());
        let a = &*show(&all);
        let doomed = [dims - 1];
        let kept = set.project_out_dims(dims - 1..dims);
        let form = kept.division_form();
        self.line("project", &[a], form.as_ref().map(show));
        let projection = set.eliminate(&doomed);
        let exact = match projection.exact {
            true => "project",
            false => "project_within",
        };
        self.line(exact, &[a], Some(show(&projection.set.into())));
        let pieces = |pieces: Option<Vec<LexPiece>>| Some(show_pieces(&pieces?, set.space()));
        self.line("lexmin", &[a], pieces(set.lexmin_pieces()));
        self.line("lexmax", &[a], pieces(set.lexmax_pieces()));
        let whole = Set::from(set.symbols_as_dims());
        for (operation, extreme) in [
            ("first", set.symbols_as_dims().lexmin()),
            ("last", set.symbols_as_dims().lexmax()),
        ] {
            let point = match extreme {
                Extreme::Point(point) => {
                    let shown: Vec<String> = point.iter().map(i64::to_string).collect();
                    Some(shown.join(" "))
                }
                Extreme::Empty => Some("empty".to_owned()),
                Extreme::Unbounded { .. } => Some("unbounded".to_owned()),
                Extreme::Unknown => None,
            };
            self.line(operation, &[&show(&whole)], point);
        }
        let gist = set.gist(other).intersect(other);
        let b = &*show(&other.clone().into());
        self.line("intersect", &[a, b], Some(show(&gist.into())));
    }

    fn ask_relations(&mut self, first: &Set, second: &Set, domain: usize) {
        let range = first.space().dims() - domain;
        let left = UnionRelation::from_pairs(domain, first.clone());
        let right = UnionRelation::from_pairs(domain, second.clone());
        let (a, b) = (&*show_map(&left), &*show_map(&right));
        self.line("inverse", &[a], Some(show_map(&left.inverse())));
        self.line("domain", &[a], Some(show(&left.domain())));
        self.line("range", &[a], Some(show(&left.range())));
        let through = left.compose(&right.inverse());
        self.line("compose_inverse", &[a, b], Some(show_map(&through)));
        let image = right.apply(&left.domain());
        self.line("image_of_domain", &[a, b], Some(show(&image)));
        if domain == range {
            let parts = Relation::from_pairs(domain, first.disjuncts()[0].clone());
            let part = &*show_map(&parts.clone().into());
            let distances = (0..domain).map(|dim| show_range(&parts.distance(dim)));
            let distances = distances.collect::<Option<Vec<_>>>();
            self.line("distances", &[part], distances.map(|all| all.join(" ")));
            let before = UnionRelation::lex_before(domain, first.space().symbols());
            let later = left.intersect(&before).coalesce();
            self.line("lex_before", &[a], Some(show_map(&later)));
        }
    }
}

fn answer(answer: gridloom_presburger::Answer) -> Option<String> {
    (answer.is_yes() || answer.is_no()).then(|| answer.is_yes().to_string())
}

/// Prints `lower..upper`, with nothing for an unbounded end.
fn show_range(range: &ValueRange) -> Option<String> {
    let end = |end: Option<i64>| end.map_or(String::new(), |end| end.to_string());
    match *range {
        ValueRange::Empty => Some("empty".to_owned()),
        ValueRange::Between {
            lower,
            upper,
            exact: true,
        } => Some(format!("{}..{}", end(lower), end(upper))),
        ValueRange::Between { .. } => None,
    }
}
