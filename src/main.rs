//! The gridloom command line.

fn main() {}
