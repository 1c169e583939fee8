//! Printing of DMA transfers.

use super::{Printer, inline, name, names};
use crate::program::{At, Place, Transfer, Var};

impl Printer<'_> {
    /// Prints the start of a transfer.
    pub(super) fn start(&self, transfer: &Transfer) -> String {
        let places = [&transfer.from, &transfer.to, &transfer.tag];
        let types = places.map(|place| self.ty(place.mem)).join(", ");
        let [from, to, tag] = places.map(place_text);
        let dialect = dialect(&transfer.tag);
        let count = name(transfer.count);
        let rows = match transfer.rows {
            Some((stride, each)) => format!(", {}, {}", name(stride), name(each)),
            None => String::new(),
        };
        match dialect {
            "affine" => format!("affine.dma_start {from}, {to}, {tag}, {count}{rows} : {types}"),
            _ => format!("memref.dma_start {from}, {to}, {count}, {tag}{rows} : {types}"),
        }
    }

    /// Prints the wait for a transfer.
    pub(super) fn wait(&self, tag: &Place, count: Var) -> String {
        let dialect = dialect(tag);
        let ty = self.ty(tag.mem);
        format!(
            "{dialect}.dma_wait {}, {} : {ty}",
            place_text(tag),
            name(count)
        )
    }
}

pub(super) fn dialect(place: &Place) -> &'static str {
    match place.at {
        At::Affine(_) => "affine",
        At::Plain(_) => "memref",
    }
}

pub(super) fn place_text(place: &Place) -> String {
    let at = match &place.at {
        At::Affine(exprs) => inline(exprs),
        At::Plain(vars) => names(vars),
    };
    format!("{}[{at}]", name(place.mem))
}
