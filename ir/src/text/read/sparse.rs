//! Parser of attributes whose elements stand elsewhere: `dense_resource`, `sparse`.

use super::dense::Literals;
use super::parser::{PResult, Parser};
use crate::attr::{Attr, AttrKind, DenseData};
use crate::elements::elements_of;
use crate::lexer::{Tok, Token};
use crate::types::Type;

impl Parser<'_> {
    /// `dense_resource<key> : type`
    pub(crate) fn dense_resource_attr(&mut self, ty: Option<Type>) -> PResult<Attr> {
        let token = self.tok;
        let mut token = token;
        self.advance();
        self.expect_as(Tok::Less, "'<' after 'dense_resource'")?;
        let what = "identifier key for 'resource' entry";
        let key = match self.tok.kind {
            Tok::String => self.utf8_string(what)?,
            Tok::Bare => {
                let word = self.expect_bare(what)?;
                self.ctx.ident(word)
            }
            _ => return Err(self.expected_here(what)),
        };
        self.expect(Tok::Greater)?;
        let ty = match ty {
            Some(ty) => ty,
            None => {
                token = self.tok;
                self.expect(Tok::Colon)?;
                self.ty()?
            }
        };
        if elements_of(self.ctx, ty).is_none() {
            return Err(self.error_since(token, "`dense_resource` expected a shaped type"));
        }
        Ok(self.ctx.intern_attr(AttrKind::DenseResource { ty, key }))
    }

    /// `sparse<indices, values> : type`
    pub(crate) fn sparse_attr(&mut self, ty: Option<Type>) -> PResult<Attr> {
        let keyword = self.tok;
        self.advance();
        if !self.eat(Tok::Less) {
            return Err(self.wrong_token("Expected '<' after 'sparse'"));
        }
        let (mut indices, mut values) = (Literals::default(), Literals::default());
        let nothing = self.at(Tok::Greater);
        if !nothing {
            self.literal_list(&mut indices, 0)?;
            self.expect(Tok::Comma)?;
            self.literal_list(&mut values, 0)?;
        }
        self.expect(Tok::Greater)?;
        let (ty, shape) = self.static_shaped_type(keyword, ty)?;
        let rank = shape.len() as i64;
        let Some((_, element)) = elements_of(self.ctx, ty) else {
            return Err(self.error_since(keyword, "elements need an element type"));
        };
        // A single index is a splat over all its numbers, a single value one over all values.
        let index_shape = match indices.shape[..] {
            _ if nothing => vec![0, rank],
            [] => vec![1, rank],
            _ => indices.shape.clone(),
        };
        let value_shape = match values.shape[..] {
            [] => vec![index_shape[0]],
            _ => values.shape.clone(),
        };
        if value_shape.len() != 1 {
            let message = "expected 1-d tensor for sparse element values";
            return Err(self.error_since(keyword, message));
        }
        let fits = match index_shape[..] {
            [_, numbers] => numbers == rank,
            [_] => rank == 1,
            _ => false,
        };
        if !fits || index_shape[0] != value_shape[0] {
            let message = format!(
                "expected shape ({shape:?}); inferred shape of indices literal \
                 ({index_shape:?}); inferred shape of values literal ({value_shape:?})"
            );
            return Err(self.error_since(keyword, message));
        }
        let index_type = self.ctx.tensor_type(&index_shape, self.ctx.int_type(64));
        let indices = self.dense_of(keyword, &indices, index_type, &index_shape)?;
        let value_type = self.ctx.tensor_type(&value_shape, element);
        let values = self.dense_of(keyword, &values, value_type, &value_shape)?;
        self.check_sparse_indices(keyword, indices, ty, &shape)?;
        Ok(self.ctx.intern_attr(AttrKind::Sparse {
            ty,
            indices,
            values,
        }))
    }

    fn check_sparse_indices(
        &mut self,
        keyword: Token,
        indices: Attr,
        ty: Type,
        shape: &[i64],
    ) -> PResult<()> {
        let AttrKind::Dense { data, .. } = indices.kind(self.ctx) else {
            return Ok(());
        };
        let bytes = match data {
            DenseData::Splat(bytes) | DenseData::Raw(bytes) => bytes,
            DenseData::Strings(_) => return Ok(()),
        };
        let numbers: Vec<i64> = bytes
            .as_chunks()
            .0
            .iter()
            .map(|b| i64::from_le_bytes(*b))
            .collect();
        let inside = |(at, &extent): (&i64, &i64)| (0..extent).contains(at);
        let rank = shape.len().max(1);
        let splat = match data {
            DenseData::Splat(_) => vec![numbers.first().copied().unwrap_or(0); rank],
            _ => Vec::new(),
        };
        let numbers = if splat.is_empty() { &numbers } else { &splat };
        let outside = |index: &&[i64]| !index.iter().zip(shape).all(inside);
        let found = numbers
            .chunks(rank)
            .enumerate()
            .find(|(_, index)| outside(index));
        if let Some((number, index)) = found {
            let index: Vec<u64> = index.iter().map(|&number| number as u64).collect();
            let message = format!(
                "sparse index #{number} is not contained within the value shape, with \
                 index={index:?}, and type='{}'",
                crate::text::type_string(self.ctx, ty)
            );
            return Err(self.error_since(keyword, message));
        }
        Ok(())
    }
}
