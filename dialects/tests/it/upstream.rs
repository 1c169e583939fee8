//! Runs `mlir-opt` on texts.

/// Separator of the parts of an input that `mlir-opt` takes one by one.
pub(crate) const SEPARATOR: &str = "// -----\n";

/// Prints each text in generic form by `mlir-opt`. One process for all, since starting it takes
/// longer than most of our programs; each text on its own if one is refused, to learn which.
pub(crate) fn mlir_opt(texts: &[String]) -> Vec<Result<String, String>> {
    let run = |input: &str| {
        let flags = [
            "--mlir-print-op-generic",
            "--allow-unregistered-dialect",
            "--split-input-file",
        ];
        let output = gridloom_test_tools::mlir_opt().run(&flags, input.as_bytes());
        output.map(|bytes| String::from_utf8(bytes).expect("mlir-opt prints UTF-8"))
    };
    if let Ok(all) = run(&texts.join(SEPARATOR)) {
        let parts: Vec<_> = all
            .split(SEPARATOR)
            .map(|part| Ok(part.to_owned()))
            .collect();
        if parts.len() == texts.len() {
            return parts;
        }
    }
    texts.iter().map(|text| run(text)).collect()
}
