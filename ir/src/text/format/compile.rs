//! From the text of a declaration to its elements.

use super::{Anchor, AttrElement, Element, Format, Group, Kind, TypesOf};
use crate::context::{Context, Ident};
use crate::op::{AttrSyntax, OpDef};
use crate::text::facts::parse_attr_text;
use crate::text::lexer::Tok;
use crate::text::op_parser::Delimiter;

pub(super) fn compile(ctx: &Context, def: &OpDef, text: &str) -> Result<Format, String> {
    let mut compiler = Compiler {
        ctx,
        def,
        rest: text.trim(),
        spelled: Vec::new(),
        regions: Vec::new(),
        successors: Vec::new(),
        blank: true,
        after_punctuation: false,
    };
    let elements = compiler.elements(None)?;
    Ok(Format {
        elements: elements.into(),
        spelled: compiler.spelled.into(),
    })
}

struct Compiler<'a> {
    ctx: &'a Context,
    def: &'a OpDef,
    rest: &'a str,
    spelled: Vec<Ident>,
    /// Names given to regions and successors, which rows do not name, in
    /// order of appearance.
    regions: Vec<&'a str>,
    successors: Vec<&'a str>,
    /// Whether the next element wants a blank before it.
    blank: bool,
    after_punctuation: bool,
}

/// What a name in a declaration stands for.
enum Named {
    Attr(AttrElement),
    Operand(usize),
    Result(usize),
    Region(usize),
    Successor(usize),
}

impl<'a> Compiler<'a> {
    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, text: &str) -> bool {
        self.skip_blanks();
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, text: &str) -> Result<(), String> {
        if self.eat(text) {
            Ok(())
        } else {
            Err(format!("expected `{text}` before `{}`", self.rest))
        }
    }

    fn word(&mut self) -> &'a str {
        self.skip_blanks();
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let end = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    /// Elements up to `)` or the end; inside a group, the anchor goes there.
    fn elements(
        &mut self,
        mut anchor: Option<&mut Option<Anchor>>,
    ) -> Result<Vec<Element>, String> {
        let mut list = Vec::new();
        loop {
            self.skip_blanks();
            if self.rest.is_empty() || self.rest.starts_with(')') {
                return Ok(list);
            }
            let element = self.element()?;
            if self.eat("^") {
                let found = anchor_of(&element.kind).ok_or("this element cannot be an anchor")?;
                match &mut anchor {
                    Some(anchor) => **anchor = Some(found),
                    None => return Err("an anchor stands outside a group".into()),
                }
            }
            list.push(element);
        }
    }

    fn element(&mut self) -> Result<Element, String> {
        if self.eat("`") {
            return self.literal();
        }
        if self.eat("(") {
            return self.group();
        }
        if self.eat("$") {
            let kind = match self.named()? {
                Named::Attr(attr) => Kind::Attr(attr),
                Named::Operand(index) => Kind::Operand(index),
                Named::Region(_) if self.def.regions.is_none() => Kind::Regions,
                Named::Region(index) => Kind::Region(index),
                Named::Successor(index) => Kind::Successor(index),
                Named::Result(_) => return Err("a result stands only in `type(…)`".into()),
            };
            // A unit attribute is spelled by its group alone.
            if matches!(&kind, Kind::Attr(attr) if matches!(attr.syntax, AttrSyntax::Unit)) {
                return Ok(Element { kind, blank: false });
            }
            return Ok(self.spaced(kind));
        }
        let word = self.word();
        let kind = match word {
            "attr-dict" | "attr-dict-with-keyword" => {
                self.after_punctuation = false;
                let kind = match word {
                    "attr-dict" => Kind::AttrDict,
                    _ => Kind::AttrDictWithKeyword,
                };
                return Ok(Element { kind, blank: false });
            }
            "operands" => Kind::Operands,
            "successors" => Kind::Successors,
            "type" => {
                self.expect("(")?;
                let types = self.types_of()?;
                self.expect(")")?;
                Kind::Type(types)
            }
            "functional-type" => {
                self.expect("(")?;
                let inputs = self.types_of()?;
                self.expect(",")?;
                let results = self.types_of()?;
                self.expect(")")?;
                Kind::FunctionalType(inputs, results)
            }
            "qualified" => {
                self.expect("(")?;
                let element = self.element()?;
                self.expect(")")?;
                return Ok(element);
            }
            "custom" => self.custom()?,
            _ => return Err(format!("unknown element `{word}` before `{}`", self.rest)),
        };
        Ok(self.spaced(kind))
    }

    /// An element that a blank precedes unless the last one forbids it.
    fn spaced(&mut self, kind: Kind) -> Element {
        let blank = self.blank || !self.after_punctuation;
        self.blank = true;
        self.after_punctuation = false;
        Element { kind, blank }
    }

    /// After the opening back quote.
    fn literal(&mut self) -> Result<Element, String> {
        let Some((text, rest)) = self.rest.split_once('`') else {
            return Err("a literal is not closed".into());
        };
        self.rest = rest;
        let space = match text {
            "" => Some(""),
            " " => Some(" "),
            "\\n" => Some("\n"),
            _ => None,
        };
        if let Some(space) = space {
            self.blank = false;
            self.after_punctuation = space != " ";
            return Ok(Element {
                kind: Kind::Space(space),
                blank: false,
            });
        }
        let first = text.as_bytes().first().copied().unwrap_or(0);
        let is_word = first.is_ascii_alphabetic() || first == b'_';
        let hugging = if self.after_punctuation {
            ">)}],"
        } else {
            "<>(){}[],"
        };
        let blank = self.blank && (text.len() != 1 || !hugging.contains(text));
        self.blank = text.len() != 1 || !"<({[".contains(text);
        self.after_punctuation = !is_word;
        let kind = if is_word {
            Kind::Keyword(text.into())
        } else {
            let token = Tok::punctuation(text);
            Kind::Punctuation(
                token.ok_or_else(|| format!("`{text}` is no token"))?,
                text.into(),
            )
        };
        Ok(Element { kind, blank })
    }

    /// After the opening parenthesis.
    fn group(&mut self) -> Result<Element, String> {
        let mut anchor = None;
        let then = self.elements(Some(&mut anchor))?;
        self.expect(")")?;
        let mut otherwise = Vec::new();
        if self.eat(":") {
            self.expect("(")?;
            otherwise = self.elements(None)?;
            self.expect(")")?;
        }
        self.expect("?")?;
        let group = Group {
            then: then.into(),
            otherwise: otherwise.into(),
            anchor: anchor.ok_or("a group needs an anchor")?,
        };
        Ok(Element {
            kind: Kind::Group(group),
            blank: false,
        })
    }

    /// After `$`.
    fn named(&mut self) -> Result<Named, String> {
        let name = self.word();
        if let Some(attr) = self.def.attrs.iter().find(|a| a.name == name) {
            let ident = self.ctx.ident(name);
            self.spelled.push(ident);
            return Ok(Named::Attr(AttrElement {
                name: ident,
                syntax: attr.syntax,
                default: attr.default.and_then(|t| parse_attr_text(self.ctx, t).ok()),
            }));
        }
        if let Some(index) = self.def.operands.iter().position(|v| v.name == name) {
            return Ok(Named::Operand(index));
        }
        if let Some(index) = self.def.results.iter().position(|v| v.name == name) {
            return Ok(Named::Result(index));
        }
        if self.def.successors != Some(0) {
            return Ok(Named::Successor(index_of(&mut self.successors, name)));
        }
        if self.def.regions != Some(0) {
            return Ok(Named::Region(index_of(&mut self.regions, name)));
        }
        Err(format!("the row has nothing called `{name}`"))
    }

    /// `$name`, `operands` or `results`
    fn types_of(&mut self) -> Result<TypesOf, String> {
        if self.eat("$") {
            return match self.named()? {
                Named::Operand(index) => Ok(TypesOf::Operand(index)),
                Named::Result(index) => Ok(TypesOf::Result(index)),
                _ => Err("only operands and results have types".into()),
            };
        }
        match self.word() {
            "operands" => Ok(TypesOf::Operands),
            "results" => Ok(TypesOf::Results),
            other => Err(format!("`{other}` has no types")),
        }
    }

    /// After `custom`.
    fn custom(&mut self) -> Result<Kind, String> {
        self.expect("<")?;
        let name = self.word();
        self.expect(">")?;
        if name != "DynamicIndexList" {
            return Err(format!("unknown directive `custom<{name}>`"));
        }
        self.expect("(")?;
        self.expect("$")?;
        let Named::Operand(operand) = self.named()? else {
            return Err("the first argument is an operand group".into());
        };
        self.expect(",")?;
        self.expect("$")?;
        let Named::Attr(attr) = self.named()? else {
            return Err("the second argument is an attribute".into());
        };
        let end = self.rest.find(')').ok_or("`(` is not closed")?;
        let delimiter = if self.rest[..end].contains("Paren") {
            Delimiter::Paren
        } else {
            Delimiter::Square
        };
        self.rest = &self.rest[end + 1..];
        Ok(Kind::IndexList(operand, attr, delimiter))
    }
}

fn index_of<'a>(names: &mut Vec<&'a str>, name: &'a str) -> usize {
    names.iter().position(|n| *n == name).unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })
}

fn anchor_of(kind: &Kind) -> Option<Anchor> {
    Some(match kind {
        Kind::Attr(attr) => Anchor::Attr(*attr),
        Kind::Operand(index) | Kind::IndexList(index, ..) => Anchor::Operand(*index),
        Kind::Type(types) => Anchor::Types(*types),
        Kind::Region(index) => Anchor::Region(*index),
        Kind::Successor(index) => Anchor::Successor(*index),
        Kind::Operands => Anchor::Operands,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::{Assembly, known_ops};
    use crate::text::facts;

    #[test]
    fn every_declared_form_compiles() {
        let ctx = Context::new();
        let mut declared = 0;
        for def in known_ops() {
            let facts = facts::of(&ctx, ctx.op_name(def.name), def);
            if let Some(Err(why)) = &facts.format {
                panic!("{}: {why}", def.name);
            }
            let defaults = def.attrs.iter().filter(|a| a.default.is_some()).count();
            assert_eq!(facts.defaults.len(), defaults, "{}", def.name);
            declared += usize::from(matches!(def.assembly, Assembly::Declared(_)));
        }
        assert!(declared > 50);
    }

    #[test]
    fn what_is_no_declaration() {
        let ctx = Context::new();
        let def = OpDef::new("test.op");
        for text in [
            "$x",
            "`a",
            "($x)?",
            "(`a`)?",
            "type(`a`)",
            "nonsense",
            "custom<Other>($x)",
            "`a`^",
        ] {
            assert!(compile(&ctx, &def, text).is_err(), "{text}");
        }
    }
}
