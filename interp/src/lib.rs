//! A register machine that runs any function, and the executor of host programs.
