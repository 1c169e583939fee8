//! The library against brute force: random systems, every point of a box tried.

mod bounds;
mod dependence;
mod emptiness;
mod extremes;
mod large_numbers;
mod oracle;
mod projection;
mod relations;
mod sets;
