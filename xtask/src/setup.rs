//! `cargo xtask setup`: finds or installs what tests need besides Rust.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use gridloom_test_tools::{LLVM_RELEASE, find_glslang, find_mlir_opt, find_spirv_val};

use crate::apt::{self, Apt};
use crate::drivers::{self, Driver, MESA_RELEASE};
use crate::process::{self, Failure};

/// Tools that were found, with their paths.
pub struct Ready {
    variables: [(&'static str, String); 4],
}

impl Ready {
    /// Environment variables for tests, as names and values.
    pub fn variables(&self) -> &[(&'static str, String)] {
        &self.variables
    }

    /// The variables as shell commands.
    pub fn exports(&self) -> String {
        let line = |(name, value): &(&str, String)| format!("export {name}='{value}'\n");
        self.variables.iter().map(line).collect()
    }
}

/// Tool or driver that tests need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    MlirOpt,
    SpirvVal,
    Glslang,
    VulkanLoader,
    Driver(Driver),
}

const NEEDS: [Need; 6] = [
    Need::MlirOpt,
    Need::SpirvVal,
    Need::Glslang,
    Need::VulkanLoader,
    Need::Driver(Driver::Lavapipe),
    Need::Driver(Driver::SwiftShader),
];

/// Finds what tests need; on Debian as root, installs what is missing.
pub fn setup(workspace: &Path) -> Result<Ready, Failure> {
    let tools = workspace.join(".tools");
    let missing = match look(&tools) {
        Ok(ready) => return Ok(ready),
        Err(missing) => missing,
    };
    if !can_install() {
        return Err(Failure(instructions(&missing)));
    }
    let needs: Vec<Need> = missing.iter().map(|(need, _)| *need).collect();
    install(&needs, &tools)?;
    look(&tools).map_err(|missing| {
        let list: String = missing
            .iter()
            .map(|(_, why)| format!("\n  {why}"))
            .collect();
        Failure(format!("everything was installed, and still:{list}"))
    })
}

/// Looks for all needs; the error lists the missing ones with reasons.
fn look(tools: &Path) -> Result<Ready, Vec<(Need, String)>> {
    let mut missing = Vec::new();
    let mut found = |need: Need| match locate(need, tools) {
        Ok(path) => Some(path),
        Err(why) => {
            missing.push((need, why));
            None
        }
    };
    let paths = NEEDS.map(&mut found);
    let [
        Some(mlir_opt),
        Some(spirv_val),
        Some(glslang),
        Some(_),
        Some(lavapipe),
        Some(swiftshader),
    ] = paths
    else {
        return Err(missing);
    };
    let shown = |path: PathBuf| path.display().to_string();
    Ok(Ready {
        variables: [
            ("GRIDLOOM_MLIR_OPT", shown(mlir_opt)),
            ("GRIDLOOM_SPIRV_VAL", shown(spirv_val)),
            ("GRIDLOOM_GLSLANG", shown(glslang)),
            (
                "VK_DRIVER_FILES",
                format!("{}:{}", shown(lavapipe), shown(swiftshader)),
            ),
        ],
    })
}

fn locate(need: Need, tools: &Path) -> Result<PathBuf, String> {
    match need {
        Need::MlirOpt => find_mlir_opt()
            .map(|tool| tool.path().to_owned())
            .map_err(|missing| missing.to_string()),
        Need::SpirvVal => find_spirv_val()
            .map(|tool| tool.path().to_owned())
            .map_err(|missing| missing.to_string()),
        Need::Glslang => find_glslang()
            .map(|tool| tool.path().to_owned())
            .map_err(|missing| missing.to_string()),
        Need::VulkanLoader => drivers::system_library("libvulkan.so.1").ok_or_else(|| {
            "no Vulkan loader: libvulkan.so.1 is not among the system's libraries".into()
        }),
        Need::Driver(driver) => {
            drivers::find(driver, tools).map_err(|why| format!("no usable {driver:?}: {why}"))
        }
    }
}

/// Whether this machine is a Debian on which packages may be installed.
fn can_install() -> bool {
    let root = process::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    root && apt::os_release("ID").as_deref() == Some("debian")
}

fn install(needs: &[Need], tools: &Path) -> Result<(), Failure> {
    let lists = tools.join("apt");
    eprintln!("setup: fetching the package lists");
    let mut apt = Apt::open(&lists)?;
    install_packages(needs, &apt)?;
    for need in needs {
        if let Need::Driver(driver) = *need {
            eprintln!("setup: fetching {driver:?}");
            drivers::install(driver, &mut apt, tools)?;
        }
    }
    drivers::remove(&lists)
}

fn install_packages(needs: &[Need], apt: &Apt) -> Result<(), Failure> {
    let mlir_tools = format!("mlir-{LLVM_RELEASE}-tools");
    let packages: Vec<&str> = needs
        .iter()
        .filter_map(|need| match need {
            Need::MlirOpt => Some(mlir_tools.as_str()),
            Need::SpirvVal => Some("spirv-tools"),
            Need::Glslang => Some("glslang-tools"),
            Need::VulkanLoader => Some("libvulkan1"),
            Need::Driver(_) => None,
        })
        .collect();
    for package in &packages {
        if apt.candidate(package)?.is_none() {
            let mut message = format!("this machine's Debian sources have no package {package}");
            if *package == mlir_tools {
                message.push_str(
                    "; install mlir-opt of that release otherwise and name it in GRIDLOOM_MLIR_OPT",
                );
            }
            return Err(Failure(message));
        }
    }
    if !packages.is_empty() {
        eprintln!("setup: installing {}", packages.join(" "));
        apt.install(&packages)?;
    }
    Ok(())
}

/// Instructions for installing each missing need by hand.
fn instructions(missing: &[(Need, String)]) -> String {
    let mut text = String::from(
        "tests need what follows, which setup can bring by itself only on Debian and as root:\n",
    );
    for (need, why) in missing {
        let way_out = match need {
            Need::MlirOpt => format!(
                "install MLIR {LLVM_RELEASE} (Debian: mlir-{LLVM_RELEASE}-tools) and put mlir-opt in PATH, or name it in GRIDLOOM_MLIR_OPT"
            ),
            Need::SpirvVal => "install SPIRV-Tools (Debian: spirv-tools) and put spirv-val in PATH, or name it in GRIDLOOM_SPIRV_VAL".into(),
            Need::Glslang => "install glslang (Debian: glslang-tools) and put glslangValidator in PATH, or name it in GRIDLOOM_GLSLANG".into(),
            Need::VulkanLoader => "install the Vulkan loader (Debian: libvulkan1)".into(),
            Need::Driver(Driver::Lavapipe) => format!(
                "install Mesa {MESA_RELEASE} or newer with its software Vulkan driver (Debian 13: mesa-vulkan-drivers; Debian 12: the same from bookworm-backports), or name its lvp_icd.json in VK_DRIVER_FILES"
            ),
            Need::Driver(Driver::SwiftShader) => "get SwiftShader (Debian: libvk_swiftshader.so in chromium-common; every Chrome and Electron carries it) and name its vk_swiftshader_icd.json in VK_DRIVER_FILES".into(),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "- {why}\n  {way_out}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_need_has_instructions() {
        let missing: Vec<_> = NEEDS.map(|need| (need, format!("why {need:?}"))).into();
        let text = instructions(&missing);
        for word in [
            "GRIDLOOM_MLIR_OPT",
            "GRIDLOOM_SPIRV_VAL",
            "GRIDLOOM_GLSLANG",
            "libvulkan1",
            "lvp_icd",
            "swiftshader",
        ] {
            assert!(text.contains(word), "{word} is not in:\n{text}");
        }
    }
}
