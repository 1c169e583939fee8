//! Intrinsics and types of LLVM in their old spellings as operations and strings.

use super::emit::{Emit, Parts};
use gridloom_ir::context::Context;
use gridloom_ir::text::PResult;
use gridloom_ir::text::unescape;
use gridloom_ir::types::{FloatKind, Type, TypeKind};

/// Operations of the `llvm` dialect that are not intrinsics: those with a name of two parts, since
/// only `llvm.mlir.…` and `llvm.intr.…` have more.
static OPERATIONS: &[&str] = &[
    "add",
    "addrspacecast",
    "alias",
    "alloca",
    "and",
    "ashr",
    "atomicrmw",
    "bitcast",
    "blockaddress",
    "blocktag",
    "br",
    "call",
    "call_intrinsic",
    "cmpxchg",
    "comdat",
    "comdat_selector",
    "cond_br",
    "extractelement",
    "extractvalue",
    "fadd",
    "fcmp",
    "fdiv",
    "fence",
    "fmul",
    "fneg",
    "fpext",
    "fptosi",
    "fptoui",
    "fptrunc",
    "freeze",
    "frem",
    "fsub",
    "func",
    "getelementptr",
    "icmp",
    "indirectbr",
    "inline_asm",
    "insertelement",
    "insertvalue",
    "inttoptr",
    "invoke",
    "landingpad",
    "linker_options",
    "load",
    "lshr",
    "module_flags",
    "mul",
    "or",
    "ptrtoint",
    "resume",
    "return",
    "sdiv",
    "select",
    "sext",
    "shl",
    "shufflevector",
    "sitofp",
    "srem",
    "store",
    "sub",
    "switch",
    "trunc",
    "udiv",
    "uitofp",
    "unreachable",
    "urem",
    "va_arg",
    "xor",
    "zext",
];

/// Whether an operation of this name is an LLVM intrinsic.
pub(super) fn is_intrinsic(name: &str) -> bool {
    name.strip_prefix("llvm.").is_some_and(|rest| {
        let dialect = rest.starts_with("mlir.") || rest.starts_with("intr.");
        !rest.is_empty() && !dialect && !OPERATIONS.contains(&rest)
    })
}

/// `"llvm.name"(…) : (…) -> (…)` ⇒ a call of the intrinsic of that name. Several results come back
/// in a struct.
pub(super) fn generic_intrinsic(e: &mut Emit<'_, '_>, parts: Parts) -> PResult<()> {
    let ctx = e.ctx();
    let name = ctx.string_attr(&name_text(e));
    let mut attrs = e.named(&parts.attrs);
    attrs.push(("intrin", name));
    attrs.push(("op_bundle_sizes", ctx.i32_array_attr(&[])));
    let segments = [parts.operands.len() as i32, 0];
    attrs.push(("operandSegmentSizes", ctx.i32_array_attr(&segments)));
    let call = "llvm.call_intrinsic";
    if parts.results.len() < 2 {
        return e.result_op(call, &parts.operands, &parts.results, &attrs);
    }
    let texts = parts
        .results
        .iter()
        .map(|&ty| gridloom_ir::text::type_string(ctx, ty));
    let fields = texts.collect::<Vec<_>>().join(", ");
    let ty = dialect_type(ctx, &format!(".struct<({fields})>"));
    let op = e.op(call, &parts.operands, &[ty], &attrs)?;
    let all = e.p.body[op].result(0);
    for (index, &ty) in (0i64..).zip(&parts.results) {
        let position = ctx.i64_array_attr(&[index]);
        e.result_op(
            "llvm.extractvalue",
            &[all],
            &[ty],
            &[("position", position)],
        )?;
    }
    Ok(())
}

/// Returns the operation's name in the text, without its quotes.
fn name_text(e: &Emit<'_, '_>) -> String {
    let inside = e.p.slice(e.token.start + 1, e.token.end - 1);
    String::from_utf8_lossy(&unescape(inside)).into_owned()
}

fn dialect_type(ctx: &Context, body: &str) -> Type {
    ctx.intern_type(TypeKind::Dialect {
        dialect: ctx.ident("llvm"),
        body: ctx.ident(body),
    })
}

/// Nesting limit of an LLVM type.
const MAX_DEPTH: u32 = 64;

/// Parses a type in LLVM's own syntax. Pointers drop their element type, as today's do.
pub(super) fn quoted_type(ctx: &Context, text: &str) -> Result<Type, String> {
    let wrong = || format!("`{text}` is not understood as a type of LLVM");
    parse_type(ctx, text).ok_or_else(wrong)
}

fn parse_type(ctx: &Context, text: &str) -> Option<Type> {
    let mut reader = Reader {
        ctx,
        remaining: text,
    };
    let ty = reader.ty(MAX_DEPTH)?;
    reader.remaining.trim().is_empty().then_some(ty)
}

struct Reader<'a> {
    ctx: &'a Context,
    remaining: &'a str,
}

impl<'a> Reader<'a> {
    fn eat(&mut self, token: &str) -> bool {
        self.remaining = self.remaining.trim_start();
        match self.remaining.strip_prefix(token) {
            Some(rest) => {
                self.remaining = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self) -> &'a str {
        self.remaining = self.remaining.trim_start();
        let end = self
            .remaining
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (word, rest) = self.remaining.split_at(end.unwrap_or(self.remaining.len()));
        self.remaining = rest;
        word
    }

    fn ty(&mut self, depth: u32) -> Option<Type> {
        let depth = depth.checked_sub(1)?;
        let mut ty = self.first(depth)?;
        loop {
            if self.eat("*") {
                ty = dialect_type(self.ctx, ".ptr");
            } else if self.eat("addrspace") {
                let space: u32 = self.in_parentheses()?.parse().ok()?;
                if !self.eat("*") {
                    return None;
                }
                let body = match space {
                    0 => ".ptr".to_owned(),
                    _ => format!(".ptr<{space}>"),
                };
                ty = dialect_type(self.ctx, &body);
            } else if self.eat("(") {
                let params = self.list(")", depth)?;
                let result = self.shown(ty);
                ty = dialect_type(self.ctx, &format!(".func<{result} ({params})>"));
            } else {
                return Some(ty);
            }
        }
    }

    fn in_parentheses(&mut self) -> Option<&'a str> {
        if !self.eat("(") {
            return None;
        }
        let word = self.word();
        self.eat(")").then_some(word)
    }

    fn first(&mut self, depth: u32) -> Option<Type> {
        if self.eat("<{") {
            let fields = self.list("}>", depth)?;
            return Some(dialect_type(
                self.ctx,
                &format!(".struct<packed ({fields})>"),
            ));
        }
        if self.eat("{") {
            let fields = self.list("}", depth)?;
            return Some(dialect_type(self.ctx, &format!(".struct<({fields})>")));
        }
        if self.eat("[") {
            let (count, element) = self.sequence("]", depth)?;
            let element = self.shown(element);
            return Some(dialect_type(
                self.ctx,
                &format!(".array<{count} x {element}>"),
            ));
        }
        if self.eat("<") {
            let (count, element) = self.sequence(">", depth)?;
            return (count > 0).then(|| {
                self.ctx.intern_type(TypeKind::Vector {
                    shape: Box::new([count]),
                    scalable: Box::new([false]),
                    element,
                })
            });
        }
        self.scalar()
    }

    /// `4 x float]`
    fn sequence(&mut self, close: &str, depth: u32) -> Option<(i64, Type)> {
        let count = self.word().parse().ok()?;
        if self.word() != "x" {
            return None;
        }
        let element = self.ty(depth)?;
        self.eat(close).then_some((count, element))
    }

    /// Parses types up to `close` and prints them in today's syntax.
    fn list(&mut self, close: &str, depth: u32) -> Option<String> {
        let mut shown = Vec::new();
        if self.eat(close) {
            return Some(String::new());
        }
        loop {
            if self.eat("...") {
                shown.push("...".to_owned());
            } else {
                let ty = self.ty(depth)?;
                shown.push(self.shown(ty));
            }
            if self.eat(close) {
                return Some(shown.join(", "));
            }
            if !self.eat(",") {
                return None;
            }
        }
    }

    fn scalar(&mut self) -> Option<Type> {
        let ctx = self.ctx;
        Some(match self.word() {
            "half" => ctx.float_type(FloatKind::F16),
            "bfloat" => ctx.float_type(FloatKind::BF16),
            "float" => ctx.float_type(FloatKind::F32),
            "double" => ctx.float_type(FloatKind::F64),
            "fp128" => ctx.float_type(FloatKind::F128),
            "x86_fp80" => ctx.float_type(FloatKind::F80),
            word @ ("void" | "ptr" | "metadata" | "label" | "token" | "ppc_fp128" | "x86_amx") => {
                dialect_type(ctx, &format!(".{word}"))
            }
            word => {
                let width: u32 = word.strip_prefix('i')?.parse().ok()?;
                (1..=1 << 23)
                    .contains(&width)
                    .then(|| ctx.int_type(width))?
            }
        })
    }

    /// Prints a type inside another one of the dialect, which leaves `!llvm.` out.
    fn shown(&self, ty: Type) -> String {
        match ty.kind(self.ctx) {
            TypeKind::Dialect { dialect, body } if self.ctx.str(*dialect) == "llvm" => {
                self.ctx.str(*body).trim_start_matches('.').to_owned()
            }
            _ => gridloom_ir::text::type_string(self.ctx, ty),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_llvm() {
        let ctx = crate::context();
        let today =
            |text: &str| parse_type(&ctx, text).map(|ty| gridloom_ir::text::type_string(&ctx, ty));
        for (old, new) in [
            ("i32*", "!llvm.ptr"),
            ("i8 addrspace(3)*", "!llvm.ptr<3>"),
            ("float", "f32"),
            ("<4 x float>", "vector<4xf32>"),
            ("[4 x i8*]", "!llvm.array<4 x ptr>"),
            (
                "{ i32, [2 x double] }",
                "!llvm.struct<(i32, array<2 x f64>)>",
            ),
            ("<{ i8, i32 }>", "!llvm.struct<packed (i8, i32)>"),
            ("void (i32, ...)", "!llvm.func<void (i32, ...)>"),
            ("void (i32)*", "!llvm.ptr"),
        ] {
            assert_eq!(today(old).as_deref(), Some(new), "{old}");
        }
        for no_type in ["", "i", "[4 x ]", "i32 i32", "{i32", "%struct.x", "string"] {
            assert_eq!(today(no_type), None, "{no_type}");
        }
        assert_eq!(today(&"[1 x ".repeat(1000)), None);
    }

    #[test]
    fn intrinsics_are_not_operations() {
        assert!(is_intrinsic("llvm.sadd.with.overflow.i16"));
        assert!(is_intrinsic("llvm.trap"));
        for name in [
            "llvm.add",
            "llvm.mlir.undef",
            "llvm.intr.fabs",
            "llvm.",
            "tf.Add",
        ] {
            assert!(!is_intrinsic(name), "{name}");
        }
    }
}
