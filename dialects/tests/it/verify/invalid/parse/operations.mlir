// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Operations whose text is cut short or names nothing.

// expected-error@+1 {{expected ')' to end operand list}}
"x.y"( : () -> ()

// -----

// expected-error@+1 {{expected '(' to start operand list}}
"x.y" : () -> ()

// -----

// expected-error@+1 {{expected ')' to end operand list}}
"x.y"(1) : () -> ()

// -----

// expected-error@+1 {{expected '{' to begin a region}}
"x.y"() () -> ()

// -----

// expected-error@+1 {{expected '}' in attribute dictionary}}
"x.y"() {a : () -> ()

// -----

// expected-error@+1 {{expected attribute value}}
"x.y"() <a : () -> ()

// -----

// expected-error@+1 {{empty operation name is invalid}}
"" () : () -> ()

// -----

// expected-error@+1 {{expected '{' to begin a region}}
"x.y"() ({ }, ) : () -> ()

// -----

// expected-error@+1 {{expected ')' to end region list}}
"x.y"() ({ } { }) : () -> ()

// -----

// expected-error@+1 {{expected block name}}
"x.y"() ({ "x.z"()[^a, b] : () -> () }) : () -> ()

// -----

// expected-error@+1 {{expected ',' or ']'}}
"x.y"() ({ "x.z"()[^a : () -> () ^a: "x.z"() : () -> () }) : () -> ()

// -----

// expected-error@+1 {{expected '=' after SSA name}}
%x

// -----

// expected-error@+1 {{expected operation name in quotes}}
%x =

// -----

// expected-error@+1 {{expected operation name in quotes}}
%x = 1

// -----

// expected-error@+1 {{expected valid ssa identifier}}
%x, = "x.y"() : () -> i32

// -----

// expected-error@+1 {{expected integer number of results}}
%x: = "x.y"() : () -> i32

// -----

// expected-error@+1 {{expected named operation to have at least 1 result}}
%x:0 = "x.y"() : () -> i32

// -----

// expected-error@+1 {{expected '=' after SSA name}}
%x:2 "x.y"() : () -> i32

// -----

// expected-error@+1 {{cannot name an operation with no results}}
%x = "x.y"() : () -> ()

// -----

// expected-error@+1 {{operation defines 1 results but was provided 2 to bind}}
%x, %y = "x.y"() : () -> i32

// -----

// expected-error@+1 {{expected operation name in quotes}}
@x

// -----

// expected-error@+1 {{expected operation name in quotes}}
)

// -----

// expected-error@+1 {{expected operation name in quotes}}
}

// -----

// expected-error@+1 {{custom op 'nothing' is unknown (tried 'builtin.nothing' as well)}}
nothing

// -----

// expected-error@+1 {{custom op 'func.nothing' is unknown}}
func.nothing

// -----

// expected-error@+1 {{custom op 'nothing' is unknown (tried 'func.nothing' as well)}}
func.func @f() { nothing return }

// -----

// expected-error@+1 {{expected '=' in attribute alias definition}}
#a

// -----

// expected-error@+1 {{expected attribute value}}
#a =

// -----

// expected-error@+1 {{expected '=' in attribute alias definition}}
#a 1

// -----

// expected-error@+1 {{attribute names with a '.' are reserved for dialect-defined names}}
#a.b = 1

// -----

// expected-error@+1 {{expected '=' in type alias definition}}
!a

// -----

// expected-error@+1 {{expected non-function type}}
!a =

// -----

// expected-error@+1 {{expected '=' in type alias definition}}
!a i32

// -----

// expected-error@+1 {{type names with a '.' are reserved for dialect-defined names}}
!a.b = i32

// -----

// expected-error@+1 {{undefined symbol alias id 'b'}}
!a = !b

// -----

// expected-error@+1 {{undefined symbol alias id 'b'}}
#a = #b

// -----

// expected-error@+1 {{expected '"' in string literal}}
"x.y"() {a = "b} : () -> ()

// -----

// expected-error@+1 {{unknown escape in string literal}}
"x.y"() {a = "\q"} : () -> ()

// -----

// expected-error@+1 {{invalid SSA name}}
"x.y"(%) : () -> ()

// -----

// expected-error@+1 {{@ identifier expected to start with letter or '_'}}
"x.y"() {a = @1} : () -> ()

// -----

// expected-error@+1 {{invalid type identifier}}
"x.y"() : () -> !

// -----

// expected-error@+1 {{invalid attribute name}}
"x.y"() {a = #} : () -> ()

// -----

// expected-error@+1 {{unexpected character}}
$

// -----

#a = 1
// expected-error@+1 {{redefinition of attribute alias id 'a'}}
#a = 2

// -----

!a = i32
// expected-error@+1 {{redefinition of type alias id 'a'}}
!a = i32

// -----

// expected-error@+1 {{expected ':' followed by operation type}}
%0 = "x.y"()
  // A remark.

"x.z"() : () -> ()

// -----

// expected-error@+1 {{expected list element}}
"a.b"()[] : () -> ()
