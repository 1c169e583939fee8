//! The tests `spirv` and `shaders`: what a program is compiled to, held against validators.

use std::fs;

use super::Runner;
use super::header::{Header, Test};
use crate::{glslang, spirv_val};

impl Runner {
    pub(super) fn spirv(&self, file: &str, test: &Test, header: &Header) -> Result<(), String> {
        let binary = self
            .scratch
            .join(format!("{}.spv", file.replace(['/', '\\'], "-")));
        let binary_name = binary.display().to_string();
        let to_binary = ["--emit=spirv", "-o", &binary_name].map(String::from);
        self.accepted(
            "compile",
            file,
            &[&test.args[..], &to_binary[..]].concat(),
            header,
        )?;
        let words = fs::read(&binary).map_err(|e| format!("{binary_name}: {e}"))?;
        spirv_val().run(&["--target-env", "vulkan1.1", "-"], &words)?;

        if !self.expectation(file).exists() {
            return Ok(());
        }
        let to_text = ["--emit=spirv-asm".to_owned()];
        let text = self.accepted(
            "compile",
            file,
            &[&test.args[..], &to_text[..]].concat(),
            header,
        )?;
        self.compare_with_file(file, &text)
    }

    pub(super) fn shaders(&self, file: &str, test: &Test, header: &Header) -> Result<(), String> {
        let emit = |language: &str| {
            let flag = [format!("--emit={language}")];
            self.accepted("compile", file, &[&test.args[..], &flag].concat(), header)
        };
        // naga has validated the module that these come from; no tool on Debian reads them.
        emit("wgsl")?;
        emit("msl")?;
        let glsl = emit("glsl")?;
        glslang()
            .run(&["--stdin", "-S", "comp"], glsl.as_bytes())
            .map_err(|error| format!("{error}\nreading:\n{glsl}"))?;
        let hlsl = emit("hlsl")?;
        let entries = entry_points(&hlsl);
        if entries.is_empty() {
            return Err(format!("no entry point in:\n{hlsl}"));
        }
        for entry in entries {
            let args = ["--stdin", "-S", "comp", "-D", "-V", "-e", entry];
            // The tool writes what it makes of the shader.
            let binary = self
                .scratch
                .join(format!("{}.hlsl.spv", file.replace(['/', '\\'], "-")));
            let out = ["-o".to_owned(), binary.display().to_string()];
            let args = [&args.map(str::to_owned)[..], &out].concat();
            glslang()
                .run(&args, hlsl.as_bytes())
                .map_err(|error| format!("{entry}: {error}\nreading:\n{hlsl}"))?;
        }
        Ok(())
    }
}

/// The names of the entry points of an HLSL text.
fn entry_points(hlsl: &str) -> Vec<&str> {
    let after = hlsl.split("[numthreads(").skip(1);
    let names = after.filter_map(|text| text.split_once("void ")?.1.split('(').next());
    names.collect()
}
