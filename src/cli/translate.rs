//! Command `gridloom translate`.

use gridloom::ir::OpId;
use gridloom::ir::location::LocKind;
use gridloom::ir::text::{PrintOptions, print_op};
use gridloom::spirv::dialect::{deserialize, serialize};
use gridloom::{Context, Diagnostics, Module};

use super::{Failure, args, help, input};

/// Direction of translation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// From a `spirv.module` to SPIR-V words.
    Serialize,
    /// From SPIR-V words to a `spirv.module`.
    Deserialize,
}

pub fn run(parser: &mut lexopt::Parser) -> Result<(), Failure> {
    use lexopt::prelude::*;
    let (mut file, mut output, mut direction, mut name) = (None, None, None, None);
    while let Some(arg) = parser.next()? {
        let chosen = match arg {
            Value(value) => {
                args::set_file(&mut file, value)?;
                continue;
            }
            Short('o') => {
                output = Some(args::text(parser.value()?)?);
                continue;
            }
            Long("module") => {
                name = Some(args::text(parser.value()?)?);
                continue;
            }
            // A file of `mlir-translate` holds one spirv.module, with or without a module around
            // it.
            Long("no-implicit-module") => continue,
            Long("help") | Short('h') => return input::print(help::TRANSLATE.as_bytes()),
            Long("serialize-spirv") => Direction::Serialize,
            Long("deserialize-spirv") => Direction::Deserialize,
            other => return Err(other.unexpected().into()),
        };
        if direction.is_some_and(|direction| direction != chosen) {
            let message = "--serialize-spirv and --deserialize-spirv cannot be combined";
            return Err(Failure::Usage(message.to_owned()));
        }
        direction = Some(chosen);
    }
    let file = args::need_file(file)?;
    let bytes = match direction {
        Some(Direction::Serialize) => serialized(&file, name.as_deref())?,
        Some(Direction::Deserialize) => deserialized(&file, name.as_deref())?,
        None => {
            let message = "'translate' needs --serialize-spirv or --deserialize-spirv";
            return Err(Failure::Usage(message.to_owned()));
        }
    };
    input::write(output.as_deref(), &bytes)
}

/// Serializes the only `spirv.module` of a file, or the one with a given name.
fn serialized(file: &str, name: Option<&str>) -> Result<Vec<u8>, Failure> {
    let ctx = input::context();
    let module = input::module(&ctx, file, None)?;
    let op = chosen(&ctx, &module, file, name)?;
    let words = serialize(&ctx, &module.body()[op]).map_err(|found| refused(&ctx, &found))?;
    Ok(words.iter().flat_map(|word| word.to_le_bytes()).collect())
}

fn chosen(ctx: &Context, module: &Module, file: &str, name: Option<&str>) -> Result<OpId, Failure> {
    let modules = module
        .ops()
        .filter(|(_, data)| ctx.op_name_str(data.name) == "spirv.module");
    let named: Vec<(OpId, &str)> = modules
        .map(|(op, data)| (op, data.symbol_name(ctx).map_or("", |name| ctx.str(name))))
        .collect();
    let fits = |(_, own): &&(OpId, &str)| name.is_none_or(|name| *own == name);
    let found: Vec<&(OpId, &str)> = named.iter().filter(fits).collect();
    if let [(op, _)] = found[..] {
        return Ok(*op);
    }
    let names: Vec<String> = named.iter().map(|(_, name)| format!("'{name}'")).collect();
    let message = match (&named[..], name) {
        ([], _) => "there is no spirv.module: 'gridloom opt --convert-gpu-to-spirv' makes one of \
                    each gpu.module"
            .to_owned(),
        (_, Some(name)) => {
            format!(
                "there is no spirv.module '{name}'; there are {}",
                names.join(", ")
            )
        }
        _ => format!(
            "there are {} spirv.modules, and a SPIR-V file is one: choose with --module ({})",
            named.len(),
            names.join(", ")
        ),
    };
    Err(Failure::Refused(format!("{file}: error: {message}\n")))
}

/// Deserializes a SPIR-V file to the text of a `spirv.module`.
fn deserialized(file: &str, name: Option<&str>) -> Result<Vec<u8>, Failure> {
    let (shown, bytes) = input::read(file)?;
    let ctx = input::context();
    let wrong = |why: &str| Failure::Refused(format!("{shown}: error: {why}\n"));
    if bytes.len() % 4 != 0 {
        return Err(wrong(
            "not a SPIR-V module: its length is not a multiple of 4 bytes",
        ));
    }
    let words = bytes
        .chunks_exact(4)
        .map(|word| <[u8; 4]>::try_from(word).unwrap_or_default());
    let mut words: Vec<u32> = words.map(u32::from_le_bytes).collect();
    const MAGIC: u32 = 0x0723_0203;
    if words.first() == Some(&MAGIC.swap_bytes()) {
        words.iter_mut().for_each(|word| *word = word.swap_bytes());
    }
    let loc = ctx.intern_loc(LocKind::FileRange {
        file: ctx.ident(&shown),
        start: (0, 0),
        end: (0, 0),
    });
    let module = deserialize(&ctx, &words, name, loc).map_err(|found| refused(&ctx, &found))?;
    let text = module
        .ops()
        .map(|(op, _)| print_op(&ctx, module.body(), op, &PrintOptions::default()));
    let mut text = text.collect::<Vec<_>>().join("\n");
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text.into_bytes())
}

fn refused(ctx: &Context, found: &Diagnostics) -> Failure {
    Failure::Refused(found.render(ctx))
}
