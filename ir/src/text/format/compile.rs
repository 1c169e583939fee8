//! Compiler of declared forms: declaration text to elements.

use super::directive::{Arg, BUILTIN, Directive, Use};
use super::straight::straight;
use super::{Anchor, AttrElement, Clause, Element, Format, Group, Kind, TypesOf};
use crate::context::signature::{Arity, AttrSyntax, OpSignature};
use crate::context::{Context, Ident};
use crate::lexer::Tok;
use crate::text::op_syntax::parse_attr_text;

pub(super) fn compile(
    ctx: &Context,
    def: &OpSignature,
    directives: &'static [&'static [Directive]],
    text: &str,
) -> Result<Format, String> {
    let mut compiler = Compiler {
        ctx,
        def,
        directives,
        remaining: text.trim(),
        spelled: Vec::new(),
        regions: Vec::new(),
        successors: Vec::new(),
        blank: true,
        after_punctuation: false,
        prop_dict: false,
        depth: 0,
    };
    let elements = compiler.elements(None)?;
    if !compiler.remaining.is_empty() {
        return Err(format!("nothing opened what `{}` ends", compiler.remaining));
    }
    let mut values = def.operands.iter().chain(def.results);
    let one_each = values.all(|values| values.arity == Arity::One);
    Ok(Format {
        straight: one_each.then(|| straight(def, &elements)).flatten(),
        elements: elements.into(),
        spelled: compiler.spelled.into(),
        prop_dict: compiler.prop_dict,
        one_each,
    })
}

struct Compiler<'a> {
    ctx: &'a Context,
    def: &'a OpSignature,
    /// Directive tables of the row.
    directives: &'static [&'static [Directive]],
    remaining: &'a str,
    spelled: Vec<Ident>,
    /// Names of regions and successors in order of appearance: rows do not name them.
    regions: Vec<&'a str>,
    successors: Vec<&'a str>,
    /// Whether the next element wants a blank before it.
    blank: bool,
    after_punctuation: bool,
    prop_dict: bool,
    /// Group nesting at the cursor.
    depth: u32,
}

/// Referent of a name in a declaration.
enum Named {
    Attr(AttrElement),
    Operand(usize),
    Result(usize),
    Region(usize),
    Successor(usize),
}

impl<'a> Compiler<'a> {
    fn skip_blanks(&mut self) {
        self.remaining = self.remaining.trim_start();
    }

    fn eat(&mut self, text: &str) -> bool {
        self.skip_blanks();
        match self.remaining.strip_prefix(text) {
            Some(rest) => {
                self.remaining = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, text: &str) -> Result<(), String> {
        if self.eat(text) {
            Ok(())
        } else {
            Err(format!("expected `{text}` before `{}`", self.remaining))
        }
    }

    fn word(&mut self) -> &'a str {
        self.skip_blanks();
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let end = self
            .remaining
            .find(|c| !is_word(c))
            .unwrap_or(self.remaining.len());
        let (word, rest) = self.remaining.split_at(end);
        self.remaining = rest;
        word
    }

    /// Compiles elements up to `)`, `|` or the end; inside a group, the anchor goes to `anchor`.
    fn elements(
        &mut self,
        mut anchor: Option<&mut Option<Anchor>>,
    ) -> Result<Vec<Element>, String> {
        let mut list = Vec::new();
        loop {
            self.skip_blanks();
            if self.remaining.is_empty() || self.remaining.starts_with([')', '|']) {
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
            // Literals beside a unit attribute spell it.
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
            "prop-dict" => {
                self.after_punctuation = false;
                self.prop_dict = true;
                return Ok(Element {
                    kind: Kind::PropDict,
                    blank: false,
                });
            }
            "oilist" => return self.oilist(),
            "operands" => Kind::Operands,
            "regions" => Kind::Regions,
            "successors" => Kind::Successors,
            "type" => Kind::Type(self.types_in_parens()?),
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
            _ => {
                return Err(format!(
                    "unknown element `{word}` before `{}`",
                    self.remaining
                ));
            }
        };
        Ok(self.spaced(kind))
    }

    /// Makes an element with a blank before it, unless the last element forbids one.
    fn spaced(&mut self, kind: Kind) -> Element {
        let blank = self.blank || !self.after_punctuation;
        self.blank = true;
        self.after_punctuation = false;
        Element { kind, blank }
    }

    /// Compiles a literal, after its opening back quote.
    fn literal(&mut self) -> Result<Element, String> {
        let Some((text, rest)) = self.remaining.split_once('`') else {
            return Err("a literal is not closed".into());
        };
        self.remaining = rest;
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

    /// Compiles a group, after its opening parenthesis.
    fn group(&mut self) -> Result<Element, String> {
        let mut anchor = None;
        self.depth += 1;
        let then = self.elements(Some(&mut anchor))?;
        self.expect(")")?;
        let mut otherwise = Vec::new();
        if self.eat(":") {
            self.expect("(")?;
            otherwise = self.elements(None)?;
            self.expect(")")?;
        }
        self.expect("?")?;
        self.depth -= 1;
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

    /// Resolves a name, after `$`.
    fn named(&mut self) -> Result<Named, String> {
        let name = self.word();
        if let Some(attr) = self.def.attrs.iter().find(|a| a.name == name) {
            let ident = self.ctx.ident(name);
            self.spelled.push(ident);
            return Ok(Named::Attr(AttrElement {
                name: ident,
                syntax: attr.syntax,
                optional: attr.optional && self.depth == 0,
                default: attr.default.and_then(|t| parse_attr_text(self.ctx, t).ok()),
                constraint: attr.constraint,
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

    /// `($name)` after `type`
    fn types_in_parens(&mut self) -> Result<TypesOf, String> {
        self.expect("(")?;
        let types = self.types_of()?;
        self.expect(")")?;
        Ok(types)
    }

    /// Compiles an `oilist`, after the keyword.
    fn oilist(&mut self) -> Result<Element, String> {
        self.expect("(")?;
        self.depth += 1;
        let mut clauses = Vec::new();
        loop {
            let elements = self.elements(None)?;
            let literal = matches!(
                elements.first().map(|e| &e.kind),
                Some(Kind::Keyword(_) | Kind::Punctuation(..))
            );
            if !literal {
                return Err("a clause begins with a literal".into());
            }
            let anchors = elements.iter().filter_map(|e| anchor_of(&e.kind));
            clauses.push(Clause {
                anchor: Anchor::Any(anchors.collect()),
                elements: elements.into(),
            });
            if !self.eat("|") {
                break;
            }
        }
        self.depth -= 1;
        self.expect(")")?;
        Ok(Element {
            kind: Kind::OiList(clauses.into()),
            blank: false,
        })
    }

    /// Compiles a directive, after `custom`.
    fn custom(&mut self) -> Result<Kind, String> {
        self.expect("<")?;
        let name = self.word();
        self.expect(">")?;
        let mut known = self.directives.iter().copied().flatten().chain(BUILTIN);
        let directive = known.find(|directive| directive.name == name);
        let directive = directive.ok_or_else(|| format!("unknown directive `custom<{name}>`"))?;
        self.expect("(")?;
        let mut args = Vec::new();
        if !self.eat(")") {
            loop {
                args.push(self.argument()?);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        let args = args.into();
        Ok(Kind::Custom(Use { directive, args }))
    }

    /// Compiles an argument of a directive.
    fn argument(&mut self) -> Result<Arg, String> {
        if self.eat("\"") {
            let text = self.remaining.split_once('"');
            let (text, rest) = text.ok_or("a literal is not closed")?;
            self.remaining = rest;
            return Ok(Arg::Literal(text.into()));
        }
        if self.eat("$") {
            return Ok(match self.named()? {
                Named::Attr(attr) => Arg::Attr(attr),
                Named::Operand(index) => Arg::Operand(index),
                Named::Region(index) => Arg::Region(index),
                Named::Successor(index) => Arg::Successor(index),
                Named::Result(_) => return Err("a result stands only in `type(…)`".into()),
            });
        }
        match self.word() {
            "type" => Ok(Arg::Type(self.types_in_parens()?)),
            "attr-dict" => Ok(Arg::AttrDict),
            "ref" | "qualified" => {
                self.expect("(")?;
                let arg = self.argument()?;
                self.expect(")")?;
                Ok(arg)
            }
            other => Err(format!("`{other}` is no argument of a directive")),
        }
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
        Kind::Operand(index) => Anchor::Operand(*index),
        Kind::Type(types) => Anchor::Types(*types),
        Kind::Region(index) => Anchor::Region(*index),
        Kind::Successor(index) => Anchor::Successor(*index),
        Kind::Operands => Anchor::Operands,
        Kind::FunctionalType(inputs, results) => {
            Anchor::Any([Anchor::Types(*inputs), Anchor::Types(*results)].into())
        }
        Kind::Custom(directive) => directive.anchor(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_declaration() {
        let ctx = crate::test_dialect::context();
        let def = OpSignature::new("test.op");
        for text in [
            "$x",
            "`a",
            "($x)?",
            "(`a`)?",
            "type(`a`)",
            "nonsense",
            "custom<Other>($x)",
            "`a`^",
            "`a`)",
            "oilist(attr-dict)",
            "oilist(`a` | `b`",
        ] {
            assert!(compile(&ctx, &def, &[], text).is_err(), "{text}");
        }
    }
}
