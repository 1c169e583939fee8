//! Loop-carried matrices: values that go round a loop or come out of a condition live in variables
//! of the function.
//!
//! ```text
//! %r = scf.for … iter_args(%c = %init)      OpStore %v %init
//!   …                                       loop: %c = OpLoad %v
//!   scf.yield %d                        ⇒     …
//!                                             OpStore %v %d
//!                                           %r = OpLoad %v
//! ```
//!
//! That is what compilers of shading languages emit, and so what drivers take for granted.

use gridloom_dialects::gpu::MmaMatrix;
use gridloom_ir::{OpId, Value};
use rspirv::spirv::Word;

use super::type_of;
use crate::kernel::{Kernel, Lowered, Lowering};

/// Variables of the matrices among the results of an operation with regions.
pub(crate) struct Carried {
    /// Type and variable of each result that is a matrix.
    variables: Vec<Option<[Word; 2]>>,
}

impl Carried {
    /// Declares variables for the results of an operation.
    pub(crate) fn of(k: &mut Kernel<'_>, op: OpId) -> Lowering<Carried> {
        let results: Vec<Value> = k.body[op].results().collect();
        let mut variables = Vec::with_capacity(results.len());
        for value in results {
            variables.push(match MmaMatrix::of(k.ctx, k.body.ty(value)) {
                Some(_) => {
                    let ty = type_of(k, op, value)?;
                    Some([ty, k.e.local_variable(ty)])
                }
                None => None,
            });
        }
        Ok(Carried { variables })
    }

    /// Returns the values for the results that are no matrices.
    pub(crate) fn others<T: Copy>(&self, values: &[T]) -> Vec<T> {
        let pairs = self.variables.iter().zip(values);
        let others = pairs.filter(|(variable, _)| variable.is_none());
        others.map(|(_, &value)| value).collect()
    }

    /// Stores the matrices among the values of all results to their variables.
    pub(crate) fn store(&self, k: &mut Kernel<'_>, values: &[Word]) {
        for (variable, &value) in self.variables.iter().zip(values) {
            if let &Some([_, variable]) = variable {
                k.e.store(variable, value);
            }
        }
    }

    /// Defines the values of all results: matrices by loads of their variables, the others by
    /// `words`.
    pub(crate) fn define(&self, k: &mut Kernel<'_>, values: &[Value], words: &[Word]) {
        let mut words = words.iter();
        for (variable, &value) in self.variables.iter().zip(values) {
            let word = match *variable {
                Some([ty, variable]) => Some(k.e.load(ty, variable)),
                None => words.next().copied(),
            };
            if let Some(word) = word {
                k.define(value, Lowered::Reg(word));
            }
        }
    }
}
