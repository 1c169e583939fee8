//! Functions of our own in the module: emulations too long to repeat at each
//! use. Drivers inline them.

use std::borrow::Cow;

use gridloom_ir::hash::FxHashMap;
use rspirv::spirv::{Op, Word};

use crate::emit::{Emitter, FloatWidths};
use crate::types::Reg;

/// The helper functions made so far, by name and register.
#[derive(Default, Debug)]
pub(crate) struct Helpers {
    made: FxHashMap<(Cow<'static, str>, Reg), (Word, FloatWidths)>,
}

impl Helpers {
    /// Calls the helper `name` for `reg`, from `params` registers to one of
    /// `result`, and makes it first where it is new: `body` emits its
    /// instructions and gives its value. A name stands for one body.
    pub(crate) fn call(
        &mut self,
        e: &mut Emitter,
        name: impl Into<Cow<'static, str>>,
        (params, result): (&[Reg], Reg),
        args: &[Word],
        body: impl FnOnce(&mut Emitter, &[Word]) -> Word,
    ) -> Word {
        let key = (name.into(), params.first().copied().unwrap_or(result));
        let result_type = e.machine(result);
        let (function, floats) = match self.made.get(&key) {
            Some(&made) => made,
            None => {
                let outside = std::mem::take(&mut e.floats);
                let types: Vec<Word> = params.iter().map(|&reg| e.machine(reg)).collect();
                let (function, params) = e.begin_function(result_type, &types);
                e.name(function, &key.0);
                let value = body(e, &params);
                e.ret_value(value);
                e.end_function();
                let inside = std::mem::replace(&mut e.floats, outside);
                self.made.insert(key, (function, inside));
                (function, inside)
            }
        };
        e.floats = e.floats.or(floats);
        let mut ids = vec![function];
        ids.extend_from_slice(args);
        e.op(Op::FunctionCall, result_type, &ids)
    }
}
