//! Old spellings of attributes.

use crate::attr::{Attr, AttrKind};
use crate::lexer::Tok;
use crate::text::read::parser::{PResult, Parser};

impl Parser<'_> {
    /// `@f : type` ⇒ `@f`: takes the type that says what the symbol is.
    pub(in crate::text) fn drop_symbol_type(&mut self, attr: Attr) -> PResult<()> {
        if matches!(attr.kind(self.ctx), AttrKind::Symbol { .. }) && self.eat(Tok::Colon) {
            self.ty()?;
        }
        Ok(())
    }

    /// `opaque<dialect, "0x…"> : type` ⇒ `#dialect<"0x…"> : type`: the dialect alone knows its
    /// contents.
    pub(in crate::text) fn opaque_elements(&mut self) -> PResult<Attr> {
        self.advance();
        self.expect(Tok::Less)?;
        let dialect = match self.at(Tok::String) {
            true => self.utf8_string("a dialect's name")?,
            false => self.ctx.ident(self.expect_bare("a dialect's name")?),
        };
        self.expect(Tok::Comma)?;
        let token = self.tok;
        let data = self.utf8_string("the data in hexadecimal")?;
        let data = self.ctx.str(data);
        let digits = data.strip_prefix("0x").unwrap_or("");
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            let message = "opaque elements are a string of hexadecimal digits after `0x`";
            return Err(self.error_on(token, message));
        }
        self.expect(Tok::Greater)?;
        self.expect(Tok::Colon)?;
        let place = self.tok;
        let ty = self.ty()?;
        if ty.element(self.ctx).is_none() || ty.memref(self.ctx).is_some() {
            return Err(self.error_on(place, "opaque elements are of a tensor or vector type"));
        }
        Ok(self.ctx.intern_attr(AttrKind::Dialect {
            dialect,
            body: self.ctx.ident(&format!("<\"{data}\">")),
            ty: Some(ty),
        }))
    }
}
