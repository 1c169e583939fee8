//! Old `affine_apply`.

use super::emit::{Emit, Parts};
use gridloom_ir::affine::AffineMap;
use gridloom_ir::attr::Attr;
use gridloom_ir::body::Value;
use gridloom_ir::text::{PResult, Token};

/// `affine_apply #map(%d)[%s]`: one result for each of the map.
pub(super) fn custom_apply(e: &mut Emit<'_, '_>) -> PResult<()> {
    let token = e.p.tok;
    let attr = e.p.attribute(None)?;
    let Some(map) = attr.as_map(e.ctx()) else {
        return Err(e.p.error_on(token, "expected an affine map"));
    };
    let (dims, symbols) = e.dims_and_symbols()?;
    check_operands(e, token, map, dims.len(), Some(symbols.len()))?;
    let mut values = e.indices(&dims)?;
    values.extend(e.indices(&symbols)?);
    let attrs = e.attrs()?;
    e.end_of_text()?;
    let attrs = e.named(&attrs);
    apply(e, map, &values, &attrs)
}

/// `"affine_apply"(…) {map: #map} : …`
pub(super) fn generic_apply(e: &mut Emit<'_, '_>, mut parts: Parts) -> PResult<()> {
    let map = parts.take(e.ctx(), "map").and_then(|a| a.as_map(e.ctx()));
    let Some(map) = map else {
        return Err(e.error("this needs an affine map as the attribute `map`"));
    };
    let token = e.token;
    check_operands(e, token, map, parts.operands.len(), None)?;
    if parts.results.len() != map.results(e.ctx()).len() {
        return Err(e.error("as many results are needed as the map has"));
    }
    let attrs = e.named(&parts.attrs);
    apply(e, map, &parts.operands, &attrs)
}

/// Checks that a map has as many operands as inputs. Without `symbols`, `dims` counts all.
fn check_operands(
    e: &mut Emit<'_, '_>,
    token: Token,
    map: AffineMap,
    dims: usize,
    symbols: Option<usize>,
) -> PResult<()> {
    let (d, s) = (map.num_dims(e.ctx()), map.num_symbols(e.ctx()));
    let fits = match symbols {
        Some(symbols) => (d, s) == (dims, symbols),
        None => d + s == dims,
    };
    if fits {
        return Ok(());
    }
    let given = match symbols {
        Some(symbols) => format!("{dims} and {symbols} are given"),
        None => format!("{dims} operand(s) are given"),
    };
    let message = format!("{d} dimension(s) and {s} symbol(s) are needed, but {given}");
    Err(e.p.error_on(token, message))
}

/// Makes one `affine.apply` a result of the map, each with all operands.
fn apply(
    e: &mut Emit<'_, '_>,
    map: AffineMap,
    operands: &[Value],
    attrs: &[(&str, Attr)],
) -> PResult<()> {
    let ctx = e.ctx();
    let data = map.data(ctx);
    if data.results.is_empty() {
        return Err(e.error("the map has no result to apply"));
    }
    for &result in &data.results {
        let single = ctx.affine_map(data.dims, data.symbols, &[result]);
        let mut attrs = attrs.to_vec();
        attrs.push(("map", ctx.map_attr(single)));
        e.result_op("affine.apply", operands, &[ctx.index_type()], &attrs)?;
    }
    Ok(())
}
