//! gridloom: affine MLIR programs on any GPU.
