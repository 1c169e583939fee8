//! Printing of elementwise folds of vectors.

use super::launch::reduction;
use super::transfers::{dialect, place_text};
use super::{Printer, bin_name, name};
use crate::program::{Lanes, LanesForm, VectorFold, VectorSink};

impl Printer<'_> {
    /// Prints the operations of a fold; `id` makes their value names unique.
    pub(super) fn vector_fold(&mut self, id: u32, fold: &VectorFold, given: &str) {
        let element = self.ty(fold.padding);
        let vector = format!("vector<{}x{element}>", fold.lanes);
        let mut parts = Vec::new();
        for (number, from) in fold.from.iter().enumerate() {
            let part = format!("%part{id}_{number}");
            let (text, tail) = self.moved("read", from, &vector);
            let padding = match from.form {
                LanesForm::Whole => String::new(),
                _ => format!(", {}", name(fold.padding)),
            };
            self.line(&format!("{part} = {text}{padding}{tail}, {vector}"));
            parts.push(part);
        }
        if let Some(splat) = fold.splat {
            let part = format!("%splat{id}");
            let splat = name(splat);
            self.line(&format!(
                "{part} = vector.broadcast {splat} : {element} to {vector}"
            ));
            parts.push(part);
        }
        let mut folded = parts[0].clone();
        for (number, part) in parts.iter().enumerate().skip(1) {
            let kind = bin_name(fold.kind);
            let next = format!("%fold{id}_{number}");
            self.line(&format!(
                "{next} = arith.{kind} {folded}, {part} : {vector}"
            ));
            folded = next;
        }
        match &fold.to {
            VectorSink::Reduced(kind) => self.line(&format!(
                "{given}vector.reduction <{}>, {folded} : {vector} into {element}",
                reduction(*kind)
            )),
            VectorSink::Memory(to) => {
                let (text, tail) = self.moved("write", to, &vector);
                let (operation, place) = text.split_once(' ').unwrap_or_default();
                let types = match to.form {
                    LanesForm::Whole => format!("{tail}, {vector}"),
                    _ => tail,
                };
                self.line(&format!("{operation} {folded}, {place}{types}"));
            }
        }
    }

    /// The operation and the place of a move, and its attributes and types but the last one.
    fn moved(&self, direction: &str, lanes: &Lanes, vector: &str) -> (String, String) {
        let (place, memref) = (place_text(&lanes.first), self.ty(lanes.first.mem));
        if lanes.form == LanesForm::Whole {
            let kind = if direction == "read" { "load" } else { "store" };
            let operation = match dialect(&lanes.first) {
                "affine" => format!("affine.vector_{kind}"),
                _ => format!("vector.{kind}"),
            };
            return (format!("{operation} {place}"), format!(" : {memref}"));
        }
        let rank = self.program.mem(lanes.first.mem).rank();
        let dims: Vec<String> = (0..rank).map(|dim| format!("d{dim}")).collect();
        let along = lanes.dim.map_or("0", |dim| &dims[dim]);
        let is_inside = lanes.form == LanesForm::InBounds || lanes.dim.is_none();
        let attributes = format!(
            " {{in_bounds = [{is_inside}], permutation_map = affine_map<({}) -> ({along})>}}",
            dims.join(", ")
        );
        let types = match direction {
            "read" => format!(" : {memref}"),
            _ => format!(" : {vector}, {memref}"),
        };
        let operation = format!("vector.transfer_{direction} {place}");
        (operation, format!("{attributes}{types}"))
    }
}
