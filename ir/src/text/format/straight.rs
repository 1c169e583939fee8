//! Straight forms: the fast path for forms whose operands and results are single values with types
//! that are spelled, or inferred in the same way for all operations of a kind. Most forms are
//! straight; the compiler of the form resolves where each type comes from, once.

use smallvec::SmallVec;

use super::types::{GroupRef, find};
use super::{Element, Format, Kind, TypesOf};
use crate::context::Context;
use crate::context::signature::{OpSignature, TypeConstraint, TypeRule};
use crate::context::{RowTraits, Traits};
use crate::lexer::Tok;
use crate::text::read::op_parser::{OpParser, Operands};
use crate::text::read::parser::PResult;
use crate::types::Type;

/// Precomputed type sources of a straight form.
#[derive(Debug)]
pub(super) struct Straight {
    /// The values whose types the form spells, in its order.
    spelled: Box<[TypesOf]>,
    operands: Box<[Source]>,
    results: Box<[Source]>,
}

/// Source of a type.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// The spelled type at this index.
    Spelled(usize),
    /// The only type that the value's constraint allows.
    Only(fn(&Context) -> Type),
    /// Inferred from the spelled type at this index, if that satisfies its row's constraint and the
    /// relation returns a type.
    From(usize, TypeConstraint, fn(&Context, Type) -> Option<Type>),
}

impl Source {
    fn get(self, ctx: &Context, spelled: &[Type]) -> Option<Type> {
        match self {
            Source::Spelled(place) => spelled.get(place).copied(),
            Source::Only(build) => Some(build(ctx)),
            Source::From(place, what, rule) => {
                let ty = spelled.get(place).copied();
                rule(ctx, ty.filter(|&ty| (what.check)(ctx, ty))?)
            }
        }
    }
}

impl OpParser<'_, '_> {
    /// Parses a straight form after the operation's name.
    pub(super) fn straight_form(
        &mut self,
        format: &Format,
        straight: &Straight,
        def: &'static OpSignature,
    ) -> PResult<()> {
        let (mut operands, mut types) = (Operands::new(), SmallVec::<[Type; 4]>::new());
        for element in &format.elements {
            match &element.kind {
                Kind::Operand(_) => operands.push(self.operand()?),
                Kind::Type(TypesOf::Operand(index)) => {
                    types.push(self.type_of(&def.operands[*index])?);
                }
                Kind::Type(TypesOf::Result(index)) => {
                    types.push(self.type_of(&def.results[*index])?);
                }
                plain => self.plain_element(plain)?,
            }
        }
        let ctx = self.ctx();
        for source in &straight.results {
            let Some(ty) = source.get(ctx, &types) else {
                self.results.clear();
                let spelled = straight.spelled.iter().copied().zip(types);
                return self.complete_from(def, &operands, spelled);
            };
            self.add_result(ty);
        }
        for (&operand, source) in operands.iter().zip(&straight.operands) {
            // No operand is skipped: each type is spelled or the only one allowed.
            if let Some(ty) = source.get(ctx, &types) {
                self.add_operand(operand, ty)?;
            }
        }
        Ok(())
    }

    /// Parses an element that spells neither operands nor types nor regions.
    pub(super) fn plain_element(&mut self, kind: &Kind) -> PResult<()> {
        match kind {
            Kind::Keyword(word) => self.expect_keyword(word),
            Kind::Punctuation(token, _) => self.expect(*token),
            Kind::Attr(attr) => self.attr_element(attr),
            Kind::AttrDict if self.at(Tok::LBrace) => self.checked(Self::attr_dict),
            Kind::Group(group) => {
                let elements = match self.group_starts(group).unwrap_or(false) {
                    true => &group.then,
                    false => &group.otherwise,
                };
                elements
                    .iter()
                    .try_for_each(|e| self.plain_element(&e.kind))
            }
            _ => Ok(()),
        }
    }
}

/// Resolves the type sources of a form; `None` if it is not straight.
pub(super) fn straight(def: &OpSignature, elements: &[Element]) -> Option<Straight> {
    const SIZED: [RowTraits; 2] = [
        Traits::ATTR_SIZED_OPERANDS.in_row(),
        RowTraits::ATTR_SIZED_RESULTS,
    ];
    if SIZED.iter().any(|&sized| def.traits.contains(sized)) || def.regions != Some(0) {
        return None;
    }
    let (mut operands, mut spelled) = (0, Vec::new());
    for element in elements {
        match element.kind {
            Kind::Operand(index) if index == operands => operands += 1,
            Kind::Type(of @ (TypesOf::Operand(_) | TypesOf::Result(_))) => spelled.push(of),
            ref kind if is_plain(kind) => {}
            _ => return None,
        }
    }
    if operands != def.operands.len() {
        return None;
    }
    let mut types = Types::new(def, &spelled);
    types.infer()?;
    let operands: Box<[Source]> = types.operands.into_iter().collect::<Option<_>>()?;
    if operands.iter().any(|s| matches!(s, Source::From(..))) {
        return None;
    }
    Some(Straight {
        spelled: spelled.into(),
        operands,
        results: types.results.into_iter().collect::<Option<_>>()?,
    })
}

fn is_plain(kind: &Kind) -> bool {
    match kind {
        Kind::Keyword(_) | Kind::Punctuation(..) | Kind::Space(_) => true,
        Kind::Attr(_) | Kind::AttrDict => true,
        Kind::Group(group) => {
            let mut elements = group.then.iter().chain(&group.otherwise);
            elements.all(|element| is_plain(&element.kind))
        }
        _ => false,
    }
}

/// Type sources during resolution: the steps of [`State::infer`](super::parse::State::infer)
/// without the types.
struct Types<'a> {
    def: &'a OpSignature,
    operands: Vec<Option<Source>>,
    results: Vec<Option<Source>>,
}

impl<'a> Types<'a> {
    fn new(def: &'a OpSignature, spelled: &[TypesOf]) -> Self {
        let mut types = Types {
            def,
            operands: vec![None; def.operands.len()],
            results: vec![None; def.results.len()],
        };
        for (place, of) in spelled.iter().enumerate() {
            match *of {
                TypesOf::Operand(index) => types.operands[index] = Some(Source::Spelled(place)),
                TypesOf::Result(index) => types.results[index] = Some(Source::Spelled(place)),
                TypesOf::Operands | TypesOf::Results => {}
            }
        }
        types
    }

    fn complete(&self) -> bool {
        self.operands
            .iter()
            .chain(&self.results)
            .all(Option::is_some)
    }

    fn get(&mut self, group: GroupRef) -> &mut Option<Source> {
        match group {
            GroupRef::Operand(index) => &mut self.operands[index],
            GroupRef::Result(index) => &mut self.results[index],
        }
    }

    /// Runs the inference rules; `None` where a type depends on more than the kind of operation.
    fn infer(&mut self) -> Option<()> {
        if self.complete() {
            return Some(());
        }
        let def = self.def;
        let constraints = def.operands.iter().chain(def.results);
        let all = self.operands.iter_mut().chain(&mut self.results);
        for (source, value) in all.zip(constraints) {
            *source = source.or(value.constraint.build.map(Source::Only));
        }
        while !self.complete() {
            let operands = (0..def.operands.len()).map(GroupRef::Operand);
            let results = (0..def.results.len()).map(GroupRef::Result);
            let mut changed = false;
            if def
                .traits
                .contains(RowTraits::SAME_OPERANDS_AND_RESULT_TYPE)
            {
                changed |= self.unify(operands.chain(results));
            } else if def.traits.contains(RowTraits::SAME_TYPE_OPERANDS) {
                changed |= self.unify(operands);
            }
            for rule in def.infer {
                changed |= self.apply(rule)?;
            }
            if !changed {
                return None;
            }
        }
        Some(())
    }

    fn unify(&mut self, groups: impl Iterator<Item = GroupRef> + Clone) -> bool {
        let Some(source) = groups.clone().find_map(|group| *self.get(group)) else {
            return false;
        };
        let mut changed = false;
        for group in groups {
            let known = self.get(group);
            changed |= known.is_none();
            known.get_or_insert(source);
        }
        changed
    }

    fn apply(&mut self, rule: &TypeRule) -> Option<bool> {
        match *rule {
            TypeRule::Same { groups, .. } => {
                let def = self.def;
                Some(self.unify(groups.iter().filter_map(|name| find(def, name))))
            }
            TypeRule::From {
                target,
                source,
                rule,
                ..
            } => {
                let (target, source) = (find(self.def, target)?, find(self.def, source)?);
                let what = match source {
                    GroupRef::Operand(index) => self.def.operands[index].constraint,
                    GroupRef::Result(index) => self.def.results[index].constraint,
                };
                if self.get(target).is_some() {
                    return Some(false);
                }
                match *self.get(source) {
                    None => Some(false),
                    Some(Source::Spelled(place)) => {
                        *self.get(target) = Some(Source::From(place, what, rule));
                        Some(true)
                    }
                    Some(_) => None,
                }
            }
            TypeRule::ListFrom { .. } | TypeRule::OfAttr { .. } | TypeRule::Infer(_) => None,
        }
    }
}
