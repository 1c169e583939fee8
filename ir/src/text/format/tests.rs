//! Tests of format features that no row of today uses, on rows made for the purpose.

use super::directive::{Directive, Parsed, Printed};
use crate::constraints::{ANY_ATTR, BOOL, I64_ATTR, STRING, attr, flag};
use crate::lexer::Tok;
use crate::op::{Assembly, AttrSyntax, OpDef};
use crate::text::format::Format;
use crate::text::read::op_parser::OpParser;
use crate::text::read::parser::{PResult, Parser};
use crate::text::write::printer::OpPrinter;
use crate::text::{ParseOptions, PrintOptions};

/// Prints a form again from what it parsed.
fn again(def: &'static OpDef, text: &str) -> Result<String, String> {
    let ctx = crate::test_dialect::context();
    let options = ParseOptions::default();
    let mut parser = Parser::new(&ctx, text.as_bytes(), 0, &options);
    let token = parser.tok;
    let (form_row, def) = (&def.form, &def.signature);
    let name = ctx.op_name(def.name);
    let mut form = OpParser::new(&mut parser, name, token);
    let Assembly::Declared(declaration) = form_row.assembly else {
        return Err("the row declares no form".into());
    };
    let format = Format::compile(&ctx, def, form_row.directives, declaration)?;
    let op = form
        .run_form(&format, def)
        .and_then(|()| form.finish())
        .and_then(|op| parser.expect(Tok::Eof).map(|_| op));
    match op {
        Ok(op) => {
            let options = PrintOptions::default();
            let mut printer = OpPrinter::new(&ctx, &options);
            printer.run_form(&parser.body, op, &format, def);
            let out = printer.out.as_str().strip_prefix(def.name);
            Ok(out.expect("the name comes first").to_owned())
        }
        Err(_) => Err(parser.into_diagnostics().render(&ctx)),
    }
}

static CLAUSES: OpDef = OpDef::new("test.clauses")
    .attrs(&[
        attr("size", I64_ATTR)
            .spelled(AttrSyntax::Typed(|c| c.int_type(64)))
            .optional(),
        flag("fast"),
        attr("label", STRING).spelled(AttrSyntax::String).optional(),
    ])
    .format("oilist(`size` `(` $size `)` | `fast` $fast | `label` $label) attr-dict");

#[test]
fn clauses_stand_in_any_order() {
    for text in ["", " size(4)", " size(4) fast label \"x\"", " fast {a}"] {
        assert_eq!(again(&CLAUSES, text).as_deref(), Ok(text));
    }
    let text = "label \"x\" size(4)";
    assert_eq!(again(&CLAUSES, text).as_deref(), Ok(" size(4) label \"x\""));
    let twice = again(&CLAUSES, "fast fast").unwrap_err();
    assert!(
        twice.contains("`fast` clause can appear at most once"),
        "{twice}"
    );
}

static PROPERTIES: OpDef = OpDef::new("test.properties")
    .attrs(&[
        attr("size", I64_ATTR).spelled(AttrSyntax::Typed(|c| c.int_type(64))),
        attr("other", ANY_ATTR).optional(),
    ])
    .format("$size prop-dict attr-dict");

#[test]
fn properties_have_a_dictionary_of_their_own() {
    for text in [
        " 4",
        " 4 <{other = @a}>",
        " 4 <{other = true}> {a, b = 2 : i8}",
    ] {
        assert_eq!(again(&PROPERTIES, text).as_deref(), Ok(text));
    }
}

static CHOICE: OpDef = OpDef::new("test.choice")
    .attrs(&[attr("on", BOOL).spelled(AttrSyntax::Any).optional()])
    .format("(`on` `=` $on^) : (`off`)? attr-dict");

#[test]
fn an_absent_group_leaves_literals() {
    for text in [" on = true", " off"] {
        assert_eq!(again(&CHOICE, text).as_deref(), Ok(text));
    }
    assert!(again(&CHOICE, "").is_err());
}

/// `twice<5>`, of an attribute that holds 10, unless the named one holds 10 too.
static DIRECTIVES: &[Directive] =
    &[Directive::new("Half", parse_half, print_half).starts(|p, words| p.at_keyword(words[0]))];

fn parse_half<'s>(p: &mut OpParser<'_, 's>, args: &mut Parsed<'_, 's>) -> PResult<()> {
    let word = args.literal(1).to_owned();
    p.expect_keyword(&word)?;
    p.expect(Tok::Less)?;
    let half = p.integer("a number")?;
    p.expect(Tok::Greater)?;
    let full = p.ctx().i64_attr(half * 2);
    if args.attr(p, 2) == Some(full) {
        return Err(p.error("this is known already"));
    }
    args.set_attr(p, 0, full);
    Ok(())
}

fn print_half(p: &mut OpPrinter<'_>, args: &Printed<'_>) {
    p.text(args.literal(1));
    p.text("<");
    if let Some(value) = args.attr(p, 0).and_then(|value| value.as_i64(p.ctx)) {
        p.int_text(value / 2);
    }
    p.text(">");
}

const HALVED: OpDef = OpDef::new("test.halved")
    .attrs(&[
        attr("base", I64_ATTR).spelled(AttrSyntax::Typed(|c| c.int_type(64))),
        attr("full", I64_ATTR).optional(),
    ])
    .directives(const { &[DIRECTIVES] });

static DIRECTED: OpDef =
    HALVED.format("$base custom<Half>($full, \"twice\", ref($base)) attr-dict");

static OPTIONAL: OpDef = HALVED.format("$base (custom<Half>($full, \"twice\")^)? attr-dict");

#[test]
fn directives_reach_their_arguments() {
    for text in [" 3 twice<5>", " 3 twice<5> {a}"] {
        assert_eq!(again(&DIRECTED, text).as_deref(), Ok(text));
    }
    let known = again(&DIRECTED, "10 twice<5>").unwrap_err();
    assert!(known.contains("this is known already"), "{known}");
}

#[test]
fn directives_anchor_groups() {
    for text in [" 3", " 3 {a}", " 3 twice<5>"] {
        assert_eq!(again(&OPTIONAL, text).as_deref(), Ok(text));
    }
}
