// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What the invariants of func operations allow.

func.func @g() {return} func.func @f() -> (()->()) { %0 = func.constant @g : () -> () return %0 : () -> () }

// -----

"func.func"() <{function_type = ()->(), sym_name="f", sym_visibility="private"}> ({ }) : () -> ()

// -----

func.func @f(%c: i1) { cf.cond_br %c, ^a, ^b ^a: return ^b: "x.y"() : () -> () }

// -----

func.func @f(%c: i32) { cf.switch %c : i32, [ default: ^a, 1: ^b, 1: ^b] ^a: return ^b: return }

// -----

func.func @f(%c: i32) { cf.br ^a ^a: cf.br ^b ^b: cf.br ^a }

// -----

func.func @f(%c: i1) { "cf.br"()[^a] : () -> () ^a: return }
