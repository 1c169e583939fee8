// Function types as attributes: no map of the past, whatever they are made of.
"t.types"() {a = (f8E8M0FNU) -> index, b = (tf32, i1) -> (), c = (ui7, index) -> (si3), d = () -> (index), e = (bf16) -> (bf16), f = (f4E2M1FN) -> (), g = (none, si64) -> none, h = () -> ()} : () -> ()
"t.after"() {a = affine_map<(d0) -> (d0 floordiv 2)>} : () -> ()
