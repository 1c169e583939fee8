//! Mapping of a program's loops to kernels, for arguments of any or of given sizes.

use std::sync::Mutex;

use gridloom_codegen::pass::offload::offload;
use gridloom_codegen::target::OffloadOptions;
use gridloom_codegen::transform::specialize_function::KnownArgument;
use gridloom_ir::verify::verify;
use gridloom_ir::{Context, Diagnostic, Diagnostics, Module, Severity};

use crate::host_value::HostValue;
use crate::program::{Program, emulated, mappable};
use crate::specialization;

/// Maps the loops of a program in the form of [`Program::source`], specialized to known arguments.
/// Returns remarks on loops that stay on the host.
pub(crate) fn map(
    ctx: &Context,
    module: &mut Module,
    entry: &str,
    known: &[KnownArgument],
    options: &OffloadOptions,
) -> Result<Diagnostics, Diagnostics> {
    specialization::specialize(ctx, module, entry, known);
    let remarks = offload(ctx, module, options)?;
    verify_mapped(ctx, module)?;
    Ok(remarks)
}

/// Verifies a module that passes have made like one of a user, so that an error of the compiler reaches neither a driver nor a
/// file.
///
/// # Errors
/// What the verifier found, which is to be reported.
pub fn verify_mapped(ctx: &Context, module: &Module) -> Result<(), Diagnostics> {
    let mut broken = verify(ctx, module);
    if !broken.has_errors() {
        return Ok(());
    }
    let message = "the compiler made this of a valid program: please report it; -O0 transforms programs least";
    broken.error(module.op().loc, message);
    Err(broken)
}

impl<'c> Program<'c> {
    /// Specializes the program to arguments like `inputs`: of their sizes, and with the same
    /// integers where sizes may follow from them. [`Program::mapped`] then makes kernels that are
    /// faster than those for any arguments; a run on others is a fault. Nothing outside of the program
    /// writes its globals, so that those it only loads from are constant.
    #[must_use]
    pub fn specialized(mut self, inputs: &[HostValue]) -> Self {
        specialization::make_globals_private(self.ctx, &mut self.source);
        self.known = specialization::known(self.ctx, &self.source, &self.entry, Some(inputs));
        self
    }

    /// Describes the sizes and integers that the program is specialized to; `None` where it takes
    /// any arguments of its types.
    pub fn specialization(&self) -> Option<String> {
        specialization::described(self.ctx, &self.parameters, &self.known)
    }

    /// Maps the program again, with other options. Where it is specialized and the compiler refuses
    /// it with these sizes, which an operation may contradict, it is mapped for any sizes; a remark
    /// says which of the two happened.
    ///
    /// # Errors
    /// The compiler's own errors.
    pub fn mapped(&self, options: &OffloadOptions) -> Result<Program<'c>, Diagnostics> {
        let mapped = self.mapped_for(self.known.clone(), options);
        let Some(words) = self.specialization() else {
            return mapped;
        };
        match mapped {
            Ok(mut program) => {
                program.remarks.push(self.is_specialized(&words));
                Ok(program)
            }
            Err(errors) => {
                let open = specialization::of_any_run(self.ctx, &self.source, &self.entry);
                let mut program = self.mapped_for(open, options)?;
                let mut errors = errors
                    .iter()
                    .filter(|found| found.severity == Severity::Error);
                let why = errors.next().map(|error| not_specialized(&words, error));
                why.into_iter().for_each(|why| program.remarks.push(why));
                Ok(program)
            }
        }
    }

    fn mapped_for(
        &self,
        known: Vec<KnownArgument>,
        options: &OffloadOptions,
    ) -> Result<Program<'c>, Diagnostics> {
        let mut compiled = mappable(&self.source, self.with_matrices.as_ref(), Some(options));
        let remarks = map(self.ctx, &mut compiled, &self.entry, &known, options)?;
        let emulated = emulated(self.ctx, &compiled)?;
        Ok(Program {
            ctx: self.ctx,
            source: self.source.clone(),
            with_matrices: self.with_matrices.clone(),
            compiled,
            emulated,
            entry: self.entry.clone(),
            parameters: self.parameters.clone(),
            results: self.results.clone(),
            known,
            kernels: Mutex::default(),
            remarks,
        })
    }

    /// Remark that a program is specialized.
    fn is_specialized(&self, words: &str) -> Diagnostic {
        let function = self
            .source
            .symbols(self.ctx)
            .get(self.ctx.ident(&self.entry));
        let loc = function.map_or(self.source.op().loc, |op| self.source.body()[op].loc);
        Diagnostic::remark(
            loc,
            format!("kernels are for the arguments of this run: {words}"),
        )
    }
}

/// Remark that a program is not specialized, with the error that prevented it.
fn not_specialized(words: &str, error: &Diagnostic) -> Diagnostic {
    let message = format!(
        "kernels are not specialized to the arguments of this run ({words}): with them, the \
         compiler refuses this operation: {}",
        error.message
    );
    Diagnostic::remark(error.loc, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_a_pass_is_told_as_one_of_the_compiler() {
        let ctx = crate::context();
        let text = "func.func @f() -> i32 {
          %double = arith.addi %one, %one : i32
          %one = arith.constant 1 : i32
          return %double : i32
        }";
        let options = gridloom_ir::text::ParseOptions::default();
        let module = gridloom_ir::read_module(&ctx, "f.mlir", text.as_bytes(), &options);
        let module = module.unwrap_or_else(|found| panic!("{}", found.render(&ctx)));
        let found = verify_mapped(&ctx, &module).unwrap_err().render(&ctx);
        assert!(found.contains("f.mlir:2:"), "{found}");
        assert!(found.contains("does not dominate this use"), "{found}");
        assert!(found.contains("please report it"), "{found}");
    }
}
