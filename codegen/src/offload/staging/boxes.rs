//! Boxes of a contraction: the elements of each array that a workgroup loads in a chunk.

use gridloom_dialects::affine::{self, ForOp, LoadOp};
use gridloom_dialects::gridloom;
use gridloom_ir::{AffineExpr, OpId, Value};

use super::{Contraction, StagedArray, StagedDim, StagedLoad, computed, scalar_width, width_of};
use crate::analysis::access::{Place, accesses_below};
use crate::analysis::alias::{Alias, Root, root_of};
use crate::analysis::dependence::Dependences;
use crate::analysis::values::Atom;
use crate::offload::alignment::is_aligned;

impl Contraction<'_> {
    /// Collects the boxes that the staged loop loads from; `None` where there are none, or one that
    /// varies with the band cannot be staged.
    pub(super) fn arrays(&self, deps: &mut Dependences) -> Option<Vec<StagedArray>> {
        let body = deps.values.body;
        let mut found: Vec<(Key, StagedArray)> = Vec::new();
        for op in body.ops(ForOp(self.chunked).block(body)) {
            if body[op].name != affine::LOAD {
                continue;
            }
            let operands = LoadOp(op).operands(body);
            if !operands.iter().any(|value| self.counters.contains(value)) {
                let counter = ForOp(self.chunked).induction_var(body);
                let is_uniform = |&value: &Value| value == counter || self.is_uniform(deps, value);
                match operands.iter().all(is_uniform) {
                    true => continue,
                    false => return None,
                }
            }
            let (key, constants, dims) = self.form(deps, op)?;
            let load = StagedLoad {
                op,
                constants,
                computed: self.computed_from(deps, op),
            };
            let same = found.iter_mut().find(|(known, _)| *known == key);
            match same {
                Some((_, array)) => array.loads.push(load),
                None => {
                    let element = body.ty(body[op].result(0));
                    let array = StagedArray {
                        loads: vec![load],
                        element,
                        bits: scalar_width(deps.values.ctx, element)?,
                        is_aligned: self.is_aligned(deps, &key),
                        least: Vec::new(),
                        dims,
                    };
                    found.push((key, array));
                }
            }
        }
        if found.is_empty() {
            return None;
        }
        let arrays = found.into_iter().map(|(_, array)| {
            let array = computed::with_element(deps, array)?;
            array.spread()
        });
        arrays.collect()
    }

    /// Whether vectors of an array begin at multiples of the counters.
    fn is_aligned(&self, deps: &mut Dependences, key: &Key) -> bool {
        let counter = ForOp(self.chunked).induction_var(deps.values.body);
        let moving = self.counters.iter().chain([&counter]);
        let moving: Vec<u32> = moving
            .map(|&value| deps.values.atom_number(Atom::Value(value)))
            .collect();
        is_aligned(deps, key.memref, &key.bases, &moving)
    }

    /// Splits the subscripts of a load into a key without constants, the constants, and the loops
    /// that each dimension moves with.
    fn form(&self, deps: &mut Dependences, op: OpId) -> Option<(Key, Vec<i64>, Vec<StagedDim>)> {
        let (ctx, body) = (deps.values.ctx, deps.values.body);
        let load = LoadOp(op);
        let memref = load.memref(body);
        let is_kept = self.is_uniform(deps, memref) && self.is_never_stored(deps, memref);
        if !is_kept || width_of(deps, op).is_none() || !gridloom::is_in_bounds(ctx, &body[op]) {
            return None;
        }
        let counter = ForOp(self.chunked).induction_var(body);
        let is_known = |&value: &Value| {
            value == counter || self.counters.contains(&value) || self.is_uniform(deps, value)
        };
        if !load.operands(body).iter().all(is_known) {
            return None;
        }
        let exprs = (deps.values).map_exprs(op, load.map(ctx, body), load.operands(body));
        let exprs: Vec<AffineExpr> = exprs.into_iter().collect::<Option<_>>()?;
        let atoms: Vec<u32> = (self.counters.iter().chain([&counter]))
            .map(|&value| deps.values.atom_number(Atom::Value(value)))
            .collect();
        let mut taken = vec![false; atoms.len()];
        let mut dims = Vec::new();
        for &expr in &exprs {
            let mut moving = Vec::new();
            for (k, &atom) in atoms.iter().enumerate() {
                // The box begins where the common iteration has it, by whatever subscripts.
                let is_common = |counter| self.common.contains(counter);
                if self.counters.get(k).is_some_and(is_common) {
                    continue;
                }
                match deps.values.coefficient(expr, atom)? {
                    0 => {}
                    1 if !taken[k] => {
                        taken[k] = true;
                        moving.push(k);
                    }
                    _ => return None,
                }
            }
            let chunk = self.counters.len();
            dims.push(StagedDim {
                moves_with_chunk: moving.contains(&chunk),
                loops: moving.into_iter().filter(|&k| k < chunk).collect(),
                spread: 0,
            });
        }
        let (bases, constants) = exprs
            .iter()
            .map(|&expr| expr.split_constant(deps.values.ctx))
            .unzip();
        Some((Key { memref, bases }, constants, dims))
    }

    /// Whether no operation of the nest may store to a memref's memory.
    pub(in crate::offload) fn is_never_stored(
        &self,
        deps: &mut Dependences,
        memref: Value,
    ) -> bool {
        let (ctx, body) = (deps.values.ctx, deps.values.body);
        let root = root_of(ctx, body, memref);
        let accesses = accesses_below(&mut deps.values, self.root);
        let mut writes = accesses.iter().filter(|access| access.is_write);
        let written = |place: &Place| match place {
            Place::Element { root, .. } | Place::Somewhere(root) => Some(*root),
            Place::Anything => None,
        };
        // All threads of a launch share one execution of everything outside of the nest.
        let shares = |block| !deps.values.block_is_inside(block, self.root);
        writes.all(|write| {
            let other: Option<Root> = written(&write.place);
            other.is_some_and(|other| deps.aliases.relate(root, other, &shares) == Alias::No)
        })
    }
}

/// Box key: the memref and the non-constant subscripts that loads from one box have in common.
#[derive(PartialEq)]
struct Key {
    memref: Value,
    bases: Vec<AffineExpr>,
}
