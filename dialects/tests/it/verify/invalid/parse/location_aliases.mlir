// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// expected-error@+1 {{operation location alias was never defined}}
"a.b"() : () -> () loc(#nowhere)
// -----
// What a location names within must stand before it.
// expected-error@+1 {{undefined symbol alias id 'later'}}
"a.b"() : () -> () loc(callsite("x" at #later))
#later = loc("y")
// -----
"a.b"() : () -> () loc(#first)
// expected-error@+1 {{undefined symbol alias id 'second'}}
#first = loc(callsite("x" at #second))
#second = loc("y")
// -----
#number = 1
// expected-error@+1 {{expected location, but found '1 : i64'}}
"a.b"() : () -> () loc(#number)
// -----
#number = 1
// expected-error@+1 {{expected location attribute, but got1 : i64}}
"a.b"() {l = loc(#number)} : () -> ()
// -----
// expected-error@+1 {{expected location attribute, but got#foo.bar}}
"a.b"() : () -> () loc(#foo.bar)
// -----
// expected-error@+1 {{expected ')' in inline location}}
"a.b"() {l = loc("x"} : () -> ()
// -----
// expected-error@+1 {{expected '>' after fused location metadata}}
"a.b"() : () -> () loc(fused<"a"["b"])
// -----
// expected-error@+1 {{expected integer line number in FileLineColRange}}
"a.b"() : () -> () loc("f":99999999999:2)
