//! Types that a declared form does not spell.

use smallvec::SmallVec;

use super::attr_type;
use super::parse::{Span, State};
use crate::op::{Arity, OpDef, Traits, TypeRule};
use crate::text::op_parser::OpParser;
use crate::types::Type;

/// An operand or result group.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GroupRef {
    Operand(usize),
    Result(usize),
}

fn find(def: &OpDef, name: &str) -> Option<GroupRef> {
    let operand = def.operands.iter().position(|v| v.name == name);
    let result = || def.results.iter().position(|v| v.name == name);
    operand
        .map(GroupRef::Operand)
        .or_else(|| result().map(GroupRef::Result))
}

impl State<'_> {
    fn types_of(&self, group: GroupRef) -> Option<Span> {
        match group {
            GroupRef::Operand(index) => self.operand_types[index],
            GroupRef::Result(index) => self.result_types[index],
        }
    }

    fn first_type(&self, group: GroupRef) -> Option<Type> {
        let span = self.types_of(group)?;
        self.types
            .get(span.range())
            .and_then(|t| t.first())
            .copied()
    }

    /// How many values of a group need types: operands are counted, results
    /// are single unless spelled.
    fn count(&self, def: &OpDef, group: GroupRef) -> usize {
        match group {
            GroupRef::Operand(index) => self.operand_spans[index].len(),
            GroupRef::Result(index) => usize::from(def.results[index].arity == Arity::One),
        }
    }

    /// Gives every value of a group this type, unless the group has types.
    fn set_all(&mut self, def: &OpDef, group: GroupRef, ty: Type) -> bool {
        if self.types_of(group).is_some() {
            return false;
        }
        let count = self.count(def, group);
        let types: SmallVec<[Type; 4]> = SmallVec::from_elem(ty, count);
        self.set_list(group, &types);
        true
    }

    fn set_list(&mut self, group: GroupRef, types: &[Type]) {
        let start = self.types.len();
        self.types.extend_from_slice(types);
        let span = Span::new(start, self.types.len());
        match group {
            GroupRef::Operand(index) => self.operand_types[index] = Some(span),
            GroupRef::Result(index) => self.result_types[index] = Some(span),
        }
    }

    fn unify(&mut self, def: &OpDef, groups: impl Iterator<Item = GroupRef> + Clone) -> bool {
        let Some(ty) = groups.clone().find_map(|g| self.first_type(g)) else {
            return false;
        };
        let mut changed = false;
        for group in groups {
            changed |= self.set_all(def, group, ty);
        }
        changed
    }

    fn complete(&self) -> bool {
        self.operand_types.iter().all(Option::is_some)
            && self.result_types.iter().all(Option::is_some)
    }

    /// Finds the types of groups that have none yet.
    pub(super) fn infer(&mut self, p: &OpParser<'_, '_>, def: &'static OpDef) {
        if self.complete() {
            return;
        }
        let ctx = p.ctx();
        for (index, operand) in def.operands.iter().enumerate() {
            if let Some(build) = operand.constraint.build {
                self.set_all(def, GroupRef::Operand(index), build(ctx));
            }
        }
        for (index, result) in def.results.iter().enumerate() {
            if let Some(build) = result.constraint.build {
                self.set_all(def, GroupRef::Result(index), build(ctx));
            }
        }
        let operands = (0..def.operands.len()).map(GroupRef::Operand);
        let results = (0..def.results.len()).map(GroupRef::Result);
        loop {
            if self.complete() {
                return;
            }
            let mut changed = false;
            if def.traits.contains(Traits::SAME_OPERANDS_AND_RESULT_TYPE) {
                changed |= self.unify(def, operands.clone().chain(results.clone()));
            } else if def.traits.contains(Traits::SAME_TYPE_OPERANDS) {
                changed |= self.unify(def, operands.clone());
            }
            for rule in def.infer {
                changed |= self.apply(p, def, rule);
            }
            if !changed {
                return;
            }
        }
    }

    fn apply(&mut self, p: &OpParser<'_, '_>, def: &OpDef, rule: &TypeRule) -> bool {
        let ctx = p.ctx();
        match *rule {
            TypeRule::Same { groups, .. } => {
                let groups = groups.iter().filter_map(|name| find(def, name));
                self.unify(def, groups)
            }
            TypeRule::From {
                target,
                source,
                rule,
                ..
            } => {
                let (Some(target), Some(source)) = (find(def, target), find(def, source)) else {
                    return false;
                };
                let ty = self.first_type(source).and_then(|ty| rule(ctx, ty));
                ty.is_some_and(|ty| self.set_all(def, target, ty))
            }
            TypeRule::ListFrom {
                target,
                source,
                rule,
                ..
            } => {
                let (Some(target), Some(source)) = (find(def, target), find(def, source)) else {
                    return false;
                };
                if self.types_of(target).is_some() {
                    return false;
                }
                let types = self.first_type(source).and_then(|ty| rule(ctx, ty));
                if let Some(types) = &types {
                    self.set_list(target, types);
                }
                types.is_some()
            }
            TypeRule::OfAttr { target, attr } => {
                let ty = p.get_attr(attr).and_then(|attr| attr_type(ctx, attr));
                match (find(def, target), ty) {
                    (Some(target), Some(ty)) => self.set_all(def, target, ty),
                    _ => false,
                }
            }
        }
    }
}
