//! Type inference of declared forms: the types that the text does not spell.

use smallvec::SmallVec;

use super::parse::{Span, State};
use crate::body::Groups;
use crate::constraints::attr_type;
use crate::context::RowTraits;
use crate::context::signature::{Arity, InferFn, Known, OpSignature, TypeRule};
use crate::text::format::TypesOf;
use crate::text::read::op_parser::OpParser;
use crate::text::read::parser::PResult;
use crate::text::type_string;
use crate::types::Type;

/// Reference to an operand or result group.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GroupRef {
    Operand(usize),
    Result(usize),
}

pub(super) fn find(def: &OpSignature, name: &str) -> Option<GroupRef> {
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

    /// The number of values of a group that need types: operands are counted, results are single
    /// unless spelled.
    fn count(&self, def: &OpSignature, group: GroupRef) -> usize {
        match group {
            GroupRef::Operand(index) => self.operand_spans[index].len(),
            GroupRef::Result(index) => usize::from(def.results[index].arity == Arity::One),
        }
    }

    /// Sets the type of every value of a group, unless the group has types.
    fn set_all(&mut self, def: &OpSignature, group: GroupRef, ty: Type) -> bool {
        if self.types_of(group).is_some() {
            return false;
        }
        let count = self.count(def, group);
        let start = self.types.len();
        for _ in 0..count {
            self.types.push(ty);
        }
        self.set_span(group, Span::new(start, self.types.len()));
        true
    }

    fn set_list(&mut self, group: GroupRef, types: &[Type]) {
        let start = self.types.len();
        self.types.extend_from_slice(types);
        self.set_span(group, Span::new(start, self.types.len()));
    }

    fn set_span(&mut self, group: GroupRef, span: Span) {
        match group {
            GroupRef::Operand(index) => self.operand_types[index] = Some(span),
            GroupRef::Result(index) => self.result_types[index] = Some(span),
        }
    }

    fn unify(&mut self, def: &OpSignature, groups: impl Iterator<Item = GroupRef> + Clone) -> bool {
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
        let operands =
            self.all_operand_types.is_some() || self.operand_types.iter().all(Option::is_some);
        let results =
            self.all_result_types.is_some() || self.result_types.iter().all(Option::is_some);
        operands && results
    }

    fn set_all_results(&mut self, types: &[Type]) {
        self.set_types(TypesOf::Results, types);
    }

    /// Infers the types of groups that have none yet.
    pub(super) fn infer(
        &mut self,
        p: &mut OpParser<'_, '_>,
        def: &'static OpSignature,
    ) -> PResult<()> {
        if self.complete() {
            return Ok(());
        }
        let ctx = p.ctx();
        for (index, operand) in def.operands.iter().enumerate() {
            let told = |rule: &TypeRule| matches!(rule, TypeRule::ListFrom { target, .. } if *target == operand.name);
            if self.operand_spans[index].len() == 0
                && self.operand_types[index].is_none()
                && !def.infer.iter().any(told)
            {
                // A group without values needs no types.
                self.set_list(GroupRef::Operand(index), &[]);
            } else if let Some(build) = operand.constraint.build {
                self.set_all(def, GroupRef::Operand(index), build(ctx));
            }
        }
        for (index, result) in def.results.iter().enumerate() {
            if let Some(build) = result.constraint.build
                && result.arity == Arity::One
            {
                self.set_all(def, GroupRef::Result(index), build(ctx));
            }
        }
        let operands = (0..def.operands.len()).map(GroupRef::Operand);
        let results = (0..def.results.len()).map(GroupRef::Result);
        loop {
            if self.complete() {
                return Ok(());
            }
            let mut changed = false;
            if def
                .traits
                .contains(RowTraits::SAME_OPERANDS_AND_RESULT_TYPE)
            {
                changed |= self.unify(def, operands.clone().chain(results.clone()));
            } else if def.traits.contains(RowTraits::SAME_TYPE_OPERANDS) {
                changed |= self.unify(def, operands.clone());
            }
            for rule in def.infer {
                self.check_source(p, def, rule)?;
                changed |= match *rule {
                    TypeRule::Infer(rule) => self.apply_infer(p, rule)?,
                    _ => self.apply(p, def, rule),
                };
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// Checks a type from which another is inferred against its row's constraint: upstream does so
    /// before it infers.
    fn check_source(
        &self,
        p: &mut OpParser<'_, '_>,
        def: &OpSignature,
        rule: &TypeRule,
    ) -> PResult<()> {
        let (TypeRule::From { target, source, .. } | TypeRule::ListFrom { target, source, .. }) =
            *rule
        else {
            return Ok(());
        };
        let open = find(def, target).filter(|&target| self.types_of(target).is_none());
        let Some(group) = open.and_then(|_| find(def, source)) else {
            return Ok(());
        };
        let constraint = match group {
            GroupRef::Operand(index) => def.operands[index].constraint,
            GroupRef::Result(index) => def.results[index].constraint,
        };
        let types = self.types_of(group).map(Span::range).unwrap_or_default();
        let wrong = |ty: &&Type| !(constraint.check)(p.ctx(), **ty);
        match self.types[types].iter().find(wrong) {
            None => Ok(()),
            Some(&ty) => {
                let (what, ty) = (constraint.summary, type_string(p.ctx(), ty));
                let message = format!("'{source}' must be {what}, but got '{ty}'");
                Err(p.error_at(p.op_place(), message))
            }
        }
    }

    fn apply(&mut self, p: &OpParser<'_, '_>, def: &OpSignature, rule: &TypeRule) -> bool {
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
            TypeRule::Infer(_) => false,
        }
    }

    /// Infers all results from the operands and attributes, once all operands have types.
    fn apply_infer(&mut self, p: &mut OpParser<'_, '_>, rule: InferFn) -> PResult<bool> {
        let operand_types = self.operand_types.iter().copied().collect::<Option<_>>();
        let spans: SmallVec<[Span; 4]> = match (self.all_operand_types, operand_types) {
            (Some(span), _) => SmallVec::from_elem(span, 1),
            (None, Some(spans)) => spans,
            (None, None) => return Ok(false),
        };
        let spans = spans.iter().map(|span| &self.types[span.range()]);
        let operands: SmallVec<[Type; 4]> = spans.flatten().copied().collect();
        let mut start = 0;
        let group = |span: &Span| {
            let range = start..start + span.len();
            start = range.end;
            range
        };
        let groups: Groups = self.operand_spans.iter().map(group).collect();
        let known = Known {
            ctx: p.ctx(),
            operands: &operands,
            groups: &groups,
            attr: &|name| p.get_attr(name),
        };
        match rule(&known) {
            Ok(types) => {
                self.set_all_results(&types);
                Ok(true)
            }
            Err(message) => Err(p.error_at(p.op_place(), message)),
        }
    }
}
