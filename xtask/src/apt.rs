//! Debian's `apt` with private package lists.
//!
//! Setting up must work on a machine whose lists are absent, stale, or include a foreign source that
//! does not answer, and must not change what `apt` offers the machine's owner afterwards.
//! So the lists and the download cache live under `.tools/apt`, and hold the machine's own Debian sources
//! (whatever mirror it uses), with the backports of the same mirror where they are asked for.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{self, Failure};

const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// `apt` over private lists.
pub struct Apt {
    folder: PathBuf,
    codename: String,
    sources: BTreeSet<Source>,
}

/// Package source: one component of one suite on one mirror.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Source {
    mirror: String,
    suite: String,
}

/// A package in one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    pub name: String,
    pub version: String,
}

impl Apt {
    /// Fetches the lists of the machine's own Debian sources.
    pub fn open(folder: &Path) -> Result<Apt, Failure> {
        let codename = os_release("VERSION_CODENAME").ok_or_else(|| {
            Failure("/etc/os-release gives no VERSION_CODENAME: a Debian release is needed".into())
        })?;
        // Without release information apt also lists sources whose lists were never fetched, as on
        // a new machine, but no longer their origin.
        let mut sources = debian_sources(&index_targets(&[])?, &codename);
        if !sources.iter().any(|source| source.suite == codename) {
            sources = debian_sources(&index_targets(&["--no-release-info"])?, &codename);
        }
        if sources.is_empty() {
            return Err(Failure(format!(
                "apt has no source for the component main of {codename}"
            )));
        }
        let apt = Apt {
            folder: folder.to_owned(),
            codename,
            sources,
        };
        apt.update()?;
        Ok(apt)
    }

    /// Adds the backports of this release, from the mirror that serves it;
    /// returns the name of their suite.
    pub fn add_backports(&mut self) -> Result<String, Failure> {
        let suite = format!("{}-backports", self.codename);
        let release = self.sources.iter().find(|s| s.suite == self.codename);
        let mirror = release
            .map(|s| s.mirror.clone())
            .ok_or_else(|| Failure(format!("apt has no source for {} itself", self.codename)))?;
        self.sources.insert(Source {
            mirror,
            suite: suite.clone(),
        });
        self.update()?;
        Ok(suite)
    }

    /// The version that apt would install; `None` where there is no such package.
    pub fn candidate(&self, package: &str) -> Result<Option<String>, Failure> {
        let policy = process::output(self.command("apt-cache").args(["policy", package]))?;
        Ok(candidate_in(&policy))
    }

    /// Installs `packages` into the system.
    pub fn install(&self, packages: &[&str]) -> Result<(), Failure> {
        let mut command = self.command("apt-get");
        command
            .args(["-o", "DPkg::Lock::Timeout=120"])
            .args(["install", "-y", "-q", "--no-install-recommends"])
            .args(packages)
            .env("DEBIAN_FRONTEND", "noninteractive");
        process::output_with_retries(&mut command).map(drop)
    }

    /// The packages that apt would install or upgrade to have `package` (`name` or `name/suite`),
    /// itself included; those already installed are not listed.
    pub fn plan(&self, package: &str) -> Result<Vec<Package>, Failure> {
        let mut command = self.command("apt-get");
        command.args(["install", "-s", "-q", "--no-install-recommends", package]);
        process::output(&mut command).map(|log| planned_in(&log))
    }

    /// Downloads `packages` (`name`, `name=version`) into `folder` and unpacks them under it,
    /// without installing. Returns the unpacked tree.
    pub fn unpack(&self, packages: &[String], folder: &Path) -> Result<PathBuf, Failure> {
        let tree = folder.join("root");
        fs::create_dir_all(&tree).map_err(|e| Failure::io("create", &tree, e))?;
        let mut command = self.command("apt-get");
        command
            .args(["download", "-q"])
            .args(packages)
            .current_dir(folder);
        process::output_with_retries(&mut command)?;
        let entries = fs::read_dir(folder).map_err(|e| Failure::io("read", folder, e))?;
        for archive in entries.flatten().map(|entry| entry.path()) {
            if archive
                .extension()
                .is_some_and(|extension| extension == "deb")
            {
                process::output(Command::new("dpkg-deb").arg("-x").arg(&archive).arg(&tree))?;
            }
        }
        Ok(tree)
    }

    fn update(&self) -> Result<(), Failure> {
        for part in ["lists/partial", "cache/archives/partial"] {
            let part = self.folder.join(part);
            fs::create_dir_all(&part).map_err(|e| Failure::io("create", &part, e))?;
        }
        let list = self.folder.join("sources.list");
        let lines: String = self.sources.iter().map(Source::line).collect();
        fs::write(&list, lines).map_err(|e| Failure::io("write", &list, e))?;
        let mut command = self.command("apt-get");
        command.args(["update", "-q", "--error-on=any"]);
        process::output_with_retries(&mut command).map(drop)
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let folder = self.folder.display();
        for option in [
            format!("Dir::Etc::sourcelist={folder}/sources.list"),
            "Dir::Etc::sourceparts=-".into(),
            format!("Dir::State::Lists={folder}/lists"),
            format!("Dir::Cache={folder}/cache"),
            "Acquire::Retries=3".into(),
            "Acquire::Languages=none".into(),
            // The workspace need not be readable by apt's own user.
            "APT::Sandbox::User=root".into(),
        ] {
            command.arg("-o").arg(option);
        }
        // The output is parsed below, so its language is fixed.
        command.env("LC_ALL", "C.UTF-8");
        command
    }
}

impl Source {
    fn line(&self) -> String {
        let signed = if Path::new(KEYRING).exists() {
            format!("[signed-by={KEYRING}] ")
        } else {
            String::new()
        };
        format!("deb {signed}{} {} main\n", self.mirror, self.suite)
    }
}

/// Lists the package indices of the machine's sources, as lines of `mirror|suite|component|origin`.
fn index_targets(flags: &[&str]) -> Result<String, Failure> {
    let mut command = Command::new("apt-get");
    command.arg("indextargets").args(flags).args([
        "--format",
        "$(REPO_URI)|$(RELEASE)|$(COMPONENT)|$(ORIGIN)",
        "Created-By: Packages",
    ]);
    process::output(&mut command)
}

/// Selects Debian's own sources among the `targets` of [`index_targets`]. The origin is known only
/// for lists fetched before; otherwise the suite's name decides.
fn debian_sources(targets: &str, codename: &str) -> BTreeSet<Source> {
    let suites = ["", "-updates", "-security"].map(|suffix| format!("{codename}{suffix}"));
    targets
        .lines()
        .filter_map(|line| {
            let mut fields = line.split('|');
            let [mirror, suite, component] = [fields.next()?, fields.next()?, fields.next()?];
            let origin = fields.next()?;
            let ours = component == "main"
                && suites.iter().any(|known| known == suite)
                && (origin == "Debian" || origin.is_empty() || origin.starts_with('$'));
            ours.then(|| Source {
                mirror: mirror.into(),
                suite: suite.into(),
            })
        })
        .collect()
}

fn candidate_in(policy: &str) -> Option<String> {
    let line = policy
        .lines()
        .find_map(|line| line.trim().strip_prefix("Candidate:"))?;
    let version = line.trim();
    (version != "(none)").then(|| version.to_owned())
}

/// The packages of the lines `Inst NAME [INSTALLED] (VERSION SUITE [ARCH])`.
fn planned_in(log: &str) -> Vec<Package> {
    log.lines()
        .filter_map(|line| {
            let rest = line.strip_prefix("Inst ")?;
            let (name, rest) = rest.split_once(' ')?;
            let (_, rest) = rest.split_once('(')?;
            let (version, _) = rest.split_once(' ')?;
            Some(Package {
                name: name.into(),
                version: version.into(),
            })
        })
        .collect()
}

/// A field of `/etc/os-release`.
pub fn os_release(field: &str) -> Option<String> {
    let text = fs::read_to_string("/etc/os-release").ok()?;
    let value = text
        .lines()
        .find_map(|line| line.strip_prefix(field)?.strip_prefix('='))?;
    Some(value.trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_debians_own_suites_are_kept() {
        let targets = "\
http://mirror/debian/|bookworm|main|Debian
http://mirror/debian/|bookworm|contrib|Debian
http://mirror/debian/|bookworm-updates|main|$(ORIGIN)
http://mirror/security/|bookworm-security|main|
https://tools/|bookworm|main|SomeoneElse
https://tools/|nodistro|main|
";
        let kept: Vec<_> = debian_sources(targets, "bookworm")
            .into_iter()
            .map(|source| (source.mirror, source.suite))
            .collect();
        let expected = [
            ("http://mirror/debian/", "bookworm"),
            ("http://mirror/debian/", "bookworm-updates"),
            ("http://mirror/security/", "bookworm-security"),
        ];
        assert_eq!(kept, expected.map(|(m, s)| (m.to_owned(), s.to_owned())));
    }

    #[test]
    fn a_package_without_candidate_is_none() {
        assert_eq!(
            candidate_in("x:\n  Installed: (none)\n  Candidate: (none)\n"),
            None
        );
        assert_eq!(
            candidate_in("x:\n  Candidate: 1:22.1\n").as_deref(),
            Some("1:22.1")
        );
        assert_eq!(candidate_in(""), None);
    }

    #[test]
    fn the_plan_has_new_and_upgraded_packages() {
        let log = "\
Inst libdrm2 [2.4.114-1+b1] (2.4.123-1~bpo12+1 Debian Backports [amd64])
Inst libz3-4 (4.8.12-3.1 Debian:12.15/oldstable [amd64]) []
Remv old [1.0]
Conf libdrm2 (2.4.123-1~bpo12+1 Debian Backports [amd64])
";
        let package = |name: &str, version: &str| Package {
            name: name.into(),
            version: version.into(),
        };
        assert_eq!(
            planned_in(log),
            [
                package("libdrm2", "2.4.123-1~bpo12+1"),
                package("libz3-4", "4.8.12-3.1")
            ]
        );
    }
}
