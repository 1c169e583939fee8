//! Printing of launches, and of what threads do together.

use super::{Printer, name, names};
use crate::program::{Bin, Launch, Update, Var};

impl Printer<'_> {
    pub(super) fn launch(&mut self, launch: &Launch) {
        let [groups, threads, grid, block] = &launch.ids;
        let head = format!(
            "gpu.launch {} {}{}{} {{",
            range("blocks", groups, (grid, &launch.grid)),
            range("threads", threads, (block, &launch.block)),
            self.attributions("workgroup", &launch.shared),
            self.attributions("private", &launch.private),
        );
        self.line(&head);
        self.region(&launch.body, "gpu");
        self.indent += 1;
        self.line("gpu.terminator");
        self.indent -= 1;
        self.line("}");
    }

    fn attributions(&self, keyword: &str, memrefs: &[Var]) -> String {
        match memrefs {
            [] => String::new(),
            _ => format!(" {keyword}({})", self.typed(memrefs)),
        }
    }

    pub(super) fn all_reduce(&mut self, kind: Bin, value: Var, result: Var) {
        let ty = self.ty(value);
        self.line(&format!(
            "{} = gpu.all_reduce {} {} {{}} : ({ty}) -> ({ty})",
            name(result),
            reduction(kind),
            name(value),
        ));
    }

    /// Prints an atomic update; `id` makes the name of its result unique.
    pub(super) fn atomic(&mut self, id: u32, by: &Update) {
        let (element, memref) = (self.ty(by.value), self.ty(by.mem));
        self.line(&format!(
            "%old{id} = memref.atomic_rmw {} {}, {}[{}] : ({element}, {memref}) -> {element}",
            update(by.kind),
            name(by.value),
            name(by.mem),
            names(&by.at),
        ));
    }
}

/// Ids and sizes of a launch in x, y and z.
fn range(keyword: &str, ids: &[Var; 3], (sizes, given): (&[Var; 3], &[Var; 3])) -> String {
    let pairs = sizes.iter().zip(given);
    let pairs = pairs.map(|(&size, &given)| format!("{} = {}", name(size), name(given)));
    let pairs: Vec<String> = pairs.collect();
    format!("{keyword}({}) in ({})", names(ids), pairs.join(", "))
}

/// The name of a reduction of a workgroup or of a vector.
pub(super) fn reduction(kind: Bin) -> &'static str {
    match kind {
        Bin::MulI => "mul",
        Bin::AndI => "and",
        Bin::OrI => "or",
        Bin::XorI => "xor",
        Bin::MinSI => "minsi",
        Bin::MinUI => "minui",
        Bin::MaxSI => "maxsi",
        Bin::MaxUI => "maxui",
        _ => "add",
    }
}

/// The name of an atomic update.
fn update(kind: Bin) -> &'static str {
    match kind {
        Bin::AndI => "andi",
        Bin::OrI => "ori",
        Bin::XorI => "xori",
        Bin::MinSI => "mins",
        Bin::MinUI => "minu",
        Bin::MaxSI => "maxs",
        Bin::MaxUI => "maxu",
        Bin::MulI => "muli",
        _ => "addi",
    }
}
