//! Software Vulkan drivers for tests: finding and installing the two.
//!
//! Two, because each hides faults that the other shows: lavapipe has the wide features (64-bit and
//! half floats, subgroup operations), SwiftShader the narrow ones and another compiler.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::apt::Apt;
use crate::process::{self, Failure};

/// lavapipe of Mesa 22 ends a thread silently after some 65,535 loop iterations; of the available
/// releases, 25 is the first known to be correct.
pub const MESA_RELEASE: u32 = 25;

/// A software implementation of Vulkan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driver {
    Lavapipe,
    SwiftShader,
}

impl Driver {
    /// Name of the driver's folder under the folder of tools, where [`install`] puts it.
    fn folder(self) -> &'static str {
        match self {
            Driver::Lavapipe => "mesa",
            Driver::SwiftShader => "swiftshader",
        }
    }

    fn library(self) -> &'static str {
        match self {
            Driver::Lavapipe => "libvulkan_lvp.so",
            Driver::SwiftShader => "libvk_swiftshader.so",
        }
    }

    /// Whether the driver's manifest may have this name: `lvp_icd.json`, `lvp_icd.x86_64.json`,
    /// `vk_swiftshader_icd.json`.
    fn owns(self, name: &str) -> bool {
        let stem = match self {
            Driver::Lavapipe => "lvp_icd",
            Driver::SwiftShader => "swiftshader_icd",
        };
        name.contains(stem) && name.ends_with(".json")
    }
}

/// The manifest of `driver`: one that `VK_DRIVER_FILES` names, else ours, else the system's. The
/// error lists what was found instead.
pub fn find(driver: Driver, tools: &Path) -> Result<PathBuf, String> {
    let mut refusals = Vec::new();
    for manifest in manifests(driver, tools) {
        match usable(driver, &manifest) {
            Ok(()) => return Ok(manifest),
            Err(why) => refusals.push(format!("{}: {why}", manifest.display())),
        }
    }
    Err(if refusals.is_empty() {
        "no manifest in VK_DRIVER_FILES or a system folder".into()
    } else {
        refusals.join("; ")
    })
}

fn manifests(driver: Driver, tools: &Path) -> Vec<PathBuf> {
    let named = env::var_os("VK_DRIVER_FILES").unwrap_or_default();
    let mut all: Vec<PathBuf> = env::split_paths(&named).collect();
    for folder in [
        tools.join(driver.folder()).as_path(),
        Path::new("/usr/local/share/vulkan/icd.d"),
        Path::new("/usr/share/vulkan/icd.d"),
        Path::new("/etc/vulkan/icd.d"),
    ] {
        if let Ok(entries) = fs::read_dir(folder) {
            all.extend(entries.flatten().map(|entry| entry.path()));
        }
    }
    all.retain(|path| {
        path.file_name()
            .is_some_and(|n| driver.owns(&n.to_string_lossy()))
    });
    all
}

fn usable(driver: Driver, manifest: &Path) -> Result<(), String> {
    let text = fs::read_to_string(manifest).map_err(|error| error.to_string())?;
    let named = library_path(&text).ok_or("names no library_path")?;
    let library = resolve(named, manifest).ok_or_else(|| format!("{named} is not there"))?;
    if driver == Driver::Lavapipe {
        match mesa_release(&library) {
            Some(release) if release >= MESA_RELEASE => {}
            Some(release) => return Err(format!("Mesa {release} is older than {MESA_RELEASE}")),
            None => {
                return Err(format!(
                    "{} does not tell its Mesa release",
                    library.display()
                ));
            }
        }
    }
    Ok(())
}

/// The value of `library_path` in a manifest, whose other fields do not matter here.
fn library_path(manifest: &str) -> Option<&str> {
    let (_, rest) = manifest.split_once("\"library_path\"")?;
    rest.split('"').nth(1)
}

/// Resolves a manifest's `library_path` as the Vulkan loader does: the dynamic linker finds a bare
/// name, another relative path starts at the manifest.
fn resolve(library_path: &str, manifest: &Path) -> Option<PathBuf> {
    let path = if library_path.contains('/') {
        manifest.parent()?.join(library_path)
    } else {
        system_library(library_path)?
    };
    path.is_file().then_some(path)
}

/// Finds a library that the dynamic linker would load by its bare name.
pub fn system_library(name: &str) -> Option<PathBuf> {
    let searched = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let private = env::split_paths(&searched).map(|folder| folder.join(name));
    if let Some(path) = private.into_iter().find(|path| path.is_file()) {
        return Some(path);
    }
    // Debian keeps ldconfig out of the PATH of ordinary users.
    let cache = ["ldconfig", "/sbin/ldconfig"]
        .iter()
        .find_map(|program| process::output(Command::new(program).arg("-p")).ok())?;
    let line = cache
        .lines()
        .find(|line| line.trim().split(' ').next() == Some(name))?;
    Some(PathBuf::from(line.split_once(" => ")?.1))
}

/// The major release of Mesa in `library`, which carries it as text (`Mesa 25.0.7`).
fn mesa_release(library: &Path) -> Option<u32> {
    let bytes = fs::read(library).ok()?;
    bytes
        .windows(7)
        .filter(|window| window.starts_with(b"Mesa "))
        .find_map(|window| std::str::from_utf8(&window[5..]).ok()?.parse().ok())
}

/// Installs `driver`; the error says what failed.
pub fn install(driver: Driver, apt: &mut Apt, tools: &Path) -> Result<(), Failure> {
    match driver {
        Driver::Lavapipe => install_lavapipe(apt, tools),
        Driver::SwiftShader => install_swiftshader(apt, tools),
    }
}

const MESA: &str = "mesa-vulkan-drivers";

fn install_lavapipe(apt: &mut Apt, tools: &Path) -> Result<(), Failure> {
    if is_new_enough(apt.candidate(MESA)?) {
        return apt.install(&[MESA]);
    }
    let suite = apt.add_backports()?;
    let wanted = format!("{MESA}/{suite}");
    let plan = apt.plan(&wanted)?;
    let mesa = plan.iter().find(|package| package.name == MESA);
    if !is_new_enough(mesa.map(|package| package.version.clone())) {
        return Err(Failure(format!(
            "{suite} has no {MESA} of Mesa {MESA_RELEASE} or newer"
        )));
    }
    // A test must not install newer drivers for the whole system, so these and the libraries they
    // lack are unpacked here instead.
    let mut packages: Vec<String> = plan
        .iter()
        .map(|package| format!("{}={}", package.name, package.version))
        .collect();
    packages.push("patchelf".into());
    let part = fresh_folder(tools, Driver::Lavapipe)?;
    let root = apt.unpack(&packages, &part)?;
    let libraries = collect_libraries(Driver::Lavapipe, &root, &part)?;
    find_beside(&libraries, &root.join("usr/bin/patchelf"))?;
    let manifest = root.join("usr/share/vulkan/icd.d");
    finish(Driver::Lavapipe, &manifest, &part, tools)
}

fn is_new_enough(version: Option<String>) -> bool {
    let release = version.as_deref().and_then(|version| {
        let upstream = version.rsplit(':').next()?;
        upstream.split('.').next()?.parse().ok()
    });
    release.is_some_and(|release: u32| release >= MESA_RELEASE)
}

/// Installs SwiftShader, which has no package of its own, from Chromium's package.
fn install_swiftshader(apt: &Apt, tools: &Path) -> Result<(), Failure> {
    let part = fresh_folder(tools, Driver::SwiftShader)?;
    let root = apt.unpack(&["chromium-common".to_owned()], &part)?;
    let folder = root.join("usr/lib/chromium");
    let library = Driver::SwiftShader.library();
    rename(&folder.join(library), &part.join(library))?;
    finish(Driver::SwiftShader, &folder, &part, tools)
}

/// Creates an empty folder beside the final one, so that an incomplete driver is never found.
fn fresh_folder(tools: &Path, driver: Driver) -> Result<PathBuf, Failure> {
    let part = tools.join(format!("{}.part", driver.folder()));
    remove(&part)?;
    fs::create_dir_all(&part).map_err(|e| Failure::io("create", &part, e))?;
    Ok(part)
}

/// Moves the libraries of an unpacked tree into `into` and lists those that are files.
/// Other Vulkan drivers and the layers of the same package stay behind.
fn collect_libraries(driver: Driver, root: &Path, into: &Path) -> Result<Vec<PathBuf>, Failure> {
    let lib = root.join("usr/lib");
    let entries = fs::read_dir(&lib).map_err(|e| Failure::io("read", &lib, e))?;
    let platform = entries
        .flatten()
        .map(|entry| entry.path())
        .find(|folder| folder.join(driver.library()).is_file())
        .ok_or_else(|| Failure(format!("no {} under {}", driver.library(), lib.display())))?;
    let mut folders = vec![platform.clone()];
    folders.extend(platform.file_name().map(|name| root.join("lib").join(name)));

    let mut files = Vec::new();
    for entry in folders
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten()
        .flatten()
    {
        let name = entry.file_name().to_string_lossy().into_owned();
        let other_driver = name.starts_with("libvulkan_") && name != driver.library();
        let layer = name.starts_with("libVkLayer_");
        if !name.contains(".so") || other_driver || layer {
            continue;
        }
        let target = into.join(&name);
        rename(&entry.path(), &target)?;
        if target.is_file() && !target.is_symlink() {
            files.push(target);
        }
    }
    Ok(files)
}

/// Makes every library search its own folder first, so that the driver loads without
/// `LD_LIBRARY_PATH`.
fn find_beside(libraries: &[PathBuf], patchelf: &Path) -> Result<(), Failure> {
    for library in libraries {
        process::output(
            Command::new(patchelf)
                .args(["--set-rpath", "$ORIGIN"])
                .arg(library),
        )?;
    }
    Ok(())
}

/// Writes the manifest (the one in `shipped`, with the library beside it), checks that
/// the library loads, and puts the folder in its place.
fn finish(driver: Driver, shipped: &Path, part: &Path, tools: &Path) -> Result<(), Failure> {
    let entries = fs::read_dir(shipped).map_err(|e| Failure::io("read", shipped, e))?;
    let manifest = entries
        .flatten()
        .find(|entry| driver.owns(&entry.file_name().to_string_lossy()))
        .ok_or_else(|| Failure(format!("no manifest in {}", shipped.display())))?;
    let text = fs::read_to_string(manifest.path())
        .map_err(|e| Failure::io("read", &manifest.path(), e))?;
    let named = library_path(&text)
        .ok_or_else(|| Failure(format!("{} names no library", manifest.path().display())))?;
    let text = text.replace(
        &format!("\"{named}\""),
        &format!("\"./{}\"", driver.library()),
    );
    let target = part.join(manifest.file_name());
    fs::write(&target, text).map_err(|e| Failure::io("write", &target, e))?;

    let linked = process::output(Command::new("ldd").arg(part.join(driver.library())))?;
    if linked.contains("not found") {
        return Err(Failure(format!(
            "{} lacks libraries:\n{linked}",
            driver.library()
        )));
    }
    let entries = fs::read_dir(part).map_err(|e| Failure::io("read", part, e))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() || path.extension().is_some_and(|extension| extension == "deb") {
            remove(&path)?;
        }
    }
    let place = tools.join(driver.folder());
    remove(&place)?;
    rename(part, &place)
}

fn rename(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::rename(from, to).map_err(|e| Failure::io("move", from, e))
}

/// Removes a file or a folder, if it is there.
pub fn remove(path: &Path) -> Result<(), Failure> {
    let result = if path.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
    match result {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::io("remove", path, error))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_of_a_manifest() {
        let manifest = r#"{ "ICD": { "api_version": "1.4", "library_path": "./a.so" } }"#;
        assert_eq!(library_path(manifest), Some("./a.so"));
        assert_eq!(library_path("{}"), None);
    }

    #[test]
    fn a_relative_library_starts_at_the_manifest() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let manifest = here.join("some_icd.json");
        assert_eq!(
            resolve("./Cargo.toml", &manifest),
            Some(here.join("./Cargo.toml"))
        );
        assert_eq!(resolve("./absent.so", &manifest), None);
    }

    #[test]
    fn debian_versions_compare_by_mesa_release() {
        assert!(is_new_enough(Some("25.0.7-2~bpo12+1".into())));
        assert!(is_new_enough(Some("1:26.1-1".into())));
        assert!(!is_new_enough(Some("22.3.6-1+deb12u2".into())));
        assert!(!is_new_enough(None));
    }

    #[test]
    fn manifests_are_told_apart_by_name() {
        assert!(Driver::Lavapipe.owns("lvp_icd.x86_64.json"));
        assert!(Driver::SwiftShader.owns("vk_swiftshader_icd.json"));
        assert!(!Driver::Lavapipe.owns("radeon_icd.json"));
        assert!(!Driver::SwiftShader.owns("libvk_swiftshader.so"));
    }
}
