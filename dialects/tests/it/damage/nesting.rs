//! Nesting of 100,000 levels is an error that comes quickly, in a thread with a usual stack; the
//! deepest nesting that is accepted passes every component.

use gridloom_ir::bytecode::write_module;
use gridloom_ir::text::{PrintOptions, parse_module, print_module};
use gridloom_ir::verify::verify;
use std::thread;

use super::{PARSE, STACK, read, round_trip};

/// A depth beyond every limit.
const TOO_DEEP: usize = 100_000;

/// Messages about too deep nesting, one of which each form gets.
const WHY: [&str; 2] = ["nested more than 256 levels", "may have 2000 operators"];

/// A form that nests: its opening of a level, its innermost text, its closing of a level, and the
/// text around all levels. `$` is the level's number.
struct Form {
    around: [&'static str; 2],
    open: &'static str,
    middle: &'static str,
    close: &'static str,
}

const fn form(
    before: &'static str,
    open: &'static str,
    middle: &'static str,
    close: &'static str,
    after: &'static str,
) -> Form {
    Form {
        around: [before, after],
        open,
        middle,
        close,
    }
}

const fn attr(open: &'static str, middle: &'static str, close: &'static str) -> Form {
    form("\"a.b\"() {a = ", open, middle, close, "} : () -> ()")
}

const fn expr(open: &'static str, middle: &'static str, close: &'static str) -> Form {
    let (before, after) = ("\"a.b\"() {a = affine_map<(d0) -> (", ")>} : () -> ()");
    form(before, open, middle, close, after)
}

const FORMS: &[Form] = &[
    form("", "\"a.b\"() ({\n", "", "}) : () -> ()\n", ""),
    form("", "module {\n", "", "}\n", ""),
    form(
        "func.func @f(%c: i1) {\n",
        "scf.if %c {\n",
        "",
        "}\n",
        "return\n}",
    ),
    form(
        "func.func @f() {\n",
        "affine.if affine_set<() : ()>() {\n",
        "",
        "}\n",
        "return\n}",
    ),
    form(
        "func.func @f() {\n",
        "affine.for %i$ = 0 to 4 {\n",
        "",
        "}\n",
        "return\n}",
    ),
    // Syntax of 2019.
    form(
        "func @f() {\n",
        "for %i$ = 0 to 4 {\n",
        "",
        "}\n",
        "return\n}",
    ),
    form(
        "func @f() {\n",
        "if () : (0 == 0) () {\n",
        "",
        "}\n",
        "return\n}",
    ),
    attr("[", "", "]"),
    attr("{a = ", "1", "}"),
    attr("tuple<", "i32", ">"),
    attr("memref<", "f32", ">"),
    attr("memref<1x", "f32", ">"),
    attr("memref<f32, ", "1", ">"),
    attr("tensor<f32, ", "1", ">"),
    attr("vector<1x", "f32", ">"),
    attr("tensor<1x", "f32", ">"),
    attr("complex<", "f32", ">"),
    attr("() -> (", "i32", ")"),
    attr("(", "i32", ") -> ()"),
    attr("distinct[0]<", "1", ">"),
    form(
        "\"a.b\"() {a = dense<",
        "[",
        "1",
        "]",
        "> : tensor<1xi32>} : () -> ()",
    ),
    attr("!spirv.array<1 x ", "i32", ">"),
    attr("!spirv.ptr<", "i32", ", Function>"),
    attr("!spirv.struct<(", "i32", ")>"),
    form(
        "\"a.b\"() {a = loc(",
        "fused[",
        "unknown",
        "]",
        ")} : () -> ()",
    ),
    form("\"a.b\"() : () -> () loc(", "fused[", "unknown", "]", ")"),
    form("\"a.b\"() : () -> () loc(", "\"a\"(", "unknown", ")", ")"),
    form(
        "\"a.b\"() : () -> () loc(",
        "callsite(",
        "unknown",
        " at unknown)",
        ")",
    ),
    form(
        "\"a.b\"() : () -> () loc(",
        "callsite(unknown at ",
        "unknown",
        ")",
        ")",
    ),
    form("#a = loc(", "fused<1>[", "unknown", "]", ")"),
    expr("(", "d0", ")"),
    expr("-", "d0", ""),
    expr("d0 + (", "d0", ")"),
    expr("", "d0", " + d0 * 2"),
    // Prefix division of an older era.
    form(
        "// era: 2020\n#m = (d0) -> (",
        "floordiv(",
        "d0",
        ", 2)",
        ")",
    ),
];

impl Form {
    fn text(&self, depth: usize) -> String {
        let [before, after] = self.around;
        let opens = (0..depth).map(|level| self.open.replace('$', &level.to_string()));
        let (open, close) = (opens.collect::<String>(), self.close.repeat(depth));
        format!("{before}{open}{}{close}{after}", self.middle)
    }
}

/// Runs `work` in a thread with a usual stack.
fn on_small_stack(work: impl FnOnce() + Send) {
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(STACK);
        let thread = builder.spawn_scoped(scope, work).expect("a thread starts");
        thread.join().expect("nothing panics");
    });
}

fn why(text: &str) -> String {
    let ctx = gridloom_dialects::context();
    match parse_module(&ctx, "deep", text.as_bytes(), &PARSE) {
        Ok(_) => String::new(),
        Err(found) => found.render(&ctx),
    }
}

#[test]
fn too_deep_is_an_error() {
    on_small_stack(|| {
        for form in FORMS {
            let found = why(&form.text(TOO_DEEP));
            let head = form.text(1);
            assert!(WHY.iter().any(|why| found.contains(why)), "{head}: {found}");
        }
    });
}

#[test]
fn what_no_depth_is_counted_in_is_read() {
    on_small_stack(|| {
        // The reader skips dialects' own text without recursion, and references are lists.
        for form in [
            attr("#a.b<", "1", ">"),
            attr("!a.b<", "1", ">"),
            attr("@a::", "@a", ""),
            attr("!llvm.struct<(", "i32", ")>"),
            attr("!llvm.array<1 x ", "i32", ">"),
        ] {
            assert_eq!(why(&form.text(TOO_DEEP)), "");
        }
        // Brackets that are never closed.
        for open in [
            "(",
            "[",
            "<",
            "{",
            "\"a.b\"() ({",
            "{-# a: {",
            "loc(",
            "#a<",
            "!a<",
        ] {
            let text = format!("#a = {}", open.repeat(TOO_DEEP));
            assert_ne!(why(&text), "", "{open}");
            assert_ne!(why(&open.repeat(TOO_DEEP)), "", "{open}");
        }
    });
}

/// The deepest nesting that is accepted: it is verified, printed, read again, written as bytecode,
/// read from there, and dropped.
#[test]
fn the_deepest_that_is_accepted_passes_everything() {
    on_small_stack(|| {
        for form in FORMS {
            let (mut low, mut high) = (0usize, 4096);
            while low < high {
                let depth = (low + high).div_ceil(2);
                match why(&form.text(depth)).is_empty() {
                    true => low = depth,
                    false => high = depth - 1,
                }
            }
            let deepest = form.text(low);
            let ctx = gridloom_dialects::context();
            let module = read(&ctx, deepest.as_bytes()).expect("it is accepted");
            if !verify(&ctx, &module).has_errors() {
                print_module(&ctx, &module, &PrintOptions::default());
            }
            let local = PrintOptions {
                generic: true,
                debuginfo: true,
                local_scope: true,
            };
            print_module(&ctx, &module, &local);
            // The printed text has a module around it, and aliases are defined a level or two
            // deeper than their values.
            let text = form.text(low.saturating_sub(8));
            round_trip(text.as_bytes());
            let Some(module) = read(&ctx, text.as_bytes()) else {
                panic!("{}: {}", form.text(1), why(&text));
            };
            round_trip(&write_module(&ctx, &module));
        }
    });
}

/// `"a.b"() ({ … }) : () -> ()` nested `depth` deep, as bytecode: nothing that this crate or
/// upstream would write.
fn nested_bytecode(depth: usize) -> Vec<u8> {
    let shallow = |depth: usize| {
        let ctx = gridloom_dialects::context();
        let form = form(
            "",
            "\"a.b\"() ({",
            "\"a.b\"() ({}) : () -> () loc(unknown)",
            "}) : () -> () loc(unknown)",
            "",
        );
        let module = read(&ctx, form.text(depth).as_bytes()).expect("it is right");
        write_module(&ctx, &module)
    };
    let [three, four] = [3, 4].map(shallow);
    let ([before, outer, after], [_, longer, _]) = (operations(&three), operations(&four));
    // The module's body is a section of its own.
    let ([head, old], [_, longer]) = (section(outer), section(longer));
    // Levels repeat themselves: a level is the bytes that the longer section has more.
    let level = &longer[..longer.len() - old.len()];
    let inner = [&level.repeat(depth - 3), old].concat();
    let outer = [head, &length(inner.len()), &inner].concat();
    [before, &length(outer.len()), &outer, after].concat()
}

/// Encodes a length as a number of eight bytes.
fn length(count: usize) -> Vec<u8> {
    [&[0][..], &(count as u64).to_le_bytes()].concat()
}

/// Number of the section of operations.
const OPERATIONS: u8 = 4;

/// Decodes the number at a position; returns the position behind it, too.
fn number(bytes: &[u8], at: usize) -> (usize, usize) {
    let width = bytes[at].trailing_zeros() as usize + 1;
    let mut value = [0; 8];
    value[..width].copy_from_slice(&bytes[at..at + width]);
    ((u64::from_le_bytes(value) >> width) as usize, at + width)
}

/// Splits a file at the section of operations: the bytes before its length, the section's bytes,
/// and those behind it.
fn operations(bytes: &[u8]) -> [&[u8]; 3] {
    // Magic, version, producer.
    let mut at = 5 + bytes[5..].iter().position(|&b| b == 0).expect("it has one") + 1;
    loop {
        let id = bytes[at];
        assert_eq!(id & 0x80, 0, "no section of these is aligned");
        let (length, inside) = number(bytes, at + 1);
        let end = inside + length;
        if id == OPERATIONS {
            return [&bytes[..at + 1], &bytes[inside..end], &bytes[end..]];
        }
        at = end;
    }
}

/// Splits bytes at the section at their end: the bytes before its length, and the section's bytes.
fn section(bytes: &[u8]) -> [&[u8]; 2] {
    let to_the_end = |at: &usize| {
        let (length, inside) = number(bytes, at + 1);
        bytes[*at] == OPERATIONS && inside + length == bytes.len()
    };
    let at = (0..bytes.len() - 9).find(to_the_end).expect("there is one");
    let (_, inside) = number(bytes, at + 1);
    [&bytes[..at + 1], &bytes[inside..]]
}

#[test]
fn bytecode_too_deep_is_an_error() {
    let why = |depth| {
        let ctx = gridloom_dialects::context();
        let read =
            gridloom_ir::bytecode::read_module(&ctx, "deep", &nested_bytecode(depth), &PARSE);
        read.err().map_or(String::new(), |found| found.render(&ctx))
    };
    on_small_stack(|| {
        assert_eq!(why(200), "");
        let found = why(TOO_DEEP);
        assert!(
            found.contains("nested more than 256 levels deep, at offset"),
            "{found}"
        );
    });
}
