//! Printing of loops, conditions and branches.

use super::{Operands, Printer, inline, map_of, name, names};
use crate::affine::Expr;
use crate::program::{Bin, Block, Bound, Cond, Op, Step, Stmt, Var};

impl Printer<'_> {
    fn bound(bound: &Bound, extremum: &str) -> String {
        match bound {
            Bound::Value(var) => name(*var),
            Bound::Affine(exprs) => match &exprs[..] {
                [Expr::Const(value)] => value.to_string(),
                [one] => map_of(std::slice::from_ref(one)),
                _ => format!("{extremum} {}", map_of(exprs)),
            },
        }
    }

    fn step(step: Step) -> String {
        match step {
            Step::Known(value) => value.to_string(),
            Step::Value(var) => name(var),
        }
    }

    fn carried(&self, carried: &[(Var, Var)], results: &[Var]) -> String {
        if carried.is_empty() {
            return String::new();
        }
        let pairs: Vec<String> = carried
            .iter()
            .map(|&(arg, init)| format!("{} = {}", name(arg), name(init)))
            .collect();
        format!(
            " iter_args({}) -> ({})",
            pairs.join(", "),
            self.types(results)
        )
    }

    pub(super) fn counted_loop(&mut self, stmt: &Stmt, given: &str) {
        match &stmt.op {
            Op::For {
                affine,
                iv,
                lower,
                upper,
                step,
                carried,
                body,
            } => {
                let dialect = if *affine { "affine" } else { "scf" };
                let head = format!(
                    "{given}{dialect}.for {} = {} to {} step {}{} {{",
                    name(*iv),
                    Self::bound(lower, "max"),
                    Self::bound(upper, "min"),
                    Self::step(*step),
                    self.carried(carried, &stmt.results)
                );
                self.line(&head);
                self.region(body, dialect);
                self.line("}");
            }
            Op::Parallel {
                affine,
                ivs,
                lower,
                upper,
                steps,
                reductions,
                body,
            } => {
                let steps: Vec<String> = steps.iter().map(|&step| Self::step(step)).collect();
                let steps = steps.join(", ");
                let (dialect, head) = if *affine {
                    let sides = |bounds: &[Bound], extremum: &str| {
                        let texts: Vec<String> = bounds
                            .iter()
                            .map(|bound| match bound {
                                Bound::Affine(exprs) if exprs.len() > 1 => {
                                    format!("{extremum}({})", inline(exprs))
                                }
                                Bound::Affine(exprs) => inline(exprs),
                                Bound::Value(var) => name(*var),
                            })
                            .collect();
                        texts.join(", ")
                    };
                    let (low, high) = (sides(lower, "max"), sides(upper, "min"));
                    let names_of: Vec<String> = reductions
                        .iter()
                        .map(|&bin| format!("\"{}\"", reduction_name(bin)))
                        .collect();
                    let reduce = match reductions[..] {
                        [] => String::new(),
                        _ => format!(
                            " reduce ({}) -> ({})",
                            names_of.join(", "),
                            self.types(&stmt.results)
                        ),
                    };
                    (
                        "affine",
                        format!("({low}) to ({high}) step ({steps}){reduce}"),
                    )
                } else {
                    let side = |bounds: &[Bound]| {
                        let texts: Vec<String> =
                            bounds.iter().map(|bound| Self::bound(bound, "")).collect();
                        texts.join(", ")
                    };
                    (
                        "scf",
                        format!("({}) to ({}) step ({steps})", side(lower), side(upper)),
                    )
                };
                self.line(&format!(
                    "{given}{dialect}.parallel ({}) = {head} {{",
                    names(ivs)
                ));
                self.region(body, dialect);
                self.line("}");
            }
            _ => {}
        }
    }

    pub(super) fn conditional(
        &mut self,
        cond: &Cond,
        then: &Block,
        otherwise: Option<&Block>,
        given: &str,
        results: &[Var],
    ) {
        let arrow = match results {
            [] => String::new(),
            _ => format!(" -> ({})", self.types(results)),
        };
        let dialect = match cond {
            Cond::Value(var) => {
                self.line(&format!("{given}scf.if {}{arrow} {{", name(*var)));
                "scf"
            }
            Cond::Set(list) => {
                let mut operands = Operands::default();
                let texts: Vec<String> = list
                    .iter()
                    .map(|(expr, equal)| {
                        format!(
                            "{} {} 0",
                            operands.expr(expr),
                            if *equal { "==" } else { ">=" }
                        )
                    })
                    .collect();
                let (dims, symbols) = operands.heads();
                let symbols = if symbols.is_empty() {
                    symbols
                } else {
                    format!("[{symbols}]")
                };
                self.line(&format!(
                    "{given}affine.if affine_set<({dims}){symbols} : ({})>{}{arrow} {{",
                    texts.join(", "),
                    operands.actual()
                ));
                "affine"
            }
        };
        self.region(then, dialect);
        if let Some(block) = otherwise {
            self.line("} else {");
            self.region(block, dialect);
        }
        self.line("}");
    }

    pub(super) fn while_loop(&mut self, stmt: &Stmt, given: &str) {
        let Op::While {
            carried,
            before,
            cond,
            passed,
            after,
        } = &stmt.op
        else {
            return;
        };
        let pairs: Vec<String> = carried
            .iter()
            .map(|&(arg, init)| format!("{} = {}", name(arg), name(init)))
            .collect();
        let inits: Vec<Var> = carried.iter().map(|pair| pair.0).collect();
        let head = format!(
            "{given}scf.while ({}) : ({}) -> ({}) {{",
            pairs.join(", "),
            self.types(&inits),
            self.types(&stmt.results)
        );
        self.line(&head);
        self.indent += 1;
        self.stmts(before);
        let yields = &before.yields;
        let condition = format!(
            "scf.condition({}) {} : {}",
            name(*cond),
            names(yields),
            self.types(yields)
        );
        self.line(&condition);
        self.indent -= 1;
        self.line("} do {");
        let label = format!("^bb{}({}):", self.label(), self.typed(passed));
        self.line(&label);
        self.region(after, "scf");
        self.line("}");
    }

    /// Prints the blocks of the function's body.
    pub(super) fn branches(&mut self, stmt: &Stmt) {
        let [first, second, last] = [self.label(), self.label(), self.label()];
        let to = |printer: &Self, label: usize, values: &[Var]| match values {
            [] => format!("^bb{label}"),
            _ => format!("^bb{label}({} : {})", names(values), printer.types(values)),
        };
        let head = |printer: &Self, label: usize, values: &[Var]| match values {
            [] => format!("^bb{label}:"),
            _ => format!("^bb{label}({}):", printer.typed(values)),
        };
        match &stmt.op {
            Op::Branch {
                cond,
                then,
                otherwise,
            } => {
                self.line(&format!(
                    "cf.cond_br {}, ^bb{first}, ^bb{second}",
                    name(*cond)
                ));
                for (label, block) in [(first, then), (second, otherwise)] {
                    self.line(&format!("^bb{label}:"));
                    self.stmts(block);
                    let target = to(self, last, &block.yields);
                    self.line(&format!("cf.br {target}"));
                }
                let label = head(self, last, &stmt.results);
                self.line(&label);
            }
            Op::Cycle {
                carried,
                head: test,
                cond,
                until,
                body,
            } => {
                let inits: Vec<Var> = carried.iter().map(|pair| pair.1).collect();
                let args: Vec<Var> = carried.iter().map(|pair| pair.0).collect();
                let target = to(self, first, &inits);
                self.line(&format!("cf.br {target}"));
                let label = head(self, first, &args);
                self.line(&label);
                self.stmts(test);
                let exit = to(self, last, &args);
                let cond = name(*cond);
                self.line(&match until {
                    false => format!("cf.cond_br {cond}, ^bb{second}, {exit}"),
                    true => format!("cf.cond_br {cond}, {exit}, ^bb{second}"),
                });
                self.line(&format!("^bb{second}:"));
                self.stmts(body);
                let target = to(self, first, &body.yields);
                self.line(&format!("cf.br {target}"));
                let label = head(self, last, &stmt.results);
                self.line(&label);
            }
            _ => {}
        }
    }
}

/// The name of a reduction of `affine.parallel`.
fn reduction_name(bin: Bin) -> &'static str {
    match bin {
        Bin::AddI => "addi",
        Bin::MulI => "muli",
        Bin::MinSI => "mins",
        Bin::MaxSI => "maxs",
        Bin::MinUI => "minu",
        Bin::MaxUI => "maxu",
        Bin::OrI => "ori",
        Bin::AndI => "andi",
        Bin::MaximumF => "maximumf",
        Bin::MinimumF => "minimumf",
        _ => "addf",
    }
}
