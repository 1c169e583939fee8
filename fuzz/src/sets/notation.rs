//! Printer in isl's notation: `[s0] -> { [d0, d1] : exists e0 : d0 - 2e0 = 0 and d1 >= 0; … }`.

use std::fmt::Write as _;

use gridloom_presburger::{Affine, IntegerPolyhedron, LexPiece, Set, Space, UnionRelation};

/// Prints a set.
pub(super) fn show(set: &Set) -> String {
    let tuple = names("d", 0..set.space().dims());
    union(set, &format!("[{tuple}]"))
}

/// Prints a relation.
pub(super) fn show_map(relation: &UnionRelation) -> String {
    let domain = relation.domain_dims();
    let from = names("d", 0..domain);
    let to = names("d", domain..relation.pairs().space().dims());
    union(relation.pairs(), &format!("[{from}] -> [{to}]"))
}

/// Prints the points of a lexicographic optimum's pieces, for each value of the symbols.
pub(super) fn show_pieces(pieces: &[LexPiece], space: Space) -> String {
    let tuple = names("d", 0..space.dims());
    let mut all = Vec::new();
    for piece in pieces {
        let inner = piece.domain.space();
        let values = piece.values.iter().enumerate();
        let values = values.map(|(dim, value)| format!("d{dim} = {}", form(inner, value)));
        let values: Vec<String> = values.collect();
        all.push(format!(
            "[{tuple}] : {}",
            constraints(&piece.domain, &values)
        ));
    }
    if all.is_empty() {
        all.push(format!("[{tuple}] : false"));
    }
    braces(space, &all)
}

fn union(set: &Set, tuple: &str) -> String {
    let disjuncts = set.disjuncts().iter();
    let shown = disjuncts.map(|disjunct| format!("{tuple} : {}", constraints(disjunct, &[])));
    let mut all: Vec<String> = shown.collect();
    if all.is_empty() {
        all.push(format!("{tuple} : false"));
    }
    braces(set.space(), &all)
}

fn braces(space: Space, disjuncts: &[String]) -> String {
    let symbols = names("s", 0..space.symbols());
    format!("[{symbols}] -> {{ {} }}", disjuncts.join("; "))
}

/// Prints the conjunction of all rows and of further constraints.
fn constraints(set: &IntegerPolyhedron, more: &[String]) -> String {
    let space = set.space();
    let shown = |row: &[i64]| form(space, &Affine::from_row(row));
    let equalities = set.equalities().map(|row| format!("{} = 0", shown(row)));
    let inequalities = set.inequalities().map(|row| format!("{} >= 0", shown(row)));
    let mut all: Vec<String> = equalities.chain(inequalities).collect();
    all.extend_from_slice(more);
    if all.is_empty() {
        return "true".to_owned();
    }
    let all = all.join(" and ");
    match space.locals() {
        0 => all,
        count => format!("exists ({} : {all})", names("e", 0..count)),
    }
}

fn form(space: Space, form: &Affine) -> String {
    let mut text = form.constant_term().to_string();
    for (column, &entry) in form.coefficients().iter().enumerate() {
        let (dims, outer) = (space.dims(), space.dims() + space.symbols());
        let (letter, number) = match column {
            _ if column < dims => ('d', column),
            _ if column < outer => ('s', column - dims),
            _ => ('e', column - outer),
        };
        // Writing to a String cannot fail.
        let _ = write!(text, " + {entry}*{letter}{number}");
    }
    text
}

fn names(letter: &str, numbers: std::ops::Range<usize>) -> String {
    let names: Vec<String> = numbers.map(|number| format!("{letter}{number}")).collect();
    names.join(", ")
}
