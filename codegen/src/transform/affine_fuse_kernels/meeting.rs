//! Elements that two nests both access in the same iteration, of which fusion saves an access.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::ForOp;
use gridloom_ir::AffineExpr;

use super::Planner;
use crate::analysis::access::{Access, Place};
use crate::analysis::values::Atom;

impl Planner<'_> {
    /// Whether both nests access one element in the same iteration, or, unless it has to be the whole
    /// element, one row.
    pub(super) fn meet_in_an_iteration(
        &mut self,
        nests: &[Vec<ForOp>; 2],
        accesses: [&[Access]; 2],
        is_whole: bool,
    ) -> bool {
        let (ctx, body) = (self.deps().values.ctx, self.body());
        let values = &mut self.deps().values;
        let mut renamed: HashMap<u32, AffineExpr> = HashMap::new();
        let mut counters = Vec::new();
        for (first, second) in nests[0].iter().zip(&nests[1]) {
            let [to, from] = [first, second].map(|l| Atom::Value(l.induction_var(body)));
            counters.push(values.atom_number(to));
            renamed.insert(values.atom_number(from), values.atom_expr(to));
        }
        let key = |access: &Access, renamed: &HashMap<u32, AffineExpr>| {
            let Place::Element {
                root,
                space,
                coords,
            } = &access.place
            else {
                return None;
            };
            // Only subscripts that mention a loop around rows tell rows apart.
            let tells = |c: &AffineExpr| is_whole || counters.iter().any(|&n| c.uses_dim(ctx, n));
            let coords = coords
                .iter()
                .map(|c| c.replace_dims(ctx, |dim| renamed.get(&dim).copied()));
            let coords: Vec<Option<AffineExpr>> = coords.map(|c| Some(c).filter(tells)).collect();
            let is_told = is_whole || coords.iter().any(Option::is_some);
            is_told.then_some((*root, *space, coords))
        };
        let as_is = HashMap::new();
        let before: HashSet<_> = (accesses[0].iter().filter_map(|a| key(a, &as_is))).collect();
        let mut after = accesses[1].iter().filter_map(|a| key(a, &renamed));
        after.any(|element| before.contains(&element))
    }
}
