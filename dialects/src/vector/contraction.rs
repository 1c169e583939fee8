//! `vector.contract`: generalized matrix multiplication by index maps.

use super::attrs::{
    ITERATORS, KIND_OR_ADD, LIST, combines, is_iterator, iterator_attr, iterator_of, kind_of,
};
use super::types::{VectorShape, element_or_self, parts, same_element};
use gridloom_ir::affine::{AffineExprKind, AffineMap};
use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::body::{Body, OpData, OpId};
use gridloom_ir::constraints::*;
use gridloom_ir::context::Context;
use gridloom_ir::op::{OpDef, Traits};
use gridloom_ir::text::{Delimiter, OpParser, OpPrinter, ParseFailed, Tok, attr_string};
use gridloom_ir::types::{Type, TypeKind};
use gridloom_ir::verify::{Check, Checked};

/// For each point of the iteration space, combines the product of `lhs` and
/// `rhs`, at the point's images under two maps, into `acc` at its image under
/// the third.
pub(super) const CONTRACT: OpDef = OpDef::new("vector.contract")
    .with(Traits::PURE)
    .operands(&[one("lhs", VECTOR), one("rhs", VECTOR), one("acc", ANY)])
    .results(&[one("result", ANY)])
    .attrs(&[attr("indexing_maps", LIST), ITERATORS, KIND_OR_ADD])
    .custom(parse, print)
    .verify_kind(verify);

/// The attributes spelled in the dictionary before the operands.
const LEADING: [&str; 3] = ["indexing_maps", "iterator_types", "kind"];

/// `{indexing_maps = […], iterator_types = ["parallel", …], kind = …}
/// %lhs, %rhs, %acc {…} : type, type into type`
fn parse(p: &mut OpParser<'_, '_>) -> Result<(), ParseFailed> {
    let ctx = p.ctx();
    let place = p.place();
    let leading = p.attribute_as(|attr, ctx| match attr.kind(ctx) {
        AttrKind::Dict(leading) => Some(*leading),
        _ => None,
    })?;
    let lhs = p.operand()?;
    p.expect(Tok::Comma)?;
    let rhs = p.operand()?;
    p.expect(Tok::Comma)?;
    let acc = p.operand()?;
    let mut masks = Vec::new();
    while p.eat(Tok::Comma) {
        masks.push(p.operand()?);
    }
    for &(name, value) in leading.entries(ctx) {
        p.set_attribute(name, value);
    }
    // Parsed last, so that an attribute given twice is refused.
    p.attr_dict()?;
    p.expect(Tok::Colon)?;
    let types = p.type_list(Delimiter::None)?;
    p.expect_keyword("into")?;
    let result = p.ty()?;
    let [lhs_type, rhs_type] = types[..] else {
        return Err(p.error_at(place, "the types of lhs and rhs are needed"));
    };
    let iterators = p.take_attr("iterator_types");
    let Some(iterators) = iterators.and_then(|list| list.as_array(ctx)) else {
        return Err(p.error_at(place, "expected \"iterator_types\" array attribute"));
    };
    let mut spelled = Vec::with_capacity(iterators.len());
    for &item in iterators {
        match item.as_str(ctx) {
            Some(word) if is_iterator(word) => spelled.push(iterator_attr(ctx, word)),
            word => {
                let word = word.unwrap_or("not a string");
                return Err(p.error_at(place, format!("unexpected iterator_type ({word})")));
            }
        }
    }
    p.set_property("iterator_types", ctx.array_attr(&spelled));
    p.add_operand(lhs, lhs_type)?;
    p.add_operand(rhs, rhs_type)?;
    p.add_operand(acc, result)?;
    p.add_result(result);
    // As in mlir-opt, masks parse, but no operand takes them.
    if !matches!(masks.len(), 0 | 2) {
        let message = "expected zero or exactly 2 vector mask operands";
        return Err(p.error_at(p.op_place(), message));
    }
    for (mask, side) in masks.into_iter().zip([lhs_type, rhs_type]) {
        let ty = VectorShape::of(ctx, side).map_or(side, |side| {
            ctx.scalable_vector_type(side.shape, side.scalable, ctx.int_type(1))
        });
        p.add_operand(mask, ty)?;
    }
    Ok(())
}

fn print(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let spell = |name: &str, value: Attr| match value.as_array(ctx) {
        Some(items) if name == "iterator_types" => {
            let word = |&item: &Attr| match iterator_of(ctx, item) {
                Some(word) => ctx.string_attr(word),
                None => item,
            };
            ctx.array_attr(&items.iter().map(word).collect::<Vec<_>>())
        }
        _ => value,
    };
    let entries = data.properties.entries(ctx).iter();
    let leading = entries.filter(|(name, _)| LEADING.contains(&ctx.str(*name)));
    let leading = leading.map(|&(name, value)| (name, spell(ctx.str(name), value)));
    p.text(" ");
    p.dictionary(ctx.attr_dict(leading.collect()));
    p.text(" ");
    p.values(&data.operands);
    p.attr_dict(body, op, &LEADING);
    p.text(" : ");
    p.types_of(body, &data.operands[..data.operands.len().min(2)]);
    p.text(" into ");
    p.result_types_of(body, op);
}

/// The index maps, if all entries are maps.
fn maps(ctx: &Context, op: &OpData) -> Option<Vec<AffineMap>> {
    let list = op.attr(ctx, "indexing_maps")?.as_array(ctx)?;
    list.iter().map(|item| item.as_map(ctx)).collect()
}

/// The dimensions that a map projects to; `None` if it is not a projection.
fn projection(ctx: &Context, map: AffineMap) -> Option<Vec<usize>> {
    let mut dims = Vec::new();
    for result in map.results(ctx) {
        let AffineExprKind::Dim(dim) = result.kind(ctx) else {
            return None;
        };
        let dim = dim as usize;
        if dims.contains(&dim) {
            return None;
        }
        dims.push(dim);
    }
    Some(dims)
}

/// The mask type that `vector.mask` needs, of the iteration space's shape.
/// `None` if the operation is invalid.
pub(super) fn expected_mask(ctx: &Context, body: &Body, op: OpId) -> Option<Type> {
    let data = &body[op];
    let maps = maps(ctx, data)?;
    let count = maps.first()?.num_dims(ctx);
    let (mut shape, mut scalable) = (vec![1; count], vec![false; count]);
    for (map, &operand) in maps.iter().zip(&data.operands).take(2) {
        let vector = VectorShape::of(ctx, body.ty(operand))?;
        let dims = projection(ctx, *map)?;
        for (index, dim) in dims.into_iter().enumerate() {
            *shape.get_mut(dim)? = *vector.shape.get(index)?;
            scalable[dim] = vector.scalable[index];
        }
    }
    Some(ctx.scalable_vector_type(&shape, &scalable, ctx.bool_type()))
}

/// A contraction whose maps are projections.
struct Contraction<'a> {
    lhs: VectorShape<'a>,
    rhs: VectorShape<'a>,
    /// The dimensions that the three maps project to.
    dims: [Vec<usize>; 3],
    iterators: Vec<&'a str>,
}

impl Contraction<'_> {
    /// The pairs of lhs and rhs dimensions that share an iterator of this type.
    fn shared(&self, iterator: &str) -> Vec<(usize, usize)> {
        let kinds = self.iterators.iter().enumerate();
        let dims = kinds.filter(|(_, kind)| **kind == iterator);
        let place = |list: &[usize], dim| list.iter().position(|&d| d == dim);
        dims.filter_map(|(dim, _)| Some((place(&self.dims[0], dim)?, place(&self.dims[1], dim)?)))
            .collect()
    }

    /// Whether paired dimensions have equal extents.
    fn agree(&self, pairs: &[(usize, usize)]) -> bool {
        pairs
            .iter()
            .all(|&(l, r)| self.lhs.shape[l] == self.rhs.shape[r])
    }

    /// The extent of each iterator.
    fn extents(&self) -> Vec<Option<i64>> {
        let mut extents = vec![None; self.iterators.len()];
        let sides = [(&self.lhs, &self.dims[0]), (&self.rhs, &self.dims[1])];
        for (vector, dims) in sides {
            for (&dim, &extent) in dims.iter().zip(vector.shape) {
                extents[dim].get_or_insert(extent);
            }
        }
        extents
    }
}

fn verify(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (lhs, rhs, acc) = (
        check.operand_type(0),
        check.operand_type(1),
        check.operand_type(2),
    );
    let result = check.result_type(0);
    same_element(check, lhs, rhs, "lhs and rhs have same element type")?;
    let summary = "third operand acc and result have same element type";
    same_element(check, acc, result, summary)?;
    let element = parts(check, lhs).element;
    let signed = matches!(element.kind(ctx), TypeKind::Integer { .. })
        && element.signless_width(ctx).is_none();
    check.ensure(!signed, "only supports signless integer types")?;
    let this = Contraction {
        lhs: parts(check, lhs),
        rhs: parts(check, rhs),
        dims: verify_maps(check)?,
        iterators: iterators(check),
    };
    let contracting = this.shared("reduction");
    check.ensure(
        !contracting.is_empty(),
        "expected at least one contracting dimension pair",
    )?;
    check.ensure(
        this.agree(&contracting),
        "invalid contracting dimension map",
    )?;
    let batch = this.shared("parallel");
    check.ensure(this.agree(&batch), "invalid batch dimension map")?;
    verify_result(check, &this, contracting.len(), batch.len())?;
    let kind = check.data().attr(ctx, "kind");
    let kind = kind.and_then(|kind| kind_of(ctx, kind)).unwrap_or("add");
    check.ensure(
        combines(ctx, kind, element_or_self(ctx, result)),
        "unsupported contraction type",
    )?;
    verify_invertible(check, &this)
}

fn iterators<'a>(check: &Check<'a>) -> Vec<&'a str> {
    let ctx = check.ctx();
    let list = check.data().attr(ctx, "iterator_types");
    let list = list.and_then(|list| list.as_array(ctx)).unwrap_or_default();
    list.iter()
        .filter_map(|&item| iterator_of(ctx, item))
        .collect()
}

/// Checks the maps: one projection for each operand, from the iterators to its
/// dimensions.
fn verify_maps(check: &Check) -> Result<[Vec<usize>; 3], gridloom_ir::diag::Diagnostic> {
    let ctx = check.ctx();
    let maps = maps(ctx, check.data()).filter(|maps| maps.len() == 3);
    let Some(maps) = maps else {
        let message = "expected an indexing map for each vector operand";
        return Err(check.error(message));
    };
    let iterators = iterators(check).len();
    let mut all = [const { Vec::new() }; 3];
    for (index, map) in maps.into_iter().enumerate() {
        let expected = |what: String| format!("expected indexing map {index} to {what}");
        check.ensure(
            map.num_symbols(ctx) == 0,
            expected("have no symbols".into()),
        )?;
        let vector = VectorShape::of(ctx, check.operand_type(index));
        let rank = vector.map_or(0, |vector| vector.rank());
        check.ensure(
            map.num_dims(ctx) == iterators,
            expected(format!("have {iterators} number of inputs")),
        )?;
        check.ensure(
            map.results(ctx).len() == rank,
            expected(format!("have {rank} number of outputs")),
        )?;
        match projection(ctx, map) {
            Some(dims) => all[index] = dims,
            None => {
                let what = "be a projected permutation of its inputs";
                return Err(check.error(expected(what.into())));
            }
        }
    }
    Ok(all)
}

/// Checks accumulator and result against the type that lhs, rhs and the maps
/// infer.
fn verify_result(check: &Check, this: &Contraction, contracting: usize, batch: usize) -> Checked {
    let ctx = check.ctx();
    let (acc, result) = (check.operand_type(2), check.result_type(0));
    let shapes = (VectorShape::of(ctx, acc), VectorShape::of(ctx, result));
    let invalid = "invalid accumulator/result vector shape";
    let free = this.lhs.rank() + this.rhs.rank() - 2 * contracting - batch;
    if free == 0 {
        return check.ensure(shapes.0.is_none() && shapes.1.is_none(), invalid);
    }
    let (Some(_), Some(shape)) = shapes else {
        return Err(check.error(invalid));
    };
    let extents = this.extents();
    check.ensure(
        extents.iter().all(Option::is_some),
        "expected all dimensions to be either a LHS or a RHS dimension",
    )?;
    let expected: Vec<i64> = this.dims[2]
        .iter()
        .filter_map(|&dim| extents[dim])
        .collect();
    // The scalable flags are the result's own. At another rank the type is
    // wrong anyway.
    let mut scalable = shape.scalable.to_vec();
    scalable.resize(expected.len(), false);
    let expected = ctx.scalable_vector_type(&expected, &scalable, shape.element);
    check.ensure(
        result == expected && acc == expected,
        format_args!("{invalid}, expected: '{}'", check.show(expected)),
    )
}

/// Checks that some operand uses each iterator.
fn verify_invertible(check: &Check, this: &Contraction) -> Checked {
    let ctx = check.ctx();
    let used = |dim: usize| this.dims.iter().any(|dims| dims.contains(&dim));
    if (0..this.iterators.len()).all(used) {
        return Ok(());
    }
    let maps = maps(ctx, check.data()).unwrap_or_default();
    let results: Vec<_> = maps
        .iter()
        .flat_map(|map| map.results(ctx))
        .copied()
        .collect();
    let all = ctx.affine_map(this.iterators.len() as u32, 0, &results);
    let shown = attr_string(ctx, ctx.map_attr(all));
    let shown = shown.strip_prefix("affine_map<").unwrap_or(&shown);
    let shown = shown.strip_suffix('>').unwrap_or(shown);
    Err(check.error(format!(
        "invalid indexing maps are non-invertible: ({shown})"
    )))
}
