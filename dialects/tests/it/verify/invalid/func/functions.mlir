// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @b(%x: i32) {
 // expected-error@+1 {{'func.call' op 'a' does not reference a valid function}}
 call @a(%x) : (i32) -> ()
 return
}
// -----
func.func private @a(i32)
func.func @b(%x: i32) {
 // expected-error@+1 {{'func.call' op incorrect number of operands for callee}}
 call @a() : () -> ()
 return
}
// -----
func.func private @a(i32)
func.func @b(%x: f32) {
 // expected-error@+1 {{'func.call' op operand type mismatch: expected operand type 'i32', but provided 'f32' for operand number 0}}
 call @a(%x) : (f32) -> ()
 return
}
// -----
func.func private @a(i32) -> i32
func.func @b(%x: i32) {
 // expected-error@+1 {{'func.call' op incorrect number of results for callee}}
 call @a(%x) : (i32) -> ()
 return
}
// -----
func.func @b(%x: i32) -> i32 {
 // expected-error@+1 {{'func.return' op has 0 operands, but enclosing function (@b) returns 1}}
 return
}
// -----
func.func @b(%x: i32) -> f32 {
 // expected-error@+1 {{type of return operand 0 ('i32') doesn't match function result type ('f32') in function @b}}
 return %x : i32
}
// -----
func.func @b() {
 // expected-error@+1 {{'func.constant' op reference to undefined function 'zz'}}
 %f = constant @zz : () -> ()
 return
}
// -----
func.func private @a(i32)
func.func @b() {
 // expected-error@+1 {{'func.constant' op reference to function with mismatched type}}
 %f = constant @a : () -> ()
 return
}
// -----
// expected-error@+1 {{'func.func' op symbol declaration cannot have public visibility}}
func.func @b()
// -----
// expected-error@+1 {{'func.func' op entry block must have 0 arguments to match function signature}}
"func.func"() <{sym_name = "a", function_type = () -> ()}> ({
 ^bb0(%x: i32):
 "func.return"() : () -> ()
}) : () -> ()
// -----
// expected-error@+1 {{'func.func' op type of entry block argument #0('f32') must match the type of the corresponding argument in function signature('i32')}}
"func.func"() <{sym_name = "a", function_type = (i32) -> ()}> ({
 ^bb0(%x: f32):
 "func.return"() : () -> ()
}) : () -> ()
// -----
// expected-error@+1 {{'func.func' op expects argument attribute array to have the same number of elements as the number of function arguments, got 0, but expected 1}}
"func.func"() <{sym_name = "a", function_type = (i32) -> (), arg_attrs = []}> ({
 ^bb0(%x: i32):
 "func.return"() : () -> ()
}) : () -> ()
// -----
// expected-error@+1 {{'func.func' op arguments may only have dialect attributes}}
"func.func"() <{sym_name = "a", function_type = (i32) -> (), arg_attrs = [{a = 1}]}> ({
 ^bb0(%x: i32):
 "func.return"() : () -> ()
}) : () -> ()
// -----
// expected-error@+1 {{'func.func' op results may only have dialect attributes}}
func.func private @c() -> (i32 {a = 1})
// -----
// expected-error@+1 {{'func.return' op expects parent op 'func.func'}}
func.return
// -----
// expected-error@+1 {{'func.func' op symbol's parent must have the SymbolTable trait}}
func.func @f() { func.func @g() { return }
 return }
