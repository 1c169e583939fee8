//! The language: context, types, attributes, affine expressions, bodies, text, verifier and diagnostics.
