// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Locations that are cut short.

// expected-error@+1 {{expected ')' in location}}
"a.b"() : () -> () loc("a"

// -----

// expected-error@+1 {{expected '[' in fused location}}
"a.b"() : () -> () loc(fused

// -----

// expected-error@+1 {{expected ']' in fused location}}
"a.b"() : () -> () loc(fused["a"

// -----

// expected-error@+1 {{expected '[' in fused location}}
"a.b"() : () -> () loc(fused<1>

// -----

// expected-error@+1 {{expected '(' in callsite location}}
"a.b"() : () -> () loc(callsite

// -----

// expected-error@+1 {{expected 'at' in callsite location}}
"a.b"() : () -> () loc(callsite("a"

// -----

// expected-error@+1 {{expected location instance}}
"a.b"() : () -> () loc(callsite("a" at

// -----

// expected-error@+1 {{expected ')' in callsite location}}
"a.b"() : () -> () loc(callsite("a" at "b"

// -----

// expected-error@+1 {{expected integer line number in FileLineColRange}}
"a.b"() : () -> () loc("a":

// -----

// expected-error@+1 {{expected integer column number in FileLineColRange}}
"a.b"() : () -> () loc("a":1:

// -----

// expected-error@+1 {{expected either integer or `:` post `to` in FileLineColRange}}
"a.b"() : () -> () loc("a":1:2 to

// -----

// expected-error@+1 {{expected either integer or `:` post `to` in FileLineColRange}}
"a.b"() : () -> () loc("a":1:2 to 3

// -----

// expected-error@+1 {{expected ')' after child location of NameLoc}}
"a.b"() : () -> () loc("a"("b"

// -----

// expected-error@+1 {{expected location instance}}
"a.b"() : () -> () loc(foo

// -----

// expected-error@+1 {{expected ')' in location}}
"a.b"() : () -> () loc(unknown,

// -----

// expected-error@+1 {{expected '(' in location}}
"a.b"() : () -> () loc "a"
