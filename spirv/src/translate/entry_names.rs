//! The names of entry points in a translation.
//!
//! naga appends `_` to a name that ends in a digit, as the names of outlined
//! kernels do: `saxpy_kernel0` would be `saxpy_kernel0_` in three languages. A
//! launcher looks kernels up by name, so the digit is given back its end where
//! nothing else has that name.

use std::collections::{HashMap, HashSet};

use super::Language;

/// Type names that end in digits in some language: a kernel of such a name
/// keeps what naga made of it.
const TYPE_STEMS: [&str; 36] = [
    "bfloat",
    "bool",
    "bvec",
    "char",
    "dmat",
    "double",
    "dvec",
    "f",
    "float",
    "half",
    "i",
    "int",
    "ivec",
    "long",
    "mat",
    "matrix",
    "min10float",
    "min12int",
    "min16float",
    "min16int",
    "min16uint",
    "packed_char",
    "packed_float",
    "packed_half",
    "packed_int",
    "packed_short",
    "packed_uchar",
    "packed_uint",
    "packed_ushort",
    "short",
    "u",
    "uchar",
    "uint",
    "ulong",
    "uvec",
    "vec",
];

/// Restores the names of entry points where the language allows. Returns the text and
/// the name of each kernel in it.
pub(super) fn restore<'k>(
    text: String,
    language: Language,
    kernels: impl Iterator<Item = &'k str>,
) -> (String, HashMap<String, String>) {
    let written = entry_points(&text, language);
    let used: HashSet<&str> = identifiers(&text).map(|(_, word)| word).collect();
    let mut called = HashMap::new();
    let mut renamed: HashMap<&str, &str> = HashMap::new();
    for (kernel, &written) in kernels.zip(&written) {
        let shortened = written.strip_suffix('_').filter(|&name| name == kernel);
        match shortened {
            Some(name) if !used.contains(name) && !is_type(name) => {
                renamed.insert(written, kernel);
                called.insert(kernel.to_owned(), kernel.to_owned());
            }
            _ => {
                called.insert(kernel.to_owned(), written.to_owned());
            }
        }
    }
    if renamed.is_empty() {
        return (text, called);
    }
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for (at, word) in identifiers(&text) {
        if let Some(name) = renamed.get(word) {
            out.push_str(&text[copied..at]);
            out.push_str(name);
            copied = at + word.len();
        }
    }
    out.push_str(&text[copied..]);
    (out, called)
}

fn is_type(name: &str) -> bool {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'x');
    TYPE_STEMS.contains(&stem)
}

/// The names of the entry points as they stand in a text, in order.
fn entry_points(text: &str, language: Language) -> Vec<&str> {
    // The text before an entry point, and the text then before its name.
    let (mark, keyword) = match language {
        Language::Wgsl => ("@compute", "fn "),
        Language::Msl => ("kernel void ", ""),
        Language::Hlsl => ("[numthreads(", "void "),
        Language::Glsl | Language::Essl => return vec!["main"],
    };
    let mut parts = text.split(mark);
    parts.next();
    parts
        .filter_map(|part| {
            let at = part.find(keyword)? + keyword.len();
            identifiers(&part[at..]).next().map(|(_, word)| word)
        })
        .collect()
}

/// The identifiers of a text and where they start.
fn identifiers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_part)?;
        let rest = &text[start..];
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        at = start + length;
        Some((start, &rest[..length]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn restored(text: &str, kernels: &[&str]) -> (String, Vec<String>) {
        let (text, called) = restore(text.to_owned(), Language::Wgsl, kernels.iter().copied());
        (text, kernels.iter().map(|k| called[*k].clone()).collect())
    }

    #[test]
    fn digits_end_names_again() {
        let text = "fn k0_() {}\n@compute @workgroup_size(1, 1, 1)\nfn a_kernel0_() { k0_(); }\n";
        let (text, called) = restored(text, &["a_kernel0"]);
        assert_eq!(called, ["a_kernel0"]);
        assert!(text.contains("fn a_kernel0() { k0_(); }"), "{text}");
    }

    #[test]
    fn taken_names_and_types_stay_as_naga_made_them() {
        let text =
            "fn k1() {}\n@compute\nfn k1_() {}\n@compute\nfn vec3_() {}\n@compute\nfn b() {}\n";
        let (same, called) = restored(text, &["k1", "vec3", "b"]);
        assert_eq!(same, text);
        assert_eq!(called, ["k1_", "vec3_", "b"]);
    }
}
