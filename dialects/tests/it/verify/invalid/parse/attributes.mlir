// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Attributes that are cut short or cannot be.

// expected-error@+1 {{expected attribute value}}
"a.b"() {a = %x} : () -> ()

// -----

// expected-error@+1 {{expected attribute value}}
"a.b"() {a = foo} : () -> ()

// -----

// expected-error@+1 {{expected constant integer or floating point value}}
"a.b"() {a = -} : () -> ()

// -----

// expected-error@+1 {{expected constant integer or floating point value}}
"a.b"() {a = -a} : () -> ()

// -----

// expected-error@+2 {{unexpected decimal integer literal for a floating point value}}
// expected-note@+1 {{add a trailing dot to make the literal a float}}
"a.b"() {a = 1 : f32} : () -> ()

// -----

// expected-error@+1 {{floating point value not valid for specified type}}
"a.b"() {a = 1.0 : i32} : () -> ()

// -----

// expected-error@+1 {{integer literal not valid for specified type}}
"a.b"() {a = 1 : none} : () -> ()

// -----

// expected-error@+1 {{integer constant out of range for attribute}}
"a.b"() {a = 256 : i8} : () -> ()

// -----

// expected-error@+1 {{negative integer literal not valid for unsigned integer type}}
"a.b"() {a = -1 : ui8} : () -> ()

// -----

// expected-error@+1 {{hexadecimal float constant out of range for type}}
"a.b"() {a = 0x1FFFFFFFF : f32} : () -> ()

// -----

// expected-error@+1 {{hexadecimal float literal should not have a leading minus}}
"a.b"() {a = -0x1 : f32} : () -> ()

// -----

// expected-error@+1 {{expected nested symbol reference identifier}}
"a.b"() {a = @a::1} : () -> ()

// -----

// expected-error@+1 {{expected ',' or ']'}}
"a.b"() {a = [1, 2} : () -> ()

// -----

// expected-error@+1 {{expected attribute value}}
"a.b"() {a = [1, ]} : () -> ()

// -----

// expected-error@+1 {{expected attribute name}}
"a.b"() {a = {1}} : () -> ()

// -----

// expected-error@+1 {{duplicate key 'a' in dictionary attribute}}
"a.b"() {a = {a = 1, a = 2}} : () -> ()

// -----

// expected-error@+1 {{expected attribute value}}
"a.b"() {a = {a = }} : () -> ()

// -----

// expected-error@+1 {{expected valid attribute name}}
"a.b"() {a = {"" = 1}} : () -> ()

// -----

// expected-error@+1 {{expected '}' in attribute dictionary}}
"a.b"() {a = unit : i32} : () -> ()

// -----

// expected-error@+1 {{undefined symbol alias id 'x'}}
"a.b"() {a = #x} : () -> ()

// -----

// expected-error@+1 {{unbalanced '<' character in pretty dialect name}}
"a.b"() {a = #a.b<} : () -> ()

// -----

// expected-error@+1 {{expected location instance}}
"a.b"() {a = loc(1)} : () -> ()

// -----

// expected-error@+1 {{expected '[' after 'distinct'}}
"a.b"() {a = distinct} : () -> ()

// -----

// expected-error@+1 {{expected distinct ID}}
"a.b"() {a = distinct[} : () -> ()

// -----

// expected-error@+1 {{expected ']' to close distinct ID}}
"a.b"() {a = distinct[0} : () -> ()

// -----

// expected-error@+1 {{expected distinct ID}}
"a.b"() {a = distinct[-1]<>} : () -> ()

// -----

// expected-error@+1 {{expected '<' after distinct ID}}
"a.b"() {a = distinct[0]} : () -> ()

// -----

// expected-error@+1 {{expected '>' to close distinct attribute}}
"a.b"() {a = distinct[0]<1} : () -> ()

// -----

// expected-error@+1 {{expected '<' after 'strided'}}
"a.b"() {a = strided} : () -> ()

// -----

// expected-error@+1 {{expected '['}}
"a.b"() {a = strided<} : () -> ()

// -----

// expected-error@+1 {{expected ']'}}
"a.b"() {a = strided<[1} : () -> ()

// -----

// expected-error@+1 {{expected ','}}
"a.b"() {a = strided<[1]} : () -> ()

// -----

// expected-error@+1 {{expected 'offset' after comma}}
"a.b"() {a = strided<[1], 2} : () -> ()

// -----

// expected-error@+1 {{expected ':' after 'offset'}}
"a.b"() {a = strided<[1], offset} : () -> ()

// -----

// expected-error@+1 {{expected a 64-bit signed integer or '?'}}
"a.b"() {a = strided<[1], offset: a} : () -> ()

// -----

// expected-error@+1 {{expected a 64-bit signed integer or '?'}}
"a.b"() {a = strided<[a]>} : () -> ()

// -----

// expected-error@+1 {{expected '<' after 'array'}}
"a.b"() {a = array} : () -> ()

// -----

// expected-error@+1 {{element type bitwidth must be a multiple of 8}}
"a.b"() {a = array<i5: 1>} : () -> ()

// -----

// expected-error@+1 {{expected ':' after dense array type}}
"a.b"() {a = array<i32} : () -> ()

// -----

// expected-error@+1 {{expected integer literal}}
"a.b"() {a = array<i32: >} : () -> ()

// -----

// expected-error@+1 {{expected '>' to close an array attribute}}
"a.b"() {a = array<i32: 1} : () -> ()

// -----

// expected-error@+1 {{expected integer literal}}
"a.b"() {a = array<i32: 1.0>} : () -> ()

// -----

// expected-error@+1 {{expected i1 type for 'true' or 'false' values}}
"a.b"() {a = array<i32: true>} : () -> ()

// -----

// expected-error@+1 {{expected 'true' or 'false' values for i1 type}}
"a.b"() {a = array<i1: 1>} : () -> ()

// -----

// expected-error@+1 {{integer constant out of range}}
"a.b"() {a = array<i8: 300>} : () -> ()

// -----

// expected-error@+2 {{unexpected decimal integer literal for a floating point value}}
// expected-note@+1 {{add a trailing dot to make the literal a float}}
"a.b"() {a = array<f32: 1>} : () -> ()

// -----

// expected-error@+1 {{expected floating point literal}}
"a.b"() {a = array<f32: a>} : () -> ()
