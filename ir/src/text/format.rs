//! The language in which custom forms are declared.
