//! The library against brute force: random systems, every point of a box tried.

mod bounds;
mod emptiness;
mod oracle;
mod projection;
